//! Single operations as text, for the experiment that finds which operations `mlir-opt` accepts.

use mlirbc::edit::{Editor, InsertionPoint, NewOperation};
use mlirbc::ops::OperationDefinition;
use mlirbc::smith::TextSupport;
pub use mlirbc::smith::{TableRow, rows};
use mlirbc::version::BytecodeVersion;
use mlirbc::write::Numbering;
use mlirbc::{Release, Result, WriteOptions};

pub use crate::catalogue::{BETWEEN, OperationPosition, pool, position_of};
use crate::draws;
pub use crate::draws::Draws;
use crate::entries;
use crate::instance;
pub use crate::instance::{Freedom, Instance, RegionShape};
use crate::values::Language;

/// Draws an operation from a seed; `None` if a part of its definition has no known values.
pub fn draw<'t>(
    definition: &OperationDefinition,
    types_of: &dyn Fn(&str) -> &'t [String],
    release: u32,
    freedom: Freedom,
    seed: u64,
) -> Option<Instance> {
    let bytes = draws::bytes_of(seed, 512);
    instance::draw(
        definition,
        types_of,
        release,
        freedom,
        &mut Draws::new(&mut arbitrary::Unstructured::new(&bytes)),
    )
}

/// As [`draw`], but without rules that relate types; also returns the number of values of each operand and
/// result.
pub fn draw_apart<'t>(
    definition: &OperationDefinition,
    types_of: &dyn Fn(&str) -> &'t [String],
    release: u32,
    seed: u64,
) -> Option<(Instance, Vec<usize>)> {
    let bytes = draws::bytes_of(seed, 512);
    instance::draw_apart(
        definition,
        types_of,
        release,
        &mut Draws::new(&mut arbitrary::Unstructured::new(&bytes)),
    )
}

/// Returns a module with `count` attributes of the row; `None` if the row produces none.
///
/// # Errors
/// If the version cannot represent an attribute.
pub fn module_of_row(
    llvm: u32,
    version: BytecodeVersion,
    row: &TableRow,
    count: u64,
) -> Result<Option<Vec<u8>>> {
    let mut editor = Editor::create_module(&Release::named(format!("llvm-{llvm}")), version, None)?;
    let module = editor.operation()?;
    let block = editor.body(module)?;
    let mut is_empty = true;
    let language =
        Language { support: TextSupport::of(llvm), types: [].into(), unregistered: true, resources: true };
    for seed in 0..count {
        let Some(attribute) = entries::entry(row, &draws::bytes_of(seed, seed as usize % 49), &language)
        else {
            continue;
        };
        let op = editor.create(&NewOperation::new("smith.op"), InsertionPoint::AtEnd(block))?;
        // Some attributes contain others that the release does not have.
        is_empty &= editor.set_attribute(op, "x", &attribute).is_err();
    }
    let mut written = Vec::new();
    editor.write(&mut written, &WriteOptions::default().numbering(Numbering::Canonical))?;
    Ok((!is_empty).then_some(written))
}

/// Returns the text of a module with the operation; if `is_open`, an operation is added to each of its
/// blocks.
pub fn text(
    definition: &OperationDefinition,
    instance: &Instance,
    place: OperationPosition,
    release: u32,
    is_open: bool,
) -> String {
    let mut text = String::new();
    if place != OperationPosition::Module {
        text.push_str("func.func @probed() {\n");
    }
    for (number, operand) in instance.operands.iter().enumerate() {
        text.push_str(&format!("%{number} = \"builtin.unrealized_conversion_cast\"() : () -> ({operand})\n"));
    }
    if !instance.results.is_empty() {
        text.push_str(&format!("%result:{} = ", instance.results.len()));
    }
    let operands: Vec<_> = (0..instance.operands.len()).map(|number| format!("%{number}")).collect();
    text.push_str(&format!("\"{}\"({})", definition.name(), operands.join(", ")));
    let attributes: Vec<_> =
        instance.attributes.iter().map(|(name, value)| format!("\"{name}\" = {value}")).collect();
    let attributes = attributes.join(", ");
    let support = TextSupport::of(release);
    if support.properties && !attributes.is_empty() {
        text.push_str(&format!(" <{{{attributes}}}>"));
    }
    if !instance.regions.is_empty() {
        let inner = if is_open {
            "%inner = \"arith.constant\"() {value = 1 : i32} : () -> i32\n\"smith.use\"(%inner) : (i32) -> ()\n"
        } else {
            ""
        };
        let terminator = instance::implied_terminator(definition).unwrap_or_default();
        let region = |shape: &RegionShape| match shape {
            RegionShape::Empty => "{\n}".to_owned(),
            RegionShape::Block => format!("{{\n^entry:\n{inner}}}"),
            RegionShape::Terminated => format!("{{\n^entry:\n{inner}\"{terminator}\"() : () -> ()\n}}"),
        };
        let regions: Vec<_> = instance.regions.iter().map(region).collect();
        text.push_str(&format!(" ({})", regions.join(", ")));
    }
    if !support.properties && !attributes.is_empty() {
        text.push_str(&format!(" {{{attributes}}}"));
    }
    text.push_str(&format!(" : ({}) -> ({})\n", instance.operands.join(", "), instance.results.join(", ")));
    match place {
        OperationPosition::Module => {}
        OperationPosition::End => text.push_str("}\n"),
        OperationPosition::Block => text.push_str("func.return\n}\n"),
    }
    text
}
