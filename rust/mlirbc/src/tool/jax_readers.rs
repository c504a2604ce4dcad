//! Releases of JAX that can call an export, and the reasons why others cannot.
//!
//! Owns the comparison of the requirements of an export (of its container and its modules) with the abilities
//! of each release, which are rows of `data/releases.toml`. A calling convention rules out no release: JAX
//! checks it during export, and never during a call.

use std::collections::HashMap;
use std::fmt;

use serde::Serialize;

use crate::artifact::{Artifact, JaxConversion, NestedModule};
use crate::container::jax::ReaderNeeds;
use crate::release::{JaxRelease, jax_releases, jax_targets};
use crate::wire::error::{Error, ErrorKind, Result};
use crate::wire::progress::Progress;

use super::model::{CustomCall, ModelSummary, RequirementKind};

/// Checks that a version is a known release of JAX or a later one, such as `0.8.3`.
///
/// # Errors
/// [`ErrorKind::Value`] if it is not a version, or older than all known ones.
///
/// ```
/// use mlirbc::tool::check_jax_version;
/// assert!(check_jax_version("0.8").is_ok() && check_jax_version("0.8.1rc1").is_err());
/// ```
#[doc(hidden)]
pub fn check_jax_version(version: &str) -> Result<()> {
    JaxRelease::find(version).map(drop)
}

/// Prepares an artifact for a release of JAX, such as `0.7.2`: all modules, and the container of an export,
/// are converted to the form that this release reads. Modules that it reads already are unchanged. Newer
/// releases read the result, too.
///
/// # Errors
/// [`ErrorKind::Value`] for an unknown release; [`ErrorKind::Unsupported`], with the path of the module, if
/// the release cannot represent or compile something; the errors of reading.
///
/// ```
/// use mlirbc::{Artifact, tool};
/// let artifact = Artifact::open("../../examples/mlp.jax")?;
/// let conversion = tool::prepare_for_jax(&artifact, "0.7.2", &Default::default())?;
/// let mut bytes = Vec::new();
/// conversion.prepared.write(&mut bytes)?;
/// let converted = Artifact::from_source(bytes.into(), &Default::default())?;
/// assert!(tool::JaxReaders::of(&converted, 0)?.unwrap().reader("0.7.2")?.calls());
/// # Ok::<(), mlirbc::Error>(())
/// ```
#[doc(hidden)]
pub fn prepare_for_jax(artifact: &Artifact, version: &str, progress: &Progress) -> Result<JaxConversion> {
    check_jax_version(version)?;
    if let Some(readers) = JaxReaders::of_chosen(artifact, None)? {
        readers.check_compiler(version)?;
    }
    artifact.prepare_for_jax(version, progress)
}

/// The compatibility of one release of JAX with an export.
#[doc(hidden)]
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct JaxReader {
    /// The number of the release.
    pub version: String,
    /// The probed release that the answer is based on, if `version` was not probed: the one before it.
    pub like: Option<String>,
    /// The reasons why the release cannot call the export; empty if it can.
    pub reasons: Vec<String>,
    /// Losses that raise no error.
    pub notes: Vec<String>,
}

impl JaxReader {
    /// Returns whether the release can call the export.
    pub fn calls(&self) -> bool {
        self.reasons.is_empty()
    }
}

/// The releases that can call an export: the newest ones in a row, and the reasons of the releases on either
/// side.
///
/// ```
/// use mlirbc::tool::JaxReaders;
/// let export = mlirbc::Artifact::open("../../examples/mlp.jax")?;
/// let readers = JaxReaders::of(&export, 0)?.unwrap();
/// assert!(readers.to_string().starts_with("called by JAX 0.8.2 to 0.12.0"));
/// assert!(!readers.reader("0.8.0")?.calls() && readers.reader("0.9")?.calls());
/// # Ok::<(), mlirbc::Error>(())
/// ```
#[doc(hidden)]
#[derive(Debug, Clone)]
pub struct JaxReaders {
    /// By module, of which there is at least one.
    needs: Vec<ModuleNeeds>,
}

/// The requirements of one module of an export, with its container.
#[derive(Debug, Clone)]
struct ModuleNeeds {
    /// The path of the module; `None` for the main function of the export.
    path: Option<String>,
    container: ReaderNeeds,
    /// Versions of VHLO with the feature that needs each, the newest first; `None` for a feature that no
    /// version has.
    features: Vec<(Option<[u32; 3]>, String)>,
    has_shardy: bool,
    has_location_ranges: bool,
    /// Targets of custom calls that only some releases implement.
    targets: Vec<CustomCallTarget>,
    kernels: Vec<MosaicKernel>,
}

#[derive(Debug, Clone)]
struct CustomCallTarget {
    name: String,
    /// The first release that implements the target, and the first one that no longer does.
    bounds: [Option<[u32; 3]>; 2],
}

/// A kernel of Mosaic, with the version of its stable form.
#[derive(Debug, Clone)]
struct MosaicKernel {
    path: String,
    device: MosaicDevice,
    version: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum MosaicDevice {
    Tpu,
    Gpu,
}

impl JaxReaders {
    /// Reads the requirements of the module with an index; `None` if the artifact is not a JAX export.
    ///
    /// # Errors
    /// If the container or the module is malformed, or a limit is exceeded.
    pub fn of(artifact: &Artifact, index: usize) -> Result<Option<Self>> {
        let needs = ModuleNeeds::read(artifact, index, None)?;
        Ok(needs.map(|needs| Self { needs: vec![needs] }))
    }

    /// Reads the requirements of the selected modules of an artifact, so that a release that can call a
    /// function but not its derivative does not count as compatible. `None` if the artifact is not a JAX
    /// export. `summary` is the summary of a module, with its index, that the caller has already: computing
    /// it takes as long as everything else.
    ///
    /// ```
    /// use mlirbc::{Artifact, tool::JaxReaders};
    /// let export = Artifact::open("../../tests/data/containers/newer_derivative.jax")?;
    /// let reasons = JaxReaders::of_chosen(&export, None)?.unwrap().reader("0.10.2")?.reasons;
    /// assert!(reasons[0].starts_with("module `vjp`: "));
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Self::of`], with the path of the module.
    pub fn of_chosen(artifact: &Artifact, summary: Option<(usize, &ModelSummary)>) -> Result<Option<Self>> {
        artifact.check_container()?;
        let mut needs = Vec::new();
        for index in artifact.chosen() {
            let summary = summary.filter(|(known, _)| *known == index).map(|(_, summary)| summary);
            let module = ModuleNeeds::read(artifact, index, summary);
            needs.extend(module.map_err(|error| artifact.located(index, error))?);
        }
        Ok((!needs.is_empty()).then_some(Self { needs }))
    }

    /// Returns the compatibility of every known release, the oldest first.
    ///
    /// # Errors
    /// If the table of releases is invalid, which tests exclude.
    pub fn all(&self) -> Result<Vec<JaxReader>> {
        Ok(jax_releases()?.iter().map(|release| self.of_release(release)).collect())
    }

    /// Returns the compatibility of a release. A release that was not probed is like the probed one before
    /// it.
    ///
    /// # Errors
    /// [`ErrorKind::Value`] if the text is not a version, or older than all known ones.
    pub fn reader(&self, version: &str) -> Result<JaxReader> {
        let (release, is_probed) = JaxRelease::find(version)?;
        let reader = self.of_release(release);
        match is_probed {
            true => Ok(reader),
            false => {
                let like = Some(reader.version);
                Ok(JaxReader { version: version.to_owned(), like, ..reader })
            }
        }
    }

    /// Checks that the compiler of a release accepts the computation of the export, which no other form of
    /// the export can change.
    fn check_compiler(&self, version: &str) -> Result<()> {
        let (release, _) = JaxRelease::find(version)?;
        let mut reasons: Vec<_> =
            self.needs.iter().flat_map(|module| module.compiler_reasons(release)).collect();
        reasons.sort_unstable();
        reasons.dedup();
        if reasons.is_empty() {
            return Ok(());
        }
        let message = format!("JAX {} does not call the export: {}", release.version, reasons.join("; "));
        Err(Error::message(ErrorKind::Unsupported, message)
            .with_hint("convert for another release of JAX, or export the function again"))
    }

    fn of_release(&self, release: &JaxRelease) -> JaxReader {
        let (mut reasons, mut notes) = (Vec::new(), Vec::new());
        for module in &self.needs {
            // A derivative has its own reasons beside the reasons of the function; most are the same.
            let add = |lines: &mut Vec<String>, line: String| {
                let is_known = lines.contains(&line);
                match &module.path {
                    Some(_) if is_known => {}
                    Some(path) => lines.push(format!("module `{path}`: {line}")),
                    None => lines.push(line),
                }
            };
            module.reasons(release).into_iter().for_each(|reason| add(&mut reasons, reason));
            module.notes(release).into_iter().for_each(|note| add(&mut notes, note));
        }
        JaxReader { version: release.version.to_string(), like: None, reasons, notes }
    }
}

impl ModuleNeeds {
    fn read(artifact: &Artifact, index: usize, summary: Option<&ModelSummary>) -> Result<Option<Self>> {
        let needs = artifact.container().map(|container| container.reader_needs(index)).transpose()?;
        let Some(container) = needs.flatten() else { return Ok(None) };
        let module = artifact.module(index)?;
        let has_shardy = module.dialects()?.any(|dialect| dialect.name == b"sdy");
        let summary = match summary {
            Some(summary) => Some(summary.clone()),
            None => module.model_summary()?,
        };
        let (requirements, custom_calls) =
            summary.map(|summary| (summary.stablehlo.requirements, summary.custom_calls)).unwrap_or_default();
        let targets = targets(&custom_calls)?;
        let has_kernels = custom_calls.iter().any(|call| MosaicDevice::of(&call.target).is_some());
        let kernels = if has_kernels { kernels(artifact, index)? } else { Vec::new() };
        let mut features = Vec::new();
        let mut has_location_ranges = false;
        for requirement in requirements {
            match requirement.kind {
                // A JAX release parses them before it serializes the StableHLO around them.
                RequirementKind::LocationRanges => has_location_ranges = true,
                // `has_shardy` has its own reason.
                RequirementKind::Shardy => {}
                RequirementKind::Vhlo | RequirementKind::OtherDialects => {
                    let version = requirement.version.as_deref().and_then(JaxRelease::numbers);
                    features.push((version, requirement.feature));
                }
            }
        }
        let path = artifact.modules().get(index).filter(|_| index > 0).map(|module| module.path.clone());
        Ok(Some(Self { path, container, features, has_shardy, has_location_ranges, targets, kernels }))
    }

    fn reasons(&self, release: &JaxRelease) -> Vec<String> {
        let Self { container, features, has_shardy, has_location_ranges, .. } = self;
        let mut reasons = Vec::new();
        let stored = container.stored;
        if release.serializations.as_ref().is_some_and(|known| !known.contains(&stored)) {
            reasons.push(format!("it does not read serialization version {stored}"));
        }
        if !release.reads_nr_devices && !container.has_short_device_count && container.has_arguments {
            reasons.push("it expects the number of devices in `nr_devices_short`, and the file has it in `nr_devices` only".to_owned());
        }
        if release.refuses_expired && container.has_short_device_count && !container.has_device_count {
            reasons.push("it refuses exports of more than six months before it: the number of devices is only in `nr_devices_short`".to_owned());
        } else if release.refuses_expired && container.has_only_hlo_shardings {
            reasons.push("it refuses exports of more than six months before it: shardings are only protocol buffers of HLO".to_owned());
        }
        reasons.extend(container.without_form(release));
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
        reasons.extend(self.compiler_reasons(release));
        reasons
    }

    /// Returns the reasons why the release can read the export but not compile it.
    fn compiler_reasons(&self, release: &JaxRelease) -> Vec<String> {
        let Self { features, targets, .. } = self;
        let mut reasons = Vec::new();
        let is_refused = |feature: &&String| release.refuses.iter().any(|refused| **refused == ***feature);
        if let Some(feature) = features.iter().map(|(_, feature)| feature).find(is_refused) {
            reasons.push(format!("its compiler does not take {feature}"));
        }
        let numbers = JaxRelease::numbers(&release.version);
        let is_implemented = |target: &&CustomCallTarget| {
            let [since, before] = target.bounds;
            since.is_none_or(|since| numbers >= Some(since))
                && before.is_none_or(|before| numbers < Some(before))
        };
        let missing: Vec<_> = targets.iter().filter(|target| !is_implemented(target)).collect();
        if let [target, rest @ ..] = &missing[..] {
            let name = &target.name;
            let suffix = if rest.is_empty() { String::new() } else { format!(" and {} others", rest.len()) };
            reasons.push(format!("it does not implement the custom call `{name}`{suffix} for the CPU"));
        }
        reasons
    }

    fn notes(&self, release: &JaxRelease) -> Vec<String> {
        let is_dropped = self.container.has_only_named_shardings && !release.reads_named_shardings;
        let note =
            "if it read the file, it would drop the shardings of arguments and results without an error";
        let mut notes: Vec<_> = is_dropped.then(|| note.to_owned()).into_iter().collect();
        for kernel in &self.kernels {
            let (name, runner, newest) = match kernel.device {
                MosaicDevice::Tpu => ("TPU", "libtpu", release.mosaic_tpu),
                MosaicDevice::Gpu => ("GPU", "the plugin for the GPU", release.mosaic_gpu),
            };
            let (path, version) = (&kernel.path, kernel.version);
            if let Some(newest) = newest.filter(|newest| version > u64::from(*newest)) {
                notes.push(format!(
                    "kernel `{path}` has version {version} of Mosaic {name}, and the release takes up to {newest}; {runner} runs the kernel, and may be newer"
                ));
            }
        }
        notes
    }
}

impl MosaicDevice {
    fn of(target: &str) -> Option<Self> {
        match target {
            "tpu_custom_call" => Some(Self::Tpu),
            "mosaic_gpu" | "mosaic_gpu_v2" => Some(Self::Gpu),
            _ => None,
        }
    }
}

/// Returns the targets of custom calls that not every release implements.
fn targets(custom_calls: &[CustomCall]) -> Result<Vec<CustomCallTarget>> {
    let targets: HashMap<_, _> = jax_targets()?.collect();
    let bounds = |call: &CustomCall| {
        let bounds = *targets.get(&*call.target)?;
        Some(CustomCallTarget { name: call.target.clone(), bounds })
    };
    Ok(custom_calls.iter().filter_map(bounds).collect())
}

/// Returns the Mosaic kernels of a module that declare their version.
fn kernels(artifact: &Artifact, index: usize) -> Result<Vec<MosaicKernel>> {
    let kernel = |nested: NestedModule| {
        let (_, version) = nested.version?;
        Some(MosaicKernel { path: nested.path, device: MosaicDevice::of(&nested.target)?, version })
    };
    Ok(artifact.nested(index)?.into_iter().filter_map(kernel).collect())
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
