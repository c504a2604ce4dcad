//! `func.func` and operations with the same form (`mlir/lib/Interfaces/FunctionImplementation.cpp`).

use crate::attr::text::lexer::TokenKind;
use crate::attr::text::parse::Parsed;

use super::super::frames::{AsmParser, NONE, Pending};
use super::super::region::EntryArgument;
use super::{Custom, Parsing};

/// Values with types and attributes.
pub(super) struct Signature<'t> {
    pub(super) arguments: Vec<EntryArgument<'t>>,
    pub(super) types: Vec<u32>,
    /// The attributes of each, as dictionaries.
    pub(super) attributes: Vec<Option<u32>>,
    /// Whether `...` ends the arguments.
    pub(super) is_variadic: bool,
}

impl<'t> AsmParser<'t> {
    /// `private @name(%a: type {name = value}) -> type attributes {…} {`
    pub(super) fn function(
        &mut self,
        pending: &mut Pending<'t>,
        custom: &mut Custom<'t>,
        phase: u32,
    ) -> Parsing<'t> {
        if phase > 0 {
            return Ok(None);
        }
        let token = self.peek()?;
        let word = self.spelling(token);
        if matches!(word, b"public" | b"private" | b"nested") {
            self.lexer().seek(token.end);
            let visibility = self.text.string_value(word)?;
            self.set_named(pending, "sym_visibility", visibility);
        }
        self.symbol_name(pending)?;
        let arguments = self.function_signature(pending)?;
        self.function_attributes(pending)?;
        self.function_body(custom, arguments)
    }

    /// `(%a: type {name = value}) -> type` as the type of a function; the arguments of its body.
    pub(super) fn function_signature(&mut self, pending: &mut Pending<'t>) -> Parsed<Vec<EntryArgument<'t>>> {
        let inputs = self.signature()?;
        let (results, result_attributes) = self.signature_results()?;
        let r#type = self.text.function_value(&inputs.types, &results)?;
        let r#type = self.text.type_value(r#type)?;
        self.set_named(pending, "function_type", r#type);
        self.array_of_dictionaries(pending, "arg_attrs", &inputs.attributes)?;
        self.array_of_dictionaries(pending, "res_attrs", &result_attributes)?;
        Ok(inputs.arguments)
    }

    /// The body of a function, unless it is a declaration.
    pub(super) fn function_body(
        &mut self,
        custom: &mut Custom<'t>,
        arguments: Vec<EntryArgument<'t>>,
    ) -> Parsing<'t> {
        if self.peek()?.kind != TokenKind::LeftBrace {
            return Ok(None);
        }
        custom.regions.push(0);
        self.open_region(arguments).map(Some)
    }

    /// `attributes {…}`, without the attributes that were written before.
    pub(super) fn function_attributes(&mut self, pending: &mut Pending<'t>) -> Parsed<()> {
        if self.eat_word("attributes")? {
            let brace = self.expect(TokenKind::LeftBrace, "`{` and the attributes")?;
            let first = pending.attributes.len();
            let mut more = Vec::new();
            self.attributes(&mut more)?;
            for (name, value) in more {
                if pending.attributes.iter().take(first).any(|(known, _)| *known == name) {
                    let name = self.attribute_names.get(name as usize).cloned().unwrap_or_default();
                    let name = String::from_utf8_lossy(&name).into_owned();
                    let message =
                        format!("attribute `{name}` is written before the arguments, not in the dictionary");
                    let error = super::super::frames::wrong(
                        crate::wire::error::ErrorKind::AsmContents,
                        brace.start,
                        message,
                    );
                    return Err(error);
                }
                pending.attributes.push((name, value));
            }
        }
        Ok(())
    }

    /// The results after `->`, with their attributes.
    pub(super) fn signature_results(&mut self) -> Parsed<(Vec<u32>, Vec<Option<u32>>)> {
        let (mut results, mut attributes) = (Vec::new(), Vec::new());
        if self.eat(TokenKind::Arrow)? {
            if self.eat(TokenKind::LeftParen)? {
                self.list(TokenKind::RightParen, "`,` or `)` after a result", |this| {
                    results.push(this.parse_type()?);
                    attributes.push(this.dictionary()?);
                    Ok(())
                })?;
            } else {
                results.push(self.parse_type()?);
                attributes.push(None);
            }
        }
        Ok((results, attributes))
    }

    /// Arguments with names, or types without, in parentheses.
    pub(super) fn signature(&mut self) -> Parsed<Signature<'t>> {
        let mut found = Signature {
            arguments: Vec::new(),
            types: Vec::new(),
            attributes: Vec::new(),
            is_variadic: false,
        };
        self.expect(TokenKind::LeftParen, "`(` and the arguments")?;
        self.list(TokenKind::RightParen, "`,` or `)` after an argument", |this| {
            let token = this.peek()?;
            if token.kind == TokenKind::Ellipsis {
                this.lexer().seek(token.end);
                found.is_variadic = true;
                return match this.peek()?.kind {
                    TokenKind::RightParen => Ok(()),
                    _ => this.unexpected(token, "`)` after `...`"),
                };
            }
            if token.kind != TokenKind::Value {
                if !found.arguments.is_empty() {
                    return this.unexpected(token, "the name of an argument, as in `%name: type`");
                }
                found.types.push(this.parse_type()?);
                let attributes = this.dictionary()?;
                found.attributes.push(attributes);
                return this.skipped_location();
            }
            if found.arguments.len() != found.types.len() {
                return this.unexpected(token, "a type, because the arguments before have no names");
            }
            this.lexer().seek(token.end);
            this.expect(TokenKind::Colon, "`:` and the type of the argument")?;
            let r#type = this.parse_type()?;
            let attributes = this.dictionary()?;
            let name = this.spelling(token);
            let mut argument = EntryArgument { name, position: token.start, r#type, location: NONE };
            this.argument_location(&mut argument)?;
            found.types.push(r#type);
            found.attributes.push(attributes);
            found.arguments.push(argument);
            Ok(())
        })?;
        Ok(found)
    }

    /// `loc(…)` of an argument, if it comes next.
    pub(super) fn argument_location(&mut self, argument: &mut EntryArgument<'t>) -> Parsed<()> {
        if self.eat_word("loc")? {
            // An alias that is defined later is resolved when the argument is made.
            let mut later = None;
            let known = self.location_in_parentheses(|_, name, position| later = Some((name, position)))?;
            match (known, later) {
                (Some(known), _) => argument.location = known,
                (None, Some((name, position))) => {
                    argument.location = self.later_location(name, position);
                }
                (None, None) => {}
            }
        }
        Ok(())
    }

    pub(super) fn skipped_location(&mut self) -> Parsed<()> {
        if self.eat_word("loc")? {
            self.location_in_parentheses(|_, _, _| {})?;
        }
        Ok(())
    }

    /// A dictionary, if there is one.
    pub(super) fn dictionary(&mut self) -> Parsed<Option<u32>> {
        if !self.eat(TokenKind::LeftBrace)? {
            return Ok(None);
        }
        let mut entries = Vec::new();
        self.attributes(&mut entries)?;
        if entries.is_empty() {
            return Ok(None);
        }
        let named = entries
            .into_iter()
            .map(|(name, value)| {
                (self.attribute_names.get(name as usize).cloned().unwrap_or_default(), value)
            })
            .collect();
        self.text.dictionary_value(named).map(Some)
    }

    /// The attributes of all arguments or results, if one of them has any.
    pub(super) fn array_of_dictionaries(
        &mut self,
        pending: &mut Pending<'t>,
        name: &str,
        attributes: &[Option<u32>],
    ) -> Parsed<()> {
        if attributes.iter().all(Option::is_none) {
            return Ok(());
        }
        let empty = self.text.dictionary_value(Vec::new())?;
        let items: Vec<u32> = attributes.iter().map(|one| one.unwrap_or(empty)).collect();
        let array = self.text.array_value(&items)?;
        self.set_named(pending, name, array);
        Ok(())
    }
}
