//! Checks that edited resources have the size that the types of their attributes require.
//!
//! MLIR compares the sizes only when it reads the elements, so its reader, verifier and printer accept a
//! resource of any size. The editor rejects a different size when the resource is set, and when the module is
//! verified, unless the caller allowed it.

use std::collections::HashMap;

use crate::attr::brief;
use crate::attr::text::dense;
use crate::dialect::entries::{Entries, EntryRef};
use crate::dialect::node::{Field, Node};
use crate::dialect::table::BuiltinKind;
use crate::format::id::AttrId;
use crate::wire::bytes::open_regular;
use crate::wire::error::{Error, ErrorKind, Result};
use crate::wire::order::sort_by;
use crate::wire::steps;

use super::{Editor, ResourceContent};

/// The attributes that refer to resources, by resource number; collected on first use.
#[derive(Debug, Default, Clone)]
pub(crate) struct Users {
    attributes: HashMap<u32, Vec<u32>>,
    /// The number of examined attributes.
    seen: u32,
}

const USER_BYTES: usize = 64;

impl Editor {
    /// Checks the size of new content of a resource, and records that it was edited.
    pub(crate) fn admit_size(&mut self, index: u32, content: &ResourceContent, resizes: bool) -> Result<()> {
        if resizes {
            self.resources.resized.insert(index);
        } else {
            self.check_size(index, content)?;
            self.resources.resized.remove(&index);
        }
        self.tables.edited_key(index);
        Ok(())
    }

    /// Checks the sizes of all resources that were set.
    ///
    /// # Errors
    /// [`ErrorKind::ResourceSize`], and if a file can no longer be read.
    pub(crate) fn check_sizes(&mut self) -> Result<()> {
        let mut set = Vec::new();
        for (&row, content) in &self.resources.replaced {
            if let (Some(index), Some(content)) = (self.key_of_row(row)?, content) {
                set.push((index, content.clone()));
            }
        }
        set.extend(self.resources.dialect.iter().map(|(&index, content)| (index, content.clone())));
        sort_by(&mut set, |a, b| a.0.cmp(&b.0));
        for (index, content) in set {
            if !self.resources.resized.contains(&index) {
                self.check_size(index, &content)?;
            }
        }
        Ok(())
    }

    fn check_size(&mut self, index: u32, content: &ResourceContent) -> Result<()> {
        let Some(size) = size_of(content)? else { return Ok(()) };
        self.find_users()?;
        let Some(users) = self.resources.users.attributes.get(&index) else { return Ok(()) };
        let view = self.tables.view()?;
        let mut first_expected = None;
        let mut node = Node::default();
        for &user in users {
            let attribute = EntryRef::Attribute(AttrId::new(user));
            let Some(entry) = view.raw(attribute) else { continue };
            // The entry may have been replaced in the meantime.
            if !matches!(entry.decode(attribute, &view, &mut node), Ok(Some((form, _))) if is_user(form.builtin))
            {
                continue;
            }
            let Some(r#type) = node.r#type(0) else { continue };
            match dense::resource_sizes(&view, r#type) {
                // Elements of unknown width cannot be checked.
                None => return Ok(()),
                Some(sizes) if sizes.contains(&size) => return Ok(()),
                Some(sizes) => first_expected = first_expected.or(sizes.first().map(|&size| (size, r#type))),
            }
        }
        let Some((expected_size, r#type)) = first_expected else { return Ok(()) };
        let key = String::from_utf8_lossy(view.resource_key(index)).into_owned();
        let r#type = brief(&self.tables.value(EntryRef::Type(r#type))?);
        let message =
            format!("resource `{key}` has `{size}` bytes, but `{}` requires `{expected_size}`", r#type);
        Err(Error::message(ErrorKind::ResourceSize, message))
    }

    fn find_users(&mut self) -> Result<()> {
        let view = self.tables.view()?;
        let count = view.bounds().attributes;
        let users = &mut self.resources.users;
        if users.seen > count {
            *users = Users::default();
        }
        let mut node = Node::default();
        for index in users.seen..count {
            steps::count(1);
            let attribute = EntryRef::Attribute(AttrId::new(index));
            let Some(entry) = view.raw(attribute).filter(|entry| !entry.is_text) else { continue };
            if !matches!(entry.form(attribute), Ok(Some(form)) if is_user(form.builtin)) {
                continue;
            }
            if let Ok(Some(_)) = entry.decode(attribute, &view, &mut node)
                && let Field::Resource(resource) = node.field(1)
            {
                self.tables.budget.spend(USER_BYTES)?;
                users.attributes.entry(resource).or_default().push(index);
            }
        }
        users.seen = count;
        Ok(())
    }
}

fn is_user(kind: BuiltinKind) -> bool {
    kind == BuiltinKind::DenseResourceElementsAttr
}

/// Returns the size of a blob.
fn size_of(content: &ResourceContent) -> Result<Option<u64>> {
    Ok(match content {
        ResourceContent::Blob { bytes, .. } => Some(bytes.len() as u64),
        ResourceContent::File { range: Some(range), .. } => Some(range.end.saturating_sub(range.start)),
        ResourceContent::File { path, .. } => {
            let failed = |error| Error::io(format!("cannot read `{}`", path.display()), error);
            Some(open_regular(path).map_err(failed)?.1.len())
        }
        ResourceContent::Bool(_) | ResourceContent::String(_) => None,
    })
}
