//! The module in memory: one body of columns for each isolated region, decoded on first use, and views of the
//! bodies.
//!
//! Owns [`Module`], bodies, views, uses and verification. Does not own the tables of the file (`file`), and
//! never changes anything: edits are in `edit`.

mod block_index;
pub(crate) mod body;
#[cfg(all(test, feature = "steps"))]
mod cost_tests;
pub(crate) mod dictionary;
pub(crate) mod dominance;
pub(crate) mod id;
pub(crate) mod module;
mod offsets;
mod position;
mod sparse;
pub(crate) mod uses;
pub(crate) mod verify;
pub(crate) mod view;
pub(crate) mod walk;

pub use crate::file::release::{
    Contradiction, DetectedRelease, ReleaseDescription, ReleaseEvidence, ReleaseKind, ReleaseOrigin,
};
pub use crate::file::table_rows::{AttributeEntry, Dialect, TypeEntry};
pub use crate::format::id::{AttrId, OpNameId, PropertyId, TypeId};
pub use crate::format::ir::{BlockHead, IsolatedRegions, OpHead, OpSink, RegionHead, UseListOrder, ValueRef};
pub use crate::format::resource::ResourceKind;
pub use crate::props::op_name::OperationName;
pub use crate::props::{Property, PropertyValue};
pub use body::{Body, BodyColumns};
pub use id::{BlockId, BodyId, OpId, RegionId, ValueId};

// The root of the crate has these names for its users.
#[doc(hidden)]
pub use crate::file::ReadOptions;
pub use crate::file::resource::{Resource, ResourceValue};
#[doc(hidden)]
pub use module::Module;
pub use module::{
    AmbiguousOperation, DeclaredProperties, InherentAttributes, PropertyReading, PropertyState,
};
pub(crate) use module::{ParallelSink, SetApart};
pub use position::PositionStep;
pub use uses::UseOrder;
pub use verify::{OperationChecks, Unchecked, UncheckedKind, Verification, VerifyOptions};
#[doc(hidden)]
pub use view::Operation;
pub use view::{Block, OpOperand, Region, Value};
pub use walk::{PostOrder, PreOrder};
