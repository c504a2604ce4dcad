//! Names of values (`SSANameState` in `mlir/lib/IR/AsmPrinter.cpp`).
//!
//! In the generic form, arguments of entry blocks are `%argN`, all other values are `%N`, and results of one
//! op share a number. Up to 18, a region continues the count of the enclosing region, so sibling regions use
//! the same numbers. From 19 on, numbers are unique in a module, and among sibling regions the last is
//! numbered first: the number of values in each region must be known before the first can be printed.

mod computed_names;
mod rules;
mod scopes;
pub(in crate::print) mod suggested_names;
mod templates;
mod typed;

use std::collections::HashMap;
use std::sync::atomic::{AtomicU32, Ordering};

use crate::ir::body::Body;
use crate::ir::{BodyId, Module, OpId, Operation, ValueId};
use crate::wire::error::Result;
use crate::wire::limits::HeldMemory;

use crate::attr::text::out::Out;
use crate::attr::text::text_marks::MarkKind;
pub(in crate::print) use scopes::Scopes;
use scopes::{ARGUMENT, NAMED};
pub(in crate::print) use typed::ValueNames;

/// The next numbers.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Counters {
    values: u32,
    arguments: u32,
}

impl Counters {
    fn add(&mut self, other: Self) {
        self.values = self.values.wrapping_add(other.values);
        self.arguments = self.arguments.wrapping_add(other.arguments);
    }
}

/// The first numbers of the regions of each isolated op of a body.
type Children = Vec<(BodyId, Box<[Counters]>)>;

/// The first numbers of the regions of every isolated op below some op.
#[derive(Debug, Default)]
pub(crate) struct Numbering {
    // For each body, the counters of its root regions.
    bases: HashMap<BodyId, Box<[Counters]>>,
    // The number of values in each root region, including nested ones.
    totals: HashMap<BodyId, Box<[Counters]>>,
    is_unique: bool,
}

impl Numbering {
    /// Counts the values of `root`; its memory is charged first.
    ///
    /// # Errors
    /// If a nested body is malformed.
    pub(crate) fn new(
        module: &Module,
        root: Operation<'_>,
        is_unique: bool,
        held: &mut HeldMemory,
    ) -> Result<Self> {
        let first = match root.isolated_body() {
            Some(child) => (child, module.body(child)?),
            None => (root.body_id(), root.columns()),
        };
        // Parents come before their children.
        let mut bodies: Vec<(BodyId, &Body)> = vec![first];
        let (mut next, mut kept, mut most) = (0, 0, 0);
        while let Some(&(_, body)) = bodies.get(next) {
            next += 1;
            // Both tables have a row for the body, with its regions; one body is examined at a time.
            kept += 2 * (size_of::<(BodyId, &Body)>() + 64 + size_of::<Counters>() * body.root_regions.len());
            most = most.max(Names::memory(body));
            held.grow_to(kept + most)?;
            for child in &body.children {
                bodies.push((child.body, module.body(child.body)?));
            }
        }
        let mut this = Self { is_unique, ..Self::default() };
        for &(id, body) in bodies.iter().rev().filter(|_| is_unique) {
            let totals = Inner::new(body).totals(body, &this.totals);
            let of_roots = body.root_regions.iter().map(|&region| totals[region as usize]);
            this.totals.insert(id, of_roots.collect());
        }
        for (id, body) in bodies {
            this.spread(id, body);
        }
        Ok(this)
    }

    // Sets the first numbers of the regions of the isolated ops of a body.
    fn spread(&mut self, id: BodyId, body: &Body) {
        if body.children.is_empty() {
            return;
        }
        let inner = Inner::new(body);
        let (_, children) = self.bases(id, body, &inner);
        self.bases.extend(children);
    }

    // Returns the first numbers of each region of a body, and of the regions of its isolated ops.
    fn bases(&self, id: BodyId, body: &Body, inner: &Inner) -> (Vec<Counters>, Children) {
        let mut bases: Vec<_> = body.regions.iter().map(|_| Counters::default()).collect();
        let mut children = Vec::new();
        if let Some(roots) = self.bases.get(&id) {
            for (&region, &base) in body.root_regions.iter().zip(roots) {
                bases[region as usize] = base;
            }
        }
        let totals = if self.is_unique { inner.totals(body, &self.totals) } else { Vec::new() };
        // Regions are in pre-order: enclosing ones are complete before nested ones.
        for region in 0..body.regions.len() {
            let mut next = bases[region];
            next.add(inner.counts[region]);
            for nested in inner.nested[region].iter().rev() {
                match *nested {
                    Nested::Region(within) => {
                        bases[within as usize] = next;
                        if self.is_unique {
                            next.add(totals[within as usize]);
                        }
                    }
                    Nested::Child(child, regions) => {
                        let held = self.totals.get(&child).map_or(&[][..], |held| held);
                        let mut begins = vec![next; regions as usize];
                        for (begin, held) in begins.iter_mut().zip(held).rev() {
                            *begin = next;
                            next.add(*held);
                        }
                        children.push((child, begins.into()));
                    }
                }
            }
        }
        (bases, children)
    }
}

/// The number of values in the regions of one body.
struct Inner {
    counts: Vec<Counters>,
    nested: Vec<Vec<Nested>>,
}

/// A nested region.
enum Nested {
    Region(u32),
    /// All regions of an isolated op.
    Child(BodyId, u32),
}

impl Inner {
    fn new(body: &Body) -> Self {
        let mut region_counts: Vec<_> = body.regions.iter().map(|_| Counters::default()).collect();
        let mut nested: Vec<Vec<Nested>> = body.regions.iter().map(|_| Vec::new()).collect();
        for block in &body.blocks {
            let counters = &mut region_counts[block.region as usize];
            match block.number {
                0 => counters.arguments += block.arguments,
                _ => counters.values += block.arguments,
            }
        }
        for op in 0..body.len() {
            let region = body.blocks[body.op_block.get(op) as usize].region as usize;
            region_counts[region].values += u32::from(body.result_start[op + 1] > body.result_start[op]);
            let Some(detail) = body.detail(OpId::new(op as u32)).filter(|detail| detail.regions > 0) else {
                continue;
            };
            if detail.is_isolated {
                let child = body.children[detail.first_region as usize].body;
                nested[region].push(Nested::Child(child, detail.regions));
            } else {
                let regions = &body.op_regions[detail.first_region as usize..][..detail.regions as usize];
                nested[region].extend(regions.iter().map(|&region| Nested::Region(region)));
            }
        }
        Self { counts: region_counts, nested }
    }

    // Returns the number of values in each region, including nested ones.
    fn totals(&self, body: &Body, children: &HashMap<BodyId, Box<[Counters]>>) -> Vec<Counters> {
        let mut totals = self.counts.clone();
        for region in (0..body.regions.len()).rev() {
            let mut total = totals[region];
            for nested in &self.nested[region] {
                match nested {
                    Nested::Region(within) => total.add(totals[*within as usize]),
                    Nested::Child(child, _) => {
                        children.get(child).into_iter().flatten().for_each(|&held| total.add(held));
                    }
                }
            }
            totals[region] = total;
        }
        totals
    }
}

/// The names of all values of one body.
#[derive(Debug)]
pub(crate) struct Names {
    // By op: the name of its results, a number or a text.
    ops: Vec<u32>,
    // By argument: its name.
    arguments: Vec<u32>,
    // By op whose results have several names: the first result of each group after the first one, and its
    // name.
    groups: HashMap<u32, Box<[(u32, u32)]>>,
    /// The names of blocks, if their operation has one.
    blocks: HashMap<u32, Box<str>>,
    /// The op of the last result that was named: results of neighbours are often named next.
    last_op: AtomicU32,
    id: BodyId,
}

const ENTRY: u32 = ARGUMENT;

impl Names {
    pub(crate) fn new(numbering: &Numbering, id: BodyId, body: &Body) -> Self {
        let (bases, _) = numbering.bases(id, body, &Inner::new(body));
        let mut this = Self::unnamed(id, body);
        for (region, mut next) in body.regions.iter().zip(bases) {
            let blocks = &body.region_blocks[region.first_block as usize..][..region.blocks as usize];
            for (number, &block) in blocks.iter().enumerate() {
                let block = &body.blocks[block as usize];
                for argument in block.first_argument..block.first_argument + block.arguments {
                    let (counter, flag) = match number {
                        0 => (&mut next.arguments, ENTRY),
                        _ => (&mut next.values, 0),
                    };
                    this.arguments[argument as usize] = *counter | flag;
                    *counter += 1;
                }
                let mut op = block.first_op;
                for _ in 0..block.ops {
                    this.ops[op as usize] = next.values;
                    let results = body.result_start[op as usize + 1] - body.result_start[op as usize];
                    next.values += u32::from(results > 0);
                    op = body.end_of(OpId::new(op)).number();
                }
            }
        }
        this
    }

    /// Returns the memory needed to number the values of a body.
    pub(crate) fn memory(body: &Body) -> usize {
        let region = 3 * size_of::<Counters>() + size_of::<Vec<Nested>>();
        let nested = 4 * size_of::<Nested>() + size_of::<(BodyId, Box<[Counters]>)>();
        body.regions.len() * region + (body.op_regions.len() + body.children.len()) * nested
    }

    /// Creates names that are set while the regions are printed.
    pub(crate) fn unnamed(id: BodyId, body: &Body) -> Self {
        let (ops, arguments) = (vec![0; body.len()], vec![0; body.argument_type.len()]);
        let last_op = AtomicU32::new(0);
        Self { ops, arguments, groups: HashMap::new(), blocks: HashMap::new(), last_op, id }
    }

    /// Names the results of an op.
    pub(crate) fn set_results(&mut self, op: u32, name: u32, groups: &[(u32, u32)]) {
        if let Some(row) = self.ops.get_mut(op as usize) {
            *row = name;
        }
        if !groups.is_empty() {
            self.groups.insert(op, groups.into());
        }
    }

    /// Names an argument.
    pub(crate) fn set_argument(&mut self, argument: u32, name: u32) {
        if let Some(row) = self.arguments.get_mut(argument as usize) {
            *row = name;
        }
    }

    /// Names blocks.
    pub(crate) fn name_blocks(&mut self, blocks: &[u32], name: &str) {
        self.blocks.extend(blocks.iter().map(|&block| (block, name.into())));
    }

    /// The name of a block, if it is no number.
    pub(super) fn block(&self, block: u32) -> Option<&str> {
        self.blocks.get(&block).map(|name| &**name)
    }

    /// The name of the first results of an op.
    pub(super) fn first_result(&self, op: u32) -> u32 {
        self.ops.get(op as usize).copied().unwrap_or_default()
    }

    /// The name of an argument.
    pub(super) fn argument(&self, row: u32) -> u32 {
        self.arguments.get(row as usize).copied().unwrap_or_default()
    }

    /// Whether a name is printed as a text; a number is printed as an empty one.
    pub(super) fn is_printed_as(name: u32, wanted: &[u8], scopes: &Scopes) -> bool {
        match name & (ENTRY | NAMED) {
            0 => wanted.is_empty(),
            ENTRY => {
                let number = (name & !ENTRY).to_string();
                wanted.strip_prefix(b"arg").is_some_and(|digits| digits == number.as_bytes())
            }
            _ => scopes.text(name & !NAMED) == wanted,
        }
    }

    /// Writes `%0:2 = ` for the results of an op.
    pub(super) fn write_results(&self, out: &mut Out<'_>, body: &Body, op: u32, scopes: Option<&Scopes>) {
        let results = body.results(OpId::new(op)).len() as u32;
        let mut start = 0;
        let mut name = self.ops[op as usize];
        let groups = self.groups.get(&op).map_or(&[][..], |groups| groups);
        for &(next, next_name) in groups.iter().chain(&[(results, 0)]) {
            if start > 0 {
                out.text(", ");
            }
            let position = out.position();
            out.text("%");
            text(out, name, scopes);
            let first = ValueId::result(body.result_start[op as usize] + start);
            out.mark(MarkKind::Definition, position, self.id.number(), first.to_bits());
            if next - start > 1 {
                out.text(":");
                out.number(next - start);
            }
            start = next;
            name = next_name;
        }
        out.text(" = ");
    }

    /// Writes `%arg0` at its definition.
    pub(super) fn write_argument(&self, out: &mut Out<'_>, body: &Body, row: u32, scopes: Option<&Scopes>) {
        let (position, value) = (out.position(), ValueId::argument(row));
        self.name(out, body, value, scopes);
        out.mark(MarkKind::Definition, position, self.id.number(), value.to_bits());
    }

    /// Writes `%3`, `%3#1` or `%arg0` at a use.
    #[inline]
    pub(super) fn write(&self, out: &mut Out<'_>, body: &Body, value: ValueId, scopes: Option<&Scopes>) {
        let position = out.position();
        self.name(out, body, value, scopes);
        out.mark(MarkKind::Use, position, self.id.number(), value.to_bits());
    }

    #[inline]
    fn name(&self, out: &mut Out<'_>, body: &Body, value: ValueId, scopes: Option<&Scopes>) {
        out.text("%");
        if value.is_argument() {
            return text(out, self.arguments[value.row()], scopes);
        }
        let row = value.row();
        let hint = OpId::new(self.last_op.load(Ordering::Relaxed));
        let op = body.result_owner_near(row, hint).map_or(0, |op| op.number());
        self.last_op.store(op, Ordering::Relaxed);
        let first = body.result_start[op as usize];
        let mut name = self.ops[op as usize];
        let (mut number, mut count) = (row as u32 - first, body.result_start[op as usize + 1] - first);
        if count > 1
            && let Some(groups) = self.groups.get(&op)
        {
            // Finds the last group that begins at or before the result.
            let (mut start, mut end) = (0, count);
            for &(next, next_name) in groups {
                if next > number {
                    end = next;
                    break;
                }
                (start, name) = (next, next_name);
            }
            (number, count) = (number - start, end - start);
        }
        text(out, name, scopes);
        if count > 1 {
            out.text("#");
            out.number(number);
        }
    }
}

#[inline]
fn text(out: &mut Out<'_>, name: u32, scopes: Option<&Scopes>) {
    match name & (ENTRY | NAMED) {
        0 => out.number(name),
        ENTRY => {
            out.text("arg");
            out.number(name & !ENTRY);
        }
        _ => out.bytes(scopes.map_or(&[], |scopes| scopes.text(name & !NAMED))),
    }
}
