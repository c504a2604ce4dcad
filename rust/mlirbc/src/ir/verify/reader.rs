//! The rules of the release that wrote a file, beyond the rules of the format.
//!
//! They apply to files of a released LLVM, or of a release that the caller specified. A development build may
//! have other operations and codes than any release, so nothing is rejected for it.

use crate::dialect::entries::{Entries, EntryRef, RawEntry};
use crate::dialect::node::Node;
use crate::dialect::table::{BuiltinKind, Encoding};
use crate::file::release::DetectedRelease;
use crate::format::id::{AttrId, OpNameId};
use crate::ir::module::Module;
use crate::props::OpSchema;
use crate::release::{self, KnownRelease};
use crate::wire::error::{Error, ErrorKind, Result, with_article};
use crate::wire::section::SectionId;

use super::BitSet;

// Dialects of LLVM that have no operations, so that a schema does not show them.
const WITHOUT_OPS: &[&[u8]] = &[b"dlti"];
// LLVM's dialect for tests: the releases know its operations, but not its codes and versions.
const TEST_DIALECT: &[u8] = b"test";

// No dialect of a release has a longer name.
const LONGEST_NAME: usize = 32;

// Attributes of the builtin dialect that releases write as text, none of which has a class that a reference
// requires.
const OTHER_TEXTS: &[&[u8]] = &[b"affine_map<", b"affine_set<", b"strided<"];

pub(super) struct Reader<'m> {
    module: &'m Module,
    release: &'m DetectedRelease,
    is_certain: bool,
    /// The release, if it is certain and all its dialects are known.
    known: Option<&'static KnownRelease>,
    /// Resources of dialects other than the builtin one, as attributes count them.
    foreign: BitSet,
    /// Dialects of the release that have a version in the file, although they do not read one, and the file offset of
    /// that version.
    versioned: Vec<(&'m [u8], u64)>,
}

impl<'m> Reader<'m> {
    /// `claimed` is the release that the file or the caller specifies with certainty.
    pub(super) fn new(module: &'m Module, claimed: Option<&'m DetectedRelease>) -> Result<Self> {
        let (release, is_certain) = match claimed {
            Some(release) => (release, true),
            None => (module.release()?, false),
        };
        let release_info = match release.name().filter(|_| is_certain) {
            Some(name) => release::find(name)?.filter(|release_info| release_info.is_released()),
            None => None,
        };
        let mut foreign = BitSet::default();
        let of_dialects = module.resources()?.filter(|resource| !resource.is_external());
        for (index, _) in (0..).zip(of_dialects).filter(|(_, resource)| resource.group() != b"builtin") {
            foreign.set(AttrId::new(index).number());
        }
        let mut this =
            Self { module, release, is_certain, known: release_info, foreign, versioned: Vec::new() };
        let section =
            module.tables().bytecode().section(SectionId::Dialect).map_or(0, |section| section.offset);
        for (dialect, entry) in module.dialects()?.zip(&module.tables().dialect_section()?.dialects) {
            let Some(version) = &entry.version else { continue };
            // A file may have very many dialects, whereas a release has few.
            if !release_info.is_some_and(|release| release.reads_versions(dialect.name))
                && this.knows(dialect.name)
                && !this.refuses_version(dialect.name)
            {
                this.versioned.push((dialect.name, section + version.start as u64));
            }
        }
        Ok(this)
    }

    /// The names of the operations whose blobs fit several layouts.
    pub(super) fn ambiguous_ops(&self) -> impl Iterator<Item = OpNameId> {
        self.release.ambiguous_ops()
    }

    /// Whether a dialect has a version that its reader rejects when the dialect is first used.
    pub(super) fn refuses_version(&self, dialect: &[u8]) -> bool {
        self.version_offset(dialect).is_some()
    }

    /// The file offset of a version that the dialect's reader rejects.
    pub(super) fn version_offset(&self, dialect: &[u8]) -> Option<u64> {
        self.versioned.iter().find(|(name, _)| *name == dialect).map(|&(_, offset)| offset)
    }

    /// Whether any dialect has a version that its reader rejects.
    pub(super) fn refuses_versions(&self) -> bool {
        !self.versioned.is_empty()
    }

    /// Whether the versions of a dialect are unknown.
    pub(super) fn is_unversioned(&self, dialect: &[u8]) -> bool {
        let has_table =
            self.module.tables().ungated_codec(dialect).is_some_and(|table| table.version.is_some());
        !has_table && !self.refuses_version(dialect)
    }

    #[cold]
    pub(super) fn no_version(&self, dialect: &[u8]) -> Error {
        let (dialect, release) = (String::from_utf8_lossy(dialect), self.release.name().unwrap_or_default());
        let message =
            format!("dialect {dialect} has a version in the file, but {release} reads no versions of it");
        Error::message(ErrorKind::DialectVersion, message)
    }

    /// The release, if it is certain.
    pub(super) fn release(&self) -> Option<&'m DetectedRelease> {
        self.is_certain.then_some(self.release)
    }

    /// Whether a violation of the rules of the release is an error.
    pub(super) fn is_certain(&self) -> bool {
        self.is_certain
    }

    pub(super) fn op(&self, name: u32) -> Option<&'m OpSchema> {
        self.release.op(OpNameId::new(name))
    }

    /// Whether results in a region that declares no values are numbered, which is an error.
    pub(super) fn numbers_all_results(&self) -> bool {
        self.known.is_some_and(|known| known.llvm().numbers_results_without_values())
    }

    /// Whether all operations, codes and resources of a dialect are known.
    pub(super) fn knows(&self, dialect: &[u8]) -> bool {
        self.known.is_some()
            && dialect.len() <= LONGEST_NAME
            && dialect != TEST_DIALECT
            && !self.module.tables().is_unknown_dialect(dialect)
            && (WITHOUT_OPS.contains(&dialect)
                || self.release.schema().is_some_and(|schema| schema.has_dialect(dialect)))
    }

    /// Whether an entry of unknown encoding is certainly not of a class: `#dialect.name<…>` is not a string,
    /// and strings, dictionaries and symbols have no other encoding than their own.
    pub(super) fn is_other(&self, entry: Option<RawEntry<'_>>, class: Option<&str>) -> bool {
        let is_builtin_only = match class {
            Some("StringAttr" | "FlatSymbolRefAttr" | "DictionaryAttr") => true,
            // Dialects may define location attributes since LLVM 21; the dialects of LLVM do not.
            Some("Location") => self.known.is_some_and(|known| {
                !known.llvm().has_dialect_locations() || entry.is_some_and(|entry| self.knows(entry.dialect))
            }),
            _ => false,
        };
        class.is_some()
            && entry.is_some_and(|entry| match entry.text() {
                Some(text) if entry.dialect == b"builtin" => {
                    OTHER_TEXTS.iter().any(|start| text.starts_with(start))
                }
                Some(text) => is_builtin_only && text.starts_with(b"#"),
                None => is_builtin_only && entry.dialect != b"builtin",
            })
    }

    /// Checks that the reader knows the code of an entry.
    #[inline]
    pub(super) fn check_code(
        &self,
        entry: &RawEntry<'_>,
        of: EntryRef,
        checked: &mut CheckedCodes,
    ) -> Result<()> {
        let Some(known) = self.known.filter(|_| !entry.is_text) else { return Ok(()) };
        let is_own = entry.table.is_some_and(|table| !table.is_shipped);
        let Some(&code) = entry.data.first().filter(|code| *code & 1 == 1) else {
            return self.check_new_code(known, entry, of, is_own);
        };
        let this = (entry.dialect.as_ptr() as usize, code, matches!(of, EntryRef::Type(_)), is_own);
        let place = usize::from(code >> 1) % checked.0.len();
        if checked.0.get(place) != Some(&this) {
            self.check_new_code(known, entry, of, is_own)?;
            if let Some(place) = checked.0.get_mut(place) {
                *place = this;
            }
        }
        Ok(())
    }

    fn check_new_code(
        &self,
        known: &KnownRelease,
        entry: &RawEntry<'_>,
        of: EntryRef,
        is_own: bool,
    ) -> Result<()> {
        if self.refuses_version(entry.dialect) {
            return Err(self.no_version(entry.dialect).at(entry.offset).in_section(SectionId::AttrType));
        }
        if is_own || !self.knows(entry.dialect) {
            return Ok(());
        }
        let is_type = matches!(of, EntryRef::Type(_));
        let has_codes = release::encodes(known, entry.dialect, is_type)?;
        let code =
            crate::wire::cursor::Cursor::new(entry.data, entry.offset, Some(SectionId::AttrType)).varint()?;
        let code_of = (entry.dialect, is_type, code);
        if has_codes && release::reads_code(known.llvm(), Some(&known.name), code_of)? {
            return Ok(());
        }
        let entry_kind = match of {
            EntryRef::Attribute(_) => "attribute",
            EntryRef::Type(_) => "type",
        };
        let (dialect, release) =
            (String::from_utf8_lossy(entry.dialect), self.release.name().unwrap_or_default());
        let message = match has_codes {
            false => format!(
                "{release} reads {entry_kind} of dialect {dialect} as text only, but this one has code `{code}`"
            ),
            true => format!("dialect {dialect} has no {entry_kind} with code `{code}` in {release}"),
        };
        Err(Error::message(ErrorKind::EntryUnknownCode, message)
            .at(entry.offset)
            .in_section(SectionId::AttrType))
    }
}

/// Codes that were found valid recently: the address of the dialect's name, the byte of the code, whether it is the code of a
/// type, and whether the table was not shipped. The byte is odd, so a default value matches nothing.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct CheckedCodes([(usize, u8, bool, bool); 32]);

/// Whether an entry of this encoding accepts only some kinds of types, or only resources of the builtin
/// dialect.
pub(super) fn is_typed(form: &Encoding) -> bool {
    matches!(form.builtin, BuiltinKind::IntegerAttr | BuiltinKind::FloatAttr) || has_elements(form)
}

fn has_elements(form: &Encoding) -> bool {
    matches!(
        form.builtin,
        BuiltinKind::DenseIntOrFPElementsAttr
            | BuiltinKind::DenseStringElementsAttr
            | BuiltinKind::DenseResourceElementsAttr
            | BuiltinKind::SparseElementsAttr
    )
}

// Types with elements, ranked or not: MLIR's `ShapedType`.
const SHAPED: &[&str] =
    &["RankedTensorType", "UnrankedTensorType", "VectorType", "MemRefType", "UnrankedMemRefType"];
const SHAPED_TEXTS: &[&[u8]] = &[b"tensor<", b"vector<", b"memref<", b"!"];
const INTEGERS: &[&str] = &["IntegerType", "IndexType"];
const FLOATS: &[&str] = &["Float", "BFloat"];
const FLOAT_TEXTS: &[&[u8]] = &[b"f", b"bf", b"tf", b"!"];

/// Checks the type of numbers and elements, if known, and the owner of their resource. `node` is the decoded
/// entry.
pub(super) fn check_type(
    form: &Encoding,
    node: &Node,
    entry: &RawEntry<'_>,
    entries: &dyn Entries,
    reader: &Reader<'_>,
) -> Result<()> {
    if !is_typed(form) {
        return Ok(());
    }
    if form.builtin == BuiltinKind::DenseResourceElementsAttr
        && reader.foreign.get(AttrId::new(node.number(1) as u32).number())
    {
        let error = Error::message(
            ErrorKind::EntryClass,
            "the resource of a DenseResourceElementsAttr belongs to another dialect",
        );
        return Err(error.at(entry.offset).in_section(SectionId::AttrType));
    }
    let Some(of) = node.r#type(0).map(EntryRef::Type) else { return Ok(()) };
    let Some(r#type) = entries.entry(of).filter(|r#type| r#type.dialect == b"builtin") else { return Ok(()) };
    let (expected, is_kind, texts): (_, fn(&str) -> bool, _) = match form.builtin {
        BuiltinKind::IntegerAttr => ("an integer type or index", |kind| INTEGERS.contains(&kind), &[][..]),
        BuiltinKind::FloatAttr => {
            ("a float type", |kind| FLOATS.iter().any(|start| kind.starts_with(start)), FLOAT_TEXTS)
        }
        _ => ("a shaped type", |kind| SHAPED.contains(&kind), SHAPED_TEXTS),
    };
    let actual = match (r#type.text(), r#type.form(of)?) {
        (Some(text), _) if !texts.iter().any(|start| text.starts_with(start)) => "another type as text",
        (None, Some(form)) if !is_kind(&form.kind) => &form.name,
        _ => return Ok(()),
    };
    let expected = format!("{expected} for {}", with_article(&form.name));
    Err(Error::new(ErrorKind::EntryClass, expected, actual.to_owned())
        .at(entry.offset)
        .in_section(SectionId::AttrType))
}
