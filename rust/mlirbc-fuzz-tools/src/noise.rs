//! Reproducible noise.

/// Reproducible noise (xorshift).
#[derive(Debug, Clone)]
pub struct Noise(u64);

impl Noise {
    /// Creates the noise of this seed.
    pub fn new(seed: u64) -> Self {
        // Neighbouring seeds must give different noise, and 0 would stay 0.
        Self(seed.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15).max(1))
    }

    /// Returns the next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// Returns a number below `bound`, which is not 0.
    pub fn below(&mut self, bound: usize) -> usize {
        ((self.bits() >> 11) % bound as u64) as usize
    }

    /// Returns a random item of a list; `None` if the list is empty.
    pub fn pick<'t, T>(&mut self, list: &'t [T]) -> Option<&'t T> {
        if list.is_empty() { None } else { list.get(self.below(list.len())) }
    }
}
