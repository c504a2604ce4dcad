//! The alignment of vectors, which depends on the target, and the alignment of accesses.

use std::str::FromStr;

use crate::attr::Type;
use crate::wire::error::{Error, ErrorKind, Result};

use super::DataLayout;
use super::dlti::{brief, shorten};

/// How vectors are laid out. The default is MLIR's: elements take whole bytes, and a vector is aligned to its
/// size, rounded up to a power of two.
///
/// ```
/// use mlirbc::{Type, layout::{DataLayout, Options, VectorLayout}};
/// let vectors = VectorLayout { most: Some(16), ..VectorLayout::default() };
/// let layout = DataLayout::of_specs(&[], &Options::default().vectors(vectors))?;
/// assert_eq!(layout.type_abi_alignment(&Type::parse("vector<16xf32>")?)?, 16);
/// # Ok::<(), mlirbc::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct VectorLayout {
    /// How vectors are aligned.
    pub alignment: VectorAlignment,
    /// The largest alignment in bytes, a power of two.
    pub most: Option<u64>,
    /// Multiply the bits of an element, as MLIR does after release 22, instead of its bytes.
    pub is_packed: bool,
}

/// The alignment of vectors.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum VectorAlignment {
    /// The size, rounded up to a power of two, as in MLIR.
    #[default]
    Size,
    /// The alignment of the elements.
    Element,
    /// This number of bytes, a power of two.
    Bytes(u64),
}

/// Parses `size`, `element` or a number of bytes.
///
/// ```
/// use mlirbc::layout::VectorAlignment;
/// assert_eq!("16".parse(), Ok(VectorAlignment::Bytes(16)));
/// assert!("12".parse::<VectorAlignment>().is_err());
/// ```
impl FromStr for VectorAlignment {
    type Err = String;

    fn from_str(text: &str) -> std::result::Result<Self, String> {
        match text {
            "size" => Ok(Self::Size),
            "element" => Ok(Self::Element),
            number => bytes("alignment", number).map(Self::Bytes).map_err(|_| {
                format!(
                    "alignment is `size`, `element` or a power of two of bytes, not `{}`",
                    shorten(number)
                )
            }),
        }
    }
}

/// A power of two.
fn bytes(name: &str, text: &str) -> std::result::Result<u64, String> {
    let number = text.parse().ok().filter(|number: &u64| number.is_power_of_two());
    number.ok_or_else(|| format!("{name} is a power of two of bytes, not `{}`", shorten(text)))
}

/// Parses names and values: `alignment=element,max=16,elements=packed`.
///
/// ```
/// use mlirbc::layout::{VectorAlignment, VectorLayout};
/// let vectors: VectorLayout = "alignment=4,elements=packed".parse()?;
/// assert_eq!((vectors.alignment, vectors.most, vectors.is_packed), (VectorAlignment::Bytes(4), None, true));
/// # Ok::<(), String>(())
/// ```
impl FromStr for VectorLayout {
    type Err = String;

    fn from_str(text: &str) -> std::result::Result<Self, String> {
        let (mut vectors, mut names) = (Self::default(), Vec::new());
        for item in text.split(',') {
            let (name, value) = item.split_once('=').unwrap_or((item, ""));
            match (name, value) {
                ("alignment", value) => vectors.alignment = value.parse()?,
                ("max", value) => vectors.most = Some(bytes(name, value)?),
                ("elements", "bytes") => vectors.is_packed = false,
                ("elements", "packed") => vectors.is_packed = true,
                ("elements", value) => {
                    return Err(format!("elements is `bytes` or `packed`, not `{}`", shorten(value)));
                }
                (name, _) => {
                    return Err(format!(
                        "expected `alignment`, `max` or `elements`, found `{}`",
                        shorten(name)
                    ));
                }
            }
            if names.contains(&name) {
                return Err(format!("`{name}` is given twice"));
            }
            names.push(name);
        }
        Ok(vectors)
    }
}

impl DataLayout {
    /// The alignment in bytes of an access to a value of a type: the larger of the alignment that the
    /// operation states, if any, and the ABI alignment, which the type guarantees.
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
    #[doc(hidden)]
    pub fn access_alignment(&self, r#type: &Type, stated: Option<u64>) -> Result<u64> {
        let guaranteed = self.type_abi_alignment(r#type)?;
        for (what, alignment) in [("type", Some(guaranteed)), ("operation", stated)] {
            if let Some(alignment) = alignment.filter(|alignment| !alignment.is_power_of_two()) {
                let kind = if alignment == 0 { ErrorKind::LayoutZero } else { ErrorKind::Value };
                let message = format!(
                    "the alignment of {alignment} bytes that the {what} states for `{}` is not a power of two",
                    brief(&r#type.0)
                );
                return Err(Error::message(kind, message));
            }
        }
        Ok(guaranteed.max(stated.unwrap_or(1)))
    }
}
