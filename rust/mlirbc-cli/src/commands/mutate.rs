//! `mlirbc mutate`: damaged and changed copies of files.

use std::path::PathBuf;

use clap::Args;
use mlirbc_fuzz_tools::mutate::{Mutation, mutate_file};
use mlirbc_fuzz_tools::noise::Noise;

use crate::commands::CommandOptions;
use crate::files;
use crate::output::{Column, Out, TextTable};
use crate::problem::Problem;
use crate::progress::Progress;
use crate::seeded_files::SeededFiles;

const HELP: &str = "\
Most mutations keep the file readable up to the place that they change: lengths, offsets and the section table are put \
right again. Some change one number or a few bytes of a section, some the entries, operations, properties, resources, \
use-list orders or version of the module, and `splice` puts operations of one file into another. Each is applied to \
a file that is drawn from those given, and written as `SEED-NUMBER-MUTATION.mlirbc`. The same files, seed and count \
give the same output.

Examples:
  Make a hundred files of one:
  $ mlirbc mutate model.mlirbc --count 100 -o mutated

  Make a thousand of several, with another seed, by two kinds of mutation:
  $ mlirbc mutate a.mlirbc b.mlirbc --seed 7 --count 1000 --only splice --only entry -o mutated

Exit status:
  0  the files were written
  2  the command line is invalid
  3  a file is empty, or cannot be read or written";

/// Write changed copies of files, for testing readers
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(crate) struct Options {
    /// The files, bytecode or text, which may be malformed; `-` reads standard input
    #[arg(value_name = "FILE", required = true)]
    paths: Vec<PathBuf>,

    #[command(flatten)]
    seeded: SeededFiles,

    /// Mutations applied to each file
    #[arg(long, value_name = "N", default_value_t = 1)]
    changes: u32,

    /// Only this kind of mutation; may be repeated. One of section, number, entry, operation, property, resource, use-list, version, splice, byte
    #[arg(long, value_name = "KIND", value_parser = mutation)]
    only: Vec<Mutation>,
}

fn mutation(text: &str) -> Result<Mutation, String> {
    let names = Mutation::ALL.map(Mutation::name).join(", ");
    let mutation = Mutation::ALL.into_iter().find(|mutation| mutation.name() == text);
    mutation.ok_or_else(|| format!("expected one of {names}"))
}

impl CommandOptions for Options {
    fn file_name(&self) -> String {
        "mutate".to_owned()
    }

    fn run(&self, out: &mut Out) -> Result<(), Problem> {
        let read = |path: &PathBuf| {
            let file = files::read_some(path)?;
            Ok(files::assembled(path, &file).unwrap_or(file))
        };
        let files = self.paths.iter().map(read).collect::<Result<Vec<_>, Problem>>()?;
        let files: Vec<&[u8]> = files.iter().map(|bytes| &**bytes).collect();
        let kinds = if self.only.is_empty() { &Mutation::ALL[..] } else { &self.only };
        self.seeded.begin()?;
        let SeededFiles { seed, count: total, .. } = self.seeded;
        let progress = Progress::of_files("writing");
        let mut counts = vec![0_u64; Mutation::ALL.len()];
        for number in 0..total {
            // A file does not depend on the number of files.
            let mut noise = Noise::new(seed.wrapping_mul(0x0100_0000_01b3).wrapping_add(number));
            let (bytes, kind) = mutate_file(&files, kinds, self.changes, &mut noise);
            counts[kind as usize] += 1;
            self.seeded.write(&format!("{seed}-{number:05}-{}.mlirbc", kind.name()), &bytes)?;
            progress.update(number + 1, total);
        }
        drop(progress);
        let mut rows = TextTable::new(&[Column::Text("mutation"), Column::Number("files")]);
        for (kind, count) in Mutation::ALL.into_iter().zip(counts) {
            if count > 0 {
                rows.add([kind.name().to_owned(), count.to_string()]);
            }
        }
        Ok(rows.write(out)?)
    }
}
