//! The definitions that an operation of a file may have: from its release, or from the releases and builds
//! before, within and after the period in which a development build was made.
//!
//! Builds without definitions count if their output showed which definition they print an operation by
//! (`ops::observations`). The order of revisions places an observation between the releases around it.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::{Arc, RwLock};

use super::applicable_definitions::is_same;
use super::constraint::Enumeration;
use super::observations::observations;
use super::rows::AttributeDefinition;
use super::table::{OperationDefinition, OperationDefinitions};
use crate::release::{self, Llvm, Period};
use crate::wire::order;

/// The releases and builds with definitions that a file may come from, or that bound the period of its build.
#[derive(Debug, Clone, Default)]
pub(crate) struct CandidateReleases {
    /// The sources, the oldest first.
    sources: Vec<Source>,
    /// The period in which the file was written, for observations of builds without definitions.
    period: Option<Period>,
    /// The builds that may have written the file according to its producer string; the period excludes builds
    /// that the content of the file rules out.
    by_producer: Range<usize>,
    /// Whether the user named the release.
    is_specified: bool,
    /// The newest definitions by name: a search goes through the rows of all releases, and the printer asks for
    /// each operation with a body that has a short form.
    newest: Arc<RwLock<HashMap<Box<str>, Arc<OperationDefinition>>>>,
    /// The candidates of the build that a pack includes, if that build has no definitions of its own.
    included: Option<Arc<CandidateReleases>>,
}

/// The definitions that a text is parsed with.
#[derive(Debug)]
pub(crate) struct TextDefinitions {
    nearest: &'static OperationDefinitions,
    /// The releases and builds around a build that has no definitions.
    around: Option<CandidateReleases>,
}

impl TextDefinitions {
    /// Creates the definitions of a release and of the releases around it; `around` are the releases around a
    /// file that names no release.
    pub(crate) fn new(target: &str, llvm: Llvm, around: Option<CandidateReleases>) -> Option<Self> {
        let nearest = OperationDefinitions::nearest(target, llvm.0)?;
        let is_own = nearest.release() == target || release::find(target).ok().flatten().is_none();
        let around = || around.unwrap_or_else(|| CandidateReleases::new(target, llvm.0, true));
        let of_pack = || {
            let releases = nearest.is_of_pack().then(|| CandidateReleases::new(target, llvm.0, true));
            releases.filter(|releases| releases.included.is_some())
        };
        Some(Self { nearest, around: if is_own { of_pack() } else { Some(around()) } })
    }

    /// Returns the definition of an operation.
    pub(crate) fn get(&self, name: &str) -> Option<Arc<OperationDefinition>> {
        match &self.around {
            Some(around) => around.for_text(name, self.nearest),
            None => self.nearest.get(name),
        }
    }

    /// Returns the definitions of the release, or of the nearest one.
    pub(crate) fn nearest(&self) -> &'static OperationDefinitions {
        self.nearest
    }
}

/// A release or a build with definitions.
#[derive(Debug, Clone, Copy)]
struct Source {
    definitions: &'static OperationDefinitions,
    llvm: u32,
}

/// A definition that an operation may have.
#[derive(Debug)]
pub(crate) struct CandidateDefinition {
    pub(crate) definition: Arc<OperationDefinition>,
    /// The release or build of the definition.
    pub(crate) release: &'static str,
    /// The LLVM whose rules of printing apply.
    pub(crate) llvm: u32,
    /// Whether the build has the definition of an earlier release, which may have changed since.
    pub(crate) is_continued: bool,
    /// Whether the definition is the same as in the candidate before it.
    pub(crate) is_alike: bool,
}

impl CandidateReleases {
    /// Returns the candidates for a release; `is_specified` if the user named it, so that no other build is
    /// possible.
    pub(crate) fn new(name: &str, llvm: u32, is_specified: bool) -> Self {
        let period = release::find(name).ok().flatten().and_then(|release| {
            let is_exact =
                is_specified || OperationDefinitions::named(name).is_some() && release.is_released();
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
            Some(period) => Self::of_period(period, is_specified),
            // The release is a tool with definitions of its own, or a schema of the user.
            None => {
                let definitions = OperationDefinitions::named(name);
                let source = definitions.map(|definitions| Source { definitions, llvm });
                let included = Self::included_in(name).map(Arc::new);
                Self { sources: source.into_iter().collect(), is_specified, included, ..Self::default() }
            }
        }
    }

    /// Returns the candidates of the build that a pack includes, if that build has no definitions of its own.
    fn included_in(pack: &str) -> Option<Self> {
        let base = release::find_base(pack).ok().flatten()?;
        let is_defined = OperationDefinitions::named(&base.name).is_some();
        (!is_defined)
            .then(|| Self::new(&base.name, base.llvm().0, true))
            .filter(|included| !included.is_empty())
    }

    /// Removes the builds up to `after` and from `before` on, which cannot have written the file.
    pub(crate) fn within(self, after: Option<&str>, before: Option<&str>) -> Self {
        let Some(period) = self.period else { return self };
        let narrowed = Self::of_period(period.narrowed(after, before), self.is_specified);
        Self { by_producer: self.by_producer, ..narrowed }
    }

    fn of_period(period: Period, is_specified: bool) -> Self {
        let source = |place: usize| {
            let release = period.releases.get(place)?;
            let definitions = OperationDefinitions::named(&release.name)?;
            Some(Source { definitions, llvm: release.llvm().0 })
        };
        let inside: Vec<_> = period.inside.clone().filter_map(&source).collect();
        // The definitions of a release are complete.
        if let [only] = inside[..]
            && only.is_release()
        {
            return Self { sources: inside, is_specified, ..Self::default() };
        }
        let before = (0..period.inside.start).rev().find_map(&source);
        let after = (period.inside.end..period.releases.len()).find_map(source);
        if before.is_none() {
            return Self::default();
        }
        let sources = before.into_iter().chain(inside).chain(after).collect();
        let by_producer = period.inside.clone();
        Self { sources, by_producer, period: Some(period), is_specified, ..Self::default() }
    }

    /// Returns the builds and releases that are informative about an operation, the oldest first: all in the
    /// period, and the nearest ones before and after it. `None` stands for a build that prints the operation
    /// by no known definition.
    fn informative(&self, name: &str, is_upstream: bool) -> Vec<Option<Source>> {
        let Some(Period { releases, mut inside }) = self.period.clone() else {
            if let (Some(included), [pack]) = (&self.included, &self.sources[..])
                && pack.definitions.is_included(name)
            {
                let informative = included.informative(name, included.is_upstream(name));
                // Nothing is known about most operations of the newest builds but what the pack says.
                if !informative.is_empty() {
                    return informative;
                }
            }
            return self.sources.iter().copied().map(Some).collect();
        };
        let mut informative: Vec<(usize, Option<Source>)> = Vec::new();
        let newest = releases.iter().rposition(|release| release.is_defined());
        for (place, release) in releases.iter().enumerate() {
            let Some(definitions) = OperationDefinitions::named(&release.name) else { continue };
            let source = Source { definitions, llvm: release.llvm().0 };
            if source.is_informative(name, is_upstream, Some(place) == newest) {
                informative.push((place, Some(source)));
            }
        }
        for observation in observations(name) {
            let Some(place) = releases.iter().position(|release| *release.name == *observation.build) else {
                continue;
            };
            let llvm = releases.get(place).map_or(0, |build| build.llvm().0);
            let source = observation.definitions.map(|definitions| Source {
                definitions,
                // Upstream forms follow the rules of their release. Forms of a project are older than these
                // rules.
                llvm: match is_upstream {
                    true => release_llvm(definitions).unwrap_or(llvm),
                    false => llvm,
                },
            });
            informative.push((place, source));
        }
        order::sort_by_key(&mut informative, |(place, _)| *place);
        // A build that is newer than all informative ones prints the operation as the builds with its
        // producer string do.
        if informative.last().is_some_and(|(place, _)| *place < inside.start) {
            inside.start = self.by_producer.start.min(inside.start);
        }
        // A build that the user names needs no bounds. Only builds of a project have its dialects, so the
        // builds in the period are enough for them.
        let is_inside = informative.iter().any(|(place, _)| inside.contains(place));
        let is_decided = is_inside && (self.is_specified || !is_upstream);
        // The table has rows for builds without informative releases; a build with an unknown form tells
        // nothing about others.
        let is_before = |(place, source): &(usize, Option<Source>)| *place < inside.start && source.is_some();
        let is_after = |(place, source): &(usize, Option<Source>)| *place >= inside.end && source.is_some();
        let before = informative.iter().rposition(is_before).filter(|_| !is_decided);
        let after = informative.iter().position(is_after).filter(|_| !is_decided);
        // Nothing is known about operations of a build that is newer than all informative ones.
        if !is_inside && (after.is_none() || before.is_none() && !is_upstream) {
            return Vec::new();
        }
        let numbered = informative.into_iter().enumerate();
        let is_used = |(index, (place, _)): &(usize, (usize, Option<Source>))| {
            inside.contains(place) || Some(*index) == before || Some(*index) == after
        };
        numbered.filter(is_used).map(|(_, (_, source))| source).collect()
    }

    // Returns whether LLVM defines an operation. Projects add operations to dialects of LLVM, too.
    fn is_upstream(&self, name: &str) -> bool {
        let dialect = name.split('.').next().unwrap_or_default();
        let is_of_llvm = || OperationDefinitions::of_llvm().any(|definitions| definitions.has(name));
        let is_of_project = || {
            self.sources.iter().any(|source| source.definitions.has(name))
                || observations(name).next().is_some()
        };
        self.sources.iter().any(|source| source.definitions.llvm().has_dialect(dialect))
            && (is_of_llvm() || !is_of_project())
    }

    /// Returns whether nothing is known about any operation.
    pub(crate) fn is_empty(&self) -> bool {
        self.sources.is_empty()
    }

    /// Returns the LLVM versions of the oldest and the newest source.
    pub(crate) fn bounds(&self) -> Option<(u32, u32)> {
        Some((self.sources.first()?.llvm, self.sources.last()?.llvm))
    }

    /// Returns whether all definitions of an operation assign the same numbers to the words for enumerations
    /// in its custom form.
    pub(crate) fn agree_on_numbers(&self, name: &str) -> bool {
        let informative = self.informative(name, self.is_upstream(name));
        let all: Vec<_> =
            informative.iter().flatten().filter_map(|source| source.definitions.get(name)).collect();
        let is_alike = |(place, first): (usize, &Arc<OperationDefinition>)| {
            all.iter().skip(place + 1).all(|other| have_same_numbers(first, other))
        };
        all.iter().enumerate().all(is_alike)
    }

    /// Returns the types of packs that point to their first parameter, as `dialect.mnemonic`.
    pub(crate) fn pointers(&self) -> impl Iterator<Item = &'static str> {
        self.sources.iter().flat_map(|source| source.definitions.pointers())
    }

    /// Returns the newest definition of an operation.
    pub(crate) fn newest(&self, name: &str) -> Option<Arc<OperationDefinition>> {
        if let Ok(newest) = self.newest.read()
            && let Some(definition) = newest.get(name)
        {
            return Some(definition.clone());
        }
        let informative = self.informative(name, self.is_upstream(name));
        let definition =
            informative.iter().rev().flatten().find_map(|source| source.definitions.get(name))?;
        if let Ok(mut newest) = self.newest.write() {
            newest.insert(name.into(), definition.clone());
        }
        Some(definition)
    }

    /// Returns the definition that a text is parsed with: the one of `nearest` if the operation may have it,
    /// else the newest candidate, else the one of `nearest`. `None` if a build has an unknown form.
    fn for_text(&self, name: &str, nearest: &OperationDefinitions) -> Option<Arc<OperationDefinition>> {
        let mut candidates = self.definitions(name);
        let is_nearest = |candidate: &CandidateDefinition| candidate.release == nearest.release();
        let place = candidates.iter().position(is_nearest).unwrap_or(candidates.len().saturating_sub(1));
        match candidates.is_empty() {
            true if self.informative(name, self.is_upstream(name)).iter().any(Option::is_none) => None,
            true => nearest.get(name),
            false => Some(candidates.swap_remove(place).definition),
        }
    }

    /// Returns the definitions that an operation may have, the oldest first; empty unless the list is known
    /// to be complete.
    pub(crate) fn definitions(&self, name: &str) -> Vec<CandidateDefinition> {
        let is_upstream = self.is_upstream(name);
        let mut candidates: Vec<(CandidateDefinition, &'static OperationDefinitions)> = Vec::new();
        let informative = self.informative(name, is_upstream);
        let last = informative.len().saturating_sub(1);
        for (place, source) in informative.into_iter().enumerate() {
            let Some(source) = source else { return Vec::new() };
            let Some((mut candidate, holder)) = source.candidate(name, is_upstream) else {
                // A later release lacks the operation, and may have changed it before removing it.
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
    /// Returns whether the source is a release of LLVM, which has the definitions of all operations.
    fn is_release(&self) -> bool {
        std::ptr::eq(self.definitions, self.definitions.llvm())
    }

    /// Returns whether the source defines an operation, or defines all other operations of its dialect.
    fn is_informative(&self, name: &str, is_upstream: bool, is_newest: bool) -> bool {
        if self.is_release() {
            return is_upstream;
        }
        let Some(holder) = self.definitions.holder(name) else { return false };
        // The bindings of a build contain only some operations; the releases around it are informative about
        // the others. For the newest build, a list says which operations it prints as the release before it.
        !is_upstream || std::ptr::eq(holder, self.definitions) || is_newest
    }

    /// Returns the candidate with the definitions that have the row of the operation.
    fn candidate(
        &self,
        name: &str,
        is_upstream: bool,
    ) -> Option<(CandidateDefinition, &'static OperationDefinitions)> {
        let holder = self.definitions.holder(name)?;
        let candidate = CandidateDefinition {
            definition: self.definitions.get(name)?,
            release: self.definitions.release(),
            llvm: self.llvm,
            // A pack says which release of LLVM its project is built with.
            is_continued: is_upstream
                && !std::ptr::eq(holder, self.definitions)
                && !self.definitions.is_of_pack(),
            is_alike: false,
        };
        Some((candidate, holder))
    }
}

/// Returns the LLVM version of the release or build that has definitions.
fn release_llvm(definitions: &OperationDefinitions) -> Option<u32> {
    Some(release::find(definitions.release()).ok()??.llvm().0)
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
    fn a_build_that_was_observed_has_the_definition_by_which_it_prints() {
        // StableHLO is defined once, so a build that the user names decides it, and so do the builds in a
        // period.
        assert_eq!(candidates("jaxlib-0.8", 22, true, "stablehlo.add"), [("stablehlo-1.20", 22)]);
        let unnamed = candidates("jaxlib-0.8", 22, false, "stablehlo.add");
        assert!(
            !unnamed.is_empty() && unnamed.iter().all(|&one| one == ("stablehlo-1.20", 22)),
            "{unnamed:?}"
        );
        assert_eq!(candidates("iree-3.8", 22, true, "hal.executable"), [("iree-3.13", 22)]);
        // VHLO has no definitions.
        assert!(candidates("jaxlib-0.8", 22, true, "vhlo.add_v1").is_empty());
        // IREE 3.0 has a form between the forms of 19 and 22; later builds have the form of 22.
        assert!(candidates("iree-3.0", 20, true, "affine.delinearize_index").is_empty());
        assert!(!candidates("jaxlib-0.9", 22, true, "affine.delinearize_index").is_empty());
    }

    #[test]
    fn builds_that_are_excluded_do_not_count() {
        let whole = CandidateReleases::new("jaxlib-0.8", 22, false);
        let narrow = whole.clone().within(Some("iree-3.8"), Some("llvm-22"));
        let inside = |releases: &CandidateReleases| {
            let Some(Period { releases, inside }) = &releases.period else { panic!("no period") };
            releases[inside.clone()].iter().map(|release| release.name.clone()).collect::<Vec<_>>()
        };
        assert_eq!(inside(&narrow), ["jaxlib-0.8".into(), "iree-3.10".into()]);
        assert!(inside(&whole).len() > 4);
    }

    #[test]
    fn a_build_that_is_newer_than_the_known_ones_prints_as_they_do() {
        let newest = CandidateReleases::new("jaxlib-0.12", 24, false).within(Some("iree-3.13"), None);
        for name in ["builtin.module", "llvm.load"] {
            let releases: Vec<_> = newest.definitions(name).iter().map(|one| one.release).collect();
            assert_eq!(releases, ["llvm-23", "iree-3.13"], "{name}");
        }
    }

    #[test]
    fn an_operation_that_a_later_release_lacks_is_not_known() {
        // Release 22 has no such operation.
        assert!(candidates("jaxlib-0.8", 22, false, "tosa.fully_connected").is_empty());
    }
}
