//! The search for modules in the attributes of one module.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use crate::attr::Attribute;
use crate::container::hosts::{Host, HostEncoding, HostOwner, HostTable};
use crate::format::container::MAGIC;
use crate::format::id::OpNameId;
use crate::ir::{Module, Operation};
use crate::wire::bytes::Bytes;
use crate::wire::error::{Error, ErrorKind, Result};
use crate::wire::limits::Budget;
use crate::wire::section::SectionId;

use super::attributes::{entries, named, named_attributes, string_of, text};
use super::content::{Content, DIALECT_VERSIONS, facts_of_text};
use super::encoding::{BASE64_MAGIC, EmbeddedContent, digest};
use super::values::translate_value;
use super::{EmbeddedObject, KERNELS, NestedModule, is_bytecode, spend_opening};

/// The contents of the attributes of one module, without the contents of its nested modules.
#[derive(Default)]
pub(super) struct Scan {
    pub(super) modules: Vec<NestedModule>,
    pub(super) objects: Vec<EmbeddedObject>,
    /// The attributes that hold modules.
    pub(super) values: Vec<HostedValue>,
    /// The attributes that hold the modules, by name, properties and dictionary of an operation: many
    /// operations may share these.
    pub(super) holders: HashMap<AttributesKey, Vec<Holder>>,
}

/// The indices of the name, the properties and the attribute dictionary of an operation.
pub(crate) type AttributesKey = (u32, Option<u32>, Option<u32>);

pub(crate) fn key_of(op: &Operation<'_>) -> AttributesKey {
    (
        op.name_id().number(),
        op.properties().map(|id| id.number()),
        op.attribute_dictionary().map(|id| id.number()),
    )
}

/// A host, by its row in one of the tables.
#[derive(Clone)]
pub(super) struct HostRow {
    table: Arc<HostTable>,
    index: usize,
}

impl HostRow {
    pub(super) fn host(&self) -> Option<&Host> {
        self.table.hosts.get(self.index)
    }

    fn address(&self) -> (usize, usize) {
        (Arc::as_ptr(&self.table).addr(), self.index)
    }
}

/// An attribute that holds modules, and its contents.
pub(super) struct HostedValue {
    pub(super) row: HostRow,
    pub(super) value: Attribute,
    /// The contents of the attribute, in order.
    pub(super) contents: Vec<ContentKind>,
}

/// The content of an attribute: a module, by its index in [`Scan::modules`], or an object that is not MLIR.
#[derive(Clone, Copy)]
pub(super) enum ContentKind {
    Module(usize),
    Object,
}

/// An attribute of an operation that holds a value, directly or in a dictionary.
pub(super) struct Holder {
    pub(super) attribute: String,
    /// The dictionary with the value.
    pub(super) dictionary: Option<Attribute>,
    /// The index in `values`.
    pub(super) value: usize,
    /// The hash of the module, and whether the hash is its own.
    pub(super) hash: Option<(Attribute, bool)>,
    /// The attribute with the type whose count is the size of the module.
    pub(super) sized: Option<Attribute>,
}

/// The hosts that may apply to operations, by the index of their name.
struct Candidates {
    calls: Vec<HostRow>,
    call_names: HashSet<u32>,
    operations: HashMap<u32, Vec<HostRow>>,
}

impl Candidates {
    /// Leaves out hosts whose operation, target or content is not in the file, so that most files need no
    /// walk.
    fn of(module: &Module) -> Result<Self> {
        let mut this = Self { calls: Vec::new(), call_names: HashSet::new(), operations: HashMap::new() };
        let mut tables = module.tables().hosts().to_vec();
        tables.push(HostTable::shipped()?);
        let hosts = tables.iter().flat_map(|table| &table.hosts);
        let operations: HashMap<_, _> = hosts
            .filter_map(|host| match &host.owner {
                HostOwner::Operation(name) => name.split_once('.'),
                HostOwner::Call(_) => None,
            })
            .map(|(dialect, stem)| ((dialect.as_bytes(), stem.as_bytes()), format!("{dialect}.{stem}")))
            .collect();
        let mut by_name: HashMap<&str, u32> = HashMap::new();
        for id in 0..module.tables().dialect_section()?.op_names.len() as u32 {
            let Some(name) = module.op_name(OpNameId::new(id)) else { continue };
            let is_call = matches!(name.dialect, b"vhlo" | b"stablehlo" | b"mhlo")
                && name.stem.starts_with(b"custom_call");
            if is_call {
                this.call_names.insert(id);
            }
            by_name.extend(operations.get(&(name.dialect, name.stem)).map(|name| (name.as_str(), id)));
        }
        if this.call_names.is_empty() && by_name.is_empty() {
            return Ok(this);
        }
        let targets = this.targets(module, &tables)?;
        let mut has_modules = None;
        for table in &tables {
            for (index, host) in table.hosts.iter().enumerate() {
                let row = HostRow { table: table.clone(), index };
                match &host.owner {
                    HostOwner::Call(target) if targets.contains(&**target) => this.calls.push(row),
                    HostOwner::Call(_) => {}
                    HostOwner::Operation(name) => {
                        let Some(&id) = by_name.get(&**name) else { continue };
                        if host.encoding == HostEncoding::Recognized {
                            let has = match has_modules {
                                Some(has) => has,
                                None => *has_modules.insert(holds_bytecode(module)?),
                            };
                            if !has {
                                continue;
                            }
                        }
                        this.operations.entry(id).or_default().push(row);
                    }
                }
            }
        }
        Ok(this)
    }

    /// Returns the targets of the tables that are strings of the file.
    fn targets<'t>(&self, module: &Module, tables: &'t [Arc<HostTable>]) -> Result<HashSet<&'t str>> {
        let hosts = tables.iter().flat_map(|table| &table.hosts);
        let targets: HashSet<&str> = hosts
            .filter_map(|host| match &host.owner {
                HostOwner::Call(target) => Some(&**target),
                HostOwner::Operation(_) => None,
            })
            .collect();
        if self.call_names.is_empty() {
            return Ok(HashSet::new());
        }
        let longest = targets.iter().map(|target| target.len()).max().unwrap_or_default();
        let strings = module.tables().strings()?.iter().filter(|string| string.len() <= longest);
        Ok(strings
            .filter_map(|string| std::str::from_utf8(string).ok())
            .filter_map(|string| targets.get(string).copied())
            .collect())
    }

    fn is_empty(&self) -> bool {
        self.calls.is_empty() && self.operations.is_empty()
    }

    /// Returns the hosts of an operation, by its name.
    fn rows(&self, op: &Operation<'_>) -> &[HostRow] {
        let id = op.name_id().number();
        if self.call_names.contains(&id) {
            return &self.calls;
        }
        self.operations.get(&id).map_or(&[], Vec::as_slice)
    }
}

/// Whether the tables of a file contain bytecode, also in base64.
fn holds_bytecode(module: &Module) -> Result<bool> {
    for section in [SectionId::String, SectionId::AttrType] {
        let Some(section) = module.tables().bytecode().section(section) else { continue };
        let bytes = module.source().get(section.offset..section.offset + section.size)?;
        if bytes.windows(4).any(|window| window == MAGIC)
            || bytes.windows(BASE64_MAGIC.len()).any(|window| window == BASE64_MAGIC)
        {
            return Ok(true);
        }
    }
    Ok(false)
}

impl Scan {
    /// # Errors
    /// If the module is malformed, an attribute cannot be decoded, or a limit is exceeded.
    pub(super) fn of(module: &Module, path: &str, budget: &Budget) -> Result<Self> {
        let candidates = Candidates::of(module)?;
        let mut scanner = Scanner {
            module,
            path,
            budget,
            scan: Self::default(),
            names: HashSet::new(),
            decoded: HashMap::new(),
            read: HashSet::new(),
            holder: AttributesKey::default(),
        };
        if candidates.is_empty() {
            return Ok(scanner.scan);
        }
        for op in module.operation()?.pre_order() {
            module.tables().check_interrupt()?;
            let op = op?;
            let rows = candidates.rows(&op);
            if rows.is_empty() {
                continue;
            }
            // Many calls may share a dictionary, and many dictionaries a kernel.
            let key = key_of(&op);
            if scanner.read.contains(&key) {
                continue;
            }
            budget.spend(size_of::<AttributesKey>())?;
            scanner.read.insert(key);
            scanner.holder = key;
            scanner.operation(&op, rows)?;
        }
        Ok(scanner.scan)
    }
}

struct Scanner<'s> {
    module: &'s Module,
    path: &'s str,
    budget: &'s Budget,
    scan: Scan,
    names: HashSet<String>,
    /// The values that were decoded, by their index and the row.
    decoded: HashMap<(u32, (usize, usize)), usize>,
    read: HashSet<AttributesKey>,
    /// The attributes of the operation that is being read.
    holder: AttributesKey,
}

impl Scanner<'_> {
    fn operation(&mut self, op: &Operation<'_>, rows: &[HostRow]) -> Result<()> {
        let attributes = named_attributes(op)?;
        let target = text(&attributes, "call_target_name")?;
        let mut holders: Vec<Holder> = Vec::new();
        for row in rows {
            let Some(host) = row.host() else { continue };
            if let HostOwner::Call(known) = &host.owner
                && target.as_deref() != Some(&**known)
            {
                continue;
            }
            let hosted_attribute =
                host.attributes.iter().find_map(|name| Some((name, named(&attributes, name)?)));
            let Some((attribute, value)) = hosted_attribute else { continue };
            // The first host with an attribute decides how the attribute is read.
            if holders.iter().any(|holder| *holder.attribute == **attribute) {
                continue;
            }
            let entries = if host.key.is_some() { entries(value)? } else { Vec::new() };
            let (held, dictionary) = match &host.key {
                None => (value.clone(), None),
                Some(key) => match named(&entries, key) {
                    Some(held) => (held.clone(), Some(value.clone())),
                    None => continue,
                },
            };
            let beside = |name: &str| named(&attributes, name).or_else(|| named(&entries, name)).cloned();
            let name = host.name.as_deref().and_then(beside);
            let name = name.map(|name| string_of(&name)).transpose()?.flatten();
            let name = name.map(|name| String::from_utf8_lossy(&name).into_owned());
            let value = self.value(row, host, held, name)?;
            let Some(hosted) = self.scan.values.get(value) else { continue };
            let hash = match (host.hash.as_deref().and_then(beside), hosted.contents.first()) {
                (Some(hash), Some(&ContentKind::Module(index))) => self.check_hash(hash, index)?,
                _ => None,
            };
            let sized = host.sized.as_deref().and_then(beside);
            holders.push(Holder { attribute: attribute.to_string(), dictionary, value, hash, sized });
        }
        if !holders.is_empty() {
            self.budget.spend(holders.len() * size_of::<Holder>())?;
            self.scan.holders.insert(key_of(op), holders);
        }
        Ok(())
    }

    /// Whether a hash is the hash of a module.
    fn check_hash(&mut self, hash: Attribute, index: usize) -> Result<Option<(Attribute, bool)>> {
        let (Some(stored), Some(nested)) = (string_of(&hash)?, self.scan.modules.get_mut(index)) else {
            return Ok(None);
        };
        self.budget.spend(nested.bytes.len())?;
        let is_own = digest(&nested.bytes)[..] == stored[..];
        nested.hash_matches = Some(is_own && nested.hash_matches.unwrap_or(true));
        Ok(Some((hash, is_own)))
    }

    /// Decodes an attribute, unless it is decoded already, and returns its index.
    fn value(&mut self, row: &HostRow, host: &Host, value: Attribute, name: Option<String>) -> Result<usize> {
        let key = value.id().map(|id| (id.number(), row.address()));
        if let Some(known) = key.and_then(|key| self.decoded.get(&key)) {
            return Ok(*known);
        }
        let number = self.scan.modules.len() + self.scan.objects.len();
        let mut contents = Vec::new();
        let located = name.clone().unwrap_or_else(|| number.to_string());
        let budget = self.budget;
        let visited = translate_value(&host.encoding, &value, budget, &mut |content| {
            contents.push(self.content(host, name.as_deref(), content)?);
            Ok(None)
        });
        visited.map_err(|error| match (error.kind(), error.offset()) {
            (ErrorKind::Nested, offset) => {
                let (value, sentence) = (named_value(host), error.sentence());
                let message = format!("module `{}/{KERNELS}/{located}`: the {value} {sentence}", self.path);
                let located = Error::message(ErrorKind::Nested, message);
                offset.map_or(located.clone(), |offset| located.at(offset))
            }
            (_, None) => value.offset().map_or(error.clone(), |offset| error.at(offset)),
            _ => error,
        })?;
        let index = self.scan.values.len();
        budget.spend(size_of::<HostedValue>() + contents.len() * size_of::<ContentKind>())?;
        self.scan.values.push(HostedValue { row: row.clone(), value, contents });
        if let Some(key) = key {
            self.decoded.insert(key, index);
        }
        Ok(index)
    }

    fn content(&mut self, host: &Host, name: Option<&str>, embedded: EmbeddedContent) -> Result<ContentKind> {
        let number = self.scan.modules.len() + self.scan.objects.len();
        let content = match Content::of(&embedded.bytes) {
            _ if embedded.is_assembly => Content::Other("text of an assembler"),
            content => content,
        };
        let label = name.map(str::to_owned).or(embedded.label);
        let facts = match content {
            Content::Bytecode => facts(self.module, &embedded.bytes, self.budget),
            Content::Text => Ok(facts_of_text(&embedded.bytes)),
            _ => Ok((None, None)),
        };
        let (symbol, version) = facts?;
        let name = unique_name(label.or(symbol), number, &mut self.names);
        let target = host.owner.name().to_owned();
        self.budget.spend(2 * (self.path.len() + name.len() + target.len()) + size_of::<NestedModule>())?;
        let path = format!("{}/{KERNELS}/{name}", self.path);
        let kind = match content {
            Content::Bytecode | Content::Text => {
                let is_text = !is_bytecode(&embedded.bytes);
                let hash_matches = embedded.hash_matches;
                let (bytes, holder) = (embedded.bytes, self.holder);
                let nested = NestedModule { path, target, is_text, bytes, version, hash_matches, holder };
                self.scan.modules.push(nested);
                return Ok(ContentKind::Module(self.scan.modules.len() - 1));
            }
            Content::Other(kind) => kind,
            Content::Unknown => "data",
        };
        self.scan.objects.push(EmbeddedObject { path, target, kind, bytes: embedded.bytes });
        Ok(ContentKind::Object)
    }
}

/// Returns the name of a host's attribute in messages.
fn named_value(host: &Host) -> String {
    let attribute = host.attributes.first().map(|name| &**name).unwrap_or_default();
    format!("`{attribute}` of `{}`", host.owner.name())
}

/// The symbol of a module, and the version of its stable dialect.
type Facts = (Option<String>, Option<(String, u64)>);

/// Returns facts about bytecode; empty if it cannot be read.
fn facts(outer: &Module, bytes: &Bytes, budget: &Budget) -> Result<Facts> {
    spend_opening(budget, bytes)?;
    let read = || -> Result<Facts> {
        let module = outer.like_of_release(bytes.clone().into(), None)?;
        let attributes = named_attributes(&module.operation()?)?;
        let version = DIALECT_VERSIONS.iter().find_map(|name| {
            let text = named(&attributes, name)?.to_text_within(32);
            let number = text.split(' ').next()?.parse().ok()?;
            Some(((*name).to_owned(), number))
        });
        Ok((text(&attributes, "sym_name")?, version))
    };
    Ok(read().unwrap_or_default())
}

/// Returns a unique name: the name of a kernel, followed by its number if another kernel has the name, or the
/// number alone. A slash is replaced, because it would end the name in a path.
fn unique_name(name: Option<String>, number: usize, names: &mut HashSet<String>) -> String {
    let name = name.filter(|name| !name.is_empty()).map(|name| name.replace('/', "."));
    let mut name = name.unwrap_or_else(|| number.to_string());
    while !names.insert(name.clone()) {
        name = format!("{name}.{number}");
    }
    name
}
