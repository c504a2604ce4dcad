//! The names of the aliases that dialects propose.

use serde::Deserialize;

/// The alias that a dialect suggests for an attribute or a type, by the releases that do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Alias {
    pub(crate) name: AliasName,
    pub(crate) since: u32,
    pub(crate) until: u32,
}

/// The name of an alias, which may depend on the parameters of an attribute stored as text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct AliasName {
    pub(crate) pieces: Vec<AliasPiece>,
}

/// A part of a name. Parameters are counted from 0.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum AliasPiece {
    Text(Box<str>),
    /// `{0}`: the string of a parameter as an identifier in lower case.
    Identifier(usize),
    /// `{0:number}`: the digits at the start of a parameter.
    Number(usize),
    /// `{0.key}`: the integer of that key in a dictionary, between underscores, if the dictionary has the
    /// key.
    Entry(usize, Box<str>),
    Parameter(AliasParameter),
}

/// `{before?path:kind-without}`: a parameter of an attribute or a type, which may be missing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct AliasParameter {
    /// The text that precedes the value.
    pub(crate) before: Box<str>,
    /// The names of a parameter and of parameters inside; `*` stands for all.
    pub(crate) path: Box<[Box<str>]>,
    pub(crate) kind: AliasValue,
    /// The beginning that the value loses.
    pub(crate) without: Box<str>,
}

/// The part of an alias that stands for a parameter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum AliasValue {
    /// `word`: the text as an identifier; `65537_i64`.
    Word,
    /// `alias`: the alias of the value, or nothing.
    Alias,
    /// `name`: the alias, or the text as an identifier.
    Name,
    /// `last`: the number of the last item of a list.
    Last,
    /// `digits`: the sign and the digits at the start.
    Digits,
    /// `VALUE=TEXT`: the text if the parameter has this value, or nothing.
    If(Box<str>, Box<str>),
}

impl AliasParameter {
    pub(crate) fn parse(part: &str) -> Option<Self> {
        let (before, rest) = part.split_once('?').unwrap_or(("", part));
        let (path, kind) = rest.split_once(':')?;
        let (kind, without) = kind.split_once('-').unwrap_or((kind, ""));
        let kind = match kind {
            "word" => AliasValue::Word,
            "alias" => AliasValue::Alias,
            "name" => AliasValue::Name,
            "last" => AliasValue::Last,
            "digits" => AliasValue::Digits,
            _ => {
                let (expected, shown) = kind.split_once('=')?;
                AliasValue::If(expected.into(), shown.into())
            }
        };
        let path = path.split('.').map(Into::into).collect();
        Some(Self { before: before.into(), path, kind, without: without.into() })
    }
}

impl AliasName {
    /// The name, if it does not depend on parameters.
    pub(crate) fn fixed(&self) -> Option<&str> {
        match &*self.pieces {
            [AliasPiece::Text(name)] => Some(name),
            _ => None,
        }
    }

    /// # Errors
    /// A message that describes the mistake.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let mut pieces = Vec::new();
        let mut remaining = text;
        while !remaining.is_empty() {
            let at = remaining.find(['{', '}']).unwrap_or(remaining.len());
            if at > 0 {
                pieces.push(AliasPiece::Text(remaining[..at].into()));
                remaining = &remaining[at..];
                continue;
            }
            let wrong = || {
                format!(
                    "`{text}` has a part in braces that is not `N`, `N:number`, `N.key` or `PARAMETER:word`"
                )
            };
            let (part, after) = remaining
                .strip_prefix('{')
                .and_then(|remaining| remaining.split_once('}'))
                .ok_or_else(wrong)?;
            remaining = after;
            if let Some(parameter) = AliasParameter::parse(part) {
                pieces.push(AliasPiece::Parameter(parameter));
                continue;
            }
            let digits = part.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(part.len());
            let number = part[..digits].parse().map_err(|_| wrong())?;
            pieces.push(match (&part[digits..], part[digits..].strip_prefix('.')) {
                ("", _) => AliasPiece::Identifier(number),
                (":number", _) => AliasPiece::Number(number),
                (_, Some(key)) if !key.is_empty() => AliasPiece::Entry(number, key.into()),
                _ => return Err(wrong()),
            });
        }
        if pieces.is_empty() { Err("the name of an alias is empty".to_owned()) } else { Ok(Self { pieces }) }
    }
}

/// An alias in the format of a table.
#[derive(Deserialize)]
#[serde(untagged)]
pub(super) enum RawAlias {
    Always(String),
    Between {
        name: String,
        #[serde(default)]
        since: u32,
        #[serde(default = "forever")]
        until: u32,
    },
}

fn forever() -> u32 {
    u32::MAX
}

impl RawAlias {
    /// # Errors
    /// A message that describes the mistake in the name.
    pub(super) fn load(self) -> Result<Alias, String> {
        let (name, since, until) = match self {
            Self::Always(name) => (name, 0, forever()),
            Self::Between { name, since, until } => (name, since, until),
        };
        Ok(Alias { name: AliasName::parse(&name)?, since, until })
    }

    /// The alias of an encoded attribute.
    ///
    /// # Errors
    /// As [`Self::load`], and if the name depends on text.
    pub(super) fn load_fixed(self) -> Result<Alias, String> {
        let alias = self.load()?;
        match alias.name.fixed() {
            Some(_) => Ok(alias),
            None => Err("only the names in `[aliases]` can depend on parameters".to_owned()),
        }
    }
}
