//! Parts of custom forms of dialects that only the parser has.

pub(in crate::parse) mod affine;
pub(in crate::parse) mod function;
pub(in crate::parse) mod linalg;
pub(in crate::parse) mod linalg_body;
pub(in crate::parse) mod llvm;
pub(in crate::parse) mod llvm_members;
pub(in crate::parse) mod spirv;
pub(in crate::parse) mod stablehlo;
pub(in crate::parse) mod tosa;
pub(in crate::parse) mod transformers;
pub(in crate::parse) mod util;
pub(in crate::parse) mod vector;

use super::custom::Custom;
use super::syntax;
