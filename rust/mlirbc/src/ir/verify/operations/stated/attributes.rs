//! Functions of attributes.

use std::collections::HashMap;
use std::rc::Rc;

use crate::attr::text::affine::{AffineMap, Node};
use crate::attr::{Attribute, FieldValue};
use crate::ops::Function;
use crate::wire::error::Result;

use super::super::Checker;
use super::super::verifiers::{LONGEST, is_short};
use super::Evaluation;
use super::value::{RuleValue, text_of};

/// Dense elements with more numbers are data, which no rule reads.
const MOST_DENSE_NUMBERS: u64 = 1 << 8;

/// Returns the value of a field of an attribute or a type.
pub(super) fn field<'m>(value: Option<FieldValue>, checker: &mut Checker<'m, '_>) -> Result<RuleValue<'m>> {
    Ok(match value {
        Some(FieldValue::Unsigned(number)) => {
            i64::try_from(number).map_or(RuleValue::Unknown, RuleValue::Number)
        }
        Some(FieldValue::Signed(number)) => RuleValue::Number(number),
        Some(FieldValue::Bool(value)) => RuleValue::Bool(value),
        Some(FieldValue::Attribute(attribute)) => RuleValue::Attribute(attribute),
        Some(FieldValue::Type(r#type)) => RuleValue::Type(checker.types.part(&r#type)?),
        Some(FieldValue::List(items)) if items.len() <= LONGEST => {
            let items = items.into_iter().map(|item| field(Some(item), checker));
            RuleValue::List(items.collect::<Result<Rc<[_]>>>()?)
        }
        Some(FieldValue::Absent) => RuleValue::Absent,
        _ => RuleValue::Unknown,
    })
}

impl<'m> Evaluation<'_, 'm, '_> {
    pub(super) fn of_attribute(
        &mut self,
        function: Function,
        attribute: &Attribute,
    ) -> Result<RuleValue<'m>> {
        use RuleValue as V;
        if function == Function::TypeOf {
            return self.type_of(attribute);
        }
        if attribute.payload().len() > LONGEST {
            return Ok(V::Unknown);
        }
        let map = || attribute.affine_map();
        let of_map =
            |count: fn(&AffineMap) -> usize| map().map_or(V::Unknown, |map| V::of_count(count(&map)));
        Ok(match function {
            Function::Numbers => attribute
                .integers()
                .map_or(V::Unknown, |numbers| V::List(numbers.into_iter().map(V::Number).collect())),
            Function::Elements => attribute
                .elements()
                .filter(|_| attribute.class() == Some("ArrayAttr"))
                .map_or(V::Unknown, |items| V::List(items.into_iter().map(V::Attribute).collect())),
            Function::DynamicNumbers => attribute.integers().map_or(V::Unknown, |numbers| {
                V::of_count(numbers.into_iter().filter(|&number| number == i64::MIN).count())
            }),
            Function::DenseNumbers => attribute
                .integer_elements(MOST_DENSE_NUMBERS)
                .filter(|_| attribute.class() == Some("DenseIntOrFPElementsAttr"))
                .map_or(V::Unknown, |numbers| V::List(numbers.into_iter().map(V::Number).collect())),
            Function::Text => text_of(attribute).map_or(V::Unknown, |text| V::Text(text.into())),
            Function::Word => text_of(attribute).map_or(V::Unknown, |text| word(&text)),
            Function::DimensionCount => of_map(|map| map.num_dims() as usize),
            Function::SymbolCount => of_map(|map| map.num_symbols() as usize),
            Function::ResultCount => of_map(AffineMap::num_results),
            Function::IsProjection => V::of_bool(map().map(|map| map.is_projected_permutation())),
            Function::IsPermutation => {
                V::of_bool(map().map(|map| {
                    map.is_projected_permutation() && map.num_results() == map.num_dims() as usize
                }))
            }
            Function::Dimensions => map().map_or(V::Unknown, |map| dimensions(&map)),
            _ => V::Unknown,
        })
    }

    fn type_of(&mut self, attribute: &Attribute) -> Result<RuleValue<'m>> {
        let field = if attribute.class() == Some("TypeAttr") { "value" } else { "type" };
        Ok(match attribute.field(field) {
            Ok(Some(FieldValue::Type(r#type))) => RuleValue::Type(self.checker.types.part(&r#type)?),
            _ => RuleValue::Unknown,
        })
    }
}

/// Whether the results of maps that are one dimension have one size in all operands.
pub(super) fn sizes_agree<'m>(maps: &[RuleValue<'m>], operands: &[RuleValue<'m>]) -> RuleValue<'m> {
    let mut known: HashMap<u32, i64> = HashMap::new();
    for (map, operand) in maps.iter().zip(operands) {
        let (RuleValue::Attribute(map), RuleValue::Type(typed)) = (map, operand) else {
            return RuleValue::Unknown;
        };
        let shape = typed.shape.as_ref().filter(|_| is_short(&typed.r#type));
        let (Some(map), Some(shape)) = (map.affine_map(), shape) else { continue };
        for (&result, &size) in map.results().iter().zip(shape.sizes()) {
            if let (Node::Dim(number), 0..) = (map.node(result), size)
                && *known.entry(number).or_insert(size) != size
            {
                return RuleValue::Bool(false);
            }
        }
    }
    RuleValue::Bool(true)
}

/// Returns the number of the dimension that each result of a map is; unknown for other results.
fn dimensions<'m>(map: &AffineMap) -> RuleValue<'m> {
    let dimension = |&result: &u32| match map.node(result) {
        Node::Dim(number) => RuleValue::Number(number.into()),
        _ => RuleValue::Unknown,
    };
    RuleValue::List(map.results().iter().map(dimension).collect())
}

/// Returns the last word of the text of an attribute.
fn word<'m>(text: &str) -> RuleValue<'m> {
    let body = text.trim_end_matches('>');
    let word = body.rsplit(|c: char| c.is_whitespace() || c == '<').next().unwrap_or_default();
    RuleValue::of_text(word)
}
