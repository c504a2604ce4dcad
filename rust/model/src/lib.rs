//! Model checks: the very files of the core that threads and signal handlers share, run by `loom` in every order
//! that the memory model allows. Run by `cargo test -p mlirbc-model`, in seconds; there is nothing to build but tests.

#[cfg(test)]
mod guard;
