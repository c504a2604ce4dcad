//! The entry point of `cargo fuzz run read`.

#![no_main]

use libfuzzer_sys::{fuzz_mutator, fuzz_target, fuzzer_mutate};
use mlirbc_fuzz::mutate::{Noise, edit, framed};
use mlirbc_fuzz::read;

fuzz_target!(|data: &[u8]| read::run(data));

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    mutate(data, size, max_size, seed)
});

// One in four mutations is blind; the others keep the framing.
fn mutate(data: &mut [u8], size: usize, max_size: usize, seed: u32) -> usize {
    let mut noise = Noise::new(seed.into());
    if noise.below(4) == 0 {
        return fuzzer_mutate(data, size, max_size);
    }
    let mut file = data[..size].to_vec();
    let is_changed = framed(&mut file, &mut noise, |piece, noise| {
        if noise.below(2) == 0 {
            return edit(piece, noise);
        }
        let len = piece.len();
        piece.resize(len + 16, 0);
        let len = fuzzer_mutate(piece, len, len + 16);
        piece.truncate(len);
    });
    if !is_changed || file.len() > max_size {
        return fuzzer_mutate(data, size, max_size);
    }
    data[..file.len()].copy_from_slice(&file);
    file.len()
}
