use super::*;
use crate::wire::error::ErrorKind;

const HEADER: &str = r#"{"format":"mlirbc-pack/1","name":"t","releases":[{"name":"NAME","llvm":"llvm-22"}]}"#;

fn header(name: &str) -> String {
    HEADER.replace("NAME", name)
}

fn read(rows: &str) -> Pack {
    Pack::from_bytes(format!("{}\n{rows}", header("t-1")).as_bytes(), &Limits::default()).unwrap()
}

fn refused(text: &str) -> Error {
    Pack::from_bytes(text.as_bytes(), &Limits::default()).unwrap_err()
}

#[test]
fn a_bad_row_is_skipped_with_its_line() {
    for (row, reason) in [
        ("{", "not JSON at column 1: EOF"),
        ("3", "expected an object"),
        (r#"{"op":3}"#, "is no text"),
        (r#"{"op":"t"}"#, "with a dot"),
        (r#"{"op":"t. a"}"#, "with a dot"),
        (r#"{"op":"t.a","unknown":1}"#, "unknown field"),
        (r#"{"op":"t.a","operands":[["a","A"]],"format":["$a",3]}"#, "no element"),
        (r#"{"op":"t.a","operands":[["a","A"]],"format":["$b"]}"#, "the format names `$b`"),
        (r#"{"op":"t.a","operands":[["a","Frob"]]}"#, "the constraint `Frob` of `a`"),
        (r#"{"attribute":"t.a","format":["$b"]}"#, "the format names `$b`"),
        (r#"{"op":"t.a","traits":[["TypesMatchWith","a","b","[[[["]]}"#, "not JSON"),
        (r#"{"op":"t.a","in":[1]}"#, "no release 1"),
        (r#"{"op":"t.a","in":"x"}"#, "list of places"),
        (r#"{"layout":"t.a","properties":[{"name":"x","kind":"frob"}]}"#, "unknown variant"),
        (r#"{"layout":"t.a","properties":[{"name":"x","kind":"int","bits":65}]}"#, "between 1 and 64"),
        (r#"{"constraint":"B","text":3}"#, "expected a string"),
    ] {
        let good = "{\"op\":\"t.good\"}";
        let pack = read(&format!("{good}\n{row}\n{{\"op\":\"t.last\"}}\n{{\"constraint\":\"A\"}}"));
        assert_eq!(pack.names(RowKind::Operation, 0).collect::<Vec<_>>(), ["t.good", "t.last"], "{row}");
        let [warning] = pack.warnings() else { panic!("{row}: {:?}", pack.warnings()) };
        assert!(warning.line == 3 && warning.reason.contains(reason), "{row}: {warning:?}");
    }
    let twice = read("{\"op\":\"t.a\"}\n{\"op\":\"t.a\"}");
    assert!(twice.warnings()[0].reason.contains("already"));
    let long = read(&format!(r#"{{"op":"t.a","summary":"{}"}}"#, "x".repeat(2 << 20)));
    assert!(long.warnings()[0].reason.contains("longer"));
    // Rows of later versions.
    assert!(read(r#"{"flourish":"t.a"}"#).warnings().is_empty());
}

#[test]
fn a_bad_header_is_an_error() {
    for (text, reason) in [
        ("", "not the header"),
        ("[]", "not the header"),
        (r#"{"format":"mlirbc-pack/2","name":"t","releases":[]}"#, "this version reads"),
        (r#"{"format":"mlirbc-pack/1","name":"t","releases":[]}"#, "between 1 and 64"),
        (&header("llvm-22"), "another name"),
        (&header("a b"), "is not letters"),
        (&header("t-1").replace("llvm-22", "llvm-7"), "no known one of LLVM; those are `llvm-"),
        (&header("t-1").replace("llvm-22", "stablehlo-1.20"), "no known one of LLVM"),
        (
            &header("t-1").replace("}]}", "},{\"name\":\"t-1\",\"llvm\":\"llvm-22\"}]}"),
            "two releases of the pack are named `t-1`",
        ),
    ] {
        let error = refused(text);
        assert!(error.kind() == ErrorKind::Pack && error.to_string().contains(reason), "{text}: {error}");
    }
    let error = Pack::from_bytes(b"\xff", &Limits::default()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Pack);
}

#[test]
fn a_pack_may_be_compressed() {
    use std::io::Write;
    let text = format!("{}\n{{\"op\":\"t.a\"}}\n", header("t-1"));
    let mut writer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    writer.write_all(text.as_bytes()).unwrap();
    let bytes = writer.finish().unwrap();
    assert!(is_pack(&bytes) && is_pack(text.as_bytes()) && !is_pack(b"dialect = \"t\""));
    assert_eq!(Pack::from_bytes(&bytes, &Limits::default()).unwrap().names(RowKind::Operation, 0).count(), 1);
    let small = Limits { max_decompressed: Some(20), ..Limits::default() };
    assert_eq!(Pack::from_bytes(&bytes, &small).unwrap_err().kind(), ErrorKind::DecompressedLimit);
    assert_eq!(Pack::from_bytes(&bytes[..30], &Limits::default()).unwrap_err().kind(), ErrorKind::Pack);
}

#[test]
fn memory_is_limited() {
    let text = format!("{}\n{}", header("t-1"), "{\"op\":\"t.a\"}\n".repeat(1000));
    let small = Limits { max_memory: Some(1000), ..Limits::default() };
    assert_eq!(Pack::from_bytes(text.as_bytes(), &small).unwrap_err().kind(), ErrorKind::MemoryLimit);
}

#[test]
fn rows_belong_to_releases() {
    let releases = r#"[{"name":"two-1","llvm":"llvm-19"},{"name":"two-2","llvm":"llvm-22"}]"#;
    let text = format!(
        "{{\"format\":\"mlirbc-pack/1\",\"name\":\"two\",\"releases\":{releases}}}\n{}",
        "{\"op\":\"two.a\",\"in\":[0],\"summary\":\"old\"}\n{\"op\":\"two.a\",\"in\":[1],\"summary\":\"new\"}\n{\"op\":\"two.b\"}"
    );
    let pack = Pack::from_bytes(text.as_bytes(), &Limits::default()).unwrap();
    assert_eq!(pack.warnings(), []);
    assert_eq!(pack.register().unwrap(), ["two-1", "two-2"]);
    let summary = |release: &str| {
        OperationDefinitions::named(release).unwrap().get("two.a").unwrap().summary().to_owned()
    };
    assert_eq!((&*summary("two-1"), &*summary("two-2")), ("old", "new"));
    assert!(OperationDefinitions::named("two-1").unwrap().get("two.b").is_some());
    // The release of LLVM defines the other operations.
    assert!(OperationDefinitions::named("two-1").unwrap().get("arith.addi").is_some());
}

#[test]
fn packs_are_compared() {
    let first = read("{\"op\":\"t.a\",\"at\":\"x:1\"}\n{\"op\":\"t.b\",\"summary\":\"s\"}\n{\"op\":\"t.c\"}");
    let second =
        read("{\"op\":\"t.a\",\"at\":\"x:2\"}\n{\"op\":\"t.b\",\"summary\":\"r\"}\n{\"op\":\"t.d\"}");
    let differences = first.differences(&second);
    let rows: Vec<_> =
        differences.iter().map(|one| (&*one.name, one.is_in_first, one.is_in_second)).collect();
    assert_eq!(rows, [("t.b", true, true), ("t.c", true, false), ("t.d", false, true)]);
    assert_eq!(differences[0].keys, ["summary"]);
}

#[test]
fn each_release_of_a_row_costs_memory() {
    let releases = (0..64).map(|place| format!(r#"{{"name":"many-{place}","llvm":"llvm-22"}}"#));
    let header = format!(
        r#"{{"format":"mlirbc-pack/1","name":"many","releases":[{}]}}"#,
        releases.collect::<Vec<_>>().join(",")
    );
    let text = format!("{header}\n{{\"op\":\"many.a\",\"summary\":\"{}\"}}", "x".repeat(1000));
    let limits = |max_memory| Limits { max_memory: Some(max_memory), ..Limits::default() };
    let read = |max_memory| Pack::from_bytes(text.as_bytes(), &limits(max_memory));
    assert_eq!(read(100_000).unwrap_err().kind(), ErrorKind::MemoryLimit);
    assert_eq!(read(1_000_000).unwrap().names(RowKind::Operation, 63).count(), 1);
}

/// A reader has the operation registered, and takes an attribute in place of its properties for something else.
#[test]
fn an_operation_without_a_layout_is_registered() {
    let text = format!("{}\n{{\"op\":\"bare.a\",\"attributes\":[[\"x\",\"I32Attr\"]]}}", header("bare-1"));
    let pack = Pack::from_bytes(text.as_bytes(), &Limits::default()).unwrap();
    pack.register().unwrap();
    let schema = crate::props::registry::Schemas::snapshot(&[]).find("bare-1").unwrap();
    assert!(schema.op(b"bare.a").unwrap().is_opaque());
}

#[test]
fn doubts_about_the_whole_pack_are_warnings() {
    let warning = |header: &str| {
        let text = format!("{header}\n{{\"op\":\"t.a\"}}\n");
        let pack = Pack::from_bytes(text.as_bytes(), &Limits::default()).unwrap();
        pack.warnings().first().map(|warning| warning.reason.clone()).unwrap_or_default()
    };
    let producer = |producer: &str| {
        warning(&header("t-1").replace("\"llvm\"", &format!("\"producers\":[\"{producer}\"],\"llvm\"")))
    };
    assert!(producer("MLIR22").contains("does not select files of `MLIR"));
    assert_eq!((producer("MLIR22."), producer("Toy")), (String::new(), String::new()));
    let rows =
        |rows: u64| warning(&header("t-1").replace("\"releases\"", &format!("\"rows\":{rows},\"releases\"")));
    assert!(rows(2).contains("states 2 rows, and the pack has 1"));
    assert_eq!(rows(1), "");
}
