//! Parts of transfers, masks and contractions of the vector dialect that the text omits
//! (`mlir/lib/Dialect/Vector/IR/VectorOps.cpp`).

use crate::attr::EntryValues;
use crate::attr::text::dense;
use crate::attr::text::parse::Parsed;
use crate::edit::arena::{ArenaRegion, ArenaValue};
use crate::format::id::{AttrId, TypeId};
use crate::wire::order;

use super::super::frames::{AsmParser, Pending};
use super::Custom;

impl<'t> AsmParser<'t> {
    /// Adds the map and the bounds that the text leaves out, and returns the type of a mask.
    pub(in crate::parse) fn transfer_attributes(
        &mut self,
        pending: &mut Pending<'t>,
        custom: &Custom<'t>,
        shaped: TypeId,
        vector: TypeId,
    ) -> Parsed<TypeId> {
        let shape = dense::shape(self.text.entries(), shaped);
        let (Some(shape), Some((sizes, scalable, _))) = (shape, self.text.entries().vector_parts(vector))
        else {
            return Err(self.contents(pending, "a memref or a ranked tensor, and a vector are needed"));
        };
        if self.found(pending, "permutation_map").is_none() {
            let element = self.text.element_of(shaped)?;
            let inner = element
                .and_then(|element| self.text.entries().vector_parts(element))
                .map_or(0, |parts| parts.0.len());
            let rank = sizes.len().saturating_sub(inner);
            let map = if shape.is_empty() && sizes == [1] {
                "affine_map<() -> (0)>".to_owned()
            } else {
                let Some(first) = shape.len().checked_sub(rank) else {
                    return Err(
                        self.contents(pending, "a vector with more dimensions needs a `permutation_map`")
                    );
                };
                let names = |from: usize| {
                    (from..shape.len()).map(|dim| format!("d{dim}")).collect::<Vec<_>>().join(", ")
                };
                format!("affine_map<({}) -> ({})>", names(0), names(first))
            };
            self.set_text(pending, "permutation_map", &map)?;
        }
        let Some(map) = self.found(pending, "permutation_map") else {
            return Ok(vector);
        };
        let map = self.whole_attribute(AttrId::new(map))?;
        let results = map_results(&map);
        if self.is_required(custom, "in_bounds") {
            let all = self.editor.tables.budget.repeat("false, ", results.len())?;
            self.set_default(pending, "in_bounds", &format!("[{}]", all.trim_end_matches(", ")))?;
        }
        // The mask has the dimensions that the map uses, in their order.
        let mut used: Vec<(u32, usize)> = Vec::new();
        for (place, result) in results.iter().enumerate() {
            if let Some(dim) = result.strip_prefix('d').and_then(|digits| digits.parse().ok())
                && !used.iter().any(|(known, _)| *known == dim)
            {
                used.push((dim, place));
            }
        }
        order::sort(&mut used);
        let part = |place: usize| Some((*sizes.get(place)?, *scalable.get(place)?));
        let (mut sizes, mut flags): (Vec<i64>, Vec<bool>) =
            used.iter().filter_map(|(_, place)| part(*place)).unzip();
        if sizes.is_empty() {
            (sizes, flags) = (vec![1], vec![false]);
        }
        let bit = self.type_named("i1")?;
        self.text.vector_of(&sizes, &flags, bit)
    }

    /// Adds the entries of a dictionary as attributes; `false` if it is not a dictionary.
    pub(in crate::parse) fn dictionary_entries(
        &mut self,
        pending: &mut Pending<'t>,
        dictionary: AttrId,
    ) -> bool {
        let Some(entries) = self.text.dictionary_items(dictionary) else { return false };
        for (name, value) in entries {
            let name = self.attribute_name(&name);
            pending.attributes.retain(|&(known, _)| known != name);
            pending.attributes.push((name, value.number()));
        }
        true
    }

    /// Makes attributes of the strings in `iterator_types`.
    pub(in crate::parse) fn iterator_types(&mut self, pending: &mut Pending<'t>, class: &str) -> Parsed<()> {
        let Some(array) = self.found(pending, "iterator_types") else { return Ok(()) };
        let Some(items) = self.text.entries().items(AttrId::new(array)) else { return Ok(()) };
        let mut words = Vec::new();
        for item in items {
            let text = self.whole_attribute(item)?;
            words.push(match text.strip_prefix('"').and_then(|text| text.strip_suffix('"')) {
                Some(word @ ("parallel" | "reduction" | "window")) => {
                    AttrId::new(self.text.fragment(false, &format!("#{class}<{word}>"))?)
                }
                Some(_) => {
                    return Err(self.contents(pending, "an iterator type is `parallel` or `reduction`"));
                }
                None => item,
            });
        }
        let array = self.text.array_value(&words)?;
        self.set_named(pending, "iterator_types", array);
        Ok(())
    }

    /// The terminator of a mask returns the results of its only operation.
    pub(in crate::parse) fn yield_of_mask(&mut self, region: ArenaRegion, location: u32) -> Parsed<()> {
        self.ensure_block(region)?;
        let Some(&block) = self.editor.arena.region(region).blocks.last() else { return Ok(()) };
        let row = self.editor.arena.block(block);
        let (last, count) = (row.last_op, row.ops);
        if last.is_some_and(|last| self.is_terminator(self.editor.arena.op(last).name().number())) {
            return Ok(());
        }
        let values: Vec<ArenaValue> = match (last, count) {
            (Some(last), 1) => self.results_of(last).collect(),
            _ => Vec::new(),
        };
        // Before MLIR 17, the terminator had the location of the operation.
        let location = match last.filter(|_| !values.is_empty() && !self.release.has_properties()) {
            None => location,
            Some(last) => self.editor.arena.op(last).location.number(),
        };
        let position = self.editor_position();
        self.add_op("vector.yield", block, (position, location), &values, &[], Vec::new()).map(drop)
    }
}

/// The texts of the results of a map.
fn map_results(map: &str) -> Vec<&str> {
    let (_, results) = map.split_once("-> (").unwrap_or_default();
    let results = results.trim_end_matches(['>', ')']);
    results.split(", ").filter(|result| !result.is_empty()).collect()
}
