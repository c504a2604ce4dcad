//! The files of a CMake build: `mlir_tablegen()` appends a document for each call to `tablegen_compile_commands.yml`.

use std::collections::BTreeMap;
use std::path::PathBuf;

use crate::wire::error::Result;
use crate::wire::limits::Limits;

/// The `.td` files of `tablegen_compile_commands.yml`, each with its folders for includes.
///
/// ```
/// let text = "--- !FileInfo:\n  filepath: \"/p/A.td\"\n  includes: \"/p/include;/llvm/include\"\n";
/// let files = mlirbc::pack::includes_of_build(text, &mlirbc::Limits::default())?;
/// assert_eq!(files.len(), 1);
/// assert_eq!(files[std::path::Path::new("/p/A.td")].len(), 2);
/// # Ok::<(), mlirbc::Error>(())
/// ```
///
/// # Errors
/// [`ErrorKind::MemoryLimit`](crate::ErrorKind::MemoryLimit) if there are more files and folders than the limits allow.
#[doc(hidden)]
pub fn includes_of_build(text: &str, limits: &Limits) -> Result<BTreeMap<PathBuf, Vec<PathBuf>>> {
    let budget = limits.table_budget(text.len() as u64);
    let mut files: BTreeMap<PathBuf, Vec<PathBuf>> = BTreeMap::new();
    let mut current = None;
    for line in text.lines() {
        let Some((key, value)) = line.trim().split_once(':') else { continue };
        let value = value.trim().trim_matches('"');
        match key.trim() {
            "filepath" => {
                budget.spend(value.len() + size_of::<PathBuf>())?;
                let path = PathBuf::from(value);
                files.entry(path.clone()).or_default();
                current = Some(path);
            }
            "includes" => {
                let folders = current.take().and_then(|path| files.get_mut(&path));
                let Some(folders) = folders else { continue };
                for folder in value.split(';').filter(|folder| !folder.is_empty()).map(PathBuf::from) {
                    if !folders.contains(&folder) {
                        budget.spend(folder.as_os_str().len() + size_of::<PathBuf>())?;
                        folders.push(folder);
                    }
                }
            }
            _ => {}
        }
    }
    Ok(files)
}
