//! Dialect tables from the rows of a pack: aliases that dialects suggest, and encodings.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::{Map, Value as Json, json};

use super::row::{PackRow, RowKind};
use super::{Pack, load_installed_for};
use crate::dialect::{DialectTable, find_dialect};
use crate::ops::OperationDefinitions;
use crate::wire::error::Result;

/// Returns the table of a dialect; an empty one if a registered pack has the dialect, whose attributes and types are then built
/// with its definitions.
///
/// ```
/// assert!(mlirbc::pack::table_of("builtin").is_some());
/// assert!(mlirbc::pack::table_of("nowhere").is_none());
/// ```
#[doc(hidden)]
pub fn table_of(dialect: &str) -> Option<Arc<DialectTable>> {
    load_installed_for(dialect);
    let is_of_pack = || OperationDefinitions::of_packs().any(|pack| pack.has_dialect(dialect));
    find_dialect(dialect).or_else(|| is_of_pack().then(|| Arc::new(DialectTable::empty(dialect))))
}

impl Pack {
    /// The tables of the dialects of a release that have aliases or encodings.
    pub(super) fn tables(&self, release: usize) -> Result<Vec<Arc<DialectTable>>> {
        let mut tables: BTreeMap<String, Map<String, Json>> = BTreeMap::new();
        for kind in [RowKind::Attribute, RowKind::Type] {
            for row in self.rows_of(kind, release) {
                let Some((dialect, mnemonic)) = row.name.split_once('.') else { continue };
                for (key, value) in names_in(row, mnemonic) {
                    insert(tables.entry(dialect.to_owned()).or_default(), key, mnemonic, value);
                }
            }
        }
        self.add_referring(release, &mut tables);
        for row in self.rows_of(RowKind::Encoding, release) {
            tables.entry(row.dialect().to_owned()).or_default();
        }
        for (dialect, table) in &mut tables {
            self.add_stripped(dialect, release, table);
            self.add_encodings(dialect, release, table);
        }
        tables
            .into_iter()
            .map(|(dialect, mut table)| {
                table.insert("dialect".to_owned(), json!(dialect));
                DialectTable::from_json(&Json::Object(table).to_string())
            })
            .collect()
    }

    /// Adds tables of dialects whose attributes or types have parameters of a class that has an alias.
    fn add_referring(&self, release: usize, tables: &mut BTreeMap<String, Map<String, Json>>) {
        let with_aliases = tables.iter().filter(|(_, table)| table.contains_key("aliases"));
        let dialects: Vec<String> = with_aliases.map(|(dialect, _)| format!(" {dialect}.")).collect();
        for kind in [RowKind::Attribute, RowKind::Type] {
            for row in self.rows_of(kind, release) {
                let refers = || dialects.iter().any(|dialect| row.may_have(dialect));
                if !tables.contains_key(row.dialect()) && row.may_have("\"kind\"") && refers() {
                    tables.insert(row.dialect().to_owned(), Map::new());
                }
            }
        }
    }

    /// Adds the classes of parameters, whose texts have no names: an alias may stand for such a text.
    fn add_stripped(&self, dialect: &str, release: usize, table: &mut Map<String, Json>) {
        for kind in [RowKind::Attribute, RowKind::Type] {
            for row in self.rows_of(kind, release) {
                let Some(mnemonic) = row.name.strip_prefix(dialect).and_then(|rest| rest.strip_prefix('.'))
                else {
                    continue;
                };
                let rules = stripped_parameters(row, dialect);
                if !rules.is_empty() {
                    insert(table, "bare", mnemonic, Json::Object(rules));
                }
            }
        }
    }
}

/// The alias of an attribute or a type, the name of the values of a type, and a rule for maps in it, each with the key of a table.
fn names_in(row: &PackRow, mnemonic: &str) -> Vec<(&'static str, Json)> {
    if !["\"alias\"", "\"value_name\"", "\"inline_maps\""].iter().any(|key| row.may_have(key)) {
        return Vec::new();
    }
    let fields = row.fields();
    let alias = match fields.get("alias") {
        Some(Json::Bool(true)) => Some(json!(mnemonic)),
        alias => alias.filter(|alias| alias.is_string()).cloned(),
    };
    let value_name = fields.get("value_name").filter(|_| row.kind == RowKind::Type).cloned();
    let is_inline = fields.get("inline_maps").is_some_and(|is_inline| is_inline == true);
    let maps = is_inline.then(|| json!({ "*": "AffineMap" }));
    let keyed = [("aliases", alias), ("value_names", value_name), ("bare", maps)];
    keyed.into_iter().filter_map(|(key, value)| Some((key, value?))).collect()
}

fn insert(table: &mut Map<String, Json>, key: &str, name: &str, value: Json) {
    if let Json::Object(rows) = table.entry(key.to_owned()).or_insert_with(|| json!({})) {
        rows.insert(name.to_owned(), value);
    }
}

/// The classes of parameters, with the dialect if it is another one, by the name of the parameter in a list of fields, and by its
/// place in another list.
fn stripped_parameters(row: &PackRow, dialect: &str) -> Map<String, Json> {
    let fields = row.fields();
    let parameters = fields.get("parameters").and_then(Json::as_array).into_iter().flatten();
    let class_of = |parameter: &Json| {
        let kind = parameter.get(2)?.get("kind")?.as_str()?;
        let kind = kind.strip_prefix("list(").and_then(|rest| rest.strip_suffix(')')).unwrap_or(kind);
        let (sigil, class) = match kind.split_once(' ')? {
            ("attribute", class) => ("", class),
            ("type", class) => ("!", class),
            _ => return None,
        };
        Some(match class.split_once('.')? {
            (other_dialect, mnemonic) if other_dialect != dialect => {
                format!("{sigil}{other_dialect}:{mnemonic}")
            }
            (_, mnemonic) => format!("{sigil}{mnemonic}"),
        })
    };
    let names: BTreeMap<&str, Option<String>> =
        parameters.filter_map(|one| Some((one.get(0)?.as_str()?, class_of(one)))).collect();
    let mut rules = Map::new();
    let Some(Json::Array(elements)) = fields.get("format") else { return rules };
    let mut place = 0;
    for element in elements {
        match element {
            Json::String(text) if text == "`," => place += 1,
            Json::String(text) => {
                let class = text.strip_prefix('$').and_then(|name| names.get(name)?.clone());
                rules.extend(class.map(|class| (place.to_string(), json!(class))));
            }
            Json::Array(parts) if parts.first().is_some_and(|name| name == "struct") => {
                let known = names
                    .iter()
                    .filter_map(|(name, class)| Some(((*name).to_owned(), json!(class.as_ref()?))));
                rules.extend(known);
            }
            // Parts that may be missing shift the places after them.
            _ => break,
        }
    }
    rules
}
