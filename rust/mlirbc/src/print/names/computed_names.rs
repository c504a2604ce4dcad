//! Names of results that depend on attributes and types.

use crate::assembly;
use crate::attr::EntryValues;
use crate::attr::text::dense;
use crate::attr::text::dense::Element;
use crate::attr::text::entry::string_of;
use crate::dialect::view::IntegerAttr;
use crate::format::id::{AttrId, TypeId};

use super::suggested_names::Computed;
use crate::print::dialects::vm;
use crate::print::draft::{Container, OperationDraft};

/// The name of the only result of an operation.
pub(in crate::print) fn computed(
    draft: &mut OperationDraft<'_, '_, '_>,
    rule: Computed,
    out: &mut Vec<u8>,
) -> Option<()> {
    match rule {
        Computed::Constant => {
            let value = draft.attr("value")?;
            number_name(draft, AttrId::new(value), out);
        }
        Computed::Prefixed(prefix, attribute) => {
            let value = draft.attr(attribute)?;
            out.extend_from_slice(prefix.as_bytes());
            if draft.file.write_digits(AttrId::new(value), out).is_none() {
                let text = draft.word(AttrId::new(value))?;
                out.extend_from_slice(text.split(|byte| *byte == b' ').next()?);
            }
        }
        Computed::Device => {
            let &[index] = draft.all_operands() else { return None };
            match draft.constant(index) {
                Some(number) => out.extend_from_slice(format!("device_{number}").as_bytes()),
                None => out.extend_from_slice(b"device_n"),
            }
        }
        Computed::Unless(attribute, name) => {
            if draft.attr(attribute).is_none() {
                out.extend_from_slice(name.as_bytes());
            }
        }
        Computed::VmReference => {
            out.extend_from_slice(vm::reference_name(draft, *draft.all_results().first()?));
        }
        Computed::Symbol => {
            let value = draft.attr("value")?;
            if let Some(value) = draft.file.integer(AttrId::new(value)).and_then(IntegerAttr::as_bool) {
                out.extend_from_slice(if value { b"true" } else { b"false" });
            }
        }
        Computed::SpirvConstant => {
            let value = draft.attr("value")?;
            spirv_name(draft, AttrId::new(value), *draft.all_results().first()?, out);
        }
        Computed::SpirvAddress => {
            let variable = draft.attr("variable")?;
            out.extend_from_slice(draft.file.symbol(AttrId::new(variable))?);
            out.extend_from_slice(b"_addr");
        }
        // `#smt.bv<5> : !smt.bv<8>`
        Computed::SignedNumber => {
            let value = draft.attr("value")?;
            let number = assembly::signed_digits(draft, AttrId::new(value))?;
            out.push(b'c');
            out.extend_from_slice(number.as_bytes());
        }
        Computed::BitVector => {
            let value = draft.attr("value")?;
            let text = String::from_utf8(draft.word(AttrId::new(value))?).ok()?;
            let (value, r#type) = text.strip_prefix("#smt.bv<")?.split_once('>')?;
            let width = r#type.strip_suffix('>')?.rsplit('<').next()?;
            out.extend_from_slice(format!("c{value}_bv{width}").as_bytes());
        }
        Computed::Scaled => {
            let &[left, right] = draft.all_operands() else { return None };
            let is_index = draft.file.number_type(draft.body.type_of(left)) == Some(Element::Index);
            for (base, scale) in [(left, right), (right, left)] {
                let op = draft.defining_op(scale);
                let is_scale = op.is_some_and(|op| draft.name_of(draft.body, op) == "vector.vscale");
                if is_index
                    && is_scale
                    && let Some(number) = draft.constant(base)
                {
                    out.extend_from_slice(format!("c{number}_vscale").as_bytes());
                    break;
                }
            }
        }
        Computed::TensorConstant => {
            let element = draft.element_type(*draft.all_results().first()?)?;
            let is_integer = draft.file.number_type(TypeId::new(element)).is_some_and(Element::is_integer);
            out.extend_from_slice(if is_integer { b"c" } else { b"cst" });
        }
        Computed::Workgroup => {
            let number = *draft.file.integers(AttrId::new(draft.attr("dimension")?))?.first()?;
            let (name, kind) = draft.definition.name().rsplit_once('.')?;
            // Names in flow and stream have the number; names in hal have its letter.
            let letters =
                if name.starts_with("flow.") || name.starts_with("stream.") { *b"012" } else { *b"xyz" };
            let letter = *letters.get(usize::try_from(number).ok()?)?;
            out.extend_from_slice(b"workgroup_");
            out.extend_from_slice(kind.as_bytes());
            out.extend_from_slice(&[b'_', letter]);
        }
        Computed::NameOr(other) => match draft.attr("name") {
            Some(name) => out.extend_from_slice(string_of(draft.file, AttrId::new(name))?),
            None => out.extend_from_slice(other.as_bytes()),
        },
        Computed::Text(attribute) => {
            let text = string_of(draft.file, AttrId::new(draft.attr(attribute)?))?;
            out.extend_from_slice(text);
        }
        Computed::VmInteger => {
            let value = draft.attr("value")?;
            vm::integer_name(draft, AttrId::new(value), out);
        }
        Computed::Reference | Computed::Rodata => {
            let is_rodata = matches!(rule, Computed::Rodata);
            let global = draft.attr(if is_rodata { "rodata" } else { "global" })?;
            out.extend_from_slice(draft.file.last_symbol(AttrId::new(global))?);
        }
        Computed::PrefixedReference(prefix, attribute) => {
            out.extend_from_slice(prefix.as_bytes());
            out.extend_from_slice(draft.file.last_symbol(AttrId::new(draft.attr(attribute)?))?);
        }
        Computed::Filled => {
            let format = string_of(draft.file, AttrId::new(draft.attr("format")?))?;
            filled_name(format, out);
        }
        Computed::Dimension => {
            let dimension = draft.attr("dimension")?;
            let text = draft.word(AttrId::new(dimension))?;
            let letter = text.strip_suffix(b">")?.last()?;
            let name = draft.definition.name().strip_prefix("gpu.")?;
            out.extend_from_slice(name.as_bytes());
            out.extend_from_slice(&[b'_', *letter]);
        }
    }
    Some(())
}

/// `blk_N_weight` for `blk.{}.weight` (`StringFormatOp::getAsmResultNames` in `UtilOps.cpp` of IREE).
fn filled_name(format: &[u8], out: &mut Vec<u8>) {
    const ENOUGH: usize = 32;
    let (start, mut rest) = (out.len(), format);
    while let (Some((&byte, after)), true) = (rest.split_first(), out.len() - start < ENOUGH) {
        let is_doubled = after.first() == Some(&byte);
        rest = match byte {
            b'{' | b'}' if is_doubled => after.get(1..).unwrap_or_default(),
            b'{' => match after.iter().position(|&other| other == b'}') {
                Some(end) => {
                    out.push(b'N');
                    after.get(end + 1..).unwrap_or_default()
                }
                None => break,
            },
            b'.' | b'-' | b'/' => {
                out.push(b'_');
                after
            }
            byte => {
                if byte.is_ascii_alphanumeric() || byte == b'_' {
                    out.push(byte);
                }
                after
            }
        };
    }
    if out.len() == start {
        out.extend_from_slice(b"formatted");
    }
}

// `c5_i32`, `true`, `cst`
pub(super) fn number_name(draft: &OperationDraft<'_, '_, '_>, value: AttrId, out: &mut Vec<u8>) {
    let Some((element, words)) = draft.file.integer_words(value) else {
        return out.extend_from_slice(b"cst");
    };
    if element != Element::Signless(1) {
        out.push(b'c');
    }
    dense::write_integer(out, &words, element);
    let (sign, width) = match element {
        Element::Signless(1) | Element::Index => return,
        Element::Signed(width) => ("_si", width),
        Element::Unsigned(width) => ("_ui", width),
        element => ("_i", element.bits()),
    };
    out.extend_from_slice(sign.as_bytes());
    out.extend_from_slice(itoa::Buffer::new().format(width).as_bytes());
}

// `ConstantOp::getAsmResultNames` in `mlir/lib/Dialect/SPIRV/IR/SPIRVOps.cpp`
fn spirv_name(draft: &mut OperationDraft<'_, '_, '_>, value: AttrId, r#type: TypeId, out: &mut Vec<u8>) {
    let number = draft.file.integer_words(value);
    if let Some((element @ Element::Signless(1), words)) = &number {
        return dense::write_integer(out, words, *element);
    }
    out.extend_from_slice(b"cst");
    match draft.file.number_type(r#type) {
        Some(float @ Element::Float(_)) => {
            out.push(b'_');
            float.write_name(out);
        }
        Some(Element::Complex(_)) => {}
        Some(of_result) => {
            if let Some((element, words)) = number {
                dense::write_integer(out, &words, element);
                out.push(b'_');
                of_result.write_name(out);
            }
        }
        None => write_vector(draft, r#type, out),
    }
}

// `_vec_4xf32`
fn write_vector(draft: &mut OperationDraft<'_, '_, '_>, r#type: TypeId, out: &mut Vec<u8>) {
    let Some(shaped) = draft.shaped(r#type).filter(|shaped| shaped.container == Container::Vector) else {
        return;
    };
    let (Some(number), Some((sizes, _))) =
        (draft.file.number_type(TypeId::new(shaped.element)), draft.shape(r#type))
    else {
        return;
    };
    out.extend_from_slice(b"_vec_");
    for size in sizes {
        out.extend_from_slice(itoa::Buffer::new().format(size).as_bytes());
        out.push(b'x');
    }
    number.write_name(out);
}
