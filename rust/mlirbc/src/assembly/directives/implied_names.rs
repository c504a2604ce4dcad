//! Attributes that the name of the first result implies.

use crate::assembly::syntax_steps::SyntaxSteps;
use crate::assembly::{DirectiveSyntax, Written};

directives! {
    ImpliedName: "ImplicitSSAName" => implied_name,
    ImpliedNameInDictionary: "DictionaryWithImpliedName" => dictionary,
}

/// The attribute that C++ of these projects calls so.
const NAME: &str = "name";

/// ` name "x"`, or nothing if the first result is printed as `%x`, or as a number for an empty name.
fn implied_name<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    if S::arguments_of(call).first().and_then(|argument| argument.attribute_name(s.definition())).is_none() {
        return dictionary(s, call);
    }
    if !S::PRINTS {
        let name = match s.optional_text("name", |_| Ok(true))? {
            true => s.quoted(None)?,
            false => s.first_result_name(),
        };
        let attribute = s.name_at(call, 0);
        return s.set_string(&attribute, &name);
    }
    let Some(attribute) = s.attribute_at(call, 0)? else { return Ok(()) };
    let name = s.string(attribute);
    let name = s.some(name)?;
    s.by_result_name(
        &name,
        |_| Ok(()),
        |s| {
            s.text(" name ")?;
            s.quoted(Some(&name)).map(drop)
        },
    )
}

/// The dictionary, without the name of the first result.
fn dictionary<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    if !S::PRINTS {
        s.attr_dict(&[])?;
        return match s.attr(NAME) {
            Some(_) => Ok(()),
            None => {
                let name = s.first_result_name();
                s.set_string(NAME, &name)
            }
        };
    }
    let mentioned = S::mentioned(call);
    let elided_names: Vec<&str> = mentioned.iter().copied().chain([NAME]).collect();
    let name = s.any_attr(NAME).and_then(|attribute| s.string(attribute));
    let Some(name) = name else { return s.attr_dict(&mentioned) };
    s.by_result_name(&name, |s| s.attr_dict(&elided_names), |s| s.attr_dict(&mentioned))
}
