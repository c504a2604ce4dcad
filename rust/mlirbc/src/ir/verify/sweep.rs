//! A quick look at all entries in the order of the file, by several threads, that can only say that all is well.
//!
//! Most files are well-formed, entries that nobody refers to included, and then no walk is needed: each entry is
//! decoded where it stands, and what is left of the references after those to entries without any are gone
//! round by round, as many rounds as entries are nested. Where that does not end well, the walk tells why.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread::{self, ScopedJoinHandle};

use crate::attr::text::parse::skim;
use crate::dialect::entries::{Entries, EntryRef};
use crate::dialect::fixed;
use crate::dialect::fixed::Part;
use crate::dialect::node::Node;
use crate::dialect::primitive;
use crate::dialect::table::{BuiltinKind, Encoding};
use crate::file::FileEntries;
use crate::wire::error::Result;

use super::reader::{Reader, check_type, is_typed};
use super::{BitSet, has_class, row};

/// Fewer entries are not worth a thread.
const ENOUGH: usize = 8192;
/// Entries that a thread takes at once.
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

/// What one thread found: entries whose references are still to be looked at.
#[derive(Debug, Default)]
struct Found {
    nested: Vec<Nested>,
    targets: Vec<u32>,
}

/// An entry, and where in `targets` the entries stand that it refers to and that refer to others themselves.
#[derive(Debug)]
struct Nested {
    row: u32,
    start: u32,
    end: u32,
}

impl<'e, 'm> Sweep<'e, 'm> {
    /// `None` where it would gain nothing.
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

    /// Runs `meanwhile` and the sweep at the same time; says of the sweep whether all entries are fine.
    ///
    /// # Errors
    /// Those of `meanwhile`.
    pub(super) fn beside(&self, meanwhile: impl FnOnce() -> Result<()>) -> Result<bool> {
        let threads = if cfg!(feature = "parallel") {
            thread::available_parallelism().map_or(1, |count| count.get().min(MOST_THREADS))
        } else {
            1
        };
        thread::scope(|scope| {
            // Without threads, for want of them too, all is done here.
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

    /// Takes chunks until there are none; `None` when any thread met something that the walk must judge.
    fn work(&self) -> Option<Found> {
        let (mut found, mut node) = (Found::default(), Node::default());
        while !self.is_over.load(Ordering::Relaxed) {
            let start = self.next.fetch_add(CHUNK, Ordering::Relaxed);
            if start >= self.rows {
                return Some(found);
            }
            for row in start..self.rows.min(start + CHUNK) {
                if self.look(row, &mut found, &mut node).is_none() {
                    self.is_over.store(true, Ordering::Relaxed);
                    return None;
                }
            }
        }
        None
    }

    // `None` when the entry is not fine.
    fn look(&self, row: usize, found: &mut Found, node: &mut Node) -> Option<()> {
        let of = match row.checked_sub(self.attributes) {
            None => EntryRef::Attribute(row as u32),
            Some(index) => EntryRef::Type(index as u32),
        };
        let Some(entry) = self.entries.raw(of) else { return Some(()) };
        self.reader.check_code(&entry, of).ok()?;
        if entry.is_text {
            return skim::check_text(&entry, of).ok();
        }
        let Some(form) = entry.form(of).ok()? else { return Some(()) };
        // Its indices are for the walk, which looks at those that several share only once.
        if form.builtin == BuiltinKind::SparseElementsAttr {
            return None;
        }
        let (start, mut is_fine) = (found.targets.len(), true);
        let mut note = |to: EntryRef, class: Option<&str>| match self.form(to) {
            Some(form)
                if has_class(form, class)
                    && (form.is_some() || !self.reader.is_other(self.entries.raw(to), class)) =>
            {
                if form.is_some_and(|form| form.refers) {
                    found.targets.push(self::row(self.attributes, to) as u32);
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
            check_type(form, node, &entry, self.entries, self.reader).ok()?;
            primitive::references(&form.layouts[layout], node, |to, class, _| note(to, class));
        }
        let end = found.targets.len();
        if end > start {
            let start = start as u32;
            found.nested.push(Nested { row: row as u32, start, end: u32::try_from(end).ok()? });
        }
        is_fine.then_some(())
    }

    // Its form, if it has one; `None` when its code is unknown.
    #[inline]
    fn form(&self, of: EntryRef) -> Option<Option<&'m Encoding>> {
        self.entries.raw(of).map_or(Some(None), |entry| entry.form(of).ok())
    }
}

/// Whether taking away what refers to nothing, again and again, leaves nothing, and soon.
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
        // Only now, so that a round takes away one level and no more.
        for row in done {
            nested.clear(row);
        }
        if found.iter().all(|found| found.nested.is_empty()) {
            return true;
        }
    }
    false
}
