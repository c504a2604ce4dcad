// releases: 16 19 22
// covers: modules with a name, a visibility and discardable attributes, one inside the other.
module @outer attributes {test.note = "kept", test.flag} {
  module @public_one {
  }
  module @private_one attributes {sym_visibility = "private"} {
    module @nested_one attributes {sym_visibility = "nested"} {
    }
  }
  module {
  }
}
