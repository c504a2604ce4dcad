//! Compares a folder of texts with the bytes that MLIR writes for them, and prints a table of the
//! differences.

#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};

use mlirbc::parse::{ParseOptions, assemble};
use mlirbc::print::PrintOptions;
use mlirbc::{ErrorKind, Module};

/// Returns the bytes after the producer, whose patch version may differ.
fn without_producer(bytes: &[u8]) -> &[u8] {
    let end = bytes.iter().skip(5).position(|byte| *byte == 0).unwrap_or(0);
    &bytes[5 + end..]
}

// The folders for `llvm-22`, `llvm-19` and `llvm-16` are named after their numbers, others after the release.
fn releases(folder: &Path) -> Vec<(String, String)> {
    let entries = std::fs::read_dir(folder).unwrap();
    let mut releases: Vec<_> = entries
        .filter_map(|entry| entry.unwrap().file_name().into_string().ok())
        .map(|name| match name.parse::<u32>() {
            Ok(_) => (format!("llvm-{name}"), name),
            Err(_) => (name.clone(), name),
        })
        .filter(|(release, _)| mlirbc::props::known_releases().contains(release))
        .collect();
    releases.sort();
    releases.reverse();
    releases
}

fn texts(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let mut paths: Vec<_> = entries
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "mlir"))
        .filter(|path| path.with_extension("mlirbc").exists())
        .collect();
    paths.sort();
    paths
}

/// Returns the first name in backquotes of a message, for the table.
fn subject(message: &str) -> String {
    message.split('`').nth(1).unwrap_or_default().to_owned()
}

/// Returns the first lines in which two generic texts differ.
fn difference(ours: &[u8], theirs: &[u8]) -> String {
    let text = |bytes: &[u8]| -> mlirbc::Result<String> {
        let module = Module::from_bytes(bytes.to_vec())?;
        let mut text = Vec::new();
        module.print(&mut text, &PrintOptions::default().locations(true))?;
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

// `MLIRBC_ASSEMBLY_CORPUS` is a folder with a folder for each release (`22`, `iree-3.13`), each with CASE.mlir and
// CASE.mlirbc as `mlir-opt-22 FOLDER/22/CASE.mlir --emit-bytecode` writes it. `MLIRBC_ASSEMBLY_REPORT` gets the list of failures,
// `MLIRBC_ASSEMBLY_ONLY` is a part of the names of the cases, and `MLIRBC_ASSEMBLY_KEEP` a folder for bytes that differ.
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
    for (release, subfolder) in releases(&folder) {
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        let mut causes: BTreeMap<String, usize> = BTreeMap::new();
        for path in texts(&folder.join(&subfolder)) {
            let case = path.file_stem().unwrap().to_string_lossy().into_owned();
            if !case.contains(&only) {
                continue;
            }
            let text = std::fs::read(&path).unwrap();
            let theirs = std::fs::read(path.with_extension("mlirbc")).unwrap();
            let options = ParseOptions::default()
                .target(mlirbc::Release::named(release.clone()))
                .file(path.display().to_string());
            let result = std::panic::catch_unwind(|| assemble(&text, &options));
            // Operations of MLIR's own test dialect are not in the definitions.
            let has_test = {
                let generic = std::fs::read_to_string(path.with_extension("generic")).unwrap_or_default();
                generic.contains("\"test.")
                    || generic.contains("\"transform.test")
                    || text.windows(6).any(|part| part == b"#test." || part == b"!test.")
            };
            let (class, cause) = match result {
                Err(_) => ("panic", "panic".to_owned()),
                Ok(Ok(bytes)) if without_producer(&bytes) == without_producer(&theirs) => {
                    ("equal", String::new())
                }
                _ if has_test => ("test dialect", String::new()),
                Ok(Ok(bytes)) => {
                    if let Some(folder) = std::env::var_os("MLIRBC_ASSEMBLY_KEEP") {
                        let file = format!("{case}.{release}.mlirbc");
                        std::fs::write(PathBuf::from(folder).join(file), &bytes).unwrap();
                    }
                    ("other bytes", difference(&bytes, &theirs))
                }
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
            "{release}: {equal} of {total} equal, {:.1} %; {counts:?}",
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

/// Changes a text at a few positions that depend on the seed.
fn mutated(text: &[u8], mut seed: u64) -> Vec<u8> {
    let mut next = || {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        seed as usize
    };
    let mut text = text.to_vec();
    const PIECES: &[&[u8]] = &[
        b"(",
        b")",
        b"<",
        b">",
        b"[",
        b"]",
        b"{",
        b"}",
        b",",
        b":",
        b"%0",
        b"^bb0",
        b"@f",
        b"i32",
        b"->",
        b"\"",
        b"-1",
        b"affine_map<",
        b"0x",
    ];
    for _ in 0..1 + next() % 4 {
        if text.is_empty() {
            break;
        }
        let place = next() % text.len();
        match next() % 4 {
            0 => text.truncate(place),
            1 => drop(text.drain(place..(place + 1 + next() % 12).min(text.len()))),
            2 => drop(text.splice(place..place, PIECES[next() % PIECES.len()].iter().copied())),
            _ => {
                let from = next() % text.len();
                let part = text[from..(from + 1 + next() % 30).min(text.len())].to_vec();
                drop(text.splice(place..place, part));
            }
        }
    }
    text
}

// Every text is a module or an error with a line and a column, and never a panic.
#[test]
#[ignore = "needs a corpus of texts"]
fn mutated_texts_are_refused_with_a_place() {
    let folder = PathBuf::from(
        std::env::var_os("MLIRBC_ASSEMBLY_CORPUS").expect("MLIRBC_ASSEMBLY_CORPUS is a folder"),
    );
    let rounds: u64 =
        std::env::var("MLIRBC_ASSEMBLY_ROUNDS").ok().and_then(|text| text.parse().ok()).unwrap_or(3);
    let mut problems = BTreeMap::new();
    let mut count = 0;
    for (release, subfolder) in releases(&folder) {
        for (number, path) in texts(&folder.join(&subfolder)).iter().enumerate() {
            let text = std::fs::read(path).unwrap();
            if text.len() > 30_000 {
                continue;
            }
            for round in 0..rounds {
                let changed = mutated(&text, (number as u64 + 1) * 1_000_003 + round * 7919 + 1);
                let options = ParseOptions::default().target(mlirbc::Release::named(release.clone()));
                count += 1;
                let key = match std::panic::catch_unwind(|| assemble(&changed, &options)) {
                    Err(_) => "panic".to_owned(),
                    Ok(Err(error)) if error.text_place().is_none() && error.kind() != ErrorKind::Ir => {
                        error.to_string()
                    }
                    Ok(_) => continue,
                };
                problems.entry(key).or_insert_with(|| format!("{} round {round}", path.display()));
            }
        }
    }
    println!("{count} texts");
    assert!(problems.is_empty(), "{problems:#?}");
}
