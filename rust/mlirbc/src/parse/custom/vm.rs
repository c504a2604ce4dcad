//! Operations of `vm` with formats that are written by hand
//! (`compiler/src/iree/compiler/Dialect/VM/IR/VMOps.cpp` of the IREE project).

use crate::attr::text::lexer::TokenKind;
use crate::attr::text::parse::Parsed;

use super::super::frames::{AsmParser, Pending};
use super::super::operands::Reference;
use super::call::{Call, CustomDirective};
use super::parts::same_types;
use super::{Custom, HandWritten, Parsing};

/// The function for a hand-written format.
pub(super) fn form<'t>(name: &str) -> Option<HandWritten<'t>> {
    let form: HandWritten<'t> = match name {
        "vm.call.variadic" => AsmParser::vm_variadic_call,
        "vm.cond_fail" => AsmParser::vm_conditional_failure,
        "vm.export" => AsmParser::vm_export,
        "vm.func" => AsmParser::function,
        "vm.import" => AsmParser::vm_import,
        "vm.initializer" => AsmParser::initializer,
        "vm.switch.ref" => AsmParser::vm_switch,
        _ => return None,
    };
    Some(form)
}

pub(super) fn find(name: &str) -> Option<CustomDirective> {
    match name {
        "ResultTypeList" => Some(result_types),
        _ => None,
    }
}

// `(type, type)`, as an attribute
fn result_types(call: &mut Call<'_, '_>) -> Parsed<()> {
    let mut items = Vec::new();
    call.parser.expect(TokenKind::LeftParen, "`(` and the types of the results")?;
    call.parser.list(TokenKind::RightParen, "`,` or `)` after a type", |this| {
        let r#type = this.parse_type()?;
        items.push(this.text.type_value(r#type)?);
        Ok(())
    })?;
    let value = call.parser.text.array_value(&items)?;
    call.set_attribute(0, value);
    Ok(())
}

// An argument of a call: a value, or a list of values, which may be tuples.
enum Segment<'t> {
    One(Reference<'t>),
    List(Vec<Reference<'t>>),
}

impl<'t> AsmParser<'t> {
    /// `@f as("name") attributes {…}`
    fn vm_export(&mut self, pending: &mut Pending<'t>, _: &mut Custom<'t>, _: u32) -> Parsing<'t> {
        self.symbol_as(pending, "function_ref", "export_name")?;
        self.attributes_with_keyword(pending)?;
        Ok(None)
    }

    /// `private optional @f(%name : type, type ...) -> type attributes {…}`
    fn vm_import(&mut self, pending: &mut Pending<'t>, _: &mut Custom<'t>, _: u32) -> Parsing<'t> {
        self.optional_visibility(pending)?;
        self.unit_keyword(pending, "optional", "is_optional")?;
        self.symbol_name(pending)?;
        let (mut types, mut attributes) = (Vec::new(), Vec::new());
        self.expect(TokenKind::LeftParen, "`(` and the arguments")?;
        self.list(TokenKind::RightParen, "`,` or `)` after an argument", |this| {
            let mut own = Vec::new();
            if let Some(name) = this.optional_reference()? {
                let name = this.text.string_value(name.name.get(1..).unwrap_or_default())?;
                own.push((b"vm.name".to_vec(), name));
                this.expect(TokenKind::Colon, "`:` and the type of the argument")?;
            }
            types.push(this.parse_type()?);
            if this.eat(TokenKind::Ellipsis)? {
                own.push((b"vm.variadic".to_vec(), this.text.unit_value()?));
            }
            let own = if own.is_empty() { None } else { Some(this.text.dictionary_value(own)?) };
            attributes.push(own);
            Ok(())
        })?;
        let results = self.optional_results()?;
        self.array_of_dictionaries(pending, "arg_attrs", &attributes)?;
        let r#type = self.text.function_value(&types, &results)?;
        let r#type = self.text.type_value(r#type)?;
        self.set_named(pending, "function_type", r#type);
        self.attributes_with_keyword(pending)?;
        Ok(None)
    }

    /// `%condition, %status, "message"`, of which only the status is required
    fn vm_conditional_failure(
        &mut self,
        pending: &mut Pending<'t>,
        custom: &mut Custom<'t>,
        _: u32,
    ) -> Parsing<'t> {
        let condition = self.reference()?;
        let mut status = condition;
        let mut has_comma = self.eat(TokenKind::Comma)?;
        if has_comma && let Some(value) = self.optional_reference()? {
            status = value;
            has_comma = self.eat(TokenKind::Comma)?;
        }
        if has_comma {
            self.named_attribute(pending, "message")?;
        }
        self.optional_attributes(pending)?;
        let i32 = self.type_named("i32")?;
        custom.give_at(0, vec![condition], vec![i32]);
        custom.give_at(1, vec![status], vec![i32]);
        Ok(None)
    }

    /// `%index[%a, %b] else %default : type`
    fn vm_switch(&mut self, pending: &mut Pending<'t>, custom: &mut Custom<'t>, _: u32) -> Parsing<'t> {
        let index = self.reference()?;
        let values = self.references_in_brackets()?;
        self.expect_literal("else")?;
        let default = self.reference()?;
        self.optional_attributes(pending)?;
        let of = self.colon_type()?;
        let i32 = self.type_named("i32")?;
        custom.give_at(0, vec![index], vec![i32]);
        custom.give_at(1, vec![default], vec![of]);
        let types = same_types(of, &values);
        custom.give_at(2, values, types);
        custom.result(vec![of]);
        Ok(None)
    }

    /// `@f(%a, [%b, %c], [(%d, %e)]) {…} : (i32, i64 ..., tuple<i32, i32> ...) -> i32`
    fn vm_variadic_call(
        &mut self,
        pending: &mut Pending<'t>,
        custom: &mut Custom<'t>,
        _: u32,
    ) -> Parsing<'t> {
        self.named_attribute(pending, "callee")?;
        let mut segments = Vec::new();
        self.expect(TokenKind::LeftParen, "`(` and the arguments")?;
        self.list(TokenKind::RightParen, "`,` or `)` after an argument", |this| {
            segments.push(this.vm_segment()?);
            Ok(())
        })?;
        self.optional_attributes(pending)?;
        self.expect(TokenKind::Colon, "`:` and the types of the arguments")?;
        self.expect(TokenKind::LeftParen, "`(` and the types of the arguments")?;
        let (mut types, mut sizes, mut items) = (Vec::new(), Vec::new(), Vec::new());
        let mut rest = segments.iter();
        let pending_op = &*pending;
        self.list(TokenKind::RightParen, "`,` or `)` after a type", |this| {
            let of = this.parse_type()?;
            items.push(this.text.type_value(of)?);
            match (rest.next(), this.eat(TokenKind::Ellipsis)?) {
                (Some(Segment::One(_)), false) => {
                    types.push(of);
                    sizes.push("-1".to_owned());
                }
                (Some(Segment::List(values)), true) => {
                    let members = this.text.tuple_parts(of).unwrap_or_else(|| vec![of]);
                    let count = values.len().checked_div(members.len()).unwrap_or(0);
                    if count * members.len() != values.len() {
                        return Err(this.contents(pending_op, "a list has a part of a tuple"));
                    }
                    types.extend(members.iter().cycle().take(values.len()));
                    sizes.push(count.to_string());
                }
                _ => return Err(this.contents(pending_op, "the arguments and their types differ")),
            }
            Ok(())
        })?;
        if rest.next().is_some() {
            return Err(self.contents(pending, "there are more arguments than types"));
        }
        let values = segments.into_iter().flat_map(|segment| match segment {
            Segment::One(value) => vec![value],
            Segment::List(values) => values,
        });
        custom.give_at(0, values.collect(), types);
        let sizes = match &*sizes {
            [] => "dense<> : vector<0xi16>".to_owned(),
            sizes => format!("dense<[{}]> : vector<{}xi16>", sizes.join(", "), sizes.len()),
        };
        self.set_text(pending, "segment_sizes", &sizes)?;
        let items = self.text.array_value(&items)?;
        self.set_named(pending, "segment_types", items);
        let results = self.optional_results()?;
        custom.result(results);
        Ok(None)
    }

    fn vm_segment(&mut self) -> Parsed<Segment<'t>> {
        if !self.eat(TokenKind::LeftSquare)? {
            return Ok(Segment::One(self.reference()?));
        }
        let mut values = Vec::new();
        self.list(TokenKind::RightSquare, "`,` or `]` after a value", |this| {
            match this.peek()?.kind {
                TokenKind::LeftParen => values.extend(this.references_in_parentheses()?),
                _ => values.push(this.reference()?),
            }
            Ok(())
        })?;
        Ok(Segment::List(values))
    }
}
