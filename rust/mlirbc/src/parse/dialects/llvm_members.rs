//! The types of the members of structures and arrays of the llvm dialect, which are text.

use std::collections::HashMap;
use std::ops::Range;
use std::rc::Rc;

use crate::attr::text::parse::Parsed;
use crate::format::id::{AttrId, TypeId};
use crate::wire::limits::{Budget, ChargedVec};

use super::super::frames::{AsmParser, Pending};

/// The containers that members were looked up in, and the members that were found.
#[derive(Default)]
pub(in crate::parse) struct Containers {
    /// By the number of their type.
    types: HashMap<TypeId, Rc<Container>, foldhash::fast::RandomState>,
    /// The types of members, by the container and the place in its text.
    members: HashMap<(TypeId, usize), TypeId, foldhash::fast::RandomState>,
}

/// The text of a type with the places of the members of all structures and arrays in it.
///
/// Many operations may look up members of one wide or deep type, so its text is read once.
struct Container {
    text: String,
    /// Lists in brackets, in the order of their ends.
    lists: ChargedVec<List>,
    parts: ChargedVec<Range<usize>>,
}

/// A list in a pair of brackets.
struct List {
    /// The place of the bracket that closes it.
    end: usize,
    /// Its parts between commas in `Container::parts`.
    parts: Range<usize>,
}

/// A bracket without its end.
struct OpenList {
    /// The start of the part that is read.
    start: usize,
    /// The number of parts of open lists before its first one.
    first: usize,
}

impl Container {
    fn new(text: String, budget: &Budget) -> crate::wire::error::Result<Self> {
        let (mut lists, mut parts) = (ChargedVec::new(budget), ChargedVec::new(budget));
        let mut open: ChargedVec<OpenList> = ChargedVec::new(budget);
        let mut open_parts: ChargedVec<Range<usize>> = ChargedVec::new(budget);
        let (mut is_string, mut before) = (false, b' ');
        for (place, byte) in text.bytes().enumerate() {
            match byte {
                b'"' if before != b'\\' => is_string = !is_string,
                _ if is_string => {}
                b'<' | b'(' | b'[' | b'{' => {
                    open.push(OpenList { start: place + 1, first: open_parts.len() })?;
                }
                b'>' if before == b'-' => {}
                b'>' | b')' | b']' | b'}' => {
                    if let Some(list) = open.pop() {
                        let first = parts.len();
                        for part in open_parts.get(list.first..).unwrap_or_default() {
                            parts.push(part.clone())?;
                        }
                        open_parts.truncate(list.first);
                        parts.push(list.start..place)?;
                        lists.push(List { end: place, parts: first..parts.len() })?;
                    }
                }
                b',' => {
                    if let Some(list) = open.last_mut() {
                        open_parts.push(list.start..place)?;
                        list.start = place + 1;
                    }
                }
                _ => {}
            }
            before = byte;
        }
        Ok(Self { text, lists, parts })
    }

    /// The place of a member of the structure or array at `place`.
    fn member(&self, place: Range<usize>, index: usize) -> Option<Range<usize>> {
        let text = self.text.get(place.clone())?;
        let body = text.strip_prefix("!llvm.").unwrap_or(text);
        let end = place.end.checked_sub(1)?;
        if body.starts_with("array<") {
            let [element] = self.list(end)? else { return None };
            let (count, _) = self.text.get(element.clone())?.split_once(" x ")?;
            let start = element.start + count.len() + " x ".len();
            return (index < count.parse().ok()?).then_some(start..element.end);
        }
        // The members are in parentheses, perhaps after a name.
        let members = body.starts_with("struct<").then(|| self.list(end.checked_sub(1)?)).flatten()?;
        let member = self.text.get(members.get(index)?.clone())?;
        let start = members.get(index)?.start + (member.len() - member.trim_start().len());
        let len = member.trim().len();
        (len > 0).then_some(start..start + len)
    }

    /// The parts of the list that ends at a place.
    fn list(&self, end: usize) -> Option<&[Range<usize>]> {
        let place = self.lists.binary_search_by_key(&end, |list| list.end).ok()?;
        self.parts.get(self.lists.get(place)?.parts.clone())
    }
}

impl<'t> AsmParser<'t> {
    /// `!llvm.vec<2 x ptr>` with another number of elements.
    pub(in crate::parse) fn resized_llvm_vector(&mut self, of: TypeId, count: i64) -> Parsed<Option<TypeId>> {
        let text = self.whole_type(of)?;
        let Some(body) = text.strip_prefix("!llvm.vec<") else { return Ok(None) };
        let (scalable, body) = match body.strip_prefix("? x ") {
            Some(body) => ("? x ", body),
            None => ("", body),
        };
        let Some((_, element)) = body.split_once(" x ") else { return Ok(None) };
        self.type_named(&format!("!llvm.vec<{scalable}{count} x {element}")).map(Some)
    }

    /// The type of a member of a structure or an array of the llvm dialect.
    pub(in crate::parse) fn member_type(
        &mut self,
        pending: &Pending<'t>,
        container: TypeId,
        position: AttrId,
    ) -> Parsed<TypeId> {
        let known_type = match self.containers.types.get(&container) {
            Some(known_type) => known_type.clone(),
            None => {
                let budget = &self.editor.tables.budget;
                let text = self.whole_type(container)?;
                budget.spend(text.len())?;
                let new = Rc::new(Container::new(text, budget)?);
                self.containers.types.insert(container, new.clone());
                new
            }
        };
        let indices = self.whole_attribute(position)?;
        let list = indices.rsplit_once(": ").map_or("", |(_, list)| list).trim_end_matches('>');
        let mut place = 0..known_type.text.len();
        for index in list.split(", ").filter(|index| !index.is_empty()) {
            let index: usize = index.parse().unwrap_or(usize::MAX);
            match known_type.member(place.clone(), index) {
                Some(member) => place = member,
                None => {
                    let text = known_type.text.get(place).unwrap_or_default();
                    return Err(self.contents(pending, format!("`{text}` has no member `{index}`")));
                }
            }
        }
        let key = (container, place.start);
        if let Some(&known_type) = self.containers.members.get(&key) {
            return Ok(known_type);
        }
        let member = self.llvm_type(known_type.text.get(place).unwrap_or_default())?;
        self.editor.tables.budget.spend(2 * size_of::<((u32, usize), u32)>())?;
        self.containers.members.insert(key, member);
        Ok(member)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::limits::Limits;

    fn member(text: &str, path: &[usize]) -> Option<String> {
        let container = Container::new(text.to_owned(), &Limits::default().budget(0)).unwrap();
        let mut place = 0..text.len();
        for &index in path {
            place = container.member(place, index)?;
        }
        Some(text[place].to_owned())
    }

    #[test]
    fn members_are_found_at_any_depth() {
        let text = "!llvm.struct<\"a(<,\", packed (i32, array<4 x struct<(f32, vector<2xi8>)>>, func<void (i1, ptr)>)>";
        for (path, expected) in [
            (&[][..], Some(text)),
            (&[0], Some("i32")),
            (&[1], Some("array<4 x struct<(f32, vector<2xi8>)>>")),
            (&[1, 3], Some("struct<(f32, vector<2xi8>)>")),
            (&[1, 0, 0], Some("f32")),
            (&[1, 0, 1], Some("vector<2xi8>")),
            (&[2], Some("func<void (i1, ptr)>")),
            (&[3], None),
            (&[0, 0], None),
            (&[1, 4], None),
            (&[2, 0], None),
        ] {
            assert_eq!(member(text, path).as_deref(), expected, "{path:?}");
        }
        assert_eq!(member("!llvm.array<2 x array<3 x i32>>", &[1, 2]).as_deref(), Some("i32"));
        for text in ["!llvm.struct<()>", "!llvm.struct<\"opaque\", opaque>", "i32", ">", ""] {
            assert_eq!(member(text, &[0]), None, "{text}");
        }
    }
}
