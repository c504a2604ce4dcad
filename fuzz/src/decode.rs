//! Attributes and types of arbitrary files: encoding reverses decoding.
//!
//! | oracle | why it can fail |
//! |---|---|
//! | decoding an entry never panics, whatever the file contains | any |
//! | decoded entries can be encoded | fields that a decoder makes and no encoder supports |
//! | encoded entries decode to the same fields, in the same layout | a decoder and an encoder that differ |
//!
//! The bytes may differ: a number can be stored in more bytes than it needs.

use mlirbc::{Module, smith};

use crate::cost;

/// Runs the oracle.
///
/// # Panics
/// When a property does not hold.
pub fn run(data: &[u8]) {
    cost::decode(data);
    cost::alone(|| check(data));
}

fn check(data: &[u8]) {
    let Ok(module) = Module::from_bytes(data.to_vec()) else { return };
    let Ok(entries) = smith::recode(&module) else { return };
    for entry in entries.into_iter().flatten() {
        let row = &entry.row;
        if let Err(error) = &entry.encoded {
            panic!("{row} ({}) cannot be encoded: {error}", row.name());
        }
        // Bytes of an older layout may fit a newer one after their numbers are written in the shortest form.
        assert!(entry.is_stable || row.layout() > 0, "{row} ({}) reads differently: {entry:?}", row.name());
    }
}
