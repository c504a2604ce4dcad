//! A client of the server.

#![allow(dead_code, reason = "each test uses a part")]

use mlirbc_lsp::{ServerOptions, serve};
use serde_json::{Value, json};

/// The document of the tests.
pub const URI: &str = "file:///f.mlir";

fn frame(message: &Value) -> Vec<u8> {
    let content = message.to_string();
    format!("Content-Length: {}\r\n\r\n{content}", content.len()).into_bytes()
}

fn messages(mut output: &[u8]) -> Vec<Value> {
    let mut messages = Vec::new();
    while !output.is_empty() {
        let end = output.windows(4).position(|bytes| bytes == b"\r\n\r\n").unwrap();
        let header = std::str::from_utf8(&output[..end]).unwrap();
        let length: usize = header.strip_prefix("Content-Length: ").unwrap().parse().unwrap();
        let content = &output[end + 4..end + 4 + length];
        messages.push(serde_json::from_slice(content).unwrap());
        output = &output[end + 4 + length..];
    }
    messages
}

/// Returns the messages of a server to a client that initializes it, calls, and shuts it down.
pub fn talk(calls: &[Value]) -> Vec<Value> {
    talk_with(calls, ServerOptions::default())
}

/// As [`talk`], with options.
pub fn talk_with(calls: &[Value], options: ServerOptions) -> Vec<Value> {
    let start = json!({"id": 0, "method": "initialize", "params": {"processId": null, "rootUri": null, "capabilities": {}}});
    let end = [json!({"id": "end", "method": "shutdown"}), json!({"method": "exit"})];
    let input: Vec<u8> = [start].iter().chain(calls).chain(&end).flat_map(frame).collect();
    let mut output = Vec::new();
    assert!(serve(&input[..], &mut output, options).unwrap());
    messages(&output)
}

/// The notification that opens the document.
pub fn open(text: &str) -> Value {
    let document = json!({"uri": URI, "languageId": "mlir", "version": 1, "text": text});
    json!({"method": "textDocument/didOpen", "params": {"textDocument": document}})
}
