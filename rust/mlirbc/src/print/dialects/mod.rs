//! Parts of custom forms of dialects that only the printer has.

pub(in crate::print) mod affine;
pub(in crate::print) mod linalg;
pub(in crate::print) mod linalg_body;
pub(in crate::print) mod pcf;
pub(in crate::print) mod stablehlo;
pub(in crate::print) mod tosa;
pub(in crate::print) mod util;
pub(in crate::print) mod vm;

use super::{Custom, draft, names};
