#include "python/bindings/bind.hh"
#include "python/bindings/job.hh"

namespace crx::python {

namespace {

std::string spectrum(std::int64_t u, std::int64_t l, double s, std::string const& method,
                     double tolerance, bool definition)
{
    library::SpectrumArguments const arguments{u, l, s, tolerance, method, definition};
    return run_job([&](library::StopAsked const&) { return library::spectrum_as_json(arguments); });
}

std::string run_claim(std::string const& id)
{
    return run_job([&](library::StopAsked const&) { return library::run_claim(id); });
}

} // namespace

void bind_theory(py::module_& module)
{
    module.def("bound", library::bound);
    module.def("bounds", library::bounds_as_json);
    module.def("spectrum", spectrum);
    module.def("claims", library::claims_as_json);
    module.def("run_claim", run_claim);
}

} // namespace crx::python
