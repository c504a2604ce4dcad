//! Finds the operations that the translation changes, and the manual axes around them.

use std::collections::HashMap;
use std::rc::Rc;

use crate::attr::{Attribute, FieldValue};
use crate::edit::arena::{EditAttr, EditName};
use crate::edit::{EditBlock, EditOp, Editor};
use crate::wire::bytes::Bytes;
use crate::wire::error::Result;
use crate::wire::limits::Budget;

use super::attributes::{Shardings, TensorSharding, items};
use super::contexts::{CallGraph, ManualContext, NO_FUNCTION};
use super::refusals::{Attempt, Refusals, refused};
use super::{DIALECT, SHARDING_RULE, frontend};

/// An operation to change.
#[derive(Debug)]
pub(super) struct FoundOp {
    pub(super) op: EditOp,
    /// The number of the function around the operation.
    pub(super) function: usize,
    /// The manual axes around the operation, without the manual axes of its function.
    pub(super) around: ManualContext,
    pub(super) change: Change,
}

/// How an operation changes.
#[derive(Debug)]
pub(super) enum Change {
    Mesh,
    Constraint,
    Manual(Manual),
    /// Attributes of arguments and results.
    Function,
    /// Strings in the dictionary of another operation.
    Attributes,
    /// A call in the form of JAX 0.6.
    FrontendCall,
}

/// A manual computation.
#[derive(Debug)]
pub(super) struct Manual {
    pub(super) axes: ManualContext,
    pub(super) inputs: Rc<[Rc<TensorSharding>]>,
    pub(super) outputs: Rc<[Rc<TensorSharding>]>,
    pub(super) body: EditBlock,
}

#[derive(Debug, Clone, Copy)]
enum OpClass {
    Mesh,
    Constraint,
    Manual,
    Return,
    OtherShardy,
    Function,
    /// An operation that refers to a function with this attribute.
    Call(&'static str),
    CustomCall,
    Plain,
}

impl OpClass {
    fn of(name: &[u8]) -> Self {
        match name {
            b"sdy.mesh" => Self::Mesh,
            b"sdy.sharding_constraint" => Self::Constraint,
            b"sdy.manual_computation" => Self::Manual,
            b"sdy.return" => Self::Return,
            b"func.func" => Self::Function,
            b"func.call" => Self::Call("callee"),
            b"stablehlo.composite" => Self::Call("decomposition"),
            b"stablehlo.custom_call" => Self::CustomCall,
            _ if name.starts_with(DIALECT) && name.get(DIALECT.len()) == Some(&b'.') => Self::OtherShardy,
            _ => Self::Plain,
        }
    }
}

/// The pass over all operations.
pub(super) struct Survey<'e> {
    editor: &'e mut Editor,
    shardings: &'e mut Shardings,
    refusals: &'e mut Refusals,
    pub(super) calls: CallGraph,
    pub(super) found: Vec<FoundOp>,
    classes: HashMap<EditName, OpClass>,
    dictionaries: HashMap<EditAttr, DictionaryFacts>,
    has_frontend: bool,
    budget: Budget,
}

/// An operation to visit.
#[derive(Clone, Copy)]
struct Visit {
    op: EditOp,
    function: usize,
    around: ManualContext,
    is_in_manual: bool,
}

impl<'e> Survey<'e> {
    pub(super) fn new(
        editor: &'e mut Editor,
        shardings: &'e mut Shardings,
        refusals: &'e mut Refusals,
        budget: &Budget,
    ) -> Result<Self> {
        let has_frontend = frontend::occurs(editor.base())?;
        Ok(Self {
            editor,
            shardings,
            refusals,
            calls: CallGraph::new(budget.clone()),
            found: Vec::new(),
            classes: HashMap::new(),
            dictionaries: HashMap::new(),
            has_frontend,
            budget: budget.clone(),
        })
    }

    /// Visits all operations, each before the operations inside.
    ///
    /// # Errors
    /// If something cannot be read, or the memory limit is exceeded.
    pub(super) fn run(&mut self) -> Result<()> {
        let root = self.editor.operation()?;
        self.define_meshes(root)?;
        let mut stack = vec![Visit {
            op: root,
            function: NO_FUNCTION,
            around: ManualContext::default(),
            is_in_manual: false,
        }];
        let mut visited = 0_u32;
        while let Some(visit) = stack.pop() {
            visited = visited.wrapping_add(1);
            if visited.is_multiple_of(1 << 12) {
                self.editor.base().tables().check_interrupt()?;
            }
            let (mut inside, class) = self.visit(visit)?;
            inside.is_in_manual = matches!(class, OpClass::Manual);
            let first = stack.len();
            for region in self.editor.regions(visit.op)? {
                for block in self.editor.blocks(region)? {
                    let ops = self.editor.operations(block)?;
                    stack.extend(ops.into_iter().map(|op| Visit { op, ..inside }));
                }
            }
            if let Some(new) = stack.get_mut(first..) {
                new.reverse();
            }
        }
        Ok(())
    }

    /// Meshes may follow their uses.
    fn define_meshes(&mut self, root: EditOp) -> Result<()> {
        for region in self.editor.regions(root)? {
            for block in self.editor.blocks(region)? {
                for op in self.editor.operations(block)? {
                    if matches!(self.class(op), OpClass::Mesh) {
                        self.shardings.meshes.define(self.editor, op, self.refusals)?;
                    }
                }
            }
        }
        Ok(())
    }

    fn class(&mut self, op: EditOp) -> OpClass {
        let name = self.editor.arena.op(op.row()).name();
        let tables = &self.editor.tables;
        *self.classes.entry(name).or_insert_with(|| OpClass::of(&tables.op_name_bytes(name)))
    }

    /// Records the change of an operation, and returns how the operations inside are visited.
    fn visit(&mut self, visit: Visit) -> Result<(Visit, OpClass)> {
        let Visit { op, .. } = visit;
        let class = self.class(op);
        let mut inside = visit;
        match class {
            OpClass::Mesh => match self.editor.parent(op)? == Some(self.editor.operation()?) {
                true => self.push(visit, Change::Mesh)?,
                false => self.refuse(op, "a mesh inside of another operation than the module"),
            },
            OpClass::Constraint => self.push(visit, Change::Constraint)?,
            OpClass::Manual => {
                let manual = self.manual(op);
                if let Some(manual) = self.refusals.keep(self.editor, op, manual)? {
                    // The translation refuses axes that are manual twice.
                    inside.around = visit.around.join(manual.axes).unwrap_or(visit.around);
                    self.push(visit, Change::Manual(manual))?;
                }
            }
            OpClass::Return if visit.is_in_manual => {}
            OpClass::Return | OpClass::OtherShardy => self.refuse(op, "the operation"),
            OpClass::Function => {
                inside.function = self.function(op)?;
                inside.around = ManualContext::default();
                self.push(inside, Change::Function)?;
            }
            OpClass::Call(attribute) => {
                if let Some(callee) = self.editor.attribute(op, attribute)?
                    && let Some(callee) = symbol(&callee)?
                {
                    self.calls.add_call(visit.function, &callee, visit.around)?;
                }
            }
            OpClass::CustomCall if self.has_frontend => {
                let target = self.editor.string_named(op.row(), b"call_target_name")?;
                if target.is_some_and(|target| target.starts_with(frontend::PREFIX)) {
                    self.push(visit, Change::FrontendCall)?;
                    return Ok((inside, class));
                }
            }
            OpClass::CustomCall | OpClass::Plain => {}
        }
        self.attributes(visit)?;
        Ok((inside, class))
    }

    fn push(&mut self, Visit { op, function, around, .. }: Visit, change: Change) -> Result<()> {
        self.budget.spend(2 * size_of::<FoundOp>())?;
        self.found.push(FoundOp { op, function, around, change });
        Ok(())
    }

    fn refuse(&mut self, op: EditOp, reason: &str) {
        self.refusals.add(self.editor, op, reason.to_owned());
    }

    fn function(&mut self, op: EditOp) -> Result<usize> {
        let Some(name) = self.editor.string_named(op.row(), b"sym_name")? else { return Ok(NO_FUNCTION) };
        let number = self.calls.number(&name)?;
        let visibility = self.editor.string_named(op.row(), b"sym_visibility")?;
        if visibility.is_none_or(|visibility| visibility != b"private") {
            self.calls.set_public(number);
        }
        Ok(number)
    }

    fn manual(&mut self, op: EditOp) -> Attempt<Manual> {
        let (Some(inputs), Some(outputs), Some(axes)) = (
            self.editor.attribute(op, "in_shardings")?,
            self.editor.attribute(op, "out_shardings")?,
            self.editor.attribute(op, "manual_axes")?,
        ) else {
            return refused("a manual computation without shardings or axes");
        };
        let (inputs, outputs) = (self.shardings.list(&inputs)?, self.shardings.list(&outputs)?);
        let regions = self.editor.regions(op)?;
        let blocks = regions.first().map(|&region| self.editor.blocks(region)).transpose()?;
        let Some(&[body]) = blocks.as_deref() else {
            return refused("a manual computation without one block");
        };
        let counts = [self.editor.operands(op)?.len(), self.editor.arguments(body)?.len(), inputs.len()];
        if regions.len() != 1
            || counts != [inputs.len(); 3]
            || self.editor.results(op)?.len() != outputs.len()
        {
            return refused("a manual computation with other numbers of values and shardings");
        }
        let mut meshes = inputs.iter().chain(&*outputs).map(|sharding| &sharding.mesh);
        let Some(mesh) = meshes.next() else {
            return match items(&axes, "value")?.is_empty() {
                true => Ok(Manual { axes: ManualContext::default(), inputs, outputs, body }),
                false => refused("a manual computation without a mesh"),
            };
        };
        if meshes.any(|other| other.layout != mesh.layout) {
            return refused("a manual computation on several meshes");
        }
        let axes = ManualContext { layout: mesh.layout, axes: self.shardings.manual_axes(&axes, mesh)? };
        Ok(Manual { axes, inputs: inputs.clone(), outputs: outputs.clone(), body })
    }

    /// Records attributes of Shardy in the dictionary of an operation.
    fn attributes(&mut self, visit: Visit) -> Result<()> {
        let Some(index) = self.editor.arena.op(visit.op.row()).attributes else { return Ok(()) };
        let facts = match self.dictionaries.get(&index) {
            Some(facts) => facts.clone(),
            None => {
                let facts = self.read_dictionary(index)?;
                self.dictionaries.insert(index, facts.clone());
                facts
            }
        };
        match facts {
            DictionaryFacts::Plain => Ok(()),
            DictionaryFacts::Shardy(name) => {
                self.refuse(visit.op, &name);
                Ok(())
            }
            DictionaryFacts::Changes => self.push(visit, Change::Attributes),
        }
    }

    fn read_dictionary(&self, index: EditAttr) -> Result<DictionaryFacts> {
        let dictionary = self.editor.tables.attribute_value(index)?;
        let mut facts = DictionaryFacts::Plain;
        for (name, _) in pairs(&dictionary)? {
            if *name == *SHARDING_RULE {
                facts = DictionaryFacts::Changes;
            } else if name.starts_with(b"sdy.") {
                let name = format!("`{}`", String::from_utf8_lossy(&name));
                return Ok(DictionaryFacts::Shardy(crate::attr::shorten(&name).into()));
            }
            if self.has_frontend && &*name == frontend::ATTRIBUTES {
                facts = DictionaryFacts::Changes;
            }
        }
        Ok(facts)
    }
}

/// The attributes of Shardy in the dictionary of an operation.
#[derive(Debug, Clone)]
enum DictionaryFacts {
    Plain,
    /// An attribute with this name.
    Shardy(Rc<str>),
    /// A rule of a custom call, or attributes that may have strings of Shardy.
    Changes,
}

/// Returns the name of the function that a reference names.
fn symbol(reference: &Attribute) -> Result<Option<Bytes>> {
    let Some(FieldValue::Attribute(root)) = reference.field("root")? else { return Ok(None) };
    let Some(FieldValue::String(name)) = root.field("value")? else { return Ok(None) };
    Ok(Some(name))
}

/// Returns the names and values of a dictionary.
pub(super) fn pairs(dictionary: &Attribute) -> Result<Vec<(Bytes, Attribute)>> {
    let Some(FieldValue::List(items)) = dictionary.field("value")? else { return Ok(Vec::new()) };
    let mut pairs = Vec::new();
    for item in items {
        let FieldValue::List(parts) = item else { continue };
        let [FieldValue::Attribute(name), FieldValue::Attribute(value)] = &parts[..] else { continue };
        if let Some(FieldValue::String(name)) = name.field("value")? {
            pairs.push((name, value.clone()));
        }
    }
    Ok(pairs)
}
