//! The subcommands, one file each.

use clap::Subcommand;

use crate::input::Input;
use crate::output::Out;
use crate::problem::Problem;

mod verify_diagnostics;
mod weights_list;
mod weights_rewrite;

/// The options of a command, which the program runs.
pub(crate) trait CommandOptions {
    /// The bytecode file that is read, if the command reads one.
    fn input(&self) -> Option<&Input> {
        None
    }

    /// The name of the file in messages.
    fn file_name(&self) -> String {
        self.input().map(Input::name).unwrap_or_default()
    }

    fn run(&self, out: &mut Out) -> Result<(), Problem>;
}

/// Declares the file and the variant of each command; the options have its help, its input and its function.
macro_rules! commands {
    ($($module:ident: $Variant:ident,)*) => {
        $(mod $module;)*

        /// Every subcommand, in the order of the help.
        #[derive(Debug, Subcommand)]
        pub(crate) enum Command {
            $($Variant(Box<$module::Options>),)*
        }

        impl Command {
            /// The options of the command that was given.
            pub(crate) fn options(&self) -> &dyn CommandOptions {
                match self {
                    $(Self::$Variant(options) => &**options,)*
                }
            }
        }
    };
}

commands! {
    info: Info,
    verify: Verify,
    ops: Ops,
    query: Query,
    layout: Layout,
    print: Print,
    resources: Resources,
    weights: Weights,
    dump: Dump,
    size: Size,
    cost: Cost,
    explore: Explore,
    hash: Hash,
    diff: Diff,
    check: Check,
    convert: Convert,
    strip: Strip,
    specialize: Specialize,
    extract: Extract,
    merge: Merge,
    split: Split,
    assemble: Assemble,
    fmt: Fmt,
    lsp: Lsp,
    explain: Explain,
    pack: Pack,
    stubs: Stubs,
    diff_test: DiffTest,
    shrink: Shrink,
    mutate: Mutate,
    smith: Smith,
    completions: Completions,
    man: Man,
}
