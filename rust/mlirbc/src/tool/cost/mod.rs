//! The cost of a program: floating-point operations, bytes that are read and written, parameters, for each operation,
//! function and name scope, from shapes alone.
//!
//! Owns [`CostReport`]. `rules` has the cost of each operation, `flow` the number of executions, `quantity` the formulas of
//! symbolic dimensions. XLA's `HloCostAnalysis` counts alike before fusion.

mod costs;
mod custom_calls;
mod facts;
mod flow;
mod quantity;
mod report;
mod rows;
mod rules;
pub(in crate::tool) mod scopes;
mod trips;
mod values;

use std::collections::{BTreeMap, BTreeSet};

use crate::wire::error::{Error, ErrorKind, Result};

pub use custom_calls::CustomCallCosts;
pub use rows::{CostAmount, CostNote, CostOptions, CostReport, CostRow, OperationCost};

/// Returns the value of a dimension of a JAX export, such as `2*b + 1`; `None` if a symbol has no value. Adds the names of
/// its symbols to `symbols`.
///
/// # Errors
/// [`ErrorKind::Value`] if the text is not a formula.
pub(in crate::tool) fn dimension_value(
    text: &str,
    values: &BTreeMap<String, i128>,
    symbols: &mut BTreeSet<String>,
) -> Result<Option<i128>> {
    let invalid = |reason: String| {
        let text = crate::wire::error::cut(text, 200);
        Error::message(ErrorKind::Value, format!("`{text}` is not a dimension: {reason}"))
    };
    let formula = quantity::Formula::parse(text).map_err(|error| invalid(error.reason))?;
    let quantity = formula.evaluate(&|name, _| Ok(Some(quantity::Quantity::symbol(name))));
    let quantity = quantity.map_err(|reason| invalid(reason.to_string()))?;
    quantity.add_symbols(symbols);
    Ok(quantity.at(values).ok().and_then(|value| value.number()))
}
