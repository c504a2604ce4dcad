use super::*;
use crate::wire::error::ErrorKind;
use crate::wire::version::BytecodeVersion;

fn schema(op: &str) -> String {
    format!(
        r#"{{"format": "mlirbc-properties/1", "release": "r", "version": "1", "producers": [],
        "ops": {{"t.good": {{}},
        "t.op": {op}}}}}"#
    )
}

fn refused(op: &str) -> String {
    let error = PropertySchema::from_json(&schema(op)).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::PropertySchema);
    error.to_string()
}

fn refused_field(field: &str) -> String {
    refused(&format!(r#"{{"properties": [{{"name": "good", "kind": "string"}}, {field}]}}"#))
}

#[test]
fn a_bad_schema_says_where() {
    let text = refused(r#"{"property": []}"#);
    assert!(text.contains("unknown field `property`") && text.contains("(op `t.op`, line 3"), "{text}");
    let text = refused_field(r#"{"name": "x", "kind": "attr"}"#);
    assert!(text.contains("missing field `class` (field `x` of `t.op`, line 3"), "{text}");
    for (field, complaint) in [
        (r#"{"name": "x", "kind": "attr", "class": 3}"#, "expected a string"),
        (r#"{"name": "x", "kind": "segment_sizes", "count": 2}"#, "missing field `v5_index`"),
        (r#"{"name": "x", "kind": "segment_sizes", "count": 9999, "v5_index": 0}"#, "at most 4096"),
        (r#"{"name": "x", "kind": "int"}"#, "missing field `bits`"),
        (r#"{"name": "x", "kind": "int", "bits": 65}"#, "between 1 and 64"),
        (r#"{"name": "x", "kind": "array"}"#, "missing field `inner`"),
        (r#"{"name": "x", "kind": "optional", "inner": {"kind": "int"}}"#, "missing field `bits`"),
        (r#"{"name": "x", "kind": "bool", "as": "text"}"#, "unknown value `text` of `as`"),
        (r#"{"name": "x", "kind": "bool", "default": false}"#, "a string or `true`"),
    ] {
        let text = refused_field(field);
        assert!(text.contains(complaint) && text.contains("field `x` of `t.op`"), "{text}");
    }
    assert!(refused_field(r#"{"name": "good", "kind": "string"}"#).contains("two fields `good`"));
    let far = r#"{"name": "x", "kind": "segment_sizes", "count": 1, "v5_index": 2}"#;
    assert!(refused_field(far).contains("past the last field"));
    assert!(refused(r#"{}, "t.op": {}"#).contains("`t.op` occurs twice"));
    assert!(refused("{").contains("line 3"));
    let newer = schema("{}").replace("properties/1", "properties/2");
    assert!(PropertySchema::from_json(&newer).unwrap_err().to_string().contains("properties/2` is not"));
}

#[test]
fn segment_sizes_of_version_5_stand_among_the_names() {
    let op = r#"{"properties": [
        {"name": "Battr", "kind": "attr", "class": "Attribute"},
        {"name": "operand_t", "kind": "attr", "class": "Attribute"},
        {"name": "q_attr", "kind": "attr", "class": "Attribute"},
        {"name": "zattr", "kind": "attr", "class": "Attribute"},
        {"name": "native", "kind": "bool"},
        {"name": "operandSegmentSizes", "kind": "segment_sizes", "count": 2, "v5_index": 1},
        {"name": "resultSegmentSizes", "kind": "segment_sizes", "count": 2, "v5_index": 4}
    ]}"#;
    let schema = PropertySchema::from_json(&schema(op)).unwrap();
    let names = |version| {
        let op = schema.op(b"t.op").unwrap();
        let names = op.wire(BytecodeVersion::new(version).unwrap()).map(|field| field.name().to_owned());
        names.collect::<Vec<_>>().join(" ")
    };
    let five = "Battr operandSegmentSizes operand_t q_attr resultSegmentSizes zattr native";
    assert_eq!(names(5), five);
    let six = "Battr operand_t q_attr zattr native operandSegmentSizes resultSegmentSizes";
    assert_eq!(names(6), six);
}

#[test]
fn classes_explain_names() {
    let text = r#"{"format": "mlirbc-properties/1", "release": "r", "version": "1", "producers": [],
        "ops": {"t.op": {"properties": [
            {"name": "a", "kind": "attr", "class": "T::AAttr"},
            {"name": "b", "kind": "attr", "class": "T::BAttr"},
            {"name": "c", "kind": "attr", "class": "T::CAttr"}]}},
        "attribute_classes": {
            "T::AAttr": {"name": "t.a"}, "T::BAttr": {"base": "IntegerAttr", "value_type": "i32"}}}"#;
    let schema = PropertySchema::from_json(text).unwrap();
    let class = |name| match &schema.op(b"t.op").unwrap().field(name).unwrap().kind {
        Kind::Attribute { class, .. } => class.clone(),
        _ => panic!(),
    };
    assert_eq!(class("a"), Class::of_dialect("t.a").unwrap());
    assert_eq!(class("b"), Class::new("IntegerAttr", Some("i32"), &DialectClasses::none()));
    assert_eq!(class("c"), Class::Any);
}
