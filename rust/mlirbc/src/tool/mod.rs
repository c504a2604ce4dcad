//! One user's job each, on the public IR.

mod columns;

pub use columns::{ColumnKind, NO_ROW, OpColumns};
