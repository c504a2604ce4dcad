//! `mlirbc lsp`: a language server for editors.

use std::io;
use std::path::PathBuf;

use clap::Args;
use mlirbc::Release;
use mlirbc::artifact::default_target;
use mlirbc::limits::Limits;
use mlirbc::parse::ParseOptions;
use mlirbc_lsp::{ServerOptions, serve};

use crate::commands::CommandOptions;
use crate::output::Out;
use crate::packs;
use crate::problem::Problem;

const HELP: &str = "\
Speaks the Language Server Protocol over standard input and output: errors with corrections, types and definitions under the \
cursor, references, rename, completion, symbols, folding and formatting of MLIR text. A document whose URI is \
`mlirbc:/folder/model.mlirbc` is the text of bytecode or of an artifact, and `mlirbc.save` writes it back. An edit parses \
only the pieces of a text that changed. Rules of verifiers are not checked; `mlirbc verify --ops` checks them.

Examples:
  Start the server, as an editor does:
  $ mlirbc lsp

  Read texts as LLVM 19 does, with the dialects of a pack:
  $ mlirbc lsp --release llvm-19 --dialects circt.mlirpack

Exit status:
  0  the client shut the server down
  1  the input ended before
  2  the command line is invalid
  3  a pack cannot be read";

/// Serve an editor: a language server for MLIR text and bytecode
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(crate) struct Options {
    /// The release whose syntax texts have [default: as for `mlirbc assemble`]
    #[arg(long, aliases = ["target", "for"], value_name = "NAME")]
    release: Option<String>,

    /// A pack (`mlirbc pack`) with dialects of texts, or a folder of packs; may be repeated
    #[arg(long, value_name = "FILE")]
    dialects: Vec<PathBuf>,

    /// Use standard input and output, which is the default
    #[arg(long)]
    stdio: bool,
}

impl CommandOptions for Options {
    fn run(&self, _: &mut Out) -> Result<(), Problem> {
        let limits = Limits::default();
        let dialects = packs::load_dialects(&self.dialects, &limits)?;
        let default = || default_target(!self.dialects.is_empty());
        let target = self.release.clone().map_or_else(default, Release::named);
        let parse = ParseOptions::default().target(target).dialects(dialects).limits(limits);
        let options = ServerOptions::default().parse(parse).chooses_release(self.release.is_none());
        let is_shut_down =
            serve(io::stdin().lock(), io::stdout().lock(), options).map_err(Problem::Stdout)?;
        if is_shut_down { Ok(()) } else { Err(Problem::Reported(1)) }
    }
}
