//! Parts of an operation that a format does not mention, so that a text cannot say them.

use crate::ops::{Directive, FormatElement, OperationDefinition, VariableKind};

/// The places of parts in the definition, by their kind.
#[derive(Debug, Default)]
pub(crate) struct HiddenParts {
    pub(crate) operands: Box<[usize]>,
    pub(crate) regions: Box<[usize]>,
    pub(crate) successors: Box<[usize]>,
}

impl HiddenParts {
    pub(super) fn of(definition: &OperationDefinition, format: &[FormatElement]) -> Self {
        let mut shown_parts = ShownParts::default();
        shown_parts.add(format);
        Self {
            operands: shown_parts.others(VariableKind::Operand, definition.operands().len()),
            regions: shown_parts.others(VariableKind::Region, definition.regions().len()),
            successors: shown_parts.others(VariableKind::Successor, definition.successors().len()),
        }
    }
}

/// Parts that a format mentions by their names, and kinds of which it has all.
#[derive(Default)]
struct ShownParts {
    parts: Vec<(VariableKind, usize)>,
    kinds: Vec<VariableKind>,
}

impl ShownParts {
    fn others(&self, kind: VariableKind, count: usize) -> Box<[usize]> {
        let is_hidden = |place: &usize| !self.kinds.contains(&kind) && !self.parts.contains(&(kind, *place));
        (0..count).filter(is_hidden).collect()
    }

    fn add(&mut self, elements: &[FormatElement]) {
        elements.iter().for_each(|element| self.add_element(element));
    }

    fn add_element(&mut self, element: &FormatElement) {
        match element {
            FormatElement::Variable(kind, place) => self.parts.push((*kind, *place)),
            FormatElement::Directive(Directive::Operands, _) => self.kinds.push(VariableKind::Operand),
            FormatElement::Directive(Directive::Regions, _) => self.kinds.push(VariableKind::Region),
            FormatElement::Directive(Directive::Successors, _) => self.kinds.push(VariableKind::Successor),
            FormatElement::Directive(Directive::Qualified, inner)
            | FormatElement::Custom(_, inner)
            | FormatElement::Inline(inner) => self.add(inner),
            FormatElement::Group { then, otherwise, .. } => {
                self.add(then);
                self.add(otherwise);
            }
            FormatElement::OrderIndependent(clauses) => clauses.iter().for_each(|clause| self.add(clause)),
            // A type, a reference, a literal.
            _ => {}
        }
    }
}
