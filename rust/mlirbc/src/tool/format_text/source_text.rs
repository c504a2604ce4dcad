//! The operations, names and comments of a source text, by their positions.

use std::collections::{HashMap, HashSet};

use crate::attr::Attribute;
use crate::attr::text::lexer::{Lexer, Token, TokenKind};
use crate::ir::{Module, Operation, Value};
use crate::parse::{ParseOptions, parse};
use crate::wire::error::{Result, TextPlace};

use super::{OpKey, key_of};

/// The name of the file in positions.
const FILE: &str = "formatted text";

/// A text with its tokens; bytes that are no tokens are left out.
pub(super) struct SourceText<'t> {
    text: &'t [u8],
    tokens: Vec<Token>,
}

/// An operation of the text.
struct SourceOperation {
    /// The index of the token with which its results or its name begin.
    token: usize,
    key: OpKey,
}

/// The positions of a module in its text.
pub(super) struct Positions {
    operations: Vec<SourceOperation>,
    /// The names of values without `%`: by body and bits of the value.
    pub(super) value_names: HashMap<(u32, u32), Vec<u8>>,
    /// The line and the column of each operation. Operations that are not in the text have the place of an operation around
    /// them.
    lines: HashMap<OpKey, (u64, u64)>,
    in_text: HashSet<OpKey>,
    parents: HashMap<OpKey, OpKey>,
    /// Whether the module operation is not in the text.
    pub(super) is_wrapped: bool,
}

/// Where comments belong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Anchor {
    /// The beginning of the text.
    Top,
    /// Lines before the operation.
    Before(OpKey),
    /// Lines after the operation.
    After(OpKey),
    /// Lines at the end of the last region of the operation.
    AtEndInside(OpKey),
    /// The end of the first line of the operation.
    OnFirstLine(OpKey),
    /// The end of the last line of the operation.
    OnLastLine(OpKey),
}

/// Lines of comments, with an empty line for one or more empty lines of the source.
#[derive(Debug)]
pub(super) struct Comment<'t> {
    pub(super) anchor: Anchor,
    pub(super) lines: Vec<&'t [u8]>,
}

impl<'t> SourceText<'t> {
    pub(super) fn new(text: &'t [u8]) -> Self {
        let mut lexer = Lexer::new(text);
        let mut tokens = Vec::new();
        loop {
            match lexer.next() {
                Ok(token) => {
                    tokens.push(token);
                    if token.kind == TokenKind::End {
                        return Self { text, tokens };
                    }
                }
                Err(error) => lexer.seek(error.position.max(lexer.position()) + 1),
            }
        }
    }

    fn spelling(&self, token: Token) -> &'t [u8] {
        self.text.get(token.start..token.end).unwrap_or_default()
    }

    fn kind(&self, index: usize) -> Option<TokenKind> {
        self.tokens.get(index).map(|token| token.kind)
    }

    /// The index of the token with the name of an operation whose location is a token: the name itself, or what follows it,
    /// because the parsers of some operations take their location later.
    fn name_token(&self, location: usize, operation: &str) -> Option<usize> {
        const MOST_AFTER: usize = 3;
        let is_name = |index: &usize| {
            let spelling = self.tokens.get(*index).map(|token| self.spelling(*token)).unwrap_or_default();
            let name =
                spelling.strip_prefix(b"\"").and_then(|name| name.strip_suffix(b"\"")).unwrap_or(spelling);
            let before = operation.as_bytes().strip_suffix(name);
            !name.is_empty() && before.is_some_and(|before| before.is_empty() || before.ends_with(b"."))
        };
        (location.saturating_sub(MOST_AFTER)..=location).rev().find(is_name)
    }

    /// The number of tokens in the lists of resources at the end of the text.
    pub(super) fn metadata_tokens(&self) -> usize {
        let start = self.tokens.iter().position(|token| token.kind == TokenKind::MetadataBegin);
        start.map_or(0, |start| self.tokens.len() - start)
    }

    /// Whether the text has locations.
    pub(super) fn has_locations(&self) -> bool {
        self.tokens.windows(2).any(|pair| {
            matches!(pair, [word, open] if word.kind == TokenKind::Identifier
                && self.spelling(*word) == b"loc" && open.kind == TokenKind::LeftParen)
        })
    }

    /// All names of values, without `%`.
    pub(super) fn names(&self) -> HashSet<&'t [u8]> {
        let values = self.tokens.iter().filter(|token| token.kind == TokenKind::Value);
        values.map(|token| self.spelling(*token).get(1..).unwrap_or_default()).collect()
    }

    /// The results before the name of an operation: the index of the first token, and each name with its count.
    fn results_before(&self, name: usize) -> (usize, Vec<(&'t [u8], usize)>) {
        let mut results = Vec::new();
        let Some(mut end) = name.checked_sub(1).filter(|&at| self.kind(at) == Some(TokenKind::Equal)) else {
            return (name, results);
        };
        let mut first = name;
        loop {
            let is_counted = end >= 3
                && self.kind(end - 1) == Some(TokenKind::Integer)
                && self.kind(end - 2) == Some(TokenKind::Colon);
            let at = if is_counted { end.wrapping_sub(3) } else { end.wrapping_sub(1) };
            let Some(token) = self.tokens.get(at).filter(|token| token.kind == TokenKind::Value) else {
                break;
            };
            let digits = self.tokens.get(end - 1).map(|token| self.spelling(*token)).unwrap_or_default();
            let count = std::str::from_utf8(digits).ok().and_then(|digits| digits.parse().ok());
            let count = count.filter(|_| is_counted).unwrap_or(1);
            results.push((self.spelling(*token).get(1..).unwrap_or_default(), count));
            first = at;
            match at.checked_sub(1).filter(|&before| self.kind(before) == Some(TokenKind::Comma)) {
                Some(comma) => end = comma,
                None => break,
            }
        }
        results.reverse();
        (first, results)
    }

    /// The comments and, between operations, the empty lines of the text.
    pub(super) fn comments(&self, positions: &Positions) -> Vec<Comment<'t>> {
        let (mut comments, mut around, mut end) = (Vec::new(), Around::default(), 0);
        for (index, token) in self.tokens.iter().enumerate() {
            let gap = self.text.get(end..token.start).unwrap_or_default();
            if gap.contains(&b'\n') || gap.contains(&b'/') {
                self.add_comments((index, gap), around, positions, &mut comments);
            }
            around.pass(index, token.kind, positions);
            end = token.end;
        }
        comments
    }

    fn add_comments(
        &self,
        (index, gap): (usize, &'t [u8]),
        around: Around,
        positions: &Positions,
        comments: &mut Vec<Comment<'t>>,
    ) {
        let mut lines: Vec<&'t [u8]> = gap.split(|byte| *byte == b'\n').map(comment_of).collect();
        // The last line is the indentation of the token.
        if lines.last().is_some_and(|line| line.is_empty()) {
            lines.pop();
        }
        if index > 0 && !lines.is_empty() {
            let trailing = lines.remove(0);
            if !trailing.is_empty() && !is_of_printer(trailing) {
                let anchor = self.anchor_of_line(index, around, positions);
                comments.push(Comment { anchor, lines: vec![trailing] });
            }
        }
        let has_comment = lines.iter().any(|line| !line.is_empty());
        let anchor = self.anchor_of_lines(index, around, positions);
        let is_between = matches!(anchor, Anchor::Before(_)) && positions.is_start(index);
        let is_after_brace = index == 0
            || matches!(self.kind(index - 1), Some(TokenKind::LeftBrace))
            || self.is_label_before(index);
        if !is_after_brace && !has_comment && is_between && lines.iter().any(|line| line.is_empty()) {
            lines.truncate(1);
            comments.push(Comment { anchor, lines });
        } else if has_comment {
            lines.dedup_by(|line, before| line.is_empty() && before.is_empty());
            if is_after_brace || !is_between {
                let blank = usize::from(lines.first().is_some_and(|line| line.is_empty()));
                lines.drain(..blank);
            }
            if !is_between && anchor != Anchor::Top && lines.last().is_some_and(|line| line.is_empty()) {
                lines.pop();
            }
            comments.push(Comment { anchor, lines });
        }
    }

    /// Whether the token before an index ends the label of a block.
    fn is_label_before(&self, index: usize) -> bool {
        let mut at = index.saturating_sub(1);
        if self.kind(at) != Some(TokenKind::Colon) {
            return false;
        }
        // The label may have arguments with types.
        let mut depth = 0_usize;
        while let Some(before) = at.checked_sub(1) {
            at = before;
            match self.kind(at) {
                Some(TokenKind::RightParen) => depth += 1,
                Some(TokenKind::LeftParen) if depth > 0 => depth -= 1,
                Some(TokenKind::Block) if depth == 0 => return true,
                _ if depth > 0 => {}
                _ => return false,
            }
        }
        false
    }

    /// Where a comment belongs that follows other text in its line.
    fn anchor_of_line(&self, index: usize, around: Around, positions: &Positions) -> Anchor {
        match around.operation {
            None => Anchor::Top,
            Some(_) if self.is_label_before(index) => self.anchor_of_lines(index, around, positions),
            Some(key) if around.open_braces > 0 => Anchor::OnFirstLine(key),
            Some(key) => Anchor::OnLastLine(key),
        }
    }

    /// Where comments in lines of their own belong, before the token with an index.
    fn anchor_of_lines(&self, index: usize, around: Around, positions: &Positions) -> Anchor {
        if let Some(op) = positions.starting_at(index) {
            return if index == 0 { Anchor::Top } else { Anchor::Before(op.key) };
        }
        let Some(key) = around.operation else { return Anchor::Top };
        let is_alias = matches!(self.kind(index), Some(TokenKind::Attribute | TokenKind::Type))
            && self.kind(index + 1) == Some(TokenKind::Equal);
        match self.kind(index) {
            Some(TokenKind::RightBrace | TokenKind::End | TokenKind::MetadataBegin) => {
                match around.open_braces {
                    0 => Anchor::After(key),
                    _ => Anchor::AtEndInside(key),
                }
            }
            Some(TokenKind::Block) if around.open_braces == 0 => {
                positions.first_after(index).map_or(Anchor::After(key), |next| Anchor::Before(next.key))
            }
            _ if is_alias => Anchor::Top,
            _ => Anchor::Before(key),
        }
    }
}

/// The operation that the last token belongs to, or that it ends.
#[derive(Debug, Clone, Copy, Default)]
struct Around {
    operation: Option<OpKey>,
    /// The braces that the operation opened before.
    open_braces: usize,
}

impl Around {
    fn pass(&mut self, index: usize, kind: TokenKind, positions: &Positions) {
        if let Some(op) = positions.starting_at(index) {
            *self = Self { operation: Some(op.key), open_braces: 0 };
        }
        match kind {
            TokenKind::LeftBrace => self.open_braces += 1,
            TokenKind::RightBrace if self.open_braces > 0 => self.open_braces -= 1,
            // The brace ends a region of the operation around the last one.
            TokenKind::RightBrace => {
                self.operation = self.operation.and_then(|op| positions.parent(op)).or(self.operation);
            }
            _ => {}
        }
    }
}

/// The arguments of all blocks of an operation.
fn arguments<'m>(op: &Operation<'m>) -> Result<Vec<Value<'m>>> {
    let regions = op.regions()?;
    Ok(regions.flat_map(|region| region.blocks().flat_map(|block| block.arguments())).collect())
}

/// The comment in a line, without blanks around it; empty for an empty line.
fn comment_of(line: &[u8]) -> &[u8] {
    line.trim_ascii()
}

/// Whether the printer writes a comment itself, after the label of a block.
fn is_of_printer(comment: &[u8]) -> bool {
    let Some(text) = comment.strip_prefix(b"// ") else { return false };
    let count = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let remaining = text.get(count..).unwrap_or_default().trim_ascii_start();
    text == b"no predecessors" || remaining.starts_with(b"pred: ^") || remaining.starts_with(b"preds: ^")
}

impl Positions {
    /// Finds the operations and values of a module in its text. Bodies have their numbers in the module.
    ///
    /// # Errors
    /// As [`parse`].
    pub(super) fn of(
        module: &Module,
        text: &[u8],
        source: &SourceText<'_>,
        options: &ParseOptions,
    ) -> Result<Self> {
        let options = ParseOptions {
            file: FILE.to_owned(),
            first_line: 1,
            wrapper: (0, 0),
            positions: true,
            ..options.clone()
        };
        let located = parse(text, &options)?;
        let line_starts: Vec<usize> = std::iter::once(0)
            .chain(text.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at + 1))
            .collect();
        let tokens: HashMap<usize, usize> =
            source.tokens.iter().enumerate().map(|(index, token)| (token.start, index)).collect();
        let mut this = Self {
            operations: Vec::new(),
            value_names: HashMap::new(),
            lines: HashMap::new(),
            in_text: HashSet::new(),
            parents: HashMap::new(),
            is_wrapped: false,
        };
        let index_of = |place: &TextPlace| {
            let start = line_starts.get(usize::try_from(place.line.checked_sub(1)?).ok()?)?;
            tokens.get(&(start + usize::try_from(place.column.checked_sub(1)?).ok()?)).copied()
        };
        let mut seen = HashSet::new();
        // The modules are equal except for locations. The numbers of bodies depend on the order of decoding.
        for (op, located) in module.operation()?.pre_order().zip(located.operation()?.pre_order()) {
            this.add((&op?, &located?), source, &index_of, &mut seen)?;
        }
        this.operations.sort_by_key(|op| op.token);
        Ok(this)
    }

    fn add(
        &mut self,
        (op, located): (&Operation<'_>, &Operation<'_>),
        source: &SourceText<'_>,
        index_of: &dyn Fn(&TextPlace) -> Option<usize>,
        seen: &mut HashSet<usize>,
    ) -> Result<()> {
        let key = key_of(op);
        let parent = op.parent().map(|parent| key_of(&parent));
        self.parents.extend(parent.map(|parent| (key, parent)));
        let tables = located.module().tables();
        let place =
            Attribute::of_file(tables, located.location())?.and_then(|location| location.text_place());
        if let Some(place) = place {
            self.is_wrapped |= parent.is_none() && place.line == 0;
            self.lines.insert(key, (place.line, place.column));
            let name = index_of(&place).and_then(|location| source.name_token(location, &op.name()));
            if let Some(name) = name.filter(|name| seen.insert(*name)) {
                let (token, results) = source.results_before(name);
                let names = results
                    .iter()
                    .flat_map(|(name, count)| std::iter::once(Some(*name)).chain((1..*count).map(|_| None)));
                for (value, name) in op.results().zip(names) {
                    self.add_name(value, name);
                }
                self.in_text.insert(key);
                self.operations.push(SourceOperation { token, key });
            }
        }
        // Regions whose arguments are written once, for example of `stablehlo.while`, share the names.
        let mut names: HashMap<u32, &[u8]> = HashMap::new();
        let mut unnamed = Vec::new();
        for (argument, located) in arguments(op)?.into_iter().zip(arguments(located)?) {
            let location = located.location().map(|id| Attribute::of_file(tables, id));
            let place = location.transpose()?.flatten().and_then(|location| location.text_place());
            let token = place.and_then(|place| index_of(&place)).and_then(|at| source.tokens.get(at));
            let token = token.filter(|token| token.kind == TokenKind::Value);
            match token.and_then(|token| source.spelling(*token).get(1..)) {
                Some(name) => {
                    names.insert(argument.number(), name);
                    self.add_name(argument, Some(name));
                }
                None => unnamed.push(argument),
            }
        }
        for argument in unnamed {
            self.add_name(argument, names.get(&argument.number()).copied());
        }
        Ok(())
    }

    fn add_name(&mut self, value: Value<'_>, name: Option<&[u8]>) {
        if let Some(name) = name {
            self.value_names.insert((value.body_id().number(), value.id().to_bits()), name.to_vec());
        }
    }

    /// Whether a location is the position of the operation, in a text that begins at a line of the file.
    pub(super) fn is_position(&self, op: &Operation<'_>, place: &TextPlace, first_line: u64) -> bool {
        let position = self.lines.get(&key_of(op));
        position.is_some_and(|&(line, column)| {
            (line.saturating_add(first_line.saturating_sub(1)), column) == (place.line, place.column)
                || line == 0
        })
    }

    /// Whether the operation is in the text, and not added by the parser.
    pub(super) fn is_in_text(&self, op: &Operation<'_>) -> bool {
        self.in_text.contains(&key_of(op))
    }

    pub(super) fn parent(&self, op: OpKey) -> Option<OpKey> {
        self.parents.get(&op).copied()
    }

    fn starting_at(&self, token: usize) -> Option<&SourceOperation> {
        let at = self.operations.binary_search_by_key(&token, |op| op.token).ok()?;
        self.operations.get(at)
    }

    fn is_start(&self, token: usize) -> bool {
        self.starting_at(token).is_some()
    }

    fn first_after(&self, token: usize) -> Option<&SourceOperation> {
        self.operations.get(self.operations.partition_point(|op| op.token < token))
    }
}
