//! One user's job each, on the public IR.

mod columns;
mod terminal;
mod text_limit;

pub use columns::{ColumnKind, NO_ROW, OpColumns};
pub use terminal::{TerminalWriter, is_risky, printable};
pub use text_limit::TextLimit;
