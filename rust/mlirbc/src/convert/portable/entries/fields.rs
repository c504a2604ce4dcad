//! Makes the fields of a converted entry from the fields of the source entry.

use crate::attr::table::{Builder, OwnedEntries};
use crate::attr::text::dense::Dense;
use crate::dialect::entries::{Entries, EntryRef};
use crate::dialect::node::{Field, Node};
use crate::dialect::table::{BuiltinKind, Named, Primitive};
use crate::format::id::{AttrId, TypeId};
use crate::wire::bytes::Bytes;
use crate::wire::error::Result;

use super::class_conversions::Source;
use super::values::{identity_map, items_of, string_of};
use super::{ANY, Converted, Direction, EntryConverter, version_of};
use crate::convert::rules::VhloVersion;

impl EntryConverter {
    pub(super) fn build(
        &mut self,
        builder: &mut Builder,
        place: usize,
        (node, data, blob): (&Node, Bytes, Option<Bytes>),
        own_since: VhloVersion,
    ) -> Result<Converted> {
        let (dialect, table) = (self.list[place].dialect, self.list[place].table.clone());
        let (sources, row) = (self.list[place].sources.clone(), self.list[place].row);
        let is_type = self.list[place].is_type;
        let Some(form) = self.list[place].form() else { return Ok(Converted::Nothing) };
        let form_number = form.code;
        let forms = if is_type { &table.types } else { &table.attributes };
        let Some(form) = forms.by_code(form_number) else { return Ok(Converted::Nothing) };
        let Some(layout) = form.layouts.first() else { return Ok(Converted::Nothing) };
        if row.is_array {
            return self.array(builder, node, &data, blob);
        }
        let mut since = match self.direction {
            Direction::ToVhlo => version_of(form),
            Direction::FromVhlo => own_since,
        };
        let mut new = Node::default();
        let mut elements: Option<Bytes> = None;
        for (spec, source) in layout.fields.iter().zip(&sources) {
            new.begin_field();
            let is_done = match source {
                Source::Fixed(of) => {
                    new.push(Field::Type(TypeId::new(of.index()), 0));
                    true
                }
                Source::IsPresent(_) => {
                    // Set below, when the field is known.
                    new.push(match spec.primitive {
                        Primitive::Bool => Field::Bool(false),
                        _ => Field::Unsigned(0),
                    });
                    true
                }
                Source::IdentityMap(shape) => {
                    let map = identity_map(builder, node.items(*shape).len())?;
                    new.push(Field::Attribute(AttrId::new(map.index()), 0));
                    true
                }
                Source::Encoding(from) => match node.attribute(*from) {
                    Some(index) => match self.encoding(builder, EntryRef::Attribute(index))? {
                        Some((of, inner)) => {
                            since = since.max(inner);
                            new.push(Field::Attribute(AttrId::new(of.index()), 0));
                            true
                        }
                        None => false,
                    },
                    None => false,
                },
                Source::Symbol(from) => match node.attribute(*from) {
                    Some(index) => match self.symbol(builder, EntryRef::Attribute(index))? {
                        Some(of) => {
                            new.push(Field::Attribute(AttrId::new(of.index()), 0));
                            true
                        }
                        None => false,
                    },
                    None => false,
                },
                Source::Field(from) if matches!(spec.primitive, Primitive::Blob) => {
                    let bytes = match &blob {
                        Some(blob) => blob.clone(),
                        None => data.slice(node.blob_range(node.field(*from))),
                    };
                    new.push_blob(0..bytes.len());
                    elements = Some(bytes);
                    true
                }
                Source::Field(from) => {
                    let (inner, is_done) = self.put(builder, node, *from, &spec.primitive, &mut new)?;
                    since = since.max(inner);
                    is_done
                }
            };
            if !is_done {
                return Ok(Converted::Nothing);
            }
        }
        let new = with_flags(new, &sources);
        let mut bytes = elements.unwrap_or_default();
        let mut new = new;
        if form.print == Named::DenseElements {
            let Some(canonical) = self.elements(builder.entries(), node, &new, &bytes) else {
                return Ok(Converted::Nothing);
            };
            bytes = canonical;
            let r#type = new.field(0);
            new = Node::default();
            new.begin_field();
            new.push(r#type);
            new.begin_field();
            new.push_blob(0..bytes.len());
        }
        if form.builtin == BuiltinKind::DictionaryAttr
            && let Some(sorted) = crate::attr::canonical::sorted(&new, builder.entries())
        {
            new = sorted;
        }
        let to = builder.encoded(is_type, dialect, (form, layout), &new, &bytes, None)?;
        if row.is_opaque {
            since = match self.direction {
                Direction::ToVhlo => version_of(form),
                Direction::FromVhlo => own_since,
            };
        }
        Ok(Converted::To(to, since))
    }

    /// Returns the elements of a tensor as the new entry stores them.
    pub(super) fn elements(
        &self,
        entries: &OwnedEntries,
        old: &Node,
        new: &Node,
        data: &Bytes,
    ) -> Option<Bytes> {
        let builtin = match self.direction {
            Direction::ToVhlo => old.r#type(0)?,
            Direction::FromVhlo => new.r#type(0)?,
        };
        let dense = Dense::new(entries, builtin, data)?;
        let canonical = crate::attr::build::canonical_elements(&dense, data);
        // VHLO packs one boolean, or none, like several.
        if self.direction == Direction::ToVhlo && dense.element.is_bool() && dense.count <= 1 {
            let packed: &[u8] = match dense.count {
                0 => &[],
                _ if dense.bit(0) => &[1],
                _ => &[0],
            };
            return Some(Bytes::from_static(packed));
        }
        Some(canonical)
    }

    /// Adds one field, converted for a primitive. Returns the version that the field needs, and false if the
    /// primitive cannot hold the field.
    pub(super) fn put(
        &self,
        builder: &mut Builder,
        node: &Node,
        from: usize,
        to: &Primitive,
        new: &mut Node,
    ) -> Result<(VhloVersion, bool)> {
        let field = node.field(from);
        let to = if let Primitive::If(_, inner) = to { inner } else { to };
        let mut since = ANY;
        let is_done = match (field, to) {
            (Field::Absent, _) => {
                new.push(Field::Absent);
                true
            }
            (Field::List(count), Primitive::List(_)) => {
                let at = new.begin_list();
                let mut is_done = true;
                for &item in node.items(from) {
                    match self.item(node, item) {
                        Some((item, inner, words)) => {
                            since = since.max(inner);
                            match words {
                                Some(words) => new.push_words(words),
                                None => new.push(item),
                            }
                        }
                        None => is_done = false,
                    }
                }
                new.end_list(at, count);
                is_done
            }
            // An array of one dialect is a list of items in the other one, or the reverse.
            (Field::Attribute(index, _), Primitive::List(_)) => {
                let Some(&Converted::To(to, inner)) = self.known.get(&EntryRef::Attribute(index)) else {
                    return Ok((since, false));
                };
                since = inner;
                let items = items_of(builder.entries(), to)?;
                let at = new.begin_list();
                items.iter().for_each(|&item| new.push(Field::Attribute(item, 0)));
                new.end_list(at, items.len() as u32);
                true
            }
            (Field::List(_), Primitive::Attribute(_)) => {
                let mut items = Vec::new();
                for &item in node.items(from) {
                    let Some((Field::Attribute(index, _), inner, _)) = self.item(node, item) else {
                        return Ok((since, false));
                    };
                    since = since.max(inner);
                    items.push(index);
                }
                let array = self.array_of(builder, &items)?;
                new.push(Field::Attribute(AttrId::new(array.index()), 0));
                true
            }
            // A name is an attribute of its own in VHLO.
            (Field::Attribute(index, _), Primitive::String) => {
                let Some(text) = string_of(builder.entries(), EntryRef::Attribute(index)) else {
                    return Ok((since, false));
                };
                let text = builder.string(&text);
                new.push(Field::String(text));
                true
            }
            (Field::String(index), Primitive::Attribute(_)) => {
                let text = builder.entries().string(index).to_vec();
                let name = self.string_attribute(builder, &text)?;
                new.push(Field::Attribute(AttrId::new(name.index()), 0));
                true
            }
            (field, primitive) => match self.item(node, field) {
                Some((field, inner, words)) => {
                    since = inner;
                    match words {
                        Some(words) => new.push_words(words),
                        None => new.push(as_primitive(field, primitive)),
                    }
                    true
                }
                None => false,
            },
        };
        Ok((since, is_done))
    }

    /// Returns a reference to a converted entry, or an unchanged number.
    pub(super) fn item(&self, node: &Node, field: Field) -> Option<(Field, VhloVersion, Option<Vec<u64>>)> {
        let converted = |of| match self.known.get(&of) {
            Some(&Converted::To(to, since)) => Some((to, since)),
            _ => None,
        };
        Some(match field {
            Field::Attribute(index, at) => {
                let (to, since) = converted(EntryRef::Attribute(index))?;
                (Field::Attribute(AttrId::new(to.index()), at), since, None)
            }
            Field::Type(index, at) => {
                let (to, since) = converted(EntryRef::Type(index))?;
                (Field::Type(TypeId::new(to.index()), at), since, None)
            }
            Field::Words { .. } => (field, ANY, Some(node.words(field).to_vec())),
            other => (other, ANY, None),
        })
    }
}

/// Sets the flags of optional fields.
pub(super) fn with_flags(mut node: Node, sources: &[Source]) -> Node {
    for (place, source) in sources.iter().enumerate() {
        let Source::IsPresent(field) = source else { continue };
        let is_present = node.field(*field) != Field::Absent;
        let flag = match node.field(place) {
            Field::Bool(_) => Field::Bool(is_present),
            _ => Field::Unsigned(is_present.into()),
        };
        node.set(place, flag);
    }
    node
}

/// Returns a number in the variant of a primitive.
pub(super) fn as_primitive(field: Field, primitive: &Primitive) -> Field {
    let number = match field {
        Field::Unsigned(number) | Field::Bits(number) => number,
        Field::Signed(number) => number as u64,
        Field::Bool(value) => value.into(),
        other => return other,
    };
    match primitive {
        Primitive::Varint | Primitive::Byte => Field::Unsigned(number),
        Primitive::Signed => Field::Signed(number as i64),
        Primitive::Bool => Field::Bool(number != 0),
        Primitive::Bits(_) | Primitive::Float(_) => Field::Bits(number),
        _ => field,
    }
}
