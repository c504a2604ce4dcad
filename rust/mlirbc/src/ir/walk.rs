//! Walks an operation and everything inside it, without recursion, decoding bodies on the way.

use crate::wire::error::Result;

use super::body::Body;
use super::id::{BodyId, OpId};
use super::module::Module;
use super::view::Operation;

// A range of rows of one body that remains to be visited.
#[derive(Debug)]
struct Run<'m> {
    body: &'m Body,
    body_id: BodyId,
    next: OpId,
    end: OpId,
}

/// Yields each operation before its contents, which is the order of the file.
///
/// ```
/// let module = mlirbc::Module::from_bytes(mlirbc::doc_example()).unwrap();
/// let mut walk = module.operation().unwrap().pre_order();
/// let mut names = Vec::new();
/// while let Some(op) = walk.next() {
///     let op = op.unwrap();
///     names.push(op.name());
///     if op.name() == "t.r" {
///         walk.skip_regions();
///     }
/// }
/// assert_eq!(names, ["builtin.module", "t.c", "t.r"]);
/// ```
#[derive(Debug)]
pub struct PreOrder<'m> {
    module: &'m Module,
    runs: Vec<Run<'m>>,
    // The last returned op: its regions come next unless they are skipped.
    last: Option<OpId>,
}

impl<'m> PreOrder<'m> {
    pub(crate) fn new(op: Operation<'m>) -> Self {
        let mut walk = Self { module: op.module(), runs: Vec::new(), last: None };
        if let Some(body) = walk.module.decoded_body(op.body_id()) {
            walk.runs.push(Run { body, body_id: op.body_id(), next: op.id(), end: body.end_of(op.id()) });
        }
        walk
    }

    /// Skips the contents of the last returned operation.
    ///
    /// ```
    /// let module = mlirbc::Module::from_bytes(mlirbc::doc_example())?;
    /// let mut walk = module.operation()?.pre_order();
    /// walk.next().unwrap()?;
    /// walk.skip_regions();
    /// assert!(walk.next().is_none());
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn skip_regions(&mut self) {
        if let (Some(op), Some(run)) = (self.last.take(), self.runs.last_mut()) {
            run.next = run.body.end_of(op);
        }
    }

    /// Whether the next step does not decode a body.
    #[doc(hidden)]
    pub fn next_is_decoded(&self) -> bool {
        match (self.last, self.runs.last()) {
            (Some(op), Some(run)) => {
                run.body.child(op).is_none_or(|child| self.module.decoded_body(child.body).is_some())
            }
            _ => true,
        }
    }

    // Enters the isolated regions of the last op, which are a separate body.
    fn enter_last(&mut self) -> Result<()> {
        let (Some(op), Some(run)) = (self.last.take(), self.runs.last()) else { return Ok(()) };
        if let Some(child) = run.body.child(op) {
            let body = self.module.body(child.body)?;
            let end = OpId::new(body.len() as u32);
            self.runs.push(Run { body, body_id: child.body, next: OpId::new(0), end });
        }
        Ok(())
    }
}

impl<'m> Iterator for PreOrder<'m> {
    type Item = Result<Operation<'m>>;

    fn next(&mut self) -> Option<Self::Item> {
        if let Err(error) = self.enter_last() {
            return Some(Err(error));
        }
        loop {
            let run = self.runs.last_mut()?;
            if run.next < run.end {
                let op = run.next;
                run.next = OpId::new(op.number() + 1);
                self.last = Some(op);
                return Some(Ok(Operation::new(self.module, run.body, run.body_id, op)));
            }
            self.runs.pop();
        }
    }
}

/// Yields each operation after its contents.
#[derive(Debug)]
pub struct PostOrder<'m> {
    walk: PreOrder<'m>,
    // Visited ops whose contents are not complete: the number of open ranges, and the op.
    pending: Vec<(usize, Operation<'m>)>,
    ahead: Option<Operation<'m>>,
}

impl<'m> PostOrder<'m> {
    pub(crate) fn new(op: Operation<'m>) -> Self {
        Self { walk: PreOrder::new(op), pending: Vec::new(), ahead: None }
    }

    /// Whether the next step does not decode a body.
    #[doc(hidden)]
    pub fn next_is_decoded(&self) -> bool {
        self.walk.next_is_decoded()
    }

    // Whether `inner`, the next op in pre-order, is inside `outer`.
    fn contains(&self, outer: (usize, Operation<'m>), inner: Operation<'m>) -> bool {
        let (runs, op) = outer;
        if inner.body_id() != op.body_id() {
            // In another body, `inner` is inside exactly if the range of `op` is still open below it.
            return self.walk.runs.len() > runs;
        }
        self.walk.module.decoded_body(op.body_id()).is_some_and(|body| inner.id() < body.end_of(op.id()))
    }
}

impl<'m> Iterator for PostOrder<'m> {
    type Item = Result<Operation<'m>>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if self.ahead.is_none() {
                self.ahead = match self.walk.next() {
                    Some(Ok(op)) => Some(op),
                    Some(Err(error)) => return Some(Err(error)),
                    None => None,
                };
            }
            match (self.ahead, self.pending.last().copied()) {
                (Some(next), Some(outer)) if !self.contains(outer, next) => {
                    self.pending.pop();
                    return Some(Ok(outer.1));
                }
                (Some(next), _) => {
                    self.pending.push((self.walk.runs.len(), next));
                    self.ahead = None;
                }
                (None, Some(outer)) => {
                    self.pending.pop();
                    return Some(Ok(outer.1));
                }
                (None, None) => return None,
            }
        }
    }
}
