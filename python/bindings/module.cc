#include "python/bindings/bind.hh"
#include "python/bindings/errors.hh"

namespace crx::python {

namespace {

/// To sys.stderr, whatever it is now: a notebook has its own.
void write_to_python(std::string const& text)
{
    py::gil_scoped_acquire const held;
    try {
        auto const stream = py::module_::import("sys").attr("stderr");
        if (stream.is_none()) return;
        stream.attr("write")(text);
        stream.attr("flush")();
    } catch (py::error_already_set const&) {
        // What a run says on its way may be lost; the run goes on (host/say.hh).
    }
}

} // namespace

} // namespace crx::python

PYBIND11_MODULE(_library, module)
{
    using namespace crx::python;
    module.doc() = "crx's program as functions. What users call is in the package crx.";
    module.def("version", crx::library::version);
    bind_errors(module);
    bind_single(module);
    bind_sweeps(module);
    bind_theory(module);
    bind_search(module);
    crx::library::send_messages(write_to_python);
    py::module_::import("atexit").attr("register")(
        py::cpp_function([] { crx::library::send_messages({}); }));
}
