//! Integer literals of any width.

use num_bigint::BigUint;

use super::lexer::Sign;

/// Appends the decimal form of an integer of `width` bits, given as 64-bit words, lowest first
/// (`APInt::print` in `llvm/lib/Support/APInt.cpp`).
///
/// Bits above the width are ignored, missing words are zero.
pub(crate) fn write_int(out: &mut Vec<u8>, words: &[u64], width: u32, signed: bool) {
    if width <= 64 {
        let unused = 64 - width.max(1);
        let word = if width == 0 { 0 } else { words.first().copied().unwrap_or(0) };
        let mut buffer = itoa::Buffer::new();
        let text = if signed {
            buffer.format((word << unused).cast_signed() >> unused)
        } else {
            buffer.format(word << unused >> unused)
        };
        out.extend_from_slice(text.as_bytes());
        return;
    }
    let mut words: Vec<u64> = words.iter().copied().take(width.div_ceil(64) as usize).collect();
    let negative = signed && bit(&words, width - 1);
    if negative {
        // The sign bit is in the last word, so all words are there.
        negate(&mut words);
        out.push(b'-');
    }
    clear_above(&mut words, width);
    let halves = words.iter().flat_map(|&word| [word as u32, (word >> 32) as u32]).collect();
    out.extend_from_slice(BigUint::new(halves).to_str_radix(10).as_bytes());
}

/// An integer in two's complement of any width.
///
/// A literal of few digits may have a type of 2^24 bits, so words that only repeat the sign are not stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Integer {
    /// The lowest words, low word first.
    low: Vec<u64>,
    /// The value of all further words of the width.
    high: u64,
    /// The number of words of the width.
    len: usize,
    /// A mask of the bits of the last word that belong to the width.
    last: u64,
}

impl Integer {
    fn new(mut low: Vec<u64>, high: u64, width: u32) -> Self {
        let len = width.div_ceil(64) as usize;
        while low.last() == Some(&high) {
            low.pop();
        }
        let last = match width % 64 {
            0 => u64::MAX,
            bits => (1 << bits) - 1,
        };
        Self { low, high, len, last }
    }

    /// Creates a number of at most 64 bits, or the bits of a float.
    pub(crate) fn of_words(low: Vec<u64>, width: u32) -> Self {
        Self::new(low, 0, width)
    }

    /// The lowest word; zero for a width of zero.
    #[inline]
    pub(crate) fn low_word(&self) -> u64 {
        let word = self.low.first().copied().unwrap_or(self.high);
        match self.len {
            0 => 0,
            1 => word & self.last,
            _ => word,
        }
    }

    /// The low 128 bits.
    pub(crate) fn low_bits(&self) -> u128 {
        let mut words = self.words();
        let mut next = || u128::from(words.next().unwrap_or_default());
        next() | next() << 64
    }

    /// All words of the width, low word first. Bits above the width are zero.
    pub(crate) fn words(&self) -> impl Iterator<Item = u64> {
        let words = self.low.iter().copied().chain(std::iter::repeat(self.high)).take(self.len).enumerate();
        words.map(|(place, word)| if place + 1 == self.len { word & self.last } else { word })
    }

    /// The words up to the last one that is not zero.
    pub(crate) fn used_words(&self) -> impl Iterator<Item = u64> {
        self.words().take(self.used_len())
    }

    /// The number of words up to the last one that is not zero.
    pub(crate) fn used_len(&self) -> usize {
        if self.high == 0 { self.low.len().min(self.len) } else { self.len }
    }
}

/// Parses an integer literal, decimal or `0x` hexadecimal, with an optional `-` before `digits`; `None` for
/// any other text, and if the number does not fit.
///
/// A signless integer may use all bits with or without a `-`; a `-` requires a negative result, so there is
/// no `-0` (`buildAttributeAPInt` in `mlir/lib/AsmParser/AttributeParser.cpp`). An `index` is signed.
pub(crate) fn parse_int(negative: bool, digits: &[u8], width: u32, sign: Sign) -> Option<Integer> {
    if negative && sign == Sign::Unsigned {
        return None;
    }
    let len = width.div_ceil(64) as usize;
    let mut words = match digits.strip_prefix(b"0x") {
        Some(digits) => parse_hex(digits, width)?,
        None => parse_decimal(digits, width)?,
    };
    if words.iter().skip(len).any(|&word| word != 0) || clear_above(&mut words, width) {
        return None;
    }
    words.truncate(len);
    let mut high = 0;
    if negative {
        // A carry out of the last word occurs only for zero, whose further words are zero, too.
        high = if words.iter().any(|&word| word != 0) { u64::MAX } else { 0 };
        negate(&mut words);
        clear_above(&mut words, width);
    }
    let top = width != 0 && if words.len() < len { high != 0 } else { bit(&words, width - 1) };
    let fits = if negative { top } else { !(top && sign == Sign::Signed) };
    fits.then(|| Integer::new(words, high, width))
}

fn bit(words: &[u64], at: u32) -> bool {
    words.get(at as usize / 64).is_some_and(|word| word >> (at % 64) & 1 == 1)
}

/// Clears the bits of the last word above the width, and returns whether one was set.
fn clear_above(words: &mut [u64], width: u32) -> bool {
    match words.get_mut(width as usize / 64) {
        Some(word) => {
            let masked = *word & ((1 << (width % 64)) - 1);
            std::mem::replace(word, masked) != masked
        }
        None => false,
    }
}

fn negate(words: &mut [u64]) {
    let mut carry = true;
    for word in words {
        (*word, carry) = (!*word).overflowing_add(u64::from(carry));
    }
}

fn without_zeros(digits: &[u8]) -> &[u8] {
    let zeros = digits.iter().take_while(|&&digit| digit == b'0').count();
    &digits[zeros..]
}

fn parse_hex(digits: &[u8], width: u32) -> Option<Vec<u64>> {
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_hexdigit) {
        return None;
    }
    let digits = without_zeros(digits);
    if digits.len() > width.div_ceil(4) as usize {
        return None;
    }
    let word = |digits: &[u8]| digits.iter().fold(0, |word, &digit| word << 4 | u64::from(hex_value(digit)));
    Some(digits.rchunks(16).map(word).collect())
}

/// The value of a hexadecimal digit. A mapped file can change after its digits were checked, so no byte may cause a panic.
fn hex_value(digit: u8) -> u8 {
    (digit & 15) + if digit > b'9' { 9 } else { 0 }
}

/// The value of a decimal digit; like [`hex_value`], it accepts any byte.
pub(crate) fn decimal_value(digit: u8) -> u8 {
    digit & 15
}

fn parse_decimal(digits: &[u8], width: u32) -> Option<Vec<u64>> {
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let digits = without_zeros(digits);
    if digits.len() <= 19 {
        let value = digits.iter().fold(0, |value, &digit| value * 10 + u64::from(decimal_value(digit)));
        return Some(vec![value]);
    }
    // A digit is more than three bits, so this many digits cannot fit; fewer digits are worth converting.
    if digits.len() > width as usize / 3 + 1 {
        return None;
    }
    // Pairs of neighbours are joined until a single number is left, so that most of the work is
    // multiplications of large numbers, which take less than quadratic time.
    const BLOCK: u32 = 512;
    let mut power = BigUint::from(10_u8).pow(BLOCK);
    let mut parts: Vec<BigUint> =
        digits.rchunks(BLOCK as usize).map(|block| BigUint::parse_bytes(block, 10)).collect::<Option<_>>()?;
    while parts.len() > 1 {
        let join = |pair: &[BigUint]| match pair {
            [low, high] => low + high * &power,
            _ => pair.iter().sum(),
        };
        parts = parts.chunks(2).map(join).collect();
        if parts.len() > 1 {
            power = &power * &power;
        }
    }
    Some(parts.pop()?.to_u64_digits())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn written(words: &[u64], width: u32, signed: bool) -> String {
        let mut out = Vec::new();
        write_int(&mut out, words, width, signed);
        String::from_utf8(out).unwrap()
    }

    fn parsed(text: &str, width: u32, sign: Sign) -> Option<Vec<u64>> {
        let (negative, digits) = text.strip_prefix('-').map_or((false, text), |digits| (true, digits));
        parse_int(negative, digits.as_bytes(), width, sign).map(|integer| {
            let words: Vec<u64> = integer.words().collect();
            let used: Vec<u64> = integer.used_words().collect();
            assert_eq!(used, words[..used.len()]);
            assert!(words[used.len()..].iter().all(|&word| word == 0));
            assert_eq!(integer.low_word(), words.first().copied().unwrap_or_default());
            words
        })
    }

    #[test]
    fn the_sign_is_the_highest_bit_of_the_width() {
        assert_eq!(written(&[0x80], 8, true), "-128");
        assert_eq!(written(&[0x80], 8, false), "128");
        assert_eq!(written(&[0xf_ff80], 8, true), "-128");
        assert_eq!(written(&[1], 1, true), "-1");
        assert_eq!(written(&[], 0, true), "0");
        assert_eq!(written(&[u64::MAX], 64, true), "-1");
        assert_eq!(written(&[0, 1], 65, true), "-18446744073709551616");
        assert_eq!(written(&[0, 1], 65, false), "18446744073709551616");
        assert_eq!(written(&[7], 128, true), "7");
    }

    #[test]
    fn an_integer_fits_by_the_rules_of_its_type() {
        for (text, width, sign, words) in [
            ("255", 8, Sign::Signless, Some(vec![255])),
            ("256", 8, Sign::Signless, None),
            ("-128", 8, Sign::Signless, Some(vec![0x80])),
            ("-129", 8, Sign::Signless, None),
            ("-255", 8, Sign::Signless, None),
            ("128", 8, Sign::Signed, None),
            ("127", 8, Sign::Signed, Some(vec![127])),
            ("-1", 8, Sign::Unsigned, None),
            ("-0", 8, Sign::Signless, None),
            ("0", 0, Sign::Signless, Some(vec![])),
            ("1", 0, Sign::Signless, None),
            ("0x00000000000000000000ff", 8, Sign::Signless, Some(vec![255])),
            ("0x100", 8, Sign::Signless, None),
            ("-0x1", 8, Sign::Signless, Some(vec![255])),
            ("-1", 1, Sign::Signless, Some(vec![1])),
            ("18446744073709551616", 65, Sign::Signless, Some(vec![0, 1])),
            ("", 8, Sign::Signless, None),
            ("0x", 8, Sign::Signless, None),
            ("1a", 8, Sign::Signless, None),
        ] {
            assert_eq!(parsed(text, width, sign), words, "{text}");
        }
    }

    #[test]
    fn a_long_literal_that_cannot_fit_costs_nothing() {
        assert_eq!(parse_int(false, &vec![b'9'; 1 << 20], 64, Sign::Signless), None);
    }

    #[test]
    fn a_short_literal_of_a_wide_type_stays_short() {
        const WIDEST: u32 = (1 << 24) - 1;
        for (negative, digits, sign, is_negative) in [
            (false, "1", Sign::Signed, false),
            (true, "1", Sign::Signless, true),
            (true, "0x1", Sign::Signed, true),
            (true, "18446744073709551616", Sign::Signed, true),
        ] {
            let integer = parse_int(negative, digits.as_bytes(), WIDEST, sign).unwrap();
            assert!(integer.low.len() < 3, "{digits}");
            assert_eq!(integer.words().count(), 262_144);
            assert_eq!(integer.words().last(), Some(if is_negative { u64::MAX >> 1 } else { 0 }));
            assert_eq!(integer.used_len(), if is_negative { 262_144 } else { 1 });
        }
        assert_eq!(parse_int(true, b"0", WIDEST, Sign::Signed), None);
        // Equal numbers compare equal, independently of their spelling.
        let number = |digits: &str| parse_int(true, digits.as_bytes(), WIDEST, Sign::Signless);
        assert_eq!(number("00000000000000000000000001"), number("0x1"));
    }

    #[test]
    fn wide_integers_do_not_take_quadratic_time() {
        let width = 1 << 19;
        let words: Vec<u64> =
            (0..width / 64).map(|n| u64::from(n).wrapping_mul(0x9e37_79b9_7f4a_7c15)).collect();
        let text = written(&words, width, false);
        assert_eq!(parsed(&text, width, Sign::Signless), Some(words));
    }

    proptest! {
        #[test]
        fn what_is_printed_is_read_back(
            words in proptest::collection::vec(any::<u64>(), 0..40),
            cut in 0..64_u32,
            signed: bool,
        ) {
            let width = (words.len() as u32 * 64).saturating_sub(cut);
            let mut expected = words.clone();
            expected.truncate(width.div_ceil(64) as usize);
            clear_above(&mut expected, width);
            let sign = if signed { Sign::Signed } else { Sign::Unsigned };
            let text = written(&words, width, signed);
            prop_assert_eq!(parsed(&text, width, sign), Some(expected));
        }

        #[test]
        fn any_text_is_read_or_refused(text in "-?(0x)?[0-9a-f]{0,60}", width in 0..300_u32) {
            let _ = parsed(&text, width, Sign::Signless);
        }
    }
}
