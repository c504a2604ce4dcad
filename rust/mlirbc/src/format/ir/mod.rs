//! Section 4: operations, regions and blocks, as a stream of events.
//!
//! Owns [`IrReader`], the only decoder, which checks every rule and feeds an [`OpSink`]. Sinks that count,
//! collect names, fill columns or write the bytes again ([`IrWriter`]) receive the same events, so they
//! cannot disagree. Nesting uses an explicit stack.

mod op;
mod region;
mod simple_op;
mod sink;
mod use_list;
mod writer;

pub use op::{OpHead, OpMask, ValueRef};
pub(crate) use region::Meter;
pub use region::{BlockHead, IrBounds, IrReader, IsolatedRegions, PathStep, RegionHead, Root};
pub use sink::OpSink;
pub use use_list::UseListOrder;
pub use writer::IrWriter;
