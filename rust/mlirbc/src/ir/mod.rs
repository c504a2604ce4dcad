//! The module in memory: tables read on demand, one body of columns per isolated region, and views of them.

pub(crate) mod body;
#[cfg(all(test, feature = "steps"))]
mod cost_tests;
pub(crate) mod dictionary;
pub(crate) mod id;
pub(crate) mod module;
mod places;
mod sparse;
pub(crate) mod uses;
mod verify;
pub(crate) mod view;
pub(crate) mod walk;

pub use crate::file::rows::{AttributeEntry, Dialect, TypeEntry};
pub use crate::format::id::{AttrId, OpNameId, PropertyId, TypeId};
pub use crate::props::op_name::OperationName;
pub use body::{Body, BodyColumns};
pub use id::{BlockId, BodyId, OpId, RegionId, ValueId};

pub use crate::file::ReadOptions;
pub use crate::file::resource::{Resource, ResourceValue};
pub use module::{DeclaredProperties, InherentAttributes, Module, PropertyState};
pub use uses::UseOrder;
pub use verify::{Unchecked, UncheckedKind, Verification, VerifyOptions};
pub use view::{Block, OpOperand, Operation, Region, Value};
pub use walk::{PostOrder, PreOrder};
