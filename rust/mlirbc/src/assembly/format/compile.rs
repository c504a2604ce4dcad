//! The compiler of formats.

mod groups;
mod hidden;

use std::sync::Arc;

use crate::assembly::inference::Checks;
use crate::assembly::{Directive, Values};
use crate::ops::{
    Directive as Element, FormatElement, Multiplicity, OperationDefinition, Spacing, UNKNOWN_DIRECTIVES,
    ValueDefinition, VariableKind,
};
use crate::release::Llvm;

pub(crate) use hidden::HiddenParts;

use super::{Argument, CustomElement, Instruction, Program, RegionElement, TypeCount, TypeElement};

/// The directive for operands in groups.
const OPERAND_GROUPS: &str = "OperandGroups";

struct Compiler<'d> {
    definition: &'d Arc<OperationDefinition>,
    release: Llvm,
    spacing: Spacing,
    instructions: Vec<Instruction>,
    elided: Vec<Box<str>>,
    has_prop_dict: bool,
    has_dictionary: bool,
    checks: Checks,
    hidden_parts: HiddenParts,
}

impl Program {
    /// Whether formats are compiled in the same way for two releases.
    pub(crate) fn is_compiled_alike(first: Llvm, second: Llvm) -> bool {
        first.separates_properties() == second.separates_properties()
            && first.separates_clauses() == second.separates_clauses()
    }

    /// Compiles the format of a definition. Returns `None` without a format, or if an element is unknown.
    pub(crate) fn compile(definition: &Arc<OperationDefinition>, release: Llvm) -> Option<Self> {
        let elements = definition.assembly()?;
        let mut compiler = Compiler {
            definition,
            release,
            spacing: Spacing { space: true, punctuation: false },
            instructions: Vec::new(),
            elided: Vec::new(),
            has_prop_dict: false,
            has_dictionary: false,
            checks: Checks::of(definition, elements),
            hidden_parts: HiddenParts::of(definition, elements),
        };
        compiler.elements(elements)?;
        compiler.elide_sizes();
        Some(compiler.program())
    }
}

impl Compiler<'_> {
    fn program(self) -> Program {
        let definition = self.definition;
        let is_transcribed = definition.format().is_none();
        let separates = self.release.separates_properties() && definition.has_strict_properties();
        Program {
            definition: definition.clone(),
            instructions: self.instructions.into(),
            elided: self.elided.into(),
            has_prop_dict: self.has_prop_dict,
            has_dictionary: self.has_dictionary || !is_transcribed,
            is_transcribed,
            separates_properties: separates && !is_transcribed,
            refuses_properties: separates && is_transcribed,
            implies_terminator: definition.has_trait("SingleBlockImplicitTerminator"),
            checks: self.checks,
            hidden_parts: self.hidden_parts,
        }
    }

    // Directives write the sizes of groups of groups.
    fn elide_sizes(&mut self) {
        for operand in self.definition.operands() {
            if let Multiplicity::VariadicOfVariadic(sizes) = operand.multiplicity() {
                self.elided.push(sizes.clone());
            }
        }
    }

    fn push(&mut self, instruction: Instruction) {
        self.instructions.push(instruction);
    }

    fn elements(&mut self, elements: &[FormatElement]) -> Option<()> {
        elements.iter().try_for_each(|element| self.element(element))
    }

    // ---- spaces ----

    fn space(&mut self) {
        if self.spacing.element() {
            self.push(Instruction::Space);
        }
    }

    fn space_before(&mut self, literal: &str) {
        if self.spacing.literal(literal) {
            self.push(Instruction::Space);
        }
    }

    fn literal(&mut self, text: &str) {
        self.space_before(text);
        self.push(Instruction::Literal(text.into()));
    }

    // ---- elements ----

    fn element(&mut self, element: &FormatElement) -> Option<()> {
        match element {
            FormatElement::Literal(text) => self.literal(text),
            FormatElement::NoSpace => self.spacing = Spacing { space: false, punctuation: true },
            FormatElement::Space => {
                self.push(Instruction::Space);
                self.spacing = Spacing { space: false, punctuation: false };
            }
            FormatElement::Newline => self.push(Instruction::Newline),
            FormatElement::Variable(kind, place) => {
                self.space();
                self.variable(*kind, *place, false)?;
            }
            FormatElement::Directive(directive, arguments) => self.directive(*directive, arguments)?,
            FormatElement::Custom(name, arguments) => self.custom(name, arguments)?,
            FormatElement::Undeclared(name) => {
                self.space();
                self.elided.push(name.clone());
                self.push(Instruction::Undeclared(name.clone()));
            }
            FormatElement::Code(_) => return None,
            FormatElement::Group { then, otherwise, anchor } => self.group(then, otherwise, *anchor)?,
            FormatElement::OrderIndependent(clauses) => self.clauses(clauses)?,
            FormatElement::Inline(elements) => self.inline(elements)?,
        }
        Some(())
    }

    fn variable(&mut self, kind: VariableKind, place: usize, is_qualified: bool) -> Option<()> {
        let instruction = match kind {
            VariableKind::Operand => {
                let operand = self.definition.operands().get(place)?;
                match is_flat(operand) {
                    true => Instruction::Operand(place),
                    false => {
                        let directive = Directive::of(self.definition, OPERAND_GROUPS, 1);
                        directive.as_ref()?;
                        let arguments = [Argument::Operands(place)].into();
                        Instruction::Custom(CustomElement { directive, arguments })
                    }
                }
            }
            VariableKind::Attribute => {
                self.elide(place);
                Instruction::Attribute { place, is_qualified }
            }
            VariableKind::Region => Instruction::Region(self.region(place)?),
            VariableKind::Successor => {
                let is_variadic = self.definition.successors().get(place)?.is_variadic();
                Instruction::Successor { place, is_variadic }
            }
            VariableKind::Result => return None,
        };
        self.push(instruction);
        Some(())
    }

    fn region(&self, place: usize) -> Option<RegionElement> {
        let is_variadic = self.definition.regions().get(place)?.is_variadic();
        Some(RegionElement { place, is_variadic })
    }

    fn elide(&mut self, place: usize) {
        if let Some(attribute) = self.definition.attributes().get(place) {
            self.elided.push(attribute.name().into());
        }
    }

    fn directive(&mut self, directive: Element, arguments: &[FormatElement]) -> Option<()> {
        match directive {
            Element::AttrDict | Element::AttrDictWithKeyword => {
                let has_keyword = directive == Element::AttrDictWithKeyword;
                self.push(Instruction::AttrDict { has_keyword });
                self.spacing.punctuation = false;
                self.has_dictionary = true;
                return Some(());
            }
            Element::PropDict => {
                // LLVM 24 prints a space only if a dictionary follows.
                if !self.release.separates_properties() {
                    self.push(Instruction::Space);
                }
                self.push(Instruction::PropDict);
                self.has_prop_dict = true;
                self.spacing.punctuation = false;
                return Some(());
            }
            Element::Ref => return Some(()),
            _ => self.space(),
        }
        match directive {
            Element::Operands => self.push(Instruction::AllOperands),
            Element::Regions => self.all_regions()?,
            Element::Successors => self.push(Instruction::AllSuccessors),
            Element::Type => self.types(arguments, false)?,
            Element::FunctionalType => {
                let (inputs, results) = (values(arguments.first()?)?, values(arguments.get(1)?)?);
                self.push(Instruction::FunctionalType(inputs, results));
            }
            Element::Qualified => match arguments.first()? {
                FormatElement::Variable(kind, place) => self.variable(*kind, *place, true)?,
                FormatElement::Directive(Element::Type, inner) => self.types(inner, true)?,
                _ => return None,
            },
            _ => return None,
        }
        Some(())
    }

    fn all_regions(&mut self) -> Option<()> {
        for place in 0..self.definition.regions().len() {
            if place > 0 {
                self.push(Instruction::Literal(",".into()));
                self.push(Instruction::Space);
            }
            let region = self.region(place)?;
            self.push(Instruction::Region(region));
        }
        Some(())
    }

    fn types(&mut self, arguments: &[FormatElement], is_qualified: bool) -> Option<()> {
        let typed_values = values(arguments.first()?)?;
        let value = match typed_values {
            Values::Operand(place) => self.definition.operands().get(place),
            Values::Result(place) => self.definition.results().get(place),
            Values::AllOperands | Values::AllResults => None,
        };
        let count = match value.map(ValueDefinition::multiplicity) {
            Some(Multiplicity::One) => TypeCount::One,
            Some(Multiplicity::Optional) => TypeCount::Optional,
            Some(Multiplicity::VariadicOfVariadic(_)) => return None,
            _ => TypeCount::Any,
        };
        let class = value.and_then(|value| value.constraint()?.class()).filter(|_| count == TypeCount::One);
        let class = class.map(Box::from);
        self.push(Instruction::Type(TypeElement { of: typed_values, count, class, is_qualified }));
        Some(())
    }

    // ---- custom directives ----

    // The directive writes one space itself, so no space precedes its first element.
    fn inline(&mut self, elements: &[FormatElement]) -> Option<()> {
        self.space();
        self.spacing = Spacing { space: false, punctuation: true };
        self.elements(elements)?;
        self.spacing = Spacing { space: true, punctuation: false };
        Some(())
    }

    fn custom(&mut self, name: &str, elements: &[FormatElement]) -> Option<()> {
        self.space();
        let directive = Directive::of(self.definition, name, elements.len());
        if directive.is_none() && !UNKNOWN_DIRECTIVES.contains(&name) {
            return None;
        }
        let arguments = elements.iter().map(|element| self.argument(element, true)).collect::<Option<_>>()?;
        self.push(Instruction::Custom(CustomElement { directive, arguments }));
        Some(())
    }

    fn argument(&mut self, element: &FormatElement, is_use: bool) -> Option<Argument> {
        Some(match element {
            FormatElement::Variable(VariableKind::Operand, place) => Argument::Operands(*place),
            FormatElement::Variable(VariableKind::Attribute, place) => {
                if is_use {
                    self.elide(*place);
                }
                Argument::Attribute(*place)
            }
            FormatElement::Variable(VariableKind::Region, place) => Argument::Region(*place),
            FormatElement::Variable(VariableKind::Successor, place) => Argument::Successor(*place),
            FormatElement::Directive(Element::Type, inner) => Argument::Types(values(inner.first()?)?),
            FormatElement::Directive(Element::Ref, inner) => self.argument(inner.first()?, false)?,
            FormatElement::Directive(Element::Qualified, inner) => self.argument(inner.first()?, is_use)?,
            FormatElement::Directive(Element::AttrDict, _) => {
                self.has_dictionary = true;
                Argument::AttrDict
            }
            FormatElement::Undeclared(name) => {
                if is_use {
                    self.elided.push(name.clone());
                }
                Argument::Undeclared(name.clone())
            }
            FormatElement::Code(code) => Argument::Code(code.clone()),
            FormatElement::Directive(..) => Argument::Other,
            _ => return None,
        })
    }
}

fn is_flat(value: &ValueDefinition) -> bool {
    !matches!(value.multiplicity(), Multiplicity::VariadicOfVariadic(_))
}

/// The operands or results that an element stands for.
pub(crate) fn values(element: &FormatElement) -> Option<Values> {
    Some(match element {
        FormatElement::Variable(VariableKind::Operand, place) => Values::Operand(*place),
        FormatElement::Variable(VariableKind::Result, place) => Values::Result(*place),
        FormatElement::Directive(Element::Operands, _) => Values::AllOperands,
        FormatElement::Directive(Element::Results, _) => Values::AllResults,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::ops::OperationDefinitions;

    fn compiled(operation: &str, release: u32) -> Vec<String> {
        let definition = OperationDefinitions::named("llvm-22").unwrap().get(operation).unwrap();
        let program = Program::compile(&definition, Llvm(release)).unwrap();
        program.instructions.iter().map(|one| format!("{one:?}")).collect()
    }

    #[test]
    fn spaces_are_settled_and_groups_are_jumps() {
        let program = compiled("scf.yield", 22);
        let group = "Unless { presence: Values(Operand(0)), start: Value, otherwise: 8 }";
        let later = ["Space", "Operand(0)", "Space", "Literal(\":\")", "Space"];
        assert_eq!(program[..2], ["AttrDict { has_keyword: false }", group]);
        assert_eq!(program[2..7], later);
        assert!(program[7].starts_with("Type(TypeElement { of: Operand(0), count: Any"), "{program:?}");
        assert_eq!(program.len(), 8);
    }

    #[test]
    fn a_literal_stands_for_a_unit_attribute() {
        let program = compiled("memref.load", 22);
        assert!(!program.iter().any(|one| one.starts_with("Unit")), "{program:?}");
        let program = compiled("ptr.load", 22);
        let unit = program.iter().position(|one| one == "Unit(2)").unwrap();
        let group = "Unless { presence: Attribute(2), start: Literal(\"volatile\")";
        assert!(program[unit - 3].starts_with(group), "{program:?}");
        assert_eq!(program[unit - 2..unit], ["Space", "Opening(\"volatile\")"]);
    }

    #[test]
    fn any_clause_may_follow_a_clause() {
        let program = compiled("ptr.load", 22);
        let ends: Vec<_> = program.iter().filter(|one| one.starts_with("NextClause")).collect();
        assert_eq!(ends.len(), 4);
        assert!(ends.iter().all(|end| *end == ends[0]), "{program:?}");
        // Before LLVM 19, a list of clauses begins with a literal of one space.
        assert_eq!(compiled("ptr.load", 18).len(), program.len() + 2);
    }

    // Directives of IREE that nothing writes and reads: these operations have the generic form.
    const NOT_COMPILED: [&str; 11] = [
        "flow.func",
        "flow.tensor.trace",
        "hal.dispatch.extern",
        "hal_loader.executable.dispatch",
        "stream.async.collective",
        "stream.async.func",
        "stream.cmd.call",
        "stream.cmd.func",
        "stream.tensor.dispatch",
        "stream.tensor.trace",
        "vm.br_table",
    ];

    #[test]
    fn formats_are_compiled_but_for_a_list_that_may_only_become_shorter() {
        let mut not_compiled = BTreeSet::new();
        for release in OperationDefinitions::releases() {
            let definitions = OperationDefinitions::named(release).unwrap();
            for name in definitions.names() {
                let definition = definitions.get(name).unwrap();
                let has_format = definition.assembly().is_some();
                if has_format && Program::compile(&definition, Llvm(24)).is_none() {
                    not_compiled.insert(name);
                }
            }
        }
        assert_eq!(not_compiled, NOT_COMPILED.into());
    }
}
