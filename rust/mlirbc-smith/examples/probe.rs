//! Finds by experiment which types a constraint accepts and which operations `mlir-opt` always accepts.
//!
//!     probe MLIR-OPT RELEASE SAMPLES [EARLIER-DATA] > data/llvm-22.txt
//!     probe MLIR-OPT RELEASE SAMPLES rows
//!
//! `docs/explanation/tools.md` describes the experiment. The rows are `types`, `constraint`, `operation`
//! and `example`.

#![allow(clippy::expect_used, clippy::unwrap_used, clippy::panic)]

use std::collections::{BTreeMap, HashMap, HashSet};
use std::io::Write as _;
use std::process::{Command, Stdio};

use mlirbc::ops::{OperationDefinition, OperationDefinitions};
use mlirbc::version::BytecodeVersion;
use mlirbc_smith::probe::{
    BETWEEN, Freedom, Instance, OperationPosition, TableRow, draw, draw_apart, module_of_row, pool,
    position_of, rows, text,
};

/// The number of texts that one process checks.
const BATCH: usize = 400;

struct Tool {
    path: String,
    probes: usize,
}

impl Tool {
    /// Returns the first error of each text; `None` for accepted texts.
    fn ask(&mut self, texts: &[String]) -> Vec<Option<String>> {
        let mut answers = Vec::with_capacity(texts.len());
        for batch in texts.chunks(BATCH) {
            answers.extend(self.ask_batch(batch));
        }
        self.probes += texts.len();
        answers
    }

    fn ask_batch(&self, texts: &[String]) -> Vec<Option<String>> {
        match self.run(texts, false) {
            (answers, true) => answers,
            (..) => self.ask_despite_crashes(texts),
        }
    }

    // Each text is followed by one that is always refused, so that the last such error shows which text
    // crashed.
    fn ask_despite_crashes(&self, texts: &[String]) -> Vec<Option<String>> {
        let mut answers = Vec::with_capacity(texts.len());
        while answers.len() < texts.len() {
            let with_marks: Vec<String> = texts
                .iter()
                .skip(answers.len())
                .flat_map(|text| [text.clone(), "mark\n".to_owned()])
                .collect();
            let (results, is_complete) = self.run(&with_marks, true);
            let done =
                results.chunks(2).take_while(|pair| is_complete || pair.last().is_some_and(Option::is_some));
            let done: Vec<_> = done.map(|pair| pair.first().cloned().flatten()).collect();
            answers.extend(done);
            if answers.len() < texts.len() {
                answers.push(Some("crashed".to_owned()));
            }
        }
        answers
    }

    // Returns the answers, and whether the tool ran to the end and reported every failure.
    fn run(&self, texts: &[String], has_marks: bool) -> (Vec<Option<String>>, bool) {
        let mut file = tempfile();
        let mut starts = Vec::new();
        let mut line = 1;
        for (number, text) in texts.iter().enumerate() {
            if number > 0 {
                file.1.write_all(b"// -----\n").unwrap();
                line += 1;
            }
            starts.push(line);
            file.1.write_all(text.as_bytes()).unwrap();
            line += text.matches('\n').count();
        }
        file.1.flush().unwrap();
        let output = Command::new("timeout")
            .args([
                "120",
                &self.path,
                "--split-input-file",
                "--allow-unregistered-dialect",
                "--mlir-print-op-generic",
            ])
            .args(["--mlir-disable-threading", &file.0, "-o", "/dev/null"])
            .stdin(Stdio::null())
            .output()
            .expect("mlir-opt");
        let stderr = String::from_utf8_lossy(&output.stderr);
        let is_silent = output.status.code() == Some(1) && !has_marks && !stderr.contains(": error: ");
        let is_complete = !is_silent && matches!(output.status.code(), Some(0 | 1));
        let mut answers = vec![None; texts.len()];
        for error in stderr.lines() {
            let Some((before, message)) = error.split_once(": error: ") else { continue };
            let Some(line) = absolute_line(before) else { continue };
            let place = starts.partition_point(|&start| start <= line).saturating_sub(1);
            answers[place].get_or_insert_with(|| message.to_owned());
        }
        (answers, is_complete)
    }
}

// `within split at FILE:START offset :LINE:COLUMN`, or `FILE:LINE:COLUMN` (MLIR 22).
fn absolute_line(before: &str) -> Option<usize> {
    let number = |text: &str| text.parse::<usize>().ok();
    match before.split_once(" offset :") {
        Some((file, place)) => {
            let start = number(file.rsplit_once(':')?.1)?;
            Some(start + number(place.split(':').next()?)? - 1)
        }
        None => number(before.rsplit(':').nth(1)?),
    }
}

fn tempfile() -> (String, std::io::BufWriter<std::fs::File>) {
    let path = std::env::temp_dir().join(format!("smith-probe-{}.mlir", std::process::id()));
    let file = std::fs::File::create(&path).expect("a temporary file");
    (path.to_string_lossy().into_owned(), std::io::BufWriter::new(file))
}

/// Returns whether an answer accepts or rejects the type of the value with this number.
fn verdict(answer: Option<&str>, value: usize, operands: usize) -> Option<bool> {
    let Some(message) = answer else { return Some(true) };
    for (word, first) in [("operand #", 0), ("result #", operands)] {
        if let Some((_, rest)) = message.split_once(word)
            && rest.contains("must be")
        {
            let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
            let refused = first + digits.parse::<usize>().ok()?;
            return match refused.cmp(&value) {
                std::cmp::Ordering::Less => None,
                std::cmp::Ordering::Equal => Some(false),
                std::cmp::Ordering::Greater => Some(true),
            };
        }
    }
    // Errors that are found before the types are checked.
    let early = [
        "requires attribute",
        "failed to satisfy",
        "expected",
        "segment",
        "invalid propert",
        "crashed",
        "requires zero",
        "requires one",
        "requires at least",
    ];
    if early.iter().any(|words| message.contains(words)) || message.contains("region") {
        return None;
    }
    Some(true)
}

struct Experiment {
    tool: Tool,
    release: u32,
    definitions: Vec<(std::sync::Arc<OperationDefinition>, OperationPosition)>,
    types: Vec<String>,
    accepted: HashMap<String, Vec<String>>,
}

impl Experiment {
    /// Finds the types of the pool that the release has.
    fn find_types(&mut self) {
        let texts: Vec<String> = pool()
            .map(|text| format!("%0 = \"builtin.unrealized_conversion_cast\"() : () -> ({text})\n"))
            .collect();
        let answers = self.tool.ask(&texts);
        self.types = pool()
            .zip(answers)
            .filter(|(_, answer)| answer.is_none())
            .map(|(text, _)| text.to_owned())
            .collect();
    }

    /// Takes the types and constraints from the data of an earlier experiment.
    fn take(&mut self, earlier: &str) {
        let pool: Vec<&str> = pool().collect();
        let types = |numbers: &str| -> Vec<String> {
            numbers
                .split(' ')
                .filter_map(|number| pool.get(number.parse::<usize>().ok()?))
                .map(|text| (*text).to_owned())
                .collect()
        };
        for line in earlier.lines() {
            match line.split('\t').collect::<Vec<_>>()[..] {
                ["types", numbers] => self.types = types(numbers),
                ["constraint", name, numbers] => {
                    self.accepted.insert(name.to_owned(), types(numbers));
                }
                _ => {}
            }
        }
    }

    /// Finds the types that each constraint accepts.
    fn find_constraints(&mut self) {
        let mut users: BTreeMap<String, Vec<(usize, usize)>> = BTreeMap::new();
        for (number, (definition, _)) in self.definitions.iter().enumerate() {
            let values = definition.operands().iter().chain(definition.results());
            for (place, value) in values.enumerate() {
                if let Some(constraint) = value.constraint() {
                    users.entry(constraint.name().to_owned()).or_default().push((number, place));
                }
            }
        }
        // Definitions with the fewest rules come first.
        for places in users.values_mut() {
            places.sort_by_key(|&(user, place)| {
                let definition = &self.definitions[user].0;
                let is_needed =
                    |one: &&mlirbc::ops::AttributeDefinition| !one.is_optional() && one.default().is_none();
                let needed = definition.attributes().iter().filter(is_needed).count();
                (needed + definition.regions().len(), place, definition.operands().len())
            });
        }
        let mut verdicts: HashMap<(String, String), bool> = HashMap::new();
        for round in 0..4 {
            let mut questions = Vec::new();
            let mut texts = Vec::new();
            for (constraint, places) in &users {
                for r#type in &self.types {
                    if (round > 0 && round >= places.len())
                        || verdicts.contains_key(&(constraint.clone(), r#type.clone()))
                    {
                        continue;
                    }
                    let &(user, place) = &places[round % places.len()];
                    let (definition, at) = &self.definitions[user];
                    let Some((text, value, operands)) =
                        self.question(definition, *at, place, r#type, round as u64)
                    else {
                        continue;
                    };
                    questions.push((constraint.clone(), r#type.clone(), value, operands));
                    texts.push(text);
                }
            }
            let answers = self.tool.ask(&texts);
            for ((constraint, r#type, value, operands), answer) in questions.into_iter().zip(answers) {
                if let Some(is_accepted) = verdict(answer.as_deref(), value, operands) {
                    verdicts.insert((constraint, r#type), is_accepted);
                }
            }
            self.accepted = HashMap::new();
            for constraint in users.keys() {
                let is_known =
                    |text: &&String| verdicts.get(&(constraint.clone(), (*text).clone())) == Some(&true);
                let types = self.types.iter().filter(is_known).cloned().collect();
                self.accepted.insert(constraint.clone(), types);
            }
            eprintln!("round {round}: {} questions, {} known", texts.len(), verdicts.len());
        }
    }

    // Builds the operation with one value of the type; returns the number of that value and the number of
    // operands.
    fn question(
        &self,
        definition: &OperationDefinition,
        at: OperationPosition,
        place: usize,
        r#type: &str,
        seed: u64,
    ) -> Option<(String, usize, usize)> {
        let only = [r#type.to_owned()];
        // Each constraint gets a type that it is known to accept, or otherwise the type in question.
        let types_of = |name: &str| match self.accepted.get(name) {
            Some(types) if !types.is_empty() => types.get(..1).unwrap_or_default().to_vec(),
            _ => only.to_vec(),
        };
        let mut chosen: HashMap<String, Vec<String>> = HashMap::new();
        let operands = definition.operands().len();
        for value in definition.operands().iter().chain(definition.results()) {
            let name = value.constraint().map_or("AnyType", |constraint| constraint.name());
            chosen.insert(name.to_owned(), types_of(name));
        }
        let mut instance = None;
        for attempt in 0..8 {
            let lookup = |name: &str| chosen.get(name).map_or(&[][..], Vec::as_slice);
            instance = draw_apart(definition, &lookup, self.release, seed * 8 + attempt);
            if instance.as_ref().is_some_and(|(_, counts)| counts[place] > 0) {
                break;
            }
        }
        let (mut instance, counts) = instance?;
        if counts[place] == 0 {
            return None;
        }
        let value: usize = counts[..place].iter().sum();
        let operand_count = instance.operands.len();
        let slot = if place < operands {
            instance.operands.get_mut(value)
        } else {
            instance.results.get_mut(value - operand_count)
        };
        *slot? = r#type.to_owned();
        Some((text(definition, &instance, at, self.release, false), value, operand_count))
    }

    /// Finds the operations that are always accepted, and examples of the others.
    fn find_operations(&mut self, samples: u64) {
        let mut open: Vec<(usize, Vec<(Freedom, bool)>)> = (0..self.definitions.len())
            .map(|number| {
                let has_regions = !self.definitions[number].0.regions().is_empty();
                let freedoms = Freedom::EACH.into_iter();
                let ways = if has_regions {
                    freedoms.flat_map(|freedom| [(freedom, true), (freedom, false)]).collect()
                } else {
                    freedoms.map(|freedom| (freedom, false)).collect()
                };
                (number, ways)
            })
            .collect();
        let mut rows: BTreeMap<String, String> = BTreeMap::new();
        let mut examples: HashMap<usize, Vec<(Instance, bool)>> = HashMap::new();
        // The first samples are few, because most operations fail early.
        while !open.is_empty() {
            let mut alive: Vec<(usize, Freedom, bool)> =
                open.iter().map(|(number, ways)| (*number, ways[0].0, ways[0].1)).collect();
            for (from, to) in [(0, 8), (8, samples)] {
                let mut texts = Vec::new();
                let mut owners = Vec::new();
                for &(number, freedom, is_open) in &alive {
                    let (definition, place) = &self.definitions[number];
                    for seed in from..to {
                        let lookup = |name: &str| self.accepted.get(name).map_or(&[][..], Vec::as_slice);
                        let mixed = seed.wrapping_mul(7919).wrapping_add(number as u64 * 1_000_003);
                        if let Some(instance) = draw(definition, &lookup, self.release, freedom, mixed) {
                            texts.push(text(definition, &instance, *place, self.release, is_open));
                            owners.push((number, instance, is_open));
                        }
                    }
                }
                let answers = self.tool.ask(&texts);
                let mut refused: HashSet<usize> = HashSet::new();
                let mut probed: HashSet<usize> = HashSet::new();
                for ((number, instance, is_open), answer) in owners.into_iter().zip(answers) {
                    probed.insert(number);
                    if let Some(message) = answer {
                        if std::env::var_os("SMITH_PROBE_SHOW").is_some() && refused.insert(number) {
                            eprintln!("{}: {message}", self.definitions[number].0.name());
                        }
                        refused.insert(number);
                    } else {
                        let accepted = examples.entry(number).or_default();
                        if accepted.len() < 4 && !accepted.iter().any(|(example, _)| *example == instance) {
                            accepted.push((instance, is_open));
                        }
                    }
                }
                alive.retain(|(number, ..)| probed.contains(number) && !refused.contains(number));
            }
            for &(number, freedom, is_open) in &alive {
                let name = self.definitions[number].0.name();
                let open = if is_open { "o" } else { "" };
                rows.insert(name.to_owned(), format!("operation\t{name}\t{}\t{open}", freedom.letter()));
            }
            let done: HashSet<usize> = alive.iter().map(|(number, ..)| *number).collect();
            open.retain_mut(|(number, ways)| {
                ways.remove(0);
                !done.contains(number) && !ways.is_empty()
            });
            eprintln!("{} operations found, {} left, {} probes", rows.len(), open.len(), self.tool.probes);
        }
        for (number, accepted) in examples {
            let name = self.definitions[number].0.name();
            if rows.contains_key(name) {
                continue;
            }
            // An example counts as open only if all examples are open.
            let open = if accepted.iter().all(|(_, is_open)| *is_open) { "o" } else { "" };
            let lines: Vec<String> = accepted
                .iter()
                .map(|(instance, _)| {
                    let attributes: Vec<_> =
                        instance.attributes.iter().map(|(name, value)| format!("{name} = {value}")).collect();
                    format!(
                        "example\t{name}\t{}\t{}\t{}\t{}\t{open}",
                        instance.operands.join(BETWEEN),
                        instance.results.join(BETWEEN),
                        attributes.join(BETWEEN),
                        instance.regions.iter().map(|shape| shape.letter()).collect::<String>(),
                    )
                })
                .collect();
            rows.insert(name.to_owned(), lines.join("\n"));
        }
        for row in rows.values() {
            println!("{row}");
        }
    }

    /// Prints the rows of the dialect tables whose attributes and types are accepted in every version.
    fn find_rows(&self, samples: u64) {
        for row in rows() {
            if !matches!(row.dialect(), "vhlo" | "stablehlo" | "chlo" | "mhlo" | "sdy")
                && self.is_accepted(&row, samples)
            {
                println!("row\t{row}");
            }
        }
    }

    fn is_accepted(&self, row: &TableRow, samples: u64) -> bool {
        let versions = (0..).map_while(BytecodeVersion::new);
        let mut is_there = false;
        for version in versions {
            let written = match module_of_row(self.release, version, row, samples) {
                Ok(Some(written)) => written,
                Ok(None) => continue,
                Err(error) => {
                    eprintln!("{row} {}: {error}", row.name());
                    return false;
                }
            };
            let path = std::env::temp_dir().join(format!("smith-probe-{}.mlirbc", std::process::id()));
            std::fs::write(&path, written).unwrap();
            let output = Command::new("timeout")
                .args(["60", &self.tool.path, "--allow-unregistered-dialect"])
                .arg(&path)
                .args(["-o", "/dev/null"])
                .output()
                .expect("mlir-opt");
            if !output.status.success() {
                let stderr_start =
                    String::from_utf8_lossy(&output.stderr).chars().take(200).collect::<String>();
                eprintln!("{row} {} v{}: {stderr_start}", row.name(), version.number());
                return false;
            }
            is_there = true;
        }
        is_there
    }

    fn print_types(&self) {
        let numbers = |types: &[String]| {
            let place = |text: &String| {
                pool().position(|known| known == text).expect("a type of the pool").to_string()
            };
            types.iter().map(place).collect::<Vec<_>>().join(" ")
        };
        println!("types\t{}", numbers(&self.types));
        let sorted: BTreeMap<_, _> = self.accepted.iter().collect();
        for (name, types) in sorted {
            if !types.is_empty() {
                println!("constraint\t{name}\t{}", numbers(types));
            }
        }
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let (path, release, samples, earlier) = match &arguments[..] {
        [_, path, release, samples] => (path, release, samples, None),
        [_, path, release, samples, earlier] => (path, release, samples, Some(earlier)),
        _ => panic!("probe MLIR-OPT RELEASE SAMPLES [EARLIER-DATA]"),
    };
    let definitions =
        OperationDefinitions::of(&mlirbc::Release::named(format!("llvm-{release}"))).expect("a release");
    let definitions = definitions
        .names()
        .filter_map(|name| definitions.get(name))
        .filter_map(|definition| position_of(&definition).map(|place| (definition, place)))
        .collect();
    let mut experiment = Experiment {
        tool: Tool { path: path.clone(), probes: 0 },
        release: release.parse().expect("a number"),
        definitions,
        types: Vec::new(),
        accepted: HashMap::new(),
    };
    let samples = samples.parse().expect("a number");
    if earlier.is_some_and(|earlier| earlier == "rows") {
        experiment.find_rows(samples);
        return;
    }
    println!("mlirbc-smith/1\tllvm-{release}");
    match earlier {
        Some(earlier) => experiment.take(&std::fs::read_to_string(earlier).expect("the earlier data")),
        None => {
            experiment.find_types();
            experiment.find_constraints();
        }
    }
    experiment.print_types();
    experiment.find_rows(samples);
    experiment.find_operations(samples);
}
