#include "analysis/sorted_f/sorted_lp.hh"

#include "kernels/engines/cell.hh"
#include "kernels/policies/arrival_order.cuh"

#include <gtest/gtest.h>

namespace crx::sorted_lp {
namespace {

/// 12 requests, prompts 1 and 2, outputs 1 to 8.
Cell small_cell()
{
    Cell cell;
    auto& w = cell.workload;
    w.seed = 12;
    w.requests = 12;
    w.memory = 20;
    w.output_kind = OutputKind::composition;
    w.output_value = {1, 3, 5, 8};
    w.output_count = {3, 4, 3, 2};
    w.prompt_kind = PromptKind::table;
    w.prompt_value = {1, 2};
    w.prompt_threshold = {std::uint64_t{1} << 63, UINT64_MAX};
    cell.policies.assign(2, {ArrivalOrder::kind, {}});
    cell.orders = {std::make_shared<SortedLpOrder>(Rule::sorted_lp),
                   std::make_shared<SortedLpOrder>(Rule::lp_swap)};
    return cell;
}

// A sweep's sums are those of single runs.
TEST(SortedLpOrder, IsWhatSingleRunsDo)
{
    auto const cell = small_cell();
    InstanceRange const range{5, 6};
    std::int64_t expected[2] = {};
    for (auto k = range.first; k < range.first + range.count; ++k) {
        auto const x = generate_single(cell.workload, k);
        expected[0] += execute_sorted_lp(x).run.outcome.total_latency;
        expected[1] += execute_lp_swap(x).run.outcome.total_latency;
    }
    auto const tally = launch_host(cell, range);
    for (int k = 0; k < 2; ++k) {
        EXPECT_EQ(tally[static_cast<std::size_t>(k)].sums.count, range.count);
        EXPECT_EQ(tally[static_cast<std::size_t>(k)].sums.latency,
                  static_cast<Unsigned128>(expected[k]));
    }
}

TEST(SortedLpOrder, SaysWhatItIs)
{
    EXPECT_EQ(SortedLpOrder(Rule::sorted_lp).identity().at(0).second, "sorted-lp");
    EXPECT_EQ(SortedLpOrder(Rule::lp_swap).identity().at(0).second, "lp-swap");
}

} // namespace
} // namespace crx::sorted_lp
