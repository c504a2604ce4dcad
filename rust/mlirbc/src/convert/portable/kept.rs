//! Operations of other dialects, which an artifact keeps: their properties must have the layouts that readers of
//! artifacts assume.

use std::collections::HashMap;

use crate::ir::Module;
use crate::props::OpSchema;
use crate::wire::error::{Error, ErrorKind, Result};
use crate::wire::progress::Progress;
use crate::write::PreparedWrite;

use super::deserialize;

/// The release whose layouts readers assume in an artifact of any version, with those that it includes.
pub(super) const READER: &str = "stablehlo-1.20";

/// Checks that the artifact of a module can be read again.
///
/// # Errors
/// [`ErrorKind::Unsupported`] if operations that are kept have other properties in the release of the module, and the
/// artifact as a whole does not tell which.
pub(super) fn check(module: &Module, prepared: &PreparedWrite) -> Result<()> {
    let others = others(module)?;
    if others.is_empty() {
        return Ok(());
    }
    // The layouts of all operations together may be those of one release only, which is then found.
    let source = prepared.module.assembled_source(prepared.pieces.clone())?;
    let artifact = module.like_of_release(source, None)?;
    let again = deserialize(&artifact, &Progress::default())?.into_module()?;
    let mut misread = Vec::new();
    for module in [&artifact, &again] {
        let found = module.release()?;
        for name in module.op_names()? {
            let Some(own) = others.get(&*name.full()) else { continue };
            let is_read = found.op(name.id).is_some_and(|found| own.reads_like(found));
            if !is_read && !misread.contains(&own.name()) {
                misread.push(own.name());
            }
        }
    }
    let Some(first) = misread.first() else { return Ok(()) };
    let more = match misread.len() {
        1 => String::new(),
        more => format!(", and those of {} more operations,", more - 1),
    };
    let schemas = module.find_schemas(READER)?;
    let reader = schemas.last().map_or(READER, |schema| schema.name());
    let own = module.release()?.name().unwrap_or("unknown");
    let message = format!(
        "the properties of {first} in {own}{more} are not those that readers of artifacts expect, which are of {reader}"
    );
    let hint = format!("write the module for {reader} first: `mlirbc convert --target {reader}`");
    Err(Error::message(ErrorKind::Unsupported, message).with_hint(hint))
}

/// The operations that are kept whose layout differs from that of [`READER`].
fn others(module: &Module) -> Result<HashMap<&str, &OpSchema>> {
    let release = module.release()?;
    let schemas = module.find_schemas(READER)?;
    let mut others = HashMap::new();
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
            others.insert(own.name(), own);
        }
    }
    Ok(others)
}
