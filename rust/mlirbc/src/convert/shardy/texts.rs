//! The strings that HLO has for shardings.

use std::collections::HashMap;
use std::rc::Rc;

use crate::attr::Attribute;
use crate::attr::build::builtin;
use crate::container::hlo_sharding::MeshSharding;
use crate::wire::error::Result;
use crate::wire::limits::Budget;

use super::attributes::TensorSharding;
use super::contexts::ManualContext;
use super::meshes::Layouts;
use super::refusals::{Attempt, refused};

/// A sharding of HLO, as attributes of a custom call.
#[derive(Debug)]
pub(super) struct ShardingText {
    /// `mhlo.sharding`
    pub(super) sharding: Attribute,
    /// `backend_config`, which names the dimensions that propagation may divide further.
    pub(super) open_dimensions: Option<Attribute>,
}

/// The scope of a sharding on one side of a custom call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum ShardingScope {
    /// A whole value in its context.
    Value,
    /// The part of a device, inside a manual computation with these axes.
    Part(ManualContext),
}

/// The strings of shardings; equal shardings share one.
#[derive(Debug)]
pub(super) struct ShardingTexts {
    known: HashMap<(usize, ManualContext, ShardingScope), Rc<ShardingText>>,
    budget: Budget,
}

impl ShardingTexts {
    pub(super) fn new(budget: Budget) -> Self {
        Self { known: HashMap::new(), budget }
    }

    /// Returns the strings of a sharding in a context.
    pub(super) fn of(
        &mut self,
        sharding: &TensorSharding,
        context: ManualContext,
        side: ShardingScope,
        layouts: &Layouts,
    ) -> Attempt<Rc<ShardingText>> {
        let key = (sharding.number, context, side);
        if let Some(known) = self.known.get(&key) {
            return Ok(known.clone());
        }
        let Some(hlo) = mesh_sharding(sharding, context, side, layouts)?.to_hlo() else {
            return refused("a sharding that uses an axis twice, or an axis that is manual");
        };
        let text = hlo.to_string();
        let open = sharding.dimensions.iter().enumerate().filter(|(_, dimension)| dimension.is_open);
        let open: Vec<usize> = open.map(|(number, _)| number).collect();
        self.budget.spend(2 * size_of::<(ShardingText, ManualContext)>() + text.len() + 4 * open.len())?;
        let open_dimensions = open_dimensions(open)?;
        let sharding = builtin::string(text.as_bytes())?;
        let text = Rc::new(ShardingText { sharding, open_dimensions });
        self.known.insert(key, text.clone());
        Ok(text)
    }
}

/// Makes the attribute `backend_config` that names open dimensions; `None` if there are none.
///
/// # Errors
/// If the memory limit is exceeded.
pub(super) fn open_dimensions(numbers: Vec<usize>) -> Result<Option<Attribute>> {
    if numbers.is_empty() {
        return Ok(None);
    }
    let numbers: Vec<String> = numbers.iter().map(ToString::to_string).collect();
    builtin::string(format!("unspecified_dims=[{}]", numbers.join(",")).as_bytes()).map(Some)
}

fn mesh_sharding(
    sharding: &TensorSharding,
    context: ManualContext,
    side: ShardingScope,
    layouts: &Layouts,
) -> Attempt<MeshSharding> {
    let (around, computation) = match side {
        ShardingScope::Value => (Some(context), ManualContext::default()),
        ShardingScope::Part(computation) => (context.join(computation), computation),
    };
    let Some(around) = around else {
        return refused("a manual computation on axes that are manual around it, or of another mesh");
    };
    let dimensions = sharding.dimensions.iter().map(|dimension| {
        dimension.axes.iter().copied().filter(|&axis| !computation.has(axis)).collect::<Vec<usize>>()
    });
    let dimensions: Vec<_> = dimensions.collect();
    let is_divided = dimensions.iter().any(|axes| !axes.is_empty());
    let layout = if around.axes == 0 { sharding.mesh.layout } else { around.layout };
    if layout != sharding.mesh.layout && is_divided {
        return refused("a mesh with other axes than the mesh of the manual computation around it");
    }
    let axes = layouts.axes(layout);
    // JAX sorts these axes by name where values enter or leave a computation, and XLA then refuses constraints inside, where
    // JAX has them in the order of the mesh.
    let manual = (0..axes.len()).filter(|&axis| around.has(axis)).collect();
    Ok(MeshSharding { mesh: axes.iter().map(|axis| axis.size).collect(), dimensions, manual })
}
