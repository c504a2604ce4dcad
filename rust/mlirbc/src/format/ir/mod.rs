//! Section 4: operations, regions and blocks, as a stream of events.
//!
//! [`IrReader`] is the one decoder. It checks every rule and feeds an [`OpSink`]; sinks that count, collect
//! names, fill columns or write the bytes again ([`IrWriter`]) see the same events, so they cannot disagree.
//! Nesting lives on an explicit stack.

mod op;
mod region;
mod sink;
mod use_list;
mod writer;

pub use op::{OpHead, OpMask, ValueRef};
pub(crate) use region::Meter;
pub use region::{BlockHead, IrBounds, IrReader, IsolatedRegions, PathStep, RegionHead, Root};
pub use sink::OpSink;
pub use use_list::UseListOrder;
pub use writer::IrWriter;
