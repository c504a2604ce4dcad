//! The rows of a pack after the header: one line of JSON each.

use std::fmt;

use serde_json::{Map, Value as Json};

use super::encodings::check_encoding;
use crate::assembly::check_template;
use crate::ops::{
    DefinitionKind, NamedRow, check_class, check_constraint, check_enumeration, check_operation,
};
use crate::props::PropertySchema;

/// The bytes of a line, which MLIR's longest definitions do not reach by far.
const LONGEST_LINE: usize = 1 << 20;

/// The bytes of a name. Constraints without a name are named by their summaries.
const LONGEST_NAME: usize = 16 << 10;

/// The kind of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum RowKind {
    /// A dialect.
    Dialect,
    /// A constraint on operands, results, attributes or properties.
    Constraint,
    /// An enumeration.
    Enumeration,
    /// An attribute of a dialect.
    Attribute,
    /// A type of a dialect.
    Type,
    /// The definition of an operation.
    Operation,
    /// The layout of the properties of an operation.
    Layout,
    /// The encoding of an attribute or a type in bytecode.
    Encoding,
    /// The name of an operation in earlier releases.
    Rename,
}

impl RowKind {
    /// All kinds, in the order in which packs are written.
    pub const ALL: [Self; 9] = [
        Self::Dialect,
        Self::Constraint,
        Self::Enumeration,
        Self::Attribute,
        Self::Type,
        Self::Operation,
        Self::Layout,
        Self::Encoding,
        Self::Rename,
    ];

    /// The key of the name in a row.
    pub(super) fn key(self) -> &'static str {
        match self {
            Self::Dialect => "dialect",
            Self::Constraint => "constraint",
            Self::Enumeration => "enum",
            Self::Attribute => "attribute",
            Self::Type => "type",
            Self::Operation => "op",
            Self::Layout => "layout",
            Self::Encoding => "encoding",
            Self::Rename => "rename",
        }
    }

    /// The kind among definitions; `None` for rows that are no definitions.
    pub(super) fn of_definitions(self) -> Option<DefinitionKind> {
        Some(match self {
            Self::Constraint => DefinitionKind::Constraint,
            Self::Operation => DefinitionKind::Operation,
            Self::Attribute => DefinitionKind::Attribute,
            Self::Type => DefinitionKind::Type,
            Self::Enumeration => DefinitionKind::Enumeration,
            Self::Dialect | Self::Layout | Self::Encoding | Self::Rename => return None,
        })
    }

    /// Constraints and operations have other keys that are kinds: `type` is a key of a constraint.
    fn of(row: &Map<String, Json>) -> Option<Self> {
        let first = [
            Self::Operation,
            Self::Layout,
            Self::Encoding,
            Self::Rename,
            Self::Constraint,
            Self::Attribute,
            Self::Type,
        ];
        let last = [Self::Enumeration, Self::Dialect];
        first.into_iter().chain(last).find(|kind| row.contains_key(kind.key()))
    }
}

impl fmt::Display for RowKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Dialect => "the dialect",
            Self::Constraint => "the constraint",
            Self::Enumeration => "the enumeration",
            Self::Attribute => "the attribute",
            Self::Type => "the type",
            Self::Operation => "the operation",
            Self::Layout => "the layout of",
            Self::Encoding => "the encoding",
            Self::Rename => "the rename of",
        })
    }
}

/// A row.
#[derive(Debug, Clone)]
pub(super) struct PackRow {
    pub(super) kind: RowKind,
    pub(super) name: Box<str>,
    /// The line in the file, from one.
    pub(super) line: u64,
    /// The row without the list of its releases, on one line.
    pub(super) json: Box<str>,
    /// The releases that have it, by their places in the header.
    releases: Box<[usize]>,
}

impl PackRow {
    /// Reads and checks a row; `None` if its kind is not known.
    ///
    /// # Errors
    /// The reason why the row is refused.
    pub(super) fn read(line: &str, count_of_releases: usize) -> Result<Option<Self>, String> {
        if line.len() > LONGEST_LINE {
            return Err(format!("the row is longer than {LONGEST_LINE} bytes"));
        }
        let mut row: Map<String, Json> = serde_json::from_str(line).map_err(|error| json_reason(&error))?;
        let Some(kind) = RowKind::of(&row) else { return Ok(None) };
        let name = row.get(kind.key()).and_then(Json::as_str).ok_or("the name of the row is no text")?;
        check_name(kind, name)?;
        let name: Box<str> = name.into();
        let releases = match row.remove("in") {
            Some(places) => releases(&places, count_of_releases)?,
            None => (0..count_of_releases).collect(),
        };
        let row = Self { kind, name, line: 0, json: Json::Object(row).to_string().into(), releases };
        row.check()?;
        Ok(Some(row))
    }

    /// Takes a row of a sealed pack with one release as it is, if the kind and the name stand first.
    pub(super) fn sealed(text: &str, line: u64) -> Option<Self> {
        let (key, rest) = text.strip_prefix("{\"")?.split_once("\":\"")?;
        let kind = RowKind::ALL.into_iter().find(|kind| kind.key() == key)?;
        let (name, _) = rest.split_once('"')?;
        let is_plain = !name.contains('\\') && text.len() <= LONGEST_LINE;
        if !is_plain || check_name(kind, name).is_err() {
            return None;
        }
        Some(Self { kind, name: name.into(), line, json: text.into(), releases: Box::new([0]) })
    }

    fn check(&self) -> Result<(), String> {
        match self.kind {
            RowKind::Operation => check_operation(&self.json)
                .map_err(|fault| fault.to_string())
                .and_then(|()| self.check_directives()),
            RowKind::Constraint => check_constraint(&self.json),
            RowKind::Attribute | RowKind::Type => check_class(&self.json).map(drop),
            RowKind::Enumeration => check_enumeration(&self.json),
            RowKind::Encoding => check_encoding(&self.json),
            RowKind::Rename => match self.new_name() {
                Some(name) => check_name(RowKind::Operation, &name),
                None => Err("`to` is the name in the release".to_owned()),
            },
            RowKind::Layout => {
                let schema = serde_json::json!({
                    "format": "mlirbc-properties/1", "release": "pack", "version": "0", "producers": [],
                    "ops": {&*self.name: self.layout()},
                });
                PropertySchema::from_json(&schema.to_string()).map(drop).map_err(|error| error.to_string())
            }
            _ => Ok(()),
        }
        .map_err(|reason| format!("{} `{}`: {reason}", self.kind, self.name.escape_debug()))
    }

    /// Checks the templates of the directives in the format of an operation.
    fn check_directives(&self) -> Result<(), String> {
        let fields = self.fields();
        let mut directives = fields.get("directives").and_then(Json::as_object).into_iter().flatten();
        directives.try_for_each(|(name, template)| {
            let text = template.as_str().unwrap_or_default();
            check_template(text).map_err(|reason| format!("the template of `custom<{name}>`: {reason}"))
        })
    }

    /// The releases that have it, by their places in the header.
    pub(super) fn releases(&self) -> impl Iterator<Item = usize> {
        self.releases.iter().copied()
    }

    /// The releases as bits; a header has 64 at most.
    pub(super) fn release_bits(&self) -> u64 {
        self.releases().fold(0, |bits, place| bits | 1 << (place % 64))
    }

    pub(super) fn named(&self) -> NamedRow<'_> {
        NamedRow { name: &self.name, row: &self.json }
    }

    /// The name of a renamed operation.
    pub(super) fn new_name(&self) -> Option<String> {
        Some(self.fields().get("to")?.as_str()?.to_owned())
    }

    /// Whether the name of the row has a dialect.
    pub(super) fn has_dialect(&self) -> bool {
        !matches!(self.kind, RowKind::Constraint | RowKind::Enumeration)
    }

    /// The dialect in the name.
    pub(super) fn dialect(&self) -> &str {
        self.name.split('.').next().unwrap_or_default()
    }

    /// The row as JSON.
    pub(super) fn fields(&self) -> Map<String, Json> {
        serde_json::from_str(&self.json).unwrap_or_default()
    }

    /// The layout, as a schema has it.
    pub(super) fn layout(&self) -> Json {
        let mut fields = self.fields();
        fields.remove(self.kind.key());
        Json::Object(fields)
    }

    /// The layout of a row of a sealed pack after its opening brace.
    pub(super) fn layout_text(&self) -> &str {
        let start = "{\"layout\":\"\"".len() + self.name.len();
        self.json.get(start..).unwrap_or_default().trim_start_matches(',')
    }

    /// The C++ class of an attribute or a type, as it stands in the row.
    pub(super) fn class_text(&self) -> Option<&str> {
        Some(self.json.split_once("\"class\":\"")?.1.split_once('"')?.0)
    }

    /// Whether the row may have a key, without reading it.
    pub(super) fn may_have(&self, quoted_key: &str) -> bool {
        self.json.contains(quoted_key)
    }

    /// Whether a type points to its first parameter.
    pub(super) fn is_pointer(&self) -> bool {
        self.may_have("\"pointer\"")
            && self.fields().get("pointer").is_some_and(|is_pointer| is_pointer == true)
    }

    /// The C++ class of an attribute or a type.
    pub(super) fn class(&self) -> Option<String> {
        Some(self.fields().get("class")?.as_str()?.to_owned())
    }
}

/// Describes the error of a line by the column alone: the number of the line stands before it.
fn json_reason(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let reason = text.rsplit_once(" at line ").map_or(&*text, |(reason, _)| reason);
    match error.classify() {
        serde_json::error::Category::Data => format!("expected an object: {reason}"),
        _ => format!("it is not JSON at column {}: {reason}", error.column()),
    }
}

fn check_name(kind: RowKind, name: &str) -> Result<(), String> {
    let shown = || name.chars().take(100).collect::<String>().escape_debug().to_string();
    if name.len() > LONGEST_NAME || name.contains(['\n', '\t', '\r']) {
        return Err(format!("the name `{}` is too long or has a line break", shown()));
    }
    let has_dialect = !matches!(kind, RowKind::Constraint | RowKind::Enumeration | RowKind::Dialect);
    let is_word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '$' | '.' | '-');
    let is_dotted =
        name.split_once('.').is_some_and(|(dialect, rest)| !dialect.is_empty() && !rest.is_empty());
    if has_dialect && !(is_dotted && name.chars().all(is_word)) {
        return Err(format!("`{}` is not a dialect and a name with a dot between them", shown()));
    }
    Ok(())
}

fn releases(places: &Json, count: usize) -> Result<Box<[usize]>, String> {
    let places = places.as_array().ok_or("`in` is a list of places of releases")?;
    let place = |place: &Json| {
        let number = place.as_u64().and_then(|number| usize::try_from(number).ok());
        number.filter(|number| *number < count).ok_or_else(|| format!("the pack has no release {place}"))
    };
    let mut places = places.iter().map(place).collect::<Result<Vec<_>, _>>()?;
    places.sort_unstable();
    places.dedup();
    Ok(places.into())
}
