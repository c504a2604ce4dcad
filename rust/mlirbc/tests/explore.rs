//! Pages to explore a module: every file gives one or an error, and names lead to where they are defined.

#![allow(missing_docs, clippy::unwrap_used, clippy::panic)]

mod support;

use mlirbc::Module;
use mlirbc::tool::{ExploreOptions, explore, operation_html};

use crate::support::files;

fn part(page: &str, id: &str) -> Option<serde_json::Value> {
    let start = format!("<script type=\"application/json\" id=\"{id}\">");
    let from = page.find(&start)? + start.len();
    let to = page[from..].find("</script>")?;
    Some(serde_json::from_str(&page[from..from + to]).unwrap())
}

fn numbers(of: &serde_json::Value) -> Vec<i64> {
    of.as_array().unwrap().iter().map(|number| number.as_i64().unwrap()).collect()
}

/// Checks the names in a page; returns how many there are.
fn check(page: &str) -> usize {
    // Data, the script and their ends alternate: nothing in between ended one.
    assert_eq!(page.matches("<script").count(), page.matches("</script>").count());
    let mut lines: Vec<String> = Vec::new();
    let mut names = Vec::new();
    for number in 0.. {
        let Some(chunk) = part(page, &format!("l{number}")) else { break };
        let mut line = lines.len();
        lines.extend(chunk["t"].as_str().unwrap().split('\n').map(str::to_owned));
        for mark in numbers(&chunk["m"]).chunks(4) {
            line += mark[0] as usize;
            let units: Vec<u16> = lines[line].encode_utf16().collect();
            let name = String::from_utf16_lossy(&units[mark[1] as usize..(mark[1] + mark[2]) as usize]);
            assert!(name.starts_with('%'), "{name}");
            names.push((name, mark[3] as usize / 2));
        }
    }
    let mut defined = Vec::new();
    for number in 0.. {
        let Some(values) = part(page, &format!("v{number}")) else { break };
        defined.extend(numbers(&values["l"]));
    }
    for (name, value) in &names {
        let Ok(line) = usize::try_from(defined[*value]) else { continue };
        let base = name.split(['#', ':']).next().unwrap();
        assert!(lines[line].contains(base), "{name} in {}", lines[line]);
    }
    names.len()
}

#[test]
fn names_lead_to_their_definitions_in_every_file() {
    let (mut pages, mut names) = (0, 0);
    for path in files("tests/data").into_iter().chain(files("examples")) {
        let Ok(module) = Module::open(&path) else { continue };
        let mut page = Vec::new();
        if explore(&module, "a file", &ExploreOptions::default(), &mut page).is_ok() {
            pages += 1;
            names += check(std::str::from_utf8(&page).unwrap());
        }
        if let Ok(op) = module.operation() {
            let _ = operation_html("", &op);
        }
    }
    assert!(pages > 100 && names > 1000, "{pages} pages, {names} names");
}

#[test]
fn a_page_is_the_same_each_time() {
    let page = || {
        let module = Module::open("../../examples/two_layers.mlirbc").unwrap();
        let mut page = Vec::new();
        explore(&module, "a file", &ExploreOptions::default(), &mut page).unwrap();
        page
    };
    assert_eq!(page(), page());
}
