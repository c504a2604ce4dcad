//! The text of types that files store as text: most dialects have no encoding for their types.
//!
//! Custom assembly reads the text of a type in this file only. `types` remembers the results by the index of the type, so
//! each text is read once for a module. A text that does not have the expected form has no parts, and its operation is
//! printed in generic form.

use std::borrow::Cow;
use std::cell::OnceCell;

use crate::attr::Type;
use crate::attr::text::brackets::split;
use crate::attr::text::dense::Element;
use crate::attr::text::parse::fields::LLVM_TYPES;
use crate::wire::limits::Limits;

use super::OperationDraft;

// Longer texts are not numbers, whatever they begin with.
const LONGEST_NUMBER: usize = 32;
// Longer texts are not compared each time.
const LONGEST_SHORT: usize = 64;

/// A type within the text of another type.
pub(in crate::print) struct TypePart<'t> {
    // LLVM's dialect omits the prefix of its own types within its types.
    prefix: &'static str,
    text: &'t str,
    parsed: OnceCell<Option<Type>>,
}

impl<'t> TypePart<'t> {
    pub(in crate::print) fn new(text: &'t str) -> Self {
        Self { prefix: "", text, parsed: OnceCell::new() }
    }

    fn in_llvm(text: &'t str) -> Self {
        let word = text.split(['<', ' ']).next().unwrap_or(text);
        let prefix = if LLVM_TYPES.contains(&word) { "!llvm." } else { "" };
        Self { prefix, ..Self::new(text) }
    }

    /// The text without the prefix of the dialect.
    pub(in crate::print) fn text(&self) -> &'t str {
        self.text
    }

    pub(in crate::print) fn write(&self, draft: &mut OperationDraft<'_, '_, '_>) {
        draft.text(self.prefix);
        draft.text(self.text);
    }

    /// The kind of numbers that it is.
    pub(super) fn number(&self) -> Option<Element> {
        Element::from_name(self.text.as_bytes()).filter(|_| self.text.len() <= LONGEST_NUMBER)
    }

    /// The whole text, if it is short.
    pub(super) fn short_text(&self) -> Option<Cow<'t, str>> {
        (self.text.len() <= LONGEST_SHORT).then(|| match self.prefix {
            "" => Cow::Borrowed(self.text),
            prefix => Cow::Owned([prefix, self.text].concat()),
        })
    }

    pub(super) fn is_parsed(&self) -> bool {
        self.parsed.get().is_some()
    }

    /// Returns the type in separate tables, or `None` if the text does not spell a type.
    pub(super) fn parsed(&self, most_memory: u64) -> Option<&Type> {
        let parse = || {
            let limits = Limits { max_memory: Some(most_memory), ..Limits::default() };
            match self.prefix {
                "" => Type::parse_with(self.text, &limits).ok(),
                prefix => Type::parse_with([prefix, self.text].concat(), &limits).ok(),
            }
        };
        self.parsed.get_or_init(parse).as_ref()
    }

    /// The number that stands in place of a type, for example a width.
    pub(in crate::print) fn as_integer(&self) -> Option<u64> {
        integer(self.text)
    }
}

/// The inputs and results of a function or graph type.
#[derive(Default)]
pub(in crate::print) struct TextSignature<'t> {
    pub(in crate::print) inputs: Vec<TypePart<'t>>,
    pub(in crate::print) results: Vec<TypePart<'t>>,
    pub(in crate::print) is_variadic: bool,
}

/// Whether a text is `!name`, with parameters or without.
pub(super) fn has_name(text: &[u8], name: &str) -> bool {
    let after_name = text.strip_prefix(b"!").and_then(|after_name| after_name.strip_prefix(name.as_bytes()));
    after_name.is_some_and(|after_name| matches!(after_name.first(), None | Some(b'<')))
}

fn inside<'t>(text: &'t str, name: &str) -> Option<&'t str> {
    text.strip_prefix('!')?.strip_prefix(name)?.strip_prefix('<')?.strip_suffix('>')
}

/// The parameters of `!name<a, b>`.
pub(super) fn parameters<'t>(text: &'t str, name: &str) -> Option<Vec<TypePart<'t>>> {
    let inner = inside(text, name)?;
    let part = if name.starts_with("llvm.") { TypePart::in_llvm } else { TypePart::new };
    match name {
        "wasmssa" => Some(vec![part(inner.strip_prefix("local ref to ")?)]),
        _ => Some(split(inner)?.into_iter().map(part).collect()),
    }
}

/// The length and the type of the elements of `4 x i8`.
pub(in crate::print) fn array(text: &str) -> Option<(u64, &str)> {
    let (length, element) = text.split_once(" x ")?;
    Some((integer(length)?, element))
}

/// How many levels `lvls = 2` and `lvls = 0 to 2` are.
pub(in crate::print) fn levels(text: &str) -> Option<i64> {
    let range = text.strip_prefix("lvls = ").filter(|range| range.len() <= 2 * LONGEST_NUMBER)?;
    match range.split_once(" to ") {
        Some((low, high)) => high.parse::<i64>().ok()?.checked_sub(low.parse().ok()?),
        None => Some(1),
    }
}

fn integer(text: &str) -> Option<u64> {
    text.parse().ok().filter(|_| text.len() <= LONGEST_NUMBER)
}

/// The parts of `!spirv.arm.graph<(a, b) -> c>`.
pub(super) fn graph_signature(text: &str) -> Option<TextSignature<'_>> {
    let (inputs, results) = inside(text, "spirv.arm.graph")?.strip_prefix('(')?.split_once(") -> ")?;
    let results = results.strip_prefix('(').map_or(Some(results), |rest| rest.strip_suffix(')'))?;
    let parts = |text| Some(split(text)?.into_iter().map(TypePart::new).collect());
    Some(TextSignature { inputs: parts(inputs)?, results: parts(results)?, is_variadic: false })
}

/// The parts of `!llvm.func<i32 (ptr, ...)>`.
pub(super) fn llvm_signature(text: &str) -> Option<TextSignature<'_>> {
    let inner = inside(text, "llvm.func")?.strip_suffix(')')?;
    let mut depth = 0usize;
    let mut open = None;
    // The last parenthesis at the top begins the parameters.
    for (at, byte) in inner.bytes().enumerate() {
        match byte {
            b'(' | b'<' | b'[' | b'{' => {
                if byte == b'(' && depth == 0 {
                    open = Some(at);
                }
                depth += 1;
            }
            // The end of an arrow is not a bracket.
            b'>' if at > 0 && inner.as_bytes().get(at - 1) == Some(&b'-') => {}
            b')' | b'>' | b']' | b'}' => depth = depth.checked_sub(1)?,
            _ => {}
        }
    }
    let (result, parameters) = (inner.get(..open?)?.trim_end(), inner.get(open? + 1..)?);
    let mut parameters = split(parameters)?;
    let is_variadic = parameters.last() == Some(&"...");
    if is_variadic {
        parameters.pop();
    }
    let inputs: Vec<_> = parameters.into_iter().map(TypePart::in_llvm).collect();
    let results: Vec<_> =
        Some(result).filter(|result| *result != "void").map(TypePart::in_llvm).into_iter().collect();
    let is_known = |part: &TypePart<'_>| !part.prefix.is_empty() || is_type(part.text);
    inputs.iter().chain(&results).all(is_known).then_some(TextSignature { inputs, results, is_variadic })
}

// Whether a text begins as a type: within a type of the dialect, MLIR does not read what the text of a file has.
fn is_type(text: &str) -> bool {
    const BUILTIN: &[&str] = &["complex", "index", "memref", "none", "tensor", "tf32", "tuple", "vector"];
    let name = text.split(['<', ' ']).next().unwrap_or(text);
    let has_width = |start: &str| {
        let width = name.strip_prefix(start).unwrap_or_default();
        width.starts_with(|first: char| first.is_ascii_digit())
            && width.bytes().all(|byte| byte.is_ascii_alphanumeric())
    };
    text.starts_with(['!', '('])
        || BUILTIN.contains(&name)
        || ["i", "si", "ui", "f", "bf"].into_iter().any(has_width)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spelled(parts: &[TypePart<'_>]) -> Vec<String> {
        parts.iter().map(|part| format!("{}{}", part.prefix, part.text)).collect()
    }

    #[test]
    fn function_types_have_results_and_parameters() {
        let types =
            llvm_signature("!llvm.func<struct<(i32, ptr)> (i32, ptr<3>, array<2 x i8>, ...)>").unwrap();
        assert_eq!(spelled(&types.results), ["!llvm.struct<(i32, ptr)>"]);
        assert_eq!(spelled(&types.inputs), ["i32", "!llvm.ptr<3>", "!llvm.array<2 x i8>"]);
        assert!(types.is_variadic);
        let empty = llvm_signature("!llvm.func<void ()>").unwrap();
        assert!(empty.results.is_empty() && empty.inputs.is_empty() && !empty.is_variadic);
        assert!(llvm_signature("!llvm.func<void (foo)>").is_none());
        assert!(llvm_signature("!llvm.ptr").is_none());
    }

    #[test]
    fn graph_types_have_inputs_and_results() {
        let types =
            graph_signature("!spirv.arm.graph<(!spirv.arm.tensor<2x3xf32>, i32) -> (i8, i16)>").unwrap();
        assert_eq!(spelled(&types.inputs), ["!spirv.arm.tensor<2x3xf32>", "i32"]);
        assert_eq!(spelled(&types.results), ["i8", "i16"]);
        assert!(graph_signature("!spirv.arm.graph<i32>").is_none());
    }

    #[test]
    fn parameters_are_between_commas() {
        let parts = |text, name| parameters(text, name).map(|parts| spelled(&parts));
        assert_eq!(
            parts("!spirv.ptr<!spirv.struct<(f32, i8)>, Uniform>", "spirv.ptr").unwrap(),
            ["!spirv.struct<(f32, i8)>", "Uniform"]
        );
        assert_eq!(
            parts("!llvm.ptr<struct<(i8, ptr)>, 3>", "llvm.ptr").unwrap()[0],
            "!llvm.struct<(i8, ptr)>"
        );
        assert_eq!(parts("!wasmssa<local ref to i32>", "wasmssa").unwrap(), ["i32"]);
        assert_eq!(parts("!wasmssa<i32>", "wasmssa"), None);
        assert_eq!(parts("!spirv.ptr", "spirv.ptr"), None);
        assert!(has_name(b"!llvm.ptr<3>", "llvm.ptr") && has_name(b"!llvm.ptr", "llvm.ptr"));
        assert!(!has_name(b"!llvm.ptrs", "llvm.ptr"));
    }

    #[test]
    fn numbers_are_short() {
        assert_eq!(levels("lvls = 3"), Some(1));
        assert_eq!(levels("lvls = 1 to 3"), Some(2));
        assert_eq!(levels(&format!("lvls = 0 to {}3", "0".repeat(99))), None);
        assert_eq!(TypePart::new("12").as_integer(), Some(12));
        assert_eq!(TypePart::new("i12").number(), Some(Element::Signless(12)));
        assert_eq!(TypePart::new(&format!("i{}1", "0".repeat(99))).number(), None);
    }
}
