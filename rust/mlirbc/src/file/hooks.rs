//! The interface of hooks that decode attributes, types and properties, and a cache of their results.
//!
//! A hook runs when a value is requested, not while a table is decoded, and not under a lock. Its result is a
//! dialect table for that value.

use std::any::Any;
use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use crate::dialect::DialectTable;
use crate::dialect::entries::EntryRef;
use crate::dialect::node::Node;
use crate::dialect::primitive;
use crate::format::id::{AttrId, OpNameId, PropertyId, TypeId};
use crate::wire::error::{Error, ErrorKind, Result};
use crate::wire::steps;

use super::{FileTables, is_transient};

/// The hooks of some dialects.
pub(crate) trait ValueHooks: Any + Send + Sync {
    /// Whether a hook decodes attributes and types of a dialect.
    fn reads_entries(&self, dialect: &[u8]) -> bool;
    /// Whether a hook decodes the properties of the operations of a dialect.
    fn reads_properties(&self, dialect: &[u8]) -> bool;
    /// Decodes an attribute or a type.
    ///
    /// # Errors
    /// Only errors that are not about the entry, such as a request to stop.
    fn read_entry(&self, file: &FileTables, of: EntryRef) -> Result<HookResult>;
    /// Decodes a property blob of an operation.
    ///
    /// # Errors
    /// As [`Self::read_entry`].
    fn read_properties(&self, file: &FileTables, name: OpNameId, blob: PropertyId) -> Result<HookResult>;
}

/// The result of a hook for one value.
#[derive(Debug, Clone)]
pub(crate) enum HookResult {
    /// The table for this value.
    Table(Arc<DialectTable>),
    /// The hook leaves the value to the table of the dialect, if there is one.
    Declined,
    /// The reason why the value is opaque.
    Opaque(Error),
}

/// The hooks that are attached when a file is opened, see [`BytecodeDialectInterface`].
///
/// [`BytecodeDialectInterface`]: crate::attr::hooks::BytecodeDialectInterface
#[derive(Clone, Default)]
pub struct DialectInterfaces(pub(crate) Option<Arc<dyn ValueHooks>>);

impl fmt::Debug for DialectInterfaces {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() { "DialectInterfaces(..)" } else { "DialectInterfaces(none)" })
    }
}

/// The results of the code for a file so far.
#[derive(Default)]
pub(crate) struct HookResults {
    interfaces: DialectInterfaces,
    /// A result for each attribute and each type.
    entries: OnceLock<Box<[EntryResult]>>,
    /// Results by operation name and file offset of the blob.
    properties: Mutex<HashMap<(u32, u64), HookResult>>,
    /// Tables of values by their content; values of one shape share a table.
    tables: Mutex<HashMap<Box<str>, Arc<DialectTable>>>,
    /// The versions that hooks read, by dialect.
    versions: Mutex<HashMap<Box<str>, Arc<dyn Any + Send + Sync>>>,
    all_entries: AtomicBool,
    all_properties: AtomicBool,
}

#[derive(Debug, Default)]
pub(crate) struct EntryResult {
    found: OnceLock<HookResult>,
    /// Whether the code ran for all entries to which this entry refers.
    is_closed: AtomicBool,
}

impl HookResults {
    pub(crate) fn new(interfaces: &DialectInterfaces) -> Self {
        Self { interfaces: interfaces.clone(), ..Self::default() }
    }

    pub(crate) fn interfaces(&self) -> &DialectInterfaces {
        &self.interfaces
    }
}

/// The results for the entries of a file.
#[derive(Debug, Clone, Copy)]
pub(crate) struct EntryResults<'m> {
    rows: &'m [EntryResult],
    attributes: usize,
}

impl<'m> EntryResults<'m> {
    pub(crate) fn get(&self, of: EntryRef) -> Option<&'m HookResult> {
        self.row(of)?.found.get()
    }

    fn row(&self, of: EntryRef) -> Option<&'m EntryResult> {
        match of {
            EntryRef::Attribute(index) => self.rows.get(..self.attributes)?.get(index.index()),
            EntryRef::Type(index) => self.rows.get(self.attributes + index.index()),
        }
    }
}

/// The most values that code decodes within each other: the code of a value requests the fields of the next
/// value.
const MAX_NESTING: usize = 64;

thread_local! {
    /// The values that this thread decodes, the innermost last: a file and an entry, or `None` for
    /// properties.
    static ACTIVE: RefCell<Vec<(usize, Option<EntryRef>)>> = const { RefCell::new(Vec::new()) };
}

thread_local! {
    /// The error of values that were nested too deeply, for all values around them: code may ignore the
    /// error, and its result then depends on the value that was requested first.
    static TOO_DEEP: RefCell<Option<Error>> = const { RefCell::new(None) };
}

/// Removes the innermost value when its code ends, also by a panic.
struct Active;

/// Runs the code of a value; an error of nesting is the result of the outermost value only.
fn run(place: (usize, Option<EntryRef>), code: impl FnOnce() -> Result<HookResult>) -> Result<HookResult> {
    let result = {
        let _active = Active::enter(place)?;
        code()
    };
    let is_outermost = ACTIVE.with_borrow(Vec::is_empty);
    match TOO_DEEP.with_borrow(Clone::clone) {
        None => result,
        Some(error) if is_outermost => {
            TOO_DEEP.take();
            result.map(|_| HookResult::Opaque(error))
        }
        Some(error) => Err(error),
    }
}

impl Active {
    fn enter(place: (usize, Option<EntryRef>)) -> Result<Self> {
        let entered = ACTIVE.with_borrow_mut(|active| {
            if place.1.is_some() && active.contains(&place) {
                let message = "the hook asks for the fields of the value that it reads";
                return Err(Error::message(ErrorKind::HookLimit, message));
            }
            if active.len() >= MAX_NESTING {
                let message = format!("hooks of dialects are nested more than {MAX_NESTING} deep");
                return Err(Error::message(ErrorKind::HookLimit, message));
            }
            active.push(place);
            Ok(Self)
        });
        if let Err(error) = &entered {
            TOO_DEEP.set(Some(error.clone()));
        }
        entered
    }
}

impl Drop for Active {
    fn drop(&mut self) {
        ACTIVE.with_borrow_mut(Vec::pop);
    }
}

impl FileTables {
    fn hooks(&self) -> Option<&Arc<dyn ValueHooks>> {
        self.0.hooks.interfaces.0.as_ref()
    }

    /// The interfaces with which the file was opened.
    pub(crate) fn interfaces(&self) -> &DialectInterfaces {
        &self.0.hooks.interfaces
    }

    /// The results of hooks, if there are any hooks.
    pub(crate) fn entry_results(&self) -> Result<Option<EntryResults<'_>>> {
        if self.hooks().is_none() {
            return Ok(None);
        }
        let counts = self.entry_table()?.table.counts();
        let (attributes, types) = (counts.attributes as usize, counts.types as usize);
        let rows = match self.0.hooks.entries.get() {
            Some(rows) => rows,
            None => {
                self.budget().spend((attributes + types) * size_of::<EntryResult>())?;
                let rows = || (0..attributes + types).map(|_| EntryResult::default()).collect();
                self.0.hooks.entries.get_or_init(rows)
            }
        };
        Ok(Some(EntryResults { rows, attributes }))
    }

    /// Whether hooks decode entries of a dialect.
    pub(crate) fn has_entry_hooks(&self, dialect: &[u8]) -> bool {
        self.hooks().is_some_and(|hooks| hooks.reads_entries(dialect))
    }

    /// Whether hooks decode properties of a dialect.
    pub(crate) fn has_property_hooks(&self, dialect: &[u8]) -> bool {
        self.hooks().is_some_and(|hooks| hooks.reads_properties(dialect))
    }

    /// Runs the code of the dialect of an entry, once.
    ///
    /// # Errors
    /// If a table of the file is malformed, the caller requested to stop, or hooks are nested too deeply.
    pub(crate) fn settle(&self, of: EntryRef) -> Result<()> {
        let (Some(hooks), Some(results)) = (self.hooks(), self.entry_results()?) else { return Ok(()) };
        let Some(row) = results.row(of).filter(|row| row.found.get().is_none()) else { return Ok(()) };
        let Some(entry) = self.entries()?.raw(of) else { return Ok(()) };
        if entry.is_text || !hooks.reads_entries(entry.dialect) {
            return Ok(());
        }
        let result = run((self.address(), Some(of)), || hooks.read_entry(self, of));
        let result = match self.unless_lost(result)? {
            HookResult::Opaque(error) if is_transient(&error) => return Err(error),
            result => result,
        };
        // Another thread may have been first; both ran the same code on the same bytes.
        drop(row.found.set(result));
        Ok(())
    }

    /// Runs the code for an entry and everything that it refers to.
    ///
    /// # Errors
    /// As [`Self::settle`].
    pub(crate) fn settle_deeply(&self, root: EntryRef) -> Result<()> {
        let Some(results) = self.entry_results()? else { return Ok(()) };
        let is_closed = |of| results.row(of).is_none_or(|row| row.is_closed.load(Ordering::Relaxed));
        if is_closed(root) {
            return Ok(());
        }
        let entries = self.entries()?;
        let (mut seen, mut stack) = (HashSet::from([root]), vec![root]);
        let mut node = Node::default();
        while let Some(of) = stack.pop() {
            steps::count(1);
            self.settle(of)?;
            let Some(entry) = entries.raw(of) else { continue };
            let Ok(Some((form, layout))) = entry.decode(of, &entries, &mut node) else { continue };
            let Some(layout) = form.layouts.get(layout) else { continue };
            primitive::references(layout, &node, |to, _, _| {
                if !is_closed(to) && seen.insert(to) {
                    stack.push(to);
                }
            });
        }
        for row in seen.into_iter().filter_map(|of| results.row(of)) {
            row.is_closed.store(true, Ordering::Relaxed);
        }
        Ok(())
    }

    /// Runs the code for all entries.
    ///
    /// # Errors
    /// As [`Self::settle`].
    pub(crate) fn settle_entries(&self) -> Result<()> {
        let Some(results) = self.entry_results()? else { return Ok(()) };
        if self.0.hooks.all_entries.load(Ordering::Relaxed) {
            return Ok(());
        }
        let types = results.rows.len() - results.attributes;
        let attributes = AttrId::rows(0..results.attributes as u32).map(EntryRef::Attribute);
        for (number, of) in attributes.chain(TypeId::rows(0..types as u32).map(EntryRef::Type)).enumerate() {
            if number % 256 == 0 {
                self.check_interrupt()?;
            }
            self.settle(of)?;
        }
        self.0.hooks.all_entries.store(true, Ordering::Relaxed);
        Ok(())
    }

    /// Returns the result of the code for properties; `None` if the code did not run.
    pub(crate) fn properties_result(&self, name: OpNameId, offset: u64) -> Option<HookResult> {
        let properties = self.0.hooks.properties.lock().unwrap_or_else(PoisonError::into_inner);
        properties.get(&(name.number(), offset)).cloned()
    }

    /// Runs the code for the properties of an operation, once.
    ///
    /// # Errors
    /// As [`Self::settle`].
    pub(crate) fn settle_properties(&self, name: OpNameId, blob: PropertyId, offset: u64) -> Result<()> {
        let Some(hooks) = self.hooks() else { return Ok(()) };
        let Some(full) = self.op_name(name) else { return Ok(()) };
        if !hooks.reads_properties(full.dialect) || self.properties_result(name, offset).is_some() {
            return Ok(());
        }
        let result = run((self.address(), None), || hooks.read_properties(self, name, blob));
        let result = match self.unless_lost(result)? {
            HookResult::Opaque(error) if is_transient(&error) => return Err(error),
            result => result,
        };
        self.budget().spend(4 * size_of::<((u32, u64), HookResult)>())?;
        let mut properties = self.0.hooks.properties.lock().unwrap_or_else(PoisonError::into_inner);
        properties.entry((name.number(), offset)).or_insert(result);
        Ok(())
    }

    /// Whether the code ran for all properties; set after the run.
    pub(crate) fn all_properties_settled(&self) -> &AtomicBool {
        &self.0.hooks.all_properties
    }

    /// The version that a hook read before.
    pub(crate) fn known_version(&self, dialect: &str) -> Option<Arc<dyn Any + Send + Sync>> {
        let versions = self.0.hooks.versions.lock().unwrap_or_else(PoisonError::into_inner);
        versions.get(dialect).cloned()
    }

    /// Keeps the version that a hook read.
    pub(crate) fn keep_version(&self, dialect: &str, version: Arc<dyn Any + Send + Sync>) {
        let mut versions = self.0.hooks.versions.lock().unwrap_or_else(PoisonError::into_inner);
        versions.insert(dialect.into(), version);
    }

    /// Returns the table with this content, which is stored once for each file.
    ///
    /// # Errors
    /// If the memory limit does not allow it.
    pub(crate) fn shared_table(
        &self,
        content: String,
        make: impl FnOnce() -> Arc<DialectTable>,
    ) -> Result<Arc<DialectTable>> {
        let mut tables = self.0.hooks.tables.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = tables.get(&*content) {
            return Ok(known.clone());
        }
        self.budget().spend(size_of::<DialectTable>() + 2 * content.len())?;
        let table = make();
        tables.insert(content.into(), table.clone());
        Ok(table)
    }
}
