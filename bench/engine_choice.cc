// Which engine is the cheaper one, for docs/decisions/010-engine-by-cost.md: time of the request
// engine over that of the cohort engine, as a sweep runs them, making and tallying included.
//   engine_choice [SECONDS a row and policy]
#include "host/bench/bench_cases.hh"

#include "kernels/policies/ladder.cuh"
#include "kernels/policies/max_length.cuh"
#include "kernels/policies/min_length.cuh"
#include "kernels/policies/random_order.cuh"
#include "kernels/policies/shortest_first.cuh"

#include <cstdlib>
#include <fmt/core.h>

namespace {

using namespace crx;

struct Row
{
    std::int64_t requests;
    Tokens memory;
    std::int32_t lower, upper;
    std::int64_t lengths; ///< equally frequent, from l to u
};

constexpr Row rows[] = {
    {50, 500, 5, 50, 2},        {1'000, 500, 5, 50, 2},      {50'000, 500, 35, 50, 2},
    {5'000, 5'000, 10, 100, 2}, {1'000, 1'000, 10, 100, 10}, {10'000, 2'000, 10, 100, 10},
    {50, 500, 1, 50, 50},       {200, 500, 1, 50, 50},       {1'000, 500, 1, 50, 50},
    {20'000, 2'000, 1, 50, 50}, {20'000, 10'000, 1, 50, 50},
};

constexpr struct
{
    char const* name;
    PolicyKind kind;
} policies[] = {{"mc-sf", ShortestFirst::kind}, {"a-max", MaxLength::kind},
                {"a-ell", PromoteLower::kind},  {"a-random", RandomOrder::kind},
                {"a-min", MinLength::kind},     {"a-min-evict", MinLengthEvict::kind}};

Workload workload_of(Row const& row)
{
    Workload w;
    w.seed = 1;
    w.memory = row.memory;
    w.output_kind = OutputKind::composition;
    w.interval = {IntervalKind::common, row.lower, row.upper, 100, 0, 1};
    for (std::int64_t k = 0; k < row.lengths; ++k) {
        w.output_value.push_back(
            static_cast<std::int32_t>(row.lower + (row.upper - row.lower) * k / (row.lengths - 1)));
        w.output_count.push_back(row.requests / row.lengths);
        w.requests += w.output_count.back();
    }
    return w;
}

} // namespace

int main(int count, char** argument)
{
    auto const budget = count > 1 ? std::strtod(argument[1], nullptr) : 0.5;
    fmt::print("{:>8} {:>8} {:>4} {:>4} {:>8}", "n", "M", "l", "u", "lengths");
    for (auto const& policy : policies) fmt::print(" {:>12}", policy.name);
    fmt::print("\n");
    for (auto const& row : rows) {
        fmt::print("{:>8} {:>8} {:>4} {:>4} {:>8}", row.requests, row.memory, row.lower, row.upper,
                   row.lengths);
        auto const workload = workload_of(row);
        for (auto const& policy : policies) {
            auto const timing =
                measure({engine_contender("request", workload, policy.kind, RandomLaw::request),
                         engine_contender("cohort", workload, policy.kind, RandomLaw::cohort)},
                        budget);
            fmt::print(" {:>12.2f}", timing[0].seconds / timing[1].seconds);
            std::fflush(stdout);
        }
        fmt::print("\n");
    }
}
