//! Specifications and entries as the RFC "Data Layout Modeling" spells them: `datalayout.spec =
//! [#datalayout.entry<i8, {size = 8, abi = 8, preferred = 8}>]`. MLIR has `#dlti.dl_spec` instead.
//!
//! Owns the spelling and its verification. Does not own the meaning of the numbers for a type (`rules`).

use std::collections::HashMap;

use crate::attr::{Attribute, FieldValue};
use crate::wire::error::{Error, ErrorKind, Result, with_article};

use super::dlti::{DltiAttr, DltiEntry, DltiKind, brief};
use super::entry;
use super::registrations::Registrations;
use super::shape::{Class, Node, Shape};
use super::vector::{VectorAlignment, VectorLayout};

/// The name of the attribute that contains the entries.
pub(crate) const SPEC: &str = "datalayout.spec";
const ENTRY: &[u8] = b"#datalayout.entry";

/// Identifiers of the RFC, each with the name of the same identifier in MLIR.
const NAMES: [(&str, &str); 1] = [("endianness", "dlti.endianness")];

/// Returns MLIR's name for an identifier of the RFC.
pub(crate) fn name_in_mlir(name: &[u8]) -> Option<&'static str> {
    NAMES.iter().find(|(known, _)| known.as_bytes() == name).map(|(_, name)| *name)
}

/// The rules that specifications follow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Rules {
    /// The rules of MLIR 22.
    #[default]
    Mlir,
    /// The rules of the RFC "Data Layout Modeling": entries may state sizes, the innermost entry wins, and
    /// specifications are attributes `datalayout.spec` of any op. `#dlti.dl_spec` is read as well.
    Rfc,
}

impl DltiAttr {
    /// Parses a specification in either spelling: `#dlti.dl_spec`, or an array of `#datalayout.entry`, which
    /// is converted to the former.
    ///
    /// # Errors
    /// If the text is neither, or an entry is malformed.
    ///
    /// ```
    /// let text = "[#datalayout.entry<i8, {size = 8, abi = 8}>, #datalayout.entry<\"a.b\", 1>]";
    /// let spec = mlirbc::layout::DltiAttr::parse_specification(text)?;
    /// assert_eq!(spec.entries().len(), 2);
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    #[doc(hidden)]
    pub fn parse_specification(text: impl AsRef<[u8]>) -> Result<Self> {
        parse_spec(text.as_ref())
    }
}

/// Reads the text of a specification: an array of `#datalayout.entry`, or a `#dlti.dl_spec`.
///
/// # Errors
/// If the text is neither, or an entry is malformed.
pub(crate) fn parse_spec(text: &[u8]) -> Result<DltiAttr> {
    let value = Attribute::parse(text)?;
    if value.class() != Some("ArrayAttr") {
        let spec = DltiAttr::parse(text)?;
        return match spec.kind() {
            DltiKind::DataLayoutSpec => Ok(spec),
            other => Err(Error::new(
                ErrorKind::LayoutAttributeKind,
                "a DataLayoutSpecAttr or an array of `#datalayout.entry`",
                with_article(other.class()),
            )),
        };
    }
    let Ok(Some(FieldValue::List(items))) = value.field("value") else { return Err(not_an_entry(&value)) };
    // An entry of the RFC has the grammar of an entry of the dlti dialect.
    let mut all = b"#dlti.dl_spec<".to_vec();
    for (number, item) in items.iter().enumerate() {
        let FieldValue::Attribute(item) = item else { return Err(not_an_entry(&value)) };
        let text = item.text().filter(|_| item.dialect() == "datalayout");
        let body = text.as_deref().and_then(|text| text.strip_prefix(ENTRY));
        let Some(body) = body.filter(|body| body.starts_with(b"<")) else { return Err(not_an_entry(item)) };
        if number > 0 {
            all.push(b',');
        }
        all.extend_from_slice(b"#dlti.dl_entry");
        all.extend_from_slice(body);
    }
    all.push(b'>');
    DltiAttr::parse(all)
}

#[cold]
fn not_an_entry(found: &Attribute) -> Error {
    let expected = "`#datalayout.entry<key, value>`";
    Error::new(ErrorKind::LayoutNotAnEntry, expected, format!("`{}`", brief(&found.0)))
}

/// Returns the members of a dictionary.
pub(super) fn members(value: &Attribute) -> Option<HashMap<String, Attribute>> {
    if value.class() != Some("DictionaryAttr") {
        return None;
    }
    let Ok(Some(FieldValue::List(pairs))) = value.field("value") else { return None };
    let member = |pair: FieldValue| match pair {
        FieldValue::List(pair) => match &pair[..] {
            [FieldValue::Attribute(name), FieldValue::Attribute(value)] => {
                Some((entry::string(name)?, value.clone()))
            }
            _ => None,
        },
        _ => None,
    };
    pairs.into_iter().map(member).collect()
}

/// `{size = 8, abi = 8, preferred = 16}`, all in bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Numbers {
    pub(crate) size: Option<u64>,
    pub(crate) abi: u64,
    pub(crate) preferred: u64,
    pub(crate) index: Option<u64>,
}

/// Returns the numbers of a verified entry; `None` for other spellings.
pub(crate) fn numbers(value: &Attribute) -> Option<Numbers> {
    let members = members(value)?;
    let number = |name: &str| members.get(name).and_then(entry::integer);
    let abi = number("abi")?;
    Some(Numbers {
        size: number("size"),
        abi,
        preferred: number("preferred").unwrap_or(abi),
        index: number("index"),
    })
}

/// Returns the policy for vectors of a verified entry: `{alignment = "element", max = 128, elements =
/// "packed"}`.
pub(crate) fn vectors(value: &Attribute) -> Option<VectorLayout> {
    let members = members(value)?;
    let text = |name: &str| members.get(name).and_then(entry::string);
    let alignment = match (text("alignment").as_deref(), members.get("alignment").and_then(entry::integer)) {
        (Some("element"), _) => VectorAlignment::Element,
        (_, Some(bits)) => VectorAlignment::Bytes(bits / 8),
        _ => VectorAlignment::Size,
    };
    Some(VectorLayout {
        alignment,
        most: members.get("max").and_then(entry::integer).map(|bits| bits / 8),
        is_packed: text("elements").as_deref() == Some("packed"),
    })
}

#[cold]
fn refused(kind: ErrorKind, expected: impl Into<String>, entry: &DltiEntry) -> Error {
    let expected = format!("{} in the entry for {}", expected.into(), entry.key.brief());
    Error::new(kind, expected, format!("`{}`", brief(&entry.value.0)))
}

/// Verifies an entry with a name. The RFC leaves names to dialects, which register their rules. Only names
/// with a meaning in MLIR are verified here.
///
/// # Errors
/// If the value is malformed, or the name is an unknown name of the dlti dialect.
pub(crate) fn verify_identifier(name: &[u8], entry: &DltiEntry) -> Result<()> {
    match name_in_mlir(name) {
        Some(name) => entry::verify_known_identifier(name.as_bytes(), entry),
        None if name.starts_with(b"dlti.") => entry::verify_known_identifier(name, entry),
        None => Ok(()),
    }
}

/// Verifies an entry for a type.
///
/// # Errors
/// If the class has no entries, or the value is malformed. Registered types verify their own entries.
pub(crate) fn verify(entry: &DltiEntry, shape: &Shape, types: &Registrations) -> Result<()> {
    let class = shape.class();
    match &class {
        Class::Other(name) if name == "vector" => return verify_vectors(entry),
        // The spellings of MLIR are accepted, too.
        _ if entry.value.class() != Some("DictionaryAttr") => return entry::verify_type(shape, entry, types),
        Class::LlvmArray => return Ok(()),
        Class::Other(_) => return entry::verify_type(shape, entry, types),
        _ => {}
    }
    let Some(members) = members(&entry.value) else {
        return Err(refused(ErrorKind::LayoutEntryKind, "names and values", entry));
    };
    let has_size = class != Class::LlvmStruct;
    let has_index = matches!(class, Class::LlvmPointer | Class::Pointer);
    for (name, value) in &members {
        let is_known = match &**name {
            "abi" | "preferred" => true,
            "size" => has_size,
            "index" => has_index,
            _ => false,
        };
        if !is_known {
            let names = match (has_size, has_index) {
                (true, true) => "`size`, `abi`, `preferred` and `index`",
                (true, false) => "`size`, `abi` and `preferred`",
                _ => "`abi` and `preferred`",
            };
            return Err(refused(ErrorKind::LayoutEntryKind, format!("only {names}"), entry));
        }
        if entry::integer(value).is_none() {
            return Err(refused(ErrorKind::LayoutEntryKind, format!("an integer as `{name}`"), entry));
        }
    }
    let Some(Numbers { size, abi, preferred, index }) = numbers(&entry.value) else {
        return Err(refused(ErrorKind::LayoutArity, "`abi`", entry));
    };
    if has_index && size.is_none() {
        return Err(refused(ErrorKind::LayoutArity, "`size`", entry));
    }
    if abi == 0 || size == Some(0) || index == Some(0) {
        return Err(refused(ErrorKind::LayoutZero, "numbers above zero", entry));
    }
    if !(abi.is_multiple_of(8) && preferred.is_multiple_of(8)) {
        return Err(refused(ErrorKind::LayoutByteMultiple, "alignments that are multiples of 8", entry));
    }
    if !(abi.is_power_of_two() && preferred.is_power_of_two()) {
        return Err(refused(ErrorKind::LayoutByteMultiple, "alignments that are powers of two", entry));
    }
    if preferred < abi {
        let expected = "a preferred alignment that is not below the ABI alignment";
        return Err(refused(ErrorKind::LayoutPreferred, expected, entry));
    }
    let bits = match shape.root() {
        Node::Integer(width) => u64::from(*width),
        Node::Float(float) => float.bits.into(),
        _ => 0,
    };
    if size.is_some_and(|size| size < bits) {
        return Err(refused(ErrorKind::LayoutEntryKind, format!("a size of at least {bits} bits"), entry));
    }
    Ok(())
}

fn verify_vectors(entry: &DltiEntry) -> Result<()> {
    let expected = "`{alignment = \"size\", \"element\" or bits, max = bits, elements = \"bytes\" or \"packed\"}`, \
        bits being a power of two from 8,";
    let refused = || refused(ErrorKind::LayoutEntryKind, expected, entry);
    for (name, value) in members(&entry.value).ok_or_else(refused)? {
        let text = entry::string(&value);
        let is_valid = match (&*name, text.as_deref()) {
            ("alignment", Some("size" | "element")) | ("elements", Some("bytes" | "packed")) => true,
            ("max" | "alignment", _) => {
                entry::integer(&value).is_some_and(|bits| bits >= 8 && bits.is_power_of_two())
            }
            _ => false,
        };
        if !is_valid {
            return Err(refused());
        }
    }
    Ok(())
}
