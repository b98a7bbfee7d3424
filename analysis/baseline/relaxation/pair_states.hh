#pragma once

#include "analysis/baseline/request_groups.hh"

#include <array>
#include <cstdint>

namespace crx::baseline {

/// What is known of the requests that are active together: of two, the memory at the last token
/// and the rounds left. A state is a set of at most two such pairs. When a third request starts,
/// memory must hold all three; then the one that ends first is forgotten. Who the requests are is
/// not told apart, so a state means the same in each round.
///
/// Every schedule is a path: its starts one after the other, by round and group, with a subset of
/// its active requests as the state. What fits beside all of them fits beside the subset.
class PairStates
{
  public:
    struct Arc
    {
        std::uint32_t from, to;
    };
    static constexpr auto none = ~std::uint32_t{0};

    PairStates(std::vector<RequestGroup> const& groups, Tokens memory, std::size_t most_states);

    /// False: there are more than most_states; nothing else may be asked.
    bool built() const { return built_; }
    /// State 0 has no active request.
    std::size_t size() const { return next_round_.size(); }
    std::uint32_t next_round(std::size_t state) const { return next_round_[state]; }
    /// With a request of the group started, or none where it does not fit.
    std::uint32_t started(std::size_t group, std::size_t state) const
    {
        return started_[group][state];
    }
    /// All of a group's starts.
    std::vector<Arc> const& arcs(std::size_t group) const { return arcs_[group]; }

  private:
    struct Active
    {
        std::int32_t peak = 0, left = 0; ///< left 0: nobody
        friend auto operator<=>(Active const&, Active const&) = default;
    };
    using State = std::array<Active, 2>; // the larger first
    class Builder;

    bool built_ = false;
    std::vector<std::uint32_t> next_round_;
    std::vector<std::vector<std::uint32_t>> started_;
    std::vector<std::vector<Arc>> arcs_;
};

} // namespace crx::baseline
