//! The names that an operation suggests for its results and block arguments, as templates of packs.
//!
//! A template is a text with parts in braces, which `docs/reference/packs.md` lists: `{name}` is the text of an
//! attribute.

/// A template for the name of a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct NameTemplate {
    pieces: Box<[NamePiece]>,
}

/// A part of a template.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum NamePiece {
    Text(Box<str>),
    /// The text of an attribute: of a string, a symbol, or another one without its type.
    Attribute(Box<str>),
    /// The name of the number in an attribute: `true`, `c5_i8`.
    Constant(Box<str>),
    /// The floating-point number in an attribute with six decimals, and no `+`: `5.000000e-01`.
    Float(Box<str>),
    /// The first word of a string in an attribute.
    Word(Box<str>),
    /// The first parameter of an attribute.
    First(Box<str>),
    /// The mnemonic of an attribute without parameters.
    Mnemonic(Box<str>),
    /// The first symbol in the text of an attribute.
    Symbol(Box<str>),
    /// The symbols of the items of an array, or else their first words, with points between them.
    Steps(Box<str>),
    /// The bits of the integer type of the first result.
    Bits,
    /// The name that the operation which defines an operand suggests for it.
    Value(Box<str>),
    /// The item with the number of the value, of an attribute or of the type of an operand.
    Item(ListSource),
    /// The item of a list with the number in an attribute.
    Chosen(ListSource, Box<str>),
    /// The number of the value.
    Number,
}

/// A list of names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ListSource {
    /// The attribute or operand.
    pub(crate) name: Box<str>,
    /// The words with which the items begin that count; all items if there are none.
    pub(crate) words: Box<[Box<str>]>,
}

impl NameTemplate {
    /// Reads a template.
    ///
    /// # Errors
    /// The reason why the template is refused.
    pub(crate) fn read(text: &str) -> Result<Self, String> {
        let mut pieces = Vec::new();
        let mut remaining = text;
        while let Some((before, inside)) = remaining.split_once('{') {
            let (inside, after) =
                inside.split_once('}').ok_or_else(|| format!("a part of the name `{text}` has no end"))?;
            if !before.is_empty() {
                pieces.push(NamePiece::Text(before.into()));
            }
            pieces
                .push(NamePiece::read(inside).ok_or_else(|| format!("`{{{inside}}}` is no part of a name"))?);
            remaining = after;
        }
        if !remaining.is_empty() {
            pieces.push(NamePiece::Text(remaining.into()));
        }
        Ok(Self { pieces: pieces.into() })
    }

    pub(crate) fn pieces(&self) -> &[NamePiece] {
        &self.pieces
    }

    /// Whether each value of a group gets a name of its own.
    pub(crate) fn is_of_each(&self) -> bool {
        self.pieces.iter().any(|piece| matches!(piece, NamePiece::Item(_) | NamePiece::Number))
    }
}

impl NamePiece {
    fn read(inside: &str) -> Option<Self> {
        let is_name = |name: &str| {
            !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        };
        if inside == "#" {
            return Some(Self::Number);
        }
        if let Some((function, name)) = inside.split_once(' ').filter(|(_, name)| is_name(name)) {
            let name = name.into();
            return Some(match function {
                "constant" => Self::Constant(name),
                "first" => Self::First(name),
                "float" => Self::Float(name),
                "mnemonic" => Self::Mnemonic(name),
                "symbol" => Self::Symbol(name),
                "steps" => Self::Steps(name),
                "bits" => Self::Bits,
                "name" => Self::Value(name),
                "word" => Self::Word(name),
                _ => return None,
            });
        }
        if let Some((name, chosen)) = inside.strip_suffix(']').and_then(|list| list.split_once("[$")) {
            let source = ListSource { name: name.into(), words: Box::default() };
            return (is_name(name) && is_name(chosen)).then(|| Self::Chosen(source, chosen.into()));
        }
        let Some((name, words)) = inside.strip_suffix(']').and_then(|list| list.split_once('[')) else {
            return is_name(inside).then(|| Self::Attribute(inside.into()));
        };
        let words: Box<[Box<str>]> = words.split_whitespace().map(Into::into).collect();
        is_name(name).then(|| Self::Item(ListSource { name: name.into(), words }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn templates_are_read() {
        let template = NameTemplate::read("{instanceName}.{ports[input inout]}").unwrap();
        let list = ListSource { name: "ports".into(), words: [Box::from("input"), "inout".into()].into() };
        let expected =
            [NamePiece::Attribute("instanceName".into()), NamePiece::Text(".".into()), NamePiece::Item(list)];
        assert_eq!(template.pieces(), expected);
        assert!(template.is_of_each());
        let constant = NameTemplate::read("{constant value}").unwrap();
        assert_eq!(constant.pieces(), [NamePiece::Constant("value".into())]);
        assert!(!constant.is_of_each());
        let functions = NameTemplate::read("{word a}{first b}{mnemonic c}").unwrap();
        let expected =
            [NamePiece::Word("a".into()), NamePiece::First("b".into()), NamePiece::Mnemonic("c".into())];
        assert_eq!(functions.pieces(), expected);
        for wrong in ["{", "{}", "{a b}", "{a[}", "{constant }"] {
            assert!(NameTemplate::read(wrong).is_err(), "{wrong}");
        }
    }
}
