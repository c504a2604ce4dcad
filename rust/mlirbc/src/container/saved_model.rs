//! `saved_model.pb` of TensorFlow: graphs of nodes, in which `XlaCallModule` nodes have modules of StableHLO.
//!
//! Owns the fields of the messages `SavedModel`, `MetaGraphDef`, `GraphDef`, `FunctionDef`, `NodeDef` and
//! `AttrValue` that lead to modules, and the text of node attributes.

use std::ops::Range;

use crate::wire::error::Result;

use super::protobuf::{CallField, Contents, Delimited, EnclosedModule, Protobuf};

/// `saved_model_schema_version = 1`, then a meta graph.
pub(super) const MARK: &[u8] = b"\x08\x01\x12";

const META_GRAPHS: u64 = 2;
const GRAPH: u64 = 2;
const NODES: u64 = 1;
const LIBRARY: u64 = 2;
const FUNCTIONS: u64 = 1;
const SIGNATURE: u64 = 1;
const SIGNATURE_NAME: u64 = 1;
const FUNCTION_NODES: u64 = 3;
const NODE_NAME: u64 = 1;
const NODE_OPERATION: u64 = 2;
const NODE_ATTRIBUTES: u64 = 5;
const KEY: u64 = 1;
const VALUE: u64 = 2;
const LIST: u64 = 1;
const STRING: u64 = 2;

/// The attributes of the node besides the module; `version` is the version of the calling convention.
const ATTRIBUTES: &[&str] = &[
    "version",
    "platforms",
    "use_shardy_partitioner",
    "disabled_checks",
    "has_token_input_output",
    "function_list",
    "dim_args_spec",
    "Sout",
    "Tin",
    "Tout",
];

/// Returns the modules of a SavedModel, in the order of the file.
///
/// # Errors
/// [`ErrorKind::Protobuf`](crate::wire::error::ErrorKind::Protobuf), and an exhausted budget.
pub(super) fn modules(file: &mut Protobuf) -> Result<Vec<EnclosedModule>> {
    let mut modules = Vec::new();
    let whole = file.whole();
    file.each(whole, META_GRAPHS, &mut |file, meta| {
        file.each(meta.range(), GRAPH, &mut |file, graph| {
            file.each(graph.range(), NODES, &mut |file, node| {
                visit(file, &[meta, graph, node], None, &mut modules)
            })?;
            file.each(graph.range(), LIBRARY, &mut |file, library| {
                file.each(library.range(), FUNCTIONS, &mut |file, function| {
                    let signature = file.last(function.range(), SIGNATURE)?;
                    let name = signature.map(|signature| file.last(signature.range(), SIGNATURE_NAME));
                    let name = name.transpose()?.flatten();
                    file.each(function.range(), FUNCTION_NODES, &mut |file, node| {
                        visit(file, &[meta, graph, library, function, node], name, &mut modules)
                    })
                })
            })
        })
    })?;
    modules.sort_by_key(|module| module.value().start);
    Ok(modules)
}

/// Adds the module of a node, if the node has one; `function` is the name of the function around the node.
fn visit(
    file: &mut Protobuf,
    messages: &[Delimited],
    function: Option<Delimited>,
    modules: &mut Vec<EnclosedModule>,
) -> Result<()> {
    let Some(node) = messages.last().map(Delimited::range) else { return Ok(()) };
    let Some(operation) = file.last(node.clone(), NODE_OPERATION)? else { return Ok(()) };
    if !file.is(operation, b"XlaCallModule")? {
        return Ok(());
    }
    let (mut module, mut fields) = (None, Vec::new());
    file.each(node.clone(), NODE_ATTRIBUTES, &mut |file, attribute| {
        let (Some(key), Some(value)) =
            (file.last(attribute.range(), KEY)?, file.last(attribute.range(), VALUE)?)
        else {
            return Ok(());
        };
        if file.is(key, b"module")? {
            module = file.last(value.range(), STRING)?.map(|bytes| [attribute, value, bytes]);
        }
        for &name in ATTRIBUTES {
            if file.is(key, name.as_bytes())? {
                file.budget().spend(size_of::<CallField>())?;
                let text = text_of(file, value.range())?;
                fields.push(CallField { name, range: value.range(), text });
            }
        }
        Ok(())
    })?;
    let Some(inner) = module else { return Ok(()) };
    // A node may name an attribute several times, in any order.
    fields.sort_by_key(|field| (ATTRIBUTES.iter().position(|name| *name == field.name), field.range.start));
    let name = file.last(node, NODE_NAME)?;
    let node = name.map_or_else(|| Ok(String::new()), |name| file.text(name))?;
    let function = function.map_or_else(|| Ok(String::new()), |name| file.text(name))?;
    let messages: Vec<_> = messages.iter().copied().chain(inner).collect();
    file.budget().spend(size_of::<EnclosedModule>() + messages.len() * size_of::<Delimited>())?;
    modules.push(EnclosedModule { function, node, fields, messages });
    Ok(())
}

/// Formats an `AttrValue` as text: a number, a truth value, a text, or a list of these. Types are shown as
/// their numbers.
fn text_of(file: &mut Protobuf, value: Range<u64>) -> Result<String> {
    let mut at = value.start;
    let mut text = String::new();
    while let Some(field) = file.next(&mut at, value.end)? {
        text = match (field.number, field.contents) {
            (LIST, Contents::Delimited(list)) => list_text(file, list.range())?,
            (STRING, Contents::Delimited(bytes)) => file.text(bytes)?,
            (5, Contents::Number(number)) => (number != 0).to_string(),
            (_, Contents::Number(number)) => number.to_string(),
            _ => "...".to_owned(),
        };
    }
    Ok(text)
}

fn list_text(file: &mut Protobuf, list: Range<u64>) -> Result<String> {
    let mut at = list.start;
    let mut text = String::new();
    while let Some(field) = file.next(&mut at, list.end)? {
        let item = match (field.number, field.contents) {
            (STRING, Contents::Delimited(bytes)) => file.text(bytes)?,
            // Types and numbers, packed.
            (3 | 6, Contents::Delimited(numbers)) => packed_text(file, numbers.range())?,
            (_, Contents::Number(number)) => number.to_string(),
            // Shapes and functions have names and numbers inside.
            _ => "...".to_owned(),
        };
        file.budget().spend(item.len() + 2)?;
        if !text.is_empty() {
            text.push_str(", ");
        }
        text.push_str(&item);
    }
    Ok(text)
}

pub(super) fn packed_text(file: &mut Protobuf, numbers: Range<u64>) -> Result<String> {
    let mut at = numbers.start;
    let mut text = String::new();
    while at < numbers.end {
        let number = file.number(&mut at, numbers.end)?;
        file.budget().spend(24)?;
        if !text.is_empty() {
            text.push_str(", ");
        }
        text.push_str(&number.to_string());
    }
    Ok(text)
}
