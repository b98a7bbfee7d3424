#pragma once

#include <pybind11/pybind11.h>

namespace crx::python {

/// The package's exceptions.
struct Errors
{
    pybind11::object input, ///< ValueError: bad input, nothing was written
        config,             ///< InputError: a value that is not accepted
        run;                ///< RuntimeError: the run failed, what is done is kept
};
Errors const& errors();

/// Makes them, and lets ours become them.
void bind_errors(pybind11::module_& module);

} // namespace crx::python
