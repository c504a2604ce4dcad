//! Checks that a new operation matches its definition in the release of the module: its name, the numbers of
//! its operands, results, regions and successors, and its required attributes.
//!
//! Types and values are not checked; `Module::verify_operations` does that for a whole module. Operations of unknown
//! dialects and releases are not checked either.

use std::sync::Arc;

use crate::attr::Attribute;
use crate::edit::arena::{EditAttr, EditName};
use crate::format::id::AttrId;
use crate::ir::verify::operations::rules::{Rules, Sizes};
use crate::ops::{ApplicableDefinitions, OperationDefinitions, closest};
use crate::props::PropertyValue;
use crate::props::codec::segment_sizes;
use crate::wire::error::{Error, ErrorKind, Result};

use super::attributes::schema_of;
use super::{Editor, NewOperation};

impl Editor {
    /// Checks a new operation, whose attributes come from its description and the segment sizes.
    pub(super) fn check_definition(
        &mut self,
        name: EditName,
        new: &NewOperation,
        attributes: &[(&[u8], EditAttr, &Attribute)],
    ) -> Result<()> {
        let Some(rules) = self.definition_rules(name, &new.name)? else { return Ok(()) };
        let wrong = |complaint: String| {
            Err(Error::message(ErrorKind::Definition, format!("{}: {complaint}", new.name)))
        };
        for (what, groups, count, names) in [
            (
                "operand",
                &rules.operands,
                new.operands.len(),
                [&b"operandSegmentSizes"[..], b"operand_segment_sizes"],
            ),
            (
                "result",
                &rules.results,
                new.results.len(),
                [&b"resultSegmentSizes"[..], b"result_segment_sizes"],
            ),
        ] {
            let checked = match groups.sizes {
                Sizes::InAttribute => {
                    let view = self.tables.view()?;
                    let attribute = attributes.iter().find(|(name, ..)| names.contains(name));
                    let sizes = attribute.and_then(|row| {
                        segment_sizes(&PropertyValue::Attribute(AttrId::new(row.1.number())), &view)
                    });
                    match sizes {
                        Some(sizes) => groups.sizes_from_attribute(what, &sizes, count),
                        None => Ok(None),
                    }
                }
                _ => groups.sizes_from_count(what, count),
            };
            if let Err(complaint) = checked {
                return wrong(complaint);
            }
        }
        let counts =
            [("region", &rules.regions, new.regions), ("successor", &rules.successors, new.successors.len())];
        for (what, count, found) in counts {
            if let Some(complaint) = count.complaint(what, found) {
                return wrong(complaint);
            }
        }
        for rule in rules.attributes.iter().filter(|rule| rule.is_required) {
            if !attributes.iter().any(|(name, ..)| *name == rule.name.as_bytes()) {
                return wrong(format!("requires the attribute `{}`", rule.name));
            }
        }
        Ok(())
    }

    /// Returns the rules of an operation; `None` if nothing is known about it.
    ///
    /// # Errors
    /// [`ErrorKind::Definition`] if the release has the dialect, but not the operation.
    fn definition_rules(&mut self, name: EditName, full: &str) -> Result<Option<Arc<Rules>>> {
        if let Some(cached_rules) = self.definition_rules.get(full) {
            return Ok(Some(cached_rules.clone()));
        }
        let Some(release) = self.base.release()?.nearest() else { return Ok(None) };
        let Some(definitions) = ApplicableDefinitions::of(release, self.base.tables().release_llvm().0)
        else {
            return Ok(None);
        };
        if let Some(definition) = definitions.get(full) {
            let schema = schema_of(&self.base, self, name)?;
            let rules = Arc::new(Rules::new(definition, schema, |name| definitions.get(name).is_some()));
            self.definition_rules.insert(full.into(), rules.clone());
            return Ok(Some(rules));
        }
        // Definitions of other releases are incomplete, so a missing one is no error.
        let Some(release_definitions) = OperationDefinitions::named(release) else { return Ok(None) };
        let (dialect, stem) = full.split_once('.').unwrap_or((full, ""));
        let is_known = stem.is_empty() || schema_of(&self.base, self, name)?.is_some();
        if is_known || !release_definitions.has_dialect(dialect) {
            return Ok(None);
        }
        let error = Error::message(ErrorKind::Definition, format!("{release} has no operation `{full}`"));
        Err(match closest(full, release_definitions.names()) {
            Some(near) => error.with_hint(format!(
                "did you mean `{near}`? `verify=False` (`NewOperation::is_unchecked`) creates it as it is"
            )),
            None => error,
        })
    }
}
