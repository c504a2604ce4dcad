//! The bodies of `pcf.generic` and `pcf.loop` (`PCFOps.cpp` of the IREE project).

use crate::assembly::syntax_steps::SyntaxSteps;
use crate::assembly::{Bracket, DirectiveSyntax, Flow, RegionStyle, Written};

use super::steps::DirectiveSteps;

directives! {
    IndexCount: "InferNumIndexArgs" => index_count;
    Body: "ParallelExecutionBody" => body,
}

/// The number of indices, which follows from the arguments of the region.
fn index_count<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let count = s.kept_numbers().pop().unwrap_or_default();
    s.set_integer_at(call, 2, count, "i64")
}

/// Lines of this, and the region:
///
/// ```text
///       -> (%a: index)
///     execute(%ref = %init, %other)[%id: index]
///          : (!pcf.sref<…>, !pcf.sref<…>)
///         -> (tensor<4xf32>, tensor<?xf32>{%d}) {…}
/// ```
fn body<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Flow<S> {
    let number = s.only_region(call)?;
    let (known_arguments, results) = (s.arguments(number)?, s.types_at(call, 3)?);
    let has_leading = S::argument_count(call) > 6;
    let count = if has_leading { s.native_integer_at(call, 6)? } else { 0 };
    let count = s.some(usize::try_from(count).ok())?;
    let (leading, rest) = s.some(known_arguments.split_at_checked(count))?;
    let (references, indices) = s.some(rest.split_at_checked(results.len()))?;
    let mut all = Vec::new();
    if has_leading {
        if s.optional_text("-> ", |_| Ok(!leading.is_empty()))? {
            all = s.each(Bracket::Round, leading, S::typed_argument)?;
        }
        s.set_integer_at(call, 6, all.len() as i64, "i64")?;
    }
    s.newline();
    s.text("  execute")?;
    let mut read_references = References::of(s, call, references)?;
    let indices = s.each(Bracket::Square, indices, S::typed_argument)?;
    match read_references.arguments.is_empty() {
        true => s.text(" ")?,
        false => read_references.types(s, call, references, &results)?,
    }
    s.keep_number(indices.len() as i64);
    all.extend(read_references.give(s, call)?);
    all.extend(indices);
    s.region(number, RegionStyle::BODY, all)
}

/// Arguments of the region, one for each result; some have an initial value.
struct References<S: DirectiveSyntax> {
    arguments: Vec<S::Argument>,
    is_tied: Vec<bool>,
    inits: Vec<S::Value>,
    init_types: Vec<S::Type>,
    sizes: Vec<S::Value>,
    results: Vec<S::Type>,
}

impl<S: DirectiveSyntax> References<S> {
    /// `(%ref = %init, %other)`, or nothing.
    fn of(s: &mut S, call: S::Call<'_>, known_arguments: &[S::Argument]) -> Result<Self, S::Error> {
        let (inits, tied) = (s.values_at(call, 0)?, s.native_booleans_at(call, 4)?);
        let count = tied.iter().filter(|flag| **flag).count();
        s.require(tied.len() == known_arguments.len() && count == inits.len())?;
        let mut references = Self {
            arguments: Vec::new(),
            is_tied: Vec::new(),
            inits: Vec::new(),
            init_types: Vec::new(),
            sizes: Vec::new(),
            results: Vec::new(),
        };
        if !s.optional_text("(", |_| Ok(!known_arguments.is_empty()))? {
            return Ok(references);
        }
        s.separated(known_arguments.len(), |s, place| {
            references.arguments.push(s.argument(known_arguments.get(place).copied())?);
            let is_tied = s.optional_text(" = ", |_| Ok(tied.get(place) == Some(&true)))?;
            if is_tied {
                let known_init = inits.get(references.inits.len()).copied();
                references.inits.push(s.value(known_init)?);
            }
            references.is_tied.push(is_tied);
            Ok(())
        })?;
        s.text(")")?;
        Ok(references)
    }

    /// Writes or reads the types of the arguments, and the types of the results with their sizes.
    fn types(
        &mut self,
        s: &mut S,
        call: S::Call<'_>,
        references: &[S::Argument],
        results: &[S::Type],
    ) -> Written<S> {
        let mut known_types = Vec::new();
        for argument in references {
            known_types.push(s.argument_type(*argument)?);
        }
        s.newline();
        s.text("       : ")?;
        let types = s.types_in_parentheses(&known_types)?;
        if !S::PRINTS && types.len() != self.arguments.len() {
            return Err(s.refuse("there is a type for each argument after `execute`"));
        }
        self.arguments = s.with_types(std::mem::take(&mut self.arguments), &types);
        s.newline();
        s.text("      -> (")?;
        let sizes = s.values_at(call, 2)?;
        for place in 0..self.arguments.len() {
            if place > 0 {
                s.text(", ")?;
            }
            self.result(s, place, results.get(place).copied(), &sizes)?;
        }
        s.text(") ")
    }

    /// `type`, or `type{%size}` for a result without an initial value
    fn result(
        &mut self,
        s: &mut S,
        place: usize,
        known_type: Option<S::Type>,
        sizes: &[S::Value],
    ) -> Written<S> {
        let r#type = s.r#type(known_type)?;
        self.results.push(r#type);
        if self.is_tied.get(place) == Some(&true) {
            self.init_types.push(r#type);
            return Ok(());
        }
        let remaining_sizes = sizes.get(self.sizes.len()..).unwrap_or_default();
        let result_sizes = s.dynamic_sizes(r#type, remaining_sizes)?;
        self.sizes.extend(result_sizes);
        Ok(())
    }

    fn give(self, s: &mut S, call: S::Call<'_>) -> Result<Vec<S::Argument>, S::Error> {
        s.give_at(call, 0, self.inits, self.init_types);
        s.give_at(call, 2, self.sizes, self.results);
        let flags: Vec<i64> = self.is_tied.into_iter().map(i64::from).collect();
        s.set_integer_items_at(call, 4, "i1", &flags)?;
        Ok(self.arguments)
    }
}
