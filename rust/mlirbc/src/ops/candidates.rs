//! The definitions that an operation of a file may have: those of its release, or those of the releases and builds before,
//! within and after the period in which a development build was made.

use std::sync::Arc;

use super::between::is_same;
use super::constraint::Enumeration;
use super::rows::AttributeDefinition;
use super::table::{OperationDefinition, OperationDefinitions};
use crate::release::{self, Period};

/// The releases and builds with definitions that a file may come from, or that bound the period of its build.
#[derive(Debug, Default)]
pub(crate) struct CandidateReleases {
    /// The oldest first.
    sources: Vec<Source>,
    /// The user named the release.
    is_specified: bool,
}

/// A release or a build with definitions.
#[derive(Debug, Clone, Copy)]
struct Source {
    definitions: &'static OperationDefinitions,
    llvm: u32,
    /// The file may come from it; the others bound the period.
    is_inside: bool,
}

/// A definition that an operation may have.
#[derive(Debug)]
pub(crate) struct CandidateDefinition {
    pub(crate) definition: Arc<OperationDefinition>,
    /// The release or build that it stands for.
    pub(crate) release: &'static str,
    /// The LLVM whose rules of printing apply.
    pub(crate) llvm: u32,
    /// The build has the definition of a release before it, which may have changed since.
    pub(crate) is_continued: bool,
    /// It says the same as the candidate before it.
    pub(crate) is_alike: bool,
}

impl CandidateReleases {
    /// Those for the release with a name; `is_specified` if the user named it, so that no other build is possible.
    pub(crate) fn new(name: &str, llvm: u32, is_specified: bool) -> Self {
        let period = release::find(name).ok().flatten().and_then(|release| {
            let is_exact = is_specified || OperationDefinitions::of(name).is_some() && release.is_released();
            match is_exact {
                true => release::moment(release),
                false => release::period_of(release).and_then(|period| match period {
                    Some(period) => Ok(Some(period)),
                    None => release::moment(release),
                }),
            }
            .ok()
            .flatten()
        });
        match period {
            Some(period) => Self::of_period(&period, is_specified),
            // A tool with definitions of its own, or a schema of the user.
            None => {
                let definitions = OperationDefinitions::of(name);
                let own = definitions.map(|definitions| Source { definitions, llvm, is_inside: true });
                Self { sources: own.into_iter().collect(), is_specified }
            }
        }
    }

    fn of_period(period: &Period, is_specified: bool) -> Self {
        let source = |place: usize, is_inside| {
            let release = period.releases.get(place)?;
            let definitions = OperationDefinitions::of(&release.name)?;
            Some(Source { definitions, llvm: release.llvm().0, is_inside })
        };
        let inside: Vec<_> = period.inside.clone().filter_map(|place| source(place, true)).collect();
        // A release is what its definitions say.
        if let [only] = inside[..]
            && only.is_release()
        {
            return Self { sources: inside, is_specified };
        }
        let before = (0..period.inside.start).rev().find_map(|place| source(place, false));
        let after = (period.inside.end..period.releases.len()).find_map(|place| source(place, false));
        if before.is_none() || after.is_none() && inside.is_empty() {
            return Self::default();
        }
        Self { sources: before.into_iter().chain(inside).chain(after).collect(), is_specified }
    }

    /// Whether nothing is known about any operation.
    pub(crate) fn is_empty(&self) -> bool {
        self.sources.is_empty()
    }

    /// The LLVM of the oldest and of the newest of them.
    pub(crate) fn bounds(&self) -> Option<(u32, u32)> {
        Some((self.sources.first()?.llvm, self.sources.last()?.llvm))
    }

    /// Whether the words for enumerations in the custom form of an operation stand for the same numbers in all of them.
    pub(crate) fn agree_on_numbers(&self, name: &str) -> bool {
        let all: Vec<_> = self.sources.iter().filter_map(|source| source.definitions.get(name)).collect();
        let is_alike = |(place, first): (usize, &Arc<OperationDefinition>)| {
            all.iter().skip(place + 1).all(|other| have_same_numbers(first, other))
        };
        all.iter().enumerate().all(is_alike)
    }

    /// The newest definition of an operation.
    pub(crate) fn newest(&self, name: &str) -> Option<Arc<OperationDefinition>> {
        self.sources.iter().rev().find_map(|source| source.definitions.get(name))
    }

    /// The definitions that an operation may have, the oldest first; empty if it is not known that they are all.
    pub(crate) fn definitions(&self, name: &str) -> Vec<CandidateDefinition> {
        let dialect = name.split('.').next().unwrap_or_default();
        let is_upstream = self.sources.iter().any(|source| source.definitions.llvm().has_dialect(dialect));
        let last = self.sources.len().saturating_sub(1);
        let own = self.sources.iter().enumerate().rev().find(|(_, source)| source.is_inside);
        // Only one build of a project has definitions of its dialects.
        if let Some((place, source)) = own.filter(|_| !is_upstream || self.is_specified) {
            let is_continued = is_upstream && source.definitions.is_included(name);
            if !is_continued || place == last {
                return source.candidate(name, is_continued).into_iter().collect();
            }
        }
        if !is_upstream {
            return Vec::new();
        }
        let mut candidates: Vec<(CandidateDefinition, &'static OperationDefinitions)> = Vec::new();
        for (place, source) in self.sources.iter().enumerate() {
            let holder = source.definitions.holder(name);
            let is_own = holder.is_some_and(|holder| std::ptr::eq(holder, source.definitions));
            // The bindings of a build have some operations only; the releases around it tell about the others.
            if !is_own && !source.is_release() && place != last {
                continue;
            }
            let Some((holder, mut candidate)) = holder.zip(source.candidate(name, !is_own)) else {
                // A later release has no such operation, and may have changed it before.
                if place == last {
                    return Vec::new();
                }
                continue;
            };
            if let Some((before, holder_before)) = candidates.last() {
                candidate.is_alike = is_same(holder_before, holder, name);
                if candidate.is_alike
                    && candidate.llvm == before.llvm
                    && candidate.is_continued == before.is_continued
                {
                    continue;
                }
            }
            candidates.push((candidate, holder));
        }
        candidates.into_iter().map(|(candidate, _)| candidate).collect()
    }
}

impl Source {
    /// Whether it is a release of LLVM, which has the definitions of all operations.
    fn is_release(&self) -> bool {
        std::ptr::eq(self.definitions, self.definitions.llvm())
    }

    fn candidate(&self, name: &str, is_continued: bool) -> Option<CandidateDefinition> {
        Some(CandidateDefinition {
            definition: self.definitions.get(name)?,
            release: self.definitions.release(),
            llvm: self.llvm,
            is_continued,
            is_alike: false,
        })
    }
}

fn have_same_numbers(first: &OperationDefinition, second: &OperationDefinition) -> bool {
    first.attributes().iter().all(|attribute| {
        let cases = cases_of(attribute).zip(second.attribute(attribute.name()).and_then(cases_of));
        cases.is_none_or(|(cases, others)| {
            let number = |word: &str| others.cases().find(|(_, text)| *text == word);
            cases.cases().all(|(value, word)| number(word).is_none_or(|(other, _)| other == value))
        })
    })
}

fn cases_of(attribute: &AttributeDefinition) -> Option<&Enumeration> {
    attribute.constraint()?.enumeration()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn candidates(release: &str, llvm: u32, is_specified: bool, name: &str) -> Vec<(&'static str, u32)> {
        let releases = CandidateReleases::new(release, llvm, is_specified);
        releases.definitions(name).iter().map(|one| (one.release, one.llvm)).collect()
    }

    #[test]
    fn a_release_has_its_own_definition_only() {
        assert_eq!(candidates("llvm-19", 19, false, "memref.alloc"), [("llvm-19", 19)]);
        assert_eq!(candidates("llvm-23", 23, true, "memref.alloc"), [("llvm-23", 23)]);
    }

    #[test]
    fn a_development_build_has_the_definitions_around_it() {
        // Builds of LLVM 24 are between the branch of 23 and IREE 3.13, or newer.
        assert_eq!(
            candidates("iree-3.13", 24, false, "tosa.transpose"),
            [("llvm-23", 23), ("iree-3.13", 24)]
        );
        assert_eq!(
            candidates("torch-mlir-20261001", 24, false, "tosa.transpose"),
            [("llvm-23", 23), ("iree-3.13", 24)]
        );
        assert_eq!(candidates("iree-3.13", 24, true, "hal.buffer.subspan"), [("iree-3.13", 24)]);
        assert_eq!(candidates("jaxlib-0.8", 22, false, "gpu.barrier"), [("llvm-19", 19), ("llvm-22", 22)]);
        let barrier = candidates("jaxlib-0.10", 23, false, "gpu.barrier");
        assert_eq!((barrier[0].0, barrier.last().unwrap().1), ("llvm-22", 23));
    }

    #[test]
    fn an_operation_that_a_later_release_lacks_is_not_known() {
        // It is gone in 22.
        assert!(candidates("jaxlib-0.8", 22, false, "tosa.fully_connected").is_empty());
    }
}
