//! The number of products of a convolution: only positions inside the data count, not padding and holes
//! (`HloCostAnalysis::HandleConvolution`).

use super::{Failure, Parts, Quantity};
use crate::tool::cost::facts::field_number;

/// Kernels of more positions in one dimension count padding as data.
const MAX_KERNEL: i128 = 1 << 16;

/// A convolution in one dimension.
#[derive(Debug, Clone, Copy)]
struct Line {
    input: i128,
    kernel: i128,
    output: i128,
    stride: i128,
    padding: i128,
    /// The distance of elements of the input.
    input_dilation: i128,
    /// The distance of elements of the kernel.
    kernel_dilation: i128,
}

impl Line {
    /// The number of pairs of a kernel and an output position that meet an element of the input.
    fn products(self) -> i128 {
        (0..self.kernel).map(|position| self.outputs(position * self.kernel_dilation - self.padding)).sum()
    }

    // The outputs `o` for which `o * stride + shift` is a multiple of the dilation inside the input.
    fn outputs(self, shift: i128) -> i128 {
        let end = (self.input - 1) * self.input_dilation;
        let first = ceil_div(-shift, self.stride).max(0);
        let last = (end - shift).div_euclid(self.stride).min(self.output - 1);
        if first > last {
            return 0;
        }
        let divisor = greatest_divisor(self.stride, self.input_dilation);
        let period = self.input_dilation / divisor;
        if shift % divisor != 0 {
            return 0;
        }
        if period == 1 {
            return last - first + 1;
        }
        // Each period has a single solution, if the stride has an inverse in it.
        let step = (self.stride / divisor).rem_euclid(period);
        let residue = (-shift / divisor).rem_euclid(period);
        let Some(inverse) = inverse(step, period) else { return 0 };
        let solution = residue * inverse % period;
        let next = first + (solution - first).rem_euclid(period);
        if next > last { 0 } else { (last - next) / period + 1 }
    }
}

fn ceil_div(left: i128, right: i128) -> i128 {
    -(-left).div_euclid(right)
}

fn greatest_divisor(left: i128, right: i128) -> i128 {
    match right {
        0 => left,
        _ => greatest_divisor(right, left % right),
    }
}

fn inverse(number: i128, modulus: i128) -> Option<i128> {
    let (mut remainders, mut factors) = ((modulus, number), (0, 1));
    while remainders.1 != 0 {
        let quotient = remainders.0 / remainders.1;
        remainders = (remainders.1, remainders.0 - quotient * remainders.1);
        factors = (factors.1, factors.0 - quotient * factors.1);
    }
    (remainders.0 == 1).then(|| factors.0.rem_euclid(modulus))
}

impl Parts<'_> {
    /// The number of products of all outputs.
    pub(super) fn convolution(&self) -> Result<Quantity, Failure> {
        let (input, kernel, output) = (self.operand(0)?, self.operand(1)?, self.result()?);
        let numbers = |field: &str| self.field_numbers("dimension_numbers", field);
        let number = |field: &str| {
            let value = self.attribute("dimension_numbers").ok_or(Failure::Shape)?;
            value.field(field).ok().flatten().as_ref().and_then(field_number).ok_or(Failure::Shape)
        };
        let groups = |name: &str| Quantity::Number(self.number(name).unwrap_or(1).max(1).into());
        let quotient = |size: &Quantity, groups: &Quantity| {
            Quantity::call(super::Function::FloorDiv, size, groups).ok_or(Failure::Shape)
        };
        let batch = input.dim(number("inputBatchDimension")?).ok_or(Failure::Shape)?;
        let features = input.dim(number("inputFeatureDimension")?).ok_or(Failure::Shape)?;
        let outputs = output.dim(number("outputFeatureDimension")?).ok_or(Failure::Shape)?;
        let mut products = quotient(features, &groups("feature_group_count"))?
            .times(outputs)?
            .times(&quotient(batch, &groups("batch_group_count"))?)?;

        let spatial = [
            numbers("inputSpatialDimensions"),
            numbers("kernelSpatialDimensions"),
            numbers("outputSpatialDimensions"),
        ];
        let setting = |name: &str, at: usize, default: i64| {
            self.numbers(name).and_then(|all| all.get(at).copied()).unwrap_or(default)
        };
        for at in 0..spatial[0].len() {
            let size = |list: usize, shape: &super::ValueShape| {
                spatial[list].get(at).and_then(|&dim| shape.dim(dim)).cloned().ok_or(Failure::Shape)
            };
            let (input, kernel, output) = (size(0, input)?, size(1, kernel)?, size(2, output)?);
            let exact = match (input.number(), kernel.number(), output.number()) {
                (Some(input), Some(kernel @ 0..=MAX_KERNEL), Some(output)) => Some(Line {
                    input,
                    kernel,
                    output,
                    stride: setting("window_strides", at, 1).max(1).into(),
                    padding: setting("padding", 2 * at, 0).into(),
                    input_dilation: setting("lhs_dilation", at, 1).max(1).into(),
                    kernel_dilation: setting("rhs_dilation", at, 1).max(1).into(),
                }),
                _ => None,
            };
            let positions = match exact {
                Some(line) => Quantity::Number(line.products()),
                None => kernel.times(&output)?,
            };
            products = products.times(&positions)?;
        }
        Ok(products)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // The loops of XLA.
    fn count(line: Line) -> i128 {
        let mut products = 0;
        for position in 0..line.kernel {
            for output in 0..line.output {
                let at = output * line.stride - line.padding + position * line.kernel_dilation;
                let is_element = at % line.input_dilation == 0;
                products += i128::from(at >= 0 && is_element && at / line.input_dilation < line.input);
            }
        }
        products
    }

    #[test]
    fn products_are_those_of_the_loops() {
        for input in [0, 1, 5, 8] {
            for (kernel, output) in [(1, 8), (3, 6), (4, 9)] {
                for (stride, padding) in [(1, 0), (2, 1), (3, 2), (2, -1)] {
                    for (input_dilation, kernel_dilation) in [(1, 1), (2, 1), (3, 2), (4, 3), (6, 1)] {
                        let line =
                            Line { input, kernel, output, stride, padding, input_dilation, kernel_dilation };
                        assert_eq!(line.products(), count(line), "{line:?}");
                    }
                }
            }
        }
    }
}
