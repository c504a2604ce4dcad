//! Checks of constraints that are variables: values with one constraint are equal in an operation.
//!
//! The rules follow `ConstraintVerifier` in `mlir/lib/Dialect/IRDL/IRDLVerifiers.cpp`: the first value that satisfies a
//! constraint is bound to it, and alternatives are tried in their order.

use std::collections::HashSet;
use std::rc::Rc;

use crate::attr::text::declared::SymbolParts;
use crate::attr::text::parse::fields::parts;
use crate::attr::{Attribute, Type};
use crate::dialect::entries::Entries;
use crate::format::id::{AttrId, TypeId};
use crate::ir::view::Operation;
use crate::ops::{ApplicableDefinitions, VariableConstraint, Variables};
use crate::wire::error::{ErrorKind, Result};

use super::Checker;
use super::findings::OperationChecks;
use super::type_traits::Typed;

/// The steps of one evaluation: alternatives of alternatives multiply.
const MOST_STEPS: usize = 10_000;

/// The texts that are compared; longer ones are not evaluated.
const LONGEST_TEXT: usize = 1 << 16;

/// The depth of classes in one another.
const DEEPEST: usize = 32;

/// The types of operands or results, and the sizes of their groups if these are known.
type GroupedTypes<'g> = (&'g [Rc<Typed>], Option<&'g [usize]>);

/// The evaluation of the constraints of one definition.
struct Evaluation<'v> {
    variables: &'v Variables,
    bound: Vec<Option<Box<str>>>,
    steps: usize,
    /// Whether a constraint was met that only C++ decides, so that a failure proves nothing.
    is_uncertain: bool,
}

impl<'v> Evaluation<'v> {
    fn new(variables: &'v Variables) -> Self {
        Self { variables, bound: vec![None; variables.constraints.len()], steps: 0, is_uncertain: false }
    }

    /// Whether a value may satisfy a constraint.
    fn accepts(&mut self, number: usize, text: &str) -> bool {
        self.holds(number, text) || self.is_uncertain
    }

    fn holds(&mut self, number: usize, text: &str) -> bool {
        self.steps += 1;
        if self.steps > MOST_STEPS || text.len() > LONGEST_TEXT {
            self.is_uncertain = true;
            return true;
        }
        if let Some(Some(bound)) = self.bound.get(number) {
            return **bound == *text;
        }
        let Some(constraint) = self.variables.constraints.get(number) else { return true };
        let holds = match constraint {
            VariableConstraint::Any => true,
            VariableConstraint::Is(expected) => **expected == *text,
            VariableConstraint::Base(class) => self.has_class(text, class),
            VariableConstraint::Parametric(class, parameters) => {
                self.has_class(text, class) && self.has_parameters(text, parameters)
            }
            VariableConstraint::AnyOf(alternatives) => alternatives.iter().any(|&one| self.holds(one, text)),
            VariableConstraint::AllOf(all) => all.iter().all(|&one| self.holds(one, text)),
            VariableConstraint::Unknown => {
                self.is_uncertain = true;
                true
            }
        };
        if holds && let Some(slot) = self.bound.get_mut(number) {
            *slot = Some(text.into());
        }
        holds
    }

    fn has_class(&mut self, text: &str, class: &str) -> bool {
        if let Some(parts) = SymbolParts::of(text) {
            let mnemonic = parts.symbol.split(['<', ' ']).next().unwrap_or_default();
            let sigil = text.get(..1).unwrap_or_default();
            return format!("{sigil}{}.{mnemonic}", parts.dialect) == class;
        }
        match class.split_once("builtin.") {
            Some(("!", name)) => builtin_type(text).map(|mnemonic| mnemonic == name),
            Some(("#", "type")) => Some(builtin_type(text).is_some()),
            Some(("#", name)) => builtin_attribute(text).map(|mnemonic| mnemonic == name),
            _ => Some(false),
        }
        .unwrap_or_else(|| {
            self.is_uncertain = true;
            true
        })
    }

    fn has_parameters(&mut self, text: &str, constraints: &[usize]) -> bool {
        let values = parameters(text);
        values.len() == constraints.len()
            && values.iter().zip(constraints).all(|(value, &constraint)| self.holds(constraint, value))
    }
}

/// The parameters of `!dialect.mnemonic<…>`.
fn parameters(text: &str) -> Vec<&str> {
    let symbol = SymbolParts::of(text).map_or("", |parts| parts.symbol);
    let body = symbol.split_once('<').and_then(|(_, rest)| rest.trim_end().strip_suffix('>'));
    body.map(parts).unwrap_or_default().into_iter().map(str::trim).filter(|one| !one.is_empty()).collect()
}

/// The name of a type of the builtin dialect in IRDL; `None` for an attribute.
fn builtin_type(text: &str) -> Option<String> {
    let class = Type::parse(text).ok()?.class().map(str::to_owned);
    Some(match class.as_deref().unwrap_or_default() {
        "ComplexType" => "complex".to_owned(),
        "FunctionType" => "function".to_owned(),
        "IntegerType" => "integer".to_owned(),
        "MemRefType" => "memref".to_owned(),
        "RankedTensorType" => "tensor".to_owned(),
        "TupleType" => "tuple".to_owned(),
        "UnrankedMemRefType" => "unranked_memref".to_owned(),
        "UnrankedTensorType" => "unranked_tensor".to_owned(),
        "VectorType" => "vector".to_owned(),
        // The text of floats, `index` and `none` is the name.
        _ => text.to_owned(),
    })
}

/// The name of an attribute of the builtin dialect in IRDL; `None` if it is not known.
fn builtin_attribute(text: &str) -> Option<&'static str> {
    let attribute = Attribute::parse(text).ok()?;
    Some(match attribute.class()? {
        "AffineMapAttr" => "affine_map",
        "ArrayAttr" => "array",
        "DenseArrayAttr" => "dense_array",
        "DenseIntOrFPElementsAttr" => "dense_intorfp_elements",
        "DenseResourceElementsAttr" => "dense_resource_elements",
        "DenseStringElementsAttr" => "dense_string_elements",
        "DictionaryAttr" => "dictionary",
        "FlatSymbolRefAttr" | "SymbolRefAttr" => "symbol_ref",
        "FloatAttr" => "float",
        "IntegerAttr" | "BoolAttr" => "integer",
        "IntegerSetAttr" => "integer_set",
        "SparseElementsAttr" => "sparse_elements",
        "StringAttr" | "StringAttrWithType" => "string",
        "TypeAttr" => "type",
        "UnitAttr" => "unit",
        _ => return None,
    })
}

impl Checker<'_, '_> {
    /// Describes the first part of an operation that breaks its constraints.
    pub(super) fn broken_variables(
        &self,
        op: &Operation<'_>,
        variables: &Variables,
        groups: [GroupedTypes<'_>; 2],
    ) -> Result<Option<String>> {
        let mut evaluation = Evaluation::new(variables);
        for (what, constraints, (types, sizes)) in
            [("operand", &variables.operands, groups[0]), ("result", &variables.results, groups[1])]
        {
            let mut places = 0..types.len();
            for (&constraint, &size) in constraints.iter().zip(sizes.unwrap_or_default()) {
                for place in places.by_ref().take(size) {
                    let Some(typed) = types.get(place) else { continue };
                    if !evaluation.accepts(constraint, &typed.r#type.to_text(None)?) {
                        let text = typed.shown();
                        return Ok(Some(format!("{what} {place} does not satisfy its constraint: {text}")));
                    }
                }
            }
        }
        for (number, region) in op.regions()?.enumerate() {
            let Some(constraint) = variables.regions.get(number) else { continue };
            if let Some(blocks) = constraint.blocks.filter(|&blocks| blocks != region.len()) {
                return Ok(Some(format!(
                    "region {number} must have {blocks} blocks, found {}",
                    region.len()
                )));
            }
            let (Some(arguments), Some(block)) = (&constraint.arguments, region.block(0)) else { continue };
            let (expected, actual) = (arguments.len(), block.arguments().len());
            if expected != actual {
                return Ok(Some(format!("region {number} must have {expected} arguments, found {actual}")));
            }
            for (place, (&constraint, value)) in arguments.iter().zip(block.arguments()).enumerate() {
                let text = self.text_of(value.r#type())?;
                if !evaluation.accepts(constraint, &text) {
                    let message = format!(
                        "argument {place} of region {number} does not satisfy its constraint: `{text}`"
                    );
                    return Ok(Some(message));
                }
            }
        }
        if variables.attributes.is_empty() {
            return Ok(None);
        }
        let tables = self.module.tables();
        for (name, value) in op.discardable_attributes()? {
            let name =
                Attribute::of_file(tables, name)?.map_or(Ok(String::new()), |name| name.to_text(None))?;
            let name = name.trim_matches('"');
            let constraint = variables.attributes.get(name);
            let (Some(&constraint), Some(value)) = (constraint, Attribute::of_file(tables, value)?) else {
                continue;
            };
            let text = value.to_text(None)?;
            if !evaluation.accepts(constraint, &text) {
                return Ok(Some(format!("attribute `{name}` does not satisfy its constraint: `{text}`")));
            }
        }
        Ok(None)
    }

    fn text_of(&self, r#type: TypeId) -> Result<String> {
        Type::of_file(self.module.tables(), r#type)?
            .map_or(Ok(String::new()), |value_type| value_type.to_text(None))
    }

    /// Checks the parameters of all attributes and types of the file whose classes have constraints.
    pub(super) fn check_classes(&self, root: &Operation<'_>, checks: &mut OperationChecks) -> Result<()> {
        let Some(definitions) = self.source.definitions.filter(|definitions| definitions.has_variables())
        else {
            return Ok(());
        };
        let bounds = self.entries.bounds();
        let tables = self.module.tables();
        let types = (0..bounds.types)
            .map(|row| Ok(Type::of_file(tables, TypeId::new(row))?.and_then(|one| one.text())));
        let attributes = (0..bounds.attributes)
            .map(|row| Ok(Attribute::of_file(tables, AttrId::new(row))?.and_then(|one| one.text())));
        let mut seen = HashSet::new();
        for text in types.chain(attributes) {
            let text: Option<crate::wire::bytes::Bytes> = text?;
            let Some(text) = text.as_deref().and_then(|text| std::str::from_utf8(text).ok()) else {
                continue;
            };
            if let Some(complaint) = wrong_parameter(&definitions, text, &mut seen, 0) {
                checks.add(root, ErrorKind::Ir, &complaint);
            }
        }
        Ok(())
    }
}

/// Describes a parameter of an attribute or a type, or of one inside it, that breaks its constraint.
fn wrong_parameter(
    definitions: &ApplicableDefinitions,
    text: &str,
    seen: &mut HashSet<Box<str>>,
    depth: usize,
) -> Option<String> {
    let symbol = SymbolParts::of(text).filter(|_| depth < DEEPEST && text.len() <= LONGEST_TEXT)?;
    if !seen.insert(text.into()) {
        return None;
    }
    let mnemonic = symbol.symbol.split(['<', ' ']).next().unwrap_or_default();
    let class = definitions.class(text.starts_with('!'), &format!("{}.{mnemonic}", symbol.dialect))?;
    let variables = class.variables()?;
    let values = parameters(text);
    let (expected, actual) = (variables.parameters.len(), values.len());
    if expected != actual {
        return Some(format!("`{text}` must have {expected} parameters, found {actual}"));
    }
    let mut evaluation = Evaluation::new(variables);
    for (&constraint, value) in variables.parameters.iter().zip(&values) {
        if !evaluation.accepts(constraint, value) {
            return Some(format!("the parameter `{value}` of `{text}` does not satisfy its constraint"));
        }
    }
    values.into_iter().find_map(|value| wrong_parameter(definitions, value, seen, depth + 1))
}
