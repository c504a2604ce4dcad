//! The encoding of one value whose dialect has its own code: the fields that the code has read, as a table.
//!
//! The code runs once for a value, through a reader that records the primitives. From then on, everything
//! that tables are used for works for the value as well: decoding, printing, comparison, renumbering,
//! copying.

use std::sync::Arc;

use super::declarations::OpForms;
use super::table::{
    BuiltinKind, DialectTable, Encoding, Encodings, FieldSpec, Layout, Named, Primitive, Style, refers,
};
use super::template::Template;

/// The fields of a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ValueForm {
    /// The fields by name, in the order of the code.
    pub(crate) fields: Vec<(Box<str>, ValuePart)>,
    /// The values that are not read from the bytes, for comparison.
    pub(crate) constants: Box<[u8]>,
}

/// The value of a field: a field of the layout, or a constant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ValuePart {
    Absent,
    /// The field of the layout with this number.
    Read(usize),
    Unsigned(u64),
    Signed(i64),
    Bool(bool),
    String(Box<[u8]>),
    Resource(Box<[u8]>),
    Blob(Box<[u8]>),
    Integer {
        words: Vec<u64>,
        width: u32,
    },
    /// The text of an attribute or a type that is not in the bytes.
    Attribute(Box<str>),
    Type(Box<str>),
    List(Vec<ValuePart>),
}

/// The kind of value that a [`ValueForm`] describes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum ValueSort {
    Attribute,
    Type,
    Properties,
}

/// Creates a layout of these primitives; a primitive that is one whole field has the name of that field.
pub(crate) fn layout_of(primitives: Vec<Primitive>, fields: &[(Box<str>, ValuePart)]) -> Layout {
    let mut names: Vec<Option<&str>> = vec![None; primitives.len()];
    for (name, part) in fields {
        if let ValuePart::Read(number) = part
            && let Some(place) = names.get_mut(*number)
        {
            *place = Some(name);
        }
    }
    let fields = primitives.into_iter().zip(names).enumerate().map(|(number, (primitive, name))| FieldSpec {
        name: name.map_or_else(|| format!("[{number}]").into(), Into::into),
        style: if matches!(primitive, Primitive::List(_)) { Style::Array } else { Style::Plain },
        primitive,
        omit: None,
    });
    Layout { fields: fields.collect() }
}

/// Creates the encoding of a value with this layout.
pub(crate) fn encoding_of(
    (kind, mnemonic): (&str, &str),
    layout: Layout,
    asm: Template,
    value: Option<ValueForm>,
) -> Encoding {
    let layouts = vec![layout];
    Encoding {
        code: 0,
        has_code: false,
        name: kind.into(),
        kind: kind.into(),
        builtin: BuiltinKind::Other,
        refers: refers(&layouts),
        layouts,
        gates: Vec::new(),
        releases: Vec::new(),
        since: None,
        when: Vec::new(),
        is_restated: false,
        has_fixed_layout: false,
        bits: None,
        classes: vec![kind.into()],
        mnemonic: (!mnemonic.is_empty()).then(|| mnemonic.into()),
        asm,
        print: Named::Template,
        alias: None,
        as_builtin: None,
        value: value.map(Box::new),
    }
}

impl DialectTable {
    /// Whether the table has the encoding of one value.
    pub(crate) fn is_of_value(&self) -> bool {
        [&self.attributes, &self.types]
            .iter()
            .any(|forms| matches!(&*forms.rows, [only] if only.value.is_some()))
    }

    /// Creates a table with this encoding only.
    pub(crate) fn of_value(dialect: &str, sort: ValueSort, form: Encoding) -> Arc<Self> {
        let mut table = Self::empty(dialect);
        table.is_shipped = false;
        match sort {
            ValueSort::Attribute => table.attributes = Encodings::any(form),
            ValueSort::Type => table.types = Encodings::any(form),
            ValueSort::Properties => {
                let mut ops = OpForms::default();
                ops.add(None, form);
                table.ops = ops;
            }
        }
        Arc::new(table)
    }
}
