//! What the definitions of a release say about operations, as far as it can be evaluated.
//!
//! Owns counts of operands, results, regions and successors, attributes that have to be there and their classes, types
//! that are the only ones of a constraint, and traits about terminators, parents, regions and symbols. A rule that is
//! not certain is counted, never guessed: MLIR accepts every operation that is refused here in no case.

mod numbers;
pub(crate) mod rules;
mod type_traits;
mod types;

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use crate::attr::text::entry::string_of;
use crate::attr::{Attribute, Type};
use crate::file::FileEntries;
use crate::format::id::{AttrId, OpNameId, TypeId};
use crate::ir::Module;
use crate::ir::module::{Inherent, PropertyReader};
use crate::ir::view::{Block, Operation};
use crate::ir::{BodyId, OpId};
use crate::ops::ApplicableDefinitions;
use crate::props::codec::segment_sizes;
use crate::props::{Property, PropertyValue};
use crate::wire::error::{Error, ErrorKind, Result};
use crate::wire::limits::Held;

use rules::{Groups, Rules, Sizes};
use type_traits::{OperationTypes, Typed};
use types::TypeFacts;

/// More errors add no information.
const MOST: usize = 100;

/// The result of [`Module::verify_operations`].
///
/// ```
/// let module = mlirbc::Module::open("../../examples/two_layers.mlirbc")?;
/// let checks = module.verify_operations()?;
/// assert!(checks.errors().is_empty());
/// assert_eq!((checks.operations(), checks.without_definition()), (34, 0));
/// # Ok::<(), mlirbc::Error>(())
/// ```
#[derive(Debug, Default)]
pub struct OperationChecks {
    operations: u64,
    without_definition: u64,
    evaluated: u64,
    not_evaluated: u64,
    errors: Vec<Error>,
    error_count: u64,
}

impl OperationChecks {
    /// The number of operations.
    pub fn operations(&self) -> u64 {
        self.operations
    }

    /// The number of operations without a definition, which were not checked.
    pub fn without_definition(&self) -> u64 {
        self.without_definition
    }

    /// The number of rules that were evaluated, over all operations.
    pub fn evaluated(&self) -> u64 {
        self.evaluated
    }

    /// The number of constraints and traits that could not be evaluated, over all operations.
    pub fn not_evaluated(&self) -> u64 {
        self.not_evaluated
    }

    /// The operations that break their definition, the first hundred.
    pub fn errors(&self) -> &[Error] {
        &self.errors
    }

    /// The number of all of them.
    pub fn error_count(&self) -> u64 {
        self.error_count
    }

    fn add(&mut self, op: &Operation<'_>, sentence: String) {
        self.error_count += 1;
        if self.errors.len() < MOST {
            let hint = "correct the operation that the path names; `mlirbc explain` shows its definition";
            let error = Error::message(ErrorKind::Ir, format!("{}: {sentence}", op.name()));
            self.errors.push(error.with_path(op.path()).with_hint(hint));
        }
    }
}

impl Module {
    /// Checks operations against the definitions of the release.
    ///
    /// Counts of operands, results, regions and successors, sizes of their groups, attributes that have to be there, their
    /// classes, and traits. Constraints without a known predicate are counted only. Operations that MLIR accepts are
    /// accepted.
    ///
    /// # Errors
    /// If the file is malformed. Operations that break their definition are in the result.
    pub fn verify_operations(&self) -> Result<OperationChecks> {
        self.settle()?;
        let entries = self.entries()?;
        let mut checks = OperationChecks::default();
        let release = self.release()?;
        let definitions =
            release.name().and_then(|name| ApplicableDefinitions::of(name, self.release_llvm().0));
        let mut held = self.work_budget().hold(0)?;
        let names = self.op_names()?.len();
        let bytes = names * size_of::<Option<Option<Rc<Rules>>>>();
        held.grow_to(bytes)?;
        let mut checker = Checker {
            module: self,
            entries: &entries,
            reader: PropertyReader::new(self, &entries)?,
            definitions,
            rules: vec![None; names],
            seen: HashMap::new(),
            symbols: HashSet::new(),
            types: HashMap::new(),
            inherent: Vec::new(),
            discardable: Vec::new(),
            held,
            bytes,
        };
        // A file may have any number of top-level operations.
        let Ok(root) = self.operation() else { return Ok(checks) };
        for op in root.pre_order() {
            checker.check(&op?, &mut checks)?;
        }
        self.unless_lost(Ok(checks))
    }
}

struct Checker<'m, 'e> {
    module: &'m Module,
    entries: &'e FileEntries<'m>,
    reader: PropertyReader<'m, 'e>,
    definitions: Option<ApplicableDefinitions>,
    // By op name; `None` until asked.
    rules: Vec<Option<Option<Rc<Rules>>>>,
    // What was found for ops with the same name, blob and dictionary.
    seen: HashMap<(u32, u32, u32), Rc<Found>>,
    // By index.
    types: HashMap<u32, Rc<Typed>>,
    // Of each symbol table.
    symbols: HashSet<(BodyId, OpId, Box<[u8]>)>,
    inherent: Vec<Property<'m>>,
    discardable: Vec<(u32, u32)>,
    held: Held,
    bytes: usize,
}

/// What the attributes of an op say.
#[derive(Default)]
struct Found {
    is_known: bool,
    complaints: Vec<String>,
    operands: Option<Vec<i32>>,
    results: Option<Vec<i32>>,
    symbol: Option<Box<[u8]>>,
}

impl<'m> Checker<'m, '_> {
    fn rules(&mut self, name: OpNameId) -> Option<Rc<Rules>> {
        let row = self.rules.get(name.index())?;
        if let Some(known) = row {
            return known.clone();
        }
        let names = self.module.dialect_section().map(|section| &section.op_names);
        let is_unregistered = names
            .is_ok_and(|names| names.get(name.index()).is_some_and(|one| one.is_registered == Some(false)));
        let full = self.module.op_name(name).map(|name| name.full().into_owned()).unwrap_or_default();
        let definition = if is_unregistered { None } else { self.definitions.and_then(|all| all.get(&full)) };
        let found = definition.map(|definition| {
            Rc::new(Rules::new(definition, self.reader.schema(name), |name| {
                self.definitions.is_some_and(|all| all.get(name).is_some())
            }))
        });
        if let Some(row) = self.rules.get_mut(name.index()) {
            *row = Some(found.clone());
        }
        found
    }

    fn check(&mut self, op: &Operation<'m>, checks: &mut OperationChecks) -> Result<()> {
        checks.operations += 1;
        let Some(rules) = self.rules(op.name_id()) else {
            checks.without_definition += 1;
            return Ok(());
        };
        checks.evaluated += rules.evaluated;
        checks.not_evaluated += rules.not_evaluated;
        let found = self.attributes(op, &rules)?;
        for complaint in &found.complaints {
            checks.add(op, complaint.clone());
        }
        let body = op.columns();
        let operands: Vec<u32> =
            body.operand_rows(op.id()).map(|row| body.type_of(body.operands[row as usize])).collect();
        let results = body.results(op.id());
        let results = body.result_type.get(results.start as usize..results.end as usize).unwrap_or_default();
        let operands = operands.iter().map(|&index| self.typed(index)).collect::<Result<Vec<_>>>()?;
        let results = results.iter().map(|&index| self.typed(index)).collect::<Result<Vec<_>>>()?;
        let mut known_sizes = [None, None];
        for (place, (what, groups, types, sizes)) in [
            ("operand", &rules.operands, &operands[..], &found.operands),
            ("result", &rules.results, &results[..], &found.results),
        ]
        .into_iter()
        .enumerate()
        {
            let sizes = match groups.sizes {
                Sizes::InAttribute if found.is_known => {
                    sizes.as_deref().map_or(Ok(None), |sizes| groups.given(what, sizes, types.len()))
                }
                Sizes::InAttribute => Ok(None),
                _ => groups.counted(what, types.len()),
            };
            match sizes {
                Err(complaint) => checks.add(op, complaint),
                Ok(Some(sizes)) => {
                    if let Some(complaint) = self.types(what, groups, &sizes, types) {
                        checks.add(op, complaint);
                    }
                    known_sizes[place] = Some(sizes);
                }
                Ok(None) => {}
            }
        }
        let [operand_sizes, result_sizes] = &known_sizes;
        let types = OperationTypes {
            operands: &operands,
            results: &results,
            operand_sizes: operand_sizes.as_deref(),
            result_sizes: result_sizes.as_deref(),
        };
        for complaint in rules.type_traits.iter().filter_map(|one| one.complaint(&types)) {
            checks.add(op, complaint);
        }
        let detail = body.detail(op.id());
        let (regions, successors) =
            detail.map_or((0, 0), |detail| (detail.regions as usize, detail.successors as usize));
        let counts = [("region", &rules.regions, regions), ("successor", &rules.successors, successors)];
        for (what, count, found) in counts {
            if let Some(complaint) = count.complaint(what, found) {
                checks.add(op, complaint);
            }
        }
        self.structure(op, &rules, checks)?;
        self.symbol(op, &found, checks)
    }

    fn types(&self, what: &str, groups: &Groups, sizes: &[usize], types: &[Rc<Typed>]) -> Option<String> {
        let mut place = 0;
        for (group, &size) in groups.rows.iter().zip(sizes) {
            for number in place..place + size {
                let typed = types.get(number)?;
                let index = typed.r#type.id().map_or(u32::MAX, |id| id.0);
                if !group.r#type.accepts(index, &typed.r#type, self.entries) {
                    return Some(format!("{what} {number} (`{}`) is not {}", group.name, group.summary));
                }
            }
            place += size;
        }
        None
    }

    // Attributes: read once for each name, blob and dictionary.
    fn attributes(&mut self, op: &Operation<'m>, rules: &Rules) -> Result<Rc<Found>> {
        let absent = u32::MAX;
        let key = (
            op.name_id().0,
            op.properties().map_or(absent, |blob| blob.0),
            op.attribute_dictionary().map_or(absent, |dictionary| dictionary.0),
        );
        if let Some(found) = self.seen.get(&key) {
            return Ok(found.clone());
        }
        let mut found = Found::default();
        let read = self.reader.read(op, &mut self.inherent, &mut self.discardable)?;
        if read == Inherent::Known {
            found.is_known = true;
            let value_of = |name: &str| {
                let own = self.inherent.iter().find(|property| property.name() == name);
                match own.map(|property| &property.value) {
                    Some(PropertyValue::Absent) | None => {
                        let named =
                            |pair: &&(u32, u32)| string_of(self.entries, pair.0) == Some(name.as_bytes());
                        let pair = self.discardable.iter().find(named)?;
                        Some(PropertyValue::Attribute(pair.1))
                    }
                    Some(value) => Some(value.clone()),
                }
            };
            for required in &rules.attributes {
                match value_of(&required.name) {
                    None if required.is_required => {
                        found.complaints.push(format!("requires the attribute `{}`", required.name));
                    }
                    Some(PropertyValue::Attribute(index)) if !required.class.fits(index, self.entries) => {
                        let (expected, instead) =
                            required.class.mismatch(&required.storage, index, self.entries);
                        found.complaints.push(format!(
                            "the attribute `{}` is {instead}, expected {expected}",
                            required.name
                        ));
                    }
                    Some(PropertyValue::Attribute(index)) => {
                        let value = Attribute::of_file(self.module, AttrId(index))?;
                        if let Some(wrong) = value.and_then(|value| required.numbers.complaint(&value)) {
                            found.complaints.push(format!("the attribute `{}`: {wrong}", required.name));
                        }
                    }
                    _ => {}
                }
            }
            let sizes = |names: [&str; 2]| {
                names.into_iter().find_map(|name| segment_sizes(&value_of(name)?, self.entries))
            };
            found.operands = sizes(["operandSegmentSizes", "operand_segment_sizes"]);
            found.results = sizes(["resultSegmentSizes", "result_segment_sizes"]);
            if rules.has_symbol
                && let Some(PropertyValue::Attribute(index)) = value_of("sym_name")
            {
                found.symbol = string_of(self.entries, index).map(Into::into);
            }
        }
        let found = Rc::new(found);
        let bytes = size_of::<(u32, u32, u32)>() + size_of::<Found>() + 64;
        let bytes = bytes + found.complaints.iter().map(String::len).sum::<usize>();
        self.hold(bytes)?;
        self.seen.insert(key, found.clone());
        Ok(found)
    }

    fn structure(&mut self, op: &Operation<'m>, rules: &Rules, checks: &mut OperationChecks) -> Result<()> {
        if rules.is_terminator && op.block().owner().is_some() && op.block().last_operation() != Some(*op) {
            checks.add(op, "is a terminator, so it must be the last operation of its block".to_owned());
        }
        if let (false, Some(parent)) = (rules.parents.is_empty(), op.parent()) {
            let name = parent.name();
            if rules.parents.iter().all(|known| **known != *name) {
                let expected = rules.parents.join("`, `");
                checks.add(op, format!("must be directly inside `{expected}`, not `{name}`"));
            }
        }
        for region in op.regions()? {
            let number = region.number();
            if rules.one_block.iter().any(|&known| known as usize == number as usize) && region.len() != 1 {
                checks.add(op, format!("region {number} must have one block, found {}", region.len()));
            }
            if region.is_empty() {
                continue;
            }
            if rules.is_single_block && region.len() > 1 {
                checks
                    .add(op, format!("region {number} must have at most one block, found {}", region.len()));
            }
            if rules.has_no_region_arguments
                && region.block(0).is_some_and(|block| block.arguments().len() > 0)
            {
                checks.add(op, format!("region {number} must not have arguments"));
            }
            for block in region.blocks() {
                if let Some(complaint) = self.end_of_block(&block, rules, region.len() == 1) {
                    checks.add(op, format!("region {number}, block {}: {complaint}", block.number()));
                }
            }
        }
        Ok(())
    }

    fn end_of_block(&mut self, block: &Block<'m>, rules: &Rules, is_only: bool) -> Option<String> {
        if is_only && rules.needs_no_terminator {
            return None;
        }
        let Some(last) = block.last_operation() else {
            return Some("expected a terminator, found no operation".to_owned());
        };
        let of_last = self.rules(last.name_id())?;
        if !of_last.is_terminator {
            return Some(format!("`{}` is not a terminator", last.name()));
        }
        let wanted = rules.terminator.as_ref().filter(|_| is_only)?;
        (**wanted != *last.name())
            .then(|| format!("expected the terminator `{wanted}`, found `{}`", last.name()))
    }

    fn hold(&mut self, bytes: usize) -> Result<()> {
        self.bytes += bytes;
        self.held.grow_to(self.bytes)
    }

    // A type of the file and its parts, read once.
    fn typed(&mut self, index: u32) -> Result<Rc<Typed>> {
        if let Some(known) = self.types.get(&index) {
            return Ok(known.clone());
        }
        let Some(r#type) = Type::of_file(self.module, TypeId(index))? else {
            let message = format!("the file has no type `{index}`");
            return Err(Error::message(ErrorKind::Index, message));
        };
        let typed = Rc::new(Typed { facts: TypeFacts::of(&r#type), r#type });
        let sizes = typed.facts.shape.as_ref().map_or(0, |shape| shape.len() * size_of::<i64>());
        self.hold(size_of::<Typed>() + sizes + 64)?;
        self.types.insert(index, typed.clone());
        Ok(typed)
    }

    fn symbol(&mut self, op: &Operation<'m>, found: &Found, checks: &mut OperationChecks) -> Result<()> {
        let Some(symbol) = &found.symbol else { return Ok(()) };
        let Some(parent) = op.parent() else { return Ok(()) };
        let Some(of_parent) = self.rules(parent.name_id()) else { return Ok(()) };
        if !of_parent.is_symbol_table {
            if self.rules(op.name_id()).is_some_and(|rules| rules.is_symbol) {
                let message = format!("is a symbol, but `{}` around it is not a symbol table", parent.name());
                checks.add(op, message);
            }
            return Ok(());
        }
        self.hold(symbol.len() + size_of::<(BodyId, OpId, Box<[u8]>)>() + 16)?;
        if !self.symbols.insert((parent.body_id(), parent.id(), symbol.clone())) {
            let name = String::from_utf8_lossy(symbol);
            checks.add(op, format!("the symbol `@{name}` is defined twice in `{}`", parent.name()));
        }
        Ok(())
    }
}
