//! The data of a page in chunks. Long lists are split into several chunks, which the page reads when it shows
//! them.

use std::collections::HashMap;
use std::io::Write;

use crate::attr::text::entry::{Elide, EntryPrinter, EntryStyle};
use crate::attr::text::out::Out;
use crate::attr::truncated;
use crate::format::id::{AttrId, TypeId};
use crate::ir::Module;
use crate::tool::{SizeReport, Weights, printable};
use crate::wire::error::{Error, Result, cut};
use crate::wire::limits::Budget;
use crate::wire::order;

use super::ExploreOptions;
use super::json::{list, number, numbers, string};
use super::listing::{Listing, Name, Op};

/// The number of lines in a chunk.
const LINES: usize = 512;
/// The number of values, types or locations in a chunk.
const ROWS: usize = 2048;
/// The limit on the bytes of a line that are shown.
const LINE: usize = 4000;
/// The limit on the bytes of a type or a location that are shown.
const TEXT: usize = 400;
/// The limit on the uses of a value that are listed.
const USES: usize = 200;

/// A page that is being written.
pub(super) struct Page<'w> {
    writer: &'w mut dyn Write,
    budget: Budget,
}

impl<'w> Page<'w> {
    pub(super) fn new(writer: &'w mut dyn Write, budget: &Budget) -> Self {
        Self { writer, budget: budget.clone() }
    }

    pub(super) fn text(&mut self, text: &str) -> Result<()> {
        self.bytes(text.as_bytes())
    }

    fn bytes(&mut self, bytes: &[u8]) -> Result<()> {
        self.budget.spend_text(bytes.len() as u64)?;
        self.writer.write_all(bytes).map_err(|error| Error::io("cannot write the page", error))
    }

    /// Writes a chunk of the data.
    pub(super) fn part(&mut self, id: &str, json: &[u8]) -> Result<()> {
        self.text(&format!("<script type=\"application/json\" id=\"{id}\">"))?;
        self.bytes(json)?;
        self.text("</script>\n")
    }
}

/// Types and locations, numbered by their first occurrence.
#[derive(Default)]
pub(super) struct Tables {
    types: Numbered,
    locations: Numbered,
}

#[derive(Default)]
struct Numbered {
    numbers: HashMap<u32, u32>,
    rows: Vec<u32>,
}

impl Numbered {
    fn number(&mut self, index: u32) -> i64 {
        let next = self.rows.len() as u32;
        let number = *self.numbers.entry(index).or_insert(next);
        if number == next {
            self.rows.push(index);
        }
        number.into()
    }
}

impl Tables {
    pub(super) fn write(&self, module: &Module, page: &mut Page<'_>) -> Result<()> {
        let entries = module.tables().entries()?;
        let style = EntryStyle { release: module.tables().release_llvm(), elide_elements: Some(16) };
        let mut printer = EntryPrinter::new(&entries, style, TEXT as u64).without_cache();
        for (prefix, table, is_type) in [("t", &self.types, true), ("c", &self.locations, false)] {
            for (part, rows) in table.rows.chunks(ROWS).enumerate() {
                module.tables().check_interrupt()?;
                let mut json = Vec::new();
                list(&mut json, rows, |json, &index| {
                    let mut out = Out::excerpt(TEXT as u64);
                    match is_type {
                        true => printer.r#type(&mut out, TypeId::new(index)),
                        false => printer.attribute(&mut out, AttrId::new(index), Elide::Never),
                    }
                    string(json, &truncated(String::from_utf8_lossy(&out.buffer).into_owned(), TEXT));
                });
                page.part(&format!("{prefix}{part}"), &json)?;
            }
        }
        Ok(())
    }
}

fn field(out: &mut Vec<u8>, name: &str) {
    out.push(if out.is_empty() { b'{' } else { b',' });
    string(out, name);
    out.push(b':');
}

/// Returns the facts about the module that the page shows.
pub(super) fn meta(
    module: &Module,
    listing: &Listing,
    sizes: Option<&SizeReport>,
    name: &str,
    notes: &[String],
) -> Result<Vec<u8>> {
    let mut out = Vec::new();
    let bytecode = module.tables().bytecode();
    for (name, text) in [
        ("name", cut(name, 200)),
        ("producer", cut(&String::from_utf8_lossy(bytecode.producer()), 100)),
        ("version", bytecode.version().to_string()),
    ] {
        field(&mut out, name);
        string(&mut out, &text);
    }
    for (name, value) in [
        ("size", sizes.map_or(0, |sizes| sizes.size)),
        ("lines", listing.len() as u64),
        ("ops", listing.ops.len() as u64),
        ("values", listing.values.len() as u64),
        ("chunk", LINES as u64),
        ("rows", ROWS as u64),
    ] {
        field(&mut out, name);
        number(&mut out, value as i64);
    }
    field(&mut out, "notes");
    list(&mut out, notes, |out, note| string(out, note));
    out.push(b'}');
    Ok(out)
}

/// Returns the number of chunks for the lines.
pub(super) fn chunks(listing: &Listing) -> usize {
    listing.len().div_ceil(LINES)
}

/// Returns a chunk of the lines as JSON. It contains the text; for each name, the line after the last one,
/// the position in the line, the length, and twice the number of the value, plus one at the definition; and
/// for each operation its line, the number of following lines, and its location.
pub(super) fn lines(listing: &Listing, part: usize, tables: &mut Tables, budget: &Budget) -> Result<Vec<u8>> {
    let (first, end) = (part * LINES, listing.len().min((part + 1) * LINES));
    // Memory for the text, in which an escaped character takes up to ten bytes, and for its JSON.
    let shown: usize = (first..end).map(|number| listing.line(number).len().min(LINE) + 40).sum();
    let _held = budget.hold(20 * shown)?;
    let mut text = String::new();
    let mut places = Vec::new();
    let from = listing.names.partition_point(|name| (name.line as usize) < first);
    let mut names = listing.names[from..].iter().take_while(|name| (name.line as usize) < end).peekable();
    let mut last = first;
    for number in first..end {
        let line = listing.line(number);
        let shown = line.get(..LINE).unwrap_or(line);
        let (mut bytes, mut units) = (0, 0_i64);
        // Positions count UTF-16 units of the text that the page shows.
        let mut place = |to: usize| {
            let between = String::from_utf8_lossy(line.get(bytes..to).unwrap_or_default());
            units += printable(&between).encode_utf16().count() as i64;
            bytes = to;
            units
        };
        while let Some(name) = names.next_if(|name| name.line as usize == number) {
            let &Name { start, len, value, is_definition, .. } = name;
            if (start + len) as usize > shown.len() {
                continue;
            }
            let (start, end) = (place(start as usize), place((start + len) as usize));
            let value = 2 * i64::from(value) + i64::from(is_definition);
            places.extend([(number - last) as i64, start, end - start, value]);
            last = number;
        }
        if number > first {
            text.push('\n');
        }
        text.push_str(&String::from_utf8_lossy(shown));
        if shown.len() < line.len() {
            text.push_str(&format!("… ({} more bytes)", line.len() - shown.len()));
        }
    }
    let from = listing.ops.partition_point(|op| (op.line as usize) < first);
    let ops = listing.ops[from..].iter().take_while(|op| (op.line as usize) < end);
    let ops: Vec<i64> = ops
        .flat_map(|&Op { line, end, location }| {
            [i64::from(line) - first as i64, i64::from(end - line), tables.locations.number(location)]
        })
        .collect();
    let mut out = Vec::new();
    field(&mut out, "t");
    string(&mut out, &text);
    field(&mut out, "m");
    numbers(&mut out, places);
    field(&mut out, "o");
    numbers(&mut out, ops);
    out.push(b'}');
    Ok(out)
}

/// Returns the values: the line of each definition, the type, the number of uses, and the lines of the first
/// uses.
pub(super) fn values(
    listing: &Listing,
    tables: &mut Tables,
    page: &mut Page<'_>,
    budget: &Budget,
) -> Result<()> {
    let mut starts = budget.filled(0_u32, listing.values.len() + 1)?;
    let uses = || listing.names.iter().filter(|name| !name.is_definition);
    uses().for_each(|name| starts[name.value as usize + 1] += 1);
    for place in 1..starts.len() {
        starts[place] += starts[place - 1];
    }
    let mut rows = budget.filled(0_u32, uses().count())?;
    let mut next = starts.clone();
    for name in uses() {
        let slot = &mut next[name.value as usize];
        rows[*slot as usize] = name.line;
        *slot += 1;
    }
    for (part, values) in listing.values.chunks(ROWS).enumerate() {
        let first = part * ROWS;
        let uses_of =
            |place: usize| &rows[starts[first + place] as usize..starts[first + place + 1] as usize];
        let mut out = Vec::new();
        field(&mut out, "l");
        let line = |line: u32| if line == u32::MAX { -1 } else { i64::from(line) };
        numbers(&mut out, values.iter().map(|value| line(value.line)));
        field(&mut out, "t");
        numbers(&mut out, values.iter().map(|value| tables.types.number(value.r#type)));
        field(&mut out, "n");
        numbers(&mut out, (0..values.len()).map(|place| uses_of(place).len() as i64));
        field(&mut out, "u");
        list(&mut out, 0..values.len(), |out, place| {
            numbers(out, uses_of(place).iter().take(USES).map(|&line| i64::from(line)));
        });
        out.push(b'}');
        page.part(&format!("v{part}"), &out)?;
    }
    Ok(())
}

/// Returns the symbols: name, operation, first and last line, depth, operations, and bytes if they are known.
pub(super) fn symbols(listing: &Listing, sizes: Option<&SizeReport>) -> Vec<u8> {
    let mut bytes: HashMap<&str, u64> = HashMap::new();
    for row in sizes.into_iter().flat_map(|sizes| &sizes.symbols).rev() {
        bytes.insert(&row.name, row.inclusive);
    }
    let mut out = Vec::new();
    list(&mut out, &listing.symbols, |out, symbol| {
        out.push(b'[');
        string(out, &symbol.name);
        out.push(b',');
        string(out, &symbol.op);
        let size = bytes.get(symbol.name.as_str()).filter(|_| symbol.is_top);
        let size = size.map_or(-1, |&bytes| bytes as i64);
        for value in [symbol.line.into(), symbol.end.into(), symbol.depth.into(), symbol.ops.into(), size] {
            out.push(b',');
            number(out, value);
        }
        out.push(b']');
    });
    out
}

/// Returns the references between symbols, with the number of each.
pub(super) fn calls(listing: &Listing) -> Vec<u8> {
    let mut out = Vec::new();
    list(&mut out, &listing.calls, |out, &(from, to, count)| {
        numbers(out, [from.into(), to.into(), count.into()]);
    });
    out
}

/// Returns the weights, the largest first, in the form of `mlirbc weights --json` with a histogram.
pub(super) fn resources(
    weights: &Weights,
    options: &ExploreOptions,
    notes: &mut Vec<String>,
) -> Result<Vec<u8>> {
    let mut rows: Vec<_> = weights.rows().iter().collect();
    order::sort_by(&mut rows, |one, other| other.size.cmp(&one.size));
    if rows.len() > options.max_resources {
        let omitted = rows.len() - options.max_resources;
        notes
            .push(format!("{omitted} resources and constants are left out, the smallest of {}.", rows.len()));
        rows.truncate(options.max_resources);
    }
    let mut out = Vec::new();
    let (mut failed, mut drawn, mut undrawn) = (None, 0, 0);
    list(&mut out, &rows, |out, weight| {
        let mut drawn_histogram = None;
        if failed.is_none() && drawn < options.max_histograms {
            match weights.histogram(weight) {
                Ok(histogram) => drawn_histogram = histogram,
                Err(error) => failed = Some(error),
            }
            drawn += usize::from(drawn_histogram.is_some());
        } else {
            undrawn += 1;
        }
        out.push(b'[');
        string(out, &cut(&weight.name, 200));
        out.push(b',');
        string(out, weight.kind.name());
        out.push(b',');
        string(out, &cut(weight.r#type.as_deref().unwrap_or_default(), 200));
        for value in [weight.size as i64, weight.users as i64, weight.count() as i64] {
            out.push(b',');
            number(out, value);
        }
        if let Some(drawn_histogram) = drawn_histogram {
            let stats = &drawn_histogram.stats;
            out.push(b',');
            numbers(out, drawn_histogram.bins.iter().map(|&bin| bin as i64));
            for value in [stats.min, stats.max, stats.mean, stats.std] {
                out.push(b',');
                string(out, &value.map_or_else(String::new, |value| format!("{value:.6e}")));
            }
            for value in [stats.count, stats.zeros, stats.nans, stats.infinities] {
                out.push(b',');
                number(out, value as i64);
            }
        }
        out.push(b']');
    });
    if undrawn > 0 && failed.is_none() {
        notes.push(format!(
            "{undrawn} of {} resources and constants have no histogram, because {} have one.",
            rows.len(),
            options.max_histograms
        ));
    }
    failed.map_or(Ok(out), Err)
}
