//! The cost of one execution of something.

use super::quantity::{Computed, Excess, Quantity};

/// The cost of one execution.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Costs {
    pub(super) flops: Quantity,
    pub(super) transcendentals: Quantity,
    pub(super) bytes_read: Quantity,
    pub(super) bytes_written: Quantity,
}

impl Costs {
    pub(super) const ZERO: Self = Self {
        flops: Quantity::ZERO,
        transcendentals: Quantity::ZERO,
        bytes_read: Quantity::ZERO,
        bytes_written: Quantity::ZERO,
    };

    pub(super) fn flops(flops: Quantity) -> Self {
        Self { flops, ..Self::ZERO }
    }

    pub(super) fn transcendentals(transcendentals: Quantity) -> Self {
        Self { transcendentals, ..Self::ZERO }
    }

    pub(super) fn is_zero(&self) -> bool {
        *self == Self::ZERO
    }

    fn each(&self, compute: impl Fn(&Quantity) -> Computed) -> Result<Self, Excess> {
        Ok(Self {
            flops: compute(&self.flops)?,
            transcendentals: compute(&self.transcendentals)?,
            bytes_read: compute(&self.bytes_read)?,
            bytes_written: compute(&self.bytes_written)?,
        })
    }

    pub(super) fn plus(&self, other: &Self) -> Result<Self, Excess> {
        Ok(Self {
            flops: self.flops.plus(&other.flops)?,
            transcendentals: self.transcendentals.plus(&other.transcendentals)?,
            bytes_read: self.bytes_read.plus(&other.bytes_read)?,
            bytes_written: self.bytes_written.plus(&other.bytes_written)?,
        })
    }

    pub(super) fn times(&self, count: &Quantity) -> Result<Self, Excess> {
        match *count == Quantity::ONE {
            true => Ok(self.clone()),
            false => self.each(|quantity| quantity.times(count)),
        }
    }

    /// Adds the bytes that one execution moves.
    pub(super) fn moving(self, bytes_read: Quantity, bytes_written: Quantity) -> Self {
        Self { bytes_read, bytes_written, ..self }
    }

    /// Keeps the steps without the bytes, for the body of a reduction, whose operands stay in registers.
    pub(super) fn without_bytes(self) -> Self {
        self.moving(Quantity::ZERO, Quantity::ZERO)
    }
}
