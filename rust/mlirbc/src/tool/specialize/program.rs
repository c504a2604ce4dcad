//! Refines the functions of a module, from the types of the arguments of its entry function.
//!
//! A function that is called with other shapes, or with other dimensions as arguments, is refined again as a copy.

mod calls;
mod custom_calls;

use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

use crate::attr::{Attribute, FieldValue, Type};
use crate::edit::{EditBlock, EditOp, EditValue, Editor, InsertionPoint};
use crate::wire::error::{Error, ErrorKind, Result};
use crate::wire::limits::Budget;

use super::evaluate::{Evaluation, Integers};
use super::infer::Inference;
use super::replace::{DynamicForm, constant, is_dynamic, substitute};
use super::shape::{TensorShape, is_open, merged, shown};
use super::{ArgumentSizes, invalid};

/// The greatest nesting of calls and regions.
const MOST_DEPTH: usize = 200;
/// The greatest number of copies of functions.
const MOST_COPIES: usize = 10_000;

/// Operations whose known results become constants, and that are removed without users.
const PURE: &[&str] = &[
    "abs",
    "add",
    "and",
    "broadcast_in_dim",
    "clamp",
    "compare",
    "concatenate",
    "constant",
    "convert",
    "divide",
    "get_dimension_size",
    "iota",
    "maximum",
    "minimum",
    "multiply",
    "negate",
    "not",
    "or",
    "power",
    "remainder",
    "reshape",
    "select",
    "sign",
    "slice",
    "subtract",
    "xor",
];

/// The shapes and dimensions with which a function is called.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct CallContext {
    function: Vec<u8>,
    types: Vec<Type>,
    integers: Vec<Option<Rc<[i128]>>>,
}

/// A function that was refined for a context.
#[derive(Debug, Clone)]
struct RefinedFunction {
    name: Vec<u8>,
    types: Vec<Type>,
    integers: Vec<Option<Integers>>,
}

/// The refinement of a module.
pub(super) struct Program<'e> {
    editor: &'e mut Editor,
    budget: Budget,
    integers: HashMap<EditValue, Integers>,
    refined: HashMap<CallContext, RefinedFunction>,
    /// Copies of functions before refinement.
    originals: HashMap<Vec<u8>, EditOp>,
    /// Functions whose refinement has begun.
    active: Vec<Vec<u8>>,
    depth: u32,
    copies: usize,
}

impl<'e> Program<'e> {
    pub(super) fn new(editor: &'e mut Editor) -> Result<Self> {
        let budget = editor.base().tables().work_budget();
        let (integers, refined, originals) = (HashMap::new(), HashMap::new(), HashMap::new());
        Ok(Self { editor, budget, integers, refined, originals, active: Vec::new(), depth: 0, copies: 0 })
    }

    /// Refines the entry function with the sizes of its open dimensions.
    pub(super) fn refine(mut self, sizes: &ArgumentSizes) -> Result<()> {
        let Some(entry) = self.editor.symbol("main")? else {
            return Err(invalid("the module has no function `main`".to_owned()));
        };
        let block = self.editor.body(entry)?;
        let arguments = self.editor.arguments(block)?;
        let mut types = Vec::new();
        let mut unused: BTreeSet<_> = sizes.sizes.keys().copied().collect();
        let added = sizes.kept.map_or(0, |kept| arguments.len().saturating_sub(kept));
        for (number, &argument) in arguments.iter().enumerate() {
            let r#type = self.editor.value_type(argument)?;
            let Some(mut shape) = TensorShape::of(&r#type)? else {
                types.push(r#type);
                continue;
            };
            for (place, dim) in shape.dims.iter_mut().enumerate() {
                let Some(key) = number.checked_sub(added).map(|number| (number, place)) else { continue };
                unused.remove(&key);
                let size = sizes.sizes.get(&key).copied();
                if let (Some(size), Some(known)) = (size, *dim)
                    && size != known
                {
                    let message =
                        format!("dimension {place} of argument {number} is {known}, and cannot be {size}");
                    return Err(invalid(message));
                }
                *dim = dim.or(size);
                if dim.is_none() {
                    let message = format!("no size for dimension {place} of argument {number}");
                    let hint = format!("add `--dim arg{number}.{place}=8`");
                    return Err(invalid(message).with_hint(hint));
                }
            }
            types.push(shape.to_type()?);
        }
        if let Some((number, place)) = unused.into_iter().next() {
            return Err(invalid(format!("the entry function has no dimension {place} of argument {number}")));
        }
        let unknown = vec![None; types.len()];
        self.function(b"main".to_vec(), entry, &types, &unknown)?;
        let uses_platform = self.has_platform_index(entry)?;
        self.finish(uses_platform)
    }

    // An export for several platforms has their number as its first argument.
    fn has_platform_index(&self, entry: EditOp) -> Result<bool> {
        let Some(list) = self.editor.attribute(entry, "arg_attrs")? else { return Ok(false) };
        Ok(list.to_text_within(1 << 12).contains("_platform_index"))
    }

    /// Refines a function, and sets its type.
    fn function(
        &mut self,
        name: Vec<u8>,
        op: EditOp,
        types: &[Type],
        integers: &[Option<Integers>],
    ) -> Result<RefinedFunction> {
        if self.active.contains(&name) {
            let message = format!("the function `{}` calls itself", String::from_utf8_lossy(&name));
            return Err(Error::message(ErrorKind::Unsupported, message));
        }
        self.enter()?;
        self.active.push(name.clone());
        let block = self.editor.body(op)?;
        let arguments = self.editor.arguments(block)?;
        for ((&argument, r#type), known) in arguments.iter().zip(types).zip(integers) {
            self.editor.set_type(argument, r#type)?;
            let Some(known) = known else { continue };
            self.bind_constant(argument, block, r#type, known)?;
        }
        let (types_of_results, integers) = self.block(block)?;
        let listed = |types: &[Type]| {
            let texts: Vec<_> = types.iter().map(|r#type| r#type.to_text_within(1 << 14)).collect();
            texts.join(", ")
        };
        let arguments: Vec<_> =
            arguments.iter().map(|&argument| self.editor.value_type(argument)).collect::<Result<_>>()?;
        let text = format!("({}) -> ({})", listed(&arguments), listed(&types_of_results));
        self.editor.set_attribute(op, "function_type", &Attribute::parse(&text)?)?;
        self.remove_unused(block)?;
        self.active.pop();
        self.depth -= 1;
        Ok(RefinedFunction { name, types: types_of_results, integers })
    }

    fn enter(&mut self) -> Result<()> {
        self.depth += 1;
        if self.depth as usize > MOST_DEPTH {
            let message = format!("calls and regions are nested more than {MOST_DEPTH} deep");
            return Err(Error::message(ErrorKind::DepthLimit, message));
        }
        Ok(())
    }

    /// Replaces the uses of an argument with a constant.
    fn bind_constant(
        &mut self,
        argument: EditValue,
        block: EditBlock,
        r#type: &Type,
        known: &Integers,
    ) -> Result<()> {
        let Some(shape) = TensorShape::of(r#type)?.filter(|shape| shape.dims.len() < 2) else {
            return Ok(());
        };
        self.integers.insert(argument, known.clone());
        if self.editor.uses(argument)?.is_empty() {
            return Ok(());
        }
        let types = (r#type, &shape.element);
        let at = InsertionPoint::AtBegin(block);
        let value = constant(self.editor, at, types, &known.numbers, None)?;
        self.editor.replace_all_uses_with(argument, value)?;
        self.integers.insert(value, known.clone());
        Ok(())
    }

    /// Refines the operations of a block; returns the types and the integers of the operands of its terminator.
    fn block(&mut self, block: EditBlock) -> Result<(Vec<Type>, Vec<Option<Integers>>)> {
        let operations = self.editor.operations(block)?;
        for &op in &operations {
            self.budget.spend(16)?;
            self.operation(op)?;
        }
        let Some(last) = self.editor.operations(block)?.last().copied() else {
            return Ok(Default::default());
        };
        let values = self.editor.operands(last)?;
        let types = values.iter().map(|&value| self.editor.value_type(value)).collect::<Result<_>>()?;
        let integers = values.iter().map(|value| self.integers.get(value).cloned()).collect();
        Ok((types, integers))
    }

    fn operation(&mut self, op: EditOp) -> Result<()> {
        let name = self.editor.name(op)?;
        let (dialect, short) = name.split_once('.').unwrap_or(("", &name));
        let refined = match (dialect, short) {
            ("func", "call") => self.call(op, "callee"),
            ("stablehlo", "composite") => self.call(op, "decomposition"),
            ("stablehlo", "while") => self.while_loop(op),
            ("stablehlo", "if" | "case") => self.branches(op),
            ("stablehlo", "custom_call") => self.custom_call(op),
            ("stablehlo", "get_dimension_size") => self.dimension_size(op),
            ("stablehlo" | "chlo" | "sdy", _) => self.plain(op, dialect, short),
            _ => self.check_static(op),
        };
        refined.map_err(|error| self.located(op, error))
    }

    fn located(&self, op: EditOp, error: Error) -> Error {
        match self.editor.operation_path(op) {
            Ok(path) if error.path().is_none() => error.with_path(path),
            _ => error,
        }
    }

    fn shapes_of(&self, values: &[EditValue]) -> Result<Vec<Option<TensorShape>>> {
        values.iter().map(|&value| TensorShape::of(&self.editor.value_type(value)?)).collect()
    }

    fn integers_of(&self, values: &[EditValue]) -> Vec<Option<Integers>> {
        values.iter().map(|value| self.integers.get(value).cloned()).collect()
    }

    /// Refuses an operation whose results have open dimensions.
    fn check_static(&mut self, op: EditOp) -> Result<()> {
        for region in self.editor.regions(op)? {
            for block in self.editor.blocks(region)? {
                self.enter()?;
                self.block(block)?;
                self.depth -= 1;
            }
        }
        for value in self.editor.results(op)? {
            if is_open(&self.editor.value_type(value)?)? {
                return Err(self.refused(op)?);
            }
        }
        Ok(())
    }

    #[cold]
    fn refused(&self, op: EditOp) -> Result<Error> {
        let name = self.editor.name(op)?;
        let message = format!("the shape of the result of {name} cannot be computed");
        Ok(Error::message(ErrorKind::Unsupported, message))
    }

    fn set_types(&mut self, op: EditOp, types: &[Type]) -> Result<()> {
        for (value, r#type) in self.editor.results(op)?.into_iter().zip(types) {
            self.editor.set_type(value, r#type)?;
        }
        Ok(())
    }

    fn plain(&mut self, op: EditOp, dialect: &str, name: &str) -> Result<()> {
        let (operands, results) = (self.editor.operands(op)?, self.editor.results(op)?);
        let (shapes, result_shapes) = (self.shapes_of(&operands)?, self.shapes_of(&results)?);
        let integers = self.integers_of(&operands);
        let attributes: HashMap<Vec<u8>, Attribute> =
            self.editor.attributes(op)?.into_iter().map(|row| (row.name, row.value)).collect();
        let attribute = |name: &str| attributes.get(name.as_bytes()).cloned();
        let inference = Inference { shapes: &shapes, attribute: &attribute, results: &result_shapes };
        if dialect == "stablehlo" && is_dynamic(name) {
            let dynamic = DynamicForm { inference, integers: &integers };
            let (Some(form), Some(Some(result))) = (dynamic.static_form(name)?, result_shapes.first()) else {
                let message =
                    format!("the operands of stablehlo.{name} that give its shape are not constants");
                return Err(Error::message(ErrorKind::Unsupported, message));
            };
            self.merge(&form.dims, result, name)?;
            let value = form.replace(self.editor, op, result)?;
            return if is_open(&self.editor.value_type(value)?)? { Err(self.refused(op)?) } else { Ok(()) };
        }
        if result_shapes.iter().flatten().any(|shape| !shape.is_static()) {
            let Some(inferred) = inference.run(name)? else { return self.check_static(op) };
            for ((shape, dims), &value) in result_shapes.iter().zip(inferred).zip(&results) {
                let Some(shape) = shape else { continue };
                let dims = self.merge(&dims, shape, name)?;
                let r#type = TensorShape { dims, element: shape.element.clone() }.to_type()?;
                self.editor.set_type(value, &r#type)?;
            }
        }
        self.check_static(op)?;
        if dialect == "stablehlo" && results.len() == 1 && PURE.contains(&name) {
            let Some(Some(result)) = self.shapes_of(&results)?.pop() else { return Ok(()) };
            let evaluation =
                Evaluation { operands: &integers, shapes: &shapes, attribute: &attribute, result: &result };
            let integers = evaluation.run(name);
            self.know(op, name, integers)?;
        }
        Ok(())
    }

    fn merge(&self, dims: &[Option<u64>], shape: &TensorShape, name: &str) -> Result<Vec<Option<u64>>> {
        merged(dims, &shape.dims).ok_or_else(|| {
            let message = format!(
                "{name} has a result of the shape {}, but its operands give {}",
                shown(&shape.dims),
                shown(dims)
            );
            Error::message(ErrorKind::Unsupported, message)
        })
    }

    /// Keeps the integers of a result; if a shape decides them, a constant replaces the operation.
    fn know(&mut self, op: EditOp, name: &str, known: Option<Integers>) -> Result<()> {
        let (Some(known), Some(&result)) = (known, self.editor.results(op)?.first()) else { return Ok(()) };
        self.budget.spend(size_of::<Integers>() + 16 * known.numbers.len() + 64)?;
        let r#type = self.editor.value_type(result)?;
        let shape = TensorShape::of(&r#type)?.filter(|shape| shape.dims.len() < 2);
        let (Some(shape), true) = (shape, known.is_of_shape && name != "constant") else {
            // A constant in place of an argument is known already, and decides shapes.
            self.integers.entry(result).or_insert(known);
            return Ok(());
        };
        let location = self.editor.location(op)?;
        let (at, types) = (InsertionPoint::Before(op), (&r#type, &shape.element));
        let value = constant(self.editor, at, types, &known.numbers, Some(location))?;
        self.integers.insert(value, known);
        substitute(self.editor, op, &[value])
    }

    fn dimension_size(&mut self, op: EditOp) -> Result<()> {
        let operands = self.editor.operands(op)?;
        let shape = self.shapes_of(&operands)?.into_iter().next().flatten();
        let dimension = self.editor.attribute(op, "dimension")?.and_then(|value| value.integer_elements(1));
        let place = dimension.and_then(|list| usize::try_from(*list.first()?).ok());
        let size = shape.zip(place).and_then(|(shape, place)| *shape.dims.get(place)?);
        let Some(size) = size else { return Err(self.refused(op)?) };
        let integers = Integers { numbers: Rc::new([i128::from(size)]), is_of_shape: true };
        self.know(op, "get_dimension_size", Some(integers))
    }

    fn while_loop(&mut self, op: EditOp) -> Result<()> {
        let operands = self.editor.operands(op)?;
        let types: Vec<_> =
            operands.iter().map(|&value| self.editor.value_type(value)).collect::<Result<_>>()?;
        for region in self.editor.regions(op)? {
            let Some(&block) = self.editor.blocks(region)?.first() else { continue };
            for (argument, r#type) in self.editor.arguments(block)?.into_iter().zip(&types) {
                self.editor.set_type(argument, r#type)?;
            }
        }
        self.bind_invariants(op, &operands)?;
        for (number, region) in self.editor.regions(op)?.into_iter().enumerate() {
            let Some(&block) = self.editor.blocks(region)?.first() else { continue };
            self.enter()?;
            let (next, _) = self.block(block)?;
            self.depth -= 1;
            if number == 1 && next != types {
                let message = "the shapes of a stablehlo.while change between iterations";
                return Err(Error::message(ErrorKind::Unsupported, message));
            }
        }
        self.set_types(op, &types)
    }

    /// Keeps the integers of loop values that no iteration changes.
    fn bind_invariants(&mut self, op: EditOp, operands: &[EditValue]) -> Result<()> {
        let regions = self.editor.regions(op)?;
        let mut blocks = Vec::new();
        for region in regions {
            blocks.extend(self.editor.blocks(region)?.first().copied());
        }
        let Some(&body) = blocks.get(1) else { return Ok(()) };
        let Some(&last) = self.editor.operations(body)?.last() else { return Ok(()) };
        let (next, arguments) = (self.editor.operands(last)?, self.editor.arguments(body)?);
        for (place, operand) in operands.iter().enumerate() {
            let Some(known) = self.integers.get(operand).cloned() else { continue };
            if next.get(place).is_none() || next.get(place) != arguments.get(place) {
                continue;
            }
            for &block in &blocks {
                if let Some(&argument) = self.editor.arguments(block)?.get(place) {
                    self.integers.insert(argument, known.clone());
                }
            }
        }
        Ok(())
    }

    fn branches(&mut self, op: EditOp) -> Result<()> {
        let mut types: Option<Vec<Type>> = None;
        for region in self.editor.regions(op)? {
            let Some(&block) = self.editor.blocks(region)?.first() else { continue };
            self.enter()?;
            let (results, _) = self.block(block)?;
            self.depth -= 1;
            if types.as_ref().is_some_and(|types| *types != results) {
                let message = "the branches have results of different shapes";
                return Err(Error::message(ErrorKind::Unsupported, message));
            }
            types = Some(results);
        }
        self.set_types(op, &types.unwrap_or_default())
    }

    /// Removes operations without users that only compute numbers.
    fn remove_unused(&mut self, block: EditBlock) -> Result<()> {
        for op in self.editor.operations(block)?.into_iter().rev() {
            let name = self.editor.name(op)?;
            if name.strip_prefix("stablehlo.").is_some_and(|name| PURE.contains(&name)) {
                let results = self.editor.results(op)?;
                let uses: Result<Vec<_>> = results.iter().map(|&value| self.editor.uses(value)).collect();
                if uses?.iter().all(Vec::is_empty) {
                    self.editor.erase(op)?;
                }
            }
        }
        Ok(())
    }

    /// Removes what only a symbolic program needs.
    fn finish(self, uses_platform: bool) -> Result<()> {
        for copy in self.originals.into_values() {
            self.editor.erase(copy)?;
        }
        if uses_platform {
            return Ok(());
        }
        let module = self.editor.operation()?;
        self.editor.remove_attribute(module, "jax.uses_shape_polymorphism")?;
        Ok(())
    }
}

/// Returns the text of a string, or the name of a symbol.
fn text_of(value: &Attribute) -> String {
    for name in ["value", "root"] {
        match value.field(name) {
            Ok(Some(FieldValue::String(bytes))) => return String::from_utf8_lossy(&bytes).into_owned(),
            Ok(Some(FieldValue::Attribute(inner))) => return text_of(&inner),
            _ => {}
        }
    }
    String::new()
}
