//! The attributes of one operation: parts, values, defaults, and the versions of the operation.

mod in_stablehlo;
pub(super) mod read;

use crate::attr::Attribute;
use crate::attr::table::Builder;
use crate::dialect::entries::EntryRef;
use crate::dialect::node::{Field, Node};
use crate::dialect::table::{BuiltinKind, Primitive};
use crate::wire::bytes::Bytes;
use crate::wire::error::{Error, ErrorKind, Result};

use self::read::{class_of, enumerated, kind_of, number_of, type_attribute};
use super::entries::values::{dialect, form_of};
use super::entries::{Converted, EntryConverter};
use super::rules::OpRules;
use super::survey::Fact;
use crate::convert::rules::VhloVersion;
use crate::convert::rules::{ConstraintKind, Number, PropertyRule, SplitAttribute, ValueKind, VersionRow};

/// An attribute of an operation.
#[derive(Debug, Clone)]
pub(super) struct NamedAttr {
    pub(super) name: Box<str>,
    pub(super) value: EntryRef,
    /// The newest version of VHLO that introduced a part of the value.
    pub(super) since: VhloVersion,
}

/// A feature of an operation, with the version of VHLO that introduced it.
pub(super) type Need = (VhloVersion, String);

/// The attributes of an operation in the other dialect.
#[derive(Debug, Default)]
pub(super) struct Attributes {
    pub(super) list: Vec<NamedAttr>,
    /// The attributes that the other dialect cannot represent, as texts for the report.
    pub(super) lost: Vec<String>,
    /// The number in the name of the operation in VHLO.
    pub(super) number: u32,
    pub(super) needs: Vec<Need>,
}

/// Converts the attributes of operations.
pub(super) struct AttributeConverter {
    pub(super) entries: EntryConverter,
    /// Makes the constants of rows, in the direction to VHLO.
    pub(super) constants: EntryConverter,
}

impl AttributeConverter {
    /// Converts a constant of a rule to VHLO.
    fn constant(&mut self, builder: &mut Builder, value: &Attribute) -> Result<EntryRef> {
        let imported = builder.import(&value.0.home, value.0.of)?;
        match self.constants.convert(builder, imported)? {
            Converted::To(to, _) => Ok(to),
            Converted::Nothing => Err(bad_constant(value)),
        }
    }

    /// Converts the default of an attribute to VHLO.
    fn default_of(
        &mut self,
        builder: &mut Builder,
        (rules, name): (&OpRules, &str),
        value: &Attribute,
    ) -> Result<EntryRef> {
        let Some((ValueKind::Enum, Some(class))) = rules.value_kind(name) else {
            return self.constant(builder, value);
        };
        let imported = builder.import(&value.0.home, value.0.of)?;
        match enumerated(builder, class, imported)? {
            Converted::To(to, _) => Ok(to),
            Converted::Nothing => Err(bad_constant(value)),
        }
    }

    /// Makes a tensor of VHLO with this number in every element.
    fn splat(&mut self, builder: &mut Builder, number: Number, shape: &[i64]) -> Result<EntryRef> {
        let count = shape.iter().product::<i64>().max(0);
        let (width, element) = match number {
            Number::Integer(number) => (64, number.to_le_bytes().to_vec()),
            Number::Bool(value) => (1, vec![value.into()]),
        };
        let bytes: Bytes = (0..count).flat_map(|_| element.iter().copied()).collect::<Vec<u8>>().into();
        let r#type = crate::attr::build::builtin::signless(width)?;
        let r#type = builder.import(&r#type.0.home, r#type.0.of)?;
        let tensor = self.constants.tensor(builder, r#type, shape, bytes)?;
        tensor.ok_or_else(|| Error::message(ErrorKind::DialectTable, "a tensor of a row cannot be made"))
    }

    // ---- to VHLO ----

    /// Converts the attributes of an operation of StableHLO to the newest version of VHLO that `target` has;
    /// `fact` describes the types and regions of the operation.
    ///
    /// # Errors
    /// If the memory limit is exceeded, or an entry is malformed.
    pub(super) fn in_vhlo(
        &mut self,
        builder: &mut Builder,
        rules: &OpRules,
        attributes: &[(Box<str>, EntryRef)],
        (fact, target): (&Fact, VhloVersion),
    ) -> Result<Attributes> {
        let mut out = Attributes::default();
        for (name, value) in attributes {
            if let Some(row) = rules.parts.iter().find(|row| row.attribute == *name) {
                if !self.add_fields(builder, row, *value, &mut out)? {
                    out.lost.push(shown(builder, name, *value));
                }
                continue;
            }
            let converted = match rules.value_kind(name) {
                Some((ValueKind::Unit, _)) => match kind_of(builder, *value) == BuiltinKind::UnitAttr {
                    true => Converted::To(self.boolean(builder, true)?, VhloVersion::OLDEST),
                    false => Converted::Nothing,
                },
                Some((ValueKind::Enum, Some(class))) => enumerated(builder, class, *value)?,
                Some((ValueKind::Symbol, _))
                    if kind_of(builder, *value) != BuiltinKind::FlatSymbolRefAttr =>
                {
                    Converted::Nothing
                }
                _ => self.entries.convert(builder, *value)?,
            };
            match converted {
                Converted::To(value, since) => out.push(name, value, since),
                Converted::Nothing => out.lost.push(shown(builder, name, *value)),
            }
        }
        for row in rules.defaults() {
            self.add_default(builder, (rules, row), &mut out)?;
        }
        self.choose_version(builder, rules, (fact, target), &mut out)?;
        Ok(out)
    }

    /// Adds an attribute that VHLO requires, unless the operation has it.
    fn add_default(
        &mut self,
        builder: &mut Builder,
        (rules, row): (&OpRules, &PropertyRule),
        out: &mut Attributes,
    ) -> Result<()> {
        let Some(default) = row.default.as_ref().filter(|_| out.find(&row.after).is_none()) else {
            return Ok(());
        };
        let value = match &row.each_of {
            None => {
                let alternative = row.r#if.as_ref().zip(row.or.as_ref()).filter(|(condition, _)| {
                    let attribute = out.find(&condition.name);
                    attribute.and_then(|attribute| number_of(builder, attribute.value))
                        == Some(condition.number)
                });
                let value = alternative.map_or(default, |(_, alternative)| alternative);
                self.default_of(builder, (rules, &row.after), &value.0)?
            }
            Some(each_of) => {
                let rows = match out.find(each_of).map(|attribute| attribute.value) {
                    Some(list) => self.integers(builder, list)?.map(|numbers| numbers.len() as i64),
                    None => None,
                };
                let Some(rows) = rows else {
                    if !out.lost.iter().any(|lost| **lost == **each_of) {
                        out.lost.push(each_of.to_string());
                    }
                    return Ok(());
                };
                let shape = [rows, row.columns.unwrap_or_default() as i64];
                let rank = if row.columns.is_some() { 2 } else { 1 };
                self.splat(builder, element_of(row)?, &shape[..rank])?
            }
        };
        out.push(&row.after, value, VhloVersion::OLDEST);
        Ok(())
    }

    /// Chooses the newest version of the operation that the target has, or an older one if no attribute needs
    /// more, and adds what that version stores.
    fn choose_version(
        &mut self,
        builder: &mut Builder,
        rules: &OpRules,
        (fact, target): (&Fact, VhloVersion),
        out: &mut Attributes,
    ) -> Result<()> {
        // Whether the oldest version that can hold the operation has each attribute.
        let mut is_in_oldest: Vec<bool> = out.list.iter().map(|_| true).collect();
        let mut needs = Vec::new();
        let mut lowest = 1;
        for row in rules.versions.iter().rev() {
            if let Some(obstacle) = self.obstacle(builder, (rules, row), fact, out)? {
                needs.push((row.at.version(), obstacle));
                lowest = row.number;
                break;
            }
            for (named, is_in_oldest) in out.list.iter().zip(&mut is_in_oldest) {
                *is_in_oldest &= !rules.added(row).iter().any(|added| added.after == named.name);
            }
        }
        if lowest == 1 && rules.since > VhloVersion::OLDEST {
            needs.push((rules.since, "the operation".to_owned()));
        }
        for (named, _) in out.list.iter().zip(&is_in_oldest).filter(|(_, is_in_oldest)| **is_in_oldest) {
            if named.since > VhloVersion::OLDEST {
                needs.push((named.since, format!("the value of `{}`", named.name)));
            }
        }
        for row in &rules.constraints {
            let value = row.attribute.as_ref().and_then(|name| out.find(name)).map(|named| named.value);
            let applies = match row.kind {
                ConstraintKind::ElementTypes => fact.has_other_elements,
                ConstraintKind::OperandType => fact.has_operand_of_class,
                ConstraintKind::Class => {
                    let class = value.and_then(|value| class_of(builder, value));
                    class.is_some() && class.as_deref() == row.class.as_deref()
                }
                ConstraintKind::Number => {
                    row.number.is_some() && value.and_then(|value| number_of(builder, value)) == row.number
                }
            };
            if applies {
                needs.push((row.at.version(), row.what.to_string()));
            }
        }
        if fact.types_since > VhloVersion::OLDEST {
            needs.push((fact.types_since, "a type of its operands or results".to_owned()));
        }
        // The version for the target.
        out.number = rules.newest();
        for row in rules.versions.iter().rev() {
            if target >= row.at.version() || row.number <= lowest && lowest > 1 {
                break;
            }
            out.number = row.number - 1;
            let added = rules.added(row);
            out.list.retain(|named| !added.iter().any(|added| added.after == named.name));
            if let Some(dropped) = rules.dropped(row) {
                let less = dropped.rank_less.unwrap_or_default();
                let rows = u64::from(fact.rank.unwrap_or_default()).saturating_sub(less);
                let shape = [rows as i64, dropped.columns.unwrap_or_default() as i64];
                let value = self.splat(builder, element_of(dropped)?, &shape)?;
                out.push(&dropped.before, value, VhloVersion::OLDEST);
            }
        }
        out.needs = needs;
        Ok(())
    }

    /// Returns the reason why the previous version cannot hold an operation.
    fn obstacle(
        &mut self,
        builder: &mut Builder,
        (rules, row): (&OpRules, &VersionRow),
        fact: &Fact,
        out: &Attributes,
    ) -> Result<Option<String>> {
        for added in rules.added(row) {
            let (Some(attribute), Some(default)) = (out.find(&added.after), &added.default) else { continue };
            let default = self.constant(builder, &default.0)?;
            if !self.is_default(builder, default, attribute.value)? {
                return Ok(Some(format!("this value of `{}`", added.after)));
            }
        }
        if row.operands_before.is_some_and(|count| fact.operands != count) {
            return Ok(Some(format!("{} operands", fact.operands)));
        }
        if row.most_regions_before.is_some_and(|most| fact.regions > most) {
            return Ok(Some("regions".to_owned()));
        }
        if rules.dropped(row).is_some() && fact.rank.is_none() {
            return Ok(Some("an operand without rank".to_owned()));
        }
        Ok(None)
    }

    fn boolean(&mut self, builder: &mut Builder, value: bool) -> Result<EntryRef> {
        self.constant(builder, &crate::attr::build::builtin::boolean(value)?)
    }

    fn integer(&mut self, builder: &mut Builder, value: i64) -> Result<EntryRef> {
        let width = crate::attr::build::builtin::signless(64)?;
        self.constant(builder, &crate::attr::build::builtin::integer(width, value)?)
    }

    /// Adds the fields of an attribute as separate attributes. Returns false if the attribute does not have
    /// the class of the rule.
    fn add_fields(
        &mut self,
        builder: &mut Builder,
        row: &SplitAttribute,
        value: EntryRef,
        out: &mut Attributes,
    ) -> Result<bool> {
        let (_, table) = dialect(builder, "stablehlo")?;
        let mut node = Node::default();
        let Some((entry, _)) = builder.entries().short(value) else { return Ok(false) };
        let is_of_class =
            entry.dialect == b"stablehlo" && entry.form(value)?.is_some_and(|form| *form.name == *row.class);
        if !is_of_class {
            return Ok(false);
        }
        let Some((form, layout)) = entry.decode(value, builder.entries(), &mut node)? else {
            return Ok(false);
        };
        let Some(layout) = form.layouts.get(layout).cloned() else { return Ok(false) };
        let newest = form_of(&table, false, &row.class)?.layouts.first().cloned();
        for (field, name) in &row.fields {
            let spec = newest.as_ref().and_then(|newest| newest.fields.get(newest.index(field)?));
            let Some(spec) = spec else { return Ok(false) };
            // Older layouts lack lists, which are empty then.
            let index = layout.index(field);
            let content = index.map_or(Field::List(0), |index| node.field(index));
            let (value, since) = match (&spec.primitive, content) {
                (Primitive::List(_), Field::List(count)) => {
                    let items = index.map_or(&[][..], |index| node.items(index));
                    let numbers = items.iter().map(|item| match item {
                        Field::Signed(number) => *number,
                        _ => 0,
                    });
                    let bytes: Vec<u8> = numbers.flat_map(i64::to_le_bytes).collect();
                    (self.numbers(builder, &[i64::from(count)], bytes.into())?, VhloVersion::OLDEST)
                }
                (_, Field::Signed(number)) => (self.integer(builder, number)?, VhloVersion::OLDEST),
                (_, Field::Bool(value)) => (self.boolean(builder, value)?, VhloVersion::OLDEST),
                (_, Field::Type(index, _)) => {
                    let Converted::To(to, since) = self.entries.convert(builder, EntryRef::Type(index))?
                    else {
                        return Ok(false);
                    };
                    (type_attribute(builder, "vhlo", "TypeV1Attr", to)?, since)
                }
                _ => return Ok(false),
            };
            out.push(name, value, since);
        }
        Ok(true)
    }

    fn numbers(&mut self, builder: &mut Builder, shape: &[i64], bytes: Bytes) -> Result<EntryRef> {
        let r#type = crate::attr::build::builtin::signless(64)?;
        let r#type = builder.import(&r#type.0.home, r#type.0.of)?;
        let tensor = self.constants.tensor(builder, r#type, shape, bytes)?;
        tensor.ok_or_else(|| Error::message(ErrorKind::Value, "a tensor of integers cannot be made"))
    }
}

impl Attributes {
    pub(super) fn push(&mut self, name: &str, value: EntryRef, since: VhloVersion) {
        self.list.push(NamedAttr { name: name.into(), value, since });
    }

    pub(super) fn find(&self, name: &str) -> Option<&NamedAttr> {
        self.list.iter().find(|named| *named.name == *name)
    }
}

/// Returns the name and the beginning of the text of an attribute, for a report.
fn shown(builder: &Builder, name: &str, value: EntryRef) -> String {
    let text = super::report::text_of(builder.entries(), value);
    format!("{name} = {text}")
}

/// Returns the default of a row as an element of a tensor.
fn element_of(row: &PropertyRule) -> Result<Number> {
    let bad = || Error::message(ErrorKind::DialectTable, "the default of a row is not a number");
    row.element().ok_or_else(bad)
}

#[cold]
fn bad_constant(value: &Attribute) -> Error {
    Error::message(ErrorKind::DialectTable, format!("`{value}` of a row has no form in VHLO"))
}
