//! JSON as data: it agrees with the file and with itself.

#![allow(clippy::unwrap_used, clippy::panic)]

mod support;

use std::collections::BTreeMap;

use mlirbc::print::OpAttributes;
use serde_json::Value;
use support::{example, files, json, newest_files, root, run, text};

fn int(value: &Value) -> u64 {
    value.as_u64().unwrap()
}

#[test]
fn sections_tile_every_file() {
    let data = root().join("tests/data/bytecode");
    let folders = ["llvm-16/v0", "llvm-19/v0", "llvm-19/v3", "llvm-22/v2", "llvm-22/v5", "llvm-22/v6"];
    for file in folders.iter().flat_map(|folder| files(data.join(folder))) {
        let info = json(["info".as_ref(), file.as_os_str(), "--json".as_ref()]);
        let bytes = std::fs::read(&file).unwrap();
        let name = file.to_str().unwrap();
        assert!(name.contains(&format!("/v{}/", info["version"])), "{name}");
        assert_eq!(int(&info["file_size"]), bytes.len() as u64);

        // Magic, one byte of version, producer, zero.
        let producer = info["producer"].as_str().unwrap();
        assert!(producer.starts_with("MLIR"));
        let mut end = 4 + 1 + producer.len() as u64 + 1;
        for section in info["sections"].as_array().unwrap() {
            assert_eq!(int(&section["header_offset"]), end, "{name}");
            assert_eq!(u64::from(bytes[end as usize] & 0x7f), int(&section["id"]));
            let offset = int(&section["offset"]);
            assert!(offset > end);
            if let Some(alignment) = section["alignment"].as_u64() {
                assert_eq!(offset % alignment, 0);
            }
            end = offset + int(&section["size"]);
        }
        assert_eq!(end, bytes.len() as u64, "{name}");
    }
}

#[test]
fn counts_agree_with_lists() {
    for file in newest_files() {
        let with = |command: &str, flags: &[&str]| {
            let mut args = vec![command.as_ref(), file.as_os_str(), "--json".as_ref()];
            args.extend(flags.iter().map(AsRef::<std::ffi::OsStr>::as_ref));
            args.into_iter().map(ToOwned::to_owned).collect::<Vec<_>>()
        };
        let info = json(with("info", &[]));
        let counts = &info["counts"];
        let listing = run(with("ops", &[]));
        let ops: Vec<Value> =
            text(&listing.stdout).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(int(&counts["operations"]), ops.len() as u64);
        assert_eq!(json(with("ops", &["--count"])), info["op_counts"]);
        assert_eq!(json(with("resources", &[])), info["resources"]);
        assert_eq!(int(&counts["resources"]), info["resources"].as_array().unwrap().len() as u64);
        for (name, count) in info["op_counts"].as_object().unwrap() {
            let listed = ops.iter().filter(|op| op["name"] == *name).count() as u64;
            assert_eq!(listed, int(count), "{name}");
        }
        let names: u64 = info["dialects"].as_array().unwrap().iter().map(|d| int(&d["op_names"])).sum();
        assert!(names >= info["op_counts"].as_object().unwrap().len() as u64);
        for (index, op) in ops.iter().enumerate() {
            assert_eq!(int(&op["index"]), index as u64);
            let next = ops.get(index + 1).map_or(0, |next| int(&next["depth"]));
            assert!(next <= int(&op["depth"]) + u64::from(int(&op["regions"]) > 0));
        }
    }
}

#[test]
fn the_listing_agrees_with_a_walk() {
    for file in newest_files() {
        let module = mlirbc::Module::open(&file).unwrap();
        let texts = mlirbc::print::EntryTexts::new(&module).unwrap();
        let mut texts = texts.ops();
        let walked: Vec<Value> = (module.operation().unwrap().pre_order().enumerate())
            .map(|(index, op)| {
                let op = op.unwrap();
                let depth = std::iter::successors(op.parent(), |op| op.parent()).count();
                let OpAttributes { inherent, discardable, property_attribute, opaque } =
                    texts.op(op.name_id(), op.properties(), op.attribute_dictionary()).unwrap();
                let properties: Vec<_> = inherent.iter().map(|(name, _)| name.clone()).collect();
                let attributes: BTreeMap<_, _> = inherent.into_iter().chain(discardable).collect();
                let mut row = serde_json::json!({
                    "index": index,
                    "name": op.name(),
                    "depth": depth,
                    "operands": op.operands().len(),
                    "results": op.results().len(),
                    "successors": op.successors().map(|block| block.number()).collect::<Vec<_>>(),
                    "regions": op.region_count(),
                    "attributes": attributes,
                    "properties": properties,
                });
                if let Some(attribute) = property_attribute {
                    row["property_attribute"] = attribute.into();
                }
                if let Some(blob) = opaque {
                    row["opaque_properties"] =
                        blob.iter().map(|b| format!("{b:02x}")).collect::<String>().into();
                }
                row
            })
            .collect();
        for backend in ["map", "read"] {
            let output = run(["ops", "--json", "--backend", backend, file.to_str().unwrap()]);
            let listed: Vec<Value> =
                text(&output.stdout).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
            assert_eq!(listed, walked, "{}", file.display());
        }
    }
}

#[test]
fn counts_are_sorted_by_count_then_name() {
    let output = run(["ops".as_ref(), example().as_os_str(), "--count".as_ref()]);
    let rows: Vec<(u64, &str)> = text(&output.stdout)
        .lines()
        .skip(1)
        .map(|line| line.trim_start().split_once("  ").unwrap())
        .map(|(count, name)| (count.parse().unwrap(), name))
        .collect();
    assert!(rows.is_sorted_by(|a, b| a.0 > b.0 || a.0 == b.0 && a.1 < b.1), "{rows:?}");
}

#[test]
fn a_dialect_version_is_hex() {
    let file = root().join("tests/data/bytecode/llvm-22/v6/test_dialect_properties.mlirbc");
    let info = json(["info".as_ref(), file.as_os_str(), "--json".as_ref()]);
    let versions: Vec<_> =
        info["dialects"].as_array().unwrap().iter().map(|d| (&d["name"], &d["version"])).collect();
    assert_eq!(versions[0], (&"builtin".into(), &Value::Null));
    assert_eq!(versions[1].0, "test");
    let hex = versions[1].1.as_str().unwrap();
    assert!(!hex.is_empty() && hex.len() % 2 == 0 && hex.chars().all(|c| c.is_ascii_hexdigit()));
}

#[test]
fn standard_input_is_a_file() {
    let file = std::fs::File::open(example()).unwrap();
    let output = support::mlirbc().args(["info", "-", "--json"]).stdin(file).output().unwrap();
    let piped: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(piped, json(["info".as_ref(), example().as_os_str(), "--json".as_ref()]));
}
