/// What commits of a store cost: the time of one after so many chunks, as a share of the half
/// second that a sweep lets pass between two.
///
///     store_commits [FOLDER]        else the current one; it leaves no file
#include "host/store/run_store.hh"

#include <cstdio>

namespace {

using namespace crx;

Tally tally_of(InstanceRange range)
{
    Tally tally(4);
    for (auto& policy : tally)
        for (auto k = range.first; k < range.first + range.count; ++k) {
            Outcome outcome;
            outcome.total_latency = 100'000 + k * 7919 % 30'000;
            std::int64_t const baselines[baseline_kinds] = {100'000, 90'000};
            policy.sums.add(outcome, baselines, k);
            for (int b = 0; b < 2; ++b)
                ++policy.histogram[b]
                                  [histogram_bin(fixed_ratio(outcome.total_latency, baselines[b]))];
        }
    return tally;
}

} // namespace

int main(int count, char** arguments)
{
    std::filesystem::path const folder = count > 1 ? arguments[1] : ".";
    auto const file = folder / "store_commits.db";
    std::filesystem::remove(file);
    StoreHeader header;
    header.name = "commits";
    header.identity = "{}";
    for (auto const* id : {"a", "b", "c", "d"}) header.policies.push_back({id, id});
    header.baselines = {"h-sf", "volume"};
    {
        RunStore store(file, header, {});
        PlannedCell cell;
        cell.sweep = "s";
        cell.coordinates = {{"n", 1}};
        cell.identity = R"({"policies":["a","b","c","d"]})";
        auto const index = store.ensure_cells({cell}).front();
        std::int64_t next = 0;
        constexpr int repetitions = 10;
        constexpr std::int64_t of_chunk = 1000;
        for (int const chunks : {1, 10, 100}) {
            double seconds = 0;
            for (int k = 0; k < repetitions; ++k) {
                for (int c = 0; c < chunks; ++c, next += of_chunk)
                    store.add_chunk(index, {next, of_chunk}, tally_of({next, of_chunk}));
                auto const begin = std::chrono::steady_clock::now();
                store.commit();
                seconds +=
                    std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
            }
            std::printf("%3d chunks: a commit takes %.2f ms, %.2f %% of half a second\n", chunks,
                        1e3 * seconds / repetitions, 100 * seconds / repetitions / 0.5);
        }
    }
    std::filesystem::remove(file);
}
