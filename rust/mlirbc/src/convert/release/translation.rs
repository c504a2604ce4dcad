//! The rows between releases, with the patterns of their texts.

use std::collections::HashMap;
use std::sync::OnceLock;

use crate::attr::Attribute;
use crate::convert::respell::{Pattern, Rule};
use crate::convert::rules::{TranslationRows, invalid};
use crate::wire::error::Result;
use crate::wire::order::sort_by;

/// Two spellings of an entity, as patterns.
#[derive(Debug)]
pub(super) struct TextRule {
    pub(super) at: u32,
    pub(super) is_read_by_newer: bool,
    pub(super) up: Rule,
    pub(super) down: Rule,
}

/// A rule in the direction of a conversion.
#[derive(Debug, Clone)]
pub(super) struct Respelling {
    pub(super) rule: Rule,
    /// Whether the target reads the spelling of the source, too.
    pub(super) is_optional: bool,
}

impl TextRule {
    pub(super) fn upgrade(&self) -> Respelling {
        Respelling { rule: self.up.clone(), is_optional: self.is_read_by_newer }
    }

    pub(super) fn downgrade(&self) -> Respelling {
        Respelling { rule: self.down.clone(), is_optional: false }
    }
}

/// A property that newer releases require.
#[derive(Debug, Clone, Copy)]
pub(crate) struct AddedProperty<'r> {
    pub(crate) name: &'r str,
    pub(crate) value: &'r Attribute,
    pub(crate) each_of: Option<&'r str>,
    pub(crate) for_constants: Option<&'r Attribute>,
}

/// The whole table.
#[derive(Debug)]
pub(crate) struct Translation {
    pub(super) rows: TranslationRows,
    pub(super) texts: Vec<TextRule>,
    pub(super) missing: Vec<(Pattern, u32, u32)>,
}

static SHIPPED: OnceLock<Result<Translation, String>> = OnceLock::new();
static ATTRIBUTES_16: OnceLock<HashMap<Box<str>, Box<str>>> = OnceLock::new();

/// The shipped data.
pub(super) fn shipped() -> Result<&'static Translation> {
    let text = include_str!("../../../data/translation/releases.toml");
    let loaded = SHIPPED.get_or_init(|| Translation::load(text).map_err(|error| error.to_string()));
    loaded.as_ref().map_err(|error| invalid("translation/releases.toml", error))
}

/// The names of attributes by op, each list as in the file.
pub(super) fn attributes_16() -> &'static HashMap<Box<str>, Box<str>> {
    ATTRIBUTES_16.get_or_init(|| {
        let rows =
            include_str!("../../../data/attributes-16.txt").lines().filter(|line| !line.starts_with('#'));
        rows.map(|row| row.split_once(' ').unwrap_or((row, "")))
            .map(|(op, names)| (op.into(), names.into()))
            .collect()
    })
}

impl Translation {
    pub(super) fn load(text: &str) -> Result<Self> {
        let rows = TranslationRows::load(text)?;
        let mut texts = Vec::new();
        for row in &rows.text {
            let (before, after) = (Pattern::parse(&row.before)?, Pattern::parse(&row.after)?);
            let items = match &row.items {
                Some([before, after]) => Some((Pattern::parse_item(before)?, Pattern::parse_item(after)?)),
                None => None,
            };
            let turned = items.clone().map(|(before, after)| (after, before));
            texts.push(TextRule {
                at: row.at,
                is_read_by_newer: row.is_read_by_newer,
                up: Rule { from: before.clone(), to: after.clone(), items },
                down: Rule { from: after, to: before, items: turned },
            });
        }
        sort_by(&mut texts, |a, b| a.at.cmp(&b.at));
        let mut missing = Vec::new();
        for row in &rows.missing {
            missing.push((Pattern::parse(&row.text)?, row.before, row.from.unwrap_or(u32::MAX)));
        }
        Ok(Self { rows, texts, missing })
    }
}
