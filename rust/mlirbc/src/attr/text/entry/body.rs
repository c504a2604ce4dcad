//! The text of one entry: its nested parts remain on the stack, and an entry that cannot be read is a mark.

use crate::dialect::entries::{Entries, EntryRef, RawEntry, why_opaque};
use crate::dialect::node::Node;
use crate::dialect::primitive;
use crate::dialect::table::{BuiltinKind, Encoding, Layout};
use crate::wire::error::{Error, ErrorKind, Result, with_article};
use crate::wire::section::SectionId;

use super::super::affine;
use super::super::alias::instance;
use super::super::escape;
use super::super::lexer::{Lexer, TokenKind};
use super::super::out::Out;
use super::super::parse::skim;
use super::cache::Key;
use super::{Context, Elide, EntryPrinter, Item};

impl<'e, E: Entries> EntryPrinter<'e, E> {
    /// Prints an entry; nested parts remain on the stack.
    pub(super) fn body(&mut self, out: &mut Out<'_>, of: EntryRef, elide: Elide, is_nested_location: bool) {
        let entries = self.entries;
        let Some(entry) = entries.entry(of) else {
            return out.text("<<NO SUCH ENTRY>>");
        };
        // Aliases within a text are valid as long as the aliases of this printer.
        let key = match of {
            EntryRef::Attribute(index) if is_nested_location => Some(Key::location(index)),
            of => self.key(of, elide),
        };
        if let Some(text) = entry.text() {
            let start = out.position();
            if let Err(error) = self.check_text(of, &entry) {
                return self.unreadable(out, of, error);
            }
            let key = self.begin(out, key);
            let restated = match entries.are_of_a_file() {
                true => affine::restated(text, || self.style.release),
                false => None,
            };
            self.text(out, restated.as_deref().unwrap_or(text), instance(of));
            if let Some(key) = key {
                self.end(out, key, start);
            }
            return;
        }
        let mut node = std::mem::take(&mut self.node);
        match self.decode(&entry, of, &mut node) {
            Ok(None) => self.encoded(out, of, &entry),
            Err(error) => self.unreadable(out, of, error),
            Ok(Some(_)) if !self.open.insert(of) => {
                out.text("<<CYCLE>>");
                let error = Error::message(ErrorKind::EntryCycle, format!("{of} contains itself"));
                self.fault(error.at(entry.offset).in_section(SectionId::AttrType));
            }
            Ok(Some((form, layout))) => {
                let key = self.begin(out, key);
                let end = Item::End(of, out.position(), key);
                self.form(out, of, &entry, form, &form.layouts[layout], &node, elide, is_nested_location);
                self.stack.push(end);
                self.stack.extend(self.pending.drain(..).rev());
            }
        }
        self.node = node;
    }

    // Decodes an entry; for a large one, at most as many items as characters fit.
    fn decode(
        &self,
        entry: &RawEntry<'e>,
        of: EntryRef,
        node: &mut Node,
    ) -> Result<Option<(&'e Encoding, usize)>> {
        let is_listed = |form: &&Encoding| match form.builtin {
            BuiltinKind::ArrayAttr | BuiltinKind::DictionaryAttr | BuiltinKind::TupleType => true,
            BuiltinKind::FusedLoc => form.layouts.first().is_some_and(|layout| layout.fields.len() == 1),
            BuiltinKind::FunctionType => true,
            _ => false,
        };
        if entry.data.len() as u64 / 2 > self.limit
            && let Some(form) = entry.form(of)?.filter(is_listed)
            && let [layout] = &*form.layouts
        {
            let most = self.limit as u32 + 1;
            primitive::decode_beginning(layout, entry.data, entry.offset, self.entries, node, most)?;
            return Ok(Some((form, 0)));
        }
        entry.decode(of, self.entries, node)
    }

    // Once for each entry.
    fn check_text(&mut self, of: EntryRef, entry: &RawEntry<'_>) -> Result<()> {
        if !self.checked.contains(&of) {
            skim::check_text(entry, of)?;
            if !self.cache.is_off {
                self.checked.insert(of);
            }
        }
        Ok(())
    }
}

impl<'e, E: Entries> EntryPrinter<'e, E> {
    #[allow(clippy::too_many_arguments)] // one entry, seen from all sides
    fn form(
        &mut self,
        out: &mut Out<'_>,
        of: EntryRef,
        entry: &RawEntry<'e>,
        form: &'e Encoding,
        layout: &'e Layout,
        node: &Node,
        elide: Elide,
        is_nested_location: bool,
    ) {
        let context = Context { entry, form, layout, node };
        let Some(mnemonic) = &form.mnemonic else {
            let wraps = form.builtin.is_location() && !is_nested_location;
            if wraps {
                self.emit(out, Item::Text("loc("));
            }
            self.template(out, &form.asm, &context, elide);
            if wraps {
                self.emit(out, Item::Text(")"));
            }
            return;
        };
        let sigil = if matches!(of, EntryRef::Type(_)) { "!" } else { "#" };
        self.emit(out, Item::Text(sigil));
        self.emit(out, Item::Bytes(entry.dialect));
        let start = out.position();
        let is_bracketed = form.asm.is_bracketed();
        self.emit(out, Item::Text(if is_bracketed { "." } else { "<" }));
        self.emit(out, Item::Text(mnemonic));
        self.template(out, &form.asm, &context, elide);
        if is_bracketed {
            return;
        }
        // A name without brackets may still be a bare word (`printDialectSymbol` in AsmPrinter.cpp).
        let symbol = out.since(start).and_then(|text| text.get(1..)).unwrap_or_default();
        if self.pending.is_empty() && escape::is_pretty_dialect_symbol(symbol) {
            out.replace(start, b'.');
        } else {
            self.emit(out, Item::Text(">"));
        }
    }

    pub(super) fn bare(&mut self, out: &mut Out<'_>, index: u32) {
        let of = EntryRef::Attribute(index);
        let entries = self.entries;
        let Some(entry) = entries.entry(of) else { return };
        if let Some(text) = entry.text() {
            if let Err(error) = self.check_text(of, &entry) {
                return self.unreadable(out, of, error);
            }
            // The entry is text: `#dialect.mnemonic<…>` without its name.
            let symbol = Lexer::new(text).next().ok().filter(|token| token.kind == TokenKind::Attribute);
            let name = symbol.map_or(0, |token| token.end);
            return self.text_from(
                out,
                text,
                if text.get(name) == Some(&b'<') { name } else { 0 },
                instance(of),
            );
        }
        let mut node = std::mem::take(&mut self.node);
        match entry.decode(of, entries, &mut node) {
            Ok(Some((form, layout))) if form.mnemonic.is_some() => {
                if self.open.insert(of) {
                    let key = self.begin(out, Some(Key::bare(index)));
                    let end = Item::End(of, out.position(), key);
                    let context = Context { entry: &entry, form, layout: &form.layouts[layout], node: &node };
                    self.template(out, &form.asm, &context, Elide::Never);
                    self.stack.push(end);
                    self.stack.extend(self.pending.drain(..).rev());
                } else {
                    out.text("<<CYCLE>>");
                }
                self.node = node;
            }
            _ => {
                self.node = node;
                self.body(out, of, Elide::Never, false);
            }
        }
    }

    pub(super) fn as_builtin(&mut self, out: &mut Out<'_>, index: u32) {
        let of = EntryRef::Type(index);
        if self.cached(out, Key::as_builtin(index)) {
            return;
        }
        let entries = self.entries;
        let mut node = std::mem::take(&mut self.node);
        let decoded = entries.entry(of).and_then(|entry| {
            let (form, layout) = entry.decode(of, entries, &mut node).ok().flatten()?;
            Some((entry, form, layout, form.as_builtin.as_ref()?))
        });
        match decoded {
            Some((entry, form, layout, template)) if self.open.insert(of) => {
                let context = Context { entry: &entry, form, layout: &form.layouts[layout], node: &node };
                let key = self.begin(out, Some(Key::as_builtin(index)));
                let end = Item::End(of, out.position(), key);
                self.template(out, template, &context, Elide::Never);
                self.stack.push(end);
                self.stack.extend(self.pending.drain(..).rev());
                self.node = node;
            }
            _ => {
                self.node = node;
                self.body(out, of, Elide::Never, false);
            }
        }
    }

    // ---- unreadable parts ----

    // An encoded entry of a dialect without a table.
    fn encoded(&mut self, out: &mut Out<'_>, of: EntryRef, entry: &RawEntry<'_>) {
        let sigil = if matches!(of, EntryRef::Type(_)) { '!' } else { '#' };
        out.text(if sigil == '!' { "<<ENCODED !" } else { "<<ENCODED #" });
        // The name in the file must not end the mark.
        escape::write_keyword_or_string(&mut out.buffer, self.cut(entry.dialect));
        out.text(" 0x");
        out.hex(self.cut(entry.data));
        out.text(">>");
        if !self.keeps_faults() {
            return;
        }
        let reason = why_opaque(entry, of, self.entries, &mut Node::default());
        let reason = reason.map_or_else(String::new, |reason| reason.sentence());
        let error = Error::message(ErrorKind::EntryNoTable, format!("cannot decode {of}: {reason}"));
        self.fault(error.at(entry.offset).in_section(SectionId::AttrType));
    }

    /// The dictionary of an operation; a mark for an attribute of another class, which would be invalid
    /// there.
    pub(crate) fn op_dictionary(&mut self, out: &mut Out<'_>, index: u32) {
        let of = EntryRef::Attribute(index);
        let other = self.entries.entry(of).and_then(|entry| {
            let found = match (entry.text(), entry.form(of)) {
                (Some(text), _) => {
                    (text.first() != Some(&b'{')).then(|| "text that is not a dictionary".to_owned())
                }
                (None, Ok(Some(form))) => {
                    let is_dictionary = form.classes.iter().any(|class| **class == *"DictionaryAttr");
                    (!is_dictionary).then(|| with_article(&form.name))
                }
                (None, _) => None,
            };
            let error = Error::new(ErrorKind::EntryClass, "a DictionaryAttr", found?);
            Some(error.at(entry.offset).in_section(SectionId::AttrType))
        });
        match other {
            Some(error) => self.unreadable(out, of, error),
            None => self.attribute(out, index, Elide::Never),
        }
    }

    fn unreadable(&mut self, out: &mut Out<'_>, of: EntryRef, error: Error) {
        let (sort, index) = match of {
            EntryRef::Attribute(index) => ("ATTRIBUTE", index),
            EntryRef::Type(index) => ("TYPE", index),
        };
        out.text(&format!("<<UNREADABLE {sort} {index}>>"));
        self.fault(error);
    }
}
