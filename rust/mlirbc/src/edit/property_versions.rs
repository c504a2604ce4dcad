//! Properties that a dialect declares or reads by code, encoded again for another version of the dialect.
//!
//! Owns the choice of the operations that are concerned. Values are read by name in the encoding that they have,
//! and written by name in the encoding of the new version. Bytes that were set in the session without names
//! are assumed to be made for the new version.

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use crate::attr::hooks::{
    BytecodeDialectInterface, DialectValue, WrittenProperties, WrittenVersions, try_made,
};
use crate::attr::table::Home;
use crate::attr::{FieldValue, Handle};
use crate::dialect::declared::{Declared, in_layout};
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
use super::arena::NONE;
use super::tables::known_form;

/// Properties that were written by name, with the version of the dialect that they were written for.
#[derive(Debug, Clone)]
pub(crate) struct WrittenBlob {
    pub(crate) properties: WrittenProperties,
    pub(crate) version: Option<Bytes>,
}

/// An operation name and a property blob.
type NamedBlob = (u32, u32);

/// Whether the code of dialects runs when a version changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum HookUse {
    Run,
    /// What hooks read does not depend on the version.
    Keep,
    /// What hooks read is of unknown layout.
    Refuse,
}

/// The new properties of operations, and operations whose properties could not be encoded again.
#[derive(Debug, Default)]
pub(super) struct PropertiesAgain {
    pub(super) new: Vec<(u32, WrittenProperties)>,
    /// Written for an earlier version, with the same bytes in the new one.
    kept: Vec<NamedBlob>,
    /// The first operation with each name, and how many there are.
    pub(super) opaque: BTreeMap<u32, (u32, u64)>,
}

/// The state of the properties of an operation for a new version.
#[derive(Debug, Clone)]
enum Again {
    Kept,
    New(WrittenProperties),
    Opaque,
}

/// The version that a dialect is to have, and how its properties are written for it.
struct Change<'c> {
    dialect: &'c [u8],
    version: Option<&'c [u8]>,
    table: Option<Arc<DialectTable>>,
    interface: Option<Arc<dyn BytecodeDialectInterface>>,
    versions: WrittenVersions,
    hooks: HookUse,
}

impl Editor {
    /// The properties of all operations of a dialect, as they are written for a version. Nothing is changed.
    ///
    /// # Errors
    /// Those of the hooks; [`ErrorKind::Unsupported`](crate::ErrorKind::Unsupported) if the new encoding lacks a
    /// property; and if the IR or a table cannot be read.
    pub(super) fn properties_again(
        &mut self,
        dialect: &[u8],
        version: Option<&[u8]>,
        hooks: HookUse,
    ) -> Result<PropertiesAgain> {
        let mut again = PropertiesAgain::default();
        if !self.base.bytecode().version().has_native_properties() {
            return Ok(again);
        }
        let names = self.names_of_unknown_layout(dialect)?;
        if names.is_empty() {
            return Ok(again);
        }
        if names.iter().any(|&name| name < self.tables.counts.op_names) {
            self.load_everything()?;
        }
        let change = Change {
            dialect,
            version,
            table: self.tables.table_for(dialect, version)?,
            interface: std::str::from_utf8(dialect)
                .ok()
                .and_then(|name| self.base.find_interface(name).cloned()),
            versions: self.written_versions_with(Some((dialect, version)))?,
            hooks,
        };
        let mut known: HashMap<NamedBlob, Again> = HashMap::new();
        for op in 1..self.arena.ops.len() as u32 {
            let row = self.arena.op(op);
            let key = (row.name, row.properties);
            if key.1 == NONE || !names.contains(&key.0) {
                continue;
            }
            let state = match known.entry(key) {
                Entry::Occupied(state) => state.get().clone(),
                Entry::Vacant(place) => {
                    self.base.check_interrupt()?;
                    place.insert(self.again(key, &change)?).clone()
                }
            };
            match state {
                Again::Kept => again.kept.push(key),
                Again::New(properties) => again.new.push((op, properties)),
                Again::Opaque => again.opaque.entry(key.0).or_insert((op, 0)).1 += 1,
            }
        }
        Ok(again)
    }

    /// Gives the operations the properties that were encoded again for a version.
    ///
    /// # Errors
    /// If the memory limit does not allow it.
    pub(super) fn put_properties(&mut self, again: PropertiesAgain, version: Option<&[u8]>) -> Result<()> {
        let version = version.map(Bytes::copy_from_slice);
        for key in again.kept {
            if let Some(written) = self.tables.written.get_mut(&key) {
                written.version.clone_from(&version);
            }
        }
        for (op, properties) in again.new {
            let bytes = self.tables.import_properties(&properties)?;
            let name = self.arena.op(op).name;
            let written = WrittenBlob { properties, version: version.clone() };
            let blob = self.tables.written_blob(name, bytes, written)?;
            self.arena.op_mut(op).properties = blob;
            self.arena.touch(op);
        }
        Ok(())
    }

    /// Whether properties that were written for another version have the encoding of this one.
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
        let wanted = table.as_ref().and_then(|table| table.ops.find(stem));
        Ok(form.value.is_none() && wanted.is_some_and(|wanted| wanted.layouts.contains(&layout)))
    }

    // The names of the registered operations of a dialect that the release does not describe.
    fn names_of_unknown_layout(&self, dialect: &[u8]) -> Result<HashSet<u32>> {
        let release = self.base.release()?;
        let count = self.tables.counts.op_names + self.tables.op_names.len() as u32;
        let mut names = HashSet::new();
        for name in 0..count {
            let is_own = match self.base.op_name(OpNameId(name)) {
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

    fn again(&mut self, key: NamedBlob, change: &Change<'_>) -> Result<Again> {
        if let Some(written) = self.tables.written.get(&key).cloned() {
            if written.version.as_deref() == change.version {
                return Ok(Again::Kept);
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
                None => self.again_by_table(key, change, (&form, &layout, &node), || old.fields(), &old.home),
            };
        }
        let counts = self.tables.counts;
        if key.0 >= counts.op_names || key.1 >= counts.blobs {
            return Ok(Again::Kept);
        }
        self.again_of_file(key, change)
    }

    // Properties of the file.
    fn again_of_file(&mut self, key: NamedBlob, change: &Change<'_>) -> Result<Again> {
        let base = self.base.clone();
        let bytes = self.tables.blob_bytes(key.1)?;
        let name = self.tables.op_name_bytes(key.0);
        let Some((_, stem)) = halves(&name) else { return Ok(Again::Opaque) };
        let entries = base.entries()?;
        let home = Home::File(base.tables().clone());
        let read = match base.blob_result(OpNameId(key.0), PropertyId(key.1))? {
            Some(HookResult::Opaque(_)) => return Ok(Again::Opaque),
            Some(HookResult::Table(table)) => Declared::read(&table, b"", &bytes, 0, &entries),
            Some(HookResult::Declined) | None => match base.codec(change.dialect) {
                Some(table) => Declared::read(&table, stem, &bytes, 0, &entries),
                None => Ok(None),
            },
        };
        // Bytes that the declared encoding does not fit are opaque.
        let Some(declared) = read.ok().flatten().filter(|declared| !declared.is_opaque()) else {
            return Ok(Again::Opaque);
        };
        let fields = || DeclaredProperties(Box::new(declared.clone())).fields(&base);
        let Some((form, layout)) = declared.form() else { return Ok(Again::Opaque) };
        match form.value {
            Some(_) => self.again_by_hook(key, change, fields, &home, &declared.node, layout),
            None => self.again_by_table(key, change, (form, layout, &declared.node), fields, &home),
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
    ) -> Result<Again> {
        match change.hooks {
            HookUse::Run => {}
            HookUse::Keep => return Ok(Again::Kept),
            HookUse::Refuse => return Ok(Again::Opaque),
        }
        let Some(interface) = &change.interface else { return Ok(Again::Opaque) };
        let name = self.tables.op_name_bytes(key.0);
        let name = String::from_utf8_lossy(&name);
        let value = DialectValue { mnemonic: name.to_string(), fields: fields()?, ..DialectValue::default() };
        let made = try_made(&**interface, ValueSort::Properties, (&name, &value), &change.versions)?;
        let Some(made) = made else { return Ok(Again::Opaque) };
        self.keep_properties(home, (layout, node), &made)?;
        Ok(Again::New(WrittenProperties(made)))
    }

    fn again_by_table(
        &mut self,
        key: NamedBlob,
        change: &Change<'_>,
        (form, layout, node): (&Encoding, &Layout, &Node),
        fields: impl FnOnce() -> Result<Vec<(String, FieldValue)>>,
        home: &Home,
    ) -> Result<Again> {
        let name = self.tables.op_name_bytes(key.0);
        let Some((_, stem)) = halves(&name) else { return Ok(Again::Opaque) };
        let wanted = change.table.as_ref().and_then(|table| Some((table, table.ops.find(stem)?)));
        let Some((table, wanted)) = wanted else { return Ok(Again::Opaque) };
        let Some(first) = wanted.layouts.first() else { return Ok(Again::Opaque) };
        if wanted.layouts.contains(layout) {
            return Ok(Again::Kept);
        }
        // Names the property that the new encoding lacks.
        let mut named = form.clone();
        named.name = String::from_utf8_lossy(&name).into();
        in_layout(&named, layout, first, node)?;
        let fields = fields()?;
        let fields: Vec<_> = fields.iter().map(|(name, value)| (&**name, value.clone())).collect();
        let stem = String::from_utf8_lossy(stem);
        let made = table.properties(&stem, &fields)?;
        self.keep_properties(home, (layout, node), &made.0)?;
        Ok(Again::New(made))
    }

    // What new properties refer to is what the old ones refer to.
    fn keep_properties(
        &mut self,
        home: &Home,
        (layout, node): (&Layout, &Node),
        made: &Handle,
    ) -> Result<()> {
        let mut old = Vec::new();
        primitive::references(layout, node, |to, _, _| old.push(to));
        self.keep_references(home, &old, made)
    }
}

/// The encoding of properties that were written, and their fields.
fn form_of(properties: &WrittenProperties, node: &mut Node) -> Result<(Encoding, Layout)> {
    let Handle { home, of } = &properties.0;
    let view = home.view()?;
    let entry = view.raw(*of).ok_or_else(|| super::tables::no_such_entry(*of))?;
    let (form, layout) = known_form(&entry, *of, &view, node)?;
    Ok((form.clone(), layout.clone()))
}

/// The dialect of an operation name, and the rest.
fn halves(name: &[u8]) -> Option<(&[u8], &[u8])> {
    let at = name.iter().position(|&byte| byte == b'.')?;
    Some((name.get(..at)?, name.get(at + 1..)?))
}
