//! The tables of attributes and types: class and text of each entry of the file.

use crate::attr::text::entry::{Elide, EntryPrinter, EntryStyle};
use crate::attr::text::out::Out;
use crate::attr::{Attribute, Handle, Type, truncated};
use crate::dialect::entries::EntryRef;
use crate::file::FileEntries;
use crate::format::id::{AttrId, TypeId};
use crate::ir::Module;
use crate::wire::error::Result;
use crate::wire::limits::Budget;

use super::texts::{Texts, Words};
use super::{ColumnValues, LONGEST_TEXT, Table, TableColumn, Validity};

pub(super) fn attributes(module: &Module, account: &Budget) -> Result<Table> {
    let count = module.tables().entry_counts()?.attributes;
    table(module, AttrId::rows(0..count).map(EntryRef::Attribute), account)
}

pub(super) fn types(module: &Module, account: &Budget) -> Result<Table> {
    let count = module.tables().entry_counts()?.types;
    table(module, TypeId::rows(0..count).map(EntryRef::Type), account)
}

fn table(
    module: &Module,
    entries: impl ExactSizeIterator<Item = EntryRef>,
    account: &Budget,
) -> Result<Table> {
    // Hooks of dialects may decode entries; they run once, before the first text.
    module.settle()?;
    let file_entries = module.tables().entries()?;
    let row_count = entries.len();
    let (mut classes, mut texts) = (Words::new(account)?, Texts::new(account)?);
    let mut has_text = account.vec(row_count)?;
    let mut printer = TextPrinter::new(module, &file_entries);
    for of in entries {
        module.tables().check_interrupt()?;
        let value = match of {
            EntryRef::Attribute(index) => Attribute::of_file(module.tables(), index)?.map(|entry| entry.0),
            EntryRef::Type(index) => Type::of_file(module.tables(), index)?.map(|entry| entry.0),
        };
        let (dialect, raw) = file_entries.raw_in_dialect(of).unzip();
        let class = value.as_ref().and_then(|value| value.class()).unwrap_or_default();
        classes.add_row((dialect, class.to_owned()), account, |words| {
            let dialect = dialect.map_or(Ok(&b""[..]), |dialect| module.tables().dialect_name(dialect))?;
            match class {
                "" => words.push(&[dialect], account),
                class => words.push(&[dialect, b".", class.as_bytes()], account),
            }
        })?;
        let is_long = raw.is_some_and(|entry| entry.data.len() > LONGEST_TEXT);
        // A text that is one byte too long is cut, so long texts are never printed completely.
        let value = value.filter(|_| !is_long);
        let text = value.map(|value| printer.text_of(&value, of, account)).transpose()?.flatten();
        texts.push(&[text.as_deref().unwrap_or_default().as_bytes()], account)?;
        has_text.push(text.is_some());
    }
    let validity = Validity::of(row_count, |row| has_text[row], account)?;
    let columns = [("class", classes.into_values()), ("text", ColumnValues::Texts { texts, validity })];
    Ok(Table { row_count, columns: columns.map(|(name, values)| TableColumn { name, values }).into() })
}

// Room for the mark that ends a cut text.
const MOST: usize = LONGEST_TEXT + '…'.len_utf8();

/// Prints the entries of a file one after the other. Short texts are cached, because any number of other
/// entries may contain an entry.
struct TextPrinter<'e, 'm> {
    printer: EntryPrinter<'e, FileEntries<'m>>,
}

impl<'e, 'm> TextPrinter<'e, 'm> {
    fn new(module: &'m Module, entries: &'e FileEntries<'m>) -> Self {
        let style = EntryStyle { release: module.tables().release_llvm(), elide_elements: None };
        let printer = EntryPrinter::new(entries, style, MOST as u64);
        Self { printer: printer.with_kept_texts(&module.tables().work_budget()) }
    }

    /// Returns the text of an entry, unless it is long. The printed bytes of a long text are charged because
    /// printing them took time as well.
    fn text_of(&mut self, value: &Handle, of: EntryRef, account: &Budget) -> Result<Option<String>> {
        // The numbers of distinct attributes start again in each text.
        let text = match self.printer.has_distinct() {
            true => value.print_at_most(MOST as u64),
            false => {
                let mut out = Out::excerpt(MOST as u64);
                match of {
                    EntryRef::Attribute(index) => self.printer.attribute(&mut out, index, Elide::Never),
                    EntryRef::Type(index) => self.printer.r#type(&mut out, index),
                }
                let text = String::from_utf8(out.buffer);
                text.unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
            }
        };
        let text = truncated(text, MOST);
        if text.len() <= LONGEST_TEXT {
            return Ok(Some(text));
        }
        account.spend_text(text.len() as u64)?;
        Ok(None)
    }
}
