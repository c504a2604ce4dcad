//! Which ops are scopes, and what stands on the way from an op to the outermost one.

use std::collections::{HashMap, HashSet};

use crate::asm::entry::string_of;
use crate::asm::escape;
use crate::codec::entries::EntryRef;
use crate::error::{Error, ErrorKind, Result};
use crate::ir::edit::{EditOp, Editor};
use crate::ir::{AttrId, InherentAttributes, Module, Operation};
use crate::props::codec::split;
use crate::value::{AttributeValue, describe};

use super::dlti::{DltiAttr, DltiKind};
use super::open::Registrations;
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
    value: std::result::Result<Vec<u8>, String>,
}

/// An op on the way, with what has to do with layout.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Site {
    pub(crate) op: String,
    /// What to call it: its symbol, or its place.
    pub(crate) path: String,
    attributes: Vec<SiteAttribute>,
}

/// The way from an op outward, innermost first, and the dialects in use.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Sites {
    pub(crate) sites: Vec<Site>,
    pub(crate) dialects: HashSet<String>,
}

/// The symbol that an op defines, if it defines one.
///
/// # Errors
/// When its properties are malformed.
///
/// ```
/// let module = mlirbc::Module::open("../../examples/two_layers.mlirbc")?;
/// let op = module.operation()?.pre_order().nth(1).unwrap()?;
/// assert_eq!(mlirbc::layout::symbol_of(&op)?.as_deref(), Some(&b"dense"[..]));
/// # Ok::<(), mlirbc::Error>(())
/// ```
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
        let mut table = None;
        let mut this = Self::default();
        for dialect in module.dialects()? {
            this.add_dialect(&String::from_utf8_lossy(dialect.name));
        }
        let mut next = Some(op);
        while let Some(op) = next {
            let mut attributes = Vec::new();
            if let Some(dictionary) = op.attribute_dictionary() {
                let entries = match &mut table {
                    Some(entries) => entries,
                    table => table.insert(module.entries()?),
                };
                let (mut inherent, mut pairs) = (Vec::new(), Vec::new());
                split(None, dictionary.0, entries, &mut inherent, &mut pairs)?;
                for (name, value) in pairs {
                    let name = string_of(entries, name).unwrap_or_default();
                    let of = EntryRef::Attribute(value);
                    let Some(entry) = entries.raw(of) else { continue };
                    let value = match entry.text() {
                        Some(text) if entry.dialect == b"dlti" => Ok(text.to_vec()),
                        _ if name.starts_with(b"dlti.") => Err(describe(&entry, of)),
                        _ => continue,
                    };
                    attributes
                        .push(SiteAttribute { name: String::from_utf8_lossy(name).into_owned(), value });
                }
            }
            let name = op.name();
            // Where it is takes time to find out, and most ops on the way have nothing to say.
            let path = match attributes.is_empty() {
                true => String::new(),
                false => symbol_path(&name, symbol_of(&op)?.as_deref(), || op.path()),
            };
            this.sites.push(Site { op: name, path, attributes });
            next = op.parent();
        }
        this.sort();
        Ok(this)
    }

    pub(crate) fn of_edit(editor: &Editor, op: EditOp) -> Result<Self> {
        let mut this = Self::default();
        for dialect in editor.base().dialects()? {
            this.add_dialect(&String::from_utf8_lossy(dialect.name));
        }
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
                    Some(text) if attribute.value.dialect() == "dlti" => Ok(text.to_vec()),
                    _ if attribute.name.starts_with(b"dlti.") => Err(kind_of(&attribute.value)),
                    _ => continue,
                };
                let name = String::from_utf8_lossy(&attribute.name).into_owned();
                attributes.push(SiteAttribute { name, value });
            }
            let path = symbol_path(&name, symbol.as_deref().map(str::as_bytes), || name.clone());
            this.sites.push(Site { op: name, path, attributes });
            next = editor.parent(op)?;
        }
        this.sort();
        Ok(this)
    }

    fn add_dialect(&mut self, name: &str) {
        // A dialect that MLIR does not have is not loaded there, so that its keys mean nothing.
        if DIALECTS.contains(&name) {
            self.dialects.insert(name.to_owned());
        }
    }

    fn sort(&mut self) {
        for site in &mut self.sites {
            site.attributes.sort_by(|left, right| left.name.cmp(&right.name));
        }
    }

    /// Reads what they carry.
    pub(crate) fn read(&self, types: &Registrations) -> Result<Found> {
        let mut found = Found::default();
        for site in &self.sites {
            let mut queryable = None;
            let (mut spec, mut system) = (None, None);
            let carrier = carrier(&site.op, types);
            for attribute in &site.attributes {
                let name = &attribute.name;
                let value = attribute.read(site)?;
                let Some(value) = value else { continue };
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
                            let expected =
                                format!("an op with `{SPEC}` that is known to be a scope, or to be none");
                            let found = format!("`{}`", site.op);
                            return Err(
                                site.error(Error::new(ErrorKind::LayoutUnknownScope, expected, found), name)
                            );
                        }
                        if let Some((first, _)) = spec.replace((name.clone(), value)) {
                            let expected = "one specification on an op";
                            let found = format!("`{first}` and `{name}`");
                            return Err(
                                site.error(Error::new(ErrorKind::LayoutTwoSpecs, expected, found), name)
                            );
                        }
                    }
                    DltiKind::TargetSystemSpec if site.op == "builtin.module" && system.is_none() => {
                        system = Some(value);
                    }
                    _ => {}
                }
            }
            if let Some((attribute, spec)) = spec {
                found.specs.push(Carried { op: site.op.clone(), path: site.path.clone(), attribute, spec });
            }
            found.queryable = found.queryable.or(queryable);
            if site.op == "builtin.module" && !found.has_module {
                (found.has_module, found.system) = (true, system);
            }
        }
        found.specs.reverse();
        Ok(found)
    }
}

impl SiteAttribute {
    /// The attribute taken apart, if it is of the dlti dialect and has the kind that its name wants.
    fn read(&self, site: &Site) -> Result<Option<DltiAttr>> {
        let wanted = NAMES.iter().find(|(known, _)| *known == self.name).map(|(_, kind)| *kind);
        if wanted.is_none() && self.name.starts_with("dlti.") {
            let known: Vec<_> = NAMES.iter().map(|(name, _)| format!("`{name}`")).collect();
            let expected = format!("{} as the name of an attribute of the dlti dialect", known.join(", "));
            let error = Error::new(ErrorKind::LayoutUnknownAttribute, expected, format!("`{}`", self.name));
            return Err(site.error(error, &self.name));
        }
        let value = match &self.value {
            Ok(text) => Ok(DltiAttr::parse(text).map_err(|error| site.error(error, &self.name))?),
            Err(other) => Err(other),
        };
        match (value, wanted) {
            (Ok(value), None) => Ok(Some(value)),
            (Ok(value), Some(kind)) if value.kind() == kind => Ok(Some(value)),
            (Err(_), None) => Ok(None),
            (value, Some(kind)) => {
                let found =
                    value.map_or_else(|other| other.clone(), |value| format!("a {}", value.kind().class()));
                let error = Error::new(ErrorKind::LayoutAttributeKind, format!("a {}", kind.class()), found);
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

/// Whether an op of that name begins a scope of its own.
pub(crate) fn is_scope(op: &str, types: &Registrations) -> bool {
    matches!(carrier(op, types), Some(Some(_)))
}

fn kind_of(value: &AttributeValue) -> String {
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
    let entries = module.entries()?;
    // Which dictionaries have to do with layout; many ops share one.
    let mut known: HashMap<u32, bool> = HashMap::new();
    for op in module.top_level_block()?.operations() {
        for op in op.pre_order() {
            let op = op?;
            let Some(dictionary) = op.attribute_dictionary() else { continue };
            let concerns = match known.get(&dictionary.0) {
                Some(&concerns) => concerns,
                None => {
                    let (mut inherent, mut pairs) = (Vec::new(), Vec::new());
                    split(None, dictionary.0, &entries, &mut inherent, &mut pairs)?;
                    let concerns = pairs.iter().any(|&(name, value)| {
                        let value = entries.raw(EntryRef::Attribute(value));
                        string_of(&entries, name).is_some_and(|name| name.starts_with(b"dlti."))
                            || value.is_some_and(|value| value.dialect == b"dlti")
                    });
                    known.insert(dictionary.0, concerns);
                    concerns
                }
            };
            if concerns {
                DataLayout::of_with(op, options)?;
            }
        }
    }
    Ok(())
}
