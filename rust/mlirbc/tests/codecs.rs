//! Every row of every dialect table, with entries generated from noise: decoded entries are encoded to the
//! same bytes, and can be printed.

#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::collections::BTreeMap;

use mlirbc::Module;
use mlirbc::print::PrintOptions;
use mlirbc::smith::{TableRow, generate_module, recode, rows};

const INPUTS: u64 = 96;

/// Reproducible noise (xorshift), of a length that differs from seed to seed.
fn noise(row: &TableRow, seed: u64) -> Vec<u8> {
    let name = row.to_string();
    let mut state =
        name.bytes().fold(seed + 1, |state, byte| (state ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3));
    let len = [0, 4, 16, 64, 256, 1024][(seed % 6) as usize];
    let next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 24) as u8
    };
    std::iter::repeat_with(next).take(len).collect()
}

/// Runs `check` on every generated file, and names the one that failed.
fn every_file(check: impl Fn(&TableRow, &Module)) {
    struct Running(String);
    impl Drop for Running {
        fn drop(&mut self) {
            if std::thread::panicking() {
                eprintln!("{}", self.0);
            }
        }
    }
    for row in rows() {
        for seed in 0..INPUTS {
            let bytes = generate_module(&row, &noise(&row, seed));
            let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
            let _running = Running(format!("{row} ({}), seed {seed}: {hex}", row.name()));
            let module = Module::from_bytes(bytes).unwrap();
            check(&row, &module);
        }
    }
}

#[test]
fn every_row_is_decoded_and_encoded_to_the_same_bytes() {
    let counts = std::cell::RefCell::new(BTreeMap::<TableRow, u64>::new());
    every_file(|row, module| {
        module.verify().unwrap();
        let mut is_there = false;
        for entry in recode(module).unwrap() {
            let entry = entry.unwrap();
            assert_eq!(entry.encoded.unwrap(), entry.original, "{} changed", entry.row);
            assert!(entry.is_stable, "{} reads differently", entry.row);
            is_there |= entry.row == *row;
            *counts.borrow_mut().entry(entry.row).or_default() += 1;
        }
        assert!(is_there, "the row is not in its file");
    });
    let counts = counts.into_inner();
    for row in rows() {
        assert!(counts.get(&row).is_some_and(|&count| count >= INPUTS), "{row} is in too few files");
    }
}

#[test]
fn every_row_can_be_printed() {
    every_file(|_, module| {
        for locations in [false, true] {
            let mut text = Vec::new();
            let options = PrintOptions::generic().locations(locations).strict(true);
            let report = module.print(&mut text, &options).unwrap();
            assert!(report.faults.is_empty(), "{:?}", report.faults);
        }
    });
}

#[test]
fn the_same_noise_gives_the_same_file() {
    for row in rows() {
        let noise = noise(&row, 5);
        assert_eq!(generate_module(&row, &noise), generate_module(&row, &noise));
    }
}

#[test]
fn rows_are_found_by_their_text() {
    for row in rows() {
        assert_eq!(row.to_string().parse::<TableRow>().unwrap(), row);
    }
    assert!("builtin/attribute/99/0".parse::<TableRow>().is_err());
}
