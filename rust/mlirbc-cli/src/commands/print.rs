//! `mlirbc print`: the module as MLIR's text.

use std::fmt::Display;
use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use mlirbc::convert::portable;
use mlirbc::print::{PrintForm, PrintOptions, PrintReport};
use mlirbc::progress::Progress as CoreProgress;
use mlirbc::tool::{NestedPrintReport, print_nested};

use crate::commands::CommandOptions;
use crate::input::Input;
use crate::modules::{self, ChosenModule, Kernels};
use crate::output::{self, Out};
use crate::problem::{self, FINDING, Problem};
use crate::target::{Target, Writer};
use crate::text::{printable, tell};

const HELP: &str = "\
The text is byte for byte what `mlir-opt` of the release that wrote the file prints; an operation whose custom \
assembly is not known is printed in generic form. With `--generic` it is that of `mlir-opt --mlir-print-op-generic`.
It is written while it is produced, so it may be larger than memory. Parts that cannot be decoded are marked \
`<<…>>` in the text and reported on standard error, and the exit status is not 0; everything else is printed.

MLIR's custom assembly omits a few parts of operations. A note on standard error names them, and `--lossless` \
prints these operations in generic form. An operation of a development build is printed in generic form, with a note, if \
the releases before and after the build write it in different ways; `--release` selects one of them.

The modules of a JAX export follow one another, each below a line `// module PATH`, with a line `// -----` between them, as \
`mlir-opt --split-input-file` and `mlirbc assemble --split` read them. With `--nested`, the text of a kernel, a module inside \
a custom call, is below the operation that holds it, as comments: the text remains MLIR. The first line names the stable \
dialect of the kernel and its version; operations of that dialect are in generic form. A kernel that several operations \
hold is below the first one.

Examples:
  Print the beginning of a file:
  $ mlirbc print model.mlirbc | head

  Print to a file, with locations and without weights:
  $ mlirbc print model.mlirbc --locations --elide-resources --elide-elements-larger 16 -o model.mlir

  Print every operation in the generic form:
  $ mlirbc print model.mlirbc --generic

  Show the kernels of a JAX export where they are called:
  $ mlirbc print model.jax --nested

Exit status:
  0  everything was printed
  1  parts of the file were not decoded because nothing describes them
  2  the command line is invalid
  3  the file is malformed, or a file cannot be read or written; what can be decoded is printed";

/// Print the module as MLIR's text
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(crate) struct Options {
    #[command(flatten)]
    pub(crate) input: Input,

    /// Write to this file, which is replaced when the output is complete; `-` is standard output
    #[arg(short, long, value_name = "OUT", default_value = "-")]
    output: PathBuf,

    /// Print a portable artifact as the StableHLO module in it
    #[arg(long)]
    stablehlo: bool,

    /// Print each kernel as comments below the operation that holds it
    #[arg(long)]
    nested: bool,

    /// Print the locations of operations and block arguments
    #[arg(long)]
    locations: bool,

    /// Print all operations in the generic form
    #[arg(long)]
    generic: bool,

    /// Print operations in generic form whose custom form omits something
    #[arg(long, conflicts_with = "generic")]
    lossless: bool,

    /// Omit the data of resources
    #[arg(long)]
    elide_resources: bool,

    /// Omit dense elements if there are more than N
    #[arg(long, value_name = "N")]
    elide_elements_larger: Option<u64>,

    /// Stop at the first part that cannot be decoded, instead of marking it
    #[arg(long)]
    strict: bool,
}

impl CommandOptions for Options {
    fn input(&self) -> Option<&Input> {
        Some(&self.input)
    }

    fn run(&self, out: &mut Out) -> Result<(), Problem> {
        let options = PrintOptions::default()
            .form(if self.generic { PrintForm::Generic } else { PrintForm::Custom })
            .lossless(self.lossless)
            .locations(self.locations)
            .elide_resources_larger(self.elide_resources.then_some(0))
            .elide_elements_larger(self.elide_elements_larger)
            .strict(self.strict);
        let artifact = self.input.open_artifact()?;
        let mut target = Target::open_text(&self.output, output::has_colors(), out)?;
        let mut reports = Vec::new();
        modules::each_in(&artifact, &self.input, Kernels::LeftOut, &mut |chosen| {
            if let Some(path) = chosen.path() {
                let mark = if chosen.is_first() { "" } else { "// -----\n\n" };
                target.write(format!("{mark}// module {}\n", printable(path)).as_bytes())?;
            }
            let mut report = self.print(chosen, &options, &mut target)?;
            // `mlir-opt` ends its output with an empty line.
            target.write(b"\n")?;
            let kernels = report.kernels.into_iter().map(|(path, report)| (Some(path), report));
            let PrintReport { faults, .. } = &mut report.module;
            *faults = faults.drain(..).map(|fault| chosen.located(&artifact, fault)).collect();
            reports.push((chosen.path().map(str::to_owned), report.module));
            reports.extend(kernels);
            Ok(())
        })?;
        target.finish()?;
        out.flush()?;
        let statuses: Vec<_> =
            reports.into_iter().map(|(path, report)| self.tell(path.as_deref(), report, out)).collect();
        match statuses.into_iter().max().unwrap_or_default() {
            0 => Ok(()),
            status => Err(Problem::Reported(status)),
        }
    }
}

impl Options {
    fn print(
        &self,
        chosen: &ChosenModule,
        options: &PrintOptions,
        target: &mut Target<'_>,
    ) -> Result<NestedPrintReport, Problem> {
        let converted = match self.stablehlo {
            true => Some(portable::deserialize(chosen.module(), &CoreProgress::default())?.into_module()?),
            false => None,
        };
        let module = converted.as_ref().unwrap_or(chosen.module());
        let mut writer = Writer::new(target);
        let printed = match self.nested {
            true => print_nested(module, chosen.own_path(), options, &mut writer),
            false => module
                .print(&mut writer, options)
                .map(|module| NestedPrintReport { module, ..NestedPrintReport::default() }),
        };
        writer.done(printed)
    }

    /// Reports omissions in the text of a module, and returns the exit status.
    fn tell(&self, path: Option<&str>, report: PrintReport, out: &mut Out) -> i32 {
        let file = self.input.name();
        let name = path.map_or_else(|| file.clone(), |path| format!("{file} ({path})"));
        for omission in &report.omissions {
            let help = match omission.is_avoided() {
                true => "show it in the form that `mlirbc pack --extra` reads",
                false => "`--lossless` prints it",
            };
            note(&name, omission, (omission.count(), omission.first()), help);
        }
        for form in &report.undecided {
            note(&name, form, (form.count(), form.first()), "`--release` selects one");
        }
        let mut status = 0;
        for fault in report.faults {
            status = status.max(FINDING).max(problem::status(&fault));
            Problem::File(fault).report(out, &file, Some(&self.input));
        }
        status
    }
}

fn note(file: &str, remark: &dyn Display, (count, first): (u64, &str), help: &str) {
    let frequency = if count == 1 { "at".to_owned() } else { format!("{count} times, first at") };
    tell(&printable(&format!("{file}: note: {remark}, {frequency} {first}; help: {help}")));
}
