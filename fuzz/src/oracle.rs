//! Independent ways to the same result: a second writer, and MLIR itself if it is installed.
//!
//! | oracle | why it can fail |
//! |---|---|
//! | a module whose operations were all changed and changed back is written with the canonical bytes of the file | an order that only one of the two writers keeps |
//! | a file that MLIR accepts is read | a rule that MLIR does not have |
//! | it prints as MLIR prints it | any |
//!
//! MLIR is used if [`VARIABLE`] names its `mlir-lsp-server`: one process answers for all inputs, because it
//! has a request that converts bytecode to text (`mlir/lib/Tools/mlir-lsp-server/MLIRServer.cpp`). It is
//! started again after each crash, which is not a finding here; `mlirbc diff-test` collects those.

use std::path::PathBuf;
use std::sync::{LazyLock, Mutex, PoisonError};

use mlirbc::edit::Editor;
use mlirbc::error::ErrorClass;
use mlirbc::print::{PrintForm, PrintOptions};
use mlirbc::write::Numbering;
use mlirbc::{Attribute, Module, ReadOptions, WriteOptions};

use crate::cost;
use crate::server::{Answer, Server};

/// The environment variable with the path of `mlir-lsp-server`, whose release the files are read for.
pub const VARIABLE: &str = "MLIRBC_FUZZ_MLIR";

/// The number of operations above which modules are not edited.
const MOST: usize = 2_000;

/// The length above which text is not compared: nesting makes long text of short files.
const CAP: usize = 1 << 20;

/// Runs the oracle.
///
/// # Panics
/// When a property does not hold.
pub fn run(data: &[u8]) {
    cost::alone(|| compare_writers(data));
    static SERVER: LazyLock<Option<Mutex<Server>>> = LazyLock::new(|| {
        let path = std::env::var_os(VARIABLE)?;
        let server = Server::start(PathBuf::from(path)).expect("the program that the variable names");
        Some(Mutex::new(server))
    });
    if let Some(server) = &*SERVER {
        // A panic for another input does not make the server unusable.
        compare_with(&mut server.lock().unwrap_or_else(PoisonError::into_inner), data);
    }
}

/// Compares the writer of files with the writer of edited modules.
fn compare_writers(data: &[u8]) {
    let Ok(module) = Module::from_bytes(data.to_vec()) else { return };
    if module.verify().is_err() {
        return;
    }
    let options = WriteOptions::default().numbering(Numbering::Canonical);
    let mut expected = Vec::new();
    if module.write(&mut expected, &options).is_err() {
        return;
    }
    let Ok(mut editor) = Editor::new(module) else { return };
    // An edited module must satisfy more rules than a file before it is written.
    if editor.verify_everything(false).is_err() || touch(&mut editor).is_none() {
        return;
    }
    let mut rewritten = Vec::new();
    match editor.write(&mut rewritten, &options) {
        Ok(_) => {
            assert!(rewritten == expected, "the writers disagree: {}", difference(&expected, &rewritten))
        }
        Err(error) => panic!("a module that was changed and changed back is not written: {error}"),
    }
}

/// Adds an attribute to each operation and removes it; `None` if an operation cannot be changed.
fn touch(editor: &mut Editor) -> Option<()> {
    const NAME: &str = "fuzz.touched";
    let unit = Attribute::parse("unit").ok()?;
    let mut pending = vec![editor.top_level()];
    let mut count = 0;
    while let Some(block) = pending.pop() {
        for op in editor.operations(block).ok()? {
            count += 1;
            if count > MOST || editor.attribute(op, NAME).ok()?.is_some() {
                return None;
            }
            editor.set_attribute(op, NAME, &unit).ok()?;
            editor.remove_attribute(op, NAME).ok()?;
            for region in editor.regions(op).ok()? {
                pending.extend(editor.blocks(region).ok()?);
            }
        }
    }
    Some(())
}

fn difference(expected: &[u8], found: &[u8]) -> String {
    let same = expected.iter().zip(found).take_while(|(one, two)| one == two).count();
    format!("{} and {} bytes, equal up to {same}", expected.len(), found.len())
}

/// Compares MLIR's answer for a file with ours.
fn compare_with(server: &mut Server, data: &[u8]) {
    let Ok(answer) = server.convert(data) else { return };
    let Answer::Accepted(expected) = answer else { return };
    // Operations of `test` are registered in some programs only, depending on the build.
    if expected.contains("test.") || expected.len() > CAP {
        return;
    }
    let options = ReadOptions::default().release(mlirbc::Release::named(server.release().to_owned()));
    let printed = Module::from_source(data.to_vec().into(), &options).and_then(|module| {
        let options = PrintOptions::default().form(PrintForm::Custom).locations(true).strict(true);
        let mut text = Vec::new();
        module.print(&mut text, &options).map(|_| text)
    });
    match printed {
        Ok(text) => {
            let (expected, text) = (expected.trim_end(), String::from_utf8_lossy(&text));
            // MLIR prints bytes after the end of an array, and escapes strings in the text of types.
            let has_control = text.chars().any(|letter| letter.is_control() && letter != '\n');
            if text.contains("<<ELEMENTS>>") || has_control || has_wide_number(&text) {
                return;
            }
            assert!(text.trim_end() == expected, "MLIR prints\n{expected}\nand we print\n{text}");
        }
        Err(error) if matches!(error.class(), ErrorClass::Unsupported | ErrorClass::Limit) => {}
        Err(error) => panic!("MLIR accepts a file that is refused here: {error}\n{expected}"),
    }
}

/// Whether a line, a column or the width of a type has more than 32 bits: MLIR silently drops the upper bits,
/// and mlirbc prints the whole number.
fn has_wide_number(text: &str) -> bool {
    let is_wide =
        |digits: &str| digits.parse::<u64>().map_or(digits.len() > 19, |number| number > u32::MAX.into());
    let mut before = '\0';
    text.split_inclusive(|letter: char| !letter.is_ascii_alphanumeric()).any(|part| {
        let word = part.trim_end_matches(|letter: char| !letter.is_ascii_alphanumeric());
        let is_place = std::mem::replace(&mut before, part.chars().last().unwrap_or_default()) == ':';
        let is_number = |word: &str| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
        let width = word.trim_start_matches(['s', 'u']).strip_prefix('i');
        is_place && is_number(word) && is_wide(word)
            || width.is_some_and(|width| is_number(width) && is_wide(width))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_that_mlir_cuts_are_found() {
        assert!(has_wide_number("loc(\"a\":1:4294967296)"));
        assert!(has_wide_number("%0 : si8589934592"));
        assert!(!has_wide_number("loc(\"a\":1:4294967295) 99999999999 : i64"));
    }

    #[test]
    fn a_writer_that_disagrees_is_reported() {
        assert_eq!(difference(b"abcd", b"abx"), "4 and 3 bytes, equal up to 2");
    }
}
