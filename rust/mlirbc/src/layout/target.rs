//! Answers about the target: entries by name, and the specification of the system.

use crate::attr::Attribute;
use crate::wire::error::{Error, ErrorKind, Result};

use super::{DataLayout, DltiAttr, DltiKey, entry};

impl DataLayout {
    fn identifier(&self, name: &str) -> Option<&Attribute> {
        self.identifier_of(name.as_bytes())
    }

    pub(super) fn identifier_of(&self, name: &[u8]) -> Option<&Attribute> {
        self.0.identifiers.get(name).map(|&place| &self.0.in_force.entries[place].entry.value)
    }

    /// `"big"` or `"little"`, as a string attribute; `None` if it is not specified.
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

    /// The natural alignment of the stack, in bits; 0 if it is not specified.
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

    /// A property of a device, from the nearest module; `None` if it is not specified.
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
    pub fn target_system_spec(&self) -> Option<&DltiAttr> {
        self.0.system.as_ref()
    }

    /// Looks up a chain of keys in the nearest op with a queryable attribute, as `transform.dlti.query` does.
    ///
    /// # Errors
    /// If there is no such attribute, or a key does not exist.
    pub fn query(&self, keys: &[DltiKey]) -> Result<Attribute> {
        if keys.is_empty() {
            return Err(Error::message(ErrorKind::LayoutKeyNotFound, "the list of keys is empty"));
        }
        match &self.0.queryable {
            Some(attribute) => attribute.query(keys),
            None => {
                let message = "neither the operation nor an enclosing one has a data layout, a target description or a `#dlti.map`";
                Err(Error::message(ErrorKind::LayoutNoQueryable, message))
            }
        }
    }
}
