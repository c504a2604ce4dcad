//! The subcommands, one file each.

mod assemble;
mod check;
mod completions;
mod convert;
mod diff;
mod diff_test;
mod dump;
mod explain;
mod explore;
mod extract;
mod hash;
mod info;
mod layout;
mod man;
mod merge;
mod mutate;
mod ops;
mod pack;
mod print;
mod query;
mod resources;
mod shrink;
mod size;
mod smith;
mod split;
mod strip;
mod verify;
mod weights;

use clap::Subcommand;

use crate::input::Input;
use crate::output::Out;
use crate::problem::Problem;

/// Every subcommand, in the order of the help.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Info(info::Options),
    Verify(verify::Options),
    Ops(ops::Options),
    Query(query::Options),
    Layout(layout::Options),
    Print(print::Options),
    Resources(resources::Options),
    Weights(Box<weights::Options>),
    Dump(dump::Options),
    Size(size::Options),
    Explore(explore::Options),
    Hash(hash::Options),
    Diff(diff::Options),
    Check(check::Options),
    Convert(convert::Options),
    Strip(strip::Options),
    Extract(extract::Options),
    Merge(merge::Options),
    Split(split::Options),
    Assemble(assemble::Options),
    Explain(explain::Options),
    Pack(pack::Options),
    DiffTest(diff_test::Options),
    Shrink(shrink::Options),
    Mutate(mutate::Options),
    Smith(smith::Options),
    Completions(completions::Options),
    Man(man::Options),
}

impl Command {
    pub(crate) fn run(&self, out: &mut Out) -> Result<(), Problem> {
        match self {
            Self::Info(options) => options.run(out),
            Self::Verify(options) => options.run(out),
            Self::Ops(options) => options.run(out),
            Self::Query(options) => options.run(out),
            Self::Layout(options) => options.run(out),
            Self::Print(options) => options.run(out),
            Self::Resources(options) => options.run(out),
            Self::Weights(options) => options.run(out),
            Self::Dump(options) => options.run(out),
            Self::Size(options) => options.run(out),
            Self::Explore(options) => options.run(out),
            Self::Hash(options) => options.run(out),
            Self::Diff(options) => options.run(out),
            Self::Check(options) => options.run(out),
            Self::Convert(options) => options.run(out),
            Self::Strip(options) => options.run(out),
            Self::Extract(options) => options.run(out),
            Self::Merge(options) => options.run(out),
            Self::Split(options) => options.run(out),
            Self::Assemble(options) => options.run(out),
            Self::Explain(options) => options.run(out),
            Self::Pack(options) => options.run(out),
            Self::DiffTest(options) => options.run(out),
            Self::Shrink(options) => options.run(out),
            Self::Mutate(options) => options.run(out),
            Self::Smith(options) => options.run(out),
            Self::Completions(options) => options.run(out),
            Self::Man(options) => options.run(out),
        }
    }

    /// The name of the file in messages.
    pub(crate) fn file_name(&self) -> String {
        match self {
            Self::Assemble(options) => options.name(),
            Self::Explain(options) => options.name(),
            Self::Pack(_) => "pack".to_owned(),
            Self::DiffTest(_) => "diff-test".to_owned(),
            Self::Shrink(options) => options.name(),
            Self::Query(_) => "query".to_owned(),
            Self::Mutate(_) => "mutate".to_owned(),
            Self::Smith(_) => "smith".to_owned(),
            _ => self.input().map(Input::name).unwrap_or_default(),
        }
    }

    /// The bytecode file that is read, if the command reads one.
    pub(crate) fn input(&self) -> Option<&Input> {
        Some(match self {
            Self::Info(options) => &options.input,
            Self::Verify(options) => &options.input,
            Self::Ops(options) => &options.input,
            Self::Layout(options) => &options.input,
            Self::Print(options) => &options.input,
            Self::Resources(options) => &options.input,
            Self::Weights(options) => return options.input(),
            Self::Dump(options) => &options.input,
            Self::Size(options) => &options.input,
            Self::Explore(options) => &options.input,
            Self::Hash(options) => &options.input,
            Self::Diff(options) => options.inputs.last().unwrap_or(&options.input),
            Self::Check(options) => &options.input,
            Self::Convert(options) => &options.input,
            Self::Strip(options) => &options.input,
            Self::Extract(options) => &options.input,
            Self::Merge(options) => options.inputs.last().unwrap_or(&options.input),
            Self::Split(options) => &options.input,
            Self::Query(_)
            | Self::Assemble(_)
            | Self::Explain(_)
            | Self::Pack(_)
            | Self::DiffTest(_)
            | Self::Shrink(_)
            | Self::Mutate(_)
            | Self::Smith(_)
            | Self::Completions(_)
            | Self::Man(_) => {
                return None;
            }
        })
    }
}
