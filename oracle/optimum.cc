#include "oracle/optimum.hh"

#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_map>

namespace oracle {
namespace {

/// Of each request: 0 while it waits or is to come, then the tokens it has; `done` at the end.
using RoundState = std::u16string;
constexpr char16_t done = 0xffff;

class Rounds
{
  public:
    Rounds(std::vector<Request> requests, std::int64_t memory, std::int64_t limit,
           std::int64_t most_states, Effort* effort)
        : requests_(std::move(requests)), memory_(memory), limit_(limit), most_states_(most_states),
          effort_(effort)
    {
        // Equal requests stand side by side, so that states that differ in their names are one.
        std::sort(requests_.begin(), requests_.end(), [](Request const& a, Request const& b) {
            return std::tie(a.arrival, a.prompt, a.output) <
                   std::tie(b.arrival, b.prompt, b.output);
        });
    }

    Exhaustion run()
    {
        for (Request const& r : requests_) longest_ = std::max(longest_, r.output);
        layer_[RoundState(requests_.size(), 0)] = 0;
        for (now_ = 0; !layer_.empty() && result_.finished; ++now_) {
            for (auto const& [state, cost] : layer_) {
                cost_ = cost;
                decide(state, 0);
                if (!result_.finished) break;
            }
            result_.states += static_cast<std::int64_t>(next_.size());
            layer_.swap(next_);
            next_.clear();
        }
        return result_;
    }

  private:
    /// So many steps for each request.
    void spend(std::int64_t steps) const
    {
        if (effort_ != nullptr) effort_->spend(steps * static_cast<std::int64_t>(requests_.size()));
    }

    bool equal(std::size_t i, std::size_t j) const
    {
        return requests_[i].arrival == requests_[j].arrival &&
               requests_[i].prompt == requests_[j].prompt &&
               requests_[i].output == requests_[j].output;
    }

    /// Whether all that have begun (tokens above 0, or in `started`) can run to their ends.
    bool can_end(RoundState const& state, std::vector<std::size_t> const& started) const
    {
        for (std::int64_t later = 1;; ++later) {
            std::int64_t held = 0;
            bool any = false;
            auto const hold = [&](std::size_t i, std::int64_t tokens) {
                if (tokens + later > requests_[i].output) return;
                held += requests_[i].prompt + tokens + later;
                any = true;
            };
            for (std::size_t i = 0; i < state.size(); ++i)
                if (state[i] != 0 && state[i] != done) hold(i, state[i]);
            for (std::size_t const i : started) hold(i, 0);
            if (held > memory_) return false;
            if (!any) return true;
        }
    }

    /// Every set of waiting requests from `from` on may start in this round.
    void decide(RoundState const& state, std::size_t from)
    {
        spend(50);
        pass(state);
        if (result_.states + static_cast<std::int64_t>(next_.size()) > most_states_)
            result_.finished = false;
        for (std::size_t i = from; i < state.size() && result_.finished; ++i) {
            if (state[i] != 0 || requests_[i].arrival > now_) continue;
            bool const in_starts = std::find(starts_.begin(), starts_.end(), i) != starts_.end();
            // Of equal ones the first that waits.
            bool const first = i == 0 || !equal(i - 1, i) || state[i - 1] != 0 ||
                               std::find(starts_.begin(), starts_.end(), i - 1) != starts_.end();
            if (in_starts || !first) continue;
            starts_.push_back(i);
            spend(longest_);
            if (can_end(state, starts_)) decide(state, i + 1);
            starts_.pop_back();
        }
    }

    /// The round passes with the starts decided upon.
    void pass(RoundState state)
    {
        std::int64_t cost = cost_, left = 0;
        bool runs = !starts_.empty(), to_come = false;
        for (std::size_t const i : starts_) state[i] = 1;
        for (std::size_t i = 0; i < state.size(); ++i) {
            if (state[i] == done) continue;
            bool const started = std::find(starts_.begin(), starts_.end(), i) != starts_.end();
            if (requests_[i].arrival > now_)
                to_come = true;
            else
                ++cost;
            if (state[i] != 0 && !started) {
                ++state[i];
                runs = true;
            }
            if (state[i] == requests_[i].output)
                state[i] = done;
            else
                ++left;
        }
        if (left == 0) {
            if (cost < limit_) {
                limit_ = cost;
                result_.below = cost;
            }
            return;
        }
        if (!runs && !to_come) return; // somebody waits, nothing would ever change
        if (cost + still(state) >= limit_) return;
        sort_equal(state);
        auto const [place, is_new] = next_.try_emplace(state, cost);
        if (!is_new) place->second = std::min(place->second, cost);
    }

    void sort_equal(RoundState& state) const
    {
        for (std::size_t i = 0; i < state.size();) {
            std::size_t end = i + 1;
            while (end < state.size() && equal(i, end)) ++end;
            // Those that wait last: `decide` starts the first.
            std::sort(state.begin() + static_cast<std::ptrdiff_t>(i),
                      state.begin() + static_cast<std::ptrdiff_t>(end), std::greater<>());
            i = end;
        }
    }

    /// What the rest costs at least from the next round on: the k-th completion comes no sooner
    /// than the k-th least length left, nor than memory can hold the k least volumes left.
    std::int64_t still(RoundState const& state) const
    {
        std::vector<std::int64_t> lengths, volumes;
        std::int64_t sum = 0;
        for (std::size_t i = 0; i < state.size(); ++i) {
            if (state[i] == done) continue;
            Request const& r = requests_[i];
            if (r.arrival > now_ + 1) {
                sum += r.output;
                continue;
            }
            std::int64_t volume = 0;
            for (std::int64_t j = state[i] + 1; j <= r.output; ++j) volume += r.prompt + j;
            lengths.push_back(r.output - state[i]);
            volumes.push_back(volume);
        }
        std::sort(lengths.begin(), lengths.end());
        std::sort(volumes.begin(), volumes.end());
        std::int64_t volume = 0;
        for (std::size_t k = 0; k < lengths.size(); ++k) {
            volume += volumes[k];
            sum += std::max(lengths[k], (volume + memory_ - 1) / memory_);
        }
        return sum;
    }

    std::vector<Request> requests_;
    std::int64_t memory_, limit_, most_states_;
    Effort* effort_;
    std::int64_t longest_ = 0;                                  // output
    std::unordered_map<RoundState, std::int64_t> layer_, next_; // the least cost of each state
    std::vector<std::size_t> starts_;                           // of the round being decided
    std::int64_t now_ = 0, cost_ = 0;
    Exhaustion result_;
};

} // namespace

Exhaustion exhaust(std::vector<Request> const& requests, std::int64_t memory, std::int64_t limit,
                   std::int64_t most_states, Effort* effort)
{
    return Rounds(requests, memory, limit, most_states, effort).run();
}

} // namespace oracle
