//! `mlirbc man`: the help of each command as a page of the manual.

use std::fmt::Write as _;
use std::io::{self, Write};
use std::path::PathBuf;

use clap::{Args, Command};
use clap_mangen::Man;
use clap_mangen::roff::{Roff, bold, roman};

use crate::commands::CommandOptions;
use crate::files;
use crate::output::Out;
use crate::problem::Problem;
use crate::text::{count, note};

const HELP: &str = "\
The pages have the text of the help. They are called `mlirbc.1`, `mlirbc-info.1`, `mlirbc-weights-export.1` and so on.

Examples:
  Read the page of a command:
  $ mlirbc man convert | man -l -

  Install all pages for this user:
  $ mlirbc man -o ~/.local/share/man/man1

Exit status:
  0  the pages were written
  1  there is no such command
  2  the command line is invalid
  3  a file cannot be written";

/// Write the help as pages of the manual
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(crate) struct Options {
    /// The words of a command, such as `weights export`; none for the page of mlirbc itself
    #[arg(value_name = "COMMAND", conflicts_with = "output")]
    words: Vec<String>,

    /// Write all pages into this folder, which is created if it is missing
    #[arg(short, long, value_name = "FOLDER")]
    output: Option<PathBuf>,
}

impl CommandOptions for Options {
    fn run(&self, out: &mut Out) -> Result<(), Problem> {
        let mut root = crate::command_line();
        let mut pages = Vec::new();
        collect(&mut root, "mlirbc", &mut pages)?;
        if let Some(folder) = &self.output {
            files::create_folder(folder)?;
            for (name, page) in &pages {
                files::write(&folder.join(format!("{name}.1")), page.as_bytes())?;
            }
            note(&count(pages.len() as u64, "page"));
            return Ok(());
        }
        let page_name = ["mlirbc"].into_iter().chain(self.words.iter().map(String::as_str));
        let page_name = page_name.collect::<Vec<_>>().join("-");
        match pages.into_iter().find(|(name, _)| *name == page_name) {
            Some((_, page)) => Ok(out.write_all(page.as_bytes())?),
            None => Err(Problem::Unknown(format!("no command `{}`", self.words.join(" ")))),
        }
    }
}

fn collect(command: &mut Command, name: &str, pages: &mut Vec<(String, String)>) -> io::Result<()> {
    pages.push((name.to_owned(), page(command, name)?));
    // The recursion is as deep as the commands of the program.
    for one in command.get_subcommands_mut() {
        let name = format!("{name}-{}", one.get_name());
        collect(one, &name, pages)?;
    }
    Ok(())
}

/// Uses the first line of the usage, because `clap_mangen` would list all options.
fn page(command: &mut Command, name: &str) -> io::Result<String> {
    let usage = command.render_usage().to_string();
    let usage = usage.trim_start_matches("Usage:").trim().to_owned();
    let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    let (prose, lists) = parts(&help);
    let has_commands = command.has_subcommands();
    let man = Man::new(command.clone().override_usage(usage).subcommand_help_heading("COMMANDS"))
        .title(name.to_uppercase())
        .source(concat!("mlirbc ", env!("CARGO_PKG_VERSION")))
        .manual("mlirbc");
    let mut text = Vec::new();
    man.render_title(&mut text)?;
    man.render_name_section(&mut text)?;
    man.render_synopsis_section(&mut text)?;
    if !prose.is_empty() {
        let mut roff = Roff::new();
        roff.control("SH", ["DESCRIPTION"]);
        for part in prose {
            roff.text([roman(part)]).control("PP", []);
        }
        roff.to_writer(&mut text)?;
    }
    if has_commands {
        man.render_subcommands_section(&mut text)?;
    }
    man.render_options_section(&mut text)?;
    let mut roff = Roff::new();
    for (title, body) in lists {
        // Lines are not refilled.
        roff.control("SH", [title.to_uppercase().as_str()])
            .control("nf", [])
            .text([roman(body)])
            .control("fi", []);
    }
    if name != "mlirbc" {
        roff.control("SH", ["SEE ALSO"]).text([bold("mlirbc"), roman("(1)")]);
    }
    roff.to_writer(&mut text)?;
    // Every rendered section begins with definitions that a page needs once.
    let definitions = Roff::new().render();
    let sections = String::from_utf8_lossy(&text).replace(&definitions, "");
    Ok(definitions + &in_ascii(&sections))
}

/// Splits the end of the help into paragraphs and lists with a title, the paragraphs of a list joined.
fn parts(help: &str) -> (Vec<&str>, Vec<(&str, String)>) {
    let (mut prose, mut lists) = (Vec::new(), Vec::<(&str, String)>::new());
    for part in help.split("\n\n").filter(|part| !part.is_empty()) {
        let list = part.split_once(":\n").filter(|(title, _)| matches!(*title, "Examples" | "Exit status"));
        match (list, lists.last_mut()) {
            (Some((title, body)), _) => lists.push((title, body.to_owned())),
            (None, Some((_, body))) => {
                body.push_str("\n\n");
                body.push_str(part);
            }
            (None, None) => prose.push(part),
        }
    }
    (prose, lists)
}

/// Writes non-ASCII characters as numbers, because formatters assume various encodings.
fn in_ascii(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_ascii() {
            plain.push(c);
        } else {
            let _ = write!(plain, "\\[u{:04X}]", u32::from(c));
        }
    }
    plain
}
