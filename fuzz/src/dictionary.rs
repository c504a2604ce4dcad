//! The dictionary of the fuzzing engines, `mlirbc.dict`: byte sequences with a meaning in the format and its
//! tables.
//!
//! Mutators insert these words, which random bytes would hit only after a long time. `tests/targets.rs` keeps the file
//! current.

use std::collections::BTreeSet;
use std::fmt::Write;

use mlirbc::ops::OperationDefinitions;
use mlirbc::section::SectionId;
use mlirbc::smith;
use mlirbc::varint::VarInt;

/// The dialects whose operations are words. All dialects would give thousands of words, and a mutator draws
/// one at a time.
const DIALECTS: [&str; 5] = ["arith", "builtin", "cf", "func", "scf"];

/// Words of MLIR's text.
const TEXT: [&str; 24] = [
    "-> ",
    " : ",
    "loc(",
    "#loc",
    "attributes ",
    "affine_map<",
    "affine_set<",
    "dense<",
    "dense_resource<",
    "distinct[",
    "sparse<",
    "array<i64: ",
    "memref<",
    "strided<",
    "tensor<",
    "vector<",
    "tuple<",
    "opaque<",
    "complex<",
    "<{",
    "}>",
    "^bb0(",
    "({",
    "{-#",
];

/// Returns the contents of `mlirbc.dict`.
pub fn text() -> String {
    let mut out = String::from(
        "# Generated from the tables of the core; tests/targets.rs rewrites it.\n\n# The header\n",
    );
    word(&mut out, "magic", b"ML\xefR");
    for version in 0..=6 {
        word(&mut out, &format!("version_{version}"), &varint(version));
    }
    out += "\n# Section ids, without and with an alignment\n";
    for id in (0..SectionId::COUNT as u8).filter_map(SectionId::from_byte) {
        word(&mut out, &format!("section_{}", id.byte()), &[id.byte()]);
        word(&mut out, &format!("section_{}_aligned", id.byte()), &[id.byte() | 0x80]);
    }
    out += "\n# Codes of the builtin dialect's attributes and types\n";
    for (name, code) in builtin_codes() {
        word(&mut out, &name, &varint(code));
    }
    out += "\n# Varints of each length: the smallest and the largest\n";
    for len in 1..=9 {
        let largest = if len == 9 { u64::MAX } else { (1 << (7 * len)) - 1 };
        let smallest = if len == 1 { 0 } else { 1 << (7 * (len - 1)) };
        word(&mut out, &format!("smallest_of_{len}"), &varint(smallest));
        word(&mut out, &format!("largest_of_{len}"), &varint(largest));
    }
    out += "\n# Dialects\n";
    let dialects: BTreeSet<String> = smith::rows().iter().map(|row| row.dialect().to_owned()).collect();
    for name in &dialects {
        word(&mut out, &format!("dialect_{name}"), name.as_bytes());
    }
    out += "\n# Operations, without their dialect as in bytecode and with it as in text\n";
    let operations = OperationDefinitions::of(&mlirbc::Release::named("llvm-22"))
        .into_iter()
        .flat_map(OperationDefinitions::names);
    for full in operations.collect::<BTreeSet<_>>() {
        let Some((dialect, name)) = full.split_once('.').filter(|(dialect, _)| DIALECTS.contains(dialect))
        else {
            continue;
        };
        word(&mut out, &format!("op_{dialect}_{name}"), name.as_bytes());
        word(&mut out, &format!("text_{dialect}_{name}"), full.as_bytes());
    }
    out += "\n# Text\n";
    for (number, text) in TEXT.iter().enumerate() {
        word(&mut out, &format!("text_{number}"), text.as_bytes());
    }
    out
}

// Returns names and codes, without names that older layouts repeat.
fn builtin_codes() -> BTreeSet<(String, u64)> {
    let rows = smith::rows();
    let codes = rows.iter().filter(|row| row.dialect() == "builtin" && row.layout() == 0).filter_map(|row| {
        let path = row.to_string();
        let mut parts = path.split('/').skip(1);
        let (sort, code) = (parts.next()?, parts.next()?.parse().ok()?);
        Some((format!("{sort}_{}", row.name()), code))
    });
    codes.collect()
}

fn varint(value: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    VarInt(value).write(&mut bytes);
    bytes
}

fn word(out: &mut String, name: &str, bytes: &[u8]) {
    let name: String = name.chars().map(|one| if one.is_ascii_alphanumeric() { one } else { '_' }).collect();
    let _ = write!(out, "{name}=\"");
    for &byte in bytes {
        let _ = match byte {
            b'"' | b'\\' => write!(out, "\\{}", char::from(byte)),
            b' '..=b'~' => write!(out, "{}", char::from(byte)),
            _ => write!(out, "\\x{byte:02x}"),
        };
    }
    out.push_str("\"\n");
}
