//! Types that a declarative format leaves to inference.

use crate::assembly::{Check, Checks};

use super::super::draft::Draft;
use super::{Groups, types_of};

/// Notes types that are not the inferred ones.
pub(super) fn check(draft: &mut Draft<'_, '_, '_>, groups: &Groups, checks: &Checks) -> Option<()> {
    for check in checks.iter() {
        match check {
            Check::Only(values, text) => {
                let types = types_of(draft, groups, *values)?;
                draft.implies(&types, text);
            }
            Check::Pointee { pointer, others } => {
                let pointer = types_of(draft, groups, *pointer)?.first().copied();
                let others = types_of(draft, groups, *others)?;
                if let Some(pointer) = pointer {
                    draft.implies_pointee(&others, pointer);
                }
            }
            Check::Same { printed, others } => {
                let mut first = None;
                for values in printed {
                    first = first.or(types_of(draft, groups, *values)?.first().copied());
                }
                let Some(first) = first else { continue };
                for values in others {
                    let types = types_of(draft, groups, *values)?;
                    draft.implies_same(&types, first);
                }
            }
        }
    }
    Some(())
}
