#pragma once

#include "bench/round_loop.hh"

#include <algorithm>
#include <cstddef>

namespace round_loop {

/// Requests that all differ, all at 0. For `shortest_first` in the order in which they wait.
struct Varied
{
    std::vector<std::int32_t> prompt, output, lower;
    std::int32_t memory = 0;
};

/// Projected memory at each future time, grown as time goes on.
template <class Number, Check check>
class Usage
{
  public:
    explicit Usage(std::int32_t longest) : longest_(static_cast<std::size_t>(longest)) {}

    /// Makes room for requests that start in round t.
    void reach(std::size_t t)
    {
        if (t + longest_ + 2 > at_.size()) at_.resize(2 * at_.size() + longest_ + 1024, 0);
    }
    void add(std::size_t t, Number s, Number e)
    {
        auto* const from = at_.data() + t;
        for (Number j = 1; j <= e; ++j) from[j] += s + j;
    }
    /// A request that has generated g of e tokens by time t leaves.
    void remove(std::size_t t, Number s, Number g, Number e)
    {
        auto* const from = at_.data() + t - g;
        for (Number j = g + 1; j <= e; ++j) from[j] -= s + j;
    }
    Number at(std::size_t t) const { return at_[t]; }

    bool fits(std::size_t t, Number s, Number e, Number memory) const
    {
        auto const* const from = at_.data() + t;
        auto const room = memory - s;
        if constexpr (check == Check::early_exit) {
            for (Number j = 1; j <= e; ++j)
                if (from[j] + j > room) return false;
            return true;
        } else {
            Number most = 0;
            for (Number j = 1; j <= e; ++j) most = from[j] + j > most ? from[j] + j : most;
            return most <= room;
        }
    }

  private:
    std::size_t longest_;
    std::vector<Number> at_;
};

/// mc-sf: total latency of requests given by output ascending. Nothing is cancelled, so a
/// completion is known at the start and needs no list of what runs.
template <Check check>
std::int64_t shortest_first(Varied const& in)
{
    Usage<std::int32_t, check> usage(in.output.empty() ? 0 : in.output.back());
    std::int64_t total = 0;
    auto const n = in.output.size();
    std::size_t head = 0;
    for (std::size_t t = 0; head < n; ++t) {
        usage.reach(t);
        for (; head < n; ++head) {
            auto const s = in.prompt[head], o = in.output[head];
            if (!usage.fits(t, s, o, in.memory)) break;
            usage.add(t, s, o);
            total += static_cast<std::int64_t>(t) + o;
        }
    }
    return total;
}

} // namespace round_loop
