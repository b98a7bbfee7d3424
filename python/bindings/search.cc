#include "python/bindings/bind.hh"
#include "python/bindings/job.hh"
#include "python/bindings/orders.hh"

namespace crx::python {

namespace {

/// Reads given[name] into a member of the options, where it is there.
template <class Value>
void take(py::dict const& given, char const* name, Value& into)
{
    if (given.contains(name)) into = given[name].cast<Value>();
}

py::dict search(py::dict const& given, py::object const& own_policy, py::object const& own_over)
{
    auto const raised = std::make_shared<Raised>();
    library::SearchArguments arguments;
    auto& options = arguments.options;
    take(given, "policy", options.policy);
    take(given, "over", options.over);
    take(given, "selector", options.selector);
    take(given, "against", options.against);
    take(given, "measure", options.measure);
    take(given, "restriction", options.restriction);
    take(given, "interval", options.interval);
    take(given, "requests", options.requests);
    take(given, "memory", options.memory);
    take(given, "last_arrival", options.last_arrival);
    if (given.contains("draws")) options.draws = given["draws"].cast<std::int64_t>();
    take(given, "seed", options.seed);
    take(given, "generations", options.generations);
    take(given, "threads", options.threads);
    if (given.contains("seconds")) options.seconds = given["seconds"].cast<double>();
    if (given.contains("shrink")) options.shrink = given["shrink"].cast<double>();
    options.parameters = parameters_of(given);
    if (!own_policy.is_none())
        arguments.own_policy = order_function(options.policy, own_policy, raised);
    if (!own_over.is_none()) arguments.own_over = order_function(options.over, own_over, raised);
    auto const done = run_job(
        [&](library::StopAsked const& stop_asked) {
            return library::search(arguments, stop_asked);
        },
        raised);
    auto const& settled = done.found.settled;
    return py::dict(py::arg("instance") = instance_as_dict(done.found.instance),
                    py::arg("above") = settled.ratio.above, py::arg("below") = settled.ratio.below,
                    py::arg("proven") = settled.proven(), py::arg("witness") = done.witness,
                    py::arg("generations") = done.generations,
                    py::arg("neighbours") = done.neighbours);
}

} // namespace

void bind_search(py::module_& module) { module.def("search", search); }

} // namespace crx::python
