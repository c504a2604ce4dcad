//! Observers of the fields that a cursor reads.
//!
//! Owns [`Trace`], a type parameter of the readers of the format, and [`NoTrace`], which compiles to nothing.
//! The readers are therefore the only description of the bytes: a dump lists the fields that they read.

use std::cell::RefCell;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::wire::error::{Error, ErrorClass, ErrorKind, Result};

/// The part of the value of a field that its bytes determine without other parts of the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FieldValue {
    /// A byte or a varint.
    Number(u64),
    /// A varint whose lowest bit is a flag.
    Flagged(u64, bool),
    /// A zigzag varint.
    Signed(i64),
    /// An index into a named table.
    Index(&'static str, u64),
    /// An index into a table, and a flag.
    FlaggedIndex(&'static str, u64, bool),
    /// Bytes without structure.
    Bytes,
    /// Bytes up to a zero byte.
    Text,
    /// Bytes that only align the bytes after them.
    Padding,
}

/// A range of bytes that a single read covers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field {
    /// The offset of the first byte.
    pub offset: u64,
    /// The offset after its last byte.
    pub end: u64,
    /// The name in the grammar of the format, or in the table of a dialect.
    pub name: String,
    /// The value.
    pub value: FieldValue,
}

/// Receives fields and their groups, in the order of the bytes.
pub trait FieldVisitor {
    /// A group starts at `offset`: a section, an entry, an operation.
    fn begin(&mut self, name: &str, offset: u64);
    /// Continues the name of the innermost group; called before its first field is passed.
    fn title(&mut self, text: &str);
    /// The innermost group ends before `offset`.
    fn end(&mut self, offset: u64);
    /// A field that is not empty.
    fn field(&mut self, field: &Field);
    /// The next bytes, or the last field, break a rule of the format.
    fn fault(&mut self, error: &Error);
    /// Whether the fields in `offset..end` are of interest; otherwise they are one field.
    fn wants(&mut self, _offset: u64, _end: u64) -> bool {
        true
    }
    /// Whether the visitor is interested in no more fields.
    fn is_done(&self) -> bool {
        false
    }
}

/// Observes a [`Cursor`](super::Cursor).
pub trait Trace: Copy {
    /// Whether the trace observes fields at all.
    const OBSERVES: bool = true;
    /// The bytes in `offset..end` were read.
    #[inline(always)]
    fn field(self, _offset: u64, _end: u64, _value: FieldValue) {}
    /// The meaning of the last read is now known.
    #[inline(always)]
    fn refine(self, _value: FieldValue) {}
    /// The next field has this name.
    #[inline(always)]
    fn label(self, _name: &str) {}
    /// The next field has this name, unless it already has a name.
    #[inline(always)]
    fn label_by_default(self, _prefix: &str, _name: &str) {}
    /// A group starts.
    #[inline(always)]
    fn begin(self, _name: &str, _offset: u64) {}
    /// The innermost group ends.
    #[inline(always)]
    fn end(self, _offset: u64) {}
    /// Whether anything observes the reader.
    #[inline(always)]
    fn is_on(self) -> bool {
        false
    }
}

/// Observes nothing.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoTrace;

impl Trace for NoTrace {
    const OBSERVES: bool = false;
}

/// Passes fields to a visitor. A field is passed when the next field begins, because it may be refined until
/// then.
pub(crate) struct Recorder<'v> {
    state: RefCell<State<'v>>,
    /// Set when the visitor is done.
    pub(crate) is_done: AtomicBool,
}

struct State<'v> {
    visitor: &'v mut dyn FieldVisitor,
    last: Field,
    label: String,
    open: usize,
    end: u64,
}

impl<'v> Recorder<'v> {
    /// Creates a recorder of fields from `offset` on.
    pub(crate) fn new(visitor: &'v mut dyn FieldVisitor, offset: u64) -> Self {
        let last = Field { offset, end: offset, name: String::new(), value: FieldValue::Bytes };
        let state = RefCell::new(State { visitor, last, label: String::new(), open: 0, end: offset });
        Self { state, is_done: AtomicBool::new(false) }
    }

    /// The end of the bytes that were read.
    pub(crate) fn position(&self) -> u64 {
        self.state.borrow().end
    }

    /// The number of open groups.
    pub(crate) fn depth(&self) -> usize {
        self.state.borrow().open
    }

    /// Continues the name of the innermost group.
    pub(crate) fn title(&self, text: &str) {
        self.state.borrow_mut().visitor.title(text);
    }

    /// Whether the visitor is interested in a range.
    pub(crate) fn wants(&self, offset: u64, end: u64) -> bool {
        let state = &mut *self.state.borrow_mut();
        state.flush();
        !self.is_done.load(Ordering::Relaxed) && state.visitor.wants(offset, end)
    }

    /// Passes an error in the file.
    ///
    /// # Errors
    /// Any other error: in the source, at a limit, or by an interruption.
    pub(crate) fn fault(&self, error: Error) -> Result<()> {
        let is_temporary = matches!(error.class(), ErrorClass::Io | ErrorClass::Interrupted);
        if is_temporary || matches!(error.kind(), ErrorKind::Shrunk | ErrorKind::MemoryLimit) {
            return Err(error);
        }
        let state = &mut *self.state.borrow_mut();
        state.flush();
        state.visitor.fault(&error);
        Ok(())
    }

    /// Passes the last field.
    pub(crate) fn finish(&self) {
        self.state.borrow_mut().flush();
    }

    /// Ends groups until `depth` are open.
    pub(crate) fn close(&self, depth: usize) {
        while self.depth() > depth {
            self.end(self.position());
        }
    }
}

impl State<'_> {
    fn flush(&mut self) {
        if self.last.end > self.last.offset {
            self.visitor.field(&self.last);
        }
        self.last.offset = self.last.end;
    }
}

impl Trace for &Recorder<'_> {
    fn field(self, offset: u64, end: u64, value: FieldValue) {
        let state = &mut *self.state.borrow_mut();
        state.flush();
        if state.visitor.is_done() {
            self.is_done.store(true, Ordering::Relaxed);
        }
        state.last.name.clear();
        state.last.name.push_str(if state.label.is_empty() { "data" } else { &state.label });
        state.label.clear();
        (state.last.offset, state.last.end, state.last.value) = (offset, end, value);
        state.end = end;
    }

    fn refine(self, value: FieldValue) {
        self.state.borrow_mut().last.value = value;
    }

    fn label(self, name: &str) {
        let label = &mut self.state.borrow_mut().label;
        label.clear();
        label.push_str(name);
    }

    fn label_by_default(self, prefix: &str, name: &str) {
        let label = &mut self.state.borrow_mut().label;
        if label.is_empty() {
            label.push_str(prefix);
            label.push_str(name.strip_prefix("a ").or_else(|| name.strip_prefix("an ")).unwrap_or(name));
        }
    }

    fn begin(self, name: &str, offset: u64) {
        let state = &mut *self.state.borrow_mut();
        state.flush();
        state.label.clear();
        state.open += 1;
        state.visitor.begin(name, offset);
    }

    fn end(self, offset: u64) {
        let state = &mut *self.state.borrow_mut();
        state.flush();
        state.label.clear();
        state.open = state.open.saturating_sub(1);
        state.visitor.end(offset);
    }

    fn is_on(self) -> bool {
        true
    }
}

impl std::fmt::Debug for Recorder<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Recorder").field("end", &self.position()).finish_non_exhaustive()
    }
}
