#include "analysis/baseline/search/best_found.hh"

#include "kernels/cpu/order_search.hh"
#include "kernels/policies/shortest_first.cuh"

#include <algorithm>
#include <numeric>

namespace crx::baseline {
namespace {

/// A schedule with what it holds at each time.
class HeldStarts
{
  public:
    HeldStarts(OwnedInstance const& instance, Starts starts, Rounds most_delay)
        : instance_(instance), start_(std::move(starts))
    {
        first_ = *std::ranges::min_element(instance.arrival);
        held_.assign(static_cast<std::size_t>(rounds(instance, start_) + most_delay) + 1, 0);
        for (std::size_t i = 0; i < start_.size(); ++i) hold(i, 1);
    }

    /// From the first arrival to the last end.
    static Rounds rounds(OwnedInstance const& instance, Starts const& starts)
    {
        Rounds end = 0;
        for (std::size_t i = 0; i < starts.size(); ++i)
            end = std::max(end, starts[i] + instance.output[i]);
        return end - *std::ranges::min_element(instance.arrival);
    }

    Starts const& starts() const { return start_; }

    /// False, and no move: it does not fit there.
    bool move(std::size_t i, Rounds to)
    {
        hold(i, -1);
        auto const fits = this->fits(i, to);
        if (fits) start_[i] = to;
        hold(i, 1);
        return fits;
    }
    void put(std::size_t i, Rounds to)
    {
        hold(i, -1);
        start_[i] = to;
        hold(i, 1);
    }
    /// Starts i earlier while it fits; by how many rounds?
    Rounds advance(std::size_t i)
    {
        auto const before = start_[i];
        if (before == instance_.arrival[i] || !fits_earlier(i)) return 0;
        do put(i, start_[i] - 1);
        while (start_[i] > instance_.arrival[i] && fits_earlier(i));
        return before - start_[i];
    }

  private:
    void hold(std::size_t i, Tokens sign)
    {
        auto const at = held_.data() + (start_[i] - first_);
        for (std::int32_t j = 1; j <= instance_.output[i]; ++j)
            at[j] += sign * (instance_.prompt[i] + j);
    }
    bool fits(std::size_t i, Rounds start) const
    {
        auto const* const at = held_.data() + (start - first_);
        for (auto j = instance_.output[i]; j >= 1; --j)
            if (at[j] + instance_.prompt[i] + j > instance_.memory) return false;
        return true;
    }
    /// A round earlier it holds its prompt and a token more at its first time, and a token more at
    /// each later one but its last.
    bool fits_earlier(std::size_t i) const
    {
        auto const* const at = held_.data() + (start_[i] - first_);
        if (at[0] + instance_.prompt[i] + 1 > instance_.memory) return false;
        for (auto j = instance_.output[i] - 1; j >= 1; --j)
            if (at[j] + 1 > instance_.memory) return false;
        return true;
    }

    OwnedInstance const& instance_;
    Starts start_;
    Rounds first_ = 0;
    std::vector<Tokens> held_; // [t - first_]
};

class GiveWay
{
  public:
    GiveWay(OwnedInstance const& instance, Starts starts, TimeLimit const& limit, Rounds most_delay)
        : n_(starts.size()), limit_(limit), most_delay_(most_delay),
          now_(instance, std::move(starts), most_delay), order_(n_)
    {
        std::iota(order_.begin(), order_.end(), std::size_t{0});
    }

    Starts improved()
    {
        while (advance_all(n_, n_) > 0) {
        }
        while (improve())
            while (advance_all(n_, n_) > 0) {
            }
        return now_.starts();
    }

  private:
    /// Rounds gained by `first`, then by all others but `last`, then by it.
    Rounds advance_all(std::size_t first, std::size_t last)
    {
        auto gain = first < n_ ? now_.advance(first) : 0;
        if (first < n_ && gain == 0) return 0;
        std::ranges::stable_sort(order_, {}, [&](std::size_t i) { return now_.starts()[i]; });
        for (auto const i : order_)
            if (i != first && i != last) gain += now_.advance(i);
        if (last < n_) gain += now_.advance(last);
        return gain;
    }

    bool improve()
    {
        auto const kept = now_.starts();
        for (std::size_t late = 0; late < n_; ++late)
            for (Rounds delay = 1; delay <= most_delay_ && !limit_.over(); ++delay)
                for (std::size_t early = 0; early < n_; ++early) {
                    if (early == late) continue;
                    if (!now_.move(late, kept[late] + delay)) break;
                    if (advance_all(early, late) > delay) return true;
                    for (std::size_t i = 0; i < n_; ++i)
                        if (now_.starts()[i] != kept[i]) now_.put(i, kept[i]);
                }
        return false;
    }

    std::size_t n_;
    TimeLimit limit_;
    Rounds most_delay_;
    HeldStarts now_;
    std::vector<std::size_t> order_;
};

} // namespace

Starts give_way(OwnedInstance const& instance, Starts starts, TimeLimit const& limit,
                Rounds most_delay)
{
    if (HeldStarts::rounds(instance, starts) > most_given_rounds) return starts;
    return GiveWay(instance, std::move(starts), limit, most_delay).improved();
}

} // namespace crx::baseline

namespace crx::baseline {
namespace {

/// Schedules of a run after which a new one gains more than a longer one: 12 n^3, at least 5,000
/// (docs/decisions/043-baselines.md).
std::int64_t longest_run(std::int64_t n) { return std::max<std::int64_t>(5000, 12 * n * n * n); }

/// Shorter runs of a large instance end too early to pay.
constexpr std::int64_t least_run = 20'000;

/// Runs have streams of random words of their own, so many at most.
constexpr int most_runs = 1 << 19;

/// Schedules of the next run of the search over orders, where `done` are done of `total`: as many
/// as all before it, so that a search that is cut has a good part of them in runs that ended cold,
/// up to the longest; what is too little for one more run goes to the last.
std::int64_t next_run(std::int64_t done, std::int64_t total, std::int64_t n)
{
    auto const longest = longest_run(n);
    auto const length = std::clamp(done, std::min(least_run, longest), longest);
    return total - done < 2 * length ? total - done : length;
}

/// The best of the search over orders with so many schedules, what each run ends with improved by
/// give_way.
FoundSchedule by_orders(OwnedInstance const& instance, std::int64_t evaluations, std::uint64_t seed,
                        TimeLimit const& limit)
{
    FoundSchedule found;
    for (int k = 0; k < most_runs && found.evaluations < evaluations; ++k) {
        if (k > 0 && limit.over()) break;
        auto const length = next_run(found.evaluations, evaluations, instance.requests());
        auto const one =
            search::search_run(instance, {length, seed}, k, [&limit] { return limit.over(); });
        auto starts = give_way(instance, {one.start, one.start + instance.requests()}, limit);
        auto const latency = total_latency(instance, starts);
        if (k == 0 || latency < found.total_latency) {
            found.starts = std::move(starts);
            found.total_latency = latency;
        }
        found.evaluations += length;
    }
    CRX_ENSURE(!schedule_fault(instance, found.starts));
    return found;
}

} // namespace

std::optional<FoundSchedule> best_found(OwnedInstance const& instance, SearchLimits const& limits)
{
    if (!search::search_refusal(instance).empty()) {
        if (!local_search_fits(instance)) return std::nullopt;
        return local_search(instance, limits);
    }
    auto found = by_orders(instance, limits.evaluations, limits.seed, limits.limit);
    auto const mc_sf = execute_single({ShortestFirst::kind, {}}, instance, 0, 0).start;
    Starts simple{mc_sf.begin(), mc_sf.end()};
    if (auto const latency = total_latency(instance, simple); latency < found.total_latency) {
        CRX_ENSURE(!schedule_fault(instance, simple));
        found.starts = std::move(simple);
        found.total_latency = latency;
    }
    return found;
}

} // namespace crx::baseline
