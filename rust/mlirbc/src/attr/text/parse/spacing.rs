//! The text of attributes and types of dialects without tables, as MLIR prints it.
//!
//! Bytecode has such an attribute as the text that MLIR prints, whatever its spelling was. MLIR prints each class with
//! code of its own; this is what nearly all of them do, and what a few of them do in addition.

use super::Parser;
use crate::release::Llvm;

impl Parser<'_> {
    /// The text of a symbol as MLIR prints it, if its dialect is one of the release: with its usual spaces.
    ///
    /// MLIR prints each class with code of its own; this is what nearly all of them do.
    pub(super) fn respaced(&self, dialect: &[u8], symbol: Vec<u8>) -> Vec<u8> {
        let is_registered = self
            .aliases
            .as_ref()
            .zip(std::str::from_utf8(dialect).ok())
            .is_some_and(|(aliases, name)| aliases.registered.contains(name));
        match is_registered {
            true => {
                let text = respaced(&symbol, dialect == b"sparse_tensor");
                match dialect {
                    // Lists of enumerations without spaces, or with more of them.
                    b"irdl" => symbol,
                    b"arith" if text.starts_with(b"fastmath<") => {
                        text.into_iter().filter(|byte| *byte != b' ').collect()
                    }
                    b"llvm" if is_llvm_type(&text) => without_prefix(&text),
                    b"omp" => omp_text(text),
                    b"spirv" => spirv_text(text),
                    b"dlti" => dlti_text(text, self.release),
                    b"sparse_tensor" => sparse_text(text),
                    _ => text,
                }
            }
            false => symbol,
        }
    }
}

// One space after a comma and around an equals sign, none inside of brackets, and no line breaks or comments.
fn respaced(text: &[u8], has_spaced_braces: bool) -> Vec<u8> {
    let mut out: Vec<u8> = Vec::with_capacity(text.len());
    let mut place = 0;
    while let Some(&byte) = text.get(place) {
        let rest = text.get(place + 1..).unwrap_or_default();
        match byte {
            b'"' => {
                let mut end = place + 1;
                while let Some(&inner) = text.get(end) {
                    end += if inner == b'\\' { 2 } else { 1 };
                    if inner == b'"' {
                        break;
                    }
                }
                out.extend_from_slice(text.get(place..end.min(text.len())).unwrap_or_default());
                place = end;
                continue;
            }
            b'/' if rest.first() == Some(&b'/') => {
                place += 1 + rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len());
                continue;
            }
            b' ' | b'\t' | b'\n' | b'\r' => {
                if !matches!(out.last(), None | Some(b' ' | b'<' | b'(' | b'[')) {
                    out.push(b' ');
                }
            }
            b',' | b')' | b']' | b'>' => {
                let is_arrow = byte == b'>' && out.last() == Some(&b'-');
                if !is_arrow && out.last() == Some(&b' ') && !out.ends_with(b"- ") {
                    out.pop();
                }
                out.push(byte);
                if byte == b',' {
                    out.push(b' ');
                }
            }
            b'=' if !matches!(out.last(), Some(b'<' | b'>' | b'=' | b'!')) && rest.first() != Some(&b'=') => {
                if out.last() != Some(&b' ') {
                    out.push(b' ');
                }
                out.extend_from_slice(b"= ");
            }
            b'{' if has_spaced_braces => out.extend_from_slice(b"{ "),
            b'}' if has_spaced_braces => {
                if out.last() != Some(&b' ') {
                    out.push(b' ');
                }
                out.push(b'}');
            }
            byte => out.push(byte),
        }
        place += 1;
    }
    while out.last() == Some(&b' ') {
        out.pop();
    }
    out
}

fn is_llvm_type(text: &[u8]) -> bool {
    [&b"func<"[..], b"struct<", b"array<", b"vec<", b"ptr<"].iter().any(|head| text.starts_with(head))
}

// Types of the llvm dialect inside of one of them have no prefix, unless one of another dialect is between them.
fn without_prefix(text: &[u8]) -> Vec<u8> {
    const PREFIX: &[u8] = b"!llvm.";
    let mut out: Vec<u8> = Vec::with_capacity(text.len());
    let mut place = 0;
    while let Some(&byte) = text.get(place) {
        let is_prefix = text.get(place..).is_some_and(|rest| rest.starts_with(PREFIX));
        if is_prefix && matches!(out.last(), Some(b'<' | b'(' | b' ')) {
            place += PREFIX.len();
            continue;
        }
        out.push(byte);
        place += 1;
    }
    out
}

// `array<4 x f32, stride=4>`
fn spirv_text(text: Vec<u8>) -> Vec<u8> {
    let Ok(text) = String::from_utf8(text) else { return Vec::new() };
    let text = text.replace("stride = ", "stride=").replace("api = ", "api=");
    // A space before the decorations of a member.
    let mut spaced = String::with_capacity(text.len());
    for letter in text.chars() {
        if letter == '[' && spaced.ends_with(|last: char| last.is_ascii_alphanumeric() || last == '>') {
            spaced.push(' ');
        }
        spaced.push(letter);
    }
    let text = spaced;
    let mut out = String::with_capacity(text.len());
    let mut rest = &*text;
    while let Some((before, after)) = rest.split_once("array<") {
        out.push_str(before);
        out.push_str("array<");
        rest = after;
        let digits = after.bytes().take_while(u8::is_ascii_digit).count();
        let (count, element) = after.split_at(digits);
        if digits > 0 && element.starts_with('x') {
            out.push_str(count);
            out.push_str(" x ");
            rest = element.get(1..).unwrap_or_default().trim_start();
        }
    }
    out.push_str(rest);
    out.into_bytes()
}

// Entries with the types of their numbers, in the form of the release.
fn dlti_text(text: Vec<u8>, release: Llvm) -> Vec<u8> {
    let Ok(mut text) = String::from_utf8(text) else { return Vec::new() };
    // A number without a type has 64 bits.
    let mut typed = String::with_capacity(text.len());
    let mut brackets = 0_usize;
    let mut rest = &*text;
    while let Some(first) = rest.chars().next() {
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let is_value = ["= ", ", ", "= -", ", -"].iter().any(|end| typed.ends_with(end));
        if is_value && digits > 0 && brackets == 0 {
            let (number, after) = rest.split_at(digits);
            typed.push_str(number);
            if after.starts_with([',', '>']) {
                typed.push_str(" : i64");
            }
            rest = after;
            continue;
        }
        match first {
            '[' => brackets += 1,
            ']' => brackets = brackets.saturating_sub(1),
            _ => {}
        }
        typed.push(first);
        rest = rest.get(first.len_utf8()..).unwrap_or_default();
    }
    text = typed;
    if release.0 >= 20 && !text.starts_with("dl_entry<") {
        // `#dlti.dl_entry<key, value>` is the older spelling of `key = value`.
        while let Some((before, after)) = text.split_once("#dlti.dl_entry<") {
            let (mut depth, mut comma, mut end) = (0_usize, None, after.len());
            for (place, letter) in after.char_indices() {
                match letter {
                    '<' | '(' | '[' => depth += 1,
                    '>' if depth == 0 => {
                        end = place;
                        break;
                    }
                    '>' | ')' | ']' => depth = depth.saturating_sub(1),
                    ',' if depth == 0 && comma.is_none() => comma = Some(place),
                    _ => {}
                }
            }
            let Some(comma) = comma else { break };
            let (key, value) = (after.get(..comma), after.get(comma + 1..end));
            let (Some(key), Some(value)) = (key, value) else { break };
            let tail = after.get(end + 1..).unwrap_or_default();
            text = format!("{before}{key} = {}{tail}", value.trim());
        }
    }
    text.into_bytes()
}

// Dimensions are numbered, whatever their names are.
fn sparse_text(text: Vec<u8>) -> Vec<u8> {
    let Ok(text) = String::from_utf8(text) else { return Vec::new() };
    let text = text
        .replace("dimLevelType = [\"", "dimLevelType = [ \"")
        .replace("\"], ", "\" ], ")
        .replace("\"] }", "\" ] }")
        .replace(", }", " }");
    let text = with_numbered_maps(&text).replace(": ", " : ").replace("  : ", " : ");
    let Some((before, after)) = text.split_once("map = ") else { return text.into_bytes() };
    let (levels, rest) = match after.strip_prefix("{ ") {
        Some(inner) => match inner.split_once(" } ") {
            Some((levels, rest)) => (levels.split(", ").collect(), rest),
            None => return text.into_bytes(),
        },
        None => (Vec::new(), after),
    };
    let Some(((head, results), tail)) = rest.split_once(") -> (").and_then(|(head, rest)| {
        let (results, tail) = rest.rsplit_once(')')?;
        Some(((head.strip_prefix('(')?, results), tail))
    }) else {
        return text.into_bytes();
    };
    let symbols = head.strip_prefix('[');
    if symbols.is_some() || head.contains("slice") || before.contains("map = ") {
        return text.into_bytes();
    }
    let names: Vec<&str> = head.split(", ").map(|one| one.split([' ', ':']).next().unwrap_or(one)).collect();
    let mut out = String::new();
    let renamed = |text: &str, out: &mut String| {
        let mut word = String::new();
        for letter in text.chars().chain(['\0']) {
            if letter.is_ascii_alphanumeric() || letter == '_' {
                word.push(letter);
                continue;
            }
            match names.iter().position(|name| *name == word) {
                Some(number) => out.push_str(&format!("d{number}")),
                None => out.push_str(&word),
            }
            word.clear();
            if letter != '\0' {
                out.push(letter);
            }
        }
    };
    let numbers: Vec<String> = (0..names.len()).map(|number| format!("d{number}")).collect();
    out.push_str(&format!("{before}map = ({}) -> (", numbers.join(", ")));
    let mut body = results.to_owned();
    for level in levels {
        let level: &str = level;
        body = body.replace(&format!("{level} = "), "");
    }
    renamed(&body, &mut out);
    out.push(')');
    out.push_str(tail);
    out.into_bytes()
}

// The maps of attributes, with numbered dimensions.
fn with_numbered_maps(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("affine_map<(") {
        out.push_str(before);
        out.push_str("affine_map<(");
        rest = after;
        let Some((head, tail)) = after.split_once(") -> (") else { continue };
        let Some((results, _)) = tail.split_once(")>") else { continue };
        if head.contains(['(', '[']) {
            continue;
        }
        let names: Vec<&str> = head.split(", ").collect();
        let number = |word: &str| names.iter().position(|name| *name == word);
        let heads: Vec<String> = (0..names.len()).map(|number| format!("d{number}")).collect();
        out.push_str(&heads.join(", "));
        out.push_str(") -> (");
        let mut word = String::new();
        for letter in results.chars().chain([')']) {
            if letter.is_ascii_alphanumeric() || letter == '_' {
                word.push(letter);
                continue;
            }
            match number(&word) {
                Some(number) => out.push_str(&format!("d{number}")),
                None => out.push_str(&word),
            }
            word.clear();
            out.push(letter);
        }
        rest = tail.get(results.len() + 1..).unwrap_or_default();
    }
    out.push_str(rest);
    out
}

// `name(value)` without a space.
fn omp_text(mut text: Vec<u8>) -> Vec<u8> {
    let name = text.iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count();
    if text.get(name..).is_some_and(|rest| rest.starts_with(b" (")) {
        text.remove(name);
    }
    text
}
