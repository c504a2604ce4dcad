//! Data layout of files: what is decoded for it, and what is found on the way.

#![allow(clippy::unwrap_used)]

use std::path::PathBuf;
use std::sync::Arc;

use mlirbc::edit::Editor;
use mlirbc::layout::{DataLayout, Options, TypeSize, symbol_of, verify};
use mlirbc::{AttributeValue, BodyId, Module, TypeValue};

fn open(path: &str) -> Module {
    Module::open(PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..").join(path)).unwrap()
}

fn parse(text: &str) -> TypeValue {
    TypeValue::parse(text).unwrap()
}

fn decoded(module: &Module) -> usize {
    (0..module.body_count() as u32).filter(|&id| module.decoded_body(BodyId(id)).is_some()).count()
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
    // There was something left to decode.
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
    let module = Arc::new(open("examples/layout.mlirbc"));
    let mut editor = Editor::new(module).unwrap();
    let kernels = editor.operation().unwrap();
    let body = editor.body(kernels).unwrap();
    let kernels = editor.operations(body).unwrap()[1];
    let spec = AttributeValue::parse("#dlti.dl_spec<\"dlti.endianness\" = \"big\">").unwrap();
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
    let module = Arc::new(open("examples/layout.mlirbc"));
    let layout = DataLayout::of(module.operation().unwrap()).unwrap();
    for id in 0..module.entry_counts().unwrap().types {
        let of = TypeValue::in_module(module.clone(), mlirbc::TypeId(id)).unwrap().unwrap();
        let alone = parse(&of.to_string());
        assert_eq!(layout.type_size(&of).ok(), layout.type_size(&alone).ok(), "{of}");
    }
}
