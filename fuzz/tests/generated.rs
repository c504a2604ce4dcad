//! Generated modules are converted from version to version and back, and to other releases and back. Their
//! content is compared as text in one spelling, and their resources byte by byte.

#![allow(clippy::expect_used)]

use mlirbc::attr::FieldValue;
use mlirbc::bytes::Bytes;
use mlirbc::edit::{
    EditBlock, EditValue, Editor, InsertionPoint, NewOperation, NewResource, ResourceContent, ResourceGroup,
};
use mlirbc::version::BytecodeVersion;
use mlirbc::write::Numbering;
use mlirbc::{Attribute, Module, ReadOptions, Type, WriteOptions};
use mlirbc_fuzz::roundtrip::{compare, reopen};
use proptest::prelude::*;

const ATTRIBUTES: [&str; 11] = [
    "1 : i8",
    "\"text\"",
    "[@a::@b, unit, {k = 1.5 : f32}]",
    "dense<[1, 2, 3]> : tensor<3xi16>",
    "dense<0xFF800000> : tensor<2xf32>",
    "dense_resource<weight> : tensor<4xi8>",
    "#fuzz.attr<[1, 2]>",
    "tensor<?x4xf32>",
    "affine_map<(d0)[s0] -> (d0 + s0 floordiv 2)>",
    "array<i64: 1, -2>",
    "#vhlo.string_v1<\"v\">",
];
const TYPES: [&str; 6] =
    ["i1", "tensor<2x?xf32>", "!fuzz.type", "(i1, index) -> f64", "vector<4xi32>", "tuple<i8, none>"];
const LOCATIONS: [&str; 4] = [
    "loc(unknown)",
    "loc(\"a.py\":3:1)",
    "loc(fused<unit>[\"x\", \"y\"])",
    "loc(callsite(\"f\" at \"g\":1:2))",
];

/// Draws from bytes, and returns 0 when they are used up.
struct Draws<'d>(std::slice::Iter<'d, u8>);

impl Draws<'_> {
    fn below(&mut self, bound: usize) -> usize {
        usize::from(self.0.next().copied().unwrap_or(0)) % bound
    }

    fn attribute(&mut self) -> Attribute {
        match ATTRIBUTES.get(self.below(ATTRIBUTES.len() + 1)) {
            Some(text) => attribute(text),
            // The encoding depends on the version of the dialect.
            None => {
                let fields = [("v0", FieldValue::Unsigned(42)), ("v1", FieldValue::Unsigned(24))];
                Attribute::build("test", "TestAttrParamsAttr", &fields).expect("an attribute")
            }
        }
    }

    fn r#type(&mut self) -> Type {
        Type::parse(TYPES[self.below(TYPES.len())]).expect("a type")
    }

    fn location(&mut self) -> Attribute {
        Attribute::parse(LOCATIONS[self.below(LOCATIONS.len())]).expect("a location")
    }
}

fn attribute(text: &str) -> Attribute {
    Attribute::parse(text).expect("an attribute")
}

/// Returns a module with functions, known and unknown operations, regions, resources, and versions of
/// dialects.
fn generated(noise: &[u8], release: &str, version: BytecodeVersion) -> mlirbc::Result<Module> {
    let mut draws = Draws(noise.iter());
    let mut editor =
        Editor::create_module(&mlirbc::Release::named(release.to_owned()), version, Some(&draws.location()))?;
    let module = editor.operation()?;
    let mut blocks = vec![editor.body(module)?];
    let mut values: Vec<Vec<EditValue>> = vec![Vec::new()];
    for step in 0..draws.below(24) {
        let place = draws.below(blocks.len());
        let (block, known) = (blocks[place], values[place].clone());
        let mut new = match draws.below(5) {
            0 => NewOperation { regions: 1, ..NewOperation::new("func.func") }
                .attribute("sym_name", attribute(&format!("\"f{step}\"")))
                .attribute("function_type", attribute("() -> ()")),
            1 => NewOperation { results: vec![Type::parse("i8")?], ..NewOperation::new("arith.constant") }
                .attribute("value", attribute("7 : i8")),
            2 => NewOperation { regions: 1 + draws.below(2), ..NewOperation::new("fuzz.region") },
            _ => {
                let results = (0..draws.below(3)).map(|_| draws.r#type()).collect();
                NewOperation { results, ..NewOperation::new("fuzz.op") }
            }
        };
        if new.name.starts_with("fuzz.") && !known.is_empty() {
            new.operands = (0..draws.below(3)).map(|_| known[draws.below(known.len())]).collect();
        }
        for name in ["fuzz.one", "fuzz.two"].into_iter().take(draws.below(3)) {
            new = new.attribute(name, draws.attribute());
        }
        new.location = Some(draws.location());
        let op = editor.create(&new, InsertionPoint::AtEnd(block))?;
        values[place].extend(editor.results(op)?);
        for region in editor.regions(op)? {
            let arguments: Vec<Type> = match &*new.name {
                "func.func" => Vec::new(),
                _ => (0..draws.below(3)).map(|_| draws.r#type()).collect(),
            };
            let inner: EditBlock = editor.add_block(region, None, &arguments)?;
            values.push(editor.arguments(inner)?);
            blocks.push(inner);
        }
    }
    let external = ResourceGroup::External(b"fuzz.group".to_vec());
    let resources = [
        (
            ResourceGroup::builtin(),
            "weight",
            ResourceContent::Blob { bytes: Bytes::from(vec![1, 2, 3, 4]), alignment: Some(16) },
        ),
        (external.clone(), "flag", ResourceContent::Bool(draws.below(2) == 1)),
        (external.clone(), "note", ResourceContent::String(b"a \"text\"".to_vec())),
    ];
    for (group, key, content) in resources {
        if draws.below(2) == 1 {
            editor.add_resource(NewResource { key: key.into(), group, content })?;
        }
    }
    if version.has_dialect_versions() {
        // `test` has other layouts below 2.0.
        let versions: [Option<&[u8]>; 3] = [None, Some(&[0x03, 0x01]), Some(&[0x05, 0x01])];
        for dialect in ["test", "fuzz", "vhlo"] {
            editor.set_dialect_version(dialect, versions[draws.below(3)])?;
        }
    }
    let mut bytes = Vec::new();
    editor.write(&mut bytes, &WriteOptions::default().numbering(Numbering::Canonical))?;
    let options = ReadOptions::default().release(mlirbc::Release::named(release.to_owned()));
    Module::from_source(bytes.into(), &options)
}

/// Returns the module in another form; `None` if the form cannot represent it.
fn written(module: &Module, version: Option<BytecodeVersion>, target: Option<&str>) -> Option<Vec<u8>> {
    let target = target.map(str::to_owned);
    let options = WriteOptions::default()
        .numbering(Numbering::Canonical)
        .version(version)
        .target(target.map(mlirbc::Release::named));
    let mut bytes = Vec::new();
    module.write(&mut bytes, &options).ok().map(|_| bytes)
}

fn opened_as(bytes: Vec<u8>, release: &str) -> Module {
    let options = ReadOptions::default().release(mlirbc::Release::named(release.to_owned()));
    Module::from_source(bytes.into(), &options).expect("what was written can be opened")
}

const RELEASES: [(&str, u64); 3] = [("llvm-16", 0), ("llvm-19", 6), ("llvm-22", 6)];

fn version(number: u64) -> BytecodeVersion {
    BytecodeVersion::new(number).expect("a version")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(384))]

    #[test]
    fn versions_there_and_back(noise in prop::collection::vec(any::<u8>(), 8..200), row in 1..3_usize, own in 0..7_u64, other in 0..7_u64) {
        let module = generated(&noise, RELEASES[row].0, version(own)).expect("a module");
        module.verify().expect("what was made verifies");
        if let Some(bytes) = written(&module, Some(version(other)), None) {
            let between = reopen(&module, &bytes);
            between.verify().expect("what was written verifies");
            let back = written(&between, Some(version(own)), None).expect("the way back loses nothing");
            compare(&module, &reopen(&module, &back));
        }
    }

    #[test]
    fn releases_there_and_back(noise in prop::collection::vec(any::<u8>(), 8..200), from in 0..3_usize, to in 0..3_usize) {
        let ((from, newest), (to, _)) = (RELEASES[from], RELEASES[to]);
        let module = generated(&noise, from, version(newest)).expect("a module");
        if let Some(bytes) = written(&module, None, Some(to)) {
            let between = opened_as(bytes, to);
            between.verify().expect("what was written verifies");
            if let Some(back) = written(&between, Some(version(newest)), Some(from)) {
                compare(&module, &opened_as(back, from));
            }
        }
    }
}
