#include "host/evidence/certificate/check_optimum.hh"

#include "host/evidence/certificate/check_configurations.hh"
#include "host/evidence/certificate/pair_paths.hh"
#include "oracle/bounds.hh"

#include <algorithm>
#include <fmt/format.h>
#include <stdexcept>

namespace crx {
namespace {

using certificate::Certified;
using certificate::Proof;

/// TEL of the schedule in the file, every token of every request looked at.
std::int64_t checked_latency(Certified const& certified)
{
    std::int64_t end = 0, latency = 0;
    for (std::size_t i = 0; i < certified.requests.size(); ++i)
        end = std::max(end, certified.starts[i] + certified.requests[i].output);
    std::vector<std::int64_t> held_then(static_cast<std::size_t>(end) + 1, 0);
    for (std::size_t i = 0; i < certified.requests.size(); ++i) {
        auto const& r = certified.requests[i];
        auto const start = certified.starts[i];
        if (start < r.arrival)
            throw std::invalid_argument(fmt::format(
                "request {} starts in round {}, before it arrives in {}", i, start, r.arrival));
        latency += start + r.output - r.arrival;
        for (auto t = start + 1; t <= start + r.output; ++t)
            held_then[static_cast<std::size_t>(t)] += held(r, start, t);
    }
    for (std::size_t t = 0; t < held_then.size(); ++t)
        if (held_then[t] > certified.memory)
            throw std::invalid_argument(fmt::format("{} tokens are held at time {}, M = {}",
                                                    held_then[t], t, certified.memory));
    return latency;
}

} // namespace

std::int64_t certificate::plain_bound(Certified const& certified, StartCosts const& costs)
{
    constexpr std::size_t most_released = 2000; // a second
    std::vector<oracle::Request> requests;
    for (auto const& r : certified.requests) {
        requests.emplace_back();
        requests.back().arrival = r.arrival;
        requests.back().prompt = r.prompt;
        requests.back().output = r.output;
    }
    auto const plain = requests.size() > most_released
                           ? oracle::outputs_bound(requests)
                           : oracle::release_bound(requests, certified.memory);
    return std::max(plain, price_bound(costs));
}

bool is_optimum_certificate(nlohmann::ordered_json const& file)
{
    return file.is_object() && file.contains("optimum_certificate");
}

CheckedOptimum check_optimum_certificate(nlohmann::ordered_json const& file, std::int64_t most_arcs)
{
    if (!is_optimum_certificate(file) || file["optimum_certificate"] != 2)
        throw std::invalid_argument("optimum_certificate: 2 is expected");
    auto const certified = certificate::read_certified(file);
    CheckedOptimum checked;
    checked.upper = checked_latency(certified);
    if (checked.upper != certified.upper)
        throw std::invalid_argument(fmt::format("total_latency: {} is written, the starts have {}",
                                                certified.upper, checked.upper));
    auto const costs = start_costs(certified);
    auto const by_pairs = certified.proof == Proof::pairs;
    checked.lower = plain_bound(certified, costs);
    if (by_pairs) checked.lower = std::max(checked.lower, pair_bound(certified, costs));
    if (by_pairs || certified.proof == Proof::prices) {
        if (checked.lower != certified.lower)
            throw std::invalid_argument(fmt::format(
                "lower_bound: {} is written, the prices give {}", certified.lower, checked.lower));
        if (checked.lower > checked.upper)
            throw std::invalid_argument("the lower bound is above the schedule");
        return checked;
    }
    if (certified.lower != certified.upper)
        throw std::invalid_argument("lower_bound: this proof needs that of total_latency");
    if (checked.lower >= checked.upper) return checked;
    auto const paths = check_configurations(certified, costs, most_arcs);
    checked.arcs = paths.arcs;
    checked.search_ended = paths.ended;
    if (checked.search_ended) checked.lower = checked.upper;
    return checked;
}

std::string as_text(CheckedOptimum const& checked)
{
    if (!checked.search_ended)
        return fmt::format(
            "a schedule of {}; {} <= OPT by the prices; the check of the rest of the proof stopped "
            "at {} arcs",
            checked.upper, checked.lower, checked.arcs);
    auto const way =
        checked.arcs > 0 ? fmt::format("configurations, {} arcs", checked.arcs) : "the prices";
    if (checked.lower == checked.upper)
        return fmt::format("OPT = {}, proven by {}", checked.upper, way);
    return fmt::format("{} <= OPT <= {}", checked.lower, checked.upper);
}

} // namespace crx
