//! The releases and builds that may have written a file, and their dates.

use crate::file::release::{DetectedRelease, ReleaseOrigin};
use crate::ops::CandidateReleases;
use crate::release::{self, BuildTime, Llvm};

/// Returns the releases and builds that may have written a file, according to its producer string and its
/// property blobs; empty if the release is unknown. The printer, the assembler of texts like the file and
/// `info` use this list.
pub(crate) fn candidate_releases(release: &DetectedRelease, llvm: Llvm) -> CandidateReleases {
    let Some(nearest) = release.nearest() else { return CandidateReleases::default() };
    let is_specified = *release.origin() == ReleaseOrigin::Caller;
    let evidence = release.evidence();
    CandidateReleases::new(nearest, llvm.0, is_specified).within(evidence.after, evidence.before)
}

/// Returns the date of the release or build that wrote a file, or for which it is written; `None` if the
/// release is unknown.
pub(crate) fn build_time(release: &DetectedRelease) -> Option<BuildTime> {
    let nearest = release::find(release.nearest()?).ok()??;
    if *release.origin() == ReleaseOrigin::Caller || nearest.is_released() {
        return BuildTime::of(nearest).ok();
    }
    let evidence = release.evidence();
    match release::period_of(nearest).ok()? {
        Some(period) => BuildTime::within(&period.narrowed(evidence.after, evidence.before)).ok(),
        None => BuildTime::of(nearest).ok(),
    }
}
