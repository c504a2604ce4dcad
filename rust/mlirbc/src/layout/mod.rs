//! Data layout as in MLIR 22: the size and alignment of types at an operation.
//!
//! Owns [`DataLayout`], which collects the specifications around an op and computes sizes and alignments from
//! them. Does not own the types (`attr`). `docs/reference/data-layout.md` has the rules, and the differences
//! from MLIR.

mod bitcast;
mod cache;
mod compatibility;
mod container;
mod dlti;
mod entry;
mod formula;
mod hooks;
mod predicates;
mod registrations;
mod rfc;
mod rules;
mod scope;
mod shape;
mod size_changes;
mod spec;
mod target;
mod test_type;
mod type_table;
mod vector;

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use crate::attr::Type;
use crate::edit::{EditOp, EditRegion, Editor};
use crate::ir::{Operation, Region};
use crate::wire::error::cut;
use crate::wire::error::{Error, ErrorClass, ErrorKind, Result, with_article};
use crate::wire::limits::{Budget, Limits};
use crate::wire::options::setters;

pub use bitcast::BitcastOp;
pub use dlti::{DltiAttr, DltiEntry, DltiKey, DltiKind};
pub use formula::LayoutTable;
pub use hooks::{IdentifierRules, ScopeQuestion, ScopeSpecification};
pub use registrations::{
    TypeLayout, TypeQuestion, register_identifiers, register_scope, register_specification, register_table,
    register_type, rfc_memref_layout, unregister_identifiers, unregister_scope, unregister_specification,
    unregister_type,
};
pub use rfc::Rules;
pub use scope::{symbol_of, verify};
pub use size_changes::{CopiedPart, SizeChange, SizeChanges, UsedTypes};
pub use type_table::TypeTable;
pub use vector::{VectorAlignment, VectorLayout};

use registrations::Registrations;
use rules::Entries;
use scope::{LocatedSpec, Sites};
use shape::Shape;
use spec::{EffectiveEntries, Nesting};

use cache::{Cache, MAX_RESULTS, TypeResults, lock};

/// A size in bits or bytes; for scalable vectors, the minimum: the actual size is a multiple of the minimum.
///
/// ```
/// use mlirbc::layout::{DataLayout, Options, TypeSize};
/// let layout = DataLayout::of_specs(&[], &Options::default())?;
/// let size = layout.type_size(&mlirbc::Type::parse("vector<[4]xf32>")?)?;
/// assert_eq!((size.known_min_value(), size.is_scalable(), size.fixed_value()), (16, true, None));
/// # Ok::<(), mlirbc::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct TypeSize {
    min: u64,
    is_scalable: bool,
}

impl TypeSize {
    /// Creates a size; the minimum if the size is scalable.
    pub const fn new(min: u64, is_scalable: bool) -> Self {
        Self { min, is_scalable }
    }

    /// Creates a fixed size.
    pub const fn fixed(size: u64) -> Self {
        Self::new(size, false)
    }

    /// The size, or the minimum.
    pub const fn known_min_value(self) -> u64 {
        self.min
    }

    /// Whether the size is scalable.
    pub const fn is_scalable(self) -> bool {
        self.is_scalable
    }

    /// The size, if the size is fixed.
    pub const fn fixed_value(self) -> Option<u64> {
        if self.is_scalable { None } else { Some(self.min) }
    }
}

impl fmt::Display for TypeSize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_scalable {
            f.write_str("vscale x ")?;
        }
        self.min.fmt(f)
    }
}

/// Options for a data layout.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct Options {
    /// Reject nested specifications that make MLIR 22 crash, instead of using the inner entry.
    pub strict: bool,
    /// Layouts of types by class, in addition to layouts from [`register_type`].
    pub types: Vec<(String, Arc<dyn TypeLayout>)>,
    /// Specifications by the name of the op, in addition to specifications from [`register_specification`].
    pub specifications: Vec<(String, Arc<dyn ScopeSpecification>)>,
    /// Rules for identifiers by dialect, in addition to rules from [`register_identifiers`].
    pub identifiers: Vec<(String, Arc<dyn IdentifierRules>)>,
    /// Whether ops are scopes, by name, in addition to [`register_scope`].
    pub scopes: Vec<(String, bool)>,
    /// The rules of specifications.
    pub rules: Rules,
    /// The layout of vectors where no entry determines it.
    pub vectors: VectorLayout,
}

setters! {
    Options {
        strict: bool,
        types: Vec<(String, Arc<dyn TypeLayout>)>,
        specifications: Vec<(String, Arc<dyn ScopeSpecification>)>,
        identifiers: Vec<(String, Arc<dyn IdentifierRules>)>,
        scopes: Vec<(String, bool)>,
        rules: Rules,
        vectors: VectorLayout,
    }
}

/// An effective entry.
#[doc(hidden)]
#[derive(Debug, Clone, Copy)]
pub struct EffectiveEntry<'l> {
    /// The entry.
    pub entry: &'l DltiEntry,
    /// The number of its scope, an index of [`DataLayout::scopes`].
    pub scope: usize,
}

/// An op with a specification.
#[doc(hidden)]
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scope {
    /// The name of the op.
    pub op: String,
    /// The op and its symbol, or its position.
    pub path: String,
    /// The name of the attribute.
    pub attribute: String,
    /// The specification.
    pub spec: DltiAttr,
}

/// The input of a layout at an op of an edited module: the current attributes of the enclosing ops.
///
/// ```
/// use mlirbc::{edit::Editor, layout::{DataLayout, LayoutSource, Options}};
/// let editor = Editor::new(mlirbc::Module::from_bytes(mlirbc::doc_example())?)?;
/// let options = Options::default();
/// let source = LayoutSource::of_edit(&editor, editor.operation()?, &options)?;
/// let layout = DataLayout::of_source(source.clone(), &options)?;
/// assert!(layout.is_from(&source));
/// # Ok::<(), mlirbc::Error>(())
/// ```
#[doc(hidden)]
#[derive(Debug, Clone)]
pub struct LayoutSource(Sites, Budget);

impl PartialEq for LayoutSource {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}

impl Eq for LayoutSource {}

impl LayoutSource {
    /// Reads the attributes.
    ///
    /// # Errors
    /// If the op is erased, or an attribute is malformed.
    ///
    /// See [`LayoutSource`] for an example.
    pub fn of_edit(editor: &Editor, op: EditOp, options: &Options) -> Result<Self> {
        Self::with(editor, op, None, &Registrations::snapshot(options)?)
    }

    fn with(editor: &Editor, op: EditOp, region: Option<u32>, types: &Registrations) -> Result<Self> {
        Ok(Self(Sites::of_edit(editor, op, region, types)?, editor.base().tables().work_budget()))
    }

    /// Reads the attributes for the inside of a region; see [`DataLayout::of_region`].
    ///
    /// # Errors
    /// As [`Self::of_edit`].
    pub fn of_edited_region(editor: &Editor, region: EditRegion, options: &Options) -> Result<Self> {
        let types = Registrations::snapshot(options)?;
        match editor.owner_of_region(region)? {
            Some(op) => Self::with(editor, op, Some(editor.region_number(region)?), &types),
            None => Ok(Self(Sites::default(), editor.base().tables().work_budget())),
        }
    }
}

/// The data layout at an op. Results are cached, so that a repeated query is a lookup.
///
/// ```
/// use mlirbc::layout::{DataLayout, TypeSize};
/// let module = mlirbc::Module::from_bytes(mlirbc::doc_example())?;
/// let layout = DataLayout::of(module.operation()?)?;
/// let pair = mlirbc::Type::parse("!llvm.struct<(i8, i32)>")?;
/// assert_eq!(layout.type_size(&pair)?, TypeSize::fixed(8));
/// assert_eq!(layout.type_abi_alignment(&pair)?, 4);
/// # Ok::<(), mlirbc::Error>(())
/// ```
///
/// Cheap to clone; clones share the cache.
#[derive(Debug, Clone)]
pub struct DataLayout(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    scopes: Vec<Scope>,
    effective: EffectiveEntries,
    /// Indices of entries by the key under which they are combined.
    places: HashMap<DltiKey, usize>,
    by_class: Entries,
    system: Option<DltiAttr>,
    queryable: Option<DltiAttr>,
    types: Registrations,
    vectors: VectorLayout,
    sites: Sites,
    cache: Cache,
    /// The memory of entries and cached results, and of a computation.
    budget: Budget,
}

impl DataLayout {
    /// Computes the layout at an op, from the op, if it is a scope, and the enclosing scopes. Decodes no
    /// body.
    ///
    /// # Errors
    /// If a specification is malformed, or conflicts with an enclosing one.
    ///
    /// ```
    /// let module = mlirbc::Module::from_bytes(mlirbc::doc_example())?;
    /// let layout = mlirbc::layout::DataLayout::of(module.operation()?)?;
    /// assert_eq!(layout.entries().count(), 0);
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn of(op: Operation<'_>) -> Result<Self> {
        Self::of_with(op, &Options::default())
    }

    /// As [`Self::of`] with options.
    ///
    /// # Errors
    /// As [`Self::of`].
    pub fn of_with(op: Operation<'_>, options: &Options) -> Result<Self> {
        let (budget, types) = (op.module().tables().work_budget(), Registrations::snapshot(options)?);
        Self::of_sites(Sites::of_operation(op, None, &types)?, budget, options, types)
    }

    /// Computes the layout inside of a region, from the op with the region, and from the region itself where
    /// an op carries specifications for its regions.
    ///
    /// # Errors
    /// As [`Self::of`].
    ///
    /// ```
    /// use mlirbc::layout::{DataLayout, Options};
    /// let module = mlirbc::Module::from_bytes(mlirbc::doc_example())?;
    /// let region = module.operation()?.region(0)?.unwrap();
    /// assert!(DataLayout::of_region(region, &Options::default())?.scopes().is_empty());
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    #[doc(hidden)]
    pub fn of_region(region: Region<'_>, options: &Options) -> Result<Self> {
        let Some(op) = region.owner() else { return Self::of_specs(&[], options) };
        let (budget, types) = (op.module().tables().work_budget(), Registrations::snapshot(options)?);
        let sites = Sites::of_operation(op, Some(region.number()), &types)?;
        Self::of_sites(sites, budget, options, types)
    }

    /// Computes the current layout at an op of an edited module; see [`Self::is_current`].
    ///
    /// # Errors
    /// As [`Self::of`], and if the op is erased.
    ///
    /// ```
    /// use mlirbc::{edit::Editor, layout::{DataLayout, Options}};
    /// let mut editor = Editor::new(mlirbc::Module::from_bytes(mlirbc::doc_example())?)?;
    /// let module = editor.operation()?;
    /// let spec = mlirbc::Attribute::parse("#dlti.dl_spec<index = 16 : i32>")?;
    /// let before = DataLayout::of_edit(&editor, module, &Options::default())?;
    /// editor.set_attribute(module, "dlti.dl_spec", &spec)?;
    /// assert!(!before.is_current(&editor, module)?);
    /// let after = DataLayout::of_edit(&editor, module, &Options::default())?;
    /// assert_eq!(after.type_index_bitwidth(&mlirbc::Type::parse("index")?)?, Some(16));
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn of_edit(editor: &Editor, op: EditOp, options: &Options) -> Result<Self> {
        Self::of_source(LayoutSource::of_edit(editor, op, options)?, options)
    }

    /// Computes the layout from attributes that were read before.
    ///
    /// # Errors
    /// As [`Self::of`].
    ///
    /// See [`LayoutSource`] for an example.
    #[doc(hidden)]
    pub fn of_source(source: LayoutSource, options: &Options) -> Result<Self> {
        Self::of_sites(source.0, source.1.for_work(), options, Registrations::snapshot(options)?)
    }

    /// Whether the source attributes of this layout are unchanged.
    ///
    /// # Errors
    /// If the op is erased.
    ///
    /// See [`Self::of_edit`] for an example.
    #[doc(hidden)]
    pub fn is_current(&self, editor: &Editor, op: EditOp) -> Result<bool> {
        Ok(self.is_from(&LayoutSource::with(editor, op, None, &self.0.types)?))
    }

    /// Whether the layout was made from equal attributes.
    ///
    /// See [`LayoutSource`] for an example.
    #[doc(hidden)]
    pub fn is_from(&self, source: &LayoutSource) -> bool {
        self.0.sites == source.0
    }

    /// Computes the layout under specifications, the outermost first.
    ///
    /// # Errors
    /// If an attribute is malformed, is not a specification, or conflicts with an outer one.
    ///
    /// ```
    /// use mlirbc::layout::{DataLayout, DltiAttr, Options};
    /// let specs = [
    ///     DltiAttr::parse("#dlti.dl_spec<\"dlti.endianness\" = \"big\">")?,
    ///     DltiAttr::parse("#dlti.dl_spec<\"dlti.endianness\" = \"little\">")?,
    /// ];
    /// let error = DataLayout::of_specs(&specs, &Options::default()).unwrap_err();
    /// assert_eq!(error.identifier(), "mlirbc.layout.specs_do_not_combine");
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    #[doc(hidden)]
    pub fn of_specs(specs: &[DltiAttr], options: &Options) -> Result<Self> {
        let carried = specs.iter().enumerate().map(|(number, spec)| LocatedSpec {
            op: "builtin.module".to_owned(),
            path: format!("specification {number}"),
            attribute: "dlti.dl_spec".to_owned(),
            spec: spec.clone(),
        });
        let size = specs.iter().map(DltiAttr::size).fold(0, u64::saturating_add);
        let budget = Limits::default().budget(size);
        // The specifications count as nested ops: MLIR queries the innermost.
        let queryable = specs.last().filter(|_| options.rules == Rules::Mlir).cloned();
        let types = Registrations::snapshot(options)?;
        Self::new(carried.collect(), Sites::default(), (None, queryable), budget, (options, types))
    }

    fn of_sites(sites: Sites, budget: Budget, options: &Options, types: Registrations) -> Result<Self> {
        let path_specs = sites.read(&types)?;
        let target = (path_specs.system, path_specs.queryable);
        Self::new(path_specs.specs, sites, target, budget, (options, types))
    }

    fn new(
        carried: Vec<LocatedSpec>,
        sites: Sites,
        (system, queryable): (Option<DltiAttr>, Option<DltiAttr>),
        budget: Budget,
        (options, types): (&Options, Registrations),
    ) -> Result<Self> {
        let nesting = Nesting { strict: options.strict };
        let (mut effective, mut scopes) = (EffectiveEntries::default(), Vec::new());
        for (scope, LocatedSpec { op, path, attribute, spec }) in carried.into_iter().enumerate() {
            let located = |error: Error| error.with_path(format!("{path}, attribute `{attribute}`"));
            if spec.kind() != DltiKind::DataLayoutSpec {
                let actual = with_article(spec.kind().class());
                return Err(located(Error::new(
                    ErrorKind::LayoutAttributeKind,
                    "a DataLayoutSpecAttr",
                    actual,
                )));
            }
            effective.add(&spec, scope, (&sites.dialects, &types), nesting, &budget).map_err(located)?;
            scopes.push(Scope { op, path, attribute, spec });
        }
        let by_class = Entries::new(&effective.entries, types.rules);
        let cache = Cache::default();
        Ok(Self(Arc::new(Inner {
            scopes,
            places: effective.places(types.rules),
            effective,
            by_class,
            system,
            queryable,
            types,
            vectors: options.vectors,
            sites,
            cache,
            budget,
        })))
    }

    /// The ops with specifications around the op of the layout, the outermost first.
    #[doc(hidden)]
    pub fn scopes(&self) -> &[Scope] {
        &self.0.scopes
    }

    /// The effective entries, starting with the outermost scope, without entries that an inner scope
    /// replaces.
    ///
    /// ```
    /// use mlirbc::layout::{DataLayout, DltiAttr, Options};
    /// let outer = DltiAttr::parse("#dlti.dl_spec<index = 32 : i32, \"a\" = 1>")?;
    /// let inner = DltiAttr::parse("#dlti.dl_spec<index = 16 : i32>")?;
    /// let layout = DataLayout::of_specs(&[outer, inner], &Options::default())?;
    /// let from: Vec<_> = layout.entries().map(|entry| entry.scope).collect();
    /// assert_eq!(from, [1, 0]);
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    #[doc(hidden)]
    pub fn entries(&self) -> impl Iterator<Item = EffectiveEntry<'_>> {
        self.0
            .effective
            .entries
            .iter()
            .map(|entry| EffectiveEntry { entry: &entry.entry, scope: entry.scope })
    }

    /// Whether ops with this name are scopes.
    #[doc(hidden)]
    pub fn is_scope(&self, op: &str) -> bool {
        scope::is_scope(op, &self.0.types)
    }

    /// Whether an op is a scope, as [`Self::is_scope`], but without building the name.
    #[doc(hidden)]
    pub fn begins_scope(&self, op: &Operation<'_>) -> bool {
        scope::begins_scope(op, &self.0.types)
    }

    fn entries_by_class(&self) -> &Entries {
        &self.0.by_class
    }

    /// The layout of vectors.
    fn vectors(&self) -> VectorLayout {
        self.0.by_class.vectors().unwrap_or(self.0.vectors)
    }

    fn registrations(&self) -> &Registrations {
        &self.0.types
    }

    // ---- types ----

    fn row(&self, r#type: &Type) -> Arc<TypeResults> {
        let place = (r#type.0.home.address(), r#type.0.of);
        if let Some((_, results)) = lock(&self.0.cache.by_place).get(&place) {
            return results.clone();
        }
        let cached = lock(&self.0.cache.by_value).get(r#type).cloned();
        let results = cached.unwrap_or_else(|| Arc::new(self.new_row(r#type)));
        if results.shape.as_ref().is_err_and(|error| error.class() == ErrorClass::Limit) {
            // A temporary lack of memory is not cached.
            return results;
        }
        let results = {
            let mut rows = lock(&self.0.cache.by_value);
            if rows.len() >= MAX_RESULTS {
                rows.clear();
            }
            rows.entry(r#type.clone()).or_insert(results).clone()
        };
        let mut places = lock(&self.0.cache.by_place);
        if places.len() >= MAX_RESULTS {
            places.clear();
        }
        places.insert(place, (r#type.clone(), results.clone()));
        results
    }

    fn new_row(&self, r#type: &Type) -> TypeResults {
        let results = TypeResults::new(r#type.clone(), &self.0.budget);
        match &results.shape {
            // Cached results of other types are evicted.
            Err(error) if error.kind() == ErrorKind::MemoryLimit => {
                self.0.cache.clear();
                TypeResults::new(r#type.clone(), &self.0.budget)
            }
            _ => results,
        }
    }

    pub(crate) fn budget(&self) -> &Budget {
        &self.0.budget
    }

    /// The size in bytes: the size in bits, rounded up.
    ///
    /// # Errors
    /// If the type has no layout, or its size is not defined.
    ///
    /// ```
    /// use mlirbc::{Type, layout::{DataLayout, Options, TypeSize}};
    /// let layout = DataLayout::of_specs(&[], &Options::default())?;
    /// assert_eq!(layout.type_size(&Type::parse("i33")?)?, TypeSize::fixed(5));
    /// let error = layout.type_size(&Type::parse("tensor<4xf32>")?).unwrap_err();
    /// assert_eq!(error.identifier(), "mlirbc.layout.no_layout_for_type");
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn type_size(&self, r#type: &Type) -> Result<TypeSize> {
        let bits = self.row(r#type).bits(self)?;
        Ok(TypeSize::new(bits.min.div_ceil(8), bits.is_scalable))
    }

    /// The size in bits.
    ///
    /// # Errors
    /// As [`Self::type_size`].
    pub fn type_size_in_bits(&self, r#type: &Type) -> Result<TypeSize> {
        self.row(r#type).bits(self)
    }

    /// The alignment that the ABI requires, in bytes.
    ///
    /// # Errors
    /// As [`Self::type_size`].
    pub fn type_abi_alignment(&self, r#type: &Type) -> Result<u64> {
        self.row(r#type).abi(self)
    }

    /// The preferred alignment, in bytes.
    ///
    /// # Errors
    /// As [`Self::type_size`].
    pub fn type_preferred_alignment(&self, r#type: &Type) -> Result<u64> {
        self.row(r#type).preferred(self)
    }

    /// The width of an index in bits: for `index` and pointers; `None` for other types.
    ///
    /// # Errors
    /// If the type cannot be read.
    ///
    /// ```
    /// use mlirbc::{Type, layout::{DataLayout, Options}};
    /// let layout = DataLayout::of_specs(&[], &Options::default())?;
    /// assert_eq!(layout.type_index_bitwidth(&Type::parse("!llvm.ptr<3>")?)?, Some(64));
    /// assert_eq!(layout.type_index_bitwidth(&Type::parse("i64")?)?, None);
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn type_index_bitwidth(&self, r#type: &Type) -> Result<Option<u64>> {
        self.row(r#type).index(self)
    }

    /// Parses a type; cached.
    ///
    /// # Errors
    /// If the text is not a type.
    pub fn parse(&self, text: &str) -> Result<Type> {
        if let Some(results) = lock(&self.0.cache.by_text).get(text) {
            return Ok(results.r#type.clone());
        }
        let results = self.row(&Type::parse(text)?);
        let r#type = results.r#type.clone();
        let mut texts = lock(&self.0.cache.by_text);
        if texts.len() >= MAX_RESULTS {
            texts.clear();
        }
        texts.insert(text.into(), results);
        Ok(r#type)
    }

    /// Returns the text of a type for a report: at most `most` characters and `…`. All texts of one layout
    /// count against the text limit of its module.
    ///
    /// # Errors
    /// [`ErrorKind::TextLimit`] if the limit is exceeded.
    #[doc(hidden)]
    pub fn text_of(&self, r#type: &Type, most: Option<usize>) -> Result<String> {
        let budget = self.budget();
        let text = match most {
            Some(most) => cut(&r#type.0.excerpt(most.saturating_add(1)), most),
            None => r#type.0.print_at_most(r#type.0.text_limit().min(budget.text_left())),
        };
        budget.spend_text(text.len() as u64)?;
        Ok(text)
    }

    // ---- the target ----

    // ---- comparing ----
}

/// Returns the class of a type, as a key of tables.
fn class_of(r#type: &Type) -> Result<String> {
    let budget = Limits::default().budget(0);
    Ok(Shape::of(r#type, &budget)?.0.class().name())
}
