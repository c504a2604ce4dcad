//! Rules for identifiers by dialect, and ops that carry their specification elsewhere: the counterparts of
//! MLIR's `DataLayoutDialectInterface` and `DataLayoutOpInterface`.

use std::fmt::Debug;

use crate::attr::Attribute;
use crate::wire::error::Result;

use super::DltiAttr;

/// The rules for the identifiers of a dialect, registered with
/// [`register_identifiers`](super::register_identifiers).
///
/// ```
/// use mlirbc::{Attribute, layout::{self, DataLayout, DltiAttr, IdentifierRules, Options}};
/// #[derive(Debug)]
/// struct Innermost;
/// impl IdentifierRules for Innermost {
///     fn combine(&self, _: &str, _: &Attribute, inner: &Attribute) -> mlirbc::Result<Attribute> {
///         Ok(inner.clone())
///     }
/// }
/// layout::register_identifiers("doc_example", std::sync::Arc::new(Innermost));
/// let spec = |value: u8| DltiAttr::parse(format!("#dlti.dl_spec<\"doc_example.level\" = {value}>"));
/// let layout = DataLayout::of_specs(&[spec(1)?, spec(2)?], &Options::default())?;
/// assert_eq!(layout.entries().next().unwrap().entry.value.to_string(), "2 : i64");
/// # Ok::<(), mlirbc::Error>(())
/// ```
#[doc(hidden)]
pub trait IdentifierRules: Send + Sync + Debug {
    /// Verifies an entry; by default every value is valid.
    ///
    /// # Errors
    /// If the entry is invalid.
    fn verify(&self, key: &str, value: &Attribute) -> Result<()> {
        let _ = (key, value);
        Ok(())
    }

    /// Combines the value of a scope, `inner`, with a different value of the scopes around it, `outer`.
    ///
    /// # Errors
    /// If the two cannot be combined.
    fn combine(&self, key: &str, outer: &Attribute, inner: &Attribute) -> Result<Attribute>;
}

/// An op whose specification is requested.
#[doc(hidden)]
#[derive(Debug, Clone, Copy)]
pub struct ScopeQuestion<'q> {
    /// The name of the op.
    pub op: &'q str,
    /// The attributes of the op, including its properties that are attributes, by name.
    pub attributes: &'q [(String, Attribute)],
    /// The number of the region that the specification is for. `None` for the op itself, if it has no region or
    /// several: the contents of an op with a single region are its scope.
    pub region: Option<u32>,
}

/// Ops that carry their specification elsewhere than in `dlti.dl_spec`, registered with
/// [`register_specification`](super::register_specification).
///
/// ```
/// use mlirbc::layout::{self, DltiAttr, ScopeQuestion, ScopeSpecification};
/// #[derive(Debug)]
/// struct FromWidth;
/// impl ScopeSpecification for FromWidth {
///     fn specification(&self, question: &ScopeQuestion<'_>) -> mlirbc::Result<Option<DltiAttr>> {
///         let width = question.attributes.iter().find(|(name, _)| name == "width");
///         width.map(|(_, width)| DltiAttr::parse(format!("#dlti.dl_spec<index = {width}>"))).transpose()
///     }
/// }
/// layout::register_specification("doc_example.core", std::sync::Arc::new(FromWidth));
/// assert!(layout::unregister_specification("doc_example.core"));
/// ```
#[doc(hidden)]
pub trait ScopeSpecification: Send + Sync + Debug {
    /// Returns the specification of an op, or of one of its regions. The specification replaces the
    /// attributes of the op that would apply otherwise and that the question contains; `None` leaves them in
    /// effect.
    ///
    /// # Errors
    /// If the specification is malformed.
    fn specification(&self, question: &ScopeQuestion<'_>) -> Result<Option<DltiAttr>>;
}
