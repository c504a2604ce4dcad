//! Types that follow from other types by the rules of a definition.

use crate::assembly::{Inference, Rule, TypedPart, Values};
use crate::attr::EntryValues;
use crate::attr::text::dense;
use crate::attr::text::parse::Parsed;
use crate::dialect::entries::EntryRef;
use crate::dialect::table::BuiltinKind;
use crate::format::id::{AttrId, TypeId};

use super::custom::Custom;
use super::dialects::transformers::BODY;
use super::frames::{AsmParser, Pending};
use super::parts::{is_one, same_types};

/// The name of a function of all types of a part.
const SUM_OF_BITS: &str = "[\"sum_of_bits\"]";

/// The type of an attribute of a dialect after a colon, of the last one in an array.
fn type_at_end(text: &str) -> Option<&str> {
    let (_, rest) = text.rsplit_once(" : ").filter(|_| text.starts_with(['#', '[']))?;
    // The brackets of attributes around it end here.
    let mut depth = 0_usize;
    let end = rest.bytes().position(|byte| {
        depth += usize::from(matches!(byte, b'<' | b'(' | b'[' | b'{'));
        let closes = matches!(byte, b'>' | b')' | b']' | b'}');
        let is_end = depth == 0 && (closes || byte == b',');
        depth -= usize::from(closes && depth > 0);
        is_end
    });
    rest.get(..end.unwrap_or(rest.len()))
}

/// The texts of types in `["last_of", "i1", "!ltl.sequence"]`.
fn listed_texts(function: &str) -> Option<Vec<String>> {
    let arguments = function.strip_prefix("[\"last_of\",")?;
    serde_json::from_str(&format!("[{arguments}")).ok()
}

impl<'t> Custom<'t> {
    /// The types of operands or results of a name, or of all.
    pub(super) fn types_mut(&mut self, of: Values) -> Option<&mut Option<Vec<TypeId>>> {
        match of {
            Values::Operand(place) => self.operand_types.get_mut(place),
            Values::Result(place) => self.result_types.get_mut(place),
            Values::AllOperands => Some(&mut self.all_operand_types),
            Values::AllResults => Some(&mut self.all_result_types),
        }
    }

    fn slot(&mut self, part: TypedPart) -> Option<&mut Option<Vec<TypeId>>> {
        match part {
            TypedPart::Operand(number) => self.operand_types.get_mut(number),
            TypedPart::Result(number) => self.result_types.get_mut(number),
            TypedPart::Attribute(_) => None,
        }
    }

    /// Whether the types of a part are not known.
    pub(super) fn lacks(&mut self, part: TypedPart) -> bool {
        matches!(self.slot(part), Some(None))
    }

    /// How many operands a part has.
    pub(super) fn count(&self, part: TypedPart) -> usize {
        match part {
            TypedPart::Operand(number) => self.operands.get(number).map_or(0, Vec::len),
            _ => 0,
        }
    }

    /// Sets the types of a part.
    pub(super) fn set(&mut self, part: TypedPart, types: Vec<TypeId>) {
        if let Some(slot) = self.slot(part) {
            *slot = Some(types);
        }
    }

    /// Sets the types of a part whose types are unknown, and returns whether they were unknown. Other numbers of values than of
    /// types have the first type.
    pub(super) fn set_part(&mut self, part: TypedPart, types: &[TypeId]) -> bool {
        let Some(&first) = types.first() else { return false };
        let count = match part {
            TypedPart::Result(number) if !self.definition.results().get(number).is_some_and(is_one) => {
                types.len()
            }
            TypedPart::Result(_) => 1,
            part => self.count(part),
        };
        let Some(slot @ None) = self.slot(part) else { return false };
        *slot = Some(if types.len() == count { types.to_vec() } else { same_types(first, count) });
        true
    }
}

impl<'t> AsmParser<'t> {
    fn part_types(
        &mut self,
        pending: &Pending<'t>,
        custom: &Custom<'t>,
        part: TypedPart,
    ) -> Option<Vec<TypeId>> {
        let types = match part {
            TypedPart::Operand(number) => custom.operand_types.get(number)?.clone()?,
            TypedPart::Result(number) => custom.result_types.get(number)?.clone()?,
            TypedPart::Attribute(number) => {
                let value = self.found(pending, custom.definition.attributes().get(number)?.name())?;
                // An array has the type of its last item.
                let value = match self.text.entries().items(AttrId::new(value)) {
                    Some(items) => *items.last()?,
                    None => AttrId::new(value),
                };
                match self.text.entries().type_in(value) {
                    Some(r#type) => vec![r#type],
                    None => match self.type_of_value(value).ok().flatten() {
                        Some(r#type) => vec![r#type],
                        // `#dialect.name : !dialect.type`, or an array of such attributes.
                        None => {
                            let text = self.whole_attribute(value).ok()?;
                            vec![self.type_named(type_at_end(&text)?).ok()?]
                        }
                    },
                }
            }
        };
        (!types.is_empty()).then_some(types)
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
                Rule::OfAttribute => {
                    let types = self.first_attribute_type(pending, custom).unwrap_or_default();
                    let mut results = (0..custom.definition.results().len()).map(TypedPart::Result);
                    results.by_ref().fold(false, |is_set, part| is_set | custom.set_part(part, &types))
                }
                Rule::Computed { from: TypedPart::Attribute(number), to, function, .. }
                    if function.contains(BODY) =>
                {
                    let name = custom.definition.attributes().get(*number).map(|attribute| attribute.name());
                    match name.and_then(|name| self.found(pending, name)) {
                        Some(value) => {
                            let text = self.whole_attribute(AttrId::new(value))?;
                            let computed = self.around_body(function, &text)?;
                            custom.set_part(*to, &[computed])
                        }
                        None => false,
                    }
                }
                Rule::Computed { from, to, function, excludes_buffers } => {
                    let types = self.part_types(pending, custom, *from);
                    let Some(&first) = types.as_ref().and_then(|types| types.first()) else { continue };
                    let kind = self.text.entries().builtin_kind(EntryRef::Type(first));
                    if *excludes_buffers
                        && matches!(kind, BuiltinKind::MemRefType | BuiltinKind::UnrankedMemRefType)
                    {
                        continue;
                    }
                    let types = types.as_deref().unwrap_or_default();
                    let computed = match listed_texts(function) {
                        Some(texts) => self.last_listed(&texts, types)?,
                        None if &**function == SUM_OF_BITS => self.sum_of_bits(types)?,
                        None => self.transformed(function, first)?,
                    };
                    computed.is_some_and(|computed| custom.set_part(*to, &computed))
                }
            };
        }
        Ok(is_changed)
    }

    /// An integer with the bits of all types.
    fn sum_of_bits(&mut self, types: &[TypeId]) -> Parsed<Option<Vec<TypeId>>> {
        let mut sum = 0_u64;
        for &r#type in types {
            let Some(element) = self.text.entries().number_type(r#type) else { return Ok(None) };
            sum = sum.saturating_add(u64::from(element.bits()));
        }
        self.type_named(&format!("i{sum}")).map(|sum| Some(vec![sum]))
    }

    /// The last of the listed types that one of the types is.
    fn last_listed(&mut self, listed: &[String], types: &[TypeId]) -> Parsed<Option<Vec<TypeId>>> {
        for text in listed.iter().rev() {
            let r#type = self.type_named(text)?;
            if types.contains(&r#type) {
                return Ok(Some(vec![r#type]));
            }
        }
        Ok(None)
    }

    // Groups have the same types one by one.
    fn same_part_types(
        &mut self,
        pending: &Pending<'t>,
        custom: &mut Custom<'t>,
        parts: &[TypedPart],
        is_grouped: bool,
    ) -> bool {
        let Some(known_types) = parts.iter().find_map(|&part| self.part_types(pending, custom, part)) else {
            return false;
        };
        let types = if is_grouped { &known_types[..] } else { known_types.get(..1).unwrap_or_default() };
        parts.iter().fold(false, |is_set, &part| is_set | custom.set_part(part, types))
    }

    fn first_attribute_type(&mut self, pending: &Pending<'t>, custom: &Custom<'t>) -> Option<Vec<TypeId>> {
        let value = self.found(pending, custom.definition.attributes().first()?.name())?;
        let value_type = self
            .text
            .entries()
            .type_in(AttrId::new(value))
            .or_else(|| self.text.type_of_attribute(AttrId::new(value)));
        if let Some(value_type) = value_type {
            return Some(vec![value_type]);
        }
        // `#smt.bv<5> : !smt.bv<32>`
        let text = self.whole_attribute(AttrId::new(value)).ok()?;
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
                Some(same_types(self.type_named("i1")?, custom.count(TypedPart::Operand(2))))
            }
            "vector.shuffle" => self.shuffled(pending, custom)?.map(|one| vec![one]),
            // A pointer and several offsets give several pointers.
            "ptr.ptr_add" => match (types(0).as_deref(), types(1).as_deref()) {
                (Some(&[base]), Some(&[offset]))
                    if dense::shape(self.text.entries(), base).is_none()
                        && dense::shape(self.text.entries(), offset).is_some() =>
                {
                    Some(vec![self.text.with_element(offset, base)?.unwrap_or(base)])
                }
                (base, _) => base.map(<[TypeId]>::to_vec),
            },
            "chlo.constant" => self.first_attribute_type(pending, custom),
            "vector.to_elements" => {
                let source = types(0).and_then(|types| types.first().copied());
                match source.and_then(|source| self.text.entries().vector_parts(source)) {
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
            custom.set_part(TypedPart::Result(0), &types);
        }
        Ok(())
    }

    /// The type of a value that only MLIR's parser of the operation knows.
    pub(super) fn implied_type(&mut self, custom: &Custom<'t>, value: &str) -> Parsed<Option<TypeId>> {
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
    fn extracted(&mut self, pending: &Pending<'t>, custom: &Custom<'t>) -> Parsed<Option<TypeId>> {
        let source = custom.operand_types.first().cloned().flatten().and_then(|types| types.first().copied());
        let position = self
            .found(pending, "position")
            .and_then(|position| self.text.entries().items(AttrId::new(position)));
        let (Some(mut of), Some(position)) = (source, position) else { return Ok(None) };
        for _ in position {
            let Some((sizes, _, element)) = self.text.entries().vector_parts(of) else { return Ok(None) };
            of = match sizes.len() {
                0 | 1 => element,
                _ => self.text.without_first_dimension(of, None)?.unwrap_or(element),
            };
        }
        Ok(Some(of))
    }

    // The vector with as many elements as the mask has.
    fn shuffled(&mut self, pending: &Pending<'t>, custom: &Custom<'t>) -> Parsed<Option<TypeId>> {
        let mask = self.found(pending, "mask");
        // Before MLIR 20, the mask was an array of numbers.
        let count =
            mask.and_then(|mask| self.text.entries().integers(AttrId::new(mask))).map(|all| all.len() as i64);
        let first = custom.operand_types.first().cloned().flatten().and_then(|types| types.first().copied());
        match (count, first) {
            (Some(count), Some(first)) => self.text.with_first_dimension(first, count),
            _ => Ok(None),
        }
    }
}
