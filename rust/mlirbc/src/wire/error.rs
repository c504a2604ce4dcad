//! One error type, and the table of everything it can say.
//!
//! An [`Error`] names the broken rule ([`ErrorKind`], with a stable identifier), where in the file it was
//! seen (byte offset, section, path through the IR), what was expected, what was found and what to do next.
//! [`RULES`] lists every rule; the reference page `docs/reference/errors.md` is checked against it.

use std::borrow::Cow;
use std::fmt;
use std::io;
use std::sync::Arc;

use super::section::SectionId;
use crate::wire::loss::Loss;

/// Results of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Who can do something about an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorClass {
    /// The bytes break a rule of the format.
    Read,
    /// The bytes ask for more than the [`Limits`](crate::Limits) allow.
    Limit,
    /// The bytes are well-formed but from a world this release does not know.
    Unsupported,
    /// What the caller handed in is wrong: a table, a schema, a text, a value.
    Invalid,
    /// The operating system refused.
    Io,
    /// The caller asked to stop.
    Interrupted,
}

/// One row of the error table.
#[derive(Debug, Clone, Copy)]
pub struct Rule {
    /// The kind that carries this rule.
    pub kind: ErrorKind,
    /// Stable identifier, e.g. `mlirbc.read.truncated`.
    pub identifier: &'static str,
    /// Who can do something about it.
    pub class: ErrorClass,
    /// The rule in one sentence.
    pub summary: &'static str,
    /// What the user can do, unless the error itself knows better.
    pub hint: Option<&'static str>,
}

const DAMAGED: Option<&str> = Some("the file is damaged or was cut; fetch it again or write it anew");
const WRITER: Option<&str> = Some("no MLIR release writes this; report it to the tool that wrote the file");

/// The rule that was broken.
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
    DialectTable,
    PropertySchema,
    SchemeRoundTrip,
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
    Truncated "read.truncated" Read "the bytes end before the value does" DAMAGED;
    Empty "read.empty" Read "an empty file is not bytecode" Some("check that the program that should have written it ran to its end");
    Text "read.text" Read "the file is MLIR text, not bytecode" Some("turn it into bytecode with `mlir-opt --emit-bytecode`");
    Archive "read.archive" Read "the file is an archive or compressed, not bytecode" Some("unpack it and open the bytecode file inside");
    Magic "read.magic" Read "bytecode starts with the bytes 4d 4c ef 52" Some("check that this is the file you meant");
    Version "unsupported.version" Unsupported "bytecode versions 0 to 6 are known" Some("a newer mlirbc may read it, or write the file again with `--emit-bytecode-version=6`");
    UnterminatedString "read.string.unterminated" Read "a string ends with a zero byte" DAMAGED;
    UnknownSection "read.section.unknown_id" Read "section ids are 0 to 8" DAMAGED;
    DuplicateSection "read.section.duplicate" Read "every section occurs once" WRITER;
    MissingSection "read.section.missing" Read "a required section is there" DAMAGED;
    Alignment "read.alignment" Read "an alignment is a power of two" DAMAGED;
    Padding "read.padding" Read "padding bytes are cb" DAMAGED;
    StringPastEnd "read.string.past_end" Read "the strings fit into their section" DAMAGED;
    StringGap "read.string.gap" Read "string data begins where the lengths end" DAMAGED;
    StringZeroLength "read.string.zero_length" Read "a string's length counts its terminator, so it is never 0" WRITER;
    Index "read.index" Read "an index lies below the size of its table" DAMAGED;
    Count "read.count" Read "a count is at most what the remaining bytes can hold" DAMAGED;
    DialectVersion "read.dialect.version" Read "a dialect has a version only where its reader knows one" WRITER;
    DialectVersionSection "read.dialect.version_section" Read "a dialect's version is a section with id 7" DAMAGED;
    EntryPastEnd "read.entry.past_end" Read "attributes and types fit into their section" DAMAGED;
    EntryDirectory "read.entry.directory" Read "the attribute and type directory fills its section" DAMAGED;
    EntryGroupOverrun "read.entry.group_overrun" Read "a group holds no more entries than are still missing" WRITER;
    EntryTrailingBytes "read.entry.trailing_bytes" Read "an attribute or type uses all bytes of its entry" DAMAGED;
    EntryText "read.entry.text" Read "the text of an entry is one attribute or one type" WRITER;
    EntryClass "read.entry.class" Read "a reference leads to an attribute of the expected class" DAMAGED;
    EntryUnknownCode "read.entry.unknown_code" Read "the leading code of an entry is one its dialect defines" Some("the file may come from a newer release; its structure can still be walked");
    EntryNoTable "unsupported.entry.no_table" Unsupported "an encoded attribute or type belongs to a dialect with a table" Some("register a table for the dialect");
    EntryCycle "read.entry.cycle" Read "an attribute or type does not contain itself" WRITER;
    EntryElements "read.entry.elements" Read "the elements of an attribute fit the shape of its type" DAMAGED;
    PropertyBlob "read.property.blob" Read "the properties of an op have the layout of the release that wrote them" Some("name the release with `release=` or `--release` if it was guessed wrongly");
    PropertyOpaque "unsupported.property.opaque" Unsupported "the layout of an op's properties is known" Some("name the release that wrote the file, or add a property schema for it");
    PropertyTrailingBytes "read.property.trailing_bytes" Read "property blobs fill their section" DAMAGED;
    PropertyVersion "read.property.version" Read "native properties exist from version 5 on" WRITER;
    ResourceSections "read.resource.sections" Read "the two resource sections come together" DAMAGED;
    ResourceTrailingBytes "read.resource.trailing_bytes" Read "a resource uses all bytes of its entry" DAMAGED;
    ResourceKind "read.resource.kind" Read "a resource is a blob, a bool or a string, as its owner wants" DAMAGED;
    ResourceNoData "read.resource.no_data" Read "an external resource has data" Some("the writer elided resource data; write the file again without eliding");
    RegionSection "read.region.section" Read "the regions of an isolated op are a section with id 4" DAMAGED;
    RegionValues "read.region.values" Read "a region defines no more values than it declares" DAMAGED;
    UnresolvedValue "read.value.unresolved" Read "every value that is used is defined" DAMAGED;
    UseList "read.use_list" Read "a use-list order is a permutation of the value's uses" DAMAGED;
    Shrunk "read.shrunk" Read "a mapped file keeps its size" Some("open it with the `read` backend, or copy it first, where other programs may cut it");
    TopLevel "read.top_level" Read "the file has exactly one top-level operation" Some("use `operations` for files with none or several");
    DepthLimit "limit.depth" Limit "nesting stays below the limit" Some("raise `max_depth` if you trust the file");
    MemoryLimit "limit.memory" Limit "decoding stays within the memory limit" Some("raise `max_memory` if you trust the file");
    TextLimit "limit.text" Limit "printing stays within the text limit" Some("raise `max_text` or `--max-text` if you trust the file, or leave out large values with `elide_elements_larger` and `elide_resources_larger`");
    DialectTable "invalid.dialect_table" Invalid "a dialect table has the documented keys, primitives and templates" Some("docs/reference/dialect-tables.md describes tables");
    PropertySchema "invalid.property_schema" Invalid "a property schema has the documented shape" Some("docs/reference/properties.md describes schemas");
    SchemeRoundTrip "invalid.scheme" Invalid "a declared layout gives the bytes that it was read from" Some("the value stays opaque; declare a layout whose numbers are as long as they are in the file");
    EntryEncode "invalid.entry" Invalid "the fields of an attribute or type are those of its form" None;
    AsmText "invalid.text" Invalid "the text is an attribute or a type" None;
    Value "invalid.value" Invalid "a value fits its attribute or type" None;
    Erased "invalid.erased" Invalid "what is touched is still there" None;
    Edit "invalid.edit" Invalid "an edit leaves the module whole" None;
    AmbiguousSymbol "invalid.ambiguous_symbol" Invalid "a name leads to one symbol" Some("name the symbol table that the symbol is in with `scope`, or give the path to it, `outer::inner`");
    ResourceSize "invalid.resource_size" Invalid "a resource has as many bytes as the type that refers to it needs" Some("set an attribute of the new type first, or ask for the other size with `resize=True` or `--resize`");
    Ir "invalid.ir" Invalid "operations, blocks and values hang together" Some("write without verification if the reader accepts it");
    LayoutDuplicateKey "layout.duplicate_key" Invalid "a key occurs once in one specification" None;
    LayoutEmptyKey "layout.empty_key" Invalid "a key that is a string is not empty" None;
    LayoutTypeKey "layout.type_key" Invalid "devices and their properties are named by strings" None;
    LayoutEmptyList "layout.empty_list" Invalid "a system has a device, and a device a property" None;
    LayoutNotADevice "layout.not_a_device" Invalid "a system maps names to `#dlti.target_device_spec`" None;
    LayoutNotAnEntry "layout.not_an_entry" Invalid "an item is `key = value` or `#dlti.dl_entry<key, value>`" None;
    LayoutUnknownMnemonic "layout.unknown_mnemonic" Invalid "the attribute is one of those that LLVM 22 has in the dlti dialect" None;
    LayoutAttributeKind "layout.wrong_attribute_kind" Invalid "an attribute named `dlti.dl_spec`, `dlti.target_system_spec` or `dlti.map` is of that kind" None;
    LayoutUnknownAttribute "layout.unknown_dlti_attribute" Invalid "no other attribute of an op has a name that begins with `dlti.`" None;
    LayoutTwoSpecs "layout.two_specs" Invalid "an op has one specification" Some("MLIR reports an error, too, and goes on with the attribute whose name sorts first; keep one of them");
    LayoutUnknownScope "layout.unknown_scope" Invalid "an op with a specification is known to be a scope, or known to be none" Some("say which with `register_scope`");
    LayoutIndexEntry "layout.index_entry_kind" Invalid "the entry of `index` is an integer attribute" None;
    LayoutEntryKind "layout.entry_kind" Invalid "an entry has the attribute that its type wants" None;
    LayoutElementType "layout.entry_element_type" Invalid "the numbers of an entry are 64-bit integers" None;
    LayoutArity "layout.entry_arity" Invalid "an entry has as many numbers as its type wants" None;
    LayoutPreferred "layout.preferred_below_abi" Invalid "the preferred alignment is not below the ABI alignment" None;
    LayoutByteMultiple "layout.not_byte_multiple" Invalid "the numbers of `#ptr.spec` are multiples of 8" None;
    LayoutStructKey "layout.struct_key_not_empty" Invalid "the key for all structs is a literal struct without fields" Some("write `!llvm.struct<()>`");
    LayoutBuiltinKey "layout.builtin_key_not_supported" Invalid "of the builtin types, integers, floats and `index` have entries" None;
    LayoutTypeHooks "layout.type_without_layout_hooks" Invalid "the type of a key takes part in data layout" Some("register a layout for the type");
    LayoutEndianness "layout.endianness_value" Invalid "endianness is `\"big\"` or `\"little\"`" None;
    LayoutStack "layout.stack_alignment_value" Invalid "the stack alignment is an integer attribute" Some("MLIR does not check this and answers with what it finds in memory");
    LayoutUnknownKey "layout.unknown_dlti_key" Invalid "a key that begins with `dlti.` is one that LLVM 22 knows" None;
    LayoutForeignKey "layout.dialect_without_identifier_entries" Invalid "the dialect that a key begins with has keys of its own, or is not used in the module" None;
    LayoutCombine "layout.specs_do_not_combine" Invalid "a specification agrees with those around it" None;
    LayoutNestedBuiltin "layout.nested_builtin_class" Invalid "two nested specifications have no entries for the same class of builtin types" Some("MLIR 22 crashes here; without `strict` the inner entry wins");
    LayoutNestedPointer "layout.nested_pointer_same_space" Invalid "two nested specifications have no entries for the same address space" Some("MLIR 22 crashes here; without `strict` the inner entry wins if it is compatible");
    LayoutIncompatible "layout.incompatible_change" Invalid "a transformation keeps sizes and identifiers, and lets alignments grow only" None;
    LayoutNone "layout.no_layout_for_type" Invalid "the type has a size and an alignment" Some("register a layout for the type");
    LayoutZero "layout.zero_alignment" Invalid "nothing is rounded up to an alignment of zero" Some("MLIR 22 divides by zero here");
    LayoutScalable "layout.scalable_array_element" Invalid "the elements of an array have a fixed size" None;
    LayoutOverflow "layout.overflow" Invalid "sizes and alignments stay below 2^64" Some("MLIR goes on with the lower 64 bits");
    LayoutTable "layout.table" Invalid "a layout table has the documented keys and formulas" Some("docs/reference/data-layout.md describes tables");
    LayoutTypeClass "layout.type_class" Invalid "a registered layout returns numbers that make sense" None;
    LayoutKeyNotFound "layout.key_not_found" Invalid "a value is recorded under the key" None;
    LayoutNotQueryable "layout.not_queryable" Invalid "all keys but the last lead to something that can be asked" None;
    LayoutNoQueryable "layout.no_queryable_attribute" Invalid "the op or one around it has an attribute that can be asked" None;
    LayoutBitWidth "layout.bit_width_differs" Invalid "both types of a bit cast have the same number of bits" None;
    LayoutShape "layout.shape_differs" Invalid "a bit cast keeps the shape but for the last dimension of a vector" None;
    LayoutOperandType "layout.bad_operand_type" Invalid "the op takes operands of that type" None;
    Unsupported "unsupported.target" Unsupported "the version and the release can hold what is written" Some("choose another version or target, or leave out what they cannot hold with `drop_unsupported` or `--drop-unsupported`");
    Io "io" Io "the operating system can read the file" None;
    Interrupted "interrupted" Interrupted "the work may go on" None;
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

/// Anything this crate refuses, with its place in the file. One pointer wide.
///
/// ```
/// let error = mlirbc::Module::from_bytes(&b"\x4d\x4c\xef\x52\x0f"[..]).unwrap_err();
/// assert_eq!(error.to_string(), "expected a bytecode version of `6` or below, found `7`, at 0x4");
/// assert_eq!(error.class(), mlirbc::ErrorClass::Unsupported);
/// ```
#[derive(Debug, Clone)]
pub struct Error(Box<Inner>);

#[derive(Debug, Clone)]
struct Inner {
    kind: ErrorKind,
    offset: Option<u64>,
    section: Option<SectionId>,
    expected: Cow<'static, str>,
    found: Cow<'static, str>,
    /// Whether the two are joined by "but": what a limit allows, and what was needed.
    is_limit: bool,
    path: Option<String>,
    hint: Option<Cow<'static, str>>,
    source: Option<Arc<dyn std::error::Error + Send + Sync>>,
    losses: Vec<Loss>,
}

impl Error {
    /// A limit that does not suffice: what it allows, and what was needed.
    #[cold]
    pub(crate) fn limit(
        kind: ErrorKind,
        allowed: impl Into<Cow<'static, str>>,
        needed: impl Into<Cow<'static, str>>,
    ) -> Self {
        let mut this = Self::new(kind, allowed, needed);
        this.0.is_limit = true;
        this
    }

    /// A broken rule: what the reader needed, and what the file has instead.
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
        Self(Box::new(Inner {
            kind,
            offset: None,
            section: None,
            expected: expected.into(),
            found: found.into(),
            is_limit: false,
            path: None,
            hint: None,
            source: None,
            losses: Vec::new(),
        }))
    }

    /// What the operating system said about `what`; its kind is [`ErrorKind::Io`].
    ///
    /// ```
    /// let error = mlirbc::Error::io("cannot open `a.mlirbc`", std::io::Error::other("it is raining"));
    /// assert_eq!(error.to_string(), "cannot open `a.mlirbc`: it is raining");
    /// ```
    #[cold]
    pub fn io(what: impl Into<Cow<'static, str>>, error: io::Error) -> Self {
        let found = error.to_string();
        let mut this = Self::new(ErrorKind::Io, what, found);
        this.0.source = Some(Arc::new(error));
        this
    }

    /// The same error at byte `offset` of the file.
    ///
    /// ```
    /// use mlirbc::{Error, ErrorKind};
    /// assert_eq!(Error::new(ErrorKind::Count, "less", "more").at(40).offset(), Some(40));
    /// ```
    pub fn at(mut self, offset: u64) -> Self {
        self.0.offset = Some(offset);
        self
    }

    /// The same error, seen in `section`.
    ///
    /// ```
    /// use mlirbc::{Error, ErrorKind, SectionId};
    /// let error = Error::new(ErrorKind::Count, "less", "more").in_section(SectionId::Ir);
    /// assert_eq!(error.to_string(), "expected less, found more in the IR section");
    /// ```
    pub fn in_section(mut self, section: SectionId) -> Self {
        self.0.section = Some(section);
        self
    }

    /// The same error with the way through the IR that leads to it.
    ///
    /// ```
    /// use mlirbc::{Error, ErrorKind};
    /// let error = Error::new(ErrorKind::Count, "less", "more").with_path("block 0, op 2 (func.func)");
    /// assert_eq!(error.to_string(), "expected less, found more (block 0, op 2 (func.func))");
    /// ```
    pub fn with_path(mut self, path: impl Into<String>) -> Self {
        self.0.path = Some(path.into());
        self
    }

    /// The same error with advice that is better than the rule's.
    ///
    /// ```
    /// use mlirbc::{Error, ErrorKind};
    /// let error = Error::new(ErrorKind::Shrunk, "the file to stay", "less").with_hint("copy it first");
    /// assert_eq!(error.hint(), Some("copy it first"));
    /// ```
    pub fn with_hint(mut self, hint: impl Into<Cow<'static, str>>) -> Self {
        self.0.hint = Some(hint.into());
        self
    }

    /// The same error with the error that caused it, such as that of a callback: [`std::error::Error::source`].
    ///
    /// ```
    /// use std::error::Error as _;
    /// use mlirbc::{Error, ErrorKind};
    /// let error = Error::new(ErrorKind::Interrupted, "a size", "an error").with_source(std::fmt::Error);
    /// assert!(error.source().is_some_and(|source| source.is::<std::fmt::Error>()));
    /// ```
    pub fn with_source(mut self, source: impl std::error::Error + Send + Sync + 'static) -> Self {
        self.0.source = Some(Arc::new(source));
        self
    }

    /// The broken rule.
    ///
    /// ```
    /// use mlirbc::{ErrorKind, Module};
    /// assert_eq!(Module::from_bytes(&b""[..]).unwrap_err().kind(), ErrorKind::Empty);
    /// ```
    pub fn kind(&self) -> ErrorKind {
        self.0.kind
    }

    /// The rule's stable identifier; `docs/reference/errors.md` explains each.
    ///
    /// ```
    /// let error = mlirbc::Module::from_bytes(&b"module {}"[..]).unwrap_err();
    /// assert_eq!(error.identifier(), "mlirbc.read.text");
    /// ```
    pub fn identifier(&self) -> &'static str {
        self.0.kind.rule().identifier
    }

    /// Who can do something about it.
    ///
    /// ```
    /// use mlirbc::{ErrorClass, Module};
    /// assert_eq!(Module::from_bytes(&b""[..]).unwrap_err().class(), ErrorClass::Read);
    /// ```
    pub fn class(&self) -> ErrorClass {
        self.0.kind.rule().class
    }

    /// Byte offset in the file, counted from its first byte; `None` when no single byte is to blame.
    ///
    /// ```
    /// let mut bytes = mlirbc::doc_example();
    /// bytes[4] = 0x0f; // version 7
    /// assert_eq!(mlirbc::Module::from_bytes(bytes).unwrap_err().offset(), Some(4));
    /// ```
    pub fn offset(&self) -> Option<u64> {
        self.0.offset
    }

    /// The section that was being read; `None` for the container around the sections.
    ///
    /// ```
    /// let mut bytes = mlirbc::doc_example();
    /// bytes[11] = 0x1d; // the name of dialect 1 becomes string 7 of 7
    /// let error = mlirbc::Module::from_bytes(bytes).unwrap().dialect_section().unwrap_err();
    /// assert_eq!(error.section(), Some(mlirbc::SectionId::Dialect));
    /// ```
    pub fn section(&self) -> Option<SectionId> {
        self.0.section
    }

    /// What the reader needed.
    ///
    /// ```
    /// use mlirbc::{Error, ErrorKind};
    /// let error = Error::new(ErrorKind::Count, "at most `3` blocks", "`9`");
    /// assert_eq!(error.expected(), "at most `3` blocks");
    /// ```
    pub fn expected(&self) -> &str {
        &self.0.expected
    }

    /// What the file has instead.
    ///
    /// ```
    /// use mlirbc::{Error, ErrorKind};
    /// assert_eq!(Error::new(ErrorKind::Count, "at most `3` blocks", "`9`").found(), "`9`");
    /// ```
    pub fn found(&self) -> &str {
        &self.0.found
    }

    /// The way through the IR, outermost op first; `None` outside the IR section.
    ///
    /// ```
    /// assert_eq!(mlirbc::Module::from_bytes(&b""[..]).unwrap_err().path(), None);
    /// ```
    pub fn path(&self) -> Option<&str> {
        self.0.path.as_deref()
    }

    /// What the user can do: the error's own advice, else that of its rule.
    ///
    /// ```
    /// let hint = "turn it into bytecode with `mlir-opt --emit-bytecode`";
    /// assert_eq!(mlirbc::Module::from_bytes(&b"module {}"[..]).unwrap_err().hint(), Some(hint));
    /// ```
    pub fn hint(&self) -> Option<&str> {
        self.0.hint.as_deref().or(self.0.kind.rule().hint)
    }

    /// Everything that could not be written, for errors of kind [`ErrorKind::Unsupported`]; the text of the error
    /// names the first ones only.
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

    /// The operating system's error, for errors of class [`ErrorClass::Io`].
    ///
    /// ```
    /// let error = mlirbc::Module::open("no/such/file.mlirbc").unwrap_err();
    /// assert_eq!(error.io_error().unwrap().kind(), std::io::ErrorKind::NotFound);
    /// ```
    pub fn io_error(&self) -> Option<&io::Error> {
        self.0.source.as_ref()?.downcast_ref()
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.kind == ErrorKind::Io {
            return write!(f, "{}: {}", self.0.expected, self.0.found);
        }
        match self.0.is_limit {
            true => write!(f, "{}, but {}", self.0.expected, self.0.found)?,
            false => write!(f, "expected {}, found {}", self.0.expected, self.0.found)?,
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

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.0.source.as_deref().map(|source| source as _)
    }
}

/// So many characters of a text, and `…` if it is longer.
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
    fn rows_stand_in_the_order_of_their_kinds() {
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
