//! Reports of sizes: the sum is the file.

#![allow(missing_docs, clippy::unwrap_used, clippy::panic)]

mod support;

use mlirbc::Module;
use mlirbc::tool::{SizeReport, treemap_svg};

use crate::support::files;

#[test]
fn sections_sum_up_to_the_file() {
    let mut count = 0;
    for path in files("tests/data").into_iter().chain(files("examples")) {
        let Ok(module) = Module::open(&path) else { continue };
        if path.components().any(|part| part.as_os_str() == "hostile") {
            continue;
        }
        let Ok(report) = SizeReport::of(&module, true) else { panic!("{}", path.display()) };
        let sum: u64 = report.sections.iter().map(|row| row.size).sum();
        let size = module
            .container()
            .map_or(module.tables().bytecode().size(), |container| container.content_size());
        assert_eq!((sum, report.size), (size, size), "{}", path.display());
        // The reported size of a compressed file is the size of its decompressed content.
        if module.container().is_none_or(|container| container.compression().is_none()) {
            assert_eq!(size, std::fs::metadata(&path).unwrap().len(), "{}", path.display());
        }
        let inclusive: u64 = report.symbols.iter().map(|row| row.inclusive).sum();
        assert!(inclusive <= sum, "{}", path.display());
        let operations: u64 = report.operations.iter().map(|row| row.count).sum();
        assert_eq!(operations, module.op_counts().unwrap().iter().sum::<u64>());
        assert!(treemap_svg(&report, "name").ends_with("</svg>\n"));
        count += 1;
    }
    assert!(count > 50, "{count} files");
}

#[test]
fn damaged_files_have_no_report() {
    for path in files("tests/data/hostile") {
        let Ok(module) = Module::open(&path) else { continue };
        let report = SizeReport::of(&module, true);
        if let Ok(report) = report {
            assert_eq!(report.sections.iter().map(|row| row.size).sum::<u64>(), report.size);
        }
    }
}
