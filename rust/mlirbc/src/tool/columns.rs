//! All ops of a module as flat columns, one row per op in pre-order.

use crate::ir::{Body, BodyId, Module, ValueId};
use crate::wire::error::{Error, ErrorKind, Result};
use crate::wire::limits::Budget;

/// Means "none" in a column.
#[doc(hidden)]
pub const NO_ROW: u32 = u32::MAX;

/// A module as columns; rows are ops in the order of a pre-order walk from the top level.
///
/// Results are numbered in row order, block arguments after them; operands refer to values by these numbers.
///
/// ```
/// let module = mlirbc::Module::from_bytes(mlirbc::doc_example()).unwrap();
/// let columns = mlirbc::tool::OpColumns::read(&module).unwrap();
/// assert_eq!(columns.op_name, [0, 1, 2, 3]); // module, c, r, u
/// assert_eq!(columns.parent, [u32::MAX, 0, 0, 2]);
/// assert_eq!(columns.operand_offsets, [0, 0, 0, 0, 2]);
/// assert_eq!(columns.operands, [1, 0]); // the block's argument, and the result of `c`
/// ```
#[doc(hidden)]
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct OpColumns {
    /// Index of each op's name.
    pub op_name: Vec<u32>,
    /// Row of the enclosing op, or [`NO_ROW`].
    pub parent: Vec<u32>,
    /// Index of each op's location, an attribute.
    pub location: Vec<u32>,
    /// Index of each op's dictionary of attributes, or [`NO_ROW`].
    pub attributes: Vec<u32>,
    /// Index of each op's property blob, or [`NO_ROW`].
    pub properties: Vec<u32>,
    /// Start of each op's operands in `operands`; one more row than there are ops.
    pub operand_offsets: Vec<u32>,
    /// Numbers of the used values.
    pub operands: Vec<u32>,
    /// Number of each op's first result; one more row than there are ops.
    pub result_offsets: Vec<u32>,
    /// Type of each result.
    pub result_types: Vec<u32>,
    /// Type of each block argument; argument `i` is value `result_types.len() + i`.
    pub argument_types: Vec<u32>,
}

/// Selects a column of [`OpColumns`].
#[doc(hidden)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)] // each is explained by the field it is named after
pub enum ColumnKind {
    OpName,
    Parent,
    Location,
    Attributes,
    Properties,
    OperandOffsets,
    Operands,
    ResultOffsets,
    ResultTypes,
    ArgumentTypes,
}

/// The columns of the table of operations that other programs read: the name of each column, the offsets of
/// its rows, and the items if its rows are lists.
///
/// The first column contains words; in the other columns [`NO_ROW`] means null. Python's `ops_table` and
/// `mlirbc ops --format` produce this table.
#[doc(hidden)]
pub const OPS_TABLE: [(&str, ColumnKind, Option<ColumnKind>); 7] = [
    ("name", ColumnKind::OpName, None),
    ("parent", ColumnKind::Parent, None),
    ("location", ColumnKind::Location, None),
    ("attributes", ColumnKind::Attributes, None),
    ("properties", ColumnKind::Properties, None),
    ("operands", ColumnKind::OperandOffsets, Some(ColumnKind::Operands)),
    ("result_types", ColumnKind::ResultOffsets, Some(ColumnKind::ResultTypes)),
];

// Consecutive ops of one body in the walk.
#[derive(Debug)]
struct Run {
    body_runs: u32,
    first: u32,
    end: u32,
    row: u32,
    result: u32,
    operand: u32,
}

#[derive(Debug)]
struct BodyRuns {
    body: BodyId,
    // The runs of a body: ascending positions in `runs`.
    runs: Vec<u32>,
    // Row of the op that the body belongs to.
    owner: u32,
    first_argument: u32,
}

/// The position of each body's operations in the columns of a module. Columns can be computed one by one from
/// it.
///
/// ```
/// use mlirbc::tool::{ColumnKind, ColumnLayout};
/// let module = mlirbc::Module::from_bytes(mlirbc::doc_example())?;
/// let layout = ColumnLayout::plan(&module)?;
/// assert_eq!(layout.column(ColumnKind::OpName)?, [0, 1, 2, 3]);
/// # Ok::<(), mlirbc::Error>(())
/// ```
#[doc(hidden)]
#[derive(Debug)]
pub struct ColumnLayout {
    module: Module,
    // The account that columns are charged to before they are built.
    account: Budget,
    runs: Vec<Run>,
    bodies: Vec<BodyRuns>,
    rows: u64,
    results: u64,
    operands: u64,
    arguments: u64,
}

impl OpColumns {
    /// Decodes all bodies and builds the columns.
    ///
    /// # Errors
    /// The first violated rule of the IR section, and [`ErrorKind::MemoryLimit`] for 2^32 rows or more, or if the
    /// memory limit does not allow the columns.
    pub fn read(module: &Module) -> Result<Self> {
        let layout = ColumnLayout::plan(module)?;
        let column = |kind| layout.column(kind);
        Ok(Self {
            op_name: column(ColumnKind::OpName)?,
            parent: column(ColumnKind::Parent)?,
            location: column(ColumnKind::Location)?,
            attributes: column(ColumnKind::Attributes)?,
            properties: column(ColumnKind::Properties)?,
            operand_offsets: column(ColumnKind::OperandOffsets)?,
            operands: column(ColumnKind::Operands)?,
            result_offsets: column(ColumnKind::ResultOffsets)?,
            result_types: column(ColumnKind::ResultTypes)?,
            argument_types: column(ColumnKind::ArgumentTypes)?,
        })
    }

    /// Returns a column.
    ///
    /// ```
    /// use mlirbc::tool::{ColumnKind, OpColumns};
    /// let columns = OpColumns { operands: vec![1, 0], ..OpColumns::default() };
    /// assert_eq!(columns.column(ColumnKind::Operands), [1, 0]);
    /// ```
    pub fn column(&self, kind: ColumnKind) -> &[u32] {
        match kind {
            ColumnKind::OpName => &self.op_name,
            ColumnKind::Parent => &self.parent,
            ColumnKind::Location => &self.location,
            ColumnKind::Attributes => &self.attributes,
            ColumnKind::Properties => &self.properties,
            ColumnKind::OperandOffsets => &self.operand_offsets,
            ColumnKind::Operands => &self.operands,
            ColumnKind::ResultOffsets => &self.result_offsets,
            ColumnKind::ResultTypes => &self.result_types,
            ColumnKind::ArgumentTypes => &self.argument_types,
        }
    }
}

impl ColumnLayout {
    /// Computes a column.
    ///
    /// # Errors
    /// [`ErrorKind::MemoryLimit`] if the limit does not allow the column.
    pub fn column(&self, kind: ColumnKind) -> Result<Vec<u32>> {
        let rows = self.rows as usize;
        let len = match kind {
            ColumnKind::Operands => self.operands as usize,
            ColumnKind::ResultTypes => self.results as usize,
            ColumnKind::ArgumentTypes => self.arguments as usize,
            ColumnKind::OperandOffsets | ColumnKind::ResultOffsets => rows + 1,
            _ => rows,
        };
        let mut out = self.account.vec(len)?;
        self.append(kind, &mut out)?;
        Ok(out)
    }

    /// Returns the types of all values: first the types of results, then the types of block arguments.
    ///
    /// # Errors
    /// As [`Self::column`].
    pub(crate) fn value_types(&self) -> Result<Vec<u32>> {
        let mut out = self.account.vec((self.results + self.arguments) as usize)?;
        self.append(ColumnKind::ResultTypes, &mut out)?;
        self.append(ColumnKind::ArgumentTypes, &mut out)?;
        Ok(out)
    }

    /// The number of operations.
    pub(crate) fn row_count(&self) -> usize {
        self.rows as usize
    }

    fn append(&self, kind: ColumnKind, out: &mut Vec<u32>) -> Result<()> {
        if kind == ColumnKind::ArgumentTypes {
            for body_runs in &self.bodies {
                out.extend(
                    self.module.body(body_runs.body)?.argument_type.iter().map(|r#type| r#type.number()),
                );
            }
            return Ok(());
        }
        for run in &self.runs {
            let body_runs = &self.bodies[run.body_runs as usize];
            self.fill(kind, run, (body_runs, self.module.body(body_runs.body)?), out);
        }
        match kind {
            ColumnKind::OperandOffsets => out.push(self.operands as u32),
            ColumnKind::ResultOffsets => out.push(self.results as u32),
            _ => {}
        }
        Ok(())
    }

    fn fill(&self, kind: ColumnKind, run: &Run, (body_runs, body): (&BodyRuns, &Body), out: &mut Vec<u32>) {
        let ops = run.first as usize..run.end as usize;
        match kind {
            ColumnKind::OpName => out.extend_from_slice(&body.op_name[ops]),
            ColumnKind::Location => out.extend_from_slice(&body.op_location[ops]),
            ColumnKind::Attributes => body.op_attributes.copy_into(ops, out),
            ColumnKind::Properties => body.op_properties.copy_into(ops, out),
            ColumnKind::Parent => self.fill_parents(run, (body_runs, body), out),
            ColumnKind::Operands => self.fill_operands(run, (body_runs, body), out),
            ColumnKind::OperandOffsets => {
                let first = body.operand_start[ops.start];
                out.extend(body.operand_start[ops].iter().map(|start| start - first + run.operand));
            }
            ColumnKind::ResultOffsets => {
                let first = body.result_start[ops.start];
                out.extend(body.result_start[ops].iter().map(|start| start - first + run.result));
            }
            ColumnKind::ResultTypes => {
                let results = body.result_start[ops.start] as usize..body.result_start[ops.end] as usize;
                out.extend(body.result_type[results].iter().map(|r#type| r#type.number()));
            }
            ColumnKind::ArgumentTypes => {}
        }
    }

    fn fill_operands(&self, run: &Run, (body_runs, body): (&BodyRuns, &Body), out: &mut Vec<u32>) {
        let rows =
            body.operand_start[run.first as usize] as usize..body.operand_start[run.end as usize] as usize;
        let first_argument = self.results as u32 + body_runs.first_argument;
        let values = body.operands[rows].iter();
        if let [_] = body_runs.runs[..] {
            let first = [run.result, first_argument];
            out.extend(values.map(|value| first[usize::from(value.is_argument())] + value.row() as u32));
        } else {
            out.extend(values.map(|&value| match value.is_argument() {
                true => first_argument + value.row() as u32,
                false => self.result_number((body_runs, body), value),
            }));
        }
    }

    fn fill_parents(&self, run: &Run, (body_runs, body): (&BodyRuns, &Body), out: &mut Vec<u32>) {
        let (mut block, mut parent) = (u32::MAX, NO_ROW);
        for op in run.first as usize..run.end as usize {
            let op_block = body.op_block.get(op);
            if op_block != block {
                block = op_block;
                let owner = body.regions[body.blocks[op_block as usize].region as usize].owner;
                parent = if owner == u32::MAX { body_runs.owner } else { self.row(body_runs, owner) };
            }
            out.push(parent);
        }
    }
}

impl ColumnLayout {
    /// Decodes all bodies. The columns get an account of their own, which is as large as the account of a
    /// table.
    ///
    /// # Errors
    /// The first violated rule of the IR section, and [`ErrorKind::MemoryLimit`] for 2^32 rows or more.
    pub fn plan(module: &Module) -> Result<Self> {
        Self::with_account(module, module.tables().table_budget())
    }

    /// Decodes all bodies like [`Self::plan`], but charges the columns to an account that is shared with
    /// other data.
    ///
    /// # Errors
    /// As [`Self::plan`].
    pub(crate) fn with_account(module: &Module, account: Budget) -> Result<Self> {
        // The walk is iterative; each child interrupts the run of its parent.
        let mut this = Self {
            module: module.clone(),
            account,
            runs: Vec::new(),
            bodies: Vec::new(),
            rows: 0,
            results: 0,
            operands: 0,
            arguments: 0,
        };
        let top = module.top_level()?;
        let mut open = vec![(this.enter((BodyId::TOP_LEVEL, top), NO_ROW)?, top, 0u32, 0usize)];
        while let Some((body_runs, body, first, child)) = open.pop() {
            match body.children.get(child) {
                Some(next) => {
                    let end = next.op + 1;
                    this.add_run(body_runs, body, first, end)?;
                    open.push((body_runs, body, end, child + 1));
                    let owner = this.rows as u32 - 1;
                    let id: BodyId = next.body;
                    let columns = module.body(id)?;
                    open.push((this.enter((id, columns), owner)?, columns, 0, 0));
                }
                None => this.add_run(body_runs, body, first, body.len() as u32)?,
            }
        }
        let largest = this.rows.max(this.operands).max(this.results + this.arguments);
        if largest >= u64::from(u32::MAX) {
            let message = format!("the module has `{largest}` operations or values; the limit is 2^32 - 1");
            return Err(Error::message(ErrorKind::MemoryLimit, message));
        }
        Ok(this)
    }

    // A growing list has capacity for twice its items, and each body is in two lists.
    fn enter(&mut self, (id, body): (BodyId, &Body), owner: u32) -> Result<usize> {
        self.account.spend(4 * size_of::<BodyRuns>())?;
        self.bodies.push(BodyRuns {
            body: id,
            runs: Vec::new(),
            owner,
            first_argument: self.arguments as u32,
        });
        self.arguments += body.argument_type.len() as u64;
        Ok(self.bodies.len() - 1)
    }

    fn add_run(&mut self, body_runs: usize, columns: &Body, first: u32, end: u32) -> Result<()> {
        self.account.spend(2 * (size_of::<Run>() + size_of::<u32>()))?;
        let (row, result, operand) = (self.rows as u32, self.results as u32, self.operands as u32);
        self.bodies[body_runs].runs.push(self.runs.len() as u32);
        self.runs.push(Run { body_runs: body_runs as u32, first, end, row, result, operand });
        let (first, end) = (first as usize, end as usize);
        self.rows += (end - first) as u64;
        self.results += u64::from(columns.result_start[end] - columns.result_start[first]);
        self.operands += u64::from(columns.operand_start[end] - columns.operand_start[first]);
        Ok(())
    }

    fn row(&self, body_runs: &BodyRuns, op: u32) -> u32 {
        let at = body_runs.runs.partition_point(|&run| self.runs[run as usize].first <= op) - 1;
        let run = &self.runs[body_runs.runs[at] as usize];
        run.row + (op - run.first)
    }

    fn result_number(&self, (body_runs, body): (&BodyRuns, &Body), value: ValueId) -> u32 {
        let result = value.row() as u32;
        let start = |run: &Run| body.result_start[run.first as usize];
        let at = body_runs.runs.partition_point(|&run| start(&self.runs[run as usize]) <= result) - 1;
        let run = &self.runs[body_runs.runs[at] as usize];
        run.result + (result - start(run))
    }
}
