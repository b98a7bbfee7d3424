#include "kernels/engines/requests/completion_queue.cuh"
#include "support/test_seed.hh"

#include <cstddef>
#include <gtest/gtest.h>
#include <map>
#include <random>
#include <vector>

namespace crx {
namespace {

// Stops near and far (past the ring, several times around it), removals, pushes before what is
// already known as next; beside an ordered map.
TEST(CompletionQueue, GivesStopsInOrder)
{
    std::mt19937_64 rng(crx_test::test_seed());
    for (std::int64_t const n : {1, 3, 50, 500})
        for (Rounds const longest : {1, 20, 63, 64, 65, 5000, 1 << 30}) {
            Arena counter(nullptr, 0);
            CompletionQueue const counted(counter, n);
            std::vector<std::max_align_t> block(counter.bytes_used() / sizeof(std::max_align_t) +
                                                1);
            Arena arena(block.data(), counter.bytes_used());
            CompletionQueue ours(arena, n);
            ours.reset();
            std::vector<Rounds> stop(static_cast<std::size_t>(n), -1); // -1: not in the queue
            std::multimap<Rounds, RequestId> truth;
            auto const forget = [&](RequestId id) {
                auto const [from, to] = truth.equal_range(stop[id]);
                truth.erase(std::find_if(from, to, [&](auto const& x) { return x.second == id; }));
                stop[id] = -1;
            };
            Rounds now = 0;
            for (int step = 0; step < 20000; ++step) {
                ASSERT_EQ(ours.empty(), truth.empty());
                if (!truth.empty() && rng() % 2 == 0) {
                    ASSERT_EQ(ours.next_stop(), truth.begin()->first);
                }
                auto const id = static_cast<RequestId>(rng() % static_cast<std::uint64_t>(n));
                if (stop[id] < 0) {
                    stop[id] =
                        now + 1 + static_cast<Rounds>(rng() % static_cast<std::uint64_t>(longest));
                    truth.emplace(stop[id], id);
                    ours.push(id, stop[id]);
                } else if (rng() % 3 == 0) {
                    forget(id);
                    ours.erase(id);
                } else if (rng() % 2 == 0) {
                    now = truth.begin()->first;
                    auto const popped = ours.pop();
                    ASSERT_EQ(stop[popped], now);
                    forget(popped);
                } else if (auto const next = truth.begin()->first; next > now + 1) {
                    // Time passes without a stop.
                    now += static_cast<Rounds>(rng() % static_cast<std::uint64_t>(next - now));
                }
            }
        }
}

} // namespace
} // namespace crx
