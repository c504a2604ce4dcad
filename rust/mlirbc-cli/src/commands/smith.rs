//! `mlirbc smith`: generated modules.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use clap::Args;
use mlirbc::version::BytecodeVersion;
use mlirbc::write::replace::Replacement;
use mlirbc_smith::{Config, Features, GeneratedModule};

use super::convert::version;
use crate::output::{Column, Out, Rows};
use crate::problem::Problem;
use crate::progress::Progress;

const HELP: &str = "\
Each module is generated from a seed of its own, and the same seed and options give the same bytes. Modules have \
functions with branches and structured control flow, operations of the dialects of a release, operations that no dialect \
defines, resources, locations and orders of uses. The release's `mlir-opt --allow-unregistered-dialect` accepts \
nearly all of them; without `unregistered` it needs no option.

Examples:
  Write a hundred modules for LLVM 22:
  $ mlirbc smith --count 100 -o modules

  Write the module of one seed again, as LLVM 19 writes it in version 3, with operations of two dialects:
  $ mlirbc smith --seed 7 --release llvm-19 --bytecode-version 3 --dialect arith --dialect scf -o modules

Exit status:
  0  the files were written
  1  a file could not be written
  2  the command line is invalid";

/// Generate modules from seeds, for testing readers
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(crate) struct Options {
    /// Write into this folder, as `SEED.mlirbc`
    #[arg(short, long, value_name = "FOLDER")]
    output: PathBuf,

    /// The seed of the first module; those after it have the next numbers
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,

    /// How many modules to write
    #[arg(long, value_name = "K", default_value_t = 1)]
    count: u64,

    /// The release that must accept the modules
    #[arg(long, value_name = "NAME", default_value = "llvm-22", value_parser = release)]
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

    #[arg(long, value_name = "FEATURE", value_parser = feature, help = without())]
    without: Vec<String>,
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

impl Options {
    pub(crate) fn run(&self, out: &mut Out) -> Result<(), Problem> {
        let known = mlirbc_smith::dialects(&self.release);
        if let Some(unknown) = self.dialect.iter().find(|name| !known.contains(name.as_str())) {
            let known: Vec<_> = known.into_iter().collect();
            return Err(Problem::refused(
                format!("no operations of a dialect `{unknown}` are generated for {}", self.release),
                format!("choose some of {}", known.join(", ")),
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
        crate::signals::remove_unfinished_files();
        fs::create_dir_all(&self.output).map_err(|error| cannot_write(&self.output, &error))?;
        let bytes = self.write_all(&config)?;
        let mut rows =
            Rows::new(&[Column::Text("release"), Column::Number("files"), Column::Number("bytes")]);
        rows.add([self.release.clone(), self.count.to_string(), bytes.to_string()]);
        Ok(rows.write(out)?)
    }

    /// Writes the modules on all cores; returns the size of all of them.
    fn write_all(&self, config: &Config) -> Result<u64, Problem> {
        let progress = Progress::of_files("writing");
        let (next, done, bytes) = (AtomicU64::new(0), AtomicU64::new(0), AtomicU64::new(0));
        let work = || -> Result<(), Problem> {
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                if number >= self.count {
                    return Ok(());
                }
                let size = self.write_one(config, self.seed.wrapping_add(number));
                // The others stop, too.
                let size = size.inspect_err(|_| next.store(self.count, Ordering::Relaxed))?;
                bytes.fetch_add(size, Ordering::Relaxed);
                progress.update(done.fetch_add(1, Ordering::Relaxed) + 1, self.count);
            }
        };
        let cores = thread::available_parallelism().map_or(1, usize::from);
        let workers = (cores as u64).min(self.count);
        thread::scope(|scope| {
            let workers: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
            workers.into_iter().try_for_each(|worker| match worker.join() {
                Ok(result) => result,
                Err(panic) => std::panic::resume_unwind(panic),
            })
        })?;
        Ok(bytes.into_inner())
    }

    fn write_one(&self, config: &Config, seed: u64) -> Result<u64, Problem> {
        let module = GeneratedModule::from_seed(config, seed)?;
        let path = self.output.join(format!("{seed}.mlirbc"));
        let written = Replacement::begin(&path).and_then(|mut file| {
            file.write_all(module.bytes())?;
            file.commit()
        });
        written.map_err(|error| cannot_write(&path, &error))?;
        Ok(module.bytes().len() as u64)
    }
}

fn cannot_write(path: &Path, error: &impl std::fmt::Display) -> Problem {
    Problem::Given(format!("cannot write `{}`: {error}", path.display()))
}
