//! Attributes and types in text whose parts some releases refuse (in `mlir/lib/Dialect`: `MMAMatrixType::isValidElementType`
//! in `GPU/IR/GPUDialect.cpp`, `NVVMTargetAttr::verify` in `LLVMIR/IR/NVVMDialect.cpp`, `parseType` in
//! `SPIRV/IR/SPIRVDialect.cpp`, and `SMT/IR/SMTTypes.cpp`).

use super::ReleaseConversion;
use crate::attr::Attribute;
use crate::attr::text::parse::fields::parts;

/// Builds of IREE have decorations of SPIR-V structs from 3.8 on.
const STRUCT_DECORATIONS: &str = "2025-10-08";
/// Builds have strides that are zero from JAX 0.5 on.
const ZERO_STRIDES: &str = "2025-01-14";
/// Builds have vectors of pointers from IREE 3.4 on. Such vectors had a type of their own before.
const VECTORS_OF_DIALECTS: &str = "2025-04-28";
/// Builds look at the dimension of a sampled image from IREE 3.8 on.
const SAMPLED_DIMENSIONS: &str = "2025-10-08";
const SMT: &str = "!smt.";

impl ReleaseConversion {
    /// Whether the target certainly refuses a symbol for a part between its angle brackets.
    pub(super) fn refuses(&self, name: &str, body: &str) -> bool {
        let target = self.style();
        match name {
            "!gpu.mma_matrix" => {
                let element = body.split(',').next().and_then(|shape| shape.trim().rsplit('x').next());
                target.refuses_integer_matrices()
                    && element.is_none_or(|element| !matches!(element, "f16" | "f32"))
                    || target.refuses_double_matrices() && element == Some("f64")
            }
            "#dlti.dl_entry" => target.checks_wide_alignments() && has_wrong_alignment(body, ','),
            "#dlti.dl_spec" => {
                target.checks_wide_alignments()
                    && parts(body).into_iter().any(|entry| has_wrong_alignment(entry, '='))
            }
            "#nvvm.target" => target.checks_target_levels() && has_wrong_level(body),
            "!spirv.sampled_image" => !self.is_before(SAMPLED_DIMENSIONS) && has_no_samples(body),
            // An attribute that the target does not know does not have the interface of targets.
            "#gpu.object" => parts(body).first().is_some_and(|target| self.lacks_dialect_of(target)),
            "!spirv.struct" => self.is_before(STRUCT_DECORATIONS) && has_decoration(body),
            _ if name.starts_with(SMT) => self.has_dialect_of(name) && is_wrong_smt_type(name, body),
            _ => false,
        }
    }

    /// Whether an attribute belongs to a dialect that the release of the file has and the target lacks. A
    /// dialect that neither has belongs to a project, whose tool for the target has it, too.
    fn lacks_dialect_of(&self, attribute: &str) -> bool {
        let name = attribute.trim().strip_prefix('#');
        name.and_then(|name| name.split_once('.')).is_some_and(|(dialect, _)| self.lacks_dialect(dialect))
    }

    fn lacks_dialect(&self, dialect: &str) -> bool {
        !self.is_any && self.own_dialects.contains(dialect) && !self.dialects.contains(dialect)
    }

    /// Whether the target refuses a text because of the layout of a memref in the text.
    pub(crate) fn refuses_layout_in(&self, text: &[u8]) -> bool {
        if !self.lacks_zero_strides() {
            return false;
        }
        // A string may have any text.
        let text = std::str::from_utf8(text).ok().filter(|text| !text.contains('"')).unwrap_or_default();
        let mut layouts = text.split("strided<[").skip(1).filter_map(|layout| layout.split(']').next());
        layouts.any(|strides| strides.split(',').any(|stride| stride.trim() == "0"))
    }

    /// Whether vectors of the target have elements of numeric types only.
    pub(crate) fn lacks_vectors_of_dialects(&self) -> bool {
        self.is_before(VECTORS_OF_DIALECTS) && !self.is_any
    }

    /// Whether the target refuses an attribute of a dialect in a memref. A reader takes an attribute of an
    /// unknown dialect for an attribute of `builtin` that is not a memory space (`isSupportedMemorySpace` in
    /// `mlir/lib/IR/BuiltinTypes.cpp`).
    pub(crate) fn refuses_in_memrefs(&self, dialect: &[u8]) -> bool {
        std::str::from_utf8(dialect).is_ok_and(|dialect| dialect != "builtin" && self.lacks_dialect(dialect))
    }

    /// Whether the target refuses memrefs with strides that are zero.
    pub(crate) fn lacks_zero_strides(&self) -> bool {
        self.is_before(ZERO_STRIDES) && !self.is_any
    }
}

/// Whether the level of optimization is outside of 0 to 3.
fn has_wrong_level(body: &str) -> bool {
    let level = parts(body).into_iter().find_map(|part| {
        let (name, level) = part.split_once('=')?;
        if name.trim() == "O" { level.trim().parse::<i64>().ok() } else { None }
    });
    level.is_some_and(|level| !(0..=3).contains(&level))
}

/// Whether the entry of a data layout prefers an alignment of pointers that is below the alignment of the ABI. The numbers are the
/// size, the two alignments, and the size of an index.
fn has_wrong_alignment(entry: &str, separator: char) -> bool {
    let Some((pointer, values)) = entry.split_once(separator) else { return false };
    if !pointer.trim().starts_with("!llvm.ptr") {
        return false;
    }
    let numbers = Attribute::parse(values.trim()).ok().and_then(|values| values.integers());
    matches!(numbers.as_deref(), Some([_, abi, preferred, ..]) if preferred < abi)
}

/// Whether an image has a dimension without samples.
fn has_no_samples(body: &str) -> bool {
    let image = body.trim().strip_prefix("!spirv.image<").and_then(|image| image.strip_suffix('>'));
    let dimension = image.and_then(|image| parts(image).get(1).map(|dimension| dimension.trim()));
    matches!(dimension, Some("Buffer" | "SubpassData"))
}

/// Whether something follows the list of members.
fn has_decoration(body: &str) -> bool {
    let parts = parts(body);
    let members = parts.iter().position(|part| part.trim_start().starts_with('('));
    members.is_some_and(|members| members + 1 < parts.len())
}

fn is_wrong_smt_type(name: &str, body: &str) -> bool {
    let is_value = |text: &str| text.trim().starts_with("!smt");
    // Domains, ranges and parameters of sorts are no functions.
    let is_plain = |text: &str| is_value(text) && !text.trim().starts_with("!smt.func");
    let are_plain = |list: &str| list.trim().is_empty() || parts(list).into_iter().all(is_plain);
    let is_right = match name {
        "!smt.bv" => Some(body.trim().parse::<i64>().is_ok_and(|width| width > 0)),
        "!smt.array" => {
            let inner = body.trim().strip_prefix('[').and_then(|body| body.strip_suffix(']'));
            inner.and_then(split_at_arrow).map(|(domain, range)| is_value(domain) && is_value(range))
        }
        "!smt.func" => {
            let inner = body.trim().strip_prefix('(').and_then(split_at_parenthesis);
            inner.map(|(domains, range)| are_plain(domains) && is_plain(range))
        }
        "!smt.sort" => {
            let list = body.rsplit_once("\"[").and_then(|(_, list)| list.trim().strip_suffix(']'));
            list.map(are_plain)
        }
        _ => None,
    };
    is_right == Some(false)
}

/// The texts before and after the first arrow outside of brackets.
fn split_at_arrow(text: &str) -> Option<(&str, &str)> {
    let place = outside_of_brackets(text, "->")?;
    Some((text.get(..place)?, text.get(place + 2..)?))
}

/// The texts before and after the parenthesis that closes the text.
fn split_at_parenthesis(text: &str) -> Option<(&str, &str)> {
    let place = outside_of_brackets(text, ")")?;
    Some((text.get(..place)?, text.get(place + 1..)?))
}

fn outside_of_brackets(text: &str, wanted: &str) -> Option<usize> {
    let mut depth = 0_usize;
    let mut place = 0;
    while let Some(rest) = text.get(place..).filter(|rest| !rest.is_empty()) {
        if depth == 0 && rest.starts_with(wanted) {
            return Some(place);
        }
        let letter = rest.chars().next()?;
        match letter {
            '-' if rest.starts_with("->") => place += 1,
            '<' | '(' | '[' => depth += 1,
            '>' | ')' | ']' => depth = depth.checked_sub(1)?,
            _ => {}
        }
        place += letter.len_utf8();
    }
    None
}

#[cfg(test)]
mod tests {
    use super::super::fields::TextForm;
    use super::super::tests::{conversion, conversion_of};

    fn is_refused(from: u32, to: &str, text: &str) -> bool {
        conversion(from, to).with_target_fields(text) == TextForm::Lacking
    }

    // The expected answers come from mlir-opt 16, 19 and 22.
    #[test]
    fn data_layouts_have_known_entries() {
        let lacks = |to: &str, name: &str| {
            let text = format!("#dlti.dl_spec<#dlti.dl_entry<\"dlti.{name}\", 32 : i64>>");
            let budget = crate::wire::limits::Limits::default().budget(text.len() as u64);
            conversion(22, to).lacks(text.as_bytes(), &budget).unwrap()
        };
        for (name, by) in [
            ("endianness", &[][..]),
            ("stack_alignment", &["llvm-16"]),
            ("default_memory_space", &["llvm-16", "llvm-19"]),
            ("mangling_mode", &["llvm-16", "llvm-19"]),
        ] {
            for to in ["llvm-16", "llvm-19"] {
                assert_eq!(lacks(to, name), by.contains(&to), "{to}: {name}");
            }
        }
    }

    // jaxlib 0.10 says "unsupported memory space Attribute" for `#spirv.storage_class<Uniform>`, whose dialect it does not have.
    #[test]
    fn memory_spaces_are_of_dialects_that_the_target_has() {
        let refuses =
            |to: &str, dialect: &str| conversion_of("llvm-22", to).refuses_in_memrefs(dialect.as_bytes());
        assert!(refuses("jaxlib-0.10", "spirv") && !refuses("llvm-19", "spirv"));
        assert!(!refuses("jaxlib-0.10", "gpu") && !refuses("jaxlib-0.10", "builtin"));
        // The tools of a project have its dialect.
        assert!(!refuses("jaxlib-0.10", "mine"));
    }

    #[test]
    fn strides_are_not_zero() {
        for (text, is_refused) in [
            ("strided<[1, 1], offset: 0>", false),
            ("strided<[0]>", true),
            ("strided<[?, 0], offset: ?>", true),
            ("!dialect.view<memref<4xf32, strided<[0]>>>", true),
        ] {
            for to in ["llvm-16", "llvm-19"] {
                assert_eq!(conversion(22, to).refuses_layout_in(text.as_bytes()), is_refused, "{to}: {text}");
            }
            assert!(!conversion(19, "llvm-22").refuses_layout_in(text.as_bytes()));
        }
    }

    // The expected answers come from mlir-opt 16, 19 and 22.
    #[test]
    fn types_are_refused_for_their_parts() {
        for (text, by) in [
            (r#"!gpu.mma_matrix<16x16xf16, "AOp">"#, &[][..]),
            (r#"!gpu.mma_matrix<16x16xi32, "AOp">"#, &["llvm-16"]),
            (r#"!gpu.mma_matrix<16x16xf64, "AOp">"#, &["llvm-16", "llvm-19"]),
            ("!spirv.struct<(f32 [0])>", &[]),
            ("!spirv.struct<a, (f32 [0], i32 [4])>", &[]),
            ("!spirv.struct<(f32), Block>", &["llvm-16", "llvm-19"]),
            ("!spirv.ptr<!spirv.struct<a, (f32 [0]), Block>, StorageBuffer>", &["llvm-16", "llvm-19"]),
        ] {
            for to in ["llvm-16", "llvm-19"] {
                assert_eq!(is_refused(22, to, text), by.contains(&to), "{to}: {text}");
            }
        }
        for (text, is_fine) in [
            ("!smt.bv<1>", true),
            ("!smt.bv<0>", false),
            ("!smt.bv<-1>", false),
            ("!smt.array<[!smt.func<(!smt.bool) !smt.bool> -> !smt.bool]>", true),
            ("!smt.array<[!smt.array<[!smt.int -> !smt.int]> -> !smt.bool]>", true),
            ("!smt.array<[i32 -> !smt.bool]>", false),
            ("!smt.array<[!smt.bool -> i32]>", false),
            ("!smt.func<(!smt.bool, !smt.int) !smt.bool>", true),
            ("!smt.func<(i32) !smt.bool>", false),
            ("!smt.func<(!smt.bool) i32>", false),
            ("!smt.func<(!smt.bool) !smt.func<(!smt.bool) !smt.bool>>", false),
            (r#"!smt.sort<"a">"#, true),
            (r#"!smt.sort<"a"[!smt.bool, !smt.int]>"#, true),
            (r#"!smt.sort<"a"[!smt.bool, i32]>"#, false),
            ("#dlti.dl_spec<#dlti.dl_entry<!llvm.ptr, dense<[64, 32, 64]> : vector<3xi64>>>", true),
            ("#dlti.dl_spec<#dlti.dl_entry<!llvm.ptr<1>, dense<[64, 64, 32]> : vector<3xi64>>>", false),
            ("#dlti.dl_spec<!llvm.ptr = dense<[64, 64, 32]> : vector<3xi64>>", false),
            ("#dlti.dl_spec<i32 = dense<[64, 32]> : vector<2xi64>>", true),
            (r#"#nvvm.target<O = 3, chip = "sm_90">"#, true),
            (r#"[#nvvm.target<O = 4, chip = "sm_90">]"#, false),
            (r#"#nvvm.target<O = -1>"#, false),
            ("!spirv.sampled_image<!spirv.image<f32, Dim2D, IsDepth, Arrayed>>", true),
            ("!spirv.sampled_image<!spirv.image<f32, Buffer, IsDepth, Arrayed>>", false),
            ("!spirv.image<f32, Buffer, IsDepth, Arrayed>", true),
        ] {
            assert_eq!(is_refused(19, "llvm-22", text), !is_fine, "{text}");
        }
    }
}
