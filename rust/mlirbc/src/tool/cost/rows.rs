//! The settings and the rows of a cost report.

use std::fmt::{self, Display, Formatter};

use serde::Serialize;

use super::custom_calls::CustomCallCosts;

/// Settings of a cost report.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct CostOptions {
    /// The values of symbolic dimensions by name; others remain in formulas.
    pub dims: Vec<(String, u64)>,
    /// The costs of custom calls.
    pub custom_calls: CustomCallCosts,
    /// The arguments of the entry function that are weights, by the start of their name.
    pub parameters: Vec<String>,
}

impl CostOptions {
    /// Sets the values of symbolic dimensions.
    #[must_use]
    pub fn dims(mut self, dims: Vec<(String, u64)>) -> Self {
        self.dims = dims;
        self
    }

    /// Sets the costs of custom calls.
    #[must_use]
    pub fn custom_calls(mut self, custom_calls: CustomCallCosts) -> Self {
        self.custom_calls = custom_calls;
        self
    }

    /// Sets the starts of the names of arguments that are weights.
    #[must_use]
    pub fn parameters(mut self, parameters: Vec<String>) -> Self {
        self.parameters = parameters;
        self
    }
}

/// A number, or a formula of symbolic dimensions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum CostAmount {
    /// A number.
    Number(u64),
    /// A formula such as `12*b*d^2*s`.
    Formula(String),
}

impl CostAmount {
    /// The number; `None` for a formula.
    pub fn number(&self) -> Option<u64> {
        match self {
            Self::Number(number) => Some(*number),
            Self::Formula(_) => None,
        }
    }
}

impl Display for CostAmount {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => number.fmt(f),
            Self::Formula(formula) => formula.fmt(f),
        }
    }
}

/// The cost of the operations with one name, of a function, of a name scope, or of the module.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CostRow {
    /// The name; empty for operations without a scope.
    pub name: String,
    /// The number of executions: of operations, or of the function.
    pub executions: CostAmount,
    /// Floating-point operations; integer operations count alike.
    pub flops: CostAmount,
    /// Transcendental functions, which are not floating-point operations.
    pub transcendentals: CostAmount,
    /// The bytes of operands, without fusion.
    pub bytes_read: CostAmount,
    /// The bytes of results.
    pub bytes_written: CostAmount,
    /// The elements of the weights that these operations are the first to use.
    pub parameters: CostAmount,
}

/// The cost of an operation in all of its executions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct OperationCost {
    /// The path of the operation, as `print` and `explore` take it.
    pub path: String,
    /// The name scope of its location.
    pub scope: String,
    /// The type of the first result, cut after 200 bytes.
    pub r#type: String,
    /// The cost; the name is the operation's.
    #[serde(flatten)]
    pub cost: CostRow,
}

/// The cost of a module.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CostReport {
    /// The entry function, or all functions that no other calls.
    pub total: CostRow,
    /// The symbolic dimensions in the formulas.
    pub symbols: Vec<String>,
    /// The functions, with the functions that they call.
    pub functions: Vec<CostRow>,
    /// The name scopes with the scopes in them, in the order of their first operation.
    pub layers: Vec<CostRow>,
    /// The operations by name, sorted by FLOPs.
    pub names: Vec<CostRow>,
    /// Each operation that has a cost, in the order of the module.
    pub operations: Vec<OperationCost>,
    /// Operations and loops that are not counted exactly.
    pub notes: Vec<CostNote>,
}

/// Something that a report does not count exactly.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CostNote {
    /// The sentence.
    pub text: String,
    /// The number of operations that it is about.
    pub count: u64,
}
