//! Values that are arguments of a region: `(%x = %a, %y = %b) -> (f32, f32)`.

use crate::assembly::syntax::{Bracket, Syntax};
use crate::assembly::syntax_steps::SyntaxSteps;

/// Values that a loop carries.
pub(in crate::assembly) struct CarriedValues<S: Syntax> {
    pub(in crate::assembly) arguments: Vec<S::Argument>,
    pub(in crate::assembly) values: Vec<S::Value>,
    pub(in crate::assembly) types: Vec<S::Type>,
}

impl<S: Syntax> Default for CarriedValues<S> {
    fn default() -> Self {
        Self { arguments: Vec::new(), values: Vec::new(), types: Vec::new() }
    }
}

impl<S: Syntax> CarriedValues<S> {
    /// `keyword(%x = %a) -> (f32)`, or nothing without values.
    pub(in crate::assembly) fn with_types(
        s: &mut S,
        keyword: &str,
        arguments: &[S::Argument],
        values: &[S::Value],
    ) -> Result<Self, S::Error> {
        let is_there = s.optional_text(keyword, |_| Ok(!values.is_empty()))?;
        s.require(arguments.len() == values.len())?;
        if !is_there {
            return Ok(Self::default());
        }
        let mut carried = Self::assignments(s, arguments, values)?;
        if s.optional_text(" -> ", |_| Ok(true))? {
            let types = s.types_of(values);
            carried.types = s.types_in_parentheses(&types)?;
        }
        s.same_count(carried.values.len(), carried.types.len())?;
        carried.arguments = s.with_types(carried.arguments, &carried.types);
        Ok(carried)
    }

    /// `(%x = %a)`, whose arguments have no types yet.
    pub(in crate::assembly) fn assignments(
        s: &mut S,
        arguments: &[S::Argument],
        values: &[S::Value],
    ) -> Result<Self, S::Error> {
        s.require(arguments.len() == values.len())?;
        let mut carried = Self::default();
        s.list(Bracket::Round, values.len(), |s, place| {
            carried.arguments.push(s.argument(arguments.get(place).copied())?);
            s.text(" = ")?;
            carried.values.push(s.value(values.get(place).copied())?);
            Ok(())
        })?;
        Ok(carried)
    }
}
