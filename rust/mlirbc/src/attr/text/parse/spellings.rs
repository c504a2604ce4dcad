//! Spellings of single attributes and types of dialects without tables, as MLIR prints them.

use crate::release::Llvm;
use crate::wire::order::sort_by;

use super::fields::{body_of, outside_strings, parts};

pub(super) fn is_llvm_type(text: &[u8]) -> bool {
    [&b"func<"[..], b"struct<", b"array<", b"vec<", b"ptr<"].iter().any(|head| text.starts_with(head))
}

// Returns the start of a text that is an attribute with elements and its type.
pub(super) fn elements(text: &str) -> Option<&str> {
    let (mut depth, mut before, mut has_type) = (0_usize, ' ', false);
    for (place, letter) in text.char_indices() {
        match letter {
            '<' | '(' | '[' => depth += 1,
            '>' if before == '-' => {}
            '>' | ')' | ']' | ',' if depth == 0 => return text.get(..place).filter(|_| has_type),
            '>' | ')' | ']' => {
                depth -= 1;
                if depth == 0 && has_type {
                    return text.get(..=place);
                }
            }
            ':' if depth == 0 => has_type = true,
            _ => {}
        }
        before = letter;
    }
    None
}

// Returns the start of a text up to the `>` that closes its first `<`.
pub(super) fn in_brackets(text: &str) -> Option<&str> {
    let open = text.find('<')? + 1;
    let body = body_of(text.get(open..)?)?;
    text.get(..=open + body.len())
}

// Adds types: `range<[0 : i64, 4 : i64]>`, `select_object<1 : i64>`.
pub(super) fn with_types(text: &[u8]) -> Vec<u8> {
    let mut out: Vec<u8> = Vec::new();
    for &byte in text {
        if matches!(byte, b',' | b']' | b'>') && out.last().is_some_and(u8::is_ascii_digit) {
            let digits = out.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
            if matches!(out.get(out.len() - digits - 1), Some(b' ' | b'[' | b'<')) {
                out.extend_from_slice(b" : i64");
            }
        }
        out.push(byte);
    }
    out
}

/// Prints `mmra_tag<"a" : "b">` as `mmra_tag<"a":"b">`.
pub(super) fn without_spaces_at_colon(text: &[u8]) -> Vec<u8> {
    String::from_utf8_lossy(text).replace("\" : \"", "\":\"").into_bytes()
}

/// Prints `named_mesh<"m": <["x" = 2]>>` as `named_mesh<"m" : <["x"=2]>>`, and `user_origin<"f"(0)>` as
/// `user_origin<"f">` (`shardy/dialect/mpmd/ir/attrs.td` of the Shardy project).
pub(super) fn mpmd_text(text: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    let (mut is_string, mut is_escaped) = (false, false);
    let mut bytes = text.iter().copied().peekable();
    while let Some(byte) = bytes.next() {
        if is_string {
            is_string = is_escaped || byte != b'"';
            is_escaped = !is_escaped && byte == b'\\';
            out.push(byte);
            continue;
        }
        if matches!(byte, b'=' | b':') {
            out.truncate(out.trim_ascii_end().len());
            while bytes.next_if_eq(&b' ').is_some() {}
        }
        match byte {
            // A sub-axis, `"x":(1)2`, has no spaces.
            b':' if bytes.peek() == Some(&b'<') => out.extend_from_slice(b" : "),
            // A number of transpositions is not printed if it is zero.
            b')' if out.ends_with(b"\"(0") => out.truncate(out.len() - 2),
            _ => {
                is_string = byte == b'"';
                out.push(byte);
            }
        }
    }
    out
}

/// Prints `mask<0x33>` as `mask<51>`.
pub(super) fn with_decimal(text: &[u8]) -> Vec<u8> {
    let text = String::from_utf8_lossy(text);
    let digits = text.split_once("0x").and_then(|(_, rest)| rest.strip_suffix('>'));
    match (text.split_once("0x"), digits.and_then(|digits| u64::from_str_radix(digits, 16).ok())) {
        (Some((head, _)), Some(number)) => format!("{head}{number}>").into_bytes(),
        _ => text.into_owned().into_bytes(),
    }
}

/// Prints `object<#nvvm.target, fatbin = "…">` without a format that is the default.
pub(super) fn without_default_format(text: Vec<u8>) -> Vec<u8> {
    const DEFAULT: &[u8] = b", fatbin = \"";
    let start = text.windows(DEFAULT.len()).position(|window| window == DEFAULT);
    match start {
        Some(start) if !text.get(..start).is_some_and(|head| head.contains(&b'"')) => {
            let (head, tail) = (&text[..start], &text[start + DEFAULT.len() - 1..]);
            [head, b", ", tail].concat()
        }
        _ => text,
    }
}

// Whether a type of llvm in another one may have a part that LLVM has no type for: MLIR then prints its
// prefix.
pub(super) fn has_incompatible_type(text: &[u8]) -> bool {
    const OTHERS: [&str; 8] = ["complex<", "memref<", "tensor<", "tuple<", "index", "none", "ui", "si"];
    const NESTED: [&str; 5] = ["struct<", "array<", "func<", "vec<", "ptr<"];
    let text = String::from_utf8_lossy(text);
    let mut words = Vec::new();
    let mut is_string = false;
    for part in text.split_inclusive(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_') {
        if !is_string {
            words.push(part);
        }
        is_string ^= part.ends_with('"');
    }
    let is_other = |word: &&str| {
        let name = word.trim_end_matches(|letter: char| !letter.is_ascii_alphanumeric() && letter != '<');
        OTHERS.iter().any(|other| match *other {
            "ui" | "si" => name
                .strip_prefix(other)
                .is_some_and(|digits| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())),
            other => name == other,
        })
    };
    let is_small = |word: &&str| ["f4E", "f6E", "f8E", "tf32"].iter().any(|start| word.starts_with(start));
    let is_of_dialect = text.match_indices('!').any(|(place, _)| {
        let following = text.get(place + 1..).unwrap_or_default();
        !following.starts_with("llvm.") && !following.starts_with("ptr.")
    });
    let has_other = is_of_dialect || words.iter().any(|word| is_other(word) || is_small(word));
    has_other && words.iter().skip(1).any(|word| NESTED.contains(word))
}

// Prints `composite<8xi8, [a, b]>` with a line for each item; `None` if an item is another composite type.
/// `composite<8xi8, [a, b]>` with a line for each item; `None` if an item is another one of these.
pub(super) fn composite_text(text: &[u8]) -> Option<Vec<u8>> {
    let text = std::str::from_utf8(text).ok()?;
    let (head, items) = text.split_once('[')?;
    let items = items.strip_suffix("]>").filter(|items| !items.contains("#util.composite<"))?;
    let mut out = format!("{head}[");
    for item in parts(items).into_iter().filter(|item| !item.is_empty()) {
        out.push_str("\n    ");
        out.push_str(item);
        out.push(',');
    }
    out.push_str("\n]>");
    Some(out.into_bytes())
}

pub(super) fn limits_text(text: Vec<u8>) -> Vec<u8> {
    let mut out: Vec<u8> = Vec::new();
    for byte in text {
        if byte.is_ascii_digit() && out.last() == Some(&b':') {
            out.push(b' ');
        }
        if byte == b':' && out.last() == Some(&b' ') {
            out.pop();
        }
        out.push(byte);
    }
    out
}

// Returns a size before its `x`, and the length of both with the spaces around them.
fn dimension(text: &[u8]) -> Option<(&[u8], usize)> {
    let start = text.len() - text.trim_ascii_start().len();
    let trimmed = text.get(start..)?;
    let len = match trimmed.first()? {
        b'?' => 1,
        _ => trimmed.iter().take_while(|byte| byte.is_ascii_digit()).count(),
    };
    let size = trimmed.get(..len).filter(|size| !size.is_empty())?;
    let after = trimmed.get(len..)?.trim_ascii_start().strip_prefix(b"x")?.trim_ascii_start();
    Some((size, text.len() - after.len()))
}

// Types of the llvm dialect inside of another type of the dialect have no prefix, unless a type of another
// dialect is between them.
pub(super) fn without_prefix(text: &[u8], release: Llvm) -> Vec<u8> {
    const PREFIX: &[u8] = b"!llvm.";
    const SHAPED: [&[u8]; 3] = [b"vector<", b"tensor<", b"memref<"];
    let mut out: Vec<u8> = Vec::new();
    let mut place = 0;
    // The open angle brackets, and whether each belongs to a builtin type, where the prefix is needed.
    let mut open: Vec<bool> = Vec::new();
    let mut is_string = false;
    while let Some(&byte) = text.get(place) {
        let remaining = text.get(place..).unwrap_or_default();
        let is_builtin = open.last().copied().unwrap_or(false);
        if byte == b'"' {
            is_string = !is_string;
        }
        let is_prefix = !is_string && remaining.starts_with(PREFIX);
        if is_prefix && !is_builtin && matches!(out.last(), Some(b'<' | b'(' | b' ')) {
            place += PREFIX.len();
            continue;
        }
        match byte {
            _ if is_string => {}
            b'<' => {
                let is_shaped = SHAPED.iter().any(|name| {
                    out.strip_suffix(&name[..name.len() - 1])
                        .is_some_and(|head| !matches!(head.last(), Some(b'a'..=b'z' | b'_' | b'.')))
                });
                open.push(is_shaped);
                // `array<2xf32>` is `array<2 x f32>`.
                if out.ends_with(b"array") || out.ends_with(b"vec") {
                    out.push(byte);
                    place += 1;
                    while let Some((size, len)) = dimension(text.get(place..).unwrap_or_default()) {
                        out.extend_from_slice(size);
                        out.extend_from_slice(b" x ");
                        place += len;
                    }
                    continue;
                }
            }
            b'>' if out.last() != Some(&b'-') => drop(open.pop()),
            // `vector<4 x f32>` is `vector<4xf32>`.
            b' ' if is_builtin && (remaining.starts_with(b" x") || out.ends_with(b"x")) => {
                place += 1;
                continue;
            }
            // `array <`
            b' ' if remaining.starts_with(b" <") => {
                place += 1;
                continue;
            }
            _ => {}
        }
        out.push(byte);
        place += 1;
    }
    let text = String::from_utf8(out).unwrap_or_default().replace("ptr<0>", "ptr");
    let mut out = match release.prefixes_ppc_floats() {
        true => text.replace("!llvm.ppc_fp128", "ppc_fp128").replace("ppc_fp128", "!llvm.ppc_fp128"),
        false => text,
    }
    .into_bytes();
    if release.separates_vector_pointers_twice() && out.starts_with(b"vec<? x ") && out.ends_with(b" x ptr>")
    {
        out.truncate(out.len() - b"ptr>".len());
        out.extend_from_slice(b" ptr>");
    }
    out
}

// Prints the number of the device in `Qualcomm:IntegratedGPU:0x6040001` in decimal.
fn with_decimal_device(text: String) -> String {
    let number = text.split_once(":0x").and_then(|(before, rest)| {
        let digits = rest.bytes().take_while(u8::is_ascii_hexdigit).count();
        let (digits, rest) = rest.split_at(digits);
        Some(format!("{before}:{}{rest}", u32::from_str_radix(digits, 16).ok()?))
    });
    number.unwrap_or(text)
}

// Prints `array<4 x f32, stride=4>`.
pub(super) fn spirv_text(text: Vec<u8>) -> Vec<u8> {
    let Ok(text) = String::from_utf8(text) else { return Vec::new() };
    let mut text = text.replace("stride = ", "stride=").replace("api = ", "api=");
    if text.contains("struct<") && !text.starts_with("struct<") {
        // The decorations of members have no spaces, as below.
        text = text.replace(" = ", "=");
    }
    if text.starts_with("target_env<") {
        text = with_decimal_device(text).replace(", api=Unknown,", ",");
        // An unknown device type is not printed.
        text = text.replace(":Unknown,", ",").replace(":Unknown:", ":");
    }
    if text.starts_with("struct<") {
        // `[0, MatrixStride=16]`
        text = with_sorted_decorations(&text.replace(" = ", "="));
    }
    // A space precedes the decorations of a member.
    let mut spaced = String::new();
    for letter in text.chars() {
        if letter == '[' && spaced.ends_with(|last: char| last.is_ascii_alphanumeric() || last == '>') {
            spaced.push(' ');
        }
        spaced.push(letter);
    }
    let text = spaced;
    let mut out = String::new();
    let mut remaining = &*text;
    while let Some((before, after)) = remaining.split_once("array<") {
        out.push_str(before);
        out.push_str("array<");
        remaining = after;
        let digits = after.bytes().take_while(u8::is_ascii_digit).count();
        let (count, element) = after.split_at(digits);
        if digits > 0 && element.starts_with('x') {
            out.push_str(count);
            out.push_str(" x ");
            remaining = element.get(1..).unwrap_or_default().trim_start();
        }
    }
    out.push_str(remaining);
    out.into_bytes()
}

// Prints entries with the types of their numbers, in the form of the release.
pub(super) fn dlti_text(text: Vec<u8>, release: Llvm) -> Vec<u8> {
    let Ok(mut text) = String::from_utf8(text) else { return Vec::new() };
    // A number without a type has 64 bits.
    let mut typed = String::new();
    let mut brackets = 0_usize;
    let mut remaining = &*text;
    while let Some(first) = remaining.chars().next() {
        let digits = remaining.bytes().take_while(u8::is_ascii_digit).count();
        let is_value = ["= ", ", ", "= -", ", -"].iter().any(|end| typed.ends_with(end));
        if is_value && digits > 0 && brackets == 0 {
            let (number, after) = remaining.split_at(digits);
            typed.push_str(number);
            if after.starts_with([',', '>']) {
                typed.push_str(" : i64");
            }
            remaining = after;
            continue;
        }
        match first {
            '[' => brackets += 1,
            // `array<i32: 1, 2>`
            '<' if brackets > 0 || typed.ends_with("array") => brackets += 1,
            ']' => brackets = brackets.saturating_sub(1),
            '>' if !typed.ends_with('-') => brackets = brackets.saturating_sub(1),
            _ => {}
        }
        typed.push(first);
        remaining = remaining.get(first.len_utf8()..).unwrap_or_default();
    }
    text = typed;
    if text.starts_with("target_system_spec<") {
        text = text.replace("\":", "\" :").replace("\"  :", "\" :");
        if release.prints_layout_keys() {
            text = text.replace("\" : ", "\" = ");
        }
    }
    if release.prints_layout_keys() && !text.starts_with("dl_entry<") {
        text = with_keys(&text).unwrap_or(text);
    }
    text.into_bytes()
}

// Prints `name(value)` without a space.
pub(super) fn omp_text(mut text: Vec<u8>) -> Vec<u8> {
    let name = text.iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count();
    if text.get(name..).is_some_and(|rest| rest.starts_with(b" (") || rest.starts_with(b" {")) {
        text.remove(name);
    }
    text
}

/// Converts the older spelling `#dlti.dl_entry<key, value>` to `key = value`; `None` if an entry has no
/// value.
fn with_keys(text: &str) -> Option<String> {
    const BEGINNING: &str = "#dlti.dl_entry<";
    // The open brackets; for the bracket of an entry, whether its key has ended.
    let mut open: Vec<Option<bool>> = Vec::new();
    let mut out = String::new();
    let (mut rest, mut is_string, mut is_escaped, mut before) = (text, false, false, ' ');
    while let Some(letter) = rest.chars().next() {
        if !is_string && let Some(after) = rest.strip_prefix(BEGINNING) {
            open.push(Some(false));
            (rest, before) = (after, ' ');
            continue;
        }
        rest = rest.get(letter.len_utf8()..).unwrap_or_default();
        is_string ^= letter == '"' && !is_escaped;
        is_escaped = is_string && letter == '\\' && !is_escaped;
        match letter {
            _ if is_string => {}
            '<' | '(' | '[' => open.push(None),
            '>' if before == '-' => {}
            '>' | ')' | ']' => match open.pop() {
                Some(Some(true)) => {
                    out.truncate(out.trim_end().len());
                    before = letter;
                    continue;
                }
                Some(Some(false)) => return None,
                _ => {}
            },
            ',' if open.last() == Some(&Some(false)) => {
                open.pop();
                open.push(Some(true));
                out.push_str(" = ");
                rest = rest.trim_start();
                continue;
            }
            _ => {}
        }
        out.push(letter);
        before = letter;
    }
    Some(out)
}

/// Returns the dictionary at the beginning of a text.
pub(super) fn dictionary(text: &str) -> Option<&str> {
    let mut depth = 0_usize;
    for (place, letter, _) in outside_strings(text) {
        match letter {
            '{' => depth += 1,
            '}' => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return text.get(..=place);
                }
            }
            _ => {}
        }
    }
    None
}

/// Prints a case without quotes, as in `ld_st_matrix_elt_type<b8x16.b6x16_p32>`; MLIR also reads it from a
/// string.
pub(super) fn without_quotes(text: Vec<u8>) -> Vec<u8> {
    text.into_iter().filter(|byte| *byte != b'"').collect()
}

/// Prints the flags of `data_clause_modifier always,readonly` in their order, flags with two bits first.
pub(super) fn modifiers_text(text: &[u8]) -> Vec<u8> {
    const FLAGS: [&str; 6] = ["always", "zero", "readonly", "alwaysin", "alwaysout", "capture"];
    let text = String::from_utf8_lossy(text);
    let Some((name, flags)) = text.split_once(' ') else { return text.into_owned().into_bytes() };
    let mut flag_names: Vec<&str> = flags.split(',').map(str::trim).collect();
    if flag_names.contains(&"alwaysin") && flag_names.contains(&"alwaysout") {
        flag_names.push("always");
    }
    if flag_names.contains(&"always") {
        flag_names.retain(|flag| !matches!(*flag, "alwaysin" | "alwaysout"));
    }
    if flag_names.iter().any(|flag| !FLAGS.contains(flag)) {
        return text.into_owned().into_bytes();
    }
    let ordered: Vec<&str> = FLAGS.into_iter().filter(|flag| flag_names.contains(flag)).collect();
    format!("{name} {}", ordered.join(",")).into_bytes()
}

/// The decorations of members of structs, by their numbers in SPIR-V (`Decoration` in `SPIRVBase.td`).
const DECORATIONS: [&str; 48] = [
    "RelaxedPrecision",
    "SpecId",
    "Block",
    "BufferBlock",
    "RowMajor",
    "ColMajor",
    "ArrayStride",
    "MatrixStride",
    "GLSLShared",
    "GLSLPacked",
    "CPacked",
    "BuiltIn",
    "",
    "NoPerspective",
    "Flat",
    "Patch",
    "Centroid",
    "Sample",
    "Invariant",
    "Restrict",
    "Aliased",
    "Volatile",
    "Constant",
    "Coherent",
    "NonWritable",
    "NonReadable",
    "Uniform",
    "UniformId",
    "SaturatedConversion",
    "Stream",
    "Location",
    "Component",
    "Index",
    "Binding",
    "DescriptorSet",
    "Offset",
    "XfbBuffer",
    "XfbStride",
    "FuncParamAttr",
    "FPRoundingMode",
    "FPFastMathMode",
    "LinkageAttributes",
    "NoContraction",
    "InputAttachmentIndex",
    "Alignment",
    "MaxByteOffset",
    "AlignmentId",
    "MaxByteOffsetId",
];

// Prints the offset, and the decorations of a member in their order.
fn with_sorted_decorations(text: &str) -> String {
    let mut out = String::new();
    let mut remaining = text;
    while let Some((before, after)) = remaining.split_once('[') {
        out.push_str(before);
        out.push('[');
        let (inner, tail) = after.split_once(']').unwrap_or((after, ""));
        let rank = |part: &&str| {
            let name = part.split('=').next().unwrap_or(part);
            let number = DECORATIONS.iter().position(|known| *known == name);
            match name.starts_with(|letter: char| letter.is_ascii_digit()) {
                true => 0,
                false => number.map_or(usize::MAX, |number| number + 1),
            }
        };
        let mut parts: Vec<&str> = inner.split(", ").collect();
        sort_by(&mut parts, |a, b| rank(a).cmp(&rank(b)));
        out.push_str(&parts.join(", "));
        if after.contains(']') {
            out.push(']');
        }
        remaining = tail;
    }
    out.push_str(remaining);
    out
}
