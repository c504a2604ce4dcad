//! The metadata of a text, `{-# … #-}`: resources of dialects and of tools.

use crate::attr::text::lexer::{Token, TokenKind};
use crate::attr::text::parse::Parsed;
use crate::edit::{ResourceContent, ResourceGroup};
use crate::wire::error::ErrorKind;

use super::frames::{AsmParser, wrong};

/// A resource of the text.
pub(super) struct ParsedResource {
    pub(super) key: Vec<u8>,
    pub(super) group: ResourceGroup,
    pub(super) content: ResourceContent,
    pub(super) position: usize,
}

impl<'t> AsmParser<'t> {
    /// Parses the sections up to `#-}`.
    pub(super) fn metadata(&mut self) -> Parsed<()> {
        self.entries(TokenKind::MetadataEnd, |this, name, token| {
            let is_external = match &*name {
                b"dialect_resources" => false,
                b"external_resources" => true,
                _ => return this.unexpected(token, "`dialect_resources` or `external_resources`"),
            };
            this.expect(TokenKind::LeftBrace, "`{` and the resources")?;
            this.entries(TokenKind::RightBrace, |this, group, token| {
                if !is_external && group != b"builtin" {
                    let group = String::from_utf8_lossy(&group);
                    let message = format!("dialect `{group}` has no resources; only `builtin` has");
                    return Err(wrong(ErrorKind::AsmContents, token.start, message));
                }
                this.expect(TokenKind::LeftBrace, "`{` and the resources")?;
                this.entries(TokenKind::RightBrace, |this, key, token| {
                    let group = match is_external {
                        true => ResourceGroup::External(group.clone()),
                        false => ResourceGroup::Dialect(group.clone()),
                    };
                    let content = this.resource(is_external)?;
                    // The release's `mlir-opt` reads reproducers but does not write them.
                    if this.release.drops_reproducers()
                        && group == ResourceGroup::External(b"mlir_reproducer".to_vec())
                    {
                        return Ok(());
                    }
                    this.resources.push(ParsedResource { key, group, content, position: token.start });
                    Ok(())
                })
            })
        })
    }

    /// Parses `name: value` entries up to a token; calls `item` at each value.
    fn entries(
        &mut self,
        close: TokenKind,
        mut item: impl FnMut(&mut Self, Vec<u8>, Token) -> Parsed<()>,
    ) -> Parsed<()> {
        self.list(close, "`,` or the end of the resources", |this| {
            let token = this.next()?;
            let name = match token.kind {
                TokenKind::String => this.text.string_of(token)?,
                TokenKind::Identifier | TokenKind::IntegerType => this.spelling(token).to_vec(),
                _ => return this.unexpected(token, "a name"),
            };
            this.expect(TokenKind::Colon, "`:` after the name")?;
            item(this, name, token)
        })
    }

    fn resource(&mut self, is_external: bool) -> Parsed<ResourceContent> {
        let token = self.next()?;
        let word = self.spelling(token);
        match token.kind {
            TokenKind::Identifier if is_external && matches!(word, b"true" | b"false") => {
                Ok(ResourceContent::Bool(word == b"true"))
            }
            TokenKind::String => {
                let inside = word.get(1..word.len().saturating_sub(1)).unwrap_or_default();
                if let Some(digits) = inside.strip_prefix(b"0x") {
                    return self.blob(token, digits);
                }
                if !is_external {
                    return self.unexpected(token, "hexadecimal data, `\"0x…\"`");
                }
                self.text.string_of(token).map(ResourceContent::String)
            }
            _ => self.unexpected(token, "a resource: `\"0x…\"`, a string or a Boolean"),
        }
    }

    /// Parses a blob: the alignment in four bytes, then the data.
    fn blob(&mut self, token: Token, digits: &[u8]) -> Parsed<ResourceContent> {
        let nibble = |byte: u8| (byte as char).to_digit(16).map(|digit| digit as u8);
        let byte = |pair: &[u8]| match *pair {
            [high, low] => Some(nibble(high)? << 4 | nibble(low)?),
            _ => None,
        };
        self.editor.tables.budget.spend(digits.len() / 2)?;
        let bytes: Option<Vec<u8>> = digits.chunks(2).map(byte).collect();
        let Some(bytes) = bytes else {
            return self.unexpected(token, "an even number of hexadecimal digits");
        };
        let Some((alignment, data)) = bytes.split_first_chunk::<4>() else {
            return self.unexpected(token, "the alignment in four bytes, before the data");
        };
        let alignment = u32::from_le_bytes(*alignment);
        if !alignment.is_power_of_two() {
            return self.unexpected(token, "an alignment that is a power of two, in the first four bytes");
        }
        Ok(ResourceContent::Blob { bytes: data.to_vec().into(), alignment: Some(alignment.into()) })
    }
}
