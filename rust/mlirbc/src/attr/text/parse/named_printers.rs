//! Parsers of the text that [`crate::attr::text::named_printers`] prints.

use crate::dialect::node::Field;
use crate::dialect::table::{DialectTable, Style};

use super::table::{Candidate, ParsedField};
use super::{Parsed, Parser};
use crate::attr::text::factor;
use crate::attr::text::lexer::TokenKind;
use crate::attr::text::named_printers::LLVM_CONVERT;
use crate::wire::order::sort_by;

/// A group of dimensions: its opening text, the letters of its first two dimensions, and the fields of all
/// dimensions.
const GROUPS: [(&str, [&str; 2], [&str; 3]); 3] = [
    ("[", ["b", "f"], ["inputBatchDimension", "inputFeatureDimension", "inputSpatialDimensions"]),
    (
        "x[",
        ["i", "o"],
        ["kernelInputFeatureDimension", "kernelOutputFeatureDimension", "kernelSpatialDimensions"],
    ),
    ("->[", ["b", "f"], ["outputBatchDimension", "outputFeatureDimension", "outputSpatialDimensions"]),
];

impl Parser<'_> {
    /// Parses the factors of a sharding rule, in this [`Style`]: `i, j`, `ij`, or `i=2, j=3`
    /// (`parseFactorsWithType`, `parseSymbolIndices` and `parseFactorSizes` in
    /// `shardy/dialect/sdy/ir/parsers.cc`).
    pub(super) fn factors(&mut self, style: Style) -> Parsed<Option<ParsedField>> {
        let mut items = Vec::new();
        loop {
            let Some(word_factors) = self.word().and_then(factor::parse) else { return Ok(None) };
            match (style, &*word_factors) {
                (Style::FactorProduct, word_factors) => {
                    items.extend(word_factors.iter().map(|&factor| Field::Signed(factor)));
                    break;
                }
                (Style::Factors, &[one]) => items.push(Field::Signed(one)),
                (_, &[one]) if one == items.len() as i64 && self.text_piece("=") => {
                    let Some(size) = self.signed_number()? else { return Ok(None) };
                    items.push(Field::Signed(size));
                }
                _ => return Ok(None),
            }
            if !self.text_piece(",") {
                break;
            }
        }
        let count = items.len() as u32;
        Ok(Some(ParsedField::List(items, count)))
    }

    /// Parses `DW_OP_plus_uconst(3)`; encodings follow the first argument of a conversion
    /// (`parseExpressionArg` in `mlir/lib/Dialect/LLVMIR/IR/LLVMAttrs.cpp`).
    pub(super) fn llvm_expression(&mut self, candidate: &mut Candidate<'_>) -> Parsed<bool> {
        let Some(opcode) = self.word().and_then(|word| number_of(candidate.table, "Operation", word)) else {
            return Ok(false);
        };
        let mut arguments = Vec::new();
        if self.text_piece("(") {
            loop {
                let is_encoding = opcode == LLVM_CONVERT && !arguments.is_empty();
                let token = self.lexer.peek()?;
                let argument = match token.kind {
                    TokenKind::Identifier if is_encoding => {
                        let word = self.word().unwrap_or_default();
                        let Some(number) = number_of(candidate.table, "Encoding", word) else {
                            return Ok(false);
                        };
                        number
                    }
                    _ => {
                        let token = self.lexer.next()?;
                        self.unsigned(token, "a number")?
                    }
                };
                arguments.push(Field::Unsigned(argument));
                if self.text_piece(")") {
                    break;
                }
                if !self.text_piece(",") {
                    return Ok(false);
                }
            }
        }
        let count = arguments.len() as u32;
        let is_set = candidate.set("opcode", ParsedField::One(Field::Unsigned(opcode)));
        Ok(is_set && (count == 0 || candidate.set("arguments", ParsedField::List(arguments, count))))
    }

    /// Parses `[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]`: the meaning of each dimension, by position
    /// (`parseConvolutionDimensions` in `stablehlo/dialect/StablehloOps.cpp`).
    pub(super) fn convolution(&mut self, candidate: &mut Candidate<'_>) -> Parsed<bool> {
        let mut after = self.lexer.clone();
        if after.next().is_ok_and(|word| after.spelling(word) == b"raw") {
            self.lexer = after;
            return self.raw_convolution(candidate);
        }
        for (start, letters, [first, second, spatial]) in GROUPS {
            if !self.text_piece(start) {
                return Ok(false);
            }
            let (mut named, mut numbered) = ([None; 2], Vec::new());
            for place in 0_i64.. {
                if let Some(word) = self.word() {
                    let slot = letters.iter().position(|letter| letter.as_bytes() == word);
                    let Some(slot @ None) = slot.and_then(|slot| named.get_mut(slot)) else {
                        return Ok(false);
                    };
                    *slot = Some(place);
                } else {
                    let token = self.lexer.next()?;
                    numbered.push((self.unsigned(token, "a number")?, place));
                }
                if self.text_piece("]") {
                    break;
                }
                if !self.text_piece(",") {
                    return Ok(false);
                }
            }
            sort_by(&mut numbered, Ord::cmp);
            let is_complete = (0..).zip(&numbered).all(|(number, given)| number == given.0);
            let [Some(one), Some(other)] = named else { return Ok(false) };
            let places: Vec<Field> = numbered.iter().map(|&(_, place)| Field::Signed(place)).collect();
            let count = places.len() as u32;
            let is_set = candidate.set(first, ParsedField::One(Field::Signed(one)))
                && candidate.set(second, ParsedField::One(Field::Signed(other)))
                && candidate.set(spatial, ParsedField::List(places, count));
            if !is_complete || !is_set {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

impl Parser<'_> {
    /// Parses `input_batch_dimension = 0, input_spatial_dimensions = [1, 2], …`, after `raw`.
    fn raw_convolution(&mut self, candidate: &mut Candidate<'_>) -> Parsed<bool> {
        // Omitted dimensions are 0, and omitted lists are empty.
        for [_, _, spatial] in GROUPS.map(|group| group.2) {
            candidate.set(spatial, ParsedField::List(Vec::new(), 0));
        }
        for name in GROUPS.iter().flat_map(|group| group.2.iter().take(2)) {
            candidate.set(name, ParsedField::One(Field::Signed(0)));
        }
        loop {
            let Some(name) = self.word().map(in_camel_case) else { return Ok(false) };
            if !self.text_piece("=") {
                return Ok(false);
            }
            let mut numbers = Vec::new();
            let is_list = self.text_piece("[");
            while !is_list || !self.text_piece("]") {
                let token = self.lexer.next()?;
                numbers.push(Field::Signed(self.unsigned(token, "a number")? as i64));
                if !is_list {
                    break;
                }
                self.text_piece(",");
            }
            let field_value = match numbers.pop() {
                Some(number) if !is_list => ParsedField::One(number),
                last => {
                    numbers.extend(last);
                    let count = numbers.len() as u32;
                    ParsedField::List(numbers, count)
                }
            };
            if name.ends_with("Dimensions") != is_list || !candidate.set(&name, field_value) {
                return Ok(false);
            }
            if !self.text_piece(",") {
                return Ok(true);
            }
        }
    }
}

/// `inputBatchDimension` for `input_batch_dimension`.
fn in_camel_case(name: &[u8]) -> String {
    let mut out = String::new();
    for part in String::from_utf8_lossy(name).split('_') {
        let mut letters = part.chars();
        match letters.next() {
            Some(first) if !out.is_empty() => out.push(first.to_ascii_uppercase()),
            Some(first) => out.push(first),
            None => {}
        }
        out.push_str(letters.as_str());
    }
    out
}

fn number_of(table: &DialectTable, names: &str, word: &[u8]) -> Option<u64> {
    let rows = &table.enums.iter().find(|known| *known.name == *names)?.rows;
    rows.iter().find(|row| row.1.as_bytes() == word).map(|row| row.0)
}
