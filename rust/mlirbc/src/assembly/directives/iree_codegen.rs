//! Directives of `iree_codegen` and `iree_gpu` (`IREECodegenOps.cpp` and `IREEGPUOps.cpp` of the IREE project).

use crate::assembly::{DirectiveSyntax, Written};

directives! {
    IndexTypes: "AsyncDMASourceIndexTypes" => index_types,
}

/// ` [vector<4xindex>, index]`, or nothing if all are `index`.
fn index_types<S: DirectiveSyntax>(s: &mut S, call: S::Call<'_>) -> Written<S> {
    let known_types = s.types_at(call, 1)?;
    let types = match s.optional_text(" [", |s| Ok(known_types.iter().any(|&of| !s.is_index(of))))? {
        true => {
            let types = s.types(&known_types)?;
            s.text("]")?;
            types
        }
        false => {
            let index = s.named_type("index")?;
            (0..s.value_count_at(call, 0)).filter_map(|_| index).collect()
        }
    };
    s.set_types_at(call, 1, types);
    Ok(())
}
