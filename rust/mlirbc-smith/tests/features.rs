//! The contents of modules, seen through the reader, by feature; each feature can be switched off.

#![allow(clippy::unwrap_used, clippy::panic)]

use std::collections::BTreeSet;

use mlirbc::file::ResourceValue;
use mlirbc::format::id::{AttrId, TypeId};
use mlirbc::format::ir::{OpSink, UseListOrder};
use mlirbc::ir::{Block, Value};
use mlirbc::version::BytecodeVersion;
use mlirbc::{Attribute, Module, Type};
use mlirbc_smith::{Config, Features, GeneratedModule, releases};

#[derive(Default)]
struct Orders(usize);

impl OpSink for Orders {
    fn use_list(&mut self, _: UseListOrder<'_>, _: u64, _: u64) {
        self.0 += 1;
    }
}

fn block_of(value: Value<'_>) -> Option<Block<'_>> {
    value.owner_op().map_or_else(|| value.owner_block(), |op| Some(op.block()))
}

/// Lists the parts that one module contains.
fn seen(module: &Module) -> BTreeSet<String> {
    let mut seen = BTreeSet::new();
    let mut see = |what: &str| seen.insert(what.to_owned());
    for op in module.operation().unwrap().pre_order() {
        let op = op.unwrap();
        let depth = std::iter::successors(op.parent(), |parent| parent.parent()).count();
        if op.regions().unwrap().len() > 0 {
            see(&format!("regions at depth {}", depth.min(3)));
            if op.is_isolated_from_above() && depth > 0 {
                see("isolated regions");
            }
        }
        see(&format!("{} successors", op.successors().len().min(3)));
        if op.operands().any(|value| block_of(value).is_some_and(|block| block != op.block())) {
            see("a value of another block");
        }
        if op.properties().is_some() {
            see("properties");
        }
        if !op.discardable_attributes().unwrap().is_empty() {
            see("discardable attributes");
        }
        if let Some(location) = Attribute::of_file(module.tables(), op.location()).unwrap() {
            see(&format!("an operation at {}", location.class().unwrap_or("a text")));
        }
        let name = op.name().to_string();
        let dialect = name.split('.').next().unwrap_or_default();
        see(if dialect == "smith" { "an unregistered operation" } else { "a registered operation" });
        see(&format!("dialect {dialect}"));
    }
    for id in 0.. {
        let Ok(Some(_)) = module.tables().attribute(AttrId::new(id)) else { break };
        let Some(attribute) = Attribute::of_file(module.tables(), AttrId::new(id)).unwrap() else { continue };
        match attribute.class() {
            Some(class) => see(&format!("{}.{class}", attribute.dialect())),
            None => see(&format!("text of {}", attribute.dialect())),
        };
    }
    for id in 0.. {
        let Ok(Some(_)) = module.tables().r#type(TypeId::new(id)) else { break };
        let Some(r#type) = Type::of_file(module.tables(), TypeId::new(id)).unwrap() else { continue };
        match r#type.class() {
            Some(class) => see(&format!("{}.{class}", r#type.dialect())),
            None => see(&format!("text of {}", r#type.dialect())),
        };
    }
    for resource in module.resources().unwrap() {
        // MLIR prints the name without quotes.
        let is_identifier = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
        assert!(resource.group().iter().all(is_identifier), "{:?}", resource.group());
        see(if resource.is_external() { "an external resource" } else { "a resource of a dialect" });
        match resource.value().unwrap() {
            Some(ResourceValue::Blob { alignment, .. }) => see(&format!("a blob aligned to {alignment}")),
            Some(ResourceValue::Bool(_)) => see("a Boolean resource"),
            Some(ResourceValue::String(_)) => see("a resource that is a string"),
            None => false,
        };
    }
    let mut orders = Orders::default();
    module.stream(&mut orders).unwrap();
    if orders.0 > 0 {
        see("use-list orders");
    }
    if module.tables().dialect_version("test").unwrap().is_some() {
        see("a dialect version");
    }
    seen
}

fn of_seeds(config: &Config, count: u64) -> BTreeSet<String> {
    let modules = (0..count).map(|seed| GeneratedModule::from_seed(config, seed).unwrap().module().unwrap());
    modules.flat_map(|module| seen(&module)).collect()
}

/// Parts that modules of any release contain, by the feature that generates them; classes are named as in
/// `builtin`.
const BY_FEATURE: [(&str, &[&str]); 9] = [
    ("unregistered", &["an unregistered operation", "dialect smith", "text of smith"]),
    ("control-flow", &["1 successors", "2 successors", "3 successors"]),
    ("forward-references", &[]),
    ("use-list-orders", &["use-list orders"]),
    ("attributes", &["discardable attributes", "builtin.IntegerSetAttr", "builtin.DistinctAttr"]),
    ("dialect-entries", &[]),
    (
        "locations",
        &[
            "an operation at FileLineColLoc",
            "an operation at NameLoc",
            "an operation at CallSiteLoc",
            "an operation at FusedLoc",
        ],
    ),
    (
        "resources",
        &[
            "an external resource",
            "a resource of a dialect",
            "a Boolean resource",
            "a resource that is a string",
            "a blob aligned to 1",
            "a blob aligned to 2",
            "a blob aligned to 4",
            "a blob aligned to 8",
            "a blob aligned to 16",
        ],
    ),
    ("dialect-versions", &["a dialect version"]),
];

const ALWAYS: [&str; 55] = [
    "regions at depth 0",
    "regions at depth 1",
    "regions at depth 2",
    "regions at depth 3",
    "isolated regions",
    "a value of another block",
    "properties",
    "a registered operation",
    "dialect arith",
    "dialect func",
    "dialect scf",
    "dialect cf",
    "builtin.AffineMapAttr",
    "builtin.ArrayAttr",
    "builtin.DenseArrayAttr",
    "builtin.DenseIntOrFPElementsAttr",
    "builtin.DenseResourceElementsAttr",
    "builtin.DenseStringElementsAttr",
    "builtin.DictionaryAttr",
    "builtin.FlatSymbolRefAttr",
    "builtin.SymbolRefAttr",
    "builtin.FloatAttr",
    "builtin.IntegerAttr",
    "builtin.SparseElementsAttr",
    "builtin.StridedLayoutAttr",
    "builtin.StringAttr",
    "builtin.TypeAttr",
    "builtin.UnitAttr",
    "builtin.UnknownLoc",
    "builtin.BFloat16Type",
    "builtin.ComplexType",
    "builtin.Float128Type",
    "builtin.Float16Type",
    "builtin.Float32Type",
    "builtin.Float64Type",
    "builtin.Float80Type",
    "builtin.Float8E4M3FNType",
    "builtin.Float8E5M2Type",
    "builtin.FunctionType",
    "builtin.IndexType",
    "builtin.IntegerType",
    "builtin.MemRefType",
    "builtin.NoneType",
    "builtin.RankedTensorType",
    "builtin.TupleType",
    "builtin.UnrankedMemRefType",
    "builtin.UnrankedTensorType",
    "builtin.VectorType",
    "text of llvm",
    "text of transform",
    "text of gpu",
    "text of pdl",
    "text of async",
    "text of emitc",
    "text of spirv",
];

#[test]
fn modules_contain_each_part_of_the_language() {
    for release in releases().filter(|name| name.starts_with("llvm-")) {
        let version = Some(BytecodeVersion::MAX);
        let config = Config { release: release.into(), version, ..Config::default() };
        let seen = of_seeds(&config, 400);
        let expected = BY_FEATURE.iter().flat_map(|(_, parts)| parts.iter()).chain(&ALWAYS);
        // jaxlib reads few dialects, and no dialect with versions.
        let is_there = |part: &str| {
            release != "jaxlib-0.10" || !(part.starts_with("text of ") || part == "a dialect version")
        };
        let missing: Vec<_> = expected.filter(|part| is_there(part) && !seen.contains(**part)).collect();
        assert!(missing.is_empty(), "{release}: {missing:?} of {seen:#?}");
    }
}

#[test]
fn each_feature_can_be_switched_off() {
    for (name, parts) in BY_FEATURE {
        let mut features = Features::default();
        assert!(features.switch_off(name), "{name}");
        let version = Some(BytecodeVersion::MAX);
        let config = Config { features, version, max_operations: 20, ..Config::default() };
        let seen = of_seeds(&config, 60);
        let remaining: Vec<_> = parts.iter().filter(|part| seen.contains(**part)).collect();
        assert!(remaining.is_empty(), "{name}: {remaining:?}");
    }
}

#[test]
fn sizes_and_dialects_are_limits() {
    let config = Config { max_depth: 0, features: Features::none(), ..Config::default() };
    let seen = of_seeds(&config, 40);
    assert!(!seen.contains("regions at depth 2"), "{seen:?}");
    let dialects = Some(vec!["arith".to_owned()]);
    let config = Config { dialects, features: Features::none(), ..Config::default() };
    for part in of_seeds(&config, 40) {
        if let Some(dialect) = part.strip_prefix("dialect ") {
            assert!(["arith", "builtin", "func", "cf", "scf"].contains(&dialect), "{dialect}");
        }
    }
}
