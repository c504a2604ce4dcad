//! Runs the oracle for printing and parsing on the files of the repository.

#![allow(clippy::expect_used)]

#[path = "../../rust/mlirbc/tests/support/mod.rs"]
mod support;

use mlirbc_fuzz::print_parse::run;

#[test]
fn every_file_is_the_same_module_as_text() {
    let mut count = 0;
    for folder in ["llvm-16/v0", "llvm-19/v6", "llvm-22/v6"] {
        for path in support::files(format!("tests/data/bytecode/{folder}")) {
            println!("{}", path.display());
            run(&std::fs::read(path).expect("a file of the repository"));
            count += 1;
        }
    }
    assert!(count > 100, "the test data are missing");
}
