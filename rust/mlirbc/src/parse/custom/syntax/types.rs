//! How the parser reads it: types of operands and results.

use crate::assembly::{Direction, Signature, TypeSyntax, Values};
use crate::attr::text::dense::Element;
use crate::attr::text::parse::Parsed;
use crate::dialect::entries::EntryRef;

use super::super::super::operands::Reference;
use super::super::parts::same_types;
use super::super::spirv::element_text;
use super::FormReader;

impl<'t> TypeSyntax for FormReader<'_, 't> {
    fn r#type(&mut self, _: Option<u32>) -> Parsed<u32> {
        self.parser.parse_type()
    }

    fn types(&mut self, _: &[u32]) -> Parsed<Vec<u32>> {
        self.parser.type_list()
    }

    fn function_type(&mut self, _: &[u32], _: &[u32]) -> Parsed<(Vec<u32>, Vec<u32>)> {
        self.parser.function_type()
    }

    fn result_types(&mut self, _: &[u32]) -> Parsed<Vec<u32>> {
        self.parser.result_types()
    }

    fn all_results(&self) -> Self::Types {
        &[]
    }

    fn set_types(&mut self, of: Values, types: Vec<u32>) {
        if let Some(slot) = self.slot(of) {
            *slot = Some(types);
        }
    }

    fn named_type(&mut self, text: &str) -> Parsed<Option<u32>> {
        self.parser.type_named(text).map(Some)
    }

    fn same_count(&mut self, values: usize, types: usize) -> Parsed<()> {
        self.parser.same_count(self.pending, values, types)
    }

    fn signature(&mut self, _: &str) -> Parsed<Signature<Self>> {
        Ok(Signature::default())
    }

    fn part(&mut self, _: Option<&u32>) -> Parsed<Option<u32>> {
        self.parser.parse_type().map(Some)
    }

    fn is_part(&mut self, _: &u32, _: u32) -> bool {
        false
    }

    fn is_function(&self, _: &u32) -> bool {
        false
    }

    fn inner_type(&mut self, start: &str, r#type: u32) -> Parsed<Option<u32>> {
        let text = self.parser.whole_type(r#type)?;
        match text.strip_prefix(start).and_then(|text| text.strip_suffix('>')) {
            Some(inner) => self.parser.type_named(inner).map(Some),
            None => Ok(None),
        }
    }

    fn retyped(&mut self, start: &str, other: &str, r#type: u32) -> Parsed<Option<u32>> {
        let text = self.parser.whole_type(r#type)?;
        match text.strip_prefix(start) {
            Some(rest) => self.parser.type_named(&[other, rest].concat()).map(Some),
            None => Err(self.refuse(format!("the type is `{start}…>`"))),
        }
    }

    fn is_declared_pointer(&mut self, r#type: u32) -> Parsed<bool> {
        let definitions = self.parser.definitions.as_ref().map(|definitions| definitions.nearest());
        let text = self.parser.whole_type(r#type)?;
        let name = text.strip_prefix('!').map(|rest| rest.split('<').next().unwrap_or_default());
        let mut pointers = definitions.into_iter().flat_map(|definitions| definitions.pointers());
        Ok(name.is_some_and(|name| pointers.any(|known| known == name)))
    }

    fn declared_pointee(&mut self, pointer: u32) -> Parsed<Option<u32>> {
        Ok(self.parser.transformed("value", pointer)?.and_then(|types| types.first().copied()))
    }

    fn type_text(&self, r#type: u32) -> Option<String> {
        self.parser.whole_type(r#type).ok()
    }

    fn number_type(&self, r#type: u32) -> Option<Element> {
        self.parser.text.element(r#type)
    }

    fn vector_parts(&mut self, r#type: u32) -> Option<(Vec<i64>, Vec<bool>, u32)> {
        self.parser.text.vector_parts(r#type)
    }

    fn pointee(&mut self, pointer: u32) -> Parsed<Option<u32>> {
        self.parser.pointee(pointer)
    }

    fn pointer_to(&mut self, r#type: u32) -> Parsed<Option<u32>> {
        self.parser.pointer_to(r#type).map(Some)
    }

    fn pair_with_bit(&mut self, r#type: u32) -> Parsed<Option<u32>> {
        let inner = self.parser.text_in_llvm(r#type)?;
        self.parser.type_named(&format!("!llvm.struct<({inner}, i1)>")).map(Some)
    }

    fn is_ranked_tensor(&self, r#type: u32) -> bool {
        self.parser.is_ranked_tensor(r#type)
    }

    fn rank_of(&self, r#type: u32) -> Option<usize> {
        self.parser.text.shape_of(r#type).map(|shape| shape.len())
    }

    fn vector_of(&mut self, sizes: &[i64], scalable: &[bool], element: u32) -> Parsed<Option<u32>> {
        self.parser.text.vector_of(sizes, scalable, element).map(Some)
    }

    fn with_element(&mut self, r#type: u32, element: u32) -> Parsed<Option<u32>> {
        Ok(Some(self.parser.text.with_element(r#type, element)?.unwrap_or(r#type)))
    }

    fn is_index(&self, _: u32) -> bool {
        false
    }

    fn element_type(&mut self, r#type: u32) -> Parsed<Option<u32>> {
        self.parser.text.element_of(r#type)
    }

    fn set_all_results(&mut self, types: Vec<u32>) {
        self.custom.all_result_types = Some(types);
    }

    fn repeated_type(&mut self, r#type: u32, count: usize) -> Parsed<Vec<u32>> {
        self.parser.list_of(r#type, count)
    }

    fn tuple_parts(&mut self, r#type: u32) -> Option<Vec<u32>> {
        self.parser.text.tuple_parts(r#type)
    }

    fn shaped_type(&mut self, _: Option<u32>, _: &[Reference<'t>]) -> Parsed<(u32, Vec<Reference<'t>>)> {
        let mut sizes = Vec::new();
        let r#type = self.parser.shaped_type(self.pending, &mut sizes)?;
        Ok((r#type, sizes))
    }

    fn spirv_pointee(&mut self, _: Option<u32>) -> Parsed<Option<u32>> {
        self.parser.parse_type().map(Some)
    }

    fn spirv_element(&mut self, r#type: u32, place: usize) -> Parsed<Option<u32>> {
        let text = self.parser.whole_type(r#type)?;
        match element_text(&text, place) {
            Some(part) => self.parser.type_named(&part).map(Some),
            None => Ok(None),
        }
    }

    fn chain_element(&mut self, pointer: u32, indices: &[Reference<'t>]) -> Parsed<Option<u32>> {
        self.parser.spirv_chain_element(self.pending, pointer, indices).map(Some)
    }

    fn needs_type(&mut self, r#type: u32) -> bool {
        let class = self.parser.text.class_of(EntryRef::Type(r#type));
        // A shaped type of the dialect is a text, which has no class.
        class.is_some_and(|class| class == "NoneType" || class.contains("Tensor"))
    }

    // ---- parts of directives ----

    fn dynamic_sizes(&mut self, r#type: u32, _: &[Reference<'t>]) -> Parsed<Vec<Reference<'t>>> {
        let mut sizes = Vec::new();
        self.parser.dimensions(self.pending, r#type, &mut sizes)?;
        Ok(sizes)
    }

    fn is_memref(&mut self, r#type: u32) -> bool {
        let class = self.parser.text.class_of(EntryRef::Type(r#type));
        class.is_some_and(|class| class.contains("MemRefType"))
    }

    fn real_part(&mut self, complex: u32) -> Parsed<Option<u32>> {
        let element = self.parser.text.element_of(complex)?;
        let element = element.map(|element| self.parser.whole_type(element)).transpose()?;
        let part = element.as_deref().and_then(|text| text.strip_prefix("complex<")?.strip_suffix('>'));
        let Some(part) = part else {
            return Err(self.refuse("the elements of the result are not complex"));
        };
        let part = self.parser.type_named(part)?;
        self.parser.text.with_element(complex, part)
    }

    fn tensor_type(&mut self, _: Option<(&[i64], u32)>) -> Parsed<Option<u32>> {
        self.parser.parse_type().map(Some)
    }

    fn shape_and_element(&mut self, r#type: u32) -> Parsed<Option<(Vec<i64>, u32)>> {
        let element = self.parser.text.element_of(r#type)?;
        Ok(self.parser.text.shape_of(r#type).zip(element))
    }

    fn range_of(&mut self, r#type: u32) -> Parsed<Option<u32>> {
        let text = self.parser.whole_type(r#type)?;
        let inner = text.trim_start_matches("!pdl.range<").trim_start_matches("!pdl.");
        self.parser.type_named(&format!("!pdl.range<{}>", inner.trim_end_matches('>'))).map(Some)
    }

    fn bit_vector_width(&mut self, r#type: u32) -> Option<u64> {
        let text = self.parser.whole_type(r#type).ok()?;
        text.strip_prefix("!smt.bv<")?.strip_suffix('>')?.parse().ok()
    }

    fn resized_vector(&mut self, _: &[u32], source: u32, count: usize) -> Parsed<Option<u32>> {
        let count = i64::try_from(count).unwrap_or(i64::MAX);
        match self.parser.text.with_first_dimension(source, count)? {
            Some(r#type) => Ok(Some(r#type)),
            None => self.parser.resized_llvm_vector(source, count),
        }
    }

    fn member_type(&mut self, container: u32, position: u32) -> Parsed<Option<u32>> {
        self.parser.member_type(self.pending, container, position).map(Some)
    }

    fn set_operand_types(&mut self, first: u32, others: u32) {
        let operands = self.custom.all_operands.as_deref().unwrap_or_default();
        let mut types = same_types(others, operands);
        if let Some(own) = types.first_mut() {
            *own = first;
        }
        self.custom.all_operand_types = Some(types);
    }
}
