//! Templates: directives as data.
//!
//! Owns the language of templates, which `data/assembly/directives.tsv` and packs of dialects use, and its parser. A template
//! consists of parts; `run` writes and reads them.

mod parse;
mod run;
mod table;

pub(super) use table::of_dialect;

/// A directive that is described by its parts.
#[derive(Debug)]
pub(crate) struct Template {
    parts: Box<[Part]>,
    columns: Box<[ColumnRule]>,
}

/// The number of a column: of an argument that parts refer to.
type Place = usize;

/// A part of a template.
#[derive(Debug)]
enum Part {
    /// A text with its spaces.
    Text(Box<str>),
    Newline,
    Indent,
    Dedent,
    Cell(Cell),
    Group(Group),
    List(List),
    /// Sets the types of an argument.
    Types(TypeRule),
}

/// A part that writes or reads arguments.
#[derive(Debug)]
enum Cell {
    /// A value, a type or an attribute: in a list, the one of the line.
    One(Place),
    /// A value or a type that all lines have.
    Shared(Place),
    /// `%scope::%key`, or `%key`; all lines have one scope.
    Key([Place; 2]),
    Values(Place),
    Types(Place, TypesStyle),
    /// `%a, %b : type, type`, or nothing before a parenthesis.
    TypedValues([Place; 2]),
    /// An item of an array: a number of 32 bits without its type, or another attribute.
    Item(Place),
    Number(Place),
    /// A text that stands for `true`.
    Flag(Place, Box<str>),
    /// A case of the enumeration of the definition, or a string without quotes.
    Word(Place),
    Symbol(Place),
    /// A string that is printed without escapes.
    UnescapedString(Place),
    TypeAttribute(Place),
    /// A unit attribute that the text before stands for.
    Unit(Place),
    /// An empty array, which no text stands for.
    Empty(Place),
}

/// How types are written.
#[derive(Debug, Clone, Copy)]
enum TypesStyle {
    /// With commas between them.
    Plain,
    /// A type, or several in parentheses.
    Results,
    /// As `Results`, where one function type has no parentheses.
    PlainResults,
}

/// Parts that are there or not.
#[derive(Debug)]
struct Group {
    /// The arguments of which one is to be present.
    tests: Box<[Test]>,
    /// Whether the parser reads the parts always.
    is_required: bool,
    then: Box<[Part]>,
    otherwise: Box<[Part]>,
}

#[derive(Debug, Clone, Copy)]
struct Test {
    place: Place,
    is_absent: bool,
}

/// Parts that are repeated, with commas between the lines.
#[derive(Debug)]
struct List {
    style: ListStyle,
    parts: Box<[Part]>,
    /// The arguments with an item for each line; the first one says how many lines there are.
    places: Box<[Place]>,
}

#[derive(Debug, Clone, Copy)]
enum ListStyle {
    /// At least one line.
    Separated,
    /// With a comma before each line.
    Trailing,
    /// Each on a line of the text, at least one.
    Lines,
    Bracketed(crate::assembly::Bracket),
}

/// Types that the text omits.
#[derive(Debug, Clone, Copy)]
enum TypeRule {
    /// The types of another argument.
    Same { place: Place, like: Place },
    /// The first type of another argument for each value.
    Each { place: Place, like: Place },
}

/// An argument of the directive, and how its values are stored.
#[derive(Debug)]
struct ColumnRule {
    argument: usize,
    store: Store,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Store {
    /// Operands, types, or an attribute.
    One,
    /// An array of attributes.
    Array,
    /// An integer attribute of a type.
    Integer(Box<str>),
    /// A dense array of integers.
    Integers(Box<str>),
    /// An array of integer attributes.
    IntegerItems(Box<str>),
    Booleans,
}

impl Template {
    /// Whether the directive has all arguments that the parts refer to.
    pub(super) fn fits(&self, arguments: usize) -> bool {
        self.columns.iter().all(|column| column.argument < arguments)
    }
}
