use super::*;
use std::sync::Arc;

use proptest::prelude::*;

use crate::dialect::DialectTable;
use crate::dialect::entries::RawEntry;
use crate::dialect::registry;
use crate::props::PropertySchema;
use crate::test_module::hex;

/// Entries, each with its dialect: bytes in hexadecimal, or text if they start with a quote.
struct Table {
    attributes: Vec<(&'static str, bool, Vec<u8>)>,
    types: Vec<(&'static str, bool, Vec<u8>)>,
    builtin: Arc<DialectTable>,
}

const STRINGS: &[&[u8]] =
    &[b"operandSegmentSizes", b"callee", b"other", b"operand_segment_sizes", b"4", b"5", b"6"];

impl Table {
    fn new(attributes: &[(&'static str, &str)], types: &[&str]) -> Self {
        let entry = |dialect, text: &str| match text.strip_prefix('\'') {
            Some(text) => (dialect, true, [text.as_bytes(), &[0]].concat()),
            None => (dialect, false, hex(text)),
        };
        Self {
            attributes: attributes.iter().map(|&(dialect, text)| entry(dialect, text)).collect(),
            types: types.iter().map(|text| entry("builtin", text)).collect(),
            builtin: registry::builtin(),
        }
    }
}

impl Entries for Table {
    fn bounds(&self) -> Bounds {
        Bounds {
            attributes: self.attributes.len() as u32,
            types: self.types.len() as u32,
            strings: STRINGS.len() as u32,
            resources: 0,
        }
    }

    fn entry(&self, entry_ref: EntryRef) -> Option<RawEntry<'_>> {
        let (dialect, is_text, data) = match entry_ref {
            EntryRef::Attribute(index) => self.attributes.get(index.index())?,
            EntryRef::Type(index) => self.types.get(index.index())?,
        };
        let table = (*dialect == "builtin").then_some(&*self.builtin);
        Some(RawEntry { dialect: dialect.as_bytes(), table, is_text: *is_text, data, offset: 0 })
    }

    fn string(&self, index: u32) -> &[u8] {
        STRINGS.get(index as usize).copied().unwrap_or_default()
    }

    fn resource_key(&self, _: u32) -> &[u8] {
        &[]
    }

    fn table(&self, dialect: &[u8]) -> Option<&DialectTable> {
        (dialect == b"builtin").then_some(&*self.builtin)
    }

    fn builtin(&self) -> &DialectTable {
        &self.builtin
    }
}

// `"4"`, `7 : i32`, `7 : i64`, `array<i32: 2, 1>`, `#arith.fastmath<none>`, `[1 : i32]`, `"callee"`, a symbol.
fn table() -> Table {
    let attributes = [
        ("builtin", "05 09"),
        ("builtin", "11 01 1d"),
        ("builtin", "11 03 1d"),
        ("builtin", "23 01 05 11 02000000 01000000"),
        ("arith", "'#arith.fastmath<none>"),
        ("builtin", "01 03 03"),
        ("builtin", "05 03"),
        ("builtin", "09 01"),
        ("builtin", "05 01"),
        ("builtin", "05 05"),
        ("builtin", "03 07 0d 0f 11 07 13 01"),
    ];
    Table::new(&attributes, &["01 02 02", "01 02 04"])
}

fn schema(fields: &str) -> Arc<PropertySchema> {
    let text = format!(
        r#"{{"format": "mlirbc-properties/1", "release": "r", "version": "1", "producers": [],
            "attribute_classes": {{"arith::FastMathFlagsAttr": {{"name": "arith.fastmath"}},
                "arith::OtherAttr": {{"name": "arith.other"}}, "x::EnumAttr": {{"base": "IntegerAttr",
                "value_type": "i64"}}}},
            "ops": {{"t.op": {{"properties": [{fields}]}}}}}}"#
    );
    PropertySchema::from_json(&text).unwrap()
}

fn version(number: u64) -> BytecodeVersion {
    BytecodeVersion::new(number).unwrap()
}

fn values(fields: &str, number: u64, blob: &str) -> Result<Vec<PropertyValue>> {
    let schema = schema(fields);
    let op = schema.op(b"t.op").unwrap();
    let mut out = Vec::new();
    decode(op, version(number), &hex(blob), 100, &table(), &mut out)?;
    assert_eq!(op.encode(version(number), &out).unwrap(), hex(blob), "{out:?}");
    Ok(out.into_iter().map(|property| property.value).collect())
}

fn refused(fields: &str, number: u64, blob: &str) -> (String, u64) {
    let schema = schema(fields);
    let mut out = Vec::new();
    let op = schema.op(b"t.op").unwrap();
    let error = decode(op, version(number), &hex(blob), 100, &table(), &mut out).unwrap_err();
    assert_eq!((error.kind(), error.section()), (ErrorKind::PropertyBlob, Some(SectionId::Properties)));
    assert!(out.is_empty());
    (error.to_string(), error.offset().unwrap())
}

fn attribute(class: &str) -> String {
    format!(r#"{{"name": "x", "kind": "attr", "class": {class}}}"#)
}

fn segments(count: u32) -> String {
    format!(
        r#"{{"name": "operandSegmentSizes", "kind": "segment_sizes", "count": {count}, "v5_index": 0,
            "old_name": "operand_segment_sizes"}}"#
    )
}

#[test]
fn natives_of_the_test_dialect() {
    use PropertyValue::{Array, Attribute, Bool, Int, String};
    let fields = r#"{"name": "b", "kind": "attr", "class": "StringAttr"}, {"name": "a", "kind": "int", "bits": 64},
            {"name": "c", "kind": "string"}, {"name": "flag", "kind": "bool"},
            {"name": "array", "kind": "array", "inner": {"kind": "int", "bits": 64, "signed": true}},
            {"name": "array32", "kind": "array", "inner": {"kind": "int", "bits": 32, "signed": true}}"#;
    let ints = |values: &[i64]| Array(values.iter().copied().map(Int).collect());
    let got = values(fields, 6, "0d 41 0d 01 09 03 05 07 09 05 0b 0d").unwrap();
    assert_eq!(
        got,
        [Attribute(AttrId::new(6)), Int(32), String(6), Bool(true), ints(&[1, 2, 3, 4]), ints(&[5, 6])]
    );
}

#[test]
fn integers_are_extended_to_64_bits() {
    let field = r#"{"name": "x", "kind": "int", "bits": 32, "signed": true}"#;
    assert_eq!(values(field, 6, "00 fb ff ff ff ff ff ff ff").unwrap(), [PropertyValue::Int(-5)]);
    assert!(
        refused(field, 6, "00 fb ff ff ff 00 00 00 00").0.contains("an integer of 32 bits for `x` of t.op")
    );
    let field = r#"{"name": "x", "kind": "enum", "bits": 8}"#;
    assert_eq!(values(field, 6, "fe 03").unwrap(), [PropertyValue::Int(255)]);
    assert_eq!(refused(field, 6, "02 04").1, 100);
}

#[test]
fn optionals_nest() {
    let field = r#"{"name": "x", "kind": "optional",
            "inner": {"kind": "optional", "inner": {"kind": "int", "bits": 64}}}"#;
    let optional = |value| PropertyValue::Optional(value);
    assert_eq!(values(field, 6, "00").unwrap(), [optional(None)]);
    assert_eq!(values(field, 6, "01 00").unwrap(), [optional(Some(Box::new(optional(None))))]);
    let deep = optional(Some(Box::new(optional(Some(Box::new(PropertyValue::Int(7)))))));
    assert_eq!(values(field, 6, "01 01 0f").unwrap(), [deep]);
    assert!(refused(field, 6, "02").0.contains("expected a bool for `x` of t.op, found `2`, at 0x64"));
}

#[test]
fn segment_sizes_of_version_6() {
    for (sizes, blob) in [
        (&[1, 0, 7][..], "0d 03 01 0f"),
        (&[0, 0, 3, 0], "07 05 1d"),
        (&[3, 0, 0, 0], "07 01 07"),
        (&[0, 0], "03"),
        (&[2, 1], "09 05 03"),
        (&[5], "05 0b"),
    ] {
        let got = values(&segments(sizes.len() as u32), 6, blob).unwrap();
        assert_eq!(got, [PropertyValue::Segments(sizes.to_vec())], "{blob}");
    }
}

#[test]
fn segment_sizes_that_are_refused() {
    assert!(refused(&segments(2), 6, "0d 03 01 0f").0.contains("at most `2` sizes"));
    assert!(refused(&segments(2), 6, "07 13 07").0.contains("at most `8` bits"));
    assert!(refused(&segments(3), 6, "07 05 1f").0.contains("a segment below `3`"));
    assert!(refused(&segments(1), 6, "05 00 ff ff ff ff 00 00 00 00").0.contains("31 bits"));
    // Fewer sizes than declared are accepted; the missing sizes are 0.
    let schema = schema(&segments(3));
    let mut out = Vec::new();
    decode(schema.op(b"t.op").unwrap(), version(6), &hex("05 0b"), 0, &table(), &mut out).unwrap();
    assert_eq!(out[0].value, PropertyValue::Segments(vec![5, 0, 0]));
}

#[test]
fn segment_sizes_of_version_5_are_an_attribute() {
    let got = values(&segments(2), 5, "07").unwrap();
    assert_eq!(got, [PropertyValue::Attribute(AttrId::new(3))]);
    assert_eq!(segment_sizes(&got[0], &table()), Some(vec![2, 1]));
    assert_eq!(segment_sizes(&PropertyValue::Attribute(AttrId::new(1)), &table()), None);
    assert!(refused(&segments(1), 5, "07").0.contains("at most `1` sizes"));
    assert!(refused(&segments(2), 5, "05").0.contains("sizes of i32 for `operandSegmentSizes` of t.op"));
}

#[test]
fn attributes_have_their_class() {
    for (class, good, bad) in [
        (r#""StringAttr""#, "01", "03"),
        (r#""IntegerAttr", "value_type": "i32""#, "03", "05"),
        (r#""IntegerAttr", "value_type": "si32""#, "", "03"),
        (r#""IntegerAttr""#, "05", "01"),
        (r#""BoolAttr""#, "", "03"),
        (r#""x::EnumAttr""#, "05", "03"),
        (r#""DenseI32ArrayAttr""#, "07", "03"),
        (r#""DenseI64ArrayAttr""#, "", "07"),
        (r#""arith::FastMathFlagsAttr""#, "09", "01"),
        (r#""arith::OtherAttr""#, "", "09"),
        (r#""x::UnknownAttr""#, "09", ""),
        (r#""ArrayAttr", "element": "IntegerAttr", "element_value_type": "i32""#, "0b", "01"),
        (r#""ArrayAttr", "element": "StringAttr""#, "", "0b"),
        (r#""Attribute", "one_of": ["StringAttr", "arith::FastMathFlagsAttr"]"#, "09", "03"),
        (r#""FlatSymbolRefAttr""#, "0f", "01"),
        (r#""SymbolRefAttr""#, "0f", "01"),
        (r#""ElementsAttr""#, "", "03"),
        // The answers of mlir-opt 16, 19 and 22 to a dense array in `tosa.const`.
        (r#""ElementsAttr""#, "", "07"),
        (r#""TypedAttr""#, "03", "0b"),
        (r#""LocationAttr""#, "", "01"),
        (r#""Attribute""#, "07", "17"),
    ] {
        if !good.is_empty() {
            values(&attribute(class), 6, good).unwrap();
        }
        if !bad.is_empty() {
            assert!(refused(&attribute(class), 6, bad).0.contains("for `x` of t.op"), "{class}");
        }
    }
    let text = refused(&attribute(r#""StringAttr""#), 6, "09").0;
    assert!(
        text.starts_with("expected a StringAttr for `x` of t.op, found `#arith.fastmath<none>`, at 0x64")
    );
}

#[test]
fn a_blob_is_used_up() {
    let (text, offset) = refused(&attribute(r#""StringAttr""#), 6, "01 01");
    assert!(text.contains("the end of the properties of t.op, found 1 more byte"), "{text}");
    assert_eq!(offset, 101);
    assert_eq!(refused(&attribute(r#""StringAttr""#), 6, "").1, 100);
}

#[test]
fn missing_values_are_refused() {
    let schema = schema(&segments(2));
    let op = schema.op(b"t.op").unwrap();
    let field = op.field("operandSegmentSizes").unwrap();
    for value in
        [PropertyValue::Segments(vec![1]), PropertyValue::Attribute(AttrId::new(0)), PropertyValue::Absent]
    {
        let error = op.encode(version(6), &[Property::new(field, value)]).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Value);
    }
    assert_eq!(op.encode(version(5), &[]).unwrap_err().kind(), ErrorKind::Value);
}

#[test]
fn dictionaries_are_divided() {
    let fields = format!(
        r#"{}, {{"name": "callee", "kind": "attr", "class": "StringAttr"}},
            {{"name": "other", "kind": "bool", "in_dictionary": false}}"#,
        segments(2)
    );
    let schema = schema(&fields);
    let op = schema.op(b"t.op").unwrap();
    let (mut inherent, mut discardable) = (Vec::new(), Vec::new());
    op.absent(&mut inherent);
    split(Some(op), AttrId::new(10), &table(), &mut inherent, &mut discardable).unwrap();
    let got: Vec<_> = inherent.iter().map(|property| property.value.clone()).collect();
    use PropertyValue::{Absent, Attribute};
    assert_eq!(got, [Attribute(AttrId::new(3)), Attribute(AttrId::new(7)), Absent]);
    assert_eq!(discardable, [(9, 0)]); // natives are never in a dictionary
    discardable.clear();
    split(None, AttrId::new(10), &table(), &mut [], &mut discardable).unwrap();
    assert_eq!(discardable.len(), 3);
}

fn any_segments() -> impl Strategy<Value = Vec<i32>> {
    prop_oneof![
        proptest::collection::vec(0_i32.., 1..20),
        proptest::collection::vec(prop_oneof![9 => Just(0), 1 => 0_i32..], 1..300),
    ]
}

proptest! {
    #[test]
    fn segments_round_trip(sizes in any_segments()) {
        let schema = schema(&segments(sizes.len() as u32));
        let op = schema.op(b"t.op").unwrap();
        let field = op.field("operandSegmentSizes").unwrap();
        let value = Property::new(field, PropertyValue::Segments(sizes));
        let blob = op.encode(version(6), std::slice::from_ref(&value)).unwrap();
        let mut out = Vec::new();
        decode(op, version(6), &blob, 0, &table(), &mut out).unwrap();
        prop_assert_eq!(&out, &[value]);
    }

    #[test]
    fn natives_round_trip(small: i8, large: i64, flag: bool, list: Vec<i16>, maybe: Option<u8>, index in 0_u32..7) {
        use PropertyValue::{Array, Bool, Int, Optional, String};
        let schema = schema(r#"{"name": "small", "kind": "int", "bits": 8, "signed": true},
                {"name": "large", "kind": "int", "bits": 64, "signed": true}, {"name": "flag", "kind": "bool"},
                {"name": "list", "kind": "array", "inner": {"kind": "int", "bits": 16, "signed": true}},
                {"name": "maybe", "kind": "optional", "inner": {"kind": "enum", "bits": 8}},
                {"name": "text", "kind": "string"}"#);
        let op = schema.op(b"t.op").unwrap();
        let values = [
            Int(small.into()),
            Int(large),
            Bool(flag),
            Array(list.into_iter().map(|value| Int(value.into())).collect()),
            Optional(maybe.map(|value| Box::new(Int(value.into())))),
            String(index),
        ];
        let values: Vec<_> =
            op.fields().zip(values).map(|(field, value)| Property::new(field, value)).collect();
        let blob = op.encode(version(6), &values).unwrap();
        let mut out = Vec::new();
        decode(op, version(6), &blob, 0, &table(), &mut out).unwrap();
        prop_assert_eq!(out, values);
    }

    #[test]
    fn any_bytes_are_decoded_or_refused(blob: Vec<u8>, release in 0_usize..2, row in 0_usize..1900) {
        let schema = PropertySchema::shipped(["llvm-19", "llvm-22"][release]).unwrap();
        let op = schema.ops().nth(row).unwrap();
        for version in [5, 6].map(version) {
            let mut out = Vec::new();
            if decode(op, version, &blob, 0, &table(), &mut out).is_ok() {
                op.encode(version, &out).unwrap();
            }
        }
    }
}
