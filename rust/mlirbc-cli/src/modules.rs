//! Runs a command on each module of a file: the modules of a container, and the kernels in them where that
//! makes sense.
//!
//! Owns the one loop over modules, their headings in text, and their names in JSON. A command treats each
//! module as it treats a file with only that module.

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

    /// The name of the module in JSON; `None` for the only module of a file.
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

    /// The name of the module in rows of tables: the file, followed by the path unless it is the first
    /// module.
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

/// Opens all the modules that [`each`] goes through.
pub(crate) fn all(input: &Input, kernels: Kernels) -> Result<Vec<ChosenModule>, Problem> {
    let artifact = input.open_artifact()?;
    let opened: Vec<_> = artifact.each_module(if_all(input, kernels)).collect::<mlirbc::Result<_>>()?;
    let is_one_of_several = opened.len() > 1;
    let chosen = |(number, opened)| ChosenModule { opened, is_one_of_several, is_first: number == 0 };
    Ok(opened.into_iter().enumerate().map(chosen).collect())
}

/// Kernels are left out if `--module` chooses a module.
fn if_all(input: &Input, kernels: Kernels) -> Kernels {
    if input.chooses_module() { Kernels::LeftOut } else { kernels }
}

/// Reports the modules that are left out by a command that reads only the main module.
pub(crate) fn note_others(input: &Input, module: &Module) {
    let artifact = Artifact::of(module);
    if let [main, others @ ..] = artifact.modules()
        && !others.is_empty()
        && !input.chooses_module()
    {
        let paths: Vec<_> = others.iter().take(SHOWN).map(|place| format!("`{}`", place.path)).collect();
        let more = if others.len() > SHOWN { ", ..." } else { "" };
        let message =
            format!("only the module `{}` is used, and {}{more} left out", main.path, paths.join(", "));
        note(&format!("{message}; `--module` chooses another one"));
    }
}

// Paths in the note.
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
            let message =
                format!("{}: note: `{}` is stored as text, and left out", input.name(), kernel.path);
            output::tell(out, &message);
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
        // A module that cannot be opened counts, too.
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
