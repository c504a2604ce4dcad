//! Verification that every reference resolves to a symbol.

use std::collections::{HashMap, HashSet};

use crate::dialect::entries::EntryRef;
use crate::edit::Editor;
use crate::edit::arena::{ArenaOp, ROOT, WalkStep, Walker};
use crate::format::id::TypeId;
use crate::wire::error::{Error, ErrorKind, Result};

use super::dialects::SymbolData;
use super::reference::{Marks, dialect_list, dialect_string};
use super::scope::{LookupTables, Scopes, SymbolCache};
use crate::edit::attributes::OpParts;

/// The references that were looked up from the same tables.
struct Lookup {
    marks: Marks,
    /// The parts of verified ops; ops with equal parts are verified once.
    seen: HashSet<OpParts>,
}

impl Editor {
    /// Verifies that every referenced symbol exists, and that the names in each symbol table are unique.
    pub(in crate::edit) fn verify_symbols(&mut self) -> Result<()> {
        self.encode_drafts()?;
        let scopes = self.scopes(&mut SymbolCache::default())?;
        if let Some(op) = scopes.again {
            let error = Error::message(ErrorKind::Ir, "the symbol table has two symbols with the same name");
            return Err(error.with_path(self.path(op)));
        }
        let mut lookups: HashMap<LookupTables, Lookup> = HashMap::new();
        let mut walker = Walker::inside(ROOT);
        while let Some(step) = walker.next(&self.arena) {
            match step {
                WalkStep::Enter(op) => {
                    let parts = self.parts_key(op);
                    let places = scopes.places(op, parts.0);
                    let lookup = self.lookups(&mut lookups, places)?;
                    if lookup.seen.insert(parts) {
                        self.tables.budget.spend(size_of::<OpParts>())?;
                        for of in self.references_of(parts).0 {
                            self.verify_references(of, op, places, &scopes, lookup)?;
                        }
                        self.verify_strings(op, parts, places, &scopes)?;
                    }
                    for result in self.arena.results(op) {
                        let type_ref =
                            EntryRef::Type(TypeId::new(self.arena.value(result).r#type().number()));
                        self.verify_references(type_ref, op, places, &scopes, lookup)?;
                    }
                }
                WalkStep::BeginBlock(block) => {
                    let row = self.arena.block(block);
                    let Some(op) = self.arena.owner_of_block(block) else { continue };
                    let places = scopes.places_inside(op);
                    let lookup = self.lookups(&mut lookups, places)?;
                    for &argument in &row.arguments {
                        let type_ref =
                            EntryRef::Type(TypeId::new(self.arena.value(argument).r#type().number()));
                        self.verify_references(type_ref, op, places, &scopes, lookup)?;
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn lookups<'l>(
        &self,
        lookups: &'l mut HashMap<LookupTables, Lookup>,
        places: LookupTables,
    ) -> Result<&'l mut Lookup> {
        use std::collections::hash_map::Entry;
        Ok(match lookups.entry(places) {
            Entry::Occupied(lookup) => lookup.into_mut(),
            Entry::Vacant(place) => {
                let marks = Marks::new(&self.tables.budget)?;
                place.insert(Lookup { marks, seen: HashSet::new() })
            }
        })
    }

    // Verifies the references in an entry; references in unreadable parts are unknown.
    fn verify_references(
        &self,
        of: EntryRef,
        op: ArenaOp,
        places: LookupTables,
        scopes: &Scopes,
        lookup: &mut Lookup,
    ) -> Result<()> {
        let mut missing = None;
        let view = self.tables.view()?;
        lookup.marks.of(&view, of, None, |names| {
            let is_missing = scopes.resolve(places, names).is_none();
            if is_missing && missing.is_none() {
                missing = Some(shown(names));
            }
            is_missing
        })?;
        match missing {
            None => Ok(()),
            Some(found) => Err(self.undefined(found, op)),
        }
    }

    fn verify_strings(
        &self,
        op: ArenaOp,
        parts: OpParts,
        places: LookupTables,
        scopes: &Scopes,
    ) -> Result<()> {
        let name = self.tables.op_name_bytes(parts.0);
        let uses = SymbolData::shipped()?.uses_of(&String::from_utf8_lossy(&name));
        let Some((strings, fields)) = uses else { return Ok(()) };
        let view = self.tables.view()?;
        for field in fields {
            let Some(index) = self.value_named(parts, field.as_bytes())? else { continue };
            for index in dialect_list(&view, strings, index).unwrap_or_else(|| vec![index]) {
                if let Some(name) = dialect_string(&view, strings, index)
                    && scopes.resolve(places, &[name]).is_none()
                {
                    return Err(self.undefined(shown(&[name]), op));
                }
            }
        }
        Ok(())
    }

    #[cold]
    fn undefined(&self, symbol: String, op: ArenaOp) -> Error {
        Error::message(ErrorKind::Ir, format!("symbol {symbol} is not defined")).with_path(self.path(op))
    }
}

fn shown(names: &[&[u8]]) -> String {
    let names: Vec<_> = names.iter().map(|name| format!("@{}", String::from_utf8_lossy(name))).collect();
    format!("`{}`", names.join("::"))
}
