//! Names of values (`SSANameState` in `mlir/lib/IR/AsmPrinter.cpp`).
//!
//! In the generic form, arguments of entry blocks are `%argN`, everything else is `%N`, and results of one op
//! share a number. Up to 18 a region continues the count of the enclosing region, so sibling regions use the
//! same numbers. From 19 on numbers are unique in a module, and of sibling regions the last is numbered
//! first: the number of values in each must be known before the first can be printed.

use std::collections::HashMap;

use crate::ir::body::Body;
use crate::ir::{BodyId, Module, OpId, Operation, ValueId};
use crate::wire::error::Result;
use crate::wire::limits::Held;

use crate::attr::text::out::Out;

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
    // Per body: for each of its root regions.
    bases: HashMap<BodyId, Box<[Counters]>>,
    // The number of values in each of them, including nested ones.
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
        held: &mut Held,
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

    // The first numbers of each region of a body, and of the regions of its isolated ops.
    fn bases(&self, id: BodyId, body: &Body, inner: &Inner) -> (Vec<Counters>, Children) {
        let mut bases = vec![Counters::default(); body.regions.len()];
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
            next.add(inner.own[region]);
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
    own: Vec<Counters>,
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
        let mut own = vec![Counters::default(); body.regions.len()];
        let mut nested: Vec<Vec<Nested>> = Vec::new();
        nested.resize_with(body.regions.len(), Vec::new);
        for block in &body.blocks {
            let counters = &mut own[block.region as usize];
            match block.number {
                0 => counters.arguments += block.arguments,
                _ => counters.values += block.arguments,
            }
        }
        for op in 0..body.len() {
            let region = body.blocks[body.op_block.get(op) as usize].region as usize;
            own[region].values += u32::from(body.result_start[op + 1] > body.result_start[op]);
            let Some(detail) = body.detail(OpId(op as u32)).filter(|detail| detail.regions > 0) else {
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
        Self { own, nested }
    }

    // The number of values in each region, including nested ones.
    fn totals(&self, body: &Body, children: &HashMap<BodyId, Box<[Counters]>>) -> Vec<Counters> {
        let mut totals = self.own.clone();
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
#[derive(Debug, Default)]
pub(crate) struct Names {
    // Per op: the number of its results.
    ops: Vec<u32>,
    // Per argument: its number, with a flag for those of entry blocks.
    arguments: Vec<u32>,
}

const ENTRY: u32 = 1 << 31;

impl Names {
    pub(crate) fn new(numbering: &Numbering, id: BodyId, body: &Body) -> Self {
        let (bases, _) = numbering.bases(id, body, &Inner::new(body));
        let mut this = Self { ops: vec![0; body.len()], arguments: vec![0; body.argument_type.len()] };
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
                    op = body.end_of(OpId(op)).0;
                }
            }
        }
        this
    }

    /// The memory needed to number the values of a body.
    pub(crate) fn memory(body: &Body) -> usize {
        let region = 3 * size_of::<Counters>() + size_of::<Vec<Nested>>();
        let nested = 4 * size_of::<Nested>() + size_of::<(BodyId, Box<[Counters]>)>();
        body.regions.len() * region + (body.op_regions.len() + body.children.len()) * nested
    }

    /// The number that the results of an op share.
    pub(crate) fn of_op(&self, op: u32) -> u32 {
        self.ops[op as usize]
    }

    /// `%3`, `%3#1` or `%arg0`.
    #[inline]
    pub(crate) fn write(&self, out: &mut Out<'_>, body: &Body, value: ValueId) {
        if value.is_argument() {
            let number = self.arguments[value.row()];
            out.text(if number & ENTRY != 0 { "%arg" } else { "%" });
            return out.number(number & !ENTRY);
        }
        let row = value.row();
        let op = body.result_owner[row];
        let first = body.result_start[op as usize];
        out.text("%");
        out.number(self.ops[op as usize]);
        if body.result_start[op as usize + 1] - first > 1 {
            out.text("#");
            out.number(row as u32 - first);
        }
    }
}
