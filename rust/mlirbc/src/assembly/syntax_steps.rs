//! Steps that are composed of steps of [`Syntax`].

use crate::attr::text::lexer::TokenKind;

use super::style::RegionStyle;
use super::syntax::{Bracket, Flow, Group, Progress, Syntax, Values, Written};

/// The words of `sym_visibility`.
const VISIBILITIES: &[&str] = &["public", "private", "nested"];

pub(super) trait SyntaxSteps: Syntax {
    /// A part that a form needs.
    fn some<T>(&mut self, part: Option<T>) -> Result<T, Self::Error> {
        part.ok_or_else(|| self.refuse("it lacks a part that its form needs"))
    }

    /// Refuses an operation if a condition of its form does not hold.
    fn require(&mut self, is_so: bool) -> Written<Self> {
        self.some(is_so.then_some(()))
    }

    /// Whether the definition has an attribute.
    fn declares(&self, attribute: &str) -> bool {
        self.definition().attribute(attribute).is_some()
    }

    /// Whether the definition has operands of a name.
    fn declares_operands(&self, name: &str) -> bool {
        self.definition().operands().iter().any(|one| one.name() == name)
    }

    /// A unit attribute, written as a keyword.
    fn unit_keyword(&mut self, text: &str, name: &str) -> Result<bool, Self::Error> {
        let is_set = self.optional_text(text, |s| Ok(s.attr(name).is_some()))?;
        if is_set {
            self.set_unit(name)?;
        }
        Ok(is_set)
    }

    /// An attribute of the operation.
    fn named(&mut self, name: &str) -> Result<Self::Attribute, Self::Error> {
        let known_attribute = self.attr(name);
        let value = self.attribute(known_attribute)?;
        self.set(name, value);
        Ok(value)
    }

    /// ` keyword(attribute)`, or nothing; `text` is what comes before the attribute.
    fn optional_named(&mut self, text: &str, name: &str) -> Result<bool, Self::Error> {
        let is_there = self.optional_text(text, |s| Ok(s.attr(name).is_some()))?;
        if is_there {
            self.named(name)?;
            self.text(")")?;
        }
        Ok(is_there)
    }

    /// A type that is an attribute of the operation.
    fn type_attribute(&mut self, name: &str) -> Written<Self> {
        match Self::PRINTS {
            true => {
                let known_attribute = self.attr(name);
                self.attribute(known_attribute)?;
            }
            false => {
                let r#type = self.r#type(None)?;
                self.set_type(name, r#type)?;
            }
        }
        Ok(())
    }

    /// `@name`, as the name of the operation.
    fn symbol_name(&mut self) -> Written<Self> {
        let known_attribute = self.any_attr("sym_name");
        let known_text = known_attribute.and_then(|name| self.string(name));
        let name = self.symbol(known_text.as_deref())?;
        self.set_string("sym_name", &name)
    }

    /// The visibility of the operation and a space, or nothing.
    fn optional_visibility(&mut self) -> Result<bool, Self::Error> {
        let known_attribute = self.any_attr("sym_visibility");
        let known_text = match known_attribute {
            Some(attribute) => {
                let word = self.string(attribute);
                Some(self.some(word)?)
            }
            None => None,
        };
        let Some(word) = self.optional_word(known_text.as_deref(), VISIBILITIES)? else { return Ok(false) };
        self.set_string("sym_visibility", word.as_bytes())?;
        self.text(" ")?;
        Ok(true)
    }

    /// Writes or reads the visibility of the operation, which is printed as `public` if it is absent.
    /// Returns whether there is one.
    fn visibility_or_public(
        &mut self,
        known_attribute: Option<Self::Attribute>,
    ) -> Result<bool, Self::Error> {
        let word = match known_attribute {
            Some(attribute) => {
                let word = self.string(attribute);
                self.some(word)?
            }
            None => b"public".to_vec(),
        };
        let word = self.optional_word(Some(&word), VISIBILITIES)?;
        if let Some(word) = word {
            self.set_string("sym_visibility", word.as_bytes())?;
        }
        Ok(word.is_some())
    }

    /// A text and a type.
    fn type_after(&mut self, text: &str, known_type: Option<Self::Type>) -> Result<Self::Type, Self::Error> {
        self.text(text)?;
        self.r#type(known_type)
    }

    /// Values in brackets.
    fn values_in(
        &mut self,
        bracket: Bracket,
        known_values: &[Self::Value],
    ) -> Result<Vec<Self::Value>, Self::Error> {
        let (open, close) = bracket.texts();
        self.text(open)?;
        let values = self.values(known_values)?;
        self.text(close)?;
        Ok(values)
    }

    /// `%a, %b : type, type` or nothing between `open` and `)`.
    fn typed_values(&mut self, known_values: &[Self::Value]) -> Result<TypedValues<Self>, Self::Error> {
        let mut typed_values = TypedValues { values: self.values(known_values)?, types: Vec::new() };
        let is_empty = typed_values.values.is_empty() && self.at(TokenKind::RightParen, |_| Ok(true))?;
        if !is_empty {
            self.text(" : ")?;
            let types = self.types_of(known_values);
            typed_values.types = self.types(&types)?;
        }
        self.same_count(typed_values.values.len(), typed_values.types.len())?;
        Ok(typed_values)
    }

    /// Items in brackets with commas between them, of which the printer knows these.
    fn each<K: Copy, T>(
        &mut self,
        bracket: Bracket,
        known: &[K],
        mut item: impl FnMut(&mut Self, Option<K>) -> Result<T, Self::Error>,
    ) -> Result<Vec<T>, Self::Error> {
        let mut items = Vec::new();
        self.list(bracket, known.len(), |s, place| {
            items.push(item(s, known.get(place).copied())?);
            Ok(())
        })?;
        Ok(items)
    }

    /// Items with commas between them, of which the printer knows these; the parser reads at least one.
    fn each_separated<K: Copy, T>(
        &mut self,
        known: &[K],
        mut item: impl FnMut(&mut Self, Option<K>) -> Result<T, Self::Error>,
    ) -> Result<Vec<T>, Self::Error> {
        let mut items = Vec::new();
        self.separated(known.len(), |s, place| {
            items.push(item(s, known.get(place).copied())?);
            Ok(())
        })?;
        Ok(items)
    }

    /// The items of an array of the operation that are known; none without it.
    fn known_items(&mut self, name: &str) -> Result<Vec<Self::Attribute>, Self::Error> {
        let Some(array) = self.attr(name).filter(|_| Self::PRINTS) else { return Ok(Vec::new()) };
        let items = self.items(array);
        self.some(items)
    }

    /// The type of a known value.
    fn type_of(&mut self, value: Option<Self::Value>) -> Option<Self::Type> {
        self.types_of(value.as_slice()).first().copied()
    }

    /// The type of a known argument.
    fn type_of_argument(
        &mut self,
        argument: Option<Self::Argument>,
    ) -> Result<Option<Self::Type>, Self::Error> {
        argument.map(|argument| self.argument_type(argument)).transpose()
    }

    /// An argument with its type after `colon`; the printer does not show a location.
    fn declared_argument(
        &mut self,
        known_argument: Option<Self::Argument>,
        colon: &str,
    ) -> Result<Self::Argument, Self::Error> {
        let known_type = self.type_of_argument(known_argument)?;
        let argument = self.argument_name(known_argument)?;
        let r#type = self.type_after(colon, known_type)?;
        let argument = self.with_type(argument, r#type);
        if Self::PRINTS { Ok(argument) } else { self.argument_location(argument) }
    }

    /// Gives arguments the type `index`.
    fn as_indices(&mut self, arguments: Vec<Self::Argument>) -> Result<Vec<Self::Argument>, Self::Error> {
        Ok(match self.named_type("index")? {
            Some(index) => arguments.into_iter().map(|argument| self.with_type(argument, index)).collect(),
            None => arguments,
        })
    }

    /// Types in parentheses, of which the parser may find one without them.
    fn types_in_parentheses(&mut self, known_types: &[Self::Type]) -> Result<Vec<Self::Type>, Self::Error> {
        if !Self::PRINTS {
            return self.result_types(known_types);
        }
        self.text("(")?;
        let types = self.types(known_types)?;
        self.text(")")?;
        Ok(types)
    }

    /// ` -> types`, or nothing without types.
    fn optional_arrow_types(&mut self, known_types: &[Self::Type]) -> Result<Vec<Self::Type>, Self::Error> {
        match self.optional_text(" -> ", |_| Ok(!known_types.is_empty()))? {
            true => self.result_types(known_types),
            false => Ok(Vec::new()),
        }
    }

    /// ` -> types`, or nothing without types; the printer writes no parentheses around one function type.
    fn optional_arrow_plain(&mut self, known_types: &[Self::Type]) -> Result<Vec<Self::Type>, Self::Error> {
        match self.optional_text(" -> ", |_| Ok(!known_types.is_empty()))? {
            true => self.plain_result_types(known_types),
            false => Ok(Vec::new()),
        }
    }

    /// A type, or several in parentheses; the printer writes no parentheses around one function type.
    fn plain_result_types(&mut self, known_types: &[Self::Type]) -> Result<Vec<Self::Type>, Self::Error> {
        match known_types {
            [only] => Ok(vec![self.r#type(Some(*only))?]),
            _ => self.types_in_parentheses(known_types),
        }
    }

    /// Names of arguments with commas between them, in parentheses.
    fn arguments_in_parentheses(
        &mut self,
        known_arguments: &[Self::Argument],
    ) -> Result<Vec<Self::Argument>, Self::Error> {
        self.each(Bracket::Round, known_arguments, Self::argument)
    }

    /// Numbers in brackets.
    fn integers_list(&mut self, bracket: Bracket, known_numbers: &[i64]) -> Result<Vec<i64>, Self::Error> {
        self.each(bracket, known_numbers, Self::integer)
    }

    /// Gives an argument a type that may not be known when an operation is printed.
    fn with_types(&mut self, arguments: Vec<Self::Argument>, types: &[Self::Type]) -> Vec<Self::Argument> {
        match Self::PRINTS {
            true => arguments,
            false => arguments.into_iter().zip(types).map(|(one, &of)| self.with_type(one, of)).collect(),
        }
    }

    /// Gives operands that have one type.
    fn give_of_type<'n>(
        &mut self,
        group: impl Into<Group<'n>>,
        values: Vec<Self::Value>,
        r#type: Option<Self::Type>,
    ) {
        if let Some(r#type) = r#type {
            let types = values.iter().map(|_| r#type).collect();
            self.give(group, values, types);
        }
    }

    /// Sets the types of the first results of the definition.
    fn give_results(&mut self, types: Vec<Self::Type>) {
        self.set_types(Values::Result(0), types);
    }

    /// The body after a space, or nothing for a declaration.
    fn optional_body(&mut self, arguments: Vec<Self::Argument>) -> Flow<Self> {
        if !self.at(TokenKind::LeftBrace, |s| s.has_blocks(0))? {
            return Ok(Progress::Done);
        }
        self.text(" ")?;
        self.region(0, RegionStyle::BODY, arguments)
    }

    /// A region whose terminator is not shown.
    fn region_without_terminator(&mut self, number: usize, arguments: Vec<Self::Argument>) -> Flow<Self> {
        self.hides_terminator(number)?;
        self.region(number, RegionStyle::BODY.terminated(false), arguments)
    }

    /// A region whose terminator is shown or not.
    fn yielding_region(
        &mut self,
        number: usize,
        is_shown: bool,
        arguments: Vec<Self::Argument>,
    ) -> Flow<Self> {
        match is_shown {
            true => self.region(number, RegionStyle::BODY, arguments),
            false => self.region_without_terminator(number, arguments),
        }
    }
}

impl<S: Syntax> SyntaxSteps for S {}

/// Values with their types.
pub(super) struct TypedValues<S: Syntax> {
    pub(super) values: Vec<S::Value>,
    pub(super) types: Vec<S::Type>,
}
