//! The distribution of the elements of a weight, from a sample of bounded size.

use crate::wire::error::Result;

use super::block::Blocks;
use super::stats::{Decoder, Sums};
use super::{Weight, WeightKind, WeightStats, Weights};

/// The number of elements that are read: all elements of a smaller weight, otherwise blocks at equal
/// distances.
const SAMPLE: u64 = 16_384;
/// The number of elements in a block of the sample.
const BLOCK: u64 = 256;
/// The number of ranges of equal width.
const BINS: usize = 32;

/// The distribution of the elements of a weight, or of a sample of its elements.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct Histogram {
    /// The statistics of the read elements; `count` is smaller than the weight's own count for a sample.
    pub stats: WeightStats,
    /// The number of finite elements in each of 32 ranges of equal width from the smallest to the largest
    /// finite one.
    pub bins: Vec<u64>,
}

impl Weights {
    /// Reads up to 16,384 elements of a weight: all, or blocks at equal distances. `None` as for
    /// [`Self::stats`], and if one element stands for all places.
    ///
    /// # Errors
    /// If the file can no longer be read.
    ///
    /// ```
    /// let module = mlirbc::Module::open("../../examples/two_layers.mlirbc")?;
    /// let weights = mlirbc::tool::Weights::of(&module)?;
    /// let histogram = weights.histogram(weights.require("layer0.weight")?)?.unwrap();
    /// assert_eq!((histogram.stats.count, histogram.bins.iter().sum::<u64>()), (12, 12));
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn histogram(&self, weight: &Weight) -> Result<Option<Histogram>> {
        let Some(decoder) = weight.element.filter(|_| weight.has_data).and_then(Decoder::of) else {
            return Ok(None);
        };
        let (size, count) = (decoder.storage() as u64, weight.count());
        if weight.is_packed() || weight.kind == WeightKind::Splat || weight.size != count.saturating_mul(size)
        {
            return Ok(None);
        }
        let mut blocks = Blocks::new(self.module().source());
        let (mut sums, mut values, mut all) = (Sums::default(), Vec::new(), Vec::new());
        let mut visit = |bytes: &[u8]| {
            decoder.decode(bytes, &mut values);
            sums.add(&values);
            all.extend(values.iter().copied().filter(|value| value.is_finite()));
            Ok(())
        };
        let starts = match count.checked_sub(SAMPLE + 1) {
            None => 1,
            Some(_) => SAMPLE / BLOCK,
        };
        let len = if starts == 1 { count } else { BLOCK };
        for number in 0..starts {
            self.module().tables().check_interrupt()?;
            // Computed in 128 bits, because the product of a count and a number may need more than 64.
            let first =
                (u128::from(count - len) * u128::from(number) / u128::from((starts - 1).max(1))) as u64;
            let start = weight.range.start + first * size;
            blocks.each(start..start + len * size, size, &mut visit)?;
        }
        self.module().source().check()?;
        Ok(Some(Histogram { stats: sums.finish(1), bins: binned(&all) }))
    }
}

fn binned(values: &[f64]) -> Vec<u64> {
    let mut bins = vec![0; BINS];
    let min = values.iter().copied().fold(f64::INFINITY, f64::min);
    let max = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    // Halves are subtracted, because the difference of two finite numbers may be infinite.
    let width = max / 2.0 - min / 2.0;
    for value in values {
        let place = if width > 0.0 { (value / 2.0 - min / 2.0) / width * BINS as f64 } else { 0.0 };
        if let Some(bin) = bins.get_mut((place as usize).min(BINS - 1)) {
            *bin += 1;
        }
    }
    bins
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_is_in_a_bin() {
        assert_eq!(binned(&[0.0, 31.5, 32.0, 1.0])[..2], [1, 1]);
        assert_eq!(binned(&[0.0, 31.5, 32.0])[31], 2);
        assert_eq!(binned(&[f64::MIN, 0.0, f64::MAX]).iter().sum::<u64>(), 3);
        assert_eq!(binned(&[5.0, 5.0])[0], 2);
        assert!(binned(&[]).iter().all(|&bin| bin == 0));
    }
}
