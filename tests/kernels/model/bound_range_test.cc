#include "kernels/cpu/single.hh"
#include "kernels/engines/cohorts/cohort.hh"
#include "support/latency_near_limit.hh"

#include <algorithm>
#include <cstddef>
#include <gtest/gtest.h>

namespace crx {
namespace {

using crx_test::latency_limit;

Unsigned128 wide(std::int64_t x) { return static_cast<Unsigned128>(x); }

/// The volume bound in 128 bits, as it is written down; s = 0. Lengths ascend.
Unsigned128 exact_bound(std::vector<std::int32_t> const& length, Tokens memory)
{
    Unsigned128 total = 0, sum = 0;
    for (auto const o : length) {
        sum += wide(o) * wide(o + std::int64_t{1}) / 2;
        total += std::max(wide(o), (sum + wide(memory) - 1) / wide(memory));
    }
    return total;
}

/// So many requests of length 1, one of length v and n of the longest.
struct Lengths
{
    static constexpr std::int32_t longest = INT32_MAX;
    std::int64_t ones, n;
    std::int32_t v;

    std::vector<std::int32_t> ascending() const
    {
        std::vector<std::int32_t> all(static_cast<std::size_t>(ones), 1);
        all.push_back(v);
        all.insert(all.end(), static_cast<std::size_t>(n), longest);
        return all;
    }
    Unsigned128 bound() const { return exact_bound(ascending(), longest); }
};

/// Some whose bound, with memory for one of the longest, is this number near 2^62: n, then v, are
/// the most that are not too many, and each further request of length 1 adds one round.
Lengths lengths_of_bound(Unsigned128 target)
{
    Lengths lengths{1, 90'000, 2};
    auto const most = [&](auto& field, auto high) {
        for (auto low = field; high - low > 1;) {
            auto const middle = low + (high - low) / 2;
            field = middle;
            (lengths.bound() <= target ? low : high) = middle;
            field = low;
        }
    };
    most(lengths.n, std::int64_t{100'000});
    most(lengths.v, Lengths::longest);
    lengths.ones += static_cast<std::int64_t>(target - lengths.bound());
    return lengths;
}

/// The longest first, so that the release bound does not insert in front.
OwnedInstance instance_of(Lengths const& lengths)
{
    OwnedInstance instance;
    instance.memory = Lengths::longest;
    instance.output = lengths.ascending();
    std::ranges::reverse(instance.output);
    instance.lower = instance.upper = instance.output;
    instance.prompt.assign(instance.output.size(), 0);
    instance.arrival.assign(instance.output.size(), 0);
    return instance;
}

std::int64_t by_class(Workload const& w)
{
    std::vector<std::max_align_t> block(
        volume_by_class_bytes(view_of(w)) / sizeof(std::max_align_t) + 1);
    return volume_by_class(view_of(w), w.output_count.data(), block.data(),
                           block.size() * sizeof(std::max_align_t));
}

Workload workload_of(Lengths const& lengths)
{
    Workload w;
    w.output_kind = OutputKind::composition;
    w.output_value = {1, lengths.v, Lengths::longest};
    w.output_count = {lengths.ones, 1, lengths.n};
    w.requests = lengths.ones + 1 + lengths.n;
    w.memory = Lengths::longest;
    return w;
}

// 2^62 - 1 is a value, 2^62 and 2^62 + 1 are none, by class and request by request.
TEST(BoundNearLimit, VolumeHasNoValueFromTheLimitOn)
{
    for (int past = -1; past <= 1; ++past) {
        auto const target = latency_limit + static_cast<Unsigned128>(past);
        auto const lengths = lengths_of_bound(target);
        ASSERT_TRUE(lengths.bound() == target);
        auto const value = past < 0 ? static_cast<std::int64_t>(target) : 0;
        EXPECT_EQ(volume_bound(instance_of(lengths)), value);
        EXPECT_EQ(release_bound(instance_of(lengths)), value);
        EXPECT_EQ(by_class(workload_of(lengths)), value);
    }
}

// n o is 2^62 - 1 with n = 2^31 + 1, and each request of length 1 adds one: memory for all of them.
TEST(BoundNearLimit, VolumeByClassAddsLengthsUp)
{
    for (std::int64_t ones = 0; ones <= 2; ++ones) {
        Workload w;
        w.output_kind = OutputKind::composition;
        w.output_value = {1, INT32_MAX};
        w.output_count = {ones, INT32_MAX + std::int64_t{2}};
        w.requests = w.output_count[0] + w.output_count[1];
        w.memory = time_limit;
        EXPECT_EQ(by_class(w), ones == 0 ? time_limit - 1 : 0);
    }
}

// A wrap back into range, and one to a negative number.
TEST(BoundNearLimit, SumsThatPassTheLimitByFarHaveNoValue)
{
    for (std::int64_t const n : {100'000, 140'000, 200'000, 300'000}) {
        Lengths const lengths{1, n, 2};
        EXPECT_EQ(volume_bound(instance_of(lengths)), 0);
        EXPECT_EQ(release_bound(instance_of(lengths)), 0);
        EXPECT_EQ(by_class(workload_of(lengths)), 0);
    }
}

// The volume of all is past the limit or wraps, and what they wait is taken off: 40,000 of them
// arrive in round a. The bound is a value where the rest is one.
TEST(BoundNearLimit, ReleaseTakesOffWaitsFromAnyVolume)
{
    constexpr std::int64_t late = 40'000;
    for (std::int64_t const n : {80'000, 93'000, 140'000, 200'000})
        for (Instant const a : {1'000'000'000ll, 4'000'000'000'000ll, 400'000'000'000'000ll}) {
            auto instance = instance_of({0, n, Lengths::longest}); // n + 1 of them
            std::fill_n(instance.arrival.rbegin(), late, a);
            auto const& length = instance.output;
            auto const alone = wide(Lengths::longest);
            auto const all = exact_bound(length, instance.memory), waits = wide(a) * wide(late);
            auto const behind =
                exact_bound({length.begin(), length.begin() + late}, instance.memory);
            auto const bound = std::max({alone * wide(n + 1), all > waits ? all - waits : 0,
                                         alone * wide(n + 1 - late) + behind});
            EXPECT_EQ(release_bound(instance),
                      bound < latency_limit ? static_cast<std::int64_t>(bound) : 0)
                << n << " " << a;
        }
}

} // namespace
} // namespace crx
