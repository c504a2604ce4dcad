//! The commands `mlirbc weights freeze`, `hoist`, `cast` and `quantize`.

use std::io::IsTerminal;
use std::path::{Path, PathBuf};

use clap::Args;
use mlirbc::tool::{
    FreezeOptions, HoistOptions, NamedTensor, Rewrite, StoreForm, StoreReport, Weight, WeightUse, Weights,
    function_arguments, is_float_tensor,
};
use mlirbc::{Artifact, WriteOptions};
use wildmatch::WildMatch;

use super::weights::{EXIT_STATUS, refused};
use crate::commands::convert::Stdout;
use crate::input::Input;
use crate::names;
use crate::output::Out;
use crate::problem::Problem;
use crate::progress::Progress;
use crate::sizes;
use crate::text::{count, note, shown};

/// The destination of a program.
#[derive(Debug, Args)]
struct Destination {
    /// Where to write the program; `-` is standard output
    #[arg(short, long, value_name = "OUT")]
    output: PathBuf,

    /// Write the module alone, not the container that it was read from
    #[arg(long)]
    bare: bool,
}

/// The choice of constants. Without it, all tensors of floats with more than one element are chosen.
#[derive(Debug, Args)]
struct Constants {
    /// Only weights with such a name; may be repeated
    #[arg(long, value_name = "GLOB", value_parser = names::pattern)]
    name: Vec<WildMatch>,

    /// Only weights of such a layer; may be repeated
    #[arg(long, value_name = "GLOB", value_parser = names::pattern)]
    layer: Vec<WildMatch>,

    /// Only for operations with such a name or path, as `--by user` lists them; may be repeated
    #[arg(long, value_name = "GLOB", value_parser = names::pattern)]
    user: Vec<WildMatch>,

    /// Only weights of this size and more
    #[arg(long, value_name = "BYTES", value_parser = sizes::bytes)]
    min_size: Option<u64>,
}

impl Constants {
    fn accepts(&self, weight: &Weight) -> bool {
        let matches = |patterns: &[WildMatch], text: &str| {
            patterns.is_empty() || patterns.iter().any(|pattern| pattern.matches(text))
        };
        let is_default = self.name.is_empty() && self.layer.is_empty();
        matches(&self.name, &weight.name)
            && matches(&self.layer, &weight.layer)
            && weight.size >= self.min_size.unwrap_or(0)
            && (!is_default || is_float_tensor(weight))
    }

    fn accepts_use(&self, weight_use: &WeightUse) -> bool {
        let matches =
            |pattern: &WildMatch| pattern.matches(&weight_use.user) || pattern.matches(&weight_use.path);
        self.user.is_empty() || self.user.iter().any(matches)
    }
}

/// Make arguments constants, with values from files
#[derive(Debug, Args)]
#[command(after_help = EXIT_STATUS)]
pub(super) struct Freeze {
    #[command(flatten)]
    pub(super) input: Input,

    #[command(flatten)]
    destination: Destination,

    /// A safetensors or `.npz` file with values, named like the arguments: `args[0]['w']`, or `w` for short; may be
    /// repeated
    #[arg(long, value_name = "FILE", required_unless_present = "arg")]
    values: Vec<PathBuf>,

    /// The value of one argument, from a `.npy` file; may be repeated
    #[arg(long, value_name = "NAME=FILE")]
    arg: Vec<String>,

    /// Only arguments with such a name; may be repeated
    #[arg(long, value_name = "GLOB", value_parser = names::pattern)]
    name: Vec<WildMatch>,

    /// The function; by default `main`, or the only public one
    #[arg(long, value_name = "FUNCTION")]
    function: Option<String>,

    /// Ignore tensors that are for no argument
    #[arg(long)]
    allow_extra: bool,
}

/// Make constants arguments, and write their values to a file
#[derive(Debug, Args)]
#[command(after_help = EXIT_STATUS)]
pub(super) struct Hoist {
    #[command(flatten)]
    pub(super) input: Input,

    #[command(flatten)]
    destination: Destination,

    #[command(flatten)]
    constants: Constants,

    /// The file for the values: `.npz`, otherwise safetensors
    #[arg(long, value_name = "FILE")]
    to: PathBuf,

    /// The function; by default `main`, or the only public one
    #[arg(long, value_name = "FUNCTION")]
    function: Option<String>,

    /// Leave out the derivatives of an export, which have no results for new arguments
    #[arg(long)]
    drop_derivatives: bool,
}

/// Store constants in another floating-point type
#[derive(Debug, Args)]
#[command(after_help = EXIT_STATUS)]
pub(super) struct Cast {
    #[command(flatten)]
    pub(super) input: Input,

    #[command(flatten)]
    destination: Destination,

    #[command(flatten)]
    constants: Constants,

    /// The type: `bf16`, `f16`, `f32`, `f8E4M3FN` and so on
    #[arg(long, value_name = "TYPE")]
    to: String,
}

/// Store constants as integers with scales
#[derive(Debug, Args)]
#[command(after_help = EXIT_STATUS)]
pub(super) struct Quantize {
    #[command(flatten)]
    pub(super) input: Input,

    #[command(flatten)]
    destination: Destination,

    #[command(flatten)]
    constants: Constants,

    /// The type of the integers
    #[arg(long, value_name = "TYPE", value_parser = ["int8"])]
    to: String,

    /// A scale for each index of a dimension; `auto` is the last one, the output of layers in JAX
    #[arg(long, value_name = "AXIS")]
    per_channel: Option<Axis>,
}

/// A dimension; `None` is the last one.
#[derive(Debug, Clone, Copy)]
struct Axis(Option<u64>);

impl std::str::FromStr for Axis {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "auto" => Ok(Self(None)),
            text => text
                .parse()
                .map(|axis| Self(Some(axis)))
                .map_err(|_| "expected a number or `auto`".to_owned()),
        }
    }
}

impl Freeze {
    pub(super) fn run(&self, out: &mut Out) -> Result<(), Problem> {
        let artifact = Artifact::of(&self.input.open()?);
        let mut tensors = Vec::new();
        for path in &self.values {
            tensors.extend(NamedTensor::read(path).map_err(refused)?);
        }
        for pair in &self.arg {
            let Some((name, path)) = pair.rsplit_once('=') else {
                return Err(Problem::Usage {
                    message: format!("`--arg {pair}` has no file"),
                    help: "write NAME=FILE, such as `x=x.npy`".to_owned(),
                });
            };
            let read = NamedTensor::read(path).map_err(refused)?;
            tensors.extend(read.into_iter().take(1).map(|tensor| tensor.with_name(name)));
        }
        if !self.name.is_empty() {
            let names = function_arguments(&artifact, self.function.as_deref()).map_err(refused)?;
            tensors.retain(|tensor| {
                let name = NamedTensor::argument(tensor.name(), &names).ok().flatten();
                let name = name.and_then(|place| names.get(place)).map_or(tensor.name(), |name| name);
                self.name.iter().any(|pattern| pattern.matches(name))
            });
        }
        let options = FreezeOptions::default()
            .function(self.function.clone())
            .allow_extra(self.allow_extra)
            .bare(self.destination.bare);
        let (rewrite, report) = Rewrite::freeze(&artifact, &tensors, &options).map_err(refused)?;
        self.destination.write(rewrite, out)?;
        let frozen = count(report.frozen.len() as u64, "argument");
        let remaining = report.remaining.len();
        note(&format!("{frozen} frozen, {}; {remaining} remain", count(report.size, "byte")));
        Ok(())
    }
}

impl Hoist {
    pub(super) fn run(&self, out: &mut Out) -> Result<(), Problem> {
        let module = self.input.open()?;
        let artifact = Artifact::of(&module);
        let weights = Weights::of(&module)?;
        let options = HoistOptions::default()
            .function(self.function.clone())
            .drop_derivatives(self.drop_derivatives)
            .bare(self.destination.bare);
        let (constants, choose_use) =
            (&self.constants, |weight_use: &WeightUse| self.constants.accepts_use(weight_use));
        let hoisted =
            Rewrite::hoist(&artifact, &weights, &|weight| constants.accepts(weight), &choose_use, &options);
        let (mut rewrite, report) = hoisted.map_err(refused)?;
        rewrite.prepare(&WriteOptions::default()).map_err(refused)?;
        crate::signals::remove_unfinished_files();
        let progress = Progress::new("writing").to_core();
        weights.save(&self.to, &report.hoisted, &progress).map_err(refused)?;
        self.destination.write(rewrite, out).inspect_err(|_| drop(std::fs::remove_file(&self.to)))?;
        note(&format!(
            "{} hoisted, {}",
            count(report.hoisted.len() as u64, "weight"),
            count(report.size, "byte")
        ));
        let reasons: Vec<(String, String)> =
            report.kept.into_iter().map(|(name, why)| (name, why.to_owned())).collect();
        note_kept(&reasons);
        Ok(())
    }
}

impl Cast {
    pub(super) fn run(&self, out: &mut Out) -> Result<(), Problem> {
        let form = StoreForm::Float(self.to.clone());
        store(&self.input, &form, &self.constants, &self.destination, out)
    }
}

impl Quantize {
    pub(super) fn run(&self, out: &mut Out) -> Result<(), Problem> {
        let form = match self.per_channel {
            None => StoreForm::Int8,
            Some(Axis(axis)) => StoreForm::Int8PerChannel(axis),
        };
        store(&self.input, &form, &self.constants, &self.destination, out)
    }
}

fn store(
    input: &Input,
    form: &StoreForm,
    constants: &Constants,
    destination: &Destination,
    out: &mut Out,
) -> Result<(), Problem> {
    let artifact = Artifact::of(&input.open()?);
    let choose_use = |weight_use: &WeightUse| constants.accepts_use(weight_use);
    let stored =
        Rewrite::store(&artifact, form, &|weight| constants.accepts(weight), &choose_use, destination.bare);
    let (rewrite, report) = stored.map_err(refused)?;
    destination.write(rewrite, out)?;
    let StoreReport { stored, size_before, size_after, largest_error, kept } = report;
    note(&format!(
        "{} stored, {} instead of {size_before}, largest error {largest_error:.3e}",
        count(stored.len() as u64, "weight"),
        count(size_after, "byte")
    ));
    note_kept(&kept);
    Ok(())
}

fn note_kept(kept: &[(String, String)]) {
    const MOST: usize = 5;
    for (name, why) in kept.iter().take(MOST) {
        note(&format!("`{}` stays: {why}", shown(name.as_bytes())));
    }
    if kept.len() > MOST {
        note(&format!("{} more stay", kept.len() - MOST));
    }
}

impl Destination {
    fn write(&self, mut rewrite: Rewrite, out: &mut Out) -> Result<(), Problem> {
        let options = WriteOptions::default().progress(Progress::new("writing").to_core());
        let prepared = rewrite.prepare(&options).map_err(refused)?;
        let path: &Path = &self.output;
        if path.as_os_str() != "-" {
            crate::signals::remove_unfinished_files();
            return prepared.save(path).map_err(refused);
        }
        if std::io::stdout().is_terminal() {
            return Err(Problem::refused("cannot write bytecode to a terminal", "name a file with `-o`"));
        }
        let mut sink = Stdout { out, problem: None };
        let written = prepared.write(&mut sink);
        match sink.problem {
            Some(problem) => Err(Problem::Stdout(problem)),
            None => written.map_err(refused),
        }
    }
}
