//! Dictionaries, and inherent attributes apart from them.

use crate::assembly::{FormatSyntax, Written};
use crate::ops::{AttributeDefinition, AttributeText};

use super::{Program, attributes};

/// Attributes that the format does not mention: inherent ones, if the release has them apart, and a dictionary.
pub(super) fn attr_dict<S: FormatSyntax>(s: &mut S, program: &Program, has_keyword: bool) -> Written<S> {
    match S::PRINTS {
        true if program.separates_properties && !program.has_prop_dict => {
            print_properties(s, program)?;
        }
        true => {}
        false => read_properties(s, program)?,
    }
    s.format_dictionary(program, has_keyword)
}

// ` <name = value>` with the attributes in the order of the definition.
fn print_properties<S: FormatSyntax>(s: &mut S, program: &Program) -> Written<S> {
    let mut start = " <";
    for attribute in program.definition.attributes() {
        if !s.is_apart(program, attribute)? {
            continue;
        }
        s.text(start)?;
        s.text(attribute.name())?;
        if !is_unit(attribute) {
            s.text(" = ")?;
            attributes::attribute(s, attribute, false)?;
        }
        start = ", ";
    }
    if start == ", " { s.text(">") } else { Ok(()) }
}

// `<name = value>` in any order, if it comes next.
fn read_properties<S: FormatSyntax>(s: &mut S, program: &Program) -> Written<S> {
    let all = program.definition.attributes();
    let mut next = s.first_apart(all)?;
    while let Some(attribute) = next.and_then(|place| all.get(place)) {
        match s.optional_text("=", |_| Ok(false))? {
            true => attributes::attribute(s, attribute, false)?,
            false if is_unit(attribute) => s.set_unit(attribute.name())?,
            false => s.text("=")?,
        }
        next = s.next_apart(all)?;
    }
    Ok(())
}

fn is_unit(attribute: &AttributeDefinition) -> bool {
    attribute.constraint().is_some_and(|one| one.attribute_text() == AttributeText::Unit)
}
