//! Tables of attributes keyed by type, for purposes other than layout: costs, register classes, names.

use std::collections::{HashMap, HashSet};

use crate::attr::{Attribute, Type};
use crate::file::FileTables;
use crate::ir::Operation;
use crate::wire::error::{Error, ErrorKind, Result};

use super::dlti::{DltiAttr, DltiKey, DltiKind};
use super::{class_of, rfc};

/// A table of attributes keyed by types and names, from the attributes of one name of an op and of those
/// around it. The innermost entry wins.
///
/// ```
/// use mlirbc::{Attribute, Type, layout::TypeTable};
/// let outer = Attribute::parse("#dlti.map<i32 = 1, f32 = 4, \"default\" = 9>")?;
/// let inner = Attribute::parse("[#datalayout.entry<f32, 2>]")?;
/// let costs = TypeTable::of_attributes(&[outer, inner])?;
/// assert_eq!(costs.get(&Type::parse("f32")?).unwrap().to_string(), "2 : i64");
/// assert_eq!(costs.identifier("default").unwrap().to_string(), "9 : i64");
/// assert_eq!(costs.get(&Type::parse("i8")?), None);
/// assert_eq!(costs.of_class(&Type::parse("i8")?)?.len(), 1);
/// # Ok::<(), mlirbc::Error>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct TypeTable {
    entries: Vec<(DltiKey, Attribute)>,
    places: HashMap<DltiKey, usize>,
    /// By class, as a layout has classes.
    classes: HashMap<String, Vec<usize>>,
}

impl TypeTable {
    /// The table of the attributes with this name, of an op and of the ops around it. Decodes no body.
    ///
    /// # Errors
    /// If an attribute cannot be read, or is not a list of entries.
    pub fn of(op: Operation<'_>, name: &str) -> Result<Self> {
        let (mut found, mut next) = (Vec::new(), Some(op));
        // Entries of an attribute win over those of the same one further out.
        let mut seen = HashSet::new();
        while let Some(op) = next {
            next = op.parent();
            let (_, discardable) = op.attributes()?;
            let entries = op.module().entries()?;
            let is_named = |id: u32| {
                crate::attr::text::entry::string_of(&entries, id)
                    .is_some_and(|found| found == name.as_bytes())
            };
            if let Some((_, value)) = discardable.iter().find(|(key, _)| is_named(key.0))
                && seen.insert(value.0)
            {
                let tables: &FileTables = op.module().tables();
                if let Some(value) = Attribute::of_file(tables, *value)? {
                    found.push(value);
                }
            }
        }
        found.reverse();
        Self::of_attributes(&found)
    }

    /// The table of attributes, the outermost first: `#dlti.map`, `#dlti.dl_spec`, or an array of
    /// `#datalayout.entry`.
    ///
    /// # Errors
    /// If one is something else, or is malformed.
    pub fn of_attributes(attributes: &[Attribute]) -> Result<Self> {
        let mut this = Self::default();
        for attribute in attributes {
            for entry in Self::read(attribute)?.entries() {
                match this.places.get(&entry.key) {
                    Some(&place) => this.entries[place].1 = entry.value,
                    None => {
                        if let DltiKey::Type(of) = &entry.key {
                            this.classes.entry(class_of(of)?).or_default().push(this.entries.len());
                        }
                        this.places.insert(entry.key.clone(), this.entries.len());
                        this.entries.push((entry.key, entry.value));
                    }
                }
            }
        }
        Ok(this)
    }

    fn read(attribute: &Attribute) -> Result<DltiAttr> {
        let text = attribute.to_text(None)?;
        if attribute.class() == Some("ArrayAttr") {
            return rfc::parse_spec(text.as_bytes());
        }
        let list = DltiAttr::parse(&text)?;
        match list.kind() {
            DltiKind::Map | DltiKind::DataLayoutSpec => Ok(list),
            other => {
                let message =
                    format!("a table is `#dlti.map`, `#dlti.dl_spec` or an array, not {}", other.class());
                Err(Error::message(ErrorKind::LayoutAttributeKind, message))
            }
        }
    }

    /// The keys and values, in the order in which the keys first occur.
    pub fn entries(&self) -> &[(DltiKey, Attribute)] {
        &self.entries
    }

    /// The value for exactly this type.
    pub fn get(&self, of: &Type) -> Option<&Attribute> {
        self.places.get(&DltiKey::Type(of.clone())).map(|&place| &self.entries[place].1)
    }

    /// The value for this name.
    pub fn identifier(&self, name: &str) -> Option<&Attribute> {
        self.places.get(&DltiKey::from(name)).map(|&place| &self.entries[place].1)
    }

    /// The entries of the class of a type: e.g. those for all integers.
    ///
    /// # Errors
    /// If the type cannot be read.
    pub fn of_class(&self, of: &Type) -> Result<Vec<&(DltiKey, Attribute)>> {
        let places = self.classes.get(&class_of(of)?).map_or(&[][..], Vec::as_slice);
        Ok(places.iter().map(|&place| &self.entries[place]).collect())
    }
}
