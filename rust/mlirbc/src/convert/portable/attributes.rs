//! The attributes of one operation: parts, values, defaults, and the versions of the operation.

use crate::attr::Attribute;
use crate::attr::table::Builder;
use crate::attr::text::dense::Dense;
use crate::dialect::entries::EntryRef;
use crate::dialect::node::{Field, Node};
use crate::dialect::table::{BuiltinKind, Encoding, Named, Primitive};
use crate::wire::bytes::Bytes;
use crate::wire::error::{Error, ErrorKind, Result};

use super::entries::{Converted, EntryConverter, dialect, form_of, items_of, make, string_of, symbol};
use super::rules::{ConstraintKind, Default, Number, OpRules, Parts, ValueKind, VersionRow};
use super::survey::Fact;
use super::version::VhloVersion;

/// An attribute of an operation.
#[derive(Debug, Clone)]
pub(super) struct NamedAttr {
    pub(super) name: Box<str>,
    pub(super) value: EntryRef,
    /// The version of VHLO that introduced everything in it.
    pub(super) since: VhloVersion,
}

/// Something that versions before this one do not have.
pub(super) type Need = (VhloVersion, String);

/// The attributes of an operation in the other dialect.
#[derive(Debug, Default)]
pub(super) struct Attributes {
    pub(super) list: Vec<NamedAttr>,
    /// The names of those without a form there.
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
    /// A constant of a row in VHLO.
    fn constant(&mut self, builder: &mut Builder, value: &Attribute) -> Result<EntryRef> {
        let of = builder.import(&value.0.home, value.0.of)?;
        match self.constants.convert(builder, of)? {
            Converted::To(to, _) => Ok(to),
            Converted::Nothing => Err(bad_constant(value)),
        }
    }

    /// The default of an attribute in VHLO.
    fn default_of(
        &mut self,
        builder: &mut Builder,
        (rules, name): (&OpRules, &str),
        value: &Attribute,
    ) -> Result<EntryRef> {
        let Some((ValueKind::Enum, Some(class))) = rules.value_kind(name) else {
            return self.constant(builder, value);
        };
        let of = builder.import(&value.0.home, value.0.of)?;
        match enumerated(builder, class, of)? {
            Converted::To(to, _) => Ok(to),
            Converted::Nothing => Err(bad_constant(value)),
        }
    }

    /// A tensor of VHLO with this element everywhere.
    fn splat(&mut self, builder: &mut Builder, number: Number, shape: &[i64]) -> Result<EntryRef> {
        let count = shape.iter().product::<i64>() as usize;
        let (width, element) = match number {
            Number::Integer(number) => (64, number.to_le_bytes().to_vec()),
            Number::Bool(value) => (1, vec![value.into()]),
        };
        let bytes: Bytes = element.repeat(count).into();
        let r#type = crate::attr::build::builtin::signless(width)?;
        let r#type = builder.import(&r#type.0.home, r#type.0.of)?;
        let made = self.constants.tensor(builder, r#type, shape, bytes)?;
        made.ok_or_else(|| Error::message(ErrorKind::DialectTable, "a tensor of a row cannot be made"))
    }

    // ---- to VHLO ----

    /// The attributes of an operation of StableHLO in the newest version of VHLO that `target` has.
    ///
    /// # Errors
    /// If there is no memory left, or an entry is malformed.
    pub(super) fn in_vhlo(
        &mut self,
        builder: &mut Builder,
        rules: &OpRules,
        given: &[(Box<str>, EntryRef)],
        (fact, target): (&Fact, VhloVersion),
    ) -> Result<Attributes> {
        let mut out = Attributes::default();
        for (name, value) in given {
            if let Some(row) = rules.parts.iter().find(|row| row.attribute == *name) {
                if !self.explode(builder, row, *value, &mut out)? {
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
        for row in &rules.defaults {
            self.add_defaults(builder, (rules, row), &mut out)?;
        }
        self.choose_version(builder, rules, (fact, target), &mut out)?;
        Ok(out)
    }

    fn add_defaults(
        &mut self,
        builder: &mut Builder,
        (rules, row): (&OpRules, &Default),
        out: &mut Attributes,
    ) -> Result<()> {
        for name in &row.names {
            if out.find(name).is_some() {
                continue;
            }
            let value = match (row.constant()?, &row.rows_of) {
                (Some(value), _) => {
                    let other = row.r#if.as_ref().zip(row.or.as_ref()).filter(|(condition, _)| {
                        let found = out.find(&condition.name);
                        found.and_then(|found| number_of(builder, found.value)) == Some(condition.number)
                    });
                    self.default_of(builder, (rules, name), other.map_or(&value, |(_, other)| &other.0))?
                }
                (None, Some(rows_of)) => {
                    let rows = out.find(rows_of).map(|found| found.value);
                    let rows = match rows {
                        Some(of) => self.integers(builder, of)?.map(|numbers| numbers.len() as i64),
                        None => None,
                    };
                    let Some(rows) = rows else {
                        out.lost.push(rows_of.to_string());
                        return Ok(());
                    };
                    let shape = [rows, row.columns.unwrap_or_default() as i64];
                    let rank = if row.columns.is_some() { 2 } else { 1 };
                    self.splat(builder, row.element(), &shape[..rank])?
                }
                (None, None) => continue,
            };
            out.push(name, value, VhloVersion::OLDEST);
        }
        Ok(())
    }

    /// Goes back to the version of the operation that the target has, as far as its attributes allow.
    fn choose_version(
        &mut self,
        builder: &mut Builder,
        rules: &OpRules,
        (fact, target): (&Fact, VhloVersion),
        out: &mut Attributes,
    ) -> Result<()> {
        // What remains in the oldest version that can hold the operation.
        let mut kept: Vec<bool> = vec![true; out.list.len()];
        let mut needs = Vec::new();
        let mut lowest = 1;
        for row in rules.versions.iter().rev() {
            if let Some(what) = self.obstacle(builder, row, fact, out)? {
                needs.push((row.since, what));
                lowest = row.number;
                break;
            }
            for (named, kept) in out.list.iter().zip(&mut kept) {
                *kept &= !row.adds.contains_key(&named.name);
            }
        }
        if lowest == 1 && rules.since > VhloVersion::OLDEST {
            needs.push((rules.since, "the operation".to_owned()));
        }
        for (named, _) in out.list.iter().zip(&kept).filter(|(_, kept)| **kept) {
            if named.since > VhloVersion::OLDEST {
                needs.push((named.since, format!("the value of `{}`", named.name)));
            }
        }
        for row in &rules.constraints {
            let value = row.attribute.as_ref().and_then(|name| out.find(name)).map(|found| found.value);
            let is_there = match row.kind {
                ConstraintKind::ElementTypes => fact.has_other_elements,
                ConstraintKind::OperandType => fact.has_operand_of_class,
                ConstraintKind::Class => {
                    let class = value.and_then(|of| class_of(builder, of));
                    class.is_some() && class.as_deref() == row.class.as_deref()
                }
                ConstraintKind::Number => {
                    row.number.is_some() && value.and_then(|of| number_of(builder, of)) == row.number
                }
            };
            if is_there {
                needs.push((row.since, row.what.to_string()));
            }
        }
        if fact.types_since > VhloVersion::OLDEST {
            needs.push((fact.types_since, "a type of its operands or results".to_owned()));
        }
        // The version for the target.
        out.number = rules.newest();
        for row in rules.versions.iter().rev() {
            if target >= row.since || row.number <= lowest && lowest > 1 {
                break;
            }
            out.number = row.number - 1;
            out.list.retain(|named| !row.adds.contains_key(&named.name));
            if let Some(dropped) = &row.drops {
                let rows = u64::from(fact.rank.unwrap_or_default()).saturating_sub(dropped.rank_less);
                let shape = [rows as i64, dropped.columns as i64];
                let value = self.splat(builder, dropped.value, &shape)?;
                out.push(&dropped.name, value, VhloVersion::OLDEST);
            }
        }
        out.needs = needs;
        Ok(())
    }

    /// Why the version before cannot hold an operation.
    fn obstacle(
        &mut self,
        builder: &mut Builder,
        row: &VersionRow,
        fact: &Fact,
        out: &Attributes,
    ) -> Result<Option<String>> {
        for (name, value) in &row.adds {
            let Some(found) = out.find(name) else { continue };
            let default = self.constant(builder, &value.0)?;
            if !self.is_default(builder, default, found.value)? {
                return Ok(Some(format!("this value of `{name}`")));
            }
        }
        if row.most_operands.is_some_and(|most| fact.operands != most) {
            return Ok(Some(format!("{} operands", fact.operands)));
        }
        if row.most_regions.is_some_and(|most| fact.regions > most) {
            return Ok(Some("regions".to_owned()));
        }
        if row.drops.is_some() && fact.rank.is_none() {
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

    /// Adds the fields of an attribute as attributes; whether it has its class.
    fn explode(
        &mut self,
        builder: &mut Builder,
        row: &Parts,
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
            let place = layout.index(field);
            let found = place.map_or(Field::List(0), |place| node.field(place));
            let (value, since) = match (&spec.primitive, found) {
                (Primitive::List(_), Field::List(count)) => {
                    let items = place.map_or(&[][..], |place| node.items(place));
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
        let made = self.constants.tensor(builder, r#type, shape, bytes)?;
        made.ok_or_else(|| Error::message(ErrorKind::Value, "a tensor of integers cannot be made"))
    }

    // ---- from VHLO ----

    /// The attributes of an operation of VHLO, of the version with this number, in StableHLO.
    ///
    /// # Errors
    /// As [`Self::in_vhlo`].
    pub(super) fn in_stablehlo(
        &mut self,
        builder: &mut Builder,
        rules: &OpRules,
        number: u32,
        given: Vec<(Box<str>, EntryRef)>,
    ) -> Result<Attributes> {
        let mut given = given;
        for row in rules.versions.iter().filter(|row| row.number > number) {
            for (name, value) in &row.adds {
                if !given.iter().any(|(known, _)| known == name) {
                    given.push((name.clone(), self.constant(builder, &value.0)?));
                }
            }
            if let Some(dropped) = &row.drops {
                given.retain(|(name, _)| *name != dropped.name);
            }
        }
        let mut gone: Vec<Box<str>> = Vec::new();
        for row in &rules.defaults {
            for name in &row.names {
                if self.is_redundant(builder, (rules, row), name, &given)? {
                    gone.push(name.clone());
                }
            }
        }
        given.retain(|(name, _)| !gone.contains(name));
        let mut out = Attributes::default();
        for row in &rules.parts {
            let has_some = row.fields.values().any(|name| given.iter().any(|(known, _)| known == name));
            let is_single = row.fields.len() == 1;
            if !has_some && (row.is_optional || is_single) {
                continue;
            }
            match self.implode(builder, row, &given)? {
                Some(value) => out.push(&row.attribute, value, VhloVersion::OLDEST),
                None => out.lost.push(row.attribute.to_string()),
            }
            given.retain(|(name, _)| !row.fields.values().any(|known| known == name));
        }
        for (name, value) in given {
            match self.value_in_stablehlo(builder, rules, &name, value)? {
                Some(Some(value)) => out.push(&name, value, VhloVersion::OLDEST),
                Some(None) => {}
                None => out.lost.push(shown(builder, &name, value)),
            }
        }
        out.number = rules.newest();
        Ok(out)
    }

    /// The value; absent if StableHLO has no attribute for it; `None` if there is no such value.
    #[allow(clippy::option_option)] // absent and impossible are different answers
    fn value_in_stablehlo(
        &mut self,
        builder: &mut Builder,
        rules: &OpRules,
        name: &str,
        value: EntryRef,
    ) -> Result<Option<Option<EntryRef>>> {
        let plain = |converted| match converted {
            Converted::To(to, _) => Some(Some(to)),
            Converted::Nothing => None,
        };
        Ok(match rules.value_kind(name) {
            Some((ValueKind::Unit, _)) => match self.truth(builder, value)? {
                Some(true) => {
                    let unit = crate::attr::build::builtin::unit()?;
                    Some(Some(builder.import(&unit.0.home, unit.0.of)?))
                }
                Some(false) => Some(None),
                None => None,
            },
            Some((ValueKind::Symbol, _)) => match string_of(builder.entries(), value) {
                Some(text) => Some(Some(symbol(builder, &text)?)),
                None => None,
            },
            Some((ValueKind::Symbols, _)) => {
                let mut symbols = Vec::new();
                for item in items_of(builder.entries(), value)? {
                    let Some(text) = string_of(builder.entries(), EntryRef::Attribute(item)) else {
                        return Ok(None);
                    };
                    symbols.push(symbol(builder, &text)?.index());
                }
                Some(Some(self.entries.array_of(builder, &symbols)?))
            }
            Some((ValueKind::Array, _)) => self.dense_array(builder, value)?.map(Some),
            Some((ValueKind::Enum, _)) | None => plain(self.entries.convert(builder, value)?),
        })
    }

    /// Whether an attribute is left out in StableHLO.
    fn is_redundant(
        &mut self,
        builder: &mut Builder,
        (rules, row): (&OpRules, &Default),
        name: &str,
        given: &[(Box<str>, EntryRef)],
    ) -> Result<bool> {
        let value_of = |name: &str| given.iter().find(|(known, _)| **known == *name).map(|(_, value)| *value);
        let Some(value) = value_of(name) else { return Ok(false) };
        let Some(constant) = row.constant()? else {
            return self.is_splat_of(builder, row.element(), value);
        };
        let default = self.default_of(builder, (rules, name), &constant)?;
        let mut is_default = self.is_default(builder, default, value)?;
        if let Some(other) = &row.or {
            let other = self.constant(builder, &other.0)?;
            is_default |= self.is_default(builder, other, value)?;
        }
        if let Some(with) = row.with.as_ref().and_then(|with| value_of(with)) {
            is_default &= self.is_default(builder, default, with)?;
        }
        Ok(is_default)
    }

    /// Whether a value is a default, both of VHLO.
    fn is_default(&mut self, builder: &mut Builder, default: EntryRef, value: EntryRef) -> Result<bool> {
        if default == value {
            return Ok(true);
        }
        let class = class_of(builder, default);
        if class.is_none() || class != class_of(builder, value) {
            return Ok(false);
        }
        let Some(form) = form_in(builder, default) else { return Ok(false) };
        let is_list = form.0;
        if is_list {
            let items = items_of(builder.entries(), default)?;
            let given = items_of(builder.entries(), value)?;
            return Ok(given.iter().all(|item| items.first() == Some(item)));
        }
        if form.1 == Named::DenseElements {
            // The default has no elements.
            return Ok(self.elements(builder, value)?.is_some_and(|bytes| bytes.is_empty()));
        }
        if form.1 == Named::Integer {
            return Ok(number_of(builder, default).map(signed(builder, default))
                == number_of(builder, value).map(signed(builder, value)));
        }
        Ok(false)
    }

    fn truth(&mut self, builder: &mut Builder, value: EntryRef) -> Result<Option<bool>> {
        let yes = self.boolean(builder, true)?;
        let no = self.boolean(builder, false)?;
        Ok(if value == yes {
            Some(true)
        } else if value == no {
            Some(false)
        } else {
            None
        })
    }

    /// The bytes of the elements of a tensor of VHLO.
    fn elements(&mut self, builder: &mut Builder, value: EntryRef) -> Result<Option<Bytes>> {
        let mut node = Node::default();
        let entries = builder.entries();
        let Some((entry, blob)) = entries.short(value) else { return Ok(None) };
        let Some((form, _)) = entry.decode(value, entries, &mut node)? else { return Ok(None) };
        if form.print != Named::DenseElements {
            return Ok(None);
        }
        Ok(Some(match blob {
            Some(blob) => blob.clone(),
            None => entries.short_payload(value).slice(node.blob_range(node.field(1))),
        }))
    }

    /// A tensor of VHLO or a dense attribute as a builtin one.
    fn dense(&mut self, builder: &mut Builder, value: EntryRef) -> Result<Option<EntryRef>> {
        if self.entries.direction == super::entries::Direction::FromVhlo {
            let Converted::To(to, _) = self.entries.convert(builder, value)? else { return Ok(None) };
            let is_dense = kind_of(builder, to) == BuiltinKind::DenseIntOrFPElementsAttr;
            return Ok(Some(to).filter(|_| is_dense));
        }
        Ok(None)
    }

    fn is_splat_of(&mut self, builder: &mut Builder, number: Number, value: EntryRef) -> Result<bool> {
        let Some(dense) = self.dense(builder, value)? else { return Ok(false) };
        let Some(elements) = self.elements(builder, dense)? else { return Ok(false) };
        let entries = builder.entries();
        let mut node = Node::default();
        let Some((entry, _)) = entries.short(dense) else { return Ok(false) };
        entry.decode(dense, entries, &mut node)?;
        let Some(found) = node.r#type(0).and_then(|index| Dense::new(entries, index, &elements)) else {
            return Ok(false);
        };
        Ok(found.is_splat
            && match number {
                Number::Bool(value) => found.element.is_bool() && found.bit(0) == value,
                Number::Integer(number) => {
                    let bytes = found.bytes(0);
                    let wanted = number.to_le_bytes();
                    !found.element.is_bool() && wanted.get(..bytes.len()) == Some(bytes)
                }
            })
    }

    /// The integers of a tensor of VHLO; `None` for anything else.
    fn integers(&mut self, builder: &mut Builder, value: EntryRef) -> Result<Option<Vec<i64>>> {
        let Some(elements) = self.elements(builder, value)? else { return Ok(None) };
        let entries = builder.entries();
        let mut node = Node::default();
        let Some((entry, _)) = entries.short(value) else { return Ok(None) };
        entry.decode(value, entries, &mut node)?;
        let Some(found) = node.r#type(0).and_then(|index| Dense::new(entries, index, &elements)) else {
            return Ok(None);
        };
        // One element may stand for more than there are bytes.
        self.entries.charge(found.count.saturating_mul(8))?;
        Ok(Some((0..found.count).map(|at| wide(&found, at)).collect()))
    }

    /// A tensor of VHLO as a dense array.
    fn dense_array(&mut self, builder: &mut Builder, value: EntryRef) -> Result<Option<EntryRef>> {
        let Some(dense) = self.dense(builder, value)? else { return Ok(None) };
        let Some(numbers) = self.integers_of_dense(builder, dense)? else { return Ok(None) };
        let (element, is_bool, numbers) = numbers;
        let width = if is_bool { 1 } else { 8 };
        let bytes: Vec<u8> =
            numbers.iter().flat_map(|number| number.to_le_bytes()[..width].to_vec()).collect();
        let (id, table) = dialect(builder, "builtin")?;
        let mut node = Node::default();
        node.begin_field();
        node.push(Field::Type(element, 0));
        node.begin_field();
        node.push(Field::Unsigned(numbers.len() as u64));
        node.begin_field();
        node.push_blob(0..bytes.len());
        let form = form_of(&table, false, "DenseArrayAttr")?;
        make(builder, (false, id), form, &node, &bytes.into()).map(Some)
    }

    /// The type of the elements, whether they are booleans, and the elements.
    fn integers_of_dense(
        &mut self,
        builder: &mut Builder,
        dense: EntryRef,
    ) -> Result<Option<(u32, bool, Vec<i64>)>> {
        let Some(elements) = self.elements(builder, dense)? else { return Ok(None) };
        let entries = builder.entries();
        let mut node = Node::default();
        let Some((entry, _)) = entries.short(dense) else { return Ok(None) };
        entry.decode(dense, entries, &mut node)?;
        let Some(r#type) = node.r#type(0) else { return Ok(None) };
        let Some(found) = Dense::new(entries, r#type, &elements) else { return Ok(None) };
        let Some(element) = crate::attr::text::dense::element_type(entries, r#type) else { return Ok(None) };
        let is_bool = found.element.is_bool();
        if !is_bool && found.element.bits() != 64 {
            return Ok(None);
        }
        self.entries.charge(found.count.saturating_mul(8))?;
        let number = |at| if is_bool { found.bit(at).into() } else { wide(&found, at) };
        Ok(Some((element, is_bool, (0..found.count).map(number).collect())))
    }

    /// The attribute whose fields these attributes are; `None` if one is missing or of another class.
    fn implode(
        &mut self,
        builder: &mut Builder,
        row: &Parts,
        given: &[(Box<str>, EntryRef)],
    ) -> Result<Option<EntryRef>> {
        let (id, table) = dialect(builder, "stablehlo")?;
        let form = form_of(&table, false, &row.class)?;
        let Some(layout) = form.layouts.first() else { return Ok(None) };
        let mut node = Node::default();
        for spec in &layout.fields {
            node.begin_field();
            if row.lost.contains(&spec.name) {
                node.push(Field::Signed(0));
                continue;
            }
            let name = row.fields.get(&spec.name);
            let value = name.and_then(|name| given.iter().find(|(known, _)| known == name));
            let Some(&(_, value)) = value else { return Ok(None) };
            match &spec.primitive {
                Primitive::List(_) => {
                    let Some(numbers) = self.integers(builder, value)? else { return Ok(None) };
                    let at = node.begin_list();
                    numbers.iter().for_each(|&number| node.push(Field::Signed(number)));
                    node.end_list(at, numbers.len() as u32);
                }
                Primitive::Type => {
                    let Converted::To(to, _) = self.entries.convert(builder, value)? else { return Ok(None) };
                    let Some(r#type) = type_in(builder, to)? else { return Ok(None) };
                    node.push(Field::Type(r#type, 0));
                }
                Primitive::Bool => {
                    let Some(value) = self.truth(builder, value)? else { return Ok(None) };
                    node.push(Field::Bool(value));
                }
                _ => {
                    let is_integer = form_in(builder, value).is_some_and(|form| form.1 == Named::Integer);
                    let number = number_of(builder, value).filter(|_| is_integer);
                    let Some(number) = number.map(signed(builder, value)) else { return Ok(None) };
                    node.push(Field::Signed(number));
                }
            }
        }
        make(builder, (false, id), form, &node, &Bytes::new()).map(Some)
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

/// An integer of at most 64 bits, with its sign.
fn wide(dense: &Dense<'_>, at: u64) -> i64 {
    let bytes = dense.bytes(at);
    let mut wide = [0; 8];
    let is_negative = bytes.last().is_some_and(|byte| byte & 0x80 != 0);
    wide.fill(if is_negative { 0xff } else { 0 });
    for (to, from) in wide.iter_mut().zip(bytes) {
        *to = *from;
    }
    i64::from_le_bytes(wide)
}

/// A function that extends the sign of the value of an integer attribute.
fn signed(builder: &Builder, of: EntryRef) -> impl Fn(u64) -> i64 + use<> {
    let entries = builder.entries();
    let mut node = Node::default();
    let decoded =
        entries.short(of).and_then(|(entry, _)| entry.decode(of, entries, &mut node).ok().flatten());
    let bits = decoded.and(node.r#type(0));
    let bits =
        bits.and_then(|index| crate::dialect::entries::bits_of(entries, index)).unwrap_or(64).clamp(1, 64);
    move |number| ((number << (64 - bits)) as i64) >> (64 - bits)
}

/// The last field of an attribute, if it is a number of at most 64 bits.
pub(super) fn number_of(builder: &Builder, of: EntryRef) -> Option<u64> {
    let entries = builder.entries();
    let mut node = Node::default();
    let (entry, _) = entries.short(of)?;
    entry.decode(of, entries, &mut node).ok()??;
    match node.field(node.len().checked_sub(1)?) {
        Field::Unsigned(number) | Field::Bits(number) => Some(number),
        _ => None,
    }
}

fn kind_of(builder: &Builder, of: EntryRef) -> BuiltinKind {
    let form = builder.entries().short(of).and_then(|(entry, _)| entry.form(of).ok().flatten());
    form.map_or(BuiltinKind::Other, |form| form.builtin)
}

/// The class of an entry of VHLO.
pub(super) fn class_of(builder: &Builder, of: EntryRef) -> Option<Box<str>> {
    let (entry, _) = builder.entries().short(of)?;
    if entry.dialect != b"vhlo" {
        return None;
    }
    Some(entry.form(of).ok()??.name.clone())
}

/// Whether an entry is a list of attributes, and its printer.
fn form_in(builder: &Builder, of: EntryRef) -> Option<(bool, Named)> {
    let (entry, _) = builder.entries().short(of)?;
    let form: &Encoding = entry.form(of).ok()??;
    let fields = &form.layouts.first()?.fields;
    let is_list = matches!(&fields[..], [field] if matches!(&field.primitive, Primitive::List(items) if items.len() == 1));
    Some((is_list, form.print))
}

/// The type in a type attribute of the builtin dialect.
fn type_in(builder: &Builder, of: EntryRef) -> Result<Option<u32>> {
    if kind_of(builder, of) != BuiltinKind::TypeAttr {
        return Ok(None);
    }
    let entries = builder.entries();
    let mut node = Node::default();
    let Some((entry, _)) = entries.short(of) else { return Ok(None) };
    entry.decode(of, entries, &mut node)?;
    Ok(node.r#type(0))
}

fn type_attribute(builder: &mut Builder, name: &str, class: &str, of: EntryRef) -> Result<EntryRef> {
    let (id, table) = dialect(builder, name)?;
    let mut node = Node::default();
    node.begin_field();
    node.push(Field::Type(of.index(), 0));
    make(builder, (false, id), form_of(&table, false, class)?, &node, &Bytes::new())
}

/// A 32-bit integer as an enumeration of VHLO.
fn enumerated(builder: &mut Builder, class: &str, value: EntryRef) -> Result<Converted> {
    let is_integer = kind_of(builder, value) == BuiltinKind::IntegerAttr;
    let Some(number) = number_of(builder, value).filter(|_| is_integer) else {
        return Ok(Converted::Nothing);
    };
    let (id, table) = dialect(builder, "vhlo")?;
    let form = form_of(&table, false, class)?;
    let mut node = Node::default();
    node.begin_field();
    node.push(Field::Unsigned(number));
    let to = make(builder, (false, id), form, &node, &Bytes::new())?;
    Ok(Converted::To(to, VhloVersion::OLDEST))
}

/// The name and the beginning of the text of an attribute, for a report.
fn shown(builder: &Builder, name: &str, of: EntryRef) -> String {
    let text = super::report::text_of(builder.entries(), of);
    format!("{name} = {text}")
}

#[cold]
fn bad_constant(value: &Attribute) -> Error {
    Error::message(ErrorKind::DialectTable, format!("`{value}` of a row has no form in VHLO"))
}
