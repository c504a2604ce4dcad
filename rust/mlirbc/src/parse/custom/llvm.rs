//! Operations of the llvm dialect (`mlir/lib/Dialect/LLVMIR/IR/LLVMDialect.cpp`).

use crate::attr::text::brackets::split;
use crate::attr::text::lexer::TokenKind;
use crate::attr::text::parse::Parsed;

use super::super::frames::{AsmParser, Pending};
use super::super::operands::Reference;
use super::{Custom, HandWritten, Step};

use super::function::Signature;

/// The function for a hand-written format.
pub(super) fn form<'t>(name: &str) -> Option<HandWritten<'t>> {
    let form: HandWritten<'t> = match name {
        "llvm.alloca" => AsmParser::llvm_alloca,
        "llvm.call" => AsmParser::llvm_call,
        "llvm.call_intrinsic" => AsmParser::llvm_call_intrinsic,
        "llvm.invoke" => AsmParser::llvm_invoke,
        "llvm.landingpad" => AsmParser::llvm_landingpad,
        "llvm.func" => AsmParser::llvm_func,
        "llvm.mlir.global" => AsmParser::llvm_global,
        "llvm.mlir.alias" => AsmParser::llvm_alias,
        "llvm.mlir.ifunc" => AsmParser::llvm_ifunc,
        "llvm.load" => AsmParser::llvm_load,
        "llvm.store" => AsmParser::llvm_store,
        _ => return None,
    };
    Some(form)
}

const LINKAGES: &[&str] = &[
    "private",
    "internal",
    "available_externally",
    "linkonce",
    "weak",
    "common",
    "appending",
    "extern_weak",
    "linkonce_odr",
    "weak_odr",
    "external",
];
const VISIBILITIES: &[&str] = &["", "hidden", "protected"];
const UNNAMED: &[&str] = &["", "local_unnamed_addr", "unnamed_addr"];
const TAIL_CALLS: &[&str] = &["none", "notail", "musttail", "tail"];
const CONVENTIONS: &[&str] = &[
    "ccc",
    "fastcc",
    "coldcc",
    "cc_10",
    "cc_11",
    "anyregcc",
    "preserve_mostcc",
    "preserve_allcc",
    "swiftcc",
    "cxx_fast_tlscc",
    "tailcc",
    "cfguard_checkcc",
    "swifttailcc",
    "x86_stdcallcc",
    "x86_fastcallcc",
    "arm_apcscc",
    "arm_aapcscc",
    "arm_aapcs_vfpcc",
    "msp430_intrcc",
    "x86_thiscallcc",
    "ptx_kernelcc",
    "ptx_devicecc",
    "spir_funccc",
    "spir_kernelcc",
    "intel_ocl_bicc",
    "x86_64_sysvcc",
    "win64cc",
    "x86_vectorcallcc",
    "hhvmcc",
    "hhvm_ccc",
    "x86_intrcc",
    "avr_intrcc",
    "avr_builtincc",
    "amdgpu_vscc",
    "amdgpu_gscc",
    "amdgpu_cscc",
    "amdgpu_kernelcc",
    "x86_regcallcc",
    "amdgpu_hscc",
    "msp430_builtincc",
    "amdgpu_lscc",
    "amdgpu_escc",
    "aarch64_vectorcallcc",
    "aarch64_sve_vectorcallcc",
    "wasm_emscripten_invokecc",
    "amdgpu_gfxcc",
    "m68k_intrcc",
];

impl<'t> AsmParser<'t> {
    /// `%n x i32 {alignment = 4 : i64} : (i64) -> !llvm.ptr`
    fn llvm_alloca(&mut self, pending: &mut Pending<'t>, custom: &mut Custom<'t>, _: u32) -> Step<'t> {
        if custom.has_attribute("inalloca") {
            self.unit_keyword(pending, "inalloca", "inalloca")?;
        }
        let count = self.reference()?;
        self.expect_literal("x")?;
        let element = self.parse_type()?;
        self.optional_attributes(pending)?;
        if let Some(alignment) = self.found(pending, "alignment")
            && self.whole_attribute(alignment)?.starts_with("0 :")
        {
            let name = self.attribute_name(b"alignment");
            pending.attributes.retain(|(known, _)| *known != name);
        }
        self.expect(TokenKind::Colon, "`:` and a function type")?;
        let (inputs, results) = self.function_type()?;
        if inputs.len() != 1 || results.len() != 1 {
            return Err(self.contents(pending, "the function type has one argument and one result"));
        }
        // Pointers of MLIR 16 may have the type of the element.
        let is_opaque = match results.first() {
            Some(&result) => {
                !self.whole_type(result)?.starts_with("!llvm.ptr<") || self.release.has_properties() || {
                    let text = self.whole_type(result)?;
                    text.trim_start_matches("!llvm.ptr<")
                        .trim_end_matches('>')
                        .bytes()
                        .all(|byte| byte.is_ascii_digit())
                }
            }
            None => true,
        };
        if is_opaque {
            let element = self.text.type_value(element)?;
            self.set_named(pending, "elem_type", element);
        }
        custom.give_at(0, vec![count], inputs);
        custom.result(results);
        Ok(None)
    }

    // The case of an enumeration whose keyword comes next, or the one without a keyword.
    fn llvm_case<'k>(&mut self, cases: &'k [&'k str], default: &'k str) -> Parsed<&'k str> {
        let token = self.peek()?;
        if matches!(token.kind, TokenKind::Identifier | TokenKind::IntegerType) {
            let word = self.spelling(token);
            if let Some(case) = cases.iter().find(|case| case.as_bytes() == word) {
                self.lexer().seek(token.end);
                return Ok(case);
            }
        }
        Ok(default)
    }

    fn llvm_number(&mut self, pending: &mut Pending<'t>, cases: &[&str], name: &str) -> Parsed<()> {
        let case = self.llvm_case(cases, "")?;
        let number = cases.iter().position(|known| *known == case).unwrap_or(0);
        self.set_text(pending, name, &format!("{number} : i64"))
    }

    /// `thread_local`, or `thread_local(initialexec)`
    fn llvm_thread_local(&mut self, pending: &mut Pending<'t>) -> Parsed<()> {
        const MODELS: &[&str] = &["localdynamic", "initialexec", "localexec"];
        let mut mode = 0;
        if self.eat_word("thread_local")? {
            mode = 1;
            if self.eat(TokenKind::LeftParen)? {
                let token = self.peek()?;
                let word = self.keyword("a model of thread-local storage")?;
                let Some(place) = MODELS.iter().position(|known| **known == word) else {
                    return self.unexpected(token, "`localdynamic`, `initialexec` or `localexec`");
                };
                mode = place + 2;
                self.expect(TokenKind::RightParen, "`)` after the model")?;
            }
        }
        self.set_text(pending, "tls_mode", &format!("{mode} : i64"))
    }

    fn llvm_convention(&mut self, pending: &mut Pending<'t>, custom: &Custom<'t>) -> Parsed<()> {
        if custom.has_attribute("CConv") {
            let case = self.llvm_case(CONVENTIONS, "ccc")?;
            self.set_text(pending, "CConv", &format!("#llvm.cconv<{case}>"))?;
        }
        Ok(())
    }

    /// `internal fastcc @name(%a: i32, ...) -> i32 attributes {…} {`
    fn llvm_func(&mut self, pending: &mut Pending<'t>, custom: &mut Custom<'t>, phase: u32) -> Step<'t> {
        if phase > 0 {
            return Ok(None);
        }
        let linkage = self.llvm_case(LINKAGES, "external")?;
        self.set_text(pending, "linkage", &format!("#llvm.linkage<{linkage}>"))?;
        if custom.has_attribute("visibility_") {
            self.llvm_number(pending, VISIBILITIES, "visibility_")?;
        }
        if custom.has_attribute("unnamed_addr") {
            self.llvm_number(pending, UNNAMED, "unnamed_addr")?;
        }
        self.llvm_convention(pending, custom)?;
        self.symbol_name(pending)?;
        let inputs = self.signature()?;
        let (results, result_attributes) = self.signature_results()?;
        let r#type = self.llvm_function_type(pending, &inputs, &results)?;
        self.set_named(pending, "function_type", r#type);
        if custom.has_attribute("vscale_range") && self.eat_word("vscale_range")? {
            self.expect(TokenKind::LeftParen, "`(` and the range")?;
            let least = self.integer()?;
            self.comma()?;
            let most = self.integer()?;
            self.expect(TokenKind::RightParen, "`)` after the range")?;
            let text = format!("#llvm.vscale_range<minRange = {least} : i32, maxRange = {most} : i32>");
            self.set_text(pending, "vscale_range", &text)?;
        }
        if custom.has_attribute("comdat") && self.eat_word("comdat")? {
            self.attribute_in_parentheses(pending, "comdat")?;
        }
        self.attributes_with_keyword(pending)?;
        self.array_of_dictionaries(pending, "arg_attrs", &inputs.attributes)?;
        self.array_of_dictionaries(pending, "res_attrs", &result_attributes)?;
        if self.peek()?.kind != TokenKind::LeftBrace {
            return Ok(None);
        }
        custom.regions.push(0);
        self.open_region(inputs.arguments).map(Some)
    }

    fn llvm_function_type(
        &mut self,
        pending: &Pending<'t>,
        inputs: &Signature<'t>,
        results: &[u32],
    ) -> Parsed<u32> {
        let result = match results {
            [] => "void".to_owned(),
            [one] => self.whole_type(*one)?,
            _ => return Err(self.contents(pending, "a function has at most one result")),
        };
        let mut parts = Vec::new();
        for &input in &inputs.types {
            parts.push(self.whole_type(input)?);
        }
        if inputs.is_variadic {
            parts.push("...".to_owned());
        }
        let r#type = self.type_named(&format!("!llvm.func<{result} ({})>", parts.join(", ")))?;
        self.text.type_value(r#type)
    }

    /// `internal constant @name(1 : i32) {…} : i32 {`
    fn llvm_global(&mut self, pending: &mut Pending<'t>, custom: &mut Custom<'t>, phase: u32) -> Step<'t> {
        if phase > 0 {
            return Ok(None);
        }
        self.llvm_common(pending, custom)?;
        self.unit_keyword(pending, "constant", "constant")?;
        self.symbol_name(pending)?;
        self.expect(TokenKind::LeftParen, "`(` and the value")?;
        let mut value = None;
        if !self.eat(TokenKind::RightParen)? {
            value = Some(self.named_attribute(pending, "value")?);
            self.expect(TokenKind::RightParen, "`)` after the value")?;
        }
        if custom.has_attribute("comdat") && self.eat_word("comdat")? {
            self.attribute_in_parentheses(pending, "comdat")?;
        }
        self.optional_attributes(pending)?;
        if self.eat(TokenKind::Colon)? {
            let r#type = self.parse_type()?;
            let r#type = self.text.type_value(r#type)?;
            self.set_named(pending, "global_type", r#type);
            if self.peek()?.kind == TokenKind::LeftBrace {
                custom.regions.push(0);
                return self.open_region(Vec::new()).map(Some);
            }
            return Ok(None);
        }
        let length = value.and_then(|value| self.text.string_length(value));
        let Some(length) = length else {
            return Err(self.contents(pending, "only a string needs no type"));
        };
        let r#type = self.type_named(&format!("!llvm.array<{length} x i8>"))?;
        let r#type = self.text.type_value(r#type)?;
        self.set_named(pending, "global_type", r#type);
        Ok(None)
    }

    fn llvm_common(&mut self, pending: &mut Pending<'t>, custom: &Custom<'t>) -> Parsed<()> {
        let linkage = self.llvm_case(LINKAGES, "external")?;
        self.set_text(pending, "linkage", &format!("#llvm.linkage<{linkage}>"))?;
        if custom.has_attribute("visibility_") {
            self.llvm_number(pending, VISIBILITIES, "visibility_")?;
        }
        if custom.has_attribute("tls_mode") {
            self.llvm_thread_local(pending)?;
        } else {
            self.unit_keyword(pending, "thread_local", "thread_local_")?;
        }
        self.llvm_number(pending, UNNAMED, "unnamed_addr")
    }

    /// `internal @name : i32 {`
    fn llvm_alias(&mut self, pending: &mut Pending<'t>, custom: &mut Custom<'t>, phase: u32) -> Step<'t> {
        if phase > 0 {
            return Ok(None);
        }
        self.llvm_common(pending, custom)?;
        self.symbol_name(pending)?;
        self.optional_attributes(pending)?;
        let r#type = self.colon_type()?;
        let r#type = self.text.type_value(r#type)?;
        self.set_named(pending, "alias_type", r#type);
        custom.regions.push(0);
        self.open_region(Vec::new()).map(Some)
    }

    /// `external @name : !llvm.func<…>, !llvm.ptr @resolver`
    fn llvm_ifunc(&mut self, pending: &mut Pending<'t>, custom: &mut Custom<'t>, _: u32) -> Step<'t> {
        self.llvm_common(pending, custom)?;
        self.symbol_name(pending)?;
        for (name, is_first) in [("i_func_type", true), ("resolver_type", false)] {
            match is_first {
                true => self.expect(TokenKind::Colon, "`:` and two types").map(drop)?,
                false => self.comma()?,
            }
            let r#type = self.parse_type()?;
            let r#type = self.text.type_value(r#type)?;
            self.set_named(pending, name, r#type);
        }
        self.named_attribute(pending, "resolver")?;
        self.optional_attributes(pending)?;
        Ok(None)
    }

    /// `volatile %p : !llvm.ptr -> i32`, or `%p : !llvm.ptr<i32>` before MLIR 17
    fn llvm_load(&mut self, pending: &mut Pending<'t>, custom: &mut Custom<'t>, _: u32) -> Step<'t> {
        self.unit_keyword(pending, "volatile", "volatile_")?;
        let address = self.reference()?;
        self.optional_attributes(pending)?;
        let pointer = self.colon_type()?;
        let element = match self.pointee(pointer)? {
            Some(element) => element,
            None => {
                self.expect(TokenKind::Arrow, "`->` and the type of the value")?;
                self.parse_type()?
            }
        };
        custom.give_at(0, vec![address], vec![pointer]);
        custom.result(vec![element]);
        Ok(None)
    }

    /// `volatile %v, %p : i32, !llvm.ptr`, or `%v, %p : !llvm.ptr<i32>` before MLIR 17
    fn llvm_store(&mut self, pending: &mut Pending<'t>, custom: &mut Custom<'t>, _: u32) -> Step<'t> {
        self.unit_keyword(pending, "volatile", "volatile_")?;
        let value = self.reference()?;
        self.comma()?;
        let address = self.reference()?;
        self.optional_attributes(pending)?;
        let first = self.colon_type()?;
        let (element, pointer) = match self.eat(TokenKind::Comma)? {
            true => (first, self.parse_type()?),
            false => match self.pointee(first)? {
                Some(element) => (element, first),
                None => return Err(self.contents(pending, "the type of the value comes before the pointer")),
            },
        };
        custom.give_at(0, vec![value], vec![element]);
        custom.give_at(1, vec![address], vec![pointer]);
        Ok(None)
    }

    // The type of the element of a pointer that has one.
    fn pointee(&mut self, pointer: u32) -> Parsed<Option<u32>> {
        let text = self.whole_type(pointer)?;
        let inner = text.strip_prefix("!llvm.ptr<").and_then(|rest| rest.strip_suffix('>'));
        let element = inner.and_then(split).and_then(|parts| parts.first().map(|part| part.trim()));
        let Some(element) = element.filter(|text| !text.bytes().all(|byte| byte.is_ascii_digit())) else {
            return Ok(None);
        };
        self.llvm_type(element).map(Some)
    }

    /// `@f(%a) : (i32) -> i32`, or `%f(%a) : !llvm.ptr, (i32) -> i32`
    fn llvm_call(&mut self, pending: &mut Pending<'t>, custom: &mut Custom<'t>, _: u32) -> Step<'t> {
        self.llvm_convention(pending, custom)?;
        if custom.has_attribute("TailCallKind") {
            let case = self.llvm_case(TAIL_CALLS, "none")?;
            self.set_text(pending, "TailCallKind", &format!("#llvm.tailcallkind<{case}>"))?;
        }
        let pointer = self.llvm_callee(pending)?;
        let mut values: Vec<_> = pointer.into_iter().collect();
        values.extend(self.references_in_parentheses()?);
        self.llvm_rest_of_call(pending, custom, values, pointer.is_some())?;
        Ok(None)
    }

    fn llvm_callee(&mut self, pending: &mut Pending<'t>) -> Parsed<Option<Reference<'t>>> {
        let pointer = self.optional_reference()?;
        if pointer.is_none() {
            self.named_attribute(pending, "callee")?;
        }
        Ok(pointer)
    }

    // What follows the arguments of a call; the first group of operands is that of the call.
    fn llvm_rest_of_call(
        &mut self,
        pending: &mut Pending<'t>,
        custom: &mut Custom<'t>,
        values: Vec<Reference<'t>>,
        is_indirect: bool,
    ) -> Parsed<()> {
        if custom.has_attribute("var_callee_type") && self.eat_word("vararg")? {
            self.expect(TokenKind::LeftParen, "`(` and a type")?;
            let r#type = self.parse_type()?;
            let r#type = self.text.type_value(r#type)?;
            self.set_named(pending, "var_callee_type", r#type);
            self.expect(TokenKind::RightParen, "`)` after the type")?;
        }
        self.bundles(pending, custom)?;
        self.optional_attributes(pending)?;
        self.expect(TokenKind::Colon, "`:` and the type of the call")?;
        let mut types = Vec::new();
        if is_indirect {
            types.push(self.parse_type()?);
            self.comma()?;
        }
        let inputs = self.signature()?;
        types.extend(&inputs.types);
        let (results, result_attributes) = self.signature_results()?;
        if custom.has_attribute("arg_attrs") {
            self.array_of_dictionaries(pending, "arg_attrs", &inputs.attributes)?;
            self.array_of_dictionaries(pending, "res_attrs", &result_attributes)?;
        }
        self.same_count(pending, values.len(), types.len())?;
        custom.give_at(0, values, types);
        custom.result(results);
        Ok(())
    }

    /// `"llvm.name"(%a) : (i32) -> i32`
    fn llvm_call_intrinsic(
        &mut self,
        pending: &mut Pending<'t>,
        custom: &mut Custom<'t>,
        _: u32,
    ) -> Step<'t> {
        self.named_attribute(pending, "intrin")?;
        let values = self.references_in_parentheses()?;
        self.llvm_rest_of_call(pending, custom, values, false)?;
        Ok(None)
    }

    /// `@f(%a) to ^bb1 unwind ^bb2(%x : i32) : (i32) -> i32`
    fn llvm_invoke(&mut self, pending: &mut Pending<'t>, custom: &mut Custom<'t>, _: u32) -> Step<'t> {
        self.llvm_convention(pending, custom)?;
        let pointer = self.llvm_callee(pending)?;
        let mut values: Vec<_> = pointer.into_iter().collect();
        values.extend(self.references_in_parentheses()?);
        for (place, (word, operands)) in
            [("to", "normalDestOperands"), ("unwind", "unwindDestOperands")].into_iter().enumerate()
        {
            self.expect_literal(word)?;
            let (block, values, types) = self.successor_with_values(pending)?;
            if let Some(slot) = custom.successors.get_mut(place) {
                slot.push(block);
            }
            custom.give(operands, values, types);
        }
        self.llvm_rest_of_call(pending, custom, values, pointer.is_some())?;
        Ok(None)
    }

    /// `^bb1(%a, %b : i32, i32)`
    pub(super) fn successor_with_values(
        &mut self,
        pending: &Pending<'t>,
    ) -> Parsed<(u32, Vec<Reference<'t>>, Vec<u32>)> {
        let block = self.successor(None)?;
        let (values, types) = match self.peek()?.kind {
            TokenKind::LeftParen => self.typed_in_parentheses(pending)?,
            _ => (Vec::new(), Vec::new()),
        };
        Ok((block, values, types))
    }

    /// `cleanup (catch %a : !llvm.ptr) (filter %b : …) : !llvm.struct<(ptr, i32)>`
    fn llvm_landingpad(&mut self, pending: &mut Pending<'t>, custom: &mut Custom<'t>, _: u32) -> Step<'t> {
        self.unit_keyword(pending, "cleanup", "cleanup")?;
        let (mut values, mut types) = (Vec::new(), Vec::new());
        while self.eat(TokenKind::LeftParen)? {
            if !self.eat_word("catch")? && !self.eat_word("filter")? {
                let token = self.peek()?;
                return self.unexpected(token, "`catch` or `filter`");
            }
            values.push(self.reference()?);
            types.push(self.colon_type()?);
            self.expect(TokenKind::RightParen, "`)` after the type")?;
        }
        let result = self.colon_type()?;
        custom.give_at(0, values, types);
        custom.result(vec![result]);
        Ok(None)
    }

    /// A type by its text in a type of LLVM, where those of LLVM have no prefix.
    pub(super) fn llvm_type(&mut self, text: &str) -> Parsed<u32> {
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
}
