//! Decides whether a receiver decodes the properties of an operation as the writer meant them.

use super::receiver_knowledge::ReceiverKnowledge;
use super::{FindingKind, Findings, Outcome};
use crate::format::id::{OpNameId, PropertyId};
use crate::ir::Module;
use crate::ir::module::{Inherent, PropertyReader};
use crate::props::PropertyValue;
use crate::props::codec::decode;
use crate::wire::error::Result;
use crate::wire::order::sort_by;

impl Module {
    // Checks whether the receiver, which knows the operation, decodes its blob as the writer meant it.
    pub(super) fn check_layout(
        &self,
        (knowledge, reader): (&ReceiverKnowledge, &PropertyReader<'_, '_>),
        id: OpNameId,
        (blob, bytes, offset): (PropertyId, &[u8], u64),
        count: u64,
        findings: &mut Findings<'_>,
    ) -> Result<()> {
        let name = self.op_name(id).map_or_else(String::new, |name| name.full().into_owned());
        let Some(theirs) = knowledge.schema(&name) else {
            // A list of operations contains no layouts. An operation that was unregistered in the writer has an
            // attribute index in place of properties.
            if knowledge.name.is_none()
                && self.op_name(id).is_some_and(|name| name.is_registered == Some(false))
            {
                let misread = (Outcome::Misread, Outcome::Misread);
                findings.add(FindingKind::Properties, &name, count, misread, || {
                    "the receiver takes an attribute index for properties, because the operation was unregistered in the writer"
                        .to_owned()
                })?;
            }
            return Ok(());
        };
        if theirs.is_opaque() {
            let release = self.release()?;
            let source_release = release.name();
            if source_release.is_none() || source_release != knowledge.name.as_deref() {
                findings.add(
                    FindingKind::Properties,
                    &name,
                    count,
                    (Outcome::Misread, Outcome::Misread),
                    || {
                        "the layout of the properties in the receiver is not known, so it may differ"
                            .to_owned()
                    },
                )?;
            }
            return Ok(());
        }
        if theirs.fields().len() == 0 {
            // Ops without properties ignore the blob.
            return Ok(());
        }
        let version = self.tables().bytecode().version();
        let (mut read, mut own) = (Vec::new(), Vec::new());
        let entries = self.tables().entries()?;
        let alike = |outcome| (outcome, outcome);
        let decoded = decode(theirs, version, bytes, offset, &entries, &mut read);
        let meant = reader.blob(id, reader.schema(id), blob, &mut own);
        match (decoded, meant) {
            (Err(error), meant) => {
                // MLIR ignores remaining bytes.
                let is_rest = error.expected().starts_with("the end of");
                let reason = match meant {
                    Ok(Inherent::Attribute(_)) => {
                        "the operation was unregistered in the writer, so its properties are one attribute"
                    }
                    _ if is_rest => "the receiver ignores the last bytes of the properties",
                    _ => "the receiver has a different layout of the properties",
                };
                let outcome = if is_rest { Outcome::Misread } else { Outcome::Refused };
                findings.add(FindingKind::Properties, &name, count, alike(outcome), || {
                    format!("{reason}: {}", error.sentence())
                })?;
            }
            (Ok(()), Ok(Inherent::Known)) => {
                let present = |list: &[crate::props::Property<'_>]| {
                    let mut list: Vec<(String, PropertyValue)> = list
                        .iter()
                        .filter(|property| property.value != PropertyValue::Absent)
                        .map(|property| (property.name().to_owned(), property.value.clone()))
                        .collect();
                    sort_by(&mut list, |a, b| a.0.cmp(&b.0));
                    list
                };
                let (theirs, ours) = (present(&read), present(&own));
                // A value under a new name has the same meaning.
                let values = |list: &[(String, PropertyValue)]| {
                    list.iter().map(|row| row.1.clone()).collect::<Vec<_>>()
                };
                if theirs != ours && values(&theirs) != values(&ours) {
                    findings.add(FindingKind::Properties, &name, count, alike(Outcome::Misread), || {
                        "the receiver's layout fits the bytes, but gives them another meaning".to_owned()
                    })?;
                } else if let Some(ignored) = name_outside_of_properties(knowledge, &name, &ours, &theirs) {
                    findings.add(FindingKind::Properties, &name, count, alike(Outcome::Misread), || {
                        format!("the receiver looks for `{ignored}` among the attributes, and not in the properties")
                    })?;
                }
            }
            (Ok(()), Ok(Inherent::Attribute(_))) => {
                findings.add(FindingKind::Properties, &name, count, alike(Outcome::Misread), || {
                    "the operation was unregistered in the writer, so its properties are one attribute"
                        .to_owned()
                })?;
            }
            // The meaning of the bytes is unknown.
            (Ok(()), _) => {}
        }
        Ok(())
    }
}

/// Finds a property that the receiver takes from the dictionary of the operation, where an older definition does not declare it.
fn name_outside_of_properties<'l>(
    knowledge: &ReceiverKnowledge,
    op: &str,
    properties: &'l [(String, PropertyValue)],
    target_properties: &[(String, PropertyValue)],
) -> Option<&'l str> {
    let conversion = knowledge.conversion.as_ref()?;
    let mut names = properties.iter().map(|(name, _)| &**name);
    let is_declared = |name: &str| target_properties.iter().any(|(declared, _)| declared == name);
    names.find(|name| conversion.reads_undeclared(op, name) && !is_declared(name))
}
