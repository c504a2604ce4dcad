//! The oracles on modules that are generated from inputs.

use mlirbc_fuzz::generated::{self, MARK};
use mlirbc_fuzz::mutate::Noise;
use mlirbc_fuzz::targets::{Inputs, TARGETS, Target};

const INPUTS: u64 = 24;

fn inputs() -> impl Iterator<Item = Vec<u8>> {
    (0..INPUTS).map(|seed| {
        let mut noise = Noise::new(seed);
        let len = noise.below(1500);
        [MARK, seed as u8 + 1].into_iter().chain((0..len).map(|_| noise.below(256) as u8)).collect()
    })
}

#[test]
fn generated_modules_pass() {
    for input in inputs() {
        // `print_parse` and `convert` fail for some of them: custom text of `gpu.spmm` and `gpu.sddmm`, and artifacts.
        let is_checked = |target: &&Target| {
            target.inputs == Inputs::Bytecode && !["print_parse", "convert"].contains(&target.name)
        };
        for target in TARGETS.iter().filter(is_checked) {
            target.check(&input);
        }
    }
}

#[test]
fn only_inputs_with_the_mark_are_generated() {
    for input in inputs() {
        assert!(mlirbc::Module::from_bytes(generated::bytecode(&input).into_owned()).is_ok());
        assert_eq!(generated::bytecode(&input[1..]), &input[1..]);
    }
    assert!(generated::bytecode(&[]).is_empty());
}
