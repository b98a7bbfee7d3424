#include "kernels/engines/requests/threshold_engine.cuh"
#include "support/test_seed.hh"

#include <gtest/gtest.h>
#include <memory>
#include <random>
#include <set>
#include <vector>

namespace crx {
namespace {

/// Members in ascending order, as for_each_word shows them.
std::vector<std::uint32_t> members(RankSet& set)
{
    std::vector<std::uint32_t> all;
    set.for_each_word([&](std::uint32_t w, std::uint64_t bits) {
        for (; bits != 0; bits &= bits - 1)
            all.push_back(64 * w + static_cast<std::uint32_t>(lowest_bit(bits)));
    });
    return all;
}

// Against std::set, rank by rank and word by word; ranks over several words of the upper bitmap.
TEST(RankSet, DoesWhatASetDoes)
{
    std::mt19937_64 rng(crx_test::test_seed());
    for (std::int64_t const n : {1, 63, 64, 65, 4096, 4097, 20000}) {
        Arena counter(nullptr, 0);
        RankSet const empty(counter, n);
        std::vector<std::byte> block(counter.bytes_used());
        Arena arena(block.data(), block.size());
        RankSet set(arena, n);
        set.clear();
        std::set<std::uint32_t> truth;
        for (int step = 0; step < 3000; ++step) {
            auto const rank = static_cast<std::uint32_t>(rng() % static_cast<std::uint64_t>(n));
            ASSERT_EQ(set.contains(rank), truth.contains(rank));
            if (truth.insert(rank).second)
                set.insert(rank);
            else if (rng() % 2 == 0) {
                set.erase(rank);
                truth.erase(rank);
            }
            if (step % 500 == 499) // half of every word leaves while the words are visited
                set.for_each_word([&](std::uint32_t w, std::uint64_t bits) {
                    auto const gone = bits & 0x5555555555555555;
                    if (gone != 0) set.erase(w, gone, count_bits(gone));
                    for (auto left = gone; left != 0; left &= left - 1)
                        truth.erase(64 * w + static_cast<std::uint32_t>(lowest_bit(left)));
                });
            ASSERT_EQ(set.size(), static_cast<std::int64_t>(truth.size()));
            if (!truth.empty()) {
                ASSERT_EQ(set.first(), *truth.begin());
            }
            if (step % 100 == 0) {
                ASSERT_EQ(members(set), (std::vector<std::uint32_t>(truth.begin(), truth.end())));
            }
        }
    }
}

} // namespace
} // namespace crx
