"""Names for the C++ expressions with which `TypesMatchWith` computes one type from another.

`rust/mlirbc/src/ops/infer.rs` implements each of them. An expression that is not listed has no name: the
type that it computes is not known, and an operation whose text leaves it out is neither printed nor read in
custom form.
"""

import re

# Matched after casts, namespaces and spaces have been removed.
NAMES = {
    "$_self": "same",
    "getUnaryOpResultType($_self)": "i1_same_shape",
    "memref::getTensorTypeFromMemRefType($_self)": "tensor_of_memref",
    "getTensorTypeFromMemRefType($_self)": "tensor_of_memref",
    "getVectorElementType($_self)": "element",
    "SmallVector<Type>($_self.getNumElements(),$_self.getElementType())": "elements",
    "$_self[0]": "same",
    "getI1SameShape($_self)": "i1_same_shape",
    "getMatchingBoolType($_self)": "i1_same_shape",
    "$_self.cloneWith({},IntegerType::get($_ctxt,1))": "i1_same_shape",
    "$_self.clone(IntegerType::get($_self.getContext(),1))": "i1_same_shape",
    "$_self.getPointeeType()": "pointee",
    "$_self.getElementType()": "element",
    "getElementTypeOrSelf($_self)": "element_or_self",
    "$_self.getRangeType()": "range",
    "$_self.getDomainType()": "domain",
    "$_self.getDomainTypes()": "domains",
    "$_self.getValueType()": "value",
    "$_self.getInputs()": "inputs",
    "$_self.getResults()": "results",
    "VectorType::get({$_self.getShape()[0]},IntegerType::get($_self.getContext(),1))": "vector_first_dim_i1",
    "IntegerType::get($_self.getContext(),($_self.getShape()[0]))": "integer_first_dim_bits",
    "VectorType(VectorType::Builder($_self).dropDim(0).setElementType(IntegerType::get($_self.getContext(),1)))": "drop_first_dim_i1",  # noqa: E501
    "VectorType(VectorType::Builder($_self).dropDim(0))": "drop_first_dim",
    "VectorType::get($_self.getShape().drop_front(),$_self.getElementType(),{true})": "drop_first_dim_scalable",  # noqa: E501
    "VectorType(VectorType::Builder($_self).setDim($_self.getRank()-1,16))": "last_dim_16",
    "$_self.scaleElementBitwidth(2)": "double_element_width",
    "VectorType::get({$_self.getShape()[0]/4},IntegerType::get($_self.getContext(),32))": "quarter_i32",
    "VectorType::get({$_self.getShape()[0]*4},IntegerType::get($_self.getContext(),8))": "fourfold_i8",
    "VectorType::get({$_self.getShape()[0]*2},BFloat16Type::get($_self.getContext()))": "twofold_bf16",
    "PointerType::get($_self.getValueType())": "emitc_pointer_of_value",
    "LValueType::get($_self.getPointee())": "emitc_lvalue_of_pointee",
    "getValAndBoolStructType($_self)": "llvm_struct_with_i1",
    "RangeType::get($_self)": "pdl_range",
    "getGetValueTypeOpValueType($_self)": "pdl_value_of_type",
    "PtrMetadataType::get($_self)": "ptr_metadata",
    "$_self.getImageType()": "sampled_image",
    "$_self.getImageType().getElementType()": "sampled_image_element",
    "SmallVector<Type,2>($_self.getNumElements(),$_self.getElementType())": "elements",
}

CAST = re.compile(r"(?:::)?(?:\w+::)*cast<[^()]*?>\(((?:[^()]|\([^()]*\))*)\)")


def name(expression: str) -> str | None:
    text = re.sub(r"/\*.*?\*/|\s+", "", expression)
    if "getDimSize(lastDim)/2" in text:
        return "halve_last_dim"
    if "getDimSize(lastDim)*2" in text:
        return "double_last_dim"
    if "{size,size}" in text:
        return "square_scalable"
    text = re.sub(r"\.cast<[^()]*?>\(\)", "", text)
    while (shorter := CAST.sub(r"\1", text)) != text:
        text = shorter
    text = re.sub(r"^(?:::)+(?=\w+\()", "", text)
    text = re.sub(r"(?<![\w>])(?:::)?(?:mlir|llvm|LLVM|emitc|pdl|spirv|gpu)::", "", text)
    text = re.sub(r"(?<=[(,{])(?:::)?(?:mlir|llvm)::", "", text)
    return NAMES.get(text)
