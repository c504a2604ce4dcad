use super::fields::TextForm;
use super::*;
use crate::wire::loss::LossKind;
use crate::write::WriteOptions;
use crate::write::canonical::op_encoding::PartCounts;

pub(super) fn conversion(from: u32, name: &str) -> ReleaseConversion {
    ReleaseConversion::between(("", from), name, PropertySchema::shipped(name).as_ref()).unwrap()
}

/// The conversion of a file of a known build.
pub(super) fn conversion_of(from: &str, to: &str) -> ReleaseConversion {
    let llvm = release::find(from).unwrap().unwrap().llvm().0;
    ReleaseConversion::between((from, llvm), to, PropertySchema::shipped(to).as_ref()).unwrap()
}

#[test]
fn every_known_release_is_a_reader() {
    for name in crate::props::known_releases() {
        // Tests register their own.
        if PropertySchema::shipped(&name).is_none() {
            continue;
        }
        let release = release::find(&name).unwrap().unwrap_or_else(|| panic!("{name}"));
        let schema = PropertySchema::shipped(&name).unwrap();
        assert!(schema.claims(release.signature.as_bytes()).is_some(), "{name}: {}", release.signature);
    }
}

#[test]
fn codes_came_one_after_the_other() {
    for (name, attribute, reads) in [
        ("llvm-16", 20, true),
        ("llvm-16", 21, false),
        ("llvm-19", 21, true),
        ("llvm-19", 22, false),
        ("llvm-22", 22, true),
        ("llvm-22", 23, false),
        (ANY, 20, true),
        (ANY, 21, false),
    ] {
        assert_eq!(conversion(22, name).reads(b"builtin", false, attribute), reads, "{name} {attribute}");
    }
    assert!(conversion(22, "llvm-22").reads(b"llvm", false, 3));
    assert!(!conversion(22, "llvm-19").reads(b"llvm", false, 3));
    assert!(!conversion(22, "llvm-22").reads(b"stablehlo", false, 3));
    assert!(conversion(22, "jaxlib-0.10").reads(b"stablehlo", false, 3));
    assert!(conversion(22, "llvm-22").reads(b"of the caller", false, 3));
    assert!(conversion(22, "llvm-16").has_no_text(b"builtin", false, 21));
    assert!(conversion(22, "llvm-19").has_no_text(b"quant", true, 6));
    assert!(!conversion(22, "llvm-19").has_no_text(b"llvm", false, 3));
    // Builds without the code do not have `#stablehlo.replica_group_mesh_axes`; LLVM keeps the text.
    assert!(conversion(23, "jaxlib-0.6").has_no_text(b"stablehlo", false, 18));
    assert!(!conversion(23, "jaxlib-0.12").has_no_text(b"stablehlo", false, 18));
    assert!(!conversion(23, "llvm-22").has_no_text(b"stablehlo", false, 18));
}

#[test]
fn versions_that_are_written() {
    let version = |number| BytecodeVersion::new(number).unwrap();
    assert_eq!(conversion(22, "llvm-16").default_version(version(6)), version(0));
    assert_eq!(conversion(22, "llvm-19").default_version(version(5)), version(5));
    assert_eq!(conversion(22, ANY).default_version(version(6)), version(0));
}

#[test]
fn texts_go_both_ways() {
    let respelled = |from, to, text: &str| {
        let budget = crate::wire::limits::Limits::default().budget(text.len() as u64);
        let new = conversion(from, to).respelled(text.as_bytes(), &budget).unwrap();
        let new = new.unwrap_or_else(|| text.into());
        String::from_utf8(new).unwrap()
    };
    assert_eq!(respelled(22, "iree-3.13", "[#gpu<dim x>]"), "[#gpu.dim<x>]");
    assert_eq!(respelled(24, "llvm-22", "[#gpu.dim<x>]"), "[#gpu<dim x>]");
    assert_eq!(respelled(22, "llvm-19", "#gpu<dim x>"), "#gpu<dim x>");
    assert_eq!(respelled(24, "llvm-22", "!llvm.struct<(token)>"), "!llvm.struct<(!llvm.token)>");
    assert_eq!(respelled(24, "llvm-22", "!async.token"), "!async.token");
}

#[test]
fn properties_change() {
    let value = |from, to, op: &str, name: &str, text: &str| {
        let conversion = conversion(from, to);
        let rule = conversion.renamed(op).find(|rule| rule.from == name).unwrap();
        (rule.to.to_owned(), rule.value(|| Attribute::parse(text)).unwrap())
    };
    let text = |text: &str| NewValue::Other(Attribute::parse(text).unwrap());
    let gep = "llvm.getelementptr";
    assert_eq!(value(19, "llvm-22", gep, "inbounds", "unit"), ("noWrapFlags".to_owned(), text("3 : i32")));
    assert_eq!(value(22, "llvm-19", gep, "noWrapFlags", "3 : i32").1, text("unit"));
    assert_eq!(value(22, "llvm-19", gep, "noWrapFlags", "0 : i32").1, NewValue::Nothing);
    assert_eq!(value(22, "llvm-19", gep, "noWrapFlags", "4 : i32").1, NewValue::Unknown);
    let kinds = "affine.parallel";
    assert_eq!(value(19, "llvm-22", kinds, "reductions", "[2 : i64, 0]").1, text("[3 : i64, 0]"));
    assert_eq!(value(22, "llvm-16", kinds, "reductions", "[3]").1, text("[2]"));
    assert_eq!(value(22, "llvm-19", kinds, "reductions", "[15]").1, NewValue::Unknown);
    let differs = |text: &str| {
        let value = Attribute::parse(text).unwrap();
        conversion(22, ANY).has_other_value(kinds, "reductions", &value).unwrap()
    };
    assert!(differs("[3]"));
    assert!(!differs("[0, 1]"));
}

#[test]
fn groups_that_came_later() {
    assert_eq!(
        conversion(19, "llvm-22").new_segments("llvm.call"),
        Some(&[-1, 0].map(GroupSize::Number)[..])
    );
    assert_eq!(
        conversion(22, "llvm-19").old_segments("llvm.call"),
        Some(&[-1, 0].map(GroupSize::Number)[..])
    );
    assert_eq!(conversion(19, "llvm-22").old_segments("llvm.call"), None);
    assert_eq!(conversion(22, "jaxlib-0.10").new_segments("llvm.call"), None);
}

#[test]
fn attributes_of_16() {
    let conversion = conversion(22, "llvm-16");
    assert_eq!(conversion.has_attribute("func.func", "sym_name"), Some(true));
    assert_eq!(conversion.has_attribute("arith.addi", "overflowFlags"), Some(false));
    assert_eq!(conversion.has_attribute("no.op", "x"), None);
}

#[test]
fn rules_with_a_day_apply_to_builds_from_that_day_on() {
    let is_renamed =
        |from, to| conversion(from, to).renamed("llvm.getelementptr").any(|rule| rule.to == "noWrapFlags");
    assert!(is_renamed(19, "llvm-22") && is_renamed(19, "llvm-21") && is_renamed(19, "jaxlib-0.6"));
    assert!(!is_renamed(19, "jaxlib-0.5") && !is_renamed(22, "llvm-21"));
    assert!(conversion(22, "jaxlib-0.5").renamed("llvm.getelementptr").any(|rule| rule.to == "inbounds"));
}

#[test]
fn fields_of_texts_are_added_left_out_or_refused() {
    let form = |from, to, text: &str| conversion(from, to).with_target_fields(text);
    let text_form = |text: &str| TextForm::Other(text.to_owned());
    let (old, new) = (
        "#llvm.memory_effects<other = none, argMem = read, inaccessibleMem = none>",
        "#llvm.memory_effects<other = none, argMem = read, inaccessibleMem = none, errnoMem = none, \
         targetMem0 = none, targetMem1 = none>",
    );
    assert_eq!(form(19, "llvm-22", old), text_form(new));
    assert_eq!(form(22, "llvm-19", new), text_form(old));
    assert_eq!(form(19, "llvm-16", old), TextForm::Same);
    assert_eq!(
        form(22, "llvm-19", &new.replace("targetMem1 = none", "targetMem1 = read")),
        TextForm::Lacking
    );
    assert_eq!(
        form(22, "llvm-19", "#llvm.di_derived_type<name = \"x\">"),
        text_form("#llvm.di_derived_type<name = \"x\", tag = DW_TAG_null>")
    );
    let (itself, marked) = (
        "#llvm.di_composite_type<tag = DW_TAG_null, recId = distinct[5]<>>",
        "#llvm.di_composite_type<recId = distinct[5]<>, isRecSelf = true>",
    );
    assert_eq!(form(19, "llvm-22", itself), text_form(marked));
    assert_eq!(form(22, "llvm-19", marked), text_form(itself));
    // Symbols occur within other symbols, and in strings.
    assert_eq!(
        form(22, "llvm-19", &format!("[{new}, \"{new}\"]")),
        text_form(&format!("[{old}, \"{new}\"]"))
    );
    assert_eq!(form(22, "llvm-16", "#llvm.loop_annotation<mustProgress = true>"), TextForm::Lacking);
    assert_eq!(form(22, "llvm-19", "#of.a_user<errnoMem = 1>"), TextForm::Same);
}

// mlir-opt 19 and 22 write these forms for `map_clauses(tofrom)` and others.
#[test]
fn numbers_become_names_and_names_numbers() {
    let value = |from, to, text: &str| {
        let conversion = conversion(from, to);
        let rule = conversion.renamed("omp.map.info").find(|rule| rule.from == "map_type").unwrap();
        rule.value(|| Attribute::parse(text)).unwrap()
    };
    let new_value = |text: &str| NewValue::Other(Attribute::parse(text).unwrap());
    for (number, names) in [
        ("3 : ui64", "#omp<clause_map_flags to|from>"),
        ("12 : ui64", "#omp<clause_map_flags always|del>"),
        ("512 : ui64", "#omp<clause_map_flags implicit>"),
    ] {
        assert_eq!(value(19, "llvm-22", number), new_value(names));
        assert_eq!(value(22, "llvm-19", names), new_value(number));
    }
    // The number of a member, and a name that is newer than 19.
    assert_eq!(value(19, "llvm-22", "281474976710659 : ui64"), NewValue::Unknown);
    assert_eq!(value(22, "llvm-19", "#omp<clause_map_flags storage>"), NewValue::Unknown);
}

#[test]
fn cases_of_enumerations_are_no_types() {
    let lacks = |text: &str| {
        let schema = PropertySchema::shipped("llvm-16");
        let conversion = ReleaseConversion::between(("llvm-19", 19), "llvm-16", schema.as_ref()).unwrap();
        let budget = crate::wire::limits::Limits::default().budget(text.len() as u64);
        conversion.lacks(text.as_bytes(), &budget).unwrap()
    };
    assert!(!lacks("#nvvm.mma_type<tf32>") && !lacks("[#nvvm<mma_type tf32>, \"tf32\"]"));
    assert!(lacks("tf32") && lacks("!llvm.array<4 x tf32>") && lacks("[#nvvm.mma_type<tf32>, tf32]"));
}

#[test]
fn operands_change_their_places() {
    let order = |from, to| conversion(from, to).operand_order("llvm.intr.vector.insert");
    assert_eq!(order(16, "llvm-19").as_deref(), Some(&[1, 0][..]));
    assert_eq!(order(22, "llvm-16").as_deref(), Some(&[1, 0][..]));
    assert_eq!(order(19, "llvm-22"), None);
}

#[test]
fn compile_units_get_the_fields_that_builds_leave_out() {
    let form = |to, text: &str| conversion(23, to).with_target_fields(text);
    let unit =
        "#llvm.di_compile_unit<id = distinct[0]<>, sourceLanguage = DW_LANG_C, file = <\"a\" in \"b\">";
    let whole = format!("{unit}, isOptimized = false, emissionKind = None>");
    assert_eq!(form("llvm-22", &format!("{unit}>")), TextForm::Other(whole.clone()));
    assert_eq!(form("llvm-22", &whole), TextForm::Same);
}

#[test]
fn builds_without_definitions_have_the_counts_that_their_verifiers_accept() {
    let most = |to| {
        let limits = conversion_of("llvm-22", to).part_limits("memref.assume_alignment", None)?;
        Some(limits.most.results)
    };
    assert_eq!(most("jaxlib-0.5"), Some(0));
    // The operation has as many results as in the file.
    assert_eq!(most("jaxlib-0.6"), None);
}

#[test]
fn what_releases_around_a_build_do_not_agree_on_is_not_known() {
    // IREE 3.0 has one operand, IREE 3.4 has three, and no build between them was asked.
    let limits = |to| conversion_of("llvm-22", to).part_limits("tosa.negate", None).unwrap();
    let counts = |operands| PartCounts { operands, results: 1, ..PartCounts::default() };
    let broken = |to, operands| limits(to).broken_by(counts(operands)).map(|loss| loss.to_string());
    assert_eq!(broken("iree-3.0", 1), None);
    assert_eq!(broken("iree-3.0", 3).unwrap(), "the operation of the target cannot have 3 operands");
    for operands in [1, 3] {
        let text = broken("llvm-20", operands).unwrap();
        assert!(
            text.ends_with("and releases before and after the target differ in what they accept"),
            "{text}"
        );
    }
}

// mlir-opt 16 says "unknown attribute `clause_requires`".
#[test]
fn attributes_with_a_mnemonic_in_brackets_are_looked_up() {
    for (to, text, lacks) in
        [("llvm-16", "#omp<clause_requires none>", true), ("llvm-19", "#omp<clause_requires none>", false)]
    {
        let conversion =
            ReleaseConversion::between(("llvm-22", 22), to, PropertySchema::shipped(to).as_ref());
        let form = conversion.unwrap().with_target_fields(text);
        assert_eq!(form == TextForm::Lacking, lacks, "{to}: {text}");
    }
}

// mlir-opt 16 and 19 say that the struct is missing a required parameter.
#[test]
fn fields_that_a_release_requires_are_there() {
    let file = "scope = #llvm.di_file<\"a\" in \"b\">, file = <\"a\" in \"b\">";
    for (to, text, lacks) in [
        ("llvm-16", format!("#llvm.di_subprogram<{file}, name = \"f\">"), true),
        ("llvm-19", format!("#llvm.di_subprogram<{file}, name = \"f\">"), false),
        ("llvm-19", "#llvm.di_subprogram<name = \"f\">".to_owned(), true),
        ("iree-3.0", "#llvm.di_subprogram<name = \"f\">".to_owned(), false),
    ] {
        let form = conversion_of("llvm-22", to).with_target_fields(&text);
        assert_eq!(form == TextForm::Lacking, lacks, "{to}: {text}");
    }
}

// jaxlib 0.6, 0.8, 0.9 and IREE 3.0, 3.4 print these forms of `#nvvm.target` and `#rocdl.target`.
#[test]
fn fields_that_are_left_out_keep_their_value() {
    let form = |from: &str, to: &str, text: &str| conversion_of(from, to).with_target_fields(text);
    let text_form = |text: &str| TextForm::Other(text.to_owned());
    let new = "#nvvm.target<chip = \"sm_75\", features = \"\">";
    assert_eq!(form("jaxlib-0.10", "jaxlib-0.6", "#nvvm.target"), text_form(new));
    assert_eq!(form("jaxlib-0.9", "jaxlib-0.10", "#nvvm.target"), TextForm::Same);
    assert_eq!(
        form("jaxlib-0.8", "llvm-22", "#nvvm.target"),
        text_form("#nvvm.target<features = \"+ptx60\">")
    );
    assert_eq!(form("iree-3.0", "iree-3.4", "#rocdl.target"), text_form("#rocdl.target<abi = \"500\">"));
    assert_eq!(form("iree-3.4", "llvm-22", "#rocdl.target"), TextForm::Same);
    // The target parses the text all the same, but with another meaning.
    assert!(conversion_of("jaxlib-0.10", "jaxlib-0.6").parses("#nvvm.target"));
    assert!(!conversion_of("llvm-22", "llvm-19").parses("#nvvm.target<verifyTarget = true>"));
}

/// A probed layout decides what a release has, so a rule must not say otherwise.
#[test]
fn no_rule_contradicts_a_probed_schema() {
    let has_name = |op: &OpSchema, name: &str| op.fields().any(|field| field.has_name(name.as_bytes()));
    let (mut compared, mut contradictions) = (0, Vec::new());
    for release in release::releases().unwrap().iter().filter(|release| release.attributes.is_none()) {
        let Some(schema) = PropertySchema::shipped(&release.name) else { continue };
        for row in &shipped().unwrap().rows.property {
            let (before, after) = (&*row.before, &*row.after);
            let is_after = has(release.llvm().0, Some(release.revision()), &row.at);
            // Attributes with a dot are in the dictionary, and dates of additions without a name before are bounds.
            if before == after || before.contains('.') || after.contains('.') {
                continue;
            }
            for op in schema.ops().filter(|op| row.op.cover(op.name())) {
                let (old, new) = (!before.is_empty() && has_name(op, before), has_name(op, after));
                compared += usize::from(old || new);
                if is_after && old && !new || !is_after && new && !old {
                    contradictions.push(format!("{} {}: {before} -> {after}", release.name, op.name()));
                }
            }
        }
    }
    assert!(compared > 300, "{compared}");
    assert_eq!(contradictions, [""; 0]);
}

#[test]
fn no_name_of_a_group_or_an_operation_contradicts_a_probed_schema() {
    let (mut compared, mut contradictions) = (0, Vec::new());
    for release in release::releases().unwrap().iter().filter(|release| release.attributes.is_none()) {
        let Some(schema) = PropertySchema::shipped(&release.name) else { continue };
        let is_after = |at| has(release.llvm().0, Some(release.revision()), at);
        let mut compare = |(old, new): (bool, bool), at, what: String| {
            compared += usize::from(old || new);
            if is_after(at) && old && !new || !is_after(at) && new && !old {
                contradictions.push(format!("{} {what}", release.name));
            }
        };
        for row in &shipped().unwrap().rows.group {
            for op in schema.ops().filter(|op| row.op.cover(op.name())) {
                let has = |name: &str| op.operands().any(|group| group.trim_end_matches(['?', '*']) == name);
                compare((has(&row.before), has(&row.after)), &row.at, format!("{} {}", op.name(), row.after));
            }
        }
        for row in shipped().unwrap().rows.op.iter().filter(|row| !row.is_up_only) {
            let has = |name: &str| schema.ops().any(|op| op.name() == name);
            compare((has(&row.before), has(&row.after)), &row.at, row.after.clone());
        }
    }
    assert!(compared > 30, "{compared}");
    assert_eq!(contradictions, [""; 0]);
}

/// The layout of `func.call` in LLVM 20 is not known, so a file for it would lack the callee.
#[test]
fn properties_of_unknown_layouts_are_never_dropped() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/two_layers.mlirbc");
    let module = Module::open(path).unwrap();
    for drop_unsupported in [false, true] {
        let options = WriteOptions {
            target: Some(release::Release::named("llvm-20")),
            drop_unsupported,
            ..WriteOptions::default()
        };
        let error = module.write(&mut Vec::new(), &options).unwrap_err();
        assert!(error.losses().iter().any(|loss| loss.kind == LossKind::UnknownLayout), "{error}");
        assert!(!error.to_string().contains("has no property"), "{error}");
    }
}
