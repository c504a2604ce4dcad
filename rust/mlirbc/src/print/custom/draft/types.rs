//! Typed views of types: what a decoded entry says, and the comparison of types.
//!
//! Callers ask whether a type is of a kind and get its parameters. No type is printed for this, and what a view reads from
//! all of a type is remembered by the index of the type: operations that share a large type read it once.

use std::collections::HashMap;
use std::rc::Rc;

use crate::attr::text::dense::{self, Element};
use crate::attr::{Handle, Type};
use crate::dialect::entries::EntryRef;
use crate::dialect::node::{Field, Node};
use crate::dialect::table::BuiltinKind;
use crate::format::id::TypeId;
use crate::wire::limits::Budget;

use super::OperationDraft;
use super::type_text::{self, TextSignature, TypePart};

type Memo<K, V> = HashMap<K, V, foldhash::fast::RandomState>;

/// Facts that were read from types, by the index of the type: each table has at most one row for each type of the file.
pub(in crate::print) struct TypeViews<'m> {
    budget: Budget,
    shaped: Memo<u32, Option<ShapedType>>,
    tuples: Memo<u32, Option<usize>>,
    parameters: Memo<u32, Option<Rc<[TypePart<'m>]>>>,
    signatures: Memo<u32, Option<Rc<TextSignature<'m>>>>,
    // Whether the text of a type has the sign of a dynamic dimension.
    question_marks: Memo<u32, bool>,
    // Types by their short texts, which definitions and other types have.
    constants: Memo<Box<str>, Option<Type>>,
    part_bytes: usize,
}

/// The class of a builtin type with elements.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::print) enum Container {
    Tensor,
    MemRef,
    Vector,
}

/// A builtin type with elements.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::print) struct ShapedType {
    pub(in crate::print) container: Container,
    /// `None` for an unranked type.
    pub(in crate::print) rank: Option<usize>,
    /// The number of dynamic dimensions.
    pub(in crate::print) dynamic: usize,
    pub(in crate::print) first: Option<Dimension>,
    /// The type of the elements.
    pub(in crate::print) element: u32,
}

/// A size, which may be scalable in a vector.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::print) struct Dimension {
    pub(in crate::print) size: i64,
    pub(in crate::print) is_scalable: bool,
}

/// The classes of `!vm.ref` that names of values distinguish.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::print) enum VmReference {
    Buffer,
    List,
    Other,
}

/// `!spirv.ptr<pointee, class>`
pub(in crate::print) struct SpirvPointer<'m>(Rc<[TypePart<'m>; 2]>);

impl<'m> SpirvPointer<'m> {
    pub(in crate::print) fn pointee(&self) -> &TypePart<'m> {
        let [pointee, _] = &*self.0;
        pointee
    }

    pub(in crate::print) fn storage_class(&self) -> &'m str {
        let [_, class] = &*self.0;
        class.text()
    }
}

impl<'m> TypeViews<'m> {
    pub(in crate::print) fn new(budget: &Budget) -> Self {
        Self {
            budget: budget.clone(),
            shaped: Memo::default(),
            tuples: Memo::default(),
            parameters: Memo::default(),
            signatures: Memo::default(),
            question_marks: Memo::default(),
            constants: Memo::default(),
            part_bytes: 0,
        }
    }

    /// The memory that it takes.
    pub(in crate::print) fn memory(&self) -> usize {
        const ROW: usize = 2 * (size_of::<(u32, Option<ShapedType>)>() + 1);
        let rows = self.shaped.capacity()
            + self.tuples.capacity()
            + self.parameters.capacity()
            + self.signatures.capacity()
            + self.question_marks.capacity();
        ROW * rows + self.part_bytes
    }

    // A parsed type has tables of its own.
    fn count_parsed(&mut self, text: &str) {
        const TABLES: usize = 1024;
        self.part_bytes += TABLES + 8 * text.len();
    }
}

impl<'m> OperationDraft<'_, 'm, '_> {
    // ---- builtin types ----

    /// The class of a builtin type; [`BuiltinKind::Other`] for types of dialects and for types that are text.
    pub(in crate::print) fn builtin_type(&self, index: u32) -> BuiltinKind {
        let entry_ref = EntryRef::Type(index);
        let form = self.file.raw(entry_ref).and_then(|entry| entry.form(entry_ref).ok().flatten());
        form.map_or(BuiltinKind::Other, |form| form.builtin)
    }

    /// The kind of numbers that a builtin type is, or has two of.
    pub(in crate::print) fn number_type(&self, index: u32) -> Option<Element> {
        let entry = self.file.raw(EntryRef::Type(index))?;
        dense::element(self.file, index).filter(|_| entry.dialect == b"builtin")
    }

    pub(in crate::print) fn is_index(&self, index: u32) -> bool {
        self.number_type(index) == Some(Element::Index)
    }

    /// A tensor, a memref or a vector.
    pub(in crate::print) fn shaped(&mut self, index: u32) -> Option<ShapedType> {
        if let Some(known) = self.views.shaped.get(&index) {
            return *known;
        }
        let container = container(self.builtin_type(index))?;
        let shaped = self.read_shaped(index, container);
        self.views.shaped.insert(index, shaped);
        shaped
    }

    fn read_shaped(&self, index: u32, container: Container) -> Option<ShapedType> {
        let entry_ref = EntryRef::Type(index);
        let mut node = Node::default();
        let (form, layout) = self.file.raw(entry_ref)?.decode(entry_ref, self.file, &mut node).ok()??;
        let layout = form.layouts.get(layout)?;
        let field = |name: &str| layout.index(name).unwrap_or(usize::MAX);
        let dims = node.items(field("shape"));
        // An older layout has the number of scalable dimensions, which are the last ones.
        let is_scalable = node.items(field("scalable")).first() == Some(&Field::Bool(true))
            || !dims.is_empty() && node.number(field("numScalable")) >= dims.len() as u64;
        let first = dims.first().map(|&dim| Dimension { size: size(dim), is_scalable });
        Some(ShapedType {
            container,
            rank: layout.index("shape").map(|_| dims.len()),
            dynamic: dims.iter().filter(|&&dim| size(dim) == i64::MIN).count(),
            first,
            element: node.r#type(field("elementType"))?,
        })
    }

    pub(in crate::print) fn is_tensor(&self, index: u32) -> bool {
        container(self.builtin_type(index)) == Some(Container::Tensor)
    }

    /// The type of the elements of a builtin shaped type.
    pub(in crate::print) fn element_type(&mut self, index: u32) -> Option<u32> {
        self.shaped(index).map(|shaped| shaped.element)
    }

    /// The sizes of a builtin shaped type, `i64::MIN` for dynamic ones, and the encoding of a tensor.
    pub(in crate::print) fn shape(&self, index: u32) -> Option<(Vec<i64>, Option<u32>)> {
        container(self.builtin_type(index))?;
        let entry_ref = EntryRef::Type(index);
        let mut node = Node::default();
        let (form, layout) = self.file.raw(entry_ref)?.decode(entry_ref, self.file, &mut node).ok()??;
        let layout = form.layouts.get(layout)?;
        let encoding = layout.index("encoding").and_then(|field| node.attribute(field));
        let dims = node.items(layout.index("shape")?).iter().map(|&dim| size(dim));
        Some((dims.collect(), encoding))
    }

    /// Whether a type is a vector of one dimension with these elements.
    pub(in crate::print) fn is_vector_of(&mut self, index: u32, first: Dimension, element: u32) -> bool {
        self.shaped(index).is_some_and(|shaped| {
            (shaped.container, shaped.rank, shaped.first) == (Container::Vector, Some(1), Some(first))
                && self.is_same_type(shaped.element, element)
        })
    }

    /// Whether a type is a tensor without an encoding that has these sizes and elements.
    pub(in crate::print) fn is_tensor_of(&mut self, index: u32, sizes: &[i64], element: u32) -> bool {
        self.shaped(index).is_some_and(|shaped| {
            (shaped.container, shaped.rank) == (Container::Tensor, Some(sizes.len()))
                && self.shape(index).is_some_and(|(found, encoding)| found == sizes && encoding.is_none())
                && self.is_same_type(shaped.element, element)
        })
    }

    /// The type of both parts of a complex number.
    pub(in crate::print) fn complex_part(&self, index: u32) -> Option<u32> {
        self.decoded(EntryRef::Type(index), |kind, _, node| {
            (kind == BuiltinKind::ComplexType).then(|| node.r#type(0)).flatten()
        })
    }

    /// How many types a tuple has; `None` for another type.
    pub(in crate::print) fn tuple_len(&mut self, index: u32) -> Option<usize> {
        if self.builtin_type(index) != BuiltinKind::TupleType {
            return None;
        }
        if let Some(known) = self.views.tuples.get(&index) {
            return *known;
        }
        let len = self.decoded(EntryRef::Type(index), |_, _, node| Some(node.items(0).len()));
        self.views.tuples.insert(index, len);
        len
    }

    /// The inputs and results of a function type.
    pub(in crate::print) fn function_type(&self, index: u32) -> Option<(Vec<u32>, Vec<u32>)> {
        self.decoded(EntryRef::Type(index), |kind, _, node| {
            (kind == BuiltinKind::FunctionType).then_some(())?;
            let types = |number| {
                let index = |item: &Field| if let Field::Type(index, _) = item { Some(*index) } else { None };
                node.items(number).iter().map(index).collect::<Option<Vec<u32>>>()
            };
            Some((types(0)?, types(1)?))
        })
    }

    // ---- types of dialects ----

    /// Whether a type is `!name`, with parameters or without.
    pub(in crate::print) fn is_dialect_type(&self, index: u32, name: &str) -> bool {
        let entry_ref = EntryRef::Type(index);
        let Some(entry) = self.file.raw(entry_ref) else { return false };
        match entry.text() {
            Some(text) => type_text::has_name(text, name),
            None => {
                let form = entry.form(entry_ref).ok().flatten();
                name.split_once('.').is_some_and(|(dialect, mnemonic)| {
                    entry.dialect == dialect.as_bytes()
                        && form.is_some_and(|form| form.mnemonic.as_deref() == Some(mnemonic))
                })
            }
        }
    }

    /// The name of a type that points to its first parameter, as a project declares.
    pub(in crate::print) fn declared_pointer(&self, index: u32) -> Option<&'static str> {
        self.reads_others.set(true);
        self.releases.pointers().find(|name| self.is_dialect_type(index, name))
    }

    pub(in crate::print) fn stored_text(&self, index: u32) -> Option<&'m str> {
        std::str::from_utf8(self.file.raw(EntryRef::Type(index))?.text()?).ok()
    }

    // The parameters of a type that the file stores as text.
    pub(in crate::print) fn parameters(&mut self, index: u32, name: &str) -> Option<Rc<[TypePart<'m>]>> {
        if !self.is_dialect_type(index, name) {
            return None;
        }
        if let Some(known) = self.views.parameters.get(&index) {
            return known.clone();
        }
        let text = self.stored_text(index);
        let parts: Option<Rc<[_]>> = text.and_then(|text| type_text::parameters(text, name)).map(Rc::from);
        self.views.part_bytes += size_of_val(parts.as_deref().unwrap_or_default());
        self.views.parameters.insert(index, parts.clone());
        parts
    }

    fn signature(
        &mut self,
        index: u32,
        read: fn(&'m str) -> Option<TextSignature<'m>>,
    ) -> Option<Rc<TextSignature<'m>>> {
        if let Some(known) = self.views.signatures.get(&index) {
            return known.clone();
        }
        let signature = self.stored_text(index).and_then(read).map(Rc::new);
        if let Some(signature) = &signature {
            self.views.part_bytes += size_of_val(&*signature.inputs) + size_of_val(&*signature.results);
        }
        self.views.signatures.insert(index, signature.clone());
        signature
    }

    /// The parts of `!llvm.func<i32 (ptr, ...)>`.
    pub(in crate::print) fn llvm_function(&mut self, index: u32) -> Option<Rc<TextSignature<'m>>> {
        let is_function = self.is_dialect_type(index, "llvm.func");
        is_function.then(|| self.signature(index, type_text::llvm_signature)).flatten()
    }

    /// The parts of `!spirv.arm.graph<(a) -> b>`.
    pub(in crate::print) fn spirv_graph(&mut self, index: u32) -> Option<Rc<TextSignature<'m>>> {
        let is_graph = self.is_dialect_type(index, "spirv.arm.graph");
        is_graph.then(|| self.signature(index, type_text::graph_signature)).flatten()
    }

    pub(in crate::print) fn spirv_pointer(&mut self, index: u32) -> Option<SpirvPointer<'m>> {
        self.parameters(index, "spirv.ptr")?.try_into().ok().map(SpirvPointer)
    }

    /// Whether a pointer of LLVM has no pointee.
    pub(in crate::print) fn is_opaque_pointer(&mut self, index: u32) -> bool {
        self.is_dialect_type(index, "llvm.ptr")
            && match self.parameters(index, "llvm.ptr").as_deref() {
                // The address space stands alone.
                Some([space]) => space.as_integer().is_some(),
                Some([]) | None => true,
                Some(_) => false,
            }
    }

    /// Writes the pointee of a pointer of LLVM.
    pub(in crate::print) fn write_llvm_pointee(&mut self, index: u32) -> Option<()> {
        let parts = self.parameters(index, "llvm.ptr")?;
        parts.first()?.write(self);
        Some(())
    }

    /// The length of `!llvm.array<4 x i8>`; `None` for arrays of other types.
    pub(in crate::print) fn llvm_string_length(&mut self, index: u32) -> Option<u64> {
        let parts = self.parameters(index, "llvm.array")?;
        let [only] = &parts[..] else { return None };
        type_text::array(only.text()).filter(|(_, element)| *element == "i8").map(|(length, _)| length)
    }

    /// Whether a type is a list with this type of elements.
    pub(in crate::print) fn is_list_of(&mut self, list: u32, element: u32) -> Option<bool> {
        let parts = self.parameters(list, "util.list")?;
        let [list_element] = &parts[..] else { return Some(false) };
        Some(self.is_part(list_element, element))
    }

    /// Whether a type is a reference to a local variable of this type.
    pub(in crate::print) fn is_local_reference_to(&mut self, reference: u32, target: u32) -> bool {
        let parts = self.parameters(reference, "wasmssa");
        parts.is_some_and(|parts| parts.first().is_some_and(|part| self.is_part(part, target)))
    }

    /// The width of `!smt.bv<8>`.
    pub(in crate::print) fn bit_vector_width(&mut self, index: u32) -> Option<u64> {
        self.parameters(index, "smt.bv")?.first()?.as_integer()
    }

    /// How many levels the space of an iteration has.
    pub(in crate::print) fn iteration_levels(&mut self, index: u32) -> Option<i64> {
        type_text::levels(self.parameters(index, "sparse_tensor.iter_space")?.last()?.text())
    }

    /// The class of a reference of the virtual machine.
    pub(in crate::print) fn vm_reference(&mut self, index: u32) -> Option<VmReference> {
        const CLASSES: [(&str, VmReference); 2] =
            [("vm.buffer", VmReference::Buffer), ("vm.list", VmReference::List)];
        let class_of =
            |is: &dyn Fn(&str) -> bool| CLASSES.iter().find(|(name, _)| is(name)).map(|(_, class)| *class);
        if let Some(class) = class_of(&|name| self.is_dialect_type(index, name)) {
            return Some(class);
        }
        if !self.is_dialect_type(index, "vm.ref") {
            return None;
        }
        let parts = self.parameters(index, "vm.ref");
        let target = parts.as_deref().and_then(<[_]>::first);
        let class =
            target.and_then(|part| class_of(&|name| type_text::has_name(part.text().as_bytes(), name)));
        Some(class.unwrap_or(VmReference::Other))
    }

    /// How many values follow a type: one for each dynamic dimension, or one for the size of a resource. `None` if it is not
    /// known whether a type of a dialect has dimensions.
    pub(in crate::print) fn dynamic_sizes(&mut self, index: u32) -> Option<usize> {
        if let Some(shaped) = self.shaped(index) {
            return Some(shaped.dynamic);
        }
        if self.takes_size(index) {
            return Some(1);
        }
        if !self.file.raw(EntryRef::Type(index))?.is_text {
            return Some(0);
        }
        let is_unknown = match self.views.question_marks.get(&index) {
            Some(known) => *known,
            None => {
                let is_unknown = self.stored_text(index)?.contains('?');
                self.views.question_marks.insert(index, is_unknown);
                is_unknown
            }
        };
        (!is_unknown).then_some(0)
    }

    /// Whether the values of a type have a size (`SizeAwareTypeInterface` of IREE).
    pub(in crate::print) fn takes_size(&self, index: u32) -> bool {
        self.is_dialect_type(index, "stream.resource")
    }

    // ---- comparison ----

    fn handle(&self, index: u32) -> Option<Handle> {
        Type::of_file(self.module, TypeId(index)).ok().flatten().map(|r#type| r#type.0)
    }

    /// Whether two types are the same: a file may have a type twice.
    pub(in crate::print) fn is_same_type(&self, left: u32, right: u32) -> bool {
        left == right || self.handle(left).zip(self.handle(right)).is_some_and(|(left, right)| left == right)
    }

    /// Whether a part of the text of another type is this type.
    pub(in crate::print) fn is_part(&mut self, part: &TypePart<'_>, index: u32) -> bool {
        if let Some(number) = part.number() {
            return self.number_type(index) == Some(number);
        }
        if let Some(text) = part.short_text() {
            // Types have few short texts, which are repeated: most often, the file has the type as this text.
            let stored = self.file.raw(EntryRef::Type(index)).and_then(|entry| entry.text());
            return stored == Some(text.as_bytes()) || self.is_constant_type(index, &text);
        }
        if !part.is_parsed() {
            self.views.count_parsed(part.text());
        }
        let parsed = part.parsed(self.views.budget.memory_left());
        parsed.is_some_and(|parsed| self.handle(index).is_some_and(|r#type| parsed.0 == r#type))
    }

    /// Whether a type is the one with this text, which definitions and other types name.
    pub(in crate::print) fn is_constant_type(&mut self, index: u32, text: &str) -> bool {
        if let Some(number) = Element::from_name(text.as_bytes()) {
            return self.number_type(index) == Some(number);
        }
        if !self.views.constants.contains_key(text) {
            self.views.count_parsed(text);
            self.views.constants.insert(text.into(), Type::parse(text).ok());
        }
        let expected = self.views.constants.get(text).and_then(Option::as_ref);
        expected.is_some_and(|expected| self.handle(index).is_some_and(|r#type| expected.0 == r#type))
    }
}

fn container(kind: BuiltinKind) -> Option<Container> {
    match kind {
        BuiltinKind::RankedTensorType | BuiltinKind::UnrankedTensorType => Some(Container::Tensor),
        BuiltinKind::MemRefType | BuiltinKind::UnrankedMemRefType => Some(Container::MemRef),
        BuiltinKind::VectorType => Some(Container::Vector),
        _ => None,
    }
}

fn size(dimension: Field) -> i64 {
    match dimension {
        Field::Signed(size) => size,
        Field::Unsigned(size) => i64::try_from(size).unwrap_or(i64::MAX),
        _ => 0,
    }
}
