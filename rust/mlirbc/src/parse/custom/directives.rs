//! Custom directives of declarative formats: functions of MLIR with the variables of the format as arguments.

mod attributes;
mod cases;
mod indices;
mod types;
mod values;

use crate::assembly;
use crate::attr::text::parse::Parsed;
use crate::ops::{FormatElement, UNKNOWN_DIRECTIVES, VariableKind};

use super::super::frames::{AsmParser, Pending};
use super::super::operands::Reference;
use super::Custom;
pub(super) use super::call::Variable;
use super::call::{Call, CustomDirective};
use super::syntax::FormReader;

fn find(name: &str) -> Option<CustomDirective> {
    None.or_else(|| attributes::find(name))
        .or_else(|| cases::find(name))
        .or_else(|| indices::find(name))
        .or_else(|| types::find(name))
        .or_else(|| values::find(name))
        .or_else(|| super::blocks::find(name))
        .or_else(|| super::pcf::find(name))
        .or_else(|| super::stablehlo::find(name))
        .or_else(|| super::shaped::find(name))
        .or_else(|| super::stream::find(name))
}

impl<'t> AsmParser<'t> {
    pub(super) fn custom_directive(
        &mut self,
        pending: &mut Pending<'t>,
        custom: &mut Custom<'t>,
        name: &str,
        arguments: &[FormatElement],
    ) -> Parsed<()> {
        if UNKNOWN_DIRECTIVES.contains(&name) {
            return Err(self.unsupported(pending, "mlirbc does not know the syntax of one of its clauses"));
        }
        if let Some(directive) = assembly::Directive::of(custom.definition.name(), name) {
            let mut reader = FormReader { parser: self, pending, custom, opened: None };
            return directive.run(&mut reader, arguments);
        }
        match find(name) {
            Some(directive) => directive(&mut Call { parser: self, pending, custom, arguments }),
            None => self.clause(pending, custom, name, arguments),
        }
    }

    pub(super) fn add_values(
        &self,
        custom: &mut Custom<'t>,
        of: Option<&Variable>,
        values: Vec<Reference<'t>>,
    ) {
        if let Some(slot) = of.and_then(|of| custom.operands.get_mut(of.number)) {
            slot.extend(values);
        }
    }

    pub(super) fn add_types(&self, custom: &mut Custom<'t>, of: Option<&Variable>, types: Vec<u32>) {
        let Some(of) = of else { return };
        let slot = match of.kind {
            VariableKind::Result => custom.result_types.get_mut(of.number),
            _ => custom.operand_types.get_mut(of.number),
        };
        if let Some(slot) = slot {
            slot.get_or_insert_default().extend(types);
        }
    }

    pub(super) fn add_attribute(
        &mut self,
        pending: &mut Pending<'t>,
        custom: &Custom<'t>,
        of: Option<&Variable>,
        value: u32,
    ) {
        if let Some(of) = of {
            self.set_attribute(pending, custom, of.number, value);
        }
    }

    /// A word that is a case of the attribute's enumeration, as an attribute of its class.
    pub(super) fn class_case(
        &mut self,
        pending: &mut Pending<'t>,
        custom: &Custom<'t>,
        of: Option<&Variable>,
    ) -> Parsed<()> {
        let definition = custom.definition.clone();
        let constraint = of.and_then(|of| definition.attributes().get(of.number)?.constraint());
        let class = constraint.and_then(|constraint| constraint.class());
        let Some(class) = class else {
            return Err(self.unsupported(pending, "its clause has an attribute that is not known"));
        };
        let cases = constraint.and_then(|constraint| constraint.enumeration());
        let token = self.peek()?;
        let word = self.keyword("the name of a case")?;
        if cases.is_some_and(|cases| cases.cases().all(|(_, text)| text != word)) {
            return self.unexpected(token, "the name of a case");
        }
        let format = constraint.and_then(|constraint| constraint.assembly_format());
        let class = class.to_owned();
        let format = format.map(str::to_owned);
        let text = self.case_text(&class, format.as_deref(), &word, token.start)?;
        let value = self.text.fragment(false, &text)?;
        self.add_attribute(pending, custom, of, value);
        Ok(())
    }
}
