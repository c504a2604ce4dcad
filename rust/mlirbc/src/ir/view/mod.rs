//! Read-only handles: small, copyable, compared by identity.

mod operation;
mod row_iter;
mod structure;
mod value;

pub(crate) use operation::path_of;

use std::fmt;
use std::hash::{Hash, Hasher};

use super::body::Body;
use super::id::{BlockId, BodyId, OpId, RegionId, ValueId};
use super::module::Module;

/// An operation.
///
/// ```
/// let module = mlirbc::Module::from_bytes(mlirbc::doc_example()).unwrap();
/// let op = module.operation().unwrap();
/// assert_eq!(op.name(), "builtin.module");
/// assert!(op.is_isolated_from_above());
/// let inner = op.region(0).unwrap().unwrap().block(0).unwrap().operations().nth(1).unwrap();
/// assert_eq!(inner.name(), "t.r");
/// assert_eq!(inner.parent(), Some(op));
/// ```
#[derive(Clone, Copy)]
pub struct Operation<'m> {
    module: &'m Module,
    body: &'m Body,
    body_id: BodyId,
    id: OpId,
}

/// A region of an operation.
#[derive(Clone, Copy)]
pub struct Region<'m> {
    module: &'m Module,
    body: &'m Body,
    body_id: BodyId,
    id: RegionId,
}

/// A block of a region.
#[derive(Clone, Copy)]
pub struct Block<'m> {
    module: &'m Module,
    body: &'m Body,
    body_id: BodyId,
    id: BlockId,
}

/// A result of an op or an argument of a block.
#[derive(Clone, Copy)]
pub struct Value<'m> {
    module: &'m Module,
    body: &'m Body,
    body_id: BodyId,
    id: ValueId,
}

/// A use of a value: an op and the number of its operand.
#[derive(Clone, Copy)]
pub struct OpOperand<'m> {
    module: &'m Module,
    body: &'m Body,
    body_id: BodyId,
    row: u32,
}

/// Implements equality of handles; a macro because the four types have different fields.
macro_rules! identity {
    ($($name:ident.$id:ident),*) => {$(
        impl PartialEq for $name<'_> {
            fn eq(&self, other: &Self) -> bool {
                std::ptr::eq(self.module, other.module)
                    && self.body_id == other.body_id
                    && self.$id == other.$id
            }
        }

        impl Eq for $name<'_> {}

        impl Hash for $name<'_> {
            fn hash<H: Hasher>(&self, state: &mut H) {
                (std::ptr::from_ref(self.module), self.body_id, self.$id).hash(state);
            }
        }
    )*};
}

identity!(Operation.id, Region.id, Block.id, Value.id, OpOperand.row);

impl fmt::Debug for Operation<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Operation({}, body {}, op {})", self.name(), self.body_id.number(), self.id.number())
    }
}

impl fmt::Debug for Region<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Region(body {}, region {})", self.body_id.number(), self.id.number())
    }
}

impl fmt::Debug for Block<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Block(body {}, block {})", self.body_id.number(), self.id.number())
    }
}

impl fmt::Debug for Value<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = if self.id.is_argument() { "argument" } else { "result" };
        write!(f, "Value(body {}, {kind} {})", self.body_id.number(), self.id.row())
    }
}

impl fmt::Debug for OpOperand<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "OpOperand(body {}, operand {})", self.body_id.number(), self.row)
    }
}
