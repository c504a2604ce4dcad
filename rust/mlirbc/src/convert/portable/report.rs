//! Texts for reports.

use crate::attr::shorten;
use crate::attr::table::OwnedEntries;
use crate::attr::text::entry::{Elide, EntryPrinter, EntryStyle};
use crate::attr::text::out::Out;
use crate::dialect::entries::EntryRef;
use crate::release::Llvm;

/// The beginning of the text of an entry.
pub(super) fn text_of(entries: &OwnedEntries, of: EntryRef) -> String {
    let shown = crate::attr::SHOWN as u64 + 1;
    let style = EntryStyle { release: Llvm::NEWEST, elide_elements: None };
    let mut printer = EntryPrinter::new(entries, style, shown).without_cache();
    let mut out = Out::excerpt(shown);
    match of {
        EntryRef::Attribute(index) => printer.attribute(&mut out, index, Elide::Never),
        EntryRef::Type(index) => printer.r#type(&mut out, index),
    }
    shorten(&String::from_utf8_lossy(&out.buffer))
}
