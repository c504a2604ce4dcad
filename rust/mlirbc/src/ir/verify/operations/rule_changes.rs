//! Operations that two releases check by different rules.

use std::collections::HashMap;
use std::rc::Rc;

use crate::file::{FileEntries, build_time};
use crate::format::id::OpNameId;
use crate::ir::Module;
use crate::ir::module::PropertyReader;
use crate::ops::ApplicableDefinitions;
use crate::release::{self, BuildTime, Llvm};
use crate::wire::error::Result;

use super::rules::Rules;
use super::verifiers::{self, Verifier};
use super::{MASK, TARGET_DATA};

/// The dialect with rules that only some releases have.
const VECTOR: &[u8] = b"vector";

/// The bytes that an entry of a map takes besides its key and value.
const ENTRY: usize = 16;

/// Rules of a release that no definition contains.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Unwritten {
    /// LLVM 16 does not require the attribute.
    pub(super) symbols_need_tables: bool,
    /// Only LLVM 22 requires it.
    pub(super) symbols_have_no_results: bool,
    /// LLVM 16 requires an operation in `vector.mask`.
    pub(super) masks_need_an_operation: bool,
    /// LLVM 16 works out types without scalable dimensions.
    pub(super) vectors_are_fixed: bool,
}

impl Unwritten {
    /// The rules that a build of this time certainly has.
    pub(super) fn new(time: Option<BuildTime>) -> Self {
        Self {
            symbols_need_tables: time.is_none_or(|time| time.has(Llvm::requires_symbol_tables)),
            symbols_have_no_results: time.is_none_or(|time| time.has(Llvm::refuses_results_of_symbols)),
            masks_need_an_operation: time.is_some_and(|time| time.has(Llvm::had_masked_operations)),
            vectors_are_fixed: time.is_some_and(|time| time.has(Llvm::infers_fixed_vectors)),
        }
    }

    /// Whether an operation of a dialect, whose definition has these rules, may break a rule that `before` lacks.
    fn is_stricter(self, before: Self, dialect: &[u8], rules: &Rules) -> bool {
        let is_new = |rule: fn(Self) -> bool| rule(self) && !rule(before);
        is_new(|rules| rules.symbols_need_tables) && (rules.is_symbol || rules.has_symbol)
            || is_new(|rules| rules.symbols_have_no_results) && !rules.results.rows.is_empty()
            || is_new(|rules| rules.vectors_are_fixed) && dialect == VECTOR
    }
}

/// The source of the rules for a file's operations.
pub(super) struct RuleSource<'m, 'e> {
    pub(super) module: &'m Module,
    pub(super) reader: PropertyReader<'m, 'e>,
    pub(super) definitions: Option<ApplicableDefinitions>,
    /// The date of the build with these rules.
    pub(super) time: Option<BuildTime>,
    /// The date of the build that the release of a pack includes, or else of the build itself.
    pub(super) base_time: Option<BuildTime>,
}

impl<'m, 'e> RuleSource<'m, 'e> {
    pub(super) fn new(module: &'m Module, entries: &'e FileEntries<'m>) -> Result<Self> {
        let release = module.release()?;
        let definitions = release
            .nearest()
            .and_then(|name| ApplicableDefinitions::of(name, module.tables().release_llvm().0));
        let time = build_time(release);
        let base = release.nearest().and_then(|name| release::find_base(name).ok()?);
        let base_time = time.or_else(|| BuildTime::of(base?).ok());
        Ok(Self { module, reader: PropertyReader::new(module, entries)?, definitions, time, base_time })
    }

    /// The rules for an operation; `None` if it is unregistered or has no definition.
    pub(super) fn rules(&self, name: OpNameId) -> Option<Rc<Rules>> {
        let names = self.module.tables().dialect_section().map(|section| &section.op_names);
        let is_unregistered = names
            .is_ok_and(|names| names.get(name.index()).is_some_and(|row| row.is_registered == Some(false)));
        if is_unregistered {
            return None;
        }
        let full = self.module.op_name(name).map(|name| name.full().into_owned()).unwrap_or_default();
        let all = self.definitions?;
        let own_definition = all.get(&full);
        let is_borrowed = own_definition.is_none();
        let definition = own_definition.or_else(|| all.nearby(&full))?;
        let mut rules = Rules::new(definition, self.reader.schema(name), |name| {
            self.definitions.is_some_and(|all| all.get(name).is_some())
        });
        rules.verifiers.retain(|rule| self.time.is_some_and(|time| rule.is_in_force(time)));
        rules.stated.retain(|rule| self.time.is_some_and(|time| rule.is_in_force(time)));
        rules.is_borrowed = is_borrowed;
        // C++ of a project may pass arguments that are no operands to a successor.
        rules.branch = rules.branch.filter(|_| !all.is_of_project(&full));
        Some(Rc::new(rules)).filter(|rules| !is_borrowed || !rules.verifiers.is_empty())
    }
}

/// For each operation name of `read`, whether the rules may differ from the rules of `before`, the module before it was
/// converted.
///
/// # Errors
/// If a table is malformed, or the memory limit does not allow it.
pub(super) fn changed_names(before: &RuleSource<'_, '_>, read: &RuleSource<'_, '_>) -> Result<Vec<bool>> {
    let names = read.module.tables().op_names()?;
    let count = names.len();
    let bytes =
        before.module.tables().op_names()?.len() * (size_of::<((&[u8], &[u8]), OpNameId)>() + ENTRY) + count;
    let _held = read.module.tables().work_budget().hold(bytes)?;
    let ids = before
        .module
        .tables()
        .op_names()?
        .zip(0..)
        .map(|(name, id)| ((name.dialect, name.stem), OpNameId::new(id)));
    let ids: HashMap<_, _, foldhash::fast::RandomState> = ids.collect();
    let unwritten = [before, read].map(|source| Unwritten::new(source.base_time));
    // Files without names of such attributes have functions that no release refuses for them.
    let has_parameters = verifiers::has_checked_parameters(read.module)?;
    let has_plain_vectors = verifiers::has_plain_vectors(&read.module.tables().entries()?);
    let may_complain = |verifier: &Verifier| {
        (has_parameters || !verifier.is_of_functions())
            && (has_plain_vectors || !verifier.is_of_plain_vectors)
    };
    let mut changed = Vec::with_capacity(count);
    for (name, id) in names.zip(0..) {
        let Some(&id_before) = ids.get(&(name.dialect, name.stem)) else {
            // Other rules depend on the names of parents and terminators.
            return Ok(vec![true; count]);
        };
        let Some(rules) = read.rules(OpNameId::new(id)) else {
            changed.push(false);
            continue;
        };
        let rules_before = before.rules(id_before);
        let is_end = |rules: &Rules| rules.is_terminator;
        if rules_before.as_deref().is_some_and(is_end) != is_end(&rules) {
            return Ok(vec![true; count]);
        }
        let is_same = rules_before.is_some_and(|before| rules.follow_from(&before, may_complain))
            && ![MASK, TARGET_DATA].contains(&&*name.full())
            && !unwritten[1].is_stricter(unwritten[0], name.dialect, &rules);
        changed.push(!is_same);
    }
    Ok(changed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ops::OperationDefinitions;

    fn follow(name: &str, before: &str, after: &str) -> bool {
        let rules = |release: &str| {
            let definitions = OperationDefinitions::named(release).unwrap();
            Rules::new(definitions.get(name).unwrap(), None, |name| definitions.get(name).is_some())
        };
        // The file has no vectors without dimensions.
        rules(after).follow_from(&rules(before), |verifier| !verifier.is_of_plain_vectors)
    }

    #[test]
    fn an_attribute_is_checked_where_it_is_new() {
        for (name, attribute) in
            [("arith.divsi", "isExact"), ("scf.execute_region", "no_inline"), ("memref.store", "alignment")]
        {
            let has = |release: &str| {
                let definition = OperationDefinitions::named(release).unwrap().get(name).unwrap();
                definition.attribute(attribute).is_some()
            };
            assert!(!has("llvm-19") && has("llvm-22"), "{name}");
            assert!(!follow(name, "llvm-19", "llvm-22") && follow(name, "llvm-22", "llvm-19"), "{name}");
        }
    }

    #[test]
    fn an_operation_is_checked_where_its_values_changed() {
        // The operation got a result in LLVM 21.
        assert!(!follow("memref.assume_alignment", "llvm-22", "llvm-19"));
        // The operation got operands for dynamic sizes in LLVM 18.
        assert!(
            !follow("tensor.splat", "llvm-16", "llvm-19") && !follow("tensor.splat", "llvm-19", "llvm-16")
        );
        // The operands have another order in LLVM 16.
        assert!(!follow("llvm.intr.vector.insert", "llvm-19", "llvm-16"));
        assert!(follow("arith.mulf", "llvm-16", "llvm-22") && follow("arith.mulf", "llvm-22", "llvm-16"));
    }
}
