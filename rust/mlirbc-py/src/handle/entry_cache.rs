//! Computed results for an attribute or a type, kept in its object.

use std::sync::{Mutex, PoisonError};

use pyo3::prelude::*;
use pyo3::types::{PyList, PyString};

/// The results for one entry. Objects of attributes may be reused for other entries, so the index is compared.
#[derive(Default)]
pub(crate) struct EntryResults {
    index: Option<u32>,
    /// An object that the Python classes computed from the fields.
    pub(crate) object: Option<Py<PyAny>>,
    /// The text, if it is short.
    pub(crate) text: Option<Py<PyString>>,
    /// The sizes of a shaped type.
    pub(crate) shape: Option<Py<PyList>>,
    /// The element type, if it has no parts: chains of kept types would be dropped recursively.
    pub(crate) element: Option<Py<PyAny>>,
}

/// The cache of an object; most objects need none.
#[derive(Default)]
pub(crate) struct EntryCache(Mutex<Option<Box<EntryResults>>>);

impl EntryCache {
    /// Returns a result for the entry.
    #[inline]
    pub(crate) fn get<T>(
        &self,
        index: Option<u32>,
        look: impl FnOnce(&EntryResults) -> Option<T>,
    ) -> Option<T> {
        let cache = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        cache.as_deref().filter(|results| results.index == index).and_then(look)
    }

    /// Keeps a result for the entry.
    pub(crate) fn keep(&self, index: Option<u32>, change: impl FnOnce(&mut EntryResults)) {
        let mut cache = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let outdated = cache.take_if(|results| results.index != index);
        change(cache.get_or_insert_with(|| Box::new(EntryResults { index, ..EntryResults::default() })));
        // Old results are dropped without the lock, because objects may run code when they are dropped.
        drop(cache);
        drop(outdated);
    }
}
