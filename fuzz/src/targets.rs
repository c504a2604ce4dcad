//! The table of all oracles, and the choice of one for an input.
//!
//! The entry point for fuzzing engines, the replay command, the tests, `scripts/fuzz` and the workflow take the oracles
//! from here; shell scripts read the copy in `targets.tsv`, which `tests/targets.rs` keeps current. This module does not
//! know what an oracle checks.

use crate::{
    container, convert, cost, decode, edit, fallback, generated, layout, lsp, oracle, pack, parse, print,
    print_parse, read, roundtrip, safetensors, tables,
};

/// The environment variable that selects an oracle by name.
pub const VARIABLE: &str = "MLIRBC_FUZZ_TARGET";

/// The kind of a target's inputs, which decides how they are mutated and where seeds come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Inputs {
    /// Bytecode files, whose sections keep correct sizes under mutation, and decisions that make one.
    Bytecode,
    /// Other bytes, mutated blindly.
    Bytes,
    /// MLIR text, mutated blindly.
    Text,
}

impl Inputs {
    /// Returns the name in `targets.tsv`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Bytecode => "bytecode",
            Self::Bytes => "bytes",
            Self::Text => "text",
        }
    }
}

/// An oracle with its inputs.
#[derive(Debug, Clone, Copy)]
pub struct Target {
    /// The name for [`VARIABLE`] and the scripts; also the name of the folder in `regressions/`.
    pub name: &'static str,
    /// The oracle; panics if the property does not hold for an input.
    pub run: fn(&[u8]),
    /// The kind of inputs.
    pub inputs: Inputs,
    /// Folders of the repository with seeds.
    pub seeds: &'static [&'static str],
    /// The property that is checked.
    pub property: &'static str,
}

impl Target {
    /// Checks the property for an input; bytecode targets also accept the inputs of [`generated`].
    pub fn check(&self, input: &[u8]) {
        match self.inputs {
            Inputs::Bytecode => (self.run)(&cost::alone(|| generated::file_of(input))),
            Inputs::Bytes | Inputs::Text => (self.run)(input),
        }
    }
}

const FILES: &[&str] = &["tests/data/bytecode", "tests/data/hostile"];
const CONTAINERS: &[&str] = &["tests/data/containers", "examples", "tests/data/nested"];
const TEXTS: &[&str] = &["tests/data/mlir", "tests/data/dialects", "tests/data/stablehlo", "tests/data/iree"];

const PACKS: &[&str] = &["tests/data/packs", "tests/data/packs/irdl"];

/// All oracles. The order determines which first byte selects which oracle, so new ones are added at the end.
pub const TARGETS: [Target; 16] = [
    Target {
        name: "read",
        run: read::run,
        inputs: Inputs::Bytecode,
        seeds: FILES,
        property: "arbitrary bytes end in a module or an error, and every way of reading gives the same",
    },
    Target {
        name: "container",
        run: container::run,
        inputs: Inputs::Bytes,
        seeds: CONTAINERS,
        property: "containers that lie about lengths and offsets end in typed errors, and are written as they were, with the modules inside attributes",
    },
    Target {
        name: "decode",
        run: decode::run,
        inputs: Inputs::Bytecode,
        seeds: FILES,
        property: "encoding what the dialect tables decode gives the same fields",
    },
    Target {
        name: "print",
        run: print::run,
        inputs: Inputs::Bytecode,
        seeds: FILES,
        property: "printed text has the operations of the module, and faults are marked",
    },
    Target {
        name: "print_parse",
        run: print_parse::run,
        inputs: Inputs::Bytecode,
        seeds: FILES,
        property: "custom text parses to the module of the generic text",
    },
    Target {
        name: "parse",
        run: parse::run,
        inputs: Inputs::Text,
        seeds: TEXTS,
        property: "arbitrary text ends in a module or an error with a line and a column",
    },
    Target {
        name: "roundtrip",
        run: roundtrip::run,
        inputs: Inputs::Bytecode,
        seeds: FILES,
        property: "preserving gives the same bytes; canonical writing is stable and prints the same",
    },
    Target {
        name: "convert",
        run: convert::run,
        inputs: Inputs::Bytecode,
        seeds: FILES,
        property: "what was converted without loss, and converted back, prints the same",
    },
    Target {
        name: "edit",
        run: edit::run,
        inputs: Inputs::Bytecode,
        seeds: FILES,
        property: "edited modules verify; edits that are undone give the original text",
    },
    Target {
        name: "fallback",
        run: fallback::run,
        inputs: Inputs::Bytes,
        seeds: FILES,
        property: "files return unchanged, whatever encodings are declared",
    },
    Target {
        name: "layout",
        run: layout::run,
        inputs: Inputs::Bytes,
        seeds: &["tests/data/bytecode", "tests/data/hostile", "tests/data/layout"],
        property: "types and specifications have consistent answers",
    },
    Target {
        name: "oracle",
        run: oracle::run,
        inputs: Inputs::Bytecode,
        seeds: FILES,
        property: "two writers give the same bytes; where MLIR is installed, it accepts no more and prints the same",
    },
    Target {
        name: "safetensors",
        run: safetensors::run,
        inputs: Inputs::Bytes,
        seeds: &["tests/data/weights", "tests/data/parameters"],
        property: "headers that lie end in typed errors; tensors cover the data once",
    },
    Target {
        name: "tables",
        run: tables::run,
        inputs: Inputs::Bytecode,
        seeds: FILES,
        property: "the tables of any file have the rows of the module, or end in an error, within their limits",
    },
    Target {
        name: "pack",
        run: pack::run,
        inputs: Inputs::Bytes,
        seeds: PACKS,
        property: "packs from strangers end in rows, warnings with lines, or typed errors, within their limits",
    },
    Target {
        name: "lsp",
        run: lsp::run,
        inputs: Inputs::Text,
        seeds: &["tests/data/mlir", "tests/data/stablehlo"],
        property: "any client gets an answer to each request, and never ends the server",
    },
];

/// Returns the oracle of this name.
pub fn named(name: &str) -> Option<&'static Target> {
    TARGETS.iter().find(|target| target.name == name)
}

/// Returns the oracle that the first byte of an input selects, and the remaining input; `None` for an empty
/// input.
pub fn dispatch(data: &[u8]) -> Option<(&'static Target, &[u8])> {
    let (&first, rest) = data.split_first()?;
    TARGETS.get(usize::from(first) % TARGETS.len()).map(|target| (target, rest))
}

/// Returns the input that [`dispatch`] splits into this oracle and these bytes.
///
/// # Panics
/// When the oracle is not in the table.
pub fn tagged(target: &Target, data: &[u8]) -> Vec<u8> {
    let place = TARGETS.iter().position(|one| one.name == target.name).expect("a row of the table");
    [&[place as u8][..], data].concat()
}

/// Returns the contents of `targets.tsv`: name, kind of inputs, seeds, property.
pub fn table() -> String {
    let row = |target: &Target| {
        format!(
            "{}\t{}\t{}\t{}\n",
            target.name,
            target.inputs.name(),
            target.seeds.join(" "),
            target.property
        )
    };
    TARGETS.iter().map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique() {
        for target in &TARGETS {
            assert_eq!(
                TARGETS.iter().filter(|other| other.name == target.name).count(),
                1,
                "{}",
                target.name
            );
        }
    }

    #[test]
    fn a_tagged_input_selects_its_target() {
        for target in &TARGETS {
            let input = tagged(target, b"rest");
            let (selected, rest) = dispatch(&input).unwrap();
            assert_eq!((selected.name, rest), (target.name, &b"rest"[..]));
        }
        assert!(dispatch(&[]).is_none());
        assert!((0..=255).all(|first| dispatch(&[first]).is_some()));
    }
}
