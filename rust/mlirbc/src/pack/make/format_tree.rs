//! Parses an `assemblyFormat` into nested lists, the form of formats in rows.
//!
//! A literal is a string that begins with a backtick: "`," is a comma, "`" alone the empty literal that drops a space, "` " a
//! space and "`\n" a line break. Every other string is a variable (`$name`) or a directive without arguments. A list is a
//! directive with arguments; a group is `["group", elements, anchor, otherwise]`, where the anchor is the index of the element
//! with `^`, or `-1 - index` for one of `otherwise`.

use serde_json::{Value as Json, json};

/// Directives that have arguments. `attr-dict` may be followed by a group, which begins with a parenthesis, too.
/// `attribute(name)` is an attribute that the definition does not declare.
const WITH_ARGUMENTS: &[&str] = &["attribute", "functional-type", "qualified", "ref", "struct", "type"];

/// The groups that may be in one another: formats of MLIR have four.
const DEEPEST: usize = 32;

/// The elements of a format; `None` if it is not understood.
pub(super) fn parse(text: &str) -> Option<Vec<Json>> {
    let mut parser = FormatParser { tokens: tokens(text)?, position: 0 };
    let (elements, _) = parser.elements(&[], 0)?;
    parser.peek().is_none().then_some(elements)
}

/// The elements of a format that an author wrote.
///
/// # Errors
/// The place of the first token that is not understood.
pub(super) fn parse_declared(text: &str) -> Result<Vec<Json>, String> {
    let unclear = |at: usize| {
        let excerpt = text.get(at..).unwrap_or_default().chars().take(20).collect::<String>();
        match excerpt.is_empty() {
            true => "the format is not understood: it ends too early".to_owned(),
            false => format!("the format is not understood at offset {at}: `{excerpt}`"),
        }
    };
    let Some(tokens) = tokens(text) else {
        let open = text.rfind(['`', '"']).unwrap_or_default();
        return Err(unclear(open));
    };
    let mut parser = FormatParser { tokens, position: 0 };
    match parser.elements(&[], 0) {
        Some((elements, _)) if parser.peek().is_none() => Ok(elements),
        _ => Err(unclear(parser.offset_in(text))),
    }
}

fn tokens(text: &str) -> Option<Vec<&str>> {
    let mut tokens = Vec::new();
    let mut remaining = text.trim_start();
    while let Some(first) = remaining.chars().next() {
        let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let len = match first {
            '`' => remaining.get(1..)?.find('`')? + 2,
            '"' => string_length(remaining)?,
            '$' => 1 + remaining.get(1..)?.find(|c| !is_word(c)).unwrap_or(remaining.len() - 1),
            first if first.is_ascii_alphabetic() || first == '_' => {
                remaining.find(|c| !is_word(c) && c != '-').unwrap_or(remaining.len())
            }
            first => first.len_utf8(),
        };
        let (token, after) = remaining.split_at_checked(len)?;
        tokens.push(token);
        remaining = after.trim_start();
    }
    Some(tokens)
}

fn string_length(text: &str) -> Option<usize> {
    let mut is_escaped = false;
    for (place, byte) in text.bytes().enumerate().skip(1) {
        match byte {
            b'"' if !is_escaped => return Some(place + 1),
            b'\\' => is_escaped = !is_escaped,
            _ => is_escaped = false,
        }
    }
    None
}

struct FormatParser<'t> {
    tokens: Vec<&'t str>,
    position: usize,
}

impl<'t> FormatParser<'t> {
    /// The offset of the token that was taken last.
    fn offset_in(&self, text: &'t str) -> usize {
        let mut offset = 0;
        for token in self.tokens.iter().take(self.position) {
            offset = text.get(offset..).and_then(|rest| rest.find(token)).map_or(offset, |at| offset + at)
                + token.len();
        }
        let last = self.tokens.get(self.position.wrapping_sub(1)).map_or(0, |token| token.len());
        match self.peek() {
            Some(_) => offset - last.min(offset),
            None => text.len(),
        }
    }

    fn peek(&self) -> Option<&'t str> {
        self.tokens.get(self.position).copied()
    }

    fn take(&mut self) -> Option<&'t str> {
        let token = self.peek()?;
        self.position += 1;
        Some(token)
    }

    fn accept(&mut self, expected: &str) -> bool {
        let is_next = self.peek() == Some(expected);
        self.position += usize::from(is_next);
        is_next
    }

    fn expect(&mut self, expected: &str) -> Option<()> {
        self.accept(expected).then_some(())
    }

    /// The elements before one of `ends`, and the index of the one marked with `^`.
    fn elements(&mut self, ends: &[&str], depth: usize) -> Option<(Vec<Json>, Option<usize>)> {
        let (mut elements, mut anchor) = (Vec::new(), None);
        while self.peek().is_some_and(|token| !ends.contains(&token)) {
            elements.push(self.element(depth)?);
            if self.accept("^") {
                anchor = elements.len().checked_sub(1);
            }
        }
        Some((elements, anchor))
    }

    fn element(&mut self, depth: usize) -> Option<Json> {
        if depth > DEEPEST {
            return None;
        }
        let token = self.take()?;
        Some(match token {
            "(" => self.group(depth + 1)?,
            "oilist" => self.clauses(depth + 1)?,
            "custom" => {
                self.expect("<")?;
                let name = self.take()?;
                self.expect(">")?;
                self.with_arguments(vec![json!("custom"), json!(name)], depth)?
            }
            token if token.starts_with('`') => {
                let literal = token.trim_end_matches('`').replace("\\n", "\n");
                Json::String(if literal.is_empty() { "`".to_owned() } else { literal })
            }
            token if WITH_ARGUMENTS.contains(&token) => self.with_arguments(vec![json!(token)], depth)?,
            token if token.starts_with(|c: char| matches!(c, '$' | '_') || c.is_ascii_alphabetic()) => {
                json!(token)
            }
            _ => return None,
        })
    }

    fn with_arguments(&mut self, mut row: Vec<Json>, depth: usize) -> Option<Json> {
        self.expect("(")?;
        while !self.accept(")") {
            match self.peek()?.strip_prefix('"') {
                Some(code) => {
                    self.take();
                    row.push(json!(["code", code.strip_suffix('"')?]));
                }
                None => row.push(self.element(depth + 1)?),
            }
            self.accept(",");
        }
        Some(Json::Array(row))
    }

    fn group(&mut self, depth: usize) -> Option<Json> {
        let (then, anchor) = self.elements(&[")"], depth)?;
        self.expect(")")?;
        let mut anchor = anchor.and_then(|place| i64::try_from(place).ok());
        let mut otherwise = Vec::new();
        if self.accept(":") {
            self.expect("(")?;
            let (elements, place) = self.elements(&[")"], depth)?;
            self.expect(")")?;
            otherwise = elements;
            anchor = place.and_then(|place| i64::try_from(place).ok()).map(|place| -1 - place).or(anchor);
        }
        self.expect("?")?;
        let mut row = vec![json!("group"), Json::Array(then), json!(anchor?)];
        if !otherwise.is_empty() {
            row.push(Json::Array(otherwise));
        }
        Some(Json::Array(row))
    }

    fn clauses(&mut self, depth: usize) -> Option<Json> {
        self.expect("(")?;
        let mut row = vec![json!("oilist")];
        loop {
            let (clause, _) = self.elements(&["|", ")"], depth)?;
            row.push(Json::Array(clause));
            if self.take()? == ")" {
                return Some(Json::Array(row));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_are_nested_lists() {
        for (text, expected) in [
            (
                "$a `,` $b attr-dict `:` type($a)",
                json!(["$a", "`,", "$b", "attr-dict", "`:", ["type", "$a"]]),
            ),
            ("`` ` ` `\\n` `(`", json!(["`", "` ", "`\n", "`("])),
            ("(`to` $a^)?", json!([["group", ["`to", "$a"], 1]])),
            ("($a^) : (`none` $b)?", json!([["group", ["$a"], 0, ["`none", "$b"]]])),
            ("(`x` $a) : ($b^)?", json!([["group", ["`x", "$a"], -1, ["$b"]]])),
            (
                "custom<F>($a, \"x\\\"y\", ref($b))",
                json!([["custom", "F", "$a", ["code", "x\\\"y"], ["ref", "$b"]]]),
            ),
            ("attribute(tags) type($)", json!([["attribute", "tags"], ["type", "$"]])),
            ("custom<F>(attribute(__tags))", json!([["custom", "F", ["attribute", "__tags"]]])),
            ("oilist(`a` $a | `b`)", json!([["oilist", ["`a", "$a"], ["`b"]]])),
            ("`<` struct(params) `>`", json!(["`<", ["struct", "params"], "`>"])),
        ] {
            assert_eq!(parse(text).map(Json::Array), Some(expected), "{text}");
        }
    }

    #[test]
    fn faults_have_offsets() {
        for (text, fault) in [
            ("$a , $b", "at offset 3: `, $b`"),
            ("($a)", "ends too early"),
            ("$a `x", "at offset 3: `` `x``"),
        ] {
            let error = parse_declared(text).unwrap_err();
            let fault = fault.replace("`` `x``", "``x`");
            assert!(error.contains(&fault), "{error}");
        }
    }

    #[test]
    fn formats_that_are_not_understood() {
        let deep = "(".repeat(1000);
        for text in ["($a)?", "`a", "\"", "type($a", "custom<F", "(`a` $b^", "^", "$a )", "é", &deep] {
            assert_eq!(parse(text), None, "{text}");
        }
    }
}
