//! What the reader of the release that wrote a file takes, beyond the rules of the format.
//!
//! It is known for files that a released LLVM signed, or whose release the caller named. A development build may have
//! other operations and codes than any release, so there only what fits is followed and nothing is refused.

use crate::codec::entries::{EntryRef, RawEntry};
use crate::codec::node::Node;
use crate::codec::table::{BuiltinKind, Form};
use crate::error::{Error, ErrorKind, Result};
use crate::ir::id::OpNameId;
use crate::ir::module::{FileEntries, Module};
use crate::ir::table::OperationName;
use crate::props::{OpSchema, Release};
use crate::section::SectionId;

/// The codes that a release reads: dialect, codes of attributes, codes of types, counted from 0. Its other dialects read
/// none. Found by asking `mlir-opt` of each for every code.
type Codes = &'static [(&'static [u8], u64, u64)];

const CODES: &[(&str, Codes)] = &[
    ("llvm-16", &[(b"builtin", 21, 21), (b"quant", 0, 5)]),
    ("llvm-19", &[(b"builtin", 22, 21), (b"quant", 0, 6)]),
    ("llvm-22", &[(b"builtin", 23, 21), (b"quant", 0, 7), (b"llvm", u64::MAX, 0)]),
];

// Dialects of LLVM that have no operations, so that a schema does not show them.
const WITHOUT_OPS: &[&[u8]] = &[b"dlti"];
// No dialect of a release has a longer name.
const LONGEST_NAME: usize = 32;

pub(super) struct Reader<'m> {
    module: &'m Module,
    release: &'m Release,
    is_certain: bool,
    codes: Option<Codes>,
}

impl<'m> Reader<'m> {
    /// `claimed` is the release that the file or the caller names for certain.
    pub(super) fn new(module: &'m Module, claimed: Option<&'m Release>) -> Result<Self> {
        let (release, is_certain) = match claimed {
            Some(release) => (release, true),
            None => (module.release()?, false),
        };
        let codes = CODES.iter().find(|row| is_certain && Some(row.0) == release.name()).map(|row| row.1);
        Ok(Self { module, release, is_certain, codes })
    }

    /// The release, where it is certain.
    pub(super) fn release(&self) -> Option<&'m Release> {
        self.is_certain.then_some(self.release)
    }

    /// Whether what does not fit the release is an error.
    pub(super) fn is_certain(&self) -> bool {
        self.is_certain
    }

    pub(super) fn op(&self, name: u32) -> Option<&'m OpSchema> {
        self.release.op(OpNameId(name))
    }

    /// Whether all operations, codes and resources of a dialect are known.
    pub(super) fn knows(&self, dialect: &[u8]) -> bool {
        self.codes.is_some()
            && dialect.len() <= LONGEST_NAME
            && !self.module.is_unknown_dialect(dialect)
            && (WITHOUT_OPS.contains(&dialect)
                || self.release.schema().is_some_and(|schema| schema.has_dialect(dialect)))
    }

    /// Checks that the reader has an operation that is in use.
    pub(super) fn check_op(&self, name: &OperationName<'_>) -> Result<()> {
        if self.release.op(name.id).is_some() || !self.knows(name.dialect) {
            return Ok(());
        }
        let dialect = String::from_utf8_lossy(name.dialect);
        let expected = format!("an operation that {dialect} has in {}", self.release.name().unwrap_or_default());
        Err(Error::new(ErrorKind::OpUnregistered, expected, format!("`{}`", crate::value::cut(&name.full(), 200))))
    }

    /// Checks that the reader knows the code of an entry.
    pub(super) fn check_code(&self, entry: &RawEntry<'_>, of: EntryRef) -> Result<()> {
        let Some(codes) = self.codes.filter(|_| !entry.is_text) else { return Ok(()) };
        let is_own = entry.table.is_some_and(|table| !table.is_shipped);
        let bound = match codes.iter().find(|row| row.0 == entry.dialect) {
            _ if is_own => return Ok(()),
            Some(row) => match of {
                EntryRef::Attribute(_) => row.1,
                EntryRef::Type(_) => row.2,
            },
            None if self.knows(entry.dialect) => 0,
            None => return Ok(()),
        };
        let code = crate::cursor::Cursor::new(entry.data, entry.offset, Some(SectionId::AttrType)).varint()?;
        if code < bound {
            return Ok(());
        }
        let what = match of {
            EntryRef::Attribute(_) => "an attribute",
            EntryRef::Type(_) => "a type",
        };
        let (dialect, release) = (String::from_utf8_lossy(entry.dialect), self.release.name().unwrap_or_default());
        let expected = match bound {
            0 => format!("text, as {release} encodes no such entry of {dialect}"),
            _ => format!("a code that {dialect} has in {release}"),
        };
        Err(Error::new(ErrorKind::EntryUnknownCode, expected, format!("{what} with code `{code}`"))
            .at(entry.offset)
            .in_section(SectionId::AttrType))
    }
}

// Types with elements of a rank or without one: MLIR's `ShapedType`.
const SHAPED: &[&str] =
    &["RankedTensorType", "UnrankedTensorType", "VectorType", "MemRefType", "UnrankedMemRefType"];

/// Checks that elements have a type with elements, as far as the type is known; `node` is that of the entry.
pub(super) fn check_elements(form: &Form, node: &Node, entry: &RawEntry<'_>, entries: &FileEntries<'_>) -> Result<()> {
    if !matches!(
        form.builtin,
        BuiltinKind::DenseIntOrFPElementsAttr
            | BuiltinKind::DenseStringElementsAttr
            | BuiltinKind::DenseResourceElementsAttr
            | BuiltinKind::SparseElementsAttr
    ) {
        return Ok(());
    }
    let Some(of) = node.r#type(0).map(EntryRef::Type) else { return Ok(()) };
    let Some(r#type) = entries.raw(of).filter(|r#type| r#type.dialect == b"builtin") else { return Ok(()) };
    match r#type.form(of)? {
        Some(found) if !SHAPED.contains(&&*found.kind) => {
            let error = Error::new(ErrorKind::EntryClass, "a shaped type", format!("a {}", found.name));
            Err(error.at(entry.offset).in_section(SectionId::AttrType))
        }
        _ => Ok(()),
    }
}

/// Whether an entry without a form is certainly not of a class: `#dialect.name<…>` is no string, whatever it is.
pub(super) fn is_other(entry: Option<RawEntry<'_>>, class: Option<&str>) -> bool {
    matches!(class, Some("StringAttr" | "FlatSymbolRefAttr" | "DictionaryAttr"))
        && entry.is_some_and(|entry| entry.text().is_some_and(|text| text.starts_with(b"#")))
}
