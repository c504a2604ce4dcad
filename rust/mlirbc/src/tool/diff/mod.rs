//! The difference between two modules: operations, their attributes, types and operands, weights, and
//! symbols.
//!
//! Owns [`Difference`]. `compared_module` hashes the operations of a module, `align` finds corresponding
//! operations, `walk` compares them, `excerpt` prints them, and `text` and `html` show the result.

mod align;
mod compared_module;
mod elements;
mod excerpt;
mod html;
mod symbols;
mod text;
mod walk;

use serde::Serialize;

use crate::ir::Module;
use crate::wire::error::Result;
use crate::wire::options::setters;

pub use elements::ElementsDifference;

/// Options of a comparison.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct DiffOptions {
    /// Compare the locations of operations and block arguments, too.
    pub locations: bool,
    /// Compare only the symbol with this name in each module.
    pub symbol: Option<String>,
    /// Treat private symbols that only differ in their names as equal. Changes show their canonical names,
    /// `private_0` and so on, in the order of the symbol table. Declarations keep their names.
    pub rename_private: bool,
}

setters! {
    DiffOptions {
        locations: bool,
        symbol: impl Into<Option<String>>,
        rename_private: bool,
    }
}

/// The kind of a change to an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ChangeKind {
    /// The operation is in the second module only.
    Added,
    /// The operation is in the first module only.
    Removed,
    /// The operation is at another place, and otherwise the same.
    Moved,
    /// The operation has different attributes, types, operands, successors or locations.
    Changed,
    /// The operation is a symbol with a different name.
    Renamed,
}

impl ChangeKind {
    /// Returns the sign at the beginning of a line: `+`, `-`, `>`, `~`, `=`.
    #[doc(hidden)]
    pub fn sign(self) -> char {
        match self {
            Self::Added => '+',
            Self::Removed => '-',
            Self::Moved => '>',
            Self::Changed => '~',
            Self::Renamed => '=',
        }
    }

    /// Returns the name: `added`, `removed`, `moved`, `changed`, `renamed`.
    #[doc(hidden)]
    pub fn name(self) -> &'static str {
        match self {
            Self::Added => "added",
            Self::Removed => "removed",
            Self::Moved => "moved",
            Self::Changed => "changed",
            Self::Renamed => "renamed",
        }
    }
}

/// An operation in one of the two modules.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Site {
    /// The path in its module.
    pub path: String,
    /// The text without regions, cut after some hundred bytes.
    pub text: String,
}

/// A single difference within an operation.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Detail {
    /// The kind of the detail: `attribute`, `result type`, `operand`, `operands`, `results`, `successor`,
    /// `block argument`, `region` or `location`.
    pub what: &'static str,
    /// The name of an attribute, or a number; may be empty.
    pub name: String,
    /// The text before; empty if there was none.
    pub before: String,
    /// The text after; empty if there is none.
    pub after: String,
    /// The difference of the numbers, if both are dense constants of one type.
    pub elements: Option<ElementsDifference>,
}

/// An operation that differs.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Change {
    /// The kind of the change.
    pub kind: ChangeKind,
    /// The symbols around it, outermost first, as `@outer::@inner`; empty outside of symbols.
    pub symbol: String,
    /// The operation in the first module.
    pub before: Option<Site>,
    /// The operation in the second module.
    pub after: Option<Site>,
    /// The differences within the operation.
    pub details: Vec<Detail>,
}

/// A line of a hunk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Line {
    /// An operation that did not change.
    Same(String),
    /// The number of a change.
    Change(usize),
}

/// Changes that are near each other in one block, with the operations around them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Hunk {
    /// The symbols around the changes, as in [`Change::symbol`].
    pub symbol: String,
    /// The lines in the order of the second module.
    pub lines: Vec<Line>,
}

/// How many operations there are of each kind of change.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Counts {
    /// The number of [`ChangeKind::Added`] operations.
    pub added: u64,
    /// The number of [`ChangeKind::Removed`] operations.
    pub removed: u64,
    /// The number of [`ChangeKind::Moved`] operations.
    pub moved: u64,
    /// The number of [`ChangeKind::Changed`] operations.
    pub changed: u64,
    /// The number of [`ChangeKind::Renamed`] operations.
    pub renamed: u64,
}

/// The difference between two modules.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Difference {
    /// Whether the modules are equal.
    pub equal: bool,
    /// The number of changes, including the changes that are not listed in `changes`.
    pub counts: Counts,
    /// The first ten thousand changes, in the order of the second module.
    pub changes: Vec<Change>,
    /// The number of changes that are not in `changes`.
    pub omitted: u64,
    /// Resources that are in one module only or have other data, and that no operation shows: group and key.
    pub resources: Vec<String>,
    /// The changes with the operations around them, for people.
    #[serde(skip)]
    pub hunks: Vec<Hunk>,
}

impl Difference {
    /// Compares two modules, which may be of different bytecode versions and releases.
    ///
    /// # Errors
    /// If a module is malformed or a limit is exceeded; [`crate::ErrorKind::Value`] if no module has the selected symbol.
    ///
    /// ```
    /// use mlirbc::tool::{DiffOptions, Difference};
    /// let module = mlirbc::Module::open("../../examples/two_layers.mlirbc")?;
    /// assert!(Difference::of(&module, &module, &DiffOptions::default())?.equal);
    ///
    /// let example = mlirbc::Module::from_bytes(mlirbc::doc_example())?;
    /// assert!(!Difference::of(&module, &example, &DiffOptions::default())?.equal);
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn of(before: &Module, after: &Module, options: &DiffOptions) -> Result<Self> {
        let comparable =
            |module: &Module| super::hash::comparable(module, options.locations, options.rename_private);
        let (old, new) = (comparable(before)?, comparable(after)?);
        let difference =
            walk::compare(old.as_ref().unwrap_or(before), new.as_ref().unwrap_or(after), options);
        before.tables().unless_lost(after.tables().unless_lost(difference))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::{ParseOptions, parse};

    fn artifact(name: &str) -> Module {
        Module::open(format!("../../tests/data/artifacts/{name}.jax")).unwrap()
    }

    fn text(name: &str) -> String {
        let (trained, other) = (artifact("layers_trained"), artifact(name));
        Difference::of(&trained, &other, &DiffOptions::default()).unwrap().to_text(false)
    }

    #[test]
    fn root_modules_correspond_whatever_their_names_are() {
        let text = text("layers_renamed");
        assert!(text.ends_with("\n5 changed, 1 renamed\n"), "{text}");
        assert!(text.contains("+ module @jit_predict") && text.contains("=   renamed"), "{text}");
    }

    #[test]
    fn weights_of_vhlo_differ_by_numbers() {
        let text = text("layers");
        assert!(
            text.contains("attribute value: 16x8xf32, 128 of 128 elements differ, by at most "),
            "{text}"
        );
        assert!(!text.contains("\"0x"), "{text}");
    }

    // The two functions have no operation in common.
    #[test]
    fn the_only_public_functions_correspond() {
        let module = |name: &str, op: &str, rest: &str| {
            let text =
                format!("func.func @{name}(%a: f32) -> f32 {{ %0 = {op} %a : f32 return %0 : f32 }} {rest}");
            parse(text, &ParseOptions::default()).unwrap()
        };
        let counts = |rest: &str| {
            let (before, after) = (module("forward", "math.exp", ""), module("main", "math.log", rest));
            Difference::of(&before, &after, &DiffOptions::default()).unwrap().counts
        };
        assert_eq!(counts(""), Counts { renamed: 1, added: 1, removed: 1, ..Counts::default() });
        let private = "func.func private @g(%a: f32) -> f32 { return %a : f32 }";
        assert_eq!(counts(private), Counts { renamed: 1, added: 2, removed: 1, ..Counts::default() });
        // If each module has two public functions, there is more than one candidate.
        let public = "func.func @g(%a: f32) -> f32 { return %a : f32 }";
        assert_eq!(counts(public), Counts { added: 2, removed: 1, ..Counts::default() });
    }
}
