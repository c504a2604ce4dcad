//! `mlirbc man`: the help of each command as a page of the manual.

use std::fmt::Write as _;
use std::io::Write;
use std::path::PathBuf;

use clap::{Arg, Args, Command};

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

    /// Write all pages into this folder, which is made if it is not there
    #[arg(short, long, value_name = "FOLDER")]
    output: Option<PathBuf>,
}

impl Options {
    pub(crate) fn run(&self, out: &mut Out) -> Result<(), Problem> {
        let mut root = crate::command_line();
        let mut pages = Vec::new();
        collect(&mut root, "mlirbc", &mut pages);
        if let Some(folder) = &self.output {
            files::create_folder(folder)?;
            for (name, page) in &pages {
                files::write(&folder.join(format!("{name}.1")), page.as_bytes())?;
            }
            note(&count(pages.len() as u64, "page"));
            return Ok(());
        }
        let wanted = ["mlirbc"].into_iter().chain(self.words.iter().map(String::as_str));
        let wanted = wanted.collect::<Vec<_>>().join("-");
        match pages.into_iter().find(|(name, _)| *name == wanted) {
            Some((_, page)) => Ok(out.write_all(page.as_bytes())?),
            None => Err(Problem::Unknown(format!("no command `{}`", self.words.join(" ")))),
        }
    }
}

fn collect(command: &mut Command, name: &str, pages: &mut Vec<(String, String)>) {
    pages.push((name.to_owned(), page(command, name)));
    // As deep as the program has commands.
    for one in command.get_subcommands_mut() {
        let name = format!("{name}-{}", one.get_name());
        collect(one, &name, pages);
    }
}

fn page(command: &mut Command, name: &str) -> String {
    let version = env!("CARGO_PKG_VERSION");
    let about = command.get_about().map(ToString::to_string).unwrap_or_default();
    let usage = command.render_usage().to_string();
    let usage = usage.trim_start_matches("Usage:").trim();
    let mut text = format!(
        ".TH {} 1 \"\" \"mlirbc {version}\" \"mlirbc\"\n.SH NAME\n{} \\- {}\n.SH SYNOPSIS\n",
        name.to_uppercase(),
        escaped(name),
        escaped(&about)
    );
    for line in usage.lines() {
        let _ = writeln!(text, ".nf\n{}\n.fi", escaped(line.trim()));
    }
    let after = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    let first_list = after.split("\n\n").position(|part| title(part).is_some()).unwrap_or(usize::MAX);
    let (prose, lists): (Vec<_>, Vec<_>) =
        after.split("\n\n").enumerate().partition(|(place, _)| *place < first_list);
    if !prose.is_empty() && !after.is_empty() {
        text.push_str(".SH DESCRIPTION\n");
        for (_, part) in prose {
            let _ = writeln!(text, "{}\n.PP", escaped(part));
        }
    }
    if command.has_subcommands() {
        text.push_str(".SH COMMANDS\n");
        for one in command.get_subcommands() {
            let about = one.get_about().map(ToString::to_string).unwrap_or_default();
            let page = format!("{name}-{}", one.get_name());
            let _ = writeln!(text, ".TP\n\\fB{}\\fR(1)\n{}", escaped(&page), escaped(&about));
        }
    }
    let mut headings: Vec<&str> = Vec::new();
    for arg in command.get_arguments() {
        let heading = heading(arg);
        if !headings.contains(&heading) {
            headings.push(heading);
        }
    }
    // Those that clap gives come first, as in the help.
    headings.sort_by_key(|heading| match *heading {
        ARGUMENTS => 0,
        OPTIONS => 1,
        _ => 2,
    });
    for this in headings {
        let _ = writeln!(text, ".SH {}", escaped(&this.to_uppercase()));
        for arg in command.get_arguments().filter(|arg| heading(arg) == this) {
            let help = arg.get_help().map(ToString::to_string).unwrap_or_default();
            let _ = writeln!(text, ".TP\n{}\n{}", signature(arg), escaped(&help));
            let defaults: Vec<_> =
                arg.get_default_values().iter().map(|value| value.to_string_lossy()).collect();
            if !defaults.is_empty() && arg.get_action().takes_values() {
                let _ = writeln!(text, "[default: {}]", escaped(&defaults.join(" ")));
            }
        }
    }
    let mut is_open = false;
    for (_, part) in lists {
        let body = match title(part) {
            Some((title, body)) => {
                let close = if std::mem::replace(&mut is_open, true) { ".fi\n" } else { "" };
                let _ = writeln!(text, "{close}.SH {}\n.nf", escaped(&title.to_uppercase()));
                body
            }
            None => {
                text.push('\n');
                part
            }
        };
        let _ = writeln!(text, "{}", escaped(body));
    }
    if is_open {
        text.push_str(".fi\n");
    }
    if name != "mlirbc" {
        text.push_str(".SH SEE ALSO\n\\fBmlirbc\\fR(1)\n");
    }
    text
}

const ARGUMENTS: &str = "Arguments";
const OPTIONS: &str = "Options";

fn heading(arg: &Arg) -> &str {
    arg.get_help_heading().unwrap_or(if arg.is_positional() { ARGUMENTS } else { OPTIONS })
}

/// The title of a list in the help, and what follows.
fn title(part: &str) -> Option<(&str, &str)> {
    let (title, body) = part.split_once(":\n")?;
    matches!(title, "Examples" | "Exit status").then_some((title, body))
}

/// `-o`, `--output` `OUT`
fn signature(arg: &Arg) -> String {
    let values = arg.get_value_names().unwrap_or_default().join(" ");
    let values = escaped(&values);
    if arg.is_positional() {
        return format!("\\fI{values}\\fR");
    }
    let short = arg.get_short().map(|name| format!("-{name}"));
    let names: Vec<_> = short.into_iter().chain(arg.get_long().map(|name| format!("--{name}"))).collect();
    let names = format!("\\fB{}\\fR", escaped(&names.join(", ")));
    if arg.get_action().takes_values() { format!("{names} \\fI{values}\\fR") } else { names }
}

/// Text in which nothing is a command of roff.
fn escaped(text: &str) -> String {
    let mut plain = String::new();
    for c in text.chars() {
        match c {
            '\\' => plain.push_str("\\e"),
            '-' => plain.push_str("\\-"),
            c if c.is_ascii() => plain.push(c),
            // Formatters read bytes of other characters in encodings of their own.
            c => {
                let _ = write!(plain, "\\[u{:04X}]", u32::from(c));
            }
        }
    }
    let text = plain;
    let lines: Vec<_> = text
        .lines()
        .map(|line| if line.starts_with(['.', '\'']) { format!("\\&{line}") } else { line.to_owned() })
        .collect();
    lines.join("\n")
}
