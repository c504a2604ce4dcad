//! The forms of each dialect.

/// The forms of a dialect: the reason why rows cannot express the form, the names of operations without the dialect, and the
/// function that writes and reads the form. Forms that end with a region follow a semicolon, and their functions are called once.
macro_rules! forms {
    (
        $($(#[doc = $why:literal])+ $id:ident: $name:pat $(if $guard:expr)? => $form:path),* $(,)?
        $(; $($(#[doc = $last_why:literal])+ $last:ident: $last_name:pat => $region:path),* $(,)?)?
    ) => {
        /// A form of the dialect.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(crate) enum DialectForm {
            $($(#[doc = $why])+ $id,)*
            $($($(#[doc = $last_why])+ $last,)*)?
        }

        /// The operations of each form, as a pattern, and the reason why rows cannot express it.
        #[cfg(test)]
        pub(super) const REASONS: &[(&str, &str)] = &[
            $((stringify!($name), concat!($($why),+)),)*
            $($((stringify!($last_name), concat!($($last_why),+)),)*)?
        ];

        impl DialectForm {
            pub(super) fn of(operation: &str) -> Option<Self> {
                Some(match operation {
                    $($name $(if $guard)? => Self::$id,)*
                    $($($last_name => Self::$last,)*)?
                    _ => return None,
                })
            }

            pub(super) fn run<S: $crate::assembly::Syntax>(
                self,
                s: &mut S,
                phase: u32,
            ) -> $crate::assembly::Flow<S> {
                match self {
                    $(Self::$id => $form(s, phase),)*
                    $($(Self::$last if phase == 0 => $region(s),)*)?
                    $($(Self::$last => Ok($crate::assembly::Progress::Done),)*)?
                }
            }
        }
    };
}

/// The dialects that have forms.
macro_rules! dialects {
    ($($id:ident: $name:literal => $module:ident),* $(,)?) => {
        /// The form of an operation that code writes and reads.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(crate) enum CustomForm {
            $($id($module::DialectForm)),*
        }

        /// The reasons of all forms, by dialect.
        #[cfg(test)]
        const REASONS: &[(&str, &[(&str, &str)])] = &[$(($name, $module::REASONS)),*];

        impl CustomForm {
            /// The form of an operation by its full name.
            pub(crate) fn of(operation: &str) -> Option<Self> {
                let (dialect, operation) = operation.split_once('.')?;
                match dialect {
                    $($name => $module::DialectForm::of(operation).map(Self::$id),)*
                    _ => None,
                }
            }

            /// Runs a phase of the form: the first one is 0, and there is another one after each region.
            pub(crate) fn run<S: super::Syntax>(self, s: &mut S, phase: u32) -> super::Flow<S> {
                match self {
                    $(Self::$id(form) => form.run(s, phase)),*
                }
            }
        }
    };
}

pub(super) mod acc;
pub(super) mod affine;
pub(super) mod emitc;
pub(super) mod gpu;
pub(super) mod linalg;
pub(super) mod llvm;
pub(super) mod llvm_calls;
pub(super) mod memref;
pub(super) mod nvvm;
pub(super) mod omp;
pub(super) mod scf;
pub(super) mod sparse_tensor;
pub(super) mod spirv;
pub(super) mod stablehlo;
pub(super) mod tosa;
pub(super) mod util;
pub(super) mod vector;
pub(super) mod vm;

dialects! {
    Acc: "acc" => acc,
    Affine: "affine" => affine,
    Emitc: "emitc" => emitc,
    Gpu: "gpu" => gpu,
    Linalg: "linalg" => linalg,
    Llvm: "llvm" => llvm,
    Memref: "memref" => memref,
    Nvvm: "nvvm" => nvvm,
    Omp: "omp" => omp,
    Scf: "scf" => scf,
    SparseTensor: "sparse_tensor" => sparse_tensor,
    Spirv: "spirv" => spirv,
    Stablehlo: "stablehlo" => stablehlo,
    Tosa: "tosa" => tosa,
    Util: "util" => util,
    Vector: "vector" => vector,
    Vm: "vm" => vm,
}

/// Forms that are read and not printed.
const READ_ONLY: &[&str] = &["omp.canonical_loop"];

/// Whether a form is read and not printed.
pub(super) fn is_read_only(operation: &str) -> bool {
    READ_ONLY.contains(&operation)
}

#[cfg(test)]
mod tests {
    use std::fmt::Write;

    use super::*;

    const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/assembly/forms_in_rust.md");
    const HEAD: &str = "| operations | reason |\n|---|---|\n";

    fn table() -> String {
        let mut rows = String::new();
        for (dialect, forms) in REASONS {
            for (pattern, reason) in *forms {
                let names: Vec<_> = match pattern.contains('"') {
                    true => pattern.split(" | ").map(|name| name.trim_matches('"')).collect(),
                    false => vec!["NAME"],
                };
                let names: Vec<_> = names.iter().map(|name| format!("`{dialect}.{name}`")).collect();
                writeln!(rows, "| {} | {} |", names.join(", "), reason.trim()).unwrap();
            }
        }
        rows
    }

    #[test]
    fn every_form_is_in_the_list_with_its_reason() {
        let list = std::fs::read_to_string(FILE).unwrap();
        let (head, rows) = list.split_once(HEAD).unwrap();
        if std::env::var_os("MLIRBC_REWRITE").is_some() {
            std::fs::write(FILE, format!("{head}{HEAD}{}", table())).unwrap();
        } else {
            assert!(rows == table(), "MLIRBC_REWRITE=1 rewrites the table:\n{}", table());
        }
        let patterns = REASONS.iter().flat_map(|(_, forms)| *forms);
        assert!(patterns.map(|(pattern, _)| pattern.split(" | ").count()).sum::<usize>() <= 40);
    }
}
