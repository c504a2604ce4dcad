//! Attributes and types that packs define: their parameters, and the formats of their texts.
//!
//! `attr::text::declared` reads and writes texts with these formats.

use std::sync::Arc;

use serde::Deserialize;
use serde_json::Value as Json;

use super::constraint::Enumeration;
use super::packs::{DEEPEST, NamedRow};
use super::variables::Variables;

/// The row of an attribute or a type.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct RawClass {
    attribute: Option<String>,
    r#type: Option<String>,
    #[serde(default)]
    class: String,
    #[serde(default)]
    parameters: Vec<Vec<Json>>,
    #[serde(default)]
    format: Json,
    #[serde(default)]
    alias: Json,
    /// Whether a type points to its first parameter.
    #[serde(default, rename = "pointer")]
    _pointer: bool,
    /// Where C++ of the project writes spaces.
    spaces: Option<String>,
    /// Whether affine maps in the text have no alias.
    #[serde(default, rename = "inline_maps")]
    _inline_maps: bool,
    /// The type that follows an attribute after a colon.
    value_type: Option<String>,
    /// Classes whose names the text leaves out.
    #[serde(default)]
    bare: Vec<Box<str>>,
    /// The name of values of a type.
    #[serde(rename = "value_name")]
    _value_name: Option<String>,
    /// The name of the enumeration whose cases an attribute has.
    cases: Option<String>,
    #[serde(default)]
    summary: String,
    #[serde(default)]
    at: String,
    /// Constraints of IRDL.
    #[serde(default)]
    variables: Option<Variables>,
}

/// An attribute or a type of a dialect.
#[derive(Debug)]
pub struct ClassDefinition {
    name: Box<str>,
    is_type: bool,
    class: Box<str>,
    summary: Box<str>,
    source: Box<str>,
    parameters: Box<[ClassParameter]>,
    format: Option<Box<[ClassElement]>>,
    variables: Option<Variables>,
    spaces: Option<ClassSpaces>,
    value_type: Option<Box<str>>,
    bare: Box<[Box<str>]>,
    is_enumeration: bool,
}

/// A parameter of an attribute or a type.
#[derive(Debug)]
pub struct ClassParameter {
    name: Box<str>,
    code: Box<str>,
    kind: ParameterKind,
    default: Option<Box<str>>,
    is_optional: bool,
    is_self_type: bool,
}

/// The values that a parameter has.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum ParameterKind {
    /// An attribute; of a class, `dialect.mnemonic`, it is written without its name.
    Attribute(Option<Box<str>>),
    /// A type; of a class, `dialect.mnemonic`, it is written without its name.
    Type(Option<Box<str>>),
    /// A type that is written without the name of this dialect, if it belongs to it.
    TypeWithout(Box<str>),
    /// An integer of the machine.
    Integer,
    /// `true` or `false`.
    Bool,
    /// A floating-point number of the machine.
    Float,
    /// A string in quotes.
    String,
    /// A case of an enumeration. A keyword is in quotes if it is not one word.
    Case {
        /// The cases.
        cases: Arc<Enumeration>,
        /// Whether the text is a keyword.
        is_keyword: bool,
    },
    /// Values with commas between them.
    List(Box<ParameterKind>),
    /// A value that only C++ of the project reads.
    Unknown,
}

/// Where the text of a class has spaces that C++ of a project writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ClassSpaces {
    /// Nowhere.
    None,
    /// Neither in parentheses nor around colons.
    BetweenWords,
}

/// An element of the format of an attribute or a type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ClassElement {
    Literal(Box<str>),
    /// No space before the next element.
    NoSpace,
    Space,
    Newline,
    /// A parameter; a qualified one has its full name.
    Parameter {
        place: usize,
        is_qualified: bool,
    },
    /// Parameters with commas between them, in their order.
    Parameters(Box<[usize]>),
    /// `name = value` with commas between them.
    Struct(Box<[usize]>),
    Group {
        then: Box<[ClassElement]>,
        otherwise: Box<[ClassElement]>,
        anchor: Box<[usize]>,
        is_negated: bool,
    },
}

/// The rows that rows of classes refer to.
pub(super) trait ClassRows {
    fn enumeration(&self, name: &str) -> Option<Arc<Enumeration>>;
}

impl ClassDefinition {
    /// Returns `dialect.mnemonic`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns whether the class is a type.
    pub fn is_type(&self) -> bool {
        self.is_type
    }

    /// Returns the C++ class without its namespace.
    pub fn class(&self) -> &str {
        self.class.rsplit("::").next().unwrap_or(&self.class)
    }

    /// Returns a summary; empty if the definition lacks one.
    pub fn summary(&self) -> &str {
        &self.summary
    }

    /// Returns the file and line of the definition.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// Returns the parameters in the order of the definition.
    pub fn parameters(&self) -> &[ClassParameter] {
        &self.parameters
    }

    /// Returns whether the fields of a text are known: the format is declarative, and no parameter needs C++.
    pub fn is_readable(&self) -> bool {
        self.format.is_some()
    }

    /// Returns the elements of the text after the mnemonic; `None` if C++ writes it.
    pub(crate) fn format(&self) -> Option<&[ClassElement]> {
        self.format.as_deref()
    }

    /// Returns where the text of a class has spaces that C++ writes; `None` if that is not known.
    pub(crate) fn spaces(&self) -> Option<ClassSpaces> {
        self.spaces
    }

    /// Returns whether the class is an attribute with a case of an enumeration.
    pub(crate) fn is_enumeration(&self) -> bool {
        self.is_enumeration
    }

    /// Returns the type that MLIR prints after an attribute.
    pub(crate) fn value_type(&self) -> Option<&str> {
        self.value_type.as_deref()
    }

    /// Returns the classes, as `dialect.mnemonic`, whose names the text leaves out.
    pub(crate) fn bare_classes(&self) -> &[Box<str>] {
        &self.bare
    }

    /// Constraints of IRDL on the parameters.
    pub(crate) fn variables(&self) -> Option<&Variables> {
        self.variables.as_ref()
    }

    /// Returns the place of the parameter whose type follows the text after a colon.
    pub(crate) fn self_type(&self) -> Option<usize> {
        self.parameters.iter().position(|one| one.is_self_type)
    }
}

impl ClassParameter {
    /// Returns the name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the C++ type.
    pub fn code(&self) -> &str {
        &self.code
    }

    /// Returns the kind of the values.
    pub fn kind(&self) -> &ParameterKind {
        &self.kind
    }

    /// Returns the text of the value that is not written; `None` if there is none, or only C++ is known.
    pub fn default(&self) -> Option<&str> {
        self.default.as_deref()
    }

    /// Returns whether a text may lack the parameter.
    pub fn is_optional(&self) -> bool {
        self.is_optional
    }
}

/// Reads a row that was checked with [`check_class`].
pub(super) fn read_class(row: NamedRow<'_>, rows: &impl ClassRows) -> Option<ClassDefinition> {
    definition(row.row, rows).ok()
}

/// Checks the row of an attribute or a type, and returns whether the fields of its texts are known. Enumerations that the row
/// names may be anywhere in the pack.
///
/// # Errors
/// The reason why the row is refused.
pub(crate) fn check_class(row: &str) -> Result<bool, String> {
    struct Any(Arc<Enumeration>);
    impl ClassRows for Any {
        fn enumeration(&self, _name: &str) -> Option<Arc<Enumeration>> {
            Some(self.0.clone())
        }
    }
    definition(row, &Any(Arc::default())).map(|class| class.is_readable())
}

/// Checks the row of an enumeration.
///
/// # Errors
/// The reason why the row is refused.
pub(crate) fn check_enumeration(row: &str) -> Result<(), String> {
    serde_json::from_str::<RawEnumeration>(row).map(drop).map_err(|error| error.to_string())
}

/// The row of an enumeration.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawEnumeration {
    #[serde(rename = "enum")]
    _name: String,
    cases: Box<[(i64, Box<str>)]>,
    #[serde(default)]
    separator: Option<Box<str>>,
}

impl RawEnumeration {
    pub(super) fn read(row: &str) -> Option<Enumeration> {
        let raw: Self = serde_json::from_str(row).ok()?;
        Some(Enumeration::new(raw.cases, raw.separator))
    }
}

fn definition(row: &str, rows: &impl ClassRows) -> Result<ClassDefinition, String> {
    let raw: RawClass = serde_json::from_str(row).map_err(|error| error.to_string())?;
    let is_type = raw.attribute.is_none();
    let name = raw.attribute.or(raw.r#type).unwrap_or_default();
    if !matches!(raw.alias, Json::Null | Json::Bool(_) | Json::String(_)) {
        return Err("`alias` is neither true nor a name".to_owned());
    }
    let parameters = raw.parameters.into_iter().map(|row| parameter(&row, rows));
    let parameters: Box<[ClassParameter]> = parameters.collect::<Result<_, _>>()?;
    let format = match raw.format {
        Json::Null if parameters.is_empty() => Some(Box::default()),
        Json::Null => None,
        Json::String(mark) if mark == "custom" => None,
        Json::Array(elements) => {
            let mut reader = FormatReader { parameters: &parameters, count: 0, needs_code: false };
            let elements = reader.elements(&elements, 0)?;
            (!reader.needs_code).then_some(elements)
        }
        _ => return Err("`format` is neither a list of elements nor `custom`".to_owned()),
    };
    let spaces = match raw.spaces.as_deref() {
        None => None,
        Some("none") => Some(ClassSpaces::None),
        Some("between_words") => Some(ClassSpaces::BetweenWords),
        Some(word) => return Err(format!("`spaces` is `none` or `between_words`, not `{word}`")),
    };
    if raw.value_type.as_ref().is_some_and(|text| is_type || !is_plain_type(text)) {
        return Err("`value_type` is the name of a type, of an attribute".to_owned());
    }
    let (class, summary, source) = (raw.class.into(), raw.summary.into(), raw.at.into());
    let variables = raw.variables;
    variables.as_ref().map_or(Ok(()), Variables::check)?;
    Ok(ClassDefinition {
        name: name.into(),
        is_type,
        class,
        summary,
        source,
        parameters,
        format,
        variables,
        spaces,
        value_type: raw.value_type.map(Box::from),
        bare: raw.bare.into(),
        is_enumeration: raw.cases.is_some(),
    })
}

/// Whether a text is a word, the name of a type of a dialect without parameters, or the name of a parameter in braces.
fn is_plain_type(text: &str) -> bool {
    let parameter = text.strip_prefix('{').and_then(|text| text.strip_suffix('}'));
    let word = parameter.unwrap_or_else(|| text.strip_prefix('!').unwrap_or(text));
    word.starts_with(|c: char| c.is_ascii_alphabetic())
        && word.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '$'))
}

/// A parameter: its name, its C++ type, and an object with `kind`, `default`, `optional` and `self_type`.
fn parameter(row: &[Json], rows: &impl ClassRows) -> Result<ClassParameter, String> {
    let text = |place: usize| row.get(place).and_then(Json::as_str);
    let name = text(0).ok_or("a parameter begins with its name")?;
    let marks = row.get(2);
    if marks.is_some_and(|marks| !marks.is_object()) || row.len() > 3 {
        return Err(format!(
            "the parameter `{name}` has something other than its name, its C++ type and an object"
        ));
    }
    let mark = |key: &str| marks.and_then(|marks| marks.get(key));
    let parameter_keys = ["code", "default", "kind", "optional", "self_type"];
    let mut keys = marks.and_then(Json::as_object).into_iter().flatten().map(|(key, _)| &**key);
    if let Some(unknown) = keys.find(|key| !parameter_keys.contains(key)) {
        return Err(format!("the parameter `{name}` has the unknown key `{unknown}`"));
    }
    let is_set = |key: &str| mark(key).and_then(Json::as_bool).unwrap_or_default();
    let default = mark("default").and_then(Json::as_str).map(Box::from);
    Ok(ClassParameter {
        name: name.into(),
        code: text(1).unwrap_or_default().into(),
        kind: kind(mark("kind").and_then(Json::as_str).unwrap_or_default(), rows, 0)
            .ok_or_else(|| format!("the kind of the parameter `{name}` is not known"))?,
        is_optional: is_set("optional") || default.is_some(),
        default,
        is_self_type: is_set("self_type"),
    })
}

fn kind(text: &str, rows: &impl ClassRows, depth: usize) -> Option<ParameterKind> {
    if let Some(inner) = text.strip_prefix("list(").and_then(|rest| rest.strip_suffix(')')) {
        return (depth < DEEPEST).then(|| kind(inner, rows, depth + 1)).flatten().map(|inner| match inner {
            ParameterKind::Unknown => ParameterKind::Unknown,
            inner => ParameterKind::List(Box::new(inner)),
        });
    }
    let (word, name) = text.split_once(' ').map_or((text, None), |(word, name)| (word, Some(name)));
    Some(match (word, name) {
        ("", None) => ParameterKind::Unknown,
        ("attribute", name) => ParameterKind::Attribute(name.map(Box::from)),
        ("type", name) => ParameterKind::Type(name.map(Box::from)),
        ("type_without", Some(dialect)) => ParameterKind::TypeWithout(dialect.into()),
        ("int", None) => ParameterKind::Integer,
        ("bool", None) => ParameterKind::Bool,
        ("float", None) => ParameterKind::Float,
        ("string", None) => ParameterKind::String,
        ("enum" | "keyword", Some(name)) => match rows.enumeration(name) {
            Some(cases) => ParameterKind::Case { cases, is_keyword: word == "keyword" },
            None => ParameterKind::Unknown,
        },
        _ => return None,
    })
}

/// The elements that the format of a class may have; formats of MLIR have thirty.
const MOST_ELEMENTS: usize = 1024;

struct FormatReader<'p> {
    parameters: &'p [ClassParameter],
    count: usize,
    /// Whether an element is written by C++ of the project.
    needs_code: bool,
}

impl FormatReader<'_> {
    fn elements(&mut self, rows: &[Json], depth: usize) -> Result<Box<[ClassElement]>, String> {
        self.count += rows.len();
        if depth > DEEPEST || self.count > MOST_ELEMENTS {
            return Err(format!("the format has more than {DEEPEST} levels or {MOST_ELEMENTS} elements"));
        }
        rows.iter().map(|row| self.element(row, depth)).collect()
    }

    fn element(&mut self, row: &Json, depth: usize) -> Result<ClassElement, String> {
        match row {
            Json::String(text) => self.word(text),
            Json::Array(parts) => {
                let name = parts.first().and_then(Json::as_str).unwrap_or_default();
                let arguments = parts.get(1..).unwrap_or_default();
                match name {
                    "group" => self.group(arguments, depth),
                    "struct" => Ok(ClassElement::Struct(self.places(arguments)?)),
                    "params" => Ok(ClassElement::Parameters(self.places(arguments)?)),
                    "qualified" => {
                        let [place] = *self.places(arguments)? else {
                            return Err("`qualified` has one parameter".to_owned());
                        };
                        self.parameter(place, true)
                    }
                    "custom" => {
                        self.needs_code = true;
                        Ok(ClassElement::NoSpace)
                    }
                    "ref" => Ok(ClassElement::NoSpace),
                    _ => Err(format!("`{name}` is no directive for attributes and types")),
                }
            }
            _ => Err(format!("`{row}` is no element of a format")),
        }
    }

    fn word(&mut self, text: &str) -> Result<ClassElement, String> {
        if let Some(literal) = text.strip_prefix('`') {
            if literal.bytes().any(|byte| !matches!(byte, b' '..=b'~')) && literal != "\n" {
                return Err(format!("the literal {literal:?} of the format is not printable"));
            }
            return Ok(match literal {
                "" => ClassElement::NoSpace,
                " " => ClassElement::Space,
                "\n" => ClassElement::Newline,
                literal => ClassElement::Literal(literal.trim().into()),
            });
        }
        match text {
            "params" => Ok(ClassElement::Parameters(self.all())),
            _ => {
                let place = self.place(text)?;
                self.parameter(place, false)
            }
        }
    }

    fn parameter(&mut self, place: usize, is_qualified: bool) -> Result<ClassElement, String> {
        self.note_kind(place);
        Ok(ClassElement::Parameter { place, is_qualified })
    }

    fn note_kind(&mut self, place: usize) {
        self.needs_code |= self.parameters.get(place).is_none_or(|one| one.kind == ParameterKind::Unknown);
    }

    /// All parameters that stand in the format.
    fn all(&mut self) -> Box<[usize]> {
        let written = self.parameters.iter().enumerate().filter(|(_, one)| !one.is_self_type);
        let places: Box<[usize]> = written.map(|(place, _)| place).collect();
        places.iter().for_each(|&place| self.note_kind(place));
        places
    }

    fn places(&mut self, arguments: &[Json]) -> Result<Box<[usize]>, String> {
        if arguments.iter().any(|one| one == "params") {
            return Ok(self.all());
        }
        let mut places = Vec::new();
        for argument in arguments {
            match argument {
                Json::String(text) => {
                    let place = self.place(text)?;
                    self.note_kind(place);
                    places.push(place);
                }
                // A directive in C++ between the fields.
                _ => self.needs_code = true,
            }
        }
        Ok(places.into())
    }

    fn place(&self, variable: &str) -> Result<usize, String> {
        let name = variable
            .strip_prefix('$')
            .ok_or_else(|| format!("`{variable}` is no directive for attributes and types"))?;
        let place = self.parameters.iter().position(|one| &*one.name == name);
        place.ok_or_else(|| format!("the format names `${name}`, which is not a parameter"))
    }

    fn group(&mut self, arguments: &[Json], depth: usize) -> Result<ClassElement, String> {
        let rows =
            |place: usize| arguments.get(place).and_then(Json::as_array).map_or(&[][..], Vec::as_slice);
        let (then, otherwise) = (self.elements(rows(0), depth + 1)?, self.elements(rows(2), depth + 1)?);
        let number = arguments.get(1).and_then(Json::as_i64).ok_or("a group has the number of its anchor")?;
        let is_negated = number < 0;
        let elements = if is_negated { &otherwise } else { &then };
        let place = if is_negated { number.saturating_neg() - 1 } else { number };
        let anchored = usize::try_from(place).ok().and_then(|place| elements.get(place));
        let anchor = match anchored {
            Some(ClassElement::Parameter { place, .. }) => [*place].into(),
            Some(ClassElement::Parameters(places) | ClassElement::Struct(places)) => places.clone(),
            // A directive in C++.
            Some(ClassElement::NoSpace) => Box::default(),
            _ => return Err(format!("the anchor {number} of a group is not a parameter")),
        };
        Ok(ClassElement::Group { then, otherwise, anchor, is_negated })
    }
}

#[cfg(test)]
mod tests;
