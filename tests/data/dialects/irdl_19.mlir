// releases: 19
// covers: the irdl dialect: definitions of dialects, types, attributes and operations, with variadicity and regions.
irdl.dialect @testold {
  irdl.type @singleton
  irdl.type @parametrized {
    %0 = irdl.any
    %1 = irdl.is i32
    %2 = irdl.any_of(%0, %1)
    irdl.parameters(%0, %2)
  }
  irdl.attribute @attr {
    %0 = irdl.is "text"
    %1 = irdl.c_pred "::llvm::isa<::mlir::IntegerAttr>($_self)"
    %2 = irdl.all_of(%0, %1)
    irdl.parameters(%2)
  }
  irdl.operation @op {
    %0 = irdl.is i32
    %1 = irdl.base "!builtin.integer"
    %2 = irdl.base @testold::@parametrized
    %3 = irdl.parametric @testold::@parametrized<%0, %1>
    %4 = irdl.any
    irdl.operands(variadic %0, optional %1, %2, single %3)
    irdl.results(%0, variadic %4)
    irdl.attributes {"one" = %0, "two words" = %4}
    %r0 = irdl.region
    %r1 = irdl.region()
    %r2 = irdl.region(%0, %4) with size 3
    irdl.regions(%r0, %r1, %r2)
  }
}
