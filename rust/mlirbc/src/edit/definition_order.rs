//! A check of an unedited module in one pass, which can confirm only that the module is valid.
//!
//! In almost every file each definition comes before its uses, in the same block or in an entry block. A pass
//! in file order detects this with a few numbers for each open region, without loading operations. The editor
//! checks all other modules.

use crate::format::id::{AttrId, TypeId};
use crate::format::ir::{BlockHead, IsolatedRegions, OpHead, OpSink, RegionHead, ValueRef};
use crate::ir::{Module, ParallelSink, SetApart};
use crate::wire::error::Result;

use super::verify::ISOLATED;

/// Returns whether [`Editor::verify_everything`](super::Editor::verify_everything) would certainly find no
/// error; `false` decides nothing.
///
/// # Errors
/// If a table or the IR is malformed.
pub(super) fn is_in_order(module: &Module) -> Result<bool> {
    let names = module.tables().op_names()?;
    let is_isolated = names.map(|name| ISOLATED.iter().any(|other| name.full_bytes() == other.as_bytes()));
    let must_be_isolated: Vec<bool> = is_isolated.collect();
    let new = || InOrder {
        must_be_isolated: &must_be_isolated,
        name: 0,
        regions: Vec::new(),
        isolated: Vec::new(),
        is_fine: true,
        apart: SetApart::default(),
    };
    // Isolated regions have an operation around them, and a region around that.
    let new_piece = || InOrder { regions: vec![OpenRegion::default()], isolated: vec![true], ..new() };
    Ok(module.stream_in_parallel(true, new, new_piece)?.is_fine)
}

struct InOrder<'n> {
    // Whether ops must be isolated, by operation name.
    must_be_isolated: &'n [bool],
    // The name of the current operation.
    name: u32,
    regions: Vec<OpenRegion>,
    // Whether the regions of each open operation are isolated.
    isolated: Vec<bool>,
    is_fine: bool,
    apart: SetApart,
}

#[derive(Default)]
struct OpenRegion {
    // The outermost region whose values this region uses by number.
    scope: usize,
    numbers_results: bool,
    // The number of values: so far, before the current operation, before the current block, and of the entry
    // block.
    values: u64,
    before_op: u64,
    before_block: u64,
    of_entry: Option<u64>,
    is_in_entry: bool,
    has_branched: bool,
}

impl InOrder<'_> {
    #[cold]
    fn doubt(&mut self) {
        self.is_fine = false;
    }
}

impl OpSink for InOrder<'_> {
    #[inline(always)]
    fn op(&mut self, head: OpHead) {
        self.name = head.name;
        let Some(region) = self.regions.last_mut() else { return };
        region.before_op = region.values;
        // Only the last operation of a block has successors.
        if region.has_branched {
            self.doubt();
        }
    }

    #[inline(always)]
    fn result(&mut self, _: TypeId) {
        let is_at_top = self.regions.len() < 2;
        let Some(region) = self.regions.last_mut() else { return };
        region.values += u64::from(region.numbers_results);
        if is_at_top {
            self.doubt();
        }
    }

    #[inline(always)]
    fn operand(&mut self, value: ValueRef) {
        let scope = self.regions.last().map_or(0, |region| region.scope);
        let is_fine = self.regions.get(scope + value.depth as usize).is_some_and(|region| {
            // The value is neither defined later nor a result of the operation itself or of an enclosing
            // operation.
            value.index < region.before_op
                && (value.index >= region.before_block || region.of_entry.is_none_or(|end| value.index < end))
        });
        if !is_fine || self.regions.len() < 2 {
            self.doubt();
        }
    }

    fn successor(&mut self, block: u32) {
        if let Some(region) = self.regions.last_mut() {
            region.has_branched = true;
        }
        if block == 0 {
            self.doubt();
        }
    }

    fn regions(&mut self, _: u32, is_isolated: bool) {
        if !is_isolated && self.must_be_isolated.get(self.name as usize) == Some(&true) {
            self.doubt();
        }
        self.isolated.push(is_isolated);
    }

    fn enter(&mut self, regions: IsolatedRegions) -> bool {
        self.is_fine && !self.apart.takes(&regions)
    }

    fn begin_region(&mut self, head: RegionHead) {
        let scope = match (self.regions.last(), self.isolated.last()) {
            (Some(parent), Some(false)) => parent.scope,
            _ => self.regions.len(),
        };
        let region = OpenRegion {
            scope,
            numbers_results: head.values > 0,
            is_in_entry: true,
            ..OpenRegion::default()
        };
        self.regions.push(region);
    }

    fn begin_block(&mut self, _: BlockHead) {
        let Some(region) = self.regions.last_mut() else { return };
        (region.before_block, region.has_branched) = (region.values, false);
    }

    fn argument(&mut self, _: TypeId, _: Option<AttrId>) {
        if let Some(region) = self.regions.last_mut() {
            region.values += 1;
        }
    }

    fn end_block(&mut self) {
        let Some(region) = self.regions.last_mut() else { return };
        if std::mem::take(&mut region.is_in_entry) {
            region.of_entry = Some(region.values);
        }
    }

    fn end_region(&mut self) {
        self.regions.pop();
    }

    fn end_regions(&mut self) {
        self.isolated.pop();
    }

    fn memory(&self) -> usize {
        2 * (self.regions.capacity() * size_of::<OpenRegion>() + self.isolated.capacity())
    }
}

impl ParallelSink for InOrder<'_> {
    fn apart(&mut self) -> &mut SetApart {
        &mut self.apart
    }

    fn add(&mut self, piece: Self) {
        self.is_fine &= piece.is_fine;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::WriteOptions;
    use crate::edit::Editor;
    use crate::parse::{ParseOptions, assemble};
    use crate::test_module::module;
    use crate::wire::parallel::on_threads;

    // Returns the result of the pass, and whether the editor accepts the module.
    fn both(module: &Module) -> (bool, bool) {
        let verified = Editor::new(module.clone()).and_then(|mut editor| editor.verify_everything(false));
        (is_in_order(module).unwrap(), verified.is_ok())
    }

    const MAKES: &str = "03 02 01 03 01";
    const USES: &str = "05 04 01 03 01";

    #[test]
    fn a_use_before_its_definition_is_left_to_the_editor() {
        assert_eq!(both(&module(6, &format!("{MAKES} {USES}"), 2, 1)), (true, true));
        // Operations of the module's region may be in any order.
        assert_eq!(both(&module(6, &format!("{USES} {MAKES}"), 2, 1)), (false, true));
        // The operation uses its own result.
        assert_eq!(both(&module(6, "03 06 01 03 01 03 01", 1, 1)), (false, true));
    }

    #[test]
    fn what_the_editor_refuses_is_not_confirmed() {
        let whole = Module::open("../../examples/two_layers.mlirbc").unwrap();
        assert_eq!(both(&whole), (true, true));
        for name in ["main", "dense"] {
            let mut editor = Editor::new(whole.clone()).unwrap();
            let function = editor.symbol(name).unwrap().unwrap();
            let body = editor.body(function).unwrap();
            let ops = editor.operations(body).unwrap();
            editor.move_before(*ops.last().unwrap(), ops[0]).unwrap();
            editor.set_verification(false, false);
            let mut bytes = Vec::new();
            editor.write(&mut bytes, &WriteOptions::default()).unwrap();
            assert_eq!(both(&Module::from_bytes(bytes).unwrap()), (false, false), "{name}");
        }
    }

    #[test]
    fn functions_are_checked_on_any_number_of_threads() {
        let text = |last: &str| {
            let op = |op| format!("%{op} = \"t.a\"(%x) : (i32) -> i32\n\"t.b\"(%{op}) : (i32) -> ()\n");
            let ops: String = (0..40).map(op).collect();
            let function = |number| {
                let last = if number == 30 { last } else { "" };
                format!("func.func @f{number}(%x: i32) {{\n{ops}{last}return\n}}\n")
            };
            (0..40).map(function).collect::<String>()
        };
        let module = |last| {
            let bytes = assemble(text(last), &ParseOptions::default()).unwrap();
            assert!(bytes.len() > 16 << 10);
            Module::from_bytes(bytes).unwrap()
        };
        let in_order = module("\"t.c\"(%39) : (i32) -> ()\n");
        // Operations of the module's region may be in any order.
        let not = module("builtin.module {\n\"t.d\"(%a) : (i32) -> ()\n%a = \"t.a\"() : () -> i32\n}\n");
        for threads in [1, 2, 5] {
            let results =
                on_threads(threads, || [&in_order, &not].map(|module| is_in_order(module).unwrap()));
            assert_eq!(results, [true, false]);
        }
    }
}
