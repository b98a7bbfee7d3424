#pragma once

#include <cstdint>
#include <random>
#include <utility>
#include <vector>

/// The peer: a round-by-round simulator as a competent researcher would write it. An array holds
/// the projected memory of each future round; each candidate is checked against it once. It shares
/// no code with the engines. All requests arrive at 0; prompt s; common interval [l, u].
namespace round_loop {

/// How a candidate is checked: stop at the first round that is too full, or look at all rounds
/// without a branch, which compilers turn into vector instructions.
enum class Check
{
    early_exit,
    branch_free
};

struct Instance
{
    std::vector<std::int32_t> output; ///< in the order in which requests wait
    std::int32_t prompt = 0, memory = 0, lower = 1, upper = 1;
};

template <Check check>
class Simulator
{
  public:
    explicit Simulator(Instance const& instance) : in_(instance) {}

    /// Total latency if each request is planned with its true output (h-sf: output ascending).
    std::int64_t true_lengths()
    {
        return run([this](std::size_t i) { return in_.output[i]; });
    }
    /// Total latency if each is planned with u (a-max: output in random order).
    std::int64_t upper_lengths()
    {
        return run([this](std::size_t) { return in_.upper; });
    }
    /// Total latency if each is first tried for l tokens (a-ell: output in random order).
    std::int64_t promote_lower()
    {
        return run([this](std::size_t i) { return i < in_.output.size() ? in_.lower : in_.upper; });
    }

  private:
    template <class Plan>
    std::int64_t run(Plan plan)
    {
        auto const n = in_.output.size();
        auto queue = in_.output; // cancelled requests are appended
        auto const span = static_cast<std::size_t>(in_.upper) + 1;
        std::vector<std::vector<std::pair<std::int32_t, std::int32_t>>> ends(span); // (o, planned)
        usage_.assign(1 << 16, 0);
        std::int64_t total = 0;
        std::size_t head = 0, done = 0;
        for (std::int32_t t = 0; done < n; ++t) {
            auto& ending = ends[static_cast<std::size_t>(t) % span];
            for (auto const& [o, e] : ending) {
                if (o > e) { // not done at its planned length: back to the queue
                    queue.push_back(o);
                    continue;
                }
                for (auto j = o + 1; j <= e; ++j) usage_[place(t - o + j)] -= in_.prompt + j;
                total += t;
                ++done;
            }
            ending.clear();
            if (place(t + in_.upper + 1) >= usage_.size()) usage_.resize(2 * usage_.size(), 0);
            for (; head < queue.size(); ++head) {
                auto const e = plan(head);
                if (!fits(t, e)) break;
                for (std::int32_t j = 1; j <= e; ++j) usage_[place(t + j)] += in_.prompt + j;
                auto const o = queue[head];
                ends[static_cast<std::size_t>(t + (o < e ? o : e)) % span].emplace_back(o, e);
            }
        }
        return total;
    }

    static std::size_t place(std::int32_t t) { return static_cast<std::size_t>(t); }

    bool fits(std::int32_t t, std::int32_t e) const
    {
        auto const* const usage = usage_.data() + t;
        auto const room = in_.memory - in_.prompt;
        if constexpr (check == Check::early_exit) {
            for (std::int32_t j = 1; j <= e; ++j)
                if (usage[j] + j > room) return false;
            return true;
        } else {
            std::int32_t most = 0;
            for (std::int32_t j = 1; j <= e; ++j) most = usage[j] + j > most ? usage[j] + j : most;
            return most <= room;
        }
    }

    Instance const& in_;
    std::vector<std::int32_t> usage_; ///< projected memory at each time
};

} // namespace round_loop
