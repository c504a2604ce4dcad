//! Modules are extracted from symbols, split and merged again.
//!
//! | oracle | why it can fail |
//! |---|---|
//! | an extracted module verifies, and has the symbol | something that was dropped and is used |
//! | all references that the module resolves are resolved in what is extracted | a reference that is not found |
//! | the parts of a module, merged again, have its content key | a part that lacks something, or has another order |

use mlirbc::edit::Editor;
use mlirbc::tool::symbols::{ExtractOptions, MergeOptions, Split, extract, merge, prepare};
use mlirbc::tool::{HashOptions, content_key};
use mlirbc::write::Numbering;
use mlirbc::{Module, WriteOptions};

use crate::mutate::Noise;

/// The number of operations above which modules are skipped: larger ones would only take longer.
const MAX_OPS: u64 = 2000;
const MAX_PARTS: usize = 40;

/// Extracts, splits and merges a module that verifies.
///
/// # Panics
/// When a property does not hold.
pub(crate) fn check(module: &Module, noise: &mut Noise) {
    if !module.op_counts().is_ok_and(|counts| counts.iter().sum::<u64>() <= MAX_OPS) {
        return;
    }
    let Ok(mut split) = Split::new(module) else { return };
    if split.parts().len() > MAX_PARTS {
        return;
    }
    let symbols: Vec<String> = split.parts().iter().flat_map(|part| part.symbols.clone()).collect();
    if !symbols.is_empty() {
        extracted(module, &symbols[noise.below(symbols.len())], noise.below(2) == 0);
    }
    let mut parts = Vec::new();
    for number in 0..split.parts().len() {
        // An operation with unknown layout, or one that is only valid at its place, cannot be copied.
        let Ok(mut editor) = split.editor(number) else { return };
        let Ok(made) = prepare(&mut editor, &Default::default()).and_then(|made| made.into_module()) else {
            return;
        };
        parts.push(made);
    }
    let options = MergeOptions::default().order(split.order());
    let Ok(mut merged) = merge(&parts, &options) else { return };
    let Ok(again) = prepare(&mut merged.editor, &Default::default()).and_then(|made| made.into_module())
    else {
        return;
    };
    // MLIR's writer omits resources that nothing uses.
    let options = WriteOptions::default().numbering(Numbering::Canonical);
    let Ok(whole) = module.prepare_write(&options).and_then(|made| made.into_module()) else { return };
    let key = |module: &Module| content_key(module, HashOptions::default().locations(true)).ok();
    if let (Some(one), Some(two)) = (key(&whole), key(&again)) {
        assert!(one == two, "parts that are merged again are another module");
    }
}

fn extracted(module: &Module, symbol: &str, declarations: bool) {
    let resolves = |module: &Module| {
        Editor::new(module.clone()).is_ok_and(|mut editor| editor.verify_everything(true).is_ok())
    };
    let Ok(mut found) = extract(module, &[symbol], ExtractOptions::default().declarations(declarations))
    else {
        return;
    };
    assert!(found.symbols.iter().any(|name| name == symbol), "the symbol was not extracted");
    let Ok(made) = prepare(&mut found.editor, &Default::default()).and_then(|made| made.into_module()) else {
        return;
    };
    if let Err(error) = made.verify() {
        panic!("what was extracted does not verify: {error}");
    }
    if found.unknown.is_empty() && resolves(module) {
        assert!(resolves(&made), "what was extracted refers to a symbol that was left out");
    }
}
