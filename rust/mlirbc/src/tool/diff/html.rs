//! A difference as a page of its own: both modules side by side.

use std::fmt::Write;

use crate::tool::escape::{content_policy, escape_markup};

use super::{Change, ChangeKind, Difference, Line};

const PAGE: &str = "\
:root{color-scheme:light dark}body{margin:0 auto;max-width:1500px;padding:24px 20px;background:#fff;color:#1b1b1f}\
@media(prefers-color-scheme:dark){body{background:#17171a;color:#e4e4e8}}\
body{font:14px/1.5 system-ui,sans-serif}h1{font-size:20px;margin:0 0 2px;overflow-wrap:anywhere}p{margin:0 0 18px;opacity:.7}";

/// The style of the tables only, because a notebook has its own rules for tables.
const STYLE: &str = "\
.mlirbc-diff{--fg:#1b1b1f;--dim:#63636e;--bg:#fff;--line:#e3e3e8;--head:#f5f5f7;--del:#ffebe9;--add:#e6f6e9;\
--mod:#fff6d8;--mov:#e8f0fe;font:14px/1.5 system-ui,sans-serif;color:var(--fg);background:var(--bg)}\
@media(prefers-color-scheme:dark){.mlirbc-diff{--fg:#e4e4e8;--dim:#9a9aa5;--bg:#17171a;--line:#33333a;--head:#222227;\
--del:#4a2124;--add:#1d3b25;--mod:#3d3519;--mov:#1f2f4d}}\
.mlirbc-diff h2{font:600 13px/1.5 ui-monospace,monospace;margin:0;padding:6px 12px;background:var(--head);\
overflow-wrap:anywhere}\
.mlirbc-diff section{border:1px solid var(--line);border-radius:6px;overflow:hidden;margin:0 0 14px}\
.mlirbc-diff table{border-collapse:collapse;width:100%;table-layout:fixed;margin:0;border:0;color:var(--fg)}\
.mlirbc-diff tbody tr:nth-child(n){background:none}\
.mlirbc-diff.mlirbc-diff td{font:12px/1.6 ui-monospace,monospace;padding:1px 12px;vertical-align:top;text-align:left;\
white-space:pre-wrap;overflow-wrap:anywhere;max-width:none}\
.mlirbc-diff td+td{border-left:1px solid var(--line)}.mlirbc-diff tr.same td{color:var(--dim)}\
.mlirbc-diff td.del{background:var(--del)}.mlirbc-diff td.add{background:var(--add)}\
.mlirbc-diff td.mov{background:var(--mov)}\
.mlirbc-diff tr.note td{background:var(--mod);font-family:system-ui,sans-serif;padding-left:28px}\
.mlirbc-diff tr.gap td{background:var(--head);color:var(--dim);padding:0 12px}";

impl Difference {
    /// Returns a self-contained page that shows the difference, with the names of the two modules.
    ///
    /// ```
    /// use mlirbc::tool::{DiffOptions, Difference};
    /// let module = mlirbc::Module::open("../../examples/two_layers.mlirbc")?;
    /// let page = Difference::of(&module, &module, &DiffOptions::default())?.to_html("a", "<b>");
    /// assert!(page.contains("&lt;b&gt;") && page.ends_with("</html>\n"));
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn to_html(&self, before: &str, after: &str) -> String {
        let (before, after) = (escape_markup(before), escape_markup(after));
        format!(
            "<!doctype html>\n<html lang=\"en\"><meta charset=\"utf-8\">\n{}\n<meta name=\"viewport\" \
             content=\"width=device-width\"><title>{before} → {after}</title>\n<style>{PAGE}</style>\n\
             <h1>{before} → {after}</h1><p>{}</p>\n{}</html>\n",
            content_policy(&[PAGE, STYLE], &[]),
            escape_markup(&self.headline()),
            self.to_html_fragment()
        )
    }

    /// Returns the tables of [`Self::to_html`] without the page around them, for a notebook.
    #[doc(hidden)]
    pub fn to_html_fragment(&self) -> String {
        let mut out = format!("<div class=\"mlirbc-diff\"><style>{STYLE}</style>\n");
        let mut symbol = None;
        for hunk in &self.hunks {
            if symbol == Some(&hunk.symbol) {
                out.push_str("<tr class=\"gap\"><td colspan=\"2\">⋯</td></tr>\n");
            } else {
                if symbol.is_some() {
                    out.push_str("</table></section>\n");
                }
                let name = if hunk.symbol.is_empty() { "top level" } else { &hunk.symbol };
                let _ = writeln!(out, "<section><h2>{}</h2><table>", escape_markup(name));
                symbol = Some(&hunk.symbol);
            }
            for line in &hunk.lines {
                match line {
                    Line::Same(text) => {
                        let text = escape_markup(text);
                        row(&mut out, "same", ("", &text), ("", &text));
                    }
                    Line::Change(number) => {
                        self.changes.get(*number).into_iter().for_each(|c| change(&mut out, c))
                    }
                }
            }
        }
        if symbol.is_some() {
            out.push_str("</table></section>\n");
        }
        if !self.resources.is_empty() {
            out.push_str("<section><h2>resources</h2><table>\n");
            for name in &self.resources {
                note(&mut out, name);
            }
            out.push_str("</table></section>\n");
        }
        if self.omitted > 0 {
            let _ = writeln!(out, "<p>{} more changes</p>", self.omitted);
        }
        out.push_str("</div>\n");
        out
    }
}

fn change(out: &mut String, change: &Change) {
    let text = |site: &Option<super::Site>| escape_markup(site.as_ref().map_or("", |site| &site.text));
    let (before, after) = (text(&change.before), text(&change.after));
    match change.kind {
        ChangeKind::Added => row(out, "", ("", ""), ("add", &after)),
        ChangeKind::Removed => row(out, "", ("del", &before), ("", "")),
        ChangeKind::Moved => {
            row(out, "", ("mov", &before), ("mov", &after));
            let path = change.before.as_ref().map_or("", |site| &site.path);
            note(out, &format!("moved from {path}"));
        }
        ChangeKind::Changed | ChangeKind::Renamed => row(out, "", ("del", &before), ("add", &after)),
    }
    if change.kind == ChangeKind::Renamed {
        note(out, "renamed");
    }
    change.details.iter().for_each(|detail| note(out, &detail.to_string()));
}

fn row(out: &mut String, class: &str, (left_class, left): (&str, &str), (right_class, right): (&str, &str)) {
    let class = if class.is_empty() { String::new() } else { format!(" class=\"{class}\"") };
    let cell = |class: &str, text: &str| match class {
        "" => format!("<td>{text}</td>"),
        class => format!("<td class=\"{class}\">{text}</td>"),
    };
    let _ = writeln!(out, "<tr{class}>{}{}</tr>", cell(left_class, left), cell(right_class, right));
}

fn note(out: &mut String, text: &str) {
    let _ = writeln!(out, "<tr class=\"note\"><td colspan=\"2\">{}</td></tr>", escape_markup(text));
}
