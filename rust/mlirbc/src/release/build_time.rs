//! The time of a build: the days, and the releases of LLVM, that bound it.

use super::producer::Period;
use super::{KnownRelease, Llvm, releases};
use crate::wire::error::Result;

/// A point in the history of LLVM.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Moment {
    /// The branch of a release of LLVM.
    Release(u32),
    /// A day, as in `releases.toml`.
    Day(&'static str),
}

/// The first and the last moment at which a build may have been made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct BuildTime {
    /// The first and the last possible day as in `releases.toml`; their text order is their time order.
    days: (&'static str, &'static str),
    /// The newest release of LLVM that the build is certainly not older than, and the oldest that it is not
    /// newer than.
    llvms: (u32, u32),
}

/// A day before and one after all others.
const FIRST: &str = "";
const LAST: &str = "9999-12-31";

impl BuildTime {
    /// Returns the time of a known release or build.
    ///
    /// # Errors
    /// As [`releases`].
    pub(crate) fn of(release: &'static KnownRelease) -> Result<Self> {
        let day = release.revision();
        match release.is_branch() {
            true => Ok(Self { days: (day, day), llvms: (release.llvm, release.llvm) }),
            false => Self::between(day, day),
        }
    }

    /// Returns the time of any build in a period. The builds around the period bound the unknown ones.
    ///
    /// # Errors
    /// As [`releases`].
    pub(crate) fn within(period: &Period) -> Result<Self> {
        let day = |place: usize| period.releases.get(place).map(|release| release.revision());
        let first = period.inside.start.checked_sub(1).and_then(day);
        Self::between(first.unwrap_or(FIRST), day(period.inside.end).unwrap_or(LAST))
    }

    fn between(first: &'static str, last: &'static str) -> Result<Self> {
        let branches = || releases().map(|all| all.iter().filter(|release| release.is_branch()));
        let earliest =
            branches()?.filter(|release| release.revision() <= first).map(|release| release.llvm).max();
        let latest =
            branches()?.filter(|release| release.revision() >= last).map(|release| release.llvm).min();
        Ok(Self { days: (first, last), llvms: (earliest.unwrap_or(0), latest.unwrap_or(u32::MAX)) })
    }

    /// Returns whether a gate certainly holds for the build. A gate holds from or until a version, so both bounds decide.
    pub(crate) fn has(self, gate: fn(Llvm) -> bool) -> bool {
        gate(Llvm(self.llvms.0)) && gate(Llvm(self.llvms.1))
    }

    /// Returns whether the build certainly has everything that existed at a moment.
    pub(crate) fn is_since(self, moment: Moment) -> bool {
        match moment {
            Moment::Release(llvm) => self.llvms.0 >= llvm,
            Moment::Day(day) => self.days.0 >= day,
        }
    }

    /// Returns whether the build certainly has nothing from after a moment.
    pub(crate) fn is_until(self, moment: Moment) -> bool {
        match moment {
            Moment::Release(llvm) => self.llvms.1 <= llvm,
            Moment::Day(day) => self.days.1 <= day,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::find;
    use super::Moment::{Day, Release};
    use super::*;

    fn time(name: &str) -> BuildTime {
        BuildTime::of(find(name).unwrap().unwrap()).unwrap()
    }

    #[test]
    fn a_release_is_its_own_time() {
        let release = time("llvm-19");
        assert!(
            release.is_since(Release(19))
                && release.is_until(Release(19))
                && !release.is_since(Release(20))
                && !release.is_until(Release(18))
        );
    }

    #[test]
    fn a_gate_holds_if_it_holds_at_both_bounds() {
        let (build, oldest) = (time("jaxlib-0.5"), time("llvm-16"));
        assert!(build.has(Llvm::requires_symbol_tables) && !oldest.has(Llvm::requires_symbol_tables));
        assert!(!build.has(Llvm::may_default_to_emitc) && !build.has(Llvm::refuses_double_matrices));
        assert!(oldest.has(Llvm::infers_fixed_vectors) && !build.has(Llvm::infers_fixed_vectors));
    }

    #[test]
    fn a_build_is_between_releases() {
        let build = time("jaxlib-0.5");
        assert!(build.is_since(Release(19)) && build.is_until(Release(20)));
        assert!(!build.is_since(Release(20)) && !build.is_until(Release(19)));
        assert!(build.is_since(Day("2025-01-14")) && !build.is_since(Day("2025-01-15")));
        assert!(time("iree-3.13").is_since(Release(23)) && !time("iree-3.13").is_until(Release(1000)));
    }
}
