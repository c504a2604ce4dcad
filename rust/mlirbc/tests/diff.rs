//! Keys and differences of modules.

#![allow(missing_docs, clippy::unwrap_used, clippy::panic)]

mod support;

use mlirbc::Module;
use mlirbc::tool::{ChangeKind, DiffOptions, Difference, HashOptions, content_key, symbol_keys};

use crate::support::files;

fn open(name: &str) -> Module {
    Module::open(format!("../../tests/data/diff/{name}.mlirbc")).unwrap()
}

#[test]
fn a_module_is_equal_to_itself() {
    let mut count = 0;
    for path in files("tests/data").into_iter().chain(files("examples")) {
        let (Ok(one), Ok(other)) = (Module::open(&path), Module::open(&path)) else { continue };
        for locations in [false, true] {
            let options = HashOptions::default().locations(locations);
            // Damaged files have errors, and the same ones.
            let Ok(key) = content_key(&one, options) else { continue };
            assert_eq!(content_key(&other, options).unwrap(), key, "{}", path.display());
            let options = DiffOptions::default().locations(locations);
            let difference = Difference::of(&one, &other, &options).unwrap();
            assert!(difference.equal, "{}: {}", path.display(), difference.to_text(false));
            assert_eq!(difference.to_text(false), "");
            count += 1;
        }
    }
    assert!(count > 100, "{count} files");
}

#[test]
fn differences_of_any_two_files_are_found() {
    let paths: Vec<_> = files("tests/data/bytecode").into_iter().chain(files("tests/data/hostile")).collect();
    for pair in paths.windows(2) {
        let (Ok(before), Ok(after)) = (Module::open(&pair[0]), Module::open(&pair[1])) else { continue };
        let Ok(found) = Difference::of(&before, &after, &DiffOptions::default()) else { continue };
        let key = |module| content_key(module, HashOptions::default()).unwrap();
        assert_eq!(found.equal, key(&before) == key(&after), "{}", pair[0].display());
        assert!(found.to_html("a", "b").ends_with("</html>\n"));
    }
}

#[test]
fn edits_are_named() {
    let (before, after) = (open("before"), open("after"));
    let difference = Difference::of(&before, &after, &DiffOptions::default()).unwrap();
    let with_kind = |kind| difference.changes.iter().filter(move |change| change.kind == kind);
    let text = |kind| {
        with_kind(kind).map(|change| change.before.as_ref().or(change.after.as_ref()).unwrap().text.clone())
    };
    assert!(text(ChangeKind::Removed).any(|text| text.contains("func.func @gone")));
    assert!(text(ChangeKind::Added).any(|text| text.contains("func.func @added")));
    assert!(text(ChangeKind::Renamed).any(|text| text.contains("@old_name")));
    let constants = with_kind(ChangeKind::Changed)
        .flat_map(|change| &change.details)
        .find_map(|detail| detail.elements.clone());
    let elements = constants.unwrap();
    assert_eq!(
        (elements.count, elements.changed, elements.max, elements.mean),
        (4, 1, Some(0.5), Some(0.125))
    );
    assert_eq!(with_kind(ChangeKind::Changed).count(), 5);
    // The other way round, the same operations differ.
    let back = Difference::of(&after, &before, &DiffOptions::default()).unwrap();
    assert_eq!(
        (back.counts.added, back.counts.removed),
        (difference.counts.removed, difference.counts.added)
    );
    assert_eq!(back.counts.changed, difference.counts.changed);
}

#[test]
fn a_symbol_has_the_key_of_its_content() {
    let (before, after) = (open("before"), open("after"));
    let keys = |module: &Module| symbol_keys(module, HashOptions::default()).unwrap();
    let names: Vec<String> = keys(&before).into_iter().map(|row| row.0).collect();
    assert_eq!(names, ["@gone", "@scale", "@old_name"]);
    assert_ne!(keys(&before)[1], keys(&after)[0]);
    let options = |name: &str| DiffOptions::default().symbol(name.to_owned());
    assert_eq!(Difference::of(&before, &after, &options("gone")).unwrap().counts.removed, 1);
    let error = Difference::of(&before, &after, &options("none")).unwrap_err();
    assert_eq!(error.to_string(), "no module has the symbol `none`");
}

#[test]
fn writing_another_version_keeps_the_key() {
    use mlirbc::version::BytecodeVersion;
    use mlirbc::write::WriteOptions;
    let mut count = 0;
    for path in files("tests/data/bytecode/llvm-22") {
        let module = Module::open(&path).unwrap();
        let Ok(key) = content_key(&module, HashOptions::default()) else { continue };
        for version in 0..=6 {
            let options = WriteOptions::default().version(BytecodeVersion::new(version));
            let mut bytes = Vec::new();
            if module.write(&mut bytes, &options).is_ok() {
                let again = Module::from_bytes(bytes).unwrap();
                let difference = Difference::of(&module, &again, &DiffOptions::default()).unwrap();
                let new_key = content_key(&again, HashOptions::default()).unwrap();
                assert_eq!(new_key, key, "{} {version}: {}", path.display(), difference.to_text(false));
                assert!(difference.equal);
                count += 1;
            }
        }
    }
    assert!(count > 50, "{count} files");
}
