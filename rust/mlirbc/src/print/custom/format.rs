//! Declarative assembly formats (`mlir/tools/mlir-tblgen/OpFormatGen.cpp`).
//!
//! Whether an element has a leading space follows from the elements before it, whether or not they are printed. So it is
//! settled when a format is compiled: once for each name of an operation.

mod attributes;
mod compile;
mod implied;

use std::ops::Range;

use crate::assembly;
use crate::ops::{AttributeDefinition, AttributeText, Multiplicity, OperationDefinition};
use crate::props::PropertyValue;

use super::draft::{Draft, Drafted, Given, Grouping, is_segment_name};
use super::plan::{Piece, RegionStyle};
use super::syntax::write_directive;
pub(super) use attributes::attribute;
pub(in crate::print) use attributes::stripped;

/// A format, compiled.
pub(in crate::print) struct Format {
    steps: Box<[Step]>,
    // Attributes that the format prints.
    elided: Box<[Box<str>]>,
    has_prop_dict: bool,
    // Inherent attributes that the format does not mention are `<name = value>`.
    separates_properties: bool,
    // Printers that are C++ are not known to print other properties than those that they did before.
    refuses_properties: bool,
    // The definition is that of an earlier release, which may have mentioned less.
    pub(in crate::print) is_earlier: bool,
    // Printers that are C++ show default values in the dictionary, and some have none.
    elides_defaults: bool,
    has_dictionary: bool,
    operands: Grouping,
    results: Grouping,
    implied: Box<[implied::Implied]>,
}

enum Step {
    Text(Box<str>),
    Operand(usize),
    AllOperands,
    Attribute(usize, bool),
    Undeclared(Box<str>),
    Region(usize),
    AllRegions,
    Successor(usize),
    AllSuccessors,
    AttrDict,
    AttrDictWithKeyword,
    PropDict,
    Type(Values, bool),
    FunctionalType(Values, Values),
    Custom(DirectiveForm, Box<[Argument]>),
    Newline,
    /// Continues at another step unless something is present.
    Unless(Presence, usize),
    Jump(usize),
}

/// What a custom directive stands for.
enum DirectiveForm {
    /// Written and read by one function.
    Assembly(assembly::Directive),
    /// With clauses that are not known.
    Unknown,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Values {
    Operand(usize),
    Result(usize),
    AllOperands,
    AllResults,
}

/// What decides about an optional group.
enum Presence {
    Values(Values),
    Attribute(usize),
    Region(usize),
    Successor(usize),
    Any(Vec<Presence>),
    Not(Box<Presence>),
}

/// An argument of a custom directive.
#[derive(Debug, Clone)]
pub(super) enum Argument {
    Operands(usize),
    Types(Values),
    Attribute(usize),
    /// An attribute that the definition does not have.
    Undeclared(Box<str>),
    Region(usize),
    Successor(usize),
    Code(Box<str>),
    AttrDict,
    Other,
}

/// The operands, results, regions and successors of each name.
pub(in crate::print) struct Groups {
    pub(super) operands: Vec<Range<usize>>,
    pub(super) results: Vec<Range<usize>>,
}

impl Format {
    /// Puts an operation into pieces.
    pub(in crate::print) fn draft(&self, draft: &mut Draft<'_, '_, '_>) -> Drafted {
        let groups = Groups {
            operands: draft.operands_by(&self.operands)?,
            results: draft.results_by(&self.results)?,
        };
        let mark = draft.plan.mark();
        // After a group that would begin with an operand, as long as nothing is printed after it.
        let mut open_end = None;
        let mut next = 0;
        while let Some(step) = self.steps.get(next) {
            next += 1;
            match step {
                Step::Text(text) => draft.text(text),
                Step::Newline => draft.newline(),
                Step::Jump(target) => next = *target,
                Step::Unless(presence, target) => {
                    if !is_present(draft, &groups, presence)? {
                        let group = self.steps.get(next..*target).unwrap_or_default();
                        if begins_with_operand(group).is_some() {
                            open_end = Some(draft.plan.mark());
                        }
                        self.note_left_out(draft, &groups, next..*target)?;
                        next = *target;
                    }
                }
                Step::Operand(place) => operand(draft, &groups, *place)?,
                Step::AllOperands => draft.values(draft.all_operands()),
                Step::Attribute(place, is_qualified) => attribute(draft, *place, *is_qualified)?,
                Step::Undeclared(name) => {
                    let attribute = draft.attr(name).or_else(|| draft.discardable_attr(name))?;
                    draft.attribute(attribute);
                }
                Step::Region(place) => {
                    for (number, region) in region_range(draft, *place)?.enumerate() {
                        if number > 0 {
                            draft.text(", ");
                        }
                        region_of(draft, region)?;
                    }
                }
                Step::AllRegions => {
                    for region in 0..draft.regions()?.rows.len() {
                        if region > 0 {
                            draft.text(", ");
                        }
                        region_of(draft, region)?;
                    }
                }
                Step::Successor(place) => {
                    for (number, successor) in successor_range(draft, *place)?.enumerate() {
                        if number > 0 {
                            draft.text(", ");
                        }
                        draft.successor(successor)?;
                    }
                }
                Step::AllSuccessors => {
                    for successor in 0..draft.successor_count() {
                        if successor > 0 {
                            draft.text(", ");
                        }
                        draft.successor(successor)?;
                    }
                }
                Step::AttrDict => self.attr_dict(draft, " ")?,
                Step::AttrDictWithKeyword => self.attr_dict(draft, " attributes ")?,
                Step::PropDict => self.prop_dict(draft)?,
                Step::Type(values, is_qualified) => types(draft, &groups, *values, *is_qualified)?,
                Step::FunctionalType(inputs, results) => {
                    let (inputs, results) =
                        (types_of(draft, &groups, *inputs)?, types_of(draft, &groups, *results)?);
                    draft.functional_type(&inputs, &results);
                }
                Step::Custom(directive, arguments) => {
                    let call = Call { arguments, groups: &groups, elided: &self.elided };
                    match directive {
                        DirectiveForm::Assembly(directive) => write_directive(draft, *directive, &call)?,
                        DirectiveForm::Unknown => return None,
                    }
                }
            }
        }
        implied::check(draft, &groups, &self.implied)?;
        if !self.has_dictionary && !dictionary_entries(draft, &self.elided, false, true)?.is_empty() {
            *draft.lost = Some("its discardable attributes");
        }
        let is_empty = || draft.plan.range(mark.1, draft.plan.texts.len() as u32).trim_ascii().is_empty();
        let is_open = !draft.locations && open_end == Some(draft.plan.mark())
            || self.begins_with_optional(draft, &groups) && is_empty();
        let takes_next_line = is_open && draft.precedes_results();
        (!takes_next_line).then_some(())
    }

    // Whether the parser looks for an operand that is not there: it may be at the start of the next line.
    fn begins_with_optional(&self, draft: &Draft<'_, '_, '_>, groups: &Groups) -> bool {
        // A location ends the line.
        if draft.locations || !draft.all_operands().is_empty() {
            return false;
        }
        let is_absent = |place: &usize| groups.operands.get(*place).is_some_and(Range::is_empty);
        let mut next = 0;
        while let Some(step) = self.steps.get(next) {
            next += 1;
            match step {
                Step::Operand(place) => return is_absent(place),
                Step::Unless(_, target) => {
                    let group = self.steps.get(next..*target).unwrap_or_default();
                    if let Some(place) = begins_with_operand(group) {
                        return is_absent(place);
                    }
                    next = *target;
                }
                Step::Jump(target) => next = *target,
                Step::AttrDict => {}
                step if is_space(step) => {}
                _ => return false,
            }
        }
        false
    }

    // Notes an attribute that only a group has that is left out, because its anchor is absent.
    fn note_left_out(
        &self,
        draft: &mut Draft<'_, '_, '_>,
        groups: &Groups,
        group: Range<usize>,
    ) -> Option<()> {
        // Unit attributes are not printed; their group says that they are there.
        let attribute_of = |step: &Step| match step {
            Step::Attribute(place, _) | Step::Unless(Presence::Attribute(place), _) => Some(*place),
            _ => None,
        };
        for place in self.steps.get(group.clone())?.iter().filter_map(attribute_of) {
            let mut others = self.steps.iter().enumerate().filter(|(other, _)| !group.contains(other));
            if is_present(draft, groups, &Presence::Attribute(place))?
                && !others.any(|(_, step)| attribute_of(step) == Some(place))
            {
                draft.lost.get_or_insert("an attribute of an optional group that is absent");
            }
        }
        Some(())
    }

    fn attr_dict(&self, draft: &mut Draft<'_, '_, '_>, start: &str) -> Drafted {
        if self.refuses_properties && self.has_other_properties(draft)? {
            return None;
        }
        if self.separates_properties && !self.has_prop_dict {
            self.properties(draft)?;
        }
        let is_apart = self.has_prop_dict || self.separates_properties;
        let entries = dictionary_entries(draft, &self.elided, is_apart, self.elides_defaults)?;
        if !entries.is_empty() {
            draft.text(start);
            draft.dictionary(&entries);
        }
        Some(())
    }

    // Whether an inherent attribute is set that the format does not mention.
    fn has_other_properties(&self, draft: &mut Draft<'_, '_, '_>) -> Option<bool> {
        let inherent = draft.inherent;
        for property in inherent.iter().filter(|one| !matches!(one.value, PropertyValue::Absent)) {
            let name = property.name();
            let is_mentioned = is_segment_name(name) || self.elided.iter().any(|elided| **elided == *name);
            let definition = draft.definition.attribute(name);
            let is_default = match definition {
                Some(definition) => definition.is_native() || draft.is_default(definition, property)?,
                None => false,
            };
            if !is_mentioned && !is_default {
                return Some(true);
            }
        }
        Some(false)
    }

    // ` <name = value>` with what the format does not mention, in the order of the definition.
    fn properties(&self, draft: &mut Draft<'_, '_, '_>) -> Drafted {
        let mut start = " <";
        for (place, definition) in draft.definition.attributes().iter().enumerate() {
            let name = definition.name();
            let property = draft.inherent.iter().find(|property| property.name() == name);
            let Some(property) = property.filter(|one| !matches!(one.value, PropertyValue::Absent)) else {
                continue;
            };
            if is_segment_name(name) || self.elided.iter().any(|elided| **elided == *name) {
                continue;
            }
            let has_default = definition.default().is_some() || property.default.is_some();
            if has_default && draft.is_default(definition, property)? {
                draft.note_default(definition);
                continue;
            }
            if self.is_earlier || definition.is_native() {
                return None;
            }
            draft.text(start);
            draft.text(name);
            if definition.constraint()?.attribute_text() != AttributeText::Unit {
                draft.text(" = ");
                attribute(draft, place, false)?;
            }
            start = ", ";
        }
        if start != " <" {
            draft.text(">");
        }
        Some(())
    }

    fn prop_dict(&self, draft: &mut Draft<'_, '_, '_>) -> Drafted {
        let elided: Vec<&str> = self.elided.iter().map(|name| &**name).collect();
        let discardable = std::mem::take(&mut draft.discardable);
        let entries = draft.dictionary_entries(&elided, true);
        draft.discardable = discardable;
        if draft.lost.take().is_some() {
            return None;
        }
        let entries = entries?;
        if !entries.is_empty() {
            draft.text(if self.separates_properties { " <" } else { "<" });
            draft.dictionary(&entries);
            draft.text(">");
        }
        Some(())
    }
}

fn is_space(step: &Step) -> bool {
    matches!(step, Step::Text(text) if text.trim().is_empty())
}

// Only an operand can be taken for the start of the next operation.
fn begins_with_operand(group: &[Step]) -> Option<&usize> {
    match group.iter().find(|step| !is_space(step)) {
        Some(Step::Operand(place)) => Some(place),
        _ => None,
    }
}

/// The entries of `attr-dict` of a format that prints these attributes.
pub(super) fn dictionary_entries<'a>(
    draft: &mut Draft<'a, '_, '_>,
    elided: &[Box<str>],
    has_prop_dict: bool,
    elides_defaults: bool,
) -> Option<Vec<(&'a [u8], Given<'a>)>> {
    if has_prop_dict {
        let inherent = std::mem::take(&mut draft.inherent);
        let entries = draft.dictionary_entries(&[], true);
        draft.inherent = inherent;
        return entries;
    }
    if draft.discardable.is_empty()
        && draft.inherent.iter().all(|one| elided.iter().any(|name| **name == *one.name()))
    {
        return Some(Vec::new());
    }
    let elided: Vec<&str> = elided.iter().map(|name| &**name).collect();
    draft.dictionary_entries(&elided, elides_defaults)
}

/// The name of the attribute of an argument.
pub(super) fn attribute_name<'n>(
    definition: &'n OperationDefinition,
    argument: &'n Argument,
) -> Option<&'n str> {
    match argument {
        Argument::Attribute(place) => definition.attributes().get(*place).map(AttributeDefinition::name),
        Argument::Undeclared(name) => Some(name),
        _ => None,
    }
}

/// What a custom directive is called with.
pub(in crate::print) struct Call<'c> {
    pub(super) arguments: &'c [Argument],
    pub(super) groups: &'c Groups,
    pub(super) elided: &'c [Box<str>],
}

fn is_present(draft: &mut Draft<'_, '_, '_>, groups: &Groups, presence: &Presence) -> Option<bool> {
    Some(match presence {
        Presence::Values(Values::Operand(place)) => !groups.operands.get(*place)?.is_empty(),
        Presence::Values(Values::Result(place)) => !groups.results.get(*place)?.is_empty(),
        Presence::Values(Values::AllOperands) => !draft.all_operands().is_empty(),
        Presence::Values(Values::AllResults) => !draft.all_results().is_empty(),
        Presence::Attribute(place) => attribute_is_present(draft, *place)?,
        Presence::Region(place) => {
            let range = region_range(draft, *place)?;
            match draft.definition.regions().get(*place)?.is_variadic() {
                true => !range.is_empty(),
                false => !draft.regions()?.blocks(range.start).is_empty(),
            }
        }
        Presence::Successor(place) => !successor_range(draft, *place)?.is_empty(),
        Presence::Any(any) => {
            let mut found = false;
            for one in any {
                found |= is_present(draft, groups, one)?;
            }
            found
        }
        Presence::Not(inner) => !is_present(draft, groups, inner)?,
    })
}

fn attribute_is_present(draft: &mut Draft<'_, '_, '_>, place: usize) -> Option<bool> {
    let definition = draft.definition.attributes().get(place)?;
    let inherent = draft.inherent;
    let property = inherent.iter().find(|property| property.name() == definition.name());
    // The release that wrote the file may be older than the definition.
    let Some(property) = property else {
        let has_default = definition.is_optional() || definition.default().is_some();
        return has_default.then_some(false);
    };
    if definition.default().is_some() || property.default.is_some() {
        let is_default = draft.is_default(definition, property)?;
        if is_default && !matches!(property.value, PropertyValue::Absent) {
            draft.note_default(definition);
        }
        return Some(!is_default);
    }
    Some(match &property.value {
        PropertyValue::Absent => false,
        PropertyValue::Bool(value) => *value,
        PropertyValue::Optional(value) => value.is_some(),
        PropertyValue::Array(items) => !items.is_empty(),
        _ => true,
    })
}

pub(super) fn region_range(draft: &Draft<'_, '_, '_>, place: usize) -> Option<Range<usize>> {
    let definitions = draft.definition.regions();
    let total = draft.detail().map_or(0, |detail| detail.regions as usize);
    spread(definitions.iter().map(|one| one.is_variadic()), place, total)
}

pub(super) fn successor_range(draft: &Draft<'_, '_, '_>, place: usize) -> Option<Range<usize>> {
    let definitions = draft.definition.successors();
    spread(definitions.iter().map(|one| one.is_variadic()), place, draft.successor_count())
}

// At most one of them is variadic.
fn spread(
    variadic: impl ExactSizeIterator<Item = bool> + Clone,
    place: usize,
    total: usize,
) -> Option<Range<usize>> {
    let fixed = variadic.clone().filter(|is_variadic| !is_variadic).count();
    let several = total.checked_sub(fixed)?;
    if fixed == variadic.len() && several > 0 {
        return None;
    }
    let mut start = 0;
    for (number, is_variadic) in variadic.enumerate() {
        let len = if is_variadic { several } else { 1 };
        if number == place {
            return Some(start..start + len);
        }
        start += len;
    }
    None
}

// The terminator of an implicit kind is hidden if it has nothing to say.
pub(super) fn region_of(draft: &mut Draft<'_, '_, '_>, number: usize) -> Drafted {
    let is_implicit =
        draft.definition.traits().iter().any(|one| one.name() == "SingleBlockImplicitTerminator");
    let has_terminator = !is_implicit || draft.shows_terminator(draft.regions()?, number);
    draft.region(number, RegionStyle::FULL.terminated(has_terminator));
    Some(())
}

fn operand(draft: &mut Draft<'_, '_, '_>, groups: &Groups, place: usize) -> Drafted {
    let values = draft.all_operands().get(groups.operands.get(place)?.clone())?;
    match draft.definition.operands().get(place)?.multiplicity() {
        Multiplicity::VariadicOfVariadic(sizes) => {
            let mut rest = values;
            let sizes = draft.integers_of(sizes)?;
            draft.list(sizes, |draft, size| {
                let (group, others) = rest.split_at_checked(usize::try_from(size).ok()?)?;
                rest = others;
                draft.text("(");
                draft.values(group);
                draft.text(")");
                Some(())
            })
        }
        _ => {
            draft.values(values);
            Some(())
        }
    }
}

/// The types of some values.
pub(super) fn types_of(draft: &Draft<'_, '_, '_>, groups: &Groups, values: Values) -> Option<Vec<u32>> {
    Some(match values {
        Values::Operand(place) => {
            draft.operand_types(draft.all_operands().get(groups.operands.get(place)?.clone())?)
        }
        Values::Result(place) => draft.all_results().get(groups.results.get(place)?.clone())?.to_vec(),
        Values::AllOperands => draft.operand_types(draft.all_operands()),
        Values::AllResults => draft.all_results().to_vec(),
    })
}

fn types(draft: &mut Draft<'_, '_, '_>, groups: &Groups, values: Values, is_qualified: bool) -> Drafted {
    let definition = match values {
        Values::Operand(place) => draft.definition.operands().get(place),
        Values::Result(place) => draft.definition.results().get(place),
        _ => None,
    };
    let indices = types_of(draft, groups, values)?;
    match definition.map(|one| (one.multiplicity(), one.constraint().and_then(|one| one.class()))) {
        Some((Multiplicity::One, Some(class))) if !is_qualified => {
            draft.push(Piece::StrippedType(*indices.first()?, class.len() as u32 + 1));
        }
        Some((Multiplicity::VariadicOfVariadic(sizes), _)) => {
            let mut rest = &indices[..];
            let sizes = draft.integers_of(sizes)?;
            draft.list(sizes, |draft, size| {
                let (group, others) = rest.split_at_checked(usize::try_from(size).ok()?)?;
                rest = others;
                draft.text("(");
                draft.types(group);
                draft.text(")");
                Some(())
            })?;
        }
        Some((Multiplicity::Optional, _)) => draft.types(&indices),
        _ => {
            // MLIR prints nothing here, but does not parse a list without types (`parseTypeList`).
            if indices.is_empty() {
                draft.lost.get_or_insert("that a list of types is empty");
            }
            draft.types(&indices);
        }
    }
    Some(())
}
