//! Whether one layout may replace another.

use crate::attr::Type;
use crate::wire::error::{Error, ErrorKind, Result};

use super::dlti::brief;
use super::{DataLayout, DltiEntry, DltiKey};

impl DataLayout {
    /// Checks that types laid out under `self` are still valid under `after`: identifiers and sizes are the
    /// same, and alignments are multiples of the old ones. Checks the types with entries in either.
    ///
    /// # Errors
    /// [`ErrorKind::LayoutIncompatible`] with the entry.
    ///
    /// ```
    /// use mlirbc::layout::{DataLayout, DltiAttr, Options};
    /// let with = |text: &str| DataLayout::of_specs(&[DltiAttr::parse(text)?], &Options::default());
    /// let before = with("#dlti.dl_spec<f64 = dense<[32, 64]> : vector<2xi64>>")?;
    /// let after = with("#dlti.dl_spec<f64 = dense<64> : vector<2xi64>>")?;
    /// assert!(before.check_compatible(&after).is_ok());
    /// assert!(after.check_compatible(&before).is_err());
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn check_compatible(&self, after: &Self) -> Result<()> {
        for entry in &self.0.in_force.entries {
            let DltiEntry { key, value } = &entry.entry;
            if let DltiKey::Identifier(name) = key {
                let other = after.identifier_of(name);
                if other != Some(value) {
                    let found = other.map_or("no value".to_owned(), |value| format!("`{}`", brief(&value.0)));
                    let (key, value) = (key.brief(), brief(&value.0));
                    let message = format!("{key} was `{value}` and now has {found}");
                    return Err(Error::message(ErrorKind::LayoutIncompatible, message));
                }
            }
        }
        for entry in self.0.in_force.entries.iter().chain(&after.0.in_force.entries) {
            if let DltiKey::Type(of) = &entry.entry.key {
                self.check_type(after, of)?;
            }
        }
        Ok(())
    }

    /// Whether the effective entries are equal to those of another layout.
    pub fn has_entries_of(&self, other: &Self) -> bool {
        let (entries, others) = (&self.0.in_force.entries, &other.0.in_force.entries);
        entries.len() == others.len()
            && entries.iter().zip(others).all(|(entry, other)| entry.entry == other.entry)
    }

    fn check_type(&self, after: &Self, of: &Type) -> Result<()> {
        let changed = |change: String| {
            let message = format!("the {change} of `{}`", brief(&of.0));
            Err(Error::message(ErrorKind::LayoutIncompatible, message))
        };
        let (old, new) = (self.type_size_in_bits(of)?, after.type_size_in_bits(of)?);
        if old != new {
            return changed(format!("size changed from {old} to {new} bits"));
        }
        let (old, new) = (self.type_index_bitwidth(of)?, after.type_index_bitwidth(of)?);
        if old != new {
            return changed("index width changed".to_owned());
        }
        let alignments = [
            ("ABI", self.type_abi_alignment(of)?, after.type_abi_alignment(of)?),
            ("preferred", self.type_preferred_alignment(of)?, after.type_preferred_alignment(of)?),
        ];
        for (which, old, new) in alignments {
            if new < old || (old > 0 && new % old != 0) {
                return changed(format!(
                    "{which} alignment changed from {old} to {new}, which is not a multiple,"
                ));
            }
        }
        Ok(())
    }
}
