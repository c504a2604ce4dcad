//! A difference as text for people, with or without colours.

use std::collections::BTreeMap;
use std::fmt::{self, Write};

use crate::tool::printable;

use super::{Change, ChangeKind, Counts, Detail, Difference, ElementsDifference, Line};

/// The colours of a terminal.
#[derive(Clone, Copy)]
struct Paint(bool);

impl Paint {
    fn line(self, out: &mut String, code: &str, text: &str) {
        let text = printable(text);
        let _ = match self.0 {
            true => writeln!(out, "\u{1b}[{code}m{text}\u{1b}[0m"),
            false => writeln!(out, "{text}"),
        };
    }
}

const BOLD: &str = "1";
const RED: &str = "31";
const GREEN: &str = "32";
const YELLOW: &str = "33";
const BLUE: &str = "34";
const PLAIN: &str = "0";

impl Difference {
    /// Returns the text that `mlirbc diff` prints: hunks by symbol, and the counts. Control characters are
    /// escaped, except the codes of colours if `colors` is set.
    ///
    /// ```
    /// use mlirbc::tool::{DiffOptions, Difference};
    /// let before = mlirbc::Module::open("../../examples/two_layers.mlirbc")?;
    /// let after = mlirbc::Module::from_bytes(mlirbc::doc_example())?;
    /// let text = Difference::of(&before, &after, &DiffOptions::default())?.to_text(false);
    /// assert!(text.contains("- func.func"));
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn to_text(&self, colors: bool) -> String {
        let (mut out, paint) = (String::new(), Paint(colors));
        let mut symbol = None;
        for hunk in &self.hunks {
            if symbol != Some(&hunk.symbol) {
                if symbol.is_some() {
                    out.push('\n');
                }
                let name = if hunk.symbol.is_empty() { "(top level)" } else { &hunk.symbol };
                paint.line(&mut out, BOLD, name);
                symbol = Some(&hunk.symbol);
            } else {
                paint.line(&mut out, PLAIN, "  ...");
            }
            for line in &hunk.lines {
                match line {
                    Line::Same(text) => paint.line(&mut out, PLAIN, &format!("    {text}")),
                    Line::Change(number) => {
                        self.changes.get(*number).into_iter().for_each(|c| change(&mut out, paint, c))
                    }
                }
            }
        }
        for name in &self.resources {
            paint.line(&mut out, YELLOW, &format!("  ~ resource {name}"));
        }
        if self.omitted > 0 {
            paint.line(&mut out, PLAIN, &format!("({} more changes)", self.omitted));
        }
        if !self.equal {
            if !out.is_empty() {
                out.push('\n');
            }
            paint.line(&mut out, BOLD, &self.headline());
        }
        out
    }

    /// Returns the counts in words, such as `1 changed, 2 added`.
    #[doc(hidden)]
    pub fn headline(&self) -> String {
        if self.equal {
            return "equal".to_owned();
        }
        let resources = self.resources.len();
        let mut text = self.counts.to_string();
        if resources > 0 {
            let comma = if text.is_empty() { "" } else { ", " };
            let _ = write!(text, "{comma}{resources} resource{}", if resources == 1 { "" } else { "s" });
        }
        text
    }

    /// Returns the counts of each symbol, by name.
    #[doc(hidden)]
    pub fn by_symbol(&self) -> Vec<(&str, Counts)> {
        let mut all: BTreeMap<&str, Counts> = BTreeMap::new();
        for change in &self.changes {
            let counts = all.entry(&change.symbol).or_default();
            *match change.kind {
                ChangeKind::Added => &mut counts.added,
                ChangeKind::Removed => &mut counts.removed,
                ChangeKind::Moved => &mut counts.moved,
                ChangeKind::Changed => &mut counts.changed,
                ChangeKind::Renamed => &mut counts.renamed,
            } += 1;
        }
        all.into_iter().collect()
    }
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let all = [
            (self.changed, "changed"),
            (self.added, "added"),
            (self.removed, "removed"),
            (self.moved, "moved"),
            (self.renamed, "renamed"),
        ];
        let mut comma = "";
        for (count, name) in all.into_iter().filter(|row| row.0 > 0) {
            write!(f, "{comma}{count} {name}")?;
            comma = ", ";
        }
        Ok(())
    }
}

fn change(out: &mut String, paint: Paint, change: &Change) {
    let text = |site: &Option<super::Site>| site.as_ref().map_or("", |site| &site.text).to_owned();
    let (before, after) = (text(&change.before), text(&change.after));
    match change.kind {
        ChangeKind::Added => paint.line(out, GREEN, &format!("  + {after}")),
        ChangeKind::Removed => paint.line(out, RED, &format!("  - {before}")),
        ChangeKind::Moved => {
            paint.line(out, BLUE, &format!("  > {after}"));
            let path = change.before.as_ref().map_or("", |site| &site.path);
            paint.line(out, BLUE, &format!("  >   moved from {path}"));
        }
        ChangeKind::Changed | ChangeKind::Renamed if before == after => {
            paint.line(out, YELLOW, &format!("  {} {after}", change.kind.sign()));
        }
        ChangeKind::Changed | ChangeKind::Renamed => {
            paint.line(out, RED, &format!("  - {before}"));
            paint.line(out, GREEN, &format!("  + {after}"));
            if change.kind == ChangeKind::Renamed {
                paint.line(out, BLUE, "  =   renamed");
            }
        }
    }
    for detail in &change.details {
        paint.line(out, YELLOW, &format!("  ~   {detail}"));
    }
}

impl fmt::Display for Detail {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { what, name, before, after, elements } = self;
        f.write_str(what)?;
        if !name.is_empty() {
            write!(f, " {name}")?;
        }
        match elements {
            Some(elements) => write!(f, ": {elements}"),
            None if before.is_empty() => write!(f, ": added {after}"),
            None if after.is_empty() => write!(f, ": removed {before}"),
            None => write!(f, ": {before} → {after}"),
        }
    }
}

impl fmt::Display for ElementsDifference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for size in &self.shape {
            write!(f, "{size}x")?;
        }
        write!(f, "{}, {} of {} elements differ", self.dtype, self.changed, self.count)?;
        match (self.max, self.mean) {
            (Some(max), Some(mean)) => write!(f, ", by at most {max}, on average {mean}"),
            _ => f.write_str(", some are not finite"),
        }
    }
}
