//! Operations of packs with random operands, results and attributes: their custom text is assembled to the same generic text.

#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use mlirbc::limits::Limits;
use mlirbc::ops::{AttributeText, Multiplicity, OperationDefinition, OperationDefinitions, ValueDefinition};
use mlirbc::pack::{Pack, RowKind};
use mlirbc::parse::{ParseOptions, parse};
use mlirbc::print::PrintOptions;
use mlirbc::{Module, ReadOptions, Release};

/// Modules that are tried for each operation.
const TRIES: u64 = 6;

/// Types that constraints of the packs accept.
const TYPES: &[&str] = &[
    "i1",
    "i32",
    "i64",
    "f32",
    "index",
    "none",
    "(i32) -> f32",
    "memref<4xf32>",
    "tensor<2xi32>",
    "!fir.ref<i32>",
    "!fir.ref<!fir.array<4xf32>>",
    "!fir.heap<f32>",
    "!fir.ptr<i32>",
    "!fir.box<!fir.array<?xf32>>",
    "!fir.class<none>",
    "!fir.char<1,3>",
    "!fir.boxchar<1>",
    "!fir.logical<4>",
    "!fir.shape<1>",
    "!fir.shapeshift<1>",
    "!fir.shift<1>",
    "!fir.slice<1>",
    "!fir.field",
    "!fir.len",
    "!fir.tdesc<!fir.type<t{a:i32}>>",
    "!fir.vector<4:f32>",
    "complex<f32>",
    "!hlfir.expr<4xf32>",
    "!hlfir.expr<!fir.char<1,3>>",
];

const ATTRIBUTES: &[&str] = &[
    "unit",
    "true",
    "7 : i32",
    "\"a b\"",
    "@callee",
    "@a::@b",
    "i32",
    "[1 : i32, @x]",
    "array<i32: 1, 2>",
    "1.0 : f32",
];

/// Numbers without a pattern; the same seed gives the same numbers.
struct Draws(u64);

impl Draws {
    fn below(&mut self, count: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % count.max(1)
    }

    fn one<'t>(&mut self, texts: &[&'t str]) -> &'t str {
        texts[self.below(texts.len())]
    }

    /// A type of a value, or several; `None` for groups of groups.
    fn types(&mut self, value: &ValueDefinition) -> Option<Vec<String>> {
        let count = match value.multiplicity() {
            Multiplicity::One => 1,
            Multiplicity::Optional => self.below(2),
            Multiplicity::Variadic => self.below(3),
            _ => return None,
        };
        let fixed = value.constraint().and_then(|constraint| constraint.only_type()).map(str::to_owned);
        Some((0..count).map(|_| fixed.clone().unwrap_or_else(|| self.one(TYPES).to_owned())).collect())
    }

    fn attribute(&mut self, text: &AttributeText<'_>) -> Option<String> {
        Some(match text {
            AttributeText::Symbol => "\"name\"".to_owned(),
            AttributeText::Typed("none") | AttributeText::Full => self.one(ATTRIBUTES).to_owned(),
            AttributeText::Typed(r#type) => format!("{} : {type}", self.below(9)),
            AttributeText::Case(r#type, cases) => {
                let numbers: Vec<i64> = cases.cases().map(|(number, _)| number).collect();
                format!("{} : {type}", numbers.get(self.below(numbers.len()))?)
            }
            AttributeText::Array(r#type) => format!("array<{type}: 1, 2>"),
            AttributeText::Unit => "unit".to_owned(),
            _ => return None,
        })
    }

    /// A module in generic form with one operation.
    fn module(&mut self, definition: &OperationDefinition) -> Option<String> {
        let (mut properties, mut sizes) = (Vec::new(), Vec::new());
        let mut groups = |draws: &mut Self, values: &[ValueDefinition], name: &str| {
            let groups: Option<Vec<Vec<String>>> = values.iter().map(|value| draws.types(value)).collect();
            let groups = groups?;
            let counts: Vec<String> = groups.iter().map(|group| group.len().to_string()).collect();
            if values.iter().filter(|value| *value.multiplicity() != Multiplicity::One).count() > 1 {
                sizes.push(format!("{name} = array<i32: {}>", counts.join(", ")));
            }
            Some(groups.concat())
        };
        let operands = groups(self, definition.operands(), "operandSegmentSizes")?;
        let results = groups(self, definition.results(), "resultSegmentSizes")?;
        for attribute in definition.attributes() {
            if attribute.is_optional() && self.below(2) == 0 {
                continue;
            }
            let value =
                attribute.constraint().and_then(|constraint| self.attribute(&constraint.attribute_text()));
            match value {
                Some(value) => properties.push(format!("{} = {value}", attribute.name())),
                None if attribute.is_optional() => {}
                None => return None,
            }
        }
        properties.extend(sizes);
        let arguments: Vec<String> =
            operands.iter().enumerate().map(|(place, r#type)| format!("%a{place}: {type}")).collect();
        let names: Vec<String> = (0..operands.len()).map(|place| format!("%a{place}")).collect();
        let assigned = if results.is_empty() { String::new() } else { format!("%r:{} = ", results.len()) };
        Some(format!(
            "func.func @f({}) {{\n  {assigned}\"{}\"({}) <{{{}}}> : ({}) -> ({})\n  return\n}}\n",
            arguments.join(", "),
            definition.name(),
            names.join(", "),
            properties.join(", "),
            operands.join(", "),
            results.join(", "),
        ))
    }
}

fn assembled(text: &str, release: &str) -> mlirbc::Result<Vec<u8>> {
    let options = ParseOptions::default().target(Release::named(release.to_owned()));
    let mut bytes = Vec::new();
    parse(text.as_bytes(), &options)?.write(&mut bytes, &Default::default())?;
    Ok(bytes)
}

fn read(bytes: Vec<u8>, release: &str) -> Module {
    let options = ReadOptions::default().release(Release::named(release.to_owned()));
    Module::from_source(bytes.into(), &options).unwrap()
}

fn printed(module: &Module, options: &PrintOptions) -> String {
    let mut text = Vec::new();
    module.print(&mut text, options).unwrap();
    String::from_utf8(text).unwrap()
}

/// The generic text, which has no locations.
fn without_locations(module: &Module) -> String {
    printed(module, &PrintOptions::generic())
}

/// Tries the operations of a pack without regions; returns the names of operations that have a custom form.
fn tried(file: &str, release: &'static str) -> BTreeSet<String> {
    let path: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/packs").join(file);
    let pack = Pack::from_bytes(&std::fs::read(path).unwrap(), &Limits::default()).unwrap();
    let names: Vec<String> = pack.names(RowKind::Operation, 0).map(str::to_owned).collect();
    pack.register().unwrap();
    let definitions = OperationDefinitions::of(&Release::named(release)).unwrap();
    let mut shown = BTreeSet::new();
    for (number, name) in names.iter().enumerate() {
        let definition = definitions.get(name).unwrap();
        if !definition.regions().is_empty() || !definition.successors().is_empty() {
            continue;
        }
        for seed in 0..TRIES {
            let mut draws = Draws(seed << 16 | number as u64);
            let Some(text) = draws.module(&definition) else { continue };
            // Constraints of C++, or of the parent, refuse it.
            let Ok(bytes) = assembled(&text, release) else { continue };
            let module = read(bytes, release);
            if !module.verify_operations().unwrap().errors().is_empty() {
                continue;
            }
            // Verifiers in C++ refuse some of these modules, whose types the text does not say.
            let custom = printed(&module, &PrintOptions::default().lossless(true));
            let Ok(bytes) = assembled(&custom, release) else { continue };
            let module = read(bytes, release);
            let custom = printed(&module, &PrintOptions::default().lossless(true));
            let again = assembled(&custom, release).unwrap_or_else(|error| panic!("{error}\n{custom}"));
            let again = read(again, release);
            assert_eq!(without_locations(&again), without_locations(&module), "{custom}");
            if !custom.contains(&format!("\"{name}\"(")) {
                shown.insert(name.clone());
            }
        }
    }
    shown
}

#[test]
fn operations_of_flang_are_assembled_from_their_custom_text() {
    let shown = tried("flang-22.mlirpack", "flang-22");
    assert!(shown.len() > 20, "{} {shown:?}", shown.len());
}
