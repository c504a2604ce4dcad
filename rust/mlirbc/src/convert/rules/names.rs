//! The operations of a row.

use serde::Deserialize;

/// The names of operations in a row; a name may end in `*`.
#[derive(Debug, Clone, Deserialize)]
#[serde(from = "OneOrSeveral")]
pub(in crate::convert) struct Names(Box<[Box<str>]>);

#[derive(Deserialize)]
#[serde(untagged)]
enum OneOrSeveral {
    One(Box<str>),
    Several(Box<[Box<str>]>),
}

impl From<OneOrSeveral> for Names {
    fn from(names: OneOrSeveral) -> Self {
        Self(match names {
            OneOrSeveral::One(name) => [name].into(),
            OneOrSeveral::Several(names) => names,
        })
    }
}

impl Names {
    /// Whether a row with these names is about an operation.
    pub(in crate::convert) fn cover(&self, name: &str) -> bool {
        self.0.iter().any(|pattern| covers(pattern, name))
    }
}

/// Whether a name is a pattern, or begins with the part before its `*`.
pub(in crate::convert) fn covers(pattern: &str, name: &str) -> bool {
    pattern.strip_suffix('*').map_or(pattern == name, |start| name.starts_with(start))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_stands_for_any_end() {
        let names = Names::from(OneOrSeveral::Several([Box::from("omp.*"), Box::from("acc.loop")].into()));
        assert!(names.cover("omp.task") && names.cover("acc.loop"));
        assert!(!names.cover("acc.loops") && !names.cover("om"));
    }
}
