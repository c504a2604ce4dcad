//! Attributes and types inside the text of a module: aliases, and parsing at the position of the scanner.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::table::unless_text;
use super::{Failure, Goal, ParseStep, Parsed, Parser};
use crate::attr::table::{EntryIndex, OwnedEntries};
use crate::attr::text::lexer::{Lexer, Token, TokenKind};
use crate::dialect::entries::{Entries, EntryRef};
use crate::dialect::node::Node;
use crate::dialect::table::{Encoding, Layout};
use crate::format::id::{AttrId, TypeId};
use crate::ops::OperationDefinitions;
use crate::props::class::Class;
use crate::props::is_of_other_project;
use crate::release::{KnownRelease, Llvm, registers};
use crate::wire::error::{Error, ErrorKind};
use crate::wire::limits::{ChargedVec, Limits};

/// The maximum depth to which texts within texts are parsed, such as a dictionary in the text of an attribute
/// of a dialect: each has a separate parser on the stack of the machine.
const MAX_FRAGMENTS: u32 = 8;

/// The aliases of a module, and other results of parsing that operations share.
#[derive(Default)]
pub(crate) struct Aliases {
    attributes: HashMap<Vec<u8>, u32>,
    types: HashMap<Vec<u8>, u32>,
    /// Attributes and types of operation definitions, by their text.
    fragments: [HashMap<Box<str>, u32, foldhash::fast::RandomState>; 2],
    /// The grouping of the expressions of maps and sets, by their index.
    pub(super) maps: HashMap<u32, Vec<u8>>,
    /// The original texts of renumbered distinct attributes, by their new text.
    pub(super) numbered: HashMap<Vec<u8>, Vec<u8>>,
    /// The dialects of the release, whose attributes and types MLIR prints again.
    pub(super) registered: Arc<HashSet<&'static str>>,
    /// Dialects that may be registered or not: their text is kept, except for the aliases in it.
    uncertain: HashSet<&'static str>,
    /// The pack whose dialects the text has.
    pub(super) pack: Option<&'static OperationDefinitions>,
    /// The release of the text, or the candidate builds: each of these has to read the result.
    pub(super) targets: Vec<&'static KnownRelease>,
}

/// Types, or attributes, by their text in the module. A module has few types, which most values share.
pub(crate) type KnownTypes<'t> = HashMap<&'t [u8], u32, foldhash::fast::RandomState>;

impl<'t> Parser<'t> {
    /// Creates a parser at the start of the text of a module, whose affine expressions are simplified as in
    /// `release`.
    pub(crate) fn embedded(text: &'t [u8], limits: &Limits, release: Llvm) -> Self {
        let mut this = Self { aliases: Some(Box::default()), release, ..Self::new(text, limits) };
        this.builder.set_release(release);
        this
    }

    /// Sets the dialects, and the release or the builds that may read the module; the text of other dialects
    /// is kept unchanged.
    pub(crate) fn register(
        &mut self,
        targets: Vec<&'static KnownRelease>,
        dialects: Arc<HashSet<&'static str>>,
    ) {
        if let Some(aliases) = &mut self.aliases {
            aliases.targets = targets;
            aliases.registered = dialects;
        }
    }

    /// Writes attributes and types of a pack in their usual form.
    pub(crate) fn use_pack(&mut self, definitions: &'static OperationDefinitions) {
        self.builder.prefer_release(definitions.release());
        if let Some(aliases) = &mut self.aliases {
            aliases.pack = Some(definitions);
        }
    }

    /// The pack whose dialects the text has.
    pub(crate) fn pack(&self) -> Option<&'static OperationDefinitions> {
        self.aliases.as_ref()?.pack
    }

    /// Keeps the text of registered dialects that `is_known` rejects, except for the aliases in it. Readers
    /// that register such a dialect parse the text, and all other readers keep it.
    pub(crate) fn register_only(&mut self, is_known: impl Fn(&str) -> bool) {
        let Some(aliases) = &mut self.aliases else { return };
        let registered = aliases.registered.iter().copied();
        let (certain, uncertain) = registered.partition::<HashSet<_>, _>(|name| is_known(name));
        aliases.registered = Arc::new(certain);
        aliases.uncertain.extend(uncertain);
    }

    /// The targets that read attributes and types of a dialect. Builds that do not register the dialect are
    /// excluded, if another target does register it.
    pub(super) fn readers_of(&self, dialect: &[u8]) -> impl Iterator<Item = &'static KnownRelease> {
        let registers = move |target: &&KnownRelease| registers(&target.name, dialect);
        let targets = self.aliases.as_ref().map_or(&[][..], |aliases| &aliases.targets).iter().copied();
        let is_related = move |target: &&KnownRelease| !is_of_other_project(&target.name, dialect);
        let has_related = targets.clone().any(|target| is_related(&target));
        let targets = targets.filter(move |target| !has_related || is_related(target));
        let is_certain = self.aliases.iter().all(|aliases| {
            std::str::from_utf8(dialect).is_ok_and(|dialect| !aliases.uncertain.contains(dialect))
        });
        let is_filtered = is_certain && targets.clone().any(|target| registers(&target));
        targets.filter(move |target| !is_filtered || registers(target))
    }

    /// The lexer of the text.
    pub(crate) fn lexer(&mut self) -> &mut Lexer<'t> {
        &mut self.lexer
    }

    /// The whole text.
    pub(crate) fn text(&self) -> &'t [u8] {
        self.text
    }

    /// Converts a failure to an error that names the text at its position.
    pub(crate) fn error_of(&self, failure: Failure) -> Error {
        match failure {
            Failure::Text(error) => {
                let refused = self.refuse(&error);
                let actual = refused.found().to_owned();
                let expected = refused.expected().to_owned();
                Error::new(ErrorKind::AsmSyntax, expected, actual).at(error.position as u64)
            }
            Failure::Other(error) => error,
        }
    }

    /// Begins the tables like the tables of a module, with these strings and the unknown location.
    pub(crate) fn begin_with<'s>(&mut self, strings: impl Iterator<Item = &'s [u8]>) -> Parsed<()> {
        for string in strings {
            self.builder.string(string);
        }
        self.make_attribute("UnknownLoc", |_| {})?;
        Ok(())
    }

    /// Returns the tables of all attributes and types, and the index that finds entries in them.
    pub(crate) fn finish(self) -> (Arc<OwnedEntries>, EntryIndex) {
        self.builder.finish_with_index()
    }

    /// Parses the attribute at this position.
    pub(crate) fn parse_attribute(&mut self) -> Parsed<AttrId> {
        let token = self.lexer.peek()?;
        if token.kind != TokenKind::Attribute || self.aliases.is_none() {
            return self.parse_goal(Goal::Attribute).map(AttrId::new);
        }
        // Equal texts of a dialect are the same attribute, which many operations have.
        let mut after = self.lexer.clone();
        after.seek(token.end);
        let Ok(Some(body)) = after.dialect_body() else {
            return self.parse_goal(Goal::Attribute).map(AttrId::new);
        };
        let end = token.end + body.len();
        let key = self.text.get(token.start..end).unwrap_or_default();
        let is_typed = after.peek().is_ok_and(|next| next.kind == TokenKind::Colon);
        if let Some(&index) = self.known_attributes.get(key).filter(|_| !is_typed) {
            self.lexer.seek(end);
            return Ok(AttrId::new(index));
        }
        let index = self.parse_goal(Goal::Attribute)?;
        if !is_typed && self.lexer.position() == end {
            self.known_attributes.insert(key, index);
        }
        Ok(AttrId::new(index))
    }

    /// Parses the type at this position.
    pub(crate) fn parse_type(&mut self, known_types: &mut KnownTypes<'t>) -> Parsed<TypeId> {
        let token = self.lexer.peek()?;
        let is_named = matches!(token.kind, TokenKind::IntegerType | TokenKind::Identifier | TokenKind::Type);
        if !is_named {
            return self.parse_type_here();
        }
        let mut after = self.lexer.clone();
        after.seek(token.end);
        let Ok(body) = after.dialect_body() else { return self.parse_type_here() };
        let end = token.end + body.map_or(0, <[u8]>::len);
        let key = self.text.get(token.start..end).unwrap_or_default();
        if let Some(&index) = known_types.get(key) {
            self.lexer.seek(end);
            return Ok(TypeId::new(index));
        }
        let index = self.parse_type_here()?;
        // The type may have ended elsewhere.
        let mut end_of_type = self.lexer.clone();
        end_of_type.seek(end);
        if end_of_type.peek().ok() == self.lexer.peek().ok() {
            known_types.insert(key, index.number());
        }
        Ok(index)
    }

    /// Parses the location at this position, without `loc(` and `)`.
    pub(crate) fn parse_location(&mut self) -> Parsed<AttrId> {
        self.parse_goal(Goal::Location).map(AttrId::new)
    }

    fn parse_type_here(&mut self) -> Parsed<TypeId> {
        self.parse_goal(Goal::Type).map(TypeId::new)
    }

    pub(super) fn parse_goal(&mut self, goal: Goal) -> Parsed<u32> {
        let index = self.run_above(0, ParseStep::Begin(goal));
        self.frames.clear();
        if !self.symbols.is_empty() {
            self.symbols.clear();
        }
        index
    }

    /// Parses an attribute or a type of an operation definition.
    pub(crate) fn fragment(&mut self, is_type: bool, text: &str) -> Parsed<u32> {
        let kind = usize::from(is_type);
        if let Some(&index) = self.aliases.as_ref().and_then(|aliases| aliases.fragments[kind].get(text)) {
            return Ok(index);
        }
        if self.fragment_depth >= MAX_FRAGMENTS {
            let message =
                format!("attributes of dialects are nested more than `{MAX_FRAGMENTS}` levels deep");
            let help = "let `mlir-opt` write the bytecode of this text";
            return Err(Error::message(ErrorKind::AsmForm, message).with_hint(help).into());
        }
        let builder = std::mem::replace(&mut self.builder, crate::attr::table::Builder::new());
        let limits = Limits::default();
        let mut inner = Parser::new(text.as_bytes(), &limits);
        inner.builder = builder;
        inner.budget = self.budget.clone();
        inner.frames = ChargedVec::new(&self.budget);
        inner.fragment_depth = self.fragment_depth + 1;
        // Symbols in the fragment are written as in the text of the module.
        inner.aliases = self.aliases.take();
        inner.release = self.release;
        let index = inner.run(if is_type { Goal::Type } else { Goal::Attribute });
        // A position within the fragment is not a position in the text around it.
        let place = self.lexer.position() as u64;
        let index = index.map_err(|failure| match failure {
            Failure::Text(error) => inner.refuse(&error).at(place),
            Failure::Other(error) if error.offset().is_some() => error.at(place),
            Failure::Other(error) => error,
        });
        self.builder = inner.builder;
        self.aliases = inner.aliases;
        let index = index?;
        if let Some(aliases) = &mut self.aliases {
            self.budget.spend(text.len() + 2 * size_of::<(Box<str>, u32)>())?;
            aliases.fragments[kind].insert(text.into(), index);
        }
        Ok(index)
    }

    /// Defines an alias and returns whether it is new.
    pub(crate) fn define_alias(&mut self, is_type: bool, name: &[u8], index: u32) -> bool {
        let Some(aliases) = &mut self.aliases else { return true };
        let aliases_by_name = if is_type { &mut aliases.types } else { &mut aliases.attributes };
        aliases_by_name.insert(name.to_vec(), index).is_none()
    }

    /// The names of the aliases so far.
    pub(crate) fn alias_names(&self, is_type: bool) -> impl Iterator<Item = &[u8]> {
        let aliases = self.aliases.iter();
        aliases
            .flat_map(move |all| if is_type { &all.types } else { &all.attributes }.keys().map(Vec::as_slice))
    }

    /// The attribute of an alias, if it is defined.
    pub(crate) fn attribute_alias(&self, name: &[u8]) -> Option<u32> {
        self.aliases.as_ref()?.attributes.get(name).copied()
    }

    /// Returns the entry of the alias that is `token`; `None` if `token` is not the name of an alias.
    pub(super) fn alias(&mut self, token: Token) -> Parsed<Option<u32>> {
        let Some(aliases) = &self.aliases else { return Ok(None) };
        let name = self.lexer.spelling(token).get(1..).unwrap_or_default();
        if name.contains(&b'.') || self.text.get(token.end) == Some(&b'<') {
            return Ok(None);
        }
        let is_type = token.kind == TokenKind::Type;
        let aliases_by_name = if is_type { &aliases.types } else { &aliases.attributes };
        match aliases_by_name.get(name) {
            Some(&index) => Ok(Some(index)),
            None if is_type => self.fail(token, "the alias of a type, defined before its use"),
            None => self.fail(token, "the alias of an attribute, defined before its use"),
        }
    }

    /// Returns the text of a symbol of a dialect with a table, with its aliases replaced by their entries.
    pub(super) fn without_aliases(&mut self, dialect: &[u8], symbol: Vec<u8>) -> Parsed<Vec<u8>> {
        let Some(aliases) = &self.aliases else { return Ok(symbol) };
        if aliases.attributes.is_empty() && aliases.types.is_empty() {
            return Ok(symbol);
        }
        let is_registered = std::str::from_utf8(dialect)
            .is_ok_and(|name| aliases.registered.contains(name) || aliases.uncertain.contains(name));
        let dialect = self.builder.dialect(dialect);
        if self.builder.table_of(dialect).is_none() && !is_registered {
            return Ok(symbol);
        }
        let mut lexer = Lexer::new(&symbol);
        let (mut out, mut copied) = (Vec::new(), 0);
        // An invalid token is not an alias either.
        while let Ok(token) = lexer.next() {
            let aliases_by_name = match token.kind {
                TokenKind::End => break,
                TokenKind::Attribute => &aliases.attributes,
                TokenKind::Type => &aliases.types,
                _ => continue,
            };
            let Some(&index) = aliases_by_name.get(lexer.spelling(token).get(1..).unwrap_or_default()) else {
                continue;
            };
            let entry_ref = match token.kind {
                TokenKind::Type => EntryRef::Type(TypeId::new(index)),
                _ => EntryRef::Attribute(AttrId::new(index)),
            };
            out.extend_from_slice(symbol.get(copied..token.start).unwrap_or_default());
            out.extend(self.entry_text(entry_ref)?);
            copied = token.end;
        }
        out.extend_from_slice(symbol.get(copied..).unwrap_or_default());
        let added = out.len().saturating_sub(symbol.len());
        self.charge(added)?;
        Ok(out)
    }

    /// The maximum size of the text of an entry: an entry that shares parts may be far longer than the input.
    pub(super) fn longest_text(&self) -> u64 {
        let longest = (self.text.len() as u64).saturating_mul(64).saturating_add(16 << 20);
        longest.min(self.budget.memory_left())
    }

    /// Whether an attribute is a location.
    pub(crate) fn is_location(&self, index: AttrId) -> bool {
        Class::Location.fits(index, self.builder.entries())
    }

    // ---- entries that parsers of operations make ----

    /// Returns the bytes of a string literal or of a symbol name.
    pub(crate) fn string_of(&self, token: Token) -> Parsed<Vec<u8>> {
        let spelling = self.lexer.spelling(token);
        match token.kind {
            TokenKind::Symbol if spelling.get(1) == Some(&b'"') => {
                self.unquoted(Token { start: token.start + 1, ..token })
            }
            TokenKind::Symbol => Ok(spelling.get(1..).unwrap_or_default().to_vec()),
            _ => self.unquoted(token),
        }
    }

    /// Returns the bytes of a string literal without escapes.
    pub(crate) fn plain_string(&self, token: Token) -> Option<&'t [u8]> {
        let inside = self.lexer.spelling(token).strip_prefix(b"\"")?.strip_suffix(b"\"")?;
        (!inside.contains(&b'\\')).then_some(inside)
    }

    /// Calls `with` with the class, the layout and the fields of an entry of a dialect with a table.
    pub(crate) fn decoded<T>(
        &self,
        entry_ref: EntryRef,
        with: impl FnOnce(&Encoding, &Layout, &Node) -> Option<T>,
    ) -> Option<T> {
        let entries = self.builder.entries();
        let mut node = Node::default();
        let entry = entries.entry(entry_ref)?;
        let (form, layout) = entry.decode(entry_ref, entries, &mut node).ok()??;
        with(form, form.layouts.get(layout)?, &node)
    }

    /// Parses the text of an attribute or a type of a dialect without its name, where an operation allows
    /// only this class.
    pub(crate) fn stripped(&mut self, is_type: bool, class: &str) -> Parsed<u32> {
        let token = self.lexer.peek()?;
        let Some((name, mnemonic)) = class.split_once('.') else {
            return self.fail(token, "an attribute or a type");
        };
        let dialect = self.builder.dialect(name.as_bytes());
        if let Some(table) = self.builder.table_of(dialect) {
            let forms = if is_type { &table.types } else { &table.attributes };
            let start = self.lexer.clone();
            for form in &forms.rows {
                if form.mnemonic.as_deref() != Some(mnemonic) {
                    continue;
                }
                self.lexer = start.clone();
                let entry = self.form_entry(&table, dialect, form, is_type);
                self.frames.clear();
                if let Some(index) = unless_text(entry)? {
                    return Ok(index);
                }
            }
            self.lexer = start;
        }
        let sigil = if is_type { "!" } else { "#" };
        self.lexer.seek(token.start);
        if let Some(index) = self.declared_in_place((is_type, name, mnemonic), token)? {
            return Ok(index);
        }
        let text = match self.lexer.dialect_body()? {
            Some(body) => [sigil.as_bytes(), class.as_bytes(), body].concat(),
            None if token.kind == TokenKind::Identifier => {
                self.lexer.seek(token.end);
                let word = self.lexer.spelling(token);
                [sigil.as_bytes(), name.as_bytes(), b"<", mnemonic.as_bytes(), b" ", word, b">"].concat()
            }
            // C++ of a dialect may begin with these.
            None if matches!(token.kind, TokenKind::Symbol | TokenKind::LeftSquare) => {
                let body = self.bare_body(token)?;
                [sigil.as_bytes(), name.as_bytes(), b"<", mnemonic.as_bytes(), body, b">"].concat()
            }
            None => return self.fail(token, "the parameters of an attribute or a type, in `<` and `>`"),
        };
        let text = match text.split_at_checked(1) {
            Some((sigil, rest)) => {
                let kind = (*sigil.first().unwrap_or(&b'#'), name.as_bytes());
                let (prefix, symbol) = rest.split_at(name.len() + 1);
                match prefix.ends_with(b".") {
                    true => {
                        let symbol = self.without_aliases(kind.1, symbol.to_vec())?;
                        [sigil, prefix, &self.respaced(kind, symbol, token)?].concat()
                    }
                    false => text,
                }
            }
            None => text,
        };
        Ok(super::index_of(self.builder.text(is_type, dialect, &text)?).number())
    }

    /// `@a::@b`, or a list in brackets, as it is.
    fn bare_body(&mut self, first: Token) -> Parsed<&'t [u8]> {
        self.lexer.seek(first.start);
        let mut end = first.end;
        let mut depth = 0usize;
        loop {
            let token = self.lexer.next()?;
            match token.kind {
                TokenKind::LeftSquare | TokenKind::Less => depth += 1,
                TokenKind::RightSquare | TokenKind::Greater => depth = depth.saturating_sub(1),
                TokenKind::End => return self.fail(token, "a closing bracket"),
                _ => {}
            }
            end = end.max(token.end);
            let mut ahead = self.lexer.clone();
            let (one, two) = (ahead.next()?, ahead.next().ok());
            let is_colon = |token: Token| token.kind == TokenKind::Colon;
            let are_colons = is_colon(one) && two.is_some_and(|two| is_colon(two) && two.start == one.end);
            let is_nested = first.kind == TokenKind::Symbol && (are_colons || is_colon(token));
            if depth == 0 && !is_nested {
                self.lexer.seek(end);
                return Ok(self.lexer.spelling(Token { end, ..first }));
            }
        }
    }

    /// Whether the dialect of `dialect.mnemonic` has a table. A table that users bring may lack the attribute.
    pub(crate) fn has_table(&mut self, class: &str) -> bool {
        let (dialect, mnemonic) = class.split_once('.').unwrap_or((class, ""));
        let dialect = self.builder.dialect(dialect.as_bytes());
        let has = |form: &Encoding| form.mnemonic.as_deref() == Some(mnemonic);
        let table = self.builder.table_of(dialect);
        table.is_some_and(|table| table.is_shipped || table.attributes.rows.iter().any(has))
    }

    /// The tables so far.
    pub(crate) fn entries(&self) -> &OwnedEntries {
        self.builder.entries()
    }
}
