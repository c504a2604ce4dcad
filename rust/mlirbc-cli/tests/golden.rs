//! Runs commands and compares their output with `tests/cli` and the reference pages of the command.
//!
//! `TRYCMD=overwrite cargo test -p mlirbc-cli --test golden` writes what they write now; review the difference.

#![allow(clippy::unwrap_used, clippy::panic)]

mod support;

// A single test, because the current directory belongs to the process.
#[test]
fn commands_write_what_they_did() {
    std::env::set_current_dir(support::root()).unwrap();
    trycmd::TestCases::new()
        .case("tests/cli/*.md")
        .case("docs/reference/cli.md")
        .case("docs/reference/cli-output.md");
}
