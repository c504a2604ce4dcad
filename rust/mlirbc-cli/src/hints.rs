//! Hints of errors for the command that runs.
//!
//! The core names arguments of Rust and Python beside options: "`release=` or `--release`". A command names the options
//! alone, and leaves out the clauses of a hint that name an option which the command does not have.

use std::io;
use std::sync::{PoisonError, RwLock};

use mlirbc::{Error, ErrorKind};

static OPTIONS: RwLock<Vec<String>> = RwLock::new(Vec::new());

/// Sets the command that runs: the chain of commands on the command line, the last of which has done its parsing.
pub(crate) fn set_command(parser: &clap::Command, matches: &clap::ArgMatches) {
    let mut options = Vec::new();
    let (mut command, mut matches) = (Some(parser), matches);
    while let Some(current) = command {
        options.extend(long_options(current));
        let Some((name, below)) = matches.subcommand() else { break };
        (command, matches) = (current.find_subcommand(name), below);
    }
    *OPTIONS.write().unwrap_or_else(PoisonError::into_inner) = options;
}

/// The long options of one command; its subcommands have more.
fn long_options(command: &clap::Command) -> impl Iterator<Item = String> {
    command.get_arguments().filter_map(|argument| argument.get_long()).map(str::to_owned)
}

/// Returns a hint for the command that runs; `None` if every clause is about options that the command does
/// not have.
pub(crate) fn fitting(hint: &str) -> Option<String> {
    let options = OPTIONS.read().unwrap_or_else(PoisonError::into_inner);
    fit(hint, &|name| options.iter().any(|option| option == name))
}

/// The hint of an error, with options of the command that runs.
pub(crate) fn hint(error: &Error) -> Option<String> {
    fitting(of_command(error).or(error.hint())?)
}

/// The hint of an error about a file that cannot be written.
pub(crate) fn write_hint(error: &Error) -> Option<String> {
    let fixed = match error.io_error().map(io::Error::kind) {
        Some(io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => "check that the folder exists",
        Some(io::ErrorKind::IsADirectory) => "pass the path of a file, not a directory",
        // The path was to become a folder.
        Some(io::ErrorKind::AlreadyExists) => "pass the path of a folder, not a file",
        Some(io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem) => {
            "check the permissions of the file and of its folder"
        }
        _ => return hint(error),
    };
    Some(fixed.to_owned())
}

/// A hint that names options where the core names arguments.
fn of_command(error: &Error) -> Option<&'static str> {
    let hint = match (error.kind(), error.io_error().map(io::Error::kind)) {
        (ErrorKind::LayoutNone, _) => "give the type a layout with a table, `--layouts FILE`",
        (ErrorKind::LayoutUnknownScope, _) => {
            "pass `--scope OP` if it is a scope, or `--no-scope OP` if it is not"
        }
        (ErrorKind::DepthLimit, _) => "raise `--max-depth` if you trust the file",
        (ErrorKind::TextLimit, _) => {
            "raise `--max-text` if you trust the file, or leave out large values with `--elide-resources` and `--elide-elements-larger`"
        }
        (ErrorKind::MemoryLimit, _) => "raise `--max-memory` if you trust the file",
        (ErrorKind::DecompressedLimit, _) => {
            "raise `--max-decompressed` if you trust the file, or decompress it first"
        }
        (ErrorKind::Shrunk, _) => {
            "use `--backend read`, or copy the file first, if other programs may truncate it"
        }
        (_, Some(io::ErrorKind::NotFound)) => "check the path",
        (_, Some(io::ErrorKind::IsADirectory)) => "pass a file, not a directory",
        (_, Some(io::ErrorKind::PermissionDenied)) => "check the permissions of the file",
        (_, Some(io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded)) => {
            "free some space, or write to another disk"
        }
        _ => return None,
    };
    Some(hint)
}

/// The hint of an error that the Python side of `mlirbc query` reports.
pub fn hint_of_query(identifier: &str, hint: Option<&str>) -> Option<String> {
    let rule = mlirbc::error::RULES.iter().find(|rule| rule.identifier == identifier)?;
    let error = Error::message(rule.kind, "");
    let command = crate::command_line();
    let options: Vec<_> = command.find_subcommand("query").into_iter().flat_map(long_options).collect();
    fit(of_command(&error).or(hint)?, &|name| options.iter().any(|option| option == name))
}

/// The hint for a command that has some options.
fn fit(hint: &str, has: &dyn Fn(&str) -> bool) -> Option<String> {
    let hint = without_arguments(hint, has);
    let is_possible = |clause: &str| options(clause).all(has);
    let sentences = hint.split("; ").filter_map(|sentence| {
        let clauses: Vec<_> = sentence.split(", or ").filter(|clause| is_possible(clause)).collect();
        (!clauses.is_empty()).then(|| clauses.join(", or "))
    });
    let fitting = sentences.collect::<Vec<_>>().join("; ");
    // The sentence with the condition may have been left out.
    let fitting = fitting.strip_prefix("otherwise ").unwrap_or(&fitting);
    (!fitting.is_empty()).then(|| fitting.to_owned())
}

/// The names of the options in a text, which are in backticks: "`--backend read`" has `backend`.
fn options(text: &str) -> impl Iterator<Item = &str> {
    let code = text.split('`').skip(1).step_by(2);
    code.filter_map(|code| code.strip_prefix("--"))
        .map(|option| option.split([' ', '=']).next().unwrap_or(option))
}

/// Keeps only the options of the command where a hint lists several names: "`release=` or `--release`".
fn without_arguments(hint: &str, has: &dyn Fn(&str) -> bool) -> String {
    let mut text = String::new();
    let mut pieces = hint.split('`').peekable();
    let mut names: Vec<&str> = Vec::new();
    while let Some(before) = pieces.next() {
        let is_alternative = before == " or " && !names.is_empty() && pieces.peek().is_some();
        if !is_alternative {
            push_names(&mut text, &names, has);
            names.clear();
            text.push_str(before);
        }
        names.extend(pieces.next());
    }
    push_names(&mut text, &names, has);
    text
}

fn push_names(text: &mut String, names: &[&str], has: &dyn Fn(&str) -> bool) {
    let is_option = |name: &&&str| name.starts_with("--");
    let is_possible = |name: &&&str| options(&format!("`{name}`")).all(has);
    let has_option = names.iter().any(|name| is_option(&name));
    // A command without any of the options gets no clause.
    let has_possible = names.iter().any(|name| is_option(&name) && is_possible(&name));
    let shown = names.iter().filter(|name| match (has_option, has_possible) {
        (true, true) => is_option(name) && is_possible(name),
        (has_option, _) => is_option(name) || !has_option,
    });
    let shown: Vec<_> = shown.map(|name| format!("`{name}`")).collect();
    text.push_str(&shown.join(" or "));
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns every command with the options that its command line may have, including options of its parent
    /// commands.
    fn commands() -> Vec<(String, Vec<String>)> {
        let mut commands = Vec::new();
        let mut open = vec![(crate::command_line(), String::new(), Vec::new())];
        while let Some((command, path, mut options)) = open.pop() {
            options.extend(long_options(&command));
            for below in command.get_subcommands() {
                open.push((below.clone(), format!("{path} {}", below.get_name()), options.clone()));
            }
            commands.push((path, options));
        }
        commands
    }

    #[test]
    fn hints_name_only_options_of_the_command() {
        let commands = commands();
        assert!(commands.len() > 25);
        for rule in mlirbc::error::RULES {
            let error = Error::message(rule.kind, "");
            for hint in rule.hint.into_iter().chain(of_command(&error)) {
                for (command, known) in &commands {
                    let has = |name: &str| known.iter().any(|option| option == name);
                    let Some(shown) = fit(hint, &has) else {
                        assert!(options(hint).any(|option| !has(option)), "{command}: {hint}");
                        continue;
                    };
                    assert!(options(&shown).all(has), "{command}: {shown}");
                    assert!(
                        !shown.starts_with("or ") && !shown.starts_with("otherwise"),
                        "{command}: {shown}"
                    );
                    assert_eq!(shown.matches('`').count() % 2, 0, "{command}: {shown}");
                }
            }
        }
    }

    #[test]
    fn a_clause_without_its_option_is_left_out() {
        let fitted = |hint, known: &[&str]| fit(hint, &|name| known.contains(&name));
        let release =
            "if it was detected, specify it with `release=` or `--release`; otherwise write it again";
        let with_release = "if it was detected, specify it with `--release`; otherwise write it again";
        assert_eq!(fitted(release, &["release"]).as_deref(), Some(with_release));
        assert_eq!(fitted(release, &[]).as_deref(), Some("write it again"));
        let names = "use one of the known names, or register one with `schemas.register` or `--schemas`";
        assert_eq!(fitted(names, &[]).as_deref(), Some("use one of the known names"));
        assert_eq!(
            fitted("raise `--max-text`, or use `--elide x`", &["max-text"]).as_deref(),
            Some("raise `--max-text`")
        );
        assert_eq!(fitted("raise `--max-text`", &[]), None);
        let target = "choose one with `--target` or `--release` or `target=`";
        assert_eq!(fitted(target, &["release"]).as_deref(), Some("choose one with `--release`"));
        assert_eq!(fitted(target, &[]), None);
        // Options of another command, and arguments alone, stay.
        for hint in ["`mlirbc hash --symbols` lists them", "pass `a=` or `b=`, or `c`", "no code; at all"] {
            assert_eq!(fitted(hint, &[]).as_deref(), Some(hint));
        }
    }
}
