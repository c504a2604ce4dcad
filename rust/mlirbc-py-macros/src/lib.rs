//! Attributes that the extension module puts on its classes.
//!
//! A crate of its own because procedural macros have to be; it works on token trees and depends on nothing.

use proc_macro::{Delimiter, Group, Ident, Punct, Spacing, Span, TokenStream, TokenTree};

/// Placed above `#[pymethods]`: a method returns its result only if the object's file has not lost bytes.
///
/// Wraps the body of each method that takes `&self` or a reference to `Bound<Self>` and returns a `PyResult`:
/// after the body has run, `crate::lost_bytes::checked` replaces the result by an error if the object's file
/// has lost bytes, so that no new method can forget the check. `#[decoded]` marks a method that uses decoded
/// tables alone, and leaves it unchanged.
#[proc_macro_attribute]
pub fn checked(_: TokenStream, item: TokenStream) -> TokenStream {
    let mut tokens: Vec<TokenTree> = item.into_iter().collect();
    if let Some(TokenTree::Group(body)) = tokens.pop() {
        tokens.push(Group::new(body.delimiter(), methods(body.stream())).into());
    }
    tokens.into_iter().collect()
}

/// Placed above `#[checked]`: the object's buffer is also one of DLPack.
#[proc_macro_attribute]
pub fn dlpack(_: TokenStream, item: TokenStream) -> TokenStream {
    let mut tokens: Vec<TokenTree> = item.into_iter().collect();
    if let Some(TokenTree::Group(body)) = tokens.pop() {
        let methods: TokenStream = DLPACK_METHODS.parse().expect("the methods are Rust");
        let body = body.stream().into_iter().chain(methods).collect();
        tokens.push(Group::new(Delimiter::Brace, body).into());
    }
    tokens.into_iter().collect()
}

const DLPACK_METHODS: &str = r#"
    /// The bytes as PyTorch, JAX and other libraries take them, without a copy.
    ///
    /// Consumers that cannot take read-only bytes get a copy. Raises `BufferError` for a resource that is not a blob.
    ///
    ///     >>> import numpy as np
    ///     >>> module = mlirbc.open("examples/two_layers.mlirbc")
    ///     >>> np.from_dlpack(module.resources["layer1.bias"]).view("<f4").tolist()
    ///     [0.125, -0.125]
    #[pyo3(signature = (*, stream = None, max_version = None, dl_device = None, copy = None))]
    fn __dlpack__<'py>(
        slf: &Bound<'py, Self>,
        stream: Option<&Bound<'py, PyAny>>,
        max_version: Option<&Bound<'py, PyAny>>,
        dl_device: Option<&Bound<'py, PyAny>>,
        copy: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        crate::blob::exchanged(slf.as_any(), [stream, max_version, dl_device, copy])
    }

    /// The processor.
    fn __dlpack_device__(&self) -> (i32, i32) {
        crate::blob::HOST
    }
"#;

// A method ends with the braces of its body, and has no other braces.
fn methods(stream: TokenStream) -> TokenStream {
    let (mut out, mut item) = (Vec::new(), Vec::new());
    for token in stream {
        match &token {
            TokenTree::Group(body) if body.delimiter() == Delimiter::Brace => {
                let body = body.clone();
                let is_decoded = remove_decoded(&mut item);
                let wrapped = if is_decoded { None } else { wrap(&item, &body) };
                out.append(&mut item);
                out.push(wrapped.unwrap_or(body).into());
            }
            _ => item.push(token),
        }
    }
    out.append(&mut item);
    out.into_iter().collect()
}

fn remove_decoded(item: &mut Vec<TokenTree>) -> bool {
    let is_mark = |pair: &[TokenTree]| match pair {
        [TokenTree::Punct(hash), TokenTree::Group(inner)] => {
            hash.as_char() == '#' && inner.stream().to_string() == "decoded"
        }
        _ => false,
    };
    let mark = item.windows(2).position(is_mark);
    if let Some(at) = mark {
        item.drain(at..at + 2);
    }
    mark.is_some()
}

// The body of a method that can be checked: `{ let answer = (|| -> Answer { … })(); checked(receiver, answer) }`.
fn wrap(item: &[TokenTree], body: &Group) -> Option<Group> {
    let is =
        |token: &TokenTree, word: &str| matches!(token, TokenTree::Ident(ident) if ident.to_string() == word);
    let start = item.iter().position(|token| is(token, "fn"))?;
    let (place, arguments) = item[start..].iter().enumerate().find_map(|(place, token)| match token {
        TokenTree::Group(group) if group.delimiter() == Delimiter::Parenthesis => Some((place, group)),
        _ => None,
    })?;
    let answer = &item[start + place + 1..];
    let returns_result = answer.get(2).is_some_and(|token| is(token, "PyResult"));
    let receiver = receiver(arguments)?;
    if !returns_result {
        return None;
    }
    let span = Span::call_site();
    let punct = |char| TokenTree::from(Punct::new(char, Spacing::Alone));
    let word = |word: &str| TokenTree::from(Ident::new(word, span));
    let group = |delimiter, tokens: Vec<TokenTree>| {
        TokenTree::from(Group::new(delimiter, tokens.into_iter().collect()))
    };
    let mut closure = vec![punct('|'), punct('|')];
    closure.extend(answer.iter().cloned());
    closure.push(body.clone().into());
    let mut tokens = vec![word("let"), word("answer"), punct('=')];
    tokens.extend([
        group(Delimiter::Parenthesis, closure),
        group(Delimiter::Parenthesis, Vec::new()),
        punct(';'),
    ]);
    for step in ["crate", "lost_bytes"] {
        let colon = TokenTree::from(Punct::new(':', Spacing::Joint));
        tokens.extend([word(step), colon, punct(':')]);
    }
    let call = receiver.into_iter().chain([punct(','), word("answer")]).collect();
    tokens.extend([word("checked"), group(Delimiter::Parenthesis, call)]);
    Some(Group::new(Delimiter::Brace, tokens.into_iter().collect()))
}

// `self` for `&self`, `slf.get()` for `slf: &Bound<'_, Self>`; nothing for others.
fn receiver(arguments: &Group) -> Option<Vec<TokenTree>> {
    let mut first = Vec::new();
    let mut depth = 0_i32;
    for token in arguments.stream() {
        if let TokenTree::Punct(punct) = &token {
            match punct.as_char() {
                '<' => depth += 1,
                '>' => depth -= 1,
                ',' if depth == 0 => break,
                _ => {}
            }
        }
        first.push(token);
    }
    let texts: Vec<String> = first.iter().map(ToString::to_string).collect();
    if texts == ["&", "self"] {
        return first.pop().map(|this| vec![this]);
    }
    let is_bound = texts.get(1..4).is_some_and(|texts| texts == [":", "&", "Bound"]);
    if !is_bound || !texts.iter().any(|text| text == "Self") {
        return None;
    }
    let get = Ident::new("get", Span::call_site());
    let dot = Punct::new('.', Spacing::Alone);
    let call = Group::new(Delimiter::Parenthesis, TokenStream::new());
    Some(vec![first.swap_remove(0), dot.into(), get.into(), call.into()])
}
