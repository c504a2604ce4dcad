//! Printed text contains exactly the operations of the file, and no more text than allowed.

#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod support;

use mlirbc::limits::{Limits, TEXT_PER_BYTE};
use mlirbc::print::{PrintForm, PrintOptions};
use mlirbc::smith::count_operations;
use mlirbc::{ErrorKind, Module, ReadOptions};

use crate::support::{data, files};

fn printed(module: &Module, options: &PrintOptions) -> mlirbc::Result<Vec<u8>> {
    let mut text = Vec::new();
    module.print(&mut text, options).map(|_| text)
}

#[test]
fn text_has_the_operations_of_the_module_and_is_far_below_the_limit() {
    let (mut counted, mut most) = (0, 0);
    for path in files("tests/data") {
        let bytes = std::fs::read(&path).unwrap();
        let size = bytes.len();
        let Ok(module) = Module::from_bytes(bytes) else { continue };
        let Ok(root) = module.operation() else { continue };
        for locations in [false, true] {
            let options = PrintOptions::generic().locations(locations).strict(true);
            let Ok(text) = printed(&module, &options) else { continue };
            most = most.max(text.len() / size);
            match count_operations(&text) {
                Ok(found) => {
                    counted += 1;
                    assert_eq!(found, root.pre_order().flatten().count() as u64, "{}", path.display());
                }
                // MLIR prints some text that it cannot parse.
                Err(error) => {
                    let has_mark = text.windows(2).any(|pair| pair == b"<<");
                    assert!(has_mark, "{}: {error}", path.display());
                }
            }
        }
    }
    assert!(counted > 1500, "only {counted} texts were read");
    println!("{counted} texts, at most {most} bytes of text for a byte of the file");
    assert!(most < TEXT_PER_BYTE as usize / 8, "{most} bytes of text for a byte of the file");
}

#[test]
fn text_that_would_leave_its_place_is_marked() {
    let folder = data("hostile");
    let mut seen = 0;
    for path in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        let bytes = std::fs::read(&path).unwrap();
        if !bytes.windows(7).any(|bytes| bytes == b"evil.op") {
            continue;
        }
        seen += 1;
        let module = Module::from_bytes(bytes).unwrap();
        for form in [PrintForm::Custom, PrintForm::Generic] {
            let options = PrintOptions::default().form(form);
            let strict = options.clone().strict(true);
            let error = printed(&module, &strict).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::EntryText, "{}", path.display());
            let mut text = Vec::new();
            let report = module.print(&mut text, &options).unwrap();
            let text = String::from_utf8(text).unwrap();
            assert!(text.contains("<<UNREADABLE") && !text.contains("evil"), "{text}");
            assert_eq!(report.faults[0].kind(), ErrorKind::EntryText);
        }
    }
    assert_eq!(seen, 3);
}

#[test]
fn a_print_ends_at_the_limit_also_where_it_marks_faults() {
    for form in [PrintForm::Custom, PrintForm::Generic] {
        let form = PrintOptions::default().form(form);
        let text = printed(&Module::from_bytes(mlirbc::doc_example()).unwrap(), &form).unwrap();
        for (limit, is_fine) in [(text.len() as u64, true), (text.len() as u64 - 1, false)] {
            let limits = Limits::default().max_text(Some(limit));
            let options = ReadOptions::default().limits(limits);
            let module = Module::from_source(mlirbc::doc_example().into(), &options).unwrap();
            let again = printed(&module, &form);
            assert_eq!(again.err().map(|error| error.kind()), (!is_fine).then_some(ErrorKind::TextLimit));
        }
    }
}
