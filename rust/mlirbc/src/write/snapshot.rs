//! The edited module as a module to read: for printing, columns, tables and verification, which need a
//! module.
//!
//! The module is written as for a file, to memory. A large one stays in pieces, which are read on demand, so
//! that ranges of the file, such as weights, are not copied.

use std::io::{self, Read, Seek, SeekFrom};

use crate::edit::{EditOp, Editor};
use crate::file::FileTables;
use crate::ir::Module;
use crate::wire::bytes::{ReadAt, Source};
use crate::wire::error::{Error, ErrorKind, Result};

use super::WriteOptions;
use super::file_pieces::{FilePiece, FilePieces, open_at};

/// Modules up to this size are written to one buffer.
const IN_MEMORY: u64 = 4 << 20;
/// Reads of at least this size bypass the map of the file.
const LARGE: usize = 1 << 20;

impl Editor {
    /// Writes the module with its changes to memory, and reads it, for everything that an editor cannot do,
    /// such as printing. Later changes do not show in the result, and each call writes again. Changes are not
    /// verified, except that values must be in scope to have a number.
    ///
    /// # Errors
    /// [`ErrorKind::Ir`] if a value is not in scope, and as [`Module::from_source`].
    ///
    /// ```
    /// use mlirbc::{Attribute, Module, edit::Editor};
    /// let mut editor = Editor::new(Module::from_bytes(mlirbc::doc_example())?)?;
    /// let module = editor.operation()?;
    /// editor.set_location(module, &Attribute::parse("loc(\"here\")")?)?;
    /// let mut text = Vec::new();
    /// let options = mlirbc::print::PrintOptions::default().locations(true);
    /// editor.snapshot()?.print(&mut text, &options)?;
    /// assert!(String::from_utf8(text).unwrap().contains("loc(\"here\")"));
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn snapshot(&mut self) -> Result<Module> {
        if !self.is_changed() {
            return Ok(self.base().clone());
        }
        let pieces = self.unverified_pieces()?;
        self.base().assembled(pieces)
    }

    /// Returns a snapshot for one operation. If the operation is in no block, the snapshot contains only the
    /// outermost detached operation around it, in a block whose arguments are the values that it uses from
    /// elsewhere.
    ///
    /// # Errors
    /// As [`Self::snapshot`], and if the operation was erased.
    ///
    /// ```
    /// use mlirbc::{Module, edit::{Editor, NewOperation}};
    /// let mut editor = Editor::new(Module::from_bytes(mlirbc::doc_example())?)?;
    /// let op = editor.create_detached(&NewOperation::new("t.new"))?;
    /// let (module, position) = (editor.snapshot_of(op)?, editor.position(op)?);
    /// assert_eq!(module.operation_at(&position)?.unwrap().name(), "t.new");
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    #[doc(hidden)]
    pub fn snapshot_of(&mut self, op: EditOp) -> Result<Module> {
        match self.detached_root(op)? {
            Some(root) => {
                let pieces = self.with_only(root, Self::unverified_pieces)?;
                self.base().assembled(pieces)
            }
            None => self.snapshot(),
        }
    }

    // An invalid module can be inspected, too.
    fn unverified_pieces(&mut self) -> Result<FilePieces> {
        let verification = self.verification();
        self.set_verification(false, false);
        let pieces = self.spliced(&WriteOptions::default());
        self.set_verification(verification.0, verification.1);
        pieces
    }
}

impl Module {
    /// Reads a file of pieces, whose ranges belong to this module, without writing it.
    pub(crate) fn assembled(&self, pieces: FilePieces) -> Result<Self> {
        self.like(self.assembled_source(pieces)?)
    }

    /// Returns the bytes of [`Self::assembled`] as a source.
    ///
    /// # Errors
    /// The errors of the source, and a request to stop.
    pub(crate) fn assembled_source(&self, pieces: FilePieces) -> Result<Source> {
        if pieces.len() > IN_MEMORY {
            return Ok(Source::ranged(Assembled::new(self.tables().clone(), pieces)));
        }
        let mut bytes = Vec::with_capacity(pieces.len() as usize);
        pieces.write(self.source(), &mut bytes, &|_, _| self.tables().check_interrupt())?;
        self.source().check()?;
        Ok(bytes.into())
    }
}

/// A file of pieces that is not assembled in memory.
struct Assembled {
    base: FileTables,
    pieces: FilePieces,
    /// The offset of each piece.
    starts: Vec<u64>,
}

impl Assembled {
    fn new(base: FileTables, pieces: FilePieces) -> Self {
        let mut next = 0;
        let starts = pieces.list().iter().map(|piece| {
            let start = next;
            next += piece.len();
            start
        });
        let starts = starts.collect();
        Self { base, pieces, starts }
    }
}

impl ReadAt for Assembled {
    fn len(&self) -> u64 {
        self.pieces.len()
    }

    fn read_at(&self, offset: u64, mut buffer: &mut [u8]) -> io::Result<()> {
        let mut number = self.starts.partition_point(|&start| start <= offset).saturating_sub(1);
        let mut at = offset;
        while !buffer.is_empty() {
            let (Some(piece), Some(start)) = (self.pieces.list().get(number), self.starts.get(number)) else {
                return Err(io::ErrorKind::UnexpectedEof.into());
            };
            let skipped = at - start;
            let len = (piece.len() - skipped).min(buffer.len() as u64) as usize;
            let (current, remaining) = buffer.split_at_mut(len);
            self.read(piece, skipped, current)?;
            (buffer, at, number) = (remaining, at + len as u64, number + 1);
        }
        Ok(())
    }
}

impl Assembled {
    fn read(&self, piece: &FilePiece, skipped: u64, buffer: &mut [u8]) -> io::Result<()> {
        let failed = |error: Error| match error.kind() {
            ErrorKind::Shrunk => io::ErrorKind::UnexpectedEof.into(),
            _ => io::Error::other(error.to_string()),
        };
        let copied = |tables: &FileTables, start: u64, buffer: &mut [u8]| {
            // Pages of a map would count as memory of the process.
            if buffer.len() >= LARGE
                && let Some(mut file) = tables.source().reopened()
            {
                let start = SeekFrom::Start(tables.source().start() + start);
                let read = file.seek(start).and_then(|_| file.read_exact(buffer));
                return read.map_err(|error| Error::io("cannot read the module", error));
            }
            let bytes = tables.source().get(start..start + buffer.len() as u64)?;
            buffer.copy_from_slice(&bytes);
            tables.source().check_pages()
        };
        let mut take = |bytes: &[u8]| {
            let first = skipped as usize;
            // Callers never request more than the piece contains.
            if let Some(part) = bytes.get(first..first + buffer.len()) {
                buffer.copy_from_slice(part);
            }
        };
        match piece {
            FilePiece::Made(bytes) => take(bytes),
            FilePiece::Shared(bytes) => take(bytes),
            FilePiece::File(path, range) => open_at(path, range.start + skipped)?.read_exact(buffer)?,
            FilePiece::Copied(range) => copied(&self.base, range.start + skipped, buffer).map_err(failed)?,
            FilePiece::Foreign(tables, range) => {
                copied(tables, range.start + skipped, buffer).map_err(failed)?
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edit::{InsertionPoint, NewOperation};
    use crate::print::PrintOptions;
    use crate::{Attribute, Type};

    const EXAMPLE: &str = "../../examples/two_layers.mlirbc";

    fn text(module: &Module) -> String {
        let mut text = Vec::new();
        module.print(&mut text, &PrintOptions::generic()).unwrap();
        String::from_utf8(text).unwrap()
    }

    fn written(editor: &mut Editor) -> Vec<u8> {
        let mut bytes = Vec::new();
        editor.write(&mut bytes, &WriteOptions::default()).unwrap();
        bytes
    }

    #[test]
    fn a_snapshot_is_what_would_be_written() {
        let mut editor = Editor::new(Module::open(EXAMPLE).unwrap()).unwrap();
        assert!(editor.snapshot().unwrap().tables().is(editor.base().tables()));
        let dense = editor.symbol("dense").unwrap().unwrap();
        editor.set_attribute(dense, "x.note", &Attribute::parse("7 : i8").unwrap()).unwrap();
        let snapshot = editor.snapshot().unwrap();
        assert_eq!(text(&snapshot), text(&Module::from_bytes(written(&mut editor)).unwrap()));
        let op = snapshot.operation_at(&editor.position(dense).unwrap()).unwrap().unwrap();
        assert_eq!(op.discardable_attributes().unwrap().len(), 1);
    }

    #[test]
    fn every_position_leads_to_the_operation() {
        let mut editor = Editor::new(Module::open(EXAMPLE).unwrap()).unwrap();
        let top = editor.operation().unwrap();
        let mut stack = vec![top];
        let mut count = 0;
        while let Some(op) = stack.pop() {
            count += 1;
            let snapshot = editor.snapshot_of(op).unwrap();
            let snapshot_op = snapshot.operation_at(&editor.position(op).unwrap()).unwrap().unwrap();
            assert_eq!(snapshot_op.name(), editor.name(op).unwrap());
            assert_eq!(snapshot_op.operands().len(), editor.operands(op).unwrap().len());
            for region in editor.regions(op).unwrap() {
                for block in editor.blocks(region).unwrap() {
                    stack.extend(editor.operations(block).unwrap());
                }
            }
        }
        assert_eq!(count, editor.base().operation().unwrap().pre_order().count());
    }

    #[test]
    fn an_operation_in_no_block_has_its_values_as_arguments() {
        for version in [0, 2, 6] {
            let version = crate::wire::version::BytecodeVersion::new(version).unwrap();
            let mut editor = Editor::create_module(&crate::Release::named("llvm-22"), version, None).unwrap();
            let module = editor.operation().unwrap();
            let body = editor.body(module).unwrap();
            let i8 = Type::parse("i8").unwrap();
            let new = NewOperation { results: vec![i8.clone()], ..NewOperation::new("t.def") };
            let def = editor.create(&new, InsertionPoint::AtEnd(body)).unwrap();
            let value = editor.results(def).unwrap()[0];
            let new = NewOperation {
                operands: vec![value, value],
                results: vec![i8.clone()],
                regions: 1,
                ..NewOperation::new("t.use")
            };
            let detached = editor.create_detached(&new).unwrap();
            let region = editor.regions(detached).unwrap()[0];
            let block = editor.add_block(region, None, std::slice::from_ref(&i8)).unwrap();
            let operands =
                vec![editor.results(detached).unwrap()[0], editor.arguments(block).unwrap()[0], value];
            let new = NewOperation { operands, ..NewOperation::new("t.inner") };
            let inner = editor.create(&new, InsertionPoint::AtEnd(block)).unwrap();
            let before = text(&editor.snapshot().unwrap());
            let uses = editor.uses(value).unwrap();
            let snapshot = editor.snapshot_of(inner).unwrap();
            let user = snapshot.operation_at(&editor.position(detached).unwrap()).unwrap().unwrap();
            assert_eq!(user.name(), "t.use");
            let owners: Vec<_> = user.operands().map(|value| value.owner_block().is_some()).collect();
            assert_eq!(owners, [true, true], "version {version}");
            let inner_op = snapshot.operation_at(&editor.position(inner).unwrap()).unwrap().unwrap();
            assert_eq!(inner_op.name(), "t.inner");
            let numbers: Vec<_> = inner_op.operands().map(|value| value.number()).collect();
            assert_eq!(
                (numbers, inner_op.operands().next().unwrap().owner_op().is_some()),
                (vec![0, 0, 0], true)
            );
            // The editor has no trace of the snapshot.
            assert_eq!(text(&editor.snapshot().unwrap()), before);
            assert_eq!(editor.uses(value).unwrap(), uses);
            editor.insert(detached, InsertionPoint::AtEnd(body)).unwrap();
            editor.verify(false).unwrap();
            assert_eq!(
                Module::from_bytes(written(&mut editor)).unwrap().operation().unwrap().pre_order().count(),
                4
            );
        }
    }

    #[test]
    fn a_detached_branch_has_blocks_to_go_to() {
        let mut editor = Editor::new(Module::open(EXAMPLE).unwrap()).unwrap();
        let main = editor.symbol("main").unwrap().unwrap();
        let block = editor.body(main).unwrap();
        let branch = *editor.operations(block).unwrap().last().unwrap();
        let successors = editor.successors(branch).unwrap();
        editor.detach(branch).unwrap();
        let snapshot = editor.snapshot_of(branch).unwrap();
        let snapshot_op = snapshot.operation_at(&editor.position(branch).unwrap()).unwrap().unwrap();
        assert_eq!(snapshot_op.successors().map(|block| block.number()).collect::<Vec<_>>(), [1, 2]);
        assert_eq!(editor.successors(branch).unwrap(), successors);
    }

    #[test]
    fn a_large_snapshot_is_read_from_its_pieces() {
        let mut editor = Editor::new(Module::open(EXAMPLE).unwrap()).unwrap();
        let dense = editor.symbol("dense").unwrap().unwrap();
        editor.set_location(dense, &Attribute::parse("loc(\"here\")").unwrap()).unwrap();
        let expected = written(&mut editor);
        let pieces = editor.unverified_pieces().unwrap();
        let assembled = Assembled::new(editor.base().tables().clone(), pieces);
        assert_eq!(assembled.len(), expected.len() as u64);
        for (start, len) in [(0, expected.len()), (1, 7), (100, 900), (expected.len() - 3, 3)] {
            let mut buffer = vec![0; len];
            assembled.read_at(start as u64, &mut buffer).unwrap();
            assert_eq!(buffer, expected[start..start + len]);
        }
        assert!(assembled.read_at(expected.len() as u64 - 1, &mut [0; 2]).is_err());
    }
}
