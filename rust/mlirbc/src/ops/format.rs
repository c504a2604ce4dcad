//! The elements of a declarative assembly format.

use serde_json::Value as Json;

use super::table::OperationDefinition;

/// An element of an assembly format.
///
/// The page "Operation Definition Specification" of MLIR's documentation explains these elements.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum FormatElement {
    /// A keyword or punctuation.
    Literal(Box<str>),
    /// No space before the next element.
    NoSpace,
    /// A single space.
    Space,
    /// A line break and the indentation.
    Newline,
    /// A variable of the operation.
    Variable(VariableKind, usize),
    /// A directive with its arguments.
    Directive(Directive, Box<[FormatElement]>),
    /// `custom<Name>(…)`.
    Custom(Box<str>, Box<[FormatElement]>),
    /// C++ as an argument of a custom directive.
    Code(Box<str>),
    /// An attribute that the definition does not declare, by its name.
    Undeclared(Box<str>),
    /// An optional group.
    Group {
        /// The elements if the anchor is present.
        then: Box<[FormatElement]>,
        /// The elements if the anchor is absent.
        otherwise: Box<[FormatElement]>,
        /// The element whose presence decides.
        anchor: Anchor,
    },
    /// `oilist(…)`: clauses in any order.
    OrderIndependent(Box<[Box<[FormatElement]>]>),
    /// The elements of a directive that a project declares, with a space before them as before other directives.
    Inline(Box<[FormatElement]>),
}

impl FormatElement {
    /// Whether the element is, or contains, a directive that a project declares.
    pub(super) fn has_declared_directive(&self) -> bool {
        match self {
            Self::Inline(_) => true,
            Self::Group { then, otherwise, .. } => {
                then.iter().chain(otherwise).any(Self::has_declared_directive)
            }
            Self::OrderIndependent(clauses) => clauses.iter().flatten().any(Self::has_declared_directive),
            _ => false,
        }
    }
}

/// The kind of a format variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum VariableKind {
    /// An operand of the definition.
    Operand,
    /// A result of the definition.
    Result,
    /// An inherent attribute or a native property.
    Attribute,
    /// A region.
    Region,
    /// A successor.
    Successor,
}

/// A directive of a format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Directive {
    /// `attr-dict`.
    AttrDict,
    /// `attr-dict-with-keyword`.
    AttrDictWithKeyword,
    /// `prop-dict`.
    PropDict,
    /// `operands`.
    Operands,
    /// `results`, as an argument.
    Results,
    /// `regions`.
    Regions,
    /// `successors`.
    Successors,
    /// `type(…)`.
    Type,
    /// `functional-type(…, …)`.
    FunctionalType,
    /// `qualified(…)`.
    Qualified,
    /// `ref(…)`.
    Ref,
}

/// The element of an optional group whose presence decides whether the group is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Anchor {
    /// The element of `then` with this number.
    Then(usize),
    /// The element of `otherwise` with this number.
    Otherwise(usize),
}

/// Returns the elements of a format; `None` if an element is unknown.
pub(super) fn elements(rows: &[Json], definition: &OperationDefinition) -> Option<Box<[FormatElement]>> {
    rows.iter().map(|row| element(row, definition)).collect()
}

// Formats come from the project's own data, and nest no deeper than the formats of MLIR.
fn element(row: &Json, definition: &OperationDefinition) -> Option<FormatElement> {
    match row {
        Json::String(text) => word(text, definition),
        Json::Array(parts) => {
            let name = parts.first()?.as_str()?;
            let operands = parts.get(1..)?;
            Some(match name {
                "group" => group(operands, definition)?,
                "oilist" => {
                    let clause = |row: &Json| elements(row.as_array()?, definition);
                    FormatElement::OrderIndependent(operands.iter().map(clause).collect::<Option<_>>()?)
                }
                "custom" => {
                    let (name, arguments) = operands.split_first()?;
                    FormatElement::Custom(name.as_str()?.into(), elements(arguments, definition)?)
                }
                "inline" => FormatElement::Inline(elements(operands, definition)?),
                "code" => FormatElement::Code(operands.first()?.as_str()?.into()),
                "attribute" => FormatElement::Undeclared(operands.first()?.as_str()?.into()),
                name => FormatElement::Directive(directive(name)?, elements(operands, definition)?),
            })
        }
        _ => None,
    }
}

fn word(text: &str, definition: &OperationDefinition) -> Option<FormatElement> {
    if let Some(literal) = text.strip_prefix('`') {
        return Some(match literal {
            "" => FormatElement::NoSpace,
            " " => FormatElement::Space,
            "\n" => FormatElement::Newline,
            literal => FormatElement::Literal(literal.into()),
        });
    }
    let Some(name) = text.strip_prefix('$') else {
        return Some(FormatElement::Directive(directive(text)?, Box::default()));
    };
    let operand = definition.operands().iter().position(|one| one.name() == name);
    let result = definition.results().iter().position(|one| one.name() == name);
    let attribute = definition.attributes().iter().position(|one| one.name() == name);
    let region = definition.regions().iter().position(|one| one.name() == name);
    let successor = definition.successors().iter().position(|one| one.name() == name);
    let places = [
        (VariableKind::Operand, operand),
        (VariableKind::Result, result),
        (VariableKind::Attribute, attribute),
        (VariableKind::Region, region),
        (VariableKind::Successor, successor),
    ];
    places.into_iter().find_map(|(kind, place)| Some(FormatElement::Variable(kind, place?)))
}

fn group(arguments: &[Json], definition: &OperationDefinition) -> Option<FormatElement> {
    let present = elements(arguments.first()?.as_array()?, definition)?;
    let anchor = arguments.get(1)?.as_i64()?;
    let otherwise = match arguments.get(2) {
        Some(rows) => elements(rows.as_array()?, definition)?,
        None => Box::default(),
    };
    let anchor = match usize::try_from(anchor) {
        Ok(place) => Anchor::Then(place),
        Err(_) => Anchor::Otherwise(usize::try_from(-1 - anchor).ok()?),
    };
    Some(FormatElement::Group { then: present, otherwise, anchor })
}

fn directive(name: &str) -> Option<Directive> {
    Some(match name {
        "attr-dict" => Directive::AttrDict,
        "attr-dict-with-keyword" => Directive::AttrDictWithKeyword,
        "prop-dict" => Directive::PropDict,
        "operands" => Directive::Operands,
        "results" => Directive::Results,
        "regions" => Directive::Regions,
        "successors" => Directive::Successors,
        "type" => Directive::Type,
        "functional-type" => Directive::FunctionalType,
        "qualified" => Directive::Qualified,
        "ref" => Directive::Ref,
        _ => return None,
    })
}

/// Directives with unknown syntax. Operations have a custom form only if they omit the clause with such a
/// directive.
pub(crate) const UNKNOWN_DIRECTIVES: &[&str] = &[
    "AffinityClause",
    "DynGroupprivateClause",
    "HeapAllocClause",
    "InnerTileAlignmentArray",
    "IteratorHeader",
    "SPIRV_I32_1DArmTensor",
    "UniformClause",
];

#[cfg(test)]
mod tests {
    use crate::ops::{OperationDefinitions, Syntax};

    // A format that is not understood would be mistaken for a hand-written one.
    #[test]
    fn every_format_is_understood() {
        let counts: Vec<_> = ["llvm-16", "llvm-19", "llvm-22"]
            .into_iter()
            .map(|release| {
                let definitions = OperationDefinitions::named(release).unwrap();
                let definition_of = |name| definitions.get(name).unwrap();
                definitions
                    .names()
                    .filter(|name| matches!(definition_of(name).syntax(), Syntax::Format(_)))
                    .count()
            })
            .collect();
        // The number of definitions with an `assemblyFormat`, counted by another program (`tools/operations/README.md`).
        assert_eq!(counts, [908, 1536, 2245]);
    }
}
