//! `!test.test_type_with_layout` of MLIR's test dialect (`mlir/test/lib/Dialect/Test/TestTypes.cpp`). MLIR's
//! own tests of registered layouts use the type, and so do the test vectors.

use crate::attr::FieldValue;
use crate::wire::error::{Error, ErrorKind, Result};

use super::entry::{integer, string};
use super::registrations::{TypeLayout, TypeQuestion};
use super::{DltiEntry, TypeSize};

#[derive(Debug)]
pub(super) struct TestType;

/// `["size", 77]`
fn pair(entry: &DltiEntry) -> Option<(String, u64)> {
    if entry.value.class() != Some("ArrayAttr") {
        return None;
    }
    let Ok(Some(FieldValue::List(items))) = entry.value.field("value") else { return None };
    match &items[..] {
        [FieldValue::Attribute(kind), FieldValue::Attribute(number)] => {
            Some((string(kind)?, integer(number)?))
        }
        _ => None,
    }
}

fn find(entries: &[DltiEntry], kind: &str) -> u64 {
    entries.iter().filter_map(pair).find(|(name, _)| name == kind).map_or(1, |(_, number)| number)
}

impl TypeLayout for TestType {
    fn size_in_bits(&self, question: &TypeQuestion<'_>) -> Result<TypeSize> {
        Ok(TypeSize::fixed(find(question.entries, "size")))
    }

    fn abi_alignment(&self, question: &TypeQuestion<'_>) -> Result<u64> {
        Ok(find(question.entries, "alignment"))
    }

    fn preferred_alignment(&self, question: &TypeQuestion<'_>) -> Result<u64> {
        Ok(find(question.entries, "preferred"))
    }

    fn index_bitwidth(&self, question: &TypeQuestion<'_>) -> Result<Option<u64>> {
        Ok(Some(find(question.entries, "index")))
    }

    fn verify_entries(&self, entries: &[DltiEntry]) -> Result<()> {
        let wrong = |entry: &&DltiEntry| pair(entry).is_none();
        match entries.iter().find(wrong) {
            None => Ok(()),
            Some(entry) => {
                let actual = format!("`{}`", entry.value);
                let expected = format!("`[kind, number]` in the entry for {}", entry.key);
                Err(Error::new(ErrorKind::LayoutEntryKind, expected, actual))
            }
        }
    }
}
