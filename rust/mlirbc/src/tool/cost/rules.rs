//! The rules of cost, from the shapes of operands and results alone, as XLA's `HloCostAnalysis` counts
//! (`xla/service/hlo_cost_analysis.cc`).
//!
//! Owns the table of rules, `data/cost.tsv`, and the formula of each rule. Does not own the flow of control: how often an
//! operation is executed is the question of `flow`.

mod convolution;
mod structured;

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::artifact::nested::named;
use crate::attr::Attribute;
use crate::wire::error::Result;

use super::costs::Costs;
use super::facts::{field_numbers, numbers};
use super::quantity::{Excess, Function, Quantity};

const TABLE: &str = include_str!("../../../data/cost.tsv");

/// The rule for the cost of an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Rule {
    /// Nothing is computed or moved.
    Free,
    /// A step for each element of the result.
    Elementwise,
    /// A transcendental function for each element of the result.
    Transcendental,
    /// Two steps for each element of the result.
    Fma,
    /// Operands are read and results are written.
    Move,
    /// The elements of the result are read, not the whole operand.
    Slice,
    /// The elements of the update are written, not the whole result.
    Update,
    /// The first operand is read and the second written.
    Copy,
    /// A number is read or written.
    Access,
    Dot,
    Convolution,
    Reduce,
    ReduceWindow,
    SelectAndScatter,
    Scatter,
    Sort,
    Map,
    Fft,
    TriangularSolve,
    Cholesky,
    Random,
    AllReduce,
    CustomCall,
    /// A body for each point of the space that the indexing maps span.
    IterateMaps,
    /// A body for each element of the result.
    IterateResults,
    /// A body for each element of the first operand.
    IterateOperand,
    /// A body for each element of the result and each contracted element.
    Contract,
    /// A body for each element of the result and each element of the window.
    Window,
    WindowDepthwise,
    // The flow of control.
    Call,
    Composite,
    While,
    For,
    AffineFor,
    Choice,
    /// A region with the operands as arguments.
    Manual,
    /// A region that is executed once.
    Container,
    /// No rule is known.
    Unknown,
}

impl Rule {
    const NAMES: [(&'static str, Self); 38] = [
        ("free", Self::Free),
        ("elementwise", Self::Elementwise),
        ("transcendental", Self::Transcendental),
        ("fma", Self::Fma),
        ("move", Self::Move),
        ("slice", Self::Slice),
        ("update", Self::Update),
        ("copy", Self::Copy),
        ("access", Self::Access),
        ("dot", Self::Dot),
        ("convolution", Self::Convolution),
        ("reduce", Self::Reduce),
        ("reduce_window", Self::ReduceWindow),
        ("select_and_scatter", Self::SelectAndScatter),
        ("scatter", Self::Scatter),
        ("sort", Self::Sort),
        ("map", Self::Map),
        ("fft", Self::Fft),
        ("triangular_solve", Self::TriangularSolve),
        ("cholesky", Self::Cholesky),
        ("random", Self::Random),
        ("all_reduce", Self::AllReduce),
        ("custom_call", Self::CustomCall),
        ("iterate_maps", Self::IterateMaps),
        ("iterate_results", Self::IterateResults),
        ("iterate_operand", Self::IterateOperand),
        ("contract", Self::Contract),
        ("window", Self::Window),
        ("window_depthwise", Self::WindowDepthwise),
        ("call", Self::Call),
        ("composite", Self::Composite),
        ("while", Self::While),
        ("for", Self::For),
        ("affine_for", Self::AffineFor),
        ("choice", Self::Choice),
        ("manual", Self::Manual),
        ("container", Self::Container),
        ("unknown", Self::Unknown),
    ];

    /// Returns the rule of an operation by its full name.
    pub(super) fn named(name: &str) -> Self {
        static ROWS: LazyLock<HashMap<&str, Rule>> = LazyLock::new(|| rows().collect());
        ROWS.get(name).copied().unwrap_or(Self::Unknown)
    }

    /// Whether the regions of the operation are a body that the rule counts.
    pub(super) fn has_body(self) -> bool {
        use Rule::*;
        matches!(
            self,
            Reduce
                | ReduceWindow
                | SelectAndScatter
                | Scatter
                | Sort
                | Map
                | AllReduce
                | IterateMaps
                | IterateResults
                | IterateOperand
                | Contract
                | Window
                | WindowDepthwise
        )
    }
}

fn rows() -> impl Iterator<Item = (&'static str, Rule)> {
    let lines = TABLE.lines().filter(|line| !line.starts_with('#'));
    lines.filter_map(|line| {
        let (name, rule) = line.split_once('\t')?;
        let (_, rule) = Rule::NAMES.iter().find(|(text, _)| *text == rule)?;
        Some((name, *rule))
    })
}

/// The shape of a value with its symbolic dimensions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ValueShape {
    pub(super) dims: Vec<Quantity>,
    /// The bits of an element; zero if the value holds no numbers.
    pub(super) bits: u32,
}

impl ValueShape {
    pub(super) fn elements(&self) -> Result<Quantity, Excess> {
        match self.bits {
            0 => Ok(Quantity::ZERO),
            _ => Quantity::product(&self.dims),
        }
    }

    /// The bytes in memory: a Boolean has a byte, and narrower numbers are packed.
    pub(super) fn bytes(&self) -> Result<Quantity, Excess> {
        bytes_of(&self.elements()?, self.bits)
    }

    fn dim(&self, number: i64) -> Option<&Quantity> {
        self.dims.get(usize::try_from(number).ok()?)
    }
}

fn bytes_of(elements: &Quantity, bits: u32) -> Result<Quantity, Excess> {
    let bits = if bits == 1 { 8 } else { bits };
    if bits % 8 == 0 {
        return elements.times(&Quantity::Number((bits / 8).into()));
    }
    let all = elements.times(&Quantity::Number(bits.into()))?.plus(&Quantity::Number(7))?;
    Ok(Quantity::call(Function::FloorDiv, &all, &Quantity::Number(8)).unwrap_or(Quantity::ZERO))
}

/// The parts of an operation that a rule reads.
pub(super) struct Parts<'p> {
    /// The name with its dialect.
    pub(super) name: &'p str,
    pub(super) operands: &'p [ValueShape],
    pub(super) results: &'p [ValueShape],
    pub(super) attributes: &'p [(String, Attribute)],
    /// The cost of one execution of each region that is a body.
    pub(super) bodies: &'p [Costs],
}

/// Why a rule gives no cost.
#[derive(Debug)]
pub(super) enum Failure {
    Excess(Excess),
    /// An attribute, an operand or a dimension is not as the rule needs it.
    Shape,
}

impl From<Excess> for Failure {
    fn from(excess: Excess) -> Self {
        Self::Excess(excess)
    }
}

impl Parts<'_> {
    fn attribute(&self, name: &str) -> Option<&Attribute> {
        named(self.attributes, name)
    }

    fn numbers(&self, name: &str) -> Option<Vec<i64>> {
        numbers(self.attribute(name)?)
    }

    fn number(&self, name: &str) -> Option<i64> {
        self.numbers(name)?.first().copied()
    }

    fn field_numbers(&self, name: &str, field: &str) -> Vec<i64> {
        self.attribute(name).and_then(|value| field_numbers(value, field).ok()).unwrap_or_default()
    }

    fn operand(&self, number: usize) -> Result<&ValueShape, Failure> {
        self.operands.get(number).ok_or(Failure::Shape)
    }

    fn result(&self) -> Result<&ValueShape, Failure> {
        self.results.first().ok_or(Failure::Shape)
    }

    fn body(&self, number: usize) -> Costs {
        self.bodies.get(number).cloned().unwrap_or(Costs::ZERO)
    }

    fn read(&self) -> Result<Quantity, Excess> {
        self.operands.iter().try_fold(Quantity::ZERO, |sum, operand| sum.plus(&operand.bytes()?))
    }

    fn written(&self) -> Result<Quantity, Excess> {
        self.results.iter().try_fold(Quantity::ZERO, |sum, result| sum.plus(&result.bytes()?))
    }

    /// Returns the cost of one execution.
    pub(super) fn costs(&self, rule: Rule) -> Result<Costs, Failure> {
        let steps = self.steps(rule)?;
        let (read, written) = match rule {
            Rule::Free | Rule::CustomCall | Rule::Unknown => (Quantity::ZERO, Quantity::ZERO),
            Rule::Slice => {
                let mut indices = self.operands.iter().skip(1);
                let indices = indices.try_fold(Quantity::ZERO, |sum, operand| sum.plus(&operand.bytes()?))?;
                (self.written()?.plus(&indices)?, self.written()?)
            }
            Rule::Update => {
                let update = self.operand(1).or_else(|_| self.operand(0))?;
                let mut updates = self.operands.iter().skip(1);
                (
                    updates.try_fold(Quantity::ZERO, |sum, operand| sum.plus(&operand.bytes()?))?,
                    update.bytes()?,
                )
            }
            Rule::Copy => (self.operand(0)?.bytes()?, self.operand(1)?.bytes()?),
            Rule::Access => match self.results.first() {
                Some(loaded) => (loaded.bytes()?, Quantity::ZERO),
                None => (Quantity::ZERO, self.operand(0)?.bytes()?),
            },
            // Only the updated elements are read and written (`HandleScatter`).
            Rule::Scatter => {
                let updates = self.scatter_updates()?.bytes()?;
                let indices = self.operand(self.results.len())?.bytes()?;
                (updates.times(&Quantity::Number(2))?.plus(&indices)?, updates)
            }
            _ => (self.read()?, self.written()?),
        };
        Ok(steps.moving(read, written))
    }

    fn steps(&self, rule: Rule) -> Result<Costs, Failure> {
        let twice = Quantity::Number(2);
        Ok(match rule {
            Rule::Elementwise | Rule::AllReduce => Costs::flops(self.result()?.elements()?),
            Rule::Transcendental => Costs::transcendentals(self.result()?.elements()?),
            Rule::Random => Costs::transcendentals(self.results.last().ok_or(Failure::Shape)?.elements()?),
            Rule::Fma => Costs::flops(self.result()?.elements()?.times(&twice)?),
            Rule::Dot => Costs::flops(self.result()?.elements()?.times(&self.contracted()?)?.times(&twice)?),
            Rule::Convolution => Costs::flops(self.convolution()?.times(&twice)?),
            Rule::Reduce => {
                let operand = self.operand(0)?.elements()?;
                self.body(0).times(&operand.minus(&self.result()?.elements()?)?)?
            }
            Rule::ReduceWindow => {
                let steps = self.window()?.minus(&Quantity::ONE)?;
                self.body(0).times(&self.result()?.elements()?.times(&steps)?)?
            }
            Rule::SelectAndScatter => {
                let source = self.operand(1)?.elements()?;
                let selected = source.times(&self.window()?.minus(&Quantity::ONE)?)?;
                self.body(0).times(&selected)?.plus(&self.body(1).times(&source)?)?
            }
            Rule::Scatter => self.body(0).times(&self.scatter_updates()?.elements()?)?,
            Rule::Sort => {
                let elements = self.operand(0)?.elements()?;
                let depth =
                    Quantity::call(Function::CeilLog2, &elements, &Quantity::ZERO).ok_or(Failure::Shape)?;
                Costs::flops(elements.times(&depth)?)
            }
            Rule::Map => self.body(0).times(&self.result()?.elements()?)?,
            Rule::Fft => self.fft()?,
            Rule::TriangularSolve => {
                let last = self.operand(0)?.dims.last().ok_or(Failure::Shape)?;
                Costs::flops(self.operand(1)?.elements()?.times(last)?.times(&twice)?)
            }
            Rule::Cholesky => {
                let operand = self.operand(0)?;
                let steps = operand.elements()?.times(operand.dims.last().ok_or(Failure::Shape)?)?;
                let third = Quantity::call(Function::FloorDiv, &steps, &Quantity::Number(3));
                Costs::flops(third.ok_or(Failure::Shape)?)
            }
            Rule::IterateMaps
            | Rule::IterateResults
            | Rule::IterateOperand
            | Rule::Contract
            | Rule::Window
            | Rule::WindowDepthwise => self.body(0).times(&self.points(rule)?)?,
            _ => Costs::ZERO,
        })
    }

    // `HandleScatter` counts the updates of the first operand. Operands, indices and updates follow one another.
    fn scatter_updates(&self) -> Result<&ValueShape, Failure> {
        self.operand(self.results.len() + 1)
    }

    fn contracted(&self) -> Result<Quantity, Failure> {
        let left_operand = self.operand(0)?;
        let dims = match self.attribute("dot_dimension_numbers") {
            Some(_) => self.field_numbers("dot_dimension_numbers", "lhs_contracting_dimensions"),
            // `stablehlo.dot` contracts the last dimension.
            None => vec![left_operand.dims.len() as i64 - 1],
        };
        let sizes: Option<Vec<_>> = dims.iter().map(|&dim| left_operand.dim(dim)).collect();
        Ok(Quantity::product(sizes.ok_or(Failure::Shape)?)?)
    }

    fn window(&self) -> Result<Quantity, Failure> {
        let sizes = self.numbers("window_dimensions").unwrap_or_default();
        let sizes: Vec<_> = sizes.into_iter().map(|size| Quantity::Number(size.into())).collect();
        Ok(Quantity::product(&sizes)?)
    }

    // `HandleFft`: four fused steps of a complex product, for each element and each level.
    fn fft(&self) -> Result<Costs, Failure> {
        let lengths = self.numbers("fft_length").ok_or(Failure::Shape)?;
        let mut levels = Quantity::ONE;
        for length in lengths {
            let level = u64::try_from(length).ok().and_then(u64::checked_ilog2).ok_or(Failure::Shape)?;
            levels = levels.times(&Quantity::Number(level.into()))?;
        }
        let elements = self.operand(0)?.elements()?;
        Ok(Costs::flops(elements.times(&levels)?.times(&Quantity::Number(8))?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_sorted_and_have_rules() {
        let lines: Vec<_> = TABLE.lines().filter(|line| !line.starts_with('#')).collect();
        assert!(lines.is_sorted());
        assert_eq!(rows().count(), lines.len());
    }

    #[test]
    fn operations_of_the_table_exist() {
        let exists = |name: &str| !crate::ops::history(name).is_empty();
        let missing: Vec<_> = rows().map(|(name, _)| name).filter(|name| !exists(name)).collect();
        assert_eq!(missing, [""; 0]);
    }

    #[test]
    fn narrow_numbers_are_packed() {
        let bytes = |bits| bytes_of(&Quantity::Number(5), bits).unwrap().to_string();
        assert_eq!([1, 4, 8, 16].map(bytes), ["5", "3", "5", "10"]);
    }
}
