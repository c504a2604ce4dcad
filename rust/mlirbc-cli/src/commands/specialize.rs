//! `mlirbc specialize`: static shapes for symbolic and open dimensions.

use std::path::PathBuf;

use clap::Args;
use mlirbc::tool::{SpecializeOptions, specialize};
use mlirbc::{Error, ErrorKind, Type};

use crate::commands::CommandOptions;
use crate::commands::convert::write_artifact;
use crate::commands::cost::parse_dim;
use crate::input::Input;
use crate::output::Out;
use crate::problem::Problem;

const HELP: &str = "\
The shapes of all operations of StableHLO follow from the shapes of the arguments. Operations with shapes as operands become \
static, sizes of dimensions become constants, and assertions about shapes are evaluated. A JAX export remains one, with all \
its derivatives, and the types of its arguments and results change. A function that is called with several shapes is copied.

NAME of --dim is a symbolic dimension of a JAX export, as `mlirbc info` shows it; `arg0.1` is the open dimension 1 of \
argument 0 of another module. NAME of --input is the name of an argument, or its number.

Examples:
  Compile for batches of 8:
  $ mlirbc specialize model.jax --dim b=8 -o model8.jax

  Give the type of an argument:
  $ mlirbc specialize model.jax --input 'x=tensor<8x128xf32>' -o model8.jax

Exit status:
  0  the output was written
  1  the shape of an operation cannot be computed, a dimension has no size, or an assertion does not hold
  2  the command line is invalid
  3  the file is malformed, or a file cannot be read or written";

/// Make symbolic and open dimensions static
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(crate) struct Options {
    #[command(flatten)]
    pub(crate) input: Input,

    /// Write to this file, which is replaced when the output is complete; `-` is standard output
    #[arg(short, long, value_name = "OUT")]
    output: PathBuf,

    /// Give a dimension a size; may occur several times
    #[arg(long, value_name = "NAME=SIZE", value_parser = parse_dim)]
    dim: Vec<(String, u64)>,

    /// Give an argument a static type; may occur several times
    #[arg(long = "input", id = "inputs", value_name = "NAME=TYPE", value_parser = parse_input)]
    inputs: Vec<(String, Type)>,
}

fn parse_input(text: &str) -> Result<(String, Type), String> {
    let (name, r#type) = text.rsplit_once('=').ok_or("expected NAME=TYPE")?;
    let r#type = Type::parse(r#type).map_err(|error| error.to_string())?;
    Ok((name.to_owned(), r#type))
}

impl CommandOptions for Options {
    fn input(&self) -> Option<&Input> {
        Some(&self.input)
    }

    fn run(&self, out: &mut Out) -> Result<(), Problem> {
        let artifact = self.input.open_artifact()?;
        let options = SpecializeOptions::default().dims(self.dim.clone()).inputs(self.inputs.clone());
        let prepared = specialize(&artifact, &options).map_err(refused)?;
        write_artifact(&prepared, &self.output, out)
    }
}

// Sizes and types are part of the command line.
fn refused(error: Error) -> Problem {
    match error.kind() {
        ErrorKind::Value => Problem::Request(error),
        _ => Problem::File(error),
    }
}
