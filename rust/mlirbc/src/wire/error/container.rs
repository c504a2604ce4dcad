//! Errors of the container: the kind of file, its version, sections, strings and tables.

use super::rule::{DAMAGED, WRITER, rules};

rules! {
    Truncated "read.truncated" Read "a value, a section and the file are complete" DAMAGED;
    Empty "read.empty" Read "a bytecode file is not empty" Some("check that the program that writes the file ran to completion");
    Text "read.text" Read "the file is bytecode, not MLIR text" Some("decompress it, or write it as bytecode with `mlirbc assemble`");
    Archive "read.archive" Read "the file is bytecode, not an archive or compressed" Some("unpack it and open the bytecode file inside");
    OtherFormat "read.other_format" Read "the file is bytecode, or a container of bytecode, and not of another known format" Some("check that this is the intended file");
    Magic "read.magic" Read "bytecode starts with the bytes 4d 4c ef 52" Some("check that this is the intended file");
    Compressed "read.compressed" Read "a compressed stream can be decompressed completely" DAMAGED;
    Flatbuffer "read.flatbuffer" Read "the offsets and lengths of a flatbuffer lie within the file" DAMAGED;
    Protobuf "read.protobuf" Read "the fields of a protocol buffer lie within their messages" DAMAGED;
    Nested "read.nested" Read "a nested module can be decoded from the attribute that holds it" DAMAGED;
    ModuleChoice "invalid.module" Invalid "the requested module is in the file" Some("`mlirbc info` lists the modules of a file");
    Version "unsupported.version" Unsupported "the bytecode version is 0 to 6" Some("use a newer mlirbc, or write the file again with `mlir-opt --emit-bytecode-version=6`");
    UnterminatedString "read.string.unterminated" Read "a string ends with a zero byte" DAMAGED;
    UnknownSection "read.section.unknown_id" Read "section ids are 0 to 8" Some("the file is damaged, or of a newer format; download or write it again, or use a newer mlirbc");
    DuplicateSection "read.section.duplicate" Read "a section occurs at most once" WRITER;
    MissingSection "read.section.missing" Read "all required sections are present" DAMAGED;
    Alignment "read.alignment" Read "an alignment is a power of two" DAMAGED;
    Padding "read.padding" Read "padding bytes have the value `0xcb`" DAMAGED;
    StringPastEnd "read.string.past_end" Read "all strings lie within their section" DAMAGED;
    StringGap "read.string.gap" Read "string data begins where the lengths end" DAMAGED;
    StringZeroLength "read.string.zero_length" Read "the length of a string includes its terminator and is at least 1" WRITER;
    Index "read.index" Read "an index is smaller than the size of its table" DAMAGED;
    Count "read.count" Read "a count does not exceed what the remaining bytes can hold" DAMAGED;
    DialectVersion "read.dialect.version" Read "a dialect has a version in the file only if its reader in the release of the file accepts versions" Some("if the release was detected incorrectly, specify it with `release=` or `--release`; otherwise write the file without this version");
    DialectVersionSection "read.dialect.version_section" Read "the version of a dialect is in a section with id 7 (DialectVersions)" DAMAGED;
    Shrunk "read.shrunk" Read "a file does not become shorter while it is open" Some("use the `read` backend, or copy the file before opening it, if other programs may truncate it");
    Safetensors "read.safetensors" Read "the header of a safetensors file describes tensors that cover its data without gaps" DAMAGED;
    ParameterFile "read.parameter_file" Read "the offsets and lengths of a file of tensors lie within the file, and its external files in its folder" DAMAGED;
}
