//! Content keys: hashes of the meaning of a module, independent of the bytes that store it.
//!
//! Owns [`content_key`], [`symbol_keys`], and the digests of bodies that `tool::diff` compares. One pass
//! hashes the operations of each body; an isolated operation is represented by its digest in the body around
//! it.

mod signature;
mod stored_facts;

use std::collections::HashMap;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

use sha2::{Digest as _, Sha256};

use crate::artifact::Artifact;
use crate::artifact::nested::without_nested_locations;
use crate::attr::digest::{Digest, finish, of_bytes, of_resource};
use crate::edit::Editor;
use crate::format::id::AttrId;
use crate::ir::body::{Body, NONE};
use crate::ir::{BodyId, Module, OpId, RegionId, ValueId};
use crate::wire::error::{Error, ErrorKind, Result};
use crate::wire::options::setters;
use crate::wire::steps;

pub(crate) use signature::{Common, NamedValue, Signatures};

/// The prefix of every key; a change to the spelling or the order of the hashed data needs a new prefix.
const PREFIX: &str = "mlirbc1:";

/// Facts that a key covers besides operations, attributes, types and resources.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct HashOptions {
    /// Cover the locations of operations and block arguments.
    pub locations: bool,
    /// Cover facts that a file stores and no text shows: the versions of dialects, whether operations were
    /// registered in the writer, which regions are bodies of their own, and the orders of uses. Bytecode
    /// versions differ in the facts they store.
    pub stored_facts: bool,
    /// Treat private symbols that only differ in their names as equal: they are numbered in the order of their
    /// symbol table. Declarations keep their names.
    pub rename_private: bool,
}

setters! {
    HashOptions {
        locations: bool,
        stored_facts: bool,
        rename_private: bool,
    }
}

impl HashOptions {
    // The first hashed byte, so that keys with different options differ.
    fn bits(self) -> u8 {
        u8::from(self.locations) | u8::from(self.stored_facts) << 1 | u8::from(self.rename_private) << 2
    }
}

/// Returns a hash of the content of a module. It does not depend on the bytecode version, the release, the
/// order of tables and the producer of the file, nor on locations unless the options include them.
///
/// All operations and the data of all resources are read.
///
/// # Errors
/// If the module is malformed, or a limit is exceeded.
///
/// ```
/// use mlirbc::tool::{HashOptions, content_key};
/// let module = mlirbc::Module::open("../../examples/two_layers.mlirbc")?;
/// let key = content_key(&module, HashOptions::default())?;
/// assert!(key.starts_with("mlirbc1:"));
/// assert_eq!(key.len(), 8 + 64);
/// # Ok::<(), mlirbc::Error>(())
/// ```
pub fn content_key(module: &Module, options: HashOptions) -> Result<String> {
    let comparable = comparable(module, options.locations, options.rename_private)?;
    let module = comparable.as_ref().unwrap_or(module);
    let bodies = Bodies::of_module(module, options, &AtomicBool::new(false))?;
    let mut sha = Sha256::new();
    sha.update([options.bits()]);
    sha.update(bodies.digest(BodyId::TOP_LEVEL));
    if options.stored_facts {
        stored_facts::versions(module, &mut sha)?;
    }
    let mut resources = module.tables().work_budget().vec(module.resources()?.len())?;
    for resource in module.resources()? {
        let names = [of_bytes(resource.group()), of_bytes(resource.key())];
        resources.push((names, of_resource(&resource)?));
    }
    resources.sort_unstable();
    for (names, digest) in resources {
        names.iter().for_each(|name| sha.update(name));
        sha.update(digest);
    }
    module.tables().unless_lost(Ok(shown(&sha.finalize())))
}

/// Returns a hash of the content of an artifact: of its modules, and of the fields of their container. The
/// key of a bytecode file is the key of its module, and compression does not change a key.
///
/// Fields are covered as they are stored, without the serialization version and the version of JAX that wrote them.
///
/// # Errors
/// If a module or the container is malformed, or a limit is exceeded.
///
/// ```
/// use mlirbc::Artifact;
/// use mlirbc::tool::{HashOptions, artifact_key, content_key};
/// let export = Artifact::open("../../examples/mlp.jax")?;
/// let key = artifact_key(&export, HashOptions::default())?;
/// assert_ne!(key, content_key(&export.module(0)?, HashOptions::default())?);
/// # Ok::<(), mlirbc::Error>(())
/// ```
pub fn artifact_key(artifact: &Artifact, options: HashOptions) -> Result<String> {
    if !artifact.has_fields() {
        return content_key(&artifact.module(0)?, options);
    }
    let mut sha = Sha256::new();
    sha.update(b"artifact");
    sha.update((artifact.modules().len() as u64).to_le_bytes());
    for index in 0..artifact.modules().len() {
        let key = content_key(&artifact.module(index)?, options);
        sha.update(key.map_err(|error| artifact.located(index, error))?);
    }
    for field in artifact.fields()? {
        sha.update((field.module as u64).to_le_bytes());
        sha.update(of_bytes(field.name.as_bytes()));
        sha.update(field.digest);
    }
    Ok(shown(&sha.finalize()))
}

/// Returns, for each operation in the top-level operation, its symbol (or its name and number) and its key.
///
/// # Errors
/// As [`content_key`].
///
/// ```
/// use mlirbc::tool::{HashOptions, symbol_keys};
/// let module = mlirbc::Module::open("../../examples/two_layers.mlirbc")?;
/// let keys = symbol_keys(&module, HashOptions::default())?;
/// assert_eq!(keys[0].0, "@dense");
/// # Ok::<(), mlirbc::Error>(())
/// ```
pub fn symbol_keys(module: &Module, options: HashOptions) -> Result<Vec<(String, String)>> {
    let comparable = comparable(module, options.locations, options.rename_private)?;
    let module = comparable.as_ref().unwrap_or(module);
    let common = Common::new(module)?;
    let (view, respell) = (common.view()?, |text: &[u8]| common.respelled(text));
    let mut signatures = Signatures::new(&common, &view, &respell)?;
    let bodies = Bodies::of(module, options, &mut signatures, &AtomicBool::new(false))?;
    let mut keys = Vec::new();
    let mut scopes = Scopes::new(module.top_level()?, &signatures)?;
    let mut body_id = BodyId::TOP_LEVEL;
    for (number, op) in top_level_operations(module)?.into_iter().enumerate() {
        let (body, id) = (op.columns(), op.id());
        if op.body_id() != body_id {
            body_id = op.body_id();
            scopes = Scopes::new(body, &signatures)?;
        }
        let depth = scopes.depth_of(body, id);
        let mut rows = RowHasher::new(body, &scopes, &bodies, options, Some(depth));
        let (_, digest) =
            rows.write(id.number()..body.end_of(id).number(), &mut signatures, &mut Vec::new())?;
        let mut sha = Sha256::new();
        sha.update([options.bits()]);
        sha.update(digest);
        if options.stored_facts {
            sha.update(stored_facts::of_operations(module, body, id.number()..body.end_of(id).number()));
        }
        let named = signatures.attributes(body, id)?;
        let name = match signatures.symbol_of(&named) {
            Some(name) => format!("@{name}"),
            None => format!("{}#{number}", op.name()),
        };
        common.budget.spend(name.len() + 128)?;
        keys.push((name, shown(&sha.finalize())));
    }
    module.tables().unless_lost(Ok(keys))
}

/// Returns the module in the form that is compared: unless locations count, the locations of its nested
/// modules are removed; private symbols get canonical names if their names do not count. `None` if that is the module
/// itself.
pub(crate) fn comparable(module: &Module, locations: bool, rename_private: bool) -> Result<Option<Module>> {
    let stripped = if locations { None } else { without_nested_locations(module)? };
    if !rename_private {
        return Ok(stripped);
    }
    let mut editor = Editor::new(stripped.clone().unwrap_or_else(|| module.clone()))?;
    match editor.rename_private_symbols()? {
        0 => Ok(stripped),
        _ => editor.into_module().map(Some),
    }
}

/// Returns the operations of the body of the module operation, or the operations of the top level if there
/// are several.
pub(crate) fn top_level_operations(module: &Module) -> Result<Vec<crate::ir::Operation<'_>>> {
    let tops: Vec<_> = module.top_level_block()?.operations().collect();
    if let [op] = tops[..]
        && let Some(region) = op.region(0)?
        && op.region_count() == 1
        && let Some(block) = region.block(0)
    {
        return Ok(block.operations().collect());
    }
    Ok(tops)
}

fn shown(digest: &[u8]) -> String {
    let mut text = PREFIX.to_owned();
    for byte in digest {
        for digit in [byte >> 4, byte & 15] {
            text.push(char::from_digit(digit.into(), 16).unwrap_or('0'));
        }
    }
    text
}

/// The digests of all regions of a module.
pub(crate) struct Bodies {
    bodies: HashMap<BodyId, Digest, foldhash::fast::RandomState>,
    /// Digests of operations whose regions are stored in the enclosing body although they use no value from
    /// outside. Releases differ in which such regions are bodies of their own; both representations have the
    /// same digest.
    inline: HashMap<(BodyId, u32), Digest, foldhash::fast::RandomState>,
}

impl Bodies {
    /// Hashes all bodies of a module; fails if `stop` is set before the end.
    pub(crate) fn of_module(module: &Module, options: HashOptions, stop: &AtomicBool) -> Result<Self> {
        let common = Common::new(module)?;
        let (view, respell) = (common.view()?, |text: &[u8]| common.respelled(text));
        Self::of(module, options, &mut Signatures::new(&common, &view, &respell)?, stop)
    }

    /// Decodes and hashes every body, nested ones first.
    ///
    /// # Errors
    /// If a body is malformed, or a limit is exceeded.
    pub(crate) fn of(
        module: &Module,
        options: HashOptions,
        signatures: &mut Signatures<'_, '_>,
        stop: &AtomicBool,
    ) -> Result<Self> {
        let mut order = vec![BodyId::TOP_LEVEL];
        let mut next = 0;
        while let Some(&id) = order.get(next) {
            next += 1;
            let body = module.body(id)?;
            signatures.spend(body.children.len() * 4 * size_of::<(BodyId, Digest)>())?;
            order.extend(body.children.iter().map(|child| child.body));
        }
        let mut this = Self { bodies: HashMap::default(), inline: HashMap::default() };
        for &id in order.iter().rev() {
            let body = module.body(id)?;
            let scopes = Scopes::new(body, signatures)?;
            let mut inline = Vec::new();
            let digest = {
                let mut rows = RowHasher::new(body, &scopes, &this, options, None);
                rows.regions(&body.root_regions, signatures)?;
                let (digest, _) = rows.write(0..body.len() as u32, signatures, &mut inline)?;
                digest
            };
            let digest = match options.stored_facts {
                true => {
                    let stored = stored_facts::of_body(module, body, &signatures.budget())?;
                    finish(Sha256::new().chain_update(digest).chain_update(stored))
                }
                false => digest,
            };
            this.bodies.insert(id, digest);
            signatures.spend(inline.len() * 2 * size_of::<((BodyId, u32), Digest)>())?;
            this.inline.extend(inline.into_iter().map(|(op, digest)| ((id, op), digest)));
            module.tables().check_interrupt()?;
            if stop.load(Ordering::Relaxed) {
                return Err(Error::message(
                    ErrorKind::Interrupted,
                    "the other module was not read to its end",
                ));
            }
        }
        Ok(this)
    }

    /// Returns the digest of the regions that a body consists of.
    pub(crate) fn digest(&self, id: BodyId) -> Digest {
        self.bodies.get(&id).copied().unwrap_or_default()
    }

    /// Returns the digest of the regions of an op, if they use no value from outside.
    pub(crate) fn of_regions(&self, id: BodyId, body: &Body, op: OpId) -> Option<Digest> {
        match body.child(op) {
            Some(child) => Some(self.digest(child.body)),
            None => self.inline.get(&(id, op.number())).copied(),
        }
    }
}

/// The numbers of values: each counts from the region of its operation, without nested regions.
struct Scopes {
    /// By region: the number of enclosing operations in the body.
    depths: Vec<u32>,
    /// By row; empty if there are no nested regions, so that the numbers are the rows.
    results: Vec<u32>,
    arguments: Vec<u32>,
}

impl Scopes {
    fn new(body: &Body, signatures: &Signatures<'_, '_>) -> Result<Self> {
        let regions = body.regions.len();
        if regions == body.root_regions.len() {
            return Ok(Self { depths: Vec::new(), results: Vec::new(), arguments: Vec::new() });
        }
        let values = body.result_type.len() + body.argument_type.len();
        signatures.spend((4 * regions + values) * size_of::<u32>())?;
        let (mut depths, mut scopes) = (vec![0_u32; regions], vec![0_usize; regions]);
        // Regions are in pre-order: outer ones come first.
        for (region, row) in body.regions.iter().enumerate() {
            if row.owner == NONE {
                scopes[region] = body.root_regions.first().copied().unwrap_or_default() as usize;
                continue;
            }
            let around = body.blocks[body.block_of(OpId::new(row.owner)).index()].region as usize;
            depths[region] = depths[around] + 1;
            let first = body.detail(OpId::new(row.owner)).map_or(0, |detail| detail.first_region);
            scopes[region] = body.op_regions.get(first as usize).copied().unwrap_or_default() as usize;
        }
        let mut next = vec![(0_u32, 0_u32); regions];
        let mut results = vec![0; body.result_type.len()];
        for (owner, number) in body.result_owners().zip(results.iter_mut()) {
            let block = body.block_of(owner).index();
            let next = &mut next[scopes[body.blocks[block].region as usize]].0;
            *number = *next;
            *next += 1;
        }
        let mut arguments = vec![0; body.argument_type.len()];
        for (row, number) in arguments.iter_mut().enumerate() {
            let block = body.argument_owner[row] as usize;
            let next = &mut next[scopes[body.blocks[block].region as usize]].1;
            *number = *next;
            *next += 1;
        }
        Ok(Self { depths, results, arguments })
    }

    fn depth_of(&self, body: &Body, op: OpId) -> u32 {
        if self.depths.is_empty() {
            return 0;
        }
        self.depths[body.blocks[body.block_of(op).index()].region as usize]
    }

    /// Returns the depth of a value, and its number at this depth.
    fn of(&self, body: &Body, value: ValueId) -> (u32, u32) {
        let row = value.row();
        if self.depths.is_empty() {
            return (0, row as u32);
        }
        if value.is_argument() {
            let region = body.blocks[body.argument_owner[row] as usize].region;
            return (self.depths[region as usize], self.arguments[row]);
        }
        (self.depth_of(body, body.result_owner(row).unwrap_or(OpId::new(0))), self.results[row])
    }
}

/// The bytes of this many operations are hashed at once.
const BUFFER: usize = 1 << 15;

/// Regions of an operation whose hash is incomplete.
struct OpenRegions {
    sha: Sha256,
    op: u32,
    end: u32,
    /// The outermost depth of the used values.
    outermost: u32,
}

/// Feeds rows of a body to a hash: their complete content, with values by their number.
struct RowHasher<'b> {
    body: &'b Body,
    scopes: &'b Scopes,
    bodies: &'b Bodies,
    options: HashOptions,
    /// The depth of the first row, and whether the rows are a part of the body.
    depth: u32,
    is_part: bool,
    buffer: Vec<u8>,
}

impl<'b> RowHasher<'b> {
    fn new(
        body: &'b Body,
        scopes: &'b Scopes,
        bodies: &'b Bodies,
        options: HashOptions,
        depth: Option<u32>,
    ) -> Self {
        let is_part = depth.is_some();
        Self { body, scopes, bodies, options, depth: depth.unwrap_or_default(), is_part, buffer: Vec::new() }
    }

    // The structure follows from the numbers of regions, blocks and operations, in pre-order.
    fn write(
        &mut self,
        rows: Range<u32>,
        signatures: &mut Signatures<'_, '_>,
        inline: &mut Vec<(u32, Digest)>,
    ) -> Result<(Digest, [u8; 32])> {
        let body = self.body;
        let base = body.result_start.get(rows.start as usize).copied().unwrap_or_default();
        let mut open =
            vec![OpenRegions { sha: Sha256::new(), op: NONE, end: rows.end, outermost: self.depth }];
        let mut deepest = 1;
        for row in rows {
            self.close(&mut open, row, inline);
            let op = OpId::new(row);
            self.buffer.extend_from_slice(&signatures.of(body, row)?);
            if self.options.locations {
                self.buffer
                    .extend_from_slice(&signatures.location(AttrId::new(body.op_location[op.index()]))?);
            }
            let (results, operands) = (body.results(op), body.operand_rows(op));
            self.number(results.len());
            self.number(operands.len());
            for result in results {
                self.buffer.extend_from_slice(&signatures.r#type(body.result_type[result as usize])?);
            }
            let depth = self.scopes.depth_of(body, OpId::new(row));
            for operand in operands {
                let value = body.operands[operand as usize];
                let (value_depth, mut number) = self.scopes.of(body, value);
                if self.is_part && value_depth == self.depth {
                    // The rows are a part of a scope: values of the scope count from the first of these rows.
                    number = (value.row() as u32).wrapping_sub(base);
                }
                if let Some(last) = open.last_mut() {
                    last.outermost = last.outermost.min(value_depth);
                }
                let kind = u32::from(value.is_argument());
                self.buffer.extend_from_slice(&(depth.wrapping_sub(value_depth) << 1 | kind).to_le_bytes());
                self.buffer.extend_from_slice(&number.to_le_bytes());
            }
            if let Some(detail) = body.detail(op) {
                self.number(detail.successors as usize);
                for place in 0..detail.successors {
                    let block = body.successors[(detail.first_successor + place) as usize];
                    self.buffer.extend_from_slice(&block.to_le_bytes());
                }
                self.number(detail.regions as usize);
                if let Some(child) = body.child(op) {
                    self.buffer.extend_from_slice(&self.bodies.digest(child.body));
                } else if detail.regions > 0 {
                    if open.len() > deepest {
                        deepest = open.len();
                        signatures.spend(2 * size_of::<OpenRegions>())?;
                    }
                    self.flush(&mut open);
                    open.push(OpenRegions {
                        sha: Sha256::new(),
                        op: row,
                        end: detail.end,
                        outermost: depth + 1,
                    });
                    let regions = &body.op_regions[detail.first_region as usize..][..detail.regions as usize];
                    self.regions(regions, signatures)?;
                }
            }
            steps::count(1);
            if self.buffer.len() >= BUFFER {
                self.flush(&mut open);
            }
        }
        self.close(&mut open, u32::MAX, inline);
        self.flush(&mut open);
        let sha = open.pop().map_or_else(Sha256::new, |open| open.sha);
        let whole: [u8; 32] = sha.finalize().into();
        Ok((whole.first_chunk().copied().unwrap_or_default(), whole))
    }

    // Ends the regions before a row; the digest of each is hashed in the region around it.
    fn close(&mut self, open: &mut Vec<OpenRegions>, row: u32, inline: &mut Vec<(u32, Digest)>) {
        while let [.., outer, last] = &mut open[..]
            && last.end <= row
        {
            outer.outermost = outer.outermost.min(last.outermost);
            last.sha.update(&self.buffer);
            self.buffer.clear();
            let Some(OpenRegions { sha, op, outermost, .. }) = open.pop() else { return };
            let digest = finish(sha);
            if outermost > self.scopes.depth_of(self.body, OpId::new(op)) {
                inline.push((op, digest));
            }
            self.buffer.extend_from_slice(&digest);
        }
    }

    fn flush(&mut self, open: &mut [OpenRegions]) {
        if let Some(last) = open.last_mut() {
            last.sha.update(&self.buffer);
        }
        self.buffer.clear();
    }

    fn regions(&mut self, regions: &[u32], signatures: &mut Signatures<'_, '_>) -> Result<()> {
        let body = self.body;
        for &region in regions {
            let blocks = body.blocks_of(RegionId::new(region));
            self.number(blocks.len());
            for &block in blocks {
                let block = &body.blocks[block as usize];
                self.number(block.ops as usize);
                self.number(block.arguments as usize);
                for place in 0..block.arguments {
                    let argument = ValueId::argument(block.first_argument + place);
                    self.buffer.extend_from_slice(&signatures.r#type(body.type_of(argument))?);
                    if self.options.locations {
                        let location = body.argument_location[argument.row()];
                        self.buffer.extend_from_slice(&signatures.location(AttrId::new(location))?);
                    }
                }
            }
        }
        Ok(())
    }

    fn number(&mut self, number: usize) {
        self.buffer.extend_from_slice(&(number as u32).to_le_bytes());
    }
}
