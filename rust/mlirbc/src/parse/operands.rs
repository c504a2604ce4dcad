//! Resolves values by name, and creates operations.

use crate::attr::text::lexer::{Token, TokenKind};
use crate::attr::text::parse::Parsed;
use crate::dialect::entries::EntryRef;
use crate::edit::arena::{
    Arena, ArenaBlock, ArenaOp, ArenaRegion, ArenaUse, ArenaValue, Detail, EditAttr, EditName, EditType,
    OpRow, Regions, Results, ValueRow,
};
use crate::format::id::TypeId;
use crate::wire::error::{Error, ErrorKind, counted};
use crate::wire::limits::reserve_tight;
use crate::wire::order;

use super::frames::{AsmParser, FIRST_PLACE, LocatedRow, NONE, OpenFrame, Pending, wrong};
use super::names::{Named, Names};

/// A use of a value: `%name`, or `%name#2`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Reference<'t> {
    pub(super) name: &'t [u8],
    pub(super) number: u32,
    pub(super) position: usize,
}

/// An operation to add; its operands and results are passed separately.
pub(super) struct NewRow {
    pub(super) name: u32,
    /// The number of the attribute list.
    pub(super) list: u32,
    pub(super) location: u32,
    /// The position of the operation name.
    pub(super) position: usize,
    /// The block; `None` at the top level.
    pub(super) block: Option<ArenaBlock>,
}

impl PartialEq for Reference<'_> {
    fn eq(&self, other: &Self) -> bool {
        (self.name, self.number) == (other.name, other.number)
    }
}

impl<'t> AsmParser<'t> {
    /// Parses `%name` or `%name#2`.
    pub(super) fn reference(&mut self) -> Parsed<Reference<'t>> {
        let token = self.expect(TokenKind::Value, "a value, as in `%name`")?;
        self.reference_of(token)
    }

    fn reference_of(&mut self, token: Token) -> Parsed<Reference<'t>> {
        let (reference, end) = self.reference_at(token.start, token.end)?;
        if end > token.end {
            self.lexer().seek(end);
        }
        Ok(reference)
    }

    /// Returns the reference with the name at these positions and the number after it, and its end.
    pub(super) fn reference_at(&self, position: usize, end: usize) -> Parsed<(Reference<'t>, usize)> {
        let text = self.text.text();
        let name = text.get(position..end).unwrap_or_default();
        let next = text.get(end..).unwrap_or_default();
        let (mut number, mut after) = (0, end);
        if next.first() == Some(&b'#') && next.get(1).is_some_and(u8::is_ascii_digit) {
            let digits = next[1..].iter().take_while(|byte| byte.is_ascii_digit()).count();
            let text = std::str::from_utf8(&next[1..=digits]).unwrap_or_default();
            number = match text.parse() {
                Ok(number) => number,
                Err(_) => {
                    return Err(wrong(ErrorKind::AsmName, end, "the number of the result is too large"));
                }
            };
            after = end + 1 + digits;
        }
        Ok((Reference { name, number, position }, after))
    }

    /// Parses `%name`, if it comes next.
    pub(super) fn optional_reference(&mut self) -> Parsed<Option<Reference<'t>>> {
        let token = self.peek()?;
        if token.kind != TokenKind::Value {
            return Ok(None);
        }
        self.lexer().seek(token.end);
        self.reference_of(token).map(Some)
    }

    /// Returns the value of a reference with this type; an undefined value has a temporary row until its
    /// definition.
    pub(super) fn resolve(&mut self, of: Reference<'t>, r#type: TypeId) -> Parsed<ArenaValue> {
        if let Some(named) = self.values.get(of.name, of.number) {
            let value_type = TypeId::new(self.editor.arena.value(named.value).r#type().number());
            if value_type != r#type {
                let (verb, position) =
                    (if named.is_defined { "defined" } else { "first used" }, named.position);
                return Err(self.type_mismatch(
                    of,
                    (value_type.number(), r#type.number()),
                    (verb, position as usize),
                ));
            }
            return Ok(named.value);
        }
        if self.values.get(of.name, 0).is_some_and(|first| first.is_defined) {
            let name = String::from_utf8_lossy(of.name).into_owned();
            let message = format!("`{name}` has no result number `{}`", of.number);
            return Err(wrong(ErrorKind::AsmName, of.position, message));
        }
        let value = self.push_value(ValueRow::result(EditType::new(r#type.number()), None))?;
        *self.values.slot(of.name, of.number) =
            Some(Named { value, is_defined: false, position: of.position as u32 });
        self.forward += 1;
        Ok(value)
    }

    #[cold]
    fn type_mismatch(
        &mut self,
        of: Reference<'t>,
        (own, r#type): (u32, u32),
        (verb, position): (&str, usize),
    ) -> crate::attr::text::parse::Failure {
        let name = String::from_utf8_lossy(of.name).into_owned();
        let [own, r#type] = [own, r#type].map(|index| {
            let text = self.text.entry_text(EntryRef::Type(TypeId::new(index))).unwrap_or_default();
            String::from_utf8_lossy(&text).into_owned()
        });
        let declared = self.surroundings.as_ref().map_or(0, |surroundings| surroundings.declarations);
        let hint = match position < declared {
            true => format!("`{name}` is a value around the text"),
            false => {
                let (line, column) = self.source.line_and_column(position);
                format!("`{name}` is {verb} in line {line}, column {column}")
            }
        };
        let message = format!("`{name}` is used with type `{type}`, but its type is `{own}`");
        let error = Error::message(ErrorKind::AsmName, message).at(of.position as u64);
        crate::attr::text::parse::Failure::Other(error.with_hint(crate::wire::error::cut(&hint, 200)))
    }

    /// Gives a value its name, and replaces the earlier uses of the name. The region of the value begins at
    /// `start`.
    pub(super) fn define(
        &mut self,
        name: &'t [u8],
        number: u32,
        value: ArenaValue,
        (position, start): (usize, usize),
    ) -> Parsed<()> {
        self.survey_value(name, number, value, position);
        let named = Named { value, is_defined: true, position: position as u32 };
        let before = self.values.slot(name, number).replace(named);
        if let Some(before) = before {
            let text = || String::from_utf8_lossy(name).into_owned();
            if before.is_defined {
                let declared = self.surroundings.as_ref().map_or(0, |surroundings| surroundings.declarations);
                if (before.position as usize) < declared {
                    let message = format!("`{}` is already the name of a value around the text", text());
                    return Err(wrong(ErrorKind::AsmName, position, message));
                }
                let (line, _) = self.source.line_and_column(before.position as usize);
                let message =
                    format!("`{}` is defined twice; the first definition is in line {line}", text());
                return Err(wrong(ErrorKind::AsmName, position, message));
            }
            // The name has no definition yet, so this is the position of its first use. The definition for that use may be in
            // text with an error.
            if (before.position as usize) < start && self.recovery.has_skipped(name) {
                self.forward -= 1;
                if number == 0 {
                    self.defined.push(name);
                }
                return Ok(());
            }
            if (before.position as usize) < start {
                let (line, _) = self.source.line_and_column(position);
                let message =
                    format!("`{}` is used outside of the region that defines it, in line {line}", text());
                return Err(wrong(ErrorKind::AsmName, before.position as usize, message));
            }
            let (used, own) = (
                self.editor.arena.value(before.value).r#type().number(),
                self.editor.arena.value(value).r#type().number(),
            );
            if used != own {
                let first_reference = Reference { name, number, position: before.position as usize };
                return Err(self.type_mismatch(first_reference, (own, used), ("defined", position)));
            }
            // As in MLIR, the uses are moved one by one, which reverses them.
            let arena = &mut self.editor.arena;
            while let Some(slot) = arena.value(before.value).first_use {
                arena.set_use(slot, Some(value));
            }
            arena.values[before.value.index()].erase();
            self.forward -= 1;
        }
        if number == 0 {
            self.defined.push(name);
        }
        Ok(())
    }

    /// Forgets all names after the first `first` ones.
    pub(super) fn leave_scope(&mut self, first: usize) {
        for name in self.defined.drain(first.min(self.defined.len())..) {
            self.values.remove(name);
        }
    }

    /// Checks that every used value was defined.
    pub(super) fn finish_names(&mut self) {
        if self.forward == 0 {
            return;
        }
        self.check_names();
    }

    /// Hides all names, for a region with separate names.
    pub(super) fn enter_names(&mut self) -> Names<'t> {
        std::mem::take(&mut self.values)
    }

    /// Forgets the names of a region with separate names, after checking that all are defined.
    pub(super) fn leave_names(&mut self, outer: Names<'t>) {
        self.check_names();
        self.values = outer;
    }

    fn check_names(&mut self) {
        let mut undefined = self.values.undefined();
        undefined.retain(|(_, name)| !self.recovery.has_skipped(name));
        order::sort(&mut undefined);
        for (position, name) in undefined {
            let name = String::from_utf8_lossy(&name);
            let message = format!("`{name}` is used, but it is not defined");
            self.report(Error::message(ErrorKind::AsmName, message).at(position.into()));
        }
    }

    // ---- rows ----

    /// Adds an argument, which its block does not list yet.
    pub(super) fn push_argument(
        &mut self,
        r#type: TypeId,
        block: ArenaBlock,
        location: u32,
    ) -> Parsed<ArenaValue> {
        let location = (location != NONE).then_some(EditAttr::new(location));
        self.push_value(ValueRow::argument(EditType::new(r#type.number()), block, location))
    }

    fn push_value(&mut self, row: ValueRow) -> Parsed<ArenaValue> {
        let arena = &mut self.editor.arena;
        if arena.values.len() + 1 >= crate::ir::id::ValueId::CAPACITY {
            return Err(Error::message(ErrorKind::MemoryLimit, "a module cannot have 2^31 values").into());
        }
        self.editor.tables.budget.spend(Arena::bytes_of(0, 1, 0))?;
        let value = ArenaValue::after(&arena.values);
        arena.values.push(row);
        Ok(value)
    }

    /// Creates an operation whose text was parsed up to its location.
    pub(super) fn create(
        &mut self,
        pending: &mut Pending<'t>,
        operands: &[TypeId],
        results: &[TypeId],
    ) -> Parsed<()> {
        let op = self.create_row(pending, operands, results)?;
        self.keep_repeat(pending, op, operands)?;
        self.trailing_location(LocatedRow::Op(op))?;
        self.survey_operation(pending);
        Ok(())
    }

    fn create_row(
        &mut self,
        pending: &mut Pending<'t>,
        operands: &[TypeId],
        results: &[TypeId],
    ) -> Parsed<ArenaOp> {
        let position = pending.position;
        let named: u64 = pending.results.iter().map(|(_, count)| u64::from(*count)).sum();
        if !pending.results.is_empty() && named != results.len() as u64 {
            let (name, count) = (&pending.info.name, counted(results.len(), "result"));
            let message = format!("`{name}` has {count}, but the text names {named}");
            let at = pending.results.first().map_or(position, |(token, _)| token.start);
            return Err(wrong(ErrorKind::AsmContents, at, message));
        }
        if operands.len() != pending.operands.len() {
            let (count, types) =
                (counted(pending.operands.len(), "operand"), counted(operands.len(), "operand type"));
            let message = format!("`{}` has {count}, but {types}", pending.info.name);
            return Err(wrong(ErrorKind::AsmContents, position, message));
        }
        let mut values = self.spare_values.pop().unwrap_or_default();
        for (&reference, &r#type) in pending.operands.iter().zip(operands) {
            values.push(self.resolve(reference, r#type)?);
        }
        let op = self.push_op(pending, &values, results);
        self.recycle_values(values);
        op
    }

    /// Adds an operation that the text does not contain at the end of a block.
    pub(super) fn add_op(
        &mut self,
        name: &str,
        block: ArenaBlock,
        place: (usize, u32),
        values: &[ArenaValue],
        results: &[TypeId],
        attributes: Vec<(u32, u32)>,
    ) -> Parsed<ArenaOp> {
        self.add_op_with_regions(name, block, place, (values, results), attributes, Vec::new())
    }

    /// Adds an operation with regions that the text does not contain.
    pub(super) fn add_op_with_regions(
        &mut self,
        name: &str,
        block: ArenaBlock,
        place: (usize, u32),
        (values, results): (&[ArenaValue], &[TypeId]),
        attributes: Vec<(u32, u32)>,
        regions: Vec<ArenaRegion>,
    ) -> Parsed<ArenaOp> {
        let (position, location) = place;
        let info = self.info(name.as_bytes(), position)?;
        let mut pending = Pending {
            info,
            position,
            location,
            results: Vec::new(),
            operands: Vec::new(),
            successors: Vec::new(),
            properties: NONE,
            attributes,
            regions,
            block: Some(block),
            form: super::frames::OperationForm::Generic,
            default_dialect: None,
        };
        self.push_op(&mut pending, values, results)
    }

    /// Returns the location of a reference's value; the location of the reference itself if the value is not
    /// defined yet.
    pub(super) fn location_of(&mut self, of: Reference<'t>) -> Parsed<u32> {
        match self.defined_value(of) {
            Some(value) => Ok(self.location_of_value(value)),
            None => self.location_at(of.position),
        }
    }

    /// Returns the value of a reference, if it is defined already.
    pub(super) fn defined_value(&self, of: Reference<'t>) -> Option<ArenaValue> {
        self.values.get(of.name, of.number).filter(|named| named.is_defined).map(|named| named.value)
    }

    /// Returns the location of a block argument, or of the operation that defines a result.
    pub(super) fn location_of_value(&self, value: ArenaValue) -> u32 {
        let row = self.editor.arena.value(value);
        match row.op() {
            Some(op) => self.editor.arena.op(op).location.number(),
            None => row.location.map_or(NONE, EditAttr::number),
        }
    }

    /// Returns the operation that defines the value of a reference.
    pub(super) fn defining_op(&mut self, of: Reference<'t>) -> Option<ArenaOp> {
        self.repeated.depends_on_context();
        let named = self.values.get(of.name, of.number).filter(|named| named.is_defined)?;
        self.editor.arena.value(named.value).op()
    }

    /// Returns the results of an operation.
    pub(super) fn results_of(&self, op: ArenaOp) -> Results<'_> {
        self.editor.arena.results(op)
    }

    fn push_op(
        &mut self,
        pending: &mut Pending<'t>,
        values: &[ArenaValue],
        results: &[TypeId],
    ) -> Parsed<ArenaOp> {
        let position = pending.position;
        let list = (pending.info.index, pending.properties, position);
        let list = self.lists.number(list, &pending.attributes, &self.editor.tables.budget)?;
        let (name, location, block) = (pending.info.index, pending.location, pending.block);
        let op = self.push_row(NewRow { name, list, location, position, block }, values, results)?;
        if !pending.regions.is_empty() || !pending.successors.is_empty() {
            self.editor.tables.budget.spend(size_of::<Detail>())?;
            let arena = &mut self.editor.arena;
            for &region in &pending.regions {
                arena.regions[region.index()].op = Some(op);
            }
            let regions = Regions::Loaded(std::mem::take(&mut pending.regions));
            let by_trait = self.release.isolates_by_trait();
            let has_trait =
                pending.info.definition.as_ref().is_some_and(|one| one.has_trait("IsIsolatedFromAbove"));
            // Otherwise the uses of values determine isolation.
            *arena.detail_mut(op) =
                Detail { regions, is_new: !by_trait, is_isolated: by_trait && has_trait, ..Detail::new() };
            arena.set_successors(op, std::mem::take(&mut pending.successors));
        }
        let first = self.editor.arena.op(op).first_result;
        let mut result_number = 0;
        let start = match self.frames.last() {
            Some(OpenFrame::Region(region)) => region.start(),
            _ => 0,
        };
        for &(token, count) in &pending.results {
            let name = self.spelling(token);
            for number in 0..count {
                if let Some(first) = first {
                    self.define(name, number, first.plus(result_number), (token.start, start))?;
                }
                result_number += 1;
            }
        }
        Ok(op)
    }

    /// Adds an operation without regions and successors to its block.
    #[inline]
    pub(super) fn push_row(
        &mut self,
        new: NewRow,
        values: &[ArenaValue],
        results: &[TypeId],
    ) -> Parsed<ArenaOp> {
        self.editor.tables.budget.spend(Arena::bytes_of(1, results.len(), values.len()))?;
        let arena = &mut self.editor.arena;
        let most = crate::ir::id::ValueId::CAPACITY;
        if [arena.ops.len(), arena.values.len() + results.len(), arena.uses.len() + values.len()]
            .iter()
            .any(|&count| count + 1 >= most)
        {
            return Err(Error::message(ErrorKind::MemoryLimit, "a module cannot have 2^31 operations").into());
        }
        let op = ArenaOp::after(&arena.ops);
        let place = new.location.checked_sub(FIRST_PLACE).and_then(|place| self.places.get(place as usize));
        if place != Some(&(new.position as u32)) {
            self.placed_elsewhere.push((op, new.position as u32));
        }
        let first_result = ArenaValue::after(&arena.values);
        reserve_tight(&mut arena.values, results.len());
        reserve_tight(&mut arena.ops, 1);
        for &r#type in results {
            arena.values.push(ValueRow::result(EditType::new(r#type.number()), Some(op)));
        }
        arena.ops.push(OpRow {
            name: Some(EditName::new(new.name)),
            location: EditAttr::new(new.location),
            attributes: Some(EditAttr::new(new.list)),
            properties: None,
            block: None,
            prev: None,
            next: None,
            first_result: Some(first_result),
            results: results.len() as u32,
            first_use: ArenaUse::after(&arena.uses),
            operands: values.len() as u32,
            detail: None,
        });
        for &value in values {
            arena.push_use(value, op);
        }
        match new.block {
            None => self.top.push(op),
            Some(block) => arena.link(op, block, None),
        }
        Ok(op)
    }

    /// Returns the text position that a location stands for.
    pub(super) fn position_of(&self, location: u32) -> Option<u32> {
        self.places.get(location.checked_sub(FIRST_PLACE)? as usize).copied()
    }

    /// Returns the innermost operation around the current position.
    pub(super) fn enclosing(&self) -> Option<&Pending<'t>> {
        self.frames.iter().rev().find_map(|frame| match frame {
            OpenFrame::Op(pending) => Some(&**pending),
            OpenFrame::Region(_) => None,
        })
    }
}
