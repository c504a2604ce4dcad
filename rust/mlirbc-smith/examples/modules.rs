//! Writes modules to a folder.
//!
//!     modules RELEASE FIRST-SEED COUNT FOLDER [DIALECT]...

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, release, first, count, folder, dialects @ ..] = &arguments[..] else {
        return Err("modules RELEASE FIRST-SEED COUNT FOLDER [DIALECT]...".into());
    };
    let dialects = (!dialects.is_empty()).then(|| dialects.to_vec());
    let config = mlirbc_smith::Config { release: release.clone(), dialects, ..Default::default() };
    let (first, count): (u64, u64) = (first.parse()?, count.parse()?);
    std::fs::create_dir_all(folder)?;
    for seed in first..first + count {
        let module = mlirbc_smith::GeneratedModule::from_seed(&config, seed);
        match module {
            Ok(module) => {
                let name = format!("{folder}/{seed}-v{}.mlirbc", module.version().number());
                std::fs::write(name, module.bytes())?;
            }
            Err(error) => println!("{seed}: {error}"),
        }
    }
    Ok(())
}
