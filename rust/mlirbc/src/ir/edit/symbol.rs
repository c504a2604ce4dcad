//! Renaming a symbol, with everything that refers to it.

use std::collections::HashMap;

use crate::codec::entries::{Entries, EntryRef};
use crate::codec::node::{Field, Node};
use crate::codec::primitive;
use crate::codec::table::BuiltinKind;
use crate::error::{Error, ErrorKind, Result};
use crate::format::ir::{IsolatedRegions, OpHead, OpSink};
use crate::ir::id::{BodyId, OpId};
use crate::value::AttributeValue;

use super::arena::NONE;
use super::{EditOp, Editor, field_string};

const SYM_NAME: &[u8] = b"sym_name";

impl Editor {
    /// Gives a symbol another name, in its definition and in everything that refers to it, wherever that stands: in
    /// attributes, in attributes inside them, in properties, in attributes and types that are text. The references are
    /// changed in the table of attributes, so that no op that has one needs to be written again.
    ///
    /// One call goes through all operations, attributes and types: of many symbols, that is the cost for each.
    ///
    /// # Errors
    /// [`ErrorKind::Edit`] when no operation, or more than one, defines the symbol, or something beside it has the new
    /// name already.
    ///
    /// ```
    /// use mlirbc::{Module, edit::Editor};
    /// let module = std::sync::Arc::new(Module::open("../../examples/two_layers.mlirbc")?);
    /// let mut editor = Editor::new(module)?;
    /// let op = editor.symbol("main")?.expect("a function");
    /// editor.rename_symbol("main", "start")?;
    /// assert_eq!(editor.attribute(op, "sym_name")?.unwrap().to_string(), "\"start\"");
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn rename_symbol(&mut self, old: impl AsRef<[u8]>, new: impl AsRef<[u8]>) -> Result<()> {
        let (old, new) = (old.as_ref(), new.as_ref());
        let shown = |name: &[u8]| format!("`@{}`", String::from_utf8_lossy(name));
        let found = self.definitions(old)?;
        let definition = match found[..] {
            [only] => only,
            [] => {
                let expected = format!("a symbol {}", shown(old));
                return Err(Error::new(ErrorKind::Edit, expected, "no operation whose `sym_name` that is"));
            }
            [first, second, ..] => {
                let expected = format!("one definition of {}", shown(old));
                let found = format!("{}, and {}", self.path(first), self.path(second));
                return Err(Error::new(ErrorKind::Edit, expected, found));
            }
        };
        if new.is_empty() {
            return Err(Error::new(ErrorKind::Value, "a name of a symbol", "an empty one"));
        }
        if old == new {
            return Ok(());
        }
        let region =
            self.arena.blocks.get(self.arena.op(definition).block as usize).map_or(NONE, |row| row.region);
        let beside: Vec<u32> = match self.arena.regions.get(region as usize) {
            Some(region) => region.blocks.iter().flat_map(|&block| self.arena.ops_of(block)).collect(),
            None => Vec::new(),
        };
        let mut names = Names::default();
        for op in beside {
            if self.symbol_of(op, &mut names)? == Some(new) {
                let expected = format!("{} to be free", shown(new));
                return Err(Error::new(ErrorKind::Edit, expected, self.path(op)));
            }
        }
        let value = AttributeValue::build("builtin", "StringAttr", &[("value", field_string(new.to_vec()))])?;
        self.set_attribute(EditOp(definition), SYM_NAME, &value)?;
        self.rename_references(old, new)
    }

    /// The operation that defines a symbol, if there is one; the first of several.
    ///
    /// One call goes through all operations, those that were never read among them. Who wants many symbols goes through
    /// [`Self::operations`] once.
    ///
    /// # Errors
    /// When the IR cannot be read.
    ///
    /// ```
    /// use mlirbc::edit::Editor;
    /// let mut editor = Editor::new(std::sync::Arc::new(mlirbc::Module::from_bytes(mlirbc::doc_example())?))?;
    /// assert_eq!(editor.symbol("main")?, None);
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn symbol(&mut self, name: impl AsRef<[u8]>) -> Result<Option<EditOp>> {
        Ok(self.definitions(name.as_ref())?.first().copied().map(EditOp))
    }

    // All ops in the module whose symbol name that is.
    fn definitions(&mut self, name: &[u8]) -> Result<Vec<u32>> {
        self.encode_drafts()?;
        let mut names = Names::default();
        let mut finder =
            Finder { editor: self, name, names: &mut names, found: Vec::new(), open: vec![0], fault: None };
        let base = finder.editor.base.clone();
        base.stream(&mut finder)?;
        let (found, fault) = (finder.found, finder.fault);
        if let Some(error) = fault {
            return Err(error);
        }
        // Their bodies are edited next: then they are rows like new ops.
        for path in found {
            let mut body = BodyId::TOP_LEVEL;
            for op in path {
                let child = base.body(body)?.child(OpId(op)).map(|child| child.body);
                body = child
                    .ok_or_else(|| Error::new(ErrorKind::Index, "an isolated operation", "another one"))?;
            }
            match self.load(body) {
                Err(error) if error.kind() != ErrorKind::Erased => return Err(error),
                _ => {}
            }
        }
        let mut found = Vec::new();
        for op in 1..self.arena.ops.len() as u32 {
            if !self.arena.is_erased(op)
                && self.symbol_of(op, &mut names)? == Some(name)
                && self.is_in_module(op)
            {
                found.push(op);
            }
        }
        Ok(found)
    }

    fn is_in_module(&self, op: u32) -> bool {
        let mut at = op;
        while let Some(parent) = self.arena.parent(at) {
            at = parent;
        }
        at == super::ROOT
    }

    fn symbol_of<'n>(&self, op: u32, names: &'n mut Names) -> Result<Option<&'n [u8]>> {
        let row = self.arena.op(op);
        self.symbol_of_parts((row.name, row.attributes, row.properties), names)
    }

    fn symbol_of_parts<'n>(&self, parts: (u32, u32, u32), names: &'n mut Names) -> Result<Option<&'n [u8]>> {
        if parts.1 == NONE && parts.2 == NONE {
            return Ok(None);
        }
        let name = match names.0.entry(parts) {
            std::collections::hash_map::Entry::Occupied(known) => known.into_mut(),
            std::collections::hash_map::Entry::Vacant(place) => {
                // What cannot be read has no name that is known.
                let (name, attributes, properties) = parts;
                place.insert(self.string_of_parts(name, attributes, properties, SYM_NAME).unwrap_or_default())
            }
        };
        Ok(name.as_deref())
    }

    fn rename_references(&mut self, old: &[u8], new: &[u8]) -> Result<()> {
        let name = self.tables.string_attribute(new)?;
        let mut jobs = Vec::new();
        {
            let view = self.tables.view()?;
            let bounds = view.bounds();
            let attributes = (0..bounds.attributes).map(EntryRef::Attribute);
            let mut node = Node::default();
            for of in attributes.chain((0..bounds.types).map(EntryRef::Type)) {
                let Some(entry) = view.raw(of) else { continue };
                if let Some(text) = entry.text() {
                    if let Some(text) = rename_in_text(text, old, new) {
                        jobs.push((of, entry.dialect.to_vec(), None, text));
                    }
                    continue;
                }
                let is_reference = entry
                    .form(of)
                    .is_ok_and(|form| form.is_some_and(|form| form.builtin == BuiltinKind::SymbolRefAttr));
                if !is_reference || entry.dialect != b"builtin" {
                    continue;
                }
                let Some((form, layout)) = entry.decode(of, &view, &mut node)? else { continue };
                let Some(root) = node.attribute(0) else { continue };
                if crate::asm::entry::string_of(&view, root) != Some(old) {
                    continue;
                }
                let mut is_first = true;
                node.map(|field| match field {
                    Field::Attribute(_, at) if std::mem::take(&mut is_first) => Field::Attribute(name, at),
                    other => other,
                });
                let Some(layout) = form.layouts.get(layout) else { continue };
                let data = primitive::encode(form, layout, &node, entry.data, &|_| None)?;
                jobs.push((of, entry.dialect.to_vec(), Some(()), data));
            }
        }
        for (of, dialect, encoded, data) in jobs {
            let entry = match encoded {
                Some(()) => self.tables.encoded_entry(&dialect, data)?,
                None => self.tables.text_entry(&dialect, &data)?,
            };
            self.tables.replace(of, entry);
        }
        Ok(())
    }
}

/// Symbol names of ops that look alike.
#[derive(Default)]
struct Names(HashMap<(u32, u32, u32), Option<Vec<u8>>, foldhash::fast::RandomState>);

/// Finds the ops of the file that define a symbol: the rows of the isolated ops around each.
struct Finder<'e> {
    editor: &'e Editor,
    name: &'e [u8],
    names: &'e mut Names,
    found: Vec<Vec<u32>>,
    // How many ops each open body has had so far.
    open: Vec<u32>,
    fault: Option<Error>,
}

impl OpSink for Finder<'_> {
    fn op(&mut self, head: OpHead) {
        let parts = (head.name, head.attributes.unwrap_or(NONE), head.properties.unwrap_or(NONE));
        match self.editor.symbol_of_parts(parts, self.names) {
            Ok(found) if found == Some(self.name) => {
                let mut path: Vec<u32> = self
                    .open
                    .iter()
                    .filter(|&&count| count != INLINE)
                    .map(|count| count.wrapping_sub(1))
                    .collect();
                path.pop();
                self.found.push(path);
            }
            Ok(_) => {}
            Err(error) => self.fault = Some(error),
        }
        if let Some(count) = self.open.iter_mut().rev().find(|count| **count != INLINE) {
            *count += 1;
        }
    }

    fn regions(&mut self, _: u32, is_isolated: bool) {
        self.open.push(if is_isolated { 0 } else { INLINE });
    }

    fn enter(&mut self, _: IsolatedRegions) -> bool {
        true
    }

    fn end_regions(&mut self) {
        self.open.pop();
    }
}

/// Stands for regions that are not isolated.
const INLINE: u32 = u32::MAX;

/// The text with references to a symbol changed; `None` when there is none.
fn rename_in_text(text: &[u8], old: &[u8], new: &[u8]) -> Option<Vec<u8>> {
    if !text.contains(&b'@') {
        return None;
    }
    let mut out = Vec::with_capacity(text.len());
    let mut is_changed = false;
    let mut at = 0;
    while at < text.len() {
        let is_symbol = text[at] == b'@';
        let start = at + usize::from(is_symbol);
        let end = match text.get(start) {
            Some(b'"') => end_of_string(text, start),
            Some(_) if is_symbol => {
                let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || b"_$.-".contains(byte);
                text[start..].iter().position(|byte| !is_part(byte)).map_or(text.len(), |len| start + len)
            }
            Some(_) => start + 1,
            None => start,
        };
        let token = &text[start..end];
        let name = match token.strip_prefix(b"\"").and_then(|rest| rest.strip_suffix(b"\"")) {
            Some(quoted) => quoted,
            None => token,
        };
        if is_symbol && name == old {
            out.push(b'@');
            write_symbol(&mut out, new);
            is_changed = true;
        } else {
            out.extend_from_slice(&text[at..end]);
        }
        at = end.max(at + 1);
    }
    is_changed.then_some(out)
}

fn end_of_string(text: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while let Some(&byte) = text.get(at) {
        match byte {
            b'"' => return at + 1,
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
    text.len()
}

fn write_symbol(out: &mut Vec<u8>, name: &[u8]) {
    let is_bare = name.first().is_some_and(|byte| byte.is_ascii_alphabetic() || *byte == b'_')
        && name.iter().all(|byte| byte.is_ascii_alphanumeric() || b"_$.".contains(byte));
    if is_bare {
        out.extend_from_slice(name);
    } else {
        crate::asm::escape::write_string(out, name);
    }
}

#[cfg(test)]
mod tests {
    use super::rename_in_text;

    #[test]
    fn references_in_text_are_renamed_and_strings_are_not() {
        let renamed =
            |text: &str| rename_in_text(text.as_bytes(), b"f", b"g h").map(|t| String::from_utf8(t).unwrap());
        assert_eq!(renamed("#a.b<@f, @ff, \"@f\">").as_deref(), Some("#a.b<@\"g h\", @ff, \"@f\">"));
        assert_eq!(renamed("#a.b<@\"f\">").as_deref(), Some("#a.b<@\"g h\">"));
        assert_eq!(renamed("#a.b<@m::@f>").as_deref(), Some("#a.b<@m::@\"g h\">"));
        assert_eq!(renamed("#a.b<\"\\\"@f\">"), None);
    }
}
