// A_max on any outputs: an upper bound below CHEN's Theorem 3.4 as printed, and a lower one.
#include "analysis/bounds/two_point_bounds.hh"
#include "kernels/cpu/single.hh"
#include "oracle/oracle.hh"
#include "support/test_seed.hh"

#include <algorithm>
#include <boost/multiprecision/cpp_int.hpp>
#include <gtest/gtest.h>
#include <numeric>
#include <random>

namespace crx::bounds {
namespace {

using Fraction = boost::multiprecision::cpp_rational;

struct Drawn
{
    std::int64_t s, l, u, memory;
    std::vector<oracle::Request> requests;
};

Drawn random_instance(std::mt19937_64& rng)
{
    auto const below = [&](std::uint64_t n) { return static_cast<std::int64_t>(rng() % n); };
    Drawn made;
    made.s = below(4);
    made.l = 1 + below(4);
    made.u = made.l + below(12);
    made.memory = made.s + made.u + below(static_cast<std::uint64_t>(4 * (made.s + made.u)));
    for (auto n = 1 + below(14); n > 0; --n)
        made.requests.push_back(
            {0, made.s, std::min(made.u, made.l + below(12) * below(2)), made.l, made.u});
    return made;
}

// Step by step: the order that A_max drew, what m workers do in that order, the volume.
TEST(AMaxAnyOutputs, EachStepOfTheProofOnRandomInstances)
{
    std::mt19937_64 rng(crx_test::test_seed() + 40);
    int later_than_none = 0;
    for (std::uint64_t number = 0; number < 3000; ++number) {
        auto const [s, l, u, memory, requests] = random_instance(rng);
        auto const n = requests.size();
        auto const m = static_cast<std::size_t>(memory / (s + u));
        auto const schedule = oracle::simulate({"a-max"}, requests, memory, 1, number);
        std::vector<std::size_t> order(n);
        std::iota(order.begin(), order.end(), std::size_t{0});
        // Ties of one round do not matter: any order that ascends in starts is the one drawn, up to
        // requests that start together.
        std::ranges::stable_sort(order, {}, [&](std::size_t i) { return schedule.start[i]; });
        std::vector<std::int64_t> free(m, 0);
        std::int64_t before = 0;
        for (auto const i : order) {
            auto const worker = std::ranges::min_element(free);
            ASSERT_LE(schedule.start[i], *worker);
            ASSERT_LE(*worker * static_cast<std::int64_t>(m), before);
            later_than_none += schedule.start[i] < *worker;
            *worker += requests[i].output;
            before += requests[i].output;
        }
        OwnedInstance instance;
        instance.memory = memory;
        std::int64_t outputs = 0;
        Fraction least_pairs = 0;
        for (auto const& a : requests) {
            instance.prompt.push_back(static_cast<std::int32_t>(s));
            instance.output.push_back(static_cast<std::int32_t>(a.output));
            instance.arrival.push_back(0);
            outputs += a.output;
            for (auto const& b : requests) {
                auto const o = std::min(a.output, b.output);
                least_pairs += s * o + o * (o + 1) / 2;
            }
        }
        instance.lower = instance.upper = instance.output;
        ASSERT_GE(2 * memory * Fraction(volume_bound(instance)), least_pairs);
        // mean(o) / E min(v, v') against its supremum
        auto const ratio = (Fraction(outputs) * n / least_pairs).convert_to<double>();
        auto const supremum = (a_max_any_outputs(static_cast<double>(l), static_cast<double>(u),
                                                 static_cast<double>(s)) -
                               1) /
                              static_cast<double>(s + u);
        ASSERT_LE(ratio, supremum * (1 + 1e-12));
    }
    EXPECT_GT(later_than_none, 1000);
}

// The supremum over outputs is one: G(k) = x / (s+k) has it, and two others next to it have less.
TEST(AMaxAnyOutputs, TheWorstTailIsTheOneNamed)
{
    double const s = 2, l = 3, u = 40, B = l * s + l * (l + 1) / 2;
    double H = 0;
    for (double k = l + 1; k <= u; ++k) H += 1 / (s + k);
    double const x = (-l + std::sqrt(l * l + B * H)) / H;
    auto const ratio = [&](double bend) {
        double mean = l, least = B;
        for (double k = l + 1; k <= u; ++k) {
            double const g = x / (s + k) * std::pow((s + k) / (s + u), bend);
            EXPECT_LE(g, 1);
            mean += g;
            least += (s + k) * g * g;
        }
        return mean / least;
    };
    EXPECT_NEAR(1 + (s + u) * ratio(0), a_max_any_outputs(l, u, s), 1e-12 * (s + u));
    EXPECT_LT(ratio(0.1), ratio(0));
    EXPECT_LT(ratio(-0.1), ratio(0));
}

// Theorem 3.4 as printed says that some outputs have more than any outputs can have: at l = 1 from
// u = 4 on, and for any l where alpha <= 0.055, however large M (a multiple of u) is.
TEST(AMaxAnyOutputs, Theorem34AsPrintedIsAboveIt)
{
    for (double u = 4; u <= 4096; u *= 2)
        EXPECT_LT(a_max_any_outputs(1, u, 0), a_max_lower_as_printed(1 / u));
    EXPECT_LT(a_max_any_outputs(0.055), a_max_lower_as_printed(0.055));
    EXPECT_GT(a_max_any_outputs(0.056), a_max_lower_as_printed(0.056));
    for (double const l : {1, 2, 10, 1000})
        EXPECT_LE(a_max_any_outputs(l, 20 * l, 0), a_max_any_outputs(0.05));
    for (double alpha = 1; alpha > 1e-9; alpha /= 2)
        EXPECT_LT(a_max_dyadic(alpha), a_max_any_outputs(alpha));
    EXPECT_GT(a_max_dyadic(1e-3), a_max_construction_supremum(1e-3) * 512 / 1000);
}

// More prompt, a smaller bound: so no prompt size makes Theorem 3.4 true again.
TEST(AMaxAnyOutputs, TheBoundFallsWithThePrompt)
{
    for (double const l : {1, 2, 7, 40})
        for (double const u : {l, l + 1, 4 * l, 100 * l})
            for (double s = 0; s < 1e4; s = 2 * s + 1)
                EXPECT_LE(a_max_any_outputs(l, u, 2 * s + 1),
                          a_max_any_outputs(l, u, s) * (1 + 1e-12));
}

// One worker is sum of the order's prefixes, and H-SF no slower than batches: M = u = 16.
TEST(AMaxAnyOutputs, DyadicLengthsReachWhatIsSaid)
{
    constexpr std::int64_t u = 16, K = 4;
    double const c = (std::sqrt(1 + K / 3.0) - 1) / (K / 2.0);
    OwnedInstance instance;
    instance.memory = u;
    constexpr std::int64_t n = 40'000;
    for (std::int64_t i = 0; i < n; ++i) {
        double const rank = (static_cast<double>(i) + 0.5) / n; // share of those as long or longer
        std::int32_t o = 1;
        while (o < u && rank < c / (2 * o)) o *= 2;
        instance.output.push_back(o);
    }
    instance.prompt.assign(n, 0);
    instance.arrival.assign(n, 0);
    instance.lower = instance.upper = instance.output;
    std::vector<std::size_t> order(n);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return instance.output[i]; });
    auto const starts = execute_in_order(instance, order);
    double const mean =
        static_cast<double>(std::accumulate(instance.output.begin(), instance.output.end(), 0LL)) /
        n;
    double const one_worker = mean * n * (n + 1) / 2; // in the mean over orders
    EXPECT_GT(one_worker / static_cast<double>(starts.outcome.total_latency),
              a_max_dyadic(1.0 / u) * (1 - 1e-3));
}

} // namespace
} // namespace crx::bounds
