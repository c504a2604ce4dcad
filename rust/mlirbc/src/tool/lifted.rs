//! The StableHLO module in a portable artifact, for pages and notebooks, whose readers know StableHLO and not VHLO.
//!
//! Owns the rule for what is shown of an artifact. The translation is that of `convert::portable`, which translates each
//! operation into one operation at the same place.

use crate::convert::portable::{deserialize, is_vhlo};
use crate::ir::{Module, Operation};
use crate::wire::error::{Error, ErrorClass, Result, cut};
use crate::wire::progress::Progress;

/// What is shown of a module.
pub(super) enum Shown {
    /// The module, which is no portable artifact.
    Itself,
    /// The StableHLO module in an artifact.
    StableHlo(Module),
    /// The artifact, because of an error.
    Vhlo(Error),
}

impl Shown {
    /// What is shown of a module, which is read completely if it is an artifact.
    ///
    /// # Errors
    /// Of the system, and a request to stop.
    pub(super) fn of(module: &Module) -> Result<Self> {
        if !is_vhlo(module)? {
            return Ok(Self::Itself);
        }
        let lifted = deserialize(module, &Progress::default()).and_then(|prepared| prepared.into_module());
        match lifted {
            Ok(lifted) => Ok(Self::StableHlo(lifted)),
            Err(error) if matches!(error.class(), ErrorClass::Io | ErrorClass::Interrupted) => Err(error),
            Err(error) => Ok(Self::Vhlo(error)),
        }
    }

    /// Says what is shown, if that is not what is in the file.
    pub(super) fn note(&self) -> Option<String> {
        match self {
            Self::Itself => None,
            Self::StableHlo(_) => Some(
                "This is the StableHLO module in a portable artifact. The operations in the file are those of VHLO, \
                 and sizes are those of the file."
                    .to_owned(),
            ),
            Self::Vhlo(error) => Some(format!(
                "This is VHLO, because the artifact cannot be translated to StableHLO: {}",
                cut(&error.to_string(), 300)
            )),
        }
    }
}

/// The operation of the StableHLO module that an operation of an artifact became; `None` if it is not there.
pub(super) fn translated<'l>(op: &Operation<'_>, lifted: &'l Module) -> Result<Option<Operation<'l>>> {
    let mut places = Vec::new();
    let mut current = *op;
    while let Some(parent) = current.parent() {
        let block = current.block();
        let region = block.region();
        let number = parent.regions()?.position(|candidate| candidate == region);
        let block_number = region.blocks().position(|candidate| candidate == block);
        let (Some(number), Some(block_number)) = (number, block_number) else { return Ok(None) };
        places.push((number as u32, block_number, current.number_in_block()));
        current = parent;
    }
    let mut found = lifted.operation()?;
    for (region, block, number) in places.into_iter().rev() {
        let Some(region) = found.region(region)? else { return Ok(None) };
        let next = region.block(block).and_then(|block| block.operations().nth(number));
        let Some(next) = next else { return Ok(None) };
        found = next;
    }
    let is_alike = found.operands().len() == op.operands().len()
        && found.results().len() == op.results().len()
        && found.region_count() == op.region_count();
    Ok(is_alike.then_some(found))
}
