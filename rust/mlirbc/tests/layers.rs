//! Imports go one way through the layers: a file names its own layer and those below it, by their modules. The files of
//! the Python binding do not import one another in a circle.

#![allow(missing_docs, clippy::unwrap_used)]

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use proc_macro2::{TokenStream, TokenTree};

/// The layers from the lowest to the highest; `docs/explanation/design.md` describes them.
const LAYERS: &[&str] = &[
    "wire",
    "release",
    "format",
    "container",
    "dialect",
    "props",
    "ops",
    "file",
    "attr",
    "ir",
    "assembly",
    "pack",
    "print",
    "edit",
    "write",
    "convert",
    "parse",
    "artifact",
    "tool",
    "layout",
    "smith",
];

/// The paths in a file that begin at the root of the crate or go up from their module, as far as they are written out.
fn paths(stream: TokenStream, module: &[String], found: &mut BTreeSet<Vec<String>>) {
    let mut trees = stream.into_iter().peekable();
    while let Some(tree) = trees.next() {
        match tree {
            // Test modules may import from any layer.
            TokenTree::Ident(word) if word == "mod" => {
                let is_tests = matches!(trees.next(), Some(TokenTree::Ident(name)) if name == "tests");
                if is_tests && matches!(trees.peek(), Some(TokenTree::Group(_))) {
                    trees.next();
                }
            }
            TokenTree::Ident(word) if word == "crate" || word == "super" => {
                let mut path = if word == "crate" { Vec::new() } else { module[..module.len() - 1].to_vec() };
                while trees
                    .next_if(|next| matches!(next, TokenTree::Punct(mark) if mark.as_char() == ':'))
                    .is_some()
                {
                    match trees.peek() {
                        Some(TokenTree::Ident(name)) if name == "super" => drop(path.pop()),
                        Some(TokenTree::Ident(name)) => path.push(name.to_string()),
                        Some(TokenTree::Group(group)) => {
                            // `crate::{a, b}`: the first name of each part.
                            let mut at_start = path.is_empty();
                            for tree in group.stream() {
                                match &tree {
                                    TokenTree::Ident(name) if at_start => {
                                        found.insert(vec![name.to_string()]);
                                        at_start = false;
                                    }
                                    TokenTree::Punct(mark) => {
                                        at_start |= path.is_empty() && mark.as_char() == ','
                                    }
                                    _ => {}
                                }
                            }
                            break;
                        }
                        _ => continue,
                    }
                    trees.next();
                }
                found.insert(path);
            }
            TokenTree::Group(group) => paths(group.stream(), module, found),
            _ => {}
        }
    }
}

/// The path of a file's module.
fn module_of(file: &str) -> Vec<String> {
    let mut module: Vec<String> = file.trim_end_matches(".rs").split('/').map(str::to_owned).collect();
    if module.last().is_some_and(|name| name == "mod") {
        module.pop();
    }
    module
}

/// Lists the wrong imports of a file.
fn wrong(file: &str, text: &str) -> Vec<String> {
    let module = module_of(file);
    let place = |name: &str| LAYERS.iter().position(|layer| *layer == name);
    let Some(own) = place(&module[0]) else { return vec![format!("{file} is in no layer")] };
    let mut imports = BTreeSet::new();
    paths(text.parse().unwrap(), &module, &mut imports);
    let wrong =
        imports.into_iter().filter(|path| !path.is_empty() && path[0] != module[0]).filter_map(|path| {
            match place(&path[0]) {
                Some(other) if other < own => None,
                Some(_) => {
                    Some(format!("{file} imports {}, which is above {}", path.join("::"), LAYERS[own]))
                }
                None => Some(format!("{file} imports {} through the root of the crate", path.join("::"))),
            }
        });
    wrong.collect()
}

fn sources(folder: &Path, files: &mut Vec<std::path::PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.extension() {
            None => sources(&path, files),
            // The page of the explorer has files of other languages beside its source.
            Some(end) => files.extend((end == "rs").then_some(path)),
        }
    }
}

/// Whether a file has tests, or is only compiled for tests.
fn is_test(file: &str) -> bool {
    file.ends_with("tests.rs") || matches!(file, "test_module.rs" | "pages.rs")
}

#[test]
fn imports_go_one_way() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    sources(&root, &mut files);
    let mut faults = Vec::new();
    for path in files {
        let file = path.strip_prefix(&root).unwrap().to_str().unwrap().replace('\\', "/");
        if file != "lib.rs" && !is_test(&file) {
            faults.extend(wrong(&file, &std::fs::read_to_string(&path).unwrap()));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn an_import_of_a_higher_layer_is_found() {
    let planted = "use crate::ir::Module;\nfn f() { crate::print::op::go(); super::super::write::go() }\nuse crate::{Error, Bytes};";
    assert_eq!(
        wrong("attr/text/lexer.rs", planted),
        [
            "attr/text/lexer.rs imports Bytes through the root of the crate",
            "attr/text/lexer.rs imports Error through the root of the crate",
            "attr/text/lexer.rs imports ir::Module, which is above attr",
            "attr/text/lexer.rs imports print::op::go, which is above attr",
        ]
    );
    assert_eq!(wrong("attr/text/lexer.rs", "use crate::wire::error::Error;\nuse super::out::Out;"), [""; 0]);
    assert_eq!(wrong("attr/mod.rs", "mod tests { use crate::Module; }"), [""; 0]);
}

/// Returns a circle of imports between the files, if there is one: the last file imports the first.
fn circle(files: &BTreeMap<String, String>) -> Option<Vec<String>> {
    let modules: BTreeMap<Vec<String>, &String> = files.keys().map(|file| (module_of(file), file)).collect();
    let mut imports: BTreeMap<&String, BTreeSet<&String>> = BTreeMap::new();
    for (file, text) in files {
        let mut imported = BTreeSet::new();
        paths(text.parse().unwrap(), &module_of(file), &mut imported);
        let file_of =
            |path: Vec<String>| (1..=path.len()).rev().find_map(|len| modules.get(&path[..len]).copied());
        imports
            .insert(file, imported.into_iter().filter_map(file_of).filter(|other| *other != file).collect());
    }
    // Files whose imports are all gone go as well; what remains leads around.
    while let Some(file) = imports.iter().find(|(_, others)| others.is_empty()).map(|(file, _)| *file) {
        imports.remove(file);
        imports.values_mut().for_each(|others| others.retain(|other| *other != file));
    }
    let mut way = vec![*imports.keys().next()?];
    loop {
        let next = *imports[way[way.len() - 1]].first()?;
        if let Some(start) = way.iter().position(|file| *file == next) {
            return Some(way[start..].iter().map(|file| (*file).clone()).collect());
        }
        way.push(next);
    }
}

#[test]
fn files_of_the_binding_form_no_circle() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../mlirbc-py/src");
    let mut paths = Vec::new();
    sources(&root, &mut paths);
    let mut files: BTreeMap<String, String> = BTreeMap::new();
    for path in paths {
        let file = path.strip_prefix(&root).unwrap().to_str().unwrap().replace('\\', "/");
        // The root lists the modules and the classes. The handles of edited modules make one another, as lists of
        // operations and operations with lists do, so that they are one unit.
        if file == "lib.rs" {
            continue;
        }
        let is_handle = file.starts_with("edited/") && !file.ends_with("/tables.rs");
        let unit = if is_handle { "edited/mod.rs".to_owned() } else { file };
        files.entry(unit).or_default().push_str(&std::fs::read_to_string(&path).unwrap());
    }
    assert!(files.len() > 20, "{files:?}");
    assert_eq!(circle(&files), None);
    let planted = files.get_mut("handle/entry.rs").unwrap();
    planted.push_str("use crate::field::to_python;");
    let mut circle = circle(&files).unwrap();
    circle.sort();
    assert_eq!(circle, ["field.rs", "handle/entry.rs"]);
}

/// Functions that return the text of an attribute or a type.
const PRINTED: &[&str] =
    &["plain_start", "plain_text", "plain_type", "printed", "to_text", "type_text", "whole_type"];

/// Functions that look into a text, and the builtin attributes and types whose values they would read from it.
const SCANS: &[&str] =
    &["contains", "find", "split_once", "rsplit_once", "starts_with", "strip_prefix", "trim_start_matches"];
const SCANNED: &[&str] = &[
    "affine_map<",
    "affine_set<",
    "array<",
    "complex<",
    "dense<",
    "dense_resource<",
    "memref<",
    "sparse<",
    "tensor<",
    "vector<",
];

/// How often files of custom forms and of conversion look into printed text: an operation may not pay for the text of a
/// value that it shares with others, and MLIR prints values in several ways. A number may only become smaller, and a file
/// may only go away. The issue about conversion removes the files of `convert`. What `print` still prints becomes part of the
/// output, or is the text of a type.
const PRINTED_TEXT: &[(&str, usize)] = &[
    ("assembly/dialects/nvvm.rs", 1),
    ("assembly/dialects/spirv.rs", 2),
    ("assembly/directives/calls.rs", 1),
    ("assembly/directives/iree.rs", 1),
    ("assembly/directives/members.rs", 1),
    ("assembly/directives/pointers.rs", 1),
    ("assembly/directives/short_forms.rs", 1),
    ("convert/pool/translator.rs", 4),
    ("parse/dialects/linalg_body.rs", 3),
    ("parse/dialects/llvm.rs", 2),
    ("parse/dialects/llvm_members.rs", 3),
    ("parse/dialects/stablehlo.rs", 1),
    ("parse/dialects/transformers.rs", 12),
    ("parse/expressions.rs", 2),
    ("parse/infer.rs", 2),
    ("parse/survey.rs", 1),
    ("parse/syntax/attributes.rs", 4),
    ("parse/syntax/stored_text.rs", 1),
    ("parse/syntax/types.rs", 7),
    ("print/op/display.rs", 1),
    ("print/op/sections.rs", 1),
    ("print/syntax/attributes.rs", 2),
    ("print/syntax/formats.rs", 1),
    ("print/syntax/stored_text.rs", 1),
];

/// Calls `visit` with each word of code outside of tests, and the tree after it. The name after `fn` is left out: a definition
/// is not a use.
fn visit_words(stream: TokenStream, visit: &mut dyn FnMut(&str, Option<&TokenTree>)) {
    let mut trees = stream.into_iter().peekable();
    while let Some(tree) = trees.next() {
        match tree {
            TokenTree::Ident(word) if word == "mod" => {
                let is_tests = matches!(trees.next(), Some(TokenTree::Ident(name)) if name == "tests");
                if is_tests && matches!(trees.peek(), Some(TokenTree::Group(_))) {
                    trees.next();
                }
            }
            TokenTree::Ident(word) if word == "fn" => drop(trees.next()),
            TokenTree::Ident(word) => visit(&word.to_string(), trees.peek()),
            TokenTree::Group(group) => visit_words(group.stream(), visit),
            _ => {}
        }
    }
}

/// The number of calls in a file that give printed text, or look into it for a value of a builtin attribute or type.
fn uses_of_printed_text(stream: TokenStream) -> usize {
    let mut count = 0;
    visit_words(stream, &mut |word, next| {
        let Some(TokenTree::Group(arguments)) = next else { return };
        let is_scan = SCANS.contains(&word)
            && arguments.stream().into_iter().next().is_some_and(|first| {
                let literal = first.to_string();
                SCANNED.iter().any(|start| literal.contains(start))
            });
        count += usize::from(is_scan || PRINTED.contains(&word));
    });
    count
}

#[test]
fn no_more_values_are_read_from_printed_text() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut counts = BTreeMap::new();
    for folder in ["assembly", "convert", "parse", "print"] {
        let mut files = Vec::new();
        sources(&root.join(folder), &mut files);
        for path in files {
            let file = path.strip_prefix(&root).unwrap().to_str().unwrap().replace('\\', "/");
            let text = std::fs::read_to_string(&path).unwrap();
            let count = if is_test(&file) { 0 } else { uses_of_printed_text(text.parse().unwrap()) };
            if count > 0 {
                counts.insert(file, count);
            }
        }
    }
    let listed: BTreeMap<String, usize> =
        PRINTED_TEXT.iter().map(|&(file, count)| (file.to_owned(), count)).collect();
    let rows = |counts: &BTreeMap<String, usize>| {
        counts
            .iter()
            .map(|(file, count)| format!("    (\"{file}\", {count}),"))
            .collect::<Vec<_>>()
            .join("\n")
    };
    assert!(counts == listed, "the list should be\n{}\nand not\n{}", rows(&counts), rows(&listed));
}

#[test]
fn a_value_that_is_read_from_printed_text_is_found() {
    let count = |text: &str| uses_of_printed_text(text.parse().unwrap());
    assert_eq!(count("fn f() { let text = draft.plain_text(index); text.strip_prefix(\"dense<\")?; }"), 2);
    assert_eq!(count("fn f() { if text.starts_with(b\"array<i64\") { g() } }"), 1);
    assert_eq!(count("fn plain_text(index: u32) { text.strip_prefix(\"@\") }"), 0);
    assert_eq!(count("mod tests { fn f() { draft.plain_text(index); } }"), 0);
}

/// Names through which a file reaches the layouts of builds: the schemas, their rows, and the choice between them.
const LAYOUT_NAMES: &[&str] = &[
    "Schemas",
    "by_known_ops",
    "by_producer",
    "choice_of",
    "find_schema",
    "find_schemas",
    "op_at",
    "ops_of_builds",
    "shipped_schema",
];

/// Methods of a release that give its schemas.
const SCHEMA_METHODS: &[&str] = &["schema", "schemas"];

/// The owner of the layouts of a file, and the definitions of schemas and definitions of operations.
const LAYOUT_OWNERS: &[&str] = &["file/release", "ops/", "props/", "release"];

/// Files that reach a layout by other means than `Release::choice`, with the purpose. An operation of a file
/// has one layout for every reader, so no purpose may be the layout of an operation in a file.
const LAYOUT_READERS: &[(&str, &str)] = &[
    ("attr/declared_fields.rs", "the release whose pack defines a class"),
    ("convert/any_readers.rs", "the dialects of a release that reads files for any of them"),
    ("convert/compatibility/receiver_knowledge.rs", "the operations and layouts of the receiver"),
    ("convert/portable/reader_layouts.rs", "the operations of the reader of portable artifacts"),
    ("convert/portable/mod.rs", "the schemas of the target and of VHLO"),
    ("convert/portable/translator.rs", "the rows of the target"),
    ("convert/portable/translator/operations.rs", "the row of an operation in the target"),
    ("convert/release.rs", "the target, and the releases that read a file for any of them"),
    ("convert/same_form.rs", "the defaults of a release that reads files for any of them"),
    ("convert/target_schemas.rs", "the schemas of the target; rows of the file by its choice"),
    ("convert/write.rs", "the schema of the target"),
    ("edit/release_encodings.rs", "the release that reads an edited module, for its codes"),
    ("edit/template.rs", "a module that is not of a file"),
    ("edit/verify.rs", "whether the release is one of a pack"),
    ("file/installed_packs.rs", "options of the caller, which apply again after packs were loaded"),
    ("file/mod.rs", "options of the caller, and the number of the LLVM"),
    (
        "ir/module/agreed_schemas.rs",
        "the attributes on which builds agree below version 5, where no blob tells a layout",
    ),
    ("ir/module/opaque.rs", "how a blob differs from a known layout, in a message"),
    ("ir/verify/reader.rs", "the dialects of the release"),
    ("parse/operation_info.rs", "properties that only the blob of a build can hold"),
    ("parse/text_release.rs", "the operations that a release has, for a text without one"),
    ("parse/top_level.rs", "the release that the caller names for a text"),
    ("print/coverage.rs", "the operations of a release that the caller names"),
    ("tool/hash/signature.rs", "the common spelling of values that were read"),
    ("tool/model/versions.rs", "the operations of VHLO"),
    ("write/unknown_content.rs", "the dialects of the release"),
];

#[test]
fn layouts_are_reached_through_the_choice_of_the_file() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    sources(&root, &mut files);
    let mut readers = BTreeSet::new();
    for path in files {
        let file = path.strip_prefix(&root).unwrap().to_str().unwrap().replace('\\', "/");
        if is_test(&file) || file == "lib.rs" || LAYOUT_OWNERS.iter().any(|owner| file.starts_with(owner)) {
            continue;
        }
        if names_layouts(std::fs::read_to_string(&path).unwrap().parse().unwrap()) {
            readers.insert(file);
        }
    }
    let listed: BTreeSet<String> = LAYOUT_READERS.iter().map(|(file, _)| (*file).to_owned()).collect();
    let more: Vec<_> = readers.difference(&listed).collect();
    let gone: Vec<_> = listed.difference(&readers).collect();
    assert!(
        more.is_empty() && gone.is_empty(),
        "{more:?} reach layouts, and {gone:?} do not; ask `Release::choice`, or say in the list what for"
    );
}

/// Whether code outside of tests has one of [`LAYOUT_NAMES`], or calls one of [`SCHEMA_METHODS`].
fn names_layouts(stream: TokenStream) -> bool {
    let mut is_found = false;
    visit_words(stream, &mut |word, next| {
        let is_call = matches!(next, Some(TokenTree::Group(arguments)) if arguments.stream().is_empty());
        is_found |= LAYOUT_NAMES.contains(&word) || is_call && SCHEMA_METHODS.contains(&word);
    });
    is_found
}

#[test]
fn a_second_way_to_a_layout_is_found() {
    let names = |text: &str| names_layouts(text.parse().unwrap());
    assert!(names("fn f() { release.schemas().iter().find_map(|schema| schema.op(name)) }"));
    assert!(names("use crate::props::registry::Schemas;"));
    assert!(!names("fn schema(&self) { self.reader.schema(name) }"));
    assert!(!names("fn f() { release.op(name) } mod tests { fn f() { schemas() } }"));
}
