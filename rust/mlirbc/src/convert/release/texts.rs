//! Texts of attributes and types in the spelling of the target.

use super::ReleaseConversion;
use super::translation::{Respelling, shipped};
use crate::attr::text::dense::Element;
use crate::convert::respell::Text as Spelled;
use crate::release::{self, CodeRange, KnownRelease, Llvm};
use crate::wire::error::Result;
use crate::wire::limits::Budget;

impl ReleaseConversion {
    /// Respells a text for the target; `None` if it is the same.
    ///
    /// # Errors
    /// If the memory limit does not allow it.
    pub(crate) fn respelled(&self, text: &[u8], budget: &Budget) -> Result<Option<Vec<u8>>> {
        self.respelled_by(text, budget, |_| true)
    }

    /// Whether the target does not read the spelling of the source.
    ///
    /// # Errors
    /// The errors of [`Self::respelled`].
    pub(crate) fn needs_respelling(&self, text: &[u8], budget: &Budget) -> Result<bool> {
        Ok(self.respelled_by(text, budget, |respelling| !respelling.is_optional)?.is_some())
    }

    fn respelled_by(
        &self,
        text: &[u8],
        budget: &Budget,
        applies: impl Fn(&Respelling) -> bool,
    ) -> Result<Option<Vec<u8>>> {
        let mut new: Option<Vec<u8>> = None;
        let (mut candidates, mut done) = (self.text_firsts.found(text), 0);
        while let Some(place) = candidates.iter().copied().find(|place| *place >= done) {
            done = place + 1;
            let Some(respelling) = self.texts.get(place) else { break };
            if !applies(respelling) {
                continue;
            }
            if let Some(respelled) = respelling.rule.apply(new.as_deref().unwrap_or(text), budget)? {
                // The output of one rule may be the input of a later one.
                candidates = self.text_firsts.found(&respelled);
                new = Some(respelled);
            }
        }
        Ok(new)
    }

    /// Whether the target does not have a part of this text.
    ///
    /// # Errors
    /// The errors of [`Self::respelled`].
    pub(crate) fn lacks(&self, text: &[u8], budget: &Budget) -> Result<bool> {
        let candidates = self.missing_firsts.found(text);
        if candidates.is_empty() {
            return Ok(false);
        }
        let _held = budget.hold(text.len())?;
        let types = self.without_cases(text);
        let text = Spelled::new(&types, budget)?;
        Ok(candidates
            .into_iter()
            .any(|place| self.missing.get(place).is_some_and(|pattern| pattern.is_in(&text))))
    }

    /// Whether dense elements of a type have other bytes in the target.
    pub(crate) fn has_other_elements(&self, element: Element) -> bool {
        let mut rows = self.data.rows.elements.iter().filter(|row| self.is_any || self.crosses(row.at));
        rows.any(|row| Element::from_name(row.r#type.as_bytes()) == Some(element.part()))
    }

    /// Whether the target does not have the entity with this code.
    pub(crate) fn has_no_text(&self, dialect: &[u8], is_type: bool, code: u64) -> bool {
        let oldest = if self.is_any { Llvm::OLDEST.0 } else { self.to };
        let mut rows = release::codes().unwrap_or_default().iter();
        // Text of a dialect that the target does not have is kept.
        let is_listed = |row: &CodeRange, release: &KnownRelease| {
            !self.dialects.contains(&row.dialect) || row.releases.contains(&release.name)
        };
        let is_too_old = |row: &CodeRange| match row.since {
            // A row without a release lists the builds that have the code.
            0 => self.release.is_some_and(|release| !is_listed(row, release)),
            since => since > oldest,
        };
        rows.any(|row| row.has(dialect, is_type, code) && row.has_no_text && is_too_old(row))
    }
}

/// Returns a text in the oldest spelling that newer releases accept, which is written for [`ANY`].
///
/// # Errors
/// If the memory limit does not allow it.
pub(crate) fn older_spelling(text: &str, budget: &Budget) -> Result<Vec<u8>> {
    let mut older = text.as_bytes().to_vec();
    for row in shipped()?.texts.iter().rev().filter(|row| row.is_read_by_newer) {
        if let Some(respelled) = row.down.apply(&older, budget)? {
            older = respelled;
        }
    }
    Ok(older)
}
