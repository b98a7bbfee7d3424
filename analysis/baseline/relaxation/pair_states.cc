#include "analysis/baseline/relaxation/pair_states.hh"

#include <algorithm>
#include <span>
#include <unordered_map>

namespace crx::baseline {

class PairStates::Builder
{
  public:
    Builder(std::vector<RequestGroup> const& groups, Tokens memory)
        : groups_(groups), memory_(memory)
    {
        number({});
    }

    std::vector<State> const& states() const { return states_; }

    std::uint32_t next_round(State state)
    {
        for (auto& a : state)
            if (a.left > 0 && --a.left == 0) a = {};
        return number(state);
    }

    std::uint32_t started(std::size_t g, std::uint32_t number_of_state)
    {
        auto const state = states_[number_of_state];
        Active const fresh{static_cast<std::int32_t>(groups_[g].peak()), groups_[g].output};
        for (auto const& a : state)
            if (a.left > 0 && is_the_only_one(g, a)) return none;
        std::array<Active, 3> const all{state[0], state[1], fresh};
        if (!fit(all)) return none;
        if (state[1].left == 0) return number({state[0], fresh});
        auto const first = *std::ranges::min_element(all, {}, &Active::left);
        if (first.left == fresh.left) return number_of_state;
        return number(first == state[0] ? State{state[1], fresh} : State{state[0], fresh});
    }

  private:
    std::uint32_t number(State state)
    {
        std::ranges::sort(state, std::greater<>());
        std::uint64_t key = 0;
        for (auto const& a : state)
            key = key << 32 | static_cast<std::uint64_t>(a.peak) << 16 |
                  static_cast<std::uint64_t>(a.left);
        auto const [at, is_new] =
            number_.try_emplace(key, static_cast<std::uint32_t>(states_.size()));
        if (is_new) states_.push_back(state);
        return at->second;
    }

    /// Memory held grows, so it peaks where one of them ends.
    bool fit(std::span<Active const> all) const
    {
        for (auto const& end : all) {
            if (end.left == 0) continue;
            Tokens held = 0;
            for (auto const& a : all)
                if (a.left > 0 && a.left >= end.left) held += a.peak - (a.left - end.left);
            if (held > memory_) return false;
        }
        return true;
    }

    /// Must the active request be the group's only one?
    bool is_the_only_one(std::size_t g, Active const& active) const
    {
        auto const could_be = [&](RequestGroup const& group) {
            return group.peak() == active.peak && group.output >= active.left;
        };
        return groups_[g].count() == 1 && could_be(groups_[g]) &&
               std::ranges::count_if(groups_, could_be) == 1;
    }

    std::vector<RequestGroup> const& groups_;
    Tokens memory_;
    std::vector<State> states_;
    std::unordered_map<std::uint64_t, std::uint32_t> number_;
};

PairStates::PairStates(std::vector<RequestGroup> const& groups, Tokens memory,
                       std::size_t most_states)
    : started_(groups.size()), arcs_(groups.size())
{
    if (memory >= 1 << 15) return;
    Builder builder(groups, memory);
    for (std::uint32_t s = 0; s < builder.states().size(); ++s) {
        if (builder.states().size() > most_states) return;
        next_round_.push_back(builder.next_round(builder.states()[s]));
        for (std::size_t g = 0; g < groups.size(); ++g) {
            auto const to = builder.started(g, s);
            started_[g].push_back(to);
            if (to != none) arcs_[g].push_back({s, to});
        }
    }
    built_ = true;
}

} // namespace crx::baseline
