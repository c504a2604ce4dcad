//! The bytes of a container to write: ranges of the file that was read, new bytes, and positions of modules.

use std::io::Write;
use std::ops::Range;

use crate::wire::bytes::Source;
use crate::wire::error::{Error, Result};

/// A piece of a container.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum ContainerPiece {
    /// A range of the file that was read.
    Copy(Range<u64>),
    Bytes(Vec<u8>),
    Zeros(u64),
    /// A new module, by its index.
    Module {
        index: usize,
        size: u64,
    },
}

/// A container from its first byte to its last.
#[derive(Debug, Clone, Default)]
pub(super) struct ContainerPieces(Vec<ContainerPiece>);

// The most bytes that are read at once.
const STEP: u64 = 4 << 20;

impl ContainerPieces {
    pub(super) fn push(&mut self, piece: ContainerPiece) {
        self.0.push(piece);
    }

    pub(super) fn push_bytes(&mut self, bytes: Vec<u8>) {
        self.0.push(ContainerPiece::Bytes(bytes));
    }

    /// The size of the container.
    pub(super) fn len(&self) -> u64 {
        self.0.iter().map(ContainerPiece::len).sum()
    }

    /// Whether the pieces equal `content`. Ranges are equal only at their own position, so they are not read.
    pub(super) fn is_identical(&self, content: &Source) -> Result<bool> {
        if self.len() != content.len() {
            return Ok(false);
        }
        let mut at = 0;
        for piece in &self.0 {
            let is_same = match piece {
                ContainerPiece::Copy(range) => range.start == at,
                ContainerPiece::Bytes(bytes) => content.get(at..at + bytes.len() as u64)? == bytes[..],
                ContainerPiece::Zeros(count) => *count == 0,
                ContainerPiece::Module { .. } => false,
            };
            if !is_same {
                return Ok(false);
            }
            at += piece.len();
        }
        Ok(true)
    }

    /// Writes the pieces; `module` writes the module of an index.
    pub(super) fn write(
        &self,
        content: &Source,
        output: &mut dyn Write,
        module: &mut dyn FnMut(usize, &mut dyn Write) -> Result<()>,
    ) -> Result<()> {
        for piece in &self.0 {
            match piece {
                ContainerPiece::Copy(range) => copy(content, range.clone(), output)?,
                ContainerPiece::Bytes(bytes) => put(output, bytes)?,
                ContainerPiece::Zeros(count) => zeros(*count, output)?,
                ContainerPiece::Module { index, .. } => module(*index, output)?,
            }
        }
        content.check()
    }
}

impl ContainerPiece {
    fn len(&self) -> u64 {
        match self {
            Self::Copy(range) => range.end - range.start,
            Self::Bytes(bytes) => bytes.len() as u64,
            Self::Zeros(count) => *count,
            Self::Module { size, .. } => *size,
        }
    }
}

fn put(output: &mut dyn Write, bytes: &[u8]) -> Result<()> {
    output.write_all(bytes).map_err(|error| Error::io("cannot write the container", error))
}

fn copy(content: &Source, range: Range<u64>, output: &mut dyn Write) -> Result<()> {
    let mut at = range.start;
    while at < range.end {
        let next = range.end.min(at + STEP);
        put(output, &content.get(at..next)?)?;
        at = next;
    }
    content.check()
}

fn zeros(mut count: u64, output: &mut dyn Write) -> Result<()> {
    let block = [0; 4096];
    while count > 0 {
        let part = count.min(block.len() as u64);
        put(output, &block[..part as usize])?;
        count -= part;
    }
    Ok(())
}
