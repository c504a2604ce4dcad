//! Implements [`TypeSyntax`] for the parser: types of operands and results.

use crate::assembly::{Direction, Signature, TypeSyntax, Values};
use crate::attr::EntryValues;
use crate::attr::text::lexer::TokenKind;
use crate::attr::text::parse::Parsed;
use crate::dialect::entries::EntryRef;
use crate::dialect::table::BuiltinKind;
use crate::format::id::{AttrId, TypeId};

use super::super::dialects::spirv::element_text;
use super::super::operands::Reference;
use super::super::parts::same_types;
use super::FormReader;

impl<'t> TypeSyntax for FormReader<'_, 't> {
    fn r#type(&mut self, _: Option<TypeId>) -> Parsed<TypeId> {
        self.parser.parse_type()
    }

    fn types(&mut self, _: &[TypeId]) -> Parsed<Vec<TypeId>> {
        self.parser.type_list()
    }

    fn function_type(&mut self, _: &[TypeId], _: &[TypeId]) -> Parsed<(Vec<TypeId>, Vec<TypeId>)> {
        self.parser.function_type()
    }

    fn result_types(&mut self, _: &[TypeId]) -> Parsed<Vec<TypeId>> {
        self.parser.result_types()
    }

    fn all_results(&self) -> Self::Types {
        &[]
    }

    fn read_types(&mut self, of: Values) -> Vec<TypeId> {
        self.custom.types_mut(of).and_then(|types| types.clone()).unwrap_or_default()
    }

    fn set_types(&mut self, of: Values, types: Vec<TypeId>) {
        if let Some(slot) = self.custom.types_mut(of) {
            *slot = Some(types);
        }
    }

    fn same_count(&mut self, values: usize, types: usize) -> Parsed<()> {
        self.parser.same_count(self.pending, values, types)
    }

    fn signature(&mut self, _: &str) -> Parsed<Signature<Self>> {
        Ok(Signature::default())
    }

    fn part(&mut self, _: Option<&TypeId>) -> Parsed<Option<TypeId>> {
        self.parser.parse_type().map(Some)
    }

    fn is_part(&mut self, _: &TypeId, _: TypeId) -> bool {
        false
    }

    fn is_function(&self, _: &TypeId) -> bool {
        false
    }

    fn inner_type(&mut self, start: &str, r#type: TypeId) -> Parsed<Option<TypeId>> {
        let text = self.parser.whole_type(r#type)?;
        match text.strip_prefix(start).and_then(|text| text.strip_suffix('>')) {
            Some(inner) => self.parser.type_named(inner).map(Some),
            None => Ok(None),
        }
    }

    fn retyped(&mut self, start: &str, other: &str, r#type: TypeId) -> Parsed<Option<TypeId>> {
        let text = self.parser.whole_type(r#type)?;
        match text.strip_prefix(start) {
            Some(rest) => self.parser.type_named(&[other, rest].concat()).map(Some),
            None => Err(self.refuse(format!("the type is `{start}…>`"))),
        }
    }

    fn is_declared_pointer(&mut self, r#type: TypeId) -> Parsed<bool> {
        let definitions = self.parser.definitions.as_ref().map(|definitions| definitions.nearest());
        let text = self.parser.whole_type(r#type)?;
        let name = text.strip_prefix('!').map(|rest| rest.split('<').next().unwrap_or_default());
        let mut pointers = definitions.into_iter().flat_map(|definitions| definitions.pointers());
        Ok(name.is_some_and(|name| pointers.any(|known| known == name)))
    }

    fn declared_pointee(&mut self, pointer: TypeId) -> Parsed<Option<TypeId>> {
        Ok(self.parser.transformed("value", pointer)?.and_then(|types| types.first().copied()))
    }

    fn type_text(&self, r#type: TypeId) -> Option<String> {
        self.parser.whole_type(r#type).ok()
    }

    fn pointee(&mut self, pointer: TypeId) -> Parsed<Option<TypeId>> {
        self.parser.pointee(pointer)
    }

    fn pointer_to(&mut self, r#type: TypeId) -> Parsed<Option<TypeId>> {
        self.parser.pointer_to(r#type).map(Some)
    }

    fn pair_with_bit(&mut self, r#type: TypeId) -> Parsed<Option<TypeId>> {
        let inner = self.parser.text_in_llvm(r#type)?;
        self.parser.type_named(&format!("!llvm.struct<({inner}, i1)>")).map(Some)
    }

    fn vector_of(&mut self, sizes: &[i64], scalable: &[bool], element: TypeId) -> Parsed<Option<TypeId>> {
        self.parser.text.vector_of(sizes, scalable, element).map(Some)
    }

    fn with_element(&mut self, r#type: TypeId, element: TypeId) -> Parsed<Option<TypeId>> {
        Ok(Some(self.parser.text.with_element(r#type, element)?.unwrap_or(r#type)))
    }

    fn element_type(&mut self, r#type: TypeId) -> Parsed<Option<TypeId>> {
        self.parser.text.element_of(r#type)
    }

    fn repeated_type(&mut self, r#type: TypeId, count: usize) -> Parsed<Vec<TypeId>> {
        self.parser.list_of(r#type, count)
    }

    fn spirv_pointee(&mut self, _: Option<TypeId>) -> Parsed<Option<TypeId>> {
        self.parser.parse_type().map(Some)
    }

    fn spirv_element(&mut self, r#type: TypeId, place: usize) -> Parsed<Option<TypeId>> {
        let text = self.parser.whole_type(r#type)?;
        match element_text(&text, place) {
            Some(part) => self.parser.type_named(&part).map(Some),
            None => Ok(None),
        }
    }

    fn chain_element(&mut self, pointee: String, indices: &[Reference<'t>]) -> Parsed<Option<TypeId>> {
        self.parser.spirv_chain_element(self.pending, pointee, indices).map(Some)
    }

    fn needs_type(&mut self, r#type: TypeId) -> bool {
        // A shaped type of the dialect is a text, which has no class.
        self.is_tensor(r#type) || self.entries().builtin_kind(EntryRef::Type(r#type)) == BuiltinKind::NoneType
    }

    // ---- parts of directives ----

    fn dynamic_sizes(&mut self, r#type: TypeId, _: &[Reference<'t>]) -> Parsed<Vec<Reference<'t>>> {
        let expected = self.entries().dynamic_sizes(r#type);
        let parser = &mut *self.parser;
        if expected == Some(0) || expected.is_none() && parser.peek()?.kind != TokenKind::LeftBrace {
            return Ok(Vec::new());
        }
        parser.expect(TokenKind::LeftBrace, "`{` and the dynamic dimensions of the type")?;
        let values = parser.references()?;
        parser.expect(TokenKind::RightBrace, "`,` or `}` after a dimension")?;
        match expected.is_none_or(|expected| expected == values.len()) {
            true => Ok(values),
            false => {
                Err(self.refuse("the type has another number of dynamic dimensions than there are values"))
            }
        }
    }

    fn real_part(&mut self, complex: TypeId) -> Parsed<Option<TypeId>> {
        let element = self.parser.text.element_of(complex)?;
        let Some(part) = element.and_then(|element| self.entries().complex_part(element)) else {
            return Err(self.refuse("the elements of the result are not complex"));
        };
        self.parser.text.with_element(complex, part)
    }

    fn tensor_type(&mut self, _: Option<(&[i64], TypeId)>) -> Parsed<Option<TypeId>> {
        self.parser.parse_type().map(Some)
    }

    fn range_of(&mut self, r#type: TypeId) -> Parsed<Option<TypeId>> {
        let text = self.parser.whole_type(r#type)?;
        let inner = text.trim_start_matches("!pdl.range<").trim_start_matches("!pdl.");
        self.parser.type_named(&format!("!pdl.range<{}>", inner.trim_end_matches('>'))).map(Some)
    }

    fn bit_vector_width(&mut self, r#type: TypeId) -> Option<u64> {
        let text = self.parser.whole_type(r#type).ok()?;
        text.strip_prefix("!smt.bv<")?.strip_suffix('>')?.parse().ok()
    }

    fn resized_vector(&mut self, _: &[TypeId], source: TypeId, count: usize) -> Parsed<Option<TypeId>> {
        let count = i64::try_from(count).unwrap_or(i64::MAX);
        match self.parser.text.with_first_dimension(source, count)? {
            Some(r#type) => Ok(Some(r#type)),
            None => self.parser.resized_llvm_vector(source, count),
        }
    }

    fn member_type(&mut self, container: TypeId, position: AttrId) -> Parsed<Option<TypeId>> {
        self.parser.member_type(self.pending, container, position).map(Some)
    }

    fn set_operand_types(&mut self, first: TypeId, others: TypeId) {
        let mut types = same_types(others, self.custom.all_operands.as_ref().map_or(0, Vec::len));
        if let Some(own) = types.first_mut() {
            *own = first;
        }
        self.custom.all_operand_types = Some(types);
    }
}
