//! The command `mlirbc`, as a function, so that the native binary and the Python package run the same one.
//!
//! `docs/reference/cli.md` has the help of all commands, and `docs/reference/cli-output.md` describes their
//! output.

#![cfg_attr(docsrs, feature(doc_cfg))]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

mod arrow;
mod commands;
mod files;
mod hints;
mod input;
mod model;
mod model_folders;
mod modules;
mod names;
mod ops_table;
mod output;
mod packs;
mod parameters;
mod parquet;
mod paths;
mod problem;
mod program;
mod progress;
mod release;
mod remote;
mod seeded_files;
mod several_files;
mod signals;
mod sizes;
mod target;
mod text;
mod versions;

pub use hints::hint_of_query;
pub use ops_table::is_formula;
pub use remote::OpenUrl;

use std::ffi::OsString;
use std::io::Write;

use clap::{CommandFactory, FromArgMatches, Parser};

use crate::commands::Command;
use crate::problem::Problem;

const EXAMPLES: &str = "\
Examples:
  Show what is in a file:
  $ mlirbc info model.mlirbc

  Check that it is complete and well-formed:
  $ mlirbc verify model.mlirbc

  Count operations, the most frequent first:
  $ mlirbc ops model.mlirbc --count | head

  Convert it for a compiler that reads bytecode up to version 4:
  $ mlirbc convert model.mlirbc --bytecode-version 4 -o model.v4.mlirbc

  Extract one weight to a file:
  $ mlirbc resources model.mlirbc --extract layer0.weight -o weight.bin

Exit status:
  0  success
  1  a finding: what was requested is not in the file, cannot be represented, or does not hold
  2  the command line is invalid
  3  a file is malformed, or cannot be read or written";

/// The notices of everything that is linked into the command, which `scripts/release/third-party` writes.
const LICENSES: &str = include_str!("../THIRD-PARTY.txt");

/// Inspect, check and convert MLIR bytecode files.
#[derive(Debug, Parser)]
#[command(name = "mlirbc", bin_name = "mlirbc", version, after_help = EXAMPLES)]
#[command(arg_required_else_help = true, disable_help_subcommand = true, subcommand_required = true)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,

    /// Print the licences of mlirbc and of the software that it contains
    #[arg(long, exclusive = true)]
    licenses: bool,

    #[command(flatten)]
    manners: output::Manners,
}

/// The description of the command line: commands with their arguments.
///
/// ```
/// assert!(mlirbc_cli::command_line().find_subcommand("verify").is_some());
/// ```
pub fn command_line() -> clap::Command {
    let mut command = Cli::command();
    // `build` copies options of all commands into each command.
    command.build();
    command
}

/// Runs the command line `argv`, whose first word is the program's name, and answers the exit status.
///
/// Writes to the process's standard output and standard error, and does not end the process. Once a command has begun to
/// write a file, the signals SIGTERM, SIGINT and SIGHUP end the process from a thread that first removes temporary files.
/// Signals that the process ignores or handles are left alone.
///
/// ```
/// let argv = ["mlirbc", "verify", "no/such/file.mlirbc"];
/// assert_eq!(mlirbc_cli::run(argv.map(Into::into)), 3);
/// ```
pub fn run(argv: impl IntoIterator<Item = OsString>) -> i32 {
    let program = std::env::current_exe().map_or_else(|_| "mlirbc".into(), Into::into);
    run_as(argv, &Program { words: vec![program], open_url: None })
}

/// `mlirbc help COMMAND` is `mlirbc COMMAND --help`.
fn with_help_option(mut argv: Vec<OsString>) -> Vec<OsString> {
    if argv.get(1).is_some_and(|word| word == "help") {
        argv.remove(1);
        argv.push("--help".into());
    }
    argv
}

/// The program around the command line.
#[derive(Debug, Clone)]
pub struct Program {
    /// The words that start the program, in front of its arguments. Commands that start child processes use
    /// them.
    pub words: Vec<OsString>,
    /// Opens the URLs among the arguments; without it they are refused.
    pub open_url: Option<OpenUrl>,
}

/// As [`run`], for a program that is started by other words than the path of its executable, or that opens
/// URLs.
///
/// ```
/// let words = ["python3", "-m", "mlirbc"].map(Into::into).to_vec();
/// let program = mlirbc_cli::Program { words, open_url: None };
/// assert_eq!(mlirbc_cli::run_as(["mlirbc", "--version"].map(Into::into), &program), 0);
/// ```
pub fn run_as(argv: impl IntoIterator<Item = OsString>, program: &Program) -> i32 {
    program::set(&program.words);
    remote::set(program.open_url);
    files::forget_stdin();
    packs::load_search_path();
    let argv = with_help_option(argv.into_iter().collect());
    let mut parser = Cli::command().color(output::color_of_help(&argv));
    if argv.iter().any(|word| word == "--licenses") {
        parser = parser.subcommand_required(false);
    }
    let parsed = parser.try_get_matches_from_mut(argv).and_then(|found| {
        hints::set_command(&parser, &found);
        Cli::from_arg_matches(&found)
    });
    let Cli { command, manners, .. } = match parsed {
        Ok(cli) => cli,
        Err(error) => {
            // Nothing can be reported if even this cannot be written.
            let _ = error.print();
            return error.exit_code();
        }
    };
    manners.begin();
    let mut out = output::stdout();
    let done = match &command {
        Some(command) => command.options().run(&mut out),
        // The grammar allows this for `--licenses` only.
        None => out.write_all(LICENSES.as_bytes()).map_err(Problem::from),
    };
    packs::report_problems();
    match done.and_then(|()| Ok(out.flush()?)) {
        Ok(()) => 0,
        Err(problem) => {
            // Output that precedes the problem is written first.
            let options = command.as_ref().map(Command::options);
            let (file, input) =
                options.map_or_else(Default::default, |options| (options.file_name(), options.input()));
            problem.report(&mut out, &file, input);
            problem.exit_status()
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::Cli;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }
}
