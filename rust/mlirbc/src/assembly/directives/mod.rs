//! Directives of formats (`custom<…>`), by their names in MLIR: templates, and functions for directives that compute.

mod steps;

/// The directives of a dialect: the names, and the function that writes and reads each. Directives that end with a region follow a
/// semicolon. The functions after another one are called again after each region, as forms are.
macro_rules! directives {
    (
        $($id:ident: $name:pat => $form:path),* $(,)?
        $(; $($last:ident: $last_name:pat => $region:path),* $(,)?
            $(; $($phased:ident: $of:pat => $phases:path),* $(,)?)?
        )?
    ) => {
        /// A directive of the dialect.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        #[allow(clippy::enum_variant_names, reason = "MLIR names the directives")]
        pub(crate) enum Directive {
            $($id,)*
            $($($last,)* $($($phased,)*)?)?
        }

        impl Directive {
            pub(super) fn of(name: &str) -> Option<Self> {
                Some(match name {
                    $($name => Self::$id,)*
                    $($($last_name => Self::$last,)* $($($of => Self::$phased,)*)?)?
                    _ => return None,
                })
            }

            #[allow(unused_variables, reason = "most directives have one phase")]
            pub(super) fn run<S: $crate::assembly::DirectiveSyntax>(
                self,
                s: &mut S,
                call: S::Call<'_>,
                phase: u32,
            ) -> $crate::assembly::Flow<S> {
                match self {
                    $(Self::$id => $form(s, call).map(|()| $crate::assembly::Progress::Done),)*
                    $(
                        $(Self::$last if phase == 0 => $region(s, call),)*
                        $(Self::$last => Ok($crate::assembly::Progress::Done),)*
                        $($(Self::$phased => $phases(s, call, phase),)*)?
                    )?
                }
            }
        }
    };
}

/// The groups of dialects that have directives; after a semicolon, directives of any dialect.
macro_rules! dialects {
    (
        $($id:ident: $name:pat => $module:ident),* $(,)?
        ; $($shared:ident: $file:ident),* $(,)?
    ) => {
        /// A directive that code writes and reads.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(crate) enum CodeDirective {
            $($id($module::Directive),)*
            $($shared($file::Directive),)*
        }

        impl CodeDirective {
            /// The directive of a dialect.
            fn of_dialect(dialect: &str, name: &str) -> Option<Self> {
                match dialect {
                    $($name => $module::Directive::of(name).map(Self::$id),)*
                    _ => None,
                }
            }

            /// The directive with this name that belongs to no dialect.
            fn of_any(name: &str) -> Option<Self> {
                None$(.or_else(|| $file::Directive::of(name).map(Self::$shared)))*
            }

            /// The files that have a directive with this name that belongs to no dialect.
            #[cfg(test)]
            fn files_of(name: &str) -> Vec<&'static str> {
                let mut files = Vec::new();
                $(files.extend($file::Directive::of(name).map(|_| stringify!($file)));)*
                files
            }

            /// The sources of the files whose directives belong to no dialect.
            #[cfg(test)]
            fn general_sources() -> Vec<&'static str> {
                vec![$(include_str!(concat!(stringify!($file), ".rs"))),*]
            }

            fn run<S: super::DirectiveSyntax>(
                self,
                s: &mut S,
                call: S::Call<'_>,
                phase: u32,
            ) -> super::Flow<S> {
                match self {
                    $(Self::$id(directive) => directive.run(s, call, phase),)*
                    $(Self::$shared(directive) => directive.run(s, call, phase),)*
                }
            }
        }
    };
}

use crate::ops::OperationDefinition;

use template::Template;

mod acc;
mod attributed_values;
mod attributes;
mod branches;
mod calls;
mod carried_arguments;
mod case_regions;
mod case_texts;
mod classes;
mod derived_types;
mod emitc;
mod fields;
mod functions;
mod handlers;
mod implied_names;
mod implied_types;
mod indices;
mod irdl;
mod iree;
mod iree_codegen;
mod lists;
mod llvm;
mod loops;
mod map_flags;
mod maps;
mod members;
mod named_operands;
mod omp;
mod omp_regions;
mod parameter_words;
mod pcf;
mod pointers;
mod ports;
mod references;
mod regions;
mod sdy;
mod short_forms;
mod signatures;
mod smt;
mod sparse_tensor;
mod spirv;
mod stablehlo;
mod stream;
mod stream_regions;
mod switches;
mod template;
mod tied_results;
mod tosa;
mod transform;
mod types;
mod values;
mod vector;
mod wasmssa;

pub(crate) use case_texts::{case_in, is_of_case};
pub(crate) use smt::signed_digits;

dialects! {
    Acc: "acc" => acc,
    Emitc: "emitc" => emitc,
    Iree: "flow" | "hal" | "hal_inline" | "io_parameters" | "stream" | "util" | "vm" => iree,
    IreeCodegen: "iree_codegen" | "iree_gpu" => iree_codegen,
    Irdl: "irdl" => irdl,
    Llvm: "llvm" => llvm,
    Omp: "omp" => omp,
    Pcf: "pcf" => pcf,
    Sdy: "mpmd" | "sdy" => sdy,
    Smt: "smt" => smt,
    SparseTensor: "sparse_tensor" => sparse_tensor,
    Spirv: "spirv" => spirv,
    Stablehlo: "chlo" | "stablehlo" => stablehlo,
    Tosa: "tosa" => tosa,
    Transform: "transform" => transform,
    Vector: "vector" => vector,
    Wasmssa: "wasmssa" => wasmssa;
    AttributedValues: attributed_values,
    Attributes: attributes,
    Branches: branches,
    Calls: calls,
    CarriedArguments: carried_arguments,
    CaseRegions: case_regions,
    Classes: classes,
    DerivedTypes: derived_types,
    Fields: fields,
    Functions: functions,
    Handlers: handlers,
    ImpliedNames: implied_names,
    ImpliedTypes: implied_types,
    Indices: indices,
    Lists: lists,
    Loops: loops,
    Members: members,
    NamedOperands: named_operands,
    ParameterWords: parameter_words,
    Pointers: pointers,
    Ports: ports,
    References: references,
    Regions: regions,
    ShortForms: short_forms,
    Signatures: signatures,
    Switches: switches,
    Types: types,
    Values: values,
}

/// Checks the template of a directive that a pack brings.
///
/// # Errors
/// The reason why the template is refused.
pub(crate) fn check_template(text: &str) -> Result<(), String> {
    Template::parse(text).map(drop)
}

/// The syntax of `custom<Name>(…)`.
#[derive(Debug)]
pub(crate) enum Directive {
    Code(CodeDirective),
    Template(Box<Template>),
}

impl Directive {
    /// The directive with this name and so many arguments in the format of an operation. A declaration in the pack of the
    /// definition comes before a directive of mlirbc that has the same name by chance.
    pub(crate) fn of(definition: &OperationDefinition, name: &str, arguments: usize) -> Option<Self> {
        let (dialect, _) = definition.name().split_once('.')?;
        let template = |dialect: &str| Template::shipped(dialect, name, arguments);
        if let Some(declared) = definition.directive(name) {
            let template = Template::parse(declared).ok().filter(|template| template.fits(arguments))?;
            return Some(Self::Template(Box::new(template)));
        }
        if let Some(directive) = CodeDirective::of_dialect(dialect, name) {
            return Some(Self::Code(directive));
        }
        let template = match (template(dialect), CodeDirective::of_any(name)) {
            (None, Some(directive)) => return Some(Self::Code(directive)),
            (found, _) => found.or_else(|| template("*"))?,
        };
        template.fits(arguments).then(|| Self::Template(Box::new(template)))
    }

    /// Writes or reads what the directive stands for, up to its next region.
    pub(crate) fn run<S: super::DirectiveSyntax>(
        &self,
        s: &mut S,
        call: S::Call<'_>,
        phase: u32,
    ) -> super::Flow<S> {
        match self {
            Self::Code(directive) => directive.run(s, call, phase),
            Self::Template(template) => template.run(s, call).map(|()| super::Progress::Done),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The names in the list of directives at the start of a file.
    fn names(source: &'static str) -> Vec<&'static str> {
        let list = source.split_once("directives! {").and_then(|(_, rest)| rest.split_once("\n}")).unwrap().0;
        list.split('"').skip(1).step_by(2).collect()
    }

    #[test]
    fn one_file_has_a_general_name() {
        let mut count = 0;
        for name in CodeDirective::general_sources().into_iter().flat_map(names) {
            count += 1;
            let files = CodeDirective::files_of(name);
            assert_eq!(files.len(), 1, "`custom<{name}>` is in {files:?}");
            // A template for all dialects would never be used.
            let template = (0..16).find(|&arguments| Template::shipped("*", name, arguments).is_some());
            assert_eq!(template, None, "`custom<{name}>` is a template, too");
        }
        assert!(count > 100, "{count}");
    }
}
