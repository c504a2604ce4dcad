//! Operations of the wasmssa dialect (`mlir/lib/Dialect/WasmSSA/IR/WasmSSAOps.cpp`).

use crate::attr::text::lexer::TokenKind;

use super::super::frames::{AsmParser, Pending};
use super::{Custom, HandWritten, Step};

/// The function for a hand-written format.
pub(super) fn form<'t>(name: &str) -> Option<HandWritten<'t>> {
    let form: HandWritten<'t> = match name {
        "wasmssa.func" => AsmParser::wasm_func,
        "wasmssa.global" => AsmParser::wasm_global,
        "wasmssa.import_global" => AsmParser::wasm_import,
        _ => return None,
    };
    Some(form)
}

impl<'t> AsmParser<'t> {
    /// `exported @name(%a: !wasmssa<local ref to i32>) -> i32 {`, whose type has the types of the variables.
    fn wasm_func(&mut self, pending: &mut Pending<'t>, custom: &mut Custom<'t>, phase: u32) -> Step<'t> {
        if phase > 0 {
            return Ok(None);
        }
        self.unit_keyword(pending, "exported", "exported")?;
        let token = self.peek()?;
        let word = self.spelling(token);
        if matches!(word, b"public" | b"private" | b"nested") {
            self.lexer().seek(token.end);
            let visibility = self.text.string_value(word)?;
            self.set_named(pending, "sym_visibility", visibility);
        }
        self.symbol_name(pending)?;
        let inputs = self.signature()?;
        let (results, result_attributes) = self.signature_results()?;
        let mut types = Vec::new();
        for &r#type in &inputs.types {
            let text = self.whole_type(r#type)?;
            match text.strip_prefix("!wasmssa<local ref to ").and_then(|text| text.strip_suffix('>')) {
                Some(inner) => types.push(self.type_named(inner)?),
                None => {
                    let message = "the arguments have types as `!wasmssa<local ref to i32>`";
                    return Err(self.contents(pending, message));
                }
            }
        }
        let r#type = self.text.function_value(&types, &results)?;
        let r#type = self.text.type_value(r#type)?;
        self.set_named(pending, "functionType", r#type);
        self.function_attributes(pending)?;
        self.array_of_dictionaries(pending, "arg_attrs", &inputs.attributes)?;
        self.array_of_dictionaries(pending, "res_attrs", &result_attributes)?;
        if self.peek()?.kind != TokenKind::LeftBrace {
            return Ok(None);
        }
        custom.regions.push(0);
        self.open_region(inputs.arguments).map(Some)
    }

    /// `exported @name i32 mutable : {`
    fn wasm_global(&mut self, pending: &mut Pending<'t>, custom: &mut Custom<'t>, phase: u32) -> Step<'t> {
        if phase > 0 {
            return Ok(None);
        }
        self.unit_keyword(pending, "exported", "exported")?;
        self.symbol_name(pending)?;
        let r#type = self.parse_type()?;
        let r#type = self.text.type_value(r#type)?;
        self.set_named(pending, "type", r#type);
        self.unit_keyword(pending, "mutable", "isMutable")?;
        self.expect(TokenKind::Colon, "`:` and the initial value")?;
        custom.regions.push(0);
        self.open_region(Vec::new()).map(Some)
    }

    /// `"name" from "module" as @name mutable : i32`
    fn wasm_import(&mut self, pending: &mut Pending<'t>, _: &mut Custom<'t>, _: u32) -> Step<'t> {
        self.named_attribute(pending, "importName")?;
        self.expect_literal("from")?;
        self.named_attribute(pending, "moduleName")?;
        self.expect_literal("as")?;
        self.symbol_name(pending)?;
        self.unit_keyword(pending, "mutable", "isMutable")?;
        let r#type = self.colon_type()?;
        let r#type = self.text.type_value(r#type)?;
        self.set_named(pending, "type", r#type);
        Ok(None)
    }
}
