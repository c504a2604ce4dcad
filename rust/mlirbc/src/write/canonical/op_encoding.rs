//! How operations that look alike are encoded in the written file: their name, dictionary and properties.

use crate::dialect::declared::Declared;
use crate::props::PropertyValue;
use crate::wire::loss::LossKind;

/// What ops that look alike have in common; indices are those of the pool.
#[derive(Debug)]
pub(crate) struct OpEncoding {
    pub(crate) name: u32,
    pub(crate) dictionary: Option<u32>,
    pub(crate) properties: Option<EncodedProperties>,
    pub(crate) losses: Vec<LossKind>,
    /// The dictionary and the properties in the file.
    pub(crate) in_file: (Option<u32>, Option<u32>),
    /// Groups of operands that the file does not have; -1 is however many are left.
    pub(crate) operand_groups: Option<Box<[i32]>>,
}

impl OpEncoding {
    /// Bytes of memory, with its places in the tables that find it by its parts and by its blob.
    pub(crate) fn memory(&self) -> usize {
        let values = match &self.properties {
            Some(EncodedProperties::Known { values, .. }) => size_of_val(&**values),
            Some(EncodedProperties::Declared(declared)) => {
                size_of::<Declared>() + size_of_val(declared.node.all())
            }
            _ => 0,
        };
        PER_ENCODING + values + self.losses.capacity() * size_of::<LossKind>()
    }
}

const PER_ENCODING: usize = size_of::<OpEncoding>() + 4 * size_of::<(u32, u32, u32, u32)>();

/// The properties of an op.
#[derive(Debug, Clone)]
pub(crate) enum EncodedProperties {
    /// The one attribute of an op that the writer does not know.
    Attribute(u32),
    /// A value for each field in the order of the wire; the op's row in the target's schema.
    Known { op: u32, values: Box<[PropertyValue]> },
    /// By a scheme that the dialect declares.
    Declared(Box<Declared>),
}
