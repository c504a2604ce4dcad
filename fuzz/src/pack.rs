//! Packs: lines of JSON that anybody may have written, and dumps of records.
//!
//! | oracle | why it can fail |
//! |---|---|
//! | nothing panics, hangs, or takes memory out of proportion to the input | formats that nest or repeat, circles of records |
//! | errors are of the classes for files and limits | errors of the caller or of the system in their place |
//! | warnings have lines of the file | a line that is counted wrongly |
//! | what is made of a dump is a pack without warnings | a name or a format that the reader refuses |
//! | what is made of declarations and of IRDL is a pack | a declaration or a constraint that the reader refuses |
//! | a pack does not differ from itself | rows that are read in two ways |

use mlirbc::Error;
use mlirbc::error::ErrorClass;
use mlirbc::limits::Limits;
use mlirbc::pack::{Pack, PackMaker, PackOptions};
use mlirbc::tool::add_irdl;

use crate::cost;

/// The limit on memory for one input.
const LIMIT: u64 = 16 << 20;

/// Runs the oracle.
///
/// # Panics
/// When a property does not hold.
pub fn run(input: &[u8]) {
    cost::alone(|| check(input));
}

fn check(input: &[u8]) {
    let limits = Limits::default().max_memory(Some(LIMIT)).max_decompressed(Some(LIMIT));
    match Pack::from_bytes(input, &limits) {
        Ok(pack) => {
            let lines = input.split(|byte| *byte == b'\n').count() as u64;
            let is_compressed = input.starts_with(&[0x1f, 0x8b]);
            for warning in pack.warnings() {
                assert!(warning.line > 0 && (is_compressed || warning.line <= lines), "{warning:?}");
            }
            for release in 0..pack.header().releases.len() {
                pack.coverage(release);
            }
            assert!(pack.differences(&pack).is_empty());
        }
        Err(error) => typed(&error),
    }
    declarations(input, &limits);
    let mut maker = maker();
    match maker.add_dump(input, &limits) {
        Ok(()) => {
            let text = maker.finish();
            let pack = Pack::from_bytes(text.as_bytes(), &Limits::default()).expect("a pack is made");
            // Names of records are any text.
            assert!(pack.warnings().len() < text.lines().count());
        }
        Err(error) => typed(&error),
    }
}

fn maker() -> PackMaker {
    let options = PackOptions {
        name: "fuzzed".to_owned(),
        release: "fuzzed-1".to_owned(),
        llvm: "llvm-22".to_owned(),
        ..PackOptions::default()
    };
    PackMaker::new(options).expect("the options are valid")
}

/// Takes the input for declarations of an author, and for a text in IRDL.
fn declarations(input: &[u8], limits: &Limits) {
    let mut declared = maker();
    if let Ok(text) = std::str::from_utf8(input)
        && let Err(error) = declared.add_extra(text)
    {
        typed(&error);
    }
    let mut irdl = maker();
    if add_irdl(&mut irdl, input, "fuzzed.mlir", limits).is_ok() {
        let pack = Pack::from_bytes(irdl.finish().as_bytes(), &Limits::default()).expect("a pack is made");
        pack.coverage(0);
    }
}

fn typed(error: &Error) {
    assert!(matches!(error.class(), ErrorClass::Invalid | ErrorClass::Limit), "{error:?}");
}
