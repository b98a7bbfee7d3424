#include "kernels/cpu/single.hh"
#include "kernels/policies/registry.cuh"
#include "support/random_instance.hh"
#include "support/test_seed.hh"

#include <algorithm>
#include <gtest/gtest.h>

namespace crx {
namespace {

OwnedInstance instance_of(Tokens memory, std::vector<Instant> arrival,
                          std::vector<std::int32_t> prompt, std::vector<std::int32_t> output)
{
    OwnedInstance instance;
    instance.memory = memory;
    instance.arrival = std::move(arrival);
    instance.prompt = std::move(prompt);
    instance.lower = instance.upper = instance.output = std::move(output);
    return instance;
}

// M = 4, s = 0. (o = 4 at 0), then two of o = 3 at 5. tau = 0: volumes 6 6 10 at 0, sums 6 12 22:
// max(3,2) + max(3,3) + max(4,6) = 12, less 5 + 5, is 2, less than the lengths 10. tau = 5: 4 +
// max(6, max(3,2) + max(3,3)) = 10. With a third of o = 3 at 5: 4 + 3 + 3 + ceil(18/4) = 15.
TEST(ReleaseBound, ByHand)
{
    EXPECT_EQ(release_bound(instance_of(4, {0, 5, 5}, {0, 0, 0}, {4, 3, 3})), 10);
    EXPECT_EQ(release_bound(instance_of(4, {5, 0, 5, 5}, {0, 0, 0, 0}, {3, 4, 3, 3})), 15);
    EXPECT_EQ(release_bound(instance_of(4, {}, {}, {})), 0);
}

TEST(ReleaseBound, IsAtLeastTheVolumeBoundWhereAllArriveAtZero)
{
    std::mt19937_64 rng(crx_test::test_seed());
    for (int k = 0; k < 1000; ++k) {
        auto const random = crx_test::random_instance(rng);
        OwnedInstance instance;
        instance.memory = random.memory;
        for (auto const& r : random.requests) {
            instance.arrival.push_back(0);
            instance.prompt.push_back(static_cast<std::int32_t>(r.prompt));
            instance.output.push_back(static_cast<std::int32_t>(r.output));
        }
        instance.lower = instance.upper = instance.output;
        ASSERT_GE(release_bound(instance), volume_bound(instance));
    }
}

/// Least total latency over all schedules that never cancel, by trying every start. Starting later
/// than everybody one after the other is of no use.
class BestSchedule
{
  public:
    explicit BestSchedule(OwnedInstance const& instance)
        : instance_(instance), n_(instance.output.size())
    {
        horizon_ = *std::max_element(instance.arrival.begin(), instance.arrival.end());
        for (auto const o : instance.output) horizon_ += o;
        held_.assign(static_cast<std::size_t>(horizon_) + 1, 0);
        place(0, 0);
    }
    std::int64_t best = INT64_MAX;

  private:
    void place(std::size_t i, std::int64_t latency)
    {
        if (latency >= best) return;
        if (i == n_) {
            best = latency;
            return;
        }
        auto const s = instance_.prompt[i], o = instance_.output[i];
        for (auto p = instance_.arrival[i]; p + o <= horizon_; ++p) {
            bool fits = true;
            for (std::int32_t j = 1; j <= o; ++j)
                fits = fits && held_[static_cast<std::size_t>(p + j)] + s + j <= instance_.memory;
            if (!fits) continue;
            for (std::int32_t j = 1; j <= o; ++j) held_[static_cast<std::size_t>(p + j)] += s + j;
            place(i + 1, latency + p + o - instance_.arrival[i]);
            for (std::int32_t j = 1; j <= o; ++j) held_[static_cast<std::size_t>(p + j)] -= s + j;
        }
    }

    OwnedInstance const& instance_;
    std::size_t n_;
    std::int64_t horizon_ = 0;
    std::vector<Tokens> held_;
};

// The bound is never above the exact optimum: 1,500 instances of up to five requests with arrivals,
// some so tight that the bound is above the sum of lengths. That a bound 1 higher would be
// caught: on hundreds of them the two are equal.
TEST(ReleaseBound, IsAtMostTheOptimumOfSmallInstances)
{
    std::mt19937_64 rng(crx_test::test_seed() + 1);
    auto const below = [&](std::uint64_t k) { return static_cast<std::int32_t>(rng() % k); };
    int tight = 0, above_lengths = 0;
    for (int k = 0; k < 1500; ++k) {
        OwnedInstance instance;
        std::int32_t longest = 0;
        std::int64_t lengths = 0;
        for (int i = 2 + below(4); i > 0; --i) {
            instance.arrival.push_back(below(5));
            instance.prompt.push_back(below(3));
            instance.output.push_back(1 + below(4));
            longest = std::max(longest, instance.prompt.back() + instance.output.back());
            lengths += instance.output.back();
        }
        instance.lower = instance.upper = instance.output;
        instance.memory = longest + below(4);
        auto const bound = release_bound(instance), best = BestSchedule(instance).best;
        ASSERT_LE(bound, best) << "case " << k;
        tight += bound == best ? 1 : 0;
        above_lengths += bound > lengths ? 1 : 0;
    }
    EXPECT_GT(tight, 200);
    EXPECT_GT(above_lengths, 100);
}

} // namespace
} // namespace crx
