// releases: 19 22
// covers: properties on unregistered operations: dictionaries and other attributes, shared and not, lost below version 5.
"t.none"() : () -> ()
"t.some"() <{k = 5 : i8}> : () -> ()
"t.same"() <{k = 5 : i8}> : () -> ()
"t.both"() <{a = "x", nested = {b = [1, 2]}}> {discardable = "y"} : () -> ()
"t.only_discardable"() {discardable = "y"} : () -> ()
%0:2 = "t.shape"() <{n = 1 : i32}> ({
  "t.inner"() <{k = 5 : i8}> : () -> ()
}) {z} : () -> (i32, f32)
"t.empty"() <{}> : () -> ()
