//! Definitions as text, and their changes between releases.

use std::fmt::{self, Write};
use std::sync::Arc;

use super::format::{Anchor, Directive, FormatElement, VariableKind};
use super::rows::{AttributeDefault, AttributeDefinition, Multiplicity, Syntax, Trait, ValueDefinition};
use super::table::{OperationDefinition, OperationDefinitions};
use crate::release::waiting;

/// An operation in a release, with its changes since the release before.
///
/// ```
/// let history = mlirbc::ops::history("arith.addi");
/// assert_eq!(history.iter().map(|one| one.release()).collect::<Vec<_>>(), ["llvm-16", "llvm-19", "llvm-22", "llvm-23"]);
/// assert_eq!(history[1].changes()[0], "new attribute `overflowFlags`: Arith_IntegerOverflowAttr, default #arith.overflow<none>");
/// assert!(mlirbc::ops::history("arith.frobnicate").is_empty());
/// ```
#[derive(Debug)]
pub struct Appearance {
    release: &'static str,
    definition: Arc<OperationDefinition>,
    changes: Vec<String>,
}

impl Appearance {
    /// Returns the name of the release.
    pub fn release(&self) -> &'static str {
        self.release
    }

    /// Returns the definition.
    pub fn definition(&self) -> &OperationDefinition {
        &self.definition
    }

    /// Returns the changes since the release before, a sentence for each part.
    pub fn changes(&self) -> &[String] {
        &self.changes
    }
}

/// Returns an operation in each release with a definition, the oldest first. Builds that include a release are
/// listed only if they define the operation differently.
pub fn history(name: &str) -> Vec<Appearance> {
    let mut appearances: Vec<Appearance> = Vec::new();
    waiting::load_for_dialect(name.split('.').next().unwrap_or_default());
    let shipped = OperationDefinitions::releases().filter_map(OperationDefinitions::named);
    for definitions in shipped.chain(OperationDefinitions::of_packs()) {
        let of_llvm = definitions.llvm();
        let is_that_of_llvm =
            definitions.release() != of_llvm.release() && definitions.line(name) == of_llvm.line(name);
        // A pack defines the operations of its project only.
        let is_of_base = definitions.is_of_pack() && definitions.line(name).is_none();
        if definitions.is_included(name) || is_that_of_llvm || is_of_base {
            continue;
        }
        let Some(definition) = definitions.get(name) else { continue };
        let changes =
            appearances.last().map_or_else(Vec::new, |before| changes(before.definition(), &definition));
        appearances.push(Appearance { release: definitions.release(), definition, changes });
    }
    appearances
}

// Pairs of a name and a description of each part of a kind.
type NamedParts = Vec<(String, String)>;

fn changes(before: &OperationDefinition, after: &OperationDefinition) -> Vec<String> {
    let values = |values: &[ValueDefinition]| {
        values.iter().map(|one| (named(one.name()), value(one))).collect::<NamedParts>()
    };
    let attributes = |of: &OperationDefinition| {
        of.attributes().iter().map(|one| (named(one.name()), attribute(one))).collect::<NamedParts>()
    };
    let parts = |parts: &[super::PartDefinition]| {
        let shown = |one: &super::PartDefinition| (named(one.name()), part(one));
        parts.iter().map(shown).collect::<NamedParts>()
    };
    let traits = |of: &OperationDefinition| {
        of.traits().iter().map(|one| (named(&one.to_string()), String::new())).collect::<NamedParts>()
    };
    let mut sentences = Vec::new();
    let kinds = [
        ("operand", values(before.operands()), values(after.operands())),
        ("result", values(before.results()), values(after.results())),
        ("attribute", attributes(before), attributes(after)),
        ("region", parts(before.regions()), parts(after.regions())),
        ("successor", parts(before.successors()), parts(after.successors())),
        ("trait", traits(before), traits(after)),
    ];
    for (kind, before, after) in kinds {
        compare(kind, &before, &after, &mut sentences);
    }
    match (before.syntax_text(), after.syntax_text()) {
        (Some(one), Some(other)) if one != other => sentences.push(format!("other syntax; before: {one}")),
        (None, Some(_)) => sentences.push("a format string now".to_owned()),
        (Some(one), None) => sentences.push(format!("no format string any more; before: {one}")),
        _ => {}
    }
    sentences
}

fn compare(kind: &str, before: &NamedParts, after: &NamedParts, sentences: &mut Vec<String>) {
    for (name, now) in after {
        let colon = if now.is_empty() { String::new() } else { format!(": {now}") };
        match before.iter().find(|(known, _)| known == name) {
            None => sentences.push(format!("new {kind} {name}{colon}")),
            Some((_, then)) if then != now => sentences.push(format!("{kind} {name}{colon}; before: {then}")),
            Some(_) => {}
        }
    }
    for (name, _) in before {
        if after.iter().all(|(known, _)| known != name) {
            sentences.push(format!("without {kind} {name}"));
        }
    }
}

fn named(name: &str) -> String {
    format!("`{name}`")
}

fn value(definition: &ValueDefinition) -> String {
    let constraint = definition.constraint().map_or("", |constraint| constraint.name());
    match definition.multiplicity() {
        Multiplicity::One => constraint.to_owned(),
        Multiplicity::Optional => format!("optional {constraint}"),
        Multiplicity::Variadic => format!("variadic {constraint}"),
        Multiplicity::VariadicOfVariadic(sizes) => format!("variadic {constraint} in groups of `{sizes}`"),
    }
}

fn attribute(definition: &AttributeDefinition) -> String {
    let constraint = definition.constraint().map_or("", |constraint| constraint.name());
    let mut text =
        if definition.is_optional() { format!("optional {constraint}") } else { constraint.to_owned() };
    if definition.is_native() {
        text.push_str(", native property");
    }
    if let Some(AttributeDefault::Text(default)) = definition.default() {
        let _ = write!(text, ", default {default}");
    }
    text
}

fn part(definition: &super::PartDefinition) -> String {
    let variadic = if definition.is_variadic() { "variadic " } else { "" };
    format!("{variadic}{}", definition.constraint())
}

impl fmt::Display for Trait {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let arguments: Vec<&str> = self.arguments().filter(|argument| !argument.is_empty()).collect();
        match arguments.is_empty() {
            true => f.write_str(self.name()),
            false => write!(f, "{}<{}>", self.name(), arguments.join(", ")),
        }
    }
}

impl OperationDefinition {
    /// Returns the assembly format as in the `.td` files; `None` if no format string describes it, or only
    /// the generic form exists.
    pub fn syntax_text(&self) -> Option<String> {
        self.format().map(|elements| self.syntax_of(elements))
    }

    fn syntax_of(&self, elements: &[FormatElement]) -> String {
        let mut text = self.name().to_owned();
        for element in elements {
            text.push(' ');
            write_element(&mut text, element, self);
        }
        text
    }

    /// Returns the complete definition in lines: summary, syntax, operands, results, attributes, regions,
    /// successors, traits.
    pub fn description(&self) -> String {
        let mut text = format!("{}\n", self.name());
        if !self.summary().is_empty() {
            let _ = writeln!(text, "  {}", self.summary().trim());
        }
        if !self.source().is_empty() {
            let _ = writeln!(text, "  defined in {}", self.source());
        }
        match (self.syntax(), self.syntax_text()) {
            (_, Some(syntax)) => {
                let _ = writeln!(text, "\nsyntax\n  {syntax}");
            }
            (Syntax::HandWritten, _) if !self.source().is_empty() && self.assembly().is_some() => {
                let elements = self.assembly().unwrap_or_default();
                let _ = writeln!(text, "\nsyntax, as declared\n  {}", self.syntax_of(elements));
            }
            (Syntax::HandWritten, _) => text.push_str("\nsyntax\n  not described by a format string\n"),
            _ => text.push_str("\nsyntax\n  only the generic form\n"),
        }
        let summary = |constraint: Option<&super::Constraint>| {
            let texts = constraint.map(|one| (one.name(), [one.summary(), one.note()]));
            let summary = texts.and_then(|(name, texts)| {
                texts.into_iter().find(|text| !text.is_empty()).filter(|text| *text != name)
            });
            summary.map_or_else(String::new, |text| format!(" ({text})"))
        };
        let of_values = |values: &[ValueDefinition]| {
            values
                .iter()
                .map(|one| (one.name().to_owned(), value(one) + &summary(one.constraint())))
                .collect()
        };
        let attributes = self
            .attributes()
            .iter()
            .map(|one| (one.name().to_owned(), attribute(one) + &summary(one.constraint())))
            .collect();
        let parts = |parts: &[super::PartDefinition]| {
            parts.iter().map(|one| (one.name().to_owned(), part(one))).collect()
        };
        let kinds: [(&str, NamedParts); 5] = [
            ("operands", of_values(self.operands())),
            ("results", of_values(self.results())),
            ("attributes", attributes),
            ("regions", parts(self.regions())),
            ("successors", parts(self.successors())),
        ];
        for (kind, rows) in kinds.iter().filter(|(_, rows)| !rows.is_empty()) {
            let _ = writeln!(text, "\n{kind}");
            let width = rows.iter().map(|(name, _)| name.chars().count()).max().unwrap_or_default();
            for (name, row) in rows {
                let _ = writeln!(text, "{}", format!("  {name:width$}  {row}").trim_end());
            }
        }
        if !self.traits().is_empty() {
            let traits: Vec<String> = self.traits().iter().map(ToString::to_string).collect();
            let _ = writeln!(text, "\ntraits\n  {}", traits.join(", "));
        }
        text
    }
}

// The shipped formats of MLIR bound the depth of this recursion.
fn write_element(text: &mut String, element: &FormatElement, of: &OperationDefinition) {
    let list = |text: &mut String, elements: &[FormatElement], separator: &str| {
        for (number, element) in elements.iter().enumerate() {
            if number > 0 {
                text.push_str(separator);
            }
            write_element(text, element, of);
        }
    };
    match element {
        FormatElement::Literal(literal) => {
            let _ = write!(text, "`{literal}`");
        }
        FormatElement::NoSpace => text.push_str("``"),
        FormatElement::Space => text.push_str("` `"),
        FormatElement::Newline => text.push_str("`\\n`"),
        FormatElement::Variable(kind, place) => {
            let name = match kind {
                VariableKind::Operand => of.operands().get(*place).map(ValueDefinition::name),
                VariableKind::Result => of.results().get(*place).map(ValueDefinition::name),
                VariableKind::Attribute => of.attributes().get(*place).map(AttributeDefinition::name),
                VariableKind::Region => of.regions().get(*place).map(super::PartDefinition::name),
                VariableKind::Successor => of.successors().get(*place).map(super::PartDefinition::name),
            };
            let _ = write!(text, "${}", name.unwrap_or_default());
        }
        FormatElement::Directive(directive, arguments) => {
            text.push_str(directive_name(*directive));
            if !arguments.is_empty() {
                text.push('(');
                list(text, arguments, ", ");
                text.push(')');
            }
        }
        FormatElement::Custom(name, arguments) => {
            let _ = write!(text, "custom<{name}>(");
            list(text, arguments, ", ");
            text.push(')');
        }
        FormatElement::Undeclared(name) => {
            let _ = write!(text, "${name}");
        }
        FormatElement::Code(code) => {
            let _ = write!(text, "\"{code}\"");
        }
        FormatElement::Group { then, otherwise, anchor } => {
            let group = |text: &mut String, elements: &[FormatElement], anchor: Option<usize>| {
                text.push('(');
                for (number, element) in elements.iter().enumerate() {
                    if number > 0 {
                        text.push(' ');
                    }
                    write_element(text, element, of);
                    if anchor == Some(number) {
                        text.push('^');
                    }
                }
                text.push(')');
            };
            let place = |is_then: bool| match *anchor {
                Anchor::Then(place) if is_then => Some(place),
                Anchor::Otherwise(place) if !is_then => Some(place),
                _ => None,
            };
            group(text, then, place(true));
            if !otherwise.is_empty() {
                text.push_str(" : ");
                group(text, otherwise, place(false));
            }
            text.push('?');
        }
        FormatElement::Inline(elements) => list(text, elements, " "),
        FormatElement::OrderIndependent(clauses) => {
            text.push_str("oilist(");
            for (number, clause) in clauses.iter().enumerate() {
                text.push_str(if number > 0 { " | " } else { "" });
                list(text, clause, " ");
            }
            text.push(')');
        }
    }
}

fn directive_name(directive: Directive) -> &'static str {
    match directive {
        Directive::AttrDict => "attr-dict",
        Directive::AttrDictWithKeyword => "attr-dict-with-keyword",
        Directive::PropDict => "prop-dict",
        Directive::Operands => "operands",
        Directive::Results => "results",
        Directive::Regions => "regions",
        Directive::Successors => "successors",
        Directive::Type => "type",
        Directive::FunctionalType => "functional-type",
        Directive::Qualified => "qualified",
        Directive::Ref => "ref",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_format_is_written_as_in_its_definition() {
        let definition_of = |name| OperationDefinitions::named("llvm-22").unwrap().get(name).unwrap();
        assert_eq!(
            definition_of("arith.addi").syntax_text().unwrap(),
            "arith.addi $lhs `,` $rhs (`overflow` `` $overflowFlags^)? attr-dict `:` type($result)"
        );
        assert!(definition_of("func.func").syntax_text().is_none());
        assert!(definition_of("func.func").description().contains("not described by a format string"));
    }

    #[test]
    fn every_definition_has_a_description() {
        for definitions in OperationDefinitions::releases().filter_map(OperationDefinitions::named) {
            for name in definitions.names() {
                assert!(definitions.get(name).unwrap().description().starts_with(name));
            }
        }
    }
}
