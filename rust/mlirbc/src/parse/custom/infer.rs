//! Types that follow from other types by the rules of a definition.

use crate::assembly::{Inference, Rule, TypedPart};
use crate::attr::text::parse::Parsed;

use super::super::frames::{AsmParser, Pending};
use super::Custom;
use super::parts::{is_one, same_types};

impl<'t> AsmParser<'t> {
    fn part_types(
        &mut self,
        pending: &Pending<'t>,
        custom: &Custom<'t>,
        part: TypedPart,
    ) -> Option<Vec<u32>> {
        match part {
            TypedPart::Operand(number) => {
                let known_types = custom.operand_types.get(number)?.clone();
                // A single reference to a value that is defined needs no text.
                known_types.filter(|types| !types.is_empty())
            }
            TypedPart::Result(number) => {
                custom.result_types.get(number)?.clone().filter(|types| !types.is_empty())
            }
            TypedPart::Attribute(number) => {
                let name = custom.definition.attributes().get(number)?.name();
                let name = self.attribute_name(name.as_bytes());
                let value = pending.attributes.iter().find(|(known_types, _)| *known_types == name)?.1;
                if let Some(r#type) = self.text.type_of_type_attribute(value) {
                    return Some(vec![r#type]);
                }
                if let Some(r#type) = self.type_of_value(value).ok().flatten() {
                    return Some(vec![r#type]);
                }
                // `#dialect.name : !dialect.type`
                let text = self.whole_attribute(value).ok()?;
                let (_, r#type) = text.rsplit_once(" : ").filter(|_| text.starts_with('#'))?;
                self.type_named(r#type).ok().map(|r#type| vec![r#type])
            }
        }
    }

    // Sets the types of a part whose types are unknown, and returns whether they were unknown.
    fn set_part(&mut self, custom: &mut Custom<'t>, part: TypedPart, types: &[u32]) -> bool {
        let Some(&first) = types.first() else { return false };
        match part {
            TypedPart::Operand(number) => {
                let values = custom.operands.get(number).map(Vec::as_slice).unwrap_or_default();
                let Some(slot @ None) = custom.operand_types.get_mut(number) else { return false };
                *slot = Some(match types.len() == values.len() {
                    true => types.to_vec(),
                    false => same_types(first, values),
                });
                true
            }
            TypedPart::Result(number) => {
                let is_single = custom
                    .definition
                    .results()
                    .get(number)
                    .is_some_and(|is_single| is_one(is_single.multiplicity()));
                let Some(slot @ None) = custom.result_types.get_mut(number) else { return false };
                *slot = Some(if is_single { vec![first] } else { types.to_vec() });
                true
            }
            TypedPart::Attribute(_) => false,
        }
    }

    /// Applies the rules once and returns whether a type became known.
    pub(super) fn apply_rules(
        &mut self,
        pending: &Pending<'t>,
        custom: &mut Custom<'t>,
        inference: &Inference,
    ) -> Parsed<bool> {
        let mut is_changed = false;
        for rule in inference.rules() {
            is_changed |= match rule {
                Rule::Same { parts, is_grouped } => self.same_part_types(pending, custom, parts, *is_grouped),
                Rule::OfAttribute => self.attribute_types(pending, custom),
                Rule::Computed { from, to, function, excludes_buffers } => {
                    let types = self.part_types(pending, custom, *from);
                    let Some(&first) = types.as_ref().and_then(|types| types.first()) else { continue };
                    if *excludes_buffers && self.whole_type(first)?.starts_with("memref<") {
                        continue;
                    }
                    let computed = self.transformed(function, first)?;
                    computed.is_some_and(|computed| self.set_part(custom, *to, &computed))
                }
            };
        }
        Ok(is_changed)
    }

    // Groups have the same types one by one.
    fn same_part_types(
        &mut self,
        pending: &Pending<'t>,
        custom: &mut Custom<'t>,
        parts: &[TypedPart],
        is_grouped: bool,
    ) -> bool {
        let known_types = parts.iter().find_map(|&part| self.part_types(pending, custom, part));
        let Some(known_types) = known_types.filter(|known_types| !known_types.is_empty()) else {
            return false;
        };
        let types = if is_grouped { &known_types[..] } else { known_types.get(..1).unwrap_or_default() };
        let mut is_changed = false;
        for &part in parts {
            is_changed |= self.set_part(custom, part, types);
        }
        is_changed
    }

    fn attribute_types(&mut self, pending: &Pending<'t>, custom: &mut Custom<'t>) -> bool {
        let Some(types) = self.first_attribute_type(pending, custom) else { return false };
        let mut is_changed = false;
        for result in 0..custom.definition.results().len() {
            is_changed |= self.set_part(custom, TypedPart::Result(result), &types);
        }
        is_changed
    }

    fn first_attribute_type(&mut self, pending: &Pending<'t>, custom: &Custom<'t>) -> Option<Vec<u32>> {
        let name = custom.definition.attributes().first()?.name();
        let name = self.attribute_name(name.as_bytes());
        let value = pending.attributes.iter().find(|(value_type, _)| *value_type == name)?.1;
        let value_type =
            self.text.type_of_type_attribute(value).or_else(|| self.text.type_of_attribute(value));
        if let Some(value_type) = value_type {
            return Some(vec![value_type]);
        }
        // `#smt.bv<5> : !smt.bv<32>`
        let text = self.whole_attribute(value).ok()?;
        let (number, r#type) = text.strip_prefix("#smt.bv<")?.split_once("> : ")?;
        // MLIR prints other numbers, such as `#b101`, in decimal.
        if number.is_empty() || !number.trim_start_matches('-').bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        self.type_named(r#type).ok().map(|r#type| vec![r#type])
    }

    /// The types of results that `InferTypeOpInterface` computes by code of the dialect.
    pub(super) fn infer_results(&mut self, pending: &Pending<'t>, custom: &mut Custom<'t>) -> Parsed<()> {
        let types = |number: usize| custom.operand_types.get(number).cloned().flatten();
        let inferred = match custom.definition.name() {
            "shape.rank"
            | "shape.dim"
            | "shape.num_elements"
            | "shape.add"
            | "shape.mul"
            | "shape.div"
            | "shape.max"
            | "shape.min"
            | "memref.distinct_objects" => types(0),
            "bufferization.dealloc" => {
                let conditions = custom.operands.get(2).map(Vec::as_slice).unwrap_or_default();
                Some(same_types(self.text.fragment(true, "i1")?, conditions))
            }
            "vector.shuffle" => self.shuffled(pending, custom)?.map(|one| vec![one]),
            // A pointer and several offsets give several pointers.
            "ptr.ptr_add" => match (types(0).as_deref(), types(1).as_deref()) {
                (Some(&[base]), Some(&[offset]))
                    if self.text.shape_of(base).is_none() && self.text.shape_of(offset).is_some() =>
                {
                    Some(vec![self.text.with_element(offset, base)?.unwrap_or(base)])
                }
                (base, _) => base.map(<[u32]>::to_vec),
            },
            "chlo.constant" => self.first_attribute_type(pending, custom),
            "vector.to_elements" => {
                let source = types(0).and_then(|types| types.first().copied());
                match source.and_then(|source| self.text.vector_parts(source)) {
                    Some((sizes, _, element)) => {
                        let mut sizes = sizes.iter().map(|&size| usize::try_from(size).ok());
                        let count = sizes.try_fold(1_usize, |count, size| count.checked_mul(size?));
                        Some(self.list_of(element, count.unwrap_or(usize::MAX))?)
                    }
                    None => None,
                }
            }
            "vector.extract" => self.extracted(pending, custom)?.map(|one| vec![one]),
            "smt.bv.concat" => {
                let all = [types(0), types(1)].into_iter().flatten().flatten();
                let mut bits = 0_u64;
                for r#type in all {
                    let text = self.whole_type(r#type)?;
                    let digits = text.trim_start_matches("!smt.bv<").trim_end_matches('>');
                    bits += digits.parse::<u32>().map_or(0, u64::from);
                }
                Some(vec![self.type_named(&format!("!smt.bv<{bits}>"))?])
            }
            "wasmssa.local_get" | "wasmssa.local_tee" => {
                let source = types(0).and_then(|types| types.first().copied());
                match source {
                    Some(source) => {
                        let text = self.whole_type(source)?;
                        let inner = text.trim_start_matches("!wasmssa<local ref to ").trim_end_matches('>');
                        Some(vec![self.type_named(inner)?])
                    }
                    None => None,
                }
            }
            _ => None,
        };
        if let Some(types) = inferred {
            self.set_part(custom, TypedPart::Result(0), &types);
        }
        Ok(())
    }

    /// The type of a value that only MLIR's parser of the operation knows.
    pub(super) fn implied_type(&mut self, custom: &Custom<'t>, value: &str) -> Parsed<Option<u32>> {
        if !custom.definition.name().starts_with("gpu.") {
            return Ok(None);
        }
        let text = match value {
            "desc" => "!gpu.sparse.spgemmop_handle",
            value if value.starts_with("sp") => "!gpu.sparse.spmat_handle",
            value if value.starts_with("dn") => "!gpu.sparse.dntensor_handle",
            _ => return Ok(None),
        };
        self.type_named(text).map(Some)
    }

    // Returns the type at a position of a vector.
    fn extracted(&mut self, pending: &Pending<'t>, custom: &Custom<'t>) -> Parsed<Option<u32>> {
        let source = custom.operand_types.first().cloned().flatten().and_then(|types| types.first().copied());
        let position = self.found(pending, "position").and_then(|position| self.text.array_items(position));
        let (Some(mut of), Some(position)) = (source, position) else { return Ok(None) };
        for _ in position {
            let Some((sizes, _, element)) = self.text.vector_parts(of) else { return Ok(None) };
            of = match sizes.len() {
                0 | 1 => element,
                _ => self.text.without_first_dimension(of, None)?.unwrap_or(element),
            };
        }
        Ok(Some(of))
    }

    // The vector with as many elements as the mask has.
    fn shuffled(&mut self, pending: &Pending<'t>, custom: &Custom<'t>) -> Parsed<Option<u32>> {
        let name = self.attribute_name(b"mask");
        let mask = pending.attributes.iter().find(|(known, _)| *known == name).map(|(_, value)| *value);
        // Before MLIR 20, the mask was an array of numbers.
        let items = mask.and_then(|mask| self.text.array_items(mask)).map(|items| items.len() as i64);
        let count = items.or_else(|| mask.and_then(|mask| self.text.array_length(mask)));
        let first = custom.operand_types.first().cloned().flatten().and_then(|types| types.first().copied());
        match (count, first) {
            (Some(count), Some(first)) => self.text.with_first_dimension(first, count),
            _ => Ok(None),
        }
    }
}
