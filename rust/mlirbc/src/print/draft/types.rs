//! Typed views of types, with their parameters, and the comparison of types.
//!
//! A view reads decoded entries and prints no type. Facts that need the whole of a type are cached by its index, because many
//! operations may share one large type.

use std::collections::HashMap;
use std::rc::Rc;

use crate::attr::text::dense::Element;
use crate::attr::{EntryValues, Handle, Type};
use crate::dialect::entries::EntryRef;
use crate::dialect::node::{Field, Node};
use crate::dialect::table::BuiltinKind;
use crate::format::id::{AttrId, TypeId};
use crate::wire::limits::Budget;

use super::OperationDraft;
use super::type_text::{self, TextSignature, TypePart};

type Memo<K, V> = HashMap<K, V, foldhash::fast::RandomState>;

/// Facts that were read from types, by the index of the type: each table has at most one row for each type of the file.
pub(in crate::print) struct TypeViews<'m> {
    budget: Budget,
    pub(in crate::print) tuples: Memo<TypeId, Option<usize>>,
    shaped: Memo<TypeId, Option<ShapedType>>,
    parameters: Memo<TypeId, Option<Rc<[TypePart<'m>]>>>,
    signatures: Memo<TypeId, Option<Rc<TextSignature<'m>>>>,
    dynamic_sizes: Memo<TypeId, Option<usize>>,
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
            dynamic_sizes: Memo::default(),
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
            + self.dynamic_sizes.capacity();
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

    /// The class of a builtin type.
    pub(in crate::print) fn builtin_type(&self, index: TypeId) -> BuiltinKind {
        self.file.builtin_kind(EntryRef::Type(index))
    }

    /// A tensor, a memref or a vector.
    pub(in crate::print) fn shaped(&mut self, index: TypeId) -> Option<ShapedType> {
        if let Some(known) = self.views.shaped.get(&index) {
            return *known;
        }
        let container = container(self.builtin_type(index))?;
        let shaped = self.read_shaped(index, container);
        self.views.shaped.insert(index, shaped);
        shaped
    }

    fn read_shaped(&self, index: TypeId, container: Container) -> Option<ShapedType> {
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
            first,
            element: node.r#type(field("elementType"))?.number(),
        })
    }

    /// The type of the elements of a builtin shaped type.
    pub(in crate::print) fn element_type(&mut self, index: TypeId) -> Option<u32> {
        self.shaped(index).map(|shaped| shaped.element)
    }

    /// The sizes of a builtin shaped type, `i64::MIN` for dynamic ones, and the encoding of a tensor.
    pub(in crate::print) fn shape(&self, index: TypeId) -> Option<(Vec<i64>, Option<u32>)> {
        container(self.builtin_type(index))?;
        let entry_ref = EntryRef::Type(index);
        let mut node = Node::default();
        let (form, layout) = self.file.raw(entry_ref)?.decode(entry_ref, self.file, &mut node).ok()??;
        let layout = form.layouts.get(layout)?;
        let encoding = layout.index("encoding").and_then(|field| node.attribute(field));
        let dims = node.items(layout.index("shape")?).iter().map(|&dim| size(dim));
        Some((dims.collect(), encoding.map(AttrId::number)))
    }

    /// Whether a type is a tensor without an encoding that has these sizes and elements.
    pub(in crate::print) fn is_tensor_of(&mut self, index: TypeId, sizes: &[i64], element: TypeId) -> bool {
        self.shaped(index).is_some_and(|shaped| {
            (shaped.container, shaped.rank) == (Container::Tensor, Some(sizes.len()))
                && self.shape(index).is_some_and(|(found, encoding)| found == sizes && encoding.is_none())
                && self.is_same_type(TypeId::new(shaped.element), element)
        })
    }

    // ---- types of dialects ----

    /// Whether a type is `!name`, with parameters or without.
    pub(in crate::print) fn is_dialect_type(&self, index: TypeId, name: &str) -> bool {
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
    pub(in crate::print) fn declared_pointer(&self, index: TypeId) -> Option<&'static str> {
        self.reads_others.set(true);
        self.releases.pointers().find(|name| self.is_dialect_type(index, name))
    }

    pub(in crate::print) fn stored_text(&self, index: TypeId) -> Option<&'m str> {
        std::str::from_utf8(self.file.raw(EntryRef::Type(index))?.text()?).ok()
    }

    // The parameters of a type that the file stores as text.
    pub(in crate::print) fn parameters(&mut self, index: TypeId, name: &str) -> Option<Rc<[TypePart<'m>]>> {
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
        index: TypeId,
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
    pub(in crate::print) fn llvm_function(&mut self, index: TypeId) -> Option<Rc<TextSignature<'m>>> {
        let is_function = self.is_dialect_type(index, "llvm.func");
        is_function.then(|| self.signature(index, type_text::llvm_signature)).flatten()
    }

    /// The parts of `!spirv.arm.graph<(a) -> b>`.
    pub(in crate::print) fn spirv_graph(&mut self, index: TypeId) -> Option<Rc<TextSignature<'m>>> {
        let is_graph = self.is_dialect_type(index, "spirv.arm.graph");
        is_graph.then(|| self.signature(index, type_text::graph_signature)).flatten()
    }

    pub(in crate::print) fn spirv_pointer(&mut self, index: TypeId) -> Option<SpirvPointer<'m>> {
        self.parameters(index, "spirv.ptr")?.try_into().ok().map(SpirvPointer)
    }

    /// The class of a reference of the virtual machine.
    pub(in crate::print) fn vm_reference(&mut self, index: TypeId) -> Option<VmReference> {
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

    /// How many values follow a type.
    pub(in crate::print) fn dynamic_sizes(&mut self, index: TypeId) -> Option<usize> {
        let file = self.file;
        *self.views.dynamic_sizes.entry(index).or_insert_with(|| file.dynamic_sizes(index))
    }

    // ---- comparison ----

    fn handle(&self, index: TypeId) -> Option<Handle> {
        Type::of_file(self.module.tables(), index).ok().flatten().map(|r#type| r#type.0)
    }

    /// Whether two types are the same: a file may have a type twice.
    pub(in crate::print) fn is_same_type(&self, left: TypeId, right: TypeId) -> bool {
        left == right || self.handle(left).zip(self.handle(right)).is_some_and(|(left, right)| left == right)
    }

    /// Whether a part of the text of another type is this type.
    pub(in crate::print) fn is_part(&mut self, part: &TypePart<'_>, index: TypeId) -> bool {
        if let Some(number) = part.number() {
            return self.file.number_type(index) == Some(number);
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

    /// The text of the type that a pack declares by the text around another type; `None` for other rules and long types.
    pub(in crate::print) fn computed_type(&mut self, source: TypeId, rule: &str) -> Option<String> {
        const LONGEST: usize = 256;
        let (before, after) = rule.split_once("{}")?;
        let text = self.plain.short_type(source, LONGEST)?;
        Some([before, &text, after].concat())
    }

    /// Whether a type is the one with this text, which definitions and other types name.
    pub(in crate::print) fn is_constant_type(&mut self, index: TypeId, text: &str) -> bool {
        if let Some(number) = Element::from_name(text.as_bytes()) {
            return self.file.number_type(index) == Some(number);
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
