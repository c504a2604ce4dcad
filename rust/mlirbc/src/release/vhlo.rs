//! The versions of StableHLO that introduced the operations of VHLO.
//!
//! Owns the reading of `data/vhlo-versions.toml`. The versions of attributes and types are in the table of the dialect.

use std::collections::HashMap;
use std::sync::LazyLock;

use serde::Deserialize;

/// Major, minor and patch.
pub(crate) type Version = [u64; 3];

/// The first version with guarantees.
pub(crate) const OLDEST: Version = [0, 9, 0];

/// The first version whose artifacts may have operations of other dialects.
pub(crate) const OTHER_DIALECTS: Version = [1, 11, 0];

/// The release whose schema has all operations of VHLO that are known.
pub(crate) const NEWEST_SCHEMA: &str = "stablehlo-1.20";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    bytecode: Vec<BytecodeRow>,
    ops: Vec<OpRow>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct BytecodeRow {
    since: String,
    version: u8,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OpRow {
    since: String,
    names: Vec<String>,
}

/// What is newer than [`OLDEST`].
#[derive(Default)]
pub(crate) struct Table {
    /// Versions of bytecode, and the first version of StableHLO that writes them.
    pub(crate) bytecode: Vec<(u8, Version)>,
    /// Operations without `vhlo.`.
    pub(crate) ops: HashMap<String, Version>,
}

pub(crate) static TABLE: LazyLock<Table> = LazyLock::new(|| {
    // A test loads it, so that it is not empty.
    let file: Option<File> = toml::from_str(include_str!("../../data/vhlo-versions.toml")).ok();
    let Some(file) = file else { return Table::default() };
    let bytecode = file.bytecode.iter().filter_map(|row| Some((row.version, parse(&row.since)?)));
    let ops = file.ops.iter().filter_map(|row| Some((row, parse(&row.since)?)));
    Table {
        bytecode: bytecode.collect(),
        ops: ops.flat_map(|(row, since)| row.names.iter().map(move |name| (name.clone(), since))).collect(),
    }
});

/// A version from three numbers with dots between them.
pub(crate) fn parse(text: &str) -> Option<Version> {
    let numbers: Vec<u64> = text.split('.').map(|number| number.parse().ok()).collect::<Option<_>>()?;
    numbers.try_into().ok()
}

/// The reverse of [`parse`].
pub(crate) fn text(version: Version) -> String {
    version.map(|number| number.to_string()).join(".")
}

/// The version that introduced an operation, by its name without `vhlo.`.
pub(crate) fn op_since(stem: &str) -> Version {
    TABLE.ops.get(stem).copied().unwrap_or(OLDEST)
}
