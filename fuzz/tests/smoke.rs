//! The oracles on every file there is, and on mutations of them, with any compiler.

#![allow(clippy::expect_used)]

#[path = "../../rust/mlirbc/tests/support/mod.rs"]
mod support;

use std::path::{Path, PathBuf};

use mlirbc_fuzz::cost;
use mlirbc_fuzz::mutate::{Noise, edit, framed};
use mlirbc_fuzz::{container, convert, decode, edit as edits, fallback, layout, print, read, roundtrip};

const MUTATIONS: u64 = 45_000;

fn files(folder: &str) -> Vec<(PathBuf, Vec<u8>)> {
    // Reading them takes memory, while another test measures.
    cost::alone(|| read_files(folder))
}

fn read_files(folder: &str) -> Vec<(PathBuf, Vec<u8>)> {
    let read = |path: PathBuf| {
        let bytes = std::fs::read(&path).expect("a file of the repository");
        (path, bytes)
    };
    support::files(folder).into_iter().map(read).collect()
}

fn seeds() -> Vec<(PathBuf, Vec<u8>)> {
    let mut seeds = files("tests/data/bytecode");
    seeds.extend(files("tests/data/hostile"));
    assert!(seeds.len() > 1000, "the test data are missing");
    seeds
}

// Says which input failed.
struct Running<'a>(&'a Path, &'a [u8]);

impl Drop for Running<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            let hex: String = self.1.iter().map(|byte| format!("{byte:02x}")).collect();
            eprintln!("{}, {} bytes: {hex}", self.0.display(), self.1.len());
        }
    }
}

fn run(path: &Path, bytes: &[u8]) {
    let _running = Running(path, bytes);
    read::run(bytes);
    decode::run(bytes);
    print::run(bytes);
    roundtrip::run(bytes);
    convert::run(bytes);
    edits::run(bytes);
    layout::run(bytes);
}

#[test]
fn every_seed_passes() {
    for (path, bytes) in seeds() {
        run(&path, &bytes);
    }
}

#[test]
fn every_regression_passes_in_every_variation() {
    for (path, bytes) in files("fuzz/regressions/read") {
        for variation in 0..read::VARIATIONS {
            let _running = Running(&path, &bytes);
            read::run_as(&bytes, variation);
        }
    }
    let others = [
        "fuzz/regressions/decode",
        "fuzz/regressions/print",
        "fuzz/regressions/roundtrip",
        "fuzz/regressions/layout",
    ];
    for (path, bytes) in others.into_iter().flat_map(files) {
        run(&path, &bytes);
    }
}

#[test]
fn schemes_pass_on_every_seed_and_on_blobs() {
    let seeds: Vec<_> = seeds().into_iter().filter(|(_, bytes)| bytes.len() < 6000).collect();
    for (round, (path, bytes)) in seeds.iter().enumerate() {
        let mut noise = Noise::new(round as u64);
        let recipe: Vec<u8> = (0..noise.below(64)).map(|_| noise.below(256) as u8).collect();
        let head = [&[recipe.len() as u8][..], &recipe].concat();
        for rest in [&bytes[..], &bytes[bytes.len() / 2..]] {
            let data = [&head, rest].concat();
            let _running = Running(path, &data);
            fallback::run(&data);
        }
    }
}

#[test]
fn mutations_pass() {
    let seeds: Vec<_> = seeds().into_iter().filter(|(_, bytes)| bytes.len() < 6000).collect();
    for round in 0..MUTATIONS {
        let mut noise = Noise::new(round);
        let (path, bytes) = &seeds[noise.below(seeds.len())];
        let mut bytes = bytes.clone();
        for _ in 0..=noise.below(4) {
            let is_framed = noise.below(8) > 0 && framed(&mut bytes, &mut noise, edit);
            if !is_framed {
                edit(&mut bytes, &mut noise);
            }
        }
        run(path, &bytes);
    }
}

#[test]
fn containers_pass() {
    let seeds: Vec<_> = cost::alone(|| {
        let read = |path: &&str| {
            let path = support::root().join(path);
            let bytes = std::fs::read(&path).expect("a file of the repository");
            (path, bytes)
        };
        CONTAINERS.iter().map(read).collect()
    });
    for (path, bytes) in &seeds {
        let _running = Running(path, bytes);
        container::run(bytes);
    }
    for round in 0..MUTATIONS / 3 {
        let mut noise = Noise::new(round);
        let (path, bytes) = &seeds[noise.below(seeds.len())];
        let mut bytes = bytes.clone();
        // The tables come first, and other targets change modules.
        let len = if noise.below(4) > 0 { bytes.len().min(1000) } else { bytes.len() };
        for _ in 0..=noise.below(4) {
            if noise.below(4) == 0 {
                edit(&mut bytes, &mut noise);
                continue;
            }
            let place = noise.below(len);
            if let Some(byte) = bytes.get_mut(place) {
                *byte = noise.below(256) as u8;
            }
        }
        let _running = Running(path, &bytes);
        container::run(&bytes);
    }
}

const CONTAINERS: [&str; 6] = [
    "examples/mlp.jax",
    "tests/data/containers/norm.jax",
    "tests/data/containers/sharded.jax",
    "tests/data/containers/cholesky.jax",
    "tests/data/containers/two_layers.mlirbc.gz",
    "tests/data/containers/two_layers.mlirbc.zst",
];

#[test]
fn layout_texts_pass() {
    let seeds = LAYOUTS.map(|text| text.as_bytes().to_vec());
    for seed in &seeds {
        layout::run(seed);
    }
    for round in 0..MUTATIONS {
        let mut noise = Noise::new(round);
        let mut bytes = seeds[noise.below(seeds.len())].clone();
        for _ in 0..=noise.below(4) {
            edit(&mut bytes, &mut noise);
        }
        let _running = Running(Path::new("a layout text"), &bytes);
        layout::run(&bytes);
    }
}

/// Specifications, the outermost first, and a type.
const LAYOUTS: [&str; 6] = [
    "#dlti.dl_spec<i32 = dense<[32, 64]> : vector<2xi64>, index = 32>\nvector<2x[4]xindex>",
    "#dlti.dl_spec<!llvm.ptr = dense<[32, 32, 64, 16]> : vector<4xi64>>\n!llvm.struct<packed (i8, array<3 x ptr<1>>)>",
    "#dlti.dl_spec<!llvm.struct<()> = dense<64> : tensor<2xi64>>\n#dlti.dl_spec<#dlti.dl_entry<\"a\", [1]>>\n\
     !llvm.struct<\"a\", (complex<f80>, i17)>",
    "#dlti.dl_spec<!ptr.ptr<#ptr.generic_space> = #ptr.spec<size = 32, abi = 8, preferred = 64>>\n\
     !ptr.ptr<#llvm.address_space<3>>",
    "#dlti.dl_spec<memref<1xi8> = {model = \"bare\"}>\nmemref<?x4xmemref<f32>>",
    "#dlti.target_system_spec<\"a\" = #dlti.target_device_spec<\"b\" = #dlti.map<i8 = 1>>>\n!test.test_type_with_layout<3>",
];
