//! Parameters and fields of classes, whose names are in arrays.

use crate::assembly::syntax_steps::SyntaxSteps;
use crate::assembly::{Bracket, DirectiveSyntax, Written};
use crate::attr::text::items::split_at;

use super::steps::DirectiveSteps;

directives! {
    NamedParameters: "NamedParameters" => named_parameters,
    OptionalLocations: "FieldLocs" => optional_locations,
    TypedFields: "TypedFields" => typed_fields,
}

/// `(%a: i1, %b: i2)`: the arguments of the body, whose names are in an array.
fn named_parameters<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let region = s.only_region(call)?;
    let known_arguments = s.arguments(region)?;
    let mut arguments = Vec::new();
    s.list(Bracket::Round, known_arguments.len(), |s, place| {
        arguments.push(s.typed_argument(known_arguments.get(place).copied())?);
        Ok(())
    })?;
    if S::PRINTS {
        return Ok(());
    }
    s.keep_arguments(&arguments);
    let mut names = Vec::new();
    for &argument in &arguments {
        let name = s.name_of_argument(argument);
        names.extend(s.string_attribute(&name)?);
    }
    s.set_array_at(call, 1, &names)
}

/// ` -> (a: i1, b: i2) `, or nothing: an array of names, and a dictionary with a type for each name.
fn typed_fields<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let known_names = s.items_at(call, 0)?;
    let known_types = s.attribute_at(call, 1)?;
    let known_text = known_types.and_then(|types| s.text_of_attribute(types)).unwrap_or_default();
    let known_fields = known_text.strip_prefix('{').and_then(|text| split_at(text.strip_suffix('}')?, b','));
    let known_fields = known_fields.unwrap_or_default();
    let (mut names, mut entries) = (Vec::new(), Vec::new());
    if s.optional_text(" -> ", |_| Ok(!known_names.is_empty()))? {
        s.list(Bracket::Round, known_names.len(), |s, place| {
            if let Some(&known) = known_names.get(place) {
                let name = s.string(known);
                let name = s.some(name)?;
                let r#type = known_fields.iter().find_map(|field| {
                    let (key, value) = field.split_once('=')?;
                    (key.trim().trim_matches('"').as_bytes() == name).then(|| value.trim())
                });
                let r#type = s.some(r#type)?;
                s.raw_name(&name);
                s.raw(b": ");
                s.raw(r#type.as_bytes());
                return Ok(());
            }
            let name = s.bare_name(None, "the name of a field")?;
            let r#type = s.type_after(":", None)?;
            let text = s.text_of_type(r#type);
            let text = s.some(text)?;
            names.extend(s.string_attribute(&name)?);
            if let Some(r#type) = s.attribute_of_text(&text)? {
                entries.push((name, r#type));
            }
            Ok(())
        })?;
        s.raw(b" ");
    }
    s.set_array_at(call, 0, &names)?;
    let types = s.name_at(call, 1);
    s.set_dictionary(&types, entries)
}

/// `field_locs([…])`, which only a printer of locations writes.
fn optional_locations<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    if S::PRINTS {
        if s.attribute_at(call, 0)?.is_some() {
            s.lose_locations("the locations of fields");
        }
        return Ok(());
    }
    if s.optional_text("field_locs", |_| Ok(false))? {
        s.text("(")?;
        let locations = s.attribute(None)?;
        s.text(")")?;
        s.set_at(call, 0, locations);
    }
    Ok(())
}
