#include "oracle/witness/side.hh"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>

#include "oracle/bounds.hh"
#include "oracle/optimum.hh"
#include "oracle/sorted_f.hh"

namespace oracle {
namespace {

using Json = nlohmann::json;

/// A number of at most nine decimal places as a fraction.
Share share_of(Json const& value)
{
    double const billionths = value.get<double>() * 1e9;
    std::int64_t const whole = std::llround(billionths);
    if (!(std::abs(billionths - static_cast<double>(whole)) < 1e-3) || whole < 0 ||
        whole > 1'000'000'000)
        throw Fault("a share is not in 0 .. 1, or has more than nine places");
    std::int64_t const common = std::gcd(whole, std::int64_t{1'000'000'000});
    return {whole / common, 1'000'000'000 / common};
}

std::int64_t at_least(Json const& row, char const* key, std::int64_t otherwise, std::int64_t least)
{
    if (!row.contains(key)) return otherwise;
    if (!row[key].is_number_integer()) throw Fault(std::string(key) + " is no whole number");
    std::int64_t const value = row[key];
    if (value < least || value > std::int64_t{1} << 40)
        throw Fault(std::string(key) + " is out of its range");
    return value;
}

/// An entry of `requests`, without its count.
Request request_of(Json const& row)
{
    for (auto const& [key, value] : row.items())
        if (key != "arrival" && key != "prompt" && key != "output" && key != "lower" &&
            key != "upper" && key != "count")
            throw Fault("unknown key " + key);
    Request request;
    request.arrival = at_least(row, "arrival", 0, 0);
    request.prompt = at_least(row, "prompt", -1, 0);
    request.output = at_least(row, "output", -1, 1);
    if (request.prompt < 0 || request.output < 1)
        throw Fault("a request has no prompt or no output");
    request.lower = at_least(row, "lower", request.output, 1);
    request.upper = at_least(row, "upper", request.output, 1);
    if (request.lower > request.output || request.upper < request.output)
        throw Fault("an output is outside of its interval");
    return request;
}

Schedule run(Json const& side, std::vector<Request> const& requests, std::int64_t memory,
             std::uint64_t number, Clock const& clock)
{
    std::uint64_t const seed = side.value("seed", std::uint64_t{0});
    if (side.contains("seed") && !side["seed"].is_number_unsigned())
        throw Fault("seed is no whole number from 0");
    if (side.at("policy") == "sorted-f")
        return simulate_sorted_f({side.at("selector")}, requests, memory, seed, number, clock);
    return simulate(policy_of(side, memory), requests, memory, seed, number, clock);
}

std::int64_t measured(Schedule const& schedule, std::vector<Request> const& requests,
                      std::string const& measure)
{
    if (measure == "total_latency") return schedule.total_latency;
    if (measure == "makespan") return schedule.makespan;
    std::vector<std::int64_t> latency;
    for (std::size_t i = 0; i < requests.size(); ++i)
        latency.push_back(schedule.completion[i] - requests[i].arrival);
    std::sort(latency.begin(), latency.end());
    std::size_t rank = 1; // the least that 99 in 100 do not exceed
    while (100 * rank < 99 * latency.size()) ++rank;
    return latency[rank - 1];
}

std::int64_t finished_cost(Schedule const& schedule, std::vector<Request> const& requests,
                           std::string const& measure)
{
    if (!schedule.finished) throw Fault("the policy does not finish: " + schedule.reason);
    return measured(schedule, requests, measure);
}

/// The mean over every order of the requests as they are listed.
Fraction mean_over_orders(Json const& side, std::vector<Request> const& requests,
                          std::int64_t memory, std::string const& measure, Clock const& clock)
{
    std::vector<std::size_t> order(requests.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    Fraction sum = 0;
    std::int64_t runs = 0;
    do {
        std::vector<Request> permuted;
        for (std::size_t const i : order) permuted.push_back(requests[i]);
        sum += finished_cost(run(side, permuted, memory, 0, clock), permuted, measure);
        ++runs;
    } while (std::next_permutation(order.begin(), order.end()));
    return sum / runs;
}

} // namespace

std::string text_of(Fraction const& fraction)
{
    if (denominator(fraction) == 1) return numerator(fraction).str();
    return numerator(fraction).str() + "/" + denominator(fraction).str();
}

Fraction fraction_of(Json const& text)
{
    if (!text.is_string()) throw Fault("a fraction is not written as a text, as \"35/29\"");
    try {
        return Fraction(text.get<std::string>());
    } catch (std::exception const&) {
        throw Fault("no fraction: " + text.get<std::string>());
    }
}

std::vector<Request> requests_of(Json const& witness)
{
    std::vector<Request> requests;
    std::size_t number = 0;
    for (Json const& row : witness.at("requests")) {
        ++number;
        try {
            std::int64_t const count = at_least(row, "count", 1, 1);
            if (count > 1'000'000 || requests.size() > 1'000'000)
                throw Fault("more than a million requests");
            requests.insert(requests.end(), static_cast<std::size_t>(count), request_of(row));
        } catch (std::exception const& error) {
            throw Fault("entry " + std::to_string(number) + " of requests: " + error.what());
        }
    }
    if (requests.empty()) throw Fault("no request");
    return requests;
}

Policy policy_of(Json const& side, std::int64_t memory)
{
    Policy policy{side.at("policy")};
    policy.levels = side.value("levels", std::vector<std::int64_t>{});
    if (side.contains("alpha")) policy.alpha = share_of(side["alpha"]);
    if (side.contains("beta")) policy.beta = share_of(side["beta"]);
    policy.round_cap = side.value("round_cap", std::int64_t{0});
    if (side.contains("watermark")) policy.watermark = share_of(side["watermark"]);
    policy.max_running = side.value("max_running", std::int64_t{0});
    policy.budget = side.value("budget", std::int64_t{0});
    if (policy.round_cap == 0) policy.round_cap = 10 * memory;
    policy.learns_exceeded = side.value("learns", "") == "exceeded";
    return policy;
}

Clock clock_of(Json const& witness)
{
    Clock clock;
    if (!witness.contains("clock")) return clock;
    Json const& given = witness["clock"];
    clock.d0 = at_least(given, "d0", 0, 0);
    clock.d1 = at_least(given, "d1", 0, 0);
    clock.d2 = at_least(given, "d2", 0, 0);
    clock.d3 = at_least(given, "d3", 0, 0);
    return clock;
}

namespace {

/// The exact mean of a policy's TEL over its random choices; nothing where a run does not finish.
std::optional<Fraction> exact_latency(Json const& side, std::vector<Request> const& requests,
                                      std::int64_t memory)
{
    if (side.at("policy") == "sorted-f") {
        if (side.at("selector") == "quantile") throw Fault("quantile has no exact mean here");
        Schedule const schedule = run(side, requests, memory, 0, {});
        if (!schedule.finished) return std::nullopt;
        return Fraction(schedule.total_latency);
    }
    Policy const policy = policy_of(side, memory);
    bool finished = true;
    Fraction const mean = exact_mean([&](Choices& choices) {
        Schedule const schedule = simulate(policy, requests, memory, choices);
        finished = finished && schedule.finished;
        return schedule.total_latency;
    });
    if (!finished) return std::nullopt;
    return mean;
}

} // namespace

Fraction policy_cost(Json const& side, std::vector<Request> const& requests,
                     std::string const& measure, Clock const& clock)
{
    std::string const id = side.at("policy");
    if (id == "sorted-lp" || id == "lp-swap")
        throw Fault(id + " needs a linear program, which the plain rules do not have");
    std::int64_t const memory = side.at("memory");
    std::vector<Request> told = requests;
    if (side.contains("known"))
        for (Request& r : told) {
            r.lower = side["known"].at(0);
            r.upper = side["known"].at(1);
        }
    if (side.value("mean", "") == "exact") {
        if (measure != "total_latency" || clock.d0 != 1 || clock.d1 != 0)
            throw Fault("exact means are of total latency under the unit clock");
        auto const mean = exact_latency(side, told, memory);
        if (!mean) throw Fault("the policy does not finish");
        return *mean;
    }
    if (side.value("orders", "as listed") == "all")
        return mean_over_orders(side, told, memory, measure, clock);
    std::uint64_t const first = side.value("number", std::uint64_t{0});
    std::uint64_t const runs = side.value("instances", std::uint64_t{1});
    if (runs < 1 || runs > 1'000'000) throw Fault("instances is out of its range");
    Fraction sum = 0;
    for (std::uint64_t k = first; k < first + runs; ++k)
        sum += finished_cost(run(side, told, memory, k, clock), told, measure);
    return sum / runs;
}

std::int64_t schedule_latency(std::vector<std::int64_t> const& starts,
                              std::vector<Request> const& requests, std::int64_t memory)
{
    if (starts.size() != requests.size())
        throw Fault("there are " + std::to_string(starts.size()) + " starts for " +
                    std::to_string(requests.size()) + " requests");
    std::map<std::int64_t, std::int64_t> held;
    std::int64_t total = 0;
    for (std::size_t i = 0; i < requests.size(); ++i) {
        if (starts[i] < requests[i].arrival)
            throw Fault("request " + std::to_string(i) + " starts before it arrives");
        for (std::int64_t j = 1; j <= requests[i].output; ++j)
            held[starts[i] + j] += requests[i].prompt + j;
        total += starts[i] + requests[i].output - requests[i].arrival;
    }
    for (auto const& [time, tokens] : held)
        if (tokens > memory)
            throw Fault("the schedule holds " + std::to_string(tokens) + " tokens at time " +
                        std::to_string(time) + ", M is " + std::to_string(memory));
    return total;
}

std::string reason_for_bound(std::vector<Request> const& requests, std::int64_t memory,
                             std::int64_t bound, std::int64_t most_states)
{
    if (outputs_bound(requests) >= bound) return "by the sum of outputs";
    if (release_bound(requests, memory) >= bound) return "by volume";
    Exhaustion const all = exhaust(requests, memory, bound, most_states);
    if (all.below)
        throw Fault("there is a schedule of total latency " + std::to_string(*all.below));
    if (!all.finished)
        throw Fault("no schedule below " + std::to_string(bound) + " was found, but after " +
                    std::to_string(most_states) +
                    " states not all are searched; --states allows more");
    return "by exhaustion, " + std::to_string(all.states) + " states";
}

} // namespace oracle
