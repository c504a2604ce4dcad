//! Adds, replaces and removes resources. Their bytes are not copied before they are written.

use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::path::PathBuf;

use crate::format::resource::ResourceKind;
use crate::wire::bytes::{Bytes, open_regular};
use crate::wire::error::{Error, ErrorKind, Result};

use super::Editor;
use super::external_resources::ExternalResources;

/// The new content of a resource.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ResourceContent {
    /// Bytes in memory.
    Blob {
        /// The bytes, which are shared and not copied.
        bytes: Bytes,
        /// The alignment, a power of two; by default the alignment of the old resource, or 1.
        alignment: Option<u64>,
    },
    /// Bytes of a regular file, which are copied between files without loading them into memory.
    File {
        /// The file, which must not change until the module is written.
        path: PathBuf,
        /// The range of bytes; by default the whole file.
        range: Option<Range<u64>>,
        /// The alignment, as for [`Self::Blob`].
        alignment: Option<u64>,
    },
    /// A Boolean, for external resources.
    Bool(bool),
    /// A string, for external resources.
    String(Vec<u8>),
}

/// The group of a resource to add. A dialect and an external group may have one name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ResourceGroup {
    /// The dialect with this name, whose attributes can refer to the resource.
    Dialect(Vec<u8>),
    /// A group of a client outside the IR.
    External(Vec<u8>),
}

impl ResourceGroup {
    /// Returns the group of the builtin dialect, to whose resources `dense_resource` refers.
    pub fn builtin() -> Self {
        Self::Dialect(b"builtin".to_vec())
    }

    /// Returns the name of the dialect or of the external group.
    #[doc(hidden)]
    pub fn name(&self) -> &[u8] {
        match self {
            Self::Dialect(name) | Self::External(name) => name,
        }
    }
}

/// A resource to add.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewResource {
    /// The key; any bytes.
    pub key: Vec<u8>,
    /// The dialect or the external group of the resource.
    pub group: ResourceGroup,
    /// The content.
    pub content: ResourceContent,
}

/// The changes to resources: by index in the file, by number of a new key, and external ones in order.
#[derive(Debug, Default, Clone)]
pub(crate) struct ResourceEdits {
    /// New contents; `None` removes the resource.
    pub(crate) replaced: HashMap<usize, Option<ResourceContent>>,
    pub(crate) dialect: HashMap<u32, ResourceContent>,
    pub(crate) external: ExternalResources,
    /// Numbers of resources that may have any size.
    pub(crate) resized: HashSet<u32>,
    pub(crate) users: super::resource_sizes::Users,
}

impl ResourceEdits {
    pub(crate) fn is_changed(&self) -> bool {
        !self.replaced.is_empty() || !self.dialect.is_empty() || !self.external.is_empty()
    }
}

impl Editor {
    /// Replaces the content of the resource with a key. If attributes refer to the resource and the width of
    /// their elements is known, the content must have the size that the type of one of them requires;
    /// [`Self::resize_resource`] accepts any size.
    ///
    /// # Errors
    /// [`ErrorKind::Edit`] if not exactly one resource has the key; [`ErrorKind::ResourceSize`] if the size
    /// does not match the types; [`ErrorKind::Value`] if the owner does not accept such content;
    /// [`ErrorKind::Io`] if a file cannot be read.
    ///
    /// ```
    /// use mlirbc::{ErrorKind, Module, edit::{Editor, ResourceContent}};
    /// let module = Module::open("../../examples/two_layers.mlirbc")?;
    /// let mut editor = Editor::new(module)?;
    /// let content = |len| ResourceContent::Blob { bytes: vec![1; len].into(), alignment: None };
    /// editor.set_resource("layer0.weight", content(48))?; // tensor<4x3xf32>
    /// let error = editor.set_resource("layer0.weight", content(16)).unwrap_err();
    /// assert_eq!(error.kind(), ErrorKind::ResourceSize);
    /// let mut bytes = Vec::new();
    /// editor.write(&mut bytes, &mlirbc::WriteOptions::default())?;
    /// let module = Module::from_bytes(bytes)?;
    /// let weight = module.resources_named(b"layer0.weight")?.next().unwrap();
    /// let Some(mlirbc::ir::ResourceValue::Blob { bytes, .. }) = weight.value()? else { panic!() };
    /// assert_eq!(bytes, [1; 48][..]);
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn set_resource(&mut self, key: impl AsRef<[u8]>, content: ResourceContent) -> Result<()> {
        self.put_resource(key.as_ref(), content, false)
    }

    /// Replaces content as [`Self::set_resource`] does, but accepts any size, whatever the types require;
    /// writing does not compare them either.
    ///
    /// # Errors
    /// As [`Self::set_resource`], except for the size.
    ///
    /// ```
    /// use mlirbc::{Module, edit::{Editor, ResourceContent}};
    /// let mut editor = Editor::new(Module::open("../../examples/two_layers.mlirbc")?)?;
    /// let content = ResourceContent::Blob { bytes: vec![1; 16].into(), alignment: None };
    /// editor.resize_resource("layer0.weight", content)?;
    /// editor.verify(false)?;
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    #[doc(hidden)]
    pub fn resize_resource(&mut self, key: impl AsRef<[u8]>, content: ResourceContent) -> Result<()> {
        self.put_resource(key.as_ref(), content, true)
    }

    fn put_resource(&mut self, key: &[u8], content: ResourceContent, resizes: bool) -> Result<()> {
        if let Some(added) = self.resources.external.first_mut(key) {
            check(&content, false)?;
            added.content = content;
            return Ok(());
        }
        if let Some(index) = self.new_key(key)? {
            check(&content, true)?;
            self.admit_size(index, &content, resizes)?;
            self.resources.dialect.insert(index, content);
            return Ok(());
        }
        let (row, is_external) = self.resource_row(key)?;
        self.put_resource_at(row, is_external, content, resizes)
    }

    fn put_resource_at(
        &mut self,
        row: usize,
        is_external: bool,
        content: ResourceContent,
        resizes: bool,
    ) -> Result<()> {
        check(&content, !is_external)?;
        if let Some(index) = self.key_of_row(row)? {
            self.admit_size(index, &content, resizes)?;
        }
        self.resources.replaced.insert(row, Some(content));
        Ok(())
    }

    /// Returns the number by which attributes refer to the resource at an index; `None` for an external one.
    pub(crate) fn key_of_row(&self, row: usize) -> Result<Option<u32>> {
        let externals = self.base.tables().resource_directory()?.externals;
        Ok(row.checked_sub(externals).and_then(|index| u32::try_from(index).ok()))
    }

    /// Replaces the content of the resource at an index of the file, for keys that are not unique.
    ///
    /// # Errors
    /// [`ErrorKind::Index`] for an index past the end, and as [`Self::set_resource`].
    #[doc(hidden)]
    pub fn set_resource_at(&mut self, index: usize, content: ResourceContent) -> Result<()> {
        let is_external = self.external_at(index)?;
        self.put_resource_at(index, is_external, content, false)
    }

    /// Replaces content as [`Self::set_resource_at`] does, but accepts any size, as [`Self::resize_resource`]
    /// does.
    ///
    /// # Errors
    /// As [`Self::set_resource_at`], except for the size.
    #[doc(hidden)]
    pub fn resize_resource_at(&mut self, index: usize, content: ResourceContent) -> Result<()> {
        let is_external = self.external_at(index)?;
        self.put_resource_at(index, is_external, content, true)
    }

    fn external_at(&self, index: usize) -> Result<bool> {
        match self.base.tables().resource(index)? {
            Some(resource) => Ok(resource.is_external()),
            None => Err(Error::message(
                ErrorKind::Index,
                format!("the module has no resource with index `{index}`"),
            )),
        }
    }

    /// Adds a resource.
    ///
    /// # Errors
    /// [`ErrorKind::Edit`] if the group already has a resource with this key; [`ErrorKind::Value`] for a
    /// dialect without a name, and as [`Self::set_resource`].
    ///
    /// ```
    /// use mlirbc::edit::{Editor, NewResource, ResourceContent, ResourceGroup};
    /// let mut editor = Editor::new(mlirbc::Module::from_bytes(mlirbc::doc_example())?)?;
    /// let content = ResourceContent::Blob { bytes: vec![1, 2].into(), alignment: Some(4) };
    /// editor.add_resource(NewResource { key: b"weights".to_vec(), group: ResourceGroup::builtin(), content })?;
    /// let mut bytes = Vec::new();
    /// editor.write(&mut bytes, &mlirbc::WriteOptions::default())?;
    /// assert_eq!(mlirbc::Module::from_bytes(bytes)?.resources()?.len(), 1);
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn add_resource(&mut self, new: NewResource) -> Result<()> {
        self.add(new, false)
    }

    /// Adds a resource as [`Self::add_resource`] does, whatever size the types require.
    pub(crate) fn add_unsized_resource(&mut self, new: NewResource) -> Result<()> {
        self.add(new, true)
    }

    fn add(&mut self, new: NewResource, resizes: bool) -> Result<()> {
        check(&new.content, matches!(new.group, ResourceGroup::Dialect(_)))?;
        let taken = || {
            let key = String::from_utf8_lossy(&new.key);
            Error::message(ErrorKind::Edit, format!("the module already has a resource with the key `{key}`"))
        };
        match &new.group {
            ResourceGroup::External(group) => {
                let rows = self.base.resources_named(&new.key)?;
                let rows = rows.filter(|row| row.is_external() && row.group() == &group[..]);
                let is_left = |row: usize| !matches!(self.resources.replaced.get(&row), Some(None));
                if rows.map(|row| row.index()).any(is_left) || self.resources.external.has(&new) {
                    return Err(taken());
                }
                self.resources.external.push(new);
            }
            ResourceGroup::Dialect(dialect) => {
                if dialect.is_empty() || dialect.contains(&b'.') || std::str::from_utf8(dialect).is_err() {
                    let dialect_text = String::from_utf8_lossy(dialect);
                    let message = format!("`{dialect_text}` is not the name of a dialect");
                    return Err(Error::message(ErrorKind::Value, message));
                }
                let counts = self.tables.counts;
                match self.tables.find_key(dialect, &new.key)?.filter(|&index| index < counts.keys) {
                    Some(index) => {
                        let row = self.base.tables().resource_directory()?.externals + index as usize;
                        let has_data = self.base.tables().resource(row)?.is_some_and(|row| row.has_data());
                        if match self.resources.replaced.get(&row) {
                            Some(edited) => edited.is_some(),
                            None => has_data,
                        } {
                            return Err(taken());
                        }
                        self.put_resource_at(row, false, new.content, resizes)?;
                    }
                    None => {
                        let index = self.tables.key(dialect, &new.key)?;
                        let is_imported = self.tables.imported_blob(index)?.is_some();
                        if is_imported || self.resources.dialect.contains_key(&index) {
                            return Err(taken());
                        }
                        self.admit_size(index, &new.content, resizes)?;
                        self.resources.dialect.insert(index, new.content);
                    }
                }
            }
        }
        Ok(())
    }

    /// Removes the resource with a key. A dialect resource keeps its key, without data, because attributes
    /// refer to it by number.
    ///
    /// # Errors
    /// [`ErrorKind::Edit`] if not exactly one resource has the key.
    pub fn remove_resource(&mut self, key: impl AsRef<[u8]>) -> Result<()> {
        let key = key.as_ref();
        if self.resources.external.remove_first(key).is_some() {
            return Ok(());
        }
        if let Some(index) = self.new_key(key)? {
            self.tables.edited_key(index);
            self.resources.dialect.remove(&index);
            return Ok(());
        }
        let (row, _) = self.resource_row(key)?;
        if let Some(index) = self.key_of_row(row)? {
            self.tables.edited_key(index);
        }
        self.resources.replaced.insert(row, None);
        Ok(())
    }

    // Returns the number of an added key; the file may have the same key in another dialect.
    fn new_key(&mut self, key: &[u8]) -> Result<Option<u32>> {
        match *self.tables.new_keys(key)? {
            [] => Ok(None),
            [only] if self.base.resources_named(key)?.all(|row| row.is_external()) => Ok(Some(only)),
            ref found => {
                let rows = self.base.resources_named(key)?.filter(|row| !row.is_external()).count();
                Err(ambiguous(key, found.len() + rows))
            }
        }
    }

    // Returns the single remaining row of the file with a key.
    fn resource_row(&self, key: &[u8]) -> Result<(usize, bool)> {
        let rows: Vec<_> = self
            .base
            .resources_named(key)?
            .filter(|row| {
                !(row.is_external() && matches!(self.resources.replaced.get(&row.index()), Some(None)))
            })
            .map(|row| (row.index(), row.is_external()))
            .collect();
        match rows[..] {
            [only] => Ok(only),
            _ => Err(ambiguous(key, rows.len())),
        }
    }

    /// Returns the new content of a resource of the file, if it was edited.
    pub(crate) fn edited_resource(&self, row: usize) -> Option<&Option<ResourceContent>> {
        self.resources.replaced.get(&row)
    }
}

impl ResourceContent {
    pub(crate) fn kind(&self) -> ResourceKind {
        match self {
            Self::Blob { .. } | Self::File { .. } => ResourceKind::Blob,
            Self::Bool(_) => ResourceKind::Bool,
            Self::String(_) => ResourceKind::String,
        }
    }
}

fn ambiguous(key: &[u8], count: usize) -> Error {
    let key = String::from_utf8_lossy(key);
    let message = match count {
        0 => format!("the module has no resource with the key `{key}`"),
        count => format!("the module has `{count}` resources with the key `{key}`"),
    };
    Error::message(ErrorKind::Edit, message)
}

fn check(content: &ResourceContent, is_dialect: bool) -> Result<()> {
    if is_dialect && content.kind() != ResourceKind::Blob {
        let message = format!("a resource of a dialect is a blob, not a {}", content.kind().name());
        return Err(Error::message(ErrorKind::Value, message));
    }
    let (ResourceContent::Blob { alignment, .. } | ResourceContent::File { alignment, .. }) = content else {
        return Ok(());
    };
    if let Some(alignment) = alignment
        && (!alignment.is_power_of_two() || *alignment > 1 << 31)
    {
        let message = format!("an alignment is a power of two below 2^32, not `{alignment}`");
        return Err(Error::message(ErrorKind::Value, message));
    }
    if let ResourceContent::File { path, range, .. } = content {
        let failed = |error| Error::io(format!("cannot read `{}`", path.display()), error);
        // Reports early if the file cannot be read.
        let size = open_regular(path).map_err(failed)?.1.len();
        if let Some(range) = range
            && (range.start > range.end || range.end > size)
        {
            let (path, start, end) = (path.display(), range.start, range.end);
            let message =
                format!("bytes `{start}` to `{end}` are not a range of `{path}`, which has `{size}` bytes");
            return Err(Error::message(ErrorKind::Value, message));
        }
    }
    Ok(())
}
