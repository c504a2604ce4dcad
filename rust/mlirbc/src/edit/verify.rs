//! Verifies changes, and lists the operations that must be encoded again.
//!
//! One walk over the edited bodies checks for each use whether its value is visible. This check is required,
//! because an invisible value has no index to write; it also determines which ops are isolated. Other checks
//! are optional: that definitions dominate uses, that only the last op of a block has successors, and on
//! request that symbols exist.

use std::collections::HashMap;

use crate::file::Choice;
use crate::ir::Module;
use crate::ir::dominance::Dominators;
use crate::ops::{OperationDefinition, OperationDefinitions};
use crate::wire::error::{Error, ErrorKind, Result};

use super::Editor;
use super::arena::{
    Arena, ArenaBlock, ArenaOp, ArenaRegion, ArenaValue, ROOT, RegionDepth, WalkStep, Walker,
};
use super::definition_order::is_in_order;

/// Ops of known dialects with graph regions.
const GRAPHS: &[&str] =
    &["builtin.module", "ml_program.subgraph", "emitc.file", "emitc.class", "gpu.module", "irdl.dialect"];

/// Ops of known dialects that are isolated from above.
pub(super) const ISOLATED: &[&str] =
    &["builtin.module", "func.func", "llvm.func", "gpu.func", "gpu.module", "spirv.func"];

struct OpenOp {
    op: ArenaOp,
    /// The number of open regions around the op.
    base: u32,
    /// The outermost region whose values are used inside the op.
    least: Option<RegionDepth>,
    /// Whether the direct contents of the op differ from the file.
    is_dirty: bool,
    is_skipped: bool,
}

impl Editor {
    /// Verifies the changes: that operands are in scope and defined before they are used, that successors are
    /// blocks of the same region and used at the end of a block; with `symbols`, that every referenced symbol
    /// is defined. Writing calls this.
    ///
    /// # Errors
    /// [`ErrorKind::Ir`], with the path of the operation.
    ///
    /// ```
    /// use mlirbc::{Module, edit::Editor};
    /// let module = Module::open("../../examples/two_layers.mlirbc")?;
    /// let mut editor = Editor::new(module)?;
    /// let function = editor.symbol("main")?.unwrap();
    /// let body = editor.body(function)?;
    /// let ops = editor.operations(body)?;
    /// editor.move_before(*ops.last().unwrap(), ops[0])?;
    /// let error = editor.verify(false).unwrap_err();
    /// assert_eq!(error.kind(), mlirbc::ErrorKind::Ir);
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn verify(&mut self, symbols: bool) -> Result<()> {
        self.plan(true, false)?;
        self.check_sizes()?;
        if symbols { self.verify_symbols() } else { Ok(()) }
    }

    /// Verifies the whole module, edited or not, as [`Self::verify`] does.
    ///
    /// # Errors
    /// As [`Self::verify`], and the errors of reading the file.
    #[doc(hidden)]
    pub fn verify_everything(&mut self, symbols: bool) -> Result<()> {
        self.load_everything()?;
        self.plan(true, true)?;
        self.check_sizes()?;
        if symbols { self.verify_symbols() } else { Ok(()) }
    }

    /// Verifies an unedited module without symbols: almost always in one pass that loads nothing.
    ///
    /// # Errors
    /// As [`Self::verify_everything`].
    ///
    /// ```
    /// let module = mlirbc::Module::open("../../examples/two_layers.mlirbc")?;
    /// mlirbc::edit::Editor::verify_unedited(&module)?;
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    #[doc(hidden)]
    pub fn verify_unedited(module: &Module) -> Result<()> {
        match is_in_order(module) {
            Ok(true) => Ok(()),
            // The editor also runs after errors, so that the error is the same.
            _ => Self::new(module.clone())?.verify_everything(false),
        }
    }

    /// Verifies as [`Self::set_verification`] specifies; returns the isolated ops that must be encoded again,
    /// inner ones first.
    pub(crate) fn checked_plan(&mut self) -> Result<Vec<ArenaOp>> {
        let changed = self.plan(self.verifies, false)?;
        if self.verifies {
            self.check_sizes()?;
        }
        if self.checks_symbols {
            self.verify_symbols()?;
        }
        Ok(changed)
    }

    pub(super) fn plan(&mut self, verifies: bool, everything: bool) -> Result<Vec<ArenaOp>> {
        let is_framed = self.base.tables().bytecode().version().has_region_sections();
        if !is_framed && self.arena.detail(ROOT).is_some_and(|detail| !detail.is_as_in_file()) {
            self.load_everything()?;
        }
        for region in &mut self.arena.regions {
            region.depth = None;
        }
        let is_dirty =
            |arena: &Arena, op| everything || arena.detail(op).is_some_and(|detail| detail.is_dirty);
        let root = OpenOp {
            op: ROOT,
            base: 0,
            least: None,
            is_dirty: is_dirty(&self.arena, ROOT),
            is_skipped: false,
        };
        let mut open_ops = vec![root];
        let mut blocks = Vec::new();
        let mut regions = Vec::new();
        let mut is_left = vec![false; if verifies { self.arena.ops.len() } else { 0 }];
        let mut dominators = HashMap::new();
        let mut changed = Vec::new();
        let mut walker = Walker::inside(ROOT);
        while let Some(step) = walker.next(&self.arena) {
            match step {
                WalkStep::Enter(op) => {
                    let Some(around) = open_ops.last_mut() else { break };
                    let scope_is_dirty = around.is_dirty;
                    for (number, value) in self.arena.operands(op).enumerate() {
                        let region = self.arena.region_of_value(value);
                        let region = region.and_then(|region| self.arena.regions.get(region.index()));
                        let depth = region.and_then(|region| region.depth);
                        // The top level has no numbered values.
                        let Some(depth) = depth.filter(|depth| depth.number() > 0) else {
                            return Err(self.out_of_scope(op, number));
                        };
                        around.least = outermost(around.least, Some(depth));
                        let user = blocks.get(depth.index()).copied().flatten();
                        if verifies
                            && scope_is_dirty
                            && let Some(user) = user
                        {
                            self.dominated(op, number, value, user, &is_left, &mut dominators)?;
                        }
                    }
                    if verifies && self.arena.op(op).results > 0 {
                        self.check_results(op)?;
                    }
                    if !self.arena.successors(op).is_empty() {
                        self.check_successors(op, verifies && scope_is_dirty)?;
                    }
                    let mut open_op = OpenOp {
                        op,
                        base: regions.len() as u32,
                        least: None,
                        is_dirty: scope_is_dirty,
                        is_skipped: false,
                    };
                    if let Some(detail) = self.arena.detail(op)
                        && detail.is_isolated
                        && !detail.is_new
                    {
                        open_op.is_dirty = everything || detail.is_dirty;
                        open_op.is_skipped = !everything && detail.is_as_in_file() && is_framed;
                    }
                    if open_op.is_skipped {
                        walker.skip();
                    }
                    open_ops.push(open_op);
                }
                WalkStep::BeginRegion(region) => {
                    self.arena.regions[region.index()].depth = Some(RegionDepth::after(&regions));
                    for place in 0..self.arena.region(region).blocks.len() {
                        let block = self.arena.region(region).blocks[place];
                        self.arena.block_mut(block).number = place as u32;
                    }
                    regions.push(region);
                    blocks.push(None);
                }
                WalkStep::BeginBlock(block) => {
                    if let Some(open) = blocks.last_mut() {
                        *open = Some(block);
                    }
                }
                WalkStep::EndBlock => {}
                WalkStep::EndRegion(region) => {
                    self.arena.regions[region.index()].depth = None;
                    regions.pop();
                    blocks.pop();
                }
                WalkStep::Leave(op) => {
                    let Some(open_op) = open_ops.pop() else { break };
                    if let Some(around) = open_ops.last_mut() {
                        around.least = outermost(around.least, open_op.least);
                    }
                    if verifies {
                        is_left[op.index()] = true;
                    }
                    if self.decide_isolation(&open_op, verifies)? && !open_op.is_skipped {
                        changed.push(op);
                    }
                }
            }
        }
        Ok(changed)
    }

    // Determines whether an op is isolated.
    fn decide_isolation(&mut self, open_op: &OpenOp, verifies: bool) -> Result<bool> {
        let uses_outside = open_op.least.is_some_and(|least| least.number() < open_op.base);
        if self.arena.region_count(open_op.op) == 0 {
            return Ok(false);
        }
        let Some(detail) = self.arena.detail(open_op.op) else { return Ok(false) };
        let (is_new, was_isolated) = (detail.is_new, detail.is_isolated);
        if uses_outside && verifies && ISOLATED.contains(&&*self.name_text(open_op.op)) {
            let message = "an operation that is isolated from above uses a value that is defined outside";
            return Err(Error::message(ErrorKind::Ir, message).with_path(self.path(open_op.op)));
        }
        if is_new {
            self.arena.detail_mut(open_op.op).is_isolated = !uses_outside;
        } else if was_isolated && uses_outside {
            self.arena.detail_mut(open_op.op).is_isolated = false;
            self.arena.touch(open_op.op);
        }
        Ok((is_new || was_isolated) && !uses_outside)
    }

    /// Loads all bodies: before version 2 an op cannot be copied without its regions, and symbols are looked
    /// up everywhere.
    pub(crate) fn load_everything(&mut self) -> Result<()> {
        let mut op = ROOT;
        while op < ArenaOp::after(&self.arena.ops) {
            if !self.arena.is_erased(op) {
                self.load_regions(op)?;
            }
            op = op.plus(1);
        }
        Ok(())
    }

    #[cold]
    fn out_of_scope(&self, op: ArenaOp, number: usize) -> Error {
        let message = format!("operand `{number}` is not defined in an enclosing region");
        self.located(op, Error::message(ErrorKind::Ir, message).with_path(self.path(op)))
    }

    /// Adds the position that the location of an operation names, for example in the text that it was parsed
    /// from.
    #[cold]
    fn located(&self, op: ArenaOp, error: Error) -> Error {
        let location = self.tables.attribute_value(self.arena.op(op).location).ok();
        match location.and_then(|location| location.text_place()) {
            Some(place) => error.in_text(place),
            None => error,
        }
    }

    fn dominated(
        &self,
        op: ArenaOp,
        number: usize,
        value: ArenaValue,
        user: ArenaBlock,
        is_left: &[bool],
        dominators: &mut HashMap<ArenaRegion, Dominators>,
    ) -> Result<()> {
        let row = self.arena.value(value);
        let Some(block) = self.arena.block_of_value(value) else { return Ok(()) };
        let Some(region) = self.arena.block(block).region else { return Ok(()) };
        // The entry block dominates all blocks, and defines most values that other blocks use.
        let is_before = match block == user {
            true => {
                row.is_argument() || row.op().and_then(|op| is_left.get(op.index())).copied().unwrap_or(true)
            }
            false => self.arena.region(region).blocks.first() == Some(&block),
        };
        if is_before || (block == user && !self.has_order(region)?) {
            return Ok(());
        }
        let tree = dominators.entry(region).or_insert_with(|| dominators_of(&self.arena, region));
        let places = [block, user].map(|block| self.arena.block(block).number);
        // Any order is valid in an unreachable block.
        let is_valid = match block == user {
            true => !tree.is_reachable(places[1]),
            false => tree.dominates(places[0], places[1]),
        };
        if is_valid || !self.has_order(region)? {
            return Ok(());
        }
        let definition = row.op().map_or(String::new(), |op| self.definition_place(op));
        let message = format!("the definition of operand `{number}` does not dominate this use{definition}");
        Err(self.located(op, Error::message(ErrorKind::Ir, message).with_path(self.path(op))))
    }

    // Names the operation that defines a value, and its line if it has one.
    #[cold]
    fn definition_place(&self, op: ArenaOp) -> String {
        let name = self.name_text(op);
        let location = self.tables.attribute_value(self.arena.op(op).location).ok();
        match location.and_then(|location| location.text_place()) {
            Some(place) => format!("; `{name}` in line {} defines it", place.line),
            None => format!("; `{name}` defines it"),
        }
    }

    // Returns whether the ops of a region are executed in order, if known.
    pub(super) fn has_order(&self, region: ArenaRegion) -> Result<bool> {
        let Some(op) = self.arena.region(region).op else { return Ok(false) };
        if op == ROOT || !self.tables.is_registered(self.arena.op(op).name()) {
            return Ok(false);
        }
        let name = self.name_text(op);
        let is_known = self.layout_choice(self.arena.op(op).name())? != Choice::Absent;
        Ok(!GRAPHS.contains(&&*name) && is_known && !self.may_be_graph(&name)?)
    }

    // Whether the definition in a pack says that regions of the op may be graphs.
    fn may_be_graph(&self, name: &str) -> Result<bool> {
        let release = self.base.release()?;
        let schema = release.schema().filter(|schema| schema.is_of_pack());
        let definitions = schema.and_then(|schema| OperationDefinitions::named(schema.name()));
        let definition = definitions.and_then(|definitions| definitions.get(name));
        let has = |definition: &OperationDefinition, name| definition.has_trait(name);
        Ok(definition
            .is_some_and(|known| has(&known, "RegionKindInterface") || has(&known, "HasOnlyGraphRegion")))
    }

    // Checks that top-level operations have no results.
    fn check_results(&self, op: ArenaOp) -> Result<()> {
        let release = self.base.release()?;
        let is_at_top = self.arena.parent(op) == Some(ROOT);
        if !is_at_top || release.nearest().is_none() || !release.llvm().numbers_results_without_values() {
            return Ok(());
        }
        let expected = "no results at the top level, for which LLVM 16 has no numbers";
        let actual = format!("`{}`", self.arena.results(op).len());
        Err(Error::new(ErrorKind::Ir, expected, actual).with_path(self.path(op)))
    }

    fn check_successors(&self, op: ArenaOp, verifies: bool) -> Result<()> {
        let wrong = |message: String| {
            Err(self.located(op, Error::message(ErrorKind::Ir, message).with_path(self.path(op))))
        };
        let block = self.arena.op(op).block;
        let region = block.and_then(|block| self.arena.block(block).region);
        let entry = region.and_then(|region| self.arena.region(region).blocks.first().copied());
        for (number, &to) in self.arena.successors(op).iter().enumerate() {
            let row = self.arena.block(to);
            if row.region != region || row.is_erased {
                return wrong(format!("successor `{number}` is not in the same region"));
            }
            if verifies && entry == Some(to) {
                return wrong(format!("successor `{number}` is the entry block of the region"));
            }
        }
        if verifies && self.arena.op(op).next.is_some() {
            return wrong("an operation with successors is not the last in its block".to_owned());
        }
        Ok(())
    }
}

/// Returns the depth of the outer one of two regions.
fn outermost(depth: Option<RegionDepth>, further: Option<RegionDepth>) -> Option<RegionDepth> {
    depth.into_iter().chain(further).min()
}

pub(super) fn dominators_of(arena: &Arena, region: ArenaRegion) -> Dominators {
    let blocks = &arena.region(region).blocks;
    Dominators::new(blocks.len(), |block, successors| {
        let last = arena.block(blocks[block as usize]).last_op;
        if let Some(last) = last {
            successors.extend(arena.successors(last).iter().map(|&to| arena.block(to).number));
        }
    })
}
