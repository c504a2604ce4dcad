//! Types as data layouts analyse them: a flat list in which parts come before the types that contain them, which
//! avoids recursion. Fields of builtin types are read from their entries; other types are parsed from their text.

mod reader;

use crate::attr::text::dense::Element;
use crate::attr::text::float::Semantics;
use crate::attr::text::lexer::MAX_WIDTH;
use crate::attr::{Attribute, FieldValue, Type};
use crate::wire::bytes::Bytes;
use crate::wire::error::{Error, ErrorKind, Result};
use crate::wire::limits::{Budget, HeldMemory};

use super::dlti::{brief, shorten};

/// A type. Elements and fields are indices of the list.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Node {
    /// An integer with its width.
    Integer(u32),
    Index,
    Float(&'static FloatType),
    Complex(u32),
    Vector {
        dims: Vec<u64>,
        is_scalable: bool,
        element: u32,
    },
    /// `!llvm.ptr` with its address space.
    LlvmPointer(u64),
    LlvmArray {
        count: u64,
        element: u32,
    },
    LlvmStruct {
        is_packed: bool,
        is_literal: bool,
        fields: Vec<u32>,
    },
    /// `!ptr.ptr` with its memory space.
    Pointer(Attribute),
    /// Any other type: its class, and its text as a standalone type.
    Other {
        class: String,
        text: String,
    },
    /// A type that is analysed by itself, so that types that contain it share its cached results.
    Part(Type),
    /// A struct inside itself.
    Recursive(String),
}

impl Node {
    /// The memory that the node owns outside of itself.
    fn owned(&self) -> usize {
        match self {
            Self::Vector { dims, .. } => size_of_val(&**dims),
            Self::LlvmStruct { fields, .. } => size_of_val(&**fields),
            Self::Other { class, text } => class.len() + text.len(),
            Self::Recursive(name) => name.len(),
            _ => 0,
        }
    }
}

/// A float type, by its name in text.
#[derive(Debug, PartialEq)]
pub(crate) struct FloatType {
    pub(crate) name: &'static str,
    pub(crate) bits: u32,
}

const fn float(semantics: Semantics) -> FloatType {
    FloatType { name: semantics.name(), bits: semantics.bits() }
}

static FLOATS: [FloatType; Semantics::ALL.len()] = {
    let mut floats = [const { FloatType { name: "", bits: 0 } }; Semantics::ALL.len()];
    let mut at = 0;
    while at < floats.len() {
        floats[at] = float(Semantics::ALL[at]);
        at += 1;
    }
    floats
};

// The only float type outside of the builtin dialect (`mlir/include/mlir/Dialect/LLVMIR/LLVMTypes.td`).
static PPC_FP128: FloatType = FloatType { name: "!llvm.ppc_fp128", bits: 128 };

/// Types of the llvm dialect without a layout and without parameters.
const LLVM_WITHOUT_LAYOUT: [&str; 8] =
    ["void", "token", "label", "metadata", "func", "x86_amx", "x86_mmx", "target"];

/// The parts of a type; the last node is the type itself.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Shape {
    pub(crate) nodes: Vec<Node>,
}

impl Shape {
    /// Analyses a type, and holds the memory of the result.
    ///
    /// # Errors
    /// If the budget has less memory, or the type cannot be read.
    pub(crate) fn of(r#type: &Type, budget: &Budget) -> Result<(Self, HeldMemory)> {
        // The parameters of these types are irrelevant, and may be long.
        let class = match r#type.class() {
            Some("TupleType") => "tuple".to_owned(),
            Some("FunctionType") => "function".to_owned(),
            Some("NoneType") => "none".to_owned(),
            Some("RankedTensorType" | "RankedTensorTypeWithEncoding" | "UnrankedTensorType") => {
                "tensor".to_owned()
            }
            Some(name) if name.starts_with("MemRefType") || name.starts_with("UnrankedMemRefType") => {
                "memref".to_owned()
            }
            Some("ComplexType") => return Self::complex(r#type, budget),
            Some("VectorType" | "VectorTypeWithScalableDims") => return Self::vector(r#type, budget),
            Some(_) if !r#type.is_text() && !r#type.is_builtin() => name(r#type).unwrap_or_default(),
            _ => String::new(),
        };
        if !class.is_empty() {
            // A type that is the whole value is used directly, not through its text.
            let held = budget.hold(size_of::<Node>() + class.len())?;
            let node = Node::Other { class, text: String::new() };
            return Ok((Self { nodes: vec![node] }, held));
        }
        if let Some(node) = number(r#type) {
            return Ok((Self { nodes: vec![node] }, budget.hold(2 * size_of::<Node>())?));
        }
        if let Some(error) = r#type.0.no_table() {
            return Err(error);
        }
        // The structure of the remaining types is only in their text. They are stored as text, or are encoded
        // by a caller's table for the llvm or ptr dialect, whose types MLIR stores as text.
        let longest_text = (budget.memory_left() / 2).min(r#type.0.text_limit());
        let text = {
            let _scratch = budget.hold(usize::try_from(longest_text).unwrap_or(usize::MAX))?;
            r#type.0.text_within(longest_text)?
        };
        let _text = budget.hold(text.len())?;
        Self::parse(&text, budget.hold(0)?)
    }

    /// Elements that are not numbers have their own cached results.
    fn complex(r#type: &Type, budget: &Budget) -> Result<(Self, HeldMemory)> {
        let held = budget.hold(2 * size_of::<Node>())?;
        let Ok(Some(FieldValue::Type(element))) = r#type.field("elementType") else {
            return Err(no_element(r#type));
        };
        let nodes = vec![number(&element).unwrap_or(Node::Part(element)), Node::Complex(0)];
        Ok((Self { nodes }, held))
    }

    /// Elements with a long text or with parts have their own cached results, because many vectors may share
    /// one element.
    fn vector(r#type: &Type, budget: &Budget) -> Result<(Self, HeldMemory)> {
        let (mut dims, mut is_scalable, mut element) = (Vec::new(), false, None);
        let mut held = budget.hold(2 * size_of::<Node>())?;
        for (name, value) in r#type.fields()? {
            match (&*name, value) {
                ("elementType", FieldValue::Type(r#type)) => element = Some(r#type),
                ("scalable", FieldValue::List(flags)) => {
                    is_scalable = flags.contains(&FieldValue::Bool(true))
                }
                ("shape", FieldValue::List(sizes)) => {
                    held.grow_to(2 * size_of::<Node>() + sizes.len() * size_of::<u64>())?;
                    for size in sizes {
                        match size {
                            FieldValue::Signed(size @ 1..) => dims.push(size as u64),
                            _ => {
                                return Err(Error::message(
                                    ErrorKind::AsmText,
                                    "a size of the vector is not above zero",
                                ));
                            }
                        }
                    }
                }
                _ => {}
            }
        }
        let Some(element) = element else { return Err(no_element(r#type)) };
        let short = |text: Bytes| String::from_utf8(text.to_vec()).ok();
        let text = || element.text().filter(|text| text.len() <= SHORT_ELEMENT).and_then(short);
        let mut nodes = match (number(&element), text) {
            (Some(number), _) => vec![number],
            (None, text) => match text() {
                Some(text) => {
                    let (shape, nodes_held) = Self::parse(&text, held)?;
                    held = nodes_held;
                    shape.nodes
                }
                None => vec![Node::Part(element)],
            },
        };
        nodes.push(Node::Vector { dims, is_scalable, element: nodes.len() as u32 - 1 });
        Ok((Self { nodes }, held))
    }

    /// The memory of the shape.
    pub(crate) fn bytes(&self) -> usize {
        size_of_val(&*self.nodes) + self.nodes.iter().map(Node::owned).sum::<usize>()
    }

    pub(crate) fn root(&self) -> &Node {
        // Every successful parse has a node.
        self.nodes.last().unwrap_or(&Node::Index)
    }

    /// The class of the type; types of one class share entries.
    pub(crate) fn class(&self) -> Class {
        match self.root() {
            Node::Integer(_) => Class::Integer,
            Node::Index => Class::Index,
            Node::Float(float) => Class::Float(float.name),
            Node::LlvmPointer(_) => Class::LlvmPointer,
            Node::LlvmStruct { .. } | Node::Recursive(_) => Class::LlvmStruct,
            Node::LlvmArray { .. } => Class::LlvmArray,
            Node::Pointer(_) => Class::Pointer,
            Node::Complex(_) => Class::Other("complex".to_owned()),
            Node::Vector { .. } => Class::Other("vector".to_owned()),
            Node::Other { class, .. } => Class::Other(class.clone()),
            // A part is never a whole type.
            Node::Part(_) => Class::Other(String::new()),
        }
    }
}

/// The maximum length of the name of a class, for types that are not analysed.
const MAX_NAME: usize = 1000;
/// The maximum length of an element's text that each of its vectors analyses again.
const SHORT_ELEMENT: usize = 256;

/// Returns the dialect and the mnemonic of an encoded type; `None` for types that are analysed, and for types
/// without a mnemonic.
fn name(r#type: &Type) -> Option<String> {
    let view = r#type.0.home.view().ok()?;
    let entry = view.raw(r#type.0.of)?;
    let mnemonic = entry.form(r#type.0.of).ok()??.mnemonic.as_deref()?;
    let is_analysed = entry.dialect == b"llvm" || (entry.dialect, mnemonic) == (b"ptr", "ptr");
    (!is_analysed).then(|| full_name(entry.dialect, mnemonic))
}

/// Returns `dialect.mnemonic`. Many types may have one long dialect name, so the name is cut; the mark
/// prevents confusion with the name of a registered type.
fn full_name(dialect: &[u8], mnemonic: &str) -> String {
    let shown = dialect.get(..4 * MAX_NAME + 4).unwrap_or(dialect);
    let name = format!("{}.{mnemonic}", String::from_utf8_lossy(shown));
    match name.char_indices().nth(MAX_NAME) {
        Some((end, _)) => format!("{}…", &name[..end]),
        None => name,
    }
}

/// Returns the node of a builtin numeric type; `None` for other types.
fn number(r#type: &Type) -> Option<Node> {
    match r#type.number()? {
        Element::Signless(width) | Element::Signed(width) | Element::Unsigned(width) => {
            (width <= MAX_WIDTH).then_some(Node::Integer(width))
        }
        Element::Index => Some(Node::Index),
        Element::Float(semantics) => {
            FLOATS.iter().find(|float| float.name == semantics.name()).map(Node::Float)
        }
        Element::Complex(_) => None,
    }
}

#[cold]
fn no_element(r#type: &Type) -> Error {
    Error::message(ErrorKind::LayoutNone, format!("the element type of `{}` is unknown", brief(&r#type.0)))
}

/// The key of entries.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Class {
    Integer,
    Index,
    Float(&'static str),
    LlvmPointer,
    LlvmStruct,
    LlvmArray,
    Pointer,
    /// `toy.matrix`, or the keyword of a builtin type.
    Other(String),
}

impl Class {
    /// The name of the class, unique among classes.
    pub(crate) fn name(&self) -> String {
        match self {
            Self::Integer => "integer",
            Self::Index => "index",
            Self::Float(name) => name,
            Self::LlvmPointer => "llvm.ptr",
            Self::LlvmStruct => "llvm.struct",
            Self::LlvmArray => "llvm.array",
            Self::Pointer => "ptr.ptr",
            Self::Other(name) => name,
        }
        .to_owned()
    }

    /// Whether MLIR has rules for the class (`mlir/lib/Interfaces/DataLayoutInterfaces.cpp`).
    pub(crate) fn is_builtin(&self) -> bool {
        matches!(self, Self::Integer | Self::Index | Self::Float(_))
    }
}

/// The keywords of builtin types without a rule in MLIR; they are names of classes.
const WITHOUT_RULE: [&str; 5] = ["memref", "tensor", "tuple", "none", "function"];
/// The classes with a rule that are not the name of one type.
const WITH_RULE: [&str; 7] =
    ["integer", "complex", "vector", "llvm.ptr", "llvm.array", "llvm.struct", "ptr.ptr"];

/// Checks that a layout can be registered for types of a class.
///
/// # Errors
/// [`ErrorKind::LayoutFixedRule`] if MLIR has a rule for the class, or the name is not the name of a class.
pub(crate) fn check_class(class: &str) -> Result<()> {
    // Types with a rule are named by their text, and classes of the llvm dialect by their mnemonic.
    let named = Type::parse(class).or_else(|_| Type::parse(format!("!{class}")));
    let has_number =
        named.is_ok_and(|r#type| number(&r#type).is_some() || r#type.to_string() == PPC_FP128.name);
    if has_number || WITH_RULE.contains(&class) {
        let message =
            format!("`{}` has a rule in MLIR, which a registered layout cannot replace", shorten(class));
        return Err(Error::message(ErrorKind::LayoutFixedRule, message));
    }
    let is_class = match class.split_once('.') {
        Some((dialect, mnemonic)) => {
            let is_name = |part: &str| {
                !part.is_empty()
                    && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_$.-".contains(&byte))
            };
            is_name(dialect) && is_name(mnemonic)
        }
        None => WITHOUT_RULE.contains(&class),
    };
    if is_class {
        return Ok(());
    }
    let keywords: Vec<_> = WITHOUT_RULE.iter().map(|name| format!("`{name}`")).collect();
    let expected = format!("a class of types, e.g. `toy.matrix`, or {}", keywords.join(", "));
    Err(Error::new(ErrorKind::LayoutFixedRule, expected, format!("`{}`", shorten(class))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::limits::Limits;

    #[test]
    fn only_classes_without_a_rule_can_be_registered() {
        for class in [
            "f80",
            "i32",
            "si7",
            "index",
            "integer",
            "complex",
            "vector",
            "llvm.ptr",
            "ptr.ptr",
            "llvm.ppc_fp128",
        ] {
            let error = check_class(class).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::LayoutFixedRule, "{class}");
            assert!(error.to_string().contains("has a rule in MLIR"), "{error}");
        }
        for class in ["", "toy", "!toy.t", "toy.", ".t", "toy.t<1>", "vector<2xi8>"] {
            assert!(check_class(class).unwrap_err().to_string().contains("a class of types"), "{class}");
        }
        for class in ["toy.t", "toy.t.u", "memref", "tuple", "llvm.void", "tensor", "function", "none"] {
            check_class(class).unwrap();
        }
    }

    fn nodes(text: &str) -> Vec<Node> {
        let held = Limits::default().budget(text.len() as u64).hold(0).unwrap();
        Shape::parse(text, held).unwrap_or_else(|error| panic!("{text}: {error}")).0.nodes
    }

    #[test]
    fn parts_stand_before_the_whole() {
        assert_eq!(
            nodes("!llvm.struct<packed (i8, array<3 x ptr<2>>)>"),
            [
                Node::Integer(8),
                Node::LlvmPointer(2),
                Node::LlvmArray { count: 3, element: 1 },
                Node::LlvmStruct { is_packed: true, is_literal: true, fields: vec![0, 2] },
            ]
        );
        assert_eq!(
            nodes("vector<2x[4]xf32>")[1],
            Node::Vector { dims: vec![2, 4], is_scalable: true, element: 0 }
        );
    }

    #[test]
    fn a_long_name_of_a_class_is_cut() {
        let long = "d".repeat(100 * MAX_NAME);
        assert_eq!(full_name(long.as_bytes(), "t"), format!("{}…", &long[..MAX_NAME]));
        assert_eq!(full_name(b"toy", "t"), "toy.t");
    }

    #[test]
    fn what_is_not_known_is_kept() {
        let other_node = |class: &str, text: &str| Node::Other { class: class.into(), text: text.into() };
        assert_eq!(
            nodes("!toy.matrix<2x3, \"a>b\">"),
            [other_node("toy.matrix", "!toy.matrix<2x3, \"a>b\">")]
        );
        assert_eq!(nodes("!llvm.struct<(void, i8)>")[0], other_node("llvm.void", "!llvm.void"));
        assert_eq!(nodes("memref<2xmemref<?xi8>>"), [other_node("memref", "memref<2xmemref<?xi8>>")]);
        assert_eq!(nodes("(i8) -> (i8)"), [other_node("function", "(i8) -> (i8)")]);
    }

    #[test]
    fn a_type_of_other_entries_is_not_printed() {
        let budget = Limits::default().budget(0);
        let nodes_of = |text: &str| Shape::of(&Type::parse(text).unwrap(), &budget).unwrap().0.nodes;
        assert_eq!(nodes_of("complex<f32>"), nodes("complex<f32>"));
        assert_eq!(nodes_of("vector<2x[4]xindex>"), nodes("vector<2x[4]xindex>"));
        assert_eq!(nodes_of("vector<2x!toy.t<1>>"), nodes("vector<2x!toy.t<1>>"));
        let long = format!("!toy.t<{}>", "x".repeat(1000));
        let shared = nodes_of(&format!("vector<2x{long}>"));
        assert_eq!(shared[0], Node::Part(Type::parse(&long).unwrap()));
        let whole = nodes_of(&format!("memref<2x{}memref<?xi8>{}>", "memref<1x".repeat(99), ">".repeat(99)));
        assert_eq!(whole, [Node::Other { class: "memref".into(), text: String::new() }]);
    }

    #[test]
    fn a_shape_takes_memory_of_its_budget() {
        let limits = Limits { max_memory: Some(10_000), ..Limits::default() };
        let node_count = |text: &str| {
            Shape::of(&Type::parse(text).unwrap(), &limits.budget(0)).map(|(shape, _)| shape.nodes.len())
        };
        assert_eq!(node_count("!llvm.struct<(i8, i8)>").unwrap(), 3);
        let error = node_count(&format!("!llvm.struct<({}i8)>", "i8, ".repeat(1000))).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::MemoryLimit);
    }

    #[test]
    fn depth_costs_no_stack() {
        let deep = format!("!llvm.{}i8{}", "array<1 x ".repeat(100_000), ">".repeat(100_000));
        assert_eq!(nodes(&deep).len(), 100_001);
    }
}
