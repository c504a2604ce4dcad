//! Writing to files atomically.

use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;

use crate::ir::Module;
use crate::wire::error::{Error, Result};
use crate::wire::progress::Progress;
use crate::write::replace::Replacement;

use super::file_pieces::{FilePiece, FilePieces, open_at, steps_of};

// The interval between two polls for a request to stop.
const STEP: u64 = 64 << 20;
// Smaller ranges are read into memory at once.
const PIECE: u64 = 4 << 20;

impl Module {
    pub(crate) fn save_pieces(&self, pieces: &FilePieces, path: &Path, progress: &Progress) -> Result<()> {
        self.save_pieces_with(pieces, path, progress, Replacement::commit)
    }

    /// Writes a file, which `commit` completes.
    pub(crate) fn save_pieces_with(
        &self,
        pieces: &FilePieces,
        path: &Path,
        progress: &Progress,
        commit: fn(Replacement) -> io::Result<()>,
    ) -> Result<()> {
        let failed = |error| Error::io(format!("cannot write `{}`", path.display()), error);
        let mut file = Replacement::begin(path).map_err(failed)?;
        if file.is_direct() {
            let name = format!("`{}`", path.display());
            return pieces.write_named(self.source(), &mut file, &name, &|done, all| {
                progress.report(done, all);
                self.tables().check_interrupt()
            });
        }
        let mut source = self.source().reopened();
        let mut done = 0;
        let mut advance = |more: u64| {
            done += more;
            progress.report(done, pieces.len());
            self.tables().check_interrupt()
        };
        for piece in pieces.list() {
            match (piece, &mut source) {
                (FilePiece::Made(bytes), _) => {
                    file.write_all(bytes).map_err(failed)?;
                    advance(bytes.len() as u64)?;
                }
                (FilePiece::Shared(bytes), _) => {
                    for part in bytes.chunks(STEP as usize) {
                        file.write_all(part).map_err(failed)?;
                        advance(part.len() as u64)?;
                    }
                }
                (FilePiece::Copied(range), Some(source)) => {
                    source.seek(SeekFrom::Start(self.source().start() + range.start)).map_err(failed)?;
                    let mut bytes_left = range.end - range.start;
                    while bytes_left > 0 {
                        // `io::copy` lets the system copy between files if it can.
                        let part = bytes_left.min(STEP);
                        let copied = io::copy(&mut source.take(part), file.file_mut()).map_err(failed)?;
                        if copied < part {
                            self.source().check()?;
                            return Err(failed(io::ErrorKind::UnexpectedEof.into()));
                        }
                        bytes_left -= part;
                        advance(part)?;
                    }
                }
                (FilePiece::File(path, range), _) => {
                    let broken = |error| Error::io(format!("cannot read `{}`", path.display()), error);
                    let mut input = open_at(path, range.start).map_err(broken)?;
                    let mut bytes_left = range.end - range.start;
                    while bytes_left > 0 {
                        let part = bytes_left.min(STEP);
                        let copied = io::copy(&mut Read::by_ref(&mut input).take(part), file.file_mut())
                            .map_err(failed)?;
                        if copied < part {
                            return Err(broken(io::ErrorKind::UnexpectedEof.into()));
                        }
                        bytes_left -= part;
                        advance(part)?;
                    }
                }
                (FilePiece::Foreign(module, range), _) => {
                    for part in steps_of(range, PIECE) {
                        let len = part.end - part.start;
                        file.write_all(&module.source().get(part)?).map_err(failed)?;
                        advance(len)?;
                    }
                    module.source().check()?;
                }
                (FilePiece::Copied(range), None) => {
                    for part in steps_of(range, PIECE) {
                        let len = part.end - part.start;
                        file.write_all(&self.source().get(part)?).map_err(failed)?;
                        advance(len)?;
                    }
                }
            }
        }
        // A map that lost pages contains zeros in their place.
        self.source().check()?;
        commit(file).map_err(failed)
    }
}
