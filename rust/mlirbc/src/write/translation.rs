//! What differs between releases, as data (`data/translation.toml`, which `docs/releases.md` explains), and the way
//! from one of them to another.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use serde::Deserialize;

use crate::asm::style::TextStyle;
use crate::error::{Error, ErrorKind, Result};
use crate::ir::Module;
use crate::props::PropertySchema;
use crate::version::BytecodeVersion;

use super::respell::{Pattern, Rule};

/// The name of the form that every release reads.
pub(super) const ANY: &str = "any";

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Raw {
    release: Vec<Release>,
    #[serde(default)]
    code: Vec<Code>,
    #[serde(default)]
    text: Vec<Text>,
    #[serde(default)]
    missing: Vec<Missing>,
    #[serde(default)]
    op: Vec<OpRule>,
    #[serde(default)]
    property: Vec<PropertyRule>,
    #[serde(default)]
    undeclared: Vec<Undeclared>,
    /// By release and op.
    #[serde(default)]
    operand_groups: HashMap<String, HashMap<String, Vec<String>>>,
}

/// A release as a reader.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Release {
    pub(super) name: String,
    /// The number of its LLVM; of development builds that of the release to come.
    llvm: u32,
    /// How it signs its files.
    pub(super) producer: String,
    newest_version: u8,
    /// The file with the names of attributes that its ops have, where there are no properties.
    attributes: Option<String>,
    /// The release whose ops have the same groups of operands, where nothing else is said.
    operand_groups_like: Option<String>,
    /// Whether segment sizes have their old names.
    #[serde(default)]
    has_old_segment_names: bool,
}

/// Codes of a dialect, from the first to the last, and who reads them.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Code {
    dialect: String,
    attributes: Option<[u64; 2]>,
    types: Option<[u64; 2]>,
    #[serde(default)]
    since: u32,
    #[serde(default)]
    releases: Vec<String>,
}

/// Two spellings of one thing.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Text {
    at: u32,
    before: String,
    after: String,
}

/// Text that releases before or from some number on do not have.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Missing {
    text: String,
    #[serde(default)]
    before: u32,
    from: Option<u32>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct OpRule {
    at: u32,
    before: String,
    after: String,
}

/// Attributes that ops declare from some number on, and read without that before.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Undeclared {
    at: u32,
    op: String,
    names: Vec<String>,
}

/// A property that got another name, or other values.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct PropertyRule {
    op: String,
    at: u32,
    before: String,
    after: String,
    /// What stands for what; without, values stay what they are.
    #[serde(default)]
    values: Vec<(String, String)>,
    /// The newer value that is as good as none.
    default: Option<String>,
}

/// Everything that is known.
#[derive(Debug)]
pub(super) struct Translation {
    raw: Raw,
    texts: Vec<(u32, Pattern, Pattern)>,
    missing: Vec<(Rule, u32, u32)>,
}

static SHIPPED: OnceLock<Result<Translation, String>> = OnceLock::new();
static ATTRIBUTES_16: OnceLock<HashMap<Box<str>, Box<str>>> = OnceLock::new();

/// The data that mlirbc brings along.
fn shipped() -> Result<&'static Translation> {
    let text = include_str!("../../data/translation.toml");
    let loaded = SHIPPED.get_or_init(|| Translation::load(text).map_err(|error| error.to_string()));
    loaded.as_ref().map_err(|error| {
        Error::new(ErrorKind::DialectTable, "a table of what differs between releases", error.clone())
    })
}

/// The names of attributes by op, each list as it stands in the file.
fn attributes_16() -> &'static HashMap<Box<str>, Box<str>> {
    ATTRIBUTES_16.get_or_init(|| {
        let rows = include_str!("../../data/attributes-16.txt").lines().filter(|line| !line.starts_with('#'));
        rows.map(|row| row.split_once(' ').unwrap_or((row, "")))
            .map(|(op, names)| (op.into(), names.into()))
            .collect()
    })
}

impl Translation {
    fn load(text: &str) -> Result<Self> {
        let raw: Raw = toml::from_str(text).map_err(|error| {
            let expected = "a table of what differs between releases";
            Error::new(ErrorKind::DialectTable, expected, error.message().to_owned())
        })?;
        let mut texts = Vec::with_capacity(raw.text.len());
        for row in &raw.text {
            texts.push((row.at, Pattern::parse(&row.before)?, Pattern::parse(&row.after)?));
        }
        texts.sort_by_key(|row| row.0);
        let mut missing = Vec::with_capacity(raw.missing.len());
        for row in &raw.missing {
            let from = Pattern::parse(&row.text)?;
            let rule = Rule { to: from.clone(), from };
            missing.push((rule, row.before, row.from.unwrap_or(u32::MAX)));
        }
        Ok(Self { raw, texts, missing })
    }
}

/// The way of a module to its reader.
#[derive(Debug)]
pub(super) struct Crossing {
    data: &'static Translation,
    own: Box<str>,
    from: u32,
    to: u32,
    pub(super) is_any: bool,
    release: Option<&'static Release>,
    texts: Vec<Rule>,
}

/// How a property is called on the other side, and its value there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Renamed<'r> {
    pub(super) from: &'r str,
    pub(super) to: &'r str,
    values: &'r [(String, String)],
    default: Option<&'r str>,
    is_up: bool,
}

/// What becomes of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NewValue<'r> {
    Same,
    Text(&'r str),
    /// As good as none.
    Nothing,
    Unknown,
}

impl Crossing {
    /// From the release of a module to the one with this name, or to [`ANY`].
    ///
    /// # Errors
    /// When the data cannot be read, which tests rule out.
    pub(super) fn new(module: &Module, name: &str, schema: Option<&Arc<PropertySchema>>) -> Result<Self> {
        let own = module.release()?.name();
        let known = own.and_then(|name| find(name).ok().flatten());
        let from = known.map_or_else(|| module.release_llvm(), |release| release.llvm);
        Self::between((own.unwrap_or_default(), from), name, schema)
    }

    fn between((own, from): (&str, u32), name: &str, schema: Option<&Arc<PropertySchema>>) -> Result<Self> {
        let data = shipped()?;
        let release = find(name)?;
        let is_any = name == ANY;
        // A release of the caller's own is most like those that it includes.
        let to = match (release, schema) {
            _ if is_any => from,
            (Some(release), _) => release.llvm,
            (None, Some(schema)) => schema
                .llvm_number()
                .or_else(|| schema.includes().find_map(|name| Some(find(name).ok()??.llvm)))
                .unwrap_or(TextStyle::NEWEST.llvm),
            (None, None) => from,
        };
        let mut texts: Vec<_> =
            data.texts.iter().filter(|(at, ..)| from.min(to) < *at && *at <= from.max(to)).collect();
        if to < from {
            texts.reverse();
        }
        let texts = texts.into_iter().map(|(_, before, after)| {
            let (from, to) = if from < to { (before, after) } else { (after, before) };
            Rule { from: from.clone(), to: to.clone() }
        });
        let own = own.into();
        Ok(Self { data, own, from, to, is_any, release, texts: texts.collect() })
    }

    /// How the target prints.
    pub(super) fn style(&self) -> TextStyle {
        TextStyle { llvm: self.to }
    }

    /// How the target signs its files; `None` when that is not known or there is no one target.
    pub(super) fn producer(&self) -> Option<&'static str> {
        self.release.map(|release| &*release.producer)
    }

    /// The newest version that the target reads.
    pub(super) fn newest_version(&self) -> BytecodeVersion {
        let newest = self.release.and_then(|release| BytecodeVersion::new(release.newest_version.into()));
        newest.unwrap_or(BytecodeVersion::MAX)
    }

    /// The version to write when none is asked for.
    pub(super) fn default_version(&self, own: BytecodeVersion) -> BytecodeVersion {
        if self.is_any { BytecodeVersion::new(0).unwrap_or(own) } else { own.min(self.newest_version()) }
    }

    /// Whether the target wants the old names of segment sizes; all releases take them.
    pub(super) fn has_old_segment_names(&self) -> bool {
        self.is_any || self.release.is_some_and(|release| release.has_old_segment_names)
    }

    /// Whether the schema of the target does not tell the properties of its ops.
    pub(super) fn has_no_properties(&self) -> bool {
        self.is_any || self.release.is_some_and(|release| release.attributes.is_some())
    }

    /// Whether an op takes an attribute of that name as its own, in every release that the module is for; `None` when
    /// that is not known.
    pub(super) fn has_attribute(&self, op: &str, name: &str) -> Option<bool> {
        let names = attributes_16().get(op)?;
        Some(names.split(' ').any(|known| known == name))
    }

    /// Whether the target decodes this code.
    pub(super) fn reads(&self, dialect: &[u8], is_type: bool, code: u64) -> bool {
        let mut is_known = false;
        for row in self.data.raw.code.iter().filter(|row| row.dialect.as_bytes() == dialect) {
            is_known = true;
            let range = if is_type { row.types } else { row.attributes };
            if range.is_some_and(|[first, last]| (first..=last).contains(&code)) {
                let name = self.release.map(|release| &release.name);
                return match row.releases.is_empty() {
                    true if self.is_any => row.since <= OLDEST,
                    true => row.since <= self.to,
                    false => name.is_some_and(|name| row.releases.contains(name)),
                };
            }
        }
        // What is not known was brought along by the caller.
        !is_known
    }

    /// Whether scalable vectors are told by the number of their last scalable dimensions.
    pub(super) fn counts_scalable_dims(&self) -> bool {
        self.to < 18 && !self.is_any
    }

    /// Whether scalable vectors are encoded in one way by all that shall read them.
    pub(super) fn has_one_scalable_form(&self) -> bool {
        !self.is_any
    }

    /// A text in the spelling of the target; `None` when it is the same.
    pub(super) fn respelled(&self, text: &[u8]) -> Option<Vec<u8>> {
        let mut new: Option<Vec<u8>> = None;
        for rule in &self.texts {
            if let Some(next) = rule.apply(new.as_deref().unwrap_or(text)) {
                new = Some(next);
            }
        }
        new
    }

    /// Whether the target is known not to have something that is in this text.
    pub(super) fn lacks(&self, text: &[u8]) -> bool {
        let (oldest, newest) = if self.is_any { (OLDEST, u32::MAX - 1) } else { (self.to, self.to) };
        let rows = self.data.missing.iter();
        rows.filter(|(_, before, from)| oldest < *before || newest >= *from && !self.is_any)
            .any(|(rule, ..)| rule.is_in(text))
    }

    /// The name of an op in the target.
    pub(super) fn op_name<'n>(&'n self, name: &'n str) -> &'n str {
        let is_up = self.from < self.to;
        let mut name = name;
        for row in self.data.raw.op.iter().filter(|row| self.crosses(row.at)) {
            let (from, to) = if is_up { (&row.before, &row.after) } else { (&row.after, &row.before) };
            if *name == **from {
                name = to;
            }
        }
        name
    }

    /// The properties of an op that change.
    pub(super) fn renamed(&self, op: &str) -> impl Iterator<Item = Renamed<'_>> {
        let is_up = self.from < self.to;
        let rows = self.data.raw.property.iter().filter(move |row| self.crosses(row.at));
        rows.filter(move |row| fits(&row.op, op)).map(move |row| {
            let (from, to) = if is_up { (&row.before, &row.after) } else { (&row.after, &row.before) };
            Renamed { from, to, values: &row.values, default: row.default.as_deref(), is_up }
        })
    }

    /// Whether the target's op reads an attribute that it does not declare.
    pub(super) fn reads_undeclared(&self, op: &str, name: &str) -> bool {
        let oldest = if self.is_any { OLDEST } else { self.to };
        let rows = self.data.raw.undeclared.iter().filter(|row| oldest < row.at && fits(&row.op, op));
        rows.flat_map(|row| &row.names).any(|known| known == name)
    }

    /// The groups of an op's operands in the module's release and in the target, as far as their schemas do not tell.
    pub(super) fn operand_groups(&self, op: &str) -> (Option<Vec<String>>, Option<Vec<String>>) {
        let groups = |release: &str| {
            if let Some(known) = self.data.raw.operand_groups.get(release).and_then(|ops| ops.get(op)) {
                return Some(known.clone());
            }
            let like = find(release).ok()??.operand_groups_like.as_ref()?;
            let schema = PropertySchema::shipped(like)?;
            let names: Vec<_> = schema.op(op.as_bytes())?.operands().map(str::to_owned).collect();
            (!names.is_empty()).then_some(names)
        };
        (groups(&self.own), self.release.and_then(|release| groups(&release.name)))
    }

    fn crosses(&self, at: u32) -> bool {
        self.from.min(self.to) < at && at <= self.from.max(self.to)
    }
}

/// The first release with bytecode.
const OLDEST: u32 = 16;

fn find(name: &str) -> Result<Option<&'static Release>> {
    Ok(shipped()?.raw.release.iter().find(|release| release.name == name))
}

fn fits(pattern: &str, name: &str) -> bool {
    pattern.strip_suffix('*').map_or(pattern == name, |start| name.starts_with(start))
}

impl<'r> Renamed<'r> {
    /// What stands for a value on the other side.
    pub(super) fn value(&self, text: &str) -> NewValue<'r> {
        if !self.is_up && self.default == Some(text) {
            return NewValue::Nothing;
        }
        if self.values.is_empty() {
            return NewValue::Same;
        }
        let row = self.values.iter().find(|row| if self.is_up { row.0 == text } else { row.1 == text });
        row.map_or(NewValue::Unknown, |row| NewValue::Text(if self.is_up { &row.1 } else { &row.0 }))
    }

    /// Whether the value has to be looked at.
    pub(super) fn needs_text(&self) -> bool {
        self.default.is_some() || !self.values.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn crossing(from: u32, name: &str) -> Crossing {
        Crossing::between(("", from), name, PropertySchema::shipped(name).as_ref()).unwrap()
    }

    #[test]
    fn every_known_release_is_a_reader() {
        for name in crate::known_releases() {
            // Tests register their own.
            if PropertySchema::shipped(&name).is_none() {
                continue;
            }
            let release = find(&name).unwrap().unwrap_or_else(|| panic!("{name}"));
            let schema = PropertySchema::shipped(&name).unwrap();
            assert!(schema.claims(release.producer.as_bytes()).is_some(), "{name}: {}", release.producer);
        }
    }

    #[test]
    fn codes_came_one_after_the_other() {
        for (name, attribute, reads) in [
            ("llvm-16", 20, true),
            ("llvm-16", 21, false),
            ("llvm-19", 21, true),
            ("llvm-19", 22, false),
            ("llvm-22", 22, true),
            ("llvm-22", 23, false),
            (ANY, 20, true),
            (ANY, 21, false),
        ] {
            assert_eq!(crossing(22, name).reads(b"builtin", false, attribute), reads, "{name} {attribute}");
        }
        assert!(crossing(22, "llvm-22").reads(b"llvm", false, 3));
        assert!(!crossing(22, "llvm-19").reads(b"llvm", false, 3));
        assert!(!crossing(22, "llvm-22").reads(b"stablehlo", false, 3));
        assert!(crossing(22, "jaxlib-0.10").reads(b"stablehlo", false, 3));
        assert!(crossing(22, "llvm-22").reads(b"of the caller", false, 3));
    }

    #[test]
    fn versions_that_are_written() {
        let version = |number| BytecodeVersion::new(number).unwrap();
        assert_eq!(crossing(22, "llvm-16").default_version(version(6)), version(0));
        assert_eq!(crossing(22, "llvm-19").default_version(version(5)), version(5));
        assert_eq!(crossing(22, ANY).default_version(version(6)), version(0));
    }

    #[test]
    fn attributes_of_16() {
        let crossing = crossing(22, "llvm-16");
        assert_eq!(crossing.has_attribute("func.func", "sym_name"), Some(true));
        assert_eq!(crossing.has_attribute("arith.addi", "overflowFlags"), Some(false));
        assert_eq!(crossing.has_attribute("no.op", "x"), None);
    }
}
