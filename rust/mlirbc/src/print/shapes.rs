//! Plans by shape. Operations have the same shape if their names, properties, dictionaries, and types of operands and
//! results are equal.
//!
//! Most operations of a file differ from others only in their operands. Their form is decided once, and their text is
//! made once, with gaps for the operands.

use std::collections::HashMap;

use crate::ir::body::Body;
use crate::ir::{OpId, ValueId};

use super::custom::Remark;
use super::plan::{Plan, PlanPiece};

/// The length above which the text of a shape is not kept.
pub(in crate::print) const LONGEST_TEXT: usize = 1024;
// Operations with more values have no shape: comparing the values would take longer than planning again.
const MOST_VALUES: usize = 16;
const MOST_BYTES: u64 = 16 << 20;
// The memory of a shape in the tables, besides its texts.
const ROW: usize = 2 * (size_of::<Shape>() + size_of::<(Box<[u32]>, u32)>()) + 4 * 32;

/// The shapes that were printed, with their texts.
#[derive(Default)]
pub(in crate::print) struct Shapes {
    places: HashMap<Box<[u32]>, usize, foldhash::fast::RandomState>,
    shapes: Vec<Shape>,
    // The names of results that follow from properties, dictionary and type.
    names: HashMap<NameKey, Box<[u8]>, foldhash::fast::RandomState>,
    key: Vec<u32>,
    // The last shape of each operation name, which the next operation of that name usually has, too.
    recent: Vec<Recent>,
    bytes: usize,
    most: usize,
}

#[derive(Default)]
struct Recent {
    key: Vec<u32>,
    place: usize,
}

/// The operation name, the property blob, the dictionary, and the type of the result.
type NameKey = (u32, u32, u32, u32);

/// The plan of operations of one shape.
struct Shape {
    // `None` for shapes in generic form.
    pieces: Option<Box<[PlanPiece]>>,
    texts: Box<[u8]>,
    remark: Option<Remark>,
    text: ShapeText,
}

/// The text of operations of one shape.
enum ShapeText {
    New,
    /// The text is too long to keep.
    Long,
    Kept(Gapped),
}

/// A text with gaps: where they are, and the numbers of the operands that fill them.
pub(in crate::print) struct Gapped {
    /// The length of the dialect at its start, if that may be a default dialect.
    pub(in crate::print) dialect: u32,
    pub(in crate::print) text: Box<[u8]>,
    pub(in crate::print) gaps: Box<[(u32, u32)]>,
}

impl Shapes {
    /// Creates a cache that takes at most an eighth of this memory.
    pub(in crate::print) fn new(memory: u64) -> Self {
        let most = usize::try_from(MOST_BYTES.min(memory / 8)).unwrap_or_default();
        Self { most, ..Self::default() }
    }

    /// The memory of the cached shapes.
    pub(in crate::print) fn memory(&self) -> usize {
        self.bytes
    }

    fn has_room(&mut self, bytes: usize) -> bool {
        let has_room = self.bytes + bytes <= self.most;
        if has_room {
            self.bytes += bytes;
        }
        has_room
    }

    /// Returns the index of the shape of an operation; [`Self::keep`] may add the shape.
    #[inline]
    pub(in crate::print) fn find(&mut self, body: &Body, op: u32) -> Option<usize> {
        self.key.clear();
        let (operands, results) = (body.operand_rows(OpId::new(op)), body.results(OpId::new(op)));
        // Regions and successors belong to a single op.
        if body.detail(OpId::new(op)).is_some() || operands.len() + results.len() > MOST_VALUES {
            return None;
        }
        let operands = body.operands.get(operands.start as usize..operands.end as usize)?;
        // A form may leave out the second of two equal operands (`vm.cond_fail`).
        let is_one = matches!(operands, [first, second] if first == second);
        let parts = [
            *body.op_name.get(op as usize)?,
            body.op_properties.get(op as usize),
            body.op_attributes.get(op as usize),
            operands.len() as u32 | u32::from(is_one) << 31,
        ];
        let results = body.result_type.get(results.start as usize..results.end as usize)?;
        let types = operands.iter().map(|&value| body.type_of(value).number());
        if let Some(recent) = self.recent.get(parts[0] as usize)
            && let Some((begins, rest)) = recent.key.split_first_chunk()
            && *begins == parts
            && let Some((operand_types, result_types)) = rest.split_at_checked(operands.len())
            && result_types.iter().copied().eq(results.iter().map(|r#type| r#type.number()))
            && operand_types.iter().copied().eq(types.clone())
        {
            return Some(recent.place);
        }
        self.key.extend_from_slice(&parts);
        self.key.extend(types);
        self.key.extend(results.iter().map(|r#type| r#type.number()));
        let place = *self.places.get(&*self.key)?;
        self.set_recent(parts[0] as usize, place);
        Some(place)
    }

    #[cold]
    fn set_recent(&mut self, name: usize, place: usize) {
        // The key is counted with the shape.
        let missing = (name + 1).saturating_sub(self.recent.len());
        if missing > 0 && self.has_room(missing * size_of::<Recent>()) {
            self.recent.resize_with(name + 1, Recent::default);
        }
        if let Some(recent) = self.recent.get_mut(name) {
            recent.key.clone_from(&self.key);
            recent.place = place;
        }
    }

    /// Keeps the plan of the op that was not found, whose pieces are the last ones; without a mark, it has generic form.
    pub(in crate::print) fn keep(
        &mut self,
        body: &Body,
        op: u32,
        plan: &Plan,
        mark: Option<(u32, u32)>,
        remark: Option<Remark>,
    ) {
        if self.key.is_empty() {
            return;
        }
        let rows = body.operand_rows(OpId::new(op));
        let operands = body.operands.get(rows.start as usize..rows.end as usize).unwrap_or_default();
        let mut plan_and_text = (None, Box::default());
        if let Some((first, start)) = mark {
            let pieces = plan.pieces.get(first as usize..).unwrap_or_default();
            let shared: Option<Box<[PlanPiece]>> =
                pieces.iter().map(|&piece| shared_piece(piece, start, operands)).collect();
            let Some(shared) = shared else { return };
            plan_and_text = (Some(shared), plan.range(start, plan.texts.len() as u32).into());
        }
        let (pieces, texts): (Option<Box<[PlanPiece]>>, Box<[u8]>) = plan_and_text;
        let pieces_len = pieces.as_ref().map_or(0, |pieces| pieces.len());
        let bytes =
            ROW + 2 * size_of::<u32>() * self.key.len() + pieces_len * size_of::<PlanPiece>() + texts.len();
        if self.has_room(bytes) {
            self.places.insert(self.key[..].into(), self.shapes.len());
            self.shapes.push(Shape { pieces, texts, remark, text: ShapeText::New });
        }
    }

    /// Adds the pieces of a shape to a plan; `None` if it has generic form.
    pub(in crate::print) fn add(&self, place: usize, plan: &mut Plan) -> Option<()> {
        let shape = self.shapes.get(place)?;
        let start = plan.texts.len() as u32;
        plan.pieces.extend(shape.pieces.as_ref()?.iter().map(|piece| piece.moved(0, start)));
        plan.texts.extend_from_slice(&shape.texts);
        Some(())
    }

    /// Whether a shape has a custom form.
    pub(in crate::print) fn is_custom(&self, place: usize) -> bool {
        self.shapes.get(place).is_some_and(|shape| shape.pieces.is_some())
    }

    /// Returns the remark about a shape: the part that its text omits, or why it is generic.
    pub(in crate::print) fn remark(&self, place: usize) -> Option<Remark> {
        self.shapes.get(place)?.remark
    }

    /// The text of a shape.
    #[inline]
    pub(in crate::print) fn text(&self, place: usize) -> Option<&Gapped> {
        match &self.shapes.get(place)?.text {
            ShapeText::Kept(text) => Some(text),
            _ => None,
        }
    }

    /// Whether the text of a shape was not made yet.
    pub(in crate::print) fn is_new(&self, place: usize) -> bool {
        self.shapes.get(place).is_some_and(|shape| matches!(shape.text, ShapeText::New))
    }

    /// Keeps the text of a shape, or that it is not kept.
    pub(in crate::print) fn set_text(&mut self, place: usize, text: Option<Gapped>) {
        let text = text.filter(|text| self.has_room(text.text.len() + size_of_val(&*text.gaps)));
        if let Some(shape) = self.shapes.get_mut(place) {
            shape.text = text.map_or(ShapeText::Long, ShapeText::Kept);
        }
    }

    /// The key of the name of the only result of an op without operands.
    pub(in crate::print) fn name_key(body: &Body, op: u32) -> Option<NameKey> {
        let results = body.results(OpId::new(op));
        if !body.operand_rows(OpId::new(op)).is_empty()
            || body.detail(OpId::new(op)).is_some()
            || results.len() != 1
        {
            return None;
        }
        let (blob, dictionary) = (body.op_properties.get(op as usize), body.op_attributes.get(op as usize));
        let r#type = *body.result_type.get(results.start as usize)?;
        Some((*body.op_name.get(op as usize)?, blob, dictionary, r#type.number()))
    }

    /// The name of a result.
    pub(in crate::print) fn name(&self, key: NameKey) -> Option<&[u8]> {
        self.names.get(&key).map(|name| &**name)
    }

    /// Keeps the name of a result.
    pub(in crate::print) fn keep_name(&mut self, key: NameKey, name: &[u8]) {
        const NAME_ROW: usize = 2 * size_of::<(NameKey, Box<[u8]>)>() + 32;
        if name.len() <= LONGEST_TEXT && self.has_room(NAME_ROW + name.len()) {
            self.names.insert(key, name.into());
        }
    }
}

// A piece of all operations of a shape, if it is one.
fn shared_piece(piece: PlanPiece, start: u32, operands: &[ValueId]) -> Option<PlanPiece> {
    Some(match piece {
        PlanPiece::Text(..) | PlanPiece::Named(..) | PlanPiece::NamedUnaliased(..) => piece.moved(start, 0),
        PlanPiece::Value(value) => PlanPiece::Operand(place_of(value, operands)?),
        PlanPiece::Type(_)
        | PlanPiece::StrippedType(..)
        | PlanPiece::Attribute(_)
        | PlanPiece::Untyped(_)
        | PlanPiece::Stripped(..)
        | PlanPiece::StrippedAndTrimmed(..)
        | PlanPiece::Array(_) => piece,
        _ => return None,
    })
}

// The number of an operand that occurs once. If the operation has two operands and they are equal, it is the first:
// the two operands are equal in all operations of the shape.
fn place_of(value: ValueId, operands: &[ValueId]) -> Option<u32> {
    let mut places = operands.iter().enumerate().filter(|(_, operand)| **operand == value);
    let (place, _) = places.next()?;
    (places.next().is_none() || operands.len() == 2).then_some(place as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_shared_where_operands_are_the_only_values() {
        let [a, b] = [0, 1].map(ValueId::argument);
        let value = |value, operands: &[_]| shared_piece(PlanPiece::Value(value), 0, operands);
        assert_eq!(value(b, &[a, b]), Some(PlanPiece::Operand(1)));
        assert_eq!(value(b, &[a]), None, "it is not an operand");
        assert_eq!(value(a, &[a, a]), Some(PlanPiece::Operand(0)), "the key tells equal operands");
        assert_eq!(value(a, &[a, b, a]), None, "other operations may have three operands there");
        assert_eq!(shared_piece(PlanPiece::Text(5, 7), 5, &[]), Some(PlanPiece::Text(0, 2)));
        assert_eq!(shared_piece(PlanPiece::Newline, 0, &[]), None, "it depends on the indentation");
    }

    #[test]
    fn no_more_is_kept_than_there_is_memory_for() {
        let mut shapes = Shapes::new(8 << 10);
        assert!(shapes.has_room(1000));
        assert!(!shapes.has_room(100), "1024 bytes are an eighth of the memory");
        assert_eq!(shapes.memory(), 1000);
    }
}
