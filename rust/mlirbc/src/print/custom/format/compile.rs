//! The steps of a format.

use crate::assembly;
use crate::ops::{
    Anchor, AttributeDefinition, AttributeText, Directive, FormatElement, Multiplicity, OperationDefinition,
    UNKNOWN_DIRECTIVES, VariableKind,
};
use crate::release::Llvm;

use super::super::draft::Grouping;
use super::{Argument, DirectiveForm, Format, Presence, Step, Values, implied};

/// What the generator of printers tracks: whether a space is due, and whether punctuation was last.
struct Spacing {
    space: bool,
    punctuation: bool,
}

impl Spacing {
    fn literal(&mut self, text: &str) -> bool {
        let first = text.chars().next().unwrap_or(' ');
        let is_single = text.len() == 1;
        let may_follow = match (is_single, first) {
            (false, _) => true,
            (true, '>' | ')' | '}' | ']' | ',') => false,
            (true, '<' | '(' | '{' | '[') => self.punctuation,
            (true, _) => true,
        };
        let leads = self.space && may_follow;
        self.space = !(is_single && matches!(first, '<' | '(' | '{' | '['));
        self.punctuation = !(first.is_ascii_alphabetic() || first == '_');
        leads
    }

    fn element(&mut self) -> bool {
        let leads = self.space || !self.punctuation;
        self.space = true;
        self.punctuation = false;
        leads
    }
}

struct Compiler<'d> {
    definition: &'d OperationDefinition,
    release: Llvm,
    spacing: Spacing,
    steps: Vec<Step>,
    elided: Vec<Box<str>>,
    has_prop_dict: bool,
    has_dictionary: bool,
}

// A list of clauses in any order begins with a literal of one space.
fn separates_clauses(release: Llvm) -> bool {
    release.0 < 19
}

// StableHLO's dialects print inherent attributes in the dictionary still (without strict properties in `StablehloOps.td`).
fn is_strict(definition: &OperationDefinition) -> bool {
    !["chlo.", "stablehlo."].iter().any(|start| definition.name().starts_with(start))
}

impl Format {
    /// Whether formats are compiled in the same way for two releases.
    pub(in crate::print) fn is_compiled_alike(first: Llvm, second: Llvm) -> bool {
        first.separates_properties() == second.separates_properties()
            && separates_clauses(first) == separates_clauses(second)
    }

    /// Compiles a format; `None` if it has a directive that is not supported.
    pub(in crate::print) fn compile(definition: &OperationDefinition, release: Llvm) -> Option<Self> {
        let spacing = Spacing { space: true, punctuation: false };
        let mut compiler = Compiler {
            definition,
            release,
            spacing,
            steps: Vec::new(),
            elided: Vec::new(),
            has_prop_dict: false,
            has_dictionary: false,
        };
        let is_transcribed = definition.format().is_none();
        compiler.elements(definition.assembly()?)?;
        for operand in definition.operands() {
            if let Multiplicity::VariadicOfVariadic(sizes) = operand.multiplicity() {
                compiler.elided.push(sizes.clone());
            }
        }
        let Compiler { steps, elided, has_prop_dict, has_dictionary, .. } = compiler;
        Some(Self {
            steps: steps.into(),
            elided: elided.into(),
            has_prop_dict,
            separates_properties: release.separates_properties() && !is_transcribed && is_strict(definition),
            is_earlier: false,
            refuses_properties: release.separates_properties() && is_transcribed,
            elides_defaults: !is_transcribed,
            has_dictionary: has_dictionary || !is_transcribed,
            operands: Grouping::of_operands(definition),
            results: Grouping::of_results(definition),
            implied: implied::rules(definition, definition.assembly()?),
        })
    }
}

impl Compiler<'_> {
    fn text(&mut self, text: &str) {
        if !text.is_empty() {
            self.steps.push(Step::Text(text.into()));
        }
    }

    fn elements(&mut self, elements: &[FormatElement]) -> Option<()> {
        elements.iter().try_for_each(|element| self.element(element))
    }

    fn space(&mut self) {
        if self.spacing.element() {
            self.text(" ");
        }
    }

    fn literal(&mut self, text: &str) {
        let space = if self.spacing.literal(text) { " " } else { "" };
        self.text(&format!("{space}{text}"));
    }

    fn element(&mut self, element: &FormatElement) -> Option<()> {
        match element {
            FormatElement::Literal(text) => self.literal(text),
            FormatElement::NoSpace => {
                self.spacing.space = false;
                self.spacing.punctuation = true;
            }
            FormatElement::Space => {
                self.text(" ");
                self.spacing.space = false;
                self.spacing.punctuation = false;
            }
            FormatElement::Newline => {
                self.steps.push(Step::Newline);
            }
            FormatElement::Variable(kind, place) => {
                self.space();
                self.variable(*kind, *place, false)?;
            }
            FormatElement::Directive(directive, arguments) => self.directive(*directive, arguments)?,
            FormatElement::Custom(name, arguments) => {
                self.space();
                let directive = match assembly::Directive::of(self.definition.name(), name) {
                    Some(directive) => DirectiveForm::Assembly(directive),
                    None if UNKNOWN_DIRECTIVES.contains(&&**name) => DirectiveForm::Unknown,
                    None => return None,
                };
                let arguments: Option<Box<[Argument]>> =
                    arguments.iter().map(|argument| self.argument(argument, true)).collect();
                self.steps.push(Step::Custom(directive, arguments?));
            }
            FormatElement::Undeclared(name) => {
                self.space();
                self.elided.push(name.clone());
                self.steps.push(Step::Undeclared(name.clone()));
            }
            FormatElement::Code(_) => return None,
            FormatElement::Group { then, otherwise, anchor } => self.group(then, otherwise, *anchor)?,
            FormatElement::OrderIndependent(clauses) => {
                // A literal of one space, whatever follows.
                if separates_clauses(self.release) {
                    self.literal(" ");
                }
                for clause in clauses {
                    self.clause(clause)?;
                }
            }
        }
        Some(())
    }

    fn variable(&mut self, kind: VariableKind, place: usize, is_qualified: bool) -> Option<()> {
        let step = match kind {
            VariableKind::Operand => Step::Operand(place),
            VariableKind::Attribute => {
                self.elide(place);
                Step::Attribute(place, is_qualified)
            }
            VariableKind::Region => Step::Region(place),
            VariableKind::Successor => Step::Successor(place),
            VariableKind::Result => return None,
        };
        self.steps.push(step);
        Some(())
    }

    fn elide(&mut self, place: usize) {
        if let Some(attribute) = self.definition.attributes().get(place) {
            self.elided.push(attribute.name().into());
        }
    }

    fn directive(&mut self, directive: Directive, arguments: &[FormatElement]) -> Option<()> {
        match directive {
            Directive::AttrDict | Directive::AttrDictWithKeyword => {
                self.steps.push(match directive {
                    Directive::AttrDict => Step::AttrDict,
                    _ => Step::AttrDictWithKeyword,
                });
                self.spacing.punctuation = false;
                self.has_dictionary = true;
                return Some(());
            }
            Directive::PropDict => {
                // LLVM 24 prints a space only if a dictionary follows.
                if !self.release.separates_properties() {
                    self.text(" ");
                }
                self.steps.push(Step::PropDict);
                self.has_prop_dict = true;
                self.spacing.punctuation = false;
                return Some(());
            }
            Directive::Ref => return Some(()),
            _ => self.space(),
        }
        match directive {
            Directive::Operands => self.steps.push(Step::AllOperands),
            Directive::Regions => self.steps.push(Step::AllRegions),
            Directive::Successors => self.steps.push(Step::AllSuccessors),
            Directive::Type => {
                let values = values(arguments.first()?)?;
                self.steps.push(Step::Type(values, false));
            }
            Directive::FunctionalType => {
                let (inputs, results) = (values(arguments.first()?)?, values(arguments.get(1)?)?);
                self.steps.push(Step::FunctionalType(inputs, results));
            }
            Directive::Qualified => match arguments.first()? {
                FormatElement::Variable(kind, place) => self.variable(*kind, *place, true)?,
                FormatElement::Directive(Directive::Type, inner) => {
                    let values = values(inner.first()?)?;
                    self.steps.push(Step::Type(values, true));
                }
                _ => return None,
            },
            _ => return None,
        }
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
            FormatElement::Directive(Directive::Type, inner) => Argument::Types(values(inner.first()?)?),
            FormatElement::Directive(Directive::Ref, inner) => self.argument(inner.first()?, false)?,
            FormatElement::Directive(Directive::Qualified, inner) => self.argument(inner.first()?, is_use)?,
            FormatElement::Directive(Directive::AttrDict, _) => {
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

    fn presence(&self, element: &FormatElement) -> Option<Presence> {
        Some(match element {
            FormatElement::Variable(VariableKind::Operand, place) => {
                Presence::Values(Values::Operand(*place))
            }
            FormatElement::Variable(VariableKind::Result, place) => Presence::Values(Values::Result(*place)),
            FormatElement::Variable(VariableKind::Attribute, place) => Presence::Attribute(*place),
            FormatElement::Variable(VariableKind::Region, place) => Presence::Region(*place),
            FormatElement::Variable(VariableKind::Successor, place) => Presence::Successor(*place),
            FormatElement::Directive(Directive::Operands, _) => Presence::Values(Values::AllOperands),
            FormatElement::Directive(Directive::Results, _) => Presence::Values(Values::AllResults),
            FormatElement::Directive(Directive::Type | Directive::Ref | Directive::Qualified, inner) => {
                self.presence(inner.first()?)?
            }
            FormatElement::Directive(Directive::FunctionalType, inner) | FormatElement::Custom(_, inner) => {
                Presence::Any(inner.iter().filter_map(|element| self.presence(element)).collect())
            }
            _ => return None,
        })
    }

    fn is_unit(&self, element: &FormatElement) -> bool {
        let FormatElement::Variable(VariableKind::Attribute, place) = element else { return false };
        let constraint = self.definition.attributes().get(*place).and_then(AttributeDefinition::constraint);
        constraint.is_some_and(|one| {
            one.attribute_text() == AttributeText::Unit || one.is_property_kind("UnitProp")
        })
    }

    fn group(&mut self, then: &[FormatElement], otherwise: &[FormatElement], anchor: Anchor) -> Option<()> {
        let (place, is_inverted) = match anchor {
            Anchor::Then(place) => (place, false),
            Anchor::Otherwise(place) => (place, true),
        };
        let holder = if is_inverted { otherwise } else { then };
        let element = holder.get(place)?;
        let mut presence = self.presence(element)?;
        if is_inverted {
            presence = Presence::Not(Box::new(presence));
        }
        // A unit attribute is not printed where literals say that it is there.
        let silent = (place > 0 && self.is_unit(element)).then_some(place);
        let check = self.steps.len();
        self.steps.push(Step::Unless(presence, 0));
        self.members(then, silent.filter(|_| !is_inverted))?;
        let mut end = self.steps.len();
        if !otherwise.is_empty() {
            self.steps.push(Step::Jump(0));
            let jump = end;
            end += 1;
            self.members(otherwise, silent.filter(|_| is_inverted))?;
            let after = self.steps.len();
            if let Some(step) = self.steps.get_mut(jump) {
                *step = Step::Jump(after);
            }
        }
        if let Some(Step::Unless(_, target)) = self.steps.get_mut(check) {
            *target = end;
        }
        Some(())
    }

    fn members(&mut self, elements: &[FormatElement], silent: Option<usize>) -> Option<()> {
        for (place, element) in elements.iter().enumerate() {
            match element {
                FormatElement::Variable(_, attribute) if silent == Some(place) => self.elide(*attribute),
                element => self.element(element)?,
            }
        }
        Some(())
    }

    // A clause of `oilist`: present if any of its variables is.
    fn clause(&mut self, elements: &[FormatElement]) -> Option<()> {
        let (first, rest) = elements.split_first()?;
        let FormatElement::Literal(keyword) = first else { return None };
        let any: Vec<_> = rest.iter().filter_map(|element| self.presence(element)).collect();
        let check = self.steps.len();
        self.steps.push(Step::Unless(Presence::Any(any), 0));
        self.literal(keyword);
        match rest {
            [only @ FormatElement::Variable(_, place)] if self.is_unit(only) => self.elide(*place),
            rest => self.elements(rest)?,
        }
        let end = self.steps.len();
        if let Some(Step::Unless(_, target)) = self.steps.get_mut(check) {
            *target = end;
        }
        Some(())
    }
}

pub(super) fn values(element: &FormatElement) -> Option<Values> {
    Some(match element {
        FormatElement::Variable(VariableKind::Operand, place) => Values::Operand(*place),
        FormatElement::Variable(VariableKind::Result, place) => Values::Result(*place),
        FormatElement::Directive(Directive::Operands, _) => Values::AllOperands,
        FormatElement::Directive(Directive::Results, _) => Values::AllResults,
        _ => return None,
    })
}
