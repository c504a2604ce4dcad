//! The two integer encodings of the format.
//!
//! A varint stores 64 bits in 1 to 9 bytes: the number of trailing zero bits of the first byte is the number
//! of bytes that follow (`EncodingReader::parseVarInt` in `mlir/lib/Bytecode/Reader/BytecodeReader.cpp`).

/// The maximum length of a varint in bytes.
pub const MAX_LEN: usize = 9;

/// An unsigned 64-bit integer in 1 to 9 bytes.
///
/// ```
/// use mlirbc::varint::VarInt;
/// let mut bytes = Vec::new();
/// VarInt(300).write(&mut bytes);
/// assert_eq!(bytes, [0xb2, 0x04]);
/// assert_eq!(VarInt::read(&bytes), Some((VarInt(300), 2)));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct VarInt(pub u64);

/// A signed 64-bit integer, zigzag-folded into a [`VarInt`].
///
/// ```
/// use mlirbc::varint::SignedVarInt;
/// let mut bytes = Vec::new();
/// SignedVarInt(-1).write(&mut bytes);
/// assert_eq!(bytes, [0x03]);
/// assert_eq!(SignedVarInt::read(&bytes), Some((SignedVarInt(-1), 1)));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SignedVarInt(pub i64);

impl VarInt {
    /// Reads the value at the start of `bytes` and its length; `None` if the bytes end too early.
    #[inline]
    pub fn read(bytes: &[u8]) -> Option<(Self, usize)> {
        // The common lengths first.
        let first = match *bytes {
            [first, ..] if first & 1 == 1 => return Some((Self(u64::from(first >> 1)), 1)),
            [first, second, ..] if first & 3 == 2 => {
                return Some((Self(u64::from(u16::from_le_bytes([first, second]) >> 2)), 2));
            }
            [first, second, third, ..] if first & 7 == 4 => {
                return Some((Self(u64::from(u32::from_le_bytes([first, second, third, 0]) >> 3)), 3));
            }
            [first, ..] => first,
            [] => return None,
        };
        let len = Self::len_from_first_byte(first);
        if len == MAX_LEN {
            let word = bytes.get(1..MAX_LEN)?;
            return Some((Self(u64::from_le_bytes(word.try_into().ok()?)), MAX_LEN));
        }
        // An unaligned load serves every length; near the end the missing bytes are filled with zeros.
        let word = match bytes.get(..8) {
            Some(word) => u64::from_le_bytes(word.try_into().ok()?),
            None => {
                let mut word = 0;
                for (place, &byte) in bytes.get(..len)?.iter().enumerate() {
                    word |= u64::from(byte) << (8 * place);
                }
                word
            }
        };
        let used_bytes = word << (64 - 8 * len) >> (64 - 8 * len);
        Some((Self(used_bytes >> len), len))
    }

    /// Appends the shortest form, which is what MLIR writes.
    #[inline(always)]
    pub fn write(self, out: &mut Vec<u8>) {
        if self.0 < 128 {
            out.push((self.0 << 1 | 1) as u8);
        } else {
            self.write_long(out);
        }
    }

    #[inline]
    fn write_long(self, out: &mut Vec<u8>) {
        let len = self.encoded_len();
        match len {
            MAX_LEN => {
                out.push(0);
                out.extend_from_slice(&self.0.to_le_bytes());
            }
            _ => {
                // Appends eight bytes at once and removes the unused ones.
                let (word, end) = ((self.0 << 1 | 1) << (len - 1), out.len() + len);
                out.extend_from_slice(&word.to_le_bytes());
                out.truncate(end);
            }
        }
    }

    /// The length of the shortest form in bytes, 1 to 9.
    #[inline]
    pub fn encoded_len(self) -> usize {
        // Seven bits per byte: 9 / 64 is close enough to 1 / 7 for every number of bits, and avoids a
        // division.
        let last_bit = (self.0 | 1).ilog2() as usize;
        ((last_bit * 9 + 73) / 64).min(MAX_LEN)
    }

    /// Whether `len` bytes are the shortest form.
    #[inline]
    pub(crate) fn is_shortest(self, len: usize) -> bool {
        len == 1 || self.0 >> (7 * (len - 1)) != 0
    }

    /// The length in bytes of a varint that starts with `first`, 1 to 9.
    ///
    /// ```
    /// use mlirbc::varint::VarInt;
    /// assert_eq!([0x01, 0x02, 0x80, 0x00].map(VarInt::len_from_first_byte), [1, 2, 8, 9]);
    /// ```
    #[inline]
    pub fn len_from_first_byte(first: u8) -> usize {
        first.trailing_zeros() as usize + 1
    }
}

impl SignedVarInt {
    /// Reads the value at the start of `bytes` and its length; `None` if the bytes end too early.
    #[inline]
    pub fn read(bytes: &[u8]) -> Option<(Self, usize)> {
        let (folded, len) = VarInt::read(bytes)?;
        Some((Self::unfold(folded), len))
    }

    /// Converts from the zigzag form.
    #[inline]
    pub fn unfold(VarInt(folded): VarInt) -> Self {
        Self((folded >> 1) as i64 ^ -((folded & 1) as i64))
    }

    /// Appends the shortest form.
    #[inline]
    pub fn write(self, out: &mut Vec<u8>) {
        VarInt((self.0 << 1) as u64 ^ (self.0 >> 63) as u64).write(out);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn literal_forms() {
        let cases: [(u64, &[u8]); 6] = [
            (0, &[0x01]),
            (5, &[0x0b]),
            (127, &[0xff]),
            (128, &[0x02, 0x02]),
            (1 << 16, &[0x04, 0x00, 0x08]),
            (1 << 56, &[0, 0, 0, 0, 0, 0, 0, 0, 1]),
        ];
        for (value, bytes) in cases {
            let mut out = Vec::new();
            VarInt(value).write(&mut out);
            assert_eq!(out, bytes);
            assert_eq!(VarInt::read(bytes), Some((VarInt(value), bytes.len())));
        }
    }

    #[test]
    fn over_long_forms_are_read() {
        assert_eq!(VarInt::read(&[0x1a, 0x00]), Some((VarInt(6), 2)));
        assert_eq!(VarInt::read(&[0, 6, 0, 0, 0, 0, 0, 0, 0]), Some((VarInt(6), 9)));
    }

    #[test]
    fn cut_forms_are_refused() {
        for cut in 0..MAX_LEN {
            assert_eq!(VarInt::read(&[0; MAX_LEN][..cut]), None);
        }
        assert_eq!(VarInt::read(&[0x80, 1, 2, 3, 4, 5, 6]), None);
    }

    proptest! {
        #[test]
        fn unsigned_round_trips(value: u64, shift in 0u32..64, rest: Vec<u8>) {
            let value = value >> shift;
            let mut out = Vec::new();
            VarInt(value).write(&mut out);
            let len = out.len();
            prop_assert_eq!(len, VarInt(value).encoded_len());
            prop_assert!((1..=MAX_LEN).all(|other| other < len || VarInt(value).is_shortest(other) == (other == len)));
            out.extend(rest);
            prop_assert_eq!(VarInt::read(&out), Some((VarInt(value), len)));
        }

        #[test]
        fn signed_round_trips(value: i64, shift in 0u32..64) {
            let value = value >> shift;
            let mut out = Vec::new();
            SignedVarInt(value).write(&mut out);
            prop_assert_eq!(SignedVarInt::read(&out), Some((SignedVarInt(value), out.len())));
        }
    }
}
