//! Dialects that IRDL defines, compared with what `mlir-opt-22 --irdl-file` accepts and prints.

#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use mlirbc::limits::Limits;
use mlirbc::pack::{Pack, PackMaker, PackOptions};
use mlirbc::parse::{ParseOptions, parse};
use mlirbc::tool::add_irdl;
use mlirbc::{Module, ReadOptions};

fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/packs/irdl").join(name)
}

fn pack_of(text: &[u8], release: &str) -> mlirbc::Result<String> {
    let options = PackOptions {
        name: "boxes".to_owned(),
        release: release.to_owned(),
        llvm: "llvm-22".to_owned(),
        ..PackOptions::default()
    };
    let mut maker = PackMaker::new(options)?;
    add_irdl(&mut maker, text, "boxes.irdl.mlir", &Limits::default())?;
    Ok(maker.finish())
}

fn register(release: &str) -> Pack {
    let text = pack_of(&std::fs::read(data("boxes.irdl.mlir")).unwrap(), release).unwrap();
    let pack = Pack::from_bytes(text.as_bytes(), &Limits::default()).unwrap();
    assert_eq!(pack.warnings(), []);
    pack.register().unwrap();
    pack
}

fn module(text: &str, release: &str) -> mlirbc::Result<Module> {
    let options = ParseOptions::default().target(mlirbc::Release::named(release.to_owned()));
    let module = parse(text.as_bytes(), &options)?;
    let mut bytes = Vec::new();
    module.write(&mut bytes, &Default::default())?;
    Module::from_source(
        bytes.into(),
        &ReadOptions::default().release(mlirbc::Release::named(release.to_owned())),
    )
}

/// The first complaint about a text, or the module as text.
fn checked(text: &str, release: &str) -> Result<String, String> {
    let module = module(text, release).map_err(|error| error.to_string())?;
    if let Some(error) = module.verify_operations().unwrap().errors().first() {
        return Err(error.to_string());
    }
    let mut printed = Vec::new();
    module.print(&mut printed, &Default::default()).unwrap();
    Ok(String::from_utf8(printed).unwrap())
}

fn chunks() -> Vec<(bool, String)> {
    let text = std::fs::read_to_string(data("boxes.mlir")).unwrap();
    let chunk = |chunk: &str| {
        let (verdict, text) = chunk.trim_start().split_once('\n').unwrap();
        (verdict == "// accepted", text.to_owned())
    };
    text.split("// -----").map(chunk).collect()
}

#[test]
fn constraints_accept_what_mlir_accepts() {
    let pack = register("boxes-verdicts");
    assert_eq!(pack.coverage(0).missing, [""; 0]);
    let chunks = chunks();
    assert_eq!(chunks.len(), 40);
    for (is_accepted, text) in chunks {
        let verdict = checked(&text, "boxes-verdicts");
        assert_eq!(verdict.is_ok(), is_accepted, "{text}{verdict:?}");
    }
}

/// MLIR gave the verdicts and printed the texts.
#[test]
fn mlir_agrees() {
    register("boxes-oracle");
    for (is_accepted, text) in chunks() {
        let mut command = Command::new("mlir-opt-22");
        command.arg(format!("--irdl-file={}", data("boxes.irdl.mlir").display()));
        let spawned = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
        let Ok(mut child) = spawned else {
            eprintln!("skipped: there is no `mlir-opt-22`");
            return;
        };
        child.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.success(), is_accepted, "{text}");
        if is_accepted {
            let expected = String::from_utf8(output.stdout).unwrap();
            assert_eq!(checked(&text, "boxes-oracle").unwrap().trim_end(), expected.trim_end());
        }
    }
}

#[test]
fn fields_and_definitions_follow_from_irdl() {
    register("boxes-fields");
    let pair = mlirbc::Attribute::parse("#boxes.pair<4 : i8, \"x\">").unwrap();
    let names: Vec<String> = pair.fields().unwrap().into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["number", "text"]);
    let definitions = mlirbc::ops::OperationDefinitions::of(&mlirbc::Release::named("boxes-fields")).unwrap();
    let groups = definitions.get("boxes.groups").unwrap();
    let operands: Vec<&str> = groups.operands().iter().map(|operand| operand.name()).collect();
    assert_eq!(operands, ["numbers", "last"]);
    assert_eq!(groups.source(), "boxes.irdl.mlir:40");
    let box_class = definitions.class(true, "boxes.box").unwrap();
    assert_eq!((box_class.source(), box_class.parameters()[0].name()), ("boxes.irdl.mlir:5", "element"));
}

#[test]
fn c_plus_plus_is_not_evaluated() {
    let text = "irdl.dialect @cpp {\n  irdl.operation @a {\n    %0 = irdl.c_pred \"f($_self)\"\n    \
                %1 = irdl.is i32\n    %2 = irdl.all_of(%0, %1)\n    irdl.results(x: %2)\n  }\n}\n";
    let pack = pack_of(text.as_bytes(), "cpp-1").unwrap();
    Pack::from_bytes(pack.as_bytes(), &Limits::default()).unwrap().register().unwrap();
    assert!(checked("%0 = \"cpp.a\"() : () -> i32", "cpp-1").is_ok());
    // MLIR would refuse it, but only C++ says whether the first constraint already does.
    assert!(checked("%0 = \"cpp.a\"() : () -> i64", "cpp-1").is_ok());
}

#[test]
fn bad_texts_are_errors() {
    for (text, reason) in [
        ("module {}", "defines no operation"),
        ("irdl.dialect @d {", "expected"),
        ("irdl.dialect @d { irdl.operation @a { %0 = irdl.frob } }", "frob"),
    ] {
        let error = pack_of(text.as_bytes(), "bad-irdl-1").unwrap_err().to_string();
        assert!(error.contains(reason), "{text}: {error}");
    }
    let rows = |row: &str| {
        let header =
            r#"{"format":"mlirbc-pack/1","name":"r","releases":[{"name":"r-irdl","llvm":"llvm-22"}]}"#;
        let pack = Pack::from_bytes(format!("{header}\n{row}\n").as_bytes(), &Limits::default()).unwrap();
        pack.warnings().first().map(|warning| warning.reason.clone()).unwrap_or_default()
    };
    for (row, reason) in [
        (
            r#"{"op":"r.a","variables":{"constraints":[["any_of",[0]]]}}"#,
            "refers to 0, which is not before it",
        ),
        (r#"{"op":"r.a","variables":{"constraints":[["any"]],"operands":[1]}}"#, "no constraint 1"),
        (r#"{"op":"r.a","variables":{"constraints":[["frob"]]}}"#, "no kind of constraint"),
        (r#"{"type":"r.a","variables":{"constraints":[["is"]]}}"#, "`is` has a text"),
        (r#"{"type":"r.a","variables":{"constraints":[["any"]],"parameters":[7]}}"#, "no constraint 7"),
    ] {
        assert!(rows(row).contains(reason), "{row}: {}", rows(row));
    }
}
