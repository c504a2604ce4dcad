//! The rows of the rules in one direction, ready to be applied.

use std::sync::Arc;

use crate::attr::Type;
use crate::attr::table::Builder;
use crate::dialect::entries::EntryRef;
use crate::dialect::node::Node;
use crate::dialect::table::{DialectTable, Encoding, Primitive};
use crate::dialect::template::TemplatePiece;
use crate::wire::bytes::Bytes;
use crate::wire::error::Result;

use super::values::{dialect, form_of, import, make};
use super::{Direction, EntryConverter, bad_row};
use crate::convert::rules::{ClassRow, Only};

/// A source of a field of the new entry.
#[derive(Debug, Clone)]
pub(super) enum Source {
    /// The field of the source entry with this index.
    Field(usize),
    /// The encoding of a tensor type, from this field of the source entry.
    Encoding(usize),
    /// A symbol, from this field of the source entry, which may be a string.
    Symbol(usize),
    /// This type.
    Fixed(EntryRef),
    /// Whether this field of the new entry is present.
    IsPresent(usize),
    /// The identity map for the number of items of this field.
    IdentityMap(usize),
}

/// A row of the rules in one direction.
#[derive(Debug)]
pub(super) struct ClassConversion {
    pub(super) row: &'static ClassRow,
    pub(super) dialect: u32,
    pub(super) table: Arc<DialectTable>,
    /// The new encoding, by its number.
    pub(super) form: usize,
    pub(super) is_type: bool,
    /// The sources by field of the new encoding.
    pub(super) sources: Vec<Source>,
    /// Fields of the old entry that must have this type.
    pub(super) required: Vec<(usize, EntryRef)>,
}

impl ClassConversion {
    pub(super) fn form(&self) -> Option<&Encoding> {
        let forms = if self.is_type { &self.table.types } else { &self.table.attributes };
        forms.rows.get(self.form)
    }
}

impl EntryConverter {
    /// Adds the types of VHLO without fields, with their builtin types.
    pub(super) fn add_simple(&mut self, builder: &mut Builder) -> Result<()> {
        let (vhlo, table) = dialect(builder, "vhlo")?;
        let (builtin, builtin_table) = dialect(builder, "builtin")?;
        for form in &table.types.rows {
            let Some(template) = form.as_builtin.as_ref() else { continue };
            let (true, [TemplatePiece::Text(text)]) = (no_fields(form), &*template.pieces) else { continue };
            let in_vhlo = make(builder, (true, vhlo), form, &Node::default(), &Bytes::new())?;
            let as_text = builder.text(true, builtin, text.as_bytes())?;
            let as_code = builtin_table.types.rows.iter().find(|form| {
                no_fields(form) && matches!(&*form.asm.pieces, [TemplatePiece::Text(asm)] if asm == text)
            });
            let in_builtin = match as_code {
                Some(form) => make(builder, (true, builtin), form, &Node::default(), &Bytes::new())?,
                None => import(builder, &Type::parse(&**text)?.0)?,
            };
            match self.direction {
                Direction::ToVhlo => {
                    self.simple.insert(as_text, in_vhlo);
                    self.simple.insert(in_builtin, in_vhlo);
                }
                // Other dialects may have the type as text, and casts between both are no longer needed.
                Direction::FromVhlo => {
                    self.simple.insert(as_text, in_builtin);
                    self.simple.insert(in_vhlo, in_builtin);
                }
            }
        }
        Ok(())
    }

    pub(super) fn add_row(
        &mut self,
        is_type: bool,
        row: &'static ClassRow,
        builder: &mut Builder,
    ) -> Result<()> {
        let is_to = self.direction == Direction::ToVhlo;
        let is_other_way = match row.only {
            Some(Only::FromVhlo) => is_to,
            Some(Only::ToVhlo | Only::Never) => !is_to,
            Some(Only::Encoding) | None => false,
        };
        if is_other_way {
            return Ok(());
        }
        let (vhlo, vhlo_table) = dialect(builder, "vhlo")?;
        let vhlo_form = form_of(&vhlo_table, is_type, &row.vhlo)?;
        if let Some([dialect_name, text]) = &row.text {
            let vhlo_entry = make(builder, (is_type, vhlo), vhlo_form, &Node::default(), &Bytes::new())?;
            let other_dialect = builder.dialect(dialect_name.as_bytes());
            let other_entry = builder.text(is_type, other_dialect, text.as_bytes())?;
            let (from, to) = if is_to { (other_entry, vhlo_entry) } else { (vhlo_entry, other_entry) };
            self.simple.insert(from, to);
            return Ok(());
        }
        let name = row.other.as_deref().unwrap_or_default();
        let (other_dialect, class) = name.split_once('.').ok_or_else(|| bad_row(&row.vhlo))?;
        let (other_id, other_table) = dialect(builder, other_dialect)?;
        let other_form = form_of(&other_table, is_type, class)?;
        let (from, to) = if is_to { (other_form, vhlo_form) } else { (vhlo_form, other_form) };
        let layout_of = |form: &Encoding| form.layouts.first().cloned().ok_or_else(|| bad_row(&row.vhlo));
        let (from_layout, to_layout) = (layout_of(from)?, layout_of(to)?);
        let fixed_type = |builder: &mut Builder, text: &str| import(builder, &Type::parse(text)?.0);
        let mut sources = Vec::new();
        for spec in &to_layout.fields {
            let name = &spec.name;
            let renamed = match is_to {
                true => row.fields.get(name),
                false => row
                    .fields
                    .iter()
                    .find(|(_, other_field)| *other_field == name)
                    .map(|(vhlo_field, _)| vhlo_field),
            };
            let from_name = renamed.unwrap_or(name);
            let place = from_layout.index(from_name);
            let is_flag_of = to_layout.fields.iter().position(|other| {
                matches!(&other.primitive, Primitive::If(flag, _) if to_layout.fields.get(*flag) == Some(spec))
            });
            let fixed = row.fixed.get(name).filter(|_| !is_to);
            sources.push(match (place, is_flag_of, fixed) {
                (_, Some(field), _) => Source::IsPresent(field),
                (_, _, Some(text)) => Source::Fixed(fixed_type(builder, text)?),
                (Some(place), ..) if row.encoding.as_ref() == Some(name) => Source::Encoding(place),
                (Some(place), ..) if row.symbol.as_ref() == Some(name) && !is_to => Source::Symbol(place),
                (Some(place), ..) => Source::Field(place),
                (None, ..) if row.identity_map.as_ref() == Some(name) => {
                    Source::IdentityMap(from_layout.index("shape").ok_or_else(|| bad_row(&row.vhlo))?)
                }
                _ if row.is_array => Source::Field(0),
                (None, ..) => return Err(bad_row(&row.vhlo)),
            });
        }
        let mut required = Vec::new();
        if is_to {
            for (name, text) in &row.fixed {
                let place = from_layout.index(name).ok_or_else(|| bad_row(&row.vhlo))?;
                required.push((place, fixed_type(builder, text)?));
            }
        }
        let (dialect, table) =
            if is_to { (vhlo, vhlo_table.clone()) } else { (other_id, other_table.clone()) };
        let forms = if is_type { &table.types } else { &table.attributes };
        let form =
            forms.rows.iter().position(|form| form.name == to.name).ok_or_else(|| bad_row(&row.vhlo))?;
        let from_dialect = if is_to { other_dialect } else { "vhlo" };
        let key = (is_type, Box::from(from_dialect), from.name.clone());
        self.plans.entry(key).or_default().push(self.list.len());
        self.list.push(ClassConversion { row, dialect, table, form, is_type, sources, required });
        Ok(())
    }
}

pub(super) fn no_fields(form: &Encoding) -> bool {
    form.layouts.first().is_some_and(|layout| layout.fields.is_empty())
}
