#include "analysis/statistics/quantile.hh"
#include "kernels/cpu/request_record.hh"
#include "kernels/cpu/single.hh"
#include "kernels/policies/threshold.cuh"

#include <algorithm>
#include <array>
#include <cmath>
#include <gtest/gtest.h>
#include <random>

namespace crx {
namespace {

OwnedInstance random_instance(std::mt19937_64& rng, bool on_a_clock)
{
    OwnedInstance instance;
    instance.memory = 60;
    if (on_a_clock) instance.clock = {ClockKind::affine, 1000, 7 << 16, 11 << 16, 3};
    instance.resize(30);
    Instant time = 0;
    for (std::size_t i = 0; i < 30; ++i) {
        time += static_cast<Instant>(rng() % (on_a_clock ? 4000 : 4));
        instance.arrival[i] = time;
        instance.prompt[i] = static_cast<std::int32_t>(rng() % 12);
        instance.output[i] = 1 + static_cast<std::int32_t>(rng() % 20);
    }
    instance.lower = instance.upper = instance.output;
    return instance;
}

/// The middle of the histogram's bin with the rank of a percentile.
double percentile(MeasureSums const& sums, RequestMeasure measure, std::int64_t permille)
{
    MeasureGroup all;
    for (auto const& group : sums.group) all.add(group);
    auto const& values = all.value[static_cast<std::size_t>(measure)];
    auto left = nearest_rank(values.count, permille);
    for (auto const& [bin, count] : values.histogram)
        if ((left -= count) <= 0)
            return (static_cast<double>(histogram_bin_start(bin)) +
                    static_cast<double>(histogram_bin_start(bin + 1) - 1)) /
                   2;
    return -1;
}

// Percentiles over all requests of 10,000 instances, of which all values are kept beside, are
// within 1/2048 of the exact ones; means, largest values, counts and totals are equal.
TEST(RequestRecord, CountsWhatAPlainComputationSays)
{
    constexpr std::int64_t instances = 10'000, requests_of_one = 30;
    for (bool const on_a_clock : {false, true}) {
        std::mt19937_64 rng(5);
        MeasureChoice choice;
        choice.kept.fill(true);
        choice.totals = true;
        choice.objective.latency = on_a_clock ? 60'000 : 60;
        RequestRecord record(choice, requests_of_one);
        std::array<std::vector<double>, measure_count> values;
        std::int64_t attained = 0, lost = 0;
        Unsigned128 held_time = 0;
        for (std::int64_t number = 0; number < instances; ++number) {
            auto instance = random_instance(rng, on_a_clock);
            PolicySpec const spec{Fcfs::kind};
            auto const run = execute_single(spec, instance, 1, number);
            ASSERT_EQ(run.outcome.finished, 1);
            auto const requests = requests_of(instance);
            auto const bytes = engine_bytes(spec, requests.n);
            std::vector<std::byte> block(bytes);
            Arena arena(block.data(), bytes);
            auto const outcome =
                execute_requests(Fcfs{}, requests, 1, static_cast<std::uint64_t>(number), arena,
                                 record.log_from({}, requests));
            record.count(requests, outcome, number);
            lost += run.outcome.wasted_tokens;
            held_time += run.use.held_time;
            for (std::size_t i = 0; i < requests_of_one; ++i) {
                auto const keep = [&](RequestMeasure measure, auto value) {
                    values[static_cast<std::size_t>(measure)].push_back(static_cast<double>(value));
                };
                auto const arrival = instance.arrival[i], latency = run.completion[i] - arrival;
                auto const output = instance.output[i];
                keep(RequestMeasure::latency, latency);
                keep(RequestMeasure::first_token, run.first_token[i] - arrival);
                keep(RequestMeasure::first_shown, run.first_shown[i] - arrival);
                keep(RequestMeasure::slowdown,
                     static_cast<double>(latency) /
                         static_cast<double>(
                             time_alone(instance.clock, instance.prompt[i], output)));
                attained += latency <= choice.objective.latency;
                if (output == 1) continue;
                keep(RequestMeasure::per_token,
                     static_cast<double>(run.completion[i] - run.first_token[i]) / (output - 1));
                keep(RequestMeasure::longest_gap, run.longest_gap[i]);
            }
        }
        MeasureSums sums;
        record.add_to(sums);
        MeasureGroup all;
        for (auto const& group : sums.group) all.add(group);
        EXPECT_EQ(all.requests, instances * requests_of_one);
        EXPECT_EQ(all.attained, attained);
        EXPECT_GT(attained, 20'000);
        EXPECT_LT(attained, 298'000);
        EXPECT_EQ(all.lost_tokens, lost);
        EXPECT_GT(lost, 0);
        EXPECT_EQ(all.held_time, held_time);
        for (std::size_t m = 0; m < values.size(); ++m) {
            auto const exact = distribution_of(values[m]);
            auto const& kept = all.value[m];
            auto const unit = std::ldexp(1.0, -measure_fraction_bits[m]); // what is counted
            EXPECT_EQ(kept.count, exact.count);
            EXPECT_NEAR(static_cast<double>(kept.sum) * unit / static_cast<double>(kept.count),
                        exact.mean, unit);
            EXPECT_NEAR(static_cast<double>(kept.largest) * unit, exact.max, unit);
            for (auto const& [permille, value] :
                 {std::pair{500, exact.p50}, {900, exact.p90}, {950, exact.p95}, {990, exact.p99}})
                EXPECT_NEAR(percentile(sums, static_cast<RequestMeasure>(m), permille) * unit,
                            value, value / 2048 + unit)
                    << "measure " << m << ", " << permille;
        }
    }
}

// Two rounds that hold 3 and 5 of M = 5: 8 token-rounds, one round of two above 90 %.
TEST(MemoryUse, ByHand)
{
    MemoryUse use;
    use.add({}, 5, {3, 2, 0}, 2, 2);
    EXPECT_EQ(use.held_time, Unsigned128{8});
    EXPECT_EQ(use.crowded_time, Unsigned128{1});
    // d0 = 10 and d1 = 1: rounds of 13 and 15, so 3 x 13 + 5 x 15.
    MemoryUse timed;
    timed.add({ClockKind::affine, 10, 1 << 16, 0, 0}, 5, {3, 2, 0}, 2, 28);
    EXPECT_EQ(timed.held_time, Unsigned128{114});
    EXPECT_EQ(timed.crowded_time, Unsigned128{15});
}

} // namespace
} // namespace crx
