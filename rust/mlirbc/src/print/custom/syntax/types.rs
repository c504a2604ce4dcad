//! How the printer writes it: types of operands and results.

use crate::assembly::{Direction, Signature, TypeSyntax, Values};
use crate::attr::text::dense::Element;
use crate::dialect::table::BuiltinKind;
use crate::ir::ValueId;

use super::super::draft::{Container, Dimension, OperationDraft};
use super::super::util::dimensions;
use super::{Generic, SignatureType, Written, known};

impl<'m> TypeSyntax for OperationDraft<'_, 'm, '_> {
    fn r#type(&mut self, r#type: Option<u32>) -> Result<u32, Generic> {
        let r#type = known(r#type)?;
        OperationDraft::r#type(self, r#type);
        Ok(r#type)
    }

    fn types(&mut self, types: &[u32]) -> Result<Vec<u32>, Generic> {
        OperationDraft::types(self, types);
        Ok(types.to_vec())
    }

    fn function_type(&mut self, inputs: &[u32], results: &[u32]) -> Result<(Vec<u32>, Vec<u32>), Generic> {
        self.functional_type(inputs, results);
        Ok((inputs.to_vec(), results.to_vec()))
    }

    fn result_types(&mut self, types: &[u32]) -> Result<Vec<u32>, Generic> {
        OperationDraft::result_types(self, types);
        Ok(types.to_vec())
    }

    fn all_results(&self) -> &'m [u32] {
        OperationDraft::all_results(self)
    }

    fn set_types(&mut self, _: Values, _: Vec<u32>) {}

    fn named_type(&mut self, _: &str) -> Result<Option<u32>, Generic> {
        Ok(None)
    }

    fn signature(&mut self, name: &str) -> Result<Signature<Self>, Generic> {
        let attribute = known(OperationDraft::attr(self, name))?;
        let r#type = known(OperationDraft::type_in(self, attribute))?;
        if let Some((inputs, results)) = OperationDraft::function_type(self, r#type) {
            let entries = |types: Vec<u32>| types.into_iter().map(SignatureType::Entry).collect();
            return Ok(Signature { inputs: entries(inputs), is_variadic: false, results: entries(results) });
        }
        let text = match self.llvm_function(r#type) {
            Some(text) => text,
            None => known(self.spirv_graph(r#type))?,
        };
        let inputs = (0..text.inputs.len()).map(|place| SignatureType::Input(text.clone(), place));
        let results = (0..text.results.len()).map(|place| SignatureType::Result(text.clone(), place));
        Ok(Signature { inputs: inputs.collect(), is_variadic: text.is_variadic, results: results.collect() })
    }

    fn part(&mut self, part: Option<&SignatureType<'m>>) -> Result<Option<u32>, Generic> {
        match known(part)? {
            SignatureType::Entry(index) => OperationDraft::r#type(self, *index),
            part => known(part.part())?.write(self),
        }
        Ok(None)
    }

    fn is_part(&mut self, part: &SignatureType<'m>, r#type: u32) -> bool {
        match part {
            SignatureType::Entry(index) => self.is_same_type(*index, r#type),
            part => part.part().is_some_and(|part| OperationDraft::is_part(self, part, r#type)),
        }
    }

    fn is_function(&self, part: &SignatureType<'m>) -> bool {
        match part {
            SignatureType::Entry(index) => self.plain.needs_parentheses(*index),
            _ => false,
        }
    }

    fn implies(&mut self, types: &[u32], text: &str) {
        OperationDraft::implies(self, types, text);
    }

    fn implies_same(&mut self, types: &[u32], printed: u32) {
        OperationDraft::implies_same(self, types, printed);
    }

    fn check_references(&mut self, name: &str) -> Written {
        let attribute = known(OperationDraft::attr(self, name))?;
        let r#type = known(OperationDraft::type_in(self, attribute))?;
        let (inputs, _) = known(OperationDraft::function_type(self, r#type))?;
        let arguments = known(self.regions())?.argument_types(0);
        if arguments.len() != inputs.len() {
            self.lose("the types of its arguments");
        }
        for (&argument, input) in arguments.iter().zip(inputs) {
            self.implies_local_reference(argument, input);
        }
        Ok(())
    }

    fn is_declared_pointer(&mut self, r#type: u32) -> Result<bool, Generic> {
        Ok(self.declared_pointer(r#type).is_some())
    }

    fn is_declared_pointee(&mut self, pointer: u32, r#type: u32) -> bool {
        let Some(name) = self.declared_pointer(pointer) else { return false };
        let parameters = self.parameters(pointer, name);
        let pointee = parameters.as_deref().and_then(|parts| parts.first());
        pointee.is_some_and(|pointee| OperationDraft::is_part(self, pointee, r#type))
    }

    fn long_type_text(&mut self, r#type: u32) -> Option<String> {
        String::from_utf8(OperationDraft::printed_type(self, r#type)).ok()
    }

    fn is_function_of(&mut self, r#type: u32, inputs: &[u32], results: &[u32]) -> bool {
        let Some((own_inputs, own_results)) = OperationDraft::function_type(self, r#type) else {
            return false;
        };
        let mut is_same = |own: &[u32], others: &[u32]| {
            own.len() == others.len()
                && own.iter().zip(others).all(|(&own, &other)| self.is_same_type(own, other))
        };
        is_same(&own_inputs, inputs) && is_same(&own_results, results)
    }

    fn number_type(&self, r#type: u32) -> Option<Element> {
        OperationDraft::number_type(self, r#type)
    }

    fn vector_parts(&mut self, r#type: u32) -> Option<(Vec<i64>, Vec<bool>, u32)> {
        let shaped = self.shaped(r#type).filter(|shaped| shaped.container == Container::Vector)?;
        let (sizes, _) = self.shape(r#type)?;
        let is_scalable = shaped.first.is_some_and(|first| first.is_scalable);
        let scalable = sizes.iter().map(|_| is_scalable).collect();
        Some((sizes, scalable, shaped.element))
    }

    fn memref_rank(&mut self, r#type: u32) -> Option<usize> {
        self.shaped(r#type).filter(|shaped| shaped.container == Container::MemRef)?.rank
    }

    fn iteration_levels(&mut self, r#type: u32) -> Option<i64> {
        OperationDraft::iteration_levels(self, r#type)
    }

    fn constant(&mut self, value: ValueId) -> Option<i64> {
        OperationDraft::constant(self, value)
    }

    fn pointee_of(&mut self, pointer: Option<u32>) -> Written {
        let pointer = known(pointer)?;
        known(self.write_llvm_pointee(pointer))
    }

    fn is_opaque_pointer(&mut self, pointer: u32) -> bool {
        OperationDraft::is_opaque_pointer(self, pointer)
    }

    fn is_dialect_type(&self, r#type: u32, name: &str) -> bool {
        OperationDraft::is_dialect_type(self, r#type, name)
    }

    fn llvm_string_length(&mut self, r#type: u32) -> Option<u64> {
        OperationDraft::llvm_string_length(self, r#type)
    }

    fn is_index(&self, r#type: u32) -> bool {
        OperationDraft::is_index(self, r#type)
    }

    fn element_type(&mut self, r#type: u32) -> Result<Option<u32>, Generic> {
        Ok(OperationDraft::element_type(self, r#type))
    }

    fn known_function(&mut self, name: &str) -> Result<(Vec<u32>, Vec<u32>), Generic> {
        let attribute = known(OperationDraft::attr(self, name))?;
        let r#type = known(OperationDraft::type_in(self, attribute))?;
        known(OperationDraft::function_type(self, r#type))
    }

    fn is_same_type(&mut self, left: u32, right: u32) -> bool {
        OperationDraft::is_same_type(self, left, right)
    }

    fn tuple_len(&mut self, r#type: u32) -> Option<usize> {
        OperationDraft::tuple_len(self, r#type)
    }

    fn shaped_type(
        &mut self,
        r#type: Option<u32>,
        sizes: &[ValueId],
    ) -> Result<(u32, Vec<ValueId>), Generic> {
        let r#type = known(r#type)?;
        OperationDraft::r#type(self, r#type);
        let later_sizes = known(dimensions(self, r#type, sizes))?;
        Ok((r#type, sizes.iter().take(sizes.len() - later_sizes.len()).copied().collect()))
    }

    fn storage_class(&mut self, pointer: ValueId) -> Option<String> {
        Some(self.spirv_pointer(self.body.type_of(pointer))?.storage_class().to_owned())
    }

    fn spirv_pointee(&mut self, pointer: Option<u32>) -> Result<Option<u32>, Generic> {
        let pointer = known(pointer)?;
        known(self.spirv_pointer(pointer))?.pointee().write(self);
        Ok(None)
    }

    fn needs_type(&mut self, r#type: u32) -> bool {
        self.is_tensor(r#type)
    }

    // ---- parts of directives ----

    fn dynamic_sizes(&mut self, r#type: u32, sizes: &[ValueId]) -> Result<Vec<ValueId>, Generic> {
        let later_sizes = known(dimensions(self, r#type, sizes))?;
        Ok(sizes.iter().take(sizes.len() - later_sizes.len()).copied().collect())
    }

    fn is_memref(&mut self, r#type: u32) -> bool {
        self.shaped(r#type).is_some_and(|shaped| shaped.container == Container::MemRef)
    }

    fn takes_size(&self, r#type: u32) -> bool {
        OperationDraft::takes_size(self, r#type)
    }

    fn is_list_of(&mut self, list: u32, element: u32) -> Result<bool, Generic> {
        known(OperationDraft::is_list_of(self, list, element))
    }

    fn is_tensor_of(&mut self, r#type: u32, sizes: &[i64], element: u32) -> bool {
        OperationDraft::is_tensor_of(self, r#type, sizes, element)
    }

    fn is_real_part(&mut self, real: u32, complex: u32) -> bool {
        let part = OperationDraft::element_type(self, complex).and_then(|element| self.complex_part(element));
        let is_part = part.zip(OperationDraft::element_type(self, real));
        is_part.is_some_and(|(part, element)| OperationDraft::is_same_type(self, part, element))
            && self.is_tensor(real)
            && self.is_tensor(complex)
            && self.shape(real) == self.shape(complex)
    }

    fn tensor_type(&mut self, parts: Option<(&[i64], u32)>) -> Result<Option<u32>, Generic> {
        let (sizes, element) = known(parts)?;
        OperationDraft::text(self, "tensor<");
        for &size in sizes {
            match size {
                -1 => OperationDraft::text(self, "?"),
                size => self.number(size),
            }
            OperationDraft::text(self, "x");
        }
        OperationDraft::r#type(self, element);
        OperationDraft::text(self, ">");
        if !is_of_tensors(self.builtin_type(element)) {
            self.lose("that its type is not one of a tensor");
        }
        Ok(None)
    }

    fn is_tensor(&self, r#type: u32) -> bool {
        OperationDraft::is_tensor(self, r#type)
    }

    fn bit_vector_width(&mut self, r#type: u32) -> Option<u64> {
        OperationDraft::bit_vector_width(self, r#type)
    }

    fn resized_vector(&mut self, types: &[u32], source: u32, count: usize) -> Result<Option<u32>, Generic> {
        let source = self.shaped(source).filter(|shaped| shaped.container == Container::Vector);
        if let Some((shaped, first)) = source.and_then(|shaped| Some((shaped, shaped.first?))) {
            let size = known(i64::try_from(count).ok())?;
            self.implies_vector(types, Dimension { size, ..first }, shaped.element);
        }
        Ok(None)
    }

    fn implies_pointee(&mut self, types: &[u32], pointer: u32) {
        OperationDraft::implies_pointee(self, types, pointer);
    }
}

/// Whether a tensor can have elements of a builtin type.
fn is_of_tensors(kind: BuiltinKind) -> bool {
    !matches!(
        kind,
        BuiltinKind::RankedTensorType
            | BuiltinKind::UnrankedTensorType
            | BuiltinKind::MemRefType
            | BuiltinKind::UnrankedMemRefType
            | BuiltinKind::TupleType
            | BuiltinKind::NoneType
            | BuiltinKind::FunctionType
    )
}
