//! Writes files of version 6 by hand: tables, and the IR as bytes.

use std::collections::HashMap;

/// A varint of the shortest form.
pub(crate) fn varint(out: &mut Vec<u8>, value: usize) {
    let size = (1..=8).find(|size| value < 1 << (7 * size)).unwrap();
    let encoded = (((value as u64) << 1) | 1) << (size - 1);
    out.extend_from_slice(&encoded.to_le_bytes()[..size]);
}

pub(crate) fn varints(values: &[usize]) -> Vec<u8> {
    let mut out = Vec::new();
    values.iter().for_each(|value| varint(&mut out, *value));
    out
}

struct Entry {
    dialect: usize,
    bytes: Vec<u8>,
    is_encoded: bool,
}

/// A file under construction; methods return the index of the added entry.
#[derive(Default)]
pub(crate) struct File {
    strings: Vec<Vec<u8>>,
    known: HashMap<Vec<u8>, usize>,
    dialects: Vec<usize>,
    op_names: Vec<(usize, usize)>,
    attributes: Vec<Entry>,
    types: Vec<Entry>,
}

/// The dialects that every file has.
pub(crate) const BUILTIN: usize = 0;
pub(crate) const T: usize = 1;
/// The operation names that every file has: `builtin.module`, `t.op`.
pub(crate) const MODULE: usize = 0;
pub(crate) const OP: usize = 1;

/// An operation with the parts that the tests need.
#[derive(Default)]
pub(crate) struct Op<'f> {
    pub(crate) name: usize,
    pub(crate) location: usize,
    pub(crate) attributes: Option<usize>,
    pub(crate) results: &'f [usize],
    pub(crate) operands: &'f [usize],
    /// The bytes of the operations in the only block, their number, and the number of values that they
    /// define.
    pub(crate) region: Option<(&'f [u8], usize, usize)>,
    pub(crate) is_isolated: bool,
}

impl File {
    pub(crate) fn new() -> Self {
        let mut file = Self::default();
        file.dialect(b"builtin");
        file.dialect(b"t");
        file.op_name(BUILTIN, b"module");
        file.op_name(T, b"op");
        // The unknown location.
        file.attribute(&varints(&[15]));
        file
    }

    pub(crate) fn string(&mut self, value: &[u8]) -> usize {
        *self.known.entry(value.to_vec()).or_insert_with(|| {
            self.strings.push(value.to_vec());
            self.strings.len() - 1
        })
    }

    pub(crate) fn dialect(&mut self, name: &[u8]) -> usize {
        let name = self.string(name);
        self.dialects.push(name);
        self.dialects.len() - 1
    }

    pub(crate) fn op_name(&mut self, dialect: usize, name: &[u8]) -> usize {
        let name = self.string(name);
        self.op_names.push((dialect, name));
        self.op_names.len() - 1
    }

    /// An attribute of the builtin dialect, in its encoding.
    pub(crate) fn attribute(&mut self, bytes: &[u8]) -> usize {
        self.attributes.push(Entry { dialect: BUILTIN, bytes: bytes.to_vec(), is_encoded: true });
        self.attributes.len() - 1
    }

    pub(crate) fn text_attribute(&mut self, dialect: usize, text: &str) -> usize {
        self.attributes.push(Entry { dialect, bytes: [text.as_bytes(), b"\0"].concat(), is_encoded: false });
        self.attributes.len() - 1
    }

    pub(crate) fn ty(&mut self, bytes: &[u8]) -> usize {
        self.types.push(Entry { dialect: BUILTIN, bytes: bytes.to_vec(), is_encoded: true });
        self.types.len() - 1
    }

    /// A type of a dialect that nothing is known of, in an encoding.
    pub(crate) fn encoded_type(&mut self, dialect: usize, bytes: &[u8]) -> usize {
        self.types.push(Entry { dialect, bytes: bytes.to_vec(), is_encoded: true });
        self.types.len() - 1
    }

    pub(crate) fn text_type(&mut self, dialect: usize, text: &str) -> usize {
        self.types.push(Entry { dialect, bytes: [text.as_bytes(), b"\0"].concat(), is_encoded: false });
        self.types.len() - 1
    }

    pub(crate) fn string_attribute(&mut self, value: &[u8]) -> usize {
        let string = self.string(value);
        self.attribute(&varints(&[2, string]))
    }

    pub(crate) fn i32(&mut self) -> usize {
        self.ty(&varints(&[0, 32 << 2]))
    }

    /// A dictionary with `count` entries of the same value.
    pub(crate) fn dictionary(&mut self, count: usize, value: usize) -> usize {
        let pairs: Vec<_> = (0..count)
            .flat_map(|number| [self.string_attribute(format!("k{number:06}").as_bytes()), value])
            .collect();
        let mut bytes = varints(&[1, count]);
        bytes.extend(varints(&pairs));
        self.attribute(&bytes)
    }

    /// A module around operations, of which these are the bytes, the number, and the number of values.
    pub(crate) fn module(&self, ops: &[u8], count: usize, values: usize) -> Vec<u8> {
        let mut top = varints(&[1 << 1]);
        let module =
            Op { name: MODULE, region: Some((ops, count, values)), is_isolated: true, ..Op::default() };
        module.write(&mut top);
        let mut out = b"ML\xefR".to_vec();
        varint(&mut out, 6);
        out.extend_from_slice(b"MLIR22.1.8\0");
        section(&mut out, 0, &self.string_section());
        section(&mut out, 1, &self.dialect_section());
        let entries = || self.attributes.iter().chain(&self.types);
        section(&mut out, 2, &entries().flat_map(|entry| entry.bytes.clone()).collect::<Vec<_>>());
        section(&mut out, 3, &self.directory());
        section(&mut out, 4, &top);
        section(&mut out, 5, &[]);
        section(&mut out, 6, &varints(&[0]));
        section(&mut out, 8, &varints(&[0]));
        out
    }

    fn string_section(&self) -> Vec<u8> {
        let mut body = varints(&[self.strings.len()]);
        self.strings.iter().rev().for_each(|string| varint(&mut body, string.len() + 1));
        for string in &self.strings {
            body.extend_from_slice(string);
            body.push(0);
        }
        body
    }

    fn dialect_section(&self) -> Vec<u8> {
        let mut body = varints(&[self.dialects.len()]);
        self.dialects.iter().for_each(|name| varint(&mut body, name << 1));
        varint(&mut body, self.op_names.len());
        for group in self.op_names.chunk_by(|one, two| one.0 == two.0) {
            body.extend(varints(&[group[0].0, group.len()]));
            group.iter().for_each(|(_, name)| varint(&mut body, name << 1));
        }
        body
    }

    fn directory(&self) -> Vec<u8> {
        let mut body = varints(&[self.attributes.len(), self.types.len()]);
        for table in [&self.attributes, &self.types] {
            for group in table.chunk_by(|one, two| one.dialect == two.dialect) {
                body.extend(varints(&[group[0].dialect, group.len()]));
                group.iter().for_each(|e| varint(&mut body, e.bytes.len() << 1 | usize::from(e.is_encoded)));
            }
        }
        body
    }
}

fn section(out: &mut Vec<u8>, id: u8, body: &[u8]) {
    out.push(id);
    varint(out, body.len());
    out.extend_from_slice(body);
}

impl Op<'_> {
    pub(crate) fn write(&self, out: &mut Vec<u8>) {
        varint(out, self.name);
        out.push(
            u8::from(self.attributes.is_some())
                | u8::from(!self.results.is_empty()) << 1
                | u8::from(!self.operands.is_empty()) << 2
                | u8::from(self.region.is_some()) << 4,
        );
        varint(out, self.location);
        self.attributes.iter().for_each(|attributes| varint(out, *attributes));
        for list in [self.results, self.operands] {
            if !list.is_empty() {
                varint(out, list.len());
                out.extend(varints(list));
            }
        }
        let Some((ops, count, values)) = self.region else { return };
        varint(out, 1 << 1 | usize::from(self.is_isolated));
        let mut region = varints(&[1, values, count << 1]);
        region.extend_from_slice(ops);
        if self.is_isolated { section(out, 4, &region) } else { out.extend(region) }
    }
}
