//! The text of attributes and types of dialects without tables, as MLIR prints it.
//!
//! Bytecode stores such an attribute as the text that MLIR prints, independently of the spelling in the
//! source. MLIR prints each class with separate code; this module has the behaviour that nearly all classes
//! share, and the deviations of a few classes.

use std::collections::HashMap;

use super::fields::{body_of, key_and_value, ordered, parts};
use super::sparse_encoding::sparse_text;
use super::spellings::{
    composite_text, dictionary, dlti_text, elements, has_incompatible_type, in_brackets, is_llvm_type,
    limits_text, modifiers_text, mpmd_text, omp_text, spirv_text, with_decimal, with_types,
    without_default_format, without_prefix, without_quotes, without_spaces_at_colon,
};
use super::{Failure, Parsed, Parser};
use crate::attr::text::escape;
use crate::attr::text::lexer::Token;
use crate::dialect::entries::EntryRef;
use crate::format::id::{AttrId, TypeId};
use crate::wire::error::{Error, ErrorKind};
use crate::wire::order::sort_by;

/// Dialects with attributes that have a type.
const TYPED: [&[u8]; 9] =
    [b"complex", b"flow", b"hal", b"ml_program", b"ptr", b"smt", b"stream", b"test", b"util"];

/// Dialects whose attributes contain dictionaries.
const WITH_DICTIONARIES: [&[u8]; 9] =
    [b"flow", b"gpu", b"hal", b"iree_codegen", b"iree_cpu", b"iree_gpu", b"nvvm", b"rocdl", b"stream"];

impl Parser<'_> {
    /// Returns the text of a symbol as MLIR prints it, with the usual spaces, if the dialect belongs to the
    /// release.
    ///
    /// MLIR prints each class with separate code; this function has the behaviour that nearly all classes
    /// share.
    ///
    /// # Errors
    /// An error for texts of classes that MLIR prints in an unknown way.
    pub(super) fn respaced(
        &mut self,
        (sigil, dialect): (u8, &[u8]),
        symbol: Vec<u8>,
        at: Token,
    ) -> Parsed<Vec<u8>> {
        if let Some(text) = self.declared(sigil == b'!', dialect, &symbol)? {
            return Ok(text);
        }
        if !self.prints_anew(dialect) {
            return Ok(symbol);
        }
        let text = respaced(&symbol, dialect == b"sparse_tensor");
        if dialect == b"llvm" && is_llvm_type(&text) {
            if symbol.contains(&b'\\') && !self.release.escapes_type_names() {
                return Err(self.unknown_form(dialect, &text, at, "its name needs escapes"));
            }
            if has_incompatible_type(&text) {
                return Err(self.unknown_form(dialect, &text, at, "it has types that LLVM does not have"));
            }
        }
        let text = match dialect {
            // Lists of enumerations have no spaces, or additional ones.
            b"irdl" => symbol,
            b"arith" if text.starts_with(b"fastmath<") => {
                text.into_iter().filter(|byte| *byte != b' ').collect()
            }
            b"complex" if text.starts_with(b"number<") => self.complex_text(text, at)?,
            b"llvm" if text.starts_with(b"mmra_tag<") => without_spaces_at_colon(&text),
            // Entries of a profile are not attributes with a type.
            b"llvm"
                if text.starts_with(b"mlir.module_flag<")
                    && !text.windows(9).any(|part| part == b"cgprofile") =>
            {
                with_types(&text)
            }
            b"llvm" if is_llvm_type(&text) => without_prefix(&text, self.release),
            b"acc" if text.starts_with(b"data_clause_modifier ") => modifiers_text(&text),
            b"gpu" if text.starts_with(b"select_object<") => with_types(&text),
            b"gpu" if text.starts_with(b"mask<0x") => with_decimal(&text),
            b"gpu" if text.starts_with(b"object<") => without_default_format(text),
            b"ml_program" if text.starts_with(b"extern<") => {
                return Err(self.unknown_form(dialect, &text, at, "its type is not kept"));
            }
            b"mpmd" => mpmd_text(&text),
            b"nvvm" if text.starts_with(b"ld_st_matrix_elt_type<") || text.starts_with(b"proxy_kind<") => {
                without_quotes(text)
            }
            b"polynomial" if text.starts_with(b"float_") || text.starts_with(b"typed_") => {
                return Err(self.unknown_form(dialect, &text, at, "its coefficients are not in normal form"));
            }
            b"tosa" if text.starts_with(b"level<") || text.starts_with(b"specification_version<") => {
                without_quotes(text)
            }
            b"omp" => omp_text(text),
            b"spirv" if text.starts_with(b"version<") => without_quotes(text),
            b"spirv" => spirv_text(text),
            b"dlti" => {
                let text = dlti_text(text, self.release);
                self.with_values(text).map_err(|failure| located(failure, at))?
            }
            b"wasmssa" => limits_text(text),
            // The text has a line for each item.
            b"util" if text.starts_with(b"composite<") => match composite_text(&text) {
                _ if symbol.contains(&b'\n') => return Ok(symbol),
                Some(lines) => lines,
                None => return Err(self.unknown_form(dialect, &text, at, "it has others in it")),
            },
            b"xegpu" if text.starts_with(b"range<[") => with_types(&text),
            b"sparse_tensor" => {
                let text = sparse_text(text);
                match String::from_utf8(text) {
                    Ok(text) => {
                        let text = self.sparse_fields(&text)?;
                        // The encoding of these types has no prefix.
                        let is_of_levels = text.starts_with("iter_space<") || text.starts_with("iterator<");
                        match is_of_levels {
                            true => {
                                let text = text.replacen("<#sparse_tensor.encoding<", "<<", 1);
                                without_single_range(text).into_bytes()
                            }
                            false => text.into_bytes(),
                        }
                    }
                    Err(error) => error.into_bytes(),
                }
            }
            _ => text,
        };
        let text = self.numbered(dialect, text, at)?;
        let text = self.with_parts(text, "dense<", elements).map_err(|failure| located(failure, at))?;
        let text = match dialect.starts_with(b"iree_") {
            true => self.with_parts(text, "affine_map<", in_brackets)?,
            false => text,
        };
        let text = match WITH_DICTIONARIES.contains(&dialect)
            && !text.starts_with(b"device.link")
            && !text.starts_with(b"device.topology")
        {
            true => self.with_dictionaries(text).map_err(|failure| located(failure, at))?,
            false => text,
        };
        let name = [&[sigil][..], dialect, b".", &text].concat();
        let Ok(name) = String::from_utf8(name) else { return Ok(text) };
        let release = self.release;
        let ordered = ordered(release, name, |bytes| self.charge(bytes))?;
        Ok(ordered.into_bytes().split_off(dialect.len() + 2))
    }

    /// Prints parts of another attribute that begin with a word in their usual form: `dense<[1, 1]>` is
    /// `dense<1>`. `whole` finds the end of such a part.
    fn with_parts(&mut self, text: Vec<u8>, start: &str, whole: fn(&str) -> Option<&str>) -> Parsed<Vec<u8>> {
        let Ok(text) = String::from_utf8(text) else { return Ok(Vec::new()) };
        if !text.contains(start) {
            return Ok(text.into_bytes());
        }
        let (mut out, mut rest, mut is_string) = (String::new(), &*text, false);
        while let Some(place) = rest.find(start) {
            let (before, after) = rest.split_at(place);
            out.push_str(before);
            // The match must be a whole word outside of strings.
            let is_word = !before.ends_with(|letter: char| letter.is_ascii_alphanumeric() || letter == '_');
            is_string ^= before.matches('"').count() % 2 == 1;
            let part = Some(after).filter(|_| is_word && !is_string).and_then(whole);
            match part {
                Some(part) => match self.attribute_as_printed(part)? {
                    Some(printed) => {
                        out.push_str(&printed);
                        rest = after.get(part.len()..).unwrap_or_default();
                    }
                    None => return Ok(text.into_bytes()),
                },
                None => {
                    out.push_str(start);
                    rest = after.get(start.len()..).unwrap_or_default();
                }
            }
        }
        out.push_str(rest);
        Ok(out.into_bytes())
    }

    /// Prints the values of `name<key = value, …>` in their usual form: `4.5 : f32` is `4.500000e+00 : f32`.
    fn with_values(&mut self, text: Vec<u8>) -> Parsed<Vec<u8>> {
        let Ok(text) = String::from_utf8(text) else { return Ok(Vec::new()) };
        let Some((head, body)) = text.split_once('<').and_then(|(head, rest)| Some((head, body_of(rest)?)))
        else {
            return Ok(text.into_bytes());
        };
        let mut printed = Vec::new();
        for part in parts(body) {
            let Some((key, value)) = key_and_value(part) else { return Ok(text.into_bytes()) };
            let Some(value) = self.attribute_as_printed(value)? else {
                return Ok(text.into_bytes());
            };
            printed.push(format!("{key} = {value}"));
        }
        Ok(format!("{head}<{}>", printed.join(", ")).into_bytes())
    }

    /// Prints dictionaries in another attribute in their usual form: `{a = 1}` is `{a = 1 : i64}`.
    fn with_dictionaries(&mut self, text: Vec<u8>) -> Parsed<Vec<u8>> {
        let Ok(text) = String::from_utf8(text) else { return Ok(Vec::new()) };
        let (mut out, mut rest) = (String::new(), &*text);
        while let Some(place) = rest.find('{') {
            let (before, after) = rest.split_at(place);
            out.push_str(before);
            // The fields of these attributes have a fixed order (`HALAttrs.cpp` and `IREECodegenAttrs.cpp` of
            // IREE).
            let is_object = before.ends_with("executable.object<") || before.ends_with("executable.objects<");
            if is_object || after.starts_with("{sizes = ") {
                out.push('{');
                rest = after.get(1..).unwrap_or_default();
                continue;
            }
            let Some(whole) = dictionary(after) else { break };
            let Some(printed) = self.attribute_as_printed(whole)? else { return Ok(text.into_bytes()) };
            out.push_str(&printed);
            rest = after.get(whole.len()..).unwrap_or_default();
        }
        out.push_str(rest);
        Ok(out.into_bytes())
    }

    /// Prints an attribute as MLIR does; `None` if the text is not an attribute.
    fn attribute_as_printed(&mut self, text: &str) -> Parsed<Option<String>> {
        self.as_printed(false, text)
    }

    /// Prints an attribute or a type as MLIR does; `None` if the text is not one.
    pub(super) fn as_printed(&mut self, is_type: bool, text: &str) -> Parsed<Option<String>> {
        let index = match self.fragment(is_type, text) {
            Ok(index) => index,
            Err(Failure::Other(error)) if error.kind() != ErrorKind::AsmText => return Err(error.into()),
            Err(_) => return Ok(None),
        };
        let printed = self.entry_text(if is_type {
            EntryRef::Type(TypeId::new(index))
        } else {
            EntryRef::Attribute(AttrId::new(index))
        })?;
        Ok(Some(String::from_utf8_lossy(&printed).into_owned()))
    }

    /// Numbers the distinct attributes of each text from 0.
    fn numbered(&mut self, dialect: &[u8], text: Vec<u8>, at: Token) -> Parsed<Vec<u8>> {
        const BEGINNING: &[u8] = b"distinct[";
        if !crate::attr::table::has_distinct(&text) {
            return Ok(text);
        }
        let (mut out, mut place, mut numbers) = (Vec::new(), 0, HashMap::new());
        while let Some(&byte) = text.get(place) {
            out.push(byte);
            place += 1;
            if out.ends_with(BEGINNING) {
                let following = text.get(place..).unwrap_or_default();
                let digits = following.iter().take_while(|byte| byte.is_ascii_digit()).count();
                let next = numbers.len();
                let number =
                    numbers.entry(following.get(..digits).unwrap_or_default().to_vec()).or_insert(next);
                out.extend_from_slice(number.to_string().as_bytes());
                place += digits;
            }
        }
        let originals = self.aliases.as_mut().map(|aliases| &mut aliases.numbered);
        let key = [dialect, b".", &out].concat();
        if originals.is_some_and(|originals| *originals.entry(key).or_insert_with(|| text.clone()) != text) {
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

    /// Whether the type after an attribute of a dialect is read and dropped.
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

    /// Prints the numbers in `number<:f32 1.0, 2.0>` as MLIR does, and the type.
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

    /// Prints an attribute as MLIR does.
    fn reprinted(&mut self, text: &str, at: Token) -> Parsed<String> {
        match self.attribute_as_printed(text)? {
            Some(text) => Ok(text),
            None => self.fail(at, "an attribute with values that its dialect accepts"),
        }
    }

    /// Prints the keys of an encoding in MLIR's order, without widths of 0.
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
        let mut encoding_fields = Vec::new();
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
                let Some(printed) = self.attribute_as_printed(&value)? else { return Ok(text.to_owned()) };
                value = printed;
            }
            if is_specifier && key == "dimLevelType" {
                value = value.replace("-nu", "").replace("-no", "");
            }
            if key == "slice" && value.starts_with("[(") {
                value = value.replace("[(", "[ (").replace(")]", ") ]");
            }
            encoding_fields.push((
                KEYS.iter().position(|known| *known == key).unwrap_or(KEYS.len()),
                key,
                value,
            ));
        }
        sort_by(&mut encoding_fields, |a, b| a.0.cmp(&b.0));
        let fields: Vec<String> =
            encoding_fields.iter().map(|(_, key, value)| format!("{key} = {value}")).collect();
        Ok(format!("{head}encoding<{{ {} }}>{tail}", fields.join(", ")))
    }
}

// The innermost text has no position in the file, so the position of the outer text is used.
fn located(failure: Failure, at: Token) -> Failure {
    match failure {
        Failure::Other(error) if error.kind() == ErrorKind::AsmForm => error.at(at.start as u64).into(),
        other => other,
    }
}

// Prints `lvls = 0 to 1>` as `lvls = 0>`.
fn without_single_range(text: String) -> String {
    let range = text.rsplit_once("lvls = ").and_then(|(before, rest)| {
        let (low, high) = rest.strip_suffix('>')?.split_once(" to ")?;
        let is_single = low.parse::<u64>().ok()?.checked_add(1) == high.parse().ok();
        is_single.then(|| format!("{before}lvls = {low}>"))
    });
    range.unwrap_or(text)
}

// Prints one space after a comma and around an equals sign, no spaces inside of brackets, and no line breaks
// or comments.
fn respaced(text: &[u8], has_spaced_braces: bool) -> Vec<u8> {
    let mut out: Vec<u8> = Vec::new();
    let mut place = 0;
    while let Some(&byte) = text.get(place) {
        let following = text.get(place + 1..).unwrap_or_default();
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
                // MLIR has a separate escape for each byte.
                match inner.filter(|inner| inner.contains(&b'\\')).and_then(escape::unescape) {
                    Some(plain) => escape::write_string(&mut out, &plain),
                    None => out.extend_from_slice(string),
                }
                place = end;
                continue;
            }
            b'/' if following.first() == Some(&b'/') => {
                place += 1 + following.iter().position(|&byte| byte == b'\n').unwrap_or(following.len());
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
            b'=' if !matches!(out.last(), Some(b'<' | b'>' | b'=' | b'!'))
                && following.first() != Some(&b'=') =>
            {
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
