//! Attributes of an operation.

use crate::attr::EntryValues;
use crate::attr::text::dense::Element;
use crate::attr::text::entry::string_of;
use crate::format::id::{AttrId, TypeId};

use super::{Direction, SymbolReference, Written};

/// An attribute that a form makes of values that it read.
pub(crate) enum NewAttribute<'v> {
    Unit,
    /// An attribute by its text.
    Text(&'v str),
    /// An array of attributes by their texts, or of one that is repeated.
    Texts(&'v [String], usize),
    Integer(i64, &'v str),
    /// An array of integers of a type.
    IntegerItems(&'v [i64], &'v str),
    /// A dense array of integers.
    Integers(&'v [i64], &'v str),
    /// Dense elements of a `tensor` or `vector` of one dimension, or of two with a number of columns.
    Elements {
        container: &'v str,
        element: TypeId,
        columns: Option<usize>,
        numbers: &'v [i64],
    },
    Array(&'v [AttrId]),
    String(&'v [u8]),
    Dictionary(Vec<(Vec<u8>, AttrId)>),
    Type(TypeId),
    /// An array of types.
    Types(&'v [TypeId]),
    FunctionType(&'v [TypeId], &'v [TypeId]),
    LlvmFunctionType {
        inputs: &'v [TypeId],
        is_variadic: bool,
        results: &'v [TypeId],
    },
}

/// Steps that write or read attributes, and questions about attributes.
pub(crate) trait AttributeSyntax: Direction<Attribute = AttrId, Type = TypeId> {
    fn attribute(&mut self, known: Option<Self::Attribute>) -> Result<Self::Attribute, Self::Error>;
    /// A type that a form names; `None` when an operation is printed.
    fn named_type(&mut self, _text: &str) -> Result<Option<TypeId>, Self::Error> {
        Ok(None)
    }
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
    /// Writes or reads one of these words, or nothing.
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
    /// Writes or reads a dictionary after the keyword `attributes`, or nothing.
    fn attr_dict_with_keyword(&mut self, elided: &[&str]) -> Written<Self>;
    /// Writes or reads a dictionary after the keyword `attributes`; an attribute that the text has before may not occur again.
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
    /// Returns an inherent or discardable attribute.
    fn any_attr(&mut self, name: &str) -> Option<Self::Attribute>;
    /// Whether the definition, or the build that is written, has an attribute.
    fn is_inherent(&self, name: &str) -> bool;
    /// An attribute as the definition declares it.
    fn declared_attribute(&mut self, name: &str) -> Written<Self>;
    /// The text of an attribute, if it is short.
    fn text_of(&mut self, attribute: Self::Attribute) -> Option<String>;
    /// Gives an attribute to the operation.
    fn set(&mut self, _name: &str, _value: AttrId) {}
    /// Takes an attribute away that is zero.
    fn unset_zero(&mut self, _name: &str) {}
    /// Makes an attribute of values that were read; `None` when an operation is printed.
    fn make(&mut self, _value: NewAttribute<'_>) -> Result<Option<AttrId>, Self::Error> {
        Ok(None)
    }
    /// Makes an attribute and gives it to the operation.
    fn set_new(&mut self, name: &str, value: NewAttribute<'_>) -> Written<Self> {
        if let Some(value) = self.make(value)? {
            self.set(name, value);
        }
        Ok(())
    }

    // ---- attributes of values that were read ----

    fn set_unit(&mut self, name: &str) -> Written<Self> {
        self.set_new(name, NewAttribute::Unit)
    }
    /// Gives an attribute by its text.
    fn set_text(&mut self, name: &str, text: &str) -> Written<Self> {
        self.set_new(name, NewAttribute::Text(text))
    }
    fn set_integer(&mut self, name: &str, value: i64, r#type: &str) -> Written<Self> {
        self.set_new(name, NewAttribute::Integer(value, r#type))
    }
    /// Gives a dense array of integers.
    fn set_integers(&mut self, name: &str, r#type: &str, values: &[i64]) -> Written<Self> {
        self.set_new(name, NewAttribute::Integers(values, r#type))
    }
    /// Gives a dense array of Booleans.
    fn set_booleans(&mut self, name: &str, flags: &[bool]) -> Written<Self> {
        let flags: Vec<i64> = flags.iter().map(|&flag| flag.into()).collect();
        self.set_integers(name, "i1", &flags)
    }
    /// Gives an array of integers of a type.
    fn set_integer_items(&mut self, name: &str, r#type: &str, values: &[i64]) -> Written<Self> {
        self.set_new(name, NewAttribute::IntegerItems(values, r#type))
    }
    /// Gives dense elements of one dimension; `container` is `tensor` or `vector`.
    fn set_elements(&mut self, name: &str, container: &str, element: &str, numbers: &[i64]) -> Written<Self> {
        let Some(element) = self.named_type(element)? else { return Ok(()) };
        self.set_new(name, NewAttribute::Elements { container, element, columns: None, numbers })
    }
    /// Gives dense elements of a vector, whose elements have a type that was read.
    fn set_vector(&mut self, name: &str, element: TypeId, numbers: &[i64]) -> Written<Self> {
        self.set_new(name, NewAttribute::Elements { container: "vector", element, columns: None, numbers })
    }
    /// Gives dense elements of two dimensions; `container` is `tensor` or `vector`.
    fn set_rows(
        &mut self,
        name: &str,
        container: &str,
        element: &str,
        columns: usize,
        numbers: &[i64],
    ) -> Written<Self> {
        let Some(element) = self.named_type(element)? else { return Ok(()) };
        self.set_new(name, NewAttribute::Elements { container, element, columns: Some(columns), numbers })
    }
    fn set_array(&mut self, name: &str, items: &[AttrId]) -> Written<Self> {
        self.set_new(name, NewAttribute::Array(items))
    }
    /// Gives an array of arrays.
    fn set_arrays(&mut self, name: &str, lists: &[Vec<AttrId>]) -> Written<Self> {
        let arrays = lists.iter().map(|list| self.array_attribute(list)).collect::<Result<Vec<_>, _>>()?;
        self.set_array(name, &arrays.into_iter().flatten().collect::<Vec<AttrId>>())
    }
    /// Gives an array of attributes by their texts, or of one that is repeated.
    fn set_texts(&mut self, name: &str, texts: &[String], count: usize) -> Written<Self> {
        self.set_new(name, NewAttribute::Texts(texts, count))
    }
    fn set_string(&mut self, name: &str, text: &[u8]) -> Written<Self> {
        self.set_new(name, NewAttribute::String(text))
    }
    fn set_type(&mut self, name: &str, r#type: TypeId) -> Written<Self> {
        self.set_new(name, NewAttribute::Type(r#type))
    }
    /// Gives an array of types.
    fn set_type_items(&mut self, name: &str, types: &[TypeId]) -> Written<Self> {
        self.set_new(name, NewAttribute::Types(types))
    }
    fn set_function_type(&mut self, name: &str, inputs: &[TypeId], results: &[TypeId]) -> Written<Self> {
        self.set_new(name, NewAttribute::FunctionType(inputs, results))
    }
    /// Gives a function type of LLVM.
    fn set_llvm_function_type(
        &mut self,
        name: &str,
        inputs: &[TypeId],
        is_variadic: bool,
        results: &[TypeId],
    ) -> Written<Self> {
        self.set_new(name, NewAttribute::LlvmFunctionType { inputs, is_variadic, results })
    }
    fn set_dictionary(&mut self, name: &str, entries: Vec<(Vec<u8>, AttrId)>) -> Written<Self> {
        self.set_new(name, NewAttribute::Dictionary(entries))
    }
    /// Gives dictionaries, one for each argument or result, unless all are empty.
    fn set_dictionaries(&mut self, name: &str, all: &[Option<AttrId>]) -> Written<Self> {
        if all.iter().all(Option::is_none) {
            return Ok(());
        }
        let empty = self.make(NewAttribute::Dictionary(Vec::new()))?;
        self.set_array(name, &all.iter().filter_map(|one| one.or(empty)).collect::<Vec<AttrId>>())
    }
    /// An attribute by its text; `None` when an operation is printed.
    fn attribute_of_text(&mut self, text: &str) -> Result<Option<AttrId>, Self::Error> {
        self.make(NewAttribute::Text(text))
    }
    /// A string attribute; `None` when an operation is printed.
    fn string_attribute(&mut self, text: &[u8]) -> Result<Option<AttrId>, Self::Error> {
        self.make(NewAttribute::String(text))
    }
    /// A dictionary of strings and, without one, of units; `None` when an operation is printed.
    fn string_dictionary(
        &mut self,
        entries: &[(&str, Option<&[u8]>)],
    ) -> Result<Option<AttrId>, Self::Error> {
        let mut named = Vec::new();
        for (name, text) in entries {
            let value = self.make(text.map_or(NewAttribute::Unit, NewAttribute::String))?;
            named.extend(value.map(|value| (name.as_bytes().to_vec(), value)));
        }
        self.make(NewAttribute::Dictionary(named))
    }
    /// An array; `None` when an operation is printed.
    fn array_attribute(&mut self, items: &[AttrId]) -> Result<Option<AttrId>, Self::Error> {
        self.make(NewAttribute::Array(items))
    }
    /// An integer; `None` when an operation is printed.
    fn integer_attribute(&mut self, value: i64, r#type: &str) -> Result<Option<AttrId>, Self::Error> {
        self.make(NewAttribute::Integer(value, r#type))
    }
    /// A dense array of integers; `None` when an operation is printed.
    fn integers_attribute(&mut self, r#type: &str, values: &[i64]) -> Result<Option<AttrId>, Self::Error> {
        self.make(NewAttribute::Integers(values, r#type))
    }

    // ---- what attributes and types say ----

    /// The numbers of an array, of elements of one dimension, or of one integer.
    fn integers_in(&self, attribute: AttrId) -> Option<Vec<i64>> {
        self.entries().integers(attribute)
    }
    /// The numbers of an attribute of the operation that are known.
    fn integers_of(&mut self, name: &str) -> Option<Vec<i64>> {
        let attribute = self.attr(name)?;
        self.integers_in(attribute)
    }
    /// The number of integers in an attribute.
    fn length_of(&self, attribute: AttrId) -> Option<usize> {
        Some(self.integers_in(attribute)?.len())
    }
    fn items(&self, attribute: AttrId) -> Option<Vec<AttrId>> {
        self.entries().items(attribute)
    }
    /// The names and values of a dictionary.
    fn pairs(&self, attribute: AttrId) -> Option<Vec<(AttrId, AttrId)>> {
        self.entries().pairs(attribute)
    }
    /// The numbers in dense elements that are a tensor of one dimension without an encoding.
    fn tensor_numbers(&self, attribute: AttrId, element: Element) -> Option<Vec<i64>> {
        self.entries().tensor_numbers(attribute, element)
    }
    /// The rows of dense elements of two dimensions.
    fn rows_in(&self, attribute: AttrId) -> Option<Vec<Vec<i64>>> {
        self.entries().rows(attribute)
    }
    /// The type and the numbers of elements of one dimension, if there are so many.
    fn wide_integers(&self, attribute: AttrId, count: usize) -> Option<(Element, Vec<i128>)> {
        self.entries().wide_integers(attribute, count)
    }
    /// The numbers in a list that is a field of an attribute of a dialect; empty without the field.
    fn numbers_in_field(&self, attribute: AttrId, field: &str) -> Option<Vec<i64>> {
        self.entries().numbers_in_field(attribute, field)
    }
    /// The type and the words of an integer attribute, low word first.
    fn integer_words(&self, attribute: AttrId) -> Option<(Element, Vec<u64>)> {
        self.entries().integer_words(attribute)
    }
    fn string(&self, attribute: AttrId) -> Option<Vec<u8>> {
        string_of(self.entries(), attribute).map(<[u8]>::to_vec)
    }
    /// The length of a string attribute.
    fn string_length(&self, attribute: AttrId) -> Option<usize> {
        string_of(self.entries(), attribute).map(<[u8]>::len)
    }
    fn type_in(&self, attribute: AttrId) -> Option<TypeId> {
        self.entries().type_in(attribute)
    }
    /// Whether an attribute is `unit`.
    fn is_unit(&self, attribute: AttrId) -> bool {
        self.entries().is_unit(attribute)
    }
    /// Whether an attribute is a reference to a symbol.
    fn is_symbol(&self, attribute: AttrId) -> bool {
        self.entries().is_symbol(attribute)
    }
    /// Whether an attribute is a list of elements, whose type it has itself.
    fn has_elements(&self, attribute: AttrId) -> bool {
        self.entries().has_elements(attribute)
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

    // ---- parts of directives ----

    /// An attribute without its type, which is known, or follows from `of`.
    fn untyped_attribute(
        &mut self,
        known: Option<Self::Attribute>,
        of: Option<Self::Type>,
    ) -> Result<Self::Attribute, Self::Error>;
    /// A word, which a parser also reads in quotes.
    fn bare_name(&mut self, known: Option<&[u8]>, expected: &'static str) -> Result<Vec<u8>, Self::Error>;
    /// A word that `read` understands; `expected` says which.
    fn word_as<T>(
        &mut self,
        known: Option<&str>,
        expected: &'static str,
        read: impl FnOnce(&str) -> Option<T>,
    ) -> Result<T, Self::Error>;
    /// The text between `start` and `>` in an attribute that a dialect stores as text; the parser reads it with `read`.
    fn inner_attribute(
        &mut self,
        known: Option<Self::Attribute>,
        start: &str,
        read: impl FnOnce(&mut Self) -> Result<String, Self::Error>,
    ) -> Result<Self::Attribute, Self::Error>;
    /// A text in brackets that is read, with balanced brackets in it, as it is.
    fn read_brackets(&mut self) -> Result<String, Self::Error> {
        Err(self.refuse("a printer reads no text"))
    }
    /// A string that is read, with its quotes, as it is.
    fn read_quotes(&mut self) -> Result<String, Self::Error> {
        Err(self.refuse("a printer reads no text"))
    }
    /// The text of a known attribute of any usual length.
    fn long_text_of(&mut self, _attribute: Self::Attribute) -> Option<String> {
        None
    }
    /// Whether a known attribute shows that it has this type.
    fn shows_type(&mut self, _attribute: Self::Attribute, _type: Self::Type) -> bool {
        false
    }

    /// Sizes with `x` between them, and `?` for dynamic sizes.
    fn sizes(&mut self, known: &[i64]) -> Result<Vec<i64>, Self::Error>;
    /// A number without its type.
    fn untyped_number(
        &mut self,
        known: Option<Self::Attribute>,
        r#type: &str,
    ) -> Result<Self::Attribute, Self::Error>;
    /// An item of an array: a number of 32 bits without its type, or another attribute.
    fn item(&mut self, known: Option<Self::Attribute>) -> Result<Self::Attribute, Self::Error>;
    /// A whole number that has a type; the parser reads one that the type has room for.
    fn number_of(&mut self, known: Option<i128>, element: Option<Element>) -> Result<i64, Self::Error>;
}
