//! Finds a release that has the operations of a text.
//!
//! Owns [`TextRelease`] and the choice among releases. The search runs only when the release that a text was
//! parsed for lacks an operation: a text that assembles for the default release keeps it, and is not scanned.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};

use crate::ops::OperationDefinitions;
use crate::props::registry::Schemas;
use crate::release::{KnownRelease, Release, releases, waiting};

/// The number of operation names that are considered; further names rarely change the result.
const MOST_NAMES: usize = 4096;

/// A release that has the operations of a text.
///
/// ```
/// use mlirbc::parse::TextRelease;
/// let text = b"%0 = stablehlo.constant dense<1> : tensor<i32>";
/// let release = TextRelease::of(text, &mlirbc::Release::default()).unwrap();
/// assert_eq!((release.name, &*release.dialects), ("jaxlib-0.10", &["stablehlo".to_owned()][..]));
/// assert_eq!(TextRelease::of(b"%0 = arith.constant 1 : i32", &mlirbc::Release::default()), None);
/// ```
#[doc(hidden)]
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextRelease {
    /// The name of the release.
    pub name: &'static str,
    /// The dialects of the text that the default release lacks; empty if operations decided.
    pub dialects: Vec<String>,
    /// The first operation of the text that the default release lacks.
    pub operation: String,
}

impl TextRelease {
    /// Finds the release for a text whose operations `default` lacks; `None` if no release is better.
    ///
    /// Releases of LLVM come first, then JAX, then IREE, the newest of each first. The result is the first
    /// release that defines all operations in custom form, or else the first one that has their dialects.
    pub fn of(text: &[u8], default: &Release) -> Option<Self> {
        Self::of_forms(text, default, Forms::Custom)
    }

    /// As [`Self::of`], for a text whose operations in generic form decide, too.
    pub(super) fn of_any_form(text: &[u8], default: &Release) -> Option<Self> {
        Self::of_forms(text, default, Forms::Any)
    }

    fn of_forms(text: &[u8], default: &Release, forms: Forms) -> Option<Self> {
        let default = OperationDefinitions::of(default)?;
        load_packs_of(text);
        let candidates = candidates(default.release());
        let names = operation_names(text, &candidates, forms);
        let operation = names.iter().find(|name| !default.has(name))?;
        let dialect = |name: &&str| name.split('.').next().unwrap_or_default().to_owned();
        let dialects: BTreeSet<String> = names.iter().map(dialect).collect();
        // A pack is chosen only for its own operations. The release that it includes has the others.
        let is_meant = |release: &&&OperationDefinitions| {
            !release.is_of_pack() || release.operations_of_pack().any(|own| names.contains(own))
        };
        let has_all = |release: &&&OperationDefinitions| names.iter().all(|name| release.has(name));
        let has_dialects = |release: &&&OperationDefinitions| {
            dialects.iter().all(|dialect| release.includes_dialect(dialect))
        };
        let chosen = candidates.iter().filter(is_meant).find(has_all);
        let chosen = chosen.or_else(|| candidates.iter().filter(is_meant).find(has_dialects))?;
        (chosen.release() != default.release()).then(|| Self {
            name: chosen.release(),
            dialects: dialects.into_iter().filter(|dialect| !default.includes_dialect(dialect)).collect(),
            operation: (*operation).to_owned(),
        })
    }

    /// Returns the reason for the choice: "llvm-22 does not have the dialect `stablehlo`".
    pub fn reason(&self, default: &str) -> String {
        match &*self.dialects {
            [] => format!("{default} does not have the operation `{}`", self.operation),
            [dialect] => format!("{default} does not have the dialect `{dialect}`"),
            dialects => format!("{default} does not have the dialects `{}`", dialects.join("`, `")),
        }
    }
}

/// Lets the parser choose another release than its target, and stores the choice.
#[doc(hidden)]
#[derive(Debug, Clone, Default)]
pub struct TargetFinder {
    chosen: Arc<Mutex<Option<TextRelease>>>,
    /// Whether operations in generic form decide, too. An assembler makes unregistered operations of them, as
    /// `mlir-opt` does; a reader must not take them for operations without a definition.
    has_generic: bool,
}

impl TargetFinder {
    /// Creates a finder for which operations in generic form decide as those in custom form.
    pub fn of_any_form() -> Self {
        Self { has_generic: true, ..Self::default() }
    }

    /// Whether operations in generic form decide.
    pub(super) fn has_generic(&self) -> bool {
        self.has_generic
    }

    /// Returns the release that was chosen instead of the target; `None` if the text was parsed for the
    /// target.
    pub fn found(&self) -> Option<TextRelease> {
        self.chosen.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Stores a choice, for a text whose parts are parsed one by one.
    pub fn keep(&self, found: TextRelease) {
        *self.chosen.lock().unwrap_or_else(PoisonError::into_inner) = Some(found);
    }
}

/// Returns a hint with the releases that have a dialect that the target lacks; `None` if none is known.
pub(super) fn hint_for_dialect(dialect: &str, target: &str) -> Option<String> {
    waiting::load_for_dialect(dialect);
    let quoted = |names: Vec<&str>| format!("`{}`", names.join("`, `"));
    let defined = candidates(target).into_iter().skip(1).filter(|release| release.includes_dialect(dialect));
    let defined: Vec<&str> = defined.map(OperationDefinitions::release).collect();
    if !defined.is_empty() {
        let verb = if defined.len() == 1 { "has" } else { "have" };
        return Some(format!(
            "{} {verb} it; choose a release with `--target` or `--release` or `target=`",
            quoted(defined)
        ));
    }
    let schemas = Schemas::snapshot(&[]);
    let has = |release: &&KnownRelease| {
        schemas.find(&release.name).is_ok_and(|schema| schema.has_dialect(dialect.as_bytes()))
    };
    let text_only: Vec<&str> =
        newest_of_families().into_iter().filter(has).map(|release| &*release.name).collect();
    let verb = if text_only.len() == 1 { "has" } else { "have" };
    (!text_only.is_empty()).then(|| {
        format!("{} {verb} it, and only the generic form of its operations can be read", quoted(text_only))
    })
}

/// Returns the releases with definitions: `default`, and then the others in order of preference.
fn candidates(default: &str) -> Vec<&'static OperationDefinitions> {
    let row_of = |name: &str| releases().unwrap_or_default().iter().find(|release| *release.name == *name);
    let rank = |name: &str| {
        let row = row_of(name);
        let family = FAMILIES.iter().position(|family| *family == family_of(name)).unwrap_or(FAMILIES.len());
        (family, std::cmp::Reverse(row.map_or("", KnownRelease::revision)))
    };
    let mut names: Vec<&'static str> =
        OperationDefinitions::releases().filter(|name| *name != default).collect();
    crate::wire::order::sort_by(&mut names, |one, other| rank(one).cmp(&rank(other)));
    let first = OperationDefinitions::named(default);
    // A pack that the user brought is meant, and includes a release of LLVM.
    let of_packs = OperationDefinitions::of_packs().filter(|of_pack| of_pack.release() != default);
    let shipped = names.into_iter().filter_map(OperationDefinitions::named);
    first.into_iter().chain(of_packs).chain(shipped).collect()
}

/// Families of releases, preferred ones first.
const FAMILIES: [&str; 3] = ["llvm", "jaxlib", "iree"];

fn family_of(release: &str) -> &str {
    release.rsplit_once('-').map_or(release, |(family, _)| family)
}

fn newest_of_families() -> Vec<&'static KnownRelease> {
    let mut newest: Vec<&'static KnownRelease> = Vec::new();
    for release in releases().unwrap_or_default() {
        match newest.iter_mut().find(|known| family_of(&known.name) == family_of(&release.name)) {
            Some(known) if known.revision() < release.revision() => *known = release,
            Some(_) => {}
            None => newest.push(release),
        }
    }
    newest
}

/// Loads the installed packs with a dialect before a dot in a text.
fn load_packs_of(text: &[u8]) {
    if !waiting::is_any() {
        return;
    }
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$');
    let before_dots = text.split(|byte| *byte == b'.');
    let words = before_dots.map(|part| {
        let start = part.iter().rposition(|byte| !is_word(byte)).map_or(0, |place| place + 1);
        part.get(start..).unwrap_or_default()
    });
    let words: BTreeSet<&[u8]> = words.collect();
    waiting::load_for_dialects(|dialect| words.contains(dialect.as_bytes()));
}

/// The forms of operations that decide.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Forms {
    Custom,
    Any,
}

/// Returns the operations in custom form in a text: words with a dot that some release defines, outside of
/// strings and comments, without a sigil before them, and not the name of an attribute. Operations in generic form are
/// strings with a parenthesis after them.
fn operation_names<'t>(
    text: &'t [u8],
    candidates: &[&OperationDefinitions],
    forms: Forms,
) -> BTreeSet<&'t str> {
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'.');
    let (mut names, mut words) = (BTreeSet::new(), BTreeSet::new());
    let mut at = 0;
    while let Some(&byte) = text.get(at) {
        let tail = text.get(at..).unwrap_or_default();
        let word = tail.iter().position(|&byte| !is_word(byte)).unwrap_or(tail.len());
        at += match byte {
            b'"' => {
                let (string, after) = tail.split_at(string_length(tail).min(tail.len()));
                let is_operation = forms == Forms::Any && after.first() == Some(&b'(');
                let name = string.strip_prefix(b"\"").and_then(|name| name.strip_suffix(b"\""));
                if let Some(name) = name.filter(|name| is_operation && name.contains(&b'.'))
                    && words.len() < MOST_NAMES
                    && words.insert(name)
                {
                    let name = std::str::from_utf8(name).unwrap_or_default();
                    names.extend(candidates.iter().any(|release| release.has(name)).then_some(name));
                }
                string.len()
            }
            b'/' if tail.starts_with(b"//") => {
                tail.iter().position(|&byte| byte == b'\n').unwrap_or(tail.len())
            }
            b'#' | b'!' | b'%' | b'@' | b'^' => {
                1 + tail.iter().skip(1).position(|&byte| !is_word(byte)).unwrap_or(tail.len() - 1)
            }
            _ if word == 0 => 1,
            _ => {
                let (name, after) = tail.split_at(word);
                let is_attribute = after.trim_ascii_start().first() == Some(&b'=');
                let is_dotted = byte.is_ascii_alphabetic() && name.contains(&b'.');
                if is_dotted && !is_attribute && words.len() < MOST_NAMES && words.insert(name) {
                    let name = std::str::from_utf8(name).unwrap_or_default();
                    if candidates.iter().any(|release| release.has(name)) {
                        names.insert(name);
                    }
                }
                word
            }
        };
    }
    names
}

/// Returns the length of the string at the beginning of a text.
fn string_length(text: &[u8]) -> usize {
    let mut at = 1;
    while let Some(&byte) = text.get(at) {
        at += 1;
        match byte {
            b'"' => break,
            b'\\' => at += 1,
            _ => {}
        }
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(text: &str) -> Option<&'static str> {
        TextRelease::of(text.as_bytes(), &Release::named("llvm-22")).map(|release| release.name)
    }

    #[test]
    fn dialects_decide_and_then_operations() {
        assert_eq!(name("%0 = stablehlo.add %a, %b : tensor<f32>"), Some("jaxlib-0.10"));
        assert_eq!(name("sdy.mesh @mesh = <[\"x\"=2]>"), Some("jaxlib-0.10"));
        assert_eq!(name("%0 = stablehlo.abs %a : t\nutil.return %0 : t"), Some("iree-3.13"));
        // Release 22 removed the operation.
        assert_eq!(name("%0 = tosa.fully_connected %a, %b, %c : (t, t, t) -> t"), Some("llvm-19"));
        assert_eq!(name("%0 = arith.addi %a, %a : i32"), None);
        assert_eq!(name("%0 = frobnicate.it %a : i32"), None);
    }

    #[test]
    fn words_that_are_no_operations_decide_nothing() {
        for text in [
            "// stablehlo.add\narith.constant",
            "\"stablehlo.add\"() : () -> ()",
            "#stablehlo.add !stablehlo.add %stablehlo.add @stablehlo.add",
            "{stablehlo.add = 1 : i32}",
            "\"\\\" stablehlo.add",
        ] {
            assert_eq!(name(text), None, "{text}");
        }
    }

    #[test]
    fn generic_forms_decide_where_they_are_read() {
        let any = |text: &str| {
            TextRelease::of_any_form(text.as_bytes(), &Release::named("llvm-22")).map(|release| release.name)
        };
        assert_eq!(any("%0 = \"stablehlo.add\"(%a, %b) : (t, t) -> t"), Some("jaxlib-0.10"));
        assert_eq!(any("{name = \"stablehlo.add\"}"), None);
        assert_eq!(any("\"foo.bar\"() : () -> ()"), None);
        assert_eq!(any("\"stablehlo.add"), None);
    }

    #[test]
    fn the_hint_names_releases() {
        let hint = hint_for_dialect("stablehlo", "llvm-22").unwrap();
        assert!(hint.contains("`jaxlib-0.10`") && hint.contains("--target"), "{hint}");
        assert!(hint_for_dialect("hw", "llvm-22").unwrap().starts_with("`circt-1.162` has it"));
        assert_eq!(hint_for_dialect("frobnicate", "llvm-22"), None);
    }
}
