//! Sums of the sizes in a step of the directory, computed in one word.

use super::STEP;

const ONES: u128 = u128::from_le_bytes([1; STEP]);

/// Returns the sum of the first `count` sizes, at most [`STEP`]; `None` if one of these, or the next size,
/// has several bytes.
#[inline]
pub(super) fn sum_of_first(sizes: &[u8; STEP], count: usize) -> Option<usize> {
    let words = u128::from_le_bytes(*sizes);
    // Masks cover the summed bytes, and for the check also the next byte.
    let mask = |bytes: usize| if bytes >= STEP { u128::MAX } else { (1 << (8 * bytes)) - 1 };
    if !words & ONES & mask(count + 1) != 0 {
        return None;
    }
    Some(sum_of(words & mask(count)))
}

/// Returns the sum of all sizes, which most steps need.
#[inline]
pub(super) fn sum_of_all(sizes: &[u8; STEP]) -> Option<usize> {
    let words = u128::from_le_bytes(*sizes);
    (words & ONES == ONES).then(|| sum_of(words))
}

/// Returns the sum of sizes of one byte.
#[inline]
fn sum_of(words: u128) -> usize {
    const SIZES: u64 = u64::from_le_bytes([0x3f; 8]);
    const EVEN: u64 = 0x00ff_00ff_00ff_00ff;
    // Each byte is at most 126. Pairs are added into lanes of 16 bits, which a multiplication adds up.
    let bytes = (words as u64 >> 2 & SIZES) + ((words >> 64) as u64 >> 2 & SIZES);
    let lanes = (bytes & EVEN) + (bytes >> 8 & EVEN);
    (lanes.wrapping_mul(0x0001_0001_0001_0001) >> 48) as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_sum_of_all_is_that_of_the_first_ones(sizes: [u8; STEP], is_short: bool) {
            let sizes = if is_short { sizes.map(|size| size | 1) } else { sizes };
            prop_assert_eq!(sum_of_all(&sizes), sum_of_first(&sizes, STEP));
        }
    }
}
