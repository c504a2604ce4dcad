//! Data layout under the rules of the RFC, and the hooks that both sets of rules have.

#![allow(clippy::unwrap_used, clippy::panic)]

mod support;

use std::sync::Arc;

use mlirbc::edit::{Editor, InsertionPoint, NewOperation};
use mlirbc::layout::{
    self, DataLayout, DltiAttr, IdentifierRules, LayoutSource, Options, Rules, ScopeQuestion,
    ScopeSpecification, TypeLayout, TypeQuestion, TypeSize, TypeTable, VectorAlignment, VectorLayout, verify,
};
use mlirbc::{Attribute, Error, ErrorKind, Module, Type, WriteOptions};
use proptest::prelude::*;

use crate::support::root;

fn parse(text: &str) -> Type {
    Type::parse(text).unwrap()
}

fn rfc() -> Options {
    Options::default().rules(Rules::Rfc)
}

fn layout(specs: &[&str]) -> mlirbc::Result<DataLayout> {
    let specs: mlirbc::Result<Vec<_>> = specs.iter().map(DltiAttr::parse_specification).collect();
    DataLayout::of_specs(&specs?, &rfc())
}

/// Size in bits, ABI and preferred alignment.
fn facts(layout: &DataLayout, of: &str) -> (u64, u64, u64) {
    let parsed_type = parse(of);
    let size = layout.type_size_in_bits(&parsed_type).unwrap().known_min_value();
    (
        size,
        layout.type_abi_alignment(&parsed_type).unwrap(),
        layout.type_preferred_alignment(&parsed_type).unwrap(),
    )
}

#[test]
fn entries_state_sizes() {
    let spec = "[#datalayout.entry<i24, {size = 32, abi = 32, preferred = 64}>,
        #datalayout.entry<f80, {size = 128, abi = 128}>, #datalayout.entry<index, {size = 32, abi = 32}>,
        #datalayout.entry<!llvm.ptr<3>, {size = 16, abi = 16, index = 8}>]";
    let layout = layout(&[spec]).unwrap();
    assert_eq!(facts(&layout, "i24"), (32, 4, 8));
    assert_eq!(facts(&layout, "f80"), (128, 16, 16));
    assert_eq!(facts(&layout, "index"), (32, 4, 4));
    assert_eq!(facts(&layout, "vector<4xi24>"), (128, 16, 16));
    assert_eq!(facts(&layout, "complex<i24>"), (64, 4, 4));
    assert_eq!(facts(&layout, "!llvm.struct<(i8, i24, f80)>"), (256, 16, 16));
    assert_eq!(facts(&layout, "!llvm.ptr<3>"), (16, 2, 2));
    assert_eq!(layout.type_index_bitwidth(&parse("!llvm.ptr<3>")).unwrap(), Some(8));
    // (3 + 2 * 1) words, as the RFC has memrefs.
    assert_eq!(facts(&layout, "memref<?xf32>"), (160, 4, 4));
    assert_eq!(facts(&layout, "tuple<i8, tuple<i24, i8>, f80>"), (256, 16, 16));
    assert_eq!(facts(&layout, "tuple<>"), (0, 1, 1));
}

#[test]
fn the_innermost_entry_wins() {
    let outer = "[#datalayout.entry<i8, {abi = 16}>, #datalayout.entry<\"a.b\", 1>,
        #datalayout.entry<!llvm.ptr, {size = 64, abi = 64}>]";
    let inner = "[#datalayout.entry<i8, {abi = 32}>, #datalayout.entry<\"a.b\", 2>,
        #datalayout.entry<!llvm.ptr, {size = 32, abi = 16}>]";
    let combined = layout(&[outer, inner]).unwrap();
    assert_eq!(facts(&combined, "i8"), (8, 4, 4));
    assert_eq!(facts(&combined, "!llvm.ptr"), (32, 2, 2));
    assert!(combined.entries().all(|entry| entry.scope == 1));
    // The spelling of MLIR has the same rules here, and others there.
    let mlir = ["#dlti.dl_spec<\"a.b\" = 1>", "#dlti.dl_spec<\"a.b\" = 2>"];
    assert_eq!(layout(&mlir).unwrap().entries().count(), 1);
    let specs = mlir.map(|text| DltiAttr::parse(text).unwrap());
    let refused = DataLayout::of_specs(&specs, &Options::default()).unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::LayoutCombine);
}

#[test]
fn malformed_entries_are_refused() {
    use ErrorKind as K;
    let entry = |value: &str| format!("[#datalayout.entry<i8, {value}>]");
    for (text, kind) in [
        ("[1]".to_owned(), K::LayoutNotAnEntry),
        ("[#datalayout.other<i8, 1>]".to_owned(), K::LayoutNotAnEntry),
        ("[#datalayout.entry]".to_owned(), K::LayoutNotAnEntry),
        ("[#datalayout.entry<i8>]".to_owned(), K::AsmText),
        ("[#datalayout.entry<\"\", 1>]".to_owned(), K::LayoutEmptyKey),
        ("[#datalayout.entry<i8, 1>, #datalayout.entry<i8, 1>]".to_owned(), K::LayoutDuplicateKey),
        ("#dlti.map<>".to_owned(), K::LayoutAttributeKind),
        (entry("1"), K::LayoutEntryKind),
        (entry("{}"), K::LayoutArity),
        (entry("{size = 8}"), K::LayoutArity),
        (entry("{abi = 0}"), K::LayoutZero),
        (entry("{abi = 12}"), K::LayoutByteMultiple),
        (entry("{abi = 24}"), K::LayoutByteMultiple),
        (entry("{abi = 16, preferred = 8}"), K::LayoutPreferred),
        (entry("{abi = 8, size = 4}"), K::LayoutEntryKind),
        (entry("{abi = 8, index = 8}"), K::LayoutEntryKind),
        (entry("{abi = \"a\"}"), K::LayoutEntryKind),
        ("[#datalayout.entry<!llvm.ptr, {abi = 8}>]".to_owned(), K::LayoutArity),
        ("[#datalayout.entry<tensor<1xi8>, {abi = 8}>]".to_owned(), K::LayoutBuiltinKey),
        ("[#datalayout.entry<!toy.none, {abi = 8}>]".to_owned(), K::LayoutTypeHooks),
        ("[#datalayout.entry<vector<1xi8>, {max = 12}>]".to_owned(), K::LayoutEntryKind),
        ("[#datalayout.entry<memref<1xi8>, {model = \"x\"}>]".to_owned(), K::LayoutEntryKind),
    ] {
        assert_eq!(layout(&[&text]).unwrap_err().kind(), kind, "{text}");
    }
}

#[test]
fn vectors_follow_a_policy() {
    let with = |vectors| DataLayout::of_specs(&[], &Options::default().vectors(vectors)).unwrap();
    let default = VectorLayout::default();
    assert_eq!(facts(&with(default), "vector<3xf32>"), (128, 16, 16));
    let of_element = VectorLayout { alignment: VectorAlignment::Element, ..default };
    assert_eq!(facts(&with(of_element), "vector<3xf32>"), (128, 4, 4));
    let most = VectorLayout { most: Some(8), ..default };
    assert_eq!(facts(&with(most), "vector<3xf32>"), (128, 8, 8));
    let packed = VectorLayout { is_packed: true, ..default };
    assert_eq!(facts(&with(packed), "vector<16xi1>"), (16, 2, 2));
    // An entry says it for those inside.
    let spec =
        "[#datalayout.entry<vector<1xi8>, {alignment = \"element\", max = 32, elements = \"packed\"}>]";
    let layout = layout(&[spec]).unwrap();
    assert_eq!(facts(&layout, "vector<2xf64>"), (128, 4, 4));
    assert_eq!(facts(&layout, "vector<16xi1>"), (16, 1, 1));
}

#[derive(Debug)]
struct Triple;

impl TypeLayout for Triple {
    fn size_in_bits(&self, _: &TypeQuestion<'_>) -> mlirbc::Result<TypeSize> {
        Ok(TypeSize::fixed(24))
    }

    fn abi_alignment(&self, _: &TypeQuestion<'_>) -> mlirbc::Result<u64> {
        Ok(4)
    }
}

/// A type that contains itself.
#[derive(Debug)]
struct Cycle;

impl TypeLayout for Cycle {
    fn size_in_bits(&self, question: &TypeQuestion<'_>) -> mlirbc::Result<TypeSize> {
        question.layout.type_size_in_bits(&parse("tuple<i8, !cycle.t>"))
    }

    fn abi_alignment(&self, _: &TypeQuestion<'_>) -> mlirbc::Result<u64> {
        Ok(1)
    }
}

#[test]
fn containers_of_registered_types() {
    let types: Vec<(String, Arc<dyn TypeLayout>)> =
        vec![("triple.t".to_owned(), Arc::new(Triple)), ("cycle.t".to_owned(), Arc::new(Cycle))];
    let layout = DataLayout::of_specs(&[], &rfc().types(types)).unwrap();
    assert_eq!(facts(&layout, "tuple<i8, !triple.t>"), (64, 4, 4));
    assert_eq!(facts(&layout, "vector<3x!triple.t>"), (96, 16, 16));
    assert_eq!(facts(&layout, "!llvm.array<3 x !triple.t>"), (96, 4, 4));
    // MLIR has no complex numbers of such types, but their parts can be read.
    assert_eq!(facts(&layout, "!llvm.array<1 x complex<!triple.t>>"), (64, 4, 4));
    for of in ["!cycle.t", "tuple<!cycle.t>", "vector<2x!cycle.t>", "!llvm.struct<(!cycle.t)>"] {
        assert_eq!(layout.type_size(&parse(of)).unwrap_err().kind(), ErrorKind::DepthLimit, "{of}");
    }
    let scalable = layout.type_size(&parse("tuple<vector<[4]xi8>>")).unwrap_err();
    assert_eq!(scalable.kind(), ErrorKind::LayoutNone);
}

#[test]
fn an_access_has_both_alignments() {
    let layout = DataLayout::of_specs(&[], &Options::default()).unwrap();
    let f64 = parse("f64");
    for (stated, alignment) in [(None, 8), (Some(1), 8), (Some(8), 8), (Some(64), 64)] {
        assert_eq!(layout.access_alignment(&f64, stated).unwrap(), alignment);
    }
    assert_eq!(layout.access_alignment(&f64, Some(0)).unwrap_err().kind(), ErrorKind::LayoutZero);
    assert_eq!(layout.access_alignment(&f64, Some(12)).unwrap_err().kind(), ErrorKind::Value);
    assert_eq!(layout.access_alignment(&parse("i0"), None).unwrap_err().kind(), ErrorKind::LayoutZero);
    assert_eq!(
        layout.access_alignment(&parse("tensor<1xi8>"), None).unwrap_err().kind(),
        ErrorKind::LayoutNone
    );
}

#[derive(Debug)]
struct Most;

impl IdentifierRules for Most {
    fn verify(&self, key: &str, value: &Attribute) -> mlirbc::Result<()> {
        match value.class() {
            Some("IntegerAttr") => Ok(()),
            _ => Err(Error::message(ErrorKind::LayoutEntryKind, format!("{key} is a number"))),
        }
    }

    fn combine(&self, key: &str, outer: &Attribute, inner: &Attribute) -> mlirbc::Result<Attribute> {
        if key == "most.fixed" {
            return Err(Error::message(ErrorKind::LayoutCombine, "it is fixed"));
        }
        Ok(if outer.to_string() > inner.to_string() { outer.clone() } else { inner.clone() })
    }
}

#[test]
fn a_dialect_combines_its_identifiers() {
    layout::register_identifiers("most", Arc::new(Most));
    for options in [Options::default(), rfc()] {
        let values_of = |specs: &[&str]| {
            let specs: Vec<_> = specs.iter().map(|text| DltiAttr::parse(text).unwrap()).collect();
            DataLayout::of_specs(&specs, &options)
                .map(|layout| layout.entries().map(|entry| entry.entry.value.to_string()).collect::<Vec<_>>())
        };
        let level = |value: &str| format!("#dlti.dl_spec<\"most.level\" = {value}>");
        assert_eq!(values_of(&[&level("3"), &level("1"), &level("2")]).unwrap(), ["3 : i64"]);
        assert_eq!(values_of(&[&level("1"), &level("2")]).unwrap(), ["2 : i64"]);
        assert_eq!(values_of(&[&level("\"a\"")]).unwrap_err().kind(), ErrorKind::LayoutEntryKind);
        let fixed = ["#dlti.dl_spec<\"most.fixed\" = 1>", "#dlti.dl_spec<\"most.fixed\" = 2>"];
        assert_eq!(values_of(&fixed).unwrap_err().kind(), ErrorKind::LayoutCombine);
        assert_eq!(values_of(&[fixed[0], fixed[0]]).unwrap(), ["1 : i64"]);
    }
}

/// The width of `index` in a region is the attribute with its number.
#[derive(Debug)]
struct ByRegion;

impl ScopeSpecification for ByRegion {
    fn specification(&self, question: &ScopeQuestion<'_>) -> mlirbc::Result<Option<DltiAttr>> {
        let Some(region) = question.region else { return Ok(None) };
        let name = format!("width{region}");
        let width = question.attributes.iter().find(|(other, _)| *other == name);
        width.map(|(_, width)| DltiAttr::parse(format!("#dlti.dl_spec<index = {width}>"))).transpose()
    }
}

fn regions() -> Editor {
    let mut editor = Editor::new(Module::open(root().join("examples/two_layers.mlirbc")).unwrap()).unwrap();
    let module = editor.operation().unwrap();
    let block = editor.body(module).unwrap();
    let mut two = NewOperation::new("by_region.op");
    two.regions = 2;
    two.attributes = vec![
        (b"width0".to_vec(), Attribute::parse("16 : i32").unwrap()),
        (b"width1".to_vec(), Attribute::parse("32 : i32").unwrap()),
    ];
    let op = editor.create(&two, InsertionPoint::AtEnd(block)).unwrap();
    for region in editor.regions(op).unwrap() {
        let block = editor.add_block(region, None, &[]).unwrap();
        editor.create(&NewOperation::new("by_region.leaf"), InsertionPoint::AtEnd(block)).unwrap();
    }
    editor
}

fn written(editor: &mut Editor) -> Module {
    let mut data = Vec::new();
    editor.write(&mut data, &WriteOptions::default()).unwrap();
    Module::from_bytes(data).unwrap()
}

#[test]
fn each_region_has_its_layout() {
    layout::register_specification("by_region.op", Arc::new(ByRegion));
    let mut editor = regions();
    let index = parse("index");
    let width = |layout: DataLayout| layout.type_index_bitwidth(&index).unwrap();
    let module = editor.operation().unwrap();
    let block = editor.body(module).unwrap();
    let op = *editor.operations(block).unwrap().last().unwrap();
    assert_eq!(width(DataLayout::of_edit(&editor, op, &Options::default()).unwrap()), Some(64));
    for (region, wanted) in editor.regions(op).unwrap().into_iter().zip([16, 32]) {
        let source = LayoutSource::of_edited_region(&editor, region, &Options::default()).unwrap();
        assert_eq!(width(DataLayout::of_source(source, &Options::default()).unwrap()), Some(wanted));
        let block = editor.blocks(region).unwrap()[0];
        let leaf = editor.operations(block).unwrap()[0];
        assert_eq!(width(DataLayout::of_edit(&editor, leaf, &Options::default()).unwrap()), Some(wanted));
    }
    let module = written(&mut editor);
    let op = module.operation().unwrap().region(0).unwrap().unwrap();
    let op = op.block(0).unwrap().last_operation().unwrap();
    for (region, wanted) in op.regions().unwrap().zip([16, 32]) {
        assert_eq!(width(DataLayout::of_region(region, &Options::default()).unwrap()), Some(wanted));
        let leaf = region.block(0).unwrap().operation(0).unwrap();
        assert_eq!(width(DataLayout::of(leaf).unwrap()), Some(wanted));
    }
    verify(&module, &Options::default()).unwrap();
}

#[test]
fn tables_are_for_any_purpose() {
    let mut editor = regions();
    let module = editor.operation().unwrap();
    let costs = "#dlti.map<i8 = 1, \"default\" = 9>";
    editor.set_attribute(module, "x.costs", &Attribute::parse(costs).unwrap()).unwrap();
    let block = editor.body(module).unwrap();
    let op = *editor.operations(block).unwrap().last().unwrap();
    let inner = Attribute::parse("[#datalayout.entry<i8, 2>, #datalayout.entry<f32, 3>]").unwrap();
    editor.set_attribute(op, "x.costs", &inner).unwrap();
    let module = written(&mut editor);
    let top = module.operation().unwrap();
    let op = top.region(0).unwrap().unwrap().block(0).unwrap().last_operation().unwrap();
    let lookup =
        |op, text: &str| TypeTable::of(op, "x.costs").unwrap().get(&parse(text)).map(ToString::to_string);
    assert_eq!(lookup(top, "i8").as_deref(), Some("1 : i64"));
    assert_eq!(lookup(op, "i8").as_deref(), Some("2 : i64"));
    assert_eq!(lookup(op, "f32").as_deref(), Some("3 : i64"));
    assert_eq!(lookup(top, "f32"), None);
    let table = TypeTable::of(op, "x.costs").unwrap();
    assert_eq!(table.identifier("default").unwrap().to_string(), "9 : i64");
    assert_eq!(table.of_class(&parse("si64")).unwrap().len(), 1);
    assert!(TypeTable::of(op, "x.other").unwrap().entries().is_empty());
    let number = Attribute::parse("1 : i8").unwrap();
    assert_eq!(TypeTable::of_attributes(&[number]).unwrap_err().kind(), ErrorKind::LayoutUnknownMnemonic);
}

#[test]
fn a_specification_of_the_rfc_counts_on_any_op() {
    let mut editor = regions();
    let module = editor.operation().unwrap();
    let set = |editor: &mut Editor, name: &str, text: &str| {
        editor.set_attribute(module, name, &Attribute::parse(text).unwrap()).unwrap();
    };
    set(&mut editor, "datalayout.spec", "[#datalayout.entry<index, {size = 16, abi = 16}>]");
    let width = |editor: &Editor, options: &Options| {
        DataLayout::of_edit(editor, module, options)?.type_index_bitwidth(&parse("index"))
    };
    assert_eq!(width(&editor, &rfc()).unwrap(), Some(16));
    assert_eq!(width(&editor, &Options::default()).unwrap(), Some(64));
    // A malformed specification is reported only by queries that need it.
    set(&mut editor, "datalayout.spec", "[#datalayout.entry<index>]");
    assert!(width(&editor, &rfc()).is_err());
    assert_eq!(width(&editor, &Options::default()).unwrap(), Some(64));
    let read = written(&mut editor);
    verify(&read, &Options::default()).unwrap();
    assert_eq!(verify(&read, &rfc()).unwrap_err().kind(), ErrorKind::AsmText);
    set(&mut editor, "datalayout.spec", "[]");
    set(&mut editor, "dlti.dl_spec", "#dlti.dl_spec<>");
    assert_eq!(width(&editor, &rfc()).unwrap_err().kind(), ErrorKind::LayoutTwoSpecs);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    // A model of the RFC's rules for integers: the size of the entry for that width; the alignments of the next
    // wider entry, or of the widest.
    #[test]
    fn integers_follow_the_model(
        entries in proptest::collection::btree_map(1_u32..100, (0_u64..3, 3_u32..8, 0_u32..3), 1..6),
        asked in 1_u32..120,
    ) {
        let numbers = |width: u32, (more, abi, further): (u64, u32, u32)| {
            (u64::from(width) + 8 * more, 1_u64 << abi, 1_u64 << (abi + further))
        };
        let texts: Vec<String> = entries.iter().map(|(&width, &of)| {
            let (size, abi, preferred) = numbers(width, of);
            format!("#datalayout.entry<i{width}, {{size = {size}, abi = {abi}, preferred = {preferred}}}>")
        }).collect();
        let layout = layout(&[&format!("[{}]", texts.join(", "))]).unwrap();
        let size = entries.get(&asked).map_or(u64::from(asked), |&of| numbers(asked, of).0);
        let (&width, &of) = entries.range(asked..).next().or_else(|| entries.last_key_value()).unwrap();
        let (_, abi, preferred) = numbers(width, of);
        prop_assert_eq!(facts(&layout, &format!("i{asked}")), (size, abi / 8, preferred / 8));
    }
}
