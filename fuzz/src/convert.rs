//! Converting arbitrary files for other releases.
//!
//! | oracle | why it can fail |
//! |---|---|
//! | converting never panics and never hangs | any |
//! | what was written opens, and verifies when the original does | an entry that refers to one that was not translated |
//! | without the word to drop, what is written has lost nothing | a loss that is noted only where things are dropped |
//! | as StableHLO and as an artifact what is written opens, and an artifact made from an artifact reads as it does | casts and uses that are renumbered wrongly |
//! | what was converted whole, and converted back whole, prints as the original does, but for properties that have their default | a translation that goes one way only |

use mlirbc::bytes::Bytes;
use mlirbc::convert::portable::{self, SerializeOptions};
use mlirbc::format::ir::{OpHead, OpSink};
use mlirbc::print::EntryTexts;
use mlirbc::progress::Progress;
use mlirbc::version::BytecodeVersion;
use mlirbc::write::{Numbering, PreparedWrite, WriteReport};
use mlirbc::{Module, ReadOptions, WriteOptions};

use crate::cost;
use crate::roundtrip;

pub(crate) const TARGETS: [&str; 6] = ["llvm-16", "llvm-19", "llvm-22", "jaxlib-0.10", "iree-3.13", "any"];

/// Runs the oracle.
///
/// # Panics
/// When it says no.
pub fn run(data: &[u8]) {
    let target = target_of(data);
    cost::convert(data, target);
    cost::alone(|| check(data, target));
}

fn check(data: &[u8], target: &str) {
    let version = BytecodeVersion::new(u64::from(choice_of(data) / 8 % 8));
    let Ok(module) = Module::from_bytes(Bytes::copy_from_slice(data)) else { return };
    check_portable(&module);
    // Without a release, any text may be a location, and none is checked.
    let has_release = module.release().is_ok_and(|release| release.name().is_some());
    let is_sound = has_release && module.verify().is_ok();
    let strictly = written(&module, target, version, false);
    if let Some((_, report)) = &strictly {
        assert!(report.losses.is_empty(), "something was left out without the word: {report:?}");
    }
    let Some((bytes, _)) = written(&module, target, version, true) else {
        assert!(strictly.is_none(), "dropping is refused where nothing has to be dropped");
        return;
    };
    let again = match Module::from_bytes(bytes) {
        Ok(again) => again,
        Err(error) => panic!("what was written for {target} cannot be opened: {error}"),
    };
    if let (true, Err(error)) = (is_sound, again.verify()) {
        panic!("what was written for {target} does not verify: {error}");
    }
    if let (true, Some((bytes, _))) = (is_sound, strictly) {
        check_content(&module, target, &bytes);
    }
}

fn check_portable(module: &Module) {
    let Ok(prepared) = portable::deserialize(module, &Progress::default()) else { return };
    let stablehlo =
        prepared.into_module().unwrap_or_else(|error| panic!("StableHLO cannot be opened: {error}"));
    let Ok(prepared) = portable::serialize(&stablehlo, &SerializeOptions::default()) else { return };
    let artifact =
        prepared.into_module().unwrap_or_else(|error| panic!("an artifact cannot be opened: {error}"));
    let again = portable::deserialize(&artifact, &Progress::default()).and_then(PreparedWrite::into_module);
    let again = again.unwrap_or_else(|error| panic!("an artifact cannot be read again: {error}"));
    let counts = [&stablehlo, &again].map(|module| {
        let mut count = Count(0);
        module.stream(&mut count).map(|()| count.0).ok()
    });
    assert_eq!(counts[0], counts[1], "an artifact has other operations");
}

struct Count(u64);

impl OpSink for Count {
    fn op(&mut self, _: OpHead) {
        self.0 += 1;
    }
}

// Releases spell one content in different ways, so it is compared in that of the original.
fn check_content(module: &Module, target: &str, converted: &[u8]) {
    let Some(own) = module.release().ok().and_then(|release| release.name().map(str::to_owned)) else {
        return;
    };
    // What every release reads is of none, and may read as any.
    let release = if target == "any" { own.clone() } else { target.to_owned() };
    let options = ReadOptions { release: Some(release), ..ReadOptions::default() };
    let Ok(converted) = Module::from_source(converted.to_vec().into(), &options) else { return };
    let version = module.bytecode().version();
    // Older releases have no properties of operations that they do not know, only attributes.
    if has_property_attribute(module) || roundtrip::has_equal_names(module) {
        return;
    }
    let Some((back, _)) = written(&converted, &own, Some(version), false) else { return };
    // Where it lacks a property that it requires, one that was added on the way back may repair it.
    if written(module, &own, Some(BytecodeVersion::MAX), false).is_none() {
        return;
    }
    // All releases take both names of segment sizes; operations that mlirbc does not know have the one of the target.
    let spelled = |text: String| {
        text.replace("operand_segment_sizes", "operandSegmentSizes")
            .replace("result_segment_sizes", "resultSegmentSizes")
    };
    roundtrip::compare_but_for_defaults(module, &roundtrip::reopen(module, &back), spelled);
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

// Files of the corpus are taken as they are, so what to do with one is drawn from its bytes.
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
    let options = WriteOptions {
        numbering: Numbering::Canonical,
        version,
        target: Some(target.to_owned()),
        drop_unsupported,
        ..WriteOptions::default()
    };
    let mut bytes = Vec::new();
    let report = module.write(&mut bytes, &options).ok()?;
    Some((bytes, report))
}
