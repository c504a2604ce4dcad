//! Attributes of arguments and results.

use crate::attr::build::builtin;
use crate::attr::{Attribute, FieldValue};
use crate::format::id::AttrId;
use crate::wire::bytes::Bytes;
use crate::wire::error::Result;

use super::attributes::{Shardings, items};
use super::contexts::ManualContext;
use super::frontend;
use super::refusals::{Attempt, Attempts, refused};
use super::survey::pairs;
use super::texts::{ShardingScope, ShardingTexts};

/// The attribute with a sharding of HLO.
pub(super) const HLO_SHARDING: &[u8] = b"mhlo.sharding";

/// Translates lists of dictionaries, equal ones once.
#[derive(Debug, Default)]
pub(super) struct ValueAttributes {
    known: Attempts<(AttrId, Option<ManualContext>), Option<Attribute>>,
}

impl ValueAttributes {
    /// The translated list; `None` if nothing changes. `context` is `None` if calls of the function disagree about it.
    pub(super) fn translated(
        &mut self,
        list: &Attribute,
        context: Option<ManualContext>,
        tools: (&mut Shardings, &mut ShardingTexts),
    ) -> Attempt<Option<Attribute>> {
        let key = list.id().map(|id| (id, context));
        if let Some(known) = self.known.get(key.as_ref()) {
            return known;
        }
        self.known.keep(key, of_values(list, context, tools))
    }
}

fn of_values(
    list: &Attribute,
    context: Option<ManualContext>,
    (shardings, texts): (&mut Shardings, &mut ShardingTexts),
) -> Attempt<Option<Attribute>> {
    let mut dictionaries = items(list, "value")?;
    let mut is_changed = false;
    for dictionary in &mut dictionaries {
        if let Some(changed) = of_value(dictionary, context, (shardings, texts))? {
            (*dictionary, is_changed) = (changed, true);
        }
    }
    if is_changed { Ok(Some(builtin::array(dictionaries)?)) } else { Ok(None) }
}

fn of_value(
    attributes: &Attribute,
    context: Option<ManualContext>,
    (shardings, texts): (&mut Shardings, &mut ShardingTexts),
) -> Attempt<Option<Attribute>> {
    let pairs = pairs(attributes)?;
    let has_hlo_sharding = pairs.iter().any(|(name, _)| &**name == HLO_SHARDING);
    let mut translated = Vec::new();
    let mut is_changed = false;
    for (name, value) in pairs {
        match &*name {
            b"sdy.sharding" if has_hlo_sharding => return refused("`sdy.sharding` beside `mhlo.sharding`"),
            b"sdy.sharding" => {
                let Some(context) = context else { return refused(DIFFERENT_CONTEXTS) };
                let sharding = shardings.tensor(&value)?;
                let text = texts.of(&sharding, context, ShardingScope::Value, &shardings.meshes.layouts)?;
                translated.push((Bytes::from_static(HLO_SHARDING), text.sharding.clone()));
                is_changed = true;
            }
            name if name.starts_with(b"sdy.") => {
                return refused(format!("`{}`", String::from_utf8_lossy(name)));
            }
            frontend::ATTRIBUTES => match frontend::cleaned(&value, has_hlo_sharding)? {
                None => translated.push((name, value)),
                Some(cleaned) => {
                    translated.extend(cleaned.attributes.map(|attributes| (name, attributes)));
                    is_changed = true;
                }
            },
            _ => translated.push((name, value)),
        }
    }
    if is_changed { Ok(Some(dictionary(translated)?)) } else { Ok(None) }
}

/// The reason to refuse the shardings of a function whose calls have different contexts.
pub(super) const DIFFERENT_CONTEXTS: &str =
    "a sharding in a function that is called from places with different manual axes";

/// Makes a dictionary of these attributes.
///
/// # Errors
/// If two attributes have the same name.
pub(super) fn dictionary(pairs: Vec<(Bytes, Attribute)>) -> Result<Attribute> {
    let mut items = Vec::new();
    for (name, value) in pairs {
        let name = builtin::string(&name)?;
        items.push(FieldValue::List(vec![FieldValue::Attribute(name), FieldValue::Attribute(value)]));
    }
    Attribute::build("builtin", "DictionaryAttr", &[("value", FieldValue::List(items))])
}
