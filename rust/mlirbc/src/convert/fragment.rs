//! Cloning between modules: a part of a module of another bytecode version or release is written as a file
//! for the version and release of the target, read again, and cloned from there.

use crate::edit::clone_into::Cloned;
use crate::edit::fragment::Fragment;
use crate::edit::{CloneOptions, ClonePart, EditBlock, EditOp, Editor, InsertionPoint};
use crate::release::Release;
use crate::wire::error::{Error, ErrorKind, Result};
use crate::wire::version::BytecodeVersion;
use crate::write::{Numbering, WriteOptions};

/// The encoding of a module: its version and its release, if known.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Encoding {
    version: BytecodeVersion,
    release: Option<String>,
}

impl Encoding {
    fn of(editor: &Editor) -> Result<Self> {
        let base = editor.base();
        let release = base.release()?.nearest().map(str::to_owned);
        Ok(Self { version: base.tables().bytecode().version(), release })
    }

    /// Whether a part of a module with this encoding can be used with the other one unchanged. An unknown
    /// release is not translated: parts that depend on it are refused when they are copied.
    fn is_read_as(&self, other: &Self) -> bool {
        let is_other_release = |(a, b): (&String, &String)| a != b;
        self.version == other.version
            && !self.release.as_ref().zip(other.release.as_ref()).is_some_and(is_other_release)
    }
}

impl Editor {
    /// Clones an operation of another module with its regions, attributes, types, properties, resources and
    /// use-list orders. What depends on the bytecode version or the release is translated. Without a place
    /// the copy is detached.
    ///
    /// Bytes of resources are not copied before the module is written. If this module has other content under
    /// the key of a resource, the copy gets the key `key_1` and so on.
    ///
    /// # Errors
    /// Nothing is changed then. [`ErrorKind::Edit`] if an operand or successor is defined outside the
    /// operation and not mapped, a mapped value does not dominate the place, or the symbol exists already;
    /// [`ErrorKind::Unsupported`] if the version or release of this module cannot represent it, with
    /// [`Error::losses`](crate::Error::losses), or the modules have different versions of its dialect;
    /// [`ErrorKind::PropertyOpaque`] and [`ErrorKind::EntryNoTable`] if something has an unknown encoding.
    ///
    /// ```
    /// use mlirbc::edit::{CloneOptions, Editor, InsertionPoint};
    /// use mlirbc::version::BytecodeVersion;
    /// use mlirbc::Module;
    /// let mut source = Editor::new(Module::open("../../examples/two_layers.mlirbc")?)?;
    /// let mut target = Editor::create_module(&mlirbc::Release::default(), BytecodeVersion::MAX, None)?;
    /// let dense = source.symbol("dense")?.unwrap();
    /// let module = target.operation()?;
    /// let at = InsertionPoint::AtEnd(target.body(module)?);
    /// let copy = target.clone_op_from(&mut source, dense, Some(at), &CloneOptions::default())?;
    /// assert_eq!(target.symbol("dense")?, Some(copy));
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn clone_op_from(
        &mut self,
        source: &mut Self,
        op: EditOp,
        at: Option<InsertionPoint>,
        options: &CloneOptions,
    ) -> Result<EditOp> {
        match self.clone_from_other(source, ClonePart::Op(op, at), options)? {
            Cloned::Op(op) => Ok(self.handle_of(op)),
            Cloned::Blocks(_) => Err(no_copy()),
        }
    }

    /// Clones a part of another module: an operation, a block, or the blocks of a region. Returns the blocks;
    /// none for an operation. See [`Self::clone_op_from`].
    ///
    /// # Errors
    /// The errors of [`Self::clone_op_from`]; [`ErrorKind::Index`] for a block number past the end.
    ///
    /// ```
    /// use mlirbc::edit::{CloneOptions, ClonePart, Editor, NewOperation};
    /// use mlirbc::version::BytecodeVersion;
    /// use mlirbc::Module;
    /// let mut source = Editor::new(Module::open("../../examples/two_layers.mlirbc")?)?;
    /// let mut target = Editor::create_module(&mlirbc::Release::default(), BytecodeVersion::MAX, None)?;
    /// let op = target.create_detached(&NewOperation { regions: 1, ..NewOperation::new("t.r") })?;
    /// let into = target.regions(op)?[0];
    /// let dense = source.symbol("dense")?.unwrap();
    /// let region = source.regions(dense)?[0];
    /// let part = ClonePart::Region(region, into, None);
    /// let blocks = target.clone_blocks_from(&mut source, part, &CloneOptions::default())?;
    /// assert_eq!(target.blocks(into)?, blocks);
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    #[doc(hidden)]
    pub fn clone_blocks_from(
        &mut self,
        source: &mut Self,
        part: ClonePart,
        options: &CloneOptions,
    ) -> Result<Vec<EditBlock>> {
        let cloned = self.clone_from_other(source, part, options)?;
        Ok(blocks_of(self, cloned))
    }

    /// Clones a part of this module. Values and blocks from outside are kept unless they are mapped. Returns
    /// the operation, or none and the blocks.
    ///
    /// # Errors
    /// The errors of [`Self::clone_op_from`].
    ///
    /// ```
    /// use mlirbc::edit::{CloneOptions, ClonePart, Editor, InsertionPoint};
    /// let mut editor = Editor::new(mlirbc::Module::open("../../examples/two_layers.mlirbc")?)?;
    /// let dense = editor.symbol("dense")?.unwrap();
    /// let rename = vec![(b"dense".to_vec(), b"second".to_vec())];
    /// let options = CloneOptions::default().rename(rename);
    /// let part = ClonePart::Op(dense, Some(InsertionPoint::After(dense)));
    /// let (copy, _) = editor.clone_within(part, &options)?;
    /// assert_eq!(editor.symbol("second")?, copy);
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    #[doc(hidden)]
    pub fn clone_within(
        &mut self,
        part: ClonePart,
        options: &CloneOptions,
    ) -> Result<(Option<EditOp>, Vec<EditBlock>)> {
        let cloned = if options.rename.is_empty() {
            let steps = self.steps_of(part)?;
            self.clone_part(None, (part, &steps), options)?
        } else {
            let mut options = options.clone();
            let fragment = self.fragment(part)?;
            fragment.keep_outside(&mut options);
            self.clone_fragment(fragment, &options)?
        };
        Ok(match cloned {
            Cloned::Op(op) => (Some(self.handle_of(op)), Vec::new()),
            cloned => (None, blocks_of(self, cloned)),
        })
    }

    fn clone_from_other(
        &mut self,
        source: &mut Self,
        part: ClonePart,
        options: &CloneOptions,
    ) -> Result<Cloned> {
        let (theirs, own) = (Encoding::of(source)?, Encoding::of(self)?);
        if !theirs.is_read_as(&own) {
            return self.clone_translated(source, (part, options), (&theirs, &own));
        }
        if !options.rename.is_empty() {
            let fragment = source.fragment(part)?;
            return self.clone_fragment(fragment, options);
        }
        let steps = source.steps_of(part)?;
        self.clone_part(Some(source), (part, &steps), options)
    }

    // Clones a part whose symbols get other names.
    fn clone_fragment(&mut self, mut fragment: Fragment, options: &CloneOptions) -> Result<Cloned> {
        fragment.rename(&options.rename)?;
        let (part, options) = fragment.part(options)?;
        let steps = fragment.editor.steps_of(part)?;
        self.clone_part(Some(&fragment.editor), (part, &steps), &options)
    }

    fn clone_translated(
        &mut self,
        source: &mut Self,
        (part, options): (ClonePart, &CloneOptions),
        (theirs, own): (&Encoding, &Encoding),
    ) -> Result<Cloned> {
        let mut fragment = source.fragment(part)?;
        fragment.rename(&options.rename)?;
        fragment.leave_resources()?;
        fragment.editor.set_verification(false, false);
        let target =
            own.release.clone().filter(|own| theirs.release.as_ref().is_some_and(|name| name != own));
        let write = WriteOptions {
            numbering: Numbering::Canonical,
            version: Some(own.version),
            target: target.clone().map(Release::named),
            drop_unsupported: options.drop_unsupported,
            // Nobody reads notes about a clone.
            strict: true,
            ..WriteOptions::default()
        };
        let mut bytes = Vec::new();
        let written = fragment.editor.write(&mut bytes, &write);
        written.map_err(|error| match error.kind() {
            ErrorKind::Unsupported => error.with_hint(hint_of(theirs, own)),
            _ => error,
        })?;
        let release = target.or_else(|| theirs.release.clone());
        let module = source.base().like_of_release(bytes.into(), release)?;
        let (part, options) = fragment.translated(module, source, options)?;
        let steps = fragment.editor.steps_of(part)?;
        self.clone_part(Some(&fragment.editor), (part, &steps), &options)
    }
}

// Returns advice for a target that cannot represent the part.
fn hint_of(theirs: &Encoding, own: &Encoding) -> String {
    let dropping = "clone with `drop_unsupported=True` (`CloneOptions::drop_unsupported`) to leave it out";
    let release = theirs.release.as_ref().filter(|theirs| own.release.as_ref() != Some(*theirs));
    let (version, release) = (theirs.version.number(), release.or(theirs.release.as_ref()));
    match release {
        Some(release) => format!(
            "create the target in the form of the source, `Module.create(release=\"{release}\", version={version})` \
             (`Editor::create_module`), or {dropping}"
        ),
        None => format!("choose a target of bytecode version {version} or later, or {dropping}"),
    }
}

fn blocks_of(editor: &Editor, made: Cloned) -> Vec<EditBlock> {
    match made {
        Cloned::Op(_) => Vec::new(),
        Cloned::Blocks(blocks) => blocks.into_iter().map(|row| editor.handle_of(row)).collect(),
    }
}

#[cold]
fn no_copy() -> Error {
    Error::message(ErrorKind::Edit, "nothing was cloned")
}
