#include "kernels/engines/cohorts/least_quotient.cuh"

#include "kernels/base/thread_lanes.cuh"
#include "support/large_composition.hh"
#include "support/test_seed.hh"

#include <gtest/gtest.h>

namespace crx {
namespace {

using crx_test::pick_between;
using crx_test::pick_of_any_size;
using Lanes = ThreadLanes<float>;
using Least = LeastQuotient<Lanes>;

struct Place
{
    std::int64_t room, size;
};

/// What LeastQuotient makes of places, in two parts as engines do, and what is true.
struct Looked
{
    bool right, unsure;

    explicit Looked(std::vector<Place> const& places)
    {
        auto const of = [](Place const& p) {
            return Least{static_cast<float>(p.room), static_cast<float>(p.size)};
        };
        Least least[2] = {of(places[0]), of(places[0])};
        auto truth = places[0].room / places[0].size, most_size = places[0].size;
        for (std::size_t k = 1; k < places.size(); ++k) {
            least[k % 2].show(of(places[k]).room, of(places[k]).size);
            truth = std::min(truth, places[k].room / places[k].size);
            most_size = std::max(most_size, places[k].size);
        }
        least[0].show(least[1].room, least[1].size);
        auto const down = least[0].rounded_down();
        right = static_cast<std::int64_t>(down) == truth;
        unsure = Least::unsure(down, static_cast<float>(most_size));
    }
};

/// Two to six places whose quotients are nearly one, a room of the first or of any other.
std::vector<Place> close_places(std::mt19937_64& rng, std::int64_t most_room)
{
    auto const most_size = 1 + pick_of_any_size(rng, 13);
    auto const f = pick_between(rng, 1, most_room / most_size);
    std::vector<Place> places{{most_room - pick_of_any_size(rng, 4), most_size}};
    for (auto k = pick_between(rng, 1, 5); k > 0; --k) {
        auto const size = pick_between(rng, (most_size + 1) / 2, most_size);
        auto const factor = k % 2 == 0 ? f : most_room / most_size;
        places.push_back(
            {std::clamp<std::int64_t>(factor * size + pick_between(rng, -3, 3), 0, most_room),
             size});
    }
    return places;
}

// A million sets of places that are close to one another.
TEST(LeastQuotient, IsRightUpToSureRoom)
{
    std::mt19937_64 rng(crx_test::test_seed());
    for (int k = 0; k < 1'000'000; ++k) {
        auto const places = close_places(rng, (1 << 23) - pick_of_any_size(rng, 10));
        ASSERT_TRUE(Looked(places).right) << places.size();
    }
}

// Beyond it is wrong at times, and says so.
TEST(LeastQuotient, SaysWhereItMayBeWrong)
{
    std::mt19937_64 rng(crx_test::test_seed() + 1);
    int wrong = 0, sure = 0;
    for (int k = 0; k < 1'000'000; ++k) {
        auto const places = close_places(rng, (1 << 24) - 1 - pick_of_any_size(rng, 23));
        Looked const looked(places);
        ASSERT_TRUE(looked.right || looked.unsure);
        wrong += !looked.right;
        sure += !looked.unsure;
    }
    EXPECT_GT(wrong, 50);
    EXPECT_GT(sure, 1000);
}

// Division rounds down exactly: all rooms next to a multiple of a size.
TEST(LeastQuotient, RoundsDown)
{
    std::mt19937_64 rng(crx_test::test_seed() + 2);
    for (int k = 0; k < 1'000'000; ++k) {
        auto const size = 1 + pick_of_any_size(rng, 23);
        auto const room =
            pick_between(rng, 1, ((1 << 24) - 1) / size) * size - pick_between(rng, 0, 1);
        Least const least{static_cast<float>(room), static_cast<float>(size)};
        ASSERT_EQ(static_cast<std::int64_t>(least.rounded_down()), room / size);
    }
}

} // namespace
} // namespace crx
