//! Reads, edits, converts and prints MLIR bytecode of any version and release, without LLVM.
//!
//! | you want to | start at |
//! |---|---|
//! | open a file and look around | [`Module`], [`ReadOptions`] |
//! | walk operations | [`Operation::pre_order`], [`Operation::post_order`], and the views of [`ir`] |
//! | count or collect without keeping anything | [`Module::stream`] with an [`OpSink`](ir::OpSink) |
//! | access weights | [`Module::resources`], [`tool::Weights`] |
//! | read properties of operations | [`Operation::inherent_attributes`] |
//! | read, create and compare attributes and types | [`Attribute`], [`Type`] |
//! | declare the encoding of a dialect, or read it by code | [`dialect`], [`attr::hooks`] |
//! | compute sizes and alignments of types | [`layout::DataLayout`] |
//! | handle errors | [`Error`], [`ErrorKind`] |
//! | print a module | [`Module::print`] |
//! | parse the text of a module | [`Module::parse`] |
//! | write a module, for any version or release | [`Module::write`], [`WriteOptions`], [`Release`] |
//! | ask what a release does not know of a module | [`Module::compatibility`] |
//! | replace a file atomically | [`write::replace::Replacement`] |
//! | change a module | [`edit::Editor`] |
//! | read from something other than a file | [`bytes::Source`], [`bytes::ReadAt`] |
//! | open a JAX export or a compressed file | [`Artifact`], [`Module::container`], [`container`] |
//! | bound memory, depth and text | [`Limits`] |
//! | size, compare, hash and explore modules | [`tool`] |
//!
//! The root has the names that a first program needs; all other names are in the modules of their tasks. What this
//! documentation shows is promised: a version that changes it has a new first number. Options are
//! `#[non_exhaustive]`; begin with their default and call setters.
//!
//! Items with `#[doc(hidden)]` have no promise. The command, the Python package and the test tools of this repository
//! use them: the modules `wire`, `format`, `file`, `props` and `ops`, and functions that need their types.
//!
//! ```
//! let module = mlirbc::Module::from_bytes(mlirbc::doc_example())?;
//! assert_eq!(module.version().number(), 6);
//! for op in module.operation()?.pre_order() {
//!     let op = op?;
//!     println!("{} has {} operands", op.name(), op.operands().len());
//! }
//! # Ok::<(), mlirbc::Error>(())
//! ```
//!
//! Decoding is lazy, and shared data is not copied. No input makes this crate panic, overflow the stack or
//! use more memory than its limits allow.

#![cfg_attr(docsrs, feature(doc_cfg))]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

pub mod artifact;
mod assembly;
pub mod attr;
pub mod container;
pub mod convert;
pub mod dialect;
pub mod edit;
#[doc(hidden)]
pub mod file;
#[doc(hidden)]
pub mod format;
pub mod ir;
pub mod layout;
#[doc(hidden)]
pub mod ops;
pub mod pack;
#[cfg(doctest)]
mod pages;
pub mod parse;
pub mod print;
#[doc(hidden)]
pub mod props;
mod release;
#[cfg(feature = "arbitrary")]
#[doc(hidden)]
pub mod smith;
pub mod tool;
#[doc(hidden)]
pub mod wire;
pub mod write;

#[cfg(test)]
mod parallel_tests;
#[cfg(test)]
mod test_module;

pub use crate::artifact::Artifact;
pub use crate::attr::{Attribute, Type};
pub use crate::file::{Interrupt, ReadOptions};
pub use crate::ir::{Module, Operation};
pub use crate::release::Release;
pub use crate::wire::error::{Error, ErrorClass, ErrorKind, Result, TextPlace};
pub use crate::wire::limits::Limits;
pub use crate::wire::{bytes, change, loss, progress, section, version};
#[doc(hidden)]
pub use crate::wire::{cursor, error, limits, varint};
pub use crate::write::WriteOptions;

/// Returns a small module for examples: `builtin.module` with an op `t.c` and an op `t.r` whose region has
/// `t.u`.
///
/// The module has version 6, 131 bytes and the producer `x`.
#[doc(hidden)]
pub fn doc_example() -> Vec<u8> {
    #[rustfmt::skip]
    const BYTES: [u8; 131] = [
        0x4d, 0x4c, 0xef, 0x52, 0x0d, 0x78, 0x00, 0x01, 0x19, 0x05, 0x01, 0x05, 0x09, 0x01, 0x03, 0x0b,
        0x03, 0x07, 0x0d, 0x11, 0x15, 0x03, 0x17, 0x09, 0x03, 0x01, 0x09, 0x07, 0x13, 0x0b, 0x0f, 0x01,
        0x03, 0x0b, 0x02, 0x19, 0x1f, 0x03, 0x03, 0x05, 0x07, 0x05, 0x0d, 0x11, 0x01, 0x05, 0x01, 0x41,
        0x04, 0x43, 0x05, 0x01, 0x50, 0x01, 0x01, 0x07, 0x04, 0x33, 0x03, 0x03, 0x09, 0x03, 0x42, 0x01,
        0x03, 0x03, 0x01, 0x05, 0x10, 0x01, 0x05, 0x03, 0x03, 0x07, 0x03, 0x01, 0x00, 0x07, 0x04, 0x01,
        0x05, 0x03, 0x01, 0x06, 0x03, 0x01, 0x05, 0x01, 0x00, 0x43, 0x0f, 0x05, 0x05, 0x05, 0x05, 0x0f,
        0x05, 0x11, 0x62, 0x75, 0x69, 0x6c, 0x74, 0x69, 0x6e, 0x00, 0x74, 0x00, 0x6d, 0x6f, 0x64, 0x75,
        0x6c, 0x65, 0x00, 0x63, 0x00, 0x72, 0x00, 0x75, 0x00, 0x6b, 0x00, 0x08, 0x0d, 0x05, 0x05, 0x01,
        0x01, 0x03, 0x03,
    ];
    BYTES.to_vec()
}
