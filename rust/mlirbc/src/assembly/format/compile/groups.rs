//! Compiles optional groups and clauses into jumps.

use crate::ops::{
    Anchor, AttributeDefinition, AttributeText, Directive as Element, FormatElement, VariableKind,
};

use super::super::{Instruction, Presence, Start};
use super::{Compiler, values};

impl Compiler<'_> {
    fn presence(&self, element: &FormatElement) -> Option<Presence> {
        Some(match element {
            FormatElement::Variable(VariableKind::Attribute, place) => Presence::Attribute(*place),
            FormatElement::Variable(VariableKind::Region, place) => Presence::Region(self.region(*place)?),
            FormatElement::Variable(VariableKind::Successor, place) => Presence::Successor(*place),
            FormatElement::Directive(Element::Type | Element::Ref | Element::Qualified, inner) => {
                self.presence(inner.first()?)?
            }
            FormatElement::Directive(Element::FunctionalType, inner)
            | FormatElement::Custom(_, inner)
            | FormatElement::Inline(inner) => Presence::Any(self.presences(inner)),
            element => Presence::Values(values(element)?),
        })
    }

    fn presences(&self, elements: &[FormatElement]) -> Box<[Presence]> {
        elements.iter().filter_map(|element| self.presence(element)).collect()
    }

    fn unit(&self, element: &FormatElement) -> Option<usize> {
        let FormatElement::Variable(VariableKind::Attribute, place) = element else { return None };
        let constraint =
            self.definition.attributes().get(*place).and_then(AttributeDefinition::constraint)?;
        let is_unit =
            constraint.attribute_text() == AttributeText::Unit || constraint.is_property_kind("UnitProp");
        is_unit.then_some(*place)
    }

    pub(super) fn group(
        &mut self,
        then: &[FormatElement],
        otherwise: &[FormatElement],
        anchor: Anchor,
    ) -> Option<()> {
        let (holder, place, is_inverted) = match anchor {
            Anchor::Then(place) => (then, place, false),
            Anchor::Otherwise(place) => (otherwise, place, true),
        };
        let element = holder.get(place)?;
        let presence = self.presence(element)?;
        let presence = if is_inverted { Presence::Not(Box::new(presence)) } else { presence };
        let unit = self.unit(element);
        let check = self.unless(presence, Start::Unknown);
        let start = self.members(then, unit.filter(|_| !is_inverted), true)?;
        let mut end = self.instructions.len();
        if !otherwise.is_empty() {
            self.push(Instruction::Jump(0));
            end += 1;
            self.members(otherwise, unit.filter(|_| is_inverted), false)?;
            let after = self.instructions.len();
            *self.instructions.get_mut(end - 1)? = Instruction::Jump(after);
        }
        self.settle(check, start, end)
    }

    fn unless(&mut self, presence: Presence, start: Start) -> usize {
        self.push(Instruction::Unless { presence, start, otherwise: 0 });
        self.instructions.len() - 1
    }

    fn settle(&mut self, check: usize, first: Start, end: usize) -> Option<()> {
        let Some(Instruction::Unless { start, otherwise, .. }) = self.instructions.get_mut(check) else {
            return None;
        };
        (*start, *otherwise) = (first, end);
        Some(())
    }

    // Compiles the elements of a group; the parser decides by the first one. Literals stand for the unit attribute `unit`.
    fn members(&mut self, elements: &[FormatElement], unit: Option<usize>, is_first: bool) -> Option<Start> {
        let mut start = None;
        for (place, element) in elements.iter().enumerate() {
            let decides = is_first && start.is_none() && is_visible(element);
            match element {
                FormatElement::Variable(VariableKind::Attribute, attribute) if unit == Some(*attribute) => {
                    if place == 0 {
                        self.space();
                        self.opening("unit", decides);
                        start = start.or(decides.then(|| Start::Literal("unit".into())));
                    }
                    self.elide(*attribute);
                    self.push(Instruction::Unit(*attribute));
                }
                FormatElement::Literal(text) if decides => {
                    self.space_before(text);
                    self.opening(text, true);
                    start = Some(Start::Literal(text.clone()));
                }
                element => self.element(element)?,
            }
            if decides && start.is_none() {
                start = Some(start_of(element));
            }
        }
        Some(start.unwrap_or(Start::Unknown))
    }

    fn opening(&mut self, text: &str, decides: bool) {
        self.push(match decides {
            true => Instruction::Opening(text.into()),
            false => Instruction::Literal(text.into()),
        });
    }

    pub(super) fn clauses(&mut self, clauses: &[Box<[FormatElement]>]) -> Option<()> {
        // A literal of one space, whatever follows.
        if self.release.separates_clauses() {
            self.space_before(" ");
            self.push(Instruction::Space);
        }
        let first = self.instructions.len();
        clauses.iter().try_for_each(|clause| self.clause(clause, first))
    }

    // A clause of `oilist`, which is present if any of its variables is.
    fn clause(&mut self, elements: &[FormatElement], first: usize) -> Option<()> {
        let (keyword, rest) = elements.split_first()?;
        let FormatElement::Literal(keyword) = keyword else { return None };
        let check = self.unless(Presence::Any(self.presences(rest)), Start::Unknown);
        self.space_before(keyword);
        self.opening(keyword, true);
        match rest {
            [only] if let Some(unit) = self.unit(only) => {
                self.elide(unit);
                self.push(Instruction::Unit(unit));
            }
            rest => self.elements(rest)?,
        }
        self.push(Instruction::NextClause(first));
        let end = self.instructions.len();
        self.settle(check, Start::Literal(keyword.clone()), end)
    }
}

fn is_visible(element: &FormatElement) -> bool {
    !matches!(element, FormatElement::NoSpace | FormatElement::Space | FormatElement::Newline)
}

fn start_of(element: &FormatElement) -> Start {
    match element {
        FormatElement::Variable(VariableKind::Operand, _)
        | FormatElement::Directive(Element::Operands, _) => Start::Value,
        FormatElement::Variable(VariableKind::Successor, _) => Start::Block,
        FormatElement::Variable(VariableKind::Region, _) => Start::Brace,
        FormatElement::Variable(VariableKind::Attribute, place) => Start::Attribute(*place),
        FormatElement::Custom(..) => Start::Directive,
        FormatElement::Inline(elements) => {
            elements.iter().find(|element| is_visible(element)).map_or(Start::Unknown, start_of)
        }
        FormatElement::Directive(Element::Qualified, inner) => match inner.first() {
            Some(FormatElement::Variable(VariableKind::Attribute, place)) => Start::Attribute(*place),
            _ => Start::Unknown,
        },
        _ => Start::Unknown,
    }
}
