//! Signatures of functions: `(%a: i32 {name = value}, ...) -> (i32, f32)`
//! (`mlir/lib/Interfaces/FunctionImplementation.cpp`).

use crate::attr::text::lexer::TokenKind;

use crate::assembly::syntax::{Bracket, Signature, Syntax, Written};
use crate::assembly::syntax_steps::SyntaxSteps;

/// The arguments and results of a function.
pub(in crate::assembly) struct FunctionSignature<S: Syntax> {
    pub(in crate::assembly) arguments: Vec<S::Argument>,
    pub(in crate::assembly) types: Vec<S::Type>,
    pub(in crate::assembly) attributes: Vec<Option<S::Attribute>>,
    /// Whether `...` ends the arguments.
    pub(in crate::assembly) is_variadic: bool,
    pub(in crate::assembly) results: Vec<S::Type>,
    pub(in crate::assembly) result_attributes: Vec<Option<S::Attribute>>,
    /// How many inputs the type of the function has, if it is known.
    pub(in crate::assembly) inputs: usize,
}

/// Returns the dictionaries of arguments or results: one for each if the printer knows any, otherwise none.
fn known_dictionaries<S: Syntax>(s: &mut S, name: &str, count: usize) -> Result<Vec<S::Attribute>, S::Error> {
    let items = s.known_items(name)?;
    let is_known = S::PRINTS && s.attr(name).is_some();
    s.require(!is_known || items.len() == count)?;
    Ok(items)
}

impl<S: Syntax> Default for FunctionSignature<S> {
    fn default() -> Self {
        Self {
            arguments: Vec::new(),
            types: Vec::new(),
            attributes: Vec::new(),
            is_variadic: false,
            results: Vec::new(),
            result_attributes: Vec::new(),
            inputs: 0,
        }
    }
}

impl<S: Syntax> FunctionSignature<S> {
    /// Prints or parses the signature that the function type in an attribute has.
    pub(in crate::assembly) fn of(s: &mut S, name: &str) -> Result<Self, S::Error> {
        let known_signature = s.signature(name)?;
        Self::of_known(s, &known_signature)
    }

    /// As [`Self::of`], with `...` after the arguments; the function type does not store it.
    pub(in crate::assembly) fn of_variadic(s: &mut S, name: &str) -> Result<Self, S::Error> {
        let known_signature = Signature { is_variadic: true, ..s.signature(name)? };
        Self::of_known(s, &known_signature)
    }

    fn of_known(s: &mut S, known_signature: &Signature<S>) -> Result<Self, S::Error> {
        let mut signature = Self { inputs: known_signature.inputs.len(), ..Self::default() };
        signature.inputs(s, known_signature)?;
        signature.results(s, known_signature)?;
        Ok(signature)
    }

    fn inputs(&mut self, s: &mut S, known_signature: &Signature<S>) -> Written<S> {
        let has_names = s.has_blocks(0)?;
        let arguments = s.arguments(0)?;
        s.require(!has_names || arguments.len() >= known_signature.inputs.len())?;
        let dictionaries = known_dictionaries(s, "arg_attrs", known_signature.inputs.len())?;
        let count = known_signature.inputs.len() + usize::from(known_signature.is_variadic);
        s.list(Bracket::Round, count, |s, place| {
            if s.optional_text("...", |_| Ok(place == known_signature.inputs.len()))? {
                self.is_variadic = true;
                return match s.at(TokenKind::RightParen, |_| Ok(true))? {
                    true => Ok(()),
                    false => Err(s.refuse("`...` ends the arguments")),
                };
            }
            let known_type = known_signature.inputs.get(place);
            let dictionary = dictionaries.get(place).copied();
            match s.at(TokenKind::Value, |_| Ok(has_names))? {
                true => self.argument(s, arguments.get(place).copied(), known_type, dictionary),
                false => self.input(s, known_type, dictionary),
            }
        })
    }

    // `%a: type {name = value}`
    fn argument(
        &mut self,
        s: &mut S,
        known_argument: Option<S::Argument>,
        known_type: Option<&S::SignaturePart>,
        dictionary: Option<S::Attribute>,
    ) -> Written<S> {
        if self.arguments.len() != self.types.len() {
            return Err(s.refuse("an argument has a name, but those before have none"));
        }
        let mut argument = s.argument_name(known_argument)?;
        s.text(": ")?;
        let argument_type = s.type_of_argument(known_argument)?;
        if let (Some(known_type), Some(argument_type)) = (known_type, argument_type)
            && !s.is_part(known_type, argument_type)
        {
            s.lose("a type of its signature that differs from its block argument");
        }
        let r#type = s.r#type(argument_type)?;
        argument = s.with_type(argument, r#type);
        self.attributes.push(s.dictionary(dictionary, false)?);
        self.arguments.push(s.argument_location(argument)?);
        self.types.push(r#type);
        Ok(())
    }

    // `type {name = value}`
    fn input(
        &mut self,
        s: &mut S,
        known_type: Option<&S::SignaturePart>,
        dictionary: Option<S::Attribute>,
    ) -> Written<S> {
        if !self.arguments.is_empty() {
            // The arguments before this one have names, so it needs one.
            return s.argument_name(None).map(drop);
        }
        self.types.extend(s.part(known_type)?);
        self.attributes.push(s.dictionary(dictionary, true)?);
        s.skip_location()
    }

    /// Prints or parses `%arg0: type {name = value}`. The printer writes the number of the argument, whatever
    /// name it has in the body.
    pub(in crate::assembly) fn numbered_input(
        &mut self,
        s: &mut S,
        place: usize,
        known_type: Option<S::Type>,
        dictionary: Option<S::Attribute>,
    ) -> Written<S> {
        if !s.at(TokenKind::Value, |_| Ok(true))? {
            return self.input(s, None, None);
        }
        if self.arguments.len() != self.types.len() {
            return Err(s.refuse("an argument has a name, but those before have none"));
        }
        let argument = s.numbered_argument(place)?;
        let r#type = s.type_after(": ", known_type)?;
        self.attributes.push(s.dictionary(dictionary, true)?);
        self.types.push(r#type);
        let mut argument = s.with_type(argument, r#type);
        if !S::PRINTS {
            argument = s.argument_location(argument)?;
        }
        self.arguments.push(argument);
        Ok(())
    }

    fn results(&mut self, s: &mut S, known_signature: &Signature<S>) -> Written<S> {
        if !s.optional_text(" -> ", |_| Ok(!known_signature.results.is_empty()))? {
            return Ok(());
        }
        let dictionaries = known_dictionaries(s, "res_attrs", known_signature.results.len())?;
        let has_parentheses = s.at(TokenKind::LeftParen, |s| {
            let is_function = matches!(&known_signature.results[..], [only] if s.is_function(only));
            let is_empty = match dictionaries.first() {
                Some(&first) => {
                    let pairs = s.pairs(first);
                    s.some(pairs)?.is_empty()
                }
                None => true,
            };
            Ok(known_signature.results.len() > 1 || is_function || !is_empty)
        })?;
        if !has_parentheses {
            self.results.extend(s.part(known_signature.results.first())?);
            self.result_attributes.push(None);
            return Ok(());
        }
        s.list(Bracket::Round, known_signature.results.len(), |s, place| {
            self.results.extend(s.part(known_signature.results.get(place))?);
            self.result_attributes.push(s.dictionary(dictionaries.get(place).copied(), true)?);
            Ok(())
        })
    }

    /// Sets the function type and the dictionaries of the operation when parsing.
    pub(in crate::assembly) fn give(&self, s: &mut S, name: &str) -> Written<S> {
        s.set_function_type(name, &self.types, &self.results)?;
        self.give_dictionaries(s)
    }

    /// Sets the dictionaries of arguments and results when parsing.
    pub(in crate::assembly) fn give_dictionaries(&self, s: &mut S) -> Written<S> {
        s.set_dictionaries("arg_attrs", &self.attributes)?;
        s.set_dictionaries("res_attrs", &self.result_attributes)
    }
}
