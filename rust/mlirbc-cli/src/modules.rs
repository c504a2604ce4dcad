//! Commands that read each module of a file on its own: the modules of a container, and where it makes sense the kernels
//! in them.
//!
//! Owns the one loop over modules, the heading of each in text, and what JSON calls them. What a command does with a
//! module is the same as for a file with only this module.

use std::io::Write;

use mlirbc::artifact::OpenedModule;
use mlirbc::{Artifact, Error, Module};

pub(crate) use mlirbc::artifact::Kernels;

use crate::input::Input;
use crate::output::{self, Out};
use crate::problem::Problem;
use crate::text::{note, printable};

/// A module that a command reads.
pub(crate) struct ChosenModule {
    opened: OpenedModule,
    is_one_of_several: bool,
    is_first: bool,
}

impl ChosenModule {
    pub(crate) fn module(&self) -> &Module {
        &self.opened.module
    }

    /// What JSON calls the module; `None` for the only one of a file.
    pub(crate) fn path(&self) -> Option<&str> {
        self.is_one_of_several.then_some(&*self.opened.path)
    }

    /// The path of the module, also of the only one.
    pub(crate) fn own_path(&self) -> &str {
        &self.opened.path
    }

    /// An error of the module, with its path if it is not the main one.
    pub(crate) fn located(&self, artifact: &Artifact, error: Error) -> Error {
        self.opened.located(artifact, error)
    }

    pub(crate) fn is_first(&self) -> bool {
        self.is_first
    }

    /// What rows of tables call the module: the file, and the path of a module that is not the first one.
    pub(crate) fn row_name(&self, input: &Input) -> String {
        match self.is_first {
            true => input.name(),
            false => format!("{} ({})", input.name(), self.opened.path),
        }
    }

    /// Writes the line that comes before the text about one of several modules.
    pub(crate) fn write_heading(&self, out: &mut Out) -> std::io::Result<()> {
        let Some(path) = self.path() else { return Ok(()) };
        let gap = if self.is_first { "" } else { "\n" };
        writeln!(out, "{gap}module {}:", printable(path))
    }
}

/// Runs a command on the module that `--module` chooses, or else on each module of the file.
pub(crate) fn each(
    input: &Input,
    kernels: Kernels,
    out: &mut Out,
    work: &mut dyn FnMut(&ChosenModule, &mut Out) -> Result<(), Problem>,
) -> Result<(), Problem> {
    each_of(&input.open_artifact()?, input, kernels, out, work)
}

/// The modules that [`each`] goes through, all of them open.
pub(crate) fn all(input: &Input, kernels: Kernels) -> Result<Vec<ChosenModule>, Problem> {
    let artifact = input.open_artifact()?;
    let opened: Vec<_> = artifact.each_module(if_all(input, kernels)).collect::<mlirbc::Result<_>>()?;
    let is_one_of_several = opened.len() > 1;
    let chosen = |(number, opened)| ChosenModule { opened, is_one_of_several, is_first: number == 0 };
    Ok(opened.into_iter().enumerate().map(chosen).collect())
}

/// A module that is chosen stands for itself, without its kernels.
fn if_all(input: &Input, kernels: Kernels) -> Kernels {
    if input.chooses_module() { Kernels::LeftOut } else { kernels }
}

/// Says which modules a command leaves out that takes only the main one.
pub(crate) fn note_others(input: &Input, module: &Module) {
    let artifact = Artifact::of(module);
    if let [main, others @ ..] = artifact.modules()
        && !others.is_empty()
        && !input.chooses_module()
    {
        let paths: Vec<_> = others.iter().take(SHOWN).map(|place| format!("`{}`", place.path)).collect();
        let more = if others.len() > SHOWN { ", ..." } else { "" };
        let what =
            format!("only the module `{}` is used, and {}{more} left out", main.path, paths.join(", "));
        note(&format!("{what}; `--module` chooses another one"));
    }
}

// Paths in a note.
const SHOWN: usize = 4;

/// As [`each`], for a file that is open.
pub(crate) fn each_of(
    artifact: &Artifact,
    input: &Input,
    kernels: Kernels,
    out: &mut Out,
    work: &mut dyn FnMut(&ChosenModule, &mut Out) -> Result<(), Problem>,
) -> Result<(), Problem> {
    each_in(artifact, input, kernels, &mut |chosen| {
        work(chosen, out)?;
        for kernel in chosen.opened.kernels.iter().filter(|kernel| kernel.is_text) {
            let what = format!("{}: note: `{}` is stored as text, and left out", input.name(), kernel.path);
            output::tell(out, &what);
        }
        Ok(())
    })
}

/// As [`each_of`], for a command that writes to another place than standard output.
pub(crate) fn each_in(
    artifact: &Artifact,
    input: &Input,
    kernels: Kernels,
    work: &mut dyn FnMut(&ChosenModule) -> Result<(), Problem>,
) -> Result<(), Problem> {
    let mut modules = artifact.each_module(if_all(input, kernels)).peekable();
    let mut is_first = true;
    while let Some(opened) = modules.next() {
        // A module that cannot be opened is one, too.
        let is_one_of_several = !is_first || modules.peek().is_some();
        let chosen = ChosenModule { opened: opened?, is_one_of_several, is_first };
        is_first = false;
        work(&chosen).map_err(|problem| match problem {
            Problem::File(error) => Problem::File(chosen.located(artifact, error)),
            other => other,
        })?;
    }
    Ok(())
}
