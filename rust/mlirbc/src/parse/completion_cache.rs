//! A cache of completions: the types and attributes that are added to an operation after its custom form was parsed.
//!
//! Types that the text omits, sizes of groups, and defaults follow from the name, the numbers of operands, the types and the
//! attributes alone, so they are computed once for each combination.

use std::collections::{HashMap, HashSet};
use std::hash::BuildHasher;

use crate::attr::text::parse::Parsed;
use crate::format::id::TypeId;

use super::custom::Custom;
use super::frames::{AsmParser, NONE, Pending};

/// The completions of operations without regions, by their parts.
#[derive(Debug, Default)]
pub(in crate::parse) struct CompletionCache {
    rows: HashMap<Box<[u32]>, Completed, foldhash::fast::RandomState>,
    /// Combinations that occurred once, by their hashes.
    seen: HashSet<u64, foldhash::fast::RandomState>,
    /// The key that was looked up last.
    key: Vec<u32>,
    /// The number of combinations that were added for each operation, by the number of its name.
    added: HashMap<u32, u32, foldhash::fast::RandomState>,
}

#[derive(Debug)]
struct Completed {
    operand_types: Box<[TypeId]>,
    result_types: Box<[TypeId]>,
    attributes: Box<[(u32, u32)]>,
}

/// An operation with more combinations probably differs each time, as constants do.
const MOST_FOR_AN_OPERATION: u32 = 256;

impl<'t> AsmParser<'t> {
    /// Completes an operation from the cache, and returns the types of its operands and results; `None` if the cache has no
    /// operation with the same parts.
    pub(super) fn cached_completion(
        &mut self,
        pending: &mut Pending<'t>,
        custom: &mut Custom<'t>,
    ) -> Option<(Vec<TypeId>, Vec<TypeId>)> {
        let key = &mut self.completions.key;
        key.clear();
        key.push(pending.info.index);
        let list = |key: &mut Vec<u32>, types: &Option<Vec<TypeId>>| match types {
            None => key.push(NONE),
            Some(types) => {
                key.push(types.len() as u32);
                key.extend(types.iter().map(|r#type| r#type.number()));
            }
        };
        key.push(custom.all_operands.as_ref().map_or(NONE, |all| all.len() as u32));
        key.extend(custom.operands.iter().map(|row| row.len() as u32));
        custom.operand_types.iter().for_each(|types| list(key, types));
        custom.result_types.iter().for_each(|types| list(key, types));
        list(key, &custom.all_operand_types);
        list(key, &custom.all_result_types);
        key.extend(pending.attributes.iter().flat_map(|&(name, value)| [name, value]));
        let rows = self.completions.rows.get(&key[..])?;
        let mut types = self.spare_lists.pop().unwrap_or_default();
        types.extend_from_slice(&rows.operand_types);
        let mut results = self.spare_lists.pop().unwrap_or_default();
        results.extend_from_slice(&rows.result_types);
        pending.attributes.clear();
        pending.attributes.extend_from_slice(&rows.attributes);
        match &mut custom.all_operands {
            Some(all) => pending.operands.append(all),
            None => pending.operands.extend(custom.operands.iter_mut().flat_map(|row| row.drain(..))),
        }
        Some((types, results))
    }

    /// Adds the completion of the operation that was looked up last.
    pub(super) fn cache_completion(
        &mut self,
        pending: &Pending<'t>,
        types: &[TypeId],
        results: &[TypeId],
    ) -> Parsed<()> {
        let CompletionCache { rows, seen, key, added } = &mut self.completions;
        let added = added.entry(pending.info.index).or_default();
        if *added >= MOST_FOR_AN_OPERATION {
            return Ok(());
        }
        // Most combinations of a text of many kinds never occur again.
        if seen.insert(rows.hasher().hash_one(&key[..])) {
            self.editor.tables.budget.spend(2 * size_of::<u64>())?;
            *added += 1;
            return Ok(());
        }
        let words = key.len() + types.len() + results.len() + 2 * pending.attributes.len();
        self.editor.tables.budget.spend(4 * words + size_of::<Completed>() + 32)?;
        let completed = Completed {
            operand_types: types.into(),
            result_types: results.into(),
            attributes: pending.attributes[..].into(),
        };
        rows.insert(key[..].into(), completed);
        Ok(())
    }
}
