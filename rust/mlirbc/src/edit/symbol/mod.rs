//! Symbols: lookup by name, and renaming with all references.
//!
//! [`scope`] resolves references, for renaming and verification; [`reference`](self::reference) finds
//! references inside attributes, [`rename`] changes them. [`units`] builds the graph of references between
//! symbols, and [`declare`] turns definitions into declarations. [`private`] gives private symbols canonical names.

mod declare;
mod dialects;
mod private;
mod reference;
mod rename;
pub(crate) mod scope;
mod text;
pub(crate) mod units;
mod verify;

use crate::dialect::entries::EntryRef;
use crate::format::id::AttrId;
use crate::props::PropertyValue;
use crate::wire::error::{Error, ErrorKind, Result};

use super::arena::{ArenaOp, ROOT};
use super::attributes::{Blob, OpParts};
use super::{EditOp, Editor};

pub(crate) use reference::symbol_name_of;
use scope::SymbolCache;

impl Editor {
    /// Finds the operation that defines a symbol of the module; `None` if there is no such symbol. The name
    /// is looked up in the symbol table of the top-level operation, then as a path (`kernels::step`), then in
    /// all nested symbol tables.
    ///
    /// # Errors
    /// [`ErrorKind::AmbiguousSymbol`] if the top level has no such symbol and several nested symbol tables
    /// have one, and if the IR cannot be read.
    pub fn symbol(&mut self, name: impl AsRef<[u8]>) -> Result<Option<EditOp>> {
        self.symbol_in(name, None)
    }

    /// Finds a symbol in one symbol table; `None` is the top level. A path leads into nested symbol tables.
    ///
    /// # Errors
    /// [`ErrorKind::Edit`] if the scope is not a symbol table, and as [`Self::symbol`].
    ///
    /// ```
    /// use mlirbc::{Module, edit::Editor};
    /// let module = Module::open("../../examples/two_layers.mlirbc")?;
    /// let mut editor = Editor::new(module)?;
    /// let top = editor.operation()?;
    /// let main = editor.symbol_in("main", Some(top))?.expect("a function");
    /// assert!(editor.symbol_in("main", Some(main)).is_err());
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    #[doc(hidden)]
    pub fn symbol_in(&mut self, name: impl AsRef<[u8]>, scope: Option<EditOp>) -> Result<Option<EditOp>> {
        let symbol = self.only_symbol(name.as_ref(), scope, &mut SymbolCache::default())?;
        Ok(symbol.map(|row| self.handle_of(row)))
    }

    fn only_symbol(
        &mut self,
        name: &[u8],
        scope: Option<EditOp>,
        cache: &mut SymbolCache,
    ) -> Result<Option<ArenaOp>> {
        match self.symbols(name, scope, cache)?[..] {
            [] => Ok(None),
            [only] => Ok(Some(only)),
            [first, second, ..] => {
                let (name, first, second) =
                    (String::from_utf8_lossy(name), self.path(first), self.path(second));
                let message = format!("`@{name}` is defined more than once: by {first} and by {second}");
                Err(Error::message(ErrorKind::AmbiguousSymbol, message))
            }
        }
    }

    // Returns the ops that a name or a path may refer to.
    fn symbols(
        &mut self,
        name: &[u8],
        scope: Option<EditOp>,
        cache: &mut SymbolCache,
    ) -> Result<Vec<ArenaOp>> {
        self.encode_drafts()?;
        let top = match scope {
            Some(op) => {
                let op = self.live(op)?;
                self.load_regions(op)?;
                if !self.is_table(op, cache)? {
                    let message = format!("{} is not a symbol table", self.path(op));
                    return Err(Error::message(ErrorKind::Edit, message));
                }
                Some(op)
            }
            None => match self.operation() {
                Ok(op) => {
                    self.load_regions(op.row())?;
                    self.is_table(op.row(), cache)?.then_some(op.row())
                }
                Err(_) => None,
            },
        };
        if let Some(top) = top {
            let by_name = self.symbols_named(top, name, cache)?;
            if !by_name.is_empty() {
                return Ok(by_name);
            }
            let by_path = self.symbols_at(top, name, cache)?;
            if !by_path.is_empty() || scope.is_some() {
                return Ok(by_path);
            }
        }
        let outermost = self.symbols_named(ROOT, name, cache)?;
        if !outermost.is_empty() {
            return Ok(outermost);
        }
        let scopes = self.scopes(cache)?;
        let mut tables = Vec::new();
        for table in &scopes.tables {
            if table.names.contains_key(name) {
                tables.push(table.op);
            }
        }
        let mut nested = Vec::new();
        for table in tables {
            nested.extend(self.symbols_named(table, name, cache)?);
        }
        Ok(nested)
    }

    // Returns the symbols at the end of a path, `outer::inner` or `@outer::@inner`.
    fn symbols_at(&mut self, table: ArenaOp, path: &[u8], cache: &mut SymbolCache) -> Result<Vec<ArenaOp>> {
        let Ok(path) = std::str::from_utf8(path) else { return Ok(Vec::new()) };
        let names: Vec<&str> = path.split("::").map(|name| name.strip_prefix('@').unwrap_or(name)).collect();
        let Some((last, outer)) = names.split_last() else { return Ok(Vec::new()) };
        let mut at = table;
        for name in outer {
            match self.symbols_named(at, name.as_bytes(), cache)?[..] {
                [only] => at = only,
                _ => return Ok(Vec::new()),
            }
            self.load_regions(at)?;
            if !self.is_table(at, cache)? {
                return Ok(Vec::new());
            }
        }
        self.symbols_named(at, last.as_bytes(), cache)
    }

    // Returns the attributes and properties of an op, and whether it has property bytes of unknown layout.
    fn references_of(&self, parts: OpParts) -> (Vec<EntryRef>, bool) {
        let base = self.base.clone();
        let mut is_opaque = false;
        let op_parts = self.parts_of(&base, parts.0, parts.1, parts.2).or_else(|_| {
            is_opaque = parts.2.is_some();
            self.parts_of(&base, parts.0, parts.1, None)
        });
        let mut entries = Vec::new();
        let Ok(op_parts) = op_parts else { return (entries, is_opaque) };
        match op_parts.blob {
            Blob::Attribute(index) => entries.push(EntryRef::Attribute(AttrId::new(index))),
            Blob::Opaque => is_opaque = true,
            Blob::None | Blob::Known => {}
        }
        entries.extend(op_parts.pairs.iter().map(|pair| EntryRef::Attribute(AttrId::new(pair.1))));
        op_parts.inherent.iter().for_each(|property| attributes_in(&property.value, &mut entries));
        (entries, is_opaque)
    }

    fn parts_key(&self, op: ArenaOp) -> OpParts {
        let row = self.arena.op(op);
        (row.name(), row.attributes, row.properties)
    }
}

fn attributes_in(value: &PropertyValue, out: &mut Vec<EntryRef>) {
    match value {
        PropertyValue::Attribute(index) => out.push(EntryRef::Attribute(*index)),
        PropertyValue::Array(items) => items.iter().for_each(|item| attributes_in(item, out)),
        PropertyValue::Optional(Some(item)) => attributes_in(item, out),
        _ => {}
    }
}
