//! Data layout: specifications and a type as text, one for each line, or the operations and types of a file.
//!
//! | oracle | why it can fail |
//! |---|---|
//! | no text and no file panics | any |
//! | an attribute prints as text that parses to the same attribute | a spelling that only one direction supports |
//! | the size in bytes is the size in bits, rounded up | a rule that rounds wrongly |
//! | a specification that is nested in itself changes nothing | a combination that adds or loses entries |
//! | under the rules of the RFC, a query finds each entry in effect | two places that combine entries |
//! | under the rules of the RFC, the innermost value of a name applies | a combination that keeps an outer one |
//! | the same question has the same answer | the cache |

use mlirbc::edit::Editor;
use mlirbc::format::id::TypeId;
use mlirbc::layout::{
    CopiedPart, DataLayout, DltiAttr, LayoutTable, Options, Rules, UsedTypes, VectorAlignment, VectorLayout,
    rfc_memref_layout,
};
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
    Options::default().types(rfc_memref_layout().types())
}

fn texts(data: &[u8]) {
    let mut lines: Vec<&[u8]> = data.split(|&byte| byte == b'\n').take(8).collect();
    let queried_type = lines.pop().and_then(|text| Type::parse(text).ok());
    let mut specs = Vec::new();
    for line in lines {
        let _ = DltiAttr::parse_specification(line);
        let Ok(spec) = DltiAttr::parse(line) else { continue };
        let again = DltiAttr::parse(spec.to_string()).expect("what is printed can be read");
        // Distinct attributes never compare equal, and text that is not UTF-8 is printed differently.
        if !spec.to_string().contains("distinct") && std::str::from_utf8(line).is_ok() {
            assert!(spec == again, "{spec} reads as {again}");
            assert_eq!(spec.to_string(), again.to_string());
        }
        specs.push(spec);
    }
    let Ok(layout) = DataLayout::of_specs(&specs, &options()) else { return };
    let _ = DataLayout::of_specs(&specs, &options().strict(true));
    rfc(data, queried_type.as_ref());
    let Some(queried_type) = queried_type else { return };
    ask(&layout, &queried_type);
    let _ = layout.check_bitcast(&queried_type, &queried_type, None);
    if let [spec] = &specs[..] {
        // As in MLIR, entries for some types must not be repeated.
        if let Ok(twice) = DataLayout::of_specs(&[spec.clone(), spec.clone()], &options()) {
            assert_eq!(
                layout.type_size_in_bits(&queried_type).ok(),
                twice.type_size_in_bits(&queried_type).ok()
            );
            assert_eq!(
                layout.type_abi_alignment(&queried_type).ok(),
                twice.type_abi_alignment(&queried_type).ok()
            );
            assert_eq!(layout.entries().count(), twice.entries().count());
        }
    }
}

/// A table whose formulas use the values of entries, and entries with names.
const TABLE: &str = r#"
[[type]]
name = "toy.t"
memory_reference = true
size_in_bits = "size_in_bits(equivalent) + size_in_bits(element) + product(sizes) + len(equivalent)"
abi_alignment = "max(alignment, abi_alignment(equivalent))"
preferred_alignment = "lanes"
entry = { equivalent = "[i32, !llvm.ptr]", element = "i8", sizes = "[2, 3]", alignment = 8 }
"#;

/// Checks specifications of either spelling under the rules of the RFC.
fn rfc(data: &[u8], of: Option<&Type>) {
    let lines = data.split(|&byte| byte == b'\n').take(7);
    let specs: Vec<DltiAttr> = lines.filter_map(|line| DltiAttr::parse_specification(line).ok()).collect();
    let mut types = options().types;
    types.extend(LayoutTable::from_toml(TABLE).expect("a table").types());
    let vectors = VectorLayout { alignment: VectorAlignment::Bytes(16), ..VectorLayout::default() };
    let options = Options::default().rules(Rules::Rfc).types(types).vectors(vectors);
    let Ok(layout) = DataLayout::of_specs(&specs, &options) else { return };
    for entry in layout.entries() {
        let key = entry.entry.key.clone();
        assert_eq!(layout.query(std::slice::from_ref(&key)).ok().as_ref(), Some(&entry.entry.value), "{key}");
        let stated = specs.iter().rev().find_map(|spec| {
            spec.entries().into_iter().find(|inner| inner.key == key).map(|inner| inner.value)
        });
        // An inner entry may use the other name of the key.
        if stated.as_ref() != Some(&entry.entry.value) {
            assert!(key.to_string().ends_with("endianness\""), "{key}");
        }
    }
    let _ = layout.endianness();
    let again = Type::parse("!toy.t").expect("a type");
    for of in of.into_iter().chain([&again]) {
        ask(&layout, of);
        let _ = layout.is_memory_reference(of);
        if let Ok(has_layout) = layout.has_layout(of) {
            assert_eq!(
                has_layout,
                layout.type_size_in_bits(of).is_ok()
                    && layout.type_abi_alignment(of).is_ok()
                    && layout.type_preferred_alignment(of).is_ok()
            );
        }
    }
}

fn file(module: &Module) {
    let _ = mlirbc::layout::verify(module, &options());
    let rfc = options().rules(Rules::Rfc);
    let _ = mlirbc::layout::verify(module, &rfc);
    size_changes(module);
    let Ok(op) = module.operation() else { return };
    let layout = DataLayout::of_with(op, &options());
    let Ok(layout) = layout else { return };
    for index in 0..ASKED as u32 {
        match Type::of_file(module.tables(), TypeId::new(index)) {
            Ok(Some(of)) => ask(&layout, &of),
            _ => break,
        }
    }
}

/// Checks that an operation compared with itself has no changes.
fn size_changes(module: &Module) {
    let Ok(mut editor) = Editor::new(module.clone()) else { return };
    let Ok(op) = editor.operation() else { return };
    let part = CopiedPart::Op(op);
    let Ok(used) = UsedTypes::of_edit(&mut editor, &part, &options()) else { return };
    if let Ok(changes) = used.size_changes(&used, &options()) {
        assert!(changes.types.is_empty(), "{changes:?}");
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
