//! Writes a method of `Llvm` for each row `[gate.NAME]` and `[choice.NAME]` of `data/releases.toml`. A gate that the code
//! does not ask is dead code, which `clippy` reports.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use toml::{Table, Value};

use super::Result;

/// Removes the gates from the table and writes their methods.
pub(super) fn take(table: &mut Table, out: &Path) -> Result<()> {
    let mut methods = String::new();
    for (name, row) in rows(table.remove("gate"))? {
        let body = match (number(&row, "since"), number(&row, "before")) {
            (Some(first), None) => format!("self.0 >= {first}"),
            (None, Some(end)) => format!("self.0 < {end}"),
            _ => return Err(format!("the gate `{name}` needs `since` or `before`").into()),
        };
        method(&mut methods, &name, &row, "bool", &body)?;
    }
    for (name, row) in rows(table.remove("choice"))? {
        let body = choice(&row).ok_or_else(|| format!("`values` of `{name}` are versions and texts"))?;
        method(&mut methods, &name, &row, "&'static str", &body)?;
    }
    Ok(fs::write(out.join("gates.rs"), format!("impl Llvm {{\n{methods}}}\n"))?)
}

fn rows(table: Option<Value>) -> Result<Table> {
    match table {
        Some(Value::Table(table)) => Ok(table),
        _ => Err("`gate` and `choice` are tables".into()),
    }
}

fn number(row: &Value, key: &str) -> Option<i64> {
    row.get(key)?.as_integer()
}

/// The branches of a `match`, the newest version first.
fn choice(row: &Value) -> Option<String> {
    let mut arms = String::new();
    for pair in row.get("values")?.as_array()?.iter().rev() {
        let (first, value) = (pair.get(0)?.as_integer()?, pair.get(1)?.as_str()?);
        write!(arms, "{first}.. => {value:?}, ").ok()?;
    }
    Some(format!("match self.0 {{ {arms}}}"))
}

fn method(methods: &mut String, name: &str, row: &Value, returned: &str, body: &str) -> Result<()> {
    let about = row.get("about").and_then(Value::as_str).ok_or_else(|| format!("`{name}` has no `about`"))?;
    for line in about.lines() {
        writeln!(methods, "    /// {line}")?;
    }
    if row.get("is_for_tests").and_then(Value::as_bool).unwrap_or_default() {
        writeln!(methods, "    #[cfg(feature = \"arbitrary\")]")?;
    }
    writeln!(methods, "    pub(crate) const fn {name}(self) -> {returned} {{\n        {body}\n    }}\n")?;
    Ok(())
}
