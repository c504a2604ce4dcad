//! The names that types suggest for their values (`OpAsmTypeInterface`), which packs declare.

use std::collections::HashMap;

use crate::dialect::DialectTable;
use crate::dialect::entries::{Entries, EntryRef};
use crate::file::FileEntries;
use crate::format::id::TypeId;

/// The names that the types of a file suggest.
#[derive(Debug, Default)]
pub(in crate::print) struct ValueNames<'e> {
    /// Whether a dialect of the file has such names.
    has_any: bool,
    by_type: HashMap<TypeId, Option<&'e str>>,
}

impl<'e> ValueNames<'e> {
    pub(in crate::print) fn new(file: &'e FileEntries<'_>) -> Self {
        let has_any = file.tables().flatten().any(|table| !table.value_names.is_empty());
        Self { has_any, by_type: HashMap::new() }
    }

    pub(in crate::print) fn is_empty(&self) -> bool {
        !self.has_any
    }

    /// The name of the values of a type.
    pub(in crate::print) fn of_type(&mut self, file: &'e FileEntries<'_>, r#type: TypeId) -> Option<&'e str> {
        if !self.has_any {
            return None;
        }
        *self.by_type.entry(r#type).or_insert_with(|| {
            let entry_ref = EntryRef::Type(r#type);
            let entry = file.entry(entry_ref)?;
            let table = entry.table?;
            let name = match entry.text() {
                Some(text) => table.value_names.get(mnemonic(text, table)?),
                None => table.value_names.get(entry.form(entry_ref).ok()??.mnemonic.as_deref()?.as_bytes()),
            };
            name.map(|name| &**name)
        })
    }
}

/// `t` in `!d.t<…>` or `!d<t …>`.
fn mnemonic<'t>(text: &'t [u8], table: &DialectTable) -> Option<&'t [u8]> {
    let mnemonic_and_body = text.strip_prefix(b"!")?.strip_prefix(table.dialect().as_bytes())?.get(1..)?;
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'$');
    mnemonic_and_body.get(..mnemonic_and_body.iter().take_while(|byte| is_part(byte)).count())
}
