//! The types of the values of a file and their shapes, each read once.
//!
//! Many operations may share one large type, so a rule must not visit the type again for each operation.
//! Rules use the facts that are kept here, and compare shapes by their numbers.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use crate::attr::Type;
use crate::format::id::TypeId;
use crate::ir::Module;
use crate::wire::error::{Error, ErrorKind, Result};
use crate::wire::limits::HeldMemory;

use super::type_traits::Typed;

/// A shape, with a number that equal shapes share.
#[derive(Debug, Clone)]
pub(super) struct Shape {
    number: u32,
    sizes: Rc<[i64]>,
    is_static: bool,
}

impl PartialEq for Shape {
    fn eq(&self, other: &Self) -> bool {
        self.number == other.number
    }
}

/// The shapes of a file, and which pairs are compatible.
#[derive(Debug, Default)]
pub(super) struct Shapes {
    numbers: HashMap<Rc<[i64]>, u32>,
    // Each key is a pair of numbers, the smaller first.
    compatible: RefCell<HashMap<(u32, u32), bool>>,
}

/// The bytes that an entry of a map takes besides its key and value.
const ENTRY: usize = 16;

impl Shapes {
    fn intern(&mut self, sizes: &[i64]) -> Shape {
        let is_static = sizes.iter().all(|&size| size >= 0);
        if let Some((sizes, &number)) = self.numbers.get_key_value(sizes) {
            return Shape { number, sizes: sizes.clone(), is_static };
        }
        let sizes: Rc<[i64]> = sizes.into();
        let number = u32::try_from(self.numbers.len()).unwrap_or(u32::MAX);
        self.numbers.insert(sizes.clone(), number);
        Shape { number, sizes, is_static }
    }

    /// Whether two shapes have the same rank, and equal sizes where both are static.
    pub(super) fn are_compatible(&self, left: &Shape, right: &Shape) -> bool {
        if left == right {
            return true;
        }
        if (left.is_static && right.is_static) || left.sizes.len() != right.sizes.len() {
            return false;
        }
        let key = (left.number.min(right.number), left.number.max(right.number));
        *self.compatible.borrow_mut().entry(key).or_insert_with(|| {
            let is_dynamic = |size: i64| size < 0;
            let mut sizes = left.sizes.iter().zip(right.sizes.iter());
            sizes.all(|(&left, &right)| left == right || is_dynamic(left) || is_dynamic(right))
        })
    }

    /// The bytes of the pairs that were compared.
    pub(super) fn memory(&self) -> usize {
        self.compatible.borrow().len() * (size_of::<((u32, u32), bool)>() + ENTRY)
    }
}

/// Types by their index in the file.
#[derive(Debug)]
pub(super) struct TypeCache<'m> {
    module: &'m Module,
    types: HashMap<TypeId, Rc<Typed>>,
    // Whether two types of the file with different indices are equal; the smaller index comes first in the
    // key.
    same: HashMap<(u32, u32), bool>,
    pub(super) shapes: Shapes,
    held: HeldMemory,
    bytes: usize,
}

impl<'m> TypeCache<'m> {
    pub(super) fn new(module: &'m Module) -> Result<Self> {
        let held = module.tables().work_budget().hold(0)?;
        let (types, same) = (HashMap::new(), HashMap::new());
        Ok(Self { module, types, same, shapes: Shapes::default(), held, bytes: 0 })
    }

    /// Returns a type of the file and its parts.
    ///
    /// # Errors
    /// If the file has no such type, or the memory limit does not allow it.
    pub(super) fn get(&mut self, index: TypeId) -> Result<Rc<Typed>> {
        if let Some(known) = self.types.get(&index) {
            return Ok(known.clone());
        }
        let Some(r#type) = Type::of_file(self.module.tables(), index)? else {
            let message = format!("the file has no type `{index}`");
            return Err(Error::message(ErrorKind::Index, message));
        };
        let mut typed = Typed::new(index.number(), r#type);
        self.bytes += size_of::<Typed>() + typed.held() + 4 * ENTRY;
        self.held.grow_to(self.bytes)?;
        typed.shape = typed.facts.shape.take().map(|sizes| self.shapes.intern(&sizes));
        let typed = Rc::new(typed);
        self.types.insert(index, typed.clone());
        Ok(typed)
    }

    /// Whether two types of the file are the same. Each pair is compared once.
    ///
    /// # Errors
    /// If the memory limit does not allow it.
    pub(super) fn are_same(&mut self, left: &Typed, right: &Typed) -> Result<bool> {
        if left.index == right.index {
            return Ok(true);
        }
        let key = (left.index.min(right.index), left.index.max(right.index));
        if let Some(&is_same) = self.same.get(&key) {
            return Ok(is_same);
        }
        self.bytes += size_of::<((u32, u32), bool)>() + ENTRY;
        self.held.grow_to(self.bytes)?;
        let is_same = left.r#type == right.r#type;
        self.same.insert(key, is_same);
        Ok(is_same)
    }

    /// Returns a type that is part of another type.
    ///
    /// # Errors
    /// As [`Self::get`].
    pub(super) fn part(&mut self, r#type: &Type) -> Result<Rc<Typed>> {
        match r#type.id() {
            Some(id) => self.get(id),
            // A part of a type that is stored as text is not longer than the text.
            None => Ok(Rc::new(Typed::new(u32::MAX, r#type.clone()))),
        }
    }
}

impl Shape {
    /// The number of dimensions.
    pub(super) fn rank(&self) -> usize {
        self.sizes.len()
    }

    /// The sizes of the dimensions; dynamic sizes are negative.
    pub(super) fn sizes(&self) -> &[i64] {
        &self.sizes
    }

    /// The number of elements, saturated to 64 bits; `None` if a size is dynamic.
    pub(super) fn element_count(&self) -> Option<u64> {
        if !self.is_static {
            return None;
        }
        // A product with a zero is zero, whatever the other factors are.
        if self.sizes.contains(&0) {
            return Some(0);
        }
        Some(self.sizes.iter().fold(1_u64, |product, &size| product.saturating_mul(size.unsigned_abs())))
    }
}
