//! Texts are assembled to the bytes that MLIR writes for them.

#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod support;

use std::path::{Path, PathBuf};
use std::process::Command;

use mlirbc::parse::{ParseOptions, assemble, parse};
use mlirbc::print::PrintOptions;
use mlirbc::write::Numbering;
use mlirbc::{ErrorKind, Module, WriteOptions};

use crate::support::{data, files};

fn canonical(module: &Module) -> mlirbc::Result<Vec<u8>> {
    let options = WriteOptions::default().numbering(Numbering::Canonical);
    let mut bytes = Vec::new();
    module.write(&mut bytes, &options)?;
    Ok(bytes)
}

/// Returns the bytecode that `mlir-opt` of a release writes for a text; `None` if it rejects the text, or is
/// not installed.
fn oracle(release: &str, path: &Path) -> Option<Vec<u8>> {
    let out = Command::new(format!("mlir-opt-{release}"))
        .args(["--allow-unregistered-dialect", "--emit-bytecode", "-o", "-"])
        .arg(path)
        .output()
        .ok()?;
    out.status.success().then_some(out.stdout)
}

/// The bytes up to the zero byte after the producer differ in the patch version of the tool.
fn without_producer(bytes: &[u8]) -> &[u8] {
    let end = bytes.iter().skip(5).position(|byte| *byte == 0).unwrap_or(0);
    &bytes[5 + end..]
}

fn texts() -> Vec<PathBuf> {
    let mut paths = Vec::new();
    for folder in ["mlir", "dialects"] {
        let entries = std::fs::read_dir(data(folder)).unwrap().map(|entry| entry.unwrap().path());
        paths.extend(entries.filter(|path| path.extension().is_some_and(|extension| extension == "mlir")));
    }
    paths.sort();
    paths
}

// Unsupported forms are counted; any other text must give MLIR's bytes, unless it is listed.
fn texts_become_the_bytes_of(release: &str) {
    let options = |path: &Path| {
        ParseOptions::default()
            .target(mlirbc::Release::named(format!("llvm-{release}")))
            .file(path.display().to_string())
    };
    let (mut equal, mut unsupported, mut wrong) = (0, 0, Vec::new());
    for path in texts() {
        let Some(expected) = oracle(release, &path) else { continue };
        // Operations of MLIR's own test dialect are not in the definitions.
        let text = std::fs::read_to_string(&path).unwrap();
        if text.contains("test.") && text.contains("properties") || text.contains("resources_test_dialect") {
            continue;
        }
        match assemble(&text, &options(&path)) {
            Ok(bytes) if without_producer(&bytes) == without_producer(&expected) => equal += 1,
            Ok(_) => wrong.push((path, "other bytes".to_owned())),
            Err(error) if error.kind() == ErrorKind::AsmForm => unsupported += 1,
            Err(error) => wrong.push((path, error.to_string())),
        }
    }
    println!("llvm-{release}: {equal} equal, {unsupported} with unsupported forms, {} wrong", wrong.len());
    let known_differences = KNOWN.iter().find(|(of, _)| *of == release).map_or(&[][..], |(_, names)| *names);
    let unknown: Vec<_> = wrong
        .iter()
        .filter(|(path, _)| {
            !known_differences.iter().any(|(name, _)| path.file_stem().is_some_and(|stem| stem == *name))
        })
        .collect();
    assert!(unknown.is_empty(), "llvm-{release}: {unknown:?}");
}

#[test]
fn texts_become_the_bytes_of_mlir_16() {
    texts_become_the_bytes_of("16");
}

#[test]
fn texts_become_the_bytes_of_mlir_19() {
    texts_become_the_bytes_of("19");
}

#[test]
fn texts_become_the_bytes_of_mlir_22() {
    texts_become_the_bytes_of("22");
}

/// Texts of each release that are refused, or become other bytes, with the reason.
const KNOWN: [(&str, &[(&str, &str)]); 3] = [
    (
        "16",
        &[
            ("print_elements", "other bytes: the order of equal constants"),
            ("resources_test_dialect", "refused: resources of the test dialect"),
            ("vector", "other bytes: defaults of `kind` are added at another time"),
        ],
    ),
    (
        "19",
        &[
            ("llvm_19", "other bytes: a composite type of debug information without a tag"),
            ("nvvm_more", "refused: groups of `nvvm.barrier`"),
            ("print_floats_19_22", "other bytes: the order of equal constants"),
            ("resources_test_dialect", "refused: resources of the test dialect"),
            ("types_floats_19", "other bytes: the order of equal constants"),
            ("xegpu_19_22", "other bytes: the order of attributes"),
        ],
    ),
    (
        "22",
        &[
            ("llvm_22", "other bytes: MLIR leaves out `splitDebugFilename` of a compile unit"),
            ("print_floats_22", "refused: a float of eight bits without one"),
            ("ptr_22", "refused: flags of `ptr.ptr_diff`"),
            ("print_locations_22", "other bytes: the order of equal locations"),
            ("resources_test_dialect", "refused: resources of the test dialect"),
            ("test_irdl_to_cpp_more", "other bytes: the order of attributes"),
            ("wasmssa_22", "refused: a type without angle brackets"),
        ],
    ),
];

// Printing with locations and assembling gives the same module again, for each known release.
#[test]
fn printed_files_assemble_to_their_canonical_bytes() {
    let custom = PrintOptions::default().lossless(true);
    for (form, options) in [("generic", PrintOptions::generic()), ("custom", custom)] {
        let (mut equal, mut others) = (0, Vec::new());
        for path in files("tests/data/bytecode") {
            let Ok(module) = Module::open(&path) else { continue };
            let Ok(expected) = canonical(&module) else { continue };
            let Some(target) = module.release().unwrap().nearest().map(str::to_owned) else { continue };
            let mut text = Vec::new();
            let options = options.clone().locations(true).strict(true);
            if module.print(&mut text, &options).is_err() {
                continue;
            }
            let version = Some(module.tables().bytecode().version());
            let options = ParseOptions::default().target(mlirbc::Release::named(target)).version(version);
            match assemble(&text, &options) {
                Ok(bytes) if without_producer(&bytes) == without_producer(&expected) => equal += 1,
                Ok(_) => others.push(format!("{}: other bytes", path.display())),
                Err(error) => others.push(format!("{}: {error}", path.display())),
            }
        }
        println!("{form}: {equal} equal, {} others", others.len());
        assert!(others.len() * 16 <= equal, "{form}: {}", others.join("\n"));
    }
}

fn refused(text: &str) -> mlirbc::Error {
    let options = ParseOptions::default().file("a.mlir");
    parse(text, &options).unwrap_err()
}

#[test]
fn errors_have_a_place_and_a_suggestion() {
    let error =
        refused("func.func @f(%a: i32) -> i32 {\n  %0 = arith.adid %a, %a : i32\n  return %0 : i32\n}");
    let place = error.text_place().unwrap();
    assert_eq!((place.line, place.column), (2, 8));
    assert_eq!(error.kind(), ErrorKind::AsmOperation);
    assert_eq!(error.hint(), Some("did you mean `arith.addi`?"));
    assert_eq!(place.excerpt(), "  %0 = arith.adid %a, %a : i32\n       ^");

    let error = refused("\"t.a\"(%0) : (i32) -> ()");
    assert_eq!(error.to_string(), "`%0` is used, but it is not defined, at a.mlir:1:7");
    let error = refused("%0 = \"t.a\"() : () -> i32\n\"t.b\"(%0) : (i64) -> ()");
    assert_eq!(error.to_string(), "`%0` is used with type `i64`, but its type is `i32`, at a.mlir:2:7");
    let error = refused("\"t.a\"()[^bb1] : () -> ()");
    assert_eq!(error.kind(), ErrorKind::AsmContents);
    let error = refused("%c = arith.cmpi sltt, %a, %b : i32");
    assert_eq!(error.hint(), Some("did you mean `slt`?"));
    let error = refused("\"t.a\"() {a = 1, a = 2} : () -> ()");
    assert_eq!(error.to_string(), "attribute `a` occurs twice, at a.mlir:1:17");
    let error = refused("\"t.a\"() : () -> i32,");
    assert_eq!(
        error.to_string(),
        "expected an operation: `\"dialect.name\"` or `dialect.name`, found `,`, at a.mlir:1:20"
    );
}

#[test]
fn any_number_of_results_is_compared_with_that_of_the_operation() {
    let errors = [
        (
            "%v:1048576 = \"t.a\"() : () -> i32",
            "`t.a` has 1 result, but the text names 1048576, at a.mlir:1:1",
        ),
        (
            "%v:4294967295, %w:2 = \"t.a\"() : () -> i32",
            "`t.a` has 1 result, but the text names 4294967297, at a.mlir:1:1",
        ),
        ("%v:0 = \"t.a\"() : () -> i32", "expected a number of results above zero, found `0`, at a.mlir:1:4"),
        (
            "%v:4294967296 = \"t.a\"() : () -> i32",
            "expected a number of results below 2^32, found `4294967296`, at a.mlir:1:4",
        ),
        ("\"t.a\"(%v#1048577) : (i32) -> ()", "`%v` is used, but it is not defined, at a.mlir:1:7"),
    ];
    for (text, expected) in errors {
        assert_eq!(refused(text).to_string(), expected);
    }
    // Matches the module that `mlir-opt` reads.
    parse("%v:0x2 = \"t.a\"() : () -> (i32, i32)\n\"t.b\"(%v#1) : (i32) -> ()", &ParseOptions::default())
        .unwrap();
}

#[test]
fn parsing_stops_when_the_caller_requests_it() {
    let options = ParseOptions::default().interrupt(std::sync::Arc::new(|| true));
    let error = parse("\"t.a\"() : () -> ()\n".repeat(5000), &options).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Interrupted);
}

// Reading the custom form makes MLIR store the maps.
#[test]
fn maps_that_an_operation_does_not_store_are_noted() {
    let text = r#"func.func @f(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
        %0 = linalg.matmul ins(%a, %a : tensor<4x4xf32>, tensor<4x4xf32>)
            outs(%a : tensor<4x4xf32>) -> tensor<4x4xf32>
        return %0 : tensor<4x4xf32>
    }"#;
    let options = ParseOptions::default().target(mlirbc::Release::named("llvm-19"));
    let module = parse(text, &options).unwrap();
    let printed = |module: &Module, options: &PrintOptions| {
        let mut text = Vec::new();
        let report = module.print(&mut text, options).unwrap();
        (String::from_utf8(text).unwrap(), report.omissions)
    };
    assert!(printed(&module, &PrintOptions::default()).1.is_empty());
    let generic = printed(&module, &PrintOptions::generic()).0;
    let maps = generic.find(" {linalg.memoized_indexing_maps").unwrap();
    let end = maps + generic[maps..].find("]}").unwrap() + 2;
    let without = parse(format!("{}{}", &generic[..maps], &generic[end..]), &options).unwrap();
    let (_, omissions) = printed(&without, &PrintOptions::default());
    assert_eq!(omissions[0].part(), "which indexing maps it stores");
    let lossless = PrintOptions::default().lossless(true);
    let again = parse(printed(&without, &lossless).0, &options).unwrap();
    assert_eq!(printed(&again, &PrintOptions::generic()).0, printed(&without, &PrintOptions::generic()).0);
}

// Valid operations whose custom text, as MLIR prints it, parses as another operation or not at all.
#[test]
fn lossless_text_is_the_same_module() {
    let texts = [
        (
            "llvm-22",
            r#""cf.switch"(%i)[^bb1, ^bb1] <{case_operand_segments = array<i32: 0>, case_values = dense<7> : tensor<1xi32>, operandSegmentSizes = array<i32: 1, 0, 0>}> : (i32) -> ()
                      ^bb1:"#,
        ),
        (
            "llvm-19",
            r#"%p = llvm.mlir.zero : !llvm.ptr
                %0 = "llvm.getelementptr"(%p) <{elem_type = i8, rawConstantIndices = array<i32>}> : (!llvm.ptr) -> !llvm.ptr"#,
        ),
        ("llvm-22", r#""ml_program.global"() <{is_mutable, sym_name = "g", type = i32}> : () -> ()"#),
        (
            "llvm-22",
            r#""t.a"() {a = sparse<[[3], [3]], [1, 2]> : tensor<4xi32>, b = sparse<[[0, 0], [0, 0]], 5> : tensor<2x2xi32>,
                      c = sparse<0, 5> : tensor<2x2xi32>} : () -> ()"#,
        ),
        ("llvm-22", r#"%0 = "memref.load"(%m, %x) <{nontemporal = false}> : (memref<4xi32>, index) -> i32"#),
        ("llvm-22", r#""omp.critical.declare"() <{hint = 0 : i64, sym_name = "c"}> : () -> ()"#),
        ("llvm-22", r#""omp.critical.declare"() <{hint = 16 : i64, sym_name = "c"}> : () -> ()"#),
        (
            "llvm-19",
            r#"%0 = "tensor.unpack"(%t, %t, %x) <{inner_dims_pos = array<i64>, static_inner_tiles = array<i64>}> : (tensor<4xf32>, tensor<4xf32>, index) -> tensor<4xf32>"#,
        ),
        (
            "llvm-19",
            r#"%0 = "shape.const_shape"() <{shape = dense<1> : tensor<2x2xindex>}> : () -> !shape.shape"#,
        ),
        ("llvm-19", r#"%0 = "shape.cstr_eq"() : () -> !shape.witness"#),
        (
            "llvm-19",
            "\"vector.print\"() <{punctuation = #vector.punctuation<newline>}> : () -> ()\n%0 = \"ub.poison\"() <{value = #ub.poison}> : () -> i32",
        ),
        (
            "llvm-22",
            "\"vector.print\"() <{punctuation = #vector.punctuation<newline>}> : () -> ()\n%0 = \"ub.poison\"() <{value = #ub.poison}> : () -> i32",
        ),
        (
            "llvm-19",
            "\"gpu.printf\"() <{format = \"x\"}> : () -> ()\n%0 = \"ub.poison\"() <{value = #ub.poison}> : () -> i32",
        ),
        (
            "llvm-22",
            r#"%p = llvm.mlir.zero : !llvm.ptr
                nvvm.prefetch level = L1, %p : !llvm.ptr
                "nvvm.prefetch"(%p) <{cacheLevel = #nvvm<prefetch_cache_level L1>, in_param_space}> : (!llvm.ptr) -> ()"#,
        ),
        (
            "llvm-19",
            r#"%c = builtin.unrealized_conversion_cast to tensor<4xi1>
                "tosa.cond_if"(%c) ({ "tosa.yield"() : () -> () }, { "tosa.yield"() : () -> () }) : (tensor<4xi1>) -> ()"#,
        ),
        (
            "llvm-22",
            r#"%s = builtin.unrealized_conversion_cast to vector<[4]xi32>
                "rocdl.raw.buffer.store"(%i, %s, %i, %i, %i) : (i32, vector<[4]xi32>, i32, i32, i32) -> ()"#,
        ),
    ];
    for (target, inner) in texts {
        let text = format!(
            "func.func @f(%i: i32, %x: index, %m: memref<4xi32>, %t: tensor<4xf32>) {{\n{inner}\nreturn\n}}"
        );
        let options = ParseOptions::default().target(mlirbc::Release::named(target.to_owned()));
        let module = parse(&text, &options).unwrap();
        let printed = |module: &Module, options: &PrintOptions| {
            let mut text = Vec::new();
            module.print(&mut text, options).unwrap();
            String::from_utf8(text).unwrap()
        };
        let lossless = printed(&module, &PrintOptions::default().lossless(true));
        let again = parse(&lossless, &options).unwrap_or_else(|error| panic!("{error}\n{lossless}"));
        assert_eq!(printed(&again, &PrintOptions::generic()), printed(&module, &PrintOptions::generic()));
    }
}

#[test]
fn an_unsupported_form_is_named() {
    let error = refused("func.func @f(%a: i32) {\n  sparse_tensor.coiterate (%a)\n  return\n}");
    assert_eq!(error.kind(), ErrorKind::AsmForm);
    let start = "the custom form of `sparse_tensor.coiterate` cannot be parsed";
    assert!(error.to_string().starts_with(start), "{error}");
    assert!(error.hint().unwrap().contains("generic form"));
}

/// Returns a text with nested single-block regions, in which values of open regions may be used before their
/// definition.
fn generated(seed: u64) -> String {
    let mut state = seed;
    let mut below = move |bound: u64| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) % bound
    };
    let (mut text, mut next) = (String::from("\"builtin.module\"() ({\n"), 0);
    // The visible values of each open region, planned before their definitions are written.
    let mut open: Vec<(Vec<u64>, usize)> = Vec::new();
    let mut begin = |below: &mut dyn FnMut(u64) -> u64, open: &mut Vec<(Vec<u64>, usize)>| {
        let count = 1 + below(5);
        open.push(((next..next + count).collect(), 0));
        next += count;
    };
    begin(&mut below, &mut open);
    while let Some((own, done)) = open.last().cloned() {
        if done == own.len() {
            open.pop();
            text.push_str("}) : () -> ()\n");
            continue;
        }
        if let Some(top) = open.last_mut() {
            top.1 += 1;
        }
        let visible: Vec<u64> = open.iter().flat_map(|(own, _)| own.iter().copied()).collect();
        let operands: Vec<String> =
            (0..below(4)).map(|_| format!("%{}", visible[below(visible.len() as u64) as usize])).collect();
        let types = vec!["i32"; operands.len()].join(", ");
        text.push_str(&format!("%{} = \"t.op\"({}) : ({types}) -> i32\n", own[done], operands.join(", ")));
        if below(3) == 0 && open.len() < 4 {
            text.push_str("\"t.region\"() ({\n");
            begin(&mut below, &mut open);
        }
    }
    text
}

#[test]
fn generated_texts_keep_their_bytes_and_are_those_of_mlir() {
    let folder = std::env::temp_dir();
    for seed in 0..60 {
        let text = generated(seed);
        let options = ParseOptions::default().file("g.mlir");
        let module = parse(&text, &options).unwrap_or_else(|error| panic!("{error}\n{text}"));
        let mut printed = Vec::new();
        let with_locations = PrintOptions::generic().locations(true);
        module.print(&mut printed, &with_locations).unwrap();
        let second = assemble(&printed, &options).unwrap();
        // The printed text has other forward references, so only the orders of uses may differ.
        let module = Module::from_bytes(second).unwrap();
        let mut again = Vec::new();
        module.print(&mut again, &with_locations).unwrap();
        assert!(printed == again, "{text}");
        if seed < 12 {
            let path = folder.join(format!("mlirbc-generated-{}-{seed}.mlir", std::process::id()));
            std::fs::write(&path, &text).unwrap();
            let expected = oracle("22", &path);
            let options = options.file(path.display().to_string());
            let assembled = assemble(&text, &options).unwrap();
            std::fs::remove_file(&path).unwrap();
            if let Some(expected) = expected {
                assert!(without_producer(&assembled) == without_producer(&expected), "{text}");
            }
        }
    }
}

/// Formats that are written by hand in MLIR, from many dialects.
const HAND_WRITTEN: &str = r#"
#map = affine_map<(d0) -> (d0)>
module {
  func.func @structured(%a: tensor<4x8xf32>, %b: tensor<8x2xf32>, %c: tensor<4x2xf32>, %x: f32) -> tensor<4x2xf32> {
    %0 = linalg.fill ins(%x : f32) outs(%c : tensor<4x2xf32>) -> tensor<4x2xf32>
    %1 = linalg.matmul ins(%a, %b : tensor<4x8xf32>, tensor<8x2xf32>) outs(%0 : tensor<4x2xf32>) -> tensor<4x2xf32>
    %2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
        outs(%1 : tensor<4x2xf32>) {
    ^bb0(%in: f32):
      %s = arith.addf %in, %x : f32
      linalg.yield %s : f32
    } -> tensor<4x2xf32>
    return %2 : tensor<4x2xf32>
  }
  func.func @loops(%m: memref<4x8xf32>, %n: index, %c: i1) {
    %cst = arith.constant 0.0 : f32
    affine.for %i = 0 to min affine_map<()[s0] -> (s0, 16)>()[%n] step 2 {
      %v = affine.load %m[%i mod 4, symbol(%n) + 1] : memref<4x8xf32>
      affine.store %v, %m[%i floordiv 2, 0] : memref<4x8xf32>
    }
    affine.parallel (%i, %j) = (0, 0) to (%n, 4) step (1, 2) {
    }
    scf.parallel (%i) = (%n) to (%n) step (%n) {
    }
    %p = vector.transfer_read %m[%n, %n], %cst {permutation_map = affine_map<(a, b) -> (b)>} : memref<4x8xf32>, vector<8xf32>
    vector.transfer_write %p, %m[%n, %n] : vector<8xf32>, memref<4x8xf32>
    scf.if %c {
      "t.a"() : () -> ()
    } else {
    }
    return
  }
  llvm.func internal @callee(%a: !llvm.ptr, i64, ...) -> !llvm.struct<(i32, ptr)>
  gpu.module @kernels {
    gpu.func @kernel(%a: memref<4xf32>) workgroup(%w: memref<8xf32, 3>) private(%q: memref<1xf32, 5>) kernel {
      gpu.return
    }
  }
  spirv.module Logical GLSL450 {
    spirv.GlobalVariable @g bind(0, 1) : !spirv.ptr<f32, Uniform>
    spirv.func @f(%a: f32) -> f32 "None" {
      %0 = spirv.Constant 1.0 : f32
      %1 = spirv.Variable init(%a) : !spirv.ptr<f32, Function>
      %2 = spirv.Load "Function" %1 ["Aligned", 4] : f32
      spirv.ReturnValue %2 : f32
    }
  }
}
"#;

#[test]
fn hand_written_forms_become_the_bytes_of_mlir() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("forms.mlir");
    for release in ["19", "22"] {
        // A signature with a type without a name is not allowed among named ones.
        let text = HAND_WRITTEN.replace("%a: !llvm.ptr, i64", "!llvm.ptr, i64");
        std::fs::write(&path, &text).unwrap();
        let options = ParseOptions::default()
            .target(mlirbc::Release::named(format!("llvm-{release}")))
            .file(path.display().to_string());
        let ours = assemble(&text, &options).unwrap_or_else(|error| panic!("{release}: {error}"));
        let Some(theirs) = oracle(release, &path) else { continue };
        assert!(without_producer(&ours) == without_producer(&theirs), "llvm-{release}");
    }
}

/// Formats of directives, and of operations that occur in few texts.
const CLAUSES: &str = r#"
module {
  acc.routine @r func(@f) bind("a" [#acc.device_type<nvidia>], @b) gang([#acc.device_type<host>], dim: 1 : i64) worker
  func.func @f(%m: memref<10xf32>, %i: index, %n: i64, %c: i1) {
    acc.parallel async(%n : i64 [#acc.device_type<nvidia>]) num_gangs({%n : i64, %n : i64}) wait({devnum: %n : i64}) {
      acc.loop gang({num=%n : i64, static=%n : i64}) worker control(%k : index) = (%i : index) to (%i : index) step (%i : index) {
        acc.yield
      } attributes {inclusiveUpperbound = array<i1: true>, seq = [#acc.device_type<none>]}
      acc.yield
    }
    return
  }
  llvm.func @mma(%a: vector<2xf16>, %b: vector<2xf16>, %c: vector<2xf16>) {
    %0 = nvvm.mma.sync A[%a, %a] B[%b] C[%c, %c] {layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<col>, shape = #nvvm.shape<m = 16, n = 8, k = 8>} : (vector<2xf16>, vector<2xf16>, vector<2xf16>) -> !llvm.struct<(vector<2xf16>, vector<2xf16>)>
    llvm.return
  }
  tosa.variable @v = dense<0> : tensor<2x3xi8>
  "t.a"() {a = #nvvm.target<link = ["b"], flags = {fast}, chip = "sm_90">, t = !llvm.array<2x!llvm.array<3 x i8>>} : () -> ()
}
module attributes {transform.with_named_sequence} {
  transform.sequence failures(propagate) {
  ^bb0(%root: !transform.any_op):
    transform.yield
  }
}
"#;

#[test]
fn clauses_become_the_bytes_of_mlir() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("clauses.mlir");
    std::fs::write(&path, CLAUSES).unwrap();
    let options =
        ParseOptions::default().target(mlirbc::Release::named("llvm-22")).file(path.display().to_string());
    let ours = assemble(CLAUSES, &options).unwrap_or_else(|error| panic!("{error}"));
    if let Some(theirs) = oracle("22", &path) {
        assert!(without_producer(&ours) == without_producer(&theirs));
    }
}

fn printed(module: &Module, options: &PrintOptions) -> String {
    let mut text = Vec::new();
    module.print(&mut text, options).unwrap();
    String::from_utf8(text).unwrap()
}

// A line with a comment is parsed word by word, while other lines may reuse the plan of an earlier line.
#[test]
fn comments_at_the_ends_of_lines_change_nothing() {
    let mut equal = 0;
    for release in ["llvm-16", "llvm-19", "llvm-22"] {
        for path in texts() {
            let text = std::fs::read_to_string(&path).unwrap();
            let commented = text.lines().map(|line| format!("{line} //\n")).collect::<String>();
            let options = ParseOptions::default().target(mlirbc::Release::named(release.to_owned()));
            // Comments are part of the text of a dialect's attribute that has several lines.
            let (Ok(bytes), Ok(same)) = (assemble(&text, &options), assemble(&commented, &options)) else {
                continue;
            };
            assert!(bytes == same, "{} for {release}", path.display());
            equal += 1;
        }
    }
    assert!(equal > 200, "only {equal} texts were compared");
}

#[test]
fn repeated_lines_differ_in_what_they_use() {
    let line =
        |result: &str, left: &str, right: &str| format!("%{result} = arith.subi {left}, {right} : i32\n");
    let text = |end: &str| {
        [
            // A graph region, in which values may be used before their definition.
            "module {\n",
            "%a = \"t.a\"() : () -> i32\n",
            "%b = \"t.a\"() : () -> i32\n",
            "%q:2 = \"t.two\"(%a) : (i32) -> (i32, i32)\n",
            "%r:2 = \"t.two\"(%b) : (i32) -> (i32, i32)\n",
            &line("0", "%a", "%b"),
            &line("1", "%b", "%0"),
            &line("2", "%q#1", "%r#0"),
            &line("x", "%2", "%later"),
            &line("later", "%r", "%r#1"),
            "%3 = \"t.i64\"() : () -> i64\n",
            end,
            "}\n",
        ]
        .concat()
    };
    let module = parse(text(""), &ParseOptions::default()).unwrap();
    let printed = printed(&module, &PrintOptions::default());
    let ops: Vec<&str> = printed.lines().filter(|line| line.contains("arith")).map(str::trim).collect();
    assert_eq!(
        ops,
        [
            "%4 = arith.subi %0, %1 : i32",
            "%5 = arith.subi %1, %4 : i32",
            "%6 = arith.subi %2#1, %3#0 : i32",
            "%7 = arith.subi %6, %8 : i32",
            "%8 = arith.subi %3#0, %3#1 : i32",
        ]
    );
    for (end, column, message) in [
        (line("4", "%a", "%3"), 21, "`%3` is used with type `i32`, but its type is `i64`"),
        (line("4", "%a", "%q#2"), 21, "`%q` has no result number `2`"),
        (line("4", "%none", "%a"), 17, "`%none` is used, but it is not defined"),
        (line("0", "%a", "%a"), 1, "`%0` is defined twice; the first definition is in line 6"),
        (line("n:2", "%a", "%a"), 1, "`arith.subi` has 1 result, but the text names 2"),
    ] {
        let error = parse(text(&end), &ParseOptions::default()).unwrap_err();
        let place = error.text_place().unwrap();
        assert_eq!((place.line, place.column), (12, column), "{error}");
        assert!(error.to_string().contains(message), "{error}");
    }
}

// In the expressions of an affine map, a value that occurs twice is one dimension.
#[test]
fn repeated_lines_differ_in_names_that_are_the_same() {
    let lines = ["%i, %j", "%j, %i", "%i, %i", "%j, %j", "%i, %j"];
    let text: String =
        lines.iter().map(|indices| format!("affine.load %m[{indices}] : memref<?x?xi32>\n")).collect();
    let text = format!("func.func @f(%m: memref<?x?xi32>, %i: index, %j: index) {{\n{text}return\n}}\n");
    let module = parse(&text, &ParseOptions::default()).unwrap();
    let printed = printed(&module, &PrintOptions::generic());
    let loads: Vec<&str> = printed.lines().filter(|line| line.contains("affine.load")).collect();
    let operands: Vec<&str> =
        loads.iter().map(|line| &line[line.find('(').unwrap()..=line.find(')').unwrap()]).collect();
    assert_eq!(
        operands,
        [
            "(%arg0, %arg1, %arg2)",
            "(%arg0, %arg2, %arg1)",
            "(%arg0, %arg1)",
            "(%arg0, %arg2)",
            "(%arg0, %arg1, %arg2)"
        ]
    );
}

// The text after a line may or may not belong to its operation.
#[test]
fn repeated_lines_can_continue() {
    let text = |ends: &[&str]| {
        let lines = ends
            .iter()
            .map(|end| format!("\"t.a\"() : () -> (){end}\nmemref.store %a, %b[] : memref<i1>{end}\n"));
        format!("func.func @f(%a: i1, %b: memref<i1>) {{\n{}return\n}}\n", lines.collect::<String>())
    };
    let at_once = text(&["", " loc(\"x\")", "", " loc(\"y\")"]);
    let continued = text(&["", "\nloc(\"x\")", "", "\n\nloc(\"y\")"]);
    let options = PrintOptions::default().locations(true);
    let [at_once, continued] = [at_once, continued].map(|text| {
        let module = parse(text, &ParseOptions::default()).unwrap();
        printed(&module, &options)
            .lines()
            .filter(|line| line.starts_with("#loc") && !line.contains("\"-\""))
            .count()
    });
    assert_eq!((at_once, continued), (2, 2));
}

/// A mapped file whose bytes are continually replaced while it is read.
#[cfg(all(unix, feature = "mmap"))]
#[test]
fn a_text_that_changes_while_it_is_read_is_no_panic() {
    use std::os::unix::fs::FileExt;
    use std::sync::atomic::{AtomicBool, Ordering};

    use mlirbc::bytes::{Backend, Source};
    use mlirbc::parse::prepare;

    let mut texts: Vec<Vec<u8>> = texts().iter().map(|path| std::fs::read(path).unwrap()).collect();
    texts.retain(|text| (1000..100_000).contains(&text.len()));
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("changing.mlir");
    for text in texts.iter().step_by(1 + texts.len() / 24) {
        let size = text.len();
        // Only a few bytes differ, so that most of the text is parsed.
        let mut variant = text.clone();
        for step in 0..=size / 60 {
            variant[step.wrapping_mul(0x9E37_79B9) % size] = text[step.wrapping_mul(0x85EB_CA6B) % size];
        }
        let variants = [text.clone(), variant];
        std::fs::write(&path, &variants[0]).unwrap();
        let is_done = AtomicBool::new(false);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                let file = std::fs::OpenOptions::new().write(true).open(&path).unwrap();
                let mut step = 0_usize;
                while !is_done.load(Ordering::Relaxed) {
                    step += 1;
                    let start = step.wrapping_mul(0x9E37_79B9) % size;
                    let end = size.min(start + 1 + step % 97);
                    file.write_all_at(&variants[step / 7 % 2][start..end], start as u64).unwrap();
                }
            });
            // The writer must end in any case, so that a panic of a reader is a failure and not an endless
            // test.
            let readings = std::panic::catch_unwind(|| {
                for _ in 0..40 {
                    let source = Source::open(&path, Backend::Map).unwrap();
                    let _ = prepare(source, &ParseOptions::default());
                }
            });
            is_done.store(true, Ordering::Relaxed);
            if let Err(panic) = readings {
                std::panic::resume_unwind(panic);
            }
        });
    }
}

#[cfg(all(unix, feature = "mmap"))]
#[test]
fn a_mapped_text_that_became_shorter_is_an_error_of_the_file() {
    use mlirbc::bytes::{Backend, Source};
    use mlirbc::parse::prepare;

    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("shorter.mlir");
    std::fs::write(&path, "\"t.a\"() : () -> ()\n".repeat(10_000)).unwrap();
    let source = Source::open(&path, Backend::Map).unwrap();
    std::fs::OpenOptions::new().write(true).open(&path).unwrap().set_len(100).unwrap();
    let error = prepare(source, &ParseOptions::default()).err().unwrap();
    assert_eq!(error.kind(), ErrorKind::Shrunk);
}
