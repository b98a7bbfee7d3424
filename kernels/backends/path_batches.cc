#include "kernels/backends/path_batches.hh"

#include "kernels/backends/slice_length.hh"

#include <algorithm>
#include <numeric>

namespace crx {
namespace {

using Seconds = std::chrono::duration<double>;

/// False: given up.
bool advance_all(PathSlots& slots, SliceLength& slice, LaunchWatch& watch)
{
    while (std::ranges::find(slots.status(), PathStatus::running) != slots.status().end()) {
        if (watch.abandons()) return false;
        auto const begin = std::chrono::steady_clock::now();
        slots.advance(slice.steps());
        slice.took(Seconds(std::chrono::steady_clock::now() - begin).count());
    }
    return true;
}

} // namespace

std::vector<std::vector<IterationTally>> run_in_slots(PathSlots& slots, IterationCell const& cell,
                                                      std::int64_t first, std::int64_t count,
                                                      StopCondition const& stop_condition,
                                                      double launch_seconds)
{
    std::vector<std::vector<IterationTally>> paths(static_cast<std::size_t>(count));
    LaunchWatch watch({first, count}, stop_condition);
    SliceLength slice(launch_seconds, 256);
    std::vector<std::int64_t> wanted(static_cast<std::size_t>(count));
    std::iota(wanted.begin(), wanted.end(), first);
    auto const checkpoints = cell.checkpoints.size();
    for (auto room = first_path_room; !wanted.empty(); room *= path_room_factor) {
        std::vector<std::int64_t> too_long; // their queues overflowed
        auto const most = static_cast<std::size_t>(slots.slots(room));
        for (std::size_t at = 0; at < wanted.size(); at += most) {
            auto const batch = std::span(wanted).subspan(at, std::min(most, wanted.size() - at));
            if (watch.abandons()) return paths;
            slots.begin(batch, room);
            auto const finished = advance_all(slots, slice, watch);
            auto const status = slots.status();
            auto const tallies = slots.tallies();
            for (std::size_t k = 0; k < batch.size(); ++k) {
                auto const of_path = tallies.subspan(k * checkpoints, checkpoints);
                if (status[k] == PathStatus::done)
                    paths[static_cast<std::size_t>(batch[k] - first)].assign(of_path.begin(),
                                                                             of_path.end());
                else if (status[k] == PathStatus::no_room)
                    too_long.push_back(batch[k]);
            }
            if (!finished) return paths;
        }
        wanted = std::move(too_long);
    }
    return paths;
}

} // namespace crx
