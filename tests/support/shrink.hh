#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "support/random_instance.hh"

/// Makes a failing instance small enough to work through by hand.
namespace crx_test {

namespace shrink_parts {

/// Smaller values to try for `value`, boldest first; none below `least`.
inline std::vector<std::int64_t> lower_values(std::int64_t value, std::int64_t least)
{
    std::vector<std::int64_t> values;
    for (std::int64_t v : {least, least + (value - least) / 2, value - 1})
        if (v >= least && v < value && (values.empty() || values.back() != v)) values.push_back(v);
    return values;
}

enum class GivesWay
{
    prompts,
    lengths
};

/// Lowers the memory and, where a request no longer fits, its prompt or its interval first: engines
/// often disagree only where something fills the memory exactly.
inline void lower_memory(Instance& x, std::int64_t memory, GivesWay first)
{
    x.memory = memory;
    for (oracle::Request& r : x.requests) {
        if (first == GivesWay::prompts)
            r.prompt = std::max<std::int64_t>(0, std::min(r.prompt, memory - r.upper));
        r.upper = std::max<std::int64_t>(1, std::min(r.upper, memory - r.prompt));
        r.prompt = std::min(r.prompt, memory - r.upper);
        r.output = std::min(r.output, r.upper);
        r.lower = std::min(r.lower, r.output);
    }
}

/// Every instance that is one step smaller: a block of requests or a level less, or one number
/// less.
inline std::vector<Instance> smaller(Instance const& from)
{
    std::vector<Instance> found;
    auto offer = [&](auto change) {
        Instance next = from;
        change(next);
        if (!next.requests.empty() && is_valid(next)) found.push_back(next);
    };
    std::size_t const n = from.requests.size();
    for (std::size_t block = std::max<std::size_t>(1, n / 2); block >= 1; block /= 2)
        for (std::size_t at = 0; at + block <= n; at += block)
            offer([=](Instance& x) {
                auto const first = x.requests.begin() + static_cast<std::ptrdiff_t>(at);
                x.requests.erase(first, first + static_cast<std::ptrdiff_t>(block));
            });
    for (std::size_t k = 0; k < from.levels.size(); ++k)
        offer([=](Instance& x) {
            x.levels.erase(x.levels.begin() + static_cast<std::ptrdiff_t>(k));
        });
    for (std::size_t i = 0; i < n; ++i) {
        oracle::Request const& r = from.requests[i];
        for (std::int64_t v : lower_values(r.arrival, 0))
            offer([=](Instance& x) { x.requests[i].arrival = v; });
        for (std::int64_t v : lower_values(r.prompt, 0))
            offer([=](Instance& x) { x.requests[i].prompt = v; });
        for (std::int64_t v : lower_values(r.upper, r.output))
            offer([=](Instance& x) { x.requests[i].upper = v; });
        for (std::int64_t v : lower_values(r.lower, 1))
            offer([=](Instance& x) { x.requests[i].lower = v; });
        for (std::int64_t v : lower_values(r.output, 1))
            offer([=](Instance& x) { // takes the interval along where that is exact
                oracle::Request& y = x.requests[i];
                y.upper = y.upper == y.output ? v : y.upper;
                y.lower = std::min(y.lower, v);
                y.output = v;
            });
    }
    for (std::int64_t v : lower_values(from.memory, 1))
        for (GivesWay first : {GivesWay::prompts, GivesWay::lengths})
            offer([=](Instance& x) { lower_memory(x, v, first); });
    for (std::size_t k = 0; k < from.levels.size(); ++k)
        for (std::int64_t v : lower_values(from.levels[k], 1))
            offer([=](Instance& x) { x.levels[k] = v; });
    return found;
}

} // namespace shrink_parts

/// A smallest instance that still disagrees, found greedily: no single step makes it smaller.
/// Contract: disagrees(instance). Ends, as every step lowers the count or the sum of the numbers.
template <class Disagrees>
Instance shrink(Instance instance, Disagrees disagrees)
{
    for (;;) {
        auto const steps = shrink_parts::smaller(instance);
        auto const step = std::find_if(steps.begin(), steps.end(), disagrees);
        if (step == steps.end()) return instance;
        instance = *step;
        instance.shape += instance.shape.find("(shrunk)") == std::string::npos ? " (shrunk)" : "";
    }
}

} // namespace crx_test
