//! The reading surface: calls that opened and edited modules share.
//!
//! Each kind of object has a trait with its answers, and a macro with the names, signatures and descriptions
//! that Python sees. A macro is needed because a class of PyO3 is one block of methods. A class passes the
//! methods that it alone has.

mod module;
mod operation;
mod resources;
mod structure;
mod text;
mod value;

pub(crate) use module::{ModuleReading, module_methods};
pub(crate) use operation::{OperationReading, operation_methods};
pub(crate) use resources::{ResourceReading, resource_methods};
pub(crate) use structure::{BlockReading, RegionReading, block_methods, region_methods};
pub(crate) use text::{TextSource, text_methods};
pub(crate) use value::{ValueReading, value_methods};
