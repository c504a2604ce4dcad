//! Floating-point literals, digit for digit as printed and parsed by MLIR.
//!
//! MLIR prints six significant digits if they convert back to the same bits, otherwise as many as the format
//! can need, otherwise the bits in hexadecimal (`printFloatValue` in `mlir/lib/IR/AsmPrinter.cpp`). The
//! digits are not the nearest ones: LLVM first truncates the exact number to about as many bits as the digits
//! have, then rounds the rest half up (`toStringImpl` and `AdjustToPrecision` in
//! `llvm/lib/Support/APFloat.cpp`), so 0.7 as `f32` has the six digits 0.699999, which is another number, and
//! is printed as `0.699999988`.

mod digits;
mod literal;
#[cfg(test)]
mod tests;

pub(crate) use literal::{parse_literal, write_exact_float, write_float};

/// The floating-point formats of the builtin types.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Semantics {
    F16,
    BF16,
    F32,
    F64,
    F80,
    F128,
    TF32,
    F8E5M2,
    F8E4M3,
    F8E4M3FN,
    F8E5M2FNUZ,
    F8E4M3FNUZ,
    F8E4M3B11FNUZ,
    F8E3M4,
    F8E8M0FNU,
    F6E2M3FN,
    F6E3M2FN,
    F4E2M1FN,
}

/// The codes of a format that are not numbers (`fltNonfiniteBehavior` and `fltNanEncoding` in
/// `llvm/include/llvm/ADT/APFloat.h`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Special {
    /// Infinities and NaNs have the highest exponent.
    Ieee,
    /// As `Ieee`, but the highest bit of the significand is stored and may contradict the exponent.
    X87,
    /// All bits below the sign are set in a NaN; no infinity.
    Ones,
    /// The code of negative zero is NaN; no infinity.
    NegativeZero,
    /// Every code is a number.
    Nothing,
    /// The format has only an exponent: no sign and no zero; NaN has all bits set.
    Scale,
}

#[derive(Debug, Clone, Copy)]
struct Layout {
    name: &'static str,
    bits: u32,
    /// The bits of the significand, with the leading bit that most formats omit.
    precision: u32,
    min_exponent: i32,
    special: Special,
}

/// The value that the bits of a float represent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum FloatValue {
    Zero { negative: bool },
    Finite { negative: bool, significand: u128, exponent: i32 },
    Special { bits: u128 },
}

const fn mask(bits: u32) -> u128 {
    if bits >= 128 { u128::MAX } else { (1 << bits) - 1 }
}

impl Semantics {
    /// All formats.
    pub(crate) const ALL: [Self; 18] = [
        Self::F16,
        Self::BF16,
        Self::F32,
        Self::F64,
        Self::F80,
        Self::F128,
        Self::TF32,
        Self::F8E5M2,
        Self::F8E4M3,
        Self::F8E4M3FN,
        Self::F8E5M2FNUZ,
        Self::F8E4M3FNUZ,
        Self::F8E4M3B11FNUZ,
        Self::F8E3M4,
        Self::F8E8M0FNU,
        Self::F6E2M3FN,
        Self::F6E3M2FN,
        Self::F4E2M1FN,
    ];

    /// The parameters of a format (`fltSemantics` in `llvm/lib/Support/APFloat.cpp`).
    const fn layout(self) -> Layout {
        let (name, bits, precision, min_exponent, special) = match self {
            Self::F16 => ("f16", 16, 11, -14, Special::Ieee),
            Self::BF16 => ("bf16", 16, 8, -126, Special::Ieee),
            Self::F32 => ("f32", 32, 24, -126, Special::Ieee),
            Self::F64 => ("f64", 64, 53, -1022, Special::Ieee),
            Self::F80 => ("f80", 80, 64, -16382, Special::X87),
            Self::F128 => ("f128", 128, 113, -16382, Special::Ieee),
            Self::TF32 => ("tf32", 19, 11, -126, Special::Ieee),
            Self::F8E5M2 => ("f8E5M2", 8, 3, -14, Special::Ieee),
            Self::F8E4M3 => ("f8E4M3", 8, 4, -6, Special::Ieee),
            Self::F8E4M3FN => ("f8E4M3FN", 8, 4, -6, Special::Ones),
            Self::F8E5M2FNUZ => ("f8E5M2FNUZ", 8, 3, -15, Special::NegativeZero),
            Self::F8E4M3FNUZ => ("f8E4M3FNUZ", 8, 4, -7, Special::NegativeZero),
            Self::F8E4M3B11FNUZ => ("f8E4M3B11FNUZ", 8, 4, -10, Special::NegativeZero),
            Self::F8E3M4 => ("f8E3M4", 8, 5, -2, Special::Ieee),
            Self::F8E8M0FNU => ("f8E8M0FNU", 8, 1, -127, Special::Scale),
            Self::F6E2M3FN => ("f6E2M3FN", 6, 4, 0, Special::Nothing),
            Self::F6E3M2FN => ("f6E3M2FN", 6, 3, -2, Special::Nothing),
            Self::F4E2M1FN => ("f4E2M1FN", 4, 2, 0, Special::Nothing),
        };
        Layout { name, bits, precision, min_exponent, special }
    }

    /// The format of the type with this name.
    pub(crate) fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|semantics| semantics.name() == name)
    }

    /// The name of the type, e.g. `f32`.
    pub(crate) const fn name(self) -> &'static str {
        self.layout().name
    }

    /// The number of bits of a value.
    pub(crate) const fn bits(self) -> u32 {
        self.layout().bits
    }

    /// The number of digits that distinguish any two values, as LLVM counts (`toStringImpl` in
    /// `llvm/lib/Support/APFloat.cpp`).
    const fn full_digits(self) -> u32 {
        2 + self.layout().precision * 59 / 196
    }

    fn decode(self, bits: u128) -> FloatValue {
        let layout = self.layout();
        let bits = bits & mask(layout.bits);
        // The x87 format stores the leading bit.
        let stored = if layout.special == Special::X87 { layout.precision } else { layout.precision - 1 };
        let fraction = bits & mask(stored);
        let top = match layout.special {
            Special::Scale => mask(8),
            _ => mask(layout.bits - 1 - stored),
        };
        let field = bits >> stored & top;
        let negative = layout.special != Special::Scale && bits >> (layout.bits - 1) == 1;
        let special = match layout.special {
            Special::Ieee => field == top,
            Special::Ones => field == top && fraction == mask(stored),
            Special::NegativeZero => bits == 1 << (layout.bits - 1),
            Special::Nothing => false,
            Special::Scale => field == top,
            Special::X87 if field == top => true,
            // LLVM reads a number without its leading bit as NaN, and afterwards as a number with the highest
            // exponent (`initFromF80LongDoubleAPInt` in `llvm/lib/Support/APFloat.cpp`).
            Special::X87 if field != 0 && fraction >> 63 == 0 => {
                return FloatValue::Special { bits: bits | top << stored };
            }
            Special::X87 => false,
        };
        let lowest = layout.min_exponent - (layout.precision as i32 - 1);
        if special {
            FloatValue::Special { bits }
        } else if layout.special == Special::Scale {
            FloatValue::Finite { negative, significand: 1, exponent: field as i32 + lowest }
        } else if field != 0 {
            let significand = fraction | 1 << (layout.precision - 1);
            FloatValue::Finite { negative, significand, exponent: field as i32 - 1 + lowest }
        } else if fraction != 0 {
            FloatValue::Finite { negative, significand: fraction, exponent: lowest }
        } else {
            FloatValue::Zero { negative }
        }
    }

    fn sign(self, negative: bool) -> u128 {
        u128::from(negative) << (self.bits() - 1)
    }

    fn zero(self, negative: bool) -> u128 {
        match self.layout().special {
            Special::NegativeZero | Special::Scale => 0, // without a zero, the smallest number takes its place
            _ => self.sign(negative),
        }
    }

    /// Returns the result of an overflow (`IEEEFloat::handleOverflow` in `llvm/lib/Support/APFloat.cpp`).
    fn overflow(self, negative: bool) -> u128 {
        let layout = self.layout();
        match layout.special {
            Special::Ieee => {
                let stored = layout.precision - 1;
                self.sign(negative) | mask(layout.bits - 1 - stored) << stored
            }
            Special::X87 => self.sign(negative) | 0xffff << 63,
            Special::Ones | Special::Nothing => self.sign(negative) | mask(layout.bits - 1),
            Special::NegativeZero => self.sign(true),
            Special::Scale => mask(8),
        }
    }

    /// Returns the bits of `significand` · 2^`exponent`, plus a fraction if `sticky`, rounded to nearest,
    /// ties to even.
    ///
    /// With `sticky` the significand must have two bits more than the format.
    fn round(self, negative: bool, significand: u128, exponent: i32, sticky: bool) -> u128 {
        let layout = self.layout();
        let precision = layout.precision as i32;
        let lowest = layout.min_exponent - (precision - 1);
        let length = 128 - significand.leading_zeros() as i32;
        let drop = (length - precision).max(lowest - exponent);
        let mut rounded = match drop {
            ..=0 => significand << -drop,
            129.. => 0,
            _ => {
                let truncated = significand.checked_shr(drop as u32).unwrap_or(0);
                let remainder = significand & mask(drop as u32);
                let half = 1 << (drop - 1);
                let up = remainder > half || remainder == half && (sticky || truncated & 1 == 1);
                truncated + u128::from(up)
            }
        };
        let mut exponent = exponent + drop;
        if rounded >> precision != 0 {
            rounded >>= 1;
            exponent += 1;
        }
        if rounded == 0 {
            return self.zero(negative);
        }
        let stored = if layout.special == Special::X87 { precision } else { precision - 1 };
        let normal = rounded >> (precision - 1) != 0;
        if layout.special == Special::Scale {
            return if exponent - lowest > 254 {
                self.overflow(negative)
            } else {
                (exponent - lowest) as u128
            };
        }
        let field = if normal { (exponent - lowest + 1) as u128 } else { 0 };
        let top = mask(layout.bits - 1 - stored as u32);
        let bits = self.sign(negative) | (rounded & mask(stored as u32)) | field << stored;
        let fits = match layout.special {
            Special::Ieee | Special::X87 => field < top,
            Special::Ones => field < top || field == top && rounded != mask(layout.precision),
            _ => field <= top,
        };
        if fits { bits } else { self.overflow(negative) }
    }
}

impl Semantics {
    /// Returns the number that these bits represent, rounded to the nearest `f64`, ties to even.
    pub(crate) fn to_f64(self, bits: u128) -> f64 {
        let negative = |number: f64, is_negative: bool| if is_negative { -number } else { number };
        match self.decode(bits) {
            FloatValue::Zero { negative: is_negative } => negative(0.0, is_negative),
            FloatValue::Finite { negative, significand, exponent } => {
                f64::from_bits(Self::F64.round(negative, significand, exponent, false) as u64)
            }
            FloatValue::Special { bits } if self.is_infinity(bits) => {
                negative(f64::INFINITY, bits >> (self.bits() - 1) == 1)
            }
            FloatValue::Special { .. } => f64::NAN,
        }
    }

    fn is_infinity(self, bits: u128) -> bool {
        let layout = self.layout();
        match layout.special {
            Special::Ieee => bits & mask(layout.precision - 1) == 0,
            // The leading bit is stored, and is set in an infinity.
            Special::X87 => bits & mask(layout.precision) == 1 << (layout.precision - 1),
            _ => false,
        }
    }

    /// Returns the bits of the number nearest to `value`, ties to even, with the format's overflow; `None`
    /// for a NaN in a format without one, and for zero and negative numbers in a format of positive numbers.
    pub(crate) fn nearest(self, value: f64) -> Option<u128> {
        let layout = self.layout();
        let negative = value.is_sign_negative();
        if value.is_nan() {
            return Some(match layout.special {
                Special::Nothing => return None,
                Special::Scale => mask(8),
                Special::NegativeZero => self.sign(true),
                Special::Ones => self.overflow(negative),
                Special::Ieee | Special::X87 => self.overflow(negative) | 1 << (layout.precision - 2),
            });
        }
        if layout.special == Special::Scale && (negative || value == 0.0) {
            return None;
        }
        Some(match Self::F64.decode(value.to_bits().into()) {
            FloatValue::Zero { negative } => self.zero(negative),
            FloatValue::Finite { negative, significand, exponent } => {
                self.round(negative, significand, exponent, false)
            }
            FloatValue::Special { .. } => self.overflow(negative),
        })
    }
}
