//! Builtin attributes and types that releases up to 22 write as text, and newer ones as codes.

use crate::attr::FieldValue;
use crate::attr::builtin_text::{class_of_text, fields_of_text};
use crate::dialect::entries::EntryRef;
use crate::dialect::node::Field;
use crate::format::id::{AttrId, TypeId};
use crate::release::reads_code;

use super::{Parsed, Parser, index_of};

impl Parser<'_> {
    /// Adds the entry of a text as MLIR prints it, in the form that the target writes.
    pub(super) fn builtin_text(&mut self, is_type: bool, text: &[u8]) -> Parsed<u32> {
        match self.coded(is_type, text, None)? {
            Some(index) => Ok(index),
            None => {
                let dialect = self.builder.builtin();
                Ok(index_of(self.builder.text(is_type, dialect, text)?).number())
            }
        }
    }

    /// Adds the entry if the target writes a code; `encoding` is the encoding of a map or a set, whose text
    /// may be ambiguous.
    pub(super) fn coded(
        &mut self,
        is_type: bool,
        text: &[u8],
        encoding: Option<&[u8]>,
    ) -> Parsed<Option<u32>> {
        let targets = self.aliases.as_ref().map_or(&[][..], |aliases| &aliases.targets);
        let Some(table) = self.table.clone() else { return Ok(None) };
        if targets.is_empty() || targets.iter().any(|target| !target.llvm().encodes_maps()) {
            return Ok(None);
        }
        let sort = if is_type { EntryRef::Type(TypeId::new(0)) } else { EntryRef::Attribute(AttrId::new(0)) };
        let forms = if is_type { &table.types } else { &table.attributes };
        let Some(class) = class_of_text(&table, sort, text) else { return Ok(None) };
        let Some(code) = forms.code(class) else { return Ok(None) };
        for target in targets {
            if !reads_code(target.llvm(), Some(&target.name), (b"builtin", is_type, code))? {
                return Ok(None);
            }
        }
        if let Some(bytes) = encoding {
            let data = bytes.to_vec().into();
            return self.make_with(is_type, class, &data, None, |fill| _ = fill.blob(bytes.len())).map(Some);
        }
        let (mut data, mut fields) = (Vec::new(), fields_of_text(class, text));
        for (_, value) in &mut fields {
            if let FieldValue::Blob(bytes) = value {
                data.extend_from_slice(bytes);
            }
        }
        let data = data.into();
        let index = self.make_with(is_type, class, &data, None, |fill| {
            for (_, value) in fields {
                match value {
                    FieldValue::Signed(number) => _ = fill.field(Field::Signed(number)),
                    FieldValue::List(items) => {
                        _ = fill.list(items.into_iter().filter_map(|item| match item {
                            FieldValue::Signed(number) => Some(Field::Signed(number)),
                            _ => None,
                        }));
                    }
                    _ => _ = fill.blob(data.len()),
                }
            }
        })?;
        Ok(Some(index))
    }
}
