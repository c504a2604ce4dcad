//! The number of points in the iteration space of operations of linalg.

use crate::attr::expr::{AffineExprKind, AffineMap};

use super::{Failure, Parts, Quantity, Rule};

impl Parts<'_> {
    pub(super) fn points(&self, rule: Rule) -> Result<Quantity, Failure> {
        if let Some(maps) = self.attribute("indexing_maps").and_then(|maps| maps.elements()) {
            return self.space(
                &maps.iter().map(AffineMap::of).collect::<Result<Vec<_>, _>>().map_err(|_| Failure::Shape)?,
            );
        }
        let target = match self.results.first() {
            Some(result) => result,
            // Operations on buffers write the last operand.
            None => self.operands.last().ok_or(Failure::Shape)?,
        };
        let elements = target.elements()?;
        let factor = match rule {
            Rule::IterateResults => Quantity::ONE,
            Rule::IterateOperand => return Ok(self.operand(0)?.elements()?),
            Rule::Contract => self.contracted_by_name()?,
            Rule::Window | Rule::WindowDepthwise => self.window_by_name(rule)?,
            // `linalg.generic` without maps is malformed.
            _ => return Err(Failure::Shape),
        };
        Ok(elements.times(&factor)?)
    }

    // Each loop is a dimension of an operand; windows add loops, which only the kernel's dimensions show.
    fn space(&self, maps: &[AffineMap]) -> Result<Quantity, Failure> {
        let loops = maps.first().map_or(0, AffineMap::num_dims) as usize;
        if loops > 1 << 10 {
            return Err(Failure::Shape);
        }
        let mut sizes: Vec<Option<Quantity>> = vec![None; loops];
        for (map, shape) in maps.iter().zip(self.operands) {
            for (expression, size) in map.results().iter().zip(&shape.dims) {
                if let AffineExprKind::Dim(dim) = expression.kind()
                    && let Some(slot) = sizes.get_mut(dim as usize)
                {
                    slot.get_or_insert_with(|| size.clone());
                }
            }
        }
        let sizes: Option<Vec<_>> = sizes.into_iter().collect();
        Ok(Quantity::product(&sizes.ok_or(Failure::Shape)?)?)
    }

    fn contracted_by_name(&self) -> Result<Quantity, Failure> {
        let left_dims = &self.operand(0)?.dims;
        let from_end = |places: usize| left_dims.len().checked_sub(places).and_then(|at| left_dims.get(at));
        let size = match self.name.ends_with("_transpose_a") {
            true => from_end(2),
            false => from_end(1),
        };
        let size = size.ok_or(Failure::Shape)?;
        match self.name {
            "linalg.batch_reduce_matmul" => Ok(left_dims.first().ok_or(Failure::Shape)?.times(size)?),
            _ => Ok(size.clone()),
        }
    }

    // The last word of a name spells the dimensions of the kernel, as in `hwcf`. The results count the filters (`f`) and
    // groups (`g`), or if there is a kernel for each channel, the channels (`c`) and their multiplier (`m`).
    fn window_by_name(&self, rule: Rule) -> Result<Quantity, Failure> {
        let kernel = self.operand(1)?;
        let layout = self.name.trim_end_matches("_q").rsplit('_').next().unwrap_or_default();
        let shared = if rule == Rule::Window { "fg" } else { "cm" };
        let is_layout =
            layout.len() == kernel.dims.len() && layout.chars().all(|letter| "dhwcfgm".contains(letter));
        let letters = layout.chars().map(Some).chain(std::iter::repeat(None));
        let sizes = kernel.dims.iter().zip(letters).filter_map(|(size, letter)| {
            let is_shared = is_layout && letter.is_some_and(|letter| shared.contains(letter));
            (!is_shared).then_some(size)
        });
        Ok(Quantity::product(sizes)?)
    }
}
