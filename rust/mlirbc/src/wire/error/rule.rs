//! The tables of rules, one for each domain, and the table of all rules.

use super::kind::ErrorKind;
use super::{
    assembly, container, declarations, editing, entries, ir, layout, limits, operations, properties,
    resources, system, text, writing,
};

/// The part that has to change for an error to disappear.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorClass {
    /// The file violates a rule of the format.
    Read,
    /// The file needs more than the [`Limits`](crate::wire::limits::Limits) allow.
    Limit,
    /// The file, or the requested result, needs something that this release does not support.
    Unsupported,
    /// An argument is invalid: a table, a schema, a text, a value.
    Invalid,
    /// An operation of the operating system failed.
    Io,
    /// The caller requested to stop.
    Interrupted,
}

/// A row of the error table.
#[derive(Debug, Clone, Copy)]
pub struct Rule {
    /// The kind that carries this rule.
    pub kind: ErrorKind,
    /// Stable identifier, e.g. `mlirbc.read.truncated`.
    pub identifier: &'static str,
    /// The class of the kind.
    pub class: ErrorClass,
    /// The rule in one sentence.
    pub summary: &'static str,
    /// Advice for the user; [`Error::with_hint`](super::Error::with_hint) overrides it.
    pub hint: Option<&'static str>,
}

pub(super) const DAMAGED: Option<&str> =
    Some("the file is damaged or incomplete; download or write it again");
pub(super) const WRITER: Option<&str> =
    Some("no MLIR release writes this; report it to the authors of the tool that wrote the file");

/// The rules of one part of the library.
#[derive(Debug, Clone, Copy)]
pub struct Domain {
    /// The name, e.g. `Data layout`.
    pub name: &'static str,
    /// The subject of the rules, in one sentence.
    pub summary: &'static str,
    /// The rules, in the order of [`ErrorKind`].
    pub rules: &'static [Rule],
}

/// Every domain; `docs/reference/errors.md` has a section for each.
pub const DOMAINS: &[Domain] = &[
    Domain {
        name: "Container",
        summary: "The container: the kind of file, its version, sections, strings and tables.",
        rules: container::RULES,
    },
    Domain {
        name: "Attributes and types",
        summary: "The encoding of attributes and types.",
        rules: entries::RULES,
    },
    Domain { name: "Properties", summary: "Property blobs and native properties.", rules: properties::RULES },
    Domain { name: "Resources", summary: "The resource sections.", rules: resources::RULES },
    Domain {
        name: "IR",
        summary: "Operations, regions, blocks and values, as they are stored.",
        rules: ir::RULES,
    },
    Domain {
        name: "Operations",
        summary: "What MLIR's verifier requires of operations beyond their definitions, as `mlirbc verify --ops` checks it.",
        rules: operations::RULES,
    },
    Domain {
        name: "Limits",
        summary: "The limits of memory, depth, text and hooks of dialects.",
        rules: limits::RULES,
    },
    Domain {
        name: "Declarations",
        summary: "Dialect tables, property schemas and the names of releases, as callers pass them.",
        rules: declarations::RULES,
    },
    Domain {
        name: "Text",
        summary: "The text of attributes and types, as callers pass it.",
        rules: text::RULES,
    },
    Domain {
        name: "Assembly",
        summary: "The text of modules, in generic or custom form.",
        rules: assembly::RULES,
    },
    Domain {
        name: "Editing",
        summary: "Values that callers create, and edits of modules.",
        rules: editing::RULES,
    },
    Domain {
        name: "Writing and conversion",
        summary: "What a target version or a target release cannot represent.",
        rules: writing::RULES,
    },
    Domain {
        name: "Data layout",
        summary: "Data layout specifications, system descriptions and queries.",
        rules: layout::RULES,
    },
    Domain { name: "System", summary: "The operating system, and requests to stop.", rules: system::RULES },
];

/// Every rule, in the order of [`ErrorKind`].
pub const RULES: &[Rule] = &ALL;

const COUNT: usize = ErrorKind::Interrupted as usize + 1;

const ALL: [Rule; COUNT] = {
    let mut all = [system::RULES[0]; COUNT];
    let (mut domain, mut count) = (0, 0);
    while domain < DOMAINS.len() {
        let rules = DOMAINS[domain].rules;
        let mut row = 0;
        while row < rules.len() {
            assert!(rules[row].kind as usize == count, "a row is not in the order of `ErrorKind`");
            all[count] = rules[row];
            row += 1;
            count += 1;
        }
        domain += 1;
    }
    assert!(count == COUNT, "a kind has no row");
    all
};

/// Creates the table of a domain: kind, identifier, class, summary and hint of each rule.
macro_rules! rules {
    ($($kind:ident $identifier:literal $class:ident $summary:literal $hint:expr;)*) => {
        pub(super) const RULES: &[super::rule::Rule] = &[$(super::rule::Rule {
            kind: super::kind::ErrorKind::$kind,
            identifier: concat!("mlirbc.", $identifier),
            class: super::rule::ErrorClass::$class,
            summary: $summary,
            hint: $hint,
        }),*];
    };
}

pub(super) use rules;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifiers_are_unique() {
        let mut seen: Vec<_> = RULES.iter().map(|r| r.identifier).collect();
        seen.sort_unstable();
        seen.dedup();
        assert_eq!(seen.len(), RULES.len());
    }
}
