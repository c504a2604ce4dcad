//! The costs of custom calls: declarations of users, markers that cost nothing, and the estimates in TPU kernels.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::artifact::nested::named;
use crate::wire::error::{Error, ErrorKind, Result};
use crate::wire::toml;

use super::costs::Costs;
use super::facts::word;
use super::quantity::{Excess, Formula, NoValue, Quantity};
use super::rules::Parts;

/// Targets that only mark values.
const MARKERS: [&str; 8] = [
    "LayoutConstraint",
    "SPMDFullToShardShape",
    "SPMDShardToFullShape",
    "Sharding",
    "annotate_device_placement",
    "shape_assertion",
    "xla.sdy.FuncResultSharding",
    "xla.sdy.GlobalToLocalShape",
];

/// The help for an invalid table.
const HINT: &str = "`mlirbc cost --help` has an example of a table";

/// The declared costs of custom calls.
#[derive(Debug, Clone, Default)]
pub struct CustomCallCosts {
    by_target: BTreeMap<String, Declared>,
}

#[derive(Debug, Clone)]
struct Declared {
    flops: Formula,
    transcendentals: Formula,
    bytes_read: Option<Formula>,
    bytes_written: Option<Formula>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    custom_call: BTreeMap<String, Row>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    flops: Option<String>,
    transcendentals: Option<String>,
    bytes_read: Option<String>,
    bytes_written: Option<String>,
}

impl CustomCallCosts {
    /// Parses a table in TOML: a table `[custom_call.TARGET]` for each target, with the formulas `flops`,
    /// `transcendentals`, `bytes_read` and `bytes_written`.
    ///
    /// A formula has numbers, `+`, `-`, `*`, `^`, `floordiv`, `mod`, `max`, `min`, and the sizes `operand0.elements`,
    /// `operand0.bytes`, `operand0.dim1`, and the same of `result0`. Without formulas for bytes, all operands are read
    /// and all results are written.
    ///
    /// ```
    /// use mlirbc::tool::CustomCallCosts;
    /// let text = "[custom_call.my_matmul]\nflops = '2 * result0.elements * operand0.dim1'";
    /// assert!(CustomCallCosts::parse(text).is_ok());
    /// assert!(CustomCallCosts::parse("[custom_call.x]\nflops = '2 *'").is_err());
    /// ```
    ///
    /// # Errors
    /// If the text is no such table, or a formula is invalid.
    pub fn parse(text: &str) -> Result<Self> {
        let invalid = |reason: String| {
            Error::message(ErrorKind::Value, format!("the table of custom calls is invalid: {reason}"))
                .with_hint(HINT)
        };
        let file: File = toml::from_str(text).map_err(|error| invalid(error.message().to_owned()))?;
        let mut by_target = BTreeMap::new();
        for (target, row) in file.custom_call {
            let formula = |name: &str, text: Option<String>| {
                let parsed = text.map(|text| Formula::parse(&text)).transpose();
                parsed.map_err(|error| {
                    invalid(format!("`{name}` of `{target}`, byte {}: {}", error.at, error.reason))
                })
            };
            let declared = Declared {
                flops: formula("flops", row.flops)?.unwrap_or(Formula::Number(0)),
                transcendentals: formula("transcendentals", row.transcendentals)?
                    .unwrap_or(Formula::Number(0)),
                bytes_read: formula("bytes_read", row.bytes_read)?,
                bytes_written: formula("bytes_written", row.bytes_written)?,
            };
            by_target.insert(target, declared);
        }
        Ok(Self { by_target })
    }

    /// The targets of the declared costs.
    pub(super) fn targets(&self) -> impl Iterator<Item = &str> {
        self.by_target.keys().map(String::as_str)
    }

    /// The cost of a call; `None` if no cost is declared for its target.
    pub(super) fn costs(&self, target: &str, parts: &Parts<'_>) -> Result<Option<Costs>> {
        if let Some(declared) = self.by_target.get(target) {
            return declared.costs(parts).map(Some).map_err(|reason| {
                Error::message(
                    ErrorKind::Value,
                    format!("the cost of custom calls of `{target}` has no value: {reason}"),
                )
            });
        }
        if MARKERS.contains(&target) {
            return Ok(Some(Costs::ZERO));
        }
        Ok(match target {
            "tpu_custom_call" => kernel_estimate(parts)?,
            _ => None,
        })
    }
}

impl Declared {
    fn costs(&self, parts: &Parts<'_>) -> std::result::Result<Costs, NoValue> {
        let value = |formula: &Formula| formula.evaluate(&|name, _| size_named(name, parts));
        let sum = |shapes: &[super::rules::ValueShape]| {
            shapes
                .iter()
                .try_fold(Quantity::ZERO, |sum, shape| sum.plus(&shape.bytes()?))
                .map_err(NoValue::from)
        };
        Ok(Costs {
            flops: value(&self.flops)?,
            transcendentals: value(&self.transcendentals)?,
            bytes_read: self.bytes_read.as_ref().map_or_else(|| sum(parts.operands), value)?,
            bytes_written: self.bytes_written.as_ref().map_or_else(|| sum(parts.results), value)?,
        })
    }
}

// The size that a name such as `operand0.dim1` has.
fn size_named(name: &str, parts: &Parts<'_>) -> std::result::Result<Option<Quantity>, Excess> {
    let Some((value, size)) = name.split_once('.') else { return Ok(None) };
    let shape = if let Some(number) = value.strip_prefix("operand") {
        number.parse().ok().and_then(|number: usize| parts.operands.get(number))
    } else if let Some(number) = value.strip_prefix("result") {
        number.parse().ok().and_then(|number: usize| parts.results.get(number))
    } else {
        None
    };
    let Some(shape) = shape else { return Ok(None) };
    match size {
        "elements" => shape.elements().map(Some),
        "bytes" => shape.bytes().map(Some),
        _ => Ok(size.strip_prefix("dim").and_then(|dim| shape.dims.get(dim.parse::<usize>().ok()?)).cloned()),
    }
}

/// The estimate that the author of a TPU kernel gave (`jax/_src/tpu_custom_call.py`, `CostEstimate`).
#[derive(Deserialize)]
struct Estimate {
    #[serde(default)]
    flops: u64,
    #[serde(default)]
    transcendentals: u64,
    #[serde(default)]
    bytes_accessed: u64,
}

fn kernel_estimate(parts: &Parts<'_>) -> Result<Option<Costs>> {
    let config = named(parts.attributes, "backend_config");
    let Some(text) = config.map_or(Ok(None), word)? else { return Ok(None) };
    let Ok(config) = serde_json::from_str::<serde_json::Value>(&text) else { return Ok(None) };
    let estimate = config.pointer("/custom_call_config/cost_estimate").cloned();
    let Some(Ok(estimate)) = estimate.map(serde_json::from_value::<Estimate>) else { return Ok(None) };
    let number = |number: u64| Quantity::Number(number.into());
    Ok(Some(Costs {
        flops: number(estimate.flops),
        transcendentals: number(estimate.transcendentals),
        // The estimate does not separate reads from writes.
        bytes_read: number(estimate.bytes_accessed),
        bytes_written: Quantity::ZERO,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_name_the_target_and_the_byte() {
        let error = CustomCallCosts::parse("[custom_call.x]\nflops = '2 * '").unwrap_err().to_string();
        assert!(error.contains("`flops` of `x`, byte 4"), "{error}");
        assert!(CustomCallCosts::parse("[custom_call.x]\nflop = '2'").is_err());
    }
}
