//! The formats of floating-point types: numbers from bits, and bits from numbers.

use super::text::float::Semantics;
use crate::wire::error::{Error, ErrorKind, Result};

/// The format of a floating-point type.
///
/// ```
/// use mlirbc::attr::float::FloatFormat;
/// let format = FloatFormat::from_name("f8E4M3FN").unwrap();
/// assert_eq!(format.encode(1.5)?, 0x3c);
/// assert_eq!(format.decode(0x3c), 1.5);
/// # Ok::<(), mlirbc::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct FloatFormat(Semantics);

impl From<Semantics> for FloatFormat {
    fn from(semantics: Semantics) -> Self {
        Self(semantics)
    }
}

impl FloatFormat {
    /// The format of the type with this name, such as `bf16`.
    pub fn from_name(name: &str) -> Option<Self> {
        Semantics::from_name(name).map(Self)
    }

    /// The name of the type.
    pub fn name(self) -> &'static str {
        self.0.name()
    }

    /// The number of bits of a value.
    #[doc(hidden)]
    pub fn bits(self) -> u32 {
        self.0.bits()
    }

    /// Returns the number with these bits, rounded if `f64` cannot represent it.
    #[doc(hidden)]
    pub fn decode(self, bits: u128) -> f64 {
        self.0.to_f64(bits)
    }

    /// Returns the bits of the number nearest to `value`, ties to even. A number that is too large becomes an
    /// infinity, a NaN or the largest number: the first of these that the format has.
    ///
    /// # Errors
    /// [`ErrorKind::Value`] for a NaN in a format without one, and for numbers that are not positive in `f8E8M0FNU`.
    #[doc(hidden)]
    pub fn encode(self, value: f64) -> Result<u128> {
        self.0.nearest(value).ok_or_else(|| {
            let expected = if value.is_nan() { "a number" } else { "a positive number" };
            Error::new(ErrorKind::Value, format!("{expected} for {}", self.name()), format!("`{value}`"))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn format(name: &str) -> FloatFormat {
        FloatFormat::from_name(name).unwrap()
    }

    #[test]
    fn every_short_value_is_itself_again() {
        for semantics in Semantics::ALL {
            let format = FloatFormat(semantics);
            if format.bits() > 16 {
                continue;
            }
            for bits in 0..1 << format.bits() {
                let value = format.decode(bits);
                if !value.is_nan() {
                    assert_eq!(format.encode(value).unwrap(), bits, "{} {bits:#x}", format.name());
                }
            }
        }
    }

    #[test]
    fn native_formats_agree_with_the_machine() {
        for number in [0.1, -0.1, 1e-310, 1e308, f64::INFINITY, -0.0, 65519.9, 65520.0, 1e-45, 3e-46] {
            assert_eq!(format("f64").encode(number).unwrap(), number.to_bits().into());
            assert_eq!(format("f64").decode(number.to_bits().into()).to_bits(), number.to_bits());
            assert_eq!(format("f32").encode(number).unwrap(), (number as f32).to_bits().into(), "{number}");
        }
        assert!(format("f32").decode(format("f32").encode(f64::NAN).unwrap()).is_nan());
    }

    #[test]
    fn extended_numbers_have_an_explicit_leading_one() {
        let f80 = format("f80");
        assert_eq!(f80.encode(1.0).unwrap(), 0x3fff << 64 | 1 << 63);
        assert_eq!(f80.encode(f64::NEG_INFINITY).unwrap(), 0xffff << 64 | 1 << 63);
        assert_eq!(f80.decode(0x7fff << 64 | 1 << 63), f64::INFINITY);
        assert!(f80.decode(0x7fff << 64).is_nan());
        assert_eq!(f80.decode(f80.encode(-2.5).unwrap()), -2.5);
        assert_eq!(f80.decode(0x7ffe << 64 | u128::from(u64::MAX)), f64::INFINITY);
    }

    #[test]
    fn what_a_format_does_not_have_is_refused() {
        assert_eq!(
            format("f4E2M1FN").encode(f64::NAN).unwrap_err().to_string(),
            "expected a number for f4E2M1FN, found `NaN`"
        );
        for value in [0.0, -1.0] {
            assert_eq!(format("f8E8M0FNU").encode(value).unwrap_err().kind(), ErrorKind::Value);
        }
        assert_eq!(format("f4E2M1FN").encode(f64::INFINITY).unwrap(), 7);
        assert_eq!(format("f8E8M0FNU").encode(f64::INFINITY).unwrap(), 0xff);
        assert_eq!(format("f8E8M0FNU").encode(1e-300).unwrap(), 0);
    }
}
