//! Lookup of the table of a dialect: shipped tables, parsed on first use, and registered ones.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, LazyLock, OnceLock, PoisonError, RwLock};

use crate::release::{Llvm, waiting};
use crate::wire::order;
use crate::wire::order::sort_by;

use super::deviation::Deviation;
use super::table::DialectTable;

macro_rules! shipped {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_str!(concat!("../../data/dialects/", $name, ".toml")), {
            static CELL: OnceLock<Option<Arc<DialectTable>>> = OnceLock::new();
            &CELL
        })),*]
    };
}

type Shipped = (&'static str, &'static str, &'static OnceLock<Option<Arc<DialectTable>>>);

const SHIPPED: &[Shipped] = shipped![
    "builtin",
    "chlo",
    "func",
    "hal",
    "iree_codegen",
    "iree_cpu",
    "iree_encoding",
    "iree_map",
    "iree_vector_ext",
    "llvm",
    "mhlo",
    "ml_program",
    "quant",
    "sdy",
    "sparse_tensor",
    "stablehlo",
    "test",
    "tosa",
    "util",
    "vhlo",
];

static ADDED: LazyLock<RwLock<HashMap<Box<str>, Arc<DialectTable>>>> = LazyLock::new(RwLock::default);

/// A table of a dialect of a pack.
#[derive(Debug, Clone)]
struct TableOfPack {
    release: Arc<str>,
    table: Arc<DialectTable>,
}

/// The tables of packs, the last one last.
static OF_PACKS: RwLock<Vec<TableOfPack>> = RwLock::new(Vec::new());

/// Uses tables for files of a release of a pack, instead of the tables of another pack with this release.
/// Shipped and registered tables take precedence, because several projects may contain the same dialect.
pub(crate) fn register_tables_of_pack(release: &str, tables: Vec<Arc<DialectTable>>) {
    let release: Arc<str> = release.into();
    let mut of_packs = OF_PACKS.write().unwrap_or_else(PoisonError::into_inner);
    of_packs.retain(|pack_table| pack_table.release != release);
    of_packs.extend(tables.into_iter().map(|table| TableOfPack { release: release.clone(), table }));
}

/// Registers a table for all modules opened from now on, replacing a shipped one.
///
/// ```
/// mlirbc::dialect::register_dialect(mlirbc::dialect::DialectTable::from_toml("dialect = 'toy'")?);
/// assert!(mlirbc::dialect::registered_dialects().contains(&"toy".to_owned()));
/// # Ok::<(), mlirbc::Error>(())
/// ```
pub fn register_dialect(table: Arc<DialectTable>) {
    let mut added = ADDED.write().unwrap_or_else(PoisonError::into_inner);
    added.insert(table.dialect().into(), table);
}

/// Returns the registered or shipped table of a dialect; a shipped table has the layouts of the newest
/// release.
#[doc(hidden)]
pub fn find_dialect(name: &str) -> Option<Arc<DialectTable>> {
    waiting::load_for_dialect(name);
    Registry::snapshot(&[], &[]).find_newest(name.as_bytes())
}

/// The registered tables.
#[cfg(feature = "arbitrary")]
pub(crate) fn added() -> Vec<Arc<DialectTable>> {
    let added = ADDED.read().unwrap_or_else(PoisonError::into_inner);
    let mut tables: Vec<_> = added.values().cloned().collect();
    sort_by(&mut tables, |left, right| left.dialect().cmp(right.dialect()));
    tables
}

/// The names of all dialects with a table, sorted.
pub fn registered_dialects() -> Vec<String> {
    let added = ADDED.read().unwrap_or_else(PoisonError::into_inner);
    let mut names: Vec<String> = SHIPPED.iter().map(|row| row.0.to_owned()).collect();
    names.extend(added.keys().map(|name| name.to_string()));
    sort_by(&mut names, Ord::cmp);
    names.dedup();
    names
}

/// The tables of a module; later registrations do not change it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Registry {
    tables: HashMap<Box<str>, Arc<DialectTable>>,
    of_packs: Vec<TableOfPack>,
    /// Dialects that are treated as unknown.
    unknown: Vec<String>,
}

impl Registry {
    /// Collects the registered tables; tables of the caller replace tables for the same dialects. For dialects
    /// that are treated as unknown, the caller's tables alone apply; the builtin dialect is known anyway.
    pub(crate) fn snapshot(callers_tables: &[Arc<DialectTable>], unknown: &[String]) -> Self {
        let mut tables = ADDED.read().unwrap_or_else(PoisonError::into_inner).clone();
        let unknown: Vec<String> = unknown.iter().filter(|name| *name != "builtin").cloned().collect();
        tables.retain(|name, _| !unknown.iter().any(|unknown_name| **unknown_name == **name));
        tables.extend(callers_tables.iter().map(|table| (table.dialect().into(), table.clone())));
        let mut of_packs = OF_PACKS.read().unwrap_or_else(PoisonError::into_inner).clone();
        of_packs.reverse();
        Self { tables, of_packs, unknown }
    }

    /// Prefers the tables of a release of a pack.
    pub(crate) fn of_release(mut self, release: Option<&str>) -> Self {
        let Some(release) = release else { return self };
        let is_of_release = |pack_table: &TableOfPack| *pack_table.release == *release;
        if self.of_packs.iter().any(is_of_release) {
            order::sort_by_key(&mut self.of_packs, |pack_table| !is_of_release(pack_table));
        }
        self
    }

    fn of_pack(&self, name: &str) -> Option<Arc<DialectTable>> {
        let pack_table = self.of_packs.iter().find(|pack_table| pack_table.table.dialect() == name);
        pack_table.map(|pack_table| pack_table.table.clone())
    }

    /// The dialects with tables of packs; a dialect may occur several times.
    pub(crate) fn dialects_of_packs(&self) -> impl Iterator<Item = &str> {
        self.of_packs.iter().map(|pack_table| pack_table.table.dialect())
    }

    /// The table of a dialect.
    pub(crate) fn find(&self, dialect: &[u8]) -> Option<Arc<DialectTable>> {
        let name = std::str::from_utf8(dialect).ok()?;
        let registered = self.tables.get(name).cloned();
        let shipped_or_pack = || shipped(name).or_else(|| self.of_pack(name));
        registered.or_else(|| if self.is_unknown(dialect) { None } else { shipped_or_pack() })
    }

    /// Returns the table for values that belong to no file: a shipped table has the layouts of the newest
    /// release.
    pub(crate) fn find_newest(&self, dialect: &[u8]) -> Option<Arc<DialectTable>> {
        self.find_at(dialect, Llvm::NEWEST)
    }

    /// Returns the table for values of a release: a shipped table has the layouts of the release.
    pub(crate) fn find_at(&self, dialect: &[u8], release: Llvm) -> Option<Arc<DialectTable>> {
        let name = std::str::from_utf8(dialect).ok()?;
        let registered = self.tables.get(name).cloned();
        let shipped_or_pack = || shipped_at(name, release).or_else(|| self.of_pack(name));
        registered.or_else(|| if self.is_unknown(dialect) { None } else { shipped_or_pack() })
    }

    /// Whether the caller requested to treat a dialect as unknown.
    pub(crate) fn is_unknown(&self, dialect: &[u8]) -> bool {
        self.unknown.iter().any(|name| name.as_bytes() == dialect)
    }
}

/// The shipped table with this name.
pub(crate) fn shipped(name: &str) -> Option<Arc<DialectTable>> {
    let (_, text, cell) = SHIPPED.iter().find(|row| row.0 == name)?;
    cell.get_or_init(|| DialectTable::shipped(text)).clone()
}

/// The shipped table of a dialect, with the layouts of the newest release.
#[cfg(feature = "arbitrary")]
pub(crate) fn shipped_newest(name: &str) -> Option<Arc<DialectTable>> {
    shipped_at(name, Llvm::NEWEST)
}

/// Returns the shipped table of a dialect, with the layouts of a release. It is always the same table,
/// because tables are compared by their address.
fn shipped_at(name: &str, release: Llvm) -> Option<Arc<DialectTable>> {
    static OF_RELEASES: RwLock<BTreeMap<(Llvm, &str), Arc<DialectTable>>> = RwLock::new(BTreeMap::new());
    let table = shipped(name)?;
    if !table.has_releases() {
        return Some(table);
    }
    let cached = OF_RELEASES.read().unwrap_or_else(PoisonError::into_inner).get(&(release, name)).cloned();
    cached.or_else(|| {
        let (name, ..) = SHIPPED.iter().find(|row| row.0 == name)?;
        let target_table = Arc::new(table.for_target(release, !release.has_release()));
        let mut tables = OF_RELEASES.write().unwrap_or_else(PoisonError::into_inner);
        Some(tables.entry((release, name)).or_insert(target_table).clone())
    })
}

/// Returns a shipped table for files whose writer may have other encodings. A table with the layouts of all
/// releases is created once for each dialect.
pub(crate) fn with_deviation(table: Arc<DialectTable>, deviation: Deviation) -> Arc<DialectTable> {
    static DEVIATING: RwLock<BTreeMap<(&str, bool), Arc<DialectTable>>> = RwLock::new(BTreeMap::new());
    let row = SHIPPED.iter().find(|row| row.0 == table.dialect());
    let is_shared = row.is_some_and(|row| {
        row.2.get().is_some_and(|shared| shared.as_ref().is_some_and(|shared| Arc::ptr_eq(shared, &table)))
    });
    let Some((name, ..)) = row.filter(|_| is_shared) else {
        return Arc::new(table.at_version(&[u64::MAX]).with_deviation(deviation));
    };
    let key = (*name, deviation == Deviation::Layouts);
    let cached = DEVIATING.read().unwrap_or_else(PoisonError::into_inner).get(&key).cloned();
    cached.unwrap_or_else(|| {
        let deviating = Arc::new(table.at_version(&[u64::MAX]).with_deviation(deviation));
        let mut tables = DEVIATING.write().unwrap_or_else(PoisonError::into_inner);
        tables.entry(key).or_insert(deviating).clone()
    })
}

/// The shipped table of the builtin dialect.
pub(crate) fn builtin() -> Arc<DialectTable> {
    // An empty table replaces one that does not load, which the tests below exclude.
    shipped("builtin").unwrap_or_else(|| Arc::new(DialectTable::empty("builtin")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_shipped_table_loads() {
        for (name, text, _) in SHIPPED {
            let table = DialectTable::from_toml(text).unwrap_or_else(|error| panic!("{name}: {error}"));
            assert_eq!(table.dialect(), *name);
        }
    }

    #[test]
    fn facts_of_the_builtin_table() {
        let table = builtin();
        assert_eq!(&*table.attributes.by_code(8).unwrap().name, "IntegerAttr");
        assert_eq!(&*table.attributes.by_code(22).unwrap().name, "FileLineColRange");
        assert_eq!(table.types.by_code(20).unwrap().layouts.len(), 3);
        assert!(table.attributes.by_code(15).unwrap().classes.iter().any(|class| &**class == "Location"));
    }
}
