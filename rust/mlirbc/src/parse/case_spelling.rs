//! How the attribute of an enumeration is spelled: `#dialect.name<case>` since LLVM 24, `#dialect<name case>` before.
//!
//! A text that is assembled like a file of a development build between the two takes the spelling that the file has.

use std::collections::HashMap;

use crate::attr::text::parse::Parsed;
use crate::dialect::entries::{Entries, EntryRef};
use crate::file::FileTables;
use crate::format::id::AttrId;
use crate::ops::CandidateReleases;
use crate::parse::ParseOptions;
use crate::release::Llvm;
use crate::wire::error::{Error, ErrorKind, Result};

use super::frames::AsmParser;

/// The spelling that the builds read that may read the module.
pub(in crate::parse) enum CaseSpelling {
    /// Whether the name is before the brackets.
    Known(bool),
    /// The file decides: its spellings are collected when they are needed.
    OfFile(FileTables, Option<HashMap<Box<str>, Option<bool>>>),
}

/// Longer texts are no cases.
const LONGEST: usize = 128;
/// No release has so many enumerations.
const MOST: usize = 4096;

impl CaseSpelling {
    /// The spelling for the target, or for the build that wrote the file that is named instead, which is one of those in
    /// `around`.
    pub(in crate::parse) fn new(
        options: &ParseOptions,
        release: Llvm,
        around: Option<&CandidateReleases>,
    ) -> Self {
        match (&options.like, around.and_then(CandidateReleases::bounds)) {
            (Some(like), Some((oldest, newest)))
                if Llvm(oldest).brackets_cases() != Llvm(newest).brackets_cases() =>
            {
                Self::OfFile(like.clone(), None)
            }
            _ => Self::Known(release.brackets_cases()),
        }
    }
}

/// The enumeration, as `dialect.name`, in the text of an attribute, and whether its name is before the brackets.
fn spelled(text: &[u8]) -> Option<(String, bool)> {
    let text = std::str::from_utf8(text.get(..LONGEST.min(text.len()))?).ok()?.strip_prefix('#')?;
    let (head, rest) = text.split_once('<')?;
    match head.contains('.') {
        true => Some((head.to_owned(), true)),
        false => rest.split_once(' ').map(|(name, _)| (format!("{head}.{name}"), false)),
    }
}

fn spellings_in(file: &FileTables) -> Result<HashMap<Box<str>, Option<bool>>> {
    let entries = file.entries()?;
    let mut spellings: HashMap<Box<str>, Option<bool>> = HashMap::new();
    for index in 0..entries.bounds().attributes {
        let entry = entries.entry(EntryRef::Attribute(AttrId::new(index))).filter(|entry| entry.is_text);
        let Some((class, has_name_before)) = entry.and_then(|entry| spelled(entry.data)) else { continue };
        if let Some(known) = spellings.get_mut(&*class) {
            *known = known.filter(|known| *known == has_name_before);
        } else if spellings.len() < MOST {
            spellings.insert(class.into(), Some(has_name_before));
        }
    }
    Ok(spellings)
}

impl AsmParser<'_> {
    /// Whether `#class<case>` is read, and not `#dialect<name case>`.
    pub(super) fn brackets_cases(&mut self, class: &str, position: usize) -> Parsed<bool> {
        let (file, spellings) = match &mut self.cases {
            CaseSpelling::Known(is_bracketed) => return Ok(*is_bracketed),
            CaseSpelling::OfFile(file, spellings) => (file, spellings),
        };
        let spellings = match spellings {
            Some(spellings) => spellings,
            None => spellings.insert(spellings_in(file)?),
        };
        if let Some(is_bracketed) = spellings.get(class).copied().flatten() {
            return Ok(is_bracketed);
        }
        let (dialect, name) = class.split_once('.').unwrap_or((class, ""));
        let message = format!(
            "builds that may have written the file read either `#{class}<…>` or `#{dialect}<{name} …>`, and the file has \
             neither"
        );
        let error = Error::message(ErrorKind::Unsupported, message).at(position as u64);
        Err(error
            .with_hint("write the operation in generic form, with the attribute as the build prints it, or name the build")
            .into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_tells_its_spelling() {
        assert_eq!(spelled(b"#gpu<dim x>"), Some(("gpu.dim".into(), false)));
        assert_eq!(spelled(b"#gpu.dim<x>"), Some(("gpu.dim".into(), true)));
        assert_eq!(spelled(b"dense<1>"), None);
    }
}
