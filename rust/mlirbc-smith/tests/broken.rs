//! Files that break one rule raise its identifier, and were valid before.

#![allow(clippy::unwrap_used, clippy::panic)]

use std::collections::HashSet;

use arbitrary::Unstructured;
use mlirbc::error::RULES;
use mlirbc::version::BytecodeVersion;
use mlirbc::{ErrorKind, Module};
use mlirbc_smith::{
    BreakableRule, BrokenModule, Check, Config, Features, breakable_rule, breakable_rules, releases,
    unbreakable_rules,
};

const SEEDS: u64 = 2;

fn check(config: &Config, rule: &'static BreakableRule, seed: u64) -> BrokenModule {
    let case = format!("{} {} {seed}", config.release, rule.identifier());
    let broken =
        BrokenModule::from_seed(config, rule, seed).unwrap_or_else(|error| panic!("{case}: {error}"));
    broken.check_valid().unwrap_or_else(|error| panic!("{case}: the valid file raises {error:?}"));
    match broken.raised() {
        Some(error) => assert_eq!(error.identifier(), rule.identifier(), "{case}: {error}"),
        None => panic!("{case}: nothing is raised"),
    }
    assert_ne!(broken.bytes(), broken.valid_bytes(), "{case}");
    broken
}

#[test]
fn every_rule_is_raised_in_every_release() {
    for release in releases().filter(|release| release.starts_with("llvm-")) {
        let config = Config { release: release.into(), ..Config::default() };
        for rule in breakable_rules() {
            let files: HashSet<_> = (0..SEEDS).map(|seed| check(&config, rule, seed).into_bytes()).collect();
            let expected = if rule.kind() == ErrorKind::Empty { 1 } else { SEEDS as usize };
            assert_eq!(files.len(), expected, "{}: files of different seeds differ", rule.identifier());
        }
    }
}

#[test]
fn other_releases_than_those_of_llvm_are_refused() {
    let config = Config { release: "jaxlib-0.10".into(), ..Config::default() };
    let rule = breakable_rule("read.padding").unwrap();
    assert_eq!(BrokenModule::from_seed(&config, rule, 0).unwrap_err().kind(), ErrorKind::Unsupported);
}

#[test]
fn every_rule_is_raised_in_every_version_that_has_it() {
    for version in (0..=6).filter_map(BytecodeVersion::new) {
        let config = Config { version: Some(version), max_operations: 5, ..Config::default() };
        let of_bytecode = |rule: &&BreakableRule| ![Check::Layout, Check::Assemble].contains(&rule.check());
        for rule in breakable_rules().iter().filter(of_bytecode) {
            if rule.is_of_version(version) {
                assert_eq!(check(&config, rule, 100).version(), version);
            } else {
                let error = BrokenModule::from_seed(&config, rule, 100).unwrap_err();
                assert_eq!(error.kind(), ErrorKind::Unsupported);
            }
        }
    }
}

#[test]
fn every_rule_is_raised_in_modules_with_nothing_else() {
    let config = Config { features: Features::none(), max_operations: 0, ..Config::default() };
    for rule in breakable_rules() {
        check(&config, rule, 7);
        let empty = BrokenModule::new(&config, rule, &mut Unstructured::new(&[])).unwrap();
        assert_eq!(empty.raised().unwrap().kind(), rule.kind(), "{} without bytes", rule.identifier());
    }
}

#[test]
fn every_rule_is_listed_once() {
    let breakable = breakable_rules().iter().map(BreakableRule::kind);
    let unbreakable = unbreakable_rules().iter().flat_map(|rules| rules.kinds).copied();
    let mut listed: Vec<_> = breakable.chain(unbreakable).map(|kind| kind.rule().identifier).collect();
    listed.sort_unstable();
    let mut all: Vec<_> = RULES.iter().map(|rule| rule.identifier).collect();
    all.sort_unstable();
    assert_eq!(listed, all);
}

#[test]
fn only_rules_of_limits_need_limits() {
    for rule in breakable_rules() {
        let broken = BrokenModule::from_seed(&Config::default(), rule, 3).unwrap();
        assert_eq!(
            broken.is_limited(),
            rule.identifier().starts_with("mlirbc.limit."),
            "{}",
            rule.identifier()
        );
    }
}

#[test]
fn the_valid_file_keeps_the_generated_module() {
    let rule = breakable_rule("read.use_list").unwrap();
    let broken = BrokenModule::from_seed(&Config::default(), rule, 1).unwrap();
    let module = Module::from_bytes(broken.valid_bytes().to_vec()).unwrap();
    assert!(module.operation().unwrap().pre_order().count() > 10);
}
