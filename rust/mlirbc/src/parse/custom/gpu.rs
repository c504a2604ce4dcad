//! Operations of the gpu dialect (`mlir/lib/Dialect/GPU/IR/GPUDialect.cpp`).

use crate::attr::text::lexer::TokenKind;
use crate::attr::text::parse::Parsed;

use super::super::frames::{AsmParser, NONE, Pending};
use super::super::operands::Reference;
use super::super::region::EntryArgument;
use super::parts::same_types;
use super::{Custom, HandWritten, Step};

/// The function for a hand-written format.
pub(super) fn form<'t>(name: &str) -> Option<HandWritten<'t>> {
    let form: HandWritten<'t> = match name {
        "gpu.func" => AsmParser::gpu_func,
        "gpu.launch" => AsmParser::gpu_launch,
        _ => return None,
    };
    Some(form)
}

impl<'t> AsmParser<'t> {
    /// `@name(%a: i32) workgroup(%w : memref<4xf32, 3>) private(…) kernel attributes {…} {`
    fn gpu_func(&mut self, pending: &mut Pending<'t>, custom: &mut Custom<'t>, phase: u32) -> Step<'t> {
        if phase > 0 {
            return Ok(None);
        }
        self.symbol_name(pending)?;
        let mut arguments = self.function_signature(pending)?;
        let count =
            self.attributions(pending, "workgroup", Some("workgroup_attrib_attrs"), &mut arguments)?;
        // Since 23, both are inherent, and the number is absent if there are no buffers.
        let is_inherent = self.is_inherent(custom, "kernel");
        if count > 0 || !is_inherent {
            self.set_text(pending, "workgroup_attributions", &format!("{count} : i64"))?;
        }
        self.attributions(pending, "private", Some("private_attrib_attrs"), &mut arguments)?;
        self.unit_keyword(pending, "kernel", if is_inherent { "kernel" } else { "gpu.kernel" })?;
        self.attributes_with_keyword(pending)?;
        custom.regions.push(0);
        self.open_region(arguments).map(Some)
    }

    // `workgroup(%w : type, …)`; the number of arguments.
    fn attributions(
        &mut self,
        pending: &mut Pending<'t>,
        word: &str,
        attributes: Option<&str>,
        arguments: &mut Vec<EntryArgument<'t>>,
    ) -> Parsed<usize> {
        if !self.eat_word(word)? {
            return Ok(0);
        }
        let first = arguments.len();
        let mut dictionaries = Vec::new();
        self.expect(TokenKind::LeftParen, "`(` and the buffers")?;
        self.list(TokenKind::RightParen, "`,` or `)` after a buffer", |this| {
            let mut argument = this.argument_of(NONE)?;
            argument.r#type = this.colon_type()?;
            if attributes.is_some() {
                dictionaries.push(this.dictionary()?);
            }
            this.argument_location(&mut argument)?;
            arguments.push(argument);
            Ok(())
        })?;
        if let Some(name) = attributes {
            self.array_of_dictionaries(pending, name, &dictionaries)?;
        }
        Ok(arguments.len() - first)
    }

    /// `async [%t] blocks(%bx, %by, %bz) in (%gx = %a, …) threads(…) in (…) {`
    fn gpu_launch(&mut self, pending: &mut Pending<'t>, custom: &mut Custom<'t>, phase: u32) -> Step<'t> {
        if phase > 0 {
            self.optional_attributes(pending)?;
            return Ok(None);
        }
        let token = self.type_named("!gpu.async.token")?;
        let is_async = self.eat_word("async")?;
        let mut dependencies = Vec::new();
        if self.peek()?.kind == TokenKind::LeftSquare {
            dependencies = self.references_in_brackets()?;
        }
        let index = self.index()?;
        let clusters = match custom.definition.operands().len() > 8 && self.eat_word("clusters")? {
            true => Some(self.sizes(index)?),
            false => None,
        };
        self.expect_literal("blocks")?;
        let blocks = self.sizes(index)?;
        self.expect_literal("threads")?;
        let threads = self.sizes(index)?;
        let mut arguments: Vec<EntryArgument<'t>> = Vec::new();
        arguments.extend(&blocks.0);
        arguments.extend(&threads.0);
        arguments.extend(&blocks.1);
        arguments.extend(&threads.1);
        let (mut sizes, has_clusters) = (blocks.2, clusters.is_some());
        sizes.extend(threads.2);
        if let Some((ids, of, values)) = clusters {
            arguments.extend(ids);
            arguments.extend(of);
            sizes.extend(values);
        }
        if sizes.len() != if has_clusters { 9 } else { 6 } {
            return Err(self.contents(pending, "each of the sizes has three values"));
        }
        let types = same_types(token, &dependencies);
        custom.give_at(0, dependencies, types);
        for (place, value) in sizes.into_iter().enumerate() {
            custom.give_at(place + 1, vec![value], vec![index]);
        }
        if self.eat_word("dynamic_shared_memory_size")? {
            let size = self.reference()?;
            let i32 = self.type_named("i32")?;
            custom.give("dynamicSharedMemorySize", vec![size], vec![i32]);
        }
        for name in ["module", "function"] {
            if self.is_inherent(custom, name) && self.eat_word(name)? {
                self.attribute_in_parentheses(pending, name)?;
            }
        }
        let count = self.attributions(pending, "workgroup", None, &mut arguments)?;
        if self.release.has_properties() && (count > 0 || !self.is_inherent(custom, "workgroup_attributions"))
        {
            self.set_text(pending, "workgroup_attributions", &format!("{count} : i64"))?;
        }
        self.attributions(pending, "private", None, &mut arguments)?;
        custom.result(if is_async { vec![token] } else { Vec::new() });
        custom.regions.push(0);
        self.open_region(arguments).map(Some)
    }

    // `(%x, %y, %z) in (%sx = %a, %sy = %b, %sz = %c)`
    #[allow(clippy::type_complexity)]
    fn sizes(
        &mut self,
        index: u32,
    ) -> Parsed<(Vec<EntryArgument<'t>>, Vec<EntryArgument<'t>>, Vec<Reference<'t>>)> {
        let ids = self.arguments_in_parentheses(index)?;
        self.expect_literal("in")?;
        let (mut sizes, values) = self.assignments()?;
        for size in &mut sizes {
            size.r#type = index;
        }
        Ok((ids, sizes, values))
    }
}
