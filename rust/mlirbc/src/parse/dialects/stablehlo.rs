//! Bodies that operations of `stablehlo` name (`stablehlo/dialect/StablehloOps.cpp` of the StableHLO project).

use crate::attr::text::parse::Parsed;
use crate::edit::arena::{ArenaRegion, ArenaValue};
use crate::format::id::TypeId;
use crate::ops::is_reducer;

use super::super::frames::{AsmParser, Pending};

impl<'t> AsmParser<'t> {
    /// `applies name`, or nothing.
    pub(in crate::parse) fn reducer(&mut self) -> Parsed<Option<String>> {
        if !self.eat_word("applies")? {
            return Ok(None);
        }
        let token = self.next()?;
        let name = self.custom_name(token)?.name.to_string();
        let definition = self.definitions.as_ref().and_then(|known| known.get(&name));
        match definition.is_some_and(|definition| is_reducer(&definition)) {
            true => Ok(Some(name)),
            false => self.unexpected(token, "a commutative operation of StableHLO with two operands"),
        }
    }

    /// A region with that operation, for values of a type.
    pub(in crate::parse) fn reducer_body(
        &mut self,
        pending: &Pending<'t>,
        name: &str,
        r#type: Option<TypeId>,
    ) -> Parsed<ArenaRegion> {
        let element = match r#type {
            Some(r#type) => self.text.element_of(r#type)?.unwrap_or(TypeId::new(r#type.number())),
            None => TypeId::PAST_TABLES,
        };
        let element = self.whole_type(element)?;
        let r#type = self.type_named(&format!("tensor<{element}>"))?;
        let location = self.own_location_ahead(pending.location)?;
        let (region, block, values) = self.new_body(&[r#type; 2], location)?;
        let place = (pending.position, location);
        let op = self.add_op(name, block, place, &values, &[TypeId::new(r#type.number())], Vec::new())?;
        let results: Vec<ArenaValue> = self.results_of(op).collect();
        self.add_op("stablehlo.return", block, place, &results, &[], Vec::new())?;
        Ok(region)
    }

    // The location that follows, which the caller parses for the operation; the given one if none does.
    fn own_location_ahead(&mut self, otherwise: u32) -> Parsed<u32> {
        let start = self.lexer().clone();
        if !self.eat_word("loc")? {
            return Ok(otherwise);
        }
        let mut later = None;
        let location = self.location_in_parentheses(|_, name, position| later = Some((name, position)))?;
        let location = match (location, later) {
            (Some(location), _) => location,
            (None, Some((name, position))) => self.later_location(name, position),
            (None, None) => otherwise,
        };
        *self.lexer() = start;
        Ok(location)
    }
}
