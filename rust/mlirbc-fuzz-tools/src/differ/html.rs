//! The report as one HTML page that loads nothing.

use std::fmt::{self, Write};

use mlirbc::tool::{content_policy, escape_markup};

use super::outcome::Class;
use super::{Group, Kind, Report};

const STYLE: &str = ":root { color-scheme: light dark; }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 75rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; margin: 1rem 0; }
th, td { padding: .3rem .8rem; border-bottom: 1px solid #8884; text-align: left; vertical-align: top; }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; }
code, pre { font: 13px/1.45 ui-monospace, monospace; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; background: #8881; padding: .6rem; border-radius: 4px; }
details { border: 1px solid #8884; border-radius: 6px; padding: .5rem .9rem; margin: .5rem 0; }
summary { cursor: pointer; overflow-wrap: anywhere; }
.kind { display: inline-block; min-width: 8.5rem; font-weight: 600; }
.crash, .hang, .out-of-memory { color: #c0392b; }
.meaning, .disagreement { color: #b9770e; }
.count { float: right; opacity: .75; }
";

/// The number of files that the page lists for a group; the JSON report lists all files.
const LISTED: usize = 20;

/// Returns the report as one HTML page that loads nothing and runs no script.
pub fn html(report: &Report) -> String {
    let mut page = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n{}\n<meta name=\"viewport\" \
         content=\"width=device-width, initial-scale=1\">\n<title>mlirbc diff-test</title>\n<style>{STYLE}</style>\n\
         </head>\n<body>\n",
        content_policy(&[STYLE], &[])
    );
    // Writing to a string does not fail.
    let _ = body(report, &mut page);
    page
}

fn body(report: &Report, page: &mut String) -> fmt::Result {
    writeln!(page, "<h1>mlirbc diff-test</h1>")?;
    let state = if report.is_complete() {
        ""
    } else {
        " The run was interrupted; <code>--resume</code> continues it."
    };
    writeln!(
        page,
        "<p>{} of {} files, {} groups of findings. {}. mlirbc {}.{state}</p>",
        report.examined,
        report.total,
        report.groups.len(),
        escape_markup(&report.limits),
        escape_markup(&report.version),
    )?;
    writeln!(page, "<h2>Readers</h2>\n<table>\n<tr><th>reader</th>")?;
    for class in Class::ALL {
        writeln!(page, "<th class=\"number\">{}</th>", class.name())?;
    }
    writeln!(page, "<th>command</th></tr>")?;
    for ((name, commands), counts) in report.readers.iter().zip(&report.counts) {
        write!(page, "<tr><td>{}</td>", escape_markup(name))?;
        for class in Class::ALL {
            write!(page, "<td class=\"number\">{}</td>", counts.of(class))?;
        }
        write!(page, "<td>")?;
        for command in commands {
            write!(page, "<code>{}</code><br>", escape_markup(command))?;
        }
        writeln!(page, "</td></tr>")?;
    }
    writeln!(page, "</table>\n<h2>Findings</h2>")?;
    for kind in Kind::ALL {
        let mut groups = report.groups.iter().filter(|group| group.kind == kind).peekable();
        if groups.peek().is_some() {
            writeln!(
                page,
                "<h3 class=\"{}\">{}</h3>\n<p>{}</p>",
                kind.name(),
                kind.name(),
                kind.explanation()
            )?;
        }
        groups.try_for_each(|found| group(found, page))?;
    }
    if report.groups.is_empty() {
        writeln!(page, "<p>None.</p>")?;
    }
    writeln!(page, "</body>\n</html>")
}

fn group(group: &Group, page: &mut String) -> fmt::Result {
    let kind = group.kind.name();
    writeln!(
        page,
        "<details id=\"{}\"><summary><span class=\"count\">{}</span><span class=\"kind {kind}\">{}</span> {}</summary>",
        escape_markup(&group.id),
        group.files.len(),
        escape_markup(&group.readers.join(", ")),
        escape_markup(&group.signature),
    )?;
    writeln!(page, "<pre>{}</pre>", escape_markup(&group.message))?;
    writeln!(page, "<p>Smallest file: {} bytes.", group.size)?;
    if let Some(case) = &group.case {
        writeln!(page, " Case: <a href=\"{0}\">{0}</a>, {1} bytes.", escape_markup(&case.file), case.size)?;
    }
    writeln!(page, "</p>\n<ul>")?;
    for file in group.files.iter().take(LISTED) {
        writeln!(page, "<li><code>{}</code></li>", escape_markup(file))?;
    }
    if group.files.len() > LISTED {
        writeln!(page, "<li>and {} more</li>", group.files.len() - LISTED)?;
    }
    writeln!(page, "</ul></details>")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_comes_from_files_and_readers_is_escaped() {
        let mut report = super::super::groups::tests::report();
        report.groups[0].message = "<script>alert('x')</script>\u{1b}[2J".to_owned();
        let page = html(&report);
        assert!(!page.contains("<script") && !page.contains('\u{1b}'), "{page}");
        assert!(page.contains("&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;\\u{1b}[2J"));
    }

    #[test]
    fn the_page_loads_nothing() {
        let page = html(&super::super::groups::tests::report());
        assert!(!page.contains("http:") && !page.contains("https:") && !page.contains("src="), "{page}");
        assert!(page.contains("5 of 6 files, 3 groups of findings"));
    }
}
