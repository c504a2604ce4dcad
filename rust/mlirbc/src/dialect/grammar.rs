//! The grammar of field descriptions in a table: `list(attribute)`, `switch(0: type | else: rest)`.

use super::table::{Bits, Case, Layout, Omit, Primitive};

const MAX_SPARSE: u32 = 4096;
const MAX_BITS: u64 = 1 << 16;

pub(super) fn parse_number(text: &str) -> Option<u64> {
    match text.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16).ok(),
        None => text.parse().ok(),
    }
}

pub(super) fn parse_omit(text: &str, before: &Layout) -> Result<Omit, String> {
    if let ("iota", Some(name)) = split_call(text)? {
        let field = before.index(name);
        return field.map(Omit::Iota).ok_or_else(|| format!("`{text}` does not name an earlier field"));
    }
    match text {
        "empty" | "\"\"" => Ok(Omit::Empty),
        "false" => Ok(Omit::Number(0)),
        "true" => Ok(Omit::Number(1)),
        number => number.parse().map(Omit::Number).map_err(|_| {
            format!(
                "`{text}` is not a number, `false`, `true`, `empty` or `iota(FIELD)`, which `omit` accepts"
            )
        }),
    }
}

pub(super) fn parse_bits(text: &str, layout: &Layout) -> Result<Bits, String> {
    let parsed = text.split_once('/').and_then(|(name, divisor)| {
        let field = layout.index(name.trim())?;
        Some(Bits::Field(field, divisor.trim().parse().ok().filter(|&divisor| divisor > 0)?))
    });
    parsed.ok_or_else(|| format!("`{text}` is not `field / number`"))
}

/// `head(arguments)` or `head`.
pub(crate) fn split_call(text: &str) -> Result<(&str, Option<&str>), String> {
    match text.split_once('(') {
        Some((head, rest)) => {
            let arguments = rest.strip_suffix(')').ok_or_else(|| format!("`{text}` is not closed"))?;
            Ok((head.trim(), Some(arguments.trim())))
        }
        None => Ok((text.trim(), None)),
    }
}

impl Primitive {
    /// Whether the primitive, or an item of a list, is an attribute of that class.
    pub(crate) fn wants(&self, class: &str) -> bool {
        match self {
            Self::Attribute(Some(required)) | Self::OptionalAttribute(Some(required)) => **required == *class,
            Self::List(items) | Self::OptionalList(items) => items.iter().any(|item| item.wants(class)),
            Self::If(_, inner) => inner.wants(class),
            Self::Switch(cases) => cases.iter().any(|case| case.items.iter().any(|item| item.wants(class))),
            _ => false,
        }
    }

    /// Whether the primitive, or an item of a list, is an attribute or a type.
    pub(crate) fn refers(&self) -> bool {
        match self {
            Self::Attribute(_) | Self::OptionalAttribute(_) | Self::Type | Self::OptionalType => true,
            Self::List(items) | Self::OptionalList(items) => items.iter().any(Self::refers),
            Self::If(_, inner) => inner.refers(),
            Self::Switch(cases) => cases.iter().any(|case| case.items.iter().any(Self::refers)),
            _ => false,
        }
    }

    /// Whether the primitive extends to the end of the entry.
    pub(super) fn takes_rest(&self) -> bool {
        match self {
            Self::Rest | Self::Opaque | Self::AffineMap | Self::IntegerSet | Self::Splat(_) => true,
            Self::If(_, inner) => inner.takes_rest(),
            Self::Switch(cases) => cases.iter().any(|case| case.items.last().is_some_and(Self::takes_rest)),
            _ => false,
        }
    }

    /// Whether the primitive, or an item of a list, has bytes of unknown meaning.
    pub(crate) fn is_opaque(&self) -> bool {
        match self {
            Self::Opaque => true,
            Self::List(items) | Self::OptionalList(items) => items.iter().any(Self::is_opaque),
            Self::If(_, inner) => inner.is_opaque(),
            Self::Switch(cases) => cases.iter().any(|case| case.items.iter().any(Self::is_opaque)),
            _ => false,
        }
    }

    pub(super) fn parse(text: &str, before: &Layout) -> Result<Self, String> {
        let field = |name: &str| {
            before.index(name.trim()).ok_or_else(|| format!("`{text}` does not name an earlier field"))
        };
        if let Some(rest) = text.strip_prefix("if(") {
            let (flag, rest) = rest.split_once(')').ok_or_else(|| format!("`{text}` is not closed"))?;
            let inner = Self::parse(rest.trim(), before)?;
            return Ok(Self::If(field(flag)?, Box::new(inner)));
        }
        let class = |class: Option<&str>| class.map(Into::into);
        Ok(match split_call(text)? {
            ("varint", None) => Self::Varint,
            ("optional_varint", None) => Self::OptionalVarint,
            ("signed", None) => Self::Signed,
            ("byte", None) => Self::Byte,
            ("bool", None) => Self::Bool,
            ("string", None) => Self::String,
            ("blob", None) => Self::Blob,
            ("resource", None) => Self::Resource,
            ("opaque", None) => Self::Opaque,
            ("affine_map", None) => Self::AffineMap,
            ("integer_set", None) => Self::IntegerSet,
            ("attribute", name) => Self::Attribute(class(name)),
            ("optional_attribute", name) => Self::OptionalAttribute(class(name)),
            ("type", None) => Self::Type,
            ("optional_type", None) => Self::OptionalType,
            ("varint_with_flag", None) => Self::VarintWithFlag,
            ("rest", None) => Self::Rest,
            ("sparse", Some(count)) => match count.parse() {
                Ok(count @ 1..=MAX_SPARSE) => Self::Sparse(count),
                _ => return Err(format!("`{count}` is not a number from 1 to {MAX_SPARSE}")),
            },
            ("switch", Some(cases)) => Self::Switch(Self::cases(cases, before)?),
            ("list", Some(items)) => Self::List(Self::items(items, before)?),
            ("optional_list", Some(items)) => Self::OptionalList(Self::items(items, before)?),
            ("float", Some("f64")) => Self::Float(64),
            ("int" | "float", Some(bits)) if bits.bytes().all(|byte| byte.is_ascii_digit()) => {
                match bits.parse() {
                    Ok(bits @ 1..=MAX_BITS) => Self::Float(bits),
                    _ => return Err(format!("`{bits}` is not a width from 1 to {MAX_BITS}")),
                }
            }
            ("int" | "float", Some(name)) => Self::Bits(field(name)?),
            ("splat", Some(name)) => Self::Splat(field(name)?),
            _ => return Err(format!("unknown primitive `{text}`")),
        })
    }

    fn items(text: &str, before: &Layout) -> Result<Vec<Self>, String> {
        let items = Self::sequence(text, before)?;
        if items.is_empty() {
            return Err(format!("a list needs at least one primitive: `{text}`"));
        }
        if items.iter().any(|item| item.takes_rest() && !matches!(item, Self::Splat(_))) {
            return Err(format!(
                "a field that extends to the end of the entry cannot be in a list: `{text}`"
            ));
        }
        // A single byte of a file could request many arrays.
        if items.iter().any(Self::has_sparse) {
            return Err(format!("a sparse array cannot be in a list: `{text}`"));
        }
        Ok(items)
    }

    fn has_sparse(&self) -> bool {
        match self {
            Self::Sparse(_) => true,
            Self::If(_, inner) => inner.has_sparse(),
            Self::Switch(cases) => cases.iter().any(|case| case.items.iter().any(Self::has_sparse)),
            _ => false,
        }
    }

    fn sequence(text: &str, before: &Layout) -> Result<Vec<Self>, String> {
        words(text, b' ').map(|word| Self::parse(word, before)).collect()
    }

    /// `0: P P | 1: P | else: P`
    fn cases(text: &str, before: &Layout) -> Result<Vec<Case>, String> {
        let mut cases: Vec<Case> = Vec::new();
        for part in words(text, b'|') {
            let (kind, items) =
                part.split_once(':').ok_or_else(|| format!("`{part}` is not `kind: primitives`"))?;
            let kind = match kind.trim() {
                "else" => None,
                number => {
                    Some(parse_number(number).ok_or_else(|| format!("`{number}` is not a case number"))?)
                }
            };
            if cases.iter().any(|case| case.kind == kind) {
                return Err(format!("two cases have the same kind in `{text}`"));
            }
            let items = Self::sequence(items, before)?;
            if items.iter().rev().skip(1).any(Self::takes_rest) {
                return Err(format!(
                    "nothing can follow a field that extends to the end of the entry in `{part}`"
                ));
            }
            cases.push(Case { kind, items });
        }
        if cases.is_empty() {
            return Err(format!("a switch without cases: `{text}`"));
        }
        Ok(cases)
    }
}

/// Returns the parts between separators outside of parentheses.
fn words(text: &str, separator: u8) -> impl Iterator<Item = &str> {
    let (mut depth, mut start) = (0_u32, 0);
    let mut pieces = Vec::new();
    for (at, byte) in text.bytes().chain([separator]).enumerate() {
        match byte {
            _ if byte == separator && depth == 0 => {
                pieces.push(text[start..at].trim());
                start = at + 1;
            }
            b'(' => depth += 1,
            b')' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    pieces.into_iter().filter(|piece| !piece.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_nest() {
        let before = Layout::default();
        let list =
            Primitive::parse("list(attribute(A) optional_list(optional_attribute) bool)", &before).unwrap();
        let Primitive::List(items) = list else { panic!() };
        assert_eq!(items.len(), 3);
        assert_eq!(items[0], Primitive::Attribute(Some("A".into())));
    }
}
