//! Data layout: specifications and a type as text, one for each line, or the operations and types of a file.
//!
//! | oracle | why it can fail |
//! |---|---|
//! | no text and no file panics | any |
//! | an attribute prints as text that parses to the same attribute | a spelling that only one direction supports |
//! | the size in bytes is the size in bits, rounded up | a rule that rounds wrongly |
//! | a specification that is nested in itself changes nothing | a combination that adds or loses entries |
//! | the same question has the same answer | the cache |

use mlirbc::format::id::TypeId;
use mlirbc::layout::{DataLayout, DltiAttr, Options, Rules, rfc_memref_layout};
use mlirbc::{Module, Type};

use crate::cost;

/// The number of types of a file that are checked.
const ASKED: usize = 200;

/// Runs the oracle.
///
/// # Panics
/// When a property does not hold.
pub fn run(data: &[u8]) {
    cost::layout(data);
    cost::alone(|| check(data));
}

fn check(data: &[u8]) {
    match Module::from_bytes(data.to_vec()) {
        Ok(module) => file(&module),
        Err(_) => texts(data),
    }
}

fn options() -> Options {
    Options { types: rfc_memref_layout().types(), ..Options::default() }
}

fn texts(data: &[u8]) {
    let mut lines: Vec<&[u8]> = data.split(|&byte| byte == b'\n').take(8).collect();
    let of = lines.pop().and_then(|text| Type::parse(text).ok());
    let mut specs = Vec::new();
    for line in lines {
        let _ = DltiAttr::parse_specification(line);
        let Ok(spec) = DltiAttr::parse(line) else { continue };
        let again = DltiAttr::parse(spec.to_string()).expect("what is printed can be read");
        // Distinct attributes differ each time, and text that is not UTF-8 is printed differently.
        if !spec.to_string().contains("distinct") && std::str::from_utf8(line).is_ok() {
            assert!(spec == again, "{spec} reads as {again}");
            assert_eq!(spec.to_string(), again.to_string());
        }
        specs.push(spec);
    }
    let Ok(layout) = DataLayout::of_specs(&specs, &options()) else { return };
    let _ = DataLayout::of_specs(&specs, &Options { strict: true, ..options() });
    if let (Ok(layout), Some(of)) =
        (DataLayout::of_specs(&specs, &Options { rules: Rules::Rfc, ..options() }), &of)
    {
        ask(&layout, of);
    }
    let Some(of) = of else { return };
    ask(&layout, &of);
    let _ = layout.check_bitcast(&of, &of, None);
    if let [spec] = &specs[..] {
        // As in MLIR, entries for some types must not be repeated.
        if let Ok(twice) = DataLayout::of_specs(&[spec.clone(), spec.clone()], &options()) {
            assert_eq!(layout.type_size_in_bits(&of).ok(), twice.type_size_in_bits(&of).ok());
            assert_eq!(layout.type_abi_alignment(&of).ok(), twice.type_abi_alignment(&of).ok());
            assert_eq!(layout.entries().count(), twice.entries().count());
        }
    }
}

fn file(module: &Module) {
    let _ = mlirbc::layout::verify(module, &options());
    let Ok(op) = module.operation() else { return };
    let layout = DataLayout::of_with(op, &options());
    let Ok(layout) = layout else { return };
    for index in 0..ASKED as u32 {
        match Type::of_file(module, TypeId(index)) {
            Ok(Some(of)) => ask(&layout, &of),
            _ => break,
        }
    }
}

fn ask(layout: &DataLayout, of: &Type) {
    let _ =
        (layout.type_abi_alignment(of), layout.type_preferred_alignment(of), layout.type_index_bitwidth(of));
    let (Ok(bits), Ok(bytes)) = (layout.type_size_in_bits(of), layout.type_size(of)) else { return };
    assert_eq!(bits.is_scalable(), bytes.is_scalable());
    assert_eq!(bits.known_min_value().div_ceil(8), bytes.known_min_value());
    assert_eq!(layout.type_size_in_bits(of).ok(), Some(bits));
}
