//! The values of entries: their formats as a table, their numbers, and their verification
//! (`mlir/lib/Interfaces/DataLayoutInterfaces.cpp`, `mlir/lib/Dialect/LLVMIR/IR/LLVMTypes.cpp`,
//! `mlir/lib/Dialect/Ptr/IR/PtrTypes.cpp`, `mlir/lib/Dialect/DLTI/DLTI.cpp`).

use std::collections::HashSet;

use crate::attr::text::dense::Element;
use crate::attr::text::lexer::{Lexer, TokenKind};
use crate::attr::{Attribute, FieldValue};
use crate::wire::error::{Error, ErrorKind, Result};

use super::dlti::{DltiEntry, DltiKey, brief};
use super::registrations::Registrations;
use super::shape::{Class, Node, Shape};

/// The format of the value of an entry.
#[derive(Debug, Clone, Copy)]
enum Format {
    /// An integer attribute.
    Integer,
    /// Dense 64-bit integers: their number, and the positions of the ABI and the preferred alignment.
    Numbers {
        least: u64,
        most: u64,
        signless: bool,
        abi: usize,
        preferred: Preferred,
    },
    /// `#ptr.spec`
    PointerSpec,
    Anything,
}

#[derive(Debug, Clone, Copy)]
enum Preferred {
    At(usize),
    Last,
}

const ALIGNMENTS: Format =
    Format::Numbers { least: 1, most: 2, signless: true, abi: 0, preferred: Preferred::Last };
const STRUCT: Format =
    Format::Numbers { least: 1, most: 2, signless: false, abi: 0, preferred: Preferred::Last };
const POINTER: Format =
    Format::Numbers { least: 3, most: 4, signless: false, abi: 1, preferred: Preferred::At(2) };

/// Identifiers of the dlti dialect, and the required format of their values, if it is checked.
const IDENTIFIERS: [(&str, Check); 9] = [
    ("dlti.endianness", Check::Endianness),
    ("dlti.default_memory_space", Check::None),
    ("dlti.alloca_memory_space", Check::None),
    ("dlti.program_memory_space", Check::None),
    ("dlti.global_memory_space", Check::None),
    ("dlti.stack_alignment", Check::Integer),
    ("dlti.function_pointer_alignment", Check::None),
    ("dlti.mangling_mode", Check::None),
    ("dlti.legal_int_widths", Check::None),
];

#[derive(Debug, Clone, Copy)]
enum Check {
    None,
    Endianness,
    Integer,
}

/// The format of entries of a class; `None` for classes without entries.
fn format_of(class: &Class) -> Option<Format> {
    Some(match class {
        Class::Integer | Class::Float(_) => ALIGNMENTS,
        Class::Index => Format::Integer,
        Class::LlvmStruct => STRUCT,
        Class::LlvmPointer => POINTER,
        Class::LlvmArray => Format::Anything,
        Class::Pointer => Format::PointerSpec,
        Class::Other(_) => return None,
    })
}

/// Returns the value of an integer attribute, as an unsigned number of its own width.
pub(crate) fn integer(value: &Attribute) -> Option<u64> {
    if value.class() != Some("IntegerAttr") {
        return None;
    }
    match value.field("value").ok()?? {
        FieldValue::Integer { words, .. } => match words.split_first() {
            Some((&low, high)) if high.iter().all(|&word| word == 0) => Some(low),
            None => Some(0),
            _ => None,
        },
        FieldValue::Unsigned(number) => Some(number),
        FieldValue::Signed(number) => Some(number as u64),
        FieldValue::Bool(value) => Some(value.into()),
        _ => None,
    }
}

/// Returns the value of a string attribute.
pub(crate) fn string(value: &Attribute) -> Option<String> {
    match value.class()? {
        "StringAttr" | "StringAttrWithType" => {}
        _ => return None,
    }
    match value.field("value").ok()?? {
        FieldValue::String(bytes) => String::from_utf8(bytes.to_vec()).ok(),
        _ => None,
    }
}

/// Numbers of a dense attribute.
struct Dense {
    element: Element,
    count: u64,
    /// The numbers; empty if they do not have 64 bits or are many.
    numbers: Vec<u64>,
}

fn dense(value: &Attribute) -> Option<Dense> {
    if value.class() != Some("DenseIntOrFPElementsAttr") {
        return None;
    }
    let Ok(Some(FieldValue::Type(r#type))) = value.field("type") else { return None };
    let field = |name| r#type.field(name).ok().flatten();
    let Some(FieldValue::Type(element)) = field("elementType") else { return None };
    let count = match field("shape") {
        Some(FieldValue::List(sizes)) => sizes.iter().try_fold(1_u64, |count, size| match size {
            FieldValue::Signed(size) => count.checked_mul(u64::try_from(*size).ok()?),
            _ => None,
        })?,
        _ => return None,
    };
    let element = element.number().filter(|element| !matches!(element, Element::Float(_)))?;
    let mut numbers = Vec::new();
    if let (true, 1..=4, Ok(Some(FieldValue::Blob(blob)))) = (is_i64(element), count, value.field("data")) {
        let number = |bytes: &[u8]| u64::from_le_bytes(bytes.try_into().unwrap_or_default());
        numbers.extend(blob.chunks_exact(8).map(number));
        if let ([one], 2..) = (&numbers[..], count) {
            numbers = vec![*one; count as usize];
        }
        numbers.truncate(count as usize);
    }
    Some(Dense { element, count, numbers })
}

/// Returns whether an element type is `i64`, `si64` or `ui64`.
fn is_i64(element: Element) -> bool {
    matches!(element, Element::Signless(64) | Element::Signed(64) | Element::Unsigned(64))
}

/// The numbers of a verified entry.
pub(crate) fn numbers(value: &Attribute) -> Vec<u64> {
    dense(value).map(|dense| dense.numbers).unwrap_or_default()
}

/// `#ptr.spec<size = 32, abi = 32, preferred = 64, index = 16>`
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct PointerSpec {
    pub(crate) size: u64,
    pub(crate) abi: u64,
    pub(crate) preferred: u64,
    pub(crate) index: Option<u64>,
}

pub(crate) fn pointer_spec(value: &Attribute) -> Option<PointerSpec> {
    // The ptr dialect has no bytecode encoding: its attributes are stored as text.
    let text = value.text()?;
    let mut lexer = Lexer::new(&text);
    let name = lexer.next().ok()?;
    if lexer.spelling(name) != b"#ptr.spec" {
        return None;
    }
    lexer.expect(TokenKind::Less, "`<`").ok()?;
    let (mut parsed, mut index) = ([None; 3], None);
    loop {
        let name = lexer.next().ok()?;
        lexer.expect(TokenKind::Equal, "`=`").ok()?;
        let number = lexer.next().ok()?;
        let number = std::str::from_utf8(lexer.spelling(number)).ok()?.parse::<u32>().ok()?;
        let place = match lexer.spelling(name) {
            b"size" => &mut parsed[0],
            b"abi" => &mut parsed[1],
            b"preferred" => &mut parsed[2],
            b"index" => &mut index,
            _ => return None,
        };
        if place.replace(u64::from(number)).is_some() {
            return None;
        }
        match lexer.next().ok()?.kind {
            TokenKind::Comma => {}
            TokenKind::Greater => break,
            _ => return None,
        }
    }
    lexer.expect(TokenKind::End, "the end").ok()?;
    let [Some(size), Some(abi), Some(preferred)] = parsed else { return None };
    Some(PointerSpec { size, abi, preferred, index })
}

/// Creates an error about one entry.
#[cold]
fn refused(kind: ErrorKind, expected: impl Into<String>, entry: &DltiEntry) -> Error {
    let expected = format!("{} in the entry for {}", expected.into(), entry.key.brief());
    Error::new(kind, expected, format!("`{}`", brief(&entry.value.0)))
}

/// Verifies a single entry. `dialects` are the dialects that the module uses.
pub(crate) fn verify(
    entry: &DltiEntry,
    shape: Option<&Shape>,
    dialects: &HashSet<String>,
    types: &Registrations,
) -> Result<()> {
    match (&entry.key, shape) {
        (DltiKey::Identifier(name), _) => verify_identifier(name, entry, dialects),
        (DltiKey::Type(_), Some(shape)) => verify_type(shape, entry, types),
        (DltiKey::Type(_), None) => Ok(()),
    }
}

pub(crate) fn verify_type(shape: &Shape, entry: &DltiEntry, types: &Registrations) -> Result<()> {
    let class = shape.class();
    if let Class::Other(name) = &class {
        if types.get(name).is_some() {
            // Registered types verify all entries of their class at once.
            return Ok(());
        }
        let key = entry.key.brief();
        return Err(match name.contains('.') {
            true => Error::message(
                ErrorKind::LayoutTypeHooks,
                format!("`{key}` cannot be a key: it has no data layout"),
            ),
            false => {
                let expected = "an integer type, a float type or `index` as the key";
                Error::new(ErrorKind::LayoutBuiltinKey, expected, format!("`{key}`"))
            }
        });
    }
    match format_of(&class) {
        None | Some(Format::Anything) => Ok(()),
        Some(Format::Integer) => match entry.value.class() {
            Some("IntegerAttr") => Ok(()),
            _ => Err(refused(ErrorKind::LayoutIndexEntry, "an integer attribute", entry)),
        },
        Some(Format::PointerSpec) => verify_pointer_spec(entry),
        Some(Format::Numbers { least, most, signless, abi, preferred }) => {
            let Some(dense) = dense(&entry.value) else {
                let expected = "dense elements of 64-bit integers, e.g. `dense<[32, 64]> : vector<2xi64>`,";
                return Err(refused(ErrorKind::LayoutEntryKind, expected, entry));
            };
            let is_wide =
                if signless { dense.element == Element::Signless(64) } else { is_i64(dense.element) };
            if !(least..=most).contains(&dense.count) {
                let expected = format!("{least} or {most} numbers");
                return Err(refused(ErrorKind::LayoutArity, expected, entry));
            }
            if !is_wide {
                return Err(refused(ErrorKind::LayoutElementType, "elements of type `i64`", entry));
            }
            if matches!(shape.root(), Node::LlvmStruct { is_literal, fields, .. } if !is_literal || !fields.is_empty())
                || matches!(shape.root(), Node::Recursive(_))
            {
                let message =
                    format!("the key for all structs is `!llvm.struct<()>`, not `{}`", entry.key.brief());
                return Err(Error::message(ErrorKind::LayoutStructKey, message));
            }
            let preferred = match preferred {
                Preferred::At(place) => dense.numbers.get(place),
                Preferred::Last => dense.numbers.last(),
            };
            if preferred < dense.numbers.get(abi) {
                let expected = "a preferred alignment that is not below the ABI alignment";
                return Err(refused(ErrorKind::LayoutPreferred, expected, entry));
            }
            Ok(())
        }
    }
}

fn verify_pointer_spec(entry: &DltiEntry) -> Result<()> {
    let Some(spec) = pointer_spec(&entry.value) else {
        let expected = "`#ptr.spec<size = …, abi = …, preferred = …>`";
        return Err(refused(ErrorKind::LayoutEntryKind, expected, entry));
    };
    let PointerSpec { size, abi, preferred, index } = spec;
    if [size, abi, preferred, index.unwrap_or(0)].iter().any(|number| number % 8 != 0) {
        return Err(refused(ErrorKind::LayoutByteMultiple, "multiples of 8", entry));
    }
    if preferred < abi {
        let expected = "a preferred alignment that is not below the ABI alignment";
        return Err(refused(ErrorKind::LayoutPreferred, expected, entry));
    }
    Ok(())
}

fn verify_identifier(name: &[u8], entry: &DltiEntry, dialects: &HashSet<String>) -> Result<()> {
    let Some(dot) = name.iter().position(|&byte| byte == b'.') else { return Ok(()) };
    let prefix = String::from_utf8_lossy(name.get(..dot).unwrap_or_default());
    if prefix != "dlti" {
        if prefix != "builtin" && !dialects.contains(&*prefix) {
            return Ok(());
        }
        let key = entry.key.brief();
        let message = format!("dialect {prefix}, with whose name the key {key} starts, defines no keys");
        return Err(Error::message(ErrorKind::LayoutForeignKey, message));
    }
    verify_known_identifier(name, entry)
}

/// Verifies an entry with a name of the dlti dialect.
pub(crate) fn verify_known_identifier(name: &[u8], entry: &DltiEntry) -> Result<()> {
    let check = IDENTIFIERS.iter().find(|(known, _)| known.as_bytes() == name);
    match check.map(|(_, check)| check) {
        None => {
            let known_names: Vec<_> = IDENTIFIERS.iter().map(|(name, _)| format!("`{name}`")).collect();
            let (key, known_names) = (entry.key.brief(), known_names.join(", "));
            let message = format!("unknown key {key}; the known keys are {known_names}");
            Err(Error::message(ErrorKind::LayoutUnknownKey, message))
        }
        Some(Check::Endianness) if !matches!(string(&entry.value).as_deref(), Some("big" | "little")) => {
            Err(refused(ErrorKind::LayoutEndianness, "`\"big\"` or `\"little\"`", entry))
        }
        Some(Check::Integer) if integer(&entry.value).is_none() => {
            Err(refused(ErrorKind::LayoutStack, "an integer attribute below 2^64", entry))
        }
        _ => Ok(()),
    }
}
