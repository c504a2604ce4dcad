//! Custom assembly, compared with the output of `mlir-opt` of the release.

#![allow(missing_docs, clippy::unwrap_used, clippy::panic)]

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use mlirbc::Module;
use mlirbc::parse::ParseOptions;
use mlirbc::print::PrintOptions;

// Files with lines that differ, and why.
const DIFFERENT: &[(&str, &str)] = &[
    ("resources_test_dialect", "mlir-opt renames resources that it loads"),
    ("test_dialect_properties", "operations of LLVM's test dialect have no definitions"),
];

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "mlirbc"));
    files.sort();
    files
}

fn printed(module: &Module, options: &PrintOptions) -> String {
    let mut text = Vec::new();
    module.print(&mut text, options).unwrap();
    String::from_utf8_lossy(&text).into_owned()
}

/// The dialect of an operation that begins a line; empty for one whose dialect is not written.
fn dialect(line: &str) -> Option<&str> {
    let line = line.trim_start();
    let operation = if line.starts_with('%') { line.split_once(" = ")?.1 } else { line };
    let name = operation
        .trim_start_matches('"')
        .split(|c: char| !(c.is_ascii_alphanumeric() || "._".contains(c)))
        .next()?;
    (!name.is_empty()).then(|| name.split_once('.').map_or("", |(dialect, _)| dialect))
}

// As `mlir-opt` 22 prints it: aliases of parts, also deep ones, precede what refers to them.
#[test]
fn aliases_of_parts_come_first() {
    let text = "\
#map = affine_map<(d0) -> (d0 + 1)>
#tbaa_root = #llvm.tbaa_root<id = \"root\">
#tbaa_type_desc = #llvm.tbaa_type_desc<id = \"t\", members = {<#tbaa_root, 0>}>
#tbaa_type_desc1 = #llvm.tbaa_type_desc<id = \"u\", members = {<#tbaa_type_desc, 0>}>
module attributes {t.a = [#map, {b = #map}], t.b = #tbaa_type_desc1} {
}
";
    let module = mlirbc::parse::parse(text.as_bytes(), &ParseOptions::default()).unwrap();
    assert_eq!(printed(&module, &PrintOptions::default()).trim_end(), text.trim_end());
}

// As `mlir-opt` 22 prints them.
#[test]
fn dense_constants_of_types_that_are_texts_have_elements() {
    let text = "\
module attributes {t.a = dense<[[5.000000e-01, 1.500000e+00]]> : !emitc.array<1x2xf32>, t.b = dense<7> : !spirv.arm.tensor<3x2xui64>} {
  spirv.func @f() -> !spirv.arm.tensor<3xui64> \"None\" {
    %cst = spirv.Constant dense<[5, 6, 7]> : !spirv.arm.tensor<3xui64>
    spirv.ReturnValue %cst : !spirv.arm.tensor<3xui64>
  }
}
";
    let module = mlirbc::parse::parse(text.as_bytes(), &ParseOptions::default()).unwrap();
    assert_eq!(printed(&module, &PrintOptions::default()).trim_end(), text.trim_end());
}

// `--lossless` prints an operation in generic form if its custom form omits something.
#[test]
fn lossless_text_has_what_custom_forms_leave_out() {
    let cases = [
        (
            "llvm-22",
            r#""func.func"() <{function_type = () -> (), sym_name = "f" : i32}> ({ "func.return"() : () -> () }) : () -> ()"#,
        ),
        (
            "llvm-22",
            r#""func.func"() <{function_type = () -> (), sym_name = "f", sym_visibility = "private" : i8}> ({ }) : () -> ()"#,
        ),
        ("llvm-22", r#"%0 = "spirv.Constant"() <{value = loc("a":1:2)}> : () -> f32"#),
        ("llvm-22", r#"%0 = "spirv.Constant"() <{value = 1 : i64}> : () -> i32"#),
        (
            "stablehlo-1.20",
            r#"%0 = "stablehlo.custom_call"() <{call_target_name = "foo" : i32}> : () -> tensor<f32>"#,
        ),
        (
            "stablehlo-1.20",
            r#"%0 = "t.x"() : () -> tensor<3xf32>
            %1 = "stablehlo.while"(%0) ({
            ^bb0(%a: tensor<?xf32>):
              %2 = "t.y"() : () -> tensor<i1>
              "stablehlo.return"(%2) : (tensor<i1>) -> ()
            }, {
            ^bb0(%a: tensor<3xf32>):
              "stablehlo.return"(%a) : (tensor<3xf32>) -> ()
            }) : (tensor<3xf32>) -> tensor<3xf32>"#,
        ),
        (
            "llvm-22",
            r#""llvm.func"() <{function_type = !llvm.func<void ()>, linkage = #llvm.linkage<external>, sym_name = "f",
            vscale_range = #llvm.vscale_range<minRange = 1 : i64, maxRange = 2 : i64>}> ({ }) : () -> ()"#,
        ),
        (
            "llvm-19",
            r#"%0 = "t.p"() : () -> !spirv.ptr<i32, StorageBuffer>
            %1 = "spirv.INTEL.SubgroupBlockRead"(%0) : (!spirv.ptr<i32, StorageBuffer>) -> vector<2xi32>"#,
        ),
        (
            "llvm-22",
            r#"%0:2 = "t.p"() : () -> (!spirv.ptr<i32, StorageBuffer>, i32)
            %1 = "spirv.AtomicIAdd"(%0#0, %0#1) <{memory_scope = #spirv.scope<Subgroup>,
              semantics = #spirv.memory_semantics<None>}> : (!spirv.ptr<i32, StorageBuffer>, i32) -> i8"#,
        ),
        (
            "llvm-16",
            r#"%0:2 = "t.p"() : () -> (!spirv.ptr<i32, StorageBuffer>, i32)
            %1 = "spirv.AtomicIAdd"(%0#0, %0#1) {memory_scope = #spirv.scope<Subgroup>,
              semantics = #spirv.memory_semantics<None>} : (!spirv.ptr<i32, StorageBuffer>, i32) -> i8"#,
        ),
        // The custom form of this operation assumes a pointer to bytes.
        (
            "llvm-16",
            r#"%0:2 = "t.p"() : () -> (!llvm.ptr, i1)
            %1 = "llvm.intr.coro.end"(%0#0, %0#1) : (!llvm.ptr, i1) -> i1"#,
        ),
        (
            "llvm-22",
            r#""func.func"() <{function_type = (i64) -> (), sym_name = "f"}> ({
            ^bb0(%n: i64):
              "cf.switch"(%n)[^bb1, ^bb1] <{case_operand_segments = array<i32: 0>, case_values = dense<-1> : vector<1xi64>,
                operandSegmentSizes = array<i32: 1, 0, 0>}> : (i64) -> ()
            ^bb1:
              "func.return"() : () -> ()
            }) : () -> ()"#,
        ),
        ("iree-3.13", r#"%0 = "smt.int.constant"() <{value = 2 : ui4}> : () -> !smt.int"#),
    ];
    for (target, operation) in cases {
        let parsed = |text: &str| {
            let options = ParseOptions::default().target(mlirbc::Release::named(target.to_owned()));
            mlirbc::parse::parse(text.as_bytes(), &options).unwrap_or_else(|error| panic!("{text}: {error}"))
        };
        let module = parsed(operation);
        let generic = printed(&module, &PrintOptions::generic());
        let lossless = printed(&module, &PrintOptions::default().lossless(true));
        assert_eq!(printed(&parsed(&lossless), &PrintOptions::generic()), generic, "{lossless}");
        // The case is one only because the custom form leaves something out.
        assert_ne!(printed(&module, &PrintOptions::default()), lossless, "{operation}");
    }
}

// Texts whose form depends on types: `mlir-opt` printed them, and prints them again where it is installed.
#[test]
fn types_decide_about_forms_as_in_mlir_opt() {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/types");
    for release in ["16", "19", "22"] {
        let text = std::fs::read_to_string(data.join(format!("llvm-{release}.mlir"))).unwrap();
        for part in text.split("// -----\n") {
            let options = ParseOptions::default().target(mlirbc::Release::named(format!("llvm-{release}")));
            let module = mlirbc::parse::parse(part.as_bytes(), &options).unwrap();
            assert_eq!(printed(&module, &PrintOptions::default()).trim_end(), part.trim_end());
            if let Some(theirs) = printed_by_mlir_opt(release, part) {
                assert_eq!(theirs.trim_end(), part.trim_end(), "mlir-opt-{release}");
            }
        }
    }
}

/// The text as `mlir-opt` prints it; `None` if it is not installed.
fn printed_by_mlir_opt(release: &str, text: &str) -> Option<String> {
    let mut command = Command::new(format!("mlir-opt-{release}"));
    command.args(["--allow-unregistered-dialect", "-"]).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut process = command.spawn().ok()?;
    let mut input = process.stdin.take().unwrap();
    let output = std::thread::scope(|scope| {
        scope.spawn(move || input.write_all(text.as_bytes()).unwrap());
        process.wait_with_output().unwrap()
    });
    assert!(output.status.success(), "mlir-opt-{release}");
    Some(String::from_utf8(output.stdout).unwrap())
}

// A form that depends on a type is printed in it however long the text of the type is, as `mlir-opt` 22 does.
#[test]
fn long_types_do_not_make_a_form_generic() {
    let fields = vec!["i64"; 300_000].join(", ");
    let text = format!(
        "module {{
  llvm.func @f(%arg0: !llvm.struct<({fields})>) {{
    llvm.return
  }}
  spirv.func @g(%arg0: !spirv.ptr<!spirv.struct<({fields})>, Function>) \"None\" {{
    spirv.CopyMemory  \"Function\" %arg0,  \"Function\" %arg0,  : !spirv.struct<({fields})>
    spirv.Return
  }}
}}"
    );
    let module = mlirbc::parse::parse(text.as_bytes(), &ParseOptions::default()).unwrap();
    assert!(printed(&module, &PrintOptions::default()).trim_end() == text);
    if let Some(theirs) = printed_by_mlir_opt("22", &text) {
        assert!(theirs.trim_end() == text);
    }
}

// As `mlir-opt` 22 prints the file.
#[test]
fn a_type_that_a_file_has_twice_is_one_type() {
    let text = r#"%0:2 = "t.x"() : () -> (i8, i9)
        %1 = "spirv.GL.SClamp"(%0#0, %0#1, %0#0) : (i8, i9, i8) -> i8"#;
    let bytes = mlirbc::parse::assemble(text, &ParseOptions::default()).unwrap();
    // The entry of an integer type is its code and its width, shifted by two bits.
    let entry = |width: u8| [1, width << 3 | 1];
    let place = bytes.windows(2).position(|pair| pair == entry(9)).unwrap();
    let bytes = [&bytes[..place], &entry(8), &bytes[place + 2..]].concat();
    let module = Module::from_bytes(bytes).unwrap();
    assert_eq!(
        printed(&module, &PrintOptions::default()).trim_end(),
        "module {
  %0:2 = \"t.x\"() : () -> (i8, i8)
  %1 = spirv.GL.SClamp %0#0, %0#1, %0#0 : i8
}"
    );
}

// As `mlir-opt` 22 prints it.
#[test]
fn numbers_in_data_layouts_have_their_types() {
    let text = "module attributes {t.a = #dlti.dl_spec<\"a.b\" = 32, \"a.c\" = [1, 2]>} {\n}";
    let module = mlirbc::parse::parse(text.as_bytes(), &ParseOptions::default()).unwrap();
    assert_eq!(printed(&module, &PrintOptions::default()).trim_end(), text.replace("32", "32 : i64"));
}

/// IREE 3.13 prints this text: the second operand is left out only if it equals the first one.
#[test]
fn equal_operands_are_left_out_also_after_different_ones() {
    let text = "module {\n  vm.module public @vm {\n    vm.func private @g(%arg0: i32, %arg1: i32) {\n      vm.cond_fail %arg0, %arg1\n      \
                vm.br ^bb1\n    ^bb1:  // pred: ^bb0\n      vm.cond_fail %arg0\n      vm.return\n    }\n  }\n}\n";
    let options = ParseOptions::default().target(mlirbc::Release::named("iree-3.13"));
    let module = mlirbc::parse::parse(text.as_bytes(), &options).unwrap();
    assert_eq!(printed(&module, &PrintOptions::default()).trim(), text.trim());
}

#[test]
fn files_print_as_mlir_opt_prints_them() {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/bytecode");
    for (release, version) in [("22", "v6"), ("22", "v0"), ("19", "v6"), ("16", "v0")] {
        let mlir_opt = format!("mlir-opt-{release}");
        if Command::new(&mlir_opt).arg("--version").output().is_err() {
            println!("skipped: there is no {mlir_opt}");
            continue;
        }
        let mut counts: BTreeMap<String, [u32; 2]> = BTreeMap::new();
        for path in files(&data.join(format!("llvm-{release}/{version}"))) {
            let output =
                Command::new(&mlir_opt).arg("--allow-unregistered-dialect").arg(&path).output().unwrap();
            if !output.status.success() {
                continue;
            }
            let expected = String::from_utf8_lossy(&output.stdout).trim_end().to_owned();
            let actual = printed(&Module::open(&path).unwrap(), &PrintOptions::default());
            let name = path.file_stem().unwrap().to_string_lossy().into_owned();
            if DIFFERENT.iter().all(|(known, _)| *known != name) {
                assert_eq!(actual.trim_end(), expected, "{}", path.display());
            }
            let mut unmatched: BTreeMap<&str, u32> = BTreeMap::new();
            actual.lines().for_each(|line| *unmatched.entry(line).or_default() += 1);
            for line in expected.lines() {
                let Some(dialect) = dialect(line) else { continue };
                let [equal, total] = counts.entry(dialect.to_owned()).or_default();
                *total += 1;
                if let Some(count) = unmatched.get_mut(line).filter(|count| **count > 0) {
                    *count -= 1;
                    *equal += 1;
                }
            }
        }
        for (dialect, [equal, total]) in counts {
            println!("llvm-{release} {version} {dialect:12} {equal:5} / {total}");
        }
    }
}

#[test]
fn an_operation_of_a_module_has_the_names_that_it_has_in_the_module() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/bytecode/llvm-22/v6/cfg.mlirbc");
    let module = Module::open(&path).unwrap();
    let whole = printed(&module, &PrintOptions::default());
    let mut count = 0;
    for op in module.operation().unwrap().pre_order() {
        let op = op.unwrap();
        if op.region_count() > 0 || op.name() == "func.return" {
            continue;
        }
        let mut text = Vec::new();
        op.print(&mut text, &PrintOptions::default()).unwrap();
        let text = String::from_utf8(text).unwrap();
        let first = text.lines().next().unwrap();
        assert!(whole.contains(first), "{first} is not in\n{whole}");
        count += 1;
    }
    assert!(count > 10);
}

// Where a text says less than the operation has, a note says so, and the lossless form is generic.
#[test]
fn lossless_text_is_that_of_the_custom_form_where_nothing_is_lost() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/bytecode/llvm-22/v6/cfg.mlirbc");
    let module = Module::open(&path).unwrap();
    let lossless = PrintOptions::default().lossless(true);
    let report = module.print(&mut Vec::new(), &lossless).unwrap();
    assert!(report.omissions.is_empty(), "{:?}", report.omissions);
    assert_eq!(printed(&module, &lossless), printed(&module, &PrintOptions::default()));
}

fn generic(text: &str) -> String {
    format!("\"builtin.module\"() ({{\n{text}}}) : () -> ()\n")
}

// Nothing is listed to print a splat, whatever its number of elements is: a file of 158 bytes may have this many.
#[test]
fn a_splat_of_any_length_is_printed() {
    let switch = |dialect: &str, kind: &str, count: &str| {
        format!(
            "  \"func.func\"() <{{function_type = (i32) -> (), sym_name = \"f\"}}> ({{\n  ^bb0(%arg0: i32):\n    \
             \"{dialect}.switch\"(%arg0)[^bb1, ^bb1] <{{case_operand_segments = array<i32: 0>, \
             case_values = dense<0> : {kind}<{count}xi32>, operandSegmentSizes = array<i32: 1, 0, 0>}}> : (i32) -> ()\n  \
             ^bb1:  // 2 preds: ^bb0, ^bb0\n    \"func.return\"() : () -> ()\n  }}) : () -> ()\n"
        )
    };
    for count in ["4097", "200000000", "1000000000000"] {
        let texts = [
            switch("cf", "tensor", count),
            switch("llvm", "vector", count),
            format!(
                "  \"tosa.variable\"() <{{sym_name = \"x\", type = i32, var_shape = dense<1> : tensor<{count}xindex>}}> \
                 : () -> ()\n"
            ),
            format!(
                "  %0 = \"shape.const_shape\"() <{{shape = dense<1> : tensor<{count}xindex>}}> : () -> \
                 tensor<{count}xindex>\n"
            ),
            format!(
                "  \"tosa.variable\"() <{{initial_value = dense<0> : tensor<{count}xi32>, sym_name = \"x\", type = i32, \
                 var_shape = dense<{count}> : tensor<1xindex>}}> : () -> ()\n"
            ),
        ];
        for text in texts.map(|text| generic(&text)) {
            let module = mlirbc::parse::parse(text.as_bytes(), &ParseOptions::default()).unwrap();
            assert_eq!(printed(&module, &PrintOptions::generic()), text);
            let custom = printed(&module, &PrintOptions::default());
            match text.contains("initial_value") {
                true => assert!(
                    custom.contains(&format!("tosa.variable @x = dense<0> : tensor<{count}xi32>\n")),
                    "{custom}"
                ),
                // Without a list in the text, only the generic form is left.
                false => assert!(custom.contains("() <{") || custom.contains("^bb1] <{"), "{custom}"),
            }
        }
    }
}

#[test]
fn files_with_long_splats_print_as_their_texts() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/limits");
    let files = files(&folder);
    assert_eq!(files.len(), 4);
    for path in files {
        let expected = std::fs::read_to_string(path.with_extension("mlir")).unwrap();
        assert_eq!(
            printed(&Module::open(&path).unwrap(), &PrintOptions::default()),
            expected,
            "{}",
            path.display()
        );
    }
}

/// Operations whose lists of numbers have more than 100 elements, which MLIR stores and prints as hexadecimal digits, with
/// the releases that have the operation.
fn long_lists() -> Vec<(String, &'static [u32])> {
    const ALL: &[u32] = &[16, 19, 22];
    let joined = |item: &dyn Fn(i64) -> String| (0..101).map(item).collect::<Vec<_>>().join(", ");
    let cases = |first: i64| joined(&|number| format!("{}: ^bb1", first + number));
    let function =
        |arguments: &str, body: &str| format!("func.func @f({arguments}) {{\n{body}\n  return\n}}\n");
    let mut texts: Vec<(String, &[u32])> = Vec::new();
    for (r#type, first) in [("i8", -50), ("i32", -50), ("i64", 0), ("i64", -50), ("si32", -50)] {
        let body = format!("  cf.switch %a : {type}, [\n  default: ^bb1, {}\n  ]\n^bb1:", cases(first));
        texts.push((function(&format!("%a: {type}"), &body), if r#type == "si32" { &[] } else { ALL }));
        let body = format!(
            "  spirv.mlir.selection {{\n    spirv.Switch %a : {type}, [\n    default: ^bb1, {}\n    ]\n  ^bb1:\n    \
             spirv.Branch ^bb2\n  ^bb2:\n    spirv.mlir.merge\n  }}",
            cases(first)
        );
        texts.push((function(&format!("%a: {type}"), &body), if r#type == "i8" { &[] } else { &[22] }));
    }
    for (r#type, first) in [("i32", -50), ("i64", 0)] {
        let cases = cases(first);
        let body = format!("  llvm.switch %a : {type}, ^bb1 [\n    {cases}\n  ]\n^bb1:\n  llvm.return\n}}\n");
        texts.push((format!("llvm.func @f(%a: {type}) {{\n{body}"), ALL));
    }
    let (numbers, equal) = (joined(&|number| number.to_string()), joined(&|_| "3".to_owned()));
    let shapes = [("tensor<101xindex>", &numbers), ("!shape.shape", &numbers), ("tensor<101xindex>", &equal)];
    for (r#type, sizes) in shapes {
        texts.push((function("", &format!("  %0 = shape.const_shape [{sizes}] : {type}")), ALL));
    }
    let indices = joined(&|number| format!("%i{number}"));
    let zeros = (0..100).map(|_| "0").collect::<Vec<_>>().join(", ");
    let tens = joined(&|_| "10".to_owned());
    let body = format!("  affine.parallel ({indices}) = (max(0, 1), {zeros}) to ({tens}) {{\n  }}");
    texts.push((function("", &body), ALL));
    let maps: String = (0..101)
        .map(|number| {
            format!(
                "  %m{number} = omp.map.info var_ptr(%v : memref<i32>, i32) map_clauses(to) capture(ByRef) -> memref<i32>\n"
            )
        })
        .collect();
    let (members, types) = (joined(&|number| format!("%m{number}")), joined(&|_| "memref<i32>".to_owned()));
    let places = joined(&|number| format!("[{number}]"));
    let body = format!(
        "{maps}  %p = omp.map.info var_ptr(%v : memref<i32>, i32) map_clauses(to) capture(ByRef) \
         members({members} : {places} : {types}) -> memref<i32>"
    );
    texts.push((function("%v: memref<i32>", &body), &[19, 22]));
    texts.push((
        format!(
            "module {{\n  \"tosa.variable\"() <{{sym_name = \"x\", type = i32, var_shape = dense<[{numbers}]> : \
             tensor<101xindex>}}> : () -> ()\n}}\n"
        ),
        &[22],
    ));
    texts.retain(|(_, releases)| !releases.is_empty());
    texts
}

#[test]
fn lists_of_more_than_100_numbers_print_as_mlir_opt_prints_them() {
    for release in [16, 19, 22] {
        let mlir_opt = format!("mlir-opt-{release}");
        if Command::new(&mlir_opt).arg("--version").output().is_err() {
            println!("skipped: there is no {mlir_opt}");
            continue;
        }
        for (text, _) in long_lists().iter().filter(|(_, releases)| releases.contains(&release)) {
            let run = |flag: &[&str], input: &[u8]| {
                let folder = std::env::temp_dir().join(format!("mlirbc-long-lists-{}", std::process::id()));
                std::fs::write(&folder, input).unwrap();
                let output = Command::new(&mlir_opt).args(flag).arg(&folder).output().unwrap();
                std::fs::remove_file(&folder).unwrap();
                assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
                output.stdout
            };
            let bytecode = run(&["--emit-bytecode"], text.as_bytes());
            let expected = String::from_utf8(run(&[], &bytecode)).unwrap();
            let module = Module::from_bytes(bytecode).unwrap();
            assert_eq!(printed(&module, &PrintOptions::default()).trim_end(), expected.trim_end());
        }
    }
}

// Every text is read back as the module that it was printed from.
#[test]
fn lists_of_more_than_100_numbers_are_read_back() {
    for (text, releases) in long_lists() {
        for release in releases {
            let options = ParseOptions::default().target(mlirbc::Release::named(format!("llvm-{release}")));
            let module = mlirbc::parse::parse(text.as_bytes(), &options).unwrap();
            // MLIR prints negative cases of 64 bits without their sign, and no parser reads these numbers.
            let is_lost = text.contains("i64, [") && text.contains("-50:");
            for lossless in [is_lost, true] {
                let custom = printed(&module, &PrintOptions::default().lossless(lossless));
                assert_eq!(custom.contains("\"0x"), is_lost, "{custom}");
                let again = mlirbc::parse::parse(custom.as_bytes(), &options).unwrap();
                let all = |module: &Module| printed(module, &PrintOptions::generic());
                assert_eq!(all(&again), all(&module), "{text}");
            }
        }
    }
}
