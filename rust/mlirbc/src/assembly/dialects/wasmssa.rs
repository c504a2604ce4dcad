//! Operations of `wasmssa` (`mlir/lib/Dialect/WasmSSA/IR/WasmSSAOps.cpp`).

use crate::assembly::blocks::FunctionSignature;
use crate::assembly::steps::Steps;
use crate::assembly::{Flow, RegionStyle, Step, Syntax, Written};

forms! {
    Function: "func" => function,
    Global: "global" => global,
    ImportGlobal: "import_global" => import_global,
}

/// `exported @name(%a: !wasmssa<local ref to i32>) -> i32 {`, whose type has the types of the variables.
fn function<S: Syntax>(s: &mut S, phase: u32) -> Flow<S> {
    if phase > 0 {
        return Ok(Step::Done);
    }
    s.unit_keyword(" exported", "exported")?;
    s.text(" ")?;
    s.optional_visibility()?;
    s.symbol_name()?;
    let signature = FunctionSignature::of(s, "functionType")?;
    give_type(s, &signature)?;
    let elided = ["sym_name", "sym_visibility", "functionType", "arg_attrs", "res_attrs", "exported"];
    s.function_attributes(&elided)?;
    signature.give_dictionaries(s)?;
    s.optional_body(signature.arguments)
}

fn give_type<S: Syntax>(s: &mut S, signature: &FunctionSignature<S>) -> Written<S> {
    if S::PRINTS {
        return s.check_references("functionType");
    }
    let mut types = Vec::new();
    for &r#type in &signature.types {
        match s.inner_type("!wasmssa<local ref to ", r#type)? {
            Some(inner) => types.push(inner),
            None => return Err(s.refuse("the arguments have types as `!wasmssa<local ref to i32>`")),
        }
    }
    s.set_function_type("functionType", &types, &signature.results)
}

/// `exported @name i32 mutable : {`
fn global<S: Syntax>(s: &mut S, phase: u32) -> Flow<S> {
    if phase > 0 {
        return Ok(Step::Done);
    }
    s.unit_keyword(" exported", "exported")?;
    s.text(" ")?;
    s.symbol_name()?;
    s.text(" ")?;
    s.type_attribute("type")?;
    s.unit_keyword(" mutable", "isMutable")?;
    s.text(" :")?;
    s.lose_discardable();
    if S::PRINTS && !s.has_blocks(0)? {
        // MLIR prints nothing, but does not parse it.
        s.lose("that its region is empty");
        return Ok(Step::Done);
    }
    s.text(" ")?;
    s.region(0, RegionStyle::BODY, Vec::new())
}

/// `"name" from "module" as @name mutable : i32`
fn import_global<S: Syntax>(s: &mut S, _: u32) -> Flow<S> {
    for (text, name) in [(" ", "importName"), (" from ", "moduleName")] {
        s.text(text)?;
        let known = s.attr(name).and_then(|name| s.string(name));
        let read = s.unescaped(known.as_deref())?;
        s.set_string(name, &read)?;
    }
    s.text(" as ")?;
    s.symbol_name()?;
    s.unit_keyword(" mutable", "isMutable")?;
    s.text(" : ")?;
    s.type_attribute("type")?;
    s.lose_discardable();
    Ok(Step::Done)
}
