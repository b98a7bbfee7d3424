#pragma once

#include "host/library/library.hh"

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

namespace crx::python {

namespace py = pybind11;

// Each adds the functions of one header section of host/library/library.hh to the module.
void bind_single(py::module_& module);
void bind_sweeps(py::module_& module);
void bind_theory(py::module_& module);
void bind_search(py::module_& module);

/// Arrays of one instance; 32-bit lengths, 64-bit arrivals, all of one length and next to each
/// other, or Python has made them so.
using Lengths = py::array_t<std::int32_t, py::array::c_style>;
using Times = py::array_t<std::int64_t, py::array::c_style>;

/// {"arrivals": .., "prompts": .., "outputs": .., "lower": .., "upper": .., "memory": ..}, of
/// arrays that are copies.
py::dict instance_as_dict(OwnedInstance const& instance);

/// Parameters of policies from {"levels": .., "alpha": .., ..}, where each may be left out.
PolicyParameters parameters_of(py::dict const& given);

/// A vector as an array that owns it: nothing is copied.
template <class T>
py::array_t<T> array_of(std::vector<T> values)
{
    auto* const kept = new std::vector<T>(std::move(values));
    py::capsule const owner(kept, [](void* p) { delete static_cast<std::vector<T>*>(p); });
    return py::array_t<T>(static_cast<py::ssize_t>(kept->size()), kept->data(), owner);
}

} // namespace crx::python
