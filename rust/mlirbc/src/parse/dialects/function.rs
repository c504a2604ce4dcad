//! Pieces of functions (`mlir/lib/Interfaces/FunctionImplementation.cpp`).

use crate::attr::text::lexer::TokenKind;
use crate::attr::text::parse::Parsed;
use crate::format::id::AttrId;

use super::super::frames::{AsmParser, Pending};
use super::super::region::EntryArgument;

impl<'t> AsmParser<'t> {
    /// `attributes {…}`, without the attributes that were written before.
    pub(in crate::parse) fn function_attributes(&mut self, pending: &mut Pending<'t>) -> Parsed<()> {
        if self.eat_word("attributes")? {
            let brace = self.expect(TokenKind::LeftBrace, "`{` and the attributes")?;
            let first = pending.attributes.len();
            let mut more = Vec::new();
            self.attributes(&mut more)?;
            for (name, value) in more {
                if pending.attributes.iter().take(first).any(|(known, _)| *known == name) {
                    let name = self.attribute_names.get(name as usize).cloned().unwrap_or_default();
                    let name = String::from_utf8_lossy(&name).into_owned();
                    let message =
                        format!("attribute `{name}` is written before the arguments, not in the dictionary");
                    let error = super::super::frames::wrong(
                        crate::wire::error::ErrorKind::AsmContents,
                        brace.start,
                        message,
                    );
                    return Err(error);
                }
                pending.attributes.push((name, value));
            }
        }
        Ok(())
    }

    /// `loc(…)` of an argument, if it comes next.
    pub(in crate::parse) fn argument_location(&mut self, argument: &mut EntryArgument<'t>) -> Parsed<()> {
        if self.eat_word("loc")? {
            // An alias that is defined later is resolved when the argument is made.
            let mut later = None;
            let location =
                self.location_in_parentheses(|_, name, position| later = Some((name, position)))?;
            match (location, later) {
                _ if self.options.positions => {}
                (Some(location), _) => argument.location = location,
                (None, Some((name, position))) => {
                    argument.location = self.later_location(name, position);
                }
                (None, None) => {}
            }
        }
        Ok(())
    }

    pub(in crate::parse) fn skipped_location(&mut self) -> Parsed<()> {
        if self.eat_word("loc")? {
            self.location_in_parentheses(|_, _, _| {})?;
        }
        Ok(())
    }

    /// A dictionary, if there is one.
    pub(in crate::parse) fn dictionary(&mut self) -> Parsed<Option<AttrId>> {
        if !self.eat(TokenKind::LeftBrace)? {
            return Ok(None);
        }
        let mut entries = Vec::new();
        self.attributes(&mut entries)?;
        if entries.is_empty() {
            return Ok(None);
        }
        let named = entries
            .into_iter()
            .map(|(name, value)| {
                (self.attribute_names.get(name as usize).cloned().unwrap_or_default(), AttrId::new(value))
            })
            .collect();
        self.text.dictionary_value(named).map(Some)
    }
}
