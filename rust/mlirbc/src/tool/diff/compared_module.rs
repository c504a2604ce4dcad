//! A module of a comparison: hashes of each operation with its attributes and regions, but without
//! operands.

use std::collections::HashMap;

use crate::attr::digest::Digest;
use crate::format::id::AttrId;
use crate::ir::body::Body;
use crate::ir::{BodyId, Module, OpId, RegionId};
use crate::tool::hash::{Bodies, HashOptions, Signatures};
use crate::wire::error::Result;
use crate::wire::steps;

use super::align::Key;

/// The state of a comparison for one of the two modules.
pub(super) struct ComparedModule<'c, 'm> {
    pub(super) module: &'m Module,
    pub(super) signatures: Signatures<'c, 'm>,
    pub(super) bodies: Bodies,
    options: HashOptions,
}

/// Hashes of the ops of a body.
pub(super) struct Hashes {
    /// By op: the hash of the op with its regions.
    pub(super) whole: Vec<u64>,
    /// The ops with a symbol name.
    pub(super) symbols: Vec<u32>,
}

/// Mixes a number into a hash. The numbers are truncated SHA-256 digests, or hashes made from them.
#[inline]
pub(super) fn mix(hash: u64, number: u64) -> u64 {
    let wide = u128::from(hash ^ 0x9e37_79b9_7f4a_7c15) * u128::from(number ^ 0xd6e8_feb8_6659_fd93 | 1);
    (wide as u64) ^ ((wide >> 64) as u64) ^ number.rotate_left(29)
}

pub(super) fn short(digest: &Digest) -> u64 {
    digest.first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes))
}

impl<'c, 'm> ComparedModule<'c, 'm> {
    pub(super) fn new(
        module: &'m Module,
        options: HashOptions,
        signatures: Signatures<'c, 'm>,
        bodies: Bodies,
    ) -> Self {
        Self { module, signatures, bodies, options }
    }

    /// Hashes the ops of a body from the last to the first, so that nested ops are hashed before the op
    /// around them.
    pub(super) fn hashes(&mut self, id: BodyId) -> Result<Hashes> {
        let body = self.module.body(id)?;
        self.signatures.spend(body.len() * size_of::<u64>())?;
        let mut whole = vec![0_u64; body.len()];
        let mut symbols = Vec::new();
        for row in (0..body.len() as u32).rev() {
            steps::count(1);
            let op = OpId::new(row);
            let (signature, has_symbol) = self.signatures.with_symbol(body, row)?;
            if has_symbol {
                symbols.push(row);
            }
            let mut hash = short(&signature);
            if self.options.locations {
                hash =
                    mix(hash, short(&self.signatures.location(AttrId::new(body.op_location[op.index()]))?));
            }
            let (results, operands) = (body.results(op), body.operand_rows(op));
            hash = mix(hash, (results.len() as u64) << 32 | operands.len() as u64);
            for result in results {
                hash = mix(hash, short(&self.signatures.r#type(body.result_type[result as usize])?));
            }
            for operand in operands {
                let operand_type = body.type_of(body.operands[operand as usize]);
                hash = mix(hash, short(&self.signatures.r#type(operand_type)?));
            }
            if let Some(detail) = body.detail(op) {
                hash = mix(hash, u64::from(detail.successors) << 32 | u64::from(detail.regions));
                if detail.regions == 0 {
                } else if let Some(digest) = self.bodies.of_regions(id, body, op) {
                    hash = mix(hash, short(&digest));
                } else {
                    let regions = &body.op_regions[detail.first_region as usize..][..detail.regions as usize];
                    for &region in regions {
                        for &block in body.blocks_of(RegionId::new(region)) {
                            hash = mix(hash, self.block(body, block, &whole)?);
                        }
                        hash = mix(hash, 1);
                    }
                }
            }
            whole[row as usize] = hash;
        }
        symbols.reverse();
        Ok(Hashes { whole, symbols })
    }

    /// Returns the hash of a block whose ops are hashed already.
    pub(super) fn block(&mut self, body: &Body, block: u32, whole: &[u64]) -> Result<u64> {
        let row = &body.blocks[block as usize];
        let mut hash = mix(u64::from(row.arguments), u64::from(row.ops));
        for place in row.first_argument..row.first_argument + row.arguments {
            hash = mix(hash, short(&self.signatures.r#type(body.argument_type[place as usize])?));
            if self.options.locations {
                let location = body.argument_location[place as usize];
                hash = mix(hash, short(&self.signatures.location(AttrId::new(location))?));
            }
        }
        for op in ops(body, block) {
            hash = mix(hash, whole[op as usize]);
        }
        Ok(hash)
    }

    /// Returns the keys by which ops are aligned.
    pub(super) fn keys(&self, body: &Body, rows: &[u32], hashes: &Hashes) -> Vec<Key> {
        let mut names: HashMap<u32, u64> = HashMap::new();
        let mut key = |&row: &u32| {
            let name = body.op_name[row as usize];
            let hash = || {
                let name = self.signatures.name(name);
                name.bytes().fold(name.len() as u64, |hash, byte| mix(hash, byte.into()))
            };
            Key { whole: hashes.whole[row as usize], sort: *names.entry(name).or_insert_with(hash) }
        };
        rows.iter().map(&mut key).collect()
    }

    pub(super) fn body(&self, id: BodyId) -> Result<&'m Body> {
        self.module.body(id)
    }
}

/// Returns the ops of a block, without nested ops.
pub(super) fn ops(body: &Body, block: u32) -> impl Iterator<Item = u32> + '_ {
    let row = &body.blocks[block as usize];
    let mut next = row.first_op;
    (0..row.ops).map(move |_| {
        let op = next;
        next = body.end_of(OpId::new(op)).number();
        op
    })
}
