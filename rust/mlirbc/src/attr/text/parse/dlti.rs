//! Attributes of the dlti dialect, which are stored as text (`mlir/lib/Dialect/DLTI/DLTI.cpp`).
//!
//! Only [`parse_dlti`] analyses these attributes; elsewhere they are text, like attributes of any dialect.

use std::collections::{HashMap, HashSet};

use crate::attr::table::Home;
use crate::attr::text::entry::{Elide, EntryPrinter, EntryStyle};
use crate::attr::text::escape;
use crate::attr::text::lexer::{Token, TokenKind};
use crate::attr::text::out::Out;
use crate::dialect::entries::Entries;
use crate::format::id::{AttrId, TypeId};
use crate::release::Llvm;
use crate::wire::error::{Error, ErrorKind, Result};
use crate::wire::limits::Limits;

use super::{Failure, Goal, ParseFrame, ParseStep, Parsed, Parser, index_of, is_type_keyword};

/// The kind of a dlti attribute.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum DltiForm {
    Spec,
    System,
    Device,
    Map,
    Entry,
    FunctionPointerAlignment,
}

impl DltiForm {
    pub(crate) const ALL: [Self; 6] =
        [Self::Spec, Self::System, Self::Device, Self::Map, Self::Entry, Self::FunctionPointerAlignment];

    pub(crate) fn mnemonic(self) -> &'static str {
        match self {
            Self::Spec => "dl_spec",
            Self::System => "target_system_spec",
            Self::Device => "target_device_spec",
            Self::Map => "map",
            Self::Entry => "dl_entry",
            Self::FunctionPointerAlignment => "function_pointer_alignment",
        }
    }

    fn has_type_keys(self) -> bool {
        matches!(self, Self::Spec | Self::Map | Self::Entry)
    }

    fn may_be_empty(self) -> bool {
        matches!(self, Self::Spec | Self::Map)
    }
}

/// The key of an entry: a type of the table, or a name.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum DltiIndex {
    Type(TypeId),
    Identifier(Vec<u8>),
}

/// A parsed dlti attribute, with indices of the table.
#[derive(Debug, Clone)]
pub(crate) struct DltiNode {
    pub(crate) form: DltiForm,
    pub(crate) items: Vec<(DltiIndex, AttrId)>,
}

/// An attribute whose items are being parsed.
pub(super) struct DltiFrame {
    form: DltiForm,
    items: Vec<(DltiIndex, AttrId)>,
    /// The keys of the items, which must differ.
    seen: HashSet<DltiIndex>,
    /// The key whose value is being parsed; `None` while a nested entry is parsed.
    key: Option<DltiIndex>,
    /// The first token of the item.
    at: Token,
}

/// The table of an attribute, its index there, and the dlti attributes in it.
pub(crate) type DltiTree = (Home, AttrId, HashMap<AttrId, DltiNode>);

/// Parses an attribute with all dlti attributes in it.
pub(crate) fn parse_dlti(text: &[u8], limits: &Limits) -> Result<DltiTree> {
    let mut parser = Parser::new(text, limits);
    parser.dlti = Some(HashMap::new());
    match parser.run(Goal::Attribute) {
        Ok(index) => {
            let nodes = parser.dlti.take().unwrap_or_default();
            Ok((parser.builder.finish(), AttrId::new(index), nodes))
        }
        Err(Failure::Text(error)) => Err(parser.refuse(&error)),
        Err(Failure::Other(error)) => Err(error),
    }
}

fn is_type_start(kind: TokenKind, spelling: &[u8]) -> bool {
    match kind {
        TokenKind::IntegerType | TokenKind::Type | TokenKind::LeftParen => true,
        TokenKind::Identifier => is_type_keyword(spelling),
        _ => false,
    }
}

impl Parser<'_> {
    #[cold]
    fn broken<T>(&self, kind: ErrorKind, at: Token, expected: &'static str) -> Parsed<T> {
        let spelling = String::from_utf8_lossy(self.lexer.spelling(at)).into_owned();
        Err(Error::new(kind, expected, format!("`{spelling}`")).at(at.start as u64).into())
    }

    pub(super) fn dlti_attribute(&mut self, token: Token) -> Parsed<ParseStep> {
        let spelling = self.lexer.spelling(token);
        let mnemonic = spelling.strip_prefix(b"#dlti.").unwrap_or_default();
        let form = DltiForm::ALL.into_iter().find(|form| form.mnemonic().as_bytes() == mnemonic);
        let Some(form) = form else {
            return self.broken(
                ErrorKind::LayoutUnknownMnemonic,
                token,
                "`dl_spec`, `target_system_spec`, `target_device_spec`, `map`, `dl_entry` or \
                 `function_pointer_alignment` after `#dlti.`",
            );
        };
        self.expect(TokenKind::Less, "`<` after the name")?;
        if form == DltiForm::FunctionPointerAlignment {
            return self.function_pointer_alignment();
        }
        let frame = DltiFrame { form, items: Vec::new(), seen: HashSet::new(), key: None, at: token };
        if form != DltiForm::Entry && self.lexer.eat(TokenKind::Greater)? {
            if form.may_be_empty() {
                return self.dlti_done(frame);
            }
            return self.broken(ErrorKind::LayoutEmptyList, token, "at least one item");
        }
        self.dlti_item(Box::new(frame))
    }

    /// `#dlti.function_pointer_alignment<64, function_dependent = true>`
    fn function_pointer_alignment(&mut self) -> Parsed<ParseStep> {
        let number = self.lexer.next()?;
        let bits = self.unsigned(number, "an alignment in bits")?;
        self.expect(TokenKind::Comma, "`,` after the alignment")?;
        self.lexer.expect_word("function_dependent")?;
        self.expect(TokenKind::Equal, "`=` after `function_dependent`")?;
        let token = self.lexer.next()?;
        let depends = match self.lexer.spelling(token) {
            b"true" => "true",
            b"false" => "false",
            _ => return self.fail(token, "`true` or `false`"),
        };
        self.expect(TokenKind::Greater, "`>` after the parameters")?;
        let text =
            format!("#dlti.function_pointer_alignment<{bits}, function_dependent = {depends}>").into_bytes();
        self.dlti_text(&text, DltiNode { form: DltiForm::FunctionPointerAlignment, items: Vec::new() })
    }

    fn dlti_item(&mut self, mut frame: Box<DltiFrame>) -> Parsed<ParseStep> {
        let token = self.lexer.peek()?;
        frame.at = token;
        if token.kind == TokenKind::String {
            self.lexer.seek(token.end);
            let key = DltiIndex::Identifier(self.unquoted(token)?);
            return self.dlti_value(frame, key);
        }
        if is_type_start(token.kind, self.lexer.spelling(token)) {
            if !frame.form.has_type_keys() {
                return self.broken(ErrorKind::LayoutTypeKey, token, "a string as the key");
            }
            return self.begin(ParseFrame::DltiKey(frame), Goal::Type);
        }
        if frame.form == DltiForm::Entry {
            return self.fail(token, "a type or a string as the key");
        }
        self.begin(ParseFrame::DltiValue(frame), Goal::Attribute)
    }

    pub(super) fn dlti_value(&mut self, mut frame: Box<DltiFrame>, key: DltiIndex) -> Parsed<ParseStep> {
        match frame.form {
            DltiForm::Entry => self.expect(TokenKind::Comma, "`,` after the key")?,
            _ => self.expect(TokenKind::Equal, "`=` after the key")?,
        };
        frame.key = Some(key);
        self.begin(ParseFrame::DltiValue(frame), Goal::Attribute)
    }

    /// Adds an item whose value is parsed, and continues with the next item or ends the attribute.
    pub(super) fn dlti_read(&mut self, mut frame: Box<DltiFrame>, value: AttrId) -> Parsed<ParseStep> {
        let nodes = self.dlti.as_ref();
        let (key, value) = match frame.key.take() {
            Some(key) => (key, value),
            None => {
                let node = nodes.and_then(|nodes| nodes.get(&value));
                match node.map(|node| (node.form, node.items.first())) {
                    Some((DltiForm::Entry, Some((key, value)))) => (key.clone(), *value),
                    _ => {
                        let expected = "`key = value` or `#dlti.dl_entry<key, value>`";
                        return self.broken(ErrorKind::LayoutNotAnEntry, frame.at, expected);
                    }
                }
            }
        };
        let at = frame.at;
        match &key {
            DltiIndex::Type(_) if !frame.form.has_type_keys() => {
                return self.broken(ErrorKind::LayoutTypeKey, at, "a string as the key");
            }
            // A device may have no name (`parseAngleBracketedEntries` in `DLTI.cpp`).
            DltiIndex::Identifier(name)
                if name.is_empty() && !matches!(frame.form, DltiForm::System | DltiForm::Entry) =>
            {
                return self.broken(ErrorKind::LayoutEmptyKey, at, "a nonempty key");
            }
            _ => {}
        }
        if frame.form == DltiForm::System {
            let form = nodes.and_then(|nodes| nodes.get(&value)).map(|node| node.form);
            if form != Some(DltiForm::Device) {
                return self.broken(
                    ErrorKind::LayoutNotADevice,
                    at,
                    "`#dlti.target_device_spec` for the device",
                );
            }
        }
        if !frame.seen.insert(key.clone()) {
            return self.broken(ErrorKind::LayoutDuplicateKey, at, "a key that does not occur twice");
        }
        frame.items.push((key, value));
        if frame.form == DltiForm::Entry {
            self.expect(TokenKind::Greater, "`>` after the value")?;
        } else if self.goes_on(TokenKind::Greater, "`,` or `>`")? {
            return self.dlti_item(frame);
        }
        self.dlti_done(*frame)
    }

    /// Stores a parsed attribute as the text that MLIR prints.
    fn dlti_done(&mut self, frame: DltiFrame) -> Parsed<ParseStep> {
        let mut text = format!("#dlti.{}<", frame.form.mnemonic()).into_bytes();
        let between: &[u8] = if frame.form == DltiForm::Entry { b", " } else { b" = " };
        for (place, (key, value)) in frame.items.iter().enumerate() {
            if place > 0 {
                text.extend_from_slice(b", ");
            }
            match key {
                DltiIndex::Type(index) => text.extend(self.type_text(*index)?),
                DltiIndex::Identifier(name) => escape::write_string(&mut text, name),
            }
            text.extend_from_slice(between);
            text.extend(self.attribute_text(*value)?);
        }
        text.push(b'>');
        self.charge(text.len())?;
        self.dlti_text(&text, DltiNode { form: frame.form, items: frame.items })
    }

    fn dlti_text(&mut self, text: &[u8], node: DltiNode) -> Parsed<ParseStep> {
        let dialect = self.builder.dialect(b"dlti");
        let index = index_of(self.builder.text(false, dialect, text)?);
        if let Some(nodes) = &mut self.dlti {
            nodes.insert(index, node);
        }
        Ok(ParseStep::Done(index.number()))
    }

    fn attribute_text(&self, index: AttrId) -> Parsed<Vec<u8>> {
        let style = EntryStyle { release: Llvm::NEWEST, elide_elements: None };
        let entries: &dyn Entries = self.builder.entries();
        let mut printer = EntryPrinter::new(&entries, style, self.longest_text()).without_cache();
        let mut out = Out::memory();
        printer.attribute(&mut out, index, Elide::Never);
        match printer.faults.into_iter().next() {
            Some(fault) => Err(fault.into()),
            None => Ok(out.buffer),
        }
    }
}
