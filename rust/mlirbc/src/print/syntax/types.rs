//! Implements [`TypeSyntax`] for the printer: types of operands and results.

use crate::assembly::{Direction, Signature, TypeSyntax, Values};
use crate::attr::EntryValues;
use crate::dialect::table::BuiltinKind;
use crate::format::id::{AttrId, TypeId};
use crate::ir::ValueId;

use super::super::dialects::util::dimensions;
use super::super::draft::{Container, Dimension, OperationDraft, array, levels};
use super::super::plan::PlanPiece;
use super::{Generic, SignatureType, Written, known};

impl OperationDraft<'_, '_, '_> {
    // Notes a type that a parser infers from the rest of the text, and that is another one.
    fn infers(&mut self, is_inferred: bool) {
        if !is_inferred {
            self.lost.get_or_insert("a type that differs from the inferred one");
        }
    }
}

impl<'m> TypeSyntax for OperationDraft<'_, 'm, '_> {
    fn r#type(&mut self, r#type: Option<TypeId>) -> Result<TypeId, Generic> {
        self.put_piece(r#type, PlanPiece::Type)
    }

    fn types(&mut self, types: &[TypeId]) -> Result<Vec<TypeId>, Generic> {
        OperationDraft::types(self, types);
        Ok(types.to_vec())
    }

    fn function_type(
        &mut self,
        inputs: &[TypeId],
        results: &[TypeId],
    ) -> Result<(Vec<TypeId>, Vec<TypeId>), Generic> {
        OperationDraft::text(self, "(");
        OperationDraft::types(self, inputs);
        OperationDraft::text(self, ") -> ");
        Ok((inputs.to_vec(), self.result_types(results)?))
    }

    fn result_types(&mut self, types: &[TypeId]) -> Result<Vec<TypeId>, Generic> {
        // A single type that is not a function type needs no parentheses.
        match *types {
            [only] if !self.plain.needs_parentheses(only) => OperationDraft::r#type(self, only),
            _ => {
                OperationDraft::text(self, "(");
                OperationDraft::types(self, types);
                OperationDraft::text(self, ")");
            }
        }
        Ok(types.to_vec())
    }

    fn all_results(&self) -> &'m [TypeId] {
        OperationDraft::all_results(self)
    }

    fn known_types(&mut self, of: Values) -> Result<Vec<TypeId>, Generic> {
        let range = known(self.range_of(of))?;
        match of {
            Values::Operand(_) | Values::AllOperands => {
                Ok(self.operand_types(known(OperationDraft::all_operands(self).get(range))?))
            }
            Values::Result(_) | Values::AllResults => {
                Ok(known(OperationDraft::all_results(self).get(range))?.to_vec())
            }
        }
    }

    fn signature(&mut self, name: &str) -> Result<Signature<Self>, Generic> {
        let attribute = known(OperationDraft::attr(self, name))?;
        let r#type = known(self.file.type_in(AttrId::new(attribute)))?;
        if let Some((inputs, results)) = self.file.function_parts(r#type) {
            let entries = |types: Vec<TypeId>| types.into_iter().map(SignatureType::Entry).collect();
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

    fn part(&mut self, part: Option<&SignatureType<'m>>) -> Result<Option<TypeId>, Generic> {
        match known(part)? {
            SignatureType::Entry(index) => OperationDraft::r#type(self, *index),
            part => known(part.part())?.write(self),
        }
        Ok(None)
    }

    fn is_part(&mut self, part: &SignatureType<'m>, r#type: TypeId) -> bool {
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

    fn implies(&mut self, types: &[TypeId], text: &str) {
        let is_inferred = types.iter().all(|&index| self.is_constant_type(index, text));
        self.infers(is_inferred);
    }

    fn implies_same(&mut self, types: &[TypeId], printed: TypeId) {
        let is_inferred = types.iter().all(|&index| OperationDraft::is_same_type(self, index, printed));
        self.infers(is_inferred);
    }

    fn implies_computed(&mut self, types: &[TypeId], source: TypeId, function: &str) {
        let is_inferred = match function {
            "same" => types.iter().all(|&index| OperationDraft::is_same_type(self, index, source)),
            "element" | "elements" | "value" | "element_or_self" => {
                let element = OperationDraft::element_type(self, source);
                let element = element.map(TypeId::new).or((function == "element_or_self").then_some(source));
                let Some(element) = element else { return };
                types.iter().all(|&index| OperationDraft::is_same_type(self, index, element))
            }
            // A type that is too long to be compared is not known to be another one.
            _ => {
                let Some(text) = self.computed_type(source, function) else { return };
                types.iter().all(|&index| self.is_constant_type(index, &text))
            }
        };
        self.infers(is_inferred);
    }

    fn check_references(&mut self, name: &str) -> Written {
        let (inputs, _) = self.known_function(name)?;
        let arguments = known(self.regions())?.argument_types(0);
        if arguments.len() != inputs.len() {
            self.lose("the types of its arguments");
        }
        for (&argument, input) in arguments.iter().zip(inputs) {
            let parts = self.parameters(argument, "wasmssa");
            let target = parts.as_deref().and_then(<[_]>::first);
            let is_reference = target.is_some_and(|part| OperationDraft::is_part(self, part, input));
            self.infers(is_reference);
        }
        Ok(())
    }

    fn is_declared_pointer(&mut self, r#type: TypeId) -> Result<bool, Generic> {
        Ok(self.declared_pointer(r#type).is_some())
    }

    fn is_declared_pointee(&mut self, pointer: TypeId, r#type: TypeId) -> bool {
        let Some(name) = self.declared_pointer(pointer) else { return false };
        let parameters = self.parameters(pointer, name);
        let pointee = parameters.as_deref().and_then(|parts| parts.first());
        pointee.is_some_and(|pointee| OperationDraft::is_part(self, pointee, r#type))
    }

    fn long_type_text(&mut self, r#type: TypeId) -> Option<String> {
        String::from_utf8(OperationDraft::printed_type(self, r#type)).ok()
    }

    fn is_function_of(&mut self, r#type: TypeId, inputs: &[TypeId], results: &[TypeId]) -> bool {
        let Some((own_inputs, own_results)) = self.file.function_parts(r#type) else {
            return false;
        };
        let mut is_same = |own: &[TypeId], others: &[TypeId]| {
            own.len() == others.len()
                && own.iter().zip(others).all(|(&own, &other)| self.is_same_type(own, other))
        };
        is_same(&own_inputs, inputs) && is_same(&own_results, results)
    }

    fn memref_rank(&mut self, r#type: TypeId) -> Option<usize> {
        self.shaped(r#type).filter(|shaped| shaped.container == Container::MemRef)?.rank
    }

    fn iteration_levels(&mut self, r#type: TypeId) -> Option<i64> {
        levels(self.parameters(r#type, "sparse_tensor.iter_space")?.last()?.text())
    }

    fn constant(&mut self, value: ValueId) -> Option<i64> {
        OperationDraft::constant(self, value)
    }

    fn pointee_of(&mut self, pointer: Option<TypeId>) -> Written {
        let parts = known(self.parameters(TypeId::new(known(pointer)?.number()), "llvm.ptr"))?;
        known(parts.first())?.write(self);
        Ok(())
    }

    fn is_opaque_pointer(&mut self, pointer: TypeId) -> bool {
        self.is_dialect_type(pointer, "llvm.ptr")
            && match self.parameters(pointer, "llvm.ptr").as_deref() {
                // The address space stands alone.
                Some([space]) => space.as_integer().is_some(),
                Some([]) | None => true,
                Some(_) => false,
            }
    }

    fn is_dialect_type(&self, r#type: TypeId, name: &str) -> bool {
        OperationDraft::is_dialect_type(self, r#type, name)
    }

    fn llvm_string_length(&mut self, r#type: TypeId) -> Option<u64> {
        let parts = self.parameters(r#type, "llvm.array")?;
        let [only] = &parts[..] else { return None };
        array(only.text()).filter(|(_, element)| *element == "i8").map(|(length, _)| length)
    }

    fn element_type(&mut self, r#type: TypeId) -> Result<Option<TypeId>, Generic> {
        Ok(OperationDraft::element_type(self, r#type).map(TypeId::new))
    }

    fn known_function(&mut self, name: &str) -> Result<(Vec<TypeId>, Vec<TypeId>), Generic> {
        let attribute = known(OperationDraft::attr(self, name))?;
        let r#type = known(self.file.type_in(AttrId::new(attribute)))?;
        known(self.file.function_parts(r#type))
    }

    fn is_same_type(&mut self, left: TypeId, right: TypeId) -> bool {
        OperationDraft::is_same_type(self, left, right)
    }

    fn tuple_len(&mut self, r#type: TypeId) -> Option<usize> {
        if self.builtin_type(r#type) != BuiltinKind::TupleType {
            return None;
        }
        if let Some(len) = self.views.tuples.get(&r#type) {
            return *len;
        }
        let len = self.tuple_parts(r#type).map(|parts| parts.len());
        self.views.tuples.insert(r#type, len);
        len
    }

    fn storage_class(&mut self, pointer: ValueId) -> Option<String> {
        Some(self.spirv_pointer(self.body.type_of(pointer))?.storage_class().to_owned())
    }

    fn spirv_pointee(&mut self, pointer: Option<TypeId>) -> Result<Option<TypeId>, Generic> {
        let pointer = known(pointer)?;
        known(self.spirv_pointer(pointer))?.pointee().write(self);
        Ok(None)
    }

    fn needs_type(&mut self, r#type: TypeId) -> bool {
        self.is_tensor(r#type)
    }

    // ---- parts of directives ----

    fn dynamic_sizes(&mut self, r#type: TypeId, sizes: &[ValueId]) -> Result<Vec<ValueId>, Generic> {
        let later_sizes = known(dimensions(self, r#type, sizes))?;
        Ok(sizes.iter().take(sizes.len() - later_sizes.len()).copied().collect())
    }

    fn takes_size(&self, r#type: TypeId) -> bool {
        self.is_dialect_type(r#type, "stream.resource")
    }

    fn is_list_of(&mut self, list: TypeId, element: TypeId) -> Result<bool, Generic> {
        let parts = known(self.parameters(list, "util.list"))?;
        Ok(matches!(&parts[..], [only] if OperationDraft::is_part(self, only, element)))
    }

    fn is_tensor_of(&mut self, r#type: TypeId, sizes: &[i64], element: TypeId) -> bool {
        OperationDraft::is_tensor_of(self, r#type, sizes, element)
    }

    fn is_real_part(&mut self, real: TypeId, complex: TypeId) -> bool {
        let part = OperationDraft::element_type(self, complex)
            .and_then(|element| self.file.complex_part(TypeId::new(element)));
        let is_part = part.zip(OperationDraft::element_type(self, real));
        is_part.is_some_and(|(part, element)| OperationDraft::is_same_type(self, part, TypeId::new(element)))
            && self.is_tensor(real)
            && self.is_tensor(complex)
            && self.shape(real) == self.shape(complex)
    }

    fn tensor_type(&mut self, parts: Option<(&[i64], TypeId)>) -> Result<Option<TypeId>, Generic> {
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

    fn bit_vector_width(&mut self, r#type: TypeId) -> Option<u64> {
        self.parameters(r#type, "smt.bv")?.first()?.as_integer()
    }

    fn resized_vector(
        &mut self,
        types: &[TypeId],
        source: TypeId,
        count: usize,
    ) -> Result<Option<TypeId>, Generic> {
        let source = self.shaped(source).filter(|shaped| shaped.container == Container::Vector);
        if let Some((shaped, first)) = source.and_then(|shaped| Some((shaped, shaped.first?))) {
            let size = known(i64::try_from(count).ok())?;
            let first = Dimension { size, ..first };
            let is_inferred = types.iter().all(|&index| {
                self.shaped(index).is_some_and(|other| {
                    (other.container, other.rank, other.first) == (Container::Vector, Some(1), Some(first))
                        && OperationDraft::is_same_type(
                            self,
                            TypeId::new(other.element),
                            TypeId::new(shaped.element),
                        )
                })
            });
            self.infers(is_inferred);
        }
        Ok(None)
    }

    fn implies_pointee(&mut self, types: &[TypeId], pointer: TypeId) {
        let is_inferred = match self.spirv_pointer(pointer) {
            Some(pointer) => {
                types.iter().all(|&index| OperationDraft::is_part(self, pointer.pointee(), index))
            }
            None => false,
        };
        self.infers(is_inferred);
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
