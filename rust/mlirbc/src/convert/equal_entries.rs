//! Decides whether entries of two files are equal, as both are encoded.
//!
//! Entries refer to other entries, and all their texts together may be longer than the file squared; here
//! each pair is compared once.

use std::collections::HashSet;

use crate::dialect::entries::{Entries, EntryRef};
use crate::dialect::node::{Field, Node};
use crate::file::FileEntries;
use crate::wire::error::Result;
use crate::wire::limits::Budget;

/// Pairs of equal entries of two files.
#[derive(Default)]
pub(super) struct EqualEntries {
    known: HashSet<[EntryRef; 2], foldhash::fast::RandomState>,
}

impl EqualEntries {
    /// Whether two entries have equal encodings. Entries with different encodings may still mean the same.
    ///
    /// # Errors
    /// If the memory limit does not allow it.
    pub(super) fn contains(
        &mut self,
        entries: &[FileEntries<'_>; 2],
        pair: [EntryRef; 2],
        budget: &Budget,
    ) -> Result<bool> {
        // Entries may refer to each other, so a pair in question is taken for equal.
        let mut supposed: HashSet<_, foldhash::fast::RandomState> = HashSet::default();
        let mut waiting = vec![pair];
        let mut nodes = [Node::default(), Node::default()];
        while let Some(pair) = waiting.pop() {
            if self.known.contains(&pair) || supposed.contains(&pair) {
                continue;
            }
            budget.spend(4 * size_of::<[EntryRef; 2]>())?;
            supposed.insert(pair);
            if !have_equal_fields(entries, pair, &mut nodes, &mut waiting) {
                return Ok(false);
            }
        }
        self.known.extend(supposed);
        Ok(true)
    }

    /// Adds a pair with other encodings and the same meaning.
    ///
    /// # Errors
    /// If the memory limit does not allow it.
    pub(super) fn insert(&mut self, pair: [EntryRef; 2], budget: &Budget) -> Result<()> {
        budget.spend(4 * size_of::<[EntryRef; 2]>())?;
        self.known.insert(pair);
        Ok(())
    }
}

/// Whether two entries have equal fields; the pairs that they refer to are added to `references`.
fn have_equal_fields(
    [first, second]: &[FileEntries<'_>; 2],
    pair: [EntryRef; 2],
    [node, other_node]: &mut [Node; 2],
    references: &mut Vec<[EntryRef; 2]>,
) -> bool {
    let (Some(entry), Some(other)) = (first.entry(pair[0]), second.entry(pair[1])) else { return false };
    if entry.dialect != other.dialect || entry.is_text != other.is_text {
        return false;
    }
    if entry.is_text {
        return entry.data == other.data;
    }
    let forms = (entry.decode(pair[0], first, node), other.decode(pair[1], second, other_node));
    let (Ok(Some((form, layout))), Ok(Some((other_form, other_layout)))) = forms else { return false };
    let fields = (node.all(), other_node.all());
    let is_same_form = form.code == other_form.code && layout == other_layout;
    is_same_form
        && fields.0.len() == fields.1.len()
        && fields.0.iter().zip(fields.1).all(|(&field, &other_field)| match (field, other_field) {
            (Field::Attribute(index, _), Field::Attribute(other, _)) => {
                references.push([EntryRef::Attribute(index), EntryRef::Attribute(other)]);
                true
            }
            (Field::Type(index, _), Field::Type(other, _)) => {
                references.push([EntryRef::Type(index), EntryRef::Type(other)]);
                true
            }
            (Field::String(index), Field::String(other)) => first.string(index) == second.string(other),
            (Field::Resource(index), Field::Resource(other)) => {
                first.resource_key(index) == second.resource_key(other)
            }
            (Field::Blob(_), Field::Blob(_)) => {
                node.blob(field, entry.data) == other_node.blob(other_field, other.data)
            }
            // Wide numbers are compared as texts.
            (Field::Words { .. }, _) => false,
            (field, other_field) => field == other_field,
        })
}
