#include "host/simulate/simulate.hh"

#include "analysis/fluid/machine_profile.hh"
#include "analysis/sorted_f/sorted_f.hh"
#include "analysis/sorted_f/sorted_lp.hh"
#include "host/error.hh"
#include "host/experiment/own_order.hh"
#include "host/experiment/policy_list.hh"
#include "host/input/accepted.hh"
#include "host/input/config_reader.hh"
#include "host/say.hh"
#include "kernels/policies/arrival_order.cuh"

#include <algorithm>
#include <cmath>
#include <fmt/core.h>
#include <fmt/format.h>

namespace crx {

namespace {

constexpr char const* cost_options[] = {"--d0", "--d1", "--d2", "--d3"};
constexpr double fixed_unit = 1 << Clock::fraction_bits;

Clock clock_of_profile(std::string const& id)
{
    auto const* const profile = machine_profile_named(id);
    std::vector<std::string> known;
    for (auto const& other : machine_profiles()) known.emplace_back(other.id);
    if (profile == nullptr)
        throw ConfigError("command line", "--clock", id,
                          "one of " + listed_with_nearest(id, known));
    return {ClockKind::affine, profile->d0, profile->d1, profile->d2};
}

std::int64_t check_cost(std::size_t k, std::optional<double> const& given, Tokens memory)
{
    if (!given && k == 3) return 0;
    if (!given)
        throw ConfigError("command line", cost_options[k], "",
                          "given: a clock of one's own needs --d0, --d1 and --d2");
    bool const whole = k == 0 || k == 3;
    double const unit = whole ? 1 : fixed_unit;
    double const most = k == 0 ? 1e12 : 0x1p60 / unit / static_cast<double>(memory);
    if (!(*given >= 0 && *given <= most && (k > 0 || *given >= 0.5)))
        throw ConfigError(
            "command line", cost_options[k], written_number(*given),
            fmt::format("nanoseconds from {} to {}", k == 0 ? 1 : 0, written_number(most)));
    return std::llround(*given * unit);
}

} // namespace

Clock clock_argument(ClockArguments const& given, Tokens memory)
{
    bool const own = std::ranges::any_of(given.cost, [](auto const& c) { return c.has_value(); });
    if (!given.profile && !own) return {};
    if (given.profile && own)
        throw ConfigError("command line", "--clock", *given.profile,
                          "left out beside --d0, --d1, --d2, --d3");
    if (given.profile) return clock_of_profile(*given.profile);
    Clock clock{ClockKind::affine};
    std::int64_t* const to[] = {&clock.d0, &clock.d1, &clock.d2, &clock.d3};
    for (std::size_t k = 0; k < 4; ++k) *to[k] = check_cost(k, given.cost[k], memory);
    return clock;
}

std::string clock_text(Clock const& clock)
{
    auto const fixed = [](std::int64_t d) { return static_cast<double>(d) / fixed_unit; };
    return fmt::format("d0 = {}, d1 = {:.6g}, d2 = {:.6g}, d3 = {}", clock.d0, fixed(clock.d1),
                       fixed(clock.d2), clock.d3);
}

namespace {

sorted_f::Settings sorted_f_settings(SimulateRequest const& request)
{
    auto const& names = sorted_f::selector_names;
    auto const* const found = std::ranges::find(names, request.selector);
    if (found == std::end(names))
        throw ConfigError(
            "command line", "--selector", request.selector,
            one_of(request.selector, std::vector<std::string>(std::begin(names), std::end(names))) +
                ": sorted-f needs it");
    return {static_cast<sorted_f::Selector>(found - names), 100, request.seed,
            static_cast<std::uint64_t>(request.number)};
}

void require_arrivals_at_0(OwnedInstance const& instance, std::string const& policy,
                           std::string const& place)
{
    if (std::ranges::any_of(instance.arrival, [](Instant a) { return a != 0; }))
        throw InputError(place + ": " + policy + " needs every arrival at 0");
}

SingleRun run_sorted_f(SimulateRequest const& request, OwnedInstance const& instance,
                       std::string const& place)
{
    require_arrivals_at_0(instance, request.policy, place);
    auto const run = sorted_f::execute(instance, sorted_f_settings(request));
    if (!run)
        throw InputError(place +
                         ": too many requests and too much memory for the table "
                         "of --selector " +
                         request.selector + "; swap and quantile need none");
    return *run;
}

/// WANG's Sorted-LP and LP-Swap order requests by a linear program, before the first round too.
constexpr char const *sorted_lp_id = "sorted-lp", *lp_swap_id = "lp-swap";

SingleRun run_sorted_lp(SimulateRequest const& request, OwnedInstance const& instance,
                        std::string const& place)
{
    require_arrivals_at_0(instance, request.policy, place);
    auto const made = request.policy == sorted_lp_id ? sorted_lp::execute_sorted_lp(instance)
                                                     : sorted_lp::execute_lp_swap(instance);
    auto const& relaxation = made.relaxation;
    if (relaxation.solved)
        say(fmt::format("LP relaxation {:.6f}", relaxation.upper));
    else
        say(fmt::format("LP relaxation between {:.2f} and {:.2f}, the value of the solution used "
                        "(error at most {:.2f} %, one memory price for each {} rounds)",
                        relaxation.lower, relaxation.upper, 100 * relaxation.error(),
                        relaxation.cell));
    return made.run;
}

bool is_by_program(std::string const& id) { return id == sorted_lp_id || id == lp_swap_id; }

} // namespace

PolicySpec check_simulation(SimulateRequest const& request)
{
    auto const& id = request.policy;
    auto const beforehand = id == sorted_f_id || id == own_order_id || is_by_program(id);
    if (own_policy_argument(id, request.parameters)) return {ArrivalOrder::kind, {}};
    if (id == sorted_f_id)
        sorted_f_settings(request);
    else if (!request.selector.empty())
        throw ConfigError("command line", "--selector", request.selector,
                          "left out: only sorted-f takes one");
    if (!beforehand) return policy_argument(id, request.parameters);
    for_each_option(request.parameters, [&](std::string const& option, std::string const& value) {
        throw ConfigError("command line", option, value,
                          "left out: " + id + " takes no " + option.substr(2));
    });
    if (request.clock.affine())
        throw ConfigError("command line", "--clock",
                          "left out: " + id + " runs under the unit clock");
    return {ArrivalOrder::kind, {}};
}

std::shared_ptr<HostPolicy const> own_policy_argument(std::string const& id,
                                                      PolicyParameters const& given)
{
    if (id != by_key_id && id != program_id) return nullptr;
    for (auto const& parameter : policy_parameters)
        if (auto const found = given.find(parameter.name);
            found != given.end() && !found->second.empty())
            throw ConfigError("command line", option_of(parameter.name), found->second,
                              "left out: " + id + " takes no " + parameter.name);
    refuse_own_parameters(id, given);
    if (id == program_id) return std::make_shared<ProgramPolicy>(program_argument(given));
    return by_key_argument(given);
}

bool plans_with_upper(SimulateRequest const& request)
{
    if (request.policy == by_key_id) {
        auto const found = request.parameters.find("plans_with");
        auto const text = found == request.parameters.end() ? "" : found->second;
        return text.empty() || KeyExpression(text).reads(KeyField::upper);
    }
    if (request.policy == program_id) return !program_argument(request.parameters).knows_lengths;
    return policy_info(check_simulation(request).kind).plans_with_upper;
}

SingleRun simulate(SimulateRequest const& request, OwnedInstance const& instance,
                   std::vector<std::size_t> const& order, std::string const& place)
{
    auto const& id = request.policy;
    if (id == own_order_id) {
        if (order.empty())
            throw InputError(place + ": " + id +
                             " needs a column order: whole numbers, the request that is served "
                             "first has the least");
        return execute_own_order(instance, order, place);
    }
    if (id == sorted_f_id) return run_sorted_f(request, instance, place);
    if (is_by_program(id)) return run_sorted_lp(request, instance, place);
    if (auto const own = own_policy_argument(id, request.parameters)) {
        try {
            return execute_single(*own, instance, request.seed, request.number);
        } catch (std::range_error const& error) { // of a key
            throw InputError(place + ": " + error.what());
        }
    }
    return execute_single(check_simulation(request), instance, request.seed, request.number);
}

OwnedInstance instance_of(std::vector<Request> const& requests, Tokens memory, Clock const& clock)
{
    OwnedInstance instance;
    instance.memory = memory;
    instance.clock = clock;
    for (auto const& r : requests) {
        instance.arrival.push_back(r.arrival);
        instance.prompt.push_back(r.prompt);
        instance.output.push_back(r.output);
        instance.lower.push_back(r.lower);
        instance.upper.push_back(r.upper);
    }
    return instance;
}

std::vector<Request> numbered_requests(OwnedInstance const& instance)
{
    std::vector<Request> requests;
    for (std::size_t i = 0; i < instance.output.size(); ++i)
        requests.push_back({std::to_string(i), instance.arrival[i], instance.prompt[i],
                            instance.output[i], instance.lower[i], instance.upper[i], 0});
    return requests;
}

std::vector<std::size_t> order_of(std::vector<Request> const& requests)
{
    std::vector<std::int64_t> places;
    for (auto const& r : requests)
        if (r.order) places.push_back(*r.order);
    return order_of_places(places);
}

} // namespace crx
