//! Summaries of StableHLO models for their users: compatible versions, arguments and results, and contained
//! data.
//!
//! Owns [`ModelSummary`], which the command line and the Python package present. It is made of one walk over the
//! operations and one pass over the tables of attributes and types. `versions` decides which version of StableHLO
//! reads an artifact.

mod versions;

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap, HashSet};

use serde::Serialize;

use crate::artifact::nested::{named, named_attributes};
use crate::attr::{Attribute, FieldValue, Type};
use crate::format::id::{AttrId, TypeId};
use crate::ir::{Module, Operation, Value};
use crate::ops::holds_constants;
use crate::wire::bytes::Bytes;
use crate::wire::error::{ErrorKind, Result};
use crate::wire::limits::Budget;
use crate::wire::order;

pub(crate) use versions::RequirementKind;
pub use versions::{Requirement, StableHloVersions};

// Longer texts of types and attributes are cut.
const TEXT: usize = 4096;
// The greatest size of one element, a `complex<f64>`. Larger constants are parameters.
const ELEMENT: u64 = 16;

/// A summary of a module of StableHLO, or of VHLO, the dialect of its portable artifacts.
///
/// ```
/// let module = mlirbc::Module::open("../../examples/mlp.jax")?;
/// let model = module.model_summary()?.unwrap();
/// let versions = model.stablehlo;
/// assert_eq!(versions.written_for.as_deref(), Some("1.15.0"));
/// assert_eq!(versions.minimum.as_deref(), Some("1.10.0"));
/// let entry = model.entry.unwrap();
/// assert_eq!(entry.arguments[1].name.as_deref(), Some("params['w0']"));
/// assert_eq!(entry.arguments[1].r#type, "tensor<8x16xf32>");
/// # Ok::<(), mlirbc::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ModelSummary {
    /// The versions of StableHLO that read the portable artifact, or the artifact that a StableHLO module
    /// would become.
    pub stablehlo: StableHloVersions,
    /// The number of partitions of the program, `mhlo.num_partitions`.
    pub num_partitions: Option<u64>,
    /// The number of replicas, `mhlo.num_replicas`.
    pub num_replicas: Option<u64>,
    /// Whether shapes depend on the shapes of the arguments, `jax.uses_shape_polymorphism`.
    pub uses_shape_polymorphism: Option<bool>,
    /// The function `main`, or the first public one.
    pub entry: Option<EntryFunction>,
    /// Constants of more than 16 bytes, and resources, the largest first.
    pub parameters: Vec<Parameter>,
    /// The targets of custom calls with their numbers, the most frequent first.
    pub custom_calls: Vec<CustomCall>,
}

/// The function that a program starts with.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct EntryFunction {
    /// Its symbol name.
    pub name: String,
    /// The arguments.
    pub arguments: Vec<EntryValue>,
    /// The results.
    pub results: Vec<EntryValue>,
}

/// An argument or a result of the entry function.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct EntryValue {
    /// The name that the writer assigned: from the location, or from `jax.result_info`.
    pub name: Option<String>,
    /// The type, in the spelling of the builtin dialect.
    pub r#type: String,
    /// The sharding, `sdy.sharding` or `mhlo.sharding`.
    pub sharding: Option<String>,
}

/// Data that the module holds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Parameter {
    /// `constant` or `resource`.
    pub kind: &'static str,
    /// The key of a resource.
    pub name: Option<String>,
    /// The type; `None` for a resource that nothing gives a type.
    pub r#type: Option<String>,
    /// The size of the data in bytes.
    pub size: u64,
}

/// The target of custom calls.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CustomCall {
    /// The name.
    pub target: String,
    /// The number of calls.
    pub count: u64,
}

impl Module {
    /// Summarizes a module of StableHLO or VHLO; `None` for other modules.
    ///
    /// # Errors
    /// If the module is malformed.
    pub fn model_summary(&self) -> Result<Option<ModelSummary>> {
        let mut has_artifact = false;
        let mut has_model = false;
        for dialect in self.dialects()? {
            has_artifact |= dialect.name == b"vhlo";
            has_model |= matches!(dialect.name, b"vhlo" | b"stablehlo");
        }
        if !has_model {
            return Ok(None);
        }
        let top_level = match self.operation() {
            // Several modules in one file are no artifact.
            Err(error) if error.kind() == ErrorKind::TopLevel => return Ok(None),
            top_level => top_level?,
        };
        let mut reader = Reader::new(self)?;
        for op in top_level.pre_order() {
            self.tables().check_interrupt()?;
            reader.visit(&op?)?;
        }
        self.source().check()?;
        reader.finish(has_artifact).map(Some)
    }
}

/// The operations that a summary distinguishes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Module,
    Function,
    Constant,
    CustomCall,
    Other,
}

struct Reader<'m> {
    module: &'m Module,
    budget: Budget,
    kinds: Vec<Kind>,
    versions: versions::Finder<'m>,
    module_attributes: Vec<(String, Attribute)>,
    entry: Option<Operation<'m>>,
    entry_is_main: bool,
    constants: HashSet<AttrId>,
    parameters: Vec<Parameter>,
    resource_types: HashMap<Bytes, String>,
    custom_calls: BTreeMap<String, u64>,
}

impl<'m> Reader<'m> {
    fn new(module: &'m Module) -> Result<Self> {
        let names = module.tables().dialect_section()?.op_names.len();
        let kinds = (0..names).map(|id| {
            let name = module.op_name(crate::format::id::OpNameId::new(id as u32));
            match name.map(|name| name.full().into_owned()).unwrap_or_default().as_str() {
                "builtin.module" => Kind::Module,
                "vhlo.func_v1" | "func.func" => Kind::Function,
                "vhlo.custom_call_v1" | "vhlo.custom_call_v2" | "stablehlo.custom_call" => Kind::CustomCall,
                name if holds_constants(name) => Kind::Constant,
                _ => Kind::Other,
            }
        });
        Ok(Self {
            module,
            budget: module.tables().work_budget(),
            kinds: kinds.collect(),
            versions: versions::Finder::new(module)?,
            module_attributes: Vec::new(),
            entry: None,
            entry_is_main: false,
            constants: HashSet::new(),
            parameters: Vec::new(),
            resource_types: HashMap::new(),
            custom_calls: BTreeMap::new(),
        })
    }

    fn visit(&mut self, op: &Operation<'m>) -> Result<()> {
        self.versions.visit(op)?;
        match self.kinds.get(op.name_id().index()) {
            Some(Kind::Module) if op.parent().is_none() => self.module_attributes = named_attributes(op)?,
            Some(Kind::Function) => self.function(op)?,
            Some(Kind::Constant) => self.constant(op)?,
            Some(Kind::CustomCall) => self.custom_call(op)?,
            _ => {}
        }
        Ok(())
    }

    fn function(&mut self, op: &Operation<'m>) -> Result<()> {
        if self.entry_is_main || op.parent().is_some_and(|parent| parent.parent().is_some()) {
            return Ok(());
        }
        let attributes = named_attributes(op)?;
        let is_main = string(&attributes, "sym_name")?.as_deref() == Some("main");
        let visibility = string(&attributes, "sym_visibility")?;
        let is_public = visibility.is_none_or(|text| text.is_empty() || text == "public");
        if is_main || self.entry.is_none() && is_public {
            self.entry = Some(*op);
            self.entry_is_main = is_main;
        }
        Ok(())
    }

    fn constant(&mut self, op: &Operation<'m>) -> Result<()> {
        for (_, value) in named_attributes(op)? {
            self.constant_value(&value)?;
        }
        Ok(())
    }

    fn constant_value(&mut self, value: &Attribute) -> Result<()> {
        let is_elements = matches!(
            value.class(),
            Some("DenseIntOrFPElementsAttr" | "DenseResourceElementsAttr" | "TensorV1Attr")
        );
        if !is_elements {
            return Ok(());
        }
        let Some(id) = value.id() else { return Ok(()) };
        if !self.constants.insert(id) {
            return Ok(());
        }
        self.budget.spend(size_of::<AttrId>() * 2)?;
        let mut text = None;
        let (mut data, mut key) = (None, None);
        for (name, field) in value.fields()? {
            match (name.as_str(), field) {
                ("type", FieldValue::Type(of)) => text = Some(of),
                ("data", FieldValue::Blob(bytes)) => data = Some(bytes.len() as u64),
                ("handle", FieldValue::Resource(resource)) => key = Some(resource),
                _ => {}
            }
        }
        let spell = |of: Type| of.to_builtin_text_within(TEXT);
        match (data, key) {
            (Some(bytes), _) if bytes > ELEMENT => {
                let parameter =
                    Parameter { kind: "constant", name: None, r#type: text.map(spell), size: bytes };
                self.budget
                    .spend(size_of::<Parameter>() + parameter.r#type.as_ref().map_or(0, String::len))?;
                self.parameters.push(parameter);
            }
            (_, Some(key)) => {
                let text = text.map(spell).unwrap_or_default();
                self.budget.spend(2 * size_of::<String>() + text.len())?;
                self.resource_types.insert(key, text);
            }
            _ => {}
        }
        Ok(())
    }

    fn custom_call(&mut self, op: &Operation<'m>) -> Result<()> {
        let attributes = named_attributes(op)?;
        let target = string(&attributes, "call_target_name")?.unwrap_or_default();
        match self.custom_calls.get_mut(&target) {
            Some(count) => *count += 1,
            None => {
                self.budget.spend(target.len() + 4 * size_of::<String>())?;
                self.custom_calls.insert(target, 1);
            }
        }
        Ok(())
    }

    fn finish(mut self, has_artifact: bool) -> Result<ModelSummary> {
        for resource in self.module.resources()? {
            if !resource.has_data() || resource.is_external() {
                continue;
            }
            let name = String::from_utf8_lossy(resource.key()).into_owned();
            let r#type = self.resource_types.get(resource.key()).cloned();
            self.budget
                .spend(size_of::<Parameter>() + name.len() + r#type.as_ref().map_or(0, String::len))?;
            let size = resource.size()?;
            self.parameters.push(Parameter { kind: "resource", name: Some(name), r#type, size });
        }
        order::sort_by(&mut self.parameters, |left, right| {
            right
                .size
                .cmp(&left.size)
                .then_with(|| (&left.name, &left.r#type).cmp(&(&right.name, &right.r#type)))
        });
        let mut custom_calls: Vec<_> =
            self.custom_calls.into_iter().map(|(target, count)| CustomCall { target, count }).collect();
        order::sort_by_key(&mut custom_calls, |call| Reverse(call.count));
        let entry = self.entry.map(|op| entry_function(&op, &self.budget)).transpose()?;
        let setting =
            |name: &str| named(&self.module_attributes, name).map(|value| value.to_text_within(TEXT));
        let number = |name: &str| setting(name)?.split(' ').next()?.parse().ok();
        Ok(ModelSummary {
            num_partitions: number("mhlo.num_partitions"),
            num_replicas: number("mhlo.num_replicas"),
            uses_shape_polymorphism: setting("jax.uses_shape_polymorphism").map(|text| text == "true"),
            stablehlo: match has_artifact {
                true => self.versions.finish()?,
                false => versions::of_artifacts(self.module)?,
            },
            entry,
            parameters: self.parameters,
            custom_calls,
        })
    }
}

fn entry_function(op: &Operation<'_>, budget: &Budget) -> Result<EntryFunction> {
    let attributes = named_attributes(op)?;
    let name = string(&attributes, "sym_name")?.unwrap_or_default();
    let listed = |name: &str| named(&attributes, name).map_or(Ok(Vec::new()), items);
    let (of_arguments, of_results) = (listed("arg_attrs")?, listed("res_attrs")?);

    let mut arguments = Vec::new();
    let block = op.region(0)?.and_then(|region| region.block(0));
    for (number, value) in block.into_iter().flat_map(|block| block.arguments()).enumerate() {
        let marks = of_arguments.get(number).map_or(Ok(Vec::new()), pairs)?;
        let name = match name_of_location(&value)? {
            Some(name) => Some(name),
            None => string(&marks, "jax.arg_info")?,
        };
        let r#type = type_text(op.module(), value.r#type())?;
        arguments.push(EntryValue { name, r#type, sharding: sharding(&marks)? });
    }

    let mut results = Vec::new();
    for (number, text) in result_types(&attributes)?.into_iter().enumerate() {
        let marks = of_results.get(number).map_or(Ok(Vec::new()), pairs)?;
        let name = string(&marks, "jax.result_info")?.filter(|name| !name.is_empty());
        results.push(EntryValue { name, r#type: text, sharding: sharding(&marks)? });
    }
    for value in arguments.iter().chain(&results) {
        let text =
            value.name.as_ref().map_or(0, String::len) + value.sharding.as_ref().map_or(0, String::len);
        budget.spend(size_of::<EntryValue>() + value.r#type.len() + text)?;
    }
    Ok(EntryFunction { name, arguments, results })
}

// Returns the results of the type in `function_type`: a `TypeAttr`, of VHLO or not.
fn result_types(attributes: &[(String, Attribute)]) -> Result<Vec<String>> {
    let Some(function) = named(attributes, "function_type") else { return Ok(Vec::new()) };
    let fields = match function.fields()?.pop() {
        Some((_, FieldValue::Type(function))) => function.fields()?,
        _ => return Ok(Vec::new()),
    };
    let results = fields.into_iter().find(|(name, _)| matches!(name.as_str(), "outputs" | "results"));
    let Some((_, FieldValue::List(results))) = results else { return Ok(Vec::new()) };
    let texts = results.into_iter().filter_map(|result| match result {
        FieldValue::Type(of) => Some(of.to_builtin_text_within(TEXT)),
        _ => None,
    });
    Ok(texts.collect())
}

fn type_text(module: &Module, id: TypeId) -> Result<String> {
    let type_value = Type::of_file(module.tables(), id)?;
    Ok(type_value.map_or_else(String::new, |type_value| type_value.to_builtin_text_within(TEXT)))
}

fn sharding(marks: &[(String, Attribute)]) -> Result<Option<String>> {
    if let Some(sharding) = named(marks, "sdy.sharding") {
        return Ok(Some(sharding.to_text_within(TEXT)));
    }
    string(marks, "mhlo.sharding")
}

// Returns the name in `loc("x")`, or the name in a location that was fused.
fn name_of_location(value: &Value<'_>) -> Result<Option<String>> {
    let Some(id) = value.location() else { return Ok(None) };
    let location = Attribute::of_file(value.module().tables(), id)?;
    let Some(location) = location.filter(|location| location.class() == Some("NameLoc")) else {
        return Ok(None);
    };
    match location.field("name")? {
        Some(FieldValue::Attribute(name)) => string_of(&name),
        _ => Ok(None),
    }
}

// ---- attributes of VHLO and of the builtin dialect alike ----

/// Returns the name of the symbol that an operation defines.
pub(super) fn symbol_name(op: &Operation<'_>) -> Result<Option<String>> {
    string(&named_attributes(op)?, "sym_name")
}

fn string(attributes: &[(String, Attribute)], name: &str) -> Result<Option<String>> {
    named(attributes, name).map_or(Ok(None), string_of)
}

fn string_of(value: &Attribute) -> Result<Option<String>> {
    Ok(match value.field("value")? {
        Some(FieldValue::String(bytes)) => {
            let text = String::from_utf8_lossy(&bytes[..bytes.len().min(TEXT)]);
            Some(text.into_owned())
        }
        _ => None,
    })
}

/// The elements of an array.
fn items(array: &Attribute) -> Result<Vec<Attribute>> {
    let Some(FieldValue::List(items)) = array.field("value")? else { return Ok(Vec::new()) };
    let attributes = items.into_iter().filter_map(|item| match item {
        FieldValue::Attribute(item) => Some(item),
        _ => None,
    });
    Ok(attributes.collect())
}

/// The entries of a dictionary.
fn pairs(dictionary: &Attribute) -> Result<Vec<(String, Attribute)>> {
    let Some(FieldValue::List(items)) = dictionary.field("value")? else { return Ok(Vec::new()) };
    let mut pairs = Vec::new();
    for item in items {
        if let FieldValue::List(pair) = item
            && let Ok([FieldValue::Attribute(key), FieldValue::Attribute(value)]) =
                <[FieldValue; 2]>::try_from(pair)
            && let Some(key) = string_of(&key)?
        {
            pairs.push((key, value));
        }
    }
    Ok(pairs)
}
