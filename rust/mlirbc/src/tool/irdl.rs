//! Dialects that a text in IRDL defines, as rows of a pack.
//!
//! `mlir-opt --irdl-file` registers such dialects: operations without custom forms and without properties, and attributes and
//! types that are written with their parameters in order.

use std::collections::{BTreeMap, HashMap};

use serde_json::{Map, Value as Json, json};

use crate::attr::{Attribute, FieldValue};
use crate::ir::{InherentAttributes, Module, Operation, Value, ValueId};
use crate::pack::{PackMaker, RowKind};
use crate::parse::{ParseOptions, parse};
use crate::props::PropertyValue;
use crate::release::Release;
use crate::wire::error::{Error, ErrorKind, Result};
use crate::wire::limits::Limits;

/// Adds the dialects of a text in IRDL to a pack.
///
/// ```
/// use mlirbc::pack::{Pack, PackMaker, PackOptions};
/// let options = PackOptions {
///     name: "d".to_owned(), release: "d-irdl".to_owned(), llvm: "llvm-22".to_owned(), ..PackOptions::default()
/// };
/// let limits = mlirbc::limits::Limits::default();
/// let mut maker = PackMaker::new(options)?;
/// let text = "irdl.dialect @d { irdl.operation @one { %0 = irdl.is i32 irdl.results(value: %0) } }";
/// mlirbc::tool::add_irdl(&mut maker, text.as_bytes(), "d.irdl.mlir", &limits)?;
/// assert_eq!(Pack::from_bytes(maker.finish().as_bytes(), &limits)?.coverage(0).dialects["d"].operations, 1);
/// # Ok::<(), mlirbc::Error>(())
/// ```
///
/// # Errors
/// As [`parse`], and [`ErrorKind::Pack`] if the text defines no dialect.
#[doc(hidden)]
pub fn add_irdl(maker: &mut PackMaker, text: &[u8], file: &str, limits: &Limits) -> Result<()> {
    let options = ParseOptions {
        target: Release::named(maker.llvm().to_owned()),
        file: file.to_owned(),
        limits: limits.clone(),
        ..ParseOptions::default()
    };
    let module = parse(text, &options)?;
    let mut classes = HashMap::new();
    let mut definitions = Vec::new();
    for op in module.operation()?.pre_order() {
        let op = op?;
        let kind = match &*op.name() {
            "irdl.operation" => RowKind::Operation,
            "irdl.attribute" => RowKind::Attribute,
            "irdl.type" => RowKind::Type,
            _ => continue,
        };
        let Some(dialect) = op.parent().filter(|parent| parent.name() == "irdl.dialect") else { continue };
        let name = format!("{}.{}", string(&dialect, "sym_name")?, string(&op, "sym_name")?);
        if kind != RowKind::Operation {
            let sigil = if kind == RowKind::Type { '!' } else { '#' };
            classes.insert(name.clone(), format!("{sigil}{name}"));
        }
        definitions.push((kind, name, op));
    }
    if definitions.is_empty() {
        let message = "the text defines no operation, attribute or type".to_owned();
        return Err(Error::message(ErrorKind::Pack, message)
            .with_hint("IRDL defines them inside `irdl.dialect @name { … }`"));
    }
    for (kind, name, op) in definitions {
        let dialect = name.split('.').next().unwrap_or_default().to_owned();
        let mut reader = DefinitionReader::new(&dialect, &classes);
        let mut row = reader.row(kind, &op)?;
        let line = location(&module, &op, file);
        row.extend(line.map(|line| ("at".to_owned(), json!(line))));
        if kind == RowKind::Operation {
            // Dialects of IRDL have no properties: attributes and sizes of groups are in the dictionary.
            maker.add_row(RowKind::Layout, &name, Map::new());
        }
        maker.add_row(kind, &name, row);
    }
    Ok(())
}

/// The file and the line of a definition.
fn location(module: &Module, op: &Operation<'_>, file: &str) -> Option<String> {
    let location = Attribute::of_file(module.tables(), op.location()).ok()??;
    let text = location.to_text(None).ok()?;
    // The name of the file is in quotes: `loc("d.mlir":3:5)`.
    let line = text.rsplit('"').next()?.split(':').nth(1)?;
    let name = file.rsplit('/').next().unwrap_or(file);
    line.parse::<u64>().is_ok().then(|| format!("{name}:{line}"))
}

/// The constraints of one definition, in their order in the text.
struct DefinitionReader<'c> {
    dialect: &'c str,
    /// The classes of attributes and types by `dialect.mnemonic`, with `#` or `!`.
    classes: &'c HashMap<String, String>,
    constraints: Vec<Json>,
    numbers: HashMap<ValueId, usize>,
    regions: HashMap<ValueId, Json>,
}

impl<'c> DefinitionReader<'c> {
    fn new(dialect: &'c str, classes: &'c HashMap<String, String>) -> Self {
        let (numbers, regions) = (HashMap::new(), HashMap::new());
        Self { dialect, classes, constraints: Vec::new(), numbers, regions }
    }

    fn row(&mut self, kind: RowKind, definition: &Operation<'_>) -> Result<Map<String, Json>> {
        let mut row = Map::new();
        let mut variables = Map::new();
        let block = definition.region(0)?.and_then(|region| region.block(0));
        for op in block.into_iter().flat_map(|block| block.operations().collect::<Vec<_>>()) {
            match &*op.name() {
                "irdl.operands" => self.values(&op, "operands", &mut row, &mut variables)?,
                "irdl.results" => self.values(&op, "results", &mut row, &mut variables)?,
                "irdl.attributes" => self.attributes(&op, &mut row, &mut variables)?,
                "irdl.regions" => self.all_regions(&op, &mut row, &mut variables)?,
                "irdl.parameters" => self.parameters(&op, &mut row, &mut variables)?,
                "irdl.region" => self.region(&op)?,
                name => self.constraint(&op, name.strip_prefix("irdl.").unwrap_or(name))?,
            }
        }
        if kind != RowKind::Operation && !variables.contains_key("parameters") {
            variables.insert("parameters".to_owned(), json!([]));
        }
        variables.insert("constraints".to_owned(), json!(self.constraints));
        row.insert("variables".to_owned(), Json::Object(variables));
        Ok(row)
    }

    fn constraint(&mut self, op: &Operation<'_>, name: &str) -> Result<()> {
        let Some(value) = op.results().next() else { return Ok(()) };
        let constraint = match name {
            "any" => json!(["any"]),
            "is" => match attribute(op, "expected")? {
                Some(expected) => json!(["is", expected.to_text(None)?]),
                None => json!(["unknown"]),
            },
            "base" => match attribute(op, "base_ref")? {
                Some(class) => self.class(&class)?.map_or(json!(["unknown"]), |class| json!(["base", class])),
                None => json!(["base", string(op, "base_name")?]),
            },
            "parametric" => {
                let class =
                    attribute(op, "base_type")?.map(|class| self.class(&class)).transpose()?.flatten();
                let parameters = self.numbers_of(op.operands());
                class.map_or(json!(["unknown"]), |class| json!(["parametric", class, parameters]))
            }
            "any_of" | "all_of" => json!([name, self.numbers_of(op.operands())]),
            // `c_pred`, and constraints of later versions.
            _ => json!(["unknown"]),
        };
        self.numbers.insert(value.id(), self.constraints.len());
        self.constraints.push(constraint);
        Ok(())
    }

    fn numbers_of<'m>(&self, values: impl Iterator<Item = Value<'m>>) -> Vec<usize> {
        values.filter_map(|value| self.numbers.get(&value.id()).copied()).collect()
    }

    /// The class of a reference: `@dialect::@name`, or `@name` in the same dialect.
    fn class(&self, reference: &Attribute) -> Result<Option<String>> {
        let text = reference.to_text(None)?;
        let names: Vec<&str> = text.split("::").map(|name| name.trim_matches(['@', '"'])).collect();
        let name = match &names[..] {
            [.., dialect, name] => format!("{dialect}.{name}"),
            [name] => format!("{}.{name}", self.dialect),
            [] => return Ok(None),
        };
        Ok(self.classes.get(&name).cloned())
    }

    fn values(
        &self,
        op: &Operation<'_>,
        key: &str,
        row: &mut Map<String, Json>,
        variables: &mut Map<String, Json>,
    ) -> Result<()> {
        let numbers = self.numbers_of(op.operands());
        let names = strings(op, "names")?;
        let marks = match attribute(op, "variadicity")? {
            Some(variadicity) => marks(&variadicity.to_text(None)?),
            None => Vec::new(),
        };
        let value = |place: usize| {
            let name =
                names.get(place).cloned().unwrap_or_else(|| format!("{}{place}", key.trim_end_matches('s')));
            match marks.get(place).copied().flatten() {
                Some(mark) => json!([name, "AnyType", mark]),
                None => json!([name, "AnyType"]),
            }
        };
        let several = marks.iter().flatten().count() > 1;
        row.insert(key.to_owned(), (0..numbers.len()).map(value).collect());
        if several {
            let name = if key == "operands" { "AttrSizedOperandSegments" } else { "AttrSizedResultSegments" };
            let traits = row.entry("traits").or_insert_with(|| json!([]));
            traits.as_array_mut().into_iter().for_each(|traits| traits.push(json!(name)));
        }
        variables.insert(key.to_owned(), json!(numbers));
        Ok(())
    }

    fn attributes(
        &self,
        op: &Operation<'_>,
        row: &mut Map<String, Json>,
        variables: &mut Map<String, Json>,
    ) -> Result<()> {
        let names = strings(op, "attributeValueNames")?;
        row.insert("attributes".to_owned(), names.iter().map(|name| json!([name, "AnyAttr"])).collect());
        let numbers: BTreeMap<String, usize> =
            names.into_iter().zip(self.numbers_of(op.operands())).collect();
        variables.insert("attributes".to_owned(), json!(numbers));
        Ok(())
    }

    fn region(&mut self, op: &Operation<'_>) -> Result<()> {
        let Some(value) = op.results().next() else { return Ok(()) };
        let mut region = Map::new();
        if attribute(op, "constrainedArguments")?.is_some() {
            region.insert("arguments".to_owned(), json!(self.numbers_of(op.operands())));
        }
        if let Some(FieldValue::Integer { words, .. }) =
            attribute(op, "numberOfBlocks")?.map(|count| count.field("value")).transpose()?.flatten()
        {
            region.insert("blocks".to_owned(), json!(words.first()));
        }
        self.regions.insert(value.id(), Json::Object(region));
        Ok(())
    }

    fn all_regions(
        &self,
        op: &Operation<'_>,
        row: &mut Map<String, Json>,
        variables: &mut Map<String, Json>,
    ) -> Result<()> {
        let regions: Vec<Json> =
            op.operands().filter_map(|value| self.regions.get(&value.id()).cloned()).collect();
        let names = strings(op, "names")?;
        let name = |place: usize| names.get(place).cloned().unwrap_or_else(|| format!("region{place}"));
        row.insert(
            "regions".to_owned(),
            (0..regions.len()).map(|place| json!([name(place), "AnyRegion"])).collect(),
        );
        variables.insert("regions".to_owned(), json!(regions));
        Ok(())
    }

    fn parameters(
        &self,
        op: &Operation<'_>,
        row: &mut Map<String, Json>,
        variables: &mut Map<String, Json>,
    ) -> Result<()> {
        let numbers = self.numbers_of(op.operands());
        let names = strings(op, "names")?;
        let name = |place: usize| names.get(place).cloned().unwrap_or_else(|| format!("parameter{place}"));
        if !numbers.is_empty() {
            let parameter = |place: usize| json!([name(place), "::mlir::Attribute", {"kind": "attribute"}]);
            row.insert("parameters".to_owned(), (0..numbers.len()).map(parameter).collect());
            row.insert("format".to_owned(), json!(["`<", "params", "`>"]));
        }
        variables.insert("parameters".to_owned(), json!(numbers));
        Ok(())
    }
}

/// The marks of groups in `#irdl<variadicity_array[ single, variadic]>`.
fn marks(text: &str) -> Vec<Option<&'static str>> {
    let list = text.split_once('[').and_then(|(_, rest)| rest.split_once(']')).map_or("", |(list, _)| list);
    let mark = |word: &str| match word.trim() {
        "optional" => Some("?"),
        "variadic" => Some("*"),
        _ => None,
    };
    list.split(',').map(mark).collect()
}

/// An inherent attribute of an operation.
fn attribute(op: &Operation<'_>, name: &str) -> Result<Option<Attribute>> {
    let (inherent, discardable) = op.attributes()?;
    let tables = op.module().tables();
    if let InherentAttributes::Known(properties) = &inherent
        && let Some(property) = properties.iter().find(|property| property.name() == name)
        && let PropertyValue::Attribute(index) = property.value
    {
        return Attribute::of_file(tables, index);
    }
    for (key, value) in discardable {
        let key = Attribute::of_file(tables, key)?.map(|key| key.to_text(None)).transpose()?;
        if key.is_some_and(|key| key.trim_matches('"') == name) {
            return Attribute::of_file(tables, value);
        }
    }
    Ok(None)
}

/// The value of an attribute that is a string.
fn string(op: &Operation<'_>, name: &str) -> Result<String> {
    let field = attribute(op, name)?.map(|value| value.field("value")).transpose()?.flatten();
    Ok(text_of(field))
}

fn text_of(field: Option<FieldValue>) -> String {
    match field {
        Some(FieldValue::String(bytes)) => String::from_utf8_lossy(&bytes).into_owned(),
        _ => String::new(),
    }
}

/// The strings of an array.
fn strings(op: &Operation<'_>, name: &str) -> Result<Vec<String>> {
    let list = attribute(op, name)?.map(|value| value.field("value")).transpose()?.flatten();
    let Some(FieldValue::List(items)) = list else { return Ok(Vec::new()) };
    let text = |item: FieldValue| match item {
        FieldValue::Attribute(item) => Ok(text_of(item.field("value")?)),
        _ => Ok(String::new()),
    };
    items.into_iter().map(text).collect()
}
