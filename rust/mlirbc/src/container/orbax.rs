//! `manifest.pb` of an Orbax model: objects, including functions with modules of StableHLO.
//!
//! Owns the fields of the messages of `manifest.proto` that lead to modules. The file has no magic number: a
//! module identifies it.

use std::ops::Range;

use crate::format::container::MAGIC;
use crate::wire::error::{ErrorKind, Result};

use super::protobuf::{CallField, Contents, Delimited, EnclosedModule, Protobuf};

/// The tag of the first object.
pub(super) const MARK: &[u8] = b"\x0a";

const OBJECTS: u64 = 1;
const KEY: u64 = 1;
const VALUE: u64 = 2;
const FUNCTION: u64 = 1;
const BODY: u64 = 2;
const STABLEHLO_BODY: u64 = 1;
const STABLEHLO: u64 = 1;
const DATA: u64 = 3;
const MIME_TYPE: u64 = 4;
const CALLING_CONVENTION: u64 = 2;
const PLATFORMS: u64 = 3;
const KEPT: u64 = 4;

/// Returns the modules of a manifest, in the order of the file; `None` for other files, which may look like a
/// manifest.
///
/// # Errors
/// Errors of the source, and an exhausted budget.
pub(super) fn modules(file: &mut Protobuf) -> Result<Vec<EnclosedModule>> {
    let mut modules = Vec::new();
    let whole = file.whole();
    let walked = file.each(whole, OBJECTS, &mut |file, entry| {
        let name = file.last(entry.range(), KEY)?;
        file.each(entry.range(), VALUE, &mut |file, value| {
            file.each(value.range(), FUNCTION, &mut |file, function| {
                file.each(function.range(), BODY, &mut |file, body| {
                    file.each(body.range(), STABLEHLO_BODY, &mut |file, inner| {
                        visit(file, &[entry, value, function, body, inner], name, &mut modules)
                    })
                })
            })
        })
    });
    match walked {
        // Many files begin like a manifest.
        Err(error) if error.kind() == ErrorKind::Protobuf && modules.is_empty() => Ok(modules),
        walked => walked.map(|()| modules),
    }
}

/// Adds the module of a function, if it has one.
fn visit(
    file: &mut Protobuf,
    messages: &[Delimited],
    name: Option<Delimited>,
    modules: &mut Vec<EnclosedModule>,
) -> Result<()> {
    let Some(body) = messages.last().map(Delimited::range) else { return Ok(()) };
    let Some(stablehlo) = file.last(body.clone(), STABLEHLO)? else { return Ok(()) };
    let Some(data) = file.last(stablehlo.range(), DATA)? else { return Ok(()) };
    if !file.begins(data, &MAGIC)? {
        return Ok(());
    }
    let mut fields = Vec::new();
    if let Some(kind) = file.last(stablehlo.range(), MIME_TYPE)? {
        fields.push(CallField { name: "mime_type", range: kind.range(), text: file.text(kind)? });
    }
    fields.extend(body_fields(file, body)?);
    let function = name.map_or_else(|| Ok(String::new()), |name| file.text(name))?;
    let messages: Vec<_> = messages.iter().copied().chain([stablehlo, data]).collect();
    file.budget().spend(size_of::<EnclosedModule>() + messages.len() * size_of::<Delimited>())?;
    modules.push(EnclosedModule { function, node: String::new(), fields, messages });
    Ok(())
}

/// The fields of the body besides the module. Platforms are repeated, and indices may be packed.
fn body_fields(file: &mut Protobuf, body: Range<u64>) -> Result<Vec<CallField>> {
    let mut fields: Vec<CallField> = Vec::new();
    let mut at = body.start;
    loop {
        let start = at;
        let Some(field) = file.next(&mut at, body.end)? else { return Ok(fields) };
        let (name, text) = match (field.number, field.contents) {
            (CALLING_CONVENTION, Contents::Number(number)) => {
                ("calling_convention_version", number.to_string())
            }
            (PLATFORMS, Contents::Delimited(value)) => ("lowering_platforms", file.text(value)?),
            (KEPT, Contents::Number(number)) => ("module_kept_var_idx", number.to_string()),
            (KEPT, Contents::Delimited(value)) => {
                ("module_kept_var_idx", super::saved_model::packed_text(file, value.range())?)
            }
            _ => continue,
        };
        file.budget().spend(size_of::<CallField>() + text.len())?;
        match fields.last_mut().filter(|field| field.name == name && field.range.end == start) {
            Some(field) => {
                field.range.end = at;
                field.text.push_str(", ");
                field.text.push_str(&text);
            }
            None => fields.push(CallField { name, range: start..at, text }),
        }
    }
}
