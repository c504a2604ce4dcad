//! Packs with encodings from `BytecodeBase.td`: a dialect with the 28 codes of ClangIR.

#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::path::Path;

use mlirbc::attr::FieldValue;
use mlirbc::limits::Limits;
use mlirbc::pack::{Pack, PackMaker, PackOptions, RowKind};
use mlirbc::parse::{ParseOptions, parse};
use mlirbc::{Attribute, Module, ReadOptions};

fn made(release: &str, extra: &str) -> String {
    let options = PackOptions {
        name: "codes".to_owned(),
        release: release.to_owned(),
        llvm: "llvm-22".to_owned(),
        ..PackOptions::default()
    };
    let mut maker = PackMaker::new(options).unwrap();
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/packs");
    for dump in ["codes.json", "codes-encodings.json"] {
        maker.add_dump(&std::fs::read(data.join(dump)).unwrap(), &Limits::default()).unwrap();
    }
    maker.add_extra(extra).unwrap();
    maker.finish()
}

fn opened(text: &str) -> Pack {
    Pack::from_bytes(text.as_bytes(), &Limits::default()).unwrap()
}

fn read(bytes: Vec<u8>, release: &str) -> Module {
    let options = ReadOptions::default().release(mlirbc::Release::named(release.to_owned()));
    Module::from_source(bytes.into(), &options).unwrap()
}

fn written(module: &Module) -> Vec<u8> {
    let mut bytes = Vec::new();
    module.write(&mut bytes, &Default::default()).unwrap();
    bytes
}

fn printed(module: &Module) -> String {
    let mut text = Vec::new();
    module.print(&mut text, &Default::default()).unwrap();
    String::from_utf8(text).unwrap()
}

/// A value of each attribute with a code, with what follows the code in its entry where that has no index.
const VALUES: [(&str, u64, &[u8]); 28] = [
    ("opt_info<level = 2, size = 1>", 0, &[5, 3]),
    // Signed numbers have their sign in the lowest bit.
    ("address_point<index = 3, offset = -1>", 1, &[13, 3]),
    ("cl.version<3, 0>", 2, &[13, 1]),
    ("block_addr_info<i32, @f, \"l\">", 3, &[]),
    ("bitfield_info<name = \"b\", storageType = i32, size = 4, offset = 28, isSigned = true>", 4, &[]),
    ("int<i32, 5>", 5, &[]),
    ("fp<type = f32, value = 1.500000e+00>", 6, &[]),
    ("bool<true>", 7, &[1]),
    ("ptr<i64, 0 : i64>", 8, &[]),
    ("all", 9, &[]),
    ("unwind", 10, &[]),
    ("zero<i32>", 11, &[]),
    ("undef<i32>", 12, &[]),
    ("poison<i32>", 13, &[]),
    ("const_array<tensor<4xi8>, \"ab\", 2>", 14, &[]),
    ("const_record<i32, [1 : i8, unit]>", 15, &[]),
    ("vtable<i32, []>", 16, &[]),
    ("block_addr_diff<i64, \"a\", \"b\", @f>", 17, &[]),
    ("cxx_ctor<i32, copy, trivial true>", 18, &[]),
    ("cxx_dtor<i32>", 19, &[]),
    ("cxx_assign<type = i32, assignKind = default, isTrivial = true>", 20, &[]),
    ("global_view<@g, [0 : i32] : i64>", 21, &[]),
    ("typeinfo<i32, [1 : i32]>", 22, &[]),
    (
        "dyn_cast_info<source = <@a : i64>, destination = <@b : i64>, runtime = @r, badCast = @c, hint = -1 : i64>",
        23,
        &[],
    ),
    ("const_vector<i32, [1 : i32]>", 24, &[]),
    ("const_complex<f32, 1.000000e+00 : f32, 0.000000e+00 : f32>", 25, &[]),
    ("data_member<i32>", 26, &[]),
    ("method<type = i32, symbol = @m, vtableOffset = 7>", 27, &[]),
];

#[test]
fn attributes_with_codes_are_read_and_written() {
    let pack = opened(&made("codes-values", ""));
    assert_eq!(pack.warnings(), []);
    assert_eq!(pack.names(RowKind::Encoding, 0).count(), 28);
    assert_eq!(pack.coverage(0).dialects["codes"].encodings, 28);
    pack.register().unwrap();
    let mut text = "module {\n".to_owned();
    for (value, code, bytes) in VALUES {
        let attribute = Attribute::parse(format!("#codes.{value}")).unwrap();
        assert!(!attribute.is_text(), "{value}");
        assert_eq!(attribute.to_text(None).unwrap(), format!("#codes.{value}"));
        let payload = attribute.payload();
        assert_eq!(u64::from(payload[0]), code * 2 + 1, "{value}");
        if !bytes.is_empty() {
            assert_eq!(&payload[1..], bytes, "{value}");
        }
        text += &format!("  codes.hold #codes.{value}\n");
    }
    text += "}\n";
    let options = ParseOptions::default().target(mlirbc::Release::named("codes-values"));
    let bytes = written(&parse(text.as_bytes(), &options).unwrap());
    let module = read(bytes.clone(), "codes-values");
    assert_eq!(printed(&module), text);
    assert_eq!(written(&module), bytes);
}

#[test]
fn values_have_fields_and_are_built_from_them() {
    opened(&made("codes-fields", "")).register().unwrap();
    let point = Attribute::build(
        "codes",
        "AddressPointAttr",
        &[("index", FieldValue::Signed(-4)), ("offset", FieldValue::Signed(9))],
    )
    .unwrap();
    assert_eq!(point.to_text(None).unwrap(), "#codes.address_point<index = -4, offset = 9>");
    assert_eq!(point.field("offset").unwrap(), Some(FieldValue::Signed(9)));
    // The encoding holds arrays only, so another text stays a text.
    assert!(Attribute::parse("#codes.typeinfo<i32, 5 : i32>").unwrap().is_text());
}

/// A reader that knows only older codes keeps the bytes of others.
#[test]
fn a_file_is_readable_without_the_pack() {
    opened(&made("codes-without", "")).register().unwrap();
    let options = ParseOptions::default().target(mlirbc::Release::named("codes-without"));
    let text = "module {\n  codes.hold #codes.opt_info<level = 2, size = 1>\n}\n";
    let bytes = written(&parse(text.as_bytes(), &options).unwrap());
    let unknown = ReadOptions::default().unknown_dialects(vec!["codes".to_owned()]);
    let module = Module::from_source(bytes.clone().into(), &unknown).unwrap();
    assert!(printed(&module).contains("codes.hold"));
    assert_eq!(written(&module), bytes);
}

#[test]
fn rows_of_encodings_are_checked() {
    let text = made("codes-checked", "");
    let with = |row: &str| opened(&format!("{text}{row}\n")).warnings().to_vec();
    for (row, reason) in [
        (
            r#"{"encoding":"codes.X","of":"attribute","code":5,"fields":[]}"#,
            "code 5 of attributes occurs twice",
        ),
        (r#"{"encoding":"codes.X","of":"attribute","code":5000,"fields":[]}"#, "not below 4096"),
        (r#"{"encoding":"codes.X","of":"frob","code":90,"fields":[]}"#, "unknown variant"),
        (r#"{"encoding":"codes.X","of":"attribute","code":90,"fields":["a: frob"]}"#, "unknown primitive"),
        (r#"{"encoding":"codes.X","of":"attribute","code":90,"fields":["a: int(b)"]}"#, "earlier field"),
        (
            r#"{"encoding":"codes.X","of":"attribute","code":90,"fields":["a: varint as dims"]}"#,
            "more than a name",
        ),
        (r#"{"encoding":"X","of":"attribute","code":90,"fields":[]}"#, "with a dot"),
    ] {
        let warnings = with(row);
        let warning = warnings.iter().find(|warning| warning.reason.contains("skipped")).expect(row);
        assert!(warning.reason.contains(reason), "{row}: {warning:?}");
        assert_eq!(warning.line as usize, text.lines().count() + 1);
    }
}
