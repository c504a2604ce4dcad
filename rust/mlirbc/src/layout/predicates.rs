//! Questions about a type with yes or no as the answer.

use crate::attr::Type;
use crate::wire::error::{ErrorClass, ErrorKind, Result};

use super::DataLayout;
use super::rules::deeper;
use super::shape::{Node, Shape};

impl DataLayout {
    /// Whether a type has a layout: its size and alignments have an answer.
    ///
    /// # Errors
    /// If the type cannot be read within the limits, or a registered layout fails.
    ///
    /// ```
    /// use mlirbc::{Type, layout::{DataLayout, Options}};
    /// let layout = DataLayout::of_specs(&[], &Options::default())?;
    /// assert!(layout.has_layout(&Type::parse("!llvm.struct<(i8, ptr)>")?)?);
    /// assert!(!layout.has_layout(&Type::parse("tensor<4xf32>")?)?);
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn has_layout(&self, of: &Type) -> Result<bool> {
        let answers = || {
            self.type_size_in_bits(of)?;
            self.type_abi_alignment(of)?;
            self.type_preferred_alignment(of)
        };
        match answers() {
            Ok(_) => Ok(true),
            // A registered layout that fails is not a type without a layout.
            Err(error)
                if error.class() == ErrorClass::Invalid && error.kind() != ErrorKind::LayoutTypeClass =>
            {
                Ok(false)
            }
            Err(error) => Err(error),
        }
    }

    /// Whether values of a type are references to memory: memrefs, pointers of the dialects `llvm`, `ptr`, `emitc`
    /// and `spirv`, and types whose registered layout says so.
    ///
    /// # Errors
    /// If the type cannot be read, or a registered layout fails.
    ///
    /// ```
    /// use mlirbc::{Type, layout::{DataLayout, Options}};
    /// let layout = DataLayout::of_specs(&[], &Options::default())?;
    /// assert!(layout.is_memory_reference(&Type::parse("memref<4xf32>")?)?);
    /// assert!(!layout.is_memory_reference(&Type::parse("tensor<4xf32>")?)?);
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn is_memory_reference(&self, of: &Type) -> Result<bool> {
        self.row(of).is_memory_reference(self)
    }
}

/// Types of MLIR whose values are addresses, beside the pointers that a layout has rules for.
const REFERENCES: [&str; 3] = ["memref", "emitc.ptr", "spirv.ptr"];

/// Whether values of a type are references to memory.
pub(super) fn is_memory_reference(shape: &Shape, of: &Type, layout: &DataLayout) -> Result<bool> {
    Ok(match shape.root() {
        Node::LlvmPointer(_) | Node::Pointer(_) => true,
        Node::Other { class, .. } if REFERENCES.contains(&&**class) => true,
        Node::Other { class, .. } => match layout.registrations().get(class) {
            Some(known) => deeper(of, || known.is_memory_reference(of))?,
            None => false,
        },
        _ => false,
    })
}
