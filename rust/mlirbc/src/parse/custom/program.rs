//! A declarative format as a program with jumps.

use crate::assembly;
use crate::ops::{
    Anchor, AttributeText, Directive, FormatElement, Multiplicity, OperationDefinition, VariableKind,
};

#[derive(Debug)]
pub(in crate::parse) struct Program {
    pub(super) instructions: Vec<Instruction>,
}

#[derive(Debug)]
pub(super) enum Instruction {
    /// Parses an element that is required.
    Element(FormatElement),
    /// Parses a custom directive, which is called again after each of its regions.
    Custom(assembly::Directive, Box<[FormatElement]>),
    /// Parses the first element of a group, or jumps if it is absent.
    Try {
        element: FormatElement,
        otherwise: usize,
    },
    /// Consumes a literal, or jumps if another token follows.
    Unless {
        literal: Box<str>,
        otherwise: usize,
    },
    /// Jumps if no brace follows.
    IfBrace(usize),
    Jump(usize),
    /// Sets a unit attribute, which a group stands for.
    SetUnit(usize),
    /// Parses a region.
    Region(usize),
}

impl Program {
    /// `None` if the format has something unknown.
    pub(super) fn new(elements: &[FormatElement], definition: &OperationDefinition) -> Option<Self> {
        let mut program = Self { instructions: Vec::new() };
        program.sequence(elements, definition, None)?;
        Some(program)
    }

    // The formats are the project's own data and do not nest deeply.
    fn sequence(
        &mut self,
        elements: &[FormatElement],
        definition: &OperationDefinition,
        unit: Option<usize>,
    ) -> Option<()> {
        for element in elements {
            match element {
                FormatElement::NoSpace | FormatElement::Space | FormatElement::Newline => {}
                FormatElement::Variable(VariableKind::Attribute, number) if unit == Some(*number) => {
                    self.instructions.push(Instruction::SetUnit(*number));
                }
                FormatElement::Variable(VariableKind::Region, number) => self.region(*number, definition)?,
                FormatElement::Directive(Directive::Regions, _) => {
                    for number in 0..definition.regions().len() {
                        self.region(number, definition)?;
                    }
                }
                FormatElement::Group { then, otherwise, anchor } => {
                    self.group(then, otherwise, *anchor, definition)?;
                }
                FormatElement::OrderIndependent(clauses) => self.clauses(clauses, definition)?,
                FormatElement::Custom(name, arguments)
                    if let Some(directive) = assembly::Directive::of(definition.name(), name) =>
                {
                    self.instructions.push(Instruction::Custom(directive, arguments.clone()));
                }
                FormatElement::Code(_) => return None,
                element => self.instructions.push(Instruction::Element(element.clone())),
            }
        }
        Some(())
    }

    fn region(&mut self, number: usize, definition: &OperationDefinition) -> Option<()> {
        if definition.regions().get(number)?.is_variadic() {
            // Regions up to the first token that is not a comma, if there is a brace at all.
            let first = self.instructions.len();
            self.instructions.push(Instruction::IfBrace(first + 4));
            self.instructions.push(Instruction::Region(number));
            self.instructions.push(Instruction::Unless { literal: ",".into(), otherwise: first + 4 });
            self.instructions.push(Instruction::Jump(first + 1));
        } else {
            self.instructions.push(Instruction::Region(number));
        }
        Some(())
    }

    fn group(
        &mut self,
        then: &[FormatElement],
        otherwise: &[FormatElement],
        anchor: Anchor,
        definition: &OperationDefinition,
    ) -> Option<()> {
        let unit_of = |elements: &[FormatElement], place: usize| match elements.get(place)? {
            FormatElement::Variable(VariableKind::Attribute, number) => {
                let attribute = definition.attributes().get(*number)?;
                let text = attribute.constraint().map(|constraint| constraint.attribute_text());
                let is_unit = matches!(text, Some(AttributeText::Unit));
                let is_unit_property =
                    attribute.constraint().is_some_and(|constraint| constraint.is_property_kind("UnitProp"));
                (is_unit || is_unit_property).then_some(*number)
            }
            _ => None,
        };
        let (then_unit, otherwise_unit) = match anchor {
            Anchor::Then(place) => (unit_of(then, place), None),
            Anchor::Otherwise(place) => (None, unit_of(otherwise, place)),
        };
        let is_text = |element: &&FormatElement| {
            !matches!(element, FormatElement::NoSpace | FormatElement::Space | FormatElement::Newline)
        };
        let place = then.iter().position(|element| is_text(&element))?;
        let first = then.get(place)?;
        let branch = self.instructions.len();
        match first {
            // A unit attribute before its keyword.
            FormatElement::Variable(VariableKind::Attribute, number) if then_unit == Some(*number) => {
                let rest = then.get(place + 1..)?;
                let next = rest.iter().find(is_text);
                match next {
                    Some(FormatElement::Literal(literal)) => {
                        self.instructions.push(Instruction::Unless { literal: "unit".into(), otherwise: 0 });
                        let _ = literal;
                    }
                    _ => self.instructions.push(Instruction::Unless { literal: "unit".into(), otherwise: 0 }),
                }
                self.instructions.push(Instruction::SetUnit(*number));
            }
            FormatElement::Variable(VariableKind::Region, number) => {
                self.instructions.push(Instruction::IfBrace(0));
                self.region(*number, definition)?;
            }
            FormatElement::Literal(literal) => {
                self.instructions.push(Instruction::Unless { literal: literal.clone(), otherwise: 0 });
            }
            FormatElement::Custom(..)
            | FormatElement::Group { .. }
            | FormatElement::OrderIndependent(_)
            | FormatElement::Code(_) => {
                return None;
            }
            element => self.instructions.push(Instruction::Try { element: element.clone(), otherwise: 0 }),
        }
        self.sequence(then.get(place + 1..)?, definition, then_unit)?;
        let end_of_then = self.instructions.len();
        self.instructions.push(Instruction::Jump(0));
        let start = self.instructions.len();
        self.sequence(otherwise, definition, otherwise_unit)?;
        let end = self.instructions.len();
        *self.instructions.get_mut(end_of_then)? = Instruction::Jump(end);
        self.set_target(branch, start)
    }

    fn set_target(&mut self, branch: usize, to: usize) -> Option<()> {
        match self.instructions.get_mut(branch)? {
            Instruction::Try { otherwise, .. }
            | Instruction::Unless { otherwise, .. }
            | Instruction::IfBrace(otherwise)
            | Instruction::Jump(otherwise) => *otherwise = to,
            _ => return None,
        }
        Some(())
    }

    // Each clause begins with its keyword; after one of them any other may follow.
    fn clauses(&mut self, clauses: &[Box<[FormatElement]>], definition: &OperationDefinition) -> Option<()> {
        let start = self.instructions.len();
        for clause in clauses {
            let place = clause.iter().position(|element| matches!(element, FormatElement::Literal(_)))?;
            let FormatElement::Literal(literal) = clause.get(place)? else { return None };
            let branch = self.instructions.len();
            self.instructions.push(Instruction::Unless { literal: literal.clone(), otherwise: 0 });
            let rest = clause.get(place + 1..)?;
            let unit = match rest {
                [FormatElement::Variable(VariableKind::Attribute, number)] => {
                    let constraint = definition.attributes().get(*number)?.constraint();
                    constraint
                        .is_some_and(|constraint| constraint.attribute_text() == AttributeText::Unit)
                        .then_some(*number)
                }
                _ => None,
            };
            self.sequence(rest, definition, unit)?;
            self.instructions.push(Instruction::Jump(start));
            let next = self.instructions.len();
            self.set_target(branch, next)?;
        }
        Some(())
    }
}

/// Whether a definition of a value stands for exactly one.
pub(super) fn is_one(multiplicity: &Multiplicity) -> bool {
    *multiplicity == Multiplicity::One
}
