//! The grammar of GGUF, versions 2 and 3: keys with typed values, then the places of tensors.

use crate::wire::bytes::Source;
use crate::wire::error::{Error, ErrorKind, Result, cut};
use crate::wire::limits::Limits;

use super::reader::{Reader, fault};
use super::{StoredTensor, TensorStorage, count};

/// A type of tensors: number, name, elements and bytes of a block.
type Type = (u32, &'static str, u64, u64);

/// Numbers have MLIR's names; formats with several elements in a block have the names of GGUF in lower case.
const TYPES: &[Type] = &[
    (0, "f32", 1, 4),
    (1, "f16", 1, 2),
    (2, "q4_0", 32, 18),
    (3, "q4_1", 32, 20),
    (6, "q5_0", 32, 22),
    (7, "q5_1", 32, 24),
    (8, "q8_0", 32, 34),
    (9, "q8_1", 32, 36),
    (10, "q2_k", 256, 84),
    (11, "q3_k", 256, 110),
    (12, "q4_k", 256, 144),
    (13, "q5_k", 256, 176),
    (14, "q6_k", 256, 210),
    (15, "q8_k", 256, 292),
    (16, "iq2_xxs", 256, 66),
    (17, "iq2_xs", 256, 74),
    (18, "iq3_xxs", 256, 98),
    (19, "iq1_s", 256, 50),
    (20, "iq4_nl", 32, 18),
    (21, "iq3_s", 256, 110),
    (22, "iq2_s", 256, 82),
    (23, "iq4_xs", 256, 136),
    (24, "i8", 1, 1),
    (25, "i16", 1, 2),
    (26, "i32", 1, 4),
    (27, "i64", 1, 8),
    (28, "f64", 1, 8),
    (29, "iq1_m", 256, 56),
    (30, "bf16", 1, 2),
    (34, "tq1_0", 256, 54),
    (35, "tq2_0", 256, 66),
    (39, "mxfp4", 32, 17),
];

/// The largest number of dimensions of a tensor.
const MOST_DIMENSIONS: usize = 8;

/// The alignment of data without the key that sets it.
const ALIGNMENT: u64 = 32;

/// Returns whether a name is the name of a format with several elements in a block.
pub(super) fn is_block_format(name: &str) -> bool {
    TYPES.iter().any(|&(_, known, elements, _)| known == name && elements > 1)
}

/// Lists the tensors of a file.
pub(super) fn tensors(source: &Source, limits: &Limits) -> Result<Vec<StoredTensor>> {
    let mut reader = Reader::new(source, limits);
    reader.skip(4)?;
    let version = reader.u32()?;
    if !(2..=3).contains(&version) {
        let message =
            format!("the file has GGUF version {version}, and mlirbc reads 2 and 3 (little-endian)");
        return Err(Error::message(ErrorKind::Unsupported, message).at(4));
    }
    let (tensor_count, key_count) = (reader.u64()?, reader.u64()?);
    let mut alignment = ALIGNMENT;
    for _ in 0..key_count {
        let size = reader.u64()?;
        let key = reader.bytes(size)?;
        let kind = reader.u32()?;
        if &*key == b"general.alignment" && kind == 4 {
            let at = reader.at;
            alignment = u64::from(reader.u32()?);
            if alignment == 0 {
                return Err(fault(at, "an alignment above 0", "`0`"));
            }
            continue;
        }
        skip_value(&mut reader, kind)?;
    }
    let mut heads = Vec::new();
    for _ in 0..tensor_count {
        reader.budget.spend(2 * size_of::<StoredTensor>() + 128)?;
        heads.push(TensorHead::read(&mut reader)?);
    }
    let start = reader.at.div_ceil(alignment).saturating_mul(alignment);
    heads.into_iter().map(|head| head.placed(start, source.len(), alignment)).collect()
}

struct TensorHead {
    name: String,
    shape: Vec<u64>,
    kind: Type,
    size: u64,
    at: u64,
    offset: u64,
}

impl TensorHead {
    fn read(reader: &mut Reader<'_>) -> Result<Self> {
        let at = reader.at;
        let size = reader.u64()?;
        let name = reader.text(size)?;
        let rank = reader.u32()?;
        if rank as usize > MOST_DIMENSIONS {
            return Err(fault(
                at,
                format!("a tensor of at most {MOST_DIMENSIONS} dimensions"),
                format!("`{rank}`"),
            ));
        }
        let mut shape = (0..rank).map(|_| reader.u64()).collect::<Result<Vec<_>>>()?;
        // The fastest dimension comes first in the file.
        shape.reverse();
        let number = reader.u32()?;
        let Some(&kind) = TYPES.iter().find(|row| row.0 == number) else {
            let message = format!("the tensor `{}` has the unknown type {number}", cut(&name, 100));
            return Err(Error::message(ErrorKind::Unsupported, message).at(at));
        };
        let (_, _, elements, bytes) = kind;
        let row = shape.last().copied().unwrap_or(1);
        let size = count(&shape).filter(|_| row % elements == 0);
        let size = size.and_then(|count| (count / elements).checked_mul(bytes));
        let Some(size) = size else {
            return Err(fault(
                at,
                format!("rows of a multiple of {elements} elements"),
                format!("`{shape:?}`"),
            ));
        };
        let offset = reader.u64()?;
        Ok(Self { name, shape, kind, size, at, offset })
    }

    fn placed(self, start: u64, file_size: u64, alignment: u64) -> Result<StoredTensor> {
        let range = start.checked_add(self.offset).and_then(|from| Some(from..from.checked_add(self.size)?));
        let Some(range) = range.filter(|range| range.end <= file_size) else {
            let actual = format!("{} bytes at {:#x} after {start:#x}", self.size, self.offset);
            return Err(fault(self.at, "a tensor whose data is in the file", actual));
        };
        Ok(StoredTensor {
            name: self.name,
            storage: TensorStorage::Data(range),
            dtype: Some(self.kind.1.to_owned()),
            shape: Some(self.shape),
            size: self.size,
            alignment,
            metadata: Vec::new(),
            is_column_major: false,
        })
    }
}

/// Skips a value; arrays may contain arrays.
fn skip_value(reader: &mut Reader<'_>, type_number: u32) -> Result<()> {
    let mut open = vec![(type_number, 1u64)];
    while let Some((type_number, items)) = open.pop() {
        if let Some(size) = size_of_number(type_number) {
            let size =
                items.checked_mul(size).ok_or_else(|| fault(reader.at, "an array in the file", "more"))?;
            reader.skip(size)?;
            continue;
        }
        let Some(rest) = items.checked_sub(1) else { continue };
        open.push((type_number, rest));
        match type_number {
            8 => {
                let size = reader.u64()?;
                reader.skip(size)?;
            }
            9 => {
                let (item, items) = (reader.u32()?, reader.u64()?);
                reader.budget.spend(size_of::<(u32, u64)>())?;
                open.push((item, items));
            }
            _ => return Err(fault(reader.at, "a value of type 0 to 12", format!("`{type_number}`"))),
        }
    }
    Ok(())
}

fn size_of_number(type_number: u32) -> Option<u64> {
    Some(match type_number {
        0 | 1 | 7 => 1,
        2 | 3 => 2,
        4..=6 => 4,
        10..=12 => 8,
        _ => return None,
    })
}
