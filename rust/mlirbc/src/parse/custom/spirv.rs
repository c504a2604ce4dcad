//! Operations of the spirv dialect (`mlir/lib/Dialect/SPIRV/IR`).

use crate::attr::text::brackets::split;
use crate::attr::text::lexer::TokenKind;
use crate::attr::text::parse::Parsed;

use super::super::frames::{AsmParser, Pending};
use super::{Custom, HandWritten, Parsing};

use super::super::frames::{Form, NONE};
use super::parts::same_types;
use crate::dialect::entries::EntryRef;

/// The function for a hand-written format.
pub(super) fn form<'t>(name: &str) -> Option<HandWritten<'t>> {
    let form: HandWritten<'t> = match name.strip_prefix("spirv.")? {
        "func" => AsmParser::spirv_func,
        "Constant" => AsmParser::spirv_constant,
        "GlobalVariable" => AsmParser::spirv_global,
        "Variable" => AsmParser::spirv_variable,
        "CopyMemory" => AsmParser::spirv_copy_memory,
        "INTEL.SubgroupBlockWrite" => AsmParser::spirv_block_write,
        "INTEL.SubgroupBlockRead" => AsmParser::spirv_block_read,
        "SpecConstantOperation" => AsmParser::spirv_spec_operation,
        "IAddCarry" | "ISubBorrow" | "SMulExtended" | "UMulExtended" => AsmParser::spirv_extended,
        "GL.FClamp" | "GL.Fma" | "GL.SClamp" | "GL.UClamp" => AsmParser::spirv_same_type,
        "AccessChain" | "InBoundsPtrAccessChain" | "PtrAccessChain" => AsmParser::spirv_access_chain,
        _ => return None,
    };
    Some(form)
}

impl<'t> AsmParser<'t> {
    // A case of the enumeration of an attribute, as a string, as the attribute of the dialect.
    fn spirv_case(&mut self, pending: &mut Pending<'t>, class: &str, name: &str) -> Parsed<String> {
        let text = self.string("a string with the name of a case")?;
        self.set_text(pending, name, &format!("#spirv.{class}<{text}>"))?;
        Ok(text)
    }

    pub(super) fn spirv_pointer(&mut self, pointee: u32, class: &str) -> Parsed<u32> {
        let pointee = self.whole_type(pointee)?;
        self.type_named(&format!("!spirv.ptr<{pointee}, {class}>"))
    }

    // The storage class of a pointer.
    pub(super) fn spirv_class(&self, pending: &Pending<'t>, pointer: u32) -> Parsed<(String, String)> {
        let text = self.whole_type(pointer)?;
        let inner = text.strip_prefix("!spirv.ptr<").and_then(|text| text.strip_suffix('>'));
        match inner.and_then(|inner| inner.rsplit_once(", ")) {
            Some((pointee, class)) => Ok((pointee.to_owned(), class.to_owned())),
            None => Err(self.contents(pending, "the type is `!spirv.ptr<…>`")),
        }
    }

    /// `@name(%a: f32) -> f32 "None" attributes {…} {`
    fn spirv_func(&mut self, pending: &mut Pending<'t>, custom: &mut Custom<'t>, phase: u32) -> Parsing<'t> {
        if phase > 0 {
            return Ok(None);
        }
        self.symbol_name(pending)?;
        let arguments = self.function_signature(pending)?;
        self.spirv_case(pending, "function_control", "function_control")?;
        self.attributes_with_keyword(pending)?;
        self.function_body(custom, arguments)
    }

    /// `1 : i32`, or `[1, 2] : !spirv.array<2 x i32>`
    fn spirv_constant(&mut self, pending: &mut Pending<'t>, custom: &mut Custom<'t>, _: u32) -> Parsing<'t> {
        let value = self.named_attribute(pending, "value")?;
        let own = self.text.type_of_attribute(value);
        let class = own.and_then(|own| self.text.class_of(EntryRef::Type(own)));
        // A shaped type of the dialect is a text, which has no class.
        let needs_type = class.is_some_and(|class| class == "NoneType" || class.contains("Tensor"));
        let r#type = match own {
            Some(own) if !needs_type => own,
            _ => self.colon_type()?,
        };
        custom.result(vec![r#type]);
        Ok(None)
    }

    /// `bind(0, 1)` or `built_in("…")`, and attributes
    fn spirv_decorations(&mut self, pending: &mut Pending<'t>) -> Parsed<()> {
        if self.eat_word("bind")? {
            let i32 = self.type_named("i32")?;
            self.expect(TokenKind::LeftParen, "`(` and the set")?;
            let set = self.number(i32)?;
            self.set_named(pending, "descriptor_set", set);
            self.comma()?;
            let binding = self.number(i32)?;
            self.set_named(pending, "binding", binding);
            self.expect(TokenKind::RightParen, "`)` after the binding")?;
        } else if self.eat_word("built_in")? {
            self.attribute_in_parentheses(pending, "built_in")?;
        }
        self.optional_attributes(pending)
    }

    /// `@name initializer(@init) bind(0, 1) : !spirv.ptr<f32, Input>`
    fn spirv_global(&mut self, pending: &mut Pending<'t>, _: &mut Custom<'t>, _: u32) -> Parsing<'t> {
        self.symbol_name(pending)?;
        if self.eat_word("initializer")? {
            self.attribute_in_parentheses(pending, "initializer")?;
        }
        self.spirv_decorations(pending)?;
        let r#type = self.colon_type()?;
        let r#type = self.text.type_value(r#type)?;
        self.set_named(pending, "type", r#type);
        Ok(None)
    }

    /// `init(%a) : !spirv.ptr<f32, Function>`
    fn spirv_variable(&mut self, pending: &mut Pending<'t>, custom: &mut Custom<'t>, _: u32) -> Parsing<'t> {
        let mut init = Vec::new();
        if self.eat_word("init")? {
            self.expect(TokenKind::LeftParen, "`(` and a value")?;
            init.push(self.reference()?);
            self.expect(TokenKind::RightParen, "`)` after the value")?;
        }
        self.spirv_decorations(pending)?;
        let r#type = self.colon_type()?;
        let (pointee, class) = self.spirv_class(pending, r#type)?;
        let pointee = self.type_named(&pointee)?;
        let types = same_types(pointee, &init);
        custom.give_at(0, init, types);
        self.set_text(pending, "storage_class", &format!("#spirv.storage_class<{class}>"))?;
        custom.result(vec![r#type]);
        Ok(None)
    }

    /// `["Aligned", 4]`
    pub(super) fn spirv_access(
        &mut self,
        pending: &mut Pending<'t>,
        access: &str,
        alignment: &str,
    ) -> Parsed<()> {
        if self.eat(TokenKind::LeftSquare)? {
            let text = self.spirv_case(pending, "memory_access", access)?;
            if text.split('|').any(|part| part.trim() == "Aligned") {
                self.comma()?;
                let i32 = self.type_named("i32")?;
                let number = self.number(i32)?;
                self.set_named(pending, alignment, number);
            }
            self.expect(TokenKind::RightSquare, "`]` after the access")?;
        }
        Ok(())
    }

    /// `"Function" %a, "Function" %b ["Aligned", 4], ["Aligned", 4] : f32`
    fn spirv_copy_memory(
        &mut self,
        pending: &mut Pending<'t>,
        custom: &mut Custom<'t>,
        _: u32,
    ) -> Parsing<'t> {
        let target_class = self.string("the storage class")?;
        let target = self.reference()?;
        self.comma()?;
        let source_class = self.string("the storage class")?;
        let source = self.reference()?;
        self.spirv_access(pending, "memory_access", "alignment")?;
        if self.eat(TokenKind::Comma)? {
            self.spirv_access(pending, "source_memory_access", "source_alignment")?;
        }
        let r#type = self.colon_type()?;
        self.optional_attributes(pending)?;
        let of = self.spirv_pointer(r#type, &target_class)?;
        custom.give_at(0, vec![target], vec![of]);
        let of = self.spirv_pointer(r#type, &source_class)?;
        custom.give_at(1, vec![source], vec![of]);
        Ok(None)
    }

    /// `"StorageBuffer" %p, %v : vector<2xi32>`
    fn spirv_block_write(&mut self, _: &mut Pending<'t>, custom: &mut Custom<'t>, _: u32) -> Parsing<'t> {
        let class = self.string("the storage class")?;
        let pointer = self.reference()?;
        self.comma()?;
        let value = self.reference()?;
        let r#type = self.colon_type()?;
        let element = self.text.element_of(r#type)?.unwrap_or(r#type);
        let of = self.spirv_pointer(element, &class)?;
        custom.give_at(0, vec![pointer], vec![of]);
        custom.give_at(1, vec![value], vec![r#type]);
        Ok(None)
    }

    /// `"StorageBuffer" %p : vector<2xi32>`
    fn spirv_block_read(&mut self, _: &mut Pending<'t>, custom: &mut Custom<'t>, _: u32) -> Parsing<'t> {
        let class = self.string("the storage class")?;
        let pointer = self.reference()?;
        let r#type = self.colon_type()?;
        let element = self.text.element_of(r#type)?.unwrap_or(r#type);
        let of = self.spirv_pointer(element, &class)?;
        custom.give_at(0, vec![pointer], vec![of]);
        custom.result(vec![r#type]);
        Ok(None)
    }

    /// `wraps "spirv.IAdd"(%a, %b) : (i32, i32) -> i32`
    fn spirv_spec_operation(
        &mut self,
        pending: &mut Pending<'t>,
        custom: &mut Custom<'t>,
        _: u32,
    ) -> Parsing<'t> {
        self.expect_literal("wraps")?;
        let region = self.empty_region()?;
        let block = self.add_block(region)?;
        let token = self.expect(TokenKind::String, "an operation in generic form")?;
        let name = self.text.string_of(token)?;
        let info = self.info(&name, token.start)?;
        let location = self.location_at(token.start)?;
        let mut inner = Pending {
            info,
            position: token.start,
            location,
            results: Vec::new(),
            operands: Vec::new(),
            successors: Vec::new(),
            properties: NONE,
            attributes: Vec::new(),
            regions: Vec::new(),
            block,
            form: Form::Generic,
            default_dialect: None,
        };
        self.begin_generic(&mut inner, None)?;
        if self.eat(TokenKind::LeftBrace)? {
            self.attributes(&mut inner.attributes)?;
        }
        self.expect(TokenKind::Colon, "`:` and the type of the operation")?;
        let (operands, results) = self.function_type()?;
        self.create(&mut inner, &operands, &results)?;
        let op = self.editor.arena.block(block).last_op;
        // A location after the inner operation is also that of the outer one.
        let location = self.editor.arena.op(op).location;
        let values: Vec<u32> = self.results_of(op).take(1).collect();
        self.add_op("spirv.mlir.yield", block, (token.start, location), &values, &[], Vec::new())?;
        pending.location = location;
        self.optional_attributes(pending)?;
        custom.result(results.into_iter().take(1).collect());
        custom.regions.push(0);
        pending.regions.push(region);
        Ok(None)
    }

    /// `%a, %b : !spirv.struct<(i32, i32)>`
    fn spirv_extended(&mut self, pending: &mut Pending<'t>, custom: &mut Custom<'t>, _: u32) -> Parsing<'t> {
        self.optional_attributes(pending)?;
        let values = self.references()?;
        let r#type = self.colon_type()?;
        let text = self.whole_type(r#type)?;
        let Some(part) = element_text(&text, 0) else {
            return Err(self.contents(pending, "the type is a structure of two members"));
        };
        let part = self.type_named(&part)?;
        custom.all_operand_types = Some(same_types(part, &values));
        custom.all_operands = Some(values);
        custom.result(vec![r#type]);
        Ok(None)
    }

    /// `%a, %b, %c : f32`, or `(%a, %b) : (f32, f32) -> f32`
    fn spirv_same_type(&mut self, pending: &mut Pending<'t>, custom: &mut Custom<'t>, _: u32) -> Parsing<'t> {
        if self.peek()?.kind == TokenKind::LeftParen {
            let values = self.references_in_parentheses()?;
            self.optional_attributes(pending)?;
            self.expect(TokenKind::Colon, "`:` and the type of the operation")?;
            let (types, results) = self.function_type()?;
            custom.all_operands = Some(values);
            custom.all_operand_types = Some(types);
            custom.result(results);
            return Ok(None);
        }
        let values = self.references()?;
        self.optional_attributes(pending)?;
        let r#type = self.colon_type()?;
        custom.all_operand_types = Some(same_types(r#type, &values));
        custom.all_operands = Some(values);
        custom.result(vec![r#type]);
        Ok(None)
    }

    /// `%p[%i, %j] : !spirv.ptr<…>, i32, i32`, of releases before MLIR 20
    fn spirv_access_chain(
        &mut self,
        pending: &mut Pending<'t>,
        custom: &mut Custom<'t>,
        _: u32,
    ) -> Parsing<'t> {
        let base = self.reference()?;
        let mut element = Vec::new();
        let has_element = custom.definition.operands().len() > 2;
        let indices = self.references_in_brackets()?;
        let mut indices = indices.into_iter();
        if has_element {
            element.extend(indices.next());
        }
        let indices: Vec<_> = indices.collect();
        self.optional_attributes(pending)?;
        let types = self.colon_types()?;
        let Some((&pointer, rest)) = types.split_first() else { return Ok(None) };
        self.same_count(pending, element.len() + indices.len(), rest.len())?;
        if self.eat(TokenKind::Arrow)? {
            let result = self.parse_type()?;
            custom.result(vec![result]);
        } else {
            let (pointee, class) = self.spirv_class(pending, pointer)?;
            let mut text = pointee;
            for &index in &indices {
                // An index of a structure has to be a constant, whose value is needed.
                let number = match text.starts_with("!spirv.struct<") {
                    true => self.constant_of(index),
                    false => Some(0),
                };
                match number.and_then(|number| element_text(&text, number)) {
                    Some(part) => text = part,
                    None => {
                        return Err(
                            self.contents(pending, format!("`{text}` has no element with a constant index"))
                        );
                    }
                }
            }
            let element = self.type_named(&text)?;
            let result = self.spirv_pointer(element, &class)?;
            custom.result(vec![result]);
        }
        let (first, last) = rest.split_at(element.len().min(rest.len()));
        custom.give_at(0, vec![base], vec![pointer]);
        if has_element {
            custom.give_at(1, element, first.to_vec());
        }
        custom.give_at(1 + usize::from(has_element), indices, last.to_vec());
        Ok(None)
    }

    // The value of a `spirv.Constant` of an integer type.
    fn constant_of(&mut self, of: super::super::operands::Reference<'t>) -> Option<usize> {
        let op = self.defining_op(of)?;
        let row = self.editor.arena.op(op);
        let (index, list) = (row.name, row.attributes);
        if &*self.infos_by_index.get(&index)?.name != "spirv.Constant" {
            return None;
        }
        let name = self.attribute_name(b"value");
        let value = self.lists.get(list)?.attributes().find(|(known, _)| *known == name)?.1;
        self.whole_attribute(value).ok()?.split(' ').next()?.parse().ok()
    }
}

/// The text of an element of a vector, an array, a matrix or a structure.
pub(super) fn element_text(text: &str, index: usize) -> Option<String> {
    let inner = |prefix: &str| text.strip_prefix(prefix)?.strip_suffix('>');
    if let Some(body) = inner("vector<") {
        return body.rsplit_once('x').map(|(_, element)| element.to_owned());
    }
    if let Some(body) = inner("!spirv.array<").or_else(|| inner("!spirv.matrix<")) {
        let (_, element) = body.split_once(" x ")?;
        return Some(without_stride(element));
    }
    if let Some(body) = inner("!spirv.rtarray<") {
        return Some(without_stride(body));
    }
    if let Some(body) = inner("!spirv.coopmatrix<") {
        let (_, rest) = body.split_once('x')?;
        let (_, element) = rest.split_once('x')?;
        return element.split_once(", ").map(|(element, _)| element.to_owned());
    }
    let body = inner("!spirv.struct<")?;
    // A structure with a name has it before the members.
    let body = body.find('(').and_then(|place| body.get(place + 1..))?.strip_suffix(')').or_else(|| {
        let place = body.rfind(')')?;
        body.get(body.find('(')? + 1..place)
    })?;
    let parts = split(body)?;
    let &part = parts.get(index)?;
    // Decorations follow the type.
    Some(part.split_once(" [").map_or(part, |(member, _)| member).to_owned())
}

fn without_stride(text: &str) -> String {
    match text.rsplit_once(", stride=") {
        Some((element, digits)) if digits.bytes().all(|byte| byte.is_ascii_digit()) => element.to_owned(),
        _ => text.to_owned(),
    }
}
