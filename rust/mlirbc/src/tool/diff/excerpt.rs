//! The texts of the operations of a difference. Operations of one region are printed together, so that its
//! values are named once.

use std::collections::HashMap;

use crate::ir::{BodyId, Module, OpId, Operation};
use crate::print::excerpts;
use crate::wire::error::Result;

use super::walk::{OpPosition, RawChange, RawHunk, RawLine};
use super::{Change, Hunk, Line, Site};

/// The limit on the bytes of an operation's text.
const TEXT: u64 = 600;
/// The limit on the bytes of a path.
const PATH: usize = 1000;
/// The limit on naming work. Naming values costs as much as their whole body; texts are reduced to names once
/// this many operations were visited for each operation of the module.
const NAMINGS: usize = 8;

type Texts = HashMap<OpPosition, String>;

pub(super) fn texts(
    before: &Module,
    after: &Module,
    raws: Vec<RawChange>,
    hunks: Vec<RawHunk>,
) -> Result<(Vec<Change>, Vec<Hunk>)> {
    let of_before = print(before, raws.iter().filter_map(|raw| raw.before))?;
    let same = hunks.iter().flat_map(|hunk| &hunk.lines).filter_map(|line| match line {
        RawLine::Same(place) => Some(*place),
        RawLine::Change(_) => None,
    });
    let of_after = print(after, raws.iter().filter_map(|raw| raw.after).chain(same))?;
    let site = |module: &Module, texts: &Texts, place: Option<OpPosition>| {
        let place = place?;
        let op = Operation::from_ids(module, place.0, OpId::new(place.1))?;
        let path = crate::wire::error::cut(&op.path(), PATH);
        Some(Site { path, text: texts.get(&place).cloned().unwrap_or_default() })
    };
    let changes = raws.into_iter().map(|raw| Change {
        kind: raw.kind,
        symbol: raw.symbol.to_string(),
        before: site(before, &of_before, raw.before),
        after: site(after, &of_after, raw.after),
        details: raw.details,
    });
    let changes = changes.collect();
    let hunks = hunks.into_iter().map(|hunk| Hunk {
        symbol: hunk.symbol.to_string(),
        lines: hunk
            .lines
            .into_iter()
            .map(|line| match line {
                RawLine::Same(place) => Line::Same(of_after.get(&place).cloned().unwrap_or_default()),
                RawLine::Change(number) => Line::Change(number),
            })
            .collect(),
    });
    Ok((changes, hunks.collect()))
}

fn print(module: &Module, places: impl Iterator<Item = OpPosition>) -> Result<Texts> {
    let mut groups: HashMap<(BodyId, u32), Vec<Operation<'_>>> = HashMap::new();
    let mut texts = Texts::new();
    for (body, row) in places {
        if let Some(op) = Operation::from_ids(module, body, OpId::new(row))
            && texts.insert((body, row), String::new()).is_none()
        {
            groups.entry((body, op.block().region().id().number())).or_default().push(op);
        }
    }
    let mut order: Vec<_> = groups.into_values().collect();
    crate::wire::order::sort_by(&mut order, |one, other| {
        let key = |ops: &[Operation<'_>]| ops.first().map(|op| (op.body_id(), op.id()));
        key(one).cmp(&key(other))
    });
    let mut remaining_cost = order.first().map_or(0, |ops| ops.first().map_or(0, |op| op.columns().len()));
    remaining_cost = remaining_cost.saturating_mul(NAMINGS).saturating_add(4 << 20);
    for ops in order {
        let cost = ops.first().map_or(0, |op| op.columns().len()) + 1000;
        let lines = match remaining_cost.checked_sub(cost) {
            Some(rest) => {
                remaining_cost = rest;
                excerpts(&ops, TEXT)?
            }
            None => ops.iter().map(|op| format!("\"{}\"", op.name())).collect(),
        };
        for (op, line) in ops.iter().zip(lines) {
            texts.insert((op.body_id(), op.id().number()), line);
        }
    }
    Ok(texts)
}
