//! Types and attributes that the end of a custom form adds, remembered for the next operation with the same parts.
//!
//! Types that the text does not have, sizes of groups, and defaults follow from the name, the numbers of operands, the
//! types and the attributes alone, so they are computed once for each combination.

use std::collections::{HashMap, HashSet};
use std::hash::BuildHasher;

use crate::attr::text::parse::Parsed;
use crate::format::id::TypeId;

use super::custom::Custom;
use super::frames::{AsmParser, NONE, Pending};

/// The operations without regions that were completed so far.
#[derive(Debug, Default)]
pub(in crate::parse) struct Remembered {
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
    /// The types of operands and results, if an operation with the same parts was completed before; then this one is
    /// complete, too.
    pub(super) fn remembered(
        &mut self,
        pending: &mut Pending<'t>,
        custom: &mut Custom<'t>,
    ) -> Option<(Vec<TypeId>, Vec<TypeId>)> {
        let key = &mut self.remembered.key;
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
        let rows = self.remembered.rows.get(&key[..])?;
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

    /// Keeps what completed the operation that was looked up last.
    pub(super) fn remember(
        &mut self,
        pending: &Pending<'t>,
        types: &[TypeId],
        results: &[TypeId],
    ) -> Parsed<()> {
        let Remembered { rows, seen, key, added } = &mut self.remembered;
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
