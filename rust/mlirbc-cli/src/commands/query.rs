//! `mlirbc query`: an SQL query about files, which DuckDB answers in the Python package.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;

use crate::commands::CommandOptions;
use crate::input::Reading;
use crate::output::Out;
use crate::problem::Problem;
use crate::program;

const HELP: &str = "\
The tables are ops, values, attributes, types, symbols and resources, as the Python package has them, after the \
columns file and row, by which tables are joined; rows count from 0 in each module, and file is `FILE (PATH)` for a module \
of a JAX export that is not the main one, such as `model.jax (vjp)`. Only the tables that the query names \
are made. A file that cannot be read ends the command.

DuckDB answers the query. It comes with `pip install 'mlirbc[query]'`; a command that was not installed by pip has no \
queries. The query cannot read or write other files, load extensions or change the configuration of DuckDB unless \
--allow-files is given; then it may be any statement, such as `copy`, and do all that DuckDB can.

--max-text limits the text of the tables of all files, and the output. --max-memory limits the memory of each file, \
of the tables of all files, and of DuckDB, which gets at least 32 MiB; on Linux the system refuses what the process \
needs beyond all of that and some memory of its own. --csv and --json write rows as they come; without them all rows \
are kept to align them, and count as rows of tables do.

Examples:
  Count operations by name, in all files of a folder:
  $ mlirbc query models/ \"select name, count(*) as uses from ops group by name order by uses desc\"

  Find the files with a convolution:
  $ mlirbc query 'models/**/*.mlirbc' \"select distinct file from ops where name = 'stablehlo.convolution'\"

  Write Parquet:
  $ mlirbc query model.mlirbc \"copy ops to 'ops.parquet'\" --allow-files

Exit status:
  0  the query was answered
  1  DuckDB refuses the query, or is not installed
  2  the command line is invalid
  3  a file is malformed, or cannot be read";

/// Answer an SQL query about the operations, values, attributes, symbols and resources of files
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(crate) struct Options {
    /// Bytecode files; a folder stands for those in it whose names end in .mlirbc, .bc or .jax, perhaps before .gz or .zst, and a pattern with `*`, `?` or `**` for what matches
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,

    /// The query
    #[arg(value_name = "SQL")]
    sql: String,

    /// Write JSON, one object for each row
    #[arg(long)]
    json: bool,

    /// Write CSV
    #[arg(long, conflicts_with = "json")]
    csv: bool,

    /// Write an apostrophe before text that a spreadsheet would take for a formula
    #[arg(long, requires = "csv")]
    quote_formulas: bool,

    /// Let the query read and write files, and load extensions of DuckDB
    #[arg(long)]
    allow_files: bool,

    #[command(flatten)]
    reading: Reading,
}

impl CommandOptions for Options {
    fn file_name(&self) -> String {
        "query".to_owned()
    }

    fn run(&self, out: &mut Out) -> Result<(), Problem> {
        let Some(mut command) = program::python("mlirbc._query") else {
            let message = "queries need the Python package and DuckDB";
            return Err(Problem::refused(
                message,
                "run `pip install 'mlirbc[query]'`, and its `mlirbc query`",
            ));
        };
        let form = match (self.json, self.csv) {
            (true, _) => "json",
            (_, true) => "csv",
            _ => "table",
        };
        out.flush()?;
        command.args(["--form", form]).args(self.reading.arguments());
        if self.quote_formulas {
            command.arg("--formulas=quote");
        }
        if self.allow_files {
            command.arg("--allow-files");
        }
        command.args(["--", &self.sql]).args(&self.files);
        program::wait(&mut command)
    }
}
