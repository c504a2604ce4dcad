//! Modules have the attributes and types of dialects whose encodings the caller declares.

#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;

use mlirbc::dialect::{DialectTable, register_dialect};
use mlirbc::{Module, ReadOptions, smith};
use mlirbc_smith::{Config, GeneratedModule};

const TABLE: &str = r#"
dialect = "vendor"

[enums.Mode]
0 = "fast"
1 = "exact"

[[attribute]]
code = 0
name = "TilingAttr"
mnemonic = "tiling"
fields = ["sizes: list(signed)", "mode: varint as enum(Mode)", "inner: optional_attribute(TilingAttr)"]
asm = "<{params}>"

[[attribute]]
code = 1
name = "KernelAttr"
mnemonic = "kernel"
fields = ["symbol: string", "of: type", "where: attribute(Location)"]
asm = "<{params}>"

[[type]]
code = 0
name = "QueueType"
mnemonic = "queue"
fields = ["element: type", "depth: varint"]
asm = "<{params}>"
"#;

#[test]
fn declared_entries_are_generated_and_read() {
    let table = DialectTable::from_toml(TABLE).unwrap();
    register_dialect(table);
    let config = Config {
        max_operations: 30,
        dialects: Some(vec!["vendor".into(), "arith".into()]),
        ..Config::default()
    };
    let mut names = BTreeSet::new();
    for seed in 0..200 {
        let generated = GeneratedModule::from_seed(&config, seed).unwrap();
        let module = generated.module().unwrap();
        assert!(module.verify().is_ok(), "{seed}");
        for recoded in smith::recode(&module).unwrap() {
            let recoded = recoded.unwrap();
            if recoded.row.dialect() == "vendor" {
                assert_eq!(recoded.encoded.unwrap(), recoded.original, "{seed}: {}", recoded.row);
                assert!(recoded.is_stable, "{seed}: {}", recoded.row);
                names.insert(recoded.row.name().to_owned());
            }
        }
        // A reader without the table of the dialect can read the rest.
        let options = ReadOptions::default().unknown_dialects(vec!["vendor".into()]);
        let stranger = Module::from_source(generated.bytes().to_vec().into(), &options).unwrap();
        assert!(stranger.verify().is_ok(), "{seed}");
    }
    let names: Vec<&str> = names.iter().map(|name| &**name).collect();
    assert_eq!(names, ["KernelAttr", "QueueType", "TilingAttr"]);
}
