//! Tables of attributes keyed by type, for purposes other than layout: costs, register classes, names.

use std::collections::{HashMap, HashSet};

use crate::attr::{Attribute, Type};
use crate::file::FileTables;
use crate::format::id::AttrId;
use crate::ir::Operation;
use crate::wire::error::{Error, ErrorKind, Result};

use super::dlti::{DltiAttr, DltiKey, DltiKind};
use super::{class_of, rfc};

/// A table of attributes keyed by types and names, read from the attributes with one name on an op and on the
/// ops around it. The innermost entry wins.
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
#[doc(hidden)]
#[derive(Debug, Clone, Default)]
pub struct TypeTable {
    entries: Vec<(DltiKey, Attribute)>,
    places: HashMap<DltiKey, usize>,
    /// Indices of entries by the class of a type, as in a layout.
    classes: HashMap<String, Vec<usize>>,
}

impl TypeTable {
    /// Builds the table from the attributes with this name on an op and on the ops around it. Decodes no
    /// body.
    ///
    /// # Errors
    /// If an attribute cannot be read, or is not a list of entries.
    pub fn of(op: Operation<'_>, name: &str) -> Result<Self> {
        let (mut attributes, mut next) = (Vec::new(), Some(op));
        // An attribute that also occurs further out is read once, at its innermost position.
        let mut seen = HashSet::new();
        while let Some(op) = next {
            next = op.parent();
            let (_, discardable) = op.attributes()?;
            let entries = op.module().tables().entries()?;
            let is_named = |id: u32| {
                crate::attr::text::entry::string_of(&entries, AttrId::new(id))
                    .is_some_and(|key_name| key_name == name.as_bytes())
            };
            if let Some((_, value)) = discardable.iter().find(|(key, _)| is_named(key.number()))
                && seen.insert(value.number())
            {
                let tables: &FileTables = op.module().tables();
                if let Some(value) = Attribute::of_file(tables, *value)? {
                    attributes.push(value);
                }
            }
        }
        attributes.reverse();
        Self::of_attributes(&attributes)
    }

    /// Builds the table from attributes, the outermost first: `#dlti.map`, `#dlti.dl_spec`, or an array of
    /// `#datalayout.entry`.
    ///
    /// # Errors
    /// If an attribute is something else, or is malformed.
    pub fn of_attributes(attributes: &[Attribute]) -> Result<Self> {
        let mut this = Self::default();
        for attribute in attributes {
            for entry in Self::read(attribute)?.entries() {
                match this.places.get(&entry.key) {
                    Some(&place) => this.entries[place].1 = entry.value,
                    None => {
                        if let DltiKey::Type(r#type) = &entry.key {
                            this.classes.entry(class_of(r#type)?).or_default().push(this.entries.len());
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
    pub fn get(&self, r#type: &Type) -> Option<&Attribute> {
        self.places.get(&DltiKey::Type(r#type.clone())).map(|&place| &self.entries[place].1)
    }

    /// The value for this name.
    pub fn identifier(&self, name: &str) -> Option<&Attribute> {
        self.places.get(&DltiKey::from(name)).map(|&place| &self.entries[place].1)
    }

    /// The entries of the class of a type, for example the entries for all integers.
    ///
    /// # Errors
    /// If the type cannot be read.
    pub fn of_class(&self, r#type: &Type) -> Result<Vec<&(DltiKey, Attribute)>> {
        let places = self.classes.get(&class_of(r#type)?).map_or(&[][..], Vec::as_slice);
        Ok(places.iter().map(|&place| &self.entries[place]).collect())
    }
}
