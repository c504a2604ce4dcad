//! Sessions with a scripted client.

#![allow(missing_docs, clippy::unwrap_used)]

mod client;

use serde_json::{Value, json};

use client::{URI, open, talk};

const TEXT: &str = "#map = affine_map<(d0) -> (d0)>
module @m {
  func.func @f(%x: i32, %n: index) -> i32 {
    %c = \"t.pair\"(%x) {m = #map} : (i32) -> i32
    %sum = arith.addi %c, %x : i32
    scf.for %i = %n to %n step %n {
      \"t.use\"(%i, %sum) : (index, i32) -> ()
    }
    cf.br ^exit(%sum : i32)
  ^exit(%r: i32):
    return %r : i32
  }
  func.func @g(%x: i32) -> i32 {
    %0 = call @f(%x, %x) : (i32, i32) -> i32
    return %0 : i32
  }
}
";

/// The position of the `number`th occurrence of a word in the text.
fn position(text: &str, word: &str, number: usize) -> Value {
    let (offset, _) = text.match_indices(word).nth(number).unwrap();
    let before = &text[..offset];
    let line = before.matches('\n').count();
    let start = before.rfind('\n').map_or(0, |at| at + 1);
    json!({"line": line, "character": before[start..].encode_utf16().count()})
}

fn request(method: &str, word: &str, number: usize, more: Value) -> Value {
    let mut params = json!({"textDocument": {"uri": URI}, "position": position(TEXT, word, number)});
    params.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    json!({"id": 1, "method": format!("textDocument/{method}"), "params": params})
}

/// The answer to one request about the text.
fn ask(method: &str, word: &str, number: usize, more: Value) -> Value {
    let answers = talk(&[open(TEXT), request(method, word, number, more)]);
    answers.into_iter().find(|message| message["id"] == 1).unwrap()
}

fn lines(result: &Value) -> Vec<(u64, u64)> {
    let range = |one: &Value| {
        (
            one["range"]["start"]["line"].as_u64().unwrap(),
            one["range"]["start"]["character"].as_u64().unwrap(),
        )
    };
    result.as_array().unwrap().iter().map(range).collect()
}

#[test]
fn errors_are_published_and_corrected() {
    let text = "// \u{1f600}\nfunc.func @f(%value: i32) -> i32 {\n  /* */ %0 = arith.adid %value, %value : i32\n  return %valeu : i32\n}\n".replace("/* */ ", "");
    let range = json!({"start": {"line": 2, "character": 10}, "end": {"line": 2, "character": 10}});
    let action = json!({"id": 1, "method": "textDocument/codeAction",
        "params": {"textDocument": {"uri": URI}, "range": range, "context": {"diagnostics": []}}});
    let change = json!({"method": "textDocument/didChange", "params": {
        "textDocument": {"uri": URI, "version": 2},
        "contentChanges": [
            {"range": {"start": {"line": 2, "character": 13}, "end": {"line": 2, "character": 17}}, "text": "addi"},
            {"range": {"start": {"line": 3, "character": 9}, "end": {"line": 3, "character": 15}}, "text": "%0"}]}});
    let answers = talk(&[open(&text), action, change]);
    let published: Vec<_> =
        answers.iter().filter(|message| message["method"] == "textDocument/publishDiagnostics").collect();
    let first = published[0]["params"]["diagnostics"].as_array().unwrap();
    assert_eq!(first.len(), 2, "{first:#?}");
    assert_eq!(first[0]["range"]["start"], json!({"line": 2, "character": 7}));
    assert!(first[0]["message"].as_str().unwrap().contains("did you mean `arith.addi`?"));
    assert_eq!(
        first[1]["range"],
        json!({"start": {"line": 3, "character": 9}, "end": {"line": 3, "character": 15}})
    );
    assert_eq!(published[1]["params"]["diagnostics"], json!([]));
    assert_eq!(published[1]["params"]["version"], 2);
    let action = answers.iter().find(|message| message["id"] == 1).unwrap();
    assert_eq!(action["result"][0]["edit"]["changes"][URI][0]["newText"], "arith.addi", "{action}");
}

#[test]
fn definitions_are_found() {
    let definition = |word, number| {
        let answer = ask("definition", word, number, json!({}));
        let start = &answer["result"]["range"]["start"];
        (start["line"].as_u64(), start["character"].as_u64())
    };
    assert_eq!(definition("%sum", 1), (Some(4), Some(4)));
    assert_eq!(definition("%i", 1), (Some(5), Some(12)));
    assert_eq!(definition("%x", 4), (Some(12), Some(15)));
    assert_eq!(definition("^exit", 0), (Some(9), Some(2)));
    assert_eq!(definition("@f", 1), (Some(2), Some(13)));
    assert_eq!(definition("#map", 1), (Some(0), Some(0)));
    assert_eq!(ask("definition", "step", 0, json!({}))["result"], Value::Null);
}

#[test]
fn references_have_the_scope_of_the_definition() {
    let references = |word, number, declaration: bool| {
        lines(
            &ask("references", word, number, json!({"context": {"includeDeclaration": declaration}}))["result"],
        )
    };
    assert_eq!(references("%x", 0, true), [(2, 15), (3, 18), (4, 26)]);
    assert_eq!(references("%x", 0, false), [(3, 18), (4, 26)]);
    assert_eq!(references("%r", 1, true), [(9, 8), (10, 11)]);
    assert_eq!(references("@f", 0, true), [(2, 12), (13, 14)]);
    assert_eq!(references("#map", 0, true), [(0, 0), (3, 27)]);
    assert_eq!(references("^exit", 1, true), [(8, 10), (9, 2)]);
}

#[test]
fn names_are_renamed_or_refused() {
    let rename = |word, number, new: &str| ask("rename", word, number, json!({"newName": new}));
    let edits = |answer: &Value| lines(&answer["result"]["changes"][URI]);
    assert_eq!(edits(&rename("%sum", 0, "total")), [(4, 5), (6, 19), (8, 17)]);
    assert_eq!(edits(&rename("@f", 1, "@h")), [(2, 13), (13, 15)]);
    assert_eq!(rename("@f", 1, "a b")["result"]["changes"][URI][0]["newText"], "\"a b\"");
    for (word, new) in
        [("%sum", "%x"), ("%sum", "%i"), ("%sum", "a b"), ("@f", "g"), ("#map", "a.b"), ("step", "x")]
    {
        let answer = rename(word, 0, new);
        assert!(answer["error"]["message"].is_string(), "{word} {new}: {answer}");
    }
    // The other function may have the same name.
    assert!(rename("%0", 0, "%sum")["result"].is_object());
}

#[test]
fn hovers_show_types_and_definitions() {
    let hover =
        |word, number| ask("hover", word, number, json!({}))["result"]["contents"]["value"].to_string();
    assert!(hover("%sum", 1).contains("%sum : i32"));
    assert!(hover("arith.addi", 0).contains("integer addition operation"));
    assert!(hover("#map", 1).contains("affine_map<(d0) -> (d0)>"));
    assert!(hover("@f", 1).contains("func.func @f(%x: i32, %n: index) -> i32"));
    assert!(hover("call", 0).contains("func.call"));
}

#[test]
fn words_are_completed() {
    let complete = |text: &str| -> Vec<String> {
        let start = text.rfind('\n').map_or(0, |at| at + 1);
        let position = json!({"line": text.matches('\n').count(), "character": text.len() - start});
        let params = json!({"textDocument": {"uri": URI}, "position": position});
        let request = json!({"id": 1, "method": "textDocument/completion", "params": params});
        let answers = talk(&[open(text), request]);
        let answer = answers.iter().find(|message| message["id"] == 1).unwrap();
        let items = answer["result"]["items"].as_array().unwrap();
        items.iter().map(|item| item["label"].as_str().unwrap().to_owned()).collect()
    };
    assert!(complete("%0 = arith.add").contains(&"arith.addi".to_owned()));
    assert!(complete("arit").contains(&"arith".to_owned()));
    assert!(
        complete("func.func @f(%abc: i32) {\n  return\n}\nfunc.func @g(%abd: i32) {\n  \"t.a\"(%ab")
            .contains(&"%abd".to_owned())
    );
    assert_eq!(complete("func.func @first() {\n  return\n}\nfunc.func @g() {\n  call @fi"), ["@first"]);
    assert!(complete("%0 = arith.cmpi sl").contains(&"slt".to_owned()));
    assert!(complete("%0 = arith.constant 0 : ind").contains(&"index".to_owned()));
    assert!(complete("%0 = arith.addi %a, %b {over").contains(&"overflowFlags".to_owned()));
    assert_eq!(complete("#map = affine_map<() -> ()>\n\"t.a\"() {m = #m"), ["#map"]);
}

#[test]
fn symbols_folds_and_formatting() {
    let symbols = ask("documentSymbol", "m", 0, json!({}));
    assert_eq!(symbols["result"][0]["name"], "@m", "{symbols}");
    assert_eq!(symbols["result"][0]["children"].as_array().unwrap().len(), 2);
    assert_eq!(
        symbols["result"][0]["children"][1]["selectionRange"]["start"],
        json!({"line": 12, "character": 13})
    );
    let folds = ask("foldingRange", "m", 0, json!({}));
    let folds: Vec<_> = folds["result"]
        .as_array()
        .unwrap()
        .iter()
        .map(|fold| (fold["startLine"].as_u64().unwrap(), fold["endLine"].as_u64().unwrap()))
        .collect();
    assert_eq!(folds, [(1, 15), (2, 10), (5, 6), (12, 14)]);
    let text = "func.func @f(%a:i32)->i32{\nreturn %a:i32}\n";
    let params = json!({"textDocument": {"uri": URI}, "options": {"tabSize": 2, "insertSpaces": true}});
    let answers =
        talk(&[open(text), json!({"id": 1, "method": "textDocument/formatting", "params": params})]);
    let answer = answers.iter().find(|message| message["id"] == 1).unwrap();
    assert_eq!(answer["result"][0]["newText"], "func.func @f(%a: i32) -> i32 {\n  return %a : i32\n}\n");
    let invalid = json!({"id": 1, "method": "textDocument/formatting", "params": params});
    let answers = talk(&[open("func.func @f("), invalid]);
    let answer = answers.iter().find(|message| message["id"] == 1).unwrap();
    assert!(answer["error"]["message"].as_str().unwrap().starts_with("the text is not formatted"));
}

#[test]
fn types_are_shown_where_the_text_has_none() {
    let text =
        "func.func @f(%x: tensor<4xf32>, %c: i32) {\n  %0 = arith.cmpi eq, %c, %c : i32\n  return\n}\n";
    let params = json!({"textDocument": {"uri": URI}, "range": {"start": {"line": 0, "character": 0}, "end": {"line": 9, "character": 0}}});
    let answers = talk(&[open(text), json!({"id": 1, "method": "textDocument/inlayHint", "params": params})]);
    let answer = answers.iter().find(|message| message["id"] == 1).unwrap();
    assert_eq!(answer["result"][0]["label"], ": i1", "{answer}");
    assert_eq!(answer["result"][0]["position"], json!({"line": 1, "character": 4}));
}

#[test]
fn garbage_has_error_answers() {
    let calls = [
        json!({"id": 1, "method": "textDocument/hover", "params": {"textDocument": 3}}),
        json!({"id": 2, "method": "textDocument/hover", "params": {"textDocument": {"uri": "x"}, "position": {"line": 0, "character": 0}}}),
        json!({"id": 3, "method": "no/method"}),
        json!({"method": "textDocument/didChange", "params": []}),
        json!([1, 2]),
        json!({"id": 4, "method": "initialize", "params": {}}),
        json!({"id": 5, "method": "workspace/executeCommand", "params": {"command": "mlirbc.save", "arguments": [URI]}}),
        json!({"id": 6, "method": "workspace/textDocumentContent", "params": {"uri": "mlirbc:/no/such/file"}}),
    ];
    let answers = talk(&calls);
    for id in 1..=6 {
        let answer = answers.iter().find(|message| message["id"] == id).unwrap();
        assert!(answer["error"]["code"].as_i64().unwrap() < 0, "{answer}");
    }
    assert!(answers.iter().any(|message| message["id"].is_null() && message["error"]["code"] == -32600));
    assert_eq!(answers.last().unwrap()["result"], Value::Null);
}

#[test]
fn bytecode_and_artifacts_are_texts() {
    let data = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../");
    let folder = std::env::temp_dir().join(format!("mlirbc-lsp-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    for name in ["examples/two_layers.mlirbc", "examples/mlp.jax"] {
        let path = folder.join(std::path::Path::new(name).file_name().unwrap());
        std::fs::copy(data.join(name), &path).unwrap();
        let uri = format!("mlirbc:{}", path.display());
        let content = json!({"id": 1, "method": "workspace/textDocumentContent", "params": {"uri": uri}});
        let answers = talk(std::slice::from_ref(&content));
        let text = answers[1]["result"]["text"].as_str().unwrap().to_owned();
        let document = json!({"uri": uri, "languageId": "mlir", "version": 1, "text": text});
        let save = json!({"id": 2, "method": "workspace/executeCommand", "params": {"command": "mlirbc.save", "arguments": [uri]}});
        let before = mlirbc::Artifact::open(&path).unwrap();
        let key = |artifact: &mlirbc::Artifact| {
            mlirbc::tool::content_key(artifact.first(), Default::default()).unwrap()
        };
        let answers =
            talk(&[json!({"method": "textDocument/didOpen", "params": {"textDocument": document}}), save]);
        let diagnostics =
            answers.iter().find(|message| message["method"] == "textDocument/publishDiagnostics").unwrap();
        assert_eq!(diagnostics["params"]["diagnostics"], json!([]), "{name}");
        let saved = answers.iter().find(|message| message["id"] == 2).unwrap();
        assert_eq!(saved["result"], Value::Null, "{saved}");
        assert!(saved.get("error").is_none(), "{saved}");
        assert_eq!(key(&mlirbc::Artifact::open(&path).unwrap()), key(&before), "{name}");
    }
    std::fs::remove_dir_all(&folder).unwrap();
}
