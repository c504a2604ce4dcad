//! Errors about cases that do not fit into an integer are at the place that `mlir-opt` names.

#![allow(missing_docs, clippy::unwrap_used)]

use mlirbc::parse::{ParseOptions, parse};

fn refused(text: &str) -> (String, u64, u64) {
    let error = parse(text, &ParseOptions::default()).unwrap_err();
    let place = error.text_place().unwrap();
    (error.without_place(), place.line, place.column)
}

fn branches(operation: &str, flag: &str, cases: &str) -> String {
    let (function, end) = match operation {
        "llvm.switch" => ("llvm.func @f", "llvm.return"),
        "spirv.Switch" => ("spirv.func @f", "spirv.Return"),
        _ => ("func.func @f", "return"),
    };
    let (control, default) = match operation {
        "llvm.switch" => ("", ", ^b ["),
        "spirv.Switch" => (" \"None\"", ", [\n  default: ^b,"),
        _ => ("", ", [\n  default: ^b,"),
    };
    format!(
        "{function}(%a: {flag}){control} {{\n{operation} %a : {flag}{default}\n{cases}\n]\n^b:\n{end}\n}}\n"
    )
}

#[test]
fn a_case_that_does_not_fit_is_the_place_of_its_error() {
    const HUGE: &str = "99999999999999999999999999";
    for (operation, flag, line, number, bits) in [
        ("cf.switch", "i32", 5, HUGE, 64),
        ("cf.switch", "i128", 5, HUGE, 64),
        ("llvm.switch", "i32", 4, HUGE, 64),
        ("spirv.Switch", "si32", 5, HUGE, 64),
        ("cf.switch", "i8", 5, "300", 8),
        ("cf.switch", "i8", 5, "256", 8),
        ("llvm.switch", "i32", 4, "5000000000", 32),
    ] {
        let cases = format!("  1: ^b,\n    {number}: ^b");
        let expected = format!("`{number}` does not fit into an integer of {bits} bits");
        assert_eq!(refused(&branches(operation, flag, &cases)), (expected, line, 5), "{operation} {flag}");
    }
    for (operation, yields) in [("scf.index_switch", "scf.yield"), ("emitc.switch", "emitc.yield")] {
        let flag = if operation == "emitc.switch" { " : index" } else { "" };
        let text = format!(
            "func.func @f(%a: index) {{\n{operation} %a{flag}\ncase 1 {{ {yields} }}\ncase\n  {HUGE} {{ {yields} }}\ndefault {{}}\nreturn\n}}\n"
        );
        let expected = format!("`{HUGE}` does not fit into an integer of 64 bits");
        assert_eq!(refused(&text), (expected, 5, 3), "{operation}");
    }
    for (flag, fitting) in [
        ("i8", "-128: ^b"),
        ("i8", "255: ^b"),
        ("i8", "0xff: ^b"),
        ("i1", "1: ^b"),
        ("i63", "9223372036854775807: ^b"),
        ("i64", "9223372036854775807: ^b"),
    ] {
        parse(branches("cf.switch", flag, fitting), &ParseOptions::default()).unwrap();
    }
}

#[test]
fn a_number_that_is_not_there_is_missing_at_the_end_of_the_line_before() {
    let (message, line, column) = refused(&branches("cf.switch", "i8", "  1: ^b,\n  x: ^b"));
    assert!(message.contains("found the end of the line"), "{message}");
    assert_eq!((line, column), (4, 9));
}
