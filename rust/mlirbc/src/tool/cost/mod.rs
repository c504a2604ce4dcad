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

pub use custom_calls::CustomCallCosts;
pub use rows::{CostAmount, CostNote, CostOptions, CostReport, CostRow, OperationCost};
