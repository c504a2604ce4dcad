//! The server: reads messages, keeps the open documents, and answers.

use std::collections::HashMap;
use std::io::{self, BufRead, BufReader, Read, Write};

use gen_lsp_types::{
    DidChangeTextDocumentParams, DidCloseTextDocumentParams, DidOpenTextDocumentParams, ExecuteCommandParams,
    PublishDiagnosticsParams, TextDocumentContentParams, TextDocumentContentResult, Uri,
};
use mlirbc::parse::ParseOptions;
use serde_json::Value;

use crate::bytecode::{ModuleLocation, SCHEME};
use crate::diagnostics::diagnostics;
use crate::document::{Document, Reading};
use crate::features::{Answer, Documents, SAVE, answer, initialized, params, result};
use crate::transport::{self, Fault, Incoming, Outgoing};

/// Options of a server.
///
/// ```
/// use mlirbc::parse::ParseOptions;
/// let options = mlirbc_lsp::ServerOptions::default().parse(ParseOptions::default().target("llvm-19".parse()?));
/// assert!(options.chooses_release);
/// # Ok::<(), mlirbc::Error>(())
/// ```
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct ServerOptions {
    /// How texts are parsed: the release, dialects and limits.
    pub parse: ParseOptions,
    /// Whether a text may be for another release, if the release of the options lacks its operations.
    pub chooses_release: bool,
}

impl Default for ServerOptions {
    fn default() -> Self {
        Self { parse: ParseOptions::default(), chooses_release: true }
    }
}

impl ServerOptions {
    /// Sets how texts are parsed.
    #[must_use]
    pub fn parse(mut self, parse: ParseOptions) -> Self {
        self.parse = parse;
        self
    }

    /// Sets whether a text may be for another release.
    #[must_use]
    pub fn chooses_release(mut self, chooses_release: bool) -> Self {
        self.chooses_release = chooses_release;
        self
    }
}

/// Serves a client until its `exit` notification or the end of the input. Returns whether the client shut the server down
/// before.
///
/// # Errors
/// The errors of the streams; messages that are invalid are answered.
pub fn serve(input: impl Read, mut output: impl Write, options: ServerOptions) -> io::Result<bool> {
    let mut input = BufReader::new(input);
    let mut server = Server {
        output: Outgoing::new(&mut output),
        documents: HashMap::new(),
        reading: Reading { options: options.parse, is_fixed: !options.chooses_release },
        state: State::Started,
    };
    server.run(&mut input)?;
    Ok(server.state == State::ShutDown)
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Started,
    Initialized,
    ShutDown,
}

struct Server<'w> {
    output: Outgoing<'w>,
    documents: HashMap<Uri, Document>,
    reading: Reading,
    state: State,
}

impl Server<'_> {
    fn run(&mut self, input: &mut dyn BufRead) -> io::Result<()> {
        while let Some(message) = transport::read(input)? {
            match message {
                Incoming::Invalid(fault) => self.output.answer(&Value::Null, Err(fault))?,
                Incoming::Answer => {}
                Incoming::Call { id: Some(id), method, params } => {
                    let answer = self.request(&method, params);
                    self.output.answer(&id, answer)?;
                }
                Incoming::Call { id: None, method, .. } if method == "exit" => return Ok(()),
                Incoming::Call { id: None, method, params } => self.notification(&method, params)?,
            }
        }
        Ok(())
    }

    fn request(&mut self, method: &str, params: Value) -> Answer {
        match (method, self.state) {
            ("initialize", State::Started) => {
                self.state = State::Initialized;
                result(initialized())
            }
            ("shutdown", _) => {
                self.state = State::ShutDown;
                Ok(Value::Null)
            }
            ("initialize", _) => Err(Fault::new(Fault::INVALID_REQUEST, "the server is initialized")),
            (_, State::Started) => {
                Err(Fault::new(Fault::NOT_INITIALIZED, "the first request is `initialize`"))
            }
            (_, State::ShutDown) => Err(Fault::new(Fault::INVALID_REQUEST, "the server is shut down")),
            (method, State::Initialized) => self.answer(method, params),
        }
    }

    fn answer(&self, method: &str, value: Value) -> Answer {
        match method {
            "workspace/textDocumentContent" => {
                let request: TextDocumentContentParams = params(value)?;
                let text = location(&request.uri)?.text(&self.reading.options).map_err(refused)?;
                result(TextDocumentContentResult { text })
            }
            "workspace/executeCommand" => {
                let request: ExecuteCommandParams = params(value)?;
                if request.command != SAVE {
                    let message = format!("the server has no command `{}`", request.command);
                    return Err(Fault::new(Fault::INVALID_PARAMS, message));
                }
                self.save(request.arguments.unwrap_or_default())
            }
            _ => answer(self, method, value),
        }
    }

    /// Writes the text of an open document into a bytecode file: the arguments are the URI of the document, and the URI of
    /// the file unless the first one names it.
    fn save(&self, arguments: Vec<Value>) -> Answer {
        let uris: Vec<Uri> = params(Value::Array(arguments))?;
        let (Some(uri), Some(file)) = (uris.first(), uris.last()) else {
            return Err(Fault::new(Fault::INVALID_PARAMS, format!("`{SAVE}` needs the URI of a document")));
        };
        let document = self.document(uri)?;
        location(file)?.save(&document.text, &self.reading.options).map_err(refused)?;
        Ok(Value::Null)
    }

    /// Handles a notification; an invalid one has no answer, and changes nothing.
    fn notification(&mut self, method: &str, value: Value) -> io::Result<()> {
        if self.state != State::Initialized {
            return Ok(());
        }
        match method {
            "textDocument/didOpen" => {
                let Ok(opened) = params::<DidOpenTextDocumentParams>(value) else { return Ok(()) };
                let item = opened.text_document;
                let reading = self.reading_of(&item.uri);
                let document = Document::new(item.text, item.version, &reading);
                self.documents.insert(item.uri.clone(), document);
                self.publish(&item.uri)
            }
            "textDocument/didChange" => {
                let Ok(changed) = params::<DidChangeTextDocumentParams>(value) else { return Ok(()) };
                let uri = changed.text_document.text_document_identifier.uri;
                let Some(document) = self.documents.get_mut(&uri) else { return Ok(()) };
                document.change(changed.content_changes, changed.text_document.version);
                self.publish(&uri)
            }
            "textDocument/didClose" => {
                let Ok(closed) = params::<DidCloseTextDocumentParams>(value) else { return Ok(()) };
                let uri = closed.text_document.uri;
                self.documents.remove(&uri);
                let empty = PublishDiagnosticsParams { uri, version: None, diagnostics: Vec::new() };
                self.output.notify("textDocument/publishDiagnostics", &empty)
            }
            _ => Ok(()),
        }
    }

    /// Returns how the text of a document is read: like the file if that is bytecode or an artifact.
    fn reading_of(&self, uri: &Uri) -> Reading {
        let location = ModuleLocation::of(uri).filter(|_| !uri.0.ends_with(".mlir"));
        let options = location.and_then(|location| location.options(&self.reading.options).ok());
        match options {
            Some(options) => Reading { options, is_fixed: true },
            None => self.reading.clone(),
        }
    }

    fn publish(&mut self, uri: &Uri) -> io::Result<()> {
        let Some(document) = self.documents.get(uri) else { return Ok(()) };
        let published = diagnostics(uri, document);
        self.output.notify("textDocument/publishDiagnostics", &published)
    }
}

impl Documents for Server<'_> {
    fn document(&self, uri: &Uri) -> Result<&Document, Fault> {
        let closed = || Fault::new(Fault::INVALID_PARAMS, format!("the document `{}` is not open", uri.0));
        self.documents.get(uri).ok_or_else(closed)
    }
}

fn location(uri: &Uri) -> Result<ModuleLocation, Fault> {
    let message = || format!("`{}` names no file; write `{SCHEME}:/folder/model.mlirbc`", uri.0);
    ModuleLocation::of(uri).ok_or_else(|| Fault::new(Fault::INVALID_PARAMS, message()))
}

/// Returns an error of the core as the answer of a request.
fn refused(error: mlirbc::Error) -> Fault {
    Fault::refused(format!("{error:?}"))
}
