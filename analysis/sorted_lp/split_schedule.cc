#include "analysis/sorted_lp/split_schedule.hh"

#include <algorithm>

namespace crx::sorted_lp {
namespace {

/// Memory in use at each time, by whole requests that came one after the other.
class Profile
{
  public:
    Profile(Tokens memory, Tokens least_prompt) : memory_(memory), least_first_(least_prompt + 1) {}

    /// The least start >= from at which a request fits. Where it does not, because at time t more
    /// is used than is left beside s + (t - start), no start below t - (M - used - s) fits either.
    Rounds earliest(Tokens prompt, Rounds output, Rounds from)
    {
        // Before full_until_ not even the first token of the smallest prompt fits.
        while (used(full_until_) + least_first_ > memory_) ++full_until_;
        auto start = std::max(from, full_until_ - 1);
        for (bool moved = true; moved;) {
            moved = false;
            reserve(start + output);
            for (auto j = output; j >= 1; --j) {
                auto const left = memory_ - used_[static_cast<std::size_t>(start + j)] - prompt;
                if (left >= j) continue;
                start = std::max(start + 1, start + j - std::max<Rounds>(left, 0));
                moved = true;
                break;
            }
        }
        return start;
    }
    void place(Tokens prompt, Rounds output, Rounds start)
    {
        for (Rounds j = 1; j <= output; ++j)
            used_[static_cast<std::size_t>(start + j)] += prompt + j;
    }

  private:
    Tokens used(Rounds t)
    {
        reserve(t);
        return used_[static_cast<std::size_t>(t)];
    }
    void reserve(Rounds t)
    {
        if (static_cast<std::size_t>(t) >= used_.size())
            used_.resize(2 * static_cast<std::size_t>(t) + 1, 0);
    }

    Tokens memory_, least_first_;
    Rounds full_until_ = 1;
    std::vector<Tokens> used_;
};

} // namespace

SplitSchedule split_schedule(OwnedInstance const& instance, std::vector<std::size_t> const& order,
                             std::int64_t pieces)
{
    CRX_EXPECT(pieces >= 1 && order.size() == instance.output.size());
    SplitSchedule result{0, std::vector<double>(order.size())};
    Profile profile(pieces * instance.memory, *std::ranges::min_element(instance.prompt));
    for (auto const i : order) {
        Rounds sum = 0, start = instance.arrival[i];
        for (std::int64_t piece = 0; piece < pieces; ++piece) {
            // A later part of the same request fits no earlier than the one before it.
            start = profile.earliest(instance.prompt[i], instance.output[i], start);
            profile.place(instance.prompt[i], instance.output[i], start);
            sum += start;
        }
        result.mean_start[i] = static_cast<double>(sum) / static_cast<double>(pieces);
        result.value +=
            result.mean_start[i] + static_cast<double>(instance.output[i] - instance.arrival[i]);
    }
    return result;
}

} // namespace crx::sorted_lp
