//! Writes archives of stored arrays, which [`npz`](super::npz) reads.

use crate::wire::error::{Error, Result};

use super::npz::{CENTRAL, END, END_64, LOCAL, LOCATOR_64};

/// A file that was written to an archive, for the directory.
struct WrittenMember {
    name: String,
    crc: [u8; 4],
    size: u64,
    start: u64,
}

/// Writes an archive of stored arrays.
pub(in crate::tool) struct NpzWriter<'w> {
    output: &'w mut dyn std::io::Write,
    at: u64,
    members: Vec<WrittenMember>,
}

const FLAGS: [u8; 2] = [0, 8];

/// A function that takes the next block of an array's data.
pub(in crate::tool) type BlockSink<'s> = dyn FnMut(&[u8]) -> std::io::Result<()> + 's;

impl<'w> NpzWriter<'w> {
    pub(in crate::tool) fn new(output: &'w mut dyn std::io::Write) -> Self {
        Self { output, at: 0, members: Vec::new() }
    }

    fn put(&mut self, bytes: &[u8]) -> std::io::Result<()> {
        self.at += bytes.len() as u64;
        self.output.write_all(bytes)
    }

    /// Writes an array; `each` calls its argument with the blocks of the data, and is called twice: the checksum comes
    /// before the data.
    pub(in crate::tool) fn add(
        &mut self,
        name: &str,
        header: &[u8],
        size: u64,
        each: &mut dyn FnMut(&mut BlockSink<'_>) -> Result<()>,
    ) -> Result<()> {
        let failed = |error| Error::io("cannot write the archive", error);
        let name = format!("{name}.npy");
        let mut crc = flate2::Crc::new();
        crc.update(header);
        each(&mut |block| {
            crc.update(block);
            Ok(())
        })?;
        let size = header.len() as u64 + size;
        let start = self.at;
        let mut local = LOCAL.to_vec();
        local.extend([45, 0]);
        local.extend(FLAGS);
        local.extend([0; 2]);
        local.extend([0, 0, 0x21, 0]);
        local.extend(crc.sum().to_le_bytes());
        local.extend([0xff; 8]);
        local.extend((name.len() as u16).to_le_bytes());
        local.extend(20_u16.to_le_bytes());
        local.extend(name.as_bytes());
        local.extend([1, 0, 16, 0]);
        local.extend(size.to_le_bytes());
        local.extend(size.to_le_bytes());
        self.put(&local).map_err(failed)?;
        self.put(header).map_err(failed)?;
        let output = &mut *self.output;
        each(&mut |block| output.write_all(block))?;
        self.at = start + local.len() as u64 + size;
        self.members.push(WrittenMember { name, crc: crc.sum().to_le_bytes(), size, start });
        Ok(())
    }

    /// Writes the directory.
    pub(in crate::tool) fn finish(mut self) -> std::io::Result<u64> {
        let start = self.at;
        for member in std::mem::take(&mut self.members) {
            let mut entry = CENTRAL.to_vec();
            entry.extend([45, 3, 45, 0]);
            entry.extend(FLAGS);
            entry.extend([0; 2]);
            entry.extend([0, 0, 0x21, 0]);
            entry.extend(member.crc);
            entry.extend([0xff; 8]);
            entry.extend((member.name.len() as u16).to_le_bytes());
            entry.extend(28_u16.to_le_bytes());
            entry.extend([0; 6]);
            entry.extend((0o600_u32 << 16).to_le_bytes());
            entry.extend([0xff; 4]);
            entry.extend(member.name.as_bytes());
            entry.extend([1, 0, 24, 0]);
            entry.extend(member.size.to_le_bytes());
            entry.extend(member.size.to_le_bytes());
            entry.extend(member.start.to_le_bytes());
            self.members.push(member);
            self.put(&entry)?;
        }
        let (count, size) = (self.members.len() as u64, self.at - start);
        let record = self.at;
        let mut end = END_64.to_vec();
        end.extend(44_u64.to_le_bytes());
        end.extend([45, 3, 45, 0]);
        end.extend([0; 8]);
        end.extend(count.to_le_bytes());
        end.extend(count.to_le_bytes());
        end.extend(size.to_le_bytes());
        end.extend(start.to_le_bytes());
        end.extend(LOCATOR_64);
        end.extend([0; 4]);
        end.extend(record.to_le_bytes());
        end.extend([1, 0, 0, 0]);
        end.extend(END);
        end.extend([0; 4]);
        end.extend([0xff; 12]);
        end.extend([0; 2]);
        self.put(&end)?;
        Ok(self.at)
    }
}

#[cfg(test)]
mod tests {
    use super::super::npy::npy_header;
    use super::super::{ParameterFile, TensorStorage};
    use super::*;
    use crate::wire::bytes::Source;
    use crate::wire::limits::Limits;

    #[test]
    fn a_written_archive_is_read() {
        let mut bytes = Vec::new();
        let mut writer = NpzWriter::new(&mut bytes);
        let mut read_blocks = |visit: &mut BlockSink<'_>| {
            visit(&[1, 2]).unwrap();
            visit(&[3]).unwrap();
            Ok(())
        };
        writer.add("a/b", &npy_header("|u1", &[3]), 3, &mut read_blocks).unwrap();
        writer.finish().unwrap();
        let read =
            |bytes: &[u8]| ParameterFile::recognize(&Source::from(bytes.to_vec()), None, &Limits::default());
        let file = read(&bytes).unwrap().unwrap();
        let tensor = file.require("a/b").unwrap();
        assert_eq!(tensor.dtype.as_deref(), Some("ui8"));
        assert!(matches!(tensor.storage, TensorStorage::Data(_)));
        assert_eq!(&*file.data(tensor).unwrap(), [1, 2, 3]);
        for cut in 64..bytes.len() {
            assert!(read(&bytes[..cut]).is_err(), "{cut}");
        }
        for place in 0..bytes.len() {
            let mut bytes = bytes.clone();
            bytes[place] ^= 0xff;
            let _ = read(&bytes);
        }
    }
}
