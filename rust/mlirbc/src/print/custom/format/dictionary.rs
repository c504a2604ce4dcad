//! Dictionaries of declarative formats, and properties that a format does not mention.

use crate::assembly::Program;
use crate::ops::AttributeDefinition;
use crate::props::PropertyValue;

use super::super::draft::{Drafted, EntryValue, OperationDraft, is_segment_name};
use super::Format;

impl Format {
    /// The dictionary of a format, which begins with `start`, or nothing.
    pub(in crate::print::custom) fn attr_dict(
        &self,
        draft: &mut OperationDraft<'_, '_, '_>,
        start: &str,
    ) -> Drafted {
        if self.refuses_properties && self.has_other_properties(draft)? {
            return None;
        }
        let is_apart = self.program.has_prop_dict() || self.program.separates_properties();
        let elides_defaults = !self.program.is_transcribed();
        let entries = dictionary_entries(draft, self.program.elided(), is_apart, elides_defaults)?;
        if !entries.is_empty() {
            draft.text(start);
            draft.dictionary(&entries);
        }
        Some(())
    }

    // Whether an inherent attribute is set that the format does not mention.
    fn has_other_properties(&self, draft: &mut OperationDraft<'_, '_, '_>) -> Option<bool> {
        let inherent = draft.inherent;
        for property in inherent.iter().filter(|one| !matches!(one.value, PropertyValue::Absent)) {
            let name = property.name();
            let is_mentioned = is_segment_name(name) || self.program.mentions(name);
            let definition = draft.definition.attribute(name);
            let is_default = match definition {
                Some(definition) => definition.is_native() || draft.is_default(definition, property)?,
                None => false,
            };
            if !is_mentioned && !is_default {
                return Some(true);
            }
        }
        Some(false)
    }

    /// Whether an attribute that the format does not mention is written before the dictionary.
    pub(in crate::print::custom) fn is_apart(
        &self,
        draft: &mut OperationDraft<'_, '_, '_>,
        of: &AttributeDefinition,
    ) -> Option<bool> {
        let name = of.name();
        let property = draft.property(name).filter(|one| !matches!(one.value, PropertyValue::Absent));
        let Some(property) = property.filter(|_| !is_segment_name(name) && !self.program.mentions(name))
        else {
            return Some(false);
        };
        let has_default = of.default().is_some() || property.default.is_some();
        if has_default && draft.is_default(of, property)? {
            draft.note_default(of);
            return Some(false);
        }
        (!self.is_earlier && !of.is_native()).then_some(true)
    }

    /// The dictionary of inherent attributes, or nothing.
    pub(in crate::print::custom) fn prop_dict(
        program: &Program,
        draft: &mut OperationDraft<'_, '_, '_>,
    ) -> Drafted {
        let elided: Vec<&str> = program.elided().iter().map(|name| &**name).collect();
        let discardable = std::mem::take(&mut draft.discardable);
        let entries = draft.dictionary_entries(&elided, true);
        draft.discardable = discardable;
        if draft.lost.take().is_some() {
            return None;
        }
        let entries = entries?;
        if !entries.is_empty() {
            draft.text(if program.separates_properties() { " <" } else { "<" });
            draft.dictionary(&entries);
            draft.text(">");
        }
        Some(())
    }
}

/// The entries of `attr-dict` of a format that prints these attributes.
pub(in crate::print::custom) fn dictionary_entries<'a>(
    draft: &mut OperationDraft<'a, '_, '_>,
    elided: &[Box<str>],
    has_prop_dict: bool,
    elides_defaults: bool,
) -> Option<Vec<(&'a [u8], EntryValue<'a>)>> {
    if has_prop_dict {
        let inherent = std::mem::take(&mut draft.inherent);
        let entries = draft.dictionary_entries(&[], true);
        draft.inherent = inherent;
        return entries;
    }
    if draft.discardable.is_empty()
        && draft.inherent.iter().all(|one| elided.iter().any(|name| **name == *one.name()))
    {
        return Some(Vec::new());
    }
    let elided: Vec<&str> = elided.iter().map(|name| &**name).collect();
    draft.dictionary_entries(&elided, elides_defaults)
}
