//! Walks with a callback, in upstream's orders and with its results.

use ::mlirbc::ir::{BodyId, OpId, PostOrder, PreOrder};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;

use crate::handle::ir::{OpKey, Operation};
use crate::handle::module::Module;
use crate::reuse::{Slot, call_with_one};

/// The members of the Python enumerations.
pub(crate) struct Words {
    pub(crate) advance: Py<PyAny>,
    pub(crate) interrupt: Py<PyAny>,
    skip: Py<PyAny>,
    pre_order: Py<PyAny>,
    post_order: Py<PyAny>,
}

impl Words {
    pub(crate) fn is_pre_order(&self, order: Option<&Bound<'_, PyAny>>) -> PyResult<bool> {
        match order {
            None => Ok(false),
            Some(order) if order.is(&self.pre_order) => Ok(true),
            Some(order) if order.is(&self.post_order) => Ok(false),
            Some(_) => Err(PyTypeError::new_err("expected a WalkOrder as `walk_order`")),
        }
    }
}

pub(crate) fn words(py: Python<'_>) -> PyResult<&'static Words> {
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
pub(crate) enum Answer {
    Advance,
    Interrupt,
    Skip,
}

/// Calls back for an operation.
pub(crate) fn ask(words: &Words, callback: &Bound<'_, PyAny>, op: &Bound<'_, PyAny>) -> PyResult<Answer> {
    let answer = call_with_one(callback, op)?;
    if answer.is_none() || answer.is(&words.advance) {
        Ok(Answer::Advance)
    } else if answer.is(&words.skip) {
        Ok(Answer::Skip)
    } else if answer.is(&words.interrupt) {
        Ok(Answer::Interrupt)
    } else {
        let kind = answer.get_type().name()?;
        Err(PyTypeError::new_err(format!("expected a WalkResult or None from the callback, found {kind}")))
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
    let is_pre_order = words.is_pre_order(walk_order)?;
    for &root in roots {
        let root = root_of(&module.get().inner, body, root)?;
        let steps = match is_pre_order {
            true => WalkIterator::Pre(root.pre_order()),
            false => WalkIterator::Post(root.post_order()),
        };
        let interrupted = visit(module, words, steps, callback)?;
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

/// A walk in either order.
enum WalkIterator<'m> {
    Pre(PreOrder<'m>),
    Post(PostOrder<'m>),
}

impl<'m> WalkIterator<'m> {
    // The next step may decode a body, which happens without the interpreter.
    fn next(&mut self, py: Python<'_>) -> Option<::mlirbc::Result<::mlirbc::Operation<'m>>> {
        match self {
            Self::Pre(walk) if walk.next_is_decoded() => walk.next(),
            Self::Pre(walk) => py.detach(|| walk.next()),
            Self::Post(walk) if walk.next_is_decoded() => walk.next(),
            Self::Post(walk) => py.detach(|| walk.next()),
        }
    }

    // In post-order, the regions were visited before their operation, so nothing is left to skip.
    fn skip_regions(&mut self) {
        if let Self::Pre(walk) = self {
            walk.skip_regions();
        }
    }
}

// Returns whether the callback ended the walk.
fn visit(
    module: &Bound<'_, Module>,
    words: &Words,
    mut steps: WalkIterator<'_>,
    callback: &Bound<'_, PyAny>,
) -> PyResult<bool> {
    let (py, this) = (module.py(), module.get());
    let slots = [Slot::new(), Slot::new()];
    while let Some(op) = steps.next(py) {
        let op = op.map_err(|error| this.raise(py, error))?;
        let key = OpKey::new(op.columns(), op.body_id(), op.id());
        let make = |is_cached| Bound::new(py, Operation::with_key(module.clone().unbind(), key, is_cached));
        let handle = Slot::first_free(py, &slots, key, make)?;
        match ask(words, callback, handle.as_any())? {
            Answer::Advance => {}
            Answer::Skip => steps.skip_regions(),
            Answer::Interrupt => return Ok(true),
        }
    }
    Ok(false)
}
