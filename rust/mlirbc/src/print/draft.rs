//! The building blocks of custom assembly: reading an operation, and writing its pieces.

mod dictionary;
mod groups;
mod reading;
mod type_text;
mod types;

use std::cell::Cell;
use std::ops::Range;

use crate::attr::text::entry::EntryPrinter;
use crate::attr::text::escape;
use crate::file::FileEntries;
use crate::format::id::{AttrId, TypeId};
use crate::ir::body::{BlockRow, Body, NONE};
use crate::ir::module::PropertyReader;
use crate::ir::{Module, OpId, RegionId, ValueId};
use crate::ops::{AttributeDefinition, CandidateReleases, OperationDefinition};
use crate::props::PropertyValue;
use crate::release::Llvm;

use super::dialects::affine::Maps;
use super::plan::{Plan, PlanPiece};
pub(in crate::print) use dictionary::EntryValue;
use groups::Groups;
pub(in crate::print) use groups::part_range;
pub(in crate::print) use type_text::{TextSignature, TypePart, array, levels};
pub(in crate::print) use types::{Container, Dimension, TypeViews, VmReference};

/// The success of adding pieces to a plan; `None` if the operation has no known custom form.
pub(in crate::print) type Drafted = Option<()>;

/// An operation that is being put into pieces.
pub(in crate::print) struct OperationDraft<'a, 'm, 'e> {
    pub(in crate::print) module: &'m Module,
    pub(in crate::print) file: &'e FileEntries<'m>,
    pub(super) release: Llvm,
    /// Whether the form depends on the release besides its definition.
    pub(super) has_asked: &'a Cell<bool>,
    pub(in crate::print) body: &'m Body,
    pub(in crate::print) op: u32,
    pub(in crate::print) definition: &'a OperationDefinition,
    pub(in crate::print) releases: &'a CandidateReleases,
    pub(in crate::print) inherent: &'a [InherentAttribute<'a>],
    pub(in crate::print) discardable: &'a [(u32, u32)],
    pub(in crate::print) plain: &'a mut EntryPrinter<'e, FileEntries<'m>>,
    pub(in crate::print) views: &'a mut TypeViews<'m>,
    pub(in crate::print) maps: &'a mut Maps,
    pub(in crate::print) plan: &'a mut Plan,
    pub(in crate::print) reader: &'a PropertyReader<'m, 'e>,
    /// Whether locations of arguments are printed.
    pub(in crate::print) locations: bool,
    /// A sentence about the part that the text omits.
    pub(in crate::print) lost: &'a mut Option<&'static str>,
    /// A part that MLIR's printers leave out of texts of all forms: locations and default values.
    pub(in crate::print) unprinted: Option<&'static str>,
    /// A text that decides about the form is too long to be kept.
    pub(in crate::print) is_too_long: bool,
    /// The form depends on another operation.
    pub(in crate::print) reads_others: Cell<bool>,
    /// The operands and results of each name, once they are known.
    pub(super) groups: Option<Groups>,
    /// The definition belongs to an earlier release, whose format may mention fewer attributes.
    pub(super) is_earlier: bool,
    /// After a group that would begin with an operand, as long as nothing is printed after it.
    pub(super) open_end: Option<(u32, u32)>,
}

/// An inherent attribute or a property of an operation.
#[derive(Debug, Clone)]
pub(in crate::print) struct InherentAttribute<'a> {
    name: &'a str,
    pub(in crate::print) value: PropertyValue,
    /// The value of an absent one.
    pub(in crate::print) default: Option<&'a str>,
}

impl<'a> InherentAttribute<'a> {
    pub(in crate::print) fn new(name: &'a str, value: PropertyValue, default: Option<&'a str>) -> Self {
        Self { name, value, default }
    }

    pub(in crate::print) fn name(&self) -> &'a str {
        self.name
    }
}

/// The regions of an operation: the body that they are in, and their rows.
#[derive(Clone, Copy)]
pub(in crate::print) struct Regions<'m> {
    pub(in crate::print) body: &'m Body,
    pub(in crate::print) rows: &'m [u32],
}

impl<'m> Regions<'m> {
    /// Returns the regions of an op, and decodes the body of an isolated op. Returns `None` if the body is malformed.
    pub(in crate::print) fn of(module: &'m Module, body: &'m Body, op: u32) -> Option<Self> {
        let Some(detail) = body.detail(OpId::new(op)) else { return Some(Self { body, rows: &[] }) };
        if detail.is_isolated {
            let child = body.children.get(detail.first_region as usize)?.body;
            let body = module.body(child).ok()?;
            return Some(Self { body, rows: body.root_regions.get(..detail.regions as usize)? });
        }
        let first = detail.first_region as usize;
        Some(Self { body, rows: body.op_regions.get(first..first + detail.regions as usize)? })
    }

    /// The blocks of a region.
    pub(in crate::print) fn blocks(&self, number: usize) -> &'m [u32] {
        self.rows.get(number).map_or(&[], |&region| self.body.blocks_of(RegionId::new(region)))
    }

    /// The entry block of a region.
    pub(in crate::print) fn entry(&self, number: usize) -> Option<&'m BlockRow> {
        self.body.blocks.get(*self.blocks(number).first()? as usize)
    }

    /// The arguments of its entry block.
    pub(in crate::print) fn arguments(&self, number: usize) -> Range<u32> {
        self.entry(number).map_or(0..0, |block| block.first_argument..block.first_argument + block.arguments)
    }

    /// The types of these arguments.
    pub(in crate::print) fn argument_types(&self, number: usize) -> &'m [TypeId] {
        let rows = self.arguments(number);
        self.body.argument_type.get(rows.start as usize..rows.end as usize).unwrap_or_default()
    }

    /// The last op of its entry block.
    pub(in crate::print) fn last_op(&self, number: usize) -> Option<u32> {
        self.entry(number).filter(|block| block.ops > 0).map(|block| block.last_op)
    }
}

impl<'a, 'm, 'e> OperationDraft<'a, 'm, 'e> {
    /// The release whose rules apply.
    pub(in crate::print) fn release(&self) -> Llvm {
        self.has_asked.set(true);
        self.release
    }

    /// Whether the operation has the required attributes, and the numbers of operands, results and regions of its definition.
    pub(super) fn fits(&self) -> bool {
        let definition = self.definition;
        let is_required =
            |one: &&AttributeDefinition| !one.is_native() && !one.is_optional() && one.default().is_none();
        let is_set = |name: &str| {
            let mut properties = self.inherent.iter();
            properties.any(|own| own.name() == name && !matches!(own.value, PropertyValue::Absent))
        };
        let regions = self.detail().map_or(0, |detail| detail.regions as usize);
        definition.attributes().iter().filter(is_required).all(|one| is_set(one.name()))
            && definition.region_counts(regions).is_some()
            && self.operand_groups().is_some()
            && self.result_groups().is_some()
    }

    // ---- writing ----

    pub(in crate::print) fn text(&mut self, text: &str) {
        self.plan.text(text.as_bytes());
    }

    pub(in crate::print) fn bytes(&mut self, text: &[u8]) {
        self.plan.text(text);
    }

    pub(in crate::print) fn number(&mut self, number: impl itoa::Integer) {
        self.plan.with_text(|out| out.extend_from_slice(itoa::Buffer::new().format(number).as_bytes()));
    }

    pub(in crate::print) fn quoted(&mut self, text: &[u8]) {
        self.plan.with_text(|out| escape::write_string(out, text));
    }

    pub(in crate::print) fn keyword(&mut self, text: &[u8]) {
        self.plan.with_text(|out| escape::write_keyword_or_string(out, text));
    }

    /// A word that MLIR prints as it is. Any other text would be parsed as something else, so the operation is printed in generic form.
    pub(in crate::print) fn bare(&mut self, text: &[u8]) -> Drafted {
        escape::is_bare_identifier(text).then(|| self.bytes(text))
    }

    pub(in crate::print) fn push(&mut self, piece: PlanPiece) {
        self.plan.pieces.push(piece);
    }

    pub(in crate::print) fn value(&mut self, value: ValueId) {
        self.push(PlanPiece::Value(value));
    }

    fn separated<T: Copy>(&mut self, items: &[T], write: impl Fn(&mut Self, T)) {
        for (place, &item) in items.iter().enumerate() {
            self.text(if place > 0 { ", " } else { "" });
            write(self, item);
        }
    }

    /// `write` for each item with commas between them.
    pub(in crate::print) fn list<T>(
        &mut self,
        items: impl IntoIterator<Item = T>,
        mut write: impl FnMut(&mut Self, T) -> Drafted,
    ) -> Drafted {
        for (place, item) in items.into_iter().enumerate() {
            if place > 0 {
                self.text(", ");
            }
            write(self, item)?;
        }
        Some(())
    }

    pub(in crate::print) fn values(&mut self, values: &[ValueId]) {
        self.separated(values, Self::value);
    }

    pub(in crate::print) fn r#type(&mut self, index: TypeId) {
        self.push(PlanPiece::Type(index));
    }

    pub(in crate::print) fn types(&mut self, types: &[TypeId]) {
        self.separated(types, Self::r#type);
    }

    pub(in crate::print) fn attribute(&mut self, index: AttrId) {
        self.push(PlanPiece::Attribute(index));
    }

    /// Notes locations in regions that the pieces of the operation, from `first` on, do not print.
    pub(in crate::print) fn note_hidden_locations(&mut self, first: usize) {
        let Some(regions) = self.regions().filter(|regions| !regions.rows.is_empty()) else { return };
        let pieces = self.plan.pieces.get(first..).unwrap_or_default();
        let (mut arguments, mut printed, mut shown) = (0, 0, 0);
        let (mut is_inline, mut hides_terminator) = (false, false);
        for piece in pieces {
            match *piece {
                PlanPiece::Region(number, style) => {
                    let is_empty = regions.last_op(number as usize).is_none();
                    shown += usize::from(!is_empty);
                    // A parser gives it the place where the operation begins.
                    hides_terminator |= !style.has_terminator && !is_empty;
                    if !style.has_arguments {
                        arguments += regions.arguments(number as usize).len();
                    }
                }
                PlanPiece::ArgumentLocation(_) => printed += 1,
                PlanPiece::Inline(_) | PlanPiece::InlineGeneric(_) => is_inline = true,
                _ => {}
            }
        }
        let all = (0..regions.rows.len()).filter(|&number| regions.last_op(number).is_some()).count();
        if shown < all && !is_inline {
            *self.lost = Some("the locations in its region");
        } else if printed < arguments {
            *self.lost = Some("the locations of its block arguments");
        } else if hides_terminator {
            *self.lost = Some("the location of its terminator");
        }
    }
}

/// Whether an op has operands or results.
pub(in crate::print) fn has_operands_or_results(body: &Body, op: u32) -> bool {
    !body.operand_rows(OpId::new(op)).is_empty() || !body.results(OpId::new(op)).is_empty()
}

/// Whether an op has a dictionary or a blob of properties.
pub(in crate::print) fn has_attributes(body: &Body, op: u32) -> bool {
    body.op_attributes.get(op as usize) != NONE
}

/// The types of the results of an op.
pub(in crate::print) fn results_of(body: &Body, op: u32) -> &[TypeId] {
    let rows = body.results(OpId::new(op));
    body.result_type.get(rows.start as usize..rows.end as usize).unwrap_or_default()
}

/// Whether an attribute has the sizes of groups.
pub(in crate::print) fn is_segment_name(name: &str) -> bool {
    matches!(
        name,
        "operandSegmentSizes" | "resultSegmentSizes" | "operand_segment_sizes" | "result_segment_sizes"
    )
}

/// The text of an attribute without ` : type` at its end, for numbers and strings.
pub(in crate::print) fn untyped(text: &[u8]) -> &[u8] {
    let end = text.windows(3).rposition(|window| window == b" : ");
    match text.first() {
        Some(b'0'..=b'9' | b'-') => end.map_or(text, |end| &text[..end]),
        _ => text,
    }
}
