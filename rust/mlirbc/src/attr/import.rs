//! Copies an entry, with everything that it refers to, into other tables: the one traversal and the one
//! renumbering that all tables in memory share.
//!
//! Owns the order, the detection of cycles, and the memory of the traversal. An [`Importer`] owns both
//! tables: it reads entries of the source, perhaps translated, and adds them to the target. Every entry is
//! expanded once, so the time is linear in the references, and nothing is recursive.

use std::collections::HashSet;

use crate::dialect::entries::EntryRef;
use crate::dialect::node::{Node, TableIndex};
use crate::dialect::primitive;
use crate::dialect::table::{Encoding, Layout};
use crate::format::id::{AttrId, TypeId};
use crate::wire::error::{Error, Result};
use crate::wire::limits::Budget;

/// The number of visited entries between two polls for a request to stop.
const POLL: u32 = 1 << 8;

/// The stack size from which on the stack is charged to the budget.
const FREE: usize = 1 << 6;

/// The bytes of an entry on the stack and among the open entries.
const STACKED: usize = 4 * size_of::<EntryRef>();

/// Visits entries after everything that they refer to.
pub(crate) trait Visitor {
    /// Returns whether an entry needs no visit, because it was visited or is left out.
    fn is_done(&self, entry_ref: EntryRef) -> bool;

    /// Reads an entry, and adds the entries that have to be visited before it.
    ///
    /// # Errors
    /// If the entry cannot be read.
    fn read(&mut self, entry_ref: EntryRef, references: &mut Vec<EntryRef>) -> Result<()>;

    /// Visits the entry that was read last; afterwards [`Self::is_done`] returns true for it.
    ///
    /// # Errors
    /// Errors of the visit.
    fn visit(&mut self, entry_ref: EntryRef) -> Result<()>;

    /// Creates the error for an entry that contains itself.
    fn cycle(&self, entry_ref: EntryRef) -> Error;

    /// The budget that the traversal is charged to.
    fn budget(&self) -> Option<&Budget>;

    /// # Errors
    /// If a stop was requested.
    fn poll(&self) -> Result<()>;
}

/// Visits an entry and everything that it refers to, references first.
///
/// # Errors
/// Errors of the visitor, and an error for a cycle.
pub(crate) fn visit_after_references(visitor: &mut impl Visitor, root: EntryRef) -> Result<()> {
    visit_with(visitor, root, &mut Traversal::default())
}

/// The state of a traversal.
#[derive(Debug, Default)]
struct Traversal {
    open: HashSet<EntryRef, foldhash::fast::RandomState>,
    references: Vec<EntryRef>,
    stack: Vec<EntryRef>,
}

fn visit_with(visitor: &mut impl Visitor, root: EntryRef, traversal: &mut Traversal) -> Result<()> {
    let mut held = None;
    let Traversal { open, references, stack } = traversal;
    open.clear();
    stack.clear();
    stack.push(root);
    let mut until_poll = POLL;
    while let Some(&entry_ref) = stack.last() {
        until_poll -= 1;
        if until_poll == 0 {
            until_poll = POLL;
            visitor.poll()?;
        }
        if visitor.is_done(entry_ref) {
            stack.pop();
            continue;
        }
        references.clear();
        visitor.read(entry_ref, references)?;
        if references.is_empty() {
            visitor.visit(entry_ref)?;
            open.remove(&entry_ref);
            stack.pop();
            continue;
        }
        open.insert(entry_ref);
        if references.iter().any(|to| open.contains(to)) {
            return Err(visitor.cycle(entry_ref));
        }
        let len = stack.len() + references.len();
        if len > FREE
            && let Some(budget) = visitor.budget()
        {
            match &mut held {
                None => held = Some(budget.hold(len.saturating_mul(STACKED))?),
                Some(held) => held.grow_to(len.saturating_mul(STACKED))?,
            }
        }
        stack.extend_from_slice(references);
    }
    Ok(())
}

/// The result of reading an entry with an [`Importer`].
pub(crate) enum Read<'v, E> {
    /// An entry that is stored as text in the target tables: it refers to no other entry, and was added.
    Added(EntryRef),
    /// An entry whose fields, which are in the node, have this encoding and layout.
    Fields(E, &'v Encoding, &'v Layout),
}

/// The tables from which and to which entries are copied.
pub(crate) trait Importer<'v> {
    /// The data that is needed to add an entry, besides its fields.
    type Entry;

    /// Returns the copy of an entry.
    fn copy_of(&self, entry_ref: EntryRef) -> Option<EntryRef>;

    /// Records the copy of an entry.
    ///
    /// # Errors
    /// If the memory limit is reached.
    fn record(&mut self, entry_ref: EntryRef, copy: EntryRef) -> Result<()>;

    /// Reads an entry in the form that the target tables require; its references are still indices of the
    /// source tables.
    ///
    /// # Errors
    /// If the entry cannot be decoded, so that its references are unknown.
    fn read(&mut self, entry_ref: EntryRef, node: &mut Node) -> Result<Read<'v, Self::Entry>>;

    /// Returns the index of a string in the target tables.
    ///
    /// # Errors
    /// As [`Self::record`].
    fn string(&mut self, index: u32) -> Result<u32>;

    /// Returns the index of a resource in the target tables.
    ///
    /// # Errors
    /// As [`Self::record`].
    fn resource(&mut self, index: u32) -> Result<u32>;

    /// Adds an entry whose references are indices of the target tables.
    ///
    /// # Errors
    /// If the entry cannot be encoded, or the memory limit is reached.
    fn add(
        &mut self,
        entry_ref: EntryRef,
        entry: Self::Entry,
        encoding: (&'v Encoding, &'v Layout),
        node: &mut Node,
    ) -> Result<EntryRef>;

    /// As [`Visitor::cycle`].
    fn cycle(&self, entry_ref: EntryRef) -> Error;

    /// As [`Visitor::budget`].
    fn budget(&self) -> Option<&Budget>;

    /// # Errors
    /// As [`Visitor::poll`].
    fn poll(&self) -> Result<()>;
}

/// Copies an entry and everything that it refers to.
///
/// # Errors
/// Errors of the importer, and an error for a cycle.
pub(crate) fn import<'v, I: Importer<'v>>(importer: I, root: EntryRef) -> Result<EntryRef> {
    import_with(importer, root, &mut ImportMemory::default())
}

/// Memory that many imports share.
#[derive(Debug, Default)]
pub(crate) struct ImportMemory {
    node: Node,
    traversal: Traversal,
}

/// As [`import`].
///
/// # Errors
/// As [`import`].
pub(crate) fn import_with<'v, I: Importer<'v>>(
    importer: I,
    root: EntryRef,
    memory: &mut ImportMemory,
) -> Result<EntryRef> {
    let mut import = Import { importer, node: std::mem::take(&mut memory.node), last: None };
    let visited = visit_with(&mut import, root, &mut memory.traversal);
    memory.node = import.node;
    visited.map(|()| import.importer.copy_of(root).unwrap_or(root))
}

/// Replaces the indices in the fields of an entry by indices of the target tables. Every attribute and type
/// that the entry refers to has a copy.
///
/// # Errors
/// Errors of the importer.
pub(crate) fn renumber<'v>(importer: &mut impl Importer<'v>, node: &mut Node) -> Result<()> {
    node.renumber(|index| {
        let copy = |entry_ref| importer.copy_of(entry_ref).unwrap_or(entry_ref).index();
        match index {
            TableIndex::Attribute(index) => Ok(copy(EntryRef::Attribute(AttrId::new(index)))),
            TableIndex::Type(index) => Ok(copy(EntryRef::Type(TypeId::new(index)))),
            TableIndex::String(index) => importer.string(index),
            TableIndex::Resource(index) => importer.resource(index),
        }
    })
}

/// The traversal of an importer, with the entry that was read last.
struct Import<'v, I: Importer<'v>> {
    importer: I,
    node: Node,
    last: Option<Read<'v, I::Entry>>,
}

impl<'v, I: Importer<'v>> Visitor for Import<'v, I> {
    #[inline]
    fn is_done(&self, entry_ref: EntryRef) -> bool {
        self.importer.copy_of(entry_ref).is_some()
    }

    fn read(&mut self, entry_ref: EntryRef, references: &mut Vec<EntryRef>) -> Result<()> {
        let read = self.importer.read(entry_ref, &mut self.node)?;
        if let Read::Fields(_, _, layout) = &read {
            primitive::references(layout, &self.node, |to, _, _| {
                if self.importer.copy_of(to).is_none() {
                    references.push(to);
                }
            });
        }
        self.last = Some(read);
        Ok(())
    }

    fn visit(&mut self, entry_ref: EntryRef) -> Result<()> {
        let copy = match self.last.take() {
            None => return Ok(()),
            Some(Read::Added(copy)) => copy,
            Some(Read::Fields(entry, encoding, layout)) => {
                renumber(&mut self.importer, &mut self.node)?;
                self.importer.add(entry_ref, entry, (encoding, layout), &mut self.node)?
            }
        };
        self.importer.record(entry_ref, copy)
    }

    fn cycle(&self, entry_ref: EntryRef) -> Error {
        self.importer.cycle(entry_ref)
    }

    fn budget(&self) -> Option<&Budget> {
        self.importer.budget()
    }

    fn poll(&self) -> Result<()> {
        self.importer.poll()
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;
    use crate::wire::error::ErrorKind;
    use crate::wire::limits::Limits;
    use proptest::prelude::*;

    /// The references of each attribute, and the attributes that were visited.
    struct Graph {
        references: Vec<Vec<u32>>,
        visited: Vec<u32>,
        is_done: Vec<bool>,
        reads: usize,
        budget: Budget,
        polls: Cell<u32>,
        most_polls: u32,
    }

    impl Graph {
        fn new(references: Vec<Vec<u32>>, max_memory: u64) -> Self {
            let budget = Limits { max_memory: Some(max_memory), ..Limits::default() }.budget(0);
            let is_done = vec![false; references.len()];
            let visited = Vec::new();
            Self { references, visited, is_done, reads: 0, budget, polls: Cell::new(0), most_polls: u32::MAX }
        }

        /// Creates a graph in which each entry refers to the next.
        fn chain(len: u32, max_memory: u64) -> Self {
            let next = |row| if row + 1 < len { vec![row + 1] } else { Vec::new() };
            Self::new((0..len).map(next).collect(), max_memory)
        }

        fn visit_all(&mut self) -> Result<()> {
            visit_after_references(self, EntryRef::Attribute(AttrId::new(0)))
        }
    }

    impl Visitor for Graph {
        fn is_done(&self, entry_ref: EntryRef) -> bool {
            self.is_done[entry_ref.index() as usize]
        }

        fn read(&mut self, entry_ref: EntryRef, references: &mut Vec<EntryRef>) -> Result<()> {
            self.reads += 1;
            let all = self.references[entry_ref.index() as usize]
                .iter()
                .map(|&to| EntryRef::Attribute(AttrId::new(to)));
            references.extend(all.filter(|&to| !self.is_done(to)));
            Ok(())
        }

        fn visit(&mut self, entry_ref: EntryRef) -> Result<()> {
            self.visited.push(entry_ref.index());
            self.is_done[entry_ref.index() as usize] = true;
            Ok(())
        }

        fn cycle(&self, _: EntryRef) -> Error {
            Error::message(ErrorKind::EntryCycle, "a cycle")
        }

        fn budget(&self) -> Option<&Budget> {
            Some(&self.budget)
        }

        fn poll(&self) -> Result<()> {
            self.polls.set(self.polls.get() + 1);
            match self.polls.get() > self.most_polls {
                true => Err(Error::message(ErrorKind::Interrupted, "stopped")),
                false => Ok(()),
            }
        }
    }

    proptest! {
        #[test]
        fn references_come_first_and_each_entry_is_read_at_most_twice(
            rows in prop::collection::vec(prop::collection::vec(any::<prop::sample::Index>(), 0..4), 1..40),
        ) {
            // Every entry refers to later ones only.
            let len = rows.len();
            let later = |(row, to): (usize, &Vec<prop::sample::Index>)| match len - row - 1 {
                0 => Vec::new(),
                left => to.iter().map(|to| (row + 1 + to.index(left)) as u32).collect(),
            };
            let mut graph = Graph::new(rows.iter().enumerate().map(later).collect(), 1 << 20);
            graph.visit_all().unwrap();
            let place = |entry_ref: u32| graph.visited.iter().position(|&visited| visited == entry_ref);
            for (index, &entry_ref) in graph.visited.iter().enumerate() {
                prop_assert_eq!(place(entry_ref), Some(index));
                for &to in &graph.references[entry_ref as usize] {
                    prop_assert!(place(to).unwrap() < index);
                }
            }
            prop_assert!(graph.reads <= 2 * graph.visited.len());
        }
    }

    #[test]
    fn an_entry_that_contains_itself_is_an_error() {
        for references in [vec![vec![0]], vec![vec![1], vec![2], vec![3], vec![1]]] {
            let error = Graph::new(references, 1 << 20).visit_all().unwrap_err();
            assert_eq!(error.kind(), ErrorKind::EntryCycle);
        }
        // A repeated reference is not a cycle.
        Graph::new(vec![vec![1, 1, 2], vec![2, 2], Vec::new()], 1 << 20).visit_all().unwrap();
    }

    #[test]
    fn a_deep_graph_is_charged_and_can_be_stopped() {
        Graph::chain(100_000, 16 << 20).visit_all().unwrap();
        let error = Graph::chain(100_000, 1 << 20).visit_all().unwrap_err();
        assert_eq!(error.kind(), ErrorKind::MemoryLimit);
        // The memory of the traversal is returned to the budget.
        let mut graph = Graph::chain(10_000, 1 << 20);
        graph.visit_all().unwrap();
        graph.budget.spend(1 << 20).unwrap();
        let mut graph = Graph { most_polls: 3, ..Graph::chain(100_000, 16 << 20) };
        assert_eq!(graph.visit_all().unwrap_err().kind(), ErrorKind::Interrupted);
    }
}
