//! Modules inside attributes of a module: kernels of accelerators in custom calls.
//!
//! Owns [`NestedModule`] and the decoding of what `data/nested.toml` says about each host. Nested modules are read only:
//! writing an artifact leaves the attributes that hold them as they are.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashSet};
use std::sync::OnceLock;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde::Deserialize;
use serde_json::value::RawValue;

use crate::attr::{Attribute, FieldValue};
use crate::file::ReadOptions;
use crate::format::container::MAGIC;
use crate::format::id::OpNameId;
use crate::ir::{InherentAttributes, Module, Operation};
use crate::wire::bytes::Bytes;
use crate::wire::error::{Error, ErrorKind, Result};
use crate::wire::limits::{Budget, Limits};
use crate::wire::toml::from_str;

/// A module inside an attribute.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NestedModule {
    /// The path: that of the module around it, `kernels`, and the name or else the number of the kernel.
    pub path: String,
    /// The target of the custom call that holds it.
    pub target: String,
    /// Whether it is stored as text, and not as bytecode.
    pub is_text: bool,
    /// The bytecode or the text.
    pub bytes: Bytes,
}

impl NestedModule {
    /// Opens the module.
    ///
    /// # Errors
    /// [`ErrorKind::Text`] if it is stored as text, and the errors of reading it; they name its path.
    pub fn open(&self, limits: &Limits) -> Result<Module> {
        let options = ReadOptions { limits: limits.clone(), ..ReadOptions::default() };
        Module::from_source(self.bytes.clone().into(), &options).map_err(|error| self.located(error))
    }

    /// An error of the module, with its path.
    pub fn located(&self, error: Error) -> Error {
        error.in_context(&format!("module `{}`", self.path))
    }
}

/// How an attribute holds a module.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Encoding {
    Raw,
    AfterSha256,
    JsonBase64,
}

/// A row of `data/nested.toml`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Host {
    target: Box<str>,
    attribute: Box<str>,
    key: Option<Box<str>>,
    encoding: Encoding,
    #[serde(default)]
    field: Vec<Box<str>>,
    name: Option<Box<str>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Hosts {
    host: Vec<Host>,
}

fn hosts() -> Result<&'static [Host]> {
    static HOSTS: OnceLock<Result<Hosts, String>> = OnceLock::new();
    let load = || from_str(include_str!("../../data/nested.toml"));
    let loaded = HOSTS.get_or_init(|| load().map_err(|error| error.to_string()));
    match loaded {
        Ok(hosts) => Ok(&hosts.host),
        Err(error) => {
            let message = format!("the table of nested modules is invalid: {error}");
            Err(Error::message(ErrorKind::DialectTable, message))
        }
    }
}

/// The nested modules of a module, in the order of its operations; `path` is the path of the module.
///
/// # Errors
/// If the module is malformed, an attribute cannot be decoded, or a limit is exceeded.
pub(super) fn nested(module: &Module, path: &str) -> Result<Vec<NestedModule>> {
    let mut found = Vec::new();
    let names = module.dialect_section()?.op_names.len();
    let is_call = |id: usize| {
        let name = module.op_name(OpNameId(id as u32));
        name.is_some_and(|name| {
            matches!(name.dialect, b"vhlo" | b"stablehlo" | b"mhlo") && name.stem.starts_with(b"custom_call")
        })
    };
    let calls: HashSet<u32> = (0..names).filter(|&id| is_call(id)).map(|id| id as u32).collect();
    if calls.is_empty() {
        return Ok(found);
    }
    let budget = module.work_budget();
    let (mut names, mut read, mut decoded) = (HashSet::new(), HashSet::new(), HashSet::new());
    for op in module.operation()?.pre_order() {
        module.check_interrupt()?;
        let op = op?;
        // Many calls may share a dictionary, and many dictionaries a kernel.
        let attributes =
            (op.name_id().0, op.properties().map(|id| id.0), op.attribute_dictionary().map(|id| id.0));
        if !calls.contains(&op.name_id().0) || read.contains(&attributes) {
            continue;
        }
        budget.spend(size_of_val(&attributes))?;
        read.insert(attributes);
        let attributes = named_attributes(&op)?;
        let Some(target) = text(&attributes, "call_target_name")? else { continue };
        let Some(host) = hosts()?.iter().find(|host| *host.target == *target) else { continue };
        let Some(holder) = host.holder(&attributes)? else { continue };
        if let Some(id) = holder.value.id()
            && !decoded.insert((id.0, &*host.target))
        {
            continue;
        }
        let decoded_value =
            host.decode(&holder.value, &budget).map_err(|error| match holder.value.offset() {
                Some(offset) if error.offset().is_none() => error.at(offset),
                _ => error,
            });
        let Some(bytes) = decoded_value? else { continue };
        let name = unique_name(holder.name, found.len(), &mut names);
        budget.spend(2 * (path.len() + name.len() + target.len()) + size_of::<NestedModule>())?;
        let is_text = !bytes.starts_with(&MAGIC);
        found.push(NestedModule { path: format!("{path}/{KERNELS}/{name}"), target, is_text, bytes });
    }
    Ok(found)
}

/// The name of a kernel, or its number. A kernel with the name of another one has its number, too.
fn unique_name(name: Option<String>, number: usize, names: &mut HashSet<String>) -> String {
    let mut name = name.unwrap_or_else(|| number.to_string());
    while !names.insert(name.clone()) {
        name = format!("{name}.{number}");
    }
    name
}

/// The part of a path between a module and the name of a kernel in it.
pub(super) const KERNELS: &str = "kernels";

/// The attribute of an operation that holds a kernel.
struct Holder {
    value: Attribute,
    /// The name of the kernel.
    name: Option<String>,
}

impl Host {
    /// The attribute that holds the module; `None` if the operation does not have it.
    fn holder(&self, attributes: &[(String, Attribute)]) -> Result<Option<Holder>> {
        let Some((_, value)) = attributes.iter().find(|(name, _)| **name == *self.attribute) else {
            return Ok(None);
        };
        let entries = if self.key.is_some() { entries(value)? } else { Vec::new() };
        let value = match &self.key {
            Some(key) => entries.iter().find(|(name, _)| **name == **key).map(|(_, value)| value),
            None => Some(value),
        };
        let Some(value) = value.cloned() else { return Ok(None) };
        let name = match &self.name {
            Some(name) => {
                text(attributes, name)?.map_or_else(|| text(&entries, name), |name| Ok(Some(name)))?
            }
            None => None,
        };
        Ok(Some(Holder { value, name }))
    }

    /// The bytes of the module in an attribute; `None` if the attribute is no string.
    fn decode(&self, value: &Attribute, budget: &Budget) -> Result<Option<Bytes>> {
        let Some(bytes) = string_of(value)? else { return Ok(None) };
        let damaged = |what: &str| {
            let message = format!("the `{}` of `{}` {what}", self.attribute, self.target);
            Error::message(ErrorKind::Nested, message)
        };
        Ok(Some(match self.encoding {
            Encoding::Raw => bytes,
            Encoding::AfterSha256 if bytes.len() > HASH => bytes.slice(HASH..),
            Encoding::AfterSha256 => return Err(damaged("is shorter than its hash")),
            Encoding::JsonBase64 => {
                // For a text with escapes, and for what it decodes to.
                budget.spend(2 * bytes.len())?;
                let body = self.json_field(&bytes).ok_or_else(|| damaged("is not JSON with a module"))?;
                let decoded = BASE64_STANDARD.decode(body.as_bytes());
                decoded.map_err(|error| damaged(&format!("has a module that is not base64: {error}")))?.into()
            }
        }))
    }

    /// The text of the field in JSON. Values beside it are skipped, however large they are.
    fn json_field<'j>(&self, json: &'j [u8]) -> Option<Cow<'j, str>> {
        let mut value: &RawValue = serde_json::from_slice(json).ok()?;
        for name in &self.field {
            let fields: BTreeMap<Cow<'_, str>, &RawValue> = serde_json::from_str(value.get()).ok()?;
            value = fields.get(&**name)?;
        }
        // Only a text without escapes can be borrowed.
        let borrowed = serde_json::from_str(value.get()).map(Cow::Borrowed);
        borrowed.or_else(|_| serde_json::from_str(value.get()).map(Cow::Owned)).ok()
    }
}

/// The size of a SHA-256 hash.
const HASH: usize = 32;

/// The attributes of an operation that have a name, inherent ones first.
pub(crate) fn named_attributes(op: &Operation<'_>) -> Result<Vec<(String, Attribute)>> {
    let tables = op.module().tables();
    let (inherent, discardable) = op.attributes()?;
    let mut list = Vec::new();
    if let InherentAttributes::Known(properties) = inherent {
        for property in properties {
            let Some(id) = property.value.attribute() else { continue };
            list.extend(Attribute::of_file(tables, id)?.map(|value| (property.name().to_owned(), value)));
        }
    }
    for (name, value) in discardable {
        let (name, value) = (Attribute::of_file(tables, name)?, Attribute::of_file(tables, value)?);
        let (Some(name), Some(value)) = (name, value) else { continue };
        let name = string_of(&name)?.map(|name| String::from_utf8_lossy(&name).into_owned());
        list.extend(name.map(|name| (name, value)));
    }
    Ok(list)
}

/// The bytes of a string attribute of the builtin dialect or of VHLO.
fn string_of(value: &Attribute) -> Result<Option<Bytes>> {
    Ok(match value.field("value")? {
        Some(FieldValue::String(bytes)) => Some(bytes),
        _ => None,
    })
}

fn text(attributes: &[(String, Attribute)], name: &str) -> Result<Option<String>> {
    let Some((_, value)) = attributes.iter().find(|attribute| attribute.0 == name) else { return Ok(None) };
    Ok(string_of(value)?.map(|bytes| String::from_utf8_lossy(&bytes).into_owned()))
}

/// The entries of a dictionary attribute of the builtin dialect or of VHLO.
fn entries(value: &Attribute) -> Result<Vec<(String, Attribute)>> {
    let Some(FieldValue::List(items)) = value.field("value")? else { return Ok(Vec::new()) };
    let mut entries = Vec::new();
    for item in items {
        let FieldValue::List(pair) = item else { continue };
        if let [FieldValue::Attribute(name), FieldValue::Attribute(value)] = &pair[..]
            && let Some(name) = string_of(name)?
        {
            entries.push((String::from_utf8_lossy(&name).into_owned(), value.clone()));
        }
    }
    Ok(entries)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_module_in_json_is_decoded_or_refused() {
        let host = hosts().unwrap().iter().find(|host| host.encoding == Encoding::JsonBase64).unwrap();
        let decode = |body: &str| {
            let json = format!(r#"{{"other": [[1]], "custom_call_config": {{"body": {body}, "x": 1}}}}"#);
            let value = Attribute::build(
                "builtin",
                "StringAttr",
                &[("value", FieldValue::String(json.into_bytes().into()))],
            )
            .unwrap();
            host.decode(&value, &Limits::default().budget(0)).map(Option::unwrap)
        };
        // Writers of JSON may escape a slash.
        for (body, bytes) in [
            (r#""""#, &b""[..]),
            (r#""TUzvUg==""#, b"ML\xefR"),
            (r#""\/\/8=""#, b"\xff\xff"),
            (r#""\u0054UxJ""#, b"MLI"),
        ] {
            assert_eq!(decode(body).unwrap(), bytes, "{body}");
        }
        for body in [r#""T""#, r#""TQ=""#, r#""TU!J""#, r#""=TUx""#, "1", "null"] {
            assert_eq!(decode(body).unwrap_err().kind(), ErrorKind::Nested, "{body}");
        }
    }

    #[test]
    fn names_of_kernels_are_unique() {
        let mut names = HashSet::new();
        let kernel_names = ["a.2", "a", "a", "0"].map(|name| Some(name.to_owned()));
        let unique: Vec<_> = kernel_names
            .into_iter()
            .enumerate()
            .map(|(number, name)| unique_name(name, number, &mut names))
            .collect();
        assert_eq!(unique, ["a.2", "a", "a.2.2", "0"]);
    }

    #[test]
    fn the_table_of_hosts_is_valid() {
        let rows = hosts().unwrap();
        assert!(rows.iter().all(|row| (row.encoding == Encoding::JsonBase64) != row.field.is_empty()));
    }
}
