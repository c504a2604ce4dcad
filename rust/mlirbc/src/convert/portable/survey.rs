//! The surroundings that the attributes of an operation depend on: the enclosing operation, the operands and
//! the regions. One pass over the IR notes these facts for the few operations that need them.

use std::collections::HashMap;

use crate::format::id::{AttrId, TypeId};
use crate::format::ir::{OpHead, OpSink, RegionHead, ValueRef};
use crate::wire::error::Result;
use crate::wire::limits::Budget;

use crate::convert::rules::VhloVersion;

/// The facts about one operation that its conversion depends on.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Fact {
    /// Whether the operation is directly in one of the operations that its name depends on.
    pub(super) is_in_parent: bool,
    pub(super) operands: u64,
    pub(super) regions: u32,
    /// The newest version of VHLO that introduced a type of its operands or results.
    pub(super) types_since: VhloVersion,
    /// Whether an operand and the result with its number have different element types.
    pub(super) has_other_elements: bool,
    /// Whether an operand has a type of the class that a constraint mentions.
    pub(super) has_operand_of_class: bool,
    /// The rank of the first operand.
    pub(super) rank: Option<u32>,
}

impl Default for Fact {
    fn default() -> Self {
        Self {
            is_in_parent: false,
            operands: 0,
            regions: 0,
            types_since: VhloVersion::OLDEST,
            has_other_elements: false,
            has_operand_of_class: false,
            rank: None,
        }
    }
}

/// The facts that matter for operations with one name.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Interest {
    /// The enclosing operation.
    pub(super) parent: bool,
    /// The number of operands and regions.
    pub(super) counts: bool,
    /// The types of operands and results.
    pub(super) types: bool,
    /// The element types of operands and results.
    pub(super) elements: bool,
    /// The class of the types of operands.
    pub(super) class: bool,
    /// The rank of the first operand.
    pub(super) rank: bool,
    /// Whether the names of operations inside depend on this operation.
    pub(super) is_parent: bool,
}

impl Interest {
    fn is_any(self) -> bool {
        self.parent || self.counts || self.needs_types()
    }

    pub(super) fn needs_types(self) -> bool {
        self.types || self.elements || self.class || self.rank
    }
}

/// The properties of a type of the file that facts depend on.
#[derive(Debug, Clone, Copy)]
pub(super) struct TypeInfo {
    pub(super) since: VhloVersion,
    /// The element type.
    pub(super) element: Option<u32>,
    pub(super) rank: Option<u32>,
    pub(super) is_of_class: bool,
}

/// The facts of operations, by their number in file order.
#[derive(Debug, Default)]
pub(super) struct Facts {
    pub(super) distinct: Vec<Fact>,
    known: HashMap<Fact, u32>,
    of_ops: Vec<(u64, u32)>,
}

impl Facts {
    /// # Errors
    /// If the memory limit is exceeded.
    fn add(&mut self, op: u64, fact: Fact, budget: &Budget) -> Result<()> {
        let next = self.distinct.len() as u32;
        let row = match self.known.get(&fact) {
            Some(&row) => row,
            None => {
                budget.spend(4 * size_of::<Fact>())?;
                self.distinct.push(fact.clone());
                self.known.insert(fact, next);
                next
            }
        };
        if self.of_ops.len() == self.of_ops.capacity() {
            budget.spend((self.of_ops.len() + 1).saturating_mul(size_of::<(u64, u32)>()))?;
        }
        self.of_ops.push((op, row));
        Ok(())
    }

    /// Returns the row of the fact of an operation. Callers ask in order: `at` is the position of the last
    /// answer.
    pub(super) fn of(&self, op: u64, at: &mut usize) -> Option<u32> {
        while self.of_ops.get(*at).is_some_and(|row| row.0 < op) {
            *at += 1;
        }
        self.of_ops.get(*at).filter(|row| row.0 == op).map(|row| row.1)
    }
}

/// The sink of the pass.
pub(super) struct Survey<'s> {
    pub(super) facts: Facts,
    interests: &'s [Interest],
    types: &'s [TypeInfo],
    budget: &'s Budget,
    keeps_types: bool,
    ops: u64,
    current: Interest,
    fact: Fact,
    results: u64,
    operand_elements: Vec<Option<u32>>,
    is_pending: bool,
    // The enclosing operations: whether names depend on each, and whether it is isolated.
    owners: Vec<(bool, bool)>,
    last_is_parent: bool,
    open: Vec<OpenRegion>,
    pub(super) fault: Option<crate::wire::error::Error>,
}

#[derive(Default)]
struct OpenRegion {
    scope: usize,
    types: Vec<u32>,
}

impl<'s> Survey<'s> {
    pub(super) fn new(interests: &'s [Interest], types: &'s [TypeInfo], budget: &'s Budget) -> Self {
        Self {
            facts: Facts::default(),
            interests,
            types,
            budget,
            keeps_types: interests.iter().any(|interest| interest.needs_types()),
            ops: 0,
            current: Interest::default(),
            fact: Fact::default(),
            results: 0,
            operand_elements: Vec::new(),
            is_pending: false,
            owners: Vec::new(),
            last_is_parent: false,
            open: Vec::new(),
            fault: None,
        }
    }

    #[inline]
    fn flush(&mut self) {
        if std::mem::take(&mut self.is_pending) {
            self.note();
        }
    }

    fn note(&mut self) {
        let mut fact = std::mem::take(&mut self.fact);
        if !self.current.counts {
            (fact.operands, fact.regions) = (0, 0);
        }
        // Operations that look like most others need no fact.
        if fact == Fact::default() {
            return;
        }
        if let Err(error) = self.facts.add(self.ops - 1, fact, self.budget) {
            self.fault.get_or_insert(error);
        }
    }

    fn info(&self, r#type: TypeId) -> Option<&TypeInfo> {
        self.types.get(r#type.index())
    }

    #[cold]
    fn typed_result(&mut self, r#type: TypeId) {
        let info = self.info(r#type).copied();
        let Some(info) = info else { return };
        if self.current.types {
            self.fact.types_since = self.fact.types_since.max(info.since);
        }
        // Operands come later: the elements of results are kept until then.
        if self.current.elements {
            self.operand_elements.push(info.element);
        }
    }

    #[cold]
    fn typed_operand(&mut self, value: ValueRef) {
        let scope = self.open.last().map_or(0, |region| region.scope);
        let region = self.open.get(scope + value.depth as usize);
        let r#type = region.and_then(|region| region.types.get(value.index as usize)).copied();
        let Some(info) = r#type.and_then(|r#type| self.info(TypeId::new(r#type))).copied() else { return };
        if self.current.types {
            self.fact.types_since = self.fact.types_since.max(info.since);
        }
        if self.current.class {
            self.fact.has_operand_of_class |= info.is_of_class;
        }
        if self.current.rank && self.fact.operands == 0 {
            self.fact.rank = info.rank;
        }
        if self.current.elements
            && let Some(of_result) = self.operand_elements.get(self.fact.operands as usize)
        {
            self.fact.has_other_elements |= *of_result != info.element;
        }
    }
}

impl OpSink for Survey<'_> {
    #[inline]
    fn op(&mut self, head: OpHead) {
        self.flush();
        self.ops += 1;
        self.results = 0;
        self.current = self.interests.get(head.name as usize).copied().unwrap_or_default();
        self.last_is_parent = self.current.is_parent;
        if self.current.is_any() && self.fault.is_none() {
            self.is_pending = true;
            self.operand_elements.clear();
            self.fact = Fact {
                is_in_parent: self.current.parent && self.owners.last().is_some_and(|owner| owner.0),
                ..Fact::default()
            };
        }
    }

    #[inline]
    fn result(&mut self, r#type: TypeId) {
        if self.keeps_types {
            if let Some(region) = self.open.last_mut() {
                region.types.push(r#type.number());
            }
            if self.is_pending {
                self.typed_result(r#type);
            }
        }
    }

    #[inline]
    fn operand(&mut self, value: ValueRef) {
        if self.is_pending {
            if self.current.needs_types() {
                self.typed_operand(value);
            }
            self.fact.operands += 1;
        }
    }

    fn regions(&mut self, count: u32, is_isolated: bool) {
        self.fact.regions = count;
        let is_parent = self.last_is_parent;
        self.flush();
        self.owners.push((is_parent, is_isolated));
    }

    fn begin_region(&mut self, _: RegionHead) {
        let scope = match (self.open.last(), self.owners.last()) {
            (Some(parent), Some((_, false))) => parent.scope,
            _ => self.open.len(),
        };
        self.open.push(OpenRegion { scope, types: Vec::new() });
    }

    fn argument(&mut self, r#type: TypeId, _: Option<AttrId>) {
        if self.keeps_types
            && let Some(region) = self.open.last_mut()
        {
            region.types.push(r#type.number());
        }
    }

    fn end_region(&mut self) {
        self.flush();
        self.open.pop();
    }

    fn end_regions(&mut self) {
        self.owners.pop();
    }

    fn memory(&self) -> usize {
        let types: usize = self.open.last().map_or(0, |region| region.types.capacity() * size_of::<u32>());
        2 * types + self.open.capacity() * size_of::<OpenRegion>()
    }
}
