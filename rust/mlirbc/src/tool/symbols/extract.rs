//! Extraction of symbols, with everything that they refer to, into a module of their own.

use std::collections::HashSet;

use crate::edit::Editor;
use crate::edit::arena::ArenaOp;
use crate::edit::symbol::scope::SymbolCache;
use crate::edit::symbol::units::{Backward, Target, Units, node_of};
use crate::ir::Module;
use crate::wire::error::{Error, ErrorKind, Result};
use crate::wire::options::setters;

use super::needs::{Fate, MissingSymbol, Needs, Rules, definitions};
use super::{leave_externals, symbol_table};

/// The treatment of symbols that the extracted symbols refer to.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ExtractOptions {
    /// Declare referenced symbols, where their operations allow it, instead of including their definitions.
    pub declarations: bool,
}

setters! {
    ExtractOptions {
        declarations: bool,
    }
}

/// A module with some of the symbols of another one.
#[derive(Debug)]
pub struct Extracted {
    /// The module; [`prepare`](super::prepare) writes it.
    pub editor: Editor,
    /// The symbols with their definitions, in the order of the module: `@main`, `@kernels::@step`.
    pub symbols: Vec<String>,
    /// The symbols that are declared instead.
    pub declared: Vec<String>,
    /// References to symbols that the module does not have.
    pub missing: Vec<MissingSymbol>,
    /// The number of operations without a symbol that were left out of the symbol tables.
    pub left_out: u64,
    /// Symbols with bytes of unknown layout, which may refer to symbols that were left out.
    pub unknown: Vec<String>,
}

/// Extracts the symbols with these names, or paths (`@kernels::@step`), and everything that they refer to,
/// inside the modules around them. Operations without a symbol stay if they refer to at least one symbol, and
/// only to symbols that stay.
///
/// # Errors
/// [`ErrorKind::Edit`] if a symbol does not exist or the top-level operation is not a symbol table, and if
/// the needed parts of the module are malformed; other functions are not read.
///
/// ```
/// use mlirbc::tool::symbols::{ExtractOptions, extract};
/// let module = mlirbc::Module::open("../../examples/two_layers.mlirbc")?;
/// let extracted = extract(&module, &["main"], ExtractOptions::default().declarations(true))?;
/// assert_eq!((&extracted.symbols[..], &extracted.declared[..]), (&["@main".into()][..], &["@dense".into()][..]));
/// # Ok::<(), mlirbc::Error>(())
/// ```
pub fn extract(module: &Module, names: &[impl AsRef<[u8]>], options: ExtractOptions) -> Result<Extracted> {
    extract_in(ROUNDS, module, names, options)
}

fn extract_in(
    rounds: u32,
    module: &Module,
    names: &[impl AsRef<[u8]>],
    options: ExtractOptions,
) -> Result<Extracted> {
    let mut editor = Editor::new(module.clone())?;
    symbol_table(&mut editor)?;
    let mut bodies = Bodies::new(&mut editor, rounds)?;
    loop {
        let units = editor.loaded_units(&mut bodies.symbol_cache)?;
        let roots = units_named(&units, names)?;
        let declared = if options.declarations { definitions(&editor, &units)? } else { HashSet::new() };
        let mut needs = Needs::default();
        let rules = Rules { declared: &|unit| declared.contains(&unit), whole: false };
        needs.add(&units, &roots, &rules);
        if bodies.load(&mut editor, &units, &needs)? {
            continue;
        }
        let left_out = keep_unnamed(&editor, &units, &mut needs);
        return finished(editor, &units, needs, left_out);
    }
}

/// Returns the units with these names.
fn units_named(units: &Units, names: &[impl AsRef<[u8]>]) -> Result<Vec<usize>> {
    let mut roots = Vec::new();
    let mut unknown = Vec::new();
    for name in names {
        match units.find(name.as_ref()) {
            Some(unit) => roots.push(unit),
            None => unknown.push(String::from_utf8_lossy(name.as_ref()).into_owned()),
        }
    }
    let [first, others @ ..] = &unknown[..] else { return Ok(roots) };
    let other_names = others.iter().map(|name| format!(", `{name}`")).collect::<String>();
    let message = format!("there is no symbol `{first}`{other_names}");
    Err(Error::message(ErrorKind::Edit, message)
        .with_hint("`mlirbc hash --symbols` lists the symbols of the top-level operation"))
}

/// The number of times that the graph is rebuilt to include newly needed bodies. A chain of calls takes as
/// many rounds as it has functions; after the last round all bodies are read.
const ROUNDS: u32 = 6;

/// The bodies that are read: bodies of symbol tables, and bodies of units that are needed or may be.
struct Bodies {
    symbol_cache: SymbolCache,
    read: HashSet<ArenaOp>,
    /// The number of remaining rounds; at zero, all bodies are read.
    rounds: u32,
}

impl Bodies {
    fn new(editor: &mut Editor, rounds: u32) -> Result<Self> {
        let mut symbol_cache = SymbolCache::default();
        let rounds = if editor.load_tables(&mut symbol_cache)? { rounds } else { 0 };
        if rounds == 0 {
            editor.load_everything()?;
        }
        Ok(Self { symbol_cache, read: HashSet::new(), rounds })
    }

    /// Loads needed bodies that were not read yet; returns whether there were any.
    fn load(&mut self, editor: &mut Editor, units: &Units, needs: &Needs) -> Result<bool> {
        if self.rounds == 0 {
            return Ok(false);
        }
        let is_wanted = |&unit: &usize| match needs.fate(unit) {
            Some(Fate::Whole | Fate::Declared) => true,
            Some(Fate::Shell) => false,
            None => is_candidate(units, needs, unit),
        };
        let needed_ops = (0..units.ops.len()).filter(is_wanted).map(|unit| units.ops[unit]);
        let missing: Vec<ArenaOp> = needed_ops.filter(|op| !self.read.contains(op)).collect();
        if missing.is_empty() {
            return Ok(false);
        }
        self.rounds -= 1;
        if self.rounds == 0 {
            editor.load_everything()?;
            return Ok(true);
        }
        for op in missing {
            editor.load_inside(op)?;
            self.read.insert(op);
        }
        Ok(true)
    }
}

/// Returns whether an operation without a symbol may stay in a symbol table that is only partly preserved.
fn is_candidate(units: &Units, needs: &Needs, unit: usize) -> bool {
    let around = units.parents[unit].and_then(|around| needs.fate(around));
    units.names[unit].is_none() && needs.fate(unit).is_none() && around == Some(Fate::Shell)
}

/// Keeps the operations without a symbol that belong to preserved symbols; returns the number of the other
/// ones.
fn keep_unnamed(editor: &Editor, units: &Units, needs: &mut Needs) -> u64 {
    let candidates: Vec<usize> =
        (0..units.ops.len()).filter(|&unit| is_candidate(units, needs, unit)).collect();
    if candidates.is_empty() {
        return 0;
    }
    let (mut stays, mut goes) = (Backward::new(units), Backward::new(units));
    let mut reached = Vec::new();
    for unit in 0..units.ops.len() {
        let side = if needs.fate(unit).is_some() { &mut stays } else { &mut goes };
        side.reach(node_of(Target::Named(unit)), &mut reached);
        side.reach(node_of(Target::Used(unit)), &mut reached);
    }
    let mut left_out = 0;
    for unit in candidates {
        let nodes = [Target::Head(unit), Target::Inside(unit)].map(node_of);
        let (some, others) =
            (nodes.iter().any(|&node| stays.has(node)), nodes.iter().any(|&node| goes.has(node)));
        let around = units.parents[unit].map(|around| editor.name_text(units.ops[around]));
        // Terminators and the like belong to their symbol table; modules have no terminators.
        let is_structure = !some && !others && around.is_some_and(|name| name != "builtin.module");
        if (some && !others) || is_structure {
            for inner in units.inside(unit) {
                needs.fates.insert(inner, Fate::Whole);
            }
        } else {
            left_out += 1;
        }
    }
    left_out
}

fn finished(mut editor: Editor, units: &Units, needs: Needs, left_out: u64) -> Result<Extracted> {
    let (mut dropped, mut symbols, mut declared, mut unknown) =
        (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let mut bare = Vec::new();
    for (unit, &op) in units.ops.iter().enumerate() {
        let around = units.parents[unit].map(|around| needs.fate(around));
        match needs.fate(unit) {
            None if around == Some(Some(Fate::Shell)) => dropped.push(op),
            None => {}
            Some(Fate::Declared) => {
                declared.push(units.path(unit));
                bare.push(op);
            }
            Some(fate) => {
                if fate == Fate::Whole && around == Some(Some(Fate::Shell)) && units.names[unit].is_some() {
                    symbols.push(units.path(unit));
                }
                if units.is_opaque(unit) {
                    unknown.push(units.path(unit));
                }
            }
        }
    }
    editor.drop_ops(&dropped);
    for op in bare {
        editor.declare(op)?;
    }
    leave_externals(&mut editor)?;
    Ok(Extracted { editor, symbols, declared, missing: needs.missing, left_out, unknown })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tool::symbols::prepare;

    fn module(text: &str) -> Module {
        crate::parse::parse(text, &Default::default()).unwrap()
    }

    const TEXT: &str = r#"
        module attributes {dlti.dl_spec = #dlti.dl_spec<index = 32 : i32>, t.hook = @hook} {
          func.func private @hook()
          func.func @main() { func.call @leaf() : () -> () "t.use"() {at = [{in = @gone}, @k::@inner]} : () -> () return }
          func.func private @leaf() { return }
          builtin.module @k {
            func.func @inner() { func.call @own() : () -> () return }
            func.func private @own() { return }
            func.func @unused() { return }
          }
          "t.about"() {of = @leaf} : () -> ()
          "t.about"() {of = [@leaf, @other]} : () -> ()
          func.func @other() { return }
        }"#;

    fn extracted(text: &str, names: &[&str], declarations: bool) -> (String, Extracted) {
        let module = module(text);
        let mut extracted = extract(&module, names, ExtractOptions { declarations }).unwrap();
        let written = prepare(&mut extracted.editor, &Default::default()).unwrap().into_module().unwrap();
        let mut out = Vec::new();
        written.print(&mut out, &Default::default()).unwrap();
        (String::from_utf8(out).unwrap(), extracted)
    }

    #[test]
    fn a_symbol_brings_what_it_refers_to_and_what_is_around_it() {
        let (text, extracted) = extracted(TEXT, &["main"], false);
        assert_eq!(extracted.symbols, ["@hook", "@main", "@leaf", "@k::@inner", "@k::@own"]);
        assert!(text.contains("dlti.dl_spec") && !text.contains("@unused"));
        let missing = MissingSymbol { from: "@main".into(), name: "@gone".into() };
        assert_eq!(extracted.missing, [missing]);
        // An operation without a symbol that refers to @leaf only.
        assert_eq!((extracted.left_out, text.matches("t.about").count()), (1, 1));
    }

    #[test]
    fn other_symbols_are_declared_on_request() {
        let (text, extracted) = extracted(TEXT, &["@k::@inner", "main"], true);
        assert_eq!(extracted.symbols, ["@hook", "@main", "@k::@inner"]);
        assert_eq!(extracted.declared, ["@leaf", "@k::@own"]);
        assert!(text.contains("func.func private @own()\n"), "{text}");
    }

    /// Builds functions that call one another, nested deeper than bodies are read on demand; one contains a
    /// symbol table.
    fn chain() -> String {
        let calls =
            (0..20).map(|n| format!("func.func @f{n}() {{ func.call @f{}() : () -> () return }}", n + 1));
        let last = r#"func.func @f20() { builtin.module @m { func.func private @f0() } "t.use"() {at = @m::@f0} : () -> () return }"#;
        calls
            .chain([last.to_owned(), "func.func @other() { return }".to_owned()])
            .collect::<Vec<_>>()
            .join("\n")
    }

    #[test]
    fn bodies_that_are_read_on_demand_give_what_reading_all_gives() {
        let chain = chain();
        for (text, names) in
            [(TEXT, &["main", "k", "leaf"][..]), (&chain, &["f0", "f9", "f15", "f20", "other"])]
        {
            for name in names {
                for declarations in [false, true] {
                    let outcomes = [0, ROUNDS].map(|rounds| {
                        let options = ExtractOptions { declarations };
                        let mut extracted = extract_in(rounds, &module(text), &[name], options).unwrap();
                        let mut bytes = Vec::new();
                        prepare(&mut extracted.editor, &Default::default())
                            .unwrap()
                            .write(&mut bytes)
                            .unwrap();
                        (
                            bytes,
                            extracted.symbols,
                            extracted.declared,
                            extracted.missing,
                            extracted.left_out,
                            extracted.unknown,
                        )
                    });
                    assert_eq!(outcomes[0], outcomes[1], "{name} {declarations}");
                }
            }
        }
    }

    #[test]
    fn other_bodies_are_not_read() {
        let chain = chain();
        let module = module(&chain);
        let extractions =
            [ROUNDS, 0].map(|rounds| extract_in(rounds, &module, &["f18"], Default::default()).unwrap());
        assert_eq!(extractions[0].symbols, ["@f18", "@f19", "@f20"]);
        let [read, all] = extractions.map(|extractions| extractions.editor.arena.ops.len());
        // Two operations in each of 18 functions that call, and one in the other.
        assert_eq!(all - read, 2 * 18 + 1);
    }

    #[test]
    fn a_whole_symbol_table_and_unknown_names() {
        let (text, _) = extracted(TEXT, &["k"], false);
        assert!(text.contains("@unused") && !text.contains("@main"));
        let error = extract(&module(TEXT), &["nope", "main", "k::x"], Default::default()).unwrap_err();
        assert!(error.to_string().contains("there is no symbol `nope`, `k::x`"), "{error}");
        let error = extract(
            &module("func.func @f() { return }\nfunc.func @g() { return }"),
            &["f"],
            Default::default(),
        );
        assert!(error.is_ok(), "several operations are in a module of their own");
    }

    #[test]
    fn resources_that_nothing_uses_are_left_out() {
        let text = r#"module {
            func.func @a() { "t.a"() {v = dense_resource<one> : tensor<1xi8>} : () -> () return }
            func.func @b() { "t.b"() {v = dense_resource<two> : tensor<1xi8>} : () -> () return }
        }
        {-# dialect_resources: { builtin: { one: "0x0100000001", two: "0x0100000002" } } #-}"#;
        let (text, _) = extracted(text, &["b"], false);
        assert!(text.contains("two: ") && !text.contains("one"), "{text}");
    }
}
