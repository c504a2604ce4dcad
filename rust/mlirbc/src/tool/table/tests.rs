use super::*;
use crate::attr::{Attribute, Type};
use crate::file::ReadOptions;
use crate::format::id::{AttrId, TypeId};
use crate::parse::{ParseOptions, parse};
use crate::wire::bytes::Bytes;
use crate::wire::error::ErrorKind;
use crate::wire::limits::Limits;

const KINDS: [TableKind; 6] = [
    TableKind::Operations,
    TableKind::Values,
    TableKind::Attributes,
    TableKind::Types,
    TableKind::Symbols,
    TableKind::Resources,
];

fn parsed(text: &str) -> Module {
    parse(text, &ParseOptions::default()).unwrap()
}

fn limited(module: &Module, limits: Limits) -> Module {
    let bytes: Bytes = module.source().get(0..module.source().len()).unwrap();
    Module::from_source(bytes.into(), &ReadOptions { limits, ..ReadOptions::default() }).unwrap()
}

fn words<'t>(table: &'t Table, name: &str) -> (&'t [u32], &'t Texts) {
    let column = table.columns.iter().find(|column| column.name == name).unwrap();
    match &column.values {
        ColumnValues::Words { rows, words } => (rows, words),
        values => panic!("{values:?}"),
    }
}

/// Builds a module with `count` operations, each named by 15 bytes.
fn sharing(count: usize) -> Module {
    let name = "n".repeat(15 * count);
    let operation = format!("\"t.op\"() {{sym_name = \"{name}\"}} : () -> ()\n");
    parsed(&operation.repeat(count))
}

#[test]
fn a_name_that_symbols_share_is_stored_once() {
    let module = sharing(500);
    let table = Table::new(
        &limited(&module, Limits { max_memory: Some(1 << 20), ..Limits::default() }),
        TableKind::Symbols,
    );
    let table = table.unwrap();
    assert_eq!(table.row_count, 500);
    for (column, len) in [("path", 7501), ("name", 7500)] {
        let (rows, texts) = words(&table, column);
        assert_eq!((rows, texts.len(), texts.get(0).len()), (&[0; 500][..], 1, len));
    }
}

#[test]
fn the_memory_of_shared_names_is_linear() {
    let least = |count: usize| {
        let module = sharing(count);
        let is_enough = |memory: u64| {
            let mut account = TableAccount::new(&Limits { max_memory: Some(memory), ..Limits::default() });
            account.admit(&module).unwrap();
            Table::of_file(&module, TableKind::Symbols, "", &account).is_ok()
        };
        (10..30).map(|bits| 1 << bits).find(|&memory| is_enough(memory)).unwrap()
    };
    assert!(least(800) <= 4 * least(200), "{} {}", least(200), least(800));
}

#[test]
fn paths_of_nested_symbol_tables_are_charged() {
    let depth = 2000;
    let text = format!("{}{}", "module @m {\n".repeat(depth), "}\n".repeat(depth));
    let limits = Limits { max_memory: Some(4 << 30), ..Limits::default() };
    let module = parse(&text, &ParseOptions { limits, ..ParseOptions::default() }).unwrap();
    let symbols = |limits| Table::new(&limited(&module, limits), TableKind::Symbols);
    let table = symbols(Limits::default()).unwrap();
    let (rows, texts) = words(&table, "path");
    assert_eq!(texts.get(rows[2]), "@m::@m::@m");
    // The sum of all paths: four bytes for each symbol around each.
    let sum: u64 = (1..depth as u64).map(|depth| 4 * depth - 2).sum();
    let text = symbols(Limits { max_text: Some(sum), ..Limits::default() });
    assert_eq!(text.unwrap_err().kind(), ErrorKind::TextLimit);
    let memory = symbols(Limits { max_memory: Some(sum), ..Limits::default() });
    assert_eq!(memory.unwrap_err().kind(), ErrorKind::MemoryLimit);
}

#[test]
fn long_texts_are_null_and_are_not_made() {
    let mut text = "#a0 = [0 : i8]\n".to_owned();
    for level in 1..40 {
        text += &format!("#a{level} = [#a{}, #a{}]\n", level - 1, level - 1);
    }
    text += "\"t.op\"() {a = #a39} : () -> ()";
    let module = parsed(&text);
    // A long text costs as much as the longest text.
    let limits = Limits { max_text: Some(45 * LONGEST_TEXT as u64), ..Limits::default() };
    let table = Table::new(&limited(&module, limits), TableKind::Attributes).unwrap();
    let ColumnValues::Texts { texts, validity } = &table.columns[1].values else { panic!() };
    assert!((20..40).contains(&validity.null_count), "{}", validity.null_count);
    assert!((0..texts.len() as u32).all(|row| texts.get(row).len() <= LONGEST_TEXT));
    let limits = Limits { max_text: Some(5 * LONGEST_TEXT as u64), ..Limits::default() };
    let error = Table::new(&limited(&module, limits), TableKind::Attributes).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::TextLimit);
}

#[test]
fn texts_are_those_of_the_entries_alone() {
    let text = "#a = [0 : i8, \"x\"]\n#b = [#a, #a, loc(\"l\")]\n#c = distinct[3]<#a>\n#d = [#c, distinct[5]<1 : i32>]\n\
                \"t.op\"() {a = #b, b = #c, c = [#d, #b], d = #d, e = dense<1> : tensor<4xi8>, \
                f = [#a]} : () -> tensor<4xi8, #b>\n";
    let module = parsed(text);
    for (kind, count) in [(TableKind::Attributes, 10), (TableKind::Types, 3)] {
        let table = Table::new(&module, kind).unwrap();
        let ColumnValues::Texts { texts, .. } = &table.columns[1].values else { panic!() };
        assert!(table.row_count >= count);
        for row in 0..table.row_count as u32 {
            let expected = match kind {
                TableKind::Types => {
                    Type::of_file(module.tables(), TypeId::new(row)).unwrap().unwrap().to_string()
                }
                _ => Attribute::of_file(module.tables(), AttrId::new(row)).unwrap().unwrap().to_string(),
            };
            assert_eq!(texts.get(row), expected);
        }
    }
}

#[test]
fn each_table_asks_for_its_memory() {
    let module = Module::open("../../examples/two_layers.mlirbc").unwrap();
    for kind in KINDS {
        let account = TableAccount::new(&Limits { max_memory: Some(200), ..Limits::default() });
        let error = Table::of_file(&module, kind, "file", &account).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::MemoryLimit, "{kind:?}");
        let account = TableAccount::new(&Limits { max_text: Some(3), ..Limits::default() });
        let error = Table::of_file(&module, kind, "file", &account).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::TextLimit, "{kind:?}");
        let rows = Table::new(&module, kind).unwrap().row_count;
        assert!(rows > 0, "{kind:?}");
    }
}

#[test]
fn tables_of_several_files_share_an_account() {
    let module = Module::open("../../examples/two_layers.mlirbc").unwrap();
    let limits = Limits { max_memory: Some(64 << 10), ..Limits::default() };
    let mut account = TableAccount::new(&limits);
    let mut count = 0;
    let error = loop {
        account.admit(&module).unwrap();
        match Table::of_file(&module, TableKind::Operations, "file", &account) {
            Ok(_) => count += 1,
            Err(error) => break error,
        }
    };
    assert_eq!(error.kind(), ErrorKind::MemoryLimit);
    assert!((2..100).contains(&count), "{count}");
    assert_eq!(account.max_memory(), 64 << 10);
}

#[test]
fn bytes_that_are_not_text_are_escaped() {
    let account = Limits::default().table_budget(0);
    let mut texts = Texts::new(&account).unwrap();
    texts.push(&["é".as_bytes(), b"a\xff\xfeb", b""], &account).unwrap();
    texts.push(&[], &account).unwrap();
    assert_eq!((texts.len(), texts.get(0), texts.get(1)), (2, "éa\\udcff\\udcfeb", ""));
}

#[test]
fn a_bitmap_has_a_bit_for_each_row_with_a_value() {
    let account = Limits::default().table_budget(0);
    let validity = Validity::of(10, |row| row != 0 && row != 9, &account).unwrap();
    assert_eq!((validity.bits, validity.null_count), (vec![0xfe, 0x01], 2));
    assert!(Validity::of(10, |_| true, &account).unwrap().bits.is_empty());
}
