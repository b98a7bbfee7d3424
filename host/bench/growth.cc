#include "host/bench/growth.hh"

#include "host/bench/bench_cases.hh"

#include <fmt/core.h>

namespace crx {
namespace {

struct Axis
{
    char const* name;
    std::vector<double> sizes;
    Workload (*workload)(double size);
};

std::vector<Axis> axes()
{
    std::vector<double> const powers{1e2, 1e3, 1e4, 1e5, 1e6, 1e7};
    return {{"n = M", powers,
             [](double size) {
                 auto const n = static_cast<std::int64_t>(size);
                 return two_point_workload(n, n, 10, 100);
             }},
            {"n", powers,
             [](double size) {
                 return two_point_workload(static_cast<std::int64_t>(size), 10'000, 10, 100);
             }},
            {"M", powers,
             [](double size) {
                 return two_point_workload(10'000, static_cast<Tokens>(size), 10, 100);
             }},
            {"u", {25, 50, 100, 200, 400}, [](double size) {
                 auto const u = static_cast<std::int32_t>(size);
                 return two_point_workload(10'000, 10'000, u / 10, u);
             }}};
}

Growth grow(BenchPolicy const& policy, EngineKind engine, Axis const& axis, double budget)
{
    Growth growth;
    growth.policy = policy.name;
    growth.engine = engine == EngineKind::cohort ? "cohort" : "request";
    growth.along = axis.name;
    double left = budget;
    for (auto const size : axis.sizes) {
        auto const expected = growth.seconds.empty() ? 0 : 12 * growth.seconds.back();
        if (expected * 3 > left) {
            growth.cut = fmt::format("from {:g} on", size);
            break;
        }
        auto const workload = axis.workload(size);
        auto const timing = measure({engine_contender("", workload, policy.kind, engine)}, 0)[0];
        growth.size.push_back(size);
        growth.seconds.push_back(timing.seconds);
        left -= 4 * timing.seconds;
    }
    if (growth.size.size() > 1) growth.exponent = growth_exponent(growth.size, growth.seconds);
    return growth;
}

} // namespace

std::vector<Growth> measure_growth(double budget)
{
    auto const all = axes();
    auto const curves = static_cast<double>(all.size() * std::size(bench_policies) * 2);
    std::vector<Growth> growths;
    for (auto const& axis : all)
        for (auto const& policy : bench_policies)
            for (auto const engine : {EngineKind::cohort, EngineKind::request})
                growths.push_back(grow(policy, engine, axis, budget / curves));
    return growths;
}

} // namespace crx
