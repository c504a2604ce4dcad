//! Directives that formats of several operations have, by the names that they have in MLIR.

mod steps;

/// The directives of a dialect: the names, and the function that writes and reads each. Those with regions follow a semicolon;
/// their functions are called again after each region, as forms are.
macro_rules! directives {
    (
        $($id:ident: $name:pat => $form:path),* $(,)?
        $(; $($phased:ident: $of:pat => $phases:path),* $(,)?)?
    ) => {
        /// A directive of the dialect.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(crate) enum Directive {
            $($id,)*
            $($($phased,)*)?
        }

        impl Directive {
            pub(super) fn of(name: &str) -> Option<Self> {
                Some(match name {
                    $($name => Self::$id,)*
                    $($($of => Self::$phased,)*)?
                    _ => return None,
                })
            }

            pub(super) fn run<S: $crate::assembly::DirectiveSyntax>(
                self,
                s: &mut S,
                call: S::Call<'_>,
                phase: u32,
            ) -> $crate::assembly::Flow<S> {
                // Most directives have one phase.
                let _ = phase;
                match self {
                    $(Self::$id => $form(s, call).map(|()| $crate::assembly::Progress::Done),)*
                    $($(Self::$phased => $phases(s, call, phase),)*)?
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
        $(mod $module;)*
        $(mod $file;)*

        /// A directive that code writes and reads.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(crate) enum Directive {
            $($id($module::Directive),)*
            $($shared($file::Directive),)*
        }

        impl Directive {
            /// The directive with this name in the format of an operation.
            pub(crate) fn of(operation: &str, name: &str) -> Option<Self> {
                let (dialect, _) = operation.split_once('.')?;
                let of_dialect = match dialect {
                    $($name => $module::Directive::of(name).map(Self::$id),)*
                    _ => None,
                };
                of_dialect$(.or_else(|| $file::Directive::of(name).map(Self::$shared)))*
            }

            /// Writes or reads what the directive stands for, up to its next region.
            pub(crate) fn run<S: super::DirectiveSyntax>(
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

mod case_texts;
mod clauses;
mod map_flags;
mod maps;
mod omp_regions;
mod stream;
mod stream_regions;
mod tied_results;
mod transfers;

pub(crate) use case_texts::{case_in, is_of_case};
pub(crate) use smt::signed_digits;

dialects! {
    Acc: "acc" => acc,
    Emitc: "emitc" => emitc,
    Iree: "flow" | "hal" | "hal_inline" | "io_parameters" | "stream" | "util" | "vm" => iree,
    IreeCodegen: "iree_codegen" | "iree_gpu" => iree_codegen,
    Irdl: "irdl" => irdl,
    Llvm: "llvm" => llvm,
    MlProgram: "ml_program" => ml_program,
    Omp: "omp" => omp,
    Pcf: "pcf" => pcf,
    Pdl: "pdl" | "pdl_interp" => pdl,
    Sdy: "mpmd" | "sdy" => sdy,
    Smt: "smt" => smt,
    SparseTensor: "sparse_tensor" => sparse_tensor,
    Spirv: "spirv" => spirv,
    Stablehlo: "chlo" | "stablehlo" => stablehlo,
    Tosa: "tosa" => tosa,
    Transform: "transform" => transform,
    Vector: "vector" => vector,
    Wasmssa: "wasmssa" => wasmssa;
    Attributes: attributes,
    Branches: branches,
    Calls: calls,
    CarriedArguments: carried_arguments,
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
    Pointers: pointers,
    Ports: ports,
    Regions: regions,
    ShortForms: short_forms,
    Switches: switches,
    Types: types,
    Values: values,
}
