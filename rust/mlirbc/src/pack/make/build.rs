//! The files of a CMake build: `mlir_tablegen()` appends a document for each call to `tablegen_compile_commands.yml`.

use std::collections::BTreeMap;
use std::path::PathBuf;

/// The `.td` files of `tablegen_compile_commands.yml`, each with its folders for includes.
///
/// ```
/// let text = "--- !FileInfo:\n  filepath: \"/p/A.td\"\n  includes: \"/p/include;/llvm/include\"\n";
/// let files = mlirbc::pack::includes_of_build(text);
/// assert_eq!(files.len(), 1);
/// assert_eq!(files[std::path::Path::new("/p/A.td")].len(), 2);
/// ```
pub fn includes_of_build(text: &str) -> BTreeMap<PathBuf, Vec<PathBuf>> {
    let mut files: BTreeMap<PathBuf, Vec<PathBuf>> = BTreeMap::new();
    let mut current = None;
    for line in text.lines() {
        let Some((key, value)) = line.trim().split_once(':') else { continue };
        let value = value.trim().trim_matches('"');
        match key.trim() {
            "filepath" => {
                let path = PathBuf::from(value);
                files.entry(path.clone()).or_default();
                current = Some(path);
            }
            "includes" => {
                let folders = current.take().and_then(|path| files.get_mut(&path));
                let Some(folders) = folders else { continue };
                for folder in value.split(';').filter(|folder| !folder.is_empty()).map(PathBuf::from) {
                    if !folders.contains(&folder) {
                        folders.push(folder);
                    }
                }
            }
            _ => {}
        }
    }
    files
}
