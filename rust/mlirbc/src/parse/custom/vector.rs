//! Operations of the vector dialect (`mlir/lib/Dialect/Vector/IR/VectorOps.cpp`).

use crate::attr::text::lexer::TokenKind;
use crate::attr::text::parse::Parsed;
use crate::wire::order;

use super::super::frames::{AsmParser, NONE, Pending};
use super::super::operands::Reference;
use super::parts::same_types;
use super::{Custom, HandWritten, Step};

/// The function for a hand-written format.
pub(super) fn form<'t>(name: &str) -> Option<HandWritten<'t>> {
    let form: HandWritten<'t> = match name {
        "vector.transfer_read" => AsmParser::transfer_read,
        "vector.transfer_write" => AsmParser::transfer_write,
        "vector.contract" => AsmParser::contract,
        "vector.outerproduct" => AsmParser::outer_product,
        "vector.mask" => AsmParser::mask,
        _ => return None,
    };
    Some(form)
}

impl<'t> AsmParser<'t> {
    /// `%m[%i], %pad, %mask {…} : memref<4xf32>, vector<4xf32>`
    fn transfer_read(&mut self, pending: &mut Pending<'t>, custom: &mut Custom<'t>, _: u32) -> Step<'t> {
        let source = self.reference()?;
        let indices = self.references_in_brackets()?;
        self.comma()?;
        let padding = self.reference()?;
        let mask = self.mask_of_transfer()?;
        self.optional_attributes(pending)?;
        let [shaped, vector] = self.two_types(pending)?;
        let mask_type = self.transfer_attributes(pending, custom, shaped, vector)?;
        let index = self.index()?;
        let types = same_types(index, &indices);
        let element = self.text.element_of(shaped)?.unwrap_or(shaped);
        custom.give_at(0, vec![source], vec![shaped]);
        custom.give_at(1, indices, types);
        custom.give_at(2, vec![padding], vec![element]);
        let types = same_types(mask_type, &mask);
        custom.give_at(3, mask, types);
        custom.result(vec![vector]);
        Ok(None)
    }

    /// `%v, %m[%i], %mask {…} : vector<4xf32>, memref<4xf32>`
    fn transfer_write(&mut self, pending: &mut Pending<'t>, custom: &mut Custom<'t>, _: u32) -> Step<'t> {
        let value = self.reference()?;
        self.comma()?;
        let target = self.reference()?;
        let indices = self.references_in_brackets()?;
        let mask = self.mask_of_transfer()?;
        self.optional_attributes(pending)?;
        let [vector, shaped] = self.two_types(pending)?;
        let mask_type = self.transfer_attributes(pending, custom, shaped, vector)?;
        let index = self.index()?;
        let types = same_types(index, &indices);
        custom.give_at(0, vec![value], vec![vector]);
        custom.give_at(1, vec![target], vec![shaped]);
        custom.give_at(2, indices, types);
        let types = same_types(mask_type, &mask);
        custom.give_at(3, mask, types);
        custom.result(if self.is_ranked_tensor(shaped) { vec![shaped] } else { Vec::new() });
        Ok(None)
    }

    fn mask_of_transfer(&mut self) -> Parsed<Vec<Reference<'t>>> {
        match self.eat(TokenKind::Comma)? {
            true => Ok(vec![self.reference()?]),
            false => Ok(Vec::new()),
        }
    }

    fn two_types(&mut self, pending: &Pending<'t>) -> Parsed<[u32; 2]> {
        let types = self.colon_types()?;
        types.try_into().map_err(|_| self.contents(pending, "two types are needed"))
    }

    // Adds the map and the bounds that the text leaves out, and returns the type of a mask.
    fn transfer_attributes(
        &mut self,
        pending: &mut Pending<'t>,
        custom: &Custom<'t>,
        shaped: u32,
        vector: u32,
    ) -> Parsed<u32> {
        let shape = self.text.shape_of(shaped);
        let (Some(shape), Some((sizes, scalable, _))) = (shape, self.text.vector_parts(vector)) else {
            return Err(self.contents(pending, "a memref or a ranked tensor, and a vector are needed"));
        };
        if self.found(pending, "permutation_map").is_none() {
            let element = self.text.element_of(shaped)?;
            let inner =
                element.and_then(|element| self.text.vector_parts(element)).map_or(0, |parts| parts.0.len());
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
        let Some(map) = self.found(pending, "permutation_map") else { return Ok(vector) };
        let map = self.whole_attribute(map)?;
        let results = map_results(&map);
        if self.is_required(custom, "in_bounds") {
            let all = self.editor.tables.budget.repeat("false, ", results.len())?;
            self.set_default(pending, "in_bounds", &format!("[{}]", all.trim_end_matches(", ")))?;
        }
        // The dimensions of the mask are those that the map uses, in their order.
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

    /// `{…} %a, %b, %c : vector<2xf32>, vector<2xf32> into f32`
    fn contract(&mut self, pending: &mut Pending<'t>, custom: &mut Custom<'t>, _: u32) -> Step<'t> {
        let token = self.peek()?;
        let dictionary = self.text.parse_attribute()?;
        let lhs = self.reference()?;
        self.comma()?;
        let rhs = self.reference()?;
        self.comma()?;
        let acc = self.reference()?;
        let mut masks = Vec::new();
        while self.eat(TokenKind::Comma)? {
            masks.push(self.reference()?);
        }
        self.optional_attributes(pending)?;
        let types = self.colon_types()?;
        // MLIR ignores more of them.
        let &[left, right, ..] = &*types else { return Err(self.contents(pending, "two types are needed")) };
        self.expect_literal("into")?;
        let result = self.parse_type()?;
        if !self.dictionary_entries(pending, dictionary) {
            return self.unexpected(token, "a dictionary of attributes");
        }
        self.iterator_types(pending, "vector.iterator_type")?;
        self.set_default(pending, "kind", "#vector.kind<add>")?;
        if !masks.is_empty() {
            let bit = self.type_named("i1")?;
            let mut types = Vec::new();
            for of in [left, right] {
                types.push(self.text.with_element(of, bit)?.unwrap_or(of));
            }
            self.same_count(pending, masks.len(), types.len())?;
            custom.give_at(3, masks, types);
        }
        custom.give_at(0, vec![lhs], vec![left]);
        custom.give_at(1, vec![rhs], vec![right]);
        custom.give_at(2, vec![acc], vec![result]);
        custom.result(vec![result]);
        Ok(None)
    }

    /// Adds the entries of a dictionary as attributes; `false` if it is not a dictionary.
    pub(super) fn dictionary_entries(&mut self, pending: &mut Pending<'t>, dictionary: u32) -> bool {
        let Some(entries) = self.text.dictionary_items(dictionary) else { return false };
        for (name, value) in entries {
            let name = self.attribute_name(&name);
            pending.attributes.retain(|&(known, _)| known != name);
            pending.attributes.push((name, value));
        }
        true
    }

    /// Makes attributes of the strings in `iterator_types`.
    pub(super) fn iterator_types(&mut self, pending: &mut Pending<'t>, class: &str) -> Parsed<()> {
        let Some(array) = self.found(pending, "iterator_types") else { return Ok(()) };
        let Some(items) = self.text.array_items(array) else { return Ok(()) };
        let mut made = Vec::new();
        for item in items {
            let text = self.whole_attribute(item)?;
            made.push(match text.strip_prefix('"').and_then(|text| text.strip_suffix('"')) {
                Some(word @ ("parallel" | "reduction" | "window")) => {
                    self.text.fragment(false, &format!("#{class}<{word}>"))?
                }
                Some(_) => {
                    return Err(self.contents(pending, "an iterator type is `parallel` or `reduction`"));
                }
                None => item,
            });
        }
        let array = self.text.array_value(&made)?;
        self.set_named(pending, "iterator_types", array);
        Ok(())
    }

    /// `%a, %b, %c : vector<2xf32>, vector<3xf32>`
    fn outer_product(&mut self, pending: &mut Pending<'t>, custom: &mut Custom<'t>, _: u32) -> Step<'t> {
        let mut values = self.references()?.into_iter();
        let (Some(lhs), Some(rhs)) = (values.next(), values.next()) else {
            return Err(self.contents(pending, "two operands are needed"));
        };
        self.optional_attributes(pending)?;
        let [left, right] = self.two_types(pending)?;
        let Some((mut sizes, mut scalable, element)) = self.text.vector_parts(left) else {
            return Err(self.contents(pending, "the first operand is a vector"));
        };
        sizes.truncate(1);
        scalable.truncate(1);
        if let Some((more, flags, _)) = self.text.vector_parts(right) {
            sizes.extend(more.first());
            scalable.extend(flags.first());
        }
        let result = self.text.vector_of(&sizes, &scalable, element)?;
        self.set_default(pending, "kind", "#vector.kind<add>")?;
        let rest: Vec<_> = values.collect();
        let types = same_types(result, &rest);
        custom.give_at(0, vec![lhs], vec![left]);
        custom.give_at(1, vec![rhs], vec![right]);
        custom.give_at(2, rest, types);
        custom.result(vec![result]);
        Ok(None)
    }

    /// `%m, %pass { … } : vector<4xi1> -> vector<4xf32>`
    fn mask(&mut self, pending: &mut Pending<'t>, custom: &mut Custom<'t>, phase: u32) -> Step<'t> {
        if phase == 0 {
            custom.give_at(0, vec![self.reference()?], Vec::new());
            if self.eat(TokenKind::Comma)? {
                custom.give_at(1, vec![self.reference()?], Vec::new());
            }
            custom.regions.push(0);
            return self.open_region(Vec::new()).map(Some);
        }
        if let Some(&region) = pending.regions.first() {
            self.yield_of_mask(region, pending.location)?;
        }
        self.optional_attributes(pending)?;
        let r#type = self.colon_type()?;
        let results = self.optional_results()?;
        if let Some(slot) = custom.operand_types.get_mut(0) {
            *slot = Some(vec![r#type]);
        }
        if let Some(slot) = custom.operand_types.get_mut(1) {
            let count = custom.operands.get(1).map_or(0, Vec::len);
            *slot = Some(results.iter().copied().take(count).collect());
        }
        custom.result(results);
        Ok(None)
    }

    // The terminator of a mask returns the results of its only operation.
    fn yield_of_mask(&mut self, region: u32, location: u32) -> Parsed<()> {
        self.ensure_block(region)?;
        let Some(&block) = self.editor.arena.region(region).blocks.last() else { return Ok(()) };
        let row = self.editor.arena.block(block);
        let (last, count) = (row.last_op, row.ops);
        if last != NONE && self.is_terminator(self.editor.arena.op(last).name) {
            return Ok(());
        }
        let values: Vec<u32> = match (last, count) {
            (NONE, _) => Vec::new(),
            (last, 1) => self.results_of(last).collect(),
            _ => Vec::new(),
        };
        // Before MLIR 17, the terminator had the location of the operation.
        let location = match values.is_empty() || self.release.has_properties() {
            true => location,
            false => self.editor.arena.op(last).location,
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
