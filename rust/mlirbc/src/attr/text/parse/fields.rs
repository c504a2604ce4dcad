//! The order in which attributes and types of dialects without tables print their named fields.
//!
//! Owns the rows of `data/operations/attribute_fields.tsv`, and the additional rules of classes with C++
//! printers.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::iree;
use crate::release::Llvm;
use crate::wire::order::sort_by;

/// Types of the LLVM dialect that are written without the name of the dialect in another type of the dialect
/// (`mlir/lib/Dialect/LLVMIR/IR/LLVMTypeSyntax.cpp`, `parseTypeImpl`). LLVM 20 has no `x86_mmx`.
pub(crate) const LLVM_TYPES: &[&str] = &[
    "array",
    "func",
    "label",
    "metadata",
    "ppc_fp128",
    "ptr",
    "struct",
    "target",
    "token",
    "vec",
    "void",
    "x86_amx",
    "x86_mmx",
];

/// A named field of an attribute or a type.
pub(crate) struct NamedField {
    pub(crate) name: &'static str,
    /// Whether the number is printed with a type.
    is_integer: bool,
    /// Whether the class of the value prints a space first.
    is_spaced: bool,
    /// The only class of the values, which are printed without the name of this class.
    pub(crate) class: Option<&'static str>,
    /// The value with which the field is not printed.
    pub(crate) default: Option<&'static str>,
}

/// The fields that a class prints in angle brackets.
struct ClassFields {
    named: Vec<NamedField>,
    /// Whether the class prints no brackets if it prints no field.
    may_be_bare: bool,
}

type ReleaseRows = HashMap<&'static str, ClassFields>;

/// The rows of each release.
static ROWS: LazyLock<HashMap<&'static str, ReleaseRows>> = LazyLock::new(|| {
    let mut rows: HashMap<&'static str, ReleaseRows> = HashMap::new();
    for line in include_str!("../../../../data/operations/attribute_fields.tsv").lines() {
        if let Some((release, name, fields)) = row(line) {
            rows.entry(release).or_default().insert(name, fields);
        }
    }
    rows
});

fn row(line: &'static str) -> Option<(&'static str, &'static str, ClassFields)> {
    let mut cells = line.split('\t');
    let (release, name, fields) = (cells.next()?, cells.next()?, cells.next()?);
    let named = fields.split(',').map(|field| {
        let (field, default) = match field.split_once('=') {
            Some((field, default)) => (field, Some(default)),
            None => (field, None),
        };
        let (name, mark) = field.split_once(':').unwrap_or((field, ""));
        let class = Some(mark).filter(|mark| mark.contains('.'));
        NamedField { name, is_integer: mark == "integer", is_spaced: mark == "spaced", class, default }
    });
    let named = named.collect();
    Some(match name.strip_suffix('?') {
        Some(name) => (release, name, ClassFields { named, may_be_bare: true }),
        None => (release, name, ClassFields { named, may_be_bare: false }),
    })
}

fn fields_of(release: Llvm, name: &str) -> Option<&'static ClassFields> {
    let row = |release| ROWS.get(release).and_then(|rows: &'static ReleaseRows| rows.get(name));
    match release.class_fields() {
        // Development builds have most classes of the release before.
        "24" => row("24").or_else(|| row("23")),
        version => row(version),
    }
}

/// Returns the fields of a class in the text of a release; `None` if the release has no such class with named
/// fields. The name begins with `#` or `!`.
pub(crate) fn named_fields(release: Llvm, name: &str) -> Option<&'static [NamedField]> {
    fields_of(release, name).map(|fields| &*fields.named)
}

/// Returns the characters of a text outside of strings: the position of each character, the character, and
/// the previous one. In a string, a backslash escapes the next character, which may be another backslash.
pub(crate) fn outside_strings(text: &str) -> impl Iterator<Item = (usize, char, char)> {
    let (mut is_string, mut is_escaped, mut before) = (false, false, ' ');
    text.char_indices().filter_map(move |(place, letter)| {
        let previous = std::mem::replace(&mut before, letter);
        let was_string = is_string;
        match letter {
            _ if is_escaped => is_escaped = false,
            '\\' if is_string => is_escaped = true,
            '"' => is_string = !is_string,
            _ => {}
        }
        (!was_string && letter != '"').then_some((place, letter, previous))
    })
}

/// Returns the positions of `#` and `!` outside of strings.
pub(crate) fn symbols(text: &str) -> Vec<usize> {
    outside_strings(text)
        .filter(|(_, letter, _)| matches!(letter, '#' | '!'))
        .map(|(place, ..)| place)
        .collect()
}

/// Returns the name of a symbol, with its `#` or `!`, and the text after it.
pub(crate) fn split_symbol(text: &str) -> Option<(&str, &str)> {
    let is_of_name = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'$');
    text.split_at_checked(1 + text.bytes().skip(1).take_while(is_of_name).count())
}

/// Splits a text at commas outside of brackets and strings.
pub(crate) fn parts(text: &str) -> Vec<&str> {
    let (mut parts, mut start, mut depth) = (Vec::new(), 0, 0_usize);
    for (place, letter, before) in outside_strings(text) {
        match letter {
            '<' | '(' | '[' | '{' => depth += 1,
            '>' if before == '-' => {}
            '>' | ')' | ']' | '}' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                parts.push(text.get(start..place).unwrap_or_default().trim());
                start = place + 1;
            }
            _ => {}
        }
    }
    parts.push(text.get(start..).unwrap_or_default().trim());
    parts
}

/// Splits a text at the first ` = ` outside of brackets and strings.
pub(crate) fn key_and_value(text: &str) -> Option<(&str, &str)> {
    const BETWEEN: &str = " = ";
    let mut depth = 0_usize;
    for (place, letter, before) in outside_strings(text) {
        match letter {
            '<' | '(' | '[' | '{' => depth += 1,
            '>' if before == '-' => {}
            '>' | ')' | ']' | '}' => depth = depth.saturating_sub(1),
            ' ' if depth == 0 && text.get(place..).is_some_and(|rest| rest.starts_with(BETWEEN)) => {
                return Some((text.get(..place)?, text.get(place + BETWEEN.len()..)?));
            }
            _ => {}
        }
    }
    None
}

/// The maximum depth to which values without a name are arranged.
const MAX_DEPTH: u32 = 24;

/// Prints `name = value, …` in the order of the fields; `None` if the text has other fields.
fn arranged(release: Llvm, fields: &[NamedField], body: &str, depth: u32) -> Option<String> {
    let mut values = Vec::new();
    for part in parts(body) {
        let (name, value) = part.split_once('=')?;
        let place = fields.iter().position(|field| field.name == name.trim())?;
        values.push((place, value.trim()));
    }
    sort_by(&mut values, |a, b| a.0.cmp(&b.0));
    let mut out = String::new();
    for (place, value) in values {
        let field = fields.get(place)?;
        if field.default == Some(value) {
            continue;
        }
        if !out.is_empty() {
            out.push_str(", ");
        }
        out.push_str(field.name);
        out.push_str(if field.is_spaced && !value.starts_with(['<', '#']) { " =  " } else { " = " });
        out.push_str(&value_of(release, field, value, depth));
    }
    Some(out)
}

fn value_of(release: Llvm, field: &NamedField, value: &str, depth: u32) -> String {
    let digits = value.strip_prefix('-').unwrap_or(value);
    if field.is_integer && !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return format!("{value} : i64");
    }
    let Some(class) = field.class else { return value.to_owned() };
    let named = value.strip_prefix('#').and_then(|rest| rest.strip_prefix(class));
    let value = named.filter(|rest| rest.starts_with('<')).unwrap_or(value);
    let inner = value.strip_prefix('<').and_then(|rest| rest.strip_suffix('>'));
    let fields = inner.zip(fields_of(release, &format!("#{class}"))).filter(|_| depth < MAX_DEPTH);
    match fields.and_then(|(inner, fields)| arranged(release, &fields.named, inner, depth + 1)) {
        Some(inner) => format!("<{inner}>"),
        None => value.to_owned(),
    }
}

/// Returns the body of a symbol after its `<`, up to the matching `>`.
pub(crate) fn body_of(text: &str) -> Option<&str> {
    let mut depth = 0_usize;
    for (place, letter, before) in outside_strings(text) {
        match letter {
            '<' | '(' | '[' | '{' => depth += 1,
            '>' if before == '-' => {}
            '>' if depth == 0 => return text.get(..place),
            '>' | ')' | ']' | '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    None
}

/// Orders the fields of all symbols in the text of a symbol, which begins with `#` or `!`. `charge` is called
/// with the number of bytes that are copied.
pub(super) fn ordered<E>(
    release: Llvm,
    text: String,
    mut charge: impl FnMut(usize) -> Result<(), E>,
) -> Result<String, E> {
    let mut text = text;
    // Inner symbols begin after outer ones.
    for start in symbols(&text).into_iter().rev() {
        let Some((name, after)) = split_symbol(text.get(start..).unwrap_or_default()) else { continue };
        let fields = fields_of(release, name);
        let is_arranged = fields.is_some()
            || matches!(name, "#xegpu.mem_layout" | "!xegpu.tensor_desc")
            || iree::has_body(name);
        // Most symbols stay unchanged, and a symbol may be within as many other symbols as the text has
        // characters.
        if !is_arranged {
            continue;
        }
        let Some(body) = after.strip_prefix('<').and_then(body_of) else { continue };
        charge(body.len())?;
        let new = match (name, fields) {
            (_, Some(fields)) => arranged(release, &fields.named, body, 0),
            ("#xegpu.mem_layout", None) => by_name(body),
            ("!xegpu.tensor_desc", None) => Some(tensor_descriptor(body)),
            _ => iree::body(name, body),
        };
        if let Some(new) = new.filter(|new| new != body || new.is_empty()) {
            charge(text.len())?;
            let is_bare = new.is_empty() && fields.is_none_or(|fields| fields.may_be_bare);
            let from = start + name.len() + usize::from(!is_bare);
            let to = start + name.len() + 1 + body.len() + usize::from(is_bare);
            text.replace_range(from..to, &new);
        }
    }
    Ok(text)
}

/// Sorts the entries of a dictionary.
pub(super) fn by_name(body: &str) -> Option<String> {
    let mut entries = parts(body);
    if !entries.iter().all(|part| part.contains('=')) {
        return None;
    }
    sort_by(&mut entries, Ord::cmp);
    Some(entries.join(", "))
}

/// Moves the encoding before the layout, and omits an encoding that has only defaults.
fn tensor_descriptor(body: &str) -> String {
    const DEFAULTS: [&str; 3] = ["memory_space =  global", "array_length = 1 : i64", "boundary_check = true"];
    let mut fields = parts(body);
    fields.retain(|part| {
        let inner = part.strip_prefix("#xegpu.block_tdesc_attr<").and_then(|rest| rest.strip_suffix('>'));
        inner.is_none_or(|inner| {
            !parts(inner).iter().all(|field| field.is_empty() || DEFAULTS.contains(field))
        })
    });
    let rank = |part: &&str| match () {
        () if !part.starts_with('#') => 0,
        () if part.contains("_tdesc_attr<") => 1,
        () => 2,
    };
    sort_by(&mut fields, |a, b| rank(a).cmp(&rank(b)));
    fields.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ordered_text(text: &str) -> String {
        ordered(Llvm::NEWEST, text.to_owned(), |_| Ok::<(), ()>(())).unwrap()
    }

    // MLIR prints a backslash as two, so a Windows folder may end with two backslashes before the quotation
    // mark.
    #[test]
    fn a_backslash_before_the_end_of_a_string_is_no_escape() {
        let text = r#""C:\\a\\", #b.c<"x\"y, #z", 1>"#;
        assert_eq!(parts(text), [r#""C:\\a\\""#, r##"#b.c<"x\"y, #z", 1>"##]);
        assert_eq!(symbols(text), [text.find("#b").unwrap()]);
        assert_eq!(body_of(r#""a\\">, "b">"#), Some(r#""a\\""#));
        assert_eq!(key_and_value(r#""a\\" = 1"#), Some((r#""a\\""#, "1")));
    }

    #[test]
    fn a_quote_within_a_string_does_not_end_it() {
        // The first symbol is in a string, and stays unchanged.
        assert_eq!(
            ordered_text(
                r##"#x.y<"a\" #gpu.loop_dim_map<bound = 1, map = 2, processor = 3>", #gpu.loop_dim_map<bound = 1, map = 2, processor = 3>>"##
            ),
            r##"#x.y<"a\" #gpu.loop_dim_map<bound = 1, map = 2, processor = 3>", #gpu.loop_dim_map<processor = 3, map = 2, bound = 1>>"##
        );
    }

    #[test]
    fn fields_have_the_order_of_the_definition() {
        assert_eq!(
            ordered_text("#gpu.loop_dim_map<bound = (d0) -> (d0), map = (d0) -> (d0), processor = thread_x>"),
            "#gpu.loop_dim_map<processor = thread_x, map = (d0) -> (d0), bound = (d0) -> (d0)>"
        );
        assert_eq!(
            ordered_text(
                "!xegpu.tensor_desc<4x8xf32, #xegpu.layout<lane_data = [1, 1], lane_layout = [1, 8]>, \
                #xegpu.block_tdesc_attr<array_length = 2>>"
            ),
            "!xegpu.tensor_desc<4x8xf32, #xegpu.block_tdesc_attr<array_length = 2 : i64>, \
             #xegpu.layout<lane_layout = [1, 8], lane_data = [1, 1]>>"
        );
        assert_eq!(
            ordered_text("!xegpu.tensor_desc<8xf32, #xegpu.block_tdesc_attr<array_length = 1>>"),
            "!xegpu.tensor_desc<8xf32>"
        );
        assert_eq!(
            ordered_text("#acc.declare<dataClause = acc_create>"),
            "#acc.declare<dataClause =  acc_create>"
        );
        assert_eq!(
            ordered_text("#nvvm.target<link = [\"a\"], flags = {fast}, chip = \"sm_90\", O = 2>"),
            "#nvvm.target<chip = \"sm_90\", flags = {fast}, link = [\"a\"]>"
        );
        assert_eq!(ordered_text("[#nvvm.target<chip = \"sm_50\">]"), "[#nvvm.target]");
    }

    #[test]
    fn symbols_within_one_another_are_charged_once_for_each_level() {
        let nested = |name: &str, depth: usize| {
            format!("{}1{}", format!("!{name}<a = ").repeat(depth), ">".repeat(depth))
        };
        let charged = |text: String| {
            let mut bytes = 0;
            let count = |more| {
                bytes += more;
                Ok::<(), ()>(())
            };
            ordered(Llvm::NEWEST, text, count).unwrap();
            bytes
        };
        assert_eq!(charged(nested("spirv.array", 1000)), 0);
        let (short, long) =
            (charged(nested("xegpu.tensor_desc", 100)), charged(nested("xegpu.tensor_desc", 200)));
        assert!(short > 100 * 100 && long > 3 * short, "{short} {long}");
    }

    #[test]
    fn other_texts_are_unchanged() {
        for text in ["#gpu.loop_dim_map<a>", "#gpu.loop_dim_map<", "#t.a<x = 1>", "#acc.declare<q = 2>", "#"]
        {
            assert_eq!(ordered_text(text), text);
        }
    }
}
