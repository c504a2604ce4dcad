//! Safetensors headers: bytes that lie about lengths, offsets, shapes and dtypes.
//!
//! | oracle | why it can fail |
//! |---|---|
//! | nothing panics, hangs, or takes memory out of proportion to the input | any |
//! | errors have the kind of the format and an offset within the file | errors of another domain, wrong arithmetic |
//! | arrays of NumPy and archives of them do not lie, either | offsets of the directory that are not checked |
//! | tensors lie in the data and cover it once | offsets that are not checked |

use mlirbc::ErrorKind;
use mlirbc::bytes::Source;
use mlirbc::tool::{NamedTensor, Safetensors};

use crate::cost;

/// Runs the oracle.
///
/// # Panics
/// When a property does not hold.
pub fn run(data: &[u8]) {
    cost::alone(|| check(data));
}

fn check(data: &[u8]) {
    if data.starts_with(b"PK") || data.starts_with(b"\x93NUMPY") {
        if let Err(error) = NamedTensor::of_source(&Source::from(data.to_vec()), "a") {
            assert!(matches!(error.kind(), ErrorKind::Weights | ErrorKind::MemoryLimit), "{error}");
        }
        return;
    }
    let Some((length, rest)) = data.split_first_chunk::<8>() else { return };
    // The header has the stated length, or is the whole rest of the file if that is shorter.
    let length = usize::try_from(u64::from_le_bytes(*length)).unwrap_or(usize::MAX).min(rest.len());
    let size = data.len() as u64;
    match Safetensors::parse(&rest[..length], size) {
        Ok(file) => {
            let mut ranges: Vec<_> = file.tensors().iter().map(|tensor| tensor.range.clone()).collect();
            ranges.sort_by_key(|range| (range.start, range.end));
            let end = ranges.iter().fold(8 + length as u64, |end, range| {
                assert_eq!(range.start, end, "a gap or an overlap");
                range.end
            });
            assert_eq!(end, size);
            for tensor in file.tensors() {
                assert_eq!(file.get(&tensor.name), Some(tensor), "a name twice");
                assert!(tensor.offset < size);
            }
        }
        Err(error) => {
            assert_eq!(error.kind(), ErrorKind::Safetensors, "{error}");
            assert!(error.offset().is_some_and(|offset| offset <= size), "{error}");
        }
    }
}
