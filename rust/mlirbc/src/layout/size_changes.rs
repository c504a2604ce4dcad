//! Types that have another size in a copy of operations, because another layout applies there.
//!
//! Owns the comparison of a part of an edited module with its copy. Does not own the copying (`edit`,
//! `convert`), which is independent of layouts.

use std::collections::HashSet;

use crate::attr::{Attribute, FieldValue, Type};
use crate::dialect::entries::EntryRef;
use crate::edit::{EditBlock, EditOp, EditRegion, Editor};
use crate::wire::error::{ErrorClass, Result};

use super::registrations::Registrations;
use super::scope::{Sites, is_scope};
use super::{DataLayout, LayoutSource, Options, TypeSize};

/// Operations or blocks of an edited module: the original or its copy.
#[doc(hidden)]
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CopiedPart {
    /// An operation with its regions.
    Op(EditOp),
    /// Blocks of one region.
    Blocks(Vec<EditBlock>),
}

/// A type and its sizes in bits; `None` where it has no layout.
#[doc(hidden)]
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SizeChange {
    /// The type.
    pub r#type: Type,
    /// The size at the original position.
    pub before: Option<TypeSize>,
    /// The size in the copy.
    pub after: Option<TypeSize>,
}

/// The changes in a copy.
#[doc(hidden)]
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SizeChanges {
    /// The types whose size changed, in the order of their first use.
    pub types: Vec<SizeChange>,
    /// The number of nested scopes that were not compared, because there are many.
    pub omitted_scopes: usize,
}

/// The maximum number of nested scopes that are compared. Each has a layout, which depends on all scopes
/// around it.
const COMPARED: usize = 64;

/// The types that a part uses, by the layouts that apply to them: the types of results and block arguments,
/// and types in attributes.
///
/// ```
/// use mlirbc::edit::{CloneOptions, Editor, InsertionPoint};
/// use mlirbc::layout::{CopiedPart, Options, UsedTypes};
/// use mlirbc::version::BytecodeVersion;
/// let mut source = Editor::new(mlirbc::Module::open("../../examples/layout.mlirbc")?)?;
/// let mut target = Editor::create_module(&mlirbc::Release::default(), BytecodeVersion::MAX, None)?;
/// let (kernels, module) = (source.symbol("kernels")?.unwrap(), target.operation()?);
/// let at = InsertionPoint::AtEnd(target.body(module)?);
/// let copy = target.clone_op_from(&mut source, kernels, Some(at), &CloneOptions::default())?;
/// let options = Options::default();
/// let before = UsedTypes::of_edit(&mut source, &CopiedPart::Op(kernels), &options)?;
/// let after = UsedTypes::of_edit(&mut target, &CopiedPart::Op(copy), &options)?;
/// // The copy has its own specification, so the pointers in it keep their size.
/// assert!(before.size_changes(&after, &options)?.types.is_empty());
/// # Ok::<(), mlirbc::Error>(())
/// ```
#[doc(hidden)]
#[derive(Debug, Clone, Default)]
pub struct UsedTypes {
    /// The part itself first, then the scopes in it, in the order of the operations.
    scopes: Vec<ScopeTypes>,
    omitted: usize,
}

/// The layout attributes of the operations around a scope, if the scope is compared, and the types in the scope.
type ScopeTypes = (Option<LayoutSource>, Vec<Type>);

impl UsedTypes {
    /// Reads the operations of a part. Calls no registered layout.
    ///
    /// # Errors
    /// If an operation or block was erased, or cannot be read.
    pub fn of_edit(editor: &mut Editor, part: &CopiedPart, options: &Options) -> Result<Self> {
        let types = Registrations::snapshot(options)?;
        let source = LayoutSource::of_part(editor, part, options)?;
        let mut walk = Walk { scopes: vec![(Some(source), Vec::new())], ..Walk::default() };
        let mut pending = Vec::new();
        match part {
            CopiedPart::Op(op) => pending.push((WalkStep::Op(*op), 0)),
            CopiedPart::Blocks(blocks) => {
                pending.extend(blocks.iter().rev().map(|block| (WalkStep::Block(*block), 0)));
            }
        }
        while let Some((step, scope)) = pending.pop() {
            match step {
                WalkStep::Block(block) => {
                    for value in editor.arguments(block)? {
                        walk.add(scope, editor.value_type(value)?);
                    }
                    let ops = editor.operations(block)?;
                    pending.extend(ops.into_iter().rev().map(|op| (WalkStep::Op(op), scope)));
                }
                WalkStep::Region(region) => {
                    let blocks = editor.blocks(region)?;
                    pending.extend(blocks.into_iter().rev().map(|block| (WalkStep::Block(block), scope)));
                }
                WalkStep::Op(op) => {
                    for value in editor.results(op)? {
                        walk.add(scope, editor.value_type(value)?);
                    }
                    for attribute in editor.attributes(op)? {
                        walk.add_attribute(scope, &attribute.value);
                    }
                    let is_nested = *part != CopiedPart::Op(op);
                    let inner = match is_nested && is_scope(&editor.name(op)?, &types) {
                        true => walk.begin(editor, op, options)?,
                        false => scope,
                    };
                    let regions = editor.regions(op)?;
                    pending.extend(regions.into_iter().rev().map(|region| (WalkStep::Region(region), inner)));
                }
            }
        }
        Ok(Self { scopes: walk.scopes, omitted: walk.omitted })
    }

    /// Returns the types that have another size in a copy of the part.
    ///
    /// # Errors
    /// If the specifications around the copy do not combine. A part whose own specifications are invalid has
    /// no sizes, so no size changes.
    #[allow(clippy::mutable_key_type)] // what changes in a type is a cache
    pub fn size_changes(&self, copy: &Self, options: &Options) -> Result<SizeChanges> {
        let (mut types, mut seen) = (Vec::new(), HashSet::new());
        for ((before, used), (after, _)) in self.scopes.iter().zip(&copy.scopes) {
            let (Some(before), Some(after)) = (before, after) else { continue };
            let Some(before) = answer_if_any(DataLayout::of_source(before.clone(), options))? else {
                continue;
            };
            let after = DataLayout::of_source(after.clone(), options)?;
            if before.has_entries_of(&after) {
                continue;
            }
            for r#type in used {
                let sizes = (
                    answer_if_any(before.type_size_in_bits(r#type))?,
                    answer_if_any(after.type_size_in_bits(r#type))?,
                );
                if sizes.0 != sizes.1 && seen.insert((r#type.clone(), sizes)) {
                    types.push(SizeChange { r#type: r#type.clone(), before: sizes.0, after: sizes.1 });
                }
            }
        }
        Ok(SizeChanges { types, omitted_scopes: self.omitted })
    }
}

/// Returns the answer, if there is one; limits and interrupts remain errors.
fn answer_if_any<T>(answer: Result<T>) -> Result<Option<T>> {
    match answer {
        Ok(answer) => Ok(Some(answer)),
        Err(error) if error.class() == ErrorClass::Invalid => Ok(None),
        Err(error) => Err(error),
    }
}

impl LayoutSource {
    /// Reads the attributes around a part, and the attributes of an operation itself. If the layouts of a
    /// part and of its copy [have the same entries](DataLayout::has_entries_of), no size changes.
    ///
    /// # Errors
    /// If the part was erased, or an attribute is malformed.
    pub fn of_part(editor: &Editor, part: &CopiedPart, options: &Options) -> Result<Self> {
        let first = match part {
            CopiedPart::Op(op) => return Self::of_edit(editor, *op, options),
            CopiedPart::Blocks(blocks) => blocks.first().copied(),
        };
        match first.map(|block| editor.region_of(block)).transpose()?.flatten() {
            Some(region) => Self::of_edited_region(editor, region, options),
            None => Ok(Self(Sites::default(), editor.base().tables().work_budget())),
        }
    }
}

enum WalkStep {
    Op(EditOp),
    Region(EditRegion),
    Block(EditBlock),
}

#[derive(Default)]
struct Walk {
    scopes: Vec<ScopeTypes>,
    seen: HashSet<(usize, (usize, EntryRef))>,
    omitted: usize,
}

impl Walk {
    /// Begins a nested scope.
    fn begin(&mut self, editor: &Editor, op: EditOp, options: &Options) -> Result<usize> {
        let source = match self.scopes.len() <= COMPARED {
            true => Some(LayoutSource::of_edit(editor, op, options)?),
            false => {
                self.omitted += 1;
                None
            }
        };
        self.scopes.push((source, Vec::new()));
        Ok(self.scopes.len() - 1)
    }

    fn add(&mut self, scope: usize, r#type: Type) {
        if self.seen.insert((scope, (r#type.0.home.address(), r#type.0.of)))
            && let Some((Some(_), types)) = self.scopes.get_mut(scope)
        {
            types.push(r#type);
        }
    }

    /// Adds the type in a type attribute, such as the type of an allocation or of a function, whose
    /// parameters count.
    fn add_attribute(&mut self, scope: usize, value: &Attribute) {
        let Some("TypeAttr") = value.class() else { return };
        let Ok(Some(FieldValue::Type(r#type))) = value.field("value") else { return };
        if r#type.class() != Some("FunctionType") {
            return self.add(scope, r#type);
        }
        if !self.seen.insert((scope, (r#type.0.home.address(), r#type.0.of))) {
            return;
        }
        for name in ["inputs", "results"] {
            let Ok(Some(FieldValue::List(types))) = r#type.field(name) else { continue };
            for r#type in types {
                if let FieldValue::Type(r#type) = r#type {
                    self.add(scope, r#type);
                }
            }
        }
    }
}
