//! Memory whose size depends on the input is charged to the budget first (`wire::limits`): no list and no
//! text is allocated with a variable length, except for the [`EXCEPTIONS`].

#![allow(missing_docs, clippy::unwrap_used)]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};

/// The folders of the core that make lists for files, texts and users.
const FOLDERS: &[&str] = &["attr", "convert", "ops", "parse", "print", "tool"];

/// Files with allocations that are bounded by other means than the budget, their number, and the bound. A
/// number may only become lower.
const EXCEPTIONS: &[(&str, usize, &str)] = &[
    ("attr/declared_fields.rs", 1, "the parameters of a class, whose row was charged"),
    ("attr/fields.rs", 1, "an integer of the API, as wide as its type"),
    ("attr/make.rs", 1, "an integer of the API, as wide as its type"),
    ("attr/text/alias/builder.rs", 2, "a number for each entry, held in the line above"),
    ("attr/text/declared/read.rs", 1, "the parameters of a class, whose row was charged"),
    ("attr/text/entry/cache.rs", 1, "held before, in `has_room`"),
    ("attr/text/float/digits.rs", 4, "exponents of floats, which are below 2^15"),
    ("ops/bindings.rs", 1, "a name of a shipped definition"),
    ("parse/custom.rs", 4, "the operands, results and successors of a definition"),
    ("parse/dialects/transformers.rs", 1, "the sizes of a vector type that was read"),
    ("parse/survey.rs", 1, "a row for each value of the text, which is in memory"),
    ("print/custom.rs", 2, "a row for each operation name, held in the line above"),
    ("print/dialects/pcf.rs", 1, "the arguments of a body that is in memory"),
    ("print/names.rs", 3, "a number for each operation, argument and region of a body, held before"),
    ("print/op/level.rs", 1, "a list for each block of a body, held before"),
    ("print/shapes.rs", 1, "a row for each operation name"),
    ("tool/cost/rules/structured.rs", 1, "at most 1,024 loops"),
    ("tool/cost/values.rs", 1, "at most `MAX_CONTENT` integers"),
    ("tool/diff/align.rs", 3, "at most `SHORT` times `LONG` steps"),
    ("tool/diff/compared_module.rs", 1, "a number for each operation of a body, spent in the line above"),
    ("tool/diff/walk.rs", 1, "a number for each operation of a body, spent by its caller"),
    ("tool/format_text/layout.rs", 1, "as many spaces as the printed text has"),
    ("tool/format_text/mod.rs", 1, "as long as the printed text, which was charged"),
    ("tool/hash/mod.rs", 5, "a number for each region and value of a body, spent in the line above"),
    ("tool/parameters/archive_write.rs", 4, "the header and the padding of a table in memory"),
    ("tool/parameters/npy.rs", 1, "at most 63 spaces"),
    ("tool/specialize/evaluate.rs", 2, "at most `MOST` integers"),
    ("tool/specialize/infer.rs", 5, "the rank of a type that was read"),
    ("tool/specialize/program.rs", 1, "the arguments of a function in memory"),
    ("tool/table/mod.rs", 1, "a number for each row, charged in the line above"),
    ("tool/table/operations.rs", 2, "numbers of rows, charged when the columns are made"),
    ("tool/table/texts.rs", 1, "the checked function that charges the account"),
    ("tool/treemap.rs", 1, "as many areas as sizes"),
    ("tool/weights/block.rs", 1, "at most `BLOCK` bytes"),
    ("tool/weights/rewrite/freeze.rs", 2, "the arguments of a function in memory, and one element"),
    ("tool/weights/rewrite/hoist.rs", 1, "a row for each level of an export in memory"),
];

/// Functions that allocate, and the position of the length among their arguments.
const ALLOCATING: &[(&str, usize)] = &[
    ("with_capacity", 0),
    ("reserve", 0),
    ("reserve_exact", 0),
    ("resize", 0),
    ("resize_with", 0),
    ("repeat", 0),
    ("repeat_n", 1),
];

fn is_mark(tree: Option<&TokenTree>, mark: char) -> bool {
    matches!(tree, Some(TokenTree::Punct(punct)) if punct.as_char() == mark)
}

fn is_word(tree: Option<&TokenTree>, word: &str) -> bool {
    matches!(tree, Some(TokenTree::Ident(ident)) if ident == word)
}

/// Splits a list of arguments.
fn parts(group: &Group, separator: char) -> Vec<Vec<TokenTree>> {
    let trees: Vec<TokenTree> = group.stream().into_iter().collect();
    let parts = trees.split(|tree| is_mark(Some(tree), separator));
    parts.map(<[TokenTree]>::to_vec).filter(|part| !part.is_empty()).collect()
}

/// Whether an expression consists of numbers, constants, and sizes of types only.
fn is_constant(trees: &[TokenTree]) -> bool {
    trees.iter().all(|tree| match tree {
        TokenTree::Literal(_) | TokenTree::Punct(_) => true,
        TokenTree::Ident(ident) => {
            let word = ident.to_string();
            matches!(&*word, "as" | "usize" | "u32" | "u64" | "Self" | "size_of")
                || word.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_')
        }
        TokenTree::Group(group) => is_constant(&group.stream().into_iter().collect::<Vec<_>>()),
    })
}

/// Whether the trees around a name and its arguments make it a call of another function.
fn is_other(before: &[TokenTree], name: &str, arguments: usize, after: Option<&TokenTree>) -> bool {
    let is_definition = is_word(before.last(), "fn");
    // A method of the implemented type, not of a list.
    let is_own =
        matches!(before, [.., receiver, dot] if is_word(Some(receiver), "self") && is_mark(Some(dot), '.'));
    // `iter::repeat(item)` has no end, and `budget.repeat(text, count)` charges the budget.
    let is_repeat_of_another = name == "repeat" && (is_mark(before.last(), ':') || arguments != 1);
    // Allocating functions of the standard library return no error, so a call with `?` is a method of the
    // budget.
    let is_checked = is_mark(after, '?');
    is_definition || is_own || is_repeat_of_another || is_checked
}

/// Adds the allocations in a stream, without the ones in tests.
fn collect(stream: TokenStream, found: &mut Vec<String>) {
    let trees: Vec<TokenTree> = stream.into_iter().collect();
    let mut skipped = None;
    for (place, tree) in trees.iter().enumerate() {
        match tree {
            TokenTree::Group(group) if skipped != Some(place) => collect(group.stream(), found),
            TokenTree::Ident(ident) if ident == "mod" && is_word(trees.get(place + 1), "tests") => {
                skipped = Some(place + 2);
            }
            TokenTree::Ident(ident) if ident == "vec" && is_mark(trees.get(place + 1), '!') => {
                let Some(TokenTree::Group(list)) = trees.get(place + 2) else { continue };
                if let [_, length] = &*parts(list, ';')
                    && !is_constant(length)
                {
                    found.push(format!("vec!{list}"));
                }
            }
            TokenTree::Ident(ident) => {
                let name = ident.to_string();
                let Some((_, length)) = ALLOCATING.iter().find(|(known, _)| *known == name) else { continue };
                let Some(TokenTree::Group(list)) = trees.get(place + 1) else { continue };
                if list.delimiter() != Delimiter::Parenthesis {
                    continue;
                }
                let arguments = parts(list, ',');
                let before = trees.get(..place).unwrap_or_default();
                if !is_other(before, &name, arguments.len(), trees.get(place + 2))
                    && arguments.get(*length).is_some_and(|length| !is_constant(length))
                {
                    found.push(format!("{name}{list}"));
                }
            }
            _ => {}
        }
    }
}

fn allocations(text: &str) -> Vec<String> {
    let mut calls = Vec::new();
    collect(text.parse().unwrap(), &mut calls);
    calls
}

fn sources(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.extension() {
            None => sources(&path, files),
            Some(end) => files.extend((end == "rs" && !path.ends_with("tests.rs")).then_some(path)),
        }
    }
}

#[test]
fn lengths_from_input_go_through_the_budget() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    FOLDERS.iter().for_each(|folder| sources(&root.join(folder), &mut files));
    let mut excepted: BTreeMap<&str, usize> =
        EXCEPTIONS.iter().map(|(file, count, _)| (*file, *count)).collect();
    assert_eq!(excepted.len(), EXCEPTIONS.len(), "a file is listed twice");
    assert!(EXCEPTIONS.is_sorted(), "the exceptions are not in the order of their files");
    let mut faults = Vec::new();
    files.sort();
    for path in files {
        let file = path.strip_prefix(&root).unwrap().to_str().unwrap().replace('\\', "/");
        let calls = allocations(&std::fs::read_to_string(&path).unwrap());
        let allowed = excepted.remove(&*file).unwrap_or_default();
        if calls.len() > allowed {
            faults.push(format!("{file} has {} and may have {allowed}: {}", calls.len(), calls.join(", ")));
        } else if calls.len() < allowed {
            faults.push(format!("{file} has only {} now: lower its number, which is {allowed}", calls.len()));
        }
    }
    faults.extend(excepted.keys().map(|file| format!("{file} is listed and does not exist")));
    assert!(
        faults.is_empty(),
        "use `budget.vec`, `filled`, `string`, `repeat` or `collect`:\n{}",
        faults.join("\n")
    );
}

#[test]
fn an_allocation_with_any_length_is_found() {
    for planted in [
        "fn f(n: usize) { vec![0; n] }",
        "fn f(n: usize) { vec![vec![0; n]; 4] }",
        "fn f(n: usize) { Vec::<u8>::with_capacity(2 * n + 1) }",
        "fn f(list: &mut Vec<u8>) { list.reserve(other.len()); }",
        "fn f(list: &mut Vec<u8>) { list.reserve_exact(LENGTH - other.len()); }",
        "fn f(list: &mut Vec<u8>) { list.resize(words.div_ceil(64), 0); }",
        "fn f(list: &mut Vec<Vec<u8>>) { list.resize_with(names, Vec::new); }",
        "fn f(n: usize) { println!(\"{}\", \"ab\".repeat(n)); }",
        "fn f(n: usize) { std::iter::repeat_n('a', n).collect::<String>() }",
        "mod tests_of_something { fn f() { vec![0; n] } }",
    ] {
        assert_eq!(allocations(planted).len(), 1, "{planted}");
    }
    for fine in [
        "fn f() { vec![0; 4]; vec![1, n]; vec![n]; vec![]; Vec::with_capacity(2 * FLUSH_AT as usize); }",
        "fn f() { list.reserve(size_of::<u64>()); list.resize(Self::MOST, n); \" \".repeat(4); }",
        "fn f() -> Result<()> { list.reserve(n)?; budget.vec(n)?; budget.repeat(text, n)?; budget.filled(0, n)?; }",
        "fn reserve(&mut self, more: usize) { self.reserve(more) }",
        "fn f() { std::iter::repeat(item).take(4); items.iter().map(|_| 0).collect::<Vec<_>>(); }",
        "/// `vec![0; n]`\nfn f() { \"vec![0; n]\"; }\nmod tests { fn f() { vec![0; n] } }",
    ] {
        assert_eq!(allocations(fine), [""; 0], "{fine}");
    }
}
