//! The end of a custom form: types, segment sizes, and the operations that regions end with.

use crate::assembly::{Inference, TypedPart, implicit_terminator, shows_sizes};
use crate::attr::EntryValues;
use crate::attr::text::parse::Parsed;
use crate::edit::arena::ArenaRegion;
use crate::format::id::TypeId;
use crate::ops::{OperationDefinition, ValueDefinition};
use crate::wire::error::counted;

use super::custom::Custom;
use super::frames::{AsmParser, Next, Pending};
use super::parts::{is_one, same_types};

/// Operations with an implied terminator whose parser in MLIR does not add it: an empty region stays empty.
const AS_WRITTEN: [&str; 1] = ["llvm.mlir.global"];

impl<'t> AsmParser<'t> {
    /// Completes an operation whose format was read.
    pub(super) fn finish_custom(
        &mut self,
        pending: &mut Pending<'t>,
        custom: &mut Custom<'t>,
    ) -> Parsed<Next<'t>> {
        self.refuse_foreign_attributes(pending)?;
        pending.successors.extend(custom.successors.iter_mut().flat_map(|row| row.drain(..)));
        let is_cacheable = custom.regions.is_empty() && custom.definition.regions().is_empty();
        if is_cacheable && let Some((types, results)) = self.cached_completion(pending, custom) {
            return Ok(Next::Done(types, results));
        }
        self.finish_regions(pending, custom)?;
        self.infer_types(pending, custom)?;
        let all = |types: &mut Vec<Option<Vec<TypeId>>>| -> Vec<TypeId> {
            types.iter_mut().filter_map(Option::take).flatten().collect()
        };
        let results = all(&mut custom.result_types);
        let sizes: Vec<usize> = custom.operands.iter().map(Vec::len).collect();
        let sizes = self.sizes_of_build(pending, custom, sizes)?;
        self.segment_sizes(pending, custom, "operand", "AttrSizedOperandSegments", &sizes)?;
        if custom.definition.name() == "linalg.unpack" && self.release.groups_unpack() {
            let tiles = sizes.get(2).copied().unwrap_or(0);
            let sizes = self.numbers_value("i32", &[1, 1, 0, tiles as i64])?;
            self.set_named(pending, "operandSegmentSizes", sizes);
        }
        let types = all(&mut custom.operand_types);
        pending.operands.extend(custom.operands.iter_mut().flat_map(|row| row.drain(..)));
        if is_cacheable {
            self.cache_completion(pending, &types, &results)?;
        }
        Ok(Next::Done(types, results))
    }

    // The definition of a release may name attributes that the build of a file has under another name, or not at all.
    fn refuse_foreign_attributes(&self, pending: &Pending<'t>) -> Parsed<()> {
        if pending.info.foreign.is_empty() {
            return Ok(());
        }
        for &(name, _) in &pending.attributes {
            let name = self.attribute_names.get(name as usize).map(Vec::as_slice).unwrap_or_default();
            if pending.info.foreign.iter().any(|foreign| foreign.as_bytes() == name) {
                let name = String::from_utf8_lossy(name);
                return Err(self.unsupported(pending, &format!("the build has no property `{name}`")));
            }
        }
        Ok(())
    }

    // The sizes of the groups that an operation has in a build after the release that defines it.
    fn sizes_of_build(
        &self,
        pending: &Pending<'t>,
        custom: &Custom<'t>,
        sizes: Vec<usize>,
    ) -> Parsed<Vec<usize>> {
        let schema = self.schema_of(&pending.info);
        let is_other = |groups: usize| groups > 0 && groups != sizes.len();
        let Some(schema) = schema.filter(|schema| is_other(schema.operands().len())) else {
            return Ok(sizes);
        };
        if schema.field("operandSegmentSizes").is_none() {
            return Ok(sizes);
        }
        let declared = custom.definition.operands();
        let size_of = |group: &str| {
            let group = group.trim_end_matches(['?', '*']);
            let place = declared.iter().position(|one| one.name() == group);
            place.and_then(|place| sizes.get(place).copied()).unwrap_or(0)
        };
        let of_build: Vec<usize> = schema.operands().map(size_of).collect();
        if of_build.iter().sum::<usize>() != sizes.iter().sum::<usize>() {
            return Err(self.unsupported(pending, "the build has other groups of operands"));
        }
        Ok(of_build)
    }

    // The attribute with the sizes of the groups of operands or results.
    fn segment_sizes(
        &mut self,
        pending: &mut Pending<'t>,
        custom: &Custom<'t>,
        what: &str,
        name_of_trait: &str,
        sizes: &[usize],
    ) -> Parsed<()> {
        let is_of_build = what == "operand" && sizes.len() != custom.operands.len();
        if !custom.definition.has_trait(name_of_trait) && !is_of_build {
            return Ok(());
        }
        // The dictionary of the text has the sizes if the format does not separate the groups.
        let shown = format!("{what}SegmentSizes");
        if shows_sizes(&custom.definition, &shown) && self.found(pending, &shown).is_some() {
            return Ok(());
        }
        let sizes: Vec<i64> = sizes.iter().map(|&size| size as i64).collect();
        let value = self.numbers_value("i32", &sizes)?;
        let name = match self.release.has_properties() {
            true => format!("{what}SegmentSizes"),
            false => format!("{what}_segment_sizes"),
        };
        self.set_named(pending, &name, value);
        Ok(())
    }

    // Regions in the order of the definition, each with its terminator.
    fn finish_regions(&mut self, pending: &mut Pending<'t>, custom: &mut Custom<'t>) -> Parsed<()> {
        let definition = custom.definition.clone();
        let parsed: Vec<(usize, ArenaRegion)> =
            custom.regions.iter().copied().zip(std::mem::take(&mut pending.regions)).collect();
        let is_as_written = AS_WRITTEN.contains(&definition.name());
        let terminator = implicit_terminator(&definition).filter(|_| !is_as_written);
        let is_single = !is_as_written && (definition.has_trait("SingleBlock") || terminator.is_some());
        for (number, declared) in definition.regions().iter().enumerate() {
            let place_regions: Vec<ArenaRegion> =
                parsed.iter().filter(|(of, _)| *of == number).map(|(_, row)| *row).collect();
            for &region in &place_regions {
                if is_single {
                    self.ensure_block(region)?;
                }
                if let Some(terminator) = terminator {
                    self.ensure_terminator(region, terminator, pending.location)?;
                }
            }
            if place_regions.is_empty() && !declared.is_variadic() {
                let empty = self.empty_region()?;
                pending.regions.push(empty);
            }
            pending.regions.extend(place_regions);
        }
        Ok(())
    }

    /// Adds a block to a region without one.
    pub(super) fn ensure_block(&mut self, region: ArenaRegion) -> Parsed<()> {
        if self.editor.arena.region(region).blocks.is_empty() {
            self.add_block(region)?;
        }
        Ok(())
    }

    /// Adds the operation that ends the last block, if that does not end with a terminator.
    pub(super) fn ensure_terminator(&mut self, region: ArenaRegion, name: &str, location: u32) -> Parsed<()> {
        self.ensure_block(region)?;
        let Some(&block) = self.editor.arena.region(region).blocks.last() else { return Ok(()) };
        if let Some(last) = self.editor.arena.block(block).last_op {
            let index = self.editor.arena.op(last).name().number();
            if self.is_terminator(index) {
                return Ok(());
            }
        }
        let position = self.editor_position();
        let info = self.info(name.as_bytes(), position)?;
        let count = info
            .definition
            .as_ref()
            .map_or(0, |one| one.regions().iter().filter(|region| !region.is_variadic()).count());
        let mut regions = Vec::new();
        for _ in 0..count {
            let region = self.empty_region()?;
            self.add_block(region)?;
            regions.push(region);
        }
        self.add_op_with_regions(name, block, (position, location), (&[], &[]), Vec::new(), regions).map(drop)
    }

    /// Whether the operation with this number of a name has the trait; unregistered operations have no traits.
    pub(super) fn is_terminator(&self, index: u32) -> bool {
        let definition = self.infos_by_index.get(&index).and_then(|info| info.definition.as_ref());
        definition.is_some_and(|one| one.has_trait("IsTerminator") || one.has_trait("Terminator"))
    }

    /// The position of the scanner, for errors about parts that the text omits.
    pub(super) fn editor_position(&mut self) -> usize {
        self.peek().map_or(0, |token| token.start)
    }

    // ---- types ----

    fn infer_types(&mut self, pending: &mut Pending<'t>, custom: &mut Custom<'t>) -> Parsed<()> {
        self.distribute(pending, custom)?;
        self.infer_groups(pending, custom)?;
        let definition = custom.definition.clone();
        if !definition.results().is_empty() {
            let sizes: Vec<usize> =
                custom.result_types.iter().map(|types| types.as_ref().map_or(0, Vec::len)).collect();
            self.segment_sizes(pending, custom, "result", "AttrSizedResultSegments", &sizes)?;
        }
        for (number, value) in definition.operands().iter().enumerate() {
            let count = custom.operands.get(number).map_or(0, Vec::len);
            let Some(types) = custom.operand_types.get_mut(number).and_then(Option::as_mut) else {
                let why = format!("the type of operand `{}` cannot be inferred", value.name());
                return Err(self.unsupported(pending, &why));
            };
            // Formats with one type for a group of operands.
            if let (&[only], false) = (&types[..], count == 1 || is_one(value)) {
                *types = same_types(only, count);
            }
            if types.len() != count {
                let (values, types) = (counted(count, "value"), counted(types.len(), "type"));
                let message = format!("operand `{}` has {values}, but {types}", value.name());
                return Err(self.contents(pending, message));
            }
        }
        Ok(())
    }

    // Operands and types that the format has together belong to the operands of the definition in order.
    fn distribute(&mut self, pending: &Pending<'t>, custom: &mut Custom<'t>) -> Parsed<()> {
        let definition = custom.definition.clone();
        let fixed = |values: &[ValueDefinition]| values.iter().filter(|value| is_one(value)).count();
        if let Some(operands) = custom.all_operands.take() {
            let counts = group_counts(definition.operands(), operands.len());
            let Some(counts) = counts.filter(|counts| counts.iter().sum::<usize>() == operands.len()) else {
                let expected = counted(fixed(definition.operands()), "operand");
                return Err(self.contents(pending, format!("expected {expected}, found {}", operands.len())));
            };
            let mut operands = operands.into_iter();
            custom.operands = counts.iter().map(|&count| operands.by_ref().take(count).collect()).collect();
        }
        if let Some(types) = custom.all_operand_types.take() {
            let counts: Vec<usize> = custom.operands.iter().map(Vec::len).collect();
            let count = counts.iter().sum::<usize>();
            if types.len() != count {
                let (operands, types) = (counted(count, "operand"), counted(types.len(), "type"));
                let message = format!("there are {operands}, but {types} of operands");
                return Err(self.contents(pending, message));
            }
            custom.operand_types = dealt(types, &counts);
        }
        if let Some(types) = custom.all_result_types.take() {
            let Some(counts) = group_counts(definition.results(), types.len()) else {
                let expected = counted(fixed(definition.results()), "type");
                let message = format!("expected {expected} of results, found {}", types.len());
                return Err(self.contents(pending, message));
            };
            custom.result_types = dealt(types, &counts);
        }
        Ok(())
    }

    // The types of the operands and results that the text does not have.
    fn infer_groups(&mut self, pending: &mut Pending<'t>, custom: &mut Custom<'t>) -> Parsed<()> {
        let (definition, info) = (custom.definition.clone(), pending.info.clone());
        let inference = info.inference.get_or_init(|| Inference::of(&definition));
        while self.apply_rules(pending, custom, inference)? {}
        for (part, value) in parts(&definition).filter(|(part, _)| custom.lacks(*part)).collect::<Vec<_>>() {
            let is_one = is_one(value);
            let is_operand = matches!(part, TypedPart::Operand(_));
            let only = value.constraint().and_then(|one| one.only_type()).filter(|_| is_operand || is_one);
            if is_operand && !is_one && custom.count(part) == 0 {
                custom.set(part, Vec::new());
            } else if let Some(only) = only {
                let only = self.type_named(only)?;
                custom.set_part(part, &[only]);
            }
        }
        while self.apply_rules(pending, custom, inference)? {}
        if definition.name() == "vector.from_elements"
            && let Some(&[vector]) = custom.result_types.first().and_then(Option::as_deref)
            && let Some((_, _, element)) = self.text.entries().vector_parts(vector)
        {
            let count = custom.count(TypedPart::Operand(0));
            custom.set(TypedPart::Operand(0), same_types(element, count));
        }
        self.set_implied(custom, |part| matches!(part, TypedPart::Operand(_)))?;
        self.infer_results(pending, custom)?;
        self.set_implied(custom, |part| matches!(part, TypedPart::Result(_)))?;
        for (number, value) in definition.results().iter().enumerate() {
            let Some(slot @ None) = custom.result_types.get_mut(number) else { continue };
            if is_one(value) {
                let why = format!("the type of result `{}` cannot be inferred", value.name());
                return Err(self.unsupported(pending, &why));
            }
            *slot = Some(Vec::new());
        }
        Ok(())
    }

    fn set_implied(&mut self, custom: &mut Custom<'t>, is_meant: impl Fn(TypedPart) -> bool) -> Parsed<()> {
        let definition = custom.definition.clone();
        for (part, value) in parts(&definition).filter(|(part, _)| is_meant(*part)) {
            if custom.lacks(part)
                && (matches!(part, TypedPart::Operand(_)) || is_one(value))
                && let Some(r#type) = self.implied_type(custom, value.name())?
            {
                custom.set_part(part, &[r#type]);
            }
        }
        Ok(())
    }
}

// The operands and the results of a definition.
fn parts(definition: &OperationDefinition) -> impl Iterator<Item = (TypedPart, &ValueDefinition)> {
    let operands = definition.operands().iter().enumerate();
    let results = definition.results().iter().enumerate();
    operands
        .map(|(number, value)| (TypedPart::Operand(number), value))
        .chain(results.map(|(number, value)| (TypedPart::Result(number), value)))
}

// How many of so many values each name has: the first variadic one takes the remaining ones, because formats with several do
// not list all values together.
fn group_counts(values: &[ValueDefinition], total: usize) -> Option<Vec<usize>> {
    let mut variadic = total.checked_sub(values.iter().filter(|value| is_one(value)).count())?;
    let count = |value| if is_one(value) { 1 } else { std::mem::take(&mut variadic) };
    Some(values.iter().map(count).collect())
}

fn dealt(types: Vec<TypeId>, counts: &[usize]) -> Vec<Option<Vec<TypeId>>> {
    let mut types = types.into_iter();
    counts.iter().map(|&count| Some(types.by_ref().take(count).collect())).collect()
}
