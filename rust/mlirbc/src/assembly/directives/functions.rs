//! Functions: their visibility, signature, attributes and body (`mlir/lib/Interfaces/FunctionImplementation.cpp`).

use crate::assembly::blocks::FunctionSignature;
use crate::assembly::syntax_steps::SyntaxSteps;
use crate::assembly::{DirectiveSyntax, Flow, Written};

directives! {
    Attributes: "AttributesWithKeyword" => attributes_with_keyword,
    Dictionary: "PlainAttributes" => dictionary,
    EmptyType: "EmptyFunctionType" => empty_type,
    FunctionAttributes: "FunctionAttributes" => function_attributes,
    Signature: "FunctionSignature" => signature,
    Visibility: "OptionalVisibility" => visibility;
    Body: "OptionalBody" => body,
}

/// `private `, or nothing.
fn visibility<S: DirectiveSyntax>(s: &mut S, _: S::Call<'_>) -> Written<S> {
    s.optional_visibility().map(drop)
}

/// `(%a: i32 {name = value}) -> f32`: the type of the function, and the attributes of its arguments and results. A text `...` is
/// printed after the arguments.
fn signature<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let type_name = s.name_at(call, 0);
    let signature = match S::code_at(call, 3) {
        Some("...") => FunctionSignature::of_variadic(s, &type_name)?,
        _ => FunctionSignature::of(s, &type_name)?,
    };
    signature.give(s, &type_name)?;
    s.keep_arguments(&signature.arguments);
    Ok(())
}

/// The type of a function without arguments and results, which the text does not have.
fn empty_type<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let type_name = s.name_at(call, 0);
    s.set_function_type(&type_name, &[], &[])
}

/// ` attributes {…}`, or nothing, where an attribute that the text has before may not occur again.
fn function_attributes<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    s.function_attributes(&S::mentioned(call))
}

/// ` attributes {…}`, or nothing, also with inherent attributes of newer releases.
fn attributes_with_keyword<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    s.attr_dict_with_keyword(&S::mentioned(call))
}

/// ` {…}`, or nothing, also with inherent attributes of newer releases.
fn dictionary<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    s.attr_dict(&S::mentioned(call))
}

/// ` {…}` with the arguments of the signature, or nothing for a declaration.
fn body<S: DirectiveSyntax>(s: &mut S, _: S::Call<'_>) -> Flow<S> {
    let arguments = s.kept_arguments();
    s.optional_body(arguments)
}
