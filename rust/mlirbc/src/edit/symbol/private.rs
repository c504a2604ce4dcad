//! Canonical names of private symbols, for comparisons up to names.
//!
//! Owns [`Editor::rename_private_symbols`]. The references are renamed by `rename`, one pass for all symbol tables at
//! the same depth. Symbols that are declared without a definition keep their names, because the definition in another
//! module has the name, too.

use crate::edit::Editor;
use crate::edit::arena::{ArenaOp, ROOT, WalkStep, Walker};
use crate::wire::error::Result;

use super::rename::Chain;
use super::scope::SymbolCache;

/// The attribute with the visibility of a symbol.
const SYM_VISIBILITY: &[u8] = b"sym_visibility";

/// A symbol table: the operation and its number of enclosing operations.
type TableAtDepth = (usize, ArenaOp);

/// A symbol with its old and its new name.
type RenamedSymbol = (ArenaOp, Vec<u8>, Vec<u8>);

impl Editor {
    /// Gives private symbols with a definition the names `private_0`, `private_1` and so on, in the order of their symbol
    /// table, in definitions and references. Two modules that differ only in the names of such symbols become equal.
    /// Returns the number of renamed symbols.
    ///
    /// # Errors
    /// As [`Self::rename_symbol`].
    ///
    /// ```
    /// use mlirbc::{Module, edit::Editor};
    /// let text = "func.func private @a() { return }\nfunc.func @b() { call @a() : () -> ()\n return }";
    /// let mut editor = Editor::new(Module::parse(text)?)?;
    /// assert_eq!(editor.rename_private_symbols()?, 1);
    /// assert!(editor.symbol("private_0")?.is_some() && editor.symbol("a")?.is_none());
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    #[doc(hidden)]
    pub fn rename_private_symbols(&mut self) -> Result<u64> {
        self.encode_drafts()?;
        self.load_everything()?;
        let mut renamed = 0;
        let mut tables = self.tables_by_depth()?.into_iter().peekable();
        while let Some((depth, first)) = tables.next() {
            let mut same_depth = vec![first];
            while let Some((_, table)) = tables.next_if(|(other, _)| *other == depth) {
                same_depth.push(table);
            }
            renamed += self.rename_private_symbols_of(&same_depth)?;
        }
        Ok(renamed)
    }

    /// The symbol tables, from the outermost to the innermost.
    fn tables_by_depth(&self) -> Result<Vec<TableAtDepth>> {
        let mut cache = SymbolCache::default();
        let mut tables = vec![(0, ROOT)];
        let mut depth = 0_usize;
        let mut walker = Walker::inside(ROOT);
        while let Some(step) = walker.next(&self.arena) {
            match step {
                WalkStep::Enter(op) => {
                    depth += 1;
                    if self.is_table(op, &mut cache)? {
                        tables.push((depth, op));
                    }
                }
                WalkStep::Leave(_) => depth = depth.saturating_sub(1),
                _ => {}
            }
        }
        tables.sort_by_key(|(depth, _)| *depth);
        Ok(tables)
    }

    fn rename_private_symbols_of(&mut self, tables: &[ArenaOp]) -> Result<u64> {
        let mut cache = SymbolCache::default();
        let mut definitions: Vec<(ArenaOp, Vec<u8>)> = Vec::new();
        let mut chain: Chain = Vec::new();
        for &table in tables {
            let names = self.canonical_names(table, &mut cache)?;
            let mut of_table: Chain = Vec::new();
            for (op, old, new) in names {
                // The paths of symbols of one table differ only in the last name.
                if of_table.is_empty() {
                    of_table = self.chain(op, (&old, &new), &mut cache)?;
                    chain.extend(of_table.iter().cloned());
                } else {
                    chain.extend(of_table.iter().cloned().map(|(around, (mut path, _))| {
                        path.pop();
                        path.push(old.clone());
                        (around, (path, new.clone()))
                    }));
                }
                definitions.push((op, new));
            }
        }
        let definitions: Vec<(ArenaOp, &[u8])> = definitions.iter().map(|(op, new)| (*op, &**new)).collect();
        if !definitions.is_empty() {
            self.rename_all(chain, &definitions, b"private", &mut cache)?;
        }
        Ok(definitions.len() as u64)
    }

    /// The private symbols of a table whose names change, with their old and new names.
    fn canonical_names(&self, table: ArenaOp, cache: &mut SymbolCache) -> Result<Vec<RenamedSymbol>> {
        let Some(block) = self.first_block(table) else { return Ok(Vec::new()) };
        let (mut private, mut others) = (Vec::new(), Vec::new());
        for op in self.arena.ops_of(block) {
            let Some(name) = self.symbol_of(op, cache)? else { continue };
            match self.is_private_definition(op)? {
                true => private.push((op, name)),
                false => others.push(name),
            }
        }
        let prefix = free_prefix(&others);
        let name_of = |number: usize| format!("{prefix}{number}").into_bytes();
        let named = private.into_iter().enumerate().map(|(number, (op, old))| (op, old, name_of(number)));
        Ok(named.filter(|(_, old, new)| old != new).collect())
    }

    fn is_private_definition(&self, op: ArenaOp) -> Result<bool> {
        let visibility = self.string_of_parts(self.parts_key(op), SYM_VISIBILITY)?;
        Ok(visibility.as_deref() == Some(b"private") && self.declares(op)? != Some(true))
    }
}

/// The beginning of canonical names: `private_`, unless another symbol of the table begins with it.
fn free_prefix(others: &[Vec<u8>]) -> String {
    let mut prefix = "private_".to_owned();
    while others.iter().any(|name| name.starts_with(prefix.as_bytes())) {
        prefix.push('_');
    }
    prefix
}

#[cfg(test)]
mod tests {
    use crate::ir::Module;
    use crate::tool::{DiffOptions, Difference, HashOptions, content_key};

    fn key(text: &str) -> String {
        let module = Module::parse(text).unwrap();
        content_key(&module, HashOptions::default().rename_private(true)).unwrap()
    }

    fn are_equal(first: &str, second: &str) -> bool {
        let (before, after) = (Module::parse(first).unwrap(), Module::parse(second).unwrap());
        let difference =
            Difference::of(&before, &after, &DiffOptions::default().rename_private(true)).unwrap();
        assert_eq!(difference.equal, key(first) == key(second), "{first}\n{second}");
        difference.equal
    }

    fn functions(first: &str, second: &str) -> String {
        format!(
            "func.func private @{first}() -> i32 {{ %c = arith.constant 1 : i32\n return %c : i32 }}
             func.func private @{second}() -> i32 {{ %c = call @{first}() : () -> i32\n return %c : i32 }}
             func.func @main() -> i32 {{
               %c = call @{second}() {{uses = [@{first}, @{second}]}} : () -> i32
               return %c : i32
             }}"
        )
    }

    #[test]
    fn private_names_do_not_count() {
        let text = functions("a", "b");
        assert!(are_equal(&text, &functions("x", "y")));
        // Names that are exchanged, and canonical names in another order.
        assert!(are_equal(&text, &functions("b", "a")));
        assert!(are_equal(&text, &functions("private_1", "private_0")));
        assert!(!are_equal(&text, &text.replace("call @b()", "call @a()")));
        assert!(!are_equal(&text, &text.replace("constant 1", "constant 2")));
        assert!(!are_equal(&text, &text.replace("@main", "@other")));
        assert_ne!(key(&text), content_key(&Module::parse(&text).unwrap(), HashOptions::default()).unwrap());
    }

    #[test]
    fn declarations_and_public_symbols_keep_their_names() {
        let call = |name: &str| {
            format!("func.func private @{name}()\nfunc.func @main() {{ call @{name}() : () -> ()\n return }}")
        };
        assert!(!are_equal(&call("sin"), &call("cos")));
        let nested = functions("a", "b").replace("private @a", "nested @a");
        assert!(!nested.contains("nested") || !are_equal(&functions("a", "b"), &nested));
        // A public symbol with a canonical name is no other symbol.
        let taken = functions("a", "b").replace("@main", "@private_0");
        assert!(are_equal(&taken, &functions("c", "d").replace("@main", "@private_0")));
    }

    #[test]
    fn nested_symbol_tables_are_renamed_with_their_paths() {
        let text = |module: &str, kernel: &str| {
            format!(
                "module @{module} attributes {{sym_visibility = \"private\"}} {{
                   func.func private @{kernel}() {{ return }}
                   func.func @run() {{ call @{kernel}() : () -> ()\n return }}
                 }}
                 \"t.use\"() {{first = @{module}::@{kernel}, second = @{module}::@run}} : () -> ()"
            )
        };
        assert!(are_equal(&text("outer", "inner"), &text("a", "b")));
        assert!(are_equal(&text("outer", "inner"), &text("inner", "outer")));
        let other = text("outer", "inner").replace("first = @outer::@inner", "first = @outer::@run");
        assert!(!are_equal(&text("outer", "inner"), &other));
    }
}
