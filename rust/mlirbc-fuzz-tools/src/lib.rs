//! Tools for testing programs that read MLIR bytecode: mutation, shrinking, and comparing readers.
//!
//! | module | owns |
//! |---|---|
//! | [`mutate`] | mutations that know the format, and splicing two files |
//! | [`shrink`] | making a file smaller while a property holds |
//! | [`process`] | running a command with limits on time, memory and output |
//! | [`differ`] | running several readers on many files, grouping what they disagree about, and reports |
//!
//! Uses the public interface of the core only, and has no terminal: the commands of `mlirbc` and the fuzz targets
//! are built on it.

#![cfg_attr(docsrs, feature(doc_cfg))]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

pub mod command;
pub mod differ;
pub mod frames;
pub mod mutate;
pub mod noise;
pub mod process;
pub mod shrink;
mod tables;
