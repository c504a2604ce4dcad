//! The coverage of a pack: forms and layouts of its dialects, and the missing ones.

use std::collections::BTreeMap;

use super::Pack;
use super::encodings::is_decoded;
use super::row::{PackRow, RowKind};
use crate::assembly::{CustomForm, Directive, Program, results_without_types};
use crate::ops::{FormatElement, OperationDefinition, Syntax, check_class, read_operation};
use crate::props::PropertySchema;
use crate::release::{self, Llvm};

/// The coverage of a release of a pack.
#[doc(hidden)]
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct PackCoverage {
    /// By the names of the dialects.
    pub dialects: BTreeMap<String, DialectCoverage>,
    /// The missing forms and layouts, a sentence for each operation.
    pub missing: Vec<String>,
}

/// The coverage of a dialect.
#[doc(hidden)]
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct DialectCoverage {
    /// The operations.
    pub operations: usize,
    /// Operations whose custom form is a declarative format that is understood.
    pub declarative: usize,
    /// Operations whose custom form is C++ that mlirbc or a declaration of the author knows.
    pub by_rule: usize,
    /// Operations that have no custom form.
    pub generic: usize,
    /// Operations with layouts of their properties.
    pub layouts: usize,
    /// The attributes.
    pub attributes: usize,
    /// Attributes without a format that is understood.
    pub unknown_attributes: usize,
    /// The types.
    pub types: usize,
    /// Types without a format that is understood.
    pub unknown_types: usize,
    /// Attributes and types with an encoding in bytecode.
    pub encodings: usize,
}

impl std::ops::AddAssign for DialectCoverage {
    fn add_assign(&mut self, other: Self) {
        self.operations += other.operations;
        self.declarative += other.declarative;
        self.by_rule += other.by_rule;
        self.generic += other.generic;
        self.layouts += other.layouts;
        self.attributes += other.attributes;
        self.unknown_attributes += other.unknown_attributes;
        self.types += other.types;
        self.unknown_types += other.unknown_types;
        self.encodings += other.encodings;
    }
}

impl DialectCoverage {
    /// Operations of which only the generic form is written and read, although the project has a custom form.
    pub fn unknown_forms(&self) -> usize {
        self.operations - self.declarative - self.by_rule - self.generic
    }
}

impl Pack {
    /// Counts the forms and layouts of a release of the pack, by its place in the header.
    #[doc(hidden)]
    pub fn coverage(&self, release: usize) -> PackCoverage {
        let mut coverage = PackCoverage::default();
        let Some(row) = self.header.releases.get(release) else { return coverage };
        let constraints = self.rows_of(RowKind::Constraint, release).map(PackRow::named).collect();
        let llvm = release::find(&row.llvm).ok().flatten().map_or(Llvm::NEWEST, |llvm| llvm.llvm());
        for row in self.rows_of(RowKind::Operation, release) {
            let name = &*row.name;
            let Some(definition) = read_operation(row.named(), &constraints) else { continue };
            let dialect = coverage.of(name);
            dialect.operations += 1;
            match (definition.syntax(), Program::compile(&definition, llvm)) {
                (Syntax::Generic, _) => dialect.generic += 1,
                (Syntax::Format(_), Some(_)) => dialect.declarative += 1,
                (Syntax::HandWritten, Some(_)) => {
                    dialect.by_rule += 1;
                    coverage.add_missing_types(&definition);
                }
                _ if CustomForm::of(name).is_some() => dialect.by_rule += 1,
                _ => coverage.missing.push(format!("{name}: {}", why_unknown(&definition))),
            }
        }
        self.count_layouts(release, &mut coverage);
        for row in self.rows_of(RowKind::Attribute, release) {
            let dialect = coverage.of(&row.name);
            dialect.attributes += 1;
            dialect.unknown_attributes += usize::from(!has_format(row));
        }
        for row in self.rows_of(RowKind::Type, release) {
            let dialect = coverage.of(&row.name);
            dialect.types += 1;
            dialect.unknown_types += usize::from(!has_format(row));
        }
        for row in self.rows_of(RowKind::Encoding, release) {
            coverage.of(&row.name).encodings += 1;
            if !is_decoded(row) {
                coverage.missing.push(format!("{}: the encoding of a member is C++", row.name));
            }
        }
        coverage
    }

    fn count_layouts(&self, release: usize, coverage: &mut PackCoverage) {
        let schema = self.header.releases.get(release).and_then(|row| self.schema(release, row).ok());
        let has_layout = |schema: &PropertySchema, name: &str| schema.op(name.as_bytes()).is_some();
        for name in self.names(RowKind::Operation, release) {
            match schema.as_ref().is_some_and(|schema| has_layout(schema, name)) {
                true => coverage.of(name).layouts += 1,
                false => coverage.missing.push(format!("{name}: the encoding of a property is C++")),
            }
        }
    }
}

impl PackCoverage {
    /// Notes results whose types an author neither shows in the format nor declares.
    fn add_missing_types(&mut self, definition: &OperationDefinition) {
        for name in results_without_types(definition) {
            let shown_name = if name.is_empty() { "result" } else { name };
            self.missing.push(format!(
                "{}: the type of `{shown_name}` cannot be inferred: declare it in `types`, or show it in the format",
                definition.name()
            ));
        }
    }

    fn of(&mut self, name: &str) -> &mut DialectCoverage {
        let dialect = name.split('.').next().unwrap_or_default();
        self.dialects.entry(dialect.to_owned()).or_default()
    }
}

fn why_unknown(definition: &OperationDefinition) -> String {
    let Syntax::Format(elements) = definition.syntax() else {
        return "the custom form is C++".to_owned();
    };
    match unknown_directive(definition, elements) {
        Some(directive) => format!("the form of the directive `custom<{directive}>` is C++"),
        None => "the format has an element that is not understood".to_owned(),
    }
}

fn unknown_directive<'f>(definition: &OperationDefinition, elements: &'f [FormatElement]) -> Option<&'f str> {
    elements.iter().find_map(|element| match element {
        FormatElement::Custom(name, arguments) => {
            Directive::of(definition, name, arguments.len()).is_none().then_some(&**name)
        }
        FormatElement::Group { then, otherwise, .. } => {
            unknown_directive(definition, then).or_else(|| unknown_directive(definition, otherwise))
        }
        FormatElement::Inline(elements) => unknown_directive(definition, elements),
        FormatElement::OrderIndependent(clauses) => {
            clauses.iter().find_map(|clause| unknown_directive(definition, clause))
        }
        _ => None,
    })
}

/// Whether the fields of an attribute or a type are known.
fn has_format(row: &PackRow) -> bool {
    check_class(&row.json).unwrap_or_default()
}
