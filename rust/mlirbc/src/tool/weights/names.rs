//! Names of weights: unique, and the same in every run.

use std::collections::HashMap;

use crate::attr::{Attribute, FieldValue};
use crate::format::id::AttrId;
use crate::ir::Module;
use crate::wire::error::Result;
use crate::wire::limits::Budget;

/// The limit on names from locations and symbols, because many constants may share a long name.
const LONGEST: usize = 200;

/// The assigned names.
#[derive(Debug, Default)]
pub(super) struct Names {
    /// By name that is taken: the next number to try.
    taken: HashMap<String, u64>,
}

impl Names {
    /// Returns `base`, or `base.1`, `base.2` and so on if that is taken.
    pub(super) fn unique(&mut self, base: String, budget: &Budget) -> Result<String> {
        budget.spend(2 * (base.len() + size_of::<(String, u64)>()))?;
        let Some(next) = self.taken.get(&base).copied() else {
            self.taken.insert(base.clone(), 1);
            return Ok(base);
        };
        let mut number = next;
        let name = loop {
            let name = format!("{base}.{number}");
            number += 1;
            if !self.taken.contains_key(&name) {
                break name;
            }
        };
        self.taken.insert(base, number);
        self.taken.insert(name.clone(), 1);
        Ok(name)
    }
}

/// Cuts text of the file that becomes a part of a name.
pub(super) fn cut(bytes: &[u8]) -> String {
    let start = &bytes[..bytes.len().min(4 * LONGEST)];
    String::from_utf8_lossy(start).chars().take(LONGEST).collect()
}

/// Returns the path of a symbol within the path of the symbol around it.
pub(super) fn joined(path: &str, symbol: &str) -> String {
    match path {
        "" => symbol.to_owned(),
        _ if path.len() + symbol.len() > 4 * LONGEST => path.to_owned(),
        _ => format!("{path}::{symbol}"),
    }
}

/// The number of call sites of inlined code that are searched.
const CALL_SITES: usize = 16;

/// Returns the name in a location, which may be the callee's in a call site; `None` if the name is missing or
/// empty.
pub(in crate::tool) fn location_name(module: &Module, location: AttrId) -> Result<Option<String>> {
    let mut location = Attribute::of_file(module.tables(), location)?;
    for _ in 0..CALL_SITES {
        let Some(current) = location else { break };
        location = match current.class() {
            Some("NameLoc") => {
                if let Some(FieldValue::Attribute(name)) = current.field("name")?
                    && let Some(FieldValue::String(text)) = name.field("value")?
                    && !text.is_empty()
                {
                    return Ok(Some(cut(&text)));
                }
                None
            }
            Some("CallSiteLoc") => match current.field("callee")? {
                Some(FieldValue::Attribute(callee)) => Some(callee),
                _ => None,
            },
            _ => None,
        };
    }
    Ok(None)
}

/// Returns whether the name in the location of a user says more than the constant's own:
/// `jit(f)/Dense_0/dot_general` is within `jit(f)`.
pub(super) fn says_more(user: &str, constant: Option<&str>) -> bool {
    let Some(constant) = constant else { return true };
    user.strip_prefix(constant).is_some_and(|rest| rest.starts_with('/') && rest.len() > 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::limits::Limits;

    #[test]
    fn names_that_are_taken_get_a_number() {
        let budget = Limits::default().budget(1 << 20);
        let mut names = Names::default();
        let assigned =
            ["a", "a.1", "a", "a", "b"].map(|name| names.unique(name.to_owned(), &budget).unwrap());
        assert_eq!(assigned, ["a", "a.1", "a.2", "a.3", "b"]);
    }

    #[test]
    fn users_in_the_scope_of_a_constant_say_more() {
        assert!(says_more("jit(f)/Dense_0/dot_general", Some("jit(f)")));
        assert!(says_more("dot", None));
        for user in ["jit(f)", "jit(f)/", "jit(fg)/add", "jit(g)/add"] {
            assert!(!says_more(user, Some("jit(f)")), "{user}");
        }
    }

    #[test]
    fn paths_are_limited() {
        assert_eq!(joined("", "a"), "a");
        assert_eq!(joined("a", "b"), "a::b");
        let long = "x".repeat(4 * LONGEST);
        assert_eq!(joined(&long, "b"), long);
        assert_eq!(cut(&[b'x'; 1000]).len(), LONGEST);
        assert_eq!(cut(b"\xff"), "\u{fffd}");
    }
}
