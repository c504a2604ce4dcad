//! Clauses and operations of the acc dialect (`mlir/lib/Dialect/OpenACC/IR/OpenACC.cpp`).

use crate::attr::text::lexer::TokenKind;
use crate::attr::text::parse::Parsed;

use super::super::frames::{AsmParser, Pending};
use super::super::operands::Reference;
use super::Custom;
use super::directives::Variable;

/// Values with their types, and the device types that they are for.
#[derive(Default)]
struct OfDevices<'t> {
    values: Vec<Reference<'t>>,
    types: Vec<u32>,
    devices: Vec<u32>,
    /// The number of values of each device type, where they are in groups.
    sizes: Vec<i64>,
}

impl<'t> AsmParser<'t> {
    pub(super) fn acc_directive(
        &mut self,
        pending: &mut Pending<'t>,
        custom: &mut Custom<'t>,
        name: &str,
        variables: &[Option<Variable>],
    ) -> Parsed<()> {
        let at = |place: usize| variables.get(place).and_then(Option::as_ref);
        match name {
            "BindName" => self.acc_bind_names(pending, custom, variables),
            "CombinedConstructsLoop" => self.acc_combined(pending, custom, at(0)),
            "DeviceTypeArrayAttr" => {
                let mut devices = Vec::new();
                if self.eat(TokenKind::LeftParen)? {
                    devices = self.optional_attribute_list()?.unwrap_or_default();
                    self.expect(TokenKind::RightParen, "`)` after the device types")?;
                } else {
                    devices.push(self.no_device()?);
                }
                self.add_array(pending, custom, at(0), &devices)
            }
            "DeviceTypeOperands" => {
                let found = self.values_of_devices()?;
                self.add_of_devices(pending, custom, variables, found)
            }
            "DeviceTypeOperandsWithKeywordOnly" => {
                if !self.eat(TokenKind::LeftParen)? {
                    let none = self.no_device()?;
                    return self.add_array(pending, custom, at(3), &[none]);
                }
                // MLIR does not keep the device types without a value.
                if self.optional_attribute_list()?.is_some() {
                    self.comma()?;
                }
                let found = self.values_of_devices()?;
                self.expect(TokenKind::RightParen, "`)` after the values")?;
                self.add_of_devices(pending, custom, &variables[..variables.len().min(3)], found)
            }
            "DeviceTypeOperandsWithSegment" | "NumGangs" => {
                let found = self.groups_of_devices(|_| Ok(()))?;
                self.add_of_devices(pending, custom, variables, found)
            }
            "GangClause" => self.acc_gang(pending, custom, variables),
            "LoopControl" => self.acc_loop_control(custom, variables),
            "OperandWithKeywordOnly" | "OperandsWithKeywordOnly" => {
                if self.peek()?.kind != TokenKind::LeftParen {
                    let unit = self.text.unit_value()?;
                    self.add_attribute(pending, custom, at(2), unit);
                    return Ok(());
                }
                let (values, types) = self.typed_in_parentheses(pending)?;
                self.add_values(custom, at(0), values);
                self.add_types(custom, at(1), types);
                Ok(())
            }
            "RoutineGangClause" => self.acc_routine_gang(pending, custom, variables),
            "SymOperandList" => {
                let (mut found, mut symbols) = (OfDevices::default(), Vec::new());
                loop {
                    symbols.push(self.text.parse_attribute()?);
                    self.expect(TokenKind::Arrow, "`->` and a value")?;
                    found.values.push(self.reference()?);
                    found.types.push(self.colon_type()?);
                    if !self.eat(TokenKind::Comma)? {
                        break;
                    }
                }
                found.devices = symbols;
                self.add_of_devices(pending, custom, variables, found)
            }
            "WaitClause" => self.acc_wait(pending, custom, variables),
            _ => Err(self.unsupported(pending, "its format has a directive that is not known")),
        }
    }

    fn no_device(&mut self) -> Parsed<u32> {
        self.text.fragment(false, "#acc.device_type<none>")
    }

    // `[#acc.device_type<x>]`, or the one for none.
    fn device(&mut self) -> Parsed<u32> {
        if !self.eat(TokenKind::LeftSquare)? {
            return self.no_device();
        }
        let device = self.text.parse_attribute()?;
        self.expect(TokenKind::RightSquare, "`]` after the device type")?;
        Ok(device)
    }

    // `[a, b]`, if a bracket comes next.
    fn optional_attribute_list(&mut self) -> Parsed<Option<Vec<u32>>> {
        if !self.eat(TokenKind::LeftSquare)? {
            return Ok(None);
        }
        let mut found = Vec::new();
        self.list(TokenKind::RightSquare, "`,` or `]` after an attribute", |this| {
            found.push(this.text.parse_attribute()?);
            Ok(())
        })?;
        Ok(Some(found))
    }

    fn add_array(
        &mut self,
        pending: &mut Pending<'t>,
        custom: &Custom<'t>,
        of: Option<&Variable>,
        items: &[u32],
    ) -> Parsed<()> {
        let value = self.text.array_value(items)?;
        self.add_attribute(pending, custom, of, value);
        Ok(())
    }

    // The variables are values, their types, the device types and, for groups, their sizes.
    fn add_of_devices(
        &mut self,
        pending: &mut Pending<'t>,
        custom: &mut Custom<'t>,
        variables: &[Option<Variable>],
        found: OfDevices<'t>,
    ) -> Parsed<()> {
        let at = |place: usize| variables.get(place).and_then(Option::as_ref);
        self.add_values(custom, at(0), found.values);
        self.add_types(custom, at(1), found.types);
        self.add_array(pending, custom, at(2), &found.devices)?;
        if let Some(of) = at(3) {
            let sizes = self.numbers_value("i32", &found.sizes)?;
            self.add_attribute(pending, custom, Some(of), sizes);
        }
        Ok(())
    }

    // `%a : i32 [#acc.device_type<x>], …`
    fn values_of_devices(&mut self) -> Parsed<OfDevices<'t>> {
        let mut found = OfDevices::default();
        loop {
            found.values.push(self.reference()?);
            found.types.push(self.colon_type()?);
            found.devices.push(self.device()?);
            if !self.eat(TokenKind::Comma)? {
                return Ok(found);
            }
        }
    }

    // `{%a : i32, %b : i32} [#acc.device_type<x>], …`
    fn groups_of_devices(&mut self, mut start: impl FnMut(&mut Self) -> Parsed<()>) -> Parsed<OfDevices<'t>> {
        let mut found = OfDevices::default();
        loop {
            self.expect(TokenKind::LeftBrace, "`{` and values")?;
            start(self)?;
            let first = found.values.len();
            loop {
                found.values.push(self.reference()?);
                found.types.push(self.colon_type()?);
                if !self.goes_on(TokenKind::RightBrace, "`,` or `}` after a value")? {
                    break;
                }
            }
            found.sizes.push((found.values.len() - first) as i64);
            found.devices.push(self.device()?);
            if !self.eat(TokenKind::Comma)? {
                return Ok(found);
            }
        }
    }

    fn acc_wait(
        &mut self,
        pending: &mut Pending<'t>,
        custom: &mut Custom<'t>,
        variables: &[Option<Variable>],
    ) -> Parsed<()> {
        let at = |place: usize| variables.get(place).and_then(Option::as_ref);
        if !self.eat(TokenKind::LeftParen)? {
            let none = self.no_device()?;
            return self.add_array(pending, custom, at(5), &[none]);
        }
        let only = self.optional_attribute_list()?;
        if only.is_some() {
            self.comma()?;
        }
        let mut numbers = Vec::new();
        let found = self.groups_of_devices(|this| {
            let has_number = this.eat_word("devnum")?;
            if has_number {
                this.expect(TokenKind::Colon, "`:` after `devnum`")?;
            }
            numbers.push(this.text.fragment(false, if has_number { "true" } else { "false" })?);
            Ok(())
        })?;
        self.expect(TokenKind::RightParen, "`)` after the values")?;
        self.add_of_devices(pending, custom, &variables[..variables.len().min(4)], found)?;
        self.add_array(pending, custom, at(5), &only.unwrap_or_default())?;
        self.add_array(pending, custom, at(4), &numbers)
    }

    fn acc_gang(
        &mut self,
        pending: &mut Pending<'t>,
        custom: &mut Custom<'t>,
        variables: &[Option<Variable>],
    ) -> Parsed<()> {
        let at = |place: usize| variables.get(place).and_then(Option::as_ref);
        if !self.eat(TokenKind::LeftParen)? {
            let none = self.no_device()?;
            return self.add_array(pending, custom, at(5), &[none]);
        }
        let only = self.optional_attribute_list()?;
        let (mut found, mut kinds) = (OfDevices::default(), Vec::new());
        while only.is_none() && found.sizes.is_empty() || self.eat(TokenKind::Comma)? {
            self.expect(TokenKind::LeftBrace, "`{` and values")?;
            let first = found.values.len();
            loop {
                let token = self.peek()?;
                let kind = match &*self.keyword("`num`, `dim` or `static`")? {
                    "num" => "Num",
                    "dim" => "Dim",
                    "static" => "Static",
                    _ => return self.unexpected(token, "`num`, `dim` or `static`"),
                };
                kinds.push(self.text.fragment(false, &format!("#acc.gang_arg_type<{kind}>"))?);
                self.expect(TokenKind::Equal, "`=` and a value")?;
                found.values.push(self.reference()?);
                found.types.push(self.colon_type()?);
                if !self.goes_on(TokenKind::RightBrace, "`,` or `}` after a value")? {
                    break;
                }
            }
            found.devices.push(self.device()?);
            found.sizes.push((found.values.len() - first) as i64);
        }
        self.expect(TokenKind::RightParen, "`)` after the values")?;
        self.add_values(custom, at(0), found.values);
        self.add_types(custom, at(1), found.types);
        self.add_array(pending, custom, at(2), &kinds)?;
        self.add_array(pending, custom, at(3), &found.devices)?;
        let sizes = self.numbers_value("i32", &found.sizes)?;
        self.add_attribute(pending, custom, at(4), sizes);
        self.add_array(pending, custom, at(5), &only.unwrap_or_default())
    }

    // `kernels`, since release 20; before, `combined(kernels)` or nothing.
    fn acc_combined(
        &mut self,
        pending: &mut Pending<'t>,
        custom: &Custom<'t>,
        of: Option<&Variable>,
    ) -> Parsed<()> {
        let has_keyword = self.release.0 < 20;
        if has_keyword {
            if !self.eat_word("combined")? {
                return Ok(());
            }
            self.expect(TokenKind::LeftParen, "`(` and a construct")?;
        }
        let token = self.peek()?;
        let word = self.keyword("`kernels`, `parallel` or `serial`")?;
        if !matches!(&*word, "kernels" | "parallel" | "serial") {
            return self.unexpected(token, "`kernels`, `parallel` or `serial`");
        }
        if has_keyword {
            self.expect(TokenKind::RightParen, "`)` after the construct")?;
        }
        let value = self.text.fragment(false, &format!("#acc.combined_constructs<{word}_loop>"))?;
        self.add_attribute(pending, custom, of, value);
        Ok(())
    }

    // `control(%i : index) = (%a : index) to (%b : index) step (%s : index)`, if it comes next.
    fn acc_loop_control(&mut self, custom: &mut Custom<'t>, variables: &[Option<Variable>]) -> Parsed<()> {
        if !self.eat_word("control")? {
            return Ok(());
        }
        let mut arguments = Vec::new();
        self.expect(TokenKind::LeftParen, "`(` and the induction variables")?;
        self.list(TokenKind::RightParen, "`,` or `)` after a variable", |this| {
            arguments.push(this.typed_argument()?);
            Ok(())
        })?;
        self.expect(TokenKind::Equal, "`=` and the lower bounds")?;
        for (place, word) in [(1, ""), (3, "to"), (5, "step")] {
            if !word.is_empty() {
                self.expect_literal(word)?;
            }
            self.expect(TokenKind::LeftParen, "`(` and values")?;
            let values = self.references()?;
            let types = self.colon_types()?;
            self.expect(TokenKind::RightParen, "`)` after the types")?;
            let at = |place: usize| variables.get(place).and_then(Option::as_ref);
            self.add_values(custom, at(place), values);
            self.add_types(custom, at(place + 1), types);
        }
        custom.entry.extend(arguments);
        Ok(())
    }

    // `@name [#acc.device_type<x>], "name"`: symbols and strings are separate lists since release 20.
    fn acc_bind_names(
        &mut self,
        pending: &mut Pending<'t>,
        custom: &Custom<'t>,
        variables: &[Option<Variable>],
    ) -> Parsed<()> {
        let kinds = variables.len() / 2;
        let lists = || variables.chunks_exact(2).map(|_| Vec::new()).collect::<Vec<_>>();
        let (mut names, mut devices) = (lists(), lists());
        loop {
            let is_string = self.peek()?.kind == TokenKind::String;
            let kind = if is_string { kinds.saturating_sub(1) } else { 0 };
            let name = self.text.parse_attribute()?;
            let device = self.device()?;
            if let (Some(names), Some(devices)) = (names.get_mut(kind), devices.get_mut(kind)) {
                names.push(name);
                devices.push(device);
            }
            if !self.eat(TokenKind::Comma)? {
                break;
            }
        }
        for (place, items) in names.iter().chain(&devices).enumerate() {
            self.add_array(pending, custom, variables.get(place).and_then(Option::as_ref), items)?;
        }
        Ok(())
    }

    fn acc_routine_gang(
        &mut self,
        pending: &mut Pending<'t>,
        custom: &Custom<'t>,
        variables: &[Option<Variable>],
    ) -> Parsed<()> {
        let at = |place: usize| variables.get(place).and_then(Option::as_ref);
        if !self.eat(TokenKind::LeftParen)? {
            let none = self.no_device()?;
            return self.add_array(pending, custom, at(0), &[none]);
        }
        let only = self.optional_attribute_list()?;
        if only.is_some() {
            self.comma()?;
        }
        let (mut dimensions, mut devices) = (Vec::new(), Vec::new());
        loop {
            self.expect_literal("dim")?;
            self.expect(TokenKind::Colon, "`:` and a dimension")?;
            dimensions.push(self.text.parse_attribute()?);
            devices.push(self.device()?);
            if !self.eat(TokenKind::Comma)? {
                break;
            }
        }
        self.expect(TokenKind::RightParen, "`)` after the dimensions")?;
        self.add_array(pending, custom, at(0), &only.unwrap_or_default())?;
        self.add_array(pending, custom, at(1), &dimensions)?;
        self.add_array(pending, custom, at(2), &devices)
    }
}
