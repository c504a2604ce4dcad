//! Compressed files: a gzip or zstd stream is decompressed into memory, up to a limit.

use std::fmt;
use std::io::{self, BufRead, BufReader, Read};

use flate2::bufread::GzDecoder;
#[cfg(feature = "zstd")]
use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
#[cfg(feature = "zstd")]
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};
use serde::Serialize;

use crate::wire::bytes::Source;
use crate::wire::error::{Error, ErrorKind, Result};
use crate::wire::limits::{Limits, out_of_memory};

/// The compression of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Compression {
    /// RFC 1952; a file may have several members.
    Gzip,
    /// RFC 8878; a file may have several frames.
    Zstd,
}

impl fmt::Display for Compression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Gzip => "gzip",
            Self::Zstd => "zstd",
        })
    }
}

impl Compression {
    /// The compression of a file that begins with `head`.
    pub(super) fn of(head: &[u8]) -> Option<Self> {
        match head {
            [0x1f, 0x8b, 0x08, ..] => Some(Self::Gzip),
            [0x28, 0xb5, 0x2f, 0xfd, ..] => Some(Self::Zstd),
            // This is a frame that decoders skip, which some writers put first.
            [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..] => Some(Self::Zstd),
            _ => None,
        }
    }

    /// Returns the decompressed bytes of `source`.
    ///
    /// # Errors
    /// [`ErrorKind::Compressed`] if the stream is damaged or cut, [`ErrorKind::DecompressedLimit`], and the
    /// errors of the source.
    pub(super) fn decompress(self, source: &Source, limits: &Limits) -> Result<Vec<u8>> {
        let mut input = BufReader::with_capacity(1 << 15, Stream { source, offset: 0, error: None });
        let mut output = Output { bytes: Vec::new(), limit: limits.decompressed(source.len()) };
        let done = self.run(&mut input, &mut output);
        source.check()?;
        let consumed = input.get_ref().offset - input.buffer().len() as u64;
        match (done, input.get_mut().error.take()) {
            (_, Some(error)) => Err(error),
            (Ok(()), None) => Ok(output.bytes),
            (Err(Failure::Core(error)), None) => Err(error),
            (Err(Failure::Stream(why)), None) => {
                let message = format!("the {self} stream cannot be decompressed: {why}");
                Err(Error::message(ErrorKind::Compressed, message).at(consumed))
            }
        }
    }
}

impl Compression {
    /// Decompresses a file up to a limit, and returns whether the result is complete.
    pub(super) fn start(self, source: &Source, limit: u64) -> (Vec<u8>, bool) {
        let mut input = BufReader::with_capacity(1 << 15, Stream { source, offset: 0, error: None });
        let mut output = Output { bytes: Vec::new(), limit };
        let done = self.run(&mut input, &mut output);
        (output.bytes, done.is_ok() && source.check().is_ok())
    }

    fn run(self, input: &mut BufReader<Stream<'_>>, output: &mut Output) -> std::result::Result<(), Failure> {
        match self {
            Self::Gzip => gunzip(input, output),
            Self::Zstd => unzstd(input, output),
        }
    }
}

/// The reason why decompression ends early.
enum Failure {
    /// The stream is damaged or cut.
    Stream(String),
    Core(Error),
}

/// A source from its start to its end.
struct Stream<'s> {
    source: &'s Source,
    offset: u64,
    error: Option<Error>,
}

impl Read for Stream<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let len = (buffer.len() as u64).min(self.source.len() - self.offset) as usize;
        match self.source.read_into(self.offset, &mut buffer[..len]) {
            Ok(()) => {
                self.offset += len as u64;
                Ok(len)
            }
            Err(error) => {
                self.error = Some(error);
                Err(io::Error::other("the source cannot be read"))
            }
        }
    }
}

/// The bytes that are decompressed so far.
struct Output {
    bytes: Vec<u8>,
    limit: u64,
}

impl Output {
    fn extend(&mut self, part: &[u8]) -> Result<(), Failure> {
        if (self.bytes.len() + part.len()) as u64 > self.limit {
            let message = format!("the file decompresses to more than the limit of {} bytes", self.limit);
            return Err(Failure::Core(Error::message(ErrorKind::DecompressedLimit, message)));
        }
        self.bytes.try_reserve(part.len()).map_err(|_| Failure::Core(out_of_memory(part.len())))?;
        self.bytes.extend_from_slice(part);
        Ok(())
    }

    fn extend_from(&mut self, mut reader: impl Read) -> Result<(), Failure> {
        let mut part = vec![0; 1 << 14];
        loop {
            match reader.read(&mut part) {
                Ok(0) => return Ok(()),
                Ok(len) => self.extend(&part[..len])?,
                Err(error) => return Err(Failure::Stream(why(&error))),
            }
        }
    }
}

fn why(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::UnexpectedEof => "it ends too early".to_owned(),
        _ => error.to_string(),
    }
}

fn at_end(input: &mut impl BufRead) -> Result<bool, Failure> {
    input.fill_buf().map(<[u8]>::is_empty).map_err(|error| Failure::Stream(why(&error)))
}

fn gunzip(input: &mut impl BufRead, output: &mut Output) -> Result<(), Failure> {
    loop {
        output.extend_from(GzDecoder::new(&mut *input))?;
        // Zeros may fill the last block of a tape or a disk.
        loop {
            let buffer = input.fill_buf().map_err(|error| Failure::Stream(why(&error)))?;
            let zeros = buffer.iter().take_while(|&&byte| byte == 0).count();
            if zeros == 0 {
                break;
            }
            input.consume(zeros);
        }
        if at_end(input)? {
            return Ok(());
        }
    }
}

#[cfg(feature = "zstd")]
fn unzstd(input: &mut impl BufRead, output: &mut Output) -> Result<(), Failure> {
    let mut decoder = FrameDecoder::new();
    // A frame may declare its whole content as its window.
    decoder.set_max_window_size(output.limit);
    while !at_end(input)? {
        match decoder.reset(&mut *input) {
            Ok(()) => {}
            Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame {
                length, ..
            })) => {
                let length = u64::from(length);
                let skipped = io::copy(&mut input.take(length), &mut io::sink());
                match skipped {
                    Ok(skipped) if skipped == length => continue,
                    Ok(_) => return Err(Failure::Stream("it ends too early".to_owned())),
                    Err(error) => return Err(Failure::Stream(why(&error))),
                }
            }
            Err(FrameDecoderError::WindowSizeTooBig { requested, .. }) => {
                let limit = output.limit;
                let message = format!(
                    "the zstd stream needs a window of {requested} bytes, above the limit of {limit}"
                );
                return Err(Failure::Core(Error::message(ErrorKind::DecompressedLimit, message)));
            }
            Err(error) => return Err(Failure::Stream(error.to_string())),
        }
        while !decoder.is_finished() {
            decoder
                .decode_blocks(&mut *input, BlockDecodingStrategy::UptoBytes(1 << 16))
                .map_err(|error| Failure::Stream(error.to_string()))?;
            output.extend_from(&mut decoder)?;
        }
        output.extend_from(&mut decoder)?;
        let stored = decoder.get_checksum_from_data();
        if stored.is_some() && stored != decoder.get_calculated_checksum() {
            return Err(Failure::Stream("its checksum is wrong".to_owned()));
        }
    }
    Ok(())
}

#[cfg(not(feature = "zstd"))]
fn unzstd(_: &mut impl BufRead, _: &mut Output) -> Result<(), Failure> {
    let error = Error::message(ErrorKind::Compressed, "this build of mlirbc cannot decompress zstd");
    Err(Failure::Core(error.with_hint("decompress the file first, or build mlirbc with the feature `zstd`")))
}
