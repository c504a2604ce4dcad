//! Finding the table of a dialect: those that come with mlirbc, parsed when first asked for, and those that users
//! added.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, OnceLock, PoisonError, RwLock};

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
    "llvm",
    "ml_program",
    "quant",
    "sparse_tensor",
    "stablehlo",
    "test",
    "tosa",
    "vhlo",
];

static ADDED: LazyLock<RwLock<HashMap<Box<str>, Arc<DialectTable>>>> = LazyLock::new(RwLock::default);

/// Adds a table for all modules that are opened from now on, in place of the one that mlirbc brings along.
///
/// ```
/// mlirbc::register_dialect(mlirbc::DialectTable::from_toml("dialect = 'toy'")?);
/// assert!(mlirbc::registered_dialects().contains(&"toy".to_owned()));
/// # Ok::<(), mlirbc::Error>(())
/// ```
pub fn register_dialect(table: Arc<DialectTable>) {
    let mut added = ADDED.write().unwrap_or_else(PoisonError::into_inner);
    added.insert(table.dialect().into(), table);
}

/// The table of a dialect: one that was registered, or the one that mlirbc brings along.
pub fn find_dialect(name: &str) -> Option<Arc<DialectTable>> {
    Registry::snapshot(&[], &[]).find(name.as_bytes())
}

/// The names of all dialects with a table, sorted.
pub fn registered_dialects() -> Vec<String> {
    let added = ADDED.read().unwrap_or_else(PoisonError::into_inner);
    let mut names: Vec<String> = SHIPPED.iter().map(|row| row.0.to_owned()).collect();
    names.extend(added.keys().map(|name| name.to_string()));
    names.sort_unstable();
    names.dedup();
    names
}

/// The tables that a module decodes with; later registrations do not change it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Registry {
    tables: HashMap<Box<str>, Arc<DialectTable>>,
    /// Dialects that are taken for unknown.
    unknown: Vec<String>,
}

impl Registry {
    /// What is registered now, and `more` in place of tables for the same dialects. Of dialects that are taken for
    /// unknown only `more` counts; the builtin dialect is always known.
    pub(crate) fn snapshot(more: &[Arc<DialectTable>], unknown: &[String]) -> Self {
        let mut tables = ADDED.read().unwrap_or_else(PoisonError::into_inner).clone();
        let unknown: Vec<String> = unknown.iter().filter(|name| *name != "builtin").cloned().collect();
        tables.retain(|name, _| !unknown.iter().any(|other| **other == **name));
        tables.extend(more.iter().map(|table| (table.dialect().into(), table.clone())));
        Self { tables, unknown }
    }

    /// The table of a dialect.
    pub(crate) fn find(&self, dialect: &[u8]) -> Option<Arc<DialectTable>> {
        let name = std::str::from_utf8(dialect).ok()?;
        let own = self.tables.get(name).cloned();
        own.or_else(|| if self.is_unknown(dialect) { None } else { shipped(name) })
    }

    /// Whether the caller wants nothing to be known of a dialect.
    pub(crate) fn is_unknown(&self, dialect: &[u8]) -> bool {
        self.unknown.iter().any(|name| name.as_bytes() == dialect)
    }
}

/// The table that mlirbc brings along.
pub(crate) fn shipped(name: &str) -> Option<Arc<DialectTable>> {
    let (_, text, cell) = SHIPPED.iter().find(|row| row.0 == name)?;
    cell.get_or_init(|| DialectTable::shipped(text)).clone()
}

/// The table of the builtin dialect, without users' changes.
pub(crate) fn builtin() -> Arc<DialectTable> {
    // An empty table stands in for one that does not load, which the tests below rule out.
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
