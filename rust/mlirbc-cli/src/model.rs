//! The container of a module and the summary of a model, for people and as JSON.

use std::io::Write;

use mlirbc::artifact::{NestedContents, NestedModule};
use mlirbc::container::jax::{Aval, Exported, NamedSharding};
use mlirbc::container::{CallAttribute, ContainerKind, ContainerSummary};
use mlirbc::tool::{EntryFunction, EntryValue, JaxReaders, ModelSummary, StableHloVersions};
use mlirbc::{Artifact, Module};
use serde::Serialize;

use crate::output::{Column, Out, TextTable};
use crate::problem::Problem;
use crate::text::{count, printable, shown};

/// Returns the container of a module, or `None` for a plain bytecode file.
pub(crate) fn container(module: &Module) -> mlirbc::Result<Option<ContainerSummary>> {
    module.container().map(|container| container.summary(module.tables().module_index())).transpose()
}

/// Writes the container of the module, if there is one. Returns the summary of the module if it was computed
/// for that.
pub(crate) fn write_container(
    artifact: &Artifact,
    module: &Module,
    out: &mut Out,
) -> Result<Option<ModelSummary>, Problem> {
    let Some(record) = container(module)? else { return Ok(None) };
    if let Some(compression) = record.compression {
        writeln!(
            out,
            "compression: {compression}; {} were decompressed to {} in memory",
            count(record.file_size, "byte"),
            count(record.content_size, "byte"),
        )?;
    }
    if record.kind == ContainerKind::Bytecode {
        return Ok(None);
    }
    let place = &record.modules[record.module];
    writeln!(
        out,
        "container: {}, {}; module {} of {}, at {:#x} in the file",
        record.kind,
        count(record.content_size, "byte"),
        record.module,
        record.modules.len(),
        place.offset,
    )?;
    if record.modules.len() > 1 {
        let mut rows = TextTable::new(&[
            Column::Number("module"),
            Column::Text("path"),
            Column::Text("name"),
            Column::Number("offset in file"),
            Column::Number("size"),
        ]);
        for (index, module) in record.modules.iter().enumerate().take(MODULES) {
            let name = shown(module.name.as_bytes());
            let (path, offset) = (module.path.clone(), format!("{:#x}", module.offset));
            rows.add([index.to_string(), path, name, offset, module.size.to_string()]);
        }
        writeln!(out)?;
        rows.write(out)?;
    }
    write_attributes(&record.attributes, out)?;
    let Some(exported) = record.exported else { return Ok(None) };
    let summary = module.model_summary()?;
    let known_summary = summary.as_ref().map(|summary| (record.module, summary));
    write_exported(&exported, JaxReaders::of_chosen(artifact, known_summary)?, out)?;
    Ok(summary)
}

/// Writes the description of the module's call in a SavedModel or an Orbax manifest.
fn write_attributes(attributes: &[CallAttribute], out: &mut Out) -> Result<(), Problem> {
    if attributes.is_empty() {
        return Ok(());
    }
    let mut rows = TextTable::new(&[Column::Text("attribute of the call"), Column::Text("value")]);
    for attribute in attributes.iter().take(VALUES) {
        rows.add([attribute.name.to_owned(), shown(attribute.text.as_bytes())]);
    }
    writeln!(out)?;
    rows.write(out)?;
    write_rest(attributes.len(), VALUES, "attribute", out)
}

/// Writes the modules and other objects in attributes of the chosen modules.
pub(crate) fn write_nested(artifact: &Artifact, out: &mut Out) -> Result<(), Problem> {
    let NestedContents { modules, objects } = nested_contents(artifact)?;
    if !modules.is_empty() {
        let mut rows = TextTable::new(&[
            Column::Text("kernel"),
            Column::Text("held by"),
            Column::Text("form"),
            Column::Number("size"),
            Column::Text("version"),
        ]);
        for kernel in modules.iter().take(MODULES) {
            let form = if kernel.is_text { "text" } else { "bytecode" };
            let (path, target) = (shown(kernel.path.as_bytes()), shown(kernel.target.as_bytes()));
            let version = kernel.version.as_ref().map(|(name, number)| format!("{name} = {number}"));
            let size = kernel.bytes.len().to_string();
            rows.add([path, target, form.to_owned(), size, version.unwrap_or_default()]);
        }
        writeln!(out)?;
        rows.write(out)?;
        write_rest(modules.len(), MODULES, "kernel", out)?;
        for note in modules.iter().filter_map(NestedModule::note).take(MODULES) {
            writeln!(out, "note: {}", printable(&note))?;
        }
    }
    if !objects.is_empty() {
        let columns = [
            Column::Text("no module"),
            Column::Text("held by"),
            Column::Text("kind"),
            Column::Number("size"),
        ];
        let mut rows = TextTable::new(&columns);
        for object in objects.iter().take(MODULES) {
            let (path, target) = (shown(object.path.as_bytes()), shown(object.target.as_bytes()));
            rows.add([path, target, object.kind.to_owned(), object.bytes.len().to_string()]);
        }
        writeln!(out)?;
        rows.write(out)?;
        write_rest(objects.len(), MODULES, "object", out)?;
    }
    Ok(())
}

/// A module in an attribute, or something else, for `--json`.
#[derive(Serialize)]
pub(crate) struct NestedRecord {
    path: String,
    host: String,
    /// `bytecode` or `text` for a module, otherwise the kind of the object.
    form: &'static str,
    size: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    dialect_version: Option<(String, u64)>,
    #[serde(skip_serializing_if = "Option::is_none")]
    hash_matches: Option<bool>,
}

fn nested_contents(artifact: &Artifact) -> mlirbc::Result<NestedContents> {
    let mut contents = NestedContents::default();
    for index in artifact.chosen() {
        let NestedContents { modules, objects } =
            artifact.nested_contents(index).map_err(|error| artifact.located(index, error))?;
        contents.modules.extend(modules);
        contents.objects.extend(objects);
    }
    Ok(contents)
}

/// Returns the modules and other objects in attributes of the chosen modules.
pub(crate) fn nested_records(artifact: &Artifact) -> mlirbc::Result<Vec<NestedRecord>> {
    let NestedContents { modules, objects } = nested_contents(artifact)?;
    let modules = modules.into_iter().map(|module| NestedRecord {
        path: module.path,
        host: module.target,
        form: if module.is_text { "text" } else { "bytecode" },
        size: module.bytes.len(),
        dialect_version: module.version,
        hash_matches: module.hash_matches,
    });
    let objects = objects.into_iter().map(|object| NestedRecord {
        path: object.path,
        host: object.target,
        form: object.kind,
        size: object.bytes.len(),
        dialect_version: None,
        hash_matches: None,
    });
    Ok(modules.chain(objects).collect())
}

// Shown modules of one file.
const MODULES: usize = 10;
// Shown arguments, and shown results.
const VALUES: usize = 20;

fn write_exported(exported: &Exported, readers: Option<JaxReaders>, out: &mut Out) -> Result<(), Problem> {
    writeln!(
        out,
        "\nexported function: {}, for {}, on {}, calling convention version {}",
        shown(exported.fun_name.as_bytes()),
        shown(exported.platforms.join(", ").as_bytes()),
        count(exported.nr_devices.into(), "device"),
        exported.calling_convention_version,
    )?;
    let version = match (exported.oldest_serialization, exported.newest_serialization) {
        (oldest, newest) if oldest == newest => newest.to_string(),
        (oldest, newest) if oldest + 1 == newest => format!("{oldest} or {newest}"),
        (oldest, newest) => format!("{oldest} to {newest}"),
    };
    let writer = exported.jax_version.as_deref().map(|version| format!(", by JAX {version}"));
    writeln!(out, "  serialization version {version}{}", printable(&writer.unwrap_or_default()))?;
    if let Some(readers) = readers {
        writeln!(out, "  {}", printable(&readers.to_string()))?;
    }
    let mut notes = Vec::new();
    if exported.vjp_order > 0 {
        notes.push(count(exported.vjp_order.into(), "derivative"));
    }
    if exported.uses_global_constants {
        notes.push("uses the platform or dimensions as arguments".to_owned());
    }
    let used_arguments = exported.module_kept_var_idx.len();
    if used_arguments != exported.in_avals.len() {
        notes.push(format!(
            "{} of {} are used",
            used_arguments,
            count(exported.in_avals.len() as u64, "argument")
        ));
    }
    if exported.has_hlo_shardings {
        notes.push("shardings as HLO, which are not decoded".to_owned());
    }
    let mut list = |name: &str, items: &[String]| {
        if !items.is_empty() {
            notes.push(format!("{name}: {}", items.join(", ")));
        }
    };
    list("disabled checks", &exported.disabled_safety_checks);
    list("ordered effects", &exported.ordered_effects);
    list("unordered effects", &exported.unordered_effects);
    if !notes.is_empty() {
        writeln!(out, "  {}", shown(notes.join("; ").as_bytes()))?;
    }
    let inputs =
        (exported.in_paths.as_slice(), exported.in_avals.as_slice(), exported.in_shardings.as_slice());
    let outputs =
        (exported.out_paths.as_slice(), exported.out_avals.as_slice(), exported.out_shardings.as_slice());
    write_avals("argument", inputs, out)?;
    write_avals("result", outputs, out)
}

fn write_avals(
    title: &'static str,
    (paths, avals, shardings): (&[String], &[Aval], &[Option<NamedSharding>]),
    out: &mut Out,
) -> Result<(), Problem> {
    if avals.is_empty() {
        return Ok(());
    }
    let is_sharded = shardings.iter().any(Option::is_some);
    let mut columns = vec![Column::Text(title), Column::Text("type")];
    columns.extend(is_sharded.then_some(Column::Text("sharding")));
    let mut rows = TextTable::new(&columns);
    for (number, aval) in avals.iter().enumerate().take(VALUES) {
        let path = paths.get(number).map_or_else(|| number.to_string(), Clone::clone);
        let mut cells = vec![shown(path.as_bytes()), shown(aval.to_string().as_bytes())];
        let sharding = shardings.get(number).and_then(Option::as_ref).map(ToString::to_string);
        cells.extend(is_sharded.then(|| shown(sharding.unwrap_or_default().as_bytes())));
        rows.add(cells);
    }
    writeln!(out)?;
    rows.write(out)?;
    write_rest(avals.len(), VALUES, title, out)
}

/// Writes the summary of a model.
pub(crate) fn write_summary(model: &ModelSummary, shown_rows: usize, out: &mut Out) -> Result<(), Problem> {
    writeln!(out)?;
    write_versions(&model.stablehlo, out)?;
    let mut notes = Vec::new();
    notes.extend(model.num_partitions.map(|number| count(number, "partition")));
    notes.extend(model.num_replicas.map(|number| count(number, "replica")));
    if model.uses_shape_polymorphism == Some(true) {
        notes.push("shapes depend on the arguments".to_owned());
    }
    if !notes.is_empty() {
        writeln!(out, "program: {}", notes.join(", "))?;
    }
    if let Some(entry) = &model.entry {
        write_entry(entry, out)?;
    }
    if !model.parameters.is_empty() {
        let total = model.parameters.iter().map(|parameter| parameter.size).sum();
        writeln!(
            out,
            "\n{} with {} of data",
            count(model.parameters.len() as u64, "parameter"),
            count(total, "byte")
        )?;
        let mut rows = TextTable::new(&[
            Column::Number("bytes"),
            Column::Text("parameter"),
            Column::Text("name"),
            Column::Text("type"),
        ]);
        for parameter in model.parameters.iter().take(shown_rows) {
            let text = |text: &Option<String>| shown(text.as_deref().unwrap_or_default().as_bytes());
            let kind = parameter.kind.to_owned();
            rows.add([parameter.size.to_string(), kind, text(&parameter.name), text(&parameter.r#type)]);
        }
        rows.write(out)?;
        write_rest(model.parameters.len(), shown_rows, "parameter", out)?;
    }
    if !model.custom_calls.is_empty() {
        let mut rows = TextTable::new(&[Column::Number("count"), Column::Text("target of custom calls")]);
        for call in model.custom_calls.iter().take(shown_rows) {
            rows.add([call.count.to_string(), shown(call.target.as_bytes())]);
        }
        writeln!(out)?;
        rows.write(out)?;
        write_rest(model.custom_calls.len(), shown_rows, "target", out)?;
    }
    Ok(())
}

fn write_versions(versions: &StableHloVersions, out: &mut Out) -> Result<(), Problem> {
    let written = versions.written_for.as_deref().unwrap_or("an unknown version");
    let newest: Vec<_> = versions
        .requirements
        .iter()
        .filter(|requirement| requirement.version == versions.minimum)
        .map(|requirement| requirement.feature.as_str())
        .collect();
    let because = match newest.as_slice() {
        [] => String::new(),
        [one] => format!(", because of {one}"),
        [first, rest @ ..] => format!(", because of {first} and {}", count(rest.len() as u64, "other")),
    };
    let versions = match (versions.is_artifact, &versions.minimum) {
        (true, Some(minimum)) => {
            format!("portable artifact, written for {written}, readable by {minimum} and later{because}")
        }
        (true, None) => {
            format!(
                "portable artifact, written for {written}, readable by a version newer than mlirbc knows{because}"
            )
        }
        (false, Some(minimum)) => {
            format!("not an artifact; artifacts for {minimum} and later can hold it{because}")
        }
        (false, None) => format!("not an artifact; no known version of artifacts can hold it{because}"),
    };
    writeln!(out, "StableHLO: {}", printable(&versions))?;
    Ok(())
}

fn write_entry(entry: &EntryFunction, out: &mut Out) -> Result<(), Problem> {
    writeln!(out, "entry function: @{}", shown(entry.name.as_bytes()))?;
    write_values("argument", &entry.arguments, out)?;
    write_values("result", &entry.results, out)
}

fn write_values(title: &'static str, values: &[EntryValue], out: &mut Out) -> Result<(), Problem> {
    if values.is_empty() {
        return Ok(());
    }
    let is_sharded = values.iter().any(|value| value.sharding.is_some());
    let mut columns = vec![Column::Number(title), Column::Text("name"), Column::Text("type")];
    columns.extend(is_sharded.then_some(Column::Text("sharding")));
    let mut rows = TextTable::new(&columns);
    for (number, value) in values.iter().enumerate().take(VALUES) {
        let text = |text: &Option<String>| shown(text.as_deref().unwrap_or_default().as_bytes());
        let mut cells = vec![number.to_string(), text(&value.name), shown(value.r#type.as_bytes())];
        cells.extend(is_sharded.then(|| text(&value.sharding)));
        rows.add(cells);
    }
    writeln!(out)?;
    rows.write(out)?;
    write_rest(values.len(), VALUES, title, out)
}

fn write_rest(total: usize, shown: usize, noun: &str, out: &mut Out) -> Result<(), Problem> {
    if let hidden @ 1.. = total.saturating_sub(shown) {
        writeln!(out, "... and {}; `--json` has them all", count(hidden as u64, &format!("more {noun}")))?;
    }
    Ok(())
}
