//! Puts the schemas of `data/releases` into the form in which the program has them: releases share most of their
//! ops, so there is one list of all ops, in which a letter for each release marks what it has.
//!
//! Each line of the list is an op: the letters, the name and the JSON, with spaces between them. The rest of a
//! schema, without ops, is JSON as before. Tests compare the result with the files.

use std::collections::BTreeMap;
use std::error::Error;
use std::fmt::Write;
use std::fs;
use std::path::Path;

const START: &str = "\n \"ops\": {\n";
const END: &str = "\n }\n}";

fn main() -> Result<(), Box<dyn Error>> {
    let folder = Path::new("data/releases");
    println!("cargo::rerun-if-changed={}", folder.display());
    let out = std::env::var("OUT_DIR")?;
    let out = Path::new(&out);
    let mut files =
        fs::read_dir(folder)?.map(|file| Ok(file?.path())).collect::<Result<Vec<_>, std::io::Error>>()?;
    files.sort();

    let (mut ops, mut rows) = (BTreeMap::<(String, String), String>::new(), String::new());
    for (letter, file) in ('a'..='z').zip(&files) {
        let text = fs::read_to_string(file)?;
        let name = file.file_stem().and_then(|name| name.to_str()).ok_or("a file name is not UTF-8")?;
        let (head, rest) = text.split_once(START).ok_or_else(|| format!("{name}: no line `\"ops\": {{`"))?;
        let (lines, _) =
            rest.split_once(END).ok_or_else(|| format!("{name}: `ops` does not end the file"))?;
        for line in lines.lines() {
            let (op, json) = parts(line).ok_or_else(|| format!("{name}: not an op on one line: {line}"))?;
            ops.entry((op.to_owned(), json.to_owned())).or_default().push(letter);
        }
        fs::write(out.join(format!("{name}.json")), format!("{head}{START}{END}"))?;
        writeln!(rows, "    Shipped::new({name:?}, {letter:?}, include_str!(\"{name}.json\")),")?;
    }
    if files.len() > 26 {
        return Err("more releases than letters".into());
    }
    let lines: Vec<String> =
        ops.into_iter().map(|((op, json), letters)| format!("{letters} {op} {json}")).collect();
    fs::write(out.join("ops.txt"), lines.join("\n"))?;
    let count = files.len();
    let code = format!(
        "static SHIPPED: [Shipped; {count}] = [\n{rows}];\n\nconst OPS: &str = include_str!(\"ops.txt\");\n"
    );
    fs::write(out.join("releases.rs"), code)?;
    Ok(())
}

// A line such as `  "func.call": {…},`.
fn parts(line: &str) -> Option<(&str, &str)> {
    let (name, json) = line.trim().strip_prefix('"')?.split_once("\": ")?;
    let json = json.strip_suffix(',').unwrap_or(json);
    let is_whole = json.starts_with('{') && json.ends_with('}') && !name.contains(['\\', ' ']);
    is_whole.then_some((name, json))
}
