//! Printing arbitrary files.
//!
//! | oracle | why it can fail |
//! |---|---|
//! | printing never panics and never hangs, with locations or without | any |
//! | a strict print fails if and only if the other one fails or finds faults | faults that only one of them reports |
//! | generic text without faults has as many operations as the module, whatever names and texts it contains | text that ends its attribute and adds an operation |
//! | faults are marked in the text, and text without faults is the same in both | missing marks |
//! | a page to explore the module has as many beginnings of scripts as ends, whatever names it contains | text that is markup |
//! | an operation prints by itself if the module prints | state that only the top level sets up |

use std::io::{self, Write};

use mlirbc::bytes::Bytes;
use mlirbc::error::ErrorClass;
use mlirbc::print::{PrintForm, PrintOptions, PrintReport};
use mlirbc::tool::{ExploreOptions, explore};
use mlirbc::{Module, Result};

use crate::cost;

/// The length above which text is not checked: nesting makes long text of short files.
const CAP: usize = 1 << 20;

// Checks that a page of a file has only the elements that the writer of the page made.
fn explored(file: &Bytes) {
    let Ok(module) = Module::from_bytes(file.clone()) else { return };
    let mut page = Vec::new();
    let options = ExploreOptions::default().max_text(CAP as u64);
    if explore(&module, "a file", &options, &mut page).is_err() {
        return;
    }
    let page = String::from_utf8(page).expect("a page is text");
    let count = |what: &str| page.matches(what).count();
    assert_eq!(count("</script>"), count("\n<script"), "a name is markup");
    assert_eq!((count("<!"), count("</html>")), (1, 1), "a name is markup");
}

/// The number of operations that are printed by themselves.
const OPS: usize = 8;

/// Runs the oracle.
///
/// # Panics
/// When a property does not hold.
pub fn run(data: &[u8]) {
    cost::print(data);
    cost::explored(data);
    cost::alone(|| check(data));
}

fn check(data: &[u8]) {
    let file = Bytes::copy_from_slice(data);
    explored(&file);
    let forms = [
        (PrintForm::Generic, false),
        (PrintForm::Generic, true),
        (PrintForm::Custom, false),
        (PrintForm::Custom, true),
    ];
    for (form, locations) in forms {
        let options = PrintOptions::default().form(form).locations(locations);
        // Each print uses its own module, so that it cannot depend on entries that another print has decoded.
        let Some((loose, text)) = print(&file, &options) else { return };
        if text.is_full {
            // A single attribute may print megabytes before the limit is reached, so the text is printed only
            // once.
            return;
        }
        let Some((strict, strict_text)) = print(&file, &options.clone().strict(true)) else {
            return;
        };
        let has_faults = loose.as_ref().map_or(true, |report| !report.faults.is_empty());
        assert_eq!(has_faults, strict.is_err(), "printed: {loose:?}, strictly: {strict:?}");
        match &loose {
            Ok(report) if report.faults.is_empty() => {
                assert!(text.bytes == strict_text.bytes, "a strict print gives other text");
                if form == PrintForm::Generic {
                    count(&file, &text.bytes);
                }
            }
            Ok(_) => {
                assert!(text.bytes.windows(2).any(|pair| pair == b"<<"), "a fault is not marked: {loose:?}")
            }
            Err(_) => {}
        }
        if loose.is_ok() {
            print_alone(&file, &options.local_scope(true));
        }
    }
    let elided = PrintOptions::default().elide_resources_larger(Some(0)).elide_elements_larger(Some(2));
    let _ = print(&file, &elided);
    let _ = print(&file, &PrintOptions::default().skip_regions(true));
}

fn open(file: &Bytes) -> Option<Module> {
    Module::from_bytes(file.clone()).ok()
}

/// Compares the number of operations in the text and in the module.
fn count(file: &Bytes, text: &[u8]) {
    let Some(module) = open(file) else { return };
    let Ok(root) = module.operation() else { return };
    let count = root.pre_order().flatten().count() as u64;
    match mlirbc::smith::count_operations(text) {
        Ok(found) => assert_eq!(found, count, "operations in the text and in the module"),
        // MLIR cannot parse text with fault marks.
        Err(error) => assert!(text.windows(2).any(|pair| pair == b"<<"), "not generic text: {error}"),
    }
}

fn print_alone(file: &Bytes, options: &PrintOptions) {
    let Some(module) = open(file) else { return };
    let Ok(root) = module.operation() else { return };
    for op in root.pre_order().take(OPS).flatten() {
        let mut text = Text::default();
        let printed = op.print(&mut text, options);
        if text.is_full {
            // Without aliases, the text can be far longer than in the module.
            return;
        }
        assert!(printed.is_ok(), "printed in the module, not alone: {printed:?}");
    }
}

// Prints the file; `None` if it cannot be opened.
fn print(file: &Bytes, options: &PrintOptions) -> Option<(Result<PrintReport>, Text)> {
    let module = open(file)?;
    let mut text = Text::default();
    let result = module.print(&mut text, options);
    if let Err(error) = &result {
        assert!(
            error.class() != ErrorClass::Io || text.is_full,
            "an I/O error without a full sink: {error:?}"
        );
    }
    Some((result, text))
}

/// The text up to a limit.
#[derive(Default)]
struct Text {
    bytes: Vec<u8>,
    is_full: bool,
}

impl Write for Text {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.bytes.len() + bytes.len() > CAP {
            self.is_full = true;
            return Err(io::ErrorKind::StorageFull.into());
        }
        self.bytes.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
