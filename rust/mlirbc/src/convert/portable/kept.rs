//! Operations of other dialects, which an artifact keeps: their properties must have the layouts that readers of
//! artifacts assume.

use crate::ir::Module;
use crate::wire::error::{Error, ErrorKind, Result};

/// The release whose layouts readers assume in an artifact of any version, with those that it includes.
pub(super) const READER: &str = "stablehlo-1.20";

/// Checks that an artifact of the module can be read again.
///
/// # Errors
/// [`ErrorKind::Unsupported`] if the release of the module has other properties in operations that are kept.
pub(super) fn check(module: &Module) -> Result<()> {
    let release = module.release()?;
    let schemas = module.find_schemas(READER)?;
    let mut others = Vec::new();
    for name in module.op_names()? {
        let own = release.op(name.id).filter(|own| own.fields().len() > 0);
        // These become operations of VHLO, whose layouts never change.
        let Some(own) = own.filter(|_| ![&b"stablehlo"[..], b"func"].contains(&name.dialect)) else {
            continue;
        };
        let is_same = match schemas.iter().find_map(|schema| schema.op(own.name().as_bytes())) {
            Some(other) => own.reads_like(other),
            // Readers have the dialects of MLIR, and those that they do not have are other tools' matter.
            None => !schemas.iter().any(|schema| schema.has_dialect(name.dialect)),
        };
        if !is_same {
            others.push(own.name());
        }
    }
    let Some(first) = others.first() else { return Ok(()) };
    let more = match others.len() {
        1 => String::new(),
        more => format!(", and those of {} more operations,", more - 1),
    };
    let reader = schemas.last().map_or(READER, |schema| schema.name());
    let own = release.name().unwrap_or("unknown");
    let message = format!(
        "the properties of {first} in {own}{more} are not those that readers of artifacts expect, which are of {reader}"
    );
    let hint = format!("write the module for {reader} first: `mlirbc convert --target {reader}`");
    Err(Error::message(ErrorKind::Unsupported, message).with_hint(hint))
}
