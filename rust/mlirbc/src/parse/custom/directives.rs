//! Custom directives of declarative formats: those that are not known, and cases of enumerations as words.

use crate::attr::text::parse::{Failure, Parsed};
use crate::ops::UNKNOWN_DIRECTIVES;

use super::super::frames::{AsmParser, Pending};
use super::Custom;
use super::call::Variable;

impl<'t> AsmParser<'t> {
    /// The error of a directive that no function reads.
    #[cold]
    pub(super) fn unknown_directive(&self, pending: &Pending<'t>, name: &str) -> Failure {
        let why = match UNKNOWN_DIRECTIVES.contains(&name) {
            true => "mlirbc does not know the syntax of one of its clauses",
            false => "its format has a directive that is not known",
        };
        self.unsupported(pending, why)
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
        if let Some(of) = of {
            self.set_attribute(pending, custom, of.number, value);
        }
        Ok(())
    }
}
