//! Reads the data of weights in blocks, so that memory use does not grow with the data.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::ops::Range;

use crate::wire::bytes::Source;
use crate::wire::error::{Error, Result};

use super::Weight;

/// The number of bytes in memory at a time; a multiple of most element sizes.
const BLOCK: u64 = 3 << 18;

/// The file of a module, read from the disk: pages of a memory map would count as memory of the process.
pub(super) struct Blocks<'s> {
    source: &'s Source,
    file: Option<File>,
    buffer: Vec<u8>,
    unpacked: Vec<u8>,
}

impl<'s> Blocks<'s> {
    pub(super) fn new(source: &'s Source) -> Self {
        Self { source, file: source.reopened(), buffer: Vec::new(), unpacked: Vec::new() }
    }

    /// Calls `visit` for consecutive blocks of a range, each a multiple of `unit` bytes except for the last.
    pub(super) fn each(
        &mut self,
        range: Range<u64>,
        unit: u64,
        mut visit: impl FnMut(&[u8]) -> Result<()>,
    ) -> Result<()> {
        let failed = |error| Error::io("cannot read the module", error);
        if let Some(file) = &mut self.file {
            file.seek(SeekFrom::Start(self.source.start() + range.start)).map_err(failed)?;
        }
        let step = (BLOCK / unit.max(1)).max(1).saturating_mul(unit.max(1));
        let mut start = range.start;
        while start < range.end {
            let end = range.end.min(start.saturating_add(step));
            self.buffer.resize((end - start) as usize, 0);
            match &mut self.file {
                Some(file) => {
                    if let Err(error) = file.read_exact(&mut self.buffer) {
                        self.source.check()?;
                        return Err(failed(error));
                    }
                }
                None => self.source.read_into(start, &mut self.buffer)?,
            }
            visit(&self.buffer)?;
            start = end;
        }
        Ok(())
    }

    /// Calls `visit` for the data of a weight; elements of one bit are expanded to a byte each.
    pub(super) fn each_unpacked(
        &mut self,
        weight: &Weight,
        unit: u64,
        mut visit: impl FnMut(&[u8]) -> Result<()>,
    ) -> Result<()> {
        if !weight.is_packed() {
            return self.each(weight.range.clone(), unit, visit);
        }
        let mut remaining = weight.count();
        let mut unpacked = std::mem::take(&mut self.unpacked);
        // The data becomes eight times larger, so blocks are an eighth as large.
        let eighths = (0..weight.size).step_by((BLOCK / 8) as usize);
        for start in eighths {
            let start = weight.range.start + start;
            let end = weight.range.end.min(start + BLOCK / 8);
            self.each(start..end, 1, |bits| {
                unpack(bits, weight.count(), &mut remaining, &mut unpacked);
                visit(&unpacked)
            })?;
        }
        self.unpacked = unpacked;
        Ok(())
    }
}

/// Appends the next bits as bytes of 0 and 1; `left` of `count` bits remain.
fn unpack(bits: &[u8], count: u64, remaining: &mut u64, to: &mut Vec<u8>) {
    to.clear();
    if count == 1 {
        // A single element is a whole byte.
        to.extend(bits.first().map(|&byte| u8::from(byte != 0)));
        return;
    }
    for &byte in bits {
        let take = (*remaining).min(8);
        to.extend((0..take).map(|bit| byte >> bit & 1));
        *remaining -= take;
    }
}

/// Packs bytes, each a Boolean, into bits.
pub(super) fn pack(bytes: &[u8]) -> Vec<u8> {
    let byte = |chunk: &[u8]| {
        chunk.iter().enumerate().fold(0, |byte, (bit, &value)| byte | u8::from(value != 0) << bit)
    };
    bytes.chunks(8).map(byte).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_are_unpacked_and_packed() {
        let (mut left, mut bytes) = (11, Vec::new());
        unpack(&[0b1010_0101, 0b101], 11, &mut left, &mut bytes);
        assert_eq!(bytes, [1, 0, 1, 0, 0, 1, 0, 1, 1, 0, 1]);
        assert_eq!(pack(&bytes), [0b1010_0101, 0b101]);
        let mut remaining = 1;
        unpack(&[0xff], 1, &mut remaining, &mut bytes);
        assert_eq!(bytes, [1]);
    }

    #[test]
    fn blocks_are_whole_elements() {
        let source = Source::from(vec![7; 3 * BLOCK as usize + 5]);
        let mut sizes = Vec::new();
        Blocks::new(&source)
            .each(2..source.len(), 5, |block| {
                sizes.push(block.len());
                Ok(())
            })
            .unwrap();
        assert_eq!(sizes.iter().sum::<usize>() as u64, source.len() - 2);
        assert!(sizes[..sizes.len() - 1].iter().all(|size| size % 5 == 0));
    }
}
