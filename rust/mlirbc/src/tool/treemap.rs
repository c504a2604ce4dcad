//! A size report as a picture whose areas are proportional to bytes: SVG, or a page of its own.

use std::fmt::Write;

use super::escape::{content_policy, escape_markup};
use super::size::{ELEMENTS, SizeReport, SizeRow};
use crate::wire::order;

const WIDTH: f64 = 1200.0;
const HEIGHT: f64 = 720.0;
/// The height of the heading above the tiles of a section.
const HEAD: f64 = 20.0;
/// The number of tiles of a section; the remaining ones are merged into one tile.
const TILES: usize = 60;
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

struct Tile {
    name: String,
    size: u64,
}

/// Returns an SVG document with areas for the sections of a file and their parts.
///
/// ```
/// let module = mlirbc::Module::open("../../examples/two_layers.mlirbc")?;
/// let svg = mlirbc::tool::treemap_svg(&mlirbc::tool::SizeReport::of(&module, false)?, "two_layers");
/// assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
/// # Ok::<(), mlirbc::Error>(())
/// ```
#[doc(hidden)]
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
        let tiles = tiles(report, row);
        let sizes: Vec<u64> = tiles.iter().map(|tile| tile.size).collect();
        if inner.height < 4.0 || inner.width < 4.0 {
            continue;
        }
        for (place, (tile, area)) in tiles.iter().zip(squarified(&sizes, inset(inner, 1.0))).enumerate() {
            let light = 78 + (place % 3) * 5;
            let share = percent(tile.size, report.size);
            let area = inset(area, 0.75);
            rect(&mut out, area, &format!("hsl({hue} 55% {light}%)"), &tip(&tile.name, tile.size, &share));
            if tile.name == row.name {
                label(&mut out, area, &bytes(tile.size), "#55555e", false);
                continue;
            }
            label(&mut out, area, &tile.name, "#1b1b1f", false);
            if area.height > 34.0 {
                let below = Area { y: area.y + 15.0, height: area.height - 15.0, ..area };
                label(&mut out, below, &bytes(tile.size), "#55555e", false);
            }
        }
    }
    out.push_str("</svg>\n");
    out
}

/// Returns the picture of [`treemap_svg`] with tables, as a self-contained page.
#[doc(hidden)]
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

// Returns the tiles of a section, the largest first.
fn tiles(report: &SizeReport, section: &SizeRow) -> Vec<Tile> {
    let rows: &[SizeRow] = match section.name.as_str() {
        "IR" => &report.symbols,
        "AttrType" => &report.kinds,
        "Resource" => &report.resources,
        "String" => &report.strings,
        _ => &[],
    };
    let tile = |row: &SizeRow| {
        let name = if row.name.is_empty() { "(unnamed)".to_owned() } else { cut(&row.name, 80) };
        Tile { name, size: row.size }
    };
    let mut tiles: Vec<Tile> = rows.iter().map(tile).collect();
    if section.name == "AttrType" {
        // Large constants have tiles of their own, and no longer count for their class.
        let mut apart: u64 = report.constants.iter().map(|row| row.size).sum();
        for tile in tiles.iter_mut().filter(|tile| ELEMENTS.contains(&&*tile.name)) {
            let taken = tile.size.min(apart);
            tile.size -= taken;
            apart -= taken;
        }
        tiles.extend(report.constants.iter().map(tile));
    }
    tiles.retain(|tile| tile.size > 0);
    order::sort_by_key(&mut tiles, |tile| std::cmp::Reverse(tile.size));
    tiles.truncate(TILES);
    // Rows also have bytes in directories, which are other sections: the drawn bytes are at most the section.
    let mut remaining = section.size;
    for tile in &mut tiles {
        tile.size = tile.size.min(remaining);
        remaining -= tile.size;
    }
    if remaining > 0 {
        let name = if rows.is_empty() { section.name.clone() } else { "other".to_owned() };
        let place = tiles.partition_point(|tile| tile.size >= remaining);
        tiles.insert(place, Tile { name, size: remaining });
    }
    tiles
}

// Returns areas for sizes in descending order, in rows whose shapes are as square as possible (Bruls,
// Huizing, van Wijk: Squarified Treemaps).
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
    // The tiles without bytes.
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

// Returns how many letters fit next to one another.
fn letters(area: Area) -> usize {
    const LETTER: f64 = 6.8;
    ((area.width - 8.0) / LETTER).max(0.0) as usize
}

// Writes a text at the top left of an area, cut to its width; nothing if the area is too small.
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

fn percent(tile: u64, whole: u64) -> String {
    format!("{:.1} %", 100.0 * tile as f64 / whole.max(1) as f64)
}

/// Formats a size, as in `1.5 KiB`.
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
