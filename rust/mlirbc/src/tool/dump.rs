//! The meaning of every byte of a file: its fields with their names in the format, and their values.
//!
//! Owns [`dump`], which selects fields and resolves their values; `file::trace_fields` finds them. Only short
//! texts of attributes and types stay in memory.

use std::collections::HashMap;
use std::fmt::Write;

use crate::attr::{Attribute, Type};
use crate::container::Container;
use crate::file::{FileTables, ReadOptions, trace_fields};
use crate::format::container::MAGIC;
use crate::format::id::{AttrId, OpNameId, TypeId};
use crate::wire::bytes::{Bytes, Source};
use crate::wire::cursor::{Field, FieldValue, FieldVisitor};
use crate::wire::error::{Error, ErrorKind, Result, cut_bytes};
use crate::wire::section::SectionId;

/// The selection of a dump.
#[doc(hidden)]
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct DumpOptions {
    /// Show only this section.
    pub section: Option<SectionId>,
    /// Show only the field with the byte at this offset, and the groups around the field.
    pub at: Option<u64>,
    /// The number of levels of groups and fields to show; deeper levels are merged into one row with their
    /// group.
    pub depth: Option<usize>,
    /// Show the bytes around the modules of a JAX export instead of a module; offsets count from the start of
    /// the file.
    pub container: bool,
}

/// The kind of a row of a dump.
#[doc(hidden)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DumpKind {
    /// A group; its fields follow.
    Group,
    /// A field, or a group whose fields are not shown.
    Field,
    /// Bytes that break a rule of the format.
    Fault,
}

impl DumpKind {
    /// Returns the name in JSON: `group`, `field`, `fault`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Group => "group",
            Self::Field => "field",
            Self::Fault => "fault",
        }
    }
}

/// A row of a dump.
#[doc(hidden)]
#[derive(Debug, Clone)]
pub struct DumpRow {
    /// The kind of the row.
    pub kind: DumpKind,
    /// The number of groups around the row.
    pub depth: usize,
    /// The offset of the first byte; for a fault, the offset of the error.
    pub offset: u64,
    /// The number of bytes; 0 for groups, whose fields follow, and for faults.
    pub size: u64,
    /// The name of the field in the format, the group, or the identifier of the error.
    pub name: String,
    /// The decoded value, or the message of the error.
    pub value: String,
    /// The first bytes of a field, or the bytes around a fault.
    pub bytes: Bytes,
    /// The position of a fault's offset in `bytes`.
    pub caret: usize,
}

/// The number of bytes of a field in its row.
const SHOWN: u64 = 8;
/// The length of texts in rows.
const TEXT: usize = 60;

/// Calls `emit` with each row of the dump of a file, in the order of the bytes, until it returns false;
/// returns the number of faults. Without a selection, the fields cover every byte of the file exactly once.
///
/// In a container, the module is dumped. The container itself is dumped if the options ask for it, or if it
/// is too damaged to have a module.
///
/// # Errors
/// If the source cannot be read or is not bytecode, or has no container. A rule that bytecode breaks is a row.
///
/// ```
/// use mlirbc::tool::{DumpOptions, dump};
/// let mut rows = Vec::new();
/// let options = DumpOptions { at: Some(0x2e), ..DumpOptions::default() };
/// dump(&mlirbc::doc_example().into(), &Default::default(), options, &mut |row| {
///     rows.push(format!("{} {}", row.name, row.value));
///     true
/// })?;
/// assert_eq!(rows, ["section AttrType ", "type 0 (builtin.IntegerType) ", "code 0"]);
/// # Ok::<(), mlirbc::Error>(())
/// ```
#[doc(hidden)]
pub fn dump(
    source: &Source,
    options: &ReadOptions,
    selection: DumpOptions,
    emit: &mut dyn FnMut(DumpRow) -> bool,
) -> Result<u64> {
    let Dumped { source, tables, error, is_container } = dumped(source, options, selection)?;
    let mut dump = Dump {
        source: &source,
        tables: tables.as_ref(),
        selection,
        emit,
        groups: Vec::new(),
        shown: 0,
        texts: HashMap::new(),
        faults: 0,
        is_done: false,
        failed: None,
    };
    match is_container {
        true => Container::trace(&source, &options.limits, &mut dump)?,
        false => trace_fields(&source, &options.limits, tables.as_ref(), &mut dump)?,
    }
    // Several sections together break a rule although each is valid alone.
    if let Some(error) = error.filter(|_| dump.faults == 0) {
        dump.fault(&error);
    }
    let faults = dump.faults;
    dump.failed.map_or(Ok(faults), Err)
}

/// The source of a dump.
struct Dumped {
    source: Source,
    tables: Option<FileTables>,
    /// The error from opening the source.
    error: Option<Error>,
    is_container: bool,
}

fn dumped(source: &Source, options: &ReadOptions, selection: DumpOptions) -> Result<Dumped> {
    let bytecode = |source, tables, error| Dumped { source, tables, error, is_container: false };
    let container = || Container::content_of(source, &options.limits);
    let whole = |source| Dumped { source, tables: None, error: None, is_container: true };
    if selection.container {
        let none = || {
            Error::message(ErrorKind::Value, "the file is a module, with nothing around it")
                .with_hint("leave out `--container` or `container=True`")
        };
        return container()?.map(whole).ok_or_else(none);
    }
    let error = match FileTables::open(source.clone(), options) {
        Ok(tables) => return Ok(bytecode(tables.source().clone(), Some(tables), None)),
        Err(error) if is_bytecode(source)? => return Ok(bytecode(source.clone(), None, Some(error))),
        Err(error) => error,
    };
    match Container::recognize(source, &options.limits) {
        // The module is damaged.
        Ok(Some(found)) => {
            let index = found.index_of(options.module.as_ref())?;
            let module = found.source(index)?;
            if is_bytecode(&module)? { Ok(bytecode(module, None, Some(error))) } else { Err(error) }
        }
        Ok(None) => Err(error),
        Err(_) => container()?.map(whole).ok_or(error),
    }
}

fn is_bytecode(source: &Source) -> Result<bool> {
    Ok(source.len() >= 4 && source.get(0..4)? == MAGIC[..])
}

struct Group {
    name: String,
    offset: u64,
    is_titled: bool,
}

struct Dump<'d> {
    source: &'d Source,
    tables: Option<&'d FileTables>,
    selection: DumpOptions,
    emit: &'d mut dyn FnMut(DumpRow) -> bool,
    groups: Vec<Group>,
    // The number of these groups that have a row: the outermost ones.
    shown: usize,
    // Short texts of referenced attributes and types.
    texts: HashMap<(bool, u64), Box<str>>,
    faults: u64,
    is_done: bool,
    failed: Option<Error>,
}

impl FieldVisitor for Dump<'_> {
    fn begin(&mut self, name: &str, offset: u64) {
        self.groups.push(Group { name: name.to_owned(), offset, is_titled: false });
    }

    fn title(&mut self, text: &str) {
        if let Some(group) = self.groups.last_mut() {
            group.name.push_str(text);
        }
    }

    fn end(&mut self, offset: u64) {
        // A collapsed group.
        if self.groups.len() == self.depth()
            && let Some(group) = self.groups.last()
            && offset > group.offset
        {
            let (start, name) = (group.offset, group.name.clone());
            self.row(start, offset, name, None);
        }
        self.groups.pop();
        self.shown = self.shown.min(self.groups.len());
    }

    fn field(&mut self, field: &Field) {
        let level = self.groups.len();
        let (is_inside, is_hidden) = (self.is_selected(field.offset, field.end), level >= self.depth());
        // The first field of some groups tells which entry the group is for.
        if let Some(group) = self.groups.last_mut()
            && !group.is_titled
        {
            group.is_titled = true;
            let title = match (group.name.as_str(), &field.value) {
                ("section", &FieldValue::Number(id)) => {
                    SectionId::from_byte(id as u8 & 0x7f).map(|id| id.name().to_owned())
                }
                ("operation", &FieldValue::Index(table, index)) => Some(self.entry(table, index)),
                _ => None,
            };
            if let (Some(title), Some(group)) = (title, self.groups.last_mut()) {
                let _ = write!(group.name, " {title}");
            }
        }
        if is_hidden || !is_inside {
            return;
        }
        self.row(field.offset, field.end, field.name.clone(), Some(field));
    }

    fn fault(&mut self, error: &Error) {
        self.faults += 1;
        let offset = error.offset().unwrap_or(self.source.len()).min(self.source.len());
        let start = offset.saturating_sub(SHOWN);
        let end = self.source.len().min(offset + SHOWN);
        let bytes = self.bytes(start, end);
        self.show_groups();
        self.emit(DumpRow {
            kind: DumpKind::Fault,
            depth: self.groups.len(),
            offset,
            size: 0,
            name: error.identifier().to_owned(),
            value: error.to_string(),
            bytes,
            caret: (offset - start) as usize,
        });
    }

    fn wants(&mut self, offset: u64, end: u64) -> bool {
        self.groups.len() < self.depth()
            && self.selection.at.is_none_or(|at| (offset..end).contains(&at))
            && self.is_in_section()
    }

    fn is_done(&self) -> bool {
        self.is_done
    }
}

impl Dump<'_> {
    // The number of levels that are shown.
    fn depth(&self) -> usize {
        self.selection.depth.unwrap_or(usize::MAX)
    }

    fn is_in_section(&self) -> bool {
        let Some(section) = self.selection.section else { return true };
        let name = self.groups.first().and_then(|group| group.name.strip_prefix("section "));
        name == Some(section.name())
    }

    fn is_selected(&self, start: u64, end: u64) -> bool {
        self.selection.at.is_none_or(|at| (start..end).contains(&at))
    }

    fn row(&mut self, start: u64, end: u64, name: String, field: Option<&Field>) {
        if !self.is_selected(start, end) || !self.is_in_section() {
            return;
        }
        let depth = self.groups.len() - usize::from(field.is_none());
        let collapsed = if field.is_none() { self.groups.pop() } else { None };
        self.show_groups();
        self.groups.extend(collapsed);
        let bytes = self.bytes(start, end.min(start + SHOWN));
        let value = match field {
            Some(field) => self.value(field),
            None => bytes_of(end - start),
        };
        let size = end - start;
        let kind = DumpKind::Field;
        self.emit(DumpRow { kind, depth, offset: start, size, name, value, bytes, caret: 0 });
    }

    fn show_groups(&mut self) {
        while let Some(group) = self.groups.get(self.shown) {
            let depth = self.shown;
            self.shown += 1;
            let row = DumpRow {
                kind: DumpKind::Group,
                depth,
                offset: group.offset,
                size: 0,
                name: group.name.clone(),
                value: String::new(),
                bytes: Bytes::new(),
                caret: 0,
            };
            self.emit(row);
        }
    }

    fn emit(&mut self, row: DumpRow) {
        if !self.is_done && self.failed.is_none() {
            self.is_done = !(self.emit)(row);
        }
    }

    fn bytes(&mut self, start: u64, end: u64) -> Bytes {
        self.source.get(start..end).unwrap_or_else(|error| {
            self.failed.get_or_insert(error);
            Bytes::new()
        })
    }

    // ---- values ----

    fn value(&mut self, field: &Field) -> String {
        match (field.name.as_str(), field.value) {
            ("section id", FieldValue::Number(id)) => {
                let name = SectionId::from_byte(id as u8 & 0x7f).map_or("unknown", SectionId::name);
                let aligned = if id & 0x80 != 0 { ", with an alignment" } else { "" };
                format!("{} ({name}){aligned}", id & 0x7f)
            }
            ("mask", FieldValue::Number(mask)) => mask_text(mask),
            ("kind", FieldValue::Number(kind)) => {
                let kind_name = crate::format::resource::ResourceKind::from_byte(kind as u8);
                kind_name.map_or_else(|| kind.to_string(), |name| format!("{kind} ({})", name.name()))
            }
            (_, FieldValue::Number(number)) => number.to_string(),
            (_, FieldValue::Signed(number)) => number.to_string(),
            (name, FieldValue::Flagged(number, flag)) => match (flag, flag_name(name)) {
                (true, Some(what)) => format!("{number}, {what}"),
                (true, None) => format!("{number}, with flag"),
                (false, _) => number.to_string(),
            },
            (_, FieldValue::Index(table, index)) => self.reference(table, index),
            (name, FieldValue::FlaggedIndex(table, index, flag)) => match flag_name(name) {
                Some(what) if flag => format!("{}, {what}", self.reference(table, index)),
                None if !flag => "absent".to_owned(),
                _ => self.reference(table, index),
            },
            (_, FieldValue::Bytes | FieldValue::Padding) => bytes_of(field.end - field.offset),
            (_, FieldValue::Text) => {
                let end = field.end.min(field.offset + TEXT as u64 + 1);
                let bytes = self.bytes(field.offset, end);
                let is_whole = end == field.end;
                let text = bytes.get(..bytes.len() - usize::from(is_whole)).unwrap_or_default();
                format!("{}{}", quoted(text), if is_whole { "" } else { "…" })
            }
        }
    }

    fn reference(&mut self, table: &'static str, index: u64) -> String {
        let text = self.entry(table, index);
        if text.is_empty() { index.to_string() } else { format!("{index} = {text}") }
    }

    // Returns the text of a referenced entry; empty if it is unknown.
    fn entry(&mut self, table: &'static str, index: u64) -> String {
        let (Some(tables), Ok(id)) = (self.tables, u32::try_from(index)) else { return String::new() };
        match table {
            "an operation name" => {
                tables.op_name(OpNameId::new(id)).map_or_else(String::new, |name| short(&name.shown()))
            }
            "a string" => {
                tables.strings().ok().and_then(|strings| strings.get(id)).map(quoted).unwrap_or_default()
            }
            "a dialect" => short(&cut_bytes(tables.dialect_name(id).unwrap_or_default(), 4 * TEXT)),
            "an attribute" => self.text((false, index), || {
                Attribute::of_file(tables, AttrId::new(id))
                    .ok()?
                    .map(|attribute| attribute.to_text_within(TEXT))
            }),
            "a type" => self.text((true, index), || {
                Type::of_file(tables, TypeId::new(id)).ok()?.map(|r#type| r#type.to_text_within(TEXT))
            }),
            _ => String::new(),
        }
    }

    fn text(&mut self, key: (bool, u64), print: impl FnOnce() -> Option<String>) -> String {
        self.texts.entry(key).or_insert_with(|| print().unwrap_or_default().into()).to_string()
    }
}

fn bytes_of(count: u64) -> String {
    if count == 1 { "1 byte".to_owned() } else { format!("{count} bytes") }
}

fn short(text: &str) -> String {
    crate::wire::error::cut(text, TEXT)
}

fn quoted(bytes: &[u8]) -> String {
    format!("{:?}", short(&cut_bytes(bytes, 4 * TEXT)))
}

// Returns the meaning of the flag in a number, by the name of its field; flags of optional values have no
// name.
fn flag_name(name: &str) -> Option<&'static str> {
    Some(match name {
        "number of operations" => "has arguments",
        "number of regions" => "isolated",
        "size of an entry" => "custom encoding",
        "number of use-list indices" => "pairs",
        "dialect name" => "has a version",
        "op name" => "registered",
        "argument type" => "has a location",
        _ => return None,
    })
}

fn mask_text(mask: u64) -> String {
    const BITS: [&str; 8] = [
        "attributes",
        "results",
        "operands",
        "successors",
        "regions",
        "use-list orders",
        "properties",
        "bit 7",
    ];
    let set: Vec<&str> =
        BITS.iter().enumerate().filter(|(bit, _)| mask >> bit & 1 == 1).map(|(_, &name)| name).collect();
    if set.is_empty() { format!("{mask:#04x}") } else { format!("{mask:#04x} ({})", set.join(", ")) }
}

/// Checks that a selected offset is in the file.
///
/// # Errors
/// Always of the kind [`ErrorKind::Value`], if `at` is not in a file of `size` bytes.
#[doc(hidden)]
pub fn check_offset(at: u64, size: u64) -> Result<()> {
    if at < size {
        return Ok(());
    }
    let expected = format!("an offset below {size:#x}, the size of the file");
    Err(Error::new(ErrorKind::Value, expected, format!("{at:#x}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(bytes: Vec<u8>, selection: DumpOptions) -> (Vec<DumpRow>, u64) {
        let mut rows = Vec::new();
        let faults = dump(&bytes.into(), &ReadOptions::default(), selection, &mut |row| {
            rows.push(row);
            true
        });
        (rows, faults.unwrap())
    }

    fn tile(rows: &[DumpRow], size: usize) {
        let mut end = 0;
        for row in rows.iter().filter(|row| row.kind == DumpKind::Field) {
            assert_eq!(row.offset, end, "{row:?}");
            end += row.size;
        }
        assert_eq!(end, size as u64);
    }

    #[test]
    fn fields_tile_the_file_at_every_depth() {
        let bytes = crate::doc_example();
        for depth in [None, Some(1), Some(2), Some(3), Some(5)] {
            let (rows, faults) = rows(bytes.clone(), DumpOptions { depth, ..DumpOptions::default() });
            assert_eq!(faults, 0);
            tile(&rows, bytes.len());
        }
    }

    #[test]
    fn fields_of_damaged_files_tile_them() {
        let bytes = crate::doc_example();
        for len in 4..bytes.len() {
            let (rows, faults) = rows(bytes[..len].to_vec(), DumpOptions::default());
            assert!(faults > 0, "cut at {len}");
            tile(&rows, len);
        }
        for at in 4..bytes.len() {
            for value in [0, 1, 3, 0x7f, 0xff] {
                let mut damaged = bytes.clone();
                damaged[at] = value;
                let (rows, _) = rows(damaged, DumpOptions::default());
                tile(&rows, bytes.len());
            }
        }
    }

    #[test]
    fn a_byte_has_one_field_and_its_groups() {
        let bytes = crate::doc_example();
        for at in 0..bytes.len() as u64 {
            let (rows, _) = rows(bytes.clone(), DumpOptions { at: Some(at), ..DumpOptions::default() });
            let fields: Vec<_> = rows.iter().filter(|row| row.kind == DumpKind::Field).collect();
            assert_eq!(fields.len(), 1, "{at}: {rows:?}");
            assert!((fields[0].offset..fields[0].offset + fields[0].size).contains(&at));
            let depths: Vec<_> = rows.iter().map(|row| row.depth).collect();
            assert_eq!(depths, (0..rows.len()).collect::<Vec<_>>());
        }
    }

    #[test]
    fn a_fault_has_the_bytes_around_it() {
        let mut bytes = crate::doc_example();
        bytes[53] = 0x21;
        let (rows, faults) = rows(bytes, DumpOptions::default());
        let fault = rows.iter().find(|row| row.kind == DumpKind::Fault).unwrap();
        assert_eq!(faults, 1);
        assert_eq!((fault.offset, fault.bytes[fault.caret]), (53, 0x21));
    }
}
