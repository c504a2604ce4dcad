//! Directives of `flow`, `hal` and `stream` (`compiler/src/iree/compiler/Dialect` of the IREE project).

use crate::attr::text::lexer::TokenKind;
use crate::attr::text::parse::Parsed;

use super::super::frames::{AsmParser, NONE, Pending};
use super::call::{Call, CustomDirective};
use super::parts::same_types;
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
        "DeviceQueueAffinityList" => queues,
        "DispatchOperands" => dispatch_operands,
        "DispatchResources" => dispatch_resources,
        "DispatchWorkgroupBody" => workgroup_body,
        "DispatchWorkgroupsCountRegion" | "WorkgroupCountRegion" => count_region,
        "ExplicitResourceRegion" => explicit_region,
        "ExportConditionRegion" => condition_region,
        "PackSliceRanges" => slice_ranges,
        "ResourceRegion" => resource_region,
        _ => return None,
    })
}

// `[(%device, %affinity : type, i64), …]`
fn queues(call: &mut Call<'_, '_>) -> Parsed<()> {
    let (mut devices, mut types, mut affinities) = (Vec::new(), Vec::new(), Vec::new());
    call.parser.expect(TokenKind::LeftSquare, "`[` and the queues")?;
    call.parser.list(TokenKind::RightSquare, "`,` or `]` after a queue", |this| {
        this.expect(TokenKind::LeftParen, "`(` and a device")?;
        devices.push(this.reference()?);
        this.comma()?;
        affinities.push(this.reference()?);
        types.push(this.colon_type()?);
        this.comma()?;
        let affinity = this.parse_type()?;
        if this.whole_type(affinity)? != "i64" {
            let token = this.peek()?;
            return this.unexpected(token, "`i64` as the type of the affinity");
        }
        this.expect(TokenKind::RightParen, "`)` after the types").map(|_| ())
    })?;
    call.add_values(0, devices);
    call.set_types(1, types);
    call.add_values(2, affinities);
    Ok(())
}

// `[0, 10] = %size`, with commas between them, or nothing
fn slice_ranges(call: &mut Call<'_, '_>) -> Parsed<()> {
    let (mut intervals, mut sizes) = (Vec::new(), Vec::new());
    let index = call.parser.index()?;
    while call.parser.eat(TokenKind::LeftSquare)? {
        intervals.push(call.parser.number(index)?);
        call.parser.comma()?;
        intervals.push(call.parser.number(index)?);
        call.parser.expect(TokenKind::RightSquare, "`]` after the interval")?;
        call.parser.expect(TokenKind::Equal, "`=` and the size")?;
        sizes.push(call.parser.reference()?);
        if !call.parser.eat(TokenKind::Comma)? {
            break;
        }
    }
    call.set_types(2, same_types(index, &sizes));
    call.add_values(1, sizes);
    let intervals = call.parser.text.array_value(&intervals)?;
    call.set_attribute(0, intervals);
    Ok(())
}

// `(%a, %resource[%offset to %end for %length])`
fn dispatch_operands(call: &mut Call<'_, '_>) -> Parsed<()> {
    let mut values = Vec::new();
    let mut ranges = [Vec::new(), Vec::new(), Vec::new()];
    call.parser.expect(TokenKind::LeftParen, "`(` and the operands")?;
    call.parser.list(TokenKind::RightParen, "`,` or `)` after an operand", |this| {
        values.push(this.reference()?);
        if this.eat(TokenKind::LeftSquare)? {
            for (word, list) in ["", "to", "for"].into_iter().zip(&mut ranges) {
                if !word.is_empty() {
                    this.expect_literal(word)?;
                }
                list.push(this.reference()?);
            }
            this.expect(TokenKind::RightSquare, "`]` after the length")?;
        }
        Ok(())
    })?;
    call.add_values(0, values);
    for (place, list) in ranges.into_iter().enumerate() {
        call.add_values(place + 1, list);
    }
    Ok(())
}

// `ro %resource[%offset for %length] : type{%size}`, with commas between them
fn dispatch_resources(call: &mut Call<'_, '_>) -> Parsed<()> {
    const ACCESSES: &[(&str, &str)] = &[("ro", "1 : i32"), ("wo", "2 : i32"), ("rw", "3 : i32")];
    let (mut types, mut accesses) = (Vec::new(), Vec::new());
    let mut lists = [Vec::new(), Vec::new(), Vec::new(), Vec::new()];
    loop {
        let [resources, sizes, offsets, lengths] = &mut lists;
        let token = call.parser.peek()?;
        let word = call.parser.keyword("`ro`, `wo` or `rw`")?;
        let Some((_, access)) = ACCESSES.iter().find(|(known, _)| **known == word) else {
            return call.parser.unexpected(token, "`ro`, `wo` or `rw`");
        };
        accesses.push(call.parser.text.fragment(false, access)?);
        resources.push(call.parser.reference()?);
        call.parser.expect(TokenKind::LeftSquare, "`[` and an offset")?;
        offsets.push(call.parser.reference()?);
        call.parser.expect_literal("for")?;
        lengths.push(call.parser.reference()?);
        call.parser.expect(TokenKind::RightSquare, "`]` after the length")?;
        call.parser.expect(TokenKind::Colon, "`:` and the type of the resource")?;
        types.push(call.parser.shaped_type(call.pending, sizes)?);
        if !call.parser.eat(TokenKind::Comma)? {
            break;
        }
    }
    let [resources, sizes, offsets, lengths] = lists;
    call.set_types(1, types);
    for (place, list) in [(0, resources), (2, sizes), (3, offsets), (4, lengths)] {
        call.add_values(place, list);
    }
    let accesses = call.parser.text.array_value(&accesses)?;
    call.set_attribute(5, accesses);
    Ok(())
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
