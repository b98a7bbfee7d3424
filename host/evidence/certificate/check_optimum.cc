#include "host/evidence/certificate/check_optimum.hh"

#include "host/evidence/certificate/better_schedule.hh"
#include "host/evidence/certificate/check_configurations.hh"
#include "host/evidence/certificate/pair_paths.hh"

#include <algorithm>
#include <fmt/format.h>
#include <stdexcept>

namespace crx {
namespace {

using certificate::BetterSchedule;
using certificate::Certified;
using certificate::Proof;

/// They take about as long.
constexpr std::int64_t arcs_of_a_node = 20;

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

bool is_optimum_certificate(nlohmann::ordered_json const& file)
{
    return file.is_object() && file.contains("optimum_certificate");
}

CheckedOptimum check_optimum_certificate(nlohmann::ordered_json const& file,
                                         std::int64_t most_nodes)
{
    if (!is_optimum_certificate(file) || file["optimum_certificate"] != 1)
        throw std::invalid_argument("optimum_certificate: 1 is expected");
    auto const certified = certificate::read_certified(file);
    CheckedOptimum checked;
    checked.upper = checked_latency(certified);
    if (checked.upper != certified.upper)
        throw std::invalid_argument(fmt::format("total_latency: {} is written, the starts have {}",
                                                certified.upper, checked.upper));
    check_cliques(certified);
    auto const costs = start_costs(certified);
    auto const by_pairs = certified.proof == Proof::pairs;
    checked.lower = by_pairs ? pair_bound(certified, costs) : price_bound(costs);
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
    if (certified.proof == Proof::configurations) {
        auto const most_arcs = arcs_of_a_node * std::min(most_nodes, INT64_MAX / arcs_of_a_node);
        auto const paths = check_configurations(certified, costs, most_arcs);
        checked.arcs = paths.arcs;
        checked.search_ended = paths.ended;
    } else {
        BetterSchedule search(certified, costs);
        if (search.find(most_nodes))
            throw std::invalid_argument(
                fmt::format("there is a schedule with a total latency below {}", certified.upper));
        checked.nodes = search.nodes();
        checked.search_ended = search.ended();
    }
    if (checked.search_ended) checked.lower = checked.upper;
    return checked;
}

std::string as_text(CheckedOptimum const& checked)
{
    if (!checked.search_ended)
        return fmt::format(
            "a schedule of {}; {} <= OPT by the prices; the check of the rest of the "
            "proof stopped at {}",
            checked.upper, checked.lower,
            checked.arcs > 0 ? fmt::format("{} arcs", checked.arcs)
                             : fmt::format("{} nodes", checked.nodes));
    auto const way = checked.arcs > 0    ? fmt::format("configurations, {} arcs", checked.arcs)
                     : checked.nodes > 0 ? fmt::format("a search of {} nodes", checked.nodes)
                                         : "the prices";
    if (checked.lower == checked.upper)
        return fmt::format("OPT = {}, proven by {}", checked.upper, way);
    return fmt::format("{} <= OPT <= {}", checked.lower, checked.upper);
}

} // namespace crx
