//! Which operations name their results and block arguments, and how.

use std::sync::LazyLock;

use crate::ops::OperationDefinition;

use super::suggested_names::{ArgumentNames, Computed, ResultNames};
use crate::print::dialects::vm;
use crate::release::Llvm;

const RESULT_NAMES: &str = include_str!("../../../data/operations/result_names.tsv");

// The names of operations with their rules, in order.
static ROWS: LazyLock<Vec<(&str, &str)>> =
    LazyLock::new(|| RESULT_NAMES.lines().filter_map(|row| row.split_once('\t')).collect());

/// How the results of an operation are named in a release.
pub(in crate::print) fn results(definition: &OperationDefinition, release: Llvm) -> ResultNames {
    let name = definition.name();
    if let Some((_, fixed)) = vm::FIXED.iter().find(|(known, _)| *known == name) {
        return ResultNames::Fixed(fixed);
    }
    if !definition.result_names().is_empty() {
        return ResultNames::Templates;
    }
    let place = ROWS.binary_search_by_key(&name, |(operation, _)| operation);
    if let Some((_, row)) = place.ok().and_then(|place| ROWS.get(place)) {
        let (since, names) = rule(row).unwrap_or((0, ResultNames::Numbered));
        return if release < Llvm(since) { ResultNames::Numbered } else { names };
    }
    let is_named = definition.results().iter().any(|result| !result.name().is_empty());
    // Results of operations of IRDL have no names.
    let has_own = definition.has_trait("OpAsmOpInterface") || definition.variables().is_some();
    if name.starts_with("vm.") && !has_own {
        return ResultNames::Computed(Computed::VmReference);
    }
    if definition.results().len() > 1 && is_named && !has_own {
        ResultNames::Declared
    } else {
        ResultNames::Numbered
    }
}

// The first release with a rule, and the rule.
fn rule(row: &'static str) -> Option<(u32, ResultNames)> {
    let mut columns = row.split('\t');
    let (word, since) = (columns.next()?, columns.next().unwrap_or_default());
    let mut next = || columns.next();
    let computed = match word {
        "numbered" => return Some((0, ResultNames::Numbered)),
        "declared" => return Some((0, ResultNames::Declared)),
        "pair" => return Some((0, ResultNames::Pair(next()?, next()?))),
        "fixed" => return Some((since.parse().unwrap_or(0), ResultNames::Fixed(next()?))),
        "bit_vector" => Computed::BitVector,
        "constant" => Computed::Constant,
        "device" => Computed::Device,
        "dimension" => Computed::Dimension,
        "filled" => Computed::Filled,
        "name_or" => Computed::NameOr(next()?),
        "prefixed" => Computed::Prefixed(next()?, next()?),
        "prefixed_reference" => Computed::PrefixedReference(next()?, next()?),
        "reference" => Computed::Reference,
        "rodata" => Computed::Rodata,
        "scaled" => Computed::Scaled,
        "signed_number" => Computed::SignedNumber,
        "spirv_address" => Computed::SpirvAddress,
        "spirv_constant" => Computed::SpirvConstant,
        "symbol" => Computed::Symbol,
        "tensor_constant" => Computed::TensorConstant,
        "text" => Computed::Text(next()?),
        "unless" => Computed::Unless(next()?, next()?),
        "vm_integer" => Computed::VmInteger,
        "workgroup" => Computed::Workgroup,
        _ => return None,
    };
    Some((since.parse().unwrap_or(0), ResultNames::Computed(computed)))
}

/// How the arguments of the entry blocks of an operation are named in a release.
pub(in crate::print) fn arguments(definition: &OperationDefinition, release: Llvm) -> ArgumentNames {
    match definition.name() {
        "linalg.map" if !release.passes_init_to_map() => ArgumentNames::Inputs("in", "in"),
        "linalg.map" | "linalg.reduce" => ArgumentNames::Inputs("in", "init"),
        name if name.starts_with("linalg.") && definition.has_trait("LinalgOp") => {
            ArgumentNames::Inputs("in", "out")
        }
        "chlo.scan" => ArgumentNames::Inputs("input", "carry"),
        "linalg.generic" => ArgumentNames::Inputs("in", "out"),
        "mpmd.for" => ArgumentNames::AfterOperands("index"),
        "pcf.generic" | "pcf.loop" => ArgumentNames::OfParallelBody,
        "stablehlo.while" => ArgumentNames::All("iterArg"),
        _ if !definition.argument_names().is_empty() => ArgumentNames::Templates,
        _ => ArgumentNames::Numbered,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_sorted_and_have_known_rules() {
        assert!(ROWS.len() > 100 && ROWS.is_sorted_by(|(first, _), (second, _)| first < second));
        for (operation, row) in ROWS.iter() {
            assert!(rule(row).is_some(), "{operation}");
        }
    }
}
