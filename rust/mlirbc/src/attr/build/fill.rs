//! Converts values to the fields of a new entry. Each value is checked against the primitive that encodes it.

use crate::attr::table::Builder;
use crate::attr::text::dense;
use crate::attr::text::dense::Element;
use crate::attr::{FieldValue, Handle, brief, describe, inner_of, items_of, misfit};
use crate::dialect::entries::{Entries, EntryRef, bits_of};
use crate::dialect::node::{Field, Node};
use crate::dialect::primitive::case_of;
use crate::dialect::table::{Case, Primitive};
use crate::format::id::TypeId;
use crate::wire::bytes::Bytes;
use crate::wire::error::Result;

pub(in crate::attr) fn describe_value(value: &FieldValue) -> String {
    match value {
        FieldValue::Absent => "nothing".to_owned(),
        FieldValue::Unsigned(number) => format!("the number `{number}`"),
        FieldValue::Signed(number) => format!("the signed number `{number}`"),
        FieldValue::Bool(value) => format!("`{value}`"),
        FieldValue::String(_) => "a string".to_owned(),
        FieldValue::Resource(_) => "a resource".to_owned(),
        FieldValue::Attribute(value) => format!("the attribute `{}`", brief(&value.0)),
        FieldValue::Type(value) => format!("the type `{}`", brief(&value.0)),
        FieldValue::Integer { width, .. } => format!("an integer of {width} bits"),
        FieldValue::Blob(bytes) => format!("{} bytes", bytes.len()),
        FieldValue::List(items) => format!("a list of {}", items.len()),
    }
}

/// Converts field values to a node.
pub(super) struct Filler<'b> {
    pub(super) builder: &'b mut Builder,
    pub(super) node: Node,
    /// The bytes of the node's blobs; a single blob is not copied.
    pub(super) data: Bytes,
}

impl Filler<'_> {
    pub(super) fn field(&mut self, primitive: &Primitive, value: &FieldValue) -> Result<()> {
        let expected = match (primitive, value) {
            (Primitive::If(flag, inner), value) => {
                if self.node.number(*flag) != 0 {
                    return self.field(inner, value);
                }
                if *value != FieldValue::Absent {
                    return Err(misfit(
                        "no value, because the preceding flag is not set",
                        describe_value(value),
                    ));
                }
                return self.push(Field::Absent);
            }
            (
                Primitive::OptionalVarint | Primitive::OptionalAttribute(_) | Primitive::OptionalType,
                FieldValue::Absent,
            ) => {
                return self.push(Field::Absent);
            }
            (Primitive::Varint | Primitive::OptionalVarint, FieldValue::Unsigned(number)) => {
                let fits = matches!(primitive, Primitive::Varint) || *number < 1 << 63;
                if fits {
                    return self.push(Field::Unsigned(*number));
                }
                "a number below 2^63"
            }
            (Primitive::Byte, FieldValue::Unsigned(number @ 0..=255)) => {
                return self.push(Field::Unsigned(*number));
            }
            (Primitive::Signed, FieldValue::Signed(number)) => return self.push(Field::Signed(*number)),
            (Primitive::Bool, FieldValue::Bool(value)) => return self.push(Field::Bool(*value)),
            (Primitive::String, FieldValue::String(bytes)) => {
                let index = self.builder.string(bytes);
                return self.push(Field::String(index));
            }
            (Primitive::Resource, FieldValue::Resource(key)) => {
                let index = self.builder.key(key);
                return self.push(Field::Resource(index));
            }
            (
                Primitive::Blob
                | Primitive::Opaque
                | Primitive::Rest
                | Primitive::AffineMap
                | Primitive::IntegerSet,
                FieldValue::Blob(bytes),
            ) => {
                self.blob(bytes);
                return Ok(());
            }
            (
                Primitive::Attribute(class) | Primitive::OptionalAttribute(class),
                FieldValue::Attribute(part),
            ) => {
                return self.attribute(class.as_deref(), &part.0);
            }
            (Primitive::Type | Primitive::OptionalType, FieldValue::Type(part)) => {
                let EntryRef::Type(index) = self.builder.import(&part.0.home, part.0.of)? else {
                    return Err(misfit("a type", "an attribute"));
                };
                return self.push(Field::Type(index, 0));
            }
            (
                Primitive::List(_) | Primitive::OptionalList(_) | Primitive::Splat(_),
                FieldValue::List(values),
            ) => {
                return self.list(primitive, values);
            }
            (Primitive::OptionalList(_), FieldValue::Absent) => return self.push(Field::List(0)),
            (Primitive::VarintWithFlag, FieldValue::List(parts)) => {
                if let [FieldValue::Unsigned(number), FieldValue::Bool(flag)] = &**parts
                    && *number < 1 << 63
                {
                    let at = self.node.begin_list();
                    self.node.push(Field::Unsigned(*number));
                    self.node.push(Field::Bool(*flag));
                    self.node.end_list(at, 2);
                    return Ok(());
                }
                "a number below 2^63 and a flag"
            }
            (Primitive::Sparse(count), FieldValue::List(sizes)) if sizes.len() == *count as usize => {
                return self.sparse(sizes);
            }
            (Primitive::Switch(cases), FieldValue::List(parts)) => return self.switch(cases, parts),
            (Primitive::Bits(number), value) => {
                let index = self.node.r#type(*number);
                return self.bits(index, value);
            }
            (Primitive::Float(bits), FieldValue::Integer { words, width }) => {
                return self.integer(*bits, words, *width);
            }
            (primitive, _) => expected_value(primitive),
        };
        Err(misfit(expected, describe_value(value)))
    }

    fn push(&mut self, field: Field) -> Result<()> {
        self.node.push(field);
        Ok(())
    }

    fn blob(&mut self, bytes: &Bytes) {
        if self.data.is_empty() {
            self.data = bytes.clone();
            return self.node.push_blob(0..bytes.len());
        }
        let start = self.data.len();
        self.data = [&*self.data, bytes].concat().into();
        self.node.push_blob(start..self.data.len());
    }

    fn attribute(&mut self, class: Option<&str>, handle: &Handle) -> Result<()> {
        let entry_ref = self.builder.import(&handle.home, handle.of)?;
        let EntryRef::Attribute(index) = entry_ref else { return Err(misfit("an attribute", "a type")) };
        if let (Some(class), Some(entry)) = (class, self.builder.entries().entry(entry_ref)) {
            let fits = match entry.form(entry_ref)? {
                Some(form) => form.classes.iter().any(|known| **known == *class),
                // The class of a dialect's text is unknown; builtin text never has a class that is required
                // here.
                None => entry.dialect != b"builtin",
            };
            if !fits {
                return Err(misfit(format!("an attribute of class {class}"), describe(&entry, entry_ref)));
            }
        }
        self.push(Field::Attribute(index, 0))
    }

    fn list(&mut self, primitive: &Primitive, values: &[FieldValue]) -> Result<()> {
        let items = items_of(primitive);
        let at = self.node.begin_list();
        for value in values {
            match (items, value) {
                ([only], value) => self.field(only, value)?,
                (parts, FieldValue::List(values)) if values.len() == parts.len() => {
                    for (part, value) in parts.iter().zip(values) {
                        self.field(part, value)?;
                    }
                }
                (parts, other) => {
                    return Err(misfit(format!("a list of {}", parts.len()), describe_value(other)));
                }
            }
        }
        let Ok(count) = u32::try_from(values.len()) else {
            return Err(misfit("a list of fewer than 2^32 items", values.len().to_string()));
        };
        self.node.end_list(at, count);
        Ok(())
    }

    fn sparse(&mut self, sizes: &[FieldValue]) -> Result<()> {
        let at = self.node.begin_list();
        for size in sizes {
            match size {
                FieldValue::Unsigned(size @ 0..=0x7fff_ffff) => self.node.push(Field::Unsigned(*size)),
                other => return Err(misfit("a number of 31 bits", describe_value(other))),
            }
        }
        self.node.end_list(at, sizes.len() as u32);
        Ok(())
    }

    fn switch(&mut self, cases: &[Case], parts: &[FieldValue]) -> Result<()> {
        let [FieldValue::Unsigned(kind), rest @ ..] = parts else {
            return Err(misfit(
                "the number of the case first",
                parts.first().map_or("nothing".into(), describe_value),
            ));
        };
        let Some(case) = case_of(cases, *kind) else {
            return Err(misfit("a case of the switch", format!("`{kind}`")));
        };
        if case.items.len() != rest.len() {
            let expected = format!("{} values after case {kind}", case.items.len());
            return Err(misfit(expected, rest.len().to_string()));
        }
        let at = self.node.begin_list();
        self.node.push(Field::Unsigned(*kind));
        for (item, value) in case.items.iter().zip(rest) {
            self.field(item, value)?;
        }
        self.node.end_list(at, parts.len() as u32);
        Ok(())
    }

    fn bits(&mut self, r#type: Option<TypeId>, value: &FieldValue) -> Result<()> {
        let entries = self.builder.entries();
        let width = r#type.and_then(|index| bits_of(entries, index));
        let is_float = || {
            r#type
                .and_then(|index| dense::element(entries, index))
                .is_some_and(|el| matches!(el, Element::Float(_)))
        };
        match (width, value) {
            (Some(bits), FieldValue::Integer { words, width }) => self.integer(bits, words, *width),
            (Some(bits), FieldValue::Unsigned(number)) if !is_float() => {
                if bits < 64 && number >> bits != 0 {
                    return Err(misfit(format!("an integer of {bits} bits"), format!("`{number}`")));
                }
                self.words(bits, vec![*number]);
                Ok(())
            }
            (Some(bits), FieldValue::Signed(number)) if !is_float() => {
                let unused = 64_u64.saturating_sub(bits.max(1));
                let fits = if bits == 0 { *number == 0 } else { number << unused >> unused == *number };
                if !fits {
                    return Err(misfit(format!("an integer of {bits} bits"), format!("`{number}`")));
                }
                let sign = if *number < 0 { u64::MAX } else { 0 };
                let words = std::iter::once(*number as u64).chain(std::iter::repeat(sign));
                self.words(bits, words.take(bits.div_ceil(64) as usize).collect());
                Ok(())
            }
            (Some(bits), value) => {
                Err(misfit(format!("an integer or float of {bits} bits"), describe_value(value)))
            }
            (None, FieldValue::Blob(bytes)) => {
                self.blob(bytes);
                Ok(())
            }
            (None, value) => Err(misfit("a type with numeric values", describe_value(value))),
        }
    }

    fn integer(&mut self, bits: u64, words: &[u64], width: u32) -> Result<()> {
        let len = bits.div_ceil(64) as usize;
        let fits =
            words.iter().enumerate().all(|(place, &word)| match bits.saturating_sub(64 * place as u64) {
                0 => word == 0,
                unused_bits @ 1..64 => word >> unused_bits == 0,
                _ => true,
            });
        if u64::from(width) != bits || !fits {
            let actual = match fits {
                true => format!("one of {width} bits"),
                false => "one that needs more bits".to_owned(),
            };
            return Err(misfit(format!("an integer or float of {bits} bits"), actual));
        }
        self.words(bits, words.iter().copied().chain(std::iter::repeat(0)).take(len).collect());
        Ok(())
    }

    fn words(&mut self, bits: u64, mut words: Vec<u64>) {
        if let (Some(last), unused @ 1..) = (words.last_mut(), bits % 64) {
            *last &= (1 << unused) - 1;
        }
        if bits <= 64 {
            self.node.push(Field::Bits(words.first().copied().unwrap_or_default()));
        } else {
            self.node.push_words(words);
        }
    }
}

fn expected_value(primitive: &Primitive) -> &'static str {
    match inner_of(primitive) {
        Primitive::Varint | Primitive::OptionalVarint => "a number",
        Primitive::Signed => "a signed number",
        Primitive::Byte => "a number below 256",
        Primitive::Bool => "a truth value",
        Primitive::String => "a string",
        Primitive::Resource => "the key of a resource",
        Primitive::Blob
        | Primitive::Opaque
        | Primitive::Rest
        | Primitive::AffineMap
        | Primitive::IntegerSet => "bytes",
        Primitive::Attribute(_) | Primitive::OptionalAttribute(_) => "an attribute",
        Primitive::Type | Primitive::OptionalType => "a type",
        Primitive::VarintWithFlag => "a number and a flag",
        Primitive::Switch(_) => "a kind number and what follows it",
        Primitive::Sparse(_) | Primitive::List(_) | Primitive::OptionalList(_) | Primitive::Splat(_) => {
            "a list"
        }
        Primitive::Bits(_) | Primitive::Float(_) => "an integer or the bits of a float",
        Primitive::If(..) => "a value",
    }
}
