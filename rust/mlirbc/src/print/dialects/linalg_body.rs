//! The bodies of structured operations, which their names stand for; `parse::dialects::linalg_body` makes them.

use crate::attr::EntryValues;
use crate::attr::text::dense::{self, Element};
use crate::attr::text::float::parse_literal;
use crate::format::id::{AttrId, TypeId};
use crate::ir::body::Body;
use crate::ir::{OpId, ValueId};
use crate::ops::{
    AttributeDefault, BodyAttribute, StructuredBody, StructuredOperations, case_in, run_program,
};

use super::draft::{Container, Drafted, OperationDraft, Regions};

/// Notes if the body of the operation, which has no text, is not the one that its name stands for.
pub(in crate::print) fn note_body(draft: &mut OperationDraft<'_, '_, '_>, kind: Option<AttrId>) {
    if has_body(draft, kind).is_none() {
        draft.lost.get_or_insert("a body that differs from the one that its name stands for");
    }
}

fn has_body(draft: &mut OperationDraft<'_, '_, '_>, kind: Option<AttrId>) -> Drafted {
    let values = draft.all_operands();
    let body = match kind {
        Some(kind) => {
            let text = draft.word(kind)?;
            StructuredBody::elementwise(std::str::from_utf8(&text).ok()?, values.len())
        }
        None => {
            let name = draft.definition.name().strip_prefix("linalg.")?;
            StructuredBody::of(name, draft.release())?
        }
    };
    let regions =
        draft.regions().filter(|regions| regions.rows.len() == 1 && regions.blocks(0).len() == 1)?;
    let block = regions.entry(0)?;
    let arguments: Vec<ValueId> = regions.arguments(0).map(ValueId::argument).collect();
    if values.len() != body.arguments || arguments.len() != body.arguments {
        return None;
    }
    for (r#type, &argument) in draft.operand_types(values).into_iter().zip(&arguments) {
        let container = draft.shaped(r#type).filter(|shaped| shaped.container != Container::Vector);
        let expected = container.map_or(r#type, |shaped| TypeId::new(shaped.element));
        if !draft.is_same_type(regions.body.type_of(argument), expected) {
            return None;
        }
    }
    let (next, end) = (block.first_op, block.first_op.checked_add(block.ops)?);
    let release = draft.release();
    let mut compared = ComparedBody { draft, regions, arguments, unlike: Vec::new(), next, end };
    run_program(&mut compared, &body.program, body.functions, release).ok()?;
    (compared.next == end).then_some(())
}

// A body that is compared: the next operation is to be the given one.
struct ComparedBody<'d, 'a, 'm, 'e> {
    draft: &'d mut OperationDraft<'a, 'm, 'e>,
    regions: Regions<'m>,
    arguments: Vec<ValueId>,
    // Types that differ from one another and are not numbers.
    unlike: Vec<u32>,
    next: u32,
    end: u32,
}

/// The type of a value in a body: types that are the same are equal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum BodyType {
    Number(Element),
    /// Another type by its index.
    Entry(u32),
}

impl BodyType {
    fn named(text: &str) -> Option<Self> {
        Element::from_name(text.as_bytes()).map(Self::Number)
    }
}

// Whether an attribute is the number with this literal and this type; `None` if it is not a number.
fn is_number(
    draft: &OperationDraft<'_, '_, '_>,
    index: AttrId,
    literal: &str,
    r#type: BodyType,
) -> Option<bool> {
    if let Some((semantics, bits)) = draft.file.float(index) {
        let expected = parse_literal(literal.as_bytes(), semantics)?;
        return Some(r#type == BodyType::Number(Element::Float(semantics)) && bits == expected);
    }
    let integer = draft.file.integer(index)?;
    let (number, found) = (integer.value?, dense::element(draft.file, TypeId::new(integer.r#type))?);
    Some(r#type == BodyType::Number(found) && literal.parse() == Ok(number as f64))
}

/// The operations are others.
struct Differs;

impl<'m> ComparedBody<'_, '_, 'm, '_> {
    // The operation at the cursor, if it has this name, these operands, and no more parts than attributes.
    fn take(&mut self, name: &str, operands: &[ValueId]) -> Option<(&'m Body, u32)> {
        let (body, op) = (self.regions.body, self.next);
        let rows = body.operand_rows(OpId::new(op));
        let values = body.operands.get(rows.start as usize..rows.end as usize)?;
        let is_it = op < self.end
            && self.draft.name_of(body, op) == name
            && values == operands
            && body.detail(OpId::new(op)).is_none();
        self.next += 1;
        is_it.then_some((body, op))
    }

    fn has_attributes(
        &mut self,
        name: &str,
        body: &'m Body,
        op: u32,
        attribute: BodyAttribute<'_, BodyType>,
    ) -> Option<bool> {
        let definition = self.draft.releases.newest(name)?;
        let mut entries = self.draft.entries_of(body, op)?;
        if let Some((name, literal, r#type)) = attribute {
            let place = entries.iter().position(|entry| entry.0 == name.as_bytes())?;
            let (_, value) = entries.remove(place);
            if !is_number(self.draft, value, literal, r#type)? {
                return Some(false);
            }
        }
        // A builder adds other attributes with their defaults.
        for attribute in definition.attributes() {
            let has_default = attribute.default().is_some_and(|default| match default {
                AttributeDefault::Text(text) => text.ends_with("<none>"),
                AttributeDefault::Code(code) => code.ends_with("::none"),
            });
            if !has_default || attribute.is_optional() {
                continue;
            }
            let place = entries.iter().position(|entry| entry.0 == attribute.name().as_bytes());
            let Some(place) = place else { return Some(false) };
            let (_, value) = entries.remove(place);
            if !self.draft.word(value).is_some_and(|text| text.ends_with(b"<none>")) {
                return Some(false);
            }
        }
        Some(entries.is_empty())
    }
}

impl StructuredOperations for ComparedBody<'_, '_, '_, '_> {
    type BodyValue = ValueId;
    type Type = BodyType;
    type Error = Differs;

    fn argument(&self, number: usize) -> Option<ValueId> {
        self.arguments.get(number).copied()
    }

    fn type_of(&mut self, value: ValueId) -> BodyType {
        let r#type = self.regions.body.type_of(value);
        if let Some(number) = self.draft.file.number_type(r#type) {
            return BodyType::Number(number);
        }
        let equal_type = self
            .unlike
            .iter()
            .find(|&&equal_type| self.draft.is_same_type(TypeId::new(equal_type), r#type))
            .copied();
        BodyType::Entry(equal_type.unwrap_or_else(|| {
            self.unlike.push(r#type.number());
            r#type.number()
        }))
    }

    fn type_text(&mut self, r#type: &BodyType) -> Result<String, Differs> {
        let mut text = Vec::new();
        match r#type {
            BodyType::Number(number) => number.write_name(&mut text),
            // Only types of numbers are part of the names of functions.
            BodyType::Entry(_) => {}
        }
        String::from_utf8(text).map_err(|_| Differs)
    }

    fn type_named(&mut self, text: &str) -> Result<BodyType, Differs> {
        BodyType::named(text).ok_or(Differs)
    }

    fn case_of(&mut self, attribute: &str) -> Result<Option<String>, Differs> {
        let attribute_index = self.draft.attr(attribute).or_else(|| self.draft.discardable_attr(attribute));
        let Some(index) = attribute_index else { return Ok(None) };
        let text =
            String::from_utf8(self.draft.word(AttrId::new(index)).ok_or(Differs)?).map_err(|_| Differs)?;
        Ok(Some(case_in(&text).to_owned()))
    }

    fn operation(
        &mut self,
        name: &'static str,
        operands: &[ValueId],
        result: BodyType,
        attribute: BodyAttribute<'_, BodyType>,
    ) -> Result<ValueId, Differs> {
        let (body, op) = self.take(name, operands).ok_or(Differs)?;
        let rows = body.results(OpId::new(op));
        let value = ValueId::result(rows.start);
        let is_it = rows.len() == 1
            && self.type_of(value) == result
            && self.has_attributes(name, body, op, attribute) == Some(true);
        is_it.then_some(value).ok_or(Differs)
    }

    fn terminator(&mut self, operands: &[ValueId]) -> Result<(), Differs> {
        let (body, op) = self.take("linalg.yield", operands).ok_or(Differs)?;
        let has_attributes = self.draft.entries_of(body, op).is_none_or(|entries| !entries.is_empty());
        (body.results(OpId::new(op)).is_empty() && !has_attributes).then_some(()).ok_or(Differs)
    }

    fn undefined(&mut self, _: &str) -> Differs {
        Differs
    }

    fn unsupported(&mut self, _: &'static str) -> Differs {
        Differs
    }
}

#[cfg(test)]
mod tests {
    use crate::parse::{ParseOptions, parse};
    use crate::print::PrintOptions;

    // Returns the part of a matrix product with this body that its custom form omits.
    fn omissions(multiply: &str, add: &str, result: &str) -> Vec<&'static str> {
        let flags = "{fastmath = #arith.fastmath<none>}";
        let text = format!(
            r#""func.func"() <{{function_type = (memref<2x2xf32>) -> (), sym_name = "f"}}> ({{
              ^bb0(%m: memref<2x2xf32>):
                "linalg.matmul"(%m, %m, %m) <{{operandSegmentSizes = array<i32: 2, 1>}}> ({{
                ^bb0(%a: f32, %b: f32, %c: f32):
                  %p = "arith.mulf"({multiply}) {flags} : (f32, f32) -> f32
                  %s = "{add}"(%c, %p) {flags} : (f32, f32) -> f32
                  "linalg.yield"({result}) : (f32) -> ()
                }}) : (memref<2x2xf32>, memref<2x2xf32>, memref<2x2xf32>) -> ()
                "func.return"() : () -> ()
              }}) : () -> ()"#
        );
        let options =
            ParseOptions { target: crate::release::Release::named("llvm-19"), ..ParseOptions::default() };
        let module = parse(text.as_bytes(), &options).unwrap();
        let report = module.print(&mut Vec::new(), &PrintOptions::default()).unwrap();
        report.omissions.iter().map(|omission| omission.part).collect()
    }

    #[test]
    fn a_body_that_the_name_does_not_stand_for_is_noted() {
        let is_noted = |omissions: Vec<&str>| {
            omissions.contains(&"a body that differs from the one that its name stands for")
        };
        assert!(!is_noted(omissions("%a, %b", "arith.addf", "%s")));
        assert!(is_noted(omissions("%b, %a", "arith.addf", "%s")));
        assert!(is_noted(omissions("%a, %b", "arith.subf", "%s")));
        assert!(is_noted(omissions("%a, %b", "arith.addf", "%p")));
    }
}
