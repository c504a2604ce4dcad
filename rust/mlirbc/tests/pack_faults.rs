//! Packs from strangers: damaged, contradictory and circular ones end in warnings or errors, and modules stay readable.

#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::io::Write;

use mlirbc::limits::Limits;
use mlirbc::pack::Pack;
use mlirbc::parse::{ParseOptions, parse};
use mlirbc::{ErrorKind, Module, ReadOptions};

fn header(name: &str, llvm: &str) -> String {
    format!(
        r#"{{"format":"mlirbc-pack/1","name":"{name}","releases":[{{"name":"{name}-1","llvm":"{llvm}"}}]}}"#
    )
}

fn opened(text: &str) -> Pack {
    Pack::from_bytes(text.as_bytes(), &Limits::default()).unwrap()
}

fn register(name: &str, rows: &str) -> Pack {
    let pack = opened(&format!("{}\n{rows}\n", header(name, "llvm-22")));
    assert_eq!(pack.warnings(), [], "{name}");
    pack.register().unwrap();
    pack
}

fn assembled(text: &str, release: &str) -> mlirbc::Result<Vec<u8>> {
    let options = ParseOptions::default().target(mlirbc::Release::named(release.to_owned()));
    let mut bytes = Vec::new();
    parse(text.as_bytes(), &options)?.write(&mut bytes, &Default::default())?;
    Ok(bytes)
}

fn printed(bytes: Vec<u8>, options: &ReadOptions) -> String {
    let mut text = Vec::new();
    Module::from_source(bytes.into(), options).unwrap().print(&mut text, &Default::default()).unwrap();
    String::from_utf8(text).unwrap()
}

fn of_release(release: &str) -> ReadOptions {
    ReadOptions::default().release(mlirbc::Release::named(release.to_owned()))
}

fn compressed(text: &str) -> Vec<u8> {
    let mut writer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    writer.write_all(text.as_bytes()).unwrap();
    writer.finish().unwrap()
}

#[test]
fn a_pack_that_was_cut_says_so() {
    let head = header("cut", "llvm-22").replace("\"releases\"", "\"rows\":2,\"releases\"");
    let text = format!("{head}\n{{\"op\":\"cut.a\"}}\n{{\"op\":\"cut.b\"}}\n");
    let whole = compressed(&text);
    for end in 0..text.len() {
        match Pack::from_bytes(&text.as_bytes()[..end], &Limits::default()) {
            // A row that is cut is skipped, and a row that is missing is counted. The last line break may be missing.
            Ok(pack) => assert!(!pack.warnings().is_empty() || end + 1 == text.len(), "{end}"),
            Err(error) => assert_eq!(error.kind(), ErrorKind::Pack, "{end}"),
        }
    }
    for end in 2..whole.len() {
        let error = Pack::from_bytes(&whole[..end], &Limits::default()).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Pack, "{end}");
    }
}

#[test]
fn a_huge_pack_reaches_a_limit() {
    // A thousand times as large after decompression.
    let bomb = compressed(&format!("{}\n{}", header("bomb", "llvm-22"), " \n".repeat(40 << 20)));
    let limits = Limits::default().max_decompressed(Some(1 << 20));
    assert_eq!(Pack::from_bytes(&bomb, &limits).unwrap_err().kind(), ErrorKind::DecompressedLimit);
    let rows: String = (0..10_000).map(|number| format!("{{\"op\":\"large.o{number}\"}}\n")).collect();
    let limits = Limits::default().max_memory(Some(1 << 20));
    let error = Pack::from_bytes(format!("{}\n{rows}", header("large", "llvm-22")).as_bytes(), &limits);
    assert_eq!(error.unwrap_err().kind(), ErrorKind::MemoryLimit);
}

#[test]
fn contradictions_are_warnings_with_their_lines() {
    for (rows, reason) in [
        ("{\"op\":\"x.a\"}\n{\"op\":\"x.a\",\"summary\":\"other\"}", "a row for the operation `x.a` already"),
        (
            "{\"layout\":\"x.a\"}\n{\"layout\":\"x.a\",\"custom\":true}",
            "a row for the layout of `x.a` already",
        ),
        (
            "{\"enum\":\"E\",\"cases\":[]}\n{\"layout\":\"x.a\",\"properties\":[{\"name\":\"p\",\"kind\":\"attr\"},{\"name\":\"p\",\"kind\":\"bool\"}]}",
            "`p`",
        ),
        ("{\"enum\":\"E\",\"cases\":[]}\n{\"rename\":\"x.old\"}", "`to` is the name"),
        ("{\"enum\":\"E\",\"cases\":[]}\n{\"rename\":\"x.old\",\"to\":\"y\"}", "with a dot"),
    ] {
        let pack = opened(&format!("{}\n{rows}\n", header("x", "llvm-22")));
        let [warning] = pack.warnings() else { panic!("{rows}: {:?}", pack.warnings()) };
        assert!(warning.line == 3 && warning.reason.contains(reason), "{rows}: {warning:?}");
    }
}

/// Two types follow from one another, and from nothing else.
#[test]
fn circular_inference_is_an_error() {
    let rows = r#"{"op":"circle.a","operands":[["x","AnyType"],["y","AnyType"]],"format":["$x","`,","$y","attr-dict"],"traits":[["TypesMatchWith","x","y","[\"param\",\"p\",\"self\"]"],["TypesMatchWith","y","x","!circle.t<{}>"]]}
{"layout":"circle.a"}
{"op":"circle.b","results":[["r","AnyType"],["s","AnyType"]],"format":["attr-dict"],"traits":[["TypesMatchWith","r","s","!circle.t<{}>"],["TypesMatchWith","s","r","!circle.t<{}>"]]}
{"layout":"circle.b"}"#;
    register("circle", rows);
    let error = assembled("%0, %1 = circle.b", "circle-1").unwrap_err();
    assert!(error.to_string().contains("type"), "{error}");
    let text = "module {\n  %0:2 = \"circle.b\"() : () -> (i32, i64)\n}\n";
    let bytes = assembled(text, "circle-1").unwrap();
    assert!(printed(bytes, &of_release("circle-1")).contains("circle.b"));
}

#[test]
fn a_format_may_consume_nothing() {
    let rows = r#"{"op":"empty.a","format":[]}
{"layout":"empty.a"}
{"op":"empty.b","attributes":[["n","UnitAttr",{"optional":true}]],"format":[["group",["$n"],0]]}
{"layout":"empty.b","properties":[{"name":"n","kind":"optional_attr","class":"UnitAttr"}]}"#;
    register("empty", rows);
    let text = "module {\n  empty.a\n  empty.a\n}\n";
    let bytes = assembled(text, "empty-1").unwrap();
    assert_eq!(printed(bytes, &of_release("empty-1")), text);
    // A group that begins with nothing visible cannot be told from its absence; the parser must end all the same.
    let _ = assembled("module {\n  empty.b\n}\n", "empty-1");
    let refused =
        format!("{}\n{}\n", header("empty2", "llvm-22"), r#"{"op":"empty2.a","format":[["oilist",["` "]]]}"#);
    assert!(opened(&refused).warnings()[0].reason.contains("begins with a literal"));
}

#[test]
fn names_may_have_dots_and_capitals() {
    let rows = r#"{"constraint":"I32","text":"i32"}
{"op":"mathExt.fooBar","results":[["r","I32"]],"format":["attr-dict"]}
{"layout":"mathExt.fooBar"}
{"op":"hivm.hir.load.Tensor","operands":[["x","I32"]],"format":["$x","attr-dict"]}
{"layout":"hivm.hir.load.Tensor"}
{"type":"mathExt.Box.large","format":["`<","$n","`>"],"parameters":[["n","unsigned",{"kind":"int"}]]}"#;
    let pack = register("dotted", rows);
    assert_eq!(pack.coverage(0).dialects.len(), 2);
    let text = "module {\n  %0 = mathExt.fooBar\n  hivm.hir.load.Tensor %0\n}\n";
    let bytes = assembled(text, "dotted-1").unwrap();
    assert_eq!(printed(bytes, &of_release("dotted-1")), text);
    let large = mlirbc::Type::parse("!mathExt.Box.large<3>").unwrap();
    assert_eq!(large.fields().unwrap()[0].0, "n");
}

#[test]
fn two_packs_may_have_one_dialect() {
    let row = |word: &str| {
        format!("{{\"op\":\"comb.a\",\"format\":[\"`{word}\",\"attr-dict\"]}}\n{{\"layout\":\"comb.a\"}}")
    };
    register("combfirst", &row("first"));
    register("combsecond", &row("second"));
    for word in ["first", "second"] {
        let release = format!("comb{word}-1");
        let text = format!("module {{\n  comb.a {word}\n}}\n");
        let bytes = assembled(&text, &release).unwrap();
        assert_eq!(printed(bytes, &of_release(&release)), text);
    }
    // Without a release, the pack that was loaded last counts.
    let bytes = assembled("module {\n  comb.a first\n}\n", "combfirst-1").unwrap();
    assert!(printed(bytes, &ReadOptions::default()).contains("comb.a"));
}

/// The file has operations of another release, so the definitions of the pack do not fit.
#[test]
fn a_pack_of_another_release_leaves_the_module_readable() {
    let rows = r#"{"op":"later.a","attributes":[["n","I32Attr"]],"format":["$n","attr-dict"]}
{"constraint":"I32Attr","text":"typed","type":"i32","storage":"IntegerAttr"}
{"layout":"later.a","properties":[{"name":"n","kind":"attr","class":"IntegerAttr"}]}"#;
    let pack = opened(&format!("{}\n{rows}\n", header("later", "llvm-19")));
    pack.register().unwrap();
    let bytes = assembled("module {\n  later.a 3\n}\n", "later-1").unwrap();
    // The reader of LLVM 22 has no such operation, and keeps its properties.
    let text = printed(bytes.clone(), &of_release("llvm-22"));
    assert!(text.contains("later.a"), "{text}");
    let module = Module::from_source(bytes.clone().into(), &of_release("llvm-22")).unwrap();
    let mut again = Vec::new();
    module.write(&mut again, &Default::default()).unwrap();
    assert_eq!(again, bytes);
    assert_eq!(printed(bytes, &of_release("later-1")), "module {\n  later.a 3\n}\n");
}
