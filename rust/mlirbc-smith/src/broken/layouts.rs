//! Damage to specifications of data layout, which are attributes of modules.

use mlirbc::edit::{EditOp, Editor, InsertionPoint, NewOperation};
use mlirbc::{Attribute, Result};

use crate::draws::Draws;

use super::original::{Original, missing};

/// The name of the attribute with a specification.
const SPEC: &str = "dlti.dl_spec";
/// The name of the attribute with the description of a system.
const SYSTEM: &str = "dlti.target_system_spec";
/// An attribute name that any dialect may use.
const FREE: &str = "smith.broken";

const VALID: &str = "#dlti.dl_spec<#dlti.dl_entry<\"smith.key\", NUMBER>>";

/// Adds a specification to the module.
pub(super) fn specification(editor: &mut Editor, draws: &mut Draws<'_, '_>) -> Result<()> {
    let module = editor.operation()?;
    set(editor, module, SPEC, VALID, draws)
}

/// Adds a specification to the module, and another one to a module within it.
pub(super) fn nested(editor: &mut Editor, draws: &mut Draws<'_, '_>) -> Result<()> {
    specification(editor, draws)?;
    let module = editor.operation()?;
    let body = editor.body(module)?;
    let new = NewOperation { regions: 1, ..NewOperation::new("builtin.module") };
    let inner = editor.create(&new, InsertionPoint::AtEnd(body))?;
    for region in editor.regions(inner)? {
        editor.add_block(region, None, &[])?;
    }
    set(editor, inner, SPEC, "#dlti.dl_spec<#dlti.dl_entry<\"smith.other\", NUMBER>>", draws)
}

/// Adds the description of a system.
pub(super) fn system(editor: &mut Editor, draws: &mut Draws<'_, '_>) -> Result<()> {
    let module = editor.operation()?;
    let text = "#dlti.target_system_spec<\"CPU\" = #dlti.target_device_spec<\"smith.key\" = NUMBER>>";
    set(editor, module, SYSTEM, text, draws)
}

/// Adds a specification, and an attribute that may become another specification.
pub(super) fn with_free(editor: &mut Editor, draws: &mut Draws<'_, '_>) -> Result<()> {
    specification(editor, draws)?;
    let module = editor.operation()?;
    set(editor, module, FREE, "affine_map<(d0) -> (d0 + NUMBER)>", draws)
}

/// Adds a specification, under another name, to an operation of a dialect that no release has.
pub(super) fn unknown_scope(editor: &mut Editor, draws: &mut Draws<'_, '_>) -> Result<()> {
    let module = editor.operation()?;
    let body = editor.body(module)?;
    let op = editor.create(&NewOperation::new("smith.scope"), InsertionPoint::AtEnd(body))?;
    set(editor, op, FREE, VALID, draws)
}

fn set(editor: &mut Editor, op: EditOp, name: &str, text: &str, draws: &mut Draws<'_, '_>) -> Result<()> {
    editor.set_attribute(op, name, &Attribute::parse(filled(text, draws))?)
}

/// Replaces the marker in a text by a number.
pub(super) fn filled(text: &str, draws: &mut Draws<'_, '_>) -> String {
    text.replace("NUMBER", &(1 + draws.below(100_000)).to_string())
}

/// Replaces the specification by one of the rule's texts.
pub(super) fn in_specification(original: &Original<'_>, draws: &mut Draws<'_, '_>) -> Result<Vec<u8>> {
    in_text(original, SPEC, draws)
}

/// Replaces the specifications of the outer and the inner module by one of the rule's pairs of texts.
pub(super) fn in_nested(original: &Original<'_>, draws: &mut Draws<'_, '_>) -> Result<Vec<u8>> {
    let mut tables = original.tables()?;
    let (outer, inner) = draws.text(original.texts).split_once(" / ").ok_or_else(|| missing("text"))?;
    for (mark, text) in [("\"smith.key\"", outer), ("\"smith.other\"", inner)] {
        let text = terminated(&filled(text, draws));
        let has_mark = |data: &[u8]| {
            data.starts_with(b"#dlti.dl_spec<")
                && data.windows(mark.len()).any(|window| window == mark.as_bytes())
        };
        let entry = tables.attributes.iter_mut().find(|entry| !entry.is_encoded && has_mark(&entry.data));
        entry.ok_or_else(|| missing("specification"))?.data = text;
    }
    Ok(tables.join())
}

/// Replaces the description of the system by one of the rule's texts.
pub(super) fn in_system(original: &Original<'_>, draws: &mut Draws<'_, '_>) -> Result<Vec<u8>> {
    in_text(original, SYSTEM, draws)
}

/// Replaces an attribute that is unrelated to data layout by one of the rule's texts.
pub(super) fn in_free(original: &Original<'_>, draws: &mut Draws<'_, '_>) -> Result<Vec<u8>> {
    in_text(original, FREE, draws)
}

/// Renames an attribute to the rule's name.
pub(super) fn name(original: &Original<'_>, draws: &mut Draws<'_, '_>) -> Result<Vec<u8>> {
    let mut tables = original.tables()?;
    let name = filled(draws.text(original.texts), draws).into_bytes();
    let place = tables.strings.iter().position(|string| string == FREE.as_bytes());
    *place.and_then(|place| tables.strings.get_mut(place)).ok_or_else(|| missing("attribute"))? = name;
    Ok(tables.join())
}

fn in_text(original: &Original<'_>, name: &str, draws: &mut Draws<'_, '_>) -> Result<Vec<u8>> {
    let mut tables = original.tables()?;
    let text = filled(draws.text(original.texts), draws);
    let place = tables.named(name)?;
    let is_dlti = text.starts_with("#dlti.");
    let builtin = tables.dialect(b"builtin").unwrap_or_default();
    let dlti = tables.dialect(b"dlti").unwrap_or_else(|| {
        let name = tables.string(b"dlti");
        tables.dialects.push(super::tables::Dialect { name, version: None });
        tables.dialects.len() as u64 - 1
    });
    if let Some(entry) = tables.attributes.get_mut(place) {
        (entry.dialect, entry.is_encoded) = (if is_dlti { dlti } else { builtin }, false);
        entry.data = terminated(&text);
    }
    Ok(tables.join())
}

fn terminated(text: &str) -> Vec<u8> {
    [text.as_bytes(), &[0]].concat()
}
