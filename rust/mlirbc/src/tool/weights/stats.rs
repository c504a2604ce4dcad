//! Statistics of the elements of a weight.

use std::borrow::Cow;
use std::sync::OnceLock;

use crate::attr::text::dense::Element;
use crate::attr::text::float::Semantics;
use crate::wire::error::Result;
use crate::wire::progress::Progress;

use super::block::Blocks;
use super::{Weight, WeightKind, Weights};

/// What the elements of a weight are like. Numbers are rounded to `f64`.
#[derive(Debug, Clone, Default, PartialEq, serde::Serialize)]
pub struct WeightStats {
    /// How many elements there are.
    pub count: u64,
    /// The smallest, without NaN; `None` if there is none.
    pub min: Option<f64>,
    /// The largest, without NaN.
    pub max: Option<f64>,
    /// The mean of the finite elements.
    pub mean: Option<f64>,
    /// The standard deviation of the finite elements.
    pub std: Option<f64>,
    /// How many are zero.
    pub zeros: u64,
    /// How many are not a number.
    pub nans: u64,
    /// How many are infinite.
    pub infinities: u64,
}

/// What is known of the elements so far.
#[derive(Debug, Default)]
struct Sums {
    stats: WeightStats,
    finite: f64,
    mean: f64,
    /// The sum of the squares of the differences from the mean.
    squares: f64,
    block: Vec<f64>,
}

impl Sums {
    /// Adds a block, of which the mean is computed first: sums of squares alone lose digits.
    fn add(&mut self, values: impl Iterator<Item = f64>) {
        let (mut min, mut max) =
            (self.stats.min.unwrap_or(f64::INFINITY), self.stats.max.unwrap_or(f64::NEG_INFINITY));
        self.block.clear();
        for value in values {
            self.stats.count += 1;
            if value.is_nan() {
                self.stats.nans += 1;
                continue;
            }
            min = min.min(value);
            max = max.max(value);
            self.stats.zeros += u64::from(value == 0.0);
            if value.is_finite() {
                self.block.push(value);
            } else {
                self.stats.infinities += 1;
            }
        }
        if self.stats.count > self.stats.nans {
            (self.stats.min, self.stats.max) = (Some(min), Some(max));
        }
        if self.block.is_empty() {
            return;
        }
        let count = self.block.len() as f64;
        let mean = self.block.iter().sum::<f64>() / count;
        let squares: f64 = self.block.iter().map(|value| (value - mean) * (value - mean)).sum();
        let (all, difference) = (self.finite + count, mean - self.mean);
        self.mean += difference * count / all;
        self.squares += squares + difference * difference * self.finite * count / all;
        self.finite = all;
    }

    fn finish(mut self, repeats: u64) -> WeightStats {
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

/// How elements are read.
enum Decoder {
    F32,
    F64,
    /// All values of up to 16 bits, by their bits.
    Table(Cow<'static, [f64]>, usize),
    /// Integers of so many bytes; unused bits, and whether they have a sign.
    Integer(usize, u32, bool),
    Float(Semantics, usize),
}

impl Decoder {
    /// `None` for elements that are not numbers of up to 64 bits, or floats.
    fn of(element: Element) -> Option<Self> {
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

    fn add(&self, bytes: &[u8], sums: &mut Sums) {
        let word = |bytes: &[u8]| bytes.iter().rev().fold(0_u64, |word, &byte| word << 8 | u64::from(byte));
        match self {
            Self::F32 => sums
                .add(bytes.as_chunks().0.iter().map(|&bytes: &[u8; 4]| f64::from(f32::from_le_bytes(bytes)))),
            Self::F64 => {
                sums.add(bytes.as_chunks().0.iter().map(|&bytes: &[u8; 8]| f64::from_le_bytes(bytes)));
            }
            Self::Table(values, size) => sums.add(
                bytes
                    .chunks_exact(*size)
                    .map(|bytes| values.get(word(bytes) as usize).copied().unwrap_or(f64::NAN)),
            ),
            &Self::Integer(size, unused, is_signed) => {
                sums.add(bytes.chunks_exact(size).map(|bytes| match word(bytes) << unused {
                    bits if is_signed => (bits as i64 >> unused) as f64,
                    bits => (bits >> unused) as f64,
                }));
            }
            Self::Float(of, size) => sums.add(bytes.chunks_exact(*size).map(|bytes| {
                let bits = bytes.iter().rev().fold(0_u128, |bits, &byte| bits << 8 | u128::from(byte));
                of.to_f64(bits)
            })),
        }
    }

    fn storage(&self) -> usize {
        match self {
            Self::F32 => 4,
            Self::F64 => 8,
            Self::Table(_, size) | Self::Integer(size, ..) | Self::Float(_, size) => *size,
        }
    }
}

impl Weights {
    /// Reads the elements of a weight, in blocks. `None` without data, and for elements that are not integers of up to
    /// 64 bits or floats, or that are packed, except one-bit ones.
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
        let mut done = 0;
        if is_splat && weight.is_packed() {
            let byte = self.module().source().get(weight.range.clone())?;
            sums.add(byte.first().map(|&byte| f64::from(u8::from(byte != 0))).into_iter());
            return Ok(Some(sums.finish(count)));
        }
        Blocks::new(self.module().source()).each_unpacked(weight, size, |block| {
            self.module().check_interrupt()?;
            decoder.add(block, &mut sums);
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
        let mut sums = Sums::default();
        Decoder::of(element).unwrap().add(bytes, &mut sums);
        sums.finish(1)
    }

    #[test]
    fn floats() {
        let bytes: Vec<u8> =
            [1.0_f32, f32::NAN, -3.0, 0.0, f32::INFINITY].into_iter().flat_map(f32::to_le_bytes).collect();
        let found = stats(Element::Float(Semantics::F32), &bytes);
        assert_eq!((found.count, found.zeros, found.nans, found.infinities), (5, 1, 1, 1));
        assert_eq!((found.min, found.max), (Some(-3.0), Some(f64::INFINITY)));
        let mean = -2.0 / 3.0;
        assert!((found.mean.unwrap() - mean).abs() < 1e-12);
        assert!((found.std.unwrap() - (10.0 / 3.0 - mean * mean).sqrt()).abs() < 1e-12);
    }

    #[test]
    fn small_floats_by_table() {
        let found = stats(Element::Float(Semantics::BF16), &[0x80, 0x3f, 0x00, 0xc0]);
        assert_eq!((found.min, found.max, found.mean), (Some(-2.0), Some(1.0), Some(-0.5)));
    }

    #[test]
    fn integers_have_the_sign_of_their_type() {
        for (element, min, max) in [
            (Element::Signless(4), -1.0, 7.0),
            (Element::Unsigned(4), 7.0, 15.0),
            (Element::Signless(8), 7.0, 15.0),
        ] {
            let found = stats(element, &[0x0f, 0x07]);
            assert_eq!((found.min, found.max), (Some(min), Some(max)), "{element:?}");
        }
        assert!(Decoder::of(Element::Signless(65)).is_none());
    }

    #[test]
    fn a_large_mean_loses_no_digits() {
        let bytes: Vec<u8> = (0..1000).flat_map(|step| (1e9 + f64::from(step % 2)).to_le_bytes()).collect();
        let found = stats(Element::Float(Semantics::F64), &bytes);
        assert_eq!((found.mean, found.std), (Some(1e9 + 0.5), Some(0.5)));
    }
}
