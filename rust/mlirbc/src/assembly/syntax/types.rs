//! Types of operands and results.

use crate::attr::EntryValues;
use crate::attr::text::dense::{self, Element};
use crate::dialect::entries::EntryRef;
use crate::dialect::table::BuiltinKind;
use crate::format::id::{AttrId, TypeId};

use super::{Direction, FunctionTypes, ShapedType, Signature, Values, Written};

/// Steps that write or read types, and questions about types.
pub(crate) trait TypeSyntax: Direction<Attribute = AttrId, Type = TypeId> {
    fn r#type(&mut self, known: Option<Self::Type>) -> Result<Self::Type, Self::Error>;
    /// Types with commas between them, at least one.
    fn types(&mut self, known: &[Self::Type]) -> Result<Vec<Self::Type>, Self::Error>;
    /// `(a, b) -> c`
    fn function_type(
        &mut self,
        inputs: &[Self::Type],
        results: &[Self::Type],
    ) -> Result<FunctionTypes<Self>, Self::Error>;
    /// A type, or several in parentheses.
    fn result_types(&mut self, known: &[Self::Type]) -> Result<Vec<Self::Type>, Self::Error>;
    /// The types of results that are known.
    fn all_results(&self) -> Self::Types;
    /// The types that are known.
    fn known_types(&mut self, _of: Values) -> Result<Vec<Self::Type>, Self::Error> {
        Ok(Vec::new())
    }
    /// The types that were read.
    fn read_types(&mut self, _of: Values) -> Vec<Self::Type> {
        Vec::new()
    }
    /// Sets the types of operands or results.
    fn set_types(&mut self, _of: Values, _types: Vec<Self::Type>) {}
    /// Checks that there is one type for each value that was read.
    fn same_count(&mut self, _values: usize, _types: usize) -> Written<Self> {
        Ok(())
    }
    /// The inputs and results of the type in an attribute that are known, and whether more inputs may follow.
    fn signature(&mut self, name: &str) -> Result<Signature<Self>, Self::Error>;
    /// A type of a signature; `None` when an operation is printed.
    fn part(&mut self, known: Option<&Self::SignaturePart>) -> Result<Option<Self::Type>, Self::Error>;
    /// Whether a part of a signature is a type.
    fn is_part(&mut self, part: &Self::SignaturePart, r#type: Self::Type) -> bool;
    /// Whether a result of a signature is a function type, which needs parentheses.
    fn is_function(&self, part: &Self::SignaturePart) -> bool;
    /// Notes if one of the types is not the one that the text stands for.
    fn implies(&mut self, _types: &[Self::Type], _text: &str) {}
    /// Notes if one of the types is not this one, which is printed.
    fn implies_same(&mut self, _types: &[Self::Type], _printed: Self::Type) {}
    /// Notes if one of the types is not the one that a function computes from another type.
    fn implies_computed(&mut self, _types: &[Self::Type], _source: Self::Type, _function: &str) {}
    /// Notes arguments of a function that are not references to variables of its inputs.
    fn check_references(&mut self, _name: &str) -> Written<Self> {
        Ok(())
    }
    /// The type in a type whose text begins like this, when a text is read.
    fn inner_type(&mut self, _start: &str, _type: Self::Type) -> Result<Option<Self::Type>, Self::Error> {
        Ok(None)
    }
    /// A type whose text begins in another way, when a text is read.
    fn retyped(
        &mut self,
        _start: &str,
        _other: &str,
        _type: Self::Type,
    ) -> Result<Option<Self::Type>, Self::Error> {
        Ok(None)
    }
    /// The text of a type that was read.
    fn type_text(&self, _type: Self::Type) -> Option<String> {
        None
    }
    /// Whether a project declares that a type points to its first parameter.
    fn is_declared_pointer(&mut self, _type: Self::Type) -> Result<bool, Self::Error>;
    /// The first parameter of such a pointer, when a text is read.
    fn declared_pointee(&mut self, _pointer: Self::Type) -> Result<Option<Self::Type>, Self::Error> {
        Ok(None)
    }
    /// Whether a known type is the first parameter of such a pointer.
    fn is_declared_pointee(&mut self, _pointer: Self::Type, _type: Self::Type) -> bool {
        false
    }
    /// The text of a type that is known, of any usual length.
    fn long_type_text(&mut self, _type: Self::Type) -> Option<String> {
        None
    }
    /// Whether a known type is the one of functions with these inputs and results.
    fn is_function_of(&mut self, _type: Self::Type, _inputs: &[Self::Type], _results: &[Self::Type]) -> bool {
        true
    }
    /// The kind of numbers that a builtin type is.
    fn number_type(&self, r#type: TypeId) -> Option<Element> {
        self.entries().number_type(r#type)
    }
    /// Whether a type is a tensor, with a rank or without.
    fn is_tensor(&self, r#type: TypeId) -> bool {
        let kind = self.entries().builtin_kind(EntryRef::Type(r#type));
        matches!(kind, BuiltinKind::RankedTensorType | BuiltinKind::UnrankedTensorType)
    }
    /// Whether a type is a tensor with a rank.
    fn is_ranked_tensor(&self, r#type: TypeId) -> bool {
        self.entries().builtin_kind(EntryRef::Type(r#type)) == BuiltinKind::RankedTensorType
    }
    /// Whether a type is a memref, with a rank or without.
    fn is_memref(&self, r#type: TypeId) -> bool {
        let kind = self.entries().builtin_kind(EntryRef::Type(r#type));
        matches!(kind, BuiltinKind::MemRefType | BuiltinKind::UnrankedMemRefType)
    }
    /// The sizes of a vector, whether each size is scalable, and the type of the elements.
    fn vector_parts(&self, r#type: TypeId) -> Option<(Vec<i64>, Vec<bool>, TypeId)> {
        self.entries().vector_parts(r#type)
    }
    /// The number of dimensions of a shaped type.
    fn rank_of(&self, r#type: TypeId) -> Option<usize> {
        dense::shape(self.entries(), r#type).map(|shape| shape.len())
    }
    /// The sizes of a shaped type, and the type of its elements.
    fn shape_and_element(&mut self, r#type: TypeId) -> Result<Option<(Vec<i64>, TypeId)>, Self::Error> {
        let element = self.element_type(r#type)?;
        Ok(dense::shape(self.entries(), r#type).zip(element))
    }
    /// The number of dimensions of a memref that is known.
    fn memref_rank(&mut self, _type: Self::Type) -> Option<usize> {
        None
    }
    /// The number of levels of a space of iterations that is known.
    fn iteration_levels(&mut self, _type: Self::Type) -> Option<i64> {
        None
    }
    /// The value of an integer constant that defines an operand.
    fn constant(&mut self, _value: Self::Value) -> Option<i64> {
        None
    }
    /// Writes the pointee of a pointer of LLVM.
    fn pointee_of(&mut self, _pointer: Option<Self::Type>) -> Written<Self> {
        Ok(())
    }
    /// The pointee of a pointer of LLVM that was read.
    fn pointee(&mut self, _pointer: Self::Type) -> Result<Option<Self::Type>, Self::Error> {
        Ok(None)
    }
    /// A pointer of LLVM to a type that was read.
    fn pointer_to(&mut self, _type: Self::Type) -> Result<Option<Self::Type>, Self::Error> {
        Ok(None)
    }
    /// A structure of LLVM with a type that was read and one bit.
    fn pair_with_bit(&mut self, _type: Self::Type) -> Result<Option<Self::Type>, Self::Error> {
        Ok(None)
    }
    fn is_opaque_pointer(&mut self, _pointer: Self::Type) -> bool {
        false
    }
    /// Whether a known type is `!name`, with parameters or without.
    fn is_dialect_type(&self, _type: Self::Type, _name: &str) -> bool {
        false
    }
    /// The length of `!llvm.array<4 x i8>`.
    fn llvm_string_length(&mut self, _type: Self::Type) -> Option<u64> {
        None
    }
    /// A vector with these sizes, when a text is read.
    fn vector_of(
        &mut self,
        _sizes: &[i64],
        _scalable: &[bool],
        _element: Self::Type,
    ) -> Result<Option<Self::Type>, Self::Error> {
        Ok(None)
    }
    /// A shaped type with other elements, when a text is read.
    fn with_element(
        &mut self,
        _type: Self::Type,
        _element: Self::Type,
    ) -> Result<Option<Self::Type>, Self::Error> {
        Ok(None)
    }
    fn is_index(&self, r#type: TypeId) -> bool {
        self.number_type(r#type) == Some(Element::Index)
    }
    /// The type of the elements of a builtin shaped type.
    fn element_type(&mut self, r#type: Self::Type) -> Result<Option<Self::Type>, Self::Error>;

    /// The inputs and results of the function type in an attribute that are known.
    fn known_function(&mut self, _name: &str) -> Result<FunctionTypes<Self>, Self::Error> {
        Ok((Vec::new(), Vec::new()))
    }
    /// Sets the types of all results, in the order of the definition.
    fn set_all_results(&mut self, types: Vec<Self::Type>) {
        self.set_types(Values::AllResults, types);
    }
    /// A type for each of so many results, when a text is read.
    fn repeated_type(&mut self, _type: Self::Type, _count: usize) -> Result<Vec<Self::Type>, Self::Error> {
        Ok(Vec::new())
    }
    /// Whether known types are the same.
    fn is_same_type(&mut self, _left: Self::Type, _right: Self::Type) -> bool {
        false
    }
    /// The types of a tuple.
    fn tuple_parts(&self, r#type: TypeId) -> Option<Vec<TypeId>> {
        self.entries().tuple_parts(r#type)
    }
    /// How many types a known tuple has.
    fn tuple_len(&mut self, _type: Self::Type) -> Option<usize> {
        None
    }
    /// A type, and the values of its dynamic dimensions in braces; the printer takes the first values that it knows.
    fn shaped_type(
        &mut self,
        known: Option<Self::Type>,
        sizes: &[Self::Value],
    ) -> Result<ShapedType<Self>, Self::Error> {
        let r#type = self.r#type(known)?;
        Ok((r#type, self.dynamic_sizes(r#type, sizes)?))
    }
    /// The storage class of a pointer of SPIR-V that is known.
    fn storage_class(&mut self, _pointer: Self::Value) -> Option<String> {
        None
    }
    /// The pointee of a pointer of SPIR-V; `None` when an operation is printed.
    fn spirv_pointee(&mut self, pointer: Option<Self::Type>) -> Result<Option<Self::Type>, Self::Error>;
    /// An element of a type of SPIR-V that was read.
    fn spirv_element(&mut self, _type: Self::Type, _place: usize) -> Result<Option<Self::Type>, Self::Error> {
        Ok(None)
    }
    /// The type that indices select from a pointer of SPIR-V to a type with this text, when a text is read.
    fn chain_element(
        &mut self,
        _pointee: String,
        _indices: &[Self::Value],
    ) -> Result<Option<Self::Type>, Self::Error> {
        Ok(None)
    }
    /// Whether `spirv.Constant` has a type after a value of a type.
    fn needs_type(&mut self, r#type: Self::Type) -> bool;

    // ---- parts of directives ----

    /// The values of the dynamic dimensions of a type in braces; the printer takes the first values that it knows.
    fn dynamic_sizes(
        &mut self,
        r#type: Self::Type,
        known: &[Self::Value],
    ) -> Result<Vec<Self::Value>, Self::Error>;
    /// Whether values of a known type have a size beside them.
    fn takes_size(&self, _type: Self::Type) -> bool {
        false
    }
    /// Whether a known type is a list with this type of elements.
    fn is_list_of(&mut self, _list: Self::Type, _element: Self::Type) -> Result<bool, Self::Error> {
        Ok(false)
    }
    /// Whether a known type is a tensor with these sizes, of which dynamic ones are the least number.
    fn is_tensor_of(&mut self, _type: Self::Type, _sizes: &[i64], _element: Self::Type) -> bool {
        false
    }
    /// A tensor type with sizes, of which dynamic ones are -1, and a type of its elements.
    fn tensor_type(&mut self, known: Option<(&[i64], Self::Type)>)
    -> Result<Option<Self::Type>, Self::Error>;
    /// Whether a known tensor has the real parts of the elements of another one.
    fn is_real_part(&mut self, _real: Self::Type, _complex: Self::Type) -> bool {
        false
    }
    /// The tensor of the real parts of the elements of a tensor that was read.
    fn real_part(&mut self, _complex: Self::Type) -> Result<Option<Self::Type>, Self::Error> {
        Ok(None)
    }

    /// A range of PDL of a type that was read, or of its elements if it is one.
    fn range_of(&mut self, _type: Self::Type) -> Result<Option<Self::Type>, Self::Error> {
        Ok(None)
    }
    /// The width of a bit vector of SMT.
    fn bit_vector_width(&mut self, r#type: Self::Type) -> Option<u64>;
    /// A vector with another number of elements, when a text is read; notes known types that differ from it.
    fn resized_vector(
        &mut self,
        known: &[Self::Type],
        source: Self::Type,
        count: usize,
    ) -> Result<Option<Self::Type>, Self::Error>;
    /// The type at a position in an aggregate of LLVM that was read.
    fn member_type(
        &mut self,
        _container: Self::Type,
        _position: Self::Attribute,
    ) -> Result<Option<Self::Type>, Self::Error> {
        Ok(None)
    }
    /// Notes if one of the types is not the pointee of a pointer of SPIR-V, which is printed.
    fn implies_pointee(&mut self, _types: &[Self::Type], _pointer: Self::Type) {}
    /// Gives the first operand that was read its type, and the others another one.
    fn set_operand_types(&mut self, _first: Self::Type, _others: Self::Type) {}
}
