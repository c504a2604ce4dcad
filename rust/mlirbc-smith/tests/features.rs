//! Every part of the language occurs in generated modules, and each feature can be switched off: seen through the reader.

#![allow(clippy::unwrap_used, clippy::panic)]

use std::collections::BTreeSet;

use mlirbc::format::ir::{OpSink, UseListOrder};
use mlirbc::format::resource::ResourcePayload;
use mlirbc::{Attribute, Module};
use mlirbc_smith::{Config, Features, GeneratedModule, releases};

const SEEDS: u64 = 120;

/// What is there without any feature.
const ALWAYS: [&str; 11] = [
    "regions within regions",
    "isolated regions",
    "block arguments",
    "values of an outer region",
    "values with several uses",
    "an operation of arith",
    "an operation of llvm",
    "an operation of scf",
    "an operation of transform",
    "properties",
    "several results",
];

/// What is there with a feature only.
const WITH: [(&str, &[&str]); 9] = [
    (
        "unregistered",
        &[
            "an unregistered operation",
            "an unregistered attribute",
            "an unregistered type",
            "a region without a terminator",
        ],
    ),
    ("control-flow", &["several blocks", "a branch", "a branch to two blocks", "a loop of branches"]),
    ("forward-references", &["a use before the definition"]),
    ("use-list-orders", &["an order of uses"]),
    ("attributes", &["a discardable attribute"]),
    ("dialect-entries", &["an entry by a row of the tables"]),
    (
        "locations",
        &[
            "a location in a file",
            "a location with a name",
            "a location of a call",
            "a fused location",
            "a location of an argument",
        ],
    ),
    (
        "resources",
        &[
            "a resource of a dialect",
            "an external resource",
            "a blob",
            "a Boolean",
            "a string",
            "a resource aligned to 1",
            "a resource aligned to 2",
            "a resource aligned to 4",
            "a resource aligned to 8",
            "a resource aligned to 16",
        ],
    ),
    ("dialect-versions", &["a version of a dialect"]),
];

/// The attributes and types of the builtin dialect, by the words that their text begins with or has in it.
const BUILTIN: [(&str, &str); 36] = [
    ("unit", "unit"),
    ("true", "true"),
    ("integer", " : i32"),
    ("signed integer", " : si16"),
    ("index", " : index"),
    ("float", " : f32"),
    ("wide float", " : f80"),
    ("string", "\""),
    ("symbol", "@a"),
    ("nested symbol", "@a::@b"),
    ("array", "["),
    ("dictionary", "{"),
    ("affine map", "affine_map<"),
    ("integer set", "affine_set<"),
    ("elements", "dense<"),
    ("Boolean elements", "xi1>"),
    ("elements of strings", "!smith.string"),
    ("elements in a resource", "dense_resource<"),
    ("sparse elements", "sparse<"),
    ("array of numbers", "array<i32"),
    ("array of Booleans", "array<i1"),
    ("array of floats", "array<f32"),
    ("strides", "strided<["),
    ("distinct attribute", "distinct["),
    ("location", "loc("),
    ("function type", ") -> ("),
    ("tuple", "tuple<"),
    ("ranked tensor", "tensor<4x"),
    ("tensor with an encoding", "f32, "),
    ("unranked tensor", "tensor<*x"),
    ("vector", "vector<4x"),
    ("scalable vector", "vector<[8]"),
    ("memref", "memref<?x"),
    ("memref with a layout", ", strided<[?], offset: ?>>"),
    ("unranked memref", "memref<*x"),
    ("complex", "complex<f32>"),
];

#[derive(Default)]
struct Orders(usize);

impl OpSink for Orders {
    fn use_list(&mut self, _: UseListOrder<'_>, _: u64, _: u64) {
        self.0 += 1;
    }
}

type Seen = BTreeSet<String>;

fn note(seen: &mut Seen, is_there: bool, what: &str) {
    if is_there && !seen.contains(what) {
        seen.insert(what.to_owned());
    }
}

/// What is in a module.
fn look(module: &Module, seen: &mut Seen) {
    look_at_operations(module, seen);
    look_at_entries(module, seen);
    for resource in module.resources().unwrap() {
        note(seen, resource.is_external(), "an external resource");
        note(seen, !resource.is_external(), "a resource of a dialect");
        match resource.payload().unwrap().unwrap() {
            ResourcePayload::Blob { alignment, .. } => {
                note(seen, true, "a blob");
                note(seen, true, &format!("a resource aligned to {alignment}"));
            }
            ResourcePayload::Bool(_) => note(seen, true, "a Boolean"),
            ResourcePayload::String(_) => note(seen, true, "a string"),
        }
    }
    note(seen, module.dialects().unwrap().any(|dialect| dialect.version.is_some()), "a version of a dialect");
    let mut orders = Orders::default();
    module.stream(&mut orders).unwrap();
    note(seen, orders.0 > 0, "an order of uses");
}

fn look_at_operations(module: &Module, seen: &mut Seen) {
    for op in module.operation().unwrap().pre_order() {
        let op = op.unwrap();
        let name = op.name();
        let parent = op.parent();
        note(seen, name.starts_with("smith."), "an unregistered operation");
        note(seen, true, &format!("an operation of {}", name.split('.').next().unwrap()));
        note(seen, op.results().len() > 1, "several results");
        note(seen, op.properties().is_some(), "properties");
        note(seen, !op.discardable_attributes().unwrap().is_empty(), "a discardable attribute");
        note(
            seen,
            op.region_count() > 0 && parent.is_some_and(|outer| outer.parent().is_some()),
            "regions within regions",
        );
        note(seen, op.is_isolated_from_above() && parent.is_some(), "isolated regions");
        note(seen, op.successors().len() > 0, "a branch");
        note(seen, op.successors().len() > 1, "a branch to two blocks");
        let location = Attribute::of_file(module, op.location()).unwrap().unwrap().to_text(None).unwrap();
        let location = location.strip_prefix("loc(").unwrap();
        note(seen, location.starts_with("callsite"), "a location of a call");
        note(seen, location.starts_with("fused"), "a fused location");
        note(seen, location.starts_with('"') && !location.contains("\":"), "a location with a name");
        note(seen, location.starts_with('"') && location.contains("\":"), "a location in a file");
        let number = op.block().number();
        note(seen, op.successors().any(|next| next.number() <= number), "a loop of branches");
        for operand in op.operands() {
            if let Some(owner) = operand.owner_op() {
                let is_here = owner.body_id() == op.body_id() && owner.block().id() == op.block().id();
                note(seen, is_here && owner.id() > op.id(), "a use before the definition");
            }
            let home = operand.owner_op().map(|owner| owner.block()).or_else(|| operand.owner_block());
            let home = home.unwrap().region();
            note(seen, home.id() != op.block().region().id(), "values of an outer region");
            note(seen, operand.uses(Default::default()).unwrap().len() > 1, "values with several uses");
        }
        for region in op.regions().unwrap() {
            note(seen, region.len() > 1, "several blocks");
            for block in region.blocks() {
                note(seen, block.arguments().len() > 0, "block arguments");
                let is_ended = block.last_operation().is_some_and(|last| last.name() == "smith.end");
                note(seen, name.starts_with("smith.") && !is_ended, "a region without a terminator");
                let is_located = |id| {
                    Attribute::of_file(module, id).unwrap().unwrap().to_text(None).unwrap() != "loc(unknown)"
                };
                note(
                    seen,
                    block.arguments().any(|value| value.location().is_some_and(is_located)),
                    "a location of an argument",
                );
            }
        }
    }
}

fn look_at_entries(module: &Module, seen: &mut Seen) {
    let counts = module.entry_counts().unwrap();
    for number in 0..counts.attributes {
        let value = Attribute::of_file(module, mlirbc::ir::AttrId(number)).unwrap().unwrap();
        let text = value.to_text(None).unwrap();
        note(seen, text.starts_with("#smith"), "an unregistered attribute");
        note(seen, text.contains("!smith"), "an unregistered type");
        for (name, words) in BUILTIN {
            note(seen, text.contains(words), &format!("builtin: {name}"));
        }
    }
    for number in 0..counts.types {
        let value = mlirbc::Type::of_file(module, mlirbc::ir::TypeId(number)).unwrap().unwrap();
        let text = value.to_text(None).unwrap();
        note(seen, text.starts_with("!smith"), "an unregistered type");
        for (name, words) in BUILTIN {
            note(seen, text.contains(words), &format!("builtin: {name}"));
        }
    }
    // Strings of the rows are noise, and those of the rest of the module are known.
    let is_noise = |text: &str| text.contains("\\F0\\9F\\A6\\80") || text.contains("gr\\C3\\BC\\C3\\9Fe");
    let texts = (0..counts.attributes).map(|number| {
        let value = Attribute::of_file(module, mlirbc::ir::AttrId(number)).unwrap().unwrap();
        value.to_text(None).unwrap()
    });
    note(seen, texts.into_iter().any(|text| is_noise(&text)), "an entry by a row of the tables");
}

fn seen(config: &Config, seeds: u64) -> Seen {
    let mut seen = Seen::new();
    for seed in 0..seeds {
        look(&GeneratedModule::from_seed(config, seed).unwrap().module().unwrap(), &mut seen);
    }
    seen
}

#[test]
fn every_part_of_the_language_occurs() {
    for release in releases() {
        let config = Config { release: release.into(), ..Config::default() };
        let seen = seen(&config, SEEDS);
        let builtin = BUILTIN.map(|(name, _)| format!("builtin: {name}"));
        let wanted = ALWAYS.iter().chain(WITH.iter().flat_map(|(_, whats)| *whats)).copied();
        let missing: Vec<_> =
            wanted.chain(builtin.iter().map(String::as_str)).filter(|&what| !seen.contains(what)).collect();
        assert!(missing.is_empty(), "not in {SEEDS} modules for {release}: {missing:?}\n{seen:?}");
    }
}

#[test]
fn each_feature_can_be_switched_off() {
    for (feature, whats) in WITH {
        let mut features = Features::default();
        assert!(features.switch_off(feature));
        let config = Config { features, ..Config::default() };
        let seen = seen(&config, SEEDS / 4);
        let found: Vec<_> = whats.iter().filter(|what| seen.contains(**what)).collect();
        assert!(found.is_empty(), "without {feature}: {found:?}");
    }
    assert_eq!(WITH.map(|(feature, _)| feature), Features::NAMES);
}

#[test]
fn without_features_the_rest_is_there() {
    let config = Config { features: Features::none(), ..Config::default() };
    let seen = seen(&config, SEEDS);
    assert!(ALWAYS.iter().all(|what| seen.contains(*what)), "{seen:?}");
    assert!(WITH.iter().all(|(_, whats)| whats.iter().all(|what| !seen.contains(*what))), "{seen:?}");
}

#[test]
fn only_the_dialects_that_were_chosen() {
    let allowed = ["arith", "builtin", "func", "cf", "scf", "smith"];
    let config = Config { dialects: Some(vec!["arith".into()]), ..Config::default() };
    for what in seen(&config, SEEDS / 4) {
        if let Some(dialect) = what.strip_prefix("an operation of ") {
            assert!(allowed.contains(&dialect), "{what}");
        }
    }
}
