//! Implements [`DirectiveSyntax`] for the printer: the arguments of directives.

use crate::assembly::{Argument, AttributeSyntax, CaseStyle, DirectiveCall, DirectiveSyntax, case_in};
use crate::attr::text::entry::string_of;
use crate::format::id::AttrId;
use crate::props::PropertyValue;

use super::super::draft::{EntryValue, OperationDraft};
use super::{Generic, Written, known, written};

impl<'a> OperationDraft<'a, '_, '_> {
    fn property_at(&self, call: DirectiveCall<'_>, place: usize) -> Option<&'a PropertyValue> {
        let Argument::Attribute(place) = call.arguments.get(place)? else { return None };
        Some(&self.property(self.definition.attributes().get(*place)?.name())?.value)
    }
}

impl<'m> DirectiveSyntax for OperationDraft<'_, 'm, '_> {
    type Call<'c> = DirectiveCall<'c>;

    fn attribute_at(&mut self, call: DirectiveCall<'_>, place: usize) -> Result<Option<AttrId>, Generic> {
        if let Some(Argument::Undeclared(name)) = call.arguments.get(place) {
            return Ok(self.any_attr(name).map(AttrId::number).map(AttrId::new));
        }
        match known(self.property_at(call, place))? {
            PropertyValue::Attribute(index) => Ok(Some(*index)),
            PropertyValue::Absent => Ok(None),
            _ => Err(Generic),
        }
    }

    fn word_at(&mut self, call: DirectiveCall<'_>, place: usize) -> Written {
        let attribute = known(self.attribute_at(call, place)?)?;
        if let Some(text) = string_of(self.file, attribute) {
            return written(self.bare(text));
        }
        let text = known(OperationDraft::word(self, attribute))?;
        self.bytes(known(case_in(&text))?);
        Ok(())
    }

    fn case_at(&mut self, call: DirectiveCall<'_>, place: usize, style: CaseStyle) -> Written {
        let case = known(self.known_case_at(call, place)?)?;
        match style {
            CaseStyle::Word => OperationDraft::text(self, &case),
            CaseStyle::Quoted => OperationDraft::quoted(self, case.as_bytes()),
        }
        Ok(())
    }

    fn known_case_at(&mut self, call: DirectiveCall<'_>, place: usize) -> Result<Option<String>, Generic> {
        let argument = known(call.arguments.get(place))?;
        let case = self.case(known(argument.attribute_name(self.definition))?)?;
        Ok(Some(case).filter(|case| !case.is_empty()))
    }

    fn native_integer_at(&mut self, call: DirectiveCall<'_>, place: usize) -> Result<i64, Generic> {
        match known(self.property_at(call, place))? {
            PropertyValue::Int(number) => Ok(*number),
            PropertyValue::Absent => Ok(0),
            _ => Err(Generic),
        }
    }

    fn native_booleans_at(&mut self, call: DirectiveCall<'_>, place: usize) -> Result<Vec<bool>, Generic> {
        let PropertyValue::Array(flags) = known(self.property_at(call, place))? else { return Err(Generic) };
        let flag = |flag: &PropertyValue| match flag {
            PropertyValue::Bool(flag) => Ok(*flag),
            _ => Err(Generic),
        };
        flags.iter().map(flag).collect()
    }

    fn dictionary_without(&mut self, call: DirectiveCall<'_>, name: &str, value: &str) -> Written {
        let mut entries = known(self.format_entries(call.mentioned, false, true))?;
        entries.retain(|&(own, given)| match given {
            EntryValue::Attribute(index) => {
                own != name.as_bytes() || !OperationDraft::is_written(self, AttrId::new(index), value)
            }
            EntryValue::Text(_) => true,
        });
        // Flags got words of their own.
        let is_own = |name: &[u8]| self.inherent.iter().any(|one| one.name().as_bytes() == name);
        if OperationDraft::release(self).separates_properties()
            && entries.iter().any(|(name, _)| is_own(name))
        {
            return Err(Generic);
        }
        self.dictionary_after(" ", &entries);
        Ok(())
    }
}
