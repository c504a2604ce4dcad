//! Clauses of `acc` (`mlir/lib/Dialect/OpenACC/IR/OpenACC.cpp`).

use crate::assembly::syntax_steps::SyntaxSteps;
use crate::assembly::{Bracket, DirectiveSyntax, Flow, RegionStyle, Written};
use crate::attr::text::lexer::TokenKind;

use super::steps::DirectiveSteps;

directives! {
    BindNames: "BindName" => bind_names,
    Combined: "CombinedConstructsLoop" => combined,
    DeviceTypes: "DeviceTypeArrayAttr" => device_types,
    Gang: "GangClause" => gang,
    GroupsDeviceOperands: "DeviceTypeOperandsWithSegment" | "NumGangs" => groups_of_devices,
    MappedVariable: "AccVar" => mapped_variable,
    RoutineGang: "RoutineGangClause" => routine_gang,
    ValuesDeviceOperands: "DeviceTypeOperands" => values_of_devices,
    ValuesOrKeywordDeviceOperands: "DeviceTypeOperandsWithKeywordOnly" => values_or_keyword_of_devices,
    Variable: "Var" => variable,
    VariableType: "VarPtrType" => variable_type,
    Wait: "WaitClause" => wait;
    LoopControl: "LoopControl" => loop_control,
}

const NO_DEVICE: &str = "#acc.device_type<none>";

// ---- variables ----

/// Types with the interface of pointers that are known to the dialect.
fn is_pointer<S: DirectiveSyntax>(s: &mut S, r#type: S::Type) -> Result<bool, S::Error> {
    Ok(s.is_memref(r#type) || s.is_dialect_type(r#type, "llvm.ptr") || s.is_declared_pointer(r#type)?)
}

/// `pointer(%a` or `other(%a`; texts have the parenthesis.
fn value_after<S: DirectiveSyntax>(
    s: &mut S,
    call: S::Call<'_>,
    [pointer, other]: [&str; 2],
) -> Result<Option<S::Type>, S::Error> {
    let known_value = s.value_at(call, 0)?;
    let known_type = s.type_of(known_value);
    if !s.optional_text(pointer, |s| known_type.map_or(Ok(false), |known_type| is_pointer(s, known_type)))? {
        s.text(other)?;
    }
    let value = s.value(known_value)?;
    s.add_values_at(call, 0, vec![value]);
    Ok(known_type)
}

/// `varPtr(%a` or `var(%a`; the parenthesis is closed after the type.
fn variable<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    value_after(s, call, ["varPtr(", "var("]).map(drop)
}

/// `accPtr(%a : type)` or `accVar(%a : type)`
fn mapped_variable<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let known_type = value_after(s, call, ["accPtr(", "accVar("])?;
    let r#type = s.type_after(" : ", known_type)?;
    s.set_types_at(call, 1, vec![r#type]);
    s.text(")")
}

/// `type)`, and ` varType(type)` if that is not what the type points to
fn variable_type<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let (known_type, known_pointee) = (s.type_at(call, 0)?, s.needed_at(call, 1)?);
    let known_pointee = known_pointee.and_then(|known_pointee| s.type_in(known_pointee));
    s.require(!S::PRINTS || known_pointee.is_some())?;
    let r#type = s.r#type(known_type)?;
    s.text(")")?;
    let pointee = match (s.is_declared_pointer(r#type)?, is_pointer(s, r#type)?) {
        (true, _) => s.declared_pointee(r#type)?,
        (false, true) => s.element_type(r#type)?,
        (false, false) => Some(r#type),
    };
    let is_pointee = known_pointee.is_some_and(|known_pointee| {
        pointee.is_some_and(|pointee| s.is_same_type(pointee, known_pointee))
            || s.is_declared_pointee(r#type, known_pointee)
    });
    let mut variable_type = pointee.unwrap_or(r#type);
    if s.optional_text(" varType(", |_| Ok(!is_pointee))? {
        variable_type = s.r#type(known_pointee)?;
        s.text(")")?;
    }
    s.set_types_at(call, 0, vec![r#type]);
    s.set_type_at(call, 1, variable_type)
}

// ---- device types ----

/// ` [#acc.device_type<x>]`, or nothing for none (`printSingleDeviceType`).
fn device<S: DirectiveSyntax>(
    s: &mut S,
    known: Option<S::Attribute>,
) -> Result<Option<S::Attribute>, S::Error> {
    s.require(known.is_some() || !S::PRINTS)?;
    if !s.optional_text(" [", |s| Ok(known.is_some_and(|known| !s.is_written(known, NO_DEVICE))))? {
        return s.attribute_of_text(NO_DEVICE);
    }
    let device = s.attribute(known)?;
    s.text("]")?;
    Ok(Some(device))
}

fn set_no_device<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>, place: usize) -> Written<S> {
    let none = s.attribute_of_text(NO_DEVICE)?;
    s.set_array_at(call, place, none.as_slice())
}

fn has_only_no_device<S: DirectiveSyntax>(s: &mut S, items: &[S::Attribute]) -> bool {
    matches!(*items, [only] if s.is_written(only, NO_DEVICE))
}

/// `([a, b])`, or nothing.
fn device_types<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let known_items = s.items_at(call, 0)?;
    let says_all = known_items.is_empty() || has_only_no_device(s, &known_items);
    if !s.optional_text("(", |_| Ok(!says_all))? {
        return set_no_device(s, call, 0);
    }
    let mut devices = Vec::new();
    if s.at(TokenKind::LeftSquare, |_| Ok(true))? {
        devices = s.each(Bracket::Square, &known_items, S::attribute)?;
    }
    s.text(")")?;
    s.set_array_at(call, 0, &devices)
}

/// Values with their types, and the device types that they are for.
struct DeviceOperands<S: DirectiveSyntax> {
    values: Vec<S::Value>,
    types: Vec<S::Type>,
    devices: Vec<S::Attribute>,
    /// The number of values of each device type, where they are in groups.
    sizes: Vec<i64>,
}

impl<S: DirectiveSyntax> DeviceOperands<S> {
    fn empty() -> Self {
        Self { values: Vec::new(), types: Vec::new(), devices: Vec::new(), sizes: Vec::new() }
    }

    /// The values of the first argument that are known, and the device types of the one at `devices`.
    fn to_print(s: &mut S, call: S::Call<'_>, devices: usize) -> Result<Self, S::Error> {
        let values = s.values_at(call, 0)?.to_vec();
        let (types, devices) = (s.types_of(&values), s.items_at(call, devices)?);
        Ok(Self { values, types, devices, sizes: Vec::new() })
    }

    /// Returns the operands that the printer knows, in groups; the next argument has their sizes.
    fn groups_to_print(s: &mut S, call: S::Call<'_>, devices: usize) -> Result<Self, S::Error> {
        let sizes = s.integers_at(call, devices + 1)?;
        Ok(Self { sizes, ..Self::to_print(s, call, devices)? })
    }

    /// `%a : type`
    fn value(&mut self, s: &mut S, known_groups: &Self, place: usize) -> Written<S> {
        self.values.push(s.value(known_groups.values.get(place).copied())?);
        self.types.push(s.type_after(" : ", known_groups.types.get(place).copied())?);
        Ok(())
    }

    /// `%a : i32 [#acc.device_type<x>], …`; the parser reads at least one.
    fn list(&mut self, s: &mut S, known_groups: &Self) -> Written<S> {
        let count = known_groups.values.len();
        s.require(count == 0 || count == known_groups.devices.len())?;
        s.separated(count, |s, place| {
            self.value(s, known_groups, place)?;
            self.devices.extend(device(s, known_groups.devices.get(place).copied())?);
            Ok(())
        })
    }

    /// `{%a : i32, %b : i32} [#acc.device_type<x>], …`; `start` is what a group begins with, and `before` comes before each
    /// value.
    fn groups(
        &mut self,
        s: &mut S,
        known_groups: &Self,
        mut start: impl FnMut(&mut S, usize) -> Written<S>,
        mut before: impl FnMut(&mut S, usize) -> Written<S>,
    ) -> Written<S> {
        s.require(known_groups.devices.len() <= known_groups.sizes.len())?;
        let mut first = 0_usize;
        s.separated(known_groups.devices.len(), |s, group| {
            s.text("{")?;
            start(s, group)?;
            let size = known_groups.sizes.get(group).map_or(Ok(0), |&size| usize::try_from(size));
            let end = size.ok().and_then(|size| first.checked_add(size));
            let end = s.some(end.filter(|&end| end <= known_groups.values.len()))?;
            let before_group = self.values.len();
            s.separated(end - first, |s, place| {
                before(s, first + place)?;
                self.value(s, known_groups, first + place)
            })?;
            first = end;
            s.text("}")?;
            self.sizes.push((self.values.len() - before_group) as i64);
            self.devices.extend(device(s, known_groups.devices.get(group).copied())?);
            Ok(())
        })
    }

    /// Gives the values and types, and the device types as the argument at `devices`.
    fn give(self, s: &mut S, call: S::Call<'_>, devices: usize) -> Written<S> {
        s.give_at(call, 0, self.values, self.types);
        s.set_array_at(call, devices, &self.devices)
    }

    /// Gives the operands to the operation, with the sizes of their groups as the next argument.
    fn give_groups(mut self, s: &mut S, call: S::Call<'_>, devices: usize) -> Written<S> {
        let sizes = std::mem::take(&mut self.sizes);
        self.give(s, call, devices)?;
        s.set_integers_at(call, devices + 1, "i32", &sizes)
    }
}

/// `%a : i32 [#acc.device_type<x>], …`
fn values_of_devices<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let (known_operands, mut operands) = (DeviceOperands::to_print(s, call, 2)?, DeviceOperands::empty());
    operands.list(s, &known_operands)?;
    operands.give(s, call, 2)
}

/// `{%a : i32, %b : i32} [#acc.device_type<x>], …`
fn groups_of_devices<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let (known_operands, mut operands) =
        (DeviceOperands::groups_to_print(s, call, 2)?, DeviceOperands::empty());
    operands.groups(s, &known_operands, |_, _| Ok(()), |_, _| Ok(()))?;
    operands.give_groups(s, call, 2)
}

/// `([a, b]` with the device types that have no values, or `(`, or nothing if the keyword says it all.
struct Opened<S: DirectiveSyntax> {
    only: Option<Vec<S::Attribute>>,
}

impl<S: DirectiveSyntax> Opened<S> {
    fn of(s: &mut S, only: &[S::Attribute], known: &DeviceOperands<S>) -> Result<Option<Self>, S::Error> {
        let says_all = known.values.is_empty() && has_only_no_device(s, only);
        if !s.optional_text("(", |_| Ok(!says_all))? {
            return Ok(None);
        }
        if only.is_empty() && known.devices.is_empty() {
            // MLIR does not parse empty parentheses.
            s.lose("that a list of values is empty");
        }
        let has_list = s.at(TokenKind::LeftSquare, |_| Ok(!only.is_empty()))?;
        let only = if has_list { Some(s.each(Bracket::Square, only, S::attribute)?) } else { None };
        Ok(Some(Self { only }))
    }

    /// The comma after the list, if there is one.
    fn comma(&self, s: &mut S, known: &DeviceOperands<S>) -> Written<S> {
        match self.only.is_some() && (!known.devices.is_empty() || !S::PRINTS) {
            true => s.text(", "),
            false => Ok(()),
        }
    }

    fn give(self, s: &mut S, call: S::Call<'_>, place: usize) -> Written<S> {
        s.set_array_at(call, place, &self.only.unwrap_or_default())
    }
}

/// `([#acc.device_type<x>], %a : i32 [#acc.device_type<y>])`, or nothing.
fn values_or_keyword_of_devices<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let (known_operands, only) = (DeviceOperands::to_print(s, call, 2)?, s.items_at(call, 3)?);
    let Some(opened) = Opened::of(s, &only, &known_operands)? else { return set_no_device(s, call, 3) };
    // MLIR does not keep the device types without a value.
    opened.comma(s, &known_operands)?;
    let mut operands = DeviceOperands::empty();
    operands.list(s, &known_operands)?;
    s.text(")")?;
    operands.give(s, call, 2)
}

/// `([#acc.device_type<x>], {devnum: %a : i32, %b : i32} [#acc.device_type<y>])`, or nothing.
fn wait<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let known_operands = DeviceOperands::groups_to_print(s, call, 2)?;
    let (numbers, only) = (s.integers_at(call, 4)?, s.items_at(call, 5)?);
    let Some(opened) = Opened::of(s, &only, &known_operands)? else { return set_no_device(s, call, 5) };
    opened.comma(s, &known_operands)?;
    let (mut operands, mut flags) = (DeviceOperands::empty(), Vec::new());
    let start = |s: &mut S, group: usize| {
        let is_known = numbers.get(group).is_some_and(|&flag| flag != 0);
        flags.push(s.optional_text("devnum: ", |_| Ok(is_known))?.into());
        Ok(())
    };
    operands.groups(s, &known_operands, start, |_, _| Ok(()))?;
    s.text(")")?;
    operands.give_groups(s, call, 2)?;
    opened.give(s, call, 5)?;
    s.set_integer_items_at(call, 4, "i1", &flags)
}

/// The kinds of arguments of a gang, and their words.
const GANGS: &[(&str, &str)] = &[("Num", "num"), ("Dim", "dim"), ("Static", "static")];

/// `num=` for the kind of an argument of a gang.
fn gang_kind<S: DirectiveSyntax>(
    s: &mut S,
    kind: Option<S::Attribute>,
) -> Result<Option<S::Attribute>, S::Error> {
    let case = kind.and_then(|kind| s.case_of(kind));
    let shown = GANGS.iter().find(|(name, _)| Some(*name) == case.as_deref());
    let kind_of_word = |word: &str| GANGS.iter().find(|(_, kind)| *kind == word);
    let (name, _) = s.word_as(shown.map(|(_, word)| *word), "`num`, `dim` or `static`", kind_of_word)?;
    s.text("=")?;
    match S::PRINTS {
        true => Ok(None),
        false => s.attribute_of_text(&format!("#acc.gang_arg_type<{name}>")),
    }
}

/// `([#acc.device_type<x>], {num=%a : i32, dim=%b : i32} [#acc.device_type<y>])`, or nothing.
fn gang<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let known_operands = DeviceOperands::groups_to_print(s, call, 3)?;
    let (kinds, only) = (s.items_at(call, 2)?, s.items_at(call, 5)?);
    let Some(opened) = Opened::of(s, &only, &known_operands)? else { return set_no_device(s, call, 5) };
    let (mut operands, mut read_kinds) = (DeviceOperands::empty(), Vec::new());
    if opened.only.is_none() || s.optional_text(", ", |_| Ok(!known_operands.devices.is_empty()))? {
        let before = |s: &mut S, place: usize| {
            read_kinds.extend(gang_kind(s, kinds.get(place).copied())?);
            Ok(())
        };
        operands.groups(s, &known_operands, |_, _| Ok(()), before)?;
    }
    s.text(")")?;
    operands.give_groups(s, call, 3)?;
    s.set_array_at(call, 2, &read_kinds)?;
    opened.give(s, call, 5)
}

/// `@name [#acc.device_type<x>], "name"`: symbols and strings are separate lists since release 20.
fn bind_names<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let kinds = S::argument_count(call) / 2;
    let mut known_pairs = Vec::new();
    for kind in 0..kinds {
        let (names, devices) = (s.items_at(call, kind)?, s.items_at(call, kinds + kind)?);
        s.require(names.len() == devices.len())?;
        known_pairs.extend(names.into_iter().zip(devices));
    }
    let mut lists = vec![Vec::new(); 2 * kinds];
    s.each_separated(&known_pairs, |s, known_pair| {
        let is_string = s.at(TokenKind::String, |_| Ok(false))?;
        let kind = if is_string { kinds.saturating_sub(1) } else { 0 };
        let (name, device_type) = known_pair.unzip();
        let (name, device_type) = (s.attribute(name)?, device(s, device_type)?);
        for (list, item) in [(kind, Some(name)), (kinds + kind, device_type)] {
            lists.get_mut(list).into_iter().for_each(|list| list.extend(item));
        }
        Ok(())
    })?;
    lists.iter().enumerate().try_for_each(|(place, items)| s.set_array_at(call, place, items))
}

/// `([#acc.device_type<x>], dim: 1 : i64 [#acc.device_type<y>])`, or nothing.
fn routine_gang<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let only = s.items_at(call, 0)?;
    let known_items = [s.items_at(call, 1)?, s.items_at(call, 2)?];
    let says_all = known_items[1].is_empty() && has_only_no_device(s, &only);
    if !s.optional_text("(", |_| Ok(!says_all))? {
        return set_no_device(s, call, 0);
    }
    s.require(known_items[0].len() == known_items[1].len())?;
    let (mut found, mut dimensions, mut devices) = (Vec::new(), Vec::new(), Vec::new());
    if s.at(TokenKind::LeftSquare, |_| Ok(!only.is_empty()))? {
        found = s.each(Bracket::Square, &only, S::attribute)?;
        if !S::PRINTS || !known_items[1].is_empty() {
            s.text(", ")?;
        }
    }
    s.separated(known_items[1].len(), |s, place| {
        s.text("dim: ")?;
        dimensions.push(s.attribute(known_items[0].get(place).copied())?);
        devices.extend(device(s, known_items[1].get(place).copied())?);
        Ok(())
    })?;
    s.text(")")?;
    let lists = [found, dimensions, devices];
    lists.iter().enumerate().try_for_each(|(place, items)| s.set_array_at(call, place, items))
}

/// `kernels` or `combined(kernels)`, by release.
fn combined<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let known_attribute = s.attribute_at(call, 0)?;
    let is_bare = s.release().has_bare_combined_loops();
    if is_bare && S::PRINTS && known_attribute.is_none()
        || !is_bare && !s.optional_text("combined(", |_| Ok(known_attribute.is_some()))?
    {
        return Ok(());
    }
    let case = known_attribute.and_then(|known_attribute| s.case_of(known_attribute));
    let word = case.as_deref().and_then(|case| case.strip_suffix("_loop"));
    let construct_of = |word: &str| ["kernels", "parallel", "serial"].into_iter().find(|own| *own == word);
    let word = s.word_as(word, "`kernels`, `parallel` or `serial`", construct_of)?;
    s.text(if is_bare { "" } else { ")" })?;
    s.set_text_at(call, 0, || format!("#acc.combined_constructs<{word}_loop>"))
}

/// `control(%i : index) = (%a : index) to (%b : index)  step (%s : index) {…}`, or the region alone.
fn loop_control<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Flow<S> {
    let number = s.only_region(call)?;
    let (known_arguments, mut arguments) = (s.arguments(number)?, Vec::new());
    if s.optional_text("control(", |_| Ok(!known_arguments.is_empty()))? {
        arguments = s.each_separated(&known_arguments, |s, known| s.declared_argument(known, " : "))?;
        for (text, place) in [(") = (", 1), (") to (", 3), (")  step (", 5)] {
            s.text(text)?;
            let known_values = s.values_at(call, place)?;
            let values = s.values(&known_values)?;
            s.text(" : ")?;
            let known_types = s.types_of(&known_values);
            let types = s.types(&known_types)?;
            s.give_at(call, place, values, types);
        }
        s.text(") ")?;
    }
    s.region(number, RegionStyle::BODY, arguments)
}
