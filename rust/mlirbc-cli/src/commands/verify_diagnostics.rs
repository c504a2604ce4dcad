//! `mlirbc verify --verify-diagnostics`: compares the errors of a text with its comments.

use mlirbc::parse::ParseOptions;
use mlirbc::tool::{ErrorComparison, compare_errors};
use mlirbc::{Limits, Release};

use crate::files;
use crate::input::Input;
use crate::output::{self, Out};
use crate::problem::{FINDING, Problem};
use crate::text::printable;

/// Reports each difference between the errors of a text and its comments.
pub(crate) fn run(input: &Input, compares_messages: bool, out: &mut Out) -> Result<(), Problem> {
    let text = files::map(input.path(), &Limits::default())?;
    let text = text.get(0..text.len())?;
    let release = input.release().map_or_else(Release::default, |name| Release::named(name.to_owned()));
    let options = ParseOptions::default().target(release).file(input.name());
    let comparison = match compares_messages {
        true => ErrorComparison::Messages,
        false => ErrorComparison::Lines,
    };
    let differences = compare_errors(&text, &options, comparison);
    for difference in &differences {
        output::complain(out, &format!("{}: {}", input.name(), printable(difference)));
    }
    if differences.is_empty() { Ok(()) } else { Err(Problem::Reported(FINDING)) }
}
