//! Attributes and types of packs as text.

use std::fmt::Write;

use super::classes::{ClassDefinition, ClassElement, ClassParameter, ParameterKind};

impl ClassDefinition {
    /// Describes the class for people: its summary, the place of its definition, its syntax and its parameters.
    ///
    /// ```
    /// use mlirbc::pack::Pack;
    /// let pack = br#"{"format":"mlirbc-pack/1","name":"t","releases":[{"name":"t-explained","llvm":"llvm-22"}]}
    /// {"type":"t.box","at":"T.td:3","summary":"a box","parameters":[["size","unsigned",{"kind":"int"}]],"format":["`<","$size","`>"]}
    /// "#;
    /// Pack::from_bytes(pack, &mlirbc::limits::Limits::default())?.register()?;
    /// let class = mlirbc::ops::OperationDefinitions::of(&mlirbc::Release::named("t-explained")).unwrap().class(true, "t.box").unwrap();
    /// assert_eq!(
    ///     class.description(),
    ///     "!t.box\n  a box\n  defined in T.td:3\n\nsyntax\n  !t.box `<` $size `>`\n\nparameters\n  size  unsigned\n"
    /// );
    /// # Ok::<(), mlirbc::Error>(())
    /// ```
    pub fn description(&self) -> String {
        let sigil = if self.is_type() { '!' } else { '#' };
        let mut text = format!("{sigil}{}\n", self.name());
        for line in self.summary().lines() {
            let _ = writeln!(text, "  {}", line.trim());
        }
        if !self.source().is_empty() {
            let _ = writeln!(text, "  defined in {}", self.source());
        }
        let _ = write!(text, "\nsyntax\n  {sigil}{}", self.name());
        match self.format() {
            Some(elements) => self.add_elements(&mut text, elements),
            None => text.push_str(" (written by C++)"),
        }
        text.push('\n');
        if !self.parameters().is_empty() {
            text.push_str("\nparameters\n");
        }
        let width = self.parameters().iter().map(|one| one.name().len()).max().unwrap_or_default();
        for parameter in self.parameters() {
            let _ = writeln!(text, "  {:width$}  {}", parameter.name(), described(parameter));
        }
        text
    }

    fn add_elements(&self, text: &mut String, elements: &[ClassElement]) {
        let name = |place: usize| self.parameters().get(place).map_or("", ClassParameter::name);
        let names = |places: &[usize]| {
            places.iter().map(|&place| format!("${}", name(place))).collect::<Vec<_>>().join(", ")
        };
        for element in elements {
            match element {
                ClassElement::Literal(literal) => drop(write!(text, " `{literal}`")),
                ClassElement::NoSpace => text.push_str(" ``"),
                ClassElement::Space => text.push_str(" ` `"),
                ClassElement::Newline => text.push_str(" `\\n`"),
                ClassElement::Parameter { place, is_qualified: true } => {
                    let _ = write!(text, " qualified(${})", name(*place));
                }
                ClassElement::Parameter { place, .. } => drop(write!(text, " ${}", name(*place))),
                ClassElement::Parameters(places) => drop(write!(text, " params({})", names(places))),
                ClassElement::Struct(places) => drop(write!(text, " struct({})", names(places))),
                ClassElement::Group { then, otherwise, .. } => {
                    text.push_str(" (");
                    self.add_elements(text, then);
                    text.push_str(" )?");
                    if !otherwise.is_empty() {
                        text.push_str(" :(");
                        self.add_elements(text, otherwise);
                        text.push_str(" )");
                    }
                }
            }
        }
    }
}

fn described(parameter: &ClassParameter) -> String {
    let mut text = parameter.code().to_owned();
    if let ParameterKind::Case { cases, .. } = parameter.kind() {
        let names: Vec<&str> = cases.cases().map(|(_, name)| name).collect();
        let _ = write!(text, ", one of {}", names.join(", "));
    }
    match parameter.default() {
        Some(default) => drop(write!(text, ", default {default}")),
        None if parameter.is_optional() => text.push_str(", optional"),
        None => {}
    }
    text
}
