//! Single operations, drawn by their definition: the number of operands, results and regions, their types,
//! and attributes.

use mlirbc::ops::{Multiplicity, OperationDefinition, ValueDefinition};

use crate::draws::Draws;
use crate::inherent;
use crate::shapes;

/// The choices that may be drawn freely for an operation, so that `mlir-opt` still accepts it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Freedom {
    /// Types are equal if the constraints permit it, and optional parts are missing.
    Equal,
    /// Types are independent of each other, and optional parts are missing.
    Types,
    /// Types are independent of each other, and optional parts may be present.
    All,
}

impl Freedom {
    /// All values, the greatest freedom first.
    pub const EACH: [Self; 3] = [Self::All, Self::Types, Self::Equal];

    /// Returns the letter in the catalogue of operations.
    pub fn letter(self) -> char {
        match self {
            Self::Equal => 'e',
            Self::Types => 't',
            Self::All => 'a',
        }
    }

    /// Returns the freedom with this letter.
    pub fn of_letter(letter: &str) -> Option<Self> {
        Self::EACH.into_iter().find(|freedom| letter.chars().eq([freedom.letter()]))
    }
}

/// The content of a region.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RegionShape {
    /// No blocks.
    Empty,
    /// A block that needs no terminator.
    Block,
    /// A block with the terminator that the definition implies.
    Terminated,
}

impl RegionShape {
    /// Returns the letter in the catalogue of operations.
    pub fn letter(self) -> char {
        match self {
            Self::Empty => 'e',
            Self::Block => 'b',
            Self::Terminated => 't',
        }
    }

    /// Returns the shape with this letter.
    pub fn of_letter(letter: char) -> Option<Self> {
        [Self::Empty, Self::Block, Self::Terminated].into_iter().find(|shape| shape.letter() == letter)
    }
}

/// An operation whose types and attributes are texts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Instance {
    /// The types of the operands.
    pub operands: Vec<String>,
    /// The types of the results.
    pub results: Vec<String>,
    /// Names and values, properties included.
    pub attributes: Vec<(String, String)>,
    /// The regions.
    pub regions: Vec<RegionShape>,
}

/// Returns the terminator that a definition implies for its blocks.
pub(crate) fn implied_terminator(definition: &OperationDefinition) -> Option<&str> {
    let implying = definition.traits().iter().find(|row| row.name() == "SingleBlockImplicitTerminator");
    implying.and_then(|implying| implying.arguments().next())
}

/// Draws an operation; `None` if a part of its definition has no known values.
pub fn draw<'t>(
    definition: &OperationDefinition,
    types_of: &dyn Fn(&str) -> &'t [String],
    release: u32,
    freedom: Freedom,
    draws: &mut Draws<'_, '_>,
) -> Option<Instance> {
    let values: Vec<_> = definition.operands().iter().chain(definition.results()).collect();
    let counts = counts(definition, &values, freedom, draws)?;
    let types = Types { definition, values: &values, types_of, freedom }.draw(&counts, draws)?;
    with_types(definition, &counts, types, release, freedom, draws)
}

/// As [`draw`], but without rules that relate types; also returns the number of values of each operand and
/// result.
#[cfg(feature = "probe")]
pub(crate) fn draw_apart<'t>(
    definition: &OperationDefinition,
    types_of: &dyn Fn(&str) -> &'t [String],
    release: u32,
    draws: &mut Draws<'_, '_>,
) -> Option<(Instance, Vec<usize>)> {
    let values: Vec<_> = definition.operands().iter().chain(definition.results()).collect();
    let counts = counts(definition, &values, Freedom::All, draws)?;
    let types = Types { definition, values: &values, types_of, freedom: Freedom::Types };
    let candidate = |place| draws.pick(types.candidates(place)).cloned();
    let unrelated = (0..values.len()).map(candidate).collect::<Option<Vec<_>>>()?;
    let unrelated = unrelated.into_iter().zip(&counts).map(|(text, &count)| vec![text; count]).collect();
    let instance = with_types(definition, &counts, unrelated, release, Freedom::Types, draws)?;
    Some((instance, counts))
}

fn with_types(
    definition: &OperationDefinition,
    counts: &[usize],
    types: Vec<Vec<String>>,
    release: u32,
    freedom: Freedom,
    draws: &mut Draws<'_, '_>,
) -> Option<Instance> {
    let operands = definition.operands().len();
    let mut instance = Instance::default();
    for (place, types) in types.into_iter().enumerate() {
        if place < operands { &mut instance.operands } else { &mut instance.results }.extend(types);
    }
    for attribute in definition.attributes() {
        let is_optional = attribute.is_optional() || attribute.default().is_some();
        if is_optional && (freedom != Freedom::All || draws.one_in(2)) {
            continue;
        }
        match inherent::value(attribute, draws) {
            Some(value) => instance.attributes.push((attribute.name().to_owned(), value)),
            None if is_optional => {}
            None => return None,
        }
    }
    for (name, range) in
        [("AttrSizedOperandSegments", 0..operands), ("AttrSizedResultSegments", operands..counts.len())]
    {
        if definition.has_trait(name) {
            let name = match (name, release) {
                ("AttrSizedOperandSegments", ..=16) => "operand_segment_sizes",
                ("AttrSizedOperandSegments", _) => "operandSegmentSizes",
                (_, ..=16) => "result_segment_sizes",
                _ => "resultSegmentSizes",
            };
            let sizes: Vec<_> = counts.get(range)?.iter().map(usize::to_string).collect();
            instance.attributes.push((name.to_owned(), format!("array<i32: {}>", sizes.join(", "))));
        }
    }
    for region in definition.regions() {
        let count = if region.is_variadic() && freedom == Freedom::All {
            draws.up_to(2)
        } else {
            usize::from(!region.is_variadic())
        };
        for _ in 0..count {
            instance.regions.push(shape_of(definition, region.constraint(), draws));
        }
    }
    Some(instance)
}

fn shape_of(definition: &OperationDefinition, constraint: &str, draws: &mut Draws<'_, '_>) -> RegionShape {
    let may_be_empty = !constraint.contains("with 1 blocks") && !constraint.contains("at least 1");
    if implied_terminator(definition).is_some() {
        RegionShape::Terminated
    } else if definition.has_trait("NoTerminator") {
        if may_be_empty && draws.one_in(4) { RegionShape::Empty } else { RegionShape::Block }
    } else if may_be_empty {
        RegionShape::Empty
    } else {
        RegionShape::Block
    }
}

fn counts(
    definition: &OperationDefinition,
    values: &[&ValueDefinition],
    freedom: Freedom,
    draws: &mut Draws<'_, '_>,
) -> Option<Vec<usize>> {
    let operands = definition.operands().len();
    let mut same = [None; 2];
    let mut counts = Vec::with_capacity(values.len());
    for (place, value) in values.iter().enumerate() {
        let is_result = usize::from(place >= operands);
        let size = match value.multiplicity() {
            Multiplicity::One => {
                counts.push(1);
                continue;
            }
            Multiplicity::Optional if freedom == Freedom::All => draws.up_to(1),
            Multiplicity::Variadic if freedom == Freedom::Equal => draws.up_to(1),
            Multiplicity::Variadic => draws.up_to(3),
            Multiplicity::Optional => 0,
            // The sizes of the groups are in an attribute, which is not drawn.
            _ => return None,
        };
        let name = ["SameVariadicOperandSize", "SameVariadicResultSize"][is_result];
        let size = if definition.has_trait(name) { *same[is_result].get_or_insert(size) } else { size };
        counts.push(size);
    }
    Some(counts)
}

struct Types<'d, 't> {
    definition: &'d OperationDefinition,
    values: &'d [&'d ValueDefinition],
    types_of: &'d dyn Fn(&str) -> &'t [String],
    freedom: Freedom,
}

impl<'t> Types<'_, 't> {
    fn place(&self, name: &str) -> Option<usize> {
        self.values.iter().position(|value| value.name() == name)
    }

    // For each value, the earlier value whose type it must share.
    fn groups(&self) -> Vec<usize> {
        let mut group: Vec<usize> = (0..self.values.len()).collect();
        let mut join = |left: usize, right: usize| {
            let (low, high) = (group[left].min(group[right]), group[left].max(group[right]));
            group.iter_mut().filter(|place| **place == high).for_each(|place| *place = low);
        };
        let operands = self.definition.operands().len();
        for trait_row in self.definition.traits() {
            let names: Vec<_> = trait_row.arguments().filter_map(|name| self.place(name)).collect();
            match trait_row.name() {
                "SameOperandsAndResultType" => (1..self.values.len()).for_each(|place| join(0, place)),
                "SameTypeOperands" => (1..operands).for_each(|place| join(0, place)),
                "AllTypesMatch" => names.windows(2).for_each(|pair| join(pair[0], pair[1])),
                _ => {}
            }
        }
        group
    }

    fn candidates(&self, place: usize) -> &'t [String] {
        let name = self.values[place].constraint().map_or("AnyType", |constraint| constraint.name());
        (self.types_of)(name)
    }

    fn draw(&self, counts: &[usize], draws: &mut Draws<'_, '_>) -> Option<Vec<Vec<String>>> {
        let groups = self.groups();
        let mut drawn: Vec<Option<String>> = vec![None; self.values.len()];
        for place in 0..self.values.len() {
            if let Some(earlier) = drawn[groups[place]].clone() {
                drawn[place] = Some(earlier);
                continue;
            }
            let members: Vec<_> =
                (place..self.values.len()).filter(|&member| groups[member] == groups[place]).collect();
            let mut candidates: Vec<&String> = self.candidates(place).iter().collect();
            for &member in members.iter().skip(1) {
                let allowed = self.candidates(member);
                candidates.retain(|text| allowed.contains(text));
            }
            drawn[place] = Some(self.related_candidate(place, candidates, &drawn, draws)?);
        }
        for trait_row in self.definition.traits().iter().filter(|row| row.name() == "TypesMatchWith") {
            let arguments: Vec<_> = trait_row.arguments().collect();
            let [from, to, transformation] = arguments[..] else { continue };
            let (Some(from), Some(to)) = (self.place(from), self.place(to)) else { continue };
            // These types have elements and sizes, but `transformed` does not know them.
            let is_shaped = |text: &String| text.starts_with("!amx.tile") || text.starts_with("!llvm.vec");
            if transformation == "i1_same_shape" && drawn[from].as_ref().is_some_and(is_shaped) {
                return None;
            }
            if let Some(text) =
                drawn[from].as_deref().and_then(|text| shapes::transformed(text, transformation))
            {
                drawn[to] = Some(text);
            }
        }
        let mut all = Vec::with_capacity(counts.len());
        for (place, &count) in counts.iter().enumerate() {
            let first = drawn[place].clone()?;
            let mut types = vec![first; count];
            let is_single = members_of(&groups, place) == 1;
            if self.freedom != Freedom::Equal && is_single {
                for text in types.iter_mut().skip(1) {
                    *text = draws.pick(self.candidates(place))?.clone();
                }
            }
            all.push(types);
        }
        Some(all)
    }

    // Draws a candidate that fits the earlier types, as traits about shapes and elements require.
    fn related_candidate(
        &self,
        place: usize,
        mut candidates: Vec<&String>,
        drawn: &[Option<String>],
        draws: &mut Draws<'_, '_>,
    ) -> Option<String> {
        let relates = |words: &str| self.definition.traits().iter().any(|row| row.name().contains(words));
        let before: Vec<&String> = drawn.iter().take(place).flatten().collect();
        if self.freedom == Freedom::Equal
            && let Some(same) = before.iter().find(|text| candidates.contains(text))
        {
            return Some((*same).clone());
        }
        if let Some(first) = before.first() {
            let narrow = |candidates: &mut Vec<&String>, keep: &dyn Fn(&str) -> bool| {
                if candidates.iter().any(|text| keep(text)) {
                    candidates.retain(|text| keep(text));
                }
            };
            if relates("Shape") || relates("Rank") || relates("Elementwise") {
                narrow(&mut candidates, &|text| shapes::shape(text) == shapes::shape(first));
            }
            if relates("ElementType") {
                let element = |text: &str| shapes::element(text).unwrap_or(text).to_owned();
                narrow(&mut candidates, &|text| element(text) == element(first));
            }
        }
        draws.pick(&candidates).map(|text| (*text).clone())
    }
}

fn members_of(groups: &[usize], place: usize) -> usize {
    groups.iter().filter(|&&group| group == groups[place]).count()
}
