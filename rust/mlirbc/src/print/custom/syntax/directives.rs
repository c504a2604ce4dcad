//! How the printer writes it: what a directive says of its arguments.

use crate::assembly::{CaseStyle, DirectiveSyntax, ValuesAndTypes, case_in};
use crate::ir::ValueId;
use crate::props::PropertyValue;

use super::super::cases::case;
use super::super::directives;
use super::super::draft::{EntryValue, OperationDraft};
use super::super::format::{Argument, Call, dictionary_entries, region_range, successor_range};
use super::{Generic, Written, known, written};

impl<'m> DirectiveSyntax for OperationDraft<'_, 'm, '_> {
    type Call<'c> = &'c Call<'c>;

    fn arguments_of<'c: 'c>(call: &'c Call<'c>) -> &'c [Argument] {
        call.arguments
    }

    fn mentioned<'c: 'c>(call: &'c Call<'c>) -> Vec<&'c str> {
        call.elided.iter().map(|name| &**name).collect()
    }

    fn values_at(&mut self, call: &Call<'_>, place: usize) -> Result<&'m [ValueId], Generic> {
        known(directives::operands(self, call, place))
    }

    fn types_at(&mut self, call: &Call<'_>, place: usize) -> Result<Vec<u32>, Generic> {
        known(directives::types(self, call, place))
    }

    fn attribute_at(&mut self, call: &Call<'_>, place: usize) -> Result<Option<u32>, Generic> {
        known(directives::attr(self, call, place))
    }

    fn value_count_at(&mut self, call: &Call<'_>, place: usize) -> usize {
        directives::operands(self, call, place).map_or(0, <[_]>::len)
    }

    fn region_at(&mut self, call: &Call<'_>, place: usize, number: usize) -> Result<usize, Generic> {
        match call.arguments.get(place) {
            Some(Argument::Region(of)) => Ok(known(region_range(self, *of))?.start + number),
            _ => Err(Generic),
        }
    }

    fn region_count_at(&mut self, call: &Call<'_>, place: usize) -> usize {
        match call.arguments.get(place) {
            Some(Argument::Region(of)) => region_range(self, *of).map_or(0, |range| range.len()),
            _ => 0,
        }
    }

    fn successor_at(
        &mut self,
        call: &Call<'_>,
        place: usize,
        number: usize,
        operands: &[ValueId],
    ) -> Result<ValuesAndTypes<Self>, Generic> {
        let Some(Argument::Successor(of)) = call.arguments.get(place) else { return Err(Generic) };
        let first = known(successor_range(self, *of))?.start;
        written(self.successor_with(first + number, operands))?;
        Ok((Vec::new(), Vec::new()))
    }

    fn successor_count_at(&mut self, call: &Call<'_>, place: usize) -> usize {
        match call.arguments.get(place) {
            Some(Argument::Successor(of)) => successor_range(self, *of).map_or(0, |range| range.len()),
            _ => 0,
        }
    }

    fn word_at(&mut self, call: &Call<'_>, place: usize) -> Written {
        let attribute = known(self.attribute_at(call, place)?)?;
        if let Some(text) = OperationDraft::string(self, attribute) {
            return written(self.bare(text));
        }
        let text = known(OperationDraft::word(self, attribute))?;
        self.bytes(known(case_in(&text))?);
        Ok(())
    }

    fn case_at(&mut self, call: &Call<'_>, place: usize, style: CaseStyle) -> Written {
        let case = known(self.known_case_at(call, place)?)?;
        match style {
            CaseStyle::Word => OperationDraft::text(self, &case),
            CaseStyle::Quoted => OperationDraft::quoted(self, case.as_bytes()),
        }
        Ok(())
    }

    fn known_case_at(&mut self, call: &Call<'_>, place: usize) -> Result<Option<String>, Generic> {
        let name = call.arguments.get(place).and_then(|argument| argument.attribute_name(self.definition));
        let case = known(name.and_then(|name| case(self, name)))?;
        Ok(Some(case).filter(|case| !case.is_empty()))
    }

    fn native_integer_at(&mut self, call: &Call<'_>, place: usize) -> Result<i64, Generic> {
        let Some(Argument::Attribute(place)) = call.arguments.get(place) else { return Err(Generic) };
        let definition = known(self.definition.attributes().get(*place))?;
        match known(self.property(definition.name()))?.value {
            PropertyValue::Int(number) => Ok(number),
            PropertyValue::Absent => Ok(0),
            _ => Err(Generic),
        }
    }

    fn native_booleans_at(&mut self, call: &Call<'_>, place: usize) -> Result<Vec<bool>, Generic> {
        let Some(Argument::Attribute(place)) = call.arguments.get(place) else { return Err(Generic) };
        let definition = known(self.definition.attributes().get(*place))?;
        let property = known(self.property(definition.name()))?;
        let PropertyValue::Array(flags) = &property.value else { return Err(Generic) };
        let flag = |flag: &PropertyValue| match flag {
            PropertyValue::Bool(flag) => Ok(*flag),
            _ => Err(Generic),
        };
        flags.iter().map(flag).collect()
    }

    fn dictionary_without(&mut self, call: &Call<'_>, name: &str, value: &str) -> Written {
        let mut entries = known(dictionary_entries(self, call.elided, false, true))?;
        entries.retain(|&(own, given)| match given {
            EntryValue::Attribute(index) => {
                own != name.as_bytes() || !OperationDraft::is_written(self, index, value)
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
        if !entries.is_empty() {
            OperationDraft::text(self, " ");
            OperationDraft::dictionary(self, &entries);
        }
        Ok(())
    }
}
