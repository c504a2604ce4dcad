//! The names that operations suggest for their results and block arguments (`OpAsmOpInterface`).

use crate::format::id::TypeId;
use crate::ir::BodyId;
use crate::ir::OpId;
use crate::ir::body::Body;
use crate::ir::module::PropertyReader;

use super::super::Custom;
use super::super::draft::results_of;
use super::super::shapes::Shapes;
pub(in crate::print) use super::computed_names::computed;
pub(in crate::print) use super::rules::{arguments, results};
use super::templates;
pub(in crate::print) use super::templates::arguments as argument_templates;

/// Operations whose names are parts of a name.
const DEEPEST_NAME: usize = 16;

/// How the results of an operation are named.
#[derive(Debug, Clone, Copy)]
pub(in crate::print) enum ResultNames {
    Numbered,
    Fixed(&'static str),
    /// Each by its name in the definition.
    Declared,
    /// The first, and each of the others.
    Pair(&'static str, &'static str),
    Computed(Computed),
    /// By the templates of the definition.
    Templates,
}

/// Names that depend on an attribute.
#[derive(Debug, Clone, Copy)]
pub(in crate::print) enum Computed {
    Constant,
    /// A prefix and the text of an attribute without its type.
    Prefixed(&'static str, &'static str),
    SpirvConstant,
    SpirvAddress,
    BitVector,
    /// `c` and the number in `value` of any type, whose first bit is a sign.
    SignedNumber,
    /// `workgroup_id_x` by the number in `dimension`.
    Workgroup,
    /// The string in `name`, or a text.
    NameOr(&'static str),
    /// `c` for tensors of integers without a sign, otherwise `cst`.
    TensorConstant,
    /// `c4_vscale` for a product of a constant and `vector.vscale`.
    Scaled,
    /// The string in an attribute.
    Text(&'static str),
    Reference,
    /// A prefix and the symbol in an attribute.
    PrefixedReference(&'static str, &'static str),
    /// The letters of the string in `format`, where `N` marks the part that is filled in.
    Filled,
    /// The symbol in `rodata`.
    Rodata,
    /// `c5`, or `zero`.
    VmInteger,
    Dimension,
    Symbol,
    /// `device_0`, or `device_n` for a number that is not constant.
    Device,
    /// A text, unless the operation has an attribute.
    Unless(&'static str, &'static str),
    /// The type that a reference of the virtual machine of IREE refers to.
    VmReference,
}

/// How the arguments of entry blocks are named.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::print) enum ArgumentNames {
    Numbered,
    All(&'static str),
    /// The first name for each input, the second one for the others.
    Inputs(&'static str, &'static str),
    /// Names of the arguments that follow one argument for each operand.
    AfterOperands(&'static str),
    /// Names that depend on the operation.
    OfParallelBody,
    /// By the templates of the definition.
    Templates,
}

impl<'m, 'e> Custom<'m, 'e> {
    /// The names of the results of an op: of its first result, and of others that begin a group, by their numbers.
    pub(in crate::print) fn result_names(
        &mut self,
        reader: &PropertyReader<'m, 'e>,
        id: BodyId,
        body: &'m Body,
        op: u32,
        groups: &mut Vec<(u32, u32)>,
    ) -> u32 {
        let name = body.op_name.get(op as usize).copied().unwrap_or(u32::MAX);
        match self.know(name).map(|known| known.results) {
            None | Some(ResultNames::Numbered) => self.names_by_types(body, op, groups),
            Some(ResultNames::Fixed(fixed)) => self.scopes.named(fixed.as_bytes()),
            Some(ResultNames::Pair(name, others)) => {
                let first = self.scopes.named(name.as_bytes());
                for start in 1..body.results(OpId::new(op)).len() {
                    groups.push((start as u32, self.scopes.named(others.as_bytes())));
                }
                first
            }
            Some(ResultNames::Computed(rule)) => {
                let key = Shapes::name_key(body, op);
                if let Some(name) = key.and_then(|key| self.shapes.name(key)) {
                    return self.scopes.named(name);
                }
                let mut text = std::mem::take(&mut self.name);
                text.clear();
                self.with_draft(reader, id, body, op, |draft| computed(draft, rule, &mut text));
                let name = self.scopes.named(&text);
                if let Some(key) = key {
                    self.shapes.keep_name(key, &text);
                }
                self.name = text;
                name
            }
            Some(ResultNames::Templates) => {
                let names = self.template_names(reader, id, body, op, 0).unwrap_or_default();
                let mut first = None;
                for (start, text) in names {
                    let name = self.scopes.named(&text);
                    match start {
                        0 => first = Some(name),
                        start => groups.push((start as u32, name)),
                    }
                }
                match first {
                    Some(first) => first,
                    None if groups.is_empty() => self.names_by_types(body, op, groups),
                    None => self.scopes.number(),
                }
            }
            Some(ResultNames::Declared) => {
                let ranges = self.with_draft(reader, id, body, op, |draft| draft.result_groups());
                let definition = self.know(name).and_then(|known| known.definition().cloned());
                let Some((ranges, definition)) = ranges.zip(definition) else { return self.scopes.number() };
                let mut first = None;
                for (range, result) in ranges.iter().zip(definition.results()) {
                    if range.is_empty() {
                        continue;
                    }
                    let name = self.scopes.named(result.name().as_bytes());
                    match range.start {
                        0 => first = Some(name),
                        start => groups.push((start as u32, name)),
                    }
                }
                first.unwrap_or_else(|| self.scopes.number())
            }
        }
    }

    /// The names that templates give to results; `depth` operations have the names in theirs.
    fn template_names(
        &mut self,
        reader: &PropertyReader<'m, 'e>,
        id: BodyId,
        body: &'m Body,
        op: u32,
        depth: usize,
    ) -> Option<Vec<(usize, Vec<u8>)>> {
        let sources = self.with_draft(reader, id, body, op, |draft| templates::sources(draft))?;
        let mut operand_names = Vec::new();
        for (operand, source) in sources {
            if depth >= DEEPEST_NAME {
                return None;
            }
            let names = self.template_names(reader, id, body, source, depth + 1)?;
            let (_, first) = names.into_iter().find(|(place, _)| *place == 0)?;
            operand_names.push((operand, first));
        }
        self.with_draft(reader, id, body, op, |draft| templates::results(draft, &operand_names))
    }

    /// The names of results whose types suggest a name, if the operation suggests none.
    fn names_by_types(&mut self, body: &'m Body, op: u32, groups: &mut Vec<(u32, u32)>) -> u32 {
        if self.value_names.is_empty() {
            return self.scopes.number();
        }
        let mut first = None;
        for (place, &r#type) in results_of(body, op).iter().enumerate() {
            let Some(text) = self.value_names.of_type(self.file, r#type) else { continue };
            let name = self.scopes.named(text.as_bytes());
            match place {
                0 => first = Some(name),
                place => groups.push((place as u32, name)),
            }
        }
        first.unwrap_or_else(|| self.scopes.number())
    }

    /// The name of an argument of the entry block of an op, by its number, the number of inputs of the op, and its type.
    pub(in crate::print) fn argument_name(
        &mut self,
        name: u32,
        number: usize,
        inputs: usize,
        r#type: TypeId,
    ) -> u32 {
        match self.know(name).map(|known| known.arguments) {
            Some(ArgumentNames::All(name)) => self.scopes.named(name.as_bytes()),
            Some(ArgumentNames::Inputs(input, _)) if number < inputs => self.scopes.named(input.as_bytes()),
            Some(ArgumentNames::Inputs(_, other)) => self.scopes.named(other.as_bytes()),
            Some(ArgumentNames::AfterOperands(name)) if number >= inputs => {
                self.scopes.named(name.as_bytes())
            }
            None | Some(ArgumentNames::Numbered) => match self.value_names.of_type(self.file, r#type) {
                Some(text) => self.scopes.named(text.as_bytes()),
                None => self.scopes.argument(),
            },
            _ => self.scopes.argument(),
        }
    }

    /// How many arguments of its entry block are inputs.
    pub(in crate::print) fn input_count(
        &mut self,
        reader: &PropertyReader<'m, 'e>,
        id: BodyId,
        body: &'m Body,
        op: u32,
    ) -> usize {
        let name = body.op_name.get(op as usize).copied().unwrap_or(u32::MAX);
        match self.know(name).map(|known| known.arguments) {
            None
            | Some(ArgumentNames::Numbered | ArgumentNames::OfParallelBody | ArgumentNames::Templates) => {
                return 0;
            }
            Some(ArgumentNames::AfterOperands(_)) => return body.operand_rows(OpId::new(op)).len(),
            Some(ArgumentNames::All(_) | ArgumentNames::Inputs(..)) => {}
        }
        let count =
            self.with_draft(reader, id, body, op, |draft| Some(draft.operands_named("inputs")?.len()));
        count.unwrap_or_default()
    }
}
