//! Directives of `flow`, `hal` and `stream` (`compiler/src/iree/compiler/Dialect` of the IREE project).

use crate::attr::text::lexer::TokenKind;
use crate::attr::text::parse::Parsed;

use super::super::frames::{AsmParser, NONE, Pending};
use super::call::{Call, CustomDirective};
use super::shaped::names;

impl<'t> AsmParser<'t> {
    // What a region returns, which only the text has.
    fn check_returned(&self, pending: &Pending<'t>, types: &[u32], expected: &[&str]) -> Parsed<()> {
        let texts = types.iter().map(|&of| self.whole_type(of)).collect::<Parsed<Vec<_>>>()?;
        if texts == expected {
            return Ok(());
        }
        let message = format!("the region returns `{}`", expected.join(", "));
        Err(self.contents(pending, message))
    }
}

pub(super) fn find(name: &str) -> Option<CustomDirective> {
    Some(match name {
        "DispatchWorkgroupBody" => workgroup_body,
        "DispatchWorkgroupsCountRegion" | "WorkgroupCountRegion" => count_region,
        "ExplicitResourceRegion" => explicit_region,
        "ExportConditionRegion" => condition_region,
        "ResourceRegion" => resource_region,
        _ => return None,
    })
}

// ---- regions, which follow the directive; `Program` knows which of them a word begins ----

// `(%a: type, %b: type)`, the arguments of the region
fn arguments(call: &mut Call<'_, '_>) -> Parsed<()> {
    let Call { parser, custom, .. } = call;
    parser.expect(TokenKind::LeftParen, "`(` and the arguments of the region")?;
    parser.list(TokenKind::RightParen, "`,` or `)` after an argument", |this| {
        custom.entry.push(this.typed_argument()?);
        Ok(())
    })
}

fn workgroup_body(call: &mut Call<'_, '_>) -> Parsed<()> {
    arguments(call)
}

fn returns(call: &mut Call<'_, '_>, expected: &[&str]) -> Parsed<()> {
    arguments(call)?;
    call.parser.expect(TokenKind::Arrow, "`->` and the types that the region returns")?;
    let types = call.parser.result_types()?;
    call.parser.check_returned(call.pending, &types, expected)
}

fn count_region(call: &mut Call<'_, '_>) -> Parsed<()> {
    returns(call, &["index"; 3])
}

fn condition_region(call: &mut Call<'_, '_>) -> Parsed<()> {
    returns(call, &["i1"])
}

// `(%a as %arg0: type{%size})`
fn explicit_region(call: &mut Call<'_, '_>) -> Parsed<()> {
    let (mut values, mut types, mut sizes) = (Vec::new(), Vec::new(), Vec::new());
    let Call { parser, custom, pending, .. } = &mut *call;
    parser.expect(TokenKind::LeftParen, "`(` and the resources")?;
    parser.list(TokenKind::RightParen, "`,` or `)` after a resource", |this| {
        values.push(this.reference()?);
        this.expect_literal("as")?;
        let mut argument = this.argument_of(NONE)?;
        this.expect(TokenKind::Colon, "`:` and the type of the resource")?;
        argument.r#type = this.shaped_type(pending, &mut sizes)?;
        types.push(argument.r#type);
        custom.entry.push(argument);
        Ok(())
    })?;
    call.add_values(0, values);
    call.set_types(1, types);
    call.add_values(2, sizes);
    Ok(())
}

// The same, and `-> (%a as type{%size})`
fn resource_region(call: &mut Call<'_, '_>) -> Parsed<()> {
    explicit_region(call)?;
    let values = names(call.values(0).unwrap_or_default());
    let types = call.known_types(1).unwrap_or_default();
    let results = match call.parser.eat(TokenKind::Arrow)? {
        true => call.parser.tied_results(call.pending, (&values, &types), true)?,
        false => super::shaped::Results::default(),
    };
    let name = call.attribute_name(5);
    call.parser.set_tied(call.pending, &name, &results)?;
    call.set_types(3, results.types);
    call.add_values(4, results.dims);
    Ok(())
}
