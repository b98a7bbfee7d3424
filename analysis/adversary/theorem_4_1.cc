#include "analysis/adversary/theorem_4_1.hh"

#include "kernels/base/host_device.cuh"

#include <algorithm>

namespace crx {

namespace {

RequestGroup group(Rounds arrival, std::int64_t output, std::int64_t count, Tokens memory,
                   ToldLengths told)
{
    RequestGroup g;
    g.arrival = arrival;
    g.prompt = 1;
    g.output = static_cast<std::int32_t>(output);
    g.lower = told == ToldLengths::exact ? g.output : 1;
    g.upper = told == ToldLengths::exact ? g.output : static_cast<std::int32_t>(memory - 1);
    g.count = count;
    return g;
}

std::int64_t total_latency(std::vector<RequestGroup> const& groups,
                           std::vector<GroupStart> const& starts)
{
    std::int64_t sum = 0;
    for (auto const& s : starts)
        sum += s.count * (s.start + groups[s.group].output - groups[s.group].arrival);
    return sum;
}

/// The schedule that bounds OPT in the proof: the long request first if it ends before the short
/// ones come, else they run when they come, all together, and it starts when they are done.
std::vector<GroupStart> paper_schedule(AdversaryResult const& game)
{
    auto const shorts = game.memory / 2;
    if (game.release >= game.memory - 1) return {{0, 0, 1}, {1, game.release, shorts}};
    return {{1, game.release, shorts}, {0, game.release + 1, 1}};
}

} // namespace

std::int64_t theorem_4_1_latency(std::int64_t k)
{
    CRX_EXPECT(k >= 1 && k <= 20000);
    auto const rest = k % 2 == 0 ? 14 * k + 24 : 8 * k + 27;
    return (k * k * (44 * k + 111) - rest) / 24;
}

AdversaryResult play_theorem_4_1(PolicySpec const& spec, std::int64_t k, ToldLengths told)
{
    CRX_EXPECT(k >= 1 && k <= 20000);
    AdversaryResult game;
    game.k = k;
    game.memory = 4 * k * k;
    game.requests = game.memory / 2 + 1;
    game.groups = {group(0, game.memory - 1, 1, game.memory, told)};
    game.long_start = run_grouped(spec, game.groups, game.memory).starts.front().start;
    game.release = game.long_start + game.memory - k;
    game.groups.push_back(group(game.release, 1, game.memory / 2, game.memory, told));
    auto run = run_grouped(spec, game.groups, game.memory);
    auto const of_long = std::find_if(run.starts.begin(), run.starts.end(),
                                      [](GroupStart const& s) { return s.group == 0; });
    CRX_ENSURE(of_long != run.starts.end() && of_long->start == game.long_start);
    game.total_latency = run.outcome.total_latency;
    game.starts = std::move(run.starts);
    game.paper_starts = paper_schedule(game);
    game.opt_upper_bound =
        std::min(game.total_latency, total_latency(game.groups, game.paper_starts));
    return game;
}

} // namespace crx
