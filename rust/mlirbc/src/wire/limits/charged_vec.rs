//! A list that grows with input, charged before it takes memory.

use std::ops::{Deref, DerefMut};

use super::{Budget, HeldMemory, out_of_memory};
use crate::wire::error::Result;

/// A list whose memory is charged to a budget for as long as the list lives.
///
/// It grows by doubling, like `Vec`, but an allocation that the budget or the system refuses is an error.
#[derive(Debug)]
pub(crate) struct ChargedVec<T> {
    items: Vec<T>,
    held: HeldMemory,
}

impl<T> ChargedVec<T> {
    /// Creates an empty list, which takes no memory.
    pub(crate) fn new(budget: &Budget) -> Self {
        Self { items: Vec::new(), held: HeldMemory { budget: budget.clone(), bytes: 0 } }
    }

    /// Reserves memory for `more` items.
    ///
    /// # Errors
    /// As [`Budget::vec`].
    #[inline]
    pub(crate) fn reserve(&mut self, more: usize) -> Result<()> {
        if self.items.capacity() - self.items.len() < more {
            self.grow(more, self.items.len())
        } else {
            Ok(())
        }
    }

    /// Reserves memory for exactly `more` items.
    ///
    /// # Errors
    /// As [`Budget::vec`].
    pub(crate) fn reserve_exact(&mut self, more: usize) -> Result<()> {
        if self.items.capacity() - self.items.len() < more { self.grow(more, 0) } else { Ok(()) }
    }

    #[cold]
    fn grow(&mut self, more: usize, spare: usize) -> Result<()> {
        const LEAST: usize = 4;
        let capacity = self.items.len().saturating_add(more.max(spare).max(LEAST));
        let bytes = capacity.saturating_mul(size_of::<T>());
        self.held.grow_to(bytes)?;
        let more = capacity - self.items.len();
        self.items.try_reserve_exact(more).map_err(|_| out_of_memory(bytes))
    }

    /// Adds an item at the end.
    ///
    /// # Errors
    /// As [`Budget::vec`].
    #[inline]
    pub(crate) fn push(&mut self, item: T) -> Result<()> {
        self.reserve(1)?;
        self.items.push(item);
        Ok(())
    }

    /// Adds copies of items at the end.
    ///
    /// # Errors
    /// As [`Budget::vec`].
    #[inline]
    pub(crate) fn extend_from_slice(&mut self, items: &[T]) -> Result<()>
    where
        T: Copy,
    {
        self.reserve(items.len())?;
        self.items.extend_from_slice(items);
        Ok(())
    }

    /// Adds `count` items from the front of a sequence.
    ///
    /// # Errors
    /// As [`Budget::vec`].
    pub(crate) fn extend(&mut self, items: impl Iterator<Item = T>, count: usize) -> Result<()> {
        self.reserve(count)?;
        self.items.extend(items.take(count));
        Ok(())
    }

    /// Removes the last item.
    #[inline]
    pub(crate) fn pop(&mut self) -> Option<T> {
        self.items.pop()
    }

    /// Removes the items after the first `len` and keeps their memory.
    pub(crate) fn truncate(&mut self, len: usize) {
        self.items.truncate(len);
    }

    /// Removes all items and keeps their memory.
    pub(crate) fn clear(&mut self) {
        self.items.clear();
    }

    /// Returns the items and the charge for their memory.
    pub(crate) fn into_parts(self) -> (Vec<T>, HeldMemory) {
        (self.items, self.held)
    }
}

impl<T> Deref for ChargedVec<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.items
    }
}

impl<T> DerefMut for ChargedVec<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.items
    }
}

#[cfg(test)]
mod tests {
    use super::super::Limits;
    use super::*;
    use crate::wire::error::ErrorKind;

    #[test]
    fn a_list_holds_its_memory_until_it_is_dropped() {
        let budget = Limits { max_memory: Some(64), ..Limits::default() }.budget(0);
        let mut list = ChargedVec::new(&budget);
        (0..4_u64).for_each(|item| list.push(item).unwrap());
        list.extend_from_slice(&[4, 5]).unwrap();
        list.extend(6.., 2).unwrap();
        assert_eq!((&*list, budget.memory_left()), (&[0, 1, 2, 3, 4, 5, 6, 7][..], 0));
        assert_eq!(list.push(8).unwrap_err().kind(), ErrorKind::MemoryLimit);
        drop(list);
        assert_eq!(budget.memory_left(), 64);
        let mut list = ChargedVec::<u64>::new(&budget);
        list.reserve_exact(8).unwrap();
        list.into_parts().1.keep();
        assert_eq!(budget.memory_left(), 0);
    }

    #[test]
    fn more_than_the_system_has_is_an_error() {
        let budget = Limits { max_memory: Some(u64::MAX), ..Limits::default() }.budget(0);
        let error = ChargedVec::<u64>::new(&budget).reserve(1 << 59).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::MemoryLimit);
        let error = ChargedVec::<u64>::new(&budget).reserve_exact(usize::MAX).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::MemoryLimit);
    }
}
