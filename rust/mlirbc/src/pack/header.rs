//! The first line of a pack.

use serde::{Deserialize, Serialize};

use crate::props::PropertySchema;
use crate::release;
use crate::wire::error::{Error, ErrorKind, Result};

/// The version of the format, which changes only if older programs cannot read packs any more.
pub(super) const FORMAT: &str = "mlirbc-pack/1";

/// The releases that a pack may have.
const MOST_RELEASES: usize = 64;

/// The characters that names may have.
const LONGEST_NAME: usize = 100;

/// The project of a pack, with its releases.
#[derive(Debug, Clone, Deserialize, Serialize)]
pub struct PackHeader {
    pub(super) format: String,
    /// The name of the project.
    pub name: String,
    /// The releases of the project, the oldest first.
    pub releases: Vec<PackRelease>,
    /// The number of rows, by which a file that was cut is noticed; `None` if the pack does not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rows: Option<u64>,
    /// The dialects of the rows, sorted, by which programs decide whether they need the rows; empty if the pack does not say.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub dialects: Vec<String>,
    /// The seal of the rows, if the maker of the pack checked them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) seal: Option<u64>,
}

/// A release of a project.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
pub struct PackRelease {
    /// The name, for example `flang-22`.
    pub name: String,
    /// The prefixes of producer strings; a project that sets none writes the string of LLVM.
    #[serde(default)]
    pub producers: Vec<String>,
    /// The release of LLVM that the project is built with, for example `llvm-22`.
    pub llvm: String,
    /// The version in producer strings that mlirbc writes, without `MLIR`; by default the one of LLVM.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub version: String,
}

impl PackRelease {
    pub(super) fn version(&self) -> String {
        if !self.version.is_empty() {
            return self.version.clone();
        }
        let llvm = PropertySchema::shipped(&self.llvm);
        llvm.map_or_else(|| "0".to_owned(), |llvm| llvm.version().to_owned())
    }

    pub(super) fn check(&self) -> Result<()> {
        let refuse = |message: String| Err(Error::message(ErrorKind::Pack, message));
        check_name(&self.name)?;
        if release::find(&self.name)?.is_some() {
            return refuse(format!(
                "mlirbc has a release `{}`; a pack needs another name for its own",
                self.name
            ));
        }
        // Projects are also built with development versions, of which the builds of other projects are known.
        let is_build =
            |row: &release::KnownRelease| row.producers.iter().any(|producer| producer.starts_with("MLIR"));
        if !release::find(&self.llvm)?.is_some_and(is_build) {
            return refuse(format!(
                "`{}` is built with the release `{}`, which is no known one of LLVM; those are `{}`",
                self.name,
                self.llvm,
                known_releases_of_llvm()?.join("`, `")
            ));
        }
        let is_bad = |producer: &String| producer.is_empty() || producer.len() > LONGEST_NAME;
        if self.producers.iter().any(is_bad) {
            return refuse(format!("a producer prefix of `{}` is empty or too long", self.name));
        }
        Ok(())
    }
}

impl PackRelease {
    /// Finds a producer prefix of which a release of LLVM has a longer one, which wins.
    pub(super) fn shadowed_producer(&self) -> Result<Option<(&str, String)>> {
        for name in known_releases_of_llvm()? {
            let Some(schema) = PropertySchema::shipped(name) else { continue };
            for shipped in schema.producers() {
                let is_shadowed = |own: &&String| shipped.len() > own.len() && shipped.starts_with(&***own);
                if let Some(own) = self.producers.iter().find(is_shadowed) {
                    return Ok(Some((own, shipped.to_owned())));
                }
            }
        }
        Ok(None)
    }
}

impl PackHeader {
    pub(super) fn new(name: &str, releases: Vec<PackRelease>) -> Result<Self> {
        let header = Self {
            format: FORMAT.to_owned(),
            name: name.to_owned(),
            releases,
            rows: None,
            dialects: Vec::new(),
            seal: None,
        };
        header.check()?;
        Ok(header)
    }

    pub(super) fn read(line: &str) -> Result<Self> {
        let header: Self = serde_json::from_str(line).map_err(|error| {
            let message = format!("the first line is not the header of a pack: {error}");
            Error::message(ErrorKind::Pack, message)
        })?;
        header.check()?;
        Ok(header)
    }

    /// Whether the rows can be read later: the header says for which dialects, and the rows were checked.
    pub(super) fn is_enough_to_wait(&self) -> bool {
        self.format == FORMAT && self.seal.is_some() && !self.dialects.is_empty()
    }

    fn check(&self) -> Result<()> {
        if self.format != FORMAT {
            let message =
                format!("the format of the pack is `{}`, and this version reads `{FORMAT}`", self.format);
            return Err(Error::message(ErrorKind::Pack, message));
        }
        check_name(&self.name)?;
        if self.releases.is_empty() || self.releases.len() > MOST_RELEASES {
            let message =
                format!("a pack has between 1 and {MOST_RELEASES} releases, not {}", self.releases.len());
            return Err(Error::message(ErrorKind::Pack, message));
        }
        self.releases.iter().try_for_each(PackRelease::check)?;
        let mut names: Vec<&str> = self.releases.iter().map(|release| &*release.name).collect();
        names.sort_unstable();
        if let Some([name, _]) = names.windows(2).find(|pair| pair.first() == pair.last()) {
            let message = format!("two releases of the pack are named `{name}`");
            return Err(Error::message(ErrorKind::Pack, message));
        }
        Ok(())
    }
}

fn known_releases_of_llvm() -> Result<Vec<&'static str>> {
    let names = release::releases()?.iter().map(|release| &*release.name);
    Ok(names.filter(|name| name.starts_with("llvm-")).collect())
}

fn check_name(name: &str) -> Result<()> {
    let is_fine = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | '+');
    if name.is_empty() || name.len() > LONGEST_NAME || !name.chars().all(is_fine) {
        let shown: String = name.chars().take(LONGEST_NAME).collect();
        let message =
            format!("the name `{}` is not letters, digits, `-`, `_`, `.` and `+`", shown.escape_debug());
        return Err(Error::message(ErrorKind::Pack, message));
    }
    Ok(())
}
