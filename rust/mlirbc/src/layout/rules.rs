//! Sizes and alignments of the types with rules in MLIR, computed from the effective entries
//! (`mlir/lib/Interfaces/DataLayoutInterfaces.cpp`, `mlir/lib/Dialect/LLVMIR/IR/LLVMTypes.cpp`,
//! `mlir/lib/Dialect/Ptr/IR/PtrTypes.cpp`).

use std::cell::{Cell, OnceCell};
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use crate::attr::{Attribute, Type};
use crate::wire::error::{Error, ErrorClass, ErrorKind, Result};

use super::dlti::{DltiEntry, DltiKey, brief, shorten};
use super::entry;
use super::entry::PointerSpec;
use super::registrations::TypeQuestion;
use super::rfc::{self, Rules};
use super::shape::{Class, FloatType, Node, Shape};
use super::spec::Entry;
use super::vector::{VectorAlignment, VectorLayout};
use super::{DataLayout, TypeSize};

/// The effective entries by the rules that use them; alignments in bits.
#[derive(Debug, Default)]
pub(crate) struct Entries {
    /// Alignments by width; for several types of one width the first entry applies.
    integers: BTreeMap<u32, Alignments>,
    index: Option<u64>,
    floats: HashMap<&'static str, Alignments>,
    /// Pointers of the llvm dialect by address space.
    pointers: HashMap<u64, PointerSpec>,
    structs: Option<Alignments>,
    generic_pointers: HashMap<Attribute, PointerSpec>,
    default_memory_space: Option<Attribute>,
    others: HashMap<String, Vec<DltiEntry>>,
    /// The entries with names under the rules of the RFC, which pass them to types.
    identifiers: Vec<DltiEntry>,
    /// The values that only entries of the RFC state.
    stated: StatedSizes,
}

/// The alignments of a type, in bits.
#[derive(Debug, Clone, Copy, Default)]
struct Alignments {
    abi: u64,
    preferred: u64,
}

/// Sizes and the alignment of `index`, in bits, and the layout of vectors.
#[derive(Debug, Default)]
struct StatedSizes {
    integers: HashMap<u32, u64>,
    floats: HashMap<&'static str, u64>,
    index: Option<Alignments>,
    vectors: Option<VectorLayout>,
}

impl Entries {
    pub(crate) fn new(all: &[Entry], rules: Rules) -> Self {
        let mut this = Self::default();
        for entry in all {
            let DltiEntry { key, value } = &entry.entry;
            if rules == Rules::Rfc && entry.class.is_none() {
                this.identifiers.push(entry.entry.clone());
            }
            let numbers = entry::numbers(value);
            let alignments = Alignments {
                abi: numbers.first().copied().unwrap_or(0),
                preferred: numbers.last().copied().unwrap_or(0),
            };
            let node = entry.shape.as_ref().map(Shape::root);
            let has_rule = |node: &&Node| !matches!(node, Node::Other { .. });
            if let (Some(node), Some(stated)) = (node.filter(has_rule), rfc::numbers(value)) {
                this.add_stated(node, stated);
                continue;
            }
            if let Some(Node::Vector { .. }) = node {
                this.stated.vectors = rfc::vectors(value);
            }
            match (node, key) {
                (Some(Node::Integer(width)), _) => {
                    this.integers.entry(*width).or_insert(alignments);
                }
                (Some(Node::Index), _) => this.index = entry::integer(value),
                (Some(Node::Float(float)), _) => {
                    this.floats.insert(float.name, alignments);
                }
                (Some(Node::LlvmPointer(space)), _) => {
                    if let [size, abi, preferred, ref index @ ..] = numbers[..] {
                        let index = index.first().copied();
                        this.pointers.entry(*space).or_insert(PointerSpec { size, abi, preferred, index });
                    }
                }
                // If several keys describe all structs, the first applies.
                (Some(Node::LlvmStruct { .. }), _) => this.structs = this.structs.or(Some(alignments)),
                (Some(Node::Pointer(space)), _) => {
                    if let Some(spec) = entry::pointer_spec(value) {
                        this.generic_pointers.entry(space.clone()).or_insert(spec);
                    }
                }
                (None, DltiKey::Identifier(name)) if &name[..] == b"dlti.default_memory_space" => {
                    this.default_memory_space = Some(value.clone());
                }
                _ => {}
            }
            if let Some(Class::Other(name)) = &entry.class {
                this.others.entry(name.clone()).or_default().push(entry.entry.clone());
            }
        }
        this
    }

    fn add_stated(&mut self, node: &Node, stated: rfc::Numbers) {
        let rfc::Numbers { size, abi, preferred, index } = stated;
        let alignments = Alignments { abi, preferred };
        match node {
            Node::Integer(width) => {
                self.integers.entry(*width).or_insert(alignments);
                self.stated.integers.entry(*width).or_insert(size.unwrap_or((*width).into()));
            }
            Node::Index => {
                self.index = size;
                self.stated.index = Some(alignments);
            }
            Node::Float(float) => {
                self.floats.insert(float.name, alignments);
                self.stated.floats.insert(float.name, size.unwrap_or(float.bits.into()));
            }
            Node::LlvmPointer(space) => {
                let spec = PointerSpec { size: size.unwrap_or(64), abi, preferred, index };
                self.pointers.entry(*space).or_insert(spec);
            }
            Node::LlvmStruct { .. } => self.structs = self.structs.or(Some(alignments)),
            Node::Pointer(space) => {
                let spec = PointerSpec { size: size.unwrap_or(64), abi, preferred, index };
                self.generic_pointers.entry(space.clone()).or_insert(spec);
            }
            _ => {}
        }
    }

    /// Creates a question to the registered layout of a class.
    pub(crate) fn question<'q>(
        &'q self,
        class: &str,
        r#type: &'q Type,
        layout: &'q DataLayout,
    ) -> TypeQuestion<'q> {
        let entries = self.others.get(class).map_or(&[][..], |entries| entries);
        TypeQuestion { r#type, layout, entries, identifiers: &self.identifiers }
    }

    pub(crate) fn vectors(&self) -> Option<VectorLayout> {
        self.stated.vectors
    }

    /// The alignments of integers of a width: from the entry of the next larger width, or of the largest one.
    fn integer(&self, width: u32) -> Option<Alignments> {
        let wider = self.integers.range(width..).next();
        wider.or_else(|| self.integers.last_key_value()).map(|(_, alignments)| *alignments)
    }

    fn pointer(&self, space: u64) -> PointerSpec {
        let find = |space| self.pointers.get(&space).copied();
        let default = PointerSpec { size: 64, abi: 64, preferred: 64, index: None };
        find(space).or_else(|| find(0)).unwrap_or(default)
    }

    fn generic_pointer(&self, space: &Attribute) -> PointerSpec {
        let find = |space: &Attribute| self.generic_pointers.get(space);
        match find(space).or_else(|| find(self.default_memory_space.as_ref()?)) {
            Some(spec) => *spec,
            // A single byte, as in LLVM 22, although the other numbers describe a 64-bit machine.
            None => PointerSpec { size: 64, abi: 8, preferred: 8, index: None },
        }
    }

    pub(crate) fn index_width(&self) -> u64 {
        self.index.unwrap_or(64)
    }
}

/// The requested results for a type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct RequestedResults {
    pub(crate) bits: bool,
    pub(crate) abi: bool,
    pub(crate) preferred: bool,
}

/// The reason why a part has no layout. Enclosing types usually fail for the same reason, so the error is
/// shared.
#[derive(Debug, Clone)]
struct Refusal(Arc<Error>);

impl From<Error> for Refusal {
    fn from(error: Error) -> Self {
        Self(Arc::new(error))
    }
}

type Answer<T> = std::result::Result<T, Refusal>;

#[derive(Debug, Clone)]
struct Facts {
    bits: Answer<TypeSize>,
    abi: Answer<u64>,
    preferred: Answer<u64>,
}

/// The requested results; results that were not requested are zero.
pub(crate) fn bits(shape: &Shape, r#type: &Type, layout: &DataLayout) -> Result<TypeSize> {
    into_result(
        solve(shape, r#type, layout, RequestedResults { bits: true, ..RequestedResults::default() })?.bits,
    )
}

pub(crate) fn abi(shape: &Shape, r#type: &Type, layout: &DataLayout) -> Result<u64> {
    into_result(
        solve(shape, r#type, layout, RequestedResults { abi: true, ..RequestedResults::default() })?.abi,
    )
}

pub(crate) fn preferred(shape: &Shape, r#type: &Type, layout: &DataLayout) -> Result<u64> {
    into_result(
        solve(shape, r#type, layout, RequestedResults { preferred: true, ..RequestedResults::default() })?
            .preferred,
    )
}

fn into_result<T>(answer: Answer<T>) -> Result<T> {
    answer.map_err(|refusal| Error::clone(&refusal.0))
}

pub(crate) fn index_bitwidth(shape: &Shape, r#type: &Type, layout: &DataLayout) -> Result<Option<u64>> {
    let entries = layout.entries_by_class();
    Ok(match shape.root() {
        Node::Index => Some(entries.index_width()),
        Node::LlvmPointer(space) => {
            let spec = entries.pointer(*space);
            Some(spec.index.unwrap_or(spec.size))
        }
        Node::Pointer(space) => {
            let spec = entries.generic_pointer(space);
            Some(spec.index.unwrap_or(spec.size))
        }
        Node::Other { class, .. } => match layout.registrations().get(class) {
            Some(type_layout) => {
                deeper(r#type, || type_layout.index_bitwidth(&entries.question(class, r#type, layout)))?
            }
            None => None,
        },
        _ => None,
    })
}

thread_local! {
    static DEPTH: Cell<u32> = const { Cell::new(0) };
}

/// Runs a query that may query the layout again, with a depth limit.
pub(super) fn deeper<T>(r#type: &Type, ask: impl FnOnce() -> Result<T>) -> Result<T> {
    nested(|| format!("the registered layout of `{}`", brief(&r#type.0)), ask)
}

/// Calls registered code with a depth limit, because that code may lead to another such call.
pub(crate) fn nested<T>(what: impl FnOnce() -> String, ask: impl FnOnce() -> Result<T>) -> Result<T> {
    const MAX_DEPTH: u32 = 64;
    struct Level(u32);
    impl Drop for Level {
        fn drop(&mut self) {
            DEPTH.set(self.0);
        }
    }
    let level = Level(DEPTH.get());
    if level.0 >= MAX_DEPTH {
        let message = format!("{} queries itself, or more than {MAX_DEPTH} nested layouts", what());
        return Err(Error::message(ErrorKind::DepthLimit, message));
    }
    DEPTH.set(level.0 + 1);
    ask()
}

/// The maximum memory of an error that names a type.
const ERROR_BYTES: usize = 512;

/// Computes the results of parts before the types that contain them.
fn solve(shape: &Shape, r#type: &Type, layout: &DataLayout, asked: RequestedResults) -> Result<Facts> {
    let nodes = &shape.nodes;
    // Errors about parts with their own cached results name the part.
    let named = nodes.iter().filter(|node| matches!(node, Node::Other { .. } | Node::Recursive(_))).count();
    let bytes = nodes.len().saturating_mul(size_of::<Facts>() + size_of::<RequestedResults>());
    let _held = layout.budget().hold(bytes.saturating_add(named.saturating_mul(ERROR_BYTES)))?;
    let mut needs = vec![RequestedResults::default(); nodes.len()];
    if let Some(last) = needs.last_mut() {
        *last = asked;
    }
    for place in (0..nodes.len()).rev() {
        let RequestedResults { bits, abi, preferred } = needs[place];
        let mut need = |part: &u32, more: RequestedResults| {
            let part = &mut needs[*part as usize];
            part.bits |= more.bits;
            part.abi |= more.abi;
            part.preferred |= more.preferred;
        };
        match &nodes[place] {
            Node::Vector { element, .. } if bits || abi || preferred => {
                let alignment = layout.vectors().alignment == VectorAlignment::Element;
                need(
                    element,
                    RequestedResults { bits: true, abi: alignment && abi, preferred: alignment && preferred },
                );
            }
            Node::Complex(element) if bits || abi || preferred => {
                need(element, RequestedResults { bits: true, abi: true, preferred: false });
            }
            Node::LlvmArray { element, .. } => {
                need(element, RequestedResults { bits, abi: abi || bits, preferred })
            }
            Node::LlvmStruct { fields, .. } => {
                // The ABI alignments of the fields also contribute to the preferred alignment.
                let abi = bits || abi || preferred;
                fields.iter().for_each(|field| need(field, RequestedResults { bits, abi, preferred: false }));
            }
            _ => {}
        }
    }
    let mut solver = Solver {
        shape,
        r#type,
        layout,
        entries: layout.entries_by_class(),
        facts: Vec::with_capacity(nodes.len()),
        name: OnceCell::new(),
        too_large: OnceCell::new(),
    };
    for (place, needs) in needs.into_iter().enumerate() {
        let facts = solver.facts(place, needs);
        solver.facts.push(facts);
    }
    solver.facts.pop().ok_or_else(|| Error::message(ErrorKind::AsmText, "the type is empty"))
}

struct Solver<'s> {
    shape: &'s Shape,
    r#type: &'s Type,
    layout: &'s DataLayout,
    entries: &'s Entries,
    facts: Vec<Facts>,
    /// The name of the type in errors, which many of its parts may share.
    name: OnceCell<String>,
    too_large: OnceCell<Refusal>,
}

fn bytes(bits: u64) -> u64 {
    bits.div_ceil(8)
}

impl Solver<'_> {
    fn facts(&self, place: usize, needs: RequestedResults) -> Facts {
        let initial = Facts { bits: Ok(TypeSize::fixed(0)), abi: Ok(0), preferred: Ok(0) };
        if needs == RequestedResults::default() {
            return initial;
        }
        match &self.shape.nodes[place] {
            Node::Integer(width) => self.integer(*width),
            Node::Index if self.entries.stated.index.is_some() => {
                let Alignments { abi, preferred } = self.entries.stated.index.unwrap_or_default();
                let bits = Ok(TypeSize::fixed(self.entries.index_width()));
                Facts { bits, abi: Ok(abi / 8), preferred: Ok(preferred / 8) }
            }
            Node::Index => {
                match u32::try_from(self.entries.index_width()).ok().filter(|width| *width < 1 << 24) {
                    Some(width) => self.integer(width),
                    None => self.all(self.overflow("an index of 2^24 bits or more")),
                }
            }
            Node::Float(float) => self.float(float),
            Node::Complex(element) => self.complex(*element),
            Node::Vector { dims, is_scalable, element } => self.vector(dims, *is_scalable, *element),
            Node::LlvmPointer(space) => {
                let PointerSpec { size, abi, preferred, .. } = self.entries.pointer(*space);
                Facts { bits: Ok(TypeSize::fixed(size)), abi: Ok(abi / 8), preferred: Ok(preferred / 8) }
            }
            Node::Pointer(space) => {
                let PointerSpec { size, abi, preferred, .. } = self.entries.generic_pointer(space);
                Facts { bits: Ok(TypeSize::fixed(size)), abi: Ok(abi / 8), preferred: Ok(preferred / 8) }
            }
            Node::LlvmArray { count, element } => Facts {
                bits: self.array(*count, *element),
                abi: self.part(*element).abi.clone(),
                preferred: self.part(*element).preferred.clone(),
            },
            Node::LlvmStruct { is_packed, fields, .. } => {
                let strictest = self.strictest(fields);
                let Alignments { abi, preferred } = self.entries.structs.unwrap_or_default();
                Facts {
                    bits: if needs.bits { self.struct_size(*is_packed, fields) } else { initial.bits },
                    abi: if *is_packed { Ok(1) } else { strictest.clone().map(|field| field.max(abi / 8)) },
                    preferred: strictest.map(|field| field.max(preferred / 8)),
                }
            }
            Node::Other { class, text } => self.registered_type(place, class, text, needs, initial),
            Node::Part(r#type) => self.shared(r#type, needs, initial),
            Node::Recursive(name) => {
                let message = format!(
                    "`{}` contains itself in {}, so its size is infinite",
                    shorten(name),
                    self.name()
                );
                self.all(Error::message(ErrorKind::LayoutNone, message))
            }
        }
    }

    fn part(&self, place: u32) -> &Facts {
        &self.facts[place as usize]
    }

    fn name(&self) -> String {
        self.name.get_or_init(|| format!("`{}`", brief(&self.r#type.0))).clone()
    }

    fn all(&self, error: impl Into<Refusal>) -> Facts {
        let error = error.into();
        Facts { bits: Err(error.clone()), abi: Err(error.clone()), preferred: Err(error) }
    }

    #[cold]
    fn refused(&self, kind: ErrorKind, what: &'static str) -> Refusal {
        Error::message(kind, format!("{} has {what}", self.name())).into()
    }

    #[cold]
    fn overflow(&self, what: &'static str) -> Refusal {
        self.refused(ErrorKind::LayoutOverflow, what)
    }

    #[cold]
    fn too_large(&self) -> Refusal {
        self.too_large.get_or_init(|| self.overflow("a size of 2^64 bits or more")).clone()
    }

    fn power_of_two(&self, number: u64) -> Answer<u64> {
        match number {
            0 => Ok(0),
            _ => number.checked_next_power_of_two().ok_or_else(|| self.too_large()),
        }
    }

    fn round_up(&self, number: u64, alignment: u64) -> Answer<u64> {
        if alignment == 0 {
            return Err(self.refused(ErrorKind::LayoutZero, "a part with an alignment of zero"));
        }
        number.checked_next_multiple_of(alignment).ok_or_else(|| self.too_large())
    }

    /// Returns the ABI alignment of integers without entries (`getIntegerTypeABIAlignment`).
    fn integer_abi(&self, width: u32) -> u64 {
        if width < 64 { bytes(width.into()).next_power_of_two().min(8) * u64::from(width > 0) } else { 4 }
    }

    fn integer(&self, width: u32) -> Facts {
        let size = self.entries.stated.integers.get(&width).copied().unwrap_or(width.into());
        let bits = Ok(TypeSize::fixed(size));
        match self.entries.integer(width) {
            Some(Alignments { abi, preferred }) => {
                Facts { bits, abi: Ok(abi / 8), preferred: Ok(preferred / 8) }
            }
            None => Facts {
                bits,
                abi: Ok(self.integer_abi(width)),
                preferred: self.power_of_two(bytes(width.into())),
            },
        }
    }

    fn float(&self, float: &FloatType) -> Facts {
        let size = bytes(float.bits.into()).next_power_of_two();
        let (abi, preferred) = match self.entries.floats.get(float.name) {
            Some(Alignments { abi, preferred }) => (abi / 8, preferred / 8),
            None => (size, size),
        };
        let bits = self.entries.stated.floats.get(float.name).copied().unwrap_or(float.bits.into());
        Facts { bits: Ok(TypeSize::fixed(bits)), abi: Ok(abi), preferred: Ok(preferred) }
    }

    /// The alignment rules of complex numbers ignore all entries except the ABI alignment of a float.
    fn complex(&self, element: u32) -> Facts {
        let (width, between, abi) = match &self.shape.nodes[element as usize] {
            Node::Integer(width) => {
                let (bits, _, _) = self.element(element);
                (bits, self.power_of_two(bytes((*width).into())), Ok(self.integer_abi(*width)))
            }
            Node::Float(float) => {
                let size = bytes(float.bits.into()).next_power_of_two();
                let (bits, between, _) = self.element(element);
                (bits, between, Ok(size))
            }
            // Types of dialects are not permitted in MLIR; types without a layout have their own error.
            Node::Other { .. } => self.element(element),
            Node::Part(r#type) if r#type.dialect() != "builtin" => self.element(element),
            _ => {
                return self.all(
                    self.refused(ErrorKind::LayoutNone, "elements that are neither integers nor floats"),
                );
            }
        };
        let (width, abi) = match (width, abi) {
            (Ok(width), Ok(abi)) => (width, abi),
            (Err(error), _) | (_, Err(error)) => return self.all(error),
        };
        let between = match between {
            Ok(between) => between,
            Err(error) => return self.all(error),
        };
        let bits = between
            .checked_mul(8)
            .ok_or_else(|| self.too_large())
            .and_then(|bits| self.round_up(width, bits))
            .and_then(|first| first.checked_add(width).ok_or_else(|| self.too_large()))
            .map(TypeSize::fixed);
        Facts { bits, abi: Ok(abi), preferred: Ok(between) }
    }

    /// Returns the size, and twice the alignment, of an element that is not a number.
    fn element(&self, element: u32) -> (Answer<u64>, Answer<u64>, Answer<u64>) {
        let Facts { bits, abi, .. } = self.part(element);
        let width = bits.clone().and_then(|bits| match bits.fixed_value() {
            Some(width) => Ok(width),
            None => Err(self.refused(ErrorKind::LayoutScalable, "elements of scalable size")),
        });
        (width, abi.clone(), abi.clone())
    }

    fn vector(&self, dims: &[u64], is_scalable: bool, element: u32) -> Facts {
        let policy = self.layout.vectors();
        let size = || -> Answer<u64> {
            let element = self.part(element).bits.clone()?.known_min_value();
            // A vector without a dimension is one element; MLIR crashes.
            let (&inner, outer) = dims.split_last().unwrap_or((&1, &[]));
            let count =
                outer.iter().try_fold(self.power_of_two(inner)?, |count, &size| count.checked_mul(size));
            let element = if policy.is_packed { Some(element) } else { bytes(element).checked_mul(8) };
            let size = count.zip(element).and_then(|(count, element)| count.checked_mul(element));
            size.ok_or_else(|| self.too_large())
        };
        let size = size();
        let most = |alignment: u64| policy.most.map_or(alignment, |most| alignment.min(most));
        let (abi, preferred) = match policy.alignment {
            VectorAlignment::Element => {
                (self.part(element).abi.clone(), self.part(element).preferred.clone())
            }
            VectorAlignment::Bytes(alignment) => (Ok(alignment), Ok(alignment)),
            VectorAlignment::Size => {
                let alignment = size.clone().and_then(|size| self.power_of_two(bytes(size)));
                (alignment.clone(), alignment)
            }
        };
        let bits = size.map(|size| TypeSize::new(size, is_scalable));
        Facts { bits, abi: abi.map(most), preferred: preferred.map(most) }
    }

    fn array(&self, count: u64, element: u32) -> Answer<TypeSize> {
        let Facts { bits, abi, .. } = self.part(element);
        let bits = bits.clone()?;
        if bits.is_scalable() {
            return Err(self.refused(ErrorKind::LayoutScalable, "elements of scalable size"));
        }
        let stride = self.round_up(bytes(bits.known_min_value()), abi.clone()?)?;
        let size = stride.checked_mul(count).and_then(|size| size.checked_mul(8));
        Ok(TypeSize::fixed(size.ok_or_else(|| self.too_large())?))
    }

    fn strictest(&self, fields: &[u32]) -> Answer<u64> {
        fields.iter().try_fold(1, |strictest: u64, field| Ok(strictest.max(self.part(*field).abi.clone()?)))
    }

    fn struct_size(&self, is_packed: bool, fields: &[u32]) -> Answer<TypeSize> {
        let (mut offset, mut is_scalable, mut strictest) = (0_u64, false, 1);
        for field in fields {
            let Facts { bits, abi, .. } = self.part(*field);
            let (size, alignment) = (bits.clone()?, if is_packed { 1 } else { abi.clone()? });
            let bytes = bytes(size.known_min_value());
            offset = self.round_up(offset, alignment)?.checked_add(bytes).ok_or_else(|| self.too_large())?;
            strictest = strictest.max(alignment);
            // The last nonempty field decides whether the size is scalable
            // (`FixedOrScalableQuantity::operator+=` in `llvm/include/llvm/Support/TypeSize.h`): such structs
            // have no meaningful size.
            if bytes > 0 {
                is_scalable = size.is_scalable();
            }
        }
        let bits = self.round_up(offset, strictest)?.checked_mul(8).ok_or_else(|| self.too_large())?;
        Ok(TypeSize::new(bits, is_scalable))
    }

    /// Queries a part with its own cached results.
    fn shared(&self, r#type: &Type, needs: RequestedResults, initial: Facts) -> Facts {
        let (mut facts, mut limit) = (initial, None);
        if needs.bits {
            facts.bits = ask(&mut limit, r#type, || self.layout.type_size_in_bits(r#type));
        }
        if needs.abi {
            facts.abi = ask(&mut limit, r#type, || self.layout.type_abi_alignment(r#type));
        }
        if needs.preferred {
            facts.preferred = ask(&mut limit, r#type, || self.layout.type_preferred_alignment(r#type));
        }
        facts
    }

    fn registered_type(
        &self,
        place: usize,
        class: &str,
        text: &str,
        needs: RequestedResults,
        initial: Facts,
    ) -> Facts {
        let is_root = place + 1 == self.shape.nodes.len();
        let Some(type_layout) = self.layout.registrations().get(class) else {
            let type_name = match is_root {
                true => self.name(),
                false => format!("`{}` in {}", shorten(text), self.name()),
            };
            return self.all(Error::message(ErrorKind::LayoutNone, format!("{type_name} has no layout")));
        };
        let parsed = match is_root {
            true => Ok(self.r#type.clone()),
            false => Type::parse(text),
        };
        let r#type = match &parsed {
            Ok(r#type) => r#type,
            Err(error) => return self.all(error.clone()),
        };
        let question = self.entries.question(class, r#type, self.layout);
        // Results that end at a limit are not cached. Repeating the query at each level would double the
        // number of queries each time.
        let mut limit: Option<Refusal> = None;
        let mut facts = initial;
        if needs.bits {
            facts.bits = ask(&mut limit, r#type, || type_layout.size_in_bits(&question));
        }
        if needs.abi {
            facts.abi = ask(&mut limit, r#type, || type_layout.abi_alignment(&question));
        }
        if needs.preferred {
            facts.preferred = ask(&mut limit, r#type, || type_layout.preferred_alignment(&question));
        }
        facts
    }
}

/// Queries a registered layout, unless an earlier query about the same type ended at a limit.
fn ask<T>(limit: &mut Option<Refusal>, r#type: &Type, question: impl FnOnce() -> Result<T>) -> Answer<T> {
    if let Some(limit) = limit {
        return Err(limit.clone());
    }
    deeper(r#type, question).map_err(|error: Error| {
        let is_limit = error.class() == ErrorClass::Limit;
        let refusal = Refusal::from(error);
        if is_limit {
            *limit = Some(refusal.clone());
        }
        refusal
    })
}
