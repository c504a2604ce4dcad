//! The text of modules and operations.

use pyo3::PyClass;
use pyo3::prelude::*;
use pyo3::pyclass::boolean_struct::True;

use crate::handle::module::Module;
use crate::print::Printed;

/// A module or an operation with text; the text of an edited one is the text of a snapshot.
pub(crate) trait TextSource: PyClass<Frozen = True> + Sync {
    /// Calls `work` with the module and what prints the text.
    fn with_text<T>(
        slf: &Bound<'_, Self>,
        work: impl FnOnce(&Module, &dyn Printed) -> PyResult<T>,
    ) -> PyResult<T>;
}

/// The block of methods of a class with text; the first lists are the descriptions of `get_asm` and `print`.
macro_rules! text_methods {
    ($class:ident, [$($asm_docs:tt)*], [$($print_docs:tt)*], { $($more:tt)* }) => {
        #[mlirbc_py_macros::checked]
        #[pymethods]
        impl $class {
            $($asm_docs)*
            #[pyo3(signature = (binary = false, large_elements_limit = None, large_resource_limit = None,
                enable_debug_info = false, print_generic_op_form = false, use_local_scope = false, *,
                skip_regions = false, strict = false, lossless = false))]
            #[allow(clippy::too_many_arguments)] // upstream's
            fn get_asm(
                slf: &Bound<'_, Self>,
                binary: bool,
                large_elements_limit: Option<u64>,
                large_resource_limit: Option<u64>,
                enable_debug_info: bool,
                print_generic_op_form: bool,
                use_local_scope: bool,
                skip_regions: bool,
                strict: bool,
                lossless: bool,
            ) -> PyResult<Py<PyAny>> {
                let keywords = $crate::print::Keywords {
                    large_elements_limit,
                    large_resource_limit,
                    enable_debug_info,
                    print_generic_op_form,
                    use_local_scope,
                    skip_regions,
                    strict,
                    lossless,
                };
                $crate::reading::TextSource::with_text(slf, |module, printed| {
                    $crate::print::to_object(slf.py(), module, &keywords, binary, printed)
                })
            }

            $($print_docs)*
            #[pyo3(signature = (large_elements_limit = None, large_resource_limit = None,
                enable_debug_info = false, print_generic_op_form = false, use_local_scope = false, file = None,
                binary = false, *, skip_regions = false, strict = false, lossless = false))]
            #[allow(clippy::too_many_arguments)] // upstream's
            fn print(
                slf: &Bound<'_, Self>,
                large_elements_limit: Option<u64>,
                large_resource_limit: Option<u64>,
                enable_debug_info: bool,
                print_generic_op_form: bool,
                use_local_scope: bool,
                file: Option<&Bound<'_, PyAny>>,
                binary: bool,
                skip_regions: bool,
                strict: bool,
                lossless: bool,
            ) -> PyResult<()> {
                let keywords = $crate::print::Keywords {
                    large_elements_limit,
                    large_resource_limit,
                    enable_debug_info,
                    print_generic_op_form,
                    use_local_scope,
                    skip_regions,
                    strict,
                    lossless,
                };
                $crate::reading::TextSource::with_text(slf, |module, printed| {
                    $crate::print::to_file(slf.py(), module, &keywords, binary, file, printed)
                })
            }

            fn __str__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, pyo3::types::PyString>> {
                $crate::reading::TextSource::with_text(slf, |module, printed| {
                    $crate::print::to_string(slf.py(), module, printed)
                })
            }

            $($more)*
        }
    };
}

pub(crate) use text_methods;
