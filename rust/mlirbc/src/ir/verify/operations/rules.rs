//! The rules of a definition that can be evaluated.

use std::sync::Arc;

use crate::dialect::entries::{Entries, EntryRef};
use crate::format::id::TypeId;
use crate::ops::{
    AttributeText, Constraint, Multiplicity, OperationDefinition, PartDefinition, Trait, ValueDefinition,
    Variables,
};
use crate::props::OpSchema;
use crate::props::class::{Class, DialectClasses, ValueType};
use crate::props::schema::Kind;
use crate::wire::error::Result as Checked;

use super::branches::Branch;
use super::counts::CountRule;
use super::numbers::NumberRule;
use super::stated::AppliedRule;
use super::symbols;
use super::type_traits::{TypeTrait, Typed};
use super::types::{ElementFacts, TypePredicate};
use super::verifiers::Verifier;

/// The rules for the ops with one name.
#[derive(Debug)]
pub(crate) struct Rules {
    pub(crate) operands: Groups,
    pub(crate) results: Groups,
    pub(crate) regions: Count,
    /// The numbers of the regions that must have one block.
    pub(crate) one_block: Vec<u32>,
    pub(crate) successors: Count,
    pub(crate) attributes: Vec<AttributeRule>,
    pub(crate) parents: Vec<Box<str>>,
    pub(crate) terminator: Option<Box<str>>,
    pub(crate) is_terminator: bool,
    pub(crate) is_constant: bool,
    pub(crate) is_single_block: bool,
    pub(crate) needs_no_terminator: bool,
    pub(crate) has_no_region_arguments: bool,
    pub(crate) has_symbol: bool,
    pub(crate) is_symbol: bool,
    pub(crate) is_declaring: bool,
    pub(crate) is_isolated: bool,
    /// Whether operations in the op's regions may be in any order.
    pub(crate) may_be_graph: bool,
    pub(crate) branch: Option<Branch>,
    pub(crate) is_symbol_table: bool,
    pub(crate) type_traits: Vec<TypeTrait>,
    /// The attributes with as many elements as the operation has cases.
    pub(crate) counts: Vec<CountRule>,
    /// The stated rules of the op's verifier and interfaces.
    pub(super) stated: Vec<AppliedRule>,
    /// The rules of the op's verifier.
    pub(crate) verifiers: Vec<Verifier>,
    /// Constraints of IRDL.
    pub(crate) variables: Option<Arc<Variables>>,
    /// Whether the definition comes from another release, so that only the verifiers count.
    pub(crate) is_borrowed: bool,
    /// The number of constraints and traits of each op with a rule here, and without.
    pub(crate) evaluated: u64,
    pub(crate) not_evaluated: u64,
    /// The names of the constraints and traits without a rule.
    pub(crate) unknown: Vec<Box<str>>,
}

/// Operands or results.
#[derive(Debug)]
pub(crate) struct Groups {
    pub(crate) rows: Vec<Group>,
    pub(crate) sizes: Sizes,
}

/// The source of the sizes of groups.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sizes {
    /// An attribute contains the sizes.
    InAttribute,
    /// All variadic and optional groups have the same size.
    Same,
    /// At most one group is variadic or optional, so its size follows from the number of values.
    Counted,
}

/// An operand or a result of the definition.
#[derive(Debug)]
pub(crate) struct Group {
    pub(crate) name: Box<str>,
    constraint: Box<str>,
    pub(crate) summary: Box<str>,
    pub(crate) r#type: TypeRule,
    multiplicity: Multiplicity,
}

/// The types of a constraint.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum TypeRule {
    Any,
    Only(ValueType),
    /// All types of this dialect are allowed.
    Dialect(Box<[u8]>),
    Predicate(TypePredicate),
    Unknown,
}

/// An inherent attribute.
#[derive(Debug)]
pub(crate) struct AttributeRule {
    pub(crate) name: Box<str>,
    constraint: Box<str>,
    /// A text that determines the class and the numbers: rules with the same key are equal.
    pub(crate) key: Box<str>,
    pub(crate) storage: Box<str>,
    pub(crate) class: Class,
    pub(crate) numbers: NumberRule,
    pub(crate) is_required: bool,
}

/// A number of regions or successors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Count {
    at_least: usize,
    is_variadic: bool,
}

// Interfaces say what an op can do, and require nothing of an op that its own verifier does not check.
const NOTHING_TO_CHECK: &[&str] =
    &["IsCommutative", "ConstantLike", "ReturnLike", "AutomaticAllocationScope"];
const EVALUATED: &[&str] = &[
    "AttrSizedOperandSegments",
    "AttrSizedResultSegments",
    "HasParent",
    "IsIsolatedFromAbove",
    "IsTerminator",
    "NoRegionArguments",
    "NoTerminator",
    "SameVariadicOperandSize",
    "SameVariadicResultSize",
    "SingleBlock",
    "SingleBlockImplicitTerminator",
    "SymbolOpInterface",
    "SymbolTable",
];

impl Rules {
    /// `is_known` says whether the release has an op with a name. An attribute that the property schema marks
    /// as optional or with a default is not required: a constraint may have a default that the definition
    /// does not mention.
    pub(crate) fn new(
        definition: Arc<OperationDefinition>,
        schema: Option<&OpSchema>,
        is_known: impl Fn(&str) -> bool,
    ) -> Self {
        let has = |name| definition.has_trait(name);
        let arguments = |name| {
            let matching = definition.traits().iter().find(|r#trait| r#trait.name() == name);
            let all: Vec<Box<str>> =
                matching.map_or_else(Vec::new, |r#trait| r#trait.arguments().map(Into::into).collect());
            // An argument that is the name of a C++ class could be any op.
            if all.iter().all(|name| is_known(name)) { all } else { Vec::new() }
        };
        let parents = arguments("HasParent");
        let terminator = arguments("SingleBlockImplicitTerminator").pop();
        let operands = Groups::new(
            definition.operands(),
            has("AttrSizedOperandSegments"),
            has("SameVariadicOperandSize"),
        );
        let results =
            Groups::new(definition.results(), has("AttrSizedResultSegments"), has("SameVariadicResultSize"));
        let mut attributes: Vec<AttributeRule> = definition
            .attributes()
            .iter()
            .filter(|attribute| !attribute.is_native())
            .map(AttributeRule::new)
            .collect();
        for rule in &mut attributes {
            let field = schema.and_then(|schema| schema.field(&rule.name));
            rule.is_required &= field.is_none_or(|field| {
                field.default_text().is_none()
                    && !matches!(field.kind, Kind::Attribute { is_optional: true, .. })
            });
        }
        let groups = || operands.rows.iter().chain(&results.rows);
        let unknown_types = groups().filter(|group| group.r#type.is_partly_unknown());
        let mut unknown: Vec<Box<str>> = unknown_types.map(|group| group.constraint.clone()).collect();
        let known_types = groups().count() - unknown.len();
        let is_any = |rule: &&AttributeRule| rule.class == Class::Any || rule.numbers.is_partly_unknown();
        let known_classes = attributes.len() - attributes.iter().filter(is_any).count();
        unknown.extend(attributes.iter().filter(is_any).map(|rule| rule.constraint.clone()));
        let has_rule = |name: &str| EVALUATED.contains(&name);
        let is_silent = |name: &str| NOTHING_TO_CHECK.contains(&name) || name.ends_with("Interface");
        let mut type_traits = TypeTrait::of(&definition);
        let known_traits =
            definition.traits().iter().filter(|r#trait| has_rule(r#trait.name())).count() + type_traits.len();
        // Rules about cases are not traits, so they are not counted among the rules of definitions.
        type_traits.extend(TypeTrait::of_cases(&definition));
        let is_known_trait = |r#trait: &&Trait| has_rule(r#trait.name()) || is_silent(r#trait.name());
        let unknown_traits = definition.traits().iter().filter(|r#trait| !is_known_trait(r#trait));
        let unknown_traits = unknown_traits.filter(|r#trait| TypeTrait::new(r#trait, &definition).is_none());
        unknown.extend(unknown_traits.map(|r#trait| r#trait.name().into()));
        let evaluated = known_types + known_classes + known_traits + 4;
        Self {
            regions: Count::new(definition.regions()),
            one_block: with_one_block(&definition),
            successors: Count::new(definition.successors()),
            is_terminator: has("IsTerminator"),
            is_constant: has("ConstantLike"),
            is_single_block: has("SingleBlock") || has("SingleBlockImplicitTerminator"),
            needs_no_terminator: has("NoTerminator"),
            has_no_region_arguments: has("NoRegionArguments"),
            is_symbol: has("SymbolOpInterface") || has("FunctionOpInterface"),
            is_declaring: symbols::is_declaring(definition.name()),
            is_isolated: has("IsIsolatedFromAbove"),
            may_be_graph: has("RegionKindInterface") || has("HasOnlyGraphRegion"),
            branch: Branch::of(&definition),
            has_symbol: definition.attribute("sym_name").is_some(),
            is_symbol_table: has("SymbolTable"),
            type_traits,
            counts: CountRule::of(&definition),
            stated: AppliedRule::of(&definition),
            verifiers: Verifier::of(&definition),
            variables: definition.variables().cloned(),
            is_borrowed: false,
            evaluated: evaluated as u64,
            not_evaluated: unknown.len() as u64,
            unknown,
            operands,
            results,
            attributes,
            parents,
            terminator,
        }
    }
}

impl Rules {
    /// Whether an operation of another release that breaks none of the rules `before` breaks none of these
    /// rules.
    ///
    /// Texts for people and rules that are not evaluated make no difference. `is_complained` tells whether
    /// the operations may have the attributes that a verifier examines.
    pub(crate) fn follow_from(&self, before: &Self, is_complained: impl Fn(&Verifier) -> bool) -> bool {
        let flags = |rules: &Self| {
            [
                rules.is_terminator,
                rules.is_single_block,
                rules.needs_no_terminator,
                rules.has_no_region_arguments,
                rules.has_symbol,
                rules.is_symbol,
                rules.is_declaring,
                rules.is_isolated,
                rules.may_be_graph,
                rules.is_symbol_table,
            ]
        };
        let parts = |rules: &Self| (rules.regions, rules.successors);
        self.operands.follow_from(&before.operands)
            && self.results.follow_from(&before.results)
            && parts(self) == parts(before)
            && self.one_block == before.one_block
            && self.parents == before.parents
            && self.terminator == before.terminator
            && flags(self) == flags(before)
            && self.branch == before.branch
            && self.type_traits == before.type_traits
            && self.counts == before.counts
            && self.variables.is_none()
            // The messages of these rules depend on the release.
            && !self.verifiers.iter().any(is_complained)
            && self.stated.iter().all(|rule| before.stated.contains(rule))
            && self
                .attributes
                .iter()
                .all(|rule| before.attributes.iter().any(|rule_before| rule.follows_from(rule_before)))
    }
}

impl Groups {
    fn follow_from(&self, before: &Self) -> bool {
        let is_weaker = |(group, known): (&Group, &Group)| {
            group.name == known.name
                && group.multiplicity == known.multiplicity
                && (group.r#type == known.r#type || matches!(group.r#type, TypeRule::Any | TypeRule::Unknown))
        };
        self.sizes == before.sizes
            && self.rows.len() == before.rows.len()
            && self.rows.iter().zip(&before.rows).all(is_weaker)
    }
}

impl AttributeRule {
    fn follows_from(&self, before: &Self) -> bool {
        self.name == before.name
            && self.class == before.class
            && self.numbers == before.numbers
            && (before.is_required || !self.is_required)
    }
}

// Returns the regions with one block. Only regions before a variadic region have the numbers of the
// definition.
fn with_one_block(definition: &OperationDefinition) -> Vec<u32> {
    let fixed = definition.regions().iter().take_while(|region| !region.is_variadic());
    let numbered = (0..).zip(fixed).filter(|(_, region)| region.constraint() == "region with 1 blocks");
    numbered.map(|(number, _)| number).collect()
}

impl AttributeRule {
    fn new(definition: &crate::ops::AttributeDefinition) -> Self {
        let name: Box<str> = definition.name().into();
        let storage = definition.constraint().map_or("", |constraint| constraint.storage());
        let is_size = name.ends_with("SegmentSizes") || name.ends_with("_segment_sizes");
        Self {
            class: definition.constraint().map_or(Class::Any, class_of),
            numbers: definition.constraint().map_or_else(NumberRule::default, NumberRule::new),
            constraint: definition
                .constraint()
                .map_or("a constraint without a name", Constraint::name)
                .into(),
            key: definition.constraint().map_or_else(Box::default, |constraint| {
                format!("{}\0{storage}\0{}", constraint.name(), constraint.summary()).into()
            }),
            storage: storage.into(),
            is_required: !definition.is_optional() && definition.default().is_none() && !is_size,
            name,
        }
    }
}

/// The class of the attributes of a constraint, and of the elements of arrays.
fn class_of(constraint: &Constraint) -> Class {
    let class = |storage: &str, of: Option<&str>| Class::new(storage, of, &DialectClasses::none());
    let storage = constraint.storage();
    let array = |storage: &str, of: Option<&str>| Class::Array(Box::new(class(storage, of)));
    match (storage, constraint.summary()) {
        ("ArrayAttr", "64-bit integer array attribute") => array("IntegerAttr", Some("i64")),
        ("ArrayAttr", "32-bit integer array attribute") => array("IntegerAttr", Some("i32")),
        ("ArrayAttr", "1-bit boolean array attribute") => array("BoolAttr", None),
        ("ArrayAttr", "string array attribute") => array("StringAttr", None),
        ("ArrayAttr", "symbol ref array attribute") => array("SymbolRefAttr", None),
        ("ArrayAttr", "type array attribute") => array("TypeAttr", None),
        ("ArrayAttr", "AffineMap array attribute") => array("AffineMapAttr", None),
        ("ArrayAttr", "Array of dictionary attributes") => array("DictionaryAttr", None),
        _ => match constraint.attribute_text() {
            AttributeText::Typed(of) | AttributeText::Case(of, _) => class(storage, Some(of)),
            AttributeText::Stripped(name) => Class::of_dialect(name).unwrap_or(Class::Any),
            _ => class(storage, None),
        },
    }
}

impl Groups {
    fn new(values: &[ValueDefinition], is_in_attribute: bool, is_same: bool) -> Self {
        let sizes = match (is_in_attribute, is_same) {
            (true, _) => Sizes::InAttribute,
            (_, true) => Sizes::Same,
            _ => Sizes::Counted,
        };
        Self { rows: values.iter().map(Group::new).collect(), sizes }
    }

    /// Returns the sizes of an attribute, or a message if they do not fit `count` values.
    pub(crate) fn sizes_from_attribute(
        &self,
        what: &str,
        sizes: &[i32],
        count: usize,
    ) -> Result<Option<Vec<usize>>, String> {
        // This check comes before the sizes are read, because many operations may share a long list.
        if sizes.len() != self.rows.len() {
            let (expected, found) = (self.rows.len(), sizes.len());
            return Err(format!("expected the sizes of {expected} groups of {what}s, found {found}"));
        }
        let sizes: Vec<usize> =
            sizes.iter().map(|&size| usize::try_from(size).unwrap_or(usize::MAX)).collect();
        let sum = sizes.iter().fold(0_usize, |sum, &size| sum.saturating_add(size));
        if sum != count {
            return Err(format!(
                "the sizes of the groups of {what}s add up to {sum}, but it has {count} {what}s"
            ));
        }
        self.fitting(what, sizes).map(Some)
    }

    /// The sizes that follow from the number of values; `None` if several are possible.
    pub(crate) fn sizes_from_count(&self, what: &str, count: usize) -> Result<Option<Vec<usize>>, String> {
        let single = self.rows.iter().filter(|group| group.multiplicity == Multiplicity::One).count();
        let variadic = self.rows.len() - single;
        let names = || {
            let names: Vec<_> = self.rows.iter().map(Group::shown).collect();
            if names.is_empty() { String::new() } else { format!(" ({})", names.join(", ")) }
        };
        let plural = |count: usize| if count == 1 { "" } else { "s" };
        let Some(remaining) = count.checked_sub(single) else {
            let least = if variadic == 0 { "" } else { "at least " };
            return Err(format!(
                "expected {least}{single} {what}{}{}, found {count}",
                plural(single),
                names()
            ));
        };
        let size = match variadic {
            0 if remaining > 0 => {
                return Err(format!("expected {single} {what}{}{}, found {count}", plural(single), names()));
            }
            0 => 0,
            1 => remaining,
            _ if self.sizes == Sizes::Same && remaining % variadic == 0 => remaining / variadic,
            _ if self.sizes == Sizes::Same => {
                return Err(format!(
                    "{remaining} {what}{} cannot be {variadic} groups of the same size",
                    plural(remaining)
                ));
            }
            _ => return Ok(None),
        };
        let size_of_group = |group: &Group| if group.multiplicity == Multiplicity::One { 1 } else { size };
        self.fitting(what, self.rows.iter().map(size_of_group).collect()).map(Some)
    }

    fn fitting(&self, what: &str, sizes: Vec<usize>) -> Result<Vec<usize>, String> {
        for (group, &size) in self.rows.iter().zip(&sizes) {
            let (is_fine, expected) = match group.multiplicity {
                Multiplicity::One => (size == 1, "one"),
                Multiplicity::Optional => (size <= 1, "at most one"),
                _ => continue,
            };
            if !is_fine {
                return Err(format!("expected {expected} {what} `{}`, found {size}", group.name));
            }
        }
        Ok(sizes)
    }
}

impl Group {
    fn new(definition: &ValueDefinition) -> Self {
        let constraint = definition.constraint();
        let summary = constraint.map_or("", |constraint| constraint.summary());
        Self {
            name: definition.name().into(),
            constraint: constraint.map_or("a constraint without a name", Constraint::name).into(),
            summary: match (summary, constraint) {
                ("", Some(constraint)) => format!("of the constraint `{}`", constraint.name()).into(),
                ("", None) => "of its constraint".into(),
                (summary, _) => summary.into(),
            },
            r#type: TypeRule::new(definition),
            multiplicity: definition.multiplicity().clone(),
        }
    }

    fn shown(&self) -> String {
        let mark = match self.multiplicity {
            Multiplicity::One => "",
            Multiplicity::Optional => "?",
            _ => "*",
        };
        format!("`{}`{mark}", self.name)
    }
}

impl TypeRule {
    fn new(definition: &ValueDefinition) -> Self {
        let Some(constraint) = definition.constraint() else { return Self::Unknown };
        if constraint.name() == "AnyType" {
            return Self::Any;
        }
        let Some(text) = constraint.only_type() else {
            return match TypePredicate::new(constraint) {
                TypePredicate::Unknown => match constraint.class().and_then(|class| class.split_once('.')) {
                    Some((dialect, _)) if dialect != "builtin" => Self::Dialect(dialect.as_bytes().into()),
                    _ => Self::Unknown,
                },
                known => Self::Predicate(known),
            };
        };
        if let Some(only) = ValueType::parse(text) {
            return Self::Only(only);
        }
        match text.strip_prefix('!').and_then(|text| text.split_once('.')) {
            Some((dialect, _)) => Self::Dialect(dialect.as_bytes().into()),
            None => Self::Unknown,
        }
    }

    fn is_partly_unknown(&self) -> bool {
        match self {
            Self::Dialect(_) | Self::Unknown => true,
            Self::Predicate(predicate) => predicate.is_partly_unknown(),
            Self::Any | Self::Only(_) => false,
        }
    }

    /// Whether the constraint may allow a type of the file.
    pub(crate) fn accepts(
        &self,
        typed: &Typed,
        entries: &impl Entries,
        facts_of: ElementFacts<'_>,
    ) -> Checked<bool> {
        Ok(match self {
            Self::Any | Self::Unknown => true,
            Self::Only(only) => only.is(TypeId::new(typed.index), entries),
            Self::Predicate(predicate) => predicate.allows(&typed.facts, facts_of)? != Some(false),
            Self::Dialect(dialect) => entries
                .entry(EntryRef::Type(TypeId::new(typed.index)))
                .is_none_or(|entry| *entry.dialect == **dialect),
        })
    }
}

impl Count {
    fn new(parts: &[PartDefinition]) -> Self {
        let at_least = parts.iter().filter(|part| !part.is_variadic()).count();
        Self { at_least, is_variadic: at_least < parts.len() }
    }

    /// Describes a wrong number of regions or successors.
    pub(crate) fn complaint(&self, what: &str, found: usize) -> Option<String> {
        let Self { at_least, is_variadic } = *self;
        let is_fine = if is_variadic { found >= at_least } else { found == at_least };
        let least = if is_variadic { "at least " } else { "" };
        let plural = if at_least == 1 { "" } else { "s" };
        (!is_fine).then(|| format!("expected {least}{at_least} {what}{plural}, found {found}"))
    }
}
