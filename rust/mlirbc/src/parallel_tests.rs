//! Work on several threads has the same result as on one thread, also for damaged files.

use std::fmt::Write;

use proptest::prelude::*;

use crate::ReadOptions;
use crate::edit::Editor;
use crate::format::ir::OpSink;
use crate::ir::Module;
use crate::parse::{ParseOptions, assemble};
use crate::print::{PrintForm, PrintOptions, PrintReport};
use crate::wire::error::{ErrorKind, Result};
use crate::wire::limits::Limits;
use crate::wire::parallel::on_threads;
use crate::wire::section::SectionId;
use crate::wire::version::BytecodeVersion;
use crate::write::{Numbering, WriteOptions};

/// Returns the text of a module of functions that is large enough for several threads in a test; `extra` adds
/// an operation to each function.
fn text_of(functions: usize, extra: impl Fn(usize) -> String) -> String {
    let mut text = "module {\n".to_owned();
    for function in 0..functions {
        writeln!(text, "func.func @f{function}(%a: i32) -> i32 {{").unwrap();
        text.push_str("%0 = \"t.first\"(%a) : (i32) -> i32\n");
        for op in 1..100 {
            let (before, key) = (op - 1, op % 7);
            writeln!(text, "%{op} = \"t.next\"(%{before}, %a) {{k = {key}}} : (i32, i32) -> i32").unwrap();
        }
        writeln!(text, "{}\nreturn %99 : i32\n}}", extra(function)).unwrap();
    }
    text.push_str("}\n");
    text
}

fn plain() -> Vec<u8> {
    let same = |function| format!("\"t.own\"() {{f = {function}}} : () -> ()");
    assemble(text_of(40, same), &ParseOptions::default()).unwrap()
}

fn read(bytes: &[u8]) -> Module {
    Module::from_bytes(bytes.to_vec()).unwrap()
}

fn generic(bytes: &[u8], limits: Limits) -> (Vec<u8>, Result<PrintReport>) {
    let options = ReadOptions { limits, ..ReadOptions::default() };
    let mut text = Vec::new();
    let module = Module::from_source(bytes.to_vec().into(), &options);
    let options = PrintOptions { form: PrintForm::Generic, ..PrintOptions::default() };
    let report = module.and_then(|module| module.print(&mut text, &options));
    (text, report)
}

/// Returns the text after checking that one and three threads produce the same; text before an error may end
/// at a different position.
fn same_text(bytes: &[u8], limits: &Limits) -> (Vec<u8>, Result<PrintReport>) {
    let (text, report) = on_threads(1, || generic(bytes, limits.clone()));
    let (parallel_text, parallel_report) = on_threads(3, || generic(bytes, limits.clone()));
    match (&report, &parallel_report) {
        (Ok(report), Ok(parallel_report)) => {
            assert!(text == parallel_text);
            let faults = |report: &PrintReport| {
                let faults = report.faults.iter();
                faults.map(|fault| (fault.to_string(), fault.path().map(str::to_owned))).collect::<Vec<_>>()
            };
            assert_eq!(faults(report), faults(parallel_report));
        }
        (Err(error), Err(parallel_report)) => assert_eq!(error.to_string(), parallel_report.to_string()),
        _ => panic!("{report:?} on one thread, {parallel_report:?} on three"),
    }
    (text, report)
}

#[test]
fn text_has_distinct_attributes_resources_and_long_parts_in_order() {
    let blob = "00".repeat(40 << 10);
    let extra = |function| match function % 10 {
        3 => format!("\"t.distinct\"() {{x = distinct[{function}]<{function} : i32>}} : () -> ()"),
        5 => {
            let key = 7 * function % 4;
            format!("\"t.resource\"() {{x = dense_resource<r{key}> : tensor<1xi8>}} : () -> ()")
        }
        8 if function > 20 => {
            format!("\"t.long\"() {{x = dense<\"0x{blob}\"> : tensor<40960xi8>}} : () -> ()")
        }
        _ => "\"t.none\"() : () -> ()".to_owned(),
    };
    let resources: Vec<String> = (0..4).map(|key| format!("r{key}: \"0x010000000{key}\"")).collect();
    let resources = format!("{{-# dialect_resources: {{builtin: {{{}}}}} #-}}", resources.join(", "));
    let text = format!("{}{resources}\n", text_of(40, extra));
    let bytes = assemble(text, &ParseOptions::default()).unwrap();
    let (text, report) = same_text(&bytes, &Limits::default());
    assert!(report.unwrap().faults.is_empty());
    // The text parses to the same module.
    let again = assemble(&text, &ParseOptions::default()).unwrap();
    assert_eq!(same_text(&again, &Limits::default()).0, text);
}

#[test]
fn limits_are_those_of_one_thread() {
    let bytes = plain();
    let (text, _) = same_text(&bytes, &Limits::default());
    for (most, is_fine) in [(text.len() as u64, true), (text.len() as u64 - 1, false), (9000, false)] {
        let limits = Limits { max_text: Some(most), ..Limits::default() };
        let (_, report) = same_text(&bytes, &limits);
        assert_eq!(report.err().map(|error| error.kind()), (!is_fine).then_some(ErrorKind::TextLimit));
    }
}

/// Returns the results of all other work that runs on several threads.
fn results(bytes: &[u8]) -> Vec<String> {
    let outcome =
        |result: Result<String>| result.unwrap_or_else(|error| format!("{error} {:?}", error.path()));
    let write = |options: &WriteOptions| {
        let mut written = Vec::new();
        read(bytes).write(&mut written, options).map(|_| format!("{written:?}"))
    };
    let canonical = WriteOptions { numbering: Numbering::Canonical, ..WriteOptions::default() };
    let older = WriteOptions { version: BytecodeVersion::new(4), ..WriteOptions::default() };
    vec![
        outcome(read(bytes).op_counts().map(|counts| format!("{counts:?}"))),
        outcome(read(bytes).decode_all(0).map(|()| String::new())),
        outcome(Editor::verify_unedited(&read(bytes)).map(|()| String::new())),
        outcome(write(&canonical)),
        outcome(write(&older)),
    ]
}

#[test]
fn counts_are_those_of_the_operations() {
    #[derive(Default)]
    struct Count(u64);
    impl OpSink for Count {
        fn op(&mut self, _: crate::format::ir::OpHead) {
            self.0 += 1;
        }
    }
    let module = read(&plain());
    let mut count = Count::default();
    module.stream(&mut count).unwrap();
    for threads in [1, 2, 5] {
        assert_eq!(on_threads(threads, || module.op_counts()).unwrap().iter().sum::<u64>(), count.0);
    }
}

#[test]
fn the_first_of_two_faults_is_reported() {
    let whole = plain();
    let counts = |bytes: &[u8], threads| {
        on_threads(threads, || read(bytes).op_counts()).map_err(|error| error.to_string())
    };
    let damaged = |places: &[usize]| {
        let mut bytes = whole.clone();
        places.iter().for_each(|&place| bytes[place] = 0xfe);
        bytes
    };
    let ir = read(&whole).tables().bytecode().section(SectionId::Ir).unwrap();
    let (start, end) = (ir.offset as usize, (ir.offset + ir.size) as usize);
    // The damage is in one of the first functions, and around or in the last ones.
    let first = (start + 1000..end).find(|&place| counts(&damaged(&[place]), 1).is_err()).unwrap();
    for second in (end - 4000..end).step_by(11) {
        let bytes = damaged(&[first, second]);
        assert_eq!(counts(&bytes, 3), counts(&bytes, 1), "{second}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(if cfg!(debug_assertions) { 24 } else { 200 }))]

    #[test]
    fn damaged_files_have_one_result(
        damage in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..3),
    ) {
        static BYTES: std::sync::OnceLock<Vec<u8>> = std::sync::OnceLock::new();
        let mut bytes = BYTES.get_or_init(plain).clone();
        for (place, byte) in damage {
            let place = place.index(bytes.len());
            bytes[place] = byte;
        }
        if Module::from_bytes(bytes.clone()).is_ok() {
            let _ = same_text(&bytes, &Limits::default());
            prop_assert_eq!(on_threads(1, || results(&bytes)), on_threads(3, || results(&bytes)));
        }
    }
}
