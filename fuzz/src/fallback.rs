//! Random declared encodings for random blobs, and for files whose dialects are declared unknown.
//!
//! | oracle | why it can fail |
//! |---|---|
//! | loading a declared encoding never panics | any |
//! | a file is returned unchanged, whatever is declared | an encoding that changes the bytes it describes |
//! | an edit elsewhere keeps operations, their registration and their properties | indices that changed within opaque bytes |
//! | decoded properties can be renumbered, and have the same fields then | a decoder and an encoder that differ |
//!
//! The first byte is the number of bytes from which the encoding is generated; the rest is a file, or the
//! properties of an operation.

use std::sync::Arc;

use mlirbc::attr::FieldValue;
use mlirbc::dialect::DialectTable;
use mlirbc::edit::Editor;
use mlirbc::ir::{InherentAttributes, PropertyState};
use mlirbc::write::{Numbering, WriteMode};
use mlirbc::{Attribute, Module, ReadOptions, WriteOptions};

use crate::cost;

const PRIMITIVES: [&str; 16] = [
    "varint",
    "optional_varint",
    "signed",
    "byte",
    "bool",
    "string",
    "blob",
    "resource",
    "attribute",
    "optional_attribute",
    "type",
    "optional_type",
    "varint_with_flag",
    "int(12)",
    "float(64)",
    "sparse(5)",
];

/// The number of operations above which files are skipped: larger ones would only take longer.
const MAX_OPS: usize = 2000;

/// Runs the oracle.
///
/// # Panics
/// When a property does not hold.
pub fn run(data: &[u8]) {
    cost::fallback(data);
    cost::alone(|| split(data));
}

fn split(data: &[u8]) {
    let Some((&len, rest)) = data.split_first() else { return };
    let (recipe, rest) = rest.split_at(usize::from(len % 64).min(rest.len()));
    // Any text may be a table, or an error.
    let _ = DialectTable::from_toml(&String::from_utf8_lossy(recipe));
    let fields = fields(&mut recipe.iter().copied());
    match Module::from_bytes(rest.to_vec()) {
        Ok(module) => file(rest, &module, &fields),
        Err(_) => blob(rest, &fields),
    }
}

fn fields(recipe: &mut impl Iterator<Item = u8>) -> String {
    let mut fields = Vec::new();
    for number in 0..5 {
        let Some(kind) = recipe.next() else { break };
        fields.push(format!("'f{number}: {}'", primitive(kind, recipe, 3)));
    }
    format!("[{}]", fields.join(", "))
}

fn primitive(kind: u8, recipe: &mut impl Iterator<Item = u8>, depth: u32) -> String {
    let mut inner = || match (recipe.next(), depth) {
        (Some(kind), 1..) => primitive(kind, recipe, depth - 1),
        _ => "varint".to_owned(),
    };
    match kind % 24 {
        16 => format!("list({})", inner()),
        17 => format!("list({} {})", inner(), inner()),
        18 => format!("optional_list({})", inner()),
        19 => format!("switch(0: {} | 3: {} {} | else: )", inner(), inner(), inner()),
        20 => format!("switch(1: | else: {})", inner()),
        21 => "rest".to_owned(),
        22 => "opaque".to_owned(),
        23 => "if(f0) varint".to_owned(),
        plain => PRIMITIVES[usize::from(plain)].to_owned(),
    }
}

fn table(dialect: &str, fields: &str) -> Option<Arc<DialectTable>> {
    let quoted = dialect.escape_default();
    let text = format!(
        "dialect = \"{quoted}\"\n[[op]]\nfields = {fields}\n[[attribute]]\ncode = '*'\nname = 'A'\nfields = {fields}\n\
         [[type]]\ncode = '*'\nname = 'T'\nfields = {fields}\n"
    );
    DialectTable::from_toml(&text).ok()
}

fn file(bytes: &[u8], module: &Module, fields: &str) {
    let Ok(names) = module.dialects() else { return };
    let names: Vec<String> =
        names.map(|dialect| String::from_utf8_lossy(dialect.name).into_owned()).collect();
    let dialects = names.iter().filter(|name| *name != "builtin").filter_map(|name| table(name, fields));
    let options = ReadOptions::default().dialects(dialects.collect()).unknown_dialects(names.clone());
    check(bytes.to_vec(), &options);
}

// Uses the bytes as the properties of an operation.
fn blob(bytes: &[u8], fields: &str) {
    let mut example = mlirbc::doc_example();
    example[18] |= 2;
    let options = ReadOptions::default().dialects(table("t", fields).into_iter().collect());
    let module = Module::from_source(example.into(), &options).expect("the example");
    let mut editor = Editor::new(module).expect("the example");
    let body = editor.operation().and_then(|module| editor.body(module)).expect("the example");
    let op = editor.operations(body).expect("the example")[0];
    editor.set_property_blob(op, Some(bytes)).expect("opaque bytes are accepted unchanged");
    let mut written = Vec::new();
    editor.write(&mut written, &WriteOptions::default()).expect("bytes are bytes");
    let read = Module::from_source(written.clone().into(), &options).expect("what was written");
    let op = read.operation().expect("an op").pre_order().nth(1).expect("an op").expect("an op");
    let id = op.properties().expect("properties");
    assert_eq!(read.tables().properties().expect("properties").get(id.number()).expect("a blob"), bytes);
    check(written, &options);
}

fn check(bytes: Vec<u8>, options: &ReadOptions) {
    let Ok(module) = Module::from_source(bytes.clone().into(), options) else { return };
    if module.verify().is_err() {
        return;
    }
    let mut same = Vec::new();
    module.write(&mut same, &WriteOptions::default()).expect("what reads can be returned");
    assert!(same == bytes, "other bytes were returned");
    let Some(before) = shapes(&module) else { return };
    let (Ok(plan), Ok(mut editor)) =
        (module.plan_write(&WriteOptions::default()), Editor::new(module.clone()))
    else {
        return;
    };
    let Ok(top) = editor.operation() else { return };
    let location = Attribute::parse("loc(\"edited\")").expect("a location");
    editor.set_location(top, &location).expect("an op has a location");
    let mut edited = Vec::new();
    let strictest = WriteOptions::default().numbering(Numbering::Strictest);
    let Ok(report) = editor.write(&mut edited, &strictest) else {
        // Entries that are first decoded here may be malformed; opaque values never cause an error.
        assert!(plan.opaque.is_empty(), "opaque bytes could not be kept: {:?}", plan.opaque);
        return;
    };
    assert_eq!(report.mode, plan.after_an_edit());
    let after = Module::from_source(edited.into(), options).expect("what was written");
    let after = shapes(&after).expect("what was written");
    assert_eq!(before.len(), after.len());
    for (before, after) in before.iter().zip(&after) {
        assert_eq!((&before.name, before.bit), (&after.name, after.bit));
        match report.mode {
            WriteMode::Renumbered => assert_eq!(before.fields, after.fields, "{}", before.name),
            _ => assert_eq!(before.blob, after.blob, "{}", before.name),
        }
    }
}

struct Shape {
    name: String,
    bit: Option<bool>,
    blob: Option<Vec<u8>>,
    /// The decoded fields of the declared encoding, as text.
    fields: Option<Vec<String>>,
}

fn shapes(module: &Module) -> Option<Vec<Shape>> {
    let mut shapes = Vec::new();
    for op in module.operation().ok()?.pre_order().take(MAX_OPS) {
        let op = op.ok()?;
        let name = op.operation_name()?;
        let blob = op.properties().and_then(|id| module.tables().properties().ok()?.get(id.number()));
        let state = op.property_state().ok()?;
        let fields = match op.inherent_attributes() {
            Ok(InherentAttributes::Declared(declared)) => {
                assert_eq!(state, PropertyState::Decoded);
                let fields = declared.fields(module).ok()?;
                Some(fields.iter().map(|(name, value)| format!("{name}: {}", text(value))).collect())
            }
            _ => None,
        };
        shapes.push(Shape {
            name: name.full().into_owned(),
            bit: name.is_registered,
            blob: blob.map(|bytes| bytes.to_vec()),
            fields,
        });
    }
    Some(shapes)
}

// A reference is named by the class of its target, not by number.
fn text(value: &FieldValue) -> String {
    match value {
        FieldValue::Attribute(value) => value.class().unwrap_or("opaque").to_owned(),
        FieldValue::Type(value) => value.class().unwrap_or("opaque").to_owned(),
        FieldValue::List(items) => items.iter().map(text).collect::<Vec<_>>().join(" "),
        other => format!("{other:?}"),
    }
}
