//! Entries of files whose writer, a development build, may have other encodings than the dialect table.
//!
//! An entry without an encoding of the table is opaque, not damaged. VHLO never changes an encoding within
//! its version. The builtin dialect adds codes, but does not change existing ones.

use crate::wire::error::{Error, ErrorKind, Result};
use crate::wire::section::SectionId;

use super::entries::{Entries, EntryRef, RawEntry, shown_dialect};
use super::node::{Field, Node};
use super::primitive;
use super::table::{DialectTable, Encoding, Layout, Style};

/// How the encodings of the writer may deviate from a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Deviation {
    #[default]
    None,
    /// The writer may have additional codes.
    NewCodes,
    /// The writer may have other codes, and other layouts of the codes of the table.
    Layouts,
}

impl Deviation {
    /// The deviation from a shipped table for a file of a build of the main branch; with `is_newest` the
    /// build may be newer than every known build.
    pub(crate) fn of_builds(dialect: &[u8], is_newest: bool) -> Self {
        match dialect {
            b"vhlo" => Self::None,
            b"builtin" if is_newest => Self::NewCodes,
            b"builtin" => Self::None,
            _ => Self::Layouts,
        }
    }
}

impl DialectTable {
    /// Returns the table for a file whose writer may have other encodings.
    pub(crate) fn with_deviation(mut self, deviation: Deviation) -> Self {
        self.deviation = deviation;
        if deviation == Deviation::Layouts {
            // Entries are compared with their layouts as a whole before any part is used.
            let forms = self.attributes.rows.iter_mut().chain(&mut self.types.rows);
            forms.for_each(|form| form.has_fixed_layout = false);
        }
        self
    }
}

/// Decodes an entry in the first layout of its encoding that fits; returns the number of that layout.
///
/// # Errors
/// If no layout fits.
#[cold]
pub(super) fn decode(
    form: &Encoding,
    entry: &RawEntry<'_>,
    entries: &impl Entries,
    node: &mut Node,
) -> Result<usize> {
    let mut first_error: Option<Error> = None;
    for (number, layout) in form.layouts.iter().enumerate() {
        let decoded = primitive::decode_in_layout(form, layout, (entry.data, entry.offset), entries, node)
            .and_then(|()| check_references(layout, node, entry, entries));
        match decoded {
            Ok(()) => return Ok(number),
            Err(error) => first_error = first_error.or(Some(error)),
        }
    }
    let reason = first_error.as_ref().map_or_else(String::new, |error| format!(": {}", error.sentence()));
    let message = format!("the bytes of this {} do not have a known layout{reason}", form.name);
    let offset = first_error.and_then(|error| error.offset()).unwrap_or(entry.offset);
    Err(Error::message(ErrorKind::EntryNoTable, message).at(offset).in_section(SectionId::AttrType))
}

// A reference to an attribute of another class, or to a word of another dialect, proves that the bytes have
// another layout.
fn check_references(
    layout: &Layout,
    node: &Node,
    entry: &RawEntry<'_>,
    entries: &impl Entries,
) -> Result<()> {
    let mut mismatch = None;
    primitive::references(layout, node, |to: EntryRef, class, at| {
        let Some(class) = class.filter(|_| mismatch.is_none()) else { return };
        let target = entries.entry(to).and_then(|target| target.form(to).ok().flatten());
        if let Some(target) = target.filter(|target| target.classes.iter().all(|known| **known != *class)) {
            mismatch = Some((class.to_owned(), target.name.to_string(), at));
        }
    });
    for (number, _) in layout.fields.iter().enumerate().filter(|(_, field)| field.style == Style::Word) {
        let Field::Attribute(index, at) = node.field(number) else { continue };
        let target = entries.entry(EntryRef::Attribute(index));
        if mismatch.is_none()
            && let Some(target) = target.filter(|target| target.dialect != entry.dialect)
        {
            let dialect = |name: &[u8]| format!("an attribute of the {} dialect", shown_dialect(name));
            mismatch = Some((dialect(entry.dialect), dialect(target.dialect), at));
        }
    }
    let Some((expected, actual, at)) = mismatch else { return Ok(()) };
    let error = Error::new(ErrorKind::EntryClass, expected, actual);
    Err(error.at(entry.offset + u64::from(at)).in_section(SectionId::AttrType))
}
