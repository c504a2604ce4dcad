//! A folder of texts with the bytes that MLIR makes of them, as a table of what differs.

#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};

use mlirbc::parse::{ParseOptions, assemble};
use mlirbc::print::PrintOptions;
use mlirbc::{ErrorKind, Module};

/// The bytes after the producer, whose patch version differs.
fn without_producer(bytes: &[u8]) -> &[u8] {
    let end = bytes.iter().skip(5).position(|byte| *byte == 0).unwrap_or(0);
    &bytes[5 + end..]
}

fn texts(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let mut found: Vec<_> = entries
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "mlir"))
        .filter(|path| path.with_extension("mlirbc").exists())
        .collect();
    found.sort();
    found
}

/// The name in backquotes that a message has, for the table.
fn subject(message: &str) -> String {
    message.split('`').nth(1).unwrap_or_default().to_owned()
}

/// The lines of two generic texts from the first one that differs.
fn difference(ours: &[u8], theirs: &[u8]) -> String {
    let text = |bytes: &[u8]| -> mlirbc::Result<String> {
        let module = Module::from_bytes(bytes.to_vec())?;
        let mut text = Vec::new();
        module.print(&mut text, &PrintOptions { locations: true, ..PrintOptions::default() })?;
        Ok(String::from_utf8_lossy(&text).into_owned())
    };
    match (text(ours), text(theirs)) {
        (Ok(ours), Ok(theirs)) => {
            let pair = ours.lines().zip(theirs.lines()).find(|(ours, theirs)| ours != theirs);
            match pair {
                Some((ours, theirs)) => format!("\n    ours   {}\n    theirs {}", ours.trim(), theirs.trim()),
                None if ours == theirs => "equal text".to_owned(),
                None => "one text is longer".to_owned(),
            }
        }
        (Err(error), _) => format!("ours cannot be read: {error}"),
        (_, Err(error)) => format!("theirs cannot be read: {error}"),
    }
}

// `MLIRBC_ASSEMBLY_CORPUS` is a folder with a folder for each release (`22`), each with CASE.mlir and CASE.mlirbc as
// `mlir-opt-22 FOLDER/22/CASE.mlir --emit-bytecode` writes it. `MLIRBC_ASSEMBLY_REPORT` gets the list of failures,
// `MLIRBC_ASSEMBLY_ONLY` is a part of the names of the cases.
#[test]
#[ignore = "needs a corpus of texts"]
fn corpus_of_texts() {
    let folder = PathBuf::from(
        std::env::var_os("MLIRBC_ASSEMBLY_CORPUS").expect("MLIRBC_ASSEMBLY_CORPUS is a folder"),
    );
    let only = std::env::var("MLIRBC_ASSEMBLY_ONLY").unwrap_or_default();
    let mut report =
        std::env::var_os("MLIRBC_ASSEMBLY_REPORT").map(|path| std::fs::File::create(path).unwrap());
    let mut silent = 0;
    for release in ["22", "19", "16"] {
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        let mut causes: BTreeMap<String, usize> = BTreeMap::new();
        for path in texts(&folder.join(release)) {
            let case = path.file_stem().unwrap().to_string_lossy().into_owned();
            if !case.contains(&only) {
                continue;
            }
            let text = std::fs::read(&path).unwrap();
            let theirs = std::fs::read(path.with_extension("mlirbc")).unwrap();
            let options = ParseOptions {
                target: format!("llvm-{release}"),
                file: path.display().to_string(),
                ..ParseOptions::default()
            };
            let made = std::panic::catch_unwind(|| assemble(&text, &options));
            // Operations of MLIR's own test dialect are not in the definitions.
            let has_test = {
                let generic = std::fs::read_to_string(path.with_extension("generic")).unwrap_or_default();
                generic.contains("\"test.")
                    || generic.contains("\"transform.test")
                    || text.windows(6).any(|part| part == b"#test." || part == b"!test.")
            };
            let (class, cause) = match made {
                Err(_) => ("panic", "panic".to_owned()),
                Ok(Ok(bytes)) if without_producer(&bytes) == without_producer(&theirs) => {
                    ("equal", String::new())
                }
                _ if has_test => ("test dialect", String::new()),
                Ok(Ok(bytes)) => ("other bytes", difference(&bytes, &theirs)),
                Ok(Err(error)) => {
                    let class = match error.kind() {
                        ErrorKind::AsmForm => "unsupported",
                        _ => "error",
                    };
                    (class, error.to_string())
                }
            };
            *counts.entry(class).or_default() += 1;
            if !cause.is_empty() {
                if class == "other bytes" {
                    silent += 1;
                }
                let key = match class {
                    "other bytes" => class.to_owned(),
                    _ => format!("{class}: {}", subject(&cause)),
                };
                *causes.entry(key).or_default() += 1;
                if let Some(report) = &mut report {
                    writeln!(report, "{release} {class} {case}: {cause}").unwrap();
                }
            }
        }
        let total: usize =
            counts.iter().filter(|(class, _)| **class != "test dialect").map(|(_, count)| count).sum();
        let equal = counts.get("equal").copied().unwrap_or(0);
        println!(
            "llvm-{release}: {equal} of {total} equal, {:.1} %; {counts:?}",
            100.0 * equal as f64 / total.max(1) as f64
        );
        let mut causes: Vec<_> = causes.into_iter().collect();
        causes.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        for (cause, count) in causes.iter().take(60) {
            println!("  {count:5} {cause}");
        }
    }
    println!("{silent} texts become other bytes");
}
