//! Cached answers: one row for each type, and the memory that they take.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use crate::attr::Type;
use crate::dialect::entries::EntryRef;
use crate::wire::error::{ErrorClass, Result};
use crate::wire::limits::{Budget, Held};

use super::shape::Shape;
use super::{DataLayout, TypeSize, predicates, rules};

/// The cached results for a type.
#[derive(Debug)]
pub(super) struct Row {
    pub(super) of: Type,
    pub(super) shape: Result<(Shape, Held)>,
    pub(super) bits: OnceLock<Result<TypeSize>>,
    pub(super) abi: OnceLock<Result<u64>>,
    pub(super) preferred: OnceLock<Result<u64>>,
    pub(super) index: OnceLock<Result<Option<u64>>>,
}

/// Cached results by type: first by the identity of a type, which is fast to compare, then by structure, then
/// by text.
#[derive(Debug, Default)]
pub(super) struct Cache {
    pub(super) by_place: Mutex<Places>,
    pub(super) by_value: Mutex<HashMap<Type, Arc<Row>>>,
    pub(super) by_text: Mutex<HashMap<Box<str>, Arc<Row>>>,
}

impl Cache {
    pub(super) fn clear(&self) {
        lock(&self.by_place).clear();
        lock(&self.by_value).clear();
        lock(&self.by_text).clear();
    }
}

// The value keeps the tables of the type, so that their address is not reused.
type Places = HashMap<(usize, EntryRef), (Type, Arc<Row>), foldhash::fast::RandomState>;

/// The maximum number of cached results; then the cache is cleared.
pub(super) const KEPT: usize = 1 << 16;

pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Row {
    pub(super) fn new(of: Type, budget: &Budget) -> Self {
        Self {
            shape: Shape::of(&of, budget),
            of,
            bits: OnceLock::new(),
            abi: OnceLock::new(),
            preferred: OnceLock::new(),
            index: OnceLock::new(),
        }
    }

    pub(super) fn bits(&self, layout: &DataLayout) -> Result<TypeSize> {
        once(&self.bits, || rules::bits(self.shape()?, &self.of, layout))
    }

    pub(super) fn abi(&self, layout: &DataLayout) -> Result<u64> {
        once(&self.abi, || rules::abi(self.shape()?, &self.of, layout))
    }

    pub(super) fn preferred(&self, layout: &DataLayout) -> Result<u64> {
        once(&self.preferred, || rules::preferred(self.shape()?, &self.of, layout))
    }

    pub(super) fn index(&self, layout: &DataLayout) -> Result<Option<u64>> {
        once(&self.index, || rules::index_bitwidth(self.shape()?, &self.of, layout))
    }

    pub(super) fn is_memory_reference(&self, layout: &DataLayout) -> Result<bool> {
        predicates::is_memory_reference(self.shape()?, &self.of, layout)
    }

    fn shape(&self) -> Result<&Shape> {
        self.shape.as_ref().map(|(shape, _)| shape).map_err(Clone::clone)
    }
}

/// The cached result. Temporary errors are not cached, and a registered layout that queries its own type does
/// not deadlock.
fn once<T: Clone>(kept: &OnceLock<Result<T>>, answer: impl FnOnce() -> Result<T>) -> Result<T> {
    if let Some(known) = kept.get() {
        return known.clone();
    }
    let found = answer();
    let is_of_the_moment = found
        .as_ref()
        .is_err_and(|error| matches!(error.class(), ErrorClass::Interrupted | ErrorClass::Limit));
    if !is_of_the_moment {
        let _ = kept.set(found.clone());
    }
    found
}
