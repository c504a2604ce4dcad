//! A module as one page for a browser: symbols, assembly with references, data flow, calls, sizes and resources.
//!
//! Owns [`explore`], which writes the page. `listing` finds the positions of names in the text, `data` turns
//! it into chunks that the page reads when it shows them, and `json` writes the chunks so that no name can
//! become markup or code. The script (`page.js`) loads nothing, and the page forbids every other script.
//! `docs/explanation/tools.md` describes the design.

mod data;
mod json;
mod listing;

use std::io::Write;

use crate::ir::Module;
use crate::tool::escape::{content_policy, escape_markup};
use crate::tool::module_view::ModuleView;
use crate::tool::{SizeReport, Weights, treemap_svg};
use crate::wire::error::{Error, ErrorClass, Result, cut};
use crate::wire::options::setters;

use data::Page;
use listing::Listing;

const STYLE: &str = include_str!("page.css");
const BODY: &str = include_str!("page.html");
const SCRIPT: &str = include_str!("page.js");

/// Options of a page.
///
/// ```
/// let options = mlirbc::tool::ExploreOptions::default().max_text(1 << 20);
/// assert_eq!(options.max_resources, 10_000);
/// ```
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct ExploreOptions {
    /// The limit on the bytes of assembly; the rest is left out, and the page says so. By default 64 MiB.
    pub max_text: u64,
    /// The number of weights and resources that are listed, the largest first. By default 10,000.
    pub max_resources: usize,
    /// The number of weights that are sampled for a histogram. By default 1,000.
    pub max_histograms: usize,
    /// Show a portable artifact as VHLO, as stored in the file, instead of the StableHLO module in it.
    pub vhlo: bool,
}

setters! {
    ExploreOptions {
        max_text: u64,
        max_resources: usize,
        max_histograms: usize,
        vhlo: bool,
    }
}

impl Default for ExploreOptions {
    fn default() -> Self {
        Self { max_text: 64 << 20, max_resources: 10_000, max_histograms: 1_000, vhlo: false }
    }
}

/// The contents of a written page, and its omissions.
#[derive(Debug, Default)]
pub struct ExploreReport {
    /// The lines of assembly.
    pub lines: u64,
    /// The omissions because of a limit or a fault, one sentence for each; the page shows the same sentences.
    pub notes: Vec<String>,
    /// Whether the page shows the StableHLO module in a portable artifact; it says so.
    pub is_lifted: bool,
    /// The unreadable parts, which are marked by `<<…>>` in the assembly; the first hundred.
    pub faults: Vec<Error>,
}

/// Writes a self-contained page that shows a module. `name` is its title. For a portable artifact, the page
/// shows the StableHLO module with the sizes and weights of the file.
///
/// # Errors
/// As [`Module::print`]; other faults of the file are notes in the page.
///
/// ```
/// use mlirbc::tool::{ExploreOptions, explore};
/// let module = mlirbc::Module::open("../../examples/two_layers.mlirbc")?;
/// let mut page = Vec::new();
/// let report = explore(&module, "two layers", &ExploreOptions::default(), &mut page)?;
/// assert!(page.starts_with(b"<!doctype html>") && page.ends_with(b"</html>\n"));
/// assert_eq!((report.lines, report.notes.len()), (45, 0));
/// # Ok::<(), mlirbc::Error>(())
/// ```
pub fn explore(
    module: &Module,
    name: &str,
    options: &ExploreOptions,
    writer: &mut dyn Write,
) -> Result<ExploreReport> {
    let budget = module.tables().work_budget();
    let mut notes = Vec::new();
    let view = if options.vhlo { ModuleView::Itself } else { ModuleView::of(module)? };
    let (text, is_lifted) = match &view {
        ModuleView::StableHlo(lifted) => (lifted, true),
        ModuleView::Vhlo(_) | ModuleView::Itself => (module, false),
    };
    if !is_lifted {
        notes.extend(view.note());
    }
    let mut listing = Listing::of(text, options.max_text, &budget)?;
    let report = std::mem::take(&mut listing.report);
    if listing.is_cut {
        notes.push(format!(
            "The assembly ends after {} lines and {} bytes, the limit for this page; symbols, references and \
             operations after that are left out.",
            listing.len(),
            listing.text.len()
        ));
    }
    if let Some(first) = report.faults.first() {
        let count = report.faults.len();
        let more = if count >= 100 { " or more" } else { "" };
        notes.push(format!(
            "{count}{more} parts cannot be decoded; the first: {}",
            cut(&first.to_string(), 300)
        ));
    }
    let sizes = noted(SizeReport::of(module, false), "sizes", &mut notes)?;
    let weights = noted(Weights::of(module), "resources", &mut notes)?;
    let resources = match &weights {
        Some(weights) => data::resources(weights, options, &mut notes)?,
        None => b"[]".to_vec(),
    };

    let title = escape_markup(&cut(name, 200));
    let mut page = Page::new(writer, &budget);
    page.text(&format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n{}\n\
         <meta name=\"viewport\" content=\"width=device-width\"><title>{title}</title>\n<style>{STYLE}</style></head>\n{BODY}",
        content_policy(&[STYLE], &[SCRIPT])
    ))?;
    let on_page: Vec<String> = view.note().filter(|_| is_lifted).into_iter().chain(notes.clone()).collect();
    page.part("meta", &data::meta(module, &listing, sizes.as_ref(), name, &on_page)?)?;
    page.part("symbols", &data::symbols(&listing, sizes.as_ref()))?;
    let mut tables = data::Tables::default();
    // The script comes after the first lines, so that these are shown before the rest is read.
    let mut has_script = false;
    for number in 0..data::chunks(&listing) {
        module.tables().check_interrupt()?;
        page.part(&format!("l{number}"), &data::lines(&listing, number, &mut tables, &budget)?)?;
        if !std::mem::replace(&mut has_script, true) {
            page.text(&format!("<script>{SCRIPT}</script>\n"))?;
        }
    }
    data::values(&listing, &mut tables, &mut page, &budget)?;
    tables.write(text, &mut page)?;
    page.part("calls", &data::calls(&listing))?;
    page.part("resources", &resources)?;
    if let Some(sizes) = &sizes {
        page.text(&format!("<template id=\"treemap\">{}</template>\n", treemap_svg(sizes, &cut(name, 200))))?;
    }
    page.text("</body></html>\n")?;
    Ok(ExploreReport { lines: listing.len() as u64, notes, is_lifted, faults: report.faults })
}

// Runs a part of the page that is left out if the file has a fault there.
fn noted<T>(result: Result<T>, part: &str, notes: &mut Vec<String>) -> Result<Option<T>> {
    match result {
        Ok(result) => Ok(Some(result)),
        Err(error) if matches!(error.class(), ErrorClass::Io | ErrorClass::Interrupted) => Err(error),
        Err(error) => {
            notes.push(format!("The {part} are left out: {}", cut(&error.to_string(), 300)));
            Ok(None)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(module: &Module, options: &ExploreOptions) -> (String, ExploreReport) {
        let mut page = Vec::new();
        let report = explore(module, "<b>&", options, &mut page).unwrap();
        (String::from_utf8(page).unwrap(), report)
    }

    fn part(page: &str, id: &str) -> serde_json::Value {
        let start = format!("<script type=\"application/json\" id=\"{id}\">");
        let from = page.find(&start).unwrap() + start.len();
        let to = page[from..].find("</script>").unwrap();
        serde_json::from_str(&page[from..from + to]).unwrap()
    }

    fn two_layers() -> Module {
        Module::open("../../examples/two_layers.mlirbc").unwrap()
    }

    #[test]
    fn uses_lead_to_definitions_and_calls_to_symbols() {
        let (page, report) = page(&two_layers(), &ExploreOptions::default());
        assert!(page.contains("<title>&lt;b&gt;&amp;</title>"));
        assert!(report.notes.is_empty() && report.faults.is_empty());
        let symbols = part(&page, "symbols");
        let names: Vec<_> = symbols.as_array().unwrap().iter().map(|row| row[0].as_str().unwrap()).collect();
        assert_eq!(names, ["two_layers", "dense", "main"]);
        assert_eq!(part(&page, "calls"), serde_json::json!([[2, 1, 2]]));
        let (lines, values) = (part(&page, "l0"), part(&page, "v0"));
        let text: Vec<&str> = lines["t"].as_str().unwrap().split('\n').collect();
        let marks: Vec<i64> = lines["m"].as_array().unwrap().iter().map(|n| n.as_i64().unwrap()).collect();
        let mut line = 0;
        let mut uses = 0;
        for mark in marks.chunks(4) {
            line += mark[0] as usize;
            let name = &text[line][mark[1] as usize..(mark[1] + mark[2]) as usize];
            assert!(name.starts_with('%'), "{name}");
            let defined = values["l"][(mark[3] / 2) as usize].as_u64().unwrap() as usize;
            assert!(text[defined].contains(name.split(['#', ':']).next().unwrap()));
            uses += i64::from(mark[3] % 2 == 0);
        }
        let all: i64 = values["n"].as_array().unwrap().iter().map(|n| n.as_i64().unwrap()).sum();
        assert!(uses > 0 && uses == all);
    }

    #[test]
    fn a_portable_artifact_is_shown_as_stablehlo() {
        let module = Module::open("../../examples/mlp.jax").unwrap();
        let (lifted, report) = page(&module, &ExploreOptions::default());
        assert!(report.is_lifted && report.notes.is_empty());
        let text = part(&lifted, "l0")["t"].as_str().unwrap().to_owned();
        assert!(text.contains("= stablehlo.dot_general %arg") && !text.contains("vhlo"), "{text}");
        let note = part(&lifted, "meta")["notes"][0].as_str().unwrap().to_owned();
        assert!(note.starts_with("This is the StableHLO module in a portable artifact."), "{note}");
        assert!(!part(&lifted, "t0").to_string().contains("vhlo"));
        // Sizes are measured in the file itself.
        let symbols = part(&lifted, "symbols");
        assert_eq!((symbols[1][0].as_str(), symbols[1][1].as_str()), (Some("main"), Some("func.func")));
        assert!(symbols[1][6].as_i64().unwrap() > 0, "{symbols}");
        let (stored, report) = page(&module, &ExploreOptions { vhlo: true, ..Default::default() });
        assert!(!report.is_lifted && part(&stored, "l0")["t"].as_str().unwrap().contains("vhlo.dot_general"));
    }

    #[test]
    fn what_the_limit_leaves_out_is_said() {
        let (page, report) = page(&two_layers(), &ExploreOptions { max_text: 300, ..Default::default() });
        assert_eq!(report.notes.len(), 1);
        assert_eq!(part(&page, "meta")["notes"][0], report.notes[0]);
        let lines = part(&page, "l0");
        assert!(lines["t"].as_str().unwrap().len() <= 300);
        let (_, empty) = self::page(&two_layers(), &ExploreOptions { max_text: 0, ..Default::default() });
        assert_eq!(empty.lines, 1);
    }

    #[test]
    fn a_wide_type_is_shown_in_full_where_it_occurs_first() {
        let elements: Vec<_> = (0..1000).map(|number| format!("{number} : i32")).collect();
        let wide = format!("tensor<4xf32, [{}]>", elements.join(", "));
        const COUNT: usize = 2000;
        let times = |text: &str| vec![text; COUNT].join(", ");
        let lines = |line: &str| format!("{line}\n").repeat(COUNT);
        for uses in [
            format!("\"t.use\"({}) : ({}) -> ()\n", times("%0"), times("!t")),
            format!("%1:{COUNT} = \"t.use\"() : () -> ({})\n", times("!t")),
            lines("\"t.use\"(%0) : (!t) -> ()"),
            lines("\"t.use\"() : () -> !t"),
            lines("\"t.use\"() {a = !t} : () -> ()"),
            lines("\"t.use\"() {a = [!t, 1 : i32]} : () -> ()"),
            lines("builtin.unrealized_conversion_cast %0 : !t to !t"),
        ] {
            let text = format!("!t = {wide}\n%0 = \"t.make\"() : () -> !t\n{uses}\"t.end\"() : () -> ()\n");
            let module = crate::parse::parse(text, &crate::parse::ParseOptions::default()).unwrap();
            let (page, report) = page(&module, &ExploreOptions::default());
            assert!(report.notes.is_empty() && report.faults.is_empty(), "{:?}", report.notes);
            let first = part(&page, "l0")["t"].as_str().unwrap().to_owned();
            assert!(first.contains("0 : i32, 1 : i32, 2 : i32") && first.contains('…'));
            // Each use adds the beginning of the type and a position.
            assert!(page.len() < COUNT * 1000, "{}", page.len());
        }
    }

    #[test]
    fn the_template_is_small_and_loads_nothing() {
        let template = [STYLE, BODY, SCRIPT].concat();
        assert!(template.len() < 60_000, "{}", template.len());
        for forbidden in ["http:", "https:", "//cdn", "import(", "fetch(", "eval(", "url("] {
            let is_present = template.replace("http://www.w3.org/2000/svg", "").contains(forbidden);
            assert!(!is_present, "{forbidden}");
        }
        // The script inserts file contents only as text, never as markup.
        assert!(!SCRIPT.contains("innerHTML") && !SCRIPT.contains("insertAdjacentHTML"));
        assert!(!SCRIPT.contains("document.write") && !SCRIPT.contains("</"));
    }
}
