//! Clauses of `omp` that bind arguments of the region (`mlir/lib/Dialect/OpenMP/IR/OpenMPDialect.cpp`).

use crate::assembly::syntax_steps::SyntaxSteps;
use crate::assembly::{ArgumentKind, Bracket, DirectiveSyntax, Flow, Progress, RegionStyle, Written};

use super::steps::DirectiveSteps;

/// `atomic {…}`, or nothing.
pub(super) fn atomic_region<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Flow<S> {
    region_after(s, call, "atomic ")
}

/// `cleanup {…}`, or nothing.
pub(super) fn cleanup_region<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Flow<S> {
    region_after(s, call, "cleanup ")
}

fn region_after<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>, keyword: &str) -> Flow<S> {
    let number = s.only_region(call)?;
    match s.optional_text(keyword, |s| s.has_blocks(number))? {
        true => s.region(number, RegionStyle::FULL, Vec::new()),
        false => Ok(Progress::Done),
    }
}

/// ` (%i) : i32 = (%a) to (%b) inclusive step (%s) {…}`
pub(super) fn loop_control<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Flow<S> {
    let is_inclusive = s.attribute_at(call, 5)?.is_some();
    let known_arguments = s.arguments(0)?;
    let known_type = s.type_of_argument(known_arguments.first().copied())?;
    s.text(" ")?;
    let arguments = s.arguments_in_parentheses(&known_arguments)?;
    let r#type = s.type_after(" : ", known_type)?;
    for (place, text) in [(1, " = "), (2, " to "), (3, " step ")] {
        if place == 3 && s.optional_text(" inclusive", |_| Ok(is_inclusive))? {
            s.set_unit_at(call, 5)?;
        }
        s.text(text)?;
        let known_values = s.values_at(call, place)?;
        let values = s.values_in(Bracket::Round, &known_values)?;
        if !S::PRINTS && values.len() != arguments.len() {
            return Err(s.refuse("the numbers of bounds, steps and induction variables differ"));
        }
        s.set_types_at(call, place, values.iter().map(|_| r#type).collect());
        s.add_values_at(call, place, values);
    }
    s.text(" ")?;
    let arguments = arguments.into_iter().map(|argument| s.with_type(argument, r#type)).collect();
    s.region(0, RegionStyle::BODY, arguments)
}

// ---- clauses whose values are arguments of the region ----

/// The clauses in the order of their arguments, and how the names of their operands and attributes begin.
const CLAUSES: &[(&str, &str)] = &[
    ("has_device_addr", "has_device_addr"),
    ("host_eval", "host_eval"),
    ("in_reduction", "in_reduction"),
    ("map_entries", "map"),
    ("private", "private"),
    ("reduction", "reduction"),
    ("task_reduction", "task_reduction"),
    ("use_device_addr", "use_device_addr"),
    ("use_device_ptr", "use_device_ptr"),
];

/// The place of the operands of a name among the arguments of a directive.
fn place_of<S: DirectiveSyntax>(s: &S, call: S::Call<'_>, name: &str) -> Option<usize> {
    let operands = s.definition().operands();
    (0..S::argument_count(call)).find(|&place| {
        let number =
            S::number_at(call, place).filter(|_| S::kind_at(call, place) == Some(ArgumentKind::Operand));
        number.and_then(|number| operands.get(number)).is_some_and(|one| one.name() == name)
    })
}

/// The region with its clauses (`printBlockArgRegion`).
pub(super) fn region_with_clauses<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Flow<S> {
    let (known_arguments, mut arguments) = (s.arguments(0)?, Vec::new());
    let mut remaining = &known_arguments[..];
    for (keyword, name) in CLAUSES {
        let Some(place) = place_of(s, call, &format!("{name}_vars")) else { continue };
        let count = s.values_at(call, place)?.len();
        let (clause_arguments, later_arguments) = s.some(remaining.split_at_checked(count))?;
        remaining = later_arguments;
        if s.optional_text(keyword, |_| Ok(count > 0))? {
            arguments.extend(clause(s, call, place, name, clause_arguments)?);
        }
    }
    // MLIR does not print arguments without a clause, and cannot read the text if they are used.
    s.require(remaining.is_empty())?;
    s.region(0, RegionStyle::BODY, arguments)
}

/// `(mod: inscan, byref @s %a -> %x, %b -> %y [map_idx=1] : type, type) private_barrier `
fn clause<S: DirectiveSyntax>(
    s: &mut S,
    call: S::Call<'_>,
    place: usize,
    name: &str,
    arguments: &[S::Argument],
) -> Result<Vec<S::Argument>, S::Error> {
    let known_values = s.values_at(call, place)?;
    let mut clause = ClauseAttributes::of(s, name, known_values.len())?;
    let (mut values, mut read_arguments) = (Vec::new(), Vec::new());
    s.text("(")?;
    modifier(s, &format!("{name}_mod"))?;
    s.separated(known_values.len(), |s, place| {
        clause.before(s, place)?;
        values.push(s.value(known_values.get(place).copied())?);
        s.text(" -> ")?;
        read_arguments.push(s.argument(arguments.get(place).copied())?);
        clause.after(s, place)
    })?;
    s.text(" : ")?;
    let known_types = s.types_of(&known_values);
    let types = s.types(&known_types)?;
    s.text(") ")?;
    s.same_count(values.len(), types.len())?;
    let barrier = format!("{name}_needs_barrier");
    if s.declares(&barrier) {
        s.unit_keyword("private_barrier ", &barrier)?;
    }
    clause.give(s)?;
    let read_arguments = s.with_types(read_arguments, &types);
    s.give_at(call, place, values, types);
    Ok(read_arguments)
}

/// `mod: inscan, `, or nothing.
fn modifier<S: DirectiveSyntax>(s: &mut S, name: &str) -> Written<S> {
    if !s.declares(name) || !s.optional_text("mod: ", |s| Ok(s.attr(name).is_some()))? {
        return Ok(());
    }
    let known_attribute = s.attr(name);
    let word = s.case_word(known_attribute, "the modifier")?;
    if !S::PRINTS {
        s.set_text(name, &format!("#omp<reduction_modifier ({word})>"))?;
    }
    s.text(", ")
}

/// The attributes that describe each value of a clause.
struct ClauseAttributes<S: DirectiveSyntax> {
    symbols: ItemsOf<S::Attribute>,
    by_reference: ItemsOf<i64>,
    maps: ItemsOf<i64>,
}

/// Items of an attribute that the definition has.
struct ItemsOf<T> {
    name: Option<String>,
    known: Vec<T>,
    read: Vec<T>,
}

impl<T: Copy> ItemsOf<T> {
    fn of<S: DirectiveSyntax>(
        s: &mut S,
        name: String,
        count: usize,
        items: impl FnOnce(&mut S, S::Attribute) -> Option<Vec<T>>,
    ) -> Result<Self, S::Error> {
        let (is_declared, known_attribute) = (s.declares(&name), s.attr(&name).filter(|_| S::PRINTS));
        let known = match known_attribute.filter(|_| is_declared).map(|known| items(s, known)) {
            Some(known) => s.some(known)?,
            None => Vec::new(),
        };
        s.require(known.is_empty() || known.len() == count)?;
        // An attribute that an operation lacks is not shown.
        let is_shown = is_declared && (!S::PRINTS || !known.is_empty());
        Ok(Self { name: Some(name).filter(|_| is_shown), known, read: Vec::new() })
    }

    fn at(&self, place: usize) -> Option<T> {
        self.known.get(place).copied()
    }
}

impl<S: DirectiveSyntax> ClauseAttributes<S> {
    fn of(s: &mut S, name: &str, count: usize) -> Result<Self, S::Error> {
        Ok(Self {
            symbols: ItemsOf::of(s, format!("{name}_syms"), count, |s, index| s.items(index))?,
            by_reference: ItemsOf::of(s, format!("{name}_byref"), count, |s, index| s.integers_in(index))?,
            maps: ItemsOf::of(s, format!("{name}_maps"), count, |s, index| s.integers_in(index))?,
        })
    }

    /// `byref @s `
    fn before(&mut self, s: &mut S, place: usize) -> Written<S> {
        if self.by_reference.name.is_some() {
            let is_set = self.by_reference.at(place).is_some_and(|flag| flag != 0);
            self.by_reference.read.push(s.optional_text("byref ", |_| Ok(is_set))?.into());
        }
        if self.symbols.name.is_some() {
            self.symbols.read.push(s.attribute(self.symbols.at(place))?);
            s.text(" ")?;
        }
        Ok(())
    }

    /// ` [map_idx=1]`
    fn after(&mut self, s: &mut S, place: usize) -> Written<S> {
        if self.maps.name.is_none() {
            return Ok(());
        }
        let known_index = self.maps.at(place);
        let mut index = -1;
        if s.optional_text(" [map_idx=", |_| Ok(known_index.is_some_and(|known_index| known_index != -1)))? {
            index = s.integer(known_index)?;
            s.text("]")?;
        }
        self.maps.read.push(index);
        Ok(())
    }

    fn give(self, s: &mut S) -> Written<S> {
        if let Some(name) = &self.symbols.name {
            s.set_array(name, &self.symbols.read)?;
        }
        if let Some(name) = &self.maps.name {
            s.set_integers(name, "i64", &self.maps.read)?;
        }
        if let Some(name) = &self.by_reference.name {
            let flags: Vec<bool> = self.by_reference.read.iter().map(|flag| *flag != 0).collect();
            s.set_booleans(name, &flags)?;
        }
        Ok(())
    }
}

// ---- clauses of release 19 ----

/// The region with `reduction(…)` and `private(…)` (`printParallelRegion` and `printWsloop`).
pub(super) fn region_with_symbols<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Flow<S> {
    let known_arguments = s.arguments(0)?;
    let reductions = s.values_at(call, 1)?.len();
    let mut arguments = Vec::new();
    let symbols = s.attribute_at(call, 4)?;
    if s.optional_text("reduction(", |_| Ok(symbols.is_some()))? {
        arguments.extend(symbols_and_arguments(s, call, [1, 4], Some(3), &known_arguments)?);
    }
    if S::argument_count(call) > 5 {
        let symbols = s.attribute_at(call, 7)?;
        if s.optional_text("private(", |_| Ok(symbols.is_some()))? {
            let private_arguments = known_arguments.get(reductions..).unwrap_or_default();
            arguments.extend(symbols_and_arguments(s, call, [5, 7], None, private_arguments)?);
        }
    }
    s.region(0, RegionStyle::BODY, arguments)
}

/// `byref @s %a -> %x : type, …) `, with the values and the symbols at two places.
fn symbols_and_arguments<S: DirectiveSyntax>(
    s: &mut S,
    call: S::Call<'_>,
    [values_at, symbols_at]: [usize; 2],
    flags_at: Option<usize>,
    arguments: &[S::Argument],
) -> Result<Vec<S::Argument>, S::Error> {
    let (known_values, symbols) = (s.values_at(call, values_at)?, s.items_at(call, symbols_at)?);
    let by_reference = flags_at.map_or(Ok(Vec::new()), |place| s.integers_at(call, place))?;
    s.require(symbols.len() == known_values.len() && (arguments.len() >= known_values.len()))?;
    let known_types = s.types_of(&known_values);
    let (mut values, mut types, mut read_arguments) = (Vec::new(), Vec::new(), Vec::new());
    let (mut flags, mut read_symbols) = (Vec::new(), Vec::new());
    s.separated(known_values.len(), |s, place| {
        let is_set = by_reference.get(place).is_some_and(|&flag| flag != 0);
        flags.push(s.optional_text("byref ", |_| Ok(is_set))?);
        read_symbols.push(s.attribute(symbols.get(place).copied())?);
        s.text(" ")?;
        values.push(s.value(known_values.get(place).copied())?);
        s.text(" -> ")?;
        let argument = s.argument(arguments.get(place).copied())?;
        let r#type = s.type_after(" : ", known_types.get(place).copied())?;
        read_arguments.push(s.with_type(argument, r#type));
        types.push(r#type);
        Ok(())
    })?;
    s.text(") ")?;
    s.set_array_at(call, symbols_at, &read_symbols)?;
    if let Some(place) = flags_at {
        s.set_booleans_at(call, place, &flags)?;
    }
    s.give_at(call, values_at, values, types);
    Ok(read_arguments)
}
