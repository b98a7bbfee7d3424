#include "host/selftest/path_cases.hh"

namespace crx {
namespace {

constexpr Nanoseconds second = 1'000'000'000;

IterationCell cell_of(std::vector<PromptType> types, std::vector<std::vector<double>> const& rates,
                      IterationPolicyKind kind)
{
    IterationCell cell;
    cell.time = {2'000'000, 65536 * 700 + 12345};
    cell.types = std::move(types);
    cell.arrivals = poisson_rates(rates, second / 3);
    cell.policy.kind = kind;
    cell.seed = 7;
    cell.checkpoints = {second / 7, second, 3 * second};
    return cell;
}

PathCase wait_case()
{
    auto cell = cell_of({{5, 3}, {17, 1}, {2, 9}}, {{40, 25.5, 300}}, IterationPolicyKind::wait);
    cell.policy.thresholds = wait_table(cell.types, {1, 3, 12});
    cell.policy.memory = 120; // some iterations take more
    return {"wait, thresholds 1, 3 and 12", cell};
}

PathCase many_types_case()
{
    std::vector<PromptType> types;
    std::vector<double> rates;
    std::vector<std::int64_t> thresholds;
    for (std::int32_t j = 0; j < 70; ++j) {
        types.push_back({1 + j % 5, 1 + j});
        rates.push_back(0.5 + 0.25 * j);
        thresholds.push_back(1 + j % 4);
    }
    auto cell = cell_of(types, {rates}, IterationPolicyKind::wait);
    cell.policy.thresholds = wait_table(types, thresholds);
    return {"wait, 70 types", cell};
}

PathCase varying_case()
{
    auto cell = cell_of({{4, 2}, {4, 6}, {9, 6}}, {{60, 5, 0}, {0, 80, 30}, {20, 20, 20}},
                        IterationPolicyKind::nested_wait);
    cell.policy.thresholds = nested_table(cell.types, {{4, {2, 3, 6}, {5, 4, 3}}, {9, {6}, {2}}});
    return {"nested-wait, two groups, rates that vary", cell};
}

PathCase overloaded_case(IterationPolicyKind kind)
{
    auto cell = cell_of({{4, 3}, {4, 9}}, {{6000, 4000}}, kind);
    cell.policy.thresholds = nested_table(cell.types, {{4, {3, 9}, {2, 1}}});
    cell.policy.memory = 40;
    return {std::string(iteration_policy_ids[static_cast<std::size_t>(kind)]) + ", overloaded",
            cell};
}

PathCase fcfs_case(IterationPolicyKind kind, Tokens budget, std::int64_t limit, bool keep_tokens)
{
    auto cell = cell_of({{6, 4}, {3, 12}, {20, 1}}, {{50, 40, 20}}, kind);
    cell.policy.memory = 60;
    cell.policy.budget = budget;
    cell.policy.limit = limit;
    cell.policy.keep_tokens = keep_tokens;
    return {std::string(iteration_policy_ids[static_cast<std::size_t>(kind)]) + ", budget " +
                std::to_string(budget) + ", limit " + std::to_string(limit),
            cell};
}

} // namespace

std::vector<PathCase> path_cases()
{
    using enum IterationPolicyKind;
    return {wait_case(),
            many_types_case(),
            varying_case(),
            overloaded_case(nested_wait),
            overloaded_case(fcfs_safe),
            fcfs_case(fcfs_vllm, 0, 0, false),
            fcfs_case(fcfs_vllm, 0, 4, true),
            fcfs_case(fcfs_sarathi, 0, 0, false),
            fcfs_case(fcfs_sarathi, 9, 0, true),
            fcfs_case(fcfs_safe, 0, 5, false)};
}

} // namespace crx
