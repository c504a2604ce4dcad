//! Uses of elements by operations: which elements are constants, the number of uses, and the best name for
//! each.
//!
//! One walk over the operations finds all uses. Elements in attributes of an operation that holds no
//! constants (`ops::constants`) are not weights; the walk remembers them, because an edit of equal constants
//! must not change them.

use std::collections::{HashMap, HashSet};

use crate::file::FileEntries;
use crate::format::id::AttrId;
use crate::ir::{BodyId, Module, OpId, Operation};
use crate::wire::error::Result;
use crate::wire::limits::Budget;

use crate::tool::cost::scopes::Scopes;

use super::find::symbol_text;
use super::names::{joined, location_name, says_more};
use super::walk::{Elements, Mark, OpValue, Search, Walk, each_op};

/// The number of uses of elements by operations.
#[derive(Debug, Clone, Copy)]
pub(super) struct Count {
    pub(super) users: u64,
    /// Whether all users accept a resource in place of the elements.
    pub(super) accepts_resource: bool,
}

/// The elements of a module and their uses.
#[derive(Default)]
pub(super) struct Uses {
    pub(super) constants: HashMap<u32, Count>,
    /// Uses by operations that hold no constants.
    pub(super) others: HashMap<u32, Count>,
    /// All elements, in the order of their first use.
    pub(super) order: Vec<u32>,
    /// Preferred names of constants, which may already be taken.
    pub(super) names: HashMap<u32, String>,
    /// The name scopes of the first users.
    pub(super) layers: HashMap<u32, String>,
}

/// The uses by operations of one kind.
struct Tally {
    search: Search,
    counts: HashMap<u32, Count>,
    /// The number of references from operations to attributes that hold elements.
    held: HashMap<u32, u64>,
}

impl Tally {
    fn new(module: &Module, elements: &[Elements], budget: &Budget) -> Result<Self> {
        let mut search = Search::new(module, budget)?;
        elements.iter().for_each(|elements| search.await_elements(AttrId::new(elements.attribute)));
        Ok(Self { search, counts: HashMap::new(), held: HashMap::new() })
    }

    /// Records a value of an operation; `search.fresh` has the elements that were not used before.
    fn add(&mut self, value: &OpValue, walk: &mut Walk<'_, '_>, budget: &Budget) -> Result<()> {
        let mark = self.search.enter(AttrId::new(value.attribute), walk)?;
        for &elements in &self.search.fresh {
            budget.spend(2 * size_of::<(u32, Count)>())?;
            self.counts.insert(elements, Count { users: 0, accepts_resource: true });
        }
        match mark {
            Mark::Elements => {
                if let Some(count) = self.counts.get_mut(&value.attribute) {
                    count.users += 1;
                    count.accepts_resource &= value.accepts_resource;
                }
            }
            Mark::Holds => *self.held.entry(value.attribute).or_insert(0) += 1,
            _ => {}
        }
        Ok(())
    }

    /// Adds the uses of attributes that hold elements to the uses of these elements. An attribute comes
    /// before its holders.
    fn finish(self) -> HashMap<u32, Count> {
        let Self { search, mut counts, mut held } = self;
        let mut edges = search.edges;
        edges.sort_unstable();
        for &holder in search.holders.iter().rev() {
            let users = held.get(&holder).copied().unwrap_or(0);
            let start = edges.partition_point(|edge| edge.0 < holder);
            for &(_, child) in edges[start..].iter().take_while(|edge| edge.0 == holder) {
                match counts.get_mut(&child) {
                    Some(count) => {
                        count.users = count.users.saturating_add(users);
                        count.accepts_resource = false;
                    }
                    None => {
                        let count = held.entry(child).or_insert(0);
                        *count = count.saturating_add(users);
                    }
                }
            }
        }
        counts
    }
}

/// A symbol around operations, whose constants without a location are numbered within it.
struct Scope {
    path: String,
    next: u64,
}

/// A constant that the location of its first user may name.
struct Unnamed {
    elements: Vec<u32>,
    /// The name in the location of the constant.
    location: Option<String>,
    /// The path of the symbol around it.
    path: String,
}

struct Finder<'m, 'e> {
    module: &'m Module,
    budget: &'e Budget,
    walk: Walk<'m, 'e>,
    constants: Tally,
    others: Tally,
    order: Vec<u32>,
    names: HashMap<u32, String>,
    scopes: Vec<Scope>,
    layers: HashMap<u32, String>,
    layer_scopes: Scopes<'m>,
    unnamed: HashMap<(BodyId, u32), Unnamed, foldhash::fast::RandomState>,
}

/// Finds the uses of elements.
pub(super) fn used(module: &Module, elements: &[Elements], budget: &Budget) -> Result<Uses> {
    let entries = module.tables().entries()?;
    let mut finder = Finder::new(module, &entries, elements, budget)?;
    // The operations around the current one, and their scopes.
    let mut open: Vec<(Operation<'_>, usize)> = Vec::new();
    each_op(module, |op| {
        let parent = op.parent();
        while open.last().is_some_and(|(last, _)| Some(*last) != parent) {
            open.pop();
        }
        let scope = open.last().map_or(0, |&(_, scope)| scope);
        finder.walk.read(&op)?;
        let symbol = match finder.walk.symbol {
            Some(symbol) if parent.is_some() => symbol_text(module, symbol)?,
            _ => None,
        };
        finder.name_by_user(&op)?;
        match finder.walk.holds_constants(&op) {
            true => finder.constant(&op, symbol.as_deref(), scope)?,
            false => finder.other()?,
        }
        if op.region_count() > 0 {
            let inner = match symbol {
                Some(symbol) => finder.open_scope(scope, &symbol)?,
                None => scope,
            };
            open.push((op, inner));
        }
        Ok(())
    })?;
    Ok(finder.finish())
}

impl<'m, 'e> Finder<'m, 'e> {
    fn new(
        module: &'m Module,
        entries: &'e FileEntries<'m>,
        elements: &[Elements],
        budget: &'e Budget,
    ) -> Result<Self> {
        Ok(Self {
            module,
            budget,
            walk: Walk::new(module, entries, budget)?,
            constants: Tally::new(module, elements, budget)?,
            others: Tally::new(module, elements, budget)?,
            order: Vec::new(),
            names: HashMap::new(),
            scopes: vec![Scope { path: String::new(), next: 0 }],
            layers: HashMap::new(),
            layer_scopes: Scopes::new(module),
            unnamed: HashMap::default(),
        })
    }

    /// Returns the scope of the operations in a symbol.
    fn open_scope(&mut self, around: usize, symbol: &str) -> Result<usize> {
        let path = joined(&self.scopes[around].path, symbol);
        self.budget.spend(size_of::<Scope>() + path.len())?;
        self.scopes.push(Scope { path, next: 0 });
        Ok(self.scopes.len() - 1)
    }

    /// Records the constants of an operation that was read.
    fn constant(&mut self, op: &Operation<'m>, symbol: Option<&str>, scope: usize) -> Result<()> {
        let mut first_of_op = Vec::new();
        for value in std::mem::take(&mut self.walk.values) {
            self.constants.add(&value, &mut self.walk, self.budget)?;
            for &elements in &self.constants.search.fresh {
                let Scope { path, next } = &mut self.scopes[scope];
                // Constants with other names are counted, too, so that the numbers do not depend on
                // locations.
                let name = match symbol {
                    Some(symbol) => joined(path, symbol),
                    None if path.is_empty() => format!("constant/{next}"),
                    None => format!("{path}/{next}"),
                };
                *next += 1;
                self.budget.spend(2 * size_of::<(u32, String)>() + name.len())?;
                self.names.insert(elements, name);
                first_of_op.push(elements);
            }
        }
        self.order.extend(&first_of_op);
        match first_of_op.is_empty() {
            true => Ok(()),
            false => self.name_by_location(op, symbol.is_some(), scope, first_of_op),
        }
    }

    /// Names new constants by the location of their operation, or leaves the name to the first user.
    fn name_by_location(
        &mut self,
        op: &Operation<'m>,
        has_symbol: bool,
        scope: usize,
        elements: Vec<u32>,
    ) -> Result<()> {
        let location = location_name(self.module, op.location())?;
        if let Some(name) = &location {
            self.rename(&elements, name)?;
        }
        self.set_layer(&elements, op.location())?;
        let results = op.columns().results(op.id());
        if results.is_empty() || has_symbol && location.is_none() {
            return Ok(());
        }
        let path = self.scopes[scope].path.clone();
        let texts = path.len() + location.as_ref().map_or(0, String::len) + 4 * elements.len();
        self.budget.spend(2 * size_of::<((BodyId, u32), Unnamed)>() + texts)?;
        self.unnamed.insert((op.body_id(), results.start), Unnamed { elements, location, path });
        Ok(())
    }

    /// Names constants after the first operation that uses their result, if its location says more than their
    /// own.
    fn name_by_user(&mut self, op: &Operation<'m>) -> Result<()> {
        if self.unnamed.is_empty() {
            return Ok(());
        }
        let body = op.columns();
        for row in body.operand_rows(op.id()) {
            let Some(&operand) = body.operands.get(row as usize) else { break };
            if operand.is_argument() {
                continue;
            }
            let Some(unnamed) = self.unnamed.remove(&(op.body_id(), operand.row() as u32)) else { continue };
            self.set_layer(&unnamed.elements, op.location())?;
            let Some(user) = location_name(self.module, op.location())? else { continue };
            if says_more(&user, unnamed.location.as_deref()) {
                let name = match unnamed.location.is_some() || user.contains('/') || unnamed.path.is_empty() {
                    true => user,
                    false => format!("{}/{user}", unnamed.path),
                };
                self.rename(&unnamed.elements, &name)?;
            }
        }
        Ok(())
    }

    /// Sets the layer of constants, unless the location has no name scope.
    fn set_layer(&mut self, element_numbers: &[u32], location: AttrId) -> Result<()> {
        let layer = self.layer_scopes.get(location)?;
        if layer.is_empty() {
            return Ok(());
        }
        for &elements in element_numbers {
            self.budget.spend(layer.len() + 2 * size_of::<(u32, String)>())?;
            self.layers.insert(elements, layer.to_string());
        }
        Ok(())
    }

    fn rename(&mut self, elements: &[u32], name: &str) -> Result<()> {
        for elements in elements {
            if let Some(constant_name) = self.names.get_mut(elements) {
                self.budget.spend(name.len())?;
                name.clone_into(constant_name);
            }
        }
        Ok(())
    }

    /// Records the elements in the attributes of an operation that holds no constants.
    fn other(&mut self) -> Result<()> {
        for value in std::mem::take(&mut self.walk.values) {
            self.others.add(&value, &mut self.walk, self.budget)?;
            self.order.extend(&self.others.search.fresh);
        }
        Ok(())
    }

    fn finish(self) -> Uses {
        let Self { constants, others, mut order, names, layers, .. } = self;
        // A constant may be a permutation somewhere else.
        let mut is_listed = HashSet::new();
        order.retain(|&elements| is_listed.insert(elements));
        Uses { constants: constants.finish(), others: others.finish(), order, names, layers }
    }
}

/// The position of a constant in an operation.
#[derive(Debug, Clone)]
pub(super) struct ConstantPlace {
    pub(super) body: BodyId,
    pub(super) op: OpId,
    /// The name of the attribute; `None` if another attribute holds the elements.
    pub(super) attribute: Option<Vec<u8>>,
}

/// Finds the operations that hold constants of these attributes.
pub(super) fn places(
    module: &Module,
    shared: &HashSet<AttrId>,
) -> Result<HashMap<AttrId, Vec<ConstantPlace>>> {
    let entries = module.tables().entries()?;
    let budget = module.tables().work_budget();
    let mut walk = Walk::new(module, &entries, &budget)?;
    let mut search = Search::new(module, &budget)?;
    shared.iter().for_each(|&elements| search.await_elements(elements));
    let mut places: HashMap<AttrId, Vec<ConstantPlace>> = HashMap::new();
    each_op(module, |op| {
        if !walk.holds_constants(&op) {
            return Ok(());
        }
        walk.read(&op)?;
        for value in std::mem::take(&mut walk.values) {
            let (body, id) = (op.body_id(), op.id());
            match search.enter(AttrId::new(value.attribute), &mut walk)? {
                Mark::Elements => {
                    let attribute = walk.name_of(&value);
                    let size = size_of::<ConstantPlace>() + attribute.as_ref().map_or(0, Vec::len);
                    budget.spend(2 * size)?;
                    let place = ConstantPlace { body, op: id, attribute };
                    places.entry(AttrId::new(value.attribute)).or_default().push(place);
                }
                // Only the first place within another attribute is recorded, because it already prevents a
                // change.
                Mark::Holds => {
                    for &elements in &search.fresh {
                        budget.spend(2 * size_of::<ConstantPlace>())?;
                        let place = ConstantPlace { body, op: id, attribute: None };
                        places.entry(AttrId::new(elements)).or_default().push(place);
                    }
                }
                _ => {}
            }
        }
        Ok(())
    })?;
    // Elements of one constant may be within another constant, where they are not fresh.
    for (_, elements) in search.edges {
        if let Some(constant_places) = places.get_mut(&AttrId::new(elements))
            && let Some(first) = constant_places.first_mut()
        {
            first.attribute = None;
        }
    }
    Ok(places)
}

#[cfg(test)]
mod tests {
    use crate::edit::Editor;
    use crate::parse::{ParseOptions, parse};
    use crate::tool::weights::{WeightKind, Weights};
    use crate::{Module, WriteOptions};

    const LAYERS: &str = "../../tests/data/artifacts/layers.jax";

    fn names(module: &Module) -> Vec<String> {
        let weights = Weights::of(module).unwrap();
        weights.rows().iter().map(|weight| format!("{} {}", weight.name, weight.users)).collect()
    }

    // The expected names are the layer names in `make_layers.py`.
    #[test]
    fn weights_of_a_portable_artifact_are_its_constants_and_named_after_layers() {
        let expected = [
            "jit(<lambda>)/Dense_0/max 1",
            "jit(<lambda>)/reduce_window_max 1",
            "jit(<lambda>)/Conv_0/conv_general_dilated 1",
            "jit(<lambda>)/Dense_0/dot_general 1",
            "jit(<lambda>)/Dense_0/broadcast_in_dim 1",
            "jit(<lambda>)/Dense_1/dot_general 1",
            "jit(<lambda>)/Dense_1/broadcast_in_dim 1",
        ];
        let module = Module::open(LAYERS).unwrap();
        assert_eq!(names(&module), expected);
        let weights = Weights::of(&module).unwrap();
        assert!(weights.rows().iter().all(|weight| weight.dtype.as_deref() == Some("f32")));
        // The StableHLO module has the same weights under the same names.
        let lifted = crate::convert::portable::deserialize(&module, &Default::default()).unwrap();
        assert_eq!(names(&lifted.into_module().unwrap()), expected);
    }

    #[test]
    fn dimension_numbers_of_older_stablehlo_are_no_weights() {
        let text = "func.func @f(%a: tensor<2x3xf32>) -> tensor<3x2xf32> {
            %0 = \"stablehlo.transpose\"(%a) {permutation = dense<[1, 0]> : tensor<2xi64>}
                : (tensor<2x3xf32>) -> tensor<3x2xf32>
            %1 = arith.constant dense<[5, 6]> : tensor<2xi64>
            \"t.unknown\"() {w = dense<[7, 8]> : tensor<2xi64>} : () -> ()
            return %0 : tensor<3x2xf32>
        }";
        let module = parse(text, &ParseOptions::default()).unwrap();
        assert_eq!(names(&module), ["f/0 1", "f/1 1"]);
    }

    fn shared(other: &str) -> Module {
        let text = format!(
            "%0 = arith.constant dense<[1, 0]> : tensor<2xi64>
             \"stablehlo.transpose\"(%0) {{permutation = {other}}} : (tensor<2xi64>) -> ()"
        );
        parse(text, &ParseOptions::default()).unwrap()
    }

    #[test]
    fn another_constant_leaves_equal_permutations() {
        let module = shared("dense<[1, 0]> : tensor<2xi64>");
        let weights = Weights::of(&module).unwrap();
        let [weight] = weights.rows() else { panic!("{:?}", weights.rows()) };
        assert_eq!((weight.kind, weight.users, weight.is_shared), (WeightKind::Constant, 1, true));
        let mut editor = Editor::new(module.clone()).unwrap();
        let bytes: Vec<u8> = [7_i64, 8].iter().flat_map(|number| number.to_le_bytes()).collect();
        weights.set(&mut editor, weight, bytes.into()).unwrap();
        let mut written = Vec::new();
        editor.write(&mut written, &WriteOptions::default()).unwrap();
        let mut text = Vec::new();
        Module::from_bytes(written).unwrap().print(&mut text, &Default::default()).unwrap();
        let text = String::from_utf8(text).unwrap();
        assert!(text.contains("arith.constant dense<[7, 8]>"), "{text}");
        assert!(text.contains("permutation = dense<[1, 0]>"), "{text}");
    }

    #[test]
    fn the_own_location_of_a_constant_wins_if_it_says_more() {
        let text = "func.func @f() {
            %0 = arith.constant dense<[1, 2]> : tensor<2xi64> loc(\"layer0.bias\")
            %1 = arith.constant dense<[3, 4]> : tensor<2xi64> loc(\"jit(f)\")
            %2 = arith.constant dense<[5, 6]> : tensor<2xi64> loc(\"f.py\":1:1)
            %3 = arith.constant dense<[7, 8]> : tensor<2xi64> loc(\"f.py\":1:1)
            %4 = arith.constant dense<[9, 9]> : tensor<2xi64> loc(\"jit(f)\")
            \"t.use\"(%0, %1, %2) : (tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> () loc(\"jit(f)/Dense_0/dot\")
            \"t.use\"(%1, %3) : (tensor<2xi64>, tensor<2xi64>) -> () loc(\"add\")
            return
        }";
        let module = parse(text, &ParseOptions::default()).unwrap();
        let expected =
            ["layer0.bias 1", "jit(f)/Dense_0/dot 1", "jit(f)/Dense_0/dot.1 1", "f/add 1", "jit(f) 1"];
        assert_eq!(names(&module), expected);
    }
}
