//! References in bytes of unknown layout, which a renaming must not miss.

use super::{ROUNDS, Rules, entries};
use crate::dialect::entries::{Entries, EntryRef};
use crate::dialect::node::{Field, Node};
use crate::dialect::table::BuiltinKind;
use crate::edit::Editor;
use crate::edit::arena::{ArenaOp, ArenaValue, ROOT, WalkStep, Walker};
use crate::edit::attributes::OpParts;
use crate::edit::symbol::reference::{Marks, is_direct, may_refer};
use crate::edit::symbol::scope::Scopes;
use crate::edit::tables::{View, known_form};
use crate::format::id::TypeId;
use crate::wire::error::Result;
use std::collections::{HashMap, HashSet};

/// The entries that bytes of unknown layout may refer to.
pub(super) struct Suspects {
    numbers: HashSet<u64>,
    /// Entries whose bytes may refer to a reference of the symbol.
    opaque: HashSet<EntryRef>,
}

impl Editor {
    pub(super) fn suspects(&self, rules: &Rules) -> Result<Suspects> {
        let view = self.tables.view()?;
        let renaming = rules.everywhere();
        let mut marks = Marks::new(&self.tables.budget)?;
        let mut node = Node::default();
        let (mut numbers, mut left) = (HashSet::new(), Vec::new());
        for of in entries(view.bounds()) {
            let mark = marks.of(&view, of, None, |names| renaming.place(names).is_some())?;
            if mark.is_hit {
                self.tables.budget.spend(size_of::<EntryRef>())?;
                numbers.insert(number_of(of));
            }
            if mark.is_opaque && is_opaque(&view, of, &mut node) {
                self.tables.budget.spend(size_of::<EntryRef>())?;
                left.push(of);
            }
        }
        let mut opaque = HashSet::new();
        for round in 0..=ROUNDS {
            let count = left.len();
            let mut more = Vec::new();
            left.retain(|&of| {
                let data = view.raw(of).map_or(&[][..], |entry| entry.data);
                let is_one = round == ROUNDS || may_refer(data, |number| numbers.contains(&number));
                if is_one {
                    more.push(of);
                }
                !is_one
            });
            if left.len() == count {
                break;
            }
            // Other opaque entries may refer to entries that contain a reference.
            opaque.extend(more);
            let mut around = Marks::new(&self.tables.budget)?;
            for of in entries(view.bounds()) {
                if around.of(&view, of, Some(&opaque), |_| false)?.is_opaque {
                    numbers.insert(number_of(of));
                }
            }
        }
        Ok(Suspects { numbers, opaque })
    }

    // Returns the first op whose bytes of unknown layout may refer to the symbol.
    pub(super) fn first_suspect(
        &self,
        ops: &[(ArenaOp, Option<usize>)],
        suspects: &Suspects,
    ) -> Result<Option<ArenaOp>> {
        let view = self.tables.view()?;
        let mut marks = Marks::new(&self.tables.budget)?;
        for &(op, _) in ops {
            let parts = self.parts_key(op);
            let (references, is_opaque) = self.references_of(parts);
            if is_opaque
                && let Some(blob) = parts.2
                && may_refer(&self.tables.blob_bytes(blob)?, |number| suspects.numbers.contains(&number))
            {
                return Ok(Some(op));
            }
            for of in references {
                if marks.of(&view, of, Some(&suspects.opaque), |_| false)?.is_opaque {
                    return Ok(Some(op));
                }
            }
        }
        Ok(None)
    }

    // Returns whether an entry that refers to the symbol also refers to another symbol in other places, or is
    // a part of another reference.
    pub(super) fn is_shared(&self, scopes: &Scopes, rules: &mut Rules, suspects: &Suspects) -> Result<bool> {
        let view = self.tables.view()?;
        let everywhere = rules.everywhere();
        let mut node = Node::default();
        for of in entries(view.bounds()) {
            let Some(entry) = view.raw(of) else { continue };
            let Ok(Some((form, _))) = entry.decode(of, &view, &mut node) else { continue };
            if form.builtin != BuiltinKind::SymbolRefAttr {
                continue;
            }
            let mut nested = node.items(1).iter().filter_map(|item| match item {
                Field::Attribute(index, _) => Some(EntryRef::Attribute(*index)),
                _ => None,
            });
            if nested.any(|of| is_direct(&view, of, &everywhere)) {
                return Ok(true);
            }
        }
        let mut seen: HashMap<Option<usize>, (Marks, HashSet<OpParts>)> = HashMap::new();
        let mut walker = Walker::inside(ROOT);
        while let Some(step) = walker.next(&self.arena) {
            let type_of =
                |value: ArenaValue| EntryRef::Type(TypeId::new(self.arena.value(value).r#type().number()));
            let (places, parts, mut all): (_, _, Vec<EntryRef>) = match step {
                WalkStep::Enter(op) => {
                    let parts = self.parts_key(op);
                    (scopes.places(op, parts.0), Some(parts), self.arena.results(op).map(type_of).collect())
                }
                WalkStep::BeginBlock(block) => {
                    let row = self.arena.block(block);
                    let Some(owner) = self.arena.owner_of_block(block) else { continue };
                    let places = scopes.places_inside(owner);
                    (places, None, row.arguments.iter().copied().map(type_of).collect())
                }
                _ => continue,
            };
            let rule = self.rule(scopes, rules, places)?;
            let (marks, known) = match seen.entry(rule) {
                std::collections::hash_map::Entry::Occupied(known) => known.into_mut(),
                std::collections::hash_map::Entry::Vacant(place) => {
                    place.insert((Marks::new(&self.tables.budget)?, HashSet::new()))
                }
            };
            let op_renaming = rule.and_then(|number| rules.renamings.get(number)).map(|rule| &rule.renaming);
            let is_other = |names: &[&[u8]]| {
                everywhere.place(names).is_some()
                    && op_renaming.and_then(|op_renaming| op_renaming.place(names)).is_none()
            };
            if let Some(parts) = parts.filter(|parts| known.insert(*parts)) {
                let (references, is_opaque) = self.references_of(parts);
                all.extend(references);
                if is_opaque
                    && rule.is_none()
                    && let Some(blob) = parts.2
                    && may_refer(&self.tables.blob_bytes(blob)?, |number| suspects.numbers.contains(&number))
                {
                    return Ok(true);
                }
            }
            for of in all {
                let mark = marks.of(&view, of, Some(&suspects.opaque), is_other)?;
                if mark.is_hit || mark.is_opaque && rule.is_none() {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    pub(super) fn rename_in_place(&mut self, rules: &Rules) -> Result<()> {
        let renaming = rules.everywhere();
        let view = self.tables.view()?;
        let direct: Vec<_> = entries(view.bounds()).filter(|&of| is_direct(&view, of, &renaming)).collect();
        let mut new = Vec::with_capacity(direct.len());
        for of in direct {
            new.push((of, self.tables.renamed_entry(of, &renaming, &HashMap::new())?));
        }
        for (of, (dialect, data, _)) in new {
            let is_text = self.tables.view()?.raw(of).is_some_and(|entry| entry.is_text);
            let entry = match is_text {
                true => self.tables.text_entry(&dialect, data.strip_suffix(&[0]).unwrap_or(&data))?,
                false => self.tables.encoded_entry(&dialect, data)?,
            };
            self.tables.put(of, entry);
        }
        Ok(())
    }
}

fn number_of(of: EntryRef) -> u64 {
    of.index().into()
}

// Returns whether an entry itself, not only a nested one, has parts of unknown layout.
fn is_opaque(view: &View<'_>, of: EntryRef, node: &mut Node) -> bool {
    let entry = view.raw(of).filter(|entry| !entry.is_text);
    entry.is_some_and(|entry| {
        let refers = entry.form(of).map_or(true, |form| form.is_none_or(|form| form.refers));
        refers && known_form(&entry, of, view, node).is_err()
    })
}
