//! Converts the schemas of `data/releases` to the form that the program contains: releases share most of
//! their ops, so there is one list of all ops, in which letters mark the releases that have each op.
//!
//! Each line of the list is an op: the letters, the name and the JSON, with spaces between them. The rest of
//! a schema remains JSON: its attribute classes, and a head without ops and classes. A file with `like`
//! contains only the differences from that release: its own ops, and the names of ops that it is `without`.
//! Tests compare the result with the files.
//!
//! `build/operations.rs` does the same with operation definitions. The table of releases becomes JSON, which is read in a
//! quarter of the time: nearly every process needs it. `build/gates.rs` writes its gates as methods.

use std::collections::BTreeMap;
use std::error::Error;
use std::fmt::Write;
use std::fs;
use std::path::Path;

use serde_json::{Map, Value};

#[path = "build/gates.rs"]
mod gates;
#[path = "build/operations.rs"]
mod operations;

const START: &str = "\n \"ops\": {\n";
const END: &str = "\n }\n}";
/// The distance between rows of the list whose offsets are stored; other offsets follow from the lengths of
/// the rows, which take less space.
const STEP: usize = 32;

/// The letters that stand for releases.
const LETTERS: &str = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// A file: everything but its ops, and the JSON of its ops by name.
struct File {
    head: Map<String, Value>,
    ops: BTreeMap<String, String>,
}

fn main() -> Result<()> {
    let folder = Path::new("data/releases");
    println!("cargo::rerun-if-changed={}", folder.display());
    let out = std::env::var("OUT_DIR")?;
    let out = Path::new(&out);
    let mut files = BTreeMap::new();
    for (name, text) in files_in(folder, "json")? {
        let file = read(&text).map_err(|error| format!("{name}: {error}"))?;
        files.insert(name, file);
    }
    if files.len() > LETTERS.len() {
        return Err("more releases than letters".into());
    }

    let (mut ops, mut rows) = (BTreeMap::<(&str, &str), String>::new(), String::new());
    for (letter, name) in LETTERS.chars().zip(files.keys()) {
        let Resolved { head, classes, ops: all } = resolved(&files, name)?;
        for (op, json) in all {
            ops.entry((op, json)).or_default().push(letter);
        }
        fs::write(out.join(format!("{name}.json")), serde_json::to_string(&head)?)?;
        fs::write(out.join(format!("{name}-classes.json")), serde_json::to_string(&classes)?)?;
        writeln!(
            rows,
            "    ShippedRelease {{ name: {name:?}, letter: {letter:?}, head: include_str!(\"{name}.json\"), \
             classes: include_str!(\"{name}-classes.json\") }},"
        )?;
    }
    let (mut lines, mut starts, mut lengths) = (String::new(), Vec::new(), Vec::new());
    for (row, ((op, json), letters)) in ops.into_iter().enumerate() {
        if row % STEP == 0 {
            starts.push(lines.len());
        }
        let start = lines.len();
        writeln!(lines, "{letters} {op} {json}")?;
        lengths.push(u16::try_from(lines.len() - start)?);
    }
    fs::write(out.join("ops.txt"), lines)?;
    let code = format!(
        "static SHIPPED: [ShippedRelease; {}] = [\n{rows}];\n\n\
         static OPS: &str = include_str!(\"ops.txt\");\n\n\
         // The lengths of the rows of `OPS`, and the starts of every `STEP`th row.\n\
         static LENGTHS: [u16; {}] = {lengths:?};\nconst STEP: usize = {STEP};\n\
         static STARTS: [u32; {}] = {starts:?};\n",
        files.len(),
        lengths.len(),
        starts.len()
    );
    fs::write(out.join("releases.rs"), code)?;

    let table = Path::new("data/releases.toml");
    println!("cargo::rerun-if-changed={}", table.display());
    let mut table: toml::Table = toml::from_str(&fs::read_to_string(table)?)?;
    gates::take(&mut table, out)?;
    let mut table: Map<String, Value> = table.try_into()?;
    join_dialects(&mut table);
    fs::write(out.join("releases.json"), serde_json::to_string(&table)?)?;

    let folder = Path::new("data/operations");
    println!("cargo::rerun-if-changed={}", folder.display());
    operations::merge(folder, out)
}

/// Joins the dialects of each release into one string: there are hundreds, and most processes need none.
fn join_dialects(table: &mut Map<String, Value>) {
    let releases = table.get_mut("release").and_then(Value::as_array_mut);
    for release in releases.into_iter().flatten().filter_map(Value::as_object_mut) {
        for key in ["absent_dialects", "optional_dialects"] {
            if let Some(Value::Array(names)) = release.get(key) {
                let names: Vec<_> = names.iter().filter_map(Value::as_str).collect();
                let joined = names.join(" ");
                release.insert(key.to_owned(), Value::String(joined));
            }
        }
    }
}

/// Returns the texts of the files of a folder with an extension, by their names without it.
fn files_in(folder: &Path, extension: &str) -> Result<BTreeMap<String, String>> {
    let mut files = BTreeMap::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|found| found == extension) {
            let name = path.file_stem().and_then(|name| name.to_str()).ok_or("a file name is not UTF-8")?;
            files.insert(name.to_owned(), fs::read_to_string(&path)?);
        }
    }
    Ok(files)
}

fn read(text: &str) -> Result<File> {
    let (head, rest) = text.split_once(START).ok_or("no line `\"ops\": {`")?;
    let (lines, _) = rest.split_once(END).ok_or("`ops` does not end the file")?;
    let mut ops = BTreeMap::new();
    for line in lines.lines() {
        let (op, json) = parts(line).ok_or_else(|| format!("not an op on one line: {line}"))?;
        ops.insert(op.to_owned(), json.to_owned());
    }
    Ok(File { head: serde_json::from_str(&format!("{head}{START}{END}"))?, ops })
}

/// A release: a head, its attribute classes, and the JSON of its ops by name.
struct Resolved<'f> {
    head: Map<String, Value>,
    classes: Map<String, Value>,
    ops: BTreeMap<&'f str, &'f str>,
}

/// Returns a release completed with the contents of the releases that it is `like`.
fn resolved<'f>(files: &'f BTreeMap<String, File>, name: &str) -> Result<Resolved<'f>> {
    let mut chain = Vec::new();
    let mut next = Some(name);
    while let Some(name) = next {
        let file = files.get(name).ok_or_else(|| format!("there is no release `{name}`"))?;
        chain.push(file);
        if chain.len() > files.len() {
            return Err(format!("`{name}` resembles itself").into());
        }
        next = file.head.get("like").and_then(Value::as_str);
    }
    let (mut ops, mut classes) = (BTreeMap::new(), Map::new());
    for file in chain.iter().rev() {
        for gone in file.head.get("without").and_then(Value::as_array).into_iter().flatten() {
            ops.remove(gone.as_str().ok_or("`without` is a list of names")?);
        }
        ops.extend(file.ops.iter().map(|(name, json)| (name.as_str(), json.as_str())));
        if let Some(own) = file.head.get("attribute_classes").and_then(Value::as_object) {
            classes.extend(own.clone());
        }
    }
    let mut head = chain.first().map(|file| file.head.clone()).unwrap_or_default();
    head.remove("like");
    head.remove("without");
    head.remove("attribute_classes");
    Ok(Resolved { head, classes, ops })
}

// Splits a line such as `  "func.call": {…},`.
fn parts(line: &str) -> Option<(&str, &str)> {
    let (name, json) = line.trim().strip_prefix('"')?.split_once("\": ")?;
    let json = json.strip_suffix(',').unwrap_or(json);
    let is_whole = json.starts_with('{') && json.ends_with('}') && !name.contains(['\\', ' ']);
    is_whole.then_some((name, json))
}
