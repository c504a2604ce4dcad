//! The container: magic, version, producer, and the header of each section.
//!
//! ```text
//! file    := 4d 4c ef 52   version:varint   producer:zero-terminated   section*     (to the end of the file)
//! section := id:u8 (bit 7: aligned)   size:varint   [alignment:varint  padding]   data[size]
//! ```
//!
//! Corresponds to `EncodingReader::parseSection` in `mlir/lib/Bytecode/Reader/BytecodeReader.cpp`;
//! `isSectionOptional` there defines which sections a version requires.
//!
//! Reads one header per section, so the cost does not depend on the size of the file.

use crate::wire::bytes::{Bytes, Source};
use crate::wire::cursor::{ByteSink, Cursor, NoTrace, Trace, more_bytes};
use crate::wire::error::{Error, ErrorKind, Result};
use crate::wire::section::SectionId;
use crate::wire::version::BytecodeVersion;

use super::other_files;

/// The first four bytes of every bytecode file.
pub const MAGIC: [u8; 4] = [0x4d, 0x4c, 0xef, 0x52];

/// The position of a section in the file.
///
/// `offset` is a multiple of `alignment`; `file[offset..offset + size]` is the section's data.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Section {
    /// The content of the section.
    pub id: SectionId,
    /// The file offset of the id byte.
    pub header_offset: u64,
    /// The file offset of the data.
    pub offset: u64,
    /// The size of the data in bytes.
    pub size: u64,
    /// The alignment in the header, if there is one.
    pub alignment: Option<u64>,
}

impl Section {
    /// Checks that a file of `len` bytes has all data of the section.
    pub(crate) fn check_size(&self, len: u64) -> Result<()> {
        let bytes_left = len.saturating_sub(self.offset);
        if self.size <= bytes_left {
            return Ok(());
        }
        let expected = format!("{} bytes of section data", self.size);
        let error = Error::new(ErrorKind::Truncated, expected, format!("only {bytes_left} bytes"));
        Err(error.at(self.offset).in_section(self.id))
    }
}

/// Magic, version, producer and the section table of a file.
#[derive(Debug, Clone)]
pub struct Bytecode {
    version: BytecodeVersion,
    producer: Bytes,
    size: u64,
    sections: Vec<Section>,
    // Position in `sections` by id; 0 means absent, and positions start at 1, because there are at most nine
    // sections.
    by_id: [u8; SectionId::COUNT],
}

// The size of a window that suffices for any header that is not mostly padding or producer text.
const WINDOW: u64 = 4096;

impl Bytecode {
    /// Reads the header and the section table, one window per section (`BytecodeReader::Impl::read` in
    /// `mlir/lib/Bytecode/Reader/BytecodeReader.cpp`).
    ///
    /// # Errors
    /// Any violation of the container format, including missing required sections.
    ///
    /// ```
    /// let bytecode = mlirbc::format::container::Bytecode::read(&mlirbc::doc_example().into())?;
    /// assert_eq!(bytecode.size(), 131);
    /// let cut = mlirbc::format::container::Bytecode::read(&mlirbc::doc_example()[..123].to_vec().into()).unwrap_err();
    /// assert_eq!(cut.identifier(), "mlirbc.read.section.missing");
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn read(source: &Source) -> Result<Self> {
        let (version, producer, end) = read_head(source, NoTrace)?;
        let mut this =
            Self { version, producer, size: source.len(), sections: Vec::with_capacity(8), by_id: [0; 9] };
        let mut offset = end;
        while offset < source.len() {
            let section = read_section_header(source, offset, NoTrace)
                .and_then(|section| section.check_size(source.len()).map(|()| section))
                .map_err(|error| this.trailing(offset, error))?;
            offset = section.offset + section.size;
            let slot = &mut this.by_id[usize::from(section.id.byte())];
            if *slot != 0 {
                return Err(Error::message(
                    ErrorKind::DuplicateSection,
                    format!("the file has a second {} section", section.id),
                )
                .at(section.header_offset)
                .in_section(section.id));
            }
            this.sections.push(section);
            *slot = this.sections.len() as u8;
        }
        this.check_required()?;
        Ok(this)
    }

    /// The error for bytes that begin no section after a complete file: a file that was cut lacks a section.
    fn trailing(&self, offset: u64, error: Error) -> Error {
        if error.kind() != ErrorKind::Truncated || self.check_required().is_err() {
            return error;
        }
        let surplus = more_bytes(self.size - offset);
        let error =
            Error::new(ErrorKind::UnknownSection, "the end of the file after its last section", surplus);
        error.at(offset).with_hint("the file is complete without these bytes; remove them, or write it again")
    }

    fn check_required(&self) -> Result<()> {
        let missing = SectionId::ALL
            .into_iter()
            .find(|&id| is_required(id, self.version) && self.section(id).is_none());
        if let Some(id) = missing {
            return Err(Error::new(
                ErrorKind::MissingSection,
                format!("section {id} (id {})", id.byte()),
                "the end of the file",
            )
            .at(self.size)
            .in_section(id));
        }
        let (data, directory) = (self.section(SectionId::Resource), self.section(SectionId::ResourceOffset));
        match (data, directory) {
            (Some(one), None) | (None, Some(one)) => Err(Error::message(
                ErrorKind::ResourceSections,
                match one.id {
                    SectionId::Resource => "the file has a Resource section, but no ResourceOffset section",
                    _ => "the file has a ResourceOffset section, but no Resource section",
                },
            )
            .at(one.header_offset)
            .in_section(one.id)),
            _ => Ok(()),
        }
    }

    /// The bytecode version.
    pub fn version(&self) -> BytecodeVersion {
        self.version
    }

    /// The producer string, e.g. `MLIR22.1.8`; any bytes except zero.
    pub fn producer(&self) -> &[u8] {
        &self.producer
    }

    /// The size of the whole file in bytes.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// The sections in file order.
    pub fn sections(&self) -> &[Section] {
        &self.sections
    }

    /// The section with this id; `None` if the file does not have it.
    pub fn section(&self, id: SectionId) -> Option<Section> {
        let slot = usize::from(self.by_id[usize::from(id.byte())]);
        self.sections.get(slot.checked_sub(1)?).copied()
    }

    /// Writes the bytes before the first section: magic, version, producer and its zero byte.
    ///
    /// ```
    /// use mlirbc::cursor::ByteSink;
    /// use mlirbc::format::container::Bytecode;
    /// use mlirbc::version::BytecodeVersion;
    /// let mut sink = ByteSink::new();
    /// Bytecode::write_header(BytecodeVersion::MAX, b"x", &mut sink);
    /// assert_eq!(sink.as_bytes(), [0x4d, 0x4c, 0xef, 0x52, 0x0d, 0x78, 0x00]);
    /// ```
    pub fn write_header(version: BytecodeVersion, producer: &[u8], sink: &mut ByteSink) {
        sink.bytes(&MAGIC);
        sink.varint(version.number().into());
        sink.zero_terminated(producer);
    }

    /// The order in which MLIR's writer emits the sections of a version (`BytecodeWriter::write` in
    /// `mlir/lib/Bytecode/Writer/BytecodeWriter.cpp`).
    pub fn writing_order(version: BytecodeVersion) -> impl Iterator<Item = SectionId> {
        [
            SectionId::Dialect,
            SectionId::AttrTypeOffset,
            SectionId::AttrType,
            SectionId::Ir,
            SectionId::ResourceOffset,
            SectionId::Resource,
            SectionId::String,
        ]
        .into_iter()
        .chain(version.has_native_properties().then_some(SectionId::Properties))
    }
}

fn is_required(id: SectionId, version: BytecodeVersion) -> bool {
    match id {
        SectionId::String
        | SectionId::Dialect
        | SectionId::AttrType
        | SectionId::AttrTypeOffset
        | SectionId::Ir => true,
        SectionId::Properties => version.has_native_properties(),
        SectionId::Resource | SectionId::ResourceOffset | SectionId::DialectVersions => false,
    }
}

/// Whether a source is text that may be MLIR, and not bytecode or another known format.
pub(crate) fn is_text(source: &Source) -> Result<bool> {
    let head = source.peek(0, WINDOW)?;
    let start = head.get(..WINDOW as usize).unwrap_or(&head);
    Ok(!start.starts_with(&MAGIC) && other_files::error_for(start).kind() == ErrorKind::Text)
}

/// Reads magic, version and producer, and returns the offset after them as well.
pub(crate) fn read_head<T: Trace>(source: &Source, trace: T) -> Result<(BytecodeVersion, Bytes, u64)> {
    let head = source.peek(0, WINDOW)?;
    // A resident source is limited to the same window, because the kind of a file must not depend on the
    // method of reading.
    let start = &head[..head.len().min(WINDOW as usize)];
    if !start.starts_with(&MAGIC) {
        return Err(other_files::error_for(start));
    }
    let mut cursor = Cursor::traced(&head, 0, None, trace);
    cursor.label("magic");
    cursor.seek(MAGIC.len());
    let offset = cursor.offset();
    cursor.label("bytecode version");
    let number = cursor.varint()?;
    let version = BytecodeVersion::new(number).ok_or_else(|| {
        Error::new(ErrorKind::Version, "a bytecode version of `6` or below", format!("`{number}`")).at(offset)
    })?;
    let (producer, end) = read_producer(source, cursor.position() as u64, trace)?;
    Ok((version, producer, end))
}

// The producer string has no maximum length: the window grows until its end is found.
fn read_producer<T: Trace>(source: &Source, start: u64, trace: T) -> Result<(Bytes, u64)> {
    let mut window = WINDOW;
    loop {
        let bytes = source.peek(start, window)?;
        let whole = start + bytes.len() as u64 == source.len();
        let mut cursor = Cursor::new(&bytes, start, None);
        match cursor.zero_terminated("the producer") {
            Ok(producer) => {
                let len = producer.len();
                if trace.is_on() {
                    trace.label("producer");
                    Cursor::traced(&bytes, start, None, trace).zero_terminated("the producer")?;
                }
                return Ok((bytes.slice(..len), cursor.offset()));
            }
            Err(error) if whole => return Err(error),
            Err(_) => window *= 2,
        }
    }
}

/// Reads the header of a section, whose data may be longer than the file.
pub(crate) fn read_section_header<T: Trace>(source: &Source, offset: u64, trace: T) -> Result<Section> {
    let mut window = WINDOW;
    loop {
        let bytes = source.peek(offset, window)?;
        let whole = offset + bytes.len() as u64 == source.len();
        let mut cursor = Cursor::new(&bytes, offset, None);
        let header = cursor.section_header();
        let is_short = matches!(&header, Err(error) if error.kind() == ErrorKind::Truncated) && !whole;
        if trace.is_on() && !is_short {
            // The window now contains the whole header, so nothing is observed twice.
            let _ = Cursor::traced(&bytes, offset, None, trace).section_header();
        }
        match header {
            Ok((byte, size, alignment)) => {
                let id = SectionId::from_byte(byte).ok_or_else(|| {
                    Error::new(ErrorKind::UnknownSection, "a section id below `9`", format!("`{byte}`"))
                        .at(offset)
                })?;
                let data = cursor.offset();
                return Ok(Section { id, header_offset: offset, offset: data, size, alignment });
            }
            Err(error) if !is_short => return Err(error),
            Err(_) => window *= 2,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn minimal(version: u8) -> Vec<u8> {
        let version = BytecodeVersion::new(version.into()).unwrap();
        let mut sink = ByteSink::new();
        Bytecode::write_header(version, b"me", &mut sink);
        for id in Bytecode::writing_order(version) {
            sink.section(id, &ByteSink::new());
        }
        sink.into_bytes()
    }

    fn read(bytes: Vec<u8>) -> Result<Bytecode> {
        Bytecode::read(&bytes.into())
    }

    #[test]
    fn what_was_written_is_read() {
        for version in BytecodeVersion::all() {
            let bytes = minimal(version.number());
            let bytecode = read(bytes.clone()).unwrap();
            assert_eq!(bytecode.version(), version);
            assert_eq!(bytecode.producer(), b"me");
            let ids: Vec<_> = bytecode.sections().iter().map(|s| s.id).collect();
            assert_eq!(ids, Bytecode::writing_order(version).collect::<Vec<_>>());
            let mut end = 8;
            for section in bytecode.sections() {
                assert_eq!(section.header_offset, end);
                end = section.offset + section.size;
            }
            assert_eq!(end, bytes.len() as u64);
        }
    }

    #[test]
    fn every_cut_is_an_error() {
        let bytes = minimal(6);
        for len in 0..bytes.len() {
            assert!(read(bytes[..len].to_vec()).is_err(), "cut at {len}");
        }
    }

    #[test]
    fn section_rules() {
        let cases: [(&[u8], ErrorKind); 4] = [
            (&[9, 1], ErrorKind::UnknownSection),
            (&[0, 1], ErrorKind::DuplicateSection),
            // These bytes are after a complete file, so nothing was cut.
            (&[7, 0xff], ErrorKind::UnknownSection),
            (&[0x87, 1, 0x0d], ErrorKind::Alignment),
        ];
        for (tail, kind) in cases {
            let mut bytes = minimal(6);
            bytes.extend_from_slice(tail);
            assert_eq!(read(bytes).unwrap_err().kind(), kind, "{tail:x?}");
        }
        let mut seventh = minimal(6);
        seventh.extend_from_slice(&[7, 1]);
        assert!(read(seventh).is_ok(), "a version section at top level is ignored");
    }

    #[test]
    fn a_newer_version_is_unsupported() {
        let mut bytes = minimal(6);
        bytes[4] = 7 << 1 | 1;
        let error = read(bytes).unwrap_err();
        assert_eq!((error.kind(), error.offset()), (ErrorKind::Version, Some(4)));
    }

    #[test]
    fn a_long_producer_is_read_through_small_windows() {
        struct Slow(Vec<u8>);
        impl crate::wire::bytes::ReadAt for Slow {
            fn len(&self) -> u64 {
                self.0.len() as u64
            }
            fn read_at(&self, offset: u64, buffer: &mut [u8]) -> std::io::Result<()> {
                let start = offset as usize;
                buffer.copy_from_slice(&self.0[start..start + buffer.len()]);
                Ok(())
            }
        }
        let mut sink = ByteSink::new();
        let producer = vec![b'x'; 20_000];
        Bytecode::write_header(BytecodeVersion::MIN, &producer, &mut sink);
        let mut body = ByteSink::new();
        body.align(16384);
        for id in Bytecode::writing_order(BytecodeVersion::MIN) {
            sink.section(id, &body);
        }
        let bytecode = Bytecode::read(&Slow(sink.into_bytes()).into()).unwrap();
        assert_eq!(bytecode.producer(), producer);
        assert_eq!(bytecode.sections()[0].alignment, Some(16384));
    }
}
