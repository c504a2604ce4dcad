//! The top level of a text: operations, aliases and metadata.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use crate::attr::text::lexer::TokenKind;
use crate::attr::text::parse::{Parsed, Parser};
use crate::edit::Editor;
use crate::file::candidate_releases;
use crate::file::release::ReleaseOrigin;
use crate::file::{ReadOptions, WrittenForms};
use crate::ops::{CandidateReleases, OperationDefinitions, TextDefinitions, observed_operations};
use crate::props::registry::Schemas;
use crate::release::{KnownRelease, absent_dialects};
use crate::wire::error::{ErrorKind, Result};
use crate::wire::limits::Limits;
use crate::wire::version::BytecodeVersion;

use super::ParseOptions;
use super::attribute_lists::AttributeLists;
use super::case_spelling::CaseSpelling;
use super::completion_cache::CompletionCache;
use super::dialects::llvm_members::Containers;
use super::frames::{AsmParser, wrong};
use super::recovery::Recovery;
use super::resolve_rows::FirstRows;
use super::source::Source;

impl<'t> AsmParser<'t> {
    pub(super) fn new(text: &'t [u8], options: &'t ParseOptions) -> Result<Self> {
        let schema = Schemas::snapshot(&[]).find(options.target.as_str())?;
        let release = schema.llvm_or_included();
        let version = match options.version {
            Some(version) => {
                crate::release::check_version(options.target.as_str(), version)?;
                version
            }
            None => newest_version(options.target.as_str())?,
        };
        // Limits depend on the size of the text, not of the empty module. They count in bytes of a file,
        // whose rows and entries are smaller than those in memory.
        const BYTES_OF_A_FILE: u64 = 4;
        let len = (text.len() as u64).saturating_mul(BYTES_OF_A_FILE);
        let limits = Limits {
            max_memory: Some(options.limits.memory(len)),
            max_text: Some(options.limits.text(text.len() as u64)),
            ..options.limits.clone()
        };
        // The writer stores attributes and types of dialects that it does not register as text.
        let forms = match &options.like {
            Some(like) => like.written_forms()?,
            None => WrittenForms::default(),
        };
        let with_tables = crate::dialect::registered_dialects().into_iter();
        let unknown_dialects: Vec<String> = with_tables.filter(|name| forms.is_unregistered(name)).collect();
        let read = ReadOptions {
            limits,
            unknown_dialects: unknown_dialects.clone(),
            interrupt: options.interrupt.clone(),
            dialects: options.dialects.clone(),
            interfaces: options.interfaces.clone(),
            like: options.like.clone(),
            ..ReadOptions::default()
        };
        let mut editor = Editor::create_module_with(&options.target, version, None, read)?;
        let module = editor.operation()?;
        editor.body(module)?;
        let first = FirstRows { ops: editor.arena.ops.len(), values: editor.arena.values.len() };
        let mut parser = Parser::embedded(text, &options.limits, release);
        if !options.dialects.is_empty() || !unknown_dialects.is_empty() {
            parser.use_tables(&options.dialects, &unknown_dialects);
        }
        let around = releases_around(options)?;
        let definitions = TextDefinitions::new(options.target.as_str(), release, around.clone());
        let mut dialects =
            dialects_of(options.target.as_str(), definitions.as_ref().map(TextDefinitions::nearest));
        if dialects.iter().any(|name| forms.is_unregistered(name)) {
            Arc::make_mut(&mut dialects).retain(|name| !forms.is_unregistered(name));
        }
        parser.register(readers(options)?, dialects);
        let nearest = definitions.as_ref().map(TextDefinitions::nearest);
        if let Some(of_pack) = nearest.filter(|nearest| nearest.is_of_pack()) {
            parser.use_pack(of_pack);
            // The C++ of the project decides about spaces of other texts.
            parser.register_only(|name| !of_pack.has_dialect(name));
        }
        if options.like.is_some() && !editor.base.release()?.is_exact() {
            let release = editor.base.release()?;
            parser.register_only(|name| {
                name == "builtin" || release.registers_dialect(name.as_bytes()) == Some(true)
            });
        }
        let placed = |failure| parser_error(failure);
        // The tables of the text can then be moved into the module instead of copied.
        let strings = editor.base.tables().strings()?;
        parser.begin_with(strings.iter()).map_err(placed)?;
        let file = parser.string_value(options.file.as_bytes()).map_err(placed)?;
        Ok(Self {
            source: Source::new(text, &options.file, options.first_line),
            definitions,
            cases: CaseSpelling::new(options, release, around.as_ref()),
            around,
            text: parser,
            options,
            editor,
            release,
            schema,
            infos: HashMap::default(),
            infos_by_index: HashMap::default(),
            types: HashMap::default(),
            file: file.number(),
            places: Vec::new(),
            frames: Vec::new(),
            item: 0,
            items: 0,
            recovery: Recovery::default(),
            full_name: Vec::new(),
            completions: CompletionCache::default(),
            containers: Containers::default(),
            repeated: Default::default(),
            result_names: Vec::new(),
            spare_ops: Vec::new(),
            spare_customs: Vec::new(),
            spare_lists: Vec::new(),
            spare_values: Vec::new(),
            values: Default::default(),
            defined: Vec::new(),
            forward: 0,
            attribute_names: Vec::new(),
            attribute_name_ids: HashMap::default(),
            lists: AttributeLists::default(),
            deferred: Vec::new(),
            located_like: Vec::new(),
            placed_elsewhere: Vec::new(),
            later: Vec::new(),
            top: Vec::new(),
            resources: Vec::new(),
            first,
            surroundings: None,
            survey: None,
        })
    }

    /// Parses one item of the top level; returns `false` at the end of the text.
    pub(super) fn top_level(&mut self) -> Parsed<bool> {
        self.item = self.lexer().position();
        let token = self.peek()?;
        self.item = token.start;
        match token.kind {
            TokenKind::End => return Ok(false),
            TokenKind::Attribute | TokenKind::Type => {
                self.lexer().seek(token.end);
                let is_type = token.kind == TokenKind::Type;
                let name = self.spelling(token).get(1..).unwrap_or_default();
                if name.contains(&b'.') {
                    let message = "the name of an alias has no dot, which is for the names of dialects";
                    return Err(wrong(ErrorKind::AsmName, token.start, message));
                }
                self.expect(TokenKind::Equal, "`=` after the name of an alias")?;
                let index = match is_type {
                    true => self.parse_type()?.number(),
                    false => self.text.parse_attribute()?.number(),
                };
                if !self.text.define_alias(is_type, name, index) {
                    let name = String::from_utf8_lossy(name);
                    let message = format!("alias `{name}` is defined twice");
                    return Err(wrong(ErrorKind::AsmName, token.start, message));
                }
            }
            TokenKind::MetadataBegin => {
                self.lexer().seek(token.end);
                self.metadata()?;
            }
            _ => {
                let mut outer = self.surroundings.as_mut().and_then(|around| around.region.take());
                let pending = self.begin_op(None, outer.as_deref_mut());
                if let Some(around) = &mut self.surroundings {
                    around.region = outer;
                }
                self.frames.push(super::frames::OpenFrame::Op(pending?));
            }
        }
        Ok(true)
    }
}

/// Returns the release that reads the module, or the builds that may have written the reference file.
fn readers(options: &ParseOptions) -> Result<Vec<&'static KnownRelease>> {
    let Some(release) = crate::release::find_base(options.target.as_str())? else { return Ok(Vec::new()) };
    match &options.like {
        Some(like) if *like.release()?.origin() != ReleaseOrigin::Caller => {
            crate::release::builds_like(release)
        }
        _ => Ok(vec![release]),
    }
}

/// Returns the releases around the build of the reference file; `None` if the release is known.
fn releases_around(options: &ParseOptions) -> Result<Option<CandidateReleases>> {
    let Some(like) = &options.like else { return Ok(None) };
    let release = like.release()?;
    let is_specified = *release.origin() == ReleaseOrigin::Caller;
    Ok((!is_specified).then(|| candidate_releases(release, like.release_llvm())))
}

// Dialects that have attributes but no operations, by the start of the releases' names.
const WITHOUT_OPERATIONS: [(&str, &str); 3] = [("", "dlti"), ("iree-", "iree_cpu"), ("iree-", "iree_map")];

/// Returns the dialects of a release, collected once, because that takes longer than parsing a small text. A
/// release without definitions has the dialects of the nearest one, and of the operations whose form was
/// observed.
fn dialects_of(
    target: &str,
    definitions: Option<&'static OperationDefinitions>,
) -> Arc<HashSet<&'static str>> {
    type DialectsByTarget = HashMap<Box<str>, Arc<HashSet<&'static str>>>;
    static CACHE: LazyLock<Mutex<DialectsByTarget>> = LazyLock::new(Mutex::default);
    let release = definitions.map_or("", OperationDefinitions::release);
    // An unknown target was registered by the user, who may choose any name.
    let target = crate::release::find(target).ok().flatten().map_or(release, |target| &*target.name);
    let mut dialects_by_target = CACHE.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(dialects) = dialects_by_target.get(target) {
        return dialects.clone();
    }
    let names = definitions.into_iter().flat_map(|definitions| definitions.names());
    let names = names.chain(observed_operations(target));
    let dialects = names.filter_map(|name| name.split_once('.').map(|(dialect, _)| dialect));
    let without_operations = WITHOUT_OPERATIONS.iter().filter(|(start, _)| target.starts_with(start));
    let mut dialects = dialects.chain(without_operations.map(|&(_, name)| name)).collect::<HashSet<_>>();
    for absent in absent_dialects(release).iter().chain(absent_dialects(target)) {
        dialects.remove(&**absent);
    }
    let dialects = Arc::new(dialects);
    dialects_by_target.insert(target.into(), dialects.clone());
    dialects
}

#[cold]
fn parser_error(failure: crate::attr::text::parse::Failure) -> crate::wire::error::Error {
    match failure {
        crate::attr::text::parse::Failure::Other(error) => error,
        crate::attr::text::parse::Failure::Text(error) => {
            crate::wire::error::Error::message(ErrorKind::AsmSyntax, error.to_string())
        }
    }
}

/// Returns the version that the release writes by default.
fn newest_version(target: &str) -> Result<BytecodeVersion> {
    Ok(match crate::release::find_base(target)? {
        Some(release) => release.newest_version(),
        None => BytecodeVersion::MAX,
    })
}
