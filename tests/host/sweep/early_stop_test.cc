#include "analysis/statistics/basis.hh"
#include "analysis/statistics/summary.hh"
#include "host/sweep/stopping.hh"
#include "kernels/policies/registry.cuh"
#include "support/add_ratio.hh"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

/// How often an interval that a cell stopped on holds the mean, where rare instances carry it.
namespace crx {
namespace {

/// A cell of which nothing is known of the range of ratios: equal ones never suffice.
std::shared_ptr<Cell const> cell_of_any_range()
{
    auto cell = std::make_shared<Cell>();
    cell->policies = {{RandomOrder::kind, {}}};
    auto& w = cell->workload;
    w.requests = 4;
    w.output_kind = OutputKind::composition;
    w.output_value = {1, 2};
    w.output_count = {2, 2};
    w.clock.kind = ClockKind::affine;
    return cell;
}

struct Law
{
    char const* name;
    double mean, deviation;
    std::function<double(std::mt19937_64&)> draw;
};

std::vector<Law> laws()
{
    auto const uniform = [](std::mt19937_64& random) {
        return std::uniform_real_distribution<double>()(random);
    };
    auto const rare = [=](double share) {
        return [=](std::mt19937_64& random) { return uniform(random) < share ? 2.0 : 1.0; };
    };
    auto const e = std::exp(1.0);
    return {{"uniform", 1.5, std::sqrt(1.0 / 12), [=](auto& r) { return 1 + uniform(r); }},
            {"exponential", 2, 1, [](auto& r) { return 1 + std::exponential_distribution()(r); }},
            {"lognormal", 1 + std::sqrt(e), std::sqrt(e * (e - 1)),
             [](auto& r) { return 1 + std::lognormal_distribution()(r); }},
            {"one in ten", 1.1, 0.3, rare(0.1)},
            {"one in fifty", 1.02, 0.14, rare(0.02)}};
}

struct Stopped
{
    bool holds = false;
    std::int64_t instances = 0;
};

/// A sweep's end by the rule, and by the width of the interval alone.
std::pair<Stopped, Stopped> stop_once(Law const& law, StopRule const& stop, std::mt19937_64& random)
{
    constexpr auto kind = BaselineKind::volume;
    auto const cell = cell_of_any_range();
    Tally tally(1);
    std::optional<Stopped> by_rule, by_width;
    for (std::int64_t done = 0; !by_rule || !by_width;) {
        auto const target = next_checkpoint(stop, done + (done > 0));
        for (; done < target; ++done) crx_test::add_ratio(tally[0], kind, law.draw(random), done);
        auto const mean = *summarise(tally[0], kind, stop.confidence).mean_of_ratios;
        Stopped const here{std::abs(mean.mean - law.mean) <= *mean.half_width, done};
        bool const is_last = done == stop.instances;
        if (!by_width && (is_last || (has_width(mean) && *mean.half_width <= *stop.half_width)))
            by_width = here;
        if (!by_rule && (is_last || precise_enough(stop, {kind}, tally, [&] { return cell; })))
            by_rule = here;
    }
    return {*by_rule, *by_width};
}

// Each law's coverage is near 94 % (docs/store.md has 1000 sweeps). That 200 show less than 88 %
// has a probability below 1e-3 a law. Stopping by the width alone, the fault that the rule is there
// for, holds it less often by four points over all.
TEST(EarlyStop, HoldsTheMeanAsOftenAsItSays)
{
    constexpr int sweeps = 200;
    StopRule stop;
    stop.instances = 4096;
    stop.first = 16;
    int rule_holds = 0, width_holds = 0;
    for (auto const& law : laws()) {
        std::mt19937_64 random(11);
        stop.half_width = 1.96 * law.deviation / std::sqrt(40);
        int rule = 0, width = 0;
        std::int64_t instances = 0;
        for (int k = 0; k < sweeps; ++k) {
            auto const [by_rule, by_width] = stop_once(law, stop, random);
            rule += by_rule.holds;
            width += by_width.holds;
            instances += by_rule.instances;
        }
        std::printf("%-12s %.1f %%, after %lld instances; by width alone %.1f %%\n", law.name,
                    100.0 * rule / sweeps, static_cast<long long>(instances / sweeps),
                    100.0 * width / sweeps);
        EXPECT_GE(rule, sweeps * 88 / 100) << law.name;
        rule_holds += rule;
        width_holds += width;
    }
    EXPECT_GT(rule_holds, width_holds + 5 * sweeps * 2 / 100);
}

// Where an interval of few instances misses the mean, it is marked.
TEST(EarlyStop, AFixedNumberOfRareInstancesIsMarked)
{
    auto const law = laws().back();
    std::mt19937_64 random(12);
    int held = 0;
    for (int k = 0; k < 200; ++k) {
        PolicyTally tally;
        for (std::int64_t i = 0; i < 20; ++i)
            crx_test::add_ratio(tally, BaselineKind::h_sf, law.draw(random), i);
        auto const mean = *summarise(tally, BaselineKind::h_sf, 0.95).mean_of_ratios;
        held += has_width(mean) && std::abs(mean.mean - law.mean) <= *mean.half_width;
        EXPECT_TRUE(basis_of(tally, BaselineKind::h_sf).is_few());
    }
    EXPECT_LT(held, 100); // P(20 without one) = 2/3
}

} // namespace
} // namespace crx
