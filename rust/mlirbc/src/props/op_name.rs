//! The names of operations.

use std::borrow::Cow;
use std::cmp::Ordering;

use crate::format::id::OpNameId;
use crate::wire::error::cut_bytes;
use crate::wire::steps;

/// The number of bytes of a name in a row of a table.
const SHOWN: usize = 200;

/// Returns a name for a row of a table, truncated: any number of rows may have one long name.
pub(crate) fn shown_name(name: &[u8]) -> String {
    steps::count(name.len().min(SHOWN));
    cut_bytes(name, SHOWN)
}

/// An operation name of a file.
///
/// ```
/// let module = mlirbc::Module::from_bytes(mlirbc::doc_example())?;
/// let name = module.op_name(mlirbc::ir::OpNameId::new(0)).unwrap();
/// assert_eq!((name.dialect, name.stem), (&b"builtin"[..], &b"module"[..]));
/// assert_eq!(name.is_registered, Some(true));
/// # Ok::<(), mlirbc::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OperationName<'m> {
    /// The index.
    pub id: OpNameId,
    /// The name of the dialect.
    pub dialect: &'m [u8],
    /// The name of the op without the dialect; may be empty, and may contain dots.
    pub stem: &'m [u8],
    /// Whether the op was registered in the writer; `None` below version 5.
    pub is_registered: Option<bool>,
}

impl OperationName<'_> {
    /// The full name, `dialect.op`; only the dialect for a name without a dot.
    pub fn full(&self) -> Cow<'_, str> {
        String::from_utf8_lossy(&self.full_bytes()).into_owned().into()
    }

    /// The full name as bytes, which may not be UTF-8.
    #[doc(hidden)]
    pub fn full_bytes(&self) -> Vec<u8> {
        steps::count(self.dialect.len() + self.stem.len());
        let mut name = self.dialect.to_vec();
        if !self.stem.is_empty() {
            name.push(b'.');
            name.extend_from_slice(self.stem);
        }
        name
    }

    /// The full name with both parts truncated: many names may share one long dialect name.
    pub(crate) fn shown(&self) -> String {
        let dialect = shown_name(self.dialect);
        match self.stem.is_empty() {
            true => dialect,
            false => format!("{dialect}.{}", shown_name(self.stem)),
        }
    }

    /// Compares the full name with `other` without building the full name: many operation names may share one
    /// long dialect name.
    pub(crate) fn compare_to(&self, other: &[u8]) -> Ordering {
        let (start, rest) = other.split_at(other.len().min(self.dialect.len()));
        start.cmp(self.dialect).then_with(|| match rest.split_first() {
            _ if self.stem.is_empty() => rest.cmp(&[]),
            None => Ordering::Less,
            Some((dot, stem)) => dot.cmp(&b'.').then_with(|| stem.cmp(self.stem)),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_in_parts_compares_as_a_whole() {
        let texts: [&[u8]; 7] = [b"", b"a", b"b", b"a.b", b".", b"ab", b"\x7f"];
        for dialect in texts {
            for stem in texts {
                let name = OperationName { id: OpNameId::new(0), dialect, stem, is_registered: None };
                let full = name.full_bytes();
                let whole = [full.clone(), [&full[..], b"!"].concat(), full[..full.len() / 2].to_vec()];
                for other in texts.iter().map(|text| text.to_vec()).chain(whole) {
                    assert_eq!(name.compare_to(&other), other.cmp(&full), "{dialect:?} {stem:?} {other:?}");
                }
            }
        }
    }
}
