//! The StableHLO module in a portable artifact, for pages and notebooks, whose readers know StableHLO and not
//! VHLO.
//!
//! Owns the rule that decides which form of an artifact is shown. `convert::portable` translates it, each
//! operation into one operation at the same place.

use crate::convert::portable::{deserialize, is_vhlo};
use crate::ir::{Module, Operation};
use crate::wire::error::{Error, ErrorClass, Result, cut};
use crate::wire::progress::Progress;

/// The form of a module that is shown.
pub(super) enum ModuleView {
    /// The module, which is no portable artifact.
    Itself,
    /// The StableHLO module in an artifact.
    StableHlo(Module),
    /// The artifact, because of an error.
    Vhlo(Error),
}

impl ModuleView {
    /// Selects the form of a module to show. An artifact is read completely for this.
    ///
    /// # Errors
    /// System errors, and a request to stop.
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

    /// Returns a note about the form, if it is not the form in the file.
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

/// Returns the StableHLO operation that an operation of an artifact was translated to; `None` if there is
/// none.
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
    let mut translated_op = lifted.operation()?;
    for (region, block, number) in places.into_iter().rev() {
        let Some(region) = translated_op.region(region)? else { return Ok(None) };
        let next = region.block(block).and_then(|block| block.operations().nth(number));
        let Some(next) = next else { return Ok(None) };
        translated_op = next;
    }
    let is_alike = translated_op.operands().len() == op.operands().len()
        && translated_op.results().len() == op.results().len()
        && translated_op.region_count() == op.region_count();
    Ok(is_alike.then_some(translated_op))
}
