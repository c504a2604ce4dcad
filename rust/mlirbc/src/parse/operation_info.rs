//! Facts about operations that the parser looks up by name.

use std::cell::{Cell, OnceCell};
use std::rc::Rc;
use std::sync::Arc;

use crate::attr::text::parse::Parsed;
use crate::file::{Choice, DetectedRelease};
use crate::ops::{AttributeDefault, AttributeText, Constraint, OperationDefinition, OperationDefinitions};
use crate::props::schema::{Kind, OpSchema};
use crate::wire::error::ErrorKind;

use super::frames::{AsmParser, wrong};
use crate::assembly::{AssemblyForm, DefaultDialect, Inference};

/// The facts about an operation of the release, or an unregistered one.
#[derive(Debug)]
pub(super) struct OpInfo {
    pub(super) name: Box<str>,
    /// The number of the name in the edited module.
    pub(super) index: u32,
    pub(super) is_registered: bool,
    /// The layout of the properties in the builds around the reference file, if there is one.
    pub(super) layout: Choice,
    /// The row of the operation in the schema of the release.
    pub(super) schema_row: Option<usize>,
    /// Whether words in the custom form stand for the same numbers in all releases around the build of the
    /// reference file.
    pub(super) has_certain_numbers: bool,
    /// Properties that only a blob can hold, if the layout of the properties is unknown.
    pub(super) native: Vec<Box<str>>,
    /// Attributes of the definition that are not properties in the reference file.
    pub(super) foreign: Vec<Box<str>>,
    pub(super) definition: Option<Arc<OperationDefinition>>,
    /// The attributes that MLIR adds if they are missing.
    pub(super) defaults: Vec<(Box<str>, Box<str>)>,
    /// The dialect whose prefix operations in the regions may omit.
    pub(super) default_dialect: Option<&'static str>,
    /// The custom form, or the reason why there is none.
    pub(super) form: OnceCell<Result<Rc<AssemblyForm>, &'static str>>,
    /// The rules that infer types that the text omits.
    pub(super) inference: OnceCell<Inference>,
    /// The number of further texts of the operation that may be stored (`operation_cache`); it grows if
    /// stored texts occur again.
    pub(super) repeats: Cell<u32>,
}

/// The number of texts of an operation that are stored before one occurs again. Constants, for example,
/// differ nearly each time.
const FIRST_REPEATS: u32 = 64;

/// Returns the default of an attribute in the first release of LLVM whose definition has it as text.
fn later_default(op: &str, attribute: &str) -> Option<Box<str>> {
    OperationDefinitions::of_llvm().find_map(|definitions| {
        let definition = definitions.get(op)?;
        match definition.attribute(attribute)?.default()? {
            AttributeDefault::Text(text) => Some(text.clone()),
            AttributeDefault::Code(_) => None,
        }
    })
}

/// Returns the default that a simple C++ expression stands for.
fn default_of_code(code: &str, constraint: &Constraint) -> Option<Box<str>> {
    let is_number = !code.is_empty() && code.bytes().all(|byte| byte.is_ascii_digit());
    match (code, constraint.attribute_text()) {
        ("FastMathFlags::none", _) => Some("#arith.fastmath<none>".into()),
        ("true" | "false", _) if constraint.storage() == "BoolAttr" => Some(code.into()),
        (_, AttributeText::Typed(r#type)) if is_number => Some(format!("{code} : {type}").into()),
        // MLIR creates these attributes from an empty list, or from zero.
        ("{}", AttributeText::Array(element)) => Some(format!("array<{element}>").into()),
        ("{}", AttributeText::Typed(r#type)) if constraint.storage() == "IntegerAttr" => {
            Some(format!("0 : {type}").into())
        }
        ("{}", _) if constraint.storage() == "ArrayAttr" => Some("[]".into()),
        _ => case_of_code(code, constraint),
    }
}

/// Returns the case of an enumeration that `Enumeration::Case` names; the text of the case may have other
/// capitals and hyphens.
fn case_of_code(code: &str, constraint: &Constraint) -> Option<Box<str>> {
    let (_, name) = code.rsplit_once("::")?;
    let is_named = |text: &str| text.replace(['-', '_'], "").eq_ignore_ascii_case(&name.replace('_', ""));
    match constraint.attribute_text() {
        AttributeText::Case(r#type, cases) => {
            let (value, _) = cases.cases().find(|(_, text)| is_named(text))?;
            Some(format!("{value} : {type}").into())
        }
        _ => None,
    }
}

impl<'t> AsmParser<'t> {
    /// Returns the facts about the operation with a full name.
    ///
    /// # Errors
    /// If the name is invalid.
    pub(super) fn info(&mut self, name: &[u8], position: usize) -> Parsed<Rc<OpInfo>> {
        if let Some(cached_info) = self.infos.get(name) {
            return Ok(cached_info.clone());
        }
        if name.is_empty() || name.contains(&0) {
            return Err(wrong(
                ErrorKind::AsmSyntax,
                position,
                "the name of an operation is empty or has a zero byte",
            ));
        }
        let text = &*String::from_utf8_lossy(name);
        let index = self.editor.tables.op_name_as(name, None);
        let index = index.map_err(|error| error.at(position as u64))?.number();
        let layout_choice = self.layout_choice(name);
        let is_registered = layout_choice != Choice::Absent;
        let schema = self.op_schema(name).filter(|_| is_registered);
        let agreed = match self.options.like.is_some()
            && !self.editor.base.tables().bytecode().version().has_native_properties()
        {
            true => self.editor.base.agreed_schema_of(name)?,
            false => None,
        };
        // A default that only other builds have does not apply to the file.
        let layout = agreed.as_ref().filter(|_| is_registered).or(schema);
        let definition =
            self.definitions.as_ref().filter(|_| is_registered).and_then(|known| known.get(text));
        let mut defaults: Vec<(Box<str>, Box<str>)> = Vec::new();
        let declared_default = |name: &str| -> Option<Box<str>> {
            let declared = definition.as_ref()?.attribute(name)?;
            match declared.default().filter(|_| !declared.is_optional())? {
                AttributeDefault::Text(known) => Some(known.clone()),
                // If the default is C++ code, a later release may have it as text.
                AttributeDefault::Code(code) => {
                    later_default(text, name).or_else(|| default_of_code(code, declared.constraint()?))
                }
            }
        };
        for field in layout.iter().flat_map(|layout| layout.fields()) {
            let is_attribute = matches!(field.kind, Kind::Attribute { .. });
            let declared = definition.as_ref().and_then(|definition| definition.attribute(field.name()));
            let is_optional = declared.is_some_and(|declared| declared.is_optional());
            let default_text = field.default_text().map(Box::from).or_else(|| declared_default(field.name()));
            if let Some(default_text) = default_text.filter(|_| is_attribute && !is_optional) {
                defaults.push((field.name().into(), default_text));
            }
        }
        if !self.release.has_properties()
            && let Some(definition) = &definition
        {
            for attribute in definition.attributes().iter().filter(|attribute| !attribute.is_native()) {
                let is_new = !defaults.iter().any(|(known, _)| &**known == attribute.name());
                if let Some(declared_text) = declared_default(attribute.name()).filter(|_| is_new) {
                    defaults.push((attribute.name().into(), declared_text));
                }
            }
        }
        let info = Rc::new(OpInfo {
            name: text.into(),
            index,
            is_registered,
            layout: layout_choice,
            schema_row: self.schema.row(name),
            has_certain_numbers: self.has_certain_numbers(text),
            foreign: self.foreign_attributes(schema, definition.as_deref()),
            native: self.native_properties(name).filter(|_| is_registered && schema.is_none()).collect(),
            default_dialect: DefaultDialect::of_defined(text, definition.as_deref())
                .filter(|_| is_registered)
                .and_then(|default| default.for_parser(self.release)),
            definition,
            defaults,
            form: OnceCell::new(),
            inference: OnceCell::new(),
            repeats: Cell::new(FIRST_REPEATS),
        });
        self.infos.insert(name.to_vec(), info.clone());
        self.infos_by_index.insert(index, info.clone());
        Ok(info)
    }

    /// Returns whether the release has an operation, or the writer of the reference file had it.
    pub(super) fn has_op(&self, name: &[u8]) -> bool {
        self.layout_choice(name) != Choice::Absent
    }

    fn layout_choice(&self, name: &[u8]) -> Choice {
        self.editor.base.release().map_or(Choice::Absent, |release| release.choice_for(name))
    }

    /// As [`Self::op_schema`], without a search for the name.
    pub(super) fn schema_of(&self, info: &OpInfo) -> Option<&OpSchema> {
        match self.layouts() {
            Some(release) => release.chosen(info.layout),
            None => info.schema_row.and_then(|row| self.schema.op_at(row)),
        }
    }

    /// Returns the properties of an operation in the release, or in the reference file; `None` if their layout
    /// there is unknown.
    pub(super) fn op_schema(&self, name: &[u8]) -> Option<&OpSchema> {
        match self.layouts() {
            Some(release) => release.chosen(release.choice_for(name)),
            None => self.schema.op(name),
        }
    }

    /// Returns whether each word in the custom form of an operation stands for one number.
    pub(super) fn has_certain_numbers(&self, name: &str) -> bool {
        self.around.as_ref().is_none_or(|known| known.agree_on_numbers(name))
    }

    // Returns the attributes of a definition that the build lacks. Before properties existed, no schema lists
    // attributes.
    fn foreign_attributes(
        &self,
        schema: Option<&OpSchema>,
        definition: Option<&OperationDefinition>,
    ) -> Vec<Box<str>> {
        let is_of_build = self.layouts().is_some() && self.release.has_properties();
        let schema = schema.filter(|schema| is_of_build && !schema.is_opaque());
        let Some((schema, definition)) = schema.zip(definition) else { return Vec::new() };
        let names = definition.attributes().iter().map(|attribute| attribute.name());
        names.filter(|name| schema.field(name).is_none()).map(Box::from).collect()
    }

    /// Returns whether an operation must have an attribute in the build of the reference file; `None` without a
    /// reference file, and if no build around it has the attribute.
    pub(super) fn requires_in_build(&self, name: &[u8], attribute: &str) -> Option<bool> {
        let release = self.layouts()?;
        let schema = self.op_schema(name).filter(|schema| !schema.is_opaque());
        if let Some(field) = schema.and_then(|schema| schema.field(attribute)) {
            return Some(!field.is_optional());
        }
        // The layout in the build is unknown, but the builds around it may have the attribute as optional.
        let fields: Vec<_> = release.ops_of_builds(name).filter_map(|op| op.field(attribute)).collect();
        if fields.is_empty() { None } else { Some(fields.iter().all(|field| !field.is_optional())) }
    }

    fn native_properties(&self, name: &[u8]) -> impl Iterator<Item = Box<str>> {
        let ops = self.layouts().into_iter().flat_map(move |release| release.ops_of_builds(name));
        let fields = ops.flat_map(|op| op.fields());
        let is_native = |kind: &Kind| !matches!(kind, Kind::Attribute { .. } | Kind::Segments { .. });
        fields.filter(move |field| is_native(&field.kind)).map(|field| field.name().into())
    }

    // Returns the layouts of the reference file.
    pub(super) fn layouts(&self) -> Option<&DetectedRelease> {
        self.options.like.as_ref().and_then(|_| self.editor.base.release().ok())
    }
}
