//! A file as a list of pieces: bytes in memory, and ranges of the source file, which the system copies
//! without loading them into memory if it can.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use crate::file::FileTables;
use crate::format::resource::ResourcePayload;
use crate::wire::bytes::{Bytes, Source, open_regular};
use crate::wire::cursor::{ByteSink, PADDING};
use crate::wire::error::{Error, Result};
use crate::wire::section::SectionId;
use crate::wire::steps;

/// A piece of the new file.
#[derive(Debug, Clone)]
pub(crate) enum FilePiece {
    Made(Vec<u8>),
    Shared(Bytes),
    /// A range of the source.
    Copied(Range<u64>),
    /// A range of another file.
    File(Arc<Path>, Range<u64>),
    /// A range of the source of another module.
    Foreign(FileTables, Range<u64>),
}

impl FilePiece {
    pub(crate) fn len(&self) -> u64 {
        match self {
            Self::Made(bytes) => bytes.len() as u64,
            Self::Shared(bytes) => bytes.len() as u64,
            Self::Copied(range) | Self::File(_, range) | Self::Foreign(_, range) => range.end - range.start,
        }
    }
}

/// Consecutive pieces, and the required alignment of their start.
#[derive(Debug, Default, Clone)]
pub(crate) struct FilePieces {
    list: Vec<FilePiece>,
    len: u64,
    alignment: u64,
    // Bytes in memory.
    made: usize,
    // The number of bytes copied from the source, including bytes that were read into memory.
    copied: u64,
}

// The number of bytes below which a range does not justify a system call.
const SMALL: u64 = 4096;

// Shorter pieces become one with a piece before them that is at least as long: sections within sections, whose pieces
// are moved once for each level, are few pieces then, and each byte is copied a few times.
const LARGE: u64 = 64 * SMALL;

impl FilePieces {
    /// Creates a range of the source with the required alignment of its start.
    pub(crate) fn copied(range: Range<u64>, alignment: u64) -> Self {
        let mut this = Self { alignment, ..Self::default() };
        this.push(FilePiece::Copied(range));
        this
    }

    pub(crate) fn len(&self) -> u64 {
        self.len
    }

    /// The number of bytes that were copied from the source.
    pub(crate) fn copied_len(&self) -> u64 {
        self.copied
    }

    /// The memory of the pieces in bytes.
    pub(crate) fn made(&self) -> usize {
        self.made + self.list.capacity() * size_of::<FilePiece>()
    }

    pub(crate) fn push(&mut self, piece: FilePiece) {
        steps::count(1);
        let len = piece.len();
        if len == 0 {
            return;
        }
        self.len += len;
        if matches!(piece, FilePiece::Copied(_)) {
            self.copied += len;
        }
        if matches!(piece, FilePiece::Made(_)) || len < SMALL && matches!(piece, FilePiece::Shared(_)) {
            self.made += len as usize;
        }
        match (self.list.last_mut(), piece) {
            (Some(FilePiece::Made(last)), FilePiece::Made(bytes))
                if len < SMALL || len < LARGE && len <= last.len() as u64 =>
            {
                steps::count(bytes.len());
                last.extend_from_slice(&bytes);
            }
            (Some(FilePiece::Made(last)), FilePiece::Shared(bytes)) if len < SMALL => {
                last.extend_from_slice(&bytes)
            }
            (Some(FilePiece::Copied(last)), FilePiece::Copied(range)) if last.end == range.start => {
                last.end = range.end
            }
            (_, piece) => self.list.push(piece),
        }
    }

    /// Appends bytes, which are shared unless they are few.
    pub(crate) fn shared(&mut self, bytes: &Bytes) {
        match (bytes.len() as u64) < SMALL {
            true => self.bytes(bytes),
            false => self.push(FilePiece::Shared(bytes.clone())),
        }
    }

    pub(crate) fn bytes(&mut self, bytes: &[u8]) {
        steps::count(bytes.len());
        if let Some(FilePiece::Made(last)) = self.list.last_mut() {
            last.extend_from_slice(bytes);
            self.len += bytes.len() as u64;
            self.made += bytes.len();
        } else if !bytes.is_empty() {
            self.push(FilePiece::Made(bytes.to_vec()));
        }
    }

    /// Appends bytes of the source that are already in memory.
    pub(crate) fn bytes_of_source(&mut self, bytes: &[u8]) {
        self.bytes(bytes);
        self.copied += bytes.len() as u64;
    }

    /// Pads to a multiple of `alignment`, counted from the start, which must have the same alignment.
    pub(crate) fn align(&mut self, alignment: u64) {
        self.alignment = self.alignment.max(alignment);
        let missing = self.len.next_multiple_of(alignment.max(1)) - self.len;
        self.bytes(&vec![PADDING; missing as usize]);
    }

    /// Appends the payload of a resource; a blob is copied from the file.
    pub(crate) fn payload(&mut self, payload: ResourcePayload) {
        let mut head = ByteSink::new();
        match payload {
            ResourcePayload::Bool(value) => ResourcePayload::write_bool(value, &mut head),
            ResourcePayload::String(index) => ResourcePayload::write_string(index, &mut head),
            ResourcePayload::Blob { range, alignment } => {
                return self.blob(FilePiece::Copied(range), alignment);
            }
        }
        self.bytes(head.as_bytes());
    }

    /// Appends the payload of a blob with these bytes.
    pub(crate) fn blob(&mut self, piece: FilePiece, alignment: u64) {
        let mut head = ByteSink::new();
        ResourcePayload::write_blob_head(alignment, piece.len(), &mut head);
        self.bytes(head.as_bytes());
        self.align(alignment);
        self.push(piece);
    }

    /// Appends the pieces of another list.
    pub(crate) fn append(&mut self, other: Self) {
        let copied = self.copied + other.copied;
        for piece in other.list {
            self.push(piece);
        }
        self.copied = copied;
    }

    /// Appends a section as [`ByteSink::section`] does.
    pub(crate) fn section(&mut self, id: SectionId, body: Self) {
        let (alignment, mut head) = (body.alignment, ByteSink::new());
        head.section_head(id, body.len, None);
        let is_aligned = alignment <= 1 || (self.len + head.len() as u64).is_multiple_of(alignment);
        if is_aligned {
            self.bytes(head.as_bytes());
            self.alignment = self.alignment.max(alignment);
        } else {
            let mut head = ByteSink::new();
            head.section_head(id, body.len, Some(alignment));
            self.bytes(head.as_bytes());
            self.align(alignment);
        }
        self.append(body);
    }

    /// Writes everything; `progress` receives the bytes done.
    ///
    /// # Errors
    /// The errors of the source and of the writer.
    pub(crate) fn write(
        &self,
        source: &Source,
        writer: &mut dyn Write,
        progress: &dyn Fn(u64, u64) -> Result<()>,
    ) -> Result<()> {
        self.write_named(source, writer, "the module", progress)
    }

    /// Writes everything as [`Self::write`] does; errors of the writer call the output `name`.
    ///
    /// # Errors
    /// As [`Self::write`].
    pub(crate) fn write_named(
        &self,
        source: &Source,
        writer: &mut dyn Write,
        name: &str,
        progress: &dyn Fn(u64, u64) -> Result<()>,
    ) -> Result<()> {
        const STEP: u64 = 4 << 20;
        let mut done = 0;
        let mut put = |bytes: &[u8]| -> Result<()> {
            writer.write_all(bytes).map_err(|error| Error::io(format!("cannot write {name}"), error))?;
            done += bytes.len() as u64;
            progress(done, self.len)
        };
        for piece in &self.list {
            match piece {
                FilePiece::Made(bytes) => put(bytes)?,
                FilePiece::Shared(bytes) => bytes.chunks(STEP as usize).try_for_each(&mut put)?,
                FilePiece::File(path, range) => {
                    let failed = |error| Error::io(format!("cannot read `{}`", path.display()), error);
                    let mut file = open_at(path, range.start).map_err(failed)?;
                    let mut buffer = vec![0; STEP.min(range.end - range.start) as usize];
                    let mut bytes_left = range.end - range.start;
                    while bytes_left > 0 {
                        let part = &mut buffer[..bytes_left.min(STEP) as usize];
                        file.read_exact(part).map_err(failed)?;
                        put(part)?;
                        bytes_left -= part.len() as u64;
                    }
                }
                FilePiece::Copied(range) => {
                    steps_of(range, STEP).try_for_each(|part| put(&source.get(part)?))?
                }
                FilePiece::Foreign(module, range) => {
                    steps_of(range, STEP).try_for_each(|part| put(&module.source().get(part)?))?;
                    module.source().check()?;
                }
            }
        }
        Ok(())
    }

    pub(crate) fn list(&self) -> &[FilePiece] {
        &self.list
    }
}

/// A range in parts of at most `step` bytes.
pub(crate) fn steps_of(range: &Range<u64>, step: u64) -> impl Iterator<Item = Range<u64>> {
    let end = range.end;
    std::iter::successors(Some(range.start), move |start| start.checked_add(step))
        .take_while(move |&start| start < end)
        .map(move |start| start..end.min(start.saturating_add(step)))
}

/// Opens a regular file for reading from `offset` on.
pub(crate) fn open_at(path: &Path, offset: u64) -> std::io::Result<File> {
    let (mut file, _) = open_regular(path)?;
    file.seek(SeekFrom::Start(offset))?;
    Ok(file)
}

impl From<ByteSink> for FilePieces {
    fn from(sink: ByteSink) -> Self {
        let alignment = sink.required_alignment();
        let bytes = sink.into_bytes();
        let len = bytes.len() as u64;
        let bytes_in_memory = bytes.len();
        let list = if len == 0 { Vec::new() } else { vec![FilePiece::Made(bytes)] };
        Self { list, len, alignment, made: bytes_in_memory, copied: 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape(pieces: &FilePieces) -> Vec<(char, u64)> {
        let kind = |piece: &FilePiece| match piece {
            FilePiece::Made(_) => 'm',
            FilePiece::Shared(_) => 's',
            FilePiece::Copied(_) => 'c',
            _ => '?',
        };
        pieces.list.iter().map(|piece| (kind(piece), piece.len())).collect()
    }

    #[test]
    fn neighbours_become_one_piece_if_they_are_short_or_of_one_range() {
        let bytes = |len: u64| Bytes::from(vec![1; len as usize]);
        let mut pieces = FilePieces::default();
        pieces.bytes(&[1, 2]);
        pieces.push(FilePiece::Shared(bytes(SMALL - 1)));
        assert_eq!(shape(&pieces), [('m', SMALL + 1)]);
        // The memory of shared pieces belongs to their owner, except for short pieces.
        assert_eq!(pieces.made - 2, SMALL as usize - 1);
        pieces.push(FilePiece::Shared(bytes(SMALL)));
        assert_eq!(shape(&pieces)[1..], [('s', SMALL)]);
        assert_eq!(pieces.made - 2, SMALL as usize - 1);
        pieces.push(FilePiece::Copied(10..12));
        pieces.push(FilePiece::Copied(12..15));
        pieces.push(FilePiece::Copied(16..17));
        assert_eq!(shape(&pieces)[2..], [('c', 5), ('c', 1)]);
        assert_eq!((pieces.len(), pieces.copied_len()), (2 * SMALL + 7, 6));
    }

    #[test]
    fn a_section_is_aligned_where_it_comes_to_stand() {
        let section = |before: usize, alignment| {
            let mut pieces = FilePieces::default();
            pieces.bytes(&vec![0; before]);
            let mut body = FilePieces { alignment, ..FilePieces::default() };
            body.bytes(&[7; 5]);
            pieces.section(SectionId::Ir, body);
            pieces.len() as usize - before
        };
        // The head has two bytes. With an alignment, it also has a varint and padding up to the contents.
        assert_eq!([section(0, 1), section(6, 8), section(14, 8)], [7, 7, 7]);
        for before in 0..64 {
            let len = section(before, 8);
            assert!((before + len - 5).is_multiple_of(8), "{before}: {len}");
        }
    }
}
