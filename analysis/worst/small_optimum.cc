#include "analysis/worst/small_optimum.hh"

#include <algorithm>
#include <bit>
#include <numeric>

namespace crx::worst {
namespace {

constexpr std::size_t most_requests = 32;

class DepthFirst
{
  public:
    DepthFirst(std::vector<RequestKind> const& requests, Tokens memory, std::int64_t known)
        : requests_(requests), memory_(memory), best_(known)
    {
        auto const n = requests.size();
        CRX_EXPECT(n >= 1 && n <= most_requests);
        std::int64_t last = 0;
        for (auto const& r : requests) {
            auto const o = std::int64_t{r.output};
            volume_.push_back(r.prompt * o + o * (o + 1) / 2);
            last = std::max(last, r.arrival);
        }
        by_volume_.resize(n);
        std::iota(by_volume_.begin(), by_volume_.end(), 0u);
        by_output_ = by_volume_;
        std::ranges::sort(by_volume_, {}, [&](unsigned i) { return volume_[i]; });
        std::ranges::sort(by_output_, {}, [&](unsigned i) { return requests[i].output; });
        last_arrival_ = last;
        // No latency exceeds best_.
        held_.assign(static_cast<std::size_t>(last + known + 2), 0);
    }

    std::int64_t least()
    {
        auto const n = requests_.size();
        descend(0, 0, n == 32 ? ~0u : (1u << n) - 1, 0);
        return best_;
    }

  private:
    /// Lower bound on the TEL of the waiting requests, none of which starts before round t.
    std::int64_t rest(std::int64_t t, std::uint32_t waiting) const
    {
        std::int64_t sum = 0, volume = 0, free = 0, time = t;
        std::size_t longer = 0; // place in by_output_
        for (auto const i : by_volume_) {
            if ((waiting >> i & 1) == 0) continue;
            if (requests_[i].arrival > t) {
                sum += requests_[i].output;
                continue;
            }
            volume += volume_[i];
            while (free < volume) {
                ++time;
                auto const at = static_cast<std::size_t>(time);
                free += memory_ - (at < held_.size() ? held_[at] : 0);
            }
            unsigned j = by_output_[longer];
            while ((waiting >> j & 1) == 0 || requests_[j].arrival > t) j = by_output_[++longer];
            ++longer;
            sum += std::max(time, t + requests_[j].output) - requests_[i].arrival;
        }
        return sum;
    }

    bool fits(RequestKind const& r, std::int64_t t) const
    {
        for (auto j = std::int64_t{r.output}; j >= 1; --j) {
            auto const at = static_cast<std::size_t>(t + j);
            if (at >= held_.size() || held_[at] + r.prompt + j > memory_) return false;
        }
        return true;
    }

    void hold(RequestKind const& r, std::int64_t t, Tokens sign)
    {
        for (Tokens j = 1; j <= r.output; ++j)
            held_[static_cast<std::size_t>(t + j)] += sign * (r.prompt + j);
    }

    /// Round t is being decided: of those that start in it, later ones have no lower number.
    void descend(std::int64_t t, std::size_t from, std::uint32_t waiting, std::int64_t cost)
    {
        if (waiting == 0) {
            best_ = std::min(best_, cost);
            return;
        }
        for (;;) {
            if (cost + rest(t, waiting) >= best_) return;
            for (auto i = from; i < requests_.size(); ++i) {
                auto const& r = requests_[i];
                if ((waiting >> i & 1) == 0 || r.arrival > t) continue;
                // Equal requests start in their order.
                if (i > 0 && (waiting >> (i - 1) & 1) != 0 && r == requests_[i - 1]) continue;
                if (!fits(r, t)) continue;
                hold(r, t, 1);
                descend(t, i, waiting & ~(1u << i), cost + t + r.output - r.arrival);
                hold(r, t, -1);
            }
            auto const next = static_cast<std::size_t>(t + 1);
            auto const idle = next >= held_.size() || held_[next] == 0;
            if (idle && t >= last_arrival_) return; // a later round would be the same
            ++t;
            from = 0;
        }
    }

    std::vector<RequestKind> const& requests_;
    Tokens memory_;
    std::int64_t best_, last_arrival_ = 0;
    std::vector<std::int64_t> volume_;
    std::vector<unsigned> by_volume_, by_output_;
    std::vector<Tokens> held_; // at each time, by those that started
};

} // namespace

std::int64_t small_optimum(std::vector<RequestKind> const& multiset, Tokens memory,
                           std::int64_t known)
{
    return DepthFirst(multiset, memory, known).least();
}

} // namespace crx::worst
