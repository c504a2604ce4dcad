//! Creates operations one after another.

use crate::attr::{Attribute, Type};
use crate::wire::error::{Error, ErrorKind, Result};

use super::{EditBlock, EditOp, EditRegion, Editor, InsertionPoint, NewOperation};

/// Creates operations at an insertion point, which advances. Operations without a location get the location
/// of the builder.
///
/// ```
/// use mlirbc::edit::{Builder, Editor, InsertionPoint, NewOperation};
/// use mlirbc::version::BytecodeVersion;
/// use mlirbc::{Attribute, Type};
/// let mut editor = Editor::create_module(&mlirbc::Release::default(), BytecodeVersion::MAX, None)?;
/// let module = editor.operation()?;
/// let body = editor.body(module)?;
/// let mut builder = Builder::at(&mut editor, InsertionPoint::AtBegin(body));
/// builder.set_location(Some(Attribute::parse("loc(\"model.py\":3:1)")?));
/// builder.create(&NewOperation::new("test.first"))?;
/// builder.create(&NewOperation::new("test.second"))?;
/// let names: Vec<_> = editor.operations(body)?.iter().map(|&op| editor.name(op).unwrap()).collect();
/// assert_eq!(names, ["test.first", "test.second"]);
/// # Ok::<(), mlirbc::Error>(())
/// ```
#[derive(Debug)]
pub struct Builder<'e> {
    editor: &'e mut Editor,
    at: Option<InsertionPoint>,
    location: Option<Attribute>,
}

impl<'e> Builder<'e> {
    /// Creates a builder without an insertion point: its operations are detached.
    pub fn new(editor: &'e mut Editor) -> Self {
        Self { editor, at: None, location: None }
    }

    /// Creates a builder with an insertion point.
    pub fn at(editor: &'e mut Editor, at: InsertionPoint) -> Self {
        Self { editor, at: Some(at), location: None }
    }

    /// Returns the editor of the module.
    pub fn editor(&mut self) -> &mut Editor {
        self.editor
    }

    /// Returns the insertion point; `None` if the next operation will be detached.
    pub fn insertion_point(&self) -> Option<InsertionPoint> {
        self.at
    }

    /// Sets the insertion point, and returns the previous one.
    pub fn set_insertion_point(&mut self, at: Option<InsertionPoint>) -> Option<InsertionPoint> {
        std::mem::replace(&mut self.at, at)
    }

    /// Sets the insertion point before the last operation of a block.
    ///
    /// # Errors
    /// [`ErrorKind::Edit`] if the block has no operations.
    pub fn set_insertion_point_to_terminator(&mut self, block: EditBlock) -> Result<()> {
        let Some(&last) = self.editor.operations(block)?.last() else {
            return Err(Error::message(ErrorKind::Edit, "the block has no terminator"));
        };
        self.at = Some(InsertionPoint::Before(last));
        Ok(())
    }

    /// Returns the location of operations that are created without one; `None` is unknown.
    pub fn location(&self) -> Option<&Attribute> {
        self.location.as_ref()
    }

    /// Sets the location, and returns the previous one.
    pub fn set_location(&mut self, location: Option<Attribute>) -> Option<Attribute> {
        std::mem::replace(&mut self.location, location)
    }

    /// Creates an operation at the insertion point. The next one is inserted after it.
    ///
    /// # Errors
    /// As [`Editor::create`].
    pub fn create(&mut self, new: &NewOperation) -> Result<EditOp> {
        let new = match (&new.location, &self.location) {
            (None, Some(location)) => &NewOperation { location: Some(location.clone()), ..new.clone() },
            _ => new,
        };
        let Some(at) = self.at else { return self.editor.create_detached(new) };
        let op = self.editor.create(new, at)?;
        self.move_past(op);
        Ok(op)
    }

    /// Inserts a detached operation at the insertion point.
    ///
    /// # Errors
    /// [`ErrorKind::Edit`] if there is no insertion point, and as [`Editor::insert`].
    pub fn insert(&mut self, op: EditOp) -> Result<()> {
        let Some(at) = self.at else {
            return Err(Error::message(ErrorKind::Edit, "the builder has no insertion point"));
        };
        self.editor.insert(op, at)?;
        self.move_past(op);
        Ok(())
    }

    /// Adds a block to a region, before the block with that number or at the end, and continues in it.
    ///
    /// # Errors
    /// As [`Editor::add_block`].
    pub fn create_block(
        &mut self,
        region: EditRegion,
        before: Option<usize>,
        arguments: &[Type],
    ) -> Result<EditBlock> {
        let block = self.editor.add_block(region, before, arguments)?;
        self.at = Some(InsertionPoint::AtEnd(block));
        Ok(block)
    }

    fn move_past(&mut self, op: EditOp) {
        if let Some(InsertionPoint::AtBegin(_) | InsertionPoint::After(_)) = self.at {
            self.at = Some(InsertionPoint::After(op));
        }
    }
}
