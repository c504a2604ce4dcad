//! The error type of the crate and the table of its rules.
//!
//! Owns [`Error`], [`ErrorKind`] and [`RULES`], which gives every kind a stable identifier, a class, a summary and
//! a hint. Does not own the messages: the code that finds a problem writes them. Errors travel up unchanged except
//! for the place, which the layer that knows it adds ([`Error::at`], [`Error::in_section`], [`Error::with_path`]).
//! The reference page `docs/reference/errors.md` is generated from [`RULES`].

use std::borrow::Cow;
use std::fmt;
use std::io;
use std::sync::Arc;

use super::section::SectionId;
use crate::wire::loss::Loss;

/// The result type of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// What has to change for an error to go away.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorClass {
    /// The file violates a rule of the format.
    Read,
    /// The file needs more than the [`Limits`](crate::Limits) allow.
    Limit,
    /// The file, or the requested result, needs something that this release does not support.
    Unsupported,
    /// An argument is invalid: a table, a schema, a text, a value.
    Invalid,
    /// An operation of the operating system failed.
    Io,
    /// The caller requested to stop.
    Interrupted,
}

/// One row of the error table.
#[derive(Debug, Clone, Copy)]
pub struct Rule {
    /// The kind that carries this rule.
    pub kind: ErrorKind,
    /// Stable identifier, e.g. `mlirbc.read.truncated`.
    pub identifier: &'static str,
    /// The class of the kind.
    pub class: ErrorClass,
    /// The rule in one sentence.
    pub summary: &'static str,
    /// What the user can do; [`Error::with_hint`] overrides it.
    pub hint: Option<&'static str>,
}

const DAMAGED: Option<&str> = Some("the file is damaged or incomplete; download or write it again");
const WRITER: Option<&str> =
    Some("no MLIR release writes this; report it to the authors of the tool that wrote the file");

/// The violated rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[repr(u8)]
#[allow(missing_docs)] // each variant is explained by its row of `RULES`
pub enum ErrorKind {
    Truncated,
    Empty,
    Text,
    Archive,
    Magic,
    Version,
    UnterminatedString,
    UnknownSection,
    DuplicateSection,
    MissingSection,
    Alignment,
    Padding,
    StringPastEnd,
    StringGap,
    StringZeroLength,
    Index,
    Count,
    DialectVersion,
    DialectVersionSection,
    EntryPastEnd,
    EntryDirectory,
    EntryGroupOverrun,
    EntryTrailingBytes,
    EntryText,
    EntryClass,
    EntryUnknownCode,
    EntryNoTable,
    EntryCycle,
    EntryElements,
    PropertyBlob,
    PropertyOpaque,
    PropertyTrailingBytes,
    PropertyVersion,
    ResourceSections,
    ResourceTrailingBytes,
    ResourceKind,
    ResourceNoData,
    RegionSection,
    RegionValues,
    UnresolvedValue,
    UseList,
    Shrunk,
    TopLevel,
    DepthLimit,
    MemoryLimit,
    TextLimit,
    HookLimit,
    DialectTable,
    PropertySchema,
    UnknownRelease,
    SchemeRoundTrip,
    DialectHook,
    EntryEncode,
    AsmText,
    Value,
    Erased,
    Edit,
    AmbiguousSymbol,
    ResourceSize,
    Ir,
    LayoutDuplicateKey,
    LayoutEmptyKey,
    LayoutTypeKey,
    LayoutEmptyList,
    LayoutNotADevice,
    LayoutNotAnEntry,
    LayoutUnknownMnemonic,
    LayoutAttributeKind,
    LayoutUnknownAttribute,
    LayoutTwoSpecs,
    LayoutUnknownScope,
    LayoutIndexEntry,
    LayoutEntryKind,
    LayoutElementType,
    LayoutArity,
    LayoutPreferred,
    LayoutByteMultiple,
    LayoutStructKey,
    LayoutBuiltinKey,
    LayoutTypeHooks,
    LayoutEndianness,
    LayoutStack,
    LayoutUnknownKey,
    LayoutForeignKey,
    LayoutCombine,
    LayoutNestedBuiltin,
    LayoutNestedPointer,
    LayoutIncompatible,
    LayoutNone,
    LayoutZero,
    LayoutScalable,
    LayoutOverflow,
    LayoutTable,
    LayoutTypeClass,
    LayoutKeyNotFound,
    LayoutNotQueryable,
    LayoutNoQueryable,
    LayoutBitWidth,
    LayoutShape,
    LayoutOperandType,
    Unsupported,
    Io,
    Interrupted,
}

macro_rules! rules {
    // A macro because a row must exist for each variant, in order, and const code cannot look rows up by name.
    ($($kind:ident $identifier:literal $class:ident $summary:literal $hint:expr;)*) => {
        /// Every rule, in the order of [`ErrorKind`].
        pub const RULES: &[Rule] = &[$(Rule {
            kind: ErrorKind::$kind,
            identifier: concat!("mlirbc.", $identifier),
            class: ErrorClass::$class,
            summary: $summary,
            hint: $hint,
        }),*];
    };
}

rules! {
    Truncated "read.truncated" Read "the bytes of a value are complete" DAMAGED;
    Empty "read.empty" Read "a bytecode file is not empty" Some("check that the program that writes the file ran to completion");
    Text "read.text" Read "the file is bytecode, not MLIR text" Some("convert it with `mlir-opt --emit-bytecode`");
    Archive "read.archive" Read "the file is bytecode, not an archive or compressed" Some("unpack it and open the bytecode file inside");
    Magic "read.magic" Read "bytecode starts with the bytes 4d 4c ef 52" Some("check that this is the intended file");
    Version "unsupported.version" Unsupported "the bytecode version is 0 to 6" Some("use a newer mlirbc, or write the file again with `--emit-bytecode-version=6`");
    UnterminatedString "read.string.unterminated" Read "a string ends with a zero byte" DAMAGED;
    UnknownSection "read.section.unknown_id" Read "section ids are 0 to 8" DAMAGED;
    DuplicateSection "read.section.duplicate" Read "a section occurs at most once" WRITER;
    MissingSection "read.section.missing" Read "all required sections are present" DAMAGED;
    Alignment "read.alignment" Read "an alignment is a power of two" DAMAGED;
    Padding "read.padding" Read "padding bytes are cb" DAMAGED;
    StringPastEnd "read.string.past_end" Read "all strings lie within their section" DAMAGED;
    StringGap "read.string.gap" Read "string data begins where the lengths end" DAMAGED;
    StringZeroLength "read.string.zero_length" Read "the length of a string includes its terminator and is at least 1" WRITER;
    Index "read.index" Read "an index is smaller than the size of its table" DAMAGED;
    Count "read.count" Read "a count does not exceed what the remaining bytes can hold" DAMAGED;
    DialectVersion "read.dialect.version" Read "only dialects that read a version in the release of the file have one" WRITER;
    DialectVersionSection "read.dialect.version_section" Read "the version of a dialect is a section with id 7" DAMAGED;
    EntryPastEnd "read.entry.past_end" Read "attributes and types lie within their section" DAMAGED;
    EntryDirectory "read.entry.directory" Read "the attribute and type directory fills its section" DAMAGED;
    EntryGroupOverrun "read.entry.group_overrun" Read "a group has no more entries than the remaining number" WRITER;
    EntryTrailingBytes "read.entry.trailing_bytes" Read "an attribute or type uses all bytes of its entry" DAMAGED;
    EntryText "read.entry.text" Read "the text of an entry is one attribute or one type" WRITER;
    EntryClass "read.entry.class" Read "a reference points to an attribute of the expected class" DAMAGED;
    EntryUnknownCode "read.entry.unknown_code" Read "the dialect of an entry defines the code of the entry" Some("the file may come from a newer release; its structure can still be read");
    EntryNoTable "unsupported.entry.no_table" Unsupported "there is a dialect table for every encoded attribute and type" Some("register a table for the dialect");
    EntryCycle "read.entry.cycle" Read "an attribute or type does not contain itself" WRITER;
    EntryElements "read.entry.elements" Read "the number of elements matches the shape of the type" DAMAGED;
    PropertyBlob "read.property.blob" Read "properties have the layout of the release that wrote the file" Some("if the release was detected incorrectly, specify it with `release=` or `--release`");
    PropertyOpaque "unsupported.property.opaque" Unsupported "the layout of the properties of an operation is known" Some("specify the release that wrote the file, or add a property schema for the operation");
    PropertyTrailingBytes "read.property.trailing_bytes" Read "property blobs fill their section" DAMAGED;
    PropertyVersion "read.property.version" Read "native properties occur in version 5 and later only" WRITER;
    ResourceSections "read.resource.sections" Read "the two resource sections occur together" DAMAGED;
    ResourceTrailingBytes "read.resource.trailing_bytes" Read "a resource uses all bytes of its entry" DAMAGED;
    ResourceKind "read.resource.kind" Read "the kind of a resource is blob, bool or string, and one that its owner accepts" DAMAGED;
    ResourceNoData "read.resource.no_data" Read "an external resource has data" Some("the resource data was elided when the file was written; write the file again without eliding");
    RegionSection "read.region.section" Read "the regions of an isolated op are a section with id 4" DAMAGED;
    RegionValues "read.region.values" Read "a region does not define more values than it declares" DAMAGED;
    UnresolvedValue "read.value.unresolved" Read "every used value is defined" DAMAGED;
    UseList "read.use_list" Read "a use-list order is a permutation of the uses of the value" DAMAGED;
    Shrunk "read.shrunk" Read "a file does not become shorter while it is open" Some("use the `read` backend, or copy the file before opening it, if other programs may truncate it");
    TopLevel "read.top_level" Read "the file has exactly one top-level operation" Some("use `operations` for files with any number of them");
    DepthLimit "limit.depth" Limit "nesting does not exceed the depth limit" Some("raise `max_depth` if you trust the file");
    MemoryLimit "limit.memory" Limit "memory use does not exceed the memory limit" Some("raise `max_memory` if you trust the file");
    TextLimit "limit.text" Limit "printed text does not exceed the text limit" Some("raise `max_text` or `--max-text` if you trust the file, or omit large values with `elide_elements_larger` and `elide_resources_larger`");
    HookLimit "limit.dialect_hook" Limit "hooks of dialects do not nest deeper than 64 values, and read no more often than their bytes allow" Some("a hook should not ask for the fields of values that contain the one it reads");
    DialectTable "invalid.dialect_table" Invalid "a dialect table has the documented keys, primitives and templates" Some("see docs/reference/dialect-tables.md");
    PropertySchema "invalid.property_schema" Invalid "a property schema has the documented structure" Some("see docs/reference/properties.md");
    UnknownRelease "invalid.release" Invalid "the name of a release or a target is a known one" Some("use one of the known names, or add a property schema for the release");
    SchemeRoundTrip "invalid.scheme" Invalid "encoding the fields of a declared encoding reproduces its bytes" Some("the value remains opaque; declare an encoding whose integers have the same lengths as in the file");
    DialectHook "invalid.dialect_hook" Invalid "a hook of a dialect reads all bytes of a value, and reads again what it wrote" Some("the value remains opaque; see docs/explanation/dialect-hooks.md");
    EntryEncode "invalid.entry" Invalid "the fields of an attribute or type match its encoding" None;
    AsmText "invalid.text" Invalid "the text is a valid attribute or type" None;
    Value "invalid.value" Invalid "a value is valid for its attribute, type, operation or resource" None;
    Erased "invalid.erased" Invalid "operations, blocks, regions and values that an edit uses have not been erased" None;
    Edit "invalid.edit" Invalid "an edit leaves the structure of the module valid" None;
    AmbiguousSymbol "invalid.ambiguous_symbol" Invalid "a symbol name refers to one symbol" Some("pass the symbol table that contains the symbol as `scope`, or give its path, `outer::inner`");
    ResourceSize "invalid.resource_size" Invalid "the size of a resource is the size that its type requires" Some("set an attribute of the new type first, or allow the new size with `resize=True` or `--resize`");
    Ir "invalid.ir" Invalid "operations, blocks and values form a valid module" Some("disable verification if the reader accepts the module");
    LayoutDuplicateKey "layout.duplicate_key" Invalid "a key occurs at most once in a specification" None;
    LayoutEmptyKey "layout.empty_key" Invalid "a string key is not empty" None;
    LayoutTypeKey "layout.type_key" Invalid "devices and their properties have string keys" None;
    LayoutEmptyList "layout.empty_list" Invalid "a system has at least one device, and a device at least one property" None;
    LayoutNotADevice "layout.not_a_device" Invalid "the values of a system are `#dlti.target_device_spec` attributes" None;
    LayoutNotAnEntry "layout.not_an_entry" Invalid "an item is `key = value` or `#dlti.dl_entry<key, value>`" None;
    LayoutUnknownMnemonic "layout.unknown_mnemonic" Invalid "the attribute is one that LLVM 22 has in the dlti dialect" None;
    LayoutAttributeKind "layout.wrong_attribute_kind" Invalid "an attribute named `dlti.dl_spec`, `dlti.target_system_spec` or `dlti.map` is of that kind" None;
    LayoutUnknownAttribute "layout.unknown_dlti_attribute" Invalid "no other attribute of an operation has a name that starts with `dlti.`" None;
    LayoutTwoSpecs "layout.two_specs" Invalid "an operation has at most one specification" Some("remove one of them; MLIR reports an error and then uses the attribute whose name sorts first");
    LayoutUnknownScope "layout.unknown_scope" Invalid "for every operation with a specification it is known whether it is a scope" Some("use `register_scope` to specify whether the operation is a scope");
    LayoutIndexEntry "layout.index_entry_kind" Invalid "the entry for `index` is an integer attribute" None;
    LayoutEntryKind "layout.entry_kind" Invalid "an entry has the kind of attribute that its type requires" None;
    LayoutElementType "layout.entry_element_type" Invalid "the numbers of an entry are 64-bit integers" None;
    LayoutArity "layout.entry_arity" Invalid "an entry has as many numbers as its type requires" None;
    LayoutPreferred "layout.preferred_below_abi" Invalid "the preferred alignment is not less than the ABI alignment" None;
    LayoutByteMultiple "layout.not_byte_multiple" Invalid "the numbers of `#ptr.spec` are multiples of 8" None;
    LayoutStructKey "layout.struct_key_not_empty" Invalid "the key for all structs is the literal struct without fields" Some("use `!llvm.struct<()>`");
    LayoutBuiltinKey "layout.builtin_key_not_supported" Invalid "a key that is a builtin type is an integer type, a float type or `index`" None;
    LayoutTypeHooks "layout.type_without_layout_hooks" Invalid "a type that is a key has a data layout" Some("register a layout for the type");
    LayoutEndianness "layout.endianness_value" Invalid "endianness is `\"big\"` or `\"little\"`" None;
    LayoutStack "layout.stack_alignment_value" Invalid "the stack alignment is an integer attribute" Some("MLIR does not check this and reads an unrelated value");
    LayoutUnknownKey "layout.unknown_dlti_key" Invalid "a key that starts with `dlti.` is one that LLVM 22 defines" None;
    LayoutForeignKey "layout.dialect_without_identifier_entries" Invalid "a dialect whose name prefixes a key defines keys, or is not used in the module" None;
    LayoutCombine "layout.specs_do_not_combine" Invalid "a specification is compatible with those of the enclosing scopes" None;
    LayoutNestedBuiltin "layout.nested_builtin_class" Invalid "nested specifications do not both have entries for the same class of builtin types" Some("MLIR 22 crashes here; without `strict`, the inner entry applies");
    LayoutNestedPointer "layout.nested_pointer_same_space" Invalid "nested specifications do not both have entries for the same address space" Some("MLIR 22 crashes here; without `strict`, the inner entry applies if it is compatible");
    LayoutIncompatible "layout.incompatible_change" Invalid "a transformation keeps sizes and identifiers, and does not reduce alignments" None;
    LayoutNone "layout.no_layout_for_type" Invalid "the type has a size and an alignment" Some("register a layout for the type");
    LayoutZero "layout.zero_alignment" Invalid "an alignment is not zero" Some("MLIR 22 divides by zero here");
    LayoutScalable "layout.scalable_array_element" Invalid "the elements of an array have a fixed size" None;
    LayoutOverflow "layout.overflow" Invalid "sizes and alignments are less than 2^64" Some("MLIR uses the lower 64 bits");
    LayoutTable "layout.table" Invalid "a layout table has the documented keys and formulas" Some("see docs/reference/data-layout.md");
    LayoutTypeClass "layout.type_class" Invalid "a registered layout returns valid numbers" None;
    LayoutKeyNotFound "layout.key_not_found" Invalid "the key has a value" None;
    LayoutNotQueryable "layout.not_queryable" Invalid "every key except the last has a queryable value" None;
    LayoutNoQueryable "layout.no_queryable_attribute" Invalid "the operation, or one that encloses it, has a queryable attribute" None;
    LayoutBitWidth "layout.bit_width_differs" Invalid "both types of a bit cast have the same number of bits" None;
    LayoutShape "layout.shape_differs" Invalid "a bit cast keeps the shape except for the last dimension of a vector" None;
    LayoutOperandType "layout.bad_operand_type" Invalid "the operation accepts the operand type" None;
    Unsupported "unsupported.target" Unsupported "the target version and the target release can represent the module" Some("choose another version or target, or omit what they cannot represent with `drop_unsupported` or `--drop-unsupported`");
    Io "io" Io "the operation of the operating system succeeds" None;
    Interrupted "interrupted" Interrupted "the caller does not request to stop" None;
}

impl ErrorKind {
    /// The row of the table that explains this kind.
    ///
    /// ```
    /// use mlirbc::ErrorKind;
    /// assert_eq!(ErrorKind::Truncated.rule().identifier, "mlirbc.read.truncated");
    /// ```
    pub fn rule(self) -> &'static Rule {
        &RULES[self as usize]
    }
}

/// An error, with its place in the file if there is one. One pointer wide.
///
/// [`Display`](fmt::Display) gives one line; [`Debug`](fmt::Debug) adds the hint, so that a `main` that returns
/// [`Result`] ends in a readable message.
///
/// ```
/// let error = mlirbc::Module::from_bytes(&b"\x4d\x4c\xef\x52\x0f"[..]).unwrap_err();
/// assert_eq!(error.to_string(), "expected a bytecode version of `6` or below, found `7`, at 0x4");
/// assert_eq!(error.class(), mlirbc::ErrorClass::Unsupported);
/// ```
#[derive(Clone)]
pub struct Error(Box<Inner>);

#[derive(Clone)]
struct Inner {
    kind: ErrorKind,
    offset: Option<u64>,
    section: Option<SectionId>,
    message: Message,
    path: Option<String>,
    hint: Option<Cow<'static, str>>,
    source: Option<Arc<dyn std::error::Error + Send + Sync>>,
    losses: Vec<Loss>,
}

#[derive(Clone)]
enum Message {
    /// For what was parsed: both parts are syntax or values.
    Mismatch {
        expected: Cow<'static, str>,
        found: Cow<'static, str>,
    },
    Sentence(Cow<'static, str>),
}

impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Mismatch { expected, found } => write!(f, "expected {expected}, found {found}"),
            Self::Sentence(text) => f.write_str(text),
        }
    }
}

impl Error {
    /// Creates an error for parsed input: `expected` and `found` are syntax or values.
    ///
    /// ```
    /// use mlirbc::{Error, ErrorKind};
    /// let error = Error::new(ErrorKind::Index, "a type index below `1`", "`9`");
    /// assert_eq!(error.to_string(), "expected a type index below `1`, found `9`");
    /// ```
    #[cold]
    pub fn new(
        kind: ErrorKind,
        expected: impl Into<Cow<'static, str>>,
        found: impl Into<Cow<'static, str>>,
    ) -> Self {
        Self::with(kind, Message::Mismatch { expected: expected.into(), found: found.into() })
    }

    /// Creates an error whose message is a sentence, without a capital letter or a full stop.
    ///
    /// ```
    /// use mlirbc::{Error, ErrorKind};
    /// let error = Error::message(ErrorKind::Edit, "the block has no arguments");
    /// assert_eq!(error.to_string(), "the block has no arguments");
    /// assert_eq!((error.expected(), error.found()), ("", ""));
    /// ```
    #[cold]
    pub fn message(kind: ErrorKind, sentence: impl Into<Cow<'static, str>>) -> Self {
        Self::with(kind, Message::Sentence(sentence.into()))
    }

    #[cold]
    fn with(kind: ErrorKind, message: Message) -> Self {
        Self(Box::new(Inner {
            kind,
            offset: None,
            section: None,
            message,
            path: None,
            hint: None,
            source: None,
            losses: Vec::new(),
        }))
    }

    /// Creates an error of kind [`ErrorKind::Io`]: what failed, and the error of the operating system.
    ///
    /// ```
    /// let error = mlirbc::Error::io("cannot open `a.mlirbc`", std::io::Error::other("disk full"));
    /// assert_eq!(error.to_string(), "cannot open `a.mlirbc`: disk full");
    /// ```
    #[cold]
    pub fn io(what: impl Into<Cow<'static, str>>, error: io::Error) -> Self {
        Self::message(ErrorKind::Io, format!("{}: {error}", what.into())).with_source(error)
    }

    /// Attaches the error that caused this one, e.g. that of a callback.
    ///
    /// ```
    /// use std::error::Error as _;
    /// use mlirbc::{Error, ErrorKind};
    /// let error = Error::message(ErrorKind::LayoutTypeClass, "the callback failed").with_source("no such model");
    /// assert_eq!(error.source().unwrap().to_string(), "no such model");
    /// ```
    pub fn with_source(mut self, source: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        self.0.source = Some(Arc::from(source.into()));
        self
    }

    /// Sets the byte offset in the file.
    pub fn at(mut self, offset: u64) -> Self {
        self.0.offset = Some(offset);
        self
    }

    /// Sets the section.
    pub fn in_section(mut self, section: SectionId) -> Self {
        self.0.section = Some(section);
        self
    }

    /// Sets the path through the IR.
    pub fn with_path(mut self, path: impl Into<String>) -> Self {
        self.0.path = Some(path.into());
        self
    }

    /// Replaces the hint of the rule.
    pub fn with_hint(mut self, hint: impl Into<Cow<'static, str>>) -> Self {
        self.0.hint = Some(hint.into());
        self
    }

    /// Returns the violated rule.
    pub fn kind(&self) -> ErrorKind {
        self.0.kind
    }

    /// Returns the stable identifier of the rule; `docs/reference/errors.md` explains each.
    pub fn identifier(&self) -> &'static str {
        self.0.kind.rule().identifier
    }

    /// Returns the class of the rule.
    pub fn class(&self) -> ErrorClass {
        self.0.kind.rule().class
    }

    /// Returns the byte offset in the file; `None` when no single byte is the cause.
    pub fn offset(&self) -> Option<u64> {
        self.0.offset
    }

    /// Returns the section that was read; `None` for the container around the sections.
    pub fn section(&self) -> Option<SectionId> {
        self.0.section
    }

    /// Returns what was expected; empty when the message is a sentence ([`Error::message`]).
    pub fn expected(&self) -> &str {
        match &self.0.message {
            Message::Mismatch { expected, .. } => expected,
            Message::Sentence(_) => "",
        }
    }

    /// Returns what was found instead; empty when the message is a sentence ([`Error::message`]).
    pub fn found(&self) -> &str {
        match &self.0.message {
            Message::Mismatch { found, .. } => found,
            Message::Sentence(_) => "",
        }
    }

    /// Returns the path through the IR, outermost operation first; `None` outside the IR section.
    pub fn path(&self) -> Option<&str> {
        self.0.path.as_deref()
    }

    /// Returns what the user can do.
    pub fn hint(&self) -> Option<&str> {
        self.0.hint.as_deref().or(self.0.kind.rule().hint)
    }

    /// Returns everything that cannot be written, for errors of kind [`ErrorKind::Unsupported`]; the message names
    /// the first ones only.
    ///
    /// ```
    /// use mlirbc::{BytecodeVersion, Module, WriteOptions};
    /// let module = Module::open("../../tests/data/bytecode/llvm-22/v6/uses_pairs.mlirbc")?;
    /// let options = WriteOptions { version: BytecodeVersion::new(0), ..WriteOptions::default() };
    /// let options = WriteOptions { numbering: mlirbc::Numbering::Canonical, ..options };
    /// let error = module.write(&mut Vec::new(), &options).unwrap_err();
    /// assert_eq!(error.losses()[0].kind, mlirbc::LossKind::UseListOrders);
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn losses(&self) -> &[Loss] {
        &self.0.losses
    }

    pub(crate) fn with_losses(mut self, losses: Vec<Loss>) -> Self {
        self.0.losses = losses;
        self
    }

    /// Returns the error of the operating system, for errors of class [`ErrorClass::Io`].
    ///
    /// ```
    /// let error = mlirbc::Module::open("no/such/file.mlirbc").unwrap_err();
    /// assert_eq!(error.io_error().unwrap().kind(), std::io::ErrorKind::NotFound);
    /// ```
    pub fn io_error(&self) -> Option<&io::Error> {
        let source: &(dyn std::error::Error + 'static) = self.0.source.as_deref()?;
        source.downcast_ref()
    }

    /// The message without the place.
    pub(crate) fn sentence(&self) -> String {
        self.0.message.to_string()
    }

    /// Adds the context in which a value was read: `expected X for CONTEXT`, or a sentence that starts with it.
    pub(crate) fn in_context(mut self, context: &str) -> Self {
        match &mut self.0.message {
            Message::Mismatch { expected, .. } => *expected = format!("{expected} for {context}").into(),
            Message::Sentence(text) => *text = format!("{context}: {text}").into(),
        }
        self
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.message.fmt(f)?;
        if self.0.kind == ErrorKind::Io {
            return Ok(());
        }
        if let Some(offset) = self.0.offset {
            write!(f, ", at {offset:#x}")?;
        }
        if let Some(section) = self.0.section {
            write!(f, " in the {section} section")?;
        }
        if let Some(path) = &self.0.path {
            write!(f, " ({path})")?;
        }
        Ok(())
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)?;
        match self.hint() {
            Some(hint) => write!(f, "\nhelp: {hint}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.0.source.as_deref().map(|source| source as _)
    }
}

/// Prepends the indefinite article to a noun.
pub(crate) fn with_article(noun: &str) -> String {
    let is_vowel = noun.starts_with(['A', 'E', 'I', 'O', 'a', 'e', 'i', 'o']);
    format!("{} {noun}", if is_vowel { "an" } else { "a" })
}

/// Truncates a text to `most` characters, with `…` at the end if it is longer.
pub(crate) fn cut(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_in_the_order_of_their_kinds() {
        for (i, rule) in RULES.iter().enumerate() {
            assert_eq!(rule.kind as usize, i, "{}", rule.identifier);
            assert_eq!(rule.kind.rule().identifier, rule.identifier);
        }
        assert_eq!(RULES.len(), ErrorKind::Interrupted as usize + 1);
    }

    #[test]
    fn identifiers_are_unique() {
        let mut seen: Vec<_> = RULES.iter().map(|r| r.identifier).collect();
        seen.sort_unstable();
        seen.dedup();
        assert_eq!(seen.len(), RULES.len());
    }

    #[test]
    fn debug_is_the_message_and_the_hint() {
        let error = Error::new(ErrorKind::TopLevel, "one top-level operation", "`2`");
        assert_eq!(
            format!("{error:?}"),
            "expected one top-level operation, found `2`\nhelp: use `operations` for files with any number of them"
        );
    }

    #[test]
    fn sources_are_kept() {
        let error = Error::io("cannot open `x`", io::Error::from(io::ErrorKind::NotFound));
        assert_eq!(error.io_error().unwrap().kind(), io::ErrorKind::NotFound);
        let error = Error::message(ErrorKind::LayoutTypeClass, "the callback failed").with_source("why");
        assert!(error.io_error().is_none());
        assert_eq!(std::error::Error::source(&error).unwrap().to_string(), "why");
    }

    #[test]
    fn articles_depend_on_the_first_letter() {
        assert_eq!(with_article("ArrayAttr"), "an ArrayAttr");
        assert_eq!(with_article("UnitAttr"), "a UnitAttr");
    }

    #[test]
    fn text_says_expected_found_and_where() {
        let error = Error::new(ErrorKind::Index, "a dialect index below `4`", "`9`")
            .at(0x1a2f)
            .in_section(SectionId::Dialect);
        assert_eq!(
            error.to_string(),
            "expected a dialect index below `4`, found `9`, at 0x1a2f in the Dialect section"
        );
    }
}
