//! Exact decimal digits of finite values, without rounding in between.

use super::mask;

/// The largest power of five in 64 bits is 5^27.
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
pub(super) struct Natural(pub(super) Vec<u64>);

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

    pub(super) fn bits(&self) -> u32 {
        self.0.last().map_or(0, |last| self.0.len() as u32 * 64 - last.leading_zeros())
    }

    pub(super) fn multiply_add(&mut self, factor: u64, summand: u64) {
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
        let mut remainder = 0;
        for word in self.0.iter_mut().rev() {
            let dividend = remainder << 64 | u128::from(*word);
            *word = (dividend / u128::from(divisor)) as u64;
            remainder = dividend % u128::from(divisor);
        }
        self.trim();
        remainder != 0
    }

    pub(super) fn multiply_by_power_of_five(&mut self, n: u32) {
        for chunk in chunks(n) {
            self.multiply_add(chunk, 0);
        }
    }

    pub(super) fn divide_by_power_of_five(&mut self, n: u32) -> bool {
        chunks(n).fold(false, |inexact, chunk| self.divide(chunk) | inexact)
    }

    pub(super) fn shift_left(&mut self, n: u32) {
        self.multiply_add(1 << (n % 64), 0);
        self.0.splice(0..0, std::iter::repeat_n(0, n as usize / 64));
    }

    /// Returns the number without its lowest `n` bits, and whether any of these was set; at most 128 bits may
    /// remain.
    pub(super) fn shifted_right(&self, n: u32) -> (u128, bool) {
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

/// A positive number without rounding: `odd` · 2^`exponent`.
pub(super) struct ExactNumber {
    odd: u128,
    exponent: i32,
    /// The bits of the integer after a negative exponent is converted to a power of ten.
    bits: u32,
}

impl ExactNumber {
    pub(super) fn new(significand: u128, exponent: i32) -> Self {
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

    /// Returns an integer and a power of ten: the number truncated in the way of LLVM, before it is converted
    /// to `digits` digits.
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

    pub(super) fn digits(&self, digits: u32) -> Decimal {
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
pub(super) struct Decimal {
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
    pub(super) fn write_padded(&self, out: &mut Vec<u8>, fraction: usize) {
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

    /// Writes the shortest form. Writes nothing and returns `false` if that form has no decimal point and so
    /// is not a float literal.
    pub(super) fn write_plain(&self, out: &mut Vec<u8>, digits: usize) -> bool {
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
