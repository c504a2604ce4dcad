//! Operations of the nvvm dialect (`mlir/lib/Dialect/LLVMIR/IR/NVVMDialect.cpp`).

use crate::attr::text::lexer::TokenKind;
use crate::attr::text::parse::Parsed;
use crate::print::MMA_WORDS;

use super::super::frames::{AsmParser, Pending};
use super::super::operands::Reference;
use super::parts::same_types;
use super::{Custom, HandWritten, Step};

/// The function for a hand-written format.
pub(super) fn form<'t>(name: &str) -> Option<HandWritten<'t>> {
    let form: HandWritten<'t> = match name {
        "nvvm.mma.sync" | "nvvm.mma.sp.sync" | "nvvm.mma.block_scale" | "nvvm.mma.sp.block_scale" => {
            AsmParser::nvvm_mma
        }
        "nvvm.vote.ballot.sync" => AsmParser::nvvm_vote,
        _ => return None,
    };
    Some(form)
}

impl<'t> AsmParser<'t> {
    // `keyword[%a, %b]`
    fn nvvm_registers(&mut self, keyword: &str) -> Parsed<Vec<Reference<'t>>> {
        self.expect_literal(keyword)?;
        match self.peek()?.kind {
            TokenKind::LeftSquare => self.references_in_brackets(),
            _ => self.references(),
        }
    }

    /// `A[%a, %b] B[%c] C[%d] {…} : (type, type, type) -> type`
    fn nvvm_mma(&mut self, pending: &mut Pending<'t>, custom: &mut Custom<'t>, _: u32) -> Step<'t> {
        let (is_sparse, is_scaled, is_plain) = {
            let name = custom.definition.name();
            (name.contains(".sp."), name.ends_with("block_scale"), name == "nvvm.mma.sync")
        };
        let mut fragments = Vec::new();
        for keyword in ["A", "B", "C"] {
            fragments.push(self.nvvm_registers(keyword)?);
        }
        let (mut single, mut types_of_single) = (Vec::new(), Vec::new());
        if is_sparse {
            for keyword in ["sparseMetadata", "selector"] {
                single.extend(self.nvvm_registers(keyword)?);
                types_of_single.push("i32");
            }
        }
        if is_scaled {
            for keyword in ["scaleA", "scaleB"] {
                single.extend(self.nvvm_registers(keyword)?);
                types_of_single.extend(["i32", "i16", "i16"]);
            }
        }
        if is_plain && self.brackets_cases {
            self.nvvm_words(pending, custom)?;
        }
        self.optional_attributes(pending)?;
        self.expect(TokenKind::Colon, "`:` and the type of the operation")?;
        let (types, results) = self.function_type()?;
        self.same_count(pending, fragments.len(), types.len())?;
        self.same_count(pending, single.len(), types_of_single.len())?;
        for (place, attribute) in ["multiplicandAPtxType", "multiplicandBPtxType"].into_iter().enumerate() {
            if self.found(pending, attribute).is_some() {
                continue;
            }
            let inferred = match types.get(place) {
                Some(&of) => self.mma_type(of, is_plain)?,
                None => None,
            };
            match inferred {
                Some(inferred) => {
                    self.set_text(pending, attribute, &format!("#nvvm.mma_type<{inferred}>"))?
                }
                None if is_scaled => {}
                None => {
                    let message = format!("`{attribute}` is missing, and cannot be inferred");
                    return Err(self.contents(pending, message));
                }
            }
        }
        if is_sparse && is_scaled {
            self.set_default(pending, "orderedMetadata", "unit")?;
        }
        for (place, (values, r#type)) in fragments.into_iter().zip(types).enumerate() {
            let types = same_types(r#type, &values);
            custom.give_at(place, values, types);
        }
        for (place, (value, r#type)) in single.into_iter().zip(types_of_single).enumerate() {
            let r#type = self.type_named(r#type)?;
            custom.give_at(place + 3, vec![value], vec![r#type]);
        }
        custom.result(results);
        Ok(None)
    }

    // `shape = <m = 16, n = 8, k = 16>, layout_a = row`
    fn nvvm_words(&mut self, pending: &mut Pending<'t>, custom: &mut Custom<'t>) -> Parsed<()> {
        let definition = custom.definition.clone();
        loop {
            let token = self.peek()?;
            let word = self.spelling(token);
            let found = MMA_WORDS.iter().find(|(_, known)| known.as_bytes() == word);
            let place = found.and_then(|(name, _)| {
                definition.attributes().iter().position(|attribute| attribute.name() == *name)
            });
            let Some(place) = place else { return Ok(()) };
            self.lexer().seek(token.end);
            self.expect(TokenKind::Equal, "`=` and the value of the attribute")?;
            self.attribute_variable(pending, custom, place, false)?;
            if !self.eat(TokenKind::Comma)? {
                return Ok(());
            }
        }
    }

    // The type of the elements in registers of a type (`inferOperandMMAType`).
    fn mma_type(&self, of: u32, is_accumulator: bool) -> Parsed<Option<&'static str>> {
        let mut text = &*self.whole_type(of)?;
        while let Some(inner) = text.strip_prefix("!llvm.struct<(").or_else(|| text.strip_prefix("struct<("))
        {
            text = inner;
        }
        let end = text.find([',', ')']).unwrap_or(text.len());
        Ok(match &text[..end] {
            "f64" => Some("f64"),
            "f16" | "vector<2xf16>" => Some("f16"),
            "f32" => Some(if is_accumulator { "f32" } else { "tf32" }),
            first if is_accumulator && first.strip_prefix('i').is_some_and(is_number) => Some("s32"),
            _ => None,
        })
    }

    /// `%a, %b : i32`
    fn nvvm_vote(&mut self, pending: &mut Pending<'t>, custom: &mut Custom<'t>, _: u32) -> Step<'t> {
        let values = self.references()?;
        self.optional_attributes(pending)?;
        let result = self.colon_type()?;
        self.same_count(pending, values.len(), 2)?;
        custom.all_operand_types = Some(vec![self.type_named("i32")?, self.type_named("i1")?]);
        custom.all_operands = Some(values);
        custom.result(vec![result]);
        Ok(None)
    }
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}
