//! `mlirbc completions`: scripts with which a shell completes commands, options and values.
//!
//! They are made here, not by `clap_complete`: its script for bash lists every option where a file is expected and nothing
//! was typed yet, and no option of its scripts takes a known release or a file. One list of rows is written in three forms.

use std::fmt::Write as _;
use std::io::Write;

use clap::{Arg, Args, Command, ValueEnum, ValueHint};
use mlirbc::props::known_releases;
use mlirbc::section::SectionId;

use crate::commands::CommandOptions;
use crate::output::Out;
use crate::problem::Problem;

const HELP: &str = "\
The scripts complete the names of commands and options, values of which there are few, releases, and files.

Examples:
  Complete in bash, from the next shell on:
  $ mlirbc completions bash > ~/.local/share/bash-completion/completions/mlirbc

  Complete in zsh, with a folder of `$fpath`:
  $ mlirbc completions zsh > ~/.zfunc/_mlirbc

  Complete in fish:
  $ mlirbc completions fish > ~/.config/fish/completions/mlirbc.fish

Exit status:
  0  the script was written
  2  the command line is invalid
  3  standard output cannot be written";

/// Write a script that completes command lines in a shell
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(crate) struct Options {
    /// The shell
    #[arg(value_name = "bash|zsh|fish", value_enum, hide_possible_values = true)]
    shell: Shell,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Shell {
    Bash,
    Zsh,
    Fish,
}

impl CommandOptions for Options {
    fn run(&self, out: &mut Out) -> Result<(), Problem> {
        let mut places = Vec::new();
        collect(&crate::command_line(), "", &mut places);
        let script = match self.shell {
            Shell::Bash => bash(&places),
            Shell::Zsh => zsh(&places),
            Shell::Fish => fish(&places),
        };
        Ok(out.write_all(script.as_bytes())?)
    }
}

/// A command and the words that may follow it.
struct CommandWords {
    /// `/weights/export`; empty in front of the first command.
    path: String,
    /// Name and description of each command.
    commands: Vec<(String, String)>,
    options: Vec<OptionRow>,
    takes_files: bool,
    /// The allowed values of the positional argument that has a fixed list.
    words: Vec<String>,
}

struct OptionRow {
    long: Option<String>,
    short: Option<char>,
    help: String,
    value: ValueKind,
}

impl OptionRow {
    /// `--output -o`
    fn names(&self) -> Vec<String> {
        let long = self.long.iter().map(|name| format!("--{name}"));
        long.chain(self.short.map(|name| format!("-{name}"))).collect()
    }
}

enum ValueKind {
    None,
    OneOf(Vec<String>),
    File,
    /// A word of the list, or a file.
    OneOfOrFile(Vec<String>),
    Other,
}

fn collect(command: &Command, path: &str, places: &mut Vec<CommandWords>) {
    let about = |command: &Command| command.get_about().map(ToString::to_string).unwrap_or_default();
    let positional: Vec<ValueKind> = command.get_positionals().map(value).collect();
    places.push(CommandWords {
        path: path.to_owned(),
        commands: command.get_subcommands().map(|one| (one.get_name().to_owned(), about(one))).collect(),
        options: command.get_arguments().filter(|arg| !arg.is_positional()).map(row).collect(),
        takes_files: positional.iter().any(|value| matches!(value, ValueKind::File)),
        words: positional
            .into_iter()
            .find_map(|value| if let ValueKind::OneOf(words) = value { Some(words) } else { None })
            .unwrap_or_default(),
    });
    // The recursion is as deep as the commands of the program.
    for one in command.get_subcommands() {
        collect(one, &format!("{path}/{}", one.get_name()), places);
    }
}

fn row(arg: &Arg) -> OptionRow {
    let help = arg.get_help().map(ToString::to_string).unwrap_or_default();
    OptionRow {
        long: arg.get_long().map(str::to_owned),
        short: arg.get_short(),
        // The first clause of the help is enough.
        help: help.split([';', '[']).next().unwrap_or_default().trim().to_owned(),
        value: value(arg),
    }
}

fn value(arg: &Arg) -> ValueKind {
    if !arg.get_action().takes_values() {
        return ValueKind::None;
    }
    let possible = arg.get_possible_values();
    if !possible.is_empty() {
        return ValueKind::OneOf(possible.iter().map(|value| value.get_name().to_owned()).collect());
    }
    let names = arg.get_value_names().unwrap_or_default();
    let is_file =
        matches!(arg.get_value_hint(), ValueHint::AnyPath) || names.iter().any(|name| name.contains("FILE"));
    match (known(arg), is_file) {
        (Some(words), false) => ValueKind::OneOf(words),
        (Some(words), true) => ValueKind::OneOfOrFile(words),
        (None, true) => ValueKind::File,
        (None, false) => ValueKind::Other,
    }
}

/// Names that mlirbc knows; others are possible as well.
fn known(arg: &Arg) -> Option<Vec<String>> {
    match arg.get_long()? {
        "target" | "release" => Some(known_releases()),
        "section" => Some(SectionId::ALL.map(|id| id.name().to_owned()).to_vec()),
        _ => None,
    }
}

/// The paths of all commands, as alternatives of a `case`.
fn paths(places: &[CommandWords]) -> String {
    let paths: Vec<&str> =
        places.iter().map(|place| place.path.as_str()).filter(|path| !path.is_empty()).collect();
    paths.join("|")
}

fn bash(places: &[CommandWords]) -> String {
    let mut text = format!(
        "_mlirbc() {{
    local cur=${{COMP_WORDS[COMP_CWORD]}} prev=${{COMP_WORDS[COMP_CWORD-1]}} at= words= files= i
    COMPREPLY=()
    for ((i = 1; i < COMP_CWORD; i++)); do
        case \"$at/${{COMP_WORDS[i]}}\" in
            {}) at+=/${{COMP_WORDS[i]}} ;;
        esac
    done
    case \"$at $prev\" in
",
        paths(places)
    );
    for place in places {
        for option in &place.options {
            let reply = match &option.value {
                ValueKind::None => continue,
                ValueKind::OneOf(words) => format!("words='{}'", words.join(" ")),
                ValueKind::File => "files=1".to_owned(),
                ValueKind::OneOfOrFile(words) => format!("words='{}' files=1", words.join(" ")),
                ValueKind::Other => ":".to_owned(),
            };
            let names: Vec<_> =
                option.names().iter().map(|name| format!("'{} {name}'", place.path)).collect();
            let _ = writeln!(text, "        {}) {reply} ;;", names.join("|"));
        }
    }
    text.push_str("        *) case \"$at\" in\n");
    for place in places {
        let options: Vec<_> = place.options.iter().flat_map(OptionRow::names).collect();
        let commands = place.commands.iter().map(|(name, _)| name.clone());
        let words: Vec<_> = commands.chain(place.words.iter().cloned()).collect();
        let files = if place.takes_files { " files=1" } else { "" };
        let _ = writeln!(
            text,
            "            '{}') if [[ $cur == -?* ]]; then words='{}'; else words='{}'{files}; fi ;;",
            place.path,
            options.join(" "),
            words.join(" ")
        );
    }
    text.push_str(
        "        esac ;;
    esac
    local IFS=$' \\n'
    [[ -n $words ]] && COMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))
    if [[ -n $files ]]; then
        local IFS=$'\\n'
        compopt -o filenames 2> /dev/null
        COMPREPLY+=($(compgen -f -- \"$cur\"))
    fi
}
complete -F _mlirbc mlirbc
",
    );
    text
}

/// Quotes a word for the shell.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}

fn zsh(places: &[CommandWords]) -> String {
    let mut text = format!(
        "#compdef mlirbc
_mlirbc() {{
    local at= word
    for word in \"${{(@)words[2,CURRENT-1]}}\"; do
        case $at/$word in
            ({}) at+=/$word ;;
        esac
    done
    local -a commands
    case $at in
",
        paths(places)
    );
    let plain = |text: &str| text.replace('\\', "").replace('[', "(").replace(']', ")").replace(':', "\\:");
    for place in places {
        let _ = writeln!(text, "        ('{}')", place.path);
        if !place.commands.is_empty() {
            let names =
                place.commands.iter().map(|(name, about)| quoted(&format!("{name}:{}", plain(about))));
            let _ = writeln!(text, "            commands=({})", names.collect::<Vec<_>>().join(" "));
        }
        text.push_str("            _arguments -s");
        for option in &place.options {
            let value = match &option.value {
                ValueKind::None => String::new(),
                ValueKind::OneOf(words) => format!(":value:({})", words.join(" ")),
                ValueKind::File => ":file:_files".to_owned(),
                ValueKind::OneOfOrFile(words) => format!(":value:{{compadd {}; _files}}", words.join(" ")),
                ValueKind::Other => ":value: ".to_owned(),
            };
            for name in option.names() {
                // A value follows as a word, or after `=`.
                let equals = if !value.is_empty() && name.starts_with("--") { "=" } else { "" };
                let help = plain(&option.help);
                let _ = write!(
                    text,
                    " \\\n                {}",
                    quoted(&format!("*{name}{equals}[{help}]{value}"))
                );
            }
        }
        let arguments = match (place.commands.is_empty(), place.takes_files) {
            (false, true) => "*:command:{_describe command commands; _files}".to_owned(),
            (false, false) => "*:command:{_describe command commands}".to_owned(),
            (_, true) => "*:file:_files".to_owned(),
            _ => format!("*:value:({})", place.words.join(" ")),
        };
        let _ = writeln!(text, " \\\n                {} ;;", quoted(&arguments));
    }
    text.push_str(
        "    esac
}
if [[ $funcstack[1] == _mlirbc ]]; then _mlirbc \"$@\"; else compdef _mlirbc mlirbc; fi
",
    );
    text
}

fn fish(places: &[CommandWords]) -> String {
    // Only these two characters have a meaning between fish's single quotes.
    let quoted = |text: &str| format!("'{}'", text.replace('\\', "\\\\").replace('\'', "\\'"));
    let mut text = format!(
        "function __mlirbc_at
    set -l at ''
    for word in (commandline -opc)[2..]
        contains -- \"$at/$word\" {}; and set at \"$at/$word\"
    end
    test \"$at\" = \"$argv[1]\"
end
complete -c mlirbc -f
",
        paths(places).replace('|', " ")
    );
    for place in places {
        let start = format!("complete -c mlirbc -n \"__mlirbc_at '{}'\"", place.path);
        for (name, about) in &place.commands {
            let _ = writeln!(text, "{start} -a {name} -d {}", quoted(about));
        }
        for word in &place.words {
            let _ = writeln!(text, "{start} -a {word}");
        }
        if place.takes_files {
            let _ = writeln!(text, "{start} -F");
        }
        for option in &place.options {
            let long = option.long.as_ref().map_or(String::new(), |name| format!(" -l {name}"));
            let short = option.short.map_or(String::new(), |name| format!(" -s {name}"));
            let value = match &option.value {
                ValueKind::None => String::new(),
                ValueKind::OneOf(words) => format!(" -x -a {}", quoted(&words.join(" "))),
                ValueKind::File => " -r -F".to_owned(),
                ValueKind::OneOfOrFile(words) => format!(" -r -F -a {}", quoted(&words.join(" "))),
                ValueKind::Other => " -x".to_owned(),
            };
            let _ = writeln!(text, "{start}{long}{short}{value} -d {}", quoted(&option.help));
        }
    }
    text
}
