//! Data layout of files: the entries that are decoded for it, and the scopes that apply.

#![allow(clippy::unwrap_used, clippy::panic)]

mod support;

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use mlirbc::edit::Editor;
use mlirbc::ir::BodyId;
use mlirbc::layout::{DataLayout, DltiAttr, Options, TypeLayout, TypeQuestion, TypeSize, symbol_of, verify};
use mlirbc::{Attribute, Module, Type};
use serde_json::{Value, json};

use crate::support::{data, root};

fn open(path: &str) -> Module {
    Module::open(root().join(path)).unwrap()
}

fn parse(text: &str) -> Type {
    Type::parse(text).unwrap()
}

fn decoded(module: &Module) -> usize {
    (0..module.body_count() as u32).filter(|&id| module.decoded_body(BodyId::new(id)).is_some()).count()
}

#[test]
fn a_first_question_decodes_nothing_but_the_way_to_the_op() {
    let module = open("tests/data/bytecode/llvm-22/v6/symbols.mlirbc");
    let function =
        module.operation().unwrap().region(0).unwrap().unwrap().block(0).unwrap().operation(1).unwrap();
    let before = decoded(&module);
    let layout = DataLayout::of(function).unwrap();
    assert_eq!(layout.type_size(&parse("index")).unwrap(), TypeSize::fixed(8));
    assert_eq!(decoded(&module), before);
    // The query left other bodies undecoded.
    module.decode_all(1).unwrap();
    assert!(decoded(&module) > before);
}

#[test]
fn scopes_are_found_on_the_way_outward() {
    let module = open("examples/layout.mlirbc");
    let step = module.operation().unwrap().pre_order().map(Result::unwrap);
    let step = step.into_iter().find(|op| symbol_of(op).unwrap().as_deref() == Some(b"step")).unwrap();
    let layout = DataLayout::of(step).unwrap();
    let paths: Vec<_> = layout.scopes().iter().map(|scope| &*scope.path).collect();
    assert_eq!(paths, ["builtin.module @host", "gpu.module @kernels"]);
    assert_eq!(layout.type_size(&parse("!llvm.ptr")).unwrap(), TypeSize::fixed(4));
    assert_eq!(layout.device_property("cpu", "cores").unwrap().to_string(), "8 : i32");
    assert_eq!(layout.query(&[parse("f64").into()]).unwrap().to_string(), "dense<64> : vector<1xi64>");
    verify(&module, &Options::default()).unwrap();
}

#[test]
fn verification_finds_what_is_wrong_anywhere() {
    let module = open("examples/layout.mlirbc");
    let mut editor = Editor::new(module).unwrap();
    let kernels = editor.operation().unwrap();
    let body = editor.body(kernels).unwrap();
    let kernels = editor.operations(body).unwrap()[1];
    let spec = Attribute::parse("#dlti.dl_spec<\"dlti.endianness\" = \"big\">").unwrap();
    editor.set_attribute(kernels, "dlti.dl_spec", &spec).unwrap();
    let mut bytes = Vec::new();
    editor.write(&mut bytes, &mlirbc::WriteOptions::default()).unwrap();
    let module = Module::from_bytes(bytes).unwrap();
    assert!(DataLayout::of(module.operation().unwrap()).is_ok());
    let error = verify(&module, &Options::default()).unwrap_err();
    assert_eq!(error.identifier(), "mlirbc.layout.specs_do_not_combine");
    assert_eq!(error.path(), Some("gpu.module @kernels, attribute `dlti.dl_spec`"));
}

#[test]
fn a_type_of_a_file_and_one_of_none_are_one() {
    let module = open("examples/layout.mlirbc");
    let layout = DataLayout::of(module.operation().unwrap()).unwrap();
    for id in 0..module.tables().entry_counts().unwrap().types {
        let file_type = Type::of_file(module.tables(), mlirbc::format::id::TypeId::new(id)).unwrap().unwrap();
        let alone = parse(&file_type.to_string());
        assert_eq!(layout.type_size(&file_type).ok(), layout.type_size(&alone).ok(), "{file_type}");
    }
}

fn size(size: TypeSize) -> Value {
    match size.fixed_value() {
        Some(size) => json!(size),
        None => json!({"min": size.known_min_value(), "scalable": true}),
    }
}

/// Answers the query of a test vector from the texts of its specifications alone.
fn answer(vector: &Value) -> mlirbc::Result<Value> {
    let queried_type = Type::parse(vector["type"].as_str().unwrap())?;
    let texts = vector["layers"].as_array().unwrap().iter().filter_map(|layer| layer["dl_spec"].as_str());
    let specs = texts.map(DltiAttr::parse).collect::<mlirbc::Result<Vec<_>>>()?;
    let layout = DataLayout::of_specs(&specs, &Options::default().strict(true))?;
    let text = |value: Option<&Attribute>| value.map(ToString::to_string);
    Ok(json!({
        "size": size(layout.type_size(&queried_type)?),
        "bitsize": size(layout.type_size_in_bits(&queried_type)?),
        "alignment": layout.type_abi_alignment(&queried_type)?,
        "preferred": layout.type_preferred_alignment(&queried_type)?,
        "index_bitwidth": layout.type_index_bitwidth(&queried_type)?.unwrap_or(0),
        "endianness": text(layout.endianness()),
        "default_memory_space": text(layout.default_memory_space()),
        "alloca_memory_space": text(layout.alloca_memory_space()),
        "program_memory_space": text(layout.program_memory_space()),
        "global_memory_space": text(layout.global_memory_space()),
        "stack_alignment": layout.stack_alignment(),
        "function_pointer_alignment": text(layout.function_pointer_alignment()),
        "mangling_mode": text(layout.mangling_mode()),
        "legal_int_widths": text(layout.legal_int_widths()),
    }))
}

#[test]
fn vectors_are_answered_from_the_texts_of_specifications() {
    let path = data("layout/data_layout.json");
    let vectors: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let (mut answered, mut refused) = (0, 0);
    for vector in vectors["vectors"].as_array().unwrap() {
        // The texts lack the operations that carry the attributes, and the dialects of the module.
        let code = vector["expected"]["rejected"]["code"].as_str();
        let needs_module = vector["group"] == "carrier" || code == Some("dialect-without-identifier-entries");
        if vector["kind"] != "layout" || needs_module {
            continue;
        }
        let id = &vector["id"];
        match (answer(vector), code) {
            (Ok(found), None) => {
                assert_eq!(found, vector["expected"], "{id}");
                answered += 1;
            }
            // MLIR crashes here; a vector of rank 0 has the size of one element.
            (Ok(_), Some("rank0-vector")) => {}
            (Err(error), Some(code)) => {
                let code_found = error.identifier().rsplit('.').next().unwrap().replace('_', "-");
                let is_text = code_found == "text" && matches!(code, "syntax" | "bad-type");
                assert!(code_found == code || is_text, "{id}: {code_found} for {code}: {error}");
                refused += 1;
            }
            (found, code) => panic!("{id}: {found:?} for {code:?}"),
        }
    }
    assert!(answered > 380 && refused > 90, "{answered} {refused}");
}

/// Counts its queries, and queries the nested type.
#[derive(Debug, Default)]
struct Nested(AtomicUsize);

impl Nested {
    fn inner(&self, question: &TypeQuestion<'_>) -> mlirbc::Result<TypeSize> {
        self.0.fetch_add(1, Ordering::Relaxed);
        let text = question.r#type.to_string();
        let inner = text.strip_prefix("!count.box<").and_then(|rest| rest.strip_suffix('>')).unwrap();
        question.layout.type_size(&parse(inner))
    }
}

impl TypeLayout for Nested {
    fn size_in_bits(&self, question: &TypeQuestion<'_>) -> mlirbc::Result<TypeSize> {
        self.inner(question)
    }

    fn abi_alignment(&self, question: &TypeQuestion<'_>) -> mlirbc::Result<u64> {
        self.inner(question).map(|_| 1)
    }
}

#[test]
fn a_limit_is_not_run_into_again_at_each_level() {
    let nested = Arc::new(Nested::default());
    let options = Options::default().types(vec![("count.box".to_owned(), nested.clone())]);
    let layout = DataLayout::of_specs(&[], &options).unwrap();
    let levels = 100;
    let text = format!("{}i8{}", "!count.box<!llvm.struct<(".repeat(levels), ")>>".repeat(levels));
    let error = layout.type_size(&parse(&text)).unwrap_err();
    assert_eq!(error.identifier(), "mlirbc.limit.depth");
    let query_count = nested.0.load(Ordering::Relaxed);
    assert!((32..=128).contains(&query_count), "{query_count}");
}

#[test]
fn an_error_about_a_large_type_is_short() {
    let layout = DataLayout::of_specs(&[], &Options::default()).unwrap();
    let array = "array<9223372036854775807 x i64>, ".repeat(3000);
    let error = layout.type_size(&parse(&format!("!llvm.struct<({array}i8)>"))).unwrap_err();
    assert_eq!(error.identifier(), "mlirbc.layout.overflow");
    assert!(error.to_string().len() < 400, "{error}");
}
