//! Reads, edits, converts and prints MLIR bytecode of any version and release, without LLVM.
//!
//! | you want to | start at |
//! |---|---|
//! | open a file and look around | [`Module`] |
//! | walk operations | [`Operation::pre_order`], [`Operation::post_order`] |
//! | count or collect without keeping anything | [`Module::stream`] with an [`OpSink`] |
//! | access weights | [`FileTables::resources`] |
//! | read properties of operations | [`Operation::inherent_attributes`], [`FileTables::release`] |
//! | compute sizes and alignments of types | [`layout::DataLayout`] |
//! | handle errors | [`Error`], [`RULES`] |
//! | write a module, for any version or release | [`Module::write`] |
//! | replace a file atomically | [`replace::Replacement`] |
//! | change a module | [`edit::Editor`] |
//! | read from something other than a file | [`Source`], [`bytes::ReadAt`] |
//! | read single sections of the format | [`mod@format`] |
//!
//! ```
//! let module = mlirbc::Module::from_bytes(mlirbc::doc_example())?;
//! assert_eq!(module.bytecode().version().number(), 6);
//! for op in module.operation()?.pre_order() {
//!     let op = op?;
//!     println!("{} has {} operands", op.name(), op.operands().len());
//! }
//! # Ok::<(), mlirbc::Error>(())
//! ```
//!
//! Decoding is lazy, and whatever can be shared is not copied. No input makes this crate panic, overflow the
//! stack or use more memory than its limits allow.

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

pub mod attr;
mod convert;
pub(crate) mod dialect;
pub mod edit;
pub(crate) mod file;
pub mod format;
pub mod ir;
pub mod layout;
#[cfg(doctest)]
mod pages;
mod print;
mod props;
mod release;
#[cfg(feature = "arbitrary")]
pub mod smith;
pub mod tool;
pub mod wire;
mod write;

#[cfg(test)]
mod test_module;

pub use crate::attr::{Attribute, FieldValue, Type};
pub use crate::convert::{CheckReport, DialectUpgrade, Finding, FindingKind, Outcome, Receiver};
pub use crate::dialect::DialectTable;
pub use crate::dialect::registry::{find_dialect, register_dialect, registered_dialects};
pub use crate::file::FileTables;
pub use crate::file::ReadOptions;
pub use crate::file::release::{Release, ReleaseOrigin};
pub use crate::file::resource::{Resource, ResourceValue};
pub use crate::format::attr_type::EntryEncoding;
pub use crate::format::container::{Bytecode, Section};
pub use crate::format::id::{AttrId, OpNameId, TypeId};
pub use crate::format::ir::OpSink;
pub use crate::format::resource::ResourceKind;
pub use crate::ir::{
    Block, Body, BodyId, DeclaredProperties, InherentAttributes, Module, OpId, OpOperand, Operation,
    PropertyState, Region, Unchecked, UncheckedKind, UseOrder, Value, Verification, VerifyOptions,
};
pub use crate::print::{EntryTexts, OpAttributes, OpTexts, PrintOptions, PrintReport};
pub use crate::props::{
    OpSchema, Property, PropertyField, PropertySchema, PropertyValue, known_releases, register_schema,
};
pub use crate::wire::bytes::{Backend, Bytes, Source};
pub use crate::wire::error::{Error, ErrorClass, ErrorKind, RULES, Result};
pub use crate::wire::limits::Limits;
pub use crate::wire::loss::{Loss, LossKind};
pub use crate::wire::progress::Progress;
pub use crate::wire::section::SectionId;
pub use crate::wire::version::BytecodeVersion;
pub use crate::write::{
    Numbering, Opaque, OpaqueKind, PreparedWrite, WriteMode, WriteOptions, WritePlan, WriteReport,
};
pub use wire::{bytes, cursor, error, limits, section, varint, version};
pub use write::replace;

/// A small module for examples: `builtin.module` with an op `t.c` and an op `t.r` whose region has `t.u`.
///
/// Version 6, 131 bytes, producer `x`.
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
