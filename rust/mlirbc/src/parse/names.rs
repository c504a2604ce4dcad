//! The usable values, by name.

use std::collections::{BTreeMap, HashMap};

use crate::attr::text::int::decimal_value;
use crate::edit::arena::ArenaValue;

/// The values with one name: the first one, and further ones with a number, as in `%name#1`.
#[derive(Debug, Default)]
struct Name {
    first: Option<Named>,
    /// Values with numbers from one on.
    near: Vec<Option<Named>>,
    /// Values with larger numbers, so that the list is not much longer than the number of values.
    #[expect(
        clippy::box_collection,
        reason = "nearly no name has such numbers, and a pointer is smaller than a map"
    )]
    far: Option<Box<BTreeMap<usize, Option<Named>>>>,
}

/// A value with a name.
#[derive(Debug, Clone, Copy)]
pub(super) struct Named {
    pub(super) value: ArenaValue,
    pub(super) is_defined: bool,
    /// The position of the definition, or of the first use if there is none yet.
    pub(super) position: u32,
}

impl Named {
    fn first_use(&self) -> Option<u32> {
        (!self.is_defined).then_some(self.position)
    }
}

impl Name {
    fn get(&self, number: u32) -> Option<Named> {
        match number.checked_sub(1) {
            None => self.first,
            Some(place) => match self.near.get(place as usize) {
                Some(named) => *named,
                None => self.far.as_ref()?.get(&(place as usize)).copied().flatten(),
            },
        }
    }

    fn slot(&mut self, number: u32) -> &mut Option<Named> {
        match number.checked_sub(1) {
            None => &mut self.first,
            Some(place) => {
                let place = place as usize;
                if place >= self.near.len() + MOST_UNUSED_RESULTS {
                    return self.far.get_or_insert_default().entry(place).or_default();
                }
                while self.near.len() <= place {
                    let moved = self.far.as_mut().and_then(|far| far.remove(&self.near.len())).flatten();
                    self.near.push(moved);
                }
                &mut self.near[place]
            }
        }
    }

    /// Returns the position of the first use of an undefined number.
    fn first_use(&self) -> Option<u32> {
        let far = self.far.iter().flat_map(|far| far.values());
        self.near.iter().chain([&self.first]).chain(far).flatten().filter_map(Named::first_use).min()
    }
}

/// Visible values, and names that are used before their definition.
///
/// Names that are numbers, as most names in printed text, are indices into a list.
#[derive(Debug, Default)]
pub(super) struct Names<'t> {
    numbered: Vec<Option<Named>>,
    unnumbered: HashMap<&'t [u8], Name, foldhash::fast::RandomState>,
    /// Names that went out of scope while one of their numbers was used but never defined, with the first
    /// such use.
    without_definition: Vec<(u32, Vec<u8>)>,
}

/// The greatest distance of a new number from the end of the list, so that the list is not much longer than
/// the number of names.
const MOST_UNUSED: usize = 64;

/// A limit like [`MOST_UNUSED`] for the list of each name.
const MOST_UNUSED_RESULTS: usize = 4;

/// Returns the number in a name such as `%12`.
#[inline]
fn number_of(name: &[u8]) -> Option<usize> {
    let digits = name.get(1..)?;
    let is_number = match digits {
        [b'0'] => true,
        [b'1'..=b'9', rest @ ..] => rest.len() < 8 && rest.iter().all(u8::is_ascii_digit),
        _ => false,
    };
    is_number.then(|| digits.iter().fold(0, |number, &digit| 10 * number + usize::from(decimal_value(digit))))
}

impl<'t> Names<'t> {
    /// Returns the value of a name with its `%` and a number.
    #[inline]
    pub(super) fn get(&self, name: &[u8], number: u32) -> Option<Named> {
        if number == 0
            && let Some(place) = number_of(name)
            && let Some(named) = self.numbered.get(place)
        {
            return *named;
        }
        self.unnumbered.get(name)?.get(number)
    }

    /// Returns the storage of such a value.
    #[inline]
    pub(super) fn slot(&mut self, name: &'t [u8], number: u32) -> &mut Option<Named> {
        if number == 0
            && let Some(place) = number_of(name)
            && place < self.numbered.len() + MOST_UNUSED
        {
            while self.numbered.len() <= place {
                let moved = self.take_other(self.numbered.len());
                self.numbered.push(moved);
            }
            return &mut self.numbered[place];
        }
        self.unnumbered.entry(name).or_default().slot(number)
    }

    // Moves the value of a number that was too large for the list until now.
    fn take_other(&mut self, place: usize) -> Option<Named> {
        if self.unnumbered.is_empty() {
            return None;
        }
        self.unnumbered.get_mut(format!("%{place}").as_bytes())?.first.take()
    }

    /// Forgets a name; uses of undefined numbers remain undefined.
    pub(super) fn remove(&mut self, name: &[u8]) {
        if let Some(named) = number_of(name).and_then(|place| self.numbered.get_mut(place)) {
            *named = None;
        }
        if !self.unnumbered.is_empty()
            && let Some(removed) = self.unnumbered.remove(name)
            && let Some(first_use) = removed.first_use()
        {
            self.without_definition.push((first_use, name.to_vec()));
        }
    }

    /// Returns the names that are used but not defined, with the position of the first use.
    pub(super) fn undefined(&self) -> Vec<(u32, Vec<u8>)> {
        let numbered = self.numbered.iter().enumerate().filter_map(|(place, named)| {
            Some((named.as_ref()?.first_use()?, format!("%{place}").into_bytes()))
        });
        let unnumbered =
            self.unnumbered.iter().filter_map(|(name, values)| Some((values.first_use()?, name.to_vec())));
        numbered.chain(unnumbered).chain(self.without_definition.iter().cloned()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(value: u32) -> Named {
        Named { value: ArenaValue::new(value), is_defined: true, position: value }
    }

    fn value(names: &Names<'_>, name: &str, number: u32) -> Option<u32> {
        names.get(name.as_bytes(), number).map(|named| named.value.number())
    }

    #[test]
    fn names_that_are_numbers_are_names_like_others() {
        let all = ["%0", "%1", "%63", "%64", "%127", "%00", "%01", "%99999999", "%100000000", "%a", "%1a"];
        for order in [all.to_vec(), all.iter().rev().copied().collect()] {
            let mut names = Names::default();
            for (value, name) in (0..).zip(&order) {
                assert!(names.slot(name.as_bytes(), 0).replace(named(value)).is_none(), "{name}");
                assert!(names.slot(name.as_bytes(), 2).replace(named(100 + value)).is_none(), "{name}");
            }
            for (number, name) in (0..).zip(&order) {
                assert_eq!(value(&names, name, 0), Some(number), "{name}");
                assert_eq!(value(&names, name, 1), None, "{name}");
                assert_eq!(value(&names, name, 2), Some(100 + number), "{name}");
                names.remove(name.as_bytes());
                assert_eq!(value(&names, name, 0), None, "{name}");
                assert_eq!(value(&names, name, 2), None, "{name}");
            }
        }
    }

    #[test]
    fn large_numbers_take_no_room_for_those_below() {
        let mut names = Names::default();
        *names.slot(b"%90000000", 0) = Some(named(1));
        *names.slot(b"%65", 0) = Some(named(2));
        assert_eq!((names.numbered.len(), names.unnumbered.len()), (0, 2));
        for place in 0..66 {
            let text = format!("%{place}").into_bytes().leak();
            names.slot(text, 0).get_or_insert(named(100 + place));
        }
        assert_eq!((value(&names, "%65", 0), value(&names, "%64", 0)), (Some(2), Some(164)));
        assert_eq!(value(&names, "%90000000", 0), Some(1));
    }

    #[test]
    fn large_numbers_of_results_take_no_room_for_those_below() {
        let mut name = Name::default();
        let order: Vec<u32> = [1_000_000, 7, 6, 900].into_iter().chain(0..6).chain([8, 9]).collect();
        for &number in &order {
            assert!(name.slot(number).replace(named(number)).is_none(), "{number}");
            assert!(name.near.len() < 12);
        }
        for &number in &order {
            assert_eq!(name.get(number).map(|named| named.value.number()), Some(number));
        }
        assert!(name.get(10).is_none() && name.get(901).is_none());
        *name.slot(900) = Some(Named { value: ArenaValue::new(0), is_defined: false, position: 3 });
        assert_eq!(name.first_use(), Some(3));
    }

    #[test]
    fn undefined_names_have_the_position_of_their_first_use() {
        let mut names = Names::default();
        for (name, number, position) in [("%2", 0, 9), ("%x", 1, 8), ("%x", 3, 5)] {
            *names.slot(name.as_bytes(), number) =
                Some(Named { value: ArenaValue::new(0), is_defined: false, position });
        }
        *names.slot(b"%y", 0) = Some(named(1));
        let expected = [(5, b"%x".to_vec()), (9, b"%2".to_vec())];
        let sorted = |names: &Names<'_>| {
            let mut undefined = names.undefined();
            undefined.sort();
            undefined
        };
        assert_eq!(sorted(&names), expected);
        // The region that defined some numbers of the name ends.
        *names.slot(b"%x", 0) = Some(named(1));
        names.remove(b"%x");
        assert_eq!(sorted(&names), expected);
        assert_eq!(value(&names, "%x", 1), None);
    }
}
