//! Valid changes that give a module the feature that a rule is about: values, attributes, resources.

use mlirbc::bytes::Bytes;
use mlirbc::edit::{
    EditOp, Editor, InsertionPoint, NewOperation, NewResource, ResourceContent, ResourceGroup,
};
use mlirbc::{Attribute, Result, Type};

use crate::draws::Draws;

/// The name of the attribute that is going to be damaged.
pub(super) const ATTRIBUTE: &str = "broken";
/// The name of a second attribute, whose value may replace the value of the first.
pub(super) const OTHER: &str = "other";

/// A valid change.
pub(super) type Preparation = fn(&mut Editor, &mut Draws<'_, '_>) -> Result<()>;

/// Leaves the module unchanged.
pub(super) fn nothing(_: &mut Editor, _: &mut Draws<'_, '_>) -> Result<()> {
    Ok(())
}

/// Adds three operations to the end of the module: one with a result, one that uses it three times, and one with
/// two results that have no uses.
pub(super) fn values(editor: &mut Editor, _: &mut Draws<'_, '_>) -> Result<()> {
    three(editor).map(drop)
}

/// As [`values`], with an order of the three uses.
pub(super) fn ordered_uses(editor: &mut Editor, _: &mut Draws<'_, '_>) -> Result<()> {
    let (defining, user) = three(editor)?;
    for value in editor.results(defining)? {
        editor.set_use_list_order(value, &[(user, 1), (user, 2), (user, 0)])?;
    }
    Ok(())
}

/// Adds an operation that adds a value to itself.
pub(super) fn addition(editor: &mut Editor, _: &mut Draws<'_, '_>) -> Result<()> {
    let (defining, _) = three(editor)?;
    let value = editor.results(defining)?;
    let operands = value.iter().chain(&value).copied().collect();
    append(editor, NewOperation { operands, results: vec![i32_type()?], ..NewOperation::new("arith.addi") })
        .map(drop)
}

/// Adds an operation of a dialect that no release has.
pub(super) fn unregistered(editor: &mut Editor, draws: &mut Draws<'_, '_>) -> Result<()> {
    let value = Attribute::parse(format!("{} : i64", draws.below(1000)))?;
    let attributes = vec![(ATTRIBUTE.into(), value)];
    append(editor, NewOperation { attributes, ..NewOperation::new("smith.broken") }).map(drop)
}

/// Adds resources: a blob for attributes, and a blob, a Boolean and a string in an external group.
pub(super) fn resources(editor: &mut Editor, draws: &mut Draws<'_, '_>) -> Result<()> {
    let external = ResourceGroup::External(b"broken".to_vec());
    let first = ResourceContent::Blob {
        bytes: Bytes::from(draws.word().to_le_bytes().to_vec()),
        alignment: Some(1 << draws.below(6)),
    };
    let second =
        ResourceContent::Blob { bytes: Bytes::from(draws.bytes(40)), alignment: Some(1 << draws.below(6)) };
    let rows = [
        (&b"broken_data"[..], ResourceGroup::builtin(), first),
        (b"data", external.clone(), second),
        (b"flag", external.clone(), ResourceContent::Bool(draws.one_in(2))),
        (b"text", external, ResourceContent::String(b"a text".to_vec())),
    ];
    for (key, group, content) in rows {
        editor.add_resource(NewResource { key: key.to_vec(), group, content })?;
    }
    // Only resources that attributes refer to are written.
    attribute(editor, "dense_resource<broken_data> : tensor<8xi8>")
}

/// Adds an attribute whose encoding uses all its bytes.
pub(super) fn encoded(editor: &mut Editor, draws: &mut Draws<'_, '_>) -> Result<()> {
    let text = match draws.below(5) {
        0 => format!("\"text {}\"", draws.below(1000)),
        1 => format!("[unit, \"item {}\"]", draws.below(1000)),
        2 => format!("@symbol{}", draws.below(1000)),
        3 => format!("{{key = \"value {}\"}}", draws.below(1000)),
        _ => format!("array<i8: {}>", draws.below(100)),
    };
    attribute(editor, &text)
}

/// Adds a string.
pub(super) fn string(editor: &mut Editor, draws: &mut Draws<'_, '_>) -> Result<()> {
    let text = format!("\"text {}\"", draws.below(1000));
    attribute(editor, &text)
}

/// Adds an attribute that is written as text.
pub(super) fn text(editor: &mut Editor, draws: &mut Draws<'_, '_>) -> Result<()> {
    let text = format!("affine_map<(d0)[s0] -> (d0 * {} + s0)>", 2 + draws.below(1000));
    attribute(editor, &text)
}

/// Adds an attribute of a dialect that no release has.
pub(super) fn foreign(editor: &mut Editor, draws: &mut Draws<'_, '_>) -> Result<()> {
    let text = format!("#smith.broken<{}>", draws.below(1000));
    attribute(editor, &text)
}

/// Adds nested arrays.
pub(super) fn arrays(editor: &mut Editor, draws: &mut Draws<'_, '_>) -> Result<()> {
    let depth = 1 + draws.below(5);
    let text = format!("{}\"broken {}\"{}", "[".repeat(depth), draws.below(1000), "]".repeat(depth));
    attribute(editor, &text)
}

/// Adds sparse elements, and a type that does not fit them.
pub(super) fn sparse(editor: &mut Editor, draws: &mut Draws<'_, '_>) -> Result<()> {
    let (rows, columns) = (2 + draws.below(50), 3 + draws.below(50));
    let text = format!(
        "sparse<[[0, 0], [{}, {}]], [1, {}]> : tensor<{rows}x{columns}xi32>",
        rows - 1,
        columns - 1,
        draws.below(1000)
    );
    let other_type = match draws.below(3) {
        0 => format!("tensor<{rows}xi32>"),
        1 => format!("tensor<{rows}x{}xi32>", columns - 1),
        _ => format!("tensor<{rows}x{columns}x1xi32>"),
    };
    with_attributes(editor, &[(ATTRIBUTE, &text), (OTHER, &other_type)])
}

fn attribute(editor: &mut Editor, text: &str) -> Result<()> {
    with_attributes(editor, &[(ATTRIBUTE, text)])
}

fn with_attributes(editor: &mut Editor, list: &[(&str, &str)]) -> Result<()> {
    let mut attributes = Vec::new();
    for (name, text) in list {
        attributes.push((name.as_bytes().to_vec(), Attribute::parse(text)?));
    }
    append(editor, NewOperation { attributes, results: vec![i32_type()?], ..cast() }).map(drop)
}

fn three(editor: &mut Editor) -> Result<(EditOp, EditOp)> {
    let defining = append(editor, NewOperation { results: vec![i32_type()?], ..cast() })?;
    let operands = editor.results(defining)?.repeat(3);
    let user = append(editor, NewOperation { operands, results: vec![i32_type()?], ..cast() })?;
    append(editor, NewOperation { results: vec![i32_type()?; 2], ..cast() })?;
    Ok((defining, user))
}

fn append(editor: &mut Editor, new: NewOperation) -> Result<EditOp> {
    let module = editor.operation()?;
    let body = editor.body(module)?;
    editor.create(&new, InsertionPoint::AtEnd(body))
}

fn cast() -> NewOperation {
    NewOperation::new("builtin.unrealized_conversion_cast")
}

fn i32_type() -> Result<Type> {
    Type::parse("i32")
}
