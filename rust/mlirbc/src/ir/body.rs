//! The columns of one body: everything inside one isolated op, except the contents of nested isolated ops.
//!
//! Ops are rows in pre-order. Results, operands and successors are in flat lists that ops refer to. Regions
//! that are not isolated belong to the body of the enclosing op; isolated ones are child bodies.

mod builder;
mod column;

use crate::format::ir::IsolatedRegions;
use crate::wire::steps;

use super::id::{BlockId, BodyId, OpId, RegionId, ValueId};
use super::sparse::SparseColumn;
use crate::format::id::{OpNameId, TypeId};
pub(crate) use builder::{BodyBuilder, BuiltBody};
pub(crate) use column::{Block as ColumnBlock, Column};

/// Means "none" in a column.
pub(crate) const NONE: u32 = u32::MAX;

/// A decoded isolated scope.
#[doc(hidden)]
#[derive(Debug, Default)]
pub struct Body {
    // Columns of ops: one row for each op, and one more in each `*_start` column.
    pub(crate) op_name: Column<u32>,
    pub(crate) op_location: Column<u32>,
    pub(crate) op_attributes: SparseColumn<NONE>,
    pub(crate) op_properties: SparseColumn<NONE>,
    pub(crate) op_block: SparseColumn<0>,
    pub(crate) op_detail: SparseColumn<NONE>,
    pub(crate) result_start: Column<u32>,
    pub(crate) operand_start: Column<u32>,
    // Details: one row for each op that has successors or regions.
    pub(crate) details: Vec<OpDetail>,
    pub(crate) successors: Vec<u32>,
    // Columns of values: one row for each result, operand or block argument.
    pub(crate) result_type: Column<TypeId>,
    pub(crate) operands: Column<ValueId>,
    pub(crate) argument_type: Vec<TypeId>,
    pub(crate) argument_location: Vec<u32>,
    pub(crate) argument_owner: Vec<u32>,
    // Regions and blocks. ColumnBuffers are in file order, so the lists of an op or a region are separate:
    // the regions of an op are a range of `op_regions`, and the blocks of a region are a range of
    // `region_blocks`.
    pub(crate) regions: Vec<RegionRow>,
    pub(crate) op_regions: Vec<u32>,
    /// The regions of the op that this body belongs to.
    pub(crate) root_regions: Vec<u32>,
    pub(crate) region_blocks: Vec<u32>,
    pub(crate) blocks: Vec<BlockRow>,
    pub(crate) use_lists: Vec<UseListRow>,
    pub(crate) use_list_indices: Vec<u32>,
    pub(crate) children: Vec<Child>,
}

#[derive(Debug, Clone)]
pub(crate) struct OpDetail {
    /// The first op after everything inside this one.
    pub(crate) end: u32,
    pub(crate) first_successor: u32,
    pub(crate) successors: u32,
    pub(crate) regions: u32,
    /// The first of the op's rows in `op_regions`; for an isolated op, its row in `children`.
    pub(crate) first_region: u32,
    pub(crate) is_isolated: bool,
}

#[derive(Debug, Clone)]
pub(crate) struct RegionRow {
    /// The op that contains the region; [`NONE`] if that op is in the parent body.
    pub(crate) owner: u32,
    pub(crate) number: u32,
    pub(crate) first_block: u32,
    pub(crate) blocks: u32,
}

#[derive(Debug, Clone)]
pub(crate) struct BlockRow {
    pub(crate) region: u32,
    pub(crate) number: u32,
    pub(crate) first_op: u32,
    pub(crate) last_op: u32,
    pub(crate) ops: u32,
    pub(crate) first_argument: u32,
    pub(crate) arguments: u32,
}

#[derive(Debug, Clone)]
pub(crate) struct UseListRow {
    pub(crate) value: ValueId,
    pub(crate) is_pairs: bool,
    pub(crate) start: u32,
    pub(crate) len: u32,
    /// File offset, for errors that are found only when the uses are known.
    pub(crate) offset: u64,
}

/// The regions of an isolated op.
#[derive(Debug, Clone)]
pub(crate) struct Child {
    pub(crate) op: u32,
    pub(crate) body: BodyId,
    /// The regions in the file, unless they were read with the parent body.
    pub(crate) regions: IsolatedRegions,
}

/// The columns of a body as slices, one row per op; lists have one more row than there are ops.
///
/// ```
/// let module = mlirbc::Module::from_bytes(mlirbc::doc_example()).unwrap();
/// let columns = module.top_level().unwrap().columns();
/// assert_eq!(columns.op_name.len(), 1);
/// ```
#[doc(hidden)]
#[derive(Debug, Clone, Copy)]
pub struct BodyColumns<'b> {
    /// Index of each op's name.
    pub op_name: &'b [u32],
    /// Index of each op's location, an attribute.
    pub op_location: &'b [u32],
    /// Start of each op's results in `result_type`.
    pub result_start: &'b [u32],
    /// The type of each result.
    pub result_type: &'b [TypeId],
    /// Start of each op's operands in `operands`.
    pub operand_start: &'b [u32],
    /// The used values.
    pub operands: &'b [ValueId],
}

impl Body {
    /// The columns as slices.
    pub fn columns(&self) -> BodyColumns<'_> {
        BodyColumns {
            op_name: &self.op_name,
            op_location: &self.op_location,
            result_start: &self.result_start,
            result_type: &self.result_type,
            operand_start: &self.operand_start,
            operands: &self.operands,
        }
    }

    /// The number of ops of the body, without child bodies.
    pub fn len(&self) -> usize {
        self.op_name.len()
    }

    /// Whether the body has no ops.
    pub fn is_empty(&self) -> bool {
        self.op_name.is_empty()
    }

    #[inline]
    pub(crate) fn detail(&self, op: OpId) -> Option<&OpDetail> {
        self.details.get(self.op_detail.get(op.index()) as usize)
    }

    /// The first op after everything inside `op`.
    #[inline]
    pub fn end_of(&self, op: OpId) -> OpId {
        OpId::new(self.detail(op).map_or(op.number() + 1, |detail| detail.end))
    }

    pub(crate) fn child(&self, op: OpId) -> Option<&Child> {
        let detail = self.detail(op)?;
        if detail.is_isolated { self.children.get(detail.first_region as usize) } else { None }
    }

    pub(crate) fn block_of(&self, op: OpId) -> BlockId {
        BlockId::new(self.op_block.get(op.index()))
    }

    pub(crate) fn region(&self, region: RegionId) -> &RegionRow {
        steps::count(1);
        &self.regions[region.index()]
    }

    pub(crate) fn block(&self, block: BlockId) -> &BlockRow {
        steps::count(1);
        &self.blocks[block.index()]
    }

    /// The blocks of a region, the entry first.
    pub(crate) fn blocks_of(&self, region: RegionId) -> &[u32] {
        let row = self.region(region);
        &self.region_blocks[row.first_block as usize..(row.first_block + row.blocks) as usize]
    }

    /// The successors of the last op of a block.
    pub(crate) fn successors_of_block(&self, block: BlockId) -> impl Iterator<Item = u32> + '_ {
        let row = self.block(block);
        let detail = (row.ops > 0).then(|| self.detail(OpId::new(row.last_op))).flatten();
        let rows = detail.map_or(0..0, |detail| {
            detail.first_successor as usize..(detail.first_successor + detail.successors) as usize
        });
        let blocks = self.blocks_of(RegionId::new(row.region));
        self.successors[rows].iter().map(|&number| blocks[number as usize])
    }

    #[inline]
    pub(crate) fn results(&self, op: OpId) -> std::ops::Range<u32> {
        self.result_start[op.index()]..self.result_start[op.index() + 1]
    }

    /// The op that has the result in this row, which follows from where the results of each op begin; `None` past the end.
    #[inline]
    pub(crate) fn result_owner(&self, row: usize) -> Option<OpId> {
        if row >= self.result_type.len() {
            return None;
        }
        let (row, starts) = (row as u32, &self.result_start[..]);
        // In most bodies all ops but the last one have one result.
        if starts.get(row as usize) == Some(&row) && starts.get(row as usize + 1) == Some(&(row + 1)) {
            return Some(OpId::new(row));
        }
        steps::count(1);
        Some(OpId::new(starts.partition_point(|&start| start <= row) as u32 - 1))
    }

    /// Returns the op that has the result in this row, as `result_owner`. The search begins at `hint`, because the
    /// operands of neighbours are often neighbours.
    #[inline]
    pub fn result_owner_near(&self, row: usize, hint: OpId) -> Option<OpId> {
        (row < self.result_type.len())
            .then(|| OpId::new(owner_near(&self.result_start, row as u32, hint.index()) as u32))
    }

    /// The number of the result in `row`, counted from the first result of its op.
    #[inline]
    pub(crate) fn result_number(&self, row: u32) -> u32 {
        self.result_owner(row as usize).map_or(0, |op| row - self.result_start[op.index()])
    }

    /// The op of each result.
    pub(crate) fn result_owners(&self) -> impl Iterator<Item = OpId> + '_ {
        let counts = self.result_start.windows(2).map(|pair| (pair[1] - pair[0]) as usize);
        counts.zip(0..).flat_map(|(count, op)| std::iter::repeat_n(OpId::new(op), count))
    }

    /// The type of a value.
    #[inline]
    pub(crate) fn type_of(&self, value: ValueId) -> TypeId {
        let types: &[TypeId] = if value.is_argument() { &self.argument_type } else { &self.result_type };
        types.get(value.row()).copied().unwrap_or(TypeId::PAST_TABLES)
    }

    #[inline]
    pub(crate) fn operand_rows(&self, op: OpId) -> std::ops::Range<u32> {
        self.operand_start[op.index()]..self.operand_start[op.index() + 1]
    }

    /// The name of an op and the rows of its operands, for loops over ops. `None` past the last op.
    #[inline]
    pub fn name_and_operand_rows(&self, op: OpId) -> Option<(OpNameId, std::ops::Range<u32>)> {
        let name = *self.op_name.get(op.index())?;
        let start = *self.operand_start.get(op.index())?;
        let end = *self.operand_start.get(op.index() + 1)?;
        Some((OpNameId::new(name), start..end))
    }

    /// Whether an op has neither a dictionary of attributes nor a property blob. True past the last op.
    #[inline]
    pub fn is_bare(&self, op: OpId) -> bool {
        self.op_attributes.get(op.index()) == NONE && self.op_properties.get(op.index()) == NONE
    }

    /// The value at row `row` of the operands; `None` past the end.
    #[inline]
    pub fn operand(&self, row: u32) -> Option<ValueId> {
        self.operands.get(row as usize).copied()
    }

    /// The op that has operand row `row`.
    pub(crate) fn operand_owner(&self, row: u32) -> OpId {
        OpId::new(self.operand_start.partition_point(|&start| start <= row) as u32 - 1)
    }

    // Returns the bytes of the lists that are not in shared blocks.
    fn memory(&self) -> usize {
        fn of<T>(list: &[T]) -> usize {
            size_of_val(list)
        }
        // The columns of arguments are reallocated together.
        of(&self.details)
            + of(&self.successors)
            + 3 * of(&self.argument_type)
            + of(&self.regions)
            + of(&self.region_blocks)
            + of(&self.op_regions)
            + of(&self.blocks)
            + of(&self.use_lists)
            + of(&self.use_list_indices)
            + of(&self.children)
    }
}

/// Returns the last position whose start is not above `row`, in steps from `hint` that double.
fn owner_near(starts: &[u32], row: u32, hint: usize) -> usize {
    steps::count(1);
    let last = starts.len().saturating_sub(1);
    let (mut low, mut high, mut step) = (hint.min(last), hint.saturating_add(1), 1);
    if starts.get(low).is_some_and(|&start| start <= row) {
        while starts.get(high).is_some_and(|&start| start <= row) {
            (low, step) = (high, step * 2);
            high = low + step;
        }
    } else {
        while low > 0 && starts.get(low).is_some_and(|&start| start > row) {
            (high, step) = (low, step * 2);
            low = low.saturating_sub(step);
        }
    }
    let searched = starts.get(low..high.min(starts.len())).unwrap_or_default();
    (low + searched.partition_point(|&start| start <= row)).saturating_sub(1)
}

#[cfg(test)]
mod tests {
    use super::Body;
    use super::column::ColumnBuffers;
    use crate::ir::{BodyId, OpId, ValueId};
    use crate::test_module::module;

    // The module of the format notes: the first region of `t.r` uses a value that the enclosing region
    // defines later.
    #[test]
    fn sibling_regions_reuse_slots_and_forward_uses_are_resolved() {
        let block = "07 10 01 09  03 03 09 03 02 01 03 01  05 04 01 05 05 03
                     03 03 09 03 02 01 03 01  05 04 01 03 05  03 02 01 03 01  03 02 01 03 01";
        let module = module(6, block, 3, 2);
        module.top_level().unwrap();
        let body = module.body(BodyId::new(1)).unwrap();
        let result = ValueId::result;
        assert_eq!(*body.op_name, [3, 1, 2, 1, 2, 1, 1]);
        assert_eq!(*body.operands, [result(0), result(3), result(1)]);
        assert_eq!(body.details[0].end, 5);
        assert_eq!(body.op_regions, [1, 2]);
    }

    #[test]
    fn the_op_of_a_result_follows_from_where_results_begin() {
        // The number of results of each op.
        for counts in [&[1, 1, 1, 0][..], &[0, 1, 1], &[2, 0, 0, 3, 1], &[0, 0, 2, 1, 0, 1], &[3], &[0]] {
            let (mut body, mut rows, mut owners) = (Body::default(), ColumnBuffers::default(), Vec::new());
            for (op, &count) in counts.iter().enumerate() {
                rows.result_start.push(rows.result_type.len() as u32);
                for number in 0..count {
                    owners.push((op as u32, number));
                    rows.result_type.push(crate::format::id::TypeId::new(0));
                }
            }
            rows.result_start.push(rows.result_type.len() as u32);
            rows.give(&mut body);
            for (row, &(op, number)) in owners.iter().enumerate() {
                assert_eq!(body.result_owner(row), Some(OpId::new(op)), "{counts:?}");
                assert_eq!(body.result_number(row as u32), number);
                for hint in 0..counts.len() as u32 + 3 {
                    assert_eq!(
                        body.result_owner_near(row, OpId::new(hint)),
                        Some(OpId::new(op)),
                        "{counts:?} {hint}"
                    );
                }
            }
            assert_eq!(body.result_owner(owners.len()), None);
            assert!(body.result_owners().map(|op| op.number()).eq(owners.iter().map(|owner| owner.0)));
        }
    }
}
