//! The module in memory: tables read on demand, one body of columns per isolated region, and views of them.

pub(crate) mod body;
#[cfg(all(test, feature = "steps"))]
mod cost_tests;
pub(crate) mod id;
pub(crate) mod module;
mod places;
pub(crate) mod resource;
mod sparse;
pub(crate) mod uses;
mod verify;
pub(crate) mod view;
pub(crate) mod walk;

pub use crate::attr::id::{AttrId, OpNameId, PropertyId, TypeId};
pub use crate::attr::rows::{AttributeEntry, Dialect, OperationName, TypeEntry};
pub use body::{Body, BodyColumns};
pub use id::{BlockId, BodyId, OpId, RegionId, ValueId};
pub(crate) use module::FileEntries;
pub use module::{DeclaredProperties, InherentAttributes, Module, PropertyState, ReadOptions};
pub use resource::{Resource, ResourceValue};
pub use uses::UseOrder;
pub use verify::{Unchecked, UncheckedKind, Verification};
pub use view::{Block, OpOperand, Operation, Region, Value};
pub use walk::{PostOrder, PreOrder};
