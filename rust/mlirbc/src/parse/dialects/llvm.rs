//! Types and successors of the llvm dialect (`mlir/lib/Dialect/LLVMIR/IR/LLVMDialect.cpp`).

use crate::attr::text::brackets::split;
use crate::attr::text::lexer::TokenKind;
use crate::attr::text::parse::Parsed;
use crate::edit::arena::ArenaBlock;
use crate::format::id::TypeId;

use super::super::frames::{AsmParser, Pending};
use super::super::operands::Reference;

impl<'t> AsmParser<'t> {
    /// The type of the element of a pointer that has one.
    pub(in crate::parse) fn pointee(&mut self, pointer: TypeId) -> Parsed<Option<TypeId>> {
        let text = self.whole_type(pointer)?;
        let inner = text.strip_prefix("!llvm.ptr<").and_then(|rest| rest.strip_suffix('>'));
        let element = inner.and_then(split).and_then(|parts| parts.first().map(|part| part.trim()));
        let Some(element) = element.filter(|text| !text.bytes().all(|byte| byte.is_ascii_digit())) else {
            return Ok(None);
        };
        self.llvm_type(element).map(Some)
    }

    /// `^bb1(%a, %b : i32, i32)`
    pub(in crate::parse) fn successor_with_values(
        &mut self,
        pending: &Pending<'t>,
    ) -> Parsed<(ArenaBlock, Vec<Reference<'t>>, Vec<TypeId>)> {
        let block = self.successor(None)?;
        let (values, types) = match self.peek()?.kind {
            TokenKind::LeftParen => self.typed_in_parentheses(pending)?,
            _ => (Vec::new(), Vec::new()),
        };
        Ok((block, values, types))
    }

    /// Reads a type from its text in a type of LLVM, where types of LLVM have no prefix.
    pub(in crate::parse) fn llvm_type(&mut self, text: &str) -> Parsed<TypeId> {
        let words = [
            "ptr",
            "struct",
            "array",
            "vec",
            "void",
            "token",
            "label",
            "metadata",
            "func",
            "ppc_fp128",
            "x86_amx",
            "x86_mmx",
            "target",
        ];
        let head = text.split(['<', ' ']).next().unwrap_or_default();
        match words.contains(&head) {
            true => self.type_named(&format!("!llvm.{text}")),
            false => self.type_named(text),
        }
    }

    pub(in crate::parse) fn pointer_to(&mut self, r#type: TypeId) -> Parsed<TypeId> {
        let inner = self.text_in_llvm(r#type)?;
        self.type_named(&format!("!llvm.ptr<{inner}>"))
    }

    /// Returns the text of a type in a type of LLVM, where types of LLVM have no prefix.
    pub(in crate::parse) fn text_in_llvm(&mut self, r#type: TypeId) -> Parsed<String> {
        let text = self.whole_type(r#type)?;
        Ok(text.strip_prefix("!llvm.").map_or_else(|| text.clone(), str::to_owned))
    }
}
