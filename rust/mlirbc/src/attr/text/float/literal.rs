//! Literals of floats: printing as MLIR does, and parsing.

use super::digits::{ExactNumber, Natural};
use super::{FloatValue, Semantics, Special, mask};
use crate::attr::text::int::decimal_value;

/// Appends the literal that MLIR prints for these bits, without a type; bits above the width of the format
/// are ignored. Returns whether the literal is hexadecimal.
pub(crate) fn write_float(out: &mut Vec<u8>, semantics: Semantics, bits: u128) -> bool {
    let value = semantics.decode(bits);
    let (negative, significand, exponent) = match value {
        FloatValue::Special { bits } => {
            write_hex(out, bits);
            return true;
        }
        FloatValue::Zero { negative } => {
            out.extend_from_slice(if negative { b"-0.000000e+00" } else { b"0.000000e+00" });
            return false;
        }
        FloatValue::Finite { negative, significand, exponent } => (negative, significand, exponent),
    };
    let start = out.len();
    if negative {
        out.push(b'-');
    }
    let (exact, unsigned) = (ExactNumber::new(significand, exponent), out.len());
    exact.digits(6).write_padded(out, 6);
    if leads_back(&out[start..], semantics, value) {
        return false;
    }
    out.truncate(unsigned);
    let digits = semantics.full_digits();
    if exact.digits(digits).write_plain(out, digits as usize) {
        return false;
    }
    out.truncate(start);
    write_hex(out, bits & mask(semantics.bits()));
    true
}

/// As [`write_float`], but always writes a literal that is read as these bits: MLIR reads decimal literals as
/// an `f64` first.
pub(crate) fn write_exact_float(out: &mut Vec<u8>, semantics: Semantics, bits: u128) -> bool {
    let (start, bits) = (out.len(), bits & mask(semantics.bits()));
    let is_wide = semantics.layout().precision > Semantics::F64.layout().precision;
    if write_float(out, semantics, bits) {
        return true;
    }
    let is_exact = !is_wide || parse_literal(&out[start..], semantics) == Some(bits);
    if !is_exact {
        out.truncate(start);
        write_hex(out, bits);
    }
    !is_exact
}

fn leads_back(text: &[u8], semantics: Semantics, value: FloatValue) -> bool {
    // Six digits, even when they are cut instead of rounded, are nearer than half a unit of up to 16 bits.
    semantics.layout().precision <= 16
        || parse_float(text, semantics).is_some_and(|bits| semantics.decode(bits) == value)
}

fn write_hex(out: &mut Vec<u8>, bits: u128) {
    out.extend_from_slice(b"0x");
    let digits = (128 - bits.leading_zeros()).div_ceil(4).max(1);
    for digit in (0..digits).rev() {
        out.push(b"0123456789ABCDEF"[(bits >> (4 * digit)) as usize & 15]);
    }
}

/// The parts of a decimal literal.
pub(super) struct Literal<'a> {
    negative: bool,
    whole: &'a [u8],
    fraction: &'a [u8],
    exponent: i32,
}

impl<'a> Literal<'a> {
    /// The limit of exponents in LLVM (`readExponent` in `llvm/lib/Support/APFloat.cpp`).
    const MAX_EXPONENT: i32 = 24_000;

    pub(super) fn new(text: &'a [u8]) -> Option<Self> {
        let (negative, text) = match text.strip_prefix(b"-") {
            Some(text) => (true, text),
            None => (false, text),
        };
        let (mantissa, exponent) = match text.iter().position(|&byte| byte | 0x20 == b'e') {
            Some(at) => (&text[..at], Self::exponent(&text[at + 1..])?),
            None => (text, 0),
        };
        let (whole, fraction) = match mantissa.iter().position(|&byte| byte == b'.') {
            Some(at) => (&mantissa[..at], &mantissa[at + 1..]),
            None => (mantissa, &mantissa[mantissa.len()..]),
        };
        let valid = !whole.is_empty() && whole.iter().chain(fraction).all(u8::is_ascii_digit);
        valid.then_some(Self { negative, whole, fraction, exponent })
    }

    fn exponent(text: &[u8]) -> Option<i32> {
        let (negative, digits) = match text.split_first()? {
            (b'-', digits) => (true, digits),
            (b'+', digits) => (false, digits),
            _ => (false, text),
        };
        if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
            return None;
        }
        let value = digits.iter().fold(0, |value: i32, &digit| {
            (value * 10 + i32::from(decimal_value(digit))).min(Self::MAX_EXPONENT)
        });
        Some(if negative { -value } else { value })
    }

    /// Rounds correctly: the number is computed to 128 bits, and a flag states whether there is a remainder.
    pub(super) fn round(&self, semantics: Semantics) -> u128 {
        // No format distinguishes more digits, so further digits only matter as zero or not.
        const MAX_DIGITS: usize = 12_000;
        let mut digits = self.whole.iter().chain(self.fraction).skip_while(|&&digit| digit == b'0');
        let mut natural = Natural(Vec::new());
        let (mut count, mut chunk, mut factor) = (0_usize, 0, 1);
        for &digit in digits.by_ref().take(MAX_DIGITS) {
            count += 1;
            chunk = chunk * 10 + u64::from(decimal_value(digit));
            factor *= 10;
            if factor == 10_u64.pow(19) {
                natural.multiply_add(factor, chunk);
                (chunk, factor) = (0, 1);
            }
        }
        natural.multiply_add(factor, chunk);
        let (mut ignored_digits, mut sticky) = (0_usize, false);
        for &digit in digits {
            ignored_digits += 1;
            sticky |= digit != b'0';
        }
        if count == 0 {
            return semantics.zero(self.negative);
        }
        let fraction = i64::try_from(self.fraction.len()).unwrap_or(i64::MAX / 4);
        let ignored_digits = i64::try_from(ignored_digits).unwrap_or(i64::MAX / 4);
        let power = i64::from(self.exponent) - fraction + ignored_digits;
        // The widest formats reach from about 10^-4966 to 10^4932.
        let leading = power + count as i64;
        if leading > 5_000 {
            return semantics.overflow(self.negative);
        } else if leading < -5_100 {
            return semantics.zero(self.negative);
        }
        let fives = power.unsigned_abs() as u32;
        let mut exponent = power as i32;
        if power >= 0 {
            natural.multiply_by_power_of_five(fives);
        } else {
            // The bits of a five are a little less than 7/3; the quotient keeps at least 128 bits.
            let shift = (128 + fives * 7 / 3 + 1).saturating_sub(natural.bits());
            natural.shift_left(shift);
            exponent -= shift as i32;
            sticky |= natural.divide_by_power_of_five(fives);
        }
        let drop = natural.bits().saturating_sub(128);
        let (significand, lost) = natural.shifted_right(drop);
        semantics.round(self.negative, significand, exponent + drop as i32, sticky || lost)
    }
}

/// Parses a decimal literal; returns its bits, rounded once as in `APFloat::convertFromString` in
/// `llvm/lib/Support/APFloat.cpp`. `None` for any other text, and for a negative number in a format without a
/// sign.
pub(crate) fn parse_float(text: &[u8], semantics: Semantics) -> Option<u128> {
    let literal = Literal::new(text)?;
    if literal.negative && semantics == Semantics::F8E8M0FNU {
        return None;
    }
    // LLVM differs from the standard library only for limited exponents.
    let usual = literal.exponent.abs() < Literal::MAX_EXPONENT;
    match semantics {
        Semantics::F32 if usual => Some(u128::from(parse_ascii::<f32>(text)?.to_bits())),
        Semantics::F64 if usual => Some(u128::from(parse_ascii::<f64>(text)?.to_bits())),
        _ => Some(literal.round(semantics)),
    }
}

fn parse_ascii<T: std::str::FromStr>(text: &[u8]) -> Option<T> {
    std::str::from_utf8(text).ok()?.parse().ok()
}

/// Returns the bits that MLIR's parser gives a decimal literal: MLIR rounds it to `f64` first, whatever the
/// format (`Token::getFloatingPointValue` in `mlir/lib/AsmParser/Token.cpp`).
pub(crate) fn parse_literal(text: &[u8], semantics: Semantics) -> Option<u128> {
    let double = parse_float(text, Semantics::F64)?;
    let signless = semantics == Semantics::F8E8M0FNU;
    match Semantics::F64.decode(double) {
        FloatValue::Zero { negative: true } | FloatValue::Finite { negative: true, .. } if signless => None,
        FloatValue::Zero { negative } => Some(semantics.zero(negative)),
        FloatValue::Finite { negative, significand, exponent } => {
            Some(semantics.round(negative, significand, exponent, false))
        }
        // LLVM creates an infinity even in a format without infinities, with the bits of a zero.
        FloatValue::Special { bits } if semantics.layout().special == Special::Nothing => {
            Some(semantics.zero(bits >> 63 == 1))
        }
        FloatValue::Special { bits } => Some(semantics.overflow(bits >> 63 == 1)),
    }
}
