//! Which ops are scopes, and what stands on the way from an op to the outermost one.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use crate::attr::text::entry::string_of;
use crate::attr::text::escape;
use crate::attr::{Attribute, describe};
use crate::dialect::entries::EntryRef;
use crate::edit::{EditOp, Editor};
use crate::file::FileEntries;
use crate::format::id::{AttrId, OpNameId};
use crate::ir::view::path_of;
use crate::ir::{InherentAttributes, Module, Operation};
use crate::props::codec::split;
use crate::wire::error::{Error, ErrorKind, Result, with_article};
use crate::wire::limits::Budget;

use super::dlti::{DltiAttr, DltiKind};
use super::open::Registrations;
use super::spec::{InForce, Nesting};
use super::{DataLayout, Options};

/// How an op carries its specification.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Carrier {
    /// By its kind, whatever its name (`ModuleOp::getDataLayoutSpec` in `mlir/lib/IR/BuiltinDialect.cpp`).
    Kind,
    /// By the name `dlti.dl_spec` (`impl::getDataLayoutSpec` in `mlir/include/mlir/Interfaces/DataLayoutInterfaces.td`).
    Name,
}

/// The scopes of LLVM 22. There are no others.
const SCOPES: [(&str, Carrier); 3] = [
    ("builtin.module", Carrier::Kind),
    ("gpu.module", Carrier::Name),
    ("test.op_with_data_layout", Carrier::Name),
];

/// The dialects of LLVM 16 to 22: their ops are no scopes, unless they stand above.
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

/// Names that attributes of ops may have in the dlti dialect (`DLTIDialect::verifyOperationAttribute`).
const NAMES: [(&str, DltiKind); 3] = [
    (SPEC, DltiKind::DataLayoutSpec),
    ("dlti.target_system_spec", DltiKind::TargetSystemSpec),
    ("dlti.map", DltiKind::Map),
];

/// An attribute of an op that has to do with layout.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SiteAttribute {
    name: String,
    /// Its text, if it is of the dlti dialect; else what it is.
    value: std::result::Result<Arc<[u8]>, String>,
}

/// An op on the way, with what has to do with layout.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Site {
    pub(crate) op: String,
    /// What to call it: its symbol, or its place.
    pub(crate) path: String,
    /// By name; ops with one dictionary share them.
    attributes: Arc<[SiteAttribute]>,
}

/// The way from an op outward, innermost first, without the ops that have no say; and the dialects in use.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Sites {
    pub(crate) sites: Vec<Site>,
    pub(crate) dialects: HashSet<String>,
}

/// The symbol that an op defines, if it defines one.
///
/// # Errors
/// When its properties are malformed.
pub fn symbol_of(op: &Operation<'_>) -> Result<Option<Vec<u8>>> {
    const SYMBOL: &str = "sym_name";
    let entries = op.module().entries()?;
    let (inherent, discardable) = op.attributes()?;
    let property = match &inherent {
        InherentAttributes::Known(properties) => properties
            .iter()
            .find(|property| property.name() == SYMBOL)
            .and_then(|property| property.value.attribute()),
        _ => None,
    };
    let is_symbol = |name: AttrId| string_of(&entries, name.0) == Some(SYMBOL.as_bytes());
    let value = property.or_else(|| discardable.iter().find(|(name, _)| is_symbol(*name)).map(|pair| pair.1));
    Ok(value.and_then(|value| string_of(&entries, value.0)).map(<[u8]>::to_vec))
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
    /// Reads dictionaries of the ops around `op` alone; no body is decoded.
    pub(crate) fn of_operation(op: Operation<'_>) -> Result<Self> {
        let module = op.module();
        // The table of attributes may be long, and nobody around may have any.
        let mut attributes: Option<SiteAttributes<'_>> = None;
        let mut this = Self::of_dialects(module)?;
        // The ops from here outward, and where each site is among them.
        let (mut ops, mut places) = (Vec::new(), Vec::new());
        let mut next = Some(op);
        while let Some(op) = next {
            next = op.parent();
            let dictionary = op.attribute_dictionary();
            let own = match (dictionary, &mut attributes) {
                (None, _) => Arc::from([]),
                (Some(dictionary), Some(attributes)) => attributes.get(dictionary)?,
                (Some(dictionary), none) => none.insert(SiteAttributes::new(module)?).get(dictionary)?,
            };
            let name = short_name(&op);
            if !own.is_empty() || name == MODULE {
                this.sites.push(Site { op: name, path: String::new(), attributes: own });
                places.push(ops.len());
            }
            ops.push(op);
        }
        // Where they are takes time to find out, and most have nothing to say.
        for (site, place) in this.sites.iter_mut().zip(places) {
            if !site.attributes.is_empty() {
                let path = || path_of(&ops[place..]);
                site.path = symbol_path(&site.op, symbol_of(&ops[place])?.as_deref(), path);
            }
        }
        Ok(this)
    }

    fn of_dialects(module: &Module) -> Result<Self> {
        let mut this = Self::default();
        for dialect in module.dialects()? {
            // A dialect that MLIR does not have is not loaded there, so that its keys mean nothing.
            if let Some(known) = DIALECTS.iter().find(|known| known.as_bytes() == dialect.name) {
                this.dialects.insert((*known).to_owned());
            }
        }
        Ok(this)
    }

    pub(crate) fn of_edit(editor: &Editor, op: EditOp) -> Result<Self> {
        let mut this = Self::of_dialects(editor.base())?;
        let mut next = Some(op);
        while let Some(op) = next {
            let name = editor.name(op)?;
            this.add_dialect(name.split('.').next().unwrap_or_default());
            let (mut attributes, mut symbol) = (Vec::new(), None);
            for attribute in editor.attributes(op)? {
                if attribute.name == b"sym_name" {
                    symbol = super::entry::string(&attribute.value);
                }
                let value = match attribute.value.text() {
                    Some(text) if attribute.value.dialect() == "dlti" => Ok(Arc::from(&*text)),
                    _ if attribute.name.starts_with(b"dlti.") => Err(kind_of(&attribute.value)),
                    _ => continue,
                };
                let name = String::from_utf8_lossy(&attribute.name).into_owned();
                attributes.push(SiteAttribute { name, value });
            }
            attributes.sort_by(|left, right| left.name.cmp(&right.name));
            let path = symbol_path(&name, symbol.as_deref().map(str::as_bytes), || name.clone());
            this.sites.push(Site { op: name, path, attributes: attributes.into() });
            next = editor.parent(op)?;
        }
        Ok(this)
    }

    fn add_dialect(&mut self, name: &str) {
        if DIALECTS.contains(&name) {
            self.dialects.insert(name.to_owned());
        }
    }

    /// Reads what they carry.
    pub(crate) fn read(&self, types: &Registrations) -> Result<Found> {
        let mut found = Found::default();
        let mut parsed = Parsed::default();
        for site in &self.sites {
            let SiteFound { spec, system, queryable } = site.read(types, &mut parsed)?;
            if let Some((attribute, spec)) = spec {
                found.specs.push(Carried { op: site.op.clone(), path: site.path.clone(), attribute, spec });
            }
            found.queryable = found.queryable.or(queryable);
            if site.op == MODULE && !found.has_module {
                (found.has_module, found.system) = (true, system);
            }
        }
        found.specs.reverse();
        Ok(found)
    }
}

/// Attributes taken apart, by where their text is; texts stay as long as their sites do.
type Parsed = HashMap<*const u8, DltiAttr>;

/// What a site carries.
struct SiteFound {
    spec: Option<(String, DltiAttr)>,
    system: Option<DltiAttr>,
    queryable: Option<DltiAttr>,
}

impl Site {
    fn read(&self, types: &Registrations, parsed: &mut Parsed) -> Result<SiteFound> {
        let (mut spec, mut system, mut queryable) = (None, None, None);
        let carrier = carrier(&self.op, types);
        for attribute in &*self.attributes {
            let name = &attribute.name;
            let Some(value) = attribute.read(self, parsed)? else { continue };
            if queryable.is_none() && value.kind().is_queryable() {
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
                        let message = format!("the operation has two specifications, `{first}` and `{name}`");
                        return Err(self.error(Error::message(ErrorKind::LayoutTwoSpecs, message), name));
                    }
                }
                DltiKind::TargetSystemSpec if self.op == MODULE && system.is_none() => system = Some(value),
                _ => {}
            }
        }
        Ok(SiteFound { spec, system, queryable })
    }
}

/// The attributes of ops that have to do with layout; many ops share a dictionary.
struct SiteAttributes<'m> {
    entries: FileEntries<'m>,
    known: HashMap<u32, Arc<[SiteAttribute]>>,
}

impl<'m> SiteAttributes<'m> {
    fn new(module: &'m Module) -> Result<Self> {
        Ok(Self { entries: module.entries()?, known: HashMap::new() })
    }

    fn get(&mut self, dictionary: AttrId) -> Result<Arc<[SiteAttribute]>> {
        if let Some(known) = self.known.get(&dictionary.0) {
            return Ok(known.clone());
        }
        let (entries, mut attributes) = (&self.entries, Vec::new());
        let (mut inherent, mut pairs) = (Vec::new(), Vec::new());
        split(None, dictionary.0, entries, &mut inherent, &mut pairs)?;
        for (name, value) in pairs {
            let name = string_of(entries, name).unwrap_or_default();
            let of = EntryRef::Attribute(value);
            let Some(entry) = entries.raw(of) else { continue };
            let value = match entry.text() {
                Some(text) if entry.dialect == b"dlti" => Ok(text.into()),
                _ if name.starts_with(b"dlti.") => Err(describe(&entry, of)),
                _ => continue,
            };
            attributes.push(SiteAttribute { name: String::from_utf8_lossy(name).into_owned(), value });
        }
        attributes.sort_by(|left, right| left.name.cmp(&right.name));
        let attributes: Arc<[SiteAttribute]> = attributes.into();
        self.known.insert(dictionary.0, attributes.clone());
        Ok(attributes)
    }
}

impl SiteAttribute {
    /// The attribute taken apart, if it is of the dlti dialect and has the kind that its name wants.
    fn read(&self, site: &Site, parsed: &mut Parsed) -> Result<Option<DltiAttr>> {
        let wanted = NAMES.iter().find(|(known, _)| *known == self.name).map(|(_, kind)| *kind);
        if wanted.is_none() && self.name.starts_with("dlti.") {
            let known: Vec<_> = NAMES.iter().map(|(name, _)| format!("`{name}`")).collect();
            let (name, known) = (&self.name, known.join(", "));
            let message = format!("unknown attribute `{name}` of dialect dlti; the known ones are {known}");
            let error = Error::message(ErrorKind::LayoutUnknownAttribute, message);
            return Err(site.error(error, &self.name));
        }
        let value = match &self.value {
            Ok(text) => Ok(match parsed.entry(text.as_ptr()) {
                Entry::Occupied(known) => known.get().clone(),
                Entry::Vacant(row) => {
                    row.insert(DltiAttr::parse(text).map_err(|error| site.error(error, &self.name))?).clone()
                }
            }),
            Err(other) => Err(other),
        };
        match (value, wanted) {
            (Ok(value), None) => Ok(Some(value)),
            (Ok(value), Some(kind)) if value.kind() == kind => Ok(Some(value)),
            (Err(_), None) => Ok(None),
            (value, Some(kind)) => {
                let found =
                    value.map_or_else(|other| other.clone(), |value| with_article(value.kind().class()));
                let error = Error::new(ErrorKind::LayoutAttributeKind, with_article(kind.class()), found);
                Err(site.error(error, &self.name))
            }
        }
    }
}

impl Site {
    #[cold]
    fn error(&self, error: Error, attribute: &str) -> Error {
        error.with_path(format!("{}, attribute `{attribute}`", self.path))
    }
}

/// How an op of that name carries its specification: `None` when that is not known.
fn carrier(op: &str, types: &Registrations) -> Option<Option<Carrier>> {
    if let Some(is_scope) = types.is_scope(op) {
        return Some(is_scope.then_some(Carrier::Name));
    }
    if let Some((_, carrier)) = SCOPES.iter().find(|(name, _)| *name == op) {
        return Some(Some(*carrier));
    }
    let dialect = op.split('.').next().unwrap_or_default();
    DIALECTS.contains(&dialect).then_some(None)
}

/// How long the name of an op is at most; no scope has a longer one.
const LONGEST_NAME: usize = 1000;

/// The name of an op, and of a longer one the beginning: many ops may share one long dialect name.
fn short_name(op: &Operation<'_>) -> String {
    let Some(name) = op.operation_name() else { return String::new() };
    if name.dialect.len() + name.stem.len() < LONGEST_NAME {
        return name.full().into_owned();
    }
    let dialect = name.dialect.get(..LONGEST_NAME).unwrap_or(name.dialect);
    let stem = name.stem.get(..LONGEST_NAME - dialect.len()).unwrap_or(name.stem);
    format!("{}.{}…", String::from_utf8_lossy(dialect), String::from_utf8_lossy(stem))
}

/// Whether an op begins a scope of its own.
pub(crate) fn begins_scope(op: &Operation<'_>, types: &Registrations) -> bool {
    is_scope(&short_name(op), types)
}

/// Whether an op of that name begins a scope of its own.
pub(crate) fn is_scope(op: &str, types: &Registrations) -> bool {
    matches!(carrier(op, types), Some(Some(_)))
}

fn kind_of(value: &Attribute) -> String {
    value.class().map_or_else(|| format!("an attribute of the {} dialect", value.dialect()), str::to_owned)
}

/// A specification and where it stands.
#[derive(Debug, Clone)]
pub(crate) struct Carried {
    pub(crate) op: String,
    pub(crate) path: String,
    pub(crate) attribute: String,
    pub(crate) spec: DltiAttr,
}

/// What was found on the way.
#[derive(Debug, Clone, Default)]
pub(crate) struct Found {
    /// Outermost first.
    pub(crate) specs: Vec<Carried>,
    /// The description of the target at the nearest module.
    pub(crate) system: Option<DltiAttr>,
    /// The nearest attribute that keys lead into (`getClosestQueryable` in `mlir/lib/Dialect/DLTI/DLTI.cpp`).
    pub(crate) queryable: Option<DltiAttr>,
    has_module: bool,
}

/// Checks all specifications of a module: each by itself, and against those around it. Decodes all bodies.
///
/// # Errors
/// The first that is wrong, in the order of the ops.
///
/// ```
/// let module = mlirbc::Module::from_bytes(mlirbc::doc_example())?;
/// mlirbc::layout::verify(&module, &Default::default())?;
/// # Ok::<(), mlirbc::Error>(())
/// ```
pub fn verify(module: &Module, options: &Options) -> Result<()> {
    let types = Registrations::snapshot(&options.types);
    let budget = module.work_budget();
    let mut nest = Nest {
        attributes: SiteAttributes::new(module)?,
        dialects: Sites::of_dialects(module)?.dialects,
        types,
        nesting: Nesting { strict: options.strict },
        parsed: Parsed::default(),
        known: HashMap::new(),
        budget,
    };
    // The ops around, with what is in force inside of them.
    let mut around: Vec<(Operation<'_>, Arc<InForce>)> = Vec::new();
    let none = Arc::new(InForce::default());
    for op in module.top_level_block()?.operations() {
        for op in op.pre_order() {
            let op = op?;
            let parent = op.parent();
            while around.last().is_some_and(|(last, _)| Some(*last) != parent) {
                around.pop();
            }
            let outer = around.last().map_or(&none, |(_, in_force)| in_force);
            let inner = match nest.inside(&op, outer) {
                Ok(inner) => inner,
                Err(error) => {
                    // What it says of the place takes time to find out.
                    DataLayout::of_with(op, options)?;
                    return Err(error);
                }
            };
            around.push((op, inner));
        }
    }
    Ok(())
}

/// What specifications say inside each other, worked out once for each that stands in the same surroundings.
struct Nest<'m> {
    attributes: SiteAttributes<'m>,
    dialects: HashSet<String>,
    types: Registrations,
    nesting: Nesting,
    parsed: Parsed,
    /// By what is in force around an op, its dictionary and its name. The surroundings are kept with the answer, so that
    /// no others take their address.
    known: HashMap<(*const InForce, u32, OpNameId), [Arc<InForce>; 2]>,
    budget: Budget,
}

impl Nest<'_> {
    /// What is in force inside an op.
    fn inside(&mut self, op: &Operation<'_>, outer: &Arc<InForce>) -> Result<Arc<InForce>> {
        let Some(dictionary) = op.attribute_dictionary() else { return Ok(outer.clone()) };
        let attributes = self.attributes.get(dictionary)?;
        if attributes.is_empty() {
            return Ok(outer.clone());
        }
        let key = (Arc::as_ptr(outer), dictionary.0, op.name_id());
        if let Some([_, inner]) = self.known.get(&key) {
            return Ok(inner.clone());
        }
        // A malformed property is reported, although nothing depends on the symbol.
        symbol_of(op)?;
        let site = Site { op: short_name(op), path: String::new(), attributes };
        let inner = match site.read(&self.types, &mut self.parsed)?.spec {
            None => outer.clone(),
            Some((_, spec)) => {
                let mut inner = match outer.copied(&self.budget) {
                    Err(error) if error.kind() == ErrorKind::MemoryLimit => {
                        // What is only kept for the next op makes room.
                        self.known.clear();
                        outer.copied(&self.budget)?
                    }
                    copied => copied?,
                };
                let is_new =
                    inner.add(&spec, 0, (&self.dialects, &self.types), self.nesting, &self.budget)?;
                if is_new { Arc::new(inner) } else { outer.clone() }
            }
        };
        self.known.insert(key, [outer.clone(), inner.clone()]);
        Ok(inner)
    }
}
