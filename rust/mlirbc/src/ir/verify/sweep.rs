//! A fast check of all entries in file order, on several threads, that can only confirm validity.
//!
//! Most files are well-formed, including entries without references, and then no walk is needed: each entry
//! is decoded in place; then references to entries without references are removed in rounds, as many as
//! entries are nested. If anything remains, the walk determines the error.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread::{self, ScopedJoinHandle};

use crate::attr::text::parse::skim;
use crate::dialect::entries::{Entries, EntryRef, RawEntry};
use crate::dialect::fixed;
use crate::dialect::fixed::Part;
use crate::dialect::node::Node;
use crate::dialect::primitive;
use crate::dialect::table::{BuiltinKind, Encoding};
use crate::file::FileEntries;
use crate::wire::error::Result;

use super::reader::{Reader, check_type, is_typed};
use super::{BitSet, has_class, row};

/// Fewer entries do not justify a thread.
const ENOUGH: usize = 8192;
/// The number of entries that a thread takes at once.
const CHUNK: usize = 4096;
/// Entries nested deeper than this are left to the walk.
const ROUNDS: u64 = 32;
const MOST_THREADS: usize = 8;

pub(super) struct Sweep<'e, 'm> {
    entries: &'e FileEntries<'m>,
    reader: &'e Reader<'m>,
    attributes: usize,
    rows: usize,
    next: AtomicUsize,
    is_over: AtomicBool,
}

/// The result of one thread: entries whose references remain to be checked.
#[derive(Debug, Default)]
struct Found {
    nested: Vec<Nested>,
    targets: Vec<u32>,
}

/// An entry, and the range in `targets` of the entries it refers to that have references themselves.
#[derive(Debug)]
struct Nested {
    row: u32,
    start: u32,
    end: u32,
}

impl<'e, 'm> Sweep<'e, 'm> {
    /// `None` if it would not be faster.
    pub(super) fn new(entries: &'e FileEntries<'m>, reader: &'e Reader<'m>, max_depth: u64) -> Option<Self> {
        let bounds = entries.bounds();
        let attributes = bounds.attributes as usize;
        let rows = attributes + bounds.types as usize;
        (rows >= ENOUGH && max_depth > ROUNDS).then(|| Self {
            entries,
            reader,
            attributes,
            rows,
            next: AtomicUsize::new(0),
            is_over: AtomicBool::new(false),
        })
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
            // Without threads, everything is done here.
            let helpers: Vec<ScopedJoinHandle<'_, _>> = (1..threads)
                .map_while(|_| thread::Builder::new().spawn_scoped(scope, || self.work()).ok())
                .collect();
            if let Err(error) = meanwhile() {
                self.is_over.store(true, Ordering::Relaxed);
                return Err(error);
            }
            let mut found = vec![self.work()];
            found.extend(helpers.into_iter().map(|helper| helper.join().ok().flatten()));
            let found: Option<Vec<Found>> = found.into_iter().collect();
            Ok(found.is_some_and(|found| ends(found, self.rows)))
        })
    }

    /// Takes chunks until there are none; `None` if any thread found something for the walk to decide.
    fn work(&self) -> Option<Found> {
        let (mut found, mut node, mut recent) = (Found::default(), Node::default(), Recent::default());
        while !self.is_over.load(Ordering::Relaxed) {
            let start = self.next.fetch_add(CHUNK, Ordering::Relaxed);
            if start >= self.rows {
                return Some(found);
            }
            let rows = start..self.rows.min(start + CHUNK);
            let looked = self.entries.each_in(rows, |of, _, entry| {
                match self.look(of, entry, (&mut found, &mut recent), &mut node) {
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

    // `None` if the entry is not valid.
    fn look(
        &self,
        of: EntryRef,
        entry: &RawEntry<'m>,
        (found, recent): (&mut Found, &mut Recent<'m>),
        node: &mut Node,
    ) -> Option<()> {
        self.reader.check_code(entry, of).ok()?;
        if entry.is_text {
            return skim::check_text(entry, of).ok();
        }
        let Some(form) = entry.form(of).ok()? else { return Some(()) };
        // The walk checks its indices, because it visits shared ones only once.
        if form.builtin == BuiltinKind::SparseElementsAttr {
            return None;
        }
        let (start, mut is_fine) = (found.targets.len(), true);
        let mut note = |to: EntryRef, class: Option<&str>| match recent.form(self, to) {
            Some(form)
                if has_class(form, class)
                    && (form.is_some() || !self.reader.is_other(self.entries.raw(to), class)) =>
            {
                if form.is_some_and(|form| form.refers) {
                    found.targets.push(row(self.attributes, to) as u32);
                }
            }
            _ => is_fine = false,
        };
        if form.has_fixed_layout && !is_typed(form) {
            fixed::parts(form, entry.data, entry.offset, &self.entries.bounds(), &mut |part| match part {
                Part::Attribute(index, class, _) | Part::OptionalAttribute(index, class, _) => {
                    note(EntryRef::Attribute(index), class);
                }
                Part::Type(index, _) => note(EntryRef::Type(index), None),
                _ => {}
            })
            .ok()?;
        } else {
            let layout = primitive::decode(form, entry.data, entry.offset, self.entries, node).ok()?;
            // The shape of its type too.
            if form.builtin == BuiltinKind::DenseStringElementsAttr && node.number(1) == 0 {
                return None;
            }
            check_type(form, node, entry, self.entries, self.reader).ok()?;
            primitive::references(&form.layouts[layout], node, |to, class, _| note(to, class));
        }
        let end = found.targets.len();
        if end > start {
            let start = start as u32;
            let row = row(self.attributes, of) as u32;
            found.nested.push(Nested { row, start, end: u32::try_from(end).ok()? });
        }
        is_fine.then_some(())
    }

    // Its encoding, if it has one; `None` if its code is unknown.
    #[inline]
    fn form(&self, of: EntryRef) -> Form<'m> {
        self.entries.raw(of).map_or(Some(None), |entry| entry.form(of).ok())
    }
}

/// The encodings of entries that were referred to last: many refer to the same few.
struct Recent<'m>(Vec<(EntryRef, Form<'m>)>);

/// The encoding of an entry, if it has one; `None` if its code is unknown.
type Form<'m> = Option<Option<&'m Encoding>>;

const RECENT: usize = 256;

impl Default for Recent<'_> {
    fn default() -> Self {
        // A row that no file has.
        Self(vec![(EntryRef::Attribute(u32::MAX), None); RECENT])
    }
}

impl<'m> Recent<'m> {
    #[inline]
    fn form(&mut self, sweep: &Sweep<'_, 'm>, of: EntryRef) -> Form<'m> {
        let place = match of {
            EntryRef::Attribute(index) => 2 * index as usize,
            EntryRef::Type(index) => 2 * index as usize + 1,
        };
        let known = &mut self.0[place % RECENT];
        if known.0 != of {
            *known = (of, sweep.form(of));
        }
        known.1
    }
}

/// Whether repeatedly removing entries without references leaves none, within the limit on rounds.
fn ends(mut found: Vec<Found>, rows: usize) -> bool {
    let mut nested = BitSet::with_capacity(rows);
    for one in found.iter().flat_map(|found| &found.nested) {
        nested.set(one.row);
    }
    for _ in 0..ROUNDS {
        let mut done = Vec::new();
        for Found { nested: ones, targets } in &mut found {
            ones.retain_mut(|one| {
                let mut end = one.start;
                for at in one.start..one.end {
                    let target = targets[at as usize];
                    if nested.get(target) {
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
        // After the round, so that a round removes one level only.
        for row in done {
            nested.clear(row);
        }
        if found.iter().all(|found| found.nested.is_empty()) {
            return true;
        }
    }
    false
}
