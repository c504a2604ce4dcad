//! Symbols of the factors of a sharding rule (`factorSymbolString` in `shardy/dialect/sdy/ir/utils.cc`): `i` is 0,
//! `z` is 17, and `z_1` is 18.

const LETTERS: i64 = (b'z' - b'i') as i64;

/// Writes the symbol of a factor. A number below 0 has no symbol; Shardy prints a single byte for it.
pub(crate) fn write(out: &mut Vec<u8>, factor: i64) {
    if factor <= LETTERS {
        return out.push((factor as u8).wrapping_add(b'i'));
    }
    out.extend_from_slice(b"z_");
    out.extend_from_slice((factor - LETTERS).to_string().as_bytes());
}

/// Parses a word of adjacent symbols into factors; `None` if the word is anything else.
pub(crate) fn parse(word: &[u8]) -> Option<Vec<i64>> {
    let mut factors = Vec::new();
    let mut remaining = word;
    while let Some((&first, after)) = remaining.split_first() {
        let Some(numbered) = remaining.strip_prefix(b"z_") else {
            factors.push(i64::from(first.checked_sub(b'i').filter(|_| first <= b'z')?));
            remaining = after;
            continue;
        };
        let digits = numbered.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let (number, after) = numbered.split_at(digits);
        let number: i64 = std::str::from_utf8(number).ok()?.parse().ok()?;
        if numbered.first() == Some(&b'0') {
            return None;
        }
        factors.push(number.checked_add(LETTERS)?);
        remaining = after;
    }
    Some(factors)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn letters_come_before_numbers() {
        let text = |factors: &[i64]| {
            let mut out = Vec::new();
            factors.iter().for_each(|&factor| write(&mut out, factor));
            String::from_utf8(out).unwrap()
        };
        assert_eq!(text(&[0, 1, 17, 18, 37]), "ijzz_1z_20");
        assert_eq!(text(&[-1]), "h");
        assert_eq!(parse(b"ijzz_1z_20"), Some(vec![0, 1, 17, 18, 37]));
        for wrong in ["h", "i_1", "z_", "z_0", "z_01", "z_99999999999999999999", "{"] {
            assert_eq!(parse(wrong.as_bytes()), None, "{wrong}");
        }
    }

    proptest! {
        #[test]
        fn symbols_are_read_as_written(factors in prop::collection::vec(0..1_i64 << 40, 0..6)) {
            let mut word = Vec::new();
            factors.iter().for_each(|&factor| write(&mut word, factor));
            prop_assert_eq!(parse(&word), Some(factors));
        }
    }
}
