//! Cached results for each type, and their memory.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use crate::attr::Type;
use crate::dialect::entries::EntryRef;
use crate::wire::error::{ErrorClass, Result};
use crate::wire::limits::{Budget, HeldMemory};

use super::shape::Shape;
use super::{DataLayout, TypeSize, predicates, rules};

/// The cached results for a type.
#[derive(Debug)]
pub(super) struct TypeResults {
    pub(super) r#type: Type,
    pub(super) shape: Result<(Shape, HeldMemory)>,
    pub(super) bits: OnceLock<Result<TypeSize>>,
    pub(super) abi: OnceLock<Result<u64>>,
    pub(super) preferred: OnceLock<Result<u64>>,
    pub(super) index: OnceLock<Result<Option<u64>>>,
}

/// Cached results by type: first by the identity of a type, which is fast to compare, then by structure, then
/// by text.
#[derive(Debug, Default)]
pub(super) struct Cache {
    pub(super) by_place: Mutex<ResultsByIdentity>,
    pub(super) by_value: Mutex<HashMap<Type, Arc<TypeResults>>>,
    pub(super) by_text: Mutex<HashMap<Box<str>, Arc<TypeResults>>>,
}

impl Cache {
    pub(super) fn clear(&self) {
        lock(&self.by_place).clear();
        lock(&self.by_value).clear();
        lock(&self.by_text).clear();
    }
}

// The stored type keeps its tables alive, so that their address is not reused.
type ResultsByIdentity = HashMap<(usize, EntryRef), (Type, Arc<TypeResults>), foldhash::fast::RandomState>;

/// The maximum number of cached results; at this number the cache is cleared.
pub(super) const MAX_RESULTS: usize = 1 << 16;

pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl TypeResults {
    pub(super) fn new(r#type: Type, budget: &Budget) -> Self {
        Self {
            shape: Shape::of(&r#type, budget),
            r#type,
            bits: OnceLock::new(),
            abi: OnceLock::new(),
            preferred: OnceLock::new(),
            index: OnceLock::new(),
        }
    }

    pub(super) fn bits(&self, layout: &DataLayout) -> Result<TypeSize> {
        once(&self.bits, || rules::bits(self.shape()?, &self.r#type, layout))
    }

    pub(super) fn abi(&self, layout: &DataLayout) -> Result<u64> {
        once(&self.abi, || rules::abi(self.shape()?, &self.r#type, layout))
    }

    pub(super) fn preferred(&self, layout: &DataLayout) -> Result<u64> {
        once(&self.preferred, || rules::preferred(self.shape()?, &self.r#type, layout))
    }

    pub(super) fn index(&self, layout: &DataLayout) -> Result<Option<u64>> {
        once(&self.index, || rules::index_bitwidth(self.shape()?, &self.r#type, layout))
    }

    pub(super) fn is_memory_reference(&self, layout: &DataLayout) -> Result<bool> {
        predicates::is_memory_reference(self.shape()?, &self.r#type, layout)
    }

    fn shape(&self) -> Result<&Shape> {
        self.shape.as_ref().map(|(shape, _)| shape).map_err(Clone::clone)
    }
}

/// Returns a cached result, or computes it. Temporary errors are not cached, and a registered layout that
/// queries its own type does not deadlock.
fn once<T: Clone>(cell: &OnceLock<Result<T>>, answer: impl FnOnce() -> Result<T>) -> Result<T> {
    if let Some(result) = cell.get() {
        return result.clone();
    }
    let result = answer();
    let is_temporary = result
        .as_ref()
        .is_err_and(|error| matches!(error.class(), ErrorClass::Interrupted | ErrorClass::Limit));
    if !is_temporary {
        let _ = cell.set(result.clone());
    }
    result
}
