//! Traits that relate the types of operands and results (`mlir/lib/IR/Operation.cpp`, `mlir/include/mlir/IR/OpBase.td`).

use std::cell::OnceCell;
use std::rc::Rc;

use crate::attr::{FieldValue, Type};
use crate::ops::{Multiplicity, OperationDefinition, Trait, ValueDefinition};

use super::type_cache::{Shape, Shapes};
use super::types::{Kind, TypeFacts, is_i1};
use super::verifiers::LONGEST;

/// The types of an operation: operands, then results, with the sizes of their groups if these are known.
pub(super) struct OperationTypes<'t> {
    /// The names and types of attributes that traits relate.
    pub(super) attributes: &'t [(&'t str, Rc<Typed>)],
    /// The names of such attributes whose type is `none`, which the file may lack.
    pub(super) without_type: &'t [Box<str>],
    pub(super) operands: &'t [Rc<Typed>],
    pub(super) results: &'t [Rc<Typed>],
    pub(super) shapes: &'t Shapes,
    pub(super) operand_sizes: Option<&'t [usize]>,
    pub(super) result_sizes: Option<&'t [usize]>,
}

/// A type with its parts.
#[derive(Debug)]
pub(crate) struct Typed {
    /// The index in the file.
    pub(super) index: u32,
    /// The shape, with the number that [`Shapes::intern`] assigned.
    pub(super) shape: Option<Shape>,
    pub(crate) r#type: Type,
    pub(crate) facts: TypeFacts,
    // The inputs and results of a function type, read once however many operands have the type.
    pub(super) signature: Option<[Vec<Type>; 2]>,
    // The text in messages.
    shown: OnceCell<String>,
}

/// The most characters of a type or a symbol in a message.
pub(super) const SHOWN: usize = 200;

impl Typed {
    pub(crate) fn new(index: u32, r#type: Type) -> Self {
        let types = |field: &str| {
            let Ok(Some(FieldValue::List(items))) = r#type.field(field) else { return None };
            let r#type = |item| if let FieldValue::Type(one) = item { Some(one) } else { None };
            items.into_iter().map(r#type).collect::<Option<Vec<Type>>>()
        };
        let is_function = r#type.class() == Some("FunctionType");
        let signature = is_function.then(|| Some([types("inputs")?, types("results")?])).flatten();
        Self { index, shape: None, facts: TypeFacts::of(&r#type), r#type, signature, shown: OnceCell::new() }
    }

    /// Returns the beginning of the text, which is computed once: many messages may name one large type.
    pub(super) fn shown(&self) -> &str {
        self.shown.get_or_init(|| {
            let text = self.r#type.0.excerpt(SHOWN);
            match text.char_indices().nth(SHOWN) {
                Some((end, _)) => format!("`{}…`", text.get(..end).unwrap_or_default()),
                None => format!("`{text}`"),
            }
        })
    }

    /// The bytes that the lists of the type take.
    pub(super) fn held(&self) -> usize {
        let sizes = self.facts.shape.as_ref().map_or(0, |shape| shape.len() * size_of::<i64>());
        sizes + self.signature.iter().flatten().map(|list| list.len() * size_of::<Type>()).sum::<usize>()
    }
}

/// An operand, a result or an attribute of a definition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Slot {
    name: Box<str>,
    place: SlotPlace,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum SlotPlace {
    Operand(usize),
    Result(usize),
    Attribute,
}

/// The property of types that has to be equal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TypeAspect {
    Type,
    Element,
    Shape,
    Rank,
}

/// The function by which one type follows from another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Transformation {
    Same,
    Element,
    ElementOrSelf,
    I1SameShape,
}

/// A trait that can be evaluated.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum TypeTrait {
    SameTypes {
        of_operands_only: bool,
    },
    SameElements {
        of_operands_only: bool,
    },
    SameShapes {
        of_operands_only: bool,
    },
    SameRanks {
        of_operands_only: bool,
    },
    /// Tensors have the same encoding, the same static sizes, and dynamic sizes in the same dimensions.
    SameTensorShapes,
    Equal(TypeAspect, Vec<Slot>),
    Follows(Transformation, Slot, Slot),
    /// A group of values has the inputs or results of a function type as its types.
    Signature(&'static str, Slot, Group),
}

/// All values of an operand or a result of a definition.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Group {
    name: Box<str>,
    is_result: bool,
    place: usize,
}

impl TypeTrait {
    /// Returns the traits of a definition that can be evaluated.
    pub(crate) fn of(definition: &OperationDefinition) -> Vec<Self> {
        definition.traits().iter().filter_map(|r#trait| Self::new(r#trait, definition)).collect()
    }

    /// Returns the rule that the cases of a switch have the type of its operand (`SwitchOp::verify` in
    /// `mlir/lib/Dialect/{ControlFlow,LLVMIR,SPIRV}/IR`).
    pub(crate) fn of_cases(definition: &OperationDefinition) -> Option<Self> {
        const SWITCHES: [(&str, &str, &str); 3] = [
            ("cf.switch", "case_values", "flag"),
            ("llvm.switch", "case_values", "value"),
            ("spirv.Switch", "literals", "selector"),
        ];
        let (_, cases, value) = SWITCHES.iter().find(|row| row.0 == definition.name())?;
        // In release 16, `llvm.switch` has elements of any type, and MLIR does not compare them.
        let constraint = definition.attribute(cases)?.constraint()?;
        if constraint.name() != "AnyIntElementsAttr" {
            return None;
        }
        let (cases, value) = (Slot::new(cases, definition)?, Slot::new(value, definition)?);
        Some(Self::Follows(Transformation::Element, cases, value))
    }

    /// Creates the rule of a trait; `None` if the trait cannot be evaluated.
    pub(crate) fn new(one: &Trait, definition: &OperationDefinition) -> Option<Self> {
        let equal = |aspect| {
            let slots: Vec<Slot> = one.arguments().filter_map(|name| Slot::new(name, definition)).collect();
            (slots.len() > 1).then_some(Self::Equal(aspect, slots))
        };
        match one.name() {
            "SameOperandsAndResultType" => Some(Self::SameTypes { of_operands_only: false }),
            "SameTypeOperands" => Some(Self::SameTypes { of_operands_only: true }),
            "SameOperandsAndResultElementType" => Some(Self::SameElements { of_operands_only: false }),
            "SameOperandsElementType" => Some(Self::SameElements { of_operands_only: true }),
            "SameOperandsAndResultShape" => Some(Self::SameShapes { of_operands_only: false }),
            "SameOperandsShape" => Some(Self::SameShapes { of_operands_only: true }),
            "SameOperandsAndResultRank" => Some(Self::SameRanks { of_operands_only: false }),
            "SameOperandsRank" => Some(Self::SameRanks { of_operands_only: true }),
            "SameInputOutputTensorDims" => Some(Self::SameTensorShapes),
            "AllTypesMatch" => equal(TypeAspect::Type),
            "AllElementTypesMatch" => equal(TypeAspect::Element),
            "AllShapesMatch" => equal(TypeAspect::Shape),
            "AllRanksMatch" => equal(TypeAspect::Rank),
            "TypesMatchWith" => {
                let [left, right, with] = one.arguments().collect::<Vec<_>>()[..] else { return None };
                let group = || Group::new(right, definition);
                let with = match with {
                    "inputs" => {
                        return Some(Self::Signature("inputs", Slot::new(left, definition)?, group()?));
                    }
                    "results" => {
                        return Some(Self::Signature("results", Slot::new(left, definition)?, group()?));
                    }
                    "same" => Transformation::Same,
                    "element" => Transformation::Element,
                    "element_or_self" => Transformation::ElementOrSelf,
                    "i1_same_shape" => Transformation::I1SameShape,
                    _ => return None,
                };
                let value = |name| Slot::new(name, definition).filter(|slot| !slot.is_attribute());
                Some(Self::Follows(with, value(left)?, value(right)?))
            }
            _ => None,
        }
    }

    /// The names of the attributes that the trait relates.
    pub(super) fn attributes(&self) -> impl Iterator<Item = &str> {
        let (slots, left) = match self {
            Self::Equal(_, slots) => (&slots[..], None),
            Self::Follows(_, left, _) => (&[][..], Some(left)),
            _ => (&[][..], None),
        };
        slots.iter().chain(left).filter(|slot| slot.is_attribute()).map(|slot| &*slot.name)
    }

    /// Describes an error in the types of an operation; `None` also if the answer is unknown.
    pub(super) fn complaint(&self, types: &OperationTypes<'_>) -> Option<String> {
        let all = |of_operands_only: bool| {
            let results = if of_operands_only { &[][..] } else { types.results };
            types.operands.iter().chain(results)
        };
        let whom = |of_operands_only: bool| {
            if of_operands_only { "all operands" } else { "all operands and results" }
        };
        match self {
            Self::SameTypes { of_operands_only } => {
                let is_exact = *of_operands_only;
                let mut typed = all(is_exact);
                let first = typed.next()?;
                let is_wrong = typed.any(|other| match is_exact {
                    true => other.r#type != first.r#type,
                    false => !may_be_compatible(first, other, types.shapes),
                });
                is_wrong.then(|| format!("requires the same type for {}", whom(is_exact)))
            }
            Self::SameElements { of_operands_only } => {
                let mut elements = all(*of_operands_only).filter_map(|typed| element_or_self(typed));
                let first = elements.next()?;
                elements
                    .any(|other| other != first)
                    .then(|| format!("requires the same element type for {}", whom(*of_operands_only)))
            }
            Self::SameShapes { of_operands_only } => {
                let all: Vec<&Rc<Typed>> = all(*of_operands_only).collect();
                let are_shaped: Option<Vec<bool>> = all.iter().map(|typed| typed.facts.is_shaped()).collect();
                let are_shaped = are_shaped?;
                let is_mixed = are_shaped.contains(&true) && are_shaped.contains(&false);
                let mut shaped = all.iter().filter_map(|typed| typed.shape.as_ref());
                let is_wrong = is_mixed
                    || shaped
                        .next()
                        .is_some_and(|first| shaped.any(|shape| !types.shapes.are_compatible(first, shape)));
                is_wrong.then(|| format!("requires the same shape for {}", whom(*of_operands_only)))
            }
            Self::SameRanks { of_operands_only } => {
                let mut ranks =
                    all(*of_operands_only).filter_map(|typed| typed.shape.as_ref().map(Shape::rank));
                let first = ranks.next()?;
                ranks
                    .any(|other| other != first)
                    .then(|| format!("requires the same rank for {}", whom(*of_operands_only)))
            }
            Self::SameTensorShapes => {
                let mut tensors = all(false).filter(|typed| typed.facts.kind == Kind::RankedTensor);
                let first = tensors.next()?;
                let is_long = |encoding: &FieldValue| matches!(encoding, FieldValue::Attribute(value) if value.payload().len() > LONGEST);
                let encoding = |typed: &Typed| match typed.r#type.field("encoding").ok().flatten() {
                    Some(encoding) if is_long(&encoding) => None,
                    encoding => Some(encoding),
                };
                let of_first = encoding(first);
                let is_other = |typed: &Typed| match (&of_first, encoding(typed)) {
                    (Some(first), Some(encoding)) => *first != encoding,
                    _ => false,
                };
                let wrong = tensors.find(|typed| typed.shape != first.shape || is_other(typed))?;
                let difference = if wrong.shape == first.shape { "encoding" } else { "sizes" };
                Some(format!("requires the same {difference} for all tensors"))
            }
            Self::Equal(aspect, slots) => {
                let typed_slots: Vec<(&Slot, &Typed)> =
                    slots.iter().filter_map(|slot| Some((slot, types.at(slot)?))).collect();
                let (first, others) = typed_slots.split_first()?;
                let untyped = slots.iter().find(|slot| types.is_without_type(slot));
                if let (TypeAspect::Type, Some(untyped)) = (aspect, untyped)
                    && first.1.r#type.class() != Some("NoneType")
                {
                    return Some(format!(
                        "requires the same type for `{}` and `{}`",
                        untyped.name, first.0.name
                    ));
                }
                let (name, is_wrong): (_, fn(&Typed, &Typed) -> bool) = match aspect {
                    TypeAspect::Type => ("type", |left, right| left.r#type != right.r#type),
                    TypeAspect::Element => (
                        "element type",
                        |left, right| matches!((element_or_self(left), element_or_self(right)), (Some(a), Some(b)) if a != b),
                    ),
                    TypeAspect::Shape => (
                        "shape",
                        |left, right| matches!((&left.shape, &right.shape), (Some(a), Some(b)) if a != b),
                    ),
                    TypeAspect::Rank => (
                        "rank",
                        |left, right| matches!((&left.shape, &right.shape), (Some(a), Some(b)) if a.rank() != b.rank()),
                    ),
                };
                let wrong = others.iter().find(|other| is_wrong(first.1, other.1))?;
                Some(format!("requires the same {name} for `{}` and `{}`", first.0.name, wrong.0.name))
            }
            Self::Signature(field, of, group) => {
                let [inputs, results] = types.at(of)?.signature.as_ref()?;
                let expected = if *field == "inputs" { inputs } else { results };
                let group_types = types.group(group)?;
                let is_equal = |(typed, expected): (&Rc<Typed>, &Type)| typed.r#type == *expected;
                let are_equal =
                    group_types.len() == expected.len() && group_types.iter().zip(expected).all(is_equal);
                (!are_equal).then(|| {
                    format!(
                        "the types of `{}` differ from the {field} in the type of `{}`",
                        group.name, of.name
                    )
                })
            }
            Self::Follows(with, left, right) => {
                let (from, to) = (types.at(left)?, types.at(right)?);
                let is_wrong = match with {
                    Transformation::Same => from.r#type != to.r#type,
                    Transformation::Element => {
                        from.facts.element.as_ref().is_some_and(|element| *element != to.r#type)
                    }
                    Transformation::ElementOrSelf => {
                        element_or_self(from).is_some_and(|element| element != to.r#type)
                    }
                    Transformation::I1SameShape => match (from.facts.is_shaped()?, to.facts.is_shaped()?) {
                        (true, true) => {
                            let element = to.facts.element.as_ref();
                            from.shape != to.shape
                                || element.is_some_and(|element| is_i1(element) == Some(false))
                        }
                        (false, _) => is_i1(&to.r#type) == Some(false),
                        (true, false) => true,
                    },
                };
                is_wrong.then(|| {
                    format!("the type of `{}` does not follow from that of `{}`", right.name, left.name)
                })
            }
        }
    }
}

impl Slot {
    /// Returns `None` if the definition has no value with this name that is always present.
    fn new(name: &str, definition: &OperationDefinition) -> Option<Self> {
        let at = |values: &[ValueDefinition]| {
            let position = values.iter().position(|value| value.name() == name);
            position.filter(|&place| {
                values.get(place).is_some_and(|value| *value.multiplicity() == Multiplicity::One)
            })
        };
        let place = match (at(definition.operands()), at(definition.results())) {
            (Some(group), _) => SlotPlace::Operand(group),
            (_, Some(group)) => SlotPlace::Result(group),
            _ => definition.attribute(name).map(|_| SlotPlace::Attribute)?,
        };
        Some(Self { name: name.into(), place })
    }

    fn is_attribute(&self) -> bool {
        matches!(self.place, SlotPlace::Attribute)
    }
}

impl Group {
    fn new(name: &str, definition: &OperationDefinition) -> Option<Self> {
        let at = |values: &[ValueDefinition]| values.iter().position(|value| value.name() == name);
        let (is_result, place) = match at(definition.operands()) {
            Some(place) => (false, place),
            None => (true, at(definition.results())?),
        };
        Some(Self { name: name.into(), is_result, place })
    }
}

impl<'t> OperationTypes<'t> {
    fn group(&self, of: &Group) -> Option<&'t [Rc<Typed>]> {
        let (types, sizes) = match of.is_result {
            true => (self.results, self.result_sizes?),
            false => (self.operands, self.operand_sizes?),
        };
        let start: usize = sizes.get(..of.place)?.iter().sum();
        types.get(start..)?.get(..*sizes.get(of.place)?)
    }

    fn is_without_type(&self, slot: &Slot) -> bool {
        slot.is_attribute() && self.without_type.contains(&slot.name)
    }

    fn at(&self, slot: &Slot) -> Option<&'t Typed> {
        let (types, sizes, group) = match slot.place {
            SlotPlace::Operand(group) => (self.operands, self.operand_sizes?, group),
            SlotPlace::Result(group) => (self.results, self.result_sizes?, group),
            SlotPlace::Attribute => {
                return self
                    .attributes
                    .iter()
                    .find(|attribute| *attribute.0 == *slot.name)
                    .map(|attribute| &*attribute.1);
            }
        };
        let place: usize = sizes.get(..group)?.iter().sum();
        types.get(place).map(|typed| &**typed)
    }
}

/// Returns the element type of a shaped type, or another type itself; `None` if it is unknown.
fn element_or_self(of: &Typed) -> Option<Type> {
    match of.facts.is_shaped()? {
        true => of.facts.element.clone(),
        false => Some(of.r#type.clone()),
    }
}

/// Whether an operation with `SameOperandsAndResultType` may have these two types: dynamic sizes match every
/// size.
fn may_be_compatible(one: &Typed, other: &Typed, shapes: &Shapes) -> bool {
    if one.r#type == other.r#type {
        return true;
    }
    let (Some(left), Some(right)) = (one.facts.is_shaped(), other.facts.is_shaped()) else { return true };
    if left != right {
        return false;
    }
    if !left {
        return one.facts.kind == Kind::Unknown || other.facts.kind == Kind::Unknown;
    }
    let is_same_element = one.facts.element.is_none()
        || other.facts.element.is_none()
        || one.facts.element == other.facts.element;
    let pair = one.shape.as_ref().zip(other.shape.as_ref());
    is_same_element && pair.is_none_or(|(one, other)| shapes.are_compatible(one, other))
}
