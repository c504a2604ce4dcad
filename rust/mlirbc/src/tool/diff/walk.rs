//! Compares corresponding bodies, blocks and operations of two modules, from the outside in.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::attr::Attribute;
use crate::attr::digest::of_resource;
use crate::file::resource::Resource;
use crate::ir::body::{Body, NONE};
use crate::ir::{AttrId, BodyId, Module, OpId, Operation, RegionId, ValueId};
use crate::tool::hash::{Bodies, Common, HashOptions, NamedValue, Signatures, top_level_operations};
use crate::wire::error::{Error, ErrorKind, Result, cut};
use crate::wire::order::sort_by;

use super::align::{Key, align, increasing};
use super::compared_module::{ComparedModule, Hashes, ops};
use super::elements::{ElementsDifference, difference};
use super::symbols::similar;
use super::{ChangeKind, Counts, Detail, DiffOptions, Difference, excerpt};

/// The limit on listed changes; further changes are only counted.
pub(super) const MOST: usize = 10_000;
/// The number of unchanged operations that are shown before and after a change.
const AROUND: usize = 2;
/// The limit on the bytes of an attribute in a detail.
const TEXT: usize = 400;
/// The limit on the number of details of one operation.
const DETAILS: usize = 200;

/// An op of a module: its body and its row.
pub(super) type OpPosition = (BodyId, u32);

/// A change whose texts are not printed yet.
pub(super) struct RawChange {
    pub(super) kind: ChangeKind,
    pub(super) symbol: Rc<str>,
    pub(super) before: Option<OpPosition>,
    pub(super) after: Option<OpPosition>,
    pub(super) details: Vec<Detail>,
}

pub(super) enum RawLine {
    Same(OpPosition),
    Change(usize),
}

pub(super) struct RawHunk {
    pub(super) symbol: Rc<str>,
    pub(super) lines: Vec<RawLine>,
}

/// Corresponding regions, each in a body of its own or in the body of the operation around it.
struct Task {
    before: BodyId,
    after: BodyId,
    /// The regions and the hashes of their bodies; `None` if the regions are whole bodies.
    part: Option<RegionPair>,
    owner: Option<(OpPosition, OpPosition)>,
    symbol: Rc<str>,
}

struct RegionPair {
    before: Vec<u32>,
    after: Vec<u32>,
    of_a: Option<Rc<Hashes>>,
    of_b: Option<Rc<Hashes>>,
}

/// Rows of the second body by row of the first.
enum RowMap {
    Dense(Vec<u32>),
    /// The rows of a part of a body.
    Sparse(HashMap<usize, u32>),
}

impl RowMap {
    fn new(len: usize, is_part: bool) -> Self {
        if is_part { Self::Sparse(HashMap::new()) } else { Self::Dense(vec![NONE; len]) }
    }

    fn get(&self, row: usize) -> u32 {
        match self {
            Self::Dense(rows) => rows[row],
            Self::Sparse(rows) => rows.get(&row).copied().unwrap_or(NONE),
        }
    }

    fn set(&mut self, row: usize, to: u32) {
        match self {
            Self::Dense(rows) => rows[row] = to,
            Self::Sparse(rows) => drop(rows.insert(row, to)),
        }
    }
}

struct Walk<'c, 'm> {
    a: ComparedModule<'c, 'm>,
    b: ComparedModule<'c, 'm>,
    has_locations: bool,
    queue: VecDeque<Task>,
    raws: Vec<RawChange>,
    hunks: Vec<RawHunk>,
    // Changed ops of the first module, for details that are found in their regions.
    changed: HashMap<OpPosition, usize>,
    counts: Counts,
    // The differences of elements, by the digests of both attributes.
    elements: HashMap<([u8; 16], [u8; 16]), Option<ElementsDifference>>,
}

pub(super) fn compare(before: &Module, after: &Module, options: &DiffOptions) -> Result<Difference> {
    let hash = HashOptions { locations: options.locations, ..HashOptions::default() };
    let (bodies, other_bodies) = bodies_of_both(before, after, hash)?;
    let (common, other_common) = (Common::new(before)?, Common::new(after)?);
    let (view, other_view) = (common.view()?, other_common.view()?);
    let respell = |text: &[u8]| common.respelled(text);
    let other_respell = |text: &[u8]| other_common.respelled(text);
    let mut walk = Walk {
        a: ComparedModule::new(before, hash, Signatures::new(&common, &view, &respell)?, bodies),
        b: ComparedModule::new(
            after,
            hash,
            Signatures::new(&other_common, &other_view, &other_respell)?,
            other_bodies,
        ),
        has_locations: options.locations,
        queue: VecDeque::new(),
        raws: Vec::new(),
        hunks: Vec::new(),
        changed: HashMap::new(),
        counts: Counts::default(),
        elements: HashMap::new(),
    };
    let mut resources = Vec::new();
    match &options.symbol {
        Some(name) => walk.one_symbol(name)?,
        None => {
            let top = BodyId::TOP_LEVEL;
            walk.enqueue((top, top), None, "".into());
            resources = other_resources(before, after)?;
        }
    }
    while let Some(task) = walk.queue.pop_front() {
        before.tables().check_interrupt()?;
        after.tables().check_interrupt()?;
        walk.bodies(&task, None)?;
    }
    let Walk { raws, hunks, counts, .. } = walk;
    let total = counts.added + counts.removed + counts.moved + counts.changed + counts.renamed;
    let omitted = total.saturating_sub(raws.len() as u64);
    let equal = total == 0 && resources.is_empty();
    let (changes, hunks) = excerpt::texts(before, after, raws, hunks)?;
    Ok(Difference { equal, counts, changes, omitted, resources, hunks })
}

// Hashing takes nearly all of the time and the two modules are independent, so each has a thread.
fn bodies_of_both(before: &Module, after: &Module, options: HashOptions) -> Result<(Bodies, Bodies)> {
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let builder = std::thread::Builder::new();
        let thread = builder.spawn_scoped(scope, || Bodies::of_module(after, options, &stop));
        let mut bodies = Bodies::of_module(before, options, &stop);
        let Ok(thread) = thread else {
            // The system cannot start another thread.
            return Ok((bodies?, Bodies::of_module(after, options, &stop)?));
        };
        // Only the calling thread can be interrupted.
        while bodies.is_ok() && !thread.is_finished() {
            std::thread::sleep(Duration::from_millis(1));
            bodies = bodies.and_then(|done| before.tables().check_interrupt().map(|()| done));
        }
        stop.store(bodies.is_err(), Ordering::Relaxed);
        let other_bodies = thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        Ok((bodies?, other_bodies?))
    })
}

// A resource's group and key.
type ResourceName = (Vec<u8>, Vec<u8>);

// Returns the resources, by group and key, that only one module has or that differ in data.
fn other_resources(before: &Module, after: &Module) -> Result<Vec<String>> {
    let all = |module: &Module| -> Result<BTreeMap<ResourceName, [u8; 16]>> {
        let name = |resource: &Resource<'_>| (resource.group().to_vec(), resource.key().to_vec());
        module.resources()?.map(|resource| Ok((name(&resource), of_resource(&resource)?))).collect()
    };
    let (resources, mut other_resources) = (all(before)?, all(after)?);
    let mut names = Vec::new();
    for (name, digest) in resources {
        if other_resources.remove(&name) != Some(digest) {
            names.push(name);
        }
    }
    names.extend(other_resources.into_keys());
    let shown = |(group, key): &ResourceName| {
        let text = |bytes: &[u8]| cut(&String::from_utf8_lossy(bytes), 200);
        format!("{}: {}", text(group), text(key))
    };
    names.sort();
    Ok(names.iter().map(shown).collect())
}

/// The state of one pair of bodies.
struct Pair<'m> {
    a: &'m Body,
    b: &'m Body,
    ids: (BodyId, BodyId),
    of_a: Rc<Hashes>,
    of_b: Rc<Hashes>,
    results: RowMap,
    arguments: RowMap,
    blocks: RowMap,
    // Corresponding ops.
    pairs: Vec<(u32, u32)>,
    lists: Vec<BlockItems>,
    details: BTreeMap<u32, (u32, Vec<Detail>)>,
}

/// The ops of a pair of blocks in the order of the second.
struct BlockItems {
    symbol: Rc<str>,
    items: Vec<Item>,
}

#[derive(Clone, Copy)]
struct Item {
    a: u32,
    b: u32,
    kind: Option<ChangeKind>,
}

/// Regions to be compared, their owners, and the symbol around them.
type Regions = (Vec<u32>, Vec<u32>, Option<(OpPosition, OpPosition)>, Rc<str>);

impl Pair<'_> {
    fn map(&mut self, a: u32, b: u32) {
        let (from, to) = (self.a.results(OpId::new(a)), self.b.results(OpId::new(b)));
        for (from, to) in from.zip(to) {
            self.results.set(from as usize, to);
        }
    }

    fn mapped(&self, value: ValueId) -> u32 {
        if value.is_argument() { self.arguments.get(value.row()) } else { self.results.get(value.row()) }
    }

    // Returns whether two ops with the same hash also use corresponding operands, as far as these were
    // visited.
    fn agree(&mut self, a: u32, b: u32) -> bool {
        let (from, to) = (self.a.operand_rows(OpId::new(a)), self.b.operand_rows(OpId::new(b)));
        let agrees = from.len() == to.len()
            && from.zip(to).all(|(from, to)| {
                let (from, to) = (self.a.operands[from as usize], self.b.operands[to as usize]);
                let expected = self.mapped(from);
                expected == NONE || (expected == to.row() as u32 && from.is_argument() == to.is_argument())
            });
        if agrees {
            self.map(a, b);
        }
        agrees
    }

    fn map_block(&mut self, a: u32, b: u32) {
        self.blocks.set(a as usize, b);
        let (from, to) = (&self.a.blocks[a as usize], &self.b.blocks[b as usize]);
        for place in 0..from.arguments.min(to.arguments) {
            self.arguments.set((from.first_argument + place) as usize, to.first_argument + place);
        }
    }

    // Pairs all nested ops, blocks and arguments of two ops with the same hash.
    fn pair_all(&mut self, a: u32, b: u32) {
        let len = self.a.end_of(OpId::new(a)).number() - a;
        if self.b.end_of(OpId::new(b)).number() - b != len {
            self.pairs.push((a, b));
            return self.map(a, b);
        }
        for place in 0..len {
            let (a, b) = (a + place, b + place);
            self.pairs.push((a, b));
            self.map(a, b);
            let (Some(detail_a), Some(detail_b)) = (self.a.detail(OpId::new(a)), self.b.detail(OpId::new(b)))
            else {
                continue;
            };
            if detail_a.is_isolated || detail_b.is_isolated {
                continue;
            }
            let (first, second) = (regions_of(self.a, a), regions_of(self.b, b));
            for (first, second) in first.iter().zip(&second) {
                let blocks =
                    (self.a.blocks_of(RegionId::new(*first)), self.b.blocks_of(RegionId::new(*second)));
                let pairs: Vec<(u32, u32)> = blocks.0.iter().copied().zip(blocks.1.iter().copied()).collect();
                pairs.into_iter().for_each(|(a, b)| self.map_block(a, b));
            }
        }
    }
}

fn regions_of(body: &Body, op: u32) -> Vec<u32> {
    match body.detail(OpId::new(op)) {
        Some(detail) if !detail.is_isolated => {
            body.op_regions[detail.first_region as usize..][..detail.regions as usize].to_vec()
        }
        _ => Vec::new(),
    }
}

impl<'m> Walk<'_, 'm> {
    fn enqueue(
        &mut self,
        (before, after): (BodyId, BodyId),
        owner: Option<(OpPosition, OpPosition)>,
        symbol: Rc<str>,
    ) {
        if self.a.bodies.digest(before) != self.b.bodies.digest(after) {
            self.queue.push_back(Task { before, after, part: None, owner, symbol });
        }
    }

    fn one_symbol(&mut self, name: &str) -> Result<()> {
        fn find<'m>(side: &mut ComparedModule<'_, 'm>, name: &str) -> Result<Option<Operation<'m>>> {
            for op in top_level_operations(side.module)? {
                let named = side.signatures.attributes(op.columns(), op.id())?;
                if side.signatures.symbol_of(&named).as_deref() == Some(name) {
                    return Ok(Some(op));
                }
            }
            Ok(None)
        }
        let (a, b) = (find(&mut self.a, name)?, find(&mut self.b, name)?);
        let bodies = (a.map(|op| op.body_id()), b.map(|op| op.body_id()));
        if a.is_none() && b.is_none() {
            let message = format!("no module has the symbol `{}`", cut(name, 80));
            return Err(Error::message(ErrorKind::Value, message));
        }
        let task = Task {
            before: bodies.0.unwrap_or(BodyId::TOP_LEVEL),
            after: bodies.1.unwrap_or(BodyId::TOP_LEVEL),
            part: None,
            owner: None,
            symbol: "".into(),
        };
        let rows = |op: Option<Operation<'_>>| op.map(|op| op.id().number()).into_iter().collect();
        self.bodies(&task, Some((rows(a), rows(b))))
    }

    // Compares two bodies, or selected ops of two bodies.
    fn bodies(&mut self, task: &Task, only: Option<(Vec<u32>, Vec<u32>)>) -> Result<()> {
        let (a, b) = (self.a.body(task.before)?, self.b.body(task.after)?);
        let is_part = task.part.is_some();
        if !is_part {
            let counts =
                [a.result_type.len(), a.argument_type.len(), a.blocks.len(), 2 * a.len(), 3 * b.len()];
            self.a.signatures.spend(counts.iter().sum::<usize>() * size_of::<u32>())?;
        }
        let known_hashes =
            |of: fn(&RegionPair) -> &Option<Rc<Hashes>>| task.part.as_ref().and_then(|part| of(part).clone());
        let mut pair = Pair {
            a,
            b,
            ids: (task.before, task.after),
            of_a: match known_hashes(|part| &part.of_a) {
                Some(known_hashes) => known_hashes,
                None => Rc::new(self.a.hashes(task.before)?),
            },
            of_b: match known_hashes(|part| &part.of_b) {
                Some(known_hashes) => known_hashes,
                None => Rc::new(self.b.hashes(task.after)?),
            },
            results: RowMap::new(a.result_type.len(), is_part),
            arguments: RowMap::new(a.argument_type.len(), is_part),
            blocks: RowMap::new(a.blocks.len(), is_part),
            pairs: Vec::new(),
            lists: Vec::new(),
            details: BTreeMap::new(),
        };
        let mut work: Vec<Regions> = Vec::new();
        let mut gaps = Vec::new();
        match only {
            Some((one, other)) => self.rows(&mut pair, one, other, &task.symbol, &mut work, &mut gaps)?,
            None => {
                let regions = match &task.part {
                    Some(part) => (part.before.clone(), part.after.clone()),
                    None => (a.root_regions.clone(), b.root_regions.clone()),
                };
                work.push((regions.0, regions.1, task.owner, task.symbol.clone()));
            }
        }
        while let Some(regions) = work.pop() {
            self.regions(&mut pair, regions, &mut work, &mut gaps)?;
        }
        moved(&mut pair);
        for (removed, added) in gaps {
            let replaced = removed.into_iter().zip(added);
            for (a, b) in replaced
                .filter(|&(a, b)| pair.a.results(OpId::new(a)).len() == pair.b.results(OpId::new(b)).len())
            {
                if pair.a.results(OpId::new(a)).all(|row| pair.results.get(row as usize) == NONE) {
                    pair.map(a, b);
                }
            }
        }
        let pairs = std::mem::take(&mut pair.pairs);
        for (a, b) in pairs {
            let details = self.details(&pair, a, b)?;
            if !details.is_empty() {
                pair.details.insert(b, (a, details));
            }
        }
        self.report(pair);
        Ok(())
    }

    fn regions(
        &mut self,
        pair: &mut Pair<'m>,
        (one, other, owner, symbol): Regions,
        work: &mut Vec<Regions>,
        gaps: &mut Vec<(Vec<u32>, Vec<u32>)>,
    ) -> Result<()> {
        for place in 0..one.len().max(other.len()) {
            let blocks = |body: &Body, list: &[u32]| {
                list.get(place)
                    .map_or_else(Vec::new, |&region| body.blocks_of(RegionId::new(region)).to_vec())
            };
            let (first, second) = (blocks(pair.a, &one), blocks(pair.b, &other));
            let mut keys: [Vec<Key>; 2] = [Vec::new(), Vec::new()];
            for &block in &first {
                keys[0].push(Key { whole: self.a.block(pair.a, block, &pair.of_a.whole)?, sort: 0 });
            }
            for &block in &second {
                keys[1].push(Key { whole: self.b.block(pair.b, block, &pair.of_b.whole)?, sort: 0 });
            }
            let pairs = align(&keys[0], &keys[1], |_, _| true);
            // Arguments and blocks come first, because operations of earlier blocks may use values of later
            // blocks.
            for &(i, j) in &pairs {
                pair.map_block(first[i], second[j]);
                self.arguments(pair, first[i], second[j], owner, &symbol)?;
            }
            let mut from = (0, 0);
            for (i, j) in pairs.into_iter().chain([(first.len(), second.len())]) {
                for &block in &first[from.0..i] {
                    self.rows(pair, ops(pair.a, block).collect(), Vec::new(), &symbol, work, gaps)?;
                }
                for &block in &second[from.1..j] {
                    self.rows(pair, Vec::new(), ops(pair.b, block).collect(), &symbol, work, gaps)?;
                }
                if i < first.len() {
                    let rows = (ops(pair.a, first[i]).collect(), ops(pair.b, second[j]).collect());
                    self.rows(pair, rows.0, rows.1, &symbol, work, gaps)?;
                }
                from = (i + 1, j + 1);
            }
        }
        Ok(())
    }

    // Compares the arguments of two blocks; the differences belong to the op around the blocks.
    fn arguments(
        &mut self,
        pair: &Pair<'_>,
        a: u32,
        b: u32,
        owner: Option<(OpPosition, OpPosition)>,
        symbol: &Rc<str>,
    ) -> Result<()> {
        let Some(owner) = owner else { return Ok(()) };
        let (from, to) = (&pair.a.blocks[a as usize], &pair.b.blocks[b as usize]);
        let mut details = Vec::new();
        for place in 0..from.arguments.max(to.arguments) {
            let row = |first: u32, count: u32| (place < count).then_some((first + place) as usize);
            let (row_a, row_b) =
                (row(from.first_argument, from.arguments), row(to.first_argument, to.arguments));
            let types =
                (row_a.map(|row| pair.a.argument_type[row]), row_b.map(|row| pair.b.argument_type[row]));
            let digests = (
                types.0.map(|of| self.a.signatures.r#type(of)).transpose()?,
                types.1.map(|of| self.b.signatures.r#type(of)).transpose()?,
            );
            if digests.0 != digests.1 {
                let text = (
                    types.0.map(|of| self.a.signatures.type_text(of, TEXT)).transpose()?,
                    types.1.map(|of| self.b.signatures.type_text(of, TEXT)).transpose()?,
                );
                let name = format!("{place} of block {}", to.number);
                details.push(detail(
                    "block argument",
                    name,
                    text.0.unwrap_or_default(),
                    text.1.unwrap_or_default(),
                ));
            } else if self.has_locations
                && let (Some(row_a), Some(row_b)) = (row_a, row_b)
            {
                let rows = (pair.a.argument_location[row_a], pair.b.argument_location[row_b]);
                if self.a.signatures.location(AttrId::new(rows.0))?
                    != self.b.signatures.location(AttrId::new(rows.1))?
                {
                    let text = (self.a.location(rows.0)?, self.b.location(rows.1)?);
                    details.push(detail("location", format!("argument {place}"), text.0, text.1));
                }
            }
            if details.len() > DETAILS {
                break;
            }
        }
        if details.is_empty() {
            return Ok(());
        }
        if let Some(raw) = self.changed.get(&owner.0).and_then(|&number| self.raws.get_mut(number)) {
            raw.details.append(&mut details);
            return Ok(());
        }
        if let Some(number) = self.push(ChangeKind::Changed, symbol, Some(owner.0), Some(owner.1), details) {
            self.changed.insert(owner.0, number);
            self.hunks.push(RawHunk { symbol: symbol.clone(), lines: vec![RawLine::Change(number)] });
        }
        Ok(())
    }

    // Aligns the ops of two blocks.
    fn rows(
        &mut self,
        pair: &mut Pair<'m>,
        ops_a: Vec<u32>,
        ops_b: Vec<u32>,
        symbol: &Rc<str>,
        work: &mut Vec<Regions>,
        gaps: &mut Vec<(Vec<u32>, Vec<u32>)>,
    ) -> Result<()> {
        let is_symbol = |of: &Hashes, row: &u32| of.symbols.binary_search(row).is_ok();
        let has_symbols = ops_a.iter().any(|row| is_symbol(&pair.of_a, row))
            && ops_b.iter().any(|row| is_symbol(&pair.of_b, row));
        let (mut pairs, mut renamed) = (Vec::new(), Vec::new());
        let (mut plain_a, mut plain_b): (Vec<usize>, Vec<usize>) =
            ((0..ops_a.len()).collect(), (0..ops_b.len()).collect());
        if has_symbols {
            let is_plain = |of: &Hashes, rows: &[u32], place: &usize| !is_symbol(of, &rows[*place]);
            (pairs, renamed) = self.symbols(pair, &ops_a, &ops_b)?;
            plain_a.retain(|place| is_plain(&pair.of_a, &ops_a, place));
            plain_b.retain(|place| is_plain(&pair.of_b, &ops_b, place));
        }
        let rows =
            |list: &[u32], places: &[usize]| places.iter().map(|&place| list[place]).collect::<Vec<_>>();
        let (rows_a, rows_b) = (rows(&ops_a, &plain_a), rows(&ops_b, &plain_b));
        let keys = (self.a.keys(pair.a, &rows_a, &pair.of_a), self.b.keys(pair.b, &rows_b, &pair.of_b));
        let matches = align(&keys.0, &keys.1, |i, j| pair.agree(rows_a[i], rows_b[j]));
        pairs.extend(matches.into_iter().map(|(i, j)| (plain_a[i], plain_b[j])));
        if has_symbols {
            pairs.sort_unstable();
        }
        // The longest sequence of pairs in order stays in place; the other pairs have moved.
        let in_order = if has_symbols { increasing(&pairs) } else { pairs.clone() };
        let mut partner: Vec<_> = ops_b.iter().map(|_| usize::MAX).collect();
        let mut is_paired: Vec<_> = ops_a.iter().map(|_| false).collect();
        for &(i, j) in &pairs {
            partner[j] = i;
            is_paired[i] = true;
        }
        let mut items = Vec::new();
        let mut from = (0, 0);
        for &(i, j) in in_order.iter().chain(&[(ops_a.len(), ops_b.len())]) {
            let removed: Vec<u32> = (from.0..i).filter(|&i| !is_paired[i]).map(|i| ops_a[i]).collect();
            items.extend(removed.iter().map(|&a| Item { a, b: NONE, kind: Some(ChangeKind::Removed) }));
            let mut added = Vec::new();
            for (j, &b) in ops_b.iter().enumerate().take(j).skip(from.1) {
                let a = ops_a.get(partner[j]).copied();
                let kind = if a.is_some() { ChangeKind::Moved } else { ChangeKind::Added };
                items.push(Item { a: a.unwrap_or(NONE), b, kind: Some(kind) });
                if a.is_none() {
                    added.push(b);
                }
            }
            if !removed.is_empty() && !added.is_empty() {
                gaps.push((removed, added));
            }
            if i < ops_a.len() {
                items.push(Item { a: ops_a[i], b: ops_b[j], kind: None });
            }
            from = (i + 1, j + 1);
        }
        for item in items.iter_mut().filter(|item| item.a != NONE && item.b != NONE) {
            if renamed.binary_search(&item.a).is_ok() {
                item.kind = Some(ChangeKind::Renamed);
            }
            self.pair(pair, item.a, item.b, symbol, work)?;
        }
        pair.lists.push(BlockItems { symbol: symbol.clone(), items });
        Ok(())
    }

    // Treats two ops as versions of one op, and continues with their regions.
    fn pair(
        &mut self,
        pair: &mut Pair<'m>,
        a: u32,
        b: u32,
        symbol: &Rc<str>,
        work: &mut Vec<Regions>,
    ) -> Result<()> {
        if pair.of_a.whole[a as usize] == pair.of_b.whole[b as usize] {
            pair.pair_all(a, b);
            return Ok(());
        }
        pair.pairs.push((a, b));
        pair.map(a, b);
        let (child_a, child_b) = (pair.a.child(OpId::new(a)), pair.b.child(OpId::new(b)));
        let owner = Some(((pair.ids.0, a), (pair.ids.1, b)));
        let mut inner = symbol.clone();
        if pair.of_b.symbols.binary_search(&b).is_ok() {
            let named = self.b.signatures.attributes(pair.b, OpId::new(b))?;
            if let Some(name) = self.b.signatures.symbol_of(&named) {
                let name = cut(&name, 200);
                inner =
                    if symbol.is_empty() { format!("@{name}") } else { format!("{symbol}::@{name}") }.into();
            }
        }
        match (child_a, child_b) {
            (Some(child_a), Some(child_b)) => self.enqueue((child_a.body, child_b.body), owner, inner),
            (None, None) => {
                let regions = (regions_of(pair.a, a), regions_of(pair.b, b));
                if !regions.0.is_empty() || !regions.1.is_empty() {
                    work.push((regions.0, regions.1, owner, inner));
                }
            }
            // Only one module has a separate body here: its last use of a value from outside is gone.
            (child, child_b) => {
                let inner_regions = |body: &Body| body.root_regions.clone();
                let before = match child {
                    Some(child) => inner_regions(self.a.body(child.body)?),
                    None => regions_of(pair.a, a),
                };
                let after = match child_b {
                    Some(child_b) => inner_regions(self.b.body(child_b.body)?),
                    None => regions_of(pair.b, b),
                };
                let part = RegionPair {
                    before,
                    after,
                    of_a: child.is_none().then(|| pair.of_a.clone()),
                    of_b: child_b.is_none().then(|| pair.of_b.clone()),
                };
                let before = child.map_or(pair.ids.0, |child| child.body);
                let after = child_b.map_or(pair.ids.1, |child_b| child_b.body);
                self.queue.push_back(Task { before, after, part: Some(part), owner, symbol: inner });
            }
        }
        Ok(())
    }

    // Pairs symbols by name, and the remaining symbols by content. Returns all pairs, and the first module's
    // rows of the pairs by content.
    #[allow(clippy::type_complexity)] // pairs of places, and rows
    fn symbols(
        &mut self,
        pair: &Pair<'m>,
        ops_a: &[u32],
        ops_b: &[u32],
    ) -> Result<(Vec<(usize, usize)>, Vec<u32>)> {
        let mut names: HashMap<String, Vec<usize>> = HashMap::new();
        for (place, &row) in ops_a.iter().enumerate().rev() {
            if pair.of_a.symbols.binary_search(&row).is_ok() {
                let named = self.a.signatures.attributes(pair.a, OpId::new(row))?;
                names.entry(self.a.signatures.symbol_of(&named).unwrap_or_default()).or_default().push(place);
            }
        }
        let (mut pairs, mut new) = (Vec::new(), Vec::new());
        for (place, &row) in ops_b.iter().enumerate() {
            if pair.of_b.symbols.binary_search(&row).is_ok() {
                let named = self.b.signatures.attributes(pair.b, OpId::new(row))?;
                let name = self.b.signatures.symbol_of(&named).unwrap_or_default();
                match names.get_mut(&name).and_then(Vec::pop) {
                    Some(known) => pairs.push((known, place)),
                    None => new.push(place),
                }
            }
        }
        let mut old: Vec<usize> = names.into_values().flatten().collect();
        old.sort_unstable();
        let mut renamed: Vec<(usize, usize)> = similar(
            (&mut self.a, pair.a, &old.iter().map(|&place| ops_a[place]).collect::<Vec<_>>()),
            (&mut self.b, pair.b, &new.iter().map(|&place| ops_b[place]).collect::<Vec<_>>()),
        )?
        .into_iter()
        .map(|(i, j)| (old[i], new[j]))
        .collect();
        renamed.extend(self.entry_symbols(pair, (ops_a, &old), (ops_b, &new), &renamed)?);
        let mut rows: Vec<u32> = renamed.iter().map(|&(i, _)| ops_a[i]).collect();
        rows.sort_unstable();
        pairs.extend(renamed);
        Ok((pairs, rows))
    }

    /// Pairs the two root modules, or the only public functions, if neither corresponds to another symbol.
    /// These are versions of one program: their names depend on the writer, and their contents may be
    /// completely different.
    fn entry_symbols(
        &mut self,
        pair: &Pair<'m>,
        (ops_a, old): (&[u32], &[usize]),
        (ops_b, new): (&[u32], &[usize]),
        renamed: &[(usize, usize)],
    ) -> Result<Option<(usize, usize)>> {
        let entries = match pair.ids == (BodyId::TOP_LEVEL, BodyId::TOP_LEVEL) {
            true if ops_a.len() == 1 && ops_b.len() == 1 => (Some(0), Some(0)),
            true => return Ok(None),
            false if old.is_empty() || new.is_empty() => return Ok(None),
            false => {
                (self.a.only_public_function(pair.a, ops_a)?, self.b.only_public_function(pair.b, ops_b)?)
            }
        };
        let (Some(i), Some(j)) = entries else { return Ok(None) };
        let is_free = old.contains(&i)
            && new.contains(&j)
            && !renamed.iter().any(|&(known, paired)| known == i || paired == j);
        let name = |side: &ComparedModule<'_, '_>, body: &Body, row: u32| {
            side.signatures.name(body.op_name[OpId::new(row).index()]).to_owned()
        };
        let is_one_kind = name(&self.a, pair.a, ops_a[i]) == name(&self.b, pair.b, ops_b[j]);
        Ok((is_free && is_one_kind).then_some((i, j)))
    }

    // Returns the differences between two ops, except in their regions.
    fn details(&mut self, pair: &Pair<'_>, a: u32, b: u32) -> Result<Vec<Detail>> {
        let mut details = Vec::new();
        let (op_a, op_b) = (OpId::new(a), OpId::new(b));
        if self.a.signatures.of(pair.a, a)? != self.b.signatures.of(pair.b, b)? {
            self.attributes(pair, op_a, op_b, &mut details)?;
        }
        if self.has_locations {
            let rows = (pair.a.op_location[op_a.index()], pair.b.op_location[op_b.index()]);
            if self.a.signatures.location(AttrId::new(rows.0))?
                != self.b.signatures.location(AttrId::new(rows.1))?
            {
                let text = (self.a.location(rows.0)?, self.b.location(rows.1)?);
                details.push(detail("location", String::new(), text.0, text.1));
            }
        }
        let (from, to) = (pair.a.results(op_a), pair.b.results(op_b));
        if from.len() != to.len() {
            details.push(detail("results", String::new(), from.len().to_string(), to.len().to_string()));
        }
        for (number, (from, to)) in from.zip(to).enumerate() {
            let types = (pair.a.result_type[from as usize], pair.b.result_type[to as usize]);
            if self.a.signatures.r#type(types.0)? != self.b.signatures.r#type(types.1)? {
                let text = (
                    self.a.signatures.type_text(types.0, TEXT)?,
                    self.b.signatures.type_text(types.1, TEXT)?,
                );
                details.push(detail("result type", number.to_string(), text.0, text.1));
            }
        }
        let (from, to) = (pair.a.operand_rows(op_a), pair.b.operand_rows(op_b));
        if from.len() != to.len() {
            details.push(detail("operands", String::new(), from.len().to_string(), to.len().to_string()));
        } else {
            for (number, (from, to)) in from.zip(to).enumerate() {
                let (from, to) = (pair.a.operands[from as usize], pair.b.operands[to as usize]);
                if pair.mapped(from) != to.row() as u32 || from.is_argument() != to.is_argument() {
                    let text = (self.a.value(pair.a, from), self.b.value(pair.b, to));
                    details.push(detail("operand", number.to_string(), text.0, text.1));
                }
            }
        }
        if let (Some(from), Some(to)) = (pair.a.detail(op_a), pair.b.detail(op_b)) {
            if from.regions != to.regions {
                details.push(detail(
                    "region",
                    String::new(),
                    from.regions.to_string(),
                    to.regions.to_string(),
                ));
            }
            let blocks = (self.a.successors(pair, true, a), self.b.successors(pair, false, b));
            for (number, (from, to)) in blocks.0.iter().zip(&blocks.1).enumerate() {
                if pair.blocks.get(*from as usize) != *to {
                    let name = |body: &Body, block: u32| format!("^bb{}", body.blocks[block as usize].number);
                    let text = (name(pair.a, *from), name(pair.b, *to));
                    details.push(detail("successor", number.to_string(), text.0, text.1));
                }
            }
            if blocks.0.len() != blocks.1.len() {
                let text = (blocks.0.len().to_string(), blocks.1.len().to_string());
                details.push(detail("successors", String::new(), text.0, text.1));
            }
        }
        details.truncate(DETAILS);
        Ok(details)
    }

    fn attributes(&mut self, pair: &Pair<'_>, a: OpId, b: OpId, details: &mut Vec<Detail>) -> Result<()> {
        let list_a = self.a.signatures.attributes(pair.a, a)?;
        let list_b = self.b.signatures.attributes(pair.b, b)?;
        let (mut i, mut j) = (0, 0);
        loop {
            let (next_a, next_b) = (list_a.get(i), list_b.get(j));
            let order = match (next_a, next_b) {
                (None, None) => break,
                (Some(_), None) => std::cmp::Ordering::Less,
                (None, Some(_)) => std::cmp::Ordering::Greater,
                (Some(next_a), Some(next_b)) => next_a.name.cmp(&next_b.name),
            };
            let (next_a, next_b) = (next_a.filter(|_| order.is_le()), next_b.filter(|_| order.is_ge()));
            i += usize::from(order.is_le());
            j += usize::from(order.is_ge());
            if next_a.map(|named| named.digest) == next_b.map(|named| named.digest) || details.len() > DETAILS
            {
                continue;
            }
            let elements = match (next_a, next_b) {
                (Some(next_a), Some(next_b)) => self.elements(next_a, next_b)?,
                _ => None,
            };
            let name = next_a.or(next_b).map_or(&[][..], |named| &named.name);
            let text = (
                next_a.map(|named| self.a.attribute(named)).transpose()?.unwrap_or_default(),
                next_b.map(|named| self.b.attribute(named)).transpose()?.unwrap_or_default(),
            );
            let name = cut(&String::from_utf8_lossy(name), 200);
            details.push(Detail { elements, ..detail("attribute", name, text.0, text.1) });
        }
        Ok(())
    }

    fn elements(&mut self, named_a: &NamedValue, named_b: &NamedValue) -> Result<Option<ElementsDifference>> {
        let key = (named_a.digest, named_b.digest);
        if let Some(cached_difference) = self.elements.get(&key) {
            return Ok(cached_difference.clone());
        }
        let values =
            (self.a.signatures.attribute(&named_a.value)?, self.b.signatures.attribute(&named_b.value)?);
        let (Some(attribute_a), Some(attribute_b)) = values else { return Ok(None) };
        let elements_difference = difference((self.a.module, &attribute_a), (self.b.module, &attribute_b))?;
        self.elements.insert(key, elements_difference.clone());
        Ok(elements_difference)
    }

    fn push(
        &mut self,
        kind: ChangeKind,
        symbol: &Rc<str>,
        before: Option<OpPosition>,
        after: Option<OpPosition>,
        details: Vec<Detail>,
    ) -> Option<usize> {
        let count = match kind {
            ChangeKind::Added => &mut self.counts.added,
            ChangeKind::Removed => &mut self.counts.removed,
            ChangeKind::Moved => &mut self.counts.moved,
            ChangeKind::Changed => &mut self.counts.changed,
            ChangeKind::Renamed => &mut self.counts.renamed,
        };
        *count += 1;
        if self.raws.len() >= MOST {
            return None;
        }
        self.raws.push(RawChange { kind, symbol: symbol.clone(), before, after, details });
        Some(self.raws.len() - 1)
    }

    // Turns the results for two bodies into changes and hunks.
    fn report(&mut self, mut pair: Pair<'m>) {
        let mut lists = std::mem::take(&mut pair.lists);
        let place =
            |list: &BlockItems| list.items.iter().map(|item| item.b).find(|&b| b != NONE).unwrap_or(NONE);
        sort_by(&mut lists, |one, other| place(one).cmp(&place(other)));
        for BlockItems { symbol, items } in lists {
            let mut lines: Vec<RawLine> = Vec::new();
            // The number of items up to the end of the hunk.
            let mut shown = 0;
            for (number, item) in items.iter().enumerate() {
                let mut item_changes = Vec::new();
                let before = (item.a != NONE).then_some((pair.ids.0, item.a));
                let after = (item.b != NONE).then_some((pair.ids.1, item.b));
                let item_details = pair.details.remove(&item.b);
                if item.kind.is_some() || item_details.is_some() {
                    let mut details = item_details.map_or_else(Vec::new, |item_details| item_details.1);
                    let kind = item.kind.unwrap_or(ChangeKind::Changed);
                    if kind == ChangeKind::Renamed {
                        details.retain(|detail| detail.name != "sym_name");
                    }
                    let change = self.push(kind, &symbol, before, after, details);
                    if let (Some(change), Some(before)) = (change, before) {
                        self.changed.insert(before, change);
                    }
                    item_changes.extend(change);
                }
                // Equal hashes exclude operands, so nested operations may still differ in details.
                let is_whole = item.a != NONE
                    && item.b != NONE
                    && pair.of_a.whole[item.a as usize] == pair.of_b.whole[item.b as usize];
                if is_whole && !pair.details.is_empty() {
                    let range = item.b + 1..pair.b.end_of(OpId::new(item.b)).number();
                    let inner: Vec<u32> = pair.details.range(range).map(|(&b, _)| b).collect();
                    for b in inner {
                        let Some((a, details)) = pair.details.remove(&b) else { continue };
                        let places = (Some((pair.ids.0, a)), Some((pair.ids.1, b)));
                        item_changes.extend(self.push(
                            ChangeKind::Changed,
                            &symbol,
                            places.0,
                            places.1,
                            details,
                        ));
                    }
                }
                if item_changes.is_empty() {
                    if number < shown {
                        lines.extend(after.map(RawLine::Same));
                    }
                    continue;
                }
                if number > shown + AROUND && !lines.is_empty() {
                    let lines = std::mem::take(&mut lines);
                    self.hunks.push(RawHunk { symbol: symbol.clone(), lines });
                }
                let from = number.saturating_sub(AROUND).max(shown);
                let same = items[from.min(number)..number].iter().filter(|item| item.b != NONE);
                lines.extend(same.map(|item| RawLine::Same((pair.ids.1, item.b))));
                lines.extend(item_changes.into_iter().map(RawLine::Change));
                shown = number + 1 + AROUND;
            }
            if !lines.is_empty() {
                self.hunks.push(RawHunk { symbol, lines });
            }
        }
    }
}

// Finds ops that were removed at one place and added at another place.
fn moved(pair: &mut Pair<'_>) {
    let mut removed: HashMap<u64, Vec<(usize, usize)>> = HashMap::new();
    for (number, list) in pair.lists.iter().enumerate().rev() {
        for (place, item) in list.items.iter().enumerate().rev() {
            if item.kind == Some(ChangeKind::Removed) {
                removed.entry(pair.of_a.whole[item.a as usize]).or_default().push((number, place));
            }
        }
    }
    if removed.is_empty() {
        return;
    }
    let mut moves = Vec::new();
    for (number, list) in pair.lists.iter().enumerate() {
        for (place, item) in list.items.iter().enumerate() {
            if item.kind == Some(ChangeKind::Added)
                && let Some(from) = removed.get_mut(&pair.of_b.whole[item.b as usize]).and_then(Vec::pop)
            {
                moves.push((from, (number, place)));
            }
        }
    }
    let mut gone: Vec<Vec<usize>> = pair.lists.iter().map(|_| Vec::new()).collect();
    for (from, to) in moves {
        let a = pair.lists[from.0].items[from.1].a;
        let item = &mut pair.lists[to.0].items[to.1];
        (item.a, item.kind) = (a, Some(ChangeKind::Moved));
        let b = item.b;
        gone[from.0].push(from.1);
        pair.pair_all(a, b);
    }
    for (list, mut gone) in pair.lists.iter_mut().zip(gone) {
        gone.sort_unstable();
        let mut place = 0;
        list.items.retain(|_| {
            place += 1;
            gone.binary_search(&(place - 1)).is_err()
        });
    }
}

fn detail(kind: &'static str, name: String, before: String, after: String) -> Detail {
    Detail { what: kind, name, before, after, elements: None }
}

impl ComparedModule<'_, '_> {
    pub(super) fn attribute(&self, named: &NamedValue) -> Result<String> {
        Ok(match self.signatures.attribute(&named.value)? {
            Some(value) => value.to_text_within(TEXT),
            None => "<<OPAQUE>>".to_owned(),
        })
    }

    fn location(&self, index: u32) -> Result<String> {
        let value = match index {
            NONE => None,
            index => Attribute::of_file(self.module.tables(), AttrId::new(index))?,
        };
        Ok(value.map_or_else(|| "loc(unknown)".to_owned(), |value| value.to_text_within(TEXT)))
    }

    // Names the definition of a value.
    fn value(&self, body: &Body, value: ValueId) -> String {
        if value.is_argument() {
            let block = &body.blocks[body.argument_owner[value.row()] as usize];
            return format!(
                "argument {} of block {}",
                value.row() as u32 - block.first_argument,
                block.number
            );
        }
        let op = body.result_owner(value.row()).unwrap_or(OpId::new(0));
        let name = self.signatures.name(body.op_name[op.index()]);
        let number = body.result_number(value.row() as u32);
        format!("result {number} of {}", cut(&name, 80))
    }

    fn successors(&self, pair: &Pair<'_>, is_first: bool, op: u32) -> Vec<u32> {
        let body = if is_first { pair.a } else { pair.b };
        let Some(detail) = body.detail(OpId::new(op)).filter(|detail| detail.successors > 0) else {
            return Vec::new();
        };
        let region = body.blocks[body.block_of(OpId::new(op)).index()].region;
        let blocks = body.blocks_of(RegionId::new(region));
        let numbers = &body.successors[detail.first_successor as usize..][..detail.successors as usize];
        numbers.iter().filter_map(|&number| blocks.get(number as usize).copied()).collect()
    }
}
