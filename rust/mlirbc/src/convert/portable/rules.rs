//! The rows between StableHLO and VHLO, in total and for one operation.

use std::sync::OnceLock;

use crate::convert::rules::{
    Constraint, OpRule, Portable, PropertyRule, Since, SplitAttribute, TranslationRows, ValueKind,
    VersionRow, VhloVersion, invalid,
};
use crate::wire::error::{Error, ErrorKind, Result};
use crate::wire::order;

/// The rows of `data/translation/vhlo.toml`.
#[derive(Debug)]
pub(super) struct Rules {
    pub(super) versions: Portable,
    pub(super) rows: TranslationRows,
}

/// The rows for one operation, by its name in VHLO without version.
#[derive(Debug)]
pub(super) struct OpRules {
    pub(super) stem: Box<str>,
    pub(super) since: VhloVersion,
    /// Ascending.
    pub(super) versions: Vec<&'static VersionRow>,
    pub(super) constraints: Vec<&'static Constraint>,
    pub(super) parts: Vec<&'static SplitAttribute>,
    properties: Vec<&'static PropertyRule>,
}

impl OpRules {
    /// Returns the kind of value of an attribute, and the class of an enumeration.
    pub(super) fn value_kind(&self, name: &str) -> Option<(ValueKind, Option<&'static str>)> {
        let mut rows = self.properties.iter().filter(|row| *row.after == *name);
        rows.find_map(|row| Some((row.kind?, row.class.as_deref())))
    }

    /// The attributes that VHLO requires and StableHLO does not.
    pub(super) fn defaults(&self) -> impl Iterator<Item = &'static PropertyRule> + use<> {
        let rows: Vec<_> = self.properties.iter().filter(|row| row.is_added).copied().collect();
        rows.into_iter()
    }

    /// The attributes that a version of the operation adds, with their defaults.
    pub(super) fn added(&self, version: &VersionRow) -> Vec<&'static PropertyRule> {
        self.changed(version).filter(|row| !row.after.is_empty()).collect()
    }

    /// Returns the attribute that a version of the operation drops.
    pub(super) fn dropped(&self, version: &VersionRow) -> Option<&'static PropertyRule> {
        self.changed(version).find(|row| row.after.is_empty())
    }

    fn changed(&self, version: &VersionRow) -> impl Iterator<Item = &'static PropertyRule> {
        self.properties.iter().copied().filter(|row| row.at == version.at)
    }

    /// Whether a version of the operation does not have an attribute of the version before.
    pub(super) fn drops_any(&self) -> bool {
        self.versions.iter().any(|version| self.dropped(version).is_some())
    }

    /// The number of the newest version.
    pub(super) fn newest(&self) -> u32 {
        self.versions.last().map_or(1, |row| row.number)
    }

    /// The full name of a version in VHLO.
    pub(super) fn name_of(&self, number: u32) -> String {
        format!("vhlo.{}_v{number}", self.stem)
    }
}

/// The name in VHLO, without dialect and version.
fn stem_of(row: &OpRule) -> &str {
    row.after.strip_prefix("vhlo.").unwrap_or(&row.after)
}

impl Rules {
    /// The name in VHLO, without dialect and version, of an operation of another dialect.
    pub(super) fn stem(&'static self, name: &str) -> Option<&'static str> {
        self.rows.op.iter().find(|row| row.before == name).map(stem_of)
    }

    /// Returns the names of an operation of VHLO in other dialects, if they are not the usual ones.
    pub(super) fn other_names<'r>(&'r self, stem: &'r str) -> impl Iterator<Item = &'r OpRule> {
        self.rows.op.iter().filter(move |row| stem_of(row) == stem && !row.before.is_empty())
    }

    /// Returns the operations that change the names of the operations directly inside.
    pub(super) fn parents(&self) -> impl Iterator<Item = &str> {
        self.rows.op.iter().flat_map(|row| &row.inside).map(|name| &**name)
    }

    fn op_since(&self, stem: &str) -> Option<VhloVersion> {
        let mut rows = self.rows.op.iter().filter(|row| row.at != Since::Always);
        rows.find(|row| stem_of(row) == stem).map(|row| row.at.version())
    }

    /// The rows for an operation.
    pub(super) fn of_op(&'static self, stem: &str) -> OpRules {
        let rows = &self.rows;
        let mut versions: Vec<_> = rows.version.iter().filter(|row| row.op.cover(stem)).collect();
        order::sort_by_key(&mut versions, |row| row.number);
        OpRules {
            stem: stem.into(),
            since: self.op_since(stem).unwrap_or(self.versions.oldest),
            versions,
            constraints: rows.constraint.iter().filter(|row| row.op.cover(stem)).collect(),
            parts: rows.parts.iter().filter(|row| row.op.cover(stem)).collect(),
            properties: rows.property.iter().filter(|row| row.op.cover(stem)).collect(),
        }
    }

    /// Whether the tools first make an operation in a newer version, then replace it for the target.
    pub(super) fn is_replaced(&self, rules: &OpRules, target: VhloVersion) -> bool {
        let writer = match target <= self.versions.writer {
            true => self.versions.writer,
            false => self.versions.newest,
        };
        rules.versions.iter().any(|row| target < row.at.version() && row.at.version() <= writer)
    }

    /// The version that introduced an operation, by its name in VHLO without the dialect, e.g. `tan_v2`; `None` if it
    /// is not newer than the oldest one, or not known.
    pub(super) fn introduced(&self, name: &str) -> Option<VhloVersion> {
        let (stem, number) = name.rsplit_once("_v")?;
        match number.parse().ok()? {
            1 => self.op_since(stem),
            number => {
                let has = |row: &&VersionRow| row.number == number && row.op.cover(stem);
                self.rows.version.iter().find(has).map(|row| row.at.version())
            }
        }
    }
}

impl VhloVersion {
    /// The newest known version.
    pub fn newest() -> Self {
        shipped().map_or(Self::OLDEST, |rules| rules.versions.newest)
    }
}

/// The shipped rows.
///
/// # Errors
/// If they are invalid, which tests exclude.
pub(super) fn shipped() -> Result<&'static Rules> {
    static SHIPPED: OnceLock<Result<Rules, String>> = OnceLock::new();
    let load = || {
        let mut rows = TranslationRows::load(include_str!("../../../data/translation/vhlo.toml"))?;
        let versions = rows.portable.take();
        let versions = versions
            .ok_or_else(|| Error::message(ErrorKind::DialectTable, "the table `portable` is missing"))?;
        Ok::<_, Error>(Rules { versions, rows })
    };
    let loaded = SHIPPED.get_or_init(|| load().map_err(|error| error.to_string()));
    loaded.as_ref().map_err(|error| invalid("translation/vhlo.toml", error))
}
