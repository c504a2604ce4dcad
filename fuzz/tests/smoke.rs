//! Runs the oracles on every file of the test data, and on mutations of these files, with any compiler.
//!
//! Files and mutations are numbered. By default every [`FILE_STRIDE`]th file and every [`STRIDE`]th mutation is run; with
//! `MLIRBC_FUZZ_MUTATIONS=all` all of them, which takes many minutes.

#![allow(clippy::expect_used)]

#[path = "../../rust/mlirbc/tests/support/mod.rs"]
mod support;

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use mlirbc::Module;
use mlirbc_fuzz::mutate::{Change, Noise, edit, framed};
use mlirbc_fuzz::targets::{Inputs, TARGETS, Target};
use mlirbc_fuzz::{container, cost, fallback, generated, layout, read};

const MUTATIONS: u64 = 45_000;

/// The number of modules of `mlirbc-smith`.
const GENERATED: u64 = 1000;

/// The number of modules of `large`.
const LARGE: u64 = 3000;

/// A prime, so that the sample shares no period with the draws of mutations.
const STRIDE: usize = 47;

/// A prime, too, because versions and releases of the same file are neighbours.
const FILE_STRIDE: usize = 3;

fn is_complete() -> bool {
    std::env::var("MLIRBC_FUZZ_MUTATIONS").is_ok_and(|value| value == "all")
}

/// Returns the numbers of the mutations to run.
fn rounds(count: u64) -> impl Iterator<Item = u64> {
    (0..count).step_by(if is_complete() { 1 } else { STRIDE })
}

fn files(folder: &str) -> Vec<(PathBuf, Vec<u8>)> {
    // Files are read without measurements, because another test may be measuring.
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

// Prints the input if the oracle panics.
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
    // Other targets have tests of their own.
    let is_of_files = |target: &Target| {
        target.seeds.contains(&"tests/data/bytecode") && !["print_parse", "fallback"].contains(&target.name)
    };
    for target in TARGETS.into_iter().filter(is_of_files) {
        target.check(bytes);
    }
}

/// Runs half of the sample, so that two tests share the work.
fn half_of_the_seeds(first: usize) {
    let stride = if is_complete() { 1 } else { FILE_STRIDE };
    for (path, bytes) in seeds().into_iter().step_by(stride).skip(first).step_by(2) {
        run(&path, &bytes);
    }
}

#[test]
fn seeds_with_an_even_number_pass() {
    half_of_the_seeds(0);
}

#[test]
fn seeds_with_an_odd_number_pass() {
    half_of_the_seeds(1);
}

#[test]
fn every_regression_passes_in_every_variation() {
    for (path, bytes) in files("fuzz/regressions/read") {
        for variation in 0..read::VARIATIONS {
            let _running = Running(&path, &bytes);
            read::run_as(&bytes, variation);
        }
    }
    // `tests/parse.rs` runs the text targets.
    for target in TARGETS.into_iter().filter(|target| target.inputs != Inputs::Text) {
        let folder = format!("fuzz/regressions/{}", target.name);
        if support::root().join(&folder).exists() {
            for (path, bytes) in files(&folder) {
                run(&path, &bytes);
            }
        }
    }
}

#[test]
fn generated_modules_pass() {
    for round in rounds(GENERATED) {
        let mut noise = Noise::new(round);
        let decisions: Vec<u8> = (0..noise.below(2000)).map(|_| noise.below(256) as u8).collect();
        let input = [&[generated::MARK][..], &decisions].concat();
        let file = cost::alone(|| generated::file_of(&input).into_owned());
        let is_valid = cost::alone(|| Module::from_bytes(file).is_ok_and(|module| module.verify().is_ok()));
        assert!(is_valid, "round {round}");
        let is_checked = |target: &Target| target.inputs == Inputs::Bytecode;
        for target in TARGETS.into_iter().filter(is_checked) {
            let _running = Running(Path::new(target.name), &input);
            target.check(&input);
        }
    }
}

#[test]
fn modules_with_large_values_pass() {
    for round in rounds(LARGE) {
        let mut noise = Noise::new(round);
        let decisions: Vec<u8> = (0..60).map(|_| noise.below(256) as u8).collect();
        let input = [&[generated::LARGE][..], &decisions].concat();
        for target in TARGETS.into_iter().filter(|target| target.inputs == Inputs::Bytecode) {
            let _running = Running(Path::new(target.name), &input);
            target.check(&input);
        }
    }
}

#[test]
fn modules_of_texts_pass() {
    let mut count = 0;
    let parse = TARGETS.into_iter().find(|target| target.name == "parse").expect("a row of the table");
    for folder in parse.seeds {
        let entries = std::fs::read_dir(support::root().join(folder)).expect("a folder of the repository");
        let mut paths: Vec<_> =
            entries.map(|entry| entry.expect("a file of the repository").path()).collect();
        paths.sort();
        for path in
            paths.into_iter().filter(|path| path.extension().is_some_and(|extension| extension == "mlir"))
        {
            let text = cost::alone(|| std::fs::read(&path).expect("a file of the repository"));
            // As in `scripts/fuzz-corpus`.
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let place = format!("{folder}/{name}");
            let releases = [("data/stablehlo", b'4'), ("data/iree", b'5'), ("_16", b'2'), ("_19", b'1')];
            let release =
                releases.into_iter().find(|(part, _)| place.contains(part)).map_or(b'0', |row| row.1);
            let input = [&[generated::TEXT, release][..], &text].concat();
            if cost::alone(|| generated::file_of(&input).is_empty()) {
                continue;
            }
            count += 1;
            let _running = Running(&path, &input);
            // Each text runs a third of the targets, and the next text another third, because all targets
            // would take minutes.
            let is_whole = std::env::var_os("MLIRBC_WHOLE").is_some();
            let targets = TARGETS.into_iter().filter(|target| target.inputs == Inputs::Bytecode);
            for (_, target) in targets.enumerate().filter(|(number, _)| is_whole || (number + count) % 3 == 0)
            {
                target.check(&input);
            }
        }
    }
    assert!(count > 150, "only {count} of the texts are modules");
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

/// The changes of one mutation: the kind of each change, and whether it kept the framing.
type Changes = Vec<(Change, bool)>;

fn mutate(bytes: &mut Vec<u8>, noise: &mut Noise) -> Changes {
    let mut changes = Vec::new();
    for _ in 0..=noise.below(4) {
        let mut change = None;
        let is_framed =
            noise.below(8) > 0 && framed(bytes, noise, |piece, noise| change = Some(edit(piece, noise)));
        changes.push((change.unwrap_or_else(|| edit(bytes, noise)), is_framed));
    }
    changes
}

#[test]
fn mutations_pass() {
    let seeds: Vec<_> = seeds().into_iter().filter(|(_, bytes)| bytes.len() < 6000).collect();
    for round in rounds(MUTATIONS) {
        let mut noise = Noise::new(round);
        let (path, bytes) = &seeds[noise.below(seeds.len())];
        let mut bytes = bytes.clone();
        mutate(&mut bytes, &mut noise);
        run(path, &bytes);
    }
}

#[test]
fn the_sample_has_every_kind_of_mutation() {
    let seeds: Vec<_> = seeds().into_iter().filter(|(_, bytes)| bytes.len() < 6000).collect();
    let (mut changes, mut counts, mut folders) = (HashMap::new(), HashMap::new(), HashMap::new());
    for round in (0..MUTATIONS).step_by(STRIDE) {
        let mut noise = Noise::new(round);
        let (path, bytes) = &seeds[noise.below(seeds.len())];
        let applied = mutate(&mut bytes.clone(), &mut noise);
        *counts.entry(applied.len()).or_insert(0) += 1;
        *folders.entry(path.parent()).or_insert(0) += 1;
        for change in applied {
            *changes.entry(change).or_insert(0) += 1;
        }
    }
    for change in Change::ALL {
        for is_framed in [false, true] {
            let count = changes.get(&(change, is_framed)).copied().unwrap_or(0);
            assert!(count >= 10, "{change:?}, framed {is_framed}: {count} in the sample");
        }
    }
    assert!((1..=4).all(|count| counts.get(&count).is_some_and(|&found| found >= 100)), "{counts:?}");
    let all = seeds.iter().map(|(path, _)| path.parent()).collect::<HashSet<_>>();
    assert_eq!(folders.len(), all.len(), "folders of the test data that the sample leaves out");
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
    for round in rounds(MUTATIONS / 3) {
        let mut noise = Noise::new(round);
        let (path, bytes) = &seeds[noise.below(seeds.len())];
        let mut bytes = bytes.clone();
        // The tables are at the start; other targets change the module.
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
    for round in rounds(MUTATIONS) {
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
const LAYOUTS: [&str; 9] = [
    "[#datalayout.entry<\"endianness\", \"big\">, #datalayout.entry<\"lanes\", 4>, \
     #datalayout.entry<!toy.t, {equivalent = [i8, i64], alignment = 42}>]\n\
     [#datalayout.entry<\"dlti.endianness\", \"little\">]\n!toy.t",
    "[#datalayout.entry<memref<1xi8>, {model = \"descriptor\"}>]\n\
     [#datalayout.entry<memref<1xi8>, {model = \"bare\"}>]\nmemref<?x4xmemref<f32>>",
    "[#datalayout.entry<vector<1xi8>, {alignment = 64, max = 32}>, #datalayout.entry<!toy.t<1>, {sizes = [2, 3, 4]}>]\n\
     tuple<vector<3xi24>, !toy.t>",
    "#dlti.dl_spec<i32 = dense<[32, 64]> : vector<2xi64>, index = 32>\nvector<2x[4]xindex>",
    "#dlti.dl_spec<!llvm.ptr = dense<[32, 32, 64, 16]> : vector<4xi64>>\n!llvm.struct<packed (i8, array<3 x ptr<1>>)>",
    "#dlti.dl_spec<!llvm.struct<()> = dense<64> : tensor<2xi64>>\n#dlti.dl_spec<#dlti.dl_entry<\"a\", [1]>>\n\
     !llvm.struct<\"a\", (complex<f80>, i17)>",
    "#dlti.dl_spec<!ptr.ptr<#ptr.generic_space> = #ptr.spec<size = 32, abi = 8, preferred = 64>>\n\
     !ptr.ptr<#llvm.address_space<3>>",
    "#dlti.dl_spec<memref<1xi8> = {model = \"bare\"}>\nmemref<?x4xmemref<f32>>",
    "#dlti.target_system_spec<\"a\" = #dlti.target_device_spec<\"b\" = #dlti.map<i8 = 1>>>\n!test.test_type_with_layout<3>",
];
