//! Arrow IPC streams of tables with words, numbers and lists of numbers.
//!
//! Owns the encoding that <https://arrow.apache.org/docs/format/Columnar.html> describes: messages of a flatbuffer and a
//! body. Does not own the meaning of the columns. A stream is a schema, then for each batch its dictionaries, which replace
//! earlier ones, and its columns.

use std::io::{self, Write};

use mlirbc::tool::NO_ROW;

/// The type of a column's values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Row numbers of a dictionary of texts; the dictionary has the number of the column.
    Words,
    /// 32-bit numbers; [`NO_ROW`] is null.
    Numbers,
    /// 64-bit numbers, which may be null.
    LongNumbers,
    /// Lists of 32-bit numbers.
    Lists,
}

/// A column of a batch.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Column<'c> {
    Words(&'c [u32]),
    Numbers(&'c [u32]),
    LongNumbers(&'c [Option<u64>]),
    /// The start of each list and the end of the last one, then the numbers of all lists.
    Lists(&'c [u32], &'c [u32]),
}

// Numbers of the format: `Message.fbs` and `Schema.fbs`.
const VERSION_5: u64 = 4;
const SCHEMA: u64 = 1;
const DICTIONARY: u64 = 2;
const BATCH: u64 = 3;
const INT: u64 = 2;
const LIST: u64 = 12;
const LARGE_UTF8: u64 = 20;

/// Writes the start of a stream.
pub(crate) fn begin(out: &mut impl Write, columns: &[(&str, Kind)]) -> io::Result<()> {
    let unsigned =
        |bits| FlatbufferValue::Table(vec![FlatbufferValue::Number(bits), FlatbufferValue::Number(0)]);
    let number = || unsigned(32);
    let fields = columns.iter().zip(0..).map(|(&(name, kind), id)| {
        let (code, inner, dictionary, children) = match kind {
            Kind::Numbers => (INT, number(), FlatbufferValue::Absent, Vec::new()),
            Kind::LongNumbers => (INT, unsigned(64), FlatbufferValue::Absent, Vec::new()),
            Kind::Lists => {
                let item = field("item", false, (INT, number()), FlatbufferValue::Absent, Vec::new());
                (LIST, FlatbufferValue::Table(Vec::new()), FlatbufferValue::Absent, vec![item])
            }
            Kind::Words => {
                let dictionary = FlatbufferValue::Table(vec![FlatbufferValue::Number(id), number()]);
                (LARGE_UTF8, FlatbufferValue::Table(Vec::new()), dictionary, Vec::new())
            }
        };
        field(name, matches!(kind, Kind::Numbers | Kind::LongNumbers), (code, inner), dictionary, children)
    });
    let schema =
        FlatbufferValue::Table(vec![FlatbufferValue::Number(0), FlatbufferValue::Tables(fields.collect())]);
    message(out, SCHEMA, schema, &[])
}

/// Writes the dictionary of a column for the next batches.
pub(crate) fn dictionary(out: &mut impl Write, column: u64, words: &[String]) -> io::Result<()> {
    let mut ends = Vec::with_capacity(8 * (words.len() + 1));
    let mut end = 0u64;
    ends.extend(end.to_le_bytes());
    for word in words {
        end += word.len() as u64;
        ends.extend(end.to_le_bytes());
    }
    let buffers =
        [Buffer::Bytes(Vec::new()), Buffer::Bytes(ends), Buffer::Bytes(words.concat().into_bytes())];
    let batch = batch_header(words.len(), &[(words.len(), 0)], &buffers);
    message(out, DICTIONARY, FlatbufferValue::Table(vec![FlatbufferValue::Number(column), batch]), &buffers)
}

/// Writes rows.
pub(crate) fn batch(out: &mut impl Write, rows: usize, columns: &[Column<'_>]) -> io::Result<()> {
    let (mut nodes, mut buffers) = (Vec::new(), Vec::new());
    for column in columns {
        match *column {
            Column::Words(numbers) => {
                nodes.push((rows, 0));
                buffers.extend([Buffer::Bytes(Vec::new()), Buffer::Numbers(numbers)]);
            }
            Column::Numbers(numbers) => {
                let (bits, nulls) = validity(numbers);
                nodes.push((rows, nulls));
                buffers.extend([Buffer::Bytes(bits), Buffer::Numbers(numbers)]);
            }
            Column::LongNumbers(numbers) => {
                let rows_with_nulls: Vec<u32> =
                    numbers.iter().map(|number| if number.is_some() { 0 } else { NO_ROW }).collect();
                let (bits, nulls) = validity(&rows_with_nulls);
                nodes.push((rows, nulls));
                let bytes = numbers.iter().flat_map(|number| number.unwrap_or_default().to_le_bytes());
                buffers.extend([Buffer::Bytes(bits), Buffer::Bytes(bytes.collect())]);
            }
            Column::Lists(offsets, items) => {
                nodes.extend([(rows, 0), (items.len(), 0)]);
                buffers.extend([Buffer::Bytes(Vec::new()), Buffer::Numbers(offsets)]);
                buffers.extend([Buffer::Bytes(Vec::new()), Buffer::Numbers(items)]);
            }
        }
    }
    message(out, BATCH, batch_header(rows, &nodes, &buffers), &buffers)
}

/// Writes the end of a stream.
pub(crate) fn end(out: &mut impl Write) -> io::Result<()> {
    out.write_all(&[0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0])
}

/// A bit for each number that is not null, and how many are; no bits if none is.
fn validity(numbers: &[u32]) -> (Vec<u8>, usize) {
    let nulls = numbers.iter().filter(|&&number| number == NO_ROW).count();
    if nulls == 0 {
        return (Vec::new(), 0);
    }
    let bits = |eight: &[u32]| eight.iter().rev().fold(0, |bits, &n| bits << 1 | u8::from(n != NO_ROW));
    (numbers.chunks(8).map(bits).collect(), nulls)
}

fn field<'v>(
    name: &'v str,
    is_nullable: bool,
    (code, inner): (u64, FlatbufferValue<'v>),
    dictionary: FlatbufferValue<'v>,
    children: Vec<FlatbufferValue<'v>>,
) -> FlatbufferValue<'v> {
    let is_nullable = FlatbufferValue::Number(is_nullable.into());
    let children = FlatbufferValue::Tables(children);
    FlatbufferValue::Table(vec![
        FlatbufferValue::Text(name),
        is_nullable,
        FlatbufferValue::Number(code),
        inner,
        dictionary,
        children,
    ])
}

fn batch_header(rows: usize, nodes: &[(usize, usize)], buffers: &[Buffer<'_>]) -> FlatbufferValue<'static> {
    let nodes = nodes.iter().map(|&(length, nulls)| [length as u64, nulls as u64]);
    let mut at = 0;
    let places = buffers.iter().map(|buffer| {
        let place = [at, buffer.len()];
        at += padded(buffer.len());
        place
    });
    FlatbufferValue::Table(vec![
        FlatbufferValue::Number(rows as u64),
        FlatbufferValue::Pairs(nodes.collect()),
        FlatbufferValue::Pairs(places.collect()),
    ])
}

fn message(
    out: &mut impl Write,
    kind: u64,
    header: FlatbufferValue<'_>,
    body: &[Buffer<'_>],
) -> io::Result<()> {
    let length = body.iter().map(|buffer| padded(buffer.len())).sum();
    let root = FlatbufferValue::Table(vec![
        FlatbufferValue::Number(VERSION_5),
        FlatbufferValue::Number(kind),
        header,
        FlatbufferValue::Number(length),
    ]);
    let header = flatbuffer(&root);
    out.write_all(&[0xff; 4])?;
    out.write_all(&(header.len() as u32).to_le_bytes())?;
    out.write_all(&header)?;
    body.iter().try_for_each(|buffer| buffer.write(out))
}

/// A part of a body.
enum Buffer<'b> {
    Bytes(Vec<u8>),
    Numbers(&'b [u32]),
}

impl Buffer<'_> {
    fn len(&self) -> u64 {
        match self {
            Self::Bytes(bytes) => bytes.len() as u64,
            Self::Numbers(numbers) => 4 * numbers.len() as u64,
        }
    }

    fn write(&self, out: &mut impl Write) -> io::Result<()> {
        match self {
            Self::Bytes(bytes) => out.write_all(bytes)?,
            Self::Numbers(numbers) => {
                numbers.iter().try_for_each(|number| out.write_all(&number.to_le_bytes()))?;
            }
        }
        out.write_all(&[0; 8][..(padded(self.len()) - self.len()) as usize])
    }
}

fn padded(length: u64) -> u64 {
    length.next_multiple_of(8)
}

/// A value of a flatbuffer.
enum FlatbufferValue<'v> {
    Absent,
    /// A number of any size, stored in eight bytes; readers of smaller numbers take the first bytes.
    Number(u64),
    Text(&'v str),
    Table(Vec<FlatbufferValue<'v>>),
    Tables(Vec<FlatbufferValue<'v>>),
    /// Structures of two 64-bit numbers.
    Pairs(Vec<[u64; 2]>),
}

fn flatbuffer(root: &FlatbufferValue<'_>) -> Vec<u8> {
    let mut bytes = vec![0; 4];
    let at = place(&mut bytes, root);
    write_offset(&mut bytes, 0, at);
    pad(&mut bytes, 0);
    bytes
}

/// Appends a value that is stored by offset, and returns its position. The recursion is as deep as the schema
/// above.
fn place(bytes: &mut Vec<u8>, value: &FlatbufferValue<'_>) -> usize {
    match value {
        // Stored in the table itself.
        FlatbufferValue::Absent | FlatbufferValue::Number(_) => bytes.len(),
        FlatbufferValue::Text(text) => {
            pad(bytes, 0);
            let at = bytes.len();
            bytes.extend((text.len() as u32).to_le_bytes());
            bytes.extend(text.bytes());
            bytes.push(0);
            at
        }
        FlatbufferValue::Table(fields) => {
            // The offsets of the fields come first, then the table, with eight bytes for each field.
            pad(bytes, 0);
            let places = bytes.len();
            let size = 8 + 8 * fields.len();
            bytes.extend((4 + 2 * fields.len() as u16).to_le_bytes());
            bytes.extend((size as u16).to_le_bytes());
            for (number, field) in fields.iter().enumerate() {
                let place = if matches!(field, FlatbufferValue::Absent) { 0 } else { 8 + 8 * number as u16 };
                bytes.extend(place.to_le_bytes());
            }
            pad(bytes, 0);
            let at = bytes.len();
            bytes.resize(at + size, 0);
            bytes[at..at + 4].copy_from_slice(&((at - places) as u32).to_le_bytes());
            for (number, field) in fields.iter().enumerate() {
                let slot = at + 8 + 8 * number;
                match field {
                    FlatbufferValue::Absent => {}
                    FlatbufferValue::Number(number) => {
                        bytes[slot..slot + 8].copy_from_slice(&number.to_le_bytes())
                    }
                    _ => {
                        let target = place(bytes, field);
                        write_offset(bytes, slot, target);
                    }
                }
            }
            at
        }
        FlatbufferValue::Tables(tables) => {
            pad(bytes, 0);
            let at = bytes.len();
            bytes.extend((tables.len() as u32).to_le_bytes());
            bytes.resize(at + 4 + 4 * tables.len(), 0);
            for (number, table) in tables.iter().enumerate() {
                let target = place(bytes, table);
                write_offset(bytes, at + 4 + 4 * number, target);
            }
            at
        }
        FlatbufferValue::Pairs(pairs) => {
            pad(bytes, 4);
            let at = bytes.len();
            bytes.extend((pairs.len() as u32).to_le_bytes());
            bytes.extend(pairs.iter().flatten().flat_map(|number| number.to_le_bytes()));
            at
        }
    }
}

/// Writes the offset of `target`, which comes after `slot`, into `slot`.
fn write_offset(bytes: &mut [u8], slot: usize, target: usize) {
    bytes[slot..slot + 4].copy_from_slice(&((target - slot) as u32).to_le_bytes());
}

/// Pads to a position that is `rest` more than a multiple of eight.
fn pad(bytes: &mut Vec<u8>, rest: usize) {
    while bytes.len() % 8 != rest {
        bytes.push(0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_that_mean_none_are_null() {
        assert_eq!(validity(&[1, 2]), (Vec::new(), 0));
        let mut numbers = [7; 10];
        (numbers[0], numbers[9]) = (NO_ROW, NO_ROW);
        assert_eq!(validity(&numbers), (vec![0xfe, 0x01], 2));
    }

    #[test]
    fn messages_and_buffers_are_aligned() {
        let mut bytes = Vec::new();
        begin(&mut bytes, &[("word", Kind::Words), ("list", Kind::Lists)]).unwrap();
        assert_eq!(bytes.len() % 8, 0);
        dictionary(&mut bytes, 0, &["abc".to_owned()]).unwrap();
        assert_eq!(bytes.len() % 8, 0);
        batch(&mut bytes, 1, &[Column::Words(&[0]), Column::Lists(&[0, 3], &[4, 5, 6])]).unwrap();
        assert_eq!(bytes.len() % 8, 0);
        let body = [[0u32, 0], [0, 3], [4, 5], [6, 0]].concat();
        assert!(bytes.ends_with(&body.iter().flat_map(|n| n.to_le_bytes()).collect::<Vec<_>>()));
    }
}
