//! The rules that files can break, with their preparation and damage.

use mlirbc::limits::Limits;
use mlirbc::version::BytecodeVersion;
use mlirbc::{ErrorKind, Result};

use crate::config::Features;
use crate::draws::Draws;

use super::check::Check;
use super::original::Original;
use super::preparations::{self, Preparation};
use super::{
    artifact, assembly, container, entries, layouts, limits, operations, properties, references, resources,
    strings,
};

/// A rule that files can break.
#[derive(Debug, Clone, Copy)]
pub struct BreakableRule {
    pub(super) kind: ErrorKind,
    pub(super) what: &'static str,
    pub(super) check: Check,
    /// The bytecode versions in which the rule can be broken.
    pub(super) versions: fn(BytecodeVersion) -> bool,
    pub(super) features: fn(Features) -> Features,
    pub(super) prepare: Preparation,
    pub(super) wrap: artifact::Wrapping,
    pub(super) texts: &'static [&'static str],
    pub(super) limits: fn(&Original<'_>) -> Result<Limits>,
    pub(super) damage: Damage,
}

/// An invalid change.
pub(super) type Damage = fn(&Original<'_>, &mut Draws<'_, '_>) -> Result<Vec<u8>>;

impl BreakableRule {
    /// Returns the kind of the error.
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// Returns the identifier that the reader must raise.
    pub fn identifier(&self) -> &'static str {
        self.kind.rule().identifier
    }

    /// Describes the damage to the file.
    pub fn what(&self) -> &'static str {
        self.what
    }

    /// Returns the call that raises the identifier.
    pub fn check(&self) -> Check {
        self.check
    }

    /// Whether the files are texts, which are assembled.
    pub fn is_text(&self) -> bool {
        self.check == Check::Assemble
    }

    /// Whether modules of this version can break the rule.
    ///
    /// ```
    /// use mlirbc::version::BytecodeVersion;
    /// let rule = mlirbc_smith::breakable_rule("mlirbc.read.use_list").expect("a rule about files");
    /// assert!(rule.is_of_version(BytecodeVersion::MAX) && !rule.is_of_version(BytecodeVersion::MIN));
    /// ```
    pub fn is_of_version(&self, version: BytecodeVersion) -> bool {
        (self.versions)(version)
    }
}

const fn rule(kind: ErrorKind, what: &'static str, damage: Damage) -> BreakableRule {
    BreakableRule {
        kind,
        what,
        check: Check::Verify,
        versions: |_| true,
        features: |features| features,
        prepare: preparations::nothing,
        wrap: artifact::bare,
        texts: &[],
        limits: limits::usual,
        damage,
    }
}

impl BreakableRule {
    const fn prepared(self, prepare: Preparation) -> Self {
        Self { prepare, ..self }
    }

    const fn raised_by(self, check: Check) -> Self {
        Self { check, ..self }
    }

    const fn of_versions(self, versions: fn(BytecodeVersion) -> bool) -> Self {
        Self { versions, ..self }
    }

    const fn wrapped(self, wrap: artifact::Wrapping) -> Self {
        Self { wrap, ..self }
    }

    const fn with(self, texts: &'static [&'static str]) -> Self {
        Self { texts, ..self }
    }

    const fn limited(self, limits: fn(&Original<'_>) -> Result<Limits>) -> Self {
        Self { limits, ..self }
    }

    const fn featuring(self, features: fn(Features) -> Features) -> Self {
        Self { features, ..self }
    }
}

/// The rules in the order of the page of errors.
pub(super) const RULES: &[BreakableRule] = &[
    rule(
        ErrorKind::Truncated,
        "the file ends within a section, or a section is larger than the file",
        container::truncated,
    ),
    rule(ErrorKind::Empty, "the file has no bytes", container::empty),
    rule(ErrorKind::Text, "the compressed file is the text of the module", artifact::text),
    rule(ErrorKind::Archive, "the module is in an archive", artifact::archive),
    rule(ErrorKind::OtherFormat, "the file begins as one of another format", artifact::other_format),
    rule(ErrorKind::Magic, "a byte of the magic number is changed", container::magic),
    rule(
        ErrorKind::Compressed,
        "a gzip stream has a wrong checksum, size or length, or ends early",
        artifact::compressed,
    )
    .wrapped(artifact::gzip),
    rule(
        ErrorKind::Flatbuffer,
        "a length or an offset of a JAX export is past the end of the file",
        artifact::flatbuffer,
    )
    .wrapped(artifact::export),
    rule(
        ErrorKind::Protobuf,
        "the length of the graph in a SavedModel is past the end of the file",
        artifact::protobuf,
    ),
    rule(ErrorKind::Version, "the version is larger than 6", container::version),
    rule(
        ErrorKind::UnterminatedString,
        "the file ends within the producer, or the text of an attribute has no end",
        container::unterminated,
    )
    .prepared(preparations::text),
    rule(ErrorKind::UnknownSection, "there is a section with an id above 8", container::unknown_section),
    rule(ErrorKind::DuplicateSection, "a section is repeated", container::duplicate_section),
    rule(ErrorKind::MissingSection, "a required section is missing", container::missing_section),
    rule(ErrorKind::Alignment, "the alignment of a section is not a power of two", container::alignment),
    rule(ErrorKind::Padding, "a byte of padding is changed", container::padding),
    rule(ErrorKind::StringPastEnd, "a string is longer than what is left for it", strings::past_end),
    rule(ErrorKind::StringGap, "bytes precede the strings, or a string is too short", strings::gap),
    rule(ErrorKind::StringZeroLength, "the length of a string is 0", strings::zero_length),
    rule(ErrorKind::Index, "an index of a random table is past its end", references::index)
        .prepared(preparations::values),
    rule(ErrorKind::Count, "the count of a table is larger than the table", strings::count),
    rule(ErrorKind::DialectVersion, "a dialect without versions has one", strings::dialect_version)
        .of_versions(BytecodeVersion::has_dialect_versions),
    rule(
        ErrorKind::DialectVersionSection,
        "the version of a dialect is in a section with another id",
        strings::dialect_version_section,
    )
    .of_versions(BytecodeVersion::has_dialect_versions),
    rule(ErrorKind::EntryPastEnd, "an attribute or a type is larger than its section", entries::past_end),
    rule(ErrorKind::EntryDirectory, "bytes follow the directory of attributes and types", entries::directory),
    rule(ErrorKind::EntryGroupOverrun, "a group has more entries than the table", entries::group_overrun),
    rule(ErrorKind::EntryTrailingBytes, "bytes follow the encoding of an attribute", entries::trailing_bytes)
        .prepared(preparations::encoded),
    rule(ErrorKind::EntryText, "the brackets of an attribute are wrong, or text follows it", entries::text)
        .prepared(preparations::text),
    rule(ErrorKind::EntryClass, "the location or the dictionary of an operation is a string", entries::class)
        .prepared(preparations::string),
    rule(ErrorKind::EntryUnknownCode, "an attribute has a code above 63", entries::unknown_code)
        .prepared(preparations::encoded),
    rule(ErrorKind::EntryNoTable, "an attribute of a dialect without a table is encoded", entries::no_table)
        .raised_by(Check::Print)
        .prepared(preparations::foreign),
    rule(ErrorKind::EntryCycle, "an array is an item of itself, or of one within it", entries::cycle)
        .prepared(preparations::arrays),
    rule(ErrorKind::EntryElements, "sparse elements are outside of their type", entries::elements)
        .prepared(preparations::sparse),
    rule(ErrorKind::PropertyBlob, "properties are shorter than their layout", properties::blob)
        .of_versions(BytecodeVersion::has_native_properties),
    rule(ErrorKind::PropertyOpaque, "a registered operation has no schema", properties::opaque)
        .raised_by(Check::Print)
        .prepared(preparations::unregistered)
        .of_versions(BytecodeVersion::has_native_properties),
    rule(ErrorKind::PropertyTrailingBytes, "bytes follow the properties", properties::trailing_bytes)
        .of_versions(BytecodeVersion::has_native_properties),
    rule(ErrorKind::PropertyVersion, "an operation has properties before version 5", properties::version)
        .of_versions(|version| !version.has_native_properties()),
    rule(
        ErrorKind::ResourceSections,
        "one of the two sections of resources is missing",
        container::one_resource_section,
    )
    .prepared(preparations::resources),
    rule(ErrorKind::ResourceTrailingBytes, "bytes follow the payload of a resource", resources::trailing_bytes)
        .prepared(preparations::resources),
    rule(ErrorKind::ResourceKind, "a resource has a kind above 2, or one for other groups", resources::kind)
        .prepared(preparations::resources),
    rule(ErrorKind::ResourceNoData, "an external resource has no data", resources::no_data)
        .prepared(preparations::resources),
    rule(ErrorKind::RegionSection, "regions are in a section with another id", operations::region_section)
        .of_versions(BytecodeVersion::has_region_sections),
    rule(ErrorKind::RegionValues, "a region defines more values than it declares", operations::region_values)
        .prepared(preparations::values),
    rule(ErrorKind::UnresolvedValue, "a value is used and not defined", operations::unresolved)
        .prepared(preparations::values),
    rule(ErrorKind::UseList, "an order of uses is not a permutation", operations::use_list)
        .prepared(preparations::ordered_uses)
        .of_versions(BytecodeVersion::has_use_list_orders),
    rule(ErrorKind::TopLevel, "there are several operations at the top level, or none", operations::top_level)
        .raised_by(Check::Operation)
        .prepared(preparations::values),
    rule(ErrorKind::OpControlFlow, "an operation branches to the entry block, or is not the last of its block", operations::inserted)
        .raised_by(Check::VerifyOperations)
        .with(&[r#""func.func"() ({ ^e: "cf.br"() [^e] : () -> () }) {function_type = () -> (), sym_name = "smithNUMBER", sym_visibility = "private"} : () -> ()"#, r#""func.func"() ({ "cf.br"() [^b] : () -> () "cf.br"() [^b] : () -> () ^b: "func.return"() : () -> () }) {function_type = () -> (), sym_name = "smithNUMBER", sym_visibility = "private"} : () -> ()"#, r#""func.func"() ({ ^e: "cf.br"() [^b] : () -> () ^b: "cf.br"() [^e] : () -> () }) {function_type = () -> (), sym_name = "smithNUMBER", sym_visibility = "private"} : () -> ()"#]),
    rule(ErrorKind::OpBranch, "a branch passes a value of another type, or too few or too many", operations::inserted)
        .raised_by(Check::VerifyOperations)
        .with(&[r#""func.func"() ({ ^e(%a: i32): "cf.br"(%a) [^b] : (i32) -> () ^b(%p: f32): "func.return"() : () -> () }) {function_type = (i32) -> (), sym_name = "smithNUMBER", sym_visibility = "private"} : () -> ()"#, r#""func.func"() ({ ^e(%a: i32): "cf.br"(%a, %a) [^b] : (i32, i32) -> () ^b(%p: i32): "func.return"() : () -> () }) {function_type = (i32) -> (), sym_name = "smithNUMBER", sym_visibility = "private"} : () -> ()"#, r#""func.func"() ({ "cf.br"() [^b] : () -> () ^b(%p: i32): "func.return"() : () -> () }) {function_type = () -> (), sym_name = "smithNUMBER", sym_visibility = "private"} : () -> ()"#]),
    rule(ErrorKind::OpDominance, "a value is used before its definition, or in a block that can be reached without it", operations::inserted)
        .raised_by(Check::VerifyOperations)
        .with(&[r#""func.func"() ({ %a = "arith.addi"(%b, %b) : (i32, i32) -> i32 %b = "arith.constant"() {value = NUMBER : i32} : () -> i32 "func.return"() : () -> () }) {function_type = () -> (), sym_name = "smithNUMBER", sym_visibility = "private"} : () -> ()"#, r#""func.func"() ({ %b = "arith.addi"(%b, %b) : (i32, i32) -> i32 "func.return"() : () -> () }) {function_type = () -> (), sym_name = "smithNUMBER", sym_visibility = "private"} : () -> ()"#, r#""func.func"() ({ ^e(%p: i1): "cf.cond_br"(%p) [^b, ^c] {operand_segment_sizes = array<i32: 1, 0, 0>, operandSegmentSizes = array<i32: 1, 0, 0>} : (i1) -> () ^b: %b = "arith.constant"() {value = NUMBER : i32} : () -> i32 "cf.br"() [^c] : () -> () ^c: %a = "arith.addi"(%b, %b) : (i32, i32) -> i32 "func.return"() : () -> () }) {function_type = (i1) -> (), sym_name = "smithNUMBER", sym_visibility = "private"} : () -> ()"#]),
    rule(ErrorKind::OpIsolation, "a module uses a value of the module around it", operations::isolation)
        .raised_by(Check::VerifyOperations),
    rule(ErrorKind::OpSymbol, "a symbol has an unknown visibility, or a public function has no body", operations::inserted)
        .raised_by(Check::VerifyOperations)
        .with(&[r#""func.func"() ({ "func.return"() : () -> () }) {function_type = () -> (), sym_name = "smithNUMBER", sym_visibility = "smith"} : () -> ()"#, r#""func.func"() ({  }) {function_type = () -> (), sym_name = "smithNUMBER"} : () -> ()"#, r#""func.func"() ({  }) {function_type = () -> (), sym_name = "smithNUMBER", sym_visibility = "public"} : () -> ()"#]),
    rule(ErrorKind::DepthLimit, "arrays are nested deeper than the limit", limits::depth)
        .limited(limits::of_depth)
        .prepared(preparations::arrays),
    rule(ErrorKind::MemoryLimit, "the table of dialects needs more memory than the limit", limits::many)
        .limited(limits::of_memory),
    rule(ErrorKind::TextLimit, "the text of an attribute is longer than the limit", limits::long_text)
        .raised_by(Check::Print)
        .limited(limits::of_text)
        .prepared(preparations::arrays),
    rule(
        ErrorKind::DecompressedLimit,
        "a gzip stream decompresses to more than the limit",
        limits::decompressed,
    )
    .limited(limits::of_decompression)
    .wrapped(artifact::gzip),
    rule(ErrorKind::Ir, "an addition has one operand, or more than two", operations::operand)
        .raised_by(Check::VerifyOperations)
        .prepared(preparations::addition),
    rule(
        ErrorKind::UnknownContent,
        "an operation belongs to a dialect that no release has",
        operations::unknown_name,
    )
    .raised_by(Check::RequireKnown)
    .prepared(preparations::values)
    .featuring(|features| Features { unregistered: false, dialect_entries: false, ..features }),
    // ---- text ----
    rule(ErrorKind::AsmSyntax, "an operation of the text lacks a bracket, a quote or a type", assembly::last_operation)
        .raised_by(Check::Assemble)
        .wrapped(assembly::generic)
        .with(&[r#""smith.op"( : () -> ()"#, r#""smith.op"() {number = NUMBER : () -> ()"#, r#""smith.opNUMBER() : () -> ()"#, r#""smith.op"() : () ->"#, r#"}"#]),
    rule(ErrorKind::AsmOperation, "an operation in custom form does not exist", assembly::last_operation)
        .raised_by(Check::Assemble)
        .wrapped(assembly::generic)
        .with(&[r#"arith.opNUMBER"#, r#"func.opNUMBER @name"#, r#"scf.opNUMBER {}"#]),
    rule(ErrorKind::AsmForm, "an operation that has no custom form is in custom form", assembly::last_operation)
        .raised_by(Check::Assemble)
        .wrapped(assembly::generic)
        .with(&[r#"shape.split_at %valueNUMBER"#]),
    rule(ErrorKind::AsmName, "a value is used and not defined, or is defined twice", assembly::last_operation)
        .raised_by(Check::Assemble)
        .wrapped(assembly::generic)
        .with(&[r#""smith.op"(%undefinedNUMBER) : (i32) -> ()"#, r#"%aNUMBER = "smith.op"() : () -> i32 %aNUMBER = "smith.op"() : () -> i32"#]),
    rule(ErrorKind::AsmContents, "an operation of the text has other operands or results than its type says", assembly::last_operation)
        .raised_by(Check::Assemble)
        .wrapped(assembly::generic)
        .with(&[r#""smith.op"() {number = NUMBER} : (i32) -> ()"#, r#"%a:2 = "smith.op"() {number = NUMBER} : () -> i32"#]),
    // ---- data layout ----
    rule(ErrorKind::LayoutDuplicateKey, "a key is twice in a specification", layouts::in_specification)
        .raised_by(Check::Layout)
        .prepared(layouts::specification)
        .with(&[r#"#dlti.dl_spec<#dlti.dl_entry<"smith.a", NUMBER>, #dlti.dl_entry<"smith.a", NUMBER>>"#, r#"#dlti.dl_spec<#dlti.dl_entry<i32, dense<32> : vector<1xi64>>, #dlti.dl_entry<i32, dense<64> : vector<1xi64>>>"#]),
    rule(ErrorKind::LayoutEmptyKey, "a key is empty", layouts::in_specification)
        .raised_by(Check::Layout)
        .prepared(layouts::specification)
        .with(&[r#"#dlti.dl_spec<#dlti.dl_entry<"", NUMBER>>"#]),
    rule(ErrorKind::LayoutTypeKey, "a device or a property of one has a type as its key", layouts::in_system)
        .raised_by(Check::Layout)
        .prepared(layouts::system)
        .with(&[r#"#dlti.target_system_spec<i32 = #dlti.target_device_spec<"smith.key" = NUMBER>>"#, r#"#dlti.target_system_spec<"CPU" = #dlti.target_device_spec<i32 = NUMBER>>"#]),
    rule(ErrorKind::LayoutEmptyList, "a system has no devices, or a device no properties", layouts::in_system)
        .raised_by(Check::Layout)
        .prepared(layouts::system)
        .with(&[r#"#dlti.target_system_spec<>"#, r#"#dlti.target_system_spec<"CPU" = #dlti.target_device_spec<>>"#]),
    rule(ErrorKind::LayoutNotADevice, "a device of a system is a number", layouts::in_system)
        .raised_by(Check::Layout)
        .prepared(layouts::system)
        .with(&[r#"#dlti.target_system_spec<"CPU" = NUMBER>"#]),
    rule(ErrorKind::LayoutNotAnEntry, "an entry is a number", layouts::in_specification)
        .raised_by(Check::Layout)
        .prepared(layouts::specification)
        .with(&[r#"#dlti.dl_spec<NUMBER>"#]),
    rule(ErrorKind::LayoutUnknownMnemonic, "the specification is of a kind that MLIR does not have", layouts::in_specification)
        .raised_by(Check::Layout)
        .prepared(layouts::specification)
        .with(&[r#"#dlti.specNUMBER<>"#]),
    rule(ErrorKind::LayoutAttributeKind, "the specification is an attribute of another kind", layouts::in_specification)
        .raised_by(Check::Layout)
        .prepared(layouts::specification)
        .with(&[r#"#dlti.dl_entry<"smith.key", NUMBER>"#, r#"affine_map<(d0) -> (d0 + NUMBER)>"#]),
    rule(ErrorKind::LayoutUnknownAttribute, "an attribute has a name that begins with `dlti.`", layouts::name)
        .raised_by(Check::Layout)
        .prepared(layouts::with_free)
        .with(&[r#"dlti.nameNUMBER"#]),
    rule(ErrorKind::LayoutTwoSpecs, "an operation has two specifications", layouts::in_free)
        .raised_by(Check::Layout)
        .prepared(layouts::with_free)
        .with(&[r#"#dlti.dl_spec<#dlti.dl_entry<"smith.other", NUMBER>>"#]),
    rule(ErrorKind::LayoutUnknownScope, "an operation that may be a scope or not has a specification", layouts::name)
        .raised_by(Check::Layout)
        .prepared(layouts::unknown_scope)
        .with(&["dlti.dl_spec"]),
    rule(ErrorKind::LayoutIndexEntry, "the entry for `index` is a vector or a float", layouts::in_specification)
        .raised_by(Check::Layout)
        .prepared(layouts::specification)
        .with(&[r#"#dlti.dl_spec<#dlti.dl_entry<index, dense<[32]> : vector<1xi64>>>"#, r#"#dlti.dl_spec<#dlti.dl_entry<index, NUMBER.0 : f32>>"#]),
    rule(ErrorKind::LayoutEntryKind, "the entry of an integer, a float or a pointer is a number", layouts::in_specification)
        .raised_by(Check::Layout)
        .prepared(layouts::specification)
        .with(&[r#"#dlti.dl_spec<#dlti.dl_entry<i32, NUMBER>>"#, r#"#dlti.dl_spec<#dlti.dl_entry<f64, NUMBER>>"#, r#"#dlti.dl_spec<#dlti.dl_entry<!llvm.ptr, NUMBER>>"#, r#"#dlti.dl_spec<#dlti.dl_entry<!llvm.struct<()>, NUMBER>>"#]),
    rule(ErrorKind::LayoutElementType, "the numbers of an entry have 32 bits", layouts::in_specification)
        .raised_by(Check::Layout)
        .prepared(layouts::specification)
        .with(&[r#"#dlti.dl_spec<#dlti.dl_entry<i32, dense<[32, 64]> : vector<2xi32>>>"#, r#"#dlti.dl_spec<#dlti.dl_entry<!llvm.ptr, dense<[64, 64, 64]> : vector<3xi32>>>"#]),
    rule(ErrorKind::LayoutArity, "an entry has too few or too many numbers", layouts::in_specification)
        .raised_by(Check::Layout)
        .prepared(layouts::specification)
        .with(&[r#"#dlti.dl_spec<#dlti.dl_entry<!llvm.ptr, dense<[64, 64]> : vector<2xi64>>>"#, r#"#dlti.dl_spec<#dlti.dl_entry<!llvm.ptr, dense<[64, 64, 64, 64, 64]> : vector<5xi64>>>"#, r#"#dlti.dl_spec<#dlti.dl_entry<i32, dense<[32, 32, 32]> : vector<3xi64>>>"#]),
    rule(ErrorKind::LayoutPreferred, "a preferred alignment is below that of the ABI", layouts::in_specification)
        .raised_by(Check::Layout)
        .prepared(layouts::specification)
        .with(&[r#"#dlti.dl_spec<#dlti.dl_entry<i32, dense<[64, 32]> : vector<2xi64>>>"#, r#"#dlti.dl_spec<#dlti.dl_entry<!llvm.ptr, dense<[64, 64, 32]> : vector<3xi64>>>"#, r#"#dlti.dl_spec<#dlti.dl_entry<!llvm.struct<()>, dense<[64, 32]> : vector<2xi64>>>"#]),
    rule(ErrorKind::LayoutByteMultiple, "an alignment of a pointer is not a multiple of 8", layouts::in_specification)
        .raised_by(Check::Layout)
        .prepared(layouts::specification)
        .with(&[r#"#dlti.dl_spec<#dlti.dl_entry<!ptr.ptr<#ptr.generic_space>, #ptr.spec<size = 33, abi = 32, preferred = 64>>>"#, r#"#dlti.dl_spec<#dlti.dl_entry<!ptr.ptr<#ptr.generic_space>, #ptr.spec<size = 32, abi = 12, preferred = 64>>>"#]),
    rule(ErrorKind::LayoutStructKey, "the key of structures is one with fields", layouts::in_specification)
        .raised_by(Check::Layout)
        .prepared(layouts::specification)
        .with(&[r#"#dlti.dl_spec<#dlti.dl_entry<!llvm.struct<(i8)>, dense<[64, 64]> : vector<2xi64>>>"#, r#"#dlti.dl_spec<#dlti.dl_entry<!llvm.struct<"a", (i8)>, dense<[64, 64]> : vector<2xi64>>>"#]),
    rule(ErrorKind::LayoutBuiltinKey, "a key is a vector or a memref", layouts::in_specification)
        .raised_by(Check::Layout)
        .prepared(layouts::specification)
        .with(&[r#"#dlti.dl_spec<#dlti.dl_entry<vector<4xf32>, dense<[32, 64]> : vector<2xi64>>>"#, r#"#dlti.dl_spec<#dlti.dl_entry<complex<f32>, dense<[32, 64]> : vector<2xi64>>>"#, r#"#dlti.dl_spec<#dlti.dl_entry<memref<NUMBERxi8>, NUMBER>>"#]),
    rule(ErrorKind::LayoutTypeHooks, "a key is a type without a layout", layouts::in_specification)
        .raised_by(Check::Layout)
        .prepared(layouts::specification)
        .with(&[r#"#dlti.dl_spec<#dlti.dl_entry<!llvm.void, NUMBER>>"#, r#"#dlti.dl_spec<#dlti.dl_entry<!smith.typeNUMBER, NUMBER>>"#]),
    rule(ErrorKind::LayoutEndianness, "the order of bytes is neither big nor little", layouts::in_specification)
        .raised_by(Check::Layout)
        .prepared(layouts::specification)
        .with(&[r#"#dlti.dl_spec<#dlti.dl_entry<"dlti.endianness", "middle">>"#, r#"#dlti.dl_spec<#dlti.dl_entry<"dlti.endianness", NUMBER>>"#]),
    rule(ErrorKind::LayoutStack, "the alignment of the stack is a text", layouts::in_specification)
        .raised_by(Check::Layout)
        .prepared(layouts::specification)
        .with(&[r#"#dlti.dl_spec<#dlti.dl_entry<"dlti.stack_alignment", "NUMBER">>"#]),
    rule(ErrorKind::LayoutUnknownKey, "a key begins with `dlti.` and is none of those of MLIR", layouts::in_specification)
        .raised_by(Check::Layout)
        .prepared(layouts::specification)
        .with(&[r#"#dlti.dl_spec<#dlti.dl_entry<"dlti.keyNUMBER", NUMBER>>"#]),
    rule(ErrorKind::LayoutForeignKey, "a key belongs to a dialect without keys", layouts::in_specification)
        .raised_by(Check::Layout)
        .prepared(layouts::specification)
        .with(&[r#"#dlti.dl_spec<#dlti.dl_entry<"builtin.keyNUMBER", NUMBER>>"#]),
    rule(ErrorKind::LayoutCombine, "a specification contradicts that of the module around it", layouts::in_nested)
        .raised_by(Check::Layout)
        .prepared(layouts::nested)
        .with(&[r#"#dlti.dl_spec<#dlti.dl_entry<"dlti.endianness", "big">> / #dlti.dl_spec<#dlti.dl_entry<"dlti.endianness", "little">>"#, r#"#dlti.dl_spec<#dlti.dl_entry<"dlti.stack_alignment", 128 : i64>> / #dlti.dl_spec<#dlti.dl_entry<"dlti.stack_alignment", 64 : i64>>"#, r#"#dlti.dl_spec<#dlti.dl_entry<"smith.a", 1NUMBER>> / #dlti.dl_spec<#dlti.dl_entry<"smith.a", 2NUMBER>>"#]),
    rule(ErrorKind::LayoutNestedBuiltin, "two specifications, one within the other, have entries for integers", layouts::in_nested)
        .raised_by(Check::Layout)
        .prepared(layouts::nested)
        .with(&[r#"#dlti.dl_spec<#dlti.dl_entry<i32, dense<[32, 64]> : vector<2xi64>>> / #dlti.dl_spec<#dlti.dl_entry<i32, dense<[32, 64]> : vector<2xi64>>>"#, r#"#dlti.dl_spec<#dlti.dl_entry<f32, dense<[32, 32]> : vector<2xi64>>> / #dlti.dl_spec<#dlti.dl_entry<f32, dense<[32, 32]> : vector<2xi64>>>"#]),
    rule(ErrorKind::LayoutNestedPointer, "two specifications, one within the other, have entries for one address space", layouts::in_nested)
        .raised_by(Check::Layout)
        .prepared(layouts::nested)
        .with(&[r#"#dlti.dl_spec<#dlti.dl_entry<!llvm.ptr, dense<[64, 64, 64]> : vector<3xi64>>> / #dlti.dl_spec<#dlti.dl_entry<!llvm.ptr, dense<[64, 64, 64]> : vector<3xi64>>>"#]),
    rule(ErrorKind::LayoutZero, "the alignment of structures becomes 0 in a module within another", layouts::in_nested)
        .raised_by(Check::Layout)
        .prepared(layouts::nested)
        .with(&[r#"#dlti.dl_spec<#dlti.dl_entry<!llvm.struct<()>, dense<[64, 64]> : vector<2xi64>>> / #dlti.dl_spec<#dlti.dl_entry<!llvm.struct<()>, dense<[0, 64]> : vector<2xi64>>>"#]),
];
