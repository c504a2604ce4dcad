//! Decisions, from bytes or one by one.

use arbitrary::Unstructured;

/// Makes decisions one by one, for tools that shrink decisions and not bytes.
///
/// The smallest module is that of the number 0 for each. Between `begin` and `end` is what can be left out as a whole:
/// an operation with all that is in it. Both are called in pairs that nest.
pub trait Decide {
    /// A number up to `last`. A greater one counts as `last`.
    fn number(&mut self, last: u64) -> u64;
    /// What is decided from here on belongs together.
    fn begin(&mut self) {}
    /// What belongs together ends.
    fn end(&mut self) {}
}

enum Source<'d, 'b> {
    Bytes(&'d mut Unstructured<'b>),
    Decisions(&'d mut dyn Decide),
}

/// Decisions. When the bytes are used up, each is the first choice, so that fewer bytes make smaller modules.
pub struct Draws<'d, 'b>(Source<'d, 'b>);

impl<'d, 'b> Draws<'d, 'b> {
    /// Decisions from these bytes.
    pub fn new(bytes: &'d mut Unstructured<'b>) -> Self {
        Self(Source::Bytes(bytes))
    }

    pub(crate) fn one_by_one(decide: &'d mut dyn Decide) -> Self {
        Self(Source::Decisions(decide))
    }

    /// A number below `bound`; 0 if there is none.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        match (&mut self.0, bound.saturating_sub(1)) {
            (_, 0) => 0,
            (Source::Bytes(bytes), last) => bytes.int_in_range(0..=last).unwrap_or(0),
            // Neither is greater than `last`, a `usize`.
            (Source::Decisions(decide), last) => decide.number(last as u64).min(last as u64) as usize,
        }
    }

    /// A number up to `most`.
    pub(crate) fn up_to(&mut self, most: usize) -> usize {
        self.below(most.saturating_add(1))
    }

    /// How many of at most so many are in a list, `bytes` if that is decided by bytes. One by one, it is decided before
    /// each, so that any of them can be left out.
    pub(crate) fn count(&mut self, most: usize, bytes: impl FnOnce(&mut Self) -> usize) -> usize {
        match self.0 {
            Source::Bytes(_) => bytes(self),
            Source::Decisions(_) => most,
        }
    }

    /// One more of a list of at most `most`, or its end; see [`Self::count`].
    pub(crate) fn begin_one(&mut self, most: usize) -> bool {
        match &mut self.0 {
            Source::Bytes(_) => true,
            Source::Decisions(decide) => {
                decide.begin();
                decide.number(most as u64) != 0
            }
        }
    }

    /// What [`Self::begin_one`] began ends.
    pub(crate) fn end_one(&mut self) {
        if let Source::Decisions(decide) = &mut self.0 {
            decide.end();
        }
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
        match &mut self.0 {
            Source::Bytes(bytes) => bytes.arbitrary().unwrap_or(0),
            Source::Decisions(decide) => decide.number(u64::MAX),
        }
    }

    pub(crate) fn bytes(&mut self, most: usize) -> Vec<u8> {
        let len = self.up_to(most);
        (0..len).map(|_| self.below(256) as u8).collect()
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
