//! Names of values in custom assembly, which operations suggest (`SSANameState` in `mlir/lib/IR/AsmPrinter.cpp`).
//!
//! All values of a region are named before those of the regions in it, and sibling regions begin with the same state. So a
//! region is named when the operation that has it is reached, and its names are forgotten when it ends.

use std::collections::HashSet;

/// A name: a number, `argN`, or a text of [`Scopes`].
pub(in crate::print) const ARGUMENT: u32 = 1 << 31;
pub(in crate::print) const NAMED: u32 = 1 << 30;

/// The next numbers.
#[derive(Debug, Clone, Copy, Default)]
struct Counters {
    values: u32,
    arguments: u32,
    conflicts: u32,
}

/// The state after all values of a region were named.
#[derive(Debug, Clone, Copy)]
struct RegionScope {
    counters: Counters,
    first_name: u32,
    end_name: u32,
    is_active: bool,
    // The state of the enclosing region while this one is printed.
    outer: Counters,
}

/// The names of the regions that are being printed.
#[derive(Debug, Default)]
pub(in crate::print) struct Scopes {
    counters: Counters,
    used: HashSet<Box<[u8]>, foldhash::fast::RandomState>,
    texts: Vec<u8>,
    spans: Vec<(u32, u32)>,
    regions: Vec<RegionScope>,
    // The state at the start of the region that is being named.
    start: Counters,
    first_name: u32,
    name: Vec<u8>,
    used_bytes: usize,
}

impl Scopes {
    /// The number of regions on the stack, to return to with [`Self::forget`].
    pub(in crate::print) fn mark(&self) -> u32 {
        self.regions.len() as u32
    }

    /// The memory that it takes.
    pub(in crate::print) fn memory(&self) -> usize {
        2 * (self.texts.capacity() + self.spans.capacity() * 8)
            + self.regions.capacity() * 2 * size_of::<RegionScope>()
            + self.used_bytes
            + self.used.capacity() * 2 * size_of::<Box<[u8]>>()
    }

    /// Begins to name the values of the next region of an operation.
    pub(in crate::print) fn begin_region(&mut self) {
        self.start = self.counters;
        self.first_name = self.spans.len() as u32;
    }

    /// Ends it. The names of the only region of an operation stay in use.
    pub(in crate::print) fn end_region(&mut self, is_only: bool) {
        let scope = RegionScope {
            counters: self.counters,
            first_name: self.first_name,
            end_name: self.spans.len() as u32,
            is_active: is_only,
            outer: self.start,
        };
        if !is_only {
            self.release(scope);
        }
        self.regions.push(scope);
        self.counters = self.start;
    }

    /// Begins to print a region that was named.
    pub(in crate::print) fn enter(&mut self, region: u32) {
        let Some(scope) = self.regions.get(region as usize).copied() else { return };
        if !scope.is_active {
            for place in scope.first_name..scope.end_name {
                let name: Box<[u8]> = self.text(place).into();
                self.used_bytes += name.len() + 32;
                self.used.insert(name);
            }
        }
        self.counters = scope.counters;
    }

    /// Ends it.
    pub(in crate::print) fn leave(&mut self, region: u32) {
        let Some(scope) = self.regions.get(region as usize).copied() else { return };
        self.release(scope);
        if let Some(scope) = self.regions.get_mut(region as usize) {
            scope.is_active = false;
        }
        self.counters = scope.outer;
    }

    fn release(&mut self, scope: RegionScope) {
        for place in scope.first_name..scope.end_name {
            let (start, len) = self.spans.get(place as usize).copied().unwrap_or_default();
            let name = self.texts.get(start as usize..(start + len) as usize).unwrap_or_default();
            if self.used.remove(name) {
                self.used_bytes = self.used_bytes.saturating_sub(name.len() + 32);
            }
        }
    }

    /// Forgets the regions since a mark.
    pub(in crate::print) fn forget(&mut self, mark: u32) {
        while self.regions.len() as u32 > mark
            && let Some(scope) = self.regions.pop()
        {
            if scope.is_active {
                self.release(scope);
            }
            self.spans.truncate(scope.first_name as usize);
            let end = self.spans.last().map_or(0, |&(start, len)| start + len);
            self.texts.truncate(end as usize);
        }
    }

    /// The next number.
    #[inline]
    pub(in crate::print) fn number(&mut self) -> u32 {
        let number = self.counters.values;
        self.counters.values += 1;
        number & (NAMED - 1)
    }

    /// The next `argN`.
    #[inline]
    pub(in crate::print) fn argument(&mut self) -> u32 {
        let number = self.counters.arguments;
        self.counters.arguments += 1;
        number & (NAMED - 1) | ARGUMENT
    }

    /// A name as close to `wanted` as possible; a number if it is empty.
    pub(in crate::print) fn named(&mut self, wanted: &[u8]) -> u32 {
        if wanted.is_empty() {
            return self.number();
        }
        let mut name = std::mem::take(&mut self.name);
        name.clear();
        sanitize(wanted, &mut name);
        let len = name.len();
        while self.used.contains(&*name) {
            name.truncate(len);
            name.push(b'_');
            name.extend_from_slice(itoa::Buffer::new().format(self.counters.conflicts).as_bytes());
            self.counters.conflicts += 1;
        }
        let start = self.texts.len() as u32;
        self.texts.extend_from_slice(&name);
        self.used.insert(name[..].into());
        self.used_bytes += name.len() + 32;
        self.spans.push((start, name.len() as u32));
        self.name = name;
        (self.spans.len() as u32 - 1) | NAMED
    }

    /// The text of a name.
    #[inline]
    pub(in crate::print) fn text(&self, place: u32) -> &[u8] {
        let (start, len) = self.spans.get(place as usize).copied().unwrap_or_default();
        self.texts.get(start as usize..(start + len) as usize).unwrap_or_default()
    }
}

// `sanitizeIdentifier`
fn sanitize(wanted: &[u8], out: &mut Vec<u8>) {
    if wanted.first().is_some_and(u8::is_ascii_digit) {
        out.push(b'_');
    }
    for &byte in wanted {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' | b'$' | b'.' | b'-' => out.push(byte),
            b' ' => out.push(b'_'),
            byte => {
                const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
                out.push(DIGITS[usize::from(byte >> 4)]);
                out.push(DIGITS[usize::from(byte & 15)]);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(scopes: &Scopes, name: u32) -> String {
        String::from_utf8(scopes.text(name & !NAMED).to_vec()).unwrap()
    }

    #[test]
    fn taken_names_get_a_number_that_all_names_share() {
        let mut scopes = Scopes::default();
        scopes.begin_region();
        let names: Vec<_> = ["c0", "c0", "cst", "cst"].map(|name| scopes.named(name.as_bytes())).into();
        let texts: Vec<_> = names.iter().map(|&name| text(&scopes, name)).collect();
        assert_eq!(texts, ["c0", "c0_0", "cst", "cst_1"]);
        scopes.end_region(true);
        scopes.enter(0);
        scopes.begin_region();
        let nested = scopes.named(b"cst");
        assert_eq!(text(&scopes, nested), "cst_2");
        scopes.end_region(true);
        scopes.forget(1);
        scopes.begin_region();
        let sibling = scopes.named(b"cst");
        assert_eq!(text(&scopes, sibling), "cst_2");
        scopes.end_region(false);
        scopes.leave(0);
        scopes.forget(0);
        scopes.begin_region();
        let after = scopes.named(b"c0");
        assert_eq!(text(&scopes, after), "c0");
    }

    #[test]
    fn names_have_only_letters_of_identifiers() {
        for (wanted, expected) in [("a b+c", "a_b2Bc"), ("3x", "_3x"), ("c-1_i64", "c-1_i64")] {
            let mut out = Vec::new();
            sanitize(wanted.as_bytes(), &mut out);
            assert_eq!(String::from_utf8(out).unwrap(), expected);
        }
    }
}
