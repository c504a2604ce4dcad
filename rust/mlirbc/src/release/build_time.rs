//! When a build was made: days, and releases of LLVM, between which it certainly is.

use super::producer::Period;
use super::{KnownRelease, releases};
use crate::wire::error::Result;

/// The first and the last moment at which a build may have been made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct BuildTime {
    /// Days as numbers such as 20260113.
    days: (u32, u32),
    /// The newest release of LLVM that is not younger than the build, and the oldest that is not older.
    llvms: (u32, u32),
}

impl BuildTime {
    /// The time of a known release or build.
    ///
    /// # Errors
    /// As [`releases`].
    pub(crate) fn of(release: &KnownRelease) -> Result<Self> {
        let day = day_of(release);
        match release.is_branch() {
            true => Ok(Self { days: (day, day), llvms: (release.llvm, release.llvm) }),
            false => Self::between(day, day),
        }
    }

    /// The time of any build in a period. The builds around it bound what is not known.
    ///
    /// # Errors
    /// As [`releases`].
    pub(crate) fn within(period: &Period) -> Result<Self> {
        let day = |release: Option<&&KnownRelease>| release.map(|release| day_of(release));
        let first = day(period.inside.start.checked_sub(1).and_then(|place| period.releases.get(place)));
        let last = day(period.releases.get(period.inside.end));
        Self::between(first.unwrap_or(0), last.unwrap_or(u32::MAX))
    }

    fn between(first: u32, last: u32) -> Result<Self> {
        let branches = || releases().map(|all| all.iter().filter(|release| release.is_branch()));
        let earliest =
            branches()?.filter(|release| day_of(release) <= first).map(|release| release.llvm).max();
        let latest = branches()?.filter(|release| day_of(release) >= last).map(|release| release.llvm).min();
        Ok(Self { days: (first, last), llvms: (earliest.unwrap_or(0), latest.unwrap_or(u32::MAX)) })
    }

    /// Whether it certainly has what a release of LLVM has.
    pub(crate) fn is_since(self, llvm: u32) -> bool {
        self.llvms.0 >= llvm
    }

    /// Whether it certainly has nothing that came after a release of LLVM.
    pub(crate) fn is_until(self, llvm: u32) -> bool {
        self.llvms.1 <= llvm
    }

    /// Whether it was certainly made on a day or later.
    pub(crate) fn is_since_day(self, day: u32) -> bool {
        self.days.0 >= day
    }

    /// Whether it was certainly made on a day or before.
    pub(crate) fn is_until_day(self, day: u32) -> bool {
        self.days.1 <= day
    }
}

/// A day as a number such as 20260113.
pub(crate) const fn day(year: u32, month: u32, day: u32) -> u32 {
    year * 10_000 + month * 100 + day
}

/// The day of a release's revision as a number.
fn day_of(release: &KnownRelease) -> u32 {
    let digits = release.revision.bytes().filter(u8::is_ascii_digit);
    digits.fold(0, |number, digit| number * 10 + u32::from(digit - b'0'))
}

#[cfg(test)]
mod tests {
    use super::super::find;
    use super::*;

    fn time(name: &str) -> BuildTime {
        BuildTime::of(find(name).unwrap().unwrap()).unwrap()
    }

    #[test]
    fn a_release_is_its_own_time() {
        let release = time("llvm-19");
        assert!(
            release.is_since(19) && release.is_until(19) && !release.is_since(20) && !release.is_until(18)
        );
    }

    #[test]
    fn a_build_is_between_releases() {
        let build = time("jaxlib-0.5");
        assert!(build.is_since(19) && build.is_until(20) && !build.is_since(20) && !build.is_until(19));
        assert!(build.is_since_day(day(2025, 1, 14)) && !build.is_since_day(day(2025, 1, 15)));
        assert!(time("iree-3.13").is_since(23) && !time("iree-3.13").is_until(1000));
    }
}
