//! What is printed in custom form is parsed, and the reverse.

use std::collections::BTreeSet;

use crate::assembly;
use crate::ops::{FormatElement, OperationDefinition, OperationDefinitions, Syntax, UNKNOWN_DIRECTIVES};
use crate::parse::ParseOptions;
use crate::parse::frames::{AsmParser, Form, NONE, Pending};
use crate::print::has_printer;
use crate::release::Llvm;

// The number of the build of IREE is that of its LLVM.
const RELEASES: [(&str, u16); 5] =
    [("llvm-16", 16), ("llvm-19", 19), ("llvm-22", 22), ("llvm-23", 23), ("iree-3.13", 24)];

// MLIR prints an `emitc.expression` as one line that has the operations in its region, and an `omp.canonical_loop` with
// names that depend on the loops around it; both are printed in generic form, which any parser accepts.
const PARSED_ONLY: [(&str, u16); 5] = [
    ("emitc.expression", 22),
    ("emitc.expression", 23),
    // Without the attributes that IREE's build has in a list.
    ("llvm.mlir.ifunc", 24),
    ("omp.canonical_loop", 22),
    ("omp.canonical_loop", 23),
];

// Whether functions read the directives of a format, or are known to be missing.
fn has_directives(definition: &OperationDefinition, elements: &[FormatElement]) -> bool {
    elements.iter().all(|element| match element {
        FormatElement::Custom(name, _) => {
            assembly::Directive::of(definition.name(), name).is_some()
                || UNKNOWN_DIRECTIVES.contains(&&**name)
        }
        FormatElement::Group { then, otherwise, .. } => {
            has_directives(definition, then) && has_directives(definition, otherwise)
        }
        FormatElement::OrderIndependent(clauses) => {
            clauses.iter().all(|clause| has_directives(definition, clause))
        }
        _ => true,
    })
}

// Begins the form of an operation before an empty text, and looks for each of its directives.
fn has_parser(parser: &mut AsmParser<'_>, definition: &OperationDefinition) -> bool {
    let Ok(info) = parser.info(definition.name().as_bytes(), 0) else { return false };
    let pending = || Pending {
        info: info.clone(),
        position: 0,
        location: 0,
        results: Vec::new(),
        operands: Vec::new(),
        successors: Vec::new(),
        properties: NONE,
        attributes: Vec::new(),
        regions: Vec::new(),
        block: 0,
        form: Form::Generic,
        default_dialect: None,
    };
    // Others are parsed by a function in place of their declared format.
    let is_declared = !super::INSTEAD.contains(&definition.name());
    let elements = definition.assembly().filter(|_| is_declared).unwrap_or_default();
    parser.begin_custom(&pending()).is_ok() && has_directives(definition, elements)
}

// The rows of operations that are printed only, by name and release.
fn known() -> Vec<(&'static str, Vec<u16>, &'static str)> {
    let rows =
        include_str!("../../../data/operations/not_parsed.tsv").lines().filter(|row| !row.starts_with('#'));
    rows.map(|row| {
        let columns: Vec<_> = row.split('\t').collect();
        let releases = columns[1].split(' ').map(|number| number.parse().unwrap()).collect();
        (columns[0], releases, columns[2])
    })
    .collect()
}

// Writes the rows without those that are parsed now.
fn rewrite(found: &BTreeSet<(String, u16)>) {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/data/operations/not_parsed.tsv");
    let text = std::fs::read_to_string(path).unwrap();
    let head: String =
        text.lines().filter(|row| row.starts_with('#')).map(|row| format!("{row}\n")).collect();
    let rows = known().into_iter().filter_map(|(name, releases, reason)| {
        let left: Vec<_> =
            releases.iter().filter(|number| found.contains(&(name.to_owned(), **number))).collect();
        let numbers: Vec<_> = left.iter().map(ToString::to_string).collect();
        (!left.is_empty()).then(|| format!("{name}\t{}\t{reason}\n", numbers.join(" ")))
    });
    std::fs::write(path, head + &rows.collect::<String>()).unwrap();
}

// A format has a printer and a parser, or a row that says why it has no parser.
#[test]
fn what_is_printed_is_parsed() {
    let (mut printed, mut parsed) = (BTreeSet::new(), BTreeSet::new());
    for (release, number) in RELEASES {
        let definitions = OperationDefinitions::of(release).unwrap();
        let options = ParseOptions { target: release.into(), ..ParseOptions::default() };
        let mut parser = AsmParser::new(b"", &options).unwrap();
        for name in definitions.names() {
            let definition = definitions.get(name).unwrap();
            // What a build includes is that of the release.
            if matches!(definition.syntax(), Syntax::Generic) || definitions.is_included(name) {
                continue;
            }
            let is_printed = has_printer(&definition, Llvm(number.into()));
            match (is_printed, has_parser(&mut parser, &definition)) {
                (true, false) => printed.insert((name.to_owned(), number)),
                (false, true) => parsed.insert((name.to_owned(), number)),
                _ => continue,
            };
        }
    }
    assert_eq!(
        parsed,
        PARSED_ONLY.map(|(name, number)| (name.to_owned(), number)).into(),
        "parsed but not printed"
    );
    let known = known();
    let known: BTreeSet<_> = known
        .iter()
        .flat_map(|(name, releases, _)| releases.iter().map(|number| ((*name).to_owned(), *number)))
        .collect();
    let new: Vec<_> = printed.difference(&known).collect();
    assert!(new.is_empty(), "printed but not parsed, and without a row: {new:?}");
    if std::env::var_os("MLIRBC_REWRITE").is_some() {
        return rewrite(&printed);
    }
    let stale: Vec<_> = known.difference(&printed).collect();
    assert!(stale.is_empty(), "parsed now; MLIRBC_REWRITE=1 removes their rows: {stale:?}");
}
