#pragma once

#include "analysis/baseline/relaxation/pair_states.hh"
#include "analysis/baseline/relaxation/price_bound.hh"

#include <algorithm>
#include <bit>
#include <limits>

namespace crx::baseline {

/// A table of starts: [group][round].
template <class T>
using OfStarts = std::vector<std::vector<T>>;

/// Costs more than any path.
inline constexpr float far_start = 1e30f;

/// Paths through all states, with every start that `domain` allows.
class AllPairPaths
{
  public:
    AllPairPaths(std::vector<RequestGroup> const& groups, PairStates const& states,
                 StartDomain const& domain, Rounds starts)
        : groups_(groups), states_(states), domain_(domain), starts_(starts)
    {
    }

    std::int64_t arcs() const
    {
        std::int64_t arcs = 0;
        for (std::size_t g = 0; g < groups_.size(); ++g)
            for (Rounds t = 0; t < starts_; ++t)
                if (domain_.allows(g, t))
                    arcs += groups_[g].count() * static_cast<std::int64_t>(states_.arcs(g).size());
        return arcs;
    }

    /// The least cost of a path; Cost: of a group and a round.
    template <class Value, class Cost>
    Value least(Cost cost) const
    {
        constexpr auto never = std::numeric_limits<Value>::max() / 4;
        std::vector<Value> now(states_.size(), never), next;
        now[0] = 0;
        for (Rounds t = 0; t < starts_; ++t) {
            for (std::size_t g = 0; g < groups_.size(); ++g) {
                if (!domain_.allows(g, t)) continue;
                auto const c = static_cast<Value>(cost(g, t));
                for (std::int64_t m = 0; m < groups_[g].count(); ++m)
                    for (auto const arc : states_.arcs(g))
                        now[arc.to] = std::min(now[arc.to], now[arc.from] + c);
            }
            next.assign(states_.size(), never);
            for (std::size_t s = 0; s < states_.size(); ++s) {
                auto& to = next[states_.next_round(s)];
                to = std::min(to, now[s]);
            }
            std::swap(now, next);
        }
        return *std::ranges::min_element(now);
    }

    /// The least cost of a path that uses a start, for each.
    OfStarts<float> through(OfStarts<float> const& cost) const
    {
        auto const n = states_.size();
        std::vector<std::vector<float>> to_end(static_cast<std::size_t>(starts_) + 1);
        to_end.back().assign(n, 0.0f);
        std::vector<float> now(n), behind, next; // behind: of each arc of a round, backwards
        for (auto t = starts_; t-- > 0;) {
            to_end[static_cast<std::size_t>(t)] = before(t, to_end, cost, nullptr);
        }
        OfStarts<float> least(groups_.size(),
                              std::vector<float>(static_cast<std::size_t>(starts_), far_start));
        now.assign(n, far_start);
        now[0] = 0;
        for (Rounds t = 0; t < starts_; ++t) {
            behind.resize(arcs_at(t));
            before(t, to_end, cost, behind.data());
            auto after = behind.data() + behind.size();
            for (std::size_t g = 0; g < groups_.size(); ++g) {
                if (!domain_.allows(g, t)) continue;
                auto best = far_start;
                auto const c = cost[g][static_cast<std::size_t>(t)];
                for (std::int64_t m = 0; m < groups_[g].count(); ++m) {
                    auto const& arcs = states_.arcs(g);
                    after -= arcs.size();
                    for (std::size_t a = 0; a < arcs.size(); ++a) {
                        auto const paid = now[arcs[a].from] + c;
                        best = std::min(best, paid + after[a]);
                        now[arcs[a].to] = std::min(now[arcs[a].to], paid);
                    }
                }
                least[g][static_cast<std::size_t>(t)] = best;
            }
            next.assign(n, far_start);
            for (std::size_t s = 0; s < n; ++s) {
                auto& to = next[states_.next_round(s)];
                to = std::min(to, now[s]);
            }
            std::swap(now, next);
        }
        return least;
    }

  private:
    std::size_t arcs_at(Rounds t) const
    {
        std::size_t arcs = 0;
        for (std::size_t g = 0; g < groups_.size(); ++g)
            if (domain_.allows(g, t))
                arcs += static_cast<std::size_t>(groups_[g].count()) * states_.arcs(g).size();
        return arcs;
    }

    /// Costs to the end from before the starts of round t; in `behind`, from behind each arc.
    std::vector<float> before(Rounds t, std::vector<std::vector<float>> const& to_end,
                              OfStarts<float> const& cost, float* behind) const
    {
        std::vector<float> least(states_.size());
        auto const& later = to_end[static_cast<std::size_t>(t) + 1];
        for (std::size_t s = 0; s < states_.size(); ++s) least[s] = later[states_.next_round(s)];
        for (auto g = groups_.size(); g-- > 0;) {
            if (!domain_.allows(g, t)) continue;
            auto const c = cost[g][static_cast<std::size_t>(t)];
            for (std::int64_t m = 0; m < groups_[g].count(); ++m)
                for (auto const arc : states_.arcs(g)) {
                    auto const after = least[arc.to];
                    if (behind != nullptr) *behind++ = after;
                    least[arc.from] = std::min(least[arc.from], after + c);
                }
        }
        return least;
    }

    std::vector<RequestGroup> const& groups_;
    PairStates const& states_;
    StartDomain const& domain_;
    Rounds starts_;
};

/// Paths with few starts, their arcs written out.
class FewPairPaths
{
  public:
    FewPairPaths(std::vector<RequestGroup> const& groups, PairStates const& states,
                 OfStarts<char> const& allowed)
        : groups_(groups)
    {
        constexpr auto nowhere = PairStates::none;
        std::vector<std::uint32_t> place(states.size(), nowhere), list{0}, next;
        std::uint32_t base = 0;
        for (std::size_t t = 0; t < allowed[0].size(); ++t) {
            Round round{base, 0, passes_.size(), 0};
            for (std::uint32_t k = 0; k < list.size(); ++k) place[list[k]] = k;
            for (std::size_t g = 0; g < groups.size(); ++g) {
                if (allowed[g][t] == 0) continue;
                for (std::int64_t m = 0; m < groups[g].count(); ++m) {
                    auto const count = list.size();
                    for (std::uint32_t k = 0; k < count; ++k) {
                        auto const to = states.started(g, list[k]);
                        if (to == PairStates::none) continue;
                        if (place[to] == nowhere) {
                            place[to] = static_cast<std::uint32_t>(list.size());
                            list.push_back(to);
                        }
                        arcs_.push_back({base + k, base + place[to]});
                    }
                    passes_.push_back({g, arcs_.size()});
                }
            }
            base += static_cast<std::uint32_t>(list.size());
            round.nodes_end = base;
            round.passes_end = passes_.size();
            rounds_.push_back(round);
            for (auto const s : list) place[s] = nowhere;
            next.clear();
            for (auto const s : list) {
                auto const to = states.next_round(s);
                if (place[to] == nowhere) {
                    place[to] = static_cast<std::uint32_t>(next.size());
                    next.push_back(to);
                }
                next_round_.push_back(base + place[to]);
            }
            for (auto const s : next) place[s] = nowhere;
            std::swap(list, next);
        }
        least_.resize(base + list.size());
        by_arc_.resize(least_.size());
        from_round_.resize(least_.size());
        loops_.resize(least_.size());
    }

    std::size_t arcs() const { return arcs_.size(); }

    /// The least cost of a path, whose starts go to `used`. They may be those of another path that
    /// costs no more: a later group's start may have lowered what an earlier one came from.
    double cheapest(OfStarts<float> const& cost, OfStarts<std::int32_t>& used)
    {
        std::ranges::fill(least_, far_start);
        std::ranges::fill(by_arc_, PairStates::none);
        std::ranges::fill(loops_, 0);
        least_[0] = 0;
        for (std::size_t t = 0; t < rounds_.size(); ++t) {
            auto const& round = rounds_[t];
            for (auto p = round.passes_begin; p < round.passes_end; ++p) {
                auto const c = cost[passes_[p].group][t];
                auto const bit =
                    p - round.passes_begin < 64 ? std::uint64_t{1} << (p - round.passes_begin) : 0;
                for (auto a = p == 0 ? 0 : passes_[p - 1].end; a < passes_[p].end; ++a) {
                    auto const arc = arcs_[a];
                    auto const paid = least_[arc.from] + c;
                    if (paid >= least_[arc.to]) continue;
                    least_[arc.to] = paid;
                    if (arc.from == arc.to) {
                        loops_[arc.to] |= bit;
                    } else {
                        by_arc_[arc.to] = static_cast<std::uint32_t>(a);
                        loops_[arc.to] = 0;
                    }
                }
            }
            for (auto s = round.nodes_begin; s < round.nodes_end; ++s)
                if (least_[s] < least_[next_round_[s]]) {
                    least_[next_round_[s]] = least_[s];
                    from_round_[next_round_[s]] = s;
                }
        }
        auto const ends = least_.begin() + rounds_.back().nodes_end;
        auto const best = std::min_element(ends, least_.end());
        trace(static_cast<std::uint32_t>(best - least_.begin()), used);
        return static_cast<double>(*best);
    }

  private:
    struct Round
    {
        std::uint32_t nodes_begin, nodes_end;
        std::size_t passes_begin, passes_end;
    };
    struct Pass
    {
        std::size_t group, end; ///< one past its last arc
    };

    void trace(std::uint32_t node, OfStarts<std::int32_t>& used) const
    {
        used.assign(groups_.size(), {});
        for (auto t = rounds_.size(); t-- > 0;) {
            auto const& round = rounds_[t];
            auto const start = [&](std::size_t pass) {
                used[passes_[pass].group].push_back(static_cast<std::int32_t>(t));
            };
            for (node = from_round_[node];;) {
                for (auto rest = loops_[node]; rest != 0; rest &= rest - 1)
                    start(round.passes_begin + static_cast<std::size_t>(std::countr_zero(rest)));
                auto const arc = by_arc_[node];
                if (arc == PairStates::none) break;
                auto pass = round.passes_begin;
                while (passes_[pass].end <= arc) ++pass;
                start(pass);
                node = arcs_[arc].from;
            }
        }
    }

    std::vector<RequestGroup> const& groups_;
    std::vector<PairStates::Arc> arcs_;
    std::vector<Pass> passes_;
    std::vector<Round> rounds_;
    std::vector<std::uint32_t> next_round_;
    std::vector<float> least_;
    std::vector<std::uint32_t> by_arc_, from_round_;
    std::vector<std::uint64_t> loops_; ///< starts of the round that change no state
};

} // namespace crx::baseline
