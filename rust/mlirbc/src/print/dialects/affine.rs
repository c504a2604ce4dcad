//! Affine maps with values in place of their inputs (`mlir/lib/Dialect/Affine/IR/AffineOps.cpp`).

use crate::assembly::AttributeSyntax;
use crate::format::id::AttrId;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use crate::assembly::MapShape;
use crate::attr::text::affine::{self, AffineMap, ExpressionPart, IntegerSet};
use crate::dialect::entries::{Entries, EntryRef};
use crate::dialect::node::Node;
use crate::dialect::table::Named;
use crate::file::FileEntries;
use crate::ir::ValueId;
use crate::release::Llvm;
use crate::wire::cursor::Cursor;
use crate::wire::error::Result;
use crate::wire::limits::{Budget, HeldMemory};

use super::draft::{Drafted, OperationDraft};

/// A map, or the constraints of a set.
#[derive(Debug)]
pub(in crate::print) struct Map {
    pub(in crate::print) dimensions: usize,
    pub(in crate::print) symbols: usize,
    map: AffineMap,
    is_numbered_by_use: bool,
}

impl Map {
    fn new(map: AffineMap) -> Self {
        let (dimensions, symbols) = (map.num_dims() as usize, map.num_symbols() as usize);
        let is_numbered_by_use = is_numbered_by_use(&map);
        Self { dimensions, symbols, map, is_numbered_by_use }
    }

    fn read(index: AttrId, file: &FileEntries<'_>, release: Llvm) -> Option<Self> {
        let entry_ref = EntryRef::Attribute(index);
        let entry = file.entry(entry_ref)?;
        if let Some(text) = entry.text() {
            let body = |prefix: &[u8]| text.strip_prefix(prefix)?.strip_suffix(b">");
            return Some(Self::new(match (body(b"affine_map<"), body(b"affine_set<")) {
                (Some(map), _) => AffineMap::parse(map, release).ok()?,
                (None, set) => IntegerSet::parse(set?, release).ok()?.into_map(),
            }));
        }
        let mut node = Node::default();
        let (form, _) = entry.decode(entry_ref, file, &mut node).ok()??;
        let mut encoded = Cursor::new(node.blob(node.field(0), entry.data), 0, None);
        Some(Self::new(match form.print {
            Named::AffineMap => AffineMap::decode(&mut encoded).ok()?,
            Named::IntegerSet => IntegerSet::decode(&mut encoded).ok()?.into_map(),
            _ => return None,
        }))
    }

    /// Returns the properties of the map that forms depend on.
    pub(in crate::print) fn shape(&self) -> MapShape {
        let only = match *self.results() {
            [only] => Some(self.map.node(only)),
            _ => None,
        };
        let (dimensions, symbols) = (self.dimensions, self.symbols);
        let number = match only {
            Some(affine::Node::Constant(number)) if dimensions + symbols == 0 => Some(number),
            _ => None,
        };
        let is_symbol = matches!(only, Some(affine::Node::Symbol(0))) && (dimensions, symbols) == (0, 1);
        let results = self.results().len();
        let first = dimensions.checked_sub(results);
        let is_minor_identity = symbols == 0 && first.is_some_and(|first| self.has_dimensions_from(first));
        MapShape { dimensions, symbols, results, number, is_symbol, is_minor_identity }
    }

    /// The results, which are rows of expressions.
    pub(in crate::print) fn results(&self) -> &[u32] {
        self.map.results()
    }

    /// Whether the results are the dimensions from this one on, in order.
    pub(in crate::print) fn has_dimensions_from(&self, first: usize) -> bool {
        let mut results = self.results().iter().enumerate();
        results.all(|(place, &result)| match self.map.node(result) {
            affine::Node::Dim(position) => position as usize == first + place,
            _ => false,
        })
    }

    /// Appends the results with commas between them.
    pub(in crate::print) fn write_results(&self, out: &mut Vec<u8>) {
        for (place, &result) in self.results().iter().enumerate() {
            out.extend_from_slice(if place > 0 { b", " } else { b"" });
            self.map.write_expression(out, result);
        }
    }
}

/// Returns whether the results mention all dimensions and all symbols, each for the first time in order.
fn is_numbered_by_use(map: &AffineMap) -> bool {
    let (mut dimensions, mut symbols, mut is_in_order) = (0, 0, true);
    for &result in map.results() {
        map.each_part(result, |part| {
            let (next, position) = match part {
                ExpressionPart::Dim(position) => (&mut dimensions, position),
                ExpressionPart::Symbol(position) => (&mut symbols, position),
                _ => return,
            };
            is_in_order &= position <= *next;
            *next = (*next).max(position + 1);
        });
    }
    is_in_order && (dimensions, symbols) == (map.num_dims(), map.num_symbols())
}

/// The maps and sets in attributes of a file. A large one is read once, however many operations share it.
pub(in crate::print) struct Maps {
    read: HashMap<AttrId, Option<Arc<Map>>, foldhash::fast::RandomState>,
    bytes: usize,
    held: HeldMemory,
}

impl Maps {
    /// Charges maps to `budget`.
    ///
    /// # Errors
    /// If the budget is spent.
    pub(in crate::print) fn new(budget: &Budget) -> Result<Self> {
        Ok(Self { read: HashMap::default(), bytes: 0, held: budget.hold(0)? })
    }

    /// `None` for another attribute, and if the budget has no memory for the map.
    pub(in crate::print) fn get(
        &mut self,
        index: AttrId,
        file: &FileEntries<'_>,
        release: Llvm,
    ) -> Option<Arc<Map>> {
        // An expression takes a row for two characters or more, and one in the table of equal ones while it is read.
        const EACH: usize = 24;
        const ROW: usize = 128;
        if let Some(map) = self.read.get(&index) {
            return map.clone();
        }
        let bytes = file.entry(EntryRef::Attribute(index))?.data.len();
        self.bytes = self.bytes.saturating_add(ROW + EACH * bytes);
        let map = match self.held.grow_to(self.bytes) {
            Ok(()) => Map::read(index, file, release).map(Arc::new),
            Err(_) => None,
        };
        self.read.insert(index, map.clone());
        map
    }
}

fn has_repeated(values: &[ValueId]) -> bool {
    /// More are compared by their hashes.
    const FEW: usize = 8;
    match values {
        [] | [_] => false,
        few if few.len() <= FEW => few.iter().enumerate().any(|(place, value)| few[..place].contains(value)),
        many => many.iter().map(|value| value.to_bits()).collect::<HashSet<u32>>().len() < many.len(),
    }
}

/// The results of a map with values in place of its inputs (`AsmPrinter::printAffineMapOfSSAIds`).
pub(in crate::print) fn map_of_values(
    draft: &mut OperationDraft<'_, '_, '_>,
    map: &Map,
    operands: &[ValueId],
) -> Drafted {
    if operands.len() != map.dimensions + map.symbols {
        return None;
    }
    // The parser numbers values as they occur.
    if !map.is_numbered_by_use || has_repeated(operands) {
        draft.lost.get_or_insert("operands that its map does not use or has in another order");
    }
    draft.list(map.results(), |draft, &result| expression(draft, map, result, operands))
}

fn expression(draft: &mut OperationDraft<'_, '_, '_>, map: &Map, id: u32, operands: &[ValueId]) -> Drafted {
    let mut has_all = true;
    map.map.each_part(id, |part| match part {
        ExpressionPart::Text(text) => draft.bytes(text),
        ExpressionPart::Number(number) => draft.number(number),
        ExpressionPart::Dim(position) => match operands.get(position as usize) {
            Some(&value) => draft.value(value),
            None => has_all = false,
        },
        ExpressionPart::Symbol(position) => match operands.get(map.dimensions + position as usize) {
            Some(&value) => {
                draft.text("symbol(");
                draft.value(value);
                draft.text(")");
            }
            None => has_all = false,
        },
    });
    has_all.then_some(())
}

// The results of a map in groups; a group of several is a minimum or maximum.
pub(in crate::print) fn grouped_bounds(
    draft: &mut OperationDraft<'_, '_, '_>,
    names: [&str; 2],
    operands: &[ValueId],
    keyword: &str,
) -> Drafted {
    let attribute = draft.attr(names[0])?;
    let map = draft.affine_map(attribute)?;
    if operands.len() != map.dimensions + map.symbols {
        return None;
    }
    let groups = draft.integers_of(names[1])?;
    let mut results = map.results().iter();
    draft.list(groups, |draft, count| {
        let is_several = count > 1;
        if is_several {
            draft.text(keyword);
            draft.text("(");
        }
        let group: Vec<&u32> = results.by_ref().take(usize::try_from(count).ok()?).collect();
        draft.list(group, |draft, &result| expression(draft, &map, result, operands))?;
        draft.text(if is_several { ")" } else { "" });
        Some(())
    })
}

// `AtomicRMWKind` in `mlir/include/mlir/Dialect/Arith/IR/ArithBase.td`, by number.
pub(in crate::print) fn reductions_of(release: Llvm) -> &'static [&'static str] {
    match (release.has_maximum_reductions(), release.sorts_reductions()) {
        (false, _) => &[
            "addf", "addi", "assign", "maxf", "maxs", "maxu", "minf", "mins", "minu", "mulf", "muli", "ori",
            "andi",
        ],
        (true, false) => &[
            "addf", "addi", "assign", "maximumf", "maxs", "maxu", "minimumf", "mins", "minu", "mulf", "muli",
            "ori", "andi", "maxnumf", "minnumf",
        ],
        (true, true) => &[
            "addf", "addi", "andi", "assign", "maximumf", "maxnumf", "maxs", "maxu", "minimumf", "minnumf",
            "mins", "minu", "mulf", "muli", "ori", "xori",
        ],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inputs_are_numbered_by_use() {
        let is_numbered =
            |text: &str| is_numbered_by_use(&AffineMap::parse(text.as_bytes(), Llvm(22)).unwrap());
        assert!(is_numbered("(d0, d1)[s0] -> (d0 + s0, (d1 floordiv 2) mod 3)"));
        assert!(is_numbered("() -> ()"));
        assert!(!is_numbered("(d0, d1) -> (d1, d0)"));
        assert!(!is_numbered("(d0)[s0] -> (d0)"));
    }

    #[test]
    fn dimensions_from_a_first_one() {
        let map = |text: &str| Map::new(AffineMap::parse(text.as_bytes(), Llvm(22)).unwrap());
        assert!(map("(d0, d1, d2) -> (d1, d2)").has_dimensions_from(1));
        assert!(!map("(d0, d1, d2) -> (d1, d2 + 1)").has_dimensions_from(1));
    }

    // A set that is printed as its alias is read once, and an attribute that is compared with a word is not printed.
    #[cfg(feature = "steps")]
    #[test]
    fn operations_that_share_a_large_value_do_not_each_pay_for_it() {
        use crate::parse::{ParseOptions, parse};
        use crate::print::PrintOptions;
        use crate::wire::steps::taken;
        let steps = |text: String| {
            let module = parse(text.as_bytes(), &ParseOptions::default()).unwrap();
            let before = taken();
            let mut printed = Vec::new();
            module.print(&mut printed, &PrintOptions::default()).unwrap();
            (taken() - before, String::from_utf8(printed).unwrap())
        };
        let sets = |n: usize| {
            let terms: Vec<String> = (0..n).map(|term| format!("d0 - {term} >= 0")).collect();
            let operations = "  affine.if #s(%a) {\n  }\n".repeat(n);
            format!(
                "#s = affine_set<(d0) : ({})>\nfunc.func @f(%a: index) {{\n{operations}  return\n}}\n",
                terms.join(", ")
            )
        };
        let ((once, text), (twice, _)) = (steps(sets(500)), steps(sets(1000)));
        assert!(text.contains("affine.if #set(%arg0)"), "{text}");
        assert!(twice < once * 9 / 4, "{once} steps, then {twice}");
    }
}
