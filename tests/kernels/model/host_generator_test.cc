#include "kernels/cpu/single.hh"
#include "kernels/model/host_generator.hh"
#include "support/random_composition.hh"
#include "support/test_seed.hh"

#include <gtest/gtest.h>

namespace crx {
namespace {

std::int32_t guided(GuidedLaw const& law, std::uint64_t word)
{
    std::int32_t value = 0;
    law.draw(&word, 1, &value);
    return value;
}

/// A law with `values` values; some have probability 0, some are close together.
void fill_table(std::mt19937_64& rng, std::size_t values, std::vector<std::int32_t>& value,
                std::vector<std::uint64_t>& threshold)
{
    for (std::size_t k = 0; k < values; ++k) {
        value.push_back(static_cast<std::int32_t>(3 * k + 1));
        threshold.push_back(rng() % 4 == 0 && k > 0 ? threshold[k - 1] + rng() % 2 : rng());
    }
    std::ranges::sort(threshold);
}

// Words at each threshold and beside it, where a guide could be one off.
TEST(GuidedLaw, GivesTheTablesValueForEveryWord)
{
    std::mt19937_64 rng(crx_test::test_seed());
    for (std::size_t const values : {1, 2, 3, 49, 500, 70000}) {
        std::vector<std::int32_t> value;
        std::vector<std::uint64_t> threshold;
        fill_table(rng, values, value, threshold);
        for (auto const last : {threshold.back(), UINT64_MAX}) {
            threshold.back() = last;
            TableLaw const table{value, threshold};
            GuidedLaw const law(table);
            for (auto const at : threshold)
                for (auto const word : {at - 1, at, at + 1})
                    ASSERT_EQ(guided(law, word), table.draw(word)) << values << " " << word;
            for (auto const word : {std::uint64_t{0}, UINT64_MAX, UINT64_MAX - 1, rng(), rng()})
                ASSERT_EQ(guided(law, word), table.draw(word));
        }
    }
}

Workload table_workload(std::mt19937_64& rng, std::int64_t n)
{
    Workload w;
    w.seed = rng();
    w.requests = n;
    w.memory = 100000;
    fill_table(rng, 1 + rng() % 60, w.output_value, w.output_threshold);
    w.prompt_constant = 4;
    if (rng() % 2 == 0) {
        w.prompt_kind = PromptKind::table;
        fill_table(rng, 1 + rng() % 9, w.prompt_value, w.prompt_threshold);
    }
    IntervalKind const kinds[] = {IntervalKind::exact, IntervalKind::common, IntervalKind::buckets,
                                  IntervalKind::relative};
    w.interval = {kinds[rng() % 4], 1, 1000, 7, 1, 3};
    return w;
}

Workload trace_workload(std::mt19937_64& rng, TraceOrder order)
{
    Workload w;
    w.seed = rng();
    w.requests = 30;
    w.memory = 100;
    w.output_kind = OutputKind::trace;
    w.prompt_kind = PromptKind::trace;
    w.trace_order = order;
    for (std::int32_t k = 1; k <= 40; ++k) {
        w.trace_prompt.push_back(k % 7);
        w.trace_output.push_back(k);
    }
    w.source_end = {15, 40};
    w.source_count = {10, 20};
    return w;
}

void expect_same_instances(Workload const& w)
{
    HostGenerator const generator(view_of(w));
    OwnedInstance x;
    x.memory = w.memory;
    x.resize(static_cast<std::size_t>(w.requests));
    for (std::int64_t const number : {std::int64_t{0}, std::int64_t{7}, std::int64_t{1} << 40}) {
        auto const expected = generate_single(w, number);
        generator.generate(static_cast<std::uint64_t>(number), {x.requests(),
                                                                x.memory,
                                                                x.arrival.data(),
                                                                x.prompt.data(),
                                                                x.output.data(),
                                                                x.lower.data(),
                                                                x.upper.data(),
                                                                {}});
        EXPECT_EQ(x.output, expected.output);
        EXPECT_EQ(x.prompt, expected.prompt);
        EXPECT_EQ(x.lower, expected.lower);
        EXPECT_EQ(x.upper, expected.upper);
        EXPECT_EQ(x.arrival, expected.arrival);
    }
}

// Sizes around a batch of words.
TEST(HostGenerator, WritesTheInstancesOfGenerate)
{
    std::mt19937_64 rng(crx_test::test_seed());
    for (std::int64_t const n : {1, 2, 15, 16, 17, 50, 127, 128, 129, 300})
        for (int k = 0; k < 5; ++k) expect_same_instances(table_workload(rng, n));
    for (int k = 0; k < 20; ++k) expect_same_instances(crx_test::random_composition(rng, 5));
    expect_same_instances(trace_workload(rng, TraceOrder::sampled));
    expect_same_instances(trace_workload(rng, TraceOrder::in_order));
    auto window = trace_workload(rng, TraceOrder::window);
    window.source_end = {40};
    window.source_count = {30};
    expect_same_instances(window);
}

} // namespace
} // namespace crx
