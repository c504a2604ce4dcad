//! Converting arbitrary files for other releases.
//!
//! | oracle | why it can fail |
//! |---|---|
//! | converting never panics and never hangs | any |
//! | what was written opens, and verifies when the original does | an entry that refers to one that was not translated |
//! | without the word to drop, what is written has lost nothing | a loss that is noted only where things are dropped |

use std::sync::Arc;

use mlirbc::{BytecodeVersion, Bytes, Module, Numbering, WriteOptions, WriteReport};

use crate::cost;

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
    let module = Arc::new(module);
    let is_sound = module.verify(&|_, _| {}).is_ok();
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
    if let (true, Err(error)) = (is_sound, again.verify(&|_, _| {})) {
        panic!("what was written for {target} does not verify: {error}");
    }
}

// Files of the corpus are taken as they are, so what to do with one is drawn from its bytes.
fn choice_of(data: &[u8]) -> u8 {
    data.iter().fold(0, |sum, &byte| sum.wrapping_add(byte))
}

fn target_of(data: &[u8]) -> &'static str {
    TARGETS[usize::from(choice_of(data)) % TARGETS.len()]
}

fn written(
    module: &Arc<Module>,
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
