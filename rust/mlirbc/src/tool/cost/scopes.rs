//! The name scopes of operations, as locations give them: `jit(f)/MLP/layer0` of `jit(f)/MLP/layer0/dot_general`.

use std::collections::HashMap;
use std::rc::Rc;

use crate::attr::{Attribute, FieldValue};
use crate::format::id::AttrId;
use crate::ir::Module;
use crate::tool::weights::location_name;
use crate::wire::error::Result;
use crate::wire::limits::Budget;

/// The number of locations in fused locations that are searched for a name.
const MAX_FUSED: usize = 16;

/// The scopes of the locations of a module, each read once.
#[derive(Debug)]
pub(in crate::tool) struct Scopes<'m> {
    module: &'m Module,
    budget: Budget,
    by_location: HashMap<AttrId, Rc<str>>,
}

impl<'m> Scopes<'m> {
    pub(in crate::tool) fn new(module: &'m Module) -> Self {
        Self { module, budget: module.tables().work_budget(), by_location: HashMap::new() }
    }

    /// Returns the scope of a location, or an empty text.
    pub(in crate::tool) fn get(&mut self, location: AttrId) -> Result<Rc<str>> {
        if let Some(scope) = self.by_location.get(&location) {
            return Ok(scope.clone());
        }
        let name = self.name(location)?.unwrap_or_default();
        let scope: Rc<str> = name.rsplit_once('/').map_or("", |(scope, _)| scope).into();
        self.budget.spend(scope.len() + 2 * size_of::<(AttrId, Rc<str>)>())?;
        self.by_location.insert(location, scope.clone());
        Ok(scope)
    }

    fn name(&self, location: AttrId) -> Result<Option<String>> {
        if let Some(name) = location_name(self.module, location)? {
            return Ok(Some(name));
        }
        let Some(fused) = Attribute::of_file(self.module.tables(), location)? else { return Ok(None) };
        if fused.class() != Some("FusedLoc") {
            return Ok(None);
        }
        let Some(FieldValue::List(parts)) = fused.field("locations")? else { return Ok(None) };
        for part in parts.iter().take(MAX_FUSED) {
            if let FieldValue::Attribute(part) = part
                && let Some(id) = part.id()
                && let Some(name) = location_name(self.module, id)?
            {
                return Ok(Some(name));
            }
        }
        Ok(None)
    }
}

/// Returns the scopes around a scope, the outermost first, and the scope itself.
pub(super) fn prefixes(scope: &str) -> impl Iterator<Item = &str> {
    let ends = scope.match_indices('/').map(|(at, _)| at).chain([scope.len()]);
    ends.map(|end| &scope[..end])
}

/// Returns whether a scope is in another one.
pub(super) fn is_within(scope: &str, outer: &str) -> bool {
    scope.strip_prefix(outer).is_some_and(|rest| rest.is_empty() || outer.is_empty() || rest.starts_with('/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scopes_have_the_scopes_around_them() {
        assert_eq!(prefixes("a/b/c").collect::<Vec<_>>(), ["a", "a/b", "a/b/c"]);
        assert!(is_within("a/b", "a") && is_within("a", "") && is_within("a", "a"));
        assert!(!is_within("ab", "a") && !is_within("a", "a/b"));
    }
}
