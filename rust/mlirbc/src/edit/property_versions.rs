//! Properties that a dialect declares or reads by code, re-encoded for another version of the dialect.
//!
//! Owns the choice of the affected operations. Values are read by name in their current encoding, and written
//! by name in the encoding of the new version. Bytes that were set in the session without names are assumed
//! to be encoded for the new version.

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use crate::attr::hooks::{
    BytecodeDialectInterface, DialectValue, WrittenProperties, WrittenVersions, try_build_with_hook,
};
use crate::attr::table::Home;
use crate::attr::{FieldValue, Handle};
use crate::dialect::declarations::{Declared, in_layout};
use crate::dialect::node::Node;
use crate::dialect::primitive;
use crate::dialect::table::{DialectTable, Encoding, Layout};
use crate::dialect::value_form::ValueSort;
use crate::file::hooks::HookResult;
use crate::format::id::{OpNameId, PropertyId};
use crate::ir::module::DeclaredProperties;
use crate::wire::bytes::Bytes;
use crate::wire::error::Result;

use super::Editor;
use super::arena::{ArenaOp, EditBlob, EditName};
use super::tables::known_form;

/// Properties that were written by name, with the version of the dialect that they were written for.
#[derive(Debug, Clone)]
pub(crate) struct WrittenBlob {
    pub(crate) properties: WrittenProperties,
    pub(crate) version: Option<Bytes>,
}

/// An operation name and a property blob.
type NamedBlob = (EditName, EditBlob);

/// Whether the code of dialects runs when a version changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum HookUse {
    Run,
    /// Keep properties that hooks read: they do not depend on the version.
    Keep,
    /// Treat properties that hooks read as properties of unknown layout.
    Refuse,
}

/// The new properties of operations, and the operations whose properties could not be re-encoded.
#[derive(Debug, Default)]
pub(super) struct ReencodedProperties {
    pub(super) new: Vec<(ArenaOp, WrittenProperties)>,
    /// Properties written for an earlier version that have the same bytes in the new one.
    unchanged: Vec<NamedBlob>,
    /// The first operation with each name, and the number of such operations.
    pub(super) opaque: BTreeMap<EditName, (ArenaOp, u64)>,
}

/// The state of the properties of an operation for a new version.
#[derive(Debug, Clone)]
enum Reencoding {
    Kept,
    New(WrittenProperties),
    Opaque,
}

/// The target version of a dialect, and the encodings of its properties.
struct Change<'c> {
    dialect: &'c [u8],
    version: Option<&'c [u8]>,
    table: Option<Arc<DialectTable>>,
    interface: Option<Arc<dyn BytecodeDialectInterface>>,
    versions: WrittenVersions,
    hooks: HookUse,
}

impl Editor {
    /// Returns the properties of all operations of a dialect, encoded for a version. The module is unchanged.
    ///
    /// # Errors
    /// Errors of the hooks; [`ErrorKind::Unsupported`](crate::ErrorKind::Unsupported) if the new encoding
    /// lacks a property; and if the IR or a table cannot be read.
    pub(super) fn reencoded_properties(
        &mut self,
        dialect: &[u8],
        version: Option<&[u8]>,
        hooks: HookUse,
    ) -> Result<ReencodedProperties> {
        let mut reencoded = ReencodedProperties::default();
        if !self.base.tables().bytecode().version().has_native_properties() {
            return Ok(reencoded);
        }
        let names = self.names_of_unknown_layout(dialect)?;
        if names.is_empty() {
            return Ok(reencoded);
        }
        if names.iter().any(|&name| name.number() < self.tables.counts.op_names) {
            self.load_everything()?;
        }
        let change = Change {
            dialect,
            version,
            table: self.tables.table_for(dialect, version)?,
            interface: std::str::from_utf8(dialect)
                .ok()
                .and_then(|name| self.base.tables().find_interface(name).cloned()),
            versions: self.written_versions_with(Some((dialect, version)))?,
            hooks,
        };
        let mut states: HashMap<NamedBlob, Reencoding> = HashMap::new();
        for op in (1..self.arena.ops.len() as u32).map(ArenaOp::new) {
            let row = self.arena.op(op);
            let (Some(name), Some(properties)) = (row.name, row.properties) else { continue };
            let key = (name, properties);
            if !names.contains(&name) {
                continue;
            }
            let state = match states.entry(key) {
                Entry::Occupied(state) => state.get().clone(),
                Entry::Vacant(place) => {
                    self.base.tables().check_interrupt()?;
                    place.insert(self.reencoded(key, &change)?).clone()
                }
            };
            match state {
                Reencoding::Kept => reencoded.unchanged.push(key),
                Reencoding::New(properties) => reencoded.new.push((op, properties)),
                Reencoding::Opaque => reencoded.opaque.entry(key.0).or_insert((op, 0)).1 += 1,
            }
        }
        Ok(reencoded)
    }

    /// Replaces the properties of operations by the re-encoded ones.
    ///
    /// # Errors
    /// If the memory limit does not allow it.
    pub(super) fn put_properties(
        &mut self,
        reencoded: ReencodedProperties,
        version: Option<&[u8]>,
    ) -> Result<()> {
        let version = version.map(Bytes::copy_from_slice);
        for key in reencoded.unchanged {
            if let Some(written) = self.tables.written.get_mut(&key) {
                written.version.clone_from(&version);
            }
        }
        for (op, properties) in reencoded.new {
            let bytes = self.tables.import_properties(&properties)?;
            let name = self.arena.op(op).name();
            let written = WrittenBlob { properties, version: version.clone() };
            let blob = self.tables.written_blob(name, bytes, written)?;
            self.arena.op_mut(op).properties = Some(blob);
            self.arena.touch(op);
        }
        Ok(())
    }

    /// Returns whether properties that were written for another version have the encoding of this one.
    ///
    /// # Errors
    /// If a table is malformed.
    pub(super) fn fits_version(
        &self,
        name: &[u8],
        written: &WrittenBlob,
        version: Option<&[u8]>,
    ) -> Result<bool> {
        let Some((dialect, stem)) = halves(name) else { return Ok(false) };
        let (form, layout) = form_of(&written.properties, &mut Node::default())?;
        let table = self.tables.table_for(dialect, version)?;
        let encoding = table.as_ref().and_then(|table| table.ops.find(stem));
        Ok(form.value.is_none() && encoding.is_some_and(|encoding| encoding.layouts.contains(&layout)))
    }

    // Returns the names of the registered operations of a dialect that the release does not describe.
    fn names_of_unknown_layout(&self, dialect: &[u8]) -> Result<HashSet<EditName>> {
        let release = self.base.release()?;
        let mut names = HashSet::new();
        for name in self.tables.all_op_names() {
            let is_own = match self.base.op_name(OpNameId::new(name.number())) {
                Some(known) => known.dialect == dialect,
                None => halves(&self.tables.op_name_bytes(name)).is_some_and(|halves| halves.0 == dialect),
            };
            if !is_own || !self.tables.is_registered(name) {
                continue;
            }
            let schema = release.chosen(self.layout_choice(name)?);
            if schema.is_none_or(|schema| schema.is_opaque()) {
                names.insert(name);
            }
        }
        Ok(names)
    }

    fn reencoded(&mut self, key: NamedBlob, change: &Change<'_>) -> Result<Reencoding> {
        if let Some(written) = self.tables.written.get(&key).cloned() {
            if written.version.as_deref() == change.version {
                return Ok(Reencoding::Kept);
            }
            let mut node = Node::default();
            let (form, layout) = form_of(&written.properties, &mut node)?;
            let old = &written.properties.0;
            return match form.value {
                Some(_) => self.again_by_hook(
                    key,
                    change,
                    || written.properties.0.fields(),
                    &old.home,
                    &node,
                    &layout,
                ),
                None => {
                    self.reencode_by_table(key, change, (&form, &layout, &node), || old.fields(), &old.home)
                }
            };
        }
        let counts = self.tables.counts;
        if key.0.number() >= counts.op_names || key.1.number() >= counts.blobs {
            return Ok(Reencoding::Kept);
        }
        self.reencode_from_file(key, change)
    }

    // Properties of the file.
    fn reencode_from_file(&mut self, key: NamedBlob, change: &Change<'_>) -> Result<Reencoding> {
        let base = self.base.clone();
        let bytes = self.tables.blob_bytes(key.1)?;
        let name = self.tables.op_name_bytes(key.0);
        let Some((_, stem)) = halves(&name) else { return Ok(Reencoding::Opaque) };
        let entries = base.tables().entries()?;
        let home = Home::File(base.tables().clone());
        let read = match base.blob_result(OpNameId::new(key.0.number()), PropertyId::new(key.1.number()))? {
            Some(HookResult::Opaque(_)) => return Ok(Reencoding::Opaque),
            Some(HookResult::Table(table)) => Declared::read(&table, b"", &bytes, 0, &entries),
            Some(HookResult::Declined) | None => match base.tables().codec(change.dialect) {
                Some(table) => Declared::read(&table, stem, &bytes, 0, &entries),
                None => Ok(None),
            },
        };
        // Bytes that do not match the declared encoding are opaque.
        let Some(declared) = read.ok().flatten().filter(|declared| !declared.is_opaque()) else {
            return Ok(Reencoding::Opaque);
        };
        let fields = || DeclaredProperties(Box::new(declared.clone())).fields(&base);
        let Some((form, layout)) = declared.form() else { return Ok(Reencoding::Opaque) };
        match form.value {
            Some(_) => self.again_by_hook(key, change, fields, &home, &declared.node, layout),
            None => self.reencode_by_table(key, change, (form, layout, &declared.node), fields, &home),
        }
    }

    fn again_by_hook(
        &mut self,
        key: NamedBlob,
        change: &Change<'_>,
        fields: impl FnOnce() -> Result<Vec<(String, FieldValue)>>,
        home: &Home,
        node: &Node,
        layout: &Layout,
    ) -> Result<Reencoding> {
        match change.hooks {
            HookUse::Run => {}
            HookUse::Keep => return Ok(Reencoding::Kept),
            HookUse::Refuse => return Ok(Reencoding::Opaque),
        }
        let Some(interface) = &change.interface else { return Ok(Reencoding::Opaque) };
        let name = self.tables.op_name_bytes(key.0);
        let name = String::from_utf8_lossy(&name);
        let value = DialectValue { mnemonic: name.to_string(), fields: fields()?, ..DialectValue::default() };
        let written =
            try_build_with_hook(&**interface, ValueSort::Properties, (&name, &value), &change.versions)?;
        let Some(written) = written else { return Ok(Reencoding::Opaque) };
        self.keep_properties(home, (layout, node), &written)?;
        Ok(Reencoding::New(WrittenProperties(written)))
    }

    fn reencode_by_table(
        &mut self,
        key: NamedBlob,
        change: &Change<'_>,
        (form, layout, node): (&Encoding, &Layout, &Node),
        fields: impl FnOnce() -> Result<Vec<(String, FieldValue)>>,
        home: &Home,
    ) -> Result<Reencoding> {
        let name = self.tables.op_name_bytes(key.0);
        let Some((_, stem)) = halves(&name) else { return Ok(Reencoding::Opaque) };
        let encoding = change.table.as_ref().and_then(|table| Some((table, table.ops.find(stem)?)));
        let Some((table, encoding)) = encoding else { return Ok(Reencoding::Opaque) };
        let Some(first) = encoding.layouts.first() else { return Ok(Reencoding::Opaque) };
        if encoding.layouts.contains(layout) {
            return Ok(Reencoding::Kept);
        }
        // The error names the property that the new encoding lacks.
        let mut named = form.clone();
        named.name = String::from_utf8_lossy(&name).into();
        in_layout(&named, layout, first, node)?;
        let fields = fields()?;
        let fields: Vec<_> = fields.iter().map(|(name, value)| (&**name, value.clone())).collect();
        let stem = String::from_utf8_lossy(stem);
        let written = table.properties(&stem, &fields)?;
        self.keep_properties(home, (layout, node), &written.0)?;
        Ok(Reencoding::New(written))
    }

    // Lets new properties refer to the same entries as the old ones.
    fn keep_properties(
        &mut self,
        home: &Home,
        (layout, node): (&Layout, &Node),
        written: &Handle,
    ) -> Result<()> {
        let mut old = Vec::new();
        primitive::references(layout, node, |to, _, _| old.push(to));
        self.keep_references(home, &old, written)
    }
}

/// Returns the encoding of properties that were written, and their fields.
fn form_of(properties: &WrittenProperties, node: &mut Node) -> Result<(Encoding, Layout)> {
    let Handle { home, of } = &properties.0;
    let view = home.view()?;
    let entry = view.raw(*of).ok_or_else(|| super::tables::no_such_entry(*of))?;
    let (form, layout) = known_form(&entry, *of, &view, node)?;
    Ok((form.clone(), layout.clone()))
}

/// Splits an operation name into its dialect and the rest.
fn halves(name: &[u8]) -> Option<(&[u8], &[u8])> {
    let at = name.iter().position(|&byte| byte == b'.')?;
    Some((name.get(..at)?, name.get(at + 1..)?))
}
