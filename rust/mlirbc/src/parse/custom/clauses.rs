//! Custom directives of the omp dialect: clauses.

use crate::attr::text::lexer::TokenKind;
use crate::attr::text::parse::Parsed;
use crate::ops::{FormatElement, VariableKind};

use super::super::frames::{AsmParser, Pending};
use super::Custom;
use super::call::{region_of, variable};
use super::directives::Variable;

impl<'t> AsmParser<'t> {
    pub(super) fn clause(
        &mut self,
        pending: &mut Pending<'t>,
        custom: &mut Custom<'t>,
        name: &str,
        arguments: &[FormatElement],
    ) -> Parsed<()> {
        let variables: Vec<Option<Variable>> = arguments.iter().map(variable).collect();
        let at = |place: usize| variables.get(place).copied().flatten();
        let definition = custom.definition.clone();
        match definition.name().split_once('.') {
            Some(("acc", _)) if name == "LoopControl" => return self.acc_loop_control(custom, &variables),
            Some(("omp", _)) if self.omp_list(pending, custom, name, &variables)? => return Ok(()),
            _ => {}
        }
        match name {
            "Wsloop" | "ParallelRegion" => {
                for (word, first) in [("reduction", 1), ("private", 5)] {
                    if at(first).is_some() && self.eat_word(word)? {
                        let is_reduction = first == 1;
                        let (of, of_types) = (at(first), at(first + 1));
                        let (flags_of, symbols_of) = match is_reduction {
                            true => (at(first + 2), at(first + 3)),
                            false => (None, at(first + 2)),
                        };
                        self.old_clause(
                            pending,
                            custom,
                            [of.as_ref(), of_types.as_ref(), flags_of.as_ref(), symbols_of.as_ref()],
                        )?;
                    }
                }
                Ok(())
            }
            name if region_of(arguments).is_some() => self.omp_region(pending, custom, name, arguments),
            _ => Err(self.unsupported(pending, "its format has a directive that is not known")),
        }
    }

    // `(@sym %a -> %x : type, …)`, of MLIR 19
    fn old_clause(
        &mut self,
        pending: &mut Pending<'t>,
        custom: &mut Custom<'t>,
        [of, of_types, flags_of, symbols_of]: [Option<&Variable>; 4],
    ) -> Parsed<()> {
        let (mut values, mut types, mut flags, mut symbols) =
            (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        self.expect(TokenKind::LeftParen, "`(` and values")?;
        self.list(TokenKind::RightParen, "`,` or `)` after a value", |this| {
            flags.push(if this.eat_word("byref")? { "true" } else { "false" });
            symbols.push(this.text.parse_attribute()?);
            values.push(this.reference()?);
            this.expect(TokenKind::Arrow, "`->` and an argument")?;
            let mut argument = this.argument_of(super::super::frames::NONE)?;
            argument.r#type = this.colon_type()?;
            types.push(argument.r#type);
            custom.entry.push(argument);
            Ok(())
        })?;
        let symbols = self.text.array_value(&symbols)?;
        self.add_attribute(pending, custom, symbols_of, symbols);
        if flags_of.is_some() {
            let value = self.text.fragment(false, &format!("array<i1: {}>", flags.join(", ")))?;
            self.add_attribute(pending, custom, flags_of, value);
        }
        self.add_values(custom, of, values);
        self.add_types(custom, of_types, types);
        Ok(())
    }

    // The clauses of omp whose values are arguments of the region, in the order of MLIR's parser.
    fn omp_region(
        &mut self,
        pending: &mut Pending<'t>,
        custom: &mut Custom<'t>,
        directive: &str,
        arguments: &[FormatElement],
    ) -> Parsed<()> {
        let definition = custom.definition.clone();
        let mut rest = arguments.iter().filter_map(variable).skip(1).peekable();
        let clauses: &[&str] = match directive {
            "TargetOpRegion" => &["has_device_addr", "host_eval", "in_reduction", "map_entries", "private"],
            "InReductionPrivateRegion" => &["in_reduction", "private"],
            "InReductionPrivateReductionRegion" => &["in_reduction", "private", "reduction"],
            "PrivateRegion" => &["private"],
            "PrivateReductionRegion" => &["private", "reduction"],
            "TaskReductionRegion" => &["task_reduction"],
            "UseDeviceAddrUseDevicePtrRegion" => &["use_device_addr", "use_device_ptr"],
            _ => return Err(self.unsupported(pending, "its format has a directive that is not known")),
        };
        for word in clauses {
            let name_of = |of: Option<Variable>| {
                of.filter(|of| of.kind == VariableKind::Attribute)
                    .and_then(|of| definition.attributes().get(of.number))
                    .map(|attribute| attribute.name().to_owned())
            };
            let mut modifier = None;
            if let Some(name) = name_of(rest.peek().copied())
                && name.ends_with("_mod")
            {
                modifier = Some(name);
                rest.next();
            }
            let operand = rest.next();
            // The types are a second variable of the operand.
            rest.next();
            let mut attributes = Vec::new();
            while let Some(name) = name_of(rest.peek().copied()) {
                if name.ends_with("_mod") {
                    break;
                }
                attributes.push(name);
                rest.next();
            }
            if self.eat_word(word)? {
                self.omp_clause(pending, custom, operand.as_ref(), modifier, &attributes)?;
            }
        }
        Ok(())
    }

    fn omp_clause(
        &mut self,
        pending: &mut Pending<'t>,
        custom: &mut Custom<'t>,
        operand: Option<&Variable>,
        modifier: Option<String>,
        attributes: &[String],
    ) -> Parsed<()> {
        let ending = |end: &str| attributes.iter().find(|name| name.ends_with(end)).cloned();
        let (by_reference, symbols, barrier, maps) =
            (ending("_byref"), ending("_syms"), ending("_needs_barrier"), ending("_maps"));
        self.expect(TokenKind::LeftParen, "`(` and values")?;
        if let Some(name) = modifier
            && self.eat_word("mod")?
        {
            self.expect(TokenKind::Colon, "`:` and the modifier")?;
            let word = self.keyword("the modifier")?;
            self.set_text(pending, &name, &format!("#omp<reduction_modifier ({word})>"))?;
            self.comma()?;
        }
        let (mut values, mut named, mut flags) = (Vec::new(), Vec::new(), Vec::new());
        let (mut symbol_list, mut indices) = (Vec::new(), Vec::new());
        loop {
            if by_reference.is_some() {
                flags.push(if self.eat_word("byref")? { "true" } else { "false" });
            }
            if symbols.is_some() {
                symbol_list.push(self.text.parse_attribute()?);
            }
            values.push(self.reference()?);
            self.expect(TokenKind::Arrow, "`->` and an argument")?;
            named.push(self.argument_of(super::super::frames::NONE)?);
            if maps.is_some() {
                let mut index = -1;
                if self.eat(TokenKind::LeftSquare)? {
                    self.expect_literal("map_idx")?;
                    self.expect(TokenKind::Equal, "`=` and a number")?;
                    index = self.integer()?;
                    self.expect(TokenKind::RightSquare, "`]` after the number")?;
                }
                indices.push(index);
            }
            if !self.eat(TokenKind::Comma)? {
                break;
            }
        }
        let types = self.colon_types()?;
        self.expect(TokenKind::RightParen, "`)` after the types")?;
        self.same_count(pending, values.len(), types.len())?;
        if let Some(name) = barrier {
            self.unit_keyword(pending, "private_barrier", &name)?;
        }
        if let Some(name) = symbols {
            let value = self.text.array_value(&symbol_list)?;
            self.set_named(pending, &name, value);
        }
        if let Some(name) = maps {
            let value = self.numbers_value("i64", &indices)?;
            self.set_named(pending, &name, value);
        }
        if let Some(name) = by_reference {
            self.set_text(pending, &name, &format!("array<i1: {}>", flags.join(", ")))?;
        }
        for (argument, &r#type) in named.iter_mut().zip(&types) {
            argument.r#type = r#type;
        }
        custom.entry.extend(named);
        self.add_values(custom, operand, values);
        self.add_types(custom, operand, types);
        Ok(())
    }
}
