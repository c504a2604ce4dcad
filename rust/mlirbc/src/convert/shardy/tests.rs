use std::collections::BTreeMap;
use std::path::PathBuf;

use crate::edit::Editor;
use crate::parse::{ParseOptions, parse};
use crate::wire::error::ErrorKind;
use crate::wire::loss::LossKind;

use super::*;

/// A file that `tests/data/shardy/make_modules.py` wrote.
fn stored(name: &str) -> Vec<u8> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/shardy");
    std::fs::read(folder.join(format!("{name}.mlirbc"))).unwrap()
}

fn parsed(text: &str) -> Module {
    let options =
        ParseOptions { target: crate::release::Release::named("jaxlib-0.10"), ..ParseOptions::default() };
    parse(text, &options).unwrap()
}

fn written(module: &Module) -> Vec<u8> {
    let mut bytes = Vec::new();
    to_hlo(module, &Progress::default()).unwrap().write(&mut bytes).unwrap();
    bytes
}

/// Counts all texts about shardings in HLO: the attributes of a call and its type, or the attributes of the
/// arguments and the results of a function.
fn shardings(bytes: Vec<u8>) -> BTreeMap<String, usize> {
    let module = Module::from_bytes(bytes).unwrap();
    let module = match portable::artifact_version(&module) {
        Some(_) => portable::deserialize(&module, &Progress::default()).unwrap().into_module().unwrap(),
        None => module,
    };
    let mut editor = Editor::new(module).unwrap();
    let mut stack = vec![editor.operation().unwrap()];
    let mut counts = BTreeMap::new();
    while let Some(op) = stack.pop() {
        for region in editor.regions(op).unwrap() {
            for block in editor.blocks(region).unwrap() {
                stack.extend(editor.operations(block).unwrap());
            }
        }
        let mut text = String::new();
        for attribute in editor.attributes(op).unwrap() {
            let name = String::from_utf8(attribute.name).unwrap();
            if name.starts_with("sdy.") || name == "mhlo.frontend_attributes" {
                panic!("{name} remains");
            }
            let value = attribute.value.to_string();
            if ["arg_attrs", "res_attrs"].contains(&&*name) && value.contains("sharding")
                || ["call_target_name", "backend_config", "mhlo.sharding"].contains(&&*name)
            {
                text += &format!("{name}={value} ");
            }
        }
        if text.contains("sharding") {
            for value in editor.results(op).unwrap() {
                text += &editor.value_type(value).unwrap().to_string();
            }
            *counts.entry(text).or_default() += 1;
        }
    }
    counts
}

#[test]
fn calls_are_those_that_jax_writes_with_shardy_turned_off() {
    let mut count = 0;
    for name in [
        "calls_inside",
        "constraint",
        "manual",
        "nested",
        "one_device",
        "open_dimension",
        "partly_manual",
        "product",
        "random_key",
        "several",
    ] {
        let module = Module::from_bytes(stored(&format!("{name}.dialect"))).unwrap();
        let (translated, expected) = (shardings(written(&module)), shardings(stored(&format!("{name}.hlo"))));
        assert_eq!(translated, expected, "{name}");
        count += expected.len();
    }
    assert!(count > 30);
}

#[test]
fn modules_without_manual_computations_have_the_bytes_of_jax() {
    for name in ["constraint", "open_dimension", "product", "random_key"] {
        let module = Module::from_bytes(stored(&format!("{name}.dialect"))).unwrap();
        assert_eq!(written(&module), stored(&format!("{name}.hlo")), "{name}");
    }
}

#[test]
fn strings_of_jax_0_6_disappear() {
    for name in ["constraint", "open_dimension", "product", "random_key"] {
        let module = Module::from_bytes(stored(&format!("{name}.strings"))).unwrap();
        assert!(has_shardings(&module).unwrap());
        assert_eq!(written(&module), stored(&format!("{name}.hlo-0.6")), "{name}");
    }
}

#[test]
fn modules_without_shardy_are_unchanged() {
    for name in ["manual.hlo", "constraint.hlo-0.6"] {
        let bytes = stored(name);
        assert_eq!(written(&Module::from_bytes(bytes.clone()).unwrap()), bytes);
    }
}

const MESH: &str = "sdy.mesh @mesh = <[\"x\"=2, \"y\"=4]>\n";

fn constrained(sharding: &str) -> String {
    format!(
        "{MESH}func.func @main(%a: tensor<8x8xf32>) -> tensor<8x8xf32> {{\n\
         %0 = \"sdy.sharding_constraint\"(%a) <{{sharding = #sdy.sharding<{sharding}>}}> : (tensor<8x8xf32>) -> tensor<8x8xf32>\n\
         return %0 : tensor<8x8xf32>\n}}"
    )
}

/// The sharding of the only call.
fn sharding_of_call(text: &str) -> String {
    let texts = shardings(written(&parsed(text)));
    let calls: Vec<_> =
        texts.keys().filter(|text| text.starts_with("backend") || text.starts_with("call")).collect();
    let [call] = calls[..] else { panic!("{texts:?}") };
    call.replace("call_target_name=\"Sharding\" ", "").replace(" tensor<8x8xf32>", "")
}

#[test]
fn constraints_of_all_kinds() {
    for (sharding, expected) in [
        ("@mesh, [{}, {}]", "mhlo.sharding=\"{replicated}\""),
        ("@mesh, [{\"y\"}, {\"x\"}]", "mhlo.sharding=\"{devices=[4,2]<=[2,4]T(1,0)}\""),
        ("@mesh, [{\"x\", \"y\"}, {}]", "mhlo.sharding=\"{devices=[8,1]<=[8]}\""),
        ("@mesh, [{}, {}], replicated={\"x\"}", "mhlo.sharding=\"{replicated}\""),
        (
            "@mesh, [{\"x\", ?}, {?}]",
            "backend_config=\"unspecified_dims=[0,1]\" mhlo.sharding=\"{devices=[2,1,4]<=[8] last_tile_dim_replicate}\"",
        ),
        ("mesh<[\"a\"=8]>, [{}, {\"a\"}]", "mhlo.sharding=\"{devices=[1,8]<=[8]}\""),
        (
            "mesh<[\"a\"=2, \"b\"=1], device_ids=[0, 1]>, [{\"b\"}, {\"a\"}]",
            "mhlo.sharding=\"{devices=[1,2]<=[2]}\"",
        ),
    ] {
        assert_eq!(sharding_of_call(&constrained(sharding)), expected, "{sharding}");
    }
}

/// Returns the parts of a module that HLO does not have.
fn refused(text: &str) -> Vec<String> {
    let error = to_hlo(&parsed(text), &Progress::default()).err().unwrap();
    assert_eq!(error.kind(), ErrorKind::Unsupported);
    let reasons = error.losses().iter().map(|loss| {
        assert!(matches!(loss.kind, LossKind::NoHloForm(_)));
        format!("{} {}: {}", loss.count, loss.op.as_deref().unwrap_or("-"), loss.kind.subject().unwrap())
    });
    reasons.collect()
}

#[test]
fn shardings_that_hlo_does_not_have_are_named() {
    for (sharding, reason) in [
        ("@mesh, [{\"y\":(1)2}, {}]", "a sub-axis"),
        ("@mesh, [{\"y\"}p1, {}]", "a priority of a dimension"),
        ("@mesh, [{}, {}], unreduced={\"x\"}", "unreduced axes"),
        ("@mesh, [{?}, {}], replicated={\"x\"}", "explicitly replicated axes beside open dimensions"),
        ("@mesh, [{\"z\"}, {}]", "axis `z`, which the mesh does not have"),
        ("@other, [{}, {}]", "mesh `@other`, which the module does not have"),
        ("@mesh, [{\"x\"}, {\"x\"}]", "a sharding that uses an axis twice, or an axis that is manual"),
        ("mesh<[\"a\"=2], device_ids=[1, 0]>, [{\"a\"}, {}]", "a mesh with explicit device identifiers"),
        ("mesh<[], device_ids=[0]>, [{}, {}]", "a mesh with explicit device identifiers"),
        ("mesh<[\"a\"=4611686018427387904, \"b\"=4]>, [{}, {}]", "a mesh with more than 2^63 devices"),
        ("mesh<[\"a\"=0]>, [{}, {}]", "an axis without devices"),
        ("mesh<[\"a\"=2, \"a\"=2]>, [{}, {}]", "a mesh with two axes of one name"),
    ] {
        assert_eq!(
            refused(&constrained(sharding)),
            [format!("1 sdy.sharding_constraint: {reason}")],
            "{sharding}"
        );
    }
}

#[test]
fn operations_and_attributes_that_hlo_does_not_have_are_named() {
    let text = format!(
        "{MESH}func.func @main(%a: tensor<8xf32> {{sdy.other = 1 : i32}}) -> tensor<8xf32> {{\n\
         %0 = \"sdy.reshard\"(%a) <{{sharding = #sdy.sharding<@mesh, [{{}}]>}}> : (tensor<8xf32>) -> tensor<8xf32>\n\
         \"sdy.sharding_group\"(%a) <{{group_id = 1 : i64}}> : (tensor<8xf32>) -> ()\n\
         %1 = \"sdy.propagation_barrier\"(%0) <{{allowed_direction = 0 : i32}}> : (tensor<8xf32>) -> tensor<8xf32>\n\
         %2 = stablehlo.abs %1 {{sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{{}}]>]>}} : tensor<8xf32>\n\
         return %2 : tensor<8xf32>\n}}"
    );
    assert_eq!(
        refused(&text),
        [
            "1 func.func: `sdy.other`",
            "1 sdy.propagation_barrier: the operation",
            "1 sdy.reshard: the operation",
            "1 sdy.sharding_group: the operation",
            "1 stablehlo.abs: `sdy.sharding`",
        ]
    );
}

/// A manual computation of `body` on `x`, a tensor of the whole mesh.
fn manual(axes: &str, body: &str) -> String {
    format!(
        "\"sdy.manual_computation\"(%a) <{{in_shardings = #sdy.sharding_per_value<[<@mesh, [{{\"x\"}}, {{}}]>]>, \
         manual_axes = #sdy<manual_axes{{{axes}}}>, \
         out_shardings = #sdy.sharding_per_value<[<@mesh, [{{\"x\"}}, {{}}]>]>}}> ({{\n\
         ^bb0(%b: tensor<4x8xf32>):\n{body}\n\
         \"sdy.return\"(%c) : (tensor<4x8xf32>) -> ()\n}}) : (tensor<8x8xf32>) -> tensor<8x8xf32>"
    )
}

#[test]
fn functions_have_the_manual_axes_of_their_callers() {
    let inner = "func.func private @inner(%a: tensor<4x8xf32>) -> tensor<4x8xf32> {\n\
         %0 = sdy.sharding_constraint %a <@mesh, [{}, {\"y\"}]> : tensor<4x8xf32>\nreturn %0 : tensor<4x8xf32>\n}";
    let outer = manual("\"x\"", "%c = func.call @inner(%b) : (tensor<4x8xf32>) -> tensor<4x8xf32>");
    let text = |more: &str| {
        format!(
            "{MESH}{inner}\nfunc.func @main(%a: tensor<8x8xf32>) -> tensor<8x8xf32> {{\n%0 = {outer}\n{more}\n\
             return %0 : tensor<8x8xf32>\n}}"
        )
    };
    let texts = shardings(written(&parsed(&text(""))));
    let expected = "mhlo.sharding=\"{devices=[1,4,2]<=[2,4]T(1,0) last_tile_dims={manual}}\" tensor<4x8xf32>";
    assert!(texts.contains_key(&format!("call_target_name=\"Sharding\" {expected}")), "{texts:?}");
    // The function is called from outside as well.
    let more = "%9 = stablehlo.constant dense<0.0> : tensor<4x8xf32>\n\
         %8 = func.call @inner(%9) : (tensor<4x8xf32>) -> tensor<4x8xf32>";
    let reason = "1 sdy.sharding_constraint: a sharding in a function that is called from places with different manual axes";
    assert_eq!(refused(&text(more)), [reason]);
}

#[test]
fn computations_that_are_manual_twice_are_refused() {
    let inner = manual("\"x\"", "%c = stablehlo.abs %b : tensor<4x8xf32>").replace("(%a)", "(%b)");
    let inner = inner
        .replace("tensor<8x8xf32>", "tensor<4x8xf32>")
        .replace("%b: tensor", "%d: tensor")
        .replace("abs %b", "abs %d");
    let outer = manual("\"x\"", &format!("%c = {inner}"));
    let text = format!(
        "{MESH}func.func @main(%a: tensor<8x8xf32>) -> tensor<8x8xf32> {{\n%0 = {outer}\nreturn %0 : tensor<8x8xf32>\n}}"
    );
    let [reason] = &refused(&text)[..] else { panic!() };
    assert_eq!(
        reason,
        "1 sdy.manual_computation: a sharding that uses an axis twice, or an axis that is manual"
    );
}

/// Manual computations inside one another, all but the outermost with an axis of one device.
fn nested(depth: usize) -> Module {
    let mut text = String::from(
        "sdy.mesh @mesh = <[\"one\"=1, \"x\"=2]>\nfunc.func @main(%a0: tensor<8xf32>) -> tensor<8xf32> {\n",
    );
    for level in 0..depth {
        let next = level + 1;
        text += &format!(
            "%r{level} = \"sdy.manual_computation\"(%a{level}) <{{in_shardings = #sdy.sharding_per_value<[<@mesh, [{{}}]>]>, \
             manual_axes = #sdy<manual_axes{{\"one\"}}>, out_shardings = #sdy.sharding_per_value<[<@mesh, [{{}}]>]>}}> ({{\n\
             ^bb0(%a{next}: tensor<8xf32>):\n"
        );
    }
    text += &format!("%r{depth} = stablehlo.abs %a{depth} : tensor<8xf32>\n");
    for level in (0..depth).rev() {
        let inner = level + 1;
        text += &format!(
            "\"sdy.return\"(%r{inner}) : (tensor<8xf32>) -> ()\n}}) : (tensor<8xf32>) -> tensor<8xf32>\n"
        );
    }
    text += "return %r0 : tensor<8xf32>\n}";
    parsed(&text)
}

#[test]
fn computations_nest_without_recursion() {
    let module = nested(20_000);
    let translated = to_hlo(&module, &Progress::default()).unwrap().into_module().unwrap();
    let mut names: Vec<_> =
        translated.tables().op_names().unwrap().map(|name| name.full().into_owned()).collect();
    names.sort();
    assert_eq!(names, ["builtin.module", "func.func", "func.return", "stablehlo.abs"]);
}

#[test]
fn meshes_with_thousands_of_axes() {
    let axes: Vec<String> =
        (0..5_000).map(|axis| format!("\"a{axis}\"={}", if axis % 100 == 0 { 2 } else { 1 })).collect();
    let text = constrained("@mesh, [{\"x\"}, {\"y\"}]").replace(MESH, "");
    let with_mesh =
        |axes: &[String]| format!("sdy.mesh @mesh = <[\"x\"=2, {}, \"y\"=4]>\n{text}", axes.join(", "));
    let replicas = 1_u64 << 50;
    assert_eq!(
        sharding_of_call(&with_mesh(&axes)),
        format!(
            "mhlo.sharding=\"{{devices=[2,4,{replicas}]<=[2,{replicas},4]T(0,2,1) last_tile_dim_replicate}}\""
        )
    );
    let large: Vec<String> = (0..5_000).map(|axis| format!("\"a{axis}\"=2")).collect();
    let reasons = refused(&with_mesh(&large));
    assert_eq!(
        reasons,
        ["1 sdy.mesh: a mesh with more than 2^63 devices", "1 sdy.sharding_constraint: mesh `@mesh`"]
    );
}

// JAX 0.10.2 writes the call so with Shardy turned on, and without the rule with Shardy turned off.
#[test]
fn rules_of_custom_calls_are_left_out() {
    let call = |rule: &str| {
        format!(
            "func.func @main(%a: tensor<3x4x4xf32>) -> tensor<3x4x4xf32> {{\n\
             %0:2 = stablehlo.custom_call @lapack_spotrf_ffi(%a) {{mhlo.backend_config = {{uplo = 76 : ui8}}, \
             mhlo.frontend_attributes = {{num_batch_dims = \"1\"}}{rule}}} \
             : (tensor<3x4x4xf32>) -> (tensor<3x4x4xf32>, tensor<3xi32>)\n\
             return %0#0 : tensor<3x4x4xf32>\n}}"
        )
    };
    let rule = "#sdy.op_sharding_rule<([i, j, k])->([i, l, m], [i]) {i=3, j=4, k=4, l=4, m=4}, custom>";
    let with_rule = parsed(&call(&format!(", sdy.sharding_rule = {rule}")));
    assert!(has_shardings(&with_rule).unwrap());
    let mut without_rule = Vec::new();
    let options = WriteOptions { numbering: Numbering::Canonical, ..WriteOptions::default() };
    parsed(&call("")).write(&mut without_rule, &options).unwrap();
    assert_eq!(written(&with_rule), without_rule);
}
