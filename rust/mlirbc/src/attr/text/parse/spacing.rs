//! The text of attributes and types of dialects without tables, as MLIR prints it.
//!
//! Bytecode has such an attribute as the text that MLIR prints, whatever its spelling was. MLIR prints each class with
//! code of its own; this is what nearly all of them do, and what a few of them do in addition.

use std::collections::HashMap;

use super::fields::{ordered, parts};
use super::{Failure, Parsed, Parser};
use crate::attr::text::escape;
use crate::attr::text::lexer::Token;
use crate::dialect::entries::EntryRef;
use crate::release::Llvm;
use crate::wire::error::{Error, ErrorKind};
use crate::wire::order::sort_by;

/// Dialects with attributes that have a type.
const TYPED: [&[u8]; 4] = [b"complex", b"ptr", b"smt", b"test"];

impl Parser<'_> {
    /// The text of a symbol as MLIR prints it, if its dialect is one of the release: with its usual spaces.
    ///
    /// MLIR prints each class with code of its own; this is what nearly all of them do.
    ///
    /// # Errors
    /// For texts of classes that MLIR prints in a way that is not known.
    pub(super) fn respaced(
        &mut self,
        (sigil, dialect): (u8, &[u8]),
        symbol: Vec<u8>,
        at: Token,
    ) -> Parsed<Vec<u8>> {
        if !self.prints_anew(dialect) {
            return Ok(symbol);
        }
        let text = respaced(&symbol, dialect == b"sparse_tensor");
        if dialect == b"llvm" && is_llvm_type(&text) {
            if symbol.windows(2).any(|pair| pair == b"\\\"") {
                return Err(self.unknown_form(dialect, &text, at, "its name needs escapes"));
            }
            if has_incompatible_type(&text) {
                return Err(self.unknown_form(dialect, &text, at, "it has types that LLVM does not have"));
            }
        }
        let text = match dialect {
            // Lists of enumerations without spaces, or with more of them.
            b"irdl" => symbol,
            b"arith" if text.starts_with(b"fastmath<") => {
                text.into_iter().filter(|byte| *byte != b' ').collect()
            }
            b"complex" if text.starts_with(b"number<") => self.complex_text(text, at)?,
            b"llvm" if is_llvm_type(&text) => without_prefix(&text, self.release),
            b"omp" => omp_text(text),
            b"spirv" => spirv_text(text),
            b"dlti" => dlti_text(text, self.release),
            b"wasmssa" => limits_text(text),
            b"xegpu" if text.starts_with(b"range<[") => with_types(&text),
            b"sparse_tensor" => {
                let text = sparse_text(text);
                match String::from_utf8(text) {
                    Ok(text) => {
                        let text = self.sparse_fields(&text)?;
                        // The encoding of these types has no prefix.
                        let is_of_levels = text.starts_with("iter_space<") || text.starts_with("iterator<");
                        match is_of_levels {
                            true => text.replacen("<#sparse_tensor.encoding<", "<<", 1).into_bytes(),
                            false => text.into_bytes(),
                        }
                    }
                    Err(error) => error.into_bytes(),
                }
            }
            _ => text,
        };
        let text = self.numbered(dialect, text, at)?;
        let text = self.with_elements(text)?;
        let name = [&[sigil][..], dialect, b".", &text].concat();
        let Ok(name) = String::from_utf8(name) else { return Ok(text) };
        let release = self.release;
        let ordered = ordered(release, name, |bytes| self.charge(bytes))?;
        Ok(ordered.into_bytes().split_off(dialect.len() + 2))
    }

    /// Elements in another attribute are printed as anywhere: `dense<[1, 1]>` is `dense<1>`.
    fn with_elements(&mut self, text: Vec<u8>) -> Parsed<Vec<u8>> {
        const START: &str = "dense<";
        let Ok(text) = String::from_utf8(text) else { return Ok(Vec::new()) };
        if !text.contains(START) {
            return Ok(text.into_bytes());
        }
        let (mut out, mut rest) = (String::with_capacity(text.len()), &*text);
        while let Some(place) = rest.find(START) {
            let (before, after) = rest.split_at(place);
            out.push_str(before);
            // A word, and not in a string.
            let is_word = !before.ends_with(|letter: char| letter.is_ascii_alphanumeric() || letter == '_');
            let is_string = out.matches('"').count() % 2 == 1;
            let whole = Some(after).filter(|_| is_word && !is_string).and_then(elements);
            match whole {
                Some(whole) => match self.fragment(false, whole) {
                    Ok(index) => {
                        let printed = self.entry_text(EntryRef::Attribute(index))?;
                        out.push_str(&String::from_utf8_lossy(&printed));
                        rest = after.get(whole.len()..).unwrap_or_default();
                    }
                    Err(_) => return Ok(text.into_bytes()),
                },
                None => {
                    out.push_str(START);
                    rest = after.get(START.len()..).unwrap_or_default();
                }
            }
        }
        out.push_str(rest);
        Ok(out.into_bytes())
    }

    /// The distinct attributes of each text count from 0.
    fn numbered(&mut self, dialect: &[u8], text: Vec<u8>, at: Token) -> Parsed<Vec<u8>> {
        const BEGINNING: &[u8] = b"distinct[";
        if !crate::attr::table::has_distinct(&text) {
            return Ok(text);
        }
        let (mut out, mut place, mut numbers) = (Vec::with_capacity(text.len()), 0, HashMap::new());
        while let Some(&byte) = text.get(place) {
            out.push(byte);
            place += 1;
            if out.ends_with(BEGINNING) {
                let rest = text.get(place..).unwrap_or_default();
                let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
                let next = numbers.len();
                let number = numbers.entry(rest.get(..digits).unwrap_or_default().to_vec()).or_insert(next);
                out.extend_from_slice(number.to_string().as_bytes());
                place += digits;
            }
        }
        let known = self.aliases.as_mut().map(|aliases| &mut aliases.numbered);
        let key = [dialect, b".", &out].concat();
        if known.is_some_and(|known| *known.entry(key).or_insert_with(|| text.clone()) != text) {
            return Err(self.unknown_form(
                dialect,
                &text,
                at,
                "another distinct attribute prints the same text",
            ));
        }
        Ok(out)
    }

    /// Whether MLIR prints the attributes and types of a dialect itself.
    fn prints_anew(&self, dialect: &[u8]) -> bool {
        let name = std::str::from_utf8(dialect).ok();
        let aliases = self.aliases.as_ref().zip(name);
        aliases.is_some_and(|(aliases, name)| aliases.registered.contains(name))
    }

    /// Whether the type after an attribute of a dialect is read and not kept.
    pub(super) fn drops_type(&self, dialect: &[u8]) -> bool {
        self.prints_anew(dialect) && !TYPED.contains(&dialect)
    }

    #[cold]
    fn unknown_form(&self, dialect: &[u8], symbol: &[u8], at: Token, why: &str) -> Failure {
        let name = symbol.iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count();
        let name = [dialect, b".", symbol.get(..name).unwrap_or_default()].concat();
        let name = String::from_utf8_lossy(&name);
        let message = format!("how MLIR prints this `{name}` is not known: {why}");
        let help = "write it as MLIR prints it, or let `mlir-opt` write the bytecode";
        Error::message(ErrorKind::AsmForm, message).with_hint(help).at(at.start as u64).into()
    }

    /// `number<:f32 1.0, 2.0>` with numbers as MLIR prints them, and the type.
    fn complex_text(&mut self, text: Vec<u8>, at: Token) -> Parsed<Vec<u8>> {
        let refused =
            |this: &Self| this.unknown_form(b"complex", b"number", at, "its numbers are not decimal");
        let inner = std::str::from_utf8(&text).ok().and_then(|text| {
            let (r#type, numbers) =
                text.strip_prefix("number<:")?.strip_suffix('>')?.trim_start().split_once(' ')?;
            let (real, imaginary) = numbers.split_once(", ")?;
            Some((r#type.to_owned(), real.to_owned(), imaginary.to_owned()))
        });
        let Some((r#type, real, imaginary)) = inner else { return Err(refused(self)) };
        let mut numbers = Vec::new();
        for number in [real, imaginary] {
            if number.contains(['x', 'X']) || !number.contains('.') {
                return Err(refused(self));
            }
            numbers.push(self.reprinted(&format!("{number} : {type}"), at)?);
        }
        let suffix = format!(" : {type}");
        let [real, imaginary] = &numbers[..] else { return Err(refused(self)) };
        let value = |text: &str| text.strip_suffix(&suffix).unwrap_or(text).to_owned();
        let (real, imaginary) = (value(real), value(imaginary));
        Ok(format!("number<:{type} {real}, {imaginary}> : complex<{type}>").into_bytes())
    }

    /// An attribute as MLIR prints it.
    fn reprinted(&mut self, text: &str, at: Token) -> Parsed<String> {
        let Ok(index) = self.fragment(false, text) else {
            return self.fail(at, "an attribute with values that its dialect accepts");
        };
        let text = self.entry_text(EntryRef::Attribute(index))?;
        Ok(String::from_utf8(text).unwrap_or_default())
    }

    /// The keys of an encoding in MLIR's order, without widths of 0.
    fn sparse_fields(&mut self, text: &str) -> Parsed<String> {
        const KEYS: [&str; 9] = [
            "map",
            "dimLevelType",
            "dimOrdering",
            "higherOrdering",
            "posWidth",
            "pointerBitWidth",
            "crdWidth",
            "indexBitWidth",
            "explicitVal",
        ];
        let Some((head, rest)) = text.split_once("encoding<{ ") else { return Ok(text.to_owned()) };
        let Some((body, tail)) = rest.rsplit_once(" }>") else { return Ok(text.to_owned()) };
        let is_specifier = head.starts_with("storage_specifier");
        let mut found = Vec::new();
        for part in parts(body) {
            let Some((key, value)) = part.split_once(" = ") else { return Ok(text.to_owned()) };
            let is_width = key.ends_with("Width");
            let is_identity = key == "dimOrdering"
                && value
                    .strip_prefix("affine_map<")
                    .and_then(|map| map.strip_suffix('>'))
                    .is_some_and(|map| map.split_once(" -> ").is_some_and(|(from, to)| from == to));
            let is_lost = is_specifier && matches!(key, "dimOrdering" | "higherOrdering" | "slice");
            if is_width && value == "0" || is_identity || is_lost {
                continue;
            }
            let mut value = value.to_owned();
            if matches!(key, "explicitVal" | "implicitVal") {
                let Ok(index) = self.fragment(false, &value) else { return Ok(text.to_owned()) };
                value = String::from_utf8(self.entry_text(EntryRef::Attribute(index))?).unwrap_or_default();
            }
            if is_specifier && key == "dimLevelType" {
                value = value.replace("-nu", "").replace("-no", "");
            }
            if key == "slice" && value.starts_with("[(") {
                value = value.replace("[(", "[ (").replace(")]", ") ]");
            }
            found.push((KEYS.iter().position(|known| *known == key).unwrap_or(KEYS.len()), key, value));
        }
        sort_by(&mut found, |a, b| a.0.cmp(&b.0));
        let fields: Vec<String> = found.iter().map(|(_, key, value)| format!("{key} = {value}")).collect();
        Ok(format!("{head}encoding<{{ {} }}>{tail}", fields.join(", ")))
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
                let string = text.get(place..end.min(text.len())).unwrap_or_default();
                let inner = string.strip_prefix(b"\"").and_then(|inner| inner.strip_suffix(b"\""));
                // MLIR has an escape of its own for each byte.
                match inner.filter(|inner| inner.contains(&b'\\')).and_then(escape::unescape) {
                    Some(plain) => escape::write_string(&mut out, &plain),
                    None => out.extend_from_slice(string),
                }
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

// The start of a text that is an attribute with elements and its type.
fn elements(text: &str) -> Option<&str> {
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

// `range<[0 : i64, 4 : i64]>`
fn with_types(text: &[u8]) -> Vec<u8> {
    let mut out: Vec<u8> = Vec::with_capacity(text.len());
    for &byte in text {
        if matches!(byte, b',' | b']') && out.last().is_some_and(u8::is_ascii_digit) {
            let digits = out.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
            if matches!(out.get(out.len() - digits - 1), Some(b' ' | b'[')) {
                out.extend_from_slice(b" : i64");
            }
        }
        out.push(byte);
    }
    out
}

// Whether a type of llvm in another one may have a part that LLVM has no type for: MLIR prints its prefix then.
fn has_incompatible_type(text: &[u8]) -> bool {
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
        let rest = text.get(place + 1..).unwrap_or_default();
        !rest.starts_with("llvm.") && !rest.starts_with("ptr.")
    });
    let has_other = is_of_dialect || words.iter().any(|word| is_other(&word) || is_small(&word));
    has_other && words.iter().skip(1).any(|word| NESTED.contains(word))
}

// `[1: 4]`
fn limits_text(text: Vec<u8>) -> Vec<u8> {
    let mut out: Vec<u8> = Vec::with_capacity(text.len());
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

// A size with its `x`, and their length with the spaces around them.
fn dimension(text: &[u8]) -> Option<(&[u8], usize)> {
    let start = text.len() - text.trim_ascii_start().len();
    let rest = text.get(start..)?;
    let len = match rest.first()? {
        b'?' => 1,
        _ => rest.iter().take_while(|byte| byte.is_ascii_digit()).count(),
    };
    let size = rest.get(..len).filter(|size| !size.is_empty())?;
    let after = rest.get(len..)?.trim_ascii_start().strip_prefix(b"x")?.trim_ascii_start();
    Some((size, text.len() - after.len()))
}

// Types of the llvm dialect inside of one of them have no prefix, unless one of another dialect is between them.
fn without_prefix(text: &[u8], release: Llvm) -> Vec<u8> {
    const PREFIX: &[u8] = b"!llvm.";
    const SHAPED: [&[u8]; 3] = [b"vector<", b"tensor<", b"memref<"];
    let mut out: Vec<u8> = Vec::with_capacity(text.len());
    let mut place = 0;
    // The open angle brackets, and whether each is that of a builtin type, where the prefix is needed.
    let mut open: Vec<bool> = Vec::new();
    let mut is_string = false;
    while let Some(&byte) = text.get(place) {
        let rest = text.get(place..).unwrap_or_default();
        let is_builtin = open.last().copied().unwrap_or(false);
        if byte == b'"' {
            is_string = !is_string;
        }
        let is_prefix = !is_string && rest.starts_with(PREFIX);
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
            b' ' if is_builtin && (rest.starts_with(b" x") || out.ends_with(b"x")) => {
                place += 1;
                continue;
            }
            _ => {}
        }
        out.push(byte);
        place += 1;
    }
    let text = String::from_utf8(out).unwrap_or_default().replace("ptr<0>", "ptr");
    let mut out = match release.0 {
        // It is a type of floating-point numbers, as those of builtin.
        20.. => text.replace("!llvm.ppc_fp128", "ppc_fp128").replace("ppc_fp128", "!llvm.ppc_fp128"),
        _ => text,
    }
    .into_bytes();
    // 16 prints two spaces there.
    if release.0 < 18 && out.starts_with(b"vec<? x ") && out.ends_with(b" x ptr>") {
        out.truncate(out.len() - b"ptr>".len());
        out.extend_from_slice(b" ptr>");
    }
    out
}

// `array<4 x f32, stride=4>`
fn spirv_text(text: Vec<u8>) -> Vec<u8> {
    let Ok(text) = String::from_utf8(text) else { return Vec::new() };
    let mut text = text.replace("stride = ", "stride=").replace("api = ", "api=");
    if text.starts_with("struct<") {
        // `[0, MatrixStride=16]`
        text = text.replace(" = ", "=");
    }
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
    if text.starts_with("target_system_spec<") {
        text = text.replace("\":", "\" :").replace("\"  :", "\" :");
        if release.0 >= 20 {
            text = text.replace("\" : ", "\" = ");
        }
    }
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
