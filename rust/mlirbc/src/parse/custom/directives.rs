//! Custom directives of declarative formats.
//!
//! Each is a function of MLIR with the variables of the format as arguments; this file has the ones that occur often.

use crate::attr::text::lexer::TokenKind;
use crate::attr::text::parse::Parsed;
use crate::ops::{FormatElement, VariableKind};

use super::super::frames::{AsmParser, Pending};
use super::super::operands::Reference;
use super::Custom;
use super::call::{self, Call, Variable, variable};
use super::cases::case_text;

/// The dynamic size in static lists.
const DYNAMIC: i64 = i64::MIN;

impl<'t> AsmParser<'t> {
    pub(super) fn add_values(
        &self,
        custom: &mut Custom<'t>,
        of: Option<&Variable>,
        values: Vec<Reference<'t>>,
    ) {
        if let Some(slot) = of.and_then(|of| custom.operands.get_mut(of.number)) {
            slot.extend(values);
        }
    }

    pub(super) fn add_types(&self, custom: &mut Custom<'t>, of: Option<&Variable>, types: Vec<u32>) {
        let Some(of) = of else { return };
        let slot = match of.kind {
            VariableKind::Result => custom.result_types.get_mut(of.number),
            _ => custom.operand_types.get_mut(of.number),
        };
        if let Some(slot) = slot {
            slot.get_or_insert_default().extend(types);
        }
    }

    pub(super) fn add_attribute(
        &mut self,
        pending: &mut Pending<'t>,
        custom: &Custom<'t>,
        of: Option<&Variable>,
        value: u32,
    ) {
        if let Some(of) = of {
            self.set_attribute(pending, custom, of.number, value);
        }
    }

    // The types that a directive has as a reference.
    fn types_known(&self, custom: &Custom<'t>, of: Option<&Variable>) -> Vec<u32> {
        let slot = of.and_then(|of| match of.kind {
            VariableKind::Result => custom.result_types.get(of.number),
            _ => custom.operand_types.get(of.number),
        });
        slot.cloned().flatten().unwrap_or_default()
    }

    pub(super) fn custom_directive(
        &mut self,
        pending: &mut Pending<'t>,
        custom: &mut Custom<'t>,
        name: &str,
        arguments: &[FormatElement],
    ) -> Parsed<()> {
        if let Some(directive) = call::find(name) {
            return directive(&mut Call { parser: self, pending, custom, arguments });
        }
        let variables: Vec<Option<Variable>> = arguments.iter().map(variable).collect();
        let at = |place: usize| variables.get(place).copied().flatten();
        let (a, b, c) = (at(0), at(1), at(2));
        let (a, b, c) = (a.as_ref(), b.as_ref(), c.as_ref());
        match name {
            "LLVMOpAttrs" => self.optional_attributes(pending),
            "DynamicIndexList" => {
                let is_round = arguments.iter().any(
                    |argument| matches!(argument, FormatElement::Code(code) if code.ends_with("::Paren")),
                );
                let open = if is_round { TokenKind::LeftParen } else { TokenKind::LeftSquare };
                self.index_list(pending, custom, &variables, open)
            }
            "OptionalDynamicIndexList" => match self.peek()?.kind {
                TokenKind::LeftSquare => self.index_list(pending, custom, &variables, TokenKind::LeftSquare),
                _ => Ok(()),
            },
            "PackedOrDynamicIndexList" => {
                if self.eat(TokenKind::Star)? {
                    self.expect(TokenKind::LeftParen, "`(` and a value")?;
                    let value = self.reference()?;
                    self.expect(TokenKind::RightParen, "`)` after the value")?;
                    self.add_values(custom, a, vec![value]);
                    let empty = self.numbers_value("i64", &[])?;
                    self.add_attribute(pending, custom, c, empty);
                    return Ok(());
                }
                let rest: Vec<_> = variables.iter().skip(1).copied().collect();
                self.index_list(pending, custom, &rest, TokenKind::LeftSquare)
            }
            "AsyncDependencies" => {
                if self.eat_word("async")? {
                    let token = self.type_named("!gpu.async.token")?;
                    self.add_types(custom, a, vec![token]);
                }
                if self.peek()?.kind == TokenKind::LeftSquare {
                    let values = self.references_in_brackets()?;
                    let token = self.type_named("!gpu.async.token")?;
                    self.add_types(custom, b, vec![token; values.len()]);
                    self.add_values(custom, b, values);
                }
                Ok(())
            }
            "LaunchDimType" => {
                let r#type = match self.eat(TokenKind::Colon)? {
                    true => self.parse_type()?,
                    false => self.index()?,
                };
                self.add_types(custom, a, vec![r#type]);
                let has_cluster =
                    b.and_then(|of| custom.operands.get(of.number)).is_some_and(|values| !values.is_empty());
                for place in [2, 3, 4] {
                    let of = at(place);
                    self.add_types(custom, of.as_ref(), if has_cluster { vec![r#type] } else { Vec::new() });
                }
                Ok(())
            }
            "LaunchFuncOperands" => {
                let (mut values, mut types) = (Vec::new(), Vec::new());
                if self.eat_word("args")? {
                    self.expect(TokenKind::LeftParen, "`(` and the arguments")?;
                    self.list(TokenKind::RightParen, "`,` or `)` after an argument", |this| {
                        values.push(this.reference()?);
                        types.push(this.colon_type()?);
                        Ok(())
                    })?;
                }
                self.add_values(custom, a, values);
                self.add_types(custom, b, types);
                Ok(())
            }
            "MNKDimensionList" => {
                let sizes = self.lexer().dimensions_without_cross()?;
                for (place, size) in sizes.iter().enumerate() {
                    let value = self.text.fragment(false, &format!("{size} : i32"))?;
                    let of = at(place);
                    self.add_attribute(pending, custom, of.as_ref(), value);
                }
                match sizes.len() {
                    3 => Ok(()),
                    _ => Err(self.contents(pending, "three sizes are needed, as in `32x32x8`")),
                }
            }
            "DimensionList" => {
                let sizes = if self.eat(TokenKind::LeftSquare)? {
                    self.expect(TokenKind::RightSquare, "`]`")?;
                    Vec::new()
                } else {
                    self.lexer().dimensions_without_cross()?
                };
                let value = self.numbers_value("i64", &sizes)?;
                self.add_attribute(pending, custom, a, value);
                Ok(())
            }
            "SemiFunctionType" => {
                let has_parenthesis = self.eat(TokenKind::LeftParen)?;
                let of = self.parse_type()?;
                self.add_types(custom, a, vec![of]);
                if !has_parenthesis {
                    self.add_types(custom, b, Vec::new());
                    return Ok(());
                }
                self.expect(TokenKind::RightParen, "`)` after the type")?;
                self.expect(TokenKind::Arrow, "`->` and the types of the results")?;
                let types = self.result_types()?;
                self.add_types(custom, b, types);
                Ok(())
            }
            "TransformMatchDims" => {
                if self.eat_word("all")? {
                    let empty = self.numbers_value("i64", &[])?;
                    self.add_attribute(pending, custom, a, empty);
                    let unit = self.text.unit_value()?;
                    self.add_attribute(pending, custom, c, unit);
                    return Ok(());
                }
                let is_inverted = self.eat_word("except")?;
                if is_inverted {
                    self.expect(TokenKind::LeftParen, "`(` and positions")?;
                    let unit = self.text.unit_value()?;
                    self.add_attribute(pending, custom, b, unit);
                }
                let mut numbers = vec![self.integer()?];
                while self.eat(TokenKind::Comma)? {
                    numbers.push(self.integer()?);
                }
                if is_inverted {
                    self.expect(TokenKind::RightParen, "`)` after the positions")?;
                }
                let value = self.numbers_value("i64", &numbers)?;
                self.add_attribute(pending, custom, a, value);
                Ok(())
            }
            "GEPIndices" => {
                let (mut values, mut numbers) = (Vec::new(), Vec::new());
                loop {
                    if self.begins_integer()? {
                        numbers.push(self.integer()?);
                    } else {
                        values.push(self.reference()?);
                        numbers.push(i64::from(i32::MIN));
                    }
                    if !self.eat(TokenKind::Comma)? {
                        break;
                    }
                }
                if numbers.iter().any(|&number| i32::try_from(number).is_err()) {
                    return Err(self.contents(pending, "an index has 32 bits"));
                }
                let value = self.numbers_value("i32", &numbers)?;
                self.add_values(custom, a, values);
                self.add_attribute(pending, custom, b, value);
                Ok(())
            }
            "InsertExtractValueElementType" => {
                let container = self.types_known(custom, b).first().copied();
                let position = c.and_then(|of| {
                    let name = custom.definition.attributes().get(of.number)?.name().to_owned();
                    self.found(pending, &name)
                });
                let (Some(container), Some(position)) = (container, position) else { return Ok(()) };
                let r#type = self.member_type(pending, container, position)?;
                self.add_types(custom, a, vec![r#type]);
                Ok(())
            }
            "ShuffleType" => {
                let of = self.types_known(custom, a).first().copied();
                let mask = c.and_then(|of| {
                    let name = custom.definition.attributes().get(of.number)?.name().to_owned();
                    self.found(pending, &name)
                });
                let count = mask.and_then(|mask| self.text.array_length(mask));
                if let (Some(of), Some(count)) = (of, count) {
                    let r#type = self.text.with_first_dimension(of, count)?;
                    self.add_types(custom, b, r#type.into_iter().collect());
                }
                Ok(())
            }
            "GlobalMemrefOpTypeAndInitialValue" | "EmitCGlobalOpTypeAndInitialValue" => {
                self.typed_global(pending, custom, name, a, b)
            }
            "TypedInitialValue" => {
                if self.eat(TokenKind::LeftParen)? {
                    let value = self.text.parse_attribute()?;
                    self.add_attribute(pending, custom, b, value);
                    self.expect(TokenKind::RightParen, "`)` after the value")?;
                }
                let r#type = self.colon_type()?;
                let r#type = self.text.type_value(r#type)?;
                self.add_attribute(pending, custom, a, r#type);
                Ok(())
            }
            "SymbolVisibility" => {
                let word = self.keyword("`public`, `private` or `nested`")?;
                if !matches!(&*word, "public" | "private" | "nested") {
                    return Err(self.contents(pending, "the visibility is `public`, `private` or `nested`"));
                }
                let value = self.text.string_value(word.as_bytes())?;
                self.add_attribute(pending, custom, a, value);
                Ok(())
            }
            "OperationOpAttributes" | "CreateOperationOpAttributes" => {
                let (mut values, mut names) = (Vec::new(), Vec::new());
                if self.eat(TokenKind::LeftBrace)? {
                    self.list(TokenKind::RightBrace, "`,` or `}` after an attribute", |this| {
                        names.push(this.text.parse_attribute()?);
                        this.expect(TokenKind::Equal, "`=` and a value")?;
                        values.push(this.reference()?);
                        Ok(())
                    })?;
                }
                let names = self.text.array_value(&names)?;
                self.add_values(custom, a, values);
                self.add_attribute(pending, custom, b, names);
                Ok(())
            }
            "CreateOperationOpResults" => {
                if !self.eat(TokenKind::Arrow)? {
                    return Ok(());
                }
                if self.eat(TokenKind::Less)? {
                    self.expect_literal("inferred")?;
                    self.expect(TokenKind::Greater, "`>`")?;
                    let unit = self.text.unit_value()?;
                    self.add_attribute(pending, custom, c, unit);
                    return Ok(());
                }
                let (values, types) = self.typed_in_parentheses(pending)?;
                self.add_values(custom, a, values);
                self.add_types(custom, b, types);
                Ok(())
            }
            "RangeType" => {
                let r#type = match self.types_known(custom, a).first().copied() {
                    Some(first) => {
                        let text = self.whole_type(first)?;
                        let inner = text.trim_start_matches("!pdl.range<").trim_start_matches("!pdl.");
                        self.type_named(&format!("!pdl.range<{}>", inner.trim_end_matches('>')))?
                    }
                    None => self.colon_type()?,
                };
                self.add_types(custom, b, vec![r#type]);
                Ok(())
            }
            "ResultsValueType" => {
                let has_index = self.found(pending, "index").is_some();
                let r#type = if has_index {
                    self.expect(TokenKind::Arrow, "`->` and a type")?;
                    self.parse_type()?
                } else {
                    self.type_named("!pdl.range<value>")?
                };
                self.add_types(custom, b, vec![r#type]);
                Ok(())
            }
            "AllReduceOperation" => {
                if self.peek()?.kind == TokenKind::Identifier && self.peek_word()? != b"uniform" {
                    self.class_case(pending, custom, a)?;
                }
                Ok(())
            }
            "ClauseAttr" => self.class_case(pending, custom, a),
            "SynchronizationHint" => self.hint(pending, custom, a),
            "OffloadingHandler" => {
                let value = match self.eat(TokenKind::Less)? {
                    true => {
                        let value = self.text.parse_attribute()?;
                        self.expect(TokenKind::Greater, "`>` after the handler")?;
                        value
                    }
                    false => self.text.fragment(false, "#gpu.select_object")?,
                };
                self.add_attribute(pending, custom, a, value);
                Ok(())
            }
            "ImageOperands" => {
                if self.eat(TokenKind::LeftSquare)? {
                    let text = self.string("the operands of an image")?;
                    let value = self.text.fragment(false, &format!("#spirv.image_operands<{text}>"))?;
                    self.add_attribute(pending, custom, a, value);
                    self.expect(TokenKind::RightSquare, "`]` after the operands")?;
                }
                Ok(())
            }
            "AwaitResultType" => {
                let of = self.parse_type()?;
                self.add_types(custom, a, vec![of]);
                let text = self.whole_type(of)?;
                let inner = text.strip_prefix("!async.value<").and_then(|text| text.strip_suffix('>'));
                let types = match inner {
                    Some(inner) => vec![self.type_named(inner)?],
                    None => Vec::new(),
                };
                self.add_types(custom, b, types);
                Ok(())
            }
            "OverflowFlags" => {
                let value = match self.eat_word("overflow")? {
                    true => self.text.stripped(false, "llvm.overflow")?,
                    false => self.text.fragment(false, "#llvm.overflow<none>")?,
                };
                self.add_attribute(pending, custom, a, value);
                Ok(())
            }
            "ForeachMatchSymbols" => {
                let (mut matchers, mut actions) = (Vec::new(), Vec::new());
                loop {
                    matchers.push(self.text.parse_attribute()?);
                    self.expect(TokenKind::Arrow, "`->` and an action")?;
                    actions.push(self.text.parse_attribute()?);
                    if !self.eat(TokenKind::Comma)? {
                        break;
                    }
                }
                let matchers = self.text.array_value(&matchers)?;
                let actions = self.text.array_value(&actions)?;
                self.add_attribute(pending, custom, a, matchers);
                self.add_attribute(pending, custom, b, actions);
                Ok(())
            }
            "MultitileSizesTypes" => self.expect_or_function(custom, &variables),
            "ContinuousTileSizeTypes" => {
                let (operands, results) = self.function_type()?;
                self.add_types(custom, a, operands);
                for (place, r#type) in results.into_iter().enumerate() {
                    let of = at(place + 1);
                    self.add_types(custom, of.as_ref(), vec![r#type]);
                }
                Ok(())
            }
            "SwitchOpCases" => self.switch_cases(pending, custom, &variables),
            "SwitchCases" => {
                let number = self.integer()?;
                custom.numbers.push(number);
                let numbers = custom.numbers.clone();
                let value = self.numbers_value("i64", &numbers)?;
                self.add_attribute(pending, custom, a, value);
                Ok(())
            }
            "NamedValueList" | "NamedValueListWithVariadicity" => {
                self.named_values(pending, custom, [a, b, c])
            }
            "SingleBlockRegion" => Ok(()),
            "Var" => {
                if !self.eat_word("varPtr")? {
                    self.expect_literal("var")?;
                }
                self.expect(TokenKind::LeftParen, "`(` and a value")?;
                let value = self.reference()?;
                self.add_values(custom, a, vec![value]);
                Ok(())
            }
            "AccVar" => {
                if !self.eat_word("accPtr")? {
                    self.expect_literal("accVar")?;
                }
                self.expect(TokenKind::LeftParen, "`(` and a value")?;
                let value = self.reference()?;
                self.add_values(custom, a, vec![value]);
                let r#type = self.colon_type()?;
                self.add_types(custom, b, vec![r#type]);
                self.expect(TokenKind::RightParen, "`)` after the type")?;
                Ok(())
            }
            "VarPtrType" => self.acc_variable_type(pending, custom, a, b),
            "RecipeSym" => {
                let value = self.text.parse_attribute()?;
                self.add_attribute(pending, custom, a, value);
                Ok(())
            }
            _ => self.clause(pending, custom, name, arguments),
        }
    }

    fn peek_word(&mut self) -> Parsed<&'t [u8]> {
        let token = self.peek()?;
        Ok(self.spelling(token))
    }

    // `: type` of a value and, if it is not the pointee, `varType(type)`.
    fn acc_variable_type(
        &mut self,
        pending: &mut Pending<'t>,
        custom: &mut Custom<'t>,
        of: Option<&Variable>,
        attribute: Option<&Variable>,
    ) -> Parsed<()> {
        let r#type = self.parse_type()?;
        self.expect(TokenKind::RightParen, "`)` after the type")?;
        self.add_types(custom, of, vec![r#type]);
        let of = if self.eat_word("varType")? {
            self.expect(TokenKind::LeftParen, "`(` and a type")?;
            let own = self.parse_type()?;
            self.expect(TokenKind::RightParen, "`)` after the type")?;
            own
        } else {
            // The element of a memref is that of a pointer-like type; other types stand for themselves.
            self.pointee(r#type)?
        };
        let value = self.text.type_value(of)?;
        self.add_attribute(pending, custom, attribute, value);
        Ok(())
    }

    fn pointee(&mut self, r#type: u32) -> Parsed<u32> {
        let is_memref = self.whole_type(r#type)?.starts_with("memref<");
        match is_memref {
            true => Ok(self.text.element_of(r#type)?.unwrap_or(r#type)),
            false => Ok(r#type),
        }
    }

    // A word that is a case of the attribute's enumeration, as an attribute of its class.
    pub(super) fn class_case(
        &mut self,
        pending: &mut Pending<'t>,
        custom: &Custom<'t>,
        of: Option<&Variable>,
    ) -> Parsed<()> {
        let definition = custom.definition.clone();
        let constraint = of.and_then(|of| definition.attributes().get(of.number)?.constraint());
        let class = constraint.and_then(|constraint| constraint.class());
        let Some(class) = class else {
            return Err(self.unsupported(pending, "its clause has an attribute that is not known"));
        };
        let cases = constraint.and_then(|constraint| constraint.enumeration());
        let token = self.peek()?;
        let word = self.keyword("the name of a case")?;
        if cases.is_some_and(|cases| cases.cases().all(|(_, text)| text != word)) {
            return self.unexpected(token, "the name of a case");
        }
        let text = case_text(class, constraint.and_then(|constraint| constraint.assembly_format()), &word);
        let value = self.text.fragment(false, &text)?;
        self.add_attribute(pending, custom, of, value);
        Ok(())
    }

    // `speculative, contended`
    fn hint(&mut self, pending: &mut Pending<'t>, custom: &Custom<'t>, of: Option<&Variable>) -> Parsed<()> {
        let mut bits = 0;
        if !self.eat_word("none")? {
            loop {
                let word = self.keyword("a hint")?;
                bits |= match &*word {
                    "uncontended" => 1,
                    "contended" => 2,
                    "nonspeculative" => 4,
                    "speculative" => 8,
                    _ => return Err(self.contents(pending, format!("`{word}` is not a hint"))),
                };
                if !self.eat(TokenKind::Comma)? {
                    break;
                }
            }
        }
        let value = self.text.fragment(false, &format!("{bits} : i64"))?;
        self.add_attribute(pending, custom, of, value);
        Ok(())
    }

    /// `[%i, 4, [8]]`: the static list has a mark for each operand, and a flag for each size in brackets.
    fn index_list(
        &mut self,
        pending: &mut Pending<'t>,
        custom: &mut Custom<'t>,
        variables: &[Option<Variable>],
        open: TokenKind,
    ) -> Parsed<()> {
        self.expect(open, "a bracket and the indices")?;
        let close = match open {
            TokenKind::LeftParen => TokenKind::RightParen,
            _ => TokenKind::RightSquare,
        };
        let operand = variables.iter().flatten().find(|one| one.kind == VariableKind::Operand).copied();
        let lists: Vec<Variable> =
            variables.iter().flatten().filter(|one| one.kind == VariableKind::Attribute).copied().collect();
        // The type of the operands is a second variable of the same operand.
        let has_types =
            variables.iter().flatten().filter(|one| one.kind == VariableKind::Operand).count() > 1;
        let (mut numbers, mut values, mut types, mut flags) =
            (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let takes_flags = lists.len() > 1;
        self.list(close, "`,` or the closing bracket after an index", |this| {
            let is_scalable = takes_flags && this.eat(TokenKind::LeftSquare)?;
            match this.optional_reference()? {
                Some(value) => {
                    values.push(value);
                    numbers.push(DYNAMIC);
                    if has_types {
                        types.push(this.colon_type()?);
                    }
                }
                None => numbers.push(this.integer()?),
            }
            if is_scalable {
                this.expect(TokenKind::RightSquare, "`]` after a scalable size")?;
            }
            flags.push(is_scalable);
            Ok(())
        })?;
        let value = self.numbers_value("i64", &numbers)?;
        self.add_attribute(pending, custom, lists.first(), value);
        if takes_flags {
            let words: Vec<&str> = flags.iter().map(|&flag| if flag { "true" } else { "false" }).collect();
            let text = match words.is_empty() {
                true => "array<i1>".to_owned(),
                false => format!("array<i1: {}>", words.join(", ")),
            };
            let value = self.text.fragment(false, &text)?;
            self.add_attribute(pending, custom, lists.get(1), value);
        }
        self.add_values(custom, operand.as_ref(), values);
        if has_types {
            self.add_types(custom, operand.as_ref(), types);
        }
        Ok(())
    }

    fn typed_global(
        &mut self,
        pending: &mut Pending<'t>,
        custom: &mut Custom<'t>,
        name: &str,
        of_type: Option<&Variable>,
        of_value: Option<&Variable>,
    ) -> Parsed<()> {
        let r#type = self.parse_type()?;
        let value = self.text.type_value(r#type)?;
        self.add_attribute(pending, custom, of_type, value);
        if !self.eat(TokenKind::Equal)? {
            return Ok(());
        }
        let value = if name.starts_with("Global") {
            if self.eat_word("uninitialized")? {
                self.text.unit_value()?
            } else {
                let tensor = self.text.tensor_of_memref(r#type)?;
                self.typed_elements(tensor)?
            }
        } else {
            let text = self.whole_type(r#type)?;
            match text.strip_prefix("!emitc.array<") {
                Some(shape) => {
                    let tensor = self.type_named(&format!("tensor<{shape}"))?;
                    self.typed_elements(Some(tensor))?
                }
                None => match self.peek()?.kind {
                    TokenKind::Integer | TokenKind::Float | TokenKind::Minus => self.number(r#type)?,
                    _ => self.text.parse_attribute()?,
                },
            }
        };
        self.add_attribute(pending, custom, of_value, value);
        Ok(())
    }

    // Elements whose type is known, so that the text has none.
    fn typed_elements(&mut self, r#type: Option<u32>) -> Parsed<u32> {
        let (Some(r#type), Ok(token)) = (r#type, self.peek()) else { return self.text.parse_attribute() };
        let word = self.spelling(token);
        if !matches!(word, b"dense" | b"sparse" | b"dense_resource") {
            return self.text.parse_attribute();
        }
        self.lexer().seek(token.end);
        let Some(body) = self.lexer().dialect_body()? else {
            self.lexer().seek(token.start);
            return self.text.parse_attribute();
        };
        if self.peek()?.kind == TokenKind::Colon {
            self.lexer().seek(token.start);
            return self.text.parse_attribute();
        }
        let text = self.whole_type(r#type)?;
        let whole = [word, body, b" : ", text.as_bytes()].concat();
        self.text.fragment(false, &String::from_utf8_lossy(&whole))
    }

    // `(type) -> type`, for several results of one type.
    fn expect_or_function(&mut self, custom: &mut Custom<'t>, variables: &[Option<Variable>]) -> Parsed<()> {
        let (operands, results) = self.function_type()?;
        let first = variables.first().copied().flatten();
        self.add_types(custom, first.as_ref(), operands);
        for of in variables.iter().skip(1) {
            self.add_types(custom, of.as_ref(), results.iter().take(1).copied().collect());
        }
        Ok(())
    }

    // `default: ^bb1(%a : i32), 1: ^bb2`, or `1: ^bb2` in `[` and `]` of the llvm dialect.
    fn switch_cases(
        &mut self,
        pending: &mut Pending<'t>,
        custom: &mut Custom<'t>,
        variables: &[Option<Variable>],
    ) -> Parsed<()> {
        let at = |place: usize| variables.get(place).copied().flatten();
        let flag = at(0);
        let flag = self.types_known(custom, flag.as_ref()).first().copied();
        let is_llvm = variables.len() < 8;
        let first = if is_llvm { 1 } else { 4 };
        let mut is_done = false;
        // In older releases the brackets belong to the format.
        let has_bracket = is_llvm && self.eat(TokenKind::LeftSquare)?;
        if has_bracket {
            is_done = self.eat(TokenKind::RightSquare)?;
        } else if is_llvm {
            is_done = !self.begins_integer()?;
        } else {
            self.expect_literal("default")?;
            self.expect(TokenKind::Colon, "`:` and a block")?;
            let (block, values, types) = self.successor_with_values(pending)?;
            if let Some(slot) = at(1).and_then(|of| custom.successors.get_mut(of.number)) {
                slot.push(block);
            }
            let (of, of_types) = (at(2), at(3));
            self.add_values(custom, of.as_ref(), values);
            self.add_types(custom, of_types.as_ref(), types);
            is_done = is_done || !self.eat(TokenKind::Comma)?;
        }
        let (mut numbers, mut sizes) = (Vec::new(), Vec::new());
        while !is_done {
            numbers.push(self.integer()?);
            self.expect(TokenKind::Colon, "`:` and a block")?;
            let (block, values, types) = self.successor_with_values(pending)?;
            if let Some(slot) = at(first + 1).and_then(|of| custom.successors.get_mut(of.number)) {
                slot.push(block);
            }
            sizes.push(values.len() as i64);
            let (of, of_types) = (at(first + 2), at(first + 3));
            self.add_values(custom, of.as_ref(), values);
            self.add_types(custom, of_types.as_ref(), types);
            is_done = match has_bracket {
                true => !self.goes_on(TokenKind::RightSquare, "`,` or `]` after a case")?,
                false => !self.eat(TokenKind::Comma)?,
            };
        }
        // The sizes of the groups are the attribute that the definition names.
        if let Some(of) = at(first + 2)
            && let Some(operand) = custom.definition.clone().operands().get(of.number)
            && let crate::ops::Multiplicity::VariadicOfVariadic(name) = operand.multiplicity()
        {
            let value = self.numbers_value("i32", &sizes)?;
            self.set_named(pending, name, value);
        }
        if let Some(flag) = flag.filter(|_| !numbers.is_empty()) {
            let flag = self.whole_type(flag)?;
            let list: Vec<String> = numbers.iter().map(i64::to_string).collect();
            let text = format!("dense<[{}]> : vector<{}x{flag}>", list.join(", "), list.len());
            let value = self.text.fragment(false, &text)?;
            let of = at(first);
            self.add_attribute(pending, custom, of.as_ref(), value);
        }
        Ok(())
    }

    // `(name: %a, other: optional %b)`
    fn named_values(
        &mut self,
        pending: &mut Pending<'t>,
        custom: &mut Custom<'t>,
        [of, names_of, marks_of]: [Option<&Variable>; 3],
    ) -> Parsed<()> {
        let (mut values, mut names, mut marks) = (Vec::new(), Vec::new(), Vec::new());
        self.expect(TokenKind::LeftParen, "`(` and named values")?;
        self.list(TokenKind::RightParen, "`,` or `)` after a value", |this| {
            let name = match this.peek()?.kind {
                TokenKind::String => this.string("a name")?,
                _ => this.keyword("a name")?,
            };
            names.push(this.text.string_value(name.as_bytes())?);
            this.expect(TokenKind::Colon, "`:` and a value")?;
            let mark = ["single", "optional", "variadic"];
            let mut found = "single";
            for word in mark {
                if marks_of.is_some() && this.eat_word(word)? {
                    found = word;
                }
            }
            marks.push(this.text.fragment(false, &format!("#irdl<variadicity {found}>"))?);
            values.push(this.reference()?);
            Ok(())
        })?;
        let names = self.text.array_value(&names)?;
        self.add_attribute(pending, custom, names_of, names);
        if marks_of.is_some() {
            let list: Vec<String> =
                marks.iter().map(|&mark| self.whole_attribute(mark)).collect::<Parsed<Vec<_>>>()?;
            let words: Vec<&str> =
                list.iter().filter_map(|text| text.trim_end_matches('>').rsplit(' ').next()).collect();
            let text = format!("#irdl<variadicity_array[ {}]>", words.join(",  "));
            let value = self.text.fragment(false, &text)?;
            self.add_attribute(pending, custom, marks_of, value);
        }
        self.add_values(custom, of, values);
        Ok(())
    }
}
