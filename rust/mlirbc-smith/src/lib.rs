//! Generates valid MLIR bytecode from bytes or from a seed, for fuzzers and property tests.
//!
//! A module is generated for a release, whose `mlir-opt` accepts it in every bytecode version that it reads
//! (`scripts/smith-acceptance` counts). The same bytes give the same module, and fewer bytes a smaller one.
//!
//! ```
//! use arbitrary::Unstructured;
//! use mlirbc_smith::{Config, GeneratedModule};
//! let config = Config { release: "llvm-22".into(), max_operations: 20, ..Config::default() };
//! let noise = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
//! let generated = GeneratedModule::new(&config, &mut Unstructured::new(&noise))?;
//! let module = generated.module()?;
//! assert!(module.operation()?.pre_order().all(|op| op.is_ok()));
//! # Ok::<(), mlirbc::Error>(())
//! ```
//!
//! In a fuzz target, `fuzz_target!(|generated: GeneratedModule| …)` draws from the default [`Config`].

#![cfg_attr(docsrs, feature(doc_cfg))]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

mod body;
mod broken;
mod catalogue;
mod config;
mod draws;
mod entries;
mod inherent;
mod instance;
mod module;
#[cfg(feature = "probe")]
pub mod probe;
mod shapes;
mod single_value;
mod values;

pub use broken::{
    BreakableRule, BrokenModule, Check, UnbreakableRules, breakable_rule, breakable_rules, unbreakable_rules,
};
#[doc(hidden)] // for the fuzz targets
pub use broken::{Event, Events};
pub use catalogue::{dialects, releases};
pub use config::{Config, Features};
pub use draws::Decide;
pub use module::GeneratedModule;
