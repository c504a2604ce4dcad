//! Scopes, and the specifications on the path from an op to the outermost one.

mod verify;

pub use verify::verify;

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use crate::attr::text::entry::string_of;
use crate::attr::text::escape;
use crate::attr::{Attribute, describe};
use crate::dialect::entries::EntryRef;
use crate::edit::symbol::symbol_name_of;
use crate::edit::{EditOp, Editor};
use crate::file::{FileEntries, FileTables};
use crate::format::id::AttrId;
use crate::ir::view::path_of;
use crate::ir::{InherentAttributes, Module, Operation};
use crate::props::codec::split;
use crate::wire::error::{Error, ErrorKind, Result, with_article};
use crate::wire::order::sort_by;

use super::dlti::{DltiAttr, DltiKind};
use super::hooks::ScopeQuestion;
use super::registrations::Registrations;
use super::rfc::{self, Rules};
use super::rules::nested;

/// How an op stores its specification.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Carrier {
    /// By its kind, independently of its name (`ModuleOp::getDataLayoutSpec` in
    /// `mlir/lib/IR/BuiltinDialect.cpp`).
    Kind,
    /// By the name `dlti.dl_spec` (`impl::getDataLayoutSpec` in `mlir/include/mlir/Interfaces/DataLayoutInterfaces.td`).
    Name,
}

/// The scopes of LLVM 22; LLVM has no other scopes.
const SCOPES: [(&str, Carrier); 3] = [
    ("builtin.module", Carrier::Kind),
    ("gpu.module", Carrier::Name),
    ("test.op_with_data_layout", Carrier::Name),
];

/// The dialects of LLVM 16 to 22: their ops are not scopes, except those in [`SCOPES`].
const DIALECTS: [&str; 55] = [
    "acc",
    "affine",
    "amdgpu",
    "amx",
    "arith",
    "arm_neon",
    "arm_sme",
    "arm_sve",
    "async",
    "bufferization",
    "builtin",
    "cf",
    "complex",
    "dlti",
    "emitc",
    "func",
    "gpu",
    "index",
    "irdl",
    "linalg",
    "llvm",
    "math",
    "memref",
    "mesh",
    "ml_program",
    "mpi",
    "nvgpu",
    "nvvm",
    "omp",
    "pdl",
    "pdl_interp",
    "polynomial",
    "ptr",
    "quant",
    "rocdl",
    "scf",
    "shape",
    "shard",
    "smt",
    "sparse_tensor",
    "spirv",
    "tensor",
    "test",
    "test_dyn",
    "test_irdl_to_cpp",
    "tosa",
    "transform",
    "ub",
    "vector",
    "vcix",
    "wasmssa",
    "x86vector",
    "xegpu",
    "xevm",
    "arm_sme_intr",
];

const SPEC: &str = "dlti.dl_spec";
const MODULE: &str = "builtin.module";

/// The allowed names of dlti attributes of ops (`DLTIDialect::verifyOperationAttribute`).
const NAMES: [(&str, DltiKind); 3] = [
    (SPEC, DltiKind::DataLayoutSpec),
    ("dlti.target_system_spec", DltiKind::TargetSystemSpec),
    ("dlti.map", DltiKind::Map),
];

/// An attribute of an op that is relevant to layout.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SiteAttribute {
    name: String,
    /// The text of a dlti attribute; otherwise a description of the attribute.
    value: std::result::Result<Arc<[u8]>, String>,
}

/// An op on the path, with its relevant attributes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Site {
    pub(crate) op: String,
    /// The symbol of the op, or its position.
    pub(crate) path: String,
    /// The attributes by name; ops with the same dictionary share them.
    attributes: Arc<[SiteAttribute]>,
    /// The input of a registered [`ScopeSpecification`](super::ScopeSpecification).
    specified: Option<SpecificationInput>,
}

/// The attributes of an op that carries its specification elsewhere.
#[derive(Debug, Clone, PartialEq, Eq)]
struct SpecificationInput {
    attributes: Vec<(String, Attribute)>,
    region: Option<u32>,
}

/// The path from an op outward, innermost first, without irrelevant ops; and the dialects in use.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Sites {
    pub(crate) sites: Vec<Site>,
    pub(crate) dialects: HashSet<String>,
}

/// Returns the symbol that an op defines, if any.
///
/// # Errors
/// If the properties of the op are malformed.
#[doc(hidden)]
pub fn symbol_of(op: &Operation<'_>) -> Result<Option<Vec<u8>>> {
    const SYMBOL: &str = "sym_name";
    let entries = op.module().tables().entries()?;
    let (inherent, discardable) = op.attributes()?;
    let property = match &inherent {
        InherentAttributes::Known(properties) => properties
            .iter()
            .find(|property| property.name() == SYMBOL)
            .and_then(|property| property.value.attribute()),
        _ => None,
    };
    let is_symbol = |name: AttrId| string_of(&entries, name) == Some(SYMBOL.as_bytes());
    let value = property.or_else(|| discardable.iter().find(|(name, _)| is_symbol(*name)).map(|pair| pair.1));
    Ok(value.and_then(|value| symbol_name_of(&entries, value)).map(<[u8]>::to_vec))
}

/// Returns the region in scope at an op with a single region: the contents of the op.
fn sole_region(count: u32) -> Option<u32> {
    (count == 1).then_some(0)
}

fn symbol_path(op: &str, symbol: Option<&[u8]>, place: impl FnOnce() -> String) -> String {
    match symbol {
        Some(symbol) => {
            let mut text = format!("{op} ").into_bytes();
            escape::write_symbol_name(&mut text, symbol);
            String::from_utf8_lossy(&text).into_owned()
        }
        None => place(),
    }
}

impl Sites {
    /// Reads dictionaries of the ops around `op` only; no body is decoded.
    pub(crate) fn of_operation(
        op: Operation<'_>,
        region: Option<u32>,
        types: &Registrations,
    ) -> Result<Self> {
        let (module, mut region) = (op.module(), region.or_else(|| sole_region(op.region_count())));
        // The table of attributes may be long, and often no enclosing op has attributes.
        let mut attributes: Option<SiteAttributes<'_>> = None;
        let mut this = Self::of_dialects(module)?;
        // The enclosing ops, and the position of each site among them.
        let (mut ops, mut places) = (Vec::new(), Vec::new());
        let mut next = Some(op);
        while let Some(op) = next {
            next = op.parent();
            let dictionary = op.attribute_dictionary();
            let op_attributes = match (dictionary, &mut attributes) {
                (None, _) => Arc::from([]),
                (Some(dictionary), Some(attributes)) => attributes.get(dictionary)?,
                (Some(dictionary), none) => none.insert(SiteAttributes::new(module)?).get(dictionary)?,
            };
            let name = short_name(&op);
            let is_specified = types.specification(&name).is_some();
            let specified = is_specified.then(|| SpecificationInput::of(&op, region)).transpose()?;
            if !op_attributes.is_empty() || specified.is_some() || name == MODULE {
                this.sites.push(Site { op: name, path: String::new(), attributes: op_attributes, specified });
                places.push(ops.len());
            }
            region = Some(op.block().region().number());
            ops.push(op);
        }
        // Computing positions is expensive, and most ops are irrelevant.
        for (site, place) in this.sites.iter_mut().zip(places) {
            if !site.attributes.is_empty() || site.specified.is_some() {
                let path = || path_of(&ops[place..]);
                site.path = symbol_path(&site.op, symbol_of(&ops[place])?.as_deref(), path);
            }
        }
        Ok(this)
    }

    fn of_dialects(module: &Module) -> Result<Self> {
        let mut this = Self::default();
        for dialect in module.dialects()? {
            // MLIR does not load a dialect that it does not know, so the keys of the dialect are not checked.
            if let Some(dialect_name) =
                DIALECTS.iter().find(|dialect_name| dialect_name.as_bytes() == dialect.name)
            {
                this.dialects.insert((*dialect_name).to_owned());
            }
        }
        Ok(this)
    }

    pub(crate) fn of_edit(
        editor: &Editor,
        op: EditOp,
        region: Option<u32>,
        types: &Registrations,
    ) -> Result<Self> {
        let mut region = match region {
            None => sole_region(editor.region_count(op)?),
            region => region,
        };
        let mut this = Self::of_dialects(editor.base())?;
        let mut specs = SharedTexts::new();
        let mut next = Some(op);
        while let Some(op) = next {
            let name = editor.name(op)?;
            this.add_dialect(name.split('.').next().unwrap_or_default());
            let (mut attributes, mut symbol) = (Vec::new(), None);
            let is_specified = types.specification(&name).is_some();
            let mut specified = is_specified.then(|| SpecificationInput { attributes: Vec::new(), region });
            for attribute in editor.attributes(op)? {
                if let Some(specified) = &mut specified {
                    let name = String::from_utf8_lossy(&attribute.name).into_owned();
                    specified.attributes.push((name, attribute.value.clone()));
                }
                if attribute.name == b"sym_name" {
                    symbol = super::entry::string(&attribute.value);
                }
                let value = match attribute.value.text() {
                    Some(text) if attribute.value.dialect() == "dlti" => Ok(Arc::from(&*text)),
                    _ if attribute.name == rfc::SPEC.as_bytes() => {
                        // Many nested ops may share one specification.
                        match specs.entry((attribute.value.0.home.address(), attribute.value.0.of)) {
                            Entry::Occupied(shared) => Ok(shared.get().1.clone()),
                            Entry::Vacant(row) => {
                                let text: Arc<[u8]> = attribute.value.to_text(None)?.into_bytes().into();
                                Ok(row.insert((attribute.value.clone(), text)).1.clone())
                            }
                        }
                    }
                    _ if attribute.name.starts_with(b"dlti.") => Err(kind_of(&attribute.value)),
                    _ => continue,
                };
                let name = String::from_utf8_lossy(&attribute.name).into_owned();
                attributes.push(SiteAttribute { name, value });
            }
            sort_by(&mut attributes, |left, right| left.name.cmp(&right.name));
            let path = symbol_path(&name, symbol.as_deref().map(str::as_bytes), || name.clone());
            this.sites.push(Site { op: name, path, attributes: attributes.into(), specified });
            let within = editor.block_of(op)?.map(|block| editor.region_of(block)).transpose()?.flatten();
            next = editor.parent(op)?;
            region = match (within, next) {
                (Some(within), Some(_)) if types.has_specifications() => Some(editor.region_number(within)?),
                _ => None,
            };
        }
        Ok(this)
    }

    fn add_dialect(&mut self, name: &str) {
        if DIALECTS.contains(&name) {
            self.dialects.insert(name.to_owned());
        }
    }

    /// Reads the attributes.
    pub(crate) fn read(&self, types: &Registrations) -> Result<PathSpecs> {
        let mut path_specs = PathSpecs::default();
        let mut parsed = Parsed::default();
        for site in &self.sites {
            let SiteSpecs { spec, system, queryable } = site.read(types, &mut parsed)?;
            if let Some((attribute, spec)) = spec {
                path_specs.specs.push(LocatedSpec {
                    op: site.op.clone(),
                    path: site.path.clone(),
                    attribute,
                    spec,
                });
            }
            path_specs.queryable = path_specs.queryable.or(queryable);
            if site.op == MODULE && !path_specs.has_module {
                (path_specs.has_module, path_specs.system) = (true, system);
            }
        }
        path_specs.specs.reverse();
        Ok(path_specs)
    }
}

/// Parsed attributes by the address of their text; texts live as long as their sites.
type Parsed = HashMap<*const u8, DltiAttr>;

/// Texts by the address of their attribute; the attribute is stored with the text.
type SharedTexts = HashMap<(usize, EntryRef), (Attribute, Arc<[u8]>)>;

/// The specifications and queryable attributes of a site.
struct SiteSpecs {
    spec: Option<(String, DltiAttr)>,
    system: Option<DltiAttr>,
    queryable: Option<DltiAttr>,
}

impl Site {
    fn read(&self, types: &Registrations, parsed: &mut Parsed) -> Result<SiteSpecs> {
        let (mut system, mut queryable) = (None, None);
        let answer = self.specified.as_ref().map(|specified| specified.read(&self.op, types)).transpose();
        let mut spec = answer.map_err(|error| error.with_path(self.path.clone()))?.flatten();
        // A registered specification has seen the attributes and replaces them.
        let is_specified = spec.is_some();
        let carrier = if is_specified { Some(None) } else { carrier(&self.op, types) };
        for attribute in &*self.attributes {
            let name = &attribute.name;
            if name == rfc::SPEC {
                let counts =
                    types.rules == Rules::Rfc && !is_specified && types.is_scope(&self.op) != Some(false);
                if counts && let Ok(text) = &attribute.value {
                    let value = attribute.read_spec(text, parsed).map_err(|error| self.error(error, name))?;
                    if let Some((first, _)) = spec.replace((name.clone(), value)) {
                        return Err(self.two_specs(&first, name));
                    }
                }
                continue;
            }
            let Some(value) = attribute.read(self, parsed)? else { continue };
            // Under the rules of the RFC, specifications are queried combined.
            let is_queried = types.rules == Rules::Mlir || value.kind() != DltiKind::DataLayoutSpec;
            if queryable.is_none() && is_queried && value.kind().is_queryable() {
                queryable = Some(value.clone());
            }
            let counts = match carrier {
                Some(Some(Carrier::Kind)) => true,
                Some(Some(Carrier::Name)) => name == SPEC,
                Some(None) => false,
                None => name == SPEC,
            };
            match value.kind() {
                DltiKind::DataLayoutSpec if counts => {
                    if carrier.is_none() {
                        let message =
                            format!("`{}` has `{SPEC}`, but it is not known whether it is a scope", self.op);
                        return Err(self.error(Error::message(ErrorKind::LayoutUnknownScope, message), name));
                    }
                    if let Some((first, _)) = spec.replace((name.clone(), value)) {
                        return Err(self.two_specs(&first, name));
                    }
                }
                DltiKind::TargetSystemSpec if self.op == MODULE && system.is_none() => system = Some(value),
                _ => {}
            }
        }
        Ok(SiteSpecs { spec, system, queryable })
    }
}

/// The relevant attributes of ops; many ops share a dictionary.
struct SiteAttributes<'m> {
    entries: FileEntries<'m>,
    by_dictionary: HashMap<u32, Arc<[SiteAttribute]>>,
    tables: &'m FileTables,
    /// The texts of array specifications; many dictionaries may share one text.
    specs: HashMap<u32, Arc<[u8]>>,
}

impl<'m> SiteAttributes<'m> {
    fn new(module: &'m Module) -> Result<Self> {
        let (by_dictionary, specs) = (HashMap::new(), HashMap::new());
        Ok(Self { entries: module.tables().entries()?, by_dictionary, tables: module.tables(), specs })
    }

    fn get(&mut self, dictionary: AttrId) -> Result<Arc<[SiteAttribute]>> {
        if let Some(attributes) = self.by_dictionary.get(&dictionary.number()) {
            return Ok(attributes.clone());
        }
        let (entries, mut attributes) = (&self.entries, Vec::new());
        let (mut inherent, mut pairs) = (Vec::new(), Vec::new());
        split(None, dictionary, entries, &mut inherent, &mut pairs)?;
        for (name, value) in pairs {
            let name = string_of(entries, AttrId::new(name)).unwrap_or_default();
            let entry_ref = EntryRef::Attribute(AttrId::new(value));
            let Some(entry) = entries.raw(entry_ref) else { continue };
            let value = match entry.text() {
                Some(text) if entry.dialect == b"dlti" => Ok(text.into()),
                _ if name.starts_with(b"dlti.") => Err(describe(&entry, entry_ref)),
                _ if name == rfc::SPEC.as_bytes() => match self.specs.get(&value) {
                    Some(text) => Ok(text.clone()),
                    None => {
                        let Some(attribute) = Attribute::of_file(self.tables, AttrId::new(value))? else {
                            continue;
                        };
                        let text: Arc<[u8]> = attribute.to_text(None)?.into_bytes().into();
                        self.specs.insert(value, text.clone());
                        Ok(text)
                    }
                },
                _ => continue,
            };
            attributes.push(SiteAttribute { name: String::from_utf8_lossy(name).into_owned(), value });
        }
        sort_by(&mut attributes, |left, right| left.name.cmp(&right.name));
        let attributes: Arc<[SiteAttribute]> = attributes.into();
        self.by_dictionary.insert(dictionary.number(), attributes.clone());
        Ok(attributes)
    }
}

impl SiteAttribute {
    /// Parses the attribute, if the attribute is a dlti attribute of the kind that its name requires.
    fn read(&self, site: &Site, parsed: &mut Parsed) -> Result<Option<DltiAttr>> {
        let expected_kind = NAMES.iter().find(|(known, _)| *known == self.name).map(|(_, kind)| *kind);
        if expected_kind.is_none() && self.name.starts_with("dlti.") {
            let known_names: Vec<_> = NAMES.iter().map(|(name, _)| format!("`{name}`")).collect();
            let (name, known_names) = (&self.name, known_names.join(", "));
            let message =
                format!("unknown attribute `{name}` of dialect dlti; the known ones are {known_names}");
            let error = Error::message(ErrorKind::LayoutUnknownAttribute, message);
            return Err(site.error(error, &self.name));
        }
        let value = match &self.value {
            Ok(text) => Ok(match parsed.entry(text.as_ptr()) {
                Entry::Occupied(attribute) => attribute.get().clone(),
                Entry::Vacant(row) => {
                    row.insert(DltiAttr::parse(text).map_err(|error| site.error(error, &self.name))?).clone()
                }
            }),
            Err(other) => Err(other),
        };
        match (value, expected_kind) {
            (Ok(value), None) => Ok(Some(value)),
            (Ok(value), Some(kind)) if value.kind() == kind => Ok(Some(value)),
            (Err(_), None) => Ok(None),
            (value, Some(kind)) => {
                let actual =
                    value.map_or_else(|other| other.clone(), |value| with_article(value.kind().class()));
                let error = Error::new(ErrorKind::LayoutAttributeKind, with_article(kind.class()), actual);
                Err(site.error(error, &self.name))
            }
        }
    }
}

impl SiteAttribute {
    fn read_spec(&self, text: &Arc<[u8]>, parsed: &mut Parsed) -> Result<DltiAttr> {
        Ok(match parsed.entry(text.as_ptr()) {
            Entry::Occupied(known) => known.get().clone(),
            Entry::Vacant(row) => row.insert(rfc::parse_spec(text)?).clone(),
        })
    }
}

impl SpecificationInput {
    fn of(op: &Operation<'_>, region: Option<u32>) -> Result<Self> {
        let (module, mut attributes) = (op.module(), Vec::new());
        let entries = module.tables().entries()?;
        let mut add = |name: &[u8], value: AttrId| {
            if let Some(value) = Attribute::of_file(module.tables(), value)? {
                attributes.push((String::from_utf8_lossy(name).into_owned(), value));
            }
            Ok::<_, Error>(())
        };
        let (inherent, discardable) = op.attributes()?;
        if let InherentAttributes::Known(properties) = &inherent {
            for property in properties {
                if let Some(value) = property.value.attribute() {
                    add(property.name().as_bytes(), value)?;
                }
            }
        }
        for (name, value) in discardable {
            add(string_of(&entries, name).unwrap_or_default(), value)?;
        }
        Ok(Self { attributes, region })
    }

    fn read(&self, op: &str, types: &Registrations) -> Result<Option<(String, DltiAttr)>> {
        let Some(specification) = types.specification(op) else { return Ok(None) };
        let question = ScopeQuestion { op, attributes: &self.attributes, region: self.region };
        // The position of an attribute in reports.
        let name = || match self.region {
            Some(region) => format!("registered for region {region}"),
            None => "registered".to_owned(),
        };
        let subject = || format!("the registered specification of `{op}`");
        Ok(nested(subject, || specification.specification(&question))?.map(|spec| (name(), spec)))
    }
}

impl Site {
    #[cold]
    fn two_specs(&self, first: &str, name: &str) -> Error {
        let message = format!("the operation has two specifications, `{first}` and `{name}`");
        self.error(Error::message(ErrorKind::LayoutTwoSpecs, message), name)
    }

    #[cold]
    fn error(&self, error: Error, attribute: &str) -> Error {
        error.with_path(format!("{}, attribute `{attribute}`", self.path))
    }
}

/// How an op with that name stores its specification: `None` if the op is unknown.
fn carrier(op: &str, types: &Registrations) -> Option<Option<Carrier>> {
    if let Some(is_scope) = types.is_scope(op) {
        return Some(is_scope.then_some(Carrier::Name));
    }
    if let Some((_, carrier)) = SCOPES.iter().find(|(name, _)| *name == op) {
        return Some(Some(*carrier));
    }
    if types.specification(op).is_some() {
        return Some(Some(Carrier::Name));
    }
    let dialect = op.split('.').next().unwrap_or_default();
    DIALECTS.contains(&dialect).then_some(None)
}

/// The maximum length of the name of a scope.
const MAX_NAME: usize = 1000;

/// The name of an op, truncated: many ops may share one long dialect name.
fn short_name(op: &Operation<'_>) -> String {
    let Some(name) = op.operation_name() else { return String::new() };
    if name.dialect.len() + name.stem.len() < MAX_NAME {
        return name.full().into_owned();
    }
    let dialect = name.dialect.get(..MAX_NAME).unwrap_or(name.dialect);
    let stem = name.stem.get(..MAX_NAME - dialect.len()).unwrap_or(name.stem);
    format!("{}.{}…", String::from_utf8_lossy(dialect), String::from_utf8_lossy(stem))
}

/// Whether an op is a scope.
pub(crate) fn begins_scope(op: &Operation<'_>, types: &Registrations) -> bool {
    is_scope(&short_name(op), types)
}

/// Whether an op with that name is a scope.
pub(crate) fn is_scope(op: &str, types: &Registrations) -> bool {
    matches!(carrier(op, types), Some(Some(_)))
}

fn kind_of(value: &Attribute) -> String {
    value.class().map_or_else(|| format!("an attribute of the {} dialect", value.dialect()), str::to_owned)
}

/// A specification with its position.
#[derive(Debug, Clone)]
pub(crate) struct LocatedSpec {
    pub(crate) op: String,
    pub(crate) path: String,
    pub(crate) attribute: String,
    pub(crate) spec: DltiAttr,
}

/// The specifications on the path from an op to the outermost scope.
#[derive(Debug, Clone, Default)]
pub(crate) struct PathSpecs {
    /// The specifications, the outermost first.
    pub(crate) specs: Vec<LocatedSpec>,
    /// The description of the target at the nearest module.
    pub(crate) system: Option<DltiAttr>,
    /// The nearest queryable attribute (`getClosestQueryable` in `mlir/lib/Dialect/DLTI/DLTI.cpp`).
    pub(crate) queryable: Option<DltiAttr>,
    has_module: bool,
}
