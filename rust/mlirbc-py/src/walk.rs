//! Walking with a callback, in upstream's orders and with its results.

use ::mlirbc::ir::{BodyId, OpId};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;

use crate::module::Module;
use crate::operation::{OpKey, Operation};
use crate::reuse::Slot;

/// The members of the Python enumerations.
struct Words {
    advance: Py<PyAny>,
    interrupt: Py<PyAny>,
    skip: Py<PyAny>,
    pre_order: Py<PyAny>,
    post_order: Py<PyAny>,
}

fn words(py: Python<'_>) -> PyResult<&'static Words> {
    static WORDS: PyOnceLock<Words> = PyOnceLock::new();
    WORDS.get_or_try_init(py, || {
        let module = py.import("mlirbc._walk")?;
        let (result, order) = (module.getattr("WalkResult")?, module.getattr("WalkOrder")?);
        Ok(Words {
            advance: result.getattr("ADVANCE")?.unbind(),
            interrupt: result.getattr("INTERRUPT")?.unbind(),
            skip: result.getattr("SKIP")?.unbind(),
            pre_order: order.getattr("PRE_ORDER")?.unbind(),
            post_order: order.getattr("POST_ORDER")?.unbind(),
        })
    })
}

#[derive(PartialEq)]
enum Answer {
    Advance,
    Interrupt,
    Skip,
}

fn ask(
    py: Python<'_>,
    words: &Words,
    callback: &Bound<'_, PyAny>,
    op: Bound<'_, Operation>,
) -> PyResult<Answer> {
    let answer = callback.call1((op,))?;
    if answer.is_none() || answer.is(&words.advance) {
        Ok(Answer::Advance)
    } else if answer.is(&words.skip) {
        Ok(Answer::Skip)
    } else if answer.is(&words.interrupt) {
        Ok(Answer::Interrupt)
    } else {
        let kind = answer.get_type().name()?;
        let _ = py;
        Err(PyTypeError::new_err(format!("the callback returned {kind}, not a WalkResult or None")))
    }
}

/// Walks `roots`, ops of one body, and everything inside them.
pub(crate) fn walk(
    module: &Bound<'_, Module>,
    body: BodyId,
    roots: &[OpId],
    callback: &Bound<'_, PyAny>,
    walk_order: Option<&Bound<'_, PyAny>>,
) -> PyResult<Py<PyAny>> {
    let py = module.py();
    let words = words(py)?;
    let is_pre_order = match walk_order {
        None => false,
        Some(order) if order.is(&words.pre_order) => true,
        Some(order) if order.is(&words.post_order) => false,
        Some(_) => return Err(PyTypeError::new_err("walk_order is a WalkOrder")),
    };
    for &root in roots {
        let interrupted = match is_pre_order {
            true => pre_order(module, words, body, root, callback)?,
            false => post_order(module, words, body, root, callback)?,
        };
        if interrupted {
            return Ok(words.interrupt.clone_ref(py));
        }
    }
    Ok(words.advance.clone_ref(py))
}

fn root_of(module: &::mlirbc::Module, body: BodyId, root: OpId) -> PyResult<::mlirbc::Operation<'_>> {
    ::mlirbc::Operation::from_ids(module, body, root)
        .ok_or_else(|| PyValueError::new_err("the operation is gone"))
}

// The next step may decode a body: that is done without the interpreter, and so are steps that do not.
fn pre_order(
    module: &Bound<'_, Module>,
    words: &Words,
    body: BodyId,
    root: OpId,
    callback: &Bound<'_, PyAny>,
) -> PyResult<bool> {
    let (py, this) = (module.py(), module.get());
    let mut walk = root_of(&this.inner, body, root)?.pre_order();
    let slots = [Slot::new(), Slot::new()];
    loop {
        let next = if walk.next_is_decoded() { walk.next() } else { py.detach(|| walk.next()) };
        let Some(op) = next else { return Ok(false) };
        let op = op.map_err(|error| this.raise(py, error))?;
        let key = OpKey::new(op.columns(), op.body_id(), op.id());
        let make = || Bound::new(py, Operation::with_key(module.clone().unbind(), key));
        let handle = Slot::first_free(py, &slots, key, make)?;
        match ask(py, words, callback, handle)? {
            Answer::Advance => {}
            Answer::Skip => walk.skip_regions(),
            Answer::Interrupt => return Ok(true),
        }
    }
}

fn post_order(
    module: &Bound<'_, Module>,
    words: &Words,
    body: BodyId,
    root: OpId,
    callback: &Bound<'_, PyAny>,
) -> PyResult<bool> {
    let (py, this) = (module.py(), module.get());
    let mut walk = root_of(&this.inner, body, root)?.post_order();
    let slots = [Slot::new(), Slot::new()];
    loop {
        let next = if walk.next_is_decoded() { walk.next() } else { py.detach(|| walk.next()) };
        let Some(op) = next else { return Ok(false) };
        let op = op.map_err(|error| this.raise(py, error))?;
        let key = OpKey::new(op.columns(), op.body_id(), op.id());
        let make = || Bound::new(py, Operation::with_key(module.clone().unbind(), key));
        let handle = Slot::first_free(py, &slots, key, make)?;
        // What is inside was visited before: there is nothing left to skip.
        if ask(py, words, callback, handle)? == Answer::Interrupt {
            return Ok(true);
        }
    }
}
