//! A fast check of all entries in file order, on several threads, that can only confirm validity.
//!
//! Most files are well-formed, including entries without references, and then no walk is needed: each entry
//! is decoded in place; then references to entries without references are removed in rounds, as many as
//! entries are nested. If anything remains, the walk determines the error.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread::{self, ScopedJoinHandle};

use crate::attr::text::parse::skim;
use crate::dialect::entries::{Entries, EntryRef, RawEntry, bits_of};
use crate::dialect::fixed_layout;
use crate::dialect::fixed_layout::FixedPart;
use crate::dialect::node::Node;
use crate::dialect::primitive;
use crate::dialect::table::BuiltinKind;
use crate::file::FileEntries;
use crate::format::id::{AttrId, TypeId};
use crate::wire::error::Result;

use super::encodings::EncodingLookup;
use super::reader::{CheckedCodes, Reader, check_type, is_typed};
use super::recent_entries::{RecentBeginnings, RecentEntries};
use super::{BitSet, has_class, row};

/// Files with fewer entries are not worth a thread.
const ENOUGH: usize = if cfg!(test) { 8 } else { 8192 };
/// The number of entries that a thread takes at once.
const CHUNK: usize = if cfg!(test) { 16 } else { 4096 };
/// Entries nested deeper than this are left to the walk.
const ROUNDS: u64 = 32;
const MOST_THREADS: usize = 8;

#[cfg(test)]
thread_local! {
    /// Leaves everything to the walk.
    static IS_OFF: std::cell::Cell<bool> = const { std::cell::Cell::new(false) };
}

pub(super) struct Sweep<'e, 'm> {
    entries: &'e FileEntries<'m>,
    reader: &'e Reader<'m>,
    forms: EncodingLookup<'e, 'm>,
    attributes: usize,
    rows: usize,
    next: AtomicUsize,
    is_over: AtomicBool,
}

/// The state of a thread.
struct Worker<'e, 'm> {
    result: SweepResult,
    recent: RecentEntries<'e, 'm>,
    beginnings: RecentBeginnings<'m>,
    codes: CheckedCodes,
    node: Node,
}

/// The result of one thread: entries whose references remain to be checked.
#[derive(Debug, Default)]
struct SweepResult {
    nested: Vec<Nested>,
    targets: Vec<u32>,
}

/// An entry, and the range in `targets` of its references to entries that have references themselves.
#[derive(Debug)]
struct Nested {
    row: u32,
    start: u32,
    end: u32,
}

impl<'e, 'm> Sweep<'e, 'm> {
    /// Returns `None` if the sweep would not be faster than the walk.
    pub(super) fn new(entries: &'e FileEntries<'m>, reader: &'e Reader<'m>, max_depth: u64) -> Option<Self> {
        let bounds = entries.bounds();
        let attributes = bounds.attributes as usize;
        let rows = attributes + bounds.types as usize;
        #[cfg(test)]
        if IS_OFF.get() {
            return None;
        }
        (rows >= ENOUGH && max_depth > ROUNDS).then(|| Self {
            entries,
            reader,
            forms: EncodingLookup::new(entries),
            attributes,
            rows,
            next: AtomicUsize::new(0),
            is_over: AtomicBool::new(false),
        })
    }

    /// The encodings that the sweep looked up.
    pub(super) fn forms(&self) -> &EncodingLookup<'e, 'm> {
        &self.forms
    }

    /// Runs `meanwhile` and the sweep at the same time; returns whether all entries are valid.
    ///
    /// # Errors
    /// The errors of `meanwhile`.
    pub(super) fn beside(&self, meanwhile: impl FnOnce() -> Result<()>) -> Result<bool> {
        let threads = if cfg!(feature = "parallel") {
            thread::available_parallelism().map_or(1, |count| count.get().min(MOST_THREADS))
        } else {
            1
        };
        thread::scope(|scope| {
            // Without threads, this thread does all the work.
            let helpers: Vec<ScopedJoinHandle<'_, _>> = (1..threads)
                .map_while(|_| thread::Builder::new().spawn_scoped(scope, || self.work()).ok())
                .collect();
            if let Err(error) = meanwhile() {
                self.is_over.store(true, Ordering::Relaxed);
                return Err(error);
            }
            let mut results = vec![self.work()];
            results.extend(helpers.into_iter().map(|helper| helper.join().ok().flatten()));
            let results: Option<Vec<SweepResult>> = results.into_iter().collect();
            Ok(results.is_some_and(|results| ends(results, self.rows)))
        })
    }

    /// Checks chunks of entries until all are taken; `None` if the walk must decide, whichever thread
    /// discovered that.
    fn work(&self) -> Option<SweepResult> {
        let mut worker = Worker {
            result: SweepResult::default(),
            recent: RecentEntries::new(self.entries),
            beginnings: RecentBeginnings::default(),
            codes: CheckedCodes::default(),
            node: Node::default(),
        };
        while !self.is_over.load(Ordering::Relaxed) {
            let start = self.next.fetch_add(CHUNK, Ordering::Relaxed);
            if start >= self.rows {
                return Some(worker.result);
            }
            let rows = start..self.rows.min(start + CHUNK);
            let looked = self.entries.each_in(rows, |of, dialect, entry| {
                match self.look(of, dialect, entry, &mut worker) {
                    Some(()) => ControlFlow::Continue(()),
                    None => ControlFlow::Break(()),
                }
            });
            if looked.is_break() {
                self.is_over.store(true, Ordering::Relaxed);
                return None;
            }
        }
        None
    }

    // Checks one entry; `None` if it is not valid.
    fn look(
        &self,
        of: EntryRef,
        dialect: u32,
        entry: &RawEntry<'m>,
        worker: &mut Worker<'e, 'm>,
    ) -> Option<()> {
        let Worker { result, recent, beginnings, codes, node } = worker;
        self.reader.check_code(entry, of, codes).ok()?;
        let form = self.forms.of_entry(of, dialect, entry)?;
        if entry.is_text {
            return skim::check_text(entry, of).ok();
        }
        let Some(form) = form else { return Some(()) };
        if beginnings.have(form, entry.data) {
            return Some(());
        }
        // The indices are left to the walk, which visits shared ones only once.
        if form.builtin == BuiltinKind::SparseElementsAttr {
            return None;
        }
        let (start, mut is_fine) = (result.targets.len(), true);
        let mut note = |to: EntryRef, class: Option<&str>| match self.forms.of(to) {
            Some(form)
                if has_class(form, class)
                    && (form.is_some() || !self.reader.is_other(self.entries.raw(to), class)) =>
            {
                if form.is_some_and(|form| form.refers) {
                    result.targets.push(row(self.attributes, to) as u32);
                }
            }
            _ => is_fine = false,
        };
        if form.has_fixed_layout && !is_typed(form) {
            fixed_layout::parts(
                form,
                entry.data,
                entry.offset,
                &self.entries.bounds(),
                &mut |part| match part {
                    FixedPart::Attribute(index, class, _) | FixedPart::OptionalAttribute(index, class, _) => {
                        note(EntryRef::Attribute(AttrId::new(index)), class);
                    }
                    FixedPart::Type(index, _) => note(EntryRef::Type(TypeId::new(index)), None),
                    _ => {}
                },
            )
            .ok()?;
        } else {
            let layout = match entry.may_deviate() {
                true => entry.decode(of, self.entries, node).ok()??.1,
                false => primitive::decode(form, entry.data, entry.offset, recent, node).ok()?,
            };
            // The shape of the type must be read, too.
            if form.builtin == BuiltinKind::DenseStringElementsAttr && node.number(1) == 0 {
                return None;
            }
            check_type(form, node, entry, recent, self.reader).ok()?;
            primitive::references(&form.layouts[layout], node, |to, class, _| note(to, class));
        }
        let end = result.targets.len();
        if is_fine && end == start {
            beginnings.add(form, entry.data, |r#type| bits_of(recent, r#type));
        }
        if end > start {
            let start = start as u32;
            let row = row(self.attributes, of) as u32;
            result.nested.push(Nested { row, start, end: u32::try_from(end).ok()? });
        }
        is_fine.then_some(())
    }
}

/// Whether repeatedly removing entries without references leaves none, within the limit on rounds.
fn ends(mut results: Vec<SweepResult>, rows: usize) -> bool {
    let mut nested = BitSet::with_capacity(rows);
    for one in results.iter().flat_map(|result| &result.nested) {
        nested.set(AttrId::new(one.row).number());
    }
    for _ in 0..ROUNDS {
        let mut done = Vec::new();
        for SweepResult { nested: ones, targets } in &mut results {
            ones.retain_mut(|one| {
                let mut end = one.start;
                for at in one.start..one.end {
                    let target = targets[at as usize];
                    if nested.get(AttrId::new(target).number()) {
                        targets[end as usize] = target;
                        end += 1;
                    }
                }
                one.end = end;
                if end == one.start {
                    done.push(one.row);
                }
                end > one.start
            });
        }
        // Entries are cleared after the round, so that a round removes one level only.
        for row in done {
            nested.clear(AttrId::new(row).number());
        }
        if results.iter().all(|result| result.nested.is_empty()) {
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use std::fmt::Write;

    use proptest::prelude::*;

    use super::*;
    use crate::ir::Module;
    use crate::parse::{ParseOptions, assemble};
    use crate::wire::section::SectionId;

    // The module contains numbers of all widths, and attributes in attributes.
    fn module() -> Vec<u8> {
        let mut text = "module {\n".to_owned();
        for number in 0..20 {
            for of in ["i1", "i7", "i8", "i9", "i32", "i64", "i128", "index"] {
                let value = if of == "i1" { number % 2 } else { number };
                writeln!(
                    text,
                    "\"t.op\"() {{a = {value} : {of}, b = [{value} : {of}, \"s{number}\", @f]}} : () -> ()"
                )
                .unwrap();
            }
            let (array, loc) = (format!("array<i64: {number}>"), format!("\"f\":{number}:1"));
            writeln!(
                text,
                "\"t.op\"() {{c = {number}.5 : f32, d = {array}}} : () -> tensor<{number}xf64> loc({loc})"
            )
            .unwrap();
        }
        text.push_str("}\n");
        assemble(text, &ParseOptions::default()).unwrap()
    }

    fn verified(bytes: &[u8], is_off: bool) -> String {
        IS_OFF.set(is_off);
        let report = Module::from_bytes(bytes.to_vec()).and_then(|module| module.verify());
        IS_OFF.set(false);
        report.map_or_else(|error| format!("{error} {:?}", error.path()), |report| format!("{report:?}"))
    }

    #[test]
    fn a_valid_module_needs_no_walk() {
        let module = Module::from_bytes(module()).unwrap();
        let entries = module.tables().entries().unwrap();
        let reader = Reader::new(&module, None).unwrap();
        let sweep = Sweep::new(&entries, &reader, 1000).unwrap();
        assert!(sweep.beside(|| Ok(())).unwrap());
        assert!(sweep.forms().are_complete());
    }

    proptest! {
        #[test]
        fn a_damaged_module_has_the_error_that_the_walk_finds(
            damage in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..3),
        ) {
            let mut bytes = module();
            let section = {
                let module = Module::from_bytes(bytes.clone()).unwrap();
                let section = module.tables().bytecode().section(SectionId::AttrType).unwrap();
                section.offset as usize..(section.offset + section.size) as usize
            };
            for (place, byte) in damage {
                let place = section.start + place.index(section.len());
                bytes[place] = byte;
            }
            prop_assert_eq!(verified(&bytes, false), verified(&bytes, true));
        }
    }
}
