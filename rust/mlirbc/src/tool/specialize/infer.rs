//! The shape of the results of each operation of StableHLO, from the shapes of its operands and its attributes.

use crate::attr::{Attribute, FieldValue};
use crate::wire::error::Result;

use super::shape::{Dimension, TensorShape, merged};

/// Operations whose results have the shapes of their operands, in order.
const SAME: &[&str] = &[
    "optimization_barrier",
    "sort",
    "all_reduce",
    "collective_permute",
    "collective_broadcast",
    "cross-replica-sum",
    "sharding_constraint",
    "reverse",
    "cholesky",
    "rng_bit_generator",
    "reduce_precision",
];

/// Operations whose result has the shape of one operand.
const LIKE_OPERAND: &[(&str, usize)] = &[
    ("dynamic_update_slice", 0),
    ("select_and_scatter", 0),
    ("triangular_solve", 1),
    ("batch_norm_inference", 0),
    ("clamp", 1),
];

/// Operations on elements.
const ELEMENTWISE: &[&str] = &[
    "abs",
    "add",
    "and",
    "atan2",
    "cbrt",
    "ceil",
    "compare",
    "complex",
    "convert",
    "cosine",
    "count_leading_zeros",
    "divide",
    "exponential",
    "exponential_minus_one",
    "floor",
    "imag",
    "is_finite",
    "log",
    "log_plus_one",
    "logistic",
    "map",
    "maximum",
    "minimum",
    "multiply",
    "negate",
    "not",
    "or",
    "popcnt",
    "power",
    "real",
    "remainder",
    "round_nearest_afz",
    "round_nearest_even",
    "rsqrt",
    "select",
    "shift_left",
    "shift_right_arithmetic",
    "shift_right_logical",
    "sign",
    "sine",
    "sqrt",
    "subtract",
    "tan",
    "tanh",
    "uniform_dequantize",
    "uniform_quantize",
    "xor",
    // Operations of CHLO.
    "acos",
    "acosh",
    "asin",
    "asinh",
    "atan",
    "atanh",
    "bessel_i1e",
    "conj",
    "cosh",
    "digamma",
    "erf",
    "erf_inv",
    "erfc",
    "is_inf",
    "is_neg_inf",
    "is_pos_inf",
    "lgamma",
    "next_after",
    "polygamma",
    "sinh",
    "zeta",
    "square",
];

/// An operation whose shapes are inferred.
pub(super) struct Inference<'i> {
    pub(super) shapes: &'i [Option<TensorShape>],
    pub(super) attribute: &'i dyn Fn(&str) -> Option<Attribute>,
    /// The current shapes of the results.
    pub(super) results: &'i [Option<TensorShape>],
}

type Dims = Vec<Dimension>;

impl Inference<'_> {
    /// Returns the shapes of the results; `None` if no rule applies.
    pub(super) fn run(&self, name: &str) -> Result<Option<Vec<Dims>>> {
        if SAME.contains(&name) {
            return Ok((0..self.results.len()).map(|number| self.operand(number)).collect());
        }
        if let Some(&(_, number)) = LIKE_OPERAND.iter().find(|row| row.0 == name) {
            return Ok(self.operand(number).map(|dims| vec![dims]));
        }
        if ELEMENTWISE.contains(&name) {
            return Ok(self.elementwise().map(|dims| vec![dims]));
        }
        match name {
            // Scattered tensors come first, then the indices, then as many updates.
            "scatter" => Ok((0..self.results.len()).map(|number| self.operand(number)).collect()),
            "reduce" => Ok(self.reduced()),
            "reduce_window" => Ok(self.windows()),
            "top_k" => Ok(self.top_k()),
            _ => Ok(self.single(name)?.map(|dims| vec![dims])),
        }
    }

    fn single(&self, name: &str) -> Result<Option<Dims>> {
        Ok(match name {
            "transpose" => self.transposed(),
            "dot" => self.dot(),
            "dot_general" => self.dot_general()?,
            "concatenate" => self.concatenated(),
            "pad" => self.padded(),
            "slice" => self.sliced(),
            "dynamic_slice" => self.sizes("slice_sizes"),
            "gather" => self.gathered()?,
            "convolution" => self.convolved()?,
            "bitcast_convert" => self.bitcast(),
            "fft" => self.transformed(),
            _ => None,
        })
    }

    fn operand(&self, number: usize) -> Option<Dims> {
        Some(self.shapes.get(number)?.as_ref()?.dims.clone())
    }

    fn list(&self, name: &str) -> Option<Vec<i64>> {
        number_list((self.attribute)(name).as_ref())
    }

    fn sizes(&self, name: &str) -> Option<Dims> {
        Some(self.list(name)?.into_iter().map(|size| u64::try_from(size).ok()).collect())
    }

    fn number(&self, name: &str) -> Option<usize> {
        usize::try_from(*self.list(name)?.first()?).ok()
    }

    fn elementwise(&self) -> Option<Dims> {
        let rank = self.results.first()?.as_ref()?.dims.len();
        let same = self.shapes.iter().flatten().filter(|shape| shape.dims.len() == rank);
        let mut dims = vec![None; rank];
        for shape in same {
            dims = merged(&dims, &shape.dims)?;
        }
        Some(dims)
    }

    fn transposed(&self) -> Option<Dims> {
        let dims = self.operand(0)?;
        self.list("permutation")?.iter().map(|&dim| dims.get(usize::try_from(dim).ok()?).copied()).collect()
    }

    fn dot(&self) -> Option<Dims> {
        let (lhs, rhs) = (self.operand(0)?, self.operand(1)?);
        let free = lhs.split_last().map(|(_, rest)| rest)?;
        Some(free.iter().chain(rhs.iter().skip(1)).copied().collect())
    }

    fn dot_general(&self) -> Result<Option<Dims>> {
        let Some(numbers) = (self.attribute)("dot_dimension_numbers") else { return Ok(None) };
        let (Some(left), Some(right)) = (self.operand(0), self.operand(1)) else { return Ok(None) };
        let list = |name: &str| field_list(&numbers, name);
        let batching = [list("lhs_batching_dimensions")?, list("rhs_batching_dimensions")?];
        let contracting = [list("lhs_contracting_dimensions")?, list("rhs_contracting_dimensions")?];
        let dim = |side: &Dims, number: i64| side.get(usize::try_from(number).ok()?).copied();
        let mut dims = Vec::new();
        for (&one, &two) in batching[0].iter().zip(&batching[1]) {
            let (Some(one), Some(two)) = (dim(&left, one), dim(&right, two)) else { return Ok(None) };
            dims.push(one.or(two));
        }
        for (side, shape) in [&left, &right].into_iter().enumerate() {
            let free = (0i64..).zip(shape);
            let is_free = |at: &i64| !batching[side].contains(at) && !contracting[side].contains(at);
            dims.extend(free.filter(|(at, _)| is_free(at)).map(|(_, &size)| size));
        }
        Ok(Some(dims))
    }

    fn concatenated(&self) -> Option<Dims> {
        let at = self.number("dimension")?;
        let mut all = (0..self.shapes.len()).map(|number| self.operand(number));
        let mut dims = all.next()??;
        for next in all {
            let mut next = next?;
            let (slot, more) = (dims.get_mut(at)?, next.get_mut(at)?);
            let sum = slot.zip(*more).and_then(|(left, right)| left.checked_add(right));
            (*slot, *more) = (None, None);
            dims = merged(&dims, &next)?;
            *dims.get_mut(at)? = sum;
        }
        Some(dims)
    }

    fn padded(&self) -> Option<Dims> {
        let lists = ["edge_padding_low", "edge_padding_high", "interior_padding"].map(|name| self.list(name));
        let [Some(low), Some(high), Some(inner)] = lists else { return None };
        padded(&self.operand(0)?, &low, &high, &inner)
    }

    fn sliced(&self) -> Option<Dims> {
        let lists = ["start_indices", "limit_indices", "strides"].map(|name| self.list(name));
        let [Some(start), Some(limit), Some(strides)] = lists else { return None };
        sliced(&start, &limit, &strides)
    }

    fn reduced(&self) -> Option<Vec<Dims>> {
        let removed = self.list("dimensions")?;
        let result = |number: usize| {
            let remaining = (0i64..).zip(self.operand(number)?).filter(|(at, _)| !removed.contains(at));
            Some(remaining.map(|(_, size)| size).collect())
        };
        (0..self.results.len()).map(result).collect()
    }

    fn windows(&self) -> Option<Vec<Dims>> {
        let window = self.list("window_dimensions")?;
        let ones = || vec![1; window.len()];
        let or_ones = |name: &str| self.list(name).unwrap_or_else(ones);
        let padding = self.list("padding").unwrap_or_else(|| vec![0; 2 * window.len()]);
        let result = |number: usize| {
            let dims = self.operand(number)?.into_iter().enumerate();
            dims.map(|(at, size)| {
                let part = |list: &[i64]| list.get(at).copied();
                let sizes = WindowSizes {
                    window: part(&window)?,
                    stride: part(&or_ones("window_strides"))?,
                    base_dilation: part(&or_ones("base_dilations"))?,
                    window_dilation: part(&or_ones("window_dilations"))?,
                    padding: [padding.get(2 * at).copied()?, padding.get(2 * at + 1).copied()?],
                };
                Some(size.and_then(|size| sizes.count(size)))
            })
            .collect()
        };
        (0..self.results.len()).map(result).collect()
    }

    fn top_k(&self) -> Option<Vec<Dims>> {
        let mut dims = self.operand(0)?;
        *dims.last_mut()? = Some(self.number("k")? as u64);
        Some(vec![dims.clone(), dims])
    }

    fn bitcast(&self) -> Option<Dims> {
        let (dims, rank) = (self.operand(0)?, self.results.first()?.as_ref()?.dims.len());
        let current = &self.results.first()?.as_ref()?.dims;
        match rank.cmp(&dims.len()) {
            std::cmp::Ordering::Equal => Some(dims),
            std::cmp::Ordering::Less => Some(dims.get(..rank)?.to_vec()),
            std::cmp::Ordering::Greater => Some(dims.into_iter().chain(current.last().copied()).collect()),
        }
    }

    fn transformed(&self) -> Option<Dims> {
        let mut dims = self.operand(0)?;
        let length = *self.list("fft_length")?.last()?;
        let length = u64::try_from(length).ok()?;
        match word(&(self.attribute)("fft_type")?).as_str() {
            "RFFT" => *dims.last_mut()? = Some(length / 2 + 1),
            "IRFFT" => *dims.last_mut()? = Some(length),
            _ => {}
        }
        Some(dims)
    }

    fn gathered(&self) -> Result<Option<Dims>> {
        let Some(sizes) = self.list("slice_sizes") else { return Ok(None) };
        gathered((self.attribute)("dimension_numbers"), self.operand(1), &sizes, self.results)
    }

    fn convolved(&self) -> Result<Option<Dims>> {
        let rank = self.results.first().and_then(Option::as_ref).map_or(0, |shape| shape.dims.len());
        let padding = self.list("padding").unwrap_or_else(|| vec![0; 2 * rank.saturating_sub(2)]);
        self.convolved_with(&padding)
    }

    /// Returns the shape of a convolution with a padding.
    pub(super) fn convolved_with(&self, padding: &[i64]) -> Result<Option<Dims>> {
        let Some(numbers) = (self.attribute)("dimension_numbers") else { return Ok(None) };
        let number = |name: &str| -> Result<Option<usize>> {
            Ok(numbers.field(name)?.as_ref().and_then(field_number).and_then(|at| usize::try_from(at).ok()))
        };
        let batch = [number("inputBatchDimension")?, number("outputBatchDimension")?];
        let feature = [number("kernelOutputFeatureDimension")?, number("outputFeatureDimension")?];
        let spatial = [
            field_list(&numbers, "inputSpatialDimensions")?,
            field_list(&numbers, "kernelSpatialDimensions")?,
            field_list(&numbers, "outputSpatialDimensions")?,
        ];
        Ok(self.convolution(batch, feature, &spatial, padding))
    }

    fn convolution(
        &self,
        batch: [Option<usize>; 2],
        feature: [Option<usize>; 2],
        spatial: &[Vec<i64>; 3],
        padding: &[i64],
    ) -> Option<Dims> {
        let (input, kernel) = (self.operand(0)?, self.operand(1)?);
        let mut dims = vec![None; self.results.first()?.as_ref()?.dims.len()];
        let groups = self.number("batch_group_count").unwrap_or(1).max(1) as u64;
        *dims.get_mut(batch[1]?)? = input.get(batch[0]?)?.map(|size| size / groups);
        *dims.get_mut(feature[1]?)? = *kernel.get(feature[0]?)?;
        let at = |list: &[i64], place: usize| usize::try_from(*list.get(place)?).ok();
        let option = |name: &str, place: usize| match self.list(name) {
            Some(list) => list.get(place).copied(),
            None => Some(1),
        };
        for place in 0..spatial[2].len() {
            let window = *kernel.get(at(&spatial[1], place)?)?;
            let sizes = WindowSizes {
                window: i64::try_from(window?).ok()?,
                stride: option("window_strides", place)?,
                base_dilation: option("lhs_dilation", place)?,
                window_dilation: option("rhs_dilation", place)?,
                padding: [*padding.get(2 * place)?, *padding.get(2 * place + 1)?],
            };
            let size = *input.get(at(&spatial[0], place)?)?;
            *dims.get_mut(at(&spatial[2], place)?)? = size.and_then(|size| sizes.count(size));
        }
        Some(dims)
    }
}

/// The numbers that decide how many windows a dimension has.
struct WindowSizes {
    window: i64,
    stride: i64,
    base_dilation: i64,
    window_dilation: i64,
    padding: [i64; 2],
}

impl WindowSizes {
    fn count(&self, size: u64) -> Dimension {
        let dilated =
            |size: i128, dilation: i64| if size == 0 { 0 } else { (size - 1) * i128::from(dilation) + 1 };
        let base = dilated(i128::from(size), self.base_dilation)
            + i128::from(self.padding[0])
            + i128::from(self.padding[1]);
        let window = dilated(i128::from(self.window), self.window_dilation);
        if base < window || base == 0 {
            return Some(0);
        }
        let count = (base - window).checked_div(i128::from(self.stride))? + 1;
        u64::try_from(count).ok()
    }
}

/// Returns the shape of a padded tensor.
pub(super) fn padded(dims: &[Dimension], low: &[i64], high: &[i64], inner: &[i64]) -> Option<Dims> {
    let size = |(at, size): (usize, &Dimension)| {
        let (low, high, inner) = (*low.get(at)?, *high.get(at)?, *inner.get(at)?);
        let padded = |size: u64| {
            let gaps = i128::from(inner) * i128::from(size.saturating_sub(1));
            u64::try_from(i128::from(size) + gaps + i128::from(low) + i128::from(high)).ok()
        };
        Some(size.and_then(padded))
    };
    dims.iter().enumerate().map(size).collect()
}

/// Returns the shape of a slice.
pub(super) fn sliced(start: &[i64], limit: &[i64], strides: &[i64]) -> Option<Dims> {
    let size = |((&start, &limit), &stride): ((&i64, &i64), &i64)| {
        let length = u64::try_from(limit.checked_sub(start)?).ok()?;
        Some(Some(length.div_ceil(u64::try_from(stride).ok().filter(|&stride| stride > 0)?)))
    };
    start.iter().zip(limit).zip(strides).map(size).collect()
}

/// Returns the shape of a gather with slices of the given sizes.
pub(super) fn gathered(
    numbers: Option<Attribute>,
    indices: Option<Dims>,
    sizes: &[i64],
    results: &[Option<TensorShape>],
) -> Result<Option<Dims>> {
    let (Some(numbers), Some(indices)) = (numbers, indices) else { return Ok(None) };
    let vector = numbers.field("index_vector_dim")?.as_ref().and_then(field_number).unwrap_or_default();
    let offsets = field_list(&numbers, "offset_dims")?;
    let dropped =
        [field_list(&numbers, "collapsed_slice_dims")?, field_list(&numbers, "operand_batching_dims")?];
    let mut batch = (0i64..).zip(indices).filter(|(at, _)| *at != vector).map(|(_, size)| size);
    let window_sizes = (0i64..).zip(sizes).filter(|(at, _)| !dropped.iter().any(|list| list.contains(at)));
    let mut slices = window_sizes.map(|(_, &size)| u64::try_from(size).ok());
    let rank = results.first().and_then(Option::as_ref).map_or(0, |shape| shape.dims.len());
    let size = |at: i64| if offsets.contains(&at) { slices.next() } else { batch.next() };
    Ok((0..rank as i64).map(size).collect())
}

/// Returns the integers of an attribute.
pub(super) fn number_list(value: Option<&Attribute>) -> Option<Vec<i64>> {
    value?.integer_elements(1 << 12)
}

/// Returns the integers in a field of an attribute.
fn field_list(value: &Attribute, name: &str) -> Result<Vec<i64>> {
    Ok(match value.field(name)? {
        Some(FieldValue::List(items)) => items.iter().filter_map(field_number).collect(),
        Some(FieldValue::Attribute(array)) => number_list(Some(&array)).unwrap_or_default(),
        _ => Vec::new(),
    })
}

fn field_number(field: &FieldValue) -> Option<i64> {
    match field {
        FieldValue::Signed(number) => Some(*number),
        FieldValue::Unsigned(number) => i64::try_from(*number).ok(),
        _ => None,
    }
}

/// Returns the last word of an enumerant such as `#stablehlo<comparison_direction GE>`.
pub(super) fn word(value: &Attribute) -> String {
    let text = value.to_text_within(200);
    let last = text.rsplit(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).find(|part| !part.is_empty());
    last.unwrap_or_default().to_owned()
}
