//! Inference of types that a text omits, by traits and constraints of a definition.
//!
//! The parser applies [`Inference`]. Verifiers of MLIR accept other types than the inferred ones for some rules, which the
//! printer checks ([`Checks`]): a type that differs is an omission.

use crate::ops::{Directive, FormatElement, Multiplicity, OperationDefinition, Trait, ValueDefinition};

use super::format::values;
use super::{FormatSyntax, Values, Written};

/// A part of an operation that has a type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TypedPart {
    Operand(usize),
    Result(usize),
    Attribute(usize),
}

/// A rule by which types follow from others.
#[derive(Debug)]
pub(crate) enum Rule {
    /// All parts have the type of the first part whose type is known. In groups, values with the same number have the same
    /// type.
    Same { parts: Box<[TypedPart]>, is_grouped: bool },
    /// Results have the type of the first attribute.
    OfAttribute,
    /// A type is a function of another one, by the name of the function.
    Computed {
        from: TypedPart,
        to: TypedPart,
        function: Box<str>,
        /// `linalg.pack` has no result for a buffer.
        excludes_buffers: bool,
    },
}

/// How the types that a text does not have follow from the others.
#[derive(Debug)]
pub(crate) struct Inference {
    rules: Box<[Rule]>,
}

impl Inference {
    pub(crate) fn of(definition: &OperationDefinition) -> Self {
        Self { rules: definition.traits().iter().filter_map(|one| rule(definition, one)).collect() }
    }

    pub(crate) fn rules(&self) -> &[Rule] {
        &self.rules
    }
}

/// The operation that ends the regions of an operation if the text does not have it.
pub(crate) fn implicit_terminator(definition: &OperationDefinition) -> Option<&str> {
    let mut traits = definition.traits().iter();
    traits.find(|one| one.name() == "SingleBlockImplicitTerminator")?.arguments().next()
}

fn rule(definition: &OperationDefinition, one: &Trait) -> Option<Rule> {
    let operands = (0..definition.operands().len()).map(TypedPart::Operand);
    let results = (0..definition.results().len()).map(TypedPart::Result);
    let same = |parts: Box<[TypedPart]>, is_grouped| Some(Rule::Same { parts, is_grouped });
    match one.name() {
        "SameOperandsAndResultType" => same(operands.chain(results).collect(), false),
        "SameTypeOperands" => same(operands.collect(), false),
        "AllTypesMatch" => same(one.arguments().filter_map(|name| part_of(definition, name)).collect(), true),
        "FirstAttrDerivedResultType" => Some(Rule::OfAttribute),
        "TypesMatchWith" | "OptionalTypesMatchWith" => {
            let mut arguments = one.arguments();
            let (from, to, function) = (arguments.next()?, arguments.next()?, arguments.next()?);
            let (from, to) = (part_of(definition, from)?, part_of(definition, to)?);
            let excludes_buffers =
                one.name() == "OptionalTypesMatchWith" && matches!(to, TypedPart::Result(_));
            Some(Rule::Computed { from, to, function: function.into(), excludes_buffers })
        }
        _ => None,
    }
}

/// The names of results whose types neither a format nor a rule gives, so that no text can be read.
///
/// Directives are taken to know the types of their arguments.
pub(crate) fn results_without_types(definition: &OperationDefinition) -> Vec<&str> {
    let format = definition.assembly().unwrap_or_default();
    let mut printed = Vec::new();
    types_in(format, &mut printed);
    let groups = Groups { definition, printed };
    let is_given = |(values, one): &(Values, &ValueDefinition)| {
        groups.is_printed(*values)
            || one.constraint().is_some_and(|constraint| constraint.only_type().is_some())
    };
    let given_parts = groups.all().filter(is_given).map(|(values, _)| part_with(values));
    let mut known_parts: Vec<Option<TypedPart>> = given_parts.collect();
    let attributes = 0..definition.attributes().len();
    known_parts.extend(attributes.map(|place| Some(TypedPart::Attribute(place))));
    let inference = Inference::of(definition);
    // Each round adds a part, or is the last one.
    for _ in 0..=definition.operands().len() + definition.results().len() {
        inference.rules().iter().for_each(|rule| add_inferred(rule, definition, &mut known_parts));
    }
    let results = definition.results().iter().enumerate();
    let is_unknown = |place: usize| !known_parts.contains(&Some(TypedPart::Result(place)));
    results.filter(|(place, _)| is_unknown(*place)).map(|(_, one)| one.name()).collect()
}

/// Whether the dictionary shows the sizes of groups of results: a declarative format that has all results together says nothing
/// about the groups (`genAttrDictPrinter` in `OpFormatGen.cpp`).
pub(crate) fn shows_sizes(definition: &OperationDefinition, name: &str) -> bool {
    let Some(format) = definition.format().filter(|_| name == "resultSegmentSizes") else { return false };
    let mut printed = Vec::new();
    types_in(format, &mut printed);
    definition.has_trait("AttrSizedResultSegments") && printed.contains(&Values::AllResults)
}

fn part_with(values: Values) -> Option<TypedPart> {
    match values {
        Values::Operand(place) => Some(TypedPart::Operand(place)),
        Values::Result(place) => Some(TypedPart::Result(place)),
        Values::AllOperands | Values::AllResults => None,
    }
}

fn add_inferred(rule: &Rule, definition: &OperationDefinition, known_parts: &mut Vec<Option<TypedPart>>) {
    let results = (0..definition.results().len()).map(|place| Some(TypedPart::Result(place)));
    match rule {
        Rule::Same { parts, .. } if parts.iter().any(|part| known_parts.contains(&Some(*part))) => {
            known_parts.extend(parts.iter().copied().map(Some));
        }
        Rule::OfAttribute => known_parts.extend(results),
        Rule::Computed { from, to, .. } if known_parts.contains(&Some(*from)) => known_parts.push(Some(*to)),
        _ => {}
    }
}

fn part_of(definition: &OperationDefinition, name: &str) -> Option<TypedPart> {
    let place = |values: &[ValueDefinition]| values.iter().position(|one| one.name() == name);
    let attribute = || definition.attributes().iter().position(|one| one.name() == name);
    place(definition.operands())
        .map(TypedPart::Operand)
        .or_else(|| place(definition.results()).map(TypedPart::Result))
        .or_else(|| attribute().map(TypedPart::Attribute))
}

/// A rule whose types a verifier does not compare.
///
/// `AllTypesMatch` and `TypesMatchWith` are verified as they are inferred, except for pointees.
/// `SameOperandsAndResultType` accepts compatible shapes, and a constraint with one type to build may accept others, such as
/// vectors with as many elements.
#[derive(Debug)]
enum Check {
    /// All other groups have the first type of the printed groups.
    Same { shown: Vec<Values>, others: Vec<Values> },
    /// The only type of a constraint.
    Only(Values, Box<str>),
    /// The pointee of the printed pointer type, which is not verified.
    Pointee { pointer: Values, others: Values },
    /// The results that a declared form gives the types of other parts.
    Shared { sources: Vec<Values>, result: Values, is_grouped: bool },
    /// The result whose type a declared form computes.
    Computed { source: Values, result: Values, function: Box<str> },
}

/// Checks of the types that a format does not print.
#[derive(Debug)]
pub(super) struct Checks(Box<[Check]>);

impl Checks {
    pub(super) fn of(definition: &OperationDefinition, format: &[FormatElement]) -> Self {
        let mut printed = Vec::new();
        types_in(format, &mut printed);
        let groups = Groups { definition, printed };
        let mut checks: Vec<Check> = match definition.has_trait("SameOperandsAndResultType") {
            true => groups.same().into_iter().collect(),
            false => groups.only().chain(groups.pointees()).collect(),
        };
        // MLIR wrote the rules of other forms, and verifies them.
        if definition.has_declared_form() {
            checks.extend(groups.declared());
        }
        Self(checks.into())
    }
}

/// The operands and results of a definition, and those whose types are printed.
struct Groups<'d> {
    definition: &'d OperationDefinition,
    printed: Vec<Values>,
}

impl<'d> Groups<'d> {
    fn all(&self) -> impl Iterator<Item = (Values, &'d ValueDefinition)> {
        let operands = self.definition.operands().iter().enumerate();
        let results = self.definition.results().iter().enumerate();
        let operands = operands.map(|(place, one)| (Values::Operand(place), one));
        operands.chain(results.map(|(place, one)| (Values::Result(place), one)))
    }

    fn is_printed(&self, values: Values) -> bool {
        let all = match values {
            Values::Operand(_) | Values::AllOperands => Values::AllOperands,
            Values::Result(_) | Values::AllResults => Values::AllResults,
        };
        self.printed.contains(&values) || self.printed.contains(&all)
    }

    fn same(&self) -> Option<Check> {
        let values = self.all().map(|(values, _)| values);
        let (shown, others): (Vec<_>, Vec<_>) = values.partition(|values| self.is_printed(*values));
        (!shown.is_empty()).then_some(Check::Same { shown, others })
    }

    // The types of a constraint with one type that no trait relates to others.
    fn only(&self) -> impl Iterator<Item = Check> {
        let is_of_trait =
            |name: &str| self.definition.traits().iter().flat_map(Trait::arguments).any(|one| one == name);
        let is_inferred = move |(values, one): &(Values, &ValueDefinition)| {
            let has_type = matches!(values, Values::Operand(_)) || *one.multiplicity() == Multiplicity::One;
            has_type && !self.is_printed(*values) && !is_of_trait(one.name())
        };
        let only = |(values, one): (Values, &ValueDefinition)| {
            Some(Check::Only(values, one.constraint()?.only_type()?.into()))
        };
        self.all().filter(is_inferred).filter_map(only)
    }

    /// The results whose types are not printed, by the rules that a parser applies.
    fn declared(&self) -> impl Iterator<Item = Check> {
        let inference = Inference::of(self.definition);
        let results = 0..self.definition.results().len();
        let hidden = results.filter(|place| !self.is_printed(Values::Result(*place)));
        let checks: Vec<Check> = hidden.filter_map(|place| check_of(&inference, place)).collect();
        checks.into_iter()
    }

    fn pointees(&self) -> impl Iterator<Item = Check> {
        let named = |name: &str| self.all().find(|(_, one)| one.name() == name).map(|(values, _)| values);
        let computed = self.definition.traits().iter().filter(|one| one.name() == "TypesMatchWith");
        computed.filter_map(move |one| {
            let [pointer, others, "pointee"] = one.arguments().collect::<Vec<_>>()[..] else { return None };
            let (pointer, others) = (named(pointer)?, named(others)?);
            (self.is_printed(pointer) && !self.is_printed(others))
                .then_some(Check::Pointee { pointer, others })
        })
    }
}

/// The check of a result by the first rule that gives its type.
fn check_of(inference: &Inference, place: usize) -> Option<Check> {
    let result = Values::Result(place);
    inference.rules().iter().find_map(|rule| match rule {
        Rule::Same { parts, is_grouped } if parts.contains(&TypedPart::Result(place)) => {
            let sources = parts.iter().filter_map(|part| values_of(*part)).filter(|part| *part != result);
            Some(Check::Shared { sources: sources.collect(), result, is_grouped: *is_grouped })
        }
        Rule::Computed { from, to, function, .. } if *to == TypedPart::Result(place) => {
            Some(Check::Computed { source: values_of(*from)?, result, function: function.clone() })
        }
        _ => None,
    })
}

fn values_of(part: TypedPart) -> Option<Values> {
    match part {
        TypedPart::Operand(place) => Some(Values::Operand(place)),
        TypedPart::Result(place) => Some(Values::Result(place)),
        TypedPart::Attribute(_) => None,
    }
}

/// Notes types that are not the inferred ones.
pub(super) fn check<S: FormatSyntax>(s: &mut S, checks: &Checks) -> Written<S> {
    for check in &checks.0 {
        match check {
            Check::Only(values, text) => {
                let types = s.known_types(*values)?;
                s.implies(&types, text);
            }
            Check::Pointee { pointer, others } => {
                let pointer = s.known_types(*pointer)?.first().copied();
                let implied_types = s.known_types(*others)?;
                if let Some(pointer) = pointer {
                    s.implies_pointee(&implied_types, pointer);
                }
            }
            Check::Same { shown, others } => check_same(s, shown, others)?,
            Check::Shared { sources, result, is_grouped } => check_shared(s, sources, *result, *is_grouped)?,
            Check::Computed { source, result, function } => {
                let source = s.known_types(*source)?.first().copied();
                let types = s.known_types(*result)?;
                if let Some(source) = source {
                    s.implies_computed(&types, source, function);
                }
            }
        }
    }
    Ok(())
}

fn check_same<S: FormatSyntax>(s: &mut S, shown: &[Values], others: &[Values]) -> Written<S> {
    let mut first = None;
    for values in shown {
        first = first.or(s.known_types(*values)?.first().copied());
    }
    let Some(first) = first else { return Ok(()) };
    for values in others {
        let types = s.known_types(*values)?;
        s.implies_same(&types, first);
    }
    Ok(())
}

/// Groups have the same types one by one.
fn check_shared<S: FormatSyntax>(
    s: &mut S,
    sources: &[Values],
    result: Values,
    is_grouped: bool,
) -> Written<S> {
    let mut known_types = Vec::new();
    for values in sources {
        if known_types.is_empty() {
            known_types = s.known_types(*values)?;
        }
    }
    let types = s.known_types(result)?;
    let Some(&first) = known_types.first() else { return Ok(()) };
    if !is_grouped || known_types.len() != types.len() {
        s.implies_same(&types, first);
        return Ok(());
    }
    for (r#type, known_type) in types.iter().zip(known_types) {
        s.implies_same(std::slice::from_ref(r#type), known_type);
    }
    Ok(())
}

// The operands and results whose types a format has.
fn types_in(elements: &[FormatElement], found: &mut Vec<Values>) {
    for element in elements {
        match element {
            FormatElement::Directive(Directive::Type | Directive::FunctionalType, inner) => {
                found.extend(inner.iter().filter_map(values));
            }
            FormatElement::Directive(Directive::Ref, _) => {}
            FormatElement::Directive(_, inner)
            | FormatElement::Custom(_, inner)
            | FormatElement::Inline(inner) => types_in(inner, found),
            FormatElement::Group { then, otherwise, .. } => {
                types_in(then, found);
                types_in(otherwise, found);
            }
            FormatElement::OrderIndependent(clauses) => {
                clauses.iter().for_each(|clause| types_in(clause, found));
            }
            _ => {}
        }
    }
}
