use std::fmt::Write;
use std::path::{Path, PathBuf};

use super::*;
use crate::outline::Sizes;

/// Sizes for which short texts are divided.
const TINY: Sizes = Sizes { part: 0, operation: 60, run: 60 };

/// Sizes for which no text is divided.
const WHOLE: Sizes = Sizes { part: usize::MAX, operation: usize::MAX, run: 1 };

fn analysis(text: &str, sizes: Sizes, options: &ParseOptions) -> Analysis {
    let mut analysis = Analysis { sizes, ..Analysis::default() };
    analysis.update(text, &Lines::new(text), None, options);
    analysis
}

/// The errors, values and operations in positions of the document.
fn shown(analysis: &Analysis) -> (Vec<String>, Vec<String>, Vec<String>) {
    let (mut errors, mut values, mut operations) = (Vec::new(), Vec::new(), Vec::new());
    for piece in &analysis.pieces {
        let findings = &piece.findings;
        let error =
            |one: &crate::piece::Finding| format!("{:08} {}", piece.to_document(one.position), one.message);
        errors.extend(findings.errors.iter().map(error));
        let value = |one: &mlirbc::parse::SurveyedValue| {
            format!("{:08} {}#{} {}", piece.to_document(one.range.start), one.name, one.number, one.r#type)
        };
        values.extend(findings.values.iter().map(value));
        let operation = |one: &mlirbc::parse::SurveyedOperation| {
            format!(
                "{:08} {:?} {}",
                piece.to_document(one.name_start),
                piece.range_to_document(&one.range),
                one.name
            )
        };
        operations.extend(findings.operations.iter().map(operation));
    }
    errors.sort();
    values.sort();
    operations.sort();
    (errors, values, operations)
}

fn texts(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap().flatten() {
        let path = entry.path();
        if path.is_dir() {
            texts(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "mlir") {
            found.push(path);
        }
    }
}

// A text for each folder of test data, and the texts of a folder that `MLIRBC_TEXTS` names.
#[test]
fn divided_texts_have_the_findings_of_whole_ones() {
    let mut paths = Vec::new();
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data");
    let named_folder = std::env::var_os("MLIRBC_TEXTS").map(PathBuf::from);
    for folder in [data.join("mlir"), data.join("stablehlo")].into_iter().chain(named_folder) {
        texts(&folder, &mut paths);
    }
    paths.sort();
    let (mut divided, mut parts, mut differences) = (0, 0, String::new());
    for path in &paths {
        let Ok(text) = std::fs::read_to_string(path) else { continue };
        let options = ParseOptions::default();
        let options = match path.components().any(|part| part.as_os_str() == "stablehlo") {
            true => options.target("jaxlib-0.10".parse().unwrap()),
            false => options,
        };
        for part in text.split("// -----") {
            let (divided_text, whole_text) =
                (analysis(part, TINY, &options), analysis(part, WHOLE, &options));
            parts += 1;
            divided += usize::from(divided_text.pieces.len() > 1);
            // Where parsing stops early, pieces after that are parsed.
            if shown(&divided_text) != shown(&whole_text)
                && whole_text.pieces.iter().all(|piece| piece.findings.errors.is_empty())
            {
                let _ = writeln!(
                    differences,
                    "{}: {:#?}\n{:?}",
                    path.display(),
                    shown(&divided_text).0,
                    divided_text.pieces.iter().map(|piece| &piece.context).collect::<Vec<_>>()
                );
            }
        }
    }
    assert!(
        differences.is_empty(),
        "{} of {parts}, {divided} divided\n{differences}",
        differences.lines().count()
    );
    assert!(divided > 20, "{divided} of {parts} texts were divided");
}

fn program() -> String {
    let mut text = String::from("#map = affine_map<(d0) -> (d0)>\nmodule {\n");
    for function in 0..3 {
        let _ = writeln!(text, "  func.func @f{function}(%a: i32, %n: index) -> i32 {{");
        let mut last = "%a".to_owned();
        for number in 0..12 {
            let _ = writeln!(text, "    %{number} = arith.addi {last}, %a : i32");
            last = format!("%{number}");
        }
        let _ = writeln!(
            text,
            "    scf.for %i = %n to %n step %n {{\n      \"t.use\"(%i, %3) {{m = #map}} : (index, i32) -> ()"
        );
        let _ = writeln!(
            text,
            "      \"t.use\"(%i, {last}) : (index, i32) -> ()\n    }}\n    cf.br ^bb1({last} : i32)"
        );
        let _ = writeln!(text, "  ^bb1(%r: i32):\n    return %r : i32\n  }}");
    }
    text + "}\n"
}

#[test]
fn only_pieces_that_use_a_changed_value_are_parsed_again() {
    let text = program();
    let mut lines = Lines::new(&text);
    let options = ParseOptions::default();
    let mut analysis = Analysis { sizes: TINY, ..Analysis::default() };
    analysis.update(&text, &lines, None, &options);
    assert!(analysis.pieces.len() > 10);
    assert!(shown(&analysis).0.is_empty(), "{:?}", shown(&analysis).0);
    let before = analysis.parsed;
    let at = text.find("%5 = arith.addi %4, %a").unwrap() + 5;
    let edited = format!("{}arith.subi{}", &text[..at], &text[at + 10..]);
    lines.edit(&edited, at..at + 10, 10);
    analysis.update(&edited, &lines, Some(&Change { range: at..at + 10, inserted: 10 }), &options);
    let parsed = analysis.parsed - before;
    assert!(parsed > 0 && parsed < text.len() as u64 / 4, "{parsed} of {}", text.len());
}

#[test]
fn an_edit_of_a_long_function_parses_one_piece() {
    let mut text = String::from("func.func @f(%a: i32) -> i32 {\n  %0 = arith.addi %a, %a : i32\n");
    for number in 1..8000 {
        let _ = writeln!(text, "  %{number} = arith.addi %{}, %a : i32", number - 1);
    }
    text += "  return %7999 : i32\n}\n";
    let mut lines = Lines::new(&text);
    let options = ParseOptions::default();
    let mut analysis = analysis(&text, Sizes::default(), &options);
    assert!(shown(&analysis).0.is_empty(), "{:?}", shown(&analysis).0);
    let before = analysis.parsed;
    let start = text.find("addi %4000").unwrap();
    text.replace_range(start..start + 4, "subi");
    lines.edit(&text, start..start + 4, 4);
    analysis.update(&text, &lines, Some(&Change { range: start..start + 4, inserted: 4 }), &options);
    assert!(shown(&analysis).0.is_empty());
    let parsed = analysis.parsed - before;
    assert!(parsed > 0 && parsed < text.len() as u64 / 4, "{parsed} of {}", text.len());
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig::with_cases(60))]
    #[test]
    fn edits_give_the_state_of_a_fresh_parse(
        edits in proptest::collection::vec((0usize..3000, 0usize..12, "[%}{a0-3 =\n#]{0,6}"), 1..6)
    ) {
        let mut text = program();
        let mut lines = Lines::new(&text);
        let options = ParseOptions::default();
        let mut edited = analysis(&text, TINY, &options);
        for (start, length, inserted) in edits {
            let start = start.min(text.len());
            let end = (start + length).min(text.len());
            text.replace_range(start..end, &inserted);
            lines.edit(&text, start..end, inserted.len());
            edited.update(&text, &lines, Some(&Change { range: start..end, inserted: inserted.len() }), &options);
            let fresh = analysis(&text, TINY, &options);
            assert_eq!(shown(&edited), shown(&fresh), "{text}");
        }
    }
}
