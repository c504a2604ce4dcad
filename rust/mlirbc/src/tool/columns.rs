//! All ops of a module as flat columns, one row an op in pre-order.

use crate::error::{Error, ErrorKind, Result};
use crate::ir::{Body, BodyId, Module, ValueId};

/// Stands for "none" in a column.
pub const NO_ROW: u32 = u32::MAX;

/// A module as columns; rows are ops in the order of a pre-order walk from the top level.
///
/// Results are numbered in row order, block arguments behind them; operands name values by these numbers.
///
/// ```
/// let module = mlirbc::Module::from_bytes(mlirbc::doc_example()).unwrap();
/// let columns = mlirbc::tool::OpColumns::read(&module).unwrap();
/// assert_eq!(columns.op_name, [0, 1, 2, 3]); // module, c, r, u
/// assert_eq!(columns.parent, [u32::MAX, 0, 0, 2]);
/// assert_eq!(columns.operand_offsets, [0, 0, 0, 0, 2]);
/// assert_eq!(columns.operands, [1, 0]); // the block's argument, and the result of `c`
/// ```
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct OpColumns {
    /// Index of each op's name.
    pub op_name: Vec<u32>,
    /// Row of the op around each op, or [`NO_ROW`].
    pub parent: Vec<u32>,
    /// Index of each op's location, an attribute.
    pub location: Vec<u32>,
    /// Index of each op's dictionary of attributes, or [`NO_ROW`].
    pub attributes: Vec<u32>,
    /// Index of each op's property blob, or [`NO_ROW`].
    pub properties: Vec<u32>,
    /// Where each op's operands begin in `operands`; one more row than there are ops.
    pub operand_offsets: Vec<u32>,
    /// Numbers of the values used.
    pub operands: Vec<u32>,
    /// Number of each op's first result; one more row than there are ops.
    pub result_offsets: Vec<u32>,
    /// Type of each result.
    pub result_types: Vec<u32>,
    /// Type of each block argument; argument `i` is value `result_types.len() + i`.
    pub argument_types: Vec<u32>,
}

// Ops of one body that follow each other in the walk.
struct Run<'m> {
    body: usize,
    columns: &'m Body,
    first: u32,
    end: u32,
    row: u32,
    result: u32,
}

struct Place<'m> {
    columns: &'m Body,
    // The runs of a body: positions in `runs`, ascending.
    runs: Vec<u32>,
    // Row of the op that the body belongs to.
    owner: u32,
    first_argument: u32,
}

#[derive(Default)]
struct Layout<'m> {
    runs: Vec<Run<'m>>,
    places: Vec<Place<'m>>,
    rows: u64,
    results: u64,
    operands: u64,
    arguments: u64,
}

impl OpColumns {
    /// Decodes what is not decoded yet and lays it out.
    ///
    /// # Errors
    /// The first broken rule of the IR section, and [`ErrorKind::MemoryLimit`] past 2^32 rows.
    ///
    /// ```
    /// let module = mlirbc::Module::from_bytes(mlirbc::doc_example())?;
    /// let columns = mlirbc::tool::OpColumns::read(&module)?;
    /// assert_eq!(columns.op_name.len(), 4);
    /// assert_eq!(columns.result_offsets, [0, 0, 1, 1, 1]); // only `t.c` has a result
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn read(module: &Module) -> Result<Self> {
        let layout = Layout::plan(module)?;
        let mut this = Self::default();
        let rows = layout.rows as usize;
        for column in [
            &mut this.op_name,
            &mut this.parent,
            &mut this.location,
            &mut this.attributes,
            &mut this.properties,
        ] {
            column.reserve_exact(rows);
        }
        this.operand_offsets.reserve_exact(rows + 1);
        this.result_offsets.reserve_exact(rows + 1);
        this.operands.reserve_exact(layout.operands as usize);
        this.result_types.reserve_exact(layout.results as usize);
        for run in &layout.runs {
            this.append(run, &layout);
        }
        this.operand_offsets.push(this.operands.len() as u32);
        this.result_offsets.push(this.result_types.len() as u32);
        for place in &layout.places {
            this.argument_types.extend_from_slice(&place.columns.argument_type);
        }
        Ok(this)
    }

    fn append(&mut self, run: &Run<'_>, layout: &Layout<'_>) {
        let body = run.columns;
        let ops = run.first as usize..run.end as usize;
        self.op_name.extend_from_slice(&body.op_name[ops.clone()]);
        self.location.extend_from_slice(&body.op_location[ops.clone()]);
        self.attributes.extend_from_slice(&body.op_attributes[ops.clone()]);
        self.properties.extend_from_slice(&body.op_properties[ops.clone()]);
        let place = &layout.places[run.body];
        self.append_parents(run, place, layout);

        let first_result = body.result_start[ops.start];
        let results = first_result as usize..body.result_start[ops.end] as usize;
        let starts = body.result_start[ops.clone()].iter();
        self.result_offsets.extend(starts.map(|start| start - first_result + run.result));
        self.result_types.extend_from_slice(&body.result_type[results]);

        let first_operand = body.operand_start[ops.start];
        let operands = first_operand as usize..body.operand_start[ops.end] as usize;
        let base = self.operands.len() as u32;
        self.operand_offsets.extend(body.operand_start[ops].iter().map(|start| start - first_operand + base));
        let first_argument = layout.results as u32 + place.first_argument;
        let values = body.operands[operands].iter();
        if let [_] = place.runs[..] {
            let results = [run.result, first_argument];
            self.operands
                .extend(values.map(|value| results[usize::from(value.is_argument())] + value.row() as u32));
        } else {
            self.operands.extend(values.map(|&value| {
                if value.is_argument() {
                    first_argument + value.row() as u32
                } else {
                    layout.result_number(place, value)
                }
            }));
        }
    }

    fn append_parents(&mut self, run: &Run<'_>, place: &Place<'_>, layout: &Layout<'_>) {
        let body = run.columns;
        let (mut block, mut parent) = (u32::MAX, NO_ROW);
        for &of in &body.op_block[run.first as usize..run.end as usize] {
            if of != block {
                block = of;
                let owner = body.regions[body.blocks[of as usize].region as usize].owner;
                parent = if owner == u32::MAX { place.owner } else { layout.row(place, owner) };
            }
            self.parent.push(parent);
        }
    }
}

impl<'m> Layout<'m> {
    // Walks bodies without recursion; each child interrupts the run of its parent.
    fn plan(module: &'m Module) -> Result<Self> {
        let mut this = Self::default();
        let mut open = vec![(this.enter(module.top_level()?, NO_ROW), module.top_level()?, 0u32, 0usize)];
        while let Some((place, body, first, child)) = open.pop() {
            match body.children.get(child) {
                Some(next) => {
                    let end = next.op + 1;
                    this.add_run(place, body, first, end);
                    open.push((place, body, end, child + 1));
                    let owner = this.rows as u32 - 1;
                    let id: BodyId = next.body;
                    let columns = module.body(id)?;
                    open.push((this.enter(columns, owner), columns, 0, 0));
                }
                None => this.add_run(place, body, first, body.len() as u32),
            }
        }
        let largest = this.rows.max(this.operands).max(this.results + this.arguments);
        if largest >= u64::from(u32::MAX) {
            let found = format!("`{largest}`");
            return Err(Error::new(ErrorKind::MemoryLimit, "fewer than 2^32 operations and values", found));
        }
        Ok(this)
    }

    fn enter(&mut self, body: &'m Body, owner: u32) -> usize {
        self.places.push(Place {
            columns: body,
            runs: Vec::new(),
            owner,
            first_argument: self.arguments as u32,
        });
        self.arguments += body.argument_type.len() as u64;
        self.places.len() - 1
    }

    fn add_run(&mut self, body: usize, columns: &'m Body, first: u32, end: u32) {
        let (row, result) = (self.rows as u32, self.results as u32);
        self.places[body].runs.push(self.runs.len() as u32);
        self.runs.push(Run { body, columns, first, end, row, result });
        let (first, end) = (first as usize, end as usize);
        self.rows += (end - first) as u64;
        self.results += u64::from(columns.result_start[end] - columns.result_start[first]);
        self.operands += u64::from(columns.operand_start[end] - columns.operand_start[first]);
    }

    fn row(&self, place: &Place<'_>, op: u32) -> u32 {
        let at = place.runs.partition_point(|&run| self.runs[run as usize].first <= op) - 1;
        let run = &self.runs[place.runs[at] as usize];
        run.row + (op - run.first)
    }

    fn result_number(&self, place: &Place<'_>, value: ValueId) -> u32 {
        let result = value.row() as u32;
        let start = |run: &Run<'_>| run.columns.result_start[run.first as usize];
        let at = place.runs.partition_point(|&run| start(&self.runs[run as usize]) <= result) - 1;
        let run = &self.runs[place.runs[at] as usize];
        run.result + (result - start(run))
    }
}
