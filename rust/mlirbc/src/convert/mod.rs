//! Release conversion: translates operations, attributes and types for another bytecode version, dialect
//! version or release.
//!
//! Owns the translation and the table of release differences. Does not own the order and the bytes of the
//! written file: `write::canonical` asks this layer through its `OpTranslator`.

mod any_readers;
pub(crate) mod compatibility;
mod dialect_versions;
pub(crate) mod dictionary;
mod equal_entries;
mod file_locations;
pub(crate) mod for_jax;
pub(crate) mod fragment;
mod loss_paths;
pub(crate) mod op;
pub(crate) mod op_release;
mod plan;
pub(crate) mod pool;
pub mod portable;
pub(crate) mod release;
pub(crate) mod respell;
mod rules;
mod same_form;
pub mod shardy;
mod target_rules;
mod target_schemas;
mod upgrade;
pub(crate) mod versions;
pub(crate) mod write;

pub use compatibility::{CheckReport, ConversionCheck, Finding, FindingKind, Outcome, Receiver};
pub use plan::{Decision, Plan, Verdict, decisions};
pub use upgrade::DialectUpgrade;
