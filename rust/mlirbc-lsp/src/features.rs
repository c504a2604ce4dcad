//! The requests about open documents, by method.

use gen_lsp_types::{
    CodeActionParams, CodeActionProvider, CompletionOptions, CompletionParams, DefinitionParams,
    DefinitionProvider, DocumentFormattingParams, DocumentFormattingProvider, DocumentSymbolParams,
    DocumentSymbolProvider, ExecuteCommandOptions, FoldingRangeParams, FoldingRangeProvider, HoverParams,
    HoverProvider, InitializeResult, InlayHintParams, InlayHintProvider, Location, PrepareRenameParams,
    ReferenceParams, ReferencesProvider, RenameOptions, RenameParams, RenameProvider, ServerCapabilities,
    ServerInfo, TextDocumentContent, TextDocumentContentOptions, TextDocumentPositionParams,
    TextDocumentSync, TextDocumentSyncKind, TextDocumentSyncOptions, TextEdit, Uri, WorkDoneProgressOptions,
    WorkspaceOptions,
};
use mlirbc::tool::format_text;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::bytecode::SCHEME;
use crate::completion::completions;
use crate::diagnostics::corrections;
use crate::document::Document;
use crate::hover::{hover, inlay_hints};
use crate::names::{definition, name_at, references};
use crate::rename::rename;
use crate::symbols::{document_symbols, folding_ranges};
use crate::transport::Fault;

/// The command that writes the text of bytecode.
pub(crate) const SAVE: &str = "mlirbc.save";

/// The result of a request.
pub(crate) type Answer = Result<Value, Fault>;

/// Finds open documents.
pub(crate) trait Documents {
    /// # Errors
    /// If the document is not open.
    fn document(&self, uri: &Uri) -> Result<&Document, Fault>;
}

/// Answers a request about a document.
///
/// # Errors
/// If the method is unknown, the parameters are invalid, or the request cannot be fulfilled.
pub(crate) fn answer(documents: &dyn Documents, method: &str, value: Value) -> Answer {
    match method {
        "textDocument/codeAction" => {
            let request: CodeActionParams = params(value)?;
            let document = documents.document(&request.text_document.uri)?;
            result(corrections(&request.text_document.uri, document, &request.range))
        }
        "textDocument/documentSymbol" => {
            let request: DocumentSymbolParams = params(value)?;
            result(document_symbols(documents.document(&request.text_document.uri)?))
        }
        "textDocument/foldingRange" => {
            let request: FoldingRangeParams = params(value)?;
            result(folding_ranges(documents.document(&request.text_document.uri)?))
        }
        "textDocument/inlayHint" => {
            let request: InlayHintParams = params(value)?;
            result(inlay_hints(documents.document(&request.text_document.uri)?, &request.range))
        }
        "textDocument/formatting" => {
            let request: DocumentFormattingParams = params(value)?;
            formatted(documents.document(&request.text_document.uri)?)
        }
        _ => at_position(documents, method, value),
    }
}

/// Answers a request about a position of a document.
fn at_position(documents: &dyn Documents, method: &str, value: Value) -> Answer {
    match method {
        "textDocument/hover" => {
            let request: HoverParams = params(value)?;
            let (document, offset) = place(documents, &request.text_document_position_params)?;
            result(hover(document, offset))
        }
        "textDocument/completion" => {
            let request: CompletionParams = params(value)?;
            let (document, offset) = place(documents, &request.text_document_position_params)?;
            result(completions(document, offset))
        }
        "textDocument/definition" => {
            let request: DefinitionParams = params(value)?;
            let at = &request.text_document_position_params;
            let (document, offset) = place(documents, at)?;
            let defined = name_at(document, offset).and_then(|name| definition(document, &name));
            result(defined.map(|defined| location(&at.text_document.uri, document, &defined.range)))
        }
        "textDocument/references" => {
            let request: ReferenceParams = params(value)?;
            let at = &request.text_document_position_params;
            let (document, offset) = place(documents, at)?;
            result(locations(&at.text_document.uri, document, offset, request.context.include_declaration))
        }
        "textDocument/prepareRename" => {
            let request: PrepareRenameParams = params(value)?;
            let (document, offset) = place(documents, &request.text_document_position_params)?;
            let name = name_at(document, offset).filter(|name| definition(document, name).is_some());
            result(name.map(|name| document.lines.range(&document.text, &name.renamed_range())))
        }
        "textDocument/rename" => {
            let request: RenameParams = params(value)?;
            let at = &request.text_document_position_params;
            let (document, offset) = place(documents, at)?;
            result(rename(&at.text_document.uri, document, offset, &request.new_name)?)
        }
        _ => Err(Fault::new(Fault::UNKNOWN_METHOD, format!("the server has no method `{method}`"))),
    }
}

/// Reads the parameters of a method.
///
/// # Errors
/// If the parameters are invalid.
pub(crate) fn params<T: DeserializeOwned>(value: Value) -> Result<T, Fault> {
    serde_json::from_value(value)
        .map_err(|error| Fault::new(Fault::INVALID_PARAMS, format!("the parameters are invalid: {error}")))
}

/// Writes the result of a method.
///
/// # Errors
/// If the value has no form in JSON.
pub(crate) fn result(value: impl serde::Serialize) -> Answer {
    serde_json::to_value(value).map_err(|error| Fault::refused(error.to_string()))
}

fn place<'d>(
    documents: &'d dyn Documents,
    request: &TextDocumentPositionParams,
) -> Result<(&'d Document, usize), Fault> {
    let document = documents.document(&request.text_document.uri)?;
    Ok((document, document.lines.offset(&document.text, request.position)))
}

fn location(uri: &Uri, document: &Document, range: &std::ops::Range<usize>) -> Location {
    Location { uri: uri.clone(), range: document.lines.range(&document.text, range) }
}

fn locations(uri: &Uri, document: &Document, offset: usize, with_definition: bool) -> Vec<Location> {
    let name = name_at(document, offset);
    let Some((name, defined)) =
        name.and_then(|name| Some((definition(document, &name)?, name))).map(|(one, two)| (two, one))
    else {
        return Vec::new();
    };
    let all = references(document, &name, &defined);
    let is_definition =
        |range: &std::ops::Range<usize>| range.start <= defined.range.start && defined.range.end <= range.end;
    let shown = all.iter().filter(|name| with_definition || !is_definition(&name.range));
    shown.map(|name| location(uri, document, &name.range)).collect()
}

/// Returns the edit that formats a document; none if it is formatted.
fn formatted(document: &Document) -> Answer {
    let formatted = format_text(document.text.as_bytes(), &document.options)
        .map_err(|error| Fault::refused(format!("the text is not formatted: {error}")))?;
    let new_text = String::from_utf8(formatted).map_err(|error| Fault::refused(error.to_string()))?;
    if new_text == document.text {
        return result(Vec::<TextEdit>::new());
    }
    let range = document.lines.range(&document.text, &(0..document.text.len()));
    result(vec![TextEdit { range, new_text }])
}

/// Returns what the server can do.
pub(crate) fn initialized() -> InitializeResult {
    let sync = TextDocumentSyncOptions {
        open_close: Some(true),
        change: Some(TextDocumentSyncKind::Incremental),
        ..TextDocumentSyncOptions::default()
    };
    let triggers = ["%", "^", "@", "#", "!", "."].map(str::to_owned).to_vec();
    let completion = CompletionOptions { trigger_characters: Some(triggers), ..CompletionOptions::default() };
    let rename = RenameOptions { prepare_provider: Some(true), ..RenameOptions::default() };
    let content = TextDocumentContentOptions { schemes: vec![SCHEME.to_owned()] };
    let workspace = WorkspaceOptions {
        text_document_content: Some(TextDocumentContent::Options(content)),
        ..WorkspaceOptions::default()
    };
    let commands = ExecuteCommandOptions {
        commands: vec![SAVE.to_owned()],
        work_done_progress_options: WorkDoneProgressOptions::default(),
    };
    InitializeResult {
        capabilities: ServerCapabilities {
            text_document_sync: Some(TextDocumentSync::Options(sync)),
            completion_provider: Some(completion),
            hover_provider: Some(HoverProvider::Bool(true)),
            definition_provider: Some(DefinitionProvider::Bool(true)),
            references_provider: Some(ReferencesProvider::Bool(true)),
            document_symbol_provider: Some(DocumentSymbolProvider::Bool(true)),
            code_action_provider: Some(CodeActionProvider::Bool(true)),
            document_formatting_provider: Some(DocumentFormattingProvider::Bool(true)),
            rename_provider: Some(RenameProvider::RenameOptions(rename)),
            folding_range_provider: Some(FoldingRangeProvider::Bool(true)),
            inlay_hint_provider: Some(InlayHintProvider::Bool(true)),
            execute_command_provider: Some(commands),
            workspace: Some(workspace),
            ..ServerCapabilities::default()
        },
        server_info: Some(ServerInfo {
            name: "mlirbc".to_owned(),
            version: Some(env!("CARGO_PKG_VERSION").to_owned()),
        }),
    }
}
