//! Operations and weights as small pieces of HTML for notebooks.

use std::fmt::Write as _;
use std::io::{self, Write};

use crate::ir::Operation;
use crate::print::PrintOptions;
use crate::wire::error::{Result, cut};

use crate::convert::portable::is_vhlo;

use super::highlight::html_fragment;
use super::module_view::{ModuleView, translated};
use super::weights::{Histogram, Weight, Weights};

/// The number of lines of an operation that are shown.
const LINES: usize = 60;
const BYTES: usize = 16 << 10;
/// The number of bytes of a line that are shown.
const LINE: usize = 400;

/// A writer that stores the beginning of a text.
struct Beginning {
    text: Vec<u8>,
    lines: usize,
    is_cut: bool,
}

impl Write for Beginning {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for &byte in bytes {
            if self.lines == LINES || self.text.len() == BYTES {
                self.is_cut = true;
                return Err(io::ErrorKind::WriteZero.into());
            }
            self.lines += usize::from(byte == b'\n');
            self.text.push(byte);
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The size above which portable artifacts are shown as VHLO, because showing a part as StableHLO translates
/// the whole artifact.
const TRANSLATED: u64 = 64 << 20;

/// Returns the beginning of the text of an operation, without data, as HTML below `title`. An operation of a
/// portable artifact is shown as StableHLO.
///
/// # Errors
/// As [`Operation::print`].
///
/// ```
/// let module = mlirbc::Module::open("../../examples/two_layers.mlirbc")?;
/// let html = mlirbc::tool::operation_html("a module", &module.operation()?)?;
/// assert!(html.contains("arith.maximumf") && !html.contains("<script"));
/// # Ok::<(), mlirbc::Error>(())
/// ```
#[doc(hidden)]
pub fn operation_html(title: &str, op: &Operation<'_>) -> Result<String> {
    let module = op.module();
    if module.tables().bytecode().size() > TRANSLATED {
        let note = is_vhlo(module)?.then_some("VHLO, because the artifact is large");
        return text_html(title, op, note);
    }
    match ModuleView::of(module)? {
        ModuleView::Itself => text_html(title, op, None),
        ModuleView::StableHlo(lifted) => match translated(op, &lifted)? {
            Some(translated) => {
                text_html(title, &translated, Some("StableHLO; the operations in the file are those of VHLO"))
            }
            None => text_html(title, op, Some("VHLO, because the operation has no translation")),
        },
        view @ ModuleView::Vhlo(_) => text_html(title, op, view.note().as_deref()),
    }
}

fn text_html(title: &str, op: &Operation<'_>, note: Option<&str>) -> Result<String> {
    let options = PrintOptions {
        elide_resources_larger: Some(0),
        elide_elements_larger: Some(16),
        ..PrintOptions::default()
    };
    let mut beginning = Beginning { text: Vec::new(), lines: 0, is_cut: false };
    match op.print(&mut beginning, &options) {
        Err(error) if !beginning.is_cut => return Err(error),
        _ => {}
    }
    let text = String::from_utf8_lossy(&beginning.text);
    let mut shown = note.map_or_else(String::new, |note| format!("// {}\n", cut(note, LINE)));
    for line in text.trim_end().split('\n') {
        shown.push_str(&cut(line, LINE));
        shown.push('\n');
    }
    if beginning.is_cut {
        shown.push_str("// the rest is not shown\n");
    }
    Ok(html_fragment(&cut(title, LINE), &shown, ""))
}

/// Returns a weight with a histogram of its elements as HTML.
///
/// # Errors
/// As [`Weights::histogram`].
///
/// ```
/// let module = mlirbc::Module::open("../../examples/two_layers.mlirbc")?;
/// let weights = mlirbc::tool::Weights::of(&module)?;
/// let html = mlirbc::tool::weight_html(&weights, weights.require("layer0.weight")?)?;
/// assert!(html.contains("tensor") && html.contains("<svg"));
/// # Ok::<(), mlirbc::Error>(())
/// ```
#[doc(hidden)]
pub fn weight_html(weights: &Weights, weight: &Weight) -> Result<String> {
    let title = format!("{}: {}, {} bytes", cut(&weight.name, LINE), weight.kind.name(), weight.size);
    let r#type = cut(weight.r#type.as_deref().unwrap_or_default(), LINE);
    let after = weights.histogram(weight)?.map_or_else(String::new, |found| picture(&found, weight));
    Ok(html_fragment(&title, &r#type, &after))
}

fn picture(histogram: &Histogram, weight: &Weight) -> String {
    let mut out =
        String::from("<svg width=\"256\" height=\"48\" viewBox=\"0 0 256 48\" fill=\"currentColor\">");
    let most = histogram.bins.iter().copied().max().unwrap_or(0).max(1);
    for (place, &bin) in histogram.bins.iter().enumerate().filter(|(_, bin)| **bin > 0) {
        let height = (46.0 * bin as f64 / most as f64).max(1.0);
        let _ = write!(
            out,
            "<rect x=\"{}\" y=\"{:.1}\" width=\"7\" height=\"{height:.1}\"/>",
            8 * place,
            48.0 - height
        );
    }
    let stats = &histogram.stats;
    let number = |value: Option<f64>| value.map_or_else(|| "–".to_owned(), |value| format!("{value:.4}"));
    let _ = write!(
        out,
        "</svg><p>{} … {}, mean {}, deviation {}, {} zero, {} NaN",
        number(stats.min),
        number(stats.max),
        number(stats.mean),
        number(stats.std),
        stats.zeros,
        stats.nans
    );
    if stats.count < weight.count() {
        let _ = write!(out, "; a sample of {} of {}", stats.count, weight.count());
    }
    out.push_str("</p>");
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Module;

    #[test]
    fn operations_of_a_portable_artifact_are_shown_as_stablehlo() {
        let module = Module::open("../../examples/mlp.jax").unwrap();
        let ops: Vec<_> = module.operation().unwrap().pre_order().map(|op| op.unwrap()).collect();
        let whole = operation_html("t", &ops[0]).unwrap();
        assert!(whole.contains("stablehlo.") && !whole.contains("vhlo."), "{whole}");
        assert!(whole.contains("the operations in the file are those of VHLO"), "{whole}");
        let dot = ops.iter().find(|op| op.name() == "vhlo.dot_general_v2").unwrap();
        let html = operation_html("t", dot).unwrap();
        assert!(html.contains("stablehlo.dot_general") && !html.contains("vhlo."), "{html}");
    }
}
