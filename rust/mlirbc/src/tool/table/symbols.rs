//! The table of symbols: the operations with a `sym_name` in the top-level operation and in nested symbol tables.

use std::collections::HashMap;

use crate::attr::{FieldValue, declared_fields};
use crate::dialect::entries::{Entries, EntryRef};
use crate::edit::symbol::symbol_name_of;
use crate::file::FileEntries;
use crate::format::id::{AttrId, OpNameId, PropertyId};
use crate::ir::module::{Inherent, PropertyReader};
use crate::ir::{Module, Operation};
use crate::ops;
use crate::props::Property;
use crate::props::codec::{split, text_of};
use crate::wire::error::Result;
use crate::wire::limits::Budget;

use super::texts::{Texts, Words, reserve};
use super::{Table, TableColumn};

/// The longest name of an operation that a definition may have.
const LONGEST_NAME: usize = 256;

type Map<K, V> = HashMap<K, V, foldhash::fast::RandomState>;

/// The attributes `sym_name` and `sym_visibility`, by index.
#[derive(Debug, Default, Clone, Copy)]
struct SymbolAttributes {
    name: Option<u32>,
    visibility: Option<u32>,
}

impl SymbolAttributes {
    fn or(self, fallback: Self) -> Self {
        Self { name: self.name.or(fallback.name), visibility: self.visibility.or(fallback.visibility) }
    }

    fn set(&mut self, name: &[u8], value: u32) {
        match name {
            b"sym_name" => drop(self.name.get_or_insert(value)),
            b"sym_visibility" => drop(self.visibility.get_or_insert(value)),
            _ => {}
        }
    }
}

/// Reads the symbols of operations. Operations may share dictionaries, property blobs and names, so each is read once.
struct SymbolReader<'m, 'e> {
    module: &'m Module,
    entries: &'e FileEntries<'m>,
    account: &'e Budget,
    properties: PropertyReader<'m, 'e>,
    inherent: Vec<Property<'m>>,
    of_blobs: Map<(OpNameId, PropertyId), SymbolAttributes>,
    of_dictionaries: Map<AttrId, SymbolAttributes>,
    // Whether an attribute that names another one is `sym_name` or `sym_visibility`.
    attribute_names: Map<AttrId, &'static [u8]>,
    // The strings of attributes; `None` for an attribute that is not a string.
    strings: Map<AttrId, Option<&'e [u8]>>,
    is_table: Map<OpNameId, bool>,
}

/// The columns as they grow.
struct SymbolRows {
    // Paths, by the path of the symbol table and the attribute with the name.
    paths: Words<(Option<u32>, u32)>,
    names: Words<u32>,
    operations: Words<OpNameId>,
    visibilities: Words<Option<u32>>,
}

pub(super) fn symbols(module: &Module, account: &Budget) -> Result<Table> {
    let entries = module.tables().entries()?;
    let mut reader = SymbolReader {
        module,
        entries: &entries,
        account,
        properties: PropertyReader::new(module, &entries)?,
        inherent: Vec::new(),
        of_blobs: Map::default(),
        of_dictionaries: Map::default(),
        attribute_names: Map::default(),
        strings: Map::default(),
        is_table: Map::default(),
    };
    let mut rows = SymbolRows {
        paths: Words::new(account)?,
        names: Words::new(account)?,
        operations: Words::new(account)?,
        visibilities: Words::new(account)?,
    };
    let mut open = vec![(module.operation()?, None)];
    let mut nested = Vec::new();
    while let Some((table, path)) = open.pop() {
        module.tables().check_interrupt()?;
        for region in table.regions()? {
            for op in region.blocks().flat_map(|block| block.operations()) {
                let inner = reader.add(&op, path, &mut rows)?.or(path);
                if reader.is_table(&op)? {
                    reserve(&mut nested, 1, account)?;
                    nested.push((op, inner));
                }
            }
        }
        reserve(&mut open, nested.len(), account)?;
        open.extend(nested.drain(..).rev());
    }
    let columns = [
        ("path", rows.paths.into_values()),
        ("name", rows.names.into_values()),
        ("operation", rows.operations.into_values()),
        ("visibility", rows.visibilities.into_values()),
    ];
    let columns: Vec<_> = columns.map(|(name, values)| TableColumn { name, values }).into();
    let row_count = match &columns[0].values {
        super::ColumnValues::Words { rows, .. } => rows.len(),
        _ => 0,
    };
    Ok(Table { row_count, columns })
}

impl<'m> SymbolReader<'m, '_> {
    /// Adds the row of an operation if it is a symbol; returns the number of its path.
    fn add(&mut self, op: &Operation<'m>, table: Option<u32>, rows: &mut SymbolRows) -> Result<Option<u32>> {
        let attributes = self.attributes(op)?;
        let Some(name_attribute) = attributes.name else { return Ok(None) };
        let Some(name) = self.string(AttrId::new(name_attribute))? else { return Ok(None) };
        let account = self.account;
        let number = rows.names.add_row(name_attribute, account, |words| words.push(&[name], account))?;
        let names = &rows.names.words;
        let path = rows.paths.add_row((table, name_attribute), account, |paths| {
            paths.push_path(table, names.get(number), account)
        })?;
        rows.operations.add_row(op.name_id(), account, |words| push_name(words, op, account))?;
        let visibility =
            attributes.visibility.map_or(Ok(None), |attribute| self.string(AttrId::new(attribute)))?;
        // An attribute that is not a string, or is empty, counts as absent.
        let visibility = visibility.filter(|text| !text.is_empty());
        let key = visibility.and(attributes.visibility);
        rows.visibilities
            .add_row(key, account, |words| words.push(&[visibility.unwrap_or(b"public")], account))?;
        Ok(Some(path))
    }

    fn attributes(&mut self, op: &Operation<'m>) -> Result<SymbolAttributes> {
        let inherent = match op.properties() {
            Some(blob) => self.of_blob(op.name_id(), blob)?,
            None => SymbolAttributes::default(),
        };
        match op.attribute_dictionary() {
            Some(dictionary) => Ok(inherent.or(self.of_dictionary(dictionary)?)),
            None => Ok(inherent),
        }
    }

    fn of_blob(&mut self, name: OpNameId, blob: PropertyId) -> Result<SymbolAttributes> {
        if let Some(&known) = self.of_blobs.get(&(name, blob)) {
            return Ok(known);
        }
        self.account.spend(2 * size_of::<(OpNameId, PropertyId, SymbolAttributes)>())?;
        let mut attributes = SymbolAttributes::default();
        self.inherent.clear();
        match self.properties.blob(name, self.properties.schema(name), blob, &mut self.inherent)? {
            Inherent::Attribute(dictionary) => attributes = self.of_dictionary(AttrId::new(dictionary))?,
            Inherent::Declared(declared) => {
                for (field, value) in declared_fields(self.module.tables(), &declared)? {
                    if let FieldValue::Attribute(value) = value
                        && let Some(id) = value.id()
                    {
                        attributes.set(field.as_bytes(), id.number());
                    }
                }
            }
            Inherent::Known | Inherent::Opaque(_) => {}
        }
        for property in &self.inherent {
            if let Some(value) = property.value.attribute() {
                attributes.set(property.name().as_bytes(), value.number());
            }
        }
        self.of_blobs.insert((name, blob), attributes);
        Ok(attributes)
    }

    fn of_dictionary(&mut self, dictionary: AttrId) -> Result<SymbolAttributes> {
        if let Some(&known) = self.of_dictionaries.get(&dictionary) {
            return Ok(known);
        }
        self.account.spend(2 * size_of::<(u32, SymbolAttributes)>())?;
        let len = self.entries.entry(EntryRef::Attribute(dictionary)).map_or(0, |entry| entry.data.len());
        // Each attribute of a dictionary takes at least two bytes.
        let held = self.account.hold(len / 2 * size_of::<(u32, u32)>())?;
        let (mut pairs, mut attributes) = (Vec::new(), SymbolAttributes::default());
        split(None, dictionary, self.entries, &mut [], &mut pairs)?;
        for (name, value) in pairs {
            let name = self.attribute_name(AttrId::new(name))?;
            attributes.set(name, value);
        }
        drop(held);
        self.of_dictionaries.insert(dictionary, attributes);
        Ok(attributes)
    }

    fn attribute_name(&mut self, attribute: AttrId) -> Result<&'static [u8]> {
        if let Some(cached_name) = self.attribute_names.get(&attribute) {
            return Ok(cached_name);
        }
        self.account.spend(2 * size_of::<(u32, &[u8])>())?;
        let name: &'static [u8] = match text_of(attribute, self.entries) {
            Some(b"sym_name") => b"sym_name",
            Some(b"sym_visibility") => b"sym_visibility",
            _ => b"",
        };
        self.attribute_names.insert(attribute, name);
        Ok(name)
    }

    fn is_table(&mut self, op: &Operation<'m>) -> Result<bool> {
        if op.region_count() == 0 {
            return Ok(false);
        }
        if let Some(&known) = self.is_table.get(&op.name_id()) {
            return Ok(known);
        }
        self.account.spend(2 * size_of::<(OpNameId, bool)>())?;
        let name = op.operation_name().filter(|name| name.dialect.len() + name.stem.len() < LONGEST_NAME);
        let is_table = name.is_some_and(|name| {
            let newest = ops::history(&name.full()).pop();
            newest.is_some_and(|newest| newest.definition().has_trait("SymbolTable"))
        });
        self.is_table.insert(op.name_id(), is_table);
        Ok(is_table)
    }
}

impl<'e> SymbolReader<'_, 'e> {
    fn string(&mut self, attribute: AttrId) -> Result<Option<&'e [u8]>> {
        if let Some(&known) = self.strings.get(&attribute) {
            return Ok(known);
        }
        self.account.spend(2 * size_of::<(u32, Option<&[u8]>)>())?;
        let string = symbol_name_of(self.entries, attribute);
        self.strings.insert(attribute, string);
        Ok(string)
    }
}

fn push_name(words: &mut Texts, op: &Operation<'_>, account: &Budget) -> Result<u32> {
    match op.operation_name() {
        Some(name) if name.stem.is_empty() => words.push(&[name.dialect], account),
        Some(name) => words.push(&[name.dialect, b".", name.stem], account),
        None => words.push(&[], account),
    }
}
