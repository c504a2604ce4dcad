//! The resources after the operations of a module.

use super::OpPrinter;
use crate::attr::text::escape;
use crate::attr::text::out::Out;
use crate::file::resource::ResourceValue;
use crate::format::resource::ResourceOwner;
use crate::release::Llvm;
use crate::wire::error::Result;

impl<'m> OpPrinter<'m, '_> {
    pub(super) fn resources(&mut self, out: &mut Out<'_>) -> Result<()> {
        let mut groups = ResourceGroups { is_open: false, section: None, group: None };
        let referenced = std::mem::take(&mut self.entries.resources);
        let directory: Vec<_> = self.module.resources()?.collect();
        let of_dialects: Vec<_> =
            directory.iter().filter(|r| matches!(r.entry.owner, ResourceOwner::Dialect(_))).collect();
        for index in referenced {
            let Some(resource) = of_dialects.get(index as usize) else { continue };
            if resource.has_data() && !out.has_failed() {
                self.resource(out, &mut groups, "dialect", resource)?;
            }
        }
        for resource in directory.iter().filter(|resource| resource.is_external()) {
            if !out.has_failed() {
                self.resource(out, &mut groups, "external", resource)?;
            }
        }
        groups.finish(out);
        Ok(())
    }

    fn resource(
        &self,
        out: &mut Out<'_>,
        groups: &mut ResourceGroups<'m>,
        section: &'static str,
        resource: &crate::file::resource::Resource<'m>,
    ) -> Result<()> {
        let Some(value) = resource.value()? else { return Ok(()) };
        if !std::mem::replace(&mut groups.is_open, true) {
            out.text("\n{-#\n");
        }
        if self.options.elide_resources_larger.is_some_and(|limit| is_larger(&value, limit)) {
            return Ok(());
        }
        groups.begin(out, section, resource.group(), self.style);
        out.text("      ");
        if self.style.quotes_resource_keys() {
            escape::write_keyword_or_string(&mut out.buffer, resource.key());
        } else {
            escape::write_plain_or_string(&mut out.buffer, resource.key());
        }
        out.text(": ");
        match value {
            ResourceValue::Bool(value) => out.text(if value { "true" } else { "false" }),
            ResourceValue::String(text) => {
                escape::write_string(&mut out.buffer, text);
            }
            ResourceValue::Blob { bytes, alignment, .. } => {
                out.text("\"0x");
                out.hex(&(alignment as u32).to_le_bytes());
                out.hex(&bytes);
                out.text("\"");
            }
        }
        out.flush_if_large();
        Ok(())
    }
}

/// Returns whether the text of a resource has more characters than the limit.
fn is_larger(value: &ResourceValue<'_>, limit: u64) -> bool {
    let characters = match value {
        ResourceValue::Bool(true) => "true".len(),
        ResourceValue::Bool(false) => "false".len(),
        ResourceValue::String(text) => {
            let mut escaped = Vec::new();
            escape::write_string(&mut escaped, text);
            escaped.len()
        }
        // The text has alignment and data in hexadecimal, after `0x` and in quotes.
        ResourceValue::Blob { bytes, .. } => 4 + 2 * (4 + bytes.len()),
    };
    characters as u64 > limit
}

/// The position of the next resource in the metadata of the file.
struct ResourceGroups<'m> {
    is_open: bool,
    section: Option<&'static str>,
    group: Option<&'m [u8]>,
}

impl<'m> ResourceGroups<'m> {
    fn begin(&mut self, out: &mut Out<'_>, section: &'static str, group: &'m [u8], style: Llvm) {
        if self.section == Some(section) && self.group == Some(group) {
            return out.text(",\n");
        }
        if self.group.is_some() {
            out.text("\n    }");
        }
        let comma = if style.separates_resources() { ",\n" } else { "" };
        if self.section == Some(section) {
            out.text(comma);
        } else {
            if self.section.is_some() {
                out.text("\n  }");
                out.text(comma);
            }
            out.text("  ");
            out.text(section);
            out.text("_resources: {\n");
        }
        self.section = Some(section);
        self.group = Some(group);
        out.text("    ");
        escape::write_plain_or_string(&mut out.buffer, group);
        out.text(": {\n");
    }

    fn finish(&self, out: &mut Out<'_>) {
        if self.group.is_some() {
            out.text("\n    }");
        }
        if self.section.is_some() {
            out.text("\n  }");
        }
        if self.is_open {
            out.text("\n#-}\n");
        }
    }
}
