//! Clones of top-level operations in a new module of the same or another form.
//!
//! | oracle | why it can fail |
//! |---|---|
//! | a clone that fails changes nothing | a check after the first change |
//! | written and read again, a clone has the operations and the resources of its source | an index of the other file |
//! | a snapshot and the written file print the same | bytes that only one of the two has |

use mlirbc::edit::{CloneOptions, Editor, InsertionPoint};
use mlirbc::file::ResourceValue;
use mlirbc::version::BytecodeVersion;
use mlirbc::{Module, Release, WriteOptions};

use crate::mutate::Noise;

/// The number of operations above which files are skipped: larger ones would only take longer.
const MAX_OPS: usize = 2000;

/// Clones some operations of a module that verifies.
///
/// # Panics
/// When a property does not hold.
pub(crate) fn check(module: &Module, noise: &mut Noise) {
    let Ok(counts) = module.op_counts() else { return };
    if counts.iter().sum::<u64>() > MAX_OPS as u64 {
        return;
    }
    let Ok(mut source) = Editor::new(module.clone()) else { return };
    let version = [module.tables().bytecode().version(), BytecodeVersion::MAX][noise.below(2)];
    let source_release = module.release().ok().and_then(|release| release.nearest().map(str::to_owned));
    let release =
        [source_release.as_deref().unwrap_or("llvm-22"), "llvm-22", "llvm-19"][noise.below(3)].to_owned();
    let Ok(mut target) = Editor::create_module(&Release::named(release), version, None) else { return };
    target.set_verification(false, false);
    let Ok(body) = target.operation().and_then(|op| target.body(op)) else { return };
    let top = source.operation().and_then(|op| source.body(op)).and_then(|block| source.operations(block));
    let options = CloneOptions::default().drop_unsupported(noise.below(2) == 0);
    let mut cloned = 0;
    for op in top.unwrap_or_default().into_iter().take(8) {
        // A clone that fails may leave strings and names in the tables.
        let before = target.snapshot().ok().and_then(|module| printed(&module));
        match target.clone_op_from(&mut source, op, Some(InsertionPoint::AtEnd(body)), &options) {
            Ok(_) => cloned += 1,
            Err(_) => {
                let after = target.snapshot().ok().and_then(|module| printed(&module));
                assert!(before == after, "a clone that failed changed the module");
            }
        }
    }
    let Some(bytes) = bytes_of(&mut target) else { return };
    let again = Module::from_bytes(bytes).unwrap_or_else(|error| panic!("a clone cannot be read: {error}"));
    let mut reader = Editor::new(again.clone()).expect("a module that was written");
    let clones = reader.operation().and_then(|op| reader.body(op)).and_then(|body| reader.operations(body));
    assert!(clones.is_ok_and(|operations| operations.len() == cloned), "there are not {cloned} clones");
    let (Ok(snapshot), Ok(resources)) = (target.snapshot(), again.resources()) else { return };
    assert!(printed(&snapshot) == printed(&again), "a snapshot and the written file print differently");
    for resource in resources.filter(|resource| !resource.is_external() && resource.has_data()).take(20) {
        let Ok(Some(ResourceValue::Blob { bytes, .. })) = resource.value() else { continue };
        let is_there = module.resources().is_ok_and(|mut all| {
            all.any(|one| {
                one.group() == resource.group()
                    && matches!(one.value(), Ok(Some(ResourceValue::Blob { bytes: known, .. })) if known == bytes)
            })
        });
        assert!(is_there, "the resource {:?} of a clone has other bytes", resource.key());
    }
}

fn bytes_of(editor: &mut Editor) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    editor.write(&mut bytes, &WriteOptions::default()).ok().map(|_| bytes)
}

fn printed(module: &Module) -> Option<Vec<u8>> {
    let mut text = Vec::new();
    module.print(&mut text, &mlirbc::print::PrintOptions::generic()).ok().map(|_| text)
}
