//! Verification that every reference resolves to a symbol.

use std::collections::{HashMap, HashSet};

use crate::dialect::entries::EntryRef;
use crate::edit::Editor;
use crate::edit::arena::{ROOT, Step, Walker};
use crate::wire::error::{Error, ErrorKind, Result};

use super::dialects::SymbolData;
use super::reference::{Marks, dialect_list, dialect_string};
use super::scope::{Known, Places, Scopes};
use crate::edit::attributes::OpParts;

/// References that were looked up from one place.
struct Looked {
    marks: Marks,
    /// Ops that look alike are verified once.
    seen: HashSet<OpParts>,
}

impl Editor {
    /// Verifies that every referenced symbol exists, and that no symbol table has two with one name.
    pub(in crate::edit) fn verify_symbols(&mut self) -> Result<()> {
        self.encode_drafts()?;
        let scopes = self.scopes(&mut Known::default())?;
        if let Some(op) = scopes.again {
            let error = Error::message(ErrorKind::Ir, "the symbol table has two symbols with the same name");
            return Err(error.with_path(self.path(op)));
        }
        let mut looked: HashMap<Places, Looked> = HashMap::new();
        let mut walker = Walker::inside(ROOT);
        while let Some(step) = walker.next(&self.arena) {
            match step {
                Step::Enter(op) => {
                    let parts = self.parts_key(op);
                    let places = scopes.places(op, parts.0);
                    let known = self.looked(&mut looked, places)?;
                    if known.seen.insert(parts) {
                        self.tables.budget.spend(size_of::<OpParts>())?;
                        for of in self.references_of(parts).0 {
                            self.verify_references(of, op, places, &scopes, known)?;
                        }
                        self.verify_strings(op, parts, places, &scopes)?;
                    }
                    for result in self.arena.results(op) {
                        let of = EntryRef::Type(self.arena.value(result).r#type);
                        self.verify_references(of, op, places, &scopes, known)?;
                    }
                }
                Step::BeginBlock(block) => {
                    let row = self.arena.block(block);
                    let op = self.arena.region(row.region).op;
                    let places = scopes.places_inside(op);
                    let known = self.looked(&mut looked, places)?;
                    for &argument in &row.arguments {
                        let of = EntryRef::Type(self.arena.value(argument).r#type);
                        self.verify_references(of, op, places, &scopes, known)?;
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn looked<'l>(&self, looked: &'l mut HashMap<Places, Looked>, places: Places) -> Result<&'l mut Looked> {
        use std::collections::hash_map::Entry;
        Ok(match looked.entry(places) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(place) => {
                let marks = Marks::new(&self.tables.budget)?;
                place.insert(Looked { marks, seen: HashSet::new() })
            }
        })
    }

    // References in unreadable parts are unknown.
    fn verify_references(
        &self,
        of: EntryRef,
        op: u32,
        places: Places,
        scopes: &Scopes,
        known: &mut Looked,
    ) -> Result<()> {
        let mut missing = None;
        let view = self.tables.view()?;
        known.marks.of(&view, of, None, |names| {
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

    fn verify_strings(&self, op: u32, parts: OpParts, places: Places, scopes: &Scopes) -> Result<()> {
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
    fn undefined(&self, found: String, op: u32) -> Error {
        Error::message(ErrorKind::Ir, format!("symbol {found} is not defined")).with_path(self.path(op))
    }
}

fn shown(names: &[&[u8]]) -> String {
    let names: Vec<_> = names.iter().map(|name| format!("@{}", String::from_utf8_lossy(name))).collect();
    format!("`{}`", names.join("::"))
}
