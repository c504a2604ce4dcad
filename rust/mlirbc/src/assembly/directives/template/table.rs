//! The shipped templates.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock};

use super::Template;

const TABLE: &str = include_str!("../../../../data/assembly/directives.tsv");

/// The rows by the dialect, which may be `*`, and the name.
static ROWS: LazyLock<HashMap<(&str, &str), Arc<Template>>> = LazyLock::new(|| {
    let mut rows = HashMap::new();
    for line in TABLE.lines().filter(|line| !line.starts_with('#')) {
        let mut columns = line.split('\t');
        let (Some(dialects), Some(names), Some(text)) = (columns.next(), columns.next(), columns.next())
        else {
            continue;
        };
        let Ok(template) = Template::parse(text).map(Arc::new) else { continue };
        for dialect in dialects.split(' ') {
            rows.extend(names.split(' ').map(|name| ((dialect, name), template.clone())));
        }
    }
    rows
});

/// The template with this name; a name with a slash is the name of directives with so many arguments.
pub(in crate::assembly::directives) fn of_dialect(
    dialect: &str,
    name: &str,
    arguments: usize,
) -> Option<Arc<Template>> {
    let counted = format!("{name}/{arguments}");
    ROWS.get(&(dialect, name)).or_else(|| ROWS.get(&(dialect, &*counted))).cloned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ops::{FormatElement, OperationDefinitions};

    fn names_in<'e>(elements: &'e [FormatElement], found: &mut Vec<(&'e str, usize)>) {
        for element in elements {
            match element {
                FormatElement::Custom(name, arguments) => found.push((name, arguments.len())),
                FormatElement::Group { then, otherwise, .. } => {
                    names_in(then, found);
                    names_in(otherwise, found);
                }
                FormatElement::OrderIndependent(clauses) => {
                    clauses.iter().for_each(|clause| names_in(clause, found));
                }
                _ => {}
            }
        }
    }

    #[test]
    fn every_row_is_a_template_that_a_format_uses() {
        let mut is_used: HashMap<(&str, &str), bool> = HashMap::new();
        for line in TABLE.lines().filter(|line| !line.starts_with('#')) {
            let columns: Vec<&str> = line.split('\t').collect();
            let [dialects, names, text] = columns[..] else { panic!("{line}") };
            Template::parse(text).unwrap_or_else(|error| panic!("{line}: {error}"));
            for name in names.split(' ') {
                is_used.insert((dialects, name), false);
            }
        }
        for release in OperationDefinitions::releases() {
            let definitions = OperationDefinitions::of(release).unwrap();
            for operation in definitions.names() {
                let definition = definitions.get(operation).unwrap();
                let dialect = operation.split('.').next().unwrap();
                let mut found = Vec::new();
                names_in(definition.assembly().unwrap_or_default(), &mut found);
                for (name, arguments) in found {
                    let counted = format!("{name}/{arguments}");
                    for ((dialects, own), used) in &mut is_used {
                        let is_of = *dialects == "*" || dialects.split(' ').any(|one| one == dialect);
                        *used |= is_of && (*own == name || *own == counted);
                    }
                }
            }
        }
        let unused: Vec<_> = is_used.iter().filter(|(_, used)| !**used).collect();
        assert!(unused.is_empty(), "{unused:?}");
    }
}
