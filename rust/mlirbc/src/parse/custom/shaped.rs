//! Types followed by the values of their dynamic dimensions, and results that are operands, of the dialects of IREE
//! (`compiler/src/iree/compiler/Dialect/Util/IR/UtilOps.cpp` of the IREE project).

use crate::attr::text::lexer::TokenKind;
use crate::attr::text::parse::Parsed;

use super::super::frames::{AsmParser, Pending};
use super::super::operands::Reference;
use super::call::{Call, CustomDirective};

pub(super) fn find(name: &str) -> Option<CustomDirective> {
    Some(match name {
        "ShapedFunctionType" => function_type,
        "TiedFunctionResultList" => tied_results,
        _ => return None,
    })
}

/// Types of results, the values of their dimensions, and the number of the operand that each is tied to, or -1.
#[derive(Default)]
pub(super) struct Results<'t> {
    pub(super) types: Vec<u32>,
    pub(super) dims: Vec<Reference<'t>>,
    pub(super) attributes: Vec<Option<u32>>,
    tied: Vec<i64>,
}

/// What a result can be tied to: values with their types.
pub(super) type Targets<'p, 't> = (&'p [(&'t [u8], u32)], &'p [u32]);

impl<'t> AsmParser<'t> {
    /// A type, and the values of its dynamic dimensions in braces.
    pub(super) fn shaped_type(
        &mut self,
        pending: &Pending<'t>,
        dims: &mut Vec<Reference<'t>>,
    ) -> Parsed<u32> {
        let r#type = self.parse_type()?;
        self.dimensions(pending, r#type, dims)?;
        Ok(r#type)
    }

    fn dimensions(
        &mut self,
        pending: &Pending<'t>,
        r#type: u32,
        dims: &mut Vec<Reference<'t>>,
    ) -> Parsed<()> {
        let expected = dynamic_parts(&self.whole_type(r#type)?);
        if expected == Some(0) || expected.is_none() && self.peek()?.kind != TokenKind::LeftBrace {
            return Ok(());
        }
        self.expect(TokenKind::LeftBrace, "`{` and the dynamic dimensions of the type")?;
        let own = self.references()?;
        self.expect(TokenKind::RightBrace, "`,` or `}` after a dimension")?;
        if expected.is_some_and(|expected| expected != own.len()) {
            let message = "the type has another number of dynamic dimensions than there are values";
            return Err(self.contents(pending, message));
        }
        dims.extend(own);
        Ok(())
    }

    /// Types or operands in parentheses, or without them; with dictionaries if the results have some.
    pub(super) fn tied_results(
        &mut self,
        pending: &Pending<'t>,
        targets: Targets<'_, 't>,
        has_dims: bool,
    ) -> Parsed<Results<'t>> {
        let mut found = Results::default();
        if self.eat(TokenKind::LeftParen)? {
            self.list(TokenKind::RightParen, "`,` or `)` after a result", |this| {
                this.tied_result(pending, targets, has_dims, &mut found)?;
                let attributes = if has_dims { None } else { this.dictionary()? };
                found.attributes.push(attributes);
                Ok(())
            })?;
            return Ok(found);
        }
        loop {
            self.tied_result(pending, targets, has_dims, &mut found)?;
            found.attributes.push(None);
            if !self.eat(TokenKind::Comma)? {
                return Ok(found);
            }
        }
    }

    // `type`, `%a`, or `%a as type`
    fn tied_result(
        &mut self,
        pending: &Pending<'t>,
        (values, types): Targets<'_, 't>,
        has_dims: bool,
        found: &mut Results<'t>,
    ) -> Parsed<()> {
        let (r#type, tied) = match self.optional_reference()? {
            None => (self.parse_type()?, -1),
            Some(target) => {
                let place = values.iter().position(|&value| value == (target.name, target.number));
                let known = place.and_then(|place| Some((types.get(place).copied()?, place as i64)));
                let Some((own, place)) = known else {
                    let message = "a result is tied to a value that is not an operand";
                    return Err(self.contents(pending, message));
                };
                (if self.eat_word("as")? { self.parse_type()? } else { own }, place)
            }
        };
        if has_dims {
            self.dimensions(pending, r#type, &mut found.dims)?;
        }
        found.types.push(r#type);
        found.tied.push(tied);
        Ok(())
    }

    /// The attribute that says which results are operands, unless there are no results.
    pub(super) fn set_tied(&mut self, pending: &mut Pending<'t>, name: &str, of: &Results<'t>) -> Parsed<()> {
        if of.tied.is_empty() {
            return Ok(());
        }
        let items: Vec<String> = of.tied.iter().map(|number| format!("{number} : index")).collect();
        self.set_text(pending, name, &format!("[{}]", items.join(", ")))
    }
}

/// The names of values.
pub(super) fn names<'t>(values: &[Reference<'t>]) -> Vec<(&'t [u8], u32)> {
    values.iter().map(|value| (value.name, value.number)).collect()
}

fn tied_results(call: &mut Call<'_, '_>) -> Parsed<()> {
    let values = names(call.values(0).unwrap_or_default());
    let inputs = call.known_types(1).unwrap_or_default();
    let results = call.parser.tied_results(call.pending, (&values, &inputs), false)?;
    let name = call.attribute_name(3);
    call.parser.set_tied(call.pending, &name, &results)?;
    call.set_types(2, results.types);
    Ok(())
}

// `(type{%dim}, type) -> type{%dim}`
fn function_type(call: &mut Call<'_, '_>) -> Parsed<()> {
    let values = names(call.values(0).unwrap_or_default());
    let (mut inputs, mut dims) = (Vec::new(), Vec::new());
    let pending = &*call.pending;
    call.parser.expect(TokenKind::LeftParen, "`(` and the types of the operands")?;
    call.parser.list(TokenKind::RightParen, "`,` or `)` after a type", |this| {
        inputs.push(this.shaped_type(pending, &mut dims)?);
        Ok(())
    })?;
    call.parser.expect(TokenKind::Arrow, "`->` and the types of the results")?;
    let results = call.parser.tied_results(pending, (&values, &inputs), true)?;
    let name = call.attribute_name(5);
    call.parser.set_tied(call.pending, &name, &results)?;
    call.set_types(1, inputs);
    call.add_values(2, dims);
    call.set_types(3, results.types);
    call.add_values(4, results.dims);
    Ok(())
}

/// How many values follow the text of a type: one for each dynamic dimension, or one for a size. `None` if it is not known
/// whether a type of a dialect has dimensions.
pub(super) fn dynamic_parts(text: &str) -> Option<usize> {
    if text.starts_with("!stream.resource<") {
        return Some(1);
    }
    let shaped = ["tensor<", "memref<", "vector<"].into_iter().find_map(|start| text.strip_prefix(start));
    let Some(inner) = shaped else {
        // Other types of dialects may be shaped.
        return (!text.contains('?')).then_some(0);
    };
    let is_dimension = |part: &&str| *part == "?" || part.bytes().all(|byte| byte.is_ascii_digit());
    Some(inner.split('x').take_while(is_dimension).filter(|part| *part == "?").count())
}
