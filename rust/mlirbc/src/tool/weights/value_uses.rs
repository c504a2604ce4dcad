//! The uses of weights by operations: each operand that is a constant, with the name and the layer of its user.
//!
//! Owns [`WeightUse`]. Equal constants are one weight, so a use is the way to address one of them.

use std::collections::HashMap;

use crate::ir::{BodyId, OpId, Operation};
use crate::tool::cost::scopes::Scopes;
use crate::wire::error::Result;

use super::names::location_name;
use super::walk::{Walk, each_op};
use super::{Weight, Weights};

/// The use of a weight as an operand, or as an attribute of an operation without results.
#[derive(Debug, Clone, serde::Serialize)]
pub struct WeightUse {
    /// The name of the weight.
    pub name: String,
    /// The name in the location of the user, or the name of its operation.
    pub user: String,
    /// The name scope of the user; empty without a scope.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub layer: String,
    /// The path of the user.
    pub path: String,
    /// The number of the operand.
    pub operand: u64,
    /// The number of bytes of the weight.
    pub size: u64,
    /// The operation that holds the constant.
    #[serde(skip)]
    pub(super) holder: (BodyId, OpId),
    /// The row of the weight.
    #[serde(skip)]
    pub(super) weight: usize,
    #[serde(skip)]
    pub(super) op: (BodyId, OpId),
}

/// A constant that operations may use.
struct HeldConstant {
    weight: usize,
    op: OpId,
}

impl Weights {
    /// Returns the uses of weights as operands that `choose` accepts, in the order of the file.
    ///
    /// # Errors
    /// If the module is malformed, and an exhausted budget.
    ///
    /// ```
    /// let module = mlirbc::Module::open("../../examples/mlp.jax")?;
    /// let weights = mlirbc::tool::Weights::of(&module)?;
    /// let uses = weights.uses(&|_| true)?;
    /// assert_eq!((uses[0].user.as_str(), uses[0].operand), ("jit(mlp)/dot_general", 1));
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn uses(&self, choose: &dyn Fn(&Weight) -> bool) -> Result<Vec<WeightUse>> {
        let module = self.module();
        let entries = module.tables().entries()?;
        let budget = module.tables().work_budget();
        let mut walk = Walk::new(module, &entries, &budget)?;
        let mut scopes = Scopes::new(module);
        let mut rows: HashMap<u32, usize> = HashMap::new();
        for (row, weight) in self.rows().iter().enumerate().filter(|(_, weight)| choose(weight)) {
            budget.spend(2 * weight.attributes.len() * size_of::<(u32, usize)>())?;
            rows.extend(weight.attributes.iter().map(|&attribute| (attribute, row)));
        }
        let mut held: HashMap<(BodyId, u32), HeldConstant> = HashMap::new();
        let mut uses = Vec::new();
        if rows.is_empty() {
            return Ok(uses);
        }
        each_op(module, |op| {
            self.add_uses(&op, &held, &mut scopes, &mut uses)?;
            let results = op.columns().results(op.id());
            if results.is_empty() || !walk.holds_constants(&op) {
                return Ok(());
            }
            walk.read(&op)?;
            let row = walk.values.iter().find_map(|value| rows.get(&value.attribute));
            if let Some(&weight) = row {
                budget.spend(2 * size_of::<((BodyId, u32), HeldConstant)>())?;
                held.insert((op.body_id(), results.start), HeldConstant { weight, op: op.id() });
            }
            Ok(())
        })?;
        Ok(uses)
    }

    fn add_uses(
        &self,
        op: &Operation<'_>,
        held: &HashMap<(BodyId, u32), HeldConstant>,
        scopes: &mut Scopes<'_>,
        uses: &mut Vec<WeightUse>,
    ) -> Result<()> {
        let body = op.columns();
        for (number, row) in body.operand_rows(op.id()).enumerate() {
            let Some(&operand) = body.operands.get(row as usize) else { break };
            if operand.is_argument() {
                continue;
            }
            let Some(constant) = held.get(&(op.body_id(), operand.row() as u32)) else { continue };
            let weight = &self.rows()[constant.weight];
            let user = location_name(self.module(), op.location())?.unwrap_or_else(|| op.name().to_string());
            let layer = scopes.get(op.location())?.to_string();
            let path = op.path();
            let texts = weight.name.len() + user.len() + layer.len() + path.len();
            self.module().tables().work_budget().spend(size_of::<WeightUse>() + texts)?;
            uses.push(WeightUse {
                name: weight.name.clone(),
                user,
                layer,
                path,
                operand: number as u64,
                size: weight.size,
                holder: (op.body_id(), constant.op),
                weight: constant.weight,
                op: (op.body_id(), op.id()),
            });
        }
        Ok(())
    }
}
