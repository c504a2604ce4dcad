//! Operation names as text, and how often each occurs.

use std::borrow::Cow;
use std::cmp::{Ordering, Reverse};
use std::collections::HashMap;
use std::convert::Infallible;

use mlirbc::Module;
use mlirbc::ir::OperationName;
use serde::{Serialize, Serializer};
use wildmatch::WildMatch;

use crate::text::shown_parts;

/// Parses a pattern of the command line: `*` matches any text, `?` one character.
pub(crate) fn pattern(text: &str) -> Result<WildMatch, Infallible> {
    Ok(WildMatch::new(text))
}

/// The name in output for people.
pub(crate) fn shown(name: &OperationName<'_>) -> String {
    match name.stem.is_empty() {
        true => shown_parts([name.dialect]),
        false => shown_parts([name.dialect, b".", name.stem]),
    }
}

/// Orders operation names by their text without building the text: many names may share one long dialect name
/// or one long stem.
struct Order<'m> {
    /// Ranks by the address of a part, because names share their parts.
    ranks: HashMap<*const [u8], usize>,
    /// The distinct parts, sorted.
    parts: Vec<Cow<'m, str>>,
    /// For each part, the end of the following parts that begin with it.
    extended: Vec<usize>,
}

impl<'m> Order<'m> {
    fn new<'n>(names: impl Iterator<Item = &'n OperationName<'m>>) -> Self
    where
        'm: 'n,
    {
        let mut slices: HashMap<*const [u8], &'m [u8]> = HashMap::new();
        slices.extend(names.flat_map(|name| [name.dialect, name.stem]).map(|part| (part as *const _, part)));
        let mut sorted: Vec<_> =
            slices.into_iter().map(|(at, part)| (String::from_utf8_lossy(part), at)).collect();
        sorted.sort_unstable();
        let (mut ranks, mut parts) = (HashMap::with_capacity(sorted.len()), Vec::<Cow<'m, str>>::new());
        for (part, at) in sorted {
            if parts.last() != Some(&part) {
                parts.push(part);
            }
            ranks.insert(at, parts.len() - 1);
        }
        let extended = (0..parts.len())
            .map(|at| at + parts[at..].partition_point(|other| other.starts_with(&*parts[at])))
            .collect();
        Self { ranks, parts, extended }
    }

    fn rank(&self, part: &[u8]) -> usize {
        self.ranks.get(&(part as *const _)).copied().unwrap_or_default()
    }

    fn compare(&self, a: &OperationName<'_>, b: &OperationName<'_>) -> Ordering {
        let [(a_dialect, a_stem), (b_dialect, b_stem)] =
            [a, b].map(|name| (self.rank(name.dialect), self.rank(name.stem)));
        let begins = |short: usize, long: usize| short < long && long < self.extended[short];
        if a_dialect == b_dialect {
            a_stem.cmp(&b_stem)
        } else if begins(a_dialect, b_dialect) {
            self.continued(a_dialect, a_stem, b_dialect, b_stem)
        } else if begins(b_dialect, a_dialect) {
            self.continued(b_dialect, b_stem, a_dialect, a_stem).reverse()
        } else {
            a_dialect.cmp(&b_dialect)
        }
    }

    /// Compares `dialect.stem` with `longer.other`, where the dialect name `longer` begins with `dialect`.
    fn continued(&self, dialect: usize, stem: usize, longer: usize, other: usize) -> Ordering {
        let after = |dialect: usize, stem: usize, from: usize| {
            let (dialect, stem) = (&self.parts[dialect][from..], &*self.parts[stem]);
            let dot = if stem.is_empty() { "" } else { "." };
            dialect.bytes().chain(dot.bytes()).chain(stem.bytes())
        };
        let from = self.parts[dialect].len();
        after(dialect, stem, from).cmp(after(longer, other, from))
    }
}

/// How often each operation occurs, most frequent first, then by name.
#[derive(Debug, Default)]
pub(crate) struct OpCounts<'m>(pub(crate) Vec<(OperationName<'m>, u64)>);

impl<'m> OpCounts<'m> {
    /// Reads all of the IR.
    pub(crate) fn read(module: &'m Module) -> mlirbc::Result<Self> {
        let counts = module.op_counts()?;
        let mut rows: Vec<_> =
            module.tables().op_names()?.zip(counts).filter(|&(_, count)| count > 0).collect();
        let order = Order::new(rows.iter().map(|(name, _)| name));
        rows.sort_by(|(a, _), (b, _)| order.compare(a, b));
        // A file may list a name twice, and two names may have the same text.
        rows.dedup_by(|(name, count), (kept, total)| {
            let same = order.compare(name, kept).is_eq();
            *total += if same { *count } else { 0 };
            same
        });
        rows.sort_by_key(|&(_, count)| Reverse(count));
        Ok(Self(rows))
    }

    /// How many operations there are.
    pub(crate) fn total(&self) -> u64 {
        self.0.iter().map(|(_, count)| count).sum()
    }
}

impl Serialize for OpCounts<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, count)| (name.full(), count)))
    }
}

#[cfg(test)]
mod tests {
    use mlirbc::ir::OpNameId;

    use super::*;

    #[test]
    fn names_are_in_the_order_of_their_text() {
        let parts: [&[u8]; 8] = [b"", b"a", b"a.b", b"a-b", b"a.b.c", b"b", b"\xff", "\u{fffd}".as_bytes()];
        let pairs = parts.iter().flat_map(|&dialect| parts.iter().map(move |&stem| (dialect, stem)));
        let names: Vec<_> = pairs
            .map(|(dialect, stem)| OperationName { id: OpNameId::new(0), dialect, stem, is_registered: None })
            .collect();
        let order = Order::new(names.iter());
        for a in &names {
            for b in &names {
                assert_eq!(order.compare(a, b), a.full().cmp(&b.full()), "{} and {}", a.full(), b.full());
            }
        }
    }
}
