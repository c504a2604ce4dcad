//! The symbols that references of operations name (`mlir/lib/IR/SymbolTable.cpp`).
//!
//! A reference is resolved in the nearest symbol table alone, as `lookupNearestSymbolFrom` does. Each table is read
//! once.

use std::collections::HashMap;
use std::rc::Rc;

use crate::attr::{Attribute, FieldValue};
use crate::format::id::AttrId;
use crate::ir::view::{Operation, Region};
use crate::ir::{BodyId, OpId, RegionId};
use crate::ops::closest;
use crate::wire::error::Result;

use super::value::RuleValue;
use crate::ir::verify::operations::Checker;

/// The bytes that an entry of a map takes besides its key and value.
const ENTRY: usize = 16;

/// The symbol tables that were read.
#[derive(Default)]
pub(in crate::ir::verify::operations) struct SymbolTables<'m> {
    tables: HashMap<(BodyId, OpId), Rc<SymbolTable<'m>>>,
    /// The symbol table around the operations of a region.
    nearest: HashMap<(BodyId, RegionId), Nearest<'m>>,
}

/// The symbol table around an operation.
#[derive(Clone, Copy)]
enum Nearest<'m> {
    Table(Operation<'m>),
    /// An operation without a definition may be a symbol table.
    Unknown,
    None,
}

/// The operations that define symbols.
struct SymbolTable<'m> {
    /// Keys: the numbers of symbols.
    operations: HashMap<u32, Operation<'m>>,
    /// Whether an operation could not be read, so that other symbols may exist.
    is_partial: bool,
}

impl<'m> Checker<'m, '_> {
    /// Returns an attribute of another operation.
    pub(super) fn attribute_of(&mut self, op: &Operation<'m>, name: &str) -> Result<RuleValue<'m>> {
        Ok(match self.attribute_named(op, name)? {
            None => RuleValue::Unknown,
            Some(None) => RuleValue::Absent,
            Some(Some(index)) => Attribute::of_file(self.module.tables(), AttrId::new(index))?
                .map_or(RuleValue::Unknown, RuleValue::Attribute),
        })
    }

    /// Returns the operation that a reference names.
    pub(super) fn symbol_named(
        &mut self,
        op: &Operation<'m>,
        reference: &Attribute,
    ) -> Result<RuleValue<'m>> {
        let Some(names) = names_of(reference) else { return Ok(RuleValue::Unknown) };
        let mut table = match self.nearest_table(op)? {
            Nearest::Table(table) => table,
            Nearest::Unknown => return Ok(RuleValue::Unknown),
            Nearest::None => return Ok(RuleValue::Absent),
        };
        for (place, name) in names.iter().enumerate() {
            if place > 0 {
                // An operation with an interface may contain symbols in another form, as `gpu.binary` does.
                if !self.rules(table.name_id()).is_some_and(|rules| rules.is_symbol_table) {
                    return Ok(RuleValue::Unknown);
                }
            }
            let symbols = self.symbol_table(&table)?;
            match self.known_symbol(name).and_then(|number| symbols.operations.get(&number)) {
                Some(symbol) => table = *symbol,
                None if symbols.is_partial => return Ok(RuleValue::Unknown),
                None => return Ok(RuleValue::Absent),
            }
        }
        Ok(RuleValue::Operation(table))
    }

    /// Returns the symbol that is most similar to a name without a symbol.
    pub(super) fn similar_symbol(
        &mut self,
        op: &Operation<'m>,
        reference: &Attribute,
    ) -> Result<Option<String>> {
        let names = names_of(reference).unwrap_or_default();
        let [name] = names.as_slice() else { return Ok(None) };
        let Nearest::Table(table) = self.nearest_table(op)? else { return Ok(None) };
        let mut known = Vec::new();
        for symbol in self.symbol_table(&table)?.operations.values() {
            if let RuleValue::Attribute(text) = self.attribute_of(symbol, "sym_name")?
                && let Ok(Some(FieldValue::String(text))) = text.field("value")
            {
                known.push(String::from_utf8_lossy(&text).into_owned());
            }
        }
        let near = closest(&String::from_utf8_lossy(name), known.iter().map(String::as_str));
        Ok(near.map(str::to_owned))
    }

    fn nearest_table(&mut self, op: &Operation<'m>) -> Result<Nearest<'m>> {
        let mut passed: Vec<Region<'m>> = Vec::new();
        let mut current = *op;
        let nearest = loop {
            let region = current.block().region();
            if let Some(known) = self.symbol_tables.nearest.get(&(region.body_id(), region.id())) {
                break *known;
            }
            passed.push(region);
            let Some(parent) = current.parent() else { break Nearest::None };
            match self.rules(parent.name_id()) {
                None => break Nearest::Unknown,
                Some(rules) if rules.is_symbol_table => break Nearest::Table(parent),
                Some(_) => current = parent,
            }
        };
        self.hold(passed.len() * (size_of::<((BodyId, RegionId), Nearest<'_>)>() + ENTRY))?;
        for region in passed {
            self.symbol_tables.nearest.insert((region.body_id(), region.id()), nearest);
        }
        Ok(nearest)
    }

    fn symbol_table(&mut self, op: &Operation<'m>) -> Result<Rc<SymbolTable<'m>>> {
        let key = (op.body_id(), op.id());
        if let Some(known) = self.symbol_tables.tables.get(&key) {
            return Ok(known.clone());
        }
        let mut table = SymbolTable { operations: HashMap::new(), is_partial: false };
        let block = op.region(0)?.and_then(|region| region.block(0));
        for symbol in block.into_iter().flat_map(|block| block.operations()) {
            match self.attribute_named(&symbol, "sym_name")? {
                None => table.is_partial = true,
                Some(None) => {}
                Some(Some(index)) => {
                    if let Some(number) = self.symbol_of_attribute(index)? {
                        table.operations.entry(number).or_insert(symbol);
                    }
                }
            }
        }
        self.hold(table.operations.len() * (size_of::<(u32, Operation<'_>)>() + ENTRY))?;
        let table = Rc::new(table);
        self.symbol_tables.tables.insert(key, table.clone());
        Ok(table)
    }
}

/// Returns the names in a reference, the outermost first.
fn names_of(reference: &Attribute) -> Option<Vec<Vec<u8>>> {
    let text = |field: FieldValue| {
        let FieldValue::Attribute(string) = field else { return None };
        match string.field("value") {
            Ok(Some(FieldValue::String(text))) => Some(text.to_vec()),
            _ => None,
        }
    };
    if !matches!(reference.class()?, "SymbolRefAttr" | "FlatSymbolRefAttr") {
        return None;
    }
    let mut names = vec![text(reference.field("root").ok()??)?];
    if let Ok(Some(FieldValue::List(nested))) = reference.field("nested") {
        for part in nested {
            let FieldValue::Attribute(part) = part else { return None };
            names.push(text(part.field("root").ok()??)?);
        }
    }
    Some(names)
}
