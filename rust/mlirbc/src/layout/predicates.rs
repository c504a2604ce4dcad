//! Yes-or-no questions about a type.

use crate::attr::Type;
use crate::wire::error::{ErrorClass, ErrorKind, Result};

use super::DataLayout;
use super::rules::deeper;
use super::shape::{Node, Shape};

impl DataLayout {
    /// Whether a type has a size and alignments.
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
    #[doc(hidden)]
    pub fn has_layout(&self, r#type: &Type) -> Result<bool> {
        let answers = || {
            self.type_size_in_bits(r#type)?;
            self.type_abi_alignment(r#type)?;
            self.type_preferred_alignment(r#type)
        };
        match answers() {
            Ok(_) => Ok(true),
            // A failing registered layout does not mean that the type has no layout.
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
    #[doc(hidden)]
    pub fn is_memory_reference(&self, r#type: &Type) -> Result<bool> {
        self.row(r#type).is_memory_reference(self)
    }
}

/// Types of MLIR whose values are addresses, beside the pointers that a layout has rules for.
const REFERENCES: [&str; 3] = ["memref", "emitc.ptr", "spirv.ptr"];

/// Whether values of a type are references to memory.
pub(super) fn is_memory_reference(shape: &Shape, r#type: &Type, layout: &DataLayout) -> Result<bool> {
    Ok(match shape.root() {
        Node::LlvmPointer(_) | Node::Pointer(_) => true,
        Node::Other { class, .. } if REFERENCES.contains(&&**class) => true,
        Node::Other { class, .. } => match layout.registrations().get(class) {
            Some(known) => deeper(r#type, || known.is_memory_reference(r#type))?,
            None => false,
        },
        _ => false,
    })
}
