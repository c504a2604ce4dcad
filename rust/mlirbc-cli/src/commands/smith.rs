//! `mlirbc smith`: generated modules.

use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use clap::Args;
use mlirbc::dialect::{DialectTable, register_dialect};
use mlirbc::limits::Limits;
use mlirbc::version::BytecodeVersion;
use mlirbc_smith::{
    BreakableRule, BrokenModule, Config, Features, GeneratedModule, breakable_rule, breakable_rules,
};

use super::convert::version;
use crate::commands::CommandOptions;
use crate::input::load;
use crate::output::{Column, Out, TextTable};
use crate::problem::Problem;
use crate::progress::Progress;
use crate::seeded_files::SeededFiles;

const HELP: &str = "\
Each module is generated from a seed of its own, the one after that of the last, and written as `SEED.mlirbc`. The same \
seed and options give the same bytes. Modules have \
functions with branches and structured control flow, operations of the dialects of a release, operations that no dialect \
defines, resources, locations and orders of uses. The release's `mlir-opt --allow-unregistered-dialect` accepts \
nearly all of them; without `unregistered` it needs no option.

With --break, --count files are written for each rule. Each breaks only that one, and reading it raises the identifier in its name, `SEED-IDENTIFIER.mlirbc`. \
Texts, which are assembled, end in `.mlir`. Rules of limits are broken under smaller limits than the default ones.

Examples:
  Write a hundred modules for LLVM 22:
  $ mlirbc smith --count 100 -o modules

  Write the module of one seed again, as LLVM 19 writes it in version 3, with operations of two dialects:
  $ mlirbc smith --seed 7 --target llvm-19 --bytecode-version 3 --dialect arith --dialect scf -o modules

  Include attributes and types of your own dialect:
  $ mlirbc smith --dialects my.toml --count 100 -o modules

  Write ten files for each rule that files can break:
  $ mlirbc smith --break all --count 10 -o broken

Exit status:
  0  the files were written
  2  the command line is invalid
  3  a file cannot be written";

/// Generate modules from seeds, for testing readers
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(crate) struct Options {
    #[command(flatten)]
    seeded: Option<SeededFiles>,

    /// Break this rule in each module, by its identifier, or every rule: `all`
    #[arg(long = "break", value_name = "RULE", value_parser = rules)]
    broken: Option<Rules>,

    /// Print the rules that files can break
    #[arg(long, exclusive = true)]
    list_rules: bool,

    /// The release that must accept the modules
    #[arg(long = "target", aliases = ["release", "for"], value_name = "NAME", default_value = "llvm-22", value_parser = release)]
    release: String,

    /// The version of the bytecode; by default each module has one that is drawn
    #[arg(long, value_name = "N", value_parser = version)]
    bytecode_version: Option<BytecodeVersion>,

    /// The greatest number of operations, without those that these need
    #[arg(long, value_name = "N", default_value_t = Config::default().max_operations)]
    max_operations: usize,

    /// Only operations of this dialect, besides functions, branches and casts; may be repeated
    #[arg(long, value_name = "NAME")]
    dialect: Vec<String>,

    /// A dialect table (TOML): attributes and types of its dialect are generated as well; may be repeated
    #[arg(long, value_name = "FILE")]
    dialects: Vec<PathBuf>,

    #[arg(long, value_name = "FEATURE", value_parser = feature, help = without())]
    without: Vec<String>,
}

/// Rules to break.
#[derive(Debug, Clone, Copy)]
struct Rules(&'static [BreakableRule]);

fn rules(text: &str) -> Result<Rules, String> {
    if text == "all" {
        return Ok(Rules(breakable_rules()));
    }
    let rule = breakable_rule(text).map(|rule| Rules(std::slice::from_ref(rule)));
    rule.ok_or_else(|| "expected `all`, or an identifier of `--list-rules`".to_owned())
}

fn without() -> String {
    format!("Leave this out of the modules; may be repeated. One of {}", Features::NAMES.join(", "))
}

fn release(text: &str) -> Result<String, String> {
    let names: Vec<_> = mlirbc_smith::releases().collect();
    match names.contains(&text) {
        true => Ok(text.to_owned()),
        false => Err(format!("expected one of {}", names.join(", "))),
    }
}

fn feature(text: &str) -> Result<String, String> {
    match Features::NAMES.contains(&text) {
        true => Ok(text.to_owned()),
        false => Err(format!("expected one of {}", Features::NAMES.join(", "))),
    }
}

impl CommandOptions for Options {
    fn file_name(&self) -> String {
        "smith".to_owned()
    }

    fn run(&self, out: &mut Out) -> Result<(), Problem> {
        let Some(seeded) = self.seeded.as_ref().filter(|_| !self.list_rules) else {
            return list_rules(out);
        };
        let mut declared = Vec::new();
        for path in &self.dialects {
            let table = load(path, &Limits::default(), DialectTable::from_toml)?;
            declared.push(table.dialect().to_owned());
            register_dialect(table);
        }
        let dialects = mlirbc_smith::dialects(&self.release);
        let is_known = |name: &String| dialects.contains(name.as_str()) || declared.contains(name);
        if let Some(unknown) = self.dialect.iter().find(|name| !is_known(name)) {
            let dialects: Vec<_> = dialects.into_iter().collect();
            return Err(Problem::usage(
                format!("no operations of a dialect `{unknown}` are generated for {}", self.release),
                format!("choose some of {}", dialects.join(", ")),
            ));
        }
        let mut features = Features::default();
        for name in &self.without {
            features.switch_off(name);
        }
        let config = Config {
            release: self.release.clone(),
            version: self.bytecode_version,
            max_operations: self.max_operations,
            dialects: (!self.dialect.is_empty()).then(|| self.dialect.clone()),
            features,
            ..Config::default()
        };
        seeded.begin()?;
        // The rule and the total size of its files, in the order of the rules.
        let rules = self.broken.map_or(&[][..], |rules| rules.0);
        let rules: Vec<_> = match rules {
            [] => vec![None],
            [one] => vec![Some(one)],
            // Some rules need another version than the requested one.
            all => all
                .iter()
                .filter(|rule| config.version.is_none_or(|one| rule.is_of_version(one)))
                .map(Some)
                .collect(),
        };
        let bytes = write_all(seeded, &config, &rules)?;
        let name = if self.broken.is_some() { "rule" } else { "release" };
        let mut rows =
            TextTable::new(&[Column::Text(name), Column::Number("files"), Column::Number("bytes")]);
        for (rule, bytes) in rules.iter().zip(bytes) {
            let name = rule.map_or(&*self.release, |rule| rule.identifier());
            rows.add([name.to_owned(), seeded.count.to_string(), bytes.into_inner().to_string()]);
        }
        Ok(rows.write(out)?)
    }
}

fn list_rules(out: &mut Out) -> Result<(), Problem> {
    let mut rows =
        TextTable::new(&[Column::Text("rule"), Column::Text("raised by"), Column::Text("in the file")]);
    for rule in breakable_rules() {
        rows.add([rule.identifier(), rule.check().name(), rule.what()].map(str::to_owned));
    }
    Ok(rows.write(out)?)
}

/// Writes the files on all cores; returns their total size for each rule.
fn write_all(
    seeded: &SeededFiles,
    config: &Config,
    rules: &[Option<&'static BreakableRule>],
) -> Result<Vec<AtomicU64>, Problem> {
    let progress = Progress::of_files("writing");
    let (next, done) = (AtomicU64::new(0), AtomicU64::new(0));
    let bytes: Vec<AtomicU64> = rules.iter().map(|_| AtomicU64::new(0)).collect();
    let total = seeded.count.saturating_mul(rules.len() as u64);
    let work = || -> Result<(), Problem> {
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= total {
                return Ok(());
            }
            let place = (number % rules.len() as u64) as usize;
            let seed = seeded.seed.wrapping_add(number / rules.len() as u64);
            let size = write_one(seeded, config, rules[place], seed);
            // Stops the other threads, too.
            let size = size.inspect_err(|_| next.store(total, Ordering::Relaxed))?;
            bytes[place].fetch_add(size, Ordering::Relaxed);
            progress.update(done.fetch_add(1, Ordering::Relaxed) + 1, total);
        }
    };
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let workers = (cores as u64).min(total);
    thread::scope(|scope| {
        let workers: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
        workers.into_iter().try_for_each(|worker| match worker.join() {
            Ok(result) => result,
            Err(panic) => std::panic::resume_unwind(panic),
        })
    })?;
    Ok(bytes)
}

fn write_one(
    seeded: &SeededFiles,
    config: &Config,
    rule: Option<&'static BreakableRule>,
    seed: u64,
) -> Result<u64, Problem> {
    let (name, bytes) = match rule {
        None => (format!("{seed}.mlirbc"), GeneratedModule::from_seed(config, seed)?.into_bytes()),
        Some(rule) => {
            let suffix = if rule.is_text() { "mlir" } else { "mlirbc" };
            let name = format!("{seed}-{}.{suffix}", rule.identifier());
            (name, BrokenModule::from_seed(config, rule, seed)?.into_bytes())
        }
    };
    seeded.write(&name, &bytes)?;
    Ok(bytes.len() as u64)
}
