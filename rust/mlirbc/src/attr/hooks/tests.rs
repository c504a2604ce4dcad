use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::*;
use crate::edit::Editor;
use crate::format::id::AttrId;
use crate::ir::Module;
use crate::print::PrintOptions;
use crate::write::Numbering;
use crate::{Attribute, ErrorKind, ReadOptions, Type, WriteOptions};

type ReadHook = dyn Fn(&mut DialectBytecodeReader) -> Result<Option<DialectValue>> + Send + Sync;

/// A dialect `t` whose attributes are read by a function.
struct HookedDialect {
    read: Box<ReadHook>,
    calls: AtomicUsize,
}

impl HookedDialect {
    fn new(
        read: impl Fn(&mut DialectBytecodeReader) -> Result<Option<DialectValue>> + Send + Sync + 'static,
    ) -> Arc<Self> {
        Arc::new(Self { read: Box::new(read), calls: AtomicUsize::new(0) })
    }
}

impl BytecodeDialectInterface for HookedDialect {
    fn dialect(&self) -> &str {
        "t"
    }

    fn read_attribute(&self, reader: &mut DialectBytecodeReader) -> Result<Option<DialectValue>> {
        self.calls.fetch_add(1, Ordering::Relaxed);
        (self.read)(reader)
    }
}

/// Creates a module with one attribute of `t`, with these fields in a table.
fn module_with(fields: &str, values: Vec<FieldValue>) -> Vec<u8> {
    let table = format!("dialect = 't'\n[[attribute]]\ncode = 0\nname = 'A'\nfields = [{fields}]");
    let table = DialectTable::from_toml(&table).unwrap();
    let value = table.attribute("A", values, Vec::new()).unwrap();
    let mut editor = Editor::new(Module::from_bytes(crate::doc_example()).unwrap()).unwrap();
    let op = editor.operation().unwrap();
    editor.set_attribute(op, "t.x", &value).unwrap();
    let mut bytes = Vec::new();
    editor.write(&mut bytes, &WriteOptions::default()).unwrap();
    bytes
}

fn open(bytes: Vec<u8>, interface: Arc<dyn BytecodeDialectInterface>) -> Module {
    let interfaces = DialectInterfaces::new(vec![interface]);
    Module::from_source(bytes.into(), &ReadOptions { interfaces, ..ReadOptions::default() }).unwrap()
}

fn of_t(module: &Module) -> Attribute {
    let count = module.tables().entry_counts().unwrap().attributes;
    let value = |index| Attribute::of_file(module.tables(), AttrId::new(index)).unwrap().unwrap();
    (0..count).map(value).find(|value| value.dialect() == "t" && !value.is_text()).unwrap()
}

fn numbers(numbers: &[u64]) -> FieldValue {
    FieldValue::List(numbers.iter().map(|&number| FieldValue::Unsigned(number)).collect())
}

#[test]
fn a_hook_runs_once_for_a_value_and_only_when_it_is_asked_for() {
    let toy = HookedDialect::new(|reader| {
        reader.read_varint()?;
        Ok(Some(DialectValue::new("a").field("n", FieldValue::Unsigned(reader.read_varint()?))))
    });
    let module = open(module_with("'n: varint'", vec![FieldValue::Unsigned(7)]), toy.clone());
    let value = of_t(&module);
    assert_eq!(toy.calls.load(Ordering::Relaxed), 0);
    assert_eq!(value.field("n").unwrap(), Some(FieldValue::Unsigned(7)));
    assert_eq!((value.to_string(), value.class()), ("#t.a<n = 7>".to_owned(), Some("a")));
    assert_eq!(toy.calls.load(Ordering::Relaxed), 1);
}

#[test]
fn lists_whose_items_differ_are_read_and_renumbered() {
    // Pairs of a kind and a number or an attribute.
    let toy = HookedDialect::new(|reader| {
        reader.read_varint()?;
        let items = reader.read_list(|reader| {
            Ok(match reader.read_varint()? {
                0 => FieldValue::Unsigned(reader.read_varint()?),
                _ => FieldValue::Attribute(reader.read_attribute()?),
            })
        })?;
        Ok(Some(DialectValue::new("a").field("items", FieldValue::List(items))))
    });
    let unit = FieldValue::Attribute(Attribute::parse("unit").unwrap());
    let case = |kind: u64, value: FieldValue| FieldValue::List(vec![FieldValue::Unsigned(kind), value]);
    let items = vec![
        case(0, FieldValue::Unsigned(3)),
        case(0, FieldValue::Unsigned(4)),
        case(1, unit.clone()),
        case(0, FieldValue::Unsigned(5)),
    ];
    let fields = "'items: list(switch(0: varint | 1: attribute))'";
    let module = open(module_with(fields, vec![FieldValue::List(items)]), toy.clone());
    let value = of_t(&module);
    assert_eq!(value.to_string(), "#t.a<items = [3, 4, unit, 5]>");
    let mut bytes = Vec::new();
    let options = WriteOptions { numbering: Numbering::Canonical, ..WriteOptions::default() };
    module.write(&mut bytes, &options).unwrap();
    assert_eq!(of_t(&open(bytes, toy)), value);
}

#[test]
fn one_item_of_a_list_can_be_a_field() {
    let toy = HookedDialect::new(|reader| {
        reader.read_varint()?;
        let mut types = reader.read_list(DialectBytecodeReader::read_type)?;
        let last = types.pop().map_or(FieldValue::Absent, FieldValue::Type);
        Ok(Some(DialectValue::new("a").field("last", last)))
    });
    let types = ["i8", "i16"].map(|text| FieldValue::Type(Type::parse(text).unwrap()));
    let value = of_t(&open(module_with("'types: list(type)'", vec![FieldValue::List(types.into())]), toy));
    assert_eq!(value.to_string(), "#t.a<last = i16>");
}

/// A dialect `t` whose attribute has one number of each kind.
struct Numbers;

impl BytecodeDialectInterface for Numbers {
    fn dialect(&self) -> &str {
        "t"
    }

    fn read_attribute(&self, reader: &mut DialectBytecodeReader) -> Result<Option<DialectValue>> {
        reader.read_varint()?;
        let varint = FieldValue::Unsigned(reader.read_varint()?);
        let signed = FieldValue::Signed(reader.read_signed_varint()?);
        let (number, flag) = reader.read_varint_with_flag()?;
        let byte = FieldValue::Unsigned(reader.read_byte()?.into());
        let integer = FieldValue::Integer { words: reader.read_apint_with_known_width(16)?, width: 16 };
        let float = FieldValue::Integer { words: reader.read_apfloat_with_known_semantics(16)?, width: 16 };
        let value = DialectValue::new("a").field("varint", varint).field("signed", signed);
        let value = value.field("number", FieldValue::Unsigned(number)).field("flag", FieldValue::Bool(flag));
        Ok(Some(value.field("byte", byte).field("integer", integer).field("float", float)))
    }

    fn write_attribute(&self, _: &DialectValue, writer: &mut DialectBytecodeWriter) -> Result<bool> {
        writer.write_varint(0);
        writer.write_varint(5);
        writer.write_signed_varint(-2);
        writer.write_varint_with_flag(3, true);
        writer.write_byte(9);
        writer.write_apint_with_known_width(vec![5], 16);
        writer.write_apfloat_with_known_semantics(vec![0x3c00], 16);
        Ok(true)
    }
}

#[test]
fn numbers_are_written_as_mlir_writes_them() {
    let half = |word| FieldValue::Integer { words: vec![word], width: 16 };
    let value = DialectValue::new("a")
        .field("varint", FieldValue::Unsigned(5))
        .field("signed", FieldValue::Signed(-2))
        .field("number", FieldValue::Unsigned(3))
        .field("flag", FieldValue::Bool(true))
        .field("byte", FieldValue::Unsigned(9))
        .field("integer", half(5))
        .field("float", half(0x3c00));
    let value = Attribute::by_interface(&Numbers, &value, Vec::new()).unwrap();
    // 0, 5, -2 as 3, 3 with a flag as 7, a byte, 5 as 10, and 0x3c00 as 0x7800.
    assert_eq!(&value.payload()[..], [0x01, 0x0b, 0x07, 0x0f, 0x09, 0x15, 0x04, 0xc0, 0x03]);
    let text = value.to_string();
    assert!(text.starts_with("#t.a<varint = 5, signed = -2, number = 3, flag = true, byte = 9, "), "{text}");
}

#[test]
fn constants_count_for_equality() {
    let with = |constant: u64| {
        let toy = HookedDialect::new(move |reader| {
            reader.read_varint()?;
            let read = FieldValue::Unsigned(reader.read_varint()?);
            let value = DialectValue::new("a").field("read", read);
            Ok(Some(value.field("constant", FieldValue::Unsigned(constant))))
        });
        of_t(&open(module_with("'n: varint'", vec![FieldValue::Unsigned(70)]), toy))
    };
    assert_eq!(with(1), with(1));
    assert_ne!(with(1), with(2));
    assert_eq!(with(2).to_string(), "#t.a<read = 70, constant = 2>");
}

#[test]
fn values_of_one_shape_share_a_table() {
    let toy = HookedDialect::new(|reader| {
        reader.read_varint()?;
        let items = reader.read_list(|reader| Ok(FieldValue::Unsigned(reader.read_varint()?)))?;
        Ok(Some(DialectValue::new("a").field("items", FieldValue::List(items))))
    });
    let table = "dialect = 't'\n[[attribute]]\ncode = 0\nname = 'A'\nfields = ['items: list(varint)']";
    let table = DialectTable::from_toml(table).unwrap();
    let mut editor = Editor::new(Module::from_bytes(crate::doc_example()).unwrap()).unwrap();
    let op = editor.operation().unwrap();
    for len in 1..5 {
        let value = table.attribute("A", vec![numbers(&vec![len; len as usize])], Vec::new()).unwrap();
        editor.set_attribute(op, format!("t.x{len}"), &value).unwrap();
    }
    let mut bytes = Vec::new();
    editor.write(&mut bytes, &WriteOptions::default()).unwrap();
    let module = open(bytes, toy);
    module.settle().unwrap();
    let entries = module.tables().entries().unwrap();
    let count = module.tables().entry_counts().unwrap().attributes;
    let tables: Vec<_> =
        (0..count).filter_map(|at| entries.own_table(EntryRef::Attribute(AttrId::new(at)))).collect();
    assert_eq!(tables.len(), 4);
    assert!(tables.iter().all(|table| Arc::ptr_eq(table, &tables[0])));
}

#[test]
fn what_a_hook_does_wrong_is_the_reason() {
    let reason = |hook: fn(&mut DialectBytecodeReader) -> Result<Option<DialectValue>>| {
        let module =
            open(module_with("'n: list(varint)'", vec![numbers(&[1, 2, 3])]), HookedDialect::new(hook));
        let value = of_t(&module);
        assert!(value.fields().unwrap().is_empty());
        assert_eq!(module.opaque().unwrap()[0].name, "t");
        value.opaque_reason().unwrap().unwrap()
    };
    let leaves = reason(|_| Ok(Some(DialectValue::new("a"))));
    assert_eq!((leaves.kind(), leaves.section()), (ErrorKind::DialectHook, None));
    let past = reason(|reader| {
        for _ in 0..9 {
            drop(reader.read_varint());
        }
        Ok(Some(DialectValue::new("a")))
    });
    assert_eq!(past.kind(), ErrorKind::Truncated);
    let often = reason(|reader| {
        loop {
            reader.read_rest()?;
        }
    });
    assert_eq!(often.kind(), ErrorKind::HookLimit);
    let hook_error = reason(|reader| Err(reader.error("no such code")));
    assert!(hook_error.to_string().starts_with("no such code, at 0x"), "{hook_error}");
    let index = reason(|reader| reader.read_varint().and_then(|_| reader.read_type()).map(|_| None));
    assert_eq!(index.kind(), ErrorKind::Index);
    let foreign = reason(|reader| {
        let other_module = Module::from_bytes(crate::doc_example())?;
        let foreign =
            FieldValue::Attribute(Attribute::of_file(other_module.tables(), AttrId::new(0))?.unwrap());
        reader.read_rest()?;
        Ok(Some(DialectValue::new("a").field("x", foreign)))
    });
    assert!(foreign.to_string().contains("of another file"), "{foreign}");
    let template = reason(|reader| {
        reader.read_rest()?;
        Ok(Some(DialectValue { asm: Some("{".to_owned()), ..DialectValue::new("a") }))
    });
    assert!(template.to_string().contains("not closed"), "{template}");
}

#[test]
fn a_hook_that_declines_leaves_the_value_to_the_table() {
    let bytes = module_with("'n: varint'", vec![FieldValue::Unsigned(7)]);
    let table = "dialect = 't'\n[[attribute]]\ncode = 0\nname = 'A'\nfields = ['n: varint']";
    let options = ReadOptions {
        dialects: vec![DialectTable::from_toml(table).unwrap()],
        interfaces: DialectInterfaces::new(vec![HookedDialect::new(|_| Ok(None))]),
        ..ReadOptions::default()
    };
    let module = Module::from_source(bytes.into(), &options).unwrap();
    assert_eq!(of_t(&module).class(), Some("A"));
}

#[test]
fn a_request_to_stop_is_not_kept() {
    let first = AtomicUsize::new(0);
    let toy = HookedDialect::new(move |reader| {
        if first.fetch_add(1, Ordering::Relaxed) == 0 {
            return Err(Error::message(ErrorKind::Interrupted, "stop"));
        }
        reader.read_rest()?;
        Ok(Some(DialectValue::new("a")))
    });
    let module = open(module_with("'n: varint'", vec![FieldValue::Unsigned(7)]), toy);
    let value = of_t(&module);
    assert_eq!(value.fields().unwrap_err().kind(), ErrorKind::Interrupted);
    assert_eq!(value.to_string(), "#t.a");
}

#[test]
fn a_list_that_is_longer_than_its_bytes_is_refused() {
    let toy = HookedDialect::new(|reader| {
        let items = reader.read_list(|_| Ok(()))?;
        Ok(Some(DialectValue::new("a").field("n", FieldValue::Unsigned(items.len() as u64))))
    });
    // The code 0 is an empty list here, and the other bytes remain; with a count of 2^40 nothing is
    // allocated.
    let module = open(module_with("'n: varint'", vec![FieldValue::Unsigned(1 << 40)]), toy);
    assert_eq!(of_t(&module).opaque_reason().unwrap().unwrap().kind(), ErrorKind::DialectHook);
    let toy = HookedDialect::new(|reader| {
        reader.read_varint()?;
        reader.read_list(|_| Ok(()))?;
        Ok(Some(DialectValue::new("a")))
    });
    let module = open(module_with("'n: varint'", vec![FieldValue::Unsigned(1 << 40)]), toy);
    assert_eq!(of_t(&module).opaque_reason().unwrap().unwrap().kind(), ErrorKind::Count);
}

#[test]
fn what_nothing_describes_is_a_fault_of_the_text() {
    let module = Module::from_bytes(module_with("'n: varint'", vec![FieldValue::Unsigned(70)])).unwrap();
    let report = module.print(&mut Vec::new(), &PrintOptions::default()).unwrap();
    let kinds: Vec<_> = report.faults.iter().map(Error::kind).collect();
    assert_eq!(kinds, [ErrorKind::EntryNoTable]);
}
