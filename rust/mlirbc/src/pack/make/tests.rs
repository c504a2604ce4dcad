use super::*;
use crate::pack::Pack;
use crate::wire::error::ErrorKind;

fn options(release: &str) -> PackOptions {
    PackOptions {
        name: "toy".to_owned(),
        release: release.to_owned(),
        producers: vec!["Toy".to_owned()],
        llvm: "llvm-22".to_owned(),
        dialects: Vec::new(),
    }
}

/// The records of `Toy.td` that a pack needs.
fn toy() -> String {
    let path = format!("{}/../../tests/data/packs/toy.json", env!("CARGO_MANIFEST_DIR"));
    let mut maker = PackMaker::new(options("toy-make")).unwrap();
    maker.add_dump(&std::fs::read(path).unwrap(), &Limits::default()).unwrap();
    maker.finish()
}

fn row(text: &str, start: &str) -> Json {
    let line = text.lines().find(|line| line.starts_with(start)).unwrap_or_else(|| panic!("no {start}"));
    serde_json::from_str(line).unwrap()
}

#[test]
fn rows_follow_from_records() {
    let text = toy();
    let pack = Pack::from_bytes(text.as_bytes(), &Limits::default()).unwrap();
    assert_eq!(pack.warnings(), []);
    let names: Vec<&str> = pack.names(RowKind::Operation, 0).collect();
    assert_eq!(names, ["toy.done", "toy.odd", "toy.open", "toy.pack", "toy.region", "toy.sum"]);
    let open = row(&text, r#"{"op":"toy.open""#);
    assert_eq!(open["attributes"][0], json!(["mode", "Toy_ModeAttr", {"default": "#toy.mode<safe>"}]));
    assert_eq!(open["at"], "Toy.td:41");
    // C++ classes of operations are names.
    let region = row(&text, r#"{"op":"toy.region""#);
    assert_eq!(region["traits"][1], json!(["SingleBlockImplicitTerminator", "toy.done"]));
    assert_eq!(row(&text, r#"{"op":"toy.done""#)["traits"][1], json!(["HasParent", "toy.region"]));
    let sum = row(&text, r#"{"layout":"toy.sum""#);
    let kinds: Vec<&Json> =
        sum["properties"].as_array().unwrap().iter().map(|field| &field["kind"]).collect();
    assert_eq!(kinds, ["optional_attr", "int", "segment_sizes"]);
    assert_eq!(row(&text, r#"{"type":"toy.box""#)["format"], json!(["`<", "$element", "`>"]));
}

// A summary of LLVM says what its predicate checks; a project writes one for people.
#[test]
fn summaries_of_projects_are_notes() {
    let text = toy();
    assert_eq!(row(&text, r#"{"constraint":"I32""#)["summary"], "32-bit signless integer");
    let small = row(&text, r#"{"constraint":"Toy_Small""#);
    assert_eq!((&small["note"], small.get("summary")), (&json!("1-bit signless integer"), None));
}

#[test]
fn coverage_counts_by_dialect() {
    let pack = Pack::from_bytes(toy().as_bytes(), &Limits::default()).unwrap();
    let coverage = pack.coverage(0);
    let toy = coverage.dialects["toy"];
    assert_eq!((toy.operations, toy.declarative, toy.unknown_forms(), toy.layouts), (6, 5, 1, 6));
    assert_eq!(coverage.missing, ["toy.odd: the custom form is C++"]);
    assert_eq!(pack.coverage(7).dialects.len(), 0);
}

#[test]
fn dialects_of_llvm_are_left_out_unless_they_are_named() {
    let dump = br#"{"A": {"!superclasses": ["Dialect"], "name": "arith"},
        "Op": {"!superclasses": ["Op"], "opName": "x", "opDialect": {"def": "A"}}}"#;
    let has_row = |dialects: &[&str]| {
        let dialects = dialects.iter().map(|name| (*name).to_owned()).collect();
        let mut maker = PackMaker::new(PackOptions { dialects, ..options("toy-own") }).unwrap();
        maker.add_dump(dump, &Limits::default()).unwrap();
        maker.finish().contains("arith.x")
    };
    assert!(!has_row(&[]) && has_row(&["arith"]));
}

#[test]
fn circles_of_records_end() {
    let dump = br#"{"D": {"!superclasses": ["Dialect"], "name": "c"},
        "T": {"!superclasses": ["TraitList"], "traits": [{"def": "T"}]},
        "V": {"!superclasses": ["TypeConstraint", "Variadic", "OpVariable"], "baseType": {"def": "V"}, "constraint": {"def": "V"}},
        "A": {"!superclasses": ["Attr", "OptionalAttr"], "baseAttr": {"def": "A"}},
        "Op": {"!superclasses": ["Op"], "opName": "x", "opDialect": {"def": "D"}, "traits": [{"def": "T"}],
            "arguments": {"args": [[{"def": "V"}, "v"], [{"def": "A"}, "a"], [{"def": "gone"}, "b"]]}}}"#;
    let mut maker = PackMaker::new(options("toy-circle")).unwrap();
    maker.add_dump(dump, &Limits::default()).unwrap();
    assert!(Pack::from_bytes(maker.finish().as_bytes(), &Limits::default()).unwrap().warnings().is_empty());
}

#[test]
fn options_are_checked() {
    let error = PackMaker::new(PackOptions { llvm: "llvm-1".to_owned(), ..options("toy-2") }).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Pack);
    assert_eq!(PackMaker::new(options("llvm-22")).unwrap_err().kind(), ErrorKind::Pack);
}
