//! Templates: the text of the fields of an encoding.
//!
//! `{field}` prints a field, `{field:STYLE}` in another style; `{params}` prints all fields as `name =
//! value`, `{params(a b)}` some; `{?field|TEXT}` prints a template only if the field is present,
//! `{!field|TEXT}` only if it is absent; `{print}` is the output of the encoding's named printer. `{{` and
//! `}}` are braces outside of conditions, `\{` and `\}` everywhere.

use super::table::{Layout, Style};

/// The pieces of a template.
#[derive(Debug, Default, Clone)]
pub(crate) struct Template {
    pub(crate) pieces: Vec<TemplatePiece>,
}

/// A part of a template.
#[derive(Debug, Clone)]
pub(crate) enum TemplatePiece {
    Text(Box<str>),
    /// A field, and its style if the template has one.
    Field(usize, Option<Style>),
    /// Fields as `name = value`, joined by commas, except omitted ones.
    Params(Vec<usize>),
    /// Printed if the field is present.
    Where(usize, Template),
    /// Printed if the field is absent.
    Unless(usize, Template),
    /// The output of the named printer.
    Print,
}

impl Template {
    /// Whether the text is empty or enclosed in `<` and `>`: the text after `dialect.mnemonic`.
    pub(crate) fn is_bracketed(&self) -> bool {
        let starts =
            |piece: &TemplatePiece| matches!(piece, TemplatePiece::Text(text) if text.starts_with('<'));
        let ends = |piece: &TemplatePiece| matches!(piece, TemplatePiece::Text(text) if text.ends_with('>'));
        match &*self.pieces {
            [] => true,
            [first, .., last] => starts(first) && ends(last),
            [only] => starts(only) && ends(only),
        }
    }

    /// A copy with other field indices.
    pub(crate) fn renumbered(&self, to: &dyn Fn(usize) -> usize) -> Self {
        let piece = |piece: &TemplatePiece| match piece {
            TemplatePiece::Text(text) => TemplatePiece::Text(text.clone()),
            TemplatePiece::Field(field, style) => TemplatePiece::Field(to(*field), *style),
            TemplatePiece::Params(fields) => {
                TemplatePiece::Params(fields.iter().map(|&field| to(field)).collect())
            }
            TemplatePiece::Where(field, inner) => TemplatePiece::Where(to(*field), inner.renumbered(to)),
            TemplatePiece::Unless(field, inner) => TemplatePiece::Unless(to(*field), inner.renumbered(to)),
            TemplatePiece::Print => TemplatePiece::Print,
        };
        Self { pieces: self.pieces.iter().map(piece).collect() }
    }

    /// The template of an encoding with a named printer.
    pub(crate) fn print() -> Self {
        Self { pieces: vec![TemplatePiece::Print] }
    }

    pub(crate) fn parse(
        text: &str,
        layout: &Layout,
        style: impl Fn(&str) -> Result<Style, String>,
    ) -> Result<Self, String> {
        let mut remaining = text;
        let template = Self::sequence(&mut remaining, layout, &style, false)?;
        if remaining.is_empty() { Ok(template) } else { Err(format!("unmatched `}}` in `{text}`")) }
    }

    // Parses up to the end, or up to the brace that closes a nested template.
    fn sequence(
        rest: &mut &str,
        layout: &Layout,
        style: &impl Fn(&str) -> Result<Style, String>,
        is_nested: bool,
    ) -> Result<Self, String> {
        let mut pieces = Vec::new();
        let mut text = String::new();
        let flush = |text: &mut String, pieces: &mut Vec<TemplatePiece>| {
            if !text.is_empty() {
                pieces.push(TemplatePiece::Text(std::mem::take(text).into()));
            }
        };
        loop {
            let Some(at) = rest.find(['{', '}', '\\']) else {
                text.push_str(rest);
                *rest = "";
                if is_nested {
                    return Err("a `{?…|` is not closed".to_owned());
                }
                break;
            };
            text.push_str(&rest[..at]);
            let tail = &rest[at..];
            if let Some(after) = tail.strip_prefix('\\') {
                let brace = after.get(..1).filter(|brace| ["{", "}"].contains(brace));
                text.push_str(brace.ok_or("a `\\` that is not before a brace")?);
                *rest = &after[1..];
            } else if let Some(after) = tail.strip_prefix("{{") {
                text.push('{');
                *rest = after;
            } else if tail.starts_with("}}") && !is_nested {
                text.push('}');
                *rest = &tail[2..];
            } else if let Some(after) = tail.strip_prefix('}') {
                if !is_nested {
                    return Err("unmatched `}`".to_owned());
                }
                *rest = after;
                break;
            } else if tail.starts_with("{?") || tail.starts_with("{!") {
                flush(&mut text, &mut pieces);
                let (name, after) = tail[2..].split_once('|').ok_or("a condition without `|`")?;
                let field = layout.index(name.trim()).ok_or_else(|| format!("there is no field `{name}`"))?;
                *rest = after;
                let inner = Self::sequence(rest, layout, style, true)?;
                pieces.push(if tail.starts_with("{?") {
                    TemplatePiece::Where(field, inner)
                } else {
                    TemplatePiece::Unless(field, inner)
                });
            } else {
                flush(&mut text, &mut pieces);
                let (inner, after) = tail[1..].split_once('}').ok_or("a `{` is not closed")?;
                pieces.push(Self::piece(inner, layout, style)?);
                *rest = after;
            }
        }
        flush(&mut text, &mut pieces);
        Ok(Self { pieces })
    }

    fn piece(
        text: &str,
        layout: &Layout,
        style: &impl Fn(&str) -> Result<Style, String>,
    ) -> Result<TemplatePiece, String> {
        let field =
            |name: &str| layout.index(name.trim()).ok_or_else(|| format!("there is no field `{name}`"));
        if text == "print" {
            return Ok(TemplatePiece::Print);
        }
        if text == "params" {
            return Ok(TemplatePiece::Params((0..layout.fields.len()).collect()));
        }
        if let Some(names) = text.strip_prefix("params(") {
            let names = names.strip_suffix(')').ok_or_else(|| format!("`{text}` is not closed"))?;
            return Ok(TemplatePiece::Params(names.split_whitespace().map(field).collect::<Result<_, _>>()?));
        }
        match text.split_once(':') {
            Some((name, how)) => Ok(TemplatePiece::Field(field(name)?, Some(style(how.trim())?))),
            None => Ok(TemplatePiece::Field(field(text)?, None)),
        }
    }
}
