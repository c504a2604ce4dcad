//! Rules that all commands follow, checked for every command in the description of the command line.

#![allow(clippy::unwrap_used, clippy::panic)]
#![cfg(unix)]

mod support;

use std::fs::File;
use std::path::Path;
use std::process::{Command, Output};

use clap::{Arg, Command as Described};
use support::{complaint, example, mlirbc, root, run, text};

/// Output for this many operations is longer than the buffer of any pipe.
const OPERATIONS: usize = 50_000;

/// Arguments that commands need besides a file. `OUT` is a file to write, `DIR` a folder.
const NEEDED: [(&str, &str); 19] = [
    ("explore", "-o OUT"),
    ("check", "--target llvm-22"),
    ("convert", "--canonical -o OUT"),
    ("strip", "--locations -o OUT"),
    ("specialize", "--dim arg0.0=3 -o OUT"),
    ("extract", "@main -o OUT"),
    ("merge", "-o OUT"),
    ("split", "-o DIR"),
    ("assemble", "-o OUT"),
    ("shrink", "--check cat|{} --expect-status 0 -o OUT"),
    ("mutate", "-o DIR"),
    ("weights export", "-o OUT"),
    ("weights import", "WEIGHTS -o OUT"),
    ("weights externalize", "-o OUT"),
    ("weights inline", "-o OUT"),
    ("weights freeze", "--values WEIGHTS -o OUT"),
    ("weights hoist", "--to VALUES -o OUT"),
    ("weights cast", "--to bf16 -o OUT"),
    ("weights quantize", "--to int8 -o OUT"),
];

/// Commands that have no file to read.
const WITHOUT_FILE: [&str; 7] = ["explain", "lsp", "smith", "completions", "man", "pack", "stubs"];

/// Every command that can be run, with its words.
fn commands() -> Vec<(String, Described)> {
    let mut runnable = Vec::new();
    let mut pending = vec![(String::new(), mlirbc_cli::command_line())];
    while let Some((words, command)) = pending.pop() {
        if !command.has_subcommands() || command.get_positionals().next().is_some() {
            runnable.push((words.clone(), command.clone()));
        }
        for one in command.get_subcommands() {
            pending.push((format!("{words} {}", one.get_name()).trim().to_owned(), one.clone()));
        }
    }
    assert!(runnable.len() > 25);
    runnable
}

fn value_name(arg: &Arg) -> String {
    arg.get_value_names().unwrap_or_default().join(" ")
}

fn arguments(words: &str, file: &str, folder: &Path) -> Vec<String> {
    let needed = NEEDED.iter().find(|(name, _)| *name == words).map_or("", |(_, needed)| needed);
    let out = folder.to_str().unwrap();
    let needed = needed.split_whitespace().map(|word| match word {
        "OUT" => format!("{out}/out"),
        "DIR" => format!("{out}/dir"),
        "WEIGHTS" => format!("{out}/weights.safetensors"),
        word => word.replace('|', " "),
    });
    words.split(' ').map(str::to_owned).chain([file.to_owned()]).chain(needed).collect()
}

#[test]
fn every_command_that_reads_a_file_reads_standard_input() {
    let folder = tempfile::tempdir().unwrap();
    let weights = folder.path().join("weights.safetensors");
    let output = run(["weights", "export", example().to_str().unwrap(), "-o", weights.to_str().unwrap()]);
    assert!(output.status.success(), "{}", complaint(&output));
    let big = folder.path().join("big.mlirbc");
    let big_text = folder.path().join("big.mlir");
    let operations = "\"t.op\"() : () -> ()\n".repeat(OPERATIONS);
    std::fs::write(&big_text, format!("module {{\n{operations}}}\n")).unwrap();
    let output = run(["assemble".as_ref(), big_text.as_os_str(), "-o".as_ref(), big.as_os_str()]);
    assert!(output.status.success(), "{}", complaint(&output));
    assert!(std::fs::metadata(&big).unwrap().len() > 1 << 17);
    for (words, command) in commands() {
        let takes_file = command.get_positionals().any(|arg| value_name(arg).contains("FILE"));
        assert_eq!(takes_file, !WITHOUT_FILE.contains(&words.as_str()), "{words}");
        // Python opens the files of a query.
        if !takes_file || words == "query" {
            continue;
        }
        let file = match words.as_str() {
            "assemble" | "fmt" => big_text.clone(),
            // These commands need more than the example offers, or take long.
            "extract" | "split" | "merge" | "strip" | "shrink" | "check" | "weights import" | "explore" => {
                example()
            }
            _ => big.clone(),
        };
        let result = |name: &str, stdin: Option<&Path>| -> (Output, Option<Vec<u8>>) {
            let out = folder.path().join("out");
            let _ = std::fs::remove_file(&out);
            let mut arguments = arguments(&words, name, folder.path());
            if words == "diff" {
                arguments.push(example().to_str().unwrap().to_owned());
            }
            let output = match stdin {
                None => run(arguments),
                // Standard input is a pipe and not an open file.
                Some(path) => {
                    let mut cat =
                        Command::new("cat").arg(path).stdout(std::process::Stdio::piped()).spawn().unwrap();
                    let output = mlirbc().args(arguments).stdin(cat.stdout.take().unwrap()).output().unwrap();
                    cat.wait().unwrap();
                    output
                }
            };
            (output, std::fs::read(out).ok())
        };
        let (named, written) = result(file.to_str().unwrap(), None);
        let (piped, from_pipe) = result("-", Some(&file));
        assert_eq!(piped.status.code(), named.status.code(), "{words}: {}", text(&piped.stderr));
        assert!(matches!(piped.status.code(), Some(0 | 1)), "{words}: {}", text(&piped.stderr));
        // The page and the locations of a text contain the name of the file.
        if !matches!(words.as_str(), "explore" | "assemble") {
            assert_eq!(from_pipe, written, "{words}");
        }
    }
}

#[test]
fn standard_input_is_the_same_for_every_dash() {
    let stdin = || File::open(example()).unwrap();
    let same = mlirbc().args(["diff", "-", "-"]).stdin(stdin()).output().unwrap();
    assert_eq!(same.status.code(), Some(0), "{}", text(&same.stderr));
    // The bytes are read again for the fields around the error.
    let bad = root().join("tests/data/hostile/count.ops_4294967296.mlirbc");
    let explained =
        mlirbc().args(["verify", "--explain", "-"]).stdin(File::open(bad).unwrap()).output().unwrap();
    assert_eq!(explained.status.code(), Some(3));
    assert!(!explained.stdout.is_empty());
}

#[test]
fn every_number_of_bytes_may_have_a_unit() {
    let mut count = 0;
    for (words, command) in commands() {
        for arg in command.get_arguments().filter(|arg| matches!(value_name(arg).as_str(), "BYTES" | "SIZE"))
        {
            count += 1;
            let option = format!("--{}", arg.get_long().unwrap());
            let try_value = |value: &str| run(words.split(' ').chain([option.as_str(), value]));
            let wrong = try_value("1Q");
            assert_eq!(wrong.status.code(), Some(2));
            let all = text(&wrong.stderr);
            assert!(all.contains("expected a number of bytes, such as"), "{words} {option}: {all}");
            // With a valid size, the command complains only about the missing file.
            for right in ["4096", "64KiB", "1M", "2g"] {
                let output = try_value(right);
                // Without a file, standard input is assembled.
                assert!(
                    words == "assemble" || text(&output.stderr).contains("required"),
                    "{words} {option}: {}",
                    text(&output.stderr)
                );
            }
        }
    }
    assert!(count > 40, "{count}");
}

#[test]
fn a_size_is_a_limit() {
    let file = example();
    let file = file.to_str().unwrap();
    let limited = |limit| run(["verify", file, "--max-memory", limit]).status.code();
    assert_eq!((limited("64"), limited("1K"), limited("64M")), (Some(3), Some(3), Some(0)));
}

#[test]
fn quiet_leaves_errors_only() {
    let folder = tempfile::tempdir().unwrap();
    let (out, file) = (folder.path().join("out"), example());
    let (out, file) = (out.to_str().unwrap(), file.to_str().unwrap());
    for words in [
        &["convert", file, "-o", out][..],
        &["extract", file, "@main", "-o", out],
        &["merge", file, "-o", out],
        &["weights", "export", file, "-o", out],
        &["print", file, "-o", out],
        &["man", "-o", out],
    ] {
        let _ = std::fs::remove_file(out);
        let loud = run(words);
        assert!(loud.status.success(), "{words:?}: {}", text(&loud.stderr));
        for quiet in [&["--quiet"][..], &["-q"]] {
            for words in [[quiet, words].concat(), [words, quiet].concat()] {
                let output = run(&words);
                assert_eq!((text(&output.stderr), output.status.code()), ("", Some(0)), "{words:?}");
                assert_eq!(output.stdout, loud.stdout, "{words:?}");
            }
        }
        let _ = std::fs::remove_file(out);
        assert_eq!(loud.stderr.is_empty(), words[0] == "print", "{words:?}");
    }
    assert!(complaint(&run(["verify", "-q", "/proc/no-such-file"])).contains("cannot open"));
    let verified = run(["--quiet", "verify", file]);
    assert!(verified.status.success() && verified.stdout.is_empty());
}

#[test]
fn colours_are_as_requested_in_every_command() {
    for (words, command) in commands() {
        assert!(command.get_arguments().any(|arg| arg.get_long() == Some("color")), "{words}");
        assert!(command.get_arguments().any(|arg| arg.get_long() == Some("quiet")), "{words}");
        let help = |choice: &str| {
            let words = words.split(' ').chain(["--color", choice, "--help"]);
            text(&run(words).stdout).contains('\u{1b}')
        };
        assert_eq!((help("always"), help("never"), help("auto")), (true, false, false), "{words}");
    }
    let printed = |variables: &[(&str, &str)], words: &[&str]| {
        let mut command = mlirbc();
        command
            .args(["print"])
            .arg(example())
            .args(words)
            .env_remove("NO_COLOR")
            .envs(variables.iter().copied());
        text(&command.output().unwrap().stdout).contains('\u{1b}')
    };
    assert!(!printed(&[], &[]) && printed(&[("CLICOLOR_FORCE", "1")], &[]));
    assert!(!printed(&[("CLICOLOR_FORCE", "0")], &[]));
    assert!(!printed(&[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")], &[]));
    assert!(!printed(&[("CLICOLOR_FORCE", "1")], &["--color", "never"]));
    assert!(printed(&[("NO_COLOR", "1")], &["--color", "always"]));
}

/// Returns bash's completions at the end of a line.
fn completed(script: &Path, line: &str) -> Vec<String> {
    let words: Vec<_> = line.split(' ').map(|word| format!("'{word}'")).collect();
    let command = format!(
        "source '{}'; complete -p mlirbc > /dev/null || exit 9; COMP_WORDS=({}); COMP_CWORD={}; _mlirbc; printf '%s\\n' \"${{COMPREPLY[@]}}\"",
        script.display(),
        words.join(" "),
        words.len() - 1
    );
    let output = Command::new("bash")
        .args(["--norc", "-c", &command])
        .current_dir(root().join("examples"))
        .output()
        .unwrap();
    assert!(output.status.success() && output.stderr.is_empty(), "{line}: {}", text(&output.stderr));
    text(&output.stdout).lines().map(str::to_owned).collect()
}

#[test]
fn bash_completes_commands_options_values_and_files() {
    if Command::new("bash").arg("--version").output().is_err() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("mlirbc.bash");
    std::fs::write(&script, run(["completions", "bash"]).stdout).unwrap();
    let completed = |line: &str| completed(&script, line);
    assert_eq!(completed("mlirbc ver"), ["verify"]);
    assert_eq!(completed("mlirbc -q exp"), ["explore", "explain"]);
    assert_eq!(completed("mlirbc weights ext"), ["externalize"]);
    assert_eq!(completed("mlirbc verify --requ"), ["--require-known"]);
    assert_eq!(completed("mlirbc print x --color a"), ["auto", "always"]);
    assert_eq!(completed("mlirbc info --backend "), ["map", "read"]);
    assert_eq!(completed("mlirbc completions "), ["bash", "zsh", "fish"]);
    assert_eq!(completed("mlirbc info two_layers.mlirb"), ["two_layers.mlirbc"]);
    assert_eq!(completed("mlirbc convert --target llvm-22"), ["llvm-22"]);
    assert_eq!(completed("mlirbc dump --section P"), ["Properties"]);
    // A release or a file.
    assert_eq!(completed("mlirbc check --target two_layers.mlirb"), ["two_layers.mlirbc"]);
    assert!(completed("mlirbc check --target ").contains(&"iree-3.13".to_owned()));
    assert!(completed("mlirbc info --max-memory ").iter().all(String::is_empty));
    for (words, command) in commands() {
        let options = completed(&format!("mlirbc {words} --"));
        for arg in command.get_arguments().filter_map(Arg::get_long) {
            assert!(options.contains(&format!("--{arg}")), "{words} --{arg}");
        }
    }
}

#[test]
fn scripts_of_other_shells_are_complete() {
    for (shell, check) in [("zsh", &["-n"][..]), ("fish", &["--no-execute"])] {
        let script = run(["completions", shell]).stdout;
        for (words, _) in commands() {
            assert!(text(&script).contains(&format!("/{}'", words.replace(' ', "/"))), "{shell} {words}");
        }
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("script");
        std::fs::write(&file, script).unwrap();
        // The shell checks the script if it is installed.
        if let Ok(output) = Command::new(shell).args(check).arg(&file).output() {
            assert!(output.status.success(), "{shell}: {}", text(&output.stderr));
        }
    }
}

/// Lines with their completion, if only one is possible.
const COMPLETED: [(&str, &str); 5] = [
    ("verif", "verify"),
    ("weights exte", "weights externalize"),
    ("print --color nev", "print --color never"),
    ("convert --target llvm-16", "convert --target llvm-16"),
    ("info two_layers.mlirb", "info two_layers.mlirbc"),
];

/// A script that presses the tabulator key in a zsh with a terminal, and shows what the command gets.
const PRESS_TAB: &str = r#"
zmodload zsh/zpty
zpty shell "zsh -f -i"
zpty -w shell "PS1=; autoload -Uz compinit && compinit -u -D; source $1; mlirbc() { print -r -- '<'\$*'>' }"
zpty -w shell "mlirbc $2"$'\t'
zpty -r -m shell output "*
<*>*"
print -r -- "$output"
zpty -d shell
"#;

#[test]
fn zsh_completes_commands_options_values_and_files() {
    let folder = tempfile::tempdir().unwrap();
    let (script, press) = (folder.path().join("script"), folder.path().join("press"));
    std::fs::write(&script, run(["completions", "zsh"]).stdout).unwrap();
    std::fs::write(&press, PRESS_TAB).unwrap();
    for (line, expected) in COMPLETED {
        let mut shell = Command::new("zsh");
        shell.arg("-f").arg(&press).arg(&script).arg(line).current_dir(root().join("examples"));
        let Ok(output) = shell.output() else { return };
        let output = text(&output.stdout).replace('\r', "");
        let completion = output.lines().find_map(|line| line.strip_prefix('<')?.strip_suffix('>'));
        assert_eq!(completion.map(str::trim_end), Some(expected), "{output:?}");
    }
}

#[test]
fn fish_completes_commands_options_values_and_files() {
    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("script");
    std::fs::write(&script, run(["completions", "fish"]).stdout).unwrap();
    for (line, expected) in COMPLETED {
        let mut shell = Command::new("fish");
        shell.args(["--no-config", "-c", "source $argv[1]; complete -C \"mlirbc $argv[2]\""]);
        shell.arg(&script).arg(line).current_dir(root().join("examples"));
        let Ok(output) = shell.output() else { return };
        let output = text(&output.stdout);
        // Each completion is followed by its description.
        let completions: Vec<_> =
            output.lines().map(|line| line.split('\t').next().unwrap_or_default()).collect();
        assert_eq!(completions, [expected.rsplit(' ').next().unwrap()], "{line}");
    }
}

#[test]
fn there_is_a_page_of_the_manual_for_every_command() {
    let folder = tempfile::tempdir().unwrap();
    let output = run(["man", "-q", "-o", folder.path().to_str().unwrap()]);
    assert!(output.status.success() && output.stderr.is_empty());
    for (words, command) in commands() {
        let file = folder.path().join(format!("mlirbc-{}.1", words.replace(' ', "-")));
        let page = std::fs::read(&file).unwrap();
        assert_eq!(run(std::iter::once("man").chain(words.split(' '))).stdout, page);
        let page = text(&page);
        for part in [".TH ", ".SH NAME\n", ".SH SYNOPSIS\n", ".SH OPTIONS\n", ".SH \"EXIT STATUS\"\n"] {
            assert_eq!(page.matches(part).count(), 1, "{words}: {part}");
        }
        for option in command.get_arguments().filter_map(Arg::get_long) {
            assert!(page.contains(&format!("\\-\\-{}", option.replace('-', "\\-"))), "{words} --{option}");
        }
        // Every warning of groff is an error in the page.
        let groff = Command::new("groff").args(["-man", "-ww", "-Tutf8", "-P-cbu"]).arg(&file).output();
        if let Ok(groff) = groff {
            assert!(groff.status.success() && groff.stderr.is_empty(), "{words}: {}", text(&groff.stderr));
            assert!(text(&groff.stdout).contains("--color"), "{words}");
        }
    }
    assert_eq!(run(["man", "nothing"]).status.code(), Some(1));
}
