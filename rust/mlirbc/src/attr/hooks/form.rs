//! Converts the input and output of a hook to the encoding of one value.

use std::cell::RefCell;
use std::collections::HashMap;

use crate::attr::fields::DecodedEntry;
use crate::attr::table::{Home, View};
use crate::attr::text::escape::write_string;
use crate::attr::{Attribute, FieldValue, Handle, Type};
use crate::dialect::entries::EntryRef;
use crate::dialect::node::Node;
use crate::dialect::primitive;
use crate::dialect::table::{Encoding, Primitive, Style, style_without_names};
use crate::dialect::template::{Template, TemplatePiece};
use crate::dialect::value_form::{ValueForm, ValuePart, encoding_of, layout_of};
use crate::wire::bytes::Bytes;
use crate::wire::error::{Error, ErrorKind, Result};

use super::DialectValue;

/// Creates the encoding of a value from the primitives that were read and the fields that the hook returned.
///
/// # Errors
/// If the bytes do not have that layout, or a field holds a value of another file.
pub(crate) fn form_of(
    home: &Home,
    (data, offset): (&Bytes, u64),
    primitives: Vec<Primitive>,
    value: &DialectValue,
) -> Result<Encoding> {
    let read = read_values(home, (data, offset), &primitives)?;
    let (primitives, fields) = match parts_of(home, &value.fields, &read)? {
        Some(fields) => (primitives, fields),
        // A field is one item of a list, so the items become fields of the layout.
        None => {
            let mut flat = Vec::new();
            for (primitive, value) in primitives.iter().zip(&read) {
                unfold(primitive, value, &mut flat);
            }
            let read = read_values(home, (data, offset), &flat)?;
            let fields = parts_of(home, &value.fields, &read)?.ok_or_else(|| {
                let message = "a field holds an attribute or a type that the hook did not read";
                Error::message(ErrorKind::DialectHook, message).at(offset)
            })?;
            (flat, fields)
        }
    };
    let mut constants = String::new();
    for (name, part) in &fields {
        if !matches!(part, ValuePart::Read(_)) {
            constants.push_str(&format!("{name} {part:?};"));
        }
    }
    let asm = template(value, &fields)?;
    let layout = layout_of(primitives, &fields);
    let form = ValueForm { fields, constants: constants.into_bytes().into() };
    Ok(encoding_of((value.class(), &value.mnemonic), layout, asm, Some(form)))
}

/// Returns a text that is the same for equal encodings of one interface, which is given by its address.
pub(crate) fn content_of(sort: impl std::fmt::Debug, interface: *const (), form: &Encoding) -> String {
    let layouts = &form.layouts;
    format!(
        "{sort:?} {interface:p} {} {:?} {layouts:?} {:?} {:?}",
        form.kind, form.mnemonic, form.asm, form.value
    )
}

/// Creates an encoding without fields, for bytes that are only written.
pub(crate) fn plain_form(primitives: Vec<Primitive>) -> Encoding {
    encoding_of(("value", ""), layout_of(primitives, &[]), Template::default(), None)
}

// Reads the values of all fields of a layout.
fn read_values(
    home: &Home,
    (data, offset): (&Bytes, u64),
    primitives: &[Primitive],
) -> Result<Vec<FieldValue>> {
    let form = plain_form(primitives.to_vec());
    let view: View<'_> = home.view()?;
    let mut node = Node::default();
    primitive::decode(&form, data, offset, &view, &mut node)?;
    let Some(layout) = form.layouts.first() else { return Ok(Vec::new()) };
    let (short, strings) = (data.clone(), RefCell::default());
    let decoded = DecodedEntry { home, layout, node: &node, short, blob: None, strings };
    let mut at = 0;
    Ok(layout.fields.iter().map(|spec| decoded.value(&view, &spec.primitive, &mut at)).collect())
}

// Adds the count and the items of a list as separate primitives. Lists nest as deep as a hook may nest them.
fn unfold(primitive: &Primitive, value: &FieldValue, flat: &mut Vec<Primitive>) {
    let (Primitive::List(parts), FieldValue::List(items)) = (primitive, value) else {
        return flat.push(primitive.clone());
    };
    flat.push(Primitive::Varint);
    for item in items {
        match (&**parts, item) {
            ([only], item) => unfold(only, item, flat),
            (parts, FieldValue::List(values)) => {
                parts.iter().zip(values).for_each(|(part, value)| unfold(part, value, flat));
            }
            _ => {}
        }
    }
}

/// The number of fields that are searched for a scalar: hooks return most fields in the order of reading.
const SEARCHED: usize = 16;

struct Matcher<'m> {
    home: &'m Home,
    read: &'m [FieldValue],
    references: HashMap<EntryRef, usize>,
    /// The field after the last match.
    next: usize,
}

/// Fields by name.
type NamedParts = Vec<(Box<str>, ValuePart)>;

// Returns the values of the fields; `None` if a reference is not a field of the layout.
fn parts_of(home: &Home, fields: &[(String, FieldValue)], read: &[FieldValue]) -> Result<Option<NamedParts>> {
    let mut references = HashMap::new();
    for (number, value) in read.iter().enumerate() {
        if let FieldValue::Attribute(Attribute(handle)) | FieldValue::Type(Type(handle)) = value {
            references.entry(handle.of).or_insert(number);
        }
    }
    let mut matcher = Matcher { home, read, references, next: 0 };
    let mut parts = Vec::new();
    for (name, value) in fields {
        let Some(part) = matcher.part(value, 0)? else { return Ok(None) };
        parts.push((name.as_str().into(), part));
    }
    Ok(Some(parts))
}

/// The maximum nesting of lists that a hook returns.
const MAX_LISTS: u32 = 32;

impl Matcher<'_> {
    fn part(&mut self, value: &FieldValue, depth: u32) -> Result<Option<ValuePart>> {
        if let FieldValue::Attribute(Attribute(handle)) | FieldValue::Type(Type(handle)) = value {
            return self.reference(handle);
        }
        if *value != FieldValue::Absent || depth == 0 {
            let end = self.read.len().min(self.next + SEARCHED);
            let number =
                (self.next..end).find(|&at| self.read.get(at).is_some_and(|read| is_same(read, value)));
            if let Some(number) = number {
                self.next = number + 1;
                return Ok(Some(if *value == FieldValue::Absent {
                    ValuePart::Absent
                } else {
                    ValuePart::Read(number)
                }));
            }
        }
        Ok(Some(match value {
            FieldValue::Absent | FieldValue::Attribute(_) | FieldValue::Type(_) => ValuePart::Absent,
            FieldValue::Unsigned(number) => ValuePart::Unsigned(*number),
            FieldValue::Signed(number) => ValuePart::Signed(*number),
            FieldValue::Bool(value) => ValuePart::Bool(*value),
            FieldValue::String(bytes) => ValuePart::String(bytes[..].into()),
            FieldValue::Resource(bytes) => ValuePart::Resource(bytes[..].into()),
            FieldValue::Blob(bytes) => ValuePart::Blob(bytes[..].into()),
            FieldValue::Integer { words, width } => {
                ValuePart::Integer { words: words.clone(), width: *width }
            }
            FieldValue::List(items) => {
                if depth >= MAX_LISTS {
                    let message = format!("the lists of a field are nested more than {MAX_LISTS} deep");
                    return Err(Error::message(ErrorKind::DialectHook, message));
                }
                let mut parts = Vec::new();
                for item in items {
                    let Some(part) = self.part(item, depth + 1)? else { return Ok(None) };
                    parts.push(part);
                }
                ValuePart::List(parts)
            }
        }))
    }

    fn reference(&self, handle: &Handle) -> Result<Option<ValuePart>> {
        if handle.home.is(self.home) {
            return Ok(self.references.get(&handle.of).map(|&number| ValuePart::Read(number)));
        }
        // A reference to the file would keep the file alive.
        if let Home::File(_) = handle.home {
            let message = "a field holds an attribute or a type of another file";
            return Err(Error::message(ErrorKind::DialectHook, message));
        }
        let (text, fault) = handle.print(None);
        if let Some(fault) = fault {
            return Err(fault);
        }
        Ok(Some(match handle.of {
            EntryRef::Attribute(_) => ValuePart::Attribute(text.into()),
            EntryRef::Type(_) => ValuePart::Type(text.into()),
        }))
    }
}

// Returns whether a field of the hook has the value that was read. Attributes are compared by their position:
// comparing them would run their hooks.
fn is_same(read: &FieldValue, value: &FieldValue) -> bool {
    match (read, value) {
        (FieldValue::Unsigned(number), FieldValue::Signed(other))
        | (FieldValue::Signed(other), FieldValue::Unsigned(number)) => i64::try_from(*number) == Ok(*other),
        (FieldValue::Attribute(Attribute(l)), FieldValue::Attribute(Attribute(r)))
        | (FieldValue::Type(Type(l)), FieldValue::Type(Type(r))) => l.of == r.of && l.home.is(&r.home),
        (FieldValue::List(l), FieldValue::List(r)) => {
            l.len() == r.len() && l.iter().zip(r).all(|(l, r)| is_same(l, r))
        }
        (FieldValue::Integer { words, .. }, FieldValue::Unsigned(number)) => {
            words.first().copied().unwrap_or_default() == *number
                && words.iter().skip(1).all(|word| *word == 0)
        }
        (FieldValue::Integer { words: l, .. }, FieldValue::Integer { words: r, .. }) => {
            let word = |words: &[u64], at: usize| words.get(at).copied().unwrap_or_default();
            (0..l.len().max(r.len())).all(|at| word(l, at) == word(r, at))
        }
        (
            FieldValue::String(l) | FieldValue::Blob(l) | FieldValue::Resource(l),
            FieldValue::String(r) | FieldValue::Blob(r) | FieldValue::Resource(r),
        ) => l == r,
        (FieldValue::Attribute(_) | FieldValue::Type(_) | FieldValue::List(_), _)
        | (_, FieldValue::Attribute(_) | FieldValue::Type(_) | FieldValue::List(_)) => false,
        (l, r) => l == r,
    }
}

// ---- text ----

/// Creates the template of a value: the template of the hook, or all fields as `name = value`.
fn template(value: &DialectValue, fields: &[(Box<str>, ValuePart)]) -> Result<Template> {
    let names = layout_of(
        fields.iter().map(|_| Primitive::Varint).collect(),
        &fields
            .iter()
            .enumerate()
            .map(|(at, field)| (field.0.clone(), ValuePart::Read(at)))
            .collect::<Vec<_>>(),
    );
    let asm = match &value.asm {
        Some(asm) => asm.as_str(),
        None if fields.is_empty() => "",
        None => "<{params}>",
    };
    let parsed = Template::parse(asm, &names, style_without_names).map_err(|message| {
        Error::message(ErrorKind::DialectHook, format!("the format of `{}`: {message}", value.mnemonic))
    })?;
    let mut builder = TemplateBuilder::default();
    builder.template(&parsed, fields);
    builder.flush();
    Ok(Template { pieces: builder.done })
}

/// A template under construction.
#[derive(Default)]
struct TemplateBuilder {
    done: Vec<TemplatePiece>,
    text: String,
}

impl TemplateBuilder {
    fn flush(&mut self) {
        if !self.text.is_empty() {
            self.done.push(TemplatePiece::Text(std::mem::take(&mut self.text).into()));
        }
    }

    fn field(&mut self, number: usize, style: Option<Style>) {
        self.flush();
        self.done.push(TemplatePiece::Field(number, style));
    }

    // Templates nest as deep as their text, which the hook wrote.
    fn template(&mut self, template: &Template, fields: &[(Box<str>, ValuePart)]) {
        let part = |number: &usize| fields.get(*number).map_or(&ValuePart::Absent, |field| &field.1);
        for piece in &template.pieces {
            match piece {
                TemplatePiece::Text(text) => self.text.push_str(text),
                TemplatePiece::Field(number, style) => match part(number) {
                    ValuePart::Read(read) => self.field(*read, *style),
                    other => self.part(other),
                },
                TemplatePiece::Params(numbers) => {
                    let mut separator = "";
                    for number in numbers.iter().filter(|&number| *part(number) != ValuePart::Absent) {
                        let name = fields.get(*number).map_or("", |field| &field.0);
                        self.text.push_str(&format!("{separator}{name} = "));
                        self.part(part(number));
                        separator = ", ";
                    }
                }
                TemplatePiece::Where(number, inner) if *part(number) != ValuePart::Absent => {
                    self.template(inner, fields)
                }
                TemplatePiece::Unless(number, inner) if *part(number) == ValuePart::Absent => {
                    self.template(inner, fields)
                }
                TemplatePiece::Where(..) | TemplatePiece::Unless(..) | TemplatePiece::Print => {}
            }
        }
    }

    fn part(&mut self, part: &ValuePart) {
        match part {
            ValuePart::Absent => {}
            ValuePart::Read(number) => self.field(*number, None),
            ValuePart::Unsigned(number) => self.text.push_str(&number.to_string()),
            ValuePart::Signed(number) => self.text.push_str(&number.to_string()),
            ValuePart::Bool(value) => self.text.push_str(&value.to_string()),
            ValuePart::String(bytes) | ValuePart::Resource(bytes) => {
                let mut text = Vec::new();
                write_string(&mut text, bytes);
                self.text.push_str(&String::from_utf8_lossy(&text));
            }
            ValuePart::Blob(bytes) => self.text.push_str(&format!("\"0x{}\"", hex(bytes))),
            ValuePart::Integer { words, .. } => {
                let digits: String = words.iter().rev().map(|word| format!("{word:016x}")).collect();
                self.text.push_str(&format!("0x{digits}"));
            }
            ValuePart::Attribute(text) | ValuePart::Type(text) => self.text.push_str(text),
            ValuePart::List(items) => {
                self.text.push('[');
                for (number, item) in items.iter().enumerate() {
                    self.text.push_str(if number == 0 { "" } else { ", " });
                    self.part(item);
                }
                self.text.push(']');
            }
        }
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02X}")).collect()
}

// ---- fields ----

/// Returns the fields of a value of a hook; `read` has the fields of its layout.
///
/// # Errors
/// If the text of an attribute that is not in the bytes cannot be parsed.
pub(crate) fn fields_of(form: &ValueForm, read: &[FieldValue]) -> Result<Vec<(String, FieldValue)>> {
    let mut fields = Vec::new();
    for (name, part) in &form.fields {
        match value_of(part, read)? {
            FieldValue::Absent => {}
            value => fields.push((name.to_string(), value)),
        }
    }
    Ok(fields)
}

// Parts nest at most `MAX_LISTS` deep.
fn value_of(part: &ValuePart, read: &[FieldValue]) -> Result<FieldValue> {
    Ok(match part {
        ValuePart::Absent => FieldValue::Absent,
        ValuePart::Read(number) => read.get(*number).cloned().unwrap_or(FieldValue::Absent),
        ValuePart::Unsigned(number) => FieldValue::Unsigned(*number),
        ValuePart::Signed(number) => FieldValue::Signed(*number),
        ValuePart::Bool(value) => FieldValue::Bool(*value),
        ValuePart::String(bytes) => FieldValue::String(Bytes::copy_from_slice(bytes)),
        ValuePart::Resource(bytes) => FieldValue::Resource(Bytes::copy_from_slice(bytes)),
        ValuePart::Blob(bytes) => FieldValue::Blob(Bytes::copy_from_slice(bytes)),
        ValuePart::Integer { words, width } => FieldValue::Integer { words: words.clone(), width: *width },
        ValuePart::Attribute(text) => FieldValue::Attribute(Attribute::parse(text.as_bytes())?),
        ValuePart::Type(text) => FieldValue::Type(Type::parse(text.as_bytes())?),
        ValuePart::List(items) => {
            let items = items.iter().map(|item| value_of(item, read));
            FieldValue::List(items.collect::<Result<_>>()?)
        }
    })
}
