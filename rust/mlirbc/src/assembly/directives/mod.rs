//! Directives that formats of several operations have, by the names that they have in MLIR.

/// The directives of a dialect: the names, and the function that writes and reads each.
macro_rules! directives {
    ($($id:ident: $name:pat => $form:path),* $(,)?) => {
        /// A directive of the dialect.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(crate) enum Directive {
            $($id),*
        }

        impl Directive {
            pub(super) fn of(name: &str) -> Option<Self> {
                Some(match name {
                    $($name => Self::$id,)*
                    _ => return None,
                })
            }

            pub(super) fn run<S: $crate::assembly::DirectiveSyntax>(
                self,
                s: &mut S,
                call: S::Call<'_>,
            ) -> $crate::assembly::Written<S> {
                match self {
                    $(Self::$id => $form(s, call)),*
                }
            }
        }
    };
}

/// The groups of dialects that have directives.
macro_rules! dialects {
    ($($id:ident: $name:pat => $module:ident),* $(,)?) => {
        $(mod $module;)*

        /// A directive that code writes and reads.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(crate) enum Directive {
            $($id($module::Directive)),*
        }

        impl Directive {
            /// The directive with this name in the format of an operation.
            pub(crate) fn of(operation: &str, name: &str) -> Option<Self> {
                let (dialect, _) = operation.split_once('.')?;
                match dialect {
                    $($name => $module::Directive::of(name).map(Self::$id),)*
                    _ => None,
                }
            }

            /// Writes or reads what the directive stands for.
            pub(crate) fn run<S: super::DirectiveSyntax>(
                self,
                s: &mut S,
                call: S::Call<'_>,
            ) -> super::Written<S> {
                match self {
                    $(Self::$id(directive) => directive.run(s, call)),*
                }
            }
        }
    };
}

mod case_texts;
mod clauses;
mod map_flags;
mod maps;
mod stream;
mod transfers;

pub(crate) use case_texts::{case_in, is_of_case};

dialects! {
    Acc: "acc" => acc,
    Emitc: "emitc" => emitc,
    Iree: "flow" | "hal" | "hal_inline" | "io_parameters" | "stream" | "util" | "vm" => iree,
    IreeCodegen: "iree_codegen" | "iree_gpu" => iree_codegen,
    Irdl: "irdl" => irdl,
    Llvm: "llvm" => llvm,
    MlProgram: "ml_program" => ml_program,
    Omp: "omp" => omp,
    Pdl: "pdl" | "pdl_interp" => pdl,
    Sdy: "mpmd" | "sdy" => sdy,
    SparseTensor: "sparse_tensor" => sparse_tensor,
    Spirv: "spirv" => spirv,
    Stablehlo: "chlo" | "stablehlo" => stablehlo,
    Tosa: "tosa" => tosa,
    Transform: "transform" => transform,
}
