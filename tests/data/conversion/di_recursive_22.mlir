#self = #llvm.di_composite_type<recId = distinct[5]<>, isRecSelf = true>
#ptr = #llvm.di_derived_type<tag = DW_TAG_pointer_type, baseType = #self>
#member = #llvm.di_derived_type<tag = DW_TAG_member, name = "next", baseType = #ptr>
#comp = #llvm.di_composite_type<recId = distinct[5]<>, tag = DW_TAG_class_type, name = "node", line = 42, elements = #member>
module attributes {t.a = #comp} {}
