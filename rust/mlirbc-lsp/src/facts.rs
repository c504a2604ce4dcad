//! Names in the text of a section, without parsing it.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

use mlirbc::parse::{SourceToken, SourceTokenKind, source_tokens};

/// The names that a section uses.
#[derive(Debug, Default)]
pub(crate) struct Facts {
    /// Names of values, with `%`.
    pub(crate) values: BTreeSet<Arc<str>>,
    /// Names of aliases, with `#` or `!`.
    pub(crate) aliases: BTreeSet<Arc<str>>,
    /// The positions of values that are in no brackets, or in the brackets of a label.
    pub(crate) outermost: BTreeSet<usize>,
    /// The definitions of aliases: the name, its position, and the text of the definition.
    pub(crate) definitions: Vec<(Arc<str>, Range<usize>, Arc<str>)>,
}

impl Facts {
    pub(crate) fn of(text: &str) -> Self {
        let mut facts = Self::default();
        let mut scanner = Scanner::default();
        for token in source_tokens(text.as_bytes()) {
            if token.kind == SourceTokenKind::Value && scanner.is_outermost() {
                facts.outermost.insert(token.range.start);
            }
            let name = text.get(token.range.clone()).unwrap_or_default();
            match token.kind {
                SourceTokenKind::Value if !facts.values.contains(name) => {
                    facts.values.insert(name.into());
                }
                SourceTokenKind::Attribute | SourceTokenKind::Type
                    if !name.contains('.') && !facts.aliases.contains(name) =>
                {
                    facts.aliases.insert(name.into());
                }
                _ => {}
            }
            scanner.pass(text, token, &mut facts.definitions);
        }
        scanner.end(text, &mut facts.definitions);
        facts
    }
}

/// Finds definitions of aliases: a name at the top level that `=` follows, up to the next item in a line of its own.
#[derive(Default)]
struct Scanner {
    depth: usize,
    before: Option<SourceToken>,
    /// Whether the outermost bracket is the one of a label.
    is_label: bool,
    /// A name at the beginning of a line.
    name: Option<Range<usize>>,
    /// The name of the definition, and the end of its last token.
    open: Option<(Range<usize>, usize)>,
}

impl Scanner {
    fn is_outermost(&self) -> bool {
        self.depth == 0 || self.depth == 1 && self.is_label
    }

    fn pass(
        &mut self,
        text: &str,
        token: SourceToken,
        definitions: &mut Vec<(Arc<str>, Range<usize>, Arc<str>)>,
    ) {
        use SourceTokenKind as Kind;
        let gap = text.get(self.before.as_ref().map_or(0, |before| before.range.end)..token.range.start);
        let is_first = self.before.is_none() || gap.is_some_and(|gap| gap.contains('\n'));
        let is_item = match token.kind {
            Kind::Attribute | Kind::Type | Kind::Value | Kind::String => true,
            // A type may continue in the next line.
            Kind::Word => {
                let word = text.get(token.range.clone()).unwrap_or_default();
                word.contains('.') || word == "module"
            }
            _ => false,
        };
        if self.depth == 0 && is_first && is_item {
            self.end(text, definitions);
        }
        if let Some(name) = self.name.take().filter(|_| token.kind == Kind::Equal && self.open.is_none()) {
            self.open = Some((name, token.range.end));
        }
        let is_name = matches!(token.kind, Kind::Attribute | Kind::Type);
        self.name = (self.depth == 0 && is_first && is_name).then(|| token.range.clone());
        match token.kind {
            Kind::Open => {
                let before = self.before.as_ref().map(|before| before.kind);
                self.is_label =
                    self.depth == 0 && before == Some(Kind::Block) || self.depth > 0 && self.is_label;
                self.depth += 1;
            }
            Kind::Close => self.depth = self.depth.saturating_sub(1),
            _ => {}
        }
        if let Some((_, end)) = &mut self.open {
            *end = token.range.end;
        }
        self.before = Some(token);
    }

    fn end(&mut self, text: &str, definitions: &mut Vec<(Arc<str>, Range<usize>, Arc<str>)>) {
        if let Some((name, end)) = self.open.take() {
            let spelling = text.get(name.clone()).unwrap_or_default();
            let definition = text.get(name.start..end).unwrap_or_default();
            definitions.push((spelling.into(), name, definition.into()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_aliases_are_found() {
        let text = "#a = affine_map<(d0)\n  -> (d0)> // end\n!t = tuple<\n i32>\nfunc.func @f(%x: !t) attributes {k = #a, b = #d.x} {\n}\n";
        let facts = Facts::of(text);
        assert_eq!(facts.values.iter().map(|name| &**name).collect::<Vec<_>>(), ["%x"]);
        assert_eq!(facts.aliases.iter().map(|name| &**name).collect::<Vec<_>>(), ["!t", "#a"]);
        let definitions: Vec<_> = facts.definitions.iter().map(|(_, _, text)| &**text).collect();
        assert_eq!(definitions, ["#a = affine_map<(d0)\n  -> (d0)>", "!t = tuple<\n i32>"]);
    }
}
