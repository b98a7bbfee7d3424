#include "host/evidence/certificate/check_configurations.hh"

#include "host/evidence/certificate/configuration_paths.hh"

#include <fmt/format.h>
#include <map>
#include <stdexcept>

namespace crx::certificate {
namespace {

/// Follows all paths of the last stage, telling apart who has started. False: too many arcs.
bool no_schedule(Certified const& certified, ConfigurationPaths::Before const& last,
                 std::int64_t& arcs, std::int64_t most_arcs)
{
    auto const limit = Price{certified.upper - 1} << fraction_bits;
    auto const n = certified.requests.size();
    auto const everybody = n == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << n) - 1;
    struct Best
    {
        std::int64_t latency;
        Price paid;
    };
    // By node and who has started; arcs lead to larger nodes.
    std::map<std::pair<std::uint32_t, std::uint64_t>, Best> open{
        {{0, 0}, {0, last.costs.constant()}}};
    for (; !open.empty(); open.erase(open.begin())) {
        auto const& [key, best] = *open.begin();
        auto const& [node, started] = key;
        if (started == everybody && best.latency < certified.upper)
            throw std::invalid_argument(
                fmt::format("there is a schedule with a total latency below {}", certified.upper));
        for (auto a = last.first_arc[node]; a < last.first_arc[node + 1]; ++a) {
            if (++arcs > most_arcs) return false;
            auto const& arc = last.graph.arcs[a];
            auto const& set = last.graph.sets[arc.set];
            auto const paid = best.paid + last.costs.of_set(arc.set);
            if ((set.requests & started) != 0 || paid + last.costs.to_end(arc.to) > limit) continue;
            auto latency = best.latency;
            for (std::size_t i = 0; i < n; ++i)
                if ((set.requests & bit(i)) != 0)
                    latency +=
                        set.round + certified.requests[i].output - certified.requests[i].arrival;
            auto const to =
                open.try_emplace({arc.to, started | set.requests}, Best{latency, paid}).first;
            if (latency < to->second.latency) to->second = {latency, paid};
        }
    }
    return true;
}

} // namespace

CheckedConfigurations check_configurations(Certified const& certified, StartCosts const& first,
                                           std::int64_t most_arcs)
{
    auto const limit = Price{certified.upper - 1} << fraction_bits;
    if (certified.requests.size() > 64)
        throw std::invalid_argument("proof by configurations: 64 requests at most");
    CheckedConfigurations checked;
    std::optional<ConfigurationPaths::Before> before;
    for (auto const& stage : certified.stages) {
        ConfigurationPaths paths(certified, first, stage.active, before, most_arcs - checked.arcs);
        auto graph = paths.build();
        checked.arcs += paths.arcs();
        checked.ended = graph.has_value();
        if (!graph) return checked;
        std::optional<PathCosts> costs;
        for (auto const& prices : stage.prices) {
            costs.emplace(certified, *graph, path_costs(certified, prices));
            if (costs->bound() > limit) return checked;
            std::erase_if(graph->arcs,
                          [&](auto const& arc) { return costs->through(arc) > limit; });
        }
        before.emplace(std::move(*graph), std::move(*costs));
        if (stage.active < certified.requests.size()) continue;
        checked.ended = no_schedule(certified, *before, checked.arcs, most_arcs);
        return checked;
    }
    throw std::invalid_argument("configurations: paths are left at the end");
}

} // namespace crx::certificate
