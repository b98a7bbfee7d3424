#include "analysis/sorted_f/sorted_lp.hh"

#include "analysis/baseline/schedule.hh"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace crx::sorted_lp {
namespace {

/// Exchanges one of the batch for one of the rest, the first pair in order that fits and has less
/// output; both lists stay in order. Places are of the order by (y, o, index).
bool exchange(OwnedInstance const& instance, std::vector<std::size_t> const& order,
              std::vector<std::size_t>& batch, std::vector<std::size_t>& rest, Tokens& held)
{
    auto const size = [&](std::size_t place) {
        return Tokens{instance.prompt[order[place]]} + instance.output[order[place]];
    };
    auto const output = [&](std::size_t place) { return instance.output[order[place]]; };
    for (std::size_t b = 0; b < batch.size(); ++b)
        for (std::size_t r = 0; r < rest.size(); ++r) {
            auto const out = batch[b], in = rest[r];
            if (output(in) >= output(out) || held - size(out) + size(in) > instance.memory)
                continue;
            held += size(in) - size(out);
            batch.erase(batch.begin() + static_cast<std::ptrdiff_t>(b));
            rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(r));
            batch.insert(std::ranges::upper_bound(batch, in), in);
            rest.insert(std::ranges::upper_bound(rest, out), out);
            return true;
        }
    return false;
}

SortedLpRun execute(OwnedInstance const& instance, RelaxationSettings const& settings,
                    std::vector<std::size_t> (*order)(OwnedInstance const&,
                                                      std::vector<double> const&))
{
    CRX_EXPECT(std::ranges::all_of(instance.arrival, [](Rounds a) { return a == 0; }));
    auto relaxation = relax(instance, settings);
    auto run = execute_in_order(instance, order(instance, relaxation.mean_start));
    CRX_ENSURE(!baseline::schedule_fault(instance, {run.start.begin(), run.start.end()}));
    return {std::move(run), std::move(relaxation)};
}

} // namespace

std::vector<std::size_t> sorted_lp_order(OwnedInstance const& instance,
                                         std::vector<double> const& mean_start)
{
    CRX_EXPECT(mean_start.size() == instance.output.size());
    std::vector<std::size_t> order(mean_start.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, {}, [&](std::size_t i) {
        return std::pair(std::llround(std::ldexp(mean_start[i], 20)), instance.output[i]);
    });
    return order;
}

std::vector<std::size_t> lp_swap_order(OwnedInstance const& instance,
                                       std::vector<double> const& mean_start)
{
    auto const order = sorted_lp_order(instance, mean_start);
    std::vector<std::size_t> waiting(order.size()), result;
    std::iota(waiting.begin(), waiting.end(), std::size_t{0});
    while (!waiting.empty()) {
        std::vector<std::size_t> batch, rest;
        Tokens held = 0;
        for (auto const place : waiting) {
            auto const size = Tokens{instance.prompt[order[place]]} + instance.output[order[place]];
            auto const takes = held + size <= instance.memory;
            (takes ? batch : rest).push_back(place);
            held += takes ? size : 0;
        }
        CRX_ENSURE(!batch.empty());
        while (exchange(instance, order, batch, rest, held)) {
        }
        std::ranges::stable_sort(batch, {},
                                 [&](std::size_t place) { return instance.output[order[place]]; });
        for (auto const place : batch) result.push_back(order[place]);
        waiting = std::move(rest);
    }
    return result;
}

SortedLpRun execute_sorted_lp(OwnedInstance const& instance, RelaxationSettings const& settings)
{
    return execute(instance, settings, sorted_lp_order);
}

SortedLpRun execute_lp_swap(OwnedInstance const& instance, RelaxationSettings const& settings)
{
    return execute(instance, settings, lp_swap_order);
}

std::vector<std::size_t> SortedLpOrder::order(Requests const& requests, std::uint64_t,
                                              std::int64_t) const
{
    auto const n = static_cast<std::size_t>(requests.n);
    OwnedInstance instance;
    instance.memory = requests.memory;
    instance.resize(n);
    instance.prompt.assign(requests.prompt, requests.prompt + n);
    instance.output.assign(requests.output, requests.output + n);
    instance.lower = instance.upper = instance.output;
    auto const mean_start = relax(instance).mean_start;
    return rule_ == Rule::sorted_lp ? sorted_lp_order(instance, mean_start)
                                    : lp_swap_order(instance, mean_start);
}

std::vector<std::pair<std::string, std::string>> SortedLpOrder::identity() const
{
    return {{"id", rule_ids[static_cast<std::size_t>(rule_)]}};
}

} // namespace crx::sorted_lp
