//! Whether one layout may replace another.

use crate::attr::Type;
use crate::wire::error::{Error, ErrorKind, Result};

use super::dlti::brief;
use super::{DataLayout, DltiEntry, DltiKey};

impl DataLayout {
    /// Checks that types laid out under `self` are still valid under `after`: identifiers and sizes are the
    /// same, and alignments are multiples of the old ones. Checks the types that have entries in either
    /// layout.
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
    #[doc(hidden)]
    pub fn check_compatible(&self, after: &Self) -> Result<()> {
        for entry in &self.0.effective.entries {
            let DltiEntry { key, value } = &entry.entry;
            if let DltiKey::Identifier(name) = key {
                let after_value = after.identifier_of(name);
                if after_value != Some(value) {
                    let actual =
                        after_value.map_or("no value".to_owned(), |value| format!("`{}`", brief(&value.0)));
                    let (key, value) = (key.brief(), brief(&value.0));
                    let message = format!("{key} was `{value}` and now has {actual}");
                    return Err(Error::message(ErrorKind::LayoutIncompatible, message));
                }
            }
        }
        for entry in self.0.effective.entries.iter().chain(&after.0.effective.entries) {
            if let DltiKey::Type(r#type) = &entry.entry.key {
                self.check_type(after, r#type)?;
            }
        }
        Ok(())
    }

    /// Returns whether the effective entries of both layouts are equal.
    #[doc(hidden)]
    pub fn has_entries_of(&self, other: &Self) -> bool {
        let (entries, others) = (&self.0.effective.entries, &other.0.effective.entries);
        entries.len() == others.len()
            && entries.iter().zip(others).all(|(entry, other)| entry.entry == other.entry)
    }

    fn check_type(&self, after: &Self, r#type: &Type) -> Result<()> {
        let changed = |change: String| {
            let message = format!("the {change} of `{}`", brief(&r#type.0));
            Err(Error::message(ErrorKind::LayoutIncompatible, message))
        };
        let (old, new) = (self.type_size_in_bits(r#type)?, after.type_size_in_bits(r#type)?);
        if old != new {
            return changed(format!("size changed from {old} to {new} bits"));
        }
        let (old, new) = (self.type_index_bitwidth(r#type)?, after.type_index_bitwidth(r#type)?);
        if old != new {
            return changed("index width changed".to_owned());
        }
        let alignments = [
            ("ABI", self.type_abi_alignment(r#type)?, after.type_abi_alignment(r#type)?),
            ("preferred", self.type_preferred_alignment(r#type)?, after.type_preferred_alignment(r#type)?),
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
