//! Directives that the dialects of IREE share
//! (`compiler/src/iree/compiler/Dialect/Util/IR/UtilOps.cpp` of the IREE project).

use crate::attr::text::lexer::TokenKind;
use crate::attr::text::parse::Parsed;

use super::super::frames::{AsmParser, Pending};
use super::call::{Call, CustomDirective};
use super::parts::same_types;
use super::shaped;

pub(super) fn find(name: &str) -> Option<CustomDirective> {
    Some(match name {
        "ListTypeGet" => list_type_get,
        "ListTypeSet" => list_type_set,
        "RangeList" => ranges,
        "SymbolAlias" => symbol_alias,
        "TypeAlias" => type_alias,
        "TypeOrAttr" => type_or_value,
        "TypedValueList" => value_list,
        "ValueTypeList" => value_types,
        _ => return shaped::find(name),
    })
}

// `[%a : type, %b : type]`
fn value_types(call: &mut Call<'_, '_>) -> Parsed<()> {
    let (mut values, mut types) = (Vec::new(), Vec::new());
    call.parser.expect(TokenKind::LeftSquare, "`[` and values")?;
    call.parser.list(TokenKind::RightSquare, "`,` or `]` after a type", |this| {
        values.push(this.reference()?);
        types.push(this.colon_type()?);
        Ok(())
    })?;
    call.add_values(0, values);
    call.set_types(1, types);
    Ok(())
}

// The type of the elements of a list, which is required where the text has none.
fn element_of(call: &mut Call<'_, '_>, list: u32) -> Parsed<u32> {
    let text = call.parser.whole_type(list)?;
    match text.strip_prefix("!util.list<").and_then(|text| text.strip_suffix('>')) {
        Some(inner) if inner != "?" => call.parser.type_named(inner),
        _ => Err(call.parser.contents(call.pending, "its list has no type of its elements")),
    }
}

// `!util.list<type>`, or `!util.list<?> -> type`
fn list_type_get(call: &mut Call<'_, '_>) -> Parsed<()> {
    let list = call.parser.parse_type()?;
    let element = match call.parser.eat(TokenKind::Arrow)? {
        true => call.parser.parse_type()?,
        false => element_of(call, list)?,
    };
    call.set_types(0, vec![list]);
    call.set_types(1, vec![element]);
    Ok(())
}

// `!util.list<type>`, or `type -> !util.list<?>`
fn list_type_set(call: &mut Call<'_, '_>) -> Parsed<()> {
    let first = call.parser.parse_type()?;
    let (list, element) = match call.parser.eat(TokenKind::Arrow)? {
        true => (call.parser.parse_type()?, first),
        false => (first, element_of(call, first)?),
    };
    call.set_types(0, vec![list]);
    call.set_types(1, vec![element]);
    Ok(())
}

// `[%offset for %length], [%offset for %length]`
fn ranges(call: &mut Call<'_, '_>) -> Parsed<()> {
    let (mut offsets, mut lengths) = (Vec::new(), Vec::new());
    loop {
        call.parser.expect(TokenKind::LeftSquare, "`[` and a range")?;
        offsets.push(call.parser.reference()?);
        call.parser.expect_literal("for")?;
        lengths.push(call.parser.reference()?);
        call.parser.expect(TokenKind::RightSquare, "`]` after a range")?;
        if !call.parser.eat(TokenKind::Comma)? {
            break;
        }
    }
    call.add_values(0, offsets);
    call.add_values(1, lengths);
    Ok(())
}

// `@name`, or `@name as("other")`
fn symbol_alias(call: &mut Call<'_, '_>) -> Parsed<()> {
    let (own, of) = (call.attribute_name(0), call.attribute_name(1));
    call.parser.symbol_as(call.pending, &of, &own)
}

// `type`, or `type as type`
fn type_alias(call: &mut Call<'_, '_>) -> Parsed<()> {
    let encoding = call.parser.parse_type()?;
    let storage = if call.parser.eat_word("as")? { call.parser.parse_type()? } else { encoding };
    let value = call.parser.text.type_value(encoding)?;
    call.set_attribute(0, value);
    call.set_types(1, vec![storage]);
    Ok(())
}

// `= value`, `: type`, or `: type = value`
fn type_or_value(call: &mut Call<'_, '_>) -> Parsed<()> {
    let has_type = call.parser.peek()?.kind == TokenKind::Colon;
    let declared = if has_type { Some(call.parser.colon_type()?) } else { None };
    let mut of_value = None;
    if declared.is_none() || call.parser.peek()?.kind == TokenKind::Equal {
        call.parser.expect(TokenKind::Equal, "`:` and a type, or `=` and a value")?;
        let value = call.parser.text.parse_attribute()?;
        call.set_attribute(1, value);
        if declared.is_none() {
            of_value = call.parser.type_of_value(value)?;
        }
    }
    if let Some(r#type) = declared.or(of_value) {
        let r#type = call.parser.text.type_value(r#type)?;
        call.set_attribute(0, r#type);
    }
    Ok(())
}

// `[%a, %b]`, each of the type that is known.
fn value_list(call: &mut Call<'_, '_>) -> Parsed<()> {
    let values = call.parser.references_in_brackets()?;
    let of = call.known_types(0).unwrap_or_default();
    let types = of.first().map(|&of| same_types(of, &values));
    call.add_values(1, values);
    call.set_types(2, types.unwrap_or_default());
    Ok(())
}

impl<'t> AsmParser<'t> {
    /// `@name`, or `@name as("other")`, as a reference and as the other name.
    pub(super) fn symbol_as(&mut self, pending: &mut Pending<'t>, of: &str, own: &str) -> Parsed<()> {
        let (reference, name) = self.symbol_reference()?;
        self.set_named(pending, of, reference);
        if self.eat_word("as")? {
            return self.attribute_in_parentheses(pending, own);
        }
        let name = self.text.string_value(&name)?;
        self.set_named(pending, own, name);
        Ok(())
    }

    /// A reference to a symbol, and its first name.
    pub(super) fn symbol_reference(&mut self) -> Parsed<(u32, Vec<u8>)> {
        let token = self.peek()?;
        if token.kind != TokenKind::Symbol {
            return self.unexpected(token, "a symbol, as in `@name`");
        }
        let name = self.text.string_of(token)?;
        Ok((self.text.parse_attribute()?, name))
    }

    /// The type of an attribute, which those of other dialects have at the end of their text.
    pub(super) fn type_of_value(&mut self, value: u32) -> Parsed<Option<u32>> {
        if let Some(known) = self.text.type_of_attribute(value) {
            return Ok(Some(known));
        }
        let text = self.whole_attribute(value)?;
        // What is not a type is within the attribute.
        Ok(text.rsplit_once("> : ").and_then(|(_, r#type)| self.type_named(r#type).ok()))
    }

    /// `public`, `private` or `nested`, if one comes next.
    pub(super) fn optional_visibility(&mut self, pending: &mut Pending<'t>) -> Parsed<()> {
        let token = self.peek()?;
        let word = self.spelling(token);
        if matches!(word, b"public" | b"private" | b"nested") {
            self.lexer().seek(token.end);
            let visibility = self.text.string_value(word)?;
            self.set_named(pending, "sym_visibility", visibility);
        }
        Ok(())
    }
}
