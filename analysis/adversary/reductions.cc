#include "analysis/adversary/reductions.hh"

#include "kernels/base/host_device.cuh"

#include <algorithm>
#include <numeric>

namespace crx {
namespace {

/// Memory and prompts are 32-bit numbers in an instance.
constexpr std::int64_t most_sum = 1'000'000'000;

std::int64_t sum_of(std::vector<std::int64_t> const& numbers)
{
    return std::accumulate(numbers.begin(), numbers.end(), std::int64_t{0});
}

/// Positive, and of a sum that an instance can hold.
bool in_range(std::vector<std::int64_t> const& numbers)
{
    std::int64_t sum = 0;
    for (auto const x : numbers)
        if (x < 1 || x > most_sum || (sum += x) > most_sum) return false;
    return true;
}

Reduction with_prompts(std::vector<std::int64_t> const& prompts, Tokens memory,
                       std::int64_t threshold)
{
    Reduction made;
    made.threshold = threshold;
    made.instance.memory = memory;
    for (auto const s : prompts) made.instance.prompt.push_back(static_cast<std::int32_t>(s));
    made.instance.arrival.assign(prompts.size(), 0);
    made.instance.output.assign(prompts.size(), 1);
    made.instance.lower = made.instance.upper = made.instance.output;
    return made;
}

} // namespace

std::string three_partition_fault(std::vector<std::int64_t> const& numbers)
{
    if (numbers.empty() || numbers.size() % 3 != 0) return "3 m numbers, m >= 1";
    if (!in_range(numbers)) return "whole numbers from 1 of sum at most 1000000000";
    auto const m = static_cast<std::int64_t>(numbers.size()) / 3, sum = sum_of(numbers);
    if (sum % m != 0)
        return "3 m numbers whose sum is a multiple of m; " + std::to_string(sum) + " is none of " +
               std::to_string(m);
    auto const target = sum / m;
    for (auto const x : numbers)
        if (!(target < 4 * x && 2 * x < target))
            return "numbers strictly between T/4 and T/2, T = " + std::to_string(target) + "; " +
                   std::to_string(x) + " is not";
    return {};
}

std::string partition_fault(std::vector<std::int64_t> const& numbers)
{
    if (numbers.empty()) return "at least one number";
    if (!in_range(numbers)) return "whole numbers from 1 of sum at most 1000000000";
    if (auto const largest = *std::ranges::max_element(numbers); 2 * largest > sum_of(numbers))
        return "numbers of which none is more than half of the sum (else there is no such "
               "partition); " +
               std::to_string(largest) + " is";
    return {};
}

Reduction reduce_three_partition(std::vector<std::int64_t> const& numbers)
{
    CRX_EXPECT(three_partition_fault(numbers).empty());
    auto const m = static_cast<std::int64_t>(numbers.size()) / 3;
    return with_prompts(numbers, sum_of(numbers) / m + 3, 3 * m * (m + 1) / 2);
}

Reduction reduce_partition(std::vector<std::int64_t> const& numbers)
{
    CRX_EXPECT(partition_fault(numbers).empty());
    auto prompts = numbers;
    for (auto& s : prompts) s = 2 * s - 1;
    return with_prompts(prompts, sum_of(numbers), 2);
}

} // namespace crx
