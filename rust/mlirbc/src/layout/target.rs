//! Answers about the target: entries by name, and the specification of the system.

use crate::attr::Attribute;
use crate::wire::bytes::Bytes;
use crate::wire::error::{Error, ErrorKind, Result};

use super::dlti::{no_such_key, not_queryable};
use super::rfc::Rules;
use super::spec::combined_key;
use super::{DataLayout, DltiAttr, DltiKey, entry};

/// Looks up the keys after the first key in the value of the first key; a value without keys is an error.
fn query_value(key: &DltiKey, value: &Attribute, rest: &[DltiKey]) -> Result<Attribute> {
    let Some(next) = rest.first() else { return Ok(value.clone()) };
    match value.text().filter(|_| value.dialect() == "dlti") {
        Some(text) => DltiAttr::parse(text)?.query(rest),
        None => Err(not_queryable(Some(key), next, value)),
    }
}

impl DataLayout {
    fn identifier(&self, name: &str) -> Option<&Attribute> {
        self.identifier_of(name.as_bytes())
    }

    pub(super) fn identifier_of(&self, name: &[u8]) -> Option<&Attribute> {
        self.effective(&DltiKey::Identifier(Bytes::copy_from_slice(name)))
    }

    /// Returns the value of a key in the combination of all enclosing specifications.
    fn effective(&self, key: &DltiKey) -> Option<&Attribute> {
        let place = *self.0.places.get(&combined_key(key, self.0.types.rules))?;
        self.0.effective.entries.get(place).map(|entry| &entry.entry.value)
    }

    /// The string attribute `"big"` or `"little"`; `None` if no specification states the endianness.
    pub fn endianness(&self) -> Option<&Attribute> {
        self.identifier("dlti.endianness")
    }

    /// The default memory space; any attribute.
    pub fn default_memory_space(&self) -> Option<&Attribute> {
        self.identifier("dlti.default_memory_space")
    }

    /// The memory space of the stack; any attribute.
    pub fn alloca_memory_space(&self) -> Option<&Attribute> {
        self.identifier("dlti.alloca_memory_space")
    }

    /// The memory space of code; any attribute.
    pub fn program_memory_space(&self) -> Option<&Attribute> {
        self.identifier("dlti.program_memory_space")
    }

    /// The memory space of globals; any attribute.
    pub fn global_memory_space(&self) -> Option<&Attribute> {
        self.identifier("dlti.global_memory_space")
    }

    /// The natural alignment of the stack, in bits; 0 if no specification states it.
    pub fn stack_alignment(&self) -> u64 {
        self.identifier("dlti.stack_alignment").and_then(entry::integer).unwrap_or(0)
    }

    /// The alignment of function pointers; normally `#dlti.function_pointer_alignment`.
    pub fn function_pointer_alignment(&self) -> Option<&Attribute> {
        self.identifier("dlti.function_pointer_alignment")
    }

    /// The mangling mode of symbols; normally a string.
    pub fn mangling_mode(&self) -> Option<&Attribute> {
        self.identifier("dlti.mangling_mode")
    }

    /// The integer widths of the machine in bits; normally `array<i32: …>`.
    pub fn legal_int_widths(&self) -> Option<&Attribute> {
        self.identifier("dlti.legal_int_widths")
    }

    /// Returns a property of a device, from the nearest module; `None` if no module states it.
    ///
    /// ```
    /// use mlirbc::layout::{DataLayout, Options};
    /// assert_eq!(DataLayout::of_specs(&[], &Options::default())?.device_property("cpu", "cores"), None);
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn device_property(&self, device: &str, property: &str) -> Option<Attribute> {
        self.0.system.as_ref()?.query(&[device.into(), property.into()]).ok()
    }

    /// The description of the target at the nearest module.
    #[doc(hidden)]
    pub fn target_system_spec(&self) -> Option<&DltiAttr> {
        self.0.system.as_ref()
    }

    /// Looks up a chain of keys in the nearest op with a queryable attribute, as `transform.dlti.query` does.
    ///
    /// Under the rules of the RFC, the first key is looked up in [`Self::entries`], and then in the nearest
    /// target description or `#dlti.map`.
    ///
    /// # Errors
    /// If no op has such an attribute, or a key does not exist.
    ///
    /// ```
    /// use mlirbc::layout::{DataLayout, DltiAttr, Options, Rules};
    /// let outer = DltiAttr::parse_specification("[#datalayout.entry<\"endianness\", \"big\">]")?;
    /// let inner = DltiAttr::parse_specification("[#datalayout.entry<\"toy.lanes\", 4>]")?;
    /// let options = Options::default().rules(Rules::Rfc);
    /// let layout = DataLayout::of_specs(&[outer, inner], &options)?;
    /// assert_eq!(layout.query(&["endianness".into()])?.to_string(), "\"big\"");
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn query(&self, keys: &[DltiKey]) -> Result<Attribute> {
        let Some((first, rest)) = keys.split_first() else {
            return Err(Error::message(ErrorKind::LayoutKeyNotFound, "the list of keys is empty"));
        };
        if self.0.types.rules == Rules::Rfc
            && let Some(value) = self.effective(first)
        {
            return query_value(first, value, rest);
        }
        let entries = &self.0.effective.entries;
        match &self.0.queryable {
            Some(attribute) => attribute.query(keys),
            None if self.0.types.rules == Rules::Rfc && !entries.is_empty() => {
                let known_keys = entries.iter().map(|entry| &entry.entry.key);
                Err(no_such_key(first, known_keys.cloned()))
            }
            None => {
                let message = "neither the operation nor an enclosing one has a data layout, a target description or a `#dlti.map`";
                Err(Error::message(ErrorKind::LayoutNoQueryable, message))
            }
        }
    }
}
