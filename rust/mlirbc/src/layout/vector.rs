//! The alignment of vectors, which targets decide differently, and the alignment of accesses.

use crate::attr::Type;
use crate::wire::error::{Error, ErrorKind, Result};

use super::{DataLayout, dlti::brief};

/// How vectors are laid out. The default is MLIR's: elements take whole bytes, and a vector is aligned to its
/// size, rounded up to a power of two.
///
/// ```
/// use mlirbc::{Type, layout::{DataLayout, Options, VectorLayout}};
/// let vectors = VectorLayout { most: Some(16), ..VectorLayout::default() };
/// let layout = DataLayout::of_specs(&[], &Options { vectors, ..Options::default() })?;
/// assert_eq!(layout.type_abi_alignment(&Type::parse("vector<16xf32>")?)?, 16);
/// # Ok::<(), mlirbc::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct VectorLayout {
    /// Align vectors like their elements, instead of to their size.
    pub is_of_element: bool,
    /// The largest alignment in bytes, a power of two.
    pub most: Option<u64>,
    /// Multiply the bits of an element, as MLIR does after release 22, instead of its bytes.
    pub is_packed: bool,
}

impl DataLayout {
    /// The alignment in bytes that an access to a value of a type has: that which the operation states, if it
    /// states one, joined with the ABI alignment, which the type guarantees. Both hold, so the larger one does.
    ///
    /// # Errors
    /// If the type has no layout, or an alignment is not a power of two.
    ///
    /// ```
    /// use mlirbc::{Type, layout::{DataLayout, Options}};
    /// let layout = DataLayout::of_specs(&[], &Options::default())?;
    /// let f32 = Type::parse("f32")?;
    /// assert_eq!(layout.access_alignment(&f32, None)?, 4);
    /// assert_eq!(layout.access_alignment(&f32, Some(16))?, 16);
    /// assert_eq!(layout.access_alignment(&f32, Some(1))?, 4);
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn access_alignment(&self, of: &Type, stated: Option<u64>) -> Result<u64> {
        let guaranteed = self.type_abi_alignment(of)?;
        for (what, alignment) in [("type", Some(guaranteed)), ("operation", stated)] {
            if let Some(alignment) = alignment.filter(|alignment| !alignment.is_power_of_two()) {
                let kind = if alignment == 0 { ErrorKind::LayoutZero } else { ErrorKind::Value };
                let message = format!(
                    "the alignment of {alignment} bytes that the {what} states for `{}` is not a power of two",
                    brief(&of.0)
                );
                return Err(Error::message(kind, message));
            }
        }
        Ok(guaranteed.max(stated.unwrap_or(1)))
    }
}
