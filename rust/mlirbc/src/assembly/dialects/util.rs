//! Operations of `util` (`compiler/src/iree/compiler/Dialect/Util/IR/UtilOps.cpp` of the IREE project).

use crate::assembly::blocks::FunctionSignature;
use crate::assembly::syntax_steps::SyntaxSteps;
use crate::assembly::{Bracket, Flow, Progress, Syntax, Written};
use crate::attr::text::lexer::TokenKind;

forms! {
    /// Operands and lists of attributes alternate; a list of one has no brackets.
    Assumption: "assume.int" => assumption;
    /// A result may be an argument that it is tied to.
    Function: "func" => function,
}

/// `%a<umin = 0>, %b[<umin = 0>, <umax = 4>] : index, index`; several on lines of their own.
fn assumption<S: Syntax>(s: &mut S, _: u32) -> Flow<S> {
    const CLASS: &str = "util.int.assumption";
    let operands = s.all_operands();
    let mut known_lists = Vec::new();
    if S::PRINTS {
        let lists = s.attr("assumptions").and_then(|lists| s.items(lists));
        for list in s.some(lists)? {
            let items = s.items(list);
            known_lists.push(s.some(items)?);
        }
        s.require(known_lists.len() == operands.len())?;
    }
    let has_lines = operands.len() > 1;
    s.text(" ")?;
    if has_lines {
        s.indent();
        s.indent();
        s.newline();
    }
    let (mut values, mut lists) = (Vec::new(), Vec::new());
    s.separated(operands.len(), |s, place| {
        if place > 0 {
            s.newline();
        }
        values.push(s.value(operands.get(place).copied())?);
        let (known_lists, mut items) = (known_lists.get(place).map_or(&[][..], Vec::as_slice), Vec::new());
        match s.at(TokenKind::LeftSquare, |_| Ok(known_lists.len() != 1))? {
            true => s.list(Bracket::Square, known_lists.len(), |s, place| {
                items.push(s.stripped(known_lists.get(place).copied(), CLASS)?);
                Ok(())
            })?,
            false => items.push(s.stripped(known_lists.first().copied(), CLASS)?),
        }
        lists.push(items);
        Ok(())
    })?;
    if has_lines {
        s.dedent();
        s.newline();
    } else {
        s.text(" ")?;
    }
    s.text(": ")?;
    let known_types = s.types_of(&operands);
    let types = s.types(&known_types)?;
    s.set_arrays("assumptions", &lists)?;
    s.attr_dict(&["assumptions"])?;
    if has_lines {
        s.dedent();
    }
    s.give(0, values, types.clone());
    s.give_results(types);
    Ok(Progress::Done)
}

/// `public @name(%a: type) -> (%a as type) attributes {…} {`
fn function<S: Syntax>(s: &mut S) -> Flow<S> {
    let (inputs, outputs) = s.known_function("function_type")?;
    let (input_attributes, output_attributes) = (s.known_items("arg_attrs")?, s.known_items("res_attrs")?);
    let tied = s.integers_of("tied_operands").unwrap_or_default();
    let visibility = s.attr("sym_visibility");
    s.text(" ")?;
    if visibility.is_none() {
        s.lose("that it has no visibility");
    }
    s.visibility_or_public(visibility)?;
    s.text(" ")?;
    s.symbol_name()?;
    let mut signature = FunctionSignature::default();
    s.list(Bracket::Round, inputs.len(), |s, place| {
        signature.numbered_input(s, place, inputs.get(place).copied(), input_attributes.get(place).copied())
    })?;
    let mut results = TiedResults { tied: Vec::new(), known: &tied, outputs: &outputs };
    if s.optional_text(" -> ", |_| Ok(!outputs.is_empty()))? {
        let has_parentheses = s.at(TokenKind::LeftParen, |s| {
            let mut has_attributes = false;
            for &dictionary in &output_attributes {
                let pairs = s.pairs(dictionary);
                has_attributes |= !s.some(pairs)?.is_empty();
            }
            Ok(outputs.len() != 1 || has_attributes)
        })?;
        match has_parentheses {
            true => s.list(Bracket::Round, outputs.len(), |s, place| {
                results.read(s, place, &mut signature)?;
                let dictionary = s.dictionary(output_attributes.get(place).copied(), true)?;
                signature.result_attributes.push(dictionary);
                Ok(())
            })?,
            false => s.separated(outputs.len(), |s, place| {
                signature.result_attributes.push(None);
                results.read(s, place, &mut signature)
            })?,
        }
    }
    if !results.tied.is_empty() {
        s.set_integer_items("tied_operands", "index", &results.tied)?;
    }
    signature.give(s, "function_type")?;
    s.function_attributes(&[
        "sym_name",
        "function_type",
        "tied_operands",
        "sym_visibility",
        "arg_attrs",
        "res_attrs",
    ])?;
    s.optional_body(signature.arguments)
}

/// Results that are types, or arguments that they are tied to.
struct TiedResults<'k, S: Syntax> {
    /// The number of an argument, or -1.
    tied: Vec<i64>,
    known: &'k [i64],
    outputs: &'k [S::Type],
}

impl<S: Syntax> TiedResults<'_, S> {
    /// `type`, `%a`, or `%a as type`.
    fn read(&mut self, s: &mut S, place: usize, signature: &mut FunctionSignature<S>) -> Written<S> {
        let output = self.outputs.get(place).copied();
        let known_target = self.known.get(place).and_then(|&number| usize::try_from(number).ok());
        let target = s.tied_argument(known_target, &signature.arguments)?;
        let target_type = target.and_then(|number| signature.types.get(number).copied());
        let r#type = match (target, target_type) {
            (None, _) => s.r#type(output)?,
            (Some(_), Some(input)) => {
                let is_same = output.is_some_and(|output| s.is_same_type(input, output));
                match s.optional_text(" as ", |_| Ok(!is_same))? {
                    true => s.r#type(output)?,
                    false => input,
                }
            }
            (Some(_), None) => s.type_after(" as ", output)?,
        };
        signature.results.push(r#type);
        self.tied.push(target.map_or(-1, |number| number as i64));
        Ok(())
    }
}
