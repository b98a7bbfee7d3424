#include "python/bindings/bind.hh"
#include "python/bindings/job.hh"
#include "python/bindings/orders.hh"

namespace crx::python {

namespace {

using library::Run;

/// A number that a run has only where it came to its end.
template <auto member>
std::optional<std::int64_t> if_finished(Run const& run)
{
    if (run.run.outcome.finished == 0) return std::nullopt;
    return run.run.outcome.*member;
}

/// An array of the run's own memory, which keeps the run alive.
template <class T>
py::array_t<T> view(py::object const& run, std::vector<T> const& values)
{
    return py::array_t<T>(static_cast<py::ssize_t>(values.size()), values.data(), run);
}

template <auto member>
auto array_property()
{
    return [](py::object const& self) { return view(self, self.cast<Run const&>().run.*member); };
}

void bind_run(py::module_& module)
{
    PYBIND11_NUMPY_DTYPE(TimelinePoint, time, held, active, waiting);
    py::class_<Run>(module, "Run", "What became of one instance under one policy.")
        .def_property_readonly("policy", [](Run const& r) { return r.subject.policy; })
        .def_property_readonly("memory", [](Run const& r) { return r.subject.memory; })
        .def_property_readonly("n", [](Run const& r) { return r.subject.requests; })
        .def_property_readonly("seed", [](Run const& r) { return r.subject.seed; })
        .def_property_readonly("finished", [](Run const& r) { return r.run.outcome.finished != 0; })
        .def_property_readonly("reason",
                               [](Run const& r) { return reason_text(r.run.outcome.reason); })
        .def_property_readonly("total_latency", if_finished<&Outcome::total_latency>)
        .def_property_readonly("makespan", if_finished<&Outcome::makespan>)
        .def_property_readonly("first_token_latency", if_finished<&Outcome::first_token_latency>)
        .def_property_readonly("peak_memory",
                               [](Run const& r) { return r.run.outcome.peak_memory; })
        .def_property_readonly("cancellations",
                               [](Run const& r) { return r.run.outcome.cancellations; })
        .def_property_readonly("wasted_tokens",
                               [](Run const& r) { return r.run.outcome.wasted_tokens; })
        .def_property_readonly("start", array_property<&SingleRun::start>())
        .def_property_readonly("completion", array_property<&SingleRun::completion>())
        .def_property_readonly("cancelled", array_property<&SingleRun::cancellations>())
        .def_property_readonly("timeline", array_property<&SingleRun::timeline>())
        .def("json", library::as_json, "The text of `crx simulate --json`.")
        .def("__repr__", [](Run const& r) {
            auto const& o = r.run.outcome;
            return "<crx.Run of " + r.subject.policy +
                   ": n = " + std::to_string(r.subject.requests) + ", " +
                   (o.finished != 0 ? "total_latency = " + std::to_string(o.total_latency)
                                    : "not finished: " + reason_text(o.reason)) +
                   ">";
        });
}

Requests requests_of(Times& arrival, Lengths& prompt, Lengths& output, Lengths& lower,
                     Lengths& upper, std::int64_t memory)
{
    // Engines only read; NumPy's flag for arrays that must not be written to is not theirs.
    auto const at = [](auto& array) {
        return const_cast<std::remove_const_t<std::remove_pointer_t<decltype(array.data())>>*>(
            array.data());
    };
    return {output.size(), memory, at(arrival), at(prompt), at(output), at(lower), at(upper), {}};
}

OwnedInstance owned(Times const& arrival, Lengths const& prompt, Lengths const& output,
                    Lengths const& lower, Lengths const& upper, std::int64_t memory)
{
    OwnedInstance instance;
    instance.memory = memory;
    instance.arrival.assign(arrival.data(), arrival.data() + arrival.size());
    auto const copy = [](Lengths const& from, std::vector<std::int32_t>& to) {
        to.assign(from.data(), from.data() + from.size());
    };
    copy(prompt, instance.prompt), copy(output, instance.output);
    copy(lower, instance.lower), copy(upper, instance.upper);
    return instance;
}

Run simulate(std::string const& policy, py::dict const& given, Times arrival, Lengths prompt,
             Lengths output, Lengths lower, Lengths upper, std::int64_t memory)
{
    library::SimulateArguments arguments;
    arguments.policy = policy;
    arguments.parameters = parameters_of(given);
    arguments.selector = given.contains("selector") ? given["selector"].cast<std::string>() : "";
    arguments.seed = given["seed"].cast<std::uint64_t>();
    arguments.number = given["number"].cast<std::int64_t>();
    if (given.contains("profile")) arguments.clock.profile = given["profile"].cast<std::string>();
    for (int k = 0; k < 4; ++k)
        if (auto const name = py::str("d" + std::to_string(k)); given.contains(name))
            arguments.clock.cost[k] = given[name].cast<double>();
    if (given.contains("order"))
        arguments.order = order_of(given["order"].cast<py::array_t<std::int64_t>>());
    auto const requests = requests_of(arrival, prompt, output, lower, upper, memory);
    py::gil_scoped_release const released;
    return library::simulate(arguments, requests);
}

py::dict baseline(py::dict const& given, Times const& arrival, Lengths const& prompt,
                  Lengths const& output, Lengths const& lower, Lengths const& upper,
                  std::int64_t memory)
{
    library::BaselineArguments arguments;
    if (!given["seconds"].is_none()) arguments.seconds = given["seconds"].cast<double>();
    arguments.evaluations = given["evaluations"].cast<std::int64_t>();
    arguments.steps = given["steps"].cast<std::int64_t>();
    arguments.nodes = given["nodes"].cast<std::int64_t>();
    arguments.integer_program = given["integer_program"].cast<bool>();
    arguments.seed = given["seed"].cast<std::uint64_t>();
    for (auto const& [name, order] : given["orders"].cast<py::dict>())
        arguments.orders.emplace_back(name.cast<std::string>(),
                                      order_of(order.cast<py::array_t<std::int64_t>>()));
    auto const instance = owned(arrival, prompt, output, lower, upper, memory);
    auto result = run_job([&](library::StopAsked const& stop_asked) {
        return library::baseline(instance, arguments, stop_asked);
    });
    py::list bounds, schedules;
    for (auto const& bound : result.bounds)
        bounds.append(py::make_tuple(bound.id, bound.value, bound.remark));
    for (auto& schedule : result.schedules)
        schedules.append(py::make_tuple(schedule.id, schedule.total_latency,
                                        array_of(std::move(schedule.starts))));
    return py::dict(py::arg("lower") = result.lower, py::arg("upper") = result.upper,
                    py::arg("bounds") = bounds, py::arg("schedules") = schedules);
}

} // namespace

PolicyParameters parameters_of(py::dict const& given)
{
    PolicyParameters parameters;
    for (auto const& parameter : policy_parameters) {
        if (!given.contains(parameter.name)) continue;
        py::object const value = given[parameter.name];
        std::string text;
        if (py::isinstance<py::list>(value))
            for (auto const& each : value)
                text += (text.empty() ? "" : ",") + py::str(each).cast<std::string>();
        else
            text = py::str(value).cast<std::string>();
        parameters[parameter.name] = text;
    }
    return parameters;
}

py::dict instance_as_dict(OwnedInstance const& i)
{
    return py::dict(py::arg("arrivals") = array_of(i.arrival),
                    py::arg("prompts") = array_of(i.prompt),
                    py::arg("outputs") = array_of(i.output), py::arg("lower") = array_of(i.lower),
                    py::arg("upper") = array_of(i.upper), py::arg("memory") = i.memory);
}

void bind_single(py::module_& module)
{
    bind_run(module);
    module.def("simulate", simulate);
    module.def("baseline", baseline);
}

} // namespace crx::python
