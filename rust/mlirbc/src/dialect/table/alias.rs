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
            let wrong = || format!("`{text}` has a part in braces that is not `N`, `N:number` or `N.key`");
            let (part, after) = remaining
                .strip_prefix('{')
                .and_then(|remaining| remaining.split_once('}'))
                .ok_or_else(wrong)?;
            remaining = after;
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
