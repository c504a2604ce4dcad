//! How entries of nested scopes combine: one answer for sizes, `query`, `entries`, hooks and formulas.

#![allow(clippy::unwrap_used, clippy::panic)]

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use mlirbc::edit::{CloneOptions, EditOp, Editor, InsertionPoint, NewOperation};
use mlirbc::layout::{
    self, CopiedPart, DataLayout, DltiAttr, LayoutTable, Options, Rules, ScopeQuestion, ScopeSpecification,
    SizeChange, TypeLayout, TypeQuestion, TypeSize, UsedTypes, VectorAlignment, VectorLayout, verify,
};
use mlirbc::version::BytecodeVersion;
use mlirbc::{Attribute, ErrorKind, Module, Type, WriteOptions};
use proptest::prelude::*;

fn parse(text: &str) -> Type {
    Type::parse(text).unwrap()
}

fn rfc() -> Options {
    Options::default().rules(Rules::Rfc)
}

fn layout_with(specs: &[&str], options: &Options) -> mlirbc::Result<DataLayout> {
    let specs: mlirbc::Result<Vec<_>> = specs.iter().map(DltiAttr::parse_specification).collect();
    DataLayout::of_specs(&specs?, options)
}

fn layout(specs: &[&str]) -> mlirbc::Result<DataLayout> {
    layout_with(specs, &rfc())
}

fn kind<T: std::fmt::Debug>(result: mlirbc::Result<T>) -> ErrorKind {
    result.unwrap_err().kind()
}

/// A module with an attribute, and in it a module with another one.
fn nested(attributes: [(&str, &str); 2]) -> (Editor, [EditOp; 2]) {
    let mut editor =
        Editor::create_module(&mlirbc::Release::named("llvm-22"), BytecodeVersion::MAX, None).unwrap();
    let outer = editor.operation().unwrap();
    let mut inner = NewOperation::new("builtin.module");
    inner.regions = 1;
    let block = editor.body(outer).unwrap();
    let inner = editor.create(&inner, InsertionPoint::AtEnd(block)).unwrap();
    let region = editor.regions(inner).unwrap()[0];
    editor.add_block(region, None, &[]).unwrap();
    for (op, (name, text)) in [outer, inner].into_iter().zip(attributes) {
        editor.set_attribute(op, name, &Attribute::parse(text).unwrap()).unwrap();
    }
    (editor, [outer, inner])
}

fn written(editor: &mut Editor) -> Module {
    let mut data = Vec::new();
    editor.write(&mut data, &WriteOptions::default()).unwrap();
    Module::from_bytes(data).unwrap()
}

#[test]
fn a_query_of_an_operation_sees_all_scopes() {
    let attributes = [
        ("datalayout.spec", "[#datalayout.entry<\"endianness\", \"big\">, #datalayout.entry<\"toy.a\", 1>]"),
        ("datalayout.spec", "[#datalayout.entry<\"toy.a\", #dlti.map<\"b\" = 2>>]"),
    ];
    let (mut editor, [outer, inner]) = nested(attributes);
    editor.set_attribute(outer, "x.map", &Attribute::parse("#dlti.map<\"c\" = 3>").unwrap()).unwrap();
    let of_edit = |op| DataLayout::of_edit(&editor, op, &rfc()).unwrap();
    let text = |layout: &DataLayout, keys: &[&str]| {
        let keys: Vec<_> = keys.iter().map(|key| (*key).into()).collect();
        layout.query(&keys).map(|value| value.to_string())
    };
    let layouts = [of_edit(outer), of_edit(inner)];
    for layout in &layouts {
        assert_eq!(text(layout, &["endianness"]).unwrap(), "\"big\"");
        assert_eq!(text(layout, &["dlti.endianness"]).unwrap(), "\"big\"");
        // A key that is not an entry is looked up as in MLIR.
        assert_eq!(text(layout, &["c"]).unwrap(), "3 : i64");
        assert_eq!(kind(text(layout, &["x"])), ErrorKind::LayoutKeyNotFound);
        assert_eq!(kind(text(layout, &[])), ErrorKind::LayoutKeyNotFound);
    }
    assert_eq!(text(&layouts[0], &["toy.a"]).unwrap(), "1 : i64");
    assert_eq!(kind(text(&layouts[0], &["toy.a", "b"])), ErrorKind::LayoutNotQueryable);
    assert_eq!(text(&layouts[1], &["toy.a", "b"]).unwrap(), "2 : i64");
    assert_eq!(kind(text(&layouts[1], &["toy.a", "d"])), ErrorKind::LayoutKeyNotFound);
    let module = written(&mut editor);
    let read = DataLayout::of_with(module.operation().unwrap(), &rfc()).unwrap();
    assert_eq!(text(&read, &["endianness"]).unwrap(), "\"big\"");
    assert_eq!(kind(text(&layout(&[]).unwrap(), &["a"])), ErrorKind::LayoutNoQueryable);
    assert_eq!(
        kind(text(&layout(&["#dlti.dl_spec<\"b\" = 1>"]).unwrap(), &["a"])),
        ErrorKind::LayoutKeyNotFound
    );
    // MLIR looks only at the nearest specification.
    let specs = ["#dlti.dl_spec<\"a\" = 1>", "#dlti.dl_spec<\"b\" = 1>"];
    let mlir = layout_with(&specs, &Options::default()).unwrap();
    assert_eq!(kind(text(&mlir, &["a"])), ErrorKind::LayoutKeyNotFound);
}

#[test]
fn endianness_has_two_names() {
    let entry = |name: &str, value: &str| format!("[#datalayout.entry<\"{name}\", \"{value}\">]");
    let (short, long) = (entry("endianness", "big"), entry("dlti.endianness", "little"));
    let endianness_of = |specs: &[&str]| layout(specs).unwrap().endianness().map(ToString::to_string);
    assert_eq!(endianness_of(&[&short]).as_deref(), Some("\"big\""));
    assert_eq!(endianness_of(&[&short, &long]).as_deref(), Some("\"little\""));
    assert_eq!(endianness_of(&[&short, &long, &short]).as_deref(), Some("\"big\""));
    assert_eq!(layout(&[&short, &long]).unwrap().entries().count(), 1);
    assert_eq!(kind(layout(&[&entry("endianness", "middle")])), ErrorKind::LayoutEndianness);
    let two_names =
        "[#datalayout.entry<\"endianness\", \"big\">, #datalayout.entry<\"dlti.endianness\", \"big\">]";
    assert_eq!(kind(layout(&[two_names])), ErrorKind::LayoutDuplicateKey);
    // The name means nothing in MLIR.
    let mlir = layout_with(&["#dlti.dl_spec<\"endianness\" = \"middle\">"], &Options::default()).unwrap();
    assert_eq!(mlir.endianness(), None);
    assert_eq!(kind(layout(&["#dlti.dl_spec<\"dlti.unknown\" = 1>"])), ErrorKind::LayoutUnknownKey);
}

#[test]
fn the_innermost_memref_entry_wins() {
    let entry = |key: &str, model: &str| format!("[#datalayout.entry<{key}, {{model = \"{model}\"}}>]");
    let size = |specs: &[String]| {
        let specs: Vec<&str> = specs.iter().map(|spec| &**spec).collect();
        layout(&specs)?.type_size(&parse("memref<?xf32>"))
    };
    let (descriptor, bare) = (entry("memref<1xi8>", "descriptor"), entry("memref<1xi8>", "bare"));
    assert_eq!(size(&[descriptor.clone(), bare.clone()]).unwrap(), TypeSize::fixed(8));
    assert_eq!(size(&[bare.clone(), descriptor.clone()]).unwrap(), TypeSize::fixed(40));
    assert_eq!(size(&[bare.clone(), descriptor.clone(), bare.clone()]).unwrap(), TypeSize::fixed(8));
    // The class has one entry: another key may only say the same.
    assert_eq!(size(&[bare.clone(), entry("memref<2xi8>", "bare")]).unwrap(), TypeSize::fixed(8));
    assert_eq!(kind(size(&[bare, entry("memref<2xi8>", "descriptor")])), ErrorKind::LayoutCombine);
}

/// Records the arguments of its queries.
#[derive(Debug, Default)]
struct Witness(Mutex<Vec<String>>);

impl TypeLayout for Witness {
    fn size_in_bits(&self, question: &TypeQuestion<'_>) -> mlirbc::Result<TypeSize> {
        let text = |entries: &[layout::DltiEntry]| {
            entries
                .iter()
                .map(|entry| format!("{} = {}", entry.key, entry.value))
                .collect::<Vec<_>>()
                .join(", ")
        };
        let text = format!("{} | {}", text(question.entries), text(question.identifiers));
        self.0.lock().unwrap().push(text);
        Ok(TypeSize::fixed(8))
    }

    fn abi_alignment(&self, _: &TypeQuestion<'_>) -> mlirbc::Result<u64> {
        Ok(1)
    }

    fn is_memory_reference(&self, r#type: &Type) -> mlirbc::Result<bool> {
        Ok(r#type.to_string().contains("ref"))
    }
}

#[test]
fn entries_with_names_reach_registered_layouts() {
    let witness = Arc::new(Witness::default());
    let types: Vec<(String, Arc<dyn TypeLayout>)> = vec![("toy.t".to_owned(), witness.clone())];
    let specs = [
        "[#datalayout.entry<\"toy.lanes\", 4>, #datalayout.entry<!toy.t, 1>, #datalayout.entry<\"a\", 1>]",
        "[#datalayout.entry<\"a\", 2>]",
    ];
    layout_with(&specs, &rfc().types(types.clone())).unwrap().type_size(&parse("!toy.t")).unwrap();
    let mlir = Options::default().types(types);
    let layout = layout_with(&["#dlti.dl_spec<\"a\" = 1, !toy.t = 1>"], &mlir).unwrap();
    layout.type_size(&parse("!toy.t")).unwrap();
    let seen = witness.0.lock().unwrap().clone();
    assert_eq!(seen, ["!toy.t = 1 : i64 | \"toy.lanes\" = 4 : i64, \"a\" = 2 : i64", "!toy.t = 1 : i64 | "]);
}

fn table() -> LayoutTable {
    LayoutTable::from_toml(
        r#"
        [[type]]
        name = "toy.handle"
        memory_reference = true
        size_in_bits = "size_in_bits(llvm_equiv) + 8 * count"
        abi_alignment = "max(alignment, abi_alignment(llvm_equiv))"
        preferred_alignment = "max(alignment, toy.lanes)"
        index_bitwidth = "len(llvm_equiv) + product(sizes) + size_in_bits(element)"
        entry = { llvm_equiv = "[i8, i32]", alignment = 2, count = 0, sizes = "[2, 3]", element = "i8" }
        "#,
    )
    .unwrap()
}

#[test]
fn values_of_entries_are_names_in_formulas() {
    let options = rfc().types(table().types());
    let handle = parse("!toy.handle");
    let facts = |specs: &[&str]| {
        let layout = layout_with(specs, &options)?;
        let lanes = layout.type_preferred_alignment(&handle).ok();
        let index = layout.type_index_bitwidth(&handle)?.unwrap();
        let size = layout.type_size_in_bits(&handle)?.known_min_value();
        Ok::<_, mlirbc::Error>((size, layout.type_abi_alignment(&handle)?, lanes, index))
    };
    let entry = |value: &str| format!("#datalayout.entry<!toy.handle, {{{value}}}>");
    assert_eq!(facts(&[]).unwrap(), (64, 4, None, 16));
    let outer =
        format!("[{}, #datalayout.entry<\"toy.lanes\", 16>]", entry("llvm_equiv = [i64], alignment = 42"));
    assert_eq!(facts(&[&outer]).unwrap(), (64, 42, Some(42), 15));
    // The innermost entry applies as a whole.
    let inner = format!("[{}]", entry("count = 3, sizes = [5, 5]"));
    assert_eq!(facts(&[&outer, &inner]).unwrap(), (88, 4, Some(16), 35));
    for (value, refusal) in [
        ("{color = 1}", ErrorKind::LayoutEntryKind),
        ("{}", ErrorKind::LayoutEntryKind),
        ("5", ErrorKind::LayoutEntryKind),
        ("{model = \"bare\"}", ErrorKind::LayoutEntryKind),
        ("{alignment = \"a\"}", ErrorKind::LayoutEntryKind),
        ("{sizes = [1, i8]}", ErrorKind::LayoutEntryKind),
        ("{sizes = [[1]]}", ErrorKind::LayoutEntryKind),
    ] {
        assert_eq!(kind(facts(&[&format!("[#datalayout.entry<!toy.handle, {value}>]")])), refusal, "{value}");
    }
    let row = |more: &str| {
        let text = format!("[[type]]\nname = \"toy.a\"\nsize_in_bits = 1\nabi_alignment = 1\n{more}");
        LayoutTable::from_toml(&text).map(|table| table.types().len())
    };
    assert_eq!(row("entry = { x = 1 }").unwrap(), 1);
    assert_eq!(kind(row("entry = { model = 1 }")), ErrorKind::LayoutTable);
    assert_eq!(kind(row("parameters = [\"x\"]\nentry = { x = 1 }")), ErrorKind::LayoutTable);
    assert_eq!(kind(row("entry = { x = \"\\\"text\\\"\" }")), ErrorKind::LayoutTable);
    // Models and values together.
    let table = "[[type]]\nname = \"toy.b\"\nmodel = \"one\"\nabi_alignment = 1\nentry = { n = 3 }\n\
        [type.models]\none = \"n\"\ntwo = \"2 * n\"";
    let options = rfc().types(LayoutTable::from_toml(table).unwrap().types());
    for (value, size) in [("{n = 5}", 5), ("{model = \"two\"}", 6), ("{model = \"two\", n = 5}", 10)] {
        let spec = format!("[#datalayout.entry<!toy.b, {value}>]");
        let size_of = layout_with(&[&spec], &options).unwrap().type_size_in_bits(&parse("!toy.b")).unwrap();
        assert_eq!(size_of, TypeSize::fixed(size), "{value}");
    }
}

#[test]
fn a_vector_may_have_a_fixed_alignment() {
    let vectors = VectorLayout { alignment: VectorAlignment::Bytes(4), ..VectorLayout::default() };
    let alignment_of = |layout: &DataLayout| layout.type_abi_alignment(&parse("vector<16xf32>")).unwrap();
    assert_eq!(alignment_of(&layout_with(&[], &Options::default().vectors(vectors)).unwrap()), 4);
    let least = VectorLayout { most: Some(2), ..vectors };
    assert_eq!(alignment_of(&layout_with(&[], &Options::default().vectors(least)).unwrap()), 2);
    assert_eq!(alignment_of(&layout(&["[#datalayout.entry<vector<1xi8>, {alignment = 256}>]"]).unwrap()), 32);
    for value in ["4", "24", "i8", "\"big\""] {
        let spec = format!("[#datalayout.entry<vector<1xi8>, {{alignment = {value}}}>]");
        assert_eq!(kind(layout(&[&spec])), ErrorKind::LayoutEntryKind, "{value}");
    }
    for (text, wanted) in [
        ("alignment=size", Ok(VectorLayout::default())),
        ("alignment=4,max=2", Ok(least)),
        ("elements=packed", Ok(VectorLayout { is_packed: true, ..VectorLayout::default() })),
        ("max=3", Err("max is a power of two of bytes, not `3`")),
        ("alignment=0", Err("alignment is `size`, `element` or a power of two of bytes, not `0`")),
        ("max=2,max=4", Err("`max` is given twice")),
        ("", Err("expected `alignment`, `max` or `elements`, found ``")),
    ] {
        assert_eq!(text.parse::<VectorLayout>(), wanted.map_err(ToOwned::to_owned), "{text}");
    }
}

/// Answers for modules with `target.width`, and records the regions.
#[derive(Debug, Default)]
struct OfWidth(Mutex<Vec<Option<u32>>>);

impl ScopeSpecification for OfWidth {
    fn specification(&self, question: &ScopeQuestion<'_>) -> mlirbc::Result<Option<DltiAttr>> {
        self.0.lock().unwrap().push(question.region);
        let width = question.attributes.iter().find(|(name, _)| name == "target.width");
        let width = width.map(|(_, width)| width.to_string());
        let width = width.as_deref().and_then(|text| text.split(' ').next());
        let spec = |width| format!("#dlti.dl_spec<!llvm.ptr = dense<{width}> : vector<3xi64>>");
        width.map(|width| DltiAttr::parse(spec(width))).transpose()
    }
}

#[test]
fn a_hook_without_an_answer_leaves_the_attributes() {
    let hook = Arc::new(OfWidth::default());
    let attributes = [("dlti.dl_spec", "#dlti.dl_spec<index = 16 : i32>"), ("target.width", "32 : i64")];
    let (mut editor, [outer, inner]) = nested(attributes);
    let specifications: Vec<(String, Arc<dyn ScopeSpecification>)> =
        vec![("builtin.module".to_owned(), hook.clone())];
    let options = Options::default().specifications(specifications);
    let facts = |layout: DataLayout| {
        (layout.type_index_bitwidth(&parse("index")).unwrap(), layout.type_size(&parse("!llvm.ptr")).unwrap())
    };
    let regions = || std::mem::take(&mut *hook.0.lock().unwrap());
    assert_eq!(facts(DataLayout::of_edit(&editor, outer, &options).unwrap()), (Some(16), TypeSize::fixed(8)));
    assert_eq!(regions(), [Some(0)]);
    assert_eq!(facts(DataLayout::of_edit(&editor, inner, &options).unwrap()), (Some(16), TypeSize::fixed(4)));
    assert_eq!(regions(), [Some(0), Some(0)]);
    let module = written(&mut editor);
    assert_eq!(
        facts(DataLayout::of_with(module.operation().unwrap(), &options).unwrap()),
        (Some(16), TypeSize::fixed(8))
    );
    assert_eq!(regions(), [Some(0)]);
    verify(&module, &options).unwrap();
    assert_eq!(regions(), [Some(0), Some(0)]);
    // The hook is of this call only.
    assert_eq!(
        facts(DataLayout::of_edit(&editor, inner, &Options::default()).unwrap()),
        (Some(16), TypeSize::fixed(8))
    );
    assert!(regions().is_empty());
    // An answer replaces the attribute, which the hook has seen.
    editor.set_attribute(outer, "target.width", &Attribute::parse("16 : i64").unwrap()).unwrap();
    assert_eq!(facts(DataLayout::of_edit(&editor, outer, &options).unwrap()), (Some(64), TypeSize::fixed(2)));
}

#[test]
fn what_was_registered_can_be_unregistered() {
    layout::register_specification("scopes_gone.op", Arc::new(OfWidth::default()));
    layout::register_scope("scopes_gone.op", false);
    layout::register_type("scopes_gone.t", Arc::new(Witness::default())).unwrap();
    let registered_type = parse("!scopes_gone.t");
    let plain = || layout_with(&[], &Options::default()).unwrap();
    assert!(plain().has_layout(&registered_type).unwrap());
    for unregister in [
        || layout::unregister_specification("scopes_gone.op"),
        || layout::unregister_scope("scopes_gone.op"),
        || layout::unregister_type("scopes_gone.t"),
    ] {
        assert!(unregister());
        assert!(!unregister());
    }
    assert!(!plain().has_layout(&registered_type).unwrap());
    assert!(!layout::unregister_identifiers("scopes_gone"));
    let refused = layout::register_type("f80", Arc::new(Witness::default()));
    assert_eq!(kind(refused), ErrorKind::LayoutFixedRule);
    let types: Vec<(String, Arc<dyn TypeLayout>)> = vec![("vector".to_owned(), Arc::new(Witness::default()))];
    assert_eq!(kind(layout_with(&[], &rfc().types(types))), ErrorKind::LayoutFixedRule);
    let text = "[[type]]\nname = \"i32\"\nsize_in_bits = 1\nabi_alignment = 1";
    assert_eq!(kind(LayoutTable::from_toml(text)), ErrorKind::LayoutFixedRule);
}

#[test]
fn types_are_references_or_have_a_layout() {
    let mut types = table().types();
    types.push(("toy.t".to_owned(), Arc::new(Witness::default())));
    let layout = layout_with(&[], &Options::default().types(types)).unwrap();
    for (of, has_layout, is_reference) in [
        ("i8", true, false),
        ("memref<2xi8>", false, true),
        ("memref<*xi8>", false, true),
        ("!llvm.ptr<3>", true, true),
        ("!ptr.ptr<#ptr.generic_space>", true, true),
        ("!llvm.struct<(ptr)>", true, false),
        ("vector<2x!llvm.ptr>", true, false),
        ("!emitc.ptr<i8>", false, true),
        ("!spirv.ptr<i8, Function>", false, true),
        ("complex<i0>", false, false),
        ("!toy.t", true, false),
        ("!toy.t<ref>", true, true),
        ("!toy.other", false, false),
        ("tensor<2xi8>", false, false),
    ] {
        assert_eq!(layout.has_layout(&parse(of)).unwrap(), has_layout, "{of}");
        assert_eq!(layout.is_memory_reference(&parse(of)).unwrap(), is_reference, "{of}");
    }
    assert!(layout.is_memory_reference(&parse("!toy.handle")).unwrap());
}

#[test]
fn a_copy_with_another_layout_has_other_sizes() {
    let spec = |width: u32| format!("#dlti.dl_spec<index = {width} : i32>");
    let (narrow, wide) = (spec(32), spec(64));
    let (mut source, [_, inner]) = nested([("dlti.dl_spec", &narrow), ("toy.t", "index")]);
    let block = source.body(inner).unwrap();
    let mut op = NewOperation::new("toy.op");
    op.results = ["!llvm.struct<(i8, i64)>", "i8", "vector<2xindex>", "tensor<2xindex>"].map(parse).to_vec();
    op.attributes = vec![(b"f".to_vec(), Attribute::parse("(index, i8) -> f32").unwrap())];
    source.create(&op, InsertionPoint::AtEnd(block)).unwrap();
    let changes = |source: &mut Editor, target_spec: &str| {
        let (mut target, [_, place]) = nested([("dlti.dl_spec", target_spec), ("x.y", "1")]);
        let at = InsertionPoint::AtEnd(target.body(place).unwrap());
        let copy = target.clone_op_from(source, inner, Some(at), &CloneOptions::default()).unwrap();
        let options = Options::default();
        let before = UsedTypes::of_edit(source, &CopiedPart::Op(inner), &options).unwrap();
        let after = UsedTypes::of_edit(&mut target, &CopiedPart::Op(copy), &options).unwrap();
        let changes = before.size_changes(&after, &options)?;
        assert_eq!(changes.omitted_scopes, 0);
        let text = |size: Option<TypeSize>| size.map_or("none".to_owned(), |size| size.to_string());
        let row =
            |change: &SizeChange| format!("{} {} {}", change.r#type, text(change.before), text(change.after));
        Ok::<_, mlirbc::Error>(changes.types.iter().map(row).collect::<Vec<_>>())
    };
    assert_eq!(changes(&mut source, &wide).unwrap(), ["index 32 64", "vector<2xindex> 64 128"]);
    assert!(changes(&mut source, &narrow).unwrap().is_empty());
    // A copied scope keeps its own specification.
    source.set_attribute(inner, "dlti.dl_spec", &Attribute::parse(spec(16)).unwrap()).unwrap();
    assert!(changes(&mut source, &wide).unwrap().is_empty());
    let pointers = |width: u32| format!("#dlti.dl_spec<!llvm.ptr = dense<{width}> : vector<3xi64>>");
    source.set_attribute(inner, "dlti.dl_spec", &Attribute::parse(pointers(32)).unwrap()).unwrap();
    assert_eq!(kind(changes(&mut source, &pointers(16))), ErrorKind::LayoutCombine);
}

/// A key as the model has it: under one name, whatever the spelling.
fn model_key(key: &str) -> &str {
    if key == "\"dlti.endianness\"" { "\"endianness\"" } else { key }
}

const KEYS: [&str; 8] =
    ["\"a\"", "\"toy.b\"", "\"endianness\"", "\"dlti.endianness\"", "index", "i8", "f32", "memref<1xi8>"];

/// The value of a key in a specification.
fn value(key: &str, choice: usize) -> String {
    match key {
        "\"endianness\"" | "\"dlti.endianness\"" => ["\"big\"", "\"little\""][choice % 2].to_owned(),
        "memref<1xi8>" => format!("{{model = {}}}", ["\"bare\"", "\"descriptor\""][choice % 2]),
        "index" => format!("{{abi = 32, size = {}}}", 32 << (choice % 3)),
        "i8" | "f32" => format!("{{abi = {}}}", 32 << (choice % 3)),
        _ => choice.to_string(),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, ..ProptestConfig::default() })]

    // The naive model: a map that each scope updates. All questions agree with it.
    #[test]
    fn nested_scopes_agree_with_a_map(
        scopes in proptest::collection::vec(proptest::collection::btree_map(0..KEYS.len(), 0_usize..4, 0..6), 0..6),
    ) {
        let (mut model, mut specs) = (BTreeMap::new(), Vec::new());
        for scope in &scopes {
            let (mut items, mut seen) = (Vec::new(), Vec::new());
            for (&key, &choice) in scope {
                let key = KEYS[key];
                if !seen.contains(&model_key(key)) {
                    seen.push(model_key(key));
                    items.push(format!("#datalayout.entry<{key}, {}>", value(key, choice)));
                    model.insert(model_key(key), value(key, choice));
                }
            }
            specs.push(format!("[{}]", items.join(", ")));
        }
        let witness = Arc::new(Witness::default());
        let types: Vec<(String, Arc<dyn TypeLayout>)> = vec![("toy.t".to_owned(), witness.clone())];
        let options = rfc().types(types);
        let specs: Vec<&str> = specs.iter().map(|spec| &**spec).collect();
        let layout = layout_with(&specs, &options).unwrap();
        let same = |found: &Attribute, wanted: &str| *found == Attribute::parse(wanted).unwrap();
        prop_assert_eq!(layout.entries().count(), model.len());
        for entry in layout.entries() {
            let key = entry.entry.key.to_string();
            prop_assert!(same(&entry.entry.value, &model[model_key(&key)]), "{} = {}", key, entry.entry.value);
        }
        for key in KEYS {
            let query_key = match key.trim_matches('"') {
                name if name.len() < key.len() => name.into(),
                text => parse(text).into(),
            };
            let actual = layout.query(&[query_key]).ok();
            match model.get(model_key(key)) {
                Some(wanted) => prop_assert!(same(&actual.unwrap(), wanted), "{}", key),
                None => prop_assert_eq!(actual, None),
            }
        }
        let endianness = model.get("\"endianness\"").cloned();
        prop_assert_eq!(layout.endianness().map(ToString::to_string), endianness);
        layout.type_size(&parse("!toy.t")).unwrap();
        let names = model.keys().filter(|key| key.starts_with('"')).count();
        let seen = witness.0.lock().unwrap().pop().unwrap();
        prop_assert_eq!(seen.matches(" = ").count(), names, "{}", seen);
        let size = |text: &String| text.rsplit(' ').next().unwrap().trim_end_matches('}').parse().unwrap();
        let index = model.get("index").map_or(64, size);
        prop_assert_eq!(layout.type_index_bitwidth(&parse("index")).unwrap(), Some(index));
        let words = if model.get("memref<1xi8>").is_some_and(|text| text.contains("bare")) { 1 } else { 5 };
        prop_assert_eq!(layout.type_size_in_bits(&parse("memref<?xf32>")).unwrap(), TypeSize::fixed(words * index));
    }
}
