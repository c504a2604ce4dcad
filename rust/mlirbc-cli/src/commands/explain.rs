//! `mlirbc explain`: the definition of an operation.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use mlirbc::Release;
use mlirbc::limits::Limits;
use mlirbc::ops::{OperationDefinitions, history, suggestion};
use mlirbc::pack::load_installed_for;

use crate::commands::CommandOptions;
use crate::output::Out;
use crate::packs;
use crate::problem::Problem;

const HELP: &str = "\
Shows what a release of MLIR defines: summary, assembly format, operands, results, attributes, regions, successors and \
traits; then the releases that have the operation, and what changed in each. For the name of a dialect, lists its \
operations with their summaries.

Examples:
  Show an operation of the newest release:
  $ mlirbc explain arith.addi

  Show it as LLVM 16 defines it:
  $ mlirbc explain arith.addi --target llvm-16

  Show a type of a pack:
  $ mlirbc explain '!hw.array' --dialects circt.mlirpack

  List the operations of a dialect:
  $ mlirbc explain arith

Exit status:
  0  the operation or the dialect is known
  1  no release has it
  2  the command line is invalid";

/// Show the definition of an operation, and in which releases it exists
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(crate) struct Options {
    /// The full name of an operation, the name of a dialect, or `!NAME` or `#NAME` of a type or attribute of a pack
    #[arg(value_name = "NAME")]
    name: String,

    /// Show the definition of this release, by default the newest one that has the operation
    #[arg(long = "target", aliases = ["release", "for"], value_name = "NAME")]
    release: Option<String>,

    /// A pack (`mlirbc pack`) with more definitions, or a folder of packs; may be repeated
    #[arg(long, value_name = "FILE")]
    dialects: Vec<PathBuf>,
}

/// Returns the releases with definitions: shipped ones, then releases of packs.
fn all_releases() -> impl Iterator<Item = &'static str> {
    OperationDefinitions::releases()
        .chain(OperationDefinitions::of_packs().map(OperationDefinitions::release))
}

fn definitions_of(release: &str) -> Option<&'static OperationDefinitions> {
    OperationDefinitions::of(&Release::named(release.to_owned()))
}

fn release(name: &str) -> Result<&'static str, String> {
    let definitions = definitions_of(name);
    definitions.map(OperationDefinitions::release).ok_or_else(|| {
        let names: Vec<_> = all_releases().collect();
        format!("there are definitions for {}", names.join(", "))
    })
}

/// Advice if no operation has a name like the given one.
fn help_without_name(dialect: &str) -> String {
    let prefix = format!("{dialect}.");
    let releases = || all_releases().filter_map(definitions_of);
    if releases().any(|known| known.names().any(|name| name.starts_with(&prefix))) {
        return format!("`mlirbc explain {dialect}` lists the operations of the dialect");
    }
    let dialects =
        releases().flat_map(OperationDefinitions::names).filter_map(|name| Some(name.split_once('.')?.0));
    let dialects: BTreeSet<_> = dialects.collect();
    format!(
        "there is no dialect `{dialect}`; the dialects are {}",
        dialects.into_iter().collect::<Vec<_>>().join(", ")
    )
}

impl CommandOptions for Options {
    /// The name in messages.
    fn file_name(&self) -> String {
        self.name.clone()
    }

    fn run(&self, out: &mut Out) -> Result<(), Problem> {
        packs::load_dialects(&self.dialects, &Limits::default())?;
        let target = self.release.as_deref().map(release).transpose();
        let target =
            target.map_err(|help| Problem::usage(format!("`{}` is no release", self.target()), help))?;
        if let Some((is_type, name)) = class_name(&self.name) {
            return self.explain_class(is_type, name, target, out);
        }
        if !self.name.contains('.') {
            return self.list(target, out);
        }
        let history = history(&self.name);
        let shown = match target {
            // A build may have the operation from the release of LLVM that it includes.
            Some(wanted) => {
                definitions_of(wanted).and_then(|known| Some((wanted, known.get(&self.name)?)))
            }
            None => history.last().and_then(|one| {
                Some((one.release(), definitions_of(one.release())?.get(&self.name)?))
            }),
        };
        let Some((shown, definition)) = shown else {
            return Err(self.unknown(target, history.iter().map(|one| one.release()).collect()));
        };
        write!(out, "{}", definition.description())?;
        writeln!(out, "\nreleases")?;
        for release in all_releases() {
            let Some(one) = history.iter().find(|one| one.release() == release) else {
                if release.starts_with("llvm-") {
                    writeln!(out, "  {release}  does not have it")?;
                }
                continue;
            };
            let mark = if one.release() == shown { " (shown)" } else { "" };
            writeln!(out, "  {release}{mark}")?;
            for change in one.changes() {
                writeln!(out, "    {change}")?;
            }
        }
        Ok(())
    }
}

/// Whether a name is one of a type, `!dialect.mnemonic`, or of an attribute, `#dialect.mnemonic`.
fn class_name(name: &str) -> Option<(bool, &str)> {
    let of_type = name.strip_prefix('!').map(|name| (true, name));
    of_type.or_else(|| name.strip_prefix('#').map(|name| (false, name)))
}

impl Options {
    /// Shows an attribute or a type of a pack.
    fn explain_class(
        &self,
        is_type: bool,
        name: &str,
        target: Option<&'static str>,
        out: &mut Out,
    ) -> Result<(), Problem> {
        let named = target.and_then(definitions_of);
        load_installed_for(name.split('.').next().unwrap_or_default());
        let packs = OperationDefinitions::of_packs()
            .filter(|pack| target.is_none() || named.is_some_and(|named| std::ptr::eq(named, *pack)));
        let releases: Vec<_> =
            packs.filter_map(|pack| Some((pack.release(), pack.class(is_type, name)?))).collect();
        let Some((shown, class)) = releases.first() else {
            return Err(Problem::Unknown(format!(
                "no pack has `{}`; help: name the pack of its project with `--dialects`",
                self.name
            )));
        };
        write!(out, "{}", class.description())?;
        writeln!(out, "\nreleases")?;
        for (release, _) in &releases {
            writeln!(out, "  {release}{}", if release == shown { " (shown)" } else { "" })?;
        }
        Ok(())
    }

    /// Lists the operations of a dialect in the release, or in the newest release that has any.
    fn list(&self, target: Option<&'static str>, out: &mut Out) -> Result<(), Problem> {
        let dialect = &self.name;
        let releases: Vec<_> = match target {
            Some(wanted) => vec![wanted],
            // Some builds define operations of LLVM's dialects differently.
            None => {
                let (llvm, builds): (Vec<_>, Vec<_>) =
                    all_releases().partition(|name| name.starts_with("llvm-"));
                [builds, llvm].concat()
            }
        };
        let of_dialect = |name: &&str| name.split_once('.').is_some_and(|(prefix, _)| prefix == dialect);
        let listing =
            releases.into_iter().rev().filter_map(definitions_of).find_map(|definitions| {
                // A build is listed for its own dialects only, unless the user names the build.
                let is_shown = |name: &&str| target.is_some() || !definitions.is_included(name);
                let names: Vec<_> = definitions.names().filter(of_dialect).filter(is_shown).collect();
                (!names.is_empty()).then_some((definitions, names))
            });
        let Some((definitions, names)) = listing else {
            let place = target.unwrap_or("no release");
            let verb = if target.is_some() { "does not have" } else { "has" };
            return Err(Problem::Unknown(format!(
                "{place} {verb} operations of a dialect `{dialect}`; help: pass the full name of an operation, such as \
                 `arith.addi`, or the name of a dialect, such as `arith`"
            )));
        };
        writeln!(out, "{dialect} in {}: {} operations\n", definitions.release(), names.len())?;
        let width = names.iter().map(|name| name.len()).max().unwrap_or_default();
        for name in names {
            let definition = definitions.get(name);
            let summary = definition.as_ref().map_or("", |definition| definition.summary().trim());
            writeln!(out, "{}", format!("  {name:width$}  {summary}").trim_end())?;
        }
        Ok(())
    }

    fn target(&self) -> &str {
        self.release.as_deref().unwrap_or_default()
    }

    fn unknown(&self, target: Option<&str>, others: Vec<&str>) -> Problem {
        let name = &self.name;
        let Some(release) = target else {
            let help = match suggestion(name) {
                Some(near) => format!("did you mean `{near}`?"),
                None => help_without_name(name.split('.').next().unwrap_or_default()),
            };
            let searched: Vec<_> = all_releases().collect();
            let searched = searched.join(", ");
            return Problem::Unknown(format!("none of {searched} has an operation `{name}`; help: {help}"));
        };
        let help = match (others.is_empty(), suggestion(name)) {
            (false, _) => format!("it is in {}", others.join(", ")),
            (true, Some(near)) => format!("no other release has it; did you mean `{near}`?"),
            (true, None) => "no other release has it".to_owned(),
        };
        Problem::Unknown(format!("{release} has no operation `{name}`; help: {help}"))
    }
}
