//! Encodings of attributes and types as entries of dialect tables, with the texts that their classes declare.

use std::collections::HashMap;

use serde::Deserialize;
use serde_json::{Map, Value as Json, json};

use super::row::{PackRow, RowKind};
use super::{Pack, PackWarning};
use crate::dialect::DialectTable;
use crate::ops::{ClassDefinition, ClassElement, ClassTable, ParameterKind, Spacing, read_class_of};
use crate::wire::order::sort_by_key;

/// The row of an encoding.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct RawEncoding {
    encoding: String,
    of: EncodedSort,
    code: u64,
    /// The class in memory, if several codes share one.
    class: Option<String>,
    /// The fields in the order of the bytes, as in a dialect table.
    fields: Vec<String>,
    #[serde(default = "is_written")]
    written: bool,
    #[serde(default, rename = "at")]
    _source: String,
}

fn is_written() -> bool {
    true
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum EncodedSort {
    Attribute,
    Type,
}

impl RawEncoding {
    fn read(row: &str) -> Result<Self, String> {
        let raw: Self = serde_json::from_str(row).map_err(|error| error.to_string())?;
        match raw.fields.iter().find(|field| field.contains(" as ") || field.contains(" omit ")) {
            Some(field) => Err(format!("the field `{field}` has more than a name and a primitive")),
            None => Ok(raw),
        }
    }

    fn name(&self) -> &str {
        self.encoding.split_once('.').map_or("", |(_, name)| name)
    }

    fn class(&self) -> &str {
        self.class.as_deref().unwrap_or(self.name())
    }

    fn key(&self) -> &'static str {
        match self.of {
            EncodedSort::Attribute => "attribute",
            EncodedSort::Type => "type",
        }
    }

    /// The entry of a table without its text.
    fn entry(&self) -> Map<String, Json> {
        let mut entry = Map::new();
        entry.insert("code".into(), json!(self.code));
        entry.insert("name".into(), json!(self.name()));
        entry.insert("fields".into(), json!(self.fields));
        if let Some(class) = &self.class {
            entry.insert("kind".into(), json!(class));
        }
        entry
    }
}

/// Checks the row of an encoding.
///
/// # Errors
/// The reason why the row is refused.
pub(super) fn check_encoding(row: &str) -> Result<(), String> {
    let raw = RawEncoding::read(row)?;
    let table = json!({"dialect": "pack", raw.key(): [raw.entry()]});
    DialectTable::from_json(&table.to_string()).map(drop).map_err(|error| error.to_string())
}

/// Whether the bytes of an encoding are known to the last one.
pub(super) fn is_decoded(row: &PackRow) -> bool {
    RawEncoding::read(&row.json)
        .is_ok_and(|raw| !raw.fields.last().is_some_and(|field| field.ends_with(": opaque")))
}

impl Pack {
    /// Skips encodings whose code another row of the same dialect and release has.
    pub(super) fn drop_repeated_codes(&mut self) {
        let mut releases_of: HashMap<(String, &'static str, u64), u64> = HashMap::new();
        let warnings = &mut self.warnings;
        self.rows.retain(|row| {
            let Some(raw) =
                (row.kind == RowKind::Encoding).then(|| RawEncoding::read(&row.json).ok()).flatten()
            else {
                return true;
            };
            let seen = releases_of.entry((row.dialect().to_owned(), raw.key(), raw.code)).or_default();
            let is_repeated = *seen & row.release_bits() != 0;
            *seen |= row.release_bits();
            if is_repeated {
                let reason =
                    format!("{} `{}`: code {} of {}s occurs twice", row.kind, row.name, raw.code, raw.key());
                warnings.push(PackWarning::skipped(row.line, &reason));
            }
            !is_repeated
        });
        sort_by_key(warnings, |warning| warning.line);
    }

    /// Adds the encodings of a dialect in a release to its table.
    pub(super) fn add_encodings(&self, dialect: &str, release: usize, table: &mut Map<String, Json>) {
        let of_dialect = |row: &&PackRow| row.dialect() == dialect;
        let mut rows: Vec<RawEncoding> = self
            .rows_of(RowKind::Encoding, release)
            .filter(of_dialect)
            .filter_map(|row| RawEncoding::read(&row.json).ok())
            .collect();
        if rows.is_empty() {
            return;
        }
        // The last encoding is written if several have the same fields.
        sort_by_key(&mut rows, |row| (row.written, row.code));
        let classes = self.class_table(release);
        let mut enumerations = Map::new();
        for row in &rows {
            let entry = self.entry(row, release, &classes, &mut enumerations);
            let list = table.entry(row.key()).or_insert_with(|| json!([]));
            list.as_array_mut().into_iter().for_each(|list| list.push(Json::Object(entry.clone())));
        }
        if !enumerations.is_empty() {
            table.insert("enums".into(), Json::Object(enumerations));
        }
    }

    fn class_table(&self, release: usize) -> ClassTable {
        self.rows_of(RowKind::Enumeration, release).map(PackRow::named).collect()
    }

    fn entry(
        &self,
        row: &RawEncoding,
        release: usize,
        classes: &ClassTable,
        enumerations: &mut Map<String, Json>,
    ) -> Map<String, Json> {
        let mut entry = row.entry();
        let kind = if row.of == EncodedSort::Type { RowKind::Type } else { RowKind::Attribute };
        let dialect = row.encoding.split('.').next().unwrap_or_default();
        let class_row = self.rows_of(kind, release).find(|class| {
            class.dialect() == dialect
                && class
                    .class()
                    .is_some_and(|class| class.rsplit("::").next().unwrap_or_default() == row.class())
        });
        let Some(class_row) = class_row else { return entry };
        let mnemonic = class_row.name.split_once('.').map_or("", |(_, mnemonic)| mnemonic);
        entry.insert("mnemonic".into(), json!(mnemonic));
        match class_row.fields().get("alias") {
            Some(Json::Bool(true)) => drop(entry.insert("alias".into(), json!(mnemonic))),
            // Only texts have aliases that depend on parameters.
            Some(Json::String(alias)) if !alias.contains('{') => {
                drop(entry.insert("alias".into(), json!(alias)))
            }
            _ => {}
        }
        let definition = read_class_of(class_row.named(), classes);
        let text = definition.and_then(|class| EncodedText::new(row, &class, dialect, enumerations));
        // Without a declared text, all fields are written, so that mlirbc reads what it printed.
        let text = text.unwrap_or_else(|| EncodedText {
            fields: row.fields.clone(),
            template: if row.fields.is_empty() { String::new() } else { "<{params}>".to_owned() },
        });
        entry.insert("fields".into(), json!(text.fields));
        entry.insert("asm".into(), json!(text.template));
        entry
    }
}

/// The text of an encoded value: the styles of its fields, and the template.
struct EncodedText {
    fields: Vec<String>,
    template: String,
}

impl EncodedText {
    /// `None` if the format has an element, or a parameter a kind, that tables lack.
    fn new(
        row: &RawEncoding,
        class: &ClassDefinition,
        dialect: &str,
        enumerations: &mut Map<String, Json>,
    ) -> Option<Self> {
        let format = class.format()?;
        let mut styles = Styles { dialect, enumerations };
        let mut fields = Vec::new();
        for field in &row.fields {
            let (name, primitive) = field.split_once(':')?;
            let parameter = class.parameters().iter().find(|one| one.name() == name);
            let style = match parameter {
                Some(parameter) => styles.of(parameter, primitive.trim())?,
                None => String::new(),
            };
            fields.push(format!("{field}{style}"));
        }
        let mut writer = TemplateWriter {
            row,
            class,
            text: String::new(),
            spacing: Spacing { space: true, punctuation: false },
        };
        writer.elements(format, 0)?;
        // The first space is between the mnemonic and the text.
        let template = writer.text;
        (template.is_empty() || template.starts_with('<')).then_some(Self { fields, template })
    }
}

struct Styles<'t> {
    dialect: &'t str,
    enumerations: &'t mut Map<String, Json>,
}

impl Styles<'_> {
    /// The style of a field, and the value that is not written.
    fn of(&mut self, parameter: &crate::ops::ClassParameter, primitive: &str) -> Option<String> {
        let style = self.of_kind(parameter.kind(), primitive)?;
        let omitted = match (parameter.default(), parameter.kind()) {
            (Some(default), ParameterKind::Integer | ParameterKind::Bool) => default.to_owned(),
            (Some("\"\""), ParameterKind::String) => "empty".to_owned(),
            (Some(default), ParameterKind::Case { cases, .. }) => cases.number(default)?.to_string(),
            (Some(_), _) => return None,
            (None, _) if parameter.is_optional() && !primitive.starts_with("optional_") => "empty".to_owned(),
            (None, _) => return Some(style),
        };
        Some(format!("{style} omit {omitted}"))
    }

    fn of_kind(&mut self, kind: &ParameterKind, primitive: &str) -> Option<String> {
        Some(match kind {
            ParameterKind::Attribute(Some(class)) if class.split('.').next() == Some(self.dialect) => {
                " as bare".to_owned()
            }
            ParameterKind::Attribute(None) | ParameterKind::Type(None) | ParameterKind::String => {
                String::new()
            }
            ParameterKind::Integer | ParameterKind::Bool => String::new(),
            ParameterKind::Float if primitive == "float(f64)" => String::new(),
            ParameterKind::Case { cases, .. } if primitive == "varint" && cases.separator().is_none() => {
                let name = format!("E{}", self.enumerations.len());
                let names = cases.cases().map(|(value, text)| (value.to_string(), json!(text)));
                self.enumerations.insert(name.clone(), Json::Object(names.collect()));
                format!(" as enum({name})")
            }
            ParameterKind::List(inner) => {
                let items = primitive.split_once("list(")?.1.strip_suffix(')')?;
                self.of_kind(inner, items)?
            }
            _ => return None,
        })
    }
}

/// Groups in one another.
const DEEPEST: usize = 8;

struct TemplateWriter<'t> {
    row: &'t RawEncoding,
    class: &'t ClassDefinition,
    text: String,
    spacing: Spacing,
}

impl TemplateWriter<'_> {
    fn elements(&mut self, elements: &[ClassElement], depth: usize) -> Option<()> {
        elements.iter().try_for_each(|element| self.element(element, depth))
    }

    fn space(&mut self, leads: bool) {
        // The mnemonic is followed by a bracket.
        if leads && !self.text.is_empty() {
            self.text.push(' ');
        }
    }

    fn literal(&mut self, text: &str, depth: usize) {
        for c in text.chars() {
            match (c, depth) {
                ('{' | '}', 0) => self.text.extend([c, c]),
                ('{' | '}', _) => self.text.extend(['\\', c]),
                _ => self.text.push(c),
            }
        }
    }

    fn element(&mut self, element: &ClassElement, depth: usize) -> Option<()> {
        match element {
            ClassElement::Literal(text) => {
                let leads = self.spacing.literal(text);
                self.space(leads);
                self.literal(text, depth);
            }
            ClassElement::NoSpace => self.spacing = Spacing { space: false, punctuation: true },
            ClassElement::Space => {
                self.text.push(' ');
                self.spacing.space = false;
            }
            ClassElement::Newline => return None,
            ClassElement::Parameter { place, is_qualified } => {
                let leads = self.spacing.element();
                self.space(leads);
                let name = self.name(*place)?;
                let style = if *is_qualified { ":elided" } else { "" };
                self.text.extend(["{", &name, style, "}"]);
            }
            ClassElement::Parameters(places) => self.list(places, depth)?,
            ClassElement::Struct(places) => {
                let leads = self.spacing.element();
                self.space(leads);
                let names: Option<Vec<String>> = places.iter().map(|&place| self.name(place)).collect();
                self.text.extend(["{params(", &names?.join(" "), ")}"]);
            }
            ClassElement::Group { then, otherwise, anchor, is_negated } => {
                let (present, absent) = if *is_negated { (otherwise, then) } else { (then, otherwise) };
                let mut after = TemplateWriter { text: String::new(), ..*self };
                after.elements(otherwise, depth)?;
                let after = after.spacing;
                self.group(present, absent, anchor, depth + 1)?;
                self.spacing = after;
            }
        }
        Some(())
    }

    /// Parameters in their order. The first one is always written.
    fn list(&mut self, places: &[usize], depth: usize) -> Option<()> {
        let leads = self.spacing.element();
        self.space(leads);
        for (number, &place) in places.iter().enumerate() {
            let name = self.name(place)?;
            let is_optional = self.class.parameters().get(place)?.is_optional();
            match (number, is_optional) {
                (0, true) => return None,
                (0, false) => self.text.extend(["{", &name, "}"]),
                (_, false) => self.text.extend([", {", &name, "}"]),
                (_, true) if depth < DEEPEST => self.text.extend(["{?", &name, "|, {", &name, "}}"]),
                (_, true) => return None,
            }
        }
        Some(())
    }

    fn group(
        &mut self,
        present: &[ClassElement],
        absent: &[ClassElement],
        anchor: &[usize],
        depth: usize,
    ) -> Option<()> {
        let Some((&first, rest)) = anchor.split_first() else { return Some(()) };
        if depth > DEEPEST {
            return None;
        }
        let (name, before) = (self.name(first)?, self.spacing);
        self.text.extend(["{?", &name, "|"]);
        self.elements(present, depth)?;
        self.text.extend(["}{!", &name, "|"]);
        self.spacing = before;
        match rest {
            [] => self.elements(absent, depth)?,
            rest => self.group(present, absent, rest, depth + 1)?,
        }
        self.text.push('}');
        Some(())
    }

    /// The field of a parameter.
    fn name(&self, place: usize) -> Option<String> {
        let name = self.class.parameters().get(place)?.name();
        let has_name = |field: &String| field.split(':').next() == Some(name);
        self.row.fields.iter().any(has_name).then(|| name.to_owned())
    }
}
