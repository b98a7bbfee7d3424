#include "host/selftest/selftest_cases.hh"

#include "analysis/laws/discrete_laws.hh"
#include "kernels/policies/policy_info.hh"

namespace crx {
namespace {

constexpr std::uint64_t selftest_seed = 271828182845904523;

/// A uniform law on lo .. hi as thresholds (2^64 k / m, rounded down: both are only test data).
void uniform(std::int32_t lo, std::int32_t hi, std::vector<std::int32_t>& value,
             std::vector<std::uint64_t>& threshold)
{
    auto const m = static_cast<std::uint64_t>(hi - lo + 1);
    for (std::int32_t v = lo; v <= hi; ++v) {
        value.push_back(v);
        threshold.push_back(~std::uint64_t{0} / m * static_cast<std::uint64_t>(v - lo + 1));
    }
    threshold.back() = ~std::uint64_t{0};
}

Workload base(std::int64_t n, Tokens memory)
{
    Workload w;
    w.seed = selftest_seed;
    w.requests = n;
    w.memory = memory;
    return w;
}

/// Exact counts of two lengths.
SelftestCase two_point(std::string name, std::int64_t n, Tokens memory, std::int32_t s,
                       std::int32_t l, std::int32_t u, std::int64_t shorts, Rounds gap = 0)
{
    auto w = base(n, memory);
    w.output_kind = OutputKind::composition;
    w.output_value = {l, u};
    w.output_count = {shorts, n - shorts};
    w.prompt_constant = s;
    w.interval = {IntervalKind::common, l, u, 100, 0, 1};
    return {std::move(name), std::move(w), gap};
}

/// Uniform lengths and prompts.
SelftestCase spread(std::string name, std::int64_t n, Tokens memory, std::int32_t most_prompt,
                    std::int32_t lo, std::int32_t hi, IntervalRule const& rule, Rounds gap = 0)
{
    auto w = base(n, memory);
    uniform(lo, hi, w.output_value, w.output_threshold);
    w.prompt_kind = PromptKind::table;
    uniform(0, most_prompt, w.prompt_value, w.prompt_threshold);
    w.interval = rule;
    return {std::move(name), std::move(w), gap};
}

/// Uniform lengths as the program tabulates them, which both processors draw without a table.
SelftestCase tabulated(std::string name, std::int64_t n, Tokens memory, std::int32_t most_prompt,
                       std::int32_t longest)
{
    auto w = base(n, memory);
    auto const output = uniform_law(1, longest), prompt = uniform_law(1, most_prompt);
    w.output_value = output.value;
    w.output_threshold = output.threshold;
    w.prompt_kind = PromptKind::table;
    w.prompt_value = prompt.value;
    w.prompt_threshold = prompt.threshold;
    return {std::move(name), std::move(w), 0};
}

/// The same under an affine clock.
SelftestCase timed(SelftestCase test)
{
    test.workload.clock = {ClockKind::affine, 37, 70000, 150000};
    return test;
}

/// The same with arrivals of a Poisson process, whose rate varies or not.
SelftestCase poisson(SelftestCase test, bool varies)
{
    auto& w = test.workload;
    w.arrival_kind = ArrivalKind::poisson;
    auto const unit = w.clock.affine() ? std::int64_t{10'000'000} : 1; // a round is about 100 ns
    w.rate_step = {{60'000'000'000 / unit, 600'000'000 * unit}};
    if (!varies) return test;
    w.rate_step = {{900, 600'000'000 * unit}, {500, 0}, {700, 2'000'000'000 * unit}};
    w.rate_repeats = true;
    return test;
}

} // namespace

std::vector<SelftestCase> selftest_cases()
{
    IntervalRule const common{IntervalKind::common, 1, 12, 100, 0, 1};
    IntervalRule const buckets{IntervalKind::buckets, 1, 1, 4, 0, 1};
    IntervalRule const half{IntervalKind::relative, 1, 1, 100, 1, 2};
    IntervalRule const exact{};
    return {
        two_point("one request", 1, 7, 0, 7, 7, 1),
        two_point("one request fills memory", 5, 12, 2, 1, 10, 2),
        two_point("no prompts", 40, 24, 0, 2, 8, 25),
        two_point("ties everywhere", 37, 20, 1, 4, 4, 37),
        two_point("exact fits", 48, 36, 1, 2, 8, 24),
        two_point("long u, short o", 53, 41, 0, 1, 40, 50),
        two_point("ample memory", 30, 100000, 3, 2, 9, 11),
        two_point("two points with arrivals", 41, 30, 1, 3, 9, 20, 2),
        two_point("idle gaps", 26, 15, 0, 2, 7, 13, 40),
        spread("varying prompts, exact lengths", 44, 60, 9, 1, 12, exact),
        spread("varying prompts, common interval", 44, 40, 9, 1, 12, common),
        spread("varying prompts, buckets", 44, 33, 6, 1, 12, buckets),
        spread("varying prompts, relative intervals", 44, 45, 9, 1, 16, half),
        spread("tight memory", 30, 21, 9, 1, 12, common),
        spread("arrivals, common interval", 44, 40, 9, 1, 12, common, 1),
        spread("arrivals, buckets", 44, 30, 6, 1, 12, buckets, 3),
        spread("arrivals, relative intervals", 44, 45, 9, 1, 16, half, 2),
        timed(spread("affine clock, clustered arrivals", 44, 40, 9, 1, 12, common, 50)),
        poisson(spread("Poisson arrivals", 44, 40, 9, 1, 12, common), false),
        poisson(timed(spread("affine clock, a rate that varies", 44, 40, 9, 1, 12, common)), true),
        tabulated("JAILLET's shape", 60, 50, 5, 45),
        tabulated("many ends at a time", 60, 300, 5, 60),
    };
}

std::vector<SelftestCase> selftest_device_cases()
{
    IntervalRule const buckets{IntervalKind::buckets, 1, 1, 20, 0, 1};
    IntervalRule const common{IntervalKind::common, 1, 90, 100, 0, 1};
    IntervalRule const exact{};
    std::vector<SelftestCase> cases{
        spread("150 requests, exact lengths", 150, 500, 40, 1, 90, exact),
        spread("150 requests, buckets", 150, 500, 40, 1, 90, buckets),
        spread("900 requests, exact lengths", 900, 1200, 60, 1, 300, exact),
        spread("900 requests, common interval", 900, 700, 60, 1, 90, common),
    };
    for (auto& test : cases) test.fits_warps = true;
    cases.push_back(spread("some with more at a time than lanes", 200, 1150, 30, 1, 120, buckets));
    cases.push_back(spread("more ends than lanes", 300, 150000, 30, 1, 2000, exact));
    return cases;
}

std::vector<SelftestCase> selftest_cohort_cases()
{
    auto drawn = two_point("eight lengths by a law", 3000, 4000, 3, 1, 64, 0);
    auto& w = drawn.workload;
    w.output_kind = OutputKind::table;
    w.output_count.clear();
    w.output_value = {1, 2, 4, 8, 16, 32, 48, 64};
    for (std::uint64_t k = 1; k <= 8; ++k) w.output_threshold.push_back(~std::uint64_t{0} / 8 * k);
    w.output_threshold.back() = ~std::uint64_t{0};
    return {
        two_point("two points, n = M", 2000, 2000, 0, 10, 100, 1000),
        two_point("few at a time", 1500, 300, 1, 10, 100, 500),
        two_point("beyond what floats hold", 1'000'000, 1'500'000, 2, 7, 40, 300'000),
        drawn,
    };
}

std::vector<PolicySpec> selftest_policies(SelftestCase const&)
{
    std::vector<PolicySpec> specs;
    for (auto const& info : policy_table()) {
        PolicySpec spec{info.kind, {}};
        ExactShare share{1, 10}; // of the first that the policy takes
        for (auto const& parameter : policy_parameters)
            if (info.takes(parameter))
                by_kind(
                    parameter,
                    [&](LevelsOf of) {
                        spec.*of = {5, {1, 3, 4, 8, 16}};
                    },
                    [&](ShareOf of) {
                        spec.*of = std::exchange(share, {1, 3});
                    },
                    [&](CountOf of) { spec.*of = 400; }, [](auto) {});
        specs.push_back(spec);
    }
    return specs;
}

OwnedInstance selftest_instance(SelftestCase const& test, std::int64_t number)
{
    auto instance = generate_single(test.workload, number);
    if (test.workload.arrival_kind != ArrivalKind::at_zero) return instance;
    for (std::size_t i = 0; i < instance.arrival.size(); ++i)
        instance.arrival[i] = static_cast<Rounds>(7 * i % 13) * test.arrival_gap;
    return instance;
}

// --- paths of the iteration model ---------------------------------------------------------------

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
