#include "kernels/engines/cohorts/end_ring.cuh"
#include "support/test_seed.hh"

#include <algorithm>
#include <gtest/gtest.h>
#include <random>
#include <vector>

namespace crx {
namespace {

struct Started
{
    Rounds start, length;
    std::int64_t count;
};

/// The check of docs/model.md#look-ahead-check round by round, for requests of one prompt length.
class PlainEnds
{
  public:
    PlainEnds(Tokens memory, Tokens prompt) : memory_(memory), prompt_(prompt) {}
    std::vector<Started> started;

    /// Held at a time by those that have not outlived their working length then.
    Tokens held(Rounds time) const
    {
        Tokens sum = 0;
        for (auto const& x : started)
            if (x.start < time && time <= x.start + x.length)
                sum += x.count * (prompt_ + time - x.start);
        return sum;
    }
    std::int64_t most_copies(Rounds t, Rounds e) const
    {
        auto most = memory_;
        for (auto time = t + 1; time <= t + e; ++time)
            most = std::min(most, (memory_ - held(time)) / (prompt_ + time - t));
        return most;
    }

  private:
    Tokens memory_, prompt_;
};

// Rings of one word, of two and of many; rounds passed one by one and many at once, several times
// around the ring; several working lengths a round, as admission asks for them. Everything beside
// sums over all requests round by round.
TEST(EndRing, FindsRoomAsPlainSumsDo)
{
    std::mt19937_64 rng(crx_test::test_seed());
    auto const below = [&](Rounds k) {
        return static_cast<Rounds>(rng() % static_cast<std::uint64_t>(k));
    };
    for (Rounds const longest : {1, 5, 61, 62, 63, 64, 65, 126, 127, 300})
        for (int trial = 0; trial < 12; ++trial) {
            Tokens const s = below(3), memory = s + longest + below(40 * longest);
            Arena counter(nullptr, 0);
            EndRing const counted(counter, longest, memory);
            std::vector<std::max_align_t> block(counter.bytes_used() / 16 + 1);
            Arena arena(block.data(), block.size() * 16);
            EndRing ours(arena, longest, memory);
            ours.clear();
            PlainEnds plain(memory, s);
            auto& started = plain.started;
            for (Rounds t = 0; t<8 * longest; t += below(9)> 0 ? 1 : 1 + below(3 * longest)) {
                ours.drop_until(t);
                std::erase_if(started, [&](auto const& x) { return x.start + x.length <= t; });
                for (auto& x : started) {
                    if (below(6) > 0) continue;
                    auto const m = 1 + below(x.count);
                    ours.remove(x.start, s, x.length, m);
                    x.count -= m;
                }
                std::erase_if(started, [](auto const& x) { return x.count == 0; });
                EndRing::Room room(ours, t, s, memory / (s + 1));
                for (auto e = 1 + below(longest); e <= longest; e += 1 + below(longest)) {
                    auto const most = room.most(e);
                    ASSERT_EQ(most, plain.most_copies(t, e)) << t << ", e " << e;
                    auto const limit = t + 1 + below(2 * longest);
                    auto fit = t + 1;
                    while (fit < limit && plain.most_copies(fit, e) == 0) ++fit;
                    ASSERT_EQ(ours.first_fit(t + 1, s, e, limit), fit < limit ? fit : no_round);
                    if (most == 0) break;
                    auto const m = 1 + below(most);
                    ours.add(t, s, e, m);
                    room.take(m);
                    started.push_back({t, e, m});
                }
            }
        }
}

} // namespace
} // namespace crx
