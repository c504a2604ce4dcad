//! Every command gives the same answers for the text of a module and for the module as bytecode.

#![allow(clippy::unwrap_used, clippy::panic)]

mod support;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::Output;

use clap::Command as Described;
use support::{example, mlirbc, text};

/// Arguments that commands need besides the file, which is the first one. `OTHER` is the other file of a comparison.
const NEEDED: [(&str, &str); 21] = [
    ("explore", "-o out"),
    ("check", "--target llvm-22"),
    ("convert", "--canonical -o out"),
    ("strip", "--locations -o out"),
    ("extract", "@main -o out"),
    ("merge", "OTHER --rename -o out"),
    ("split", "-o dir"),
    ("shrink", "--check grep|-q|note|{} -o out"),
    ("mutate", "-o dir --count 5"),
    ("diff", "OTHER"),
    ("hash", "--symbols --rename-private"),
    ("verify", "--ops"),
    ("specialize", "--dim arg0.0=3 -o out"),
    ("weights export", "-o out"),
    ("weights import", "weights.safetensors -o out"),
    ("weights externalize", "-o out"),
    ("weights inline", "-o out"),
    ("weights freeze", "--values weights.safetensors -o out"),
    ("weights hoist", "--to values.npz -o out"),
    ("weights cast", "--to bf16 -o out"),
    ("weights quantize", "--to int8 -o out"),
];

/// Commands that do not read modules, that read only text, or that list the bytes of a file.
const LEFT_OUT: [&str; 12] = [
    "assemble",
    "completions",
    "diff-test",
    "dump",
    "explain",
    "fmt",
    "lsp",
    "man",
    "pack",
    "query",
    "smith",
    "stubs",
];

fn commands() -> Vec<String> {
    let mut runnable = Vec::new();
    let mut pending: Vec<(String, Described)> = vec![(String::new(), mlirbc_cli::command_line())];
    while let Some((words, command)) = pending.pop() {
        if !command.has_subcommands() || command.get_positionals().next().is_some() {
            runnable.push(words.clone());
        }
        for one in command.get_subcommands() {
            pending.push((format!("{words} {}", one.get_name()).trim().to_owned(), one.clone()));
        }
    }
    runnable.retain(|words| !LEFT_OUT.contains(&words.as_str()));
    runnable
}

/// A folder with the module and the other files, in which commands run.
struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn run(&self, words: &[&str]) -> Output {
        mlirbc().args(words).current_dir(self.0.path()).output().unwrap()
    }

    fn run_command(&self, words: &str) -> (Output, BTreeMap<PathBuf, Vec<u8>>) {
        let _ = std::fs::remove_file(self.path("out"));
        let _ = std::fs::remove_dir_all(self.path("dir"));
        let needed = NEEDED.iter().find(|(name, _)| *name == words).map_or("", |(_, needed)| needed);
        let needed = needed.split_whitespace().map(|word| match word {
            "OTHER" => "other.mlirbc".to_owned(),
            word => word.replace('|', " "),
        });
        let words = words.split(' ').map(str::to_owned).chain(["model.mlir".to_owned()]).chain(needed);
        let words: Vec<String> = words.collect();
        let output = self.run(&words.iter().map(String::as_str).collect::<Vec<_>>());
        (output, self.written())
    }

    fn written(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        let mut files = BTreeMap::new();
        if let Ok(bytes) = std::fs::read(self.path("out")) {
            files.insert(PathBuf::from("out"), bytes);
        }
        for entry in std::fs::read_dir(self.path("dir")).into_iter().flatten().flatten() {
            files.insert(entry.file_name().into(), std::fs::read(entry.path()).unwrap());
        }
        files
    }
}

/// Two folders with files of the same names: in the first, the module is text, and in the second, bytecode.
fn folders() -> (Folder, Folder) {
    let (of_text, of_bytecode) = (Folder::new(), Folder::new());
    let printed = of_text.run(&["print", example().to_str().unwrap(), "--lossless"]);
    std::fs::write(of_text.path("model.mlir"), &printed.stdout).unwrap();
    let bytecode = of_bytecode.path("model.mlir");
    let output = of_text.run(&["assemble", "model.mlir", "-o", bytecode.to_str().unwrap()]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    for folder in [&of_text, &of_bytecode] {
        std::fs::copy(example(), folder.path("other.mlirbc")).unwrap();
        let output = folder.run(&["weights", "export", "other.mlirbc", "-o", "weights.safetensors"]);
        assert!(output.status.success(), "{}", text(&output.stderr));
    }
    (of_text, of_bytecode)
}

#[test]
fn every_command_answers_alike_for_text_and_bytecode() {
    let (of_text, of_bytecode) = folders();
    let commands = commands();
    assert!(commands.len() > 20, "{commands:?}");
    for words in commands {
        let (of_text, of_bytecode) = (of_text.run_command(&words), of_bytecode.run_command(&words));
        assert_eq!(
            of_text.0.status.code(),
            of_bytecode.0.status.code(),
            "{words}: {}",
            text(&of_text.0.stderr)
        );
        assert!(matches!(of_text.0.status.code(), Some(0 | 1)), "{words}: {}", text(&of_text.0.stderr));
        // Text that is shrunk stays text, and has another size.
        if words == "shrink" {
            continue;
        }
        let answer = text(&of_text.0.stdout).replace("text for llvm-22", "bytecode version 6 by MLIR22.1.8");
        assert_eq!(answer, text(&of_bytecode.0.stdout), "{words}");
        assert_eq!(of_text.1.keys().collect::<Vec<_>>(), of_bytecode.1.keys().collect::<Vec<_>>(), "{words}");
        for (name, bytes) in &of_text.1 {
            assert!(bytes == &of_bytecode.1[name], "{words}: {} differs", name.display());
        }
    }
}

#[test]
fn dump_says_why_it_lists_no_text() {
    let (of_text, _) = folders();
    let (output, _) = of_text.run_command("dump");
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("the file is text"), "{}", text(&output.stderr));
}

#[test]
fn errors_and_findings_name_lines_of_the_text() {
    let folder = Folder::new();
    let broken = "func.func @f(%a: i32) -> i32 {\n  %0 = arith.adid %a, %a : i32\n  return %0 : i32\n}\n";
    std::fs::write(folder.path("model.mlir"), broken).unwrap();
    for words in ["ops", "verify", "print", "hash", "info", "diff"] {
        std::fs::write(folder.path("other.mlirbc"), broken).unwrap();
        let (output, _) = folder.run_command(words);
        let message = "model.mlir:2:8: error[mlirbc.invalid.assembly.operation]: llvm-22 has no operation `arith.adid`\n    %0 = arith.adid %a, %a : i32\n         ^\n";
        assert!(text(&output.stderr).starts_with(message), "{words}: {}", text(&output.stderr));
        assert_eq!(output.status.code(), Some(3), "{words}");
    }
    let finding = "module {\n  func.func @f(%a: i32, %b: i32) {\n    %0 = arith.addi %a, %b : i32\n  }\n}\n";
    std::fs::write(folder.path("model.mlir"), finding).unwrap();
    let (output, _) = folder.run_command("verify");
    assert!(text(&output.stderr).starts_with("model.mlir:3:10: error[mlirbc.invalid.ir]: arith.addi"));
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn the_release_of_a_text_is_named_and_can_be_chosen() {
    let folder = Folder::new();
    let stablehlo = "%0 = stablehlo.constant dense<1> : tensor<i32>\n";
    std::fs::write(folder.path("model.mlir"), stablehlo).unwrap();
    let note = "model.mlir: note: the text is for jaxlib-0.10, because llvm-22 does not have the dialect `stablehlo`; `--release` chooses another release\n";
    assert_eq!(text(&folder.run(&["ops", "model.mlir"]).stderr), note);
    assert_eq!(text(&folder.run(&["ops", "model.mlir", "--quiet"]).stderr), "");
    let chosen = folder.run(&["ops", "model.mlir", "--release", "llvm-22"]);
    assert_eq!(chosen.status.code(), Some(3));
    let hint = "choose a release with `--release`";
    assert!(text(&chosen.stderr).contains(hint), "{}", text(&chosen.stderr));
}

#[test]
fn texts_are_assembled_from_a_pipe_and_into_folders() {
    let folder = Folder::new();
    let parts = "func.func @f() {\n  return\n}\n// -----\nfunc.func @g() {\n  return\n}\n";
    std::fs::write(folder.path("a.mlir"), parts).unwrap();
    std::fs::write(folder.path("b.mlir"), "module @b {\n}\n").unwrap();
    let output = folder.run(&["assemble", "a.mlir", "--split", "-o", "parts"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    for (part, symbol) in [("parts/a.0.mlirbc", "@f"), ("parts/a.1.mlirbc", "@g")] {
        let printed = folder.run(&["print", part]);
        assert!(text(&printed.stdout).contains(&format!("func.func {symbol}()")), "{part}");
    }
    let output = folder.run(&["assemble", "a.mlir", "b.mlir", "-o", "all"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(folder.path("all/a.mlirbc").is_file() && folder.path("all/b.mlirbc").is_file());
    // Without files and options, a pipe is assembled into a pipe.
    let text_file = std::fs::File::open(folder.path("b.mlir")).unwrap();
    let piped = mlirbc().arg("assemble").stdin(text_file).output().unwrap();
    assert!(piped.status.success() && piped.stdout.starts_with(b"ML\xefR"), "{}", text(&piped.stderr));
    for (words, message) in [
        (&["assemble", "a.mlir", "--split"][..], "several modules cannot be written to standard output"),
        (&["assemble", "a.mlir", "all/../a.mlir", "-o", "all"], "would both become `a.mlirbc`"),
        (&["assemble", "-", "b.mlir", "-o", "all"], "standard input has no name in a folder"),
    ] {
        let output = folder.run(words);
        assert_eq!(output.status.code(), Some(2), "{words:?}");
        assert!(text(&output.stderr).contains(message), "{words:?}: {}", text(&output.stderr));
    }
}

#[test]
fn texts_are_formatted_in_place_and_checked() {
    let folder = Folder::new();
    std::fs::write(folder.path("a.mlir"), "// A comment.\nfunc.func @f(%x:i32){return}").unwrap();
    let formatted = "// A comment.\nfunc.func @f(%x: i32) {\n  return\n}\n";
    assert_eq!(text(&folder.run(&["fmt", "a.mlir"]).stdout), formatted);
    let check = folder.run(&["fmt", "--check", "a.mlir"]);
    assert_eq!((check.status.code(), text(&check.stderr)), (Some(1), "a.mlir: is not formatted\n"));
    assert!(folder.run(&["fmt", "-i", "a.mlir"]).status.success());
    assert_eq!(std::fs::read_to_string(folder.path("a.mlir")).unwrap(), formatted);
    assert!(folder.run(&["fmt", "--check", "a.mlir"]).status.success());
    let broken = folder.run(&["fmt", "model.mlir", "a.mlir", "-i"]);
    assert_eq!(broken.status.code(), Some(3));
}

#[test]
fn help_is_a_command() {
    let folder = Folder::new();
    assert_eq!(folder.run(&["help", "hash"]).stdout, folder.run(&["hash", "--help"]).stdout);
    let expected = folder.run(&["weights", "export", "--help"]).stdout;
    assert_eq!(folder.run(&["help", "weights", "export"]).stdout, expected);
    assert_eq!(folder.run(&["help"]).stdout, folder.run(&["--help"]).stdout);
}
