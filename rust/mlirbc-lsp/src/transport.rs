//! Messages with a header, as the base protocol of LSP frames them.
//!
//! Owns the frames and JSON-RPC. A message that is invalid is an error to answer, and the next one is read: only the end
//! of the stream ends reading.

use std::io::{self, BufRead, Read, Write};

use serde_json::{Value, json};

/// The most bytes of a message; a longer one is skipped.
const MOST_BYTES: u64 = 1 << 30;

/// The most bytes of a line of a header.
const MOST_HEADER: u64 = 4096;

/// A message that was read, or the reason why it is none.
#[derive(Debug, PartialEq)]
pub(crate) enum Incoming {
    /// A request with its identifier, or a notification.
    Call { id: Option<Value>, method: String, params: Value },
    /// An answer of the client.
    Answer,
    /// Not a message.
    Invalid(Fault),
}

/// An error that is the answer to a request.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    pub(crate) code: i32,
    pub(crate) message: String,
}

impl Fault {
    pub(crate) const PARSE: i32 = -32700;
    pub(crate) const INVALID_REQUEST: i32 = -32600;
    pub(crate) const UNKNOWN_METHOD: i32 = -32601;
    pub(crate) const INVALID_PARAMS: i32 = -32602;
    pub(crate) const NOT_INITIALIZED: i32 = -32002;
    pub(crate) const REQUEST_FAILED: i32 = -32803;

    pub(crate) fn new(code: i32, message: impl Into<String>) -> Self {
        Self { code, message: message.into() }
    }

    /// Creates the error of a request that is valid, but cannot be fulfilled.
    pub(crate) fn refused(message: impl Into<String>) -> Self {
        Self::new(Self::REQUEST_FAILED, message)
    }
}

/// Reads the next message; `None` at the end of the stream.
///
/// # Errors
/// The errors of the stream.
pub(crate) fn read(input: &mut dyn BufRead) -> io::Result<Option<Incoming>> {
    let Some(length) = read_header(input)? else { return Ok(None) };
    let Some(length) = length else {
        let message = "the header has no `Content-Length: NUMBER`";
        return Ok(Some(Incoming::Invalid(Fault::new(Fault::PARSE, message))));
    };
    if length > MOST_BYTES {
        io::copy(&mut input.take(length), &mut io::sink())?;
        let message = format!("a message has {length} bytes; at most {MOST_BYTES} are read");
        return Ok(Some(Incoming::Invalid(Fault::new(Fault::PARSE, message))));
    }
    // The length is not trusted: memory grows with the bytes that arrive.
    let mut content = Vec::new();
    input.take(length).read_to_end(&mut content)?;
    if (content.len() as u64) < length {
        return Ok(None);
    }
    Ok(Some(parse(&content)))
}

/// Reads the lines of a header; the length is `None` if no line has it.
fn read_header(input: &mut dyn BufRead) -> io::Result<Option<Option<u64>>> {
    let mut length = None;
    loop {
        let mut line = Vec::new();
        if input.take(MOST_HEADER).read_until(b'\n', &mut line)? == 0 {
            return Ok(None);
        }
        let line = String::from_utf8_lossy(&line);
        if line.trim().is_empty() {
            return Ok(Some(length));
        }
        match line.split_once(':') {
            Some((name, number)) if name.trim().eq_ignore_ascii_case("content-length") => {
                length = number.trim().parse().ok();
            }
            Some(_) => {}
            // Bytes that are no header: the next line may begin one.
            None => return Ok(Some(None)),
        }
    }
}

fn parse(content: &[u8]) -> Incoming {
    let invalid = |code, message: &str| Incoming::Invalid(Fault::new(code, message));
    let mut message = match serde_json::from_slice::<Value>(content) {
        Ok(Value::Object(message)) => message,
        Ok(_) => return invalid(Fault::INVALID_REQUEST, "a message is not a JSON object"),
        Err(error) => return invalid(Fault::PARSE, &format!("a message is not JSON: {error}")),
    };
    let id = message.remove("id").filter(|id| id.is_number() || id.is_string());
    let params = message.remove("params").unwrap_or(Value::Null);
    match message.remove("method") {
        Some(Value::String(method)) => Incoming::Call { id, method, params },
        None if message.contains_key("result") || message.contains_key("error") => Incoming::Answer,
        _ => invalid(Fault::INVALID_REQUEST, "a message has no `method`"),
    }
}

/// Writes messages.
pub(crate) struct Outgoing<'w> {
    output: &'w mut dyn Write,
}

impl<'w> Outgoing<'w> {
    pub(crate) fn new(output: &'w mut dyn Write) -> Self {
        Self { output }
    }

    pub(crate) fn answer(&mut self, id: &Value, result: Result<Value, Fault>) -> io::Result<()> {
        let message = match result {
            Ok(result) => json!({"jsonrpc": "2.0", "id": id, "result": result}),
            Err(fault) => {
                let error = json!({"code": fault.code, "message": fault.message});
                json!({"jsonrpc": "2.0", "id": id, "error": error})
            }
        };
        self.write(&message)
    }

    pub(crate) fn notify(&mut self, method: &str, params: &impl serde::Serialize) -> io::Result<()> {
        self.write(&json!({"jsonrpc": "2.0", "method": method, "params": params}))
    }

    fn write(&mut self, message: &Value) -> io::Result<()> {
        let content = serde_json::to_vec(message)?;
        write!(self.output, "Content-Length: {}\r\n\r\n", content.len())?;
        self.output.write_all(&content)?;
        self.output.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(mut input: &[u8]) -> Vec<Incoming> {
        std::iter::from_fn(|| read(&mut input).unwrap()).collect()
    }

    #[test]
    fn garbage_is_answered_and_reading_continues() {
        let message = r#"{"method":"a","id":3}"#;
        let text = format!(
            "garbage\n\r\nContent-Length: 3\r\n\r\n{{]}}Content-Length: 2\r\n\r\n[]Content-Length: x\r\n\r\n\
             content-length: {}\r\nOther: 1\r\n\r\n{message}Content-Length: 50\r\n\r\ncut",
            message.len()
        );
        let messages = all(text.as_bytes());
        let faults = messages.iter().filter(|message| matches!(message, Incoming::Invalid(_))).count();
        assert_eq!((messages.len(), faults), (6, 5), "{messages:?}");
        let call = Incoming::Call { id: Some(3.into()), method: "a".into(), params: Value::Null };
        assert_eq!(messages[5], call);
    }

    #[test]
    fn a_length_that_lies_allocates_nothing() {
        assert!(all(b"Content-Length: 1000000000\r\n\r\n{}").is_empty());
        assert!(all(b"Content-Length: 18446744073709551615\r\n\r\n{}").len() == 1);
    }
}
