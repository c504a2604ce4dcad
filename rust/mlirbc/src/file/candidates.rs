//! The definitions that the operations of a file may have.

use crate::file::release::{Release, ReleaseOrigin};
use crate::ops::CandidateReleases;
use crate::release::Llvm;

/// The releases and builds that may have written a file, as its producer string and its property blobs tell; none if the
/// release is not known. The printer, the assembler of texts like the file and `info` ask here.
pub(crate) fn candidate_releases(release: &Release, llvm: Llvm) -> CandidateReleases {
    let Some(nearest) = release.nearest() else { return CandidateReleases::default() };
    let is_specified = *release.origin() == ReleaseOrigin::Caller;
    let evidence = release.evidence();
    CandidateReleases::new(nearest, llvm.0, is_specified).within(evidence.after, evidence.before)
}
