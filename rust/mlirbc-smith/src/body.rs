//! Operations, blocks and regions, with the values that are visible at each position.

mod branches;
mod operations;

use std::collections::HashMap;
use std::rc::Rc;

use mlirbc::edit::{EditBlock, EditOp, EditRegion, EditValue, Editor, InsertionPoint, NewOperation};
use mlirbc::smith::{TableRow, TextSupport};
use mlirbc::version::BytecodeVersion;
use mlirbc::{Attribute, Result, Type};

use crate::catalogue::{Catalogue, OperationPosition};
use crate::config::Config;
use crate::draws::Draws;
use crate::values::{Language, Referred};

/// The depth of operations below which regions are empty or have one block.
const DEEPEST: usize = 32;

/// A visible value and the text of its type.
#[derive(Debug, Clone)]
pub(crate) struct VisibleValue {
    pub(crate) value: EditValue,
    /// The text of the type; empty for a type without a text.
    pub(crate) text: Rc<str>,
}

/// The required end of a block.
#[derive(Debug, Clone)]
pub(crate) enum End {
    /// No operation, or any operation.
    Free,
    /// An operation whose operands have these types; a function may end otherwise, too.
    Named(&'static str, Vec<String>),
    /// An operation by its name, without operands.
    Implied(String),
}

/// The surroundings of operations.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Context {
    pub(crate) depth: usize,
    pub(crate) around: Enclosing,
}

/// The kind of operation around a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Enclosing {
    /// A module, whose operations may be in any order and may be symbols.
    Module,
    /// A function, at any depth.
    Function,
    /// An unregistered operation in a module.
    Unregistered,
}

impl Context {
    pub(crate) fn inner(self) -> Self {
        Self { depth: self.depth + 1, ..self }
    }
}

/// Generates the operations of a module.
pub(crate) struct Body<'c, 'd, 'b> {
    pub(crate) config: &'c Config,
    pub(crate) version: BytecodeVersion,
    pub(crate) catalogue: &'static Catalogue,
    pub(crate) draws: Draws<'d, 'b>,
    pub(crate) editor: Editor,
    pub(crate) referred: Vec<Referred>,
    pub(crate) values: Vec<EditValue>,
    left: usize,
    symbols: usize,
    types: HashMap<Rc<str>, Type>,
    /// The indices of recipes by position, then by dialect.
    recipes: [Vec<Vec<usize>>; 3],
    pool: Rc<[String]>,
    rows: Vec<&'static TableRow>,
    declared: Rc<[TableRow]>,
}

impl<'c, 'd, 'b> Body<'c, 'd, 'b> {
    pub(crate) fn new(
        config: &'c Config,
        version: BytecodeVersion,
        editor: Editor,
        draws: Draws<'d, 'b>,
    ) -> Result<Self> {
        let catalogue = config.catalogue()?;
        let mut recipes: [Vec<Vec<usize>>; 3] = Default::default();
        let mut last = [""; 3];
        for (number, recipe) in catalogue.recipes.iter().enumerate() {
            let dialect = recipe.definition.name().split('.').next().unwrap_or_default();
            if config.wants(dialect) {
                let place = recipe.place as usize;
                if last[place] != dialect {
                    last[place] = dialect;
                    recipes[place].push(Vec::new());
                }
                recipes[place].last_mut().into_iter().for_each(|group| group.push(number));
            }
        }
        let pool = catalogue.types.iter().filter(|text| config.has_wanted(text)).cloned().collect();
        let rows = catalogue.rows.iter().filter(|row| config.wants(row.dialect())).collect();
        let declared = mlirbc::smith::declared_rows();
        let declared = declared.into_iter().filter(|row| config.wants(row.dialect())).collect();
        Ok(Self {
            config,
            version,
            catalogue,
            draws,
            editor,
            referred: Vec::new(),
            values: Vec::new(),
            left: config.max_operations,
            symbols: 0,
            types: HashMap::new(),
            recipes,
            pool,
            rows,
            declared,
        })
    }

    pub(crate) fn recipe(&mut self, place: OperationPosition) -> Option<usize> {
        let groups = &self.recipes[place as usize];
        self.draws.pick(groups).and_then(|group| self.draws.pick(group)).copied()
    }

    pub(crate) fn language(&self) -> Language {
        Language {
            support: TextSupport::of(self.catalogue.llvm),
            types: self.pool.clone(),
            unregistered: self.config.features.unregistered,
            resources: self.config.features.resources,
        }
    }

    pub(crate) fn r#type(&mut self, text: &str) -> Result<Type> {
        if let Some(known) = self.types.get(text) {
            return Ok(known.clone());
        }
        let r_type = Type::parse(text)?;
        self.types.insert(text.into(), r_type.clone());
        Ok(r_type)
    }

    pub(crate) fn types(&mut self, texts: &[String]) -> Result<Vec<Type>> {
        texts.iter().map(|text| self.r#type(text)).collect()
    }

    /// Draws types of arguments and results, mostly types that operations can use.
    pub(crate) fn any_types(&mut self, most: usize) -> Vec<String> {
        let language = self.language();
        let count = self.draws.up_to(most);
        let draw_type = |draws: &mut Draws<'_, '_>| match draws.below(3) {
            0 => draws.text(&["i32", "i1", "index", "f32"]).to_owned(),
            1 => draws.pick(&language.types).cloned().unwrap_or_else(|| "i32".to_owned()),
            _ => language.any_type(draws, 0),
        };
        (0..count).map(|_| draw_type(&mut self.draws)).collect()
    }

    pub(crate) fn symbol(&mut self) -> Attribute {
        self.symbols += 1;
        // The text of a string is always an attribute.
        Attribute::parse(format!("\"symbol{}\"", self.symbols)).unwrap_or_else(|_| unit())
    }

    pub(crate) fn location(&mut self) -> Option<Attribute> {
        if !self.config.features.locations {
            return None;
        }
        let text = self.language().location(&mut self.draws, 0);
        Attribute::parse(format!("loc({text})")).ok()
    }

    /// Returns a value of the type: a visible one, or the result of a new cast.
    pub(crate) fn operand(
        &mut self,
        text: &str,
        block: EditBlock,
        visible: &mut Vec<VisibleValue>,
    ) -> Result<EditValue> {
        let candidates: Vec<EditValue> =
            visible.iter().filter(|value| &*value.text == text).map(|value| value.value).collect();
        if !candidates.is_empty()
            && !self.draws.one_in(6)
            && let Some(&value) = self.draws.pick(&candidates)
        {
            return Ok(value);
        }
        let operands = if self.draws.one_in(4) { self.any_values(visible, 2) } else { Vec::new() };
        let cast = NewOperation {
            operands,
            results: vec![self.r#type(text)?],
            ..NewOperation::new("builtin.unrealized_conversion_cast")
        };
        let cast_op = self.create(cast, block, visible, &[text.to_owned()])?;
        let results = self.editor.results(cast_op)?;
        results.first().copied().ok_or_else(|| missing("a result"))
    }

    pub(crate) fn any_values(&mut self, visible: &[VisibleValue], most: usize) -> Vec<EditValue> {
        let count = self.draws.up_to(most);
        (0..count).filter_map(|_| self.draws.pick(visible).map(|value| value.value)).collect()
    }

    /// Creates the operation with a location; its results become visible.
    pub(crate) fn create(
        &mut self,
        mut new: NewOperation,
        block: EditBlock,
        visible: &mut Vec<VisibleValue>,
        results: &[String],
    ) -> Result<EditOp> {
        new.location = self.location();
        let op = self.editor.create(&new, InsertionPoint::AtEnd(block))?;
        let values = self.editor.results(op)?;
        self.values.extend(&values);
        for (place, value) in values.into_iter().enumerate() {
            let text = results.get(place).map_or("", String::as_str);
            visible.push(VisibleValue { value, text: text.into() });
        }
        Ok(op)
    }

    fn block(&mut self, region: EditRegion, arguments: &[String]) -> Result<(EditBlock, Vec<VisibleValue>)> {
        let types = self.types(arguments)?;
        let block = self.editor.add_block(region, None, &types)?;
        let mut values = Vec::new();
        for (value, text) in self.editor.arguments(block)?.into_iter().zip(arguments) {
            self.values.push(value);
            if let Some(location) = self.location() {
                self.editor.set_argument_location(value, &location)?;
            }
            values.push(VisibleValue { value, text: text.as_str().into() });
        }
        Ok((block, values))
    }

    /// Adds a block with operations and its required end.
    pub(crate) fn single_block(
        &mut self,
        region: EditRegion,
        arguments: &[String],
        end: &End,
        visible: &[VisibleValue],
        context: Context,
        is_filled: bool,
    ) -> Result<()> {
        let (block, values) = self.block(region, arguments)?;
        let mut visible = visible.to_vec();
        visible.extend(values);
        if is_filled {
            self.fill(block, &mut visible, context)?;
        } else if matches!(end, End::Free) {
            return Ok(());
        }
        self.end(block, end, &mut visible, context)
    }

    /// Adds blocks with branches between them.
    pub(crate) fn blocks(
        &mut self,
        region: EditRegion,
        arguments: &[String],
        end: &End,
        visible: &[VisibleValue],
        context: Context,
    ) -> Result<()> {
        let most =
            if self.config.features.control_flow { self.config.max_blocks.clamp(1, DEEPEST) } else { 1 };
        let count = 1 + self.draws.up_to(most - 1);
        let flow = branches::Flow::draw(count, &mut self.draws);
        let mut blocks = Vec::with_capacity(count);
        let mut defined: Vec<Vec<VisibleValue>> = Vec::with_capacity(count);
        let mut types: Vec<Vec<String>> = Vec::with_capacity(count);
        for number in 0..count {
            let arguments = match number {
                0 => arguments.to_vec(),
                _ => self.any_types(self.config.max_arguments),
            };
            let (block, values) = self.block(region, &arguments)?;
            blocks.push(block);
            defined.push(values);
            types.push(arguments);
        }
        for number in flow.order() {
            let mut seen = visible.to_vec();
            let outside = seen.len();
            for dominator in flow.dominators(number) {
                seen.extend(defined[dominator].iter().cloned());
            }
            let before = seen.len();
            seen.extend(defined[number].iter().cloned());
            debug_assert!(outside <= before);
            self.fill(blocks[number], &mut seen, context)?;
            let targets: Vec<_> =
                flow.successors(number).iter().map(|&next| (blocks[next], types[next].clone())).collect();
            if targets.is_empty() {
                self.end(blocks[number], end, &mut seen, context)?;
            } else {
                self.branch(blocks[number], &targets, &mut seen)?;
            }
            defined[number] = seen.split_off(before);
        }
        Ok(())
    }

    /// Adds operations to a block.
    pub(crate) fn fill(
        &mut self,
        block: EditBlock,
        visible: &mut Vec<VisibleValue>,
        context: Context,
    ) -> Result<()> {
        if context.depth > self.config.max_depth.min(DEEPEST) {
            return Ok(());
        }
        let most = self.left.min(if context.depth == 0 { self.left } else { 8 });
        let count = self.draws.count(most, |draws| match context.depth {
            // The body of the module gets most of the remaining operations.
            0 => most - draws.below(most / 2 + 1).min(most),
            _ => draws.up_to(most),
        });
        for _ in 0..count {
            if self.left == 0 {
                break;
            }
            let is_wanted = self.draws.begin_one(most);
            let done = if is_wanted {
                self.left -= 1;
                self.operation(block, visible, context)
            } else {
                Ok(())
            };
            self.draws.end_one();
            done?;
            if !is_wanted {
                break;
            }
        }
        Ok(())
    }

    fn end(
        &mut self,
        block: EditBlock,
        end: &End,
        visible: &mut Vec<VisibleValue>,
        context: Context,
    ) -> Result<()> {
        match end {
            End::Free => {
                if self.config.features.unregistered && self.draws.one_in(2) {
                    let operands = self.any_values(visible, 3);
                    let new = NewOperation { operands, ..NewOperation::new("smith.end") };
                    self.create(new, block, visible, &[])?;
                }
                Ok(())
            }
            End::Implied(name) => self.create(NewOperation::new(name), block, visible, &[]).map(drop),
            End::Named(name, types) => {
                if *name == "func.return"
                    && self.draws.one_in(4)
                    && let Some(recipe) = self.recipe(OperationPosition::End)
                    && self.recipe_operation(recipe, block, visible, context)?.is_some()
                {
                    return Ok(());
                }
                let mut operands = Vec::with_capacity(types.len());
                for text in types {
                    operands.push(self.operand(text, block, visible)?);
                }
                let new = NewOperation { operands, ..NewOperation::new(*name) };
                self.create(new, block, visible, &[]).map(drop)
            }
        }
    }
}

pub(crate) fn unit() -> Attribute {
    Attribute::build("builtin", "UnitAttr", &[])
        .unwrap_or_else(|_| unreachable!("`unit` is always an attribute"))
}

pub(crate) fn missing(what: &str) -> mlirbc::Error {
    mlirbc::Error::message(mlirbc::ErrorKind::Edit, format!("the generated module has no {what} to choose"))
}
