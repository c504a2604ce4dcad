//! A language server for MLIR text and bytecode: [`serve`] speaks the Language Server Protocol over two streams.
//!
//! Owns the protocol, the open documents and the answers. A document is divided into pieces that are parsed one by one,
//! so that an edit parses what changed. The grammar belongs to `mlirbc`.
//!
//! ```
//! let request = br#"{"jsonrpc":"2.0","id":1,"method":"shutdown"}"#;
//! let input = [format!("Content-Length: {}\r\n\r\n", request.len()).as_bytes(), request].concat();
//! let mut output = Vec::new();
//! mlirbc_lsp::serve(&input[..], &mut output, mlirbc_lsp::ServerOptions::default())?;
//! assert!(String::from_utf8_lossy(&output).ends_with(r#"{"id":1,"jsonrpc":"2.0","result":null}"#));
//! # Ok::<(), std::io::Error>(())
//! ```

#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

mod analysis;
mod bytecode;
mod completion;
mod context;
mod diagnostics;
mod document;
mod facts;
mod features;
mod hover;
mod lines;
mod names;
mod outline;
mod piece;
mod rename;
mod server;
mod symbols;
mod transport;

pub use server::{ServerOptions, serve};
