//! Parsing arbitrary text.
//!
//! | oracle | why it can fail |
//! |---|---|
//! | parsing never panics and never hangs, and takes memory and steps in proportion to the text | any |
//! | an error has a line and a column, unless it is a limit | errors that are found after the end of the text |
//! | a module that was assembled is in its canonical form | an order that differs from that of canonical writing |

use mlirbc::error::ErrorClass;
use mlirbc::limits::Limits;
use mlirbc::parse::{ParseOptions, parse};
use mlirbc::write::Numbering;
use mlirbc::{Module, WriteOptions};

use crate::cost;
use crate::generated::text_of;
use crate::roundtrip;

/// Runs the oracle.
///
/// # Panics
/// When a property does not hold.
pub fn run(data: &[u8]) {
    if let Some((target, text)) = text_of(data) {
        cost::parse(text, target);
        cost::alone(|| run_for(text, target));
    }
}

/// Runs the oracle for one release.
///
/// # Panics
/// When a property does not hold.
pub fn run_for(text: &[u8], target: &str) {
    let limits = Limits::default().max_depth(200).max_memory(Some(64 << 20));
    let options = ParseOptions::default().target(mlirbc::Release::named(target.to_owned())).limits(limits);
    match parse(text, &options) {
        Ok(module) => check(&module),
        Err(error) => {
            let is_limit = error.class() == ErrorClass::Limit;
            let is_structure = error.kind() == mlirbc::ErrorKind::Ir;
            assert!(is_limit || is_structure || error.text_place().is_some(), "no place: {error:?}");
        }
    }
}

fn check(module: &Module) {
    let options = WriteOptions::default().numbering(Numbering::Canonical);
    let (mut first, mut second, mut third) = (Vec::new(), Vec::new(), Vec::new());
    let Ok(_) = module.write(&mut first, &WriteOptions::default()) else { return };
    if module.write(&mut second, &options).is_err() || first == second {
        return;
    }
    // As in MLIR, orders of uses that are stored in pairs are inverted by each write.
    let is_third = roundtrip::reopen(module, &second).write(&mut third, &options).is_ok();
    assert!(is_third && first == third, "the module is not in its canonical form");
}
