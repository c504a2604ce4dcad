//! Quantized types (`mlir/lib/Dialect/Quant/IR/TypeParser.cpp`).

use crate::attr::text::dense::Element;
use crate::attr::text::float::Semantics;
use crate::attr::text::lexer::{Sign, Token, TokenKind, integer_type};
use crate::dialect::node::Field;
use crate::dialect::table::Named;
use crate::format::id::TypeId;
use crate::wire::limits::ChargedVec;

use super::table::{Candidate, ParsedField};
use super::{Goal, Parsed, Parser};

/// Scales as they are written, with their zero points.
#[derive(Default)]
struct Scales {
    scales: Vec<(bool, Token)>,
    zeros: Vec<i64>,
}

impl Parser<'_> {
    pub(super) fn quantized(&mut self, candidate: &mut Candidate<'_>) -> Parsed<bool> {
        let Some((is_signed, width, sign)) = self.storage_name() else { return Ok(false) };
        let (low, high) = match is_signed {
            true => (i64::MIN >> (64 - width), i64::MAX >> (64 - width)),
            false => (0, i64::MAX >> (63 - width)),
        };
        let (mut min, mut max) = (low, high);
        if self.text_piece("<") {
            let Some(least) = self.signed_number()? else { return Ok(false) };
            if !self.text_piece(":") {
                return Ok(false);
            }
            let Some(most) = self.signed_number()? else { return Ok(false) };
            if !self.text_piece(">") {
                return Ok(false);
            }
            (min, max) = (least, most);
        }
        let storage = self.integer_type(width, sign)?;
        let is_set = candidate.set("flags", ParsedField::One(Field::Unsigned(is_signed.into())))
            && candidate.set("storageType", ParsedField::One(Field::Type(storage, 0)))
            && candidate.set("storageTypeMin", ParsedField::One(Field::Signed(min)))
            && candidate.set("storageTypeMax", ParsedField::One(Field::Signed(max)));
        if !is_set {
            return Ok(false);
        }
        let mut expressed = None;
        if self.text_piece(":") {
            let r#type = self.nested(Goal::Type)?;
            expressed = Some(r#type);
            // The encoding without an expressed type does not match.
            if !candidate.set("expressedType", ParsedField::One(Field::Type(TypeId::new(r#type), 0))) {
                return Ok(false);
            }
        }
        match candidate.form.print {
            Named::QuantUniform => {
                if !self.text_piece(",") {
                    return Ok(false);
                }
                let mut single_scale = Scales::default();
                if !self.scale(&mut single_scale)? {
                    return Ok(false);
                }
                let scales = self.doubles(&single_scale)?;
                let (Some(&scale), Some(&zero)) = (scales.first(), single_scale.zeros.first()) else {
                    return Ok(false);
                };
                Ok(candidate.set("scale", ParsedField::One(scale))
                    && candidate.set("zeroPoint", ParsedField::One(Field::Signed(zero))))
            }
            Named::QuantPerAxis => self.per_axis(candidate),
            Named::QuantSubChannel => match expressed {
                Some(expressed) => self.sub_channel(candidate, storage, width, TypeId::new(expressed)),
                None => Ok(false),
            },
            _ => Ok(true),
        }
    }

    /// Parses `i8` or `u8`, or the type of the storage with its sign, `si8` or `ui8`. Returns whether the
    /// storage is signed, its width, and the sign of the type.
    fn storage_name(&mut self) -> Option<(bool, u32, Sign)> {
        let word = self.word()?;
        let (is_signed, width, sign) = match integer_type(word) {
            Some((Sign::Unsigned, width)) => (false, width, Sign::Unsigned),
            Some((sign, width)) => (true, width, sign),
            None => {
                let digits = word.strip_prefix(b"u")?;
                (false, integer_type(&[b"i", digits].concat())?.1, Sign::Signless)
            }
        };
        // The maximum width in MLIR.
        (1..=32).contains(&width).then_some((is_signed, width, sign))
    }

    fn scale(&mut self, into: &mut Scales) -> Parsed<bool> {
        let negative = self.lexer.eat(TokenKind::Minus)?;
        let token = self.lexer.next()?;
        if token.kind != TokenKind::Float {
            return Ok(false);
        }
        into.scales.push((negative, token));
        let zero = if self.text_piece(":") { self.signed_number()? } else { Some(0) };
        into.zeros.extend(zero);
        Ok(zero.is_some())
    }

    fn doubles(&self, scales: &Scales) -> Parsed<Vec<Field>> {
        let bits = |&(negative, token): &(bool, Token)| self.float_bits(token, negative, Semantics::F64);
        scales.scales.iter().map(|scale| Ok(Field::Bits(bits(scale)? as u64))).collect()
    }

    fn per_axis(&mut self, candidate: &mut Candidate<'_>) -> Parsed<bool> {
        if !self.text_piece(":") {
            return Ok(false);
        }
        let token = self.lexer.next()?;
        let axis = self.unsigned(token, "an axis")?;
        if !self.text_piece(", {") {
            return Ok(false);
        }
        let mut all = Scales::default();
        loop {
            if !self.scale(&mut all)? {
                return Ok(false);
            }
            if !self.text_piece(",") {
                break;
            }
        }
        let scales = self.doubles(&all)?;
        let zeros: Vec<_> = all.zeros.into_iter().map(Field::Signed).collect();
        let count = scales.len() as u32;
        Ok(self.text_piece("}")
            && candidate.set("quantizedDimension", ParsedField::One(Field::Unsigned(axis)))
            && candidate.set("scales", ParsedField::List(scales, count))
            && candidate.set("zeroPoints", ParsedField::List(zeros, count)))
    }

    /// Parses `:{0:1, 1:2}, {{2.0:120}, {3.0:127}}`.
    fn sub_channel(
        &mut self,
        candidate: &mut Candidate<'_>,
        storage: TypeId,
        width: u32,
        expressed: TypeId,
    ) -> Parsed<bool> {
        if !self.text_piece(":{") {
            return Ok(false);
        }
        let (mut dimensions, mut sizes) = (Vec::new(), Vec::new());
        while !self.text_piece("}") {
            if !dimensions.is_empty() && !self.text_piece(",") {
                return Ok(false);
            }
            let Some(dimension) = self.signed_number()? else { return Ok(false) };
            if !self.text_piece(":") {
                return Ok(false);
            }
            let Some(size) = self.signed_number()? else { return Ok(false) };
            dimensions.push(Field::Signed(dimension));
            sizes.push(Field::Signed(size));
        }
        if !self.text_piece(",") {
            return Ok(false);
        }
        let mut all = Scales::default();
        let Some(shape) = self.braces(&mut all)? else { return Ok(false) };
        let Some(element @ Element::Float(semantics)) = self.element(expressed) else { return Ok(false) };
        let mut scales = ChargedVec::new(&self.budget);
        for &(negative, token) in &all.scales {
            let bits = self.float_bits(token, negative, semantics)?.to_le_bytes();
            scales.extend(bits.into_iter(), element.storage())?;
        }
        let mut zeros = ChargedVec::new(&self.budget);
        let zero_element = Element::Signless(width);
        for zero in all.zeros {
            let bits = (zero as u64 & (u64::MAX >> (64 - width))).to_le_bytes();
            zeros.extend(bits.into_iter(), zero_element.storage())?;
        }
        let (scale_type, zero_type) = (self.tensor(&shape, expressed)?, self.tensor(&shape, storage)?);
        let at = self.lexer.peek()?;
        let scales = self.dense_attribute(at, scale_type, element, shape.clone(), scales)?;
        let zeros = self.dense_attribute(at, zero_type, zero_element, shape, zeros)?;
        let count = sizes.len() as u32;
        Ok(candidate.set("quantizedDimensions", ParsedField::List(dimensions, count))
            && candidate.set("blockSizes", ParsedField::List(sizes, count))
            && candidate.set("scales", ParsedField::One(Field::Attribute(scales, 0)))
            && candidate.set("zeroPoints", ParsedField::One(Field::Attribute(zeros, 0))))
    }

    /// Parses nested braces and returns their shape; `None` if the braces have no consistent shape.
    fn braces(&mut self, all: &mut Scales) -> Parsed<Option<Vec<i64>>> {
        let mut shape: Vec<Option<i64>> = Vec::new();
        let mut open: Vec<i64> = Vec::new();
        loop {
            while self.text_piece("{") {
                open.push(0);
                if shape.len() < open.len() {
                    shape.push(None);
                }
            }
            if open.len() != shape.len() || !self.scale(all)? {
                return Ok(None);
            }
            loop {
                let Some(count) = open.last_mut() else { return Ok(None) };
                *count += 1;
                if self.text_piece(",") {
                    break;
                }
                let Some(count) = open.pop() else { return Ok(None) };
                let place = shape.get_mut(open.len());
                if !self.text_piece("}") || place.is_none_or(|known| *known.get_or_insert(count) != count) {
                    return Ok(None);
                }
                if open.is_empty() {
                    return Ok(shape.into_iter().collect());
                }
            }
        }
    }
}
