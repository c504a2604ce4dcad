//! A session with the dialect of a pack.

#![allow(missing_docs, clippy::unwrap_used)]

mod client;

use mlirbc::Release;
use mlirbc::limits::Limits;
use mlirbc::pack::Pack;
use mlirbc::parse::ParseOptions;
use mlirbc_lsp::ServerOptions;
use serde_json::json;

use client::{URI, open, talk_with};

#[test]
fn operations_of_a_pack_are_known() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/packs/clause.mlirpack");
    let pack = Pack::from_bytes(&std::fs::read(path).unwrap(), &Limits::default()).unwrap();
    pack.register().unwrap();
    let text = "func.func @f(%x: i32) {\n  clause.xyz linear(\"val\"(%x) : i32)\n  clause.xy\n  return\n}\n";
    let place = |line: u32, character: u32| json!({"textDocument": {"uri": URI}, "position": {"line": line, "character": character}});
    let calls = [
        open(text),
        json!({"id": 1, "method": "textDocument/hover", "params": place(1, 5)}),
        json!({"id": 2, "method": "textDocument/completion", "params": place(2, 10)}),
    ];
    let parse = ParseOptions::default().target(Release::named("clause-1"));
    let answers = talk_with(&calls, ServerOptions::default().parse(parse));
    let published =
        answers.iter().find(|message| message["method"] == "textDocument/publishDiagnostics").unwrap();
    let errors = published["params"]["diagnostics"].as_array().unwrap();
    let suggests =
        |error: &serde_json::Value| error["message"].as_str().unwrap().contains("did you mean `clause.xyz`?");
    assert!(errors.iter().any(suggests), "{errors:#?}");
    let answer = |id| answers.iter().find(|message| message["id"] == id).unwrap();
    assert!(answer(1)["result"]["contents"]["value"].as_str().unwrap().contains("clause.xyz"));
    assert_eq!(answer(2)["result"]["items"][0]["label"], "clause.xyz");
}
