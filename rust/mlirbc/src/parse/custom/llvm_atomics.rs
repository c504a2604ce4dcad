//! Atomic operations of the llvm dialect of MLIR 16, whose pointers have the type of what they point to
//! (`mlir/lib/Dialect/LLVMIR/IR/LLVMDialect.cpp`); later releases declare the formats.

use crate::attr::text::lexer::TokenKind;
use crate::attr::text::parse::Parsed;

use super::super::frames::{AsmParser, Pending};
use super::{Custom, HandWritten, Step};

/// The function for a hand-written format.
pub(super) fn form<'t>(name: &str) -> Option<HandWritten<'t>> {
    let form: HandWritten<'t> = match name {
        "llvm.atomicrmw" => AsmParser::read_modify_write,
        "llvm.cmpxchg" => AsmParser::compare_exchange,
        "llvm.fence" => AsmParser::fence,
        _ => return None,
    };
    Some(form)
}

impl<'t> AsmParser<'t> {
    /// `add %pointer, %value monotonic {…} : i32`
    fn read_modify_write(&mut self, pending: &mut Pending<'t>, custom: &mut Custom<'t>, _: u32) -> Step<'t> {
        self.case_of(pending, custom, "bin_op")?;
        let pointer = self.reference()?;
        self.comma()?;
        let value = self.reference()?;
        self.case_of(pending, custom, "ordering")?;
        self.optional_attributes(pending)?;
        let r#type = self.colon_type()?;
        let pointer_type = self.pointer_to(r#type)?;
        custom.give_at(0, vec![pointer], vec![pointer_type]);
        custom.give_at(1, vec![value], vec![r#type]);
        custom.result(vec![r#type]);
        Ok(None)
    }

    /// `%pointer, %compared, %value acq_rel monotonic {…} : i32`
    fn compare_exchange(&mut self, pending: &mut Pending<'t>, custom: &mut Custom<'t>, _: u32) -> Step<'t> {
        let pointer = self.reference()?;
        self.comma()?;
        let compared = self.reference()?;
        self.comma()?;
        let value = self.reference()?;
        self.case_of(pending, custom, "success_ordering")?;
        self.case_of(pending, custom, "failure_ordering")?;
        self.optional_attributes(pending)?;
        let r#type = self.colon_type()?;
        let pointer_type = self.pointer_to(r#type)?;
        let inner = self.text_in_llvm(r#type)?;
        let result = self.type_named(&format!("!llvm.struct<({inner}, i1)>"))?;
        custom.give_at(0, vec![pointer], vec![pointer_type]);
        custom.give_at(1, vec![compared], vec![r#type]);
        custom.give_at(2, vec![value], vec![r#type]);
        custom.result(vec![result]);
        Ok(None)
    }

    /// `syncscope("agent") release {…}`
    fn fence(&mut self, pending: &mut Pending<'t>, custom: &mut Custom<'t>, _: u32) -> Step<'t> {
        if self.eat_word("syncscope")? {
            self.expect(TokenKind::LeftParen, "`(` and the name of the scope")?;
            self.named_attribute(pending, "syncscope")?;
            self.expect(TokenKind::RightParen, "`)` after the scope")?;
        } else {
            let none = self.text.string_value(b"")?;
            self.set_named(pending, "syncscope", none);
        }
        self.case_of(pending, custom, "ordering")?;
        self.optional_attributes(pending)?;
        Ok(None)
    }

    // The word for an attribute that is a case of an enumeration.
    fn case_of(&mut self, pending: &mut Pending<'t>, custom: &mut Custom<'t>, name: &str) -> Parsed<()> {
        let place = custom.definition.attributes().iter().position(|one| one.name() == name);
        match place {
            Some(place) => self.attribute_variable(pending, custom, place, false),
            None => Ok(()),
        }
    }

    fn pointer_to(&mut self, r#type: u32) -> Parsed<u32> {
        let inner = self.text_in_llvm(r#type)?;
        self.type_named(&format!("!llvm.ptr<{inner}>"))
    }

    // The text of a type in a type of LLVM, where those of LLVM have no prefix.
    fn text_in_llvm(&mut self, r#type: u32) -> Parsed<String> {
        let text = self.whole_type(r#type)?;
        Ok(text.strip_prefix("!llvm.").map_or_else(|| text.clone(), str::to_owned))
    }
}
