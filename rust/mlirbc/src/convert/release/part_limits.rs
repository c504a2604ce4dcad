//! The numbers of operands, results and regions that an operation has in the target.

use std::sync::Arc;

use super::ReleaseConversion;
use crate::convert::compatibility::ALLOW_UNKNOWN_OPS;
use crate::ops::{Multiplicity, OperationDefinition, OperationDefinitions, counted_like};
use crate::release::{self, KnownRelease, Period};
use crate::write::canonical::op_encoding::{PartCounts, PartLimits, RegionShift};

impl ReleaseConversion {
    /// Returns the limits of an operation in the target, if they may exclude an operation of the file.
    /// `operands` is the number of operands that a rule needs.
    pub(crate) fn part_limits(&self, op: &str, operands: Option<u64>) -> Option<PartLimits> {
        let target = self.release.and_then(|release| limits_in(&release.name, self.op_name(op)));
        let mut limits = target.and_then(|mut limits| {
            if let Some(RegionShift { first, last, .. }) = self.region_shift(op) {
                let added = i64::from(first) + i64::from(last);
                for count in [&mut limits.least.regions, &mut limits.most.regions] {
                    *count = count.saturating_add_signed(-added);
                }
            }
            Some(limits).filter(|_| limits_in(&self.own, op) != Some(limits))
        });
        if let Some(count) = operands {
            let limits = limits.get_or_insert(ANY);
            (limits.least.operands, limits.most.operands) = (count, count);
        }
        limits
    }
}

impl ReleaseConversion {
    /// Whether the target refuses an operation because it knows the dialect but no operation with this name.
    /// The file's release does not know the dialect.
    pub(crate) fn refuses_unknown(&self, op: &str) -> bool {
        let dialect = op.split('.').next().unwrap_or_default();
        let definitions = self.release.and_then(|release| OperationDefinitions::named(&release.name));
        self.dialects.contains(dialect)
            && !ALLOW_UNKNOWN_OPS.contains(&dialect)
            && definitions.is_some_and(|definitions| definitions.get(self.op_name(op)).is_none())
    }

    /// Returns the empty regions that an operation has in the target only, or in the file only.
    pub(crate) fn region_shift(&self, op: &str) -> Option<RegionShift> {
        let (mut first, mut last) = (0_i32, 0_i32);
        for row in self.data.rows.regions.iter().filter(|row| row.op == op) {
            let sign = match self.direction(&row.at) {
                Some(true) => 1,
                Some(false) => -1,
                None => continue,
            };
            first += sign * i32::from(row.first);
            last += sign * i32::from(row.last);
        }
        let definition = definitions(&self.own, op).filter(|_| (first, last) != (0, 0))?;
        let count = u32::try_from(definition.regions().len()).ok()?;
        Some(RegionShift { count, first, last })
    }
}

const NONE: PartCounts = PartCounts { operands: 0, results: 0, regions: 0, result: None, operand: None };
const MANY: PartCounts =
    PartCounts { operands: u64::MAX, results: u64::MAX, regions: u64::MAX, result: None, operand: None };

const ANY: PartLimits = PartLimits { least: NONE, most: MANY, is_common: false };

/// Returns the numbers of parts that an operation may have in a release: from its definition, from the
/// release whose verifier agrees, or as far as the releases before and after agree. `None` if nothing is
/// known.
fn limits_in(release: &str, op: &str) -> Option<PartLimits> {
    if let Some(known) = known_limits(release, op) {
        return known;
    }
    let Period { releases, inside } = release::moment(release::find(release).ok()??).ok()??;
    let limits = |release: &&KnownRelease| known_limits(&release.name, op);
    let before = releases.get(..inside.start)?.iter().rev().find_map(limits)??;
    let after = releases.get(inside.end..)?.iter().find_map(limits)??;
    Some(before.common(&after))
}

/// Returns the limits known for the release itself; `Some(None)` if no release with definitions has the same
/// numbers.
fn known_limits(release: &str, op: &str) -> Option<Option<PartLimits>> {
    if let Some(definition) = definitions(release, op) {
        return Some(Some(limits_of(&definition)));
    }
    let counted = counted_like(op, release)?;
    Some(definitions(counted, op).map(|definition| limits_of(&definition)))
}

/// Returns the definition of an operation in the records of the release itself. A development build may lack
/// operations of the release that it includes.
fn definitions(release: &str, op: &str) -> Option<Arc<OperationDefinition>> {
    let definitions = OperationDefinitions::named(release)?;
    definitions.get(op).filter(|_| !definitions.is_included(op))
}

fn limits_of(definition: &OperationDefinition) -> PartLimits {
    let operands = range(definition.operands().iter().map(|operand| operand.multiplicity()));
    let results = range(definition.results().iter().map(|result| result.multiplicity()));
    let regions = definition.regions();
    let single = regions.iter().filter(|region| !region.is_variadic()).count() as u64;
    let most = if single < regions.len() as u64 { u64::MAX } else { single };
    PartLimits {
        least: PartCounts {
            operands: operands.0,
            results: results.0,
            regions: single,
            result: None,
            operand: None,
        },
        most: PartCounts {
            operands: operands.1,
            results: results.1,
            regions: most,
            result: None,
            operand: None,
        },
        is_common: false,
    }
}

fn range<'d>(parts: impl Iterator<Item = &'d Multiplicity>) -> (u64, u64) {
    let (mut least, mut most) = (0_u64, 0_u64);
    for part in parts {
        match part {
            Multiplicity::One => (least, most) = (least + 1, most.saturating_add(1)),
            Multiplicity::Optional => most = most.saturating_add(1),
            Multiplicity::Variadic | Multiplicity::VariadicOfVariadic(_) => most = u64::MAX,
        }
    }
    (least, most)
}
