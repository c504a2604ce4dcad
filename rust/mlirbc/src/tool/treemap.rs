//! A size report as a picture: areas are bytes, as SVG or as a page of its own.

use std::fmt::Write;

use super::escape::{content_policy, escape_markup};
use super::size::{ELEMENTS, SizeReport, SizeRow};
use crate::wire::order;

const WIDTH: f64 = 1200.0;
const HEIGHT: f64 = 720.0;
/// The height of the name above the parts of a section.
const HEAD: f64 = 20.0;
/// The number of parts of a section that are shown; the others are one.
const PARTS: usize = 60;
/// The hue of each section, in the order of the report.
const HUES: [u16; 10] = [210, 150, 35, 265, 345, 185, 85, 310, 15, 235];

/// The style of the page.
const STYLE: &str = "\
body{font:14px/1.45 system-ui,sans-serif;margin:0 auto;max-width:1240px;padding:24px 20px;color:#1b1b1f;\
background:#fff}h1{font-size:20px;margin:0 0 2px}p{margin:0 0 16px;color:#55555e}svg{width:100%;\
height:auto;display:block}rect:hover{stroke:#111;stroke-width:2}main{display:grid;gap:8px 40px;\
grid-template-columns:repeat(auto-fit,minmax(370px,1fr));margin-top:20px}h2{font-size:14px;margin:12px 0 4px}\
table{border-collapse:collapse;width:100%;table-layout:fixed}td,th{padding:3px 6px;text-align:right;\
border-bottom:1px solid #e6e6ea;font-weight:400;width:64px;font-variant-numeric:tabular-nums}th{color:#55555e;\
font-size:12px}td:first-child,th:first-child{text-align:left;width:auto;overflow:hidden;text-overflow:ellipsis;\
white-space:nowrap}";

#[derive(Clone, Copy)]
struct Area {
    x: f64,
    y: f64,
    width: f64,
    height: f64,
}

struct Part {
    name: String,
    size: u64,
}

/// Draws the sections of a file and their parts as an SVG document.
///
/// ```
/// let module = mlirbc::Module::open("../../examples/two_layers.mlirbc")?;
/// let svg = mlirbc::tool::treemap_svg(&mlirbc::tool::SizeReport::of(&module, false)?, "two_layers");
/// assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
/// # Ok::<(), mlirbc::Error>(())
/// ```
pub fn treemap_svg(report: &SizeReport, name: &str) -> String {
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" \
         font-family=\"system-ui,sans-serif\" font-size=\"12\">\n<title>{}: {}</title>\n",
        escape_markup(name),
        bytes(report.size)
    );
    let all = Area { x: 0.0, y: 0.0, width: WIDTH, height: HEIGHT };
    let mut sections: Vec<(usize, &SizeRow)> =
        report.sections.iter().enumerate().filter(|(_, row)| row.size > 0).collect();
    order::sort_by_key(&mut sections, |(_, row)| std::cmp::Reverse(row.size));
    let sizes: Vec<u64> = sections.iter().map(|(_, row)| row.size).collect();
    for (&(number, row), area) in sections.iter().zip(squarified(&sizes, all)) {
        let hue = HUES[number % HUES.len()];
        let area = inset(area, 1.5);
        let share = percent(row.size, report.size);
        rect(&mut out, area, &format!("hsl({hue} 45% 38%)"), &tip(&row.name, row.size, &share));
        if area.height > HEAD {
            let mut text = format!("{} · {} · {share}", row.name, bytes(row.size));
            if text.chars().count() > letters(area) {
                text.clone_from(&row.name);
            }
            label(&mut out, Area { height: HEAD, ..area }, &text, "#fff", true);
        }
        let inner = Area { y: area.y + HEAD, height: (area.height - HEAD).max(0.0), ..area };
        let parts = parts(report, row);
        let sizes: Vec<u64> = parts.iter().map(|part| part.size).collect();
        if inner.height < 4.0 || inner.width < 4.0 {
            continue;
        }
        for (place, (part, area)) in parts.iter().zip(squarified(&sizes, inset(inner, 1.0))).enumerate() {
            let light = 78 + (place % 3) * 5;
            let share = percent(part.size, report.size);
            let area = inset(area, 0.75);
            rect(&mut out, area, &format!("hsl({hue} 55% {light}%)"), &tip(&part.name, part.size, &share));
            if part.name == row.name {
                label(&mut out, area, &bytes(part.size), "#55555e", false);
                continue;
            }
            label(&mut out, area, &part.name, "#1b1b1f", false);
            if area.height > 34.0 {
                let below = Area { y: area.y + 15.0, height: area.height - 15.0, ..area };
                label(&mut out, below, &bytes(part.size), "#55555e", false);
            }
        }
    }
    out.push_str("</svg>\n");
    out
}

/// The picture of [`treemap_svg`] with tables, as a page that needs nothing else.
pub fn treemap_html(report: &SizeReport, name: &str) -> String {
    let title = escape_markup(name);
    let mut out = format!(
        "<!doctype html>\n<html lang=\"en\"><meta charset=\"utf-8\">\n{}\n<meta name=\"viewport\" \
         content=\"width=device-width\"><title>{title}: sizes</title>\n<style>{STYLE}</style>\n\
         <h1>{title}</h1><p>{}</p>\n{}<main>",
        content_policy(&[STYLE], &[]),
        bytes(report.size),
        treemap_svg(report, name)
    );
    let lists = [
        ("Symbols", &report.symbols),
        ("Operations", &report.operations),
        ("Attributes and types", &report.kinds),
        ("Constants", &report.constants),
        ("Resources", &report.resources),
        ("Dialects", &report.dialects),
        ("Strings", &report.strings),
        ("Duplicates", &report.duplicates),
    ];
    for (title, rows) in lists.into_iter().filter(|(_, rows)| !rows.is_empty()) {
        let _ = write!(out, "<section><h2>{title}</h2><table><tr><th>name<th>count<th>bytes<th>inclusive");
        for row in rows.iter().take(20) {
            let name = escape_markup(&cut(&row.name, 80));
            let _ = write!(
                out,
                "<tr><td title=\"{name}\">{name}<td>{}<td>{}<td>{}",
                row.count,
                bytes(row.size),
                bytes(row.inclusive)
            );
        }
        out.push_str("</table></section>\n");
    }
    out.push_str("</main></html>\n");
    out
}

// What a section consists of, the largest first.
fn parts(report: &SizeReport, section: &SizeRow) -> Vec<Part> {
    let rows: &[SizeRow] = match section.name.as_str() {
        "IR" => &report.symbols,
        "AttrType" => &report.kinds,
        "Resource" => &report.resources,
        "String" => &report.strings,
        _ => &[],
    };
    let part = |row: &SizeRow| {
        let name = if row.name.is_empty() { "(unnamed)".to_owned() } else { cut(&row.name, 80) };
        Part { name, size: row.size }
    };
    let mut parts: Vec<Part> = rows.iter().map(part).collect();
    if section.name == "AttrType" {
        // Large constants are parts of their own, and no longer of their class.
        let mut apart: u64 = report.constants.iter().map(|row| row.size).sum();
        for part in parts.iter_mut().filter(|part| ELEMENTS.contains(&&*part.name)) {
            let taken = part.size.min(apart);
            part.size -= taken;
            apart -= taken;
        }
        parts.extend(report.constants.iter().map(part));
    }
    parts.retain(|part| part.size > 0);
    order::sort_by_key(&mut parts, |part| std::cmp::Reverse(part.size));
    parts.truncate(PARTS);
    // Rows have bytes in the directories, too: what is drawn is at most the section.
    let mut left = section.size;
    for part in &mut parts {
        part.size = part.size.min(left);
        left -= part.size;
    }
    if left > 0 {
        let name = if rows.is_empty() { section.name.clone() } else { "other".to_owned() };
        let place = parts.partition_point(|part| part.size >= left);
        parts.insert(place, Part { name, size: left });
    }
    parts
}

// Areas for sizes in descending order, in rows whose shapes are as square as possible (Bruls, Huizing, van Wijk:
// Squarified Treemaps).
fn squarified(sizes: &[u64], mut free: Area) -> Vec<Area> {
    let mut areas = Vec::new();
    let mut total: f64 = sizes.iter().map(|&size| size as f64).sum();
    let mut start = 0;
    while start < sizes.len() && total > 0.0 {
        let scale = free.width * free.height / total;
        let side = free.width.min(free.height);
        let worst = |sum: f64, first: f64, last: f64| {
            let (side, sum) = (side * side, sum * sum);
            (side * first / sum).max(sum / (side * last))
        };
        let (mut end, mut sum, first) = (start, 0.0, sizes[start] as f64 * scale);
        let mut ratio = f64::INFINITY;
        while let Some(&size) = sizes.get(end) {
            let size = size as f64 * scale;
            let next = worst(sum + size, first, size.max(f64::MIN_POSITIVE));
            if end > start && next > ratio {
                break;
            }
            (ratio, sum, end) = (next, sum + size, end + 1);
        }
        let thickness = if side > 0.0 { sum / side } else { 0.0 };
        let mut at = 0.0;
        for &size in &sizes[start..end] {
            let length = if thickness > 0.0 { size as f64 * scale / thickness } else { 0.0 };
            areas.push(if free.width >= free.height {
                Area { x: free.x, y: free.y + at, width: thickness, height: length }
            } else {
                Area { x: free.x + at, y: free.y, width: length, height: thickness }
            });
            at += length;
            total -= size as f64;
        }
        if free.width >= free.height {
            free = Area { x: free.x + thickness, width: (free.width - thickness).max(0.0), ..free };
        } else {
            free = Area { y: free.y + thickness, height: (free.height - thickness).max(0.0), ..free };
        }
        start = end;
    }
    // Parts without bytes.
    areas.resize(sizes.len(), Area { width: 0.0, height: 0.0, ..free });
    areas
}

fn inset(area: Area, by: f64) -> Area {
    let (width, height) = ((area.width - 2.0 * by).max(0.0), (area.height - 2.0 * by).max(0.0));
    Area { x: area.x + by, y: area.y + by, width, height }
}

fn rect(out: &mut String, area: Area, fill: &str, tip: &str) {
    let Area { x, y, width, height } = area;
    let _ = writeln!(
        out,
        "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" rx=\"2\" fill=\"{fill}\">\
         <title>{tip}</title></rect>"
    );
}

// How many letters fit next to one another.
fn letters(area: Area) -> usize {
    const LETTER: f64 = 6.8;
    ((area.width - 8.0) / LETTER).max(0.0) as usize
}

// A text at the top left of an area, cut to its width; none if the area is too small for one.
fn label(out: &mut String, area: Area, text: &str, fill: &str, is_bold: bool) {
    let letters = letters(area);
    if area.height < 16.0 || letters < 3 {
        return;
    }
    let text = escape_markup(&cut(text, letters));
    let (x, y) = (area.x + 5.0, area.y + 14.0);
    let weight = if is_bold { " font-weight=\"600\"" } else { "" };
    let _ = writeln!(
        out,
        "<text x=\"{x:.1}\" y=\"{y:.1}\" fill=\"{fill}\"{weight} pointer-events=\"none\">{text}</text>"
    );
}

fn tip(name: &str, size: u64, share: &str) -> String {
    format!("{}\n{size} bytes, {share}", escape_markup(name))
}

fn percent(part: u64, whole: u64) -> String {
    format!("{:.1} %", 100.0 * part as f64 / whole.max(1) as f64)
}

/// `1.5 KiB`
fn bytes(size: u64) -> String {
    const UNITS: [&str; 4] = ["KiB", "MiB", "GiB", "TiB"];
    if size < 1024 {
        return format!("{size} B");
    }
    let (mut value, mut unit) = (size as f64 / 1024.0, 0);
    while value >= 1024.0 && unit + 1 < UNITS.len() {
        (value, unit) = (value / 1024.0, unit + 1);
    }
    format!("{value:.1} {}", UNITS[unit])
}

fn cut(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    text.chars().take(most.saturating_sub(1)).chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn areas_are_in_proportion_and_inside() {
        let sizes = [600, 600, 400, 300, 200, 200, 100, 1, 0];
        let free = Area { x: 10.0, y: 20.0, width: 600.0, height: 400.0 };
        let areas = squarified(&sizes, free);
        let total: u64 = sizes.iter().sum();
        assert_eq!(areas.len(), sizes.len());
        for (area, &size) in areas.iter().zip(&sizes) {
            let expected = 240_000.0 * size as f64 / total as f64;
            assert!((area.width * area.height - expected).abs() < 1e-6 * 240_000.0);
            assert!(area.x >= 10.0 - 1e-6 && area.x + area.width <= 610.0 + 1e-6);
            assert!(area.y >= 20.0 - 1e-6 && area.y + area.height <= 420.0 + 1e-6);
        }
        let ratio = |area: &Area| (area.width / area.height).max(area.height / area.width);
        assert!(areas[..7].iter().all(|area| ratio(area) < 3.0));
    }
}
