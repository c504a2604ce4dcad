//! Safetensors headers, and files of tensors of every format: bytes that lie about lengths, offsets, shapes and dtypes.
//!
//! | oracle | why it can fail |
//! |---|---|
//! | nothing panics, hangs, or takes memory out of proportion to the input | any |
//! | errors have the kind of the format and an offset within the file | errors of another domain, wrong arithmetic |
//! | arrays of NumPy and archives of them do not lie, either | offsets of the directory that are not checked |
//! | tensors lie in the data and cover it once | offsets that are not checked |
//! | the bytes of tensors of all formats can be read, or end in a typed error | lengths of archives, zip and GGUF |

use mlirbc::bytes::Source;
use mlirbc::limits::Limits;
use mlirbc::tool::{NamedTensor, ParameterFile, Safetensors, TensorStorage};
use mlirbc::{ErrorClass, ErrorKind};

use crate::cost;

/// Runs the oracle.
///
/// # Panics
/// When a property does not hold.
pub fn run(data: &[u8]) {
    cost::alone(|| check(data));
}

fn check(data: &[u8]) {
    check_file(data);
    if data.starts_with(b"\x93NUMPY") {
        if let Err(error) = NamedTensor::of_array(&Source::from(data.to_vec()), "a") {
            assert!(matches!(error.kind(), ErrorKind::ParameterFile | ErrorKind::Weights), "{error}");
        }
        return;
    }
    check_header(data);
}

/// Reads the tensors of a file; its first bytes decide the format.
fn check_file(data: &[u8]) {
    let limits = Limits::default().max_memory(Some(64 << 20)).max_decompressed(Some(1 << 20));
    let size = data.len() as u64;
    match ParameterFile::recognize(&data.to_vec().into(), None, &limits) {
        Ok(None) => {}
        Ok(Some(file)) => {
            for tensor in file.tensors().iter().take(64) {
                if let TensorStorage::Data(range) = &tensor.storage {
                    assert!(range.start <= range.end && range.end <= size, "a tensor outside the file");
                }
                match file.data(tensor) {
                    Ok(bytes) => assert_eq!(bytes.len() as u64, tensor.size),
                    Err(error) => assert!(error.class() != ErrorClass::Io, "{error}"),
                }
            }
        }
        Err(error) => {
            assert!(
                matches!(error.class(), ErrorClass::Read | ErrorClass::Limit | ErrorClass::Unsupported),
                "{error}"
            );
            assert!(error.offset().is_none_or(|offset| offset <= size), "{error}");
        }
    }
}

fn check_header(data: &[u8]) {
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
