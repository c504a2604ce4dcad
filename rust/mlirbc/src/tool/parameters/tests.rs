//! Samples with the answers of IREE's and NumPy's tools, and files that lie.

use super::*;

fn sample(name: &str) -> Vec<u8> {
    let path = format!("{}/../../tests/data/parameters/{name}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read(path).unwrap()
}

fn read(bytes: Vec<u8>) -> Result<ParameterFile> {
    Ok(ParameterFile::recognize(&bytes.into(), None, &Limits::default())?.unwrap())
}

/// The name, kind, element type, shape and size of a tensor.
type TensorSummary<'f> = (&'f str, &'f str, Option<&'f str>, Option<&'f [u64]>, u64);

fn rows(file: &ParameterFile) -> Vec<TensorSummary<'_>> {
    file.tensors()
        .iter()
        .map(|tensor| {
            let shape = tensor.shape.as_deref();
            (&*tensor.name, tensor.storage.name(), tensor.dtype.as_deref(), shape, tensor.size)
        })
        .collect()
}

#[test]
fn an_archive_lists_data_and_patterns() {
    let file = read(sample("parameters.irpa")).unwrap();
    let expected = [
        ("blk.0.w", "data", None, None, 24),
        ("scale", "splat", None, None, 1024),
        ("blk.0.b", "data", None, None, 5),
    ];
    assert_eq!(rows(&file), expected);
    assert_eq!(file.tensors()[0].metadata, b"meta");
    assert_eq!(file.tensors()[0].storage, TensorStorage::Data(384..408));
    let splat = file.data(file.require("scale").unwrap()).unwrap();
    assert_eq!((splat.len(), &splat[..4]), (1024, &[0, 0, 0x80, 0x3f][..]));
}

#[test]
fn linked_archives_are_one_list() {
    let file = read(sample("linked.irpa")).unwrap();
    assert_eq!(rows(&file).iter().map(|row| row.0).collect::<Vec<_>>(), ["first", "second"]);
}

#[test]
fn an_archive_is_written_as_iree_writes_it() {
    let bytes = sample("parameters.irpa");
    let file = read(bytes.clone()).unwrap();
    let parameters: Vec<_> = file
        .tensors()
        .iter()
        .map(|tensor| NewParameter {
            name: &tensor.name,
            metadata: &tensor.metadata,
            size: tensor.size,
            pattern: match &tensor.storage {
                TensorStorage::Splat(pattern) => Some(pattern),
                _ => None,
            },
        })
        .collect();
    let head = ArchiveHead::new(&parameters);
    let mut written = head.bytes;
    for (tensor, offset) in file.tensors().iter().zip(head.offsets).filter(|(_, offset)| *offset > 0) {
        written.resize(offset as usize, 0);
        written.extend_from_slice(&file.data(tensor).unwrap());
    }
    written.resize(head.file_size as usize, 0);
    assert!(written == bytes);
}

#[test]
fn tensors_of_other_files_have_types() {
    let shape: Option<&[u64]> = Some(&[2, 3]);
    for (name, tensor) in [("weights.safetensors", "w"), ("blocks.gguf", "blk.w"), ("arrays.npz", "w")] {
        let file = read(sample(name)).unwrap();
        assert_eq!(rows(&file), [(tensor, "data", Some("f32"), shape, 24)], "{name}");
        assert_eq!(file.data(&file.tensors()[0]).unwrap().len(), 24, "{name}");
    }
    let file = read(sample("deflated.npz")).unwrap();
    assert_eq!(rows(&file)[0].1, "deflated");
    let data = file.data(file.require("a").unwrap()).unwrap();
    assert_eq!(&data[..8], [0, 0, 0, 0, 0, 0, 0x80, 0x3f]);
    assert!(file.require("f").unwrap().is_column_major);
}

#[test]
fn lies_are_errors_with_an_offset() {
    for (name, at, bytes, offset) in [
        ("parameters.irpa", 4, &b"\x01"[..], 4),
        ("parameters.irpa", 32, b"\xff\xff\xff\xff\xff", 96),
        ("parameters.irpa", 48, b"\xff\xff\xff", 40),
        ("parameters.irpa", 96, b"\x01", 96),
        ("parameters.irpa", 104, b"\x09", 104),
        ("parameters.irpa", 116, b"\xff\xff", 116),
        ("parameters.irpa", 156, b"\xff\xff", 156),
        ("blocks.gguf", 4, b"\x09", 4),
        ("weights.safetensors", 0, b"\xff\xff", 8),
    ] {
        let mut damaged = sample(name);
        damaged[at..at + bytes.len()].copy_from_slice(bytes);
        let error = read(damaged).unwrap_err();
        assert_eq!(error.offset(), Some(offset), "{name} {at}: {error}");
    }
}

#[test]
fn cut_and_changed_files_are_errors_or_other_lists() {
    for name in
        ["parameters.irpa", "linked.irpa", "weights.safetensors", "blocks.gguf", "arrays.npz", "deflated.npz"]
    {
        let bytes = sample(name);
        for end in 64..bytes.len().min(700) {
            let _ = read(bytes[..end].to_vec()).map(|file| rows(&file).len());
        }
        for at in 8..bytes.len().min(700) {
            let mut damaged = bytes.clone();
            damaged[at] ^= 0xff;
            let Ok(Some(file)) = ParameterFile::recognize(&damaged.into(), None, &Limits::default()) else {
                continue;
            };
            for tensor in file.tensors() {
                let _ = file.data(tensor);
            }
        }
    }
}

#[test]
fn external_files_are_in_the_folder() {
    let folder = tempfile::tempdir().unwrap();
    let inner = folder.path().join("archives");
    std::fs::create_dir(&inner).unwrap();
    std::fs::write(inner.join("weights.bin"), b"0123456789").unwrap();
    std::fs::write(folder.path().join("secret.bin"), b"0123456789").unwrap();
    let mut bytes = sample("external.irpa");
    let path = inner.join("external.irpa");
    std::fs::write(&path, &bytes).unwrap();
    let file = ParameterFile::open(&path, &Limits::default()).unwrap();
    let tensor = file.require("w").unwrap();
    assert_eq!(tensor.storage, TensorStorage::External { path: "weights.bin".to_owned(), offset: 2 });
    assert_eq!(&*file.data(tensor).unwrap(), b"2345");
    let place = bytes.windows(11).position(|part| part == b"weights.bin").unwrap();
    for outside in ["../secr.bin", "/etc/passwd", "../../e/pwd"] {
        bytes[place..place + 11].copy_from_slice(outside.as_bytes());
        std::fs::write(&path, &bytes).unwrap();
        let file = ParameterFile::open(&path, &Limits::default()).unwrap();
        let error = file.data(file.require("w").unwrap()).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::ParameterFile, "{error}");
        assert!(error.to_string().contains("outside the folder"), "{error}");
    }
}
