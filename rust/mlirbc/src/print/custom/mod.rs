//! Operations in the custom assembly of their release.
//!
//! Owns the pieces that the text of an operation consists of, the formats that make them, and the names of values.
//! Does not own the order of operations, regions and blocks (`print::op`), or the text of attributes and types.

mod acc;
mod affine;
mod blocks;
mod directives;
mod draft;
mod emitc;
mod format;
mod func;
mod gpu;
mod irdl;
mod iree_codegen;
mod linalg;
mod linalg_body;
mod llvm;
mod memref;
mod ml_program;
mod mpmd;
mod names;
mod nvvm;
mod omp;
mod pcf;
mod pdl_interp;
pub(in crate::print) mod plan;
mod rocdl;
mod scf;
pub(in crate::print) mod scopes;
mod sdy;
mod shape;
pub(in crate::print) mod shapes;
mod smt;
mod sparse_tensor;
mod spirv;
mod stablehlo;
mod stream;
mod tosa;
mod transfers;
mod transform;
mod util;
mod vector;
mod vm;
mod wasmssa;

pub(crate) use acc::ACC_PARALLEL_CLAUSES;
pub(crate) use nvvm::MMA_WORDS;
pub(crate) use omp::map_flags::flags_of as map_flags_of;

use std::cell::Cell;
use std::collections::HashMap;
use std::sync::Arc;

use crate::attr::text::entry::{EntryPrinter, EntryStyle, string_of, type_of_string};
use crate::file::FileEntries;
use crate::format::id::OpNameId;
use crate::ir::body::Body;
use crate::ir::module::{Inherent, PropertyReader};
use crate::ir::{BodyId, Module, OpId, Operation};
use crate::ops::{ApplicableDefinitions, AttributeDefault, AttributeText, OperationDefinition, Syntax};
use crate::props::{Property, PropertyValue};
use crate::release::Llvm;
use crate::wire::error::Result;
use crate::wire::limits::{Budget, Held};

use super::op::Omission;
pub(in crate::print) use draft::Regions;
use draft::{Draft, Drafted, Own, TypeViews};
use format::Format;
pub(in crate::print) use format::stripped;
use names::{ArgumentNames, ResultNames};
use plan::Plan;
use scopes::Scopes;
use shapes::Shapes;

/// A format that is written by hand.
type HandWritten = fn(&mut Draft<'_, '_, '_>) -> Drafted;

/// Puts operations of a file into pieces, and names values.
pub(in crate::print) struct Custom<'m, 'e> {
    module: &'m Module,
    file: &'e FileEntries<'m>,
    definitions: ApplicableDefinitions,
    // The release whose rules apply; for one without definitions, those before and after it must give the same.
    release: Llvm,
    later: Option<Llvm>,
    locations: bool,
    lossless: bool,
    // By op name.
    known: Vec<Option<Known>>,
    // Texts that decide about what is printed; aliases would hide them.
    plain: EntryPrinter<'e, FileEntries<'m>>,
    views: TypeViews<'m>,
    maps: affine::Maps,
    pub(in crate::print) plan: Plan,
    pub(in crate::print) scopes: Scopes,
    pub(in crate::print) shapes: Shapes,
    // The last drafts read nothing but the shape of the op.
    is_of_shape: bool,
    pub(in crate::print) dialects: Vec<&'static str>,
    inherent: Vec<Property<'m>>,
    discardable: Vec<(u32, u32)>,
    /// What the text does not show.
    pub(in crate::print) omissions: Vec<Omission>,
    // Their places, by op name and part.
    omission_of: HashMap<(u32, &'static str), usize>,
    // Of the last draft.
    omitted: Option<&'static str>,
    held: Held,
    name: Vec<u8>,
}

/// What is known about an operation of a name.
struct Known {
    definition: Option<Arc<OperationDefinition>>,
    form: Form,
    results: ResultNames,
    arguments: ArgumentNames,
    default_dialect: &'static str,
}

enum Form {
    Generic,
    Declared(Format),
    HandWritten(HandWritten),
}

// Operations whose formats in a build after the newest release are those of the release.
const UNCHANGED: &str = include_str!("../../../data/operations/unchanged.txt");

/// What is known of the format of an operation in a build after the release that defines it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Continuity {
    Unknown,
    /// Printed in the same way if the format mentions all inherent attributes that are set.
    Format,
    /// Also the others.
    Whole,
}

fn continuity_of(name: &str) -> Continuity {
    let marked = UNCHANGED.lines().find_map(|line| match line.strip_prefix(name)? {
        "" => Some(Continuity::Format),
        " properties" => Some(Continuity::Whole),
        _ => None,
    });
    marked.unwrap_or(Continuity::Unknown)
}

impl<'m, 'e> Custom<'m, 'e> {
    /// `None` if there are no definitions for the release of the file.
    ///
    /// # Errors
    /// If the memory limit does not allow a row for each name.
    pub(in crate::print) fn new(
        module: &'m Module,
        file: &'e FileEntries<'m>,
        options: &super::PrintOptions,
        budget: &Budget,
    ) -> Result<Option<Self>> {
        let release = module.release()?;
        let llvm = module.release_llvm();
        let definitions = release.nearest().and_then(|name| ApplicableDefinitions::of(name, llvm.0));
        let Some(definitions) = definitions else { return Ok(None) };
        let (earlier, later) = definitions.llvms();
        let style = EntryStyle { release: llvm, elide_elements: None };
        let names = module.op_names()?.len();
        let held = budget.hold(names * size_of::<Option<Known>>())?;
        let mut known = Vec::with_capacity(names);
        known.resize_with(names, || None);
        Ok(Some(Self {
            module,
            file,
            definitions,
            release: earlier.map_or(llvm, Llvm),
            later: later.map(Llvm),
            locations: options.locations,
            lossless: options.lossless,
            known,
            plain: EntryPrinter::new(file, style, u64::MAX).with_budget(budget),
            views: TypeViews::new(budget),
            maps: affine::Maps::new(budget)?,
            plan: Plan::default(),
            scopes: Scopes::default(),
            shapes: Shapes::new(budget.memory_left()),
            is_of_shape: false,
            dialects: vec!["builtin"],
            inherent: Vec::new(),
            discardable: Vec::new(),
            omissions: Vec::new(),
            omission_of: HashMap::new(),
            omitted: None,
            held,
            name: Vec::new(),
        }))
    }

    /// Charges the memory of pieces and names.
    ///
    /// # Errors
    /// If the budget is spent.
    pub(in crate::print) fn charge(&mut self) -> Result<()> {
        self.held.grow_to(self.memory())
    }

    fn memory(&self) -> usize {
        let names = self.known.len() * size_of::<Option<Known>>();
        names + self.plan.memory() + self.scopes.memory() + self.shapes.memory() + self.views.memory()
    }

    // Before the pieces of an op with very many operands, results or successors are made.
    fn charge_for(&mut self, body: &Body, op: u32) -> Result<()> {
        const FEW: usize = 1 << 10;
        // A piece and the text after it, for the value and for its type; lists of both.
        const EACH: usize = 6 * size_of::<plan::Piece>();
        let successors = body.detail(OpId(op)).map_or(0, |detail| detail.successors as usize);
        let parts = body.operand_rows(OpId(op)).len() + body.results(OpId(op)).len() + successors;
        if parts > FEW {
            self.held.grow_to(self.memory() + EACH * parts)?;
        }
        Ok(())
    }

    fn know(&mut self, name: u32) -> Option<&Known> {
        let row = self.known.get(name as usize)?;
        if row.is_none() {
            let known = self.find(OpNameId(name));
            *self.known.get_mut(name as usize)? = Some(known);
        }
        self.known.get(name as usize)?.as_ref()
    }

    fn find(&self, id: OpNameId) -> Known {
        let names = self.module.dialect_section().map(|section| &section.op_names);
        let is_unregistered = names
            .is_ok_and(|names| names.get(id.index()).is_some_and(|one| one.is_registered == Some(false)));
        let name = self.module.op_name(id).map(|name| name.full().into_owned()).unwrap_or_default();
        // An included release of LLVM is not the one that wrote the file: formats that change are left out.
        let continuity = match self.definitions.is_earlier(&name) {
            true => continuity_of(&name),
            false => Continuity::Whole,
        };
        let definition = if is_unregistered || continuity == Continuity::Unknown {
            None
        } else {
            self.definitions.get(&name)
        };
        let Some(definition) = definition else {
            let (results, arguments) = (ResultNames::Numbered, ArgumentNames::Numbered);
            return Known { definition: None, form: Form::Generic, results, arguments, default_dialect: "" };
        };
        let form = match definition.syntax() {
            Syntax::Generic => Form::Generic,
            _ if definition.assembly().is_some() => {
                let mut format = Format::compile(&definition, self.release);
                if let Some(format) = &mut format {
                    format.is_earlier = continuity != Continuity::Whole;
                }
                format.map_or(Form::Generic, Form::Declared)
            }
            _ => hand_written(&definition, self.release).map_or(Form::Generic, Form::HandWritten),
        };
        // Names do not decide whether a text is valid.
        let release = self.release.0;
        let results = match names::results(&definition, release) {
            // Only such a product has a name.
            ResultNames::Computed(names::Computed::Scaled) if !self.has_op_name("vector.vscale") => {
                ResultNames::Numbered
            }
            results => results,
        };
        let later = self.later.map_or(release, |later| later.0);
        let default_dialect = names::default_dialect(&name, release);
        let is_settled = default_dialect == names::default_dialect(&name, later);
        Known {
            form,
            results,
            arguments: names::arguments(&definition, release),
            default_dialect: if is_settled { default_dialect } else { "" },
            definition: Some(definition),
        }
    }

    fn has_op_name(&self, wanted: &str) -> bool {
        let names = self.module.dialect_section().map_or(0, |section| section.op_names.len());
        (0..names as u32)
            .filter_map(|name| self.module.op_name(OpNameId(name)))
            .any(|name| name.full() == wanted)
    }

    /// The default dialect in the regions of an op.
    pub(in crate::print) fn default_dialect(&mut self, name: u32) -> &'static str {
        self.know(name).map_or("", |known| known.default_dialect)
    }

    /// Puts an op into pieces after those of the ops that contain it; returns where they begin. `None` if it is to be
    /// printed in generic form.
    ///
    /// # Errors
    /// If the memory budget is spent.
    pub(in crate::print) fn draft(
        &mut self,
        reader: &PropertyReader<'m, 'e>,
        id: BodyId,
        body: &'m Body,
        op: u32,
    ) -> Result<Option<(u32, u32)>> {
        let Some(&name) = body.op_name.get(op as usize) else { return Ok(None) };
        if self.know(name).is_none_or(|known| matches!(known.form, Form::Generic)) {
            return Ok(None);
        }
        self.charge_for(body, op)?;
        let mark = self.plan.mark();
        if let Some(place) = self.shapes.find(body, op) {
            self.omitted = self.shapes.omitted(place);
            return Ok(self.shapes.add(place, &mut self.plan).map(|()| mark));
        }
        self.is_of_shape = true;
        let (is_done, note) = self.with_draft(reader, id, body, op, write_op);
        let is_done =
            is_done && !(self.lossless && note.is_some()) && self.is_settled(reader, id, body, op, mark);
        if !is_done {
            self.plan.rewind(mark);
        }
        if self.is_of_shape {
            self.shapes.keep(body, op, &self.plan, is_done.then_some(mark), note);
        }
        self.charge()?;
        if !is_done {
            return Ok(None);
        }
        self.omitted = note;
        Ok(Some(mark))
    }

    // Whether the releases before and after that of the file write an op in the same way.
    fn is_settled(
        &mut self,
        reader: &PropertyReader<'m, 'e>,
        id: BodyId,
        body: &'m Body,
        op: u32,
        mark: (u32, u32),
    ) -> bool {
        let Some(later) = self.later else { return true };
        let earlier = std::mem::replace(&mut self.release, later);
        let pieces = self.plan.pieces.split_off(mark.0 as usize);
        let texts = self.plan.texts.split_off(mark.1 as usize);
        let (is_done, _) = self.with_draft(reader, id, body, op, write_op);
        self.release = earlier;
        let has = |plan: &Plan| {
            plan.pieces.get(mark.0 as usize..) == Some(&pieces)
                && plan.texts.get(mark.1 as usize..) == Some(&texts)
        };
        is_done && has(&self.plan)
    }

    /// Notes what the last draft, which is about to be printed, does not show.
    pub(in crate::print) fn note_omission(&mut self, id: BodyId, body: &Body, op: u32) {
        let Some(part) = self.omitted.take() else { return };
        let Some(&name) = body.op_name.get(op as usize) else { return };
        // There are at most a few for each definition.
        let place = *self.omission_of.entry((name, part)).or_insert_with(|| {
            let operation = Operation::new(self.module, body, id, OpId(op));
            let (name, first) = (operation.name().into(), operation.path());
            self.omissions.push(Omission { operation: name, part, count: 0, first });
            self.omissions.len() - 1
        });
        if let Some(omission) = self.omissions.get_mut(place) {
            omission.count += 1;
        }
    }

    /// The same for an op of a shape that is about to be written.
    #[inline]
    pub(in crate::print) fn note_omission_of(&mut self, place: usize, id: BodyId, body: &Body, op: u32) {
        if self.shapes.text(place).is_some() && self.shapes.omitted(place).is_some() {
            self.omitted = self.shapes.omitted(place);
            self.note_omission(id, body, op);
        }
    }

    /// The length of the prefix of an op name that the default dialect makes unnecessary.
    pub(in crate::print) fn prefix_len(&self, name: &[u8]) -> usize {
        let dialect = self.dialects.last().copied().unwrap_or("");
        let rest = name.strip_prefix(dialect.as_bytes()).and_then(|rest| rest.strip_prefix(b"."));
        match rest {
            Some(rest) if !dialect.is_empty() && !rest.contains(&b'.') => dialect.len() + 1,
            _ => 0,
        }
    }

    /// The name of an op.
    pub(in crate::print) fn name(&self, body: &Body, op: u32) -> &str {
        let known = body.op_name.get(op as usize).and_then(|&name| self.known.get(name as usize)?.as_ref());
        known.and_then(|known| known.definition.as_ref()).map_or("", |definition| definition.name())
    }

    fn with_draft(
        &mut self,
        reader: &PropertyReader<'m, 'e>,
        id: BodyId,
        body: &'m Body,
        op: u32,
        write: impl FnOnce(&mut Draft<'_, 'm, 'e>, &Known) -> Drafted,
    ) -> (bool, Option<&'static str>) {
        let mut inherent = std::mem::take(&mut self.inherent);
        let mut discardable = std::mem::take(&mut self.discardable);
        let handle = Operation::new(self.module, body, id, OpId(op));
        let is_known = matches!(reader.read(&handle, &mut inherent, &mut discardable), Ok(Inherent::Known));
        let known = body.op_name.get(op as usize).and_then(|&name| self.known.get(name as usize)?.as_ref());
        let mut lost = None;
        let mut is_done = false;
        if is_known
            && let Some(known) = known
            && let Some(definition) = &known.definition
        {
            let mut own: Vec<_> = inherent
                .drain(..)
                .map(|property| Own::new(property.name(), property.value, property.field.default_text()))
                .collect();
            if !self.release.has_properties() {
                add_own(&mut own, &mut discardable, definition, self.file);
            }
            // The definition is that of another version of the op.
            let is_other = own.iter().any(|one| {
                let is_segments = draft::is_segment_name(one.name());
                let has_groups = definition.has_trait("AttrSizedOperandSegments")
                    || definition.has_trait("AttrSizedResultSegments");
                !matches!(one.value, PropertyValue::Absent)
                    && if is_segments { !has_groups } else { definition.attribute(one.name()).is_none() }
                    // It may be newer than the definition, in a format that is not.
                    && !(self.release.separates_properties() && has_default(&mut self.plain, one))
            });
            // A string that is printed as a name, or without its type, is parsed as one without a type.
            let is_typed_name = |one: &Own<'_>| {
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
            if own.iter().any(is_typed_name) {
                lost = Some("the type of a string attribute");
            }
            let has_segments = |name: u32| {
                let name = string_of(self.file, name).and_then(|name| std::str::from_utf8(name).ok());
                name.is_some_and(draft::is_segment_name)
            };
            // C++ of this one adds the sizes of groups that it does not have, which its text does not show.
            if definition.name() == "linalg.unpack" && self.release.groups_unpack() {
                let tiles = body.operand_rows(OpId(op)).len().saturating_sub(2);
                let sizes = format!("array<i32: 1, 1, 0, {tiles}>");
                let all = discardable.len();
                discardable.retain(|&(name, value)| {
                    !has_segments(name) || !has_text(&mut self.plain, value, &sizes)
                });
                if discardable.len() == all {
                    lost = Some("that `operandSegmentSizes` is missing");
                }
            }
            // Of development versions, an op that has got groups since.
            let is_newer = self.release.0 > 23 && discardable.iter().any(|&(name, _)| has_segments(name));
            let is_other = is_other || is_newer;
            let mut draft = Draft {
                module: self.module,
                file: self.file,
                release: self.release,
                body,
                op,
                definition,
                definitions: &self.definitions,
                inherent: &own,
                discardable: &discardable,
                plain: &mut self.plain,
                views: &mut self.views,
                maps: &mut self.maps,
                plan: &mut self.plan,
                reader,
                locations: self.locations,
                lost: &mut lost,
                is_too_long: false,
                reads_others: Cell::new(false),
            };
            let first = draft.plan.pieces.len();
            is_done = !is_other && write(&mut draft, known).is_some() && !draft.is_too_long;
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
        (is_done, lost)
    }
}

fn write_op(draft: &mut Draft<'_, '_, '_>, known: &Known) -> Drafted {
    let full = known.definition.as_ref().map(|definition| definition.name()).unwrap_or_default();
    // A piece of its own, whatever the enclosing op ends with.
    let (start, end) = draft.plan.kept(|out| out.extend_from_slice(full.as_bytes()));
    draft.push(plan::Piece::Text(start, end));
    match &known.form {
        Form::Declared(format) => format.draft(draft)?,
        Form::HandWritten(write) => write(draft)?,
        Form::Generic => return None,
    }
    note_implied_terminators(draft);
    Some(())
}

/// Notes if a parser would end a block with the terminator that the op implies, because the block has none, or another
/// one that is not printed.
fn note_implied_terminators(draft: &mut Draft<'_, '_, '_>) {
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
                        .definitions
                        .get(&name)
                        .is_some_and(|definition| definition.has_trait("IsTerminator"))
        });
        if !is_terminator {
            draft.lost.get_or_insert("that a block ends without the terminator that the operation implies");
        }
    }
}

// Whether a property has its default value, which a format does not show.
fn has_default<'m, 'e>(plain: &mut EntryPrinter<'e, FileEntries<'m>>, own: &Own<'_>) -> bool {
    let (PropertyValue::Attribute(index), Some(default)) = (&own.value, own.default) else { return false };
    has_text(plain, *index, default)
}

fn has_text<'m, 'e>(plain: &mut EntryPrinter<'e, FileEntries<'m>>, attribute: u32, text: &str) -> bool {
    plain.short_text(attribute, text.len()).is_some_and(|found| found == text.as_bytes())
}

// Without properties, inherent attributes are those that the definition names.
fn add_own<'a>(
    own: &mut Vec<Own<'a>>,
    discardable: &mut Vec<(u32, u32)>,
    definition: &'a OperationDefinition,
    file: &FileEntries<'_>,
) {
    let segments = ["operand_segment_sizes", "result_segment_sizes"];
    let optional_of = |name: &str| segments.contains(&name);
    let declared = definition.attributes().iter().map(|one| (one.name(), one.default()));
    for (name, default) in declared.chain(segments.map(|name| (name, None))) {
        if own.iter().any(|one| one.name() == name) {
            continue;
        }
        let found = discardable.iter().position(|(key, _)| string_of(file, *key) == Some(name.as_bytes()));
        let default = match default {
            Some(AttributeDefault::Text(text)) => Some(&**text),
            _ => None,
        };
        match found {
            Some(place) => {
                let (_, value) = discardable.remove(place);
                own.push(Own::new(name, PropertyValue::Attribute(value), default));
            }
            None if optional_of(name) => {}
            None => own.push(Own::new(name, PropertyValue::Absent, default)),
        }
    }
}

/// Whether the custom form of an operation is printed.
#[cfg(test)]
pub(crate) fn has_printer(definition: &OperationDefinition, release: Llvm) -> bool {
    match definition.assembly() {
        Some(_) => Format::compile(definition, release).is_some(),
        None => hand_written(definition, release).is_some(),
    }
}

// By dialect, as their C++ is.
fn hand_written(definition: &OperationDefinition, release: Llvm) -> Option<HandWritten> {
    let (dialect, name) = definition.name().split_once('.')?;
    match dialect {
        "acc" => acc::find(name),
        "affine" => affine::find(name),
        "emitc" => emitc::find(name),
        "async" | "func" | "pdl_interp" => func::find(name),
        "flow" => stream::find(name),
        "gpu" => gpu::find(name),
        "linalg" => linalg::find(name, definition, release),
        "llvm" => llvm::find(name),
        "memref" => memref::find(name),
        "ml_program" => ml_program::find(name),
        "nvvm" => nvvm::find(name),
        "omp" => omp::find(name),
        "rocdl" => rocdl::find(name),
        "scf" => scf::find(name),
        "sdy" => sdy::find(name),
        "shape" => shape::find(name).or_else(|| func::find(name)),
        "smt" => smt::find(name),
        "sparse_tensor" => sparse_tensor::find(name),
        "spirv" => spirv::find(name),
        "chlo" | "stablehlo" => stablehlo::find(name),
        "tosa" => tosa::find(name),
        "transform" => transform::find(name),
        "util" => util::find(name),
        "vector" => vector::find(name),
        "vm" => vm::find(name),
        "wasmssa" => wasmssa::find(name),
        _ => None,
    }
}
