//! Reuse of handles that a loop drops immediately, as CPython's `zip` reuses its tuples.
//!
//! A loop over a million operations creates and drops millions of handles, which would take most of its time. A
//! slot keeps one handle; if nothing else refers to it, the next one is the same object with another id. Without
//! the interpreter lock the number of references is not reliable, so every handle is new.

#![allow(unsafe_code)]

use pyo3::PyClass;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::pyclass::boolean_struct::True;
use pyo3::sync::PyOnceLock;

/// A handle whose id can be replaced while nothing else refers to it.
pub(crate) trait Reusable: PyClass<Frozen = True> + Sync {
    /// The fields in which one handle differs from the next.
    type Id: Copy;

    fn set_id(this: &Bound<'_, Self>, id: Self::Id);
}

/// A cached handle.
pub(crate) struct Slot<T>(PyOnceLock<Py<T>>);

impl<T: Reusable> Slot<T> {
    pub(crate) const fn new() -> Self {
        Self(PyOnceLock::new())
    }

    /// Returns the cached handle, whatever its id is.
    #[inline]
    pub(crate) fn cached<'a, 'py>(&'a self, py: Python<'py>) -> Option<&'a Bound<'py, T>> {
        self.0.get(py).map(|handle| handle.bind(py))
    }

    /// Returns a handle with this id: the cached handle if only this slot refers to it, otherwise the result
    /// of `make`. If the owner of the slot is no cached handle itself, the handle is not cached either: a list of
    /// a million operations keeps no other handles, and chains of cached handles have an end.
    #[inline]
    pub(crate) fn get<'py>(
        &self,
        py: Python<'py>,
        is_owner_cached: bool,
        id: T::Id,
        make: impl FnOnce(bool) -> PyResult<Bound<'py, T>>,
    ) -> PyResult<Bound<'py, T>> {
        match is_owner_cached {
            true => Self::first_free(py, std::slice::from_ref(self), id, make),
            false => make(false),
        }
    }

    /// As [`Self::get`], with several slots: a loop variable still holds the last handle when the next one is
    /// needed. The argument of `make` says whether its handle is cached.
    #[inline]
    pub(crate) fn first_free<'py>(
        py: Python<'py>,
        slots: &[Self],
        id: T::Id,
        make: impl FnOnce(bool) -> PyResult<Bound<'py, T>>,
    ) -> PyResult<Bound<'py, T>> {
        if cfg!(Py_GIL_DISABLED) {
            return make(false);
        }
        for slot in slots {
            match slot.0.get(py) {
                Some(kept) if is_only_ours(kept.bind(py)) => {
                    T::set_id(kept.bind(py), id);
                    return Ok(kept.bind(py).clone());
                }
                Some(_) => {}
                None => {
                    let handle = make(true)?;
                    // If another thread was faster, its handle is cached, and this one is returned uncached.
                    let _ = slot.0.set(py, handle.clone().unbind());
                    return Ok(handle);
                }
            }
        }
        make(false)
    }
}

/// Calls with one argument, without a tuple for it.
#[inline]
pub(crate) fn call_with_one<'py>(
    callable: &Bound<'py, PyAny>,
    argument: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    // SAFETY: both are live objects, the list of arguments ends with a null pointer, and the result is a new reference
    // or null with an exception set.
    unsafe {
        let end = std::ptr::null_mut::<ffi::PyObject>();
        let answer = ffi::PyObject_CallFunctionObjArgs(callable.as_ptr(), argument.as_ptr(), end);
        Bound::from_owned_ptr_or_err(callable.py(), answer)
    }
}

#[inline]
fn is_only_ours<T>(kept: &Bound<'_, T>) -> bool {
    // SAFETY: reads the count of a live object while the interpreter lock is held.
    unsafe { ffi::Py_REFCNT(kept.as_ptr()) == 1 }
}
