//! Decisions from bytes.

use arbitrary::Unstructured;

/// Decisions. When the bytes are used up, each is the first choice, so that fewer bytes make smaller modules.
#[derive(Debug)]
pub struct Draws<'d, 'b>(&'d mut Unstructured<'b>);

impl<'d, 'b> Draws<'d, 'b> {
    /// Decisions from these bytes.
    pub fn new(bytes: &'d mut Unstructured<'b>) -> Self {
        Self(bytes)
    }

    /// A number below `bound`; 0 if there is none.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        match bound.checked_sub(1) {
            Some(last) => self.0.int_in_range(0..=last).unwrap_or(0),
            None => 0,
        }
    }

    /// A number up to `most`.
    pub(crate) fn up_to(&mut self, most: usize) -> usize {
        self.below(most.saturating_add(1))
    }

    /// Once in so many times on average; never without bytes.
    pub(crate) fn one_in(&mut self, times: usize) -> bool {
        times > 0 && self.below(times) == times - 1
    }

    pub(crate) fn pick<'c, T>(&mut self, choices: &'c [T]) -> Option<&'c T> {
        choices.get(self.below(choices.len()))
    }

    /// One of texts that are known to be there.
    pub(crate) fn text(&mut self, choices: &[&'static str]) -> &'static str {
        self.pick(choices).copied().unwrap_or_default()
    }

    pub(crate) fn word(&mut self) -> u64 {
        self.0.arbitrary().unwrap_or(0)
    }

    pub(crate) fn bytes(&mut self, most: usize) -> Vec<u8> {
        let len = self.up_to(most);
        (0..len).map(|_| self.0.arbitrary().unwrap_or(0)).collect()
    }

    /// Another order of the places below `len`.
    pub(crate) fn order(&mut self, len: usize) -> Vec<usize> {
        let mut order: Vec<usize> = (0..len).collect();
        for place in 0..len {
            let other = place + self.below(len - place);
            order.swap(place, other);
        }
        order
    }
}

/// So many bytes from a seed, by SplitMix64.
pub(crate) fn bytes_of(seed: u64, len: usize) -> Vec<u8> {
    let mut state = seed;
    let mut bytes = Vec::with_capacity(len.next_multiple_of(8));
    while bytes.len() < len {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut word = state;
        word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bytes.extend((word ^ (word >> 31)).to_le_bytes());
    }
    bytes.truncate(len);
    bytes
}
