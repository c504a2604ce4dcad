//! Shardings of Shardy in strings of `mhlo.frontend_attributes`, which JAX 0.6 wrote beside the shardings of
//! HLO.

use crate::attr::{Attribute, FieldValue};
use crate::format::id::AttrId;
use crate::ir::Module;
use crate::wire::error::Result;

use super::attributes::{items, string_field};
use super::functions::dictionary;
use super::refusals::{Attempt, Attempts, refused};
use super::survey::pairs;

/// The prefix of the names of all these attributes and calls.
pub(super) const PREFIX: &[u8] = b"xla.sdy.";

/// The attribute that holds the strings.
pub(super) const ATTRIBUTES: &[u8] = b"mhlo.frontend_attributes";

/// The call that repeats the sharding of a function's result.
pub(super) const RESULT_SHARDING: &[u8] = b"xla.sdy.FuncResultSharding";

const MESHES: &[u8] = b"xla.sdy.meshes";
const RULE: &[u8] = b"xla.sdy.sharding_rule";
const SHARDING: &[u8] = b"xla.sdy.sharding";

/// Whether the strings of a module have names of this form.
///
/// # Errors
/// If the string section is malformed.
pub(super) fn occurs(module: &Module) -> Result<bool> {
    let strings = module.tables().strings()?;
    let mut texts = (0..strings.len()).filter_map(|index| strings.get(u32::try_from(index).ok()?));
    Ok(texts.any(|text| text.starts_with(PREFIX)))
}

/// Attributes without the attributes of Shardy.
#[derive(Debug, Clone)]
pub(super) struct CleanedAttributes {
    /// The remaining attributes; `None` if there are none.
    pub(super) attributes: Option<Attribute>,
    /// The sharding that was removed.
    pub(super) sharding: Option<Attribute>,
}

/// Removes the attributes of Shardy; `None` if there are none. Their sharding may go only if HLO's is there as well.
pub(super) fn cleaned(attributes: &Attribute, has_hlo_sharding: bool) -> Attempt<Option<CleanedAttributes>> {
    let pairs = pairs(attributes)?;
    let count = pairs.len();
    let mut remaining = Vec::new();
    let mut sharding = None;
    for (name, value) in pairs {
        match &*name {
            SHARDING if !has_hlo_sharding => return refused("`xla.sdy.sharding` without `mhlo.sharding`"),
            SHARDING => sharding = Some(value),
            MESHES | RULE => {}
            name if name.starts_with(PREFIX) => {
                return refused(format!("`{}`", String::from_utf8_lossy(name)));
            }
            _ => remaining.push((name, value)),
        }
    }
    if remaining.len() == count {
        return Ok(None);
    }
    let attributes = if remaining.is_empty() { None } else { Some(dictionary(remaining)?) };
    Ok(Some(CleanedAttributes { attributes, sharding }))
}

/// Cleans the attributes of operations, equal ones once. Reads the open dimensions in their strings, which
/// the sharding of HLO beside them does not contain.
#[derive(Debug, Default)]
pub(super) struct FrontendAttributes {
    cleaned: Attempts<(AttrId, bool), Option<CleanedAttributes>>,
    open: Attempts<AttrId, Option<Attribute>>,
}

impl FrontendAttributes {
    /// Removes the attributes of Shardy, as [`cleaned`].
    pub(super) fn cleaned(
        &mut self,
        attributes: &Attribute,
        has_hlo_sharding: bool,
    ) -> Attempt<Option<CleanedAttributes>> {
        let key = attributes.id().map(|id| (id, has_hlo_sharding));
        match self.cleaned.get(key.as_ref()) {
            Some(known) => known,
            None => self.cleaned.keep(key, cleaned(attributes, has_hlo_sharding)),
        }
    }

    /// The attribute `backend_config` of a call with this sharding; `None` if all dimensions are closed.
    pub(super) fn open_dimensions(&mut self, sharding: &Attribute) -> Attempt<Option<Attribute>> {
        match self.open.get(sharding.id().as_ref()) {
            Some(known) => known,
            None => self.open.keep(sharding.id(), open_dimensions(sharding)),
        }
    }
}

fn open_dimensions(sharding: &Attribute) -> Attempt<Option<Attribute>> {
    let text = string_field(sharding, "value")?;
    let Ok(parsed) = Attribute::parse(&text) else {
        return refused("`xla.sdy.sharding` of an unknown form");
    };
    let single = match &items(&parsed, "shardings")?[..] {
        [] => parsed,
        [single] => single.clone(),
        _ => return refused("`xla.sdy.sharding` of several values"),
    };
    let mut open = Vec::new();
    for (number, dimension) in items(&single, "dim_shardings")?.iter().enumerate() {
        if dimension.field("is_closed")? != Some(FieldValue::Bool(true)) {
            open.push(number);
        }
    }
    Ok(super::texts::open_dimensions(open)?)
}
