//! Functions that take input also take a budget: each public function with bytes, text or a path is on a type
//! that carries limits, or creates, takes or checks limits. The exceptions below have reasons.

#![allow(missing_docs, clippy::unwrap_used)]

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use proc_macro2::{Group, TokenStream, TokenTree};
use quote::ToTokens;
use syn::visit::Visit;

/// Functions that take input without a budget, with the reasons.
const WITHOUT: &[(&str, &str)] = &[
    ("FreezeOptions::function", "sets a name"),
    ("HoistOptions::function", "sets a name"),
    ("NamedTensor::argument", "gives a tensor the name of an argument"),
    ("NamedTensor::new", "holds what the caller has in memory"),
    ("NamedTensor::with_name", "sets a name"),
    ("source_tokens", "an iterator, which keeps nothing"),
    ("Enumeration::number", "compares the names with a list"),
    ("OperationDefinitions::class", "looks a name up"),
    ("binding_arguments", "looks a name up"),
    ("binding_class", "looks a name up"),
    ("binding_definition", "looks a name up"),
    ("binding_enumerations", "looks the name of a dialect up"),
    ("binding_operations", "looks the name of a dialect up"),
    ("is_named_as_pack", "compares the end of a name"),
    (
        "load_installed_for",
        "looks the name of a dialect up; packs are read within the limits of their installation",
    ),
    ("table_of", "looks a name up"),
    ("BitcastOp::from_name", "compares the name with a list"),
    ("ByteSink::bytes", "appends what its caller holds already"),
    ("ByteSink::zero_terminated", "appends what its caller holds already"),
    ("Bytecode::read", "reads a head of at most nine sections"),
    ("Bytecode::write_header", "appends what its caller holds already"),
    ("Constraint::is_property_kind", "looks a name up"),
    ("Cursor::error", "makes a message of what its caller holds"),
    ("Cursor::new", "borrows; what is read through it is charged by its reader"),
    ("CustomForms::of_release", "looks up the name of a release"),
    ("CustomForms::unknown_of_release", "looks up the name of a release"),
    ("DialectSection::write", "appends what its caller holds already"),
    ("DialectTable::attribute", "keeps what its caller holds"),
    ("DialectTable::from_json", "reads a table that its user wrote, not a file of others"),
    ("DialectTable::from_toml", "reads a table that its user wrote, not a file of others"),
    ("DialectTable::r#type", "keeps what its caller holds"),
    ("DialectValue::field", "keeps what its caller holds"),
    ("DialectValue::get", "looks a name up"),
    ("DialectValue::new", "keeps what its caller holds"),
    ("Difference::to_html", "shows the excerpts that are kept already"),
    ("DltiAttr::parse_specification", "calls `Attribute::parse`, which has default limits"),
    ("Error::io", "makes a message of what its caller holds"),
    ("Error::message", "makes a message of what its caller holds"),
    ("Error::new", "makes a message of what its caller holds"),
    ("Error::with_hint", "makes a message of what its caller holds"),
    ("Error::with_path", "makes a message of what its caller holds"),
    ("FloatFormat::from_name", "looks a name up"),
    ("FolderInputs::below", "lists the names of files, and reads none"),
    ("check_jax_version", "looks a version up"),
    ("HostTable::from_toml", "reads a table that its user wrote, not a file of others"),
    ("JaxReaders::reader", "looks a version up"),
    ("LayoutTable::from_json", "reads a table that its user wrote, not a file of others"),
    ("LayoutTable::from_toml", "reads a table that its user wrote, not a file of others"),
    ("CostOptions::dims", "keeps what its caller holds"),
    ("CostOptions::parameters", "keeps what its caller holds"),
    ("NewOperation::attribute", "keeps what its caller holds"),
    ("NewOperation::new", "keeps what its caller holds"),
    ("OpSchema::field", "looks a name up"),
    ("OperationDefinition::attribute", "looks a name up"),
    ("OperationDefinition::has_trait", "looks a name up"),
    ("OperationDefinitions::constraint", "looks a name up"),
    ("OperationDefinitions::get", "looks a name up"),
    ("OperationDefinitions::is_included", "looks a name up"),
    ("PropertySchema::from_json", "reads a schema that its user made, not a file of others"),
    ("PropertySchema::op", "looks a name up"),
    ("PropertySchema::shipped", "looks a name up"),
    ("PropertyTable::write", "appends what its caller holds already"),
    ("Receiver::from_text", "compares the name with a list"),
    ("Release::named", "keeps what its caller holds"),
    ("ResourcePayload::write_blob", "appends what its caller holds already"),
    ("Safetensors::get", "looks a name up"),
    ("Safetensors::metadata", "looks a name up"),
    ("Safetensors::open", "reads a header of at most 100 MB, and no more than the file has"),
    ("Safetensors::parse", "keeps a fixed multiple of what its caller holds"),
    ("SignedVarInt::read", "reads one number"),
    ("Source::foreign", "keeps what its caller holds; a module read from it has a budget"),
    ("StringTable::write", "appends what its caller holds already"),
    ("TextPlace::with_line", "keeps a part of limited length of the line"),
    ("ModuleFile::new", "keeps the name of a file"),
    ("TextRelease::reason", "makes a message of what its caller holds"),
    ("TypeTable::identifier", "looks a name up"),
    ("VarInt::read", "reads one number"),
    ("content_policy", "hashes what its caller holds"),
    ("escape_markup", "escapes what its caller holds"),
    ("find_dialect", "looks a name up"),
    ("has_suffix", "compares the name with a list"),
    ("history", "looks a name up"),
    ("is_nested", "compares the path with a part"),
    ("is_special_file", "asks the system about a name"),
    ("name::build", "keeps what its caller holds"),
    ("name::field", "looks a name up"),
    ("name::from_text_entry", "keeps what its caller holds, after one look at each character"),
    ("path_around", "borrows what its caller holds"),
    ("printable", "escapes what its caller holds"),
    ("read_small", "reads at most 64 KiB"),
    ("register_identifiers", "keeps what its caller holds"),
    ("register_scope", "keeps what its caller holds"),
    ("register_specification", "keeps what its caller holds"),
    ("register_type", "keeps what its caller holds"),
    ("suggestion", "compares the name with those of the definitions"),
    ("sync_folder", "waits for files that are written, and reads none"),
    ("treemap_html", "draws what its caller holds"),
    ("treemap_svg", "draws what its caller holds"),
    ("unregister_identifiers", "looks a name up"),
    ("unregister_scope", "looks a name up"),
    ("unregister_specification", "looks a name up"),
    ("unregister_type", "looks a name up"),
    // `Attribute` and `Type`, which a macro makes.
    ("is_pack", "looks at the first bytes"),
];

/// Names in the types of parameters that are input.
const INPUT: &[&str] = &["str", "u8", "Bytes", "Source", "Path", "String"];
/// Types that limit what work may cost.
const LIMITS: &[&str] = &["Budget", "Limits"];

#[derive(Default)]
struct Sources {
    /// The names in the field types of each struct, by its file and name.
    fields: BTreeMap<(usize, String), BTreeSet<String>>,
    functions: Vec<Function>,
    /// The file that is being read.
    file: usize,
}

struct Function {
    name: String,
    file: usize,
    owner: Option<String>,
    takes: BTreeSet<String>,
    /// Everything that the signature and the body mention.
    mentions: BTreeSet<String>,
}

fn names(tokens: impl ToTokens) -> BTreeSet<String> {
    fn collect(stream: TokenStream, into: &mut BTreeSet<String>) {
        for tree in stream {
            match tree {
                TokenTree::Ident(name) => drop(into.insert(name.to_string())),
                TokenTree::Group(group) => collect(group.stream(), into),
                _ => {}
            }
        }
    }
    let mut names = BTreeSet::new();
    collect(tokens.into_token_stream(), &mut names);
    names
}

/// Expands the body of a macro once: variables become names, and repetitions are dropped.
fn expanded(stream: TokenStream) -> TokenStream {
    let is_mark = |tree: &TokenTree, marks: &str| matches!(tree, TokenTree::Punct(mark) if marks.contains(mark.as_char()));
    let mut trees = stream.into_iter().peekable();
    let mut out = Vec::new();
    while let Some(tree) = trees.next() {
        match tree {
            tree if is_mark(&tree, "$") => {
                if trees.next_if(|next| matches!(next, TokenTree::Group(_))).is_some() {
                    // A separator, and how often.
                    while trees
                        .next_if(|next| is_mark(next, ",;*+?"))
                        .is_some_and(|mark| is_mark(&mark, ",;"))
                    {}
                }
            }
            TokenTree::Group(group) => {
                out.push(Group::new(group.delimiter(), expanded(group.stream())).into());
            }
            tree => out.push(tree),
        }
    }
    out.into_iter().collect()
}

/// Whether the type may hold input: not a writable reference, a `'static` text or a single byte.
fn may_be_input(of: &syn::Type) -> bool {
    match of {
        syn::Type::Reference(reference) => {
            reference.mutability.is_none()
                && reference.lifetime.as_ref().is_none_or(|lifetime| lifetime.ident != "static")
        }
        syn::Type::Path(path) => !path.path.is_ident("u8"),
        _ => true,
    }
}

impl Sources {
    fn function(
        &mut self,
        owner: Option<&str>,
        vis: &syn::Visibility,
        sig: &syn::Signature,
        body: &syn::Block,
    ) {
        if !matches!(vis, syn::Visibility::Public(_)) {
            return;
        }
        let inputs = sig.inputs.iter().filter_map(|input| match input {
            syn::FnArg::Typed(typed) if may_be_input(&typed.ty) => Some(names(&typed.ty)),
            _ => None,
        });
        let takes = inputs.flatten().collect();
        let mut mentions = names(sig);
        mentions.extend(names(body));
        let name = sig.ident.to_string();
        let name = owner.map_or(name.clone(), |owner| format!("{owner}::{name}"));
        self.functions.push(Function {
            name,
            file: self.file,
            owner: owner.map(str::to_owned),
            takes,
            mentions,
        });
    }

    /// Returns the types with limits in their fields, directly or through other types.
    fn limited(&self) -> BTreeSet<(usize, String)> {
        let mut limited = BTreeSet::new();
        loop {
            let is_new = |row: &&(usize, String)| !limited.contains(*row);
            let more: Vec<_> = self
                .fields
                .keys()
                .filter(is_new)
                .filter(|row| self.fields[*row].iter().any(|name| self.is_limited(&limited, row.0, name)))
                .cloned()
                .collect();
            if more.is_empty() {
                return limited;
            }
            limited.extend(more);
        }
    }

    /// Whether a name in a file is a limited type: the type of that file, otherwise a type of any other file.
    fn is_limited(&self, known: &BTreeSet<(usize, String)>, file: usize, name: &str) -> bool {
        let key = (file, name.to_owned());
        LIMITS.contains(&name)
            || match self.fields.contains_key(&key) {
                true => known.contains(&key),
                false => known.iter().any(|(_, other)| other == name),
            }
    }

    fn without_budget(&self) -> BTreeSet<String> {
        let limited = self.limited();
        let is_charged = |function: &Function| {
            let mut names = function.owner.iter().chain(&function.mentions);
            names.any(|name| self.is_limited(&limited, function.file, name))
                || function.mentions.contains("budget")
        };
        let takes_input = |function: &&Function| INPUT.iter().any(|name| function.takes.contains(*name));
        self.functions.iter().filter(takes_input).filter(|f| !is_charged(f)).map(|f| f.name.clone()).collect()
    }
}

fn is_test(attributes: &[syn::Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        let names = names(&attribute.meta);
        names.contains("cfg") && names.contains("test")
    })
}

impl<'ast> Visit<'ast> for Sources {
    fn visit_item_struct(&mut self, item: &'ast syn::ItemStruct) {
        self.fields.entry((self.file, item.ident.to_string())).or_default().extend(names(&item.fields));
    }

    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        self.function(None, &item.vis, &item.sig, &item.block);
    }

    fn visit_item_impl(&mut self, item: &'ast syn::ItemImpl) {
        let owner = match &*item.self_ty {
            syn::Type::Path(path) => path.path.segments.last().map(|segment| segment.ident.to_string()),
            _ => None,
        };
        for inner in &item.items {
            if let syn::ImplItem::Fn(method) = inner {
                self.function(owner.as_deref(), &method.vis, &method.sig, &method.block);
            }
        }
    }

    // Functions that a macro makes are in its expansion; variables of the macro stand for names.
    fn visit_item_macro(&mut self, item: &'ast syn::ItemMacro) {
        for tree in item.mac.tokens.clone() {
            if let TokenTree::Group(body) = tree
                && let Ok(file) = syn::parse2::<syn::File>(expanded(body.stream()))
            {
                self.visit_file(&file);
            }
        }
    }

    fn visit_item_mod(&mut self, item: &'ast syn::ItemMod) {
        if !is_test(&item.attrs) {
            syn::visit::visit_item_mod(self, item);
        }
    }
}

fn read(folder: &Path, into: &mut Sources) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            read(&path, into);
        // Makers of test files are not part of the crate as it is released.
        } else if path.extension().is_some_and(|end| end == "rs")
            && !path.components().any(|part| part.as_os_str() == "smith")
        {
            let text = std::fs::read_to_string(&path).unwrap();
            into.file += 1;
            into.visit_file(&syn::parse_file(&text).unwrap());
        }
    }
}

#[test]
fn input_comes_with_a_budget() {
    let mut sources = Sources::default();
    read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut sources);
    assert!(sources.functions.len() > 300, "{} functions were found", sources.functions.len());
    let without = sources.without_budget();
    let exceptions: BTreeSet<String> = WITHOUT.iter().map(|(name, _)| (*name).to_owned()).collect();
    let new: Vec<_> = without.difference(&exceptions).collect();
    assert!(new.is_empty(), "these take input and no budget: {new:?}");
    let stale: Vec<_> = exceptions.difference(&without).collect();
    assert!(stale.is_empty(), "these need no exception: {stale:?}");
}

#[test]
fn a_function_without_a_budget_is_found() {
    let mut sources = Sources::default();
    let text = "
        pub struct Limited { inner: Inner }
        struct Inner { budget: Budget }
        pub struct Free;
        impl Limited { pub fn parse(&self, text: &str) {} }
        impl Free { pub fn parse(text: &str) {} fn private(text: &str) {} pub fn count(&self) {} }
        pub fn checked(text: &[u8]) { let budget = Limits::default(); }
        #[cfg(test)] mod tests { pub fn helper(text: &str) {} }
        macro_rules! made { ($name:ident) => { impl $name { pub fn parse(text: &str) {} } }; }
    ";
    sources.visit_file(&syn::parse_str(text).unwrap());
    assert_eq!(sources.without_budget().into_iter().collect::<Vec<_>>(), ["Free::parse", "name::parse"]);
}
