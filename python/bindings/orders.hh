#pragma once

#include "host/library/library.hh"
#include "python/bindings/job.hh"

#include <pybind11/numpy.h>

namespace crx::python {

/// An order as NumPy has it. Numbers below 0 become numbers that no request has.
std::vector<std::size_t> order_of(py::array_t<std::int64_t> const& order);

/// A function of Python's as one of ours, for any thread. It is called with arrays prompt, output,
/// lower and upper, which are copies, with M, the seed and the instance's number, and gives the
/// order as an array. What it raises is kept in `raised`.
OrderFunction order_function(std::string const& name, py::object function,
                             std::shared_ptr<Raised> const& raised);

} // namespace crx::python
