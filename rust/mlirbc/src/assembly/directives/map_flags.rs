//! The flags of maps of `omp`: their names in custom assembly, and their numbers in attributes.

/// A flag of the kind of a map.
pub(super) struct MapFlag {
    /// The word in custom assembly.
    pub(super) word: &'static str,
    /// The word in `#omp<clause_map_flags …>`, since LLVM 22.
    pub(super) keyword: &'static str,
    /// The bit of the enumeration, since LLVM 22.
    pub(super) bit: u32,
    /// The bit of the integer before LLVM 22, or 0 if the integer has no such bit.
    pub(super) old_bit: u32,
}

/// In the order in which MLIR prints them (`printMapClause`, lib/Dialect/OpenMP/IR/OpenMPDialect.cpp).
const MAP_FLAGS: [MapFlag; 20] = [
    flag("always", "always", 1 << 3, 0x4),
    flag("implicit", "implicit", 1 << 8, 0x200),
    flag("ompx_hold", "ompx_hold", 1 << 11, 0),
    flag("close", "close", 1 << 9, 0x400),
    flag("present", "present", 1 << 10, 0x1000),
    flag("to", "to", 1 << 1, 0x1),
    flag("from", "from", 1 << 2, 0x2),
    flag("delete", "del", 1 << 4, 0x8),
    flag("return_param", "return_param", 1 << 5, 0),
    flag("storage", "storage", 1 << 0, 0),
    flag("private", "priv", 1 << 6, 0),
    flag("literal", "literal", 1 << 7, 0),
    flag("attach", "attach", 1 << 12, 0),
    flag("attach_always", "attach_always", 1 << 13, 0),
    flag("attach_none", "attach_none", 1 << 14, 0),
    flag("attach_auto", "attach_auto", 1 << 15, 0),
    flag("ref_ptr", "ref_ptr", 1 << 16, 0),
    flag("ref_ptee", "ref_ptee", 1 << 17, 0),
    flag("ref_ptr_ptee", "ref_ptr_ptee", 1 << 18, 0),
    flag("is_device_ptr", "is_device_ptr", 1 << 19, 0),
];

const fn flag(word: &'static str, keyword: &'static str, bit: u32, old_bit: u32) -> MapFlag {
    MapFlag { word, keyword, bit, old_bit }
}

/// Returns the words of the flags that `has` accepts, in the order of MLIR. `to` and `from` together are `tofrom`.
pub(super) fn words(has: impl Fn(&MapFlag) -> bool) -> Vec<&'static str> {
    let flag_words: Vec<&str> = MAP_FLAGS.iter().filter(|flag| has(flag)).map(|flag| flag.word).collect();
    let has_both_directions = flag_words.contains(&"to") && flag_words.contains(&"from");
    let joined = flag_words.into_iter().filter(|word| !(has_both_directions && *word == "from"));
    joined.map(|word| if has_both_directions && word == "to" { "tofrom" } else { word }).collect()
}

/// Returns the flags that a word of custom assembly stands for: none, one, or both of `tofrom`.
pub(super) fn flags_of(word: &str) -> impl Iterator<Item = &'static MapFlag> {
    MAP_FLAGS
        .iter()
        .filter(move |flag| flag.word == word || word == "tofrom" && matches!(flag.word, "to" | "from"))
}
