use std::sync::Arc;

use crate::dialect::registry::Registry;
use crate::dialect::table::{DialectTable, Encoding, Encodings, Primitive};
use crate::pack::{Pack, PackMaker, PackOptions};
use crate::release::Llvm;
use crate::wire::limits::Limits;

/// The table of a dialect from the records of its `.td` file.
fn made(dialect: &str) -> Arc<DialectTable> {
    let options = PackOptions {
        name: dialect.to_owned(),
        release: format!("{dialect}-made"),
        llvm: "llvm-22".to_owned(),
        dialects: vec![dialect.to_owned()],
        ..PackOptions::default()
    };
    let mut maker = PackMaker::new(options).unwrap();
    let path = format!("{}/../../tests/data/packs/{dialect}-encodings.json", env!("CARGO_MANIFEST_DIR"));
    maker.add_dump(&std::fs::read(path).unwrap(), &Limits::default()).unwrap();
    let pack = Pack::from_bytes(maker.finish().as_bytes(), &Limits::default()).unwrap();
    assert_eq!(pack.warnings(), []);
    let tables = pack.tables(0).unwrap();
    let table = tables.iter().find(|table| table.dialect() == dialect).unwrap();
    table.clone()
}

/// Interfaces and groups of classes are not in the records of encodings.
fn without_classes(primitive: &Primitive) -> Primitive {
    match primitive {
        Primitive::Attribute(_) => Primitive::Attribute(None),
        Primitive::OptionalAttribute(_) => Primitive::OptionalAttribute(None),
        Primitive::List(items) => Primitive::List(items.iter().map(without_classes).collect()),
        Primitive::OptionalList(items) => {
            Primitive::OptionalList(items.iter().map(without_classes).collect())
        }
        primitive => primitive.clone(),
    }
}

fn facts(encoding: &Encoding) -> (u64, &str, Vec<Primitive>) {
    let fields = encoding.layouts[0].fields.iter().map(|field| without_classes(&field.primitive));
    (encoding.code, &encoding.name, fields.collect())
}

/// Asserts that all codes of the records are the same in the shipped table, and returns their number.
fn compared(made: &Encodings, shipped: &Encodings) -> usize {
    for encoding in &made.rows {
        let of_code = shipped.by_code(encoding.code).unwrap();
        assert_eq!(facts(encoding), facts(of_code));
        // Codes share a class, whose name may be another one.
        for sibling in &made.rows {
            let is_shared = of_code.kind == shipped.by_code(sibling.code).unwrap().kind;
            assert_eq!(encoding.kind == sibling.kind, is_shared, "{} {}", encoding.name, sibling.name);
        }
    }
    made.rows.len()
}

#[test]
fn records_agree_with_shipped_tables() {
    // The numbers of `llvm-22`; the shipped table of the builtin dialect has codes of newer builds too.
    for (dialect, attributes, types) in [("builtin", 23, 21), ("quant", 0, 6), ("llvm", 19, 0)] {
        let from_records = made(dialect);
        let shipped = Registry::snapshot(&[], &[]).find_at(dialect.as_bytes(), Llvm(22)).unwrap();
        let counts = (
            compared(&from_records.attributes, &shipped.attributes),
            compared(&from_records.types, &shipped.types),
        );
        assert_eq!(counts, (attributes, types), "{dialect}");
    }
}
