use std::io::Write;

use super::entry::{Elide, EntryPrinter, EntryStyle};
use super::out::Out;
use crate::dialect::entries::Entries;
use crate::print::PrintOptions;
use crate::release::Llvm;
use crate::test_module::module;
use crate::wire::limits::Limits;
use crate::{ErrorKind, Module, ReadOptions};

/// Counts the bytes of all writes, and of the largest one.
#[derive(Default)]
struct WriteCounter {
    total: usize,
    largest: usize,
}

impl Write for WriteCounter {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.total += bytes.len();
        self.largest = self.largest.max(bytes.len());
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// Nested operations with one region each.
fn nested(depth: usize) -> String {
    "07 10 01 05 03 01 05".repeat(depth) + "03 00 01"
}

#[test]
fn the_ends_of_nested_regions_are_handed_on_in_pieces() {
    let depth = 1500;
    let mut pieces = WriteCounter::default();
    module(6, &nested(depth), 1, 0).print(&mut pieces, &PrintOptions::generic()).unwrap();
    // The end of each region is indented by twice its depth.
    assert!(pieces.total > 2 * depth * depth, "{}", pieces.total);
    assert!(pieces.largest < 200 << 10, "{} of {}", pieces.largest, pieces.total);
}

#[test]
fn regions_of_one_isolated_operation_are_printed_once_each() {
    // Before version 2 the regions of isolated operations are not separate sections.
    for (version, flags) in [(0, 3), (6, 1)] {
        let block = format!("07 10 01 {:02x} {}", 3 << 2 | flags, "03 01 05 03 00 01".repeat(3));
        let mut text = Vec::new();
        module(version, &block, 1, 0).print(&mut text, &PrintOptions::generic()).unwrap();
        let text = String::from_utf8(text).unwrap();
        assert_eq!(text.matches("\"t.c\"() : () -> ()\n").count(), 3, "{text}");
    }
}

#[test]
fn what_saves_time_leaves_memory_for_what_is_needed() {
    let budget = Limits { max_memory: Some(1 << 20), ..Limits::default() }.budget(0);
    // The strings are short enough to be cached at once, and have 1.2 MB in total.
    let strings: Vec<_> = (0..3000).map(|number| format!("\"{number:0>400}\"")).collect();
    let text = format!("[{}]", strings.join(", "));
    let value = crate::Attribute::parse(&text).unwrap();
    let view = value.0.home.view().unwrap();
    let style = EntryStyle { release: Llvm::NEWEST, elide_elements: None };
    let mut printer = EntryPrinter::new(&view, style, u64::MAX).with_budget(&budget);
    // The array itself is created last; its parts would all lie on the stack.
    for index in 0..view.bounds().attributes - 1 {
        let mut out = Out::bounded(&budget);
        printer.attribute(&mut out, crate::format::id::AttrId::new(index), Elide::Never);
        out.finish().unwrap();
    }
    assert!(budget.memory_left() > 1 << 19, "{}", budget.memory_left());
}

#[test]
fn indentation_counts_as_text() {
    let bytes = crate::test_module::module_bytes(6, &nested(1500), 1, 0);
    let limits = Limits { max_text: Some(1 << 20), ..Limits::default() };
    let module =
        Module::from_source(bytes.into(), &ReadOptions { limits, ..ReadOptions::default() }).unwrap();
    let mut pieces = WriteCounter::default();
    let error = module.print(&mut pieces, &PrintOptions::generic()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::TextLimit);
    assert!(pieces.total <= 1 << 20, "{}", pieces.total);
}

// The texts are output of `mlir-opt` and of StableHLO's tools.
#[test]
fn attributes_are_printed_as_they_were_written() {
    for text in [
        "array<i1: true, false, true>",
        "array<i32: 1, -2, 3>",
        "array<f64: 1.000000e+00, -2.500000e+00>",
        "#sdy.op_sharding_rule<([ij, k, l])->([i, jk, l]) {i=4, j=6144, k=8192, l=16384}>",
        "#sdy.op_sharding_rule<([i, k], [k, j])->([i, j]) {i=8, j=16, k=32} reduction={k}>",
    ] {
        assert_eq!(crate::Attribute::parse(text).unwrap().to_string(), text);
    }
}
