//! A JAX export as a value: its tables with their fields, read by the schema.
//!
//! Owns [`ExportValue`], a flat list of tables that refer to one another by number, so neither reading nor
//! dropping a deep tree recurses. Text, bytes and vectors of numbers remain ranges of the file. Data flows
//! from `flatbuffer` through here into `encode` and the comparison of fields.

use std::collections::HashMap;
use std::ops::Range;

use crate::container::flatbuffer::Flatbuffer;
use crate::wire::bytes::Source;
use crate::wire::error::Result;
use crate::wire::limits::Budget;

use super::schema::{EXPORTED, Item, Layout};

/// The number of a table in its export; a table refers only to tables with other numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::container) struct TableId(u32);

impl TableId {
    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

/// The contents of a field.
#[derive(Debug, Clone)]
pub(super) enum FieldContents {
    Number(u32),
    /// Text, bytes or numbers: a range of the file without the length before it.
    Data(Range<u64>),
    /// Bytes or numbers that are not in the file.
    New(Vec<u8>),
    Texts(Vec<Range<u64>>),
    /// Texts that are not in the file.
    NewTexts(Vec<Vec<u8>>),
    Table(TableId),
    Tables(Vec<TableId>),
}

/// A table and the fields that it has.
#[derive(Debug, Clone)]
pub(super) struct TableValue {
    pub(super) layout: &'static Layout,
    /// Contents by the number of the slot; slots past the end are absent.
    pub(super) fields: Vec<Option<FieldContents>>,
}

/// All tables of an export.
#[derive(Debug)]
pub(in crate::container) struct ExportValue {
    tables: Vec<TableValue>,
    /// The position of the first vtable with a slot that the schema does not have.
    unknown_slot: Option<u64>,
}

/// Reads tables without recursion: fields that refer to a table add it to `open`.
struct Reader<'f> {
    file: &'f mut Flatbuffer,
    value: ExportValue,
    /// Numbers of tables by their position and layout: a file may refer to one table from several places.
    ids: HashMap<(u64, &'static str), TableId>,
    /// Tables whose fields remain to be read, with their positions.
    open: Vec<(TableId, u64)>,
}

impl ExportValue {
    /// Reads every table of the file; modules are not read.
    ///
    /// # Errors
    /// [`ErrorKind::Flatbuffer`](crate::wire::error::ErrorKind::Flatbuffer), and an exhausted budget.
    pub(in crate::container) fn read(file: &mut Flatbuffer) -> Result<Self> {
        let value = Self { tables: Vec::new(), unknown_slot: None };
        let mut reader = Reader { file, value, ids: HashMap::new(), open: Vec::new() };
        let root = reader.file.reference(0)?;
        reader.table(root, &EXPORTED)?;
        while let Some((id, at)) = reader.open.pop() {
            reader.fields(id, at)?;
        }
        Ok(reader.value)
    }

    /// Returns the position of the first vtable with a slot that the schema does not have. Such a field
    /// cannot be moved: it may be a number or a reference.
    pub(in crate::container) fn unknown_slot(&self) -> Option<u64> {
        self.unknown_slot
    }

    /// The table of the export.
    pub(super) fn root(&self) -> TableId {
        TableId(0)
    }

    /// The number of tables.
    pub(super) fn len(&self) -> usize {
        self.tables.len()
    }

    pub(super) fn table(&self, id: TableId) -> &TableValue {
        &self.tables[id.index()]
    }

    /// Adds a table; only [`Self::table_mut`] can make another table refer to it.
    pub(super) fn add(&mut self, table: TableValue, budget: &Budget) -> Result<TableId> {
        // Shared contents are written for each table.
        let len = |range: &Range<u64>| (range.end - range.start) as usize;
        let contents = |value: &FieldContents| match value {
            FieldContents::Number(_) | FieldContents::Table(_) => 0,
            FieldContents::Data(range) => len(range),
            FieldContents::New(bytes) => bytes.len(),
            FieldContents::Texts(texts) => size_of_val(&texts[..]) + texts.iter().map(len).sum::<usize>(),
            FieldContents::NewTexts(texts) => {
                size_of_val(&texts[..]) + texts.iter().map(Vec::len).sum::<usize>()
            }
            FieldContents::Tables(tables) => size_of_val(&tables[..]),
        };
        let contents: usize = table.fields.iter().flatten().map(contents).sum();
        budget.spend(size_of::<TableValue>() + size_of_val(&table.fields[..]) + contents)?;
        let id = TableId(self.tables.len() as u32);
        self.tables.push(table);
        Ok(id)
    }

    pub(super) fn table_mut(&mut self, id: TableId) -> &mut TableValue {
        &mut self.tables[id.index()]
    }

    /// Replaces the texts in a field of each table of one layout with the results of `text`.
    pub(super) fn replace_texts(
        &mut self,
        (layout, slot): (&'static Layout, usize),
        content: &Source,
        text: &dyn Fn(&str) -> Result<String>,
    ) -> Result<()> {
        for table in self.tables.iter_mut().filter(|table| table.layout.name == layout.name) {
            let Some(FieldContents::Texts(ranges)) = table.field(slot) else { continue };
            let replaced = ranges.iter().map(|range| {
                let bytes = content.get(range.clone())?;
                text(&String::from_utf8_lossy(&bytes)).map(String::into_bytes)
            });
            let replaced = replaced.collect::<Result<_>>()?;
            table.set(slot, Some(FieldContents::NewTexts(replaced)));
        }
        Ok(())
    }

    /// All tables, in no meaningful order.
    pub(super) fn tables(&self) -> &[TableValue] {
        &self.tables
    }

    /// The tables of the export and of its derivatives, in the order of differentiation.
    pub(super) fn levels(&self) -> impl Iterator<Item = TableId> {
        let vjp = |id: &TableId| match self.table(*id).field(VJP) {
            Some(FieldContents::Table(next)) => Some(*next),
            _ => None,
        };
        std::iter::successors(Some(self.root()), vjp)
    }
}

/// The slot of the derivative.
const VJP: usize = super::read::slot::VJP as usize;

impl TableValue {
    pub(super) fn new(layout: &'static Layout) -> Self {
        Self { layout, fields: Vec::new() }
    }

    /// Sets the contents of a slot, or removes them.
    pub(super) fn set(&mut self, slot: usize, value: Option<FieldContents>) {
        if self.fields.len() <= slot {
            if value.is_none() {
                return;
            }
            self.fields.resize(slot + 1, None);
        }
        self.fields[slot] = value;
    }

    /// The contents of a slot; `None` if the table does not have it.
    pub(super) fn field(&self, slot: usize) -> Option<&FieldContents> {
        self.fields.get(slot)?.as_ref()
    }

    /// The number in a slot; 0 if the table does not have it.
    pub(super) fn number(&self, slot: u64) -> u32 {
        match self.field(slot as usize) {
            Some(&FieldContents::Number(number)) => number,
            _ => 0,
        }
    }
}

impl Reader<'_> {
    /// Returns the number of the table at a position; its fields are read later.
    fn table(&mut self, at: u64, layout: &'static Layout) -> Result<TableId> {
        if let Some(&id) = self.ids.get(&(at, layout.name)) {
            return Ok(id);
        }
        self.file.budget().spend(size_of::<TableValue>() + 2 * size_of::<((u64, &str), TableId)>())?;
        let id = TableId(self.value.tables.len() as u32);
        self.value.tables.push(TableValue { layout, fields: Vec::new() });
        self.ids.insert((at, layout.name), id);
        self.open.push((id, at));
        Ok(id)
    }

    fn fields(&mut self, id: TableId, at: u64) -> Result<()> {
        let table = self.file.table(at)?;
        let layout = self.value.table(id).layout;
        let count = layout.slots.len().min(table.slots as usize);
        let mut fields = self.file.budget().vec(count)?;
        for (number, slot) in layout.slots.iter().enumerate().take(count) {
            let field = self.file.field(&table, number as u64, slot.item.field_size())?;
            fields.push(field.map(|at| self.value(at, slot.item)).transpose()?);
        }
        for number in layout.slots.len() as u64..table.slots {
            if self.value.unknown_slot.is_none() && self.file.u16(table.vtable + 4 + 2 * number)? != 0 {
                self.value.unknown_slot = Some(table.vtable + 4 + 2 * number);
            }
        }
        self.value.tables[id.index()].fields = fields;
        Ok(())
    }

    /// Reads the contents of the field at a position.
    fn value(&mut self, at: u64, item: Item) -> Result<FieldContents> {
        if let Item::Number(size) = item {
            return Ok(FieldContents::Number(self.file.number_at(at, size)?));
        }
        let target = self.file.reference(at)?;
        if let Item::Table(layout) = item {
            return Ok(FieldContents::Table(self.table(target, layout)?));
        }
        let size = item.item_size();
        let vector = self.file.vector_at(target, size)?;
        let references = (0..vector.len).map(|number| vector.at + size * number);
        Ok(match item {
            Item::Texts => {
                let mut texts = self.file.budget().vec(vector.len as usize)?;
                for at in references {
                    let target = self.file.reference(at)?;
                    let text = self.file.vector_at(target, 1)?;
                    // Several references may lead to one text, which is written for each reference.
                    self.file.budget().spend(text.len as usize)?;
                    texts.push(text.at..text.at + text.len);
                }
                FieldContents::Texts(texts)
            }
            Item::Tables(layout) => {
                let mut tables = self.file.budget().vec(vector.len as usize)?;
                for at in references {
                    let target = self.file.reference(at)?;
                    tables.push(self.table(target, layout)?);
                }
                FieldContents::Tables(tables)
            }
            _ => FieldContents::Data(vector.at..vector.at + size * vector.len),
        })
    }
}
