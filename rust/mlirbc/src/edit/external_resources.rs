//! Resources of external groups that edits add, by key.

use std::collections::{HashMap, VecDeque};

use super::resources::NewResource;

/// Added resources in the order in which they were added.
#[derive(Debug, Default, Clone)]
pub(crate) struct ExternalResources {
    // Removed resources become `None`, so that the positions of later ones stay valid.
    rows: Vec<Option<NewResource>>,
    places: HashMap<Vec<u8>, VecDeque<usize>>,
}

impl ExternalResources {
    pub(crate) fn iter(&self) -> impl Iterator<Item = &NewResource> {
        self.rows.iter().flatten()
    }

    pub(crate) fn len(&self) -> usize {
        self.places.values().map(VecDeque::len).sum()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    pub(crate) fn clear(&mut self) {
        *self = Self::default();
    }

    /// Returns whether a group has the key.
    pub(super) fn has(&self, new: &NewResource) -> bool {
        self.with_key(&new.key).any(|known| known.group == new.group)
    }

    pub(crate) fn push(&mut self, new: NewResource) {
        self.places.entry(new.key.clone()).or_default().push_back(self.rows.len());
        self.rows.push(Some(new));
    }

    /// Returns the first resource with the key.
    pub(super) fn first_mut(&mut self, key: &[u8]) -> Option<&mut NewResource> {
        let place = *self.places.get(key)?.front()?;
        self.rows.get_mut(place)?.as_mut()
    }

    /// Removes the first resource with the key.
    pub(super) fn remove_first(&mut self, key: &[u8]) -> Option<NewResource> {
        let places = self.places.get_mut(key)?;
        let place = places.pop_front()?;
        if places.is_empty() {
            self.places.remove(key);
        }
        self.rows.get_mut(place)?.take()
    }

    fn with_key(&self, key: &[u8]) -> impl Iterator<Item = &NewResource> {
        self.places.get(key).into_iter().flatten().filter_map(|&place| self.rows.get(place)?.as_ref())
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;
    use crate::edit::{ResourceContent, ResourceGroup};

    fn resource(group: &str, key: &str) -> NewResource {
        let group = ResourceGroup::External(group.into());
        NewResource { key: key.into(), group, content: ResourceContent::Bool(true) }
    }

    #[test]
    fn the_first_resource_with_a_key_is_found_and_removed() {
        let mut all = ExternalResources::default();
        for (group, key) in [("a", "x"), ("b", "x"), ("a", "y")] {
            assert!(!all.has(&resource(group, key)));
            all.push(resource(group, key));
            assert!(all.has(&resource(group, key)));
        }
        all.first_mut(b"x").unwrap().content = ResourceContent::Bool(false);
        assert_eq!(all.remove_first(b"x").unwrap().content, ResourceContent::Bool(false));
        assert_eq!(all.iter().cloned().collect::<Vec<_>>(), [resource("b", "x"), resource("a", "y")]);
        assert!(all.remove_first(b"x").is_some() && all.remove_first(b"x").is_none());
        assert_eq!((all.len(), all.is_empty()), (1, false));
    }
}
