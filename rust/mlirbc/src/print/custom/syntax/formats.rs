//! Steps of programs as the printer writes them.

use std::ops::Range;

use crate::assembly::{
    AttributeSyntax, CustomElement, Directive, FormatSyntax, Program, Progress, Quotes, Values,
};
use crate::attr::text::escape;
use crate::dialect::entries::Entries;
use crate::ops::{AttributeDefinition, Enumeration};
use crate::props::PropertyValue;

use super::super::draft::OperationDraft;
use super::super::format::{self, Format, FormatFrame};
use super::super::plan::PlanPiece;
use super::{Generic, Written, known, written};

impl OperationDraft<'_, '_, '_> {
    // The range of a name among the operands or results.
    fn range_of(&self, values: Values) -> Result<Range<usize>, Generic> {
        let groups = known(self.groups.as_deref())?;
        known(match values {
            Values::Operand(place) => groups.operands.get(place).cloned(),
            Values::Result(place) => groups.results.get(place).cloned(),
            Values::AllOperands => Some(0..self.all_operands().len()),
            Values::AllResults => Some(0..self.all_results().len()),
        })
    }
}

impl<'m> FormatSyntax for OperationDraft<'_, 'm, '_> {
    type ProgramState<'f> = FormatFrame<'f>;

    fn literal(&mut self, text: &str) -> Written {
        OperationDraft::text(self, text);
        Ok(())
    }

    fn space(&mut self) {
        OperationDraft::text(self, " ");
    }

    fn leave_out(&mut self, _: &Program, frame: &mut FormatFrame<'_>, group: Range<usize>) -> Written {
        written(frame.leave_out(self, group))
    }

    fn count(&mut self, of: Values) -> Result<usize, Generic> {
        Ok(self.range_of(of)?.len())
    }

    fn has_attribute_at(&mut self, place: usize) -> Result<bool, Generic> {
        known(format::attribute_is_present(self, place))
    }

    fn region_range(&mut self, place: usize) -> Result<Range<usize>, Generic> {
        known(format::region_range(self, place))
    }

    fn successor_range(&mut self, place: usize) -> Result<Range<usize>, Generic> {
        known(format::successor_range(self, place))
    }

    fn successor_count(&self) -> usize {
        OperationDraft::successor_count(self)
    }

    fn block(&mut self, _: usize, number: usize) -> Written {
        written(OperationDraft::successor(self, number))
    }

    fn known_types(&mut self, of: Values) -> Result<Vec<u32>, Generic> {
        let range = self.range_of(of)?;
        match of {
            Values::Operand(_) | Values::AllOperands => {
                Ok(self.operand_types(known(OperationDraft::all_operands(self).get(range))?))
            }
            Values::Result(_) | Values::AllResults => {
                Ok(known(OperationDraft::all_results(self).get(range))?.to_vec())
            }
        }
    }

    fn type_of_class(
        &mut self,
        r#type: Option<u32>,
        class: &str,
        is_qualified: bool,
    ) -> Result<u32, Generic> {
        let r#type = known(r#type)?;
        self.push(match is_qualified {
            true => PlanPiece::Type(r#type),
            false => PlanPiece::StrippedType(r#type, class.len() as u32 + 1),
        });
        Ok(r#type)
    }

    fn optional_types(&mut self, types: &[u32], _: bool) -> Result<Vec<u32>, Generic> {
        OperationDraft::types(self, types);
        Ok(Vec::new())
    }

    fn attribute_of(&mut self, of: &AttributeDefinition) -> Result<Option<u32>, Generic> {
        match known(format::property(self, of))?.value {
            PropertyValue::Attribute(index) => Ok(Some(index)),
            _ => Err(Generic),
        }
    }

    fn property_of(&mut self, of: &AttributeDefinition) -> Result<Option<PropertyValue>, Generic> {
        known(format::property(self, of)).map(|property| Some(property.value.clone()))
    }

    fn default_value(&mut self, of: &AttributeDefinition) -> Result<bool, Generic> {
        known(format::write_default(self, of))
    }

    fn number_in(&mut self, attribute: u32) -> Option<i64> {
        OperationDraft::number_in(self, attribute)
    }

    fn untyped(&mut self, attribute: Option<u32>, _: &str) -> Result<u32, Generic> {
        let attribute = known(attribute)?;
        self.push(PlanPiece::Untyped(attribute));
        Ok(attribute)
    }

    fn array_of(&mut self, attribute: Option<u32>, _: &str) -> Result<u32, Generic> {
        let attribute = known(attribute)?;
        self.push(PlanPiece::Array(attribute));
        Ok(attribute)
    }

    fn of_class(&mut self, attribute: Option<u32>, class: &str) -> Result<u32, Generic> {
        AttributeSyntax::stripped(self, attribute, class)
    }

    fn case_of_class(
        &mut self,
        attribute: Option<u32>,
        class: &str,
        cases: &Enumeration,
        format: Option<&str>,
    ) -> Result<u32, Generic> {
        let attribute = known(attribute)?;
        written(format::write_case(self, attribute, class, cases, format))?;
        Ok(attribute)
    }

    fn case_name(
        &mut self,
        name: Option<&str>,
        quotes: Quotes,
        _: &Enumeration,
        _: impl FnOnce(&str) -> Option<i64>,
    ) -> Result<i64, Generic> {
        let name = known(name)?.as_bytes();
        match quotes {
            Quotes::Never => self.bytes(name),
            Quotes::IfNeeded => self.keyword(name),
            Quotes::Always => OperationDraft::quoted(self, name),
        }
        Ok(0)
    }

    fn string_property(&mut self, index: u32) -> Written {
        let text = Entries::string(self.file, index);
        self.plan.with_text(|out| escape::write_string(out, text));
        Ok(())
    }

    fn is_apart(
        &mut self,
        _: &Program,
        frame: &FormatFrame<'_>,
        of: &AttributeDefinition,
    ) -> Result<bool, Generic> {
        known(frame.format.is_apart(self, of))
    }

    fn format_dictionary(&mut self, _: &Program, frame: &FormatFrame<'_>, has_keyword: bool) -> Written {
        let start = if has_keyword { " attributes " } else { " " };
        written(frame.format.attr_dict(self, start))
    }

    fn property_dictionary(&mut self, program: &Program) -> Written {
        written(Format::prop_dict(program, self))
    }

    fn directive(
        &mut self,
        directive: &Directive,
        program: &Program,
        frame: &FormatFrame<'_>,
        custom: &CustomElement,
        phase: u32,
    ) -> Result<Progress, Generic> {
        directive.run(self, &frame.call(program, custom), phase)
    }
}
