//! A cache of operations whose text repeats an earlier operation, except for the names of values.
//!
//! The meaning of an operation on one line depends on its text, on the default dialect, and on the token
//! after the line, which the parser examines to find out whether the operation continues. Names only select
//! the used values. An operation is parsed normally until its combination of these has occurred twice; the
//! result of the second time is stored: its types, its attributes, and the name that each operand uses.

use std::collections::{HashMap, HashSet};
use std::hash::BuildHasher;
use std::rc::Rc;

use crate::attr::text::lexer::{Lexer, Token, TokenKind};
use crate::attr::text::parse::Parsed;
use crate::edit::arena::ArenaOp;
use crate::format::id::TypeId;

use super::frames::{AsmParser, LocatedRow, Pending};
use super::operands::{NewRow, Reference};
use super::operation_info::OpInfo;
use super::region::OpenRegion;

/// The length of the longest text that is cached.
const MOST_BYTES: usize = 1024;

/// A cache of parsed operations on one line.
#[derive(Debug, Default)]
pub(super) struct OperationCache {
    by_text: HashMap<Box<[u8]>, Rc<CachedOperation>, foldhash::fast::RandomState>,
    /// Hashes of texts that occurred once: most texts of varied operations never occur again.
    seen: HashSet<u64, foldhash::fast::RandomState>,
    /// The last text that was looked up, its start and end, and the ranges of its names.
    key: Vec<u8>,
    start: usize,
    end: usize,
    names: Vec<(u32, u32)>,
    /// Whether a location follows the operation.
    has_location: bool,
    /// Whether two equal names change the meaning of the operation that is being parsed.
    compares_names: bool,
}

/// The parsed form of a repeated text.
#[derive(Debug)]
struct CachedOperation {
    info: Rc<OpInfo>,
    /// The number of the attribute list.
    list: u32,
    /// For each operand, the index of its name in the text, and its type.
    operands: Box<[(u32, u32)]>,
    results: Box<[TypeId]>,
    /// Whether two equal names change the meaning of the operation.
    compares_names: bool,
}

impl OperationCache {
    /// Records that two equal names change the meaning of the operation that is being parsed.
    pub(super) fn compares_names(&mut self) {
        self.compares_names = true;
    }

    /// Prevents caching of the operation that is being parsed, because it depends on more than its text.
    pub(super) fn depends_on_context(&mut self) {
        self.start = usize::MAX;
    }

    /// Returns the parsed form of the operation whose name is at this position, if its text is cached.
    fn find(
        &mut self,
        lexer: &Lexer<'_>,
        start: usize,
        default_dialect: Option<&str>,
    ) -> Option<Rc<CachedOperation>> {
        self.key.clear();
        self.names.clear();
        self.depends_on_context();
        self.compares_names = false;
        let end = lexer.line_pattern(start, MOST_BYTES, &mut self.key, &mut self.names)?;
        let next = lexer.token_after_line(end)?;
        self.key.push(b'\n');
        self.key.extend_from_slice(next);
        self.key.push(b'\n');
        self.key.extend_from_slice(default_dialect.unwrap_or_default().as_bytes());
        (self.start, self.end, self.has_location) = (start, end, next == b"loc");
        let cached = self
            .by_text
            .get(&self.key[..])
            .filter(|operation| !operation.compares_names || self.are_distinct(lexer));
        cached.cloned()
    }

    /// Returns whether the last text that was looked up occurred for the first time.
    fn is_first(&mut self) -> bool {
        let hash = self.by_text.hasher().hash_one(&self.key[..]);
        self.seen.insert(hash)
    }

    /// Returns whether all names are different; there are few, because the text is short.
    fn are_distinct(&self, lexer: &Lexer<'_>) -> bool {
        let name = |&(start, end): &(u32, u32)| {
            lexer.spelling(Token { kind: TokenKind::Value, start: start as usize, end: end as usize })
        };
        let is_new = |(place, one)| self.names.iter().take(place).all(|other| name(other) != name(one));
        self.names.iter().enumerate().all(is_new)
    }
}

impl<'t> AsmParser<'t> {
    /// Creates the next operation of a block if its text is cached; otherwise it must be parsed.
    pub(super) fn repeat(&mut self, open: &OpenRegion<'t>) -> Parsed<bool> {
        let first = self.peek()?;
        let (result, start) = match first.kind {
            TokenKind::Value => match self.lexer().after_equal(first.end) {
                Some(start) => (Some(first), start),
                None => return Ok(false),
            },
            TokenKind::Identifier | TokenKind::String => (None, first.start),
            _ => return Ok(false),
        };
        let default_dialect = self.default_dialect();
        let cached = self.repeated.find(self.text.lexer(), start, default_dialect);
        let Some(repeat) = cached.filter(|cached| result.is_none() || cached.results.len() == 1) else {
            return Ok(false);
        };
        let end = self.repeated.end;
        self.lexer().seek(end);
        let location = self.location_at(start)?;
        let mut values = self.spare_values.pop().unwrap_or_default();
        for &(place, r#type) in &repeat.operands {
            let Some(&(start, end)) = self.repeated.names.get(place as usize) else { continue };
            let (reference, _) = self.reference_at(start as usize, end as usize)?;
            values.push(self.resolve(reference, TypeId::new(r#type))?);
        }
        let (name, list) = (repeat.info.index, repeat.list);
        let row = NewRow { name, list, location, position: start, block: open.block() };
        let op = self.push_row(row, &values, &repeat.results)?;
        if let Some((token, value)) = result.zip(self.results_of(op).next()) {
            let name = self.spelling(token);
            self.define(name, 0, value, (token.start, open.start()))?;
        }
        self.recycle_values(values);
        if self.repeated.has_location {
            self.trailing_location(LocatedRow::Op(op))?;
        }
        repeat.info.repeats.set(repeat.info.repeats.get().saturating_add(1));
        Ok(true)
    }

    /// Caches an operation that was parsed up to its location, if its text was looked up and determines it
    /// completely.
    pub(super) fn keep_repeat(&mut self, pending: &Pending<'t>, op: ArenaOp, types: &[TypeId]) -> Parsed<()> {
        let row = self.editor.arena.op(op);
        let is_whole =
            self.repeated.start == pending.position && self.repeated.end == self.text.lexer().position();
        if row.detail.is_some() || !is_whole || pending.info.repeats.get() == 0 {
            return Ok(());
        }
        let (Some(list), names) = (row.attributes, &self.repeated.names) else { return Ok(()) };
        let list = list.number();
        let place = |reference: &Reference<'_>| {
            names.iter().position(|(start, _)| *start as usize == reference.position)
        };
        let places: Option<Vec<usize>> = pending.operands.iter().map(place).collect();
        // Each name must be an operand: other names may be part of an attribute.
        let Some(places) = places.filter(|places| (0..names.len()).all(|place| places.contains(&place)))
        else {
            return Ok(());
        };
        let operands: Box<[(u32, u32)]> =
            places.iter().zip(types).map(|(&place, &r#type)| (place as u32, r#type.number())).collect();
        let results: Box<[TypeId]> = self
            .results_of(op)
            .map(|value| TypeId::new(self.editor.arena.value(value).r#type().number()))
            .collect();
        if self.repeated.is_first() {
            self.editor.tables.budget.spend(2 * size_of::<u64>())?;
            pending.info.repeats.set(pending.info.repeats.get() - 1);
            return Ok(());
        }
        let bytes = self.repeated.key.len() + size_of_val(&*operands) + size_of_val(&*results);
        self.editor
            .tables
            .budget
            .spend(bytes + size_of::<CachedOperation>() + 2 * size_of::<(usize, usize, usize)>())?;
        let compares_names = self.repeated.compares_names;
        let repeat = CachedOperation { info: pending.info.clone(), list, operands, results, compares_names };
        self.repeated.by_text.insert(self.repeated.key[..].into(), Rc::new(repeat));
        Ok(())
    }
}
