//! Loading: a table as TOML or JSON is checked and turned into encodings.

use std::collections::HashMap;
use std::sync::Arc;

use serde::Deserialize;
use toml::Spanned;

use crate::wire::error::{Error, ErrorKind, Result};
use crate::wire::order;
use crate::wire::order::sort_by;
use crate::wire::toml::{from_str, in_line};

use super::super::declarations::{OpForms, parse_version};
use super::super::grammar::{parse_bits, parse_number, parse_omit, split_call};
use super::super::template::Template;
use super::alias::RawAlias;
use super::{
    Bits, BuiltinKind, DialectTable, Encoding, Encodings, EnumTable, FieldSpec, Layout, Named, Omit,
    ParameterTexts, Primitive, ReleaseLayout, Style, WriteCondition, refers,
};
use crate::dialect::deviation::Deviation;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawTable {
    dialect: Spanned<String>,
    #[serde(default)]
    classes: HashMap<String, Vec<String>>,
    #[serde(default)]
    enums: HashMap<String, HashMap<Spanned<String>, String>>,
    #[serde(default)]
    flags: HashMap<String, HashMap<Spanned<String>, String>>,
    #[serde(default)]
    aliases: HashMap<String, Spanned<RawAlias>>,
    #[serde(default)]
    bare: HashMap<String, HashMap<String, String>>,
    #[serde(default)]
    words: HashMap<String, HashMap<String, String>>,
    #[serde(default)]
    value_names: HashMap<String, String>,
    #[serde(default)]
    attribute: Vec<Spanned<RawForm>>,
    #[serde(default)]
    r#type: Vec<Spanned<RawForm>>,
    #[serde(default)]
    op: Vec<Spanned<RawOp>>,
    #[serde(default)]
    version: Vec<Spanned<String>>,
    newest_version: Option<Spanned<String>>,
    fallback: Option<Spanned<String>>,
    #[serde(default)]
    assembly_bits: HashMap<String, u64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawForm {
    code: Spanned<RawCode>,
    name: Spanned<String>,
    kind: Option<String>,
    mnemonic: Option<String>,
    #[serde(default)]
    fields: Vec<Spanned<String>>,
    #[serde(default)]
    older: Vec<Vec<Spanned<String>>>,
    #[serde(default)]
    gates: Vec<RawGate>,
    #[serde(default)]
    releases: Vec<RawRelease>,
    bits: Option<Spanned<RawBits>>,
    asm: Option<Spanned<String>>,
    print: Option<Spanned<String>>,
    alias: Option<Spanned<RawAlias>>,
    builtin: Option<Spanned<String>>,
    /// The dialect version that introduced the encoding. Files of older versions are decoded all the same.
    since: Option<Spanned<String>>,
    #[serde(default)]
    when: Vec<Spanned<RawWhen>>,
}

/// A condition under which a value has this code.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawWhen {
    field: String,
    #[serde(default)]
    has: Vec<String>,
}

/// The encoding of property blobs: of the op with that name, or of all ops without an own encoding.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawOp {
    name: Option<Spanned<String>>,
    #[serde(default)]
    fields: Vec<Spanned<String>>,
    #[serde(default)]
    older: Vec<Vec<Spanned<String>>>,
    #[serde(default)]
    gates: Vec<RawGate>,
}

/// The layout of files whose dialect version is below `before`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawGate {
    before: Spanned<String>,
    fields: Vec<Spanned<String>>,
}

/// The layout of releases of LLVM below `before`, as in [`OfReleases`].
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawRelease {
    before: u32,
    #[serde(default)]
    has_builds: bool,
    fields: Vec<Spanned<String>>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum RawCode {
    Number(u64),
    /// `*`
    Word(String),
}

#[derive(Deserialize)]
#[serde(untagged)]
enum RawBits {
    Fixed(u64),
    Formula(String),
}

/// An error in a table, and its position in the text.
struct Fault {
    at: usize,
    message: String,
}

impl Fault {
    fn new(at: usize, message: impl Into<String>) -> Self {
        Self { at, message: message.into() }
    }

    fn into_error(self, text: &str) -> Error {
        let message = format!("invalid dialect table: {}", in_line(&self.message, self.at, text));
        Error::message(ErrorKind::DialectTable, message)
    }
}

impl DialectTable {
    /// Loads a table from its TOML text.
    ///
    /// # Errors
    /// [`ErrorKind::DialectTable`] with the line of the error.
    ///
    /// ```
    /// let table = mlirbc::dialect::DialectTable::from_toml(r#"
    ///     dialect = "toy"
    ///     [[attribute]]
    ///     code = 0
    ///     name = "PairAttr"
    ///     mnemonic = "pair"
    ///     fields = ["first: signed", "second: signed"]
    ///     asm = "<{first}, {second}>"
    /// "#)?;
    /// assert_eq!(table.dialect(), "toy");
    ///
    /// let error = mlirbc::dialect::DialectTable::from_toml("dialect = \"toy\"\nattribut = []").unwrap_err();
    /// assert!(error.to_string().contains("line 2"), "{error}");
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn from_toml(text: &str) -> Result<Arc<Self>> {
        let raw: RawTable =
            from_str(text).map_err(|error| Fault::new(error.offset(), error.message()).into_error(text))?;
        Self::load(raw).map(Arc::new).map_err(|fault| fault.into_error(text))
    }

    /// Reads a table from JSON with the keys of the TOML form. Errors name a line of the table as TOML.
    ///
    /// # Errors
    /// As [`Self::from_toml`].
    ///
    /// ```
    /// let table = mlirbc::dialect::DialectTable::from_json(r#"{"dialect": "toy", "attribute": []}"#)?;
    /// assert_eq!(table.dialect(), "toy");
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn from_json(text: &str) -> Result<Arc<Self>> {
        Self::from_toml(&toml_of_json(text).map_err(|error| Fault::new(0, error).into_error(text))?)
    }

    /// Loads a table that is part of mlirbc.
    pub(crate) fn shipped(text: &str) -> Option<Arc<Self>> {
        let mut table = Arc::into_inner(Self::from_toml(text).ok()?)?;
        table.is_shipped = true;
        for form in table.attributes.rows.iter_mut().chain(&mut table.types.rows) {
            form.has_fixed_layout =
                form.has_code && crate::dialect::fixed_layout::has_fixed_layout(&form.layouts);
        }
        Some(Arc::new(table))
    }
}

impl DialectTable {
    fn load(raw: RawTable) -> Result<Self, Fault> {
        let mut enums = Vec::new();
        for (name, rows) in raw.enums.into_iter().chain(raw.flags) {
            let mut numbers = Vec::new();
            for (key, text) in rows {
                let number = parse_number(key.get_ref()).ok_or_else(|| {
                    Fault::new(key.span().start, format!("`{}` is not a number", key.get_ref()))
                })?;
                numbers.push((number, text.into_boxed_str()));
            }
            sort_by(&mut numbers, Ord::cmp);
            enums.push(EnumTable { name: name.into(), rows: numbers });
        }
        let context = LoadContext { dialect: raw.dialect.get_ref(), classes: &raw.classes, enums: &enums };
        let attributes = context.forms(raw.attribute)?;
        if let Some(when) = raw.r#type.iter().find_map(|form| form.get_ref().when.first()) {
            return Err(Fault::new(when.span().start, "`when` is for attributes only"));
        }
        let types = context.forms(raw.r#type)?;
        let ops = context.ops(raw.op)?;
        let version = match raw.version.first() {
            Some(first) => {
                let at = first.span().start;
                Some(context.bare("version", raw.version, Vec::new(), at)?)
            }
            None => None,
        };
        let newest = raw.newest_version.as_ref().map(version_of).transpose()?;
        let fallback = raw.fallback.as_ref().map(|name| context.own_name(name)).transpose()?;
        let fallback = fallback.map(|stem| format!("{}.{stem}", raw.dialect.get_ref()).into());
        for (class, members) in &raw.classes {
            let is_declared = |name: &String| {
                attributes.rows.iter().any(|form| *form.name == **name || *form.kind == **name)
            };
            if let Some(unknown) = members.iter().find(|name| !is_declared(name)) {
                let message =
                    format!("class `{class}` names `{unknown}`, which is not an attribute of the table");
                return Err(Fault::new(raw.dialect.span().start, message));
            }
        }
        let mut aliases = HashMap::new();
        for (mnemonic, alias) in raw.aliases {
            let (at, alias) = (alias.span().start, alias.into_inner());
            let alias = alias.load().map_err(|message| Fault::new(at, message))?;
            aliases.insert(mnemonic.into_bytes().into(), alias);
        }
        Ok(Self {
            dialect: raw.dialect.into_inner().into(),
            attributes,
            types,
            ops,
            version,
            newest,
            fallback,
            is_shipped: false,
            deviation: Deviation::None,
            enums,
            aliases,
            bare: raw.bare.into_iter().map(|(k, rows)| (k.into_bytes().into(), parameters(rows))).collect(),
            words: raw.words.into_iter().map(|(k, rows)| (k.into_bytes().into(), parameters(rows))).collect(),
            value_names: parameters(raw.value_names),
            assembly_bits: raw.assembly_bits.into_iter().map(|(k, v)| (k.into_bytes().into(), v)).collect(),
        })
    }
}

fn version_of(text: &Spanned<String>) -> Result<Box<[u64]>, Fault> {
    parse_version(text.get_ref()).map(Into::into).ok_or_else(|| {
        let message = format!("`{}` is not a version such as `2.0`", text.get_ref());
        Fault::new(text.span().start, message)
    })
}

fn when_of(raw: Vec<Spanned<RawWhen>>, layout: &Layout) -> Result<Vec<WriteCondition>, Fault> {
    let condition = |raw: Spanned<RawWhen>| {
        let (at, RawWhen { field, has }) = (raw.span().start, raw.into_inner());
        if layout.index(&field).is_none() {
            return Err(Fault::new(
                at,
                format!("`when` names the field `{field}`, which the entry does not have"),
            ));
        }
        Ok(WriteCondition { field: field.into(), has: has.into_iter().map(String::into_boxed_str).collect() })
    };
    raw.into_iter().map(condition).collect()
}

fn parameters(rows: HashMap<String, String>) -> ParameterTexts {
    rows.into_iter().map(|(name, text)| (name.into_bytes().into(), text.into())).collect()
}

struct LoadContext<'r> {
    dialect: &'r str,
    classes: &'r HashMap<String, Vec<String>>,
    enums: &'r [EnumTable],
}

// The interpreter recurses once for each level.
const MAX_NESTING: usize = 32;

// Larger codes would make the table of codes too large.
const MAX_CODE: u64 = 4096;

impl LoadContext<'_> {
    fn layout(&self, fields: Vec<Spanned<String>>) -> Result<Layout, Fault> {
        let mut layout = Layout::default();
        for field in fields {
            let spec = self.field(field.get_ref(), &layout).map_err(|m| Fault::new(field.span().start, m))?;
            layout.fields.push(spec);
        }
        Ok(layout)
    }

    fn layouts(
        &self,
        fields: Vec<Spanned<String>>,
        older: Vec<Vec<Spanned<String>>>,
    ) -> Result<Vec<Layout>, Fault> {
        std::iter::once(fields).chain(older).map(|fields| self.layout(fields)).collect()
    }

    /// An encoding whose bytes do not start with a code.
    fn bare(
        &self,
        name: &str,
        fields: Vec<Spanned<String>>,
        older: Vec<Vec<Spanned<String>>>,
        at: usize,
    ) -> Result<Encoding, Fault> {
        let layouts = self.layouts(fields, older)?;
        if layouts.iter().any(|layout| layout.fields.is_empty()) && layouts.len() > 1 {
            return Err(Fault::new(at, "a layout without fields must be the only layout"));
        }
        Ok(Encoding {
            code: 0,
            has_code: false,
            name: name.into(),
            kind: name.into(),
            builtin: BuiltinKind::Other,
            refers: refers(&layouts),
            layouts,
            gates: Vec::new(),
            releases: Vec::new(),
            since: None,
            when: Vec::new(),
            is_restated: false,
            has_fixed_layout: false,
            bits: None,
            classes: Vec::new(),
            mnemonic: None,
            asm: Template::default(),
            print: Named::Template,
            alias: None,
            as_builtin: None,
            value: None,
        })
    }

    /// Layouts by version, with the lowest version first.
    fn gates(&self, raw: Vec<RawGate>) -> Result<Vec<(Vec<u64>, Layout)>, Fault> {
        let mut gates = Vec::new();
        for gate in raw {
            gates.push((version_of(&gate.before)?.into_vec(), self.layout(gate.fields)?));
        }
        sort_by(&mut gates, |a, b| a.0.cmp(&b.0));
        Ok(gates)
    }

    fn ops(&self, raw: Vec<Spanned<RawOp>>) -> Result<OpForms, Fault> {
        let mut ops = OpForms::default();
        for raw in raw {
            let at = raw.span().start;
            let RawOp { name, fields, older, gates } = raw.into_inner();
            let stem = name.as_ref().map(|name| self.own_name(name)).transpose()?;
            let mut form = self.bare(stem.as_deref().unwrap_or("*"), fields, older, at)?;
            form.gates = self.gates(gates)?;
            if !ops.add(stem, form) {
                return Err(Fault::new(at, "another `[[op]]` already describes these operations"));
            }
        }
        Ok(ops)
    }

    /// The name of an op of this dialect, without the dialect.
    fn own_name(&self, name: &Spanned<String>) -> Result<Box<str>, Fault> {
        let prefix = format!("{}.", self.dialect);
        let text = name.get_ref();
        let stem = text.strip_prefix(&prefix).unwrap_or(text);
        if stem.is_empty() {
            return Err(Fault::new(name.span().start, "an operation must have a name"));
        }
        Ok(stem.into())
    }

    fn forms(&self, raw: Vec<Spanned<RawForm>>) -> Result<Encodings, Fault> {
        let mut forms = Encodings::default();
        for raw in raw {
            let at = raw.span().start;
            let form = self.form(raw.into_inner(), at)?;
            if !form.has_code {
                if forms.any.is_some() {
                    return Err(Fault::new(at, "code `*` occurs twice"));
                }
                forms.any = Some(forms.rows.len() as u32);
                forms.rows.push(form);
                continue;
            }
            if form.code >= MAX_CODE {
                return Err(Fault::new(at, format!("code {} is not below {MAX_CODE}", form.code)));
            }
            let code = form.code as usize;
            if forms.by_code.len() <= code {
                forms.by_code.resize(code + 1, u32::MAX);
            }
            if forms.by_code[code] != u32::MAX {
                return Err(Fault::new(at, format!("code {code} occurs twice")));
            }
            forms.by_code[code] = forms.rows.len() as u32;
            forms.rows.push(form);
        }
        let chosen: Vec<Box<str>> =
            forms.rows.iter().filter(|form| !form.when.is_empty()).map(|form| form.kind.clone()).collect();
        for form in &mut forms.rows {
            let mut fields = form.layouts.iter().flat_map(|layout| &layout.fields);
            form.is_restated =
                chosen.contains(&form.kind) || fields.any(|field| matches!(field.omit, Some(Omit::Iota(_))));
        }
        Ok(forms)
    }

    fn form(&self, raw: RawForm, at: usize) -> Result<Encoding, Fault> {
        let fields_at = raw.fields.first().map_or(at, |field| field.span().start);
        let (code, has_code) = match raw.code.get_ref() {
            RawCode::Number(code) => (*code, true),
            RawCode::Word(word) if word == "*" => (0, false),
            RawCode::Word(word) => {
                let message = format!("a code is a number or `*`, not `{word}`");
                return Err(Fault::new(raw.code.span().start, message));
            }
        };
        let layouts = self.layouts(raw.fields, raw.older)?;
        let gates = self.gates(raw.gates)?;
        let mut releases = Vec::new();
        for row in raw.releases {
            let layout = self.layout(row.fields)?;
            releases.push(ReleaseLayout { before: row.before, has_builds: row.has_builds, layout });
        }
        order::sort_by_key(&mut releases, |row| row.before);
        let layout = &layouts[0];
        let template = |text: &Spanned<String>| {
            Template::parse(text.get_ref(), layout, |style| self.style(style))
                .map_err(|message| Fault::new(text.span().start, message))
        };
        let bits = match &raw.bits {
            None => None,
            Some(bits) => Some(match bits.get_ref() {
                RawBits::Fixed(bits) => Bits::Fixed(*bits),
                RawBits::Formula(text) => {
                    parse_bits(text, layout).map_err(|message| Fault::new(bits.span().start, message))?
                }
            }),
        };
        let print = match &raw.print {
            None => Named::Template,
            Some(print) => Named::from_name(&camel(print.get_ref())).ok_or_else(|| {
                Fault::new(print.span().start, format!("unknown printer `{}`", print.get_ref()))
            })?,
        };
        let asm = match &raw.asm {
            Some(asm) => template(asm)?,
            None if print != Named::Template => Template::print(),
            None => Template::default(),
        };
        let alias = match raw.alias {
            Some(alias) => {
                let at = alias.span().start;
                Some(alias.into_inner().load_fixed().map_err(|message| Fault::new(at, message))?)
            }
            None => None,
        };
        let name = raw.name.get_ref().clone();
        if name.is_empty() {
            return Err(Fault::new(fields_at, "an encoding must have a name"));
        }
        let kind = raw.kind.unwrap_or_else(|| name.clone());
        let mut classes: Vec<Box<str>> = vec![name.clone().into(), kind.clone().into()];
        classes.extend(
            self.classes
                .iter()
                .filter(|(_, list)| list.contains(&name))
                .map(|(class, _)| class.clone().into()),
        );
        let builtin = match self.dialect {
            "builtin" => BuiltinKind::from_name(&kind).unwrap_or_default(),
            _ => BuiltinKind::Other,
        };
        Ok(Encoding {
            code,
            has_code,
            gates,
            releases,
            since: raw.since.as_ref().map(version_of).transpose()?,
            when: when_of(raw.when, layout)?,
            is_restated: false,
            name: name.into(),
            kind: kind.into(),
            builtin,
            bits,
            classes,
            mnemonic: raw.mnemonic.map(Into::into),
            asm,
            print,
            alias,
            as_builtin: raw.builtin.as_ref().map(template).transpose()?,
            value: None,
            // Encodings of registered tables must reproduce the bytes, which needs full decoding.
            has_fixed_layout: false,
            refers: refers(&layouts),
            layouts,
        })
    }

    /// `name: PRIMITIVE [as STYLE] [omit VALUE]`
    fn field(&self, text: &str, before: &Layout) -> Result<FieldSpec, String> {
        let (name, description) =
            text.split_once(':').ok_or_else(|| format!("`{text}` is not `name: primitive`"))?;
        let (description, omit) = match description.rsplit_once(" omit ") {
            Some((description, value)) => (description, Some(parse_omit(value.trim(), before)?)),
            None => (description, None),
        };
        let (description, style) = match description.rsplit_once(" as ") {
            Some((description, style)) => (description, self.style(style.trim())?),
            None => (description, Style::Plain),
        };
        if description.bytes().filter(|&byte| byte == b'(').count() > MAX_NESTING {
            return Err(format!("primitives are nested more than {MAX_NESTING} levels deep"));
        }
        let primitive = Primitive::parse(description.trim(), before)?;
        if let Some(last) = before.fields.last().filter(|last| last.primitive.takes_rest()) {
            return Err(format!(
                "no field can follow `{}`, which extends to the end of the entry",
                last.name
            ));
        }
        let name = name.trim();
        if name.is_empty() || before.index(name).is_some() {
            return Err(format!("the name of a field must be unique and not empty, found `{name}`"));
        }
        Ok(FieldSpec { name: name.into(), primitive, style, omit })
    }

    fn style(&self, text: &str) -> Result<Style, String> {
        let table = |name: &str| {
            let position = self.enums.iter().position(|table| *table.name == *name);
            position.ok_or_else(|| format!("there is no `[enums.{name}]` or `[flags.{name}]` in the table"))
        };
        Ok(match split_call(text)? {
            ("enum", Some(name)) => Style::Enum(table(name)?),
            ("flags", Some(name)) => Style::Flags(table(name)?),
            ("bare", None) => Style::Bare,
            ("dims", None) => Style::Dims,
            ("keyword", None) => Style::Keyword,
            ("verbatim", None) => Style::Verbatim,
            ("builtin", None) => Style::AsBuiltin,
            ("elided", None) => Style::Elided,
            ("array", None) => Style::Array,
            ("sizes", None) => Style::Sizes,
            ("pairs", None) => Style::Pairs,
            ("elements", None) => Style::Elements,
            ("mnemonic", None) => Style::Mnemonic,
            ("word", None) => Style::Word,
            ("factors", None) => Style::Factors,
            ("factor_product", None) => Style::FactorProduct,
            ("factor_sizes", None) => Style::FactorSizes,
            _ => return Err(format!("unknown style `{text}`")),
        })
    }
}

fn camel(name: &str) -> String {
    let word = |word: &str| {
        let mut chars = word.chars();
        chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
    };
    name.split('_').map(word).collect()
}

/// Returns a style that needs no table of names.
///
/// # Errors
/// A message if there is no such style.
pub(crate) fn style_without_names(text: &str) -> Result<Style, String> {
    LoadContext { dialect: "", classes: &HashMap::new(), enums: &[] }.style(text)
}

/// Converts a JSON object to TOML with one line for each row, so that errors show the row. The error is a
/// message about the mistake.
pub(super) fn toml_of_json(text: &str) -> Result<String, String> {
    let object: toml::Table = serde_json::from_str(text).map_err(|error| error.to_string())?;
    let quoted = |key: &str| toml::Value::from(key).to_string();
    let (mut lines, mut nested) = (Vec::new(), Vec::new());
    for (key, value) in object {
        match value {
            toml::Value::Table(rows) => {
                let row = |(name, row): (String, toml::Value)| {
                    format!("{}.{} = {row}", quoted(&key), quoted(&name))
                };
                nested.extend(rows.into_iter().map(row));
            }
            toml::Value::Array(rows) if rows.iter().any(toml::Value::is_table) => {
                let rows: Vec<String> = rows.iter().map(|row| format!("    {row},\n")).collect();
                lines.push(format!("{} = [\n{}]", quoted(&key), rows.concat()));
            }
            value => lines.push(format!("{} = {value}", quoted(&key))),
        }
    }
    lines.append(&mut nested);
    Ok(lines.join("\n"))
}
