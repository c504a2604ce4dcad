//! Statistics of the elements of a weight.

use std::borrow::Cow;
use std::sync::OnceLock;

use crate::attr::text::dense::Element;
use crate::attr::text::float::Semantics;
use crate::wire::error::Result;
use crate::wire::progress::Progress;

use super::block::Blocks;
use super::{Weight, WeightKind, Weights};

/// Statistics of the elements of a weight. Numbers are rounded to `f64`.
#[derive(Debug, Clone, Default, PartialEq, serde::Serialize)]
pub struct WeightStats {
    /// The number of elements.
    pub count: u64,
    /// The smallest element, without NaN; `None` if there is none.
    pub min: Option<f64>,
    /// The largest element, without NaN.
    pub max: Option<f64>,
    /// The mean of the finite elements.
    pub mean: Option<f64>,
    /// The standard deviation of the finite elements.
    pub std: Option<f64>,
    /// The number of zeros.
    pub zeros: u64,
    /// The number of elements that are not a number.
    pub nans: u64,
    /// The number of infinite elements.
    pub infinities: u64,
}

/// Running sums over the elements so far.
#[derive(Debug, Default)]
pub(super) struct Sums {
    stats: WeightStats,
    finite: f64,
    mean: f64,
    /// The sum of the squares of the differences from the mean.
    squares: f64,
}

impl Sums {
    /// Adds a block, whose mean is computed first: sums of squares alone lose digits.
    pub(super) fn add(&mut self, values: &[f64]) {
        let (mut min, mut max) =
            (self.stats.min.unwrap_or(f64::INFINITY), self.stats.max.unwrap_or(f64::NEG_INFINITY));
        let (mut zeros, mut nans, mut finite, mut sum) = (0_u64, 0_u64, 0_u64, 0.0);
        for &value in values {
            // `min` and `max` ignore NaN.
            min = min.min(value);
            max = max.max(value);
            zeros += u64::from(value == 0.0);
            nans += u64::from(value.is_nan());
            finite += u64::from(value.is_finite());
            sum += if value.is_finite() { value } else { 0.0 };
        }
        let stats = &mut self.stats;
        stats.count += values.len() as u64;
        (stats.zeros, stats.nans) = (stats.zeros + zeros, stats.nans + nans);
        stats.infinities += values.len() as u64 - nans - finite;
        if stats.count > stats.nans {
            (stats.min, stats.max) = (Some(min), Some(max));
        }
        if finite == 0 {
            return;
        }
        let count = finite as f64;
        let mean = sum / count;
        let square = |value: f64| if value.is_finite() { (value - mean) * (value - mean) } else { 0.0 };
        let squares: f64 = values.iter().copied().map(square).sum();
        let (all, difference) = (self.finite + count, mean - self.mean);
        self.mean += difference * count / all;
        self.squares += squares + difference * difference * self.finite * count / all;
        self.finite = all;
    }

    pub(super) fn finish(mut self, repeats: u64) -> WeightStats {
        if self.finite > 0.0 {
            self.stats.mean = Some(self.mean);
            self.stats.std = Some((self.squares / self.finite).sqrt());
        }
        let stats = &mut self.stats;
        for count in [&mut stats.count, &mut stats.zeros, &mut stats.nans, &mut stats.infinities] {
            *count = count.saturating_mul(repeats);
        }
        self.stats
    }
}

/// The values of `f16` and `bf16`.
static HALVES: [OnceLock<Vec<f64>>; 2] = [const { OnceLock::new() }; 2];

/// Decodes elements.
pub(super) enum Decoder {
    F32,
    F64,
    /// The values of all bit patterns of up to 16 bits.
    Table(Cow<'static, [f64]>, usize),
    /// Integers: their size in bytes, the number of unused bits, and whether they are signed.
    Integer(usize, u32, bool),
    Float(Semantics, usize),
}

impl Decoder {
    /// Returns the decoder of an element type; `None` unless elements are integers of up to 64 bits, or
    /// floats.
    pub(super) fn of(element: Element) -> Option<Self> {
        let storage = element.storage();
        Some(match element {
            Element::Complex(_) => return None,
            Element::Float(Semantics::F32) => Self::F32,
            Element::Float(Semantics::F64) => Self::F64,
            Element::Float(of) if of.bits() <= 16 => {
                // Unused bits of a byte are ignored.
                let value = move |bits| of.to_f64(bits & ((1 << of.bits()) - 1));
                let values = || (0..1_u128 << (8 * storage)).map(value).collect::<Vec<_>>();
                let table = match of {
                    Semantics::F16 => Cow::Borrowed(&HALVES[0].get_or_init(values)[..]),
                    Semantics::BF16 => Cow::Borrowed(&HALVES[1].get_or_init(values)[..]),
                    _ => Cow::Owned(values()),
                };
                Self::Table(table, storage)
            }
            Element::Float(of) => Self::Float(of, storage),
            Element::Signless(bits) | Element::Signed(bits) | Element::Unsigned(bits) => {
                if !(1..=64).contains(&bits) {
                    return None;
                }
                let is_signed = bits > 1 && !matches!(element, Element::Unsigned(_));
                Self::Integer(storage, 64 - bits, is_signed)
            }
            Element::Index => Self::Integer(8, 0, true),
        })
    }

    /// Replaces `values` by the elements in `bytes`.
    pub(super) fn decode(&self, bytes: &[u8], values: &mut Vec<f64>) {
        values.clear();
        match self {
            Self::F32 => {
                values.extend(bytes.as_chunks().0.iter().map(|&bytes| f64::from(f32::from_le_bytes(bytes))));
            }
            Self::F64 => values.extend(bytes.as_chunks().0.iter().map(|&bytes| f64::from_le_bytes(bytes))),
            Self::Table(table, 1) => {
                values.extend(
                    bytes.iter().map(|&byte| table.get(usize::from(byte)).copied().unwrap_or(f64::NAN)),
                );
            }
            Self::Table(table, _) => values.extend(bytes.as_chunks().0.iter().map(|&bytes| {
                let bits = u16::from_le_bytes(bytes);
                table.get(usize::from(bits)).copied().unwrap_or(f64::NAN)
            })),
            &Self::Integer(1, unused, is_signed) => {
                values.extend(bytes.iter().map(|&byte| integer(byte.into(), unused, is_signed)));
            }
            &Self::Integer(4, unused, is_signed) => values.extend(
                bytes
                    .as_chunks()
                    .0
                    .iter()
                    .map(|&bytes| integer(u32::from_le_bytes(bytes).into(), unused, is_signed)),
            ),
            &Self::Integer(size, unused, is_signed) => values.extend(bytes.chunks_exact(size).map(|bytes| {
                let word = bytes.iter().rev().fold(0_u64, |word, &byte| word << 8 | u64::from(byte));
                integer(word, unused, is_signed)
            })),
            Self::Float(of, size) => values.extend(bytes.chunks_exact(*size).map(|bytes| {
                let bits = bytes.iter().rev().fold(0_u128, |bits, &byte| bits << 8 | u128::from(byte));
                of.to_f64(bits)
            })),
        }
    }

    pub(super) fn storage(&self) -> usize {
        match self {
            Self::F32 => 4,
            Self::F64 => 8,
            Self::Table(_, size) | Self::Integer(size, ..) | Self::Float(_, size) => *size,
        }
    }
}

/// Converts an integer whose upper bits are unused.
#[inline]
fn integer(word: u64, unused: u32, is_signed: bool) -> f64 {
    match word << unused {
        bits if is_signed => (bits as i64 >> unused) as f64,
        bits => (bits >> unused) as f64,
    }
}

impl Weights {
    /// Reads the elements of a weight, in blocks. `None` without data, and for elements that are not integers
    /// of up to 64 bits or floats, or that are packed, except one-bit ones.
    ///
    /// # Errors
    /// If the file can no longer be read.
    ///
    /// ```
    /// let module = mlirbc::Module::open("../../examples/two_layers.mlirbc")?;
    /// let weights = mlirbc::tool::Weights::of(&module)?;
    /// let stats = weights.stats(weights.require("layer0.bias")?, &Default::default())?.unwrap();
    /// assert_eq!((stats.min, stats.max, stats.zeros), (Some(-1.0), Some(0.5), 1));
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn stats(&self, weight: &Weight, progress: &Progress) -> Result<Option<WeightStats>> {
        let Some(decoder) = weight.element.filter(|_| weight.has_data).and_then(Decoder::of) else {
            return Ok(None);
        };
        let (size, count) = (decoder.storage() as u64, weight.count());
        let is_splat = weight.kind == WeightKind::Splat;
        let elements = if is_splat { 1 } else { count };
        if !weight.is_packed() && weight.size != elements.saturating_mul(size) {
            return Ok(None);
        }
        let mut sums = Sums::default();
        let (mut done, mut values) = (0, Vec::new());
        if is_splat && weight.is_packed() {
            let byte = self.module().source().get(weight.range.clone())?;
            sums.add(&[f64::from(u8::from(byte.first().is_some_and(|&byte| byte != 0)))]);
            return Ok(Some(sums.finish(count)));
        }
        Blocks::new(self.module().source()).each_unpacked(weight, size, |block| {
            self.module().tables().check_interrupt()?;
            decoder.decode(block, &mut values);
            sums.add(&values);
            done += block.len() as u64;
            progress.report(done, elements.saturating_mul(size));
            Ok(())
        })?;
        self.module().source().check()?;
        Ok(Some(sums.finish(if is_splat { count } else { 1 })))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stats(element: Element, bytes: &[u8]) -> WeightStats {
        let (mut sums, mut values) = (Sums::default(), Vec::new());
        Decoder::of(element).unwrap().decode(bytes, &mut values);
        sums.add(&values);
        sums.finish(1)
    }

    #[test]
    fn floats() {
        let bytes: Vec<u8> =
            [1.0_f32, f32::NAN, -3.0, 0.0, f32::INFINITY].into_iter().flat_map(f32::to_le_bytes).collect();
        let result = stats(Element::Float(Semantics::F32), &bytes);
        assert_eq!((result.count, result.zeros, result.nans, result.infinities), (5, 1, 1, 1));
        assert_eq!((result.min, result.max), (Some(-3.0), Some(f64::INFINITY)));
        let mean = -2.0 / 3.0;
        assert!((result.mean.unwrap() - mean).abs() < 1e-12);
        assert!((result.std.unwrap() - (10.0 / 3.0 - mean * mean).sqrt()).abs() < 1e-12);
    }

    #[test]
    fn small_floats_by_table() {
        let result = stats(Element::Float(Semantics::BF16), &[0x80, 0x3f, 0x00, 0xc0]);
        assert_eq!((result.min, result.max, result.mean), (Some(-2.0), Some(1.0), Some(-0.5)));
    }

    #[test]
    fn integers_have_the_sign_of_their_type() {
        for (element, min, max) in [
            (Element::Signless(4), -1.0, 7.0),
            (Element::Unsigned(4), 7.0, 15.0),
            (Element::Signless(8), 7.0, 15.0),
        ] {
            let result = stats(element, &[0x0f, 0x07]);
            assert_eq!((result.min, result.max), (Some(min), Some(max)), "{element:?}");
        }
        assert!(Decoder::of(Element::Signless(65)).is_none());
    }

    #[test]
    fn a_large_mean_loses_no_digits() {
        let bytes: Vec<u8> = (0..1000).flat_map(|step| (1e9 + f64::from(step % 2)).to_le_bytes()).collect();
        let result = stats(Element::Float(Semantics::F64), &bytes);
        assert_eq!((result.mean, result.std), (Some(1e9 + 0.5), Some(0.5)));
    }
}
