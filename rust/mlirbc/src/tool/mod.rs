//! One user's job each, on the public IR.

mod columns;
mod terminal;

pub use columns::{ColumnKind, NO_ROW, OpColumns};
pub use terminal::{TerminalWriter, is_risky, printable};
