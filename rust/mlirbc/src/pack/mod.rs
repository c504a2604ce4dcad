//! Packs: the dialects of a project as data, which users bring.
//!
//! Owns the file format of packs ([`Pack`]), their registration in a process ([`Pack::register`]), and the translation of
//! records of `.td` files into packs ([`PackMaker`]). A pack has rows of the shipped data: its operations become
//! [`OperationDefinitions`] and its layouts a [`PropertySchema`], so printing, parsing, verification and conversion work as for
//! shipped releases.
//!
//! `docs/reference/packs.md` is the reference of the format.

mod compare;
mod coverage;
mod encodings;
mod files;
mod header;
mod installed;
mod make;
mod merge;
mod row;
mod seal;
mod sealed;
mod tables;

use std::collections::{HashMap, HashSet};
use std::io::Read;
use std::sync::Arc;

use flate2::bufread::MultiGzDecoder;
use serde_json::Value as Json;

pub use self::compare::PackDifference;
pub use self::coverage::{DialectCoverage, PackCoverage};
pub use self::files::{EXTENSION, LoadedPack, is_named_as_pack, load};
pub use self::header::{PackHeader, PackRelease};
pub use self::installed::{InstalledPackProblem, install, load_installed_for, take_problems_of_installed};
pub use self::make::{PackMaker, PackOptions, includes_of_build};
pub use self::row::RowKind;
pub use self::tables::table_of;

use self::row::PackRow;
use self::seal::seal_of;
use crate::dialect::register_tables_of_pack;
use crate::ops::{OperationDefinitions, PackNames, constraints_of, open_pack, register_definitions};
use crate::props::{PackLayout, PropertySchema, register_schema};
use crate::release::{self, waiting};
use crate::wire::error::{Error, ErrorKind, Result};
use crate::wire::limits::Limits;
use crate::wire::order::sort_by_key;

/// The first bytes of a compressed pack.
const GZIP: [u8; 2] = [0x1f, 0x8b];

/// The bytes of a row in the tables of one release, beside its text.
const ROW_IN_RELEASE: usize = 512;

/// The layout of an operation without a layout in a sealed pack. The project registers the operation, so that reading it as
/// an unregistered one would misread it.
const WITHOUT_LAYOUT: &str = "\"custom\":true}";

/// The dialects of a project: definitions of operations, attributes and types, and layouts of properties.
///
/// ```
/// use mlirbc::pack::Pack;
/// let text = br#"{"format":"mlirbc-pack/1","name":"toy","releases":[{"name":"toy-1","llvm":"llvm-22"}]}
/// {"constraint":"I32","text":"i32"}
/// {"op":"toy.add","operands":[["a","I32"]],"results":[["sum","I32"]],"format":["$a","attr-dict"]}
/// {"layout":"toy.add"}
/// {"op":3}
/// "#;
/// let pack = Pack::from_bytes(text, &mlirbc::Limits::default())?;
/// assert_eq!(pack.header().name, "toy");
/// assert_eq!(pack.warnings()[0].line, 5);
/// pack.register()?;
/// assert!(mlirbc::ops::OperationDefinitions::of(&mlirbc::Release::named("toy-1")).unwrap().get("toy.add").is_some());
/// # Ok::<(), mlirbc::Error>(())
/// ```
#[derive(Debug)]
pub struct Pack {
    header: PackHeader,
    rows: Vec<PackRow>,
    warnings: Vec<PackWarning>,
    /// Whether the rows are checked when they are used.
    is_sealed: bool,
}

/// A row of a pack that was skipped, or another doubt about a pack.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PackWarning {
    /// The line, from one.
    pub line: u64,
    /// The whole sentence: `the row is skipped: …`.
    pub reason: String,
}

impl PackWarning {
    fn skipped(line: u64, reason: &str) -> Self {
        Self { line, reason: format!("the row is skipped: {reason}") }
    }
}

impl Pack {
    /// Reads a pack, which may be compressed (gzip). A row that is invalid is skipped ([`Self::warnings`]), and rows of unknown
    /// kinds are ignored.
    ///
    /// # Errors
    /// [`ErrorKind::Pack`] if the first line is no header of a pack; [`ErrorKind::MemoryLimit`] and
    /// [`ErrorKind::DecompressedLimit`] if the pack is larger than the limits allow.
    pub fn from_bytes(bytes: &[u8], limits: &Limits) -> Result<Self> {
        if bytes.starts_with(&GZIP) {
            return Self::read(&decompressed(bytes, limits)?, limits);
        }
        Self::read(bytes, limits)
    }

    fn read(bytes: &[u8], limits: &Limits) -> Result<Self> {
        let text = std::str::from_utf8(bytes)
            .map_err(|error| Error::message(ErrorKind::Pack, format!("the pack is not UTF-8: {error}")))?;
        let (first, rest) = text.split_once('\n').unwrap_or((text, ""));
        let header = PackHeader::read(first.trim_end_matches('\r'))?;
        let lines = (2..).zip(rest.lines());
        let budget = limits.table_budget(bytes.len() as u64);
        // Rows of several releases name them, so they are read.
        let is_sealed = header.releases.len() == 1 && header.seal == Some(seal_of(rest));
        let mut pack = Self { header, rows: Vec::new(), warnings: Vec::new(), is_sealed };
        for release in &pack.header.releases {
            if let Some((own, shipped)) = release.shadowed_producer()? {
                let reason = format!(
                    "the producer `{own}` of `{}` does not select files of `{shipped}`: the longer prefix of LLVM wins",
                    release.name
                );
                pack.warnings.push(PackWarning { line: 1, reason });
            }
        }
        let mut count = 0;
        let mut releases_of: HashMap<(RowKind, Box<str>), u64> = HashMap::new();
        for (line, text) in lines.filter(|(_, text)| !text.trim().is_empty()) {
            budget.spend(text.len() + size_of::<PackRow>())?;
            count += 1;
            if let Some(row) = is_sealed.then(|| PackRow::sealed(text, line)).flatten() {
                budget.spend(2 * text.len() + ROW_IN_RELEASE)?;
                pack.rows.push(row);
                continue;
            }
            match PackRow::read(text, pack.header.releases.len()) {
                Ok(Some(mut row)) => {
                    row.line = line;
                    let seen = releases_of.entry((row.kind, row.name.clone())).or_default();
                    if *seen & row.release_bits() != 0 {
                        let reason = format!("the pack has a row for {} `{}` already", row.kind, row.name);
                        pack.warnings.push(PackWarning::skipped(line, &reason));
                        continue;
                    }
                    *seen |= row.release_bits();
                    // Each release has the definition, and the layout as a schema, for itself.
                    budget.spend(row.releases().count() * (2 * text.len() + ROW_IN_RELEASE))?;
                    pack.rows.push(row);
                }
                // A later version of the format may have more kinds of rows.
                Ok(None) => {}
                Err(reason) => pack.warnings.push(PackWarning::skipped(line, &reason)),
            }
        }
        if !is_sealed {
            pack.drop_unconstrained();
            pack.drop_repeated_codes();
        }
        if let Some(stated) = pack.header.rows.filter(|stated| *stated != count) {
            let reason =
                format!("the header states {stated} rows, and the pack has {count}: it was cut or changed");
            pack.warnings.push(PackWarning { line: 1, reason });
        }
        Ok(pack)
    }

    /// Skips operations whose constraints are nowhere: nothing would be checked, and attributes would be printed in full.
    fn drop_unconstrained(&mut self) {
        let constraints = self.rows.iter().filter(|row| row.kind == RowKind::Constraint);
        let constraint_names: HashSet<Box<str>> = constraints.map(|row| row.name.clone()).collect();
        let llvm: Vec<_> = self
            .header
            .releases
            .iter()
            .filter_map(|release| OperationDefinitions::nearest(&release.llvm, 0))
            .collect();
        let is_known = |name: &str| {
            name.is_empty()
                || constraint_names.contains(name)
                || llvm.iter().any(|release| release.constraint(name).is_some())
        };
        let warnings = &mut self.warnings;
        self.rows.retain(|row| {
            let unknown = match row.kind {
                RowKind::Operation => constraints_of(&row.json).into_iter().find(|(name, _)| !is_known(name)),
                _ => None,
            };
            if let Some((constraint, part)) = &unknown {
                let reason = format!(
                    "the constraint `{constraint}` of `{part}` of {} `{}` is not in the pack",
                    row.kind, row.name
                );
                warnings.push(PackWarning::skipped(row.line, &reason));
            }
            unknown.is_none()
        });
        sort_by_key(warnings, |warning| warning.line);
    }

    /// The first line.
    pub fn header(&self) -> &PackHeader {
        &self.header
    }

    /// The rows that were skipped.
    pub fn warnings(&self) -> &[PackWarning] {
        &self.warnings
    }

    /// The names of the rows of a kind in a release, in the order of the file.
    pub fn names(&self, kind: RowKind, release: usize) -> impl Iterator<Item = &str> {
        self.rows_of(kind, release).map(|row| &*row.name)
    }

    fn rows_of(&self, kind: RowKind, release: usize) -> impl Iterator<Item = &PackRow> {
        self.rows.iter().filter(move |row| row.kind == kind && row.releases().any(|one| one == release))
    }

    /// Uses the pack for all files and texts from now on: the definitions and layouts of each of its releases, instead of those
    /// of a pack with the same release. Returns the names of the releases.
    ///
    /// # Errors
    /// [`ErrorKind::Pack`] if the layouts of a release are contradictory.
    pub fn register(&self) -> Result<Vec<&'static str>> {
        // An installed pack for the same dialects or releases does not replace this one later.
        waiting::load_for_dialects(|dialect| self.has_dialect(dialect));
        for release in &self.header.releases {
            waiting::load_for_release(&release.name);
        }
        let numbered = self.header.releases.iter().enumerate();
        let opened = numbered.map(|(place, release)| {
            Ok((self.definitions(place, release), self.schema(place, release)?, self.tables(place)?))
        });
        // All or nothing.
        let opened: Vec<_> = opened.collect::<Result<_>>()?;
        for release in &self.header.releases {
            release::register_base(&release.name, &release.llvm)?;
        }
        Ok(opened
            .into_iter()
            .map(|(definitions, schema, tables)| {
                register_definitions(definitions);
                register_tables_of_pack(definitions.release(), tables);
                register_schema(schema);
                definitions.release()
            })
            .collect())
    }

    fn has_dialect(&self, dialect: &str) -> bool {
        self.rows.iter().any(|row| row.has_dialect() && row.dialect() == dialect)
    }

    fn definitions(&self, place: usize, release: &PackRelease) -> &'static OperationDefinitions {
        let rows = self.rows.iter().filter(|row| row.releases().any(|one| one == place));
        let rows = rows.filter_map(|row| Some((row.kind.of_definitions()?, row.named())));
        let included = OperationDefinitions::nearest(&release.llvm, 0);
        open_pack(&release.name, rows, self.names_beside(place), included)
    }

    /// The rows that are stored beside definitions.
    fn names_beside(&self, place: usize) -> PackNames<'_> {
        let pointers = self.rows_of(RowKind::Type, place).filter(|row| row.is_pointer());
        let renames = self.rows_of(RowKind::Rename, place);
        PackNames {
            pointers: pointers.map(|row| &*row.name).collect(),
            renames: renames.filter_map(|row| Some((&*row.name, row.new_name()?))).collect(),
        }
    }

    /// The layouts as a schema.
    fn schema(&self, place: usize, release: &PackRelease) -> Result<Arc<PropertySchema>> {
        if self.is_sealed {
            return self.lazy_schema(place, release, self.layouts(place).into_iter());
        }
        let mut classes = serde_json::Map::new();
        for row in self.rows_of(RowKind::Attribute, place) {
            if let Some(class) = row.class() {
                classes.insert(class, serde_json::json!({ "name": &*row.name }));
            }
        }
        let layouts = self.rows_of(RowKind::Layout, place).map(|row| (row.name.to_string(), row.layout()));
        let mut layouts: serde_json::Map<String, Json> = layouts.collect();
        // The project registers the operation all the same: as an unregistered one it would be misread.
        for name in self.names(RowKind::Operation, place) {
            layouts.entry(name).or_insert_with(|| serde_json::json!({ "custom": true }));
        }
        let schema = serde_json::json!({
            "format": "mlirbc-properties/1",
            "release": &release.name,
            "version": release.version(),
            "producers": &release.producers,
            "includes": [&release.llvm],
            "llvm": &release.llvm,
            "ops": layouts,
            "attribute_classes": classes,
        });
        PropertySchema::from_json(&schema.to_string()).map_err(|error| {
            Error::message(
                ErrorKind::Pack,
                format!("the layouts of {} cannot be used: {error}", release.name),
            )
        })
    }
}

impl Pack {
    /// The layouts of the operations of a sealed pack.
    fn layouts(&self, place: usize) -> Vec<PackLayout> {
        let mut layouts: HashMap<&str, &str> = HashMap::new();
        layouts.extend(self.rows_of(RowKind::Layout, place).map(|row| (&*row.name, row.layout_text())));
        for name in self.names(RowKind::Operation, place) {
            layouts.entry(name).or_insert(WITHOUT_LAYOUT);
        }
        let owned = |(name, layout): (&str, &str)| PackLayout {
            name: name.to_owned().into(),
            layout: layout.to_owned().into(),
        };
        layouts.into_iter().map(owned).collect()
    }

    /// The layouts as a schema whose operations are read when a file has them.
    fn lazy_schema(
        &self,
        place: usize,
        release: &PackRelease,
        layouts: impl Iterator<Item = PackLayout>,
    ) -> Result<Arc<PropertySchema>> {
        let mut classes = String::from("{");
        for row in self.rows_of(RowKind::Attribute, place) {
            if let Some(class) = row.class_text().filter(|class| !class.contains('\\')) {
                let comma = if classes.len() > 1 { "," } else { "" };
                classes.extend([comma, "\"", class, "\":{\"name\":\"", &row.name, "\"}"]);
            }
        }
        classes.push('}');
        let head = serde_json::json!({
            "format": "mlirbc-properties/1",
            "release": &release.name,
            "version": release.version(),
            "producers": &release.producers,
            "includes": [&release.llvm],
            "llvm": &release.llvm,
            "ops": {},
        });
        PropertySchema::of_pack(&head.to_string(), classes, layouts)
    }
}

fn decompressed(bytes: &[u8], limits: &Limits) -> Result<Vec<u8>> {
    let most = limits.decompressed(bytes.len() as u64);
    let mut output = Vec::new();
    let read = MultiGzDecoder::new(bytes).take(most.saturating_add(1)).read_to_end(&mut output);
    read.map_err(|error| {
        Error::message(ErrorKind::Pack, format!("the compressed pack is damaged: {error}"))
    })?;
    if output.len() as u64 > most {
        let message = format!("the pack is larger than {most} bytes after decompression");
        return Err(Error::message(ErrorKind::DecompressedLimit, message));
    }
    Ok(output)
}

/// Whether bytes are a pack and not a dialect table.
#[doc(hidden)]
pub fn is_pack(bytes: &[u8]) -> bool {
    bytes.starts_with(&GZIP) || bytes.trim_ascii_start().starts_with(b"{")
}

#[cfg(test)]
mod tests;
