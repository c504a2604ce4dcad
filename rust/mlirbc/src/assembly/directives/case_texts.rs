//! Cases in the texts of enumerations.

/// Whether cases of enumerations consist of such bytes. Anything else would be parsed as something else, so the operation
/// is printed in generic form.
pub(crate) fn is_of_case(text: &[u8]) -> bool {
    text.iter().all(|byte| byte.is_ascii_alphanumeric() || b"_.$-|, ".contains(byte))
}

/// The case in the text of an enumeration: `c` of `#d.e<c>`, `#d<e c>` and `#d<e(c)>`.
pub(crate) fn case_in(text: &[u8]) -> Option<&[u8]> {
    let inner = text.strip_suffix(b">")?;
    let inner = inner.strip_suffix(b")").unwrap_or(inner);
    let case = inner.rsplit(|byte| matches!(byte, b'<' | b'(' | b' ')).next()?;
    (!case.is_empty() && is_of_case(case)).then_some(case)
}
