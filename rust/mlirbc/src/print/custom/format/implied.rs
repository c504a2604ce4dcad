//! Types that a declarative format leaves to inference, where the verifier accepts others than the inferred ones.
//!
//! `AllTypesMatch` and `TypesMatchWith` are verified as they are inferred, except for pointees.
//! `SameOperandsAndResultType` accepts compatible shapes, and a constraint with one type to build may accept others, such as
//! vectors with as many elements.

use crate::assembly::{self, Values};
use crate::ops::{Directive, FormatElement, Multiplicity, OperationDefinition, Trait};

use super::super::draft::Draft;
use super::{Groups, types_of};

/// A rule by which types are inferred.
pub(super) enum Implied {
    /// The first type of the groups that are printed is that of the others.
    Same { printed: Vec<Values>, others: Vec<Values> },
    /// The only type of a constraint.
    Only(Values, Box<str>),
    /// The pointee of the printed pointer type, which is not verified.
    Pointee { pointer: Values, others: Values },
}

/// The rules that apply to what a format does not print.
pub(super) fn rules(definition: &OperationDefinition, format: &[FormatElement]) -> Box<[Implied]> {
    let mut printed = Vec::new();
    types_in(format, &mut printed);
    let operands = definition.operands().iter().enumerate().map(|(place, one)| (Values::Operand(place), one));
    let results = definition.results().iter().enumerate().map(|(place, one)| (Values::Result(place), one));
    let is_printed = |values: Values| match values {
        Values::Operand(_) => printed.contains(&values) || printed.contains(&Values::AllOperands),
        _ => printed.contains(&values) || printed.contains(&Values::AllResults),
    };
    let groups: Vec<_> = operands.chain(results).collect();
    let named = |name: &str| groups.iter().find(|(_, one)| one.name() == name).map(|(values, _)| *values);
    let (shown, others): (Vec<Values>, Vec<Values>) =
        groups.iter().map(|(values, _)| *values).partition(|values| is_printed(*values));
    if definition.has_trait("SameOperandsAndResultType") {
        return match shown.is_empty() {
            true => Box::default(),
            false => Box::new([Implied::Same { printed: shown, others }]),
        };
    }
    let is_of_trait =
        |name: &str| definition.traits().iter().flat_map(Trait::arguments).any(|argument| argument == name);
    let unprinted = groups.iter().filter(|(values, _)| !is_printed(*values));
    let mut rules: Vec<Implied> = unprinted
        .filter(|&&(values, one)| {
            let is_inferred =
                matches!(values, Values::Operand(_)) || matches!(one.multiplicity(), Multiplicity::One);
            is_inferred && !is_of_trait(one.name())
        })
        .filter_map(|&(values, one)| Some(Implied::Only(values, one.constraint()?.only_type()?.into())))
        .collect();
    for one in definition.traits().iter().filter(|one| one.name() == "TypesMatchWith") {
        if let [pointer, others, "pointee"] = one.arguments().collect::<Vec<_>>()[..]
            && let (Some(pointer), Some(others)) = (named(pointer), named(others))
            && is_printed(pointer)
            && !is_printed(others)
        {
            rules.push(Implied::Pointee { pointer, others });
        }
    }
    rules.into()
}

fn types_in(elements: &[FormatElement], found: &mut Vec<Values>) {
    for element in elements {
        match element {
            FormatElement::Directive(Directive::Type | Directive::FunctionalType, inner) => {
                found.extend(inner.iter().filter_map(assembly::values));
            }
            FormatElement::Directive(Directive::Ref, _) => {}
            FormatElement::Directive(_, inner) | FormatElement::Custom(_, inner) => types_in(inner, found),
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

/// Notes types that are not the inferred ones.
pub(super) fn check(draft: &mut Draft<'_, '_, '_>, groups: &Groups, rules: &[Implied]) -> Option<()> {
    for rule in rules {
        match rule {
            Implied::Only(values, text) => {
                let types = types_of(draft, groups, *values)?;
                draft.implies(&types, text);
            }
            Implied::Pointee { pointer, others } => {
                let pointer = types_of(draft, groups, *pointer)?.first().copied();
                let others = types_of(draft, groups, *others)?;
                if let Some(pointer) = pointer {
                    draft.implies_pointee(&others, pointer);
                }
            }
            Implied::Same { printed, others } => {
                let mut first = None;
                for values in printed {
                    first = first.or(types_of(draft, groups, *values)?.first().copied());
                }
                let Some(first) = first else { continue };
                for values in others {
                    let types = types_of(draft, groups, *values)?;
                    draft.implies_same(&types, first);
                }
            }
        }
    }
    Some(())
}
