//! Bodies that operations of `stablehlo` name (`stablehlo/dialect/StablehloOps.cpp` of the StableHLO project).

use crate::attr::text::parse::Parsed;
use crate::edit::arena::{ArenaRegion, ArenaValue};
use crate::format::id::TypeId;
use crate::ops::is_reducer;

use super::super::frames::{AsmParser, DeferredLocation, LocatedRow, Pending};

/// The location of an operation that is being parsed.
struct LocationAhead {
    location: u32,
    /// The name and position of an alias that is defined later.
    later: Option<(Vec<u8>, usize)>,
}

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
            Some(r#type) => self.text.element_of(r#type)?.unwrap_or(r#type),
            None => TypeId::PAST_TABLES,
        };
        let element = self.whole_type(element)?;
        let r#type = self.type_named(&format!("tensor<{element}>"))?;
        let LocationAhead { location, later } = self.own_location_ahead(pending.location)?;
        let (region, block, values) = self.new_body(&[r#type; 2], location)?;
        let place = (pending.position, location);
        let op = self.add_op(name, block, place, &values, &[r#type], Vec::new())?;
        let results: Vec<ArenaValue> = self.results_of(op).collect();
        let end = self.add_op("stablehlo.return", block, place, &results, &[], Vec::new())?;
        let arguments = values.into_iter().map(LocatedRow::Argument);
        for row in arguments.chain([op, end].map(LocatedRow::Op)) {
            self.deferred.extend(later.clone().map(|(name, position)| DeferredLocation {
                row,
                name,
                position,
            }));
        }
        Ok(region)
    }

    // The location that follows, which the caller parses for the operation; `otherwise` if it is not known.
    fn own_location_ahead(&mut self, otherwise: u32) -> Parsed<LocationAhead> {
        let start = self.lexer().clone();
        if !self.eat_word("loc")? {
            return Ok(LocationAhead { location: otherwise, later: None });
        }
        let mut later = None;
        let location = self.location_in_parentheses(|_, name, position| later = Some((name, position)))?;
        *self.lexer() = start;
        Ok(LocationAhead { location: location.unwrap_or(otherwise), later })
    }
}
