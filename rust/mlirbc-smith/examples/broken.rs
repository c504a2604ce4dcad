//! Breaks each rule that files can break, and prints the errors that mlirbc raises.
//!
//!     broken RELEASE FIRST-SEED COUNT [FOLDER]

use std::collections::BTreeMap;

use mlirbc_smith::{BrokenModule, Config, breakable_rules, unbreakable_rules};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().collect();
    let (release, first, count, folder) = match &arguments[..] {
        [_, release, first, count] => (release, first.parse::<u64>()?, count.parse::<u64>()?, None),
        [_, release, first, count, folder] => (release, first.parse()?, count.parse()?, Some(folder)),
        _ => return Err("broken RELEASE FIRST-SEED COUNT [FOLDER]".into()),
    };
    let config = Config { release: release.clone(), ..Config::default() };
    println!("| identifier | in the file | bytes | raised by | raised |\n|---|---|---|---|---|");
    for rule in breakable_rules() {
        let identifier = rule.identifier();
        let (mut raised, mut sizes) = (BTreeMap::<_, u64>::new(), Vec::new());
        for seed in first..first + count {
            let broken = BrokenModule::from_seed(&config, rule, seed)?;
            broken.check_valid()?;
            let raised_rule = broken.raised();
            let raised_rule =
                raised_rule.map_or_else(|| "nothing".to_owned(), |error| error.identifier().to_owned());
            *raised.entry(raised_rule).or_default() += 1;
            sizes.push(broken.bytes().len());
            if let Some(folder) = folder {
                let folder = format!("{folder}/{identifier}");
                std::fs::create_dir_all(&folder)?;
                std::fs::write(format!("{folder}/{seed}.mlirbc"), broken.bytes())?;
            }
        }
        let raised: Vec<_> = raised.iter().map(|(found, times)| format!("`{found}` {times}")).collect();
        let (least, most) = (sizes.iter().min().unwrap_or(&0), sizes.iter().max().unwrap_or(&0));
        println!(
            "| `{identifier}` | {} | {least}–{most} | `{}` | {} |",
            rule.what(),
            rule.check().name(),
            raised.join(", ")
        );
    }
    println!("\n| identifier | why no file breaks it |\n|---|---|");
    for rules in unbreakable_rules() {
        for kind in rules.kinds {
            println!("| `{}` | {} |", kind.rule().identifier, rules.reason);
        }
    }
    Ok(())
}
