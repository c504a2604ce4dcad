//! The releases and builds that may have written a file, and when they were made.

use crate::file::release::{Release, ReleaseOrigin};
use crate::ops::CandidateReleases;
use crate::release::{self, BuildTime, Llvm};

/// The releases and builds that may have written a file, as its producer string and its property blobs tell; none if the
/// release is not known. The printer, the assembler of texts like the file and `info` ask here.
pub(crate) fn candidate_releases(release: &Release, llvm: Llvm) -> CandidateReleases {
    let Some(nearest) = release.nearest() else { return CandidateReleases::default() };
    let is_specified = *release.origin() == ReleaseOrigin::Caller;
    let evidence = release.evidence();
    CandidateReleases::new(nearest, llvm.0, is_specified).within(evidence.after, evidence.before)
}

/// When the release or build was made that wrote a file, or for which it is written; `None` if the release is not known.
pub(crate) fn build_time(release: &Release) -> Option<BuildTime> {
    let known = release::find(release.nearest()?).ok()??;
    if *release.origin() == ReleaseOrigin::Caller || known.is_released() {
        return BuildTime::of(known).ok();
    }
    let evidence = release.evidence();
    match release::period_of(known).ok()? {
        Some(period) => BuildTime::within(&period.narrowed(evidence.after, evidence.before)).ok(),
        None => BuildTime::of(known).ok(),
    }
}
