use super::*;
use crate::Module;
use crate::edit::Editor;
use crate::parse::{ParseOptions, parse};
use crate::release::Release;
use crate::wire::error::ErrorKind;

const PROGRAM: &str = "module {
  func.func public @main(%x: tensor<2x3xf32> loc(\"x\"), %n: tensor<?xf32> loc(\"n\")) -> tensor<2x2xf32> {
    %w = stablehlo.constant dense<[[1.0, -2.0], [3.0, 4.0], [0.3, -6.5]]> : tensor<3x2xf32> loc(\"jit(f)/MLP/layer0/dot_general\")
    %b = stablehlo.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32> loc(\"jit(f)/MLP/layer1/add\")
    %c = stablehlo.constant dense<[5, 6, 7]> : tensor<3xi32>
    %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<2x2xf32> loc(\"jit(f)/MLP/layer0/dot_general\")
    %1 = \"test.first\"(%b) : (tensor<3xf32>) -> tensor<3xf32> loc(\"jit(f)/MLP/layer1/add\")
    %2 = \"test.second\"(%b, %c) : (tensor<3xf32>, tensor<3xi32>) -> tensor<3xf32> loc(\"jit(f)/MLP/layer2/mul\")
    return %0 : tensor<2x2xf32>
  }
}";

fn artifact(text: &str) -> Artifact {
    let options = ParseOptions::default().target(Release::named("jaxlib-0.10"));
    Artifact::of(&parse(text, &options).unwrap())
}

fn written(mut rewrite: Rewrite) -> Artifact {
    let mut bytes = Vec::new();
    rewrite.prepare(&WriteOptions::default()).unwrap().write(&mut bytes).unwrap();
    Artifact::from_source(bytes.into(), &Default::default()).unwrap()
}

fn text(module: &Module) -> String {
    let mut text = Vec::new();
    module.print(&mut text, &Default::default()).unwrap();
    String::from_utf8(text).unwrap()
}

fn everything(_: &Weight) -> bool {
    true
}

fn hoisted(artifact: &Artifact, choose: &dyn Fn(&Weight) -> bool) -> (Artifact, HoistReport) {
    let weights = super::super::Weights::of(artifact.first()).unwrap();
    let options = HoistOptions::default().drop_derivatives(true);
    let (rewrite, report) = Rewrite::hoist(artifact, &weights, choose, &|_| true, &options).unwrap();
    (written(rewrite), report)
}

/// The weights of a module as tensors with their names.
fn tensors(artifact: &Artifact) -> Vec<NamedTensor> {
    let weights = super::super::Weights::of(artifact.first()).unwrap();
    let rows = weights.rows().iter().filter(|weight| weight.kind != WeightKind::Splat && weight.has_data);
    rows.map(|weight| {
        let bytes = weights.module().source().get(weight.range.clone()).unwrap().to_vec();
        NamedTensor::new(&*weight.name, weight.dtype.clone().unwrap(), &weight.shape, bytes)
    })
    .collect()
}

#[test]
fn hoisted_constants_are_named_arguments_after_the_others() {
    let (hoisted, report) = hoisted(&artifact(PROGRAM), &is_float_tensor);
    assert_eq!(report.hoisted, ["jit(f)/MLP/layer0/dot_general", "jit(f)/MLP/layer1/add"]);
    let text = text(hoisted.first());
    assert!(text.contains("%arg2: tensor<3x2xf32>, %arg3: tensor<3xf32>) -> tensor<2x2xf32>"), "{text}");
    assert!(!text.contains("tensor<3x2xf32>\n    %"), "{text}");
    let names = function_arguments(&hoisted, None).unwrap();
    assert_eq!(names, ["x", "n", "jit(f)/MLP/layer0/dot_general", "jit(f)/MLP/layer1/add"]);
}

/// The sums of the operations and the constants of a module without locations and the order of constants.
fn content(module: &Module) -> Vec<String> {
    let text = text(module);
    let mut lines: Vec<String> = text.lines().map(|line| line.trim().to_owned()).collect();
    // Constants are at the start of the function after a freeze, and have other names.
    for line in &mut lines {
        let mut parts = line.split('%');
        let mut unnamed = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            unnamed.push('%');
            unnamed
                .push_str(part.trim_start_matches(|letter: char| letter.is_alphanumeric() || letter == '_'));
        }
        *line = unnamed;
    }
    lines.sort();
    lines
}

#[test]
fn freezing_hoisted_constants_gives_the_same_program() {
    for text in [PROGRAM, &PROGRAM.replace("tensor<3xf32>", "tensor<3xbf16>").replace("3xi32", "3xi8")] {
        let original = artifact(text);
        let values = tensors(&original);
        for mask in 1..8_usize {
            let chosen: Vec<String> = values
                .iter()
                .enumerate()
                .filter(|(place, _)| mask >> place & 1 == 1)
                .map(|(_, tensor)| tensor.name().to_owned())
                .collect();
            let (hoisted, report) = hoisted(&original, &|weight| chosen.contains(&weight.name));
            let values: Vec<NamedTensor> = values
                .iter()
                .filter(|tensor| report.hoisted.iter().any(|name| name == tensor.name()))
                .cloned()
                .collect();
            let (rewrite, _) = Rewrite::freeze(&hoisted, &values, &FreezeOptions::default()).unwrap();
            assert_eq!(content(written(rewrite).first()), content(original.first()), "{chosen:?}");
        }
    }
}

#[test]
fn an_export_hoists_into_a_dictionary_and_freezes_back() {
    let original = Artifact::open("../../examples/mlp.jax").unwrap();
    let values = tensors(&original);
    let (hoisted, _) = hoisted(&original, &everything);
    let paths = hoisted.container().unwrap().exported(0).unwrap().unwrap().in_paths;
    assert_eq!(paths.last().map(String::as_str), Some("args[2]['jit(mlp)/dot_general']"));
    let (rewrite, report) = Rewrite::freeze(&hoisted, &values, &FreezeOptions::default()).unwrap();
    assert_eq!(report.frozen, ["args[2]['jit(mlp)/dot_general']"]);
    let frozen = written(rewrite);
    let exported = |artifact: &Artifact| artifact.container().unwrap().exported(0).unwrap().unwrap();
    let (before, after) = (exported(&original), exported(&frozen));
    assert_eq!(after.in_paths, before.in_paths);
    assert_eq!(after.in_avals, before.in_avals);
    assert_eq!(after.module_kept_var_idx, before.module_kept_var_idx);
    assert_eq!(content(frozen.first()), content(original.first()));
}

#[test]
fn frozen_arguments_leave_the_derivatives_and_the_tree() {
    let original = Artifact::open("../../examples/mlp.jax").unwrap();
    let tensors = [("b0", vec![16]), ("w0", vec![8, 16]), ("w1", vec![16, 4])].map(|(name, shape)| {
        let size = shape.iter().product::<u64>() as usize;
        NamedTensor::new(name, "f32", &shape, vec![0; 4 * size])
    });
    let (rewrite, report) = Rewrite::freeze(&original, &tensors, &FreezeOptions::default()).unwrap();
    assert_eq!(report.remaining, ["args[1]"]);
    let frozen = written(rewrite);
    let exported = |index| frozen.container().unwrap().exported(index).unwrap().unwrap();
    assert_eq!(exported(0).in_paths, ["args[0]"]);
    assert_eq!(exported(0).module_kept_var_idx, [0]);
    assert_eq!((exported(1).in_avals.len(), exported(1).out_avals.len()), (2, 1));
    assert_eq!(exported(1).out_avals[0].to_string(), "float32[2,8]");
}

#[test]
fn one_of_several_users_gets_an_argument() {
    let original = artifact(PROGRAM);
    let weights = super::super::Weights::of(original.first()).unwrap();
    let choose_use = |weight_use: &WeightUse| weight_use.layer.ends_with("layer2");
    let options = HoistOptions::default();
    let (rewrite, _) = Rewrite::hoist(&original, &weights, &is_float_tensor, &choose_use, &options).unwrap();
    let text = text(written(rewrite).first());
    assert!(text.contains("\"test.second\"(%arg2,"), "{text}");
    assert!(!text.contains("\"test.first\"(%arg2)"), "{text}");
}

#[test]
fn stored_constants_have_operations_that_restore_their_type() {
    let store = |form: StoreForm| {
        let (rewrite, report) =
            Rewrite::store(&artifact(PROGRAM), &form, &is_float_tensor, &|_| true, false).unwrap();
        (text(written(rewrite).first()), report)
    };
    let (cast, report) = store(StoreForm::Float("bf16".to_owned()));
    assert!(
        cast.contains("stablehlo.convert") && cast.contains("(tensor<3x2xbf16>) -> tensor<3x2xf32>"),
        "{cast}"
    );
    assert_eq!((report.size_before, report.size_after, report.stored.len()), (36, 18, 2));
    // The bf16 number nearest to 0.3.
    assert_eq!(report.largest_error, 0.300_781_25 - f64::from(0.3_f32));
    let (integers, report) = store(StoreForm::Int8PerChannel(None));
    assert!(integers.contains("stablehlo.broadcast_in_dim"), "{integers}");
    assert!(integers.contains("dense<[[42, -39], [127, 78], [13, -127]]> : tensor<3x2xi8>"), "{integers}");
    assert_eq!(report.size_after, 6 + 8 + 3 + 12);
    let (integers, _) = store(StoreForm::Int8);
    assert!(integers.contains("dense<[[20, -39], [59, 78], [6, -127]]> : tensor<3x2xi8>"), "{integers}");
}

#[test]
fn impossible_requests_name_the_reason() {
    let original = artifact(PROGRAM);
    let freeze = |name: &str, dtype: &str, shape: &[u64], size: usize| {
        let tensor = NamedTensor::new(name, dtype, shape, vec![0; size]);
        Rewrite::freeze(&original, &[tensor], &FreezeOptions::default()).unwrap_err()
    };
    for (error, part) in [
        (freeze("xx", "f32", &[2, 3], 24), "no argument for the tensor `xx`"),
        (freeze("x", "f16", &[2, 3], 12), "f32 [2, 3], but the tensor is f16 [2, 3]"),
        (freeze("x", "f32", &[3, 2], 24), "but the tensor is f32 [3, 2]"),
        (freeze("x", "f32", &[2, 3], 20), "20 bytes instead of 24"),
        (freeze("n", "f32", &[3], 12), "symbolic"),
    ] {
        assert_eq!(error.kind(), ErrorKind::Weights);
        assert!(error.to_string().contains(part), "{error}");
    }
    assert!(freeze("xx", "f32", &[2, 3], 24).hint().unwrap().contains("`x`"));
    for form in ["f33", "i8", "tf32"] {
        let form = StoreForm::Float(form.to_owned());
        assert!(Rewrite::store(&original, &form, &everything, &|_| true, false).is_err());
    }
    let calls = "module { func.func private @main(%x: tensor<1xf32>) { return }
        func.func @caller(%x: tensor<1xf32>) { call @main(%x) : (tensor<1xf32>) -> () return } }";
    let tensor = NamedTensor::new("arg0", "f32", &[1], vec![0; 4]);
    let error = Rewrite::freeze(&artifact(calls), &[tensor], &FreezeOptions::default()).unwrap_err();
    assert!(error.to_string().contains("calls the function `main`"), "{error}");
}

#[test]
fn programs_of_arith_have_other_operations() {
    let program = PROGRAM.replace("stablehlo.constant", "arith.constant");
    let start = program.find("    %0 = stablehlo").unwrap();
    let end = program[start..].find('\n').unwrap() + start;
    let program = program
        .replace(&program[start..end], "    %0 = \"test.dot\"(%w) : (tensor<3x2xf32>) -> tensor<2x2xf32>");
    let original = artifact(&program);
    let form = StoreForm::Float("f16".to_owned());
    let (rewrite, _) = Rewrite::store(&original, &form, &is_float_tensor, &|_| true, false).unwrap();
    let text = text(written(rewrite).first());
    assert!(text.contains("arith.extf %cst : tensor<3x2xf16> to tensor<3x2xf32>"), "{text}");
    let mut editor = Editor::new(original.first().clone()).unwrap();
    assert!(function::EntryFunction::find(&mut editor, Some("f")).is_err());
}
