//! Tells the crate about the interpreter it is built for: `Py_GIL_DISABLED` for the free-threaded one.

fn main() {
    pyo3_build_config::use_pyo3_cfgs();
}
