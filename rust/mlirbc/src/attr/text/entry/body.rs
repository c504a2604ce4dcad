//! The text of an entry: its nested parts remain on the stack, and an entry that cannot be read becomes a
//! mark.

use crate::dialect::entries::{Entries, EntryRef, RawEntry, why_opaque};
use crate::dialect::node::Node;
use crate::dialect::primitive;
use crate::dialect::table::{BuiltinKind, Encoding, Layout};
use crate::format::id::{AttrId, TypeId};
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
    pub(super) fn body(
        &mut self,
        out: &mut Out<'_>,
        entry_ref: EntryRef,
        elide: Elide,
        is_nested_location: bool,
    ) {
        let entries = self.entries;
        let Some(entry) = entries.entry(entry_ref) else {
            return out.text("<<NO SUCH ENTRY>>");
        };
        // Aliases within a text are valid as long as the aliases of this printer.
        let key = match entry_ref {
            EntryRef::Attribute(index) if is_nested_location => Some(Key::location(index)),
            entry_ref => self.key(entry_ref, elide),
        };
        if let Some(text) = entry.text() {
            let start = out.position();
            if let Err(error) = self.check_text(entry_ref, &entry) {
                return self.unreadable(out, entry_ref, error);
            }
            let key = self.begin(out, key);
            let restated = match entries.are_of_a_file() {
                true => affine::restated(text, || self.style.release),
                false => None,
            };
            self.text(out, restated.as_deref().unwrap_or(text), instance(entry_ref));
            if let Some(key) = key {
                self.end(out, key, start);
            }
            return;
        }
        let mut node = std::mem::take(&mut self.node);
        match self.decode(&entry, entry_ref, &mut node) {
            Ok(None) => self.encoded(out, entry_ref, &entry),
            Err(error) => self.unreadable(out, entry_ref, error),
            Ok(Some(_)) if !self.open.insert(entry_ref) => {
                out.text("<<CYCLE>>");
                let error = Error::message(ErrorKind::EntryCycle, format!("{entry_ref} contains itself"));
                self.fault(error.at(entry.offset).in_section(SectionId::AttrType));
            }
            Ok(Some((form, layout))) => {
                let key = self.begin(out, key);
                let end = Item::End(entry_ref, out.position(), key);
                self.form(
                    out,
                    entry_ref,
                    &entry,
                    form,
                    &form.layouts[layout],
                    &node,
                    elide,
                    is_nested_location,
                );
                self.stack.push(end);
                self.stack.extend(self.pending.drain(..).rev());
            }
        }
        self.node = node;
    }

    // Decodes an entry; for a large entry, at most as many items as characters fit.
    fn decode(
        &self,
        entry: &RawEntry<'e>,
        entry_ref: EntryRef,
        node: &mut Node,
    ) -> Result<Option<(&'e Encoding, usize)>> {
        let is_listed = |form: &&Encoding| match form.builtin {
            BuiltinKind::ArrayAttr | BuiltinKind::DictionaryAttr | BuiltinKind::TupleType => true,
            BuiltinKind::FusedLoc => form.layouts.first().is_some_and(|layout| layout.fields.len() == 1),
            BuiltinKind::FunctionType => true,
            _ => false,
        };
        if entry.data.len() as u64 / 2 > self.limit
            && let Some(form) = entry.form(entry_ref)?.filter(is_listed)
            && let [layout] = &*form.layouts
        {
            let most = self.limit as u32 + 1;
            primitive::decode_beginning(layout, entry.data, entry.offset, self.entries, node, most)?;
            return Ok(Some((form, 0)));
        }
        entry.decode(entry_ref, self.entries, node)
    }

    // Checks the text of an entry, once for each entry.
    fn check_text(&mut self, entry_ref: EntryRef, entry: &RawEntry<'_>) -> Result<()> {
        if !self.checked.contains(&entry_ref) {
            skim::check_text(entry, entry_ref)?;
            if !self.cache.is_off {
                self.checked.insert(entry_ref);
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
        entry_ref: EntryRef,
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
        let sigil = if matches!(entry_ref, EntryRef::Type(_)) { "!" } else { "#" };
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

    pub(super) fn bare(&mut self, out: &mut Out<'_>, index: AttrId) {
        let entry_ref = EntryRef::Attribute(index);
        let entries = self.entries;
        let Some(entry) = entries.entry(entry_ref) else { return };
        if let Some(text) = entry.text() {
            if let Err(error) = self.check_text(entry_ref, &entry) {
                return self.unreadable(out, entry_ref, error);
            }
            // The entry is text: `#dialect.mnemonic<…>` without its name.
            let symbol = Lexer::new(text).next().ok().filter(|token| token.kind == TokenKind::Attribute);
            let name = symbol.map_or(0, |token| token.end);
            return self.text_from(
                out,
                text,
                if text.get(name) == Some(&b'<') { name } else { 0 },
                instance(entry_ref),
            );
        }
        let mut node = std::mem::take(&mut self.node);
        match entry.decode(entry_ref, entries, &mut node) {
            Ok(Some((form, layout))) if form.mnemonic.is_some() => {
                if self.open.insert(entry_ref) {
                    let key = self.begin(out, Some(Key::bare(index)));
                    let end = Item::End(entry_ref, out.position(), key);
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
                self.body(out, entry_ref, Elide::Never, false);
            }
        }
    }

    pub(super) fn as_builtin(&mut self, out: &mut Out<'_>, index: TypeId) {
        let entry_ref = EntryRef::Type(index);
        if self.cached(out, Key::as_builtin(index)) {
            return;
        }
        let entries = self.entries;
        let mut node = std::mem::take(&mut self.node);
        let decoded = entries.entry(entry_ref).and_then(|entry| {
            let (form, layout) = entry.decode(entry_ref, entries, &mut node).ok().flatten()?;
            Some((entry, form, layout, form.as_builtin.as_ref()?))
        });
        match decoded {
            Some((entry, form, layout, template)) if self.open.insert(entry_ref) => {
                let context = Context { entry: &entry, form, layout: &form.layouts[layout], node: &node };
                let key = self.begin(out, Some(Key::as_builtin(index)));
                let end = Item::End(entry_ref, out.position(), key);
                self.template(out, template, &context, Elide::Never);
                self.stack.push(end);
                self.stack.extend(self.pending.drain(..).rev());
                self.node = node;
            }
            _ => {
                self.node = node;
                self.body(out, entry_ref, Elide::Never, false);
            }
        }
    }

    // ---- unreadable parts ----

    // Prints an encoded entry of a dialect without a table.
    fn encoded(&mut self, out: &mut Out<'_>, entry_ref: EntryRef, entry: &RawEntry<'_>) {
        let sigil = if matches!(entry_ref, EntryRef::Type(_)) { '!' } else { '#' };
        out.text(if sigil == '!' { "<<ENCODED !" } else { "<<ENCODED #" });
        // The name in the file must not end the mark.
        escape::write_keyword_or_string(&mut out.buffer, self.cut(entry.dialect));
        out.text(" 0x");
        out.hex(self.cut(entry.data));
        out.text(">>");
        if !self.keeps_faults() {
            return;
        }
        let reason = why_opaque(entry, entry_ref, self.entries, &mut Node::default());
        let reason = reason.map_or_else(String::new, |reason| reason.sentence());
        let error = Error::message(ErrorKind::EntryNoTable, format!("cannot decode {entry_ref}: {reason}"));
        self.fault(error.at(entry.offset).in_section(SectionId::AttrType));
    }

    /// Prints the dictionary of an operation; an attribute of another class, which is invalid there, becomes
    /// a mark.
    pub(crate) fn op_dictionary(&mut self, out: &mut Out<'_>, index: AttrId) {
        let entry_ref = EntryRef::Attribute(index);
        let mismatch = self.entries.entry(entry_ref).and_then(|entry| {
            let actual = match (entry.text(), entry.form(entry_ref)) {
                (Some(text), _) => {
                    (text.first() != Some(&b'{')).then(|| "text that is not a dictionary".to_owned())
                }
                (None, Ok(Some(form))) => {
                    let is_dictionary = form.classes.iter().any(|class| **class == *"DictionaryAttr");
                    (!is_dictionary).then(|| with_article(&form.name))
                }
                (None, _) => None,
            };
            let error = Error::new(ErrorKind::EntryClass, "a DictionaryAttr", actual?);
            Some(error.at(entry.offset).in_section(SectionId::AttrType))
        });
        match mismatch {
            Some(error) => self.unreadable(out, entry_ref, error),
            None => self.attribute(out, index, Elide::Never),
        }
    }

    fn unreadable(&mut self, out: &mut Out<'_>, entry_ref: EntryRef, error: Error) {
        let sort = match entry_ref {
            EntryRef::Attribute(_) => "ATTRIBUTE",
            EntryRef::Type(_) => "TYPE",
        };
        out.text(&format!("<<UNREADABLE {sort} {}>>", entry_ref.index()));
        self.fault(error);
    }
}
