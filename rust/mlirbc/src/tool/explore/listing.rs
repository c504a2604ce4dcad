//! The assembly of a module with its references: lines, operations, values, symbols and the references
//! between symbols.

use std::collections::HashMap;
use std::io::{self, Write};

use crate::attr::text::text_marks::{Mark, MarkKind, Marks};
use crate::ir::{BodyId, Module, OpId, Operation, ValueId};
use crate::print::{PrintOptions, PrintReport};
use crate::tool::highlight::{Word, Words};
use crate::tool::weights::find::symbol_text;
use crate::tool::weights::walk::Walk;
use crate::wire::error::{Error, Result};
use crate::wire::limits::Budget;
use crate::wire::steps;

/// The number of elements above which the elements of dense attributes are omitted.
const ELEMENTS: u64 = 32;
/// The number of enclosing symbol tables that are searched for a reference.
const SCOPES: usize = 64;

/// An operation that begins on a line of its own.
pub(super) struct Op {
    pub(super) line: u32,
    pub(super) end: u32,
    /// The index of the location attribute.
    pub(super) location: u32,
}

/// A value, in the order of the text.
pub(super) struct ListedValue {
    /// The line of the definition; `u32::MAX` if the text does not contain it.
    pub(super) line: u32,
    pub(super) r#type: u32,
}

/// A name in a line, in bytes from its start.
pub(super) struct Name {
    pub(super) line: u32,
    pub(super) start: u32,
    pub(super) len: u32,
    pub(super) value: u32,
    pub(super) is_definition: bool,
}

/// An operation that defines a symbol.
pub(super) struct Symbol {
    pub(super) name: String,
    pub(super) op: String,
    pub(super) line: u32,
    pub(super) end: u32,
    /// The enclosing symbol.
    pub(super) parent: Option<u32>,
    pub(super) depth: u32,
    /// Whether the symbol is in the top-level operation, whose symbols the size report lists.
    pub(super) is_top: bool,
    /// The number of operations in the symbol, including itself.
    pub(super) ops: u32,
}

/// The text with the positions of its operations, values and symbols.
pub(super) struct Listing {
    pub(super) text: Vec<u8>,
    /// The start of each line, and the end of the last one.
    pub(super) lines: Vec<u32>,
    pub(super) is_cut: bool,
    pub(super) report: PrintReport,
    pub(super) ops: Vec<Op>,
    pub(super) values: Vec<ListedValue>,
    pub(super) names: Vec<Name>,
    pub(super) symbols: Vec<Symbol>,
    /// Calls between symbols, in the order of the callers: caller, callee, number.
    pub(super) calls: Vec<(u32, u32, u32)>,
}

/// A writer that stores the first bytes of a text.
struct TextPrefix<'b> {
    text: Vec<u8>,
    most: usize,
    is_cut: bool,
    failure: Option<Error>,
    budget: &'b Budget,
}

impl Write for TextPrefix<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let room = self.most.saturating_sub(self.text.len());
        let prefix = bytes.get(..room).unwrap_or(bytes);
        if let Err(error) = self.budget.spend(2 * prefix.len()) {
            self.failure = Some(error);
            return Err(io::ErrorKind::OutOfMemory.into());
        }
        self.text.extend_from_slice(prefix);
        if prefix.len() < bytes.len() {
            self.is_cut = true;
            return Err(io::ErrorKind::WriteZero.into());
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Listing {
    pub(super) fn of(module: &Module, max_text: u64, budget: &Budget) -> Result<Self> {
        let options = PrintOptions {
            elide_resources_larger: Some(0),
            elide_elements_larger: Some(ELEMENTS),
            ..PrintOptions::default()
        };
        // Positions have 32 bits.
        let most = max_text.min(u64::from(u32::MAX / 2)) as usize;
        let mut prefix = TextPrefix { text: Vec::new(), most, is_cut: false, failure: None, budget };
        let mut marks = Marks::new(budget);
        let printed = module.operation()?.print_marked(&mut prefix, &options, Some(&mut marks));
        let TextPrefix { mut text, is_cut, failure, .. } = prefix;
        let report = match (printed, failure) {
            (_, Some(error)) => return Err(error),
            (Err(_), None) if is_cut => PrintReport::default(),
            (printed, None) => printed?,
        };
        if is_cut {
            // The text is cut at the end of a line.
            let end = text.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
            text.truncate(end);
        }
        while text.last() == Some(&b'\n') {
            text.pop();
        }
        let breaks = text.iter().filter(|&&byte| byte == b'\n').count();
        let mut lines = budget.vec(breaks + 2)?;
        lines.push(0);
        lines
            .extend(text.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at as u32 + 1));
        lines.push(text.len() as u32 + 1);
        let mut this = Self {
            text,
            lines,
            is_cut,
            report,
            ops: Vec::new(),
            values: Vec::new(),
            names: Vec::new(),
            symbols: Vec::new(),
            calls: Vec::new(),
        };
        this.read_marks(module, marks.rows, budget)?;
        this.read_references(budget)?;
        Ok(this)
    }

    /// The number of lines.
    pub(super) fn len(&self) -> usize {
        self.lines.len() - 1
    }

    /// The bytes of a line, without its end.
    pub(super) fn line(&self, number: usize) -> &[u8] {
        let (Some(&start), Some(&end)) = (self.lines.get(number), self.lines.get(number + 1)) else {
            return &[];
        };
        self.text.get(start as usize..end as usize - 1).unwrap_or_default()
    }

    fn read_marks(&mut self, module: &Module, marks: Vec<Mark>, budget: &Budget) -> Result<()> {
        let entries = module.tables().entries()?;
        let mut walk = Walk::new(module, &entries, budget)?;
        let mut numbers: HashMap<(u32, u32), u32, foldhash::fast::RandomState> = HashMap::default();
        // Rows of `ops` and `symbols`.
        let mut open: Vec<(u32, Option<u32>)> = Vec::new();
        let mut line = 0;
        for mark in marks {
            steps::count(1);
            if mark.position + u64::from(mark.len) > self.text.len() as u64 {
                break;
            }
            while self.lines.get(line + 1).is_some_and(|&next| u64::from(next) <= mark.position) {
                line += 1;
            }
            let row = line as u32;
            match mark.kind {
                MarkKind::Begin => {
                    let Some(op) = Operation::from_ids(module, BodyId::new(mark.body), OpId::new(mark.id))
                    else {
                        continue;
                    };
                    module.tables().check_interrupt()?;
                    budget.spend(2 * size_of::<(Op, (u32, Option<u32>))>())?;
                    // The text marks a fault in the attributes.
                    let symbol =
                        module.tables().unless_lost(walk.read(&op).map(|()| walk.symbol)).unwrap_or(None);
                    module.source().check()?;
                    let name = match symbol {
                        Some(symbol) => symbol_text(module, symbol).unwrap_or(None),
                        None => None,
                    };
                    let around = open.last().and_then(|&(_, symbol)| symbol);
                    let symbol = match name {
                        Some(name) => {
                            let op_name = crate::wire::error::cut(&op.name(), 100);
                            budget.spend(2 * (size_of::<Symbol>() + name.len() + op_name.len()))?;
                            self.symbols.push(Symbol {
                                name,
                                op: op_name,
                                line: row,
                                end: row,
                                parent: around,
                                depth: around.map_or(0, |around| self.symbols[around as usize].depth + 1),
                                is_top: open.len() == 1,
                                ops: self.ops.len() as u32,
                            });
                            Some(self.symbols.len() as u32 - 1)
                        }
                        None => around,
                    };
                    open.push((self.ops.len() as u32, symbol));
                    self.ops.push(Op { line: row, end: row, location: op.location().number() });
                }
                MarkKind::End => {
                    let Some((op, symbol)) = open.pop() else { continue };
                    self.end(op, symbol, &open, row);
                }
                MarkKind::Definition | MarkKind::Use => {
                    let is_definition = mark.kind == MarkKind::Definition;
                    let value = ValueId::from_bits(mark.id);
                    let value = self.value(module, (mark.body, value), &mut numbers, budget)?;
                    if is_definition && let Some(value) = self.values.get_mut(value as usize) {
                        value.line = row;
                    }
                    budget.spend(2 * size_of::<Name>())?;
                    let start = (mark.position - u64::from(self.lines[line])) as u32;
                    self.names.push(Name { line: row, start, len: mark.len, value, is_definition });
                    if is_definition {
                        self.define_group(module, mark, &mut numbers, budget)?;
                    }
                }
            }
        }
        // Operations that the limit cut end with the text.
        let last = self.len().saturating_sub(1) as u32;
        while let Some((op, symbol)) = open.pop() {
            self.end(op, symbol, &open, last);
        }
        Ok(())
    }

    fn end(&mut self, op: u32, symbol: Option<u32>, open: &[(u32, Option<u32>)], row: u32) {
        if let Some(op) = self.ops.get_mut(op as usize) {
            op.end = row;
        }
        let is_own = symbol != open.last().and_then(|&(_, symbol)| symbol);
        if let Some(symbol) =
            symbol.filter(|_| is_own).and_then(|symbol| self.symbols.get_mut(symbol as usize))
        {
            symbol.end = row;
            symbol.ops = self.ops.len() as u32 - symbol.ops;
        }
    }

    // Returns the number of a value; it is assigned when the name first occurs.
    fn value(
        &mut self,
        module: &Module,
        (body, value): (u32, ValueId),
        numbers: &mut HashMap<(u32, u32), u32, foldhash::fast::RandomState>,
        budget: &Budget,
    ) -> Result<u32> {
        let next = self.values.len() as u32;
        let number = *numbers.entry((body, value.to_bits())).or_insert(next);
        if number == next {
            budget.spend(4 * size_of::<(u32, u32, u32)>() + 2 * size_of::<ListedValue>())?;
            let r#type = module.body(BodyId::new(body))?.type_of(value);
            self.values.push(ListedValue { line: u32::MAX, r#type: r#type.number() });
        }
        Ok(number)
    }

    // `%0:2` defines two values; the name was recorded for the first one.
    fn define_group(
        &mut self,
        module: &Module,
        mark: Mark,
        numbers: &mut HashMap<(u32, u32), u32, foldhash::fast::RandomState>,
        budget: &Budget,
    ) -> Result<()> {
        let (body, value) = (module.body(BodyId::new(mark.body))?, ValueId::from_bits(mark.id));
        if value.is_argument() {
            return Ok(());
        }
        let Some(owner) = body.result_owner(value.row()) else { return Ok(()) };
        let results = body.results(owner);
        // Each operation is processed once; its other groups are on the same line.
        if results.start as usize != value.row() || results.len() < 2 {
            return Ok(());
        }
        let line = self.names.last().map_or(0, |name| name.line);
        for result in results {
            let number = self.value(module, (mark.body, ValueId::result(result)), numbers, budget)?;
            if let Some(value) = self.values.get_mut(number as usize) {
                value.line = line;
            }
        }
        Ok(())
    }

    // Resolves the symbol names of the text, from the innermost symbol table outwards.
    fn read_references(&mut self, budget: &Budget) -> Result<()> {
        let mut by_name: HashMap<(Option<u32>, &str), u32> = HashMap::new();
        budget.spend(self.symbols.len() * 64)?;
        for (number, symbol) in self.symbols.iter().enumerate() {
            by_name.entry((symbol.parent, &symbol.name)).or_insert(number as u32);
        }
        let mut counts: HashMap<(u32, u32), u32> = HashMap::new();
        let (mut open, mut next): (Vec<u32>, usize) = (Vec::new(), 0);
        let mut words = Words::default();
        for line in 0..self.len() {
            let row = line as u32;
            while open.last().is_some_and(|&symbol| self.symbols[symbol as usize].end < row) {
                open.pop();
            }
            let mut is_defined = true;
            while self.symbols.get(next).is_some_and(|symbol| symbol.line == row) {
                open.push(next as u32);
                next += 1;
                is_defined = false;
            }
            let text = self.line(line);
            let Some(&from) = open.last().filter(|_| text.contains(&b'@')) else { continue };
            steps::count(text.len());
            let around = &self.symbols[from as usize];
            // The symbol to which the path was resolved so far.
            let mut path: Option<u32> = None;
            let mut follows = false;
            let mut visit = |word: Word, piece: &[u8]| {
                if piece.is_empty() {
                    return;
                }
                if word != Word::Symbol {
                    follows = piece == b"::";
                    return;
                }
                let name = name_of(piece);
                let to = match path.filter(|_| std::mem::take(&mut follows)) {
                    Some(table) => by_name.get(&(Some(table), &*name)).copied(),
                    None if !is_defined && name == around.name => {
                        is_defined = true;
                        return;
                    }
                    None => {
                        let scopes = std::iter::successors(Some(Some(from)), |scope| {
                            scope.map(|scope| self.symbols[scope as usize].parent)
                        });
                        let mut scopes = scopes.take(SCOPES);
                        scopes.find_map(|scope| by_name.get(&(scope, &*name)).copied())
                    }
                };
                path = to;
                if let Some(to) = to {
                    *counts.entry((from, to)).or_insert(0) += 1;
                }
            };
            words.feed(text, &mut visit);
            words.feed(b"\n", &mut visit);
        }
        budget.spend(counts.len() * 64)?;
        self.calls = counts.into_iter().map(|((from, to), count)| (from, to, count)).collect();
        self.calls.sort_unstable();
        Ok(())
    }
}

// Returns the name in `@name` or `@"name"`; escapes of the text are two hexadecimal digits.
fn name_of(word: &[u8]) -> String {
    let name = word.strip_prefix(b"@").unwrap_or(word);
    let Some(quoted) = name.strip_prefix(b"\"").and_then(|name| name.strip_suffix(b"\"")) else {
        return String::from_utf8_lossy(name).into_owned();
    };
    let mut bytes = Vec::new();
    let mut remaining = quoted;
    while let [first, after @ ..] = remaining {
        let hex = after.get(..2).and_then(|digits| std::str::from_utf8(digits).ok());
        let byte = hex.and_then(|digits| u8::from_str_radix(digits, 16).ok());
        (remaining, _) = match (first, byte) {
            (b'\\', Some(byte)) => (&after[2..], bytes.push(byte)),
            (b'\\', None) if !after.is_empty() => (&after[1..], bytes.push(after[0])),
            (&other, _) => (after, bytes.push(other)),
        };
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
