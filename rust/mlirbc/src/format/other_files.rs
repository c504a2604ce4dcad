//! Recognises files in other formats, for error messages.
//!
//! Formats are recognised by their first bytes, so a message may be wrong about a file that begins with such
//! bytes by accident. The names are also used for contents of attributes that are not modules.

use crate::wire::error::{Error, ErrorKind};

use super::container::MAGIC;

const EXPECTED: &str = "the magic bytes `4d 4c ef 52`";
const UNPACK: &str = "unpack it and open the bytecode file inside";

struct KnownFormat {
    at: usize,
    mark: &'static [u8],
    kind: ErrorKind,
    what: &'static str,
    help: &'static str,
}

const fn archive(at: usize, mark: &'static [u8], what: &'static str) -> KnownFormat {
    KnownFormat { at, mark, kind: ErrorKind::Archive, what, help: UNPACK }
}

const fn other(at: usize, mark: &'static [u8], what: &'static str, help: &'static str) -> KnownFormat {
    KnownFormat { at, mark, kind: ErrorKind::OtherFormat, what, help }
}

const WEIGHTS: &str = "it has weights, but no program; open the bytecode file that belongs to it";
const TENSORS: &str =
    "it has weights, but no program; `mlirbc info` lists them; open the bytecode file that belongs to it";
const NO_MODEL: &str = "it is no model; check that this is the intended file";
const COMPILED: &str = "it is compiled code, without MLIR; open the bytecode that it was compiled from";
const HLO_TEXT: &str =
    "convert it to StableHLO with `xla-translate --hlo-text-to-stablehlo`, then to bytecode";
const HLO: &str = "convert it to StableHLO with `xla-translate --hlo-to-stablehlo`, then to bytecode";
const CONVERT: &str = "convert the model to MLIR bytecode or StableHLO with the tools of its framework";

/// The first matching row is used, so a special case of a format comes before the general case.
const FORMATS: &[KnownFormat] = &[
    other(
        30,
        b"module.fb",
        "an IREE module (.vmfb, as a zip archive)",
        "it is compiled code, without MLIR; save the input of the compiler with `iree-compile --compile-to=input --emit-mlir-bytecode`",
    ),
    archive(0, b"PK\x03\x04", "a zip archive"),
    archive(0, b"PK\x05\x06", "an empty zip archive"),
    archive(0, b"\x1f\x8b", "a gzip stream within another, or of an unknown method"),
    archive(0, b"BZh", "a bzip2 stream"),
    archive(0, b"\xfd7zXZ\0", "an xz stream"),
    archive(0, b"\x28\xb5\x2f\xfd", "a zstd stream within another"),
    archive(0, b"\x04\x22\x4d\x18", "an lz4 stream"),
    archive(0, b"7z\xbc\xaf\x27\x1c", "a 7z archive"),
    archive(0, b"!<arch>\n", "an archive of object files"),
    archive(257, b"ustar", "a tar archive"),
    other(
        0,
        b"\x7fTileIR\0",
        "CUDA Tile IR bytecode of NVIDIA, a format of its own",
        "read it with the tools of CUDA Tile (`cuda-tile-translate`)",
    ),
    other(0, b"\x7fELF", "an ELF file", COMPILED),
    other(0, b"\xcf\xfa\xed\xfe", "a Mach-O file", COMPILED),
    other(0, b"MZ", "an executable for Windows", COMPILED),
    other(
        0,
        b"BC\xc0\xde",
        "LLVM bitcode",
        "read it with `llvm-dis`; `mlir-translate --import-llvm` makes MLIR of it",
    ),
    other(4, b"IREE", "an IREE module (.vmfb)", COMPILED),
    other(0, b"IRPA", "an IREE parameter archive (.irpa)", TENSORS),
    other(4, b"TFL3", "a TensorFlow Lite model", CONVERT),
    other(0, b"\x89HDF\r\n\x1a\n", "an HDF5 file", WEIGHTS),
    other(0, b"\x93NUMPY", "a NumPy array (.npy)", WEIGHTS),
    other(0, b"GGUF", "a GGUF file", TENSORS),
    other(0, b"\x80\x02}", "a pickle", WEIGHTS),
    other(0, b"\x80\x04\x95", "a pickle", WEIGHTS),
    other(0, b"\x89PNG\r\n\x1a\n", "a PNG image", NO_MODEL),
    other(0, b"\xff\xd8\xff", "a JPEG image", NO_MODEL),
    other(0, b"GIF8", "a GIF image", NO_MODEL),
    other(0, b"%PDF-", "a PDF document", NO_MODEL),
    other(0, b"SQLite format 3\0", "an SQLite database", NO_MODEL),
    other(0, b"PAR1", "a Parquet file", NO_MODEL),
    other(0, b"ARROW1\0\0", "an Arrow file", NO_MODEL),
    // `saved_model_schema_version = 1`, then a meta graph.
    other(
        0,
        b"\x08\x01\x12",
        "a TensorFlow SavedModel",
        "it has no `XlaCallModule` operation, whose modules mlirbc reads; export the function with `jax.export`, or with `jax2tf` and native serialization",
    ),
];

/// Returns the error for a file that begins with `head`, which is not the magic number of bytecode.
pub(super) fn error_for(head: &[u8]) -> Error {
    if head.is_empty() {
        return Error::new(ErrorKind::Empty, EXPECTED, "an empty file").at(0);
    }
    if MAGIC.starts_with(head) {
        let end = format!("the end of the file after {} bytes", head.len());
        return Error::new(ErrorKind::Truncated, EXPECTED, end).at(head.len() as u64);
    }
    if first_name(head).is_some_and(|name| name.ends_with(b".npy")) {
        let error = Error::new(ErrorKind::OtherFormat, EXPECTED, "an archive of NumPy arrays (.npz)");
        return error.at(0).with_hint(TENSORS);
    }
    if let Some(row) = known_row(head) {
        return Error::new(row.kind, EXPECTED, row.what).at(0).with_hint(row.help);
    }
    // This is a header of JSON after its length.
    if head.get(8..10) == Some(b"{\"") && head[6..8] == [0, 0] {
        return Error::new(ErrorKind::OtherFormat, EXPECTED, "a safetensors file").at(0).with_hint(TENSORS);
    }
    if looks_like_text(head) {
        return text_error(head);
    }
    if is_hlo(head) {
        return Error::new(ErrorKind::OtherFormat, EXPECTED, "an HLO module (a protocol buffer)")
            .at(0)
            .with_hint(HLO);
    }
    let first: Vec<_> = head.iter().take(4).map(|byte| format!("{byte:02x}")).collect();
    Error::new(ErrorKind::Magic, EXPECTED, format!("`{}`", first.join(" "))).at(0)
}

fn known_row(head: &[u8]) -> Option<&'static KnownFormat> {
    FORMATS.iter().find(|row| head.get(row.at..).is_some_and(|rest| rest.starts_with(row.mark)))
}

/// Returns the name of the format of bytes that begin with `head`; `None` if the format is unknown.
pub(crate) fn known(head: &[u8]) -> Option<&'static str> {
    known_row(head).map(|row| row.what)
}

// The name of the first file of a zip archive.
fn first_name(head: &[u8]) -> Option<&[u8]> {
    let len = u16::from_le_bytes(head.strip_prefix(b"PK\x03\x04")?.get(22..24)?.try_into().ok()?);
    head.get(30..30 + usize::from(len))
}

/// Whether the bytes are an `HloModuleProto`, or an `HloProto` around it: names of the module and of its
/// entry computation, then a computation.
fn is_hlo(head: &[u8]) -> bool {
    let name = |bytes: &[u8], tag: u8| -> Option<usize> {
        let (&found, &len) = (bytes.first()?, bytes.get(1)?);
        let name = bytes.get(2..2 + usize::from(len))?;
        // A name has a length of one byte.
        let is_name = found == tag && len < 0x80 && !name.is_empty() && name.iter().all(u8::is_ascii_graphic);
        is_name.then_some(2 + name.len())
    };
    let names = |bytes: &[u8]| -> Option<bool> {
        let first = name(bytes, 0x0a)?;
        let second = name(bytes.get(first..)?, 0x12)?;
        Some(bytes.get(first + second) == Some(&0x1a))
    };
    // The length of the module in an `HloProto` is a number of at most ten bytes.
    let inner = head.strip_prefix(b"\x0a").and_then(|rest| {
        let end = rest.iter().take(10).position(|byte| *byte < 0x80)?;
        rest.get(end + 1..)
    });
    names(head) == Some(true) || inner.and_then(names) == Some(true)
}

fn text_error(head: &[u8]) -> Error {
    let start = head.trim_ascii_start();
    if start.starts_with(b"HloModule") {
        let error = Error::new(ErrorKind::OtherFormat, EXPECTED, "the text of an HLO module").at(0);
        return error.with_hint(HLO_TEXT);
    }
    if start.starts_with(b"version https://git-lfs") {
        let error = Error::new(ErrorKind::OtherFormat, EXPECTED, "a pointer of Git LFS").at(0);
        return error.with_hint("download the file with `git lfs pull`");
    }
    Error::new(ErrorKind::Text, EXPECTED, "text").at(0)
}

fn looks_like_text(head: &[u8]) -> bool {
    let text = match std::str::from_utf8(head) {
        Ok(text) => text,
        // The window may end inside a character.
        Err(error) if error.error_len().is_none() => {
            std::str::from_utf8(&head[..error.valid_up_to()]).unwrap_or_default()
        }
        Err(_) => return false,
    };
    !text.is_empty() && text.chars().all(|c| !c.is_control() || c.is_ascii_whitespace())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_files_are_named() {
        let cases: [(&[u8], ErrorKind, &str); 16] = [
            (
                b"\x7fTileIR\0\x0d\x01\0\0",
                ErrorKind::OtherFormat,
                "CUDA Tile IR bytecode of NVIDIA, a format of its own",
            ),
            (b"", ErrorKind::Empty, "an empty file"),
            (b"ML", ErrorKind::Truncated, "the end of the file after 2 bytes"),
            (b"module {}\n", ErrorKind::Text, "text"),
            (b"HloModule f, entry\n", ErrorKind::OtherFormat, "the text of an HLO module"),
            (b"PK\x03\x04\x2d\0", ErrorKind::Archive, "a zip archive"),
            (
                b"PK\x03\x04\x14\0\0\0\0\0\0\0!\0\0\0\0\0\x08\0\0\0\x08\0\0\0\x05\0\0\0w.npy",
                ErrorKind::OtherFormat,
                "an archive of NumPy arrays (.npz)",
            ),
            (b"BZh91AY", ErrorKind::Archive, "a bzip2 stream"),
            (b"\x7fELF\x02\x01\x01\0", ErrorKind::OtherFormat, "an ELF file"),
            (b"\x08\x01\x12\xa0\x01", ErrorKind::OtherFormat, "a TensorFlow SavedModel"),
            (b"\x58\0\0\0\0\0\0\0{\"a\":{\"dtype\"", ErrorKind::OtherFormat, "a safetensors file"),
            (b"\x20\0\0\0IREE", ErrorKind::OtherFormat, "an IREE module (.vmfb)"),
            (b"IRPA\0\0\0\0\x58\0", ErrorKind::OtherFormat, "an IREE parameter archive (.irpa)"),
            (
                b"\x0a\x05jit_f\x12\x06main.1\x1a\xbd\x03\x0a",
                ErrorKind::OtherFormat,
                "an HLO module (a protocol buffer)",
            ),
            (
                b"\x0a\x90\x07\x0a\x05jit_f\x12\x06main.1\x1a\xbd\x03\x0a",
                ErrorKind::OtherFormat,
                "an HLO module (a protocol buffer)",
            ),
            (b"\x01\x02\x03\x04\x05", ErrorKind::Magic, "`01 02 03 04`"),
        ];
        for (bytes, kind, found) in cases {
            let error = error_for(bytes);
            assert_eq!((error.kind(), error.found()), (kind, found));
            assert!(error.hint().is_some(), "{found}");
        }
    }

    #[test]
    fn text_ends_at_a_character_or_within_the_last_one() {
        let whole = "a \u{e9}".as_bytes();
        assert!(looks_like_text(whole) && looks_like_text(&whole[..3]));
        // A byte that begins no character cannot be in a text, whatever its position.
        assert!(!looks_like_text(b"a \xff") && !looks_like_text(b"a \xffb") && !looks_like_text(b"\xc3"));
        assert!(!looks_like_text(b"a\0b") && !looks_like_text(b""));
    }
}
