//! Results that are operands, and types with the values of their dynamic dimensions
//! (`compiler/src/iree/compiler/Dialect/Util/IR/UtilOps.cpp` of the IREE project).

use crate::assembly::syntax_steps::SyntaxSteps;
use crate::assembly::{Bracket, DirectiveSyntax, Written};
use crate::attr::text::lexer::TokenKind;

use super::iree::shaped_type;
use super::steps::DirectiveSteps;

/// Values that a result can be tied to, with their types.
pub(super) struct Targets<S: DirectiveSyntax> {
    values: Vec<S::Value>,
    types: Vec<S::Type>,
}

impl<S: DirectiveSyntax> Targets<S> {
    /// The operands of two arguments that are known or were read: their values and their types.
    pub(super) fn at(s: &mut S, call: S::Call<'_>, values: usize, types: usize) -> Result<Self, S::Error> {
        let known_values = s.values_at(call, values)?;
        Ok(match S::PRINTS {
            true => Self { values: known_values.to_vec(), types: s.types_of(&known_values) },
            false => Self { values: s.read_values_at(call, values), types: s.read_types_at(call, types) },
        })
    }
}

/// Types of results, the values of their dimensions, and the number of the operand that each is tied to, or -1.
pub(super) struct TiedResults<S: DirectiveSyntax> {
    types: Vec<S::Type>,
    sizes: Vec<S::Value>,
    tied: Vec<i64>,
}

impl<S: DirectiveSyntax> TiedResults<S> {
    pub(super) fn none() -> Self {
        Self { types: Vec::new(), sizes: Vec::new(), tied: Vec::new() }
    }

    /// `type`, or `(type{%size}, %a, %b as type)`; results without `sizes` have no dimensions.
    pub(super) fn of(
        s: &mut S,
        targets: &Targets<S>,
        known_types: &[S::Type],
        tied: &[i64],
        sizes: Option<&[S::Value]>,
    ) -> Result<Self, S::Error> {
        let mut results = Self::none();
        let item = |s: &mut S, place: usize| {
            let target = tied.get(place).copied().filter(|&number| number >= 0);
            results.result(s, targets, known_types.get(place).copied(), target)?;
            if let (Some(sizes), Some(&r#type)) = (sizes, results.types.last()) {
                let remaining_sizes = sizes.get(results.sizes.len()..).unwrap_or_default();
                let result_sizes = s.dynamic_sizes(r#type, remaining_sizes)?;
                results.sizes.extend(result_sizes);
            }
            Ok(())
        };
        match s.at(TokenKind::LeftParen, |_| Ok(known_types.len() != 1))? {
            true => s.list(Bracket::Round, known_types.len(), item)?,
            false => s.separated(known_types.len(), item)?,
        }
        Ok(results)
    }

    /// `type`, `%a`, or `%a as type`
    fn result(
        &mut self,
        s: &mut S,
        targets: &Targets<S>,
        known_type: Option<S::Type>,
        target: Option<i64>,
    ) -> Written<S> {
        let target = match target {
            Some(number) => {
                let value =
                    usize::try_from(number).ok().and_then(|number| targets.values.get(number).copied());
                Some(s.some(value)?)
            }
            None => None,
        };
        let Some(target) = s.optional_value(target)? else {
            self.types.push(s.r#type(known_type)?);
            self.tied.push(-1);
            return Ok(());
        };
        let place = targets.values.iter().position(|value| *value == target);
        let target_type = place.and_then(|place| Some((place, targets.types.get(place).copied()?)));
        let Some((place, target_type)) = target_type else {
            return Err(s.refuse("a result is tied to a value that is not an operand"));
        };
        let is_same = known_type.is_some_and(|known_type| s.is_same_type(target_type, known_type));
        let r#type = match s.optional_text(" as ", |_| Ok(!is_same))? {
            true => s.r#type(known_type)?,
            false => known_type.unwrap_or(target_type),
        };
        self.types.push(r#type);
        self.tied.push(place as i64);
        Ok(())
    }

    /// Gives the types and the dimensions, and the attribute that says which results are operands, unless there are none.
    pub(super) fn give(
        self,
        s: &mut S,
        call: S::Call<'_>,
        types: usize,
        sizes: Option<usize>,
        tied: usize,
    ) -> Written<S> {
        s.set_types_at(call, types, self.types);
        if let Some(place) = sizes {
            s.add_values_at(call, place, self.sizes);
        }
        match self.tied.is_empty() {
            true => Ok(()),
            false => s.set_integer_items_at(call, tied, "index", &self.tied),
        }
    }
}

/// `type`, or `(%a, type)`
pub(super) fn tied_results<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let targets = Targets::at(s, call, 0, 1)?;
    let (known_types, tied) = (s.types_at(call, 2)?, s.integers_at(call, 3)?);
    TiedResults::of(s, &targets, &known_types, &tied, None)?.give(s, call, 2, None, 3)
}

/// `(type{%size}, type) -> type{%size}`
pub(super) fn function_type<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let (known_types, sizes) = (s.types_at(call, 1)?, s.values_at(call, 2)?);
    let mut shown_sizes = Vec::new();
    let item = |s: &mut S, of| shaped_type(s, of, &sizes, &mut shown_sizes);
    let types = s.each(Bracket::Round, &known_types, item)?;
    s.set_types_at(call, 1, types);
    s.add_values_at(call, 2, shown_sizes);
    s.text(" -> ")?;
    let targets = Targets::at(s, call, 0, 1)?;
    let (known_types, tied) = (s.types_at(call, 3)?, s.integers_at(call, 5)?);
    let sizes = s.values_at(call, 4)?;
    TiedResults::of(s, &targets, &known_types, &tied, Some(&sizes))?.give(s, call, 3, Some(4), 5)
}
