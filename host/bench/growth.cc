#include "host/bench/growth.hh"

#include "host/bench/bench_cases.hh"

#include <optional>

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

/// A curve that is being measured.
struct Curve
{
    Axis const* axis;
    PolicyKind kind;
    RandomLaw engine;
    Growth growth;

    bool done() const { return growth.size.size() == axis->sizes.size(); }
    /// What the next size may cost: three repetitions of twelve times the last.
    double expected() const { return growth.seconds.empty() ? 0 : 36 * growth.seconds.back(); }

    void measure_next()
    {
        auto const size = axis->sizes[growth.size.size()];
        auto const workload = axis->workload(size);
        auto const timing = measure({engine_contender("", workload, kind, engine)}, 0)[0];
        growth.size.push_back(size);
        growth.seconds.push_back(timing.seconds);
    }
};

std::optional<double> exponent_from(Growth const& growth, double least)
{
    std::vector<double> sizes, times;
    for (std::size_t k = 0; k < growth.size.size(); ++k)
        if (growth.size[k] >= least) {
            sizes.push_back(growth.size[k]);
            times.push_back(growth.seconds[k]);
        }
    if (sizes.size() < 2) return std::nullopt;
    return growth_exponent(sizes, times);
}

} // namespace

std::vector<Growth> measure_growth(double budget)
{
    auto const all = axes();
    std::vector<Curve> curves;
    for (auto const& axis : all)
        for (auto const& policy : bench_policies)
            for (auto const engine : {RandomLaw::cohort, RandomLaw::request})
                curves.push_back(
                    {&axis,
                     policy.kind,
                     engine,
                     {policy.name, engine == RandomLaw::cohort ? "cohort" : "request", axis.name}});
    // The cheapest step first, so that what is left out in the end is what costs most.
    for (auto const end = wall_seconds() + budget;;) {
        Curve* next = nullptr;
        for (auto& curve : curves)
            if (!curve.done() && (next == nullptr || curve.expected() < next->expected()))
                next = &curve;
        if (next == nullptr || next->expected() > end - wall_seconds()) break;
        next->measure_next();
    }
    std::vector<Growth> growths;
    for (auto& curve : curves) {
        auto& growth = curve.growth;
        growth.left_out.assign(curve.axis->sizes.begin() +
                                   static_cast<std::ptrdiff_t>(growth.size.size()),
                               curve.axis->sizes.end());
        growth.exponent = exponent_from(growth, 0);
        growth.large_exponent = exponent_from(growth, large_size);
        growths.push_back(std::move(growth));
    }
    return growths;
}

} // namespace crx
