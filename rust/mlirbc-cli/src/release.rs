//! The release of a file, as `mlirbc info` shows it to people and to programs.

use std::io::{self, Write};

use mlirbc::Module;
use mlirbc::file::{
    Contradiction, DetectedRelease, ExcludedBuild, ReleaseDescription, ReleaseEvidence, ReleaseKind,
};
use mlirbc::print::CustomForms;
use serde::Serialize;

use crate::problem::Problem;
use crate::text::{count, printable};

/// The release in JSON; documented in `docs/reference/cli-output.md`.
#[derive(Serialize)]
pub(crate) struct ReleaseRecord<'m> {
    kind: &'static str,
    name: Option<&'m str>,
    llvm: Option<u32>,
    version: Option<&'m str>,
    after: Option<&'m str>,
    before: Option<&'m str>,
    origin: String,
    nearest: Option<&'m str>,
    layouts_from: Vec<&'m str>,
    custom_forms: FormsRecord,
    evidence: EvidenceRecord<'m>,
    /// Builds that the producer string allows and an operation does not.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    excluded: Vec<ExcludedRecord<'m>>,
}

/// The numbers of operation names in the file, and of names with a known custom form.
#[derive(Serialize)]
struct FormsRecord {
    operations: usize,
    known: usize,
}

#[derive(Serialize)]
struct ExcludedRecord<'m> {
    build: &'m str,
    operation: &'m str,
}

#[derive(Serialize)]
struct EvidenceRecord<'m> {
    blobs: usize,
    fits: Vec<&'m str>,
    after: Option<&'m str>,
    before: Option<&'m str>,
    contradictions: Vec<ContradictionRecord<'m>>,
    ambiguous: &'m [String],
}

#[derive(Serialize)]
struct ContradictionRecord<'m> {
    operation: &'m str,
    offset: Option<u64>,
    message: &'m str,
}

impl<'m> ReleaseRecord<'m> {
    pub(crate) fn read(module: &'m Module) -> mlirbc::Result<Self> {
        let release = module.release()?;
        let forms = CustomForms::of_module(module)?;
        let ReleaseDescription { kind, name, llvm, version, after, before, .. } = release.description();
        Ok(Self {
            kind: kind.name(),
            name,
            llvm,
            version,
            after,
            before,
            origin: release.origin().to_string(),
            nearest: release.nearest(),
            layouts_from: release.layouts_from(),
            custom_forms: FormsRecord { operations: forms.operations, known: forms.known },
            evidence: release.evidence().into(),
            excluded: release.excluded_builds().iter().map(ExcludedRecord::from).collect(),
        })
    }
}

impl<'m> From<&'m ExcludedBuild> for ExcludedRecord<'m> {
    fn from(excluded: &'m ExcludedBuild) -> Self {
        Self { build: &excluded.build, operation: &excluded.op }
    }
}

impl<'m> From<ReleaseEvidence<'m>> for EvidenceRecord<'m> {
    fn from(evidence: ReleaseEvidence<'m>) -> Self {
        let ReleaseEvidence { blobs, fits, after, before, contradictions, ambiguous, .. } = evidence;
        let record = |contradiction: &'m Contradiction| ContradictionRecord {
            operation: &contradiction.operation,
            offset: contradiction.offset,
            message: &contradiction.message,
        };
        let contradictions = contradictions.iter().map(record).collect();
        Self { blobs, fits, after, before, contradictions, ambiguous }
    }
}

/// Checks the name of a release of JAX.
pub(crate) fn check_jax_version(version: &str) -> Result<(), Problem> {
    mlirbc::tool::check_jax_version(version).map_err(|error| {
        let message = format!("`{version}` is not a release of JAX that mlirbc knows");
        Problem::usage(message, error.hint().unwrap_or_default())
    })
}

/// Writes a line with the name of the release, which is the same for all files of one producer. If a part of this file does
/// not agree with the name, further lines say which.
pub(crate) fn write(module: &Module, out: &mut impl Write) -> Result<(), Problem> {
    let release = module.release()?;
    writeln!(out, "release: {}", printable(&release.to_string()))?;
    write_evidence(release, out)?;
    let forms = CustomForms::of_module(module)?;
    if forms.known < forms.operations {
        writeln!(
            out,
            "custom form: known for {} of {}",
            forms.known,
            count(forms.operations as u64, "operation name")
        )?;
    }
    Ok(())
}

fn write_evidence(release: &DetectedRelease, out: &mut impl Write) -> io::Result<()> {
    let description = release.description();
    let evidence = release.evidence();
    let layouts = release.layouts_from();
    let is_exact = description.kind == ReleaseKind::Exact;
    if !layouts.is_empty() && (!is_exact || layouts.iter().any(|name| Some(*name) != description.name)) {
        writeln!(out, "layouts: from {}", printable(&listed(&layouts)))?;
    }
    if evidence.blobs > 0 && (!is_exact || !evidence.contradictions.is_empty()) {
        let builds = match evidence.fits.is_empty() {
            true => "no single known build".to_owned(),
            false => listed(&evidence.fits),
        };
        let blobs = count(evidence.blobs as u64, "property blob");
        write!(out, "evidence: {blobs}, which {} can decode", printable(&builds))?;
        let is_narrower = (evidence.after, evidence.before) != (description.after, description.before);
        match (evidence.after, evidence.before) {
            _ if !is_narrower => writeln!(out)?,
            (Some(after), Some(before)) => writeln!(out, "; the build is between {after} and {before}")?,
            (Some(after), None) => writeln!(out, "; the build is newer than {after}")?,
            (None, Some(before)) => writeln!(out, "; the build is older than {before}")?,
            (None, None) => writeln!(out)?,
        }
    }
    for contradiction in evidence.contradictions {
        writeln!(out, "contradicted: {}", printable(&contradiction.message))?;
    }
    for sentence in evidence.ambiguous {
        writeln!(out, "ambiguous: {}", printable(sentence))?;
    }
    Ok(())
}

/// `a`, `a and b`, or `a, b and c`.
fn listed(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        [only] => (*only).to_owned(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}
