//! Checks operations against the definitions of a release. Constraints that cannot be evaluated are counted.
//!
//! Owns counts of operands, results, regions and successors, required attributes and their classes, types
//! that are the only ones of a constraint, and traits about terminators, parents, regions and symbols. A rule
//! that is not certain is counted, never guessed: no operation that MLIR accepts is refused here.

mod attributes;
mod branches;
mod counts;
mod findings;
mod flow;
mod numbers;
mod pack_predicates;
mod rule_changes;
pub(crate) mod rules;
mod scalable;
mod stated;
mod subjects;
mod summaries;
mod symbols;
mod type_cache;
mod type_traits;
mod types;
mod variables;
mod verifiers;

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use crate::attr::Type;
use crate::file::FileEntries;
use crate::format::id::{OpNameId, TypeId};
use crate::ir::Module;
use crate::ir::view::{Block, Operation};
use crate::ir::{BodyId, OpId};
use crate::release::Llvm;
use crate::wire::error::{ErrorKind, Result, counted};
use crate::wire::limits::HeldMemory;

use attributes::{AttributeCache, AttributeFacts};
pub use findings::OperationChecks;
use flow::{Complaint, Flow};
use rule_changes::{RuleSource, Unwritten};
use rules::{Groups, Rules, Sizes};
use stated::SymbolTables;
use subjects::ValueTypes;
use type_cache::TypeCache;
use type_traits::{OperationTypes, Typed};

impl Module {
    /// Checks operations against the definitions of the release.
    ///
    /// The checks cover counts of operands, results, regions and successors, sizes of their groups, required
    /// attributes and their classes, and traits. Constraints without a known predicate are only counted.
    /// Operations that MLIR accepts are accepted.
    ///
    /// # Errors
    /// If the file is malformed. Operations that break their definition are in the result.
    #[doc(hidden)]
    pub fn verify_operations(&self) -> Result<OperationChecks> {
        self.verify_operations_unlike(None)
    }

    /// Checks the operations whose rules do not follow from the rules of `before`, the module before its
    /// conversion. No operation is read if all rules follow.
    ///
    /// # Errors
    /// As [`Self::verify_operations`].
    pub(crate) fn verify_operations_unlike(&self, before: Option<&Self>) -> Result<OperationChecks> {
        // A file may have any number of top-level operations.
        self.settle()?;
        self.verify_inside(self.operation().ok(), before)
    }

    // Checks an operation and everything inside it.
    fn verify_inside<'m>(
        &'m self,
        root: Option<Operation<'m>>,
        before: Option<&Self>,
    ) -> Result<OperationChecks> {
        self.settle()?;
        let entries = self.tables().entries()?;
        let mut checks = OperationChecks::default();
        let source = RuleSource::new(self, &entries)?;
        let changed = match before {
            Some(before) => {
                let entries = before.tables().entries()?;
                rule_changes::changed_names(&RuleSource::new(before, &entries)?, &source)?
            }
            None => Vec::new(),
        };
        if before.is_some() && !changed.contains(&true) {
            return self.tables().unless_lost(Ok(checks));
        }
        let mut held = self.tables().work_budget().hold(0)?;
        let names = self.tables().op_names()?.len();
        let bytes = names * (size_of::<Option<Option<Rc<Rules>>>>() + size_of::<u64>());
        held.grow_to(bytes)?;
        let mut checker = Checker {
            module: self,
            entries: &entries,
            unwritten: Unwritten::new(source.base_time),
            source,
            is_unchanged: changed.into_iter().map(|is_changed| !is_changed).collect(),
            rules: vec![None; names],
            accepted: HashSet::default(),
            shape: Vec::new(),
            facts: HashMap::new(),
            symbols: HashSet::new(),
            symbol_tables: SymbolTables::default(),
            flow: Flow::default(),
            counts: vec![0; names],
            types: TypeCache::new(self)?,
            has_spec_constants: verifiers::has_spec_constants(self)?,
            ignores_wrong_sizes: self.tables().release_llvm().has_properties()
                && !self.tables().bytecode().version().has_native_properties(),
            known: AttributeCache::default(),
            held,
            bytes,
            list_bytes_left: self.size().saturating_mul(2),
        };
        // A file may have any number of top-level operations.
        let Some(root) = root else { return Ok(checks) };
        checker.check_classes(&root, &mut checks)?;
        for op in root.pre_order() {
            checker.check(&op?, &mut checks)?;
        }
        for (count, rules) in checker.counts.iter().zip(&checker.rules) {
            if let Some(Some(rules)) = rules {
                checks.add_names(rules.unknown.iter().map(|name| &**name), *count);
            }
        }
        self.tables().unless_lost(Ok(checks))
    }
}

impl Operation<'_> {
    /// Checks the operation and everything inside it, as [`Module::verify_operations`] checks a module.
    ///
    /// # Errors
    /// If the file is malformed. Operations that break their definition are in the result.
    ///
    /// ```
    /// let module = mlirbc::Module::open("../../examples/two_layers.mlirbc")?;
    /// let function = module.operation()?.pre_order().nth(1).unwrap()?;
    /// let checks = function.verify_operations()?;
    /// assert!(checks.errors().is_empty());
    /// assert!(checks.operations() < module.verify_operations()?.operations());
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    #[doc(hidden)]
    pub fn verify_operations(&self) -> Result<OperationChecks> {
        self.module().verify_inside(Some(*self), None)
    }
}

const MASK: &str = "vector.mask";
const TARGET_DATA: &str = "omp.target_data";

/// The most shapes that are kept, and the most values in a shape.
const MOST_SHAPES: usize = 1 << 16;
const MOST_VALUES: usize = 64;

/// An error at the end of a block.
enum EndOfBlock<'m> {
    /// The last operation, which is not a terminator.
    NoTerminator(Operation<'m>),
    /// A sentence about the block.
    Wrong(String),
}

struct Checker<'m, 'e> {
    module: &'m Module,
    entries: &'e FileEntries<'m>,
    source: RuleSource<'m, 'e>,
    unwritten: Unwritten,
    // By op name: whether a release that accepted the op has the same rules. Empty if all ops are checked.
    is_unchanged: Vec<bool>,
    // By op name; the outer `None` until the rules are requested.
    rules: Vec<Option<Option<Rc<Rules>>>>,
    // Accepted operations without regions and successors: name, blob, dictionary, and types.
    accepted: HashSet<Box<[u32]>, foldhash::fast::RandomState>,
    shape: Vec<u32>,
    // The attributes of ops, by name, blob and dictionary.
    facts: HashMap<(u32, u32, u32), Rc<AttributeFacts>>,
    known: AttributeCache<'m>,
    types: TypeCache<'m>,
    has_spec_constants: bool,
    // A reader that moves sizes from a dictionary into properties ignores a list of another length (`setInherentAttr` in
    // `mlir/tools/mlir-tblgen/OpDefinitionsGen.cpp`).
    ignores_wrong_sizes: bool,
    // The numbers of the symbols in each symbol table.
    symbols: HashSet<(BodyId, OpId, u32)>,
    symbol_tables: SymbolTables<'m>,
    flow: Flow,
    // The number of ops of each name.
    counts: Vec<u64>,
    held: HeldMemory,
    bytes: usize,
    /// The bytes of long lists that rules may still read: many operations may share a list.
    list_bytes_left: u64,
}

impl<'m> Checker<'m, '_> {
    fn rules(&mut self, name: OpNameId) -> Option<Rc<Rules>> {
        self.own_or_borrowed(name).filter(|rules| !rules.is_borrowed)
    }

    fn own_or_borrowed(&mut self, name: OpNameId) -> Option<Rc<Rules>> {
        let row = self.rules.get(name.index())?;
        if let Some(rules) = row {
            return rules.clone();
        }
        let rules = self.source.rules(name);
        if let Some(row) = self.rules.get_mut(name.index()) {
            *row = Some(rules.clone());
        }
        rules
    }

    fn check(&mut self, op: &Operation<'m>, checks: &mut OperationChecks) -> Result<()> {
        checks.operations += 1;
        let rules = self.own_or_borrowed(op.name_id());
        self.flow.enter(op, rules.as_deref().filter(|rules| !rules.is_borrowed));
        if self.is_unchanged.get(op.name_id().index()) == Some(&true) {
            return Ok(());
        }
        let complaints = [self.flow.operand(op), flow::successors(op)];
        let has_wrong_successors = complaints[1].is_some();
        for (kind, sentence) in complaints.into_iter().flatten() {
            checks.add(op, kind, &sentence);
        }
        self.held.grow_to(self.bytes + self.flow.memory() + self.types.shapes.memory())?;
        let Some(rules) = rules else {
            checks.without_definition += 1;
            return Ok(());
        };
        if let Some(count) = self.counts.get_mut(op.name_id().index()) {
            *count += 1;
        }
        if rules.is_borrowed {
            checks.without_definition += 1;
        } else {
            checks.evaluated += rules.evaluated;
            checks.not_evaluated += rules.not_evaluated;
        }
        let has_shape = self.read_shape(op, &rules);
        if has_shape && self.accepted.contains(&*self.shape) {
            return Ok(());
        }
        let mut complaints: Vec<Complaint> = Vec::new();
        let mut wrong = |sentence: String| complaints.push((ErrorKind::Ir, sentence));
        let facts = self.attributes(op, &rules)?;
        for complaint in &facts.complaints {
            wrong(complaint.clone());
        }
        let body = op.columns();
        let operands: Vec<TypeId> =
            body.operand_rows(op.id()).map(|row| body.type_of(body.operands[row as usize])).collect();
        let results = body.results(op.id());
        let results = body.result_type.get(results.start as usize..results.end as usize).unwrap_or_default();
        let operands = operands.iter().map(|&index| self.types.get(index)).collect::<Result<Vec<_>>>()?;
        let results = results.iter().map(|&index| self.types.get(index)).collect::<Result<Vec<_>>>()?;
        let mut known_sizes = [None, None];
        for (place, (what, groups, types, sizes)) in [
            ("operand", &rules.operands, &operands[..], &facts.operands),
            ("result", &rules.results, &results[..], &facts.results),
        ]
        .into_iter()
        .enumerate()
        {
            let sizes = match groups.sizes {
                Sizes::InAttribute if facts.is_known => match sizes.as_deref() {
                    Some(sizes) if self.ignores_wrong_sizes && sizes.len() != groups.rows.len() => {
                        groups.sizes_from_attribute(what, &vec![0; groups.rows.len()], types.len())
                    }
                    sizes => {
                        sizes.map_or(Ok(None), |sizes| groups.sizes_from_attribute(what, sizes, types.len()))
                    }
                },
                Sizes::InAttribute => Ok(None),
                _ => groups.sizes_from_count(what, types.len()),
            };
            match sizes {
                Err(complaint) => wrong(complaint),
                Ok(Some(sizes)) => {
                    if let Some(complaint) = self.wrong_type(what, groups, &sizes, types)? {
                        wrong(complaint);
                    }
                    known_sizes[place] = Some(sizes);
                }
                Ok(None) => {}
            }
        }
        let [operand_sizes, result_sizes] = &known_sizes;
        let values = ValueTypes {
            operands: &operands,
            results: &results,
            operand_sizes: operand_sizes.as_deref(),
            result_sizes: result_sizes.as_deref(),
        };
        if rules.is_borrowed {
            let sentences = self.verified(op, &rules, &facts, values)?;
            sentences.iter().for_each(|sentence| checks.add(op, ErrorKind::Ir, sentence));
            return Ok(());
        }
        let mut attributes = Vec::new();
        for (name, r#type) in &facts.types {
            attributes.push((&**name, self.types.get(*r#type)?));
        }
        let types = OperationTypes {
            shapes: &self.types.shapes,
            attributes: &attributes,
            without_type: &facts.without_type,
            operands: &operands,
            results: &results,
            operand_sizes: operand_sizes.as_deref(),
            result_sizes: result_sizes.as_deref(),
        };
        rules.type_traits.iter().filter_map(|r#trait| r#trait.complaint(&types)).for_each(&mut wrong);
        if let Some(variables) = &rules.variables {
            let groups = [(&operands[..], operand_sizes.as_deref()), (&results[..], result_sizes.as_deref())];
            for (what, groups, sizes) in
                [("operand", &rules.operands, &facts.operands), ("result", &rules.results, &facts.results)]
            {
                if groups.sizes == Sizes::InAttribute && sizes.is_none() {
                    wrong(format!("needs the attribute `{what}SegmentSizes`"));
                }
            }
            self.broken_variables(op, variables, groups)?.into_iter().for_each(&mut wrong);
        }
        self.verified(op, &rules, &facts, values)?.into_iter().for_each(&mut wrong);
        self.broken_stated_rules(op, &rules.stated, &facts, values)?.into_iter().for_each(&mut wrong);
        let detail = body.detail(op.id());
        let (regions, successors) =
            detail.map_or((0, 0), |detail| (detail.regions as usize, detail.successors as usize));
        let counts = [("region", &rules.regions, regions), ("successor", &rules.successors, successors)];
        for (what, count, number) in counts {
            count.complaint(what, number).into_iter().for_each(&mut wrong);
        }
        for (rule, &elements) in rules.counts.iter().zip(&facts.counts) {
            rule.complaint(elements, successors, regions).into_iter().for_each(&mut wrong);
        }
        if let (Some(branch), Some(sizes)) = (&rules.branch, &known_sizes[0]) {
            let parts = branch.operands(successors, sizes, facts.branch_sizes.as_deref());
            complaints.extend(self.branch(op, &parts.unwrap_or_default(), &operands)?);
        }
        if self.unwritten.vectors_are_fixed {
            let complaint = scalable::complaint(&op.name(), &operands, &results);
            complaints.extend(complaint.map(|sentence| (ErrorKind::Ir, sentence)));
        }
        let ends = self.structure(op, &rules, has_wrong_successors, &mut complaints)?;
        self.symbol(op, &facts, &mut complaints)?;
        for (last, sentence) in &ends {
            checks.add(last, ErrorKind::Ir, sentence);
        }
        if has_shape && complaints.is_empty() && self.accepted.len() < MOST_SHAPES {
            self.hold(size_of_val(&*self.shape) + size_of::<Box<[u32]>>())?;
            self.accepted.insert(self.shape.as_slice().into());
        }
        for (kind, sentence) in complaints {
            checks.add(op, kind, &sentence);
        }
        Ok(())
    }

    /// Fills `shape` with everything on which the rules of an operation depend; `false` if the rules depend
    /// on the operation's surroundings, too.
    fn read_shape(&mut self, op: &Operation<'m>, rules: &Rules) -> bool {
        self.shape.clear();
        let body = op.columns();
        let is_plain = body.detail(op.id()).is_none_or(|detail| detail.regions + detail.successors == 0);
        if !is_plain || rules.is_terminator || rules.has_symbol || !rules.parents.is_empty() {
            return false;
        }
        let reads_surroundings = rules.verifiers.iter().any(|rule| rule.reads_surroundings())
            || rules.stated.iter().any(|rule| rule.reads_surroundings());
        if reads_surroundings {
            return false;
        }
        let absent = u32::MAX;
        self.shape.extend([
            op.name_id().number(),
            op.properties().map_or(absent, |blob| blob.number()),
            op.attribute_dictionary().map_or(absent, |dictionary| dictionary.number()),
        ]);
        let operands = body.operand_rows(op.id()).map(|row| body.type_of(body.operands[row as usize]));
        self.shape.extend(operands.take(MOST_VALUES + 1).map(TypeId::number));
        let operand_count = self.shape.len();
        self.shape.push(operand_count as u32);
        let results = body.results(op.id());
        let results = body.result_type.get(results.start as usize..results.end as usize).unwrap_or_default();
        self.shape.extend(results.iter().take(MOST_VALUES + 1).map(|r#type| r#type.number()));
        self.shape.len() <= MOST_VALUES
    }

    // Describes the first wrong operand that a branch passes to a successor; `parts` are the ranges of the
    // operands of each successor.
    fn branch(
        &mut self,
        op: &Operation<'m>,
        parts: &[(usize, usize)],
        operands: &[Rc<Typed>],
    ) -> Result<Option<Complaint>> {
        for (number, (block, &(start, count))) in op.successors().zip(parts).enumerate() {
            let arguments = block.arguments();
            if arguments.len() != count {
                let sentence = format!(
                    "successor {number}, block {}, has {}, but {} passed to it",
                    block.number(),
                    counted(arguments.len(), "argument"),
                    if count == 1 { "1 value is".to_owned() } else { format!("{count} values are") },
                );
                return Ok(Some((ErrorKind::OpBranch, sentence)));
            }
            let passed = operands.get(start..).unwrap_or_default();
            for (argument, (value, passed)) in arguments.zip(passed).enumerate() {
                let expected = self.types.get(value.r#type())?;
                if !self.types.are_same(&expected, passed)? {
                    let sentence = format!(
                        "argument {argument} of successor {number}, block {}, is {}, but a value of type {} is passed to it",
                        block.number(),
                        expected.shown(),
                        passed.shown(),
                    );
                    return Ok(Some((ErrorKind::OpBranch, sentence)));
                }
            }
        }
        Ok(None)
    }

    fn wrong_type(
        &mut self,
        what: &str,
        groups: &Groups,
        sizes: &[usize],
        types: &[Rc<Typed>],
    ) -> Result<Option<String>> {
        let mut place = 0;
        for (group, &size) in groups.rows.iter().zip(sizes) {
            for number in place..place + size {
                let Some(typed) = types.get(number) else { return Ok(None) };
                let mut part = |element: &Type| self.types.part(element);
                if !group.r#type.accepts(typed, self.entries, &mut part)? {
                    return Ok(Some(format!("{what} {number} (`{}`) is not {}", group.name, group.summary)));
                }
            }
            place += size;
        }
        Ok(None)
    }

    fn structure(
        &mut self,
        op: &Operation<'m>,
        rules: &Rules,
        has_wrong_successors: bool,
        complaints: &mut Vec<Complaint>,
    ) -> Result<Vec<(Operation<'m>, String)>> {
        let mut ends = Vec::new();
        let mut wrong = |sentence: String| complaints.push((ErrorKind::Ir, sentence));
        if rules.is_terminator
            && !has_wrong_successors
            && op.block().owner().is_some()
            && op.block().last_operation() != Some(*op)
        {
            wrong("is a terminator, so it must be the last operation of its block".to_owned());
        }
        if let (false, Some(parent)) = (rules.parents.is_empty(), op.parent()) {
            let name = parent.name();
            if rules.parents.iter().all(|parent| **parent != *name) {
                let expected = rules.parents.join("`, `");
                wrong(format!("must be directly inside `{expected}`, not `{name}`"));
            }
        }
        if &*op.name() == MASK
            && let Some(complaint) = self.masked(op)?
        {
            complaints.push((ErrorKind::Ir, complaint));
        }
        if &*op.name() == TARGET_DATA
            && let Some(number) = self.unmapped(op)?
        {
            let sentence = format!("operand {number} must be a result of `omp.map.info`");
            complaints.push((ErrorKind::Ir, sentence));
        }
        let mut wrong = |sentence: String| complaints.push((ErrorKind::Ir, sentence));
        for region in op.regions()? {
            let number = region.number();
            if rules.one_block.iter().any(|&one_block| one_block as usize == number as usize)
                && region.len() != 1
            {
                wrong(format!("region {number} must have one block, found {}", region.len()));
            }
            if region.is_empty() {
                continue;
            }
            if rules.is_single_block && region.len() > 1 {
                wrong(format!("region {number} must have at most one block, found {}", region.len()));
            }
            if rules.has_no_region_arguments
                && region.block(0).is_some_and(|block| block.arguments().len() > 0)
            {
                wrong(format!("region {number} must not have arguments"));
            }
            for block in region.blocks() {
                let Some(complaint) = self.end_of_block(&block, rules, region.len() == 1) else { continue };
                let place = format!("region {number}, block {}", block.number());
                match complaint {
                    EndOfBlock::Wrong(complaint) => wrong(format!("{place}: {complaint}")),
                    EndOfBlock::NoTerminator(last) => {
                        let sentence = format!("is not a terminator, but ends {place} of `{}`", op.name());
                        ends.push((last, sentence));
                    }
                }
            }
        }
        Ok(ends)
    }

    /// Returns the first pointer that OpenMP does not map, if the release refuses such a pointer.
    fn unmapped(&mut self, op: &Operation<'m>) -> Result<Option<usize>> {
        if self.source.time.is_none_or(|time| !time.has(Llvm::requires_mapped_data)) {
            return Ok(None);
        }
        for (number, value) in op.operands().enumerate() {
            let is_mapped = value.owner_op().is_some_and(|owner| &*owner.name() == "omp.map.info");
            // The condition and the device are numbers.
            if !is_mapped && self.types.get(value.r#type())?.facts.kind != types::Kind::Integer {
                return Ok(Some(number));
            }
        }
        Ok(None)
    }

    /// Describes an error of the operation in the region of `vector.mask`.
    fn masked(&self, op: &Operation<'m>) -> Result<Option<String>> {
        let Some(block) = op.regions()?.next().and_then(|region| region.block(0)) else { return Ok(None) };
        let mut operations = block.operations();
        let (first, second) = (operations.next(), operations.next());
        let (Some(first), Some(_)) = (first, second) else {
            let is_refused = self.unwritten.masks_need_an_operation && first.is_some();
            return Ok(is_refused.then(|| "must have an operation to mask".to_owned()));
        };
        let Some(definition) = self.source.definitions.and_then(|all| all.get(&first.name())) else {
            return Ok(None);
        };
        let is_maskable = definition.has_trait("MaskableOpInterface");
        let is_checked = self.source.time.is_some_and(|time| {
            time.has(Llvm::had_masked_operations) || time.has(Llvm::checks_masked_operations)
        });
        Ok((is_checked && !is_maskable).then(|| format!("`{}` cannot be masked", first.name())))
    }

    fn end_of_block(&mut self, block: &Block<'m>, rules: &Rules, is_only: bool) -> Option<EndOfBlock<'m>> {
        if is_only && rules.needs_no_terminator {
            return None;
        }
        let Some(last) = block.last_operation() else {
            return Some(EndOfBlock::Wrong("expected a terminator, found no operation".to_owned()));
        };
        let of_last = self.rules(last.name_id())?;
        if !of_last.is_terminator {
            return Some(EndOfBlock::NoTerminator(last));
        }
        let expected = rules.terminator.as_ref().filter(|_| is_only)?;
        (**expected != *last.name()).then(|| {
            EndOfBlock::Wrong(format!("expected the terminator `{expected}`, found `{}`", last.name()))
        })
    }

    /// Whether a rule may read a list of this length. All long lists together are limited by the size of the file.
    fn affords_list(&mut self, bytes: usize) -> bool {
        const SHORT: usize = 128;
        if bytes <= SHORT {
            return true;
        }
        let left = self.list_bytes_left.checked_sub(bytes as u64);
        self.list_bytes_left = left.unwrap_or(self.list_bytes_left);
        left.is_some()
    }

    fn hold(&mut self, bytes: usize) -> Result<()> {
        self.bytes += bytes;
        self.held.grow_to(self.bytes)
    }
}
