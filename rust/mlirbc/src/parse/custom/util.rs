//! Directives that the dialects of IREE share
//! (`compiler/src/iree/compiler/Dialect/Util/IR/UtilOps.cpp` of the IREE project).

use crate::attr::text::lexer::TokenKind;
use crate::attr::text::parse::Parsed;

use super::super::frames::AsmParser;
use super::call::{Call, CustomDirective};
use super::shaped;

pub(super) fn find(name: &str) -> Option<CustomDirective> {
    Some(match name {
        "ListTypeGet" => list_type_get,
        "ListTypeSet" => list_type_set,
        "TypeOrAttr" => type_or_value,
        _ => return shaped::find(name),
    })
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

impl<'t> AsmParser<'t> {
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
}
