//! Puts many mutants into one build: each is behind a condition on an environment variable.
//!
//! `mutants ROOT < LIST` reads mutants as `cargo mutants --list --json` writes them, with a number `id` each,
//! changes the sources below ROOT, and prints the ids of those that it could place. Compiling the core takes
//! minutes, and with this it is compiled once for all mutants instead of once for each.

use std::collections::BTreeMap;
use std::io::Read;
use std::path::Path;

use proc_macro2::{LineColumn, Span};
use serde::Deserialize;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};

#[derive(Deserialize)]
struct Mutant {
    id: u32,
    file: String,
    genre: String,
    replacement: String,
    span: Range,
}

#[derive(Deserialize)]
struct Range {
    start: SourcePlace,
    end: SourcePlace,
}

#[derive(Deserialize, PartialEq, Eq)]
struct SourcePlace {
    line: usize,
    column: usize,
}

impl SourcePlace {
    fn is(&self, at: LineColumn) -> bool {
        self.line == at.line && self.column == at.column + 1
    }
}

/// Text that is put in at offsets of a file.
type Insertions = Vec<(usize, String)>;

struct Placer<'m> {
    source: &'m str,
    mutants: Vec<&'m Mutant>,
    insertions: Insertions,
    placed: Vec<u32>,
}

impl<'m> Placer<'m> {
    fn at(&self, span: Span, genre: &str) -> Vec<&'m Mutant> {
        let of_genre = self.mutants.iter().filter(|mutant| mutant.genre == genre);
        of_genre
            .filter(|mutant| mutant.span.start.is(span.start()) && mutant.span.end.is(span.end()))
            .copied()
            .collect()
    }

    fn text(&self, span: Span) -> &'m str {
        &self.source[span.byte_range()]
    }

    /// `whole` becomes `changed` if the mutant is on.
    fn either(&mut self, mutant: &Mutant, whole: Span, changed: String) {
        let range = whole.byte_range();
        self.insertions.push((range.start, format!("(if {} {{ {changed} }} else {{ ", on(mutant))));
        self.insertions.push((range.end, " })".to_owned()));
        self.placed.push(mutant.id);
    }
}

fn on(mutant: &Mutant) -> String {
    format!("crate::mutant_is_on({})", mutant.id)
}

impl<'ast> Visit<'ast> for Placer<'_> {
    fn visit_block(&mut self, block: &'ast syn::Block) {
        if let (Some(first), Some(last)) = (block.stmts.first(), block.stmts.last()) {
            let (start, end) = (first.span().start(), last.span().end());
            let mutants: Vec<_> = self.mutants.iter().filter(|one| one.genre == "FnValue").copied().collect();
            for mutant in mutants.into_iter().filter(|one| one.span.start.is(start) && one.span.end.is(end)) {
                let text = format!("if {} {{ return {}; }} ", on(mutant), mutant.replacement);
                self.insertions.push((first.span().byte_range().start, text));
                self.placed.push(mutant.id);
            }
        }
        visit::visit_block(self, block);
    }

    fn visit_expr_binary(&mut self, one: &'ast syn::ExprBinary) {
        for mutant in self.at(one.op.span(), "BinaryOperator") {
            let (left_text, right_text) = (self.text(one.left.span()), self.text(one.right.span()));
            self.either(mutant, one.span(), format!("{left_text} {} {right_text}", mutant.replacement));
        }
        visit::visit_expr_binary(self, one);
    }

    fn visit_expr_unary(&mut self, one: &'ast syn::ExprUnary) {
        for mutant in self.at(one.op.span(), "UnaryOperator") {
            self.either(mutant, one.span(), self.text(one.expr.span()).to_owned());
        }
        visit::visit_expr_unary(self, one);
    }

    fn visit_arm(&mut self, arm: &'ast syn::Arm) {
        if let Some((_, guard)) = &arm.guard {
            for mutant in self.at(guard.span(), "MatchArmGuard") {
                self.either(mutant, guard.span(), mutant.replacement.clone());
            }
        }
        for mutant in self.at(arm.span(), "MatchArm") {
            match &arm.guard {
                None => {
                    let end = arm.pat.span().byte_range().end;
                    self.insertions.push((end, format!(" if !{}", on(mutant))));
                    self.placed.push(mutant.id);
                }
                Some((_, guard)) => self.either(mutant, guard.span(), "false".to_owned()),
            }
        }
        visit::visit_arm(self, arm);
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let root = std::env::args().nth(1).ok_or("pass the root of the sources")?;
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text)?;
    let mutants: Vec<Mutant> = serde_json::from_str(&text)?;
    let mut files: BTreeMap<&str, Vec<&Mutant>> = BTreeMap::new();
    for mutant in &mutants {
        files.entry(&mutant.file).or_default().push(mutant);
    }
    for (file, mutants) in files {
        let path = Path::new(&root).join(file);
        let source = std::fs::read_to_string(&path)?;
        let tree = syn::parse_file(&source)?;
        let mut placer = Placer { source: &source, mutants, insertions: Vec::new(), placed: Vec::new() };
        placer.visit_file(&tree);
        // The edits are applied from the end, so that offsets stay right; edits at one position keep their order.
        placer.insertions.sort_by_key(|(at, _)| *at);
        let mut changed = source.clone();
        for (at, text) in placer.insertions.iter().rev() {
            changed.insert_str(*at, text);
        }
        std::fs::write(&path, changed)?;
        placer.placed.iter().for_each(|id| println!("{id}"));
    }
    Ok(())
}
