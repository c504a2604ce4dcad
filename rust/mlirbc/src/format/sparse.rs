//! Sparse arrays of numbers: reader and writer.
//!
//! ```text
//! sparse   := (n·2):u  u[n]                      dense
//!           | (n·2+1):u  [bits:u  (value << bits | index):u[n]]     only what is not 0; no bits when n is 0
//! ```
//!
//! `readSparseArray` and `writeSparseArray` in `mlir/include/mlir/Bytecode/BytecodeImplementation.h`.

use crate::wire::cursor::{ByteSink, Cursor, Trace};
use crate::wire::error::{Error, ErrorKind, Result};

// MLIR rejects more bits for the index.
const MAX_INDEX_BITS: u64 = 8;
// Arrays with a nonzero element at a higher index are dense. The limit in the writer of MLIR is one higher;
// its reader rejects the 9 bits of that index.
const MAX_SPARSE_INDEX: usize = 255;

/// Reads a sparse array of `count` numbers.
///
/// # Errors
/// [`ErrorKind::PropertyBlob`] if it has more numbers, or numbers of more than 31 bits.
pub(crate) fn read_sparse<T: Trace>(cursor: &mut Cursor<'_, T>, count: usize) -> Result<Vec<i32>> {
    let position = cursor.position();
    let (stored, is_sparse) = cursor.varint_with_flag()?;
    let mut sizes = vec![0; count];
    if stored > count as u64 {
        return Err(misplaced(cursor, position, format!("at most `{count}` sizes"), format!("`{stored}`")));
    }
    if !is_sparse {
        for size in sizes.iter_mut().take(stored as usize) {
            *size = sparse_size(cursor, 0)?.0;
        }
    } else if stored > 0 {
        let position = cursor.position();
        let bits = cursor.varint()?;
        if bits > MAX_INDEX_BITS {
            let expected = format!("at most `{MAX_INDEX_BITS}` bits");
            return Err(misplaced(cursor, position, expected, format!("`{bits}`")));
        }
        for _ in 0..stored {
            let position = cursor.position();
            let (size, index) = sparse_size(cursor, bits as u32)?;
            match sizes.get_mut(index as usize) {
                Some(place) => *place = size,
                None => {
                    let expected = format!("a segment below `{count}`");
                    return Err(misplaced(cursor, position, expected, format!("`{index}`")));
                }
            }
        }
    }
    Ok(sizes)
}

// Reads a size, and the index in its low bits.
fn sparse_size<T: Trace>(cursor: &mut Cursor<'_, T>, index_bits: u32) -> Result<(i32, u64)> {
    let position = cursor.position();
    let word = cursor.varint()?;
    match i32::try_from(word >> index_bits) {
        Ok(size) => Ok((size, word & ((1 << index_bits) - 1))),
        Err(_) => {
            let actual = format!("`{}`", word >> index_bits);
            Err(misplaced(cursor, position, "a size of 31 bits".to_owned(), actual))
        }
    }
}

#[cold]
fn misplaced<T: Trace>(cursor: &Cursor<'_, T>, position: usize, expected: String, found: String) -> Error {
    cursor.error(ErrorKind::PropertyBlob, expected, found).at(cursor.offset_of(position))
}

/// Writes the encoding that [`read_sparse`] reads, as MLIR does.
///
/// # Errors
/// If there are more or fewer numbers or one is negative: the expected value.
pub(crate) fn write_sparse(count: usize, sizes: &[i32], sink: &mut ByteSink) -> Result<(), String> {
    if sizes.len() != count || sizes.iter().any(|&size| size < 0) {
        return Err(format!("`{count}` sizes of 31 bits"));
    }
    let used = sizes.iter().filter(|&&size| size != 0).count();
    let last = sizes.iter().rposition(|&size| size != 0).unwrap_or_default();
    if used > count / 2 || last > MAX_SPARSE_INDEX {
        sink.varint_with_flag(count as u64, false);
        sizes.iter().for_each(|&size| sink.varint(size as u64));
        return Ok(());
    }
    sink.varint_with_flag(used as u64, true);
    if used > 0 {
        let bits = usize::BITS - last.leading_zeros();
        sink.varint(bits.into());
        for (index, &size) in sizes.iter().enumerate().filter(|(_, size)| **size != 0) {
            sink.varint((size as u64) << bits | index as u64);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(sizes: &[i32]) -> Vec<u8> {
        let mut sink = ByteSink::new();
        write_sparse(sizes.len(), sizes, &mut sink).unwrap();
        let bytes = sink.into_bytes();
        assert_eq!(read_sparse(&mut Cursor::new(&bytes, 0, None), sizes.len()).unwrap(), sizes);
        bytes
    }

    #[test]
    fn up_to_half_of_the_numbers_are_written_with_their_index() {
        assert_eq!(written(&[0, 1]), [0x07, 0x03, 0x07]);
        assert_eq!(written(&[1, 1]), [0x09, 0x03, 0x03]);
        assert_eq!(written(&[0, 0]), [0x03]);
    }

    #[test]
    fn an_index_of_eight_bits_is_the_largest() {
        let mut sizes = [0; 300];
        sizes[255] = 1;
        assert_eq!(written(&sizes), [0x07, 0x11, 0xfe, 0x07]);
        sizes[255] = 0;
        sizes[256] = 1;
        assert_eq!(written(&sizes).len(), 2 + 300);
    }

    #[test]
    fn negative_numbers_are_not_written() {
        assert!(write_sparse(2, &[0, -1], &mut ByteSink::new()).is_err());
    }
}
