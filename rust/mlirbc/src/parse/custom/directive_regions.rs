//! Regions of directives that are not functions of `assembly`.

use crate::assembly::{CustomElement, Direction, RegionStyle, RegionSyntax, Step};
use crate::attr::text::parse::Parsed;
use crate::ops::OperationDefinition;

use super::call::region_of;
use super::finish::implicit_terminator;
use super::syntax::FormReader;

/// The word before the region of a directive that may be absent, and whether the directive parses what is between them.
pub(super) fn optional_region(
    directive: &str,
    definition: &OperationDefinition,
) -> Option<(&'static str, bool)> {
    Some(match directive {
        "AtomicReductionRegion" => ("atomic", false),
        "CleanupReductionRegion" => ("cleanup", false),
        "DispatchWorkgroupsCountRegion" => ("count", true),
        "ElseRegion" => ("else", false),
        // In `hal` the word is part of the format.
        "WorkgroupCountRegion" if !definition.name().starts_with("hal.") => ("workgroups", true),
        _ => return None,
    })
}

impl FormReader<'_, '_> {
    /// A directive with its region, if it has one; `phase` is the number of regions that it opened.
    pub(super) fn directive_with_region(&mut self, custom: &CustomElement, phase: u32) -> Parsed<Step> {
        let optional = optional_region(&custom.name, self.definition());
        match (&*custom.name, optional, region_of(&custom.elements)) {
            (_, Some(_), Some(_)) if phase > 0 => Ok(Step::Done),
            (_, Some((word, has_arguments)), Some(region)) => match self.eat_region_word(word)? {
                true => {
                    if has_arguments {
                        self.read_directive(custom)?;
                    }
                    self.next_region(region)
                }
                false => Ok(Step::Done),
            },
            (name, None, Some(_)) if phase > 0 => self.end_region(name),
            (_, None, Some(region)) => {
                self.read_directive(custom)?;
                self.next_region(region)
            }
            (_, _, None) => self.read_directive(custom).map(|()| Step::Done),
        }
    }

    fn read_directive(&mut self, custom: &CustomElement) -> Parsed<()> {
        self.parser.custom_directive(self.pending, self.custom, &custom.name, &custom.elements)
    }

    fn next_region(&mut self, region: usize) -> Parsed<Step> {
        let arguments = self.kept_arguments();
        self.region(region, RegionStyle::FULL, arguments)
    }

    // `else` may be a string (`parseElseRegion` in `mlir/lib/Dialect/WasmSSA/IR/WasmSSAOps.cpp`).
    fn eat_region_word(&mut self, word: &str) -> Parsed<bool> {
        let token = self.parser.peek()?;
        if word == "else" && self.parser.spelling(token) == b"\"else\"" {
            self.parser.lexer().seek(token.end);
            return Ok(true);
        }
        self.parser.eat_literal(word)
    }

    fn end_region(&mut self, directive: &str) -> Parsed<Step> {
        let Some(&row) = self.pending.regions.last() else { return Ok(Step::Done) };
        match directive {
            // It ends at the place in the text after it.
            "ExplicitResourceRegion" => {
                if let Some(name) = implicit_terminator(&self.custom.definition) {
                    let position = self.parser.editor_position();
                    let location = self.parser.location_at(position)?;
                    self.parser.ensure_terminator(row, name, location)?;
                }
            }
            _ => {}
        }
        Ok(Step::Done)
    }
}
