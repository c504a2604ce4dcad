//! Writes the text of parameters with the spaces of MLIR's generated printers (`AttrOrTypeFormatGen.cpp`).

use crate::ops::{ClassDefinition, ClassElement, ParameterKind, Spacing};

use super::full_text;

/// The text after the name of a class.
pub(super) fn body(definition: &ClassDefinition, values: &[Option<String>]) -> String {
    let spacing = Spacing { space: true, punctuation: false };
    let mut writer = Writer { definition, values, text: String::new(), spacing };
    writer.elements(definition.format().unwrap_or_default(), true);
    writer.text
}

struct Writer<'v> {
    definition: &'v ClassDefinition,
    values: &'v [Option<String>],
    text: String,
    /// Spaces follow from all elements before, whether they are written or not.
    spacing: Spacing,
}

impl Writer<'_> {
    fn elements(&mut self, elements: &[ClassElement], is_shown: bool) {
        elements.iter().for_each(|element| self.element(element, is_shown));
    }

    fn push(&mut self, text: &str, is_shown: bool) {
        if is_shown {
            self.text.push_str(text);
        }
    }

    fn has(&self, place: usize) -> bool {
        self.values.get(place).is_some_and(Option::is_some)
    }

    fn element(&mut self, element: &ClassElement, is_shown: bool) {
        match element {
            ClassElement::Literal(text) => {
                let leads = self.spacing.literal(text);
                self.push(if leads { " " } else { "" }, is_shown);
                self.push(text, is_shown);
            }
            ClassElement::NoSpace => self.spacing = Spacing { space: false, punctuation: true },
            ClassElement::Space => {
                self.push(" ", is_shown);
                self.spacing.space = false;
            }
            ClassElement::Newline => self.push("\n", is_shown),
            ClassElement::Parameter { place, is_qualified } => {
                let leads = self.spacing.element();
                let is_shown = is_shown && self.has(*place);
                self.push(if leads { " " } else { "" }, is_shown);
                let value = self.value(*place, *is_qualified);
                self.push(&value, is_shown);
            }
            ClassElement::Parameters(places) => self.list(places, false, is_shown),
            ClassElement::Struct(places) => self.list(places, true, is_shown),
            ClassElement::Group { then, otherwise, anchor, is_negated } => {
                let is_present = anchor.iter().any(|&place| self.has(place)) != *is_negated;
                let before = self.spacing;
                self.elements(then, is_shown && is_present);
                self.spacing = before;
                self.elements(otherwise, is_shown && !is_present);
            }
        }
    }

    fn list(&mut self, places: &[usize], has_names: bool, is_shown: bool) {
        let leads = self.spacing.element();
        self.push(if leads { " " } else { "" }, is_shown);
        let present: Vec<usize> = places.iter().copied().filter(|&place| self.has(place)).collect();
        for (number, place) in present.into_iter().enumerate() {
            let name = self.definition.parameters().get(place).map_or("", |one| one.name());
            let separator = if number > 0 { ", " } else { "" };
            let name = if has_names { format!("{separator}{name} = ") } else { separator.to_owned() };
            let value = self.value(place, false);
            self.push(&(name + &value), is_shown);
        }
    }

    fn value(&self, place: usize, is_qualified: bool) -> String {
        let value = self.values.get(place).and_then(Option::as_deref).unwrap_or_default();
        let kind = self.definition.parameters().get(place).map(|one| one.kind());
        let class = match kind.filter(|_| is_qualified) {
            Some(ParameterKind::Attribute(Some(class))) => Some((false, class)),
            Some(ParameterKind::Type(Some(class))) => Some((true, class)),
            _ => None,
        };
        match class.and_then(|(is_type, class)| Some((is_type, class.split_once('.')?))) {
            Some((is_type, (dialect, mnemonic))) => {
                full_text(is_type, dialect, &format!("{mnemonic}{value}"))
            }
            None => value.to_owned(),
        }
    }
}
