#include "host/iteration/iteration_experiment.hh"

#include "host/error.hh"
#include "host/experiment/overrides.hh"
#include "host/input/line_reader.hh"
#include "host/iteration/iteration_readers.hh"
#include "host/store/database_file.hh"

#include <cmath>
#include <fmt/core.h>

namespace crx {
namespace {

void read_machine(ConfigReader& top, IterationExperiment& experiment)
{
    ConfigReader reader(top.need("machine", "a table with d0 and d1"), "machine");
    auto const d0 = reader.number("d0", {1e-9, 1e6});
    auto const d1 = reader.number("d1", {0, 1e3});
    reader.finish();
    experiment.time.overhead = std::llround(d0 * 1e9);
    experiment.time.per_token = static_cast<std::uint64_t>(std::llround(d1 * 1e9 * 65536));
    // The theory is of what is simulated: whole nanoseconds, and d1 in 2^-16 of them.
    experiment.load.overhead = static_cast<double>(experiment.time.overhead) * 1e-9;
    experiment.load.per_token = static_cast<double>(experiment.time.per_token) * 1e-9 / 65536;
}

void read_run(ConfigReader& top, IterationExperiment& experiment)
{
    ConfigReader reader(top.need("run", "a table with paths and horizon"), "run");
    experiment.seed = static_cast<std::uint64_t>(reader.integer("seed", 0, INT64_MAX, 1));
    experiment.paths = reader.integer("paths", 40, 10'000'000);
    experiment.horizon = reader.number("horizon", {1e-6, 1e9, false, false, false});
    experiment.doublings = reader.integer("doublings", 1, 40);
    experiment.fit_from = reader.integer("fit_from", 0, experiment.doublings - 1, 0);
    experiment.confidence = reader.number("confidence", {0, 1, false, true, true}, 0.95);
    experiment.by_type = reader.flag("by_type", false);
    if (experiment.rate.size() > 1) experiment.slice = reader.number("slice", {1e-6, 1e9});
    if (std::ldexp(experiment.horizon, static_cast<int>(experiment.doublings)) > 9e9)
        reader.reject("horizon", *reader.find("horizon"),
                      "at most 9e9 seconds after all doublings, as time is 64-bit nanoseconds");
    if (reader.flag("accept_unstable", false)) return reader.finish();
    reader.finish();
    auto const d = fluid::utilisation(experiment.load);
    if (!(d < 1))
        throw InputError(fmt::format(
            "{}: the load is unstable: D = d1 sum lambda_j (l'_j+1)(l_j + l'_j/2) = {:.6g}, which "
            "must be below 1\n  run.accept_unstable = true runs it all the same",
            reader.table().where, d));
}

} // namespace

IterationExperiment IterationExperiment::read(std::filesystem::path const& file,
                                              std::vector<std::string> const& overrides)
{
    refuse_database_as_experiment(file);
    LineReader lines(file);
    std::string text;
    for (std::string_view line; lines.next(line);) {
        text += line;
        text += '\n';
    }
    return parse(text, file.string(), overrides);
}

IterationExperiment IterationExperiment::parse(std::string const& text, std::string const& name,
                                               std::vector<std::string> const& overrides)
{
    auto document = parse_toml(text, name, {{"machine", "run"}, {"type", "policy"}});
    for (auto const& override : overrides) apply_override(document, override);
    ConfigReader top(document, "");
    IterationExperiment experiment;
    experiment.title = top.text("title", "");
    for (auto const* key : {"machine", "type", "run", "policy"}) top.find(key);
    if (document.find("workload") != nullptr && document.find("machine") == nullptr)
        throw InputError(name + ": an experiment of `crx sweep`, as it has a [workload]; `crx "
                                "iterate` takes one that has a [machine]");
    top.finish();
    read_machine(top, experiment);
    read_types(top, std::filesystem::path(name).parent_path(), experiment);
    read_run(top, experiment);
    auto const& list = top.tables("policy", "one [[policy]] table or more");
    for (std::size_t k = 0; k < list.size(); ++k)
        experiment.policies.push_back(read_iteration_policy(list[k], k, experiment));
    return experiment;
}

IterationCell IterationExperiment::cell(IterationPolicyEntry const& entry) const
{
    IterationCell cell;
    cell.time = time;
    cell.types = load.types;
    cell.arrivals =
        poisson_rates(rate, slice > 0 ? static_cast<Nanoseconds>(std::llround(slice * 1e9)) : 1);
    cell.policy = entry.spec;
    cell.seed = seed;
    for (std::int64_t k = 0; k <= doublings; ++k)
        cell.checkpoints.push_back(
            static_cast<Nanoseconds>(std::llround(std::ldexp(horizon, static_cast<int>(k)) * 1e9)));
    return cell;
}

} // namespace crx
