//! The steps of a form, which a printer and a parser implement.
//!
//! A step takes what the printer knows of an operation and returns what the text says: the printer writes what it is given and
//! returns it, the parser ignores it and returns what it reads. So one function is the printer and the parser of a form. A
//! form has nothing but this trait, and reaches no state of either side.

use std::ops::Deref;

use crate::attr::text::dense::Element;
use crate::attr::text::lexer::TokenKind;
use crate::ops::OperationDefinition;
use crate::release::Llvm;

use super::style::RegionStyle;

/// What a form does next: nothing, or it continues after a region.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use = "a form returns it"]
pub(crate) enum Step {
    Done,
    /// The region was given to [`Syntax::region`]; the form is called again with the next phase.
    Region,
}

/// The result of a phase of a form.
pub(crate) type Flow<S> = Result<Step, <S as Syntax>::Error>;

/// The result of a step without a value.
pub(crate) type Written<S> = Result<(), <S as Syntax>::Error>;

/// The types of inputs and of results.
pub(crate) type FunctionTypes<S> = (Vec<<S as Syntax>::Type>, Vec<<S as Syntax>::Type>);

/// Values and types.
pub(crate) type ValuesAndTypes<S> = (Vec<<S as Syntax>::Value>, Vec<<S as Syntax>::Type>);

/// A reference to a symbol, and its name.
pub(crate) type SymbolReference<S> =
    Result<(<S as Syntax>::Attribute, Option<Vec<u8>>), <S as Syntax>::Error>;

/// A type, and the values of its dynamic dimensions.
pub(crate) type ShapedType<S> = (<S as Syntax>::Type, Vec<<S as Syntax>::Value>);

/// Brackets around a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Bracket {
    Round,
    Square,
}

impl Bracket {
    pub(crate) fn texts(self) -> (&'static str, &'static str) {
        match self {
            Self::Round => ("(", ")"),
            Self::Square => ("[", "]"),
        }
    }
}

/// The operands of one name of a definition.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Group<'n> {
    At(usize),
    Named(&'n str),
}

impl From<usize> for Group<'_> {
    fn from(place: usize) -> Self {
        Self::At(place)
    }
}

impl<'n> From<&'n str> for Group<'n> {
    fn from(name: &'n str) -> Self {
        Self::Named(name)
    }
}

/// Operands or results that have types.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Values {
    Operand(usize),
    Result(usize),
}

/// The inputs and results of a function that are known.
pub(crate) struct Signature<S: Syntax> {
    pub(crate) inputs: Vec<S::Part>,
    pub(crate) is_variadic: bool,
    pub(crate) results: Vec<S::Part>,
}

impl<S: Syntax> Default for Signature<S> {
    fn default() -> Self {
        Self { inputs: Vec::new(), is_variadic: false, results: Vec::new() }
    }
}

/// What a map says, as far as forms depend on it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct MapShape {
    pub(crate) dimensions: usize,
    pub(crate) symbols: usize,
    pub(crate) results: usize,
    /// The only result, if it is a number and the map has no inputs.
    pub(crate) number: Option<i64>,
    /// The only result is the only input, which is a symbol.
    pub(crate) is_symbol: bool,
    /// The results are the last dimensions, in order.
    pub(crate) is_minor_identity: bool,
}

impl MapShape {
    pub(crate) fn inputs(self) -> usize {
        self.dimensions + self.symbols
    }
}

/// The operands of a structured operation, with their types.
pub(crate) struct StructuredOperands<S: Syntax> {
    pub(crate) inputs: Vec<S::Value>,
    pub(crate) input_types: Vec<S::Type>,
    pub(crate) outputs: Vec<S::Value>,
    pub(crate) output_types: Vec<S::Type>,
}

/// Writes an operation as text, or reads one.
///
/// The printer's error is that the form cannot say the operation, which is then printed in generic form; nothing of it was
/// written before. The parser's error has a place in the text.
pub(crate) trait Syntax: Sized {
    /// Whether the form is printed.
    const PRINTS: bool;
    type Error;
    /// An operand.
    type Value: Copy + PartialEq;
    type Type: Copy + PartialEq;
    type Attribute: Copy + PartialEq;
    /// An argument of a region.
    type Argument: Copy;
    /// Operands that are known; none when a text is read.
    type Values: Copy + Deref<Target = [Self::Value]>;
    /// Types of results that are known.
    type Types: Copy + Deref<Target = [Self::Type]>;
    /// A type of a signature that is known, which may be a part of the text of another type.
    type Part: Clone;
    /// The only operation of a body, which stands before the operands.
    type Payload;

    // ---- the operation ----

    /// The definition of the operation.
    fn definition(&self) -> &OperationDefinition;
    /// The release whose rules apply.
    fn release(&self) -> Llvm;
    /// The error of an operation that the form does not have.
    fn refuse(&mut self, message: impl Into<String>) -> Self::Error;
    /// The error of a text whose meaning is not known.
    fn unsupported(&mut self, why: &str) -> Self::Error;
    /// Notes what the text does not show, unless something was noted before.
    fn lose(&mut self, _what: &'static str) {}
    /// Notes what the text does not show, in place of what was noted before.
    fn lose_rather(&mut self, _what: &'static str) {}
    /// Notes that the text does not show discardable attributes, if there are some.
    fn lose_discardable(&mut self) {}
    /// Notes that the text does not show other attributes than these.
    fn lose_other_attributes(&mut self, _shown: &[&str]) -> Written<Self> {
        Ok(())
    }
    /// Whether the operation has other attributes than these, without defaults.
    fn has_other_attributes(&mut self, _shown: &[&str]) -> Result<bool, Self::Error> {
        Ok(false)
    }

    // ---- text ----

    /// Words and punctuation; the printer writes the spaces, too.
    fn text(&mut self, text: &str) -> Written<Self>;
    /// A text that is there or not: the printer asks, and the parser looks at its first token.
    fn optional_text(
        &mut self,
        text: &str,
        is_printed: impl FnOnce(&mut Self) -> Result<bool, Self::Error>,
    ) -> Result<bool, Self::Error>;
    /// Whether a token of a kind comes next, which is not consumed.
    fn at(
        &mut self,
        kind: TokenKind,
        is_printed: impl FnOnce(&mut Self) -> Result<bool, Self::Error>,
    ) -> Result<bool, Self::Error>;
    fn newline(&mut self) {}
    /// More indentation for what follows.
    fn indent(&mut self) {}
    /// Less indentation for what follows.
    fn dedent(&mut self) {}

    // ---- lists ----

    /// Items in brackets with commas between them, of which the printer knows the number.
    fn list(
        &mut self,
        bracket: Bracket,
        known: usize,
        item: impl FnMut(&mut Self, usize) -> Written<Self>,
    ) -> Written<Self>;
    /// Items with commas between them; the parser reads at least one.
    fn separated(
        &mut self,
        known: usize,
        item: impl FnMut(&mut Self, usize) -> Written<Self>,
    ) -> Written<Self>;

    // ---- operands ----

    fn value(&mut self, known: Option<Self::Value>) -> Result<Self::Value, Self::Error>;
    /// A value, or nothing.
    fn optional_value(&mut self, known: Option<Self::Value>) -> Result<Option<Self::Value>, Self::Error>;
    /// Values with commas between them, or none.
    fn values(&mut self, known: &[Self::Value]) -> Result<Vec<Self::Value>, Self::Error>;
    /// All operands that are known.
    fn all_operands(&self) -> Self::Values;
    /// The operands of a name that are known.
    fn operands<'n>(&mut self, group: impl Into<Group<'n>>) -> Result<Self::Values, Self::Error>;
    /// Whether the operands of a name were printed or read.
    fn operand_count(&mut self, group: usize) -> usize;
    /// The types of values that are known.
    fn types_of(&self, values: &[Self::Value]) -> Vec<Self::Type>;
    /// Gives operands and their types to the operation.
    fn give<'n>(&mut self, group: impl Into<Group<'n>>, values: Vec<Self::Value>, types: Vec<Self::Type>);
    /// Gives all operands, in the order of the definition.
    fn give_all(&mut self, values: Vec<Self::Value>, types: Vec<Self::Type>);

    /// Gives operands whose types are known later.
    fn give_values(&mut self, _group: usize, _values: Vec<Self::Value>) {}
    /// `%name`, which is not a value, or nothing.
    fn optional_value_name(&mut self, known: Option<&[u8]>) -> Result<Option<Vec<u8>>, Self::Error>;

    // ---- types ----

    fn r#type(&mut self, known: Option<Self::Type>) -> Result<Self::Type, Self::Error>;
    /// Types with commas between them, at least one.
    fn types(&mut self, known: &[Self::Type]) -> Result<Vec<Self::Type>, Self::Error>;
    /// `(a, b) -> c`
    fn function_type(
        &mut self,
        inputs: &[Self::Type],
        results: &[Self::Type],
    ) -> Result<FunctionTypes<Self>, Self::Error>;
    /// A type, or several in parentheses.
    fn result_types(&mut self, known: &[Self::Type]) -> Result<Vec<Self::Type>, Self::Error>;
    /// The types of results that are known.
    fn all_results(&self) -> Self::Types;
    /// Sets the types of operands or results.
    fn set_types(&mut self, of: Values, types: Vec<Self::Type>);
    /// A type that a form names; `None` when an operation is printed.
    fn named_type(&mut self, text: &str) -> Result<Option<Self::Type>, Self::Error>;
    /// Checks that there is one type for each value that was read.
    fn same_count(&mut self, _values: usize, _types: usize) -> Written<Self> {
        Ok(())
    }
    /// The inputs and results of the type in an attribute that are known, and whether more inputs may follow.
    fn signature(&mut self, name: &str) -> Result<Signature<Self>, Self::Error>;
    /// A type of a signature; `None` when an operation is printed.
    fn part(&mut self, known: Option<&Self::Part>) -> Result<Option<Self::Type>, Self::Error>;
    /// Whether a part of a signature is a type.
    fn is_part(&mut self, part: &Self::Part, r#type: Self::Type) -> bool;
    /// Whether a result of a signature is a function type, which needs parentheses.
    fn is_function(&self, part: &Self::Part) -> bool;
    /// Notes if one of the types is not the one that the text stands for.
    fn implies(&mut self, _types: &[Self::Type], _text: &str) {}
    /// Notes if one of the types is not this one, which is printed.
    fn implies_same(&mut self, _types: &[Self::Type], _printed: Self::Type) {}
    /// Notes arguments of a function that are not references to variables of its inputs.
    fn check_references(&mut self, _name: &str) -> Written<Self> {
        Ok(())
    }
    /// The type in a type whose text begins like this, when a text is read.
    fn inner_type(&mut self, _start: &str, _type: Self::Type) -> Result<Option<Self::Type>, Self::Error> {
        Ok(None)
    }
    /// A type whose text begins in another way, when a text is read.
    fn retyped(
        &mut self,
        _start: &str,
        _other: &str,
        _type: Self::Type,
    ) -> Result<Option<Self::Type>, Self::Error> {
        Ok(None)
    }
    /// The text of a type that was read.
    fn type_text(&self, _type: Self::Type) -> Option<String> {
        None
    }
    /// The kind of numbers that a builtin type is.
    fn number_type(&self, r#type: Self::Type) -> Option<Element>;
    /// The sizes of a vector, which of them are scalable, and the type of its elements.
    fn vector_parts(&mut self, r#type: Self::Type) -> Option<(Vec<i64>, Vec<bool>, Self::Type)>;
    /// The number of dimensions of a memref that is known.
    fn memref_rank(&mut self, _type: Self::Type) -> Option<usize> {
        None
    }
    /// The number of levels of a space of iterations that is known.
    fn iteration_levels(&mut self, _type: Self::Type) -> Option<i64> {
        None
    }
    /// The value of an integer constant that defines an operand.
    fn constant(&mut self, _value: Self::Value) -> Option<i64> {
        None
    }
    /// Writes the pointee of a pointer of LLVM.
    fn pointee_of(&mut self, _pointer: Option<Self::Type>) -> Written<Self> {
        Ok(())
    }
    /// The pointee of a pointer of LLVM that was read.
    fn pointee(&mut self, _pointer: Self::Type) -> Result<Option<Self::Type>, Self::Error> {
        Ok(None)
    }
    /// A pointer of LLVM to a type that was read.
    fn pointer_to(&mut self, _type: Self::Type) -> Result<Option<Self::Type>, Self::Error> {
        Ok(None)
    }
    /// A structure of LLVM with a type that was read and one bit.
    fn pair_with_bit(&mut self, _type: Self::Type) -> Result<Option<Self::Type>, Self::Error> {
        Ok(None)
    }
    fn is_opaque_pointer(&mut self, _pointer: Self::Type) -> bool {
        false
    }
    /// Whether a known type is `!name`, with parameters or without.
    fn is_dialect_type(&self, _type: Self::Type, _name: &str) -> bool {
        false
    }
    /// The length of `!llvm.array<4 x i8>`.
    fn llvm_string_length(&mut self, _type: Self::Type) -> Option<u64> {
        None
    }
    /// Whether a type that was read is a tensor with a rank.
    fn is_ranked_tensor(&self, _type: Self::Type) -> bool {
        false
    }
    /// The number of dimensions of a type that was read.
    fn rank_of(&self, _type: Self::Type) -> Option<usize> {
        None
    }
    /// A vector with these sizes, when a text is read.
    fn vector_of(
        &mut self,
        _sizes: &[i64],
        _scalable: &[bool],
        _element: Self::Type,
    ) -> Result<Option<Self::Type>, Self::Error> {
        Ok(None)
    }
    /// A shaped type with other elements, when a text is read.
    fn with_element(
        &mut self,
        _type: Self::Type,
        _element: Self::Type,
    ) -> Result<Option<Self::Type>, Self::Error> {
        Ok(None)
    }
    fn is_index(&self, r#type: Self::Type) -> bool;
    /// The type of the elements of a builtin shaped type.
    fn element_type(&mut self, r#type: Self::Type) -> Result<Option<Self::Type>, Self::Error>;

    /// The inputs and results of the function type in an attribute that are known.
    fn known_function(&mut self, _name: &str) -> Result<FunctionTypes<Self>, Self::Error> {
        Ok((Vec::new(), Vec::new()))
    }
    /// Sets the types of all results, in the order of the definition.
    fn set_all_results(&mut self, _types: Vec<Self::Type>) {}
    /// A type for each of so many results, when a text is read.
    fn repeated_type(&mut self, _type: Self::Type, _count: usize) -> Result<Vec<Self::Type>, Self::Error> {
        Ok(Vec::new())
    }
    /// Whether known types are the same.
    fn is_same_type(&mut self, _left: Self::Type, _right: Self::Type) -> bool {
        false
    }
    /// How many types a known tuple has.
    fn tuple_len(&mut self, _type: Self::Type) -> Option<usize> {
        None
    }
    /// The types of a tuple that was read.
    fn tuple_parts(&mut self, _type: Self::Type) -> Option<Vec<Self::Type>> {
        None
    }
    /// A type and the values of its dynamic dimensions in braces, which are the first ones of those that are known.
    fn shaped_type(
        &mut self,
        known: Option<Self::Type>,
        sizes: &[Self::Value],
    ) -> Result<ShapedType<Self>, Self::Error>;
    /// The storage class of a pointer of SPIR-V that is known.
    fn storage_class(&mut self, _pointer: Self::Value) -> Option<String> {
        None
    }
    /// The pointee of a pointer of SPIR-V; `None` when an operation is printed.
    fn spirv_pointee(&mut self, pointer: Option<Self::Type>) -> Result<Option<Self::Type>, Self::Error>;
    /// An element of a type of SPIR-V that was read.
    fn spirv_element(&mut self, _type: Self::Type, _place: usize) -> Result<Option<Self::Type>, Self::Error> {
        Ok(None)
    }
    /// What indices lead to from a pointer of SPIR-V that was read.
    fn chain_element(
        &mut self,
        _pointer: Self::Type,
        _indices: &[Self::Value],
    ) -> Result<Option<Self::Type>, Self::Error> {
        Ok(None)
    }
    /// Whether `spirv.Constant` has a type after a value of a type.
    fn needs_type(&mut self, r#type: Self::Type) -> bool;

    // ---- attributes ----

    fn attribute(&mut self, known: Option<Self::Attribute>) -> Result<Self::Attribute, Self::Error>;
    /// An attribute of a class without the name of the class.
    fn stripped(
        &mut self,
        known: Option<Self::Attribute>,
        class: &str,
    ) -> Result<Self::Attribute, Self::Error>;
    /// A reference to a symbol, and its name if it is one symbol.
    fn symbol_reference(&mut self, known: Option<Self::Attribute>) -> SymbolReference<Self>;
    /// `{name = WORD}`: the attributes of a table are cases without their class; one may be left out.
    fn words_dictionary(&mut self, classes: &[(&str, &str)], left_out: Option<(&str, &str)>)
    -> Written<Self>;
    fn integer(&mut self, known: Option<i64>) -> Result<i64, Self::Error>;
    /// A string in quotes.
    fn quoted(&mut self, known: Option<&[u8]>) -> Result<Vec<u8>, Self::Error>;
    /// A string in quotes, which MLIR prints without escapes.
    fn unescaped(&mut self, known: Option<&[u8]>) -> Result<Vec<u8>, Self::Error>;
    /// A word; `expected` says which.
    fn word(&mut self, known: Option<&str>, expected: &'static str) -> Result<String, Self::Error>;
    /// One of these words, or nothing.
    fn optional_word(
        &mut self,
        known: Option<&[u8]>,
        cases: &[&'static str],
    ) -> Result<Option<&'static str>, Self::Error>;
    /// The sign and the digits of a whole number.
    fn digits(&mut self, known: Option<&str>) -> Result<(bool, String), Self::Error>;
    /// `@name`
    fn symbol(&mut self, known: Option<&[u8]>) -> Result<Vec<u8>, Self::Error>;
    /// `{name = value}` after a space, or nothing; without these inherent attributes.
    fn attr_dict(&mut self, elided: &[&str]) -> Written<Self>;
    /// The same after the keyword `attributes`.
    fn attr_dict_with_keyword(&mut self, elided: &[&str]) -> Written<Self>;
    /// The same, where an attribute that was written before may not occur again.
    fn function_attributes(&mut self, elided: &[&str]) -> Written<Self> {
        self.attr_dict_with_keyword(elided)
    }
    /// A dictionary of an argument or a result after a space, or nothing.
    fn dictionary(
        &mut self,
        known: Option<Self::Attribute>,
        is_aliased: bool,
    ) -> Result<Option<Self::Attribute>, Self::Error>;
    /// An inherent attribute that the operation has, or that was read.
    fn attr(&mut self, name: &str) -> Option<Self::Attribute>;
    /// The same, or a discardable attribute.
    fn any_attr(&mut self, name: &str) -> Option<Self::Attribute>;
    /// Whether the definition, or the build that is written, has an attribute.
    fn is_inherent(&self, name: &str) -> bool;
    /// An attribute as the definition declares it.
    fn declared_attribute(&mut self, name: &str) -> Written<Self>;
    /// The text of an attribute, if it is short.
    fn text_of(&mut self, attribute: Self::Attribute) -> Option<String>;
    /// Gives an attribute to the operation.
    fn set(&mut self, name: &str, value: Self::Attribute);
    /// Gives an attribute by its text.
    fn set_text(&mut self, name: &str, text: &str) -> Written<Self>;
    fn set_unit(&mut self, name: &str) -> Written<Self>;
    fn set_integer(&mut self, name: &str, value: i64, r#type: &str) -> Written<Self>;
    /// Gives a dense array of integers.
    fn set_integers(&mut self, name: &str, r#type: &str, values: &[i64]) -> Written<Self>;
    /// Gives dense elements of one dimension; `container` is `tensor` or `vector`.
    fn set_elements(&mut self, name: &str, container: &str, element: &str, numbers: &[i64]) -> Written<Self>;
    /// Gives an array of integers of a type.
    fn set_integer_items(&mut self, _name: &str, _type: &str, _values: &[i64]) -> Written<Self> {
        Ok(())
    }
    /// Gives an array of attributes by their texts, or of one that is repeated.
    fn set_texts(&mut self, _name: &str, _texts: &[String], _count: usize) -> Written<Self> {
        Ok(())
    }
    /// Takes an attribute away that is zero.
    fn unset_zero(&mut self, _name: &str) {}
    /// Gives a function type of LLVM.
    fn set_llvm_function_type(
        &mut self,
        _name: &str,
        _inputs: &[Self::Type],
        _is_variadic: bool,
        _results: &[Self::Type],
    ) -> Written<Self> {
        Ok(())
    }
    /// A string attribute; `None` when an operation is printed.
    fn string_attribute(&mut self, _text: &[u8]) -> Result<Option<Self::Attribute>, Self::Error> {
        Ok(None)
    }
    /// A dictionary of strings and, without one, of units; `None` when an operation is printed.
    fn string_dictionary(
        &mut self,
        _entries: &[(&str, Option<&[u8]>)],
    ) -> Result<Option<Self::Attribute>, Self::Error> {
        Ok(None)
    }
    /// Gives an array of types.
    fn set_type_items(&mut self, _name: &str, _types: &[Self::Type]) -> Written<Self> {
        Ok(())
    }
    /// Gives an array of arrays.
    fn set_arrays(&mut self, _name: &str, _lists: &[Vec<Self::Attribute>]) -> Written<Self> {
        Ok(())
    }
    fn set_array(&mut self, name: &str, items: &[Self::Attribute]) -> Written<Self>;
    fn set_string(&mut self, name: &str, text: &[u8]) -> Written<Self>;
    fn set_type(&mut self, name: &str, r#type: Self::Type) -> Written<Self>;
    /// Gives a function type.
    fn set_function_type(
        &mut self,
        name: &str,
        inputs: &[Self::Type],
        results: &[Self::Type],
    ) -> Written<Self>;
    /// Gives dictionaries, one for each argument or result, unless all are empty.
    fn set_dictionaries(&mut self, name: &str, all: &[Option<Self::Attribute>]) -> Written<Self>;

    // ---- what attributes and types say ----

    fn integers_in(&mut self, attribute: Self::Attribute) -> Option<Vec<i64>>;
    /// The numbers of an attribute of the operation that are known.
    fn integers_of(&mut self, name: &str) -> Option<Vec<i64>> {
        let attribute = self.attr(name)?;
        self.integers_in(attribute)
    }
    fn items(&mut self, attribute: Self::Attribute) -> Option<Vec<Self::Attribute>>;
    /// The names and values of a dictionary.
    fn pairs(&mut self, attribute: Self::Attribute) -> Option<Vec<(Self::Attribute, Self::Attribute)>>;
    /// The numbers in dense elements that are a tensor of one dimension without an encoding.
    fn tensor_numbers(&mut self, attribute: Self::Attribute, element: Element) -> Option<Vec<i64>>;
    /// The type and the words of an integer attribute, low word first.
    fn integer_words(&self, attribute: Self::Attribute) -> Option<(Element, Vec<u64>)>;
    fn string(&self, attribute: Self::Attribute) -> Option<Vec<u8>>;
    /// The length of a string attribute.
    fn string_length(&self, attribute: Self::Attribute) -> Option<usize>;
    fn type_in(&self, attribute: Self::Attribute) -> Option<Self::Type>;
    /// Whether a known attribute is a reference to a symbol.
    fn is_symbol(&self, _attribute: Self::Attribute) -> bool {
        false
    }
    /// The type of an attribute that was read.
    fn type_of_value(&mut self, _attribute: Self::Attribute) -> Result<Option<Self::Type>, Self::Error> {
        Ok(None)
    }
    /// The type that elements, or another attribute, have.
    fn elements_type(&mut self, attribute: Self::Attribute) -> Option<Self::Type>;
    /// Whether an attribute is the one with this text.
    fn is_written(&mut self, attribute: Self::Attribute, text: &str) -> bool;
    /// The case of an enumeration in an attribute of the operation; empty without it.
    fn case(&mut self, name: &str) -> Result<String, Self::Error>;

    // ---- maps and bodies ----

    /// What a map, or the constraints of a set, say.
    fn map_shape(&mut self, map: Self::Attribute) -> Option<MapShape>;
    /// The results of the map of this name in brackets, with values in place of its inputs.
    fn map_of_values(
        &mut self,
        bracket: Bracket,
        name: &str,
        known: &[Self::Value],
    ) -> Result<Vec<Self::Value>, Self::Error>;
    /// The results of a map in groups, in parentheses; a group of several has a keyword.
    fn grouped_bounds(
        &mut self,
        keyword: &str,
        map: &str,
        groups: &str,
        known: &[Self::Value],
    ) -> Result<Vec<Self::Value>, Self::Error>;
    /// A string that names a kind of `arith::AtomicRMWKind`, and its number.
    fn reduction(&mut self, known: Option<Self::Attribute>) -> Result<i64, Self::Error>;
    /// `{name = value}` with these attributes; iterator types are words.
    fn iteration_traits(&mut self, names: &[&str], class: &str, shows_defaults: bool) -> Written<Self>;
    /// `<{name = value}>`, if it comes next.
    fn properties(&mut self) -> Written<Self> {
        Ok(())
    }
    /// `[1, 2]`, as a dense array.
    fn dense_array(&mut self, name: &str) -> Written<Self>;
    /// Notes if the body is not the one that the name of the operation stands for.
    fn note_structured_body(&mut self, _kind: Option<Self::Attribute>) {}
    /// Notes if the maps are not those that a parser stores.
    fn note_memoized_maps(&mut self) {}
    /// Makes the body that a name stands for.
    fn make_structured_body(
        &mut self,
        _name: &str,
        _kind: Option<Self::Attribute>,
        _operands: &StructuredOperands<Self>,
    ) -> Written<Self> {
        Ok(())
    }
    /// Makes a body that yields its first argument.
    fn make_copying_body(&mut self, _operands: &StructuredOperands<Self>) -> Written<Self> {
        Ok(())
    }
    /// ` { operation {…} }`, or nothing.
    fn payload(
        &mut self,
        init_first: bool,
        has_unused_init: bool,
    ) -> Result<Option<Self::Payload>, Self::Error>;
    /// Makes a body of one operation.
    fn make_payload_body(
        &mut self,
        _payload: Self::Payload,
        _is_reduce: bool,
        _operands: &StructuredOperands<Self>,
    ) -> Written<Self> {
        Ok(())
    }
    /// Adds the map and the bounds that a transfer without them has; the type of a mask.
    fn complete_transfer(
        &mut self,
        _shaped: Self::Type,
        _vector: Self::Type,
    ) -> Result<Option<Self::Type>, Self::Error> {
        Ok(None)
    }

    /// Places the operation at the next token.
    fn place_here(&mut self) -> Written<Self> {
        Ok(())
    }
    /// ` applies name`, the only operation of a body, or nothing.
    fn reducer(&mut self, inputs: &[Self::Value]) -> Result<Option<String>, Self::Error>;
    /// Makes a body of that operation and a terminator, for values of a type.
    fn make_reducer_body(&mut self, _region: usize, _name: &str, _type: Option<Self::Type>) -> Written<Self> {
        Ok(())
    }
    /// The first operation of a region, in generic form and without its results; their types when a text is read.
    fn wrapped_operation(&mut self, region: usize) -> Result<Vec<Self::Type>, Self::Error>;

    // ---- regions and successors ----

    /// The name of an argument of a region.
    fn argument(&mut self, known: Option<Self::Argument>) -> Result<Self::Argument, Self::Error>;
    /// The same without a location.
    fn argument_name(&mut self, known: Option<Self::Argument>) -> Result<Self::Argument, Self::Error>;
    /// The location of an argument, if locations are printed.
    fn argument_location(&mut self, argument: Self::Argument) -> Result<Self::Argument, Self::Error>;
    /// A location that means nothing.
    fn skip_location(&mut self) -> Written<Self> {
        Ok(())
    }
    /// `%name: type`, with the location if locations are printed.
    fn typed_argument(&mut self, known: Option<Self::Argument>) -> Result<Self::Argument, Self::Error>;
    /// The arguments of the entry block of a region that are known.
    fn arguments(&mut self, region: usize) -> Result<Vec<Self::Argument>, Self::Error>;
    fn argument_type(&mut self, argument: Self::Argument) -> Result<Self::Type, Self::Error>;
    /// Gives an argument its type.
    fn with_type(&self, argument: Self::Argument, r#type: Self::Type) -> Self::Argument;
    /// An argument with the name of a value that was read.
    fn argument_named_as(
        &mut self,
        _value: Self::Value,
        _type: Self::Type,
    ) -> Result<Option<Self::Argument>, Self::Error> {
        Ok(None)
    }
    /// The name of an argument that the printer writes as its number.
    fn numbered_argument(&mut self, place: usize) -> Result<Self::Argument, Self::Error>;
    /// The name of one of these arguments, or nothing; which one it is.
    fn tied_argument(
        &mut self,
        known: Option<usize>,
        arguments: &[Self::Argument],
    ) -> Result<Option<usize>, Self::Error>;
    /// Keeps arguments that were read for the next phase.
    fn keep_arguments(&mut self, _arguments: &[Self::Argument]) {}
    /// The arguments that were kept.
    fn kept_arguments(&mut self) -> Vec<Self::Argument> {
        Vec::new()
    }
    /// Hides the names of values outside of the next region.
    fn hide_names(&mut self) {}
    /// Shows the names that were hidden.
    fn show_names(&mut self) {}
    /// Whether a region has blocks.
    fn has_blocks(&mut self, region: usize) -> Result<bool, Self::Error>;
    /// Whether the last operation of a region has no operands, results and attributes.
    fn has_plain_terminator(&mut self, _region: usize) -> Result<bool, Self::Error> {
        Ok(true)
    }
    /// A region with these arguments; returns what the form returns.
    fn region(
        &mut self,
        number: usize,
        style: RegionStyle,
        arguments: Vec<Self::Argument>,
    ) -> Result<Step, Self::Error>;
    /// A region of one operation on the same line.
    fn inline_region(&mut self, number: usize) -> Result<Step, Self::Error>;
    /// Ends a region with an operation that yields the results of its only one.
    fn yield_results(&mut self, _region: usize, _name: &str) -> Written<Self> {
        Ok(())
    }
    /// Notes that attributes of a terminator are not shown, if the region has some.
    fn hides_terminator(&mut self, _region: usize) -> Written<Self> {
        Ok(())
    }
    /// A successor by its number, and its operands.
    fn successor(
        &mut self,
        group: usize,
        number: usize,
        known: &[Self::Value],
    ) -> Result<ValuesAndTypes<Self>, Self::Error>;
}
