//! The walk from symbols to all units that they need.

use std::collections::{HashMap, HashSet};

use crate::edit::Editor;
use crate::edit::symbol::units::{Target, Units, node_of};
use crate::wire::error::Result;
use crate::wire::steps;

/// A reference to a symbol that the module does not have.
#[derive(Debug, Clone, PartialEq, Eq, Hash, serde::Serialize)]
pub struct MissingSymbol {
    /// The symbol with the reference.
    pub from: String,
    /// The name, as it is written.
    pub name: String,
}

/// The treatment of a unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fate {
    /// The operation stays, with its nested units that are needed.
    Shell,
    Declared,
    Whole,
}

/// The needed units.
#[derive(Debug, Default)]
pub(super) struct Needs {
    pub(super) fates: HashMap<usize, Fate>,
    pub(super) missing: Vec<MissingSymbol>,
    reported: HashSet<MissingSymbol>,
    visited: HashSet<u32>,
}

/// Rules for following a reference from one symbol to another.
pub(super) struct Rules<'r> {
    /// The units that are declared instead.
    pub(super) declared: &'r dyn Fn(usize) -> bool,
    /// Whether a unit in the top-level operation is included completely, even if only a part is needed.
    pub(super) whole: bool,
}

impl Needs {
    /// Adds units and all units that they need.
    pub(super) fn add(&mut self, units: &Units, roots: &[usize], rules: &Rules<'_>) {
        let mut open: Vec<(u32, usize)> = Vec::new();
        for &root in roots {
            self.whole(units, root, &mut open);
        }
        self.follow(units, open, rules);
    }

    fn follow(&mut self, units: &Units, mut open: Vec<(u32, usize)>, rules: &Rules<'_>) {
        while let Some((node, from)) = open.pop() {
            if !self.visited.insert(node) {
                continue;
            }
            steps::count(1);
            for name in units.missing(node) {
                let missing = MissingSymbol { from: units.path(from), name: name.clone() };
                if self.reported.insert(missing.clone()) {
                    self.missing.push(missing);
                }
            }
            for &to in units.next(node) {
                match units.target(to) {
                    Target::Named(unit) => {
                        let unit = if rules.whole { units.tops[unit] } else { unit };
                        if (rules.declared)(unit) && !self.fates.contains_key(&unit) {
                            self.fates.insert(unit, Fate::Declared);
                            open.push((node_of(Target::Head(unit)), unit));
                            self.shells(units, unit, &mut open);
                        } else if self.fates.get(&unit) != Some(&Fate::Declared) {
                            self.whole(units, unit, &mut open);
                        }
                    }
                    Target::Used(unit) => {
                        let unit = if rules.whole { units.tops[unit] } else { unit };
                        self.whole(units, unit, &mut open);
                    }
                    _ => open.push((to, from)),
                }
            }
        }
    }

    /// Adds the units that the top-level operation refers to.
    pub(super) fn add_around(&mut self, units: &Units, rules: &Rules<'_>) {
        self.follow(units, vec![(node_of(Target::Head(0)), 0)], rules);
    }

    // Adds a unit with all nested units, and the units around it.
    fn whole(&mut self, units: &Units, unit: usize, open: &mut Vec<(u32, usize)>) {
        let range = units.inside(unit);
        let mut next = range.start;
        while next < range.end {
            if self.fates.insert(next, Fate::Whole) == Some(Fate::Whole) {
                next = units.inside(next).end;
                continue;
            }
            open.push((node_of(Target::Head(next)), next));
            open.push((node_of(Target::Inside(next)), next));
            next += 1;
        }
        self.shells(units, unit, open);
    }

    fn shells(&mut self, units: &Units, unit: usize, open: &mut Vec<(u32, usize)>) {
        let mut around = units.parents[unit];
        while let Some(unit) = around.filter(|unit| !self.fates.contains_key(unit)) {
            self.fates.insert(unit, Fate::Shell);
            open.push((node_of(Target::Head(unit)), unit));
            open.push((node_of(Target::Inside(unit)), unit));
            around = units.parents[unit];
        }
    }

    pub(super) fn fate(&self, unit: usize) -> Option<Fate> {
        self.fates.get(&unit).copied()
    }
}

/// Returns the units that can be declared and have a definition to leave out.
pub(super) fn definitions(editor: &Editor, units: &Units) -> Result<HashSet<usize>> {
    let mut declarable = HashSet::new();
    for (unit, &op) in units.ops.iter().enumerate() {
        if units.names[unit].is_some() && editor.declares(op)? == Some(false) {
            declarable.insert(unit);
        }
    }
    Ok(declarable)
}
