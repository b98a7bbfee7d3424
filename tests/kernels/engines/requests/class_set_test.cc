#include "kernels/engines/requests/class_set.cuh"
#include "support/test_seed.hh"

#include <cstddef>
#include <gtest/gtest.h>
#include <map>
#include <random>
#include <set>
#include <vector>

namespace crx {
namespace {

std::vector<std::max_align_t> block_for(std::size_t bytes)
{
    return std::vector<std::max_align_t>(bytes / sizeof(std::max_align_t) + 1);
}

// Sizes on both sides of a word, eight words, 64 and 512 of them; dense and sparse; after removals.
TEST(IndexSet, SelectsAsAnOrderedSetDoes)
{
    std::mt19937_64 rng(crx_test::test_seed());
    for (std::uint32_t const n : {1, 63, 64, 65, 512, 513, 4096, 4097, 32768, 32769, 100000})
        for (std::uint32_t const one_in : {1, 3, 200}) {
            Arena counter(nullptr, 0);
            IndexSet const counted(counter, n);
            auto block = block_for(counter.bytes_used());
            Arena arena(block.data(), counter.bytes_used());
            IndexSet ours(arena, n);
            ours.clear();
            std::set<std::uint32_t> truth;
            for (std::uint32_t i = 0; i < n; ++i)
                if (rng() % one_in == 0) truth.insert(i);
            truth.insert(n - 1);
            for (auto const i : truth) ours.insert(i);
            for (int round = 0; round < 3; ++round) {
                ASSERT_EQ(ours.size(), static_cast<std::int64_t>(truth.size()));
                std::vector<std::uint32_t> visited;
                ours.for_each([&](std::uint32_t i) { visited.push_back(i); });
                ASSERT_TRUE(std::equal(visited.begin(), visited.end(), truth.begin(), truth.end()));
                for (std::size_t r = 0; r < visited.size(); r += 1 + r / 50)
                    ASSERT_EQ(ours.select(r), visited[r]) << n << " " << r;
                for (auto const i : visited)
                    if (rng() % 2 == 0 && truth.size() > 1) {
                        truth.erase(i);
                        ours.erase(i);
                    }
            }
            ours.empty_out();
            EXPECT_EQ(ours.size(), 0);
            ours.insert(n / 2);
            EXPECT_EQ(ours.select(0), n / 2);
        }
}

// Every bit of 20,000 words: few are set, half, many, one alone, or those from one on.
TEST(SelectBit, FindsEveryBit)
{
    std::mt19937_64 rng(crx_test::test_seed());
    for (int run = 0; run < 20'000 && !HasFailure(); ++run) {
        auto const few = rng() & rng() & rng(), place = rng() % 64;
        std::uint64_t const kinds[] = {few, rng(), ~few, std::uint64_t{1} << place,
                                       ~std::uint64_t{0} << place};
        auto const word = kinds[run % 5];
        int r = 0;
        for (int bit = 0; bit < 64; ++bit)
            if (word >> bit & 1) {
                EXPECT_EQ(select_bit(word, r++), bit) << word;
            }
    }
}

/// A ClassSet and what it should hold.
struct Pair
{
    explicit Pair(std::int64_t n)
        : block(block_for(bytes(n))), arena(block.data(), bytes(n)), ours(arena, n),
          length(static_cast<std::size_t>(n))
    {
        ours.reset();
    }
    static std::size_t bytes(std::int64_t n)
    {
        Arena counter(nullptr, 0);
        ClassSet const counted(counter, n);
        return counter.bytes_used();
    }
    void insert(RequestId id, std::int32_t e)
    {
        length[id] = e;
        ours.insert(id, e);
        truth[e].insert(id);
    }
    void erase(RequestId id)
    {
        auto const e = length[id];
        ours.erase(id, e);
        truth[e].erase(id);
        if (truth[e].empty()) truth.erase(e);
        length[id] = 0;
    }
    bool front_is_right(std::mt19937_64& rng)
    {
        ours.open_front();
        auto const& [e, members] = *truth.begin();
        if (ours.front().length != e ||
            ours.front().members.size() != static_cast<std::int64_t>(members.size()))
            return false;
        auto const r = rng() % members.size();
        return ours.front().members.select(r) ==
               *std::next(members.begin(), static_cast<std::ptrdiff_t>(r));
    }

    std::vector<std::max_align_t> block;
    Arena arena;
    ClassSet ours;
    std::vector<std::int32_t> length; ///< 0: not in the set
    std::map<std::int32_t, std::set<RequestId>> truth;
};

// Random insertions and removals, with few and with many lengths, lengths that collide in the hash
// table's range and lengths that rise so that classes are forgotten again and again.
TEST(ClassSet, FindsTheFrontAsOrderedMapsDo)
{
    std::mt19937_64 rng(crx_test::test_seed());
    for (std::int64_t const n : {1, 2, 5, 40, 700})
        for (std::int32_t const lengths : {1, 2, 7, 100, 1 << 30}) {
            Pair pair(n);
            for (std::int32_t step = 0; step < 6000; ++step) {
                auto const id = static_cast<RequestId>(rng() % static_cast<std::uint64_t>(n));
                auto const drift = lengths == 100 ? step / 3 : 0;
                if (pair.length[id] == 0)
                    pair.insert(id, 1 + drift +
                                        static_cast<std::int32_t>(
                                            rng() % static_cast<std::uint64_t>(lengths)));
                else
                    pair.erase(id);
                ASSERT_EQ(pair.ours.empty(), pair.truth.empty());
                if (!pair.truth.empty() && rng() % 3 > 0) {
                    ASSERT_TRUE(pair.front_is_right(rng)) << n << " " << lengths << " " << step;
                }
            }
        }
}

} // namespace
} // namespace crx
