//! Which releases of JAX call an export, and what stops the others.
//!
//! Owns the intersection of what the container and the module of an export need; the abilities of each release are rows of
//! `data/releases.toml`. A calling convention stops no release: JAX looks at it when it exports, and never when it calls.

use std::fmt;

use serde::Serialize;

use crate::artifact::Artifact;
use crate::container::jax::ReaderNeeds;
use crate::release::{JaxRelease, jax_releases};
use crate::wire::error::{Error, ErrorKind, Result};

use super::model::RequirementKind;

/// What a release of JAX does with an export.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct JaxReader {
    /// The number of the release.
    pub version: String,
    /// The probed release that the answer is of, if `version` was not probed: the one before it.
    pub like: Option<String>,
    /// Why it does not call the export; empty if it does.
    pub reasons: Vec<String>,
    /// What is lost without an error.
    pub notes: Vec<String>,
}

impl JaxReader {
    /// Whether the release calls the export.
    pub fn calls(&self) -> bool {
        self.reasons.is_empty()
    }
}

/// The releases that call an export: the newest ones in a row, and why those on either side do not.
///
/// ```
/// use mlirbc::tool::JaxReaders;
/// let export = mlirbc::Artifact::open("../../examples/mlp.jax")?;
/// let readers = JaxReaders::of(&export, 0)?.unwrap();
/// assert!(readers.to_string().starts_with("called by JAX 0.8.2 to 0.10.2"));
/// assert!(!readers.reader("0.8.0")?.calls() && readers.reader("0.9")?.calls());
/// # Ok::<(), mlirbc::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct JaxReaders {
    needs: ModuleNeeds,
}

/// What one module of an export needs, with its container.
#[derive(Debug, Clone)]
struct ModuleNeeds {
    container: ReaderNeeds,
    /// Versions of VHLO with the feature that needs each, the newest first; `None` for a feature that no version has.
    features: Vec<(Option<[u32; 3]>, String)>,
    has_shardy: bool,
    has_location_ranges: bool,
}

impl JaxReaders {
    /// Reads what the module of an index needs; `None` if the artifact is not a JAX export.
    ///
    /// # Errors
    /// If the container or the module is malformed, or a limit is exceeded.
    pub fn of(artifact: &Artifact, index: usize) -> Result<Option<Self>> {
        let needs = artifact.container().map(|container| container.reader_needs(index)).transpose()?;
        let Some(container) = needs.flatten() else { return Ok(None) };
        let module = artifact.module(index)?;
        let has_shardy = module.dialects()?.any(|dialect| dialect.name == b"sdy");
        let requirements = module.model_summary()?.map(|summary| summary.stablehlo.requirements);
        let mut features = Vec::new();
        let mut has_location_ranges = false;
        for requirement in requirements.unwrap_or_default() {
            match requirement.kind {
                // Releases of JAX read them before the StableHLO in them writes them.
                RequirementKind::LocationRanges => has_location_ranges = true,
                // `has_shardy` has its own reason.
                RequirementKind::Shardy => {}
                RequirementKind::Vhlo | RequirementKind::OtherDialects => {
                    let version = requirement.version.as_deref().and_then(JaxRelease::numbers);
                    features.push((version, requirement.feature));
                }
            }
        }
        Ok(Some(Self { needs: ModuleNeeds { container, features, has_shardy, has_location_ranges } }))
    }

    /// What every known release does, the oldest first.
    ///
    /// # Errors
    /// If the table of releases is invalid, which tests exclude.
    pub fn all(&self) -> Result<Vec<JaxReader>> {
        Ok(jax_releases()?.iter().map(|release| self.of_release(release)).collect())
    }

    /// What a release does. A release that was not probed is like the probed one before it.
    ///
    /// # Errors
    /// [`ErrorKind::Value`] if the text is not a version, or older than all known ones.
    pub fn reader(&self, version: &str) -> Result<JaxReader> {
        let releases = jax_releases()?;
        let numbers = JaxRelease::numbers(version);
        let is_before = |release: &&JaxRelease| JaxRelease::numbers(&release.version) <= numbers;
        let Some(release) = numbers.and_then(|_| releases.iter().rfind(is_before)) else {
            let oldest = releases.first().map_or("", |release| &release.version);
            let message = format!("`{version}` is not a release of JAX that mlirbc knows");
            let error = Error::message(ErrorKind::Value, message);
            return Err(error.with_hint(format!("name a release from {oldest} on, such as `jax-0.8.3`")));
        };
        let reader = self.of_release(release);
        match JaxRelease::numbers(&release.version) == numbers {
            true => Ok(reader),
            false => {
                let like = Some(reader.version);
                Ok(JaxReader { version: version.to_owned(), like, ..reader })
            }
        }
    }

    fn of_release(&self, release: &JaxRelease) -> JaxReader {
        let ModuleNeeds { container, features, has_shardy, has_location_ranges } = &self.needs;
        let mut reasons = Vec::new();
        let stored = container.stored;
        if release.serializations.as_ref().is_some_and(|known| !known.contains(&stored)) {
            reasons.push(format!("it does not read serialization version {stored}"));
        }
        if !release.reads_nr_devices && !container.has_short_device_count {
            reasons.push("it expects the number of devices in `nr_devices_short`, and the file has it in `nr_devices` only".to_owned());
        }
        if container.newest_dtype > release.newest_dtype {
            let name = crate::container::jax::dtype_name(container.newest_dtype);
            reasons.push(format!("it does not know the element type {name}"));
        }
        if *has_shardy && !release.reads_shardy {
            reasons.push("it does not read the dialect `sdy` of Shardy".to_owned());
        }
        if *has_location_ranges && !release.reads_location_ranges {
            reasons.push("it does not read locations that are ranges of a file".to_owned());
        }
        let newest = JaxRelease::numbers(&release.stablehlo);
        let is_newer = |(version, _): &&(Option<[u32; 3]>, String)| version.is_none() || *version > newest;
        if let Some((version, feature)) = features.iter().find(is_newer) {
            let readable = &release.stablehlo;
            reasons.push(match version {
                Some([major, minor, patch]) => {
                    format!("it reads VHLO up to {readable}, and {feature} needs {major}.{minor}.{patch}")
                }
                None => format!("no known version of VHLO has {feature}"),
            });
        }
        let mut notes = Vec::new();
        if container.has_only_named_shardings && !release.reads_named_shardings {
            notes.push(
                "if it read the file, it would drop the shardings of arguments and results without an error"
                    .to_owned(),
            );
        }
        JaxReader { version: release.version.to_string(), like: None, reasons, notes }
    }
}

impl fmt::Display for JaxReaders {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let readers = self.all().unwrap_or_default();
        let reasons = |reader: &JaxReader| reader.reasons.join("; ");
        let Some(last) = readers.iter().rposition(JaxReader::calls) else {
            let newest = readers.last();
            let (version, why) = newest.map(|reader| (&*reader.version, reasons(reader))).unwrap_or_default();
            return write!(f, "called by no known release of JAX; {version}: {why}");
        };
        let before = readers[..last].iter().rposition(|reader| !reader.calls());
        let (first, last) = (before.map_or(0, |place| place + 1), last);
        write!(f, "called by JAX {} to {}", readers[first].version, readers[last].version)?;
        if let Some(reader) = before.map(|place| &readers[place]) {
            write!(f, "; not by {} and older: {}", reader.version, reasons(reader))?;
        }
        if let Some(reader) = readers.get(last + 1) {
            write!(f, "; not by {}: {}", reader.version, reasons(reader))?;
        }
        Ok(())
    }
}
