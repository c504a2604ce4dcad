//! Selects the operations of a merged module, and their names.
//!
//! Symbols with one name are one symbol if their content is equal and all symbols that they refer to are one
//! symbol, too. A symbol that refers to an ambiguous name, directly or not, is equal in two modules only if
//! all such names have the same meaning in both.

use std::collections::{HashMap, HashSet};

use crate::edit::Editor;
use crate::edit::arena::ArenaOp;
use crate::edit::symbol::units::{Backward, Target, node_of};
use crate::ir::Module;
use crate::tool::hash::{HashOptions, symbol_keys};
use crate::wire::error::{Error, ErrorKind, Result};

use super::{InputModule, MergeOptions, Renamed};

/// An operation: the number of its module, and its number in this module.
type OpPosition = (usize, usize);

#[derive(Debug, Default)]
pub(super) struct Plan {
    /// The operations of the result.
    pub(super) order: Vec<OpPosition>,
    /// New names by old names, by module.
    pub(super) names: HashMap<usize, HashMap<Vec<u8>, Vec<u8>>>,
    pub(super) renamed: Vec<Renamed>,
    pub(super) shared: Vec<String>,
    pub(super) linked: Vec<String>,
}

/// The symbols with one name.
#[derive(Debug, Default)]
struct Clash {
    definitions: Vec<OpPosition>,
    declarations: Vec<OpPosition>,
    /// Whether a symbol refers, directly or not, to an ambiguous name.
    is_tainted: bool,
}

/// Returns the plan for an order that the caller specifies.
pub(super) fn ordered(inputs: &[InputModule], order: &[OpPosition]) -> Result<Plan> {
    let mut seen = HashSet::new();
    for &(module, place) in order {
        if inputs.get(module).is_none_or(|input| place >= input.rows.len()) || !seen.insert((module, place)) {
            let message = format!("module `{module}` has no operation `{place}`, or it is named twice");
            return Err(Error::message(ErrorKind::Merge, message));
        }
    }
    Ok(Plan { order: order.to_vec(), ..Plan::default() })
}

/// Returns the plan that follows from the names.
pub(super) fn planned(inputs: &[InputModule], modules: &[Module], options: &MergeOptions) -> Result<Plan> {
    let mut by_name: HashMap<&[u8], Vec<OpPosition>> = HashMap::new();
    for (module, input) in inputs.iter().enumerate() {
        for (place, &unit) in input.rows.iter().enumerate() {
            if let Some(name) = &input.units.names[unit] {
                by_name.entry(name).or_default().push((module, place));
            }
        }
    }
    let taken: HashSet<&[u8]> = by_name.keys().copied().collect();
    let mut clashes: HashMap<&[u8], Clash> = HashMap::new();
    let mut keys = Keys { modules, by_module: HashMap::new(), meanings: Vec::new() };
    for (&name, places) in by_name.iter().filter(|row| row.1.len() > 1) {
        let mut clash = Clash::default();
        for &place in places {
            match inputs[place.0].editor.declares(inputs[place.0].op(place.1))? {
                Some(true) => clash.declarations.push(place),
                _ => clash.definitions.push(place),
            }
        }
        clashes.insert(name, clash);
    }
    let mut names: Vec<&[u8]> = clashes.keys().copied().collect();
    crate::wire::order::sort_by(&mut names, |a, b| by_name[a].cmp(&by_name[b]));
    let split = keys.compare(inputs.len(), &names, &clashes)?;
    spread(inputs, &by_name, &mut clashes, split);
    let mut naming = Naming { taken, next: HashMap::new(), used: HashSet::new() };
    let mut plan = Plan::default();
    let mut dropped: HashSet<OpPosition> = HashSet::new();
    for name in names {
        settle((inputs, options), (name, &clashes[name]), &mut keys, &mut naming, (&mut plan, &mut dropped))?;
    }
    for (module, input) in inputs.iter().enumerate() {
        let places = (0..input.rows.len()).map(|place| (module, place));
        plan.order.extend(places.filter(|place| !dropped.contains(place)));
    }
    Ok(plan)
}

/// Resolves the clash of one name.
fn settle(
    (inputs, options): (&[InputModule], &MergeOptions),
    (name, clash): (&[u8], &Clash),
    keys: &mut Keys<'_>,
    naming: &mut Naming<'_>,
    (plan, dropped): (&mut Plan, &mut HashSet<OpPosition>),
) -> Result<()> {
    let text = format!("@{}", String::from_utf8_lossy(name));
    let editor = |place: OpPosition| &inputs[place.0].editor;
    let op = |place: OpPosition| inputs[place.0].op(place.1);
    let classes = keys.classes(clash)?;
    let is_public = |places: &Vec<OpPosition>| -> Result<bool> {
        for &place in places {
            if is_public(editor(place), op(place))? {
                return Ok(true);
            }
        }
        Ok(false)
    };
    let mut public = Vec::new();
    for (number, class) in classes.iter().enumerate() {
        if is_public(class)? {
            public.push(number);
        }
    }
    if let [first, second, ..] = public[..]
        && !options.rename
    {
        let modules = [first, second].map(|class| options.name(classes[class][0].0));
        let message = format!("{} and {} have different public symbols `{text}`", modules[0], modules[1]);
        return Err(Error::message(ErrorKind::Merge, message));
    }
    let winner = public.first().copied().unwrap_or(0);
    for (number, class) in classes.iter().enumerate() {
        let Some((&kept, others)) = class.split_first() else { continue };
        if !others.is_empty() {
            plan.shared.push(text.clone());
            dropped.extend(others);
        }
        if number == winner {
            continue;
        }
        let new = naming.unused(name);
        for &(module, _) in class {
            plan.names.entry(module).or_default().insert(name.to_vec(), new.clone());
        }
        let [name, new] = [name, &new].map(|name| String::from_utf8_lossy(name).into_owned());
        plan.renamed.push(Renamed { module: kept.0, name, new });
    }
    let definition = classes.get(winner).and_then(|class| class.first()).copied();
    let Some(&first) = clash.declarations.first() else { return Ok(()) };
    if definition.is_some() && public.is_empty() && classes.len() > 1 {
        let message =
            format!("{} declares `{text}`, which several modules define as private", options.name(first.0));
        return Err(Error::message(ErrorKind::Merge, message));
    }
    let model = definition.unwrap_or(first);
    let expected_type = editor(model).declared_type(op(model))?;
    for &place in &clash.declarations {
        if editor(place).declared_type(op(place))? != expected_type {
            let message = format!(
                "{} declares `{text}` with another type than {}",
                options.name(place.0),
                options.name(model.0)
            );
            return Err(Error::message(ErrorKind::Merge, message));
        }
        if place != model {
            dropped.insert(place);
        }
    }
    match definition {
        Some(_) => plan.linked.push(text),
        None => plan.shared.push(text),
    }
    Ok(())
}

/// Taints every name whose symbols refer to an ambiguous name; `open` has the ambiguous names.
fn spread<'n>(
    inputs: &[InputModule],
    by_name: &HashMap<&'n [u8], Vec<OpPosition>>,
    clashes: &mut HashMap<&'n [u8], Clash>,
    mut open: Vec<&'n [u8]>,
) {
    if open.is_empty() {
        return;
    }
    let mut backward: Vec<Backward> = inputs.iter().map(|input| Backward::new(&input.units)).collect();
    while let Some(name) = open.pop() {
        for &(module, place) in by_name.get(name).into_iter().flatten() {
            let input = &inputs[module];
            let mut reached = Vec::new();
            for unit in input.units.inside(input.rows[place]) {
                backward[module].reach(node_of(Target::Named(unit)), &mut reached);
            }
            for node in reached {
                let (Target::Head(user) | Target::Inside(user)) = input.units.target(node) else { continue };
                let Some(user) = input.units.names[input.units.tops[user]].as_deref() else { continue };
                let Some((&name, _)) = by_name.get_key_value(user) else { continue };
                if let Some(clash) = clashes.get_mut(name).filter(|clash| !clash.is_tainted) {
                    clash.is_tainted = true;
                    open.push(name);
                }
            }
        }
    }
}

/// The keys of operations, computed for a module on demand.
struct Keys<'m> {
    modules: &'m [Module],
    by_module: HashMap<usize, Vec<(String, String)>>,
    /// By module: equal numbers if all ambiguous names have the same meaning in both modules.
    meanings: Vec<usize>,
}

impl Keys<'_> {
    fn of(&mut self, (module, place): OpPosition) -> Result<String> {
        if !self.by_module.contains_key(&module) {
            let keys = symbol_keys(&self.modules[module], HashOptions::default())?;
            self.by_module.insert(module, keys);
        }
        let keys = self.by_module.get(&module).and_then(|keys| keys.get(place));
        Ok(keys.map_or_else(String::new, |key| key.1.clone()))
    }

    /// Compares the meanings of the ambiguous names and records them for each module.
    fn compare<'n>(
        &mut self,
        modules: usize,
        names: &[&'n [u8]],
        clashes: &HashMap<&'n [u8], Clash>,
    ) -> Result<Vec<&'n [u8]>> {
        let mut split = Vec::new();
        let mut meanings: Vec<Vec<(usize, usize)>> = (0..modules).map(|_| Vec::new()).collect();
        for (number, name) in names.iter().enumerate() {
            let classes = self.classes(&clashes[name])?;
            if classes.len() < 2 {
                continue;
            }
            split.push(*name);
            for (class, places) in classes.iter().enumerate() {
                places.iter().for_each(|place| meanings[place.0].push((number, class)));
            }
        }
        let mut meaning_numbers = HashMap::new();
        for meaning in meanings {
            let next = meaning_numbers.len();
            self.meanings.push(*meaning_numbers.entry(meaning).or_insert(next));
        }
        Ok(split)
    }

    /// Returns the definitions of a name, grouped by equality.
    fn classes(&mut self, clash: &Clash) -> Result<Vec<Vec<OpPosition>>> {
        let mut classes: Vec<Vec<OpPosition>> = Vec::new();
        if clash.definitions.len() < 2 {
            return Ok(clash.definitions.iter().map(|&place| vec![place]).collect());
        }
        let mut by_key: HashMap<(String, usize), usize> = HashMap::new();
        for &place in &clash.definitions {
            let meaning = self.meanings.get(place.0).copied().filter(|_| clash.is_tainted);
            let key = (self.of(place)?, meaning.unwrap_or_default());
            let class = *by_key.entry(key).or_insert_with(|| {
                classes.push(Vec::new());
                classes.len() - 1
            });
            classes[class].push(place);
        }
        Ok(classes)
    }
}

/// Creates new names as MLIR does: `name_0`, `name_1`, ...
struct Naming<'n> {
    taken: HashSet<&'n [u8]>,
    next: HashMap<Vec<u8>, u64>,
    used: HashSet<Vec<u8>>,
}

impl Naming<'_> {
    fn unused(&mut self, name: &[u8]) -> Vec<u8> {
        let next = self.next.entry(name.to_vec()).or_default();
        loop {
            let new = [name, format!("_{next}").as_bytes()].concat();
            *next += 1;
            if !self.taken.contains(&*new) && self.used.insert(new.clone()) {
                return new;
            }
        }
    }
}

/// Returns whether other modules may refer to a symbol.
fn is_public(editor: &Editor, op: ArenaOp) -> Result<bool> {
    let is_private = |name: &[u8], hidden: &[&str]| -> Result<bool> {
        let Some(value) = editor.attribute(editor.handle_of(op), name)? else { return Ok(false) };
        let text = value.to_string();
        Ok(hidden.iter().any(|hidden| text.contains(hidden)))
    };
    Ok(!is_private(b"sym_visibility", &["\"private\"", "\"nested\""])?
        && !is_private(b"linkage", &["<internal>", "<private>"])?)
}

impl InputModule {
    fn op(&self, place: usize) -> ArenaOp {
        self.units.ops[self.rows[place]]
    }
}
