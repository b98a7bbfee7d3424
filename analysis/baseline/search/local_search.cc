#include "analysis/baseline/search/local_search.hh"

#include "analysis/baseline/search/overtaking_schedule.hh"
#include "kernels/policies/shortest_first.cuh"
#include "kernels/random/word_stream.cuh"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace crx::baseline {
namespace {

using Order = OvertakingSchedule<std::int16_t>::Order;
using Releases = OvertakingSchedule<std::int16_t>::Releases;

/// Uniform numbers for the search: Philox words of stream 0 under the search's seed.
class Dice
{
  public:
    Dice(std::uint64_t seed, std::uint64_t run) : words_(seed, 0, run) {}
    std::size_t below(std::size_t k) { return static_cast<std::size_t>(words_.bounded(k)); }
    double unit() { return std::ldexp(static_cast<double>(words_.next() >> 11), -53); }

  private:
    WordStream words_;
};

struct Candidate
{
    Order order;
    Releases release;
    std::size_t changed_from = 0;
};

/// At most a tenth of the order away: far places of a long order are rarely good ones.
std::size_t place_near(std::size_t a, std::size_t n, Dice& dice)
{
    auto const reach = std::max<std::size_t>(10, n / 10);
    auto const least = a - std::min(a, reach), most = std::min(n - 1, a + reach);
    return least + dice.below(most - least + 1);
}

void move_at_random(Candidate& candidate, Dice& dice)
{
    auto& [order, release, from] = candidate;
    auto const n = order.size();
    auto const a = dice.below(n), b = place_near(a, n, dice);
    from = std::min(a, b);
    switch (dice.below(8)) {
    case 0: // the schedule of mc-sf no longer holds it
        if (auto& held = release[static_cast<std::size_t>(order[a])]; held > 0) {
            held = 0;
            from = a;
            break;
        }
        [[fallthrough]];
    case 1:
    case 2:
    case 3: std::swap(order[a], order[b]); break;
    default:
        if (a < b)
            std::rotate(order.begin() + static_cast<std::ptrdiff_t>(a),
                        order.begin() + static_cast<std::ptrdiff_t>(a) + 1,
                        order.begin() + static_cast<std::ptrdiff_t>(b) + 1);
        else
            std::rotate(order.begin() + static_cast<std::ptrdiff_t>(b),
                        order.begin() + static_cast<std::ptrdiff_t>(a),
                        order.begin() + static_cast<std::ptrdiff_t>(a) + 1);
    }
}

template <class Key>
Order order_by(OwnedInstance const& instance, Key key)
{
    Order order(instance.output.size());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::stable_sort(order, {}, [&](std::int32_t i) {
        auto const r = static_cast<std::size_t>(i);
        return instance.arrival[r] +
               key(std::int64_t{instance.prompt[r]}, std::int64_t{instance.output[r]});
    });
    return order;
}

std::vector<Order> first_orders(OwnedInstance const& instance)
{
    return {
        order_by(instance, [](std::int64_t, std::int64_t o) { return o; }),
        order_by(instance, [](std::int64_t s, std::int64_t o) { return s + o; }),
        order_by(instance, [](std::int64_t s, std::int64_t o) { return s * o + o * (o + 1) / 2; })};
}

constexpr double most_bytes = 1 << 29; ///< of OvertakingSchedule

bool needs_32_bits(OwnedInstance const& instance)
{
    return instance.memory > OvertakingSchedule<std::int16_t>::most_memory;
}

/// The least stride whose snapshots fit.
template <class Held>
std::size_t stride_of(OwnedInstance const& instance)
{
    std::size_t stride = 1;
    while (stride < instance.output.size() &&
           OvertakingSchedule<Held>::bytes_needed(instance, stride) >= most_bytes)
        ++stride;
    return stride;
}

template <class Held>
class Annealing
{
  public:
    Annealing(OwnedInstance const& instance, SearchLimits const& limits)
        : instance_(instance), limits_(limits), schedule_(instance, stride_of<Held>(instance))
    {
    }

    FoundSchedule run()
    {
        auto const n = instance_.output.size();
        try_start(held_at(execute_single({ShortestFirst::kind, {}}, instance_, 0, 0).start));
        for (auto const& order : first_orders(instance_)) try_start({order, Releases(n, 0), 0});
        GrowingRuns const runs(limits_.evaluations, least_run * static_cast<std::int64_t>(n));
        for (int k = 0; n > 1 && k < runs.runs() && !over(); ++k) cool_down(k, runs.length(k));
        CRX_ENSURE(!schedule_fault(instance_, found_.starts));
        CRX_ENSURE(total_latency(instance_, found_.starts) == found_.total_latency);
        return found_;
    }

  private:
    static constexpr std::int64_t least_run = 64; ///< schedules a request

    /// A schedule itself, held in place by releases: list scheduling of its order can be worse.
    static Candidate held_at(std::vector<Instant> const& start)
    {
        Candidate candidate{Order(start.size()), {start.begin(), start.end()}, 0};
        std::iota(candidate.order.begin(), candidate.order.end(), 0);
        std::ranges::stable_sort(candidate.order, {}, [&](std::int32_t i) {
            return start[static_cast<std::size_t>(i)];
        });
        return candidate;
    }
    bool over()
    {
        if ((found_.evaluations & 255) == 0 && limits_.limit.over()) late_ = true;
        return late_ || found_.evaluations >= limits_.evaluations;
    }
    void try_start(Candidate const& candidate)
    {
        ++found_.evaluations;
        record(candidate, schedule_.keep(candidate.order, candidate.release, 0));
    }
    void record(Candidate const& candidate, Rounds latency)
    {
        if (!found_.starts.empty() && latency >= found_.total_latency) return;
        found_.total_latency = latency;
        found_.starts = schedule_.starts();
        best_ = candidate;
    }
    void cool_down(int run, std::int64_t steps);

    OwnedInstance const& instance_;
    SearchLimits limits_;
    OvertakingSchedule<Held> schedule_;
    FoundSchedule found_;
    Candidate best_;
    bool late_ = false;
};

/// One run, from the best schedule. Temperatures are low, since the schedules it starts from are
/// good (docs/decisions/043-baselines.md).
template <class Held>
void Annealing<Held>::cool_down(int run, std::int64_t steps)
{
    auto current = best_;
    auto const n = current.order.size();
    Dice dice(limits_.seed, static_cast<std::uint64_t>(run));
    auto latency = schedule_.keep(current.order, current.release, 0);
    auto const mean = static_cast<double>(latency) / static_cast<double>(n);
    Candidate next;
    double const cold = 0.4, hot = std::max(2 * cold, 0.001 * mean);
    for (std::int64_t step = 0; step < steps && !over(); ++step) {
        auto const part = static_cast<double>(step) / static_cast<double>(steps);
        auto const temperature = hot * std::pow(cold / hot, part);
        next = current;
        move_at_random(next, dice);
        ++found_.evaluations;
        // Taken if the increase is at most -T ln(uniform), decided before the evaluation.
        auto const slack = -temperature * std::log(std::max(dice.unit(), 1e-300));
        auto const stop_at = latency + 1 + static_cast<Rounds>(slack);
        if (schedule_.evaluate(next.order, next.release, next.changed_from, stop_at) >= stop_at)
            continue;
        latency = schedule_.keep(next.order, next.release, next.changed_from);
        std::swap(current, next);
        record(current, latency);
    }
}

} // namespace

FoundSchedule local_search(OwnedInstance const& instance, SearchLimits const& limits)
{
    if (instance.output.empty()) return {};
    return needs_32_bits(instance) ? Annealing<std::int32_t>(instance, limits).run()
                                   : Annealing<std::int16_t>(instance, limits).run();
}

bool local_search_fits(OwnedInstance const& instance)
{
    auto const n = instance.output.size();
    if (!needs_32_bits(instance))
        return OvertakingSchedule<std::int16_t>::bytes_needed(instance, n) < most_bytes;
    return instance.memory <= most_search_memory &&
           OvertakingSchedule<std::int32_t>::bytes_needed(instance, n) < most_bytes;
}

} // namespace crx::baseline
