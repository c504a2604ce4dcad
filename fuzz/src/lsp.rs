//! A language server with any client.
//!
//! | oracle | why it can fail |
//! |---|---|
//! | the server never panics and never ends early | messages that are garbage; positions outside of the text |
//! | each request has one answer | requests that are dropped |

use std::io::Write;

use mlirbc_lsp::{ServerOptions, serve};
use serde_json::{Value, json};

const URI: &str = "file:///a.mlir";

/// Runs the oracle.
///
/// # Panics
/// When a property does not hold.
pub fn run(data: &[u8]) {
    let mut output = Vec::new();
    assert!(serve(data, &mut output, ServerOptions::default()).is_ok(), "garbage ends the server");
    session(data);
}

/// Opens the input as a text, changes it where its first bytes say, and asks about places.
fn session(data: &[u8]) {
    let (places, text) = data.split_at(data.len().min(4));
    let text = String::from_utf8_lossy(text);
    let place = |at: usize| u32::from(places.get(at).copied().unwrap_or_default());
    let position = json!({"line": place(0) / 8, "character": place(1)});
    let range =
        json!({"start": position, "end": {"line": place(0) / 8 + place(2) / 64, "character": place(2)}});
    let document = json!({"uri": URI, "languageId": "mlir", "version": 1, "text": text});
    let changes =
        json!([{"range": range, "text": text.chars().take(place(3) as usize / 8).collect::<String>()}]);
    let mut messages = vec![
        json!({"id": 0, "method": "initialize", "params": {"processId": null, "rootUri": null, "capabilities": {}}}),
        json!({"method": "textDocument/didOpen", "params": {"textDocument": document}}),
        json!({"method": "textDocument/didChange", "params": {"textDocument": {"uri": URI, "version": 2}, "contentChanges": changes}}),
    ];
    let request = json!({"textDocument": {"uri": URI}, "position": position, "range": range, "newName": "x",
        "context": {"includeDeclaration": true, "diagnostics": []}, "options": {"tabSize": 2, "insertSpaces": true}});
    let methods = [
        "hover",
        "definition",
        "references",
        "rename",
        "prepareRename",
        "completion",
        "documentSymbol",
        "foldingRange",
        "inlayHint",
        "codeAction",
    ];
    for (id, method) in (1..).zip(methods) {
        messages.push(json!({"id": id, "method": format!("textDocument/{method}"), "params": request}));
    }
    let mut output = Vec::new();
    let result = serve(&frames(&messages)[..], &mut output, ServerOptions::default());
    assert!(result.is_ok(), "the server ends");
    let output = String::from_utf8_lossy(&output);
    for id in 0..=methods.len() {
        let answers = output.matches(&format!("\"id\":{id},")).count();
        assert!(answers >= 1, "request {id} has no answer");
    }
}

fn frames(messages: &[Value]) -> Vec<u8> {
    let mut input = Vec::new();
    for message in messages {
        let content = message.to_string();
        let written = write!(input, "Content-Length: {}\r\n\r\n{content}", content.len());
        assert!(written.is_ok(), "memory takes all bytes");
    }
    input
}
