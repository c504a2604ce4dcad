//! An operation that is put into pieces by one of the definitions that it may have.

use std::cell::Cell;

use crate::attr::text::entry::{EntryPrinter, string_of, type_of_string};
use crate::file::FileEntries;
use crate::format::id::{AttrId, OpNameId};
use crate::ir::body::Body;
use crate::ir::module::{Inherent, PropertyReader};
use crate::ir::{BodyId, OpId, Operation};
use crate::ops::{AttributeDefault, AttributeText, OperationDefinition};
use crate::props::PropertyValue;
use crate::props::codec::segment_sizes;
use crate::release::Llvm;

use super::draft::{Drafted, InherentAttribute, OperationDraft, is_segment_name};
use super::operation_forms::Candidate;
use super::plan::PlanPiece;
use super::{Custom, syntax};

/// The result of putting an operation into pieces by one definition.
pub(super) enum Tried {
    /// The part that the text omits.
    Written(Option<&'static str>),
    Unwritten,
    /// A part that the form declared by a pack would hide.
    Hidden(&'static str),
    /// The definition is not the one of the operation.
    Other,
}

impl<'m, 'e> Custom<'m, 'e> {
    /// Reads an op by the newest of the definitions that it may have.
    pub(super) fn with_draft<T>(
        &mut self,
        reader: &PropertyReader<'m, 'e>,
        id: BodyId,
        body: &'m Body,
        op: u32,
        read: impl FnOnce(&mut OperationDraft<'_, 'm, 'e>) -> Option<T>,
    ) -> Option<T> {
        let name = *body.op_name.get(op as usize)?;
        let last = self.know(name)?.candidates.len().checked_sub(1)?;
        let mut value = None;
        self.try_candidate(reader, id, body, op, last, |draft, _| {
            value = read(draft);
            Some(())
        });
        value
    }

    pub(super) fn try_candidate(
        &mut self,
        reader: &PropertyReader<'m, 'e>,
        id: BodyId,
        body: &'m Body,
        op: u32,
        place: usize,
        write: impl FnOnce(&mut OperationDraft<'_, 'm, 'e>, &Candidate) -> Drafted,
    ) -> Tried {
        let mut inherent = std::mem::take(&mut self.inherent);
        let mut discardable = std::mem::take(&mut self.discardable);
        let handle = Operation::new(self.module, body, id, OpId::new(op));
        let is_known = matches!(reader.read(&handle, &mut inherent, &mut discardable), Ok(Inherent::Known));
        let forms = body.op_name.get(op as usize).and_then(|&name| self.known.get(name as usize)?.as_ref());
        let mut lost = None;
        let mut is_done = false;
        let mut is_other = false;
        let mut hidden_part = None;
        if is_known
            && let Some(forms) = forms
            && let Some(candidate) = forms.candidates.get(place)
        {
            let definition = &candidate.definition;
            let release = candidate.llvm;
            self.release = release;
            let mut declared: Vec<_> = inherent
                .drain(..)
                .map(|property| {
                    InherentAttribute::new(property.name(), property.value, property.field.default_text())
                })
                .collect();
            // Some dialects of a build have no properties; their inherent attributes are in the dictionary.
            let fields = self.module.release().ok().and_then(|release| {
                release
                    .op(OpNameId::new(body.op_name.get(op as usize).copied()?))
                    .map(|schema| schema.fields().len())
            });
            if !self.release.has_properties() || fields == Some(0) {
                add_own(&mut declared, &mut discardable, definition, self.file, self.release);
            }
            let has_groups = || {
                definition.has_trait("AttrSizedOperandSegments")
                    || definition.has_trait("AttrSizedResultSegments")
            };
            // An undeclared inherent attribute shows that the definition belongs to another version of the op.
            is_other = declared.iter().any(|one| {
                let is_unknown = || match is_segment_name(one.name()) {
                    true => !has_groups(),
                    false => definition.attribute(one.name()).is_none(),
                };
                !matches!(one.value, PropertyValue::Absent)
                    && is_unknown()
                    // The property may be newer than the definition although the format is unchanged.
                    && !(self.release.separates_properties() && has_default(&mut self.plain, one))
            });
            // A string that is printed as a name, or without its type, is parsed as one without a type.
            let is_typed_name = |one: &InherentAttribute<'_>| {
                matches!(one.value, PropertyValue::Attribute(index) if type_of_string(self.file, index).is_some())
                    && definition.attribute(one.name()).and_then(|one| one.constraint()).is_some_and(
                        |constraint| {
                            matches!(
                                constraint.attribute_text(),
                                AttributeText::Symbol | AttributeText::Typed(_)
                            )
                        },
                    )
            };
            if declared.iter().any(is_typed_name) {
                lost = Some("the type of a string attribute");
            }
            let has_segments = |name: u32| {
                let name =
                    string_of(self.file, AttrId::new(name)).and_then(|name| std::str::from_utf8(name).ok());
                name.is_some_and(is_segment_name)
            };
            // C++ of this one adds the sizes of groups that it does not have, which its text does not show.
            if definition.name() == "linalg.unpack" && self.release.groups_unpack() {
                let tiles = body.operand_rows(OpId::new(op)).len().saturating_sub(2);
                let sizes = i32::try_from(tiles).ok().map(|tiles| vec![1, 1, 0, tiles]);
                let all = discardable.len();
                discardable.retain(|&(name, value)| {
                    !has_segments(name)
                        || segment_sizes(&PropertyValue::Attribute(AttrId::new(value)), self.file) != sizes
                });
                if discardable.len() == all {
                    lost = Some("that `operandSegmentSizes` is missing");
                }
            }
            let is_newer = self.release.may_have_undefined_groups()
                && discardable.iter().any(|&(name, _)| has_segments(name));
            is_other |= is_newer;
            let mut draft = OperationDraft {
                module: self.module,
                file: self.file,
                release,
                has_asked: &self.has_asked,
                body,
                op,
                definition,
                releases: &self.releases,
                inherent: &declared,
                discardable: &discardable,
                plain: &mut self.plain,
                views: &mut self.views,
                maps: &mut self.maps,
                plan: &mut self.plan,
                reader,
                locations: self.locations,
                lost: &mut lost,
                unprinted: None,
                is_too_long: false,
                reads_others: Cell::new(false),
                groups: None,
                is_earlier: candidate.is_earlier,
                open_end: None,
            };
            let first = draft.plan.pieces.len();
            is_other = is_other || forms.candidates.len() > 1 && !draft.fits();
            is_done = !is_other && write(&mut draft, candidate).is_some() && !draft.is_too_long;
            // MLIR's own printers leave parts out; a declaration must not.
            if is_done && definition.has_declared_form() {
                hidden_part = draft.lost.take();
                is_done = hidden_part.is_none();
            }
            if let (Some(part), None) = (draft.unprinted, &draft.lost) {
                *draft.lost = Some(part);
            }
            if is_done && draft.locations && draft.lost.is_none() {
                draft.note_hidden_locations(first);
            }
            self.is_of_shape &= !draft.reads_others.get();
        }
        self.inherent = inherent;
        self.discardable = discardable;
        // An attribute that cannot be read has no form that is certain.
        if !self.plain.faults.is_empty() {
            self.plain.faults.clear();
            is_done = false;
        }
        match (is_done, hidden_part) {
            (true, _) => Tried::Written(lost),
            (false, Some(part)) => Tried::Hidden(part),
            (false, None) if is_other => Tried::Other,
            (false, None) => Tried::Unwritten,
        }
    }
}

/// Adds the pieces of the form of a definition.
pub(super) fn write_op(draft: &mut OperationDraft<'_, '_, '_>, candidate: &Candidate) -> Drafted {
    let full = candidate.definition.name();
    // A piece of its own, whatever the enclosing op ends with.
    let (start, end) = draft.plan.kept(|out| out.extend_from_slice(full.as_bytes()));
    draft.push(PlanPiece::Text(start, end));
    syntax::write(draft, candidate.form.as_ref()?)?;
    note_implied_terminators(draft);
    Some(())
}

/// Notes if a parser would add the terminator that the op implies, because the block lacks a terminator or has another
/// one, which is not printed.
fn note_implied_terminators(draft: &mut OperationDraft<'_, '_, '_>) {
    let mut traits = draft.definition.traits().iter();
    let Some(implied) = traits.find(|one| one.name() == "SingleBlockImplicitTerminator") else { return };
    let Some(regions) = draft.regions() else { return };
    for number in 0..regions.rows.len() {
        if regions.entry(number).is_none() {
            continue;
        }
        let name = regions.last_op(number).map(|last| draft.name_of(regions.body, last));
        let is_implied = |name: &str| implied.arguments().any(|argument| argument == name);
        let is_terminator = name.is_some_and(|name| {
            is_implied(&name)
                || draft.shows_terminator(regions, number)
                    && draft
                        .releases
                        .newest(&name)
                        .is_some_and(|definition| definition.has_trait("IsTerminator"))
        });
        if !is_terminator {
            draft.lost.get_or_insert("that a block ends without the terminator that the operation implies");
        }
    }
}

// Whether a property has its default value, which a format does not show.
fn has_default<'m, 'e>(plain: &mut EntryPrinter<'e, FileEntries<'m>>, own: &InherentAttribute<'_>) -> bool {
    let (PropertyValue::Attribute(index), Some(default)) = (&own.value, own.default) else { return false };
    plain.short_text(*index, default.len()).is_some_and(|found| found == default.as_bytes())
}

// Without properties, the attributes that the definition names are inherent.
fn add_own<'a>(
    own: &mut Vec<InherentAttribute<'a>>,
    discardable: &mut Vec<(u32, u32)>,
    definition: &'a OperationDefinition,
    file: &FileEntries<'_>,
    release: Llvm,
) {
    let segments = match release.has_properties() {
        true => ["operandSegmentSizes", "resultSegmentSizes"],
        false => ["operand_segment_sizes", "result_segment_sizes"],
    };
    let optional_of = |name: &str| segments.contains(&name);
    let declared = definition.attributes().iter().map(|one| (one.name(), one.default()));
    for (name, default) in declared.chain(segments.map(|name| (name, None))) {
        if own.iter().any(|one| one.name() == name) {
            continue;
        }
        let position = discardable
            .iter()
            .position(|(key, _)| string_of(file, AttrId::new(*key)) == Some(name.as_bytes()));
        let default = match default {
            Some(AttributeDefault::Text(text)) => Some(&**text),
            _ => None,
        };
        match position {
            Some(place) => {
                let (_, value) = discardable.remove(place);
                own.push(InherentAttribute::new(name, PropertyValue::Attribute(AttrId::new(value)), default));
            }
            None if optional_of(name) => {}
            None => own.push(InherentAttribute::new(name, PropertyValue::Absent, default)),
        }
    }
}
