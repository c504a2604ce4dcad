//! Layouts of types without a rule in MLIR: registered, as data or as code.

use std::collections::HashMap;
use std::fmt::Debug;
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};

use crate::attr::Type;
use crate::wire::error::Result;

use super::formula::LayoutTable;
use super::hooks::{IdentifierRules, ScopeSpecification};
use super::rfc::Rules;
use super::shape::check_class;
use super::{DataLayout, DltiEntry, Options, TypeSize};

/// A query about a type of a class.
#[derive(Debug, Clone, Copy)]
pub struct TypeQuestion<'q> {
    /// The type.
    pub r#type: &'q Type,
    /// The layout to query for other types, e.g. of elements.
    pub layout: &'q DataLayout,
    /// The effective entries of the class.
    pub entries: &'q [DltiEntry],
    /// The effective entries with names under the rules of the RFC; empty under the rules of MLIR, where
    /// types do not receive them.
    pub identifiers: &'q [DltiEntry],
}

/// The layout of a class of types, the counterpart of MLIR's `DataLayoutTypeInterface`.
///
/// ```
/// use mlirbc::layout::{self, TypeLayout, TypeQuestion, TypeSize};
/// #[derive(Debug)]
/// struct Token;
/// impl TypeLayout for Token {
///     fn size_in_bits(&self, _: &TypeQuestion<'_>) -> mlirbc::Result<TypeSize> { Ok(TypeSize::fixed(12)) }
///     fn abi_alignment(&self, _: &TypeQuestion<'_>) -> mlirbc::Result<u64> { Ok(4) }
/// }
/// layout::register_type("toy.token", std::sync::Arc::new(Token))?;
/// let token = mlirbc::Type::parse("!toy.token")?;
/// let layout = layout::DataLayout::of_specs(&[], &layout::Options::default())?;
/// assert_eq!(layout.type_size(&token)?, TypeSize::fixed(2));
/// # Ok::<(), mlirbc::Error>(())
/// ```
pub trait TypeLayout: Send + Sync + Debug {
    /// The size of a type in bits.
    ///
    /// # Errors
    /// If the type has no size.
    fn size_in_bits(&self, question: &TypeQuestion<'_>) -> Result<TypeSize>;

    /// The alignment that the ABI requires, in bytes.
    ///
    /// # Errors
    /// If the type has no ABI alignment.
    fn abi_alignment(&self, question: &TypeQuestion<'_>) -> Result<u64>;

    /// The preferred alignment, in bytes; by default the ABI alignment.
    ///
    /// # Errors
    /// If the type has no preferred alignment.
    fn preferred_alignment(&self, question: &TypeQuestion<'_>) -> Result<u64> {
        self.abi_alignment(question)
    }

    /// The width of an index in bits; by default `None`.
    ///
    /// # Errors
    /// If the width is unknown.
    fn index_bitwidth(&self, question: &TypeQuestion<'_>) -> Result<Option<u64>> {
        let _ = question;
        Ok(None)
    }

    /// Whether values of a type are references to memory, like pointers; `false` by default.
    ///
    /// # Errors
    /// If the answer is unknown.
    fn is_memory_reference(&self, r#type: &Type) -> Result<bool> {
        let _ = r#type;
        Ok(false)
    }

    /// Verifies the entries of the class in one specification; by default all are valid.
    ///
    /// # Errors
    /// The error of the rejected entry.
    fn verify_entries(&self, entries: &[DltiEntry]) -> Result<()> {
        let _ = entries;
        Ok(())
    }

    /// Whether the entries of a nested specification are compatible with the outer ones; by default they are.
    ///
    /// # Errors
    /// If the answer is unknown.
    fn are_compatible(&self, outer: &[DltiEntry], inner: &[DltiEntry]) -> Result<bool> {
        let _ = (outer, inner);
        Ok(true)
    }
}

/// The registry: layouts by class, and known scopes.
#[derive(Debug, Clone, Default)]
pub(crate) struct Registrations {
    types: HashMap<String, Arc<dyn TypeLayout>>,
    scopes: HashMap<String, bool>,
    identifiers: HashMap<String, Arc<dyn IdentifierRules>>,
    specifications: HashMap<String, Arc<dyn ScopeSpecification>>,
    pub(crate) rules: Rules,
}

static GLOBAL: LazyLock<Mutex<Registrations>> = LazyLock::new(|| {
    let mut all = Registrations::default();
    // The class of `-test-data-layout-query` belongs to MLIR's own test dialect.
    all.types.insert("test.test_type_with_layout".to_owned(), Arc::new(super::test_type::TestType));
    Mutex::new(all)
});

fn global() -> MutexGuard<'static, Registrations> {
    GLOBAL.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Registrations {
    /// Collects the registered layouts, specifications, identifiers and scopes. Layouts and rules of the
    /// options replace registered ones.
    ///
    /// # Errors
    /// [`ErrorKind::LayoutFixedRule`](crate::ErrorKind) if the options have a layout for types with a rule in MLIR.
    pub(crate) fn snapshot(options: &Options) -> Result<Self> {
        options.types.iter().try_for_each(|(class, _)| check_class(class))?;
        let mut all = global().clone();
        all.rules = options.rules;
        if all.rules == Rules::Rfc {
            for (class, layout) in rfc_memref_layout().types() {
                all.types.entry(class).or_insert(layout);
            }
            all.types.entry("tuple".to_owned()).or_insert_with(|| Arc::new(super::container::TupleLayout));
        }
        all.types.extend(options.types.iter().cloned());
        all.specifications.extend(options.specifications.iter().cloned());
        all.identifiers.extend(options.identifiers.iter().cloned());
        all.scopes.extend(options.scopes.iter().cloned());
        Ok(all)
    }

    /// Returns the rules for an identifier, by the dialect that its name starts with.
    pub(crate) fn identifier_rules(&self, name: &[u8]) -> Option<&Arc<dyn IdentifierRules>> {
        let dialect = name.split(|&byte| byte == b'.').next()?;
        self.identifiers.get(std::str::from_utf8(dialect).ok()?)
    }

    pub(crate) fn has_specifications(&self) -> bool {
        !self.specifications.is_empty()
    }

    pub(crate) fn specification(&self, op: &str) -> Option<&Arc<dyn ScopeSpecification>> {
        self.specifications.get(op)
    }

    pub(crate) fn get(&self, class: &str) -> Option<&Arc<dyn TypeLayout>> {
        self.types.get(class)
    }

    pub(crate) fn is_scope(&self, op: &str) -> Option<bool> {
        self.scopes.get(op).copied()
    }
}

/// Registers a layout for types of a class, replacing another one, for all [`DataLayout`]s created from now
/// on. A class is a dialect and the name after it, e.g. `toy.matrix`, or the keyword of a builtin type.
///
/// Types with a rule in MLIR keep it: integers, floats, `index`, `complex`, `vector`, `llvm.ptr`,
/// `llvm.array`, `llvm.struct` and `ptr.ptr`.
///
/// # Errors
/// [`ErrorKind::LayoutFixedRule`](crate::ErrorKind) for types with a rule in MLIR, and for names that are not
/// classes.
///
/// See [`TypeLayout`] for an example.
pub fn register_type(class: &str, layout: Arc<dyn TypeLayout>) -> Result<()> {
    check_class(class)?;
    global().types.insert(class.to_owned(), layout);
    Ok(())
}

/// Removes the registered layout of a class, for all [`DataLayout`]s created from now on. Returns whether
/// there was one.
///
/// ```
/// use mlirbc::layout;
/// layout::register_table(&layout::LayoutTable::from_toml(
///     "[[type]]\nname = \"doc_example.gone\"\nsize_in_bits = 8\nabi_alignment = 1",
/// )?);
/// assert!(layout::unregister_type("doc_example.gone"));
/// assert!(!layout::unregister_type("doc_example.gone"));
/// # Ok::<(), mlirbc::Error>(())
/// ```
pub fn unregister_type(class: &str) -> bool {
    global().types.remove(class).is_some()
}

/// Registers all classes of a table; see [`register_type`].
///
/// ```
/// use mlirbc::layout::{self, LayoutTable, Options, TypeSize};
/// layout::register_table(&LayoutTable::from_toml(r#"
///     [[type]]
///     name = "toy.pair"
///     parameters = ["first", "second"]
///     size_in_bits = "size_in_bits(first) + size_in_bits(second)"
///     abi_alignment = 8
/// "#)?);
/// let pair = mlirbc::Type::parse("!toy.pair<i3, f16>")?;
/// let layout = layout::DataLayout::of_specs(&[], &Options::default())?;
/// assert_eq!(layout.type_size_in_bits(&pair)?, TypeSize::fixed(19));
/// # Ok::<(), mlirbc::Error>(())
/// ```
pub fn register_table(table: &LayoutTable) {
    // The classes were checked when the table was parsed.
    global().types.extend(table.types());
}

/// Registers rules for the identifiers whose names start with a dialect and a dot, replacing earlier rules,
/// for all [`DataLayout`]s created from now on. Without rules, an inner value must be equal to the outer one
/// under the rules of MLIR, and replaces the outer one under the rules of the RFC.
///
/// See [`IdentifierRules`] for an example.
#[doc(hidden)]
pub fn register_identifiers(dialect: &str, rules: Arc<dyn IdentifierRules>) {
    global().identifiers.insert(dialect.to_owned(), rules);
}

/// Removes the registered rules for the identifiers of a dialect. Returns whether there were any.
#[doc(hidden)]
pub fn unregister_identifiers(dialect: &str) -> bool {
    global().identifiers.remove(dialect).is_some()
}

/// Registers where ops with that name carry their specification; such ops are scopes. If the specification
/// returns `None`, the attributes of the op apply as usual.
///
/// See [`ScopeSpecification`] for an example.
#[doc(hidden)]
pub fn register_specification(op: &str, specification: Arc<dyn ScopeSpecification>) {
    global().specifications.insert(op.to_owned(), specification);
}

/// Removes a registration by [`register_specification`]. Returns whether there was one.
///
/// See [`ScopeSpecification`] for an example.
#[doc(hidden)]
pub fn unregister_specification(op: &str) -> bool {
    global().specifications.remove(op).is_some()
}

/// Registers whether ops with that name are scopes: ops whose `dlti.dl_spec` applies to their contents.
#[doc(hidden)]
pub fn register_scope(op: &str, is_scope: bool) {
    global().scopes.insert(op.to_owned(), is_scope);
}

/// Removes a registration by [`register_scope`]. Returns whether there was one.
#[doc(hidden)]
pub fn unregister_scope(op: &str) -> bool {
    global().scopes.remove(op).is_some()
}

/// The layout of memrefs in the RFC, which MLIR does not implement: a `descriptor` of (3 + 2·rank) words as
/// wide as `index`, or `bare`, a pointer.
///
/// ```
/// use mlirbc::layout::{DataLayout, Options, TypeSize, rfc_memref_layout};
/// let options = Options::default().types(rfc_memref_layout().types());
/// let layout = DataLayout::of_specs(&[], &options)?;
/// let memref = mlirbc::Type::parse("memref<2x?xmemref<f32>>")?;
/// assert_eq!(layout.type_size(&memref)?, TypeSize::fixed(56));
/// # Ok::<(), mlirbc::Error>(())
/// ```
#[doc(hidden)]
#[allow(clippy::expect_used)] // a test reads the table
pub fn rfc_memref_layout() -> &'static LayoutTable {
    static TABLE: LazyLock<LayoutTable> = LazyLock::new(|| {
        LayoutTable::from_toml(include_str!("../../data/layouts/memref-rfc.toml")).expect("the shipped table")
    });
    &TABLE
}
