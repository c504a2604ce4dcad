//! The types and operations that `mlir-opt` of a release accepts, found by experiment: types by constraint,
//! and operations.
//!
//! `examples/probe.rs` writes the data.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::{Arc, OnceLock};

use mlirbc::Release;
use mlirbc::ops::{OperationDefinition, OperationDefinitions};
use mlirbc::smith::TableRow;

use crate::instance::{Freedom, Instance, RegionShape};

const POOL: &str = include_str!("../data/types.txt");
/// Operations and table rows that were accepted alone but are refused in whole modules: release, name,
/// reason.
const EXCLUDED: &str = include_str!("../data/excluded.txt");
const LLVM_22: &str = include_str!("../data/llvm-22.txt");
/// The dialects of modules for jaxlib.
const JAXLIB: [&str; 6] = ["arith", "cf", "func", "math", "memref", "scf"];
const SHIPPED: [(&str, u32, &str); 3] = [
    ("llvm-19", 19, include_str!("../data/llvm-19.txt")),
    ("llvm-22", 22, LLVM_22),
    // MLIR of this jaxlib is newer than LLVM 22: only dialects without measured differences are used, with
    // jaxlib's own property schemas.
    ("jaxlib-0.10", 22, LLVM_22),
];

/// The releases that modules are generated for.
///
/// ```
/// assert!(mlirbc_smith::releases().any(|name| name == "llvm-22"));
/// ```
pub fn releases() -> impl Iterator<Item = &'static str> {
    SHIPPED.iter().map(|(name, ..)| *name)
}

/// Returns the dialects with operations that are generated for a release, besides modules, functions,
/// branches and casts; none for an unknown release.
///
/// ```
/// assert!(mlirbc_smith::dialects("llvm-19").contains("arith"));
/// ```
pub fn dialects(release: &str) -> BTreeSet<&'static str> {
    let recipes = Catalogue::of(release).map(|catalogue| catalogue.recipes.as_slice()).unwrap_or_default();
    let all = recipes.iter().filter_map(|recipe| recipe.definition.name().split('.').next());
    all.filter(|name| dialects_of(release).is_none_or(|some| some.contains(name))).collect()
}

/// Returns the only dialects for modules of a release; `None` if all dialects of the release are used.
pub(crate) fn dialects_of(release: &str) -> Option<&'static [&'static str]> {
    (release == "jaxlib-0.10").then_some(&JAXLIB)
}

/// Returns the types that are tried for a constraint.
#[cfg(feature = "probe")]
pub fn pool() -> impl Iterator<Item = &'static str> {
    POOL.lines()
}

/// The position of an operation in a module.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OperationPosition {
    /// In any block.
    Block,
    /// In the body of a module, because it is a symbol.
    Module,
    /// At the end of a block without successors.
    End,
}

/// Returns the position for operations with this definition; `None` if only one kind of operation can be
/// around it.
pub fn position_of(definition: &OperationDefinition) -> Option<OperationPosition> {
    let has = |name| definition.has_trait(name);
    if has("HasParent") || has("ParentOneOf") || !definition.successors().is_empty() {
        None
    } else if has("IsTerminator") {
        Some(OperationPosition::End)
    } else if has("Symbol") || has("SymbolOpInterface") {
        Some(OperationPosition::Module)
    } else {
        Some(OperationPosition::Block)
    }
}

/// An operation that can be generated.
#[derive(Debug)]
pub(crate) struct Recipe {
    pub(crate) definition: Arc<OperationDefinition>,
    pub(crate) place: OperationPosition,
    pub(crate) source: Source,
    /// Whether other operations may be in its regions.
    pub(crate) is_open: bool,
}

#[derive(Debug)]
pub(crate) enum Source {
    /// Any operation that the definition permits.
    Definition(Freedom),
    /// An example, because a rule outside of the definition relates the parts of the operation.
    Examples(Vec<Instance>),
}

/// The types and operations that a release accepts.
#[derive(Debug)]
pub(crate) struct Catalogue {
    pub(crate) llvm: u32,
    pub(crate) types: Vec<String>,
    by_constraint: HashMap<&'static str, Vec<String>>,
    pub(crate) recipes: Vec<Recipe>,
    pub(crate) rows: Vec<TableRow>,
}

impl Catalogue {
    /// Returns the catalogue of a release; `None` if there is none.
    pub(crate) fn of(release: &str) -> Option<&'static Self> {
        static OPENED: [OnceLock<Catalogue>; SHIPPED.len()] = [const { OnceLock::new() }; SHIPPED.len()];
        let place = SHIPPED.iter().position(|(name, ..)| *name == release)?;
        let &(name, llvm, text) = SHIPPED.get(place)?;
        let definitions = OperationDefinitions::of(&Release::named(name))?;
        Some(OPENED.get(place)?.get_or_init(|| Self::open(name, llvm, text, definitions)))
    }

    pub(crate) fn types_of(&self, constraint: &str) -> &[String] {
        self.by_constraint.get(constraint).map_or(&[], Vec::as_slice)
    }

    fn open(release: &str, llvm: u32, text: &'static str, definitions: &OperationDefinitions) -> Self {
        let excluded: HashSet<&str> = EXCLUDED
            .lines()
            .filter_map(|line| line.strip_prefix(release)?.strip_prefix('\t')?.split('\t').next())
            .collect();
        // The experiment used `--allow-unregistered-dialect`, so that `mlir-opt` accepted types of dialects
        // that it lacks.
        let dialects: HashSet<&str> = definitions.names().filter_map(|name| name.split('.').next()).collect();
        let of_release = |text: &str| {
            let foreign = |rest: &str| rest.split('.').next().is_some_and(|name| !dialects.contains(name));
            !text.split('!').skip(1).any(foreign)
        };
        let pool: Vec<&str> = POOL.lines().map(|text| if of_release(text) { text } else { "" }).collect();
        let mut this = Self {
            llvm,
            types: Vec::new(),
            by_constraint: HashMap::new(),
            recipes: Vec::new(),
            rows: Vec::new(),
        };
        let known_rows: HashMap<String, TableRow> =
            mlirbc::smith::rows().into_iter().map(|row| (row.to_string(), row)).collect();
        for line in text.lines() {
            let mut words = line.split('\t');
            let mut word = || words.next().unwrap_or_default();
            match (word(), word()) {
                (_, name) if excluded.contains(name) => {}
                ("types", numbers) => this.types = texts(&pool, numbers),
                ("constraint", name) => {
                    this.by_constraint.insert(name, texts(&pool, word()));
                }
                ("operation", name) => {
                    let (letter, open) = (word(), word());
                    let freedom = Freedom::of_letter(letter).unwrap_or(Freedom::Equal);
                    this.add(definitions, name, open == "o", Source::Definition(freedom));
                }
                ("example", _) if !of_release(line) => {}
                ("example", name) => {
                    let instance = Instance {
                        operands: list(word()),
                        results: list(word()),
                        attributes: list(word())
                            .iter()
                            .filter_map(|pair| pair.split_once(" = "))
                            .map(|(name, value)| (name.to_owned(), value.to_owned()))
                            .collect(),
                        regions: word().chars().filter_map(RegionShape::of_letter).collect(),
                    };
                    let open = word() == "o";
                    match this.recipes.last_mut() {
                        Some(Recipe { definition, source: Source::Examples(examples), .. })
                            if definition.name() == name =>
                        {
                            examples.push(instance);
                        }
                        _ => this.add(definitions, name, open, Source::Examples(vec![instance])),
                    }
                }
                ("row", name) => this.rows.extend(known_rows.get(name).cloned()),
                _ => {}
            }
        }
        this
    }

    fn add(&mut self, definitions: &OperationDefinitions, name: &str, is_open: bool, source: Source) {
        if let Some(definition) = definitions.get(name)
            && let Some(place) = position_of(&definition)
        {
            self.recipes.push(Recipe { definition, place, source, is_open });
        }
    }
}

/// Separates the items of a list in the data.
pub const BETWEEN: &str = " ; ";

fn list(text: &str) -> Vec<String> {
    if text.is_empty() { Vec::new() } else { text.split(BETWEEN).map(str::to_owned).collect() }
}

fn texts(pool: &[&str], numbers: &str) -> Vec<String> {
    let number = |word: &str| word.parse::<usize>().ok();
    numbers
        .split(' ')
        .filter_map(number)
        .filter_map(|place| pool.get(place))
        .filter(|text| !text.is_empty())
        .map(|text| (*text).to_owned())
        .collect()
}
