//! Mutates generated modules, and prints how far mlirbc reads the results, for each kind of mutation.
//!
//!     mutations RELEASE SEEDS [FOLDER]
//!
//! With a folder, the changed files are written there, by kind, for other readers.

use std::path::Path;

use mlirbc::format::container::Bytecode;
use mlirbc::{Module, ReadOptions};
use mlirbc_fuzz_tools::mutate::{Mutation, Noise, mutate};
use mlirbc_smith::{Config, GeneratedModule};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().collect();
    let (release, seeds, folder) = match &arguments[..] {
        [_, release, seeds] => (release, seeds, None),
        [_, release, seeds, folder] => (release, seeds, Some(Path::new(folder))),
        _ => return Err("mutations RELEASE SEEDS [FOLDER]".into()),
    };
    let (release, seeds): (_, u64) = (release.clone(), seeds.parse()?);
    let config = Config { release: release.clone(), ..Config::default() };
    let files = (0..seeds)
        .map(|seed| GeneratedModule::from_seed(&config, seed).map(GeneratedModule::into_bytes))
        .collect::<mlirbc::Result<Vec<_>>>()?;
    let options = ReadOptions::default().release(mlirbc::Release::named(release));
    println!("| mutation | files | sections found | verified |\n|---|---|---|---|");
    for kind in Mutation::ALL {
        let (mut changed_count, mut opened_count, mut valid_count) = (0_u32, 0_u32, 0_u32);
        for (seed, file) in (0..).zip(&files) {
            let splice_source = &files[(seed + 1) % files.len()];
            let Some(changed) = mutate(file, splice_source, kind, &mut Noise::new(seed as u64)) else {
                continue;
            };
            changed_count += 1;
            if let Some(folder) = folder {
                std::fs::create_dir_all(folder.join(kind.name()))?;
                std::fs::write(folder.join(kind.name()).join(format!("{seed}.mlirbc")), &changed)?;
            }
            opened_count += u32::from(Bytecode::read(&changed.clone().into()).is_ok());
            let module = Module::from_source(changed.into(), &options);
            valid_count += u32::from(module.is_ok_and(|module| module.verify().is_ok()));
        }
        let share = |part: u32| 100.0 * f64::from(part) / f64::from(changed_count.max(1));
        println!(
            "| {} | {changed_count} | {:.1} % | {:.1} % |",
            kind.name(),
            share(opened_count),
            share(valid_count)
        );
    }
    Ok(())
}
