//! Floating-point literals, digit for digit as printed and parsed by MLIR.
//!
//! MLIR prints six significant digits if they convert back to the same bits, otherwise as many as the format
//! can need, otherwise the bits in hexadecimal (`printFloatValue` in `mlir/lib/IR/AsmPrinter.cpp`). The
//! digits are not the nearest ones: LLVM first truncates the exact number to about as many bits as the digits
//! have, then rounds the rest half up (`toStringImpl` and `AdjustToPrecision` in
//! `llvm/lib/Support/APFloat.cpp`), so 0.7 as `f32` has the six digits 0.699999, which is another number, and
//! is printed as `0.699999988`.

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
    /// Only an exponent: no sign, no zero, NaN has all bits set.
    Scale,
}

#[derive(Debug, Clone, Copy)]
struct Layout {
    name: &'static str,
    bits: u32,
    /// Bits of the significand, with the leading one that most formats leave out.
    precision: u32,
    min_exponent: i32,
    special: Special,
}

/// The meaning of bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Value {
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

    /// The numbers are those of `fltSemantics` in `llvm/lib/Support/APFloat.cpp`.
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

    fn decode(self, bits: u128) -> Value {
        let layout = self.layout();
        let bits = bits & mask(layout.bits);
        // The x87 format stores the leading one.
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
            // LLVM reads a number without its leading one as NaN, and then as one with the highest exponent
            // (`initFromF80LongDoubleAPInt` in `llvm/lib/Support/APFloat.cpp`).
            Special::X87 if field != 0 && fraction >> 63 == 0 => {
                return Value::Special { bits: bits | top << stored };
            }
            Special::X87 => false,
        };
        let lowest = layout.min_exponent - (layout.precision as i32 - 1);
        if special {
            Value::Special { bits }
        } else if layout.special == Special::Scale {
            Value::Finite { negative, significand: 1, exponent: field as i32 + lowest }
        } else if field != 0 {
            let significand = fraction | 1 << (layout.precision - 1);
            Value::Finite { negative, significand, exponent: field as i32 - 1 + lowest }
        } else if fraction != 0 {
            Value::Finite { negative, significand: fraction, exponent: lowest }
        } else {
            Value::Zero { negative }
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

    /// The result of an overflow (`IEEEFloat::handleOverflow` in `llvm/lib/Support/APFloat.cpp`).
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

    /// The bits of `significand` · 2^`exponent`, plus a fraction if `sticky`, rounded to nearest, ties to
    /// even.
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
                let kept = significand.checked_shr(drop as u32).unwrap_or(0);
                let rest = significand & mask(drop as u32);
                let half = 1 << (drop - 1);
                let up = rest > half || rest == half && (sticky || kept & 1 == 1);
                kept + u128::from(up)
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
    /// The number that these bits mean, rounded to the nearest `f64`, ties to even.
    pub(crate) fn to_f64(self, bits: u128) -> f64 {
        let negative = |number: f64, is_negative: bool| if is_negative { -number } else { number };
        match self.decode(bits) {
            Value::Zero { negative: is_negative } => negative(0.0, is_negative),
            Value::Finite { negative, significand, exponent } => {
                f64::from_bits(Self::F64.round(negative, significand, exponent, false) as u64)
            }
            Value::Special { bits } if self.is_infinity(bits) => {
                negative(f64::INFINITY, bits >> (self.bits() - 1) == 1)
            }
            Value::Special { .. } => f64::NAN,
        }
    }

    fn is_infinity(self, bits: u128) -> bool {
        let layout = self.layout();
        match layout.special {
            Special::Ieee => bits & mask(layout.precision - 1) == 0,
            // The leading one is stored, and is set in an infinity.
            Special::X87 => bits & mask(layout.precision) == 1 << (layout.precision - 1),
            _ => false,
        }
    }

    /// The bits of the number nearest to `value`, ties to even, with the format's overflow; `None` for a NaN that the
    /// format does not have, and for zero and negative numbers where it has positive ones only.
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
            Value::Zero { negative } => self.zero(negative),
            Value::Finite { negative, significand, exponent } => {
                self.round(negative, significand, exponent, false)
            }
            Value::Special { .. } => self.overflow(negative),
        })
    }
}

/// 5^27 is the largest power of five in 64 bits.
const CHUNK: u32 = 27;

/// The powers of five in 128 bits.
const POWERS_OF_FIVE: [u128; 56] = {
    let mut powers = [1; 56];
    let mut n = 1;
    while n < 56 {
        powers[n] = powers[n - 1] * 5;
        n += 1;
    }
    powers
};

fn small_power_of_five(n: u32) -> Option<u128> {
    POWERS_OF_FIVE.get(n as usize).copied()
}

/// An unsigned integer of any size, lowest word first.
#[derive(Debug, Clone)]
struct Natural(Vec<u64>);

impl Natural {
    fn new(value: u128) -> Self {
        let mut natural = Self(vec![value as u64, (value >> 64) as u64]);
        natural.trim();
        natural
    }

    fn trim(&mut self) {
        while self.0.last() == Some(&0) {
            self.0.pop();
        }
    }

    fn bits(&self) -> u32 {
        self.0.last().map_or(0, |last| self.0.len() as u32 * 64 - last.leading_zeros())
    }

    fn multiply_add(&mut self, factor: u64, summand: u64) {
        let mut carry = u128::from(summand);
        for word in &mut self.0 {
            carry += u128::from(*word) * u128::from(factor);
            *word = carry as u64;
            carry >>= 64;
        }
        if carry != 0 {
            self.0.push(carry as u64);
        }
    }

    /// Divides and returns whether there was a remainder.
    fn divide(&mut self, divisor: u64) -> bool {
        let mut rest = 0;
        for word in self.0.iter_mut().rev() {
            let dividend = rest << 64 | u128::from(*word);
            *word = (dividend / u128::from(divisor)) as u64;
            rest = dividend % u128::from(divisor);
        }
        self.trim();
        rest != 0
    }

    fn multiply_by_power_of_five(&mut self, n: u32) {
        for chunk in chunks(n) {
            self.multiply_add(chunk, 0);
        }
    }

    fn divide_by_power_of_five(&mut self, n: u32) -> bool {
        chunks(n).fold(false, |inexact, chunk| self.divide(chunk) | inexact)
    }

    fn shift_left(&mut self, n: u32) {
        self.multiply_add(1 << (n % 64), 0);
        self.0.splice(0..0, std::iter::repeat_n(0, n as usize / 64));
    }

    /// The number without its lowest `n` bits, and whether one of those was set; at most 128 bits may remain.
    fn shifted_right(&self, n: u32) -> (u128, bool) {
        let (words, bits) = (n as usize / 64, n % 64);
        let word = |at: usize| u128::from(self.0.get(words + at).copied().unwrap_or(0));
        let low = word(0) | word(1) << 64;
        let shifted = match bits {
            0 => low,
            _ => low >> bits | word(2) << (128 - bits),
        };
        let lost = self.0.iter().take(words).any(|&word| word != 0) || word(0) & mask(bits) != 0;
        (shifted, lost)
    }
}

fn chunks(n: u32) -> impl Iterator<Item = u64> {
    let whole = std::iter::repeat_n(CHUNK, (n / CHUNK) as usize);
    whole.chain(std::iter::once(n % CHUNK)).map(|n| 5_u64.pow(n))
}

/// A positive number, exactly: `odd` · 2^`exponent`.
struct Exact {
    odd: u128,
    exponent: i32,
    /// Bits of the integer that remains when a negative exponent is made one of ten.
    bits: u32,
}

impl Exact {
    fn new(significand: u128, exponent: i32) -> Self {
        let zeros = significand.trailing_zeros();
        let (odd, exponent) = (significand >> zeros, exponent + zeros as i32);
        let length = 128 - odd.leading_zeros();
        let bits = if exponent >= 0 {
            length + exponent as u32
        } else {
            let fives = exponent.unsigned_abs();
            match small_power_of_five(fives).and_then(|power| power.checked_mul(odd)) {
                Some(integer) => 128 - integer.leading_zeros(),
                None => {
                    let mut integer = Natural::new(odd);
                    integer.multiply_by_power_of_five(fives);
                    integer.bits()
                }
            }
        };
        Self { odd, exponent, bits }
    }

    /// An integer and a power of ten: the number truncated as in LLVM before it is converted to `digits`
    /// digits.
    fn cut(&self, digits: u32) -> (u128, i32) {
        let required = (digits * 196).div_ceil(59);
        // The number of decimal digits that are certainly not needed; zero leaves an integer of at most 124
        // bits.
        let cut = self.bits.saturating_sub(required) * 59 / 196;
        if self.exponent >= 0 {
            let exponent = self.exponent as u32;
            let integer = match small_power_of_five(cut) {
                Some(power) if self.bits <= 128 => (self.odd << exponent >> cut) / power,
                _ => {
                    let mut integer = Natural::new(self.odd);
                    integer.shift_left(exponent.saturating_sub(cut));
                    integer.divide_by_power_of_five(cut);
                    integer.shifted_right(cut.saturating_sub(exponent)).0
                }
            };
            return (integer, cut as i32);
        }
        let fives = self.exponent.unsigned_abs();
        let integer = match fives.checked_sub(cut) {
            Some(fives) => match small_power_of_five(fives).and_then(|power| power.checked_mul(self.odd)) {
                Some(integer) => integer.checked_shr(cut).unwrap_or(0),
                None => {
                    let mut integer = Natural::new(self.odd);
                    integer.multiply_by_power_of_five(fives);
                    integer.shifted_right(cut).0
                }
            },
            None => {
                let power = small_power_of_five(cut - fives).unwrap_or(u128::MAX);
                self.odd.checked_shr(cut).unwrap_or(0) / power
            }
        };
        (integer, cut as i32 + self.exponent)
    }

    fn digits(&self, digits: u32) -> Decimal {
        let (integer, exponent) = self.cut(digits);
        let mut decimal = Decimal { digits: [0; 40], len: 0, exponent };
        let mut buffer = itoa::Buffer::new();
        let text = match u64::try_from(integer) {
            Ok(integer) => buffer.format(integer),
            Err(_) => buffer.format(integer),
        };
        for (slot, &digit) in decimal.digits.iter_mut().zip(text.as_bytes()) {
            *slot = digit;
            decimal.len += 1;
        }
        decimal.drop_zeros();
        decimal.round(digits as usize);
        decimal
    }
}

/// An integer without trailing zeros, as digits, times a power of ten.
struct Decimal {
    digits: [u8; 40],
    len: usize,
    exponent: i32,
}

impl Decimal {
    fn as_bytes(&self) -> &[u8] {
        &self.digits[..self.len]
    }

    fn drop_zeros(&mut self) {
        self.drop_while(b'0');
    }

    fn drop_while(&mut self, digit: u8) {
        while self.as_bytes().last() == Some(&digit) {
            self.len -= 1;
            self.exponent += 1;
        }
    }

    /// Rounds half up, as LLVM does.
    fn round(&mut self, digits: usize) {
        if self.len <= digits {
            return;
        }
        let up = self.digits[digits] >= b'5';
        self.exponent += (self.len - digits) as i32;
        self.len = digits;
        if !up {
            self.drop_zeros();
            return;
        }
        self.drop_while(b'9');
        match self.len.checked_sub(1) {
            Some(last) => self.digits[last] += 1,
            None => {
                self.digits[0] = b'1';
                self.len = 1;
            }
        }
    }

    /// `1.500000e+00`.
    fn write_padded(&self, out: &mut Vec<u8>, fraction: usize) {
        let (first, rest) = self.as_bytes().split_at(1);
        out.extend_from_slice(first);
        out.push(b'.');
        out.extend_from_slice(rest);
        out.extend(std::iter::repeat_n(b'0', fraction.saturating_sub(rest.len())));
        let exponent = self.exponent + rest.len() as i32;
        out.extend_from_slice(if exponent < 0 { b"e-" } else { b"e+" });
        if exponent.unsigned_abs() < 10 {
            out.push(b'0');
        }
        out.extend_from_slice(itoa::Buffer::new().format(exponent.unsigned_abs()).as_bytes());
    }

    /// Writes the shortest form; nothing is written and `false` returned if that has no decimal point and so
    /// is not a float literal.
    fn write_plain(&self, out: &mut Vec<u8>, digits: usize) -> bool {
        const PADDING: i32 = 3;
        let (all, len) = (self.as_bytes(), self.len as i32);
        let leading = self.exponent + len - 1;
        let scientific = match self.exponent {
            0.. => self.exponent > PADDING || len + self.exponent > digits as i32,
            _ => leading < -PADDING,
        };
        if scientific {
            let (first, rest) = all.split_at(1);
            out.extend_from_slice(first);
            out.push(b'.');
            out.extend_from_slice(if rest.is_empty() { b"0" } else { rest });
            out.extend_from_slice(if leading < 0 { b"E-" } else { b"E+" });
            out.extend_from_slice(itoa::Buffer::new().format(leading.unsigned_abs()).as_bytes());
            return true;
        }
        if self.exponent >= 0 {
            return false;
        }
        if leading >= 0 {
            let (whole, fraction) = all.split_at(leading as usize + 1);
            out.extend_from_slice(whole);
            out.push(b'.');
            out.extend_from_slice(fraction);
        } else {
            out.extend_from_slice(b"0.");
            out.extend(std::iter::repeat_n(b'0', leading.unsigned_abs() as usize - 1));
            out.extend_from_slice(all);
        }
        true
    }
}

/// Appends the literal MLIR prints for these bits, without a type; bits above the width of the format are ignored.
/// Returns whether it is hexadecimal.
pub(crate) fn write_float(out: &mut Vec<u8>, semantics: Semantics, bits: u128) -> bool {
    let value = semantics.decode(bits);
    let (negative, significand, exponent) = match value {
        Value::Special { bits } => {
            write_hex(out, bits);
            return true;
        }
        Value::Zero { negative } => {
            out.extend_from_slice(if negative { b"-0.000000e+00" } else { b"0.000000e+00" });
            return false;
        }
        Value::Finite { negative, significand, exponent } => (negative, significand, exponent),
    };
    let start = out.len();
    if negative {
        out.push(b'-');
    }
    let (exact, unsigned) = (Exact::new(significand, exponent), out.len());
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

fn leads_back(text: &[u8], semantics: Semantics, value: Value) -> bool {
    // Six digits, even when cut instead of rounded, are nearer than half a unit of up to 16 bits.
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

/// A decimal literal taken apart.
struct Literal<'a> {
    negative: bool,
    whole: &'a [u8],
    fraction: &'a [u8],
    exponent: i32,
}

impl<'a> Literal<'a> {
    /// LLVM limits exponents to this (`readExponent` in `llvm/lib/Support/APFloat.cpp`).
    const MAX_EXPONENT: i32 = 24_000;

    fn new(text: &'a [u8]) -> Option<Self> {
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
        let value = digits
            .iter()
            .fold(0, |value: i32, digit| (value * 10 + i32::from(digit - b'0')).min(Self::MAX_EXPONENT));
        Some(if negative { -value } else { value })
    }

    /// Correctly rounded: the number is computed to 128 bits plus whether there is a remainder.
    fn round(&self, semantics: Semantics) -> u128 {
        // No format distinguishes more digits, so the rest only matters as zero or not.
        const MAX_DIGITS: usize = 12_000;
        let mut digits = self.whole.iter().chain(self.fraction).skip_while(|&&digit| digit == b'0');
        let mut natural = Natural(Vec::new());
        let (mut count, mut chunk, mut factor) = (0_usize, 0, 1);
        for digit in digits.by_ref().take(MAX_DIGITS) {
            count += 1;
            chunk = chunk * 10 + u64::from(digit - b'0');
            factor *= 10;
            if factor == 10_u64.pow(19) {
                natural.multiply_add(factor, chunk);
                (chunk, factor) = (0, 1);
            }
        }
        natural.multiply_add(factor, chunk);
        let (mut left, mut sticky) = (0_usize, false);
        for &digit in digits {
            left += 1;
            sticky |= digit != b'0';
        }
        if count == 0 {
            return semantics.zero(self.negative);
        }
        let fraction = i64::try_from(self.fraction.len()).unwrap_or(i64::MAX / 4);
        let left = i64::try_from(left).unwrap_or(i64::MAX / 4);
        let power = i64::from(self.exponent) - fraction + left;
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
            // 7/3 is a little more than the bits of a five; the quotient keeps at least 128 bits.
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

/// The bits of a decimal literal, rounded once as `APFloat::convertFromString` in
/// `llvm/lib/Support/APFloat.cpp` does; `None` if it is not one, or negative for a format without a sign.
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

/// The bits that MLIR's parser gives a decimal literal: it is rounded to `f64` first, whatever the format
/// (`Token::getFloatingPointValue` in `mlir/lib/AsmParser/Token.cpp`).
pub(crate) fn parse_literal(text: &[u8], semantics: Semantics) -> Option<u128> {
    let double = parse_float(text, Semantics::F64)?;
    let signless = semantics == Semantics::F8E8M0FNU;
    match Semantics::F64.decode(double) {
        Value::Zero { negative: true } | Value::Finite { negative: true, .. } if signless => None,
        Value::Zero { negative } => Some(semantics.zero(negative)),
        Value::Finite { negative, significand, exponent } => {
            Some(semantics.round(negative, significand, exponent, false))
        }
        // LLVM makes an infinity even if the format has none, and its bits are those of zero.
        Value::Special { bits } if semantics.layout().special == Special::Nothing => {
            Some(semantics.zero(bits >> 63 == 1))
        }
        Value::Special { bits } => Some(semantics.overflow(bits >> 63 == 1)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn written(semantics: Semantics, bits: u128) -> String {
        let mut out = Vec::new();
        write_float(&mut out, semantics, bits);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn floats_are_printed_as_mlir_prints_them() {
        for (name, bits, text) in [
            ("f32", 0x3f80_0000, "1.000000e+00"),
            ("f32", 0x8000_0000, "-0.000000e+00"),
            ("f32", 0x3f33_3333, "0.699999988"),
            ("f32", 0x4b80_0000, "0x4B800000"), // 16777216 has no point
            ("f32", 0x7fc0_0000, "0x7FC00000"),
            ("f32", 1, "1.401300e-45"),
            ("f32", 0x3f80_0001, "1.00000012"),
            ("f32", 0x501502f9, "1.000000e+10"),
            ("f64", 0x3fb9_9999_9999_999a, "1.000000e-01"),
            ("f64", 0x3fd5_5555_5555_5555, "0.33333333333333331"),
            ("f64", 0xfff0_0000_0000_0000, "0xFFF0000000000000"),
            ("f16", 0x7c01, "0x7C01"),
            ("f80", 0x7fff_8000_0000_0000_0000, "0x7FFF8000000000000000"),
            ("f80", 0x3ffb_cccc_cccc_cccc_d000, "0.100000000000000005551"),
            ("f128", 0x7fff << 112, "0x7FFF0000000000000000000000000000"),
            ("tf32", 0x0_0001, "1.147940e-41"),
            ("tf32", 0x3_f801, "1.703070e+38"),
            ("f8E8M0FNU", 0x00, "5.877470e-39"),
            ("f8E8M0FNU", 0xff, "0xFF"),
            ("f8E5M2FNUZ", 0x80, "0x80"),
            ("f8E4M3FN", 0x7f, "0x7F"),
        ] {
            assert_eq!(written(Semantics::from_name(name).unwrap(), bits), text);
        }
    }

    #[test]
    fn an_x87_number_without_its_leading_one_is_a_nan() {
        assert_eq!(written(Semantics::F80, 0x3fff_4000_0000_0000_0000), "0x7FFF4000000000000000");
        assert_eq!(
            written(Semantics::F80, 0x8000_0000_0000_0000),
            written(Semantics::F80, 1 << 64 | 1 << 63)
        );
    }

    #[test]
    fn what_is_too_large_depends_on_the_format() {
        for (name, bits) in [
            ("f32", 0x7f80_0000),
            ("f80", 0x7fff_8000_0000_0000_0000),
            ("f8E5M2", 0x7c),
            ("f8E4M3FN", 0x7f),
            ("f8E4M3FNUZ", 0x80),
            ("f8E8M0FNU", 0xff),
            ("f6E2M3FN", 0x1f),
            ("f4E2M1FN", 0x7),
        ] {
            let semantics = Semantics::from_name(name).unwrap();
            assert_eq!(parse_float(b"1.0e9999", semantics), Some(bits), "{name}");
        }
        assert_eq!(parse_literal(b"1.0e10", Semantics::F6E2M3FN), Some(0x1f));
        assert_eq!(parse_literal(b"-1.0e400", Semantics::F6E2M3FN), Some(0x20));
    }

    #[test]
    fn formats_without_zero_or_sign_take_what_they_have() {
        assert_eq!(parse_literal(b"0.0", Semantics::F8E8M0FNU), Some(0));
        assert_eq!(parse_literal(b"-1.0", Semantics::F8E8M0FNU), None);
        assert_eq!(parse_literal(b"-0.0", Semantics::F8E5M2FNUZ), Some(0));
        assert_eq!(parse_literal(b"-1.0e-10", Semantics::F8E5M2), Some(0x80));
    }

    #[test]
    fn a_literal_is_rounded_to_f64_first() {
        assert_eq!(parse_literal(b"0.1", Semantics::F80), Some(0x3ffb_cccc_cccc_cccc_d000));
        assert_eq!(parse_float(b"0.1", Semantics::F80), Some(0x3ffb_cccc_cccc_cccc_cccd));
    }

    #[test]
    fn only_decimal_literals_are_floats() {
        for text in ["", "-", ".5", "1e", "1.0e+", "+1.0", "inf", "nan", "0x10", "1.0f", "1..0", "--1.0"] {
            assert_eq!(parse_float(text.as_bytes(), Semantics::F32), None, "{text}");
            assert_eq!(parse_float(text.as_bytes(), Semantics::F16), None, "{text}");
        }
        assert_eq!(parse_float(b"1.", Semantics::F32), Some(0x3f80_0000));
    }

    #[test]
    fn the_smallest_numbers_are_reached_from_both_sides() {
        for (semantics, smallest) in
            [(Semantics::F8E5M2FNUZ, -17), (Semantics::F16, -24), (Semantics::F8E3M4, -6)]
        {
            let exactly = 2_f64.powi(smallest);
            for (factor, bits) in [(0.49, 0), (0.5, 0), (0.51, 1), (0.9999, 1), (1.0, 1), (1.49, 1), (1.5, 2)]
            {
                let text = format!("{:.60}", exactly * factor);
                assert_eq!(parse_float(text.as_bytes(), semantics), Some(bits), "{semantics:?} {text}");
                assert_eq!(parse_literal(text.as_bytes(), semantics), Some(bits), "{semantics:?} {text}");
            }
        }
    }

    #[test]
    fn long_literals_take_no_long_time() {
        let mut text = vec![b'0'; 300_000];
        text.push(b'.');
        text.extend(std::iter::repeat_n(b'9', 300_000));
        assert_eq!(parse_float(&text, Semantics::F16), Some(0x3c00));
        assert_eq!(parse_float(b"1.0e-99999999999999999999", Semantics::F128), Some(0));
    }

    fn any_format() -> impl Strategy<Value = Semantics> {
        proptest::sample::select(&Semantics::ALL[..])
    }

    proptest! {
        #[test]
        fn what_is_printed_leads_back(semantics in any_format(), bits: u128) {
            let (bits, text) = (bits & mask(semantics.bits()), written(semantics, bits));
            match text.strip_prefix("0x") {
                Some(hex) => {
                    let read = u128::from_str_radix(hex, 16).unwrap();
                    prop_assert!(read == bits || semantics == Semantics::F80);
                }
                None => {
                    let read = parse_float(text.as_bytes(), semantics).unwrap();
                    prop_assert_eq!(semantics.decode(read), semantics.decode(bits));
                }
            }
        }

        #[test]
        fn the_slow_way_rounds_like_the_standard_library(
            digits in "[0-9]{1,40}[.][0-9]{0,40}",
            exponent in -360..330,
        ) {
            let text = format!("{digits}e{exponent}");
            let slow = Literal::new(text.as_bytes()).unwrap();
            prop_assert_eq!(slow.round(Semantics::F64), u128::from(text.parse::<f64>().unwrap().to_bits()));
            prop_assert_eq!(slow.round(Semantics::F32), u128::from(text.parse::<f32>().unwrap().to_bits()));
        }

        #[test]
        fn any_text_is_read_or_refused(semantics in any_format(), text in "[-+.eE0-9a]{0,30}") {
            let _ = parse_float(text.as_bytes(), semantics);
            let _ = parse_literal(text.as_bytes(), semantics);
        }
    }
}
