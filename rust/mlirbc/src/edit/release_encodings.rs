//! The encodings of the release that wrote a module, for entries that are added to the module.

use std::collections::HashMap;
use std::sync::Arc;

use crate::attr::table::Home;
use crate::attr::text::entry::{Elide, EntryPrinter, EntryStyle};
use crate::attr::text::out::Out;
use crate::dialect::entries::{Entries, EntryRef};
use crate::dialect::node::{Field, Node};
use crate::dialect::table::{Encoding, Layout};
use crate::file::release::ReleaseOrigin;
use crate::ir::Module;
use crate::props::registry::Schemas;
use crate::props::{PropertySchema, is_of_other_project};
use crate::release::{self, Llvm, SCALABLE_VECTOR};
use crate::wire::error::{Error, ErrorKind, Result, cut};

/// Returns whether releases encode a type of the builtin dialect in different layouts of one code.
pub(crate) fn is_scalable_vector(dialect: &[u8], is_type: bool, code: u64) -> bool {
    dialect == b"builtin" && is_type && code == SCALABLE_VECTOR
}

type FastHasher = foldhash::fast::RandomState;

/// Whether a release has an encoding, by its sort (a type or not) and its code.
type KnownCodes = HashMap<(bool, u64), bool, FastHasher>;

/// The encodings of the release of a module.
#[derive(Debug)]
pub(crate) struct ReleaseEncodings {
    name: Box<str>,
    /// The release whose codes count; for a release that a user brings, the first known one that it includes.
    of_codes: Box<str>,
    llvm: Llvm,
    /// The builds that may have written the module; each must be able to read added entries.
    builds: Vec<(&'static str, Llvm)>,
    /// The dialects with codes that the writer of the module registers, as far as is known.
    registered: Vec<&'static str>,
    /// The schema of the release; for a release that a user brings, also the schemas that it includes.
    schemas: Vec<Arc<PropertySchema>>,
    /// Whether the release reads a code, by dialect: the answer takes several searches and is the same for all entries.
    known_codes: HashMap<Box<[u8]>, KnownCodes, FastHasher>,
}

impl ReleaseEncodings {
    /// Returns the encodings of a module; `None` if the release is unknown.
    ///
    /// # Errors
    /// If a table of the module is malformed.
    pub(crate) fn of(module: &Module) -> Result<Option<Self>> {
        let release = module.release()?;
        let Some(name) = release.nearest() else { return Ok(None) };
        let mut of_codes: Box<str> = name.into();
        let schemas = match release.schema().cloned() {
            Some(schema) if release::find(schema.name())?.is_none() => {
                let is_known = |name: &&str| matches!(release::find(name), Ok(Some(_)));
                if let Some(included) = schema.includes().find(is_known) {
                    of_codes = included.into();
                }
                Schemas::snapshot(&[]).with_includes(schema)?
            }
            schema => schema.into_iter().collect(),
        };
        let release_row = release::find(name)?.filter(|_| *release.origin() != ReleaseOrigin::Caller);
        let builds = release_row.map(release::builds_like).transpose()?.unwrap_or_default();
        let builds = builds.into_iter().map(|build| (&*build.name, build.llvm())).collect();
        let mut registered: Vec<&str> = release::codes()?.iter().map(|row| &*row.dialect).collect();
        registered.dedup();
        registered.retain(|dialect| release.registers_dialect(dialect.as_bytes()) == Some(true));
        Ok(Some(Self {
            name: name.into(),
            of_codes,
            llvm: release.llvm(),
            builds,
            registered,
            schemas,
            known_codes: HashMap::default(),
        }))
    }

    fn reads_code(&mut self, place: (&[u8], bool, u64)) -> Result<bool> {
        let (dialect, is_type, code) = place;
        if let Some(&reads) = self.known_codes.get(dialect).and_then(|codes| codes.get(&(is_type, code))) {
            return Ok(reads);
        }
        let reads = self.all_builds_read(place)?;
        self.known_codes.entry(dialect.into()).or_default().insert((is_type, code), reads);
        Ok(reads)
    }

    fn all_builds_read(&self, place: (&[u8], bool, u64)) -> Result<bool> {
        let registers = |name: &str| release::registers(name, place.0);
        let builds = self.builds.iter().copied().chain([(&*self.of_codes, self.llvm)]);
        let is_related = |name: &str| !is_of_other_project(name, place.0);
        let has_related = builds.clone().any(|(name, _)| is_related(name));
        let builds = builds.filter(|(name, _)| !has_related || is_related(name));
        // If the writer registers the dialect, builds that do not register it are irrelevant for its codes.
        let is_filtered = self.registered.iter().any(|dialect| dialect.as_bytes() == place.0)
            && builds.clone().any(|(name, _)| registers(name));
        for (name, llvm) in builds.filter(|(name, _)| !is_filtered || registers(name)) {
            if !release::reads_code(llvm, Some(name), place)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Returns whether values of these tables were written by the same release, which reads its own entries.
    pub(crate) fn wrote(&self, home: &Home) -> bool {
        match home {
            Home::File(file) => file.release().is_ok_and(|release| release.nearest() == Some(&*self.name)),
            Home::Owned(_) => false,
        }
    }

    /// Returns whether the release decodes a code; otherwise it reads only text. A dialect that the release
    /// lacks was added, with its encoding, by the tool that wrote the file.
    pub(crate) fn has(&mut self, dialect: &[u8], is_type: bool, code: u64) -> bool {
        self.reads_code((dialect, is_type, code)).unwrap_or(false)
            || !self.schemas.iter().any(|schema| schema.has_dialect(dialect))
    }

    /// Returns whether entries with a code are written unchanged, and not as text.
    pub(crate) fn reads(&mut self, dialect: &[u8], is_type: bool, code: u64) -> bool {
        match dialect {
            b"builtin" => self.reads_code((dialect, is_type, code)).unwrap_or(false),
            _ => self.has(dialect, is_type, code),
        }
    }

    /// Checks that the release has an attribute or type. In the builtin dialect, the release must read its
    /// code; in other dialects, the attribute or type must not be newer than the release.
    ///
    /// # Errors
    /// [`ErrorKind::Unsupported`] if the release lacks the attribute or type.
    pub(crate) fn check(
        &mut self,
        entries: &impl Entries,
        of: EntryRef,
        dialect: &[u8],
        form: &Encoding,
    ) -> Result<()> {
        let is_type = matches!(of, EntryRef::Type(_));
        let place = (dialect, is_type, form.code);
        let is_builtin = dialect == b"builtin";
        if self.reads_code(place)? || !is_builtin && release::has_text(self.llvm, place)? {
            return Ok(());
        }
        let text = self.text(entries, of)?;
        let kind = match (is_builtin, is_type) {
            (true, true) => "builtin type",
            (true, false) => "builtin attribute",
            (false, true) => "type",
            (false, false) => "attribute",
        };
        Err(self.has_none(kind, &text))
    }

    fn has_none(&self, kind: &str, text: &[u8]) -> Error {
        let text = String::from_utf8_lossy(text);
        let message = format!("{}, the release of the module, has no {kind} `{}`", self.name, cut(&text, 80));
        Error::message(ErrorKind::Unsupported, message)
            .with_hint("convert the module to a newer release first, and edit the result")
    }

    /// Returns whether an entry with this layout of its code is written unchanged. All codes but one have one
    /// layout, or the version of the dialect selects the layout.
    pub(crate) fn has_layout(
        &self,
        dialect: &[u8],
        is_type: bool,
        (form, layout): (&Encoding, &Layout),
    ) -> bool {
        let release_layout = form.layouts.get(usize::from(self.llvm.counts_scalable_dims()));
        !is_scalable_vector(dialect, is_type, form.code)
            || release_layout.is_some_and(|release_layout| std::ptr::eq(release_layout, layout))
    }

    /// Returns the text of a scalable vector whose layout is from another release.
    ///
    /// # Errors
    /// [`ErrorKind::Unsupported`] if the release has no text for it.
    pub(crate) fn scalable_vector(
        &self,
        entries: &impl Entries,
        of: EntryRef,
        node: &Node,
    ) -> Result<Vec<u8>> {
        let text = self.text(entries, of)?;
        let is_scalable = |field: &Field| matches!(field, Field::Bool(true));
        if self.llvm.counts_scalable_dims() && !node.items(0).is_sorted_by_key(is_scalable) {
            return Err(self.has_none("builtin type", &text));
        }
        Ok(text)
    }

    /// Returns the entry as text.
    ///
    /// # Errors
    /// If the entry cannot be printed.
    pub(crate) fn text(&self, entries: &dyn Entries, of: EntryRef) -> Result<Vec<u8>> {
        const LIMIT: u64 = 16 << 20;
        let style = EntryStyle { release: self.llvm, elide_elements: None };
        let mut printer = EntryPrinter::new(&entries, style, LIMIT).without_cache();
        let mut out = Out::memory();
        match of {
            EntryRef::Attribute(index) => printer.attribute(&mut out, index, Elide::Never),
            EntryRef::Type(index) => printer.r#type(&mut out, index),
        }
        match printer.faults.into_iter().next() {
            Some(fault) => Err(fault),
            None => Ok(out.buffer),
        }
    }
}
