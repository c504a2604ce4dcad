//! Facts that a file stores and the text of its operations does not show: dialect versions, registered bits,
//! isolated bodies, and orders of uses.
//!
//! Owns their digest. Content keys cover it only on request, because bytecode versions and releases differ in which of
//! these facts they store.

use std::collections::HashMap;
use std::ops::Range;

use sha2::{Digest as _, Sha256};

use crate::attr::digest::{Digest, finish, of_bytes};
use crate::format::id::OpNameId;
use crate::ir::UseOrder;
use crate::ir::body::Body;
use crate::ir::uses::UseIndex;
use crate::ir::{Module, OpId};
use crate::wire::error::Result;
use crate::wire::limits::Budget;

/// Returns the digest of the facts about a body, without nested bodies.
///
/// # Errors
/// If an order of uses is malformed, or the memory limit does not allow it.
pub(super) fn of_body(module: &Module, body: &Body, budget: &Budget) -> Result<Digest> {
    let mut sha = Sha256::new();
    sha.update(of_operations(module, body, 0..body.len() as u32));
    if body.use_lists.is_empty() {
        return Ok(finish(sha));
    }
    budget.spend(UseIndex::cost(body))?;
    let index = UseIndex::build(body);
    let mut values: Vec<_> = body.use_lists.iter().map(|order| order.value).collect();
    values.sort_unstable();
    values.dedup();
    for value in values {
        let uses = index.uses(body, value, UseOrder::Stored)?;
        // The order in which uses are read needs no entry.
        if uses.is_sorted_by(|newer, older| newer > older) {
            continue;
        }
        sha.update(value.to_bits().to_le_bytes());
        uses.iter().for_each(|operand| sha.update(operand.to_le_bytes()));
    }
    Ok(finish(sha))
}

/// Returns the digest of the registered bits of operations, and of which operations have bodies of their own.
pub(super) fn of_operations(module: &Module, body: &Body, rows: Range<u32>) -> Digest {
    let mut sha = Sha256::new();
    for row in rows {
        let op = OpId::new(row);
        let name = body.op_name.get(op.index()).copied().unwrap_or_default();
        let registered = match module.op_name(OpNameId::new(name)).and_then(|name| name.is_registered) {
            None => 0,
            Some(false) => 1,
            Some(true) => 2,
        };
        sha.update([registered, body.child(op).is_some().into()]);
    }
    finish(sha)
}

/// Adds the versions of dialects to a key.
///
/// # Errors
/// If the dialect section is malformed, or the memory limit does not allow it.
pub(super) fn versions(module: &Module, sha: &mut Sha256) -> Result<()> {
    let budget = module.tables().work_budget();
    budget.spend(module.dialects()?.len().saturating_mul(6 * size_of::<Digest>()))?;
    // Several dialects may share one long name, which is hashed once.
    let mut names: HashMap<(usize, usize), Digest> = HashMap::new();
    let mut last: HashMap<Digest, Digest> = HashMap::new();
    for dialect in module.dialects()? {
        let place = (dialect.name.as_ptr() as usize, dialect.name.len());
        let name = *names.entry(place).or_insert_with(|| of_bytes(dialect.name));
        // If several dialects have one name, the last one applies, as in MLIR.
        match dialect.version {
            Some(version) => last.insert(name, of_bytes(&version)),
            None => last.remove(&name),
        };
    }
    let mut rows: Vec<_> = last.into_iter().collect();
    rows.sort_unstable();
    for (name, version) in rows {
        sha.update(name);
        sha.update(version);
    }
    Ok(())
}
