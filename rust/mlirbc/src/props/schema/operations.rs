//! The layout of one operation.

use super::json::{RawOp, Text, order5};
use super::{Kind, OpSchema, PropertyField};
use crate::props::class::DialectClasses;
use crate::wire::version::BytecodeVersion;

/// The prefix of the names of VHLO's operations.
const VHLO: &str = "vhlo.";

impl OpSchema {
    /// Returns whether every build has this layout: operations of VHLO do not change within their version,
    /// and `builtin.module` has had its two attributes since properties exist.
    pub(crate) fn never_changes(&self) -> bool {
        self.name.starts_with(VHLO) || *self.name == *"builtin.module"
    }

    pub(super) fn load(name: &str, raw: &RawOp<'_>, classes: &DialectClasses) -> Self {
        let fields = raw.properties.iter().map(|field| PropertyField::load(&field.0, classes)).collect();
        let boxed = |texts: &[Text<'_>]| texts.iter().map(|text| (*text.0).into()).collect();
        Self {
            name: name.into(),
            fields,
            order5: order5(&raw.properties).unwrap_or_default(),
            operands: boxed(&raw.operands),
            results: boxed(&raw.results),
            is_custom: raw.custom,
        }
    }

    /// The full name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The inherent attributes in the order of version 6.
    pub fn fields(&self) -> impl ExactSizeIterator<Item = &PropertyField> {
        self.fields.iter()
    }

    /// The inherent attribute with this name; segment sizes have an older name too.
    pub fn field(&self, name: &str) -> Option<&PropertyField> {
        self.field_number(name.as_bytes()).and_then(|number| self.fields.get(number))
    }

    #[inline]
    pub(crate) fn field_number(&self, name: &[u8]) -> Option<usize> {
        self.fields.iter().position(|field| field.has_name(name))
    }

    /// Whether the op has operand or result segment sizes, even if the file stores none for an operation.
    pub fn has_segment_sizes(&self) -> bool {
        self.fields.iter().any(|field| matches!(field.kind, Kind::Segments { .. }))
    }

    /// The operand groups, with `*` after variadic ones and `?` after optional ones; empty if the op has no
    /// operand segment sizes.
    pub fn operands(&self) -> impl ExactSizeIterator<Item = &str> {
        self.operands.iter().map(|text| &**text)
    }

    /// The result groups; empty if the op has no result segment sizes.
    pub fn results(&self) -> impl ExactSizeIterator<Item = &str> {
        self.results.iter().map(|text| &**text)
    }

    /// Whether the layout of the op's blob is unknown.
    pub fn is_opaque(&self) -> bool {
        self.is_custom
    }

    /// Returns whether the same bytes mean the same properties. Classes that only one of the two ops accepts
    /// are ignored.
    pub(crate) fn reads_like(&self, other: &Self) -> bool {
        self.is_alike(other, Kind::reads_like)
    }

    /// Returns whether each blob that fits both layouts has the same names, values and counts in both.
    pub(crate) fn agrees_with(&self, other: &Self) -> bool {
        self.is_alike(other, Kind::agrees_with)
    }

    /// [`Self::agrees_with`] for layouts that may differ in the numbers of groups.
    pub(crate) fn has_fields_of(&self, other: &Self) -> bool {
        self.is_alike(other, |left, right| {
            matches!((left, right), (Kind::Segments { .. }, Kind::Segments { .. })) || left.agrees_with(right)
        })
    }

    pub(super) fn is_alike(&self, other: &Self, is_alike: impl Fn(&Kind, &Kind) -> bool) -> bool {
        let mut pairs = self.fields.iter().zip(&other.fields);
        self.fields.len() == other.fields.len()
            && self.order5 == other.order5
            && pairs.all(|(left, right)| left.name == right.name && is_alike(&left.kind, &right.kind))
    }

    /// Returns the fields that all these layouts share, which cannot read a blob; `None` if the layouts are
    /// the same.
    pub(crate) fn agreed_with(&self, others: &[&Self]) -> Option<Self> {
        let has_defaults_of = |other: &Self| {
            let pairs = self.fields.iter().zip(&other.fields);
            pairs.into_iter().all(|(field, other)| field.default == other.default)
        };
        if others.iter().all(|other| self.reads_like(other) && has_defaults_of(other)) {
            return None;
        }
        let agreed = |field: &PropertyField| {
            let mut field = field.clone();
            for other in others {
                let counterpart = other.field(&field.name)?;
                if counterpart.is_in_dictionary != field.is_in_dictionary {
                    return None;
                }
                field.default = field.default.filter(|default| counterpart.default.as_ref() == Some(default));
                if matches!(field.kind, Kind::Segments { .. }) && !field.kind.reads_like(&counterpart.kind) {
                    field.kind = Kind::any_attribute();
                }
            }
            Some(field)
        };
        Some(Self {
            name: self.name.clone(),
            fields: self.fields.iter().filter_map(agreed).collect(),
            order5: Vec::new(),
            operands: self.operands.clone(),
            results: self.results.clone(),
            is_custom: true,
        })
    }

    /// Returns the fields that a dictionary can have, which cannot read a blob.
    pub(crate) fn in_dictionary(&self) -> Self {
        let attribute = |field: &PropertyField| {
            let mut field = field.clone();
            // A dictionary need not have segment sizes.
            if matches!(field.kind, Kind::Segments { .. }) {
                field.kind = Kind::any_attribute();
            }
            field
        };
        Self {
            name: self.name.clone(),
            fields: self.fields.iter().filter(|field| field.is_in_dictionary).map(attribute).collect(),
            order5: Vec::new(),
            operands: self.operands.clone(),
            results: self.results.clone(),
            is_custom: true,
        }
    }

    /// The approximate size of the fields in bytes.
    pub(crate) fn memory(&self) -> usize {
        self.fields.iter().map(|field| size_of::<PropertyField>() + field.name.len()).sum()
    }

    /// The fields in wire order.
    #[inline]
    pub(crate) fn wire(&self, version: BytecodeVersion) -> impl Iterator<Item = &PropertyField> {
        let order =
            (!version.has_native_segment_sizes() && !self.order5.is_empty()).then_some(&self.order5[..]);
        (0..self.fields.len()).filter_map(move |place| match order {
            Some(order) => self.fields.get(usize::from(*order.get(place)?)),
            None => self.fields.get(place),
        })
    }
}
