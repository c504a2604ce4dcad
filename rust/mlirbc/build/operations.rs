//! Converts the operation definitions of `data/operations` to the form that the program contains.
//!
//! Releases define most operations alike. There is one list of constraints and one of operations, each sorted
//! by name, in which letters before a row mark the releases that have it: `abc {"op":"arith.addi",…}`. Rows
//! of one name are adjacent, so that compression can use their similarity. Tests of `ops::table` compare the
//! lists with the files.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::Path;

use super::{Result, files_in};

/// The letters of the releases that have a row, by the name in the row and the row.
type LettersByRow<'f> = BTreeMap<(&'f str, &'f str), String>;

pub fn merge(folder: &Path, out: &Path) -> Result<()> {
    let files = files_in(folder, "jsonl")?;
    if files.len() > 26 {
        return Err("more releases with operations than letters".into());
    }
    let (mut constraints, mut operations) = (LettersByRow::new(), LettersByRow::new());
    let mut dialects = BTreeMap::<&str, String>::new();
    let mut letters = String::new();
    for (letter, (release, text)) in ('a'..='z').zip(&files) {
        // The first line contains the name of the format.
        for row in text.lines().skip(1) {
            let name = name_of(row).ok_or_else(|| format!("{release}: no name: {row}"))?;
            let is_operation = row.starts_with("{\"op\"");
            let rows = if is_operation { &mut operations } else { &mut constraints };
            rows.entry((name, row)).or_default().push(letter);
            if is_operation {
                let dialect = name.split_once('.').map_or(name, |(dialect, _)| dialect);
                let dialect_letters = dialects.entry(dialect).or_default();
                if !dialect_letters.ends_with(letter) {
                    dialect_letters.push(letter);
                }
            }
        }
        writeln!(letters, "    ({release:?}, {letter:?}),")?;
    }
    let (constraints, operations) = (lines(constraints), lines(operations));
    fs::write(out.join("constraints.txt"), &constraints)?;
    fs::write(out.join("operations.txt"), &operations)?;
    let dialects: Vec<String> = dialects.into_iter().map(|(name, of)| format!("{of} {name}")).collect();
    fs::write(out.join("operation_dialects.txt"), dialects.join("\n"))?;
    let code = format!(
        "static LETTERS: [(&str, char); {}] = [\n{letters}];\n\n\
         static CONSTRAINTS: DefinitionRows = DefinitionRows {{ text: include_str!(\"constraints.txt\"), starts: &{:?} }};\n\
         static OPERATIONS: DefinitionRows = DefinitionRows {{ text: include_str!(\"operations.txt\"), starts: &{:?} }};\n\
         const DIALECTS: &str = include_str!(\"operation_dialects.txt\");\n",
        files.len(),
        starts(&constraints),
        starts(&operations),
    );
    fs::write(out.join("operations.rs"), code)?;
    Ok(())
}

// Returns the string at the beginning of a row, up to its first quotation mark, which searches compare.
fn name_of(row: &str) -> Option<&str> {
    let (_, rest) = row.split_once(":\"")?;
    rest.split_once('"').map(|(name, _)| name)
}

fn lines(rows: LettersByRow<'_>) -> String {
    let rows: Vec<String> = rows.into_iter().map(|((_, row), letters)| format!("{letters} {row}")).collect();
    rows.join("\n")
}

/// The places where the lines of a text start.
fn starts(text: &str) -> Vec<usize> {
    let after = text.match_indices('\n').map(|(place, _)| place + 1);
    std::iter::once(0).chain(after).collect()
}
