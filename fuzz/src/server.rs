//! A process of `mlir-lsp-server` that converts bytecode to text.
//!
//! Messages have a header with their length and a body in JSON-RPC, as in the Language Server Protocol.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

use serde_json::{Value, json};

/// The time after which a request counts as a hang.
const PATIENCE: Duration = Duration::from_secs(10);

/// MLIR's answer for a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// The text, in custom form with locations.
    Accepted(String),
    /// The error message.
    Rejected(String),
}

/// The process. It is started again after a crash or a hang.
#[derive(Debug)]
pub struct Server {
    program: PathBuf,
    release: String,
    file: PathBuf,
    process: Child,
    input: ChildStdin,
    messages: Receiver<Value>,
    count: u64,
}

impl Server {
    /// Starts the program.
    ///
    /// # Errors
    /// If it cannot be started, is not a language server, or does not say its release.
    pub fn start(program: PathBuf) -> io::Result<Self> {
        let release = release_of(&program)?;
        let file = std::env::temp_dir().join(format!("mlirbc-oracle-{}.mlirbc", std::process::id()));
        let (process, input, messages) = spawn(&program)?;
        let mut server = Self { program, release, file, process, input, messages, count: 0 };
        server.initialize()?;
        Ok(server)
    }

    /// Returns the release, as in [`mlirbc::ReadOptions::release`].
    pub fn release(&self) -> &str {
        &self.release
    }

    /// Returns the text of a file, or the reason why MLIR refuses it.
    ///
    /// # Errors
    /// If the program crashed or hung; it is started again.
    pub fn convert(&mut self, data: &[u8]) -> io::Result<Answer> {
        std::fs::write(&self.file, data)?;
        let uri = format!("file://{}", self.file.display());
        match self.request("mlir/convertFromBytecode", json!({ "uri": uri })) {
            Ok(mut message) => Ok(match message["result"]["output"].take() {
                Value::String(text) => Answer::Accepted(text),
                _ => Answer::Rejected(message["error"]["message"].as_str().unwrap_or_default().to_owned()),
            }),
            Err(error) => {
                self.stop();
                (self.process, self.input, self.messages) = spawn(&self.program)?;
                self.initialize()?;
                Err(error)
            }
        }
    }

    fn initialize(&mut self) -> io::Result<()> {
        self.request("initialize", json!({ "processId": null, "rootUri": null, "capabilities": {} }))
            .map(drop)
    }

    fn request(&mut self, method: &str, params: Value) -> io::Result<Value> {
        self.count += 1;
        let body = json!({ "jsonrpc": "2.0", "id": self.count, "method": method, "params": params });
        let body = body.to_string();
        write!(self.input, "Content-Length: {}\r\n\r\n{body}", body.len())?;
        self.input.flush()?;
        loop {
            let message = self.messages.recv_timeout(PATIENCE).map_err(|error| match error {
                RecvTimeoutError::Timeout => io::Error::from(io::ErrorKind::TimedOut),
                RecvTimeoutError::Disconnected => io::Error::from(io::ErrorKind::UnexpectedEof),
            })?;
            // Other messages are notifications.
            if message["id"] == self.count {
                return Ok(message);
            }
        }
    }

    fn stop(&mut self) {
        // Both calls fail only if the process has ended.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stop();
        let _ = std::fs::remove_file(&self.file);
    }
}

fn spawn(program: &Path) -> io::Result<(Child, ChildStdin, Receiver<Value>)> {
    let mut process =
        Command::new(program).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn()?;
    let (Some(input), Some(output)) = (process.stdin.take(), process.stdout.take()) else {
        return Err(io::ErrorKind::BrokenPipe.into());
    };
    let (sender, messages) = channel();
    // A thread reads, because a read of a pipe has no time limit. It ends with the process.
    std::thread::spawn(move || {
        let mut output = BufReader::new(output);
        while let Ok(message) = receive(&mut output) {
            if sender.send(message).is_err() {
                break;
            }
        }
    });
    Ok((process, input, messages))
}

fn receive(output: &mut impl BufRead) -> io::Result<Value> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        if output.read_line(&mut line)? == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        let line = line.trim_end();
        if line.is_empty() {
            break;
        }
        if let Some(number) = line.strip_prefix("Content-Length:") {
            length = number.trim().parse().map_err(|_| io::ErrorKind::InvalidData)?;
        }
    }
    let mut body = Vec::new();
    output.take(length).read_to_end(&mut body)?;
    Ok(serde_json::from_slice(&body)?)
}

/// Returns `llvm-22` for a program of LLVM 22.
fn release_of(program: &Path) -> io::Result<String> {
    let output = Command::new(program).arg("--version").stdin(Stdio::null()).output()?;
    let text = String::from_utf8_lossy(&output.stdout);
    let major = text.split_once("LLVM version ").and_then(|(_, rest)| rest.split('.').next());
    major
        .map(|major| format!("llvm-{major}"))
        .ok_or_else(|| io::Error::other(format!("{} does not say its release", program.display())))
}
