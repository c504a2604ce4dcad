//! `mlirbc stubs`: stubs of the dialects' classes, which the Python package writes.

use std::ffi::OsString;
use std::io::Write;
use std::path::PathBuf;

use clap::Args;

use crate::commands::CommandOptions;
use crate::output::Out;
use crate::problem::Problem;
use crate::program;

const HELP: &str = "\
A stub tells editors and type checkers the classes and functions of a module such as mlirbc.mlir.dialects.arith, which \
are made from the definitions of the operations when they are used. Names are those of the modules: transform.loop is \
the extension `loop` of `transform`. The dialects of installed packs and of packs of --pack can be named, too.

Without --output, stubs are written beside the modules of the package, where editors and type checkers find them.

The Python package writes the stubs: a command that was not installed by pip has none.

Examples:
  Write the stubs that an editor finds:
  $ mlirbc stubs arith func scf

  Write the stub of a dialect of a pack into another folder:
  $ mlirbc stubs --pack toy.mlirpack -o typings toy

Exit status:
  0  the stubs were written
  1  a dialect is unknown, or the command was not installed by pip
  2  the command line is invalid
  3  a file cannot be read or written";

/// Write Python stubs for the operations of dialects
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(crate) struct Options {
    /// Modules of dialects, such as arith and func
    #[arg(value_name = "DIALECT", required = true)]
    dialects: Vec<String>,

    /// Write into this folder; by default, beside the modules of the Python package
    #[arg(short, long, value_name = "FOLDER")]
    output: Option<PathBuf>,

    /// A pack whose dialects can be named, or a folder of packs; may be repeated
    #[arg(long, value_name = "PACK")]
    pack: Vec<PathBuf>,
}

impl Options {
    fn arguments(&self) -> Vec<OsString> {
        let mut arguments = Vec::new();
        let folder = self.output.iter().map(|folder| ("--output", folder));
        for (option, path) in folder.chain(self.pack.iter().map(|pack| ("--pack", pack))) {
            arguments.extend([option.into(), path.into()]);
        }
        arguments.push("--".into());
        arguments.extend(self.dialects.iter().map(OsString::from));
        arguments
    }
}

impl CommandOptions for Options {
    fn file_name(&self) -> String {
        "stubs".to_owned()
    }

    fn run(&self, out: &mut Out) -> Result<(), Problem> {
        let Some(mut command) = program::python("mlirbc.mlir.stubs") else {
            let help = "run `pip install mlirbc`, and its `mlirbc stubs`";
            return Err(Problem::refused("stubs need the Python package", help));
        };
        out.flush()?;
        program::wait(command.args(self.arguments()))
    }
}
