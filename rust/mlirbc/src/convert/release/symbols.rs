//! Attributes and types that are stored as text, and the builds that were probed for them.
//!
//! `data/operations/symbols.tsv` lists the builds between which a name came or went
//! (`tools/operations/symbols.py`). The names in releases of LLVM are in `attribute_fields.tsv` and
//! `words.tsv`.

use std::sync::LazyLock;

use crate::release::{self, KnownRelease};

const TABLE: &str = include_str!("../../../data/operations/symbols.tsv");

static ROWS: LazyLock<Vec<(&str, Vec<Change>)>> = LazyLock::new(|| {
    let rows = TABLE.lines().filter(|line| line.contains('\t')).filter_map(|line| line.split_once('\t'));
    rows.map(|(name, cells)| (name, cells.split('\t').filter_map(Change::parse).collect())).collect()
});

/// The revision of the first build that was probed, JAX 0.4.31. The answers imply nothing for releases before
/// it.
const FIRST_ASKED: &str = "2024-07-27";

/// A build next to a change, and whether it has the name.
#[derive(Debug, Clone, Copy)]
struct Change {
    has_name: bool,
    day: &'static str,
}

impl Change {
    fn parse(cell: &'static str) -> Option<Self> {
        let has_name = cell.starts_with('+');
        let build = release::find(cell.get(1..)?).ok()??;
        Some(Self { has_name, day: build.revision() })
    }
}

/// Whether a release or build has an attribute or a type, by the builds that were probed; `None` if they do
/// not tell.
pub(super) fn has_symbol(release: &KnownRelease, name: &str) -> Option<bool> {
    let place = ROWS.binary_search_by_key(&name, |(known, _)| known).ok()?;
    let (_, changes) = ROWS.get(place)?;
    let day = release.revision();
    if day < FIRST_ASKED {
        return None;
    }
    let before = changes.iter().rfind(|change| change.day <= day);
    let after = changes.iter().find(|change| change.day >= day);
    match (before, after) {
        (Some(before), Some(after)) if before.has_name != after.has_name => None,
        (Some(known), _) | (None, Some(known)) => Some(known.has_name),
        (None, None) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn builds_tell_about_names() {
        assert!(ROWS.is_sorted_by(|(one, _), (next, _)| one < next));
        let has = |build: &str, name: &str| has_symbol(release::find(build).unwrap().unwrap(), name);
        // The builds report "unknown attribute `vec_type_hint` in dialect `llvm`" until jaxlib 0.4.31.
        for (build, answer) in [
            ("llvm-18", None),
            ("jaxlib-0.4.31", Some(false)),
            ("circt-1.100", Some(true)),
            ("iree-3.0", Some(true)),
            ("jaxlib-0.5", Some(true)),
            ("llvm-21", Some(true)),
        ] {
            assert_eq!(has(build, "#llvm.vec_type_hint"), answer, "{build}");
        }
        // JAX 0.5.3 does not have the name and IREE 3.4 has it; the branch of LLVM 21 is later.
        assert_eq!(has("jaxlib-0.5.3", "#llvm.blockaddress"), Some(false));
        assert_eq!(has("llvm-21", "#llvm.blockaddress"), Some(true));
        assert_eq!(has("llvm-22", "#builtin.nothing"), None);
    }

    // The tables of LLVM 22 list the names of `mlir-opt` and its records. Builds before and after must not
    // contradict them.
    #[test]
    fn builds_do_not_contradict_a_release() {
        let words = include_str!("../../../data/operations/words.tsv");
        let fields = include_str!("../../../data/operations/attribute_fields.tsv");
        let cells = |line: &'static str| line.split('\t').collect::<Vec<_>>();
        let newest = release::find("llvm-22").unwrap().unwrap();
        let has_row = |name: &str, llvm: &str| {
            let (sigil, short) = name.split_at(1);
            let is_word = |row: Vec<&str>| matches!(row[..], [of, kind, list] if of == llvm && kind == sigil && list.split(' ').any(|word| word == short));
            let is_class = |row: Vec<&str>| {
                row[0] == llvm && row.get(1).is_some_and(|of| of.trim_end_matches('?') == name)
            };
            words.lines().map(cells).any(is_word) || fields.lines().map(cells).any(is_class)
        };
        // A name without a row in any release belongs to a project.
        let is_listed = |name: &str| ["16", "19", "22", "23"].iter().any(|llvm| has_row(name, llvm));
        let answers = ROWS.iter().filter(|(name, _)| is_listed(name));
        let answers: Vec<_> =
            answers.filter_map(|(name, _)| Some((*name, has_symbol(newest, name)?))).collect();
        for (name, answer) in &answers {
            assert_eq!(*answer, has_row(name, "22"), "{name}");
        }
        assert!(answers.len() > 40, "{}", answers.len());
    }
}
