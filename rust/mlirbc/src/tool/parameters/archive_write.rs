//! Writes IREE parameter archives: the bytes of `iree-create-parameters`.

use super::archive::{DATA_ENTRY, ENTRY_ALIGNMENT, HEADER, SPLAT_ENTRY};

/// The alignment of the storage, and of each tensor in it.
const ALIGNMENT: u64 = 64;
/// The size of which the file is a multiple.
const PAGE: u64 = 4096;

/// A tensor of a new archive.
#[derive(Debug, Clone)]
pub struct NewParameter<'a> {
    /// The name.
    pub name: &'a str,
    /// Bytes for the program that reads the archive, such as its type.
    pub metadata: &'a [u8],
    /// The number of bytes.
    pub size: u64,
    /// The pattern that is repeated in place of data, of at most 16 bytes.
    pub pattern: Option<&'a [u8]>,
}

/// The bytes of an archive before the data of its tensors, and the places of the data.
#[derive(Debug, Clone, Default)]
pub struct ArchiveHead {
    /// The bytes of the header, the table and the metadata.
    pub bytes: Vec<u8>,
    /// The offset of each tensor in the file; 0 for a pattern.
    pub offsets: Vec<u64>,
    /// The size of the file, whose other bytes are zero.
    pub file_size: u64,
}

impl ArchiveHead {
    /// Lays out an archive. Patterns come first, as IREE's tool writes them, if the caller orders them so.
    ///
    /// ```
    /// use mlirbc::tool::{ArchiveHead, NewParameter};
    /// let head = ArchiveHead::new(&[NewParameter { name: "w", metadata: b"", size: 8, pattern: None }]);
    /// assert_eq!((head.offsets, head.file_size), (vec![192], 4096));
    /// ```
    pub fn new(parameters: &[NewParameter<'_>]) -> Self {
        let (mut table, mut names) = (Vec::new(), Vec::new());
        let mut storage = 0u64;
        let mut places = Vec::new();
        for parameter in parameters {
            pad(&mut table, ENTRY_ALIGNMENT);
            let alignment = if parameter.pattern.is_some() { 0 } else { ALIGNMENT };
            let mut texts = [0; 4];
            for (text, place) in [parameter.name.as_bytes(), parameter.metadata].into_iter().zip(0..) {
                let start = if text.is_empty() { 0 } else { names.len() as u64 };
                (texts[2 * place], texts[2 * place + 1]) = (start, text.len() as u64);
                names.extend_from_slice(text);
            }
            let (entry_size, kind) =
                if parameter.pattern.is_some() { (SPLAT_ENTRY, 1u32) } else { (DATA_ENTRY, 2) };
            table.extend(entry_size.to_le_bytes());
            table.extend(kind.to_le_bytes());
            numbers(&mut table, &[0]);
            numbers(&mut table, &texts);
            numbers(&mut table, &[alignment]);
            match parameter.pattern {
                Some(pattern) => {
                    numbers(&mut table, &[parameter.size]);
                    let size = pattern.len().min(16);
                    table.extend_from_slice(&pattern[..size]);
                    table.resize(table.len() + 16 - size, 0);
                    table.push(size as u8);
                    places.push(None);
                }
                None => {
                    storage = storage.next_multiple_of(ALIGNMENT);
                    numbers(&mut table, &[storage, parameter.size]);
                    places.push(Some(storage));
                    storage = storage.saturating_add(parameter.size);
                }
            }
        }
        let table_start = HEADER.next_multiple_of(ENTRY_ALIGNMENT);
        let names_start = table_start + table.len() as u64;
        let names_end = names_start + names.len() as u64;
        let storage_start = if storage > 0 { names_end.next_multiple_of(ALIGNMENT) } else { names_end };
        let mut bytes = b"IRPA\0\0\0\0".to_vec();
        numbers(&mut bytes, &[HEADER, 0, 0, parameters.len() as u64]);
        numbers(&mut bytes, &[table_start, table.len() as u64, names_start, names.len() as u64]);
        numbers(&mut bytes, &[storage_start, storage]);
        bytes.resize(table_start as usize, 0);
        bytes.extend(table);
        bytes.extend(names);
        bytes.resize(storage_start as usize, 0);
        let offsets = places.into_iter().map(|place| place.map_or(0, |place| storage_start + place));
        let file_size = storage_start.saturating_add(storage).next_multiple_of(PAGE);
        Self { bytes, offsets: offsets.collect(), file_size }
    }
}

fn numbers(bytes: &mut Vec<u8>, numbers: &[u64]) {
    numbers.iter().for_each(|number| bytes.extend(number.to_le_bytes()));
}

fn pad(bytes: &mut Vec<u8>, alignment: u64) {
    bytes.resize(bytes.len().next_multiple_of(alignment as usize), 0);
}
