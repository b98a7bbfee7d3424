#include "analysis/adversary/grouped_run.hh"

#include "kernels/engines/cohorts/composition.cuh"
#include "kernels/engines/requests/memory_profile.cuh"
#include "kernels/policies/policy_info.hh"
#include "kernels/policies/registry.cuh"

#include <algorithm>
#include <memory>
#include <numeric>
#include <queue>
#include <stdexcept>

namespace crx {

namespace {

/// A group with its place in the order and its working length.
struct Ordered
{
    std::int64_t key;
    std::size_t group;
    Rounds length;
};

template <class P>
std::vector<Ordered> order_of(P const& policy, std::vector<RequestGroup> const& groups)
{
    std::vector<Ordered> order;
    for (std::size_t k = 0; k < groups.size(); ++k) {
        auto const& g = groups[k];
        RequestView const view{g.arrival, g.prompt, g.output, g.lower, g.upper};
        order.push_back({policy.rank_key(view), k, policy.first_length(view)});
    }
    std::stable_sort(order.begin(), order.end(),
                     [](Ordered const& a, Ordered const& b) { return a.key < b.key; });
    return order;
}

class Run
{
  public:
    Run(std::vector<Ordered> order, bool random_ties, std::vector<RequestGroup> const& groups,
        Tokens memory)
        : order_(std::move(order)), random_ties_(random_ties), groups_(groups), memory_(memory),
          block_(profile_bytes()), arena_(block_.data(), block_.size()),
          profile_(arena_, most_ends(), memory)
    {
        for (auto const& g : groups) left_.push_back(g.count);
        arrivals_.resize(groups.size());
        std::iota(arrivals_.begin(), arrivals_.end(), std::size_t{0});
        std::stable_sort(arrivals_.begin(), arrivals_.end(), [&](std::size_t a, std::size_t b) {
            return groups[a].arrival < groups[b].arrival;
        });
    }

    GroupedRun execute()
    {
        auto const none = std::all_of(left_.begin(), left_.end(), [](auto n) { return n == 0; });
        if (none) return run_;
        serve();
        constexpr auto most = static_cast<Unsigned128>(1) << 62;
        if (run_.total_latency >= most) {
            run_.outcome.give_up(Unfinished::out_of_range);
            return run_;
        }
        run_.outcome.total_latency = static_cast<std::int64_t>(run_.total_latency);
        run_.outcome.first_token_latency = static_cast<std::int64_t>(run_.first_token_latency);
        return run_;
    }

  private:
    struct Running
    {
        Rounds stop, start, length;
        std::size_t group;
        std::int64_t count;
        bool operator<(Running const& other) const { return stop > other.stop; }
    };

    /// A moment at which nobody is active.
    struct Idle
    {
        Rounds time = no_round;
        std::size_t group = 0; ///< first in the order with requests left
        std::int64_t left = 0; ///< of it
        Unsigned128 total_latency = 0, first_token_latency = 0;
        std::size_t starts = 0;
    };

    void serve()
    {
        for (Rounds t = groups_[arrivals_.front()].arrival; t != no_round;) {
            ++run_.outcome.events;
            complete(t);
            while (arrived_ < arrivals_.size() && groups_[arrivals_[arrived_]].arrival <= t)
                ++arrived_;
            if (running_.empty() && arrived_ == arrivals_.size()) t = repeat(t);
            profile_.drop_until(t);
            auto const next_fit = admit(t);
            t = std::min(next_fit, running_.empty() ? no_round : running_.top().stop);
            if (arrived_ < arrivals_.size()) t = std::min(t, groups_[arrivals_[arrived_]].arrival);
        }
    }

    /// Nobody is active at t and all have arrived. If since the last such moment only requests of
    /// the group that comes next were started, what follows is the same again for as long as that
    /// group lasts: it is counted, and the moment after it is returned. One request at least is
    /// kept back, as the last time others may be started as well.
    Rounds repeat(Rounds t)
    {
        auto const next =
            std::ranges::find_if(order_, [&](Ordered const& o) { return left_[o.group] > 0; });
        if (next == order_.end()) return t;
        auto const g = next->group;
        auto const same =
            idle_.time != no_round && idle_.group == g &&
            std::all_of(run_.starts.begin() + static_cast<std::ptrdiff_t>(idle_.starts),
                        run_.starts.end(), [g](GroupStart const& s) { return s.group == g; });
        if (same && idle_.left > left_[g]) {
            auto const served = idle_.left - left_[g], times = (left_[g] - 1) / served;
            auto const period = t - idle_.time;
            auto const n = static_cast<Unsigned128>(times);
            // The k-th repetition is k periods later for each of those served.
            auto const later = static_cast<Unsigned128>(period) * static_cast<Unsigned128>(served) *
                               (n * (n + 1) / 2);
            run_.total_latency += n * (run_.total_latency - idle_.total_latency) + later;
            run_.first_token_latency +=
                n * (run_.first_token_latency - idle_.first_token_latency) + later;
            for (auto k = idle_.starts; times > 0 && k < run_.starts.size(); ++k) {
                run_.starts[k].times = times + 1;
                run_.starts[k].every = period;
            }
            left_[g] -= times * served;
            t += times * period;
            run_.outcome.makespan = t;
        }
        idle_ = {t, g, left_[g], run_.total_latency, run_.first_token_latency, run_.starts.size()};
        return t;
    }

    /// Of the requests that run together, each has one working end.
    std::int64_t most_ends() const { return std::min<std::int64_t>(memory_, 1 << 16); }
    std::size_t profile_bytes() const
    {
        Arena counter(nullptr, 0);
        MemoryProfile const profile(counter, most_ends(), memory_);
        (void)profile;
        return counter.bytes_used();
    }

    Tokens held_at(Rounds t) const { return base_ + t * active_; }

    void complete(Rounds t)
    {
        run_.outcome.peak_memory = std::max(run_.outcome.peak_memory, held_at(t));
        for (; !running_.empty() && running_.top().stop <= t; running_.pop()) {
            auto const& done = running_.top();
            auto const& g = groups_[done.group];
            profile_.remove(done.start, g.prompt, done.length, done.count);
            active_ -= done.count;
            base_ -= done.count * (g.prompt - done.start);
            auto const count = static_cast<Unsigned128>(done.count);
            run_.total_latency += count * static_cast<Unsigned128>(t - g.arrival);
            run_.first_token_latency +=
                count * static_cast<Unsigned128>(done.start + 1 - g.arrival);
            run_.outcome.makespan = t;
        }
    }

    /// Returns the first later round in which the next request fits if nothing else happens.
    Rounds admit(Rounds t)
    {
        for (std::size_t k = 0; k < order_.size(); ++k) {
            auto const& next = order_[k];
            auto const& g = groups_[next.group];
            auto& left = left_[next.group];
            if (left == 0 || g.arrival > t) continue;
            refuse_a_choice(k, t);
            auto const by_next_token = (memory_ - held_at(t + 1)) / (g.prompt + 1);
            auto const fit =
                std::min(by_next_token, profile_.most_copies(t, g.prompt, next.length));
            auto const started = std::clamp<std::int64_t>(fit, 0, left);
            if (started > 0) start(t, next, started);
            if (left == 0) continue;
            auto const limit = running_.empty() ? no_round : running_.top().stop;
            if (held_at(t + 2) + g.prompt + 1 > memory_) return no_round;
            return profile_.first_fit(t + 1, g.prompt, next.length, limit);
        }
        return no_round;
    }

    void start(Rounds t, Ordered const& next, std::int64_t count)
    {
        auto const& g = groups_[next.group];
        profile_.add(t, g.prompt, next.length, count);
        active_ += count;
        base_ += count * (g.prompt - t);
        running_.push({t + g.output, t, next.length, next.group, count});
        run_.starts.push_back({next.group, t, count, 1, 0});
        left_[next.group] -= count;
    }

    void refuse_a_choice(std::size_t k, Rounds t) const
    {
        if (!random_ties_) return;
        for (auto j = k + 1; j < order_.size() && order_[j].key == order_[k].key; ++j)
            if (left_[order_[j].group] > 0 && groups_[order_[j].group].arrival <= t)
                throw std::invalid_argument("a random choice between groups");
    }

    std::vector<Ordered> order_;
    bool random_ties_;
    std::vector<RequestGroup> const& groups_;
    Tokens memory_;
    std::vector<std::byte> block_;
    Arena arena_;
    MemoryProfile profile_;
    std::vector<std::int64_t> left_;    ///< of each group, not started yet
    std::vector<std::size_t> arrivals_; ///< groups by arrival
    std::size_t arrived_ = 0;
    std::priority_queue<Running> running_; ///< the next to complete on top
    Tokens base_ = 0;
    std::int64_t active_ = 0;
    Idle idle_; ///< the last one; no_round: none
    GroupedRun run_;
};

} // namespace

bool runs_grouped(PolicySpec const& spec)
{
    auto const& info = policy_info(spec.kind);
    return info.choice == Choice::ranked && info.cancelling == Cancelling::never && info.sorted &&
           info.admission == Admission::look_ahead;
}

std::vector<std::string> grouped_policy_ids()
{
    std::vector<std::string> ids;
    for (auto const& info : policy_table())
        if (runs_grouped({info.kind})) ids.emplace_back(info.id);
    return ids;
}

GroupedRun run_grouped(PolicySpec const& spec, std::vector<RequestGroup> const& groups,
                       Tokens memory)
{
    CRX_EXPECT(runs_grouped(spec));
    return with_policy(spec, [&]<class P>(P const& policy) {
        return Run(order_of(policy, groups), P::random_order, groups, memory).execute();
    });
}

namespace {

/// So many requests of one length, or of one volume.
struct Counted
{
    Unsigned128 value;
    std::int64_t count;
};

template <class Value>
std::vector<Counted> ascending(std::vector<RequestGroup> const& groups, Value value)
{
    std::vector<Counted> counted;
    for (auto const& g : groups)
        if (g.count > 0) counted.push_back({value(g), g.count});
    std::ranges::sort(counted, {}, &Counted::value);
    return counted;
}

} // namespace

Unsigned128 volume_of_groups(std::vector<RequestGroup> const& groups, Tokens memory)
{
    CRX_EXPECT(std::ranges::all_of(groups, [](auto const& g) { return g.arrival == 0; }));
    auto lengths =
        ascending(groups, [](auto const& g) { return static_cast<Unsigned128>(g.output); });
    auto volumes = ascending(groups, [](auto const& g) {
        auto const s = static_cast<Unsigned128>(g.prompt), o = static_cast<Unsigned128>(g.output);
        return s * o + o * (o + 1) / 2;
    });
    auto const m = static_cast<Unsigned128>(memory);
    Unsigned128 before = 0; // volume of those counted
    Unsigned128 total = 0;
    // Stretches in which both lengths and volumes are equal.
    for (std::size_t l = 0, v = 0; l < lengths.size();) {
        auto const count = std::min(lengths[l].count, volumes[v].count);
        auto const o = lengths[l].value, volume = volumes[v].value;
        // The j-th (j = 1 .. count) has o as long as before + j volume <= o M.
        auto const by_length = o * m < before ? Unsigned128{0} : (o * m - before) / volume;
        auto const first =
            static_cast<std::int64_t>(std::min(by_length, static_cast<Unsigned128>(count)));
        total += static_cast<Unsigned128>(first) * o;
        total += sum_of_floors(static_cast<Unsigned128>(count - first), m, volume,
                               before + static_cast<Unsigned128>(first + 1) * volume + m - 1);
        before += static_cast<Unsigned128>(count) * volume;
        if ((lengths[l].count -= count) == 0) ++l;
        if ((volumes[v].count -= count) == 0) ++v;
    }
    return total;
}

} // namespace crx
