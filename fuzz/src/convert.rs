//! Converting arbitrary files for other releases.
//!
//! | oracle | why it can fail |
//! |---|---|
//! | converting never panics and never hangs | any |
//! | the result opens, and verifies if the original does | an entry that refers to one that was not translated |
//! | without `drop_unsupported` nothing is lost | a loss that is reported only when things may be dropped |
//! | the plan refuses what is refused, and its file has the bytes of the conversion | a list of changes that changes what is written |
//! | the results as StableHLO and as an artifact open, and an artifact that is converted to StableHLO and back has the same operations but for casts, and the second time also those | casts and uses that are renumbered wrongly |
//! | converted without loss and back without loss, a module prints as before, except for properties with their default | a translation in one direction only |
//! | then it also has the versions of dialects and the orders of uses, as far as the versions store them | a gate that both directions apply wrongly |

use mlirbc::bytes::Bytes;
use mlirbc::convert::Plan;
use mlirbc::convert::portable::{self, SerializeOptions};
use mlirbc::format::ir::{OpHead, OpSink};
use mlirbc::print::EntryTexts;
use mlirbc::progress::Progress;
use mlirbc::version::BytecodeVersion;
use mlirbc::write::{Numbering, PreparedWrite, WriteReport};
use mlirbc::{Module, ReadOptions, WriteOptions};

use crate::cost;
use crate::facts::{self, Release};
use crate::roundtrip;

pub(crate) const TARGETS: [&str; 6] = ["llvm-16", "llvm-19", "llvm-22", "jaxlib-0.10", "iree-3.13", "any"];

/// Runs the oracle.
///
/// # Panics
/// When a property does not hold.
pub fn run(data: &[u8]) {
    let target = target_of(data);
    cost::convert(data, target);
    cost::alone(|| check(data, target));
}

fn check(data: &[u8], target: &str) {
    let version = BytecodeVersion::new(u64::from(choice_of(data) / 8 % 8));
    let Ok(module) = Module::from_bytes(Bytes::copy_from_slice(data)) else { return };
    check_portable(&module);
    // Without a release, any text may be a location, so locations are not checked.
    let has_release = module.release().is_ok_and(|release| release.nearest().is_some());
    let is_sound = has_release && module.verify().is_ok();
    let strictly = written(&module, target, version, false);
    check_plan(&module, target, version, strictly.as_ref().map(|(bytes, _)| &**bytes));
    if let Some((_, report)) = &strictly {
        let are_notes = report.losses.iter().all(|loss| loss.kind.is_harmless());
        assert!(are_notes, "something was dropped without drop_unsupported: {report:?}");
    }
    let Some((bytes, _)) = written(&module, target, version, true) else {
        assert!(strictly.is_none(), "conversion fails with drop_unsupported and succeeds without it");
        return;
    };
    let again = match Module::from_bytes(bytes) {
        Ok(again) => again,
        Err(error) => panic!("the result for {target} cannot be opened: {error}"),
    };
    if let (true, Err(error)) = (is_sound, again.verify()) {
        panic!("the result for {target} does not verify: {error}");
    }
    // Losses that are allowed by default cannot be undone, so only a strict conversion is checked.
    if let (true, Some((bytes, report))) = (is_sound, strictly)
        && report.losses.is_empty()
    {
        check_content(&module, target, &bytes);
    }
}

fn check_plan(module: &Module, target: &str, version: Option<BytecodeVersion>, written: Option<&[u8]>) {
    // The target `any` takes most of the time in its readers, and its plan is computed like all others.
    if target == "any" {
        return;
    }
    let Ok(plan) = Plan::new(module, &options(target, version, false)) else {
        // The memory may suffice for the conversion alone.
        return;
    };
    assert_eq!(plan.refusal().is_none(), written.is_some(), "the plan differs from the conversion");
    let mut planned = Vec::new();
    if let (Some(written), Ok(prepared)) = (written, plan.into_prepared()) {
        prepared.write(&mut planned).expect("what is prepared can be written");
        assert_eq!(planned, written, "the planned file differs from the written one");
    }
}

fn check_portable(module: &Module) {
    let Ok(prepared) = portable::deserialize(module, &Progress::default()) else { return };
    let stablehlo =
        prepared.into_module().unwrap_or_else(|error| panic!("StableHLO cannot be opened: {error}"));
    let Some(again) = there_and_back(&stablehlo) else { return };
    let [before, first] = [&stablehlo, &again].map(counted);
    // VHLO represents some types only partly, such as a memref with strides: they differ afterwards, and
    // their casts remain.
    assert_eq!(before.others, first.others, "an artifact has other operations");
    // The artifact may belong to a release that does not know properties of other dialects.
    let Some(third) = there_and_back(&again) else { return };
    assert_eq!(first, counted(&third), "the same artifact a second time has other operations");
}

/// Returns a StableHLO module that was converted to its artifact and back; `None` if it has no artifact.
fn there_and_back(stablehlo: &Module) -> Option<Module> {
    let prepared = portable::serialize(stablehlo, &SerializeOptions::default()).ok()?;
    let artifact =
        prepared.into_module().unwrap_or_else(|error| panic!("an artifact cannot be opened: {error}"));
    let again = portable::deserialize(&artifact, &Progress::default()).and_then(PreparedWrite::into_module);
    Some(again.unwrap_or_else(|error| panic!("an artifact cannot be read again: {error}")))
}

/// The numbers of operations, if all can be read.
#[derive(Debug, Default, PartialEq, Eq)]
struct Count {
    cast: Option<u32>,
    casts: u64,
    others: u64,
}

fn counted(module: &Module) -> Count {
    let cast =
        module.tables().op_names().ok().and_then(|mut names| {
            names.position(|name| *name.full() == *"builtin.unrealized_conversion_cast")
        });
    let mut count = Count { cast: cast.map(|place| place as u32), ..Count::default() };
    match module.stream(&mut count) {
        Ok(_) => Count { cast: None, ..count },
        Err(_) => Count::default(),
    }
}

impl OpSink for Count {
    fn op(&mut self, head: OpHead) {
        match Some(head.name) == self.cast {
            true => self.casts += 1,
            false => self.others += 1,
        }
    }
}

// Releases print the same content differently, so the text is printed by the release of the original.
fn check_content(module: &Module, target: &str, converted: &[u8]) {
    let Some(own) = module.release().ok().and_then(|release| release.nearest().map(str::to_owned)) else {
        return;
    };
    // A file for all releases belongs to none, and is read as a file of the original's release.
    let release = if target == "any" { own.clone() } else { target.to_owned() };
    let options = ReadOptions::default().release(mlirbc::Release::named(release));
    let Ok(converted) = Module::from_source(converted.to_vec().into(), &options) else { return };
    let version = module.tables().bytecode().version();
    // Older releases store attributes instead of properties for operations that they do not know.
    if has_property_attribute(module) || roundtrip::has_equal_names(module) {
        return;
    }
    let Some((back, report)) = written(&converted, &own, Some(version), false) else { return };
    if !report.losses.is_empty() {
        return;
    }
    // If the original lacks a required property, converting back may add it.
    if written(module, &own, Some(BytecodeVersion::MAX), false).is_none() {
        return;
    }
    // Releases spell attributes of dlti differently, and parse all spellings; `vector.splat` is
    // `vector.broadcast` after 19.
    let is_respelled = |text: String| text.contains("#dlti.") || text.contains("\"vector.splat\"");
    if roundtrip::text(module).is_none_or(is_respelled) {
        return;
    }
    // All releases accept both names of segment sizes; unregistered operations have the name of the target. A terminator
    // that only one of the releases has comes back at the end of its block, with the location of the operation around it.
    const TERMINATOR: &str = "\"gpu.module_end\"() : () -> ()";
    let spelled = |text: String| {
        let text = text
            .replace("operand_segment_sizes", "operandSegmentSizes")
            .replace("result_segment_sizes", "resultSegmentSizes");
        text.lines().filter(|line| !line.contains(TERMINATOR)).collect::<Vec<_>>().join("\n")
    };
    let back = roundtrip::reopen(module, &back);
    roundtrip::compare_but_for_defaults(module, &back, spelled);
    let has_terminator = roundtrip::text(&back).is_none_or(|text| text.contains(TERMINATOR));
    if !has_terminator {
        facts::compare(module, &back, converted.tables().bytecode().version(), Release::Other);
    }
}

fn has_property_attribute(module: &Module) -> bool {
    let (Ok(top), Ok(texts)) = (module.operation(), EntryTexts::new(module)) else { return true };
    let mut texts = texts.ops();
    top.pre_order().any(|op| {
        let Ok(op) = op else { return true };
        let attributes = texts.op(op.name_id(), op.properties(), op.attribute_dictionary());
        attributes.map_or(true, |attributes| attributes.property_attribute.is_some())
    })
}

// The choice depends on the bytes of the file, so that files in the corpus need no prefix.
fn choice_of(data: &[u8]) -> u8 {
    data.iter().fold(0, |sum, &byte| sum.wrapping_add(byte))
}

fn target_of(data: &[u8]) -> &'static str {
    TARGETS[usize::from(choice_of(data)) % TARGETS.len()]
}

fn written(
    module: &Module,
    target: &str,
    version: Option<BytecodeVersion>,
    drop_unsupported: bool,
) -> Option<(Vec<u8>, WriteReport)> {
    let mut bytes = Vec::new();
    let report = module.write(&mut bytes, &options(target, version, drop_unsupported)).ok()?;
    Some((bytes, report))
}

fn options(target: &str, version: Option<BytecodeVersion>, drop_unsupported: bool) -> WriteOptions {
    WriteOptions::default()
        .numbering(Numbering::Canonical)
        .version(version)
        .target(mlirbc::Release::named(target.to_owned()))
        .drop_unsupported(drop_unsupported)
}
