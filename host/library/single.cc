#include "kernels/cpu/single.hh"
#include "host/library/library.hh"
#include "host/plot/replay_figure.hh"
#include "host/simulate/run_report.hh"
#include "host/simulate/schedule_file.hh"
#include "host/simulate/simulate.hh"

#include "host/experiment/iteration_setting.hh"
#include "host/results/stored_experiment.hh"
#include "host/simulate/path_replay.hh"

#include <fmt/core.h>

namespace crx::library {

namespace {

constexpr char const* place = "the instance";

OwnedInstance copy_of(Requests const& r)
{
    auto const n = static_cast<std::size_t>(r.n);
    OwnedInstance instance;
    instance.memory = r.memory;
    instance.clock = r.clock;
    instance.arrival.assign(r.arrival, r.arrival + n);
    instance.prompt.assign(r.prompt, r.prompt + n);
    instance.output.assign(r.output, r.output + n);
    instance.lower.assign(r.lower, r.lower + n);
    instance.upper.assign(r.upper, r.upper + n);
    return instance;
}

void check_fits(Requests const& r, bool plans_with_upper)
{
    auto const check = [&](std::int64_t i, char const* sum, std::int32_t length) {
        if (Tokens{r.prompt[i]} + length > r.memory)
            throw InputError(fmt::format("{}: request {}: {} = {} + {} = {} exceeds M = {}", place,
                                         i, sum, r.prompt[i], length, Tokens{r.prompt[i]} + length,
                                         r.memory));
    };
    for (std::int64_t i = 0; i < r.n; ++i) {
        check(i, "s + o", r.output[i]);
        if (plans_with_upper) check(i, "s + u", r.upper[i]);
    }
}

} // namespace

Run simulate(SimulateArguments const& arguments, Requests const& given)
{
    SimulateRequest const request{
        arguments.policy,     arguments.selector,
        arguments.parameters, clock_argument(arguments.clock, given.memory),
        arguments.seed,       arguments.number};
    auto requests = given;
    requests.clock = request.clock;
    auto const spec = check_simulation(request);
    check_fits(requests, policy_info(spec.kind).plans_with_upper);
    Run result;
    result.subject = {request.policy, requests.memory, request.seed, {}, requests.n, request.clock};
    result.run = find_policy(request.policy) != nullptr
                     ? execute_single(spec, requests, request.seed, request.number)
                     : crx::simulate(request, copy_of(requests), arguments.order, place);
    return result;
}

std::string as_json(Run const& run)
{
    auto subject = run.subject;
    for (std::size_t i = 0; subject.request_ids.size() < run.run.start.size(); ++i)
        subject.request_ids.push_back(std::to_string(i));
    return run_as_json(subject, run.run).dump(1) + "\n";
}

baseline::Hindsight baseline(OwnedInstance const& instance, BaselineArguments const& arguments,
                             StopAsked const& stop_asked)
{
    auto owned = instance;
    check_fits(requests_of(owned), false);
    bool const counted = arguments.evaluations > 0 || arguments.nodes > 0;
    if (arguments.seconds && !(*arguments.seconds > 0 && *arguments.seconds <= 1e7))
        throw ConfigError("command line", "--time-limit", fmt::format("{}", *arguments.seconds),
                          "a number of seconds above 0, at most 10000000");
    baseline::HindsightLimits limits;
    limits.seconds = arguments.seconds.value_or(counted ? 1e9 : 10);
    limits.seed = arguments.seed;
    limits.evaluations_a_request = arguments.evaluations;
    limits.steps = arguments.steps;
    if (arguments.nodes > 0) limits.nodes = arguments.nodes;
    limits.parts.integer_program = arguments.integer_program;
    limits.stop = stop_asked;
    auto result = baseline::hindsight(instance, limits);
    for (auto const& [name, order] : arguments.orders)
        add_own_schedule(result, instance, name, order, place);
    if (result.schedules.empty())
        throw InputError(std::string(place) +
                         ": no schedule was found whose total latency is below 2^62");
    return result;
}

Replayed replay(std::filesystem::path const& store, std::int64_t cell, std::int64_t instance,
                std::string const& policy, OwnOrders const& own)
{
    auto const work = read_stored_cell(store, cell, own);
    auto const policies = replayed_policies(work.experiment, policy);
    Replayed result;
    if (work.experiment.model == Model::iterations) {
        auto const& setting = *work.cell.paths;
        auto json = nlohmann::ordered_json::array();
        for (auto const k : policies) {
            auto const& entry = setting.policies[k];
            json.push_back(
                path_as_json(entry.label, instance, replay_path(setting.cell(entry), instance)));
        }
        result.paths = json.dump(1) + "\n";
        return result;
    }
    CellReplay again(work.cell.cell, instance);
    for (auto const k : policies) {
        auto run = again.execute(k);
        auto subject = subject_of(work.cell.cell, again, run, work.experiment.policies[k].label);
        result.runs.push_back({std::move(subject), std::move(run)});
    }
    if (!all_by_cohorts(work.cell.cell)) result.instance = again.instance();
    return result;
}

} // namespace crx::library
