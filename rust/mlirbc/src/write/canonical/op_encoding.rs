//! The encoding of operations that look alike in the written file: name, dictionary and properties.

use crate::dialect::declarations::Declared;
use crate::format::id::{AttrId, PropertyId, TypeId};
use crate::props::PropertyValue;
use crate::wire::change::ChangeKind;
use crate::wire::loss::LossKind;

use super::index::{PoolAttr, PoolName};

/// The shared parts of ops that look alike; indices in properties refer to the pool.
#[derive(Debug)]
pub(crate) struct OpEncoding {
    pub(crate) name: PoolName,
    pub(crate) dictionary: Option<PoolAttr>,
    pub(crate) properties: Option<EncodedProperties>,
    pub(crate) losses: Vec<LossKind>,
    /// The parts that have another form with the same meaning, if the caller asks for them.
    pub(crate) changes: Vec<ChangeKind>,
    /// The dictionary and the properties in the file.
    pub(crate) in_file: (Option<AttrId>, Option<PropertyId>),
    /// Operand groups that only one side stores.
    pub(crate) operand_groups: Option<OperandGroups>,
    /// For each operand of the written operation: its position among the operands of the file, if the order
    /// differs.
    pub(crate) operand_order: Option<Box<[u8]>>,
    /// The limits on numbers of parts in the target's operation, if they differ from the limits in the file's
    /// release.
    pub(crate) limits: Option<PartLimits>,
}

/// The numbers of parts of one operation.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub(crate) struct PartCounts {
    pub(crate) operands: u64,
    pub(crate) results: u64,
    pub(crate) regions: u64,
    /// The type of the first result in the file.
    pub(crate) result: Option<TypeId>,
    /// The type of the first operand in the file, if the translator tracks it.
    pub(crate) operand: Option<TypeId>,
}

/// Empty regions that an operation has in the written file only, before and after the other regions; negative
/// numbers count regions that it has in the file only.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct RegionShift {
    /// The number of regions in the file.
    pub(crate) count: u32,
    pub(crate) first: i32,
    pub(crate) last: i32,
}

impl RegionShift {
    /// Whether a region of the file is not in the written one.
    pub(crate) fn leaves_out(self, region: u32) -> bool {
        let left_out = |number: i32| number.min(0).unsigned_abs();
        region < left_out(self.first) || region >= self.count.saturating_sub(left_out(self.last))
    }
}

/// The least and the largest numbers of parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct PartLimits {
    pub(crate) least: PartCounts,
    pub(crate) most: PartCounts,
    /// Whether releases around the target differ; the limits are then the numbers that every release accepts.
    pub(crate) is_common: bool,
}

impl PartLimits {
    /// Returns the numbers that both limits accept.
    pub(crate) fn common(&self, other: &Self) -> Self {
        let merged = |first: PartCounts, second: PartCounts, choose: fn(u64, u64) -> u64| PartCounts {
            operands: choose(first.operands, second.operands),
            results: choose(first.results, second.results),
            regions: choose(first.regions, second.regions),
            ..first
        };
        Self {
            least: merged(self.least, other.least, u64::max),
            most: merged(self.most, other.most, u64::min),
            is_common: self != other,
        }
    }

    /// Returns the number that the operation of the target cannot or may not have, with the name of the part.
    pub(crate) fn broken_by(&self, counts: PartCounts) -> Option<LossKind> {
        let parts = [
            ("operand", counts.operands, self.least.operands, self.most.operands),
            ("result", counts.results, self.least.results, self.most.results),
            ("region", counts.regions, self.least.regions, self.most.regions),
        ];
        let (name, count, ..) =
            parts.into_iter().find(|&(_, count, least, most)| count < least || count > most)?;
        let count = format!("{count} {name}{}", if count == 1 { "" } else { "s" });
        Some(match self.is_common {
            true => LossKind::CountNotKnown(count),
            false => LossKind::CountNotInTarget(count),
        })
    }
}

/// Sizes of operand groups and properties that follow from the operands and results of each operation.
#[derive(Debug)]
pub(crate) enum OperandGroups {
    /// Sizes that the file does not have; -1 stands for all remaining operands.
    New(Box<[i32]>),
    /// Sizes that the target derives from the number of operands, which must be this number.
    Implied(i64),
    /// The operation has no groups, and the property with this name is the shape of the first result.
    ShapeOfResult(Box<str>),
    /// The operation has no groups, and this property is the element type of the first operand or result.
    ElementTypeOf { property: Box<str>, is_operand: bool },
}

impl OpEncoding {
    /// The size of the encoding in bytes, including its rows in the indices by parts and by blob.
    pub(crate) fn memory(&self) -> usize {
        let values = match &self.properties {
            Some(EncodedProperties::Known { values, .. }) => size_of_val(&**values),
            Some(EncodedProperties::Declared(declared)) => {
                size_of::<Declared>() + size_of_val(declared.node.all())
            }
            _ => 0,
        };
        let changes: usize = self.changes.iter().map(ChangeKind::memory).sum();
        PER_ENCODING + values + self.losses.capacity() * size_of::<LossKind>() + changes
    }
}

const PER_ENCODING: usize = size_of::<OpEncoding>() + 4 * size_of::<(u32, u32, u32, u32)>();

/// The properties of an op.
#[derive(Debug, Clone)]
pub(crate) enum EncodedProperties {
    /// The single attribute of an op that was unregistered in the writer.
    Attribute(PoolAttr),
    /// A value for each field in the order of the wire, and the op's row in the target's schema.
    Known { op: u32, values: Box<[PropertyValue]> },
    /// Properties with a declared encoding of the dialect.
    Declared(Box<Declared>),
}
