//! Operations of `vm` with formats that are written by hand
//! (`compiler/src/iree/compiler/Dialect/VM/IR/VMOps.cpp` of the IREE project).

use crate::attr::text::dense::Element;

use super::HandWritten;
use super::directives::{CustomDirective, attr};
use super::draft::{Container, Draft, Drafted, VmReference};
use super::format::Call;
use super::func::name;
use super::plan::RegionStyle;

pub(super) fn find(name: &str) -> Option<HandWritten> {
    Some(match name {
        "call.variadic" => variadic_call,
        "cond_fail" => conditional_failure,
        "export" => export,
        "func" => super::func::function,
        "import" => import,
        "initializer" => initializer,
        "switch.ref" => switch,
        _ => return None,
    })
}

pub(super) fn directive(name: &str) -> Option<CustomDirective> {
    match name {
        "ResultTypeList" => Some(result_types),
        name => super::util::directive(name),
    }
}

/// Results with a name in their C++.
pub(super) const FIXED: &[(&str, &str)] = &[
    ("vm.cmp.eq.i32", "eq"),
    ("vm.cmp.eq.i64", "eq"),
    ("vm.cmp.eq.ref", "req"),
    ("vm.cmp.gt.i32.s", "sgt"),
    ("vm.cmp.gt.i32.u", "ugt"),
    ("vm.cmp.gt.i64.s", "sgt"),
    ("vm.cmp.gt.i64.u", "ugt"),
    ("vm.cmp.gte.i32.s", "sgte"),
    ("vm.cmp.gte.i32.u", "ugte"),
    ("vm.cmp.gte.i64.s", "sgte"),
    ("vm.cmp.gte.i64.u", "ugte"),
    ("vm.cmp.lt.i32.s", "slt"),
    ("vm.cmp.lt.i32.u", "ult"),
    ("vm.cmp.lt.i64.s", "slt"),
    ("vm.cmp.lt.i64.u", "ult"),
    ("vm.cmp.lte.i32.s", "slte"),
    ("vm.cmp.lte.i32.u", "ulte"),
    ("vm.cmp.lte.i64.s", "slte"),
    ("vm.cmp.lte.i64.u", "ulte"),
    ("vm.cmp.ne.i32", "ne"),
    ("vm.cmp.ne.i64", "ne"),
    ("vm.cmp.ne.ref", "rne"),
    ("vm.cmp.nz.i32", "nz"),
    ("vm.cmp.nz.i64", "nz"),
    ("vm.cmp.nz.ref", "rnz"),
    ("vm.const.f32.zero", "zero"),
    ("vm.const.f64.zero", "zero"),
    ("vm.const.i32.zero", "zero"),
    ("vm.const.i64.zero", "zero"),
    ("vm.const.ref.zero", "null"),
];

/// The name of an integer: `zero`, `c5`, or `c` for another attribute.
pub(super) fn integer_name(draft: &Draft<'_, '_, '_>, value: u32, out: &mut Vec<u8>) {
    let start = out.len();
    out.push(b'c');
    if draft.write_digits(value, out) == Some(Element::Signless(1)) {
        out.truncate(start + 1);
    }
    if out.get(start..) == Some(b"c0") {
        out.truncate(start);
        out.extend_from_slice(b"zero");
    }
}

/// The name of a result by its type (`VMOpAsmInterface` in `VMDialect.cpp`); empty for other types.
pub(super) fn reference_name(draft: &mut Draft<'_, '_, '_>, r#type: u32) -> &'static [u8] {
    match draft.vm_reference(r#type) {
        Some(VmReference::Buffer) => b"buffer",
        Some(VmReference::List) => b"list",
        Some(VmReference::Other) => b"ref",
        None if draft.shaped(r#type).is_some_and(|shaped| shaped.container == Container::Vector) => b"v",
        None => b"",
    }
}

fn result_types(draft: &mut Draft<'_, '_, '_>, call: &Call<'_>) -> Drafted {
    let items = draft.items(attr(draft, call, 0)??)?;
    draft.text("(");
    draft.list(items, |draft, item| {
        draft.attribute(item);
        Some(())
    })?;
    draft.text(")");
    Some(())
}

// A text that MLIR prints between quotes without escapes.
fn unescaped(draft: &mut Draft<'_, '_, '_>, text: &[u8]) -> Drafted {
    if text.iter().any(|byte| !(b' '..=b'~').contains(byte) || matches!(byte, b'"' | b'\\')) {
        return None;
    }
    draft.text("\"");
    draft.bytes(text);
    draft.text("\"");
    Some(())
}

fn export(draft: &mut Draft<'_, '_, '_>) -> Drafted {
    let function = draft.attr("function_ref")?;
    let own = draft.string(draft.attr("export_name")?)?;
    draft.text(" ");
    draft.attribute(function);
    if draft.symbol_in(function) != Some(own) {
        draft.text(" as(");
        unescaped(draft, own)?;
        draft.text(")");
    }
    draft.attr_dict_with_keyword(&["function_ref", "export_name"])
}

fn import(draft: &mut Draft<'_, '_, '_>) -> Drafted {
    let r#type = draft.type_in(draft.attr("function_type")?)?;
    let (inputs, outputs) = draft.function_type(r#type)?;
    let attributes = match draft.attr("arg_attrs") {
        Some(index) => draft.items(index)?,
        None => Vec::new(),
    };
    draft.text(" ");
    match draft.attr("sym_visibility").or_else(|| draft.discardable_attr("sym_visibility")) {
        Some(index) => {
            draft.visibility(index)?;
        }
        None => draft.text("public"),
    }
    draft.text(if draft.attr("is_optional").is_some() { " optional " } else { " " });
    name(draft)?;
    draft.text("(");
    draft.list(inputs.iter().enumerate(), |draft, (place, &input)| {
        let (mut own, mut is_variadic) = (None, false);
        for (name, value) in attributes.get(place).map_or(Some(Vec::new()), |&index| draft.pairs(index))? {
            match draft.string(name) {
                Some(b"vm.name") => own = Some(draft.string(value)?),
                Some(b"vm.variadic") => is_variadic = true,
                _ => *draft.lost = Some("attributes of its arguments"),
            }
        }
        if let Some(own) = own {
            draft.text("%");
            draft.bare(own)?;
            draft.text(" : ");
        }
        draft.r#type(input);
        draft.text(if is_variadic { " ..." } else { "" });
        Some(())
    })?;
    draft.text(")");
    match outputs[..] {
        [] => {}
        [only] => {
            draft.text(" -> ");
            draft.r#type(only);
        }
        _ => {
            draft.text(" -> (");
            draft.types(&outputs);
            draft.text(")");
        }
    }
    draft.attr_dict_with_keyword(&[
        "sym_name",
        "function_type",
        "arg_attrs",
        "res_attrs",
        "is_variadic",
        "is_optional",
        "sym_visibility",
    ])
}

fn initializer(draft: &mut Draft<'_, '_, '_>) -> Drafted {
    draft.attr_dict_with_keyword(&["function_type"])?;
    draft.text(" ");
    draft.region(0, RegionStyle::FULL);
    Some(())
}

fn conditional_failure(draft: &mut Draft<'_, '_, '_>) -> Drafted {
    let &[condition, status] = draft.all_operands() else { return None };
    draft.text(" ");
    if condition != status {
        draft.value(condition);
        draft.text(", ");
    }
    draft.value(status);
    if let Some(message) = draft.attr("message") {
        let text = draft.string(message)?;
        draft.text(", ");
        unescaped(draft, text)?;
    }
    draft.attr_dict(&["message"])
}

fn switch(draft: &mut Draft<'_, '_, '_>) -> Drafted {
    let &[index, default, ref values @ ..] = draft.all_operands() else { return None };
    draft.text(" ");
    draft.value(index);
    draft.text("[");
    draft.values(values);
    draft.text("] else ");
    draft.value(default);
    draft.attr_dict(&[])?;
    draft.text(" : ");
    draft.types_of(&[default]);
    Some(())
}

// `@f(%a, [%b, %c], [(%d, %e)]) : (i32, i64 ..., tuple<i32, i32> ...) -> i32`
fn variadic_call(draft: &mut Draft<'_, '_, '_>) -> Drafted {
    let sizes = draft.integers_of("segment_sizes")?;
    let types = draft.items(draft.attr("segment_types")?)?;
    let types = types.into_iter().map(|item| draft.type_in(item)).collect::<Option<Vec<_>>>()?;
    if sizes.len() != types.len() {
        return None;
    }
    let mut rest = draft.all_operands();
    draft.text(" ");
    draft.attribute(draft.attr("callee")?);
    draft.text("(");
    draft.list(sizes.iter().zip(&types), |draft, (&size, &r#type)| {
        let Ok(size) = usize::try_from(size) else {
            let (&value, others) = rest.split_first()?;
            rest = others;
            draft.value(value);
            return (size == -1).then_some(());
        };
        let members = draft.tuple_len(r#type);
        draft.text("[");
        match members {
            // Nothing would say how many there are.
            Some(0) => return None,
            Some(members) => draft.list(0..size.min(rest.len()), |draft, _| {
                let (own, others) = rest.split_at_checked(members)?;
                rest = others;
                draft.text("(");
                draft.values(own);
                draft.text(")");
                Some(())
            })?,
            None => {
                let (own, others) = rest.split_at_checked(size)?;
                rest = others;
                draft.values(own);
            }
        }
        draft.text("]");
        Some(())
    })?;
    if !rest.is_empty() {
        return None;
    }
    draft.text(")");
    draft.attr_dict(&["callee", "segment_sizes", "segment_types"])?;
    draft.text(" : (");
    draft.list(sizes.iter().zip(&types), |draft, (&size, &r#type)| {
        draft.r#type(r#type);
        draft.text(if size == -1 { "" } else { " ..." });
        Some(())
    })?;
    draft.text(")");
    match *draft.all_results() {
        [] => {}
        [only] => {
            draft.text(" -> ");
            draft.r#type(only);
        }
        ref all => {
            draft.text(" -> (");
            draft.types(all);
            draft.text(")");
        }
    }
    Some(())
}
