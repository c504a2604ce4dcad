//! Pairs of symbols with different names: symbols with the same content, with mostly the same operations, or
//! the only public functions.

use std::collections::HashMap;

use crate::attr::digest::Digest;
use crate::ir::OpId;
use crate::ir::body::Body;
use crate::wire::error::Result;

use super::compared_module::{ComparedModule, short};

/// The number of hashes that represent the operations of a symbol: the smallest ones.
const SKETCH: usize = 64;
/// A hash that more symbols than this share does not distinguish symbols.
const FREQUENT: usize = 16;

/// Returns pairs of positions in the two lists of symbol operations.
pub(super) fn similar(
    a: (&mut ComparedModule<'_, '_>, &Body, &[u32]),
    b: (&mut ComparedModule<'_, '_>, &Body, &[u32]),
) -> Result<Vec<(usize, usize)>> {
    if a.2.is_empty() || b.2.is_empty() {
        return Ok(Vec::new());
    }
    let (sketches_a, sketches_b) = (sketches(a)?, sketches(b)?);
    let mut by_content: HashMap<(u32, Digest), Vec<usize>> = HashMap::new();
    let mut by_hash: HashMap<u64, Vec<usize>> = HashMap::new();
    for (place, sketch) in sketches_a.iter().enumerate().rev() {
        by_content.entry((sketch.ops, sketch.content)).or_default().push(place);
        for &hash in &sketch.hashes {
            by_hash.entry(hash).or_default().push(place);
        }
    }
    let mut is_taken: Vec<_> = sketches_a.iter().map(|_| false).collect();
    let (mut pairs, mut left) = (Vec::new(), Vec::new());
    for (place, sketch) in sketches_b.iter().enumerate() {
        let same = by_content.get_mut(&(sketch.ops, sketch.content)).filter(|_| sketch.ops > 0);
        match same.and_then(Vec::pop) {
            Some(candidate) => {
                is_taken[candidate] = true;
                pairs.push((candidate, place));
            }
            None => left.push(place),
        }
    }
    for place in left {
        let sketch = &sketches_b[place];
        let mut shared: HashMap<usize, usize> = HashMap::new();
        for hash in &sketch.hashes {
            let candidates = by_hash.get(hash).map_or(&[][..], |places| places);
            for &candidate in candidates.iter().filter(|&&candidate| !is_taken[candidate]).take(FREQUENT) {
                *shared.entry(candidate).or_default() += 1;
            }
        }
        let best = shared.into_iter().max_by_key(|&(candidate, count)| (count, std::cmp::Reverse(candidate)));
        if let Some((candidate, count)) = best
            && 2 * count > sketch.hashes.len().max(sketches_a[candidate].hashes.len())
        {
            is_taken[candidate] = true;
            pairs.push((candidate, place));
        }
    }
    Ok(pairs)
}

impl ComparedModule<'_, '_> {
    /// Returns the position of the only function that other modules can call; `None` if there are several.
    pub(super) fn only_public_function(&mut self, body: &Body, rows: &[u32]) -> Result<Option<usize>> {
        let mut only = None;
        for (place, &row) in rows.iter().enumerate() {
            let named = self.signatures.attributes(body, OpId::new(row))?;
            let find = |name: &[u8]| named.iter().find(|named| *named.name == *name);
            if find(b"function_type").is_none() {
                continue;
            }
            let visibility = find(b"sym_visibility").map(|named| self.attribute(named)).transpose()?;
            let is_hidden =
                visibility.is_some_and(|text| text.contains("\"private\"") || text.contains("\"nested\""));
            if !is_hidden && only.replace(place).is_some() {
                return Ok(None);
            }
        }
        Ok(only)
    }
}

struct Sketch {
    ops: u32,
    content: Digest,
    hashes: Vec<u64>,
}

fn sketches((side, body, rows): (&mut ComparedModule<'_, '_>, &Body, &[u32])) -> Result<Vec<Sketch>> {
    let mut sketches = Vec::new();
    for &row in rows {
        let Some(child) = body.child(OpId::new(row)) else {
            sketches.push(Sketch { ops: 0, content: Digest::default(), hashes: Vec::new() });
            continue;
        };
        let content = side.bodies.digest(child.body);
        let inner = side.body(child.body)?;
        let mut hashes = side.hashes(child.body)?.whole;
        // The kind of the operation; a function is never a new version of a global.
        let name = short(&crate::attr::digest::of_bytes(
            side.signatures.name(body.op_name[row as usize]).as_bytes(),
        ));
        hashes.iter_mut().for_each(|hash| *hash ^= name);
        hashes.sort_unstable();
        hashes.dedup();
        hashes.truncate(SKETCH);
        sketches.push(Sketch { ops: inner.len() as u32, content, hashes });
    }
    Ok(sketches)
}
