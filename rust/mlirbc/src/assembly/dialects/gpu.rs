//! Operations of `gpu` (`mlir/lib/Dialect/GPU/IR/GPUDialect.cpp`).

use crate::assembly::blocks::{CarriedValues, FunctionSignature};
use crate::assembly::syntax_steps::SyntaxSteps;
use crate::assembly::{Bracket, Flow, Progress, RegionStyle, Syntax};
use crate::attr::text::dense::Element;
use crate::attr::text::lexer::TokenKind;

forms! {
    /// The region has arguments for numbers, sizes and buffers, and the clusters are optional.
    Launch: "launch" => launch;
    /// The body has the arguments of the signature, and then the buffers in clauses.
    Function: "func" => function,
}

/// ` keyword(%a : memref<…>)`, or nothing; the dictionaries of the buffers are an attribute.
fn attributions<S: Syntax>(
    s: &mut S,
    keyword: &str,
    known_arguments: &[S::Argument],
    attributes: Option<&str>,
) -> Result<Vec<S::Argument>, S::Error> {
    if !s.optional_text(keyword, |_| Ok(!known_arguments.is_empty()))? {
        return Ok(Vec::new());
    }
    let dictionaries = attributes.map_or(Ok(Vec::new()), |name| s.known_items(name))?;
    let (mut buffers, mut read_dictionaries) = (Vec::new(), Vec::new());
    s.list(Bracket::Round, known_arguments.len(), |s, place| {
        let known_argument = known_arguments.get(place).copied();
        let argument = s.argument(known_argument)?;
        let known_type = s.type_of_argument(known_argument)?;
        let r#type = s.type_after(" : ", known_type)?;
        if attributes.is_some() {
            read_dictionaries.push(s.dictionary(dictionaries.get(place).copied(), true)?);
        }
        let argument = s.with_type(argument, r#type);
        buffers.push(if S::PRINTS { argument } else { s.argument_location(argument)? });
        Ok(())
    })?;
    if let Some(name) = attributes {
        s.set_dictionaries(name, &read_dictionaries)?;
    }
    Ok(buffers)
}

/// The number of workgroup attributions that the operation stores.
fn workgroup_count<S: Syntax>(s: &mut S) -> Result<usize, S::Error> {
    let attribute = s.any_attr("workgroup_attributions").filter(|_| S::PRINTS);
    let count = match attribute {
        Some(attribute) => {
            let number = s.integers_in(attribute).and_then(|numbers| u32::try_from(*numbers.first()?).ok());
            s.some(number)? as usize
        }
        None => 0,
    };
    // A parser stores the number of attributions in the text.
    let is_stored = attribute.map(|attribute| {
        s.integer_words(attribute).is_some_and(|(element, _)| element == Element::Signless(64))
    });
    let is_always_stored = match s.definition().name() {
        // Since 23, both are inherent, and the number is absent if there are no buffers.
        "gpu.func" => !s.is_inherent("kernel"),
        _ => s.release().has_properties() && !s.is_inherent("workgroup_attributions"),
    };
    let is_lost = match is_stored {
        Some(is_stored) => !is_stored || (count == 0 && !is_always_stored),
        None => is_always_stored,
    };
    if is_lost {
        s.lose("how it stores the number of workgroup attributions");
    }
    Ok(count)
}

/// `workgroup(…) private(…)`, and the number of the first ones.
fn buffers<S: Syntax>(
    s: &mut S,
    known: &[S::Argument],
    names: [Option<&str>; 2],
) -> Result<Vec<S::Argument>, S::Error> {
    let count = workgroup_count(s)?;
    s.require(known.len() >= count || !S::PRINTS)?;
    let (workgroup, private) = known.split_at(count.min(known.len()));
    let mut all = attributions(s, " workgroup", workgroup, names[0])?;
    let is_always_stored = match s.definition().name() {
        "gpu.func" => !s.is_inherent("kernel"),
        _ => !s.is_inherent("workgroup_attributions"),
    };
    let has_number = s.definition().name() == "gpu.func" || s.release().has_properties();
    if has_number && (!all.is_empty() || is_always_stored) {
        s.set_integer("workgroup_attributions", all.len() as i64, "i64")?;
    }
    all.extend(attributions(s, " private", private, names[1])?);
    Ok(all)
}

/// `@name(%a: i32) workgroup(%w : memref<4xf32, 3>) private(…) kernel attributes {…} {`
fn function<S: Syntax>(s: &mut S) -> Flow<S> {
    s.text(" ")?;
    s.symbol_name()?;
    let signature = FunctionSignature::of(s, "function_type")?;
    signature.give(s, "function_type")?;
    let mut arguments = signature.arguments;
    let known_arguments = s.arguments(0)?;
    s.require(known_arguments.len() >= signature.inputs)?;
    let names = ["workgroup_attrib_attrs", "private_attrib_attrs"];
    arguments.extend(buffers(s, &known_arguments[signature.inputs..], names.map(Some))?);
    let kernel_name = if s.is_inherent("kernel") { "kernel" } else { "gpu.kernel" };
    let is_kernel = s.optional_text(" kernel", |s| {
        let is_discardable = s.any_attr("gpu.kernel").is_some();
        if is_discardable && kernel_name == "kernel" {
            s.lose("that its `gpu.kernel` is a discardable attribute");
        }
        Ok(is_discardable || s.attr("kernel").is_some())
    })?;
    if is_kernel {
        s.set_unit(kernel_name)?;
    }
    s.attr_dict_with_keyword(&[
        "sym_name",
        "workgroup_attributions",
        "gpu.kernel",
        kernel_name,
        "function_type",
        "arg_attrs",
        "res_attrs",
        names[0],
        names[1],
    ])?;
    s.text(" ")?;
    s.region(0, RegionStyle::BODY, arguments)
}

/// `(%x, %y, %z) in (%a = %n, …)`: the arguments for numbers and for sizes, and the sizes.
struct Sizes<S: Syntax> {
    ids: Vec<S::Argument>,
    sizes: Vec<S::Argument>,
    values: Vec<S::Value>,
}

impl<S: Syntax> Sizes<S> {
    fn of(
        s: &mut S,
        known_arguments: &[S::Argument],
        [ids, sizes]: [usize; 2],
        group: &str,
    ) -> Result<Self, S::Error> {
        let three_from = |first: usize| known_arguments.get(first..first + 3).unwrap_or_default();
        let mut values = Vec::new();
        for letter in ["X", "Y", "Z"] {
            if S::PRINTS {
                values.extend_from_slice(&s.operands(&*format!("{group}Size{letter}"))?);
            }
        }
        let ids = s.arguments_in_parentheses(three_from(ids))?;
        s.text(" in ")?;
        let assignments = CarriedValues::assignments(s, three_from(sizes), &values)?;
        Ok(Self { ids, sizes: assignments.arguments, values: assignments.values })
    }
}

/// `async [%t] blocks(%bx, %by, %bz) in (%gx = %a, …) threads(…) in (…) {`
fn launch<S: Syntax>(s: &mut S, phase: u32) -> Flow<S> {
    if phase > 0 {
        s.attr_dict(&["workgroup_attributions", "module", "function"])?;
        return Ok(Progress::Done);
    }
    let known_arguments = s.arguments(0)?;
    let takes_clusters = s.declares_operands("clusterSizeX");
    let has_clusters = takes_clusters && !s.operands("clusterSizeX")?.is_empty();
    let configuration = if has_clusters { 18 } else { 12 };
    s.require(known_arguments.len() >= configuration || !S::PRINTS)?;
    let token = s.named_type("!gpu.async.token")?;
    let is_async = s.optional_text(" async", |s| Ok(!s.all_results().is_empty()))?;
    let tokens = s.operands("asyncDependencies")?;
    let mut dependencies = Vec::new();
    if s.at(TokenKind::LeftSquare, |_| Ok(!tokens.is_empty()))? {
        s.text(" ")?;
        dependencies = s.values_in(Bracket::Square, &tokens)?;
    }
    let mut clusters = None;
    if takes_clusters && s.optional_text(" clusters", |_| Ok(has_clusters))? {
        clusters = Some(Sizes::of(s, &known_arguments, [12, 15], "cluster")?);
    }
    s.text(" blocks")?;
    let blocks = Sizes::of(s, &known_arguments, [0, 6], "grid")?;
    s.text(" threads")?;
    let threads = Sizes::of(s, &known_arguments, [3, 9], "block")?;
    let index = s.named_type("index")?;
    let mut arguments = [blocks.ids, threads.ids, blocks.sizes, threads.sizes].concat();
    let mut sizes = [blocks.values, threads.values].concat();
    let expected = if clusters.is_some() { 9 } else { 6 };
    if let Some(clusters) = clusters {
        arguments.extend([clusters.ids, clusters.sizes].concat());
        sizes.extend(clusters.values);
    }
    if sizes.len() != expected {
        return Err(s.refuse("each of the sizes has three values"));
    }
    arguments = s.as_indices(arguments)?;
    s.give_of_type(0, dependencies, token);
    for (place, value) in sizes.into_iter().enumerate() {
        s.give_of_type(place + 1, vec![value], index);
    }
    let memory = s.operands("dynamicSharedMemorySize")?;
    if s.optional_text(" dynamic_shared_memory_size ", |_| Ok(!memory.is_empty()))? {
        let size = s.value(memory.first().copied())?;
        let i32 = s.named_type("i32")?;
        s.give_of_type("dynamicSharedMemorySize", vec![size], i32);
    }
    for (text, name) in [(" module(", "module"), (" function(", "function")] {
        if s.is_inherent(name) {
            s.optional_named(text, name)?;
        }
    }
    arguments.extend(buffers(s, known_arguments.get(configuration..).unwrap_or_default(), [None, None])?);
    s.give_results(token.filter(|_| is_async).into_iter().collect());
    s.text(" ")?;
    s.region(0, RegionStyle::BODY, arguments)
}
