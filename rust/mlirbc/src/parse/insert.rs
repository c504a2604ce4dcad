//! Parses texts that are inserted into a block of an edited module.
//!
//! The text is parsed into a module of its own for the release and the version of the edited one. A line
//! before the text declares the values that it may use, so that they have types and are found by name like
//! any others; they become arguments of the block that the operations are parsed into. The operations are
//! then copied (`edit::parsed_operations`).

use std::collections::HashMap;
use std::fmt::Write as _;

use crate::assembly::DefaultDialect;
use crate::attr::text::lexer::TokenKind;
use crate::attr::text::parse::Parsed;
use crate::edit::arena::{ArenaBlock, ArenaValue};
use crate::edit::parsed_operations::Obstacle;
use crate::edit::{CloneOptions, EditBlock, EditOp, EditValue, Editor, InsertionPoint};
use crate::ops::OperationDefinitions;
use crate::release::{Llvm, Release};
use crate::wire::error::{Error, ErrorKind, Result};
use crate::wire::options::setters;
use crate::wire::order;

use super::ParseOptions;
use super::frames::{AsmParser, NONE, Surroundings};

/// The values and blocks that a text can use by name when it is inserted into a block.
///
/// ```
/// use mlirbc::parse::InsertOptions;
/// let options = InsertOptions::default().file("patch.mlir");
/// assert!(options.values.is_empty());
/// ```
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct InsertOptions {
    /// The values that the text can use, by their names without `%`.
    pub values: HashMap<String, EditValue>,
    /// The blocks that can be successors in the text, by their names without `^`.
    pub blocks: HashMap<String, EditBlock>,
    /// The name of the file in locations and errors.
    pub file: String,
}

setters! {
    InsertOptions {
        values: HashMap<String, EditValue>,
        blocks: HashMap<String, EditBlock>,
        file: impl Into<String>,
    }
}

impl Default for InsertOptions {
    fn default() -> Self {
        Self { values: HashMap::new(), blocks: HashMap::new(), file: "-".into() }
    }
}

impl Editor {
    /// Parses operations in custom or generic form, for the release of the module, and inserts them into a block.
    ///
    /// The text can use the values and blocks of `options`. In the first block of an operation that is isolated from
    /// above, such as a function, `%arg0`, `%arg1` and so on are the arguments of the block, as they are printed.
    ///
    /// # Errors
    /// As [`super::parse`], with the place in the text, also if a value does not dominate the place or a symbol is
    /// defined twice; [`ErrorKind::UnknownRelease`] if the release of the module is unknown; [`ErrorKind::Value`] for
    /// names that are not valid. The module is unchanged then.
    ///
    /// ```
    /// use mlirbc::edit::{Editor, InsertionPoint};
    /// use mlirbc::parse::{InsertOptions, parse};
    /// let module = parse("func.func @f(%a: i32) { return }", &Default::default())?;
    /// let mut editor = Editor::new(module)?;
    /// let function = editor.symbol("f")?.unwrap();
    /// let block = editor.body(function)?;
    /// let options = InsertOptions::default().values([("x".into(), editor.arguments(block)?[0])].into());
    /// let text = "%0 = arith.addi %x, %arg0 : i32";
    /// let ops = editor.insert_asm(text, InsertionPoint::AtBegin(block), &options)?;
    /// assert_eq!(editor.name(ops[0])?, "arith.addi");
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn insert_asm(
        &mut self,
        text: impl AsRef<[u8]>,
        at: InsertionPoint,
        options: &InsertOptions,
    ) -> Result<Vec<EditOp>> {
        let Some(release) = self.base.release()?.nearest().map(str::to_owned) else {
            let error = Error::message(
                ErrorKind::UnknownRelease,
                "the text cannot be parsed, because the release of the module is unknown",
            );
            return Err(error.with_hint("open the module with its release, as in `release=\"llvm-22\"`"));
        };
        let (block, _) = self.place(at)?;
        let parse = ParseOptions {
            target: Release::named(release),
            version: Some(self.base.tables().bytecode().version()),
            file: options.file.clone(),
            // The line of declarations precedes the first line of the text.
            first_line: 0,
            limits: self.base.tables().limits().clone(),
            ..ParseOptions::default()
        };
        let llvm = crate::release::find_base(parse.target.as_str())?
            .map_or(Llvm::NEWEST, crate::release::KnownRelease::llvm);
        let values = self.visible_values(block, options, parse.target.as_str(), llvm)?;
        let owner = self.arena.owner_of_block(block).filter(|&op| op != crate::edit::arena::ROOT);
        let dialect = match owner {
            None => Some("builtin"),
            Some(op) => DefaultDialect::of(&self.name_text(op)).and_then(|known| known.for_parser(llvm)),
        };
        let mut blocks: Vec<(&str, EditBlock)> = Vec::new();
        for (name, &block) in &options.blocks {
            self.live_block(block)?;
            blocks.push((name, block));
        }

        let text = text.as_ref();
        let mut whole = self.declarations(&values, &blocks)?;
        whole.extend_from_slice(text);
        if u32::try_from(whole.len()).is_err() {
            return Err(Error::message(ErrorKind::MemoryLimit, "a text cannot have 4 GiB"));
        }
        let mut parser = AsmParser::new(&whole, &parse)?;
        let declared = parser.declare(values.len(), blocks.len(), whole.len() - text.len(), dialect);
        let declared = match declared {
            Ok(declared) => declared,
            Err(failure) => {
                // The position is outside of the caller's text.
                let error = parser.text.error_of(failure);
                let message = format!("the type of a value cannot be written as text: {error}");
                return Err(Error::message(ErrorKind::Value, message));
            }
        };
        parser.module()?;
        let (mut parsed, op_positions) = parser.finish_placed()?;
        let clone = CloneOptions {
            values: declared
                .0
                .into_iter()
                .map(|row| parsed.handle_of(row))
                .zip(values.iter().map(|value| value.1))
                .collect(),
            blocks: declared
                .1
                .into_iter()
                .map(|row| parsed.handle_of(row))
                .zip(blocks.iter().map(|block| block.1))
                .collect(),
            ..CloneOptions::default()
        };
        let module = parsed.operation()?;
        let from = parsed.body(module)?;
        let placed = |op: EditOp, error: Error| op_positions.at(op.row().index(), error);
        let obstacle = match self.insert_parsed(&parsed, from, at, &clone)? {
            Ok(ops) => return Ok(ops),
            Err(obstacle) => obstacle,
        };
        Err(match obstacle {
            Obstacle::Symbol { op, name, by } => {
                let by = by.map_or_else(|| "an operation before it".to_owned(), |by| self.path(by.row()));
                let name = String::from_utf8_lossy(&name);
                let message = format!("the symbol `@{name}` is already defined by {by}");
                placed(op, Error::message(ErrorKind::AsmName, message))
            }
            Obstacle::Value { op, value, is_detached, is_in_scope } => {
                let with = clone.values.get(&value);
                let name = values.iter().find(|(_, own)| with == Some(own)).map_or("", |(name, _)| name);
                let reason = match (is_detached, is_in_scope) {
                    (true, _) => "is not in a block",
                    (_, true) => "does not dominate the place where the text is inserted",
                    (_, false) => "is not visible where the text is inserted",
                };
                placed(op, Error::message(ErrorKind::AsmName, format!("`%{name}` {reason}")))
            }
        })
    }

    /// Returns the values that the text can use: the given ones, and the arguments of a function.
    fn visible_values(
        &self,
        block: ArenaBlock,
        options: &InsertOptions,
        target: &str,
        llvm: Llvm,
    ) -> Result<Vec<(String, EditValue)>> {
        let mut values: Vec<(String, EditValue)> = Vec::new();
        for (name, &value) in &options.values {
            self.live_value(value)?;
            values.push((name.clone(), value));
        }
        let region = self.arena.block(block).region;
        let is_first = region.is_some_and(|region| self.arena.region(region).blocks.first() == Some(&block));
        let owner = self.arena.owner_of_block(block).filter(|&op| is_first && op != crate::edit::arena::ROOT);
        let definition =
            owner.and_then(|op| OperationDefinitions::nearest(target, llvm.0)?.get(&self.name_text(op)));
        if definition.is_some_and(|definition| definition.has_trait("IsIsolatedFromAbove")) {
            for (number, &value) in self.arena.block(block).arguments.iter().enumerate() {
                let name = format!("arg{number}");
                if !options.values.contains_key(&name) {
                    values.push((name, self.handle_of(value)));
                }
            }
        }
        // The order makes errors independent of the order of a hash map.
        order::sort(&mut values);
        Ok(values)
    }

    /// Returns the line that declares values and blocks: `%a: i32, %b: f32, ^bb1, `.
    fn declarations(&self, values: &[(String, EditValue)], blocks: &[(&str, EditBlock)]) -> Result<Vec<u8>> {
        let mut line = String::new();
        for (name, value) in values {
            check_name(name, "value", '%')?;
            let r#type = self.tables.type_value(self.arena.value(value.row()).r#type())?;
            let _ = write!(line, "%{name}: {type}, ");
        }
        for (name, _) in blocks {
            check_name(name, "block", '^')?;
            let _ = write!(line, "^{name}, ");
        }
        let mut line = line.replace('\n', " ");
        line.push('\n');
        self.tables.budget.spend(line.len())?;
        Ok(line.into_bytes())
    }
}

/// Checks that a name is valid in a text after `%` or `^`.
fn check_name(name: &str, role: &str, sigil: char) -> Result<()> {
    let is_other = |byte: u8| matches!(byte, b'$' | b'.' | b'_' | b'-');
    let is_number = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_digit());
    let is_word = name.bytes().next().is_some_and(|byte| byte.is_ascii_alphabetic() || is_other(byte))
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || is_other(byte));
    if (is_number && role == "value") || is_word {
        return Ok(());
    }
    let name = crate::wire::error::cut(name, 60);
    let message = format!("`{name}` is not a valid name of a {role}");
    let hint = format!("write the name without `{sigil}`, with letters, digits, `_`, `$`, `.` and `-`");
    Err(Error::message(ErrorKind::Value, message).with_hint(hint))
}

impl AsmParser<'_> {
    /// Parses the line of declarations: rows of values and blocks, in their order.
    fn declare(
        &mut self,
        values: usize,
        blocks: usize,
        declarations: usize,
        default_dialect: Option<&'static str>,
    ) -> Parsed<(Vec<ArenaValue>, Vec<ArenaBlock>)> {
        let mut region = self.open_region(Vec::new())?;
        let module = self.editor.operation()?;
        let around = self.editor.body(module)?.row();
        let mut value_rows = Vec::new();
        for _ in 0..values {
            let token = self.expect(TokenKind::Value, "the name of a value")?;
            self.expect(TokenKind::Colon, "`:` and the type of the value")?;
            let r#type = self.parse_type()?;
            let row = self.push_argument(r#type, around, NONE)?;
            self.editor.arena.block_mut(around).arguments.push(row);
            let name = self.spelling(token);
            self.define(name, 0, row, (token.start, 0))?;
            value_rows.push(row);
            self.expect(TokenKind::Comma, "`,` after a declaration")?;
        }
        let mut block_rows = Vec::new();
        for _ in 0..blocks {
            let token = self.expect(TokenKind::Block, "the name of a block")?;
            block_rows.push(self.declare_block(&mut region, token)?);
            self.expect(TokenKind::Comma, "`,` after a declaration")?;
        }
        self.surroundings = Some(Surroundings { region: Some(region), default_dialect, declarations });
        Ok((value_rows, block_rows))
    }
}
