//! The printer of forms: each step adds pieces.

mod attributes;
mod bodies;
mod directives;
mod format_checks;
mod formats;
mod names;
mod operands;
mod regions;
mod stored_text;
mod text;
mod types;

use std::rc::Rc;

use crate::assembly::{AssemblyForm, Cursor, Direction, Progress};
use crate::attr::EntryValues;
use crate::attr::text::entry::string_of;
use crate::file::FileEntries;
use crate::format::id::{AttrId, TypeId};
use crate::ir::ValueId;
use crate::ops::OperationDefinition;
use crate::release::Llvm;

use super::draft::{Drafted, EntryValue, OperationDraft, TextSignature, TypePart};
use super::plan::PlanPiece;
pub(in crate::print) use formats::stripped;

/// The error of a form that cannot represent an operation, which is then printed in generic form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::print) struct Generic;

type Written = Result<(), Generic>;

fn known<T>(value: Option<T>) -> Result<T, Generic> {
    value.ok_or(Generic)
}

fn written(drafted: Drafted) -> Written {
    drafted.ok_or(Generic)
}

/// A type of a signature.
#[derive(Clone)]
pub(in crate::print) enum SignatureType<'m> {
    Entry(TypeId),
    /// An input in the text of a type of a dialect.
    Input(Rc<TextSignature<'m>>, usize),
    Result(Rc<TextSignature<'m>>, usize),
}

impl<'m> SignatureType<'m> {
    fn part(&self) -> Option<&TypePart<'m>> {
        match self {
            Self::Entry(_) => None,
            Self::Input(of, place) => of.inputs.get(*place),
            Self::Result(of, place) => of.results.get(*place),
        }
    }
}

/// Adds the pieces of an operation.
pub(super) fn write(draft: &mut OperationDraft<'_, '_, '_>, form: &AssemblyForm) -> Drafted {
    if let AssemblyForm::Declared(_) = form {
        draft.find_groups()?;
    }
    let start = draft.plan.mark();
    let mut cursor = Cursor::default();
    while form.run(draft, &mut cursor).ok()? == Progress::Region {}
    match form {
        AssemblyForm::Declared(program) => format_checks::check(draft, program, start),
        AssemblyForm::Code(_) => Some(()),
    }
}

impl OperationDraft<'_, '_, '_> {
    // Writes a value that the operation has, and returns it.
    fn put<T: Copy>(&mut self, value: Option<T>, write: impl FnOnce(&mut Self, T)) -> Result<T, Generic> {
        let value = known(value)?;
        write(self, value);
        Ok(value)
    }

    fn put_piece<I: Copy>(
        &mut self,
        index: Option<I>,
        piece: impl FnOnce(I) -> PlanPiece,
    ) -> Result<I, Generic> {
        self.put(index, |draft, index| draft.push(piece(index)))
    }

    fn has_other(&mut self, shown: &[&str], elides_defaults: bool) -> Result<bool, Generic> {
        Ok(!known(self.dictionary_entries(shown, elides_defaults))?.is_empty())
    }

    // `iterator_types = ["parallel"]`, whose items are enumerations; release 16 has strings, too.
    fn iterator_types(&mut self, attribute: AttrId) -> Drafted {
        let types = self.file.items(attribute)?;
        OperationDraft::text(self, "iterator_types = [");
        OperationDraft::list(self, types, |draft, item| {
            if let Some(word) = string_of(draft.file, item) {
                OperationDraft::quoted(draft, word);
                return Some(());
            }
            let text = OperationDraft::word(draft, item)?;
            let start = text.iter().rposition(|&byte| byte == b'<')?;
            let (class, word) = text.split_at_checked(start + 1)?;
            // A parser refuses the words of other classes.
            let word = word.strip_suffix(b">").filter(|_| class.ends_with(b"iterator_type<"))?;
            OperationDraft::quoted(draft, word);
            Some(())
        })?;
        OperationDraft::text(self, "]");
        Some(())
    }

    // Writes the entries with these names in their order, or all entries of the dictionary, with defaults.
    fn traits(&mut self, names: &[&str], shows_defaults: bool) -> Drafted {
        let mut entries: Vec<(&[u8], EntryValue<'_>)> = Vec::new();
        if shows_defaults {
            entries = self.dictionary_entries(&[], false)?;
            entries.retain(|(name, _)| names.iter().any(|known| known.as_bytes() == *name));
        } else {
            for name in names {
                if let Some(value) = OperationDraft::attr(self, name) {
                    entries.push((name.as_bytes(), EntryValue::Attribute(value)));
                }
            }
        }
        OperationDraft::text(self, "{");
        OperationDraft::list(self, entries, |draft, (name, value)| {
            match (name, value) {
                (b"iterator_types", EntryValue::Attribute(index)) => {
                    return draft.iterator_types(AttrId::new(index));
                }
                (name, EntryValue::Attribute(index)) => {
                    let (start, end) = draft.plan.kept(|out| out.extend_from_slice(name));
                    draft.push(PlanPiece::Named(start, end, AttrId::new(index)));
                }
                (name, EntryValue::Text(text)) => {
                    draft.keyword(name);
                    OperationDraft::text(draft, " = ");
                    OperationDraft::text(draft, text);
                }
            }
            Some(())
        })?;
        OperationDraft::text(self, "}");
        Some(())
    }
}

impl<'m> Direction for OperationDraft<'_, 'm, '_> {
    const PRINTS: bool = true;
    type Error = Generic;
    type Value = ValueId;
    type Type = TypeId;
    type Attribute = AttrId;
    type Argument = u32;
    type Values = &'m [ValueId];
    type Types = &'m [TypeId];
    type SignaturePart = SignatureType<'m>;
    type Payload = ();

    type Entries = FileEntries<'m>;

    fn entries(&self) -> &FileEntries<'m> {
        self.file
    }

    fn definition(&self) -> &OperationDefinition {
        self.definition
    }

    fn release(&self) -> Llvm {
        OperationDraft::release(self)
    }

    fn refuse(&mut self, _: impl Into<String>) -> Generic {
        Generic
    }

    fn unsupported(&mut self, _: &str) -> Generic {
        Generic
    }

    fn lose(&mut self, what: &'static str) {
        self.lost.get_or_insert(what);
    }

    fn lose_locations(&mut self, what: &'static str) {
        self.unprinted.get_or_insert(what);
    }

    fn lose_rather(&mut self, what: &'static str) {
        *self.lost = Some(what);
    }

    fn lose_discardable(&mut self) {
        if !self.discardable.is_empty() {
            *self.lost = Some("its discardable attributes");
        }
    }

    fn lose_other_attributes(&mut self, shown: &[&str]) -> Written {
        if self.has_other(shown, false)? {
            *self.lost = Some("its other attributes");
        }
        Ok(())
    }

    fn has_other_attributes(&mut self, shown: &[&str]) -> Result<bool, Generic> {
        self.has_other(shown, self.definition.name() == "vector.outerproduct")
    }
}
